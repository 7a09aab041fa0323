"""What a step is: its way, price and reasons, read off the same tables that compiled it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from tactical.errors import PluginError, TacticalError
from tactical.guard import said
from tactical.movement.graph.body import Layer, Plane, Slot
from tactical.movement.graph.draft import Draft
from tactical.movement.graph.footing import priced_cells, uphill
from tactical.movement.graph.lattice import Lattice
from tactical.movement.graph.paces import FIRST, SECOND, STRAIGHT
from tactical.movement.route import Charge, State, Step
from tactical.rules.checks import Check
from tactical.rules.profile import Pace, Source
from tactical.units import spoken
from tactical.values import Same
from tactical.world.grids import Direction
from tactical.world.site import FREE

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tactical.movement.graph.frame import Array
    from tactical.movement.graph.writer import Edge

Place = tuple[int, int, int]

MOST_TOLD = 4000
"""Kinds of steps that are kept with a graph, by layer and slot."""


def explain(lattice: Lattice, node: int, target: int, ticks: int, slot: int) -> Step:
    """The step along one edge of the lattice, with everything that its price is made of.

    Raises `PluginError` for an edge of another package's way that is not what it says it is.
    """
    key = (node, target, slot)
    step = lattice.explained.get(key)
    if step is not None:
        start, end = lattice.state(node), lattice.state(target)
        if step.start is not start or step.end is not end:
            # a route needed no more than what it is like
            step = lattice.explained[key] = step.alike(start, end)
    else:
        try:
            step = lattice.explained[key] = _explained(lattice, node, target, ticks, slot)
        except Exception as error:
            way = lattice.author(slot)
            if not way or isinstance(error, TacticalError):
                raise
            step_of = f"its step {lattice.state(node).cell} to {lattice.state(target).cell}"
            raise PluginError(f"the way of moving {way!r}: {step_of} cannot be explained: {said(error)}") from error
    return step


def taken(lattice: Lattice, edge: Edge, turn: int, spent: Fraction) -> Step:
    """The same as a step of a route: in its turn, which has used so much after it."""
    node, target, ticks, slot = edge
    key = (node, target, slot)
    like = lattice.explained.get(key)
    if like is None:
        reading = _reading(lattice, node, slot)
        kind = None if reading is None else reading.kind(lattice, node % lattice.draft.room, ticks)
        like = reading.steps.get(kind) if reading is not None and kind is not None else None
        if like is None:
            like = explain(lattice, *edge)
        else:
            # made once, where it is taken, not also by itself
            lattice.explained[key] = like
    return like.taken(lattice.state(node), lattice.state(target), turn, spent)


def _explained(lattice: Lattice, node: int, target: int, ticks: int, slot: int) -> Step:
    start, end = lattice.state(node), lattice.state(target)
    reading = _reading(lattice, node, slot)
    kind = None if reading is None else reading.kind(lattice, node % lattice.draft.room, ticks)
    if kind is not None and reading is not None and (like := reading.steps.get(kind)) is not None:
        return like.alike(start, end)
    way, cost = lattice.way_of(slot), lattice.cost(ticks)
    if way.explain is not None:
        step: Step = way.explain(lattice, lattice.edge(node, target, ticks, slot))
        if (step.start, step.end, step.cost) != (start, end, cost) or lattice.author(slot) not in ("", step.way):
            raise PluginError(
                f"the way of moving {way.name!r}: its step {start.cell} to {end.cell} is explained as another"
            )
        return step
    if slot >= len(lattice.slots) or lattice.slots[slot].k < 0 or lattice.author(slot):
        source = lattice.profile.sources.get(way.name, way.source)
        charges = (Charge(way.name, cost, True, source),) if cost else ()
        return Step(start, end, way.name, cost, charges=charges, source=source)
    step = walked(lattice, node, end, cost, lattice.slots[slot])
    if kind is not None and reading is not None:
        if len(reading.steps) > MOST_TOLD:
            reading.steps.clear()
        reading.steps[kind] = step
    return step


class Reading(NamedTuple):
    """What tells the plain steps of a layer by a slot apart but for where they are, read by place.

    Crossing, height gained, end of the run-up and going uphill are None where no step differs in them.  `ahead` is how
    much farther on the cell stands that prices a step, among the cells of the site and its rim, `shape` the height and
    width of the window and the width of the rim.
    """

    crossing: memoryview | None
    rise: memoryview | None
    resets: memoryview | None
    up: memoryview | None
    ahead: int
    shape: tuple[int, int, int]
    steps: dict[tuple[int, ...], Step]

    def kind(self, lattice: Lattice, place: int, ticks: int) -> tuple[int, ...] | None:
        """All that a step is explained by; None where a body stands on the cell that prices it."""
        site = lattice.site
        height, width, pad = self.shape
        rest, i = divmod(place, width)
        level, j = divmod(rest, height)
        cell = (level * (height + 2 * pad) + j + pad) * (width + 2 * pad) + i + pad + self.ahead
        if site.bodies and site.occupied.item(cell) != FREE:
            return None
        rise = 0 if self.rise is None else self.rise[place]
        return (
            site.kind.item(cell), ticks, 0 if self.crossing is None else self.crossing[place], rise,
            0 if self.up is None else self.up[place], self.resets[place] if rise and self.resets is not None else 0,
        )  # fmt: skip


def _reading(lattice: Lattice, node: int, slot: int) -> Reading | None:
    """What tells the steps of a node's layer by a slot apart; None where there is more to them than that."""
    number = node // lattice.draft.room
    key = number, slot
    if key not in lattice.readings:
        shared = Same(lattice.profile), key
        told = lattice.draft.told
        if shared not in told:
            if len(told) > MOST_TOLD:
                told.clear()
            told[shared] = _read(lattice, lattice.draft.layers[number], slot)
        lattice.readings[key] = told[shared]
    found: Reading | None = lattice.readings[key]
    return found


def _read(lattice: Lattice, layer: Layer, slot: int) -> Reading | None:
    draft, site = lattice.draft, lattice.site
    k = lattice.slots[slot].k if slot < len(lattice.slots) else -1
    if k < 0 or lattice.author(slot) or lattice.way_of(slot).explain is not None:
        return None
    if site.mover.size > 1 or layer.ajar or lattice.strangely_shaped:
        return None
    plane, way = draft.planes[layer.squeezed][k], site.directions[k]
    di, dj = (0, 0) if draft.options["pay_on"] == "leave" else (way.di, way.dj)
    up = _uphill(lattice, layer, plane, di, dj)
    ahead = dj * (site.shape[2] + 2 * site.pad) + di
    shape = *site.shape[1:], site.pad
    return Reading(_flat(plane.crossing), _flat(plane.rise), _flat(plane.resets), _flat(up), ahead, shape, {})


def _flat(fact: Array | None) -> memoryview | None:
    return None if fact is None else np.ascontiguousarray(fact).reshape(-1).data


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
    out, many = np.zeros(len(nodes), dtype=np.int64), 1
    for column in (*columns, *found):
        least = int(column.min(initial=0))
        wide = int(column.max(initial=0)) - least + 1
        if many * wide >= 2**62:
            # numbered anew, so that no product grows beyond 64 bits
            _, out = np.unique(out, return_inverse=True)
            many = len(nodes)
        out, many = out * wide + column - least, many * wide
    return np.where(ajar[layer] | lattice.strangely_shaped, -1 - np.arange(len(nodes)), out)


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


def source_of(lattice: Lattice, word: str) -> Source:
    """The clause that a rule system names for a word."""
    return lattice.profile.sources.get(word, Source())


def entered(lattice: Lattice, place: Place, posture: str) -> tuple[tuple[Charge, ...], str, Source]:
    """Charges, name and source of entering one cell straight on the level, nobody being there."""
    kind = int(lattice.site.core(lattice.site.kind)[place])
    pace = lattice.draft.paces.pace(posture, kind, False)
    assert isinstance(pace, Pace)
    charges = tuple(Charge(f.name, f.value, source=f.source) for f in (*pace.factors, *pace.final) if f.value != 1)
    return charges, lattice.site.kinds[kind].name, pace.source


def walked(lattice: Lattice, node: int, end: State, cost: Fraction, slot: Slot) -> Step:
    """A step on the ground from a node in the direction of a slot: its pace, and what ways have added to it."""
    draft, layer = lattice.draft, lattice.layer(node)
    direction = lattice.site.directions[slot.k]
    plane = draft.planes[layer.squeezed][slot.k]
    length = STRAIGHT
    if direction.diagonal:
        length = SECOND if draft.alternate and layer.diagonals else FIRST
    price, pace, kind, occupant = _governing(lattice, layer, plane, direction, lattice.place(node), length)
    own = draft.paces.engine_factors(occupant, draft.forms[layer.squeezed].squeezed)
    factors = (factor for factor in (*pace.factors, *own, *pace.final) if factor.value != 1)
    charges = [Charge(factor.name, factor.value, source=factor.source) for factor in factors]
    if length == SECOND:
        charges.append(Charge("diagonal2", Fraction(2), source=source_of(lattice, "diagonal2")))
    elif length != STRAIGHT and not draft.alternate and draft.diagonal_length != 1:
        charges.append(Charge("diagonal", Fraction(draft.diagonal_length), source=source_of(lattice, "diagonal2")))
    called, check, hurt = pace.mode, pace.check, Fraction(0)
    # what is nearest to the step is told first
    for way in reversed(lattice.shaping):
        part = way.part(lattice, node, plane) if way.part is not None else None
        if part is not None:
            charges += part.charges
            called, check, hurt = part.way or called, part.check or check, hurt + part.damage
    charges += _untold(lattice, cost - price, charges)
    walked = lattice.site.battlemap.cell * (
        1 if length == STRAIGHT else draft.diagonal_length if not draft.alternate else (2 if length == SECOND else 1)
    )
    name, start = lattice.site.kinds[kind].name, lattice.state(node)
    return Step(
        start, end, called, cost, Fraction(walked), tuple(charges), pace.source, check=check, ground=name, damage=hurt
    )


def fall_charge(draft: Draft, height: Fraction, hurt: Fraction) -> Charge:
    """A fall on a step's line: it costs nothing and hurts."""
    fall = draft.profile.fall
    assert fall is not None
    words = f"a fall of {spoken(height)} {draft.site.battlemap.unit}: {spoken(hurt)} damage"
    return Charge("fall", Fraction(0), True, fall.source, words)


def prepared(draft: Draft, height: Fraction) -> Check | None:
    """The roll of jumping down on purpose, where the rules have one."""
    fall = draft.profile.fall
    return None if fall is None or fall.check is None else fall.check(height)


def _untold(lattice: Lattice, flat: Fraction, charges: Sequence[Charge]) -> Iterator[Charge]:
    """What a step costs on top of all that is told, under the name of a way that shapes steps and tells nothing."""
    silent = [way for way in lattice.shaping if way.part is None]
    rest = flat - sum((charge.value for charge in charges if charge.flat), start=Fraction(0)) if silent else 0
    if rest:
        yield Charge(silent[0].name, Fraction(rest), True, source_of(lattice, silent[0].name))


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
