"""Drops: stepping off a ledge and taking the fall, where a rule system has falls (SHP-23 … SHP-25).

A drop costs an ordinary step; a plan takes none that hurts more than its mover accepts.
"""

from __future__ import annotations

from fractions import Fraction

from tactical.movement.graph.draft import Draft
from tactical.movement.graph.footing import damage, step_height
from tactical.movement.ways import Way


def shape(draft: Draft) -> None:
    """Close the drops that hurt more than is accepted."""
    if draft.site.flat or draft.profile.fall is None or draft.options["ledge_down"] != "drop":
        return
    for planes in draft.planes:
        for plane in planes:
            assert plane.rise is not None
            for rise in sorted(set(plane.rise.ravel().tolist())):
                if damage(draft, rise) > draft.profile.fall.accepted:
                    plane.open = plane.open & (plane.rise != rise)
                elif Fraction(-rise, draft.site.height_scale) > step_height(draft):
                    plane.reset(plane.rise == rise)


WAY = Way("drop", 20, shape=shape)
