"""A reach as a plain value: what remains of it when it goes over a wire, without the search behind it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING

from tactical import values
from tactical.movement.bands import Band
from tactical.movement.route import State
from tactical.units import Cell
from tactical.values import Place

if TYPE_CHECKING:
    from tactical.movement.reach import Reach


@dataclass(frozen=True, slots=True)
class ReachedCell:
    """A cell that can be ended on: band, turn, price in all, what the band has left, posture on arrival."""

    cell: Cell
    band: str
    cost: Fraction
    remaining: Fraction
    turn: int = 1
    posture: str = "standing"


@dataclass(frozen=True, slots=True)
class Reached:
    """Where a mover can get to, cell by cell in reading order.  It answers like a `Reach`, but finds no ways."""

    mover: str
    rules: str
    unit: str
    start: State
    bands: tuple[Band, ...]
    reached: tuple[ReachedCell, ...] = ()
    options: Mapping[str, object] = field(default_factory=dict)

    @classmethod
    def of(cls, reach: Reach) -> Reached:
        """The plain value of a reach."""
        from tactical.movement.reach import each_arrival

        cells = tuple(
            ReachedCell(
                cell,
                found.band.name,
                found.cost,
                found.band.budget - found.spent,
                found.turn,
                reach.posture(cell) or reach.start.posture,
            )
            for cell, found in each_arrival(reach)
        )
        options = reach.options.wire()
        return cls(reach.mover.id, reach.ruleset, reach.unit, reach.start, reach.bands, cells, options)

    def _at(self, place: Place) -> ReachedCell | None:
        cell = values.cell(place)
        return next((found for found in self.reached if found.cell == cell), None)

    def band(self, cell: Place) -> Band | None:
        """The band of a cell, or None out of reach."""
        found = self._at(cell)
        return None if found is None else next(band for band in self.bands if band.name == found.band)

    def cost(self, cell: Place) -> Fraction | None:
        """The price of the cheapest way, or None out of reach."""
        found = self._at(cell)
        return None if found is None else found.cost

    def cells(self, band: Band | str | None = None) -> frozenset[Cell]:
        """The cells that can be ended on, of one band or of all."""
        name = band.name if isinstance(band, Band) else band
        return frozenset(found.cell for found in self.reached if name in (None, found.band))
