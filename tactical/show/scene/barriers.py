"""Shapes of what stands between cells: walls, doors, fences, ledges, and the links that join far cells."""

from __future__ import annotations

from collections.abc import Iterator

from tactical.show.scene.shapes import Chip, Mark, Shape, Stroke, View
from tactical.units import Cell
from tactical.world.battlemap import Battlemap
from tactical.world.edges.barriers import Barrier, DoorState, Kind
from tactical.world.sight import UNEXPLORED


def barriers(battlemap: Battlemap, view: View, level: int) -> Iterator[Shape]:
    """The barriers of a level of a map as somebody sees it: ``wall``, ``door:closed``, ``window`` …

    Walls come first, so that doors lie upon them.  A one-way barrier gets an arrow towards the side it lets through.
    """
    found: list[Stroke] = []
    arrows: list[Stroke] = []
    for barrier in battlemap.barriers:
        # what is not seen is a mere point
        if barrier.level != level or barrier.line[0] == barrier.line[1] or not _near(view, barrier):
            continue
        role = role_of(barrier)
        found.append(Stroke(role, barrier.line, barrier.id))
        if barrier.one_way and role != "invisible":
            arrows.append(_arrow(barrier))
    yield from (stroke for stroke in found if stroke.role == "wall")
    yield from (stroke for stroke in found if stroke.role != "wall")
    yield from arrows


def role_of(barrier: Barrier) -> str:
    """The role a barrier is drawn with."""
    if barrier.kind is not Kind.DOOR:
        return barrier.kind.value
    return f"door:{(barrier.state or DoorState.CLOSED).value}"


def _near(view: View, barrier: Barrier) -> bool:
    (x0, y0), (x1, y1) = barrier.line
    c0, r0, c1, r1 = view
    return max(x0, x1) >= c0 - 1 and min(x0, x1) <= c1 + 1 and max(y0, y1) >= r0 - 1 and min(y0, y1) <= r1 + 1


def _arrow(barrier: Barrier) -> Stroke:
    """From 0.3 cells on the closed side to 0.3 cells on the open one."""
    (x0, y0), (x1, y1) = barrier.line
    length = ((x1 - x0) ** 2 + (y1 - y0) ** 2) ** 0.5 or 1.0
    # the left side, going from the first point to the second, with y down
    nx, ny = (y1 - y0) / length, -(x1 - x0) / length
    if barrier.one_way == "right":
        nx, ny = -nx, -ny
    x, y = (x0 + x1) / 2, (y0 + y1) / 2
    return Stroke("one-way", ((x - nx * 0.3, y - ny * 0.3), (x + nx * 0.3, y + ny * 0.3)), barrier.id)


def ledges(battlemap: Battlemap, view: View, level: int) -> Iterator[Shape]:
    """Sides between cells of different height: ``slope`` for an ordinary step, ``ledge`` for more than a cell.

    The low side lies to the right, going from the first point to the second.  Where unexplored ground begins, nobody
    knows of a side.
    """
    palette = battlemap.palette
    shut = [terrain.impassable or terrain == UNEXPLORED for terrain in palette]
    if len({terrain.elevation for terrain in palette}) < 2:
        return
    floor = battlemap.levels[level].ground.tolist()
    grid = battlemap.grid
    # whole numbers in the order of the heights compare faster than exact fractions
    order = sorted({terrain.elevation for terrain in palette})
    ranks = [order.index(terrain.elevation) for terrain in palette]
    straight = [direction for direction in grid.directions if not direction.diagonal]
    for row in range(view[1], view[3]):
        for col in range(view[0], view[2]):
            here = floor[row][col]
            if shut[here] or not ranks[here]:
                continue
            i, j = grid.store(col, row)
            for direction in straight:
                c, r = grid.unstore(i + direction.di, j + direction.dj)
                if not (0 <= c < battlemap.cols and 0 <= r < battlemap.rows):
                    continue
                there = floor[r][c]
                if ranks[here] > ranks[there] and not shut[there]:
                    drop = palette[here].elevation - palette[there].elevation
                    a, b = grid.side(col, row, direction.name)
                    if _right_of(a, b, grid.centre(col, row)):
                        a, b = b, a
                    yield Stroke("ledge" if drop > battlemap.cell else "slope", (a, b))


def _right_of(a: tuple[float, float], b: tuple[float, float], point: tuple[float, float]) -> bool:
    return (b[0] - a[0]) * (point[1] - a[1]) - (b[1] - a[1]) * (point[0] - a[0]) > 0


def links(battlemap: Battlemap, view: View, level: int) -> Iterator[Shape]:
    """Stairs, ladders and portals: a mark at each end on this level, a chip where the other end is elsewhere.

    The chip says where one may go, and where a link is one-way at its landing where one comes from.
    """
    for link in battlemap.links:
        for here, there in ((link.start, link.end), (link.end, link.start)):
            if here.level != level or not (view[0] <= here.col < view[2] and view[1] <= here.row < view[3]):
                continue
            if _unseen(battlemap, here):
                continue
            at = battlemap.grid.centre(here.col, here.row)
            yield Mark(f"link:{_sort(link.kind)}", at, here)
            if there.level != level:
                name = battlemap.levels[there.level].name
                landing = not link.two_way and here is link.end
                yield Chip("link", at, f"{'from' if landing else 'to'} {name}", place="below")
        seen = not _unseen(battlemap, link.start) and not _unseen(battlemap, link.end)
        if seen and link.start.level == link.end.level == level and _apart(link.start, link.end) > 1:
            ends = tuple(battlemap.grid.centre(cell.col, cell.row) for cell in (link.start, link.end))
            yield Stroke("link", ends, link.id)


def _unseen(battlemap: Battlemap, cell: Cell) -> bool:
    return cell in battlemap and battlemap.terrain(cell) == UNEXPLORED


def _sort(kind: str) -> str:
    return kind if kind in ("stairs", "ladder") else "portal"


def _apart(a: Cell, b: Cell) -> int:
    return max(abs(a.col - b.col), abs(a.row - b.row))
