"""Maps from plain values: rows of glyphs, and wall segments in pixels; and what is wrong with what was given."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from tactical import values
from tactical.errors import Fault, UnknownName
from tactical.units import Cell, cell_name
from tactical.values import Place
from tactical.world.edges.barriers import Barrier, Kind, snapped
from tactical.world.grids import Point
from tactical.world.parts import Level
from tactical.world.terrain import LEVEL_BANDS, PLAIN, Terrain

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


def faults_of(battlemap: Battlemap) -> Iterator[Fault]:
    """Levels, terrain, barriers, links and movers, in this order."""
    shape = battlemap.levels[0].ground.shape
    names = [level.name for level in battlemap.levels]
    for n, level in enumerate(battlemap.levels):
        if level.ground.shape != shape:
            yield Fault(f"level {level.name!r} is {level.ground.shape[::-1]} cells, the first is {shape[::-1]}")
        if names.index(level.name) != n:
            yield Fault(f"two levels are called {level.name!r}", path=f"levels[{n}].name")
    for terrain in battlemap.palette:
        if terrain.number is not None:
            low, high = LEVEL_BANDS.get(terrain.difficulty, (None, None))
            if low is None:
                yield Fault(f"terrain {terrain.name!r} has number {terrain.number} but no level")
            elif terrain.number < low or (high is not None and terrain.number > high):
                band = f"{low} to {high}" if high else f"{low} and more"
                yield Fault(f"terrain {terrain.name!r}: {terrain.number} is not a {terrain.difficulty} number ({band})")
    yield from _barrier_faults(battlemap)
    for n, link in enumerate(battlemap.links):
        for end, cell in (("from", link.start), ("to", link.end)):
            if cell not in battlemap:
                yield Fault(f"{cell_name(cell)} is not on the map", path=f"links[{n}].{end}")
    yield from _mover_faults(battlemap)


def _barrier_faults(battlemap: Battlemap) -> Iterator[Fault]:
    seen: set[str] = set()
    for n, barrier in enumerate(battlemap.barriers):
        path = f"barriers[{n}]"
        if snapped(barrier.line) is None:
            yield Fault("the barrier has no length", path=path)
        if barrier.level >= len(battlemap.levels):
            yield Fault(f"there is no level {barrier.level}", path=path)
        if barrier.id and barrier.id in seen:
            yield Fault(f"two barriers are called {barrier.id!r}", path=f"{path}.id")
        seen.add(barrier.id)


def _mover_faults(battlemap: Battlemap) -> Iterator[Fault]:
    seen: set[str] = set()
    for n, mover in enumerate(battlemap.movers):
        path = f"movers[{n}]"
        if mover.id in seen:
            yield Fault(f"two movers are called {mover.id!r}", path=f"{path}.id")
        seen.add(mover.id)
        if mover.at is None:
            continue
        body = battlemap.body(mover.at, mover.size)
        outside = [cell for cell in body if cell not in battlemap]
        inside = [cell for cell in body if cell in battlemap]
        blocked = [cell for cell in inside if battlemap.terrain(cell).impassable]
        at = battlemap.name_of(mover.at)
        if mover.at in outside:
            last = cell_name(Cell(battlemap.cols - 1, battlemap.rows - 1))
            yield Fault(f"{mover.id!r} is off the map at {at} (cells run from A1 to {last})", path=f"{path}.at")
        elif outside:
            verb = "is" if len(outside) == 1 else "are"
            words = f"{mover.id!r} at {at} covers {_names(battlemap, outside)}, which {verb} off the map"
            yield Fault(words, path=f"{path}.at")
        elif blocked:
            ground = battlemap.terrain(blocked[0]).name or "impassable ground"
            where = "" if blocked[0] == mover.at else f" at {battlemap.name_of(blocked[0])}"
            yield Fault(f"{mover.id!r} stands in {ground}{where}", path=f"{path}.at")


def _names(battlemap: Battlemap, cells: list[Cell]) -> str:
    shown = ", ".join(battlemap.name_of(cell) for cell in cells[:3])
    return f"{shown} and {len(cells) - 3} more" if len(cells) > 3 else shown
