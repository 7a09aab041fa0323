"""Reading native maps: from the models of a file to a `Battlemap`, with every fault of meaning at its place."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path as FilePath
from typing import Any

import numpy as np

from tactical.errors import MapError, UnknownName, nearest
from tactical.formats import Report, ReportLine, decode, load_with_report
from tactical.formats._models import BarrierPart
from tactical.formats._native_rules import RulesCheck
from tactical.formats._positions import Document, Path, plain, read
from tactical.formats._validate import Shaped, validate
from tactical.units import Cell, parse_cell
from tactical.world.barriers import Barrier, Kind
from tactical.world.battlemap import Battlemap, Ground, Level, Link, Picture, Zone
from tactical.world.grids import Grid, get_grid
from tactical.world.mover import Mover
from tactical.world.terrain import PLAIN, Terrain

SIDES = {
    "north": "n", "east": "e", "south": "s", "west": "w",
    "northeast": "ne", "southeast": "se", "southwest": "sw", "northwest": "nw",
}
KEEP, UNKNOWN = 65534, 65535
_PART = re.compile(r"(\w+)\[(\d+)\](?:\.(\w+))?")


@dataclass(frozen=True, slots=True)
class PictureFile:
    """Reads a picture that lies beside a map file, when asked to."""

    file: str
    folder: str = ""

    def __call__(self) -> bytes:
        return (FilePath(self.folder) / self.file).read_bytes()


def load(data: bytes, source: str, options: Mapping[str, Any]) -> tuple[Battlemap, Report]:
    """Read a native file.  Raises `MapError` with all its faults in the order of the file."""
    document = read(decode(data, source), source)
    shaped = validate(document)
    battlemap, report = None, Report()
    if shaped is not None:
        battlemap, report = _Reader(document, shaped, options).read()
    if document.faults or battlemap is None:
        unique = dict.fromkeys(document.faults)
        raise MapError(sorted(unique, key=lambda fault: (fault.file != source, fault.line, fault.column)))
    return battlemap, report


class _Reader:
    """One file on its way to a map."""

    def __init__(self, document: Document, shaped: Shaped, options: Mapping[str, Any]) -> None:
        self.document, self.shaped, self.model, self.given = document, shaped, shaped.model, options
        self.base: Battlemap | None = None
        self.report: list[ReportLine] = []
        self.palette: list[Terrain] = []
        self.glyphs: dict[str, int] = {}
        self.levels: list[Level] = []
        self.barriers: list[Barrier] = []
        self.barrier_paths: list[Path] = []
        self.link_paths: list[Path] = []
        self.mover_paths: list[Path] = []

    def read(self) -> tuple[Battlemap | None, Report]:
        """The map, or None where there is nothing to build one from."""
        model = self.model
        self._read_base()
        if model.base and self.base is None:
            return None, Report()
        rules = RulesCheck(self.document, self.shaped)
        rules.check(self.base)
        self.grid, cell, unit = self._grid(rules)
        self._legend()
        self._floors()
        if not self.levels:
            return None, Report()
        self._barriers(model.barriers, lambda n: self.shaped.origin("barriers", n), None)
        for n, level in enumerate(model.levels):
            index = self.names.index(level.name) if level.name in self.names else None
            self._barriers(level.barriers, lambda m, n=n: (*self.shaped.origin("levels", n), "barriers", m), index)
        base = self.base
        battlemap = Battlemap(
            tuple(self.levels),
            tuple(self.palette),
            self.grid,
            cell,
            unit,
            tuple(self.barriers),
            (base.links if base else ()) + self._links(),
            (base.zones if base else ()) + self._zones(),
            (base.movers if base else ()) + self._movers(),
            model.rules or (base.rules if base else ""),
            {**(base.options if base else {}), **{name: plain(value) for name, value in model.options.items()}},
            model.name or (base.name if base else ""),
            dict(self.glyphs),
            self._picture() or (base.picture if base else None),
            self.document.source,
        )
        self._meaning(battlemap)
        counts = {"level": len(battlemap.levels), "barrier": len(battlemap.barriers), "link": len(battlemap.links),
                  "zone": len(battlemap.zones), "mover": len(battlemap.movers)}
        words = ", ".join(f"{n} {word}{'s' if n > 1 else ''}" for word, n in counts.items() if n)
        self.report.append(ReportLine("read", f"{battlemap.cols} x {battlemap.rows} cells, {words}"))
        return battlemap, Report("native", self.document.source, tuple(self.report))

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the levels read so far."""
        return tuple(level.name for level in self.levels)

    # -- what it lies over ------------------------------------------------------------------------------------------

    def _beside(self, file: str, path: Path) -> FilePath | None:
        """The place of a file named in the map; only files in the map's folder or below it are read."""
        wanted = FilePath(file)
        if wanted.is_absolute() or ".." in wanted.parts or "\\" in file or ":" in file:
            self.document.fault(f"{file!r} must be a file in the map's own folder, or below it", path)
            return None
        return FilePath(self.document.source).parent / wanted

    def _read_base(self) -> None:
        part = self.model.base
        if part is None:
            if self.given:
                raise UnknownName("import option of native files", next(iter(self.given)), ())
            return
        path: Path = ("base", "file") if self.document.known(("base", "file")) else ("base",)
        file = self._beside(part.file, path)
        if file is None:
            return
        if file.resolve() == FilePath(self.document.source).resolve():
            self.document.fault("a map cannot be its own base", path)
            return
        try:
            self.base, report = load_with_report(file, format=part.format, options={**part.options, **self.given})
        except MapError as error:
            self.document.fault(f"the base {part.file!r} cannot be used", path)
            self.document.faults.extend(error.faults)
        except OSError as error:
            self.document.fault(f"the base {part.file!r} cannot be read: {error.strerror or error}", path)
        except (LookupError, ValueError) as error:
            self.document.fault(f"the base {part.file!r}: {error}", ("base",))
        except RecursionError:
            self.document.fault("bases lead round in a circle", path)
        else:
            self.report.extend(report.lines)

    # -- the ground -------------------------------------------------------------------------------------------------

    def _grid(self, rules: RulesCheck) -> tuple[Grid, Fraction, str]:
        part, base = self.model.grid, self.base
        grid = base.grid if base else get_grid("square")
        if "type" in part.model_fields_set:
            try:
                grid = get_grid(part.type)
            except UnknownName as error:
                hint = f"did you mean {error.nearest!r}?" if error.nearest else ""
                words = f"unknown grid {part.type!r} (known: {', '.join(error.known)})"
                self.document.fault(words, ("grid", "type"), hint=hint)
            else:
                if base and grid.name != base.grid.name:
                    self.document.fault(f"the base has a {base.grid.name} grid, not {part.type}", ("grid", "type"))
        unit = part.unit or (base.unit if base else rules.unit or "ft")
        if part.cell is not None:
            return grid, part.cell, unit
        if base and unit == base.unit:
            return grid, base.cell, unit
        if rules.unit == unit:
            return grid, rules.cell, unit
        return grid, Fraction(5 if unit == "ft" else 1), unit

    def _legend(self) -> None:
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
                self.document.fault("over a base the glyph '.' keeps the ground as it is; choose another", path, key=True)
                continue
            terrain = Terrain.of({"terrain": part.terrain, **part.facts()})
            if terrain not in index:
                index[terrain] = len(self.palette)
                self.palette.append(terrain)
                # one kind of ground alone shows which entry is at fault
                for fault in Battlemap((Level("", np.zeros((1, 1), dtype=np.uint16)),), (terrain,)).faults():
                    self.document.fault(fault.text, path)
            self.glyphs[glyph] = index[terrain]

    def _floors(self) -> None:
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
            height = level.height if "height" in level.model_fields_set else None
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
            self.document.fault(f"there are {len(rows)} rows, the base has {high}", path)
        if not wide:
            self.document.fault("a map needs at least one cell", path)
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
        known = {*self.glyphs, *(str(place[1]) for place in self.shaped.broken if place[:1] == ("legend",) and place[1:])}
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
            hint = ""
            if glyph == "#":
                hint = 'if the legend has a line for it, quote it: "#": … (an unquoted # starts a comment)'
            elif glyph in " \t":
                hint = "white space is no glyph"
            self.document.fault(
                f"unknown glyph {glyph!r} in row {r + 1}, column {c + 1}{more}", path, hint=hint,
                at=self.document.row_mark(path, r, len(rows[r]), c),
            )

    # -- what stands on it ------------------------------------------------------------------------------------------

    def _level(self, name: str | None, path: Path, default: int = 0) -> int:
        if name is None:
            return default
        if name in self.names:
            return self.names.index(name)
        if not self.shaped.lost("levels"):
            near = nearest(name, self.names)
            words = f"no level {name!r} (levels: {', '.join(self.names)})"
            self.document.fault(words, path, hint=f"did you mean {near!r}?" if near else "")
        return default

    def _cell(self, text: str, path: Path, level: int = 0, *, on_map: bool = True) -> Cell | None:
        """The cell a file names, on `level` unless it says which; None, and a fault, where there is none."""
        try:
            cell = parse_cell(text, self.names)
        except ValueError as error:
            if not (self.shaped.lost("levels") and "no level" in str(error)):
                self.document.fault(str(error), path)
            return None
        if level and "/" not in text and text.count(",") < 2:
            cell = cell._replace(level=level)
        rows, cols = self.levels[0].ground.shape
        if on_map and not (0 <= cell.col < cols and 0 <= cell.row < rows and cell.level < len(self.levels)):
            last = Cell(cols - 1, rows - 1)
            self.document.fault(f"{text!r} is not on the map (cells run from A1 to {last})", path)
            return None
        return cell

    def _barriers(self, parts: Sequence[BarrierPart], place: Callable[[int], Path], level: int | None) -> None:
        if level is None and self.base:
            self.barriers = list(self.base.barriers)
            self.barrier_paths = [("base",)] * len(self.barriers)
        for n, part in enumerate(parts):
            path = place(n)
            barrier = self._barrier(part, path, level or 0)
            if barrier is not None:
                self.barriers.append(barrier)
                self.barrier_paths.append(path)

    def _barrier(self, part: BarrierPart, path: Path, floor: int) -> Barrier | None:
        stated = part.model_fields_set
        level = self._level(part.level, (*path, "level"), floor)
        if part.cell is None and part.line is None:
            return self._changed_barrier(part, path)
        if part.cell is not None and part.line is not None:
            self.document.fault("a barrier has a cell and a side, or a line, not both", (*path, "line"), key=True)
            return None
        line = part.line
        if part.cell is not None:
            if part.side is None:
                self.document.fault("key 'side' is missing: on which side of the cell?", path)
                return None
            cell = self._cell(part.cell, (*path, "cell"), level)
            if cell is None:
                return None
            level = cell.level
            line = self._side(cell, part.side, (*path, "side"))
        if line is None:
            return None
        return self._made(part, path, line, level, {name for name in stated if getattr(part, name) is not None})

    def _made(
        self, part: BarrierPart, path: Path, line: tuple[Any, Any], level: int, stated: set[str], old: Barrier | None = None
    ) -> Barrier | None:
        kind = part.kind or (old.kind if old else Kind.WALL)
        if part.state is not None and kind is not Kind.DOOR:
            self.document.fault(f"a {kind} has no state, only a door has", (*path, "state"), key=True)
            return None
        fields = {name: getattr(part, name) for name in ("id", "cost", "bottom", "top", "truth") if name in stated}
        if "truth" in fields:
            try:
                replace(Barrier(line), truth=fields["truth"]).really()
            except ValueError:
                words = "truth is a kind of barrier, or door-open, door-closed, door-locked, door-secret"
                self.document.fault(f"{words}, not {part.truth!r}", (*path, "truth"))
                return None
        one_way = self._one_way(part.one_way, line, path) if "one_way" in stated else old.one_way if old else ""
        state = part.state or (old.state if old and kind is Kind.DOOR else None)
        if old:
            return replace(old, kind=kind, state=state, one_way=one_way, **fields)
        return Barrier(line, kind, state=state, one_way=one_way, level=level, **fields)

    def _changed_barrier(self, part: BarrierPart, path: Path) -> Barrier | None:
        """A barrier without a place changes the base's barrier of that id."""
        found = [n for n, barrier in enumerate(self.barriers) if self.base and part.id and barrier.id == part.id]
        if not found:
            words = "a barrier needs a cell and a side, or a line"
            if self.base and part.id:
                known = [barrier.id for barrier in self.base.barriers if barrier.id]
                near = nearest(part.id, known)
                hint = f"did you mean {near!r}?" if near else ""
                self.document.fault(f"{words} (the base has no barrier {part.id!r})", path, hint=hint)
            else:
                self.document.fault(words, path)
            return None
        old = self.barriers[found[0]]
        stated = {name for name in part.model_fields_set if getattr(part, name) is not None}
        changed = self._made(part, path, old.line, old.level, stated, old)
        if changed is not None:
            self.barriers[found[0]] = changed
        return None

    def _side(self, cell: Cell, side: str, path: Path) -> tuple[Any, Any] | None:
        try:
            return self.grid.side(cell.col, cell.row, SIDES.get(side.replace("-", ""), side))
        except UnknownName as error:
            words = [name for name, short in SIDES.items() if short in error.known] or list(error.known)
            near = nearest(side, [*words, *error.known])
            hint = f"did you mean {near!r}?" if near else ""
            self.document.fault(f"a cell has no side {side!r} (sides: {', '.join(words)})", path, hint=hint)
            return None

    def _one_way(self, word: str | None, line: tuple[Any, Any], path: Path) -> str:
        if word is None or word in ("left", "right"):
            return word or ""
        short = SIDES.get(word.replace("-", ""), word)
        steps = {"n": (0, -1), "e": (1, 0), "s": (0, 1), "w": (-1, 0),
                 "ne": (1, -1), "se": (1, 1), "sw": (-1, 1), "nw": (-1, -1)}
        if short in steps:
            # towards a side of the sky: whichever hand that is on this line
            dx, dy = steps[short]
            if Barrier(line, one_way="left").passes(dx, dy):
                return "left"
            if Barrier(line, one_way="right").passes(dx, dy) and not Barrier(line, one_way="right").passes(-dx, -dy):
                return "right"
        words = f"one_way is left, right or a direction across the barrier such as north, not {word!r}"
        self.document.fault(words, (*path, "one_way"))
        return ""

    def _links(self) -> tuple[Link, ...]:
        links = []
        self.link_paths = [("base",)] * (len(self.base.links) if self.base else 0)
        for n, part in enumerate(self.model.links):
            path = self.shaped.origin("links", n)
            start = self._cell(part.start, (*path, "from"))
            end = self._cell(part.end, (*path, "to"), self._level(part.level, (*path, "level")))
            if start is not None and end is not None:
                links.append(Link(start, end, part.cost, part.kind, part.two_way, part.id))
                self.link_paths.append(path)
        return tuple(links)

    def _zones(self) -> tuple[Zone, ...]:
        zones = []
        for n, part in enumerate(self.model.zones):
            path = self.shaped.origin("zones", n)
            cells: set[Cell] = set()
            for m, text in enumerate(part.cells):
                first, _, last = text.partition(":")
                a = self._cell(first, (*path, "cells", m))
                b = self._cell(last, (*path, "cells", m), a.level if a else 0) if last else a
                if a is None or b is None:
                    continue
                if a.level != b.level:
                    self.document.fault(f"{text!r} runs over two levels", (*path, "cells", m))
                    continue
                cols, rows = sorted((a.col, b.col)), sorted((a.row, b.row))
                cells.update(
                    Cell(c, r, a.level) for c in range(cols[0], cols[1] + 1) for r in range(rows[0], rows[1] + 1)
                )
            zones.append(Zone(frozenset(cells), part.facts(), part.source))
        return tuple(zones)

    def _movers(self) -> tuple[Mover, ...]:
        movers = []
        self.mover_paths = [("base",)] * (len(self.base.movers) if self.base else 0)
        for n, part in enumerate(self.model.movers):
            path = self.shaped.origin("movers", n)
            at = None
            if part.at is not None:
                at = self._cell(part.at, (*path, "at"), on_map=False)
                if at is None:
                    continue
            stats = {name: plain(value) for name, value in part.stats.items()}
            movers.append(Mover(
                part.id, part.rules, stats, at, part.side, part.size or 0, part.size_class or "", part.posture,
                part.reach, part.name, part.hidden, frozenset(part.knows),
            ))
            self.mover_paths.append(path)
        return tuple(movers)

    def _picture(self) -> Picture | None:
        part = self.model.picture
        if part is None:
            return None
        if part.pixels <= 0:
            self.document.fault("a cell must have a positive width in the picture", ("picture", "pixels"))
            return None
        if self._beside(part.file, ("picture", "file")) is None:
            return None
        folder = str(FilePath(self.document.source).parent)
        return Picture(PictureFile(part.file, folder), part.pixels, part.offset, FilePath(part.file).suffix[1:].lower())

    # -- the whole --------------------------------------------------------------------------------------------------

    def _meaning(self, battlemap: Battlemap) -> None:
        """Put the map's own faults at their places in the file."""
        paths = {"barriers": self.barrier_paths, "links": self.link_paths, "movers": self.mover_paths}
        for fault in battlemap.faults():
            match = _PART.match(fault.path)
            if match and match[1] in paths:
                path = paths[match[1]][int(match[2])]
                self.document.fault(fault.text, (*path, match[3]) if match[3] else path)
            elif match is None and fault.path:
                self.document.fault(fault.text, tuple(fault.path.split(".")))
            elif not fault.text.startswith(("terrain ", "level ", "two levels")):
                self.document.fault(fault.text)


