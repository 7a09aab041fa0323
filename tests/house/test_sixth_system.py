"""A rule system of somebody else's is one file: written into a folder, offered through an entry point, it simply works.

Each test runs a fresh interpreter whose path holds that folder, as if a package had been installed.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.house.offered import tactical, write_package

ROOT = Path(__file__).parents[2]

SYSTEM = '''
"""Hoppers: everybody hops; mud costs three, water is not for hoppers; a long day makes tired."""

from dataclasses import dataclass
from fractions import Fraction

from tactical.errors import Refusal
from tactical.options import number
from tactical.rules.checks import Check, Demand
from tactical.rules.profile import Factor, Gait, Pace, Profile, Source
from tactical.rules.ruleset import Ruleset


@dataclass(frozen=True, slots=True)
class Stats:
    hops: Fraction
    springy: bool = False


def profile(stats, turn, options, posture):
    mud = Factor("mud", options["mud_factor"], Source("HOP-03"))

    def pace(pool, posture, ground, uphill):
        if ground.swum:
            return Refusal("rules.not_covered", {"why": "wet hoppers"})
        factors = (mud,) if ground.difficult else ()
        return Pace("hop", factors=factors, source=mud.source if factors else Source("HOP-01"))

    tired = Refusal("move.mode", {"why": "tired"}) if turn.memory.get("leapt") else None
    gaits = (
        Gait("hop", stats.hops, title="Hop", source=Source("HOP-01")),
        Gait("leap", 2 * stats.hops, stats.hops, title="Leap", action="action", source=Source("HOP-02"), refused=tired),
    )
    balance = Check("balance", 4, kind="effort", source="HOP-04", dice="d6")
    return Profile(
        "hoppers", "m", gaits, pace, summary="hops " + str(stats.hops), turn_budget="hop",
        demand=lambda gait, grounds: Demand("action", (balance,)) if gait == "leap" else Demand(),
    )


def after(stats, turn, options, gait, outcome):
    from dataclasses import replace

    return replace(turn, memory={**turn.memory, "gait": gait})


def next_turn(turn, options):
    from tactical.rules.turnstate import TurnState

    return TurnState(turn.turn + 1, memory={"leapt": True} if turn.memory.get("gait") == "leap" else {})


RULESET = Ruleset(
    "hoppers", "Hoppers", "m", Stats, profile,
    options=(number("mud_factor", 3, "cost of a metre of mud", "HOP-03"),),
    example={"hops": 4}, summary="one hop a metre", sheet=lambda: {"hops": {"mud": 3}},
    after=after, next_turn=next_turn,
)
'''

MAP = """\
schema: 1
name: Pond
grid: {type: square, cell: 1, unit: m}
rules: hoppers
legend:
  ".": {terrain: grass}
  "m": {terrain: mud, difficult: true}
  "~": {terrain: pond, water: deep}
rows: |
  ..m.......~
  ..m.......~
movers:
  - {id: frog, at: A1, stats: {hops: 4}}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "hoppers.py").write_text(SYSTEM, encoding="utf-8")
    write_package(tmp_path, "hoppers", rulesets=["hoppers = hoppers:RULESET"])
    (tmp_path / "pond.yaml").write_text(MAP, encoding="utf-8")
    return tmp_path


def run(folder: Path, *command: str) -> subprocess.CompletedProcess[str]:
    """Python in a process of its own."""
    paths = os.pathsep.join([str(folder), str(ROOT), os.environ.get("PYTHONPATH", "")])
    return subprocess.run(
        [sys.executable, *command], cwd=ROOT, capture_output=True, text=True, check=False,
        env={**os.environ, "PYTHONPATH": paths, "SDL_VIDEODRIVER": "dummy"},
    )  # fmt: skip


def answer(folder: Path, *words: str) -> dict[str, object]:
    done = tactical(folder, *words, "--json")
    assert done.returncode == 0, done.stdout + done.stderr
    found = json.loads(done.stdout)
    assert isinstance(found, dict)
    return found


def test_reach_and_bands(folder: Path) -> None:
    found = answer(folder, "reach", str(folder / "pond.yaml"), "--mover", "frog", "--odds")
    assert [(band["name"], band["minimum"], band["budget"]) for band in found["bands"]] == [  # type: ignore[attr-defined]
        ("hop", 0, 4), ("leap", 4, 8),
    ]  # fmt: skip
    cells = {cell["cell"]: cell for cell in found["cells"]}  # type: ignore[attr-defined]
    assert (cells["C1"]["cost"], cells["C1"]["band"], cells["C1"]["chance"]) == (4, "hop", 1)
    assert (cells["D1"]["cost"], cells["D1"]["band"], cells["D1"]["chance"]) == (5, "leap", "1/2")
    assert "I1" not in cells


def test_path_and_refusals(folder: Path) -> None:
    source = str(folder / "pond.yaml")
    found = answer(folder, "path", source, "--mover", "frog", "--to", "D1")
    assert [line["clause"] for line in found["ledger"]] == ["HOP-01", "HOP-03", "HOP-01"]  # type: ignore[attr-defined]
    assert [check["skill"] for check in found["checks"]] == ["balance"]  # type: ignore[attr-defined]
    done = tactical(folder, "path", source, "--mover", "frog", "--to", "K1")
    assert (done.returncode, "wet hoppers" in done.stderr) == (1, True)
    dear = tactical(folder, "path", source, "--mover", "frog", "--to", "D1", "--option", "mud_factor=9")
    assert dear.returncode == 1


def test_resolving_and_its_next_turn(folder: Path) -> None:
    words = ("resolve", str(folder / "pond.yaml"), "--mover", "frog", "--to", "D1", "--gait", "leap")
    made = answer(folder, *words, "--roll", "4")
    assert (made["end"], made["next"]["gaits"]) == ("D1", ["stop", "hop"])  # type: ignore[index]
    assert answer(folder, *words, "--roll", "3")["end"] == "A1"


def test_it_is_listed_and_described(folder: Path) -> None:
    assert "hoppers" in tactical(folder, "rulesets").stdout
    said = tactical(folder, "rulesets", "hoppers").stdout
    assert "mud_factor = 3" in said
    assert "HOP-03" in said


def test_the_viewers_bands(folder: Path) -> None:
    code = (
        "import tactical; from tactical.show.scene.scene import scene; "
        f"m = tactical.load({str(folder / 'pond.yaml')!r}); r = tactical.reach(m, 'frog', turns=2); "
        "print([b.title for b in r.bands]); s = scene(m, r); print(sorted({x.role for x in s.shapes}))"
    )
    done = run(folder, "-c", code)
    assert done.returncode == 0, done.stderr
    assert "['Hop', 'Leap', 'Turn 2, Hop', 'Turn 2, Leap']" in done.stdout
    assert "band" in done.stdout


def test_conformance(folder: Path) -> None:
    done = run(
        folder, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-k", "hoppers", "tests/house/test_conformance.py"
    )
    assert done.returncode == 0, done.stdout
    assert done.stdout.count(".") >= 10, done.stdout


SQUATTERS = '''
"""Squatters: afoot, squatting or flat, each a word of their own; a running jump of three, a standing one of one."""

from dataclasses import dataclass
from fractions import Fraction

from tactical.rules.profile import Gait, JumpLimits, Pace, PostureChange, Profile
from tactical.rules.ruleset import Ruleset

POSTURES = ("afoot", "squatting", "flat")


@dataclass(frozen=True, slots=True)
class Stats:
    pace: Fraction


def profile(stats, turn, options, posture):
    down = [PostureChange("afoot", low, Fraction(1), "get low") for low in POSTURES[1:]]
    up = [PostureChange(low, "afoot", Fraction(1), "get up") for low in POSTURES[1:]]
    return Profile(
        "squatters", "m", (Gait("go", stats.pace),), lambda pool, posture, ground, uphill: Pace(),
        postures=POSTURES, changes=(*down, *up), low={"squatting": "crouched", "flat": "prone"},
        jump=JumpLimits(Fraction(3), Fraction(1), Fraction(2), unit="m"),
    )


RULESET = Ruleset("squatters", "Squatters", "m", Stats, profile, postures=POSTURES, example={"pace": 12})
'''
GULLY = """\
schema: 1
grid: {type: square, cell: 1, unit: m}
rules: squatters
legend:
  "x": {gap: true}
  "c": {headroom: crouched}
  "l": {headroom: prone}
rows: |
  ...xx.cl.
movers:
  - {id: sam, at: A1, stats: {pace: 14}}
  - {id: tom, at: G1, posture: squatting, stats: {pace: 14}}
"""


def test_postures_are_words_of_the_system_that_run_jump_and_fit_as_it_says(tmp_path: Path) -> None:
    (tmp_path / "squatters.py").write_text(SQUATTERS, encoding="utf-8")
    write_package(tmp_path, "squatters", rulesets=["squatters = squatters:RULESET"])
    (tmp_path / "gully.yaml").write_text(GULLY, encoding="utf-8")

    def path(mover: str, *words: str) -> tuple[str, ...]:
        said = tactical(tmp_path, "path", "gully.yaml", "--mover", mover, *words)
        return tuple((said.stdout or said.stderr).strip().splitlines()[:2])

    # afoot one runs up and jumps, and only lying one gets under the lowest ceiling
    assert path("sam", "--to", "I1") == ("A1 > B1 > C1 > F1 > G1 > H1 > I1", "9 m, go, arriving flat, 5 m left")
    assert path("sam", "--at", "C1", "--to", "F1")[0] == "C1 > B1 > C1 > F1"
    # who is low under a ceiling stays low there
    assert path("tom", "--to", "F1") == ("G1 > F1", "1 m, go, arriving squatting, 13 m left")
    assert path("tom", "--to", "H1") == ("G1 > F1 > G1 > H1", "5 m, go, arriving flat, 9 m left")
    assert path("tom", "--to", "H1", "--arrive", "squatting") == ("no: H1 is too low for squatting",)
