"""The kernel as a backend of networkx: people's own networkx code, faster, without a change to it.

``nx.single_source_dijkstra_path_length(graph, source, cutoff=48, backend="tactical")`` runs our search, and after
``nx.config.backend_priority.algos = ["tactical"]`` the keyword is not needed.  Answers are those of networkx, to the
order of their dictionaries (as networkx has it from 3.6 on) and to the choice among equally short paths
(`bidirectional_dijkstra` excepted, which may return another path of the same length).  Distances are Python ints.

A `LazyDiGraph` needs no conversion.  Any other graph is converted once; networkx caches that and forgets it on
``add_edge`` and the like, but not on ``graph[u][v]["weight"] = 7``: then call ``graph.__networkx_cache__.clear()``.
Weights that are not whole numbers are not ours (the search is exact): the conversion raises NotImplementedError, on
which networkx runs its own code, unless the backend was asked for by keyword.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass
from inspect import signature
from typing import Any

import networkx as nx

from tactical.search.backend_info import FUNCTIONS
from tactical.search.compiled import Compiled, from_networkx
from tactical.search.kernel import Settled, search
from tactical.search.lazygraph import Index, LazyDiGraph

WORTH_CONVERTING = 200
"""Graphs of fewer nodes are left to networkx, unless the backend is named: it has answered before they are
converted."""

Node = Hashable


@dataclass(frozen=True, slots=True)
class Converted:
    """A graph as the backend takes it: arrays, and the labels of their nodes."""

    compiled: Compiled
    index: Index
    directed: bool = True

    __networkx_backend__ = "tactical"

    def is_directed(self) -> bool:
        """Whether the graph it was made of is directed."""
        return self.directed

    def is_multigraph(self) -> bool:
        """Never: multigraphs are not converted."""
        return False

    def labels(self, settled: Settled) -> list[Node]:
        """The labels of the nodes found, in order."""
        return list(map(self.index.label, settled.node.tolist()))

    def numbers(self, sources: Iterable[Node]) -> list[int]:
        """The numbers of the nodes to start from; networkx.NodeNotFound names the first that is not there."""
        out = []
        for source in sources:
            try:
                out.append(self.index.node(source))
            except KeyError:
                raise nx.NodeNotFound(f"Node {source} not found in graph") from None
        return out

    def target(self, target: Node) -> int | None:
        """The number of the node to stop at, or None where the graph has no such node."""
        try:
            return self.index.node(target)
        except KeyError:
            return None


def convert_from_nx(graph: Any, *, edge_attrs: dict[str, Any] | None = None, **_options: Any) -> Converted:
    """Arrays for a networkx graph; `edge_attrs` names the weight, as networkx has it.

    Raises NotImplementedError for weights that are not whole numbers from 0 up.
    """
    if isinstance(graph, Converted):
        return graph
    weight, default = next(iter(edge_attrs.items()), (None, 1)) if edge_attrs else (None, 1)
    if isinstance(graph, LazyDiGraph) and weight == "weight":
        return Converted(graph.compiled, graph.index)
    if default != 1:
        raise NotImplementedError(f"an edge without {weight!r} costs 1, not {default!r}")
    try:
        compiled, labels = from_networkx(graph, weight)
    except (TypeError, ValueError) as error:
        raise NotImplementedError(str(error)) from error
    return Converted(compiled, labels, graph.is_directed())


def convert_to_nx(result: Any, **_options: Any) -> Any:
    """Answers are plain Python already; a converted graph is given back as a networkx graph with its weights."""
    if not isinstance(result, Converted):
        return result
    graph = LazyDiGraph(result.compiled, result.index)
    return nx.DiGraph(graph) if result.directed else nx.Graph(graph)


def can_run(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool | str:
    """True, or the reason why networkx has to answer this call itself."""
    function = ALGORITHMS.get(name)
    if function is None:
        return f"{name} is not among the functions of this backend"
    try:
        given = signature(function).bind(*args, **{key: value for key, value in kwargs.items() if key != "backend"})
    except TypeError as error:
        return str(error)
    call = given.arguments
    if callable(call.get("weight")):
        return "the weight is a function, the search needs it as an attribute"
    cutoff = call.get("cutoff")
    if cutoff is not None and not cutoff >= 0:
        return "a negative cutoff is left to networkx"
    if call["G"].is_multigraph():
        return "a multigraph has no one weight an edge"
    return True


def should_run(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool | str:
    """True, or the reason why networkx would have answered sooner."""
    graph = args[0] if args else kwargs.get("G")
    if isinstance(graph, (Converted, LazyDiGraph)) or graph is None:
        return True
    if len(graph) < WORTH_CONVERTING:
        return f"converting {len(graph)} nodes takes longer than the answer"
    return True


def _search(graph: Converted, sources: list[int], cutoff: float | None, target: int = -1) -> Settled:
    budget = None if cutoff is None or cutoff == math.inf else math.floor(cutoff)
    return search(graph.compiled, sources, budget=budget, target=target)


def _lengths(graph: Converted, settled: Settled) -> dict[Node, int]:
    return dict(zip(graph.labels(settled), settled.cost.tolist(), strict=True))


def _paths(graph: Converted, settled: Settled) -> dict[Node, list[Node]]:
    names = graph.labels(settled)
    paths: list[list[Node]] = []
    for name, parent in zip(names, settled.parent.tolist(), strict=True):
        paths.append([*paths[parent], name] if parent >= 0 else [name])
    return dict(zip(names, paths, strict=True))


def _to_target(graph: Converted, sources: Iterable[Node], target: Node, cutoff: float | None) -> tuple[int, list[Node]]:
    """The length of and the way to one node; networkx.NetworkXNoPath where there is none."""
    starts = graph.numbers(sources)
    goal = graph.target(target)
    if goal is not None:
        settled = _search(graph, starts, cutoff, goal)
        if len(settled) and int(settled.node[-1]) == goal:
            place, way = len(settled) - 1, []
            while place >= 0:
                way.append(graph.index.label(int(settled.node[place])))
                place = int(settled.parent[place])
            return int(settled.cost[-1]), way[::-1]
    raise nx.NetworkXNoPath(f"No path to {target}.")


# The functions below have the parameters, and give the answers, of the networkx functions of the same name.


def multi_source_dijkstra(
    G: Converted, sources: Any, target: Any = None, cutoff: float | None = None, weight: Any = "weight"
) -> Any:
    """Lengths of and ways to everything within the cutoff, or to the target."""
    sources = _some(sources)
    if target is None:
        settled = _search(G, G.numbers(sources), cutoff)
        return _lengths(G, settled), _paths(G, settled)
    if target in sources:
        G.numbers(sources)
        return 0, [target]
    return _to_target(G, sources, target, cutoff)


def multi_source_dijkstra_path(
    G: Converted, sources: Any, cutoff: float | None = None, weight: Any = "weight"
) -> dict[Node, list[Node]]:
    """Ways to everything within the cutoff."""
    return _paths(G, _search(G, G.numbers(_some(sources)), cutoff))


def multi_source_dijkstra_path_length(
    G: Converted, sources: Any, cutoff: float | None = None, weight: Any = "weight"
) -> dict[Node, int]:
    """Lengths to everything within the cutoff."""
    return _lengths(G, _search(G, G.numbers(_some(sources)), cutoff))


def _some(sources: Any) -> Any:
    if not sources:
        raise ValueError("sources must not be empty")
    return sources


def single_source_dijkstra(
    G: Converted, source: Any, target: Any = None, cutoff: float | None = None, weight: Any = "weight"
) -> Any:
    """Lengths of and ways to everything within the cutoff, or to the target."""
    return multi_source_dijkstra(G, [source], target, cutoff)


def single_source_dijkstra_path(
    G: Converted, source: Any, cutoff: float | None = None, weight: Any = "weight"
) -> dict[Node, list[Node]]:
    """Ways to everything within the cutoff."""
    return multi_source_dijkstra_path(G, [source], cutoff)


def single_source_dijkstra_path_length(
    G: Converted, source: Any, cutoff: float | None = None, weight: Any = "weight"
) -> dict[Node, int]:
    """Lengths to everything within the cutoff."""
    return multi_source_dijkstra_path_length(G, [source], cutoff)


def dijkstra_path(G: Converted, source: Any, target: Any, weight: Any = "weight") -> list[Node]:
    """The way to one node."""
    way: list[Node] = single_source_dijkstra(G, source, target)[1]
    return way


def dijkstra_path_length(G: Converted, source: Any, target: Any, weight: Any = "weight") -> int:
    """The length of the way to one node."""
    try:
        length: int = single_source_dijkstra(G, source, target)[0]
    except nx.NetworkXNoPath:
        raise nx.NetworkXNoPath(f"Node {target} not reachable from {source}") from None
    return length


def bidirectional_dijkstra(G: Converted, source: Any, target: Any, weight: Any = "weight") -> tuple[int, list[Node]]:
    """The length of and the way to one node, searched from one end only: that is quick enough here."""
    for what, node in (("Source", source), ("Target", target)):
        if G.target(node) is None:
            raise nx.NodeNotFound(f"{what} {node} is not in G")
    try:
        return _to_target(G, [source], target, None)
    except nx.NetworkXNoPath:
        raise nx.NetworkXNoPath(f"No path between {source} and {target}.") from None


def all_pairs_dijkstra(
    G: Converted, cutoff: float | None = None, weight: Any = "weight"
) -> Iterator[tuple[Node, tuple[dict[Node, int], dict[Node, list[Node]]]]]:
    """Lengths and ways from every node, one node after the other."""
    for node in G.index.nodes():
        settled = _search(G, [node], cutoff)
        yield G.index.label(node), (_lengths(G, settled), _paths(G, settled))


def all_pairs_dijkstra_path(
    G: Converted, cutoff: float | None = None, weight: Any = "weight"
) -> Iterator[tuple[Node, dict[Node, list[Node]]]]:
    """Ways from every node, one node after the other."""
    for node in G.index.nodes():
        yield G.index.label(node), _paths(G, _search(G, [node], cutoff))


def all_pairs_dijkstra_path_length(
    G: Converted, cutoff: float | None = None, weight: Any = "weight"
) -> Iterator[tuple[Node, dict[Node, int]]]:
    """Lengths from every node, one node after the other."""
    for node in G.index.nodes():
        yield G.index.label(node), _lengths(G, _search(G, [node], cutoff))


ALGORITHMS: dict[str, Callable[..., Any]] = {name: globals()[name] for name in FUNCTIONS}


class Backend:
    """What networkx calls: the conversions, the two questions before a call, and the functions."""

    convert_from_nx = staticmethod(convert_from_nx)
    convert_to_nx = staticmethod(convert_to_nx)
    can_run = staticmethod(can_run)
    should_run = staticmethod(should_run)

    def __getattr__(self, name: str) -> Callable[..., Any]:
        try:
            return ALGORITHMS[name]
        except KeyError:
            raise AttributeError(name) from None


backend = Backend()
