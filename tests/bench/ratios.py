"""Print how the search compares with networkx and with C, each target beside what is measured here and now.

Run ``python tests/bench/ratios.py`` (some minutes; ``--quick`` leaves out the big maps).  All engines run in one
process on one core, interleaved, each from the same varied sources, and medians are compared: look at the ratios, not
at the times.  networkx searches a graph as one would write it, with tuples for nodes.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
import tracemalloc
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

import networkx as nx
import numpy as np

sys.path.insert(0, str(Path(__file__).parent))

from boards import Board, board, compile_board, terrain
from native import Native, library

from tactical.movement.graph.lattice import Lattice
from tactical.movement.query import Query, ask
from tactical.search.compiled import Compiled
from tactical.search.kernel import available, batch, search, warmup
from tactical.units import Cell
from tactical.world.battlemap import Battlemap, Level
from tactical.world.mover import Mover
from tactical.world.terrain import Terrain
from tactical.world.window import Window

FEET = 60
"""Of movement in the bounded questions; a tick is 2.5 ft."""


class Row(NamedTuple):
    """One target and what was measured."""

    number: int
    what: str
    target: str
    measured: str
    met: bool


def race(engines: dict[str, Callable[[], object]], rounds: int = 7, shortest: float = 0.02) -> dict[str, float]:
    """Seconds a call of each engine: medians over interleaved rounds, each sample at least `shortest` long."""
    repeats = {}
    for name, call in engines.items():
        call()
        begin = time.perf_counter()
        call()
        repeats[name] = max(1, int(shortest / max(time.perf_counter() - begin, 1e-9)))
    samples: dict[str, list[float]] = {name: [] for name in engines}
    order = list(engines)
    for turn in range(rounds):
        for name in order[turn % len(order) :] + order[: turn % len(order)]:
            call, count = engines[name], repeats[name]
            begin = time.perf_counter()
            for _ in range(count):
                call()
            samples[name].append((time.perf_counter() - begin) / count)
    return {name: median(times) for name, times in samples.items()}


def each(function: Callable[[int], object], sources: list[int]) -> Callable[[], None]:
    """A call that asks for every source."""

    def ask() -> None:
        for source in sources:
            function(source)

    return ask


def dictionaries(graph: nx.DiGraph, source: object, budget: int | None) -> object:
    """The same work in networkx: distances and predecessors."""
    return nx.dijkstra_predecessor_and_distance(graph, source, cutoff=budget)


def bounded(place: Board, budget: int) -> dict[str, float]:
    """Seconds a question of networkx, of both tiers and of C."""
    sources = place.sources(64)
    compiled, graph = place.compiled, place.graph
    engines: dict[str, Callable[[], object]] = {
        "nx": each(lambda s: dictionaries(graph, s, budget), [place.label(s) for s in sources]),
        "python": each(lambda s: search(compiled, [s], budget=budget, engine="python"), sources),
        "numba": each(lambda s: search(compiled, [s], budget=budget, engine="numba"), sources),
        "dict": each(lambda s: search(compiled, [s], budget=budget, engine="numba").to_dict(), sources),
    }
    if library():
        native = Native(compiled)
        engines["c"] = lambda: native.ask(sources, budget)
        assert native.ask(sources, budget) == sum(len(search(compiled, [s], budget=budget)) for s in sources)
    times = race(engines)
    return {name: seconds / len(sources) for name, seconds in times.items()}


def against(times: dict[str, float], name: str, least: float, most: float | None) -> tuple[str, str, bool]:
    """Target, measurement and verdict of an engine against networkx and C."""
    faster = times["nx"] / times[name]
    words, wanted, met = f"{faster:.0f}x nx", f">= {least:g}x nx", faster >= least
    if most is not None and "c" in times:
        slower = times[name] / times["c"]
        words, wanted, met = f"{words}, {slower:.2f}x C", f"{wanted}, <= {most:g}x C", met and slower <= most
    return wanted, words, met


def small() -> Iterator[Row]:
    """Targets 1, 2, 4 and 12: bounded questions."""
    walls = bounded(board(100, 3), 48)
    yield Row(1, "100x100x3, walls and costs, 24 cells", *against(walls, "numba", 45, 1.3))
    hall = bounded(board(30, 3, 0.0, (1,)), 24)
    yield Row(2, "30x30x3, open, 60 ft", *against(hall, "numba", 100, 1.5))
    yield Row(4, "as 1, with to_dict()", *against(walls, "dict", 10, None))
    worst = min((walls, hall), key=lambda times: times["nx"] / times["python"])
    wanted, words, met = f">= {2}x nx", f"{worst['nx'] / worst['python']:.1f}x nx", worst["nx"] / worst["python"] >= 2
    yield Row(12, "Python alone, the worse of 1 and 2", wanted, words, met)


def growth() -> Iterator[Row]:
    """Target 5: the same question on a small map and on a huge one."""
    calls = {}
    for side in (50, 1600):
        free, factor = terrain(50, 0.2, (1, 2, 4), 0)
        if side > 50:
            # the small map in the middle of a huge one
            wide, ground = terrain(side, 0.2, (1, 2, 4), 1)
            at = side // 2
            wide[at : at + 50, at : at + 50], ground[at : at + 50, at : at + 50] = free, factor
            free, factor = wide, ground
        compiled = compile_board(free, factor, 1)
        shift = 0 if side == 50 else side // 2
        spots = [(r, c) for r in range(13, 37) for c in range(13, 37) if free[r + shift, c + shift]]
        sources = [(r + shift) * side + c + shift for r, c in spots]
        calls[str(side)] = each(lambda s, c=compiled: search(c, [s], budget=24, engine="numba"), sources)  # type: ignore[misc]
    times = race(calls)
    ratio = times["1600"] / times["50"]
    yield Row(5, "12 cells on 1600x1600 against 50x50", "<= 1.3x", f"{ratio:.2f}x", ratio <= 1.3)


def whole(side: int, least: float) -> Iterator[Row]:
    """Target 6: everything there is."""
    place = board(side)
    compiled, graph = place.compiled, place.graph
    source = place.sources(1)[0]
    engines: dict[str, Callable[[], object]] = {
        "numba": lambda: search(compiled, [source], engine="numba"),
    }
    if library():
        native = Native(compiled)
        engines["c"] = lambda: native.ask([source], None)
    times = race(engines)
    begin = time.perf_counter()
    dictionaries(graph, place.label(source), None)
    times["nx"] = time.perf_counter() - begin
    yield Row(6, f"all of {side}x{side}", *against(times, "numba", least, 1.4))


def tokens() -> Iterator[Row]:
    """Target 7: many tokens at once."""
    place = board(100, 3)
    compiled, graph, sources = place.compiled, place.graph, place.sources(200)
    many = place.sources(2000)
    halves = many[:1000], many[1000:]
    times = race(
        {
            "nx": each(lambda s: dictionaries(graph, s, 24), [place.label(s) for s in sources]),
            "batch": lambda: batch(compiled, sources, 24, engine="numba"),
            "one": lambda: batch(compiled, many, 24, engine="numba"),
            "two": lambda: in_two(compiled, halves),
        }
    )
    ratio, spread = times["nx"] / times["batch"], times["one"] / times["two"]
    words = f"{ratio:.0f}x nx, {times['batch'] * 1000:.1f} ms, {spread:.2f}x on 2 threads"
    met = ratio >= 60 and times["batch"] <= 0.005 and spread >= 1.6
    yield Row(7, "200 tokens, 12 cells, 3 layers", ">= 60x nx, <= 5 ms, >= 1.6x on 2 threads", words, met)


CREW = ThreadPoolExecutor(2)


def in_two(compiled: Compiled, halves: tuple[list[int], list[int]]) -> list[Any]:
    """A batch in two threads."""
    return list(CREW.map(lambda half: batch(compiled, half, 24, engine="numba"), halves))


def building() -> Iterator[Row]:
    """Target 10: the arrays against the dictionaries."""
    free, factor = terrain(100, 0.2, (1, 2, 4), 0)
    compiled = compile_board(free, factor, 3)
    places: list[Board] = []

    def natural() -> None:
        places.append(Board(compiled, free.reshape(-1), 0))
        len(places[-1].graph)

    tracemalloc.start()
    natural()
    size = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    smaller = size / (compiled.weight.nbytes + compiled.offset.nbytes)
    question = asked(free, factor)

    def lattice() -> None:
        window = Window.whole(question.battlemap)
        Lattice(question.site(window), question.profile, question.options, limited=False)

    runs: dict[str, Callable[[], object]] = {"arrays": lambda: compile_board(free, factor, 3), "lattice": lattice}
    times = race({**runs, "nx": natural}, rounds=5)
    for name, what in (("arrays", "build 100x100x3"), ("lattice", "the same from a map, by the rules")):
        faster = times["nx"] / times[name]
        met = faster >= 200 and smaller >= 100
        yield Row(10, what, ">= 200x faster, >= 100x smaller", f"{faster:.0f}x, {smaller:.0f}x", met)


def asked(free: Any, factor: Any) -> Query:
    """A question on a map of that ground, in three postures."""
    kinds = sorted({int(value) for value in factor.reshape(-1)})
    palette = (*(Terrain(factor=Fraction(kind)) for kind in kinds), Terrain(impassable=True))
    ground = np.where(free, np.searchsorted(kinds, factor), len(kinds)).astype(np.uint16)
    rows, cols = np.nonzero(free)
    battlemap = Battlemap((Level("ground", ground),), palette)
    return ask(battlemap, Mover("walker", rules="plain", at=Cell(int(cols[0]), int(rows[0]))))


def doors() -> Iterator[Row]:
    """Target 11: open or shut a door, then ask."""
    place = board(100, 3)
    compiled, sources = place.compiled, place.sources(64)
    rows, flat = sources, compiled.weight

    def toggle(source: int) -> None:
        row = flat[source]
        kept = int(row[1])
        row[1] = 0
        search(compiled, [source], budget=48, engine="numba")
        row[1] = kept

    plain = each(lambda s: search(compiled, [s], budget=48, engine="numba"), rows)
    times = race({"plain": plain, "toggled": each(toggle, rows)})
    ratio = times["toggled"] / times["plain"]
    yield Row(11, "a door, then the question", "<= 1.1x", f"{ratio:.2f}x", ratio <= 1.1)


def cold() -> Iterator[Row]:
    """Target 13, as far as it is the kernel's: a process that asks once against one that only has networkx."""
    ours = (
        "import numpy as np\nfrom tactical.search.compiled import Compiled\n"
        "from tactical.search.kernel import search\n"
        "w = np.full((2700, 8), 3, np.uint8); w[[0, -1]] = 0\n"
        "search(Compiled(1, 2700, 8, w, np.array([[-1, 1] * 4])), [1350], budget=24)"
    )
    theirs = (
        "import networkx as nx; g = nx.grid_2d_graph(30, 30); nx.set_edge_attributes(g, 2, 'weight')\n"
        "nx.dijkstra_predecessor_and_distance(g, (15, 15), cutoff=24)"
    )

    def run(program: str) -> Callable[[], object]:
        return lambda: subprocess.run([sys.executable, "-c", program], check=True)

    times = race({"ours": run(ours), "nx": run(theirs)}, rounds=9)
    ratio = times["ours"] / times["nx"]
    yield Row(13, "cold process, first answer (kernel alone)", "<= 1.1x of nx", f"{ratio:.2f}x", ratio <= 1.1)


def main() -> int:
    """Print the table; 1 if a target is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="leave out the big maps")
    parser.add_argument("--only", type=int, nargs="*", help="numbers of the targets to measure")
    parser.add_argument("--json", action="store_true", help="one JSON object")
    options = parser.parse_args()
    if not available():
        print("[]" if options.json else "numba is not installed (extra: fast); nothing to compare")
        return 1
    warmup()
    cores = os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else set()
    parts: list[tuple[set[int], bool, Callable[[], Iterator[Row]]]] = [
        ({1, 2, 4, 12}, False, small),
        ({5}, False, growth),
        ({6}, True, lambda: whole(512, 80)),
        ({6}, True, lambda: whole(1024, 110)),
        ({7}, False, tokens),
        ({10}, False, building),
        ({11}, False, doors),
        ({13}, False, cold),
    ]
    missed = 0
    found = []
    for numbers, big, part in parts:
        if (big and options.quick) or (options.only and not numbers & set(options.only)):
            continue
        if cores:
            # one core, except where two threads are to be compared with one
            os.sched_setaffinity(0, cores if 7 in numbers else {max(cores)})
        for row in part():
            missed += not row.met
            verdict = "met" if row.met else "MISSED"
            found.append(row._asdict())
            if options.json:
                continue
            print(f"{row.number:>3}  {row.what:<42} {row.target:<42} {row.measured:<42} {verdict}", flush=True)
    if options.json:
        print(json.dumps(found))
    return 1 if missed else 0


if __name__ == "__main__":
    raise SystemExit(main())
