"""Maps from plain values: rows of glyphs, and wall segments in pixels."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from tactical import values
from tactical.errors import UnknownName
from tactical.values import Place
from tactical.world.barriers import Barrier, Kind
from tactical.world.grids import Point
from tactical.world.parts import Level
from tactical.world.terrain import PLAIN, Terrain

if TYPE_CHECKING:
    from tactical.world.battlemap import Battlemap
    from tactical.world.parts import Ground

Rows = Sequence[str] | Mapping[str, Sequence[str]]


def drawn(
    rows: Rows, legend: Mapping[str, Mapping[str, object]]
) -> tuple[tuple[Level, ...], tuple[Terrain, ...], dict[str, int]]:
    """Levels, palette and glyphs of a map drawn with one glyph a cell.

    Raises `TypeError` for rows that are no list of texts, `ValueError` for ragged or empty ones, an unknown glyph or an
    unknown fact.
    """
    floors = rows if isinstance(rows, Mapping) else {"ground": rows}
    if not floors:
        raise ValueError("a map has at least one level")
    facts: dict[str, Mapping[str, object]] = {".": {}, "#": {"terrain": "rock", "impassable": True}}
    facts.update(legend)
    palette = [PLAIN]
    glyphs: dict[str, int] = {}
    levels = []
    shape: tuple[int, int] | None = None
    for name, floor in floors.items():
        if isinstance(floor, (str, bytes)):
            raise TypeError(f"level {name!r}: rows is a list of texts, one a row, not one text {floor!r}")
        lines = values.words(floor, f"level {name!r}: rows")
        shape = shape or (len(lines), len(lines[0]) if lines else 0)
        if len(lines) != shape[0] or not lines:
            raise ValueError(f"level {name!r} has {len(lines)} rows, expected {shape[0] or 'at least one'}")
        if not shape[1]:
            raise ValueError(f"row 1 of level {name!r} has no cells")
        ground = np.zeros(shape, dtype=np.uint16)
        for r, row in enumerate(lines):
            if len(row) != shape[1]:
                raise ValueError(f"row {r + 1} of level {name!r} has {len(row)} cells, expected {shape[1]}")
            for c, glyph in enumerate(row):
                if glyph not in glyphs:
                    if glyph not in facts:
                        raise ValueError(f"unknown glyph {glyph!r} in row {r + 1}, column {c + 1}")
                    terrain = Terrain.of(facts[glyph])
                    if terrain not in palette:
                        palette.append(terrain)
                    glyphs[glyph] = palette.index(terrain)
                ground[r, c] = glyphs[glyph]
        levels.append(Level(name, ground))
    return tuple(levels), tuple(palette), glyphs


def walled(
    walls: Iterable[Sequence[float]],
    doors: Iterable[Sequence[float] | Mapping[str, object]],
    pixels: float,
    origin: Point,
) -> tuple[Barrier, ...]:
    """Barriers from segments ``(x0, y0, x1, y1)`` in pixels; a door may be a mapping with ``line`` and other fields."""

    def line(points: Any, what: str) -> tuple[Point, Point]:
        try:
            x0, y0, x1, y1 = points
        except (TypeError, ValueError):
            raise TypeError(f"{what} is four numbers (x0, y0, x1, y1), not {points!r}") from None
        (x0, y0), (x1, y1) = values.point((x0, y0), what), values.point((x1, y1), what)
        ox, oy = origin
        return ((x0 - ox) / pixels, (y0 - oy) / pixels), ((x1 - ox) / pixels, (y1 - oy) / pixels)

    barriers = [Barrier(line(wall, f"walls[{n}]")) for n, wall in enumerate(walls)]
    for n, door in enumerate(doors):
        fields: dict[str, Any] = dict(door) if isinstance(door, Mapping) else {"line": door}
        if "line" not in fields:
            raise ValueError(f"doors[{n}] has no 'line'")
        barriers.append(Barrier(line(fields.pop("line"), f"doors[{n}]"), **{"kind": Kind.DOOR, **fields}))
    return tuple(barriers)


def doors_set(battlemap: Battlemap, doors: Mapping[str, str]) -> tuple[Barrier, ...]:
    """The barriers of a map with doors in other states, by their ids.  Raises `UnknownName`."""
    known = {barrier.id for barrier in battlemap.barriers if barrier.kind is Kind.DOOR and barrier.id}
    for door in doors:
        if door not in known:
            raise UnknownName("door", door, battlemap.open_names("door"))
    return tuple(
        replace(barrier, state=doors[barrier.id])  # type: ignore[arg-type]
        if barrier.kind is Kind.DOOR and barrier.id in doors
        else barrier
        for barrier in battlemap.barriers
    )


def painted(battlemap: Battlemap, terrain: Mapping[Place, Mapping[str, object]]) -> dict[str, Any]:
    """Palette and levels of a map with facts laid over some cells.  Raises `ValueError` for those off the map."""
    palette, index = list(battlemap.palette), {known: n for n, known in enumerate(battlemap.palette)}
    grounds = {n: level.ground for n, level in enumerate(battlemap.levels)}
    fresh: set[int] = set()
    for place, facts in terrain.items():
        cell = battlemap.cell_of(place)
        changed = battlemap.terrain(cell).under(facts)
        if changed not in index:
            index[changed] = len(palette)
            palette.append(changed)
        if cell.level not in fresh:
            grounds[cell.level] = grounds[cell.level].copy()
            fresh.add(cell.level)
        grounds[cell.level][cell.row, cell.col] = index[changed]
    levels = tuple(replace(level, ground=grounds[n]) for n, level in enumerate(battlemap.levels))
    return {"palette": tuple(palette), "levels": levels}


def same_ground(a: Ground, a_palette: Sequence[Terrain], b: Ground, b_palette: Sequence[Terrain]) -> bool:
    """Whether two grounds of one shape are alike cell by cell, whatever the order of their palettes."""
    pairs = np.unique(a.astype(np.int64) * 65536 + b)
    return all(a_palette[int(pair) >> 16] == b_palette[int(pair) & 65535] for pair in pairs)
