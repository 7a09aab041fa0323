"""What hosts have besides cells: pictures with a scale, tokens at pixels, walls as lines of many points, other units.

`Battlemap.from_cells`, `from_rows` and `from_segments` take most hosts' maps nearly as they are; what is here turns the
rest into them and back.  Pixels are counted as the map says (its `pixels` and `origin`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from math import floor
from typing import Any

from tactical.units import METRES, Cell, exact
from tactical.values import Place
from tactical.world.battlemap import Battlemap
from tactical.world.edges.barriers import Barrier
from tactical.world.grids import Point, get_grid
from tactical.world.mover import Mover
from tactical.world.terrain import Terrain

Segment = tuple[float, float, float, float]
NEARLY = 1e-9
"""So much of a cell may be missing at the edge of a picture: pixels are no exact numbers."""


def from_picture(
    width_px: float,
    height_px: float,
    *,
    cell_px: float,
    origin: Point = (0.0, 0.0),
    grid: str = "square",
    **more: Any,
) -> Battlemap:
    """An open map over a picture: as many whole cells of `cell_px` pixels as fit, the first at `origin`.

    `more` goes to `Battlemap.from_cells`.  Raises `ValueError` for a picture in which no cell fits.
    """
    if not cell_px > 0:
        raise ValueError(f"a cell has more than 0 pixels, not {cell_px!r}")
    wide, high = (width_px - origin[0]) / cell_px + NEARLY, (height_px - origin[1]) / cell_px + NEARLY
    shape = get_grid(grid)
    cols, rows = floor(wide) + 1, floor(high) + 1
    # rows of hexes lie closer than a cell, and staggered ones need half a cell more
    while rows > 0 and shape.size(1, rows + 1)[1] <= high:
        rows += 1
    while cols > 0 and shape.size(cols + 1, 1)[0] <= wide:
        cols += 1
    while cols > 0 and shape.size(cols, max(rows, 1))[0] > wide:
        cols -= 1
    while rows > 0 and shape.size(max(cols, 1), rows)[1] > high:
        rows -= 1
    if cols < 1 or rows < 1:
        raise ValueError(f"no cell of {cell_px:g} pixels fits into {width_px:g} x {height_px:g} pixels")
    return Battlemap.from_cells(cols, rows, grid=grid, pixels=cell_px, origin=origin, **more)


def segments(points: Sequence[Point], *, closed: bool = False) -> Iterator[Segment]:
    """The wall segments of a line of many points, as `Battlemap.from_segments` takes them."""
    ends = [*points[1:], points[0]] if closed else points[1:]
    for (x0, y0), (x1, y1) in zip(points, ends, strict=False):
        yield x0, y0, x1, y1


def seat(battlemap: Battlemap, tokens: Iterable[Mapping[str, Any]]) -> Battlemap:
    """The map with tokens as movers.

    A token is a mapping of ``id``, the pixel ``x`` and ``y`` of its middle, and any other field of a `Mover` (``size``
    in cells, ``side``, ``stats`` …).  Raises `ValueError` for one whose middle is off the map.
    """
    seated = []
    for token in tokens:
        fields = {key: value for key, value in token.items() if key not in ("x", "y")}
        mover = Mover(**fields)
        cell = anchor(battlemap, float(token["x"]), float(token["y"]), mover.size)
        if cell is None:
            raise ValueError(f"token {mover.id!r} is off the map at ({token['x']}, {token['y']})")
        seated.append(replace(mover, at=cell))
    return battlemap.with_(movers=[*battlemap.movers, *seated])


def anchor(battlemap: Battlemap, x_px: float, y_px: float, size: int = 1, level: int = 0) -> Cell | None:
    """The cell of a body whose middle is at a pixel, None off the map: where a dropped token of that size stands."""
    found = battlemap.cell_at(x_px, y_px, level=level)
    if found is None or size == 1:
        return found
    # of the places near the pixel, the one whose body has its middle closest
    near = [
        Cell(found.col + col, found.row + row, level)
        for col in range(-size, 2)
        for row in range(-size, 2)
        if Cell(found.col + col, found.row + row, level) in battlemap
    ]

    def away(cell: Cell) -> tuple[float, Cell]:
        x, y = middle(battlemap, cell, size)
        return round((x - x_px) ** 2 + (y - y_px) ** 2, 6), cell

    return min(near, key=away)


def middle(battlemap: Battlemap, at: Place, size: int = 1) -> Point:
    """The pixel of the middle of a body at a cell: where a host draws its token."""
    points = [battlemap.centre(cell) for cell in battlemap.body(at, size)]
    return sum(x for x, _ in points) / len(points), sum(y for _, y in points) / len(points)


def in_unit(battlemap: Battlemap, unit: str) -> Battlemap:
    """The map measured in `unit`: cells, heights and flat prices; the same map where that is its unit already.

    A unit that is neither feet nor metres is taken as it is: nobody knows how long it is.
    """
    if battlemap.unit == unit or battlemap.unit not in METRES or unit not in METRES:
        return battlemap
    factor = METRES[battlemap.unit] / METRES[unit]
    return replace(
        battlemap,
        unit=unit,
        cell=battlemap.cell * factor,
        palette=tuple(_ground(terrain, factor) for terrain in battlemap.palette),
        levels=tuple(replace(level, height=level.height * factor) for level in battlemap.levels),
        barriers=tuple(_barrier(barrier, factor) for barrier in battlemap.barriers),
        links=tuple(replace(link, cost=link.cost * factor) for link in battlemap.links),
        zones=tuple(replace(zone, facts=_facts(zone.facts, factor)) for zone in battlemap.zones),
    )


def _ground(terrain: Terrain, factor: Fraction) -> Terrain:
    return replace(terrain, elevation=terrain.elevation * factor) if terrain.elevation else terrain


def _barrier(barrier: Barrier, factor: Fraction) -> Barrier:
    lengths = {name: getattr(barrier, name) for name in ("cost", "bottom", "top")}
    scaled = {name: value * factor for name, value in lengths.items() if value is not None}
    return replace(barrier, **scaled) if scaled else barrier


def _facts(facts: Mapping[str, object], factor: Fraction) -> Mapping[str, object]:
    if "elevation" not in facts:
        return facts
    return {**facts, "elevation": exact(facts["elevation"]) * factor}
