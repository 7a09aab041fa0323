"""The canvas of a scene: its grid, its levels, and where a point of it lies on the map."""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import numpy as np

from tactical.formats import MOST_CELLS
from tactical.formats._reading import Reading, finite, what
from tactical.formats.foundry.scenes import HEXES, Scene, grid_of, height
from tactical.values import length, replaced
from tactical.world.battlemap import Level
from tactical.world.grids import Point, get_grid

MOST_LEVELS = 50
UNITS = {
    **dict.fromkeys(("ft", "foot", "feet", "'"), (1, "ft")),
    **dict.fromkeys(("yd", "yard", "yards"), (3, "ft")),
    **dict.fromkeys(("mi", "mile", "miles"), (5280, "ft")),
    **dict.fromkeys(("m", "meter", "meters", "metre", "metres", "mètres"), (1, "m")),
    **dict.fromkeys(("km", "kilometer", "kilometers", "kilometre", "kilometres"), (1000, "m")),
}
"""The units that are known, in lengths that a map may have."""


class Canvas(Reading):
    """One scene on its way to a map, as far as its walls, regions and tokens must know it."""

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

    def lay(self, scene: Scene) -> None:
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

    def cell_of(self, scene: Scene) -> tuple[Fraction, str]:
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

    def read_levels(self, scene: Scene) -> tuple[Level, ...]:
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
            extent = one.get("elevation")
            low = extent.get("bottom") if isinstance(extent, dict) else None
            return height(low) or Fraction(0)

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
