"""Rolls for whole moves: for every combination of rolls that the grounds of a map ask for, the cheapest ways with it.

What counts is the hardest ground of a way for each skill, so for each combination the ways are sought that enter no
harder ground.  All gaits of a pool share these searches, and every pair of a length and the grounds of a way is judged
once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import product
from math import prod
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from tactical.errors import Refusal
from tactical.movement.asked import Terms
from tactical.movement.graph.lattice import Lattice
from tactical.movement.query import Query
from tactical.movement.rolls.odds import SURE, chance_of, roll_chance
from tactical.search.compiled import Compiled
from tactical.search.kernel import search

if TYPE_CHECKING:
    from tactical.movement.graph.frame import Array
    from tactical.rules.profile import Gait
    from tactical.search.result import Settled
    from tactical.world.terrain import Terrain

Kinds = tuple[int, ...]
"""The kinds of ground of a way, one entry for each run of cells of one kind."""

Likely = Callable[[Fraction, Kinds], tuple[Fraction, Fraction] | None]
"""The chances of a move of such a length over some grounds: to get there, and that nothing fails; None: not known."""

Rolls = tuple[dict[str, int], ...]
"""For each kind of ground the rolls it asks of a whole move at a gait: skill to difficulty."""

MOST_JUDGED = 4096
"""So many pairs of length and grounds are kept for the next question, a gait."""
MOST = 256
"""Combinations of rolls that are searched one by one; where a map asks for more, the likeliest rolls go first."""


def likely_of(query: Query, lattice: Lattice, gait: Gait) -> Likely:
    """How likely the moves of a gait are; every pair of length and grounds is judged once, for all questions alike."""
    key = "likely", gait.name, lattice.site.kinds
    found: Likely | None = query.known.get(key)
    if found is None:
        # what is kept with the map holds the terms of the question alone, neither bodies nor places
        found = query.known[key] = _likely(query.terms, lattice.site.kinds, gait)
    return found


def _likely(terms: Terms, kinds: tuple[Terrain, ...], gait: Gait) -> Likely:
    demand, judge = terms.profile.demand, terms.ruleset.odds

    @lru_cache(MOST_JUDGED)
    def by_outcomes(metres: Fraction, way: Kinds) -> tuple[Fraction, Fraction] | None:
        assert judge is not None
        odds = judge(terms.stats, terms.turn, terms.options, gait.name, metres, tuple(kinds[n] for n in way))
        if isinstance(odds, Refusal):
            return None
        there = sum((part for outcome, part in odds if (outcome.moved or 0) >= metres), Fraction(0))
        return there, sum((part for outcome, part in odds if not outcome.failed), Fraction(0))

    @lru_cache(MOST_JUDGED)
    def before(way: Kinds) -> Fraction | None:
        checks = () if demand is None else demand(gait.name, tuple(kinds[n] for n in way)).checks
        parts = [chance_of(check) for check in checks]
        known = [part for part in parts if not isinstance(part, Refusal)]
        return prod(known, start=SURE) if len(known) == len(parts) else None

    def by_checks(metres: Fraction, way: Kinds) -> tuple[Fraction, Fraction] | None:
        part = before(tuple(sorted(set(way))))
        if part is None:
            return None
        if gait.rolled is not None:
            part *= roll_chance(gait, terms.turn.spent + metres)
        return part, part

    return by_checks if judge is None else by_outcomes


def asked_of(lattice: Lattice, gait: Gait) -> Rolls:
    """For each kind of ground the rolls it asks of a whole move at a gait."""
    site, demand = lattice.site, lattice.profile.demand
    if demand is None:
        return tuple({} for _ in site.kinds)
    always = demand(gait.name, ()).checks
    found = []
    for ground in site.kinds:
        rolls: dict[str, int] = {}
        for check in demand(gait.name, (ground,)).checks:
            if check not in always:
                rolls[check.skill] = max(check.difficulty, rolls.get(check.skill, check.difficulty))
        found.append(rolls)
    return tuple(found)


class End(NamedTuple):
    """Some ends of ways: their nodes, the ticks to them, the ways as numbers, and the search that found them."""

    node: Array
    ticks: Array
    way: Array
    settled: Settled


class Ways:
    """The cheapest ways of a pool under every combination of rolls, found when they are asked for and kept.

    `most` are the ticks that the dearest of its gaits may come to, those spent before included.
    """

    def __init__(self, query: Query, lattice: Lattice, start: int, most: int) -> None:
        self.query, self.lattice, self.start, self.most = query, lattice, start, most
        self.kinds = lattice.site.core(lattice.site.kind).reshape(-1)
        self.grounds: list[Kinds] = [()]
        self._longer: dict[tuple[int, int], int] = {}
        self._found: dict[bytes, End] = {}

    def ends(self, allowed: Array) -> End:
        """Everything that can be reached over the kinds of ground that are allowed."""
        key = allowed[self._met].tobytes()
        found = self._found.get(key)
        if found is None:
            found = self._found[key] = self._ends(self._searched(allowed))
        return found

    def combinations(self, asked: Rolls, most: int) -> Iterator[Array]:
        """Which kinds of ground a way may cross: one answer for each combination of rolls, the easiest first.

        Only what can be met within `most` ticks counts.
        """
        everything = self._everything
        met = np.unique(self.kinds[everything.node[everything.cost <= most] % self.lattice.draft.room]).tolist()
        steps: dict[str, set[int]] = {}
        for n in met:
            for skill, difficulty in asked[n].items():
                steps.setdefault(skill, set()).add(difficulty)
        skills = sorted(steps)
        limits: Iterable[tuple[int | None, ...]]
        if prod(len(known) + 1 for known in steps.values()) <= MOST:
            limits = product(*([None, *sorted(steps[skill])] for skill in skills))
        else:
            every = sorted({difficulty for known in steps.values() for difficulty in known})
            limits = [(limit,) * len(skills) for limit in (None, *every)]
        for limit in limits:
            top = dict(zip(skills, limit, strict=True))
            yield np.array([_fits(one, top) for one in asked], dtype=bool)

    # -- one search -----------------------------------------------------------------------------------------------

    @cached_property
    def _everything(self) -> Settled:
        return self._searched(np.ones(len(self.lattice.site.kinds), dtype=bool))

    @cached_property
    def _met(self) -> Array:
        """The kinds of ground that can be met at all: what is asked of others makes no difference."""
        return np.unique(self.kinds[self._everything.node % self.lattice.draft.room])

    def _searched(self, allowed: Array) -> Settled:
        if "_everything" in vars(self) and bool(allowed[self._met].all()):
            return self._everything
        begun = self.lattice.draft.ticks(self.query.turn.spent)
        return search(self._only(allowed), [self.start], costs=[begun], budget=self.most)

    def _only(self, allowed: Array) -> Compiled:
        """The graph with the steps into forbidden cells taken out; a body's anchor stands for it."""
        compiled = self.lattice.compiled
        if bool(allowed.all()):
            return compiled
        wanted = allowed[self.kinds]
        inside, into = self._into
        weight = np.where(inside & wanted[into], compiled.weight, 0)
        # jumps and links keep their place: a forbidden one becomes longer than any turn
        ticks = compiled.extra_ticks
        if ticks is not None and compiled.extra_target is not None:
            ticks = np.where(wanted[compiled.extra_target % len(wanted)], ticks, np.int64(2**40))
        return replace(compiled, weight=weight, extra_ticks=ticks, max_weight=-1, kept={})

    @cached_property
    def _into(self) -> tuple[Array, Array]:
        """Per node and slot: whether the step stays within the graph, and the place it leads to."""
        compiled = self.lattice.compiled
        layer = np.arange(compiled.nodes) // max(compiled.cells, 1)
        target = np.arange(compiled.nodes)[:, None] + compiled.offset[layer]
        inside = (target >= 0) & (target < compiled.nodes)
        return inside, np.where(inside, target, 0) % compiled.cells

    def _ends(self, settled: Settled) -> End:
        """What a search has found, with the kinds of ground entered on the way as numbers of `grounds`."""
        room, node, parent = self.lattice.draft.room, settled.node, settled.parent
        ground = self.kinds[node % room]
        # of a parent that did not move, the way is empty: there any ground is a new one
        moved = (node % room != node[parent] % room) & (parent >= 0)
        ways: list[int] = []
        last, longer, grounds = [-1], self._longer, self.grounds
        last = [way[-1] if way else -1 for way in grounds]
        for before, kind, moves in zip(parent.tolist(), ground.tolist(), moved.tolist(), strict=True):
            way = 0 if before < 0 else ways[before]
            if moves and last[way] != kind:
                further = longer.get((way, kind))
                if further is None:
                    further = longer[way, kind] = len(grounds)
                    grounds.append((*grounds[way], kind))
                    last.append(kind)
                way = further
            ways.append(way)
        return End(node, settled.cost, np.array(ways, dtype=np.int64), settled)


def _fits(rolls: dict[str, int], most: dict[str, int | None]) -> bool:
    """Whether a ground asks for no harder rolls; those of kinds that cannot be met are asked for in vain."""
    for skill, hard in rolls.items():
        top = most.get(skill)
        if top is None or hard > top:
            return False
    return True


class Best:
    """The best chance of every place at one gait, and the least ticks for it."""

    def __init__(self, ways: Ways, gait: Gait, least: int, most: int, done: Array) -> None:
        self.ways, self.least, self.most, self.done = ways, least, most, done
        self.likely = likely_of(ways.query, ways.lattice, gait)
        self.sure = np.full(ways.lattice.draft.room, np.iinfo(np.int64).max)
        self._numbers: dict[Fraction, int] = {}
        self._judged: dict[tuple[int, int], int] = {}
        self._rows: list[tuple[Array, Array, Array]] = []

    def add(self, ends: End) -> None:
        """Judge what one combination of rolls has found, but for what cannot be better than what is known."""
        lattice, room = self.ways.lattice, self.ways.lattice.draft.room
        place = ends.node % room
        fits = (ends.ticks >= self.least) & (ends.ticks <= self.most) & lattice.stops[ends.node]
        fits &= ~self.done[place] & (ends.ticks < self.sure[place])
        rows = np.flatnonzero(fits)
        if not len(rows):
            return
        span = self.most + 1
        keys, where = np.unique(ends.way[rows] * span + ends.ticks[rows], return_inverse=True)
        chance = np.array([self._judge(*divmod(key, span)) for key in keys.tolist()])[where]
        rows, chance = rows[chance >= 0], chance[chance >= 0]
        place, ticks = place[rows], ends.ticks[rows]
        self._rows.append((place, ticks, chance))
        certain = chance == self._numbers.get(SURE, -1)
        np.minimum.at(self.sure, place[certain], ticks[certain])

    def _judge(self, way: int, ticks: int) -> int:
        """The number of a chance; -1 where it is not known."""
        key = way, ticks
        found = self._judged.get(key)
        if found is None:
            lattice, spent = self.ways.lattice, self.ways.query.turn.spent
            part = self.likely(lattice.cost(ticks) - spent, self.ways.grounds[way])
            found = -1 if part is None else self._numbers.setdefault(part[0], len(self._numbers))
            self._judged[key] = found
        return found

    def best(self) -> Iterator[tuple[int, Fraction, int]]:
        """Place, chance and ticks of the best end on every place, in the order in which they were found."""
        if not self._rows:
            return
        place, ticks, number = (np.concatenate(parts) for parts in zip(*self._rows, strict=True))
        known = sorted(self._numbers)
        rank = np.empty(len(known), dtype=np.int64)
        rank[[self._numbers[part] for part in known]] = np.arange(len(known))
        order = np.lexsort((ticks, -rank[number], place))
        first = np.flatnonzero(np.diff(place[order], prepend=-1))
        best = order[first]
        _, seen = np.unique(place, return_index=True)
        by_number = {n: part for part, n in self._numbers.items()}
        for n in best[np.argsort(seen)].tolist():
            yield int(place[n]), by_number[int(number[n])], int(ticks[n])


def found_by(ways: Ways, gait: Gait, most: int) -> Iterator[End]:
    """What each combination of rolls of a gait finds, the easiest first, none twice."""
    known: set[Any] = set()
    for allowed in ways.combinations(asked_of(ways.lattice, gait), most):
        ends = ways.ends(allowed)
        key = allowed[ways._met].tobytes()
        if key not in known:
            known.add(key)
            yield ends
