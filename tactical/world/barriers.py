"""Barriers: free line segments that stand between cells, and which steps they meet.

When does a wall block a step?  Real maps put walls anywhere, so neither "wall = cell edge" nor one centre-to-centre
line will do (a wall through a cell's middle makes that test a toss).  Every step is therefore probed by parallel lines
and touching counts as a hit:

*straight step*: three probes, at sideways offsets -0.2, 0 and +0.2 cell.  Walls cut it if the middle probe is hit or at
least two of the three are.  If any probe hits a door the step is a door crossing and the door's state alone decides.

*diagonal step*: two probes, at sideways offsets -0.1 and +0.1 cell.  Barriers cut it only if both are hit.  So a wall
that merely ends at the corner (a door post, the end of a thin wall) leaves the line itself uncut, and whether the
corner may be passed is the corner policy's business, which looks at the two ways round (see `tactical.world.site`); a
wall that runs across the corner, on whichever slant, cuts the diagonal even where neither way round meets it.

A door through the middle of a cell is met both on entering and on leaving that cell; its price and its opening count
on entering, and whoever stands in the doorway has it open.

A barrier that lies along a probe is no crossing.  Ends are snapped to 1/256 cell first and zero lengths dropped.

Baking records *which barriers a step meets*, not whether they stop it: a door that opens, a secret that becomes known
or a flying mover changes a look-up of a few entries and never the geometry.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from fractions import Fraction
from math import hypot
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from tactical import values
from tactical.errors import nearest
from tactical.world.grids import Grid, Point
from tactical.world.segments import clip

if TYPE_CHECKING:
    from numpy.typing import NDArray

SNAP = 256
TOUCH = 1e-9
LEAVES = 8
"""Bit of a meeting: some probe hits the barrier elsewhere than at its start (the mover is not standing in it)."""
STRAIGHT_PROBES = (-0.2, 0.0, 0.2)
DIAGONAL_PROBES = (-0.1, 0.1)


class Kind(StrEnum):
    """What a barrier is."""

    WALL = "wall"
    DOOR = "door"
    WINDOW = "window"
    FENCE = "fence"
    LOW_WALL = "low-wall"
    INVISIBLE = "invisible"


class DoorState(StrEnum):
    """The state of a door.  A secret door is closed, and a wall to whoever does not know it."""

    OPEN = "open"
    CLOSED = "closed"
    LOCKED = "locked"
    SECRET = "secret"


E = TypeVar("E", bound=StrEnum)

MODES = ("walk", "crawl", "run", "run_dodge", "wade", "swim", "climb", "drive", "fly")
"""Modes of moving that a barrier may stop on its own."""

# Kinds that never let a walker through, whatever the price.
SOLID = frozenset({Kind.WALL, Kind.WINDOW, Kind.INVISIBLE})
# Kinds that do not stop a weapon's reach (an opportunity attack through a window or over a fence).
REACHED_THROUGH = frozenset({Kind.WINDOW, Kind.FENCE, Kind.LOW_WALL, Kind.INVISIBLE})


@dataclass(frozen=True, slots=True)
class Barrier:
    """One segment, in cell units from the map's top left corner.

    `state` is a door's; `cost` the flat price of getting over (fence, low wall) or through (door, lock).  A barrier
    with `one_way` left (right) lets movers pass towards its left (right) side, as seen going from the first point to
    the second, and is a wall the other way.  `bottom` and `top`, in the map's unit, bound the heights it exists for.
    `truth` is what the barrier really is where movers believe `kind` (a kind, or ``door-locked`` and so on).  With
    `stops` it stops only these modes of moving (``walk``, ``crawl``, ``swim``, ``wade``, ``climb``, ``drive`` …).

    Numbers may be given as anything `tactical.units.exact` reads, `kind` and `state` by their words.  Raises
    `ValueError` or `TypeError`, naming the field, for a value out of place.
    """

    line: tuple[Point, Point]
    kind: Kind = Kind.WALL
    id: str = ""
    state: DoorState | None = None
    one_way: str = ""
    cost: Fraction | None = None
    bottom: Fraction | None = None
    top: Fraction | None = None
    level: int = 0
    truth: str = ""
    stops: tuple[str, ...] = ()

    if TYPE_CHECKING:
        # what it may be made from; the fields hold what it becomes
        def __init__(
            self,
            line: Sequence[Sequence[float]],
            kind: Kind | str = ...,
            id: str = ...,
            state: DoorState | str | None = ...,
            one_way: str = ...,
            cost: values.Number | None = ...,
            bottom: values.Number | None = ...,
            top: values.Number | None = ...,
            level: int = ...,
            truth: str = ...,
            stops: Sequence[str] = ...,
        ) -> None: ...

    def __post_init__(self) -> None:
        settle = object.__setattr__
        settle(self, "line", _segment(self.line))
        settle(self, "kind", _one_of(Kind, self.kind, "kind of barrier"))
        if self.kind is Kind.DOOR:
            state = DoorState.CLOSED if self.state is None else _one_of(DoorState, self.state, "state of a door")
            settle(self, "state", state)
        elif self.state is not None:
            raise ValueError(f"a {self.kind} has no state")
        values.word(self.id, "a barrier's id")
        if self.one_way not in ("", "left", "right"):
            raise ValueError(f"one_way is left or right, not {self.one_way!r}")
        if self.cost is not None:
            settle(self, "cost", values.measure(self.cost, "a barrier's cost", least=0))
        for name in ("bottom", "top"):
            height = getattr(self, name)
            if height is not None:
                settle(self, name, values.measure(height, f"a barrier's {name}"))
        settle(self, "level", values.whole(self.level, "a barrier's level"))
        if self.truth:
            _truth(self.truth)
        settle(self, "stops", values.words(self.stops, "stops"))
        if not set(self.stops) <= set(MODES):
            raise ValueError(f"stops takes modes of moving ({', '.join(MODES)}), not {', '.join(self.stops)}")

    @property
    def steady(self) -> bool:
        """True for what stops everything in every state of knowledge (a window lets a weapon's reach through)."""
        plain = not (self.one_way or self.truth or self.stops)
        return self.kind is Kind.WALL and plain and self.bottom is None and self.top is None

    def at_height(self, z: Fraction) -> bool:
        """Whether the barrier exists for a mover whose feet are at height `z`: bottom <= z < top."""
        return (self.bottom is None or self.bottom <= z) and (self.top is None or z < self.top)

    def really(self) -> Barrier:
        """The barrier as it is in truth."""
        if not self.truth:
            return self
        kind, state = _truth(self.truth)
        return replace(self, kind=kind, state=state, truth="")

    def named(self) -> str:
        """The barrier in words, for reasons: ``closed door 'gate'``."""
        words = (
            f"{self.state.value} door" if self.kind is Kind.DOOR and self.state else self.kind.value.replace("-", " ")
        )
        return f"{words} {self.id!r}" if self.id else words

    def passes(self, dx: float, dy: float) -> bool:
        """Whether a step in direction (dx, dy) goes the way a one-way barrier allows."""
        (x0, y0), (x1, y1) = self.line
        # y grows downwards, so the left of (1, 0) is (0, -1)
        leftward = (y1 - y0) * dx - (x1 - x0) * dy
        return leftward > 0 if self.one_way == "left" else leftward < 0


def _segment(line: Any) -> tuple[Point, Point]:
    try:
        first, second = line
    except (TypeError, ValueError):
        raise TypeError(f"a barrier's line is two points ((x, y), (x, y)), not {line!r}") from None
    return values.point(first, "a barrier's end"), values.point(second, "a barrier's end")


def _one_of(kind: type[E], value: str, what: str) -> E:
    try:
        return kind(value)
    except ValueError:
        known = [one.value for one in kind]
        near = nearest(str(value), known)
        hint = f", did you mean {near!r}?" if near else ""
        raise ValueError(f"{value!r} is no {what} (known: {', '.join(known)}){hint}") from None


def _truth(text: str) -> tuple[Kind, DoorState | None]:
    kind, _, state = text.partition("-") if text.startswith("door-") else (text, "", "")
    return _one_of(Kind, kind, "kind of barrier"), _one_of(DoorState, state, "state of a door") if state else None


Meeting = tuple[tuple[int, int], ...]
"""What a step meets: pairs of (barrier index, bit mask of the probes that hit it, and `LEAVES`)."""


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


@dataclass(slots=True)
class Baking:
    """What was baked, level by level, and for which segments: it holds for no others."""

    grid: Grid
    cols: int
    rows: int
    barriers: tuple[Barrier, ...]
    levels: dict[int, Crossings | None] = field(default_factory=dict)

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
            self.levels[number] = bake(self.grid, self.cols, self.rows, self.barriers, number)
        return self.levels[number]


def _baked_alike(baked: Barrier, other: Barrier) -> bool:
    # a steady wall was baked as one; what was judged case by case may become steady and still be judged
    return (baked.line, baked.level) == (other.line, other.level) and (other.steady or not baked.steady)


def snapped(line: tuple[Point, Point]) -> tuple[Point, Point] | None:
    """The segment with its ends on the 1/256 lattice, or None if nothing is left of it."""
    (x0, y0), (x1, y1) = (tuple(round(value * SNAP) / SNAP for value in point) for point in line)
    return None if (x0, y0) == (x1, y1) else ((x0, y0), (x1, y1))


def cut_straight(mask: int) -> bool:
    """The three-probe rule on the union of walls hit: the middle one, or two of three."""
    return bool(mask & 2) or mask & 7 == 5


def cut_diagonal(mask: int) -> bool:
    """Both probes of a diagonal hit."""
    return mask & 3 == 3


def bake(grid: Grid, cols: int, rows: int, barriers: Sequence[Barrier], level: int) -> Crossings | None:
    """Find, in one bulk query, every step of a level that meets a barrier.  None where the level has no barriers."""
    chosen = [(index, line) for index, b in enumerate(barriers) if b.level == level and (line := snapped(b.line))]
    if not chosen:
        return None
    import shapely

    lines = np.array([line for _, line in chosen], dtype=float)
    number = np.array([index for index, _ in chosen], dtype=np.int64)
    cells = _near(grid, cols, rows, lines)
    probes, step, bit = _probes(grid, cols, rows, cells)
    walls = shapely.linestrings(lines)
    tree = shapely.STRtree(walls)
    hit, which = tree.query(shapely.linestrings(probes), predicate="intersects")
    keep = ~_along(probes[hit], lines[which])
    hit, which = hit[keep], which[keep]
    left = shapely.distance(shapely.points(probes[hit, 0]), walls[which]) < TOUCH
    return _collect(grid, cells, step[hit], bit[hit] | np.where(left, 0, LEAVES), number[which], barriers)


def _near(grid: Grid, cols: int, rows: int, lines: NDArray[np.float64]) -> NDArray[np.int64]:
    """Cells in or beside which a barrier runs, as an (n, 2) array of (col, row)."""
    touched: set[tuple[int, int]] = set()
    wide, high = grid.size(cols, rows)
    for ends in lines.tolist():
        # a wall may run on for a billion cells: only its part on the map, and a little beside it, is walked along
        line = clip(((ends[0][0], ends[0][1]), (ends[1][0], ends[1][1])), wide, high, margin=2.0)
        if line is None:
            continue
        (x0, y0), (x1, y1) = line
        pieces = int(hypot(x1 - x0, y1 - y0) * 4) + 1
        touched.update(
            grid.cell_at(x0 + (x1 - x0) * share / pieces, y0 + (y1 - y0) * share / pieces)
            for share in range(pieces + 1)
        )
    near: set[tuple[int, int]] = set()
    for col, row in touched:
        i, j = grid.store(col, row)
        near.update(grid.unstore(i + di, j + dj) for di in (-1, 0, 1) for dj in (-1, 0, 1))
    inside = sorted((col, row) for col, row in near if 0 <= col < cols and 0 <= row < rows)
    return np.array(inside, dtype=np.int64).reshape(-1, 2)


def _probes(
    grid: Grid, cols: int, rows: int, cells: NDArray[np.int64]
) -> tuple[NDArray[np.float64], NDArray[np.int64], NDArray[np.int64]]:
    """Probe lines of all steps out of `cells`, with the step's number (cell x directions + direction) and probe bit."""
    ways = len(grid.directions)
    centres = np.array([grid.centre(int(col), int(row)) for col, row in cells]).reshape(-1, 2)
    i, j = grid.store(cells[:, 0], cells[:, 1])
    all_lines, all_steps, all_bits = [], [], []
    for k, direction in enumerate(grid.directions):
        col, row = grid.unstore(i + direction.di, j + direction.dj)
        here = np.flatnonzero((col >= 0) & (col < cols) & (row >= 0) & (row < rows))
        ends = np.array([grid.centre(int(col[n]), int(row[n])) for n in here]).reshape(-1, 2)
        starts = centres[here]
        along = ends - starts
        sideways = np.stack([-along[:, 1], along[:, 0]], axis=1) / np.hypot(*along.T)[:, None]
        for bit, offset in enumerate(DIAGONAL_PROBES if direction.diagonal else STRAIGHT_PROBES):
            all_lines.append(np.stack([starts + sideways * offset, ends + sideways * offset], axis=1))
            all_steps.append(here * ways + k)
            all_bits.append(np.full(len(here), 1 << bit))
    return np.concatenate(all_lines), np.concatenate(all_steps), np.concatenate(all_bits)


def _along(probes: NDArray[np.float64], lines: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Pairs whose barrier lies along the probe."""
    run = probes[:, 1] - probes[:, 0]
    first, second = lines[:, 0] - probes[:, 0], lines[:, 1] - probes[:, 0]
    cross = [np.abs(run[:, 0] * end[:, 1] - run[:, 1] * end[:, 0]) for end in (first, second)]
    return np.asarray((cross[0] < 1e-9) & (cross[1] < 1e-9))


def _collect(
    grid: Grid,
    cells: NDArray[np.int64],
    step: NDArray[np.int64],
    bit: NDArray[np.int64],
    which: NDArray[np.int64],
    barriers: Sequence[Barrier],
) -> Crossings:
    ways = len(grid.directions)
    masks: dict[int, dict[int, int]] = {}
    for s, b, w in zip(step.tolist(), bit.tolist(), which.tolist(), strict=True):
        at = masks.setdefault(s, {})
        at[w] = at.get(w, 0) | b
    codes: dict[Meeting, int] = {}
    rows: list[tuple[int, int, int, int]] = []
    store_i, store_j = grid.store(cells[:, 0], cells[:, 1])
    for s, met in masks.items():
        cell, k = divmod(s, ways)
        if all(barriers[w].steady for w in met):
            union = 0
            for mask in met.values():
                union |= mask
            cut = cut_diagonal(union) if grid.directions[k].diagonal else cut_straight(union)
            if not cut:
                continue
            code = 1
        else:
            code = 2 + codes.setdefault(tuple(sorted(met.items())), len(codes))
        rows.append((k, int(store_i[cell]), int(store_j[cell]), code))
    table = np.array(rows, dtype=np.int32).reshape(-1, 4)
    return Crossings(table[:, 0], table[:, 1], table[:, 2], table[:, 3], tuple(codes))


def doors_by_id(barriers: Iterable[Barrier]) -> Mapping[str, Barrier]:
    """The doors that have an id."""
    return {b.id: b for b in barriers if b.kind is Kind.DOOR and b.id}
