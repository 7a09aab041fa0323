"""Baking: which steps of a level meet barriers, found in bulk, part by part of the map.

A step is tried by probes, two or three lines side by side; what they hit is judged for each mover by
`crossing`.  A map of many segments is baked in square parts, each when a question first looks there, so
that an answer about twelve cells does not wait for a whole city.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import chain
from math import hypot
from operator import attrgetter
from typing import TYPE_CHECKING, Any

import numpy as np

from tactical.world.edges.barriers import SNAP, Barrier
from tactical.world.edges.segments import clip
from tactical.world.grids import Foreign, Grid

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]

TOUCH = 1e-9
LEAVES = 8
"""Bit of a meeting: some probe hits the barrier elsewhere than at its start (the mover is not standing in it)."""
STRAIGHT_PROBES = (-0.2, 0.0, 0.2)
DIAGONAL_PROBES = (-0.1, 0.1)
MANY = 3000
"""Segments of a level from which on it is baked in parts."""
PART = 16
"""The side of a part, in cells."""

MOST_PAIRS = 1 << 22
"""So many pairs of probes and barriers are looked at without a tree."""
CLEAR = 1e-9
"""How far from a line, in shares of what is reckoned with, a point lies surely beside it: rounding is far less."""

Meeting = tuple[tuple[int, int], ...]
"""What a step meets: pairs of (barrier index, bit mask of the probes that hit it, and `LEAVES`)."""

Box = tuple[int, int, int, int]
"""Columns and rows: first and last column (exclusive), first and last row (exclusive)."""


@dataclass(frozen=True)
class Crossings:
    """The steps that meet barriers, on one level.

    Parallel arrays: `direction` (index into the grid's directions), `i`, `j` (storage coordinates of the cell left) and
    `code`: 1 = cut by steady walls, 2 + n = meets `meetings[n]`.
    """

    direction: NDArray[np.int32]
    i: NDArray[np.int32]
    j: NDArray[np.int32]
    code: NDArray[np.int32]
    meetings: tuple[Meeting, ...] = field(default_factory=tuple)

    @classmethod
    def joined(cls, parts: Iterable[Crossings]) -> Crossings:
        """Several parts of a level as one."""
        parts = list(parts)
        meetings: list[Meeting] = []
        codes = []
        for part in parts:
            codes.append(np.where(part.code > 1, part.code + len(meetings), part.code))
            meetings += part.meetings
        direction, i, j = (np.concatenate([getattr(part, name) for part in parts]) for name in ("direction", "i", "j"))
        return cls(direction, i, j, np.concatenate(codes), tuple(meetings))


@dataclass(slots=True)
class Baking:
    """What was baked, level by level and part by part, and for which segments: it holds for no others."""

    grid: Grid
    cols: int
    rows: int
    barriers: tuple[Barrier, ...]
    levels: dict[int, Crossings | None] = field(default_factory=dict)
    parts: dict[tuple[int, int, int], Crossings] = field(default_factory=dict)
    segments: dict[int, tuple[Ints, Floats, Floats]] = field(default_factory=dict)

    def fits(self, grid: Grid, cols: int, rows: int, barriers: tuple[Barrier, ...]) -> bool:
        """Whether what is baked here holds for these barriers too: the same segments, doors in whatever state."""
        if (self.grid.name, self.cols, self.rows) != (grid.name, cols, rows):
            return False
        if self.barriers is barriers:
            return True
        if len(self.barriers) != len(barriers):
            return False
        pairs = zip(self.barriers, barriers, strict=True)
        return all(mine is other or _baked_alike(mine, other) for mine, other in pairs)

    def level(self, number: int) -> Crossings | None:
        """The crossings of a level, baked when first asked for."""
        if number not in self.levels:
            self.levels[number] = self._bake(number, (0, self.cols, 0, self.rows))
        return self.levels[number]

    def within(self, number: int, box: Box) -> Crossings | None:
        """The crossings of a level, at least those out of the cells of a box (which may reach over the map's edge)."""
        if number in self.levels or len(self._segments(number)[0]) < MANY or self.grid.sheared:
            return self.level(number)
        left, right, top, bottom = max(box[0], 0), min(box[1], self.cols), max(box[2], 0), min(box[3], self.rows)
        columns, rows = range(left // PART, -(-right // PART)), range(top // PART, -(-bottom // PART))
        keys = [(number, column, row) for column in columns for row in rows]
        missing = [key for key in keys if key not in self.parts]
        if missing:
            # looked through once for all parts, and not by each
            around = (columns.start * PART, columns.stop * PART, rows.start * PART, rows.stop * PART)
            among = self._beside(number, around)
        for key in missing:
            _, column, row = key
            right, bottom = min((column + 1) * PART, self.cols), min((row + 1) * PART, self.rows)
            baked = self._bake(number, (column * PART, right, row * PART, bottom), among)
            self.parts[key] = _NOTHING if baked is None else baked
        return Crossings.joined(self.parts[key] for key in keys) if keys else None

    def _segments(self, number: int) -> tuple[Ints, Floats, Floats]:
        """The indexes, the snapped lines and the bounds (left, top, right, bottom) of a level's barriers."""
        if number not in self.segments:
            levels = np.fromiter(map(attrgetter("level"), self.barriers), dtype=np.int64, count=len(self.barriers))
            which = np.flatnonzero(levels == number)
            theirs = map(attrgetter("line"), map(self.barriers.__getitem__, which.tolist()))
            ends = chain.from_iterable(chain.from_iterable(theirs))
            lines = np.fromiter(ends, dtype=float, count=4 * len(which)).reshape(-1, 2, 2)
            lines = np.round(lines * SNAP) / SNAP
            keep = (lines[:, 0] != lines[:, 1]).any(axis=1)
            lines = lines[keep]
            bounds = np.concatenate([lines.min(axis=1), lines.max(axis=1)], axis=1)
            self.segments[number] = which[keep], lines, bounds
        return self.segments[number]

    def _beside(self, number: int, box: Box, among: Ints | None = None) -> Ints:
        """The segments of a level that run through a box, or close by, as places in `_segments`; of some of them."""
        bounds = self._segments(number)[2]
        left, top, right, bottom = (bounds if among is None else bounds[among]).T
        here = (left < box[1] + 3) & (right > box[0] - 3) & (top < box[3] + 3) & (bottom > box[2] - 3)
        found: Ints = np.flatnonzero(here)
        return found if among is None else among[found]

    def _bake(self, number: int, box: Box, among: Ints | None = None) -> Crossings | None:
        """A box of a level, which no other segments run through than `among`; by default any may."""
        which, lines, _ = self._segments(number)
        if among is not None:
            here = self._beside(number, box, among)
            which, lines = which[here], lines[here]
        if not len(which):
            return None
        return _baked(self.grid, (self.cols, self.rows), box, which, lines, self.barriers)


def _baked_alike(baked: Barrier, other: Barrier) -> bool:
    # a steady wall was baked as one; what was judged case by case may become steady and still be judged
    return (baked.line, baked.level) == (other.line, other.level) and (other.steady or not baked.steady)


def bake(grid: Grid, cols: int, rows: int, barriers: Sequence[Barrier], level: int) -> Crossings | None:
    """Find, in one bulk query, every step of a level that meets a barrier.  None where the level has no barriers."""
    return Baking(grid, cols, rows, tuple(barriers)).level(level)


def _baked(
    grid: Grid, size: tuple[int, int], box: Box, which: Ints, lines: Floats, barriers: Sequence[Barrier]
) -> Crossings:
    clipped, number = _clipped(grid, size, lines)
    cells = _near(grid, box, clipped)
    probes, step, bit = _probes(grid, *size, cells)
    plain = not grid.sheared and not isinstance(grid, Foreign)
    pairs = _candidates(cells, len(grid.directions), step, clipped, number) if plain else None
    hit, met = _hits(probes, lines, pairs)
    keep = ~_along(probes[hit], lines[met])
    hit, met = hit[keep], met[keep]
    left = _distance(probes[hit, 0], lines[met]) < TOUCH
    return _collect(grid, cells, step[hit], bit[hit] | np.where(left, 0, LEAVES), which[met], barriers)


def _hits(probes: Floats, lines: Floats, pairs: tuple[Ints, Ints] | None) -> tuple[Ints, Ints]:
    """Which probes touch which barriers, as pairs of indexes; `pairs` are all that can, None: nobody has looked."""
    if pairs is None:
        import shapely

        tree = shapely.STRtree(shapely.linestrings(lines))
        hit, met = tree.query(shapely.linestrings(probes), predicate="intersects")
        return hit, met
    probe, line = pairs
    # what lies clearly on one side needs no exact geometry; the few that may just touch get it
    sure, doubtful = _crossing(probes[probe], lines[line])
    doubts = np.flatnonzero(doubtful)
    if len(doubts):
        import shapely

        first, second = (shapely.linestrings(of[at[doubts]]) for of, at in ((probes, probe), (lines, line)))
        sure[doubts] = shapely.intersects(first, second)
    return probe[sure], line[sure]


def _crossing(probes: Floats, lines: Floats) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Of each pair: whether the two surely cross, and whether it is too close to tell."""
    sure, never = np.ones(len(probes), dtype=bool), np.zeros(len(probes), dtype=bool)
    for of, ends in ((probes, lines), (lines, probes)):
        x, y = of[:, 0].T
        run_x, run_y = of[:, 1, 0] - x, of[:, 1, 1] - y
        sides = []
        for n in (0, 1):
            left, right = run_x * (ends[:, n, 1] - y), run_y * (ends[:, n, 0] - x)
            side, slack = left - right, CLEAR * (1 + np.abs(left) + np.abs(right))
            sides.append((side > slack, side < -slack))
        (above, below), (above_too, below_too) = sides
        sure &= (above & below_too) | (below & above_too)
        never |= (above & above_too) | (below & below_too)
    return sure, ~sure & ~never


def distinct(numbers: NDArray[Any]) -> NDArray[Any]:
    """The different ones of some numbers, sorted.

    By hand: numpy hashes them, which of numbers as regular as pairs of cells takes a hundred times as long, and brings
    a module that takes as long to import as a first answer.
    """
    found = np.sort(numbers, axis=None)
    return found[np.concatenate([[True], found[1:] != found[:-1]])] if len(found) else found


def _candidates(cells: Ints, ways: int, step: Ints, clipped: Floats, number: Ints) -> tuple[Ints, Ints] | None:
    """Pairs of probes and barriers that may touch, on a grid of columns and rows; None where there are too many.

    A probe reaches less than three quarters of a cell beyond the one it begins in, so it touches nothing that runs
    neither through that one nor through the eight around it.
    """
    line, col, row = _through(clipped)
    if not len(cells) or 9 * len(line) > MOST_PAIRS:
        return None
    (left, top), (right, bottom) = cells.min(axis=0) - 1, cells.max(axis=0) + 1
    high = int(bottom - top + 1)
    index = np.full((int(right - left + 1), high), -1, dtype=np.int64)
    index[cells[:, 0] - left, cells[:, 1] - top] = np.arange(len(cells))
    around = [(di, dj) for di in (-1, 0, 1) for dj in (-1, 0, 1)]
    col, row = (np.concatenate([at + step[n] for step in around]) for n, at in ((0, col), (1, row)))
    line = np.tile(line, 9)
    inside = (col >= left) & (col <= right) & (row >= top) & (row <= bottom)
    cell = index[col[inside] - left, row[inside] - top]
    pairs = distinct(line[inside][cell >= 0] * len(cells) + cell[cell >= 0])
    line, cell = np.divmod(pairs, len(cells))
    begun = step // ways
    order = np.argsort(begun, kind="stable")
    count = np.bincount(begun, minlength=len(cells))
    firsts, many = (np.cumsum(count) - count)[cell], count[cell]
    if int(many.sum()) > MOST_PAIRS:
        return None
    nth = np.arange(int(many.sum())) - np.repeat(np.cumsum(many) - many, many)
    return order[np.repeat(firsts, many) + nth], number[np.repeat(line, many)]


def _through(lines: Floats) -> tuple[Ints, Ints, Ints]:
    """The cells that lines run through: line, column and row, some of them several times."""
    begin, run = lines[:, 0], lines[:, 1] - lines[:, 0]
    every = np.arange(len(lines))
    shares, of = [np.zeros(len(lines)), np.ones(len(lines))], [every, every]
    for n in (0, 1):
        low, high = np.minimum(lines[:, 0, n], lines[:, 1, n]), np.maximum(lines[:, 0, n], lines[:, 1, n])
        first = np.ceil(low).astype(np.int64)
        count = np.where(run[:, n] != 0, np.maximum(np.floor(high).astype(np.int64) - first + 1, 0), 0)
        line = np.repeat(every, count)
        side = first[line] + np.arange(len(line)) - np.repeat(np.cumsum(count) - count, count)
        shares.append(np.clip((side - begin[line, n]) / run[line, n], 0, 1))
        of.append(line)
    share, line = np.concatenate(shares), np.concatenate(of)
    order = np.lexsort((share, line))
    share, line = share[order], line[order]
    same = line[1:] == line[:-1]
    line, middle = line[1:][same], ((share[1:] + share[:-1]) / 2)[same]
    at = np.floor(begin[line] + run[line] * middle[:, None]).astype(np.int64)
    return line, at[:, 0], at[:, 1]


def _clipped(grid: Grid, size: tuple[int, int], lines: Floats) -> tuple[Floats, Ints]:
    """The parts of lines that lie on the map, or a little beside it, and the number of each line."""
    wide, high = grid.size(*size)
    # a wall may run on for a billion cells, and is walked along
    low, most = lines.min(axis=1), lines.max(axis=1)
    beyond = (low < -2).any(axis=1) | (most[:, 0] > wide + 2) | (most[:, 1] > high + 2)
    if not beyond.any():
        return lines, np.arange(len(lines))
    parts = [
        clip(((ends[0][0], ends[0][1]), (ends[1][0], ends[1][1])), wide, high, margin=2.0) for ends in lines.tolist()
    ]
    kept = [n for n, part in enumerate(parts) if part is not None]
    return np.array([parts[n] for n in kept], dtype=float).reshape(-1, 2, 2), np.array(kept, dtype=np.int64)


def _near(grid: Grid, box: Box, lines: Floats) -> Ints:
    """Cells of a box in or beside which a barrier runs, as an (n, 2) array of (col, row)."""
    left, right, top, bottom = box
    near = np.zeros((right - left + 2, bottom - top + 2), dtype=bool)
    for first in range(0, len(lines), 1000):
        col, row = _touched(grid, lines[first : first + 1000])
        i, j = grid.store(col, row)
        for di in (-1, 0, 1):
            for dj in (-1, 0, 1):
                c, r = grid.unstore(i + di, j + dj)
                inside = (c >= left) & (c < right) & (r >= top) & (r < bottom)
                near[c[inside] - left, r[inside] - top] = True
    return np.asarray(np.argwhere(near) + np.array([left, top]))


def _touched(grid: Grid, lines: Floats) -> tuple[Ints, Ints]:
    """The cells along some lines, four points to a cell's side; some of them several times."""
    ends = lines.reshape(-1, 4)
    pieces = np.array([int(hypot(x1 - x0, y1 - y0) * 4) + 1 for x0, y0, x1, y1 in ends.tolist()], dtype=np.int64)
    line = np.repeat(np.arange(len(ends)), pieces + 1)
    share = np.arange(len(line)) - np.repeat(np.cumsum(pieces + 1) - pieces - 1, pieces + 1)
    x0, y0, x1, y1 = (ends[line, n] for n in range(4))
    x, y = x0 + (x1 - x0) * share / pieces[line], y0 + (y1 - y0) * share / pieces[line]
    if not grid.sheared and not isinstance(grid, Foreign):
        return np.floor(x).astype(np.int64), np.floor(y).astype(np.int64)
    found = np.array(list({grid.cell_at(*point) for point in zip(x.tolist(), y.tolist(), strict=True)}), dtype=np.int64)
    return found[:, 0], found[:, 1]


def _centres(grid: Grid, col: Ints, row: Ints) -> Floats:
    if not grid.sheared and not isinstance(grid, Foreign):
        return np.stack(grid.centre(col, row), axis=-1)  # type: ignore[arg-type]
    return np.array([grid.centre(c, r) for c, r in zip(col.tolist(), row.tolist(), strict=True)]).reshape(-1, 2)


def _probes(grid: Grid, cols: int, rows: int, cells: Ints) -> tuple[Floats, Ints, Ints]:
    """Probe lines of all steps out of `cells`, with the step's number (cell x directions + direction) and probe bit."""
    ways = len(grid.directions)
    centres = _centres(grid, cells[:, 0], cells[:, 1])
    i, j = grid.store(cells[:, 0], cells[:, 1])
    all_lines, all_steps, all_bits = [], [], []
    for k, direction in enumerate(grid.directions):
        col, row = grid.unstore(i + direction.di, j + direction.dj)
        here = np.flatnonzero((col >= 0) & (col < cols) & (row >= 0) & (row < rows))
        starts, ends = centres[here], _centres(grid, col[here], row[here])
        along = ends - starts
        sideways = np.stack([-along[:, 1], along[:, 0]], axis=1) / np.hypot(*along.T)[:, None]
        for bit, offset in enumerate(DIAGONAL_PROBES if direction.diagonal else STRAIGHT_PROBES):
            all_lines.append(np.stack([starts + sideways * offset, ends + sideways * offset], axis=1))
            all_steps.append(here * ways + k)
            all_bits.append(np.full(len(here), 1 << bit))
    return np.concatenate(all_lines), np.concatenate(all_steps), np.concatenate(all_bits)


def _along(probes: Floats, lines: Floats) -> NDArray[np.bool_]:
    """Pairs whose barrier lies along the probe."""
    run = probes[:, 1] - probes[:, 0]
    first, second = lines[:, 0] - probes[:, 0], lines[:, 1] - probes[:, 0]
    cross = [np.abs(run[:, 0] * end[:, 1] - run[:, 1] * end[:, 0]) for end in (first, second)]
    return np.asarray((cross[0] < 1e-9) & (cross[1] < 1e-9))


def _distance(points: Floats, lines: Floats) -> Floats:
    """How far each point is from its line."""
    run, to = lines[:, 1] - lines[:, 0], points - lines[:, 0]
    share = np.clip((to * run).sum(axis=1) / (run * run).sum(axis=1), 0, 1)
    return np.asarray(np.hypot(*(to - run * share[:, None]).T))


def _collect(grid: Grid, cells: Ints, step: Ints, bit: Ints, which: Ints, barriers: Sequence[Barrier]) -> Crossings:
    """The steps that meet something, from pairs of a step's probe and the barrier that it hits."""
    if not len(step):
        return _NOTHING
    order = np.lexsort((which, step))
    step, which, bit = step[order], which[order], bit[order]
    fresh = np.r_[True, (step[1:] != step[:-1]) | (which[1:] != which[:-1])]
    pairs = np.flatnonzero(fresh)
    step, which, mask = step[pairs], which[pairs], np.bitwise_or.reduceat(bit, pairs)
    begins = np.flatnonzero(np.r_[True, step[1:] != step[:-1]])
    ends = np.r_[begins[1:], len(step)]
    cell, k = np.divmod(step[begins], len(grid.directions))
    used = distinct(which)
    firm = np.array([barriers[n].steady for n in used.tolist()])
    steady = np.logical_and.reduceat(firm[np.searchsorted(used, which)], begins)
    union = np.bitwise_or.reduceat(mask, begins)
    diagonal = np.array([direction.diagonal for direction in grid.directions])[k]
    cut = np.where(diagonal, union & 3 == 3, (union & 2 > 0) | (union & 7 == 5))
    code = np.where(steady, np.where(cut, 1, 0), 2)
    codes: dict[Meeting, int] = {}
    whom, masks = which.tolist(), mask.tolist()
    for n in np.flatnonzero(~steady).tolist():
        a, b = int(begins[n]), int(ends[n])
        code[n] = 2 + codes.setdefault(tuple(zip(whom[a:b], masks[a:b], strict=True)), len(codes))
    met = code > 0
    i, j = grid.store(cells[cell[met], 0], cells[cell[met], 1])
    kinds = (k[met], i, j, code[met])
    direction, i, j, code = (np.asarray(part, dtype=np.int32) for part in kinds)
    return Crossings(direction, i, j, code, tuple(codes))


_EMPTY = np.zeros(0, dtype=np.int32)
_NOTHING = Crossings(_EMPTY, _EMPTY, _EMPTY, _EMPTY)
