"""What movers find out: barriers that are not what they seem, bodies in hiding, cells nobody had seen."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from tactical.play.events import Event, Revealed
from tactical.play.position import Position
from tactical.units import Cell
from tactical.world.crossing import barriers_between
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
        other
        for other in battlemap.movers
        if other.hidden and other.at is not None and covered & set(site.footprint_cells(other.at, other.size))
    ]
    if hidden:
        ids = {other.id for other in hidden}
        movers = [replace(mover, hidden=False) if mover.id in ids else mover for mover in battlemap.movers]
        position = position.changed(battlemap=battlemap.with_(movers=movers))
        events += [Revealed(mover_id, "mover", other.id) for other in hidden]
    false = [n for n in (*_met(site, start, cell, size), *doors) if battlemap.barriers[n].truth]
    if false:
        barriers = tuple(
            barrier.really() if n in false else barrier for n, barrier in enumerate(position.battlemap.barriers)
        )
        position = position.changed(battlemap=replace(position.battlemap, barriers=barriers))
        events += [Revealed(mover_id, "barrier", battlemap.barriers[n].id or f"barrier {n}") for n in false]
    position, seen = explored(position, mover_id, [cell])
    events += [Revealed(mover_id, "ground", battlemap.name_of(place)) for place in seen]
    return position, events


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
    wanted = sorted({cell for cell in cells if cell in battlemap})
    fog = position.explored(mover_id)
    dark = [cell for cell in wanted if battlemap.terrain(cell).unknown]
    fresh = [cell for cell in wanted if fog is not None and cell not in fog]
    if dark:
        position = position.changed(battlemap=battlemap.with_(terrain={cell: {"unknown": False} for cell in dark}))
    if fresh:
        whose = mover_id if mover_id in position.known else position.mover(mover_id).side
        known = position.known.get(whose, frozenset()) | frozenset(fresh)
        position = position.changed(known={**position.known, whose: known})
    return position, tuple(sorted({*dark, *fresh}))
