"""Writing native maps, in the form a person would: rows, a legend of facts, one line a barrier or mover.

What is read back equals what was written.  Numbers in stats and options are written exactly; lists there come back as
tuples, since a map's content does not change.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from itertools import chain
from typing import Any

import numpy as np

from tactical.formats import Report, ReportLine
from tactical.formats.native.read import PictureFile
from tactical.units import Cell, cell_name, exact
from tactical.world.battlemap import Battlemap, Level, Link, Zone
from tactical.world.edges.barriers import Barrier
from tactical.world.mover import Mover
from tactical.world.terrain import PLAIN, WORDS, Terrain

_PLAIN_TEXT = re.compile(r"[A-Za-z]([A-Za-z0-9_ /.+-]*[A-Za-z0-9_+])?")
_TYPED = {"true", "false", "null", "yes", "no", "on", "off"}
# What to draw a terrain with that has no glyph yet, by its most telling fact.
_GLYPHS = (
    ("impassable", "#"),
    ("gap", "o"),
    ("swum", "w"),
    ("water", "~"),
    ("climb", "^"),
    ("hazard", "!"),
    ("rough", "%"),
    ("difficult", ":"),
    ("elevation", "h"),
)
_POOL = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789$&*+=?_;,-/<>@|(){}[]"


def dump(battlemap: Battlemap) -> str:
    """The map as a native file.  Raises `ValueError` for a stat or option value no file can hold."""
    return "\n".join(_lines(battlemap)) + "\n"


def losses(battlemap: Battlemap) -> Report:
    """What `dump` leaves out: a picture that is no file of its own."""
    lines = []
    if battlemap.picture is not None and not isinstance(battlemap.picture.read, PictureFile):
        lines.append(ReportLine("dropped", "the picture: a native map can only name a picture file beside it"))
    return Report("native", battlemap.source, tuple(lines))


def _lines(battlemap: Battlemap) -> Iterator[str]:
    names = battlemap.level_names
    glyphs = _glyphs(battlemap)
    yield "schema: 1"
    if battlemap.name:
        yield f"name: {written(battlemap.name)}"
    grid = {"type": battlemap.grid.name, "cell": battlemap.cell, "unit": battlemap.unit}
    yield f"grid: {written(grid)}"
    if battlemap.rules:
        yield f"rules: {written(battlemap.rules)}"
    if battlemap.options:
        yield f"options: {written(battlemap.options)}"
    yield "legend:"
    for index, glyph in sorted(glyphs.items()):
        yield f"  {_quoted(glyph)}: {written(_facts(battlemap.palette[index]))}"
    first, *others = battlemap.levels
    if first.name != "ground" or others:
        yield f"level: {written(first.name)}"
    if first.height:
        yield f"height: {written(first.height)}"
    yield "rows: |"
    yield from _rows(first, glyphs, "  ")
    if others:
        yield "levels:"
    for level in others:
        yield f"  - name: {written(level.name)}"
        if level.height:
            yield f"    height: {written(level.height)}"
        yield "    rows: |"
        yield from _rows(level, glyphs, "      ")
    yield from section("barriers", (barrier_part(battlemap, barrier) for barrier in battlemap.barriers))
    yield from section("links", (link_part(link, names) for link in battlemap.links))
    yield from section("zones", (zone_part(zone, names) for zone in battlemap.zones))
    yield from section("movers", (mover_part(mover, names) for mover in battlemap.movers))
    picture = battlemap.picture
    if picture is not None and isinstance(picture.read, PictureFile):
        found = {"file": picture.read.file, "pixels": picture.pixels, "offset": picture.offset}
        yield f"picture: {written(found, floats=True)}"


def section(name: str, items: Iterable[Mapping[str, object]]) -> Iterator[str]:
    """The lines of a list of things, one line a thing; none where there is none."""
    empty = True
    for item in items:
        if empty:
            yield f"{name}:"
            empty = False
        yield f"  - {written(item, floats=name == 'barriers')}"


def _rows(level: Level, glyphs: Mapping[int, str], indent: str) -> Iterator[str]:
    table = np.zeros(max(glyphs) + 1, dtype=np.uint32)
    for index, glyph in glyphs.items():
        table[index] = ord(glyph)
    for row in table[level.ground]:
        yield indent + row.astype("<u4").tobytes().decode("utf-32-le")


def _glyphs(battlemap: Battlemap) -> dict[int, str]:
    """A glyph for every terrain in use: the map's own where it has one, else a telling one, else any free one."""
    used = {int(n) for level in battlemap.levels for n in np.unique(level.ground)}
    out: dict[int, str] = {}
    taken: set[str] = set()
    for glyph, index in battlemap.glyphs.items():
        good = len(glyph) == 1 and glyph.isprintable() and not glyph.isspace()
        if good and index in used and index not in out:
            out[index] = glyph
            taken.add(glyph)
    pool = chain(
        _POOL,
        (chr(code) for code in range(0x4E00, 0x9FFF)),
        (chr(code) for code in range(0xAC00, 0xD7A3)),
        (chr(code) for code in range(0x20000, 0x2A6DF)),
    )
    for index in sorted(used - set(out)):
        terrain = battlemap.palette[index]
        wanted = [glyph for fact, glyph in _GLYPHS if getattr(terrain, fact)] or (["."] if terrain == PLAIN else [])
        glyph = next((glyph for glyph in wanted if glyph not in taken), "") or next(g for g in pool if g not in taken)
        out[index] = glyph
        taken.add(glyph)
    return out


def _facts(terrain: Terrain) -> dict[str, object]:
    return {**({"terrain": terrain.name} if terrain.name else {}), **terrain.facts()}


def barrier_part(battlemap: Battlemap, barrier: Barrier) -> dict[str, object]:
    """A barrier as a file holds it."""
    out: dict[str, object] = {"id": barrier.id} if barrier.id else {}
    place = _side(battlemap, barrier)
    level = battlemap.level_names[barrier.level] if barrier.level else ""
    if place is not None:
        out["cell"], out["side"] = place
    else:
        out["line"] = [[float(x), float(y)] for x, y in barrier.line]
    out["kind"] = barrier.kind.value
    if barrier.state is not None:
        out["state"] = barrier.state.value
    more = {"level": level, "one_way": barrier.one_way, "truth": barrier.truth}
    out.update({name: value for name, value in more.items() if value})
    numbers = {"cost": barrier.cost, "bottom": barrier.bottom, "top": barrier.top}
    out.update({name: value for name, value in numbers.items() if value is not None})
    if barrier.stops:
        out["stops"] = list(barrier.stops)
    return out


def _side(battlemap: Battlemap, barrier: Barrier) -> tuple[str, str] | None:
    """The cell and side a barrier covers exactly, drawn in the same direction; None for a free segment."""
    (x0, y0), (x1, y1) = barrier.line
    if battlemap.grid.name != "square" or abs(x1 - x0) + abs(y1 - y0) != 1 or any(v % 1 for v in (x0, y0, x1, y1)):
        return None
    # on squares a side runs clockwise round its cell
    col, row, side = {
        (1, 0): (x0, y0, "north"),
        (-1, 0): (x1, y1 - 1, "south"),
        (0, 1): (x0 - 1, y0, "east"),
        (0, -1): (x1, y1, "west"),
    }[int(x1 - x0), int(y1 - y0)]
    cell = Cell(int(col), int(row))
    return (cell_name(cell, ("",)), side) if cell in battlemap else None


def _unlike(thing: object, plain: object, names: Iterable[str]) -> dict[str, object]:
    """What a thing has otherwise than a plain one: what a file need not say is left out."""
    values = {name: getattr(thing, name) for name in names}
    return {name: value for name, value in values.items() if value != getattr(plain, name)}


def link_part(link: Link, names: tuple[str, ...]) -> dict[str, object]:
    """A link as a file holds it; `names` are those of the levels."""
    ends = {"from": cell_name(link.start, names), "to": cell_name(link.end, names)}
    return {**ends, **_unlike(link, Link(link.start, link.end), ("cost", "kind", "two_way", "id"))}


def zone_part(zone: Zone, names: tuple[str, ...]) -> dict[str, object]:
    """A zone as a file holds it; `names` are those of the levels."""
    facts = {
        name: (None if name == "level" else "none") if name in WORDS and not value else value
        for name, value in zone.facts.items()
    }
    return {"cells": list(_ranges(zone.cells, names)), **({"source": zone.source} if zone.source else {}), **facts}


def _ranges(cells: Iterable[Cell], names: tuple[str, ...]) -> Iterator[str]:
    """Cells as rectangles: runs along a row, joined where the next row has the same run."""
    runs: dict[tuple[int, int, int], list[int]] = defaultdict(list)
    rows: dict[tuple[int, int], list[int]] = defaultdict(list)
    for cell in sorted(cells, key=lambda cell: (cell.level, cell.row, cell.col)):
        rows[cell.level, cell.row].append(cell.col)
    for (level, row), cols in rows.items():
        start = cols[0]
        for col, following in zip(cols, [*cols[1:], -1], strict=True):
            if following != col + 1:
                runs[level, start, col].append(row)
                start = following
    for (level, first, last), found in sorted(runs.items(), key=lambda item: (item[0][0], item[1][0], item[0][1])):
        start = found[0]
        for row, following in zip(found, [*found[1:], -1], strict=True):
            if following != row + 1:
                one, other = Cell(first, start, level), Cell(last, row, level)
                yield cell_name(one, names) + (f":{cell_name(other, names)}" if one != other else "")
                start = following


_OF_A_MOVER = ("side", "posture", "reach", "rules", "name", "hidden", "knows", "stats")


def mover_part(mover: Mover, names: tuple[str, ...]) -> dict[str, object]:
    """A mover as a file holds it; `names` are those of the levels."""
    plain = Mover(mover.id, size=mover.size)
    own_class = mover.size_class != plain.size_class
    out: dict[str, object] = {"id": mover.id}
    if mover.at is not None:
        out["at"] = cell_name(mover.at, names)
    if own_class or mover.size != 1:
        out["size"] = mover.size
    if own_class:
        out["size_class"] = mover.size_class
    return out | _unlike(mover, plain, _OF_A_MOVER)


# -- values of YAML ----------------------------------------------------------------------------------------------------


def written(value: Any, *, floats: bool = False) -> str:
    """A value as YAML on one line.  Raises `ValueError` for what a map file cannot hold."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return value if _PLAIN_TEXT.fullmatch(value) and value.lower() not in _TYPED else _quoted(value)
    if isinstance(value, float) and floats:
        return str(int(value)) if value.is_integer() else repr(value)
    if isinstance(value, (int, float, Fraction)):
        return str(exact(value))
    if isinstance(value, Mapping):
        pairs = (f"{written(str(key))}: {written(item, floats=floats)}" for key, item in value.items())
        return "{" + ", ".join(pairs) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(written(item, floats=floats) for item in value) + "]"
    if isinstance(value, (set, frozenset)):
        return written(sorted(value))
    raise ValueError(f"a map file cannot hold {value!r}")


def _quoted(text: str) -> str:
    out = []
    for char in text:
        code = ord(char)
        if char in '"\\':
            out.append("\\" + char)
        elif char.isprintable() and (code < 0xD800 or code > 0xDFFF):
            out.append(char)
        elif code <= 0xFF:
            out.append(f"\\x{code:02x}")
        else:
            out.append(f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}")
    return '"' + "".join(out) + '"'
