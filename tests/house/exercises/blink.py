"""A way of moving in one file: whoever is called a phantom passes through anything to a cell nearby.

Offered as the entry point ``blink = blink:WAY`` of the group ``tactical.ways``.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

from tactical.movement.graph.draft import Draft
from tactical.movement.graph.footing import stands
from tactical.movement.graph.lattice import Lattice
from tactical.movement.graph.writer import Loose, Writer
from tactical.movement.route import Charge, Step
from tactical.movement.ways import Way
from tactical.rules.profile import Source
from tactical.units import Cell
from tactical.world.battlemap import Battlemap
from tactical.world.mover import Mover

PRICE, SOURCE = Fraction(10), Source("BLINK-1")
NEAR = [(x, y) for x, y in product(range(-3, 4), repeat=2) if x or y]


def blinks(mover: Mover) -> bool:
    return "phantom" in mover.label.lower()


def far(battlemap: Battlemap) -> Iterator[tuple[Cell, Cell]]:
    if any(map(blinks, battlemap.movers)):
        for col, row, (x, y) in product(range(battlemap.cols), range(battlemap.rows), NEAR):
            if Cell(col + x, row + y) in battlemap:
                yield Cell(col, row), Cell(col + x, row + y)


def costs(draft: Draft) -> Iterator[Fraction]:
    return iter((PRICE,) if blinks(draft.site.mover) else ())


def write(writer: Writer) -> None:
    draft = writer.draft
    for n, layer in draft.plain_layers if blinks(draft.site.mover) else ():
        room = draft.target(stands(draft, draft.forms[layer.squeezed], draft.profile.postures[layer.posture]))
        target = draft.layer_index[layer._replace(run_up=0)]
        places = {tuple(map(int, place)) for place in zip(*room.nonzero(), strict=True)}
        for (level, j, i), (x, y) in product(places, NEAR):
            if (level, j + y, i + x) in places:
                start, end = draft.node(n, (level, j, i)), draft.node(target, (level, j + y, i + x))
                writer.edge(start, end, draft.ticks(PRICE), WAY.name, 0)


def explain(lattice: Lattice, edge: Loose) -> Step:
    charges = (Charge("blink", PRICE, True, SOURCE),)
    return Step(lattice.state(edge.start), lattice.state(edge.end), "blink", PRICE, charges=charges, source=SOURCE)


WAY = Way("blink", 75, costs, write=write, far=far, provokes=False, explain=explain)
