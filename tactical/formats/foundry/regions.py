"""Regions of a scene: stairs between levels and teleporters as links, ground that costs more as zones."""

from __future__ import annotations

import math
from bisect import bisect
from collections import Counter
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from tactical.formats import many
from tactical.formats._reading import finite, first
from tactical.formats._segments import cells_inside
from tactical.units import Cell
from tactical.values import replaced
from tactical.world.grids import Point
from tactical.world.parts import Link, Zone

if TYPE_CHECKING:
    from tactical.formats.foundry.canvas import Canvas

MOST_WORK = 4_000_000
MOST_LINKS = 20_000
MOST_ZONE_CELLS = 1_000_000


def read_regions(canvas: Canvas, entries: list[Any]) -> tuple[tuple[Link, ...], tuple[Zone, ...]]:
    """Links and zones of a scene; what its regions do else is told."""
    found = _Regions(canvas, {str(one.get("_id")): one for one in entries if isinstance(one, dict)})
    for region in found.regions.values():
        behaviors = region.get("behaviors")
        for behavior in behaviors if isinstance(behaviors, list) else ():
            if not isinstance(behavior, dict) or behavior.get("disabled") is True:
                found.counts["disabled behaviour"] += 1
            else:
                found.take(region, behavior)
    if len(found.links) > MOST_LINKS:
        canvas.fault(f"{len(found.links)} cells of stairs and teleporters are more than {MOST_LINKS}", "regions")
        found.links = []
    found.tell()
    return tuple(found.links), tuple(found.zones)


class _Regions:
    """The regions of a scene, and what of them has come over so far."""

    def __init__(self, canvas: Canvas, regions: dict[str, Any]) -> None:
        self.canvas, self.regions, self.work = canvas, regions, _Work(canvas)
        self.counts: Counter[str] = Counter()
        self.links: list[Link] = []
        self.zones: list[Zone] = []
        self.grounds: list[str] = []

    def take(self, region: dict[str, Any], behavior: dict[str, Any]) -> None:
        """One thing that a region does, as links or a zone."""
        canvas, counts = self.canvas, self.counts
        kind, system = str(behavior.get("type"))[:40], behavior.get("system")
        system = system if isinstance(system, dict) else {}
        levels = canvas.levels_of(region)
        hinders = kind in ("modifyMovementCost", HARD)
        cells = self.work.cells(region) if hinders or kind in ("changeLevel", "teleportToken") else []
        if kind == "changeLevel" and len(levels) > 1 and cells:
            for low, high in pairwise(sorted(levels, key=lambda level: canvas.heights[level])):
                self.links += [Link(Cell(c, r, low), Cell(c, r, high), kind="stairs") for c, r in cells]
            counts["stairs"] += 1
        elif kind == "teleportToken" and cells and (end := _goal(canvas, self.work, self.regions, system)):
            starts = [Cell(c, r, level) for level in levels for c, r in cells]
            self.links += [Link(one, end, kind="teleporter", two_way=False) for one in starts if one != end]
            counts["teleporter"] += 1
        elif hinders and cells and (facts := {"difficult": True} if kind == HARD else _facts(system)):
            self.zones.append(Zone([Cell(c, r, level) for level in levels for c, r in cells], facts))
            name = replaced(str(region.get("name") or "")[:40]) or "a region without a name"
            self.grounds.append(f"{name} {_GROUND.get(next(iter(facts)), 'dearer')}")
        else:
            counts["elsewhere" if kind == "teleportToken" and cells else f"ignored {kind}"] += 1

    def tell(self) -> None:
        """What has come over and what has not, as lines of the report."""
        canvas, counts, grounds, skipped = self.canvas, self.counts, self.grounds, self.work.skipped
        canvas.tell_counts(
            (counts["stairs"], "read", "region as stairs between levels", "regions as stairs between levels"),
            (counts["teleporter"], "read", "region as a teleporter", "regions as teleporters"),
            (counts["elsewhere"], "ignored", "teleporter that leads to another scene",
             "teleporters that lead to other scenes"),
        )  # fmt: skip
        if grounds:
            words = many(len(grounds), "region of dearer movement", "regions of dearer movement")
            shown = f"{first(grounds)} (say what it is in a map over this one)"
            canvas.tell("ambiguous", f"{words} as ground: {shown}", len(grounds))
        ignored = {key: count for key, count in counts.items() if key.startswith(("ignored", "disabled"))}
        if ignored:
            shown = ", ".join(f"{replaced(key.removeprefix('ignored '))} ({count})" for key, count in
                              list(ignored.items())[:20])  # fmt: skip
            canvas.tell("ignored", f"what regions do besides: {shown}", sum(ignored.values()))
        canvas.tell_counts((skipped, "ignored", "shape of a region", "shapes of regions"))


def _goal(canvas: Canvas, work: _Work, regions: dict[str, Any], system: dict[str, Any]) -> Cell | None:
    """The middle cell of the region of this scene that a teleporter leads to."""
    given = system.get("destination") or system.get("destinations")
    if isinstance(given, list):
        given = given[0] if given else None
    goal = regions.get(str(given).rsplit(".", 1)[-1])
    cells = work.cells(goal) if goal is not None else []
    if not goal or not cells:
        return None
    col, row = sum(c for c, _ in cells) / len(cells), sum(r for _, r in cells) / len(cells)
    near = min(cells, key=lambda cell: ((cell[0] - col) ** 2 + (cell[1] - row) ** 2, cell))
    levels = canvas.levels_of(goal)
    return Cell(*near, levels[0]) if levels else None


HARD = "dnd5e.difficultTerrain"
"""What a rule system's own regions of difficult terrain are called."""
_GROUND = {"impassable": "impassable", "difficult": "difficult"}
"""What a region is told to be, by its first fact; with a factor it is only dearer."""


def _facts(system: dict[str, Any]) -> dict[str, object]:
    """What a price of walking says of the ground: twice is difficult, without end is impassable."""
    table = system.get("difficulties")
    table = table if isinstance(table, dict) else {}
    if "walk" not in table:
        return {}
    price = table["walk"]
    if price is None or price == "Infinity":
        return {"impassable": True}
    if not finite(price) or price < 0 or price > 1000 or price == 1:
        return {}
    return {"difficult": True} if price == 2 else {"factor": str(round(price, 3))}


class _Work:
    """The cells of regions, as long as they are not made to take for ever."""

    def __init__(self, canvas: Canvas) -> None:
        self.canvas = canvas
        self.left, self.cells_left = MOST_WORK, MOST_ZONE_CELLS
        self.skipped = 0

    def cells(self, region: dict[str, Any]) -> list[tuple[int, int]]:
        """The cells whose middles a region holds, in order."""
        found: set[tuple[int, int]] = set()
        shapes = region.get("shapes")
        for shape in shapes if isinstance(shapes, list) else ():
            # what is not looked at any more costs nothing either
            ring = _ring(shape) if isinstance(shape, dict) and self.left > 0 else []
            self.left -= len(ring) * self.canvas.rows + 1
            if len(ring) < 3 or self.left < 0 or self.cells_left < 0:
                self.skipped += 1
                continue
            places = [self.canvas.place(x, y) for x, y in ring]
            if self.canvas.grid.sheared:
                hexes = self._hexes_inside(places)
                if hexes is None:
                    self.skipped += 1
                else:
                    found = found - hexes if shape.get("hole") is True else found | hexes
                continue
            width = max(x for x, _ in places) - min(x for x, _ in places)
            height = max(y for _, y in places) - min(y for _, y in places)
            area = min(width + 1, self.canvas.cols) * min(height + 1, self.canvas.rows)
            self.cells_left -= int(area)
            if self.cells_left < 0:
                self.skipped += 1
                continue
            inside = set(cells_inside(places, self.canvas.cols, self.canvas.rows))
            found = found - inside if shape.get("hole") is True else found | inside
        return sorted(found)

    def _hexes_inside(self, places: list[Point]) -> set[tuple[int, int]] | None:
        """The cells of a grid of hexes whose middles are inside a shape; None where that is too much to look at."""
        self.left -= len(places) * len(self._lines)
        self.cells_left -= self.canvas.cols * self.canvas.rows
        if self.left < 0 or self.cells_left < 0:
            return None
        edges = list(zip(places, [*places[1:], places[0]], strict=True))
        inside: set[tuple[int, int]] = set()
        for y, line in self._lines.items():
            cuts = sorted(
                x0 + (y - y0) * (x1 - x0) / (y1 - y0) for (x0, y0), (x1, y1) in edges if (y0 <= y) != (y1 <= y)
            )  # fmt: skip
            inside.update(cell for x, cell in line if bisect(cuts, x) % 2)
        return inside

    @cached_property
    def _lines(self) -> dict[float, list[tuple[float, tuple[int, int]]]]:
        """The cells by the height of their middles, each with how far across its middle is."""
        lines: dict[float, list[tuple[float, tuple[int, int]]]] = {}
        for row in range(self.canvas.rows):
            for col in range(self.canvas.cols):
                x, y = self.canvas.grid.centre(col, row)
                lines.setdefault(round(y, 9), []).append((x, (col, row)))
        return lines


def _ring(shape: dict[str, Any]) -> list[Point]:
    """The outline of a shape in pixels; empty for one that is none."""
    kind = shape.get("type")
    if kind == "polygon":
        points = shape.get("points")
        if not isinstance(points, list) or not all(finite(one) for one in points):
            return []
        return list(zip(points[::2], points[1::2], strict=False))
    x, y = shape.get("x"), shape.get("y")
    if not finite(x) or not finite(y):
        return []
    turn = shape.get("rotation")
    angle = math.radians(turn) if finite(turn) else 0.0
    if kind == "rectangle":
        w, h = shape.get("width"), shape.get("height")
        if not finite(w) or not finite(h):
            return []
        corners = [(x, y), (x + w, y), (x + w, y + h), (x, y + h)]
        middle = (x + w / 2, y + h / 2)
    elif kind in ("ellipse", "circle"):
        a = shape.get("radius", shape.get("radiusX"))
        b = shape.get("radius", shape.get("radiusY"))
        if not finite(a) or not finite(b):
            return []
        turns = [2 * math.pi * n / 32 for n in range(32)]
        corners = [(x + a * math.cos(t), y + b * math.sin(t)) for t in turns]
        middle = (x, y)
    else:
        return []
    if not angle:
        return corners
    cos, sin = math.cos(angle), math.sin(angle)
    mx, my = middle
    return [(mx + (px - mx) * cos - (py - my) * sin, my + (px - mx) * sin + (py - my) * cos) for px, py in corners]
