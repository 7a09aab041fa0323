"""A way of moving in one file: whoever is called a phantom passes through anything to a cell nearby.

Offered as the entry point ``blink = blink:WAY`` of the group ``tactical.ways``.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

from tactical.errors import Refusal
from tactical.movement.graph.draft import Draft
from tactical.movement.graph.footing import stands
from tactical.movement.graph.lattice import Lattice
from tactical.movement.graph.writer import Writer
from tactical.movement.query import Query
from tactical.movement.route import State
from tactical.movement.steps.refusal import why_end
from tactical.movement.ways import Way
from tactical.rules.profile import Source
from tactical.units import Cell
from tactical.world.mover import Mover

PRICE, SOURCE = Fraction(10), Source("BLINK-1")
NEAR = [(x, y) for x, y in product(range(-3, 4), repeat=2) if x or y]


def blinks(mover: Mover) -> bool:
    return "phantom" in mover.label.lower()


def rate(query: Query, pool: str) -> Fraction | None:
    return PRICE / 3 if blinks(query.mover) else None


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


def why(lattice: Lattice, state: State, cell: Cell) -> Refusal | None:
    near = (cell.col - state.cell.col, cell.row - state.cell.row) in NEAR
    return why_end(lattice, cell) if near else Refusal("blink.far", {"start": str(state.cell), "cell": str(cell)})


TEXTS = {"blink.far": "no blink leads from {start} to {cell}: that is too far"}
WAY = Way("blink", 75, costs, write=write, rate=rate, provokes=False, why=why, source=SOURCE, refusals=TEXTS)
