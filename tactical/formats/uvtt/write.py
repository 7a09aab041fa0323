"""Writing Universal VTT files, format 0.3: what it can say, and a report of what it cannot."""

from __future__ import annotations

import base64
import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from math import atan2
from typing import Any

import numpy as np

from tactical.formats import Report, ReportLine, many
from tactical.formats._losses import beyond_one_floor
from tactical.formats._segments import merged, without
from tactical.world.battlemap import Battlemap
from tactical.world.edges.barriers import Barrier, DoorState, Kind, snapped
from tactical.world.edges.segments import Segment, clip
from tactical.world.grids import Point
from tactical.world.pictures import kind_of
from tactical.world.terrain import PLAIN, Terrain

PIXELS = 70
OBJECT = "object"
# Barriers that stop a walker but have no counterpart: written as walls, which also stop sight.
AS_WALLS = {Kind.INVISIBLE: "an invisible wall is written as a wall", Kind.WALL: ""}
LEFT_OUT = {Kind.FENCE: "fence", Kind.LOW_WALL: "low wall"}


def dump(battlemap: Battlemap) -> str:
    """The first level as a file, eight keys in the customary order, the picture only if the map has one."""
    if battlemap.grid.name != "square":
        raise ValueError(f"a Universal VTT file holds a square map, not {battlemap.grid.name}")
    ground = list(_written(battlemap))
    portals = [barrier for barrier in ground if barrier.kind in (Kind.DOOR, Kind.WINDOW)]
    walls = [barrier.line for barrier in ground if barrier.kind in AS_WALLS] + outline(battlemap)
    walls = without(walls, [portal.line for portal in portals])
    posts = {point for wall in walls for point in wall}
    picture = battlemap.picture
    pixels = picture.pixels if picture else PIXELS
    content: dict[str, Any] = {
        "format": 0.3,
        "resolution": {
            "map_origin": {"x": 0, "y": 0},
            "map_size": {"x": battlemap.cols, "y": battlemap.rows},
            "pixels_per_grid": _number(pixels),
        },
        "line_of_sight": [[_point(first), _point(last)] for first, last in walls],
        "objects_line_of_sight": [[_point(point) for point in ring] for ring in objects(battlemap)],
        "portals": [_portal(portal, posts) for portal in portals],
        "environment": {"baked_lighting": False, "ambient_light": "ffffffff"},
        "lights": [],
    }
    data, _ = _picture(battlemap)
    if data:
        content["image"] = base64.b64encode(data).decode("ascii")
    return json.dumps(content, indent=1, allow_nan=False) + "\n"


def _written(battlemap: Battlemap) -> Iterator[Barrier]:
    """The barriers of the first level that stop a walker, and so much of each as is on the map or a cell beside it."""
    for barrier in battlemap.barriers:
        line = clip(barrier.line, battlemap.cols, battlemap.rows, margin=1.0)
        if barrier.level == 0 and line is not None and snapped(line) is not None and _stops_walkers(barrier):
            yield replace(barrier, line=line)


def _stops_walkers(barrier: Barrier) -> bool:
    return not barrier.stops or "walk" in barrier.stops


def _picture(battlemap: Battlemap) -> tuple[bytes, str]:
    """The content of the map's picture, or why there is none to write."""
    if battlemap.picture is None:
        return b"", ""
    try:
        data = battlemap.picture.read()
    except OSError as error:
        return b"", error.strerror or str(error)
    return (data, "") if kind_of(data) else (b"", "it is no picture")


def _is_object(terrain: Terrain) -> bool:
    """Whether ground is what an object of such a file was read as, and is written as one again."""
    return terrain.impassable and terrain.name == OBJECT


def objects(battlemap: Battlemap) -> list[list[Point]]:
    """The outlines of the objects of the first level, closed, as other programs have them."""
    from shapely import box, unary_union

    kinds = np.array([_is_object(terrain) for terrain in battlemap.palette])
    rows, cols = np.nonzero(kinds[battlemap.levels[0].ground])
    if not rows.size:
        return []
    whole = unary_union(box(cols, rows, cols + 1, rows + 1))
    parts = sorted(getattr(whole, "geoms", [whole]), key=lambda part: part.bounds)
    return [[(float(x), float(y)) for x, y in part.exterior.simplify(0).coords] for part in parts]


def outline(battlemap: Battlemap) -> list[Segment]:
    """The border between ground and impassable cells of the first level that are no objects, as walls."""
    kinds = np.array([terrain.impassable and not _is_object(terrain) for terrain in battlemap.palette])
    blocked = kinds[battlemap.levels[0].ground]
    walls: list[Segment] = []
    for row, col in zip(*np.nonzero(blocked[:, 1:] != blocked[:, :-1]), strict=True):
        walls.append(((col + 1.0, float(row)), (col + 1.0, row + 1.0)))
    for row, col in zip(*np.nonzero(blocked[1:] != blocked[:-1]), strict=True):
        walls.append(((float(col), row + 1.0), (col + 1.0, row + 1.0)))
    return merged(walls)


def _portal(barrier: Barrier, posts: set[tuple[float, float]]) -> dict[str, Any]:
    (x0, y0), (x1, y1) = barrier.line
    ends = snapped(barrier.line) or ()
    return {
        "position": _point(((x0 + x1) / 2, (y0 + y1) / 2)),
        "bounds": [_point((x0, y0)), _point((x1, y1))],
        "rotation": round(atan2(y1 - y0, x1 - x0), 6),
        "closed": barrier.kind is Kind.DOOR and barrier.state is not DoorState.OPEN,
        "freestanding": not posts.intersection(ends),
    }


def _point(point: tuple[float, float]) -> dict[str, float]:
    return {"x": _number(point[0]), "y": _number(point[1])}


def _number(value: float) -> float:
    return int(value) if float(value).is_integer() else float(value)


def losses(battlemap: Battlemap) -> Report:
    """A line for everything the file leaves out or changes."""
    used = {int(n) for level in battlemap.levels for n in np.unique(level.ground)}
    kinds = [battlemap.palette[n] for n in sorted(used)]
    impassable = np.array([terrain.impassable and not _is_object(terrain) for terrain in battlemap.palette])
    blocked = int(np.count_nonzero(impassable[battlemap.levels[0].ground]))
    lines = []
    if blocked:
        whose = "its" if blocked == 1 else "their"
        text = f"{many(blocked, 'impassable cell')}: {whose} outline is written as walls"
        lines.append(ReportLine("dropped", text, blocked))
    named = [kind for kind in kinds if kind != PLAIN and not (kind.impassable and not kind.elevation)]
    if named:
        words = ", ".join(kind.name or ", ".join(kind.facts()) for kind in named[:6])
        more = f" and {len(named) - 6} more" if len(named) > 6 else ""
        text = f"the facts of {many(len(named), 'kind')} of ground: {words}{more}"
        lines.append(ReportLine("dropped", text, len(named)))
    counts = Counter(text for barrier in battlemap.barriers for text in _lost_of(barrier, battlemap))
    lines += [ReportLine("dropped", f"{count} x {text}", count) for text, count in counts.items()]
    lines += beyond_one_floor(battlemap)
    lines.append(ReportLine("dropped", f"the size of a cell ({battlemap.cell} {battlemap.unit}) and the map's name"))
    why = _picture(battlemap)[1]
    if why:
        lines.append(ReportLine("dropped", f"the picture: {why}"))
    if battlemap.picture is not None and battlemap.picture.offset != (0, 0):
        lines.append(ReportLine("dropped", "the picture's offset"))
    return Report("uvtt", battlemap.source, tuple(lines))


def _lost_of(barrier: Barrier, battlemap: Battlemap) -> Iterator[str]:
    """What is left out of a barrier of the ground floor, or changed."""
    if barrier.level:
        return
    if not _stops_walkers(barrier):
        yield "a barrier that stops only some modes of moving, and no walker, left out"
        return
    if barrier.stops:
        yield "a barrier that stops only some modes of moving is written as one for all"
    if clip(barrier.line, battlemap.cols, battlemap.rows, margin=1.0) is None:
        yield "a barrier beside the map left out"
        return
    left_out = barrier.kind in LEFT_OUT
    lost = (
        (left_out, f"{LEFT_OUT.get(barrier.kind)} left out"),
        (bool(AS_WALLS.get(barrier.kind)), str(AS_WALLS.get(barrier.kind))),
        (barrier.state is DoorState.OPEN,
         "an open door reads as a window, unless with the import option open_portals: open_door"),
        (barrier.state in (DoorState.LOCKED, DoorState.SECRET), f"a {barrier.state} door is written as a closed one"),
        (bool(barrier.one_way), "a one-way barrier is written as one for both ways"),
        (barrier.bottom is not None or barrier.top is not None, "the heights of a barrier"),
        (barrier.cost is not None and not left_out, "the price of a barrier"),
        (bool(barrier.truth), "what a barrier really is"),
    )  # fmt: skip
    yield from (text for holds, text in lost if holds)
