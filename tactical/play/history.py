"""What a session remembers: everything done in it, and how to get back to any moment of that.

The log is a list of entries; those of a game that was opened from a file are read when somebody asks for them.  The
commands in force are a stack of entry numbers, those taken back another.  The last positions are held as they are,
older ones are worked out from the nearest `Moment` before them, of which there is one every fifty entries: a game may
be long without its past growing heavy, and opening it costs no more than going on from the last moment.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from threading import RLock
from typing import Protocol, overload

from tactical import registry
from tactical.errors import Refusal, SaveError
from tactical.play.commands import Command
from tactical.play.events import Event
from tactical.play.position import Position
from tactical.play.referee.orders import carry
from tactical.world.battlemap import Battlemap

EVERY = 50
"""Entries from one moment to the next."""
HELD = 100
"""Positions behind the present one that are held at least, where so many can be gone back to."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing done: the command (or ``undo``, ``redo``, ``reset``) and what came of it."""

    done: Command | str
    events: tuple[Event, ...]


class Notes(Protocol):
    """How positions and entries are written in few words: the part of a save form that a game's past needs."""

    def note(self, start: Position, position: Position) -> bytes:
        """A position in few words, against the start of its game."""

    def position(self, start: Position, noted: bytes) -> Position:
        """The position that `note` wrote.  Raises `SaveError`."""

    def entry(self, line: bytes, on: Battlemap) -> Entry:
        """An entry of the log as it was written.  Raises `SaveError`."""


def _notes() -> Notes:
    form: Notes = registry.named(registry.SAVES)
    return form


@dataclass(frozen=True, slots=True)
class Moment:
    """How a game stood after `at` entries, told against the moment before it.

    `done` is how many of the commands in force then are still so, and the numbers of those that came since; `undone`
    the same of those that were taken back, the next to do again last.  The first `sealed` of those in force cannot be
    taken back.  `position` is the position as the save form writes it.
    """

    at: int
    done: tuple[int, tuple[int, ...]]
    undone: tuple[int, tuple[int, ...]]
    sealed: int
    position: bytes


class Trail(list[int]):
    """A stack of entry numbers that knows how far down it was the same all the time since it was last asked."""

    low = 0

    def take(self) -> int:
        """Take the number on top."""
        found = self.pop()
        self.low = min(self.low, len(self))
        return found

    def empty(self) -> None:
        """Take all."""
        self.clear()
        self.low = 0

    def since(self) -> tuple[int, tuple[int, ...]]:
        """How many are as they were when this was asked last, and those above them."""
        low, self.low = self.low, len(self)
        return low, tuple(self[low:])

    def follow(self, change: tuple[int, tuple[int, ...]]) -> None:
        """Do what `since` told of another one."""
        self[change[0] :] = change[1]
        self.low = len(self)


class Log(Sequence[Entry]):
    """Everything that was done up to now, as a sequence that stays as it is; equal to any other of equal entries."""

    __slots__ = ("_history", "_length")

    def __init__(self, history: History) -> None:
        self._history, self._length = history, len(history)

    def __len__(self) -> int:
        return self._length

    @overload
    def __getitem__(self, key: int) -> Entry: ...
    @overload
    def __getitem__(self, key: slice) -> tuple[Entry, ...]: ...
    def __getitem__(self, key: int | slice) -> Entry | tuple[Entry, ...]:
        found = range(1, self._length + 1)[key]
        return self._history.entry(found) if isinstance(found, int) else tuple(map(self._history.entry, found))

    def __iter__(self) -> Iterator[Entry]:
        return map(self._history.entry, range(1, self._length + 1))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, (Log, tuple)):
            return NotImplemented
        return len(self) == len(other) and all(mine == theirs for mine, theirs in zip(self, other, strict=True))

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"<Log of {self._length} entries>"


class History:
    """The past of one game.  `lines` are entries as the save form wrote them, `moments` those that lie among them."""

    def __init__(self, start: Position, lines: Iterable[bytes] = (), moments: Iterable[Moment] = ()) -> None:
        self.start = start
        # held by whoever adds to it, or writes it down
        self.lock = RLock()
        self.moments = list(moments)
        self.done, self.undone, self.sealed = Trail(), Trail(), 0
        self._entries: list[Entry | bytes] = list(lines)
        # the positions before the last commands in force
        self._before: list[Position] = []
        for moment in self.moments:
            self.done.follow(moment.done)
            self.undone.follow(moment.undone)
            self.sealed = moment.sealed

    # -- the log ------------------------------------------------------------------------------------------------------

    def __len__(self) -> int:
        return len(self._entries)

    def entry(self, number: int) -> Entry:
        """An entry by its number, from 1.  Raises `SaveError` for one that was read from a file and makes no sense."""
        found = self._entries[number - 1]
        if isinstance(found, bytes):
            found = self._entries[number - 1] = _notes().entry(found, self.start.battlemap)
        return found

    def stored(self, number: int) -> Entry | bytes:
        """An entry, or its line as it was read if nobody has asked for it yet."""
        return self._entries[number - 1]

    def command(self, number: int) -> Command:
        """The command of an entry that holds one."""
        done = self.entry(number).done
        if isinstance(done, str):
            raise SaveError(f"entry {number} holds no command but {done!r}")
        return done

    def add(self, entry: Entry, present: Position) -> None:
        """Write down what was done, now that it is `present`."""
        self._entries.append(entry)
        if len(self._entries) % EVERY == 0:
            position = _notes().note(self.start, present)
            moment = Moment(len(self._entries), self.done.since(), self.undone.since(), self.sealed, position)
            self.moments.append(moment)

    def resume(self, entries: Iterable[Entry | bytes], done: Iterable[int], undone: Iterable[int]) -> None:
        """Take up a game that went on from the start: its entries, those in force, and those to do again, next last."""
        self._entries.extend(entries)
        self.done.extend(done)
        self.undone.extend(undone)

    def moment(self, at: int) -> Moment | None:
        """The moment noted after so many entries; a game taken up from a snapshot has none of before."""
        return next((one for one in reversed(self.moments) if one.at == at), None)

    # -- back and forth -----------------------------------------------------------------------------------------------

    def went(self, before: Position, number: int, *, sealing: bool) -> None:
        """The command of entry `number` is in force now."""
        self.done.append(number)
        if sealing:
            # nobody goes back behind it, so nothing of that is held
            self.sealed = len(self.done)
            self._before.clear()
            return
        if self._before:
            self._before[-1] = self._before[-1].bare()
        # of the last one it stays known what was worked out: who takes a command back asks the same again
        self._before.append(before)
        if len(self._before) > 2 * HELD:
            del self._before[:HELD]

    def since(self, *kinds: type[Command]) -> int:
        """How many commands in force can be taken back before one of the kinds that stay.  Raises `SaveError`."""
        free = range(len(self.done), self.sealed, -1)
        return next((n for n, at in enumerate(free) if isinstance(self.command(self.done[at - 1]), kinds)), len(free))

    def back(self, steps: int = 1) -> Position:
        """Take back the last commands in force: the position before them.  Raises `SaveError`; then nothing changed."""
        if steps > len(self._before):
            # the positions on the way there are wanted next
            self._before = self._worked_out(len(self.done) - steps)
        else:
            del self._before[len(self._before) - steps + 1 :]
        self.undone.extend(self.done.take() for _ in range(steps))
        return self._before.pop()

    def present(self) -> Position:
        """The position that the last moment tells of, or the start.  Raises `SaveError`."""
        return _notes().position(self.start, self.moments[-1].position) if self.moments else self.start

    def position(self, depth: int) -> Position:
        """The position when the first `depth` commands in force were done, and one at least was not."""
        back = len(self.done) - depth
        return self._before[-back] if back <= len(self._before) else self._worked_out(depth)[-1]

    def _worked_out(self, depth: int) -> list[Position]:
        """The positions from the nearest moment up to that with the first `depth` commands in force."""
        position, size = self._nearest(depth)
        found = [position]
        for number in self.done[size:depth]:
            entry = self.entry(number)
            went = carry(found[-1].bare(), self.command(number))
            if isinstance(went, Refusal) or went[1] != entry.events:
                raise SaveError(f"entry {number} ends otherwise now than it did: another version played it")
            found.append(went[0].bare())
        return found

    def _nearest(self, depth: int) -> tuple[Position, int]:
        """The last moment of which all commands are among the first `depth` in force, and how many these are."""
        common = min(depth, self.done.low)
        for moment in reversed(self.moments):
            size = moment.done[0] + len(moment.done[1])
            if size <= common:
                return _notes().position(self.start, moment.position), size
            common = min(common, moment.done[0])
        return self.start, 0
