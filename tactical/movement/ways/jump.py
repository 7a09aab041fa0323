"""Jumps: straight along a row or column, over gap cells, to the first cell beyond (OPR-37, 38, 42).

The landing must be a legal stop, with no barrier on the way, and the jumper on its feet.  A jump costs its flight plus
the ordinary entry into the landing cell.  Simple rules take a landing at the same height, give or take a step, and tell
two lengths, with and without a run-up; others price every approach by itself (`JumpLimits.fly`), with a chance of
success, and may take ledges between neighbours too (`JumpLimits.ledges`), where the flight is the whole step.  Both is
why the distance just run is part of the state.  Plans make only jumps whose chance is at least option ``jump_chance``,
and with none of them a fall that does more than their mover accepts (SHP-25).
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from math import ceil
from typing import TYPE_CHECKING

from tactical.errors import Refusal
from tactical.movement.graph.draft import Draft
from tactical.movement.graph.footing import fallen, ground_index, stands, step_height
from tactical.movement.graph.lattice import Lattice
from tactical.movement.graph.leaps import Leap, Place, approach_of, flight
from tactical.movement.graph.paces import STRAIGHT
from tactical.movement.graph.pricing import kinds_of
from tactical.movement.graph.writer import Loose, Writer
from tactical.movement.route import Charge, State, Step
from tactical.movement.steps.explain import entered, fall_charge, prepared, source_of
from tactical.movement.steps.refusal import (
    barrier_words,
    crossing_code,
    names_of,
    too_deep,
    why_cell,
    why_roof,
    why_stop,
)
from tactical.movement.ways import Obstacle, Way, on_ground, with_options
from tactical.rules.profile import Approach, Flight
from tactical.units import Cell, exact, show
from tactical.world.grids import neighbours
from tactical.world.site import FREE, Site

if TYPE_CHECKING:
    from tactical.movement.query import Query


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
    """Edges from every upright layer whose run-up allows the length."""
    draft = writer.draft
    jump = draft.profile.jump
    if jump is None:
        return
    upright = draft.profile.upright
    table = draft.paces.table(upright, draft.forms[0], STRAIGHT)
    index = draft.site.core(ground_index(draft, draft.forms[0]))
    room = draft.target(stands(draft, draft.forms[0], upright))
    for leap, run_up, found in flights(draft):
        landing = int(table[index[leap.end]])
        if landing == 0 or not room[leap.end] or not room[leap.start]:
            continue
        for n, layer in draft.plain_layers:
            if layer.posture == 0 and not layer.squeezed and layer.run_up == run_up:
                target = draft.layer_index[layer._replace(run_up=0)]
                ticks = draft.ticks(found.cost) + (0 if leap.ledge else landing - 1)
                writer.edge(draft.node(n, leap.start), draft.node(target, leap.end), ticks, WAY.name, leap.cells)


def joins(draft: Draft) -> Iterator[tuple[Place, Place]]:
    """Both ends of every jump that a plan may make."""
    return ((leap.start, leap.end) for leap, _, _ in flights(draft))


def rate(query: Query, pool: str) -> Fraction | None:
    """What a cell's length of a jump costs at the least, with a run-up or without."""
    jump, kinds = query.profile.jump, kinds_of(query.battlemap)
    uneven = jump is not None and jump.ledges and len({ground.elevation for ground in kinds}) > 1
    if jump is None or not (uneven or any(ground.gap for ground in kinds)):
        return None
    cell = query.battlemap.cell
    flown = [jump.flight(Approach(pool, cell, run_up)) for run_up in (Fraction(0), jump.most_run_up(cell))]
    return min(cell * jump.base if isinstance(found, Refusal) else found.cost for found in flown)


def _leap(lattice: Lattice, edge: Loose) -> Leap:
    return lattice.draft.leaps[lattice.place(edge.start), lattice.place(edge.end)]


def alike(lattice: Lattice, edge: Loose) -> Hashable:
    """The leap and the grounds it leads between."""
    leap, kinds = _leap(lattice, edge), lattice.site.core(lattice.site.kind)
    grounds = int(kinds[leap.start]), int(kinds[leap.end])
    return leap.cells, leap.rise, leap.ledge, leap.high, edge.start // lattice.draft.room, *grounds


def explain(lattice: Lattice, edge: Loose) -> Step:
    """The flight, and where it is not the whole step the ground it lands on; a fall with what it does."""
    draft, leap = lattice.draft, _leap(lattice, edge)
    start, end, cost = lattice.state(edge.start), lattice.state(edge.end), lattice.cost(edge.ticks)
    found = flight(draft, leap, start.run_up)
    assert isinstance(found, Flight)
    charges, ground, landed = entered(lattice, leap.end, start.posture)
    also = (source_of(lattice, "jump"), *(() if leap.ledge else (landed,)))
    name = "high_jump" if leap.high else WAY.name
    parts = (Charge(name, found.cost, True, found.source, found.words, also), *(() if leap.ledge else charges))
    length = leap.cells * draft.site.battlemap.cell
    hurt, check = fallen(draft, leap.rise), found.check
    if hurt:
        height = Fraction(-leap.rise, draft.site.height_scale)
        parts = (*parts, fall_charge(draft, height, hurt))
        check = prepared(draft, height) if check is None else check
    return Step(start, end, WAY.name, cost, length, parts, found.source, check=check, ground=ground, damage=hurt)


def why(lattice: Lattice, state: State, cell: Cell) -> Refusal | None:
    """Why the jump from `state` to `cell` is not possible, or None where it is."""
    draft, site = lattice.draft, lattice.site
    jump, names = draft.profile.jump, names_of(site, state.cell, cell)
    if jump is None:
        return Refusal("rules.not_covered", {"why": "jumping without a Strength score"})
    ends = (site.place(state.cell), site.place(cell))
    leap = None if ends[0] is None or ends[1] is None else draft.leaps.get((ends[0], ends[1]))
    barred = _why_flight(site, state.cell, cell) if leap is None else None
    if barred is not None:
        return barred
    reason = why_cell(lattice, cell)
    reason = why_stop(lattice, cell) if reason is None else reason
    if reason is not None:
        return reason
    upright = draft.profile.upright
    if state.posture != upright:
        low = why_roof(lattice, draft.forms[0], state.cell, upright)
        return Refusal("move.posture", {"posture": state.posture, **names}) if low is None else low
    reason = why_roof(lattice, draft.forms[0], cell, upright)
    if reason is not None:
        return reason
    if leap is None:
        start, end = (0 if at is None else int(site.core(site.elevation)[at]) for at in ends)
        rise = Fraction(abs(end - start), site.height_scale)
        if jump.fly is None and rise > step_height(draft):
            return Refusal("move.height", {**names, "rise": show(rise), "unit": site.battlemap.unit})
        return Refusal("move.gap", names)
    if draft.profile.fall is not None and fallen(draft, leap.rise) > draft.profile.fall.accepted:
        return too_deep(draft, leap.rise, names)
    reason = _unmade(draft, leap, state.run_up * site.battlemap.cell)
    if reason is not None:
        return reason
    pace = draft.paces.pace(upright, int(site.core(site.kind)[leap.end]), False)
    return pace if isinstance(pace, Refusal) else None


def _unmade(draft: Draft, leap: Leap, run_up: Fraction) -> Refusal | None:
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
        words = {**lacking.params, "need": show(need)}
        if isinstance(found, Flight) and found.chance:
            # without it the jump is no more than likely
            chance = {"chance": str(found.chance), "least": str(least)}
            words |= {
                **chance,
                "note": "; without, its chance of {chance} is less than option jump_chance: {least}".format(**chance),
            }
        return Refusal("move.run_up", words) if hasty is None else hasty
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
    kinds, upright = site.core(site.kind), draft.profile.upright
    run, land = (
        draft.paces.cost_on(upright, int(kinds[at]), False, FREE, False, STRAIGHT) for at in (leap.start, leap.end)
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


def _line(site: Site, start: Cell, end: Cell) -> tuple[int, list[Cell]] | None:
    """The direction and cells of the straight flight over gaps from one cell to another; None where there is none."""
    grid = site.battlemap.grid
    for k, direction in enumerate(site.directions):
        if direction.diagonal:
            continue
        line = [start]
        while line[-1] != end and (len(line) == 1 or over_gap(site, line[-1])):
            line.append(next(cell for way, cell in neighbours(grid, line[-1]) if way == direction))
        if line[-1] == end and len(line) > 2:
            return k, line
    return None


def _why_flight(site: Site, start: Cell, end: Cell) -> Refusal | None:
    """What a straight flight over gaps from one cell to another meets on its way, or that it is none."""
    found = _line(site, start, end)
    if found is None:
        return Refusal("move.gap", names_of(site, start, end))
    k, line = found
    met = ((at, there) for at, there in pairwise(line) if crossing_code(site, at, k) != FREE)
    return next((barrier_words(site, at, k, names_of(site, at, there)) for at, there in met), None)


def onto(lattice: Lattice, cells: Sequence[Cell]) -> Cell | None:
    """The first cell beyond a gap; who would have to turn in the air does not jump."""
    site = lattice.site
    if site.mover.size > 1 or over_gap(site, cells[0]) or not over_gap(site, cells[1]):
        return None
    landing = next((cell for cell in cells[1:] if not over_gap(site, cell)), cells[1])
    # who cannot jump at all is told so of every gap
    bent = lattice.profile.jump is not None and _line(site, cells[0], landing) is None
    return None if bent else landing


def over_gap(site: Site, cell: Cell) -> bool:
    """Whether a cell of the map is a gap."""
    place = site.place(cell)
    return cell in site.battlemap and place is not None and bool(site.core(site.fact("gap"))[place])


def daring(query: Query) -> Query | None:
    """The question of somebody whose plans make any jump that can succeed."""
    jump = query.profile.jump
    return None if jump is None or jump.fly is None else with_options(query, jump_chance=0)


def bridged(query: Query) -> Query | None:
    """The question on ground without gaps."""
    return on_ground(query, lambda ground: replace(ground, gap=False), "gap")


WAY = Way(
    "jump",
    80,
    costs,
    write=write,
    explain=explain,
    alike=alike,
    rolls=True,
    rate=rate,
    joins=joins,
    why=why,
    onto=onto,
    relax=(Obstacle("jumps", 45, daring), Obstacle("gaps", 90, bridged)),
    words={"jump": "jump {length} {unit}{what}"},
    shifty=("move.fall", "move.run_up", "move.stretch", "move.jump_chance", "move.jump_length"),
)
