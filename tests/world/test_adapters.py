"""The six shapes in which hosts have their maps, each turned into a map of ours in a few lines; pixels both ways."""

from __future__ import annotations

from math import hypot

import pytest

import tactical
from tactical import Battlemap, Cell, Mover
from tactical.world.adapters import anchor, from_picture, middle, seat, segments
from tactical.world.grids import grid_names


def test_lists_of_cells_of_an_initiative_tracker() -> None:
    said = {
        "grid": {"cols": 6, "rows": 4, "feet_per_square": 5},
        "positions": [{"cid": 7, "col": 0, "row": 0}, {"cid": 8, "col": 5, "row": 3}],
        "obstacles": [{"col": 2, "row": 0}, {"col": 2, "row": 1}],
        "rough_terrain": [{"col": 1, "row": 2, "movement_type": "land", "is_rough": True}],
    }
    grid, rough = said["grid"], said["rough_terrain"]
    assert isinstance(grid, dict)
    battlemap = Battlemap.from_cells(
        grid["cols"],
        grid["rows"],
        blocked=[(one["col"], one["row"]) for one in said["obstacles"]],  # type: ignore[index]
        terrain={(one["col"], one["row"]): {"difficult": one["is_rough"]} for one in rough},  # type: ignore[index]
        cell=grid["feet_per_square"],
        movers=tuple(Mover(str(one["cid"]), at=Cell(one["col"], one["row"])) for one in said["positions"]),  # type: ignore[index]
    )
    reach = tactical.reach(battlemap, "7", options={"corner": "free"})
    assert reach.cost(Cell(1, 2)) == 15
    assert reach.cost(Cell(2, 0)) is None
    assert battlemap.faults() == ()


def test_glyph_rows_with_a_legend() -> None:
    battlemap = Battlemap.from_rows(["#####", "#.~.#", "#####"], {"~": {"terrain": "water", "difficult": True}})
    assert tactical.reach(battlemap, Mover("a", at=Cell(1, 1))).cost(Cell(3, 1)) == 15


def test_wall_segments_and_polylines_in_free_pixels() -> None:
    room = [(110.0, 110.0), (310.0, 110.0), (310.0, 310.0), (110.0, 310.0)]
    battlemap = Battlemap.from_segments(
        [*segments(room), (110, 310, 110, 260), (110, 160, 110, 110)],
        doors=[{"line": (110, 260, 110, 160), "id": "in", "state": "closed"}],
        cell_px=50,
        origin=(10, 10),
        size=(8, 8),
    )
    assert list(segments(room, closed=True))[-1] == (110.0, 310.0, 110.0, 110.0)
    walker = Mover("a", at=battlemap.cell_at(150, 200))
    assert walker.at == Cell(2, 3)
    shut = tactical.reach(battlemap, walker, options={"door_policy": "block"})
    assert all(2 <= cell.col <= 5 and 2 <= cell.row <= 5 for cell in shut.cells())
    assert Cell(1, 3) in tactical.reach(battlemap, walker).cells()
    assert battlemap.centre(Cell(2, 3)) == (135, 185)


def test_tokens_without_a_grid() -> None:
    board = from_picture(800, 600, cell_px=40, origin=(20, 10))
    assert (board.cols, board.rows) == (19, 14)
    table = seat(board, [{"id": "ogre", "x": 100, "y": 90, "size": 2, "side": "foe"}, {"id": "elf", "x": 43, "y": 29}])
    assert table.mover("ogre").at == Cell(1, 1)
    assert table.mover("elf").at == Cell(0, 0)
    assert middle(table, Cell(1, 1), 2) == (100, 90)
    with pytest.raises(ValueError, match="'bat' is off the map"):
        seat(board, [{"id": "bat", "x": 5, "y": 5}])


def test_a_picture_and_its_scale() -> None:
    assert (from_picture(400, 200, cell_px=64).cols, from_picture(400, 200, cell_px=64).rows) == (6, 3)
    with pytest.raises(ValueError, match="no cell"):
        from_picture(30, 30, cell_px=64)
    with pytest.raises(ValueError, match="more than 0 pixels"):
        from_picture(30, 30, cell_px=0)


def test_pieces_by_column_and_row() -> None:
    pieces = [("knight", 2, 3, 1), ("giant", 5, 5, 3)]
    battlemap = Battlemap.from_cells(
        10, 10, movers=tuple(Mover(name, at=Cell(col, row), size=size) for name, col, row, size in pieces)
    )
    assert battlemap.faults() == ()
    assert Cell(6, 6) not in tactical.reach(battlemap, "knight").cells()


@pytest.mark.parametrize("grid", grid_names())
@pytest.mark.parametrize("size", [1, 2, 3])
def test_pixels_lead_to_cells_and_back(grid: str, size: int) -> None:
    board = from_picture(700, 500, cell_px=37.5, origin=(11, 7), grid=grid)
    assert board.grid.size(board.cols, board.rows)[0] * 37.5 <= 700 - 11 + 1e-6
    assert board.grid.size(board.cols, board.rows)[1] * 37.5 <= 500 - 7 + 1e-6
    assert board.grid.size(board.cols + 1, board.rows)[0] * 37.5 > 700 - 11
    assert board.grid.size(board.cols, board.rows + 1)[1] * 37.5 > 500 - 7
    for col in range(3, board.cols - 3):
        for row in range(3, board.rows - 3):
            cell = Cell(col, row)
            x, y = middle(board, cell, size)
            assert anchor(board, x, y, size) == cell
            assert anchor(board, x + 4, y - 3, size) == cell
            assert board.cell_at(*board.centre(cell)) == cell
    outside = board.centre(Cell(-2, -2))
    assert board.cell_at(*outside) is None
    assert anchor(board, *outside, size) is None
    assert hypot(*outside) > 0
