"""Topologies: what a cell's neighbours, sides and middle are.

A `Grid` maps cells to *storage* coordinates in which every direction is one constant offset ``(di, dj)``, the same for
all cells; that is what lets the search use plain array shifts on squares and hexes alike.  On squares storage equals
(column, row); hex grids are `sheared`: their rows (or columns) are shifted against each other.  `title` is the plural
of a cell (``squares``).  Lengths are in cell units: neighbouring middles of a straight step are 1 apart.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any, Protocol, runtime_checkable

from tactical.errors import PluginError, UnknownName
from tactical.guard import Guarded, Unfit
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


def _pair(found: Any, by: Guarded) -> Any:
    if not isinstance(found, tuple) or len(found) != 2:
        raise Unfit(f"{found!r:.60} is not a pair")
    return found


def _several(found: Any, by: Guarded) -> Any:
    if not isinstance(found, tuple) or not found:
        raise Unfit(f"{found!r:.60} is not a tuple of pairs")
    return found


JUDGES: dict[str, Callable[[Any, Guarded], Any]] = {
    "store": _pair, "unstore": _pair, "centre": _pair, "cell_at": _pair, "polygon": _several, "side": _pair,
    "size": _pair, "body": _several,
}  # fmt: skip


class Foreign:
    """A grid of another package's: what it says of itself looked at once, its functions under guard.

    Those of this package are asked for every cell and go without.  Raises `PluginError`.
    """

    store: Callable[[Any, Any], tuple[Any, Any]]
    unstore: Callable[[Any, Any], tuple[Any, Any]]
    centre: Callable[[int, int], Point]
    cell_at: Callable[[float, float], tuple[int, int]]
    polygon: Callable[[int, int], tuple[Point, ...]]
    side: Callable[[int, int, str], tuple[Point, Point]]
    size: Callable[[int, int], Point]
    body: Callable[[int], tuple[tuple[int, int], ...]]

    def __init__(self, grid: Grid) -> None:
        self.name, self.title, self.sheared, self.directions = grid.name, grid.title, grid.sheared, grid.directions
        whose = f"the grid {grid.name!r} ({type(grid).__module__})"
        if not isinstance(self.name, str) or not isinstance(self.title, str):
            raise PluginError(f"{whose}: name and title must be texts")
        if not self.directions or not all(isinstance(one, Direction) for one in self.directions):
            raise PluginError(f"{whose}: directions are {self.directions!r:.60}, not a tuple of Direction objects")
        for name, judge in JUDGES.items():
            setattr(self, name, Guarded(getattr(grid, name), whose, name, judge, (UnknownName,)))

    def __repr__(self) -> str:
        return f"<the grid {self.name!r}>"


@cache
def _known() -> dict[str, Grid]:
    entries = list(GRIDS)
    known: dict[str, Grid] = {grid.name: grid for file, grids in entries if GRIDS.ships(file) for grid in grids}
    for file, grids in entries:
        for grid in () if GRIDS.ships(file) else grids:
            try:
                known.setdefault(grid.name, Foreign(grid))
            except PluginError as error:
                warnings.warn(f"left out: {error}", RuntimeWarning, stacklevel=3)
    return known


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
