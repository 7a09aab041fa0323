"""Windows: the part of a map that a question looks at, and a map in another unit."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np

from tactical.units import METRES, Cell, exact
from tactical.world.battlemap import Battlemap
from tactical.world.edges.barriers import Barrier
from tactical.world.terrain import Terrain


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


def in_unit(battlemap: Battlemap, unit: str) -> Battlemap:
    """The map measured in `unit`: cells, heights and flat prices; the same map where that is its unit already.

    A unit that is neither feet nor metres is taken as it is: nobody knows how long it is.
    """
    if battlemap.unit == unit or battlemap.unit not in METRES or unit not in METRES:
        return battlemap
    factor = METRES[battlemap.unit] / METRES[unit]
    return replace(
        battlemap,
        unit=unit,
        cell=battlemap.cell * factor,
        palette=tuple(_ground(terrain, factor) for terrain in battlemap.palette),
        levels=tuple(replace(level, height=level.height * factor) for level in battlemap.levels),
        barriers=tuple(_barrier(barrier, factor) for barrier in battlemap.barriers),
        links=tuple(replace(link, cost=link.cost * factor) for link in battlemap.links),
        zones=tuple(replace(zone, facts=_facts(zone.facts, factor)) for zone in battlemap.zones),
    )


def _ground(terrain: Terrain, factor: Fraction) -> Terrain:
    return replace(terrain, elevation=terrain.elevation * factor) if terrain.elevation else terrain


def _barrier(barrier: Barrier, factor: Fraction) -> Barrier:
    lengths = {name: getattr(barrier, name) for name in ("cost", "bottom", "top")}
    scaled = {name: value * factor for name, value in lengths.items() if value is not None}
    return replace(barrier, **scaled) if scaled else barrier


def _facts(facts: Mapping[str, object], factor: Fraction) -> Mapping[str, object]:
    if "elevation" not in facts:
        return facts
    return {**facts, "elevation": exact(facts["elevation"]) * factor}
