"""The battle map: grid, terrain, barriers, links, zones and the movers that stand on it; immutable.

A changed door, terrain or mover gives a new map that shares everything else, the baked crossings included.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from tactical.errors import Fault, UnknownName
from tactical.units import Cell, cell_name, exact, parse_cell
from tactical.world.barriers import Barrier, Crossings, DoorState, Kind, bake
from tactical.world.grids import Grid, get_grid
from tactical.world.mover import Mover
from tactical.world.terrain import PLAIN, Terrain

if TYPE_CHECKING:
    from numpy.typing import NDArray


    Ground = NDArray[np.uint16]




@dataclass(frozen=True)
class Level:
    """One floor: `ground` holds, per row and column, the index of a terrain in the map's palette."""

    name: str
    ground: Ground
    height: Fraction = Fraction(0)


@dataclass(frozen=True, slots=True)
class Link:
    """A connection between far cells: stairs, ladder, lift, teleporter.  `cost` is a flat price in the map's unit."""

    start: Cell
    end: Cell
    cost: Fraction = Fraction(0)
    kind: str = "stairs"
    two_way: bool = True
    id: str = ""


@dataclass(frozen=True, slots=True)
class Zone:
    """Facts laid over some cells.  A zone whose `source` is the mover itself does not affect that mover."""

    cells: frozenset[Cell]
    facts: Mapping[str, object] = field(default_factory=dict)
    source: str = ""


@dataclass(frozen=True, slots=True)
class Picture:
    """The map's own picture: `read` decodes nothing until called; `pixels` is the width of a cell in the picture."""

    read: Callable[[], bytes]
    pixels: float
    offset: tuple[float, float] = (0.0, 0.0)
    kind: str = ""


@dataclass(frozen=True, eq=False)
class Battlemap:
    """A battle map.  All levels have the same number of columns and rows; `cell` is the side of a cell in `unit`."""

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
    _baked: dict[int, Crossings | None] = field(default_factory=dict, repr=False)

    # -- making one -------------------------------------------------------------------------------------------------

    @classmethod
    def from_rows(
        cls,
        rows: Sequence[str] | Mapping[str, Sequence[str]],
        legend: Mapping[str, Mapping[str, object]] | None = None,
        *,
        cell: object = 5,
        unit: str = "ft",
        grid: str = "square",
        **more: Any,
    ) -> Battlemap:
        """A map drawn with one glyph a cell; ``.`` is plain and ``#`` impassable unless the legend says otherwise.

        `rows` is a list of equally long strings, or one list per level name.  Raises `ValueError` for ragged rows, an
        unknown glyph or an unknown fact.
        """
        floors = {"ground": rows} if not isinstance(rows, Mapping) else rows
        facts: dict[str, Mapping[str, object]] = {".": {}, "#": {"terrain": "rock", "impassable": True}}
        facts.update(legend or {})
        palette = [PLAIN]
        glyphs: dict[str, int] = {}
        levels = []
        shape: tuple[int, int] | None = None
        for name, floor in floors.items():
            shape = shape or (len(floor), len(floor[0]) if floor else 0)
            if len(floor) != shape[0] or not floor:
                raise ValueError(f"level {name!r} has {len(floor)} rows, expected {shape[0] or 'at least one'}")
            ground = np.zeros(shape, dtype=np.uint16)
            for r, row in enumerate(floor):
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
        return cls(tuple(levels), tuple(palette), get_grid(grid), exact(cell), unit, glyphs=glyphs, **more)

    @classmethod
    def from_cells(
        cls,
        cols: int,
        rows: int,
        *,
        blocked: Iterable[tuple[int, int]] = (),
        terrain: Mapping[tuple[int, int], Mapping[str, object]] | None = None,
        cell: object = 5,
        unit: str = "ft",
        grid: str = "square",
        **more: Any,
    ) -> Battlemap:
        """A map given as lists of (col, row) cells: `blocked` ones and `terrain` facts of others."""
        if cols < 1 or rows < 1:
            raise ValueError(f"a map needs at least one cell, not {cols} x {rows}")
        changed = {Cell(*place): {"impassable": True} for place in blocked}
        for place, facts in (terrain or {}).items():
            changed[Cell(*place)] = {**changed.get(Cell(*place), {}), **facts}  # type: ignore[dict-item]
        empty = cls(
            (Level("ground", np.zeros((rows, cols), dtype=np.uint16)),),
            (PLAIN,),
            get_grid(grid),
            exact(cell),
            unit,
            **more,
        )
        return empty.with_(terrain=changed) if changed else empty

    @classmethod
    def from_segments(
        cls,
        walls: Iterable[Sequence[float]],
        *,
        doors: Iterable[Sequence[float] | Mapping[str, object]] = (),
        cell_px: float,
        origin: tuple[float, float] = (0, 0),
        size: tuple[int, int],
        cell: object = 5,
        unit: str = "ft",
        **more: Any,
    ) -> Battlemap:
        """A map of wall segments ``(x0, y0, x1, y1)`` in pixels; `size` is (columns, rows), `origin` the grid's pixel.

        A door is a segment too, or a mapping with ``line`` and any of a barrier's fields (``state``, ``id`` …).
        """

        def line(points: Sequence[float]) -> tuple[tuple[float, float], tuple[float, float]]:
            x0, y0, x1, y1 = (float(value) for value in points)
            ox, oy = origin
            return ((x0 - ox) / cell_px, (y0 - oy) / cell_px), ((x1 - ox) / cell_px, (y1 - oy) / cell_px)

        barriers = [Barrier(line(wall)) for wall in walls]
        for door in doors:
            fields = dict(door) if isinstance(door, Mapping) else {"line": door}
            segment: Any = fields.pop("line")
            barriers.append(Barrier(line(segment), **{"kind": Kind.DOOR, **fields}))  # type: ignore[arg-type]
        return cls.from_cells(size[0], size[1], cell=cell, unit=unit, barriers=tuple(barriers), **more)

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

    def __contains__(self, cell: Cell) -> bool:
        return 0 <= cell.col < self.cols and 0 <= cell.row < self.rows and 0 <= cell.level < len(self.levels)

    def terrain(self, cell: Cell) -> Terrain:
        """The ground of a cell, zones not counted.  Raises `ValueError` off the map."""
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

    def name_of(self, cell: Cell) -> str:
        """``C4``, or ``upper/C4`` on a map of several levels."""
        return cell_name(cell, self.level_names)

    def cell_at(self, x_px: float, y_px: float, *, pixels: float | None = None) -> Cell:
        """The cell under a pixel of the map's picture (or of any drawing with `pixels` per cell)."""
        scale = pixels or (self.picture.pixels if self.picture else 1.0)
        return Cell(*self.grid.cell_at(x_px / scale, y_px / scale))

    def centre(self, cell: Cell, *, pixels: float | None = None) -> tuple[float, float]:
        """The middle of a cell in pixels of the map's picture (or of any drawing with `pixels` per cell)."""
        scale = pixels or (self.picture.pixels if self.picture else 1.0)
        x, y = self.grid.centre(cell.col, cell.row)
        return x * scale, y * scale

    def body(self, at: Cell, size: int) -> tuple[Cell, ...]:
        """The cells, on the map or off it, that a body covers whose anchor is on `at`, the anchor first."""
        i, j = self.grid.store(at.col, at.row)
        return tuple(Cell(*self.grid.unstore(i + di, j + dj), at.level) for di, dj in self.grid.body(size))

    def mover(self, mover_id: str) -> Mover:
        """The mover with that id.  Raises `UnknownName`."""
        for mover in self.movers:
            if mover.id == mover_id:
                return mover
        raise UnknownName("mover", mover_id, [mover.id for mover in self.movers])

    def crossings(self, level: int) -> Crossings | None:
        """Which steps of a level meet barriers; baked once and shared by all maps with the same segments."""
        if level not in self._baked:
            self._baked[level] = bake(self.grid, self.cols, self.rows, self.barriers, level)
        return self._baked[level]

    # -- changing it ------------------------------------------------------------------------------------------------

    def with_(
        self,
        *,
        doors: Mapping[str, str] | None = None,
        terrain: Mapping[Cell, Mapping[str, object]] | None = None,
        movers: Iterable[Mover] | None = None,
        barriers: Iterable[Barrier] | None = None,
        **more: Any,
    ) -> Battlemap:
        """A changed copy; the old map stays valid and both share what did not change.

        `doors` maps door ids to states, `terrain` maps cells to facts laid over what is there.  Raises `UnknownName`
        for a door nobody has, `ValueError` for a state or fact that does not exist.
        """
        changes: dict[str, Any] = dict(more)
        if doors:
            changes["barriers"] = self._with_doors(doors)
        if terrain:
            changes.update(self._with_terrain(terrain))
        if movers is not None:
            changes["movers"] = tuple(movers)
        if barriers is not None:
            changes["barriers"] = tuple(barriers)
            changes["_baked"] = {}
        return replace(self, **changes)

    def _with_doors(self, doors: Mapping[str, str]) -> tuple[Barrier, ...]:
        known = {barrier.id for barrier in self.barriers if barrier.kind is Kind.DOOR and barrier.id}
        for door in doors:
            if door not in known:
                raise UnknownName("door", door, known)
        return tuple(
            replace(barrier, state=DoorState(doors[barrier.id]))
            if barrier.kind is Kind.DOOR and barrier.id in doors
            else barrier
            for barrier in self.barriers
        )

    def _with_terrain(self, terrain: Mapping[Cell, Mapping[str, object]]) -> dict[str, Any]:
        palette, index = list(self.palette), {known: n for n, known in enumerate(self.palette)}
        grounds = {n: level.ground for n, level in enumerate(self.levels)}
        fresh: set[int] = set()
        for place, facts in terrain.items():
            cell = Cell(*place)
            changed = self.terrain(cell).with_facts({k: v for k, v in facts.items() if k != "terrain"})
            if "terrain" in facts:
                changed = replace(changed, name=str(facts["terrain"]))
            if changed not in index:
                index[changed] = len(palette)
                palette.append(changed)
            if cell.level not in fresh:
                grounds[cell.level] = grounds[cell.level].copy()
                fresh.add(cell.level)
            grounds[cell.level][cell.row, cell.col] = index[changed]
        levels = tuple(replace(level, ground=grounds[n]) for n, level in enumerate(self.levels))
        return {"palette": tuple(palette), "levels": levels}

    # -- checking it ------------------------------------------------------------------------------------------------

    def faults(self) -> tuple[Fault, ...]:
        """Everything wrong with the map, in the order of its parts; empty for a sound map."""
        from tactical.world.faults import faults_of

        return tuple(faults_of(self))

    # -- comparing it -----------------------------------------------------------------------------------------------

    def __eq__(self, other: object) -> bool:
        """Equal content: the same grid, terrain per cell, barriers, links, zones, movers, rules and options."""
        if not isinstance(other, Battlemap):
            return NotImplemented
        plain = ("cell", "unit", "barriers", "links", "zones", "movers", "rules", "name", "level_names")
        return (
            self.grid.name == other.grid.name
            and all(getattr(self, name) == getattr(other, name) for name in plain)
            and dict(self.options) == dict(other.options)
            and all(
                mine.height == theirs.height
                and mine.ground.shape == theirs.ground.shape
                and _same_ground(mine.ground, self.palette, theirs.ground, other.palette)
                for mine, theirs in zip(self.levels, other.levels, strict=True)
            )
        )

    __hash__ = None  # type: ignore[assignment]


def _same_ground(a: Ground, a_palette: Sequence[Terrain], b: Ground, b_palette: Sequence[Terrain]) -> bool:
    pairs = np.unique(a.astype(np.int64) * 65536 + b)
    return all(a_palette[int(pair) >> 16] == b_palette[int(pair) & 65535] for pair in pairs)
