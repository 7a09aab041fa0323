"""The layout of a battle map: its parts, and what they are asked for: cells and their names, ground, bodies, doors."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from typing import Literal

from tactical import values
from tactical.errors import UnknownName
from tactical.units import Cell, cell_name, parse_cell
from tactical.values import Place
from tactical.world.edges.baking import Baking, Box, Crossings
from tactical.world.edges.barriers import Barrier, DoorState, Kind
from tactical.world.grids import Grid, Point, get_grid
from tactical.world.mover import Mover
from tactical.world.parts import MOST_TERRAINS, Level, Link, Picture, Zone, width
from tactical.world.store import Company, Store
from tactical.world.terrain import PLAIN, Terrain


@dataclass(frozen=True, eq=False, repr=False)
class Layout:
    """The parts of a map, checked, with names read as cells.  A `tactical.Battlemap` is one that can be changed."""

    levels: tuple[Level, ...]
    palette: tuple[Terrain, ...] = (PLAIN,)
    grid: Grid = field(default_factory=lambda: get_grid("square"))
    cell: Fraction = Fraction(5)
    unit: str = "ft"
    barriers: tuple[Barrier, ...] = ()
    links: tuple[Link, ...] = ()
    zones: tuple[Zone, ...] = ()
    movers: tuple[Mover, ...] = ()
    rules: str = ""
    options: Mapping[str, object] = field(default_factory=dict)
    name: str = ""
    glyphs: Mapping[str, int] = field(default_factory=dict)
    picture: Picture | None = None
    source: str = ""
    pixels: float | None = None
    origin: Point = (0.0, 0.0)
    _baked: Baking | None = field(default=None, repr=False, kw_only=True)
    _store: Store | None = field(default=None, repr=False, kw_only=True)

    def __post_init__(self) -> None:
        settle = object.__setattr__
        for name, kind in _PARTS.items():
            settle(self, name, values.all_of(kind, getattr(self, name), name))
        if not self.levels:
            raise ValueError("a map has at least one level")
        if not 0 < len(self.palette) <= MOST_TERRAINS:
            raise ValueError(f"a map's palette has 1 to {MOST_TERRAINS} terrains, not {len(self.palette)}")
        for level in self.levels:
            if level.highest >= len(self.palette):
                words = f"level {level.name!r}: there is no terrain number {level.highest}"
                raise ValueError(f"{words}, the palette has {len(self.palette)}")
        if not isinstance(self.grid, Grid):
            raise TypeError(f"grid must be a grid such as get_grid('square'), not {self.grid!r}")
        settle(self, "cell", values.length(self.cell, "a cell"))
        for name in ("unit", "rules", "name"):
            values.word(getattr(self, name), name)
        # where it was read from is as its file is called
        if not isinstance(self.source, str):
            raise TypeError(f"source must be a text, not {self.source!r}")
        settle(self, "options", values.fixed(self.options, "options"))
        settle(self, "glyphs", values.fixed(self.glyphs, "glyphs"))
        if self.pixels is not None:
            width(self.pixels, "pixels")
        settle(self, "origin", values.point(self.origin, "origin"))
        self._read_names()
        # a copy with other segments, or another grid below them, must not go by what was baked for the old ones
        if self._baked is None or not self._baked.fits(self.grid, self.cols, self.rows, self.barriers):
            settle(self, "_baked", Baking(self.grid, self.cols, self.rows, self.barriers))
        parts = tuple(getattr(self, name) for name in _GROUND)
        if self._store is None or not self._store.fits(parts):
            settle(self, "_store", Store(parts))

    def _read_names(self) -> None:
        """Put cells in place of the names that movers, links and zones were given without a map."""
        settle = object.__setattr__
        if any(isinstance(mover.at, str) for mover in self.movers):
            settle(self, "movers", tuple(map(self.seated, self.movers)))
        if any(isinstance(end, str) for link in self.links for end in (link.start, link.end)):
            ends = [(self.cell_of(link.start), self.cell_of(link.end)) for link in self.links]
            links = zip(self.links, ends, strict=True)
            settle(self, "links", tuple(replace(link, start=start, end=end) for link, (start, end) in links))
        if any(zone._named for zone in self.zones):
            zones = (replace(zone, cells=map(self.cell_of, zone.cells)) for zone in self.zones)  # type: ignore[arg-type]
            settle(self, "zones", tuple(zones))

    # -- asking it --------------------------------------------------------------------------------------------------

    @property
    def cols(self) -> int:
        """Number of columns."""
        return int(self.levels[0].ground.shape[1])

    @property
    def rows(self) -> int:
        """Number of rows."""
        return int(self.levels[0].ground.shape[0])

    @cached_property
    def level_names(self) -> tuple[str, ...]:
        """The names of the levels, in order."""
        return tuple(level.name for level in self.levels)

    def __contains__(self, cell: Place) -> bool:
        if not isinstance(cell, Cell):
            cell = self.cell_of(cell)
        # asked at every question
        rows, cols = self.levels[0].ground.shape
        return 0 <= cell.col < cols and 0 <= cell.row < rows and 0 <= cell.level < len(self.levels)

    def terrain(self, cell: Place) -> Terrain:
        """The ground of a cell, zones not counted.  Raises `ValueError` off the map."""
        cell = cell if isinstance(cell, Cell) else self.cell_of(cell)
        if cell not in self:
            raise ValueError(f"{cell_name(cell)} is not on the map ({self.cols} x {self.rows} cells)")
        return self.palette[int(self.levels[cell.level].ground[cell.row, cell.col])]

    def cell_named(self, text: str) -> Cell:
        """The cell called `text` (``C4``, ``upper/C4``, ``2,3``).  Raises `ValueError` if unreadable or off the map."""
        cell = parse_cell(text, self.level_names)
        if cell not in self:
            last = cell_name(Cell(self.cols - 1, self.rows - 1))
            raise ValueError(f"{text!r} is not on the map: cells run from A1 to {last}")
        return cell

    def cell_of(self, place: Place, what: str = "a cell") -> Cell:
        """The cell that is meant by ``"C4"``, ``"upper/C4"``, ``(2, 3)`` or a `Cell`, on the map or off it.

        Whatever of this package takes a cell takes all of these.  Raises `ValueError`, naming `what` it is, for a text
        that names no cell or level, `TypeError` for what is none of these.
        """
        return values.cell(place, what, self.level_names)

    def seated(self, mover: Mover) -> Mover:
        """A mover whose place is a cell of this map, by whatever name it was given.  Raises `ValueError`."""
        if not isinstance(mover.at, str):
            return mover
        return replace(mover, at=self.cell_of(mover.at, f"{mover.id}: at"))

    def name_of(self, cell: Place) -> str:
        """``C4``, or ``upper/C4`` on a map of several levels."""
        return cell_name(cell if isinstance(cell, Cell) else self.cell_of(cell), self.level_names)

    def door_name(self, index: int) -> str:
        """What the barrier with this index is called in words and orders: its id, else ``door 3``."""
        return self.barriers[index].id or f"door {index}"

    def cell_at(self, x_px: float, y_px: float, *, pixels: float | None = None, level: int = 0) -> Cell | None:
        """The cell under a pixel, or None where the pixel is off the map.

        Pixels are counted as the map says (`pixels` and `origin`, else its picture, else one a cell), or as on a
        drawing of `pixels` a cell that begins at the map's corner.
        """
        scale, (left, top) = self._scale(pixels)
        x, y = values.point((x_px, y_px), "a pixel")
        found = Cell(*self.grid.cell_at((x - left) / scale, (y - top) / scale), level)
        return found if found in self else None

    def centre(self, cell: Place, *, pixels: float | None = None) -> Point:
        """The middle of a cell in pixels, counted as by `cell_at`; the cell need not be on the map."""
        scale, (left, top) = self._scale(pixels)
        place = self.cell_of(cell)
        x, y = self.grid.centre(place.col, place.row)
        return left + x * scale, top + y * scale

    def _scale(self, pixels: float | None) -> tuple[float, Point]:
        if pixels is not None:
            return width(pixels, "pixels"), (0.0, 0.0)
        if self.pixels is not None:
            return self.pixels, self.origin
        return (self.picture.pixels, self.picture.offset) if self.picture else (1.0, self.origin)

    def body(self, at: Place, size: int) -> tuple[Cell, ...]:
        """The cells, on the map or off it, that a body covers whose anchor is on `at`, the anchor first."""
        at = at if isinstance(at, Cell) else self.cell_of(at)
        i, j = self.grid.store(at.col, at.row)
        return tuple(Cell(*self.grid.unstore(i + di, j + dj), at.level) for di, dj in self.grid.body(size))

    def mover(self, mover_id: str) -> Mover:
        """The mover with that id.  Raises `UnknownName`."""
        for mover in self.movers:
            if mover.id == mover_id:
                return mover
        raise UnknownName("mover", mover_id, self.open_names("mover"))

    def open_names(self, kind: Literal["mover", "door"]) -> list[str]:
        """The ids that an error may offer to anybody: those of hidden movers and secret doors are not among them."""
        if kind == "mover":
            return [mover.id for mover in self.movers if not mover.hidden]
        doors = (one for one in self.barriers if one.kind is Kind.DOOR and one.state is not DoorState.SECRET)
        return sorted({one.id for one in doors if one.id})

    @cached_property
    def company(self) -> Company:
        """The movers as a whole: which of them stand anywhere, and where."""
        return Company(self.movers, self.grid)

    def crossings(self, level: int, box: Box | None = None) -> Crossings | None:
        """Which steps of a level meet barriers, at least those out of a `box`; shared by maps of the same segments."""
        baked: Baking = self._baked  # type: ignore[assignment]
        return baked.within(level, box) if box else baked.level(level)

    @property
    def store(self) -> Store:
        """What was worked out about the ground and is kept; shared by all maps that differ in nothing but movers."""
        return self._store  # type: ignore[return-value]


_PARTS: dict[str, type] = {
    "levels": Level, "palette": Terrain, "barriers": Barrier, "links": Link, "zones": Zone, "movers": Mover,
}  # fmt: skip
_GROUND = ("levels", "palette", "grid", "cell", "unit", "barriers", "links", "zones")
"""The fields that what is kept in a map's `store` is made of."""
