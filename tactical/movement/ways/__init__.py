"""Ways of moving: each file adds one kind of edge to the movement graph.

A way offers ``WAY``, a `Way`.  Ways run in `order`: first all say which exact `costs` they will use, then those with
`shape` narrow the planes of steps that geometry leaves open (a ledge, a closed door), then those with `write` add
edges.  A way that leads farther than to a neighbour names the pairs of cells in `far`, so that searches look there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from tactical.movement.draft import Draft
from tactical.units import Cell
from tactical.world.battlemap import Battlemap

if TYPE_CHECKING:
    from tactical.movement.lattice import Writer


@dataclass(frozen=True, slots=True)
class Way:
    """One way of moving."""

    name: str
    order: int
    costs: Callable[[Draft], Iterable[Fraction]]
    shape: Callable[[Draft], None] | None = None
    write: Callable[[Writer], None] | None = None
    far: Callable[[Battlemap], Iterable[tuple[Cell, Cell]]] | None = None
