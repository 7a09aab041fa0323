"""What answers that are kept take, beside the graph that they share: bytes, not times."""

from __future__ import annotations

import gc
import json
import subprocess
import sys
import tracemalloc
from collections.abc import Iterator

from tactical import reach
from tests.bench.public import OPTIONS, Row, place, spots, walker

SHARE = 3
"""A reach that is kept owns at most so many times what its stencil takes."""
MOST = 200
"""Megabytes that a map of a million cells and three reaches over all of it may come to."""

GROWN = """
import json
from tactical import Battlemap, Mover, reach
from tactical.search.kernel import warmup

def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * 4096 / 1e6

def walker(at):
    return Mover("walker", "plain", {"speed": 10000}, at)

warmup()
reach(Battlemap.from_cells(50, 50), walker((5, 5))).costs
before, kept = resident(), []
battlemap = Battlemap.from_cells(SIDE, SIDE)
for share in (2, 5, 9):
    kept.append(reach(battlemap, walker((SIDE // share, SIDE // 2))))
    assert kept[-1].route((0, 0))
print(json.dumps(resident() - before))
"""


def owned(crowded: bool, *, read: bool = True, side: int = 100, count: int = 50) -> tuple[float, float]:
    """Bytes that one of many kept reaches owns, and those of the stencil that it was searched on."""
    battlemap, ground = place(side)
    movers = [walker(at, 12, f"m{n}") for n, at in enumerate(spots(ground, count))]
    if crowded:
        battlemap = battlemap.with_(movers=movers)
    first = reach(battlemap, movers[0], options=OPTIONS)
    goal = max(first.costs, key=lambda cell: (first.costs[cell], cell))
    assert first.route(goal)
    stencil = first.searches[0].lattice.compiled.weight.nbytes
    gc.collect()
    tracemalloc.start()
    kept = []
    for mover in movers:
        found = reach(battlemap, mover, options=OPTIONS)
        if read:
            assert found.costs
        kept.append(found)
    gc.collect()
    size = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    return size / len(kept), float(stencil)


def a_reach(crowded: bool) -> Row:
    """A kept reach with its costs read out, beside its stencil."""
    ours, stencil = (size / 1000 for size in owned(crowded))
    among = ", among 50 movers" if crowded else ""
    times = {"tactical": ours, "stencil": stencil}
    spread = {name: (size, size) for name, size in times.items()}
    return Row(f"a kept reach and its costs, 12 cells{among}", times, spread, {"stencil": 1 / SHARE}, beat=1, unit="kB")


def three(side: int = 1000) -> Row:
    """How much a process grows by a huge map, three reaches over all of it and a route of each."""
    program = GROWN.replace("SIDE", str(side))
    told = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True).stdout
    grown = float(json.loads(told))
    title = f"{side} x {side} with three reaches over all of it"
    return Row(title, {"tactical": grown}, {"tactical": (grown, grown)}, most=MOST, beat=1, unit="MB")


def rows(quick: bool = False) -> Iterator[Row]:
    """All rows; those that need ``/proc`` where there is one."""
    yield a_reach(False)
    yield a_reach(True)
    if not quick and sys.platform == "linux":
        yield three()
