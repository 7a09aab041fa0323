"""Foundry scenes: what the folders of cases do not show."""

from __future__ import annotations

import contextlib
import json
import math
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import pytest

import tactical
from tactical.errors import MapError
from tactical.formats import load, load_with_report
from tactical.world.battlemap import Battlemap
from tactical.world.edges.barriers import Kind
from tests.cli.conftest import Run, run

from ._samples import FUZZ
from .test_fuzz import spoilt, twisted, used

__all__ = ["run"]

HERE = Path(__file__).parent
LEVELS = (HERE / "foundry/levels" / "input.json").read_bytes()
LOG = (HERE / "foundry/log" / "input.db").read_bytes()
REAL = Path(__file__).parents[3] / "shared" / "realmaps" / "foundry"


def scene(**changes: Any) -> bytes:
    content = {"name": "x", "width": 300, "height": 100, "gridType": 1, "grid": 100, "walls": [], **changes}
    return json.dumps(content).encode()


def test_b30_a_one_way_wall_is_passed_one_way_only() -> None:
    for dir_, through, stopped in ((1, "A1", "C1"), (2, "C1", "A1")):
        # it goes down the screen: its left is the right of the screen
        walls = [{"c": [200, 0, 200, 100], "move": 20, "dir": dir_}]
        found = load(scene(walls=walls), name="a.json")
        goal = {"A1": tactical.Cell(2, 0), "C1": tactical.Cell(0, 0)}
        for start, passes in ((through, True), (stopped, False)):
            reach = tactical.reach(found, tactical.Mover("m", at=start), rules="plain")
            assert (goal[start] in reach) is passes, (dir_, start)


def test_doors_open_closed_locked_and_secret_as_a_walker_meets_them(run: Run, tmp_path: Path) -> None:
    for door, ds, far in ((1, 0, True), (1, 1, True), (1, 2, False), (2, 0, False), (0, 0, False)):
        walls = [{"c": [100, 0, 100, 100], "move": 1, "door": door, "ds": ds}]
        (tmp_path / "scene.json").write_bytes(scene(walls=walls))
        answer = run("reach", str(tmp_path / "scene.json"), "--at", "A1", "--rules", "plain", "--json")
        assert answer.status == 0, answer.err
        assert ("C1" in answer.out) is far, (door, ds)


def test_b25_a_scene_is_chosen_by_name_or_number(run: Run) -> None:
    file = str(HERE / "foundry/several" / "input.json")
    for wanted in ("attic", "2", "x2"):
        assert run("check", file, "--import", f"scene={wanted}").status == 0
    answer = run("check", file, "--import", "scene=atic")
    assert answer.status in (1, 2)
    assert "did you mean 'Attic'" in answer.err
    # where none is said, the words are those of a command line
    assert "choose one by its name or number (--import scene=1)" in run("check", file).err


def test_b23_a_database_without_a_scene() -> None:
    with pytest.raises(MapError, match="no scene in this file"):
        load(b'{"_id": "a", "name": "an actor"}\n{"_id": "b"}\n', name="actors.db")


def test_b26_many_walls_outside_are_a_warning() -> None:
    walls = [{"c": [9000, n, 9100, n], "move": 1} for n in range(9)] + [{"c": [100, 0, 100, 100], "move": 1}]
    _, report = load_with_report(scene(walls=walls), name="a.json")
    assert [line.text for line in report.of("warning")] == [
        "no length of a cell: taken as 5",
        "no unit of length: taken as ft",
        "90 % of the walls lie outside: was the padding or the grid changed later?",
    ]


def test_b28_a_gridless_scene_takes_a_cell_size() -> None:
    found, report = load_with_report(scene(gridType=0), name="a.json", options={"cell_px": 50})
    assert (found.cols, found.rows) == (6, 2)
    assert "cells of 50 pixels laid over it" in str(report)


def test_an_offset_moves_the_picture_and_the_scene_not_the_grid() -> None:
    walls = [{"c": [100, 0, 100, 100], "move": 1}]
    found, report = load_with_report(scene(walls=walls, shiftX=-30), name="a.json")
    assert (found.cols, found.rows) == (2, 1)
    assert found.barriers == () or found.barriers[0].line[0][0] == 0
    assert "shifted by (-30, 0)" in str(report)


def test_a_teleporter_goes_one_way_to_the_middle_of_its_region() -> None:
    def box(x: int, w: int) -> list[dict[str, Any]]:
        return [{"type": "rectangle", "x": x, "y": 0, "width": w, "height": 100}]

    to = {"type": "teleportToken", "system": {"destination": "Scene.a.Region.r2"}}
    regions = [{"_id": "r1", "shapes": box(0, 100), "behaviors": [to]}, {"_id": "r2", "shapes": box(100, 200)}]
    found, report = load_with_report(scene(regions=regions), name="a.json")
    (link,) = found.links
    assert (link.start, link.end, link.two_way) == (tactical.Cell(0, 0), tactical.Cell(1, 0), False)
    assert "1 region as a teleporter" in str(report)


def test_regions_lie_on_hexes_too() -> None:
    """The cells of a region are those whose middles it holds, which is counted here from the pixels."""
    shape = {"type": "rectangle", "x": 100, "y": 90, "width": 210, "height": 190}
    regions = [{"_id": "r", "shapes": [shape, {"type": "polygon", "points": [0, 0, 9, 9]}], "behaviors": [
        {"type": "modifyMovementCost", "system": {"difficulties": {"walk": 2}}}]}]  # fmt: skip
    found = load(scene(width=500, height=433, gridType=2, grid=100, regions=regions), name="a.json")
    (zone,) = found.zones
    assert found.grid.name == "hex-odd-r"
    # the size that such an old scene states is the longer way across a hex
    pixel = 100 * math.sqrt(3) / 2
    middles = {(c, r): found.grid.centre(c, r) for c in range(found.cols) for r in range(found.rows)}
    expected = {cell for cell, (x, y) in middles.items() if 100 < x * pixel < 310 and 90 < y * pixel < 280}
    assert len(expected) > 3
    assert {cell[:2] for cell in zone.cells} == expected


def test_hostile_scenes_are_refused_or_read_in_part() -> None:
    vast = scene(width=10**8, height=10**8, grid=1)
    nested = b'{"walls": [' + b"[" * 100_000 + b'], "gridType": 1}'
    points = [n % 7 * 100 for n in range(20_000)]
    shapes = [{"type": "polygon", "points": points}] * 100
    behaviors = [{"type": "changeLevel", "system": {}}]
    levels = [{"_id": "a", "name": "a"}, {"_id": "b", "name": "b"}]
    wide = scene(width=300_000, height=1000, levels=levels,
                 regions=[{"_id": str(n), "shapes": shapes, "behaviors": behaviors} for n in range(9)])  # fmt: skip
    many_levels = scene(levels=[{"_id": str(n)} for n in range(5000)])
    for data in (vast, nested, many_levels):
        with pytest.raises(MapError):
            load(data, name="a.json", format="foundry")
    # of 900 shapes of 20,000 points only those are looked at that the reader's share of work allows
    report = load_with_report(wide, name="a.json", format="foundry")[1]
    assert any("shapes of regions" in line.text and line.count > 800 for line in report.of("ignored"))


@pytest.mark.parametrize("number", range(4 * FUZZ))
def test_spoilt_files(number: int) -> None:
    chance = Random(900 + number)
    for n in range(80):
        if n % 4 == 0:
            data = spoilt(LOG, chance)
        elif n % 4 == 1:
            data = spoilt(LEVELS, chance)
        else:
            value = json.loads(LEVELS)
            for _ in range(chance.randint(1, 3)):
                value = twisted(value, chance)
            data = json.dumps(value).encode()
        with contextlib.suppress(MapError):
            used(load(data, format="foundry", name="scene.json"))


# -- real scenes -------------------------------------------------------------------------------------------------------


def live(path: Path) -> list[dict[str, Any]]:
    if path.suffix == ".json":
        return [json.loads(path.read_bytes())]
    found: dict[str, dict[str, Any]] = {}
    for line in path.read_text("utf-8").splitlines():
        entry = json.loads(line)
        found.pop(entry["_id"], None) if entry.get("$$deleted") else found.update({entry["_id"]: entry})
    return list(found.values())


def stated(raw: dict[str, Any]) -> Counter[str]:
    """Doors, secret doors and one-way walls that touch the scene's rectangle, by the raw numbers."""
    size = raw["grid"]["size"] if isinstance(raw["grid"], dict) else raw["grid"]
    pad = raw.get("padding") or 0
    x0, y0 = (math.ceil(raw[key] * pad / size) * size for key in ("width", "height"))
    x1, y1 = x0 + raw["width"], y0 + raw["height"]
    counts: Counter[str] = Counter()
    for wall in raw["walls"]:
        a, b, c, d = wall["c"][:4]
        if not wall["move"] or max(a, c) < x0 or min(a, c) > x1 or max(b, d) < y0 or min(b, d) > y1:
            continue
        counts["secret" if wall["door"] == 2 else "door" if wall["door"] else "wall"] += 1
        counts["one-way"] += wall.get("dir", 0) in (1, 2)
    return counts


@pytest.mark.skipif(not REAL.is_dir(), reason="the published maps are not here")
def test_real_scenes_have_the_doors_and_one_way_walls_they_state() -> None:
    total: Counter[str] = Counter()
    for file in sorted(REAL.iterdir()):
        raws = live(file)
        for raw in raws:
            name = raw["name"] if len(raws) > 1 else ""
            found, report = load_with_report(file, options={"scene": name})
            counts = stated(raw)
            doors: Counter[str] = Counter(barrier.id.split("-")[0] for barrier in found.barriers if barrier.id)
            assert (doors["door"], doors["secret"]) == (counts["door"], counts["secret"]), raw["name"]
            every = len(found.levels)
            one_way = sum(bool(barrier.one_way) for barrier in found.barriers)
            assert counts["one-way"] <= one_way <= counts["one-way"] * every, raw["name"]
            assert not found.faults(), raw["name"]
            assert not report.of("warning") or not raw["walls"], (raw["name"], str(report))
            total.update(doors)
            assert isinstance(found, Battlemap)
    assert total["door"] > 100


def corner(raw: dict[str, Any]) -> tuple[int, int, float]:
    """The column and row of the canvas at which the scene's first whole cell lies, and the pixels of a cell."""
    size = raw["grid"]["size"] if isinstance(raw["grid"], dict) else raw["grid"]
    own = raw.get("background") if isinstance(raw.get("background"), dict) else {}
    moved = (raw.get("shiftX", own.get("offsetX")) or 0, raw.get("shiftY", own.get("offsetY")) or 0)
    pad = raw.get("padding") or 0
    begin = (math.ceil(raw[key] * pad / size) * size - by for key, by in zip(("width", "height"), moved, strict=True))
    col, row = (math.ceil(pixel / size) for pixel in begin)
    return col, row, size


@pytest.mark.skipif(not REAL.is_dir(), reason="the published maps are not here")
def test_real_doors_stand_where_the_scene_has_them() -> None:
    seen = 0
    for file in sorted(REAL.iterdir()):
        raws = live(file)
        for raw in raws:
            if (raw["grid"]["type"] if isinstance(raw["grid"], dict) else raw["gridType"]) != 1:
                continue
            found = load(file, options={"scene": raw["name"] if len(raws) > 1 else ""})
            col, row, size = corner(raw)
            assert (found.cols, found.rows) == (raw["width"] // size, raw["height"] // size), raw["name"]
            lines = {frozenset(one.line) for one in found.barriers if one.kind is Kind.DOOR}
            for wall in raw["walls"]:
                x0, y0, x1, y1 = (at / size - by for at, by in zip(wall["c"][:4], (col, row, col, row), strict=True))
                inside = all(0 <= x <= found.cols and 0 <= y <= found.rows for x, y in ((x0, y0), (x1, y1)))
                if wall["move"] and wall["door"] and inside:
                    line = frozenset((round(x * 256) / 256, round(y * 256) / 256) for x, y in ((x0, y0), (x1, y1)))
                    rounded = {frozenset((round(x * 256) / 256, round(y * 256) / 256) for x, y in one) for one in lines}
                    assert line in rounded, (raw["name"], wall["c"])
                    seen += 1
    assert seen > 100


def test_lines_of_a_database_that_cannot_be_read_are_told() -> None:
    lines = LOG.rstrip(b"\n").split(b"\n")
    whole = load_with_report(LOG, name="a.db")
    broken = b"\n".join([lines[0], b'{"_id": "x", "wal', *lines[1:], b"null", b"\xff{}"])
    battlemap, report = load_with_report(broken, name="a.db")
    assert battlemap == whole[0]
    (told,) = (line for line in report.lines if line not in whole[1].lines)
    assert (told.kind, told.count) == ("warning", 3)
    assert told.text == f"3 lines of the file cannot be read (line 2, {len(lines) + 2}, {len(lines) + 3}): " + (
        "what stands there is left out"
    )
