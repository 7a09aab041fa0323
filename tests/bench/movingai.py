"""Compare with published optimal lengths: ``python tests/bench/movingai.py FOLDER`` prints matches/total per scenario
file.

Every ``.map.scen`` beside its ``.map`` is read; movement is octile with no corner cut, which is what
``diagonal=euclid`` and ``corner=both_open`` say.  A length matches within 0.01, since sums of the root of two drift
in the published files.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tactical import Cell, Mover, load
from tactical.formats.movingai import scenarios
from tactical.movement.graph.lattice import Lattice
from tactical.movement.query import ask
from tactical.search.kernel import search

TOLERANCE = 0.01


def cheapest(lattice: Lattice, dense: NDArray[np.int64]) -> NDArray[np.int64]:
    """Per place: the least ticks of a state that a move may end in (-1: none)."""
    most = np.iinfo(np.int64).max
    cost = np.where((dense >= 0) & lattice.stops, dense, most).reshape(len(lattice.draft.layers), -1).min(axis=0)
    return np.where(cost == most, -1, cost)


def matches(map_file: Path, scen_file: Path) -> Iterator[tuple[bool, float, float]]:
    """(matches, found, published) for every problem of a scenario file."""
    battlemap = load(map_file)
    options = {"diagonal": "euclid", "corner": "both_open"}
    for problem in scenarios(scen_file.read_bytes(), source=str(scen_file)):
        start, goal = Cell(*problem.start), Cell(*problem.goal)
        mover = Mover("walker", rules="plain", stats={"speed": 5}, at=start)
        query = ask(battlemap, mover, options=options)
        lattice = query.lattice("", None, limited=False)
        best = cheapest(lattice, search(lattice.compiled, [lattice.node(query.start)]).dense())
        place = lattice.site.place(goal)
        found = float(lattice.cost(int(best[lattice.draft.node(0, place)])) / battlemap.cell)
        yield abs(found - float(problem.length)) <= TOLERANCE, found, float(problem.length)


def main(arguments: list[str]) -> int:
    """Print the matches of every pair of files in a folder."""
    good = total = 0
    for scen in sorted(Path(arguments[0]).glob("*.map.scen")):
        results = list(matches(scen.with_suffix(""), scen))
        met = sum(hit for hit, _, _ in results)
        print(f"{scen.name}: {met}/{len(results)}")
        good, total = good + met, total + len(results)
    print(f"{good}/{total} published lengths met within {TOLERANCE}")
    return 0 if good == total and total else 1


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
