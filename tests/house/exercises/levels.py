"""A reader in one file: a level of a roguelike as its screen shows it, saved as text.

Offered as the entry point ``levels = levels:FORMAT`` of the group ``tactical.formats``.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from typing import Any

from tactical.errors import Fault, MapError
from tactical.formats import MOST_CELLS, Format, Report, ReportLine, decode, many
from tactical.units import Cell
from tactical.world.battlemap import Battlemap
from tactical.world.mover import Mover

FACTS: dict[str, dict[str, object]] = {
    ".": {"terrain": "floor"},
    "#": {"terrain": "passage"},
    "+": {"terrain": "door"},
    "<": {"terrain": "stairs up"},
    ">": {"terrain": "stairs down"},
    "{": {"terrain": "fountain", "difficult": True},
    "}": {"terrain": "water", "water": "deep"},
    "^": {"terrain": "trap", "hazard": "trap"},
    " ": {"terrain": "rock", "impassable": True},
    "|": {"terrain": "wall", "impassable": True},
    "-": {"terrain": "wall", "impassable": True},
}
THINGS = "$()[]!?/=\"*%_`'\\"
STATUS = re.compile(r"\s*(Dlvl|[A-Z]\w* the |St:)")


def sniff(data: bytes, name: str) -> bool:
    return name.endswith(".level") and b"Dlvl:" in data[:4000]


def load(data: bytes, *, source: str = "", options: Mapping[str, Any] | None = None) -> tuple[Battlemap, Report]:
    """Letters and ``@`` are creatures on floor, things lie on floor.  Raises `MapError` with every wrong glyph."""
    lines = decode(data, source).splitlines()
    kept = [(n, line.rstrip()) for n, line in enumerate(lines, 1) if not STATUS.match(line)]
    width = max((len(line) for _, line in kept), default=0)
    faults: list[Fault] = []
    if not width:
        faults.append(Fault("there is no level under the status lines", source, 1, 1))
    if width * len(kept) > MOST_CELLS:
        faults.append(Fault(f"more than the {MOST_CELLS} cells a map may have", source, 1, 1))
    rows: list[str] = []
    movers: list[Mover] = []
    told: Counter[str] = Counter()
    for row, (n, line) in enumerate(kept):
        ground = ""
        for col, glyph in enumerate(line.ljust(width)):
            if glyph == "@" or (glyph.isascii() and glyph.isalpha()):
                name, side = ("you", "heroes") if glyph == "@" else (f"{glyph}-{len(movers) + 1}", "monsters")
                movers.append(Mover(name, at=Cell(col, row), side=side))
            elif glyph in THINGS:
                told["things left out"] += 1
            elif glyph not in FACTS:
                where = f"unknown glyph {glyph!r} in column {col + 1}"
                faults.append(Fault(where, source, n, col + 1, excerpt=line, hint=f"(known: {''.join(FACTS)})"))
            ground += glyph if glyph in FACTS else "."
        rows.append(ground)
    if faults:
        raise MapError(faults)
    used = {glyph: FACTS[glyph] for row in rows for glyph in row}
    found = Battlemap.from_rows(rows, used, cell=5, unit="ft", movers=tuple(movers), source=source)
    read = f"{width} x {len(rows)} cells, {many(len(movers), 'creature')}; a cell is taken as 5 ft"
    lines_told = [ReportLine("read", read), *(ReportLine("ignored", text, n) for text, n in told.items())]
    return found, Report("levels", source, tuple(lines_told))


FORMAT = Format("levels", "levels of a roguelike, as text", (".level",), sniff, load)
