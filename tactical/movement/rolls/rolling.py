"""What the steps of a graph roll for, found for many steps at once: each kind of step is explained once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from tactical.errors import Refusal
from tactical.movement.graph.lattice import Lattice
from tactical.movement.rolls.odds import SURE, chance_of
from tactical.movement.steps.explain import explain, kinds_of_steps
from tactical.rules.checks import Check
from tactical.rules.profile import Pace
from tactical.search.compiled import Compiled
from tactical.values import Same

if TYPE_CHECKING:
    from tactical.movement.graph.frame import Array

Kinds = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Rolls:
    """What a way has rolled for: the run of steps under way (its way of going), the round's rolls, grounds that ask."""

    run: str = ""
    kinds: frozenset[str] = frozenset()
    grounds: Kinds = ()


class Roll(NamedTuple):
    """How a kind of step is made, the roll it asks for, and the chance of that (None: not known)."""

    way: str
    check: Check | None = None
    part: Fraction | None = SURE


@dataclass(frozen=True)
class Steps:
    """The steps out of some nodes, one after another: those of a node stand from `begin[node]` to `begin[node + 1]`.

    Of each the source, the target, the ticks, the slot, and a number that stands for what it is asked about: the roll
    that it needs, say.  `columns` are the same five as arrays.
    """

    columns: Array
    begin: list[int]
    source: list[int]
    target: list[int]
    ticks: list[int]
    slot: list[int]
    mark: list[int]

    @classmethod
    def of(cls, nodes: int, columns: Array) -> Steps:
        """The same from five rows of numbers, in any order of the sources."""
        columns = columns[:, np.argsort(columns[0], kind="stable")]
        begin = np.zeros(nodes + 1, dtype=np.int64)
        np.cumsum(np.bincount(columns[0], minlength=nodes), out=begin[1:])
        return cls(columns, begin.tolist(), *columns.tolist())


def stencil(lattice: Lattice, nodes: Array) -> Array:
    """The steps of a direction out of some nodes: rows of source, target, ticks and slot, in the order of the nodes."""
    nodes = np.sort(nodes.astype(np.int64))
    row, target, ticks, slot = lattice.compiled.stencil_from(nodes)
    return np.stack([nodes[row], target, ticks, slot])


def loose(lattice: Lattice, nodes: Array) -> Array:
    """The steps of no direction out of some nodes, as `stencil`."""
    compiled, nodes = lattice.compiled, np.sort(nodes.astype(np.int64))
    if compiled.extra_start is None or compiled.extra_target is None or compiled.extra_ticks is None:
        return np.zeros((4, 0), dtype=np.int64)
    start = np.asarray(compiled.extra_start, dtype=np.int64)
    many = np.diff(start)[nodes]
    source = np.repeat(nodes, many)
    place = np.arange(many.sum()) - np.repeat(np.cumsum(many) - many, many) + start[source]
    return np.stack([source, compiled.extra_target[place], compiled.extra_ticks[place], place + compiled.slots])


def per_kind(lattice: Lattice, steps: Array, read: Callable[[int, int, int, int], int]) -> Array:
    """What `read` says of steps of a direction, asked once for every kind of them."""
    source, _, ticks, slot = steps
    _, first, where = np.unique(kinds_of_steps(lattice, source, slot, ticks), return_index=True, return_inverse=True)
    return np.array([read(*step) for step in steps[:, first].T.tolist()], dtype=np.int64)[where]


class Rolling:
    """The rolls of a graph's steps and of the ways that they make, as numbers.

    State 0 is that of a way which has rolled for nothing of its own.
    """

    def __init__(self, lattice: Lattice, passed: frozenset[str]) -> None:
        self.lattice = lattice
        key = "unsure", Same(lattice.profile)
        found: Array | None = lattice.draft.told.get(key)
        if found is None:
            found = lattice.draft.told[key] = unsure(lattice)
        self.unsure = found
        self.rolls: list[Roll] = [Roll("")]
        self.states: list[Rolls] = []
        self._numbers: dict[Rolls, int] = {}
        self.number(Rolls(kinds=passed))
        self._rolls: dict[Roll, int] = {}
        self._then: dict[tuple[int, int], tuple[int, int, int] | None] = {}

    def number(self, rolls: Rolls) -> int:
        """The number of a state of a way."""
        found = self._numbers.setdefault(rolls, len(self.states))
        if found == len(self.states):
            self.states.append(rolls)
        return found

    def taken(self, state: int, roll: int) -> tuple[int, int, int] | None:
        """The chance of a step after what was rolled before, above and below the line, and the state after it.

        None where the chance is not known.
        """
        key = state, roll
        if key not in self._then:
            part, then = taken(self.states[state], *self.rolls[roll])
            self._then[key] = None if part is None else (part.numerator, part.denominator, self.number(then))
        return self._then[key]

    def entered(self, state: int, ground: int) -> int:
        """The state of a way that has come upon a kind of ground which asks for a roll."""
        rolls = self.states[state]
        if ground in rolls.grounds:
            return state
        return self.number(replace(rolls, grounds=tuple(sorted((*rolls.grounds, ground)))))

    def steps(self, nodes: Array) -> Steps:
        """The steps out of some nodes, in the order of the search, marked with the number of their roll; 0: none."""
        steps = stencil(self.lattice, nodes)
        risked, roll = self.unsure[steps[0], steps[3]], np.zeros(steps.shape[1], dtype=np.int64)
        roll[risked] = per_kind(self.lattice, steps[:, risked], self._roll_of)
        others = self._loose(loose(self.lattice, nodes))
        if any(one.check is not None and one.check.per == "stretch" for one in self.rolls):
            # whether a stretch goes on depends on how the steps are made that roll for nothing
            roll[~risked] = per_kind(self.lattice, steps[:, ~risked], self._roll_of)
        return Steps.of(self.lattice.nodes, np.concatenate([np.vstack([steps, roll]), others], axis=1))

    def _roll_of(self, node: int, target: int, ticks: int, slot: int) -> int:
        return self._number_of(roll_of(self.lattice, node, target, ticks, slot))

    def _number_of(self, roll: Roll) -> int:
        number = self._rolls.get(roll)
        if number is None:
            number = self._rolls[roll] = len(self.rolls)
            self.rolls.append(roll)
        return number

    def _loose(self, steps: Array) -> Array:
        """Steps of no direction with the number of their roll; those alike are explained once for a graph."""
        kinds, known = kinds_of_loose(self.lattice), self.lattice.draft.told
        rolls, profile = dict[int, int](), Same(self.lattice.profile)
        out = []
        for (node, target, ticks, slot), kind in zip(
            steps.T.tolist(), kinds[steps[3] - self.lattice.compiled.slots].tolist(), strict=True
        ):
            number = rolls.get(kind)
            if number is None:
                key = "roll", profile, kind
                roll: Roll | None = known.get(key)
                if roll is None:
                    roll = roll_of(self.lattice, node, target, ticks, slot)
                    if kind >= 0:
                        known[key] = roll
                number = rolls[kind] = self._number_of(roll)
            out.append(number)
        return np.vstack([steps, np.array(out, dtype=np.int64)])

    def sure(self, steps: Steps) -> Compiled:
        """The graph of those of the steps that go well for certain and leave a way that rolled for nothing as it is."""
        compiled = self.lattice.compiled
        source, _, _, slot, roll = steps.columns
        plain = np.array([self.taken(0, one) == (1, 1, 0) for one in range(len(self.rolls))])[roll]
        source, slot = source[plain], slot[plain]
        near, weight = slot < compiled.slots, np.zeros_like(compiled.weight)
        weight[source[near], slot[near]] = compiled.weight[source[near], slot[near]]
        found = Compiled(
            compiled.layers, compiled.cells, compiled.slots, weight, compiled.offset, max_weight=compiled.max_weight
        )
        if compiled.extra_target is None or compiled.extra_ticks is None:
            return found
        # in the order of their sources, as they were
        kept = np.sort(slot[~near]) - compiled.slots
        start = np.zeros(compiled.nodes + 1, dtype=np.int64)
        np.cumsum(np.bincount(source[~near], minlength=compiled.nodes), out=start[1:])
        return replace(
            found, extra_start=start, extra_target=compiled.extra_target[kept], extra_ticks=compiled.extra_ticks[kept]
        )


def kinds_of_loose(lattice: Lattice) -> Array:
    """Numbers of the kinds of all steps of no direction: those that their way calls alike have one, others their own.

    Negative numbers are of those whose way calls none alike.
    """
    writer = lattice.writer
    if writer.alike is None:
        numbers: dict[object, int] = {}
        found = []
        for n, edge in enumerate(writer.loose):
            way = lattice.ways[edge.way]
            key = None if way.alike is None else (way.name, way.alike(lattice, edge))
            found.append(-1 - n if key is None else numbers.setdefault(key, len(numbers)))
        writer.alike = np.array(found, dtype=np.int64)
    return writer.alike


def roll_of(lattice: Lattice, node: int, target: int, ticks: int, slot: int) -> Roll:
    """How a step is made, the roll it asks for, and the chance of that."""
    step = explain(lattice, node, target, ticks, slot)
    way = step.way if step.moves else ""
    if step.check is None:
        return Roll(way)
    found = chance_of(step.check)
    return Roll(way, step.check, None if isinstance(found, Refusal) else found)


def taken(rolls: Rolls, way: str, check: Check | None, part: Fraction | None) -> tuple[Fraction | None, Rolls]:
    """The chance of a step after what was rolled before (None: not known), and what is rolled for then."""
    goes_on = way == rolls.run and way != ""
    if check is None:
        return SURE, rolls if goes_on else replace(rolls, run="")
    if check.per == "stretch":
        return (SURE, rolls) if goes_on else (part, replace(rolls, run=way))
    if check.per == "round":
        held = check.kind in rolls.kinds
        return SURE if held else part, replace(rolls, run="", kinds=rolls.kinds | {check.kind})
    return part, replace(rolls, run="")


def risky(lattice: Lattice) -> bool:
    """Whether any step of the graph is rolled for."""
    draft = lattice.draft
    paces = (
        draft.paces.pace(posture, kind, False) for posture in lattice.profile.postures for kind in lattice.site.used
    )
    loose = {edge.way for edge in lattice.writer.loose}
    rolled = any(lattice.ways[name].rolls for name in loose)
    return rolled or any(isinstance(pace, Pace) and pace.check is not None for pace in paces)


def unsure(lattice: Lattice) -> Array:
    """Per node and slot: whether a roll may be asked for that step; where it is not certain, yes."""
    draft, site, profile = lattice.draft, lattice.site, lattice.profile
    rolled = np.zeros(len(site.kinds), dtype=bool)
    for kind in site.used:
        if not site.kinds[kind].impassable:
            paces = (draft.paces.pace(name, kind, up) for name in profile.postures for up in (False, True))
            rolled[kind] = any(isinstance(pace, Pace) and pace.check is not None for pace in paces)
    asks, falls = rolled[site.kind], profile.fall is not None and profile.fall.check is not None
    out = np.zeros((len(draft.layers), draft.room, lattice.compiled.slots), dtype=bool)
    by_form: dict[tuple[int, int], Array] = {}
    for n, layer in enumerate(draft.layers):
        for slot, meaning in enumerate(lattice.slots):
            if meaning.k < 0:
                continue
            key = layer.squeezed, meaning.k
            if key not in by_form:
                way, plane = site.directions[meaning.k], draft.planes[layer.squeezed][meaning.k]
                cells = draft.forms[layer.squeezed].cells
                found = np.zeros(site.shape, dtype=bool)
                for di, dj in {*cells, *((a + way.di, b + way.dj) for a, b in cells)}:
                    found = found | site.core(asks, di, dj)
                if falls and plane.rise is not None:
                    found = found | (plane.rise < 0)
                by_form[key] = found.reshape(-1)
            out[n, :, slot] = by_form[key]
    return out.reshape(lattice.compiled.weight.shape)
