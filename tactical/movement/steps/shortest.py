"""The one route among many of equal cost: the easier roll, fewer attacks, fewer diagonals, straighter, in cell order.

A search leaves the distance of every node; the edges that are *tight* (distance + ticks = distance of the target)
form the shortest ways.  From the goal backwards that little graph is collected, and forwards every node keeps its
best key.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from tactical.movement.graph.lattice import Lattice
from tactical.movement.graph.writer import Edge
from tactical.search.kernel import Settled

if TYPE_CHECKING:
    from numpy.typing import NDArray


MOST_CHOSEN = 50_000
"""So many nodes' best steps are kept for the next way of a search."""
Key = tuple[int, int, int, int, int, int]
"""The hardest ground entered, steps that invite attacks, diagonals, steps, bends, and the place come from."""


class Tree:
    """The best ways of one search to every node, found when asked for and kept: all routes of a reach share them.

    `plain` says that costs simply add up; where they do not (roundings, pools) the search's own predecessors are taken.
    `earlier` gives, per node, what its way had cost in the turns before: among ways of equal cost in this turn only
    those that cost as much before count, so that a route costs what its reach said.
    """

    def __init__(
        self,
        lattice: Lattice,
        settled: Settled,
        *,
        plain: bool = True,
        earlier: Callable[[], NDArray[np.int64]] | None = None,
    ) -> None:
        self.lattice, self.settled, self.plain = lattice, settled, plain
        self._look_back = earlier
        self.chosen: dict[int, Edge | None] = {}
        self._keys: dict[int, Key] = {}
        self._facing: dict[int, int] = {}

    @cached_property
    def _earlier(self) -> NDArray[np.int64] | None:
        return None if self._look_back is None else self._look_back()

    def path(self, goal: int) -> list[Edge]:
        """The edges from a source of the search to `goal`."""
        if not self.plain:
            return traced(self.lattice, self.settled, goal)
        self._settle(goal)
        path, nodes = [], [goal]
        edge = self.chosen[goal]
        while edge is not None:
            path.append(edge)
            nodes.append(edge[0])
            edge = self.chosen[edge[0]]
        if len(self.chosen) > MOST_CHOSEN:
            # on wide open ground there are many ways as good: of these the one that was taken is kept
            self.chosen = {node: self.chosen[node] for node in nodes}
            self._keys = {node: self._keys[node] for node in nodes}
            self._facing = {node: self._facing[node] for node in nodes}
        return path[::-1]

    def easiest(self, node: int) -> int:
        """Of the states that a way may end in at this one's price, place and posture, the one with the best way there.

        They differ in what is counted only within the turn (odd diagonals, run-up), which nobody asked for.
        """
        if not self.plain or len(self.lattice.draft.layers) == 1:
            return node
        layers, room, cost = self.lattice.draft.layers, self.lattice.draft.room, self.settled.cost_of
        here, earlier, stops = layers[node // room], self._earlier, self.lattice.stops
        alike = [
            other
            for n, layer in enumerate(layers)
            if (layer.posture, layer.squeezed, layer.doors, layer.extra)
            == (here.posture, here.squeezed, here.doors, here.extra)
            and cost(other := n * room + node % room) == cost(node)
            and stops[other]
            and (earlier is None or earlier[other] == earlier[node])
        ]
        if len(alike) == 1:
            return node
        for other in alike:
            self._settle(other)
        # at an equal risk the state that the search offers stays
        return min(alike, key=lambda other: (self._keys[other][:2], other != node))

    def _settle(self, goal: int) -> None:
        """Choose an edge into `goal` and into everything on its shortest ways."""
        row_of, table, earlier = self.settled.row_of, self.settled.table, self._earlier
        into, loose, compiled = self.lattice.inward.into, self.lattice.inward.loose, self.lattice.compiled
        weights, room, slots = compiled.weight.reshape(-1).data, self.lattice.draft.room, compiled.slots
        # steps as single numbers, for on open ground there are many
        tight: dict[int, list[int]] = {}
        wide = self._wide
        stack = [goal]
        while stack:
            node = stack.pop()
            if node in tight or node in self.chosen:
                continue
            here, found = row_of(node), []
            if table[here, 2] >= 0:
                cost = table[here, 1]
                for layer, slot, offset in into.get(node // room, ()):
                    start = node - offset
                    # of those alone that may be tight
                    if start // room == layer and 0 <= (before := row_of(start)) < here:
                        weight = weights[start * slots + slot]
                        if weight and table[before, 1] + weight - 1 == cost:
                            found.append(start * wide + slot)
                for start, ticks, slot in loose.get(node, ()) if loose else ():
                    if 0 <= (before := row_of(start)) < here and table[before, 1] + ticks == cost:
                        found.append(start * wide + slot)
                if earlier is not None:
                    found = [step for step in found if earlier[step // wide] == earlier[node]]
                stack += [step // wide for step in found]
            tight[node] = found
        for node in sorted(tight, key=row_of):
            self._choose(node, tight[node])

    def _choose(self, node: int, into: list[int]) -> None:
        best: tuple[Key, int, int] | None = None
        lattice, room = self.lattice, self.lattice.draft.room
        here, headings = node % room, self.lattice.inward.headings
        hard, wide = lattice.profile.demand is not None, self._wide
        for step in into:
            start, slot = divmod(step, wide)
            hardest, attacks, diagonals, steps, bends, _ = self._keys[start]
            # steps that are none to a neighbour have no direction
            diagonal, way = headings[slot] if slot < len(headings) else (0, -1)
            before = self._facing[start]
            bend = int(way >= 0 and before >= 0 and way != before)
            attacks += lattice.attacked(start, node, slot)
            from_ = start % room
            if hard and from_ != here:
                hardest = max(hardest, lattice.hardness(node))
            key = (hardest, attacks, diagonals + diagonal, steps + 1, bends + bend, from_)
            if best is None or key < best[0]:
                best = (key, step, way if way >= 0 else before)
        self.chosen[node] = None if best is None else self._edge(node, *divmod(best[1], wide))
        self._keys[node] = (0, 0, 0, 0, 0, 0) if best is None else best[0]
        self._facing[node] = -1 if best is None else best[2]

    def _edge(self, node: int, start: int, slot: int) -> Edge:
        """A step of a shortest way: it costs what its ends are apart."""
        row_of, table = self.settled.row_of, self.settled.table
        return start, node, table[row_of(node), 1] - table[row_of(start), 1], slot

    @cached_property
    def _wide(self) -> int:
        """How many slots and extra edges there are."""
        return len(self.lattice.slots) + len(self.lattice.writer.loose)


def traced(lattice: Lattice, settled: Settled, goal: int) -> list[Edge]:
    """The edges by which a search itself came to a node."""
    out = []
    trail = settled.trail(goal)
    for before, after in pairwise(trail):
        start, end, slot = int(settled.node[before]), int(settled.node[after]), int(settled.slot[after])
        ticks = next(t for to, t, s in lattice.edges(start) if s == slot and to == end)
        out.append((start, end, ticks, slot))
    return out
