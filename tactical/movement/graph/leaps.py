"""The jumps that a map offers, and the run-up that they need."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import ceil
from typing import TYPE_CHECKING, Any

import numpy as np

from tactical.errors import Refusal
from tactical.movement.graph.footing import step_height
from tactical.rules.profile import Approach, Flight
from tactical.world.edges.barriers import Kind
from tactical.world.site import FREE

if TYPE_CHECKING:
    from tactical.movement.graph.frame import Array, Frame
    from tactical.world.edges.crossing import Crossing
    from tactical.world.site import Site

Place = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Leap:
    """One possible jump: take-off and landing (level, j, i), its length in cells, and the height gained.

    Over a gap the step into the landing cell comes on top of it; up or down a `ledge` the jump is the whole step.  A
    `high` jump goes so high (in the map's unit), onto or over what is in the way, and the step into the landing cell
    comes on top too.
    """

    start: Place
    end: Place
    cells: int
    rise: int = 0
    ledge: bool = False
    high: Fraction = Fraction(0)


def leaps(frame: Frame) -> Iterator[Leap]:
    """Every jump that the map offers to a body of one cell, whatever its jumper can do."""
    if frame.profile.jump is None or frame.site.mover.size > 1:
        return
    yield from _over_gaps(frame)
    if frame.profile.jump.ledges and not frame.site.flat:
        yield from _at_ledges(frame)
    if frame.profile.jump.high is not None:
        yield from _up(frame)


def _over_gaps(frame: Frame) -> Iterator[Leap]:
    assert frame.profile.jump is not None
    site, form = frame.site, frame.forms[0]
    gap = site.core(site.fact("gap"))
    if not gap.any():
        return
    limit = step_height(frame) * site.height_scale
    fits, stop = frame.target(form.fits), frame.target(form.stop)
    level_of = None if form.elevation is None else frame.target(form.elevation)
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
                if frame.profile.jump.fly is not None or abs(rise) <= limit:
                    yield Leap(start, at, cells, rise)


def _at_ledges(frame: Frame) -> Iterator[Leap]:
    """The rises and falls of more than a step between neighbours (G-A07) that can be jumped at all."""
    site, form, jump = frame.site, frame.forms[0], frame.profile.jump
    assert jump is not None
    assert form.elevation is not None
    limit, cell = int(step_height(frame) * site.height_scale), site.battlemap.cell
    fits, room = frame.target(form.fits), form.fits & form.stop
    most = ceil(jump.most_run_up(cell) / cell)
    _, height, width = site.shape
    for k, direction in enumerate(site.directions):
        if direction.diagonal:
            continue
        rises = frame.target(form.elevation, direction.di, direction.dj) - frame.target(form.elevation)
        where = (abs(rises) > limit) & fits & frame.target(room, direction.di, direction.dj)
        crossed = site.crossing(k)
        if crossed is not None:
            where = where & (site.core(crossed) == FREE)
        for level, j, i in _places(where):
            end = (level, j + direction.dj, i + direction.di)
            leap = Leap((level, j, i), end, 1, int(rises[level, j, i]), True)
            inside = 0 <= end[1] < height and 0 <= end[2] < width
            if inside and any(isinstance(flight(frame, leap, run_up), Flight) for run_up in {0, most}):
                yield leap


def _up(frame: Frame) -> Iterator[Leap]:
    """The high jumps to a neighbour: onto a floor more than a step higher, or over low walls of known height."""
    site, form, jump = frame.site, frame.forms[0], frame.profile.jump
    assert jump is not None
    assert jump.high is not None
    over = [_height_over(site, crossing) for crossing in site.prices]
    if form.elevation is None and not any(over):
        return
    scale = site.height_scale
    limit, most = int(step_height(frame) * scale), jump.high.running
    floors = np.zeros(form.fits.shape, dtype=np.int64) if form.elevation is None else form.elevation
    room, floor = form.fits & form.stop, frame.target(floors)
    for k, direction in enumerate(site.directions):
        if direction.diagonal:
            continue
        rise = frame.target(floors, direction.di, direction.dj) - floor
        crossed = site.crossing(k)
        code: Array = np.zeros(rise.shape, dtype=np.int64) if crossed is None else site.core(crossed)
        where = frame.target(form.fits) & frame.target(room, direction.di, direction.dj) & (rise >= -limit)
        where = where & (((code == FREE) & (rise > limit) & (rise <= most * scale)) | (code > FREE))
        for level, j, i in _places(where):
            start, end = (level, j, i), (level, j + direction.dj, i + direction.di)
            top = over[int(code[start]) - 1] if code[start] > FREE else Fraction(0)
            if top is None or not (0 <= end[1] < rise.shape[1] and 0 <= end[2] < rise.shape[2]):
                continue
            wall = top - Fraction(int(floor[start]), scale) if code[start] > FREE else Fraction(0)
            up = int(rise[start])
            high = max(wall, Fraction(up if up > limit else 0, scale))
            if 0 < high <= most:
                yield Leap(start, end, 1, up, high=high)


def _height_over(site: Site, crossing: Crossing) -> Fraction | None:
    """The top of what is crossed, where that is low walls of known height and nothing else."""
    met = [site.battlemap.barriers[index] for index in crossing.barriers]
    tops = [wall.top for wall in met if wall.kind is Kind.LOW_WALL and wall.top is not None]
    return max(tops) if crossing.climbed and not crossing.stops and len(tops) == len(met) else None


def _places(where: Any) -> Iterator[Place]:
    for level, j, i in zip(*where.nonzero(), strict=True):
        yield int(level), int(j), int(i)


def approach_of(frame: Frame, leap: Leap, run_up: Fraction) -> Approach:
    """A jump of the map as the rules see it, after so much run-up."""
    site = frame.site
    kinds = site.core(site.kind)
    start, end = (site.kinds[int(kinds[place])] for place in (leap.start, leap.end))
    rise = leap.high or Fraction(leap.rise, site.height_scale)
    length = 0 if leap.high else leap.cells
    return Approach(frame.pool, length * site.battlemap.cell, run_up, rise, start, end)


def flight(frame: Frame, leap: Leap, run_up: int) -> Flight | Refusal:
    """What a jump is after so many cells of run-up."""
    assert frame.profile.jump is not None
    kinds = frame.site.core(frame.site.kind)
    key = (leap.cells, leap.rise, leap.high, run_up, int(kinds[leap.start]), int(kinds[leap.end]))
    if key not in frame.flights:
        approach = approach_of(frame, leap, run_up * frame.site.battlemap.cell)
        frame.flights[key] = frame.profile.jump.flight(approach)
        frame.leapt.append((approach, frame.flights[key]))
    return frame.flights[key]


def run_up_needed(frame: Frame, every: Collection[Leap]) -> int:
    """The most cells of run-up that can matter for any jump of the map; 0 where nothing can be jumped."""
    jump = frame.profile.jump
    gaps = any(frame.site.kinds[n].gap for n in frame.site.used)
    if jump is None or not (gaps or jump.ledges or jump.high is not None):
        return 0
    cell = frame.site.battlemap.cell
    if jump.fly is None:
        run = ceil(jump.run_up / cell)
        return run if gaps or any(_helped(frame, leap, run) for leap in every) else 0
    cells = 0
    for length in {leap.cells for leap in every}:
        wanted = ceil(jump.most_run_up(length * cell) / cell)
        alike = (leap for leap in every if leap.cells == length)
        if wanted > cells and any(_helped(frame, leap, wanted) for leap in alike):
            cells = wanted
    return cells


def _helped(frame: Frame, leap: Leap, run_up: int) -> bool:
    """Whether a run-up makes a jump that can be made; up or down a ledge, one that is surer than from standing."""
    run = flight(frame, leap, run_up)
    if not (leap.ledge or leap.high) or not isinstance(run, Flight):
        return isinstance(run, Flight)
    stood = flight(frame, leap, 0)
    return not isinstance(stood, Flight) or run.chance > stood.chance
