"""Walking, and whatever else is done on the ground one cell at a time: crawling, swimming, wading, climbing a net.

The ground's pace prices the step; ledges, doors and fences have put their flat prices on the planes by then.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from tactical.movement.graph.body import Form, Plane, Slot
from tactical.movement.graph.draft import Draft
from tactical.movement.graph.footing import ground_index, priced_cells, stands, uphill
from tactical.movement.graph.paces import KEYS, SECOND, STRAIGHT, UP
from tactical.movement.graph.writer import Writer
from tactical.movement.ways import Obstacle, Way, nothing, with_options
from tactical.rules.profile import Pace
from tactical.world.grids import Direction

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tactical.movement.query import Query

    Array = NDArray[Any]


def costs(draft: Draft) -> Iterator[Fraction]:
    """One cell of every ground, straight and diagonal."""
    return draft.paces.costs()


def write(writer: Writer) -> None:
    """Straight and diagonal steps of every form and posture."""
    draft = writer.draft
    for n, form in enumerate(draft.forms):
        index = ground_index(draft, form)
        for p, posture in draft.stances(form):
            fits = stands(draft, form, posture)
            for length in draft.paces.lengths:
                table = writer.narrow(draft.paces.table(posture, form, length))
                # looked up once for all directions, unless it matters from where a cell is entered
                even = None if draft.profile.uphill_matters else table.take(index)
                for plane in draft.planes[n]:
                    direction = draft.site.directions[plane.direction]
                    if direction.diagonal != (length != STRAIGHT):
                        continue
                    di, dj = direction.di, direction.dj
                    weight = step_weight(draft, form, plane, direction, index, table, even)
                    weight = weight * (plane.open & draft.target(fits, di, dj))
                    if plane.flat is not None:
                        weight = np.where(weight > 0, weight + plane.flat, 0)
                    _put(writer, weight, Steps(form, n, posture, p, plane, direction, length, index, table))


def _keys(draft: Draft, plane: Plane, index: Array, cells: Iterable[tuple[int, int]]) -> list[Array]:
    """Table indexes of some cells around the anchor, for steps in one direction."""
    out = []
    for di, dj in cells:
        keys = draft.site.core(index, di, dj)
        up = uphill(draft, plane, draft.site.core(draft.site.kind, di, dj))
        out.append(keys if up is None else keys + UP * up)
    return out


def step_weight(
    draft: Draft, form: Form, plane: Plane, direction: Direction, index: Array, table: Array, even: Array | None
) -> Array:
    """Ticks + 1 of every step in one direction by the ground alone; 0 where the ground cannot be entered.

    `even`: the padded array of what each cell costs, where that is the same from every side.
    """

    def looked_up(cells: Iterable[tuple[int, int]]) -> list[Array]:
        if even is not None:
            return [draft.site.core(even, di, dj) for di, dj in cells]
        return [table[keys] for keys in _keys(draft, plane, index, cells)]

    priced = priced_cells(draft, form, direction)
    entered = {(a + direction.di, b + direction.dj) for a, b in form.cells} - set(form.cells)
    looked = looked_up(priced)
    joined = looked[0]
    if len(looked) > 1:
        stack = np.stack(looked)
        median = draft.options["body_cost"] == "median_all"
        joined = np.median(stack, axis=0).astype(stack.dtype) if median else stack.max(axis=0)
    # whichever cells price the step, all that are newly covered must let the mover in
    needed = looked + looked_up(sorted(entered - set(priced)))
    return joined if len(needed) == 1 else np.where(np.all([each > 0 for each in needed], axis=0), joined, 0)


class Steps(NamedTuple):
    """The steps of a numbered form in a numbered posture in one direction: their plane, kind of length, the ground they
    are made on and what it costs."""

    form: Form
    n: int
    posture: str
    p: int
    plane: Plane
    direction: Direction
    length: int
    ground: Array
    table: Array


def _governing(draft: Draft, steps: Steps) -> Array:
    """Table index of the cell that prices every step in one direction: the dearest, or the middle one."""
    keys, table = _keys(draft, steps.plane, steps.ground, priced_cells(draft, steps.form, steps.direction)), steps.table
    if len(keys) == 1:
        return keys[0]
    stack = np.stack(keys)
    ranked = np.argsort(table[stack], axis=0, kind="stable")
    at = len(keys) // 2 if draft.options["body_cost"] == "median_all" else -1
    chosen: Array = np.take_along_axis(stack, ranked[at][None], axis=0)[0]
    return chosen


def _put(writer: Writer, weight: Array, steps: Steps) -> None:
    draft, (form, n, posture, p, plane, direction, length, index, _) = writer.draft, steps
    weight = _where_allowed(draft, posture, plane, direction, weight, index)
    parts: list[tuple[Slot, Array]] = [(Slot(plane.direction), weight)]
    if draft.door_limit is not None and plane.crossing is not None:
        opens = np.array([0] + [crossing.opens for crossing in draft.prices])[np.maximum(plane.crossing, 0)]
        for count in sorted(set(opens[opens > 0].tolist())):
            parts = _split(parts, opens == count, opens=count)
    if draft.run_up and p == 0 and n == 0:
        ends = draft.paces.mask(posture, form, "off_foot")[_governing(draft, steps)]
        if plane.resets is not None:
            ends = ends | plane.resets
        parts = _split(parts, ends, resets=True)
    if draft.alternate and length != STRAIGHT and draft.options["difficult_diagonal"] == "as_two":
        keeps = draft.paces.mask(posture, form, "keeps")[_governing(draft, steps)]
        parts = _split(parts, keeps, keeps=True)
    for slot, part in parts:
        for number, layer in draft.plain_layers:
            if (layer.posture, layer.squeezed) != (p, n):
                continue
            if length != STRAIGHT and draft.alternate and layer.diagonals != (length == SECOND):
                continue
            target = draft.after_step(layer, slot, length)
            if target is not None:
                writer.put(slot, number, target, part, direction.di, direction.dj)
        if draft.door_limit is not None and slot.opens > draft.door_limit:
            writer.heavy.append((slot, p, n, part))


def _where_allowed(
    draft: Draft, posture: str, plane: Plane, direction: Direction, weight: Array, index: Array
) -> Array:
    """The weights without the steps that a barrier stops for the mode they are made in."""
    if plane.crossing is None or not any(crossing.stops for crossing in draft.prices):
        return weight
    stopped = np.zeros((len(draft.prices) + 1, len(draft.site.kinds) * KEYS), dtype=bool)
    for number, crossing in enumerate(draft.prices, 1):
        for kind, rising, occupant in draft.paces.grounds(posture):
            pace = draft.paces.pace(posture, kind, rising)
            if isinstance(pace, Pace):
                stopped[number, kind * KEYS + rising * UP + occupant] = pace.mode in crossing.stops
    keys = draft.site.core(index, direction.di, direction.dj)
    return np.where(stopped[np.maximum(plane.crossing, 0), keys], 0, weight)


def _split(parts: list[tuple[Slot, Array]], where: Array, **flag: Any) -> list[tuple[Slot, Array]]:
    if not where.any():
        return parts
    out = []
    for slot, weight in parts:
        out.append((slot, np.where(where, 0, weight)))
        out.append((slot._replace(**flag), np.where(where, weight, 0)))
    return out


def corner(query: Query) -> Query | None:
    """The question on a map whose corners nobody has to mind."""
    return with_options(query, corner="free")


WAY = Way(
    "walk", 50, costs, write=write, leg="step", joins=nothing, relax=(Obstacle("corner", 70, corner),),
    words={"walk": "", "drive": ""},
)  # fmt: skip
