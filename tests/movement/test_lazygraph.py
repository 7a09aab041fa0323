"""The lazy graph against a dictionary copy of it: whatever networkx does must come out the same."""

from __future__ import annotations

import copy
import json
import pickle
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tactical.search.compiled import Compiled, Labels, from_steps
from tactical.search.lazygraph import LazyDiGraph


class Spot(NamedTuple):
    cell: tuple[int, int]
    posture: str


class Board:
    """An index over two postures of a grid; cells in `holes` are not there."""

    def __init__(self, side: int, holes: frozenset[int]) -> None:
        self.side, self.holes = side, holes

    def __len__(self) -> int:
        return 2 * (self.side**2 - len(self.holes))

    def label(self, node: int) -> Spot:
        layer, cell = divmod(node, self.side**2)
        return Spot((cell % self.side, cell // self.side), ("up", "down")[layer])

    def node(self, label: Any) -> int:
        if not isinstance(label, Spot):
            raise KeyError(label)
        cell = label.cell[0] + label.cell[1] * self.side
        if cell in self.holes or not (0 <= label.cell[0] < self.side and 0 <= label.cell[1] < self.side):
            raise KeyError(label)
        return cell + ("up", "down").index(label.posture) * self.side**2

    def nodes(self) -> Iterator[int]:
        cells = self.side**2
        return (node for node in range(2 * cells) if node % cells not in self.holes)

    def node_attributes(self, node: int) -> Mapping[str, Any]:
        spot = self.label(node)
        return {"cell": list(spot.cell), "posture": spot.posture}

    def edge_attributes(self, source: int, target: int, slot: int) -> Mapping[str, Any]:
        return {"way": "walk" if abs(source - target) < self.side**2 else "stand", "slot": slot}


def make(side: int = 5, seed: int = 0, holes: int = 4, extras: int = 5) -> LazyDiGraph:
    rng = np.random.default_rng(seed)
    cells = side * side
    gone = frozenset(rng.choice(np.arange(1, cells), size=min(holes, cells - 1), replace=False).tolist())
    there = np.array([cell not in gone for cell in range(cells)])
    moves = [(0, 1), (1, 0), (0, -1), (-1, 0)]
    offset = np.array([[dr * side + dc for dr, dc in moves] + [to] for to in (cells, -cells)])
    weight = np.zeros((2 * cells, 5), np.uint8)
    for layer in range(2):
        for cell in np.flatnonzero(there).tolist():
            row, col = divmod(cell, side)
            for k, (dr, dc) in enumerate(moves):
                to = cell + dr * side + dc
                if 0 <= row + dr < side and 0 <= col + dc < side and there[to]:
                    weight[layer * cells + cell, k] = rng.integers(0, 6)
            weight[layer * cells + cell, 4] = 2
    nodes = [n for n in range(2 * cells) if there[n % cells]]
    steps = [(*rng.choice(nodes, 2).tolist(), int(rng.integers(0, 9))) for _ in range(extras)]
    steps += [(nodes[0], nodes[0] + cells, 0), (nodes[0], nodes[0] + cells, 7)]  # parallel to getting down
    compiled = Compiled(2, cells, 5, weight, offset, *from_steps(steps, nodes=2 * cells))
    compiled.check()
    board = Board(side, gone)
    return LazyDiGraph(compiled, board, board.node_attributes, board.edge_attributes, name="board")


def dict_copy(graph: LazyDiGraph) -> nx.DiGraph:
    """Built from the arrays, not from the graph under test."""
    board, compiled = graph.index, graph.compiled
    plain = nx.DiGraph(name="board")
    for node in board.nodes():
        plain.add_node(board.label(node), **graph.node_attributes(node))
    for node in board.nodes():
        for target, ticks, slot in compiled.steps(node):
            u, v = board.label(node), board.label(target)
            if not plain.has_edge(u, v) or ticks < plain[u][v]["weight"]:
                plain.add_edge(u, v, weight=ticks, **graph.edge_attributes(node, target, slot))
    return plain


@pytest.fixture(scope="module")
def lazy() -> LazyDiGraph:
    return make()


@pytest.fixture(scope="module")
def plain(lazy: LazyDiGraph) -> nx.DiGraph:
    return dict_copy(lazy)


START = Spot((0, 0), "up")


def same(one: nx.DiGraph, two: nx.DiGraph) -> bool:
    return nx.utils.graphs_equal(one, two)


@settings(max_examples=25)
@given(st.integers(1, 5), st.integers(0, 10**6), st.integers(0, 6))
def test_equal_to_a_dict_graph(side: int, seed: int, holes: int) -> None:
    lazy = make(side, seed, holes)
    plain = dict_copy(lazy)
    assert same(lazy, plain)
    assert list(lazy) == list(plain)
    assert lazy.number_of_edges() == plain.number_of_edges()
    assert dict(lazy.in_degree()) == dict(plain.in_degree())
    assert {n: set(lazy.predecessors(n)) for n in lazy} == {n: set(plain.predecessors(n)) for n in plain}
    assert nx.single_source_dijkstra(lazy, START) == nx.single_source_dijkstra(plain, START)
    assert {frozenset(c) for c in nx.strongly_connected_components(lazy)} == {
        frozenset(c) for c in nx.strongly_connected_components(plain)
    }


ASKED = {
    "dijkstra, bounded": lambda g: nx.single_source_dijkstra(g, START, cutoff=7),
    "dijkstra, lengths in order": lambda g: list(nx.single_source_dijkstra_path_length(g, START).items()),
    "all predecessors": lambda g: nx.dijkstra_predecessor_and_distance(g, START),
    "many sources": lambda g: nx.multi_source_dijkstra(g, {START, Spot((0, 0), "down")}),
    "a star": lambda g: nx.astar_path_length(g, START, max(nx.descendants(g, START))),
    "both ends": lambda g: nx.bidirectional_dijkstra(g, START, max(nx.descendants(g, START)))[0],
    "a callable weight": lambda g: nx.single_source_dijkstra(g, START, weight=lambda u, v, d: d["weight"] + d["slot"]),
    "bellman ford": lambda g: nx.single_source_bellman_ford_path_length(g, START),
    "components": lambda g: sorted(sorted(c) for c in nx.strongly_connected_components(g)),
    "weak components": lambda g: sorted(sorted(c) for c in nx.weakly_connected_components(g)),
    "descendants": lambda g: nx.descendants(g, START),
    "ancestors": lambda g: nx.ancestors(g, START),
    "edges": lambda g: [(u, v, dict(d)) for u, v, d in g.edges(data=True)],
    "in edges": lambda g: sorted((u, v, d["weight"], d["slot"]) for u, v, d in g.in_edges(data=True)),
    "edge attribute": lambda g: list(g.edges(data="way")),
    "nodes": lambda g: {n: dict(d) for n, d in g.nodes(data=True)},
    "node attribute": lambda g: nx.get_node_attributes(g, "posture"),
    "edge attributes": lambda g: nx.get_edge_attributes(g, "slot"),
    "degree": lambda g: sorted(g.degree(weight="weight")),
    "size": lambda g: (g.size(), g.size("weight"), g.order(), g.number_of_nodes()),
    "density": nx.density,
    "weighted": nx.is_weighted,
    "has": lambda g: (g.has_edge(START, START), START in g, None in g, "x" in g, g.has_node([1])),
    "adjacency": lambda g: {u: {v: dict(d) for v, d in row.items()} for u, row in g.adjacency()},
    "page rank": lambda g: {n: round(r, 6) for n, r in nx.pagerank(g).items()},
    "matrix": lambda g: nx.to_scipy_sparse_array(g).toarray().tolist(),
    "json": lambda g: json.dumps(nx.node_link_data(g, edges="edges")),
    "lists": nx.to_dict_of_lists,
    "graph attributes": lambda g: g.graph,
    "word": str,
}


@pytest.mark.parametrize("name", ASKED)
def test_networkx_answers_alike(name: str, lazy: LazyDiGraph, plain: nx.DiGraph) -> None:
    ours, theirs = ASKED[name](lazy), ASKED[name](plain)
    assert ours == (theirs.replace("DiGraph", "LazyDiGraph") if name == "word" else theirs)


MADE = {
    "copy": lambda g: g.copy(),
    "DiGraph": nx.DiGraph,
    "reverse": lambda g: g.reverse(),
    "reverse view": nx.reverse_view,
    "undirected": lambda g: g.to_undirected(),
    "undirected view": lambda g: g.to_undirected(as_view=True),
    "directed": lambda g: g.to_directed(),
    "subgraph": lambda g: g.subgraph([n for n in g if n.posture == "up"]),
    "subgraph copy": lambda g: g.subgraph([n for n in g if n.posture == "up"]).copy(),
    "edge subgraph": lambda g: g.edge_subgraph(list(g.edges)[:9]),
    "ego": lambda g: nx.ego_graph(g, START, radius=6, distance="weight"),
    "condensation": nx.condensation,
    "relabelled": nx.convert_node_labels_to_integers,
    "composed": lambda g: nx.compose(g, nx.DiGraph([(1, 2)])),
    "through node-link data": lambda g: nx.node_link_graph(nx.node_link_data(g)),
}


@pytest.mark.parametrize("name", MADE)
def test_graphs_made_of_it(name: str, lazy: LazyDiGraph, plain: nx.DiGraph) -> None:
    ours, theirs = MADE[name](lazy), MADE[name](plain)
    assert same(ours, theirs)
    assert ours.number_of_edges() == theirs.number_of_edges()


@pytest.mark.parametrize("made", ["copy", "DiGraph", "reverse", "subgraph copy", "undirected"])
def test_copies_can_be_edited(made: str, lazy: LazyDiGraph) -> None:
    edit = MADE[made](lazy)
    assert not isinstance(edit, LazyDiGraph)
    before = edit.number_of_edges()
    edit.add_edge("a", "b", weight=1)
    u, v = next(iter(edit.edges))
    edit[u][v]["weight"] = 70
    edit.nodes[u]["posture"] = "asleep"
    assert edit.number_of_edges() == before + 1
    assert edit[u][v]["weight"] == 70
    assert lazy.nodes[u]["posture"] in ("up", "down")


def test_nothing_is_lost_in_silence(lazy: LazyDiGraph) -> None:
    u, v = next(iter(lazy.edges))
    for change in (
        lambda: lazy.add_edge(u, v, weight=1), lambda: lazy.add_node("new"), lambda: lazy.remove_edge(u, v),
        lambda: lazy.remove_node(u), lazy.clear, lazy.clear_edges, lambda: lazy.add_edges_from([(u, v)]),
        lambda: lazy.add_nodes_from([1]), lambda: lazy.add_weighted_edges_from([(u, v, 3)]),
        lambda: lazy.update(edges=[(u, v)]), lambda: lazy.remove_nodes_from([u]),
        lambda: lazy.remove_edges_from([(u, v)]),
    ):  # fmt: skip
        with pytest.raises(nx.NetworkXError):
            change()
    with pytest.raises(TypeError):
        lazy[u][v]["weight"] = 7
    with pytest.raises(TypeError):
        lazy.nodes[u]["posture"] = "asleep"
    with pytest.raises(TypeError):
        nx.set_node_attributes(lazy, 1, "mark")
    with pytest.raises(TypeError):
        nx.set_edge_attributes(lazy, 1, "mark")
    assert nx.is_frozen(lazy)


def test_unknown_nodes(lazy: LazyDiGraph) -> None:
    nowhere = Spot((99, 99), "up")
    with pytest.raises(KeyError):
        lazy[nowhere]
    with pytest.raises(nx.NodeNotFound):
        nx.single_source_dijkstra(lazy, nowhere)
    with pytest.raises(nx.NetworkXError):
        list(lazy.predecessors(nowhere))
    assert not lazy.has_edge(START, nowhere)


def test_parallel_steps_show_the_cheapest(lazy: LazyDiGraph) -> None:
    down = Spot((0, 0), "down")
    steps = [step for step in lazy.compiled.steps(0) if step[0] == lazy.index.node(down)]
    assert sorted(ticks for _, ticks, _ in steps)[:2] == [0, 1]
    assert lazy[START][down]["weight"] == 0
    assert lazy[START][down]["slot"] >= lazy.compiled.slots
    assert lazy.pred[down][START] == lazy[START][down]
    assert lazy.number_of_edges(START, down) == 1


def test_pickle_and_deepcopy(lazy: LazyDiGraph, plain: nx.DiGraph) -> None:
    lazy.edges, lazy.nodes, lazy.adj, lazy.degree  # noqa: B018 - fills networkx's cached views
    for again in (pickle.loads(pickle.dumps(lazy)), copy.deepcopy(lazy), copy.copy(lazy)):
        assert type(again) is LazyDiGraph
        assert same(again, plain)
        assert again.graph == {"name": "board"}
        assert again.nodes is not lazy.nodes
        assert nx.is_frozen(again)
        with pytest.raises(nx.NetworkXError):
            again.add_node(1)
    edge = next(iter(lazy.edges(data=True)))[2]
    assert pickle.loads(pickle.dumps(edge)) == dict(edge)
    assert type(copy.deepcopy(edge)) is dict


def test_neighbours_are_made_when_looked_at_and_not_kept_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tactical.search.lazygraph.KEPT", 5)
    asked: list[int] = []
    lazy = make()

    def watch(source: int, target: int, slot: int) -> Mapping[str, Any]:
        asked.append(source)
        return {"slot": slot}

    lazy.edge_attributes = watch
    nx.single_source_dijkstra_path_length(lazy, START)
    assert asked == []
    assert len(lazy._succ._rows) <= 5
    assert next(iter(lazy.edges(data="slot")))[2] is not None
    assert asked == [0]


def test_without_attributes() -> None:
    compiled = Compiled(1, 2, 1, np.array([[4], [0]], np.uint8), np.array([[1]]))
    graph = LazyDiGraph(compiled, Labels("ab"))
    assert dict(graph["a"]["b"]) == {"weight": 3}
    assert dict(graph.nodes["a"]) == {}
    assert type(LazyDiGraph()) is nx.DiGraph
