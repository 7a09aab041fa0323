"""What is wrong with a map: everything, not the first thing."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from tactical.errors import Fault
from tactical.units import Cell, cell_name
from tactical.world.barriers import snapped
from tactical.world.terrain import LEVEL_BANDS

if TYPE_CHECKING:
    from tactical.world.battlemap import Battlemap


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
