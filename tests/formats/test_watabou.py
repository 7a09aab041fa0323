"""One Page Dungeons: what the folders of cases do not show."""

from __future__ import annotations

import contextlib
import json
from collections import Counter
from pathlib import Path
from random import Random

import pytest

import tactical
from tactical.errors import MapError
from tactical.formats import load, load_with_report
from tactical.world.battlemap import Battlemap
from tests.cli.conftest import Run, run

from ._samples import FUZZ
from .test_fuzz import spoilt, twisted, used

__all__ = ["run"]

CRYPT = (Path(__file__).parent / "watabou/crypt" / "input.json").read_bytes()
REAL = Path(__file__).parents[3] / "shared" / "realmaps" / "watabou"


def test_a_reach_ends_at_the_secret_door_and_goes_through_for_who_knows_it(run: Run) -> None:
    file = str(Path(__file__).parent / "watabou/crypt" / "input.json")
    shut = run("reach", file, "--at", "B3", "--rules", "operator", "--turns", "3", "--json")
    assert shut.status == 0, shut.err
    found = load(CRYPT, name="input.json")
    mover = tactical.Mover("m", at="B3", stats={})
    knower = tactical.Mover("m", at="B3", stats={}, knows=("secret-1",))
    there = tactical.Cell(6, 1)
    assert there not in tactical.reach(found, mover, rules="operator", turns=4)
    assert there in tactical.reach(found, knower, rules="operator", turns=4)


def test_the_depth_of_water_is_an_option() -> None:
    found = load(CRYPT, name="input.json", options={"water": "deep"})
    assert found.terrain("B4").water == "deep"
    assert load(CRYPT, name="input.json", options={"water": "none"}).terrain("B4").water == ""


def test_rectangles_that_would_be_vast_are_refused_at_once() -> None:
    far = {"rects": [{"x": 0, "y": 0, "w": 10**6, "h": 10**6}], "doors": []}
    many = {"rects": [{"x": 0, "y": 0, "w": 4000, "h": 4000}] * 1000, "doors": []}
    for content in (far, many):
        with pytest.raises(MapError, match="more than the"):
            load(json.dumps(content).encode(), name="a.json")


@pytest.mark.parametrize("number", range(4 * FUZZ))
def test_spoilt_files(number: int) -> None:
    chance = Random(800 + number)
    for n in range(80):
        data = spoilt(CRYPT, chance) if n % 2 else json.dumps(twisted(json.loads(CRYPT), chance)).encode()
        with contextlib.suppress(MapError):
            used(load(data, format="watabou", name="crypt.json"))


def doors(battlemap: Battlemap) -> Counter[str]:
    return Counter(str(barrier.state) for barrier in battlemap.barriers if barrier.state)


@pytest.mark.skipif(not REAL.is_dir(), reason="the published maps are not here")
def test_real_files_have_the_doors_they_state() -> None:
    files = sorted(REAL.glob("*.json"))
    assert files
    for file in files:
        raw = json.loads(file.read_bytes())
        found, report = load_with_report(file)
        types = Counter(door["type"] for door in raw["doors"])
        assert doors(found)["secret"] == types[6], file
        assert doors(found)["closed"] == sum(types[n] for n in (1, 4, 5, 7)), file
        assert not report.of("warning"), file
        assert not found.faults()
        floor = {(x, y) for r in raw["rects"] for x in range(r["x"], r["x"] + r["w"])
                 for y in range(r["y"], r["y"] + r["h"])}  # fmt: skip
        rotundas = sum(line.count for line in report.lines if "round room" in line.text)
        walkable = sum(not found.terrain((c, r)).impassable for c in range(found.cols) for r in range(found.rows))
        columns = sum(line.count for line in report.lines if "filling the cell" in line.text)
        assert walkable == len(floor) - rotundas - columns, file
