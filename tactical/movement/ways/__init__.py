"""Ways of moving: each file adds one kind of edge to the movement graph.

A way offers ``WAY``, a `Way`.  Ways run in `order`: first all say which exact `costs` they will use, then those with
`shape` narrow the planes of steps that geometry leaves open (a ledge, a closed door), then those with `write` add
edges.  A way that leads farther than to a neighbour names the pairs of cells in `far`, so that searches look there.
An edge that a way writes for itself (`Writer.edge`) bears the way's name, and so does the leg of a move that takes it;
such a way may `explain` its edges and say `why` it does not lead somewhere.

A function that raises, notes a cost that is not exact or below 0, or writes what does not fit the graph, ends the
question in a `PluginError` that names its way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from tactical.errors import Refusal
from tactical.guard import Guarded, Unfit, Ward, a, amount, guard
from tactical.movement.graph.draft import Draft
from tactical.movement.graph.media import Counter, Medium
from tactical.movement.route import State, Step
from tactical.units import Cell
from tactical.world.battlemap import Battlemap

if TYPE_CHECKING:
    from tactical.movement.graph.lattice import Lattice
    from tactical.movement.graph.writer import Loose, Writer


def _noted(found: Any, by: Guarded) -> tuple[Fraction, ...]:
    # a generator runs here, under guard
    return tuple(amount(cost, "a cost") for cost in found)


def _pairs(found: Any, by: Guarded) -> tuple[tuple[Cell, Cell], ...]:
    pairs = tuple(found)
    for pair in pairs:
        if not isinstance(pair, tuple) or len(pair) != 2 or not all(isinstance(cell, Cell) for cell in pair):
            raise Unfit(f"{pair!r:.60} is not a pair of cells")
    return pairs


def _step(found: Any, by: Guarded) -> Step:
    a(found, Step)
    return found  # type: ignore[no-any-return]


def _refusal(found: Any, by: Guarded) -> Refusal | None:
    a(found, Refusal, type(None))
    return found  # type: ignore[no-any-return]


def nothing(draft: Draft) -> tuple[Fraction, ...]:
    """No prices of its own."""
    return ()


WARDS = {
    "costs": Ward(_noted),
    "shape": Ward(),
    "write": Ward(),
    "far": Ward(_pairs),
    "explain": Ward(_step),
    "why": Ward(_refusal),
}
"""How each function of a way is guarded."""


@dataclass(frozen=True, slots=True)
class Way:
    """One way of moving.

    `provokes` says whether steps of its own edges invite attacks.  `explain(lattice, edge)` gives the `Step` of such an
    edge; without it a step is its bare price, under the way's name.  `why(lattice, state, cell)` gives the `Refusal`
    that says why this way does not lead from a state to a cell.  `media` are what it moves in besides the ground,
    `counters` what it counts besides costs.
    """

    name: str
    order: int
    costs: Callable[[Draft], Iterable[Fraction]] = nothing
    shape: Callable[[Draft], None] | None = None
    write: Callable[[Writer], None] | None = None
    far: Callable[[Battlemap], Iterable[tuple[Cell, Cell]]] | None = None
    provokes: bool = True
    explain: Callable[[Lattice, Loose], Step] | None = None
    why: Callable[[Lattice, State, Cell], Refusal | None] | None = None
    media: tuple[Medium, ...] = ()
    counters: tuple[Counter, ...] = ()

    def __post_init__(self) -> None:
        guard(self, "way of moving", WARDS, ("shape", "write", "far", "explain", "why"))
        if not isinstance(self.order, int):
            raise TypeError(f"Way {self.name!r}: order must be a whole number, not {self.order!r}")
