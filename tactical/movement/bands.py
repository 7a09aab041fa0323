"""Bands: the parts of a reach that a player sees as one colour; and how a cell of one is arrived at."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction

from tactical.movement.graph.arrivals import Edge


@dataclass(frozen=True, slots=True)
class Band:
    """A gait of the present turn, or a later turn.

    `name` is the key (``move``, ``dash``, ``turn-2`` …), `title` what players read; cells of the band cost more than
    the band before and at most `budget`, and at least `minimum` where the gait has one (D6: a ring).  Where the budget
    is a share of a turn, `metres` is what a whole turn of the gait covers on good ground.  `order` names all gaits
    of a turn: what a band is painted in does not change while gaits are used up.
    """

    index: int
    name: str
    title: str
    budget: Fraction
    minimum: Fraction = Fraction(0)
    turn: int = 1
    gait: str = ""
    action: str = "free"
    metres: Fraction | None = None
    _order: tuple[str, ...] = field(default=(), repr=False, compare=False)

    @property
    def order(self) -> tuple[str, ...]:
        """The names of all gaits of a turn, open or not; empty for a band that was read from JSON."""
        return self._order


@dataclass(frozen=True, slots=True)
class Arrival:
    """The cheapest way to end on a cell: the pool and turn of the search, the node, and what that turn has used."""

    band: Band
    pool: int
    turn: int
    node: int
    spent: Fraction
    cost: Fraction
    trail: tuple[Edge, ...] = ()
    """The edges of a walk that turns back on its way (option ``ring: walk``); empty for a shortest way."""
