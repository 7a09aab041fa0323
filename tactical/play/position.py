"""A position: everything that is so at one moment of a game, as one immutable value.

Commands turn a position into the next one (`tactical.play.referee`); a `Session` keeps the present one and
those before.  Equal positions answer every question alike.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from tactical import values
from tactical.errors import Refusal, UnknownName
from tactical.movement.asked import options_in_force, ruled
from tactical.movement.planning.shut_in import shut_in
from tactical.movement.query import Query, ask
from tactical.movement.reach import Reach
from tactical.movement.route import State
from tactical.play.commands import Leg
from tactical.play.happening import Rammed
from tactical.play.turn import Turn
from tactical.rules.checks import Check
from tactical.rules.ruleset import Ruleset, get_ruleset
from tactical.rules.stretches import Stretch
from tactical.rules.turnstate import TurnState
from tactical.units import Cell
from tactical.world.battlemap import Battlemap, Zone
from tactical.world.edges.barriers import DoorState, Kind
from tactical.world.mover import Mover

DEFAULT_RULES = "plain"


@dataclass(frozen=True, slots=True)
class Status:
    """One mover's moment: where it is and what it has done this turn.

    `barred` are cells that a failed roll closes for the rest of the turn; `gait` the one chosen for moves to come.
    """

    state: State
    turn: TurnState = field(default_factory=TurnState)
    barred: frozenset[Cell] = frozenset()
    gait: str = ""


@dataclass(frozen=True, slots=True)
class Pending:
    """A move that waits for an answer: to an ``attack`` by `enemies`, to a ``roll`` on the way, to a roll for the
    ``whole`` move, to rolls of an ``effort`` that fall due with the end of a turn, to the roll for a ``stay`` where it
    ends.

    `legs` are still to go, `paid` is what the move has cost so far, `modes` the ways of going used, `fallback` the last
    place where the mover could have stopped, if it cannot stop where it is.  `stretches` are the rolls on the way that
    are still to come, their steps counted among `legs` (None: nobody has looked yet), `told` that the damage of the
    next leg's fall is dealt with.  A whole move's `checks` are rolled in order, `rolls` are the totals so far.  Once
    those have spoken, `limit` is how far the move goes and `posture` how it ends, and `noted` says that the rule system
    has taken note.  `ram` is the mover that is rammed at the end, `rammed` what the roll made of that; `then` is the
    skill used there, with its number: its roll is a ``second`` one, when the move is over.
    """

    mover: str
    what: str
    legs: tuple[Leg, ...]
    gait: str = ""
    paid: Fraction = Fraction(0)
    enemies: tuple[str, ...] = ()
    checks: tuple[Check, ...] = ()
    rolls: tuple[int, ...] = ()
    stretches: tuple[Stretch, ...] | None = None
    told: bool = False
    modes: tuple[str, ...] = ()
    fallback: Status | None = None
    limit: Fraction | None = None
    posture: str = ""
    noted: bool = False
    ram: str = ""
    rammed: Rammed | None = None
    then: str = ""


@dataclass(frozen=True)
class Position:
    """The map with everybody where they stand, their turns, whose turn it is, the dice thrown and what is known.

    `rules` (else a mover's own, else the map's) and `options` hold for all.  `order` is the initiative; without one
    everybody may act.  `known` holds explored cells by mover or by side; who is in neither knows the whole map.
    """

    battlemap: Battlemap
    statuses: Mapping[str, Status]
    rules: str = ""
    options: Mapping[str, object] = field(default_factory=dict)
    order: tuple[str, ...] = ()
    active: str = ""
    round: int = 1
    seed: int = 0
    drawn: int = 0
    known: Mapping[str, frozenset[Cell]] = field(default_factory=dict)
    pending: Pending | None = None
    _kept: dict[object, Any] = field(default_factory=dict, repr=False, compare=False)

    def changed(self, **changes: Any) -> Position:
        """The position with something else in it."""
        return replace(self, _kept={}, **changes)

    def __getstate__(self) -> dict[str, Any]:
        # what has been worked out about it is no part of it, and holds what cannot be pickled
        return {**self.__dict__, "_kept": {}}

    def bare(self) -> Position:
        """The same position without what has been worked out about it: what a history holds, and asks nothing of."""
        return self.changed()

    # -- asking it ----------------------------------------------------------------------------------------------------

    def mover(self, mover_id: str) -> Mover:
        """A mover as it stands now.  Raises `UnknownName`."""
        return self.battlemap.mover(mover_id)

    def status(self, mover_id: str) -> Status:
        """A mover's moment.  Raises `UnknownName` for one that does not exist or is not on the map."""
        if mover_id not in self.statuses:
            self.battlemap.mover(mover_id)
            open_names = [name for name in self.battlemap.open_names("mover") if name in self.statuses]
            raise UnknownName("mover on the map", mover_id, open_names)
        return self.statuses[mover_id]

    def ruleset(self, mover_id: str) -> Ruleset:
        """The rule system that a mover follows."""
        mover = self.mover(mover_id)
        return ruled(get_ruleset(self.rules or mover.rules or self.battlemap.rules or DEFAULT_RULES), mover)

    def explored(self, mover_id: str) -> frozenset[Cell] | None:
        """The cells that a mover knows, or None where it knows them all."""
        side = self.mover(mover_id).side
        own, shared = self.known.get(mover_id), self.known.get(side) if side else None
        return None if own is None and shared is None else (own or frozenset()) | (shared or frozenset())

    def view(self, mover_id: str) -> Battlemap:
        """The map as a mover may use it: what a failed roll closed this turn is closed, but where it stands itself."""
        status = self.status(mover_id)
        barred = status.barred - {status.state.cell}
        if not barred:
            return self.battlemap
        shut = Zone(barred, {"terrain": "barred this turn by a failed roll", "impassable": True})
        return self.battlemap.with_(zones=(*self.battlemap.zones, shut))

    def query(self, mover_id: str, goals: frozenset[Cell] = frozenset()) -> Query:
        """The question what a mover can do now, as far as it knows."""
        key = ("query", mover_id, goals)
        kept: Query | None = self._kept.get(key)
        if kept is None:
            status = self.status(mover_id)
            kept = ask(
                self.view(mover_id),
                mover_id,
                start=status.state,
                rules=self.rules or None,
                options=self._deciding(mover_id),
                turn=status.turn,
                known=self.explored(mover_id),
                goals=goals,
            )
            self._kept[key] = kept
        return kept

    def question(self, mover_id: str) -> Query:
        """The question where a mover can get to: as `query`, but who is shut in may stop short."""
        key = ("question", mover_id)
        if key not in self._kept:
            self._kept[key] = shut_in(self.query(mover_id))
        kept: Query = self._kept[key]
        return kept

    def reach(
        self,
        mover_id: str,
        turns: int = 1,
        gait: str = "",
        reserve: Fraction = Fraction(0),
        arrive: str = "",
        goal: Cell | None = None,
    ) -> Reach:
        """Where a mover can get to, as far as it knows; the last one asked for is kept, to be read on or moved by.

        With a `goal`, one that tells of that cell alone where no other is kept.
        """
        key = mover_id, turns, gait, reserve, arrive
        kept: tuple[object, Reach] | None = self._kept.get("reach")
        if kept is not None and kept[0] == key:
            return kept[1]
        found = Reach(self.question(mover_id), turns, gait, reserve, arrive, goal=goal)
        if goal is None:
            self._kept["reach"] = key, found
        return found

    def _deciding(self, mover_id: str) -> Mapping[str, object]:
        """The options that the mover's rule system knows: they hold for all, and have nothing to decide for some."""
        if not self.options:
            return self.options
        own = options_in_force(self.ruleset(mover_id), {}, {})
        return {name: value for name, value in self.options.items() if name in own}

    def sees(self, mover_id: str, other: str) -> bool:
        """Whether a mover knows of another one: that does not hide, nor stand where it has explored nothing."""
        return self.query(mover_id).sight.sees(self.mover(other))

    def secrets(self, mover_id: str) -> bool:
        """Whether anything on the map may be otherwise than this mover knows."""
        battlemap = self.battlemap
        return (
            self.explored(mover_id) is not None
            or any(barrier.truth for barrier in battlemap.barriers)
            or any(mover.hidden for mover in battlemap.movers if mover.id != mover_id)
            or any(terrain.unknown for terrain in battlemap.palette)
            or any(zone.facts.get("unknown") for zone in battlemap.zones)
        )

    def turn(
        self, mover_id: str, gait: str = "", goals: frozenset[Cell] = frozenset(), *, under_way: bool = False
    ) -> Turn | Refusal:
        """The mover's turn as it stands, in a gait (none: the one chosen, else the first that is open).

        A move `under_way` goes on even if its gait could not be begun again.
        """
        query, status = self.query(mover_id, goals), self.status(mover_id)
        name = gait or self.chosen_gait(mover_id)
        gaits = query.profile.gaits
        chosen = next((known for known in gaits if known.name == name), None) if name else None
        if name and chosen is None and not under_way:
            raise UnknownName("gait", name, [known.name for known in gaits])
        if chosen is None:
            chosen = next(iter(query.open_gaits), gaits[0] if gaits else None)
        if chosen is not None and chosen.refused is not None and not under_way:
            return chosen.refused
        # where actions are counted, a gait is what has been bought; else it is the one named
        bought = query.ruleset.order is not None
        return Turn(
            query,
            status.state,
            query.turn,
            chosen.pool if chosen else query.pool,
            query.turn.spent,
            struck=query.turn.struck,
            gait="" if bought or chosen is None else chosen.name,
        )

    def chosen_gait(self, mover_id: str) -> str:
        """The gait that a mover has chosen, as long as its turn still has one of that name; else none."""
        wanted = self.status(mover_id).gait
        names = [gait.name for gait in self.query(mover_id).profile.gaits] if wanted else []
        return wanted if wanted in names else ""

    # -- changing it --------------------------------------------------------------------------------------------------

    def with_status(self, mover_id: str, status: Status) -> Position:
        """The position with a mover's moment changed, its token on the map included."""
        cell, posture = status.state.cell, status.state.posture
        movers = [
            replace(mover, at=cell, posture=posture) if mover.id == mover_id else mover
            for mover in self.battlemap.movers
        ]
        return self.changed(battlemap=self.battlemap.with_(movers=movers), statuses={**self.statuses, mover_id: status})

    def with_turn(self, mover_id: str, turn: Turn) -> Position:
        """The position after a turn went on."""
        status = replace(self.status(mover_id), state=turn.state, turn=turn.now)
        return self.with_status(mover_id, status)

    def with_doors(self, states: Mapping[int, DoorState]) -> Position:
        """The position with some doors, by their index among the barriers, in another state."""
        if not states:
            return self
        barriers = tuple(
            replace(barrier.really(), state=states[n]) if n in states else barrier
            for n, barrier in enumerate(self.battlemap.barriers)
        )
        # the segments are where they were, so what was baked still holds
        return self.changed(battlemap=replace(self.battlemap, barriers=barriers))

    def door(self, door_id: str) -> int:
        """The index of a door, or of what seems to be one, among the barriers.  Raises `UnknownName`."""
        doors = {
            b.id: n for n, b in enumerate(self.battlemap.barriers) if b.id and Kind.DOOR in (b.kind, b.really().kind)
        }
        if door_id not in doors:
            raise UnknownName("door", door_id, self.battlemap.open_names("door"))
        return doors[door_id]


def begin(
    battlemap: Battlemap,
    *,
    rules: str = "",
    options: Mapping[str, object] | None = None,
    order: tuple[str, ...] = (),
    seed: int = 0,
    known: Mapping[str, frozenset[Cell]] | None = None,
) -> Position:
    """The position in which a game begins: everybody where the map has them, nothing done yet.

    An option holds for those movers whose rule system knows it.  Raises `UnknownName`, `RulesetError` for movers,
    sides, rules, options or stats that do not exist, `ValueError` for a mover off the map, `TypeError` for what is
    something else altogether.
    """
    standing = [mover for mover in battlemap.movers if mover.at is not None]
    for name in order:
        battlemap.mover(name)
    if len(set(order)) != len(order):
        raise ValueError(f"the order of turns names somebody twice: {', '.join(order)}")
    statuses = {mover.id: Status(State(mover.at or Cell(0, 0), mover.posture)) for mover in standing}
    position = Position(
        battlemap,
        statuses,
        str(values.word(rules, "rules")),
        dict(values.fixed(options or {}, "options")),
        order,
        order[0] if order else "",
        seed=values.whole(seed, "seed", least=-(2**63), most=2**63),
        known=dict(known or {}),
    )
    _known_names(battlemap, position.known)
    systems = {position.ruleset(name).name: options_in_force(position.ruleset(name), {}, {}) for name in statuses}
    for name in position.options if systems else ():
        if not any(name in own for own in systems.values()):
            raise UnknownName("option", name, {known for own in systems.values() for known in own})
    for name, status in statuses.items():
        # every mover's stats and options are checked at once, and postures the rules do not have put right
        start = position.query(name).start
        if start != status.state:
            position = position.with_status(name, Status(start))
    return position


def _known_names(battlemap: Battlemap, known: Mapping[str, frozenset[Cell]]) -> None:
    """Raise `UnknownName` where cells are explored by nobody: a name that is neither a mover's nor a side's."""
    movers = battlemap.movers
    names = {mover.id for mover in movers} | {mover.side for mover in movers if mover.side}
    for name in known:
        if name not in names:
            seen = {word for mover in movers if not mover.hidden for word in (mover.id, mover.side) if word}
            raise UnknownName("mover or side", name, seen)
