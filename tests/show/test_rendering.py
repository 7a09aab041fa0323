"""One call draws a map with any drawer."""

from __future__ import annotations

import pytest

import tactical
from tactical.assets import maps
from tactical.errors import UnknownName
from tactical.show.rendering import drawer_for, endings


def test_each_drawer_draws_by_its_name_or_ending() -> None:
    village = tactical.load(maps("village"))
    found = tactical.reach(village, "raven")
    route = found.route(village.cell_named("H10"))
    drawn = tactical.render(village, found, route)
    assert isinstance(drawn, str)
    assert drawn.startswith("<svg")
    assert drawn != tactical.render(village, found)
    assert tactical.render(village, found, route, drawer=".svg") == drawn
    assert tactical.render(village, found, costs=True) != tactical.render(village, found)
    text = tactical.render(village, drawer="text", ascii=True, colour=False)
    assert isinstance(text, str)
    assert text.isascii()


def test_a_png_is_bytes() -> None:
    pytest.importorskip("pygame")
    village = tactical.load(maps("village"))
    small, large = (tactical.render(village, drawer="raster", cell=size) for size in (8, 16))
    assert isinstance(small, bytes)
    assert isinstance(large, bytes)
    assert small.startswith(b"\x89PNG")
    assert len(small) < len(large)


def test_what_cannot_be_drawn_is_said() -> None:
    village = tactical.load(maps("village"))
    with pytest.raises(UnknownName, match="did you mean 'svg'"):
        tactical.render(village, drawer="svgg")
    with pytest.raises(UnknownName, match=r"unknown picture ending '\.gif'.*\.png, \.svg, \.txt"):
        tactical.render(village, drawer=".gif")
    with pytest.raises(TypeError, match="no_such"):
        tactical.render(village, no_such=1)
    with pytest.raises(ValueError, match="no level 7"):
        tactical.render(village, level=7)


def test_endings_lead_to_their_drawers() -> None:
    assert drawer_for("some/Map.SVG") is drawer_for(".svg") is endings()[".svg"]
    with pytest.raises(UnknownName):
        drawer_for("map")


def test_no_map_is_told_as_such() -> None:
    reach = tactical.reach(tactical.load(maps("village")), "raven")
    with pytest.raises(TypeError, match="the first is the map, then the reach and the way on it, not a Reach"):
        tactical.render(reach)  # type: ignore[arg-type]
