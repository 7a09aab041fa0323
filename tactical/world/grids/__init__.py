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
from itertools import product
from numbers import Integral, Real
from typing import Any, Protocol, runtime_checkable

from tactical.errors import PluginError, UnknownName
from tactical.guard import Guarded, Unfit, said
from tactical.registry import GRIDS
from tactical.units import Cell
from tactical.values import Same, once

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

        self.whose, self.sound = whose, False

    def tried(self) -> None:
        """Try on a few cells, once, what holds of every grid.  Raises `PluginError`."""
        if not self.sound:
            try:
                flaw = next(flaws(self), "")
            except PluginError:
                raise
            except Exception as error:
                # what it gave back is of a kind that nothing can be asked of
                raise PluginError(f"{self.whose}: it cannot be tried: {said(error)}") from error
            if flaw:
                raise PluginError(f"{self.whose}: {flaw}")
            self.sound = True

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
    """The topology called `name`.  Raises `UnknownName`, and `PluginError` for another package's that is wrong."""
    if name not in _known():
        raise UnknownName("grid", name, _known())
    found = _known()[name]
    if isinstance(found, Foreign):
        found.tried()
    return found


def squares(grid: Grid) -> bool:
    """Whether its cells are squares in straight rows and columns, which pictures have quicker ways for."""
    return once(_SQUARES, Same(grid), lambda: grid.size(2, 2) == (2, 2) and all(_straight(grid)))


_SQUARES: dict[object, bool] = {}
"""What `squares` said, asked for every cell that is painted."""


def _straight(grid: Grid) -> Iterator[bool]:
    for col, row in ((0, 0), (1, 0), (0, 1), (1, 1)):
        yield {*grid.polygon(col, row)} == {(c, r) for c in (col, col + 1) for r in (row, row + 1)}


def neighbours(grid: Grid, cell: Cell, *, diagonal: bool = True) -> Iterator[tuple[Direction, Cell]]:
    """The cells one step away, on and off the map, in the grid's order of directions."""
    i, j = grid.store(cell.col, cell.row)
    for direction in grid.directions:
        if diagonal or not direction.diagonal:
            col, row = grid.unstore(i + direction.di, j + direction.dj)
            yield direction, Cell(col, row, cell.level)


# -- what holds of every grid -----------------------------------------------------------------------------------------
# A grid is trusted by the search, the barriers and the drawers alike, so what is wrong with one shows far from it: as a
# cell that nobody reaches, a wall that lies elsewhere, a picture that is cut.

NEAR = 1e-6
CELLS = tuple(product(range(2, 5), range(2, 5)))
"""Off the edge, so that all their neighbours lie on the map."""


def flaws(grid: Grid) -> Iterator[str]:
    """What is wrong with a grid of another package, the gravest first; nothing of a sound one."""
    yield from _stored(grid)
    yield from _directed(grid)
    for cell in CELLS:
        yield from _placed(grid, *cell)
    yield from _sized(grid)
    yield from _covered(grid)


def _whole(pair: Any) -> bool:
    return len(pair) == 2 and all(isinstance(one, Integral) and not isinstance(one, bool) for one in pair)


def _stored(grid: Grid) -> Iterator[str]:
    import numpy as np

    for col, row in CELLS:
        stored = grid.store(col, row)
        if not _whole(stored):
            yield f"store({col}, {row}) is {stored!r:.60}, not two whole numbers"
            return
        back = grid.unstore(*stored)
        if not _whole(back) or tuple(back) != (col, row):
            yield f"unstore{tuple(stored)} is {back!r:.60}, but store({col}, {row}) is {tuple(stored)}"
        if not grid.sheared and tuple(stored) != (col, row):
            yield f"it is not sheared, but store({col}, {row}) is {tuple(stored)}"
    for name in ("store", "unstore"):
        function = getattr(grid, name)
        found = function(*np.array(CELLS).T)
        each = np.array([function(*cell) for cell in CELLS]).T
        if not all(
            np.array_equal(np.broadcast_to(one, len(CELLS)), other) for one, other in zip(found, each, strict=True)
        ):
            yield f"{name} of whole arrays is not what it is of each of their cells"


def _directed(grid: Grid) -> Iterator[str]:
    ways = grid.directions
    offsets = [(way.di, way.dj) for way in ways]
    for way in ways:
        if not _whole((way.di, way.dj)) or max(abs(way.di), abs(way.dj)) != 1:
            yield f"direction {way.name!r} leads ({way.di}, {way.dj}) further, not to a neighbour: -1, 0 or 1 each"
        elif (-way.di, -way.dj) not in offsets:
            yield f"direction {way.name!r} has no opposite: none leads ({-way.di}, {-way.dj}) further"
        if way.legs is not None:
            legs = [offsets[n] for n in way.legs if n in range(len(ways)) and not ways[n].diagonal]
            if len(legs) != 2 or tuple(map(sum, zip(*legs, strict=True))) != (way.di, way.dj):
                yield f"the legs {way.legs!r} of {way.name!r} are not two straight directions that add up to it"
    for what, names in (("name", [way.name for way in ways]), ("offset", offsets)):
        if len(set(names)) < len(names):
            yield f"two of its directions have the same {what}"


def _point(found: Any) -> bool:
    return isinstance(found, tuple) and len(found) == 2 and all(isinstance(one, Real) for one in found)


def _placed(grid: Grid, col: int, row: int) -> Iterator[str]:
    import shapely

    outline, centre = grid.polygon(col, row), grid.centre(col, row)
    if len(outline) < 3 or not all(map(_point, (*outline, centre))):
        yield f"polygon({col}, {row}) or its centre is not made of points, pairs of numbers"
        return
    area = shapely.Polygon(outline)
    if not area.is_valid or not area.contains(shapely.Point(centre)):
        yield f"centre({col}, {row}) is {centre}, which does not lie inside its polygon"
    at = grid.cell_at(*centre)
    if not _whole(at) or tuple(at) != (col, row):
        yield f"cell_at{centre} is {at!r:.60}, but that is the centre of ({col}, {row})"
    for way in grid.directions:
        if not way.diagonal:
            yield from _bordered(grid, (col, row), way, area)


def _bordered(grid: Grid, cell: tuple[int, int], way: Direction, area: Any) -> Iterator[str]:
    """What is wrong with the side towards a neighbour."""
    import numpy as np
    import shapely

    i, j = grid.store(*cell)
    other = grid.unstore(i + way.di, j + way.dj)
    back = next((one.name for one in grid.directions if (one.di, one.dj) == (-way.di, -way.dj)), way.name)
    about = f"side{(*cell, way.name)}"
    try:
        side, shared = grid.side(*cell, way.name), grid.side(*other, back)
    except UnknownName as error:
        yield f"{about}: {error}"
        return
    if not all(map(_point, (*side, *shared))):
        yield f"{about} is {side!r:.60}, not two points"
        return
    if any(area.exterior.distance(shapely.Point(point)) > NEAR for point in side):
        yield f"{about} does not lie on its polygon"
    if not any(np.allclose(side, one, atol=NEAR) for one in (shared, shared[::-1])):
        yield f"{about} is {side}, and the same side of its neighbour, side{(*other, back)}, is {shared}"


def _sized(grid: Grid) -> Iterator[str]:
    import numpy as np

    for cols, rows in ((1, 1), (4, 3), (3, 4)):
        size = grid.size(cols, rows)
        if not _point(size):
            yield f"size({cols}, {rows}) is {size!r:.60}, not two numbers"
            return
        points = np.array([one for cell in product(range(cols), range(rows)) for one in grid.polygon(*cell)])
        if points.min() < -NEAR or (points > np.array(size) + NEAR).any():
            yield f"size({cols}, {rows}) is {size}, and some of the cells lie beyond"


def _covered(grid: Grid) -> Iterator[str]:
    for size in (1, 2, 3):
        cells = grid.body(size)
        if not all(_whole(one) for one in cells) or tuple(cells[0]) != (0, 0) or len(set(cells)) < len(cells):
            yield f"body({size}) is {cells!r:.60}, not pairs of whole numbers, each once, (0, 0) first"
        elif size == 1 and len(cells) > 1:
            yield f"body(1) is {cells!r:.60}, more than one cell"
