"""What cells of the map's picture look like, and which of them look alike: their colours' mean and spread.

Knows no pygame: a picture comes as an array of its pixels.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from tactical.units import Cell
from tactical.world.battlemap import Battlemap
from tactical.world.edges.crossing import cut_straight
from tactical.world.grids import Point, neighbours

if TYPE_CHECKING:
    from numpy.typing import NDArray

Looks: TypeAlias = "NDArray[np.float64]"

HALF = 0.42
"""How far from a cell's middle its look is taken, in cells: what lies on its rim is half another's."""
FINE = 16
"""Pixels of a cell's side that are enough to tell its look."""


def looks_of(battlemap: Battlemap, pixels: NDArray[np.uint8]) -> Looks:
    """Rows by columns by six: mean and spread of red, green and blue of each cell, from 0 to 255.

    `pixels` are those of the map's picture, columns by rows by three; cells outside of it are infinitely unlike any.
    """
    picture = battlemap.picture
    if picture is None:
        raise ValueError("the map has no picture")
    step = max(1, int(picture.pixels) // FINE)
    fine = pixels[::step, ::step].astype(np.float64)
    wide, high = fine.shape[:2]
    middles = np.array([
        [battlemap.grid.centre(col, row) for col in range(battlemap.cols)] for row in range(battlemap.rows)
    ])  # fmt: skip
    corners = []
    for n, most in ((0, wide), (1, high)):
        for side in (-HALF, HALF):
            at = ((middles[..., n] + side) * picture.pixels + picture.offset[n]) / step
            corners.append(np.clip(np.rint(at).astype(np.int64), 0, most))
    x0, x1, y0, y1 = corners
    count = ((x1 - x0) * (y1 - y0))[..., np.newaxis]

    def mean(values: Looks) -> Looks:
        sums = np.zeros((wide + 1, high + 1, 3))
        sums[1:, 1:] = values.cumsum(axis=0).cumsum(axis=1)
        found: Looks = (sums[x1, y1] - sums[x0, y1] - sums[x1, y0] + sums[x0, y0]) / np.maximum(count, 1)
        return found

    means = mean(fine)
    spread = np.sqrt(np.maximum(mean(fine**2) - means**2, 0))
    looks: Looks = np.where(count > 0, np.concatenate((means, spread), axis=2), np.inf)
    return looks


def alike(battlemap: Battlemap, looks: Looks, start: Cell, tolerance: float, *, everywhere: bool = False) -> set[Cell]:
    """The cells that look like one: those that hang together with it up to the next wall, or all of its floor."""
    own = looks[start.row, start.col]
    if not np.isfinite(own).all():
        return {start}
    with np.errstate(invalid="ignore"):
        near = np.linalg.norm(looks - own, axis=2) <= tolerance
    if everywhere:
        return {Cell(int(col), int(row), start.level) for row, col in np.argwhere(near)}
    cut = walled(battlemap, start.level)

    def between(a: Cell, b: Cell) -> bool:
        if (a[:2], b[:2]) in cut:
            return False
        # round a corner where one of the two ways is free
        turns = ((a.col, b.row), (b.col, a.row)) if cut and a.col != b.col and a.row != b.row else ()
        return not turns or any((a[:2], turn) not in cut and (turn, b[:2]) not in cut for turn in turns)

    return flooded(battlemap, start, lambda cell: bool(near[cell.row, cell.col]), diagonal=True, between=between)


def flooded(
    battlemap: Battlemap,
    start: Cell,
    fits: Callable[[Cell], bool],
    *,
    diagonal: bool = False,
    between: Callable[[Cell, Cell], bool] = lambda a, b: True,
) -> set[Cell]:
    """The cells that hang together with one and fit; `between` says whether there is a way from one to the next."""
    found, edge = {start}, [start]
    while edge:
        cell = edge.pop()
        for _, other in neighbours(battlemap.grid, cell, diagonal=diagonal):
            if other not in found and other in battlemap and fits(other) and between(cell, other):
                found.add(other)
                edge.append(other)
    return found


def walled(battlemap: Battlemap, level: int) -> set[tuple[tuple[int, int], tuple[int, int]]]:
    """The pairs of neighbours, (column, row) each, that a barrier of a level lies between, in whatever state it is."""
    found = battlemap.crossings(level)
    if found is None:
        return set()
    grid, out = battlemap.grid, set()
    for direction, i, j, code in zip(found.direction, found.i, found.j, found.code, strict=True):
        step = grid.directions[direction]
        hits = 0
        for _, mask in found.meetings[code - 2] if code >= 2 else ():
            hits |= mask
        if not step.diagonal and (code == 1 or cut_straight(hits)):
            a, b = grid.unstore(int(i), int(j)), grid.unstore(int(i) + step.di, int(j) + step.dj)
            out.add((a, b))
    return out


def boxed(battlemap: Battlemap, a: Cell, b: Cell) -> Iterable[Cell]:
    """The cells of the rectangle between two."""
    cols, rows = sorted((a.col, b.col)), sorted((a.row, b.row))
    every = (Cell(c, r, a.level) for r in range(rows[0], rows[1] + 1) for c in range(cols[0], cols[1] + 1))
    return [cell for cell in every if cell in battlemap]


def within(battlemap: Battlemap, corners: Sequence[Point], level: int) -> Iterable[Cell]:
    """The cells of a level whose middles lie within a polygon, by the rule of odd and even crossings."""
    middles = np.array(
        [battlemap.grid.centre(col, row) for row in range(battlemap.rows) for col in range(battlemap.cols)]
    )
    x, y = middles[:, 0], middles[:, 1]
    inside = np.zeros(len(middles), dtype=bool)
    for (x0, y0), (x1, y1) in zip(corners, (*corners[1:], corners[0]), strict=True):
        if y0 != y1:
            inside ^= ((y0 > y) != (y1 > y)) & (x < (x1 - x0) * (y - y0) / (y1 - y0) + x0)
    return [Cell(int(n) % battlemap.cols, int(n) // battlemap.cols, level) for n in np.flatnonzero(inside)]
