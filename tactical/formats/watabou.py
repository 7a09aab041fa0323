"""Watabou's One Page Dungeon (its JSON export): rooms, doors that are cells of their own, water and columns.

The floor is what the file's rectangles cover, the rest is rock; a round room loses the corner cells whose middles lie
outside its circle.  A door stands across the middle of its cell.  The file states no unit, no depth of water and no
lock: lay a native map over one (``base:``) to add them, or choose the water by the option `water`.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeGuard

from tactical.formats import MOST_CELLS, Format, Report, _json, many
from tactical.formats._reading import CELL, Doors, Reading, across, what
from tactical.options import choice
from tactical.values import replaced

if TYPE_CHECKING:
    from tactical.world.battlemap import Battlemap
    from tactical.world.edges.barriers import Barrier

OPTIONS = (
    choice("water", ("shallow", "wading", "deep", "none"), "how deep the water is", "One Page Dungeon"),
    *CELL,
)
KEYS = ("version", "title", "story", "rects", "doors", "notes", "columns", "water")
DOORS = {
    0: ("passage", "passages", ""),
    1: ("door", "doors", "closed"),
    2: ("narrow passage", "narrow passages", ""),
    3: ("entrance by stairs", "entrances by stairs", ""),
    4: ("portcullis", "portcullises", "closed"),
    5: ("double door", "double doors", "closed"),
    6: ("secret door", "secret doors", "secret"),
    7: ("barred door", "barred doors", "closed"),
    8: ("exit by stairs", "exits by stairs", ""),
    9: ("stairwell", "stairwells", ""),
}
UNKNOWN = ("door of unknown type", "doors of unknown type", "closed")
"""What each type of door is, and the state of the barrier it stands for; without a state the way is free."""
STAIRS = (3, 8, 9)
FARTHEST = 1_000_000
"""The largest coordinate, either way."""
PAINTED = 4 * MOST_CELLS
"""Cells that all rectangles together may cover, overlaps counted each time."""
ARM = 0.2
"""Half the width of a column that stands on a corner of cells."""


def sniff(data: bytes, name: str) -> bool:
    """A JSON object with rectangles and doors."""
    head = data.lstrip(b"\xef\xbb\xbf \t\r\n")
    return head.startswith(b"{") and b'"rects"' in data and b'"doors"' in data and b'"pixels_per_grid"' not in data


def load(data: bytes, *, source: str = "", options: Mapping[str, Any] | None = None) -> tuple[Battlemap, Report]:
    """Read a dungeon.  Raises `MapError` with all faults, by line for broken JSON, else by path."""
    reader = _Reader(source, FORMAT.read_options(options))
    return reader.done(reader.read(_json.read(data, source)))


class _Reader(Reading):
    """One file on its way to a map."""

    format = "watabou"

    def read(self, content: Any) -> Battlemap | None:
        """The map, or None if the file has faults."""
        import numpy as np

        from tactical.world.battlemap import Battlemap
        from tactical.world.parts import Level
        from tactical.world.terrain import PLAIN, Terrain

        if not self.object(content):
            return None
        rects = self._rects(content)
        parts = {key: self.listed(content, key) for key in ("doors", "columns", "water", "notes")}
        if not rects and not self.faults:
            self.fault("no rectangles: there is no floor", "rects")
        if self.faults:
            return None
        left, top = min(x for x, *_ in rects), min(y for _, y, *_ in rects)
        cols, rows = max(x + w for x, _, w, _, _ in rects) - left, max(y + h for _, y, _, h, _ in rects) - top
        if cols * rows > MOST_CELLS or sum(w * h for _, _, w, h, _ in rects) > PAINTED:
            words = f"{cols} x {rows} cells, or what covers them, are more than the {MOST_CELLS} a map may have"
            self.fault(words, "rects")
            return None
        palette = [
            PLAIN,
            Terrain("rock", impassable=True),
            Terrain("water", water="" if self.options["water"] == "none" else self.options["water"]),
            Terrain("column", impassable=True),
            Terrain("stairs"),
        ]
        ground = np.ones((rows, cols), dtype=np.uint16)
        dropped = 0
        for x, y, w, h, round_ in rects:
            part = ground[y - top : y - top + h, x - left : x - left + w]
            if not round_:
                part[:] = 0
                continue
            down, across = np.ogrid[0:h, 0:w]
            away = ((across + 0.5) * 2 / w - 1) ** 2 + ((down + 0.5) * 2 / h - 1) ** 2
            part[away <= 1] = 0
            dropped += int((away > 1).sum())
        self.tell("read", f"{cols} x {rows} cells, {int((ground == 0).sum())} of them floor")
        self.tell("read", f"cell A1 is the file's ({left}, {top})")
        cell = self.cell()
        if dropped:
            words = "outside the circle of a round room read as rock"
            self.tell("repaired", f"{many(dropped, 'cell')} {words}", dropped)
        self._water(parts["water"], ground, left, top)
        barriers = self._doors(parts["doors"], ground, left, top)
        barriers += self._columns(parts["columns"], ground, left, top)
        self._rest(content, parts["notes"], rects)
        if self.faults:
            return None
        title = content.get("title")
        name = replaced(title[:200] if isinstance(title, str) else "")
        return Battlemap(
            (Level("ground", ground),), tuple(palette), barriers=tuple(barriers), name=name, source=self.source, **cell
        )

    # -- shapes of the file -----------------------------------------------------------------------------------------

    def _rects(self, content: Mapping[str, Any]) -> list[tuple[int, int, int, int, bool]]:
        out = []
        for n, rect in enumerate(self.listed(content, "rects")):
            given = [rect.get(key) for key in "xywh"] if isinstance(rect, dict) else []
            values = [int(value) for value in given if _number(value) and value == int(value)]
            if len(values) < 4:
                self.fault("expected whole numbers x, y, w and h", f"rects[{n}]")
            elif values[2] < 1 or values[3] < 1:
                self.fault(f"expected a width and height above 0, found {values[2]} x {values[3]}", f"rects[{n}]")
            else:
                x, y, w, h = values
                out.append((x, y, w, h, rect.get("rotunda") is True))
        return out

    def _point(self, value: Any, path: str) -> tuple[float, float] | None:
        x, y = (value.get("x"), value.get("y")) if isinstance(value, dict) else (None, None)
        if _number(x) and _number(y):
            return float(x), float(y)
        self.fault(f'expected {{"x": …, "y": …}}, found {what(value)}', path)
        return None

    # -- what stands on the floor -----------------------------------------------------------------------------------

    def _water(self, points: list[Any], ground: Any, left: int, top: int) -> None:
        wet, dry = 0, 0
        for n, one in enumerate(points):
            point = self._point(one, f"water[{n}]")
            if point is None:
                continue
            col, row = math.floor(point[0]) - left, math.floor(point[1]) - top
            if _floor(ground, col, row):
                wet += ground[row, col] == 0
                ground[row, col] = 2
            else:
                dry += 1
        if wet:
            how = "ordinary ground" if self.options["water"] == "none" else f"{self.options['water']} water"
            self.tell("ambiguous", f"{many(wet, 'cell')} of water read as {how} (option water)", wet)
        if dry:
            self.tell("repaired", f"{many(dry, 'cell')} of water off the floor left out", dry)

    def _doors(self, doors: list[Any], ground: Any, left: int, top: int) -> list[Barrier]:
        found = Doors()
        kinds: Counter[tuple[str, str]] = Counter()
        off = unknown = turned = 0
        for n, door in enumerate(doors):
            path = f"doors[{n}]"
            point = self._point(door, path)
            if point is None:
                continue
            col, row = math.floor(point[0]) - left, math.floor(point[1]) - top
            if not _floor(ground, col, row):
                off += 1
                continue
            type_ = door.get("type")
            known = isinstance(type_, int) and not isinstance(type_, bool) and type_ in DOORS
            unknown += not known
            one, several, state = DOORS[type_] if known else UNKNOWN
            kinds[one, several] += 1
            if known and type_ in STAIRS:
                ground[row, col] = 4
            if not state:
                continue
            way = door.get("dir")
            dx, dy = (way.get("x"), way.get("y")) if isinstance(way, dict) else (None, None)
            along = _number(dx) and dx != 0
            turned += along == (_number(dy) and dy != 0)
            found.add(across(col, row, along), state)
        if kinds:
            words = ", ".join(many(count, *what) for what, count in kinds.items())
            self.tell("read", words, sum(kinds.values()))
        self.tell_counts(
            (unknown, "warning", "door of unknown type read as closed", "doors of unknown type read as closed"),
            (turned, "repaired", "door that states no one direction", "doors that state no one direction"),
            (off, "repaired", "door off the floor left out", "doors off the floor left out"),
        )
        return found.made

    def _columns(self, columns: list[Any], ground: Any, left: int, top: int) -> list[Barrier]:
        """Columns, in corners' coordinates: one in the middle of a cell fills it, another is a small cross of walls."""
        from tactical.world.edges.barriers import Barrier

        found: list[Barrier] = []
        filled = off = 0
        for n, one in enumerate(columns):
            point = self._point(one, f"columns[{n}]")
            if point is None:
                continue
            x, y = point[0] - left, point[1] - top
            col, row = math.floor(x), math.floor(y)
            if not (_floor(ground, col, row) or _floor(ground, math.ceil(x) - 1, math.ceil(y) - 1)):
                off += 1
            elif abs(x - col - 0.5) < 0.25 and abs(y - row - 0.5) < 0.25:
                filled += 1
                ground[row, col] = 3
            else:
                found += [Barrier(((x - ARM, y), (x + ARM, y))), Barrier(((x, y - ARM), (x, y + ARM)))]
        if filled:
            self.tell("ambiguous", f"{many(filled, 'column')} read as filling the cell", filled)
        if found:
            count = len(found) // 2
            self.tell("ambiguous", f"{many(count, 'column')} between cells read as a small cross of walls", count)
        if off:
            self.tell("repaired", f"{many(off, 'column')} off the floor left out", off)
        return found

    def _rest(self, content: Mapping[str, Any], notes: list[Any], rects: list[Any]) -> None:
        if notes:
            self.tell("ignored", many(len(notes), "note"), len(notes))
        if content.get("story"):
            self.tell("ignored", "the story")
        self.tell_unknown(key for key in content if key not in KEYS)


def _floor(ground: Any, col: int, row: int) -> bool:
    rows, cols = ground.shape
    return 0 <= col < cols and 0 <= row < rows and bool(ground[row, col] != 1)


def _number(value: Any) -> TypeGuard[float]:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return False
    return -FARTHEST <= value <= FARTHEST


FORMAT = Format("watabou", "Watabou One Page Dungeon", (".json",), sniff, load, options=OPTIONS)
