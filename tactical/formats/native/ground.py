"""Reading a native map's ground: the grid, the legend and the rows of every level."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from tactical.errors import UnknownName, hinted, meant
from tactical.formats import MOST_CELLS, many
from tactical.formats._positions import Document, Path
from tactical.formats.native.models import Shaped
from tactical.formats.native.rules import RulesCheck
from tactical.registry import RULESETS
from tactical.units import UNITS
from tactical.world.battlemap import Battlemap, Level
from tactical.world.grids import Grid, get_grid
from tactical.world.terrain import PLAIN, Terrain

if TYPE_CHECKING:
    from tactical.world.parts import Ground

KEEP, UNKNOWN = 65534, 65535


class GroundReader:
    """Makes `palette`, `glyphs` and `levels` of a file, laid over those of its base if it has one."""

    def __init__(self, document: Document, shaped: Shaped, base: Battlemap | None) -> None:
        self.document, self.shaped, self.model, self.base = document, shaped, shaped.model, base
        self.palette: list[Terrain] = []
        self.glyphs: dict[str, int] = {}
        self.levels: list[Level] = []

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the levels read so far."""
        return tuple(level.name for level in self.levels)

    def grid(self, rules: RulesCheck) -> tuple[Grid, Fraction, str]:
        """The topology, the side of a cell and its unit; what the file leaves out comes from the base or the rules."""
        part, base = self.model.grid, self.base
        grid = base.grid if base else get_grid("square")
        if "type" in part.stated:
            try:
                grid = get_grid(part.type)
            except UnknownName as error:
                hint = hinted(error.nearest, "")
                words = f"unknown grid {part.type!r} (known: {', '.join(error.known)})"
                self.document.fault(words, ("grid", "type"), hint=hint)
            else:
                if base and grid.name != base.grid.name:
                    self.document.fault(f"the base has a {base.grid.name} grid, not {part.type}", ("grid", "type"))
        unit = self._unit(part.unit, rules) if part.unit else base.unit if base else rules.unit or "ft"
        if part.cell is not None:
            return grid, part.cell, unit
        if base and unit == base.unit:
            return grid, base.cell, unit
        if rules.unit == unit:
            return grid, rules.cell, unit
        return grid, Fraction(5 if unit == "ft" else 1), unit

    def _unit(self, word: str, rules: RulesCheck) -> str:
        """The unit that a word means; a fault for one that neither people nor a rule system use."""
        found = UNITS.get(word.strip().lower())
        if found or word == rules.unit or word in {system.unit for _, system in RULESETS}:
            return found or word
        hint = meant(word.lower(), UNITS, before="")
        known = ", ".join(dict.fromkeys(UNITS.values()))
        self.document.fault(f"unknown unit {word!r} (known: {known})", ("grid", "unit"), hint=hint)
        return rules.unit or "ft"

    def legend(self) -> None:
        """Read the glyphs and their terrains."""
        base = self.base
        self.palette = list(base.palette) if base else [PLAIN]
        index = {terrain: n for n, terrain in enumerate(self.palette)}
        if base:
            self.glyphs.update(base.glyphs)
        else:
            self.glyphs["."] = 0
        for glyph, part in self.model.legend.items():
            path: Path = ("legend", glyph)
            if len(glyph) != 1 or glyph.isspace() or not glyph.isprintable():
                self.document.fault(f"a glyph is one visible character, not {glyph!r}", path, key=True)
                continue
            if base and glyph == ".":
                self.document.fault("over a base '.' keeps the ground as it is; choose another glyph", path, key=True)
                continue
            self.document.hazard(path)
            terrain = PLAIN
            with self.document.placing(path):
                terrain = Terrain.of({"terrain": part.terrain, **part.facts()})
            if terrain not in index:
                index[terrain] = len(self.palette)
                self.palette.append(terrain)
                # one kind of ground alone shows which entry is at fault
                for fault in Battlemap((Level("", np.zeros((1, 1), dtype=np.uint16)),), (terrain,)).faults():
                    self.document.fault(fault.text, path)
            self.glyphs[glyph] = index[terrain]

    def floors(self) -> None:
        """Read the rows of all levels."""
        model, base = self.model, self.base
        self.levels = list(base.levels) if base else []
        floors: list[tuple[str, Fraction | None, list[str], Path, Path]] = []
        if model.rows is not None:
            first = model.level or (self.names[0] if base else "ground")
            floors.append((first, model.height, model.rows, ("rows",), ("level",)))
        elif not base and not model.levels and not self.shaped.lost("rows") and not self.shaped.lost("levels"):
            self.document.fault("key 'rows' is missing")
        for n, level in enumerate(model.levels):
            place = self.shaped.origin("levels", n)
            height = level.height if "height" in level.stated else None
            floors.append((level.name, height, level.rows, (*place, "rows"), (*place, "name")))
        seen: set[str] = set()
        for name, height, rows, path, name_path in floors:
            if name in seen:
                self.document.fault(f"two levels are called {name!r}", name_path)
                continue
            seen.add(name)
            self._floor(name, height, rows, path)

    def _floor(self, name: str, height: Fraction | None, rows: list[str], path: Path) -> None:
        under = next((level for level in self.levels if self.base and level.name == name), None)
        widths = Counter(len(row) for row in rows)
        wide = under.ground.shape[1] if under else max(widths, key=lambda width: (widths[width], width))
        high = under.ground.shape[0] if under else len(rows)
        for r, row in enumerate(rows):
            if len(row) != wide:
                at = self.document.row_mark(path, r, len(row), min(len(row), wide))
                self.document.fault(f"row {r + 1} has {len(row)} cells, expected {wide}", path, at=at)
        if len(rows) != high:
            verb = "is" if len(rows) == 1 else "are"
            self.document.fault(f"there {verb} {many(len(rows), 'row')}, the base has {high}", path)
        if not wide or wide * high > MOST_CELLS:
            words = f"{wide} x {high} cells are more than the {MOST_CELLS} a map may have" if wide else ""
            self.document.fault(words or "a map needs at least one cell", path)
            return
        if self.levels and not under and (high, wide) != self.levels[0].ground.shape:
            first = self.levels[0]
            size = f"{first.ground.shape[1]} x {first.ground.shape[0]}"
            self.document.fault(f"level {name!r} is {wide} x {high} cells, level {first.name!r} is {size}", path)
            high, wide = first.ground.shape
        ground = self._ground(rows, path, (high, wide), under)
        level = Level(name, ground, height if height is not None else under.height if under else Fraction(0))
        if under:
            self.levels[self.levels.index(under)] = level
        else:
            self.levels.append(level)

    def _ground(self, rows: list[str], path: Path, shape: tuple[int, int], under: Level | None) -> Ground:
        drawn = [row[: shape[1]].ljust(shape[1], ".") for row in rows[: shape[0]]]
        drawn += ["." * shape[1]] * (shape[0] - len(drawn))
        codes = np.frombuffer("".join(drawn).encode("utf-32-le", "surrogatepass"), dtype=np.uint32).reshape(shape)
        table = np.full(int(codes.max()) + 1, UNKNOWN, dtype=np.uint16)
        for glyph, n in self.glyphs.items():
            if ord(glyph) < len(table):
                table[ord(glyph)] = n
        if under:
            table[ord(".") : ord(".") + 1] = KEEP
        ground: Ground = table[codes]
        missing = ground == UNKNOWN
        if missing.any():
            self._unknown_glyphs(rows, path)
            ground[missing] = 0
        if under:
            ground = np.where(ground == KEEP, under.ground, ground)
        return ground

    def _unknown_glyphs(self, rows: list[str], path: Path) -> None:
        broken = {str(place[1]) for place in self.shaped.broken if place[0] == "legend" and len(place) > 1}
        known = {*self.glyphs, *broken}
        if ("legend",) in self.shaped.broken:
            return
        seen: Counter[str] = Counter()
        first: dict[str, tuple[int, int]] = {}
        for r, row in enumerate(rows):
            for c, glyph in enumerate(row):
                if glyph not in known:
                    seen[glyph] += 1
                    first.setdefault(glyph, (r, c))
        for glyph, (r, c) in first.items():
            more = f" (and {seen[glyph] - 1} more)" if seen[glyph] > 1 else ""
            hint = "(give it a line in the legend)"
            if glyph == "#":
                hint = 'if the legend has a line for it, quote it: "#": … (an unquoted # starts a comment)'
            elif glyph in " \t":
                hint = "white space is no glyph"
            self.document.fault(
                f"unknown glyph {glyph!r} in row {r + 1}, column {c + 1}{more}",
                path,
                hint=hint,
                at=self.document.row_mark(path, r, len(rows[r]), c),
            )
