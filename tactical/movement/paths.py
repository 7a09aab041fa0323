"""The one route among many of equal cost: fewer diagonals, then straighter, then in cell order.

A search leaves the distance of every node; the edges that are *tight* (distance + ticks = distance of the target)
form the shortest ways.  From the goal backwards that little graph is collected, and forwards every node keeps its
best key.
"""

from __future__ import annotations

from functools import cache
from itertools import pairwise

from tactical.movement.kernel import Settled
from tactical.movement.lattice import Lattice

Edge = tuple[int, int, int, int]
"""(node, target, ticks, slot)"""


class Arrivals:
    """The edges into a node, found without turning the whole graph round."""

    def __init__(self, lattice: Lattice) -> None:
        self.lattice = lattice
        compiled, room = lattice.compiled, lattice.draft.room
        self.weight, self.room = compiled.weight, room
        self.into: dict[int, list[tuple[int, int, int]]] = {}
        written = {(layer, slot): target for layer, slot, target, _ in lattice.writer.parts}
        for (layer, slot), target in sorted(written.items()):
            self.into.setdefault(target, []).append((layer, slot, int(compiled.offset[layer, slot])))
        self.loose: dict[int, list[tuple[int, int, int]]] = {}
        for n, (start, end, ticks, _, _) in enumerate(lattice.writer.loose):
            self.loose.setdefault(end, []).append((start, ticks, len(lattice.slots) + n))

    def edges(self, node: int) -> list[Edge]:
        """Every edge that ends at `node`."""
        out = []
        nodes = len(self.weight)
        for layer, slot, offset in self.into.get(node // self.room, ()):
            start = node - offset
            if 0 <= start < nodes and start // self.room == layer:
                weight = int(self.weight[start, slot])
                if weight:
                    out.append((start, node, weight - 1, slot))
        for start, ticks, slot in self.loose.get(node, ()):
            out.append((start, node, ticks, slot))
        return out


def best_path(lattice: Lattice, settled: Settled, goal: int, *, plain: bool) -> list[Edge]:
    """The edges from a source of the search to `goal`.

    `plain` says that costs simply add up; where they do not (roundings, pools) the search's own predecessors are taken.
    """
    if not plain:
        return _traced(lattice, settled, goal)
    cost, place = settled.dist, settled.places
    arrivals = lattice.arrivals
    tight: dict[int, list[Edge]] = {}
    stack = [goal]
    parent = settled.parent
    while stack:
        node = stack.pop()
        if node in tight:
            continue
        here = place[node]
        if parent[here] < 0:
            tight[node] = []
            continue
        tight[node] = [
            edge
            for edge in arrivals.edges(node)
            if edge[0] in place and place[edge[0]] < here and cost[edge[0]] + edge[2] == cost[node]
        ]
        stack.extend(edge[0] for edge in tight[node])
    heading = _headings(lattice)
    best: dict[int, tuple[int, int, int, int]] = {}
    chosen: dict[int, Edge] = {}
    facing: dict[int, int] = {}
    for node in sorted(tight, key=place.__getitem__):
        keyed = None
        for edge in tight[node]:
            diagonals, steps, bends, _ = best[edge[0]]
            diagonal, way = heading(edge[3])
            bend = int(way != facing[edge[0]] and way >= 0 and facing[edge[0]] >= 0)
            key = (diagonals + diagonal, steps + 1, bends + bend, edge[0] % lattice.draft.room)
            if keyed is None or key < keyed:
                keyed, chosen[node] = key, edge
                facing[node] = way if way >= 0 else facing[edge[0]]
        if keyed is None:
            keyed, facing[node] = (0, 0, 0, 0), -1
        best[node] = keyed
    path = []
    node = goal
    while node in chosen:
        path.append(chosen[node])
        node = chosen[node][0]
    return path[::-1]


def _headings(lattice: Lattice):  # type: ignore[no-untyped-def]
    @cache
    def heading(slot: int) -> tuple[int, int]:
        if slot >= len(lattice.slots) or lattice.slots[slot].k < 0:
            return 0, -1
        k = lattice.slots[slot].k
        return int(lattice.site.directions[k].diagonal), k

    return heading


def _traced(lattice: Lattice, settled: Settled, goal: int) -> list[Edge]:
    out = []
    trail = settled.trail(goal)
    for before, after in pairwise(trail):
        start, end, slot = int(settled.node[before]), int(settled.node[after]), int(settled.slot[after])
        ticks = next(t for to, t, s in lattice.edges(start) if s == slot and to == end)
        out.append((start, end, ticks, slot))
    return out
