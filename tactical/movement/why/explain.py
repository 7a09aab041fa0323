"""What a step is: its way, price and reasons, read off the same tables that compiled it."""

from __future__ import annotations

from collections.abc import Hashable
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from tactical.errors import PluginError, TacticalError
from tactical.guard import said
from tactical.movement.graph.body import Layer, Plane, Slot
from tactical.movement.graph.footing import damage, fallen, priced_cells
from tactical.movement.graph.lattice import Lattice
from tactical.movement.graph.leaps import Leap, flight
from tactical.movement.graph.paces import FIRST, SECOND, STRAIGHT
from tactical.movement.route import Charge, State, Step
from tactical.movement.ways.ajar import AJAR, OPEN_DOOR
from tactical.movement.ways.walk import uphill
from tactical.rules.checks import Check
from tactical.rules.profile import Flight, Pace, Source
from tactical.units import show
from tactical.values import Same
from tactical.world.edges.barriers import Kind
from tactical.world.edges.crossing import Crossing, as_met
from tactical.world.grids import Direction
from tactical.world.site import FREE

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tactical.movement.graph.draft import Array

Place = tuple[int, int, int]

MOST_TOLD = 4000
"""Kinds of steps that are kept with a graph."""


def explain(lattice: Lattice, node: int, target: int, ticks: int, slot: int) -> Step:
    """The step along one edge of the lattice, with everything that its price is made of.

    Raises `PluginError` for an edge of another package's way that is not what it says it is.
    """
    key = (node, target, slot)
    step = lattice.explained.get(key)
    if step is None:
        try:
            step = lattice.explained[key] = _explained(lattice, node, target, ticks, slot)
        except Exception as error:
            way = lattice.author(slot)
            if not way or isinstance(error, TacticalError):
                raise
            step_of = f"its step {lattice.state(node).cell} to {lattice.state(target).cell}"
            raise PluginError(f"the way of moving {way!r}: {step_of} cannot be explained: {said(error)}") from error
    return step


def _explained(lattice: Lattice, node: int, target: int, ticks: int, slot: int) -> Step:
    start, end, cost = lattice.state(node), lattice.state(target), lattice.cost(ticks)
    if slot >= len(lattice.slots):
        return _loose(lattice, start, end, cost, slot)
    meaning = lattice.slots[slot]
    if meaning.k < 0:
        return _change(lattice, start, end, cost)
    key = _kind_of_step(lattice, node, ticks, meaning)
    if key is None:
        return _walked(lattice, node, start, end, cost, meaning)
    told = lattice.draft.told
    like: Step | None = told.get(key)
    if like is not None:
        return like.alike(start, end)
    if len(told) > MOST_TOLD:
        told.clear()
    step = told[key] = _walked(lattice, node, start, end, cost, meaning)
    return step


def _kind_of_step(lattice: Lattice, node: int, ticks: int, slot: Slot) -> Hashable:
    """All that a plain step of a small body is explained by but for where it is; None where there is more to it."""
    draft, site, layer = lattice.draft, lattice.site, lattice.layer(node)
    if site.mover.size > 1 or layer.ajar:
        return None
    plane, place = draft.planes[layer.squeezed][slot.k], lattice.place(node)
    if plane.crossing is not None and plane.crossing[place] > 0:
        return None
    if plane.rise is not None and plane.rise[place]:
        return None
    level, j, i = place
    way = site.directions[slot.k]
    di, dj = (0, 0) if draft.options["pay_on"] == "leave" else (way.di, way.dj)
    up = _uphill(lattice, layer, plane, di, dj)
    j, i = j + dj + site.pad, i + di + site.pad
    if site.bodies and site.occupied[level, j, i] != FREE:
        return None
    return Same(lattice.profile), slot, layer, int(site.kind[level, j, i]), ticks, up is not None and bool(up[place])


def kinds_of_steps(lattice: Lattice, nodes: Array, slots: Array, ticks: Array) -> Array:
    """Numbers of the kinds of some steps of the stencil.

    Steps of one number differ in nothing but where they are, where they head, and what run-up and doors came before.

    Negative numbers are given once each, to steps that have more to them.
    """
    draft, site = lattice.draft, lattice.site
    place, layer = nodes % draft.room, nodes // draft.room
    copies = [(one.posture, one.squeezed, one.diagonals, one.ajar) for one in draft.layers]
    shapes = [
        (slot.resets, slot.keeps, site.directions[slot.k].diagonal) if slot.k >= 0 else slot for slot in lattice.slots
    ]
    copy, shape = np.array([copies.index(one) for one in copies]), np.array([shapes.index(one) for one in shapes])
    columns = [copy[layer], shape[slots], ticks]
    ajar = np.array([bool(one.ajar) for one in draft.layers])
    read: dict[tuple[int, int], list[Array]] = {}
    for n, meaning in {(one.squeezed, slot): None for one in draft.layers for slot in lattice.slots}:
        if meaning.k >= 0 and (n, meaning.k) not in read:
            read[n, meaning.k] = _read_of(lattice, n, meaning.k)
    wide = max((len(facts) for facts in read.values()), default=0)
    found = np.full((wide, len(nodes)), -1, dtype=np.int64)
    forms = np.array([one.squeezed for one in draft.layers])[layer]
    heading = np.array([slot.k for slot in lattice.slots])[slots]
    for (form, k), facts in read.items():
        where = np.flatnonzero((forms == form) & (heading == k))
        for column, fact in enumerate(facts if len(where) else ()):
            found[column, where] = fact[place[where]]
    out = np.zeros(len(nodes), dtype=np.int64)
    for column in (*columns, *found):
        least = int(column.min(initial=0))
        # each pair is numbered anew, so that no product grows beyond 64 bits
        _, out = np.unique(out * (int(column.max(initial=0)) - least + 1) + column - least, return_inverse=True)
    return np.where(ajar[layer], -1 - np.arange(len(nodes)), out)


def _read_of(lattice: Lattice, form: int, k: int) -> list[Array]:
    """All that the explanation of a body's steps in a direction reads off the map, in order, a number per anchor."""
    draft, site = lattice.draft, lattice.site
    plane, way = draft.planes[form][k], site.directions[k]
    layer = next(layer for layer in draft.layers if layer.squeezed == form)
    none = np.zeros(site.shape, dtype=np.int64)
    facts: list[Array | None] = [plane.crossing, plane.rise, plane.resets]
    for di, dj in priced_cells(draft, draft.forms[form], way):
        facts += [site.core(site.kind, di, dj), _uphill(lattice, layer, plane, di, dj)]
        facts.append(site.core(site.occupied, di, dj) if site.bodies else None)
    return [np.asarray(none if fact is None else fact).reshape(-1).astype(np.int64) for fact in facts]


def _uphill(lattice: Lattice, layer: Layer, plane: Plane, di: int, dj: int) -> NDArray[np.bool_] | None:
    """Where steps of a plane go uphill, by the ground so far from their anchor; found once a plane."""
    draft = lattice.draft
    if not draft.profile.uphill_matters:
        return None
    key = "uphill", Same(lattice.profile), layer.squeezed, plane.direction, di, dj
    found: NDArray[np.bool_] | None = draft.told.get(key)
    if found is None:
        found = draft.told[key] = uphill(draft, plane, draft.site.core(draft.site.kind, di, dj))
    return found


def _source(lattice: Lattice, word: str) -> Source:
    return lattice.profile.sources.get(word, Source())


def _change(lattice: Lattice, start: State, end: State, cost: Fraction) -> Step:
    if start.squeezed != end.squeezed:
        return Step(start, end, "squeeze" if end.squeezed else "unsqueeze", cost, source=_source(lattice, "squeeze"))
    for change in lattice.profile.changes:
        if (change.start, change.end) == (start.posture, end.posture):
            charges = (Charge("stand", cost, True, change.source),) if cost else ()
            way = {"standing": "stand", "crouched": "crouch", "prone": "prone"}.get(end.posture, end.posture)
            if {start.posture, end.posture} & set(lattice.profile.media):
                way = change.name
            return Step(start, end, way, cost, charges=charges, source=change.source)
    raise AssertionError(f"no change from {start.posture} to {end.posture}")


def _loose(lattice: Lattice, start: State, end: State, cost: Fraction, slot: int) -> Step:
    edge = lattice.loose_edge(slot)
    node, _, _, way, note = edge
    if way == AJAR:
        return _change(lattice, start, end, cost) if note < 0 else _walked(lattice, node, start, end, cost, Slot(note))
    if way == OPEN_DOOR:
        source = _source(lattice, "door")
        paid = (Charge("door", cost, True, source),)
        return Step(start, end, way, cost, charges=paid, source=source, door=lattice.site.battlemap.door_name(note))
    if way == "jump":
        leap = _leap(lattice, start, end)
        found = flight(lattice.draft, leap, start.run_up)
        assert isinstance(found, Flight)
        source = found.source
        charges, ground, entered = _ground(lattice, leap.end, start.posture)
        also = (_source(lattice, "jump"), *(() if leap.ledge else (entered,)))
        name = "high_jump" if leap.high else "jump"
        parts = (Charge(name, found.cost, True, source, found.words, also), *(() if leap.ledge else charges))
        length = leap.cells * lattice.site.battlemap.cell
        hurt, check = fallen(lattice.draft, leap.rise), found.check
        if hurt:
            height = Fraction(-leap.rise, lattice.site.height_scale)
            parts = (*parts, _fallen(lattice, height, hurt))
            check = _prepared(lattice, height) if check is None else check
        return Step(start, end, "jump", cost, length, parts, source, check=check, ground=ground, damage=hurt)
    writer = lattice.ways.get(way)
    if writer is not None and writer.explain is not None:
        step = writer.explain(lattice, edge)
        if (step.start, step.end, step.way, step.cost) != (start, end, way, cost):
            raise PluginError(f"the way of moving {way!r}: its step {start.cell} to {end.cell} is explained as another")
        return step
    charges = (Charge(way, cost, True, _source(lattice, way)),) if cost else ()
    return Step(start, end, way, cost, charges=charges, source=_source(lattice, way))


def _leap(lattice: Lattice, start: State, end: State) -> Leap:
    take_off, landing = lattice.site.place(start.cell), lattice.site.place(end.cell)
    assert take_off is not None
    assert landing is not None
    return lattice.draft.leaps[take_off, landing]


def _ground(lattice: Lattice, place: Place, posture: str) -> tuple[tuple[Charge, ...], str, Source]:
    """Charges, name and source of entering one cell straight on the level, nobody being there."""
    kind = int(lattice.site.core(lattice.site.kind)[place])
    pace = lattice.draft.paces.pace(posture, kind, False)
    assert isinstance(pace, Pace)
    charges = tuple(Charge(f.name, f.value, source=f.source) for f in (*pace.factors, *pace.final) if f.value != 1)
    return charges, lattice.site.kinds[kind].name, pace.source


def _walked(lattice: Lattice, node: int, start: State, end: State, cost: Fraction, slot: Slot) -> Step:
    draft, layer = lattice.draft, lattice.layer(node)
    direction = lattice.site.directions[slot.k]
    plane = draft.planes[layer.squeezed][slot.k]
    place = lattice.place(node)
    length = STRAIGHT
    if direction.diagonal:
        length = SECOND if draft.alternate and layer.diagonals else FIRST
    price, pace, kind, occupant = _governing(lattice, layer, plane, direction, place, length)
    paces = draft.paces
    charges = [
        Charge(f.name, f.value, source=f.source)
        for f in (*pace.factors, *paces.engine_factors(occupant, draft.forms[layer.squeezed].squeezed), *pace.final)
        if f.value != 1
    ]
    if length == SECOND:
        charges.append(Charge("diagonal2", Fraction(2), source=_source(lattice, "diagonal2")))
    way = pace.mode
    if plane.crossing is not None and plane.crossing[place] > 0:
        crossing = draft.prices[int(plane.crossing[place]) - 1]
        if start.opened and draft.leaves is not None:
            crossing = draft.leaves.rest(crossing, start.opened)
        charges += _crossed(lattice, crossing)
    hurt, check = Fraction(0), pace.check
    if plane.rise is not None:
        rise = int(plane.rise[place])
        hurt = damage(draft, rise)
        if hurt:
            charges.append(_fallen(lattice, Fraction(-rise, lattice.site.height_scale), hurt))
            check = _prepared(lattice, Fraction(-rise, lattice.site.height_scale)) or check
        climbed = cost - price - sum((c.value for c in charges if c.flat), start=Fraction(0))
        if climbed:
            ledge = lattice.profile.ledge
            source = _source(lattice, "ledge") if ledge is None or ledge.source == Source() else ledge.source
            charges.append(Charge("ledge", climbed, True, source))
            way = "climb"
        elif hurt or (rise < 0 and plane.resets is not None and plane.resets[place]):
            way = "drop"
    name = lattice.site.kinds[kind].name
    walked = lattice.site.battlemap.cell * (
        1 if length == STRAIGHT else draft.diagonal_length if not draft.alternate else (2 if length == SECOND else 1)
    )
    return Step(
        start, end, way, cost, Fraction(walked), tuple(charges), pace.source, check=check, ground=name, damage=hurt
    )


def _fallen(lattice: Lattice, height: Fraction, hurt: Fraction) -> Charge:
    """A fall on a step's line: it costs nothing and hurts."""
    fall = lattice.profile.fall
    assert fall is not None
    words = f"a fall of {show(height)} {lattice.site.battlemap.unit}: {show(hurt)} damage"
    return Charge("fall", Fraction(0), True, fall.source, words)


def _prepared(lattice: Lattice, height: Fraction) -> Check | None:
    """The roll of jumping down on purpose, where the rules have one."""
    fall = lattice.profile.fall
    return None if fall is None or fall.check is None else fall.check(height)


def _crossed(lattice: Lattice, crossing: Crossing) -> list[Charge]:
    """The price of getting through or over barriers: a charge for each door that is opened, one for a fence."""
    if not crossing.opens:
        name = crossing.name.replace(" ", "_")
        charge = Charge(name, crossing.price, True, _source(lattice, name))
        return [charge] if crossing.price or crossing.climbed else []
    met = [as_met(lattice.site, index) for index in crossing.barriers]
    charges, left = [], crossing.price
    for door in met:
        if door.kind is Kind.DOOR:
            cost = lattice.site.options["door_cost"] if door.cost is None else door.cost
            price = lattice.draft.flat(Fraction(cost))
            charges.append(Charge("door", price, True, _source(lattice, "door"), door.id))
            left -= price
    if left:
        name = "fence" if any(barrier.kind is Kind.FENCE for barrier in met) else "low_wall"
        charges.append(Charge(name, left, True, _source(lattice, name)))
    return charges


def _governing(
    lattice: Lattice, layer: Layer, plane: Plane, direction: Direction, place: Place, length: int
) -> tuple[Fraction, Pace, int, int]:
    """Price and pace of a step: of a large body's cells, what the option body_cost chooses."""
    draft, site = lattice.draft, lattice.site
    posture = lattice.profile.postures[layer.posture]
    form = draft.forms[layer.squeezed]
    found: list[tuple[Fraction, Pace, int, int]] = []
    for di, dj in priced_cells(draft, form, direction):
        kinds = site.core(site.kind, di, dj)
        up = _uphill(lattice, layer, plane, di, dj)
        kind = int(kinds[place])
        occupant = int(site.core(site.occupied, di, dj)[place]) if site.bodies and form.bodies else FREE
        pace = draft.paces.pace(posture, kind, bool(up[place]) if up is not None else False)
        if isinstance(pace, Pace):
            found.append((draft.paces.cost(pace, occupant, form.squeezed, length), pace, kind, occupant))
    found.sort(key=lambda entry: entry[0])
    if draft.options["body_cost"] != "median_all":
        return found[-1]
    upper = found[len(found) // 2]
    middle = (found[(len(found) - 1) // 2][0] + upper[0]) / 2
    return middle, *upper[1:]
