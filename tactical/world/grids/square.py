"""Square cells: four sides, four corners.  Storage is (column, row)."""

from __future__ import annotations

from math import floor
from typing import Any

from tactical.errors import UnknownName
from tactical.world.grids import Direction, Point


class Square:
    """The square grid."""

    name = "square"
    title = "squares"
    sheared = False
    directions = (
        Direction("e", 1, 0),
        Direction("s", 0, 1),
        Direction("w", -1, 0),
        Direction("n", 0, -1),
        Direction("se", 1, 1, (0, 1)),
        Direction("sw", -1, 1, (2, 1)),
        Direction("nw", -1, -1, (2, 3)),
        Direction("ne", 1, -1, (0, 3)),
    )

    def store(self, col: Any, row: Any) -> tuple[Any, Any]:
        return col, row

    def unstore(self, i: Any, j: Any) -> tuple[Any, Any]:
        return i, j

    def centre(self, col: int, row: int) -> Point:
        return col + 0.5, row + 0.5

    def cell_at(self, x: float, y: float) -> tuple[int, int]:
        return floor(x), floor(y)

    def polygon(self, col: int, row: int) -> tuple[Point, ...]:
        return (col, row), (col + 1, row), (col + 1, row + 1), (col, row + 1)

    def side(self, col: int, row: int, direction: str) -> tuple[Point, Point]:
        sides: dict[str, tuple[Point, Point]] = {
            "n": ((col, row), (col + 1, row)),
            "e": ((col + 1, row), (col + 1, row + 1)),
            "s": ((col + 1, row + 1), (col, row + 1)),
            "w": ((col, row + 1), (col, row)),
        }
        long = {"north": "n", "east": "e", "south": "s", "west": "w"}
        name = long.get(direction, direction)
        if name not in sides:
            raise UnknownName("side", direction, sides)
        return sides[name]

    def size(self, cols: int, rows: int) -> Point:
        return float(cols), float(rows)

    def body(self, size: int) -> tuple[tuple[int, int], ...]:
        return tuple((di, dj) for dj in range(size) for di in range(size))


GRIDS = (Square(),)
