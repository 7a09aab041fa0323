"""Dungeondraft's own files (``.dungeondraft_map``): walls, and portals that say by their look what they are.

Its export, Universal VTT, cannot tell a window from a door; here the name of a portal's texture does (``door``,
``window``, ``secret``, ``archway``).  Told, not read: caves, water, terrain, objects, lights, and the picture, which
only the export has.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Mapping
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from tactical.formats import MOST_CELLS, Format, Report, _json, many
from tactical.formats._reading import CELL, Reading, finite, what
from tactical.values import replaced

if TYPE_CHECKING:
    from tactical.world.battlemap import Battlemap
    from tactical.world.edges.barriers import Barrier
    from tactical.world.edges.segments import Segment
    from tactical.world.grids import Point

PIXELS = 256.0
"""How wide a cell is in a file's pixels."""
MOST_LEVELS = 50
MOST_POINTS = 2_000_000
MOST_WORK = 20_000_000
"""Walls looked at for all archways together."""
NEAR = 0.06
"""How far from its wall, in cells, a portal may lie."""
WORDS = (("window", "window"), ("secret", "secret"), ("arch", "open way"), ("gate", "door"), ("door", "door"),
         ("portcullis", "door"))  # fmt: skip
"""What a portal is by a word in the name of its texture, the first that fits."""
REST = ("objects", "lights", "paths", "texts", "roofs", "patterns")
_NUMBERS = re.compile(r"\s*(?:PoolVector2Array|Vector2)\s*\(([^()]*)\)\s*")


def sniff(data: bytes, name: str) -> bool:
    """JSON with a header of the program and a world."""
    head = data[:4000].lstrip(b"\xef\xbb\xbf \t\r\n")
    return head.startswith(b"{") and b'"creation_build"' in head and b'"world"' in data


def load(data: bytes, *, source: str = "", options: Mapping[str, Any] | None = None) -> tuple[Battlemap, Report]:
    """Read a map.  Raises `MapError` with all faults, by line for broken JSON, else by path."""
    reader = _Reader(source, FORMAT.read_options(options))
    return reader.done(reader.read(_json.read(data, source)))


class _Reader(Reading):
    """One file on its way to a map."""

    format = "dungeondraft"

    def __init__(self, source: str, options: Mapping[str, Any]) -> None:
        super().__init__(source, options)
        self.numbers: Counter[str] = Counter()
        self.points_left, self.work_left = MOST_POINTS, MOST_WORK
        self.cols = self.rows = 1

    def read(self, content: Any) -> Battlemap | None:
        """The map, or None if the file has faults."""
        import numpy as np

        from tactical.world.battlemap import Battlemap
        from tactical.world.parts import Level

        world = content.get("world") if self.object(content) else None
        if not isinstance(world, dict):
            self.fault(f"expected an object, found {what(world)}", "world")
            return None
        size: list[int] = []
        for key in ("width", "height"):
            value = world.get(key)
            if finite(value) and value >= 1 and value == int(value):
                size.append(int(value))
            else:
                self.fault(f"expected a whole number of squares, found {what(value)}", f"world.{key}")
        given = world.get("levels")
        if not isinstance(given, dict) or not given:
            self.fault(f"expected levels by number, found {what(given)}", "world.levels")
        if self.faults or not isinstance(given, dict):
            return None
        self.cols, self.rows = size
        if not self.fits(self.cols, self.rows, "world.width", "squares"):
            return None
        if len(given) > MOST_LEVELS or len(given) * self.cols * self.rows > MOST_CELLS:
            self.fault(f"{len(given)} levels of {self.cols} x {self.rows} squares are too many", "world.levels")
            return None
        # the program counts its floors from the highest down
        keys = sorted(given, key=lambda key: (-int(key) if re.fullmatch(r"-?[0-9]{1,6}", key) else 0, key))
        ground = np.zeros((self.rows, self.cols), dtype=np.uint16)
        levels: list[Level] = []
        barriers: list[Barrier] = []
        for n, key in enumerate(keys):
            entry = given[key]
            if not isinstance(entry, dict):
                self.fault(f"expected an object, found {what(entry)}", f"world.levels.{key}")
                continue
            label = entry.get("label")
            name = replaced(str(label)[:40]).replace("/", "-").strip() if isinstance(label, str) else ""
            name = name or ("ground" if len(keys) == 1 else f"level {key[:10]}")
            while any(level.name == name for level in levels):
                name += "'"
            levels.append(Level(name, ground))
            barriers += self._level(entry, f"world.levels.{key}", n)
        if self.faults:
            return None
        self.tell("read", f"{self.cols} x {self.rows} cells" + (f", {len(levels)} levels" if len(levels) > 1 else ""))
        cell = self.cell()
        self._tell(barriers)
        return Battlemap(tuple(levels), barriers=tuple(barriers), name=self.stem(), source=self.source, **cell)

    def _level(self, entry: Mapping[str, Any], path: str, level: int) -> list[Barrier]:
        from tactical.formats._segments import merged, without
        from tactical.world.edges.barriers import Barrier

        walls: list[Segment] = []
        portals: list[Barrier] = []
        gaps: list[Segment] = []
        arches: list[Segment] = []
        loose = self.listed(entry, "portals")
        for n, wall in enumerate(self.listed(entry, "walls")):
            if not isinstance(wall, dict):
                self.fault(f"expected an object, found {what(wall)}", f"{path}.walls[{n}]")
                continue
            points = self._points(wall.get("points"), f"{path}.walls[{n}].points")
            ends = [*points, points[0]] if wall.get("loop") is True and len(points) > 2 else points
            walls += [piece for pair in pairwise(ends) if (piece := self._clipped(pair, "wall")) is not None]
            loose = [*loose, *self.listed(wall, "portals")]
        for n, portal in enumerate(loose):
            self._portal(portal, f"{path} portal {n + 1}", level, portals, gaps, arches)
        for key in REST:
            value = entry.get(key)
            self.counts[f"rest {key}"] += len(value) if isinstance(value, list) else 0
        self.counts["cave"] += _dug(entry.get("cave"))
        self.counts["water"] += _wet(entry.get("water"))
        # walls run on beneath their portals; beneath a door that does no harm, an archway must be free
        joined = without(merged(walls), gaps)
        for arch in arches:
            self.work_left -= len(joined)
            if self.work_left > 0:
                joined = [rest for wall in joined for rest in _cut(wall, arch)]
        return [*(Barrier(line, level=level) for line in joined), *portals]

    def _portal(
        self, portal: Any, path: str, level: int, portals: list[Barrier], gaps: list[Segment], arches: list[Segment]
    ) -> None:
        from tactical.world.edges.barriers import Barrier, DoorState, Kind

        if not isinstance(portal, dict):
            self.fault(f"expected an object, found {what(portal)}", path)
            return
        place = self._points(portal.get("position"), f"{path}.position")
        radius, turn = portal.get("radius"), portal.get("rotation")
        if len(place) != 1 or not finite(radius) or radius <= 0:
            self.counts["malformed"] += 1
            return
        angle = float(turn) if finite(turn) else 0.0
        dx, dy = (round(radius / PIXELS * part, 6) for part in (math.cos(angle), math.sin(angle)))
        (x, y) = place[0]
        line = self._clipped(((x - dx, y - dy), (x + dx, y + dy)), "portal")
        if line is None:
            return
        gaps.append(line)
        texture = str(portal.get("texture", "")).rsplit("/", 1)[-1].lower()
        word = next((kind for part, kind in WORDS if part in texture), "")
        if not word:
            self.counts["unnamed"] += 1
        if word == "open way":
            self.counts["open way"] += 1
            arches.append(line)
            return
        window = word == "window"
        kind = Kind.WINDOW if window else Kind.DOOR
        shut = DoorState.SECRET if word == "secret" else DoorState.CLOSED
        stem = "secret" if word == "secret" else kind.value
        self.numbers[stem] += 1
        state = None if window else DoorState.OPEN if portal.get("closed") is False else shut
        portals.append(Barrier(line, kind, f"{stem}-{self.numbers[stem]}", state, level=level))

    def _clipped(self, segment: Segment, part: str) -> Segment | None:
        from tactical.world.edges.barriers import snapped
        from tactical.world.edges.segments import clip

        if snapped(segment) is None:
            self.counts["short"] += 1
            return None
        found = clip(segment, self.cols, self.rows)
        if found is None or snapped(found) is None:
            self.counts[f"{part} outside"] += 1
            return None
        return found

    def _points(self, given: Any, path: str) -> list[Point]:
        """The points of the engine's text form in cells; those with a coordinate that is no number end the list."""
        match = _NUMBERS.fullmatch(given) if isinstance(given, str) else None
        if match is None:
            self.fault(f"expected Vector2( … ) or PoolVector2Array( … ), found {what(given)}", path)
            return []
        self.points_left -= match[1].count(",") // 2 + 1
        if self.points_left < 0:
            # before they are taken apart
            self.fault(f"more than {MOST_POINTS} points", path)
            return []
        try:
            numbers = [float(one) for one in match[1].split(",") if one.strip()]
        except ValueError:
            numbers = []
        if len(numbers) % 2 or not all(finite(one) for one in numbers):
            self.counts["malformed"] += 1
            return []
        cells = [round(one / PIXELS, 6) for one in numbers]
        return list(zip(cells[::2], cells[1::2], strict=True))

    def _tell(self, barriers: list[Barrier]) -> None:
        walls = sum(not barrier.id for barrier in barriers)
        if walls:
            self.tell("read", many(walls, "wall"), walls)
        else:
            self.tell("warning", "no walls: every cell is open")
        for stem, words in (("door", "doors"), ("secret", "secret doors"), ("window", "windows")):
            if self.numbers[stem]:
                self.tell("read", many(self.numbers[stem], words[:-1]), self.numbers[stem])
        self.tell_counts(
            ("open way", "read", "archway as an open way", "archways as open ways"),
            ("unnamed", "ambiguous", "portal whose look says nothing, read as a door",
             "portals whose look says nothing, read as doors"),
            ("malformed", "repaired", "part with a coordinate that is no number left out",
             "parts with a coordinate that is no number left out"),
            ("short", "repaired", "piece without length left out", "pieces without length left out"),
            ("wall outside", "outside", "piece of a wall outside the map left out",
             "pieces of walls outside the map left out"),
            ("portal outside", "outside", "portal outside the map left out", "portals outside the map left out"),
            ("cave", "ignored", "cave: its outline is in the export only (Universal VTT)",
             "caves: their outlines are in the export only (Universal VTT)"),
            ("water", "ignored", "level's water", "levels' water"),
        )  # fmt: skip
        for key in REST:
            count = self.counts[f"rest {key}"]
            if count:
                self.tell("ignored", many(count, key[:-1]), count)


def _dug(cave: Any) -> bool:
    """Whether a level has a cave: every level has a bitmap of one, mostly empty."""
    bits = cave.get("bitmap") if isinstance(cave, dict) else None
    return isinstance(bits, str) and re.search("[1-9]", bits) is not None


def _wet(water: Any) -> bool:
    """Whether a level has water: the tree of its outlines is there, and mostly bare."""
    tree = water.get("tree") if isinstance(water, dict) else None
    return isinstance(tree, dict) and bool(tree.get("children"))


def _cut(wall: Segment, gap: Segment) -> list[Segment]:
    """What a gap leaves of a wall that it lies upon; the whole wall where it does not."""
    (x0, y0), (x1, y1) = wall
    long = math.hypot(x1 - x0, y1 - y0)
    dx, dy = (x1 - x0) / long, (y1 - y0) / long
    places = []
    for x, y in gap:
        if abs((x - x0) * dy - (y - y0) * dx) > NEAR:
            return [wall]
        places.append((x - x0) * dx + (y - y0) * dy)
    low, high = max(min(places), 0.0), min(max(places), long)
    if low >= high:
        return [wall]
    pieces = [(start, end) for start, end in ((0.0, low), (high, long)) if end - start > 1 / 256]
    return [((x0 + start * dx, y0 + start * dy), (x0 + end * dx, y0 + end * dy)) for start, end in pieces]


FORMAT = Format("dungeondraft", "Dungeondraft map", (".dungeondraft_map",), sniff, load, options=CELL, also=(".json",))
