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
    import numpy as np

    from tactical.world.battlemap import Battlemap

    Mask = np.ndarray[tuple[int, int], np.dtype[np.bool_]]
Door = tuple[int, int, str, str, bool | None]
"""Column, row, what it is, its state, and whether it is passed east and west, where that is known."""
MOST_DOORS = 100_000

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
        import numpy as np

        bits = np.zeros((len(rows), len(rows[0])), dtype=np.int64)
        for n, row in enumerate(rows):
            found = [_whole(cell) for cell in row]
            wrong = next((k for k, cell in enumerate(found) if cell is None), None)
            if wrong is not None:
                self.fault(f"expected a whole number, found {what(row[wrong])}", f"cells[{n}][{wrong}]")
                return None
            bits[n] = [cell for cell in found if cell is not None]
        any_door = sum(DOORS)
        floor = (bits & (FLOOR | ARCH | any_door)) != 0
        doors: list[Door] = []
        for r, c in zip(*np.nonzero(bits & any_door), strict=True):
            kind = next(DOORS[bit] for bit in DOORS if int(bits[r, c]) & bit)
            doors.append((int(c), int(r), *kind, None))
            if len(doors) > MOST_DOORS:
                self.fault(f"more than {MOST_DOORS} doors", "cells")
                return None
        stairs = (bits & STAIRS) != 0
        rooms = content.get("rooms")
        if isinstance(rooms, list) and any(rooms):
            count = sum(room is not None for room in rooms)
            self.tell("ignored", f"the contents of {many(count, 'room')}", count)
        self.tell_unknown(key for key in content if key not in KEYS)
        title = content.get("settings")
        name = title.get("name") if isinstance(title, dict) else None
        found_name = replaced(name[:200]) if isinstance(name, str) else self.stem()
        return self._map(floor, stairs, doors, found_name)

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
        rows = text.replace("\r\n", "\n").rstrip("\n").split("\n")
        cols = max(row.count("\t") + 1 for row in rows)
        if not self.fits(cols, len(rows), ""):
            return None
        import numpy as np

        floor, stairs = (np.zeros((len(rows), cols), dtype=bool) for _ in range(2))
        doors: list[Door] = []
        for r, line in enumerate(rows):
            for c, cell in enumerate(line.split("\t")):
                sign = cell.strip()
                if not SIGN.fullmatch(sign):
                    self.fault(f"unknown sign {sign[:20]!r} in row {r + 1}, column {c + 1}", f"[{r}][{c}]")
                    if len(self.faults) > 20:
                        return None
                    continue
                floor[r, c] = bool(sign)
                stairs[r, c] = sign.startswith("S")
                if sign.startswith("D"):
                    doors.append((c, r, *SIGNS[sign[:-1]], sign[-1] in "LR"))
        if len(doors) > MOST_DOORS:
            self.fault(f"more than {MOST_DOORS} doors", "")
        if not floor.any() and not self.faults:
            self.fault("there is no floor", "")
        return None if self.faults else self._map(floor, stairs, doors, self.stem())

    def _map(self, floor: Mask, stairs: Mask, doors: list[Door], name: str) -> Battlemap:
        """The map of such floor; a door's way through is known, or told by what is open beside it."""
        import numpy as np

        from tactical.world.battlemap import Battlemap
        from tactical.world.parts import Level
        from tactical.world.terrain import PLAIN, Terrain

        ground = np.where(stairs, 2, np.where(floor, 0, 1)).astype(np.uint16)
        rows, cols = ground.shape
        self.tell("read", f"{cols} x {rows} cells, {int((ground != 1).sum())} of them floor")
        cell = self.cell()
        made, kinds = Doors(), Counter(kind for _, _, kind, _, _ in doors)

        def open_(col: int, row: int) -> bool:
            return 0 <= row < rows and 0 <= col < cols and bool(floor[row, col])

        for col, row, _, state, east_west in doors:
            way = leads_east_west(open_, col, row) if east_west is None else east_west
            made.add(across(col, row, way), state)
        if kinds:
            words = ", ".join(many(count, kind, kind + ("es" if kind.endswith("s") else "s"))
                              for kind, count in kinds.items())  # fmt: skip
            self.tell("read", words, len(doors))
        if kinds["trapped door"]:
            self.tell("ignored", many(kinds["trapped door"], "trap of a door", "traps of doors"), kinds["trapped door"])
        steps = int(stairs.sum())
        if steps:
            self.tell("read", many(steps, "cell of stairs", "cells of stairs"), steps)
        palette = (PLAIN, Terrain("rock", impassable=True), Terrain("stairs"))
        return Battlemap(
            (Level("ground", ground),), palette, barriers=tuple(made.made), name=name, source=self.source, **cell
        )


def _whole(value: Any) -> int | None:
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < 12:
        return int(value)
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 1 << 40 else None


FORMAT = Format("donjon", "donjon dungeon", (".json", ".tsv"), sniff, load, options=CELL, also=(".txt",))
