"""What the readers of other programs' files share: faults, a report, lists, numbers, the size of a cell."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, ClassVar, TypeGuard

from tactical.errors import Fault, MapError
from tactical.formats import MOST_CELLS, Report, ReportLine, many
from tactical.options import Option
from tactical.units import UNITS, show
from tactical.values import length, replaced

if TYPE_CHECKING:
    from tactical.world.battlemap import Battlemap
    from tactical.world.edges.barriers import Barrier
    from tactical.world.edges.segments import Segment

_UNITS = tuple(dict.fromkeys(UNITS.values()))
CELL = (
    Option("cell", None, "side of a cell, where the file states none", number=True, empty=True),
    Option("unit", None, "unit of that side, where the file states none", _UNITS, empty=True),
)
"""Options of the formats that know no lengths."""
SHOWN = 20
"""How many of a list of names are shown."""


class Reading:
    """One file on its way to a map: what is wrong with it, what there is to tell, and counts of what was met."""

    format: ClassVar[str]

    def __init__(self, source: str, options: Mapping[str, Any]) -> None:
        self.source, self.options = source, options
        self.faults: list[Fault] = []
        self.lines: list[ReportLine] = []
        self.files: list[str] = []
        self.counts: Counter[str] = Counter()

    def fault(self, text: str, path: str) -> None:
        """Note something that makes the file unusable."""
        self.faults.append(Fault(text, self.source, path=path))

    def wrong(self, text: str, line: int, column: int = 1, *, hint: str = "", excerpt: str = "") -> None:
        """Note the same of a file that is read by lines."""
        self.faults.append(Fault(text, self.source, line, column, hint=hint, excerpt=excerpt))

    def tell(self, kind: str, text: str, count: int = 1, about: str = "") -> None:
        """Add a line to the report."""
        self.lines.append(ReportLine(kind, text, count, about))

    def tell_counts(self, *rows: tuple[str | int, str, str, str]) -> None:
        """A line for each (count or its key, kind, words for one, for several) of which there was any."""
        for counted, kind, one, several in rows:
            if count := self.counts[counted] if isinstance(counted, str) else counted:
                self.tell(kind, many(count, one, several), count)

    def tell_unknown(self, keys: Iterable[str]) -> None:
        """A line for keys of the file that nobody reads."""
        unknown = list(keys)
        if unknown:
            self.tell("ignored", f"unknown keys: {first([replaced(key[:40]) for key in unknown])}", len(unknown))

    def done(self, battlemap: Battlemap | None) -> tuple[Battlemap, Report]:
        """The map and its report.  Raises `MapError` with all faults if there are any."""
        if battlemap is None or self.faults:
            raise MapError(self.faults)
        return battlemap, Report(self.format, self.source, tuple(self.lines), tuple(self.files))

    def object(self, content: Any) -> bool:
        """Whether the whole file is an object; a fault otherwise."""
        if isinstance(content, dict):
            return True
        self.fault(f"expected an object, found {what(content)}", "")
        return False

    def listed(self, content: Mapping[str, Any], key: str) -> list[Any]:
        """A list of the file, which may be missing; a fault for anything else."""
        value = content.get(key)
        if value is None:
            return []
        if not isinstance(value, list):
            self.fault(f"expected a list, found {what(value)}", key)
            return []
        return value

    def fits(self, cols: int, rows: int, path: str, word: str = "cells") -> bool:
        """Whether a map of that size may be; a fault otherwise."""
        if cols * rows <= MOST_CELLS:
            return True
        self.fault(f"{cols} x {rows} {word} are more than the {MOST_CELLS} a map may have", path)
        return False

    def cell(self) -> dict[str, Any]:
        """The side of a cell and its unit by the options, for a file that states neither."""
        side, unit = self.options["cell"], self.options["unit"]
        found = Fraction(5 if unit in (None, "ft") else 1)
        try:
            found = found if side is None else length(side, "a cell")
        except ValueError as error:
            self.fault(f"option cell: {error}", "")
        if side is None and not unit:
            self.tell("read", "a cell is taken as 5 ft: the file states no unit (option cell)", about="cell")
        else:
            self.tell("read", f"a cell is {show(found)} {unit or 'ft'} (option cell)", about="cell")
        return {"cell": found, "unit": unit or "ft"}

    def stem(self) -> str:
        """The file's name without its ending, as a map may be called."""
        return replaced(PurePath(self.source).stem)


def first(words: Sequence[str]) -> str:
    """Some words, the first of them where they are many."""
    return ", ".join(words[:SHOWN]) + (", …" if len(words) > SHOWN else "")


def finite(value: Any) -> TypeGuard[float]:
    """Whether a value is a number that a coordinate may be."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return False
    try:
        return math.isfinite(value) and abs(value) < 1e9
    except OverflowError:
        return False


def what(value: Any) -> str:
    """What stands in place of what was expected, in words."""
    if value is None:
        return "nothing"
    names = {dict: "an object", list: "a list", str: "text", bool: "true or false"}
    return names.get(type(value), f"{value!r:.40}")


def between(battlemap: Battlemap, barrier: Barrier) -> str:
    """Where a barrier is: the cells on both sides of its middle, ``C4 and C5``."""
    from tactical.units import Cell

    (x0, y0), (x1, y1) = barrier.line
    x, y, long = (x0 + x1) / 2, (y0 + y1) / 2, math.hypot(x1 - x0, y1 - y0) or 1.0
    # half a cell to the left and to the right of the line
    dx, dy = (y1 - y0) / long / 2, (x0 - x1) / long / 2
    # twice as far where it stands slanting within one
    for far in (1, 2):
        cells = {Cell(*battlemap.grid.cell_at(x + k * dx, y + k * dy), barrier.level) for k in (far, -far)}
        if len(cells) == 2:
            break
    sides = sorted(cells, key=lambda cell: (cell not in battlemap, cell))
    return " and ".join(battlemap.name_of(cell) if cell in battlemap else "outside" for cell in sides)


def across(col: int, row: int, east_west: bool) -> Segment:
    """A line across the middle of a cell, for a door that fills it: the way through runs east and west, or not."""
    if east_west:
        return (col + 0.5, float(row)), (col + 0.5, row + 1.0)
    return (float(col), row + 0.5), (col + 1.0, row + 0.5)


def leads_east_west(open_: Callable[[int, int], bool], col: int, row: int) -> bool:
    """Which way a door's cell is passed: along the axis on which more of its neighbours are open."""
    beside = open_(col - 1, row) + open_(col + 1, row)
    return beside >= open_(col, row - 1) + open_(col, row + 1) and beside > 0


class Doors:
    """Doors that fill a cell, named in the order they are met: ``door-1``, ``secret-1``."""

    def __init__(self) -> None:
        self.made: list[Barrier] = []
        self._numbers: Counter[str] = Counter()

    def add(self, line: Segment, state: str, level: int = 0) -> None:
        """One more."""
        from tactical.world.edges.barriers import Barrier, Kind

        word = "secret" if state == "secret" else "door"
        self._numbers[word] += 1
        self.made.append(Barrier(line, Kind.DOOR, f"{word}-{self._numbers[word]}", state, level=level))
