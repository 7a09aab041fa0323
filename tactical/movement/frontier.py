"""Cost against risk: for every amount of risk the cheapest way, as a frontier and not a weighted sum.

A label is (cost, risk taken, node); it is dropped only where another one of the same node is no worse in both.  Attacks
are counted per enemy and turn, so there the risk is the set of enemies provoked; exposures and damage add up.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import count
from typing import Any

from tactical.errors import Refusal, UnknownName
from tactical.movement.declare import gait_of
from tactical.movement.explain import explain
from tactical.movement.graph.lattice import Lattice
from tactical.movement.provoking import body
from tactical.movement.query import Query
from tactical.movement.route import Step
from tactical.rules.profile import Gait
from tactical.search.slices import STEPS, Slices, whole
from tactical.units import Cell

Risk = Any
RISKS = ("attacks", "exposures", "damage", "number")


@dataclass(frozen=True, slots=True)
class Choice:
    """One point of a frontier: the risk, the least cost at that risk, and the steps.

    Where the risk is the roll that a move needs, 0 means that nothing is rolled.
    """

    risk: Fraction
    cost: Fraction
    steps: tuple[Step, ...]


def frontier(
    query: Query, pool: str, goal: Cell, by: str, *, budget: Fraction | None = None, disengaged: bool = False
) -> Slices[tuple[Choice, ...]]:
    """In slices: the ways to end on `goal` that no other beats in both cost and risk, by rising risk.

    `by` is ``attacks`` (opportunity attacks provoked), ``exposures`` (hazard cells entered) or ``damage`` (of falls).
    For the roll that the ground asks for see `by_number`.  Raises `UnknownName` for another word.
    """
    if by not in RISKS or by == "number":
        raise UnknownName("risk", by, RISKS[:3])
    if by == "exposures":
        query = query.changed(options=query.options.set({"hazard_policy": "ignore"}))
    lattice = query.lattice(pool, budget, limited=budget is not None)
    found = yield from _search(query, lattice, goal, _measure(lattice, by, disengaged), budget)
    return found


def by_number(query: Query, gait: str, goal: Cell) -> tuple[Choice, ...] | Refusal:
    """Longer or easier: for each roll the shortest way over ground that asks for no harder one (REUP-A18).

    Only ways whose length suits the gait are listed.  Refused where the gait is not open; raises `UnknownName`.
    """
    chosen = gait_of(query, gait)
    if isinstance(chosen, Refusal):
        return chosen
    lattice = query.lattice(chosen.pool, None)
    found = whole(_search(query, lattice, goal, _rolled(lattice, chosen), chosen.budget))
    spent = query.turn.spent
    return tuple(choice for choice in found if chosen.minimum <= choice.cost + spent <= chosen.budget)


Measure = tuple[Risk, Callable[..., Risk], Callable[[Risk, Risk], bool], Callable[[Risk], Fraction]]


def _search(
    query: Query, lattice: Lattice, goal: Cell, measure: Measure, budget: Fraction | None
) -> Slices[tuple[Choice, ...]]:
    node, place = lattice.node(query.start), lattice.site.place(goal)
    if node is None or place is None:
        return ()
    start, add, no_worse, size = measure
    done: dict[int, list[tuple[Fraction, Risk]]] = {}
    found: list[tuple[Fraction, Fraction, tuple[Any, ...] | None]] = []
    order = count()
    queue: list[tuple[Fraction, Fraction, int, int, Risk, tuple[Any, ...] | None]] = [
        (query.turn.spent, size(start), next(order), node, start, None)
    ]
    goals = {lattice.draft.node(layer, place) for layer in range(len(lattice.draft.layers))}
    while queue:
        cost, amount, _, at, risk, trail = heapq.heappop(queue)
        kept = done.setdefault(at, [])
        if any(other_cost <= cost and no_worse(other, risk) for other_cost, other in kept):
            continue
        kept.append((cost, risk))
        if next(order) % STEPS == 0:
            yield
        if at in goals and lattice.stops[at]:
            found.append((amount, cost - query.turn.spent, trail))
        for target, ticks, slot in lattice.edges(at):
            after = cost + lattice.cost(ticks)
            if budget is None or after <= budget:
                taken = add(risk, at, target, ticks, slot)
                entry = (after, size(taken), next(order), target, taken, ((at, target, ticks, slot), trail))
                heapq.heappush(queue, entry)
    out: list[Choice] = []
    for amount, cost, trail in sorted(found, key=lambda point: (point[0], point[1])):
        if not out or cost < out[-1].cost:
            out.append(Choice(amount, cost, _steps(lattice, trail)))
    return tuple(out)


def _rolled(lattice: Lattice, gait: Gait) -> Measure:
    """The hardest roll that the grounds entered ask for: (the first ground, how hard), the roll depends on both."""
    site, demand = lattice.site, lattice.profile.demand
    kinds = site.core(site.kind)

    @cache
    def hardness(grounds: tuple[int, ...]) -> int:
        return 0 if demand is None else demand(gait.name, tuple(site.kinds[n] for n in grounds)).hardness

    def cross(risk: tuple[int, int], at: int, target: int, ticks: int, slot: int) -> tuple[int, int]:
        first, hardest = risk
        for ground in _entered(lattice, kinds, at, target):
            first = ground if first < 0 else first
            hardest = max(hardest, hardness((first,) if ground == first else (first, ground)))
        return first, hardest

    return (-1, 0), cross, lambda a, b: a[1] <= b[1], lambda risk: Fraction(risk[1])


def _entered(lattice: Lattice, kinds: Any, at: int, target: int) -> list[int]:
    """The kinds of ground of the cells that a step newly covers."""
    site = lattice.site
    start, end = lattice.state(at), lattice.state(target)
    if start.cell == end.cell:
        return []
    before = set(body(site, start))
    places = (site.place(cell) for cell in body(site, end) if cell not in before)
    return [int(kinds[place]) for place in places if place is not None]


def _steps(lattice: Lattice, trail: tuple[Any, ...] | None) -> tuple[Step, ...]:
    edges = []
    while trail is not None:
        edges.append(trail[0])
        trail = trail[1]
    return tuple(explain(lattice, *edge) for edge in reversed(edges))


def _measure(lattice: Lattice, by: str, disengaged: bool) -> Measure:
    """The empty risk, how a step adds to one, when one is no worse than another, and its amount."""
    site = lattice.site
    if by == "attacks":
        near = {enemy.id: site.threatened_by(enemy) for enemy in site.enemies} if not disengaged else {}

        def provoke(risk: frozenset[str], at: int, target: int, ticks: int, slot: int) -> frozenset[str]:
            start, end = lattice.state(at), lattice.state(target)
            if start.cell == end.cell or not lattice.provokes(slot):
                return risk
            before, after = list(body(site, start)), list(body(site, end))
            left = {
                enemy
                for enemy, cells in near.items()
                if any(cell in cells for cell in before) and not any(cell in cells for cell in after)
            }
            return risk | left

        return frozenset(), provoke, lambda a, b: a <= b, lambda risk: Fraction(len(risk))
    if by == "exposures":
        hazard = site.core(site.fact("hazard"))

        def expose(risk: Fraction, at: int, target: int, ticks: int, slot: int) -> Fraction:
            entered = at % lattice.draft.room != target % lattice.draft.room
            return risk + int(entered and bool(hazard[lattice.place(target)]))

        return Fraction(0), expose, lambda a, b: a <= b, lambda risk: risk

    def hurt(risk: Fraction, at: int, target: int, ticks: int, slot: int) -> Fraction:
        return risk + explain(lattice, at, target, ticks, slot).damage

    return Fraction(0), hurt, lambda a, b: a <= b, lambda risk: risk
