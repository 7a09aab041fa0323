"""Ledges: a rise or fall of more than a step is climbed straight up or down at a flat price, or not at all (G-A07).

`|dz| <= step_height` is an ordinary step; above it a straight step pays |dz| x climb factor on top of the ordinary
step, and a diagonal is never possible.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from tactical.errors import Refusal
from tactical.movement.graph.draft import Draft
from tactical.movement.graph.footing import step_height
from tactical.movement.ways import Way


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


WAY = Way("climb", 10, costs, shape=shape)
