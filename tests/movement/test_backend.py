"""networkx calls through the backend give what networkx gives."""

from __future__ import annotations

import logging
import subprocess
import sys
import warnings
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tactical.search import backend as module
from tactical.search.backend_info import FUNCTIONS, info
from tactical.search.compiled import Compiled, Labels
from tactical.search.lazygraph import LazyDiGraph

pytestmark = pytest.mark.skipif("tactical" not in nx.utils.backends.backends, reason="the package is not installed")


@pytest.fixture(autouse=True)
def _no_announcements() -> Iterator[None]:
    """networkx announces every use of a cached conversion."""
    with nx.config(warnings_to_ignore={"cache"}):
        yield


def random_graph(count: int, seed: int, kind: type[nx.Graph] = nx.DiGraph) -> nx.Graph:
    rng = np.random.default_rng(seed)
    graph = kind()
    graph.add_nodes_from(f"n{i}" for i in range(count))
    for _ in range(3 * count):
        graph.add_edge(f"n{rng.integers(count)}", f"n{rng.integers(count)}", weight=int(rng.integers(0, 20)))
    graph.add_edge("n0", "n1")  # without a weight: costs 1
    return graph


def corridor() -> LazyDiGraph:
    compiled = Compiled(1, 5, 2, np.array([[3, 0], [3, 2], [2, 5], [1, 1], [0, 2]], np.uint8), np.array([[1, -1]]))
    return LazyDiGraph(compiled, Labels("abcde"))


CALLS: dict[str, list[tuple[tuple[Any, ...], dict[str, Any]]]] = {
    "single_source_dijkstra": [
        (("n0",), {}), (("n0",), {"cutoff": 12}), (("n0", "n1"), {}), (("n0",), {"weight": None}),
    ],
    "single_source_dijkstra_path": [(("n0",), {}), (("n0", 9.5), {})],
    "single_source_dijkstra_path_length": [(("n0",), {}), (("n0",), {"cutoff": 12}), (("n0", float("inf")), {})],
    "multi_source_dijkstra": [(({"n0", "n1"},), {}), ((["n1", "n0"],), {"cutoff": 5}), ((["n1"], "n1"), {})],
    "multi_source_dijkstra_path": [(({"n0", "n1"},), {})],
    "multi_source_dijkstra_path_length": [((["n1", "n0", "n1"],), {"cutoff": 7})],
    "dijkstra_path": [(("n0", "n1"), {}), (("n0", "n0"), {})],
    "dijkstra_path_length": [(("n0", "n1"), {}), (("n1", "n0"), {})],
    "bidirectional_dijkstra": [(("n0", "n1"), {})],
    "all_pairs_dijkstra": [((), {"cutoff": 9})],
    "all_pairs_dijkstra_path": [((9,), {})],
    "all_pairs_dijkstra_path_length": [((), {})],
}  # fmt: skip


IN_ORDER = tuple(int(part) for part in nx.__version__.split(".")[:2]) >= (3, 6)
"""Before 3.6 networkx lists paths in the order they were found, not in that of their lengths."""


def answer(function: Any, *args: Any, **kwargs: Any) -> Any:
    """The answer with the order of its dictionaries, or the error's type and words."""
    try:
        found = function(*args, **kwargs)
    except (nx.NetworkXException, ValueError) as error:
        return type(error), str(error)
    return ordered(list(found) if isinstance(found, Iterator) else found)


def ordered(value: Any) -> Any:
    if isinstance(value, dict):
        return [(key, ordered(value[key])) for key in (value if IN_ORDER else sorted(value))]
    return [ordered(each) for each in value] if isinstance(value, (list, tuple)) else value


def test_every_function_is_tried() -> None:
    assert set(CALLS) == set(FUNCTIONS)


@pytest.mark.parametrize("name", CALLS)
@pytest.mark.parametrize("kind", [nx.DiGraph, nx.Graph])
@settings(max_examples=15)
@given(count=st.integers(2, 12), seed=st.integers(0, 10**6))
def test_same_answers(name: str, kind: type[nx.Graph], count: int, seed: int) -> None:
    graph = random_graph(count, seed, kind)
    function = getattr(nx, name)
    for args, kwargs in CALLS[name]:
        ours = answer(function, graph, *args, **kwargs, backend="tactical")
        graph.__networkx_cache__.clear()
        theirs = answer(function, graph, *args, **kwargs, backend="networkx")
        if name == "bidirectional_dijkstra" and isinstance(theirs[0], int):
            way = ours[1]
            assert (way[0], way[-1]) == args
            assert ours[0] == theirs[0] == sum(graph[u][v].get("weight", 1) for u, v in pairwise(way))
        else:
            assert ours == theirs


WRONG: dict[str, list[tuple[Any, ...]]] = {
    "single_source_dijkstra": [("gone",), ("n0", "alone"), ("n0", "gone")],
    "single_source_dijkstra_path": [("gone",)],
    "single_source_dijkstra_path_length": [("gone",)],
    "multi_source_dijkstra": [(["n0", "gone"],), ([],), (["n0"], "alone"), (["gone"], "gone")],
    "multi_source_dijkstra_path": [(["gone"],), (set(),)],
    "multi_source_dijkstra_path_length": [(["gone"],), ([],)],
    "dijkstra_path": [("gone", "n0"), ("n0", "gone"), ("n0", "alone")],
    "dijkstra_path_length": [("gone", "n0"), ("n0", "gone"), ("n0", "alone")],
    "bidirectional_dijkstra": [("gone", "n0"), ("n0", "gone"), ("n0", "alone")],
}


@pytest.mark.parametrize("name", WRONG)
def test_errors_are_those_of_networkx(name: str) -> None:
    graph = random_graph(6, 1)
    graph.add_node("alone")
    for args in WRONG[name]:
        ours = answer(getattr(nx, name), graph, *args, backend="tactical")
        graph.__networkx_cache__.clear()
        assert isinstance(ours[0], type)
        assert ours == answer(getattr(nx, name), graph, *args, backend="networkx")


def test_the_lazy_graph_is_not_converted() -> None:
    graph = corridor()
    converted = module.convert_from_nx(graph, edge_attrs={"weight": 1})
    assert converted.compiled is graph.compiled
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for _ in range(2):
            found = nx.single_source_dijkstra(graph, "a", backend="tactical")
    assert found == nx.single_source_dijkstra(graph, "a") == nx.single_source_dijkstra(nx.DiGraph(graph), "a")


def test_another_weight_of_the_lazy_graph() -> None:
    graph = corridor()
    graph.edge_attributes = lambda u, v, slot: {"toll": 10 * u + v}
    for weight in ("toll", None, "missing"):
        ours = nx.single_source_dijkstra(graph, "a", weight=weight, backend="tactical")
        assert ours == nx.single_source_dijkstra(graph, "a", weight=weight)


def test_priority_without_the_keyword(caplog: pytest.LogCaptureFixture) -> None:
    graph = corridor()
    wanted = nx.single_source_dijkstra(graph, "a")
    caplog.set_level(logging.DEBUG, logger="networkx")
    with nx.config.backend_priority(algos=["tactical"]):
        assert nx.single_source_dijkstra(graph, "a") == wanted
        assert "tactical" in caplog.text
        # what the backend lacks or cannot do, networkx does
        assert nx.has_path(graph, "a", "e")
        assert nx.single_source_dijkstra(graph, "a", weight=lambda u, v, d: 2)[0]["e"] == 8
        assert nx.shortest_path(graph, "a", "e", weight="weight") == list("abcde")
        fractions = nx.DiGraph([(i, i + 1, {"weight": 0.5}) for i in range(300)])
        assert nx.dijkstra_path_length(fractions, 0, 3) == 1.5
        assert set(nx.dijkstra_predecessor_and_distance(graph, "a")[1]) == set("abcde")


def test_reasons() -> None:
    graph, many = nx.DiGraph([(1, 2)]), nx.MultiDiGraph([(1, 2)])
    assert module.can_run("single_source_dijkstra", (graph, 1), {}) is True
    for name, args, kwargs, word in (
        ("single_source_dijkstra", (graph, 1), {"weight": len}, "function"),
        ("single_source_dijkstra", (many, 1), {}, "multigraph"),
        ("single_source_dijkstra", (graph, 1), {"cutoff": -1}, "cutoff"),
        ("single_source_dijkstra", (graph,), {}, "source"),
        ("betweenness_centrality", (graph,), {}, "not among"),
    ):
        assert word in str(module.can_run(name, args, kwargs))
    assert "longer" in str(module.should_run("single_source_dijkstra", (graph, 1), {}))
    assert module.should_run("single_source_dijkstra", (corridor(), "a"), {}) is True
    assert module.should_run("single_source_dijkstra", (), {"G": nx.path_graph(500)}) is True


def test_not_whole_by_keyword_is_refused() -> None:
    with pytest.raises(NotImplementedError) as caught:
        nx.dijkstra_path_length(nx.DiGraph([(1, 2, {"weight": 1.5})]), 1, 2, backend="tactical")
    assert "whole number" in str(caught.value.__cause__)


def test_an_added_edge_is_seen() -> None:
    graph = random_graph(8, 5)
    nx.single_source_dijkstra(graph, "n0", backend="tactical")
    graph.add_edge("n0", "new", weight=3)
    assert nx.dijkstra_path_length(graph, "n0", "new", backend="tactical") == 3


def test_graph_by_name() -> None:
    graph = random_graph(8, 5)
    ours = nx.single_source_dijkstra(G=graph, source="n0", backend="tactical")
    graph.__networkx_cache__.clear()
    assert ours == nx.single_source_dijkstra(graph, "n0")


def test_back_to_networkx() -> None:
    graph = random_graph(8, 5)
    nx.set_edge_attributes(graph, {e: w or 1 for e, w in nx.get_edge_attributes(graph, "weight", 1).items()}, "weight")
    again = module.convert_to_nx(module.convert_from_nx(graph, edge_attrs={"weight": 1}))
    assert nx.utils.graphs_equal(again, graph)
    assert module.convert_to_nx(7) == 7


def test_importing_networkx_stays_light() -> None:
    program = (
        "import sys, tactical.search.backend_info as module; module.info()\n"
        "assert not {'numba', 'numpy', 'networkx'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
    assert set(info()["functions"]) == set(FUNCTIONS)
