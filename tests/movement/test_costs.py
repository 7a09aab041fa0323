"""`Reach.costs` and `Reach.arrivals`: cell to price as mappings, equal to what is asked cell by cell."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from tactical import Battlemap, Cell, Mover, reach
from tactical.movement.reach import Reach

ROWS = ["....~...", ".##.~...", "..#.....", "..#..#..", ".....#.."]
LEGEND = {"~": {"factor": 2}}
WALKER = Mover("walker", "plain", {"speed": 15}, Cell(0, 0))


def asked(turns: int = 1, grid: str = "square", **more: object) -> Reach:
    place = Battlemap.from_rows(ROWS, LEGEND, grid=grid)
    return reach(place, WALKER, turns=turns, **more)


@pytest.mark.parametrize("grid", ["square", "hex-odd-r", "hex-even-q"])
@pytest.mark.parametrize("turns", [1, 4])
@pytest.mark.parametrize("options", [{}, {"diagonal": "alternate"}, {"corner": "free"}])
def test_costs_are_those_of_every_cell(grid: str, turns: int, options: dict[str, object]) -> None:
    found = asked(turns, grid, options=options)
    assert dict(found.costs) == {cell: found.cost(cell) for cell in found.arrivals}
    assert set(found.costs) == {found.start.cell, *found.cells()}
    assert found.costs[found.start.cell] == 0
    for cell in found.cells():
        route = found.route(cell)
        assert route
        assert route.cost == found.costs[cell]
        assert route.turn == found.turn(cell)
        assert route.spent == found.arrivals[cell].spent
        assert route.end.posture == found.posture(cell)


@pytest.mark.parametrize("rules", [{}, {"rules": "shapers"}])
def test_arrivals_are_read_from_end_to_end_as_they_are_looked_up(rules: dict[str, str]) -> None:
    place = Battlemap.from_rows(["." * 60] * 3)
    mover = Mover("walker", "plain", {"speed": 15}, Cell(0, 1))
    found = reach(place, replace(mover, rules="shapers", stats={"pa": 15}) if rules else mover, turns=3)
    looked_up = {cell: found.arrivals[cell] for cell in found.arrivals}
    assert dict(found.arrivals.items()) == looked_up
    assert len(found.arrivals.items()) == len(looked_up)
    in_order = list(found.in_order())
    assert dict(in_order) == {cell: one for cell, one in looked_up.items() if cell != found.start.cell}
    assert [cell for cell, _ in in_order] == sorted(
        looked_up.keys() - {found.start.cell}, key=lambda c: (c.level, c.row, c.col)
    )


def test_one_cell_is_looked_up_in_any_order() -> None:
    found, whole = asked(3), asked(3)
    cells = sorted(whole.costs, key=lambda cell: (-cell.row, cell.col))
    assert [found.cost(cell) for cell in cells] == [whole.costs[cell] for cell in cells]
    assert found.cost((7, 0)) == Fraction(40)
    assert found.cost("A1") == 0


@pytest.mark.parametrize("where", [(1, 1), (-1, 0), (99, 0), (0, 10**8), (0, 0, 1), (0, 0, 10**8), (-(10**8), 3)])
def test_what_is_no_end_is_not_there(where: tuple[int, ...]) -> None:
    found = asked(4)
    assert found.cost(where) is None
    assert where not in found
    assert found.band(where) is None
    assert found.arrivals.get(Cell(*where)) is None
    assert Cell(*where) not in found.costs


def test_costs_cannot_be_written() -> None:
    with pytest.raises(TypeError):
        asked().costs[Cell(0, 0)] = Fraction(1)  # type: ignore[index]


def test_bands_share_the_cells_out() -> None:
    found = asked(3)
    parts = [found.cells(band) for band in found.bands]
    assert sum(map(len, parts)) == len(found.cells()) == len(frozenset().union(*parts))
