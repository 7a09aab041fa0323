"""The jumps that a map offers, and the run-up that they need."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import ceil
from typing import TYPE_CHECKING, Any

from tactical.errors import Refusal
from tactical.movement.graph.footing import step_height
from tactical.rules.profile import Approach, Flight
from tactical.world.site import FREE

if TYPE_CHECKING:
    from tactical.movement.graph.draft import Draft

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
