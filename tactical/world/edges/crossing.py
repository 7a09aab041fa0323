"""What lies between two cells for one mover: free, cut, or passed at a price.

Baking says which barriers a step meets (`tactical.world.edges.baking`); here the mover's knowledge, the doors' states,
heights and one-way directions decide what that means.  If a step meets a door, the door alone decides; else walls
that cut it; else fences and low walls, which are climbed at their price.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from tactical.units import Cell
from tactical.world.edges.baking import LEAVES, Baking, Box, Crossings, Meeting
from tactical.world.edges.barriers import REACHED_THROUGH, SOLID, Barrier, DoorState, Kind
from tactical.world.grids import Direction, neighbours

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tactical.options import Options

    Plane = NDArray[np.int32]

    from tactical.world.battlemap import Battlemap
    from tactical.world.window import Plot

Meets = Callable[[Barrier], Barrier | None]
"""What a barrier is in another medium; None: nothing."""

NOWHERE = 10**9
"""The level of barriers that are not met, so that the others keep their numbers."""

CUT = -1
"""Code of a step that barriers forbid; 0 is a free step, 1 + n the priced crossing number n."""


def cut_straight(mask: int) -> bool:
    """The three-probe rule on the union of walls hit: the middle one, or two of three."""
    return bool(mask & 2) or mask & 7 == 5


def cut_diagonal(mask: int) -> bool:
    """Both probes of a diagonal hit."""
    return mask & 3 == 3


@dataclass(frozen=True, slots=True)
class Crossing:
    """A barrier, or several met together, that a step gets over or through at a price, or only in some modes.

    `stops` are the modes of moving that do not get through at all.
    """

    name: str
    price: Fraction
    opens: int = 0
    barriers: tuple[int, ...] = ()
    stops: frozenset[str] = frozenset()

    @property
    def climbed(self) -> bool:
        """True for a fence or low wall."""
        return self.name in ("fence", "low wall")


@dataclass(frozen=True, slots=True)
class Crossed:
    """Per direction a padded array of codes (None: all free), and the crossings that the positive codes stand for."""

    planes: tuple[Plane | None, ...]
    prices: tuple[Crossing, ...]

    @classmethod
    def of(cls, site: Plot, meets: Meets | None = None) -> Crossed:
        """All steps of a site's window; `meets` makes of each barrier what it is in another medium."""
        crossings, met = (site.battlemap.crossings, partial(as_met, site)) if meets is None else _otherwise(site, meets)
        prices: list[Crossing] = []
        planes: list[Plane | None] = [None] * len(site.battlemap.grid.directions)
        resolved: dict[object, int] = {}
        _, height, width = site.kind.shape
        for n, level in enumerate(site.window.levels):
            baked = crossings(level, site.box)
            if baked is None:
                continue
            i, j = baked.i - site.window.i + site.pad, baked.j - site.window.j + site.pad
            here = np.flatnonzero((i >= 0) & (i < width) & (j >= 0) & (j < height))
            for k in sorted(set(baked.direction[here].tolist())):
                known = planes[k]
                plane = np.zeros(site.kind.shape, dtype=np.int32) if known is None else known
                chosen = here[baked.direction[here] == k]
                codes = baked.code[chosen]
                steady = chosen[codes == 1]
                plane[n, j[steady], i[steady]] = CUT
                for entry in chosen[codes > 1].tolist():
                    meeting = baked.meetings[baked.code[entry] - 2]
                    at = (n, int(j[entry]), int(i[entry]))
                    plane[at] = _code(site, meeting, k, at, prices, resolved, met)
                planes[k] = plane
        return cls(tuple(plane if plane is not None and plane.any() else None for plane in planes), tuple(prices))


def _code(
    site: Plot,
    meeting: Meeting,
    k: int,
    at: tuple[int, int, int],
    prices: list[Crossing],
    resolved: dict[object, int],
    met: Callable[[int], Barrier],
) -> int:
    direction = site.battlemap.grid.directions[k]
    barriers = [met(index) for index, _ in meeting]
    heights = any(barrier.bottom is not None or barrier.top is not None for barrier in barriers)
    z = _step_height(site, at, direction) if heights else None
    key = (meeting, k, z)
    if key not in resolved:
        found = judge(site, meeting, direction, z or Fraction(0), met)
        if isinstance(found, Crossing):
            prices.append(found)
            resolved[key] = len(prices)
        else:
            resolved[key] = CUT if found else 0
    return resolved[key]


def _step_height(site: Plot, at: tuple[int, int, int], direction: Direction) -> Fraction:
    """The height at which a step meets its barriers: that of the lower of its two cells."""
    level, j, i = at
    _, height, width = site.elevation.shape
    here = int(site.elevation[at])
    jj, ii = j + direction.dj, i + direction.di
    there = int(site.elevation[level, jj, ii]) if 0 <= jj < height and 0 <= ii < width else here
    return Fraction(min(here, there), site.height_scale)


def as_met(site: Plot, index: int) -> Barrier:
    """A barrier as the mover meets it: a secret door of the site's map is a closed door to whoever sees it there."""
    barrier = site.battlemap.barriers[index]
    if site.truth:
        barrier = barrier.really()
    if index in site.opened and barrier.kind is Kind.DOOR:
        return replace(barrier, state=DoorState.OPEN)
    return replace(barrier, state=DoorState.CLOSED) if barrier.state is DoorState.SECRET else barrier


def _otherwise(
    site: Plot, meets: Meets
) -> tuple[Callable[[int, Box | None], Crossings | None], Callable[[int], Barrier]]:
    """The barriers of a map as another medium has them: which steps meet them, and each by its number."""
    battlemap = site.battlemap
    met = [meets(as_met(site, index)) for index in range(len(battlemap.barriers))]
    there = tuple(
        replace(barrier, level=NOWHERE) if found is None else found
        for barrier, found in zip(battlemap.barriers, met, strict=True)
    )
    baking = Baking(battlemap.grid, battlemap.cols, battlemap.rows, there)
    return (lambda level, box: baking.level(level)), there.__getitem__


def judge(
    site: Plot, meeting: Meeting, direction: Direction, z: Fraction, met: Callable[[int], Barrier]
) -> Crossing | bool:
    """Whether a step that meets these barriers is cut (True), free (False), or has a price."""
    dx, dy = _heading(site, direction)
    rule = cut_diagonal if direction.diagonal else cut_straight
    walls = priced = 0
    partial: dict[str, int] = {}
    doors: list[tuple[int, int, Barrier]] = []
    over: list[tuple[int, Barrier]] = []
    for index, mask in meeting:
        barrier = met(index)
        if not barrier.at_height(z):
            continue
        if barrier.stops:
            for mode in barrier.stops:
                partial[mode] = partial.get(mode, 0) | mask
            continue
        wrong_way = bool(barrier.one_way) and not barrier.passes(dx, dy)
        if barrier.kind is Kind.DOOR and not direction.diagonal:
            if wrong_way:
                return True
            doors.append((mask, index, barrier))
        elif barrier.kind is Kind.DOOR or barrier.kind in SOLID:
            walls |= mask if _walls_off(site, barrier, wrong_way) else 0
        else:
            priced |= mask
            over.append((index, barrier))
    found: Crossing | bool = _door(site, doors) if doors else rule(walls)
    if not doors and not found and over and rule(priced):
        found = True if direction.diagonal else _climbed(site, over)
    stopped = frozenset(mode for mode, mask in partial.items() if rule(mask))
    if not stopped or found is True:
        return found
    indexes = tuple(index for index, _ in meeting)
    return replace(found, stops=stopped) if found else Crossing("barrier", Fraction(0), 0, indexes, stopped)


def _walls_off(site: Plot, barrier: Barrier, wrong_way: bool) -> bool:
    """Whether a solid barrier, or a door met on a diagonal, cuts a step as a wall does."""
    if barrier.kind is Kind.DOOR:
        return not (barrier.state is DoorState.OPEN or _opened_round_corners(site, barrier))
    return wrong_way or not barrier.one_way


def _opened_round_corners(site: Plot, door: Barrier) -> bool:
    """Whether a diagonal may open a door on its way round the corner (door_diagonal: price); that way decides then."""
    options = site.options
    if options["door_diagonal"] != "price" or options["corner"] != "one_open" or options["door_policy"] == "block":
        return False
    return door.state is not DoorState.LOCKED or door.cost is not None


def _heading(site: Plot, direction: Direction) -> tuple[float, float]:
    grid = site.battlemap.grid
    x0, y0 = grid.centre(*grid.unstore(0, 0))
    x1, y1 = grid.centre(*grid.unstore(direction.di, direction.dj))
    return x1 - x0, y1 - y0


def _door(site: Plot, doors: list[tuple[int, int, Barrier]]) -> Crossing | bool:
    price, shut = Fraction(0), []
    for mask, index, door in doors:
        if door.state is DoorState.OPEN:
            continue
        if site.options["door_policy"] == "block" or (door.state is DoorState.LOCKED and door.cost is None):
            return True
        if not mask & LEAVES:
            # standing in the doorway: it was opened on the way in
            continue
        price += opening(door, site.options)
        shut.append(index)
    return Crossing("door", price, opens=len(shut), barriers=tuple(shut)) if shut else False


def opening(door: Barrier, options: Options) -> Fraction:
    """What opening a door costs, as a length (OPR-50)."""
    return Fraction(options["door_cost"]) if door.cost is None else door.cost


def _climbed(site: Plot, over: list[tuple[int, Barrier]]) -> Crossing | bool:
    price = Fraction(0)
    for _, barrier in over:
        cost = barrier.cost
        if cost is None and barrier.kind is Kind.LOW_WALL:
            cost = site.options["low_wall_cost"]
            factor = site.options["climb_factor"]
            if cost == "climb":
                cost = None if factor is None else site.battlemap.cell * (factor - 1)
        if cost is None or site.vehicle:
            return True
        price = max(price, cost)
    name = "fence" if any(barrier.kind is Kind.FENCE for _, barrier in over) else "low wall"
    return Crossing(name, price, barriers=tuple(index for index, _ in over))


def barriers_between(site: Plot, start: Cell, direction_index: int) -> tuple[int, ...]:
    """The barriers that a step meets, whatever their state; plain walls that cut it are not listed."""
    return tuple(index for index, _ in met_between(site.battlemap, start, direction_index))


def met_between(battlemap: Battlemap, start: Cell, direction_index: int) -> Meeting:
    """What a step meets, with the probes that hit it; plain walls that cut it are not listed."""
    baked = battlemap.crossings(start.level, (start.col, start.col + 1, start.row, start.row + 1))
    if baked is None:
        return ()
    i, j = battlemap.grid.store(start.col, start.row)
    found = np.flatnonzero((baked.direction == direction_index) & (baked.i == i) & (baked.j == j))
    if not found.size or baked.code[found[0]] < 2:
        return ()
    return baked.meetings[baked.code[found[0]] - 2]


def in_frame(battlemap: Battlemap, index: int, cells: Collection[Cell]) -> bool:
    """Whether a body on these cells stands in a door's frame: with the door between two of them or through one."""
    for cell in cells:
        for k, (direction, there) in enumerate(neighbours(battlemap.grid, cell)):
            for met, mask in met_between(battlemap, cell, k) if not direction.diagonal else ():
                if met == index and (there in cells or not mask & LEAVES):
                    return True
    return False


def reached_through(site: Plot, meeting: Meeting, direction: Direction, z: Fraction) -> bool:
    """Whether a weapon's reach passes the barriers of a step; doors count as drawn."""
    rule = cut_diagonal if direction.diagonal else cut_straight
    mask = 0
    for index, hit in meeting:
        barrier = site.battlemap.barriers[index]
        barrier = barrier.really() if site.truth else barrier
        stops = barrier.kind not in REACHED_THROUGH and barrier.state is not DoorState.OPEN
        if barrier.at_height(z) and (stops or barrier.one_way):
            if barrier.kind is Kind.DOOR and not direction.diagonal:
                return False
            mask |= hit
    return not rule(mask)
