"""Topologies: what a cell's neighbours, sides and middle are.

A `Grid` maps cells to *storage* coordinates in which every direction is one constant offset ``(di, dj)``, the same for
all cells; that is what lets the search use plain array shifts on squares and hexes alike.  On squares storage equals
(column, row); hex grids are `sheared`: their rows (or columns) are shifted against each other.  `title` is the plural
of a cell (``squares``).  Lengths are in cell units: neighbouring middles of a straight step are 1 apart.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any, Protocol, runtime_checkable

from tactical.errors import UnknownName
from tactical.registry import GRIDS
from tactical.units import Cell

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Direction:
    """One way to leave a cell.  `legs` are the two straight directions a diagonal is made of, by index."""

    name: str
    di: int
    dj: int
    legs: tuple[int, int] | None = None

    @property
    def diagonal(self) -> bool:
        """True for a step across a corner."""
        return self.legs is not None


@runtime_checkable
class Grid(Protocol):
    """A topology.  `store` and `unstore` also take numpy integer arrays."""

    name: str
    title: str
    sheared: bool
    directions: tuple[Direction, ...]

    def store(self, col: Any, row: Any) -> tuple[Any, Any]:
        """Storage coordinates (i, j) of a cell; may be negative."""

    def unstore(self, i: Any, j: Any) -> tuple[Any, Any]:
        """The inverse of `store`."""

    def centre(self, col: int, row: int) -> Point:
        """Middle of a cell in cell units from the map's top left corner."""

    def cell_at(self, x: float, y: float) -> tuple[int, int]:
        """The (column, row) that holds a point; may lie off the map."""

    def polygon(self, col: int, row: int) -> tuple[Point, ...]:
        """The cell's outline, clockwise."""

    def side(self, col: int, row: int, direction: str) -> tuple[Point, Point]:
        """The side of a cell towards a straight direction.  Raises `UnknownName`."""

    def size(self, cols: int, rows: int) -> Point:
        """Width and height of a whole map in cell units."""

    def body(self, size: int) -> tuple[tuple[int, int], ...]:
        """Storage offsets (di, dj) of the cells that a body of that size covers, its anchor first."""


@cache
def _known() -> dict[str, Grid]:
    return {grid.name: grid for _, grids in GRIDS for grid in grids}


def grid_names() -> tuple[str, ...]:
    """Names of all known topologies."""
    return tuple(_known())


def get_grid(name: str) -> Grid:
    """The topology called `name`.  Raises `UnknownName`."""
    if name not in _known():
        raise UnknownName("grid", name, _known())
    return _known()[name]


def neighbours(grid: Grid, cell: Cell, *, diagonal: bool = True) -> Iterator[tuple[Direction, Cell]]:
    """The cells one step away, on and off the map, in the grid's order of directions."""
    i, j = grid.store(cell.col, cell.row)
    for direction in grid.directions:
        if diagonal or not direction.diagonal:
            col, row = grid.unstore(i + direction.di, j + direction.dj)
            yield direction, Cell(col, row, cell.level)
