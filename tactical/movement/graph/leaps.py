"""The jumps that a map offers, and the run-up that they need."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from math import ceil
from typing import TYPE_CHECKING, Any

import numpy as np

from tactical.errors import Refusal
from tactical.movement.graph.footing import step_height
from tactical.movement.graph.paces import STRAIGHT
from tactical.rules.profile import Approach, Flight
from tactical.units import exact, show
from tactical.world.edges.barriers import Kind
from tactical.world.site import FREE

if TYPE_CHECKING:
    from tactical.movement.graph.draft import Array, Draft
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


def leaps(draft: Draft) -> Iterator[Leap]:
    """Every jump that the map offers to a body of one cell, whatever its jumper can do."""
    if draft.profile.jump is None or draft.site.mover.size > 1:
        return
    yield from _over_gaps(draft)
    if draft.profile.jump.ledges and not draft.site.flat:
        yield from _at_ledges(draft)
    if draft.profile.jump.high is not None:
        yield from _up(draft)


def _over_gaps(draft: Draft) -> Iterator[Leap]:
    assert draft.profile.jump is not None
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


def _at_ledges(draft: Draft) -> Iterator[Leap]:
    """The rises and falls of more than a step between neighbours (G-A07) that can be jumped at all."""
    site, form, jump = draft.site, draft.forms[0], draft.profile.jump
    assert jump is not None
    assert form.elevation is not None
    limit, cell = int(step_height(draft) * site.height_scale), site.battlemap.cell
    fits, room = draft.target(form.fits), form.fits & form.stop
    most = ceil(jump.most_run_up(cell) / cell)
    _, height, width = site.shape
    for k, direction in enumerate(site.directions):
        if direction.diagonal:
            continue
        rises = draft.target(form.elevation, direction.di, direction.dj) - draft.target(form.elevation)
        where = (abs(rises) > limit) & fits & draft.target(room, direction.di, direction.dj)
        crossed = site.crossing(k)
        if crossed is not None:
            where = where & (site.core(crossed) == FREE)
        for level, j, i in _places(where):
            end = (level, j + direction.dj, i + direction.di)
            leap = Leap((level, j, i), end, 1, int(rises[level, j, i]), True)
            inside = 0 <= end[1] < height and 0 <= end[2] < width
            if inside and any(isinstance(flight(draft, leap, run_up), Flight) for run_up in {0, most}):
                yield leap


def _up(draft: Draft) -> Iterator[Leap]:
    """The high jumps to a neighbour: onto a floor more than a step higher, or over low walls of known height."""
    site, form, jump = draft.site, draft.forms[0], draft.profile.jump
    assert jump is not None
    assert jump.high is not None
    over = [_height_over(site, crossing) for crossing in site.prices]
    if form.elevation is None and not any(over):
        return
    scale = site.height_scale
    limit, most = int(step_height(draft) * scale), jump.high.running
    floors = np.zeros(form.fits.shape, dtype=np.int64) if form.elevation is None else form.elevation
    room, floor = form.fits & form.stop, draft.target(floors)
    for k, direction in enumerate(site.directions):
        if direction.diagonal:
            continue
        rise = draft.target(floors, direction.di, direction.dj) - floor
        crossed = site.crossing(k)
        code: Array = np.zeros(rise.shape, dtype=np.int64) if crossed is None else site.core(crossed)
        where = draft.target(form.fits) & draft.target(room, direction.di, direction.dj) & (rise >= -limit)
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


def approach_of(draft: Draft, leap: Leap, run_up: Fraction) -> Approach:
    """A jump of the map as the rules see it, after so much run-up."""
    site = draft.site
    kinds = site.core(site.kind)
    start, end = (site.kinds[int(kinds[place])] for place in (leap.start, leap.end))
    rise = leap.high or Fraction(leap.rise, site.height_scale)
    length = 0 if leap.high else leap.cells
    return Approach(draft.pool, length * site.battlemap.cell, run_up, rise, start, end)


def flight(draft: Draft, leap: Leap, run_up: int) -> Flight | Refusal:
    """What a jump is after so many cells of run-up."""
    assert draft.profile.jump is not None
    kinds = draft.site.core(draft.site.kind)
    key = (leap.cells, leap.rise, leap.high, run_up, int(kinds[leap.start]), int(kinds[leap.end]))
    if key not in draft.flights:
        approach = approach_of(draft, leap, run_up * draft.site.battlemap.cell)
        draft.flights[key] = draft.profile.jump.flight(approach)
        draft.leapt.append((approach, draft.flights[key]))
    return draft.flights[key]


def why_unmade(draft: Draft, leap: Leap, run_up: Fraction) -> Refusal | None:
    """Why the rules do not make a jump: its run-up where that would do, in whole cells, its length or its chance."""
    jump, least, cell = draft.profile.jump, draft.options["jump_chance"], draft.site.battlemap.cell
    assert jump is not None
    approach = approach_of(draft, leap, run_up)
    found = jump.flight(approach)
    if isinstance(found, Flight) and found.chance and found.chance >= least:
        return None
    lacking = jump.lacking(approach, least)
    if lacking is not None:
        need = ceil(exact(str(lacking.params["need"])) / cell) * cell
        hasty = _too_long_for_a_turn(draft, leap, need)
        return Refusal("move.run_up", {**lacking.params, "need": show(need)}) if hasty is None else hasty
    if isinstance(found, Refusal) and found.code == "move.run_up":
        # a run-up makes it possible, but not likely enough
        found = jump.flight(replace(approach, run_up=exact(str(found.params["need"]))))
    if isinstance(found, Refusal):
        return found
    return Refusal("move.jump_chance", {"chance": str(found.chance), "least": str(least) if least else "any at all"})


def _too_long_for_a_turn(draft: Draft, leap: Leap, run_up: Fraction) -> Refusal | None:
    """The refusal of a jump that no turn has movement for together with its run-up and landing, or None."""
    site, jump = draft.site, draft.profile.jump
    made = None if jump is None else jump.flight(approach_of(draft, leap, run_up))
    kinds = site.core(site.kind)
    run, land = (
        draft.paces.cost_on("standing", int(kinds[at]), False, FREE, False, STRAIGHT) for at in (leap.start, leap.end)
    )
    if not isinstance(made, Flight) or run is None or land is None:
        return None
    most = max((gait.budget for gait in draft.profile.gaits if gait.pool == draft.pool), default=Fraction(0))
    cost = run_up / site.battlemap.cell * run + made.cost + (0 if leap.ledge else land)
    if cost <= most:
        return None
    names = {word: site.battlemap.name_of(site.cell(*at)) for word, at in (("start", leap.start), ("to", leap.end))}
    note = f", {show(run_up)} {site.battlemap.unit} of run-up included,"
    words = {"cell": names["to"], "cost": show(cost), "budget": show(most), "unit": draft.profile.unit, "note": note}
    return Refusal("move.stretch", {**names, **words})


def run_up_needed(draft: Draft) -> int:
    """The most cells of run-up that can matter for any jump of the map; 0 where nothing can be jumped."""
    jump = draft.profile.jump
    gaps = any(draft.site.kinds[n].gap for n in draft.site.used)
    if jump is None or not (gaps or jump.ledges or jump.high is not None):
        return 0
    cell = draft.site.battlemap.cell
    if jump.fly is None:
        run = ceil(jump.run_up / cell)
        return run if gaps or any(_helped(draft, leap, run) for leap in draft.leaps.values()) else 0
    cells = 0
    for length in {leap.cells for leap in draft.leaps.values()}:
        wanted = ceil(jump.most_run_up(length * cell) / cell)
        alike = (leap for leap in draft.leaps.values() if leap.cells == length)
        if wanted > cells and any(_helped(draft, leap, wanted) for leap in alike):
            cells = wanted
    return cells


def _helped(draft: Draft, leap: Leap, run_up: int) -> bool:
    """Whether a run-up makes a jump that can be made; up or down a ledge, one that is surer than from standing."""
    run = flight(draft, leap, run_up)
    if not (leap.ledge or leap.high) or not isinstance(run, Flight):
        return isinstance(run, Flight)
    stood = flight(draft, leap, 0)
    return not isinstance(stood, Flight) or run.chance > stood.chance
