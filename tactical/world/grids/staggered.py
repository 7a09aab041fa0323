"""Squares that stand on a corner, laid in lines that are shoved against each other: the staggered maps of the field.

``staggered-odd-r`` / ``staggered-even-r``: rows of them, the odd (even) rows, counted from 0, shoved half a cell to the
right.  ``staggered-odd-q`` / ``staggered-even-q``: columns, the odd (even) ones shoved half a cell down.  A step goes
over a side to the neighbours in the lines beside it, a diagonal over a corner to the next cell of the same line or of
the line after the next.

Storage runs along the sides, so that the grid is the square grid turned by an eighth, and every direction one offset.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import floor, sqrt
from typing import Any, ClassVar

from tactical.errors import UnknownName
from tactical.world.grids import Direction, Point

TIP = sqrt(0.5)
"""Middle to corner, where neighbouring middles are 1 apart."""

_ROWS = (
    Direction("se", 1, 0), Direction("sw", 0, 1), Direction("nw", -1, 0), Direction("ne", 0, -1),
    Direction("s", 1, 1, (0, 1)), Direction("w", -1, 1, (2, 1)), Direction("n", -1, -1, (2, 3)),
    Direction("e", 1, -1, (0, 3)),
)  # fmt: skip
# columns are rows with across and down exchanged
_TURNED = {"se": "se", "sw": "ne", "nw": "nw", "ne": "sw", "s": "e", "w": "n", "n": "w", "e": "s"}
_COLUMNS = tuple(Direction(_TURNED[one.name], one.di, one.dj, one.legs) for one in _ROWS)
_SIDES = ("ne", "se", "sw", "nw")
"""The sides in the order of the outline's corners, from the top one on."""


@dataclass(frozen=True)
class Staggered:
    """One of the four layouts: lines that are `upright` columns or rows, `odd` or even lines shoved."""

    name: str
    upright: bool
    odd: bool
    title: ClassVar[str] = "squares"
    sheared: ClassVar[bool] = True

    @property
    def directions(self) -> tuple[Direction, ...]:
        return _COLUMNS if self.upright else _ROWS

    def _shoved(self, line: Any) -> Any:
        # 1 for a line that lies half a cell further on
        return line & 1 if self.odd else 1 - (line & 1)

    def store(self, col: Any, row: Any) -> tuple[Any, Any]:
        place, line = (row, col) if self.upright else (col, row)
        # twice the way along the line, from a line's first middle at 0 or at half a cell
        along = 2 * place + self._shoved(line) - (0 if self.odd else 1)
        return (line + along) // 2, (line - along) // 2

    def unstore(self, i: Any, j: Any) -> tuple[Any, Any]:
        line = i + j
        place = (i - j + (0 if self.odd else 1) - self._shoved(line)) // 2
        return (line, place) if self.upright else (place, line)

    def centre(self, col: int, row: int) -> Point:
        place, line = (row, col) if self.upright else (col, row)
        along, across = TIP * (1 + 2 * place + self._shoved(line)), TIP * (1 + line)
        return (across, along) if self.upright else (along, across)

    def cell_at(self, x: float, y: float) -> tuple[int, int]:
        along, across = (y, x) if self.upright else (x, y)
        a, b = along / TIP - (1 if self.odd else 2), across / TIP - 1
        return self.unstore(floor((b + a) / 2 + 0.5), floor((b - a) / 2 + 0.5))

    def polygon(self, col: int, row: int) -> tuple[Point, ...]:
        x, y = self.centre(col, row)
        return (x, y - TIP), (x + TIP, y), (x, y + TIP), (x - TIP, y)

    def side(self, col: int, row: int, direction: str) -> tuple[Point, Point]:
        if direction not in _SIDES:
            raise UnknownName("side", direction, _SIDES)
        corners = self.polygon(col, row)
        first = _SIDES.index(direction)
        return corners[first], corners[(first + 1) % 4]

    def size(self, cols: int, rows: int) -> Point:
        places, lines = (rows, cols) if self.upright else (cols, rows)
        along = TIP * (2 * places + (1 if lines > 1 or not self.odd else 0))
        return (TIP * (lines + 1), along) if self.upright else (along, TIP * (lines + 1))

    def body(self, size: int) -> tuple[tuple[int, int], ...]:
        """As many cells along either side, the anchor at the top (of columns: at the left)."""
        return tuple((di, dj) for dj in range(size) for di in range(size))


GRIDS = tuple(
    Staggered(f"staggered-{'odd' if odd else 'even'}-{'q' if upright else 'r'}", upright, odd)
    for upright in (False, True)
    for odd in (True, False)
)
