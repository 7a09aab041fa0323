"""Drops: stepping off a ledge and taking the fall, where a rule system has falls (SHP-23 … SHP-25).

A drop costs an ordinary step; a plan takes none that hurts more than its mover accepts.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING

from tactical.errors import Refusal
from tactical.movement.graph.body import Plane
from tactical.movement.graph.draft import Draft
from tactical.movement.graph.footing import ANY_DAMAGE, damage, step_height
from tactical.movement.graph.lattice import Lattice
from tactical.movement.route import State
from tactical.movement.steps.explain import fall_charge, prepared
from tactical.movement.steps.refusal import names_of, step_to, too_deep
from tactical.movement.ways import Obstacle, Part, Way
from tactical.units import Cell

if TYPE_CHECKING:
    from tactical.movement.query import Query


def shape(draft: Draft) -> None:
    """Close the drops that hurt more than is accepted."""
    if draft.site.flat or draft.profile.fall is None or draft.options["ledge_down"] != "drop":
        return
    for planes in draft.planes:
        for plane in planes:
            assert plane.rise is not None
            for rise in sorted(set(plane.rise.ravel().tolist())):
                if damage(draft, rise) > draft.profile.fall.accepted:
                    plane.open = plane.open & (plane.rise != rise)
                elif Fraction(-rise, draft.site.height_scale) > step_height(draft):
                    plane.reset(plane.rise == rise)


def part(lattice: Lattice, node: int, plane: Plane) -> Part | None:
    """What a drop does, and the roll of jumping down on purpose, where the rules have one."""
    draft = lattice.draft
    if plane.rise is None or draft.profile.fall is None or draft.options["ledge_down"] != "drop":
        return None
    rise = int(plane.rise[lattice.place(node)])
    height, hurt = Fraction(-rise, draft.site.height_scale), damage(draft, rise)
    if hurt:
        return Part((fall_charge(draft, height, hurt),), "drop", prepared(draft, height), hurt)
    return Part(way="drop") if height > step_height(draft) else None


def why(lattice: Lattice, state: State, cell: Cell) -> Refusal | None:
    """A fall that does more than the mover's plans accept."""
    draft, met = lattice.draft, step_to(lattice, state, cell)
    if met is None or met[0].rise is None or draft.profile.fall is None:
        return None
    rise = int(met[0].rise[met[1]])
    return too_deep(draft, rise, names_of(draft.site, state.cell, cell)) if damage(draft, rise) else None


def fearless(query: Query) -> Query | None:
    """The question of somebody who takes any fall; None where there are none."""
    fall = query.profile.fall
    if fall is None or query.options["ledge_down"] != "drop":
        return None
    return query.under(replace(query.profile, fall=replace(fall, accepted=ANY_DAMAGE)))


WAY = Way("drop", 20, shape=shape, part=part, why=why, relax=(Obstacle("falls", 60, fearless),), words={"drop": ""})
