"""Shapes: what a picture is made of, without any colour.

Every shape carries a *role* (``ground:grass``, ``band:0``, ``route``, ``refused`` …); drawers decide how a role looks.
Shapes are named tuples, since a big map has thousands.  Points are in cell units from the map's top left corner, x to
the right and y down.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeVar

from tactical.units import Cell
from tactical.world.grids import Grid, Point

Ring = tuple[Point, ...]
View = tuple[int, int, int, int]
"""A window on the map: first column, first row, and the column and row behind the last."""


class PictureWarning(UserWarning):
    """A map was drawn without its own picture, which is broken, vast or not there; the message says why."""


class Backdrop(NamedTuple):
    """The map's own picture; `read` gives the bytes of a PNG, JPEG or WebP, `pixels` is a cell's width in it.

    `offset` is where in the picture the grid begins, in its pixels.
    """

    role: str
    read: Callable[[], bytes]
    pixels: float
    offset: Point = (0.0, 0.0)


class Tile(NamedTuple):
    """The ground of one cell: `role` is ``ground:`` and a look, `signs` small marks for what the look does not show.

    `height` is its elevation in cells.
    """

    role: str
    cell: Cell
    signs: tuple[str, ...] = ()
    name: str = ""
    height: float = 0.0


class Area(NamedTuple):
    """A set of cells with its outline (outer rings clockwise, holes the other way).

    An `inverse` area is everything in the scene's view but its cells.
    """

    role: str
    cells: frozenset[Cell]
    rings: tuple[Ring, ...] = ()
    inverse: bool = False


class Stroke(NamedTuple):
    """A line: a barrier, a leg of a route, a ledge (low side to the right), a link."""

    role: str
    points: tuple[Point, ...]
    name: str = ""


class Token(NamedTuple):
    """A creature or vehicle: `role` is ``mover:`` self, friend, foe or bystander, or ``ghost``; `at` its middle."""

    role: str
    at: Point
    size: int
    name: str = ""
    posture: str = "standing"
    id: str = ""


class Chip(NamedTuple):
    """A small plate with words at a spot; `icon` names a drawing, `place` where it would like to stand."""

    role: str
    at: Point
    text: str
    icon: str = ""
    place: str = "above"


class Mark(NamedTuple):
    """A sign on a cell: corner ticks of enemy reach, hazard, refusal, the ring where a band ends."""

    role: str
    at: Point
    cell: Cell | None = None


class Text(NamedTuple):
    """Words straight on the map, such as a cell's cost."""

    role: str
    at: Point
    text: str


class Entry(NamedTuple):
    """One line of the legend: the role it explains, in words."""

    role: str
    text: str


Shape = Backdrop | Tile | Area | Stroke | Token | Chip | Mark | Text
S = TypeVar("S", Backdrop, Tile, Area, Stroke, Token, Chip, Mark, Text)


@dataclass(frozen=True)
class Scene:
    """A picture to be drawn: shapes in painting order, bottom first, and the legend that explains them.

    `view` bounds what was collected, `gaits` is the number of bands of the present turn (themes choose styles by it);
    `page` is the panel to draw beside the map (a `tactical.show.panel.Page`), if one is wanted.
    """

    grid: Grid
    cols: int
    rows: int
    view: View
    shapes: tuple[Shape, ...]
    legend: tuple[Entry, ...] = ()
    level: int = 0
    gaits: int = 2
    title: str = ""
    subtitle: str = ""
    unit: str = "ft"
    names: Mapping[str, str] = field(default_factory=dict)
    page: Any = None

    def of(self, kind: type[S]) -> Iterator[S]:
        """The shapes of one kind, bottom first."""
        return (shape for shape in self.shapes if isinstance(shape, kind))

    def role(self, prefix: str) -> tuple[Shape, ...]:
        """The shapes whose role is `prefix`, or begins with it and a colon."""
        return tuple(s for s in self.shapes if s.role == prefix or s.role.startswith(f"{prefix}:"))


def cell_shape(grid: Grid) -> Ring:
    """The corners of a cell, seen from its middle."""
    x, y = grid.centre(0, 0)
    return tuple((a - x, b - y) for a, b in grid.polygon(0, 0))


def corner_ticks(grid: Grid, size: float = 0.84, length: float = 0.24) -> tuple[Ring, ...]:
    """Short lines in the corners of a cell, seen from its middle: `size` of the cell, `length` of a side each way."""
    corners = [(x * size, y * size) for x, y in cell_shape(grid)]
    out = []
    for n, (x, y) in enumerate(corners):
        (ax, ay), (bx, by) = corners[n - 1], corners[(n + 1) % len(corners)]
        out.append(
            ((x + (ax - x) * length, y + (ay - y) * length), (x, y), (x + (bx - x) * length, y + (by - y) * length))
        )
    return tuple(out)


def outline(grid: Grid, cells: Iterable[Cell]) -> tuple[Ring, ...]:
    """The outline of a set of cells: sides that two cells share cancel out, the rest is chained to rings.

    Where two rings touch in a corner they are kept apart by turning as sharply as possible.
    """
    follow: dict[tuple[int, int], list[tuple[int, int]]] = {}
    where: dict[tuple[int, int], Point] = {}

    def key(point: Point) -> tuple[int, int]:
        # hex corners are computed from different middles and differ in the last bits
        found = round(point[0] * 4096), round(point[1] * 4096)
        where.setdefault(found, (float(point[0]), float(point[1])))
        return found

    sides: set[tuple[tuple[int, int], tuple[int, int]]] = set()
    for cell in sorted(cells):
        corners = [key(point) for point in grid.polygon(cell.col, cell.row)]
        for start, end in zip(corners, [*corners[1:], corners[0]], strict=True):
            if (end, start) in sides:
                sides.remove((end, start))
            else:
                sides.add((start, end))
    for start, end in sorted(sides):
        follow.setdefault(start, []).append(end)
    rings = []
    while follow:
        start = min(follow)
        ring = [start]
        here = follow[start].pop(0)
        if not follow[start]:
            del follow[start]
        while here != start:
            ring.append(here)
            options = follow[here]
            pick = options[0] if len(options) == 1 else _sharpest(ring[-2], here, options)
            options.remove(pick)
            if not options:
                del follow[here]
            here = pick
        rings.append(tuple(where[point] for point in _straightened(ring)))
    return tuple(rings)


def _sharpest(before: tuple[int, int], here: tuple[int, int], options: list[tuple[int, int]]) -> tuple[int, int]:
    """Of several ways on from a touching corner, the one that turns right (stays on the same cell)."""

    def right(option: tuple[int, int]) -> float:
        ax, ay = here[0] - before[0], here[1] - before[1]
        bx, by = option[0] - here[0], option[1] - here[1]
        return ax * by - ay * bx

    return max(options, key=right)


def _straightened(ring: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The ring without corners in the middle of a straight side."""
    out = []
    for n, (x, y) in enumerate(ring):
        (ax, ay), (bx, by) = ring[n - 1], ring[(n + 1) % len(ring)]
        if abs((x - ax) * (by - y) - (y - ay) * (bx - x)) > 4096:
            out.append((x, y))
    return out or ring
