"""Dungeons of donjon's generator: its JSON (cells as bits) and its table (text parted by tabs).

Rooms and corridors are floor, all else is rock.  A door fills a cell and stands across the middle of it; arches are
open.  Nothing states a length: a cell is taken as 5 ft unless the option `cell` says otherwise (its maps usually print
10 ft).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from tactical.formats import Format, Report, _json, decode, many
from tactical.formats._reading import CELL, Doors, Reading, across, leads_east_west, what
from tactical.values import replaced

if TYPE_CHECKING:
    from tactical.world.battlemap import Battlemap

FLOOR = 0x2 | 0x4
ARCH, STAIRS = 0x10000, 0x400000 | 0x800000
DOORS = {
    0x100000: ("secret door", "secret"),
    0x200000: ("portcullis", "closed"),
    0x40000: ("locked door", "locked"),
    0x80000: ("trapped door", "closed"),
    0x20000: ("door", "closed"),
}
"""What each bit of a door is, and its state; the first that a cell has counts."""
KEYS = (
    "cells",
    "cell_bit",
    "settings",
    "rooms",
    "corridor_features",
    "egress",
    "stairs",
    "details",
    "wandering_monsters",
)
SIGN = re.compile(r"|F|D[SP]?[TBLR]|S[UD]{1,2}")
SIGNS = {"D": ("door", "closed"), "DS": ("secret door", "secret"), "DP": ("portcullis", "closed")}


def sniff(data: bytes, name: str) -> bool:
    """JSON with cells and their bits, or a table of the signs that such tables have."""
    head = data.lstrip(b"\xef\xbb\xbf \t\r\n")
    if head.startswith(b"{"):
        return b'"cells"' in data and any(key in data for key in (b'"cell_bit"', b'"settings"', b'"rooms"'))
    if not name.lower().endswith((".txt", ".tsv")) or b"\t" not in data:
        return False
    try:
        lines = data[:20_000].decode().splitlines()[:50]
    except UnicodeDecodeError:
        return False
    # the last line that was looked at may be cut in the middle of a sign
    cells = [cell for line in (lines[:-1] or lines) for cell in line.split("\t")]
    return "F" in cells and all(SIGN.fullmatch(cell) for cell in cells)


def load(data: bytes, *, source: str = "", options: Mapping[str, Any] | None = None) -> tuple[Battlemap, Report]:
    """Read a dungeon.  Raises `MapError` with all faults, by line for broken JSON, else by path."""
    reader = _Reader(source, FORMAT.read_options(options))
    if data.lstrip(b"\xef\xbb\xbf \t\r\n").startswith((b"{", b"[")):
        return reader.done(reader.read(_json.read(data, source)))
    return reader.done(reader.table(decode(data, source)))


class _Reader(Reading):
    """One file on its way to a map."""

    format = "donjon"

    def read(self, content: Any) -> Battlemap | None:
        """The map of the JSON form, or None if the file has faults."""
        if not self.object(content):
            return None
        rows = self.listed(content, "cells")
        if not rows and not self.faults:
            self.fault("expected rows of cells, found none", "cells")
        if self.faults or not self._sized(rows):
            return None
        bits: list[list[int]] = []
        for n, row in enumerate(rows):
            found = [_whole(cell) for cell in row]
            wrong = next((k for k, cell in enumerate(found) if cell is None), None)
            if wrong is not None:
                self.fault(f"expected a whole number, found {what(row[wrong])}", f"cells[{n}][{wrong}]")
                return None
            bits.append([cell for cell in found if cell is not None])
        floor = {(c, r) for r, row in enumerate(bits) for c, cell in enumerate(row) if cell & (FLOOR | ARCH)}
        doors: list[tuple[int, int, str, str]] = []
        for r, row in enumerate(bits):
            for c, cell in enumerate(row):
                kind = next((DOORS[bit] for bit in DOORS if cell & bit), None)
                if kind is not None:
                    doors.append((c, r, *kind))
                    floor.add((c, r))
        stairs = {(c, r) for r, row in enumerate(bits) for c, cell in enumerate(row) if cell & STAIRS}
        rooms = content.get("rooms")
        if isinstance(rooms, list) and any(rooms):
            count = sum(room is not None for room in rooms)
            self.tell("ignored", f"the contents of {many(count, 'room')}", count)
        self.tell_unknown(key for key in content if key not in KEYS)
        title = content.get("settings")
        name = title.get("name") if isinstance(title, dict) else None
        found_name = replaced(name[:200]) if isinstance(name, str) else self.stem()
        return self._map(len(bits[0]), len(bits), floor, stairs, doors, found_name)

    def _sized(self, rows: list[Any]) -> bool:
        """Whether the cells are rows of the same length, at least one, and not too many."""
        for n, row in enumerate(rows):
            if not isinstance(row, list) or not row:
                self.fault(f"expected a row of numbers, found {what(row)}", f"cells[{n}]")
            elif len(row) != len(rows[0]):
                self.fault(f"row {n + 1} has {many(len(row), 'cell')}, row 1 has {len(rows[0])}", f"cells[{n}]")
            if len(self.faults) > 20:
                break
        return not self.faults and self.fits(len(rows[0]), len(rows), "cells")

    def table(self, text: str) -> Battlemap | None:
        """The map of the table, short rows filled up with rock, or None if the file has faults."""
        lines = text.replace("\r\n", "\n").rstrip("\n").split("\n")
        rows = [[cell.strip() for cell in line.split("\t")] for line in lines]
        cols = max(map(len, rows))
        if not self.fits(cols, len(rows), ""):
            return None
        floor: set[tuple[int, int]] = set()
        stairs: set[tuple[int, int]] = set()
        doors: list[tuple[int, int, str, str]] = []
        axes: dict[tuple[int, int], bool] = {}
        for r, row in enumerate(rows):
            for c, cell in enumerate(row):
                if not SIGN.fullmatch(cell):
                    self.fault(f"unknown sign {cell[:20]!r} in row {r + 1}, column {c + 1}", f"[{r}][{c}]")
                    if len(self.faults) > 20:
                        return None
                    continue
                if cell:
                    floor.add((c, r))
                if cell.startswith("D"):
                    doors.append((c, r, *SIGNS[cell[:-1]]))
                    axes[c, r] = cell[-1] in "LR"
                elif cell.startswith("S"):
                    stairs.add((c, r))
        if not floor and not self.faults:
            self.fault("there is no floor", "")
        if self.faults:
            return None
        return self._map(cols, len(rows), floor, stairs, doors, self.stem(), axes)

    def _map(
        self,
        cols: int,
        rows: int,
        floor: set[tuple[int, int]],
        stairs: set[tuple[int, int]],
        doors: list[tuple[int, int, str, str]],
        name: str,
        axes: Mapping[tuple[int, int], bool] | None = None,
    ) -> Battlemap:
        import numpy as np

        from tactical.world.battlemap import Battlemap
        from tactical.world.parts import Level
        from tactical.world.terrain import PLAIN, Terrain

        ground = np.ones((rows, cols), dtype=np.uint16)
        for cells, kind in ((floor, 0), (stairs, 2)):
            for col, row in cells:
                ground[row, col] = kind
        self.tell("read", f"{cols} x {rows} cells, {int((ground != 1).sum())} of them floor")
        cell = self.cell()
        made, kinds = Doors(), Counter(what for _, _, what, _ in doors)
        for col, row, _, state in doors:
            east_west = (axes or {}).get((col, row))
            if east_west is None:
                east_west = leads_east_west(lambda c, r: (c, r) in floor, col, row)
            made.add(across(col, row, east_west), state)
        if kinds:
            words = ", ".join(many(count, kind, kind + ("es" if kind.endswith("s") else "s"))
                              for kind, count in kinds.items())  # fmt: skip
            self.tell("read", words, len(doors))
        if kinds["trapped door"]:
            self.tell("ignored", many(kinds["trapped door"], "trap of a door", "traps of doors"), kinds["trapped door"])
        if stairs:
            self.tell("read", many(len(stairs), "cell of stairs", "cells of stairs"), len(stairs))
        palette = (PLAIN, Terrain("rock", impassable=True), Terrain("stairs"))
        return Battlemap(
            (Level("ground", ground),), palette, barriers=tuple(made.made), name=name, source=self.source, **cell
        )


def _whole(value: Any) -> int | None:
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < 12:
        return int(value)
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 1 << 40 else None


FORMAT = Format("donjon", "donjon dungeon", (".json", ".tsv"), sniff, load, options=CELL)
