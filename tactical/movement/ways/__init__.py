"""Ways of moving: each file adds one kind of edge to the movement graph.

A way offers ``WAY``, a `Way`.  Ways run in `order`: first all say which exact `costs` they will use, then those with
`shape` narrow the planes of steps that geometry leaves open (a ledge, a closed door), then those with `write` add
edges.  A way that leads farther than to a neighbour names the pairs of cells in `far`, so that searches look there.

A function that raises, notes a cost that is not exact or below 0, or writes what does not fit the graph, ends the
question in a `PluginError` that names its way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from tactical.guard import Guarded, Unfit, Ward, amount, guard
from tactical.movement.graph.draft import Draft
from tactical.units import Cell
from tactical.world.battlemap import Battlemap

if TYPE_CHECKING:
    from tactical.movement.graph.lattice import Writer


def _noted(found: Any, by: Guarded) -> tuple[Fraction, ...]:
    # a generator runs here, under guard
    return tuple(amount(cost, "a cost") for cost in found)


def _pairs(found: Any, by: Guarded) -> tuple[tuple[Cell, Cell], ...]:
    pairs = tuple(found)
    for pair in pairs:
        if not isinstance(pair, tuple) or len(pair) != 2 or not all(isinstance(cell, Cell) for cell in pair):
            raise Unfit(f"{pair!r:.60} is not a pair of cells")
    return pairs


WARDS = {"costs": Ward(_noted), "shape": Ward(), "write": Ward(), "far": Ward(_pairs)}
"""How each function of a way is guarded."""


@dataclass(frozen=True, slots=True)
class Way:
    """One way of moving."""

    name: str
    order: int
    costs: Callable[[Draft], Iterable[Fraction]]
    shape: Callable[[Draft], None] | None = None
    write: Callable[[Writer], None] | None = None
    far: Callable[[Battlemap], Iterable[tuple[Cell, Cell]]] | None = None

    def __post_init__(self) -> None:
        guard(self, "way of moving", WARDS, ("shape", "write", "far"))
        if not isinstance(self.order, int):
            raise TypeError(f"Way {self.name!r}: order must be a whole number, not {self.order!r}")
