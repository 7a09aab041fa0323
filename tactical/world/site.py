"""A site: one mover's view of one map at one moment.

It holds, for a window of the map, which cells can be entered, passed and stopped on, what lies between cells, and who
threatens what, all on the map as its `Sight` shows it to the mover (or as it is).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from tactical.units import Cell
from tactical.world.company import Passage, passage, reach_of, shares
from tactical.world.edges.crossing import Crossed, Crossing
from tactical.world.mover import Mover
from tactical.world.window import Plot

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tactical.world.window import Bools

FREE, HELD = 0, 7
"""Codes of a cell without bodies, and of one whose body lets nobody by; codes between are kinds of `Site.passages`."""


_ALIKE = (
    "pad", "directions", "_ground", "hazardous", "used", "solid", "height_scale", "elevation", "flat", "headroom",
    "crossed", "closed_to_plans", "cells",
)  # fmt: skip
"""What two sites of one window share that differ in their bodies only."""


@dataclass(frozen=True, eq=False)
class Site(Plot):
    """What one mover meets on a map as `sight` shows it: its ground, and the bodies, barriers and threats on it."""

    _cache: dict[object, object] = field(default_factory=dict, repr=False)

    def share(self, other: Site) -> None:
        """Take over what another site of the same window has worked out, but for bodies."""
        known = other.__dict__
        self.__dict__.update((name, known[name]) for name in _ALIKE if name in known)

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

    @property
    def enemies(self) -> tuple[Mover, ...]:
        """The enemies that may strike, as far as this mover knows: nobody strikes at one it does not know of."""
        return () if self.mover.hidden or self.options["strikes"] == "none" else self.foes

    @cached_property
    def strikers(self) -> tuple[tuple[Mover, tuple[int, int, int] | None, int], ...]:
        """The enemies that may strike, each with its level and storage coordinates (None: nowhere), and how far from
        these a body must stand to be out of its reach, walls or no walls."""
        store, size = self.battlemap.grid.store, self.mover.size
        return tuple(
            (one, None if one.at is None else (one.at.level, *store(one.at.col, one.at.row)),
             self.reach(one) + one.size + size)
            for one in self.enemies
        )  # fmt: skip

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
