"""Changes of posture in place, each at its price (OPR-18, 19, 24, 26), and squeezing in or out."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from tactical.movement.graph.body import Slot
from tactical.movement.graph.draft import Draft
from tactical.movement.graph.footing import stands
from tactical.movement.graph.writer import Writer
from tactical.movement.ways import Way


def costs(draft: Draft) -> Iterator[Fraction]:
    """Standing up, rising from a crouch, dropping."""
    return (change.cost for change in draft.profile.changes)


def write(writer: Writer) -> None:
    """Edges that change the posture, or the body's form, and nothing else; both end the run-up."""
    draft = writer.draft
    names = draft.profile.postures
    for n, form in enumerate(draft.forms):
        for change in draft.profile.changes:
            if change.start not in names or change.end not in names:
                continue
            m = draft.form_of(change.end, form.squeezed)
            room = draft.target(stands(draft, draft.forms[m], change.end))
            weight = room * np.int64(draft.ticks(change.cost) + 1)
            end = names.index(change.end)
            slot = Slot(-1, posture=end, squeezed=m)
            for number, layer in draft.plain_layers:
                if (names[layer.posture], layer.squeezed) == (change.start, n):
                    target = draft.layer_index[layer._replace(posture=end, squeezed=m, run_up=0)]
                    writer.put(slot, number, target, weight, 0, 0)
    sizes = [form for form in draft.forms if form.medium is None]
    if len(sizes) > 1:
        for n, form in enumerate(sizes):
            for p, posture in draft.stances(form):
                weight = draft.target(stands(draft, form, posture)).astype(np.int64)
                if not form.squeezed and form.doorway is not None:
                    # straightening out opens no door
                    weight = weight * ~draft.target(form.doorway)
                slot = Slot(-1, posture=p, squeezed=n)
                for number, layer in draft.plain_layers:
                    if layer.posture == p and layer.squeezed != n:
                        target = draft.layer_index[layer._replace(squeezed=n, run_up=0)]
                        writer.put(slot, number, target, weight, 0, 0)


WAY = Way("posture", 60, costs, write=write)
