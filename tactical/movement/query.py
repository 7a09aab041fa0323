"""A question about one mover: the rule system, its options and profile, and the lattices that answer it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from math import ceil
from typing import Any

from tactical import values
from tactical.errors import Refusal, RulesetError
from tactical.movement.asked import options_in_force, profile_of, stats_read
from tactical.movement.graph.kept import lattice_for
from tactical.movement.graph.lattice import Lattice
from tactical.movement.graph.pricing import can_jump, kinds_of
from tactical.movement.graph.pricing import upright as upright_profile
from tactical.movement.route import State
from tactical.options import Options
from tactical.registry import WAYS
from tactical.rules.profile import Approach, Gait, Pace, Profile
from tactical.rules.ruleset import Ruleset, get_ruleset
from tactical.rules.turnstate import TurnState
from tactical.units import Cell
from tactical.values import Place, Same
from tactical.world.baking import MANY
from tactical.world.battlemap import Battlemap
from tactical.world.mover import Mover
from tactical.world.scaling import in_unit
from tactical.world.sight import Sight
from tactical.world.site import Site
from tactical.world.terrain import Terrain
from tactical.world.window import Window

AT_FIRST = TurnState()
"""A turn in which nothing has been done."""
KEPT_WHOLE = 20_000
"""The graph of a map of up to so many cells is kept as a whole."""
PART = 64
"""Graphs of parts of larger maps begin and end at multiples of so many cells; where there are many walls, of fewer."""


@dataclass(frozen=True, eq=False, repr=False)
class Query:
    """One mover on one map, as `sight` shows it, in one moment of its turn.  Make it with `ask`."""

    battlemap: Battlemap
    mover: Mover
    ruleset: Ruleset
    stats: Any
    options: Options
    turn: TurnState
    others: tuple[Mover, ...]
    sight: Sight
    goals: frozenset[Cell] = frozenset()
    opened: frozenset[int] = frozenset()
    squeezed: bool = False
    _lattices: dict[object, Lattice] = field(default_factory=dict, repr=False)
    kept: dict[object, Any] = field(default_factory=dict, repr=False)

    def __repr__(self) -> str:
        return f"<Query of {self.mover.id!r} under {self.ruleset.name} on {self.battlemap.name or 'a map'!r}>"

    @cached_property
    def profile(self) -> Profile:
        """What the rule system says about the mover this turn.  Raises `RulesetError` for falls it has no rule for."""
        found = profile_of(self.ruleset, self.stats, self.turn, self.options, self.mover.posture)
        if self.options["ledge_down"] == "drop" and found.fall is None:
            raise RulesetError(f"option ledge_down: {self.ruleset.name} has no rule for falls, so nobody can drop")
        return found

    @cached_property
    def start(self) -> State:
        """Where the mover is, with the counters of its turn."""
        assert self.mover.at is not None
        cell = self.battlemap.cell
        postures = self.profile.postures
        posture = self.mover.posture if self.mover.posture in postures else postures[0]
        run_up = int(self.turn.run_up // cell)
        return State(self.mover.at, posture, self.turn.diagonals % 2, run_up, self.turn.doors, self.squeezed)

    @cached_property
    def fresh_profile(self) -> Profile:
        """The profile of a turn in which nothing has been done yet."""
        fresh = fresh_turn(self.ruleset, self.turn, self.options)
        return profile_of(self.ruleset, self.stats, fresh, self.options, self.mover.posture)

    @cached_property
    def site_everywhere(self) -> Site:
        """The mover's view of the whole map."""
        return self.site(Window.whole(self.battlemap))

    def hazard_at(self, cell: Cell) -> bool:
        """Whether a cell holds a hazard that plans avoid."""
        zones = any(cell in zone.cells and zone.facts.get("hazard") for zone in self.battlemap.zones)
        return bool(self.battlemap.terrain(cell).hazard) or zones

    @cached_property
    def open_gaits(self) -> tuple[Gait, ...]:
        """The gaits that are not refused this turn."""
        return tuple(gait for gait in self.profile.gaits if self.refused(gait) is None)

    @property
    def gait_order(self) -> tuple[str, ...]:
        """The names of all gaits of a turn, open or not: those of a fresh turn, then what this one has besides."""
        return tuple(dict.fromkeys(gait.name for gait in (*self.fresh_profile.gaits, *self.profile.gaits)))

    def refused(self, gait: Gait) -> Refusal | None:
        """Why a gait is not open this turn, or None: the rule system's reason, or deep water that it cannot leave."""
        if gait.refused is not None or self.start.cell not in self.battlemap:
            return gait.refused
        ground = self.battlemap.terrain(self.start.cell)
        if not ground.swum and ground.depth is None:
            return None
        return stuck(self.profile, gait.pool, self.start.posture, ground)

    def changed(self, **changes: Any) -> Query:
        """The same question with something else in it."""
        return replace(self, _lattices={}, kept={}, **changes)

    def in_truth(self) -> Query:
        """The same question about the map as it is, whatever the mover knows of it."""
        return self.changed(battlemap=self.sight.truth, sight=Sight(self.sight.truth))

    def least(self, pool: str) -> Fraction:
        """The least that one cell can cost anywhere on the map: what bounds a search."""
        profile = self.profile
        key = ("least", Same(profile), pool, self.options)
        # the profile is kept too, so that no other can come by its identity
        kept: tuple[Profile, Fraction] = self.battlemap.store.kept(key, lambda: (profile, self._least(pool)))
        return kept[1]

    def _least(self, pool: str) -> Fraction:
        least: list[Fraction] = []
        # in an order: which of them a rule system is told to fail at must not depend on hashes
        kinds = kinds_of(self.battlemap)
        for posture in self.profile.postures:
            for ground in kinds:
                if not ground.impassable:
                    pace = self.profile.pace(pool, posture, ground, False)
                    if isinstance(pace, Pace):
                        least.append(self.battlemap.cell * pace.base * pace.joined(self.options["cost_stacking"]))
        jump = self.profile.jump
        uneven = jump is not None and jump.ledges and len({ground.elevation for ground in kinds}) > 1
        if jump is not None and (uneven or any(ground.gap for ground in kinds)):
            for run_up in (Fraction(0), jump.most_run_up(self.battlemap.cell)):
                flight = jump.flight(Approach(pool, self.battlemap.cell, run_up))
                least.append(self.battlemap.cell * jump.base if isinstance(flight, Refusal) else flight.cost)
        passing: Fraction = min(Fraction(1), self.options["ally_cost"], self.options["enemy_pass_cost"])
        return min(least, default=Fraction(0)) * passing

    def portion(self, pool: str) -> Fraction:
        """What one move buys where every move of a turn is a pool of its own (option dash_pool); else 0."""
        if self.options["dash_pool"] != "separate":
            return Fraction(0)
        return min((gait.budget for gait in self.fresh_profile.gaits if gait.pool == pool), default=Fraction(0))

    @cached_property
    def far(self) -> tuple[tuple[Cell, Cell], ...]:
        """From where to where one may get in a single step, however far: links, and what other ways offer."""
        ways = [way for _, way in WAYS if way.far is not None]
        key = ("far", *map(Same, ways))
        found: tuple[object, tuple[tuple[Cell, Cell], ...]] = self.battlemap.store.kept(
            key, lambda: (ways, tuple(pair for way in ways for pair in way.far(self.battlemap)))
        )
        return found[1]

    def window(self, pool: str, budget: Fraction | None, turns: int = 1) -> Window:
        """The part of the map that `budget`, spent in so many turns, can reach; with None the whole of it."""
        least = Fraction(0) if budget is None else self.least(pool)
        if budget is None or least <= 0:
            return Window.whole(self.battlemap)
        radius = ceil(budget / least) + self.mover.size + 1
        if self.options["grid_rounding"] != "cover_full_cost":
            # every turn may make one step that it cannot pay in full, and that may be a jump
            if any(ground.gap for ground in self.battlemap.palette):
                return Window.whole(self.battlemap)
            radius += turns
        cells = [self.start.cell]
        # whoever may take a link comes out at its other end
        grown = True
        while grown:
            grown = False
            for here, there in self.far:
                if there not in cells and any(_within(self.battlemap, here, cell, radius) for cell in cells):
                    cells.append(there)
                    grown = True
        return Window.around(self.battlemap, cells, radius)

    def site(self, window: Window) -> Site:
        """The mover's view of a window."""
        vehicle = bool(getattr(self.stats, "vehicle_multiple", None) or getattr(self.stats, "kind", "") == "vehicle")
        return Site(
            self.battlemap,
            self.mover,
            self.options,
            window,
            self.sight,
            self.others,
            self.goals,
            self.opened,
            vehicle,
            1 if self.profile.arm is None else int(self.profile.arm // self.battlemap.cell),
        )

    def lattice(
        self,
        pool: str,
        budget: Fraction | None,
        *,
        limited: bool = True,
        exact: Iterable[Fraction] = (),
        turns: int = 1,
        upright: bool = False,
    ) -> Lattice:
        """The compiled state graph of a pool of gaits, as far as `budget` in so many turns reaches.

        With `upright` postures that cannot help whoever stands are left out (`tactical.movement.graph.pricing`).
        """
        asked = (pool, budget, limited, exact := tuple(exact), turns, upright)
        if (found := self._lattices.get(asked)) is not None:
            return found
        near = self.window(pool, budget, turns)
        profile = self.profile
        if upright and self.start.posture == profile.postures[0]:
            profile = upright_profile(self.battlemap, profile, self.options, profile.pools()) or profile
        found = self._lattices[asked] = self._lattice(pool, self._wide(near), near, profile, limited, exact)
        return found

    def lattice_of(self, pool: str, window: Window, *, limited: bool = True, exact: Iterable[Fraction] = ()) -> Lattice:
        """The compiled state graph of a pool of gaits on one window."""
        return self._lattice(pool, window, window, self.profile, limited, exact)

    def _lattice(
        self, pool: str, window: Window, near: Window, profile: Profile, limited: bool, exact: Iterable[Fraction]
    ) -> Lattice:
        more = (self.turn.spent, *exact)
        key = (pool, window, near, limited, frozenset(more), len(profile.postures))
        if key not in self._lattices:
            self._lattices[key] = lattice_for(
                self.site(window), near, profile, self.options, pool, limited=limited, exact=more
            )
        return self._lattices[key]

    def _wide(self, near: Window) -> Window:
        """The window of the graph that is kept for questions about a part of the map: that part and more.

        A small map is kept as a whole, a large one in parts that begin and end at certain lines.
        """
        battlemap = self.battlemap
        if can_jump(battlemap, self.profile):
            # what there is to jump over decides how much run-up a state counts
            return near
        whole = Window.whole(battlemap)
        if whole.width * whole.height * len(near.levels) <= KEPT_WHOLE and len(battlemap.barriers) < MANY:
            return Window(whole.i, whole.j, whole.width, whole.height, near.levels)
        part = PART if len(battlemap.barriers) < MANY else PART // 4
        low = [max((at - begin) // part * part, 0) + begin for at, begin in ((near.i, whole.i), (near.j, whole.j))]
        high = [
            min(-((begin - at - size) // part) * part, most) + begin
            for at, size, begin, most in (
                (near.i, near.width, whole.i, whole.width),
                (near.j, near.height, whole.j, whole.height),
            )
        ]
        return Window(low[0], low[1], high[0] - low[0], high[1] - low[1], near.levels)


def fresh_turn(ruleset: Ruleset, turn: TurnState, options: Options) -> TurnState:
    """The state that the next turn starts in: what a rule system carries over, all counters of the turn at 0."""
    if ruleset.next_turn is not None:
        return ruleset.next_turn(turn, options)
    return TurnState(turn=turn.turn + 1, previous=turn.previous, memory=turn.memory)


def stuck(profile: Profile, pool: str, posture: str, ground: Terrain) -> Refusal | None:
    """Why nobody leaves a ground in a pool of gaits, or None where one of its gaits can be there.

    Who cannot swim where it is does not come out by itself either (TWS-A12, SHP-32).
    """
    pools = dict.fromkeys((pool, *(gait.pool for gait in profile.gaits if gait.refused is None)))
    paces = [profile.pace(one, posture, ground, False) for one in pools]
    return None if any(isinstance(pace, Pace) for pace in paces) else paces[0]  # type: ignore[return-value]


def _within(battlemap: Battlemap, a: Cell, b: Cell, radius: int) -> bool:
    if a.level != b.level:
        return False
    (i, j), (k, m) = battlemap.grid.store(a.col, a.row), battlemap.grid.store(b.col, b.row)
    return bool(max(abs(i - k), abs(j - m)) <= radius)


def ask(
    battlemap: Battlemap,
    mover: Mover | str,
    *,
    start: State | Place | None = None,
    rules: str | Ruleset | None = None,
    options: Mapping[str, object] | None = None,
    turn: TurnState | None = None,
    others: Iterable[Mover] | None = None,
    known: Collection[Place] | None = None,
    truth: bool = False,
    goals: Iterable[Place] = (),
) -> Query:
    """Put a question together: the mover's rule system, its stats checked, the options in force.

    A map in feet is measured in metres for rules in metres, and the other way round (`tactical.world.scaling`), or the
    rules are measured in the map's unit, where they can be (`Ruleset.measured_in`).
    Options come from the rule system's defaults, then the map, then `options`.  Raises `UnknownName` or `RulesetError`
    for rules, stats or options that do not exist, `ValueError` for a mover that is nowhere on the map.
    """
    found = battlemap.mover(mover) if isinstance(mover, str) else mover
    name = rules or found.rules or battlemap.rules or "plain"
    ruleset = name if isinstance(name, Ruleset) else get_ruleset(name)
    ruleset = ruleset.measured_in(battlemap.unit)
    battlemap = in_unit(battlemap, ruleset.unit)
    chosen = options_in_force(ruleset, battlemap.options, options or {})
    state = turn or AT_FIRST
    if isinstance(start, State):
        found = replace(found, at=battlemap.cell_of(start.cell, "start"), posture=start.posture)
        state = replace(
            state, diagonals=start.diagonals, run_up=start.run_up * battlemap.cell, doors=max(state.doors, start.doors)
        )
    elif start is not None:
        found = replace(found, at=battlemap.cell_of(start, "start"))
    found = _placed(battlemap, found)
    bodies = None if others is None else tuple(map(battlemap.seated, others))
    explored = None
    if known is not None:
        explored = frozenset(battlemap.cell_of(cell, "known") for cell in values.several(known, "known"))
    sight = Sight(battlemap) if truth else Sight(battlemap, found, explored)
    return Query(
        sight.map(),
        found,
        ruleset,
        stats_read(ruleset, found.stats),
        chosen,
        state,
        _beside(battlemap, found, bodies),
        sight,
        frozenset(battlemap.cell_of(cell, "goals") for cell in goals),
        squeezed=isinstance(start, State) and start.squeezed,
    )


def asked_alike(query: Query, battlemap: Battlemap, mover: Mover, bodies: tuple[Mover, ...] | None) -> Query:
    """The same question about another mover with the same rules and stats; `bodies` are in the way, None: the map's.

    Raises as `ask`.
    """
    found, battlemap = _placed(battlemap, mover), in_unit(battlemap, query.ruleset.unit)
    sight = Sight(battlemap, None if query.sight.viewer is None else found, query.sight.known)
    others = _beside(battlemap, found, bodies)
    return Query(sight.map(), found, query.ruleset, query.stats, query.options, query.turn, others, sight, query.goals)


def _placed(battlemap: Battlemap, mover: Mover) -> Mover:
    """A mover that stands on the map.  Raises `ValueError`."""
    found = battlemap.seated(mover)
    if found.at is None:
        raise ValueError(f"mover {found.id!r} has no place on the map: give it `at` or a start")
    if found.at not in battlemap:
        raise ValueError(f"mover {found.id!r} is off the map at {found.at} ({battlemap.cols} x {battlemap.rows} cells)")
    return found


def _beside(battlemap: Battlemap, mover: Mover, bodies: tuple[Mover, ...] | None) -> tuple[Mover, ...]:
    """The bodies that stand anywhere, but for the mover's own."""
    if bodies is None:
        return battlemap.company.beside(mover.id)
    return tuple(other for other in bodies if other.id != mover.id and other.at is not None)


def covered(query: Query) -> Refusal | None:
    """Why no gait at all is open to the mover, or None."""
    refusals = [reason for gait in query.profile.gaits if (reason := query.refused(gait)) is not None]
    return refusals[0] if refusals and not query.open_gaits else None
