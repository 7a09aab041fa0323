"""A networkx graph that is not there until somebody looks.

To networkx and to everybody else `LazyDiGraph` is an ordinary `networkx.DiGraph`: every algorithm that reads a graph
runs on it.  Underneath are the arrays of a `Compiled`; a node's neighbours become a dictionary when they are asked
for, and the last few thousand of those are kept.  What networkx would write into is read-only all the way down
(adding a node raises `networkx.NetworkXError`, writing an attribute raises TypeError), for a write could only get
lost: ``nx.DiGraph(graph)`` is the copy to edit.  ``copy()``, ``reverse()`` and ``subgraph(…).copy()`` give plain
`networkx.DiGraph` objects too.

Nodes are the labels of an `Index`.  An edge's ``weight`` is its cost in ticks; its other attributes come from a
function that is called when one of them is read.  Of parallel steps between two nodes the graph shows the cheapest,
the first of equally cheap ones.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping
from typing import Any, Protocol

import networkx as nx
import numpy as np

from tactical.search.compiled import Compiled

KEPT = 4096
"""How many rows of neighbours (in each direction) are kept as dictionaries."""

NodeAttributes = Callable[[int], Mapping[str, Any]]
EdgeAttributes = Callable[[int, int, int], Mapping[str, Any]]


class Index(Protocol):
    """Which labels the nodes of a compiled graph have, and which nodes are there at all."""

    def __len__(self) -> int: ...

    def label(self, node: int) -> Hashable:
        """The label of a node."""

    def node(self, label: Any) -> int:
        """The node of a label; KeyError for anything that labels no node of the graph."""

    def nodes(self) -> Iterator[int]:
        """The nodes of the graph, in order."""


class Attributes(Mapping[str, Any]):
    """Attributes of a node or an edge: a read-only mapping that copies to a plain dictionary."""

    __slots__ = ("_made",)

    _made: Mapping[str, Any] | None

    def _make(self) -> Mapping[str, Any]:
        raise NotImplementedError

    def _all(self) -> Mapping[str, Any]:
        if self._made is None:
            self._made = self._make()
        return self._made

    def __getitem__(self, name: str) -> Any:
        return self._all()[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._all())

    def __len__(self) -> int:
        return len(self._all())

    def __repr__(self) -> str:
        return repr(dict(self._all()))

    def copy(self) -> dict[str, Any]:
        """A dictionary to write into, as networkx does with the attributes of its copies."""
        return dict(self._all())

    def __copy__(self) -> dict[str, Any]:
        return self.copy()

    def __deepcopy__(self, memo: dict[int, Any]) -> dict[str, Any]:
        return self.copy()

    def __reduce__(self) -> tuple[type[dict[str, Any]], tuple[dict[str, Any]]]:
        return dict, (self.copy(),)


class NodeData(Attributes):
    """Attributes of one node."""

    __slots__ = ("_graph", "_number")

    def __init__(self, graph: LazyDiGraph, number: int) -> None:
        self._graph, self._number, self._made = graph, number, None

    def _make(self) -> Mapping[str, Any]:
        return self._graph.node_attributes(self._number)


class EdgeData(Attributes):
    """Attributes of one edge; `weight` is at hand, for the others the graph is asked."""

    __slots__ = ("_ends", "_graph", "_ticks")

    def __init__(self, graph: LazyDiGraph, ends: tuple[int, int, int], ticks: int) -> None:
        self._graph, self._ends, self._ticks, self._made = graph, ends, ticks, None

    def _make(self) -> Mapping[str, Any]:
        return {"weight": self._ticks} | dict(self._graph.edge_attributes(*self._ends)) | {"weight": self._ticks}

    def __getitem__(self, name: str) -> Any:
        return self._ticks if name == "weight" else self._all()[name]

    def get(self, name: str, default: Any = None) -> Any:
        # searches of networkx read the weight of every edge through this
        return self._ticks if name == "weight" else self._all().get(name, default)


class Nodes(Mapping[Hashable, NodeData]):
    """Label to attributes, for every node of the graph."""

    __slots__ = ("_graph",)

    def __init__(self, graph: LazyDiGraph) -> None:
        self._graph = graph

    def __getitem__(self, label: Hashable) -> NodeData:
        return NodeData(self._graph, self._graph.index.node(label))

    def __contains__(self, label: object) -> bool:
        try:
            self._graph.index.node(label)
        except KeyError:
            return False
        return True

    def __iter__(self) -> Iterator[Hashable]:
        return map(self._graph.index.label, self._graph.index.nodes())

    def __len__(self) -> int:
        return len(self._graph.index)


class Adjacency(Mapping[Hashable, Mapping[Hashable, EdgeData]]):
    """Label to neighbours (label to attributes of the edge): successors, or predecessors."""

    __slots__ = ("_graph", "_rows")

    def __init__(self, graph: LazyDiGraph) -> None:
        self._graph = graph
        self._rows: dict[Hashable, dict[Hashable, EdgeData]] = {}

    def __getitem__(self, label: Hashable) -> Mapping[Hashable, EdgeData]:
        row = self._rows.get(label)
        if row is None:
            row = self._row(self._graph.index.node(label))
            if len(self._rows) >= KEPT:
                self._rows.clear()
            self._rows[label] = row
        return row

    def _row(self, node: int) -> dict[Hashable, EdgeData]:
        raise NotImplementedError

    def __contains__(self, label: object) -> bool:
        return label in self._graph._node

    def __iter__(self) -> Iterator[Hashable]:
        return iter(self._graph._node)

    def __len__(self) -> int:
        return len(self._graph.index)


class Successors(Adjacency):
    """The edges out of each node."""

    __slots__ = ()

    def _row(self, node: int) -> dict[Hashable, EdgeData]:
        graph = self._graph
        best: dict[int, tuple[int, int]] = {}
        for target, ticks, slot in graph.compiled.steps(node):
            known = best.get(target)
            if known is None or ticks < known[0]:
                best[target] = ticks, slot
        label = graph.index.label
        return {label(to): EdgeData(graph, (node, to, slot), ticks) for to, (ticks, slot) in best.items()}


class Predecessors(Adjacency):
    """The edges into each node."""

    __slots__ = ()

    def _row(self, node: int) -> dict[Hashable, EdgeData]:
        graph = self._graph
        label = graph.index.label
        reverse = graph.compiled.reversed_steps()
        first, last = int(reverse.start[node]), int(reverse.start[node + 1])
        me = label(node)
        # the same edge must have the same attributes from both ends
        sources = dict.fromkeys(reverse.source[first:last].tolist())
        return {name: graph._succ[name][me] for name in map(label, sources)}


class LazyDiGraph(nx.DiGraph):  # type: ignore[misc]
    """A movement graph in the shape networkx knows: nodes are labels, every edge has a `weight` in ticks.

    `index` names the nodes; `node_attributes(node)` and `edge_attributes(source, target, slot)` give the attributes
    by node numbers (`slot` as in `Settled`).  Steps must join nodes that the index has.  Without arguments the class
    makes an empty plain `networkx.DiGraph`, because that is how networkx makes its copies.

    Raises networkx.NetworkXError on every attempt to change it.  Treat a row of `graph[u]` as read-only.
    """

    compiled: Compiled
    index: Index
    node_attributes: NodeAttributes
    edge_attributes: EdgeAttributes

    def __new__(cls, compiled: Compiled | None = None, *args: Any, **kwargs: Any) -> Any:
        if compiled is None and not args and not kwargs:
            return nx.DiGraph()
        return object.__new__(cls)

    def __init__(
        self,
        compiled: Compiled,
        index: Index,
        node_attributes: NodeAttributes | None = None,
        edge_attributes: EdgeAttributes | None = None,
        **graph: Any,
    ) -> None:
        if node_attributes is not None:
            self.node_attributes = node_attributes
        elif not hasattr(self, "node_attributes"):
            self.node_attributes = _nothing
        if edge_attributes is not None:
            self.edge_attributes = edge_attributes
        elif not hasattr(self, "edge_attributes"):
            self.edge_attributes = _nothing
        self.compiled, self.index = compiled, index
        self.graph = dict(graph)
        self._look()

    def _look(self) -> None:
        """Hang the views in the places where networkx looks for its dictionaries, and lock them."""
        self._node = Nodes(self)
        self._adj = Successors(self)
        self._pred = Predecessors(self)
        # conversions for a backend need no cache: the arrays are there already
        self.__networkx_cache__ = None
        self._edges: int | None = None
        nx.freeze(self)

    def number_of_edges(self, u: Any = None, v: Any = None) -> int:
        """How many edges there are, or (0 or 1) from `u` to `v`; parallel steps count as one."""
        if u is not None:
            return int(super().number_of_edges(u, v))
        if self._edges is None:
            source, target, _, _ = self.compiled.all_steps()
            self._edges = len(np.unique(source * self.compiled.nodes + target))
        return self._edges

    def __reduce__(self) -> tuple[Any, ...]:
        # views, rows and locks are made anew on the other side
        state = {name: value for name, value in self.__dict__.items() if name not in _MADE}
        locks = [name for name, value in state.items() if value is nx.classes.function.frozen]
        for name in locks:
            del state[name]
        return _again, (type(self), state)


_MADE = frozenset({"_node", "_adj", "_succ", "_pred", "_edges", "adj", "succ", "pred", "nodes", "edges", "degree",
                   "out_edges", "in_edges", "in_degree", "out_degree", "__networkx_cache__", "frozen"})  # fmt: skip


def _nothing(*_numbers: int) -> Mapping[str, Any]:
    """The attributes of a node, or those of an edge beside its weight, where nobody gave any."""
    return {}


def _again(kind: type[LazyDiGraph], state: dict[str, Any]) -> LazyDiGraph:
    """Take a graph out of a pickle."""
    graph: LazyDiGraph = object.__new__(kind)
    graph.__dict__.update(state)
    graph._look()
    return graph
