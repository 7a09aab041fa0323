"""What movers find out: barriers that are not what they seem, bodies in hiding, cells nobody had seen."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from tactical.play.events import Event, Explored, Revealed
from tactical.play.position import Position
from tactical.units import Cell
from tactical.world.edges.crossing import barriers_between
from tactical.world.grids import neighbours
from tactical.world.site import Site


def reveal(
    position: Position, mover_id: str, site: Site, start: Cell, cell: Cell, doors: Iterable[int] = ()
) -> tuple[Position, list[Event]]:
    """What a mover learns that cannot step from `start` to `cell`, or open some `doors`, although it thought so."""
    events: list[Event] = []
    battlemap, size = position.battlemap, position.mover(mover_id).size
    covered = set(site.footprint_cells(cell, size)) | set(site.footprint_cells(start, size))
    hidden = [
        other.id
        for other in battlemap.movers
        if other.hidden and other.at is not None and covered & set(site.footprint_cells(other.at, other.size))
    ]
    position, found = come_out(position, mover_id, hidden)
    events += found
    position, found = unmask(position, mover_id, (*_met(site, start, cell, size), *doors))
    events += found
    position, seen = explored(position, mover_id, [cell])
    events += [Revealed(mover_id, "ground", battlemap.name_of(place)) for place in seen]
    return position, events


def come_out(position: Position, mover_id: str, others: Iterable[str]) -> tuple[Position, tuple[Event, ...]]:
    """The position in which a mover knows of `others`, and what it learns: of who hid, or stood on unknown ground."""
    fresh = [other for other in others if not position.sees(mover_id, other)]
    if not fresh:
        return position, ()
    battlemap = position.battlemap
    movers = [replace(mover, hidden=False) if mover.id in fresh else mover for mover in battlemap.movers]
    position = position.changed(battlemap=battlemap.with_(movers=movers))
    dark = [position.mover(other) for other in fresh if not position.sees(mover_id, other)]
    cells = [cell for other in dark if other.at is not None for cell in battlemap.body(other.at, other.size)]
    position, seen = explored(position, mover_id, cells)
    events: list[Event] = [Revealed(mover_id, "mover", other) for other in fresh]
    return position, (*events, *([Explored(mover_id, seen)] if seen else []))


def unmask(position: Position, mover_id: str, numbers: Iterable[int]) -> tuple[Position, tuple[Event, ...]]:
    """The position in which some barriers, by their index, are seen as what they are."""
    battlemap, false = position.battlemap, [n for n in numbers if position.battlemap.barriers[n].truth]
    if not false:
        return position, ()
    barriers = tuple(one.really() if n in false else one for n, one in enumerate(battlemap.barriers))
    position = position.changed(battlemap=replace(battlemap, barriers=barriers))
    return position, tuple(Revealed(mover_id, "barrier", battlemap.barriers[n].id or f"barrier {n}") for n in false)


def _met(site: Site, start: Cell, cell: Cell, size: int) -> list[int]:
    """The barriers between two neighbouring places, those round the corner of a diagonal included."""
    steps = {there: direction for direction, there in neighbours(site.battlemap.grid, start)}
    direction = steps.get(cell)
    if direction is None:
        return []
    every = site.battlemap.grid.directions
    k = every.index(direction)
    found: set[int] = set()
    for at in site.footprint_cells(start, size):
        ways = [(at, k)]
        if direction.legs is not None:
            for first, second in (direction.legs, direction.legs[::-1]):
                around = [place for _, place in neighbours(site.battlemap.grid, at)]
                ways += [(at, first), (around[first], second)]
        for place, way in ways:
            if place in site.battlemap:
                found.update(barriers_between(site, place, way))
    return sorted(found)


def explored(position: Position, mover_id: str, cells: Iterable[Cell]) -> tuple[Position, tuple[Cell, ...]]:
    """The position in which a mover (or its side) knows some cells, and those of them that it did not know before."""
    battlemap = position.battlemap
    fog = position.explored(mover_id)
    if fog is None and not any(ground.unknown for ground in battlemap.palette):
        return position, ()
    wanted = sorted({cell for cell in cells if cell in battlemap})
    dark = [cell for cell in wanted if battlemap.terrain(cell).unknown]
    fresh = [cell for cell in wanted if fog is not None and cell not in fog]
    if dark:
        position = position.changed(battlemap=battlemap.with_(terrain={cell: {"unknown": False} for cell in dark}))
    if fresh:
        whose = mover_id if mover_id in position.known else position.mover(mover_id).side
        known = position.known.get(whose, frozenset()) | frozenset(fresh)
        position = position.changed(known={**position.known, whose: known})
    return position, tuple(sorted({*dark, *fresh}))
