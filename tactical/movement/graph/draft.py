"""A draft: the steps of one mover on one site, before they are turned into whole ticks and compiled.

Ways of moving (`tactical.movement.ways`) fill it in.  To the frame it adds what a state counts: run-up, doors, and what
ways of other packages bring as a `Counter`; each value is one more copy of the map, a layer.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from itertools import product
from typing import Any

from tactical.guard import Guarded, Unfit, Ward, guard
from tactical.movement.graph.body import Layer, Slot
from tactical.movement.graph.frame import Frame
from tactical.movement.graph.leaps import Leap, Place, leaps, run_up_needed
from tactical.movement.graph.leaves import Leaves, leaves
from tactical.movement.graph.paces import FIRST, SECOND, STRAIGHT, Paces, Worth
from tactical.registry import WAYS
from tactical.rules.profile import Profile
from tactical.world.site import Site

MOST_VALUES = 64
"""A counter multiplies the map by its values."""


def _size(found: Any, by: Guarded) -> int:
    if isinstance(found, bool) or not isinstance(found, int) or not 1 <= found <= MOST_VALUES:
        raise Unfit(f"it has {found!r:.60} values, not 1 to {MOST_VALUES}")
    return found


def _value(found: Any, by: Guarded) -> int | None:
    if found is not None and (isinstance(found, bool) or not isinstance(found, int)):
        raise Unfit(f"{found!r:.60} is not a whole number or None")
    return found


_COUNTER = {"size": Ward(_size), "after": Ward(_value)}


@dataclass(frozen=True, slots=True)
class Counter:
    """A number that the future of a move depends on, a dimension of the state; a turn begins with it at 0.

    `size(draft)` is how many values it has for this mover on this map (1: it is not needed, and costs nothing);
    `after(draft, value, layer, slot)` the value after a step, made in a posture (`layer`, an index) in a direction
    (`slot.k`, an index too); None: the step is not possible.  `keeps_over_turns`: it goes on in the next turn.
    """

    name: str
    size: Callable[[Draft], int]
    after: Callable[[Draft, int, Layer, Slot], int | None]
    keeps_over_turns: bool = False

    def __post_init__(self) -> None:
        guard(self, "counter", _COUNTER)


def every_counter() -> tuple[Counter, ...]:
    """The counters of all ways that are installed."""
    return WAYS.together("counters", lambda ways: tuple(counter for way in ways for counter in way.counters))


def rested(extra: tuple[int, ...]) -> tuple[int, ...]:
    """The values of all counters as the next turn begins with them; no values: what is counted now begins at 0."""
    counters = every_counter()
    if len(extra) != len(counters):
        return (0,) * len(counters)
    return tuple(value if one.keeps_over_turns else 0 for one, value in zip(counters, extra, strict=True))


_ALIKE = (
    "alternate", "counters", "leaps", "run_up", "door_limit", "leaves", "layers", "plain_layers", "layer_index", "room",
    "share", "prices", "planes", "tick",
)  # fmt: skip
"""What two drafts share that differ in bodies only; in planes that is what steps cross, not whether they are open."""


@dataclass
class Draft(Frame):
    """All that the ways of moving read and write."""

    worth: Worth = field(default_factory=Worth)
    passing: dict[object, Fraction] = field(default_factory=dict)
    """Ticks that passing a body adds to a step, by posture, ground, kind of length and way of passing."""
    told: dict[object, Any] = field(default_factory=dict)
    """Plain steps that were explained, by all that explains them."""

    def on(self, site: Site, profile: Profile) -> Draft:
        """The same draft as another mover meets it, with everything that does not depend on bodies worked out."""
        out = Draft(site, profile, self.options, self.pool, self.limited, self._prices, self.costs)
        out.worth, out.passing, out.told = self.worth, self.passing, self.told
        # the graph serves only those who jump alike
        out.flights, out.leapt = self.flights, self.leapt
        for name in _ALIKE:
            out.__dict__[name] = getattr(self, name)
        return out

    # -- what a state counts -------------------------------------------------------------------------------------------

    @cached_property
    def leaps(self) -> dict[tuple[Place, Place], Leap]:
        """Every jump that the map offers, by take-off and landing."""
        return {(leap.start, leap.end): leap for leap in leaps(self)}

    @cached_property
    def run_up(self) -> int:
        """Cells of run-up that a running jump needs; 0 where nothing can be jumped."""
        return run_up_needed(self, self.leaps.values())

    @cached_property
    def counters(self) -> tuple[tuple[Counter, int], ...]:
        """What plug-in ways count, each with how many values it has here."""
        return tuple((counter, counter.size(self)) for counter in every_counter())

    @cached_property
    def leaves(self) -> Leaves | None:
        """The doors that a plan opens one by one, in place; None where no step meets too many at once."""
        return leaves(self)

    @cached_property
    def layers(self) -> tuple[Layer, ...]:
        """The copies of the map, in order: the plain ones first, then those with doors that were opened in place."""
        plain = [layer for _, layer in self.plain_layers]
        more = 0 if self.leaves is None else self.leaves.most
        return (*plain, *(layer._replace(ajar=ajar) for ajar in range(1, more + 1) for layer in plain))

    @cached_property
    def plain_layers(self) -> tuple[tuple[int, Layer], ...]:
        """The numbered copies in which all doors are as the map has them."""
        out = []
        counted = list(product(*(range(size) for _, size in self.counters)))
        parities, doors = (0, 1) if self.alternate else (0,), range((self.door_limit or 0) + 1)
        for n, form in enumerate(self.forms):
            for posture, name in self.stances(form):
                runs = range(self.run_up + 1) if name == self.profile.upright and n == 0 else (0,)
                for run, parity, opened, extra in product(runs, parities, doors, counted):
                    out.append(Layer(posture, n, parity, run, opened, extra=extra))
        return tuple(enumerate(out))

    @cached_property
    def layer_index(self) -> dict[Layer, int]:
        """Layer -> its number."""
        return {layer: n for n, layer in enumerate(self.layers)}

    def after_step(self, layer: Layer, slot: Slot, length: int) -> int | None:
        """The layer that a step leads to, or None where the counters forbid it."""
        parity, run, doors = layer.diagonals, 0, layer.doors + slot.opens
        if self.door_limit is not None and doors > self.door_limit:
            return None
        if self.alternate and length != STRAIGHT and not slot.keeps:
            parity = 1 - parity
        upright = layer.posture == 0 and not layer.squeezed
        if self.run_up and not slot.resets and upright:
            walked = 2 if length == SECOND else 1 if length in (STRAIGHT, FIRST) else 0
            run = min(layer.run_up + walked, self.run_up)
        extra = layer.extra
        for n, (counter, size) in enumerate(self.counters):
            value = counter.after(self, extra[n], layer, slot) if size > 1 else 0
            if value is None or not 0 <= value < size:
                return None
            extra = (*extra[:n], value, *extra[n + 1 :])
        return self.layer_index[layer._replace(diagonals=parity, run_up=run, doors=doors, extra=extra)]

    @cached_property
    def paces(self) -> Paces:
        """What one cell costs."""
        return Paces(self)
