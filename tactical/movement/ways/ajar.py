"""Opening a door in place (OPR-50), and what can be done beside a door of which some leaves stand open.

Only where a step meets more doors than a turn may open (`movement.graph.leaves`); all other doors are opened by
stepping through.  With a leaf open, a body beside the door may open another, change its posture, shift along the door,
or step through and open the rest on its way.  A run-up is none the shorter for it, as by a door opened on the way.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from tactical.movement.graph.body import Slot
from tactical.movement.graph.draft import Draft
from tactical.movement.graph.lattice import Lattice
from tactical.movement.graph.leaves import Leaves, doors_of
from tactical.movement.graph.paces import STRAIGHT
from tactical.movement.graph.writer import Loose, Writer
from tactical.movement.route import Charge, Step
from tactical.movement.steps.explain import source_of, walked
from tactical.movement.ways import Way, nothing

AJAR = "ajar"
"""Its edges bear a note: the direction of an ordinary step, -1 for a change in place, -2 - n for opening door n."""


def costs(draft: Draft) -> Iterator[Fraction]:
    """Each door for itself."""
    return iter(()) if draft.leaves is None else iter(draft.leaves.prices.values())


def write(writer: Writer) -> None:
    """Edges between the copies of the map that differ in the doors that stand open."""
    leaves = writer.draft.leaves
    if leaves is None:
        return
    _open(writer, leaves)
    _stay(writer, leaves)
    _through(writer, leaves)


def _open(writer: Writer, leaves: Leaves) -> None:
    draft = writer.draft
    assert draft.door_limit is not None
    for n, layer in enumerate(draft.layers):
        for place in leaves.sets:
            opened = leaves.opened(place, layer.ajar)
            if opened is None or layer.doors >= draft.door_limit:
                continue
            for door in sorted(leaves.beside[layer.squeezed, place] - opened):
                ajar = leaves.ajar(place, opened | {door})
                if ajar > 0:
                    target = draft.layer_index[layer._replace(doors=layer.doors + 1, ajar=ajar)]
                    ticks = draft.ticks(leaves.prices[door])
                    writer.edge(draft.node(n, place), draft.node(target, place), ticks, AJAR, -2 - door)


def _stay(writer: Writer, leaves: Leaves) -> None:
    """What is possible beside the door with all leaves closed is so with some of them open, at the same price."""
    draft = writer.draft
    slots = list(writer.slots)
    for number, slot_number, target, part in list(writer.parts):
        slot, layer, after = slots[slot_number], draft.layers[number], draft.layers[target]
        for place in leaves.sets:
            there, ticks = _moved(draft, slot, place), int(part[place]) - 1
            if ticks < 0 or there not in leaves.sets:
                continue
            doors = _doors(draft, slot, layer.squeezed, place) if slot.opens else frozenset()
            for ajar, opened in enumerate(leaves.sets[place], 1):
                same = leaves.ajar(there, opened)
                if same > 0 and not doors & opened:
                    start = draft.node(draft.layer_index[layer._replace(ajar=ajar)], place)
                    end = draft.node(draft.layer_index[after._replace(ajar=same)], there)
                    writer.edge(start, end, ticks, AJAR, slot.k)


def _through(writer: Writer, leaves: Leaves) -> None:
    """Through the door, opening the leaves that are still closed."""
    draft = writer.draft
    _, height, width = draft.site.shape
    for slot, posture, form, part in writer.heavy:
        for place in leaves.sets:
            ticks, there = int(part[place]) - 1, _moved(draft, slot, place)
            if ticks < 0 or not (0 <= there[1] < height and 0 <= there[2] < width):
                continue
            plane = draft.planes[form][slot.k]
            assert plane.crossing is not None
            crossing = draft.prices[int(plane.crossing[place]) - 1]
            doors = doors_of(draft.site, crossing)
            for ajar, opened in enumerate(leaves.sets[place], 1):
                if not opened < doors:
                    continue
                rest = leaves.rest(crossing, opened)
                saved = draft.ticks(crossing.price - rest.price)
                for _, layer in draft.plain_layers:
                    if (layer.posture, layer.squeezed) != (posture, form):
                        continue
                    target = draft.after_step(layer, slot._replace(opens=rest.opens), STRAIGHT)
                    if target is not None:
                        start = draft.node(draft.layer_index[layer._replace(ajar=ajar)], place)
                        writer.edge(start, draft.node(target, there), ticks - saved, AJAR, slot.k)


def _moved(draft: Draft, slot: Slot, place: tuple[int, int, int]) -> tuple[int, int, int]:
    if slot.k < 0:
        return place
    direction = draft.site.directions[slot.k]
    return place[0], place[1] + direction.dj, place[2] + direction.di


def _doors(draft: Draft, slot: Slot, form: int, place: tuple[int, int, int]) -> frozenset[int]:
    crossing = draft.planes[form][slot.k].crossing
    assert crossing is not None
    return doors_of(draft.site, draft.prices[int(crossing[place]) - 1])


def explain(lattice: Lattice, edge: Loose) -> Step:
    """The price of a door; of all else what it is with the door closed."""
    start, end, cost = lattice.state(edge.start), lattice.state(edge.end), lattice.cost(edge.ticks)
    if edge.note >= 0:
        return walked(lattice, edge.start, end, cost, Slot(edge.note))
    if edge.note == -1:
        there = lattice.layer(edge.end)
        same = (there.posture, there.squeezed)
        slot = next(slot for slot in lattice.slots if slot.k < 0 and (slot.posture, slot.squeezed) == same)
        like: Way = lattice.ways[slot.way]
        assert like.explain is not None
        return like.explain(lattice, edge)
    source, door = source_of(lattice, "door"), lattice.site.battlemap.door_name(-2 - edge.note)
    return Step(start, end, "open-door", cost, charges=(Charge("door", cost, True, source),), source=source, door=door)


WAY = Way(AJAR, 90, costs, write=write, explain=explain, joins=nothing)
