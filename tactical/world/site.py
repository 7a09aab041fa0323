"""A site: one mover's view of one map at one moment.

It holds, for a window of the map, which cells can be entered, passed and stopped on, what lies between cells, and who
threatens what, all on the map as its `Sight` shows it to the mover (or as it is).  Arrays have the shape (level, j, i)
in storage coordinates and a rim of `pad` cells outside the window, so that a step in any direction is one array shift.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property, partial
from math import lcm
from typing import TYPE_CHECKING

import numpy as np

from tactical.options import Options
from tactical.units import Cell
from tactical.world.battlemap import Battlemap
from tactical.world.company import Passage, passage, reach_of, shares
from tactical.world.edges.crossing import Crossed, Crossing
from tactical.world.grids import Direction
from tactical.world.mover import Mover
from tactical.world.sight import Sight
from tactical.world.terrain import HEADROOM, Terrain
from tactical.world.window import Window

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Bools = NDArray[np.bool_]
    Ints = NDArray[np.int64]


OUTSIDE = Terrain(name="outside the map", impassable=True)
MANY_CELLS = 20_000
"""Of windows of so many places the cells are kept: to look one up is quicker than to make it."""
_CELL = partial(tuple.__new__, Cell)
"""`Cell._make` without its look at the length: a reach may have ten thousands of cells."""
_MIDDLE = 1 << 23
"""Half of what a coordinate may be, so that storage coordinates below 0 can be numbered too."""
FREE, HELD = 0, 7
"""Codes of a cell without bodies, and of one whose body lets nobody by; codes between are kinds of `Site.passages`."""


_ALIKE = (
    "pad", "directions", "_ground", "used", "solid", "height_scale", "elevation", "flat", "headroom", "crossed",
    "closed_to_plans", "cells",
)  # fmt: skip
"""What two sites of one window share that differ in their bodies only."""


@dataclass(frozen=True, eq=False)
class Site:
    """What one mover meets on a map as `sight` shows it.

    `others` are all bodies; those that it sees count.  `arm` is how many cells those strike who state no reach;
    water over `neck` metres is deep to the mover (None: a depth in metres says nothing).
    """

    battlemap: Battlemap
    mover: Mover
    options: Options
    window: Window
    sight: Sight
    others: tuple[Mover, ...] = ()
    goals: frozenset[Cell] = frozenset()
    opened: frozenset[int] = frozenset()
    vehicle: bool = False
    arm: int = 1
    neck: Fraction | None = None
    _cache: dict[object, object] = field(default_factory=dict, repr=False)

    @property
    def truth(self) -> bool:
        """True where this is how things are, not how the mover knows them."""
        return self.sight.viewer is None

    def share(self, other: Site) -> None:
        """Take over what another site of the same window has worked out, but for bodies."""
        known = other.__dict__
        self.__dict__.update((name, known[name]) for name in _ALIKE if name in known)

    # -- coordinates ------------------------------------------------------------------------------------------------

    @cached_property
    def pad(self) -> int:
        """Width of the rim."""
        return max(self.mover.size, 1) + 1

    @property
    def box(self) -> tuple[int, int, int, int]:
        """Columns and rows of the window and its rim, on grids whose storage is columns and rows."""
        left, top, p = self.window.i, self.window.j, self.pad
        return left - p, left + self.window.width + p, top - p, top + self.window.height + p

    @property
    def shape(self) -> tuple[int, int, int]:
        """(levels, height, width) of the window, rim not counted."""
        return len(self.window.levels), self.window.height, self.window.width

    @cached_property
    def directions(self) -> tuple[Direction, ...]:
        """The grid's directions; without the diagonals where the options allow none."""
        every = self.battlemap.grid.directions
        return tuple(d for d in every if not d.diagonal) if self.options["diagonal"] == "none" else every

    def place(self, cell: Cell) -> tuple[int, int, int] | None:
        """(level, j, i) within the window, or None outside it."""
        if cell.level not in self.window.levels:
            return None
        i, j = self.battlemap.grid.store(cell.col, cell.row)
        i, j = i - self.window.i, j - self.window.j
        if 0 <= i < self.window.width and 0 <= j < self.window.height:
            return self.window.levels.index(cell.level), j, i
        return None

    def cell(self, level: int, j: int, i: int) -> Cell:
        """The cell at a place of the window."""
        col, row = self.battlemap.grid.unstore(i + self.window.i, j + self.window.j)
        return Cell(int(col), int(row), self.window.levels[level])

    def numbers(self, places: Ints) -> Ints:
        """Places of the window, counted through, as numbers that mean the same cells in every window of the map."""
        _, height, width = self.shape
        rest, i = np.divmod(places, width)
        level, j = np.divmod(rest, height)
        levels = np.array(self.window.levels, dtype=np.int64)[level]
        return np.asarray(((levels << 24) + j + self.window.j + _MIDDLE << 24) + i + self.window.i + _MIDDLE)

    def numbered(self, numbers: Ints) -> Iterator[Cell]:
        """The cells of such numbers."""
        i, j = (numbers & 0xFFFFFF) - _MIDDLE, (numbers >> 24 & 0xFFFFFF) - _MIDDLE
        cols, rows = self.battlemap.grid.unstore(i, j) if self.battlemap.grid.sheared else (i, j)
        places = zip(cols.tolist(), rows.tolist(), (numbers >> 48).tolist(), strict=True)
        return map(_CELL, places)

    @cached_property
    def cells(self) -> NDArray[np.object_] | None:
        """The cells of all places, counted through; None for a window of too many."""
        room = self.shape[0] * self.shape[1] * self.shape[2]
        if room > MANY_CELLS:
            return None
        out = np.empty(room, dtype=object)
        # one by one, for numpy would make columns of them
        for place, cell in enumerate(self.numbered(self.numbers(np.arange(room)))):
            out[place] = cell
        return out

    def cells_at(self, places: Ints) -> Iterable[Cell]:
        """The cells of some places, counted through."""
        if self.cells is None:
            return self.numbered(self.numbers(places))
        found: list[Cell] = self.cells[places].tolist()
        return found

    def number(self, cell: Cell) -> int | None:
        """The number of one cell; None where no map can have it."""
        i, j = self.battlemap.grid.store(cell.col, cell.row)
        if not (-_MIDDLE <= i < _MIDDLE and -_MIDDLE <= j < _MIDDLE and 0 <= cell.level < _MIDDLE):
            return None
        return int(((cell.level << 24) + j + _MIDDLE << 24) + i + _MIDDLE)

    def core(self, padded: NDArray[np.generic], di: int = 0, dj: int = 0) -> NDArray[np.generic]:
        """The window's part of a padded array, seen from (di, dj) further on."""
        p = self.pad
        _, height, width = self.shape
        return padded[:, p + dj : p + dj + height, p + di : p + di + width]

    # -- ground -----------------------------------------------------------------------------------------------------

    @cached_property
    def _ground(self) -> tuple[NDArray[np.int32], tuple[Terrain, ...]]:
        """Kind of every cell (padded) and the kinds: the palette, the outside, what zones make."""
        kinds = [*self.battlemap.palette, OUTSIDE]
        outside = len(kinds) - 1
        p, (levels, height, width) = self.pad, self.shape
        out = np.full((levels, height + 2 * p, width + 2 * p), outside, dtype=np.int32)
        if not self.battlemap.grid.sheared:
            left, top = max(self.window.i - p, 0), max(self.window.j - p, 0)
            right = min(self.window.i + width + p, self.battlemap.cols)
            bottom = min(self.window.j + height + p, self.battlemap.rows)
            to_i, to_j = left - self.window.i + p, top - self.window.j + p
            for n, level in enumerate(self.window.levels):
                out[n, to_j : to_j + bottom - top, to_i : to_i + right - left] = self.battlemap.levels[level].ground[
                    top:bottom, left:right
                ]
        else:
            j, i = np.mgrid[0 : height + 2 * p, 0 : width + 2 * p]
            col, row = self.battlemap.grid.unstore(i + self.window.i - p, j + self.window.j - p)
            inside = (col >= 0) & (col < self.battlemap.cols) & (row >= 0) & (row < self.battlemap.rows)
            for n, level in enumerate(self.window.levels):
                out[n][inside] = self.battlemap.levels[level].ground[row[inside], col[inside]]
        self._lay_zones(out, kinds)
        return out, tuple(kinds)

    def _lay_zones(self, kind: NDArray[np.int32], kinds: list[Terrain]) -> None:
        index = {terrain: n for n, terrain in enumerate(kinds)}

        def change(cell: Cell, facts: Mapping[str, object]) -> None:
            at = self._padded_place(cell)
            if at is None or kinds[kind[at]] is OUTSIDE:
                return
            changed = kinds[kind[at]].under(facts)
            if changed not in index:
                index[changed] = len(kinds)
                kinds.append(changed)
            kind[at] = index[changed]

        for zone in self.battlemap.zones:
            if zone.source and zone.source in (self.mover.id, "mover"):
                continue
            for cell in zone.cells:
                change(cell, zone.facts)

    def _padded_place(self, cell: Cell) -> tuple[int, int, int] | None:
        if cell.level not in self.window.levels:
            return None
        i, j = self.battlemap.grid.store(cell.col, cell.row)
        i, j = i - self.window.i + self.pad, j - self.window.j + self.pad
        if 0 <= i < self.window.width + 2 * self.pad and 0 <= j < self.window.height + 2 * self.pad:
            return self.window.levels.index(cell.level), j, i
        return None

    @property
    def kind(self) -> NDArray[np.int32]:
        """Index into `kinds` of every cell (padded)."""
        return self._ground[0]

    @property
    def kinds(self) -> tuple[Terrain, ...]:
        """The kinds of ground in play, zones laid."""
        return self._ground[1]

    @cached_property
    def used(self) -> tuple[int, ...]:
        """Indexes of the kinds that occur in the window or its rim."""
        return tuple(np.flatnonzero(np.bincount(self.kind.ravel())).tolist())

    def fact(self, name: str) -> Bools:
        """Where a yes-or-no fact holds (padded)."""
        return np.asarray(np.array([bool(getattr(terrain, name)) for terrain in self.kinds])[self.kind])

    @cached_property
    def solid(self) -> Bools:
        """Cells nobody enters and corners close against: impassable, outside, or unexplored."""
        closed = self.options["unknown_cells"] == "block" and not self.truth
        table = np.array([terrain.impassable or (closed and terrain.unknown) for terrain in self.kinds])
        return np.asarray(table[self.kind])

    @cached_property
    def height_scale(self) -> int:
        """Elevations are held in whole units of 1/`height_scale`."""
        return lcm(1, *(terrain.elevation.denominator for terrain in self.kinds))

    @cached_property
    def elevation(self) -> Ints:
        """Height of every cell's floor, times `height_scale` (padded)."""
        table = np.array([int(terrain.elevation * self.height_scale) for terrain in self.kinds], dtype=np.int64)
        return np.asarray(table[self.kind])

    @cached_property
    def flat(self) -> bool:
        """True where no two cells differ in height."""
        return len({self.kinds[n].elevation for n in self.used if self.kinds[n] is not OUTSIDE}) < 2

    @cached_property
    def headroom(self) -> NDArray[np.int8]:
        """0 standing, 1 crouched, 2 prone: the most upright posture of every cell (padded)."""
        table = np.array([HEADROOM.index(t.headroom) + 1 if t.headroom else 0 for t in self.kinds], dtype=np.int8)
        return np.asarray(table[self.kind])

    # -- bodies -----------------------------------------------------------------------------------------------------

    @cached_property
    def bodies(self) -> tuple[Mover, ...]:
        """The others that count in this state of knowledge."""
        return tuple(
            other
            for other in self.others
            if other.id != self.mover.id and other.at is not None and self.sight.sees(other)
        )

    @cached_property
    def passages(self) -> tuple[Passage, ...]:
        """The distinct ways of getting past bodies, the cheapest first; code n is entry n - 1."""
        ways = (passage(self.mover, other, self.options) for other in self.bodies)
        found = {way for way in ways if way is not None}
        return tuple(sorted(found, key=lambda way: (way.factor, way.word)))[: HELD - 1]

    @cached_property
    def occupied(self) -> NDArray[np.int8]:
        """FREE, HELD, or a kind of passage for every cell (padded); of several bodies in a cell the dearest counts."""
        out = np.zeros(self.kind.shape, dtype=np.int8)
        for other in self.bodies:
            way = passage(self.mover, other, self.options)
            code = self.passages.index(way) + 1 if way in self.passages else HELD
            for cell in self.footprint_cells(other.at, other.size):  # type: ignore[arg-type]
                at = self._padded_place(cell)
                if at is not None:
                    out[at] = max(code, int(out[at]))
        return out

    def footprint(self, size: int) -> tuple[tuple[int, int], ...]:
        """Storage offsets (di, dj) of the cells that a body covers, its anchor first."""
        return self.battlemap.grid.body(size)

    def footprint_cells(self, at: Cell, size: int) -> Collection[Cell]:
        """The cells that a body at `at` covers."""
        return self.battlemap.body(at, size)

    def holders(self, cell: Cell) -> tuple[Mover, ...]:
        """The bodies that cover a cell."""
        return tuple(other for other in self.bodies if cell in self.footprint_cells(other.at, other.size))  # type: ignore[arg-type]

    @cached_property
    def no_stop(self) -> Bools:
        """Cells where no body may end a move (padded)."""
        table = np.array(
            [t.no_stop or t.gap or (not self.options["deep_water_stop"] and t.deep(self.neck)) for t in self.kinds]
        )
        out = table[self.kind]
        for other in self.bodies:
            if not shares(self.mover, other, self.options):
                for cell in self.footprint_cells(other.at, other.size):  # type: ignore[arg-type]
                    at = self._padded_place(cell)
                    if at is not None:
                        out[at] = True
        return np.asarray(out)

    @cached_property
    def closed_to_plans(self) -> Bools:
        """Cells that a careful plan does not enter: hazards, unless they are a goal of the question (padded)."""
        out = np.zeros(self.kind.shape, dtype=bool)
        if self.options["hazard_policy"] == "avoid":
            out = self.fact("hazard")
            for goal in self.goals:
                at = self._padded_place(goal)
                if at is not None:
                    out[at] = False
        return out

    # -- barriers ---------------------------------------------------------------------------------------------------

    @cached_property
    def crossed(self) -> Crossed:
        """What lies between the cells of the window."""
        return Crossed.of(self)

    def crossing(self, k: int) -> NDArray[np.int32] | None:
        """What lies on the steps in direction `k`: 0 free, CUT, or 1 + index into `prices` (padded; None: all free)."""
        return self.crossed.planes[k]

    @property
    def prices(self) -> tuple[Crossing, ...]:
        """The crossings that cost something."""
        return self.crossed.prices

    # -- threat -----------------------------------------------------------------------------------------------------

    @cached_property
    def foes(self) -> tuple[Mover, ...]:
        """The enemies with a reach that this mover knows of."""
        return tuple(other for other in self.bodies if self.mover.towards(other) == "enemy" and self.reach(other))

    def reach(self, other: Mover) -> int:
        """How many cells another body strikes."""
        return self.arm if other.reach is None else other.reach

    @property
    def enemies(self) -> tuple[Mover, ...]:
        """The enemies that may strike, as far as this mover knows: nobody strikes at one it does not know of."""
        return () if self.mover.hidden or self.options["strikes"] == "none" else self.foes

    def near(self, other: Mover) -> bool:
        """Whether another body's reach may touch the window."""
        if other.at is None or other.at.level not in self.window.levels:
            return False
        i, j = self.battlemap.grid.store(other.at.col, other.at.row)
        far = self.reach(other) + other.size + self.mover.size
        i, j = i - self.window.i, j - self.window.j
        return bool(-far <= i < self.window.width + far and -far <= j < self.window.height + far)

    def threatened_by(self, enemy: Mover) -> frozenset[Cell]:
        """The cells within an enemy's reach: king's steps that no wall, closed door or solid cell stops."""
        if enemy.id not in self._cache:
            self._cache[enemy.id] = reach_of(self, enemy)
        return self._cache[enemy.id]  # type: ignore[return-value]

    def threats(self) -> dict[Cell, tuple[str, ...]]:
        """The cells within reach of foes, each with their ids."""
        out: dict[Cell, tuple[str, ...]] = {}
        for foe in self.foes:
            for cell in self.threatened_by(foe):
                out[cell] = (*out.get(cell, ()), foe.id)
        return out
