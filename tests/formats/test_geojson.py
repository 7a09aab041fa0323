"""GeoJSON: ground, bands and barriers for other programs, checked by areas and cells counted otherwise."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from shapely.geometry import shape

import tactical
from tactical.formats import dump_with_report
from tactical.world.battlemap import Battlemap
from tactical.world.edges.barriers import Barrier
from tactical.world.grids import grid_names
from tactical.world.mover import Mover
from tests.cli.conftest import Run, run

__all__ = ["run"]


def features(text: str, is_: str) -> list[dict[str, Any]]:
    found = json.loads(text)
    assert found["type"] == "FeatureCollection"
    return [one for one in found["features"] if one["properties"]["is"] == is_]


@pytest.mark.parametrize("name", grid_names())
def test_ground_has_the_area_of_its_cells(name: str) -> None:
    drawn = Battlemap.from_rows(["..~.", ".~..", "..#."], {"~": {"water": "shallow"}}, grid=name)
    content, _ = dump_with_report(drawn, "geojson")
    one = shape(features(str(content), "ground")[0]).area / 9
    areas = {str(part["properties"]): shape(part["geometry"]) for part in features(str(content), "ground")}
    assert all(area.is_valid for area in areas.values())
    assert sorted(round(area.area / one) for area in areas.values()) == [1, 2, 9]
    assert all(ring.is_ccw for area in areas.values() for part in area.geoms for ring in [part.exterior])


def test_barriers_links_and_movers_say_what_they_are(run: Run, tmp_path: Path) -> None:
    text = (
        "name: Yard\nrows: |\n  ...\n  ...\nbarriers:\n"
        "  - {id: gate, cell: A1, side: east, kind: door, state: locked, cost: 5}\n"
        "  - {line: [[0, 1], [2, 1]], kind: wall, one_way: left, top: 5}\n"
        "links: [{from: A1, to: C2, cost: 10}]\n"
        "movers: [{id: ann, at: B2, side: heroes}]\nzones: [{cells: [A1], hazard: fire}]\n"
    )
    (tmp_path / "yard.yaml").write_text(text)
    answer = run("convert", str(tmp_path / "yard.yaml"), "-o", str(tmp_path / "yard.geojson"))
    assert answer.status == 0
    assert "dropped: 1 zone" in answer.err
    written = (tmp_path / "yard.geojson").read_text()
    gate, wall = features(written, "barrier")
    assert gate["geometry"] == {"type": "LineString", "coordinates": [[1, 0], [1, -1]]}
    assert gate["properties"] == {"is": "barrier", "floor": "ground", "id": "gate", "kind": "door", "state": "locked",
                                  "cost": 5}  # fmt: skip
    assert (wall["properties"]["one_way"], wall["properties"]["top"]) == ("left", 5)
    (link,) = features(written, "link")
    assert (link["properties"]["from"], link["properties"]["to"]) == ("A1", "C2")
    (ann,) = features(written, "mover")
    assert ann["geometry"] == {"type": "Point", "coordinates": [1.5, -1.5]}
    refused = run("check", str(tmp_path / "yard.geojson"))
    assert (refused.status, "GeoJSON" in refused.err) == (2, True)


@pytest.mark.parametrize("name", ["square", "hex-odd-r", "staggered-odd-q"])
def test_bands_are_those_of_the_reach(name: str) -> None:
    wall = Barrier(((2, 0), (2, 2)), "door", "gate", "closed")
    drawn = Battlemap.from_rows(["......", "..##..", "......"], grid=name, barriers=(wall,))
    found = tactical.reach(drawn, Mover("a", at="B2", rules="operator", stats={"speed": 10}))
    text = str(tactical.render(drawn, found, drawer="geojson", costs=True))
    bands = features(text, "band")
    told = {cell for band in bands for cell in band["properties"]["cells"]}
    # where it stands is in its first band
    assert told == {"B2", *map(drawn.name_of, found.cells())}
    costs = {cell: price for band in bands for cell, price in band["properties"].get("costs", {}).items()}
    assert costs == {drawn.name_of(cell): str(found.cost(cell)) for cell in found.cells()}
    (gate,) = features(text, "barrier")
    assert (gate["properties"]["kind"], gate["properties"]["state"]) == ("door", "closed")


def test_a_reach_is_written_by_its_ending(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "reach.geojson"
    mover = tactical.load("village").movers[0].id
    assert run("render", "village", "--mover", mover, "-o", str(file)).status == 0
    assert features(file.read_text(), "band")
    assert features(file.read_text(), "barrier")
    assert run("reach", "village", "--mover", mover, "--png", str(file)).status == 0


def test_what_is_left_out_is_told_in_the_plural_too() -> None:
    drawn = Battlemap.from_cells(2, 1, zones=[tactical.Zone([(0, 0)], {"difficult": True})] * 2,
                                 movers=[Mover("ann"), Mover("bob")])  # fmt: skip
    told = [line.text for line in dump_with_report(drawn, "geojson")[1].of("dropped")]
    assert told[1:3] == ["2 zones", "2 movers without a place"]
