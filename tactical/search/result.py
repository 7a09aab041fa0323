"""The answer of a search: what was reached, for how much and by which way, in arrays."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING

import numpy as np

from tactical.search.compiled import Compiled

if TYPE_CHECKING:
    from tactical.search.compiled import Array

FEW, SPARSE = 500, 64
"""Nodes up to which a dictionary is quickest, and how many nodes of a graph to one that was reached it is still not."""


class Settled:
    """Every node a search has reached, cheapest first, in arrays that are yours to keep.

    `node` and `cost` (ticks) tell which and for how much; `parent` is the *position* in these arrays from which it was
    reached (-1: a source) and `slot` the step used: a direction of the stencil, or `slots` + the index of an extra
    step (-1: a source).  Nodes of equal cost stand in the order in which they were first offered that cost.
    """

    __slots__ = ("_block", "_place", "compiled")

    def __init__(self, compiled: Compiled, block: Array) -> None:
        self.compiled, self._block = compiled, block
        self._place: Mapping[int, int] | None = None

    def on(self, compiled: Compiled) -> Settled:
        """The same answer, of a graph of the same nodes and steps."""
        return Settled(compiled, self._block)

    @property
    def node(self) -> Array:
        """The nodes reached, cheapest first."""
        return self._block[:, 0]

    @property
    def cost(self) -> Array:
        """The ticks to each of them."""
        # in 64 bits, whatever the search needed, so that reckoning with ticks cannot overflow
        return self._block[:, 1].astype(np.int64)

    @property
    def parent(self) -> Array:
        """The position each was reached from; -1 for a source."""
        return self._block[:, 2]

    @property
    def slot(self) -> Array:
        """The step each was reached by; -1 for a source."""
        return self._block[:, 3]

    def by_number(self) -> tuple[Array, Array]:
        """The nodes reached and the ticks to each, in the order of the nodes."""
        node = self._block[:, 0]
        # numbers of 16 bits are put in order by counting
        order = node.astype(np.uint16).argsort(kind="stable") if self.compiled.nodes <= 1 << 16 else node.argsort()
        # whole rows at once are had sooner than two columns
        rows = self._block.take(order, axis=0)
        return rows[:, 0], rows[:, 1].astype(np.int64)

    def __len__(self) -> int:
        return len(self._block)

    def __contains__(self, node: object) -> bool:
        return node in self.places

    @property
    def pred(self) -> Array:
        """The node each was reached from; -1 for a source."""
        node, parent = self.node, self.parent
        return np.where(parent < 0, -1, node[parent]) if len(self) else parent

    @property
    def places(self) -> Mapping[int, int]:
        """Where each node stands in the arrays; worked out at the first look."""
        if self._place is None:
            many = len(self) > FEW and self.compiled.nodes <= SPARSE * len(self)
            self._place = Places(self) if many else dict(zip(self.node.tolist(), range(len(self.node)), strict=True))
        return self._place

    @property
    def dist(self) -> Mapping[int, int]:
        """Node to ticks, cheapest first, without a dictionary being built until somebody looks a node up."""
        return Distances(self)

    @property
    def row_of(self) -> Callable[[int], int]:
        """Where a node stands in the arrays, as a function that is quick; -1: nowhere."""
        places = self.places
        if isinstance(places, Places):
            return places.row_of
        return lambda node: places.get(node, -1)

    @property
    def columns(self) -> tuple[memoryview, memoryview]:
        """Row by row the ticks, and the position each was reached from, to be read one number at a time."""
        return self._block[:, 1].data, self._block[:, 2].data

    def cost_of(self, node: int) -> int | None:
        """The ticks to `node`; None where it was not reached."""
        place = self.places.get(node)
        return None if place is None else int(self._block[place, 1])

    def cost_at(self, place: int) -> int:
        """The ticks of the node at a position of the arrays."""
        return int(self._block[place, 1])

    def dense(self, fill: int = -1) -> Array:
        """The ticks to every node of the graph in one array, `fill` where it was not reached."""
        out = np.full(self.compiled.nodes, fill, dtype=np.int64)
        out[self.node] = self.cost
        return out

    def path_to(self, node: int) -> list[int]:
        """The nodes from a source to `node`, both included.  KeyError where it was not reached."""
        return self.node[self.trail(node)].tolist()  # type: ignore[no-any-return]

    def trail(self, node: int) -> list[int]:
        """As `path_to`, but positions in the arrays, so that costs and slots can be read along the way."""
        place = self.places[node]
        out = []
        parent = self.parent
        while place >= 0:
            out.append(place)
            place = int(parent[place])
        out.reverse()
        return out

    def to_dict(self) -> dict[int, int]:
        """Node to ticks as a plain dictionary, cheapest first."""
        return dict(zip(self.node.tolist(), self.cost.tolist(), strict=True))


class Distances(Mapping[int, int]):
    """Node to ticks, read from the arrays of a `Settled`."""

    __slots__ = ("_settled",)

    def __init__(self, settled: Settled) -> None:
        self._settled = settled

    def __getitem__(self, node: int) -> int:
        return self._settled.cost_at(self._settled.places[node])

    def __iter__(self) -> Iterator[int]:
        return iter(self._settled.node.tolist())

    def __len__(self) -> int:
        return len(self._settled)


class Places(Mapping[int, int]):
    """Node to its position in the arrays of a `Settled`, as an array of all nodes: no dictionary of thousands."""

    __slots__ = ("_rows", "_settled", "row_of")

    def __init__(self, settled: Settled) -> None:
        self._settled = settled
        kind = np.int16 if len(settled) < 1 << 15 else np.int32
        self._rows = np.full(settled.compiled.nodes, -1, dtype=kind)
        # in the forms in which numpy needs not convert them one by one
        self._rows[settled.node.astype(np.int64)] = np.arange(len(settled), dtype=kind)
        # an array in Python's own clothes is read in a third of the time
        self.row_of: Callable[[int], int] = self._rows.data.__getitem__

    def __getitem__(self, node: int) -> int:
        row = int(self._rows[node]) if 0 <= node < len(self._rows) else -1
        if row < 0:
            raise KeyError(node)
        return row

    def __contains__(self, node: object) -> bool:
        return isinstance(node, int) and 0 <= node < len(self._rows) and self._rows[node] >= 0

    def __iter__(self) -> Iterator[int]:
        return iter(self._settled.node.tolist())

    def __len__(self) -> int:
        return len(self._settled)
