"""The turns of a plan, and the state graphs that it walks on: one for each set of doors opened, and unlike turn."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import lcm
from typing import NamedTuple

from tactical.movement.graph.lattice import Lattice
from tactical.movement.planning.ahead import Ahead
from tactical.movement.query import Query
from tactical.search.slices import Slices, at_once
from tactical.units import Cell
from tactical.world.edges.barriers import Kind
from tactical.world.window import Window


class Stage(NamedTuple):
    """One turn of a plan: what the rules say in it, the pool it is paid from, and its budget (None: without end)."""

    query: Query
    pool: str
    budget: Fraction | None


class Label(NamedTuple):
    """Where a plan stands: its turn, the doors it has opened, the node, and how many waypoints it has passed."""

    turn: int
    opened: frozenset[int]
    node: int
    passed: int


class Edge(NamedTuple):
    """Where an edge leads: the doors open then, the node, the cost, and the edge in its own lattice."""

    opened: frozenset[int]
    node: int
    cost: int
    edge: tuple[int, int, int, int]


class Finer(Exception):
    """A price is no whole number of the parts that a plan reckons in; it would be of `parts` of a unit."""

    def __init__(self, parts: int) -> None:
        super().__init__(parts)
        self.parts = parts


class Doors:
    """The lattices of the turns of a plan, one per set of doors that it has opened.

    All costs are whole numbers of parts of the rule system's unit, of which there are `parts` in one.  A lattice with
    a price that is none raises `Finer`.
    """

    def __init__(self, stages: Sequence[Stage], window: Window, limited: bool, parts: int) -> None:
        self.stages, self.window, self.limited, self.parts = stages, window, limited, parts
        self.budgets = [None if stage.budget is None else self.whole(stage.budget) for stage in stages]
        # turns of which the rules say the same share their graphs
        self.same = [next(n for n, known in enumerate(stages) if known[:2] == stage[:2]) for stage in stages]
        self.lattices: dict[tuple[int, frozenset[int]], Lattice] = {}
        self.known: dict[tuple[int, frozenset[int], int], list[Edge]] = {}

    def whole(self, amount: Fraction) -> int:
        """An amount in parts.  Raises `Finer`."""
        if self.parts % amount.denominator:
            raise Finer(lcm(self.parts, amount.denominator))
        return amount.numerator * (self.parts // amount.denominator)

    def of(self, label: Label) -> Lattice:
        """The state graph that a label's node is of."""
        return self.lattice(label.turn, label.opened)

    def drawing(self, turn: int, opened: frozenset[int]) -> Slices[Lattice]:
        """In slices: the state graph of a turn with some doors open."""
        key = (self.same[turn - 1], opened)
        if key not in self.lattices:
            query, pool, _ = self.stages[turn - 1]
            query = query if not opened else query.changed(opened=query.opened | opened)
            self.lattices[key] = yield from query.drawing_of(pool, self.window, limited=self.limited)
            self.whole(self.lattices[key].tick)
        return self.lattices[key]

    lattice = at_once(drawing)

    def rested(self, label: Label, keep_parity: bool) -> Label | None:
        """The label of the turn after one that ends here; None where its rules know no such state."""
        before = self.of(label)
        node = before.rested(label.node, keep_parity=keep_parity)
        after = self.lattice(label.turn + 1, label.opened)
        found = node if after is before else after.node(before.state(node))
        return None if found is None else label._replace(turn=label.turn + 1, node=found)

    def edges(self, label: Label) -> Slices[list[Edge]]:
        """In slices: the edges from a label's node; worked out once for all turns alike."""
        key = self.same[label.turn - 1], label.opened, label.node
        if key not in self.known:
            self.known[key] = yield from self._edges(label)
        return self.known[key]

    def _edges(self, label: Label) -> Slices[list[Edge]]:
        lattice, found = self.of(label), list[Edge]()
        tick = self.whole(lattice.tick)
        for target, ticks, slot in lattice.edges(label.node):
            opened = label.opened | opens(lattice, label.node, slot)
            node: int | None = target
            if opened != label.opened:
                node = (yield from self.drawing(label.turn, opened)).node(lattice.state(target))
            if node is not None:
                found.append(Edge(opened, node, ticks * tick, (label.node, target, ticks, slot)))
        return found

    def ahead(self, goals: Sequence[Cell], rounding: str, portion: int, reserve: int) -> Slices[Ahead | None]:
        """In slices: what plans must still spend; None where the turns differ, or one may leave many steps unpaid."""
        if any(self.same) or (portion and rounding == "enter_if_any_left"):
            return None
        barriers = enumerate(self.stages[0].query.battlemap.barriers)
        opened = yield from self.drawing(1, frozenset(n for n, barrier in barriers if barrier.kind is Kind.DOOR))
        # a turn may make one step that it cannot pay in full
        free = 0
        if rounding != "cover_full_cost":
            free = max(self.whole(one.cost(one.compiled.max_weight)) for one in (opened, self.lattice(1, frozenset())))
        have: list[int | None] = []
        for budget in reversed(self.budgets):
            after = have[-1] if have else -reserve
            have.append(None if budget is None or after is None else budget + free + after)
        return Ahead(opened, goals, have[::-1], self.whole(opened.tick))


def opens(lattice: Lattice, node: int, slot: int) -> frozenset[int]:
    """The doors that a step opens, where that matters later in the plan."""
    if slot >= len(lattice.slots) and lattice.draft.leaves is not None:
        edge = lattice.loose_edge(slot)
        return frozenset(lattice.state(edge.end).opened).difference(lattice.state(edge.start).opened)
    crossing = lattice.door_crossing(node, slot)
    if crossing is None or (not crossing.price and lattice.draft.door_limit is None):
        return frozenset()
    return frozenset(crossing.barriers)
