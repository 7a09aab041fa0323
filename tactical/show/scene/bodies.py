"""Large bodies: which place is meant by a cell that is pointed at.

A body's place is its anchor, on squares the top left cell.  A cell means that place where the body can end there;
else it means the cheapest place from which the body covers the cell.  The picture of a reach follows the same rule: a
cell is lit in the colour of the place it means, so for bodies of every size a lit cell is one whose click is accepted.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from fractions import Fraction
from typing import Any, Protocol

from tactical.movement.route import State
from tactical.movement.turns.bands import Band
from tactical.units import Cell
from tactical.world.battlemap import Battlemap
from tactical.world.mover import Mover


class ReachLike(Protocol):
    """What a picture needs of a `tactical.movement.reach.Reach`."""

    @property
    def bands(self) -> tuple[Band, ...]: ...
    @property
    def mover(self) -> Mover: ...
    @property
    def battlemap(self) -> Battlemap: ...
    @property
    def start(self) -> State: ...
    def cells(self, band: Any = None) -> Collection[Cell]: ...
    def passing(self) -> Collection[Cell]: ...
    def cost(self, cell: Cell) -> Fraction | None: ...
    def turn(self, cell: Cell) -> int | None: ...
    def band(self, cell: Cell) -> Band | None: ...
    def threatened(self) -> Mapping[Cell, tuple[str, ...]]: ...


def aim(reach: ReachLike, cell: Cell) -> Cell:
    """The place meant by a cell; the cell itself where the body is small or cannot come near."""
    size = reach.mover.size
    if size == 1 or reach.cost(cell) is not None:
        return cell
    found = [
        (reach.turn(place), reach.cost(place), -place.row, -place.col)
        for place in places_over(reach.battlemap, cell, size)
        if reach.cost(place) is not None and place != reach.start.cell
    ]
    if not found:
        return cell
    _, _, row, col = min(found)
    return Cell(-col, -row, cell.level)


def places_over(battlemap: Battlemap, cell: Cell, size: int) -> Iterable[Cell]:
    """The places from which a body covers a cell."""
    grid = battlemap.grid
    i, j = grid.store(cell.col, cell.row)
    for di, dj in grid.body(size):
        yield Cell(*grid.unstore(i - di, j - dj), cell.level)


def covered(reach: ReachLike, cells: Iterable[Cell]) -> Mapping[Cell, Cell]:
    """Every cell that the body covers when it ends on one of `cells`, with the place it means."""
    size = reach.mover.size
    if size == 1:
        return {cell: cell for cell in cells}
    # what `aim` says of each part, place by place: the cheapest first, but a part that is a place itself means itself
    places = sorted(cells, key=lambda place: (reach.turn(place), reach.cost(place), -place.row, -place.col))
    meant = {place: place for place in places}
    for place in places:
        for part in reach.battlemap.body(place, size):
            meant.setdefault(part, place)
    here = reach.start.cell
    if here in meant:
        meant[here] = here
    return meant
