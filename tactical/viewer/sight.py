"""What can be seen from where somebody stands: the fog's edge.

A cell is seen when the line from the eye to its middle meets no barrier that stops the eye (walls, closed doors) and no
solid ground on its way; the first solid cell on a line is seen itself.  Heights do not count.  This decides what a
picture shows and what a mover knows, never what a move costs.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import ceil

from tactical.show.scene.ground import SOLID, look
from tactical.units import Cell
from tactical.world.battlemap import Battlemap
from tactical.world.edges.barriers import DoorState, Kind

FAR = 24
"""Cells that can be seen at the most."""


def seen_from(battlemap: Battlemap, at: Cell, size: int = 1, *, far: int = FAR) -> frozenset[Cell]:
    """The cells seen by a body."""
    import shapely

    grid = battlemap.grid
    lines = [
        barrier.line
        for barrier in battlemap.barriers
        if barrier.level == at.level
        and (barrier.kind is Kind.WALL or (barrier.kind is Kind.DOOR and barrier.state is not DoorState.OPEN))
    ]
    tree = shapely.STRtree([shapely.LineString(line) for line in lines]) if lines else None
    eyes = [grid.centre(cell.col, cell.row) for cell in battlemap.body(at, size)]
    eye = (sum(x for x, _ in eyes) / len(eyes), sum(y for _, y in eyes) / len(eyes))
    out = set(battlemap.body(at, size))
    wanted = [cell for cell in _around(battlemap, at, far) if cell not in out]
    ends = [grid.centre(cell.col, cell.row) for cell in wanted]
    rays = [shapely.LineString([eye, (x + (eye[0] - x) * 0.02, y + (eye[1] - y) * 0.02)]) for x, y in ends]
    cut: set[int] = set()
    if tree is not None and rays:
        cut = set(tree.query(rays, predicate="intersects")[0].tolist())
    solid: dict[Cell, bool] = {}
    for n, cell in enumerate(wanted):
        if n not in cut and _clear(battlemap, eye, ends[n], cell, solid):
            out.add(cell)
    return frozenset(out)


def seen_by(battlemap: Battlemap, movers: Iterable[str]) -> frozenset[Cell]:
    """The cells seen by some movers together."""
    out: set[Cell] = set()
    for name in movers:
        mover = battlemap.mover(name)
        if mover.at is not None:
            out |= seen_from(battlemap, mover.at, mover.size)
    return frozenset(out)


def _around(battlemap: Battlemap, at: Cell, far: int) -> Iterable[Cell]:
    x, y = battlemap.grid.centre(at.col, at.row)
    for row in range(max(0, at.row - far), min(battlemap.rows, at.row + far + 1)):
        for col in range(max(0, at.col - far), min(battlemap.cols, at.col + far + 1)):
            a, b = battlemap.grid.centre(col, row)
            if (a - x) ** 2 + (b - y) ** 2 <= far * far:
                yield Cell(col, row, at.level)


def _clear(
    battlemap: Battlemap, eye: tuple[float, float], end: tuple[float, float], goal: Cell, solid: dict[Cell, bool]
) -> bool:
    """Whether no solid ground lies on the way to a cell."""
    steps = ceil(max(abs(end[0] - eye[0]), abs(end[1] - eye[1])) * 3)
    for n in range(1, steps):
        x, y = eye[0] + (end[0] - eye[0]) * n / steps, eye[1] + (end[1] - eye[1]) * n / steps
        cell = Cell(*battlemap.grid.cell_at(x, y), goal.level)
        if cell == goal:
            return True
        if cell not in solid:
            terrain = battlemap.terrain(cell) if cell in battlemap else None
            # one sees over water, pits and furniture; solid rock and masonry have no other facts
            solid[cell] = terrain is None or look(terrain) in SOLID
        if solid[cell]:
            return False
    return True
