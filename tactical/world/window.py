"""A window of a map: the part that a question looks at, and what the ground in it is to one mover.

Arrays have the shape (level, j, i) in storage coordinates and a rim of `pad` cells outside the window, so that a step
in any direction is one array shift.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, partial
from math import lcm
from typing import TYPE_CHECKING

import numpy as np

from tactical.options import Options
from tactical.units import Cell
from tactical.world.battlemap import Battlemap
from tactical.world.grids import Direction
from tactical.world.mover import Mover
from tactical.world.sight import Sight
from tactical.world.terrain import HEADROOM, Terrain

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


@dataclass(frozen=True, slots=True)
class Window:
    """A rectangle of storage coordinates on some levels."""

    i: int
    j: int
    width: int
    height: int
    levels: tuple[int, ...]

    @classmethod
    def whole(cls, battlemap: Battlemap) -> Window:
        """The whole map."""
        return cls.around(battlemap, [Cell(0, 0, level) for level in range(len(battlemap.levels))], None)

    @classmethod
    def around(cls, battlemap: Battlemap, cells: Iterable[Cell], radius: int | None) -> Window:
        """All within `radius` steps of some cells (None: no limit), on the levels those cells are on."""
        cells = list(cells)
        levels = tuple(sorted({cell.level for cell in cells}))
        low_i, low_j, high_i, high_j = battlemap.store.kept("box", lambda: _box(battlemap))
        if radius is not None:
            stored = [battlemap.grid.store(cell.col, cell.row) for cell in cells]
            low_i = max(low_i, min(at[0] for at in stored) - radius)
            low_j = max(low_j, min(at[1] for at in stored) - radius)
            high_i = min(high_i, max(at[0] for at in stored) + radius)
            high_j = min(high_j, max(at[1] for at in stored) + radius)
        return cls(low_i, low_j, max(high_i - low_i + 1, 1), max(high_j - low_j + 1, 1), levels)


def _box(battlemap: Battlemap) -> tuple[int, int, int, int]:
    """The least and the most storage coordinates of the map: i, j, i, j."""
    last = (battlemap.cols - 1, battlemap.rows - 1)
    edge = [(c, r) for c in (0, last[0]) for r in (0, last[1])]
    if battlemap.grid.sheared:
        edge = [(c, r) for c in range(battlemap.cols) for r in (0, last[1])]
        edge += [(c, r) for r in range(battlemap.rows) for c in (0, last[0])]
    i, j = battlemap.grid.store(*np.array(edge).T)
    return int(i.min()), int(j.min()), int(i.max()), int(j.max())


@dataclass(frozen=True, eq=False)
class Plot:
    """What the ground of a window is to one mover, as `sight` shows the map to it.

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

    @property
    def truth(self) -> bool:
        """True where this is how things are, not how the mover knows them."""
        return self.sight.viewer is None

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
        found: list[Cell] = self.cells.take(places).tolist()
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
    def hazardous(self) -> bool:
        """Whether any ground of it is a hazard."""
        return any(ground.hazard for ground in self.kinds)

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

    def ground(self, place: tuple[int, int, int]) -> Terrain:
        """The ground at one place, zones laid."""
        level, j, i = place
        return self.kinds[self.kind.item(level, j + self.pad, i + self.pad)]

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

    def reach(self, other: Mover) -> int:
        """How many cells another body strikes."""
        return self.arm if other.reach is None else other.reach

    def footprint(self, size: int) -> tuple[tuple[int, int], ...]:
        """Storage offsets (di, dj) of the cells that a body covers, its anchor first."""
        return self.battlemap.grid.body(size)

    def footprint_cells(self, at: Cell, size: int) -> Collection[Cell]:
        """The cells that a body at `at` covers."""
        return self.battlemap.body(at, size)
