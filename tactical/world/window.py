"""Windows: the part of a map that a question looks at."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from tactical.units import Cell
from tactical.world.battlemap import Battlemap


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
        if battlemap.grid.sheared:
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
