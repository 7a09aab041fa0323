"""The table: a session with what a window needs of it, and words for what happened.

All that happens in the window goes through here and from here into `tactical.play.Session`, which prices, checks,
throws dice and takes back.  Nothing of the game is kept by the window itself.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from random import Random, SystemRandom
from typing import Any

from tactical.errors import Refusal
from tactical.movement.reach import Reach
from tactical.movement.route import Route, State
from tactical.movement.turns.bands import Band
from tactical.play.commands import Command, EndTurn, GivenRoll, GoOn, Move, Place, Posture, Roll, StopHere, legs_of
from tactical.play.events import (
    Accepted,
    Event,
    FellShort,
    Halted,
    HazardEntered,
    Hurt,
    Revealed,
    Rolled,
    RollNeeded,
)
from tactical.play.happening import in_unit
from tactical.play.position import Pending, Position, begin
from tactical.play.session import Session
from tactical.rules.turnstate import TurnState
from tactical.search.slices import Work
from tactical.show import rolls
from tactical.show.labels import say
from tactical.units import Cell
from tactical.viewer.playing.playback import rolled_words
from tactical.world.battlemap import Battlemap
from tactical.world.edges.barriers import DoorState, Kind
from tactical.world.mover import Mover

MOST_REPLACED = 20
"""Games under other rules or in another order that undo leads back to."""
DIE = 20
"""Sides of the die that is thrown for the order of turns."""
# Events a player must not miss; the others are seen on the map.
TOLD = (Halted, FellShort, Rolled, Hurt, Revealed, HazardEntered)


def fresh() -> int:
    """A seed for a game that nobody has played: what its dice show can be known by nobody."""
    return SystemRandom().randrange(2**32)


class Table:
    """A map in play."""

    def __init__(
        self,
        battlemap: Battlemap,
        *,
        rules: str | None = None,
        options: Mapping[str, object] | None = None,
        seed: int = 0,
        session: Session | None = None,
    ) -> None:
        self.session = session or Session.new(named(battlemap), rules=rules or "", options=options, seed=seed)
        self._kept: tuple[Any, dict[tuple[str, int], Work[Reach]], dict[str, Reach]] = (None, {}, {})
        self._row: tuple[str, ...] = ()
        self._before: list[tuple[Session, Session, tuple[str, ...]]] = []
        self.dice = Random()
        self.thrown: dict[str, int] = {}

    # -- asking it --------------------------------------------------------------------------------------------------

    @property
    def ids(self) -> tuple[str, ...]:
        """The movers that stand on the map, in its order."""
        statuses = self.session.position.statuses
        return tuple(mover.id for mover in self.battlemap.movers if mover.id in statuses)

    @property
    def order(self) -> tuple[str, ...]:
        """Everybody on the map in the order of their turns, or in that they were put in, else as the map has them."""
        row = self.session.position.order or self._row
        ids = self.ids
        return (*(name for name in row if name in ids), *(name for name in ids if name not in row))

    @property
    def battlemap(self) -> Battlemap:
        """The map with everybody where they stand and doors as they are."""
        return self.session.battlemap

    def mover(self, mover_id: str) -> Mover:
        """A mover as it stands now.  Raises `UnknownName`."""
        return self.battlemap.mover(mover_id)

    def state(self, mover_id: str) -> State:
        """Where a mover is and how."""
        return self.session.position.status(mover_id).state

    def turn(self, mover_id: str) -> TurnState:
        """What a mover has done this turn."""
        return self.session.position.status(mover_id).turn

    def known(self, mover_id: str) -> frozenset[Cell] | None:
        """The cells that a mover has explored; None where it knows them all."""
        return self.session.position.explored(mover_id)

    @property
    def pending(self) -> Pending | None:
        """The move that waits for an answer: to an attack, or to a roll."""
        return self.session.position.pending

    def waiting_way(self, turns: int) -> tuple[Route, tuple[Band, ...]] | None:
        """The way of the move that waits and the bands that priced it, as they were shown when it was ordered.

        A game that was opened remembers the order, not the way: it is asked for again where the order was given.
        """
        waiting, history = self.pending, self.session.history
        if waiting is None:
            return None
        for depth in range(len(history.done) - 1, -1, -1):
            command = history.command(history.done[depth])
            if isinstance(command, Move) and command.mover == waiting.mover:
                reach = Session(history.position(depth)).reach(
                    command.mover, turns=turns, gait=command.gait if not command.legs else ""
                )
                legs = command.legs or waiting.legs
                over = tuple(dict.fromkeys(leg.cell for leg in legs if leg.cell != command.goal))
                ways = (reach.route(command.goal, via=via, arrive=command.arrive or None) for via in ((), over))
                found = [way for way in ways if isinstance(way, Route)]
                same = [way for way in found if legs_of(way) == legs]
                return next(((way, reach.bands) for way in (*same, *found[-1:])), None)
        return None

    def reach(self, mover_id: str, turns: int = 1) -> Reach:
        """Where a mover can get to with what is left of its turn; asked once for each position."""
        work = self.reaching(mover_id, turns)
        self.work_on(work, None)
        assert work.answer is not None
        return work.answer

    def about(self, mover_id: str) -> Reach:
        """A reach to be asked what the rules say of a mover, not for its cells: nothing is searched for it."""
        _, _, kept = self._of_now()
        if mover_id not in kept:
            kept[mover_id] = self.session.reach(mover_id, at_once=False)
        return kept[mover_id]

    def reaching(self, mover_id: str, turns: int = 1) -> Work[Reach]:
        """Where a mover can get to, in slices; begun anew with each position."""
        _, kept, _ = self._of_now()
        key = (mover_id, turns)
        if key not in kept:
            kept[key] = Work(self.session.reach(mover_id, turns=turns, at_once=False).working())
        return kept[key]

    def _of_now(self) -> tuple[Any, dict[tuple[str, int], Work[Reach]], dict[str, Reach]]:
        """What has been asked of the present position."""
        if self._kept[0] is not self.session.position:
            self._kept = (self.session.position, {}, {})
        return self._kept

    def work_on(self, work: Work[Reach], seconds: float | None) -> None:
        """Go on with a reach for so long at about (None: to the end); one that fails is asked anew the next time."""
        try:
            if work.more:
                work.on(seconds)
        except BaseException:
            self._kept = (None, {}, {})
            raise
        if work.answer is not None:
            work.answer.seconds = work.seconds

    # -- changing it --------------------------------------------------------------------------------------------------

    def do(self, command: Command) -> Accepted | Refusal:
        """Give a command to the session."""
        return self.session.execute(command)

    def go(self, mover_id: str, route: Route, **declared: Any) -> Accepted | Refusal:
        """Carry a route out as far as the present turn goes; `declared` are more fields of the `Move`."""
        return self._past_sure_rolls(self.do(Move(mover_id, route, **declared)))

    def change_posture(self, mover_id: str, posture: str) -> Accepted | Refusal:
        """Stand up, crouch or drop on the spot, at its price."""
        return self.do(Posture(mover_id, posture))

    def end_turn(self, mover_id: str) -> Accepted | Refusal:
        """End a mover's turn: the budget is whole again."""
        return self.do(EndTurn(mover_id))

    def answer(self, how: str, number: int | None = None) -> Accepted | Refusal:
        """Answer a paused move: ``go_on`` or ``stop_here``, ``roll``, ``passed``, ``failed``, or the total thrown.

        `number` is the game master's for a roll that has none.
        """
        waiting = self.pending
        who = waiting.mover if waiting is not None else ""
        answers: dict[str, Command] = {"go_on": GoOn(who), "stop_here": StopHere(who), "roll": Roll(who, number=number)}
        total = int(how) if how.isdigit() else None
        given = GivenRoll(who, total=total, passed=None if total is not None else how == "passed", number=number)
        return self._past_sure_rolls(self.do(answers.get(how, given)))

    @property
    def waits_for_nothing(self) -> bool:
        """Whether the move that waits does so for a roll that cannot fail: nobody need be asked about that."""
        check = rolls.asked(self.session)
        return check is not None and rolls.certain(check)

    def _past_sure_rolls(self, done: Accepted | Refusal) -> Accepted | Refusal:
        """What came of an order, with rolls that cannot fail counted as passed: they are told, not asked."""
        while isinstance(done, Accepted) and self.pending is not None and self.waits_for_nothing:
            passed = self.do(GivenRoll(self.pending.mover, passed=True))
            if isinstance(passed, Refusal):
                break
            asked = [event for event in done if not isinstance(event, RollNeeded)]
            done = Accepted((*asked, *passed))
        return done

    def put(self, mover_id: str, before: str) -> None:
        """Put somebody before another in the order (behind, where it stood before it); what was done stays done."""
        row = list(self.order)
        at = row.index(before)
        row.remove(mover_id)
        row.insert(at, mover_id)
        if self.session.position.order:
            self.replace(Session(self.session.position.changed(order=tuple(row))))
        self._row = tuple(row)

    def throw(self) -> tuple[tuple[str, int], ...]:
        """Throw a die for everybody and let turns go in that order, the highest first, from the first one on.

        Gives what each threw; who threw alike throws again among themselves.  No rule system here names a die for it.
        """
        thrown = self.thrown = {name: self.dice.randint(1, DIE) for name in self.ids}
        row = tuple(sorted(thrown, key=lambda name: (-thrown[name], self.dice.random())))
        self.replace(Session(self.session.position.changed(order=row, active=row[0] if row else "")))
        self._row = row
        return tuple((name, thrown[name]) for name in row)

    def take_turns(self) -> bool:
        """Let turns go in order from now on, round by round, or in none again; True if in order now."""
        position = self.session.position
        if position.order:
            self.replace(Session(position.changed(order=(), active="")))
            self._row = position.order
            return False
        row = self.order
        self.replace(Session(position.changed(order=row, active=row[0] if row else "", round=1)))
        return bool(row)

    def replace(self, session: Session) -> None:
        """Go on with a session under other rules or in another order; undo leads back to this one."""
        self._before.append((session, self.session, self._row))
        del self._before[:-MOST_REPLACED]
        self.session = session

    def undo_replaced(self, before: Session) -> None:
        """Go back to a session that was replaced last."""
        self._before = [one for one in self._before if one[1] is not before]
        self.session = before

    def undo(self) -> Accepted | Refusal:
        """Take the last command back, also the change of rules or order before the first; not past a die or secret."""
        done = self.session.undo()
        nothing = isinstance(done, Refusal) and done.code == "move.nothing_to_undo"
        if nothing and self._before and self._before[-1][0] is self.session:
            _, self.session, self._row = self._before.pop()
            return Accepted(())
        return self.undo() if isinstance(done, Accepted) and self.waits_for_nothing else done

    def redo(self) -> Accepted | Refusal:
        """Do again what was taken back."""
        done = self.session.redo()
        if isinstance(done, Accepted) and self.waits_for_nothing:
            self.session.redo()
        return done

    def reset(self) -> Accepted | Refusal:
        """Take back everything since the turn began."""
        return self.session.reset_turn()

    # -- telling ------------------------------------------------------------------------------------------------------

    def told(self, events: Iterable[Event]) -> str:
        """What a player must not miss of some events, in words; ids become names."""
        return "; ".join(self.words_of(event) for event in events if isinstance(event, TOLD))

    def words_of(self, event: Event) -> str:
        """An event in words; ids become names, amounts have their unit."""
        if isinstance(event, Rolled):
            return self._rolled(event)
        who = getattr(event, "mover", "")
        known = who in self.session.position.statuses
        text = in_unit(event, self.about(who).unit).text if known else event.text
        for name in (getattr(event, "mover", ""), getattr(event, "enemy", ""), *getattr(event, "enemies", ())):
            if name and name in self.session.position.statuses:
                text = re.sub(rf"(?<![\w-]){re.escape(name)}(?![\w-])", self.mover(name).label, text, count=1)
        return text

    def _rolled(self, event: Rolled) -> str:
        if event.told:
            return say("rolled.told", name=self.mover(event.mover).label, skill=event.skill, result=rolled_words(event))
        added = f"{event.added:+}" if event.added else ""
        dice = "+".join(map(str, event.dice)) + added if event.dice else say("rolled.given")
        result = rolled_words(event)
        return say("rolled", name=self.mover(event.mover).label, skill=event.skill, dice=dice, result=result)


def named(battlemap: Battlemap) -> Battlemap:
    """The map with an id for every door: orders name doors, and some map files do not.

    Secret doors are counted last, so that no gap in the numbers tells of them.
    """
    taken = {barrier.id for barrier in battlemap.barriers}
    out = list(battlemap.barriers)
    nameless = [n for n, barrier in enumerate(out) if barrier.kind is Kind.DOOR and not barrier.id]
    count = 0
    for n in sorted(nameless, key=lambda n: out[n].state is DoorState.SECRET):
        count += 1
        while f"door {count}" in taken:
            count += 1
        out[n] = replace(out[n], id=f"door {count}")
    return replace(battlemap, barriers=tuple(out)) if nameless else battlemap


def carried_over(
    old: Session, battlemap: Battlemap, rules: str = "", moved: Collection[str] = ()
) -> tuple[Session, tuple[str, ...]]:
    """A session on a changed map with everybody where they stood but for those who were `moved` there, and the movers
    for whom there is no room any more.

    Those without room stand where the new file has them.  The history begins anew.  Raises as `begin` does.
    """
    before = old.position
    order = tuple(name for name in before.order if any(mover.id == name for mover in battlemap.movers))
    fresh = begin(
        named(battlemap), rules=rules or before.rules, options=before.options, order=order, seed=before.seed,
        known=before.known,
    )  # fmt: skip
    kept = [name for name in fresh.statuses if name in before.statuses and name not in moved]
    position = fresh
    lost = [name for name in kept if before.status(name).state.cell not in position.battlemap]
    for name in kept:
        if name not in lost:
            position = position.with_status(name, before.status(name))
    alike = _alike_but_for_ground(before.battlemap, battlemap) and not moved and rules in ("", before.rules)
    come = _bodies(battlemap, {mover.id for mover in before.battlemap.movers})
    for name in kept:
        # a question for each, which a stroke over ground where nobody stands need not ask, nor who comes elsewhere
        if name not in lost and not (alike and _on_ground_as_before(before, battlemap, name, come)):
            lost += [] if _fits(position, name) else [name]
    for name in lost:
        position = position.with_status(name, fresh.status(name))
    active = before.active if before.active in order else (order[0] if order else "")
    return Session(position.changed(drawn=before.drawn, round=before.round, active=active)), tuple(lost)


def _alike_but_for_ground(before: Battlemap, battlemap: Battlemap) -> bool:
    """Whether nothing but ground can differ that decides where a body has room."""
    bodies = [{mover.id: (mover.size, mover.at) for mover in one.movers} for one in (before, battlemap)]
    stay = bodies[0].items() <= bodies[1].items()
    return before.barriers == battlemap.barriers and before.links == battlemap.links and stay


def _bodies(battlemap: Battlemap, known: Collection[str]) -> frozenset[Cell]:
    """The cells of all bodies but those that are known."""
    fresh = [mover for mover in battlemap.movers if mover.at is not None and mover.id not in known]
    return frozenset(cell for mover in fresh if mover.at for cell in battlemap.body(mover.at, mover.size))


def _on_ground_as_before(before: Position, battlemap: Battlemap, name: str, come: Collection[Cell]) -> bool:
    """Whether a body stands on the very ground it stood on, where nobody else has `come`."""
    cells = battlemap.body(before.status(name).state.cell, before.mover(name).size)
    if any(cell in come for cell in cells) or not all(cell in battlemap and cell in before.battlemap for cell in cells):
        return False
    told = [
        [(one.terrain(cell), [zone.facts for zone in one.zones if cell in zone.cells]) for cell in cells]
        for one in (before.battlemap, battlemap)
    ]
    return told[0] == told[1]


def _fits(position: Position, name: str) -> bool:
    state = position.status(name).state
    return Session(position).why_not(Place(name, state.cell, state.posture)) is None
