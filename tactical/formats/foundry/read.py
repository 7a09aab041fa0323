"""Reading a scene: place its grid, clip its walls to it floor by floor, seat its tokens, tell the rest."""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import numpy as np

from tactical.formats import MOST_CELLS, Report, many
from tactical.formats._reading import Reading, finite, what
from tactical.formats._segments import merged
from tactical.formats.foundry.regions import read_regions
from tactical.formats.foundry.scenes import HEXES, Scene, grid_of, scene_of
from tactical.formats.foundry.tokens import read_tokens
from tactical.values import length, measure, replaced
from tactical.world.barriers import Barrier, DoorState, Kind, snapped
from tactical.world.battlemap import Battlemap, Level
from tactical.world.grids import Point, get_grid
from tactical.world.segments import Segment, clip

MOST_LEVELS = 50
STATES = {0: DoorState.CLOSED, 1: DoorState.OPEN, 2: DoorState.LOCKED}
SIDES = {1: "left", 2: "right"}
"""The way that each `dir` lets pass, going from the wall's first end to its second.

The program leaves a wall out of account for whoever stands on the side that `dir` names, and measures that side with y
growing upwards; on a screen it is the other one.  So 1 lets pass from the right to the left and stops the other way.
"""
UNITS = {
    **dict.fromkeys(("ft", "foot", "feet", "'"), (1, "ft")),
    **dict.fromkeys(("yd", "yard", "yards"), (3, "ft")),
    **dict.fromkeys(("mi", "mile", "miles"), (5280, "ft")),
    **dict.fromkeys(("m", "meter", "meters", "metre", "metres", "mètres"), (1, "m")),
    **dict.fromkeys(("km", "kilometer", "kilometers", "kilometre", "kilometres"), (1000, "m")),
}
"""The units that are known, in lengths that a map may have."""
REST = ("lights", "sounds", "notes", "tiles", "drawings", "templates")


def load(data: bytes, source: str, options: Mapping[str, Any]) -> tuple[Battlemap, Report]:
    """Read the scene that was asked for."""
    twice: list[str] = []
    scene, of = scene_of(data, source, options["scene"], twice)
    reader = Reader(source, options)
    if twice:
        reader.tell("warning", f"{many(len(twice), 'key')} written twice: the last one counts", len(twice))
    if of > 1:
        reader.tell("read", f"1 scene of {of}")
    return reader.done(reader.read(scene))


class Reader(Reading):
    """One scene on its way to a map."""

    format = "foundry"

    def __init__(self, source: str, options: Mapping[str, Any]) -> None:
        super().__init__(source, options)
        self.grid = get_grid("square")
        self.cols = self.rows = 1
        self.px = 1.0
        self.origin: Point = (0.0, 0.0)
        self.ids: dict[str, int] = {}
        """The level of each id of the file."""
        self.heights = [Fraction(0)]

    def place(self, x: float, y: float) -> Point:
        """A point of the canvas in cells of the map."""
        return round((x - self.origin[0]) / self.px, 6), round((y - self.origin[1]) / self.px, 6)

    def read(self, scene: Scene) -> Battlemap | None:
        """The map, or None if the scene has faults."""
        self._grid(scene)
        if self.faults:
            return None
        cell, unit = self._cell(scene)
        levels = self._levels(scene)
        barriers = self._walls(scene)
        regions = read_regions(self, self.listed(scene, "regions"))
        movers = read_tokens(self, self.listed(scene, "tokens")) if self.options["tokens"] else ()
        self._rest(scene)
        if self.faults:
            return None
        name = scene.get("name")
        return Battlemap(
            levels,
            grid=self.grid,
            cell=cell,
            unit=unit,
            barriers=tuple(barriers),
            links=regions[0],
            zones=regions[1],
            movers=tuple(movers),
            name=replaced(name[:200] if isinstance(name, str) else ""),
            source=self.source,
        )

    # -- the grid ---------------------------------------------------------------------------------------------------

    def _grid(self, scene: Scene) -> None:
        grid = grid_of(scene)
        size = grid.size
        if grid.kind < 0:
            self.fault("expected a grid type of 0 to 5", "grid.type")
        if grid.kind == 0:
            given = self.options["cell_px"]
            if given is None:
                self.fault("the scene has no grid: state the pixels of a cell by the option cell_px", "grid.type")
                return
            size = float(given)
            self.tell("warning", f"the scene has no grid: cells of {size:g} pixels laid over it")
        if not 1 <= size <= 100_000:
            self.fault(f"expected the pixels of a cell, 1 or more, found {size:g}", "grid.size")
        extent = [scene.get("width"), scene.get("height")]
        for key, value in zip(("width", "height"), extent, strict=True):
            if not finite(value) or value <= 0:
                self.fault(f"expected a number of pixels above 0, found {what(value)}", key)
        if self.faults:
            return
        padding = scene.get("padding", 0.25 if "background" in scene else 0)
        padding = float(padding) if finite(padding) and 0 <= padding <= 1 else 0.0
        background = scene.get("background")
        own = background if isinstance(background, dict) else {}
        stated = (scene.get("shiftX", own.get("offsetX")), scene.get("shiftY", own.get("offsetY")))
        shift = [float(one) if finite(one) else 0.0 for one in stated]
        wide, high = float(extent[0]), float(extent[1])  # type: ignore[arg-type]
        if grid.kind in HEXES:
            self._hexes(grid.kind, size * (math.sqrt(3) / 2 if grid.legacy_hex else 1), wide, high, padding)
        else:
            self._squares(size, (wide, high), padding, shift)
        if self.cols < 1 or self.rows < 1:
            self.fault(f"{wide:g} x {high:g} pixels hold no whole cell of {size:g}", "width")
        elif self.fits(self.cols, self.rows, "width"):
            self.tell("read", f"{self.cols} x {self.rows} cells of {size:g} pixels")

    def _squares(self, size: float, extent: Point, padding: float, shift: list[float]) -> None:
        self.px = size
        origin, cells, part = [], [], False
        for length_, moved in zip(extent, shift, strict=True):
            begin = math.ceil(length_ * padding / size) * size - moved
            first = math.ceil(begin / size - 1e-6) * size
            count = math.floor((begin + length_ - first) / size + 1e-6)
            part = part or count * size < length_ - 0.5
            origin.append(first)
            cells.append(count)
        self.origin = (origin[0], origin[1])
        self.cols, self.rows = cells
        if part:
            self.tell("repaired", "the scene is no whole number of cells: the part cells at its edges are left out")
        if any(shift):
            self.tell("read", f"the picture is shifted by ({shift[0]:g}, {shift[1]:g}) pixels against the grid")

    def _hexes(self, kind: int, size: float, wide: float, high: float, padding: float) -> None:
        flat = kind >= 4
        stride = size * math.sqrt(3) / 2
        across, along = (wide, high) if flat else (high, wide)
        lines = math.ceil(across * padding / stride - 1e-6)
        begin = lines * stride, math.ceil(along * padding / size - 1e-6) * size
        count = math.floor((across - size * 2 / math.sqrt(3)) / stride + 1e-6) + 1
        places = math.floor(along / size + 1e-6) or 1
        name = HEXES[kind]
        if lines % 2:
            name = name.replace("odd", "?").replace("even", "odd").replace("?", "even")
        self.grid, self.px = get_grid(name), size
        self.origin = begin if flat else (begin[1], begin[0])
        self.cols, self.rows = (count, places) if flat else (places, count)
        if padding:
            self.tell("ambiguous", "a hex grid with padding: compare one wall with the picture")

    def _cell(self, scene: Scene) -> tuple[Fraction, str]:
        grid = grid_of(scene)
        try:
            cell = length(grid.distance, "a cell")
        except (TypeError, ValueError):
            self.tell("warning", "no length of a cell: taken as 5", about="cell")
            cell = Fraction(5)
        stated = grid.units.strip() if isinstance(grid.units, str) else ""
        word = stated.lower().rstrip(".")
        if word in UNITS:
            times, unit = UNITS[word]
            return cell * times, unit
        shown = f"the unit {replaced(stated[:40])!r} is none that is known" if stated else "no unit of length"
        self.tell("warning", f"{shown}: taken as ft", about="cell")
        return cell, "ft"

    def _levels(self, scene: Scene) -> tuple[Level, ...]:
        entries = [one for one in self.listed(scene, "levels") if isinstance(one, dict)]
        ground = np.zeros((self.rows, self.cols), dtype=np.uint16)
        if len(entries) > MOST_LEVELS or len(entries) * ground.size > MOST_CELLS:
            self.fault(f"{len(entries)} levels of {self.cols} x {self.rows} cells are too many", "levels")
            return ()
        if len(entries) < 2:
            self.ids = {str(one.get("_id")): 0 for one in entries}
            return (Level("ground", ground),)
        first = scene.get("initialLevel")

        def bottom(one: dict[str, Any]) -> Fraction:
            height = one.get("elevation")
            low = height.get("bottom") if isinstance(height, dict) else None
            return _height(low) or Fraction(0)

        entries.sort(key=lambda one: (one.get("_id") != first, bottom(one)))
        levels, names = [], set()
        for n, one in enumerate(entries):
            name = replaced(str(one.get("name") or "")[:40]).replace("/", "-").strip() or f"level {n + 1}"
            while name in names:
                name += "'"
            names.add(name)
            self.ids[str(one.get("_id"))] = n
            levels.append(Level(name, ground, bottom(one)))
        self.heights = [level.height for level in levels]
        self.tell("read", f"{len(levels)} levels: {', '.join(level.name for level in levels)}", len(levels))
        return tuple(levels)

    def levels_of(self, entry: Mapping[str, Any]) -> list[int]:
        """The levels an entry is for; one that names none is for all."""
        every = sorted(set(self.ids.values())) or [0]
        named = entry.get("levels")
        if not isinstance(named, list) or not named:
            return every
        return sorted({self.ids[str(one)] for one in named if str(one) in self.ids})

    # -- walls ------------------------------------------------------------------------------------------------------

    def _walls(self, scene: Scene) -> list[Barrier]:
        entries = self.listed(scene, "walls")
        if entries and all(isinstance(one, str) for one in entries):
            words = "the walls are only named here: in Foundry choose Export Data of the scene, and give that file"
            self.fault(words, "walls")
            return []
        plain: dict[int, list[Segment]] = {}
        others: list[Barrier] = []
        pieces = 0
        lost = sum(isinstance(one, str) for one in entries)
        if lost:
            # what a migration or a torn database leaves behind of a wall is its id
            self.tell("warning", f"the scene lists {len(entries)} walls, found {len(entries) - lost}", lost)
        for n, wall in enumerate(entries):
            if isinstance(wall, str):
                continue
            if not isinstance(wall, dict):
                self.fault(f"expected an object, found {what(wall)}", f"walls[{n}]")
                continue
            line = self._line(wall, n)
            if line is None:
                continue
            if not wall.get("move", 20):
                self.counts["door passed" if wall.get("door") in (1, 2) else "passed"] += 1
                continue
            fields = self._fields(wall)
            pieces += 1
            for level in self.levels_of(wall):
                if fields:
                    others.append(self._barrier(line, fields, level))
                else:
                    plain.setdefault(level, []).append(line)
        joined = [Barrier(line, level=level) for level in sorted(plain) for line in merged(plain[level])]
        self._tell_walls(len(entries), pieces, joined, others)
        return joined + others

    def _line(self, wall: Scene, n: int) -> Segment | None:
        ends = wall.get("c")
        if not isinstance(ends, list) or len(ends) < 4:
            self.fault(f"expected [x, y, x, y], found {what(ends)}", f"walls[{n}].c")
            return None
        if not all(finite(one) for one in ends[:4]):
            self.counts["malformed"] += 1
            return None
        line = (self.place(ends[0], ends[1]), self.place(ends[2], ends[3]))
        if snapped(line) is None:
            self.counts["short"] += 1
            return None
        width, height = self.grid.size(self.cols, self.rows)
        inside = clip(line, width, height)
        if inside is None or snapped(inside) is None:
            self.counts["outside"] += 1
            return None
        self.counts["cut"] += inside != line
        return inside

    def _fields(self, wall: Scene) -> dict[str, Any]:
        """What makes a wall more than a plain one."""
        fields: dict[str, Any] = {}
        door, side = wall.get("door"), wall.get("dir")
        if door in (1, 2) and not isinstance(door, bool):
            state = STATES.get(wall.get("ds", 0) if isinstance(wall.get("ds", 0), int) else 0, DoorState.CLOSED)
            if door == 2:
                self.counts["secret"] += 1
                self.counts["secret locked"] += state is DoorState.LOCKED
                self.counts["secret open"] += state is DoorState.OPEN
                state = state if state is DoorState.OPEN else DoorState.SECRET
            fields.update(kind=Kind.DOOR, state=state, word="secret" if door == 2 else "door")
            self.counts["door"] += door == 1
            self.counts[f"door {state}"] += door == 1
        if side in (1, 2) and not isinstance(side, bool):
            fields["one_way"] = SIDES[side]
            self.counts["one-way"] += 1
        low, high = _heights(wall)
        if low is not None or high is not None:
            fields.update(bottom=low, top=high)
            self.counts["heights"] += 1
        return fields

    def _barrier(self, line: Segment, fields: Mapping[str, Any], level: int) -> Barrier:
        rest = {key: value for key, value in fields.items() if key != "word"}
        word = fields.get("word", "")
        if word:
            self.counts[f"id {word}"] += 1
            rest["id"] = f"{word}-{self.counts[f'id {word}']}"
        return Barrier(line, level=level, **rest)

    # -- the report -------------------------------------------------------------------------------------------------

    def _tell_walls(self, stated: int, pieces: int, joined: list[Barrier], others: list[Barrier]) -> None:
        counts = self.counts
        doors = counts["door"] + counts["secret"]
        walls = len(joined) + sum(one.kind is Kind.WALL for one in others)
        if pieces:
            self.tell("read", f"{many(walls, 'wall')} (joined from {many(pieces - doors, 'wall')} of the scene)", walls)
        else:
            self.tell("warning", "no walls that stop movement: every cell is open")
        if doors:
            states = ", ".join(f"{counts[f'door {state}']} {state}" for state in STATES.values()
                               if counts[f"door {state}"])  # fmt: skip
            words = f"{many(counts['door'], 'door')}{f' ({states})' if states else ''}"
            self.tell("read", f"{words} and {many(counts['secret'], 'secret door')}", doors)
        self.tell_counts(
            ("one-way", "read", "one-way wall", "one-way walls"),
            ("heights", "read", "wall with a bottom or top", "walls with a bottom or top"),
            ("secret locked", "ignored", "lock of a secret door", "locks of secret doors"),
            ("secret open", "ambiguous", "secret door that stands open read as an open door",
             "secret doors that stand open read as open doors"),
            ("passed", "ignored", "wall that does not stop movement", "walls that do not stop movement"),
            ("door passed", "ignored", "door that does not stop movement", "doors that do not stop movement"),
            ("malformed", "repaired", "wall with a coordinate that is no number left out",
             "walls with a coordinate that is no number left out"),
            ("short", "repaired", "wall without length left out", "walls without length left out"),
            ("cut", "repaired", "wall cut at the edge of the map", "walls cut at the edge of the map"),
            ("outside", "outside", "wall outside the map left out", "walls outside the map left out"),
        )  # fmt: skip
        if counts["outside"] * 5 > stated:
            share = round(100 * counts["outside"] / stated)
            self.tell("warning", f"{share} % of the walls lie outside: was the padding or the grid changed later?")

    def _rest(self, scene: Scene) -> None:
        src = scene.get("img")
        background = scene.get("background")
        if isinstance(background, dict):
            src = background.get("src") or src
        for level in self.listed(scene, "levels"):
            below = level.get("background") if isinstance(level, dict) else None
            src = src or (below.get("src") if isinstance(below, dict) else None)
        if isinstance(src, str) and src:
            self.tell("ignored", f"the picture {replaced(src[-80:])}: a file of the program, not of this one")
        if not self.options["tokens"] and scene.get("tokens"):
            count = len(self.listed(scene, "tokens"))
            self.tell("ignored", f"{many(count, 'token')} (option tokens: false)", count)
        for key in REST:
            value = scene.get(key)
            if isinstance(value, list) and value:
                self.tell("ignored", many(len(value), key[:-1]), len(value))


def _heights(wall: Scene) -> tuple[Fraction | None, Fraction | None]:
    flags = wall.get("flags")
    for name, low, high in (
        ("wall-height", "bottom", "top"),
        ("wallHeight", "wallHeightBottom", "wallHeightTop"),
        ("elevatedvision", "bottom", "top"),
    ):
        own = flags.get(name) if isinstance(flags, dict) else None
        if isinstance(own, dict):
            return _height(own.get(low)), _height(own.get(high))
    return None, None


def _height(value: Any) -> Fraction | None:
    if not finite(value):
        return None
    try:
        found = measure(value, "a height")
    except (TypeError, ValueError):
        return None
    return found if abs(found) < 1_000_000 else None
