"""Where a body can stand, what of the ground prices its steps, how high a step is, and what a step leaves behind."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from tactical.movement.graph.body import Form, Plane, Slot
from tactical.movement.graph.paces import FIRST, KEYS, SECOND, STRAIGHT
from tactical.world.grids import Direction

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tactical.movement.graph.draft import Draft

    Array = NDArray[Any]

CEILING = {"standing": 0, "crouched": 1, "kneeling": 1, "prone": 2}
"""How low a ceiling each posture bears: 0 needs full height, 2 lies."""


ANY_DAMAGE = Fraction(10**9)
"""More than any fall does."""


def stands(draft: Draft, form: Form, posture: str) -> Array:
    """Ring array: where a body fits and the ceiling allows the posture."""
    ceiling = CEILING.get(posture, 0)
    return form.fits if ceiling >= 2 or form.medium is not None else form.fits & (form.headroom <= ceiling)


def ground_index(draft: Draft, form: Form) -> Array:
    """Padded array of table indexes: kind and occupant of every cell, to a body in a form."""
    index = draft.site.kind.astype(np.int64) * KEYS
    return index + draft.site.occupied if draft.site.bodies and form.bodies else index


def priced_cells(draft: Draft, form: Form, direction: Direction) -> list[tuple[int, int]]:
    """Offsets, from the anchor left, of the cells whose ground prices a step (option body_cost, pay_on)."""
    di, dj = direction.di, direction.dj
    rule = draft.options["body_cost"]
    if draft.options["pay_on"] == "leave":
        cells = (
            set(form.cells) - {(a + di, b + dj) for a, b in form.cells} if rule == "max_entered" else set(form.cells)
        )
        return [(0, 0)] if rule == "anchor" else sorted(cells)
    after = [(a + di, b + dj) for a, b in form.cells]
    if rule == "anchor":
        return [(di, dj)]
    return sorted(set(after) - set(form.cells)) if rule == "max_entered" else after


def uphill(draft: Draft, plane: Plane, kind: Array) -> Array | None:
    """Where a step goes uphill: by the cells' explicit fact, else by the rise."""
    if not draft.profile.uphill_matters:
        return None
    rising = np.zeros(kind.shape, dtype=bool)
    if plane.rise is not None:
        rising = plane.rise > int(draft.profile.uphill_min_rise * draft.site.height_scale)
    said = np.array([-1 if t.uphill is None else int(t.uphill) for t in draft.site.kinds])[kind]
    return np.where(said >= 0, said > 0, rising)


def step_height(draft: Draft) -> Fraction:
    """The height of an ordinary step in the map's unit."""
    height = draft.options["step_height"]
    return draft.site.battlemap.cell * draft.options["slope_max"] if height == "cell" else Fraction(height)


def fallen(draft: Draft, rise: int) -> Fraction:
    """What a fall by -`rise` (in the site's units) does; 0 for an ordinary step, a harmless height, without falls."""
    fall = draft.profile.fall
    height = Fraction(-rise, draft.site.height_scale)
    if fall is None or height <= step_height(draft) or height <= fall.harmless:
        return Fraction(0)
    return fall.damage(height)


def damage(draft: Draft, rise: int) -> Fraction:
    """What stepping off a ledge does: a fall, unless ledges are climbed down or refused."""
    return fallen(draft, rise) if draft.options["ledge_down"] == "drop" else Fraction(0)


def after_step(draft: Draft, layer: Any, slot: Slot, length: int) -> int | None:
    """The layer that a step leads to, or None where the counters forbid it."""
    parity, run, doors = layer.diagonals, 0, layer.doors + slot.opens
    if draft.door_limit is not None and doors > draft.door_limit:
        return None
    if draft.alternate and length != STRAIGHT and not slot.keeps:
        parity = 1 - parity
    if draft.run_up and not slot.resets and draft.profile.postures[layer.posture] == "standing" and not layer.squeezed:
        walked = 2 if length == SECOND else 1 if length in (STRAIGHT, FIRST) else 0
        run = min(layer.run_up + walked, draft.run_up)
    extra = layer.extra
    for n, (counter, size) in enumerate(draft.counters):
        value = counter.after(draft, extra[n], layer, slot) if size > 1 else 0
        if value is None or not 0 <= value < size:
            return None
        extra = (*extra[:n], value, *extra[n + 1 :])
    return draft.layer_index[layer._replace(diagonals=parity, run_up=run, doors=doors, extra=extra)]
