"""Sides of cells and barriers under the pointer.  Knows no pygame; points are in cells."""

from __future__ import annotations

from collections.abc import Mapping
from math import hypot

from tactical.units import Cell
from tactical.world.edges.barriers import Barrier
from tactical.world.grids import Grid, Point

Line = tuple[Point, Point]

NEAR = 0.35
"""How far from a side the pointer may be, in cells."""
CORNER = 0.2
"""The part of a side at either end where another side may be meant."""


def along(line: Line, point: Point) -> tuple[float, float]:
    """How far a point is from a line, and where along it, from 0 to 1, it comes nearest."""
    (x0, y0), (x1, y1) = line
    dx, dy = x1 - x0, y1 - y0
    share = max(0.0, min(1.0, ((point[0] - x0) * dx + (point[1] - y0) * dy) / (dx * dx + dy * dy or 1.0)))
    return hypot(x0 + share * dx - point[0], y0 + share * dy - point[1]), share


def side_at(grid: Grid, cell: Cell, point: Point) -> Line | None:
    """The side of a cell that is meant by a point; None near its middle, and near a corner."""
    corners = grid.polygon(cell.col, cell.row)
    sides = list(zip(corners, (*corners[1:], corners[0]), strict=True))
    line = min(sides, key=lambda side: along(side, point)[0])
    away, share = along(line, point)
    return line if away <= NEAR and CORNER <= share <= 1 - CORNER else None


def barrier_at(barriers: Mapping[int, Barrier], point: Point, level: int) -> int | None:
    """The key of the barrier that is nearest to a point; None where none is near."""
    away = {n: along(one.line, point)[0] for n, one in barriers.items() if one.level == level}
    nearest = min(away, key=lambda n: away[n], default=None)
    return nearest if nearest is not None and away[nearest] <= NEAR else None
