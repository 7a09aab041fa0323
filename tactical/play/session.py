"""A session: a game under way.  Commands go in; events or a refusal come out; everything can be taken back and saved.

    session = tactical.Session.new(village, rules="operator", seed=7)
    answer = session.execute(tactical.play.Move("raven", village.cell_named("N9")))
    if answer:
        for event in answer: ...
    else:
        print(answer.text)

The session is a small shell around one immutable `Position`: a command makes the next position or a `Refusal`, and a
refused command throws no die, spends nothing and changes nothing.  The same map, commands and seed give the same
events everywhere.  One session may be used from several threads; sessions share nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from threading import RLock
from typing import Any

from tactical import values
from tactical.errors import Refusal, RulesetError
from tactical.movement.reach import Reach, reach_of
from tactical.movement.route import Route
from tactical.play.commands import Command, EndTurn, on_map
from tactical.play.events import SEALING, Accepted, Event, Redone, Undone
from tactical.play.orders import carry
from tactical.play.position import Position, begin
from tactical.units import exact
from tactical.values import Place
from tactical.world.battlemap import Battlemap
from tactical.world.mover import Mover

Listener = Callable[[Accepted], None]

UNDO, REDO, RESET = "undo", "redo", "reset"


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing done: the command (or ``undo``, ``redo``, ``reset``) and what came of it."""

    done: Command | str
    events: tuple[Event, ...]


@dataclass(frozen=True, slots=True)
class Past:
    """A command that can be taken back: the position before it."""

    before: Position
    command: Command
    events: tuple[Event, ...]

    @property
    def sealed(self) -> bool:
        """True where a die was thrown or a secret came to light: nobody can forget that."""
        return any(isinstance(event, SEALING) for event in self.events)


class Session:
    """A game under way.  Make one with `Session.new`, or with `tactical.play.save` from a file."""

    def __init__(self, position: Position, *, sealed: bool = False) -> None:
        self._position = position
        self._sealed_before = sealed
        self._start = position
        self._past: list[Past] = []
        self._future: list[Past] = []
        self._log: list[Entry] = []
        self._listeners: list[Listener] = []
        self._lock = RLock()

    @classmethod
    def new(
        cls,
        battlemap: Battlemap,
        movers: Iterable[Mover] | None = None,
        *,
        rules: str = "",
        options: Mapping[str, object] | None = None,
        order: Iterable[str] = (),
        seed: int = 0,
        known: Mapping[str, Collection[Place]] | None = None,
    ) -> Session:
        """Begin a game.

        `movers` replace the map's own; `rules` and `options` hold for all (by default each mover's, then the map's);
        `order` is the initiative, without one everybody may act; `known` the explored cells by mover or side.  Raises
        `UnknownName`, `RulesetError` for what does not exist, `ValueError` for a mover off the map.
        """
        placed = battlemap if movers is None else battlemap.with_(movers=movers)
        seen = {
            name: frozenset(placed.cell_of(cell, "known") for cell in values.several(cells, "known"))
            for name, cells in (known or {}).items()
        }
        turns = values.words(order, "order")
        return cls(begin(placed, rules=rules, options=options, order=turns, seed=seed, known=seen))

    # -- asking it ----------------------------------------------------------------------------------------------------

    @property
    def position(self) -> Position:
        """Everything that is so now, as one immutable value."""
        return self._position

    @property
    def battlemap(self) -> Battlemap:
        """The map as it is now: everybody where they stand, doors as they are."""
        return self._position.battlemap

    @property
    def active(self) -> str:
        """Whose turn it is; empty where turns go in no order."""
        return self._position.active

    @property
    def log(self) -> tuple[Entry, ...]:
        """Everything that was done, undone commands and undoing included."""
        return tuple(self._log)

    @property
    def start(self) -> Position:
        """The position in which the log begins."""
        return self._start

    def reach(self, mover: str, *, turns: int = 1, gait: str = "", reserve: object = 0, arrive: str = "") -> Reach:
        """Where a mover can get to with what is left of its turn, as far as it knows.

        A cell of this turn's bands is one that a `Move` there is accepted for, at the price shown.
        """
        position = self._position
        chosen = gait or position.chosen_gait(mover)
        return reach_of(position.query(mover), turns=turns, gait=chosen, reserve=exact(reserve), arrive=arrive)

    def route(self, mover: str, to: Place, *, via: Iterable[Place] = (), arrive: str = "") -> Route | Refusal:
        """The cheapest way this turn, or why there is none."""
        return self.reach(mover).route(to, via=via, arrive=arrive or None)

    def why_not(self, command: Command) -> Refusal | None:
        """Why a command would be refused, or None; nothing happens."""
        found = carry(self._position, on_map(command, self.battlemap))
        return found if isinstance(found, Refusal) else None

    # -- doing it -----------------------------------------------------------------------------------------------------

    def execute(self, command: Command) -> Accepted | Refusal:
        """Do something: everything that happened, or why not.

        Raises `UnknownName` for a mover, gait or door that does not exist, `ValueError` for a cell on a level that
        the map does not have, `TypeError` for what is not a command; then too nothing has changed.
        """
        with self._lock:
            before = self._position
            command = on_map(command, before.battlemap)
            found = carry(before, command)
            if isinstance(found, Refusal):
                return found
            self._position, events = found
            self._past.append(Past(before, command, events))
            self._future.clear()
            return self._record(command, events)

    def undo(self) -> Accepted | Refusal:
        """Take back the last command: place, posture, parity, movement, actions, doors.

        Stops at a die that was thrown and at a secret that came to light.
        """
        with self._lock:
            reason = self._sealed()
            if reason is not None:
                return reason
            self._take_back()
            return self._record(UNDO, (Undone(),))

    def redo(self) -> Accepted | Refusal:
        """Do again what was taken back."""
        with self._lock:
            if not self._future:
                return Refusal("play.nothing_to_redo")
            again = self._future.pop()
            found = carry(again.before, again.command)
            if isinstance(found, Refusal):
                raise RulesetError(f"what was accepted before is refused now ({found.text}): a rule system is not pure")
            self._position = found[0]
            self._past.append(again)
            return self._record(REDO, (Redone(),))

    def reset_turn(self) -> Accepted | Refusal:
        """Take back everything since the last turn ended, as far as undo goes."""
        with self._lock:
            reason = self._sealed()
            if reason is None and isinstance(self._past[-1].command, EndTurn):
                reason = Refusal("move.nothing_to_undo")
            if reason is not None:
                return reason
            count = 0
            while self._sealed() is None and not isinstance(self._past[-1].command, EndTurn):
                self._take_back()
                count += 1
            return self._record(RESET, (Undone(count),))

    def _sealed(self) -> Refusal | None:
        if not self._past and not self._sealed_before:
            return Refusal("move.nothing_to_undo")
        if not self._past or self._past[-1].sealed:
            return Refusal("play.sealed", {"why": "a die was thrown or a secret came to light"})
        return None

    def _take_back(self) -> None:
        last = self._past.pop()
        self._future.append(last)
        self._position = last.before

    def _record(self, done: Command | str, events: tuple[Event, ...]) -> Accepted:
        self._log.append(Entry(done, events))
        accepted = Accepted(events)
        for listener in tuple(self._listeners):
            listener(accepted)
        return accepted

    # -- keeping it ---------------------------------------------------------------------------------------------------

    def save(self, path: str | Path) -> None:
        """Save the game as JSON lines; the file is there whole or as it was before.  Raises `OSError`."""
        from tactical.play.save import write

        with self._lock:
            write(self, path)

    def keep(self, path: str | Path) -> Callable[[], None]:
        """Save the game now and after each command; returns the switch that ends it.

        A crash at any moment loses the last command at most.
        """
        from tactical.play.save import keep

        with self._lock:
            return keep(self, path)

    @classmethod
    def load(cls, source: str | Path | bytes, to: int | None = None) -> Session:
        """The game in a file, played again as far as its entry `to` (all of it by default).  Raises `SaveError`."""
        from tactical.play.save import load

        return load(source, to)

    def snapshot(self) -> dict[str, Any]:
        """All that counts from now on as one JSON object, what can be undone and redone included."""
        from tactical.play.save import snapshot

        with self._lock:
            return snapshot(self)

    @classmethod
    def restore(cls, data: Mapping[str, Any]) -> Session:
        """The game of a `snapshot`.  Raises `SaveError`."""
        from tactical.play.save import restore

        return restore(data)

    def open_end(self) -> tuple[Position, tuple[Command, ...], tuple[Command, ...], bool]:
        """The position that undo can go back to at most, the commands since, those to redo, and whether a seal is
        what stops it."""
        first = len(self._past)
        while first and not self._past[first - 1].sealed:
            first -= 1
        since = self._past[first:]
        base = since[0].before if since else self._position
        again = tuple(past.command for past in reversed(self._future))
        return base, tuple(past.command for past in since), again, first > 0 or self._sealed_before

    # -- watching it --------------------------------------------------------------------------------------------------

    def on(self, listener: Listener) -> Callable[[], None]:
        """Call `listener` with the events of everything that is done from now on; returns the switch that ends it."""
        with self._lock:
            self._listeners.append(listener)

        def off() -> None:
            with self._lock:
                if listener in self._listeners:
                    self._listeners.remove(listener)

        return off

    def __repr__(self) -> str:
        return f"<Session of {len(self._position.statuses)} movers, {len(self._log)} done>"


def do_again(session: Session, done: Command | str) -> Accepted | Refusal:
    """Repeat one entry of a log."""
    again: dict[str, Callable[[], Any]] = {UNDO: session.undo, REDO: session.redo, RESET: session.reset_turn}
    answer: Accepted | Refusal = again[done]() if isinstance(done, str) else session.execute(done)
    return answer
