"""What a battle map is put together from: levels, links, zones and its picture.  All are checked when made.

Maps from plain values too: rows of glyphs, and wall segments in pixels.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypedDict

import numpy as np

from tactical import values
from tactical.units import Cell
from tactical.values import Place
from tactical.world.edges.baking import distinct
from tactical.world.edges.barriers import Barrier, Kind
from tactical.world.grids import Point
from tactical.world.pictures import flaw_of
from tactical.world.terrain import PLAIN, Terrain

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from tactical.world.grids import Grid
    from tactical.world.mover import Mover

    Ground = NDArray[np.uint16]

Rows = Sequence[str] | Mapping[str, Sequence[str]]
MOST_TERRAINS = 65536


@dataclass(frozen=True, eq=False)
class Level:
    """One floor: `ground` holds, per row and column, the index of a terrain in the map's palette.

    The ground is copied and cannot be written to.  Raises `ValueError` for one that is not rows of whole numbers from 0
    to 65535.
    """

    name: str
    ground: Ground
    height: Fraction = Fraction(0)

    if TYPE_CHECKING:

        def __init__(self, name: str, ground: ArrayLike, height: values.Number = ...) -> None: ...

    def __post_init__(self) -> None:
        values.word(self.name, "a level's name")
        object.__setattr__(self, "ground", _ground(self.ground, self.name))
        object.__setattr__(self, "height", values.measure(self.height, f"level {self.name!r}: height"))

    @cached_property
    def highest(self) -> int:
        """The largest terrain index of the floor."""
        return int(self.ground.max())

    def __eq__(self, other: object) -> bool:
        """The same name, height and numbers of terrain."""
        if not isinstance(other, Level):
            return NotImplemented
        plain = (self.name, self.height) == (other.name, other.height)
        return plain and np.array_equal(self.ground, other.ground)

    def __hash__(self) -> int:
        return hash((self.name, self.height, self.ground.shape))

    def __reduce__(self) -> tuple[type[Level], tuple[str, Ground, Fraction]]:
        # numpy forgets on the way that an array cannot be written to
        return Level, (self.name, self.ground, self.height)


def _ground(given: ArrayLike, name: str) -> Ground:
    try:
        ground = np.asarray(given)
    except ValueError as error:
        raise ValueError(f"level {name!r}: the rows of its ground are not equally long") from error
    if ground.ndim != 2 or not ground.size or ground.dtype.kind not in "iu":
        raise ValueError(f"level {name!r}: its ground must be rows of whole numbers, at least one cell")
    if ground.dtype != np.uint16 and not (ground.min() >= 0 and ground.max() < MOST_TERRAINS):
        raise ValueError(f"level {name!r}: numbers of terrain are 0 to {MOST_TERRAINS - 1}")
    if ground.dtype != np.uint16 or ground.flags.writeable or ground.base is not None:
        ground = ground.astype(np.uint16)
        ground.setflags(write=False)
    return ground


@dataclass(frozen=True, slots=True)
class Link:
    """A connection between far cells: stairs, ladder, lift, teleporter.  `cost` is a flat price in the map's unit.

    Its ends may be given by name; one on a named level (``"upper/C4"``) is read when a map is made with it.

    Raises `ValueError` for a cost that is no number or less than 0, `TypeError` for ends that are no cells.
    """

    start: Cell
    end: Cell
    cost: Fraction = Fraction(0)
    kind: str = "stairs"
    two_way: bool = True
    id: str = ""

    if TYPE_CHECKING:

        def __init__(
            self,
            start: Place,
            end: Place,
            cost: values.Number = ...,
            kind: str = ...,
            two_way: bool = ...,
            id: str = ...,
        ) -> None: ...

    def __post_init__(self) -> None:
        settle = object.__setattr__
        settle(self, "start", values.cell_or_name(self.start, "a link's start"))
        settle(self, "end", values.cell_or_name(self.end, "a link's end"))
        settle(self, "cost", values.measure(self.cost, "a link's cost", least=0))
        values.word(self.kind, "a link's kind")
        values.word(self.id, "a link's id")
        if not isinstance(self.two_way, bool):
            raise TypeError(f"two_way is True or False, not {self.two_way!r}")


@dataclass(frozen=True, slots=True)
class Zone:
    """Facts laid over some cells.  A zone whose `source` is the mover itself does not affect that mover.

    Raises `ValueError` for a fact nobody knows or a value out of place, `TypeError` for cells that are none.
    """

    cells: frozenset[Cell]
    facts: Mapping[str, object] = field(default_factory=dict)
    source: str = ""
    _named: bool = field(default=False, init=False, repr=False, compare=False)
    """Whether some cells are names that only a map can read."""

    if TYPE_CHECKING:

        def __init__(self, cells: Iterable[Place], facts: Mapping[str, object] = ..., source: str = ...) -> None: ...

    def __post_init__(self) -> None:
        object.__setattr__(self, "cells", frozenset(values.cells_or_names(self.cells, "a zone's cells")))
        object.__setattr__(self, "_named", any(isinstance(one, str) for one in self.cells))
        object.__setattr__(self, "facts", values.fixed(self.facts, "a zone's facts"))
        PLAIN.with_facts({name: value for name, value in self.facts.items() if name != "terrain"})
        values.word(self.source, "a zone's source")
        values.word(str(self.facts.get("terrain", "")), "a zone's terrain")


@dataclass(frozen=True, slots=True)
class Picture:
    """The map's own picture: `read` decodes nothing until called; `pixels` is the width of a cell in the picture.

    `offset` is where in the picture the grid begins, in its pixels.  `read` raises `OSError` where there is nothing to
    read.  Raises `ValueError` or `TypeError` for a width that is no positive number, or an offset that is no point.
    """

    read: Callable[[], bytes]
    pixels: float
    offset: Point = (0.0, 0.0)
    kind: str = ""
    _flaw: list[str] = field(default_factory=list, init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        width(self.pixels, "a picture's pixels")
        object.__setattr__(self, "offset", values.point(self.offset, "a picture's offset"))

    @property
    def flaw(self) -> str:
        """Why the picture cannot be drawn, in words; empty for a good one.  It is read for this, once, not decoded."""
        if not self._flaw:
            try:
                self._flaw.append(flaw_of(self.read(), self.pixels))
            except OSError as error:
                self._flaw.append(error.strerror or str(error))
        return self._flaw[0]


class SomeParts(TypedDict, total=False):
    """What a map may be given besides its ground, its walls and who stands on it."""

    links: Iterable[Link]
    zones: Iterable[Zone]
    rules: str
    options: Mapping[str, object]
    name: str
    picture: Picture | None
    source: str


class MapParts(SomeParts, total=False):
    """What a map may be given besides its ground, where it is made."""

    barriers: Iterable[Barrier]
    movers: Iterable[Mover]
    pixels: float | None
    origin: Point


class SegmentParts(SomeParts, total=False):
    """What a map of wall segments, which has its walls and its scale, may be given besides."""

    movers: Iterable[Mover]


class ChangedParts(SomeParts, total=False):
    """What of a map may be changed besides its doors, terrain, barriers and movers."""

    levels: Iterable[Level]
    palette: Iterable[Terrain]
    grid: Grid
    cell: values.Number
    unit: str
    glyphs: Mapping[str, int]
    pixels: float | None
    origin: Point


def width(pixels: object, what: str) -> float:
    """The width of a cell in pixels: a positive finite number.  Raises `ValueError` or `TypeError`."""
    found = values.coordinate(pixels, what)
    if found <= 0:
        raise ValueError(f"{what} must be more than 0, not {pixels!r}")
    return found


# -- from plain values


def drawn(
    rows: Rows, legend: Mapping[str, Mapping[str, object]]
) -> tuple[tuple[Level, ...], tuple[Terrain, ...], dict[str, int]]:
    """Levels, palette and glyphs of a map drawn with one glyph a cell.

    Raises `TypeError` for rows that are no list of texts, `ValueError` for ragged or empty ones, an unknown glyph or an
    unknown fact.
    """
    floors = rows if isinstance(rows, Mapping) else {"ground": rows}
    if not floors:
        raise ValueError("a map has at least one level")
    facts: dict[str, Mapping[str, object]] = {".": {}, "#": {"terrain": "rock", "impassable": True}}
    facts.update(legend)
    palette = [PLAIN]
    glyphs: dict[str, int] = {}
    levels = []
    shape: tuple[int, int] | None = None
    for name, floor in floors.items():
        if isinstance(floor, (str, bytes)):
            raise TypeError(f"level {name!r}: rows is a list of texts, one a row, not one text {floor!r}")
        lines = values.words(floor, f"level {name!r}: rows")
        shape = shape or (len(lines), len(lines[0]) if lines else 0)
        if len(lines) != shape[0] or not lines:
            raise ValueError(f"level {name!r} has {len(lines)} rows, expected {shape[0] or 'at least one'}")
        if not shape[1]:
            raise ValueError(f"row 1 of level {name!r} has no cells")
        ground = np.zeros(shape, dtype=np.uint16)
        for r, row in enumerate(lines):
            if len(row) != shape[1]:
                raise ValueError(f"row {r + 1} of level {name!r} has {len(row)} cells, expected {shape[1]}")
            for c, glyph in enumerate(row):
                if glyph not in glyphs:
                    if glyph not in facts:
                        raise ValueError(f"unknown glyph {glyph!r} in row {r + 1}, column {c + 1}")
                    terrain = Terrain.of(facts[glyph])
                    if terrain not in palette:
                        palette.append(terrain)
                    glyphs[glyph] = palette.index(terrain)
                ground[r, c] = glyphs[glyph]
        levels.append(Level(name, ground))
    return tuple(levels), tuple(palette), glyphs


def walled(
    walls: Iterable[Sequence[float]],
    doors: Iterable[Sequence[float] | Mapping[str, object]],
    pixels: float,
    origin: Point,
) -> tuple[Barrier, ...]:
    """Barriers from segments ``(x0, y0, x1, y1)`` in pixels; a door may be a mapping with ``line`` and other fields."""

    def line(points: Any, what: str) -> tuple[Point, Point]:
        try:
            x0, y0, x1, y1 = points
        except (TypeError, ValueError):
            raise TypeError(f"{what} is four numbers (x0, y0, x1, y1), not {points!r}") from None
        (x0, y0), (x1, y1) = values.point((x0, y0), what), values.point((x1, y1), what)
        ox, oy = origin
        return ((x0 - ox) / pixels, (y0 - oy) / pixels), ((x1 - ox) / pixels, (y1 - oy) / pixels)

    barriers = [Barrier(line(wall, f"walls[{n}]")) for n, wall in enumerate(walls)]
    for n, door in enumerate(doors):
        fields: dict[str, Any] = dict(door) if isinstance(door, Mapping) else {"line": door}
        if "line" not in fields:
            raise ValueError(f"doors[{n}] has no 'line'")
        barriers.append(Barrier(line(fields.pop("line"), f"doors[{n}]"), **{"kind": Kind.DOOR, **fields}))
    return tuple(barriers)


def doors_set(barriers: Iterable[Barrier], doors: Mapping[str, str]) -> tuple[Barrier, ...]:
    """Barriers with doors in other states, by their ids."""
    return tuple(
        replace(barrier, state=doors[barrier.id])  # type: ignore[arg-type]
        if barrier.kind is Kind.DOOR and barrier.id in doors
        else barrier
        for barrier in barriers
    )


def painted(
    levels: Sequence[Level], palette: Sequence[Terrain], ground: Iterable[tuple[Cell, Terrain]]
) -> dict[str, Any]:
    """Palette and levels with another ground in some cells."""
    palette, index = list(palette), {known: n for n, known in enumerate(palette)}
    grounds = {n: level.ground for n, level in enumerate(levels)}
    fresh: set[int] = set()
    for cell, changed in ground:
        if changed not in index:
            index[changed] = len(palette)
            palette.append(changed)
        if cell.level not in fresh:
            grounds[cell.level] = grounds[cell.level].copy()
            fresh.add(cell.level)
        grounds[cell.level][cell.row, cell.col] = index[changed]
    changed_levels = tuple(replace(level, ground=grounds[n]) for n, level in enumerate(levels))
    return {"palette": tuple(palette), "levels": changed_levels}


def same_ground(a: Ground, a_palette: Sequence[Terrain], b: Ground, b_palette: Sequence[Terrain]) -> bool:
    """Whether two grounds of one shape are alike cell by cell, whatever the order of their palettes."""
    pairs = distinct(a.astype(np.int64) * 65536 + b)
    return all(a_palette[int(pair) >> 16] == b_palette[int(pair) & 65535] for pair in pairs)
