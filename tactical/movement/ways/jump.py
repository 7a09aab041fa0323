"""Long jumps over gaps: straight along a row or column, over gap cells, to the first cell beyond (OPR-37, 38, 42).

The landing must be a legal stop, with no barrier on the way, and the jumper on its feet.  A jump costs its flight plus
the ordinary entry into the landing cell.  Simple rules take a landing at the same height, give or take a step, and tell
two lengths, with and without a run-up; others price every approach by itself (`JumpLimits.fly`), with a chance of
success.  Both is why the distance just run is part of the state.  Plans make only jumps whose chance is at least
option ``jump_chance``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import ceil
from typing import Any

from tactical.errors import Refusal
from tactical.movement.draft import Draft
from tactical.movement.lattice import Writer
from tactical.movement.paces import STRAIGHT
from tactical.movement.ways import Way
from tactical.movement.ways.climb import step_height
from tactical.movement.ways.walk import ground_index, stands
from tactical.rules.profile import Approach, Flight
from tactical.world.site import FREE

Place = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Leap:
    """One possible jump: take-off and landing (level, j, i), its length in cells, and the height gained."""

    start: Place
    end: Place
    cells: int
    rise: int = 0


def leaps(draft: Draft) -> Iterator[Leap]:
    """Every jump that the map offers to a body of one cell, whatever its jumper can do."""
    if draft.profile.jump is None or draft.site.mover.size > 1:
        return
    site, form = draft.site, draft.forms[0]
    gap = site.core(site.fact("gap"))
    if not gap.any():
        return
    limit = step_height(draft) * site.height_scale
    fits, stop = draft.target(form.fits), draft.target(form.stop)
    level_of = None if form.elevation is None else draft.target(form.elevation)
    _, height, width = site.shape
    for k, direction in enumerate(site.directions):
        if direction.diagonal:
            continue
        crossed = site.crossing(k)
        barred = None if crossed is None else site.core(crossed)
        for level, j, i in _places(gap):
            start = (level, j - direction.dj, i - direction.di)
            if not (0 <= start[1] < height and 0 <= start[2] < width) or gap[start]:
                continue
            cells, at = 0, start
            while 0 <= at[1] < height and 0 <= at[2] < width and (at == start or gap[at]):
                if barred is not None and barred[at] != FREE:
                    break
                cells += at != start
                at = (level, at[1] + direction.dj, at[2] + direction.di)
            else:
                inside = 0 <= at[1] < height and 0 <= at[2] < width
                if not inside or not fits[at] or not stop[at]:
                    continue
                rise = 0 if level_of is None else int(level_of[at]) - int(level_of[start])
                if draft.profile.jump.fly is not None or abs(rise) <= limit:
                    yield Leap(start, at, cells, rise)


def _places(where: Any) -> Iterator[Place]:
    for level, j, i in zip(*where.nonzero(), strict=True):
        yield int(level), int(j), int(i)


def approach_of(draft: Draft, leap: Leap, run_up: Fraction) -> Approach:
    """A jump of the map as the rules see it, after so much run-up."""
    site = draft.site
    kinds = site.core(site.kind)
    start, end = (site.kinds[int(kinds[place])] for place in (leap.start, leap.end))
    rise = Fraction(leap.rise, site.height_scale)
    return Approach(draft.pool, leap.cells * site.battlemap.cell, run_up, rise, start, end)


def flight(draft: Draft, leap: Leap, run_up: int) -> Flight | Refusal:
    """What a jump is after so many cells of run-up."""
    assert draft.profile.jump is not None
    return draft.profile.jump.flight(approach_of(draft, leap, run_up * draft.site.battlemap.cell))


def run_up_needed(draft: Draft) -> int:
    """The most cells of run-up that can matter for any jump of the map; 0 where nothing can be jumped."""
    jump = draft.profile.jump
    if jump is None or not any(draft.site.kinds[n].gap for n in draft.site.used):
        return 0
    cell = draft.site.battlemap.cell
    if jump.fly is None:
        return ceil(jump.run_up / cell)
    cells = 0
    for length in {leap.cells for leap in leaps(draft)}:
        wanted = ceil(jump.most_run_up(length * cell) / cell)
        alike = (leap for leap in leaps(draft) if leap.cells == length)
        if wanted > cells and any(isinstance(flight(draft, leap, wanted), Flight) for leap in alike):
            cells = wanted
    return cells


def flights(draft: Draft) -> Iterator[tuple[Leap, int, Flight]]:
    """Every jump that a plan may make: the gap, the cells of run-up, and what it is."""
    least = draft.options["jump_chance"]
    for leap in leaps(draft):
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
    index = draft.site.core(ground_index(draft))
    room = draft.target(stands(draft, draft.forms[0], "standing"))
    for leap, run_up, found in flights(draft):
        landing = int(table[index[leap.end]])
        if landing == 0 or not room[leap.end] or not room[leap.start]:
            continue
        for n, layer in draft.plain_layers:
            if layer.posture == standing and not layer.squeezed and layer.run_up == run_up:
                target = draft.layer_index[layer._replace(run_up=0)]
                ticks = draft.ticks(found.cost) + landing - 1
                writer.edge(draft.node(n, leap.start), draft.node(target, leap.end), ticks, WAY.name, leap.cells)


WAY = Way("jump", 80, costs, write=write)
