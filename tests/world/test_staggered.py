"""Staggered squares are the square grid turned by an eighth: every answer is the one of that square map."""

from __future__ import annotations

from random import Random

import pytest

import tactical
from tactical.registry import DRAWERS
from tactical.show.scene.scene import scene
from tactical.units import Cell
from tactical.world.battlemap import Battlemap
from tactical.world.edges.barriers import Barrier
from tactical.world.grids import get_grid, grid_names, neighbours
from tactical.world.mover import Mover

NAMES = [name for name in grid_names() if name.startswith("staggered")]
LEGEND: dict[str, dict[str, object]] = {"~": {"difficult": True}}


def test_there_are_four() -> None:
    assert [
        f"staggered-{which}-{line}" for line, which in (("r", "odd"), ("r", "even"), ("q", "odd"), ("q", "even"))
    ] == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_directions_are_called_what_they_are_on_the_page(name: str) -> None:
    grid = get_grid(name)
    for at in [(c, r) for c in range(3, 7) for r in range(3, 7)]:
        x0, y0 = grid.centre(*at)
        for direction, there in neighbours(grid, Cell(*at)):
            x, y = grid.centre(there.col, there.row)
            down = "n" if y < y0 - 0.01 else "s" if y > y0 + 0.01 else ""
            assert direction.name == down + ("w" if x < x0 - 0.01 else "e" if x > x0 + 0.01 else "")


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("number", range(4))
@pytest.mark.parametrize("options", [{}, {"diagonal": "alternate"}, {"corner": "free"}, {"diagonal": "none"}])
def test_prices_are_those_of_the_turned_square_map(name: str, number: int, options: dict[str, object]) -> None:
    chance = Random(number)
    grid, cols, rows = get_grid(name), 7, 6
    drawn = ["".join(chance.choice("......~~#") for _ in range(cols)) for _ in range(rows)]
    drawn[2] = drawn[2][:3] + "." + drawn[2][4:]
    places = {(col, row): grid.store(col, row) for col in range(cols) for row in range(rows)}
    left, top = (min(place[axis] for place in places.values()) for axis in (0, 1))
    wide, high = (max(place[axis] for place in places.values()) - low + 1 for axis, low in ((0, left), (1, top)))
    square = [["#"] * wide for _ in range(high)]
    for (col, row), (i, j) in places.items():
        square[j - top][i - left] = drawn[row][col]
    i, j = places[3, 2]
    start = Mover("a", at=(3, 2), rules="plain", stats={"speed": 25})
    turned = Mover("a", at=(i - left, j - top), rules="plain", stats={"speed": 25})
    walls = [(3, 2, "ne"), (4, 3, "se")]
    barriers = [Barrier(grid.side(col, row, side)) for col, row, side in walls]
    # the same sides of the square map: between the same two cells
    same = []
    for col, row, side in walls:
        there = next(cell for direction, cell in neighbours(grid, Cell(col, row)) if direction.name == side)
        (a, b), (c, d) = ((x - left + 0.5, y - top + 0.5) for x, y in (places.get((one[0], one[1])) or
                          grid.store(one[0], one[1]) for one in ((col, row), there)))  # fmt: skip
        mx, my, dx, dy = (a + c) / 2, (b + d) / 2, (c - a) / 2, (d - b) / 2
        same.append(Barrier(((mx - dy, my + dx), (mx + dy, my - dx))))
    found = tactical.reach(Battlemap.from_rows(drawn, LEGEND, grid=name, barriers=barriers), start, options=options)
    wanted = tactical.reach(
        Battlemap.from_rows(["".join(row) for row in square], LEGEND, barriers=same), turned, options=options
    )
    prices = {cell: found.cost(cell) for cell in found.cells()}
    back = {(i, j): at for at, (i, j) in places.items()}
    assert prices == {Cell(*back[cell.col + left, cell.row + top]): wanted.cost(cell) for cell in wanted.cells()}


@pytest.mark.parametrize("name", NAMES)
def test_the_side_of_a_cell_cuts_the_step_over_it(name: str) -> None:
    grid = get_grid(name)
    for side in ("ne", "se", "sw", "nw"):
        there = next(cell for direction, cell in neighbours(grid, Cell(3, 3)) if direction.name == side)
        walls = Barrier(grid.side(3, 3, side))
        walled = Battlemap.from_rows(["......."] * 7, grid=name, barriers=(walls,))
        found = tactical.reach(walled, Mover("a", at=(3, 3), rules="plain", stats={"speed": 5}))
        assert there not in found.cells()
        assert len(found.cells()) == 5, "three sides, and the two corners that the wall does not touch"


@pytest.mark.parametrize("name", NAMES)
def test_pictures_show_rows_half_a_cell_apart_and_sides_between_them(name: str) -> None:
    grid = get_grid(name)
    battlemap = Battlemap.from_rows(["....", "....", "...."], grid=name, barriers=(Barrier(grid.side(1, 1, "ne")),))
    text = tactical.render(battlemap, drawer="text")
    rows = [line for line in text.splitlines() if line[:1].isdigit()]
    if name.endswith("-r"):
        shoved = [line.index("·") for line in rows]
        assert (shoved[1] > shoved[0]) == ("odd" in name)
        assert shoved[2] == shoved[0]
    else:
        assert f"({'odd' if 'odd' in name else 'even'} columns, counted from 0, lie half a cell lower)" in text
    assert any(sign in text for sign in "|-")
    svg = DRAWERS.get("svg").draw(scene(battlemap))
    assert "<svg" in (svg if isinstance(svg, str) else svg.decode())


def test_a_large_body_and_its_name_in_a_native_file() -> None:
    text = (
        "grid: {type: staggered-odd-r, cell: 5}\nrows: |\n  .....\n  .....\n  .....\n  .....\n"
        "barriers:\n  - {cell: B2, side: ne, kind: door, id: gate, state: closed}\n"
        "movers:\n  - {id: ogre, at: C1, size: 2}\n"
    )
    found = tactical.load(text.encode(), name="own.yaml")
    assert not found.faults()
    (ogre,) = found.movers
    assert ogre.at is not None
    assert {found.name_of(cell) for cell in found.body(ogre.at, 2)} == {"C1", "B2", "C2", "C3"}
    assert tactical.load(str(tactical.formats.dump(found)).encode(), name="again.yaml") == found
    picture = tactical.render(found, drawer="text")
    assert sum(line.count("o") for line in picture.splitlines() if line[:1].isdigit()) == 4
