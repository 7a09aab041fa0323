"""The turns of plans while they are sought: one search each, and how a plan came to where it stands.

Plans stand in arrays, a row for each: of thousands that a turn can begin from few are ever asked for.  What a row means
is said when somebody asks (`Label`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from tactical.movement.graph.lattice import Lattice
from tactical.movement.graph.writer import Edge
from tactical.movement.query import Query
from tactical.movement.route import State
from tactical.movement.steps.shortest import Tree
from tactical.movement.turns.bands import Arrival, Band
from tactical.movement.turns.ends import Part
from tactical.movement.turns.memoryless import Turns
from tactical.movement.turns.rings import Trail, unrolled
from tactical.rules.profile import Gait
from tactical.search.kernel import Settled

if TYPE_CHECKING:
    from tactical.movement.turns.ends import Ints

MOST = 64
"""So many carried values are followed in a turn."""


class Label(NamedTuple):
    """Where a plan stands between two turns: the turn that led there (no `leg`: it stood) and the plan before it."""

    leg: Leg | None = None
    node: int = -1
    gait: str = ""
    before: Label | None = None


class Stride(NamedTuple):
    """What led plans from one turn to the next: a search at a gait, or standing still where they `stood`."""

    leg: Leg | None
    gait: str = ""
    stood: Standing | None = None


class Standing(NamedTuple):
    """Where plans stand between two turns, a row for each, in the order in which they were found.

    `state` is numbered alike for all graphs.  `paid` is what all turns have cost, in parts of `per` to one unit.  `by`
    is the number among the `strides` that led there (-1: nothing did, it is where plans begin), and `node` where that
    ended: a node of its graph, or a row of where plans stood.
    """

    state: Ints
    paid: Ints
    by: Ints
    node: Ints
    per: int
    strides: list[Stride]

    def label(self, row: int) -> Label:
        """One row in words."""
        if self.by[row] < 0:
            return Label()
        leg, gait, stood = self.strides[int(self.by[row])]
        if stood is not None:
            return Label(before=stood.label(int(self.node[row])))
        return Label(leg, int(self.node[row]), gait)

    def paid_in(self, per: int) -> Ints:
        """What was paid, in finer parts."""
        return self.paid if per == self.per else self.paid * (per // self.per)

    def chosen(self, rows: Ints) -> Standing:
        """Some of its rows."""
        return Standing(self.state[rows], self.paid[rows], self.by[rows], self.node[rows], self.per, self.strides)


def joined(parts: Sequence[Standing], per: int) -> Standing:
    """Several as one, all paid in the same parts of a unit."""
    if len(parts) == 1 and parts[0].per == per:
        return parts[0]
    columns = ((part.state, part.paid_in(per), part.by, part.node) for part in parts)
    state, paid, by, node = map(np.concatenate, zip(*columns, strict=True))
    return Standing(state, paid, by, node, per, parts[0].strides)


def least_first(place: Ints, *values: Ints) -> Ints:
    """Per place the row of the least values, compared in this order, of equal ones the first; by rising place."""
    order = np.arange(len(place))
    for column in (*values[::-1], place):
        order = order[np.argsort(column[order], kind="stable")]
    sorted_ = place[order]
    first = np.ones(len(order), dtype=bool)
    np.not_equal(sorted_[1:], sorted_[:-1], out=first[1:])
    return np.asarray(order[first])


class Sources(NamedTuple):
    """Where the search of a turn begins: nodes, those that have paid least first, and the plans that stand there."""

    node: Ints
    paid: Ints
    row: Ints
    standing: Standing

    @classmethod
    def at(cls, node: int, begin: Standing) -> Sources:
        """The one node where the first turn begins."""
        none, zero = np.array([-1]), np.array([0])
        return cls(np.array([node]), zero, zero, Standing(none, zero, none, none, begin.per, begin.strides))

    def label(self, node: int) -> Label:
        """The plan that stands on a node."""
        return self.standing.label(int(self.row[np.flatnonzero(self.node == node)[0]]))

    def alone(self, at: int) -> Sources:
        """One of them."""
        own = slice(at, at + 1)
        return Sources(self.node[own], self.paid[own], self.row[own], self.standing)


@dataclass(eq=False)
class Leg:
    """The search of one turn: its question and graph, what it settled, and the plans that stood where it began."""

    query: Query
    lattice: Lattice
    settled: Settled
    sources: Sources
    tree: Tree
    trails: Mapping[int, Trail] = field(default_factory=dict)

    @cached_property
    def prices(self) -> tuple[Ints, Ints]:
        """What plans had paid before the turn, the least first; and per source which of these it had paid."""
        found, which = np.unique(self.sources.paid, return_inverse=True)
        return found, which

    @cached_property
    def before(self) -> Ints:
        """Per settled row which of the prices its plan had paid before: of ways at one cost in this turn, the least."""
        if len(self.prices[0]) == 1:
            return np.zeros(len(self.settled), dtype=np.int64)
        node, parent = self.settled.node.astype(np.int64), self.settled.parent.astype(np.int64)
        root = np.where(parent < 0, np.arange(len(parent)), parent)
        while not np.array_equal(further := root[root], root):
            root = further
        found = self.begun_at(node[root])
        if self.tree.plain:
            self._cheapen(found, node, parent)
        return found

    def _cheapen(self, before: Ints, node: Ints, parent: Ints) -> None:
        """Hand the lower prices on along all steps of shortest ways, from the nearest nodes outwards."""
        compiled, cost = self.lattice.compiled, self.settled.cost
        row_of = np.full(compiled.nodes, -1, dtype=np.int64)
        row_of[node] = np.arange(len(node))
        start, end, ticks = compiled.steps_from(node)
        end = row_of[end]
        # a way never leads through where another one begins
        tight = (end > start) & (parent[end] >= 0) & (cost[start] + ticks == cost[end])
        start, end = start[tight], end[tight]
        order = cost[end].argsort(kind="stable")
        start, end = start[order], end[order]
        level = cost[end]
        bounds = [0, *(np.flatnonzero(np.diff(level)) + 1).tolist(), len(end)]
        free = bool((cost[start] == level).any())
        for first, last in pairwise(bounds):
            here, there = start[first:last], end[first:last]
            np.minimum.at(before, there, before[here])
            # steps that cost nothing stay within the level
            while free and (within := (cost[here] == cost[there]) & (before[here] < before[there])).any():
                np.minimum.at(before, there[within], before[here[within]])

    def begun_at(self, nodes: Ints) -> Ints:
        """What the plans that stand on these sources had paid, as a number of the prices."""
        order = np.argsort(self.sources.node)
        return np.asarray(self.prices[1][order[np.searchsorted(self.sources.node, nodes, sorter=order)]])

    def paid(self) -> Ints:
        """Per node a number for what the plan had paid before the turn, the same for the same price."""
        out = np.zeros(self.lattice.nodes, dtype=np.int64)
        out[self.settled.node] = self.before
        return out

    def edges(self, node: int) -> list[Edge]:
        """The edges of the turn that ends on a node."""
        return unrolled(self.trails[node]) if node in self.trails else self.tree.path(node)


Searched = tuple[Gait, Leg, Sequence[str]]
"""A gait with the search of its turn, and the modes that its graph knows."""


@dataclass(eq=False)
class Group:
    """The plans that go on with one carried value: the question of their next turn, and where they stand."""

    query: Query
    starts: Standing


class Ends(NamedTuple):
    """Where a turn of one gait can end: nodes and ticks, which of the prices the plan had paid before it, and the modes
    that it took (bits)."""

    leg: Leg
    node: Ints
    cost: Ints
    before: Ints
    modes: Ints


@dataclass(eq=False)
class PlanPart(Part):
    """The cells that plans add at one gait of one turn, by one search; `paid` is in parts of `per` to a unit."""

    leg: Leg | None = None
    per: int = 1

    def chosen(self, rows: Any) -> PlanPart:
        """Some of its rows."""
        more = (self.node[rows], self.spent[rows], self.paid[rows], self.leg, self.per)
        return PlanPart(self.lattice, self.pool, self.turn, self.limits, self.begun, *more)

    def costs(self) -> Iterable[Fraction]:
        """What each cell costs in all."""
        known = {paid: Fraction(paid, self.per) for paid in set(self.paid.tolist())}
        return [known[paid] for paid in self.paid.tolist()]

    def arrival(self, row: int) -> Arrival:
        """One row in words."""
        band, node = self.limits[0][0], int(self.node[row])
        spent, paid = self.lattice.cost(int(self.spent[row])), Fraction(int(self.paid[row]), self.per)
        return Arrival(band, 0, self.turn, node, spent, paid, plan=Label(self.leg, node, band.gait))


def turns_of(label: Label) -> list[tuple[Leg | None, str, int, list[Edge]]]:
    """The turns of a plan, the first one first: search, gait, the node it ends on, and edges; none where it stands."""
    out: list[tuple[Leg | None, str, int, list[Edge]]] = []
    at: Label | None = label
    while at is not None and (at.leg is not None or at.before is not None):
        if at.leg is None:
            out.append((None, "", -1, []))
            at = at.before
        else:
            edges = at.leg.edges(at.node)
            out.append((at.leg, at.gait, at.node, edges))
            at = at.leg.sources.label(edges[0][0] if edges else at.node)
    return out[::-1]


def end_of(arrival: Arrival, searches: Sequence[Turns] = ()) -> State:
    """The state that a way ends in, found by one of some `searches` or as a plan over turns."""
    label: Label | None = arrival.plan
    if label is None or label.leg is None:
        return searches[arrival.pool].lattice.state(arrival.node)
    return label.leg.lattice.state(label.node)


def parts_of(added: Iterable[tuple[int, Ends, str, Ints, Ints, int]], bands: Sequence[Band]) -> list[Part]:
    """The cells of later turns, each in the band of its turn and gait; see `Carried.added`."""
    named = {(band.turn, band.gait): band for band in bands}
    out: list[Part] = []
    for number, ends, gait, rows, paid, per in added:
        lattice = ends.leg.lattice
        band = named[number, gait]
        limits = ((band, 0, int(np.iinfo(np.int64).max)),)
        out.append(PlanPart(lattice, 0, number, limits, 0, ends.node[rows], ends.cost[rows], paid, ends.leg, per))
    return out


def hopeless(query: Query, gait: Gait) -> bool:
    """Whether a gait asks for a roll, wherever one goes, that cannot be passed."""
    demand, kept, key = query.profile.demand, query.terms.kept, ("hopeless", gait.name)
    if demand is not None and key not in kept:
        kept[key] = any(check.chance() == 0 for check in demand(gait.name, ()).checks)
    return bool(demand is not None and kept[key])
