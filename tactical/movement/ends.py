"""Ends: the cells that a move can end on, as a mapping over arrays.

A search settles states; a cell is the cheapest of its states that a move may end in.  That is worked out in bulk, and
what a price means once a price.  An `Arrival` is made for a cell when somebody asks for it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np

from tactical.movement.bands import Arrival, Band
from tactical.units import Cell
from tactical.values import Fixed

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tactical.movement.graph.lattice import Lattice
    from tactical.movement.reach import Reach
    from tactical.movement.turns import Turns

    Ints = NDArray[np.int64]

Limit = tuple[Band, Fraction, Fraction]
"""A band with the least and the most that may be spent to end in it."""


def cheapest_rows(lattice: Lattice, node: Ints, cost: Ints, arrive: str = "") -> Ints:
    """Of some settled nodes, per place the row of the cheapest one that a move may end in, in the order of the places.

    Of several states at the same cost the one of the first layer counts.
    """
    rows = np.flatnonzero(lattice.stops[node])
    layer, place = np.divmod(node[rows], lattice.draft.room)
    if arrive:
        layers = lattice.draft.layers
        right = np.array([lattice.profile.postures[one.posture] == arrive for one in layers])[layer]
        rows, layer, place = rows[right], layer[right], place[right]
    if not len(rows):
        return rows
    dearest, layers_ = int(cost[rows].max()) + 1, len(lattice.draft.layers)
    if lattice.draft.room * dearest * layers_ < 2**62:
        order = np.argsort((place * dearest + cost[rows]) * layers_ + layer)
    else:
        order = np.lexsort((layer, cost[rows], place))
    rows, place = rows[order], place[order]
    first = np.ones(len(rows), dtype=bool)
    np.not_equal(place[1:], place[:-1], out=first[1:])
    return rows[first]


@dataclass(frozen=True, eq=False)
class Part:
    """What one turn of one search adds: a row for each cell, in the order of the places.

    `code` numbers the cells of the map, whatever the window; `band` is an index into `bands`, `spent` the ticks that
    the turn has used on arrival, `paid` those of all turns.
    """

    lattice: Lattice
    pool: int
    turn: int
    bands: tuple[Band, ...]
    before: Fraction
    code: Ints
    node: Ints
    band: Ints
    spent: Ints
    paid: Ints

    def chosen(self, rows: Any) -> Part:
        """Some of its rows."""
        more = (self.code[rows], self.node[rows], self.band[rows], self.spent[rows], self.paid[rows])
        return Part(self.lattice, self.pool, self.turn, self.bands, self.before, *more)

    def cells(self) -> Iterable[Cell]:
        """The cells, row by row."""
        return self.lattice.site.cells_at(self.node % self.lattice.draft.room)

    def costs(self) -> list[Fraction]:
        """What each cell costs in all: reckoned once a price."""
        paid = self.paid.tolist()
        cost, before = self.lattice.cost, self.before
        worth = {ticks: cost(ticks) - before if before else cost(ticks) for ticks in set(paid)}
        return [worth[ticks] for ticks in paid]

    def arrival(self, row: int) -> Arrival:
        """One row in words."""
        spent, paid = self.lattice.cost(int(self.spent[row])), self.lattice.cost(int(self.paid[row]))
        return Arrival(
            self.bands[int(self.band[row])], self.pool, self.turn, int(self.node[row]), spent, paid - self.before
        )


def part_of(
    search: Turns, pool: int, number: int, limits: Iterable[Limit], arrive: str, cell: Cell | None = None
) -> Part:
    """Where turn `number` of a search can end, each in the first band that holds its cost; or one `cell` of it."""
    lattice, settled = search.lattice, search.turns[number - 1].settled
    node, cost = settled.node.astype(np.int64), settled.cost
    if cell is None:
        rows = cheapest_rows(lattice, node, cost, arrive)
    else:
        place = lattice.site.place(cell)
        there = np.flatnonzero(node % lattice.draft.room == (-1 if place is None else lattice.draft.node(0, place)))
        rows = there[cheapest_rows(lattice, node[there], cost[there], arrive)]
    limits = list(limits)
    ticks = cost[rows]
    band = np.full(len(rows), -1, dtype=np.int64)
    for n, (_, least, most) in reversed(list(enumerate(limits))):
        band[(ticks >= -(-least // lattice.tick)) & (ticks <= most // lattice.tick)] = n
    rows, band = rows[band >= 0], band[band >= 0]
    paid = cost[rows] if number == 1 else search.paid(number)[rows]
    code = lattice.site.numbers(node[rows] % lattice.draft.room)
    bands = tuple(limit[0] for limit in limits)
    return Part(lattice, pool, number, bands, search.spent, code, node[rows], band, cost[rows], paid)


class Ends(Mapping[Cell, Arrival]):
    """Cell to the cheapest way of ending there: of several parts, given in order, the first that has the cell."""

    def __init__(self, parts: Iterable[Part]) -> None:
        seen: Ints | None = None
        self.parts: list[Part] = []
        for part in parts:
            fresh = part if seen is None else part.chosen(~np.isin(part.code, seen))
            if len(fresh.code):
                self.parts.append(fresh)
                seen = fresh.code if seen is None else np.concatenate([seen, fresh.code])
        self._orders: dict[int, Ints] = {}

    @cached_property
    def cells(self) -> tuple[Cell, ...]:
        """The cells, part by part."""
        return tuple(chain.from_iterable(part.cells() for part in self.parts))

    @cached_property
    def costs(self) -> Mapping[Cell, Fraction]:
        """Cell to what it costs in all."""
        costs = chain.from_iterable(part.costs() for part in self.parts)
        return Fixed(zip(self.cells, costs, strict=True))

    def of_band(self, name: str) -> Iterator[Cell]:
        """The cells of one band."""
        for part in self.parts:
            for n, band in enumerate(part.bands):
                if band.name == name:
                    yield from part.lattice.site.numbered(part.code[part.band == n])

    def __getitem__(self, cell: Cell) -> Arrival:
        for n, part in enumerate(self.parts):
            number = part.lattice.site.number(cell)
            if number is None:
                continue
            order = self._orders.get(n)
            if order is None:
                order = self._orders[n] = np.argsort(part.code)
            at = int(np.searchsorted(part.code, number, sorter=order))
            if at < len(order) and part.code[order[at]] == number:
                return part.arrival(int(order[at]))
        raise KeyError(cell)

    def __iter__(self) -> Iterator[Cell]:
        return iter(self.cells)

    def __len__(self) -> int:
        return sum(len(part.code) for part in self.parts)


def each_arrival(found: Reach) -> Iterator[tuple[Cell, Arrival]]:
    """Cells that can be ended on with their arrivals, in reading order, the start left out."""
    for cell in sorted(found.arrivals, key=lambda c: (c.level, c.row, c.col)):
        if cell != found.start.cell:
            yield cell, found.arrivals[cell]
