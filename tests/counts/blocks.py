"""Reading and writing count files, and counting with the oracle.  The format stands in README.md beside this."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any

import yaml

from tests.oracle.board import Pos
from tests.oracle.moves import Mover
from tests.oracle.search import ends, first_budget, over_turns, spread

HERE = Path(__file__).parent
RINGS = {
    "cautious": Fraction(1, 2),
    "cruising": Fraction(1),
    "high": Fraction(2),
    "all_out": Fraction(4),
}
"""D6 speeds: how many times Move is the full distance; at least half of it must be covered."""
RESULTS = ("states", "passed")


@dataclass(frozen=True)
class Count:
    """One block: the scenario it describes and the result lines."""

    name: str
    by: str
    turns: int
    scenario: Mapping[str, Any]
    result: tuple[str, ...]
    head: tuple[str, ...] = field(default=(), repr=False)
    """Everything above the result, line for line."""

    def agrees(self, found: tuple[str, ...]) -> bool:
        """Whether lines found are the ones of the file; a count by hand may leave the states out."""
        counted = any(line.startswith("states") for line in self.result)
        return self.result == tuple(line for line in found if counted or not line.startswith("states"))


def files() -> list[Path]:
    """All count files."""
    return sorted(HERE.glob("*.txt"))


def read(path: Path) -> Iterator[Count]:
    """The blocks of a file."""
    block: list[str] = []
    for line in [*path.read_text(encoding="utf-8").splitlines(), "count"]:
        if line.startswith("count") and block:
            yield _block(block)
            block = []
        if block or line.startswith("count "):
            block.append(line)


def _block(lines: list[str]) -> Count:
    fields: dict[str, str] = {}
    rows: list[str] = []
    result: list[str] = []
    head: list[str] = []
    for line in lines:
        if not line.strip():
            continue
        key, _, value = line.partition(":")
        if line.startswith("  "):
            rows.append(line.strip())
        elif key in RESULTS or re.fullmatch(r" \d+ cells, \S+ to \S+", value):
            result.append(line)
            continue
        elif not line.startswith("#"):
            fields[key] = value.strip()
        head.append(line)
    name = lines[0].partition(" ")[2]
    board: dict[str, Any] = {"rows": rows}
    for key in ("legend", "walls", "edges", "occupants", "links", "zones", "grid", "cell"):
        if key in fields:
            board[key] = yaml.safe_load(fields[key])
    scenario = {
        "ruleset": fields["rules"],
        "options": yaml.safe_load(fields.get("options", "{}")),
        "map": board,
        "mover": yaml.safe_load(fields.get("mover", "{}")),
    }
    return Count(name, fields["by"], int(fields.get("turns", 1)), scenario, tuple(result), tuple(head))


Band = tuple[str, Fraction]
"""A band's name and what has been spent in its turn."""


def lines(bands: Mapping[Any, Band], states: int, passed: int, order: list[str]) -> tuple[str, ...]:
    """Result lines: how many cells each band has, the least and most spent."""
    out = [f"states: {states}"]
    for name in order:
        spent = [cost for band, cost in bands.values() if band == name]
        if spent:
            out.append(f"{name}: {len(spent)} cells, {min(spent)} to {max(spent)}")
    return (*out, f"passed: {passed}")


def order_of(count: Count) -> list[str]:
    """The bands of a count, in order."""
    ruleset = count.scenario["ruleset"]
    later = [f"turn-{n}" for n in range(2, count.turns + 1)]
    if ruleset == "operator":
        return ["move", "dash", *later]
    if ruleset.startswith("d6"):
        return [*RINGS, *later]
    if ruleset == "shapers":
        return [count.scenario["mover"].get("gait", "walk"), *later]
    if ruleset == "twelve-second":
        # a mover that names its modes mixes them
        return ["mixed" if "modes" in count.scenario["mover"] else "walk", *later]
    return ["move", *later]


def by_oracle(count: Count) -> tuple[str, ...]:
    """The result lines as the oracle counts them."""
    scenario = count.scenario
    mover = Mover(scenario)
    bands: dict[Pos, Band] = {}
    if scenario["ruleset"].startswith("d6"):
        move = Fraction(str(scenario["mover"]["move"]))
        first = spread(mover, [(mover.begin(), Fraction(0))], move * 4)
        allowed = rungs(scenario["mover"].get("previous", "stop"))
        first = {state: cost for state, cost in first.items() if cost <= max(RINGS[gait] for gait in allowed) * move}
        every = [first]
        for pos, cost in ends(mover, first).items():
            gait = next((gait for gait in allowed if RINGS[gait] / 2 <= cost / move <= RINGS[gait]), None)
            if gait is not None:
                bands[pos] = gait, cost
    else:
        spent, budget = first_budget(mover, scenario)
        whole = budget * 2 if scenario["ruleset"] == "operator" else budget
        every = over_turns(mover, spent, whole, count.turns)
        for number, found in enumerate(every, 1):
            for pos, cost in ends(mover, found, number).items():
                name = f"turn-{number}" if number > 1 else order_of(count)[int(cost > budget)]
                bands.setdefault(pos, (name, cost))
    passed = {state.pos for found in every for state in found} - set(bands) - {mover.start}
    bands.pop(mover.start, None)
    states = {(s.pos, s.posture, s.squeezed, s.parity) for s in every[0]}
    return lines(bands, len(states), len(passed), order_of(count))


def rungs(previous: str) -> list[str]:
    """The D6 speeds that a character may take after the speed of the last round: two rungs up or down."""
    ladder = ["stop", *RINGS]
    at = ladder.index(previous)
    return [gait for gait in RINGS if abs(ladder.index(gait) - at) <= 2]
