"""Jumps: straight along a row or column, over gap cells, to the first cell beyond (OPR-37, 38, 42).

The landing must be a legal stop, with no barrier on the way, and the jumper on its feet.  A jump costs its flight plus
the ordinary entry into the landing cell.  Simple rules take a landing at the same height, give or take a step, and tell
two lengths, with and without a run-up; others price every approach by itself (`JumpLimits.fly`), with a chance of
success, and may take ledges between neighbours too (`JumpLimits.ledges`), where the flight is the whole step.  Both is
why the distance just run is part of the state.  Plans make only jumps whose chance is at least option ``jump_chance``,
and with none of them a fall that does more than their mover accepts (SHP-25).
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from tactical.movement.graph.draft import Draft
from tactical.movement.graph.footing import fallen, ground_index, stands
from tactical.movement.graph.leaps import Leap, flight
from tactical.movement.graph.paces import STRAIGHT
from tactical.movement.graph.writer import Writer
from tactical.movement.ways import Way
from tactical.rules.profile import Flight


def flights(draft: Draft) -> Iterator[tuple[Leap, int, Flight]]:
    """Every jump that a plan may make: from where to where, the cells of run-up, and what it is."""
    least, fall = draft.options["jump_chance"], draft.profile.fall
    for leap in draft.leaps.values():
        if fall is not None and fallen(draft, leap.rise) > fall.accepted:
            continue
        for run_up in range(draft.run_up + 1):
            found = flight(draft, leap, run_up)
            if isinstance(found, Flight) and found.chance and found.chance >= least:
                yield leap, run_up, found


def costs(draft: Draft) -> Iterator[Fraction]:
    """Every flight's price."""
    return (found.cost for _, _, found in flights(draft))


def write(writer: Writer) -> None:
    """Edges from every standing layer whose run-up allows the length."""
    draft = writer.draft
    jump = draft.profile.jump
    if jump is None or "standing" not in draft.profile.postures:
        return
    standing = draft.profile.postures.index("standing")
    table = draft.paces.table("standing", draft.forms[0], STRAIGHT)
    index = draft.site.core(ground_index(draft, draft.forms[0]))
    room = draft.target(stands(draft, draft.forms[0], "standing"))
    for leap, run_up, found in flights(draft):
        landing = int(table[index[leap.end]])
        if landing == 0 or not room[leap.end] or not room[leap.start]:
            continue
        for n, layer in draft.plain_layers:
            if layer.posture == standing and not layer.squeezed and layer.run_up == run_up:
                target = draft.layer_index[layer._replace(run_up=0)]
                ticks = draft.ticks(found.cost) + (0 if leap.ledge else landing - 1)
                writer.edge(draft.node(n, leap.start), draft.node(target, leap.end), ticks, WAY.name, leap.cells)


WAY = Way("jump", 80, costs, write=write)
