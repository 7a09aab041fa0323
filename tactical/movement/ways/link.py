"""Links: stairs, ladders, lifts and portals, at a flat price, without a diagonal count, and ending any run-up."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from tactical.movement.draft import Draft
from tactical.movement.lattice import Writer
from tactical.movement.ways import Way
from tactical.movement.ways.walk import stands
from tactical.units import Cell


def pairs(draft: Draft) -> Iterator[tuple[Cell, Cell, Fraction, int]]:
    """Every way through a link: from, to, price, and the link's number."""
    for n, link in enumerate(draft.site.battlemap.links):
        yield link.start, link.end, link.cost, n
        if link.two_way:
            yield link.end, link.start, link.cost, n


def costs(draft: Draft) -> Iterator[Fraction]:
    """The links' prices."""
    return (link.cost for link in draft.site.battlemap.links)


def write(writer: Writer) -> None:
    """One edge per link and layer, where both ends lie in the window and the body fits at the far one."""
    draft = writer.draft
    for start, end, cost, number in pairs(draft):
        here, there = draft.site.place(start), draft.site.place(end)
        if here is None or there is None:
            continue
        for n, layer in enumerate(draft.layers):
            form = draft.forms[layer.squeezed]
            if not draft.target(stands(draft, form, draft.profile.postures[layer.posture]))[there]:
                continue
            if form.doorway is not None and draft.target(form.doorway)[there]:
                continue
            target = draft.layer_index[layer._replace(run_up=0)]
            writer.edge(draft.node(n, here), draft.node(target, there), draft.ticks(cost), WAY.name, number)


WAY = Way("link", 70, costs, write=write)
