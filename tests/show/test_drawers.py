"""Drawers: text says what the scene says, SVG is well-formed and carries every sign."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from tactical.registry import DRAWERS
from tactical.show.drawers import Drawer
from tactical.show.drawers.svg import draw as draw_svg
from tactical.show.drawers.text import draw as draw_text
from tactical.show.scene.scene import scene
from tactical.show.scene.shapes import Tile
from tactical.units import Cell
from tactical.world.battlemap import Battlemap, Picture, Zone
from tactical.world.edges.barriers import Barrier
from tactical.world.grids import grid_names

SVG = "{http://www.w3.org/2000/svg}"
DOT = bytes.fromhex(
    "89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de0000000c49444154789c63f8cfc000000301"
    "0100c9fe92ef0000000049454e44ae426082"
)


def rows(text: str) -> list[str]:
    return [line for line in text.splitlines() if line[:1].isdigit() or line[:2].strip().isdigit()]


def test_text_shows_bands_movers_and_route(battlemap, reach):
    lines = rows(draw_text(scene(battlemap, reach, reach.route(Cell(9, 7))), legend=False))
    assert lines[7] == "8  t a a a a a a a G ◎ b b b b · b"
    assert lines[0].startswith("1  a aǂa")
    assert "|" in lines[0]
    assert "X" in lines[2], "the locked door"


def test_text_legend_names_everything(battlemap, reach):
    text = draw_text(scene(battlemap, reach))
    for words in ("@  Raven", "m  Magpie, friend, crouched", "G  Guard, foe", "a  Move, to 30 ft", "X  locked door"):
        assert words in text
    assert "Ghoul" not in text


def test_ascii_text_is_ascii_and_costs_widen_the_cells(battlemap, reach):
    text = draw_text(scene(battlemap, reach, costs=True), ascii=True)
    assert text.isascii()
    line = rows(text)[6]
    assert line.split()[:6] == ["7", "15", "10", "5", "@", "5"]


def test_colour_never_replaces_the_letters(battlemap, reach):
    import re

    plain = draw_text(scene(battlemap, reach))
    coloured = draw_text(scene(battlemap, reach), colour=True)
    assert "\x1b[" in coloured
    assert re.sub(r"\x1b\[[0-9;]*m", "", coloured) == plain


def test_hex_rows_are_shoved_in_text():
    lines = rows(draw_text(scene(Battlemap.from_rows(["..", ".."], grid="hex-odd-r"))))
    assert lines == ["1  · ·", "2   · ·"]


def test_walls_between_rows_are_lines_in_text():
    battlemap = Battlemap.from_rows(["..", ".."], barriers=(Barrier(((0, 1), (2, 1))),))
    lines = draw_text(scene(battlemap), legend=False).splitlines()
    assert lines[2].strip() == "- -"


def test_svg_is_well_formed_and_draws_every_role(battlemap, reach):
    drawn = scene(battlemap, reach, reach.route(Cell(15, 6)), enemy=True, costs=True)
    root = ElementTree.fromstring(draw_svg(drawn))
    classes = {name for node in root.iter() for name in node.get("class", "").split()}
    for wanted in (
        "band-0",
        "band-1",
        "turn-2",
        "out",
        "rim",
        "wall",
        "door",
        "locked",
        "fence",
        "ledge",
        "route",
        "threat",
        "ring",
        "provoke",
        "friend",
        "foe",
        "bystander",
        "ghost",
        "chip",
        "cost",
        "grid",
        "icon-crouched",
        "icon-lock",
    ):
        assert wanted in classes, wanted
    texts = {"".join(node.itertext()) for node in root.iter(f"{SVG}text")}
    assert {"60 of 60 ft", "Move ends 30", "Raven", "turn 2", "Dash, to 60 ft"} <= texts


def test_svg_patterns_are_defined_where_they_are_used(battlemap, reach):
    text = draw_svg(scene(battlemap, reach))
    root = ElementTree.fromstring(text)
    defined = {node.get("id") for node in root.iter(f"{SVG}pattern")}
    assert {"p-dash", "p-later"} <= defined
    used = {part.split(")")[0] for part in text.split("url(#")[1:]}
    assert used <= defined | {"map"}


def test_svg_escapes_names():
    battlemap = Battlemap.from_rows([".."], {".": {"terrain": 'a "<b>" & c'}}, name="<Mill>")
    root = ElementTree.fromstring(draw_svg(scene(battlemap)))
    assert root.find(f"{SVG}title").text == "<Mill>"


def test_the_maps_own_picture_lies_beneath(battlemap):
    painted = battlemap.with_(picture=Picture(lambda: DOT, 70.0))
    root = ElementTree.fromstring(draw_svg(scene(painted)))
    [image] = root.iter(f"{SVG}image")
    assert image.get("href").startswith("data:image/png;base64,iVBOR")


def test_over_the_maps_own_picture_slow_and_steep_and_deep_ground_is_signed():
    legend = {
        "m": {"terrain": "mud", "difficult": True},
        "c": {"terrain": "crag", "climb": True},
        "w": {"terrain": "lake", "water": "deep"},
    }
    bare = Battlemap.from_rows(["mcw."], legend)
    zones = (Zone((Cell(3, 0),), {"difficult": True}),)
    told = {
        with_picture: [tile.signs for tile in scene(one.with_(zones=zones)).shapes if isinstance(tile, Tile)]
        for with_picture, one in ((False, bare), (True, bare.with_(picture=Picture(lambda: DOT, 70.0))))
    }
    # the textures of mud, lake and rubble tell by themselves, where they are drawn
    assert told == {
        False: [(), ("climb",), (), ()],
        True: [("difficult",), ("climb",), ("swim",), ("difficult",)],
    }


def test_the_grid_begins_at_the_picture_s_offset():
    head = b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR" + (300).to_bytes(4, "big") + (200).to_bytes(4, "big")
    head += b"\x08\x00\x00\x00\x00" + bytes(4) + b"\x00\x00\x00\x00IEND" + bytes(4)
    painted = Battlemap.from_cells(4, 2, picture=Picture(lambda: head, 50.0, (100, 25)))
    bare = Battlemap.from_cells(4, 2, picture=Picture(lambda: head, 50.0))
    places = []
    for battlemap in (painted, bare):
        [image] = ElementTree.fromstring(draw_svg(scene(battlemap), cell=20)).iter(f"{SVG}image")
        places.append([float(image.get(name)) for name in ("x", "y", "width", "height")])
    (x, y, width, height), (x0, y0, *_) = places
    assert (x - x0, y - y0, width, height) == (-40, -10, 120, 80)


@pytest.mark.parametrize("grid", grid_names())
@pytest.mark.parametrize("name", list(DRAWERS.names()))
def test_every_drawer_draws_every_grid_the_same_each_time(name, grid):
    drawer = DRAWERS.get(name)
    assert isinstance(drawer, Drawer)
    assert drawer.suffix.startswith(".")
    if name == "raster":
        pytest.importorskip("pygame")
    battlemap = Battlemap.from_rows(["..#.", ".~..", "...."], {"~": {"water": "shallow"}}, grid=grid)
    first, second = drawer.draw(scene(battlemap)), drawer.draw(scene(battlemap))
    assert first == second
    assert len(first) > 20
