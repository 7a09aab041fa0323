"""Sight: a map as somebody may know it, the one filter between what is so and what may be told.

Geometry, prices, threats, words and pictures all read the map that `Sight.map` gives.  In it a secret door that the
viewer does not know is a wall without a name, a barrier is what it seems, hidden movers are not there, and of
unexplored ground nothing is known: not what it is, nor what stands, lies or leads away there.  So two maps that differ
only in what the viewer does not know give the same map, and the same answers.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from operator import attrgetter
from typing import TYPE_CHECKING, Any

import numpy as np

from tactical.units import Cell
from tactical.world.battlemap import Battlemap
from tactical.world.edges.barriers import Barrier, DoorState, Kind
from tactical.world.grids import Grid, Point
from tactical.world.mover import Mover
from tactical.world.parts import MOST_TERRAINS, Level, Link, Zone
from tactical.world.terrain import Terrain

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Bools = NDArray[np.bool_]

UNEXPLORED = Terrain(name="unexplored", unknown=True)
"""The ground of which nothing is known."""

ANYBODY = Mover("anybody at the table")
"""The viewer of pictures that are drawn for no mover in particular: knows no secret and is nobody's friend."""

BESIDE = 0.2
"""Cells from explored ground within which a barrier is seen: maps draw walls beside the sides of cells, not on them.
As far as the probes of a step lie apart, and less than what would show walls of hexes that only touch explored ones."""

LAND, LAND_CELL = 1 << 16, 8
"""Bytes that what is kept of the ground as somebody sees it comes to, and for each cell: not all who ever looked are
kept."""


@dataclass(frozen=True, eq=False)
class Sight:
    """What a `viewer` may know of a map; None is the game master, who knows the truth.

    `known` are the explored cells (None: all); ground that the map itself calls `unknown` is not explored either.
    """

    truth: Battlemap
    viewer: Mover | None = None
    known: frozenset[Cell] | None = None

    def map(self) -> Battlemap:
        """The map as the viewer knows it; the very same one where nothing is hidden.

        Barriers keep their numbers: one that is not seen becomes a point, pieces of one that is seen in parts follow
        behind the last.
        """
        # most questions end here
        return self.truth if self.sees_all else self._map

    @property
    def sees_all(self) -> bool:
        """Whether nothing of the map is hidden from the viewer."""
        truth = self.truth
        return self.viewer is None or (self.known is None and not truth.company.hiding and not _keeps_anything(truth))

    def sees(self, other: Mover) -> bool:
        """Whether the viewer's plans count another body: it neither hides nor stands wholly on unexplored ground."""
        if self.viewer is None:
            return True
        return not other.hidden and self._lit(other)

    def dark(self, cell: Cell) -> bool:
        """Whether a cell of the map is unexplored."""
        return self._fog is not None and cell in self.truth and bool(self._fog[cell.level][cell.row, cell.col])

    @property
    def _all_open(self) -> bool:
        """Whether everybody may know all of the ground."""
        return self.known is None and not _keeps_anything(self.truth)

    # -- what is dark -------------------------------------------------------------------------------------------------

    @cached_property
    def _fog(self) -> tuple[Bools, ...] | None:
        """Per level and by row and column: unexplored; None where everything is known."""
        if self.viewer is None or self._all_open:
            return None
        truth, unknown = self.truth, np.array([terrain.unknown for terrain in self.truth.palette])
        # a zone of the mover's own does not affect it
        own = (self.viewer.id, "mover")
        zones = [zone for zone in truth.zones if "unknown" in zone.facts and zone.source not in own]
        if self.known is None and not zones and not unknown.any():
            return None
        fog = [unknown[level.ground] for level in truth.levels]
        for zone in zones:
            for cell in zone.cells:
                if cell in truth:
                    fog[cell.level][cell.row, cell.col] = bool(zone.facts["unknown"])
        if self.known is not None:
            lit = [np.zeros_like(dark) for dark in fog]
            for cell in self.known:
                if cell in truth:
                    lit[cell.level][cell.row, cell.col] = True
            fog = [dark | ~seen for dark, seen in zip(fog, lit, strict=True)]
        return tuple(fog) if any(dark.any() for dark in fog) else None

    def _lit(self, other: Mover) -> bool:
        if self._fog is None or other.at is None:
            return True
        covered = [cell for cell in self.truth.body(other.at, other.size) if cell in self.truth]
        return any(not self.dark(cell) for cell in covered)

    # -- what is left of the map --------------------------------------------------------------------------------------

    @cached_property
    def _map(self) -> Battlemap:
        truth, viewer = self.truth, self.viewer
        assert viewer is not None
        changes: dict[str, Any] = {}
        if self._fog is not None or truth.company.hiding:
            # one's friends are shown even where they hide, though no plan counts on where they are
            friends = {mover.id for mover in truth.movers if mover.id == viewer.id or viewer.towards(mover) == "ally"}
            movers = tuple(mover for mover in truth.movers if mover.id in friends or self.sees(mover))
            if len(movers) < len(truth.movers):
                changes["movers"] = movers
        if self._fog is not None or truth.store.kept("secrets", lambda: [_keeps_secrets(truth)])[0]:
            changes |= self._land(viewer)
        return truth.with_checked(changes) if changes else truth

    def _land(self, viewer: Mover) -> dict[str, Any]:
        """What of the ground is otherwise to the viewer, kept with the map: so is what is worked out about that ground.

        Who knows the same secrets shares it; of a viewer who explores only what it knows last is kept.
        """
        store, secrets = self.truth.store, frozenset(viewer.knows)
        # zones of one's own, and what is explored, are each one's own affair
        key = ("land", secrets, "" if self._fog is None else viewer.id)
        kept: tuple[frozenset[Cell] | None, dict[str, Any]] | None = store.get(key)
        if kept is not None and kept[0] == self.known:
            return kept[1]
        changes: dict[str, Any] = {}
        barriers = tuple(self._barriers())
        if any(mine is not theirs for mine, theirs in zip(barriers, self.truth.barriers, strict=False)):
            changes["barriers"] = barriers
        if self._fog is not None:
            changes |= self._ground(self._fog)
            changes["zones"] = tuple(self._zones())
            changes["links"] = tuple(self._links())
        if changes:
            seen = replace(self.truth, **changes, movers=())
            changes |= {"_store": seen.store, "_baked": seen._baked}
        cells = self.truth.cols * self.truth.rows * len(self.truth.levels)
        return store.put(key, (self.known, changes), LAND + LAND_CELL * cells)[1]

    def _ground(self, fog: tuple[Bools, ...]) -> dict[str, Any]:
        truth, seen = self.truth, np.zeros(len(self.truth.palette), dtype=bool)
        for level, dark in zip(truth.levels, fog, strict=True):
            seen[level.ground[~dark]] = True
        # numbers stay what they are; a kind of ground that is nowhere seen is forgotten
        palette = [terrain if known else UNEXPLORED for terrain, known in zip(truth.palette, seen, strict=True)]
        number = len(palette)
        if number < MOST_TERRAINS or seen.all():
            palette.append(UNEXPLORED)
        else:
            number = int(np.flatnonzero(~seen)[0])
        levels = [
            Level(level.name, np.where(dark, number, level.ground), level.height) if dark.any() else level
            for level, dark in zip(truth.levels, fog, strict=True)
        ]
        return {"palette": tuple(palette), "levels": tuple(levels)}

    def _zones(self) -> Iterator[Zone]:
        for zone in self.truth.zones:
            cells = frozenset(cell for cell in zone.cells if not self.dark(cell))
            if len(cells) == len(zone.cells):
                yield zone
            elif cells:
                yield replace(zone, cells=cells)

    def _links(self) -> Iterator[Link]:
        """A link is known from an explored end on; the other way it leads only where that end is explored too."""
        for link in self.truth.links:
            start, end = not self.dark(link.start), not self.dark(link.end)
            if start and (end or not link.two_way):
                yield link
            elif start:
                yield replace(link, two_way=False)
            elif end and link.two_way:
                yield replace(link, start=link.end, end=link.start, two_way=False)

    # -- barriers -----------------------------------------------------------------------------------------------------

    def _barriers(self) -> Iterator[Barrier]:
        """The barriers in the map's order, then the further pieces of those that are seen in several parts."""
        more: list[Barrier] = []
        for barrier in self.truth.barriers:
            seems = self._seeming(barrier)
            lines = self._seen_parts(barrier)
            if lines is None:
                yield seems
            elif not lines:
                yield Barrier(((0.0, 0.0), (0.0, 0.0)), Kind.INVISIBLE, level=barrier.level)
            else:
                yield replace(seems, line=lines[0])
                more += [replace(seems, line=line) for line in lines[1:]]
        yield from more

    def _seeming(self, barrier: Barrier) -> Barrier:
        """A barrier as the viewer takes it: nothing of a secret door may show that it is more than a wall."""
        assert self.viewer is not None
        if barrier.kind is Kind.DOOR and barrier.state is DoorState.SECRET and barrier.id not in self.viewer.knows:
            return Barrier(barrier.line, Kind.WALL, bottom=barrier.bottom, top=barrier.top, level=barrier.level)
        return replace(barrier, truth="") if barrier.truth else barrier

    def _seen_parts(self, barrier: Barrier) -> tuple[tuple[Point, Point], ...] | None:
        """The parts of a barrier on or beside explored ground; None where that is all of it."""
        if self._fog is None or barrier.level >= len(self._fog):
            return None
        fog, grid = self._fog[barrier.level], self.truth.grid
        (x0, y0), (x1, y1) = barrier.line
        corners = [grid.cell_at(x, y) for x in (x0, x1) for y in (y0, y1)]
        left, right = min(c for c, _ in corners) - 1, max(c for c, _ in corners) + 2
        top, bottom = min(r for _, r in corners) - 1, max(r for _, r in corners) + 2
        around = fog[max(top, 0) : max(bottom, 0), max(left, 0) : max(right, 0)]
        if around.size and not around.any():
            return None
        if around.all():
            return ()
        out: list[tuple[Point, Point]] = []
        cuts = _cuts(grid, barrier.line)
        kept = [self._beside((a + b) / 2, barrier) for a, b in pairwise(cuts)]
        if all(kept):
            return None
        begun: float | None = None
        for n, seen in enumerate([*kept, False]):
            if seen and begun is None:
                begun = cuts[n]
            elif not seen and begun is not None:
                out.append((_at(barrier.line, begun), _at(barrier.line, cuts[n])))
                begun = None
        return tuple(out)

    def _beside(self, t: float, barrier: Barrier) -> bool:
        x, y = _at(barrier.line, t)
        offsets = (-BESIDE, 0.0, BESIDE)
        near = {Cell(*self.truth.grid.cell_at(x + dx, y + dy), barrier.level) for dx in offsets for dy in offsets}
        return any(cell in self.truth and not self.dark(cell) for cell in near)


def _keeps_secrets(battlemap: Battlemap) -> bool:
    """Whether any barrier is not to everybody what it is."""
    # a map may have a hundred thousand of them, and the first question waits for this
    barriers = battlemap.barriers
    return any(map(attrgetter("truth"), barriers)) or DoorState.SECRET in map(attrgetter("state"), barriers)


def _keeps_anything(battlemap: Battlemap) -> bool:
    """Whether any ground of a map is unexplored to somebody, or a barrier is a secret; looked up once for a map."""
    found: list[bool] | None = battlemap.store.get("open")
    if found is None:
        dark = any(ground.unknown for ground in battlemap.palette) or _keeps_secrets(battlemap)
        found = battlemap.store.put("open", [dark or any("unknown" in zone.facts for zone in battlemap.zones)])
    return found[0]


def _at(line: tuple[Point, Point], t: float) -> Point:
    (x0, y0), (x1, y1) = line
    # rounded, so that the same end comes out however far the barrier goes on in the dark
    return round(x0 + (x1 - x0) * t, 6), round(y0 + (y1 - y0) * t, 6)


def _cuts(grid: Grid, line: tuple[Point, Point]) -> list[float]:
    """Where a line passes from one cell to the next, as shares of its length, both ends included."""
    (x0, y0), (x1, y1) = line
    length = ((x1 - x0) ** 2 + (y1 - y0) ** 2) ** 0.5
    steps = int(length * 4) + 1
    touched = {grid.cell_at(x0 + (x1 - x0) * n / steps, y0 + (y1 - y0) * n / steps) for n in range(steps + 1)}
    found = {0.0, 1.0}
    for col, row in touched:
        corners = grid.polygon(col, row)
        for (ax, ay), (bx, by) in zip(corners, [*corners[1:], corners[0]], strict=True):
            across = (x1 - x0) * (by - ay) - (y1 - y0) * (bx - ax)
            if abs(across) < 1e-9:
                # the line lies along this side, or beside it: it goes from corner to corner
                found |= {((x - x0) * (x1 - x0) + (y - y0) * (y1 - y0)) / length**2 for x, y in ((ax, ay), (bx, by))}
                continue
            found.add(((ax - x0) * (by - ay) - (ay - y0) * (bx - ax)) / across)
    inside = sorted(t for t in found if 0.0 <= t <= 1.0)
    return [t for n, t in enumerate(inside) if not n or t - inside[n - 1] > 1e-6]
