"""The table of bad input, rows B01 to B46: what is tested nowhere else, and that every row has a test."""

from __future__ import annotations

import json
import re
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from tactical.errors import MapError
from tactical.formats import load, load_with_report
from tactical.world.battlemap import Battlemap

from .test_foundry import scene
from .test_tiled import tmj

HERE = Path(__file__).parent
leveldb = pytest.mark.skipif(find_spec("plyvel") is None, reason="nothing here reads LevelDB")


def test_every_row_of_the_table_has_a_test() -> None:
    text = "\n".join(path.read_text(encoding="utf-8") for path in HERE.glob("test_*.py"))
    named = {int(row) for row in re.findall(r"def test_b([0-9]{2})_", text)}
    assert named == set(range(1, 47))


# -- Foundry ----------------------------------------------------------------------------------------------------------

WALL = {"c": [100, 0, 100, 100], "move": 20}


def test_b21_walls_that_are_only_named_say_how_to_export_the_scene() -> None:
    with pytest.raises(MapError, match="the walls are only named here: in Foundry choose Export Data"):
        load(scene(walls=["a1b2", "c3d4"]), name="a.json")


def test_b22_walls_lost_on_the_way_are_counted() -> None:
    found, report = load_with_report(scene(walls=["a1b2", WALL, "c3d4"]), name="a.json")
    assert len(found.barriers) == 1
    assert "the scene lists 3 walls, found 1" in [line.text for line in report.of("warning")]


def test_b24_the_last_line_of_an_id_counts_and_a_deleted_one_is_gone() -> None:
    old, new, gone = (json.loads(scene(name=name, _id=id_)) for name, id_ in (("Old", "a"), ("New", "a"), ("X", "b")))
    log = [old, gone, new, {"_id": "b", "$$deleted": True}]
    data = "\n".join(json.dumps(entry) for entry in log).encode()
    assert load(data, name="scenes.db").name == "New"


def test_b27_part_cells_are_left_out_and_no_unit_is_a_warning() -> None:
    found, report = load_with_report(scene(width=350, height=270, gridUnits="", gridDistance=5), name="a.json")
    assert (found.cols, found.rows, found.unit) == (3, 2, "ft")
    assert "no whole number of cells" in str(report)
    assert any("no unit of length: taken as ft" in line.text for line in report.of("warning"))


def test_b29_what_old_walls_do_not_state_has_its_default() -> None:
    full = {**WALL, "dir": 0, "sound": 20, "flags": {}, "door": 0, "ds": 0}
    assert load(scene(walls=[WALL]), name="a.json") == load(scene(walls=[full]), name="a.json")


@pytest.mark.parametrize(("way", "out", "in_"), [(1, True, False), (2, False, True)])
def test_b30_a_box_drawn_clockwise_lets_out_or_in(way: int, out: bool, in_: bool) -> None:
    """As confirmed in the program itself: clockwise on the screen, `dir` 1 stops whoever would come in."""
    import tactical
    from tactical.world.mover import Mover

    corners = [(100, 100), (200, 100), (200, 200), (100, 200)]
    walls = [{"c": [*a, *b], "move": 20, "dir": way} for a, b in zip(corners, corners[1:] + corners[:1], strict=True)]
    found = load(scene(width=300, height=300, walls=walls), name="a.json")

    def goes(start: str, end: str) -> bool:
        cells = tactical.reach(found, Mover("a", at=start, rules="plain", stats={"speed": 20})).cells()
        return end in {found.name_of(cell) for cell in cells}

    assert (goes("B2", "A1"), goes("A1", "B2")) == (out, in_)
    assert goes("A1", "C3")


# -- LevelDB ----------------------------------------------------------------------------------------------------------


def pack(folder: Path, *, lose: int = 0) -> Path:
    """A small pack as the program keeps it: every part of a scene a record of its own."""
    import plyvel

    whole = json.loads((HERE / "foundry/levels" / "input.json").read_text())
    whole = whole.get("scenes", [whole])[0]
    database = plyvel.DB(str(folder), create_if_missing=True)
    ids: dict[str, list[Any]] = {}
    for name in ("walls", "regions", "tokens"):
        for n, part in enumerate(whole.get(name, [])):
            part_id = part.get("_id", f"{name}{n}")
            ids.setdefault(name, []).append(part_id)
            if name == "regions":
                behaviors = part.get("behaviors", [])
                for k, one in enumerate(behaviors):
                    key = f"!scenes.regions.behaviors!s1.{part_id}.b{k}"
                    database.put(key.encode(), json.dumps({**one, "_id": f"b{k}"}).encode())
                part["behaviors"] = [f"b{k}" for k in range(len(behaviors))]
            if not (name == "walls" and n < lose):
                database.put(f"!scenes.{name}!s1.{part_id}".encode(), json.dumps({**part, "_id": part_id}).encode())
    database.put(b"!scenes!s1", json.dumps({**whole, **ids, "_id": "s1"}).encode())
    database.put(b"!actors!x", b"{}")
    database.close()
    return folder


@leveldb
def test_a_pack_folder_is_the_scene_that_was_packed(tmp_path: Path) -> None:
    folder = pack(tmp_path / "scenes")
    before = {one.name: one.read_bytes() for one in folder.iterdir()}
    found, report = load_with_report(folder)
    expected: Battlemap = load(HERE / "foundry/levels" / "input.json")
    assert found == expected
    assert report.format == "foundry"
    # the program's own folder is as it was
    assert {one.name: one.read_bytes() for one in folder.iterdir()} == before
    _, report = load_with_report(pack(tmp_path / "torn", lose=1))
    assert any("the scene lists" in line.text for line in report.of("warning"))


@leveldb
def test_a_broken_pack_folder_is_a_fault(tmp_path: Path) -> None:
    folder = pack(tmp_path / "scenes")
    (folder / "CURRENT").write_text("MANIFEST-999999\n")
    with pytest.raises(MapError, match="the LevelDB folder cannot be read"):
        load(folder)


@pytest.mark.skipif(find_spec("plyvel") is not None, reason="something here reads LevelDB")
def test_b33_a_pack_folder_names_the_extra_to_install(tmp_path: Path) -> None:
    (tmp_path / "CURRENT").write_text("MANIFEST-000001\n")
    (tmp_path / "MANIFEST-000001").write_bytes(b"")
    with pytest.raises(MapError, match=r"pip install 'tactical\[leveldb\]'"):
        load(tmp_path)


def test_any_other_folder_is_the_systems_error(tmp_path: Path) -> None:
    with pytest.raises(IsADirectoryError):
        load(tmp_path)


# -- Tiled ------------------------------------------------------------------------------------------------------------


def test_b31_an_infinite_map_begins_where_its_first_chunk_does() -> None:
    chunks = [{"x": -2, "y": -1, "width": 1, "height": 1, "data": [1]},
              {"x": 0, "y": 0, "width": 2, "height": 1, "data": [0, 1]}]  # fmt: skip
    layer = {"type": "tilelayer", "name": "walls", "chunks": chunks}
    data = json.dumps({"tilewidth": 8, "infinite": True, "width": 9, "height": 9, "layers": [layer]}).encode()
    found, report = load_with_report(data, name="a.tmj")
    assert (found.cols, found.rows) == (4, 2)
    assert [found.name_of((c, r)) for r in range(2) for c in range(4) if found.terrain((c, r)).impassable] == [
        "A1",
        "D2",
    ]
    assert "cell A1 is the file's (-2, -1)" in str(report)


@pytest.mark.parametrize("flag", [0x80000000, 0x40000000, 0x20000000, 0x10000000])
def test_b32_a_turned_tile_is_the_tile(flag: int) -> None:
    content = json.loads(tmj(data=[1 | flag, 0]))
    for word in ({"class": "water"}, {"type": "water"}):
        content["tilesets"] = [{"firstgid": 1, "tiles": [{"id": 0, **word}]}]
        assert load(json.dumps(content).encode(), name="a.tmj").terrain("A1").water == "shallow"


def test_b32_a_template_of_an_object_and_a_tileset_without_a_picture_are_no_matter() -> None:
    content = json.loads(tmj())
    content["tilesets"] = [{"firstgid": 1, "name": "x"}]
    content["layers"].append({"type": "objectgroup", "name": "o", "objects": [{"template": "a.tx", "x": 1, "y": 1}]})
    _, report = load_with_report(json.dumps(content).encode(), name="a.tmj")
    assert "1 object" in [line.text for line in report.of("ignored")]


@pytest.mark.parametrize("text", ["1,0", "1,0,", "\r\n1,\r\n0\r\n", " 1 , 0 ,\n"])
def test_b34_commas_and_line_ends_are_no_matter(text: str) -> None:
    assert load(tmj(data=text, name="walls"), name="a.tmj").terrain("A1").impassable


def test_b36_a_tile_set_that_is_not_there_is_a_warning_and_its_tiles_stay(tmp_path: Path) -> None:
    content = json.loads(tmj(name="walls"))
    content["tilesets"] = [{"firstgid": 1, "source": "gone.tsx"}]
    (tmp_path / "a.tmj").write_text(json.dumps(content))
    found, report = load_with_report(tmp_path / "a.tmj")
    assert found.terrain("A1").impassable
    assert any("gone.tsx" in line.text and "unknown" in line.text for line in report.of("warning"))


def test_b37_what_the_format_calls_optional_may_be_missing() -> None:
    layer = '<layer name="walls" width="2" height="1" offsetx="0.5"><data encoding="csv">1,0</data></layer>'
    tiles = '<tileset firstgid="1" name="t"><tile id="0"/></tileset>'
    data = f'<map orientation="orthogonal" width="2" height="1">{tiles}{layer}</map>'.encode()
    assert load(data, name="a.tmx").terrain("A1").impassable


# -- Watabou ----------------------------------------------------------------------------------------------------------


def test_b44_half_columns_water_off_the_floor_and_unknown_doors() -> None:
    content = {"rects": [{"x": 0, "y": 0, "w": 4, "h": 3}], "doors": [{"x": 1, "y": 1, "dir": {"x": 1, "y": 0},
               "type": 77}], "columns": [{"x": 2, "y": 2}, {"x": 2.5, "y": 0.5}],
               "water": [{"x": 0, "y": 0}, {"x": 9, "y": 9}]}  # fmt: skip
    found, report = load_with_report(json.dumps(content).encode(), name="a.json")
    assert found.terrain("A1").water == "shallow"
    # columns are in the coordinates of corners: a whole number is a corner, a half the middle of a cell
    assert found.terrain("C1").name == "column"
    assert not found.terrain("C3").impassable
    assert [one.state for one in found.barriers if one.id] == ["closed"]
    words = str(report)
    assert "warning: 1 door of unknown type read as closed" in words
    assert "1 cell of water off the floor left out" in words
    assert "1 column between cells read as a small cross of walls" in words
