"""Getting through closed doors and over fences and low walls: a straight step at a flat extra price (OPR-50)."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from tactical.movement.graph.draft import Draft
from tactical.movement.ways import Way


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


WAY = Way("door", 30, costs, shape=shape)
