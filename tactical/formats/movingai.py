"""MovingAI benchmark maps (``.map``) and their problem lists (``.scen``): the yardstick of grid search.

A map is a header and rows of glyphs: ``.`` and ``G`` open, ``@`` and ``O`` out of the map, ``T`` trees, ``S`` swamp,
``W`` water.  A problem names start, goal and the length of the best way at cost 1 a cell, the square root of 2 a
diagonal, no cut corners (options ``diagonal: euclid``, ``corner: both_open``).  So a cell is read as one unit wide,
``S`` costs what ``.`` costs, and ``W``, which has no way in from dry ground, is impassable.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

from tactical.errors import Fault, MapError
from tactical.formats import MOST_CELLS, Format, Report, ReportLine, decode, many
from tactical.formats._losses import dropped
from tactical.formats._reading import Reading
from tactical.units import exact

if TYPE_CHECKING:
    from tactical.world.battlemap import Battlemap
    from tactical.world.terrain import Terrain

LEGEND: dict[str, dict[str, object]] = {
    ".": {},
    "G": {"terrain": "ground"},
    "@": {"terrain": "out of bounds", "impassable": True},
    "O": {"terrain": "out of the map", "impassable": True},
    "T": {"terrain": "trees", "impassable": True},
    "S": {"terrain": "swamp"},
    "W": {"terrain": "water", "impassable": True},
}
OPTIONS: dict[str, object] = {"diagonal": "euclid", "corner": "both_open"}
HEADER = ("type", "height", "width", "map")


@dataclass(frozen=True, slots=True)
class Problem:
    """One line of a ``.scen`` file: the cells are (column, row) from 0 at the top left; `length` is the best way's."""

    number: int
    bucket: int
    map: str
    size: tuple[int, int]
    start: tuple[int, int]
    goal: tuple[int, int]
    length: Fraction


def sniff(data: bytes, name: str) -> bool:
    """The four header lines."""
    return re.match(rb"\s*type\s+octile\S*\s+height\s+\d+\s+width\s+\d+\s+map\b", data[:200]) is not None


def load(data: bytes, *, source: str = "", options: Mapping[str, Any] | None = None) -> tuple[Battlemap, Report]:
    """Read a ``.map`` file.  Raises `MapError` with every wrong header line and row."""
    reader = _Reader(source, options or {})
    return reader.done(reader.read(decode(data, source)))


class _Reader(Reading):
    """One file on its way to a map."""

    format = "movingai"

    def read(self, text: str) -> Battlemap | None:
        """The map, or None if the file has faults."""
        from tactical.world.battlemap import Battlemap

        lines = text.replace("\r\n", "\n").split("\n")
        while lines and not lines[-1].strip():
            lines.pop()
        height, width = self._header(lines)
        rows = [line.rstrip("\r") for line in lines[4:]]
        if width * height > MOST_CELLS:
            self.wrong(f"{width} x {height} cells are more than the {MOST_CELLS} a map may have", 2)
        if not self.faults:
            self._check_rows(rows, height, width)
        if self.faults:
            return None
        self.tell("read", f"{width} x {height} cells")
        self.tell("read", "a cell is taken as one unit", about="cell")
        for glyph, words in (("W", "water read as impassable"), ("S", "swamp read as open ground")):
            count = sum(row.count(glyph) for row in rows)
            if count:
                self.tell("ambiguous", f"{many(count, 'cell')} of {words}", count)
        used = {glyph for row in rows for glyph in row}
        legend = {glyph: facts for glyph, facts in LEGEND.items() if glyph in used}
        about: dict[str, Any] = {"options": OPTIONS, "name": self.stem(), "source": self.source}
        return Battlemap.from_rows(rows, legend, cell=1, unit="ft", **about)

    def _header(self, lines: list[str]) -> tuple[int, int]:
        found: dict[str, int] = {}
        for n, key in enumerate(HEADER):
            excerpt = lines[n] if n < len(lines) else ""
            words = excerpt.split()
            if not words or words[0] != key:
                self.wrong(f"expected a line {key!r}, found {' '.join(words) or 'nothing'!r}", n + 1, excerpt=excerpt)
            elif key == "type" and words[1:] != ["octile"]:
                self.wrong(f"type {' '.join(words[1:])!r} is not read, only octile", n + 1, excerpt=excerpt)
            elif key in ("height", "width"):
                if len(words) == 2 and re.fullmatch(r"[0-9]{1,6}", words[1]) and int(words[1]):
                    found[key] = int(words[1])
                else:
                    self.wrong(f"{key} is not a whole number above 0", n + 1, excerpt=excerpt)
        return found.get("height", 0), found.get("width", 0)

    def _check_rows(self, rows: list[str], height: int, width: int) -> None:
        if len(rows) != height:
            turned = len(rows) == width and all(len(row) == height for row in rows)
            verb, swapped = "is" if len(rows) == 1 else "are", " (height and width swapped?)" * turned
            self.wrong(f"there {verb} {many(len(rows), 'row')}, the header says {height}{swapped}", 2)
            if turned:
                return
        for n, row in enumerate(rows):
            if len(row) != width:
                words = f"row {n + 1} has {len(row)} cells, the header says {width}"
                self.wrong(words, n + 5, min(len(row), width) + 1, excerpt=row)
            wrong = next((c for c, glyph in enumerate(row) if glyph not in LEGEND), None)
            if wrong is not None:
                words = f"unknown glyph {row[wrong]!r} in row {n + 1}, column {wrong + 1}"
                self.wrong(words, n + 5, wrong + 1, hint=f"(known: {' '.join(LEGEND)})", excerpt=row)


def dump(battlemap: Battlemap) -> str:
    """The first level as a ``.map`` file.  Raises `ValueError` for a hex map."""
    if battlemap.grid.name != "square":
        raise ValueError(f"a MovingAI map is square, not {battlemap.grid.name}")
    known = _known()
    glyphs = []
    for terrain in battlemap.palette:
        blocked = terrain.impassable or terrain.gap
        nearest = "@" if blocked else "W" if terrain.swum else "S" if terrain.water else "."
        glyphs.append(known.get(terrain, nearest))
    rows = ["".join(glyphs[n] for n in row) for row in battlemap.levels[0].ground.tolist()]
    return "\n".join(["type octile", f"height {battlemap.rows}", f"width {battlemap.cols}", "map", *rows]) + "\n"


def _known() -> dict[Terrain, str]:
    """The glyph of every terrain that the file can name exactly."""
    from tactical.world.terrain import Terrain

    return {Terrain.of(facts): glyph for glyph, facts in LEGEND.items()}


def losses(battlemap: Battlemap) -> Report:
    """What a ``.map`` file cannot say."""
    known = _known()
    lines = []
    lost = [terrain for terrain in battlemap.palette if terrain not in known]
    if lost:
        text = f"{many(len(lost), 'kind')} of terrain written as open, swamp, water or out of bounds"
        lines.append(ReportLine("dropped", text, len(lost)))
    lines += dropped(
        (len(battlemap.barriers), "barrier"),
        (len(battlemap.links), "link"),
        (len(battlemap.zones), "zone"),
        (len(battlemap.movers), "mover"),
        (len(battlemap.levels) - 1, "further level"),
    )
    if battlemap.picture is not None:
        lines.append(ReportLine("dropped", "the picture"))
    if battlemap.rules or dict(battlemap.options) != OPTIONS:
        lines.append(ReportLine("dropped", f"rules and options: such a map is read with {_words(OPTIONS)}"))
    if battlemap.cell != 1 or battlemap.unit != "ft":
        lines.append(ReportLine("dropped", f"the size of a cell ({battlemap.cell} {battlemap.unit})"))
    if battlemap.name and battlemap.name != PurePath(battlemap.source).stem:
        lines.append(ReportLine("dropped", "the map's name: such a map is called after its file"))
    return Report("movingai", battlemap.source, tuple(lines))


def _words(options: Mapping[str, object]) -> str:
    return ", ".join(f"{name}: {value}" for name, value in options.items())


def scenarios(data: bytes, battlemap: Battlemap | None = None, *, source: str = "") -> list[Problem]:
    """The problems of a ``.scen`` file; with a map, each start and goal must be an open cell of it.

    Columns may be parted by tabs or spaces, the map path may be another one, the order any.  Raises `MapError` with the
    number of every wrong problem.
    """
    faults: list[Fault] = []
    problems: list[Problem] = []
    for n, line in enumerate(decode(data, source).splitlines()):
        words = line.split("\t") if line.count("\t") >= 8 else line.split()
        if not words or words[0].lower() == "version":
            continue
        number = len(problems) + 1
        try:
            bucket, cols, rows, sx, sy, gx, gy = (_int(words[k]) for k in (0, 2, 3, 4, 5, 6, 7))
            length = exact(words[8].strip())
            problem = Problem(number, bucket, words[1], (cols, rows), (sx, sy), (gx, gy), length)
        except (IndexError, ValueError):
            text = f"problem {number}: expected bucket, map, width, height, start x y, goal x y, length"
            faults.append(Fault(text, source, n + 1, 1, excerpt=line))
            continue
        problems.append(problem)
        faults.extend(
            Fault(f"problem {number}: {text}", source, n + 1, 1, excerpt=line) for text in _wrong(problem, battlemap)
        )
    if faults:
        raise MapError(faults)
    return problems


def _int(word: str) -> int:
    if not re.fullmatch(r"\s*-?[0-9]{1,9}\s*", word):
        raise ValueError(word)
    return int(word)


def _wrong(problem: Problem, battlemap: Battlemap | None) -> list[str]:
    """What is wrong with a problem, in words."""
    from tactical.units import Cell

    cols, rows = problem.size
    if battlemap is not None and problem.size != (battlemap.cols, battlemap.rows):
        swapped = " (swapped?)" if problem.size == (battlemap.rows, battlemap.cols) else ""
        return [f"is for a map of {cols} x {rows} cells{swapped}, this one has {battlemap.cols} x {battlemap.rows}"]
    out = []
    for what, (x, y) in (("start", problem.start), ("goal", problem.goal)):
        if not (0 <= x < cols and 0 <= y < rows):
            out.append(f"the {what} ({x}, {y}) is off the map")
        elif battlemap is not None and battlemap.terrain(Cell(x, y)).impassable:
            out.append(f"the {what} ({x}, {y}) is blocked")
    return out


FORMAT = Format("movingai", "MovingAI map", (".map",), sniff, load, dump, losses)
