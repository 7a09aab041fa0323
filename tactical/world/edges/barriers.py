"""Barriers: free line segments that stand between cells, and which steps they meet.

When does a wall block a step?  Real maps put walls anywhere, so neither "wall = cell edge" nor one centre-to-centre
line will do (a wall through a cell's middle makes that test a toss).  Every step is therefore probed by parallel lines
and touching counts as a hit:

*straight step*: three probes, at sideways offsets -0.2, 0 and +0.2 cell.  Walls cut it if the middle probe is hit or at
least two of the three are.  If any probe hits a door the step is a door crossing and the door's state alone decides.

*diagonal step*: two probes, at sideways offsets -0.1 and +0.1 cell.  Barriers cut it only if both are hit.  So a wall
that merely ends at the corner (a door post, the end of a thin wall) leaves the line itself uncut, and whether the
corner may be passed is the corner policy's business, which looks at the two ways round (see `tactical.world.site`); a
wall that runs across the corner, on whichever slant, cuts the diagonal even where neither way round meets it.

A door through the middle of a cell is met both on entering and on leaving that cell; its price and its opening count
on entering, and whoever stands in the doorway has it open.

A barrier that lies along a probe is no crossing.  Ends are snapped to 1/256 cell first and zero lengths dropped.

Baking records *which barriers a step meets*, not whether they stop it: a door that opens, a secret that becomes known
or a flying mover changes a look-up of a few entries and never the geometry.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction
from typing import TYPE_CHECKING, Any, TypeVar

from tactical import values
from tactical.errors import meant
from tactical.world.grids import Point

if TYPE_CHECKING:
    pass


SNAP = 256
"""Parts of a cell that the ends of segments are laid on before they are baked."""


class Kind(StrEnum):
    """What a barrier is."""

    WALL = "wall"
    DOOR = "door"
    WINDOW = "window"
    FENCE = "fence"
    LOW_WALL = "low-wall"
    INVISIBLE = "invisible"


class DoorState(StrEnum):
    """The state of a door.  A secret door is closed, and a wall to whoever does not know it."""

    OPEN = "open"
    CLOSED = "closed"
    LOCKED = "locked"
    SECRET = "secret"


E = TypeVar("E", bound=StrEnum)

MODES = ("walk", "crawl", "run", "run_dodge", "wade", "swim", "climb", "drive", "fly")
"""Modes of moving that a barrier may stop on its own."""

# Kinds that never let a walker through, whatever the price.
SOLID = frozenset({Kind.WALL, Kind.WINDOW, Kind.INVISIBLE})
# Kinds that do not stop a weapon's reach (an opportunity attack through a window or over a fence).
REACHED_THROUGH = frozenset({Kind.WINDOW, Kind.FENCE, Kind.LOW_WALL, Kind.INVISIBLE})


@dataclass(frozen=True, slots=True)
class Barrier:
    """One segment, in cell units from the map's top left corner.

    `state` is a door's; `cost` the flat price of getting over (fence, low wall) or through (door, lock).  A barrier
    with `one_way` left (right) lets movers pass towards its left (right) side, as seen going from the first point to
    the second, and is a wall the other way.  `bottom` and `top`, in the map's unit, bound the heights it exists for.
    `truth` is what the barrier really is where movers believe `kind` (a kind, or ``door-locked`` and so on).  With
    `stops` it stops only these modes of moving (``walk``, ``crawl``, ``swim``, ``wade``, ``climb``, ``drive`` …).

    Numbers may be given as anything `tactical.units.exact` reads, `kind` and `state` by their words.  Raises
    `ValueError` or `TypeError`, naming the field, for a value out of place.
    """

    line: tuple[Point, Point]
    kind: Kind = Kind.WALL
    id: str = ""
    state: DoorState | None = None
    one_way: str = ""
    cost: Fraction | None = None
    bottom: Fraction | None = None
    top: Fraction | None = None
    level: int = 0
    truth: str = ""
    stops: tuple[str, ...] = ()

    if TYPE_CHECKING:
        # what it may be made from; the fields hold what it becomes
        def __init__(
            self,
            line: Sequence[Sequence[float]],
            kind: Kind | str = ...,
            id: str = ...,
            state: DoorState | str | None = ...,
            one_way: str = ...,
            cost: values.Number | None = ...,
            bottom: values.Number | None = ...,
            top: values.Number | None = ...,
            level: int = ...,
            truth: str = ...,
            stops: Sequence[str] = ...,
        ) -> None: ...

    def __post_init__(self) -> None:
        settle = object.__setattr__
        settle(self, "line", _segment(self.line))
        settle(self, "kind", _one_of(Kind, self.kind, "kind of barrier"))
        if self.kind is Kind.DOOR:
            state = DoorState.CLOSED if self.state is None else _one_of(DoorState, self.state, "state of a door")
            settle(self, "state", state)
        elif self.state is not None:
            raise ValueError(f"a {self.kind} has no state")
        values.word(self.id, "a barrier's id")
        if self.one_way not in ("", "left", "right"):
            raise ValueError(f"one_way is left or right, not {self.one_way!r}")
        if self.cost is not None:
            settle(self, "cost", values.measure(self.cost, "a barrier's cost", least=0))
        for name in ("bottom", "top"):
            height = getattr(self, name)
            if height is not None:
                settle(self, name, values.measure(height, f"a barrier's {name}"))
        settle(self, "level", values.whole(self.level, "a barrier's level"))
        if self.truth:
            _truth(self.truth)
        settle(self, "stops", values.words(self.stops, "stops"))
        if not set(self.stops) <= set(MODES):
            raise ValueError(f"stops takes modes of moving ({', '.join(MODES)}), not {', '.join(self.stops)}")

    @property
    def steady(self) -> bool:
        """True for what stops everything in every state of knowledge (a window lets a weapon's reach through)."""
        plain = not (self.one_way or self.truth or self.stops)
        return self.kind is Kind.WALL and plain and self.bottom is None and self.top is None

    def at_height(self, z: Fraction) -> bool:
        """Whether the barrier exists for a mover whose feet are at height `z`: bottom <= z < top."""
        return (self.bottom is None or self.bottom <= z) and (self.top is None or z < self.top)

    def really(self) -> Barrier:
        """The barrier as it is in truth."""
        if not self.truth:
            return self
        kind, state = _truth(self.truth)
        return replace(self, kind=kind, state=state, truth="")

    def named(self) -> str:
        """The barrier in words, for reasons: ``closed door 'gate'``."""
        words = (
            f"{self.state.value} door" if self.kind is Kind.DOOR and self.state else self.kind.value.replace("-", " ")
        )
        return f"{words} {self.id!r}" if self.id else words

    def passes(self, dx: float, dy: float) -> bool:
        """Whether a step in direction (dx, dy) goes the way a one-way barrier allows."""
        (x0, y0), (x1, y1) = self.line
        # y grows downwards, so the left of (1, 0) is (0, -1)
        leftward = (y1 - y0) * dx - (x1 - x0) * dy
        return leftward > 0 if self.one_way == "left" else leftward < 0


def _segment(line: Any) -> tuple[Point, Point]:
    try:
        first, second = line
    except (TypeError, ValueError):
        raise TypeError(f"a barrier's line is two points ((x, y), (x, y)), not {line!r}") from None
    return values.point(first, "a barrier's end"), values.point(second, "a barrier's end")


def _one_of(kind: type[E], value: str, what: str) -> E:
    try:
        return kind(value)
    except ValueError:
        known = [one.value for one in kind]
        hint = meant(str(value), known)
        raise ValueError(f"{value!r} is no {what} (known: {', '.join(known)}){hint}") from None


def _truth(text: str) -> tuple[Kind, DoorState | None]:
    kind, _, state = text.partition("-") if text.startswith("door-") else (text, "", "")
    return _one_of(Kind, kind, "kind of barrier"), _one_of(DoorState, state, "state of a door") if state else None


def snapped(line: tuple[Point, Point]) -> tuple[Point, Point] | None:
    """The segment with its ends on the 1/256 lattice, or None if nothing is left of it."""
    (x0, y0), (x1, y1) = (tuple(round(value * SNAP) / SNAP for value in point) for point in line)
    return None if (x0, y0) == (x1, y1) else ((x0, y0), (x1, y1))
