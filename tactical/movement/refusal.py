"""Why a single step is not possible: the nearest reason, with what stands in the way."""

from __future__ import annotations

from fractions import Fraction
from itertools import chain

from tactical.errors import Refusal
from tactical.movement.forms import Form
from tactical.movement.lattice import Lattice
from tactical.movement.route import State
from tactical.movement.ways.climb import prices, step_height
from tactical.movement.ways.drop import damage
from tactical.movement.ways.jump import approach_of, leaps
from tactical.movement.ways.walk import CEILING, uphill
from tactical.units import Cell, show
from tactical.world.barriers import DoorState, Kind
from tactical.world.crossing import CUT, as_met, barriers_between
from tactical.world.grids import neighbours
from tactical.world.site import FREE, HELD, Site


def why_cell(lattice: Lattice, cell: Cell) -> Refusal | None:
    """Why a body can never stand with its anchor on `cell`, or None where it can."""
    site = lattice.site
    name = site.battlemap.name_of(cell) if cell in site.battlemap else str(cell)
    place = site.place(cell)
    if cell not in site.battlemap or place is None:
        return Refusal("move.off_map", {"cell": name})
    form = lattice.draft.forms[0]
    for at in site.footprint_cells(cell, site.mover.size):
        reason = _why_ground(lattice, at)
        if reason is not None:
            return reason
    if not bool(lattice.draft.target(form.fits)[place]):
        return Refusal("move.no_fit", {"cell": name})
    return None


def _why_ground(lattice: Lattice, cell: Cell) -> Refusal | None:
    site = lattice.site
    place = site.place(cell)
    if cell not in site.battlemap or place is None:
        return Refusal("move.no_fit", {"cell": str(cell)})
    name = site.battlemap.name_of(cell)
    terrain = site.kinds[int(site.core(site.kind)[place])]
    if terrain.unknown and bool(site.core(site.solid)[place]):
        return Refusal("move.unknown", {"cell": name})
    if terrain.impassable:
        return Refusal("move.impassable", {"cell": name, "terrain": terrain.name or "solid"})
    if terrain.gap:
        return Refusal("move.gap", {"cell": name})
    if site.bodies and int(site.core(site.occupied)[place]) == HELD:
        return Refusal("move.occupied", {"cell": name, "who": ", ".join(m.label for m in site.holders(cell))})
    if bool(site.core(site.closed_to_plans)[place]):
        return Refusal("move.hazard", {"cell": name, "hazard": terrain.hazard})
    return None


def why_stop(lattice: Lattice, cell: Cell) -> Refusal | None:
    """Why a move may not end on a cell that can be passed, or None where it may."""
    site = lattice.site
    for at in site.footprint_cells(cell, site.mover.size):
        place = site.place(at)
        if place is None:
            continue
        terrain = site.kinds[int(site.core(site.kind)[place])]
        why = ""
        holders = site.holders(at) if site.bodies else ()
        if holders:
            why = "it is held by " + ", ".join(f"{m.label} ({site.mover.towards(m)})" for m in holders)
        elif terrain.no_stop:
            why = f"nobody can rest on {terrain.name or 'this ground'}"
        elif terrain.gap:
            why = "it is a gap"
        elif terrain.swum and not site.options["deep_water_stop"]:
            why = "nobody rests in deep water (option deep_water_stop)"
        if why:
            return Refusal("move.stop", {"cell": site.battlemap.name_of(at), "why": why})
    return None


def why_step(lattice: Lattice, state: State, cell: Cell) -> Refusal | None:
    """Why the step from `state` to the neighbouring `cell` is not possible, or None where it is."""
    site, draft = lattice.site, lattice.draft
    names = {
        "start": site.battlemap.name_of(state.cell),
        "cell": site.battlemap.name_of(cell) if cell in site.battlemap else str(cell),
    }
    direction = next((d for d, n in neighbours(site.battlemap.grid, state.cell) if n == cell), None)
    if direction is None:
        return Refusal("move.not_adjacent", names)
    if direction not in site.directions:
        return Refusal("move.diagonal", names)
    k = site.directions.index(direction)
    form = draft.forms[int(state.squeezed)]
    place = site.place(state.cell)
    assert place is not None
    barred = _why_barrier(lattice, form, k, place, names)
    reason = why_cell(lattice, cell) if not state.squeezed else None
    if reason is not None and not (reason.code == "move.no_fit" and barred is not None):
        return reason
    if barred is not None:
        return barred
    plane = draft.planes[int(state.squeezed)][k]
    if plane.rise is not None:
        rise = Fraction(int(plane.rise[place]), site.height_scale)
        up, down = prices(draft)
        high = rise > step_height(draft) and (up is None or direction.diagonal)
        low = rise < -step_height(draft) and (down is None or direction.diagonal)
        if low and not bool(plane.open[place]) and (hurt := damage(draft, int(plane.rise[place]))):
            accepted = hurt if draft.profile.fall is None else draft.profile.fall.accepted
            words = {"fall": show(-rise), "damage": show(hurt), "accepted": show(accepted)}
            return Refusal("move.fall", {**names, **words, "unit": site.battlemap.unit})
        if (high or low) and not bool(plane.open[place]):
            return Refusal("move.height", {**names, "rise": show(abs(rise)), "unit": site.battlemap.unit})
    there = (place[0], place[1] + direction.dj, place[2] + direction.di)
    if int(draft.target(form.headroom)[there]) > CEILING.get(state.posture, 0):
        return Refusal("move.headroom", {**names, "posture": state.posture})
    kinds = site.core(site.kind, direction.di, direction.dj)
    rising = uphill(draft, plane, kinds)
    pace = draft.paces.pace(state.posture, int(kinds[place]), bool(rising[place]) if rising is not None else False)
    if isinstance(pace, Refusal):
        return pace
    limit = draft.door_limit
    crossing = 0 if plane.crossing is None else int(plane.crossing[place])
    if limit is not None and crossing > 0 and draft.prices[crossing - 1].opens and state.doors >= limit:
        return Refusal("move.door_limit", {**names, "limit": limit})
    if crossing > 0 and pace.mode in draft.prices[crossing - 1].stops:
        what = as_met(site, draft.prices[crossing - 1].barriers[0]).named()
        return Refusal("move.wall", {**names, "what": f"{what}, which stops who would {pace.mode},"})
    return None if bool(plane.open[place]) else Refusal("move.no_fit", names)


def _why_barrier(
    lattice: Lattice, form: Form, k: int, place: tuple[int, int, int], names: dict[str, str]
) -> Refusal | None:
    site, draft = lattice.site, lattice.draft
    direction = site.directions[k]
    if direction.legs is None:
        crossed = draft._crossing(form, k)
        if crossed is None or draft.target(crossed)[place] != CUT:
            return None
        return _barrier_words(site, form, place, k, names)
    plane = site.crossing(k)
    if plane is not None and site.core(plane)[place] != FREE:
        return _barrier_words(site, form, place, k, names)
    crossings = [draft._crossing(form, n) for n in range(len(site.directions))]
    around, doors = draft._corner(form, crossings, direction.legs)
    open_ = bool(around[place]) or (doors is not None and bool(doors[place]))
    return None if open_ else Refusal("move.corner", names)


def _barrier_words(site: Site, form: Form, place: tuple[int, int, int], k: int, names: dict[str, str]) -> Refusal:
    (level, j, i), way = place, site.directions[k]
    # a large body meets what stands before any of the cells that lead
    lead = [(di, dj) for di, dj in form.cells if (di + way.di, dj + way.dj) not in form.cells]
    found = (barriers_between(site, site.cell(level, j + dj, i + di), k) for di, dj in lead)
    met = [as_met(site, index) for index in dict.fromkeys(chain(*found))]
    doors = [barrier for barrier in met if barrier.kind is Kind.DOOR and barrier.state is not DoorState.OPEN]
    if doors:
        return Refusal("move.door", {**names, "what": doors[0].named()})
    one_way = [barrier for barrier in met if barrier.one_way]
    if one_way:
        return Refusal("move.one_way", names)
    return Refusal("move.wall", {**names, "what": met[0].named() if met else "wall"})


def why_jump(lattice: Lattice, state: State, cell: Cell, names: dict[str, str]) -> Refusal:
    """Why the jump from `state` to `cell` is not possible."""
    jump = lattice.profile.jump
    if jump is None:
        return Refusal("rules.not_covered", {"why": "jumping without a Strength score"})
    ends = (lattice.site.place(state.cell), lattice.site.place(cell))
    leap = next((leap for leap in leaps(lattice.draft) if (leap.start, leap.end) == ends), None)
    if leap is None:
        return Refusal("move.gap", names)
    if state.posture != "standing":
        return Refusal("move.posture", {"posture": state.posture, **names})
    found = jump.flight(approach_of(lattice.draft, leap, state.run_up * lattice.site.battlemap.cell))
    if isinstance(found, Refusal):
        return found
    return Refusal("move.jump_chance", {"chance": str(found.chance), "least": str(lattice.options["jump_chance"])})
