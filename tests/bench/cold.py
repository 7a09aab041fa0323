"""Print what a whole ``tactical reach`` costs from start to exit, as a ratio to a process that only uses networkx.

Run ``python tests/bench/cold.py`` (a minute; ``--rounds N``).  The yardstick imports networkx, builds a map of 30 x 30
cells on three levels as a DiGraph and runs one bounded Dijkstra on it; its own time is the unit.  Both processes run in
turn, with the byte code of an installed package, and processor time in user mode is compared pair by pair: look at the
ratios, not at the times.  numba is never imported.
"""

from __future__ import annotations

import argparse
import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path
from statistics import median

TARGET = 1.1
YARDSTICK = """
import networkx as nx
graph, side = nx.DiGraph(), 30
for level in range(3):
    for row in range(side):
        for col in range(side):
            for dc in (-1, 0, 1):
                for dr in (-1, 0, 1):
                    if (dc or dr) and 0 <= col + dc < side and 0 <= row + dr < side:
                        cost = 3 if dc and dr else 2
                        graph.add_edge((col, row, level), (col + dc, row + dr, level), weight=cost)
            for other in range(3):
                if other != level:
                    graph.add_edge((col, row, level), (col, row, other), weight=1 if other > level else 3)
nx.dijkstra_predecessor_and_distance(graph, (15, 15, 0), cutoff=24, weight="weight")
"""
HEAD = """\
name: Generated
grid: {type: square, cell: 5, unit: ft}
rules: operator
legend:
  "%": {terrain: mud, difficult: true}
  "~": {terrain: brook, water: wading}
  "#": {terrain: rock, impassable: true}
movers:
  - {id: walker, at: P12, side: ours}
  - {id: guard, at: T14, side: theirs}
rows: |
"""


def native(cols: int = 32, rows: int = 24, *, houses: int) -> str:
    """A native map with so many houses, each of four walls and a door."""
    dice = random.Random(7)
    lines = ["".join(dice.choices(".%~#", (80, 10, 6, 4), k=cols)) for _ in range(rows)]
    lines[11] = lines[11][:15] + "." + lines[11][16:]
    lines[13] = lines[13][:19] + "." + lines[13][20:]
    walls = []
    for _ in range(houses):
        x, y = dice.randrange(1, cols - 6), dice.randrange(1, rows - 6)
        w, h = dice.randrange(3, 6), dice.randrange(3, 6)
        corners = [(x, y), (x + w, y), (x + w, y + h), (x, y + h), (x, y)]
        for (a, b), (c, d) in pairwise(corners):
            walls.append(f"  - {{line: [[{a}, {b}], [{c}, {d}]], kind: wall}}\n")
        walls.append(f"  - {{line: [[{x + 1}, {y}], [{x + 2}, {y}]], kind: door, state: open}}\n")
    return HEAD + "".join(f"  {line}\n" for line in lines) + ("barriers:\n" + "".join(walls) if walls else "")


def movingai(side: int = 64) -> str:
    """A MovingAI map with a fifth of its cells closed."""
    dice = random.Random(7)
    lines = ["".join(dice.choices(".@", (80, 20), k=side)) for _ in range(side)]
    lines[20] = lines[20][:20] + "." + lines[20][21:]
    return f"type octile\nheight {side}\nwidth {side}\nmap\n" + "\n".join(lines) + "\n"


def user_seconds(command: list[str], environment: Mapping[str, str]) -> float:
    """Processor time in user mode of a whole process.  Raises `CalledProcessError`."""
    process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, command)
    return usage.ru_utime


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--rounds", type=int, default=11, metavar="N", help="pairs of runs a map (11)")
    rounds = parser.parse_args().rounds
    with tempfile.TemporaryDirectory(prefix="tactical-bench-") as name:
        folder = Path(name)
        # a fresh place for byte code, filled by the first run of each command, whatever state the checkout is in
        environment = {**os.environ, "PYTHONPYCACHEPREFIX": str(folder / "code")}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        contents = {
            "MovingAI, 64 x 64": ("open.map", movingai(), ["--at", "U21"]),
            "native, no barriers": ("plain.yaml", native(houses=0), ["--mover", "walker"]),
            "native, 10 houses": ("houses.yaml", native(houses=10), ["--mover", "walker"]),
        }
        yardstick = [sys.executable, "-c", YARDSTICK]
        print(f"{'map':<22}{'reach':>8}{'networkx':>10}{'ratio':>8}  target at most {TARGET}")
        for title, (file, content, words) in contents.items():
            (folder / file).write_text(content, encoding="utf-8")
            command = [sys.executable, "-m", "tactical", "reach", str(folder / file), *words]
            pairs = [
                (user_seconds(command, environment), user_seconds(yardstick, environment)) for _ in range(rounds + 1)
            ][1:]
            ours, theirs = (median(times) * 1000 for times in zip(*pairs, strict=True))
            ratio = median(a / b for a, b in pairs)
            print(f"{title:<22}{ours:>5.0f} ms{theirs:>7.0f} ms{ratio:>8.2f}  {'met' if ratio <= TARGET else 'missed'}")


if __name__ == "__main__":
    main()
