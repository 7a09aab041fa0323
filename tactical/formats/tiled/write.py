"""Writing Tiled maps (TMX 1.10, CSV): the first level's ground as tiles with properties, its barriers as objects."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from xml.sax.saxutils import quoteattr

import numpy as np

from tactical.formats import Report, ReportLine, many
from tactical.formats._losses import beyond_one_floor
from tactical.world.battlemap import Battlemap
from tactical.world.edges.barriers import Barrier, Kind
from tactical.world.terrain import PLAIN, Terrain

PIXELS = 64
"""How wide a cell is in the file's pixels."""
TIP = 74
"""The longer way across a hex of that width."""
UNSAID = ("level_numbers", "check")
"""Facts that no property of a tile can hold."""


def dump(battlemap: Battlemap) -> str:
    """The first level as a TMX file: a layer of ground, one of what is blocked, and objects for walls and doors.

    Raises `ValueError` for a grid that Tiled does not have.
    """
    shape = _shape(battlemap)
    kinds = _kinds(battlemap)
    numbers = np.array([kinds.get(n, 0) + 1 for n in range(len(battlemap.palette))])
    ground = battlemap.levels[0].ground
    blocked = np.array([kind.impassable for kind in battlemap.palette])[ground]
    size = f'width="{battlemap.cols}" height="{battlemap.rows}"'
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<map version="1.10" {shape} renderorder="right-down" {size} infinite="0">',
        f' <tileset firstgid="1" name="ground" tilewidth="{PIXELS}" tileheight="{PIXELS}" tilecount="{len(kinds) + 1}" '
        'columns="0">',
        *(line for index, n in kinds.items() for line in _tile(n, battlemap.palette[index])),
        # the tile of the layer below, whose name is all that most programs look at
        *_tile(len(kinds), Terrain(impassable=True)),
        " </tileset>",
        f' <layer id="1" name="Ground" {size}>',
        *_data(numbers[ground]),
        " </layer>",
    ]
    if blocked.any():
        lines += [f' <layer id="2" name="blocked" {size} visible="0">', *_data(blocked * (len(kinds) + 1)), " </layer>"]
    barriers = [one for one in battlemap.barriers if one.level == 0] if battlemap.grid.name == "square" else []
    if barriers:
        lines.append(' <objectgroup id="3" name="Barriers">')
        lines += [line for n, one in enumerate(barriers) for line in _object(n + 1, one)]
        lines.append(" </objectgroup>")
    return "\n".join([*lines, "</map>"]) + "\n"


def _shape(battlemap: Battlemap) -> str:
    """What the map's element says of its grid."""
    name = battlemap.grid.name
    kind, _, layout = name.partition("-")
    if name == "square":
        return f'orientation="orthogonal" tilewidth="{PIXELS}" tileheight="{PIXELS}"'
    if kind not in ("hex", "staggered") or layout not in ("odd-r", "even-r", "odd-q", "even-q"):
        raise ValueError(f"a Tiled map has squares or hexes, not the grid {name}")
    index, line = layout.split("-")
    stagger = f'staggeraxis="{"x" if line == "q" else "y"}" staggerindex="{index}"'
    if kind == "staggered":
        return f'orientation="staggered" tilewidth="{PIXELS}" tileheight="{PIXELS}" {stagger}'
    wide, high = (TIP, PIXELS) if line == "q" else (PIXELS, TIP)
    return f'orientation="hexagonal" tilewidth="{wide}" tileheight="{high}" hexsidelength="{TIP // 2}" {stagger}'


def _kinds(battlemap: Battlemap) -> dict[int, int]:
    """The number of a tile for each kind of ground on the first level."""
    return {int(index): n for n, index in enumerate(np.unique(battlemap.levels[0].ground))}


def _tile(number: int, terrain: Terrain) -> Iterator[str]:
    properties = [line for name, value in _said(terrain).items() for line in _property(name, value)]
    if not properties:
        yield f'  <tile id="{number}"/>'
        return
    yield f'  <tile id="{number}">'
    yield "   <properties>"
    yield from properties
    yield "   </properties>"
    yield "  </tile>"


def _said(terrain: Terrain) -> dict[str, object]:
    named = {"terrain": terrain.name} if terrain.name else {}
    return {**named, **{name: value for name, value in terrain.facts().items() if name not in UNSAID}}


def _property(name: str, value: object) -> Iterator[str]:
    kind = ' type="bool"' if isinstance(value, bool) else ' type="int"' if isinstance(value, int) else ""
    shown = str(value).lower() if isinstance(value, bool) else str(value)
    yield f"    <property name={quoteattr(name)}{kind} value={quoteattr(shown)}/>"


def _data(numbers: np.ndarray[tuple[int, ...], np.dtype[np.integer]]) -> Iterator[str]:
    yield '  <data encoding="csv">'
    rows = [",".join(map(str, row)) for row in numbers.tolist()]
    yield ",\n".join(rows)
    yield "</data>"


def _object(number: int, barrier: Barrier) -> Iterator[str]:
    (x0, y0), (x1, y1) = ((x * PIXELS, y * PIXELS) for x, y in barrier.line)
    # a door that is closed is the plain one, any other says its state
    state = "" if barrier.state in (None, "closed") else f"{barrier.state} "
    name = f" name={quoteattr(barrier.id)}" if barrier.id else ""
    yield f'  <object id="{number}"{name} type="{state}{barrier.kind}" x="{x0:g}" y="{y0:g}">'
    yield f'   <polyline points="0,0 {round(x1 - x0, 4):g},{round(y1 - y0, 4):g}"/>'
    yield "  </object>"


def losses(battlemap: Battlemap) -> Report:
    """A line for everything the file leaves out or changes."""
    lines = []
    kinds = [battlemap.palette[index] for index in _kinds(battlemap)]
    unsaid = sum(any(name in kind.facts() for name in UNSAID) for kind in kinds)
    if unsaid:
        words = f"{many(unsaid, 'kind')} of ground: {' and '.join(UNSAID)}"
        lines.append(ReportLine("dropped", words, unsaid))
    counts: Counter[str] = Counter()
    first = [one for one in battlemap.barriers if one.level == 0]
    if battlemap.grid.name != "square":
        counts["a barrier left out: objects lie on maps of squares only"] += len(first)
        first = []
    for barrier in first:
        counts["a one-way barrier is written as one for both ways"] += bool(barrier.one_way)
        counts["the heights of a barrier"] += barrier.bottom is not None or barrier.top is not None
        counts["the price of a barrier"] += barrier.cost is not None
        counts["what a barrier really is"] += bool(barrier.truth)
        counts["a barrier that stops only some modes of moving is written as one for all"] += bool(barrier.stops)
        counts["the name of a barrier that is no door or window"] += bool(barrier.id) and barrier.kind not in (
            Kind.DOOR,
            Kind.WINDOW,
        )
    lines += [ReportLine("dropped", f"{count} x {text}", count) for text, count in counts.items() if count]
    lines += beyond_one_floor(battlemap)
    if battlemap.levels[0].height:
        lines.append(ReportLine("dropped", "the height of the floor"))
    lines.append(ReportLine("dropped", f"the size of a cell ({battlemap.cell} {battlemap.unit}) and the map's name"))
    if battlemap.picture is not None:
        lines.append(ReportLine("dropped", "the picture"))
    if any(kind != PLAIN for kind in kinds):
        lines.append(ReportLine("dropped", "how the ground looks: its tiles have properties and no pictures"))
    return Report("tiled", battlemap.source, tuple(lines))
