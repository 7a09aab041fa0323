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

What is done is done in this order: the position changes, every kept file is written, the listeners hear of it.  What
goes wrong with a file or a listener is told to whoever asked for it and never makes a command look refused or failed.
"""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable, Collection, Iterable, Mapping
from functools import partial
from pathlib import Path
from typing import Any, Protocol

from tactical import registry, values
from tactical.errors import Refusal, RulesetError
from tactical.movement.reach import Reach
from tactical.movement.route import Route
from tactical.play.commands import Act, Command, EndTurn, GivenRoll, on_map
from tactical.play.events import Accepted, Event, Redone, Undone, seals
from tactical.play.history import Entry, History, Log, Notes
from tactical.play.position import Position, begin
from tactical.play.referee.orders import carry
from tactical.play.saving import Failed, Kept
from tactical.units import exact
from tactical.values import Place
from tactical.world.battlemap import Battlemap
from tactical.world.mover import Mover

Listener = Callable[[Accepted], None]

LOG = logging.getLogger("tactical")

UNDO, REDO, RESET = "undo", "redo", "reset"


class Hearer:
    """Somebody who listens: each registration is one, also where the same function is registered twice."""

    def __init__(self, listener: Listener, failed: Failed | None) -> None:
        self.listener, self.failed, self.on = listener, failed, True

    def hear(self, accepted: Accepted) -> None:
        """Hand over what happened.  An exception goes to whoever registered the listener, else into the log."""
        if not self.on:
            return
        try:
            self.listener(accepted)
        except Exception as error:
            words = "a listener failed; what was done is done, and all others hear of it"
            tell(self.failed, error, words, trace=error)


def tell(failed: Failed | None, error: Exception, words: str, *, trace: BaseException | None = None) -> None:
    """Tell the one who should know; where nobody is named, or that fails too, the log `tactical` is told."""
    if failed is not None:
        try:
            failed(error)
            return
        except Exception as second:
            trace = second
    LOG.error(words, exc_info=trace)


class SaveForm(Notes, Protocol):
    """How games are saved: what `Session.save`, `keep`, `load`, `snapshot` and `restore` call."""

    def write(self, session: Session, path: str | Path) -> None:
        """Save a game; the file is there whole or as it was before.  Raises `OSError`."""

    def keep(self, session: Session, path: str | Path, failed: Failed | None) -> Kept:
        """Save a game, and everything done in it from now on.  Raises `OSError`, `SaveError`."""

    def load(self, source: str | Path | bytes, to: int | None = None, *, check: bool = False) -> Session:
        """The game in a file or its content, as far as entry `to`; `check`: all is played anew.  Raises `SaveError`."""

    def snapshot(self, session: Session) -> dict[str, Any]:
        """All that counts from now on as one JSON object."""

    def restore(self, data: Mapping[str, Any]) -> Session:
        """The game of a snapshot.  Raises `SaveError`."""


def save_form() -> SaveForm:
    """The form that games are saved in."""
    form: SaveForm = registry.named(registry.SAVES)
    return form


class Session:
    """A game under way.  Make one with `Session.new`, or with `Session.load` from a file."""

    def __init__(self, position: Position, *, sealed: bool = False, history: History | None = None) -> None:
        self._position = position
        self._history = history or History(position.bare())
        self._seal = sealed
        self._kept: list[Kept] = []
        self._hearers: list[Hearer] = []
        self._untold: deque[Callable[[], None]] = deque()
        self._telling = False
        self._lock = self._history.lock

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
        `order` is the initiative, without one everybody may act; `known` the explored cells by mover or side.  Where
        several systems are played an option holds for those that know it.  Raises `UnknownName`, `RulesetError` for
        what does not exist, `ValueError` for a mover off the map, `TypeError` for what is something else altogether.
        """
        placed = battlemap if movers is None else battlemap.with_(movers=movers)
        if known is not None and not isinstance(known, Mapping):
            raise TypeError(f"known must be a mapping of movers or sides to the cells they know, not {known!r}")
        seen = {
            name: frozenset(placed.cell_of(cell, f"known: {name}") for cell in values.several(cells, f"known: {name}"))
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
    def log(self) -> Log:
        """Everything that was done up to now, undone commands and undoing included: a sequence of entries.

        Of a game that was opened from a file they are read when they are asked for.  Raises `SaveError` then, where an
        entry makes no sense: another version wrote it.
        """
        return Log(self._history)

    @property
    def start(self) -> Position:
        """The position in which the log begins."""
        return self._history.start

    def reach(
        self, mover: str, *, turns: int = 1, gait: str = "", reserve: object = 0, arrive: str = "", at_once: bool = True
    ) -> Reach:
        """Where a mover can get to with what is left of its turn, as far as it knows.

        A cell of this turn's bands is one that a `Move` there is accepted for, at the price shown.  Without `at_once`
        it is searched when it is first asked for a cell; what the rules say of the mover can be read before.
        """
        position = self._position
        gait = gait or position.chosen_gait(mover)
        if at_once:
            return position.reach(mover, turns, gait, exact(reserve), arrive).searched()
        # whoever searches it in slices has it for itself
        return Reach(position.question(mover), turns, gait, exact(reserve), arrive)

    def route(
        self, mover: str, to: Place, *, via: Iterable[Place] = (), arrive: str = "", turns: int = 1, gait: str = ""
    ) -> Route | Refusal:
        """The cheapest way within so many turns, at any gait or at one in every turn, or why there is none."""
        return self.reach(mover, turns=turns, gait=gait).route(to, via=via, arrive=arrive or None)

    def why_not(self, command: Command) -> Refusal | None:
        """Why a command would be refused, or None; nothing happens."""
        found = carry(self._position, on_map(command, self.battlemap))
        return found if isinstance(found, Refusal) else None

    # -- doing it -----------------------------------------------------------------------------------------------------

    def execute(self, command: Command) -> Accepted | Refusal:
        """Do something: everything that happened, or why not.

        Raises `UnknownName` for a mover, gait or door that does not exist, `ValueError` for a cell on a level that
        the map does not have, `TypeError` for what is not a command; then too nothing has changed.  A listener that
        raises or a kept file that cannot be written changes nothing of the answer (`on` and `keep` say who is told).
        """
        with self._lock:
            command = on_map(command, self._position.battlemap)
            found = carry(self._position, command)
            if isinstance(found, Refusal):
                return found
            position, events = found
            self._history.went(self._position, len(self._history) + 1, sealing=any(map(seals, events)))
            self._history.undone.empty()
            self._position = position
            return self._record(command, events)

    def undo(self) -> Accepted | Refusal:
        """Take back the last command: place, posture, parity, movement, actions, doors.

        Stops at a die that was thrown and at a secret that came to light.  A total that the table gave goes back to the
        question, to be given anew, and the next undo to before the order that it was for: nothing was thrown here.
        Raises `SaveError` where the position that it goes back to was played by another version and cannot be worked
        out any more; then nothing has changed.
        """
        with self._lock:
            reason = self._sealed()
            if reason is not None:
                return reason
            self._position = self._history.back()
            return self._record(UNDO, (Undone(),))

    def redo(self) -> Accepted | Refusal:
        """Do again what was taken back."""
        with self._lock:
            if not self._history.undone:
                return Refusal("play.nothing_to_redo")
            found = carry(self._position, self._history.command(self._history.undone[-1]))
            if isinstance(found, Refusal):
                raise RulesetError(f"what was accepted before is refused now ({found.text}): a rule system is not pure")
            self._history.went(self._position, self._history.undone.take(), sealing=False)
            self._position = found[0]
            return self._record(REDO, (Redone(),))

    def reset_turn(self) -> Accepted | Refusal:
        """Take back everything since the last turn ended, as far as undo goes: all of it, or nothing (see `undo`).

        It goes back to an action that is no movement (`Act`) or a total that was given, not past it: that was played
        out at the table.
        """
        with self._lock:
            return self._take_back(self._history.since(EndTurn, Act, GivenRoll))

    def _take_back(self, steps: int) -> Accepted | Refusal:
        reason = self._sealed()
        if reason is None and not 0 < steps <= len(self._history.done) - self._history.sealed:
            reason = Refusal("move.nothing_to_undo")
        if reason is not None:
            return reason
        self._position = self._history.back(steps)
        return self._record(RESET, (Undone(steps),))

    def _sealed(self) -> Refusal | None:
        if len(self._history.done) > self._history.sealed:
            return None
        if self._seal or self._history.sealed:
            return Refusal("play.sealed", {"why": "a die was thrown or a secret came to light"})
        return Refusal("move.nothing_to_undo")

    def _record(self, done: Command | str, events: tuple[Event, ...]) -> Accepted:
        self._history.add(Entry(done, events), self._position)
        accepted = Accepted(events)
        # whoever listens hears of it even if the writing is interrupted, then with the next thing done
        self._untold.extend(partial(hearer.hear, accepted) for hearer in self._hearers)
        self._kept = [kept for kept in self._kept if not kept.ended]
        for kept in self._kept:
            problem = kept.catch_up()
            if problem is not None:
                self._untold.append(partial(tell, kept.failed, problem, str(problem)))
        self._tell()
        return accepted

    def _tell(self) -> None:
        # what a listener does itself is told when everybody has heard what it answers to
        if self._telling:
            return
        self._telling = True
        try:
            while self._untold:
                self._untold.popleft()()
        finally:
            self._telling = False

    # -- keeping it ---------------------------------------------------------------------------------------------------

    def save(self, path: str | Path) -> None:
        """Save the game as JSON lines; the file is there whole or as it was before.

        Raises `OSError`, and `SaveError` for a file that holds something else than a saved game.
        It is the way out when a kept file is lost: the whole game is in memory, and can be saved elsewhere.
        """
        with self._lock:
            save_form().write(self, path)

    def keep(self, path: str | Path, failed: Failed | None = None) -> Kept:
        """Save the game now and everything done from now on, before anybody hears of it; call what it returns to end.

        A crash at any moment loses the last command at most.  Raises `OSError` where the file cannot be written now,
        `SaveError` where another game is being kept in it, or it holds something else than a saved game.

        Later nothing is raised.  Each time something is done that cannot be written (the disk is full, the file was
        changed, replaced or is kept by another program) `failed` is called with a `SaveError` whose `__cause__` is the
        `OSError`, if there is one; without `failed` the words go to the log ``tactical``, which is stderr unless set
        up otherwise.  Nothing is lost by it: what was done stays done, what is not on the disk is written as soon as
        that is possible again, and `save` or another `keep` writes the whole game elsewhere.  A file that was deleted
        is written again, whole, and told once.  A file that somebody else wrote is never overwritten.
        """
        with self._lock:
            kept = save_form().keep(self, path, failed)
            self._kept.append(kept)
            return kept

    @classmethod
    def load(cls, source: str | Path | bytes, to: int | None = None, *, check: bool = False) -> Session:
        """The game in a file, as far as its entry `to` (all of it by default).

        Every line is held against its digest, and what came after the last noted position is played again; `check`
        plays all from the start and compares what happens with what is written.  Raises `SaveError`, with the line, for
        what was changed, is of a newer version or ends otherwise now, `OSError` for what cannot be read.
        """
        return save_form().load(source, to, check=check)

    def snapshot(self) -> dict[str, Any]:
        """All that counts from now on as one JSON object, what can be undone and redone included."""
        with self._lock:
            return save_form().snapshot(self)

    def __reduce__(self) -> tuple[Any, ...]:
        # as its snapshot, which other versions read too: listeners and files that are kept are another process's
        return Session.restore, (self.snapshot(),)

    @classmethod
    def restore(cls, data: Mapping[str, Any]) -> Session:
        """The game of a `snapshot`.  Raises `SaveError`."""
        return save_form().restore(data)

    def open_end(self) -> tuple[Position, tuple[Entry, ...], tuple[Entry, ...], bool]:
        """The position that undo can go back to at most, the commands done since, those to redo, and whether a seal is
        what stops it."""
        past = self._history
        base = past.position(past.sealed) if len(past.done) > past.sealed else self._position
        done = tuple(map(past.entry, past.done[past.sealed :]))
        return base, done, tuple(map(past.entry, reversed(past.undone))), self._seal or past.sealed > 0

    @property
    def history(self) -> History:
        """What whoever keeps the game reads: it grows with it, while its lock is held."""
        return self._history

    # -- watching it --------------------------------------------------------------------------------------------------

    def on(self, listener: Listener, failed: Failed | None = None) -> Callable[[], None]:
        """Call `listener` with the events of everything that is done from now on; returns the switch that ends it.

        All listeners hear everything in the order in which it was done; what a listener does itself is answered at
        once and heard when all have heard what went before.  Before `execute`, `undo` and the others return, everybody
        has heard, unless a listener called them.  It happens in the thread that does it, while others wait.

        `failed` is called with any `Exception` that the listener raises; without it that goes to the log ``tactical``
        with its traceback.  The listener goes on hearing, as do all others.
        """
        hearer = Hearer(listener, failed)
        with self._lock:
            self._hearers.append(hearer)

        def off() -> None:
            with self._lock:
                hearer.on = False
                self._hearers = [other for other in self._hearers if other is not hearer]

        return off

    def __repr__(self) -> str:
        return f"<Session of {len(self._position.statuses)} movers, {len(self._history)} done>"


def do_again(session: Session, done: Command | str, taken: int = 0) -> Accepted | Refusal:
    """Repeat one entry of a log.

    A reset takes back so many commands as it has `taken`: how far it goes has changed between versions.
    """
    again: dict[str, Callable[[], Any]] = {
        UNDO: session.undo, REDO: session.redo, RESET: lambda: session._take_back(taken)
    }  # fmt: skip
    answer: Accepted | Refusal = again[done]() if isinstance(done, str) else session.execute(done)
    return answer
