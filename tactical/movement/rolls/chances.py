"""The chance of every cell of a reach: of ending there this turn, under the gait and by the way that make it likeliest.

Where whole moves are rolled for, what counts is the hardest ground of a way for each skill, so for every combination of
rolls that the map's grounds may ask for the cheapest ways are sought that need no harder ones.  Where steps are rolled
for, cost and chance are weighed against each other, and no way is dropped that may still be the best; a roll that holds
for a stretch or for the round counts once.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import partial

import numpy as np

from tactical.movement.found import Found
from tactical.movement.graph.lattice import Lattice
from tactical.movement.query import Query
from tactical.movement.rolls.odds import SURE
from tactical.movement.rolls.onway import Labels, Likeliest, Span, Weighed, labels, safe, weighed
from tactical.movement.rolls.rolled import Best, Ways, asked_of, found_by, likely_of
from tactical.movement.rolls.rolling import risky
from tactical.movement.steps.shortest import traced
from tactical.rules.profile import Gait
from tactical.search.slices import Slices, whole
from tactical.units import Cell


@dataclass(frozen=True, slots=True)
class Chance:
    """The best chance of ending on a cell, the gait to try it at, and what that way costs."""

    chance: Fraction
    gait: str
    cost: Fraction = Fraction(0)


def chances(found: Found) -> dict[Cell, Chance]:
    """Every cell that this turn can end on, with its best chance; cells whose odds are not known are left out."""
    return whole(_weighing(found))


def worked_out(found: Found) -> bool:
    """Whether the chances of a reach are worked out already, so that asking for them takes no time."""
    return "chances" in vars(found)


def weighing(found: Found) -> Slices[None]:
    """Work the chances of a reach out a way at a time, for those who must not wait; known when the iterator ends."""
    vars(found)["chances"] = yield from _weighing(found)


def _weighing(found: Found) -> Slices[dict[Cell, Chance]]:
    best: dict[Cell, Chance] = {}
    pools: dict[str, _Pool] = {}
    # a way about, long enough for a gait that must go some distance, leads to nowhere that reach does not
    within = found.first_turn.keys() - {found.start.cell}
    for gait in found.gaits:
        if gait.pool not in pools:
            pools[gait.pool] = _Pool(found, gait.pool)
            yield
        pool = pools[gait.pool]
        ends = yield from pool.ends(gait, best)
        for place, part, ticks in ends:
            cell = pool.cell(place)
            if cell not in within:
                continue
            known = best.get(cell)
            if known is None or part > known.chance:
                best[cell] = Chance(part, gait.name, pool.lattice.cost(ticks) - found.query.turn.spent)
        yield
    return best


class _Pool:
    """What the gaits of a pool have in common: the graph as far as the dearest goes, and what was searched on it."""

    def __init__(self, found: Found, pool: str) -> None:
        self.found, self.query = found, found.query
        gaits = [gait for gait in found.gaits if gait.pool == pool]
        self.lattice = lattice_of(found, max(gaits, key=lambda gait: gait.budget))
        self.start = self.lattice.node(found.start)
        self.spans = {gait.name: self._span(gait) for gait in gaits}
        self.most = max(span.most for span in self.spans.values())
        self.risky = risky(self.lattice)
        self._ways: Ways | None = None
        self._labels: Labels | None = None
        self._cells: dict[int, Cell] = {}

    def _span(self, gait: Gait) -> Span:
        least, most = self.lattice.least(gait.minimum), self.lattice.whole(gait.budget - self.found.reserve)
        return Span(least, most, gait.rolled is None)

    def cell(self, place: int) -> Cell:
        """The cell of a place, a State's tuple made once."""
        cell = self._cells.get(place)
        if cell is None:
            cell = self._cells[place] = self.lattice.cell(place)
        return cell

    def ends(self, gait: Gait, best: dict[Cell, Chance]) -> Slices[Iterable[tuple[int, Fraction, int]]]:
        """In slices: place, chance and ticks of the best end of a gait on each place, but where one is certain."""
        lattice, span = self.lattice, self.spans[gait.name]
        if self.start is None or span.most < 0:
            return ()
        if self.query.ruleset.odds is not None or not self.risky:
            self._ways = self._ways or Ways(self.query, lattice, self.start, self.most)
            done = np.zeros(lattice.draft.room, dtype=bool)
            certain = (lattice.site.place(cell) for cell, one in best.items() if one.chance == SURE)
            done[[lattice.draft.node(0, place) for place in certain if place is not None]] = True
            found = Best(self._ways, gait, span.least, span.most, done)
            for ends in found_by(self._ways, gait, span.most):
                found.add(ends)
                yield
            return found.best()
        likely, asked = likely_of(self.query, lattice, gait), asked_of(lattice, gait)
        if any(asked):
            kept = Likeliest()
            for way in weighed(self.query, lattice, gait.budget - self.found.reserve, likely, asked):
                ticks = lattice.least(way.cost)
                if ticks >= span.least and lattice.stops[way.node]:
                    kept.offer(way.node % lattice.draft.room, way.there.numerator, way.there.denominator, ticks)
                yield
            return kept.best()
        if self._labels is None:
            self._labels = yield from labels(self.query, lattice, self.start, list(self.spans.values()))
        return self._labels.best(likely, span)


def lattice_of(found: Found, gait: Gait) -> Lattice:
    """The state graph of a gait, as far as it goes this turn."""
    return found.query.lattice(gait.pool, gait.budget - found.query.turn.spent, limited=found.limited)


def ways(found: Found, gait: Gait, lattice: Lattice, goal: Cell | None = None) -> Iterator[Weighed]:
    """The ways of a gait that end where one may and that no other beats in cost and chance; some may be beaten.

    With a `goal` those that end there, and of them only such as go well more likely than all cheaper ones.
    """
    query, start = found.query, lattice.node(found.start)
    if start is None:
        return
    most = gait.budget - found.reserve
    if query.ruleset.odds is not None or not risky(lattice):
        found_ways = _rolled(query, lattice, start, gait, most, goal)
    else:
        likely, asked = likely_of(query, lattice, gait), asked_of(lattice, gait)
        sure = None if goal is None else safe(query, lattice, most, likely, asked, goal, gait.minimum)
        found_ways = weighed(query, lattice, most, likely, asked, goal, gait.minimum) if sure is None else iter([sure])
    for way in found_ways:
        if way.cost >= gait.minimum and lattice.stops[way.node]:
            yield way


def _rolled(
    query: Query, lattice: Lattice, start: int, gait: Gait, most: Fraction, goal: Cell | None
) -> Iterator[Weighed]:
    likely, room = likely_of(query, lattice, gait), lattice.draft.room
    place = None if goal is None else lattice.site.place(goal)
    there = None if place is None else lattice.draft.node(0, place)
    if goal is not None and there is None:
        return
    every = Ways(query, lattice, start, lattice.whole(most))
    for ends in found_by(every, gait, every.most):
        rows = np.arange(len(ends.node)) if goal is None else np.flatnonzero(ends.node % room == there)
        for row in rows.tolist():
            node, cost = int(ends.node[row]), lattice.cost(int(ends.ticks[row]))
            parts = likely(cost - query.turn.spent, every.grounds[int(ends.way[row])])
            if parts is not None:
                yield Weighed(node, cost, *parts, partial(traced, lattice, ends.settled, node))
