"""The objects of a map: shapes of a known meaning become ground, walls and doors; the others are told.

Lines of a meaning that stops are walls, closed shapes are the ground of the cells whose middles they hold (and walls
round it where they hold none).  An object of class ``door``, ``locked door``, ``window``, ``fence`` … is one along its
line, or across the middle of its longer side.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from tactical.formats._reading import finite
from tactical.formats._segments import cells_inside
from tactical.values import replaced
from tactical.world.edges.barriers import Barrier, DoorState, Kind, snapped
from tactical.world.edges.segments import clip
from tactical.world.grids import Point

if TYPE_CHECKING:
    from tactical.formats.tiled.meaning import Meanings

MOST_OBJECTS = 20_000
MOST_POINTS = 200_000
MOST_CELLS_OF_OBJECTS = 4_000_000
ROUND = 32
"""Corners of an ellipse."""
KINDS: dict[str, tuple[Kind, DoorState | None]] = {
    **{kind.value.replace("-", " "): (kind, None) for kind in Kind if kind not in (Kind.WALL, Kind.DOOR)},
    "door": (Kind.DOOR, DoorState.CLOSED),
    **{f"{state.value} door": (Kind.DOOR, state) for state in DoorState},
}
"""Classes of objects that are barriers of their own; a wall is known by its class as any other word is."""
Cells = list[tuple[int, int]]


class Objects:
    """Reads the shapes of object layers; `scale` are the pixels of a cell, across and down."""

    def __init__(self, reader: Meanings, scale: Point, origin: tuple[int, int], size: tuple[int, int]) -> None:
        self.reader, self.scale, self.origin = reader, scale, origin
        self.cols, self.rows = size
        self.barriers: list[Barrier] = []
        self.grounds: list[tuple[dict[str, object], Cells]] = []
        self.left, self.points_left, self.cells_left = MOST_OBJECTS, MOST_POINTS, MOST_CELLS_OF_OBJECTS
        self._numbers: Counter[str] = Counter()
        self._names: set[str] = set()

    def read(self, layer: Mapping[str, Any]) -> None:
        """One layer of objects."""
        facts = self.reader.layer_facts(layer)
        shift = [_number(layer.get(key, 0)) or 0.0 for key in ("offsetx", "offsety")]
        entries = layer.get("objects")
        for entry in entries if isinstance(entries, list) else ():
            self.left -= 1
            if not isinstance(entry, dict) or self.left < 0 or not self._object(entry, facts, (shift[0], shift[1])):
                self.reader.counts["object"] += 1

    def _object(self, entry: Mapping[str, Any], of_layer: Mapping[str, object], shift: Point) -> bool:
        """Whether an object's shape and meaning were known."""
        words = (str(entry.get(key, "")).strip().lower().replace("_", " ").replace("-", " ") for key in
                 ("class", "type"))  # fmt: skip
        kind = next((KINDS[word] for word in words if word in KINDS), None)
        facts = {**of_layer, **self.reader.facts(entry, quiet=kind is not None)}
        if not facts and kind is None:
            return False
        line, closed = self._shape(entry, shift)
        self.points_left -= len(line)
        if len(line) < 2 or self.points_left < 0:
            return False
        if kind is not None:
            return self._barrier(line, closed, *kind, entry.get("name"))
        if not closed:
            if not facts.get("impassable"):
                return False
            self._walls(line)
            return True
        xs, ys = [x for x, _ in line], [y for _, y in line]
        self.cells_left -= int(min(max(xs) - min(xs) + 2, self.cols) * min(max(ys) - min(ys) + 2, self.rows))
        if self.cells_left < 0:
            return False
        inside = cells_inside(line, self.cols, self.rows)
        if inside:
            self.grounds.append((facts, inside))
        elif facts.get("impassable"):
            self._walls([*line, line[0]])
        return True

    def _barrier(self, line: list[Point], closed: bool, kind: Kind, state: DoorState | None, name: object) -> bool:
        """A door, window or fence: a line, or across the middle of a rectangle along its longer side."""
        (x0, y0), (x1, y1) = line[0], line[1]
        if closed:
            xs, ys = [x for x, _ in line], [y for _, y in line]
            mx, my = (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2
            wide = max(xs) - min(xs) >= max(ys) - min(ys)
            (x0, y0), (x1, y1) = ((min(xs), my), (max(xs), my)) if wide else ((mx, min(ys)), (mx, max(ys)))
        found = clip(((x0, y0), (x1, y1)), self.cols, self.rows)
        if found is None or snapped(found) is None:
            return False
        own = ""
        if kind in (Kind.DOOR, Kind.WINDOW):
            self._numbers[kind] += 1
            stated = replaced(name.strip()[:60]) if isinstance(name, str) else ""
            own = stated if stated and stated not in self._names else f"{kind}-{self._numbers[kind]}"
            while own in self._names:
                own += "'"
            self._names.add(own)
        self.barriers.append(Barrier(found, kind, own, state))
        return True

    def _walls(self, line: list[Point]) -> None:
        for segment in pairwise(line):
            found = clip(segment, self.cols, self.rows)
            if found is not None and snapped(found) is not None:
                self.barriers.append(Barrier(found))

    def _shape(self, entry: Mapping[str, Any], shift: Point) -> tuple[list[Point], bool]:
        """An object's line in cells of the map, and whether it is closed; no points for a shape that is none."""
        stated = [_number(entry.get(key, 0)) for key in ("x", "y", "width", "height", "rotation")]
        numbers = [one for one in stated if one is not None]
        if len(numbers) < 5:
            return [], False
        x, y, width, height, turn = numbers
        closed = "polyline" not in entry
        given = entry.get("polygon", entry.get("polyline"))
        if given is not None:
            points = list(_points(given))
        elif entry.get("point") or not width or not height or "text" in entry:
            return [], False
        elif entry.get("ellipse") or entry.get("capsule"):
            turns = [2 * math.pi * n / ROUND for n in range(ROUND)]
            points = [(width / 2 * (1 + math.cos(t)), height / 2 * (1 + math.sin(t))) for t in turns]
        else:
            # a tile stands on its lower left corner, all else hangs from its upper left
            up = -height if "gid" in entry else 0.0
            points = [(0, up), (width, up), (width, up + height), (0, up + height)]
        cos, sin = math.cos(math.radians(turn)), math.sin(math.radians(turn))
        left, top = self.origin
        placed = [((x + px * cos - py * sin + shift[0]) / self.scale[0] - left,
                   (y + px * sin + py * cos + shift[1]) / self.scale[1] - top) for px, py in points]  # fmt: skip
        return placed, closed

    def tell(self) -> None:
        """What became of the shapes."""
        kinds = Counter(barrier.kind for barrier in self.barriers)
        others = [kind for kind in Kind if kind is not Kind.WALL]
        self.reader.tell_counts(
            *((kinds[kind], "read", f"object as a {kind}", f"objects as {kind}s") for kind in others),
            (kinds[Kind.WALL], "read", "wall of objects", "walls of objects"),
            (len(self.grounds), "read", "object as ground", "objects as ground"),
        )


def _number(value: Any) -> float | None:
    if isinstance(value, str):
        try:
            value = float(value) if len(value) < 40 else None
        except ValueError:
            return None
    return float(value) if finite(value) else None


def _points(given: Any) -> Iterator[Point]:
    """Points as JSON has them, or as the text of XML (``0,0 16,32``); nothing where one is none."""
    if isinstance(given, str):
        given = [dict(zip("xy", pair.split(","), strict=False)) for pair in given.split()[:MOST_POINTS]]
    found = [(_number(one.get("x")), _number(one.get("y"))) if isinstance(one, dict) else (None, None)
             for one in (given if isinstance(given, list) else ())]  # fmt: skip
    for x, y in found:
        if x is None or y is None:
            return
        yield x, y
