"""Donjon, Wesnoth, Dungeondraft, glyph text and pictures: what the folders of cases do not show."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path
from random import Random

import pytest

import tactical
from tactical.errors import MapError
from tactical.formats import load, load_with_report, sniff
from tactical.world.mover import Mover

from ._samples import FUZZ, png
from .test_fuzz import spoilt, twisted, used

HERE = Path(__file__).parent
FILES = {
    "donjon": ("donjon/json/input.json", "donjon/table/input.txt"),
    "wesnoth": ("wesnoth/hills/input.map",),
    "glyphs": ("glyphs/cellar/input.txt",),
    "dungeondraft": ("dungeondraft/house/input.dungeondraft_map",),
}


@pytest.mark.parametrize("format", FILES)
def test_the_content_tells_each(format: str) -> None:
    for file in FILES[format]:
        assert sniff((HERE / file).read_bytes(), Path(file).name).name == format


@pytest.mark.parametrize("number", range(4 * FUZZ))
@pytest.mark.parametrize("format", FILES)
def test_spoilt_files(format: str, number: int) -> None:
    chance = Random(2000 + number)
    for file in FILES[format]:
        data = (HERE / file).read_bytes()
        for n in range(60):
            made = spoilt(data, chance)
            if data.startswith(b"{") and n % 2:
                value = json.loads(data)
                for _ in range(chance.randint(1, 3)):
                    value = twisted(value, chance)
                made = json.dumps(value).encode()
            with contextlib.suppress(MapError):
                used(load(made, format=format, name=Path(file).name))


@pytest.mark.parametrize("number", range(2 * FUZZ))
def test_spoilt_pictures(number: int) -> None:
    chance = Random(2100 + number)
    for _ in range(60):
        options = {"grid": chance.choice([1, 3, "7/2", 100]), "offset": chance.choice(["0,0", "-3,2", "9,9"])}
        with contextlib.suppress(MapError):
            used(load(spoilt(png(30, 20), chance), format="picture", name="hall.png", options=options))


def reach(file: str, **more: object) -> set[str]:
    battlemap = load(HERE / file)
    mover = Mover("a", rules="plain", stats={"speed": 500}, **more)  # type: ignore[arg-type]
    return {battlemap.name_of(cell) for cell in tactical.reach(battlemap, mover).cells()}


def test_doors_part_the_rooms_of_a_donjon_dungeon_as_they_stand() -> None:
    cells = reach("donjon/json/input.json", at="B3")
    # through the door to the corridor, under the arch and through the portcullis, but not by the secret door
    assert {"D3", "E3", "E5"} <= cells
    assert "H3" not in cells
    assert "H3" in {*reach("donjon/json/input.json", at="G3")}


def test_wesnoths_columns_lie_as_in_the_game() -> None:
    battlemap = load(HERE / "wesnoth/hills" / "input.map")
    # the second column of what is played lies lower: B1 has A1 and A2 for neighbours on its left
    left = {
        battlemap.name_of(cell) for cell in tactical.reach(battlemap, Mover("a", at="B1", stats={"speed": 10})).cells()
    }
    assert {"A1", "A2"} <= left
    whole = load(HERE / "wesnoth/hills" / "input.map", options={"border": True})
    assert (whole.cols, whole.rows, whole.grid.name) == (7, 6, "hex-even-q")


def test_b42_words_before_a_code_remarks_and_settings_are_no_matter() -> None:
    plain = b"Gg, Gg, Gg\nGg, Ww, Gg\nGg, Gg, Gg\n"
    dressed = b"border_size=1\nusage=map\n\nGg, Gg, Gg # x\r\nGg, the_keep Ww, Gg,\r\nGg, Gg, Gg\r\n"
    assert load(plain, name="a.map") == load(dressed, name="a.map")


def test_b43_padding_nulls_numbers_as_text_and_ragged_rows_are_no_matter() -> None:
    cells = [[2, "4"], [2, 0]]
    found = load(json.dumps({"cells": cells, "settings": {"bleed": "1"}, "rooms": [None]}).encode(), name="a.json")
    assert [found.terrain(cell).impassable for cell in ("A1", "B1", "A2", "B2")] == [False, False, False, True]
    table = load(b"F\tF\tF\r\nF\r\n\tF", name="a.txt")
    assert (table.cols, table.rows) == (3, 3)
    assert table.terrain("C2").impassable


def test_large_files_are_refused_before_they_are_laid_out() -> None:
    vast = {"header": {"creation_build": "1"}, "world": {"width": 10**7, "height": 10**7, "levels": {"0": {}}}}
    many = {
        "header": {"creation_build": "1"},
        "world": {"width": 9, "height": 9, "levels": {str(n): {} for n in range(99)}},
    }
    for data in (vast, many):
        with pytest.raises(MapError, match=r"more than the 16000000|too many"):
            load(json.dumps(data).encode(), name="a.dungeondraft_map")
    long = b".\n" * 5000 + b"." * 5000
    for data, format in ((long, "glyphs"), (b"F" + long.replace(b".", b"\t"), "donjon")):
        with pytest.raises(MapError, match="more than the 16000000"):
            load(data, format=format, name="a.txt")


def test_a_portal_of_dungeondraft_is_what_it_looks_like() -> None:
    found, report = load_with_report(HERE / "dungeondraft/house" / "input.dungeondraft_map")
    kinds = {barrier.id: (barrier.kind, barrier.state) for barrier in found.barriers if barrier.id}
    assert kinds["window-1"] == ("window", None)
    assert kinds["secret-1"] == ("door", "secret")
    assert "2 archways as open ways" in str(report)


@pytest.mark.parametrize(("texture", "through"), [("archway_00", True), ("door_00", True), ("window_03", False)])
def test_a_wall_is_cut_at_its_portals(texture: str, through: bool) -> None:
    portal = {"position": "Vector2( 512, 384 )", "rotation": 1.570796, "radius": 128, "closed": True,
              "texture": f"res://{texture}.png"}  # fmt: skip
    wall = {"points": "PoolVector2Array( 512, 0, 512, 768 )", "loop": False, "portals": [portal]}
    world = {"width": 4, "height": 3, "levels": {"0": {"walls": [wall]}}}
    found = load(json.dumps({"header": {"creation_build": "1"}, "world": world}).encode(), name="a.dungeondraft_map")
    assert len([one for one in found.barriers if one.kind == "wall"]) == 2
    way = tactical.reach(found, Mover("a", at="B2", rules="plain", stats={"speed": 10}))
    assert ("C2" in {found.name_of(cell) for cell in way.cells()}) == through


@pytest.mark.parametrize(
    ("file", "wrong"), [("glyphs/cellar/input.txt", "donjon"), ("donjon/table/input.txt", "glyphs")]
)
def test_a_format_that_is_named_is_the_one_that_reads(file: str, wrong: str) -> None:
    data = (HERE / file).read_bytes()
    assert load_with_report(data, name="map.txt")[1].format != wrong
    with pytest.raises(MapError, match="unknown"):
        load(data, name="map.txt", format=wrong)
    # and one that the content does not tell is read under its name
    assert load_with_report(b".#.\n.@.\n", name="drawing", format="glyphs")[1].format == "glyphs"
