"""Routes: the way there, with a ledger that says what every step costs and by which clause."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Literal, NamedTuple

from tactical.errors import counted
from tactical.rules.checks import Check
from tactical.rules.profile import Source
from tactical.units import Cell, show


class State(NamedTuple):
    """A node of the movement graph: all that the future of a move depends on.

    `diagonals` is the parity of diagonal steps made (0 unless the diagonal rule alternates), `run_up` the distance
    run directly before in whole cells (0 where nothing can be jumped), `doors` the closed doors opened this turn (0
    where no limit holds), `squeezed` whether a large body is squeezed, `opened` the doors that stand open because the
    plan opened them in place (their indexes among the map's barriers).
    """

    cell: Cell
    posture: str = "standing"
    diagonals: int = 0
    run_up: int = 0
    doors: int = 0
    squeezed: bool = False
    opened: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Charge:
    """One part of a step's price: a factor of the ground or a flat price (`flat`); `what` names a door opened."""

    name: str
    value: Fraction
    flat: bool = False
    source: Source = Source()
    what: str = ""


@dataclass(frozen=True, slots=True)
class Provocation:
    """An opportunity attack that a step invites: by whom, on leaving which cell."""

    enemy: str
    cell: Cell
    step: int
    source: Source = Source()


@dataclass(frozen=True, slots=True)
class Step:
    """One edge of a route.

    `cost` is in the rule system's unit; `distance` the length walked; `way` how (``walk``, ``crawl``, ``swim``,
    ``climb``, ``jump``, ``drop``, ``stand``, ``crouch``, ``prone``, ``squeeze``, ``link``, ``open-door``); `charges`
    the factors and flat prices in it; `turn` the turn it is made in; `spent` what that turn has used after it;
    `provokes` the enemies it provokes; `door` the name of the door that a step in place opens.  `full` is the whole
    price where the turn charges another: less, where a rounding rule lets the step be made with what is left (option
    grid_rounding), more, where the rest of one move is lost (option dash_pool).
    """

    start: State
    end: State
    way: str
    cost: Fraction
    distance: Fraction = Fraction(0)
    charges: tuple[Charge, ...] = ()
    source: Source = Source()
    turn: int = 1
    spent: Fraction = Fraction(0)
    provokes: tuple[str, ...] = ()
    check: Check | None = None
    ground: str = ""
    damage: Fraction = Fraction(0)
    door: str = ""
    full: Fraction | None = None

    def charged(self, cost: Fraction) -> Step:
        """The step as a turn charges it."""
        return self if cost == self.cost else replace(self, cost=cost, full=self.cost)

    @property
    def moves(self) -> bool:
        """True where the step changes the cell."""
        return self.start.cell != self.end.cell


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a ledger: like steps taken together.

    `text` is the reason (``dense brush 2 x 5 ft x 2``), `price` what it costs, `sum` the running sum of its turn,
    `band` the band it is paid from, `source` clause and ruling, `steps` the indexes of the route's steps it stands
    for.  A door that is opened has a line of its own (way ``open-door``), also when that is free, before the line of
    the step through it.  `full` is the whole price of a step of which the turn pays only a part.
    """

    text: str
    price: Fraction
    sum: Fraction
    source: Source = Source()
    band: str = ""
    turn: int = 1
    way: str = ""
    steps: tuple[int, ...] = ()
    full: Fraction | None = None


@dataclass(frozen=True, slots=True, repr=False)
class Route:
    """A way from `start` to `end` with everything it costs and risks; printed, one sentence.

    `cost` is the movement paid in all, `spent` what the last turn has used, `remaining` what that turn has left;
    `stops` are the cells where turns end, the goal last; `lines` the ledger; `provokes` and `checks` what it risks.
    """

    start: State
    end: State
    steps: tuple[Step, ...]
    cost: Fraction
    turn: int
    band: str
    spent: Fraction
    remaining: Fraction
    unit: str
    lines: tuple[Line, ...] = ()
    provokes: tuple[Provocation, ...] = ()
    checks: tuple[Check, ...] = ()
    stops: tuple[Cell, ...] = ()
    hazards: tuple[tuple[str, Cell], ...] = ()
    notes: tuple[str, ...] = field(default_factory=tuple)

    @property
    def cells(self) -> tuple[Cell, ...]:
        """The cells of the way, the start first; a cell stood still in is named once."""
        out = [self.start.cell]
        for step in self.steps:
            if step.end.cell != out[-1]:
                out.append(step.end.cell)
        return tuple(out)

    def ledger(self) -> tuple[Line, ...]:
        """One line a leg: reason, price, running sum and clause."""
        return self.lines

    def __bool__(self) -> Literal[True]:
        return True

    def __str__(self) -> str:
        steps = counted(len(self.steps), "step")
        turns = f" over {self.turn} turns" if self.turn > 1 else ""
        band = f" ({self.band.replace('-', ' ').replace('_', ' ')})" if self.band else ""
        parts = [
            f"{self.start.cell} to {self.end.cell} in {steps}{turns} for {counted(show(self.cost), self.unit)}{band}",
            f"arriving {self.end.posture} with {counted(show(self.remaining), self.unit)} left",
        ]
        parts += [f"{one.enemy} may strike on leaving {one.cell}" for one in self.provokes]
        parts += [counted(len(self.checks), "roll")] if self.checks else []
        parts += [f"{hazard} at {cell}" for hazard, cell in self.hazards]
        return "; ".join(parts)

    def __repr__(self) -> str:
        return f"<Route {self}>"
