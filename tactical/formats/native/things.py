"""Reading what stands on a native map: barriers, links, zones and movers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from tactical.errors import UnknownName, meant
from tactical.formats._positions import Document, Path, plain
from tactical.formats.native.models import BarrierPart, MoverPart, Shaped
from tactical.units import Cell, parse_cell
from tactical.world.battlemap import Battlemap, Level, Link, Zone
from tactical.world.edges.barriers import MODES, Barrier, Kind
from tactical.world.edges.segments import same_line
from tactical.world.grids import Grid
from tactical.world.mover import Mover

SIDES = {
    "north": "n",
    "east": "e",
    "south": "s",
    "west": "w",
    "northeast": "ne",
    "southeast": "se",
    "southwest": "sw",
    "northwest": "nw",
}
STEPS = {
    "n": (0, -1),
    "e": (1, 0),
    "s": (0, 1),
    "w": (-1, 0),
    "ne": (1, -1),
    "se": (1, 1),
    "sw": (-1, 1),
    "nw": (-1, -1),
}
BASE: Path = ("base",)


class ThingReader:
    """Reads the things of a file; `paths` tells, kind by kind, where in the file each thing of the map stands, and
    `said` where it changes one of the base, by its place there.
    """

    def __init__(
        self, document: Document, shaped: Shaped, base: Battlemap | None, grid: Grid, levels: Sequence[Level]
    ) -> None:
        self.document, self.shaped, self.model, self.base, self.grid = document, shaped, shaped.model, base, grid
        self.names = tuple(level.name for level in levels)
        self.size = levels[0].ground.shape
        self.found: list[Barrier] = list(base.barriers) if base else []
        self._theirs = list(range(len(self.found)))
        self.said: dict[str, dict[int, list[Path]]] = {"barriers": {}, "links": {}, "movers": {}}
        self.paths: dict[str, list[Path]] = {
            "barriers": [BASE] * (len(base.barriers) if base else 0),
            "links": [BASE] * (len(base.links) if base else 0),
            "movers": [BASE] * (len(base.movers) if base else 0),
        }

    def _level(self, name: str | None, path: Path, default: int = 0) -> int:
        if name is None:
            return default
        if name in self.names:
            return self.names.index(name)
        if not self.shaped.lost("levels"):
            words = f"no level {name!r} (levels: {', '.join(self.names)})"
            self.document.fault(words, path, hint=meant(name, self.names, before=""))
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
        rows, cols = self.size
        if on_map and not (0 <= cell.col < cols and 0 <= cell.row < rows and cell.level < len(self.names)):
            last = Cell(cols - 1, rows - 1)
            self.document.fault(f"{text!r} is not on the map (cells run from A1 to {last})", path)
            return None
        return cell

    def barriers(self) -> tuple[Barrier, ...]:
        """The barriers of the map: those of the base, of the file and of its levels."""
        self._barriers(self.model.barriers, lambda n: self.shaped.origin("barriers", n), 0)
        for n, level in enumerate(self.model.levels):
            if level.name in self.names:
                self._barriers(level.barriers, self._inside(n), self.names.index(level.name))
        return tuple(self.found)

    def _inside(self, level: int) -> Callable[[int], Path]:
        around = self.shaped.origin("levels", level)
        return lambda n: (*around, "barriers", n)

    def _barriers(self, parts: Sequence[BarrierPart], place: Callable[[int], Path], level: int) -> None:
        for n, part in enumerate(parts):
            path = place(n)
            barrier = self._barrier(part, path, level)
            if barrier is not None:
                self.found.append(barrier)
                self.paths["barriers"].append(path)

    def _barrier(self, part: BarrierPart, path: Path, floor: int) -> Barrier | None:
        stated = part.stated
        if part.gone:
            self._take_away(part, path, floor)
            return None
        level = self._level(part.level, (*path, "level"), floor)
        cut = self.shaped.cut(path, "cell", "side", "line")
        if part.cell is None and part.line is None and not cut:
            return self._changed_barrier(part, path)
        line, placed = part.line, not cut
        if part.cell is not None and part.line is not None:
            self.document.fault("a barrier has a cell and a side, or a line, not both", (*path, "line"), key=True)
            placed = False
        cell = None
        if part.cell is not None:
            cell = self._cell(part.cell, (*path, "cell"), level)
            placed = placed and cell is not None
            if part.side is None and not cut:
                self.document.fault("key 'side' is missing: on which side of the cell?", path)
        if part.side is not None:
            # a wrong side is told even where the cell is wrong too
            line = self._side(cell or Cell(0, 0), part.side, (*path, "side")) or part.line
            placed = placed and cell is not None
        if part.line is not None and line is part.line and not self._in_bounds(part.line, path):
            return None
        if line is None:
            line, placed = ((0.0, 0.0), (1.0, 0.0)), False
        given = {name for name in stated if getattr(part, name) is not None}
        if not placed and part.one_way in ("left", "right", *SIDES, *STEPS):
            # whether it leads across is known only with its place
            given.discard("one_way")
        made = self._made(part, path, line, cell.level if cell else level, given)
        return made if placed else None

    def _in_bounds(self, line: tuple[Any, Any], path: Path) -> bool:
        before = len(self.document.faults)
        with self.document.placing(path, end="line"):
            Barrier(line)
        return len(self.document.faults) == before

    def _made(
        self,
        part: BarrierPart,
        path: Path,
        line: tuple[Any, Any],
        level: int,
        stated: set[str],
        old: Barrier | None = None,
    ) -> Barrier | None:
        kind = part.kind or (old.kind if old else Kind.WALL)
        if part.state is not None and kind is not Kind.DOOR:
            if self.shaped.cut(path, "kind"):
                # what it was meant to be is told already, and may have had a state
                return None
            self.document.fault(f"a {kind} has no state, only a door has", (*path, "state"), key=True)
            return None
        given = ("id", "cost", "bottom", "top", "truth")
        fields: dict[str, Any] = {name: getattr(part, name) for name in given if name in stated}
        if "truth" in fields:
            try:
                replace(Barrier(line), truth=fields["truth"]).really()
            except ValueError:
                words = "truth is a kind of barrier, or door-open, door-closed, door-locked, door-secret"
                self.document.fault(f"{words}, not {part.truth!r}", (*path, "truth"))
                return None
        if "stops" in stated:
            strange = [mode for mode in part.stops or () if mode not in MODES]
            if strange:
                words = f"stops takes modes of moving ({', '.join(MODES)}), not {strange[0]!r}"
                hint = meant(strange[0], MODES, before="")
                self.document.fault(words, (*path, "stops"), hint=hint)
                return None
            fields["stops"] = tuple(part.stops or ())
        one_way = self._one_way(part.one_way, line, path) if "one_way" in stated else old.one_way if old else ""
        state = part.state or (old.state if old and kind is Kind.DOOR else None)
        made = None
        with self.document.placing(path, end="line"):
            if old:
                made = replace(old, kind=kind, state=state, one_way=one_way, **fields)
            else:
                made = Barrier(line, kind, state=state, one_way=one_way, level=level, **fields)
        return made

    def _changed_barrier(self, part: BarrierPart, path: Path) -> Barrier | None:
        """A barrier without a place changes the base's barrier of that id."""
        found = [n for n, barrier in enumerate(self.found) if self.base and part.id and barrier.id == part.id]
        if not found:
            words = "a barrier needs a cell and a side, or a line"
            if self.base and part.id:
                known = [barrier.id for barrier in self.found[: len(self._theirs)] if barrier.id]
                hint = meant(part.id, known, before="")
                gone = any(barrier.id == part.id for barrier in self.base.barriers)
                why = f"{part.id!r} is gone" if gone else f"the base has no barrier {part.id!r}"
                self.document.fault(f"{words} ({why})", path, hint=hint)
            else:
                self.document.fault(words, path)
            return None
        old = self.found[found[0]]
        stated = {name for name in part.stated if getattr(part, name) is not None}
        changed = self._made(part, path, old.line, old.level, stated, old)
        if changed is not None:
            self.found[found[0]] = changed
            self.paths["barriers"][found[0]] = path
            if found[0] < len(self._theirs):
                self._say("barriers", self._theirs[found[0]], path)
        return None

    def _say(self, kind: str, theirs: int, path: Path) -> None:
        self.said[kind].setdefault(theirs, []).append(path)

    def _take_away(self, part: BarrierPart, path: Path, floor: int) -> None:
        """Take the base's barrier of that id, or at that place, from the map."""
        line, level = part.line, self._level(part.level, (*path, "level"), floor)
        if part.cell is not None and part.side is not None:
            cell = self._cell(part.cell, (*path, "cell"), level)
            line = self._side(cell or Cell(0, 0), part.side, (*path, "side"))
            level = cell.level if cell is not None else level
        if line is None and not part.id:
            self.document.fault("which barrier is gone? It needs an id, a cell and a side, or a line", path)
            return
        for n, barrier in enumerate(self.found[: len(self._theirs)]):
            named = not part.id or barrier.id == part.id
            there = line is None or (barrier.level == level and same_line(barrier.line, line))
            if named and there and part.kind in (None, barrier.kind):
                self._say("barriers", self._theirs[n], path)
                del self.found[n], self.paths["barriers"][n], self._theirs[n]
                return
        if not self.shaped.cut(path, "id", "cell", "side", "line", "kind"):
            self.document.fault("the base has no such barrier to be gone", path)

    def _side(self, cell: Cell, side: str, path: Path) -> tuple[Any, Any] | None:
        try:
            return self.grid.side(cell.col, cell.row, SIDES.get(side.replace("-", ""), side))
        except UnknownName as error:
            words = [name for name, short in SIDES.items() if short in error.known] or list(error.known)
            hint = meant(side, [*words, *error.known], before="")
            self.document.fault(f"a cell has no side {side!r} (sides: {', '.join(words)})", path, hint=hint)
            return None

    def _one_way(self, word: str | None, line: tuple[Any, Any], path: Path) -> str:
        if word is None or word in ("left", "right"):
            return word or ""
        short = SIDES.get(word.replace("-", ""), word)
        if short in STEPS:
            # towards a side of the sky: whichever hand that is on this line
            dx, dy = STEPS[short]
            if Barrier(line, one_way="left").passes(dx, dy):
                return "left"
            if Barrier(line, one_way="right").passes(dx, dy) and not Barrier(line, one_way="right").passes(-dx, -dy):
                return "right"
        words = f"one_way is left, right or a direction across the barrier such as north, not {word!r}"
        self.document.fault(words, (*path, "one_way"))
        return ""

    def links(self) -> tuple[Link, ...]:
        """The file's links after those of the base."""
        links = list(self.base.links) if self.base else []
        theirs = list(range(len(links)))
        for n, part in enumerate(self.model.links):
            path = self.shaped.origin("links", n)
            start = self._cell(part.start, (*path, "from"))
            end = self._cell(part.end, (*path, "to"), self._level(part.level, (*path, "level")))
            if start is not None and end is not None and part.gone:
                ends = {(start, end), (end, start)}
                known = [m for m, link in enumerate(links[: len(theirs)]) if (link.start, link.end) in ends]
                known = [m for m in known if not part.id or links[m].id == part.id]
                if known:
                    self._say("links", theirs[known[0]], path)
                    del links[known[0]], self.paths["links"][known[0]], theirs[known[0]]
                else:
                    self.document.fault("the base has no such link to be gone", path)
            elif start is not None and end is not None:
                with self.document.placing(path):
                    links.append(Link(start, end, part.cost, part.kind, part.two_way, part.id))
                    self.paths["links"].append(path)
        return tuple(links)

    def zones(self) -> tuple[Zone, ...]:
        """The file's zones after those of the base."""
        zones = list(self.base.zones) if self.base else []
        for n, part in enumerate(self.model.zones):
            path = self.shaped.origin("zones", n)
            cells: set[Cell] = set()
            self.document.hazard(path)
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
            with self.document.placing(path):
                zones.append(Zone(frozenset(cells), part.facts(), part.source))
        return tuple(zones)

    def movers(self) -> tuple[Mover, ...]:
        """The base's movers, as far as the file leaves them be or changes them, then the file's own."""
        movers = list(self.base.movers) if self.base else []
        theirs = {mover.id: n for n, mover in enumerate(movers)}
        for n, part in enumerate(self.model.movers):
            path = self.shaped.origin("movers", n)
            old = next((m for m, mover in enumerate(movers) if mover.id == part.id and part.id in theirs), None)
            if old is not None:
                self._say("movers", theirs.pop(part.id), path)
            if part.gone:
                if old is None:
                    self.document.fault(f"the base has no mover {part.id!r} to be gone", path)
                else:
                    del movers[old], self.paths["movers"][old]
                continue
            at = None
            if part.at is not None:
                at = self._cell(part.at, (*path, "at"), on_map=False)
                if at is None:
                    continue
            given = _given(part, at)
            with self.document.placing(path):
                if old is None:
                    movers.append(Mover(**given))
                    self.paths["movers"].append(path)
                else:
                    movers[old] = _changed(movers[old], {key: given[key] for key in part.stated & set(given)})
                    self.paths["movers"][old] = path
        return tuple(movers)


def _given(part: MoverPart, at: Cell | None) -> dict[str, Any]:
    names = ("id", "rules", "side", "posture", "reach", "name", "hidden")
    return {
        **{name: getattr(part, name) for name in names},
        "at": at,
        "stats": {name: plain(value) for name, value in part.stats.items()},
        "size": part.size or 0,
        "size_class": part.size_class or "",
        "knows": frozenset(part.knows),
    }


def _changed(mover: Mover, stated: Mapping[str, Any]) -> Mover:
    if ("size" in stated) != ("size_class" in stated):
        # the one follows from the other
        stated = {"size": 0, "size_class": "", **stated}
    return replace(mover, **stated)
