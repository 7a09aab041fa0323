"""A map as a flat value for JSON: terrain by number, rows of numbers, everything else as it is.

The picture of a map is not carried (it may be larger than all the rest), nor where it was read from.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np

from tactical.world.battlemap import Battlemap, Level, Link, Zone
from tactical.world.edges.barriers import Barrier
from tactical.world.grids import get_grid
from tactical.world.mover import Mover
from tactical.world.terrain import Terrain


@dataclass(frozen=True, slots=True)
class FlatLevel:
    """One floor: per row, per column the index of a terrain in the palette."""

    name: str
    ground: tuple[tuple[int, ...], ...]
    height: Fraction = Fraction(0)


@dataclass(frozen=True, slots=True)
class FlatMap:
    """A `Battlemap` in plain values."""

    levels: tuple[FlatLevel, ...]
    palette: tuple[Terrain, ...]
    grid: str = "square"
    cell: Fraction = Fraction(5)
    unit: str = "ft"
    name: str = ""
    rules: str = ""
    options: Mapping[str, object] = field(default_factory=dict)
    barriers: tuple[Barrier, ...] = ()
    links: tuple[Link, ...] = ()
    zones: tuple[Zone, ...] = ()
    movers: tuple[Mover, ...] = ()
    glyphs: Mapping[str, int] = field(default_factory=dict)
    pixels: float | None = None
    origin: tuple[float, float] = (0.0, 0.0)

    @classmethod
    def of(cls, battlemap: Battlemap) -> FlatMap:
        """The flat value of a map."""
        levels = tuple(
            FlatLevel(level.name, tuple(tuple(row) for row in level.ground.tolist()), level.height)
            for level in battlemap.levels
        )
        return cls(
            levels,
            battlemap.palette,
            battlemap.grid.name,
            battlemap.cell,
            battlemap.unit,
            battlemap.name,
            battlemap.rules,
            dict(battlemap.options),
            battlemap.barriers,
            battlemap.links,
            battlemap.zones,
            battlemap.movers,
            dict(battlemap.glyphs),
            battlemap.pixels,
            battlemap.origin,
        )

    def battlemap(self) -> Battlemap:
        """The map.  Raises `ValueError` for ragged rows or a terrain that the palette does not have."""
        if not self.levels:
            raise ValueError("a map has at least one level")
        levels = []
        shape = None
        for level in self.levels:
            widths = {len(row) for row in level.ground}
            if len(widths) != 1 or 0 in widths:
                raise ValueError(f"level {level.name!r}: rows of {sorted(widths)} cells, expected equally long ones")
            shape = shape or (len(level.ground), *widths)
            if (len(level.ground), *widths) != shape:
                raise ValueError(f"level {level.name!r} has another size than the first")
            wrong = {n for row in level.ground for n in row if not 0 <= n < len(self.palette)}
            if wrong:
                raise ValueError(f"level {level.name!r}: no terrain number {min(wrong)} among {len(self.palette)}")
            levels.append(Level(level.name, np.array(level.ground, dtype=np.uint16), level.height))
        return Battlemap(
            tuple(levels),
            self.palette,
            get_grid(self.grid),
            self.cell,
            self.unit,
            self.barriers,
            self.links,
            self.zones,
            self.movers,
            self.rules,
            dict(self.options),
            self.name,
            dict(self.glyphs),
            pixels=self.pixels,
            origin=self.origin,
        )
