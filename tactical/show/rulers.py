"""Rulers beside a picture: column letters above it and row numbers on its left, as cells are called everywhere."""

from __future__ import annotations

from typing import NamedTuple

from tactical.show.scene.shapes import Scene
from tactical.units import column_name

LETTER = 0.6
"""Width of an average letter in font sizes."""
LEAST, MOST = 9.0, 16.0
"""Smallest and largest size of the letters, in pixels."""


class Rulers(NamedTuple):
    """A cell, the letters' `size` and the margins, in pixels; names with the middle of their line in cells."""

    cell: float
    size: float
    left: float
    top: float
    columns: tuple[tuple[float, str], ...]
    rows: tuple[tuple[float, str], ...]


def rulers(scene: Scene, cell: float) -> Rulers:
    """The rulers of a picture whose cells are `cell` pixels wide; where they are small, only some lines are named."""
    c0, r0, c1, r1 = scene.view
    size = min(MOST, max(LEAST, cell * 0.4))
    centre = scene.grid.centre
    columns = [(centre(col, r0)[0], column_name(col)) for col in range(c0, c1)]
    rows = [(centre(c0, row)[1], str(row + 1)) for row in range(r0, r1)]
    widest = max(len(name) for _, name in columns) * size * LETTER
    left = max(len(name) for _, name in rows) * size * LETTER + size * 0.6
    named = tuple(_spaced(columns, (widest + size * 0.4) / cell)), tuple(_spaced(rows, size / cell))
    return Rulers(cell, size, left, size * 1.5, *named)


def _spaced(names: list[tuple[float, str]], room: float) -> list[tuple[float, str]]:
    """Every line's name, or every second, fifth, tenth …, so that each has `room`."""
    pitch = abs(names[1][0] - names[0][0]) if len(names) > 1 else room
    step = next(step for step in (1, 2, 5, 10, 20, 50, 100, 200, 500, 10**9) if step * pitch >= room or step > 500)
    # the fifth, the tenth: counted as people count, from one
    return [one for n, one in enumerate(names) if step == 1 or (n + 1) % step == 0]
