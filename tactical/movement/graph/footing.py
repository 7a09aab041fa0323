"""Where a body can stand, what of the ground prices its steps, how high a step is, and what a step leaves behind."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from tactical.movement.graph.body import Form, Plane
from tactical.movement.graph.paces import KEYS
from tactical.world.grids import Direction

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tactical.movement.graph.frame import Frame

    Array = NDArray[Any]

ANY_DAMAGE = Fraction(10**9)
"""More than any fall does."""


def stands(frame: Frame, form: Form, posture: str) -> Array:
    """Ring array: where a body fits and the ceiling allows the posture."""
    ceiling = frame.profile.lowness(posture)
    return form.fits if ceiling >= 2 or form.medium is not None else form.fits & (form.headroom <= ceiling)


def ground_index(frame: Frame, form: Form) -> Array:
    """Padded array of table indexes: kind and occupant of every cell, to a body in a form."""
    index = frame.site.kind.astype(np.int64) * KEYS
    return index + frame.site.occupied if frame.site.bodies and form.bodies else index


def priced_cells(frame: Frame, form: Form, direction: Direction) -> list[tuple[int, int]]:
    """Offsets, from the anchor left, of the cells whose ground prices a step (option body_cost, pay_on)."""
    di, dj = direction.di, direction.dj
    rule = frame.options["body_cost"]
    if frame.options["pay_on"] == "leave":
        cells = (
            set(form.cells) - {(a + di, b + dj) for a, b in form.cells} if rule == "max_entered" else set(form.cells)
        )
        return [(0, 0)] if rule == "anchor" else sorted(cells)
    after = [(a + di, b + dj) for a, b in form.cells]
    if rule == "anchor":
        return [(di, dj)]
    return sorted(set(after) - set(form.cells)) if rule == "max_entered" else after


def uphill(frame: Frame, plane: Plane, kind: Array) -> Array | None:
    """Where a step goes uphill: by the cells' explicit fact, else by the rise."""
    if not frame.profile.uphill_matters:
        return None
    rising = np.zeros(kind.shape, dtype=bool)
    if plane.rise is not None:
        rising = plane.rise > int(frame.profile.uphill_min_rise * frame.site.height_scale)
    said = np.array([-1 if t.uphill is None else int(t.uphill) for t in frame.site.kinds])[kind]
    return np.where(said >= 0, said > 0, rising)


def step_height(frame: Frame) -> Fraction:
    """The height of an ordinary step in the map's unit."""
    height = frame.options["step_height"]
    return frame.site.battlemap.cell * frame.options["slope_max"] if height == "cell" else Fraction(height)


def fallen(frame: Frame, rise: int) -> Fraction:
    """What a fall by -`rise` (in the site's units) does; 0 for an ordinary step, a harmless height, without falls."""
    fall = frame.profile.fall
    height = Fraction(-rise, frame.site.height_scale)
    if fall is None or height <= step_height(frame) or height <= fall.harmless:
        return Fraction(0)
    return fall.damage(height)


def damage(frame: Frame, rise: int) -> Fraction:
    """What stepping off a ledge does: a fall, unless ledges are climbed down or refused."""
    return fallen(frame, rise) if frame.options["ledge_down"] == "drop" else Fraction(0)
