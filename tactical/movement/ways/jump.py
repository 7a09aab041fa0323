"""Long jumps over gaps: straight along a row or column, over gap cells, to the first cell beyond (OPR-37, 38, 42).

The landing must be a legal stop at the same height give or take a step, with no barrier on the way, and the jumper on
its feet.  A jump costs its length plus the ordinary entry into the landing cell; a longer one needs a run-up, which is
why the distance just run is part of the state.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from tactical.movement.draft import Draft
from tactical.movement.lattice import Writer
from tactical.movement.paces import STRAIGHT
from tactical.movement.ways import Way
from tactical.movement.ways.climb import step_height
from tactical.movement.ways.walk import ground_index, stands
from tactical.world.site import FREE

Place = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Leap:
    """One possible jump: take-off and landing (level, j, i), and its length in cells."""

    start: Place
    end: Place
    cells: int


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
                if level_of is None or abs(int(level_of[at]) - int(level_of[start])) <= limit:
                    yield Leap(start, at, cells)


def _places(where: Any) -> Iterator[Place]:
    for level, j, i in zip(*where.nonzero(), strict=True):
        yield int(level), int(j), int(i)


def flight(draft: Draft, leap: Leap) -> Fraction:
    """Price of the jump without the landing."""
    jump = draft.profile.jump
    assert jump is not None
    return leap.cells * draft.site.battlemap.cell * jump.base


def costs(draft: Draft) -> Iterator[Fraction]:
    """A cell jumped."""
    if draft.profile.jump is not None:
        yield draft.site.battlemap.cell * draft.profile.jump.base


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
    for leap in leaps(draft):
        landing = int(table[index[leap.end]])
        if landing == 0 or not room[leap.end] or not room[leap.start]:
            continue
        length = leap.cells * draft.site.battlemap.cell
        for n, layer in enumerate(draft.layers):
            if layer.posture != standing or layer.squeezed:
                continue
            longest = jump.running if draft.run_up and layer.run_up >= draft.run_up else jump.standing
            if length <= longest:
                target = draft.layer_index[layer._replace(run_up=0)]
                ticks = draft.ticks(flight(draft, leap)) + landing - 1
                writer.edge(draft.node(n, leap.start), draft.node(target, leap.end), ticks, WAY.name, leap.cells)


WAY = Way("jump", 80, costs, write=write)
