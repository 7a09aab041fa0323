"""A reach as a plain value: what remains of it when it goes over a wire, without the search behind it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING

from tactical import values
from tactical.errors import Refusal
from tactical.movement.planning.planner import met
from tactical.movement.route import State
from tactical.movement.turns.bands import Band
from tactical.rules.checks import Check
from tactical.rules.profile import Source
from tactical.units import Cell
from tactical.values import Place

if TYPE_CHECKING:
    from tactical.movement.reach import Reach


@dataclass(frozen=True, slots=True)
class ReachedCell:
    """A cell that can be ended on: band, turn, price in all, what the band has left, posture on arrival.

    `provokes` are the enemies that may strike on the cheapest way, `checks` the rolls that it needs.
    """

    cell: Cell
    band: str
    cost: Fraction
    remaining: Fraction
    turn: int = 1
    posture: str = "standing"
    provokes: tuple[str, ...] = ()
    checks: tuple[Check, ...] = ()


@dataclass(frozen=True, slots=True)
class ReachedGait:
    """A gait of this turn, also one that is `refused` now: what it buys, what it must use, what it takes."""

    name: str
    title: str
    budget: Fraction
    minimum: Fraction = Fraction(0)
    metres: Fraction | None = None
    action: str = "free"
    source: Source = Source()
    refused: Refusal | None = None


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
    gaits: tuple[ReachedGait, ...] = ()
    notes: tuple[str, ...] = ()

    @classmethod
    def of(cls, reach: Reach) -> Reached:
        """The plain value of a reach."""

        cells = []
        for cell, found in reach.in_order():
            enemies, checks = met(reach, cell)
            left, posture = found.band.budget - found.spent, reach.posture(cell) or reach.start.posture
            cells.append(ReachedCell(cell, found.band.name, found.cost, left, found.turn, posture, enemies, checks))
        refused = reach.refused
        gaits = tuple(
            ReachedGait(
                title=gait.title or gait.name,
                refused=refused.get(gait.name),
                **{name: getattr(gait, name) for name in ("name", "budget", "minimum", "metres", "action", "source")},
            )
            for gait in reach.profile.gaits
        )
        options = reach.options.wire()
        notes = () if reach.carried is None else reach.carried.notes
        told = (reach.mover.id, reach.ruleset, reach.unit, reach.start, reach.bands)
        return cls(*told, tuple(cells), options, gaits, notes)

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
