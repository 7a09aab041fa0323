"""Rolls on the way: where single steps, stretches or rounds are rolled for, cost and chance are weighed together.

A chance is a fraction that nobody shortens: above and below the line, and what they come to as a float.  Floats are
rounded correctly, so that of two that differ the greater stands for the greater chance; where they are equal the
fractions decide.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from itertools import chain, count, repeat
from typing import TYPE_CHECKING, Any

import numpy as np

from tactical.movement.graph.lattice import Lattice
from tactical.movement.graph.writer import Edge
from tactical.movement.planning.ahead import left_to
from tactical.movement.query import Query
from tactical.movement.rolls.rolled import Likely
from tactical.movement.rolls.rolling import Rolling, Steps
from tactical.movement.steps.shortest import traced
from tactical.movement.turns.rings import unrolled
from tactical.search.kernel import search
from tactical.search.slices import Slices
from tactical.units import Cell

if TYPE_CHECKING:
    from tactical.movement.graph.frame import Array
    from tactical.search.result import Settled

NEVER = 2**62
NOTHING, SURE = Fraction(-1), Fraction(1)
STEPS = 256
"""Labels settled in a slice: a millisecond at about."""


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
        return self._trail() if callable(self._trail) else unrolled(self._trail)


class Likeliest:
    """The best chance of every place that was offered one, and the least ticks for it."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[float, int, int, int]] = {}

    def offer(self, place: int, above: int, below: int, ticks: int) -> None:
        """Keep a chance if it is better, or as good for less."""
        chance, known = above / below, self._known.get(place)
        if known is not None:
            best, over, under, cost = known
            if chance < best:
                return
            if chance == best:
                here, there = above * under, over * below
                if here < there or (here == there and ticks >= cost):
                    return
        self._known[place] = chance, above, below, ticks

    def best(self) -> Iterator[tuple[int, Fraction, int]]:
        """Place, chance and ticks, in the order in which the places were first offered one."""
        for place, (_, above, below, ticks) in self._known.items():
            yield place, Fraction(above, below), ticks


@dataclass(frozen=True)
class Span:
    """What a gait may come to, in ticks: at least and at most.

    Where it is `even`, all its moves go equally well but for what is rolled for on the way, however long they are.
    """

    least: int
    most: int
    even: bool


@dataclass(frozen=True)
class Labels:
    """The ways of a pool that may be the likeliest to their node: node, ticks, and the chance above and below the line.

    Those by which nothing is rolled for are as a search has `settled` them.
    """

    lattice: Lattice
    spent: Fraction
    settled: Settled
    found: Sequence[tuple[int, int, int, int]]

    def best(self, likely: Likely, span: Span) -> Iterable[tuple[int, Fraction, int]]:
        """Place, chance and ticks of the likeliest way of a gait to every place."""
        lattice, room, best = self.lattice, self.lattice.draft.room, Likeliest()
        spent, stops = self.spent, lattice.stops.data

        @cache
        def before(ticks: int) -> tuple[int, int] | None:
            parts = likely(lattice.cost(ticks) - spent if spent else lattice.cost(ticks), ())
            return None if parts is None else (parts[0].numerator, parts[0].denominator)

        for node, ticks, above, below in chain(self._sure(before, span), self.found):
            if not span.least <= ticks <= span.most or not stops[node]:
                continue
            part = before(ticks)
            if part is not None:
                best.offer(node % room, above * part[0], below * part[1], ticks)
        return best.best()

    def _sure(self, before: Callable[[int], tuple[int, int] | None], span: Span) -> Iterable[tuple[int, int, int, int]]:
        """Of the ways by which nothing is rolled for, the cheapest to a place of those as likely."""
        node, ticks = self.settled.node, self.settled.cost
        ends = self.lattice.stops[node] & (ticks >= span.least) & (ticks <= span.most)
        node, ticks = node[ends].astype(np.int64), ticks[ends]
        prices, which = np.unique(ticks, return_inverse=True)
        parts: dict[tuple[int, int] | None, int] = {}
        number = np.array([parts.setdefault(before(each), len(parts)) for each in prices.tolist()], dtype=np.int64)
        _, first = np.unique(node % self.lattice.draft.room * len(parts) + number[which], return_index=True)
        first.sort()
        return zip(node[first].tolist(), ticks[first].tolist(), repeat(1), repeat(1), strict=False)


def labels(query: Query, lattice: Lattice, start: int, spans: Sequence[Span]) -> Slices[Labels]:
    """In slices: every way that may be the likeliest to its node, where no ground asks for a roll of its own.

    What needs no roll that may fail is searched first: it comes to its nodes at the least cost and for certain, so that
    of the rest only those ways are weighed that enter a step which may, and only as far as they may be better.  They
    are weighed by falling chance: of those to a node each has to be cheaper than all before it, and where the gaits
    are even, the first to a place is its best, so that it is over when every place has one.
    """
    nodes, most = lattice.nodes, max(span.most for span in spans)
    begun = lattice.draft.ticks(query.turn.spent)
    rolling = Rolling(lattice, query.turn.passed)
    every = search(lattice.compiled, [start], costs=[begun], budget=most)
    yield
    steps = rolling.steps(every.node)
    yield
    settled = search(rolling.sure(steps), [start], costs=[begun], budget=most)
    found: list[tuple[int, int, int, int]] = []
    wanted = _Wanted(lattice, every, settled, spans, begun)
    dense = settled.dense(NEVER)
    sure = dense.tolist()
    kept: dict[int, _Label] = {}
    queue: list[_Label] = []
    offer = _offers(rolling, steps, sure, most, kept, queue)
    for step in _first_rolled(rolling, steps, dense, most):
        offer((step,), sure[steps.source[step]], 1, 1, 0, -1.0)
    done = 0
    while queue and not wanted.over(-queue[0][0]):
        label = heapq.heappop(queue)
        minus, cost, node, state, above, below = label
        if _beaten(label, kept.get(state * nodes + node)):
            continue
        kept[state * nodes + node] = label
        found.append((node, cost, above, below))
        wanted.take(node, cost, -minus)
        offer(range(steps.begin[node], steps.begin[node + 1]), cost, above, below, state, minus)
        done += 1
        if done % STEPS == 0:
            yield
    return Labels(lattice, query.turn.spent, settled, found)


def _first_rolled(rolling: Rolling, steps: Steps, sure: Array, most: int) -> list[int]:
    """The steps by which a way that has rolled for nothing comes to roll, but those that nobody wants: too dear, or no
    cheaper than the way for sure."""
    source, target, ticks, _, roll = steps.columns
    rolled = roll.nonzero()[0]
    after = sure[source[rolled]] + ticks[rolled]
    # who rolls for the round or a stretch is in another state after it, which may be worth more than what is sure
    taken = (rolling.taken(0, one) for one in range(len(rolling.rolls)))
    as_before = np.array([found is not None and not found[2] for found in taken])
    wanted = (after <= most) & ~(as_before[roll[rolled]] & (sure[target[rolled]] <= after))
    found: list[int] = rolled[wanted].tolist()
    return found


_Label = tuple[float, int, int, int, int, int]
"""The chance as a float below 0, ticks, node, the number of its rolls, the chance above and below the line."""


def _offers(
    rolling: Rolling, steps: Steps, sure: Sequence[int], most: int, kept: Mapping[int, _Label], queue: list[_Label]
) -> Callable[[Iterable[int], int, int, int, int, float], None]:
    """What queues the labels of some steps after one that costs so much, goes so well, and has that state.

    None that costs more than `most`, or is beaten by what goes for `sure`, was `kept` or waits already.
    """
    nodes, targets, prices, rolls = rolling.lattice.nodes, steps.target, steps.ticks, steps.mark
    waiting: dict[int, _Label] = {}
    # by state of the way and roll: the chance of the step above and below the line, and the state after it
    then_of: list[dict[int, tuple[int, int, int] | None]] = []

    def offer(steps: Iterable[int], cost: int, above: int, below: int, state: int, minus: float) -> None:
        while len(then_of) <= state:
            then_of.append({})
        known = then_of[state]
        for step in steps:
            after, roll = cost + prices[step], rolls[step]
            if after > most:
                continue
            if roll not in known:
                known[roll] = rolling.taken(state, roll)
            taken = known[roll]
            if taken is None:
                continue
            more, less, then = taken
            target = targets[step]
            if not then and sure[target] <= after:
                continue
            if more == less:
                label = minus, after, target, then, above, below
            else:
                label = -(above * more) / (below * less), after, target, then, above * more, below * less
            key = then * nodes + target
            if not _beaten(label, kept.get(key)) and not _beaten(label, waiting.get(key)):
                waiting[key] = label
                heapq.heappush(queue, label)

    return offer


def _beaten(label: _Label, known: _Label | None) -> bool:
    """Whether another label of the same node and rolls is as good as one."""
    if known is None or known[1] > label[1] or known[0] > label[0]:
        return False
    # floats that are equal may stand for chances that are not
    return known[0] < label[0] or known[4] * label[5] >= label[4] * known[5]


class _Wanted:
    """The places that even gaits end on and have no way to yet; other gaits want all ways."""

    def __init__(self, lattice: Lattice, every: Settled, sure: Settled, spans: Sequence[Span], begun: int) -> None:
        self.room, self.stops = lattice.draft.room, lattice.stops.tolist()
        self.all = not all(span.even and span.least <= begun for span in spans)
        self.limits = sorted({span.most for span in spans})
        self.left = [_ends(lattice, every, most) - _ends(lattice, sure, most) for most in self.limits]
        self.last = 1.0

    def take(self, node: int, ticks: int, chance: float) -> None:
        """A way that has been found."""
        if self.stops[node]:
            for most, left in zip(self.limits, self.left, strict=True):
                if ticks <= most and node % self.room in left:
                    left.discard(node % self.room)
                    self.last = chance

    def over(self, chance: float) -> bool:
        """Whether no way of so little a chance can be wanted."""
        return not self.all and chance < self.last and not any(self.left)


def _ends(lattice: Lattice, settled: Settled, most: int) -> set[int]:
    """The places that a search ends on."""
    node = settled.node[settled.cost <= most]
    return set((node[lattice.stops[node]] % lattice.draft.room).tolist())


def weighed(
    query: Query,
    lattice: Lattice,
    most: Fraction,
    likely: Likely,
    asked: Sequence[Mapping[str, int]],
    goal: Cell | None = None,
    minimum: Fraction = Fraction(0),
) -> Iterator[Weighed]:
    """Every way that no other to its node beats in both cost and chance; `asked` are the rolls that grounds ask for.

    With a `goal` only ways that end there, `minimum` long at least, and go well more likely than all cheaper ones.
    """
    kinds, room, spent = lattice.site.core(lattice.site.kind).reshape(-1), lattice.draft.room, query.turn.spent
    start, budget, least = lattice.node(query.start), lattice.whole(most), lattice.least(minimum)
    assert start is not None
    place = None if goal is None else lattice.site.place(goal)
    if goal is not None and place is None:
        return
    there = -1 if place is None else lattice.draft.node(0, place)
    ahead = None if goal is None else left_to(lattice, goal, budget)
    rolling = Rolling(lattice, query.turn.passed)
    begun = lattice.draft.ticks(spent)
    reached = search(lattice.compiled, [start], costs=[begun], budget=budget).node
    steps = rolling.steps(reached)
    best = Fraction(-1)
    kept: dict[tuple[int, int], Fraction] = {}
    order = count()
    queue: list[tuple[int, float, int, int, int, Fraction, Any]] = [(begun, -1.0, next(order), start, 0, SURE, None)]
    while queue:
        cost, _, _, node, state, chance, trail = heapq.heappop(queue)
        if kept.get((node, state), NOTHING) >= chance or chance <= best:
            continue
        kept[node, state] = chance
        if goal is None or node % room == there:
            before = likely(lattice.cost(cost) - spent, rolling.states[state].grounds)
            if before is not None:
                way = Weighed(node, lattice.cost(cost), chance * before[0], chance * before[1], trail)
                yield way
                if goal is not None and cost >= least and lattice.stops[node]:
                    best = max(best, way.clean)
        for step in range(steps.begin[node], steps.begin[node + 1]):
            target, after = steps.target[step], cost + steps.ticks[step]
            if after > budget or (ahead is not None and not 0 <= ahead[target % room] <= budget - after):
                continue
            taken = rolling.taken(state, steps.mark[step])
            if taken is None:
                continue
            above, below, then = taken
            ground = int(kinds[target % room])
            if node % room != target % room and asked[ground]:
                then = rolling.entered(then, ground)
            part = chance if above == below else chance * Fraction(above, below)
            if kept.get((target, then), NOTHING) < part:
                edge = (node, target, steps.ticks[step], steps.slot[step])
                heapq.heappush(queue, (after, -float(part), next(order), target, then, part, (edge, trail)))


def first_way(lattice: Lattice, reached: Settled, there: int, least: int = 0) -> list[Edge]:
    """The cheapest way, `least` ticks long at least, on which a search ends at a place; no steps: there is none."""
    node = reached.node
    ends = (node % lattice.draft.room == there) & lattice.stops[node] & (reached.cost >= least)
    return traced(lattice, reached, int(node[ends.argmax()])) if ends.any() else []


def safe(
    query: Query,
    lattice: Lattice,
    most: Fraction,
    likely: Likely,
    asked: Sequence[Mapping[str, int]],
    goal: Cell,
    minimum: Fraction,
) -> Weighed | None:
    """The cheapest way to a goal where nothing on it can fail, so that no other beats it; None where something can."""
    start, place, room = lattice.node(query.start), lattice.site.place(goal), lattice.draft.room
    if start is None or place is None:
        return None
    begun, least = lattice.draft.ticks(query.turn.spent), lattice.least(minimum)
    reached = search(lattice.compiled, [start], costs=[begun], budget=lattice.whole(most))
    way = first_way(lattice, reached, lattice.draft.node(0, place), least)
    kinds = lattice.site.core(lattice.site.kind).reshape(-1)
    if not way or any(begin % room != end % room and asked[kinds[end % room]] for begin, end, _, _ in way):
        return None
    rolling = Rolling(lattice, query.turn.passed)
    steps = rolling.steps(np.array([edge[0] for edge in way], dtype=np.int64))
    marks = {(begin, slot): mark for begin, slot, mark in zip(steps.source, steps.slot, steps.mark, strict=True)}
    if any(rolling.taken(0, marks[begin, slot]) != (1, 1, 0) for begin, _, _, slot in way):
        return None
    cost = lattice.cost(begun + sum(ticks for _, _, ticks, _ in way))
    before = likely(cost - query.turn.spent, rolling.states[0].grounds)
    return Weighed(way[-1][1], cost, *before, lambda: way) if before is not None and before[1] == SURE else None
