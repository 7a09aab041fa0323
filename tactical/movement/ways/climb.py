"""Ledges: a rise or fall of more than a step is climbed straight up or down at a flat price, or not at all (G-A07).

`|dz| <= step_height` is an ordinary step; above it a straight step pays |dz| x climb factor on top of the ordinary
step, and a diagonal is never possible.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from tactical.errors import Refusal
from tactical.movement.graph.body import Plane
from tactical.movement.graph.draft import Draft
from tactical.movement.graph.footing import step_height
from tactical.movement.graph.lattice import Lattice
from tactical.movement.route import Charge, State
from tactical.movement.steps.explain import source_of
from tactical.movement.steps.refusal import names_of, step_to
from tactical.movement.ways import Obstacle, Part, Way, with_options
from tactical.rules.profile import Source
from tactical.units import Cell, show

if TYPE_CHECKING:
    from tactical.movement.query import Query


def prices(draft: Draft) -> tuple[Fraction | None, Fraction | None]:
    """Price of a unit climbed up and down; None where ledges are refused (or dropped off)."""
    ledge = draft.profile.ledge
    if ledge is None:
        return None, None
    house = "climb" in dict(draft.options["house_pace"])  # a pace of the table's own lifts the refusal (G-A08)
    found = []
    for word, price in (("ledge_up", ledge.up), ("ledge_down", ledge.down)):
        climbed = draft.options[word] == "climb" or (house and draft.options[word] == "refuse")
        own = ledge.by_pool.get(draft.pool, price)
        found.append(None if isinstance(own, Refusal) or not climbed else own)
    return found[0], found[1]


def costs(draft: Draft) -> Iterator[Fraction]:
    """A unit of height climbed, in the site's units."""
    if not draft.site.flat:
        for price in prices(draft):
            if price is not None:
                yield price / draft.site.height_scale


def shape(draft: Draft) -> None:
    """Close the steps that are more than a step high, or price them."""
    if draft.site.flat:
        return
    limit = int(step_height(draft) * draft.site.height_scale)
    up, down = prices(draft)
    dropping = draft.options["ledge_down"] == "drop" and draft.profile.fall is not None
    for planes in draft.planes:
        for plane in planes:
            assert plane.rise is not None
            high, low = plane.rise > limit, plane.rise < -limit
            diagonal = draft.site.directions[plane.direction].diagonal
            for where, price in ((high, up), (low, down)):
                if not where.any() or (where is low and dropping):
                    continue
                if price is None or diagonal:
                    plane.open = plane.open & ~where
                else:
                    per = draft.ticks(price / draft.site.height_scale)
                    plane.charge(where, np.abs(plane.rise) * per)
                    plane.reset(where)


def part(lattice: Lattice, node: int, plane: Plane) -> Part | None:
    """The price of a ledge, by how high it is."""
    draft = lattice.draft
    rise = 0 if plane.rise is None else int(plane.rise[lattice.place(node)])
    height, (up, down) = Fraction(abs(rise), draft.site.height_scale), prices(draft)
    price = up if rise > 0 else down
    if height <= step_height(draft) or not price:
        return None
    ledge = lattice.profile.ledge
    source = source_of(lattice, "ledge") if ledge is None or ledge.source == Source() else ledge.source
    return Part((Charge("ledge", price * height, True, source),), "climb")


def why(lattice: Lattice, state: State, cell: Cell) -> Refusal | None:
    """The height of a ledge that nobody climbs, or not across a corner."""
    draft, met = lattice.draft, step_to(lattice, state, cell)
    if met is None or met[0].rise is None:
        return None
    plane, place = met
    rise, diagonal = int(met[0].rise[place]), draft.site.directions[plane.direction].diagonal
    height, price = Fraction(abs(rise), draft.site.height_scale), prices(draft)[rise < 0]
    dropping = rise < 0 and draft.options["ledge_down"] == "drop" and draft.profile.fall is not None
    if height <= step_height(draft) or dropping or not (price is None or diagonal):
        return None
    names = names_of(draft.site, state.cell, cell)
    return Refusal("move.height", {**names, "rise": show(height), "unit": draft.site.battlemap.unit})


def climbing(query: Query) -> Query | None:
    """The question of somebody who may climb wherever there is something to climb."""
    return with_options(query, climb_factor=2)


def on_ledges(query: Query) -> Query | None:
    """The question of somebody who may climb ledges."""
    return with_options(query, ledge_up="climb", ledge_down="climb")


OBSTACLES = (Obstacle("ledges", 50, on_ledges), Obstacle("climb", 80, climbing))
WORDS = {"ledge": "climb the ledge"}
WAY = Way("climb", 10, costs, shape=shape, part=part, why=why, relax=OBSTACLES, words=WORDS)
