"""A question about one mover: the rule system, its options and profile, and the lattices that answer it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from typing import Any

from tactical import values
from tactical.errors import Refusal
from tactical.movement import extent
from tactical.movement.asked import AT_FIRST, Terms, asked_for, ruled, terms_of
from tactical.movement.graph.kept import lattice_drawn
from tactical.movement.graph.lattice import Lattice
from tactical.movement.graph.pricing import upright as upright_profile
from tactical.movement.route import State
from tactical.movement.ways import Way
from tactical.options import Options
from tactical.registry import WAYS
from tactical.rules.profile import Gait, Pace, Profile, Source
from tactical.rules.ruleset import Ruleset, get_ruleset
from tactical.rules.turnstate import TurnState
from tactical.search.slices import whole
from tactical.units import Cell, quoted
from tactical.values import Place
from tactical.world.adapters import in_unit
from tactical.world.battlemap import Battlemap
from tactical.world.mover import Mover
from tactical.world.sight import Sight
from tactical.world.site import Site
from tactical.world.terrain import Terrain
from tactical.world.window import Window


@dataclass(eq=False, repr=False)
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
    extra: tuple[int, ...] = ()
    _lattices: dict[object, Lattice] = field(default_factory=dict, repr=False)
    kept: dict[object, Any] = field(default_factory=dict, repr=False)

    def __repr__(self) -> str:
        return f"<Query of {self.mover.id!r} under {self.ruleset.name} on {self.battlemap.name or 'a map'!r}>"

    @cached_property
    def terms(self) -> Terms:
        """The question without its place: what the rule system is asked."""
        return terms_of(self.ruleset, self.stats, self.turn, self.options, self.mover.posture)

    @cached_property
    def known(self) -> dict[object, Any]:
        """What was worked out for questions of the same terms on the same ground, kept with the map."""
        # terms are equal to themselves alone
        key, store = ("known", self.terms), self.battlemap.store
        found: dict[object, Any] | None = store.get(key)
        return store.put(key, {}) if found is None else found

    @property
    def profile(self) -> Profile:
        """What the rule system says about the mover this turn.  Raises `RulesetError` for falls it has no rule for."""
        return self.terms.profile

    @cached_property
    def start(self) -> State:
        """Where the mover is, with the counters of its turn."""
        assert self.mover.at is not None
        cell = self.battlemap.cell
        postures = self.profile.postures
        posture = self.mover.posture if self.mover.posture in postures else postures[0]
        run_up = int(self.turn.run_up // cell)
        done = self.turn
        return State(self.mover.at, posture, done.diagonals % 2, run_up, done.doors, self.squeezed, extra=self.extra)

    @cached_property
    def fresh_profile(self) -> Profile:
        """The profile of a turn in which nothing has been done yet."""
        found: Terms | None = self.terms.kept.get("fresh")
        if found is None:
            fresh = fresh_turn(self.ruleset, self.turn, self.options)
            found = terms_of(self.ruleset, self.stats, fresh, self.options, self.mover.posture)
            self.terms.kept["fresh"] = found
        return found.profile

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
        if self.afloat is not None:
            return tuple(gait for gait in self.profile.gaits if self.refused(gait) is None)
        found: tuple[Gait, ...] | None = self.terms.kept.get("open")
        if found is None:
            found = self.terms.kept["open"] = tuple(gait for gait in self.profile.gaits if gait.refused is None)
        return found

    @property
    def gait_order(self) -> tuple[str, ...]:
        """The names of all gaits of a turn, open or not: those of a fresh turn, then what this one has besides."""
        return tuple(dict.fromkeys(gait.name for gait in (*self.fresh_profile.gaits, *self.profile.gaits)))

    @property
    def pool(self) -> str:
        """The pool that a question which names no gait is asked in: that of the first open gait, else of the first."""
        every = self.open_gaits or self.profile.gaits
        return every[0].pool if every else ""

    def refused(self, gait: Gait) -> Refusal | None:
        """Why a gait is not open this turn, or None: the rule system's reason, or deep water that it cannot leave."""
        ground = self.afloat
        if gait.refused is not None or ground is None:
            return gait.refused
        return stuck(self.profile, gait.pool, self.start.posture, ground)

    @cached_property
    def afloat(self) -> Terrain | None:
        """The water that it stands in; None elsewhere."""
        if self.start.cell not in self.battlemap:
            return None
        ground = self.battlemap.terrain(self.start.cell)
        return ground if ground.swum_by_some else None

    def changed(self, **changes: Any) -> Query:
        """The same question with something else in it."""
        return replace(self, _lattices={}, kept={}, **changes)

    def on(self, terms: Terms) -> Query:
        """This question, of which the terms are known already."""
        self.__dict__["terms"] = terms
        return self

    def under(self, profile: Profile) -> Query:
        """This question, the rule system having said something else about the mover."""
        return self.changed().on(replace(self.terms, said=profile, kept={}))

    def in_truth(self) -> Query:
        """The same question about the map as it is, whatever the mover knows of it."""
        return self.changed(battlemap=self.sight.truth, sight=Sight(self.sight.truth))

    def least(self, pool: str) -> Fraction:
        """The least that one cell can cost anywhere on the map: what bounds a search."""
        return extent.least(self, pool)

    def portion(self, pool: str) -> Fraction:
        """What one move buys where every move of a turn is a pool of its own (option dash_pool); else 0."""
        if self.options["dash_pool"] != "separate":
            return Fraction(0)
        return min((gait.budget for gait in self.fresh_profile.gaits if gait.pool == pool), default=Fraction(0))

    @cached_property
    def ways(self) -> tuple[Way, ...]:
        """All ways of moving that are installed."""
        return tuple(way for _, way in WAYS)

    @property
    def far(self) -> tuple[tuple[Cell, Cell], ...]:
        """From where to where one may get in a single step, however far: links, and what other ways offer."""
        return extent.far(self)

    def window(self, pool: str, budget: Fraction | None, turns: int = 1) -> Window:
        """The part of the map that `budget`, spent in so many turns, can reach; with None the whole of it."""
        return extent.window(self, pool, budget, turns)

    def site(self, window: Window) -> Site:
        """The mover's view of a window."""
        if "body" not in self.known:
            arm = 1 if self.profile.arm is None else int(self.profile.arm // self.battlemap.cell)
            self.known["body"] = self.profile.vehicle, arm, self.profile.neck
        return Site(
            self.battlemap,
            self.mover,
            self.options,
            window,
            self.sight,
            self.others,
            self.goals,
            self.opened,
            *self.known["body"],
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
            if "upright" not in self.known:
                found_upright = upright_profile(self.battlemap, profile, self.options, profile.pools())
                self.known["upright"] = found_upright or profile
            profile = self.known["upright"]
        found = self._lattices[asked] = self._lattice(pool, extent.wide(self, near), near, profile, limited, exact)
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
            drawn = lattice_drawn(
                self.site(window), near, profile, self.options, pool, limited=limited, exact=more, numbers=self.known
            )
            self._lattices[key] = whole(drawn)
        return self._lattices[key]


def fresh_turn(ruleset: Ruleset, turn: TurnState, options: Options) -> TurnState:
    """The state that the next turn starts in: what a rule system carries over, all counters of the turn at 0."""
    if ruleset.next_turn is not None:
        return ruleset.next_turn(turn, options)
    return TurnState(turn=turn.turn + 1, previous=turn.previous, memory=turn.memory)


def too_fast(query: Query) -> Refusal | None:
    """Why a mover may not stay where it is, at the speed of the turn before (REUP-A16), or None."""
    facts = query.profile.facts
    done = query.turn.memory.get("moved") or all(gait.refused is not None for gait in query.profile.gaits)
    if facts.get("may_stop", True) or done:
        return None
    by = query.profile.sources.get("change", Source())
    before = str(facts.get("previous", "")).replace("_", "-")
    words = {"gait": "stop", "previous": before, "why": "it is too fast to stop"}
    return Refusal("move.speed_change", {**words, "clause": by.clause, "ruling": by.ruling})


def stuck(profile: Profile, pool: str, posture: str, ground: Terrain) -> Refusal | None:
    """Why nobody leaves a ground in a pool of gaits, or None where one of its gaits can be there.

    Who cannot swim where it is does not come out by itself either (TWS-A12, SHP-32).
    """
    pools = dict.fromkeys((pool, *(gait.pool for gait in profile.gaits if gait.refused is None)))
    paces = [profile.pace(one, posture, ground, False) for one in pools]
    return None if any(isinstance(pace, Pace) for pace in paces) else paces[0]  # type: ignore[return-value]


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

    A map in feet is measured in metres for rules in metres, and the other way round (`in_unit`), or the
    rules are measured in the map's unit, where they can be (`Ruleset.measured_in`).
    Options come from the rule system's defaults, then the map, then `options`.  Raises `UnknownName` or `RulesetError`
    for rules, stats or options that do not exist, `ValueError` for a mover that is nowhere on the map, `TypeError` for
    what is something else altogether.
    """
    found = battlemap.mover(mover) if isinstance(mover, str) else mover
    _kinds(found, rules, options)
    name = rules or found.rules or battlemap.rules or "plain"
    ruleset = ruled(name if isinstance(name, Ruleset) else get_ruleset(name), found)
    terms = asked_for(ruleset, battlemap, options or {}, found.stats, found.posture)
    battlemap = in_unit(battlemap, terms.ruleset.unit)
    state = turn or AT_FIRST
    if isinstance(start, State):
        found = replace(found, at=battlemap.cell_of(start.cell, "start"), posture=start.posture)
        state = replace(
            state, diagonals=start.diagonals, run_up=start.run_up * battlemap.cell, doors=max(state.doors, start.doors)
        )
    elif start is not None:
        found = replace(found, at=battlemap.cell_of(start, "start"))
    found = _placed(battlemap, found)
    bodies = None if others is None else tuple(map(battlemap.seated, values.all_of(Mover, others, "others")))
    explored = None
    if known is not None:
        explored = frozenset(battlemap.cell_of(cell, "known") for cell in values.several(known, "known"))
    sight = Sight(battlemap) if truth else Sight(battlemap, found, explored)
    query = Query(
        sight.map(),
        found,
        terms.ruleset,
        terms.stats,
        terms.options,
        state,
        _beside(battlemap, found, bodies),
        sight,
        frozenset(battlemap.cell_of(cell, "goals") for cell in goals) if goals else frozenset(),
        squeezed=isinstance(start, State) and start.squeezed,
        extra=start.extra if isinstance(start, State) else (),
    )
    return query.on(terms) if turn is None and not isinstance(start, State) else query


def _kinds(mover: object, rules: object, options: object) -> None:
    """Raise `TypeError` where a question is asked with what is something else altogether."""
    if not isinstance(mover, Mover):
        raise TypeError(f"mover must be a Mover, or the id of one on the map, not {quoted(mover)}")
    if rules is not None and not isinstance(rules, (str, Ruleset)):
        raise TypeError(f"rules must be the name of a rule system, not {quoted(rules)}")
    if options is not None and not isinstance(options, Mapping):
        raise TypeError(f"options must be a mapping of names to values, not {quoted(options)}")


def asked_alike(query: Query, battlemap: Battlemap, mover: Mover, bodies: tuple[Mover, ...] | None) -> Query:
    """The same question about another mover with the same rules and stats; `bodies` are in the way, None: the map's.

    Raises as `ask`.
    """
    found, battlemap = _placed(battlemap, mover), in_unit(battlemap, query.ruleset.unit)
    sight = Sight(battlemap, None if query.sight.viewer is None else found, query.sight.known)
    others = _beside(battlemap, found, bodies)
    alike = Query(sight.map(), found, query.ruleset, query.stats, query.options, query.turn, others, sight, query.goals)
    return alike.on(query.terms) if found.posture == query.mover.posture else alike


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
