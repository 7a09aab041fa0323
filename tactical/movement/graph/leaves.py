"""Doors opened one by one: where a step meets more closed doors than a turn may open, as a large body at a double door.

Such a body stands before the door and opens a leaf, without a step; the next turn it opens the other one and goes
through.  So a plan has to remember which leaves it has opened.  It does so as long as it stays beside the door: who
walks away has opened them for nothing, and what is forgotten there makes a plan dearer, never cheaper.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from tactical.movement.graph.body import Form
from tactical.world.edges.barriers import DoorState, Kind
from tactical.world.edges.crossing import Crossing, as_met
from tactical.world.site import Site

if TYPE_CHECKING:
    from tactical.movement.graph.frame import Frame
    from tactical.world.window import Bools

Place = tuple[int, int, int]
Opened = frozenset[int]


@dataclass(frozen=True, slots=True)
class Leaves:
    """What can be opened in place, and what is remembered of it.

    `sets` are, per place (level, j, i), the sets of doors that a plan may have opened when it stands there; `beside`
    the doors within reach by (form, place); `prices` the price of each door in the budget's unit.
    """

    sets: Mapping[Place, tuple[Opened, ...]]
    beside: Mapping[tuple[int, Place], Opened]
    prices: Mapping[int, Fraction]

    @property
    def most(self) -> int:
        """The most sets that any place has."""
        return max(map(len, self.sets.values()))

    def opened(self, place: Place, ajar: int) -> Opened | None:
        """The doors that stand open at a place in a copy of the map; None where the place has no such copy."""
        found = self.sets.get(place, ())
        return Opened() if not ajar else found[ajar - 1] if ajar <= len(found) else None

    def ajar(self, place: Place, opened: Opened) -> int:
        """The copy of the map in which these doors stand open at a place, or -1 where there is none."""
        found = self.sets.get(place, ())
        return 0 if not opened else found.index(opened) + 1 if opened in found else -1

    def known(self, frame: Frame, ajar: int) -> Bools:
        """Per place of the window: whether it has such a copy at all."""
        out = np.zeros(frame.room, dtype=bool)
        out[[frame.node(0, place) for place, found in self.sets.items() if ajar <= len(found)]] = True
        return out

    def rest(self, crossing: Crossing, opened: Collection[int]) -> Crossing:
        """What is left of a crossing when some of its doors stand open."""
        gone = [index for index in crossing.barriers if index in opened and index in self.prices]
        price = crossing.price - sum((self.prices[index] for index in gone), start=Fraction(0))
        barriers = tuple(index for index in crossing.barriers if index not in gone)
        return replace(crossing, price=price, opens=crossing.opens - len(gone), barriers=barriers)


def doors_of(site: Site, crossing: Crossing) -> Opened:
    """The closed doors of a crossing."""
    met = ((index, as_met(site, index)) for index in crossing.barriers)
    return Opened(n for n, barrier in met if barrier.kind is Kind.DOOR and barrier.state is not DoorState.OPEN)


def leaves(frame: Frame) -> Leaves | None:
    """The doors of a frame that have to be opened one by one, or None."""
    limit = frame.door_limit
    if not limit or all(crossing.opens <= limit for crossing in frame.prices):
        return None
    site = frame.site
    groups: dict[Opened, set[Place]] = {}
    heavy = [n for n, crossing in enumerate(frame.prices, 1) if crossing.opens > limit]
    for planes in frame.planes:
        for plane in planes:
            if plane.crossing is None:
                continue
            for level, j, i in zip(*np.nonzero(np.isin(plane.crossing, heavy) & plane.open), strict=True):
                place = int(level), int(j), int(i)
                group = doors_of(site, frame.prices[int(plane.crossing[place]) - 1])
                groups.setdefault(group, set()).add(place)
    sets: dict[Place, tuple[Opened, ...]] = {}
    beside: dict[tuple[int, Place], Opened] = {}
    for group, before in sorted(groups.items(), key=lambda item: sorted(item[0])):
        parts = [Opened(part) for count in range(1, len(group)) for part in combinations(sorted(group), count)]
        for place in _around(frame, before):
            within = [doors_beside(frame, form, place) & group for form in frame.forms]
            if any(within):
                known = sets.get(place, ())
                sets[place] = (*known, *(part for part in parts if part not in known))
                for n, found in enumerate(within):
                    beside[n, place] = beside.get((n, place), Opened()) | found
    if not sets:
        return None
    prices = {door: frame.door_price(door) for door in Opened().union(*groups)}
    return Leaves(sets, beside, prices)


def _around(frame: Frame, places: Collection[Place]) -> Iterator[Place]:
    """The places of the window from which a body can touch what it touches from one of some places."""
    size = frame.site.mover.size
    _, height, width = frame.site.shape
    near = {
        (level, j + dj, i + di)
        for level, j, i in places
        for dj in range(-size, size + 1)
        for di in range(-size, size + 1)
        if 0 <= j + dj < height and 0 <= i + di < width
    }
    return iter(sorted(near))


def doors_beside(frame: Frame, form: Form, place: Place) -> Opened:
    """The closed doors on the sides of a body that it may open."""
    site, found = frame.site, Opened()
    for k, direction in enumerate(site.directions):
        plane = site.crossing(k)
        if direction.diagonal or plane is None:
            continue
        for di, dj in form.cells:
            if (di + direction.di, dj + direction.dj) not in form.cells:
                code = int(site.core(plane, di, dj)[place])
                if code > 0 and site.prices[code - 1].opens:
                    found |= doors_of(site, site.prices[code - 1])
    return found
