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
NO_KEY: Key = (0, 0, 0, 0, 0, 0)


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
        self.chosen: dict[int, int] = {}
        """The best step into a node, as the number that `_settle` writes; -1: a way begins there."""
        self._keys: dict[int, Key] = {}
        self._facing: dict[int, int] = {}

    @cached_property
    def _earlier(self) -> memoryview | None:
        # to be read one number at a time
        return None if self._look_back is None else self._look_back().data

    def path(self, goal: int) -> list[Edge]:
        """The edges from a source of the search to `goal`."""
        if not self.plain:
            return traced(self.lattice, self.settled, goal)
        self._settle(goal)
        row_of, (ticks_of, _) = self.settled.row_of, self.settled.columns
        path, nodes, wide = list[Edge](), [goal], self._wide
        node, cost = goal, ticks_of[row_of(goal)]
        while (step := self.chosen[node]) >= 0:
            # a step of a shortest way costs what its ends are apart
            start, slot = divmod(step, wide)
            before = ticks_of[row_of(start)]
            path.append((start, node, cost - before, slot))
            nodes.append(start)
            node, cost = start, before
        if len(self.chosen) > MOST_CHOSEN:
            # on wide open ground there are many ways as good: of these the one that was taken is kept
            self.chosen = {node: self.chosen[node] for node in nodes}
            self._keys = {node: self._keys[node] for node in nodes}
            self._facing = {node: self._facing[node] for node in nodes}
        return path[::-1]

    def into(self, node: int) -> Edge | None:
        """The last edge of the way to a node, None where a way begins.

        Who asks for all nodes one after the other looks at each of them once: nothing is forgotten on the way.
        """
        if self.plain:
            if node not in self.chosen:
                self._settle(node)
            step, (ticks_of, _), row_of = self.chosen[node], self.settled.columns, self.settled.row_of
            if step < 0:
                return None
            start, slot = divmod(step, self._wide)
            return start, node, ticks_of[row_of(node)] - ticks_of[row_of(start)], slot
        row = self.settled.row_of(node)
        before = int(self.settled.parent[row])
        return None if before < 0 else _edge_between(self.lattice, self.settled, before, row)

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
        row_of, earlier = self.settled.row_of, self._earlier
        ticks_of, parent = self.settled.columns
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
            if parent[here] >= 0:
                cost = ticks_of[here]
                for layer, slot, offset in into.get(node // room, ()):
                    start = node - offset
                    # of those alone that may be tight
                    if start // room == layer and 0 <= (before := row_of(start)) < here:
                        weight = weights[start * slots + slot]
                        if weight and ticks_of[before] + weight - 1 == cost:
                            found.append(start * wide + slot)
                for start, ticks, slot in loose.get(node, ()) if loose else ():
                    if 0 <= (before := row_of(start)) < here and ticks_of[before] + ticks == cost:
                        found.append(start * wide + slot)
                if earlier is not None:
                    found = [step for step in found if earlier[step // wide] == earlier[node]]
                stack += [step // wide for step in found]
            tight[node] = found
        for node in sorted(tight, key=row_of):
            self._choose(node, tight[node])

    def _choose(self, node: int, into: list[int]) -> None:
        lattice, keys, facing, wide = self.lattice, self._keys, self._facing, self._wide
        room, headings = lattice.draft.room, lattice.inward.headings
        hard, threatened, here = lattice.profile.demand is not None, lattice.threatened, node % room
        best, chosen, ahead = NO_KEY, -1, -1
        for step in into:
            start, slot = divmod(step, wide)
            hardest, attacks, diagonals, steps, bends, _ = keys[start]
            # steps that are none to a neighbour have no direction
            diagonal, way = headings[slot] if slot < len(headings) else (0, -1)
            before = facing[start]
            from_ = start % room
            if threatened:
                attacks += lattice.attacked(start, node, slot)
            if hard and from_ != here:
                hardest = max(hardest, lattice.hardness(node))
            key = (hardest, attacks, diagonals + diagonal, steps + 1, bends + (-1 < way != before > -1), from_)
            if chosen < 0 or key < best:
                best, chosen, ahead = key, step, way if way >= 0 else before
        self.chosen[node], keys[node], facing[node] = chosen, best, ahead

    @cached_property
    def _wide(self) -> int:
        """How many slots and extra edges there are."""
        return len(self.lattice.slots) + len(self.lattice.writer.loose)


def traced(lattice: Lattice, settled: Settled, goal: int) -> list[Edge]:
    """The edges by which a search itself came to a node."""
    return [_edge_between(lattice, settled, *rows) for rows in pairwise(settled.trail(goal))]


def _edge_between(lattice: Lattice, settled: Settled, before: int, after: int) -> Edge:
    """The edge by which a search came from one of its rows to another."""
    start, end, slot = int(settled.node[before]), int(settled.node[after]), int(settled.slot[after])
    ticks = next(t for to, t, s in lattice.edges(start) if s == slot and to == end)
    return start, end, ticks, slot
