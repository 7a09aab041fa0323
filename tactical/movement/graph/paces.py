"""What one cell costs: the rule system's paces joined with the engine's own factors, as tables over kinds of ground.

A rule system is asked once per (posture, kind of ground, uphill); every cell is then a table look-up.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from tactical.errors import Refusal
from tactical.movement.graph.body import Form
from tactical.rules.profile import Factor, Pace, Source
from tactical.world.company import Passage
from tactical.world.site import FREE

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tactical.movement.graph.frame import Frame


STRAIGHT, FIRST, SECOND = 0, 1, 2
"""Kinds of length: a straight step, a diagonal (the first of an alternating pair), the second of a pair."""

SQUEEZED = Fraction(2)
UP, KEYS = 8, 16
"""Tables are indexed by kind of ground x KEYS + uphill x UP + occupant."""


MOST_PRICES = 10_000
"""Of so many costs in ticks it is kept what they are in the rule system's unit."""


class Worth:
    """What ticks are in the rule system's unit, reckoned once a price; shared by all drafts of one graph."""

    __slots__ = ("_known", "_lowest")

    def __init__(self) -> None:
        self._known: dict[int, Fraction] = {}
        self._lowest: NDArray[np.object_] = np.empty(0, dtype=object)

    def of(self, ticks: int, tick: Fraction) -> Fraction:
        """One cost, at so much a tick."""
        found = self._known.get(ticks)
        if found is None:
            found = ticks * tick
            if len(self._known) < MOST_PRICES:
                self._known[ticks] = found
        return found

    def of_all(self, ticks: NDArray[np.int64], tick: Fraction) -> list[Fraction]:
        """Many costs, in their order."""
        try:
            found: list[Fraction] = self._lowest.take(ticks).tolist()
        except IndexError:
            most = int(ticks.max())
            if most >= MOST_PRICES:
                return [self.of(each, tick) for each in ticks.tolist()]
            # put in place as a whole: another thread may be reading it, or making a longer one too
            self._lowest = np.array([self.of(each, tick) for each in range(most + most // 2 + 1)], dtype=object)
            return self.of_all(ticks, tick)
        return found


@dataclass
class Paces:
    """The paces of one frame, with tables in ticks + 1 (0: cannot)."""

    frame: Frame
    _paces: dict[tuple[str, int, bool], Pace | Refusal] = field(default_factory=dict)
    _costs: dict[tuple[str, int, bool, int, bool, int], Fraction | None] = field(default_factory=dict)

    def pace(self, posture: str, kind: int, uphill: bool) -> Pace | Refusal:
        """The rule system's word on one kind of ground."""
        key = (posture, kind, uphill)
        if key not in self._paces:
            profile = self.frame.profile
            self._paces[key] = profile.pace(self.frame.pool, posture, self.frame.site.kinds[kind], uphill)
        return self._paces[key]

    @property
    def asked(self) -> Mapping[tuple[str, int, bool], Pace | Refusal]:
        """All that the rule system was asked, by posture, kind of ground and uphill."""
        return self._paces

    def engine_factors(self, occupant: int, squeezed: bool, way: Passage | None = None) -> tuple[Factor, ...]:
        """Factors that the engine adds to the ground's: bodies passed (by code, or as a `way` past), squeezing."""
        sources = self.frame.profile.sources
        out = []
        if occupant != FREE:
            way = self.frame.site.passages[occupant - 1]
        if way is not None and way.factor != 1:
            out.append(Factor(way.word, way.factor, sources.get(way.word, Source())))
        if squeezed:
            out.append(Factor("squeeze", SQUEEZED, sources.get("squeeze", Source())))
        return tuple(out)

    def factor(self, pace: Pace, occupant: int, squeezed: bool, way: Passage | None = None) -> Fraction:
        """All factors of a step joined."""
        return pace.joined(self.frame.options["cost_stacking"], self.engine_factors(occupant, squeezed, way))

    def cost(self, pace: Pace, occupant: int, squeezed: bool, length: int, way: Passage | None = None) -> Fraction:
        """Exact cost of entering one cell of this ground by a step of the given kind of length."""
        frame = self.frame
        per = frame.site.battlemap.cell * pace.base
        factor = self.factor(pace, occupant, squeezed, way)
        if length == STRAIGHT:
            return per * factor
        if not frame.alternate:
            return per * factor * frame.diagonal_length
        cells = Fraction(2 if length == SECOND else 1)
        rule = frame.options["difficult_diagonal"]
        if rule == "add_cell" and factor > 1:
            return per * (cells + factor - 1)
        if rule == "as_two" and factor.denominator == 1:
            first = 2 if length == SECOND else 1
            return per * sum(first if n % 2 == 0 else 3 - first for n in range(int(factor)))
        return per * factor * cells

    def cost_on(
        self, posture: str, kind: int, uphill: bool, occupant: int, squeezed: bool, length: int
    ) -> Fraction | None:
        """As `cost`, for a kind of ground by its number; None where it cannot be entered."""
        key = (posture, kind, uphill, occupant, squeezed, length)
        if key not in self._costs:
            pace = self.pace(posture, kind, uphill)
            self._costs[key] = self.cost(pace, occupant, squeezed, length) if isinstance(pace, Pace) else None
        return self._costs[key]

    def keeps_parity(self, pace: Pace, occupant: int, squeezed: bool) -> bool:
        """Whether a diagonal leaves the alternating count as it was (as_two with an even factor)."""
        factor = self.factor(pace, occupant, squeezed)
        return self.frame.options["difficult_diagonal"] == "as_two" and factor.denominator == 1 and factor % 2 == 0

    @cached_property
    def lengths(self) -> tuple[int, ...]:
        """The kinds of length in play."""
        if not any(direction.diagonal for direction in self.frame.site.directions):
            return (STRAIGHT,)
        return (STRAIGHT, FIRST, SECOND) if self.frame.alternate else (STRAIGHT, FIRST)

    @cached_property
    def occupants(self) -> tuple[int, ...]:
        """The codes of occupants in play."""
        if not self.frame.site.bodies:
            return (FREE,)
        return tuple(range(len(self.frame.site.passages) + 1))

    def grounds(self, posture: str) -> Iterator[tuple[int, bool, int]]:
        """Every (kind, uphill, occupant) in play for a posture: rock too where it is a medium of its own."""
        within = posture in self.frame.profile.media
        uphills = (False, True) if self.frame.profile.uphill_matters else (False,)
        for kind in self.frame.site.used:
            if within or not self.frame.site.kinds[kind].impassable:
                for uphill in uphills:
                    for occupant in self.occupants:
                        yield kind, uphill, occupant

    def costs(self) -> Iterator[Fraction]:
        """Every exact cost in play; halves too, where the middle of an even number of cells is asked for."""
        halved = self.frame.options["body_cost"] == "median_all"
        for form in self.frame.forms:
            for _, posture in self.frame.stances(form):
                for kind, uphill, occupant in self.grounds(posture):
                    for length in self.lengths:
                        cost = self.cost_on(posture, kind, uphill, occupant, form.squeezed, length)
                        if cost is not None:
                            yield cost / 2 if halved and len(form.cells) % 2 == 0 else cost

    def table(self, posture: str, form: Form, length: int) -> NDArray[np.int64]:
        """Ticks + 1 by kind, uphill and occupant; 0 where the ground cannot be entered."""
        out = np.zeros(len(self.frame.site.kinds) * KEYS, dtype=np.int64)
        for kind, uphill, occupant in self.grounds(posture):
            cost = self.cost_on(posture, kind, uphill, occupant, form.squeezed, length)
            if cost is not None:
                out[kind * KEYS + uphill * UP + occupant] = self.frame.ticks(cost) + 1
        return out

    def mask(self, posture: str, form: Form, wanted: str) -> NDArray[np.bool_]:
        """By the same index: where a step is `off_foot` (ends a run-up) or `keeps` the parity of diagonals."""
        out = np.zeros(len(self.frame.site.kinds) * KEYS, dtype=bool)
        for kind, uphill, occupant in self.grounds(posture):
            pace = self.pace(posture, kind, uphill)
            if isinstance(pace, Pace):
                hit = not pace.on_foot if wanted == "off_foot" else self.keeps_parity(pace, occupant, form.squeezed)
                out[kind * KEYS + uphill * UP + occupant] = hit
        return out

    def cheapest(self) -> Fraction:
        """The least that any one step in any posture costs: what bounds the window of a search."""
        return min(self.costs(), default=Fraction(0))
