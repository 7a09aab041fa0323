"""Links: stairs, ladders, lifts and portals, at a flat price, without a diagonal count, and ending any run-up."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING

from tactical.errors import Refusal
from tactical.movement.graph.draft import Draft
from tactical.movement.graph.footing import ground_index, stands
from tactical.movement.graph.lattice import Lattice
from tactical.movement.graph.leaps import Place
from tactical.movement.graph.paces import STRAIGHT
from tactical.movement.graph.writer import Loose, Writer
from tactical.movement.route import Charge, State, Step
from tactical.movement.steps.refusal import names_of, why_cell, why_roof
from tactical.movement.ways import Obstacle, Way
from tactical.rules.profile import Source
from tactical.units import Cell
from tactical.world.battlemap import Battlemap

if TYPE_CHECKING:
    from tactical.movement.query import Query


def pairs(draft: Draft) -> Iterator[tuple[Cell, Cell, Fraction, int]]:
    """Every way through a link: from, to, price, and the link's number."""
    for n, link in enumerate(draft.site.battlemap.links):
        yield link.start, link.end, draft.flat(link.cost), n
        if link.two_way:
            yield link.end, link.start, draft.flat(link.cost), n


def far(battlemap: Battlemap) -> Iterator[tuple[Cell, Cell]]:
    """Both ends of every link, either way: what bounds a search need not know of directions."""
    for link in battlemap.links:
        yield link.start, link.end
        yield link.end, link.start


def explain(lattice: Lattice, edge: Loose) -> Step:
    """The step through a link, which is what its ground is called."""
    cost = lattice.cost(edge.ticks)
    source = lattice.profile.sources.get(WAY.name, Source())
    charges = (Charge(WAY.name, cost, True, source),) if cost else ()
    start, end, link = lattice.state(edge.start), lattice.state(edge.end), lattice.site.battlemap.links[edge.note]
    return Step(start, end, WAY.name, cost, charges=charges, source=source, ground=link.kind)


def why(lattice: Lattice, state: State, cell: Cell) -> Refusal | None:
    """Why the link from `state` to `cell` cannot be taken, or None where it can."""
    site, draft = lattice.site, lattice.draft
    names, form = names_of(site, state.cell, cell), draft.forms[draft.form_of(state.posture, state.squeezed)]
    if all((start, end) != (state.cell, cell) for start, end, _, _ in pairs(draft)):
        back = [link.kind for link in site.battlemap.links if (link.end, link.start) == (state.cell, cell)]
        return Refusal("move.one_way_link", {**names, "what": back[0]}) if back else Refusal("move.no_link", names)
    reason = why_cell(lattice, cell, form)
    if reason is not None:
        return reason
    place = site.place(cell)
    assert place is not None
    if form.doorway is not None and bool(draft.target(form.doorway)[place]):
        return Refusal("move.no_fit", {**names, "why": ": a closed door would go through it"})
    reason = why_roof(lattice, form, cell, state.posture)
    if reason is not None:
        return reason
    paces = (draft.paces.pace(state.posture, int(site.core(site.kind, di, dj)[place]), False) for di, dj in form.cells)
    return next((pace for pace in paces if isinstance(pace, Refusal)), None)


def joins(draft: Draft) -> Iterator[tuple[Place, Place]]:
    """The ends of every link in the window."""
    ends = ((draft.site.place(start), draft.site.place(end)) for start, end, _, _ in pairs(draft))
    return ((start, end) for start, end in ends if start is not None and end is not None)


def both_ways(query: Query) -> Query | None:
    """The question where no link is one-way."""
    links = tuple(replace(link, two_way=True) for link in query.battlemap.links)
    return None if links == query.battlemap.links else query.changed(battlemap=replace(query.battlemap, links=links))


def nowhere(query: Query, cell: Cell) -> Refusal:
    """No link leads to another level."""
    names = {"start": query.battlemap.name_of(query.start.cell), "cell": query.battlemap.name_of(cell)}
    return Refusal("move.no_link", names)


def costs(draft: Draft) -> Iterator[Fraction]:
    """The links' prices."""
    return (draft.flat(link.cost) for link in draft.site.battlemap.links)


def write(writer: Writer) -> None:
    """One edge per link and layer, where both ends lie in the window and the far one can be entered."""
    draft = writer.draft
    found = list(pairs(draft))
    if not found:
        return
    for n, layer in draft.plain_layers:
        form, posture = draft.forms[layer.squeezed], draft.profile.postures[layer.posture]
        index = ground_index(draft, form)
        room = draft.target(stands(draft, form, posture))
        if form.doorway is not None:
            room = room & ~draft.target(form.doorway)
        table = draft.paces.table(posture, form, STRAIGHT)
        target = draft.layer_index[layer._replace(run_up=0)]
        for start, end, cost, number in found:
            here, there = draft.site.place(start), draft.site.place(end)
            if here is None or there is None or not room[there]:
                continue
            if all(table[draft.site.core(index, di, dj)[there]] for di, dj in form.cells):
                writer.edge(draft.node(n, here), draft.node(target, there), draft.ticks(cost), WAY.name, number)


WAY = Way(
    "link",
    70,
    costs,
    write=write,
    explain=explain,
    provokes=False,
    far=far,
    joins=joins,
    why=why,
    relax=(Obstacle("links", 100, both_ways, nowhere),),
    words={"link": "take the {ground}"},
)
