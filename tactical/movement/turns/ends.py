"""Ends: the cells that a move can end on, as a mapping over arrays.

A search settles states; a cell is the cheapest of its states that a move may end in.  That is worked out in bulk, and
what a price means once a price.  An `Arrival` is made for a cell when somebody asks for it.
"""

from __future__ import annotations

from collections.abc import ItemsView, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np

from tactical.movement.situation import too_fast
from tactical.movement.turns.bands import Arrival, Band
from tactical.movement.turns.wanted import Wanted
from tactical.units import Cell
from tactical.values import Fixed
from tactical.world.edges.baking import distinct

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from shapely import MultiPolygon

    from tactical.movement.graph.lattice import Lattice
    from tactical.movement.turns.memoryless import Turns
    from tactical.search.kernel import Settled
    from tactical.world.grids import Grid

    Ints = NDArray[np.int64]
    Bools = NDArray[np.bool_]

Ticks = tuple[tuple[Band, int, int], ...]
"""Bands with the least and the most ticks that may be spent to end in each."""
Limit = tuple[Band, Fraction, Fraction]
"""A band with the least and the most that may be spent to end in it."""


def cheapest_rows(lattice: Lattice, stops: Bools, node: Ints, cost: Ints, arrive: str = "") -> Ints:
    """Of some settled nodes, per place the row of the cheapest one that a move may end in, in the order of the places.

    `stops` says of every node of the graph whether a move may end in it.

    Of several states at the same cost the one of the first layer counts.
    """
    layers, there = lattice.draft.layers, stops[node]
    if len(layers) == 1 and not arrive:
        # every place is one node
        order = node.argsort()
        return np.asarray(order if there.all() else order[there[order]])
    rows = there.nonzero()[0]
    layer, place = np.divmod(node[rows].astype(np.int64), lattice.draft.room)
    if arrive:
        right = np.array([lattice.profile.postures[one.posture] == arrive for one in layers])[layer]
        rows, layer, place = rows[right], layer[right], place[right]
    if not len(rows):
        return rows
    dearest, layers_ = int(cost[rows].max()) + 1, len(layers)
    if lattice.draft.room * dearest * layers_ < 2**62:
        order = np.argsort((place * dearest + cost[rows]) * layers_ + layer)
    else:
        order = np.lexsort((layer, cost[rows], place))
    rows, place = rows[order], place[order]
    first = np.ones(len(rows), dtype=bool)
    np.not_equal(place[1:], place[:-1], out=first[1:])
    return rows[first]


@dataclass(eq=False)
class Part:
    """What one turn of one search adds: a row for each cell, in the order of the places.

    `limits` are the bands with the least and the most ticks that may be spent to end in each; `begun` are the ticks
    that were spent before the search, `spent` those that the turn has used on arrival, `paid` those of all turns.
    """

    lattice: Lattice
    pool: int
    turn: int
    limits: Ticks
    begun: int
    node: Ints
    spent: Ints
    paid: Ints

    @cached_property
    def band(self) -> Ints:
        """Per row the first of the bands that holds its cost, as an index; -1: none does."""
        band = np.full(len(self.spent), -1, dtype=np.int64)
        for n, (_, least, most) in reversed(list(enumerate(self.limits))):
            band[(self.spent >= least) & (self.spent <= most)] = n
        return band

    @cached_property
    def code(self) -> Ints:
        """The cells as numbers that mean the same on the whole map, whatever the window."""
        return self.lattice.site.numbers(self.node.astype(np.int64) % self.lattice.draft.room)

    def chosen(self, rows: Any) -> Part:
        """Some of its rows."""
        more = (self.node[rows], self.spent[rows], self.paid[rows])
        return Part(self.lattice, self.pool, self.turn, self.limits, self.begun, *more)

    def cells(self) -> Iterable[Cell]:
        """The cells, row by row."""
        node, draft = self.node, self.lattice.draft
        return self.lattice.site.cells_at(node if len(draft.layers) == 1 else node.astype(np.int64) % draft.room)

    def costs(self) -> Iterable[Fraction]:
        """What each cell costs in all: reckoned once a price."""
        return self.lattice.costs(self.paid - self.begun if self.begun else self.paid)

    def priced(self) -> Iterable[tuple[Cell, Fraction]]:
        """Its cells with what each costs in all."""
        return zip(self.cells(), self.costs(), strict=True)

    def arrival(self, row: int) -> Arrival:
        """One row in words."""
        spent, paid = self.lattice.cost(int(self.spent[row])), self.lattice.cost(int(self.paid[row]) - self.begun)
        return Arrival(self.limits[int(self.band[row])][0], self.pool, self.turn, int(self.node[row]), spent, paid)


def staying(wanted: Wanted) -> list[Part]:
    """The start as a place to end on at no cost, where no gait has it: all ask for a least distance, or none is open.

    Empty where a gait has it, or nobody may stay.
    """
    query, posture = wanted.query, wanted.start.posture
    if any(gait.minimum <= query.turn.spent for gait in wanted.gaits) or wanted.arrive not in ("", posture):
        return []
    lattice = query.lattice(wanted.gaits[0].pool if wanted.gaits else query.pool, Fraction(0))
    node = lattice.node(wanted.start)
    if node is None or too_fast(query) is not None:
        return []
    begun = lattice.draft.ticks(query.turn.spent)
    rows = [np.array([value], dtype=np.int64) for value in (node, begun, begun)]
    first = wanted.now[0] if wanted.now else Band(0, "", "", query.turn.spent)
    return [Part(lattice, 0, 1, ((first, 0, begun),), begun, *rows)]


def limits_now(wanted: Wanted, search: Turns) -> Iterable[Limit]:
    """The bands of this turn that a search can fill, with the least and the most that each may cost."""
    if wanted.reserve:
        return limits_of(wanted, search.lattice.pool, wanted.now, search.gait)
    # the same for all questions of these terms
    kept, names = wanted.query.terms.kept, (gait.name for gait in wanted.gaits)
    key = ("limits", search.lattice.pool, search.gait, *names)
    limits: list[Limit] | None = kept.get(key)
    if limits is None:
        limits = kept[key] = limits_of(wanted, search.lattice.pool, wanted.now, search.gait)
    return limits


def limits_of(wanted: Wanted, pool: str, bands: Iterable[Band], only: str = "") -> list[Limit]:
    """Those of some bands that are of a pool, and of the gait `only`, with the least and the most of each."""
    own = (band for band in bands if wanted.profile.gait(band.gait).pool == pool)
    return [(band, band.minimum, band.budget - wanted.reserve) for band in own if only in ("", band.gait)]


def part_of(
    search: Turns, pool: int, number: int, limits: Iterable[Limit], arrive: str, cell: Cell | None = None
) -> Part:
    """Where turn `number` of a search can end, each in the first band that holds its cost; or one `cell` of it."""
    lattice, settled = search.lattice, search.turns[number - 1].settled
    ticks = tuple((band, lattice.least(least), lattice.whole(most)) for band, least, most in limits)
    there: Any = slice(None) if cell is None else _rows_of(lattice, settled, cell)
    node, cost = settled.node[there], settled.cost[there]
    chosen = cheapest_rows(lattice, lattice.stops, node, cost, arrive)
    spent = cost[chosen]
    paid = spent if number == 1 else search.paid(number)[there][chosen]
    found = Part(lattice, pool, number, ticks, lattice.draft.ticks(search.spent), node[chosen], spent, paid)
    return _banded(found, cost)


def _rows_of(lattice: Lattice, settled: Settled, cell: Cell) -> Ints:
    """The rows of the states of one cell, in their order."""
    place = lattice.site.place(cell)
    if place is None:
        return np.zeros(0, dtype=np.int64)
    row_of, room, first = settled.row_of, lattice.draft.room, lattice.draft.node(0, place)
    rows = (row_of(n * room + first) for n in range(len(lattice.draft.layers)))
    return np.array(sorted(row for row in rows if row >= 0), dtype=np.int64)


def part_in(
    lattice: Lattice, stops: Bools, node: Ints, cost: Ints, arrive: str, pool: int, limits: Ticks, begun: int
) -> Part:
    """The same of the first turn of a search that settled these nodes, a move ending only in those that are `stops`."""
    rows = cheapest_rows(lattice, stops, node, cost, arrive)
    spent = cost[rows]
    return _banded(Part(lattice, pool, 1, limits, begun, node[rows], spent, spent), cost)


def _banded(found: Part, cost: Ints) -> Part:
    """The rows of a part that some band holds."""
    # what was searched is mostly what the bands reach to, and the dearest stands last
    most = max((most for _, _, most in found.limits), default=-1)
    if len(cost) and most >= int(cost[-1]) and not any(least for _, least, _ in found.limits):
        return found
    held = found.band >= 0
    return found if held.all() else found.chosen(held)


class Ends(Mapping[Cell, Arrival]):
    """Cell to the cheapest way of ending there: of several parts, given in order, the first that has the cell."""

    def __init__(self, parts: Iterable[Part]) -> None:
        self.parts = [part for part in parts if len(part.node)]
        if len(self.parts) > 1:
            ends = np.cumsum([0, *(len(part.node) for part in self.parts)])
            first = np.zeros(ends[-1], dtype=bool)
            first[np.unique(np.concatenate([part.code for part in self.parts]), return_index=True)[1]] = True
            fresh = [part.chosen(first[a:b]) for part, a, b in zip(self.parts, ends, ends[1:], strict=False)]
            self.parts = [part for part in fresh if len(part.node)]
        self._orders: dict[int, Ints] = {}

    @cached_property
    def cells(self) -> Sequence[Cell]:
        """The cells, part by part."""
        return list(chain.from_iterable(part.cells() for part in self.parts))

    def costs(self) -> Mapping[Cell, Fraction]:
        """Cell to what it costs in all."""
        return Fixed(chain.from_iterable(part.priced() for part in self.parts))

    def items(self) -> ItemsView[Cell, Arrival]:
        """The cells with their arrivals, part by part and row by row: none is looked up."""
        return Rows(self)

    def of_band(self, name: str) -> Iterator[Cell]:
        """The cells of one band."""
        for part in self.parts:
            for n, (band, _, _) in enumerate(part.limits):
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
        return sum(len(part.node) for part in self.parts)


class Rows(ItemsView[Cell, Arrival]):
    """Ends read from end to end, however many parts they are in."""

    _mapping: Ends

    def __iter__(self) -> Iterator[tuple[Cell, Arrival]]:
        for part in self._mapping.parts:
            yield from zip(part.cells(), map(part.arrival, range(len(part.node))), strict=True)


def passed(searches: Iterable[tuple[tuple[Lattice, Settled], Fraction | None]]) -> frozenset[Cell]:
    """The cells that searches came to at all, each on what it may spend (None: all that it has)."""
    out: set[Cell] = set()
    for (lattice, settled), most in searches:
        nodes = settled.node if most is None else settled.node[settled.cost <= lattice.whole(most)]
        places = distinct(nodes.astype(np.int64) % lattice.draft.room)
        out.update(lattice.site.numbered(lattice.site.numbers(places)))
    return frozenset(out)


def area(grid: Grid, cells: Iterable[Cell], level: int) -> MultiPolygon:
    """The area of the cells of a level, in cell units."""
    import shapely

    found = shapely.union_all([shapely.Polygon(grid.polygon(c.col, c.row)) for c in cells if c.level == level])
    return found if found.geom_type == "MultiPolygon" else shapely.MultiPolygon([found] if not found.is_empty else [])
