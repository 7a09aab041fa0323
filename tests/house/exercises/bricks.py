"""A grid in one file: bricks, squares of which every odd row is shoved half a cell to the right; six neighbours each.

Offered as the entry point ``bricks = bricks:GRIDS`` of the group ``tactical.grids``.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import floor
from typing import Any, ClassVar

from tactical.errors import UnknownName
from tactical.world.grids import Direction, Point

STEPS = (("e", 1, 0), ("w", -1, 0), ("se", 0, 1), ("nw", 0, -1), ("sw", -1, 1), ("ne", 1, -1))
ROUND = ((0.0, 0.0), (0.5, 0.0), (1.0, 0.0), (1.0, 1.0), (0.5, 1.0), (0.0, 1.0))
SIDES = {"nw": 0, "ne": 1, "e": 2, "se": 3, "sw": 4, "w": 5}


@dataclass(frozen=True)
class Bricks:
    name: str = "bricks"
    title: ClassVar[str] = "bricks"
    sheared: ClassVar[bool] = True

    @property
    def directions(self) -> tuple[Direction, ...]:
        return tuple(Direction(*step) for step in STEPS)

    def store(self, col: Any, row: Any) -> tuple[Any, Any]:
        return col - (row - (row & 1)) // 2, row

    def unstore(self, i: Any, j: Any) -> tuple[Any, Any]:
        return i + (j - (j & 1)) // 2, j

    def centre(self, col: int, row: int) -> Point:
        return col + 0.5 + 0.5 * (row & 1), row + 0.5

    def cell_at(self, x: float, y: float) -> tuple[int, int]:
        row = floor(y)
        return floor(x - 0.5 * (row & 1)), row

    def polygon(self, col: int, row: int) -> tuple[Point, ...]:
        left = col + 0.5 * (row & 1)
        return tuple((left + x, row + y) for x, y in ROUND)

    def side(self, col: int, row: int, direction: str) -> tuple[Point, Point]:
        if direction not in SIDES:
            raise UnknownName("side", direction, SIDES)
        corners, first = self.polygon(col, row), SIDES[direction]
        return corners[first], corners[(first + 1) % 6]

    def size(self, cols: int, rows: int) -> Point:
        return cols + (0.5 if rows > 1 else 0.0), float(rows)

    def body(self, size: int) -> tuple[tuple[int, int], ...]:
        return tuple((i, j) for j in range(size) for i in range(size))


GRIDS = (Bricks(),)
