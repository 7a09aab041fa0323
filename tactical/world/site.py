"""A site: one mover's view of one map at one moment.

It holds, for a window of the map, which cells can be entered, passed and stopped on, what lies between cells, and who
threatens what, all as the mover knows it (or, with `truth`, as it is).  Arrays have the shape (level, j, i) in storage
coordinates and a rim of `pad` cells outside the window, so that a step in any direction is one array shift.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from math import lcm

import numpy as np
from numpy.typing import NDArray

from tactical.options import Options
from tactical.units import Cell
from tactical.world.barriers import (
    REACHED_THROUGH,
    SOLID,
    Barrier,
    DoorState,
    Kind,
    Meeting,
    cut_diagonal,
    cut_straight,
)
from tactical.world.battlemap import Battlemap
from tactical.world.grids import Direction
from tactical.world.mover import Mover
from tactical.world.terrain import HEADROOM, Terrain

Bools = NDArray[np.bool_]
Ints = NDArray[np.int64]

OUTSIDE = Terrain(name="outside the map", impassable=True)
FREE, PASSED_ALLY, PASSED_ENEMY, HELD = 0, 1, 2, 3
CUT = -1


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
        cols, rows = np.meshgrid([0, battlemap.cols - 1], [0, battlemap.rows - 1])
        if battlemap.grid.name != "square":
            edge = [(c, r) for c in range(battlemap.cols) for r in (0, battlemap.rows - 1)]
            edge += [(c, r) for r in range(battlemap.rows) for c in (0, battlemap.cols - 1)]
            cols, rows = np.array(edge).T
        i, j = battlemap.grid.store(cols, rows)
        low_i, low_j, high_i, high_j = int(i.min()), int(j.min()), int(i.max()), int(j.max())
        if radius is not None:
            stored = [battlemap.grid.store(cell.col, cell.row) for cell in cells]
            low_i = max(low_i, min(at[0] for at in stored) - radius)
            low_j = max(low_j, min(at[1] for at in stored) - radius)
            high_i = min(high_i, max(at[0] for at in stored) + radius)
            high_j = min(high_j, max(at[1] for at in stored) + radius)
        return cls(low_i, low_j, max(high_i - low_i + 1, 1), max(high_j - low_j + 1, 1), levels)


@dataclass(frozen=True, slots=True)
class Crossing:
    """A barrier, or several met together, that a step gets over or through at a price."""

    name: str
    price: Fraction
    opens: int = 0
    barriers: tuple[int, ...] = ()

    @property
    def climbed(self) -> bool:
        """True for a fence or low wall."""
        return self.name != "door"


@dataclass(frozen=True, eq=False)
class Site:
    """What one mover meets.  `others` are the bodies that count, `known` the explored cells (None: all)."""

    battlemap: Battlemap
    mover: Mover
    options: Options
    window: Window
    others: tuple[Mover, ...] = ()
    known: frozenset[Cell] | None = None
    truth: bool = False
    goals: frozenset[Cell] = frozenset()
    opened: frozenset[int] = frozenset()
    vehicle: bool = False
    _cache: dict[object, object] = field(default_factory=dict, repr=False)

    # -- coordinates ------------------------------------------------------------------------------------------------

    @cached_property
    def pad(self) -> int:
        """Width of the rim."""
        return max(self.mover.size, 1) + 1

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

    def core(self, padded: NDArray[np.generic], di: int = 0, dj: int = 0) -> NDArray[np.generic]:
        """The window's part of a padded array, seen from (di, dj) further on."""
        p = self.pad
        _, height, width = self.shape
        return padded[:, p + dj : p + dj + height, p + di : p + di + width]

    # -- ground -----------------------------------------------------------------------------------------------------

    @cached_property
    def _ground(self) -> tuple[NDArray[np.int32], tuple[Terrain, ...]]:
        """Kind of every cell (padded) and the list of kinds; the last but zones' is the outside."""
        kinds = [*self.battlemap.palette, OUTSIDE]
        outside = len(kinds) - 1
        p, (levels, height, width) = self.pad, self.shape
        out = np.full((levels, height + 2 * p, width + 2 * p), outside, dtype=np.int32)
        if self.battlemap.grid.name == "square":
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
            changed = kinds[kind[at]].with_facts({k: v for k, v in facts.items() if k != "terrain"})
            if "terrain" in facts:
                changed = replace(changed, name=str(facts["terrain"]))
            if changed not in index:
                index[changed] = len(kinds)
                kinds.append(changed)
            kind[at] = index[changed]

        for zone in self.battlemap.zones:
            if zone.source and zone.source in (self.mover.id, "mover"):
                continue
            for cell in zone.cells:
                change(cell, zone.facts)
        if self.known is not None:
            levels, height, width = self.shape
            for level in range(levels):
                for j in range(height):
                    for i in range(width):
                        cell = self.cell(level, j, i)
                        if cell not in self.known:
                            change(cell, {"unknown": True})

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
        return tuple(np.unique(self.kind).tolist())

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
            if other.id != self.mover.id and other.at is not None and (self.truth or not other.hidden)
        )

    @cached_property
    def occupied(self) -> NDArray[np.int8]:
        """FREE, PASSED_ALLY, PASSED_ENEMY or HELD for every cell (padded)."""
        out = np.zeros(self.kind.shape, dtype=np.int8)
        for other in self.bodies:
            code = self.meets(other)
            for cell in self.footprint_cells(other.at, other.size):  # type: ignore[arg-type]
                at = self._padded_place(cell)
                if at is not None:
                    out[at] = max(code, int(out[at]))
        return out

    def meets(self, other: Mover) -> int:
        """How the mover gets past another body: by size, side and the options."""
        if self.mover.towards(other) != "enemy":
            return PASSED_ALLY
        apart = self.mover.classes_apart(other) >= self.options["enemy_size_gap"]
        return PASSED_ENEMY if apart else HELD

    def footprint(self, size: int) -> tuple[tuple[int, int], ...]:
        """Storage offsets (di, dj) of the cells that a body covers, its anchor first."""
        grid = self.battlemap.grid
        if grid.name == "square":
            return tuple((di, dj) for dj in range(size) for di in range(size))
        return hex_body(size)

    def footprint_cells(self, at: Cell, size: int) -> Collection[Cell]:
        """The cells that a body at `at` covers."""
        grid = self.battlemap.grid
        i, j = grid.store(at.col, at.row)
        return [Cell(*grid.unstore(i + di, j + dj), at.level) for di, dj in self.footprint(size)]

    def holders(self, cell: Cell) -> tuple[Mover, ...]:
        """The bodies that cover a cell."""
        return tuple(other for other in self.bodies if cell in self.footprint_cells(other.at, other.size))  # type: ignore[arg-type]

    @cached_property
    def no_stop(self) -> Bools:
        """Cells where no body may end a move (padded)."""
        table = np.array(
            [t.no_stop or t.gap or (t.swum and not self.options["deep_water_stop"]) for t in self.kinds]
        )
        return np.asarray(table[self.kind] | (self.occupied != FREE))

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
    def _crossed(self) -> tuple[list[NDArray[np.int32] | None], tuple[Crossing, ...]]:
        """Per direction: 0 free, CUT, or 1 + index into the list of priced crossings (padded; None: all free)."""
        prices: list[Crossing] = []
        planes: list[NDArray[np.int32] | None] = [None] * len(self.battlemap.grid.directions)
        resolved: dict[object, int] = {}
        for n, level in enumerate(self.window.levels):
            baked = self.battlemap.crossings(level)
            if baked is None:
                continue
            i, j = baked.i - self.window.i + self.pad, baked.j - self.window.j + self.pad
            _, height, width = self.kind.shape
            here = np.flatnonzero((i >= 0) & (i < width) & (j >= 0) & (j < height))
            for k in np.unique(baked.direction[here]).tolist():
                plane = planes[k] if planes[k] is not None else np.zeros(self.kind.shape, dtype=np.int32)
                chosen = here[baked.direction[here] == k]
                codes = baked.code[chosen]
                steady = chosen[codes == 1]
                plane[n, j[steady], i[steady]] = CUT
                for entry in chosen[codes > 1].tolist():
                    meeting = baked.meetings[baked.code[entry] - 2]
                    plane[n, j[entry], i[entry]] = self._resolve(meeting, k, (n, int(j[entry]), int(i[entry])), prices, resolved)
                planes[k] = plane if plane.any() else planes[k]
        return planes, tuple(prices)

    def crossing(self, k: int) -> NDArray[np.int32] | None:
        """What lies on the steps in direction `k`: 0 free, CUT, or 1 + index into `prices` (padded; None: all free)."""
        return self._crossed[0][k]

    @property
    def prices(self) -> tuple[Crossing, ...]:
        """The crossings that cost something."""
        return self._crossed[1]

    def _resolve(
        self, meeting: Meeting, k: int, at: tuple[int, int, int], prices: list[Crossing], resolved: dict[object, int]
    ) -> int:
        direction = self.battlemap.grid.directions[k]
        heights = any(self.battlemap.barriers[b].bottom is not None or self.battlemap.barriers[b].top is not None for b, _ in meeting)
        z = self._step_height(at, direction) if heights else None
        key = (meeting, k, z)
        if key not in resolved:
            found = self.judge(meeting, direction, z or Fraction(0))
            if isinstance(found, Crossing):
                prices.append(found)
                resolved[key] = len(prices)
            else:
                resolved[key] = CUT if found else 0
        return resolved[key]

    def _step_height(self, at: tuple[int, int, int], direction: Direction) -> Fraction:
        level, j, i = at
        _, height, width = self.elevation.shape
        here = int(self.elevation[at])
        jj, ii = j + direction.dj, i + direction.di
        there = int(self.elevation[level, jj, ii]) if 0 <= jj < height and 0 <= ii < width else here
        return Fraction(min(here, there), self.height_scale)

    def as_met(self, index: int) -> Barrier:
        """A barrier as this mover meets it: in truth or as believed, its unknown secret doors as walls."""
        barrier = self.battlemap.barriers[index]
        if self.truth:
            barrier = barrier.really()
        if index in self.opened and barrier.kind is Kind.DOOR:
            return replace(barrier, state=DoorState.OPEN)
        if barrier.state is DoorState.SECRET:
            if not (self.truth or barrier.id in self.mover.knows):
                return replace(barrier, kind=Kind.WALL, state=None)
            return replace(barrier, state=DoorState.CLOSED)
        return barrier

    def judge(self, meeting: Meeting, direction: Direction, z: Fraction) -> Crossing | bool:
        """Whether a step that meets these barriers is cut (True), free (False), or has a price."""
        dx, dy = self._heading(direction)
        rule = cut_diagonal if direction.diagonal else cut_straight
        walls = priced = 0
        doors: list[tuple[int, Barrier]] = []
        over: list[tuple[int, Barrier]] = []
        for index, mask in meeting:
            barrier = self.as_met(index)
            if not barrier.at_height(z):
                continue
            wrong_way = bool(barrier.one_way) and not barrier.passes(dx, dy)
            if barrier.kind is Kind.DOOR and not direction.diagonal:
                doors.append((index, barrier))
                if wrong_way:
                    return True
            elif barrier.kind is Kind.DOOR:
                walls |= mask if barrier.state is not DoorState.OPEN else 0
            elif barrier.kind in SOLID:
                walls |= mask if wrong_way or not barrier.one_way else 0
            else:
                priced |= mask
                over.append((index, barrier))
        if doors:
            return self._door(doors)
        if rule(walls):
            return True
        if over and rule(priced):
            return True if direction.diagonal else self._climbed(over)
        return False

    def _heading(self, direction: Direction) -> tuple[float, float]:
        grid = self.battlemap.grid
        x0, y0 = grid.centre(*grid.unstore(0, 0))
        x1, y1 = grid.centre(*grid.unstore(direction.di, direction.dj))
        return x1 - x0, y1 - y0

    def _door(self, doors: list[tuple[int, Barrier]]) -> Crossing | bool:
        price, shut = Fraction(0), []
        for index, door in doors:
            if door.state is DoorState.OPEN:
                continue
            if self.options["door_policy"] == "block" or (door.state is DoorState.LOCKED and door.cost is None):
                return True
            price += door.cost if door.cost is not None else self.options["door_cost"]
            shut.append(index)
        return Crossing("door", price, opens=len(shut), barriers=tuple(shut)) if shut else False

    def _climbed(self, over: list[tuple[int, Barrier]]) -> Crossing | bool:
        price = Fraction(0)
        for _, barrier in over:
            cost = barrier.cost
            if cost is None and barrier.kind is Kind.LOW_WALL:
                cost = self.options["low_wall_cost"]
                factor = self.options["climb_factor"]
                if cost == "climb":
                    cost = None if factor is None else self.battlemap.cell * (factor - 1)
            if cost is None or self.vehicle:
                return True
            price = max(price, cost)
        name = "fence" if any(b.kind is Kind.FENCE for _, b in over) else "low wall"
        return Crossing(name, price, barriers=tuple(index for index, _ in over))

    def barriers_between(self, start: Cell, direction_index: int) -> tuple[int, ...]:
        """The barriers that a step meets, whatever their state."""
        baked = self.battlemap.crossings(start.level)
        if baked is None:
            return ()
        i, j = self.battlemap.grid.store(start.col, start.row)
        found = np.flatnonzero((baked.direction == direction_index) & (baked.i == i) & (baked.j == j))
        if not found.size or baked.code[found[0]] < 2:
            return ()
        return tuple(index for index, _ in baked.meetings[baked.code[found[0]] - 2])

    # -- threat -----------------------------------------------------------------------------------------------------

    @cached_property
    def enemies(self) -> tuple[Mover, ...]:
        """The enemies that may strike, as far as this mover knows."""
        return tuple(other for other in self.bodies if self.mover.towards(other) == "enemy" and other.reach > 0)

    def threatened_by(self, enemy: Mover) -> frozenset[Cell]:
        """The cells within an enemy's reach: king's steps that no wall, closed door or solid cell stops."""
        from tactical.world.threat import reach_of

        if enemy.id not in self._cache:
            self._cache[enemy.id] = reach_of(self, enemy)
        return self._cache[enemy.id]  # type: ignore[return-value]

    def reached_through(self, meeting: Meeting, direction: Direction, z: Fraction) -> bool:
        """Whether a weapon's reach passes the barriers of a step; doors count as drawn."""
        rule = cut_diagonal if direction.diagonal else cut_straight
        mask = 0
        for index, hit in meeting:
            barrier = self.battlemap.barriers[index].really() if self.truth else self.battlemap.barriers[index]
            stops = barrier.kind not in REACHED_THROUGH and barrier.state is not DoorState.OPEN
            if barrier.at_height(z) and (stops or barrier.one_way):
                if barrier.kind is Kind.DOOR and not direction.diagonal:
                    return False
                mask |= hit
        return not rule(mask)


def hex_body(size: int) -> tuple[tuple[int, int], ...]:
    """A body on hexes, in axial offsets: 1 one cell, 2 a triangle of three, 3 a flower of seven, 4 of twelve …

    Even sizes grow round a corner, odd ones round a cell; the anchor is the first.
    """
    if size <= 1:
        return ((0, 0),)
    radius = (size - 1) // 2
    disc = [
        (q, r)
        for r in range(-radius, radius + 1)
        for q in range(-radius, radius + 1)
        if abs(q + r) <= radius
    ]
    if size % 2:
        return tuple(sorted(disc, key=lambda place: (place != (0, 0), place)))
    grown = {(q + dq, r + dr) for q, r in disc for dq, dr in ((0, 0), (1, 0), (0, 1))}
    return tuple(sorted(grown, key=lambda place: (place != (0, 0), place)))
