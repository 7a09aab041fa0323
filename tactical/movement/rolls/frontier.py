"""Cost against risk: for every amount of risk the cheapest way, as a frontier and not a weighted sum.

A label is (cost, risk taken, node); it is dropped only where another one of the same node is no worse in both.  Attacks
are counted per enemy and turn, so there the risk is the set of enemies provoked; exposures and damage add up.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, partial
from itertools import count
from operator import add, itemgetter, le, or_
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from tactical.errors import Refusal, UnknownName
from tactical.movement.declare import gait_of
from tactical.movement.graph.lattice import Lattice
from tactical.movement.graph.writer import Edge
from tactical.movement.planning.ahead import left_to
from tactical.movement.query import Query
from tactical.movement.rolls.onway import first_way
from tactical.movement.rolls.rolling import Steps, loose, per_kind, stencil
from tactical.movement.route import Step
from tactical.movement.steps.explain import explain
from tactical.movement.steps.provoking import body
from tactical.rules.profile import Gait
from tactical.search.kernel import search
from tactical.search.slices import STEPS, Slices, whole
from tactical.units import Cell
from tactical.values import once

if TYPE_CHECKING:
    from tactical.movement.graph.frame import Array
    from tactical.search.kernel import Settled

Risk = Any
Trail = Any
"""The steps of a way, the last first, each with those before it; None: none."""
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
        query = _reckless(query)
    lattice = yield from query.drawing(pool, budget, limited=budget is not None)
    measured: dict[str, Measured] = {
        "attacks": partial(_struck, disengaged), "exposures": _exposed, "damage": _hurt,
    }  # fmt: skip
    found = yield from _search(query, lattice, goal, measured[by], budget)
    return found


def _reckless(query: Query) -> Query:
    """The question of somebody who goes through hazards; it is kept with the first."""
    options = {"hazard_policy": "ignore"}
    return once(query.kept, "reckless", lambda: query.changed(options=query.options.set(options)))


def by_number(query: Query, gait: str, goal: Cell) -> tuple[Choice, ...] | Refusal:
    """Longer or easier: for each roll the shortest way over ground that asks for no harder one (REUP-A18).

    Only ways whose length suits the gait are listed.  Refused where the gait is not open; raises `UnknownName`.
    """
    chosen = gait_of(query, gait)
    if isinstance(chosen, Refusal):
        return chosen
    lattice = query.lattice(chosen.pool, None)
    found = whole(_search(query, lattice, goal, partial(_rolled, chosen), chosen.budget))
    spent = query.turn.spent
    return tuple(choice for choice in found if chosen.minimum <= choice.cost + spent <= chosen.budget)


class Measure(NamedTuple):
    """The empty risk, how a step (by its place among the `Steps`) adds to one, when one is no worse, and its amount."""

    none: Risk
    add: Callable[[Risk, int], Risk]
    no_worse: Callable[[Risk, Risk], bool]
    amount: Callable[[Risk], Any]


Measured = Callable[[Lattice, "Array"], tuple[Steps, Measure]]
"""Makes the steps out of some nodes of a graph, and what is risked by them."""


def _search(
    query: Query,
    lattice: Lattice,
    goal: Cell,
    measured: Measured,
    budget: Fraction | None,
) -> Slices[tuple[Choice, ...]]:
    """In slices: the cheapest way where nothing is risked on it, else every one that no other beats."""
    node, place = lattice.node(query.start), lattice.site.place(goal)
    if node is None or place is None:
        return ()
    most = None if budget is None else lattice.whole(budget)
    begun, there = lattice.draft.ticks(query.turn.spent), lattice.draft.node(0, place)
    reached = search(lattice.compiled, [node], costs=[begun], budget=most)
    yield
    if (way := _unrisked(lattice, reached, there, measured)) is not None:
        cost = lattice.cost(sum(ticks for _, _, ticks, _ in way))
        return (Choice(Fraction(0), cost, _explained(lattice, way)),)
    found = yield from _weigh(lattice, node, begun, goal, most, reached, measured)
    return found


def _weigh(
    lattice: Lattice, node: int, begun: int, goal: Cell, most: int | None, reached: Settled, measured: Measured
) -> Slices[tuple[Choice, ...]]:
    """In slices: what `measured` makes of the steps that may lie on a way to the goal.

    No way is followed that cannot come to the goal within the budget, or whose risk is no less than that of a way that
    did, for less.
    """
    room, place = lattice.draft.room, lattice.site.place(goal)
    assert place is not None
    there, ahead = lattice.draft.node(0, place), left_to(lattice, goal, most)
    onward = ahead[reached.node % room]
    yield
    near = (onward >= 0) & (most is None or reached.cost + onward <= most)
    steps, measure = measured(lattice, reached.node[near])
    yield
    left, stops = ahead.tolist(), lattice.stops.tolist()
    begin, targets, prices = steps.begin, steps.target, steps.ticks
    none, join, no_worse, size = measure
    done: dict[int, list[Risk]] = {}
    found: list[tuple[Any, int, Trail]] = []
    least: Any = None
    order = count()
    queue: list[tuple[int, Any, int, int, Risk, Trail]] = [(begun, size(none), next(order), node, none, None)]
    while queue:
        cost, amount, _, at, risk, trail = heapq.heappop(queue)
        if least is not None and amount >= least:
            continue
        # whatever came before came for no more
        kept = done.setdefault(at, [])
        if any(no_worse(other, risk) for other in kept):
            continue
        kept.append(risk)
        if next(order) % STEPS == 0:
            yield
        if at % room == there and stops[at]:
            found.append((amount, cost - begun, trail))
            least = amount
        for step in range(begin[at], begin[at + 1]):
            target = targets[step]
            after, onward = cost + prices[step], left[target % room]
            if onward < 0 or (most is not None and after + onward > most):
                continue
            taken = join(risk, step)
            amount = size(taken)
            if (least is None or amount < least) and not any(no_worse(other, taken) for other in done.get(target, ())):
                heapq.heappush(queue, (after, amount, next(order), target, taken, (step, trail)))
    out: list[Choice] = []
    for amount, ticks, trail in sorted(found, key=lambda point: (point[0], point[1])):
        paid = lattice.cost(ticks)
        if not out or paid < out[-1].cost:
            out.append(Choice(Fraction(amount), paid, _made(lattice, steps, trail)))
    return tuple(out)


def _unrisked(lattice: Lattice, reached: Settled, there: int, measured: Measured) -> list[Edge] | None:
    """The cheapest way to a place, as a search came there, where nothing is risked on it; no other can beat that."""
    way = first_way(lattice, reached, there)
    if not way:
        return None
    steps, measure = measured(lattice, np.array([edge[0] for edge in way], dtype=np.int64))
    risk = measure.none
    for start, end, _, slot in way:
        out = range(steps.begin[start], steps.begin[start + 1])
        risk = measure.add(risk, next(n for n in out if (steps.target[n], steps.slot[n]) == (end, slot)))
    return way if measure.amount(risk) == measure.amount(measure.none) else None


def _plain(lattice: Lattice, nodes: Array) -> Array:
    """The steps out of some nodes, unmarked: five rows."""
    steps = np.concatenate([stencil(lattice, nodes), loose(lattice, nodes)], axis=1)
    return np.vstack([steps, np.zeros(steps.shape[1], dtype=np.int64)])


def _rolled(gait: Gait, lattice: Lattice, nodes: Array) -> tuple[Steps, Measure]:
    """The hardest roll that the grounds entered ask for: (the first ground, how hard), the roll depends on both."""
    site, demand, room = lattice.site, lattice.profile.demand, lattice.draft.room
    kinds = site.core(site.kind)
    steps = Steps.of(lattice.nodes, _plain(lattice, nodes))
    flat = kinds.reshape(-1).tolist()

    @cache
    def hardness(grounds: tuple[int, ...]) -> int:
        return 0 if demand is None else demand(gait.name, tuple(site.kinds[n] for n in grounds)).hardness

    @cache
    def entered(step: int) -> tuple[int, ...]:
        at, target = steps.source[step], steps.target[step]
        if site.mover.size == 1:
            return (flat[target % room],) if at % room != target % room else ()
        return tuple(_entered(lattice, kinds, at, target))

    def cross(risk: tuple[int, int], step: int) -> tuple[int, int]:
        first, hardest = risk
        for ground in entered(step):
            first = ground if first < 0 else first
            hardest = max(hardest, hardness((first,) if ground == first else (first, ground)))
        return first, hardest

    return steps, Measure((-1, 0), cross, lambda a, b: a[1] <= b[1], itemgetter(1))


def _entered(lattice: Lattice, kinds: Any, at: int, target: int) -> list[int]:
    """The kinds of ground of the cells that a step newly covers."""
    site = lattice.site
    start, end = lattice.state(at), lattice.state(target)
    if start.cell == end.cell:
        return []
    before = set(body(site, start))
    places = (site.place(cell) for cell in body(site, end) if cell not in before)
    return [int(kinds[place]) for place in places if place is not None]


def _made(lattice: Lattice, steps: Steps, trail: Trail) -> tuple[Step, ...]:
    made = []
    while trail is not None:
        step, trail = trail
        made.append((steps.source[step], steps.target[step], steps.ticks[step], steps.slot[step]))
    return _explained(lattice, made[::-1])


def _explained(lattice: Lattice, edges: Iterable[Edge]) -> tuple[Step, ...]:
    return tuple(explain(lattice, *edge) for edge in edges)


def _marked(
    lattice: Lattice, columns: Array, risks: Iterable[Risk], join: Callable[[Risk, Risk], Risk], measure: Measure
) -> tuple[Steps, Measure]:
    """Steps of which each adds a risk of its own, in the order of the columns, to what was risked before."""
    numbers: dict[Risk, int] = {}
    columns[4] = [numbers.setdefault(risk, len(numbers)) for risk in risks]
    steps, known = Steps.of(lattice.nodes, columns), list(numbers)
    more = [known[mark] for mark in steps.mark]
    return steps, measure._replace(add=lambda risk, step: join(risk, more[step]) if more[step] else risk)


def _struck(disengaged: bool, lattice: Lattice, nodes: Array) -> tuple[Steps, Measure]:
    """The enemies that strike, one bit for each: a step provokes those whose reach it leaves."""
    site, room, draft = lattice.site, lattice.draft.room, lattice.draft
    near = np.zeros((len(draft.forms), room), dtype=object)
    for bit, enemy in enumerate(() if disengaged else site.enemies):
        places = [place for cell in site.threatened_by(enemy) if (place := site.place(cell)) is not None]
        for number, form in enumerate(draft.forms):
            for level, j, i in {(level, j - dj, i - di) for level, j, i in places for di, dj in form.cells}:
                if j >= 0 and i >= 0:
                    near[number, draft.node(0, (level, j, i))] |= 1 << bit
    columns = _plain(lattice, nodes)
    source, target, _, slot, _ = columns
    form_of = np.array([layer.squeezed for layer in draft.layers])
    provokes = np.array([lattice.provokes(n) for n in range(len(lattice.slots) + len(lattice.writer.loose))], bool)
    moves = (source % room != target % room) & provokes[slot]
    before, after = near[form_of[source // room], source % room], near[form_of[target // room], target % room]
    left = [one & ~other if moved else 0 for one, other, moved in zip(before, after, moves.tolist(), strict=True)]
    measure = Measure(0, _never, lambda a, b: a | b == b, int.bit_count)
    return _marked(lattice, columns, left, or_, measure)


def _exposed(lattice: Lattice, nodes: Array) -> tuple[Steps, Measure]:
    """The cells with a hazard that are entered."""
    site, room = lattice.site, lattice.draft.room
    columns, hazard = _plain(lattice, nodes), site.core(site.fact("hazard")).reshape(-1)
    entered = (columns[0] % room != columns[1] % room) & hazard[columns[1] % room].astype(bool)
    return _marked(lattice, columns, entered.astype(int).tolist(), add, Measure(0, _never, le, int))


def _hurt(lattice: Lattice, nodes: Array) -> tuple[Steps, Measure]:
    """The damage of falls."""
    known: list[Fraction] = [Fraction(0)]

    def hurt(node: int, target: int, ticks: int, slot: int) -> int:
        damage = explain(lattice, node, target, ticks, slot).damage
        if damage not in known:
            known.append(damage)
        return known.index(damage)

    steps, others = stencil(lattice, nodes), loose(lattice, nodes)
    falls = np.zeros(steps.shape[1], dtype=np.int64)
    down = _down(lattice)[steps[0], steps[3]]
    falls[down] = per_kind(lattice, steps[:, down], hurt)
    falls = np.concatenate([falls, [hurt(*step) for step in others.T.tolist()]]).astype(np.int64)
    columns = np.vstack([np.concatenate([steps, others], axis=1), falls])
    risks = [known[number] for number in falls.tolist()]
    return _marked(lattice, columns, risks, add, Measure(Fraction(0), _never, le, _itself))


def _down(lattice: Lattice) -> Array:
    """Per node and slot: whether a step leads down, so that somebody may fall."""
    draft = lattice.draft
    out = np.zeros((len(draft.layers), draft.room, len(lattice.slots)), dtype=bool)
    for n, layer in enumerate(draft.layers):
        for slot, meaning in enumerate(lattice.slots):
            rise = None if meaning.k < 0 else draft.planes[layer.squeezed][meaning.k].rise
            if rise is not None and draft.profile.fall is not None:
                out[n, :, slot] = (rise < 0).reshape(-1)
    return out.reshape(lattice.nodes, -1)


def _itself(risk: Risk) -> Risk:
    return risk


def _never(risk: Risk, step: int) -> Risk:
    raise AssertionError("the steps are not marked yet")
