"""What can be seen from where somebody stands: the fog's edge.

A cell is seen when the line from the eye to its middle meets no barrier that stops the eye (walls, closed doors) and no
solid ground on its way; the first solid cell on a line is seen itself.  Heights do not count.  This decides what a
picture shows and what a mover knows, never what a move costs.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from tactical.show.scene.ground import SOLID, look
from tactical.units import Cell
from tactical.world.battlemap import Battlemap
from tactical.world.edges.barriers import DoorState, Kind
from tactical.world.grids import Grid, neighbours
from tactical.world.terrain import Terrain

if TYPE_CHECKING:
    from shapely import Polygon

FAR = 24
"""Cells that can be seen at the most."""
CORE = 0.9
"""How much of the width of a solid cell stops the eye."""


def seen_from(battlemap: Battlemap, at: Cell, size: int = 1, *, far: int = FAR) -> frozenset[Cell]:
    """The cells seen by a body."""
    import shapely

    grid = battlemap.grid
    walls = [
        shapely.LineString(barrier.line)
        for barrier in battlemap.barriers
        if barrier.level == at.level
        and (barrier.kind is Kind.WALL or (barrier.kind is Kind.DOOR and barrier.state is not DoorState.OPEN))
    ]
    body = battlemap.body(at, size)
    eyes = [grid.centre(cell.col, cell.row) for cell in body]
    eye = (sum(x for x, _ in eyes) / len(eyes), sum(y for _, y in eyes) / len(eyes))
    around = list(_around(battlemap, at, far))
    # one sees over water, pits and furniture; solid rock and masonry have no other facts
    looks: dict[Terrain, bool] = {}
    solid = set()
    for cell in around:
        terrain = battlemap.terrain(cell)
        if terrain not in looks:
            looks[terrain] = look(terrain) in SOLID
        if looks[terrain] and cell not in body:
            solid.add(cell)
    # what has but solid ground about it is behind that
    deep = {cell for cell in solid if all(near in solid for _, near in neighbours(grid, cell))}
    rim = sorted(solid - deep)
    wanted = [cell for cell in around if cell not in body and cell not in deep]
    ends = [grid.centre(cell.col, cell.row) for cell in wanted]
    rays = shapely.linestrings([(eye, (x + (eye[0] - x) * 0.02, y + (eye[1] - y) * 0.02)) for x, y in ends])
    tree = shapely.STRtree([*walls, *(_core(grid, cell) for cell in rim)])
    barred = {
        ray
        for ray, thing in tree.query(rays, predicate="intersects").T.tolist()
        if thing < len(walls) or rim[thing - len(walls)] != wanted[ray]
    }
    return frozenset(body).union(cell for n, cell in enumerate(wanted) if n not in barred)


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


def _core(grid: Grid, cell: Cell) -> Polygon:
    """What of a solid cell stops the eye: all but its rim, which a line may graze."""
    from shapely import Polygon

    x, y = grid.centre(cell.col, cell.row)
    corners = grid.polygon(cell.col, cell.row)
    return Polygon([(x + (a - x) * CORE, y + (b - y) * CORE) for a, b in corners])
