"""A movement graph as flat arrays: what the search reads, and all it reads.

Nodes are whole numbers.  Where a graph has the same cells under several postures (or parities, or headings) it has as
many *layers*: ``node = layer * cells + cell``.  Most steps lead to a neighbour, so they are kept as a *stencil*: for
each node a row of `slots` unsigned weights, one a direction, and for each layer and direction the distance from a
node to the node the step leads to.  A weight is stored as ticks + 1, for 0 means "no such step" and a step may cost
nothing.  A door that is shut is therefore one zero written; the row of a node is one cache line.

What fits no stencil (stairs, jumps, teleporters; the whole of a graph somebody made by hand) is kept as *extra*
steps, node after node: the extras of `n` are ``extra_start[n] : extra_start[n + 1]`` of `extra_target` and
`extra_ticks` (plain ticks).

Order matters: a node's steps are its slots in order and then its extras in order, here, in the search and in the
networkx graph over these arrays, so that all of them break ties alike.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

if TYPE_CHECKING:
    import networkx as nx
    from numpy.typing import NDArray

    Array = NDArray[Any]

WIDTHS = (np.uint8, np.uint16, np.uint32, np.int64)
"""The widths a stencil weight may have, the narrowest first."""


def width_for(ticks: int) -> type[np.generic]:
    """The narrowest weight type that can hold steps of up to `ticks` ticks (stored as ticks + 1)."""
    for kind in WIDTHS:
        if ticks + 1 <= np.iinfo(kind).max:
            return kind
    raise ValueError(f"a step of {ticks} ticks is more than 64 bits can hold")


class Reversed(NamedTuple):
    """The steps into each node: ``start[n] : start[n + 1]`` of `source` and `slot` (ordered by source, then slot)."""

    start: Array
    source: Array
    slot: Array


@dataclass(frozen=True, slots=True, eq=False)
class Compiled:
    """A movement graph in arrays, ready to be searched.

    `weight` has shape (nodes, slots) and holds ticks + 1 (0: no step); `offset` has shape (layers, slots) and gives
    ``target - node``; `extra_start` (nodes + 1), `extra_target` and `extra_ticks` are the steps outside the stencil,
    or all None.  `max_weight` is the dearest step in ticks; leave it out and it is looked up.  The arrays are shared,
    not copied: whoever writes into them answers for no search running meanwhile, and calls `changed` afterwards.

    Raises ValueError for arrays that do not fit together.  Targets are not looked at; see `check`.
    """

    layers: int
    cells: int
    slots: int
    weight: Array
    offset: Array
    extra_start: Array | None = None
    extra_target: Array | None = None
    extra_ticks: Array | None = None
    max_weight: int = -1
    kept: dict[Any, Any] = field(default_factory=dict, repr=False)
    """What the search keeps between questions: typed views and the like.  Nobody else's business."""
    shapes: dict[Any, Any] = field(default_factory=dict, repr=False)
    """What workspaces its questions take.  Nobody else's business either."""

    def __post_init__(self) -> None:
        nodes = self.layers * self.cells
        if self.weight.shape != (nodes, self.slots) or self.offset.shape != (self.layers, self.slots):
            raise ValueError(
                f"weights of shape {self.weight.shape} and offsets of shape {self.offset.shape} do not fit "
                f"{self.layers} layers of {self.cells} cells with {self.slots} slots"
            )
        if self.weight.dtype not in WIDTHS:
            raise ValueError(f"weights must be {', '.join(kind.__name__ for kind in WIDTHS)}, not {self.weight.dtype}")
        extras = (self.extra_start, self.extra_target, self.extra_ticks)
        if self.extra_start is None or self.extra_target is None or self.extra_ticks is None:
            if any(part is not None for part in extras):
                raise ValueError("extra steps need a start, a target and a ticks array")
        elif len(self.extra_start) != nodes + 1 or len(self.extra_target) != len(self.extra_ticks):
            raise ValueError(f"extra steps need {nodes + 1} starts, and as many targets as ticks")
        if self.max_weight < 0:
            object.__setattr__(self, "max_weight", self._dearest())

    @classmethod
    def of_steps(cls, nodes: int, source: Array, target: Array, ticks: Array) -> Compiled:
        """The graph of so many nodes that has just these steps, those of one node in the order in which they stand."""
        order = np.argsort(source, kind="stable")
        start = np.zeros(nodes + 1, dtype=np.int64)
        np.cumsum(np.bincount(source, minlength=nodes), out=start[1:])
        stencil = np.zeros((nodes, 0), dtype=np.uint8), np.zeros((1, 0), dtype=np.int64)
        return cls(1, nodes, 0, *stencil, start, target[order], ticks[order])

    def _dearest(self) -> int:
        stencil = int(self.weight.max(initial=0)) - 1
        extra = int(self.extra_ticks.max(initial=0)) if self.extra_ticks is not None else 0
        return max(stencil, extra, 0)

    @property
    def nodes(self) -> int:
        """How many nodes there are: layers times cells."""
        return self.layers * self.cells

    def number_of_steps(self) -> int:
        """How many steps there are, stencil and extra together (parallel ones counted each)."""
        extra = len(self.extra_target) if self.extra_target is not None else 0
        return int(np.count_nonzero(self.weight)) + extra

    def cheapest(self) -> int:
        """The ticks of the cheapest step that costs anything; 0 in a graph without such a step."""
        found = self.kept.get("cheapest")
        if found is None:
            above = self.weight[self.weight > 1]
            costs = [int(above.min()) - 1] if above.size else []
            if self.extra_ticks is not None and (paid := self.extra_ticks[self.extra_ticks > 0]).size:
                costs.append(int(paid.min()))
            found = self.kept["cheapest"] = min(costs, default=0)
        return int(found)

    def with_weight(self, weight: Array, max_weight: int) -> Compiled:
        """The same graph at other prices: `weight` has the shape of this one's; everything else is shared."""
        extras = (self.extra_start, self.extra_target, self.extra_ticks)
        return Compiled(
            self.layers, self.cells, self.slots, weight, self.offset, *extras, max_weight, shapes=self.shapes
        )

    def changed(self) -> None:
        """Forget what was derived from the arrays, because somebody wrote into them."""
        self.kept.clear()
        self.shapes.clear()
        object.__setattr__(self, "max_weight", self._dearest())

    def steps(self, node: int) -> list[tuple[int, int, int]]:
        """The steps out of `node` as (target, ticks, slot), in the order of the search; extras count on."""
        row = self.offset[node // self.cells].tolist()
        out = [(node + row[k], int(w) - 1, k) for k, w in enumerate(self.weight[node].tolist()) if w]
        if self.extra_start is not None and self.extra_target is not None and self.extra_ticks is not None:
            first, last = int(self.extra_start[node]), int(self.extra_start[node + 1])
            targets, ticks = self.extra_target[first:last].tolist(), self.extra_ticks[first:last].tolist()
            out += zip(targets, ticks, range(self.slots + first, self.slots + last), strict=True)
        return out

    def stencil_from(self, nodes: Array) -> tuple[Array, Array, Array, Array]:
        """The steps of a direction out of some nodes: which of the nodes each leaves, its target, ticks and slot."""
        row, slot, ticks = _made(self.weight[nodes])
        source = nodes[row]
        return row, source + self.offset[source // max(self.cells, 1), slot], ticks, slot

    def steps_from(self, nodes: Array) -> tuple[Array, Array, Array]:
        """The steps out of some nodes: which of the nodes each leaves, its target, its ticks; as many as there are."""
        row, target, ticks, _ = self.stencil_from(nodes)
        if self.extra_start is None or self.extra_target is None or self.extra_ticks is None:
            return row, target, ticks
        first = np.asarray(self.extra_start, dtype=np.int64)
        count = first[nodes + 1] - first[nodes]
        more = np.repeat(np.arange(len(nodes)), count)
        at = np.arange(len(more)) - np.repeat(np.cumsum(count) - count, count) + np.repeat(first[nodes], count)
        return (
            np.concatenate([row, more]),
            np.concatenate([target, self.extra_target[at].astype(np.int64)]),
            np.concatenate([ticks, self.extra_ticks[at].astype(np.int64)]),
        )

    def all_steps(self) -> tuple[Array, Array, Array, Array]:
        """Every step of the graph as four arrays: source, target, ticks, slot; the stencil's first, then the extras."""
        source, slot, ticks = _made(self.weight)
        target = source + self.offset[source // max(self.cells, 1), slot]
        if self.extra_start is None or self.extra_target is None or self.extra_ticks is None:
            return source, target, ticks, slot
        start = np.asarray(self.extra_start, dtype=np.int64)
        more = np.repeat(np.arange(self.nodes), np.diff(start))
        return (
            np.concatenate([source, more]),
            np.concatenate([target, self.extra_target.astype(np.int64)]),
            np.concatenate([ticks, self.extra_ticks.astype(np.int64)]),
            np.concatenate([slot, np.arange(len(more)) + self.slots]),
        )

    def reversed_steps(self) -> Reversed:
        """The steps into each node; worked out at the first call and kept."""
        found: Reversed | None = self.kept.get("reversed")
        if found is None:
            source, target, _, slot = self.all_steps()
            order = np.lexsort((slot, source, target))
            start = np.zeros(self.nodes + 1, dtype=np.int64)
            np.cumsum(np.bincount(target, minlength=self.nodes), out=start[1:])
            found = self.kept["reversed"] = Reversed(start, source[order], slot[order])
        return found

    def check(self) -> None:
        """Look at every step; the compiled search does not, and a step out of the arrays would read foreign memory.

        Raises ValueError for a target that is no node and for a negative cost.
        """
        source, target, ticks, slot = self.all_steps()
        bad = np.flatnonzero((target < 0) | (target >= self.nodes) | (ticks < 0))
        if bad.size:
            first = int(bad[0])
            raise ValueError(
                f"{bad.size} bad step(s), the first from node {source[first]} by slot {slot[first]} "
                f"to {target[first]} for {ticks[first]} ticks ({self.nodes} nodes)"
            )

    def __reduce__(self) -> tuple[type[Compiled], tuple[Any, ...]]:
        # what is kept for the search (typed views and the like) is not worth a pickle
        extras = (self.extra_start, self.extra_target, self.extra_ticks)
        return Compiled, (self.layers, self.cells, self.slots, self.weight, self.offset, *extras, self.max_weight)


def _made(weight: Array) -> tuple[Array, Array, Array]:
    """The steps that rows of weights tell of: row, slot and ticks of each."""
    flat, slots = weight.reshape(-1), max(weight.shape[1], 1)
    # in one dimension and of truths numpy finds them six times as fast
    at = (flat != 0).nonzero()[0]
    row = at // slots
    return row, at - row * slots, flat[at].astype(np.int64) - 1


class Labels:
    """Names of nodes, in the order of the nodes: the simplest index of a compiled graph."""

    __slots__ = ("_labels", "_nodes")

    def __init__(self, labels: Iterable[Hashable]) -> None:
        self._labels: list[Hashable] = list(labels)
        self._nodes: dict[Hashable, int] = {label: node for node, label in enumerate(self._labels)}
        if len(self._nodes) != len(self._labels):
            raise ValueError("two nodes have the same label")

    def __len__(self) -> int:
        return len(self._labels)

    def label(self, node: int) -> Hashable:
        """The name of a node."""
        return self._labels[node]

    def node(self, label: Hashable) -> int:
        """The node of a name; KeyError when there is none."""
        return self._nodes[label]

    def nodes(self) -> Iterator[int]:
        """All nodes, in order."""
        return iter(range(len(self._labels)))


def from_networkx(graph: nx.DiGraph, weight: str | None = "weight") -> tuple[Compiled, Labels]:
    """Compile anybody's networkx graph (also an undirected one) whose edges carry whole numbers under `weight`.

    Edges without the attribute cost 1, as in networkx; `weight=None` counts every edge as 1.  All steps become
    extras, in the order of the graph's own adjacency.  Raises TypeError for a weight that is no whole number or a
    multigraph, and ValueError for a negative one: our search is exact, so it takes no floats.
    """
    if graph.is_multigraph():
        raise TypeError("a multigraph has no one weight an edge; collapse it to a DiGraph first")
    adjacency: Mapping[Hashable, Mapping[Hashable, Mapping[str, Any]]] = graph._adj
    labels = Labels(adjacency)
    rows = list(adjacency.values())
    start = np.zeros(len(rows) + 1, dtype=np.int64)
    np.cumsum(np.fromiter(map(len, rows), dtype=np.int64, count=len(rows)), out=start[1:])
    count = int(start[-1])
    number = labels._nodes
    target = np.fromiter(map(number.__getitem__, chain.from_iterable(rows)), dtype=np.int64, count=count)
    if weight is None:
        ticks = np.ones(count, dtype=np.int64)
    else:
        ticks = _whole([data.get(weight, 1) for row in rows for data in row.values()], weight)
    compiled = Compiled(
        1, len(rows), 0, np.zeros((len(rows), 0), np.uint8), np.zeros((1, 0), np.int64), start, target, ticks
    )
    return compiled, labels


def _whole(values: Sequence[Any], weight: str) -> Array:
    """The values as int64; TypeError and ValueError name what they are not."""
    kinds = set(map(type, values))
    odd = next((kind for kind in kinds if kind is bool or not issubclass(kind, (int, np.integer))), None)
    if odd is not None:
        raise TypeError(f"{weight!r} must be a whole number on every edge, found a {odd.__name__}")
    try:
        ticks = np.fromiter(values, dtype=np.int64, count=len(values))
    except OverflowError as error:
        raise ValueError(f"a {weight!r} is more than 64 bits can hold") from error
    if ticks.size and int(ticks.min()) < 0:
        raise ValueError(f"{weight!r} must not be negative, found {int(ticks.min())}")
    return ticks


def from_steps(steps: Iterable[tuple[int, int, int]], *, nodes: int) -> tuple[Array, Array, Array]:
    """Pack (source, target, ticks) triples, in any order, into extra_start, extra_target and extra_ticks."""
    triples = np.fromiter(chain.from_iterable(steps), dtype=np.int64).reshape(-1, 3)
    order = np.argsort(triples[:, 0], kind="stable")
    start = np.zeros(nodes + 1, dtype=np.int64)
    np.cumsum(np.bincount(triples[:, 0], minlength=nodes), out=start[1:])
    return start, triples[order, 1].copy(), triples[order, 2].copy()


__all__ = ["WIDTHS", "Compiled", "Labels", "Reversed", "from_networkx", "from_steps", "width_for"]
