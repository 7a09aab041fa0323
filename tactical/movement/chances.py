"""The chance of every cell of a reach: of ending there this turn, under the gait that makes it likeliest.

Where whole moves are rolled for, what counts is the hardest ground of a way, so for every roll that the map's grounds
may ask for the shortest ways are sought that need no harder one; a cell's chance is the best of them.  Where single
steps are rolled for, cost and chance are weighed against each other, and no way is dropped that may still be the best.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from itertools import count
from typing import TYPE_CHECKING, Any

import numpy as np

from tactical.errors import Refusal
from tactical.movement.explain import explain
from tactical.movement.graph.lattice import Lattice
from tactical.movement.odds import SURE, chance_of, roll_chance
from tactical.movement.query import Query
from tactical.rules.profile import Gait, Pace
from tactical.search.compiled import Compiled
from tactical.search.kernel import search
from tactical.units import Cell

if TYPE_CHECKING:
    from tactical.movement.graph.draft import Array
    from tactical.movement.reach import Reach
    from tactical.search.result import Settled

Kinds = tuple[int, ...]
"""The kinds of ground of a way, one entry for each stretch."""


@dataclass(frozen=True, slots=True)
class Chance:
    """The best chance of ending on a cell, and the gait to try it at."""

    chance: Fraction
    gait: str


def chances(found: Reach) -> dict[Cell, Chance]:
    """Every cell that this turn can end on, with its best chance; cells whose odds are not known are left out."""
    best: dict[Cell, Chance] = {}
    for gait in found.gaits:
        lattice = found.query.lattice(gait.pool, gait.budget - found.query.turn.spent, limited=found.limited)
        if lattice.node(found.start) is None:
            continue
        ways = _rolled if found.query.ruleset.odds is not None else _stepwise
        for cell, part in ways(found.query, lattice, gait, found.reserve):
            if cell != found.start.cell and (cell not in best or part > best[cell].chance):
                best[cell] = Chance(part, gait.name)
    return best


# --- whole moves -----------------------------------------------------------------------------------------------------


def _rolled(query: Query, lattice: Lattice, gait: Gait, reserve: Fraction) -> Iterator[tuple[Cell, Fraction]]:
    site, demand = lattice.site, lattice.profile.demand
    hard = np.array([0 if demand is None else demand(gait.name, (ground,)).hardness for ground in site.kinds])
    kinds = site.core(site.kind)
    start = lattice.node(query.start)
    assert start is not None
    begun, most = lattice.draft.ticks(query.turn.spent), int((gait.budget - reserve) // lattice.tick)

    @cache
    def likely(metres: Fraction, way: Kinds) -> Fraction | None:
        grounds = tuple(site.kinds[n] for n in way)
        assert query.ruleset.odds is not None
        odds = query.ruleset.odds(query.stats, query.turn, query.options, gait.name, metres, grounds)
        if isinstance(odds, Refusal):
            return None
        return sum((part for outcome, part in odds if (outcome.moved or 0) >= metres), Fraction(0))

    for limit in sorted(set(hard[np.unique(kinds)].tolist())):
        settled = search(_only(lattice, hard[kinds] <= limit), [start], costs=[begun], budget=most)
        for node, cost, way in _along(lattice, settled, kinds):
            if cost >= gait.minimum and lattice.stops[node]:
                part = likely(cost - query.turn.spent, way)
                if part is not None:
                    yield lattice.cell(node), part


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


# --- single steps ----------------------------------------------------------------------------------------------------


def _stepwise(query: Query, lattice: Lattice, gait: Gait, reserve: Fraction) -> Iterator[tuple[Cell, Fraction]]:
    site, demand = lattice.site, lattice.profile.demand
    kinds = site.core(site.kind)
    start = lattice.node(query.start)
    assert start is not None
    most = gait.budget - reserve

    @cache
    def before(way: Kinds) -> Fraction | None:
        """The chance of the rolls made before the move begins."""
        part = SURE
        for check in () if demand is None else demand(gait.name, tuple(site.kinds[n] for n in way)).checks:
            one = chance_of(check)
            if isinstance(one, Refusal):
                return None
            part *= one
        return part

    if not _risky(lattice):
        begun = lattice.draft.ticks(query.turn.spent)
        settled = search(lattice.compiled, [start], costs=[begun], budget=int(most // lattice.tick))
        for node, cost, way in _along(lattice, settled, kinds):
            part = before(tuple(sorted(set(way))))
            if part is not None and lattice.stops[node] and cost >= gait.minimum:
                yield lattice.cell(node), part * roll_chance(gait, cost)
        return
    for node, cost, part in _weighed(lattice, start, query.turn.spent, most):
        sure = before(())
        if sure is not None and lattice.stops[node] and cost >= gait.minimum:
            yield lattice.cell(node), sure * part * roll_chance(gait, cost)


def _risky(lattice: Lattice) -> bool:
    """Whether any step of the graph is rolled for."""
    draft = lattice.draft
    paces = (
        draft.paces.pace(posture, kind, False)
        for posture in lattice.profile.postures
        for kind in lattice.site.used
    )
    jumps = any(way == "jump" for _, _, _, way, _ in lattice.writer.loose)
    return jumps or any(isinstance(pace, Pace) and pace.check is not None for pace in paces)


def _weighed(
    lattice: Lattice, start: int, spent: Fraction, most: Fraction
) -> Iterator[tuple[int, Fraction, Fraction]]:
    """Every (node, cost, chance) that no other way to the node beats in both."""
    kept: dict[int, Fraction] = {}
    order = count()
    queue: list[tuple[Fraction, Fraction, int, int]] = [(spent, -SURE, next(order), start)]
    parts: dict[tuple[int, int, int], Fraction | None] = {}
    while queue:
        cost, minus, _, node = heapq.heappop(queue)
        if kept.get(node, Fraction(-1)) >= -minus:
            continue
        kept[node] = -minus
        yield node, cost, -minus
        for target, ticks, slot in lattice.edges(node):
            after = cost + lattice.cost(ticks)
            if after > most:
                continue
            key = (node, target, slot)
            if key not in parts:
                parts[key] = _step_chance(lattice, node, target, ticks, slot)
            part = parts[key]
            if part is not None and kept.get(target, Fraction(-1)) < -minus * part:
                heapq.heappush(queue, (after, minus * part, next(order), target))


def _step_chance(lattice: Lattice, node: int, target: int, ticks: int, slot: int) -> Fraction | None:
    check: Any = explain(lattice, node, target, ticks, slot).check
    if check is None:
        return SURE
    found = chance_of(check)
    return None if isinstance(found, Refusal) else found
