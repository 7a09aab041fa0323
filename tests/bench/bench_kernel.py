"""Times of the search for pytest-benchmark: ``pytest tests/bench/bench_kernel.py``.

Not collected in an ordinary test run.  For ratios against networkx and C, and the targets, see ``ratios.py``.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import networkx as nx
import pytest

sys.path.insert(0, str(Path(__file__).parent))

from boards import Board, board
from native import Native, library

from tactical.search.kernel import available, batch, search

pytestmark = pytest.mark.bench
Benchmark = Callable[[Callable[[], object]], object]

needs_numba = pytest.mark.skipif(not available(), reason="numba is not installed (extra: fast)")
ENGINES = ["networkx", "python", pytest.param("numba", marks=needs_numba), "c"]
BOARDS: dict[str, tuple[dict[str, Any], int]] = {
    "hall, 60 ft": ({"side": 30, "layers": 3, "walls": 0.0, "costs": (1,)}, 24),
    "walls and costs, 24 cells": ({"side": 100, "layers": 3}, 48),
}


@pytest.fixture(scope="module")
def places() -> dict[str, Board]:
    """The maps, made once."""
    return {name: board(**how) for name, (how, _) in BOARDS.items()}


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("name", BOARDS)
def test_bounded(benchmark: Benchmark, places: dict[str, Board], name: str, engine: str) -> None:
    """64 bounded questions from different places."""
    place, budget = places[name], BOARDS[name][1]
    sources = place.sources(64)
    wanted = sum(len(search(place.compiled, [source], budget=budget)) for source in sources)
    if engine == "c":
        if library() is None:
            pytest.skip("no gcc here")
        native = Native(place.compiled)
        assert benchmark(lambda: native.ask(sources, budget)) == wanted
    elif engine == "networkx":
        graph, labels = place.graph, [place.label(source) for source in sources]
        lengths = nx.single_source_dijkstra_path_length
        assert benchmark(lambda: sum(len(lengths(graph, label, cutoff=budget)) for label in labels)) == wanted
    else:
        compiled = place.compiled
        found = benchmark(lambda: sum(len(search(compiled, [s], budget=budget, engine=engine)) for s in sources))
        assert found == wanted


@needs_numba
def test_tokens(benchmark: Benchmark, places: dict[str, Board]) -> None:
    """200 tokens in one call."""
    place = places["walls and costs, 24 cells"]
    sources = place.sources(200)
    assert len(benchmark(lambda: batch(place.compiled, sources, 24))) == 200  # type: ignore[arg-type]
