"""Why a single step is not possible: the nearest reason, with what stands in the way."""

from __future__ import annotations

from fractions import Fraction

from tactical.errors import Refusal
from tactical.movement.graph.body import Form, Plane
from tactical.movement.graph.draft import Draft
from tactical.movement.graph.footing import fallen, priced_cells, uphill
from tactical.movement.graph.lattice import Lattice
from tactical.movement.graph.leaps import Place
from tactical.movement.graph.media import Medium
from tactical.movement.route import State
from tactical.rules.profile import Pace
from tactical.units import Cell, show
from tactical.world.edges.barriers import DoorState, Kind
from tactical.world.edges.crossing import CUT, as_met, barriers_between
from tactical.world.grids import neighbours
from tactical.world.site import FREE, HELD, Site


def why_end(lattice: Lattice, cell: Cell) -> Refusal | None:
    """Why no move may end on `cell`, on the ground or in any medium open to the mover; None where one may."""
    reason = why_cell(lattice, cell)
    reason = why_stop(lattice, cell) if reason is None else reason
    place, target = lattice.site.place(cell), lattice.draft.target
    if reason is None or place is None:
        return reason
    media = (form for form in lattice.draft.forms if form.medium is not None)
    return None if any(target(form.fits)[place] and target(form.stop)[place] for form in media) else reason


def why_cell(lattice: Lattice, cell: Cell, form: Form | None = None) -> Refusal | None:
    """Why a body can never stand with its anchor on `cell`, or None where it can: the cell or side that stops it."""
    site = lattice.site
    name = site.battlemap.name_of(cell) if cell in site.battlemap else str(cell)
    place = site.place(cell)
    if cell not in site.battlemap or place is None:
        return Refusal("move.off_map", {"cell": name})
    form = lattice.draft.forms[0] if form is None else form
    if bool(lattice.draft.target(form.fits)[place]):
        return None
    for at in site.footprint_cells(cell, form.size):
        if at not in site.battlemap:
            return Refusal("move.no_fit", {"cell": name, "why": ": it would lie over the edge of the map"})
        reason = _why_ground(lattice, at) if form.medium is None else _why_medium(lattice, at, form.medium)
        if reason is not None:
            return reason if at == cell else bulky(reason, form.size)
    within = _why_within(lattice, form, cell)
    return Refusal("move.no_fit", {"cell": name}) if within is None else bulky(within, form.size)


def bulky(reason: Refusal, size: int) -> Refusal:
    """A reason why a body of this size does not pass where one of a cell would; `move.no_fit` says so by itself."""
    said = {name: value for name, value in reason.params.items() if name != "body"}
    if size == 1 or reason.code == "move.no_fit":
        return Refusal(reason.code, said)
    return Refusal(reason.code, {**said, "body": f"{size} x {size}"})


def _why_within(lattice: Lattice, form: Form, cell: Cell) -> Refusal | None:
    """What stands between the cells of a body with its anchor on `cell`, if anything does."""
    site = lattice.site
    cells = list(site.footprint_cells(cell, form.size))
    for at in cells:
        for k, (direction, there) in enumerate(neighbours(site.battlemap.grid, at)):
            if there in cells and not direction.diagonal:
                code = crossing_code(site, at, k)
                if code != FREE and not (code > 0 and site.prices[code - 1].opens):
                    return barrier_words(site, at, k, names_of(site, at, there))
    return None


def names_of(site: Site, start: Cell, cell: Cell) -> dict[str, str]:
    named = (site.battlemap.name_of(at) if at in site.battlemap else str(at) for at in (start, cell))
    return dict(zip(("start", "cell"), named, strict=True))


def crossing_code(site: Site, cell: Cell, k: int) -> int:
    """What the step from a cell in the grid's direction k meets, as `Site.crossing` has it; FREE outside the window."""
    plane, place = site.crossing(k), site.place(cell)
    return FREE if plane is None or place is None else int(site.core(plane)[place])


def _why_ground(lattice: Lattice, cell: Cell) -> Refusal | None:
    site = lattice.site
    place = site.place(cell)
    if place is None:
        return Refusal("move.no_fit", {"cell": str(cell)})
    name = site.battlemap.name_of(cell)
    terrain = site.ground(place)
    if terrain.unknown and bool(site.core(site.solid)[place]):
        return Refusal("move.unknown", {"cell": name})
    if terrain.impassable:
        return Refusal("move.impassable", {"cell": name, "terrain": terrain.name or "solid"})
    if terrain.gap and site.mover.size > 1:
        return Refusal("move.no_fit", {"cell": name, "why": ": it is a gap, and only a body of one cell jumps"})
    if terrain.gap:
        return Refusal("move.gap", {"cell": name})
    if site.bodies and int(site.core(site.occupied)[place]) == HELD:
        return Refusal("move.occupied", {"cell": name, "who": ", ".join(m.label for m in site.holders(cell))})
    if bool(site.core(site.closed_to_plans)[place]):
        return Refusal("move.hazard", {"cell": name, "hazard": terrain.hazard})
    return None


def _why_medium(lattice: Lattice, cell: Cell, medium: Medium) -> Refusal | None:
    site, place = lattice.site, lattice.site.place(cell)
    name = site.battlemap.name_of(cell)
    if place is None or bool(site.core(medium.solid(site))[place]):
        return Refusal("move.no_fit", {"cell": name, "why": f": nobody is {medium.name} there"})
    if medium.bodies and site.bodies and int(site.core(site.occupied)[place]) == HELD:
        return Refusal("move.occupied", {"cell": name, "who": ", ".join(m.label for m in site.holders(cell))})
    return None


def why_stop(lattice: Lattice, cell: Cell) -> Refusal | None:
    """Why a move may not end on a cell that can be passed, or None where it may."""
    site = lattice.site
    for at in site.footprint_cells(cell, site.mover.size):
        place = site.place(at)
        if place is None:
            continue
        terrain = site.ground(place)
        why = ""
        holders = site.holders(at) if site.bodies else ()
        if holders:
            why = "it is held by " + ", ".join(f"{m.label} ({site.mover.towards(m)})" for m in holders)
        elif terrain.no_stop:
            why = f"nobody can rest on {terrain.name or 'this ground'}"
        elif terrain.gap:
            why = "it is a gap"
        elif terrain.deep(site.neck) and not site.options["deep_water_stop"]:
            why = "nobody rests in deep water (option deep_water_stop)"
        if why:
            return Refusal("move.stop", {"cell": site.battlemap.name_of(at), "why": why})
    return None


def why_step(lattice: Lattice, state: State, cell: Cell) -> Refusal | None:
    """Why the step from `state` to the neighbouring `cell` is not possible, or None where it is."""
    site, draft = lattice.site, lattice.draft
    names = names_of(site, state.cell, cell)
    direction = next((d for d, n in neighbours(site.battlemap.grid, state.cell) if n == cell), None)
    if direction is None:
        return Refusal("move.not_adjacent", names)
    if direction not in site.directions:
        return Refusal("move.diagonal", names)
    k = site.directions.index(direction)
    number = draft.form_of(state.posture, state.squeezed)
    form, place = draft.forms[number], site.place(state.cell)
    assert place is not None
    barred = _why_barrier(lattice, form, k, place, names)
    reason = why_cell(lattice, cell, form)
    # where nobody could stand no corner is to blame; but a side that bars the step says more than that it does not fit
    aside = barred is not None and barred.code != "move.corner"
    if reason is not None and not (reason.code == "move.no_fit" and aside):
        return reason
    if barred is not None:
        return barred
    plane = draft.planes[number][k]
    reason = None if bool(plane.open[place]) else _why_closed(lattice, state, cell)
    reason = why_roof(lattice, form, cell, state.posture) if reason is None else reason
    pace = _why_pace(lattice, form, plane, state.posture, place)
    for refused in (reason, pace):
        if isinstance(refused, Refusal):
            return refused
    limit = draft.door_limit
    crossing = 0 if plane.crossing is None else int(plane.crossing[place])
    if limit is not None and crossing > 0 and draft.prices[crossing - 1].opens and state.doors >= limit:
        return Refusal("move.door_limit", {**names, "limit": limit})
    if crossing > 0 and isinstance(pace, Pace) and pace.mode in draft.prices[crossing - 1].stops:
        what = as_met(site, draft.prices[crossing - 1].barriers[0]).named()
        return Refusal("move.wall", {**names, "what": f"{what}, which stops who would {pace.mode},"})
    if bool(plane.open[place]):
        return None
    alongside = _why_alongside(lattice, form, k, cell)
    return Refusal("move.no_fit", names) if alongside is None else alongside


def step_to(lattice: Lattice, state: State, cell: Cell) -> tuple[Plane, Place] | None:
    """The plane that holds the step from `state` to the neighbouring `cell`, and the place it starts from."""
    site, draft = lattice.site, lattice.draft
    way = next((one for one, there in neighbours(site.battlemap.grid, state.cell) if there == cell), None)
    place = site.place(state.cell)
    if way is None or place is None or way not in site.directions:
        return None
    return draft.planes[draft.form_of(state.posture, state.squeezed)][site.directions.index(way)], place


def _why_closed(lattice: Lattice, state: State, cell: Cell) -> Refusal | None:
    """What the ways that shape steps say of one that one of them has closed."""
    reasons = (way.why(lattice, state, cell) for way in lattice.shaping if way.why is not None)
    return next((reason for reason in reasons if reason is not None), None)


def _why_pace(lattice: Lattice, form: Form, plane: Plane, posture: str, place: Place) -> Pace | Refusal | None:
    """The pace of a step by the ground of the cell that the anchor comes to; the first refusal of any it depends on."""
    site, draft = lattice.site, lattice.draft
    direction = site.directions[plane.direction]
    entered = {(a + direction.di, b + direction.dj) for a, b in form.cells} - set(form.cells)
    pace: Pace | Refusal | None = None
    # that of the anchor's cell last: it says in which mode the step is made
    for di, dj in (*sorted({*entered, *priced_cells(draft, form, direction)}), (direction.di, direction.dj)):
        kinds = site.core(site.kind, di, dj)
        rising = uphill(draft, plane, kinds)
        pace = draft.paces.pace(posture, int(kinds[place]), bool(rising[place]) if rising is not None else False)
        if isinstance(pace, Refusal):
            return pace
    return pace


def _why_barrier(
    lattice: Lattice, form: Form, k: int, place: tuple[int, int, int], names: dict[str, str]
) -> Refusal | None:
    site, draft = lattice.site, lattice.draft
    direction = site.directions[k]
    if direction.legs is None:
        crossed = draft._crossing(form, k)
        if crossed is None or draft.target(crossed)[place] != CUT:
            return None
        front = [
            site.cell(place[0], place[1] + b, place[2] + a)
            for a, b in form.cells
            if (a + direction.di, b + direction.dj) not in form.cells
        ]
        shut = next((at for at in front if crossing_code(site, at, k) == CUT), front[0])
        there = next(cell for way, cell in neighbours(site.battlemap.grid, shut) if way == direction)
        return barrier_words(site, shut, k, names_of(site, shut, there))
    crossings = [draft._crossing(form, n) for n in range(len(site.directions))]
    around, doors = draft._corner(form, crossings, direction.legs)
    if not bool(around[place]) and (doors is None or not bool(doors[place])):
        closed = _why_round(lattice, form, direction.legs, place)
        return Refusal("move.corner", {**names, "why": "" if closed is None else f": {closed.text}"})
    crossed = crossings[k]
    if crossed is not None and draft.target(crossed)[place] != FREE:
        return barrier_words(site, site.cell(*place), k, names)
    return None


def _why_round(lattice: Lattice, form: Form, legs: tuple[int, int], place: tuple[int, int, int]) -> Refusal | None:
    """What closes a corner: a side or a solid cell on one of the two ways round it."""
    site = lattice.site
    for first, second in (legs, legs[::-1]):
        turn = site.directions[first]
        middle = (place[0], place[1] + turn.dj, place[2] + turn.di)
        here, there = site.cell(*place), site.cell(*middle)
        reason = _why_barrier(lattice, form, first, place, names_of(site, here, there))
        if reason is not None:
            return reason
        if site.place(there) is None:
            continue
        if not bool(lattice.draft.target(form.hull)[middle]):
            return why_cell(lattice, there, form)
        onward = site.directions[second]
        end = site.cell(middle[0], middle[1] + onward.dj, middle[2] + onward.di)
        reason = _why_barrier(lattice, form, second, middle, names_of(site, there, end))
        if reason is not None:
            return reason
    return None


def why_roof(lattice: Lattice, form: Form, cell: Cell, posture: str) -> Refusal | None:
    """The cell of a body on `cell` that is too low for a posture, if any is."""
    site, low = lattice.site, lattice.profile.lowness(posture)
    for at in site.footprint_cells(cell, form.size) if form.medium is None else ():
        place = site.place(at)
        if place is not None and int(site.core(site.headroom)[place]) > low:
            return Refusal("move.headroom", {"cell": site.battlemap.name_of(at), "posture": posture})
    return None


def _why_alongside(lattice: Lattice, form: Form, k: int, cell: Cell) -> Refusal | None:
    """The closed door that a body on `cell` would have between its cells after a step in direction k, if any."""
    site, place, entry = lattice.site, lattice.site.place(cell), form.entry[k] if form.entry else None
    if entry is None or place is None or bool(lattice.draft.target(entry)[place]):
        return None
    cells = list(site.footprint_cells(cell, form.size))
    for at in cells:
        for n, (direction, there) in enumerate(neighbours(site.battlemap.grid, at)):
            if there in cells and not direction.diagonal and crossing_code(site, at, n) > 0:
                return barrier_words(site, at, n, names_of(site, at, there))
    return None


def barrier_words(site: Site, start: Cell, k: int, names: dict[str, str]) -> Refusal:
    met = [as_met(site, index) for index in barriers_between(site, start, k)]
    met = [barrier for barrier in met if not barrier.stops] or met
    doors = [barrier for barrier in met if barrier.kind is Kind.DOOR and barrier.state is not DoorState.OPEN]
    if doors:
        return Refusal("move.door", {**names, "what": doors[0].named()})
    one_way = [barrier for barrier in met if barrier.one_way]
    if one_way:
        return Refusal("move.one_way", names)
    return Refusal("move.wall", {**names, "what": met[0].named() if met else "wall"})


def too_deep(draft: Draft, rise: int, names: dict[str, str]) -> Refusal:
    """A fall by -`rise` (in the site's units) that does more than the mover's plans accept."""
    hurt = fallen(draft, rise)
    accepted = hurt if draft.profile.fall is None else draft.profile.fall.accepted
    words = {"fall": show(Fraction(-rise, draft.site.height_scale)), "damage": show(hurt), "accepted": show(accepted)}
    return Refusal("move.fall", {**names, **words, "unit": draft.site.battlemap.unit})
