"""What is wrong with a map: everything, not the first thing."""

from __future__ import annotations

from collections.abc import Iterator

from tactical.errors import Fault
from tactical.units import Cell, cell_name
from tactical.world.barriers import snapped
from tactical.world.battlemap import Battlemap
from tactical.world.terrain import LEVEL_BANDS


def faults_of(battlemap: Battlemap) -> Iterator[Fault]:
    """Levels, terrain, barriers, links and movers, in this order."""
    shape = battlemap.levels[0].ground.shape
    names = [level.name for level in battlemap.levels]
    for n, level in enumerate(battlemap.levels):
        if level.ground.shape != shape:
            yield Fault(f"level {level.name!r} is {level.ground.shape[::-1]} cells, the first is {shape[::-1]}")
        if names.index(level.name) != n:
            yield Fault(f"two levels are called {level.name!r}", path=f"levels[{n}].name")
    if battlemap.cell <= 0:
        yield Fault(f"a cell must have a positive size, not {battlemap.cell}", path="grid.cell")
    for terrain in battlemap.palette:
        if terrain.number is not None:
            low, high = LEVEL_BANDS.get(terrain.level, (None, None))
            if low is None:
                yield Fault(f"terrain {terrain.name!r} has number {terrain.number} but no level")
            elif terrain.number < low or (high is not None and terrain.number > high):
                band = f"{low} to {high}" if high else f"{low} and more"
                yield Fault(f"terrain {terrain.name!r}: {terrain.number} is not a {terrain.level} number ({band})")
    yield from _barrier_faults(battlemap)
    for n, link in enumerate(battlemap.links):
        for end, cell in (("from", link.start), ("to", link.end)):
            if cell not in battlemap:
                yield Fault(f"{cell_name(cell)} is not on the map", path=f"links[{n}].{end}")
        if link.cost < 0:
            yield Fault("a link's cost cannot be negative", path=f"links[{n}].cost")
    yield from _mover_faults(battlemap)


def _barrier_faults(battlemap: Battlemap) -> Iterator[Fault]:
    seen: set[str] = set()
    for n, barrier in enumerate(battlemap.barriers):
        path = f"barriers[{n}]"
        if snapped(barrier.line) is None:
            yield Fault("the barrier has no length", path=path)
        if not 0 <= barrier.level < len(battlemap.levels):
            yield Fault(f"there is no level {barrier.level}", path=path)
        if barrier.cost is not None and barrier.cost < 0:
            yield Fault("a barrier's cost cannot be negative", path=f"{path}.cost")
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
        if outside:
            last = cell_name(Cell(battlemap.cols - 1, battlemap.rows - 1))
            yield Fault(
                f"{mover.id!r} is off the map at {cell_name(mover.at)} (cells run from A1 to {last})", path=f"{path}.at"
            )
        elif any(battlemap.terrain(cell).impassable for cell in body):
            yield Fault(
                f"{mover.id!r} stands in {battlemap.terrain(mover.at).name or 'impassable ground'}", path=f"{path}.at"
            )
