"""Other people's engines on the same one-layer map, as far as they are installed: each gives {(row, col): cost}.

A step costs the factor of the ground entered, in all eight directions, corners free.  Engines of another metric are
left out; those that have no budget search the whole map, and what is beyond it is dropped.
"""

from __future__ import annotations

import heapq
import importlib.util
from collections.abc import Callable, Iterator
from functools import cached_property
from itertools import pairwise
from typing import Any

import networkx as nx
import numpy as np

Place = tuple[int, int]
Ask = Callable[[Place], dict[Place, float]]
Way = Callable[[Place, Place], float]

NAMES = {
    "scipy": "scipy", "rustworkx": "rustworkx", "igraph": "igraph", "networkit": "networkit", "tcod": "tcod",
    "pathfinding": "pathfinding", "numba": "numba",
}  # fmt: skip
"""Peers and the modules they are in."""


def installed(name: str) -> bool:
    """Whether a peer can be measured here."""
    return importlib.util.find_spec(NAMES[name]) is not None


def absent() -> list[str]:
    """The peers that are not installed."""
    return [name for name in NAMES if not installed(name)]


class Ground:
    """A map as peers see it: which cells are free, and the factor of each."""

    def __init__(self, free: Any, factor: Any) -> None:
        self.free, self.factor = free, factor
        self.height, self.width = free.shape

    def steps(self) -> Iterator[tuple[int, int, int]]:
        """Every step as (from, to, cost), cells numbered row by row."""
        for row, col in np.argwhere(self.free).tolist():
            for there in self.around(row, col):
                yield row * self.width + col, there[0] * self.width + there[1], int(self.factor[there])

    def around(self, row: int, col: int) -> Iterator[Place]:
        """The free cells around one."""
        for r in range(max(row - 1, 0), min(row + 2, self.height)):
            for c in range(max(col - 1, 0), min(col + 2, self.width)):
                if (r, c) != (row, col) and self.free[r, c]:
                    yield r, c

    @cached_property
    def digraph(self) -> nx.DiGraph:
        """The map as one would write it for networkx."""
        graph = nx.DiGraph()
        graph.add_nodes_from((row, col) for row, col in np.argwhere(self.free).tolist())
        for start, end, cost in self.steps():
            graph.add_edge(divmod(start, self.width), divmod(end, self.width), weight=cost)
        return graph

    def _cells(self, costs: Any, budget: float) -> dict[Place, float]:
        costs = np.asarray(costs, dtype=float)
        near = np.flatnonzero(costs <= budget)
        rows, cols = np.divmod(near, self.width)
        return dict(zip(zip(rows.tolist(), cols.tolist(), strict=True), costs[near].tolist(), strict=True))

    # -- everything within a budget -----------------------------------------------------------------------------------

    def heapq(self, budget: float) -> Ask:
        """Twenty lines of Python."""
        free, factor = self.free.tolist(), self.factor.tolist()
        height, width = self.height, self.width

        def ask(start: Place) -> dict[Place, float]:
            costs: dict[Place, float] = {start: 0}
            done: dict[Place, float] = {}
            queue: list[tuple[float, Place]] = [(0, start)]
            while queue:
                cost, here = heapq.heappop(queue)
                if here in done:
                    continue
                done[here] = cost
                row, col = here
                for r in range(max(row - 1, 0), min(row + 2, height)):
                    for c in range(max(col - 1, 0), min(col + 2, width)):
                        if free[r][c]:
                            more = cost + factor[r][c]
                            if more <= budget and more < costs.get((r, c), more + 1):
                                costs[r, c] = more
                                heapq.heappush(queue, (more, (r, c)))
            return done

        return ask

    def networkx(self, budget: float) -> Ask:
        """networkx on dictionaries."""
        graph = self.digraph
        return lambda start: nx.single_source_dijkstra_path_length(graph, start, cutoff=budget)  # type: ignore[no-any-return]

    def scipy(self, budget: float) -> Ask:
        """scipy's compiled Dijkstra, with its limit."""
        from scipy.sparse import csr_array
        from scipy.sparse.csgraph import dijkstra

        start, end, cost = zip(*self.steps(), strict=True)
        size = self.height * self.width
        matrix = csr_array((cost, (start, end)), shape=(size, size), dtype=float)
        # older releases search with narrow indices alone
        matrix.indices, matrix.indptr = matrix.indices.astype("int32"), matrix.indptr.astype("int32")
        return lambda at: self._cells(dijkstra(matrix, indices=at[0] * self.width + at[1], limit=budget), budget)

    def rustworkx(self, budget: float) -> Ask:
        """rustworkx, which has no budget."""
        import rustworkx

        graph = rustworkx.PyDiGraph()
        graph.add_nodes_from(range(self.height * self.width))
        graph.add_edges_from(list(self.steps()))

        def ask(start: Place) -> dict[Place, float]:
            source = start[0] * self.width + start[1]
            found = rustworkx.dijkstra_shortest_path_lengths(graph, source, float)
            near = {divmod(node, self.width): cost for node, cost in found.items() if cost <= budget}
            return {start: 0.0, **near}

        return ask

    def igraph(self, budget: float) -> Ask:
        """igraph, which has no budget either."""
        import igraph

        start, end, cost = zip(*self.steps(), strict=True)
        graph = igraph.Graph(self.height * self.width, list(zip(start, end, strict=True)), directed=True)
        return lambda at: self._cells(graph.distances(at[0] * self.width + at[1], weights=list(cost))[0], budget)

    def networkit(self, budget: float) -> Ask:
        """networkit, whole map."""
        import networkit

        graph = networkit.Graph(self.height * self.width, weighted=True, directed=True)
        for start, end, cost in self.steps():
            graph.addEdge(start, end, cost)

        def ask(at: Place) -> dict[Place, float]:
            run = networkit.distance.Dijkstra(graph, at[0] * self.width + at[1], False)
            run.run()
            return self._cells(run.getDistances(), budget)

        return ask

    def tcod(self, budget: float) -> Ask:
        """tcod's dijkstra on the whole map."""
        import tcod.path

        cost = np.where(self.free, self.factor, 0).astype(np.int32)

        def ask(at: Place) -> dict[Place, float]:
            far = np.full(cost.shape, np.iinfo(np.int32).max, dtype=np.int32)
            far[at] = 0
            tcod.path.dijkstra2d(far, cost, 1, 1, out=far)
            return self._cells(far.reshape(-1), budget)

        return ask

    # -- one way ------------------------------------------------------------------------------------------------------

    def astar(self) -> Way:
        """networkx's A* with the number of steps as its bound."""
        graph = self.digraph

        def far(a: Place, b: Place) -> int:
            return max(abs(a[0] - b[0]), abs(a[1] - b[1]))

        def ask(start: Place, goal: Place) -> float:
            way = nx.astar_path(graph, start, goal, heuristic=far)
            return float(sum(graph.edges[a, b]["weight"] for a, b in pairwise(way)))

        return ask

    def rustworkx_astar(self) -> Way:
        """rustworkx' A*."""
        import rustworkx

        graph = rustworkx.PyDiGraph()
        graph.add_nodes_from(range(self.height * self.width))
        graph.add_edges_from(list(self.steps()))
        width = self.width

        def ask(start: Place, goal: Place) -> float:
            end = goal[0] * width + goal[1]
            way = rustworkx.astar_shortest_path(
                graph, start[0] * width + start[1], lambda node: node == end, float,
                lambda node: float(max(abs(node // width - goal[0]), abs(node % width - goal[1]))),
            )  # fmt: skip
            return float(sum(graph.get_edge_data(a, b) for a, b in pairwise(way)))

        return ask

    def pathfinding(self) -> Way:
        """python-pathfinding's A*, diagonals allowed."""
        from pathfinding.core.diagonal_movement import DiagonalMovement
        from pathfinding.core.grid import Grid
        from pathfinding.finder.a_star import AStarFinder

        matrix = np.where(self.free, self.factor, 0).tolist()

        def ask(start: Place, goal: Place) -> float:
            grid = Grid(matrix=matrix)
            finder = AStarFinder(diagonal_movement=DiagonalMovement.always)
            way, _ = finder.find_path(grid.node(start[1], start[0]), grid.node(goal[1], goal[0]), grid)
            return float(sum(matrix[node.y][node.x] for node in way[1:]))

        return ask
