"""Hexagons, pointy and flat, in the four offset layouts of the field.

``odd-r`` / ``even-r``: pointy tops in rows; the odd (even) rows, counted from 0, are shoved half a cell to the right.
``odd-q`` / ``even-q``: flat tops in columns; the odd (even) columns are shoved half a cell down.

Storage is axial: along a row (or column) as it is, across sheared, so that the six directions are constant offsets.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import floor, sqrt
from typing import Any, ClassVar

from tactical.errors import UnknownName
from tactical.world.grids import Direction, Point

TIP = 1 / sqrt(3)
"""Middle to corner, where neighbouring middles are 1 apart."""
PITCH = sqrt(3) / 2
"""Distance between rows of pointy (columns of flat) hexagons."""

_ROWS = (("e", 1, 0), ("w", -1, 0), ("se", 0, 1), ("nw", 0, -1), ("sw", -1, 1), ("ne", 1, -1))
_COLUMNS = (("s", 0, 1), ("n", 0, -1), ("se", 1, 0), ("nw", -1, 0), ("ne", 1, -1), ("sw", -1, 1))
# Corners of each side, by the index of the polygon's corner it starts at.
_ROW_SIDES = {"ne": 0, "e": 1, "se": 2, "sw": 3, "w": 4, "nw": 5}
_COLUMN_SIDES = {"n": 0, "ne": 1, "se": 2, "s": 3, "sw": 4, "nw": 5}


@dataclass(frozen=True)
class Hexagonal:
    """One of the four hex layouts: `flat` tops or pointy ones, `odd` or even lines shoved."""

    name: str
    flat: bool
    odd: bool
    title: ClassVar[str] = "hexes"
    sheared: ClassVar[bool] = True

    @property
    def directions(self) -> tuple[Direction, ...]:
        return tuple(Direction(*entry) for entry in (_COLUMNS if self.flat else _ROWS))

    def _shear(self, line: Any) -> Any:
        # how far the storage of a row (column) is shifted against its first one
        return (line - (line & 1)) // 2 if self.odd else (line + (line & 1)) // 2

    def _shoved(self, line: int) -> float:
        return 0.5 if bool(line & 1) == self.odd else 0.0

    def store(self, col: Any, row: Any) -> tuple[Any, Any]:
        return (col, row - self._shear(col)) if self.flat else (col - self._shear(row), row)

    def unstore(self, i: Any, j: Any) -> tuple[Any, Any]:
        return (i, j + self._shear(i)) if self.flat else (i + self._shear(j), j)

    def centre(self, col: int, row: int) -> Point:
        if self.flat:
            return TIP + col * PITCH, row + 0.5 + self._shoved(col)
        return col + 0.5 + self._shoved(row), TIP + row * PITCH

    def cell_at(self, x: float, y: float) -> tuple[int, int]:
        across, along = (x, y) if self.flat else (y, x)
        guess = floor((across - TIP) / PITCH + 0.5)
        best, found = float("inf"), (0, 0)
        for line in (guess - 1, guess, guess + 1):
            base = floor(along - self._shoved(line))
            for place in (base - 1, base, base + 1):
                col, row = (line, place) if self.flat else (place, line)
                cx, cy = self.centre(col, row)
                distance = (cx - x) ** 2 + (cy - y) ** 2
                if distance < best - 1e-12:
                    best, found = distance, (col, row)
        return found

    def polygon(self, col: int, row: int) -> tuple[Point, ...]:
        x, y = self.centre(col, row)
        half, tip = 0.5, TIP
        corners: tuple[Point, ...]
        if self.flat:
            corners = ((-tip / 2, -half), (tip / 2, -half), (tip, 0), (tip / 2, half), (-tip / 2, half), (-tip, 0))
        else:
            corners = ((0, -tip), (half, -tip / 2), (half, tip / 2), (0, tip), (-half, tip / 2), (-half, -tip / 2))
        return tuple((x + dx, y + dy) for dx, dy in corners)

    def side(self, col: int, row: int, direction: str) -> tuple[Point, Point]:
        sides = _COLUMN_SIDES if self.flat else _ROW_SIDES
        if direction not in sides:
            raise UnknownName("side", direction, sides)
        corners = self.polygon(col, row)
        first = sides[direction]
        return corners[first], corners[(first + 1) % 6]

    def size(self, cols: int, rows: int) -> Point:
        lines, places = (cols, rows) if self.flat else (rows, cols)
        across = (lines - 1) * PITCH + 2 * TIP
        along = places + (0.5 if lines > 1 or not self.odd else 0.0)
        return (across, along) if self.flat else (along, across)

    def body(self, size: int) -> tuple[tuple[int, int], ...]:
        """1 one cell, 2 a triangle of three, 3 a flower of seven, 4 of twelve … in axial offsets.

        Odd sizes grow round a cell, even ones round a corner.
        """
        radius = max(size - 1, 0) // 2
        around = range(-radius, radius + 1)
        disc = [(q, r) for r in around for q in around if abs(q + r) <= radius]
        if size % 2 == 0:
            disc = list({(q + dq, r + dr) for q, r in disc for dq, dr in ((0, 0), (1, 0), (0, 1))})
        return tuple(sorted(disc, key=lambda place: (place != (0, 0), place)))


GRIDS = tuple(
    Hexagonal(f"hex-{'odd' if odd else 'even'}-{'q' if flat else 'r'}", flat, odd)
    for flat in (False, True)
    for odd in (True, False)
)
