"""Column letters and row numbers beside pictures: where cells are called by name, pictures show the names."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path

import pytest

import tactical
from tactical.registry import DRAWERS
from tactical.show.rulers import rulers
from tactical.show.scene.scene import scene
from tactical.world.battlemap import Battlemap
from tactical.world.grids import get_grid, grid_names
from tests.cli.conftest import Run, run

__all__ = ["run"]

WORD = re.compile(r'<text x="(-?[\d.]+)" y="(-?[\d.]+)"[^>]*>([^<]*)</text>')


def named(svg: str) -> dict[str, tuple[float, float]]:
    """The words of an SVG's rulers and where they stand in the map's own pixels."""
    part = svg[svg.index('<g class="ruler">') :]
    return {text: (float(x), float(y)) for x, y, text in WORD.findall(part[: part.index("</g>")])}


@pytest.mark.parametrize("name", grid_names())
def test_each_name_stands_beside_the_middle_of_its_line(name: str) -> None:
    battlemap = Battlemap.from_rows(["....", "....", "...."], grid=name)
    drawn = str(tactical.render(battlemap, ruler=True, cell=32))
    found = named(drawn)
    assert list(found) == ["A", "B", "C", "D", "1", "2", "3"]
    grid = get_grid(name)
    for col, letter in enumerate("ABCD"):
        assert found[letter][0] == pytest.approx(grid.centre(col, 0)[0] * 32, abs=0.02)
        assert found[letter][1] < 10
    for row in range(3):
        assert found[str(row + 1)][0] < 0
        assert found[str(row + 1)][1] - 4.48 == pytest.approx(grid.centre(0, row)[1] * 32, abs=0.02)
    assert 'class="ruler"' not in str(tactical.render(battlemap))


def test_names_that_would_lie_on_one_another_are_left_out() -> None:
    wide = scene(Battlemap.from_cells(120, 120))
    found = rulers(wide, 6)
    assert [name for _, name in found.columns][:4] == ["E", "J", "O", "T"]
    assert [name for _, name in found.rows][:3] == ["2", "4", "6"]
    for names, letters in ((found.columns, 0.6 * found.size), (found.rows, 0.0)):
        for (a, _), (b, word) in pairwise(names):
            assert (b - a) * 6 >= (len(word) * letters or found.size) - 1e-6
    assert len(rulers(wide, 60).columns) == 120


def test_the_map_itself_is_drawn_as_without() -> None:
    pygame = pytest.importorskip("pygame")
    from io import BytesIO

    battlemap = Battlemap.from_rows(["..#.", ".~..", "...."], {"~": {"water": "shallow"}})
    raster = DRAWERS.get("raster")
    pictures = [
        pygame.image.load(BytesIO(raster.draw(scene(battlemap), cell=30, legend=False, title=False, **more)), "a.png")
        for more in ({}, {"ruler": True})
    ]
    (wide, high), (wider, higher) = (picture.get_size() for picture in pictures)
    assert wider > wide
    assert higher > high
    part = pictures[1].subsurface((wider - wide, higher - high, wide, high))
    assert pygame.image.tobytes(part, "RGB") == pygame.image.tobytes(pictures[0], "RGB")


def test_commands_draw_them_unless_told_otherwise(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "a.svg"
    assert run("render", "small/ford", "-o", str(file)).status == 0
    assert 'class="ruler"' in file.read_text()
    assert run("render", "small/ford", "--no-ruler", "-o", str(file)).status == 0
    assert 'class="ruler"' not in file.read_text()
    mover = tactical.load("small/ford").movers[0].id
    assert run("reach", "small/ford", "--mover", mover, "--png", str(file)).status == 0
    assert 'class="ruler"' in file.read_text()
