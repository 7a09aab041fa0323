"""A way that writes no edges and shapes those of others: unstable ground costs 10 more to enter, and bears no giants.

Offered as the entry point ``mire = mire:WAY`` of the group ``tactical.ways``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Any

from tactical.errors import Refusal
from tactical.movement.graph.body import Plane
from tactical.movement.graph.draft import Draft
from tactical.movement.graph.lattice import Lattice
from tactical.movement.route import Charge, State
from tactical.movement.ways import Obstacle, Part, Way, on_ground
from tactical.rules.profile import Source
from tactical.units import Cell

CHARGE = Charge("mire", Fraction(10), True, Source("MIRE-1"))


def heavy(draft: Draft) -> bool:
    return "giant" in draft.site.mover.label.lower()


def entered(draft: Draft, plane: Plane) -> Any:
    step = draft.site.directions[plane.direction]
    return draft.site.core(draft.site.fact("unstable"), step.di, step.dj) != 0


def costs(draft: Draft) -> Iterator[Fraction]:
    yield CHARGE.value


def shape(draft: Draft) -> None:
    for plane in (plane for planes in draft.planes for plane in planes):
        if heavy(draft):
            plane.open = plane.open & ~entered(draft, plane)
        else:
            plane.charge(entered(draft, plane), draft.ticks(CHARGE.value))


def part(lattice: Lattice, node: int, plane: Plane) -> Part | None:
    return Part((CHARGE,)) if entered(lattice.draft, plane)[lattice.place(node)] else None


def why(lattice: Lattice, state: State, cell: Cell) -> Refusal | None:
    sinks = heavy(lattice.draft) and lattice.site.battlemap.terrain(cell).unstable
    return Refusal("move.impassable", {"cell": str(cell), "terrain": "it bears no giant"}) if sinks else None


OWN = (Obstacle("mire", 65, lambda query: on_ground(query, lambda kind: replace(kind, unstable=False), "unstable")),)
WAY = Way("mire", 40, costs, shape=shape, part=part, why=why, relax=OWN, words={"mire": "wade the mire"})
