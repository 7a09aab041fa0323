"""Getting through closed doors and over fences and low walls: a straight step at a flat extra price (OPR-50)."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from tactical.movement.graph.body import Plane
from tactical.movement.graph.draft import Draft
from tactical.movement.graph.lattice import Lattice
from tactical.movement.route import Charge
from tactical.movement.steps.explain import source_of
from tactical.movement.ways import Obstacle, Part, Way
from tactical.world.edges.barriers import DoorState, Kind
from tactical.world.edges.crossing import Crossing, as_met

if TYPE_CHECKING:
    from tactical.movement.query import Query


def costs(draft: Draft) -> Iterator[Fraction]:
    """The price of every door and fence met."""
    return (crossing.price for crossing in draft.prices)


def shape(draft: Draft) -> None:
    """Charge what is crossed."""
    if not draft.prices:
        return
    ticks = np.array([0] + [draft.ticks(crossing.price) for crossing in draft.prices])
    climbed = np.array([False] + [crossing.climbed for crossing in draft.prices])
    for planes in draft.planes:
        for plane in planes:
            if plane.crossing is None:
                continue
            code = np.maximum(plane.crossing, 0)
            if (code > 0).any():
                plane.charge(code > 0, ticks[code])
                plane.reset(climbed[code])


def part(lattice: Lattice, node: int, plane: Plane) -> Part | None:
    """A charge for each door that is opened, and one for a fence or a low wall."""
    code = 0 if plane.crossing is None else int(plane.crossing[lattice.place(node)])
    if code <= 0:
        return None
    crossing, opened = lattice.draft.prices[code - 1], lattice.state(node).opened
    if opened and lattice.draft.leaves is not None:
        crossing = lattice.draft.leaves.rest(crossing, opened)
    return Part(tuple(_charges(lattice, crossing)))


def _charges(lattice: Lattice, crossing: Crossing) -> Iterator[Charge]:
    if not crossing.opens:
        name = crossing.name.replace(" ", "_")
        if crossing.price or crossing.climbed:
            yield Charge(name, crossing.price, True, source_of(lattice, name))
        return
    met = {index: as_met(lattice.site, index) for index in crossing.barriers}
    left = crossing.price
    for index, door in met.items():
        if door.kind is Kind.DOOR:
            price = lattice.draft.door_price(index)
            yield Charge("door", price, True, source_of(lattice, "door"), door.id)
            left -= price
    if left:
        name = "fence" if any(barrier.kind is Kind.FENCE for barrier in met.values()) else "low_wall"
        yield Charge(name, left, True, source_of(lattice, name))


def unlocked(query: Query) -> Query | None:
    """The question where all doors are open but those that nobody knows of."""
    shut = {
        n
        for n, barrier in enumerate(query.battlemap.barriers)
        if barrier.kind is Kind.DOOR and barrier.state not in (DoorState.SECRET, DoorState.OPEN)
    }
    return query.changed(opened=query.opened | shut) if shut else None


WORDS = {
    "fence": "climb the fence",
    "low_wall": "vault the low wall",
    "open-door": "open door {what!r}",
    "door": "open a door",
}
WAY = Way(
    "door",
    30,
    costs,
    shape=shape,
    part=part,
    relax=(Obstacle("doors", 30, unlocked),),
    words=WORDS,
    apart={"door": "open-door"},
)
