"""A way of moving in one file: the winged fly straight over whatever is low enough, and come down where one may stand.
Offered as the entry point ``fly = fly:WAY`` of the group ``tactical.ways``.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

from tactical.movement.graph.draft import Draft
from tactical.movement.graph.footing import stands
from tactical.movement.graph.lattice import Lattice
from tactical.movement.graph.writer import Loose, Writer
from tactical.movement.query import Query
from tactical.movement.route import Charge, Step
from tactical.movement.ways import Way
from tactical.rules.profile import Source
from tactical.world.mover import Mover

FAR, SOURCE = 6, Source("FLY-1")
LEGS = [(x * n, y * n, n) for x, y in product((-1, 0, 1), repeat=2) if x or y for n in range(2, FAR + 1)]


def winged(mover: Mover) -> bool:
    return "winged" in mover.label.lower()


def rate(query: Query, pool: str) -> Fraction | None:
    return query.battlemap.cell if winged(query.mover) else None


def costs(draft: Draft) -> Iterator[Fraction]:
    return (draft.site.battlemap.cell * n for n in range(2, FAR + 1)) if winged(draft.site.mover) else iter(())


def write(writer: Writer) -> None:
    draft = writer.draft
    rock = draft.site.core(draft.site.fact("impassable"))
    for n, layer in draft.plain_layers if winged(draft.site.mover) else ():
        room = draft.target(stands(draft, draft.forms[layer.squeezed], draft.profile.postures[layer.posture]))
        target = draft.layer_index[layer._replace(run_up=0)]
        places = {tuple(map(int, place)) for place in zip(*room.nonzero(), strict=True)}
        for (level, j, i), (x, y, cells) in product(places, LEGS):
            end, under = (level, j + y, i + x), range(1, cells)
            if end in places and not any(rock[level, j + y * k // cells, i + x * k // cells] for k in under):
                ticks = draft.ticks(draft.site.battlemap.cell * cells)
                writer.edge(draft.node(n, (level, j, i)), draft.node(target, end), ticks, WAY.name, cells)


def explain(lattice: Lattice, edge: Loose) -> Step:
    cost, length = lattice.cost(edge.ticks), lattice.site.battlemap.cell * edge.note
    charges = (Charge("fly", cost, True, SOURCE),)
    return Step(lattice.state(edge.start), lattice.state(edge.end), "fly", cost, length, charges, SOURCE)


WAY = Way("fly", 76, costs, write=write, rate=rate, explain=explain, words={"fly": "fly {length} {unit}"})
