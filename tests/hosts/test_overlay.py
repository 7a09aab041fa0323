"""Overlays for hosts that draw with something else: they hold the reach and nothing of the map."""

from __future__ import annotations

from xml.etree import ElementTree

import tactical
from tactical import Cell
from tactical.assets import maps
from tactical.hosts import overlay
from tactical.show.theme import load


def test_rgba_tints_every_cell_by_its_band() -> None:
    reach = tactical.reach(tactical.load(maps("village")), "raven", turns=2)
    cols, rows, data = overlay.rgba(reach)
    assert (cols, rows, len(data)) == (reach.battlemap.cols, reach.battlemap.rows, 4 * cols * rows)
    theme = load()
    for row in range(rows):
        for col in range(cols):
            red, green, blue, opacity = data[4 * (row * cols + col) :][:4]
            band = reach.band(Cell(col, row))
            if Cell(col, row) == reach.start.cell:
                continue
            assert (opacity > 0) == (band is not None)
            if band is not None:
                role = f"turn:{band.turn}" if band.turn > 1 else f"band:{band.index}"
                assert (red, green, blue) == theme.style(role, 2).fill


def test_svg_lies_over_nothing() -> None:
    reach = tactical.reach(tactical.load(maps("village")), "raven")
    text = overlay.svg(reach, reach.route(Cell(13, 8)), cell=20)
    root = ElementTree.fromstring(text)
    assert (float(root.get("width", 0)), float(root.get("height", 0))) == (32 * 20, 23 * 20)
    classes = {one.get("class", "") for one in root.iter()}
    assert any("band" in name for name in classes)
    assert not any(name.startswith(("ground", "grid", "wall", "door")) for name in classes)
    assert "100%" not in text
    assert len(text) < len(overlay.svg(reach, reach.route(Cell(13, 8)), cell=20, costs=True))
