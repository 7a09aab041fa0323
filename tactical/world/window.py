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
