"""Every grid, shipped or a stranger's, in text, SVG, PNG, window and JSON: each cell and each side where it belongs."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import replace
from io import BytesIO
from itertools import product
from typing import Any

import pytest

import tactical
from tactical import Barrier, Battlemap, Cell, Mover
from tactical.world.grids import get_grid, grid_names, neighbours, squares
from tactical.world.grids.square import Square
from tests.house.offered import offered

COLS, ROWS, PIXELS = 4, 3, 24
CELLS = [Cell(col, row) for col in range(COLS) for row in range(ROWS)]
WALLS = "|-/\\"
"""What walls are in a picture of letters."""
Side = tuple[Cell, Cell, tuple[tuple[float, float], tuple[float, float]]]


@pytest.fixture(params=[*grid_names(), "bricks"])
def grid(request: pytest.FixtureRequest) -> Iterator[str]:
    with offered(request.param):
        yield request.param


def board(grid: str, *, rock: Cell | None = None, **more: Any) -> Battlemap:
    rows = ["".join("#" if rock == Cell(col, row) else "." for col in range(COLS)) for row in range(ROWS)]
    return Battlemap.from_rows(rows, {"#": {"terrain": "rock", "impassable": True}}, grid=grid, rules="plain", **more)


def sides(grid: str) -> list[Side]:
    """Each side between two cells, once."""
    kind, out = get_grid(grid), []
    for cell in CELLS:
        for direction, there in neighbours(kind, cell):
            if not direction.diagonal and there in CELLS and (cell.col, cell.row) < (there.col, there.row):
                out.append((cell, there, kind.side(cell.col, cell.row, direction.name)))
    return out


def test_names_and_json_keep_every_cell(grid: str) -> None:
    battlemap = board(grid)
    assert [battlemap.cell_named(battlemap.name_of(cell)) for cell in CELLS] == CELLS
    again = tactical.from_json(tactical.to_json(board(grid, rock=Cell(2, 1))))
    assert again.grid == battlemap.grid
    assert [cell for cell in CELLS if again.terrain(cell).impassable] == [Cell(2, 1)]


def test_a_wall_on_a_side_is_in_the_way_there_and_nowhere_else(grid: str) -> None:
    for cell, there, line in sides(grid):
        walled = board(grid, barriers=(Barrier(line),), options={"diagonal": "none"})
        mover = Mover("kit", at=cell, stats={"speed": 5})
        beside = {other for direction, other in neighbours(walled.grid, cell) if not direction.diagonal}
        assert tactical.reach(walled, mover).cells() == {other for other in beside if other in CELLS} - {there}


def drawn(battlemap: Battlemap) -> list[str]:
    return str(tactical.render(battlemap, drawer="text", legend=False, ascii=True)).splitlines()[: 1 + 2 * ROWS]


def changes(one: list[str], other: list[str]) -> set[tuple[int, int]]:
    """Line and column of every letter in which two drawings differ."""
    height, width = max(len(one), len(other)), max(map(len, [*one, *other]))
    a, b = ([line.ljust(width) for line in lines] + [" " * width] * (height - len(lines)) for lines in (one, other))
    return {(y, x) for y in range(height) for x in range(width) if a[y][x] != b[y][x]}


def test_text_has_a_letter_for_each_cell_and_walls_between_the_right_two(grid: str) -> None:
    bare = drawn(board(grid))
    places = {cell: changes(bare, drawn(board(grid, rock=cell))) for cell in CELLS}
    assert all(places.values())
    assert len(set().union(*places.values())) == sum(map(len, places.values())), "no two cells share a letter"
    across = {cell: get_grid(grid).centre(cell.col, cell.row)[0] for cell in CELLS}
    for one, other in product(CELLS, CELLS):
        if across[one] < across[other] - 0.4:
            assert max(x for _, x in places[one]) < min(x for _, x in places[other]), (one, other)
    for cell, there, line in sides(grid):
        walled = drawn(board(grid, barriers=(Barrier(line),)))
        rocks = [drawn(board(grid, barriers=(Barrier(line),), rock=rock)) for rock in (cell, there)]
        at = [spot for rock in rocks for spot in changes(walled, rock)]
        inks = [(y, x) for y, words in enumerate(walled) for x, sign in enumerate(words) if sign in WALLS]
        assert inks
        for y, x in inks:
            assert min(y for y, _ in at) <= y <= max(y for y, _ in at), (cell, there)
            assert min(x for _, x in at) - 1 <= x <= max(x for _, x in at) + 1, (cell, there)


def test_an_svg_has_the_wall_on_its_side(grid: str) -> None:
    left = min(x for cell in CELLS for x, _ in get_grid(grid).polygon(cell.col, cell.row))
    top = min(y for cell in CELLS for _, y in get_grid(grid).polygon(cell.col, cell.row))
    bare = str(tactical.render(board(grid), cell=PIXELS, title=False, legend=False, ruler=False)).splitlines()
    for _, _, line in sides(grid):
        walled = board(grid, barriers=(Barrier(line),))
        new = str(tactical.render(walled, cell=PIXELS, title=False, legend=False, ruler=False)).splitlines()
        inks = [piece for piece in new if piece not in bare and re.search(r"stroke|d=", piece)]
        ends = [tuple((value - low) * PIXELS for value, low in zip(end, (left, top), strict=True)) for end in line]
        numbers = [float(word) for piece in inks for word in re.findall(r"-?\d+(?:\.\d+)?", piece)]
        for x, y in ends:
            near = [n for n in range(len(numbers) - 1) if abs(numbers[n] - x) < 2 and abs(numbers[n + 1] - y) < 2]
            assert near, (line, inks)


def test_a_picture_changes_where_the_wall_is(grid: str) -> None:
    pygame = pytest.importorskip("pygame")
    kind = get_grid(grid)
    left = min(x for cell in CELLS for x, _ in kind.polygon(cell.col, cell.row))
    top = min(y for cell in CELLS for _, y in kind.polygon(cell.col, cell.row))

    def picture(battlemap: Battlemap) -> Any:
        look: dict[str, Any] = {"cell": PIXELS, "title": False, "legend": False, "ruler": False}
        return pygame.image.load(BytesIO(bytes(tactical.render(battlemap, drawer="raster", **look))))  # type: ignore[arg-type]

    bare = picture(board(grid))
    for _, _, line in sides(grid)[::3]:
        walled = picture(board(grid, barriers=(Barrier(line),)))
        assert walled.get_size() == bare.get_size()
        width, height = bare.get_size()
        new = [(x, y) for x in range(width) for y in range(height) if bare.get_at((x, y)) != walled.get_at((x, y))]
        (ax, ay), (bx, by) = (((x - left) * PIXELS, (y - top) * PIXELS) for x, y in line)
        assert new
        assert all(min(ax, bx) - 8 <= x <= max(ax, bx) + 8 for x, _ in new)
        assert all(min(ay, by) - 8 <= y <= max(ay, by) + 8 for _, y in new)


def test_the_window_finds_every_cell_and_takes_a_click(grid: str) -> None:
    pygame = pytest.importorskip("pygame")
    os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
    from tactical.viewer.app import App

    app = App(board(grid, movers=(Mover("kit", at=Cell(0, 0), stats={"speed": 30}),)), "kit", size=(700, 500), text=1.0)
    app.draw()
    for cell in CELLS:
        assert app.screen.cell_at(app.screen.pixel_of(cell)) == cell
    spot = app.screen.pixel_of(Cell(2, 1))
    for kind, more in (
        (pygame.MOUSEMOTION, {"rel": (0, 0), "buttons": (0, 0, 0)}),
        (pygame.MOUSEBUTTONDOWN, {"button": 1}),
        (pygame.MOUSEBUTTONUP, {"button": 1}),
    ):
        app.handle(pygame.event.Event(kind, pos=spot, **more))
    app.draw()
    assert app.hand.table.session.battlemap.mover("kit").at == Cell(2, 1)


class Plots(Square):
    """Squares under a name of their own."""

    name = "plots"


def test_squares_of_any_name_are_painted_alike() -> None:
    board = Battlemap.from_rows(["#..~", "....", ".~.."], {"~": {"terrain": "pond", "water": "deep"}})
    renamed = replace(board, grid=Plots())
    assert squares(renamed.grid)
    assert not any(squares(get_grid(name)) for name in grid_names() if name != "square")
    assert tactical.render(renamed, drawer="raster") == tactical.render(board, drawer="raster")
