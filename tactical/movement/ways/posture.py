"""Changes of posture in place, each at its price (OPR-18, 19, 24, 26), and squeezing in or out."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from tactical.movement.graph.body import Slot
from tactical.movement.graph.draft import Draft
from tactical.movement.graph.footing import stands
from tactical.movement.graph.lattice import Lattice
from tactical.movement.graph.writer import Loose, Writer
from tactical.movement.route import Charge, Step
from tactical.movement.steps.explain import source_of
from tactical.movement.ways import Obstacle, Way, nothing, with_options

if TYPE_CHECKING:
    from tactical.movement.query import Query


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


def explain(lattice: Lattice, edge: Loose) -> Step:
    """A change of posture by its own price and clause; squeezing in or out is free."""
    start, end, cost = lattice.state(edge.start), lattice.state(edge.end), lattice.cost(edge.ticks)
    if start.squeezed != end.squeezed:
        way = "squeeze" if end.squeezed else "unsqueeze"
        return Step(start, end, way, cost, source=source_of(lattice, "squeeze"))
    change = next(one for one in lattice.profile.changes if (one.start, one.end) == (start.posture, end.posture))
    charges = (Charge("stand", cost, True, change.source),) if cost else ()
    own = {start.posture, end.posture} & set(lattice.profile.media)
    way = change.name if own else NAMES.get(end.posture, end.posture)
    return Step(start, end, way, cost, charges=charges, source=change.source)


NAMES = {"standing": "stand", "crouched": "crouch", "prone": "prone"}
"""What getting into a posture is called, where that is not the posture's own name."""


def squeezed(query: Query) -> Query | None:
    """The question of somebody who may squeeze."""
    return with_options(query, squeeze=True)


WORDS = {
    "stand": "stand up{rising}",
    "crouch": "crouch{rising}",
    "prone": "drop prone",
    "squeeze": "squeeze in",
    "unsqueeze": "straighten out",
}
WAY = Way(
    "posture", 60, costs, write=write, explain=explain, joins=nothing, relax=(Obstacle("squeeze", 150, squeezed),),
    words=WORDS,
)  # fmt: skip
