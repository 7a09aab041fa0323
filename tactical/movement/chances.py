"""The chance of every cell of a reach: of ending there this turn, under the gait and by the way that make it likeliest.

Where whole moves are rolled for, what counts is the hardest ground of a way for each skill, so for every combination of
rolls that the map's grounds may ask for the cheapest ways are sought that need no harder ones.  Where steps are rolled
for, cost and chance are weighed against each other, and no way is dropped that may still be the best; a roll that holds
for a stretch or for the round counts once.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache, partial
from itertools import product
from math import prod
from typing import TYPE_CHECKING

import numpy as np

from tactical.errors import Refusal
from tactical.movement import onway
from tactical.movement.graph.arrivals import traced
from tactical.movement.graph.lattice import Lattice
from tactical.movement.odds import SURE, chance_of, roll_chance
from tactical.movement.onway import Kinds, Likely, Weighed
from tactical.movement.query import Query
from tactical.rules.profile import Gait
from tactical.search.compiled import Compiled
from tactical.search.kernel import search
from tactical.search.slices import Slices, whole
from tactical.units import Cell

if TYPE_CHECKING:
    from tactical.movement.graph.draft import Array
    from tactical.movement.reach import Reach
    from tactical.search.result import Settled

MOST = 256
"""Combinations of rolls that are searched one by one; where a map asks for more, the likeliest rolls go first."""


@dataclass(frozen=True, slots=True)
class Chance:
    """The best chance of ending on a cell, the gait to try it at, and what that way costs."""

    chance: Fraction
    gait: str
    cost: Fraction = Fraction(0)


def chances(found: Reach) -> dict[Cell, Chance]:
    """Every cell that this turn can end on, with its best chance; cells whose odds are not known are left out."""
    return whole(_weighing(found))


def worked_out(found: Reach) -> bool:
    """Whether the chances of a reach are worked out already, so that asking for them takes no time."""
    return "chances" in vars(found)


def weighing(found: Reach) -> Slices[None]:
    """Work the chances of a reach out a way at a time, for those who must not wait; known when the iterator ends."""
    vars(found)["chances"] = yield from _weighing(found)


def _weighing(found: Reach) -> Slices[dict[Cell, Chance]]:
    best: dict[Cell, Chance] = {}
    for gait in found.gaits:
        lattice = lattice_of(found, gait)
        for node, price, there in _ends(found, gait, lattice):
            cell = lattice.cell(node)
            if cell == found.start.cell:
                continue
            known, cost = best.get(cell), price - found.query.turn.spent
            same = known is not None and (known.chance, known.gait) == (there, gait.name) and cost < known.cost
            if known is None or there > known.chance or same:
                best[cell] = Chance(there, gait.name, cost)
            yield
    return best


def _ends(found: Reach, gait: Gait, lattice: Lattice) -> Iterator[tuple[int, Fraction, Fraction]]:
    """Where a gait may end, at which cost and with which chance: the best of each node is among them."""
    query = found.query
    asked = _asked(query, lattice, gait)
    if query.ruleset.odds is not None or not onway.risky(lattice) or any(asked):
        for way in ways(found, gait, lattice):
            yield way.node, way.cost, way.there
        return
    start = lattice.node(found.start)
    if start is not None:
        likely = _likely(query, lattice, gait)
        for node, cost, there in onway.likeliest(query, lattice, start, gait.budget - found.reserve, likely):
            if cost >= gait.minimum and lattice.stops[node]:
                yield node, cost, there


def lattice_of(found: Reach, gait: Gait) -> Lattice:
    """The state graph of a gait, as far as it goes this turn."""
    return found.query.lattice(gait.pool, gait.budget - found.query.turn.spent, limited=found.limited)


def ways(found: Reach, gait: Gait, lattice: Lattice) -> Iterator[Weighed]:
    """The ways of a gait that end where one may and that no other beats in cost and chance; some may be beaten."""
    query = found.query
    if lattice.node(found.start) is None:
        return
    most = gait.budget - found.reserve
    if query.ruleset.odds is not None or not onway.risky(lattice):
        found_ways = _rolled(query, lattice, gait, most)
    else:
        found_ways = onway.weighed(query, lattice, most, _likely(query, lattice, gait), _asked(query, lattice, gait))
    for way in found_ways:
        if way.cost >= gait.minimum and lattice.stops[way.node]:
            yield way


# --- rolls for whole moves -------------------------------------------------------------------------------------------


def _rolled(query: Query, lattice: Lattice, gait: Gait, most: Fraction) -> Iterator[Weighed]:
    kinds = lattice.site.core(lattice.site.kind)
    start = lattice.node(query.start)
    assert start is not None
    likely = _likely(query, lattice, gait)
    begun = lattice.draft.ticks(query.turn.spent)
    for allowed in _combinations(query, lattice, gait):
        graph = _only(lattice, allowed[kinds])
        settled = search(graph, [start], costs=[begun], budget=lattice.whole(most))
        for node, cost, way in _along(lattice, settled, kinds):
            part = likely(cost - query.turn.spent, way)
            if part is not None:
                there, clean = part
                yield Weighed(node, cost, there, clean, partial(traced, lattice, settled, node))


def _likely(query: Query, lattice: Lattice, gait: Gait) -> Likely:
    """The chances of a move of so many metres over some kinds of ground: to get there, and that nothing fails."""
    site, demand, judge = lattice.site, lattice.profile.demand, query.ruleset.odds

    @cache
    def by_outcomes(metres: Fraction, way: Kinds) -> tuple[Fraction, Fraction] | None:
        assert judge is not None
        odds = judge(query.stats, query.turn, query.options, gait.name, metres, tuple(site.kinds[n] for n in way))
        if isinstance(odds, Refusal):
            return None
        there = sum((part for outcome, part in odds if (outcome.moved or 0) >= metres), Fraction(0))
        return there, sum((part for outcome, part in odds if not outcome.failed), Fraction(0))

    @cache
    def before(way: Kinds) -> Fraction | None:
        checks = () if demand is None else demand(gait.name, tuple(site.kinds[n] for n in way)).checks
        parts = [chance_of(check) for check in checks]
        known = [part for part in parts if not isinstance(part, Refusal)]
        return prod(known, start=SURE) if len(known) == len(parts) else None

    def by_checks(metres: Fraction, way: Kinds) -> tuple[Fraction, Fraction] | None:
        part = before(tuple(sorted(set(way))))
        if part is None:
            return None
        part *= roll_chance(gait, query.turn.spent + metres)
        return part, part

    return by_checks if judge is None else by_outcomes


def _asked(query: Query, lattice: Lattice, gait: Gait) -> list[dict[str, int]]:
    """For each kind of ground the rolls it asks of a whole move at a gait: skill to difficulty."""
    site, demand = lattice.site, lattice.profile.demand
    if demand is None:
        return [{} for _ in site.kinds]
    always = demand(gait.name, ()).checks
    found = []
    for ground in site.kinds:
        rolls: dict[str, int] = {}
        for check in demand(gait.name, (ground,)).checks:
            if check not in always:
                rolls[check.skill] = max(check.difficulty, rolls.get(check.skill, check.difficulty))
        found.append(rolls)
    return found


def _combinations(query: Query, lattice: Lattice, gait: Gait) -> Iterator[Array]:
    """Which kinds of ground a way may cross: one answer for each combination of rolls, the easiest first."""
    asked = _asked(query, lattice, gait)
    kinds = np.unique(lattice.site.core(lattice.site.kind)).tolist()
    steps: dict[str, set[int]] = {}
    for n in kinds:
        for skill, difficulty in asked[n].items():
            steps.setdefault(skill, set()).add(difficulty)
    skills = sorted(steps)
    limits: list[tuple[int | None, ...]]
    if prod(len(known) + 1 for known in steps.values()) <= MOST:
        limits = list(product(*([None, *sorted(steps[skill])] for skill in skills)))
    else:
        every = sorted({difficulty for known in steps.values() for difficulty in known})
        limits = [(limit,) * len(skills) for limit in (None, *every)]
    for limit in limits:
        most = dict(zip(skills, limit, strict=True))
        fits = [all((top := most[skill]) is not None and hard <= top for skill, hard in one.items()) for one in asked]
        yield np.array(fits, dtype=bool)


def _only(lattice: Lattice, allowed: Array) -> Compiled:
    """The graph with the steps into forbidden cells taken out; a body's anchor stands for it."""
    compiled = lattice.compiled
    if bool(allowed.all()):
        return compiled
    wanted = np.tile(allowed.reshape(-1), compiled.layers)
    source = np.arange(compiled.nodes)
    weight = compiled.weight.copy()
    for slot in range(compiled.slots):
        target = source + compiled.offset[source // compiled.cells, slot]
        inside = (target >= 0) & (target < compiled.nodes)
        weight[~(inside & wanted[np.clip(target, 0, compiled.nodes - 1)]), slot] = 0
    # jumps and links keep their place: a forbidden one becomes longer than any turn
    ticks = compiled.extra_ticks
    if ticks is not None and compiled.extra_target is not None:
        ticks = np.where(wanted[compiled.extra_target], ticks, np.int64(2**40))
    return replace(compiled, weight=weight, extra_ticks=ticks, max_weight=-1, kept={})


def _along(lattice: Lattice, settled: Settled, kinds: Array) -> Iterator[tuple[int, Fraction, Kinds]]:
    """Every node of a search with its cost and the kinds of ground entered on the way."""
    flat, room = kinds.reshape(-1), lattice.draft.room
    ways: list[Kinds] = []
    nodes, parents = settled.node.tolist(), settled.parent.tolist()
    for node, cost, parent in zip(nodes, settled.cost.tolist(), parents, strict=True):
        if parent < 0:
            ways.append(())
        else:
            way, ground = ways[parent], int(flat[node % room])
            moved = nodes[parent] % room != node % room
            ways.append((*way, ground) if moved and (not way or way[-1] != ground) else way)
        yield node, lattice.cost(cost), ways[-1]
