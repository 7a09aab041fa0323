"""Maps of The Battle for Wesnoth (``.map``): hexes with flat tops, each a code of its ground.

Codes become facts of the ground by a table of this project's own (`BASES`, `OVERLAYS`), by the longest beginning that
it knows; prices stay with the rules.  The ring of cells at the border, which nobody enters, is left out.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from tactical.formats import Format, Report, decode, many
from tactical.formats._reading import CELL, SHOWN, Reading, first
from tactical.options import flag
from tactical.units import Cell, cell_name
from tactical.values import replaced

if TYPE_CHECKING:
    from tactical.world.battlemap import Battlemap
    from tactical.world.terrain import Terrain

Facts = Mapping[str, object]
BASES: dict[str, Facts] = {
    "G": {"terrain": "grass"},
    "R": {"terrain": "road"},
    "I": {"terrain": "floor"},
    "C": {"terrain": "castle"},
    "K": {"terrain": "keep"},
    "D": {"terrain": "sand", "difficult": True},
    "A": {"terrain": "snow", "difficult": True},
    "Ai": {"terrain": "ice", "difficult": True, "slick": True},
    "S": {"terrain": "swamp", "difficult": True, "water": "shallow"},
    "W": {"terrain": "shallow water", "difficult": True, "water": "shallow"},
    "Wo": {"terrain": "deep water", "water": "deep"},
    "Wwf": {"terrain": "ford", "water": "shallow"},
    "Wwr": {"terrain": "reef", "difficult": True, "water": "shallow"},
    "H": {"terrain": "hills", "difficult": True, "uneven": True},
    "M": {"terrain": "mountains", "difficult": True, "rough": True, "uneven": True},
    "U": {"terrain": "cave", "difficult": True},
    "Uh": {"terrain": "rocky cave", "difficult": True, "rough": True},
    "Q": {"terrain": "chasm", "gap": True},
    "Ql": {"terrain": "lava", "hazard": "lava"},
    "X": {"terrain": "wall", "impassable": True},
    "_off": {"terrain": "off the map", "impassable": True},
    "_s": {"terrain": "shroud", "unknown": True},
    "_f": {"terrain": "fog", "unknown": True},
}
OVERLAYS: dict[str, Facts] = {
    "F": {"terrain": "forest", "difficult": True},
    "T": {"terrain": "mushrooms", "difficult": True},
    "U": {"terrain": "mushrooms", "difficult": True},
    "V": {"terrain": "village"},
    "X": {"terrain": "wall", "impassable": True},
    "Dr": {"terrain": "rubble", "difficult": True, "rough": True},
    "D": {"terrain": "oasis"},
    "C": {"terrain": "castle"},
    "K": {"terrain": "keep"},
    "W": {},
    "Q": {},
    "E": {},
    "G": {},
    "I": {},
    "_": {},
}
BRIDGE = "B"
"""An overlay that makes the ground beneath it passable, whatever that is."""
GATE_OPEN, GATE = re.compile(r"P[a-z]*[/|\\]?o"), "P"
CODE = re.compile(r"(?:(\S+)\s+)?([A-Za-z_][A-Za-z_]{0,4}[|/\\]?)(?:\^([A-Za-z_][A-Za-z_|/\\]{0,6}))?")
OPTIONS = (flag("border", False, "whether the ring of cells at the border is part of the map", "Wesnoth"), *CELL)


def sniff(data: bytes, name: str) -> bool:
    """Rows of codes parted by commas."""
    if b"," not in data or not name.lower().endswith((".map", ".mask", ".txt")):
        return False
    try:
        lines = data[:20_000].decode().splitlines()
    except UnicodeDecodeError:
        return False
    rows = [line for line in map(_bare, lines) if line][:4]
    codes = [code.strip() for row in rows for code in row.split(",")]
    # a code that is wrong, or cut off by the end of what was looked at, makes it no other file
    good = sum(1 for code in codes if CODE.fullmatch(code))
    return bool(rows) and all("," in row for row in rows) and good * 5 > len(codes) * 4


def _bare(line: str) -> str:
    """A row without remarks; an empty text for a line of settings, as old files begin with."""
    line = line.split("#", 1)[0].strip().rstrip(",")
    return "" if "=" in line else line


def load(data: bytes, *, source: str = "", options: Mapping[str, Any] | None = None) -> tuple[Battlemap, Report]:
    """Read a map.  Raises `MapError` with every row of a wrong length and every code that is none."""
    reader = _Reader(source, FORMAT.read_options(options))
    return reader.done(reader.read(decode(data, source)))


class _Reader(Reading):
    """One file on its way to a map."""

    format = "wesnoth"

    def read(self, text: str) -> Battlemap | None:
        """The map, or None if the file has faults."""
        import numpy as np

        from tactical.world.battlemap import Battlemap
        from tactical.world.grids import get_grid
        from tactical.world.parts import Level

        rows = [(n, bare) for n, line in enumerate(text.splitlines(), 1) if (bare := _bare(line))]
        if not rows:
            self.wrong("there are no rows of codes", 1)
            return None
        wide = rows[0][1].count(",") + 1
        for n, row in rows:
            if row.count(",") + 1 != wide and len(self.faults) < 20:
                self.wrong(f"the row has {many(row.count(',') + 1, 'code')}, the first has {wide}", n)
        rim = 0 if self.options["border"] else 1
        cols, high = wide - 2 * rim, len(rows) - 2 * rim
        if cols < 1 or high < 1:
            self.wrong("nothing is left of the map within its border", 1)
            return None
        if not self.fits(wide, len(rows), ""):
            return None
        codes = _Codes()
        ground = np.zeros((high, cols), dtype=np.uint16)
        for r, (n, row) in enumerate(rows[rim : len(rows) - rim]):
            numbers = self._numbers(codes, r, n, row.split(",")[rim : wide - rim])
            ground[r, : len(numbers)] = numbers
        if self.faults:
            return None
        self.tell("read", f"{cols} x {high} cells, {many(len(codes.known), 'code')} of terrain")
        cell = self.cell()
        if rim:
            self.tell("ignored", "the border round the map (option border)")
        self._left_out(codes)
        # the odd columns of the file lie higher than those beside them; without its border the even ones do
        grid = get_grid("hex-odd-q" if rim else "hex-even-q")
        return Battlemap(
            (Level("ground", ground),), tuple(codes.palette), grid, name=self.stem(), source=self.source, **cell
        )

    def _numbers(self, codes: _Codes, r: int, line: int, row: Sequence[str]) -> list[int]:
        """The numbers of a row's grounds, 0 for what is no code and a fault."""
        out = []
        for c, code in enumerate(row):
            number = codes.number(code.strip(), Cell(c, r))
            if number is None and len(self.faults) < 20:
                self.wrong(f"{code.strip()[:30]!r} is no code of a terrain", line)
            out.append(number or 0)
        return out

    def _left_out(self, codes: _Codes) -> None:
        """What codes say that a map does not hold, and codes that nobody knows."""
        starts, strange = codes.starts, codes.strange
        if starts:
            self.tell("ignored", f"{many(len(starts), 'starting place')}: {first(starts)}", len(starts))
        if strange:
            shown = ", ".join(list(strange)[:SHOWN])
            self.tell("warning", f"codes that nobody here knows, read as open ground: {shown}", len(strange))


class _Codes:
    """The codes met in a file, the grounds they stand for, and what else they say."""

    def __init__(self) -> None:
        self.palette: dict[Terrain, int] = {}
        self.known: dict[str, int] = {}
        self.starts: list[str] = []
        self.strange: Counter[str] = Counter()

    def number(self, code: str, at: Cell) -> int | None:
        """The number of the ground that a code stands for; None for what is no code."""
        match = CODE.fullmatch(code)
        if match is None:
            return None
        if match[1]:
            self.starts.append(f"{replaced(match[1][:20])} at {cell_name(at)}")
        whole = match[2] + (f"^{match[3]}" if match[3] else "")
        if whole not in self.known:
            ground = _terrain(match[2], match[3] or "", self.strange)
            self.known[whole] = self.palette.setdefault(ground, len(self.palette))
        return self.known[whole]


def _longest(code: str, table: Mapping[str, Facts]) -> Facts | None:
    """What the table has for the longest beginning of a code."""
    return next((table[code[:n]] for n in range(len(code), 0, -1) if code[:n] in table), None)


def _terrain(base: str, overlay: str, strange: Counter[str]) -> Terrain:
    from tactical.world.terrain import Terrain

    below = _longest(base, BASES)
    if overlay.startswith(BRIDGE):
        return Terrain("bridge")
    if overlay.startswith(GATE):
        return Terrain("open gate") if GATE_OPEN.match(overlay) else Terrain("gate", impassable=True)
    above = _longest(overlay, OVERLAYS) if overlay else {}
    if below is None or above is None:
        strange[replaced(base + (f"^{overlay}" if overlay else ""))] += 1
    return Terrain.of({**(below or {}), **(above or {})})


FORMAT = Format("wesnoth", "Wesnoth map", (".map", ".mask"), sniff, load, options=OPTIONS, also=(".txt",))
