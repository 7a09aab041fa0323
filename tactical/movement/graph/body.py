"""The parts of a draft: copies of the map, forms of a body, planes of steps and what a slot of the graph stands for.

Arrays have one value per anchor of the window; see `tactical.movement.graph.frame` for their shapes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from tactical.movement.graph.media import Medium

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tactical.world.window import Bools, Ints

    Array = NDArray[Any]


class Layer(NamedTuple):
    """One copy of the map in the state graph: indexes of posture and body form, and the counters.

    `squeezed` is the number of the body's form, 1 where it is squeezed; `extra` are the counters of plug-in ways.
    `ajar` is 0 where all doors are as the map has them, else 1 + the index into what `Leaves.sets` has for the place.
    """

    posture: int
    squeezed: int
    diagonals: int
    run_up: int
    doors: int
    ajar: int = 0
    extra: tuple[int, ...] = ()


@dataclass(frozen=True)
class Form:
    """A body form: the mover as it is, or squeezed into the next smaller square, or in a `medium` of its own.

    A large body may stand in a doorway whose doors it opened on the way in: such places count as fitting, `doorway`
    marks them, and `entry` holds per straight direction where a step may end (None: anywhere), which is not across a
    closed door that the step has come alongside of.
    """

    size: int
    squeezed: bool
    cells: tuple[tuple[int, int], ...]
    fits: Bools
    sides: Bools
    hull: Bools
    headroom: NDArray[np.int8]
    elevation: Ints | None
    stop: Bools
    doorway: Bools | None = None
    entry: tuple[Bools | None, ...] = ()
    medium: Medium | None = None

    @property
    def bodies(self) -> bool:
        """Whether those on the ground are in the way."""
        return self.medium is None or self.medium.bodies


@dataclass
class Plane:
    """The steps of one body form in one direction, one value per anchor of the window.

    `open` where the step is possible, `crossing` the priced crossing met (0 none, else 1 + index into
    `Draft.prices`), `rise` the height gained in the site's units (None: level ground), `flat` extra ticks, `resets`
    where the run-up ends.
    """

    direction: int
    open: Bools
    crossing: NDArray[np.int32] | None = None
    rise: Ints | None = None
    flat: Ints | None = None
    resets: Bools | None = None

    def charge(self, where: Bools, ticks: Array | int) -> None:
        """Add a flat price to some steps."""
        extra = np.where(where, ticks, 0)
        self.flat = extra if self.flat is None else self.flat + extra

    def reset(self, where: Bools) -> None:
        """End the run-up on some steps."""
        self.resets = where if self.resets is None else self.resets | where


class Slot(NamedTuple):
    """What a direction slot of the compiled graph stands for.

    A move in direction `k` (a change of posture or form has k = -1 and the wanted `posture` and `squeezed`), flagged by
    whether it opens doors, ends the run-up, or leaves the diagonal count as it is.  `way` names the way that wrote it.
    """

    k: int
    opens: int = 0
    resets: bool = False
    keeps: bool = False
    posture: int = -1
    squeezed: int = -1
    way: str = ""
