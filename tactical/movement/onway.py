"""Rolls on the way: where single steps, stretches or rounds are rolled for, cost and chance are weighed together."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import count
from typing import TYPE_CHECKING, Any

import numpy as np

from tactical.errors import Refusal
from tactical.movement.explain import explain
from tactical.movement.graph.arrivals import Edge
from tactical.movement.graph.lattice import Lattice
from tactical.movement.odds import SURE, chance_of
from tactical.movement.query import Query
from tactical.rules.checks import Check
from tactical.rules.profile import Pace
from tactical.search.compiled import Compiled
from tactical.search.kernel import search

if TYPE_CHECKING:
    from numpy.typing import NDArray

Kinds = tuple[int, ...]
"""The kinds of ground of a way, one entry for each run of cells of one kind."""

Likely = Callable[[Fraction, Kinds], tuple[Fraction, Fraction] | None]
"""The chances of a move of such a length over some grounds: to get there, and that nothing fails; None: not known."""


@dataclass(frozen=True)
class Weighed:
    """A way that may be the likeliest to a node: its cost, the chances to end there and that nothing fails."""

    node: int
    cost: Fraction
    there: Fraction
    clean: Fraction
    _trail: Any = field(repr=False)

    def edges(self) -> list[Edge]:
        """The edges of the way."""
        return self._trail() if callable(self._trail) else _unwound(self._trail)


@dataclass(frozen=True, slots=True)
class _Rolls:
    """What a way has rolled for: the run of steps under way (its way of going), the round's rolls, grounds that ask."""

    run: str = ""
    kinds: frozenset[str] = frozenset()
    grounds: Kinds = ()


def risky(lattice: Lattice) -> bool:
    """Whether any step of the graph is rolled for."""
    draft = lattice.draft
    paces = (
        draft.paces.pace(posture, kind, False) for posture in lattice.profile.postures for kind in lattice.site.used
    )
    jumps = any(way == "jump" for _, _, _, way, _ in lattice.writer.loose)
    return jumps or any(isinstance(pace, Pace) and pace.check is not None for pace in paces)


def weighed(
    query: Query, lattice: Lattice, most: Fraction, likely: Likely, asked: Sequence[Mapping[str, int]]
) -> Iterator[Weighed]:
    """Every way that no other to its node beats in both cost and chance; `asked` are the rolls that grounds ask for."""
    kinds, room = lattice.site.core(lattice.site.kind).reshape(-1), lattice.draft.room
    start, spent = lattice.node(query.start), query.turn.spent
    assert start is not None
    kept: dict[tuple[int, _Rolls], Fraction] = {}
    order = count()
    queue: list[tuple[Fraction, Fraction, int, int, _Rolls, Any]] = [
        (spent, -SURE, next(order), start, _Rolls(kinds=query.turn.passed), None)
    ]
    parts: dict[tuple[int, int, int], tuple[str, Check | None, Fraction | None]] = {}
    while queue:
        cost, minus, _, node, rolls, trail = heapq.heappop(queue)
        if kept.get((node, rolls), Fraction(-1)) >= -minus:
            continue
        kept[node, rolls] = -minus
        before = likely(cost - spent, rolls.grounds)
        if before is not None:
            yield Weighed(node, cost, -minus * before[0], -minus * before[1], trail)
        for target, ticks, slot in lattice.edges(node):
            after = cost + lattice.cost(ticks)
            if after > most:
                continue
            key = (node, target, slot)
            if key not in parts:
                parts[key] = _step_roll(lattice, node, target, ticks, slot)
            part, then = _taken(rolls, *parts[key])
            if part is None:
                continue
            ground = int(kinds[target % room])
            if node % room != target % room and asked[ground] and ground not in then.grounds:
                then = replace(then, grounds=tuple(sorted((*then.grounds, ground))))
            if kept.get((target, then), Fraction(-1)) < -minus * part:
                taken = ((node, target, ticks, slot), trail)
                heapq.heappush(queue, (after, minus * part, next(order), target, then, taken))


def likeliest(
    query: Query, lattice: Lattice, start: int, most: Fraction, likely: Likely
) -> Iterator[tuple[int, Fraction, Fraction]]:
    """Node, cost and chance of every way that may be the likeliest to its node, where no ground asks for a roll.

    What needs no roll is searched first: it comes to its nodes at the least cost and for certain, so that of the rest
    only those ways are weighed that enter a step which may be rolled for, and only as far as they may be better.
    """
    compiled, slots, spent = lattice.compiled, lattice.compiled.slots, query.turn.spent
    unsure = _unsure(lattice)
    bare = Compiled(
        compiled.layers, compiled.cells, slots, np.where(unsure, 0, compiled.weight), compiled.offset,
        max_weight=compiled.max_weight,
    )  # fmt: skip
    budget = lattice.whole(most)
    settled = search(bare, [start], costs=[lattice.draft.ticks(spent)], budget=budget)
    nodes, costs = settled.node.tolist(), settled.cost.tolist()
    sure = dict(zip(nodes, costs, strict=True))
    before: dict[tuple[int, Kinds], tuple[Fraction, Fraction] | None] = {}

    def there(ticks: int, rolls: _Rolls) -> Fraction | None:
        key = ticks, rolls.grounds
        if key not in before:
            before[key] = likely(lattice.cost(ticks) - spent, rolls.grounds)
        found = before[key]
        return None if found is None else found[0]

    fresh = _Rolls(kinds=query.turn.passed)
    for node, ticks in sure.items():
        part = there(ticks, fresh)
        if part is not None:
            yield node, lattice.cost(ticks), part
    kept: dict[tuple[int, _Rolls], Fraction] = {}
    order = count()
    queue: list[tuple[int, Fraction, int, int, _Rolls]] = []
    parts: dict[tuple[int, int, int], tuple[str, Check | None, Fraction | None]] = {}

    def expand(cost: int, chance: Fraction, node: int, rolls: _Rolls, *, every: bool) -> None:
        for target, ticks, slot in lattice.edges(node):
            after = cost + ticks
            plain = slot < slots and not unsure[node, slot]
            if after > budget or (plain and not every):
                continue
            then: _Rolls
            part: Fraction | None
            if plain and not rolls.run:
                part, then = SURE, rolls
            else:
                key = (node, target, slot)
                if key not in parts:
                    parts[key] = _step_roll(lattice, node, target, ticks, slot)
                part, then = _taken(rolls, *parts[key])
            if part is None or (sure.get(target, after + 1) <= after and then == fresh):
                continue
            part *= chance
            if kept.get((target, then), Fraction(-1)) < part:
                heapq.heappush(queue, (after, -part, next(order), target, then))

    risked: NDArray[np.bool_] = np.any(unsure & (compiled.weight > 0), axis=1)
    if compiled.extra_start is not None:
        risked |= np.diff(compiled.extra_start) > 0
    for row in np.flatnonzero(risked[settled.node]).tolist():
        expand(costs[row], SURE, nodes[row], fresh, every=False)
    while queue:
        cost, minus, _, node, rolls = heapq.heappop(queue)
        if kept.get((node, rolls), Fraction(-1)) >= -minus:
            continue
        kept[node, rolls] = -minus
        part = there(cost, rolls)
        if part is not None:
            yield node, lattice.cost(cost), -minus * part
        expand(cost, -minus, node, rolls, every=True)


def _unsure(lattice: Lattice) -> NDArray[np.bool_]:
    """Per node and slot: whether a roll may be asked for that step; where it is not certain, yes."""
    draft, site, profile = lattice.draft, lattice.site, lattice.profile
    rolled = np.zeros(len(site.kinds), dtype=bool)
    for kind in site.used:
        if not site.kinds[kind].impassable:
            paces = (draft.paces.pace(name, kind, up) for name in profile.postures for up in (False, True))
            rolled[kind] = any(isinstance(pace, Pace) and pace.check is not None for pace in paces)
    asks, falls = rolled[site.kind], profile.fall is not None and profile.fall.check is not None
    out = np.zeros((len(draft.layers), draft.room, lattice.compiled.slots), dtype=bool)
    by_form: dict[tuple[int, int], NDArray[np.bool_]] = {}
    for n, layer in enumerate(draft.layers):
        for slot, meaning in enumerate(lattice.slots):
            if meaning.k < 0:
                continue
            key = layer.squeezed, meaning.k
            if key not in by_form:
                way, plane = site.directions[meaning.k], draft.planes[layer.squeezed][meaning.k]
                cells = draft.forms[layer.squeezed].cells
                found = np.zeros(site.shape, dtype=bool)
                for di, dj in {*cells, *((a + way.di, b + way.dj) for a, b in cells)}:
                    found = found | site.core(asks, di, dj)
                if falls and plane.rise is not None:
                    found = found | (plane.rise < 0)
                by_form[key] = found.reshape(-1)
            out[n, :, slot] = by_form[key]
    return out.reshape(lattice.compiled.weight.shape)


def _taken(rolls: _Rolls, way: str, check: Check | None, part: Fraction | None) -> tuple[Fraction | None, _Rolls]:
    """The chance of a step after what was rolled before (None: not known), and what is rolled for then."""
    goes_on = way == rolls.run and way != ""
    if check is None:
        return SURE, rolls if goes_on else replace(rolls, run="")
    if check.per == "stretch":
        return (SURE, rolls) if goes_on else (part, replace(rolls, run=way))
    if check.per == "round":
        held = check.kind in rolls.kinds
        return SURE if held else part, replace(rolls, run="", kinds=rolls.kinds | {check.kind})
    return part, replace(rolls, run="")


def _step_roll(
    lattice: Lattice, node: int, target: int, ticks: int, slot: int
) -> tuple[str, Check | None, Fraction | None]:
    """How a step is made, the roll it asks for, and the chance of that."""
    step = explain(lattice, node, target, ticks, slot)
    if step.check is None:
        return step.way if step.moves else "", None, SURE
    found = chance_of(step.check)
    return step.way if step.moves else "", step.check, None if isinstance(found, Refusal) else found


def _unwound(trail: Any) -> list[Edge]:
    edges = []
    while trail is not None:
        edges.append(trail[0])
        trail = trail[1]
    return edges[::-1]
