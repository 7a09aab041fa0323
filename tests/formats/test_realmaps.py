"""Published maps, where they lie beside the checkout: what can be reached must be what was measured on them.

The partitions are those of the 4-neighbour graph, doors shut (no portal lets anybody through) and open (every portal
does), objects not counted.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tactical.formats import dump, load, load_with_report
from tactical.formats.movingai import scenarios
from tactical.units import Cell
from tactical.world.battlemap import Battlemap
from tactical.world.edges.baking import bake
from tactical.world.edges.barriers import Kind
from tactical.world.edges.crossing import cut_straight

FOLDER = Path(__file__).parents[3] / "shared" / "realmaps"
pytestmark = pytest.mark.skipif(not FOLDER.is_dir(), reason="the published maps (../shared/realmaps) are not here")

PORTALS = (Kind.DOOR, Kind.WINDOW)


def cut_steps(battlemap: Battlemap, open_: bool) -> Iterator[tuple[int, int, int]]:
    """The straight steps (col, row, direction) that barriers stop."""
    crossings = bake(battlemap.grid, battlemap.cols, battlemap.rows, battlemap.barriers, 0)
    if crossings is None:
        return
    arrays = (crossings.i.tolist(), crossings.j.tolist(), crossings.direction.tolist(), crossings.code.tolist())
    for i, j, direction, code in zip(*arrays, strict=True):
        if battlemap.grid.directions[direction].diagonal:
            continue
        cut = code == 1
        if code >= 2:
            met = crossings.meetings[code - 2]
            masks = 0
            for _, mask in met:
                masks |= mask
            through = any(battlemap.barriers[n].kind in PORTALS for n, _ in met)
            cut = not open_ if through else cut_straight(masks)
        if cut:
            yield i, j, direction


def components(battlemap: Battlemap, open_: bool) -> list[int]:
    """Sizes of the connected parts, largest first."""
    cut = set(cut_steps(battlemap, open_))
    straight = [(k, way) for k, way in enumerate(battlemap.grid.directions) if not way.diagonal]
    free = {(c, r) for c in range(battlemap.cols) for r in range(battlemap.rows)}
    sizes = []
    while free:
        todo, size = [free.pop()], 0
        while todo:
            c, r = todo.pop()
            size += 1
            for k, way in straight:
                there = (c + way.di, r + way.dj)
                if there in free and (c, r, k) not in cut:
                    free.remove(there)
                    todo.append(there)
        sizes.append(size)
    return sorted(sizes, reverse=True)


@pytest.mark.parametrize(
    ("name", "shut", "opened"),
    [
        ("headmasters-quarters", [84, 14, 1, 1], [100]),
        ("cave-and-rooms", [206, 188, 4], [394, 4, 1, 1]),
    ],
)
@pytest.mark.parametrize("open_portals", ["window", "open_door"])
def test_what_doors_part_and_join(name: str, shut: list[int], opened: list[int], open_portals: str) -> None:
    options = {"open_portals": open_portals, "objects": "ignore"}
    found = load(FOLDER / "uvtt" / f"{name}.dd2vtt", options=options)
    assert components(found, open_=False)[: len(shut)] == shut
    assert components(found, open_=True) == opened


def test_a_crop_of_a_building() -> None:
    found, report = load_with_report(FOLDER / "uvtt" / "blue-tower-base.dd2vtt")
    assert (found.cols, found.rows) == (10, 12)
    assert all(0 <= x <= 10 and 0 <= y <= 12 for barrier in found.barriers for x, y in barrier.line)
    assert sum(barrier.kind is Kind.DOOR for barrier in found.barriers) == 4
    (outside,) = report.of("outside")
    assert outside.text == "352 wall pieces and 37 portals outside the map left out"


@pytest.mark.parametrize("name", ["headmasters-quarters", "cave-and-rooms", "blue-tower-base"])
def test_pictures_and_round_trips(name: str) -> None:
    found = load(FOLDER / "uvtt" / f"{name}.dd2vtt", options={"objects": "ignore"})
    assert found.picture is not None
    assert found.picture.read()[:8] == b"\x89PNG\r\n\x1a\n"
    again = load(str(dump(found, "uvtt")).encode(), name=f"{name}.uvtt")
    assert again.barriers == found.barriers
    native = load(str(dump(found)).encode(), format="native")
    assert native == found


@pytest.mark.parametrize("name", ["arena", "den404d"])
def test_benchmark_maps_are_written_as_they_were(name: str) -> None:
    file = FOLDER / "movingai" / f"{name}.map"
    found = load(file)
    assert dump(found, "movingai") == file.read_text().replace("\r\n", "\n").rstrip("\n") + "\n"
    problems = scenarios(Path(f"{file}.scen").read_bytes(), found)
    assert len(problems) > 50
    assert not any(
        found.terrain(Cell(*end)).impassable for problem in problems for end in (problem.start, problem.goal)
    )


def test_columns_of_watabou_stand_about_the_middle_of_their_room() -> None:
    """Only in the coordinates of corners are they placed evenly in it."""
    rooms = 0
    for file in sorted((FOLDER / "watabou").glob("*.json")):
        content = json.loads(file.read_text(encoding="utf-8"))
        for room in content["rects"]:
            x, y, w, h = (room[key] for key in "xywh")
            inside = [
                (one["x"], one["y"]) for one in content["columns"] if x < one["x"] < x + w and y < one["y"] < y + h
            ]
            if inside:
                rooms += 1
                middle = tuple(sum(one[axis] for one in inside) / len(inside) for axis in (0, 1))
                assert middle == pytest.approx((x + w / 2, y + h / 2)), file.name
    assert rooms >= 4
