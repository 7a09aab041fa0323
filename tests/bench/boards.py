"""Maps to measure on: squares in layers (postures), with walls and dear ground, as arrays and as networkx graphs."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import networkx as nx
import numpy as np

from tactical.search.compiled import Compiled, width_for

MOVES = [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)]


@dataclass
class Board:
    """A compiled map with the cells one can stand on."""

    compiled: Compiled
    free: np.ndarray[Any, Any]
    seed: int

    def sources(self, count: int) -> list[int]:
        """Different places to start from (in the first layer)."""
        rng = np.random.default_rng(self.seed + 1)
        return [int(each) for each in rng.choice(np.flatnonzero(self.free), count)]

    def label(self, node: int) -> tuple[int, int, int]:
        """Row, column and layer of a node: what it is called in the networkx graph."""
        layer, cell = divmod(node, self.compiled.cells)
        return (*divmod(cell, self.side), layer)

    @property
    def side(self) -> int:
        """How many cells the map is wide."""
        return math.isqrt(self.compiled.cells)

    @cached_property
    def graph(self) -> nx.DiGraph:
        """The same map as dictionaries, as one would write it: an edge at a time, with attributes."""
        graph, labels = nx.DiGraph(), [self.label(node) for node in range(self.compiled.nodes)]
        for node, (row, col, layer) in enumerate(labels):
            free = bool(self.free[node % self.compiled.cells])
            graph.add_node((row, col, layer), pos=(col, row), posture=layer, free=free)
        for node, label in enumerate(labels):
            for target, ticks, slot in self.compiled.steps(node):
                graph.add_edge(label, labels[target], weight=ticks, way=slot)
        return graph


def terrain(side: int, walls: float, costs: tuple[int, ...], seed: int) -> tuple[Any, Any]:
    """Which cells are free, and the factor of each."""
    rng = np.random.default_rng(seed)
    return rng.random((side, side)) >= walls, rng.choice(costs, size=(side, side))


def compile_board(free: Any, factor: Any, layers: int) -> Compiled:
    """Ticks: 2 straight, 3 diagonal, times the factor of the ground, times layer + 1; down a layer 1, up 3.  Corners
    are free."""
    height, width = free.shape
    slots = len(MOVES) + (2 if layers > 1 else 0)
    kind = width_for(3 * int(factor.max()) * layers)
    weight = np.zeros((layers, height, width, slots), kind)
    offset = np.zeros((layers, slots), np.int64)
    for k, (dr, dc) in enumerate(MOVES):
        r0, r1, c0, c1 = max(0, -dr), height - max(0, dr), max(0, -dc), width - max(0, dc)
        there = free[r0 + dr : r1 + dr, c0 + dc : c1 + dc]
        open_ = free[r0:r1, c0:c1] & there
        price = (3 if dr and dc else 2) * factor[r0 + dr : r1 + dr, c0 + dc : c1 + dc]
        offset[:, k] = dr * width + dc
        for layer in range(layers):
            weight[layer, r0:r1, c0:c1, k] = np.where(open_, price * (layer + 1) + 1, 0)
    for k, up, ticks in ((8, 1, 1), (9, -1, 3)) if layers > 1 else ():
        for layer in range(layers):
            if 0 <= layer + up < layers:
                offset[layer, k] = up * height * width
                weight[layer, :, :, k] = np.where(free, ticks + 1, 0)
    return Compiled(layers, height * width, slots, weight.reshape(-1, slots), offset)


def board(side: int, layers: int = 1, walls: float = 0.2, costs: tuple[int, ...] = (1, 2, 4), seed: int = 0) -> Board:
    """A square map."""
    free, factor = terrain(side, walls, costs, seed)
    return Board(compile_board(free, factor, layers), free.reshape(-1), seed)
