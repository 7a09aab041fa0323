"""Routes: the way there, with a ledger that says what every step costs and by which clause."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Literal, NamedTuple

from tactical.errors import counted
from tactical.rules.checks import Check
from tactical.rules.profile import Attacked, Source
from tactical.rules.turnstate import TurnState
from tactical.units import Cell, spoken


class State(NamedTuple):
    """A node of the movement graph: all that the future of a move depends on.

    `diagonals` is the parity of diagonal steps made (0 unless the diagonal rule alternates), `run_up` the distance
    run directly before in whole cells (0 where nothing can be jumped), `doors` the closed doors opened this turn (0
    where no limit holds), `squeezed` whether a large body is squeezed, `opened` the doors that stand open because the
    plan opened them in place (their indexes among the map's barriers), `extra` what ways of other packages count.
    """

    cell: Cell
    posture: str = "standing"
    diagonals: int = 0
    run_up: int = 0
    doors: int = 0
    squeezed: bool = False
    opened: tuple[int, ...] = ()
    extra: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Charge:
    """One part of a step's price: a factor of the ground or a flat price (`flat`).

    `what` names a door that is opened, or says how far a fall goes and what it does.  `source` says why the charge is
    there, `also` what else makes its price.
    """

    name: str
    value: Fraction
    flat: bool = False
    source: Source = Source()
    what: str = ""
    also: tuple[Source, ...] = ()


@dataclass(frozen=True, slots=True)
class Provocation:
    """An opportunity attack that a step invites: by whom, on leaving which cell."""

    enemy: str
    cell: Cell
    step: int
    source: Source = Source()


class Exposure(NamedTuple):
    """A hazard that is met: its name, and the cell where it is entered."""

    hazard: str
    cell: Cell


@dataclass(frozen=True)
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

    def alike(self, start: State, end: State) -> Step:
        """A step between other states that is like this one in everything else."""
        return self._with(start=start, end=end)

    def taken(self, start: State, end: State, turn: int, spent: Fraction) -> Step:
        """A step like this one between other states, in its turn, which has used so much after it."""
        return self._with(start=start, end=end, turn=turn, spent=spent)

    def at(self, turn: int, spent: Fraction) -> Step:
        """The step in its turn, which has used so much after it."""
        return self._with(turn=turn, spent=spent)

    def paid(
        self, cost: Fraction, full: Fraction | None, turn: int, spent: Fraction, provokes: tuple[str, ...]
    ) -> Step:
        """The step as it was paid for in a turn, which has used so much after it, and what it provoked."""
        return self._with(cost=cost, full=full, turn=turn, spent=spent, provokes=provokes)

    def _with(self, **changes: object) -> Step:
        # what `replace` gives, in a quarter of the time: every step of every route is made so
        made = object.__new__(Step)
        vars(made).update(vars(self), **changes)
        return made

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
    `band` the band it is paid from, `source` clause and ruling, `clauses` and `rulings` all that price it, the source's
    first, `steps` the indexes of the route's steps it stands for.  A door that is opened has a line of its own (way
    ``open-door``), also when that is free, before the line of the step through it.  `full` is the whole price of a step
    of which the turn pays only a part.
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
    clauses: tuple[str, ...] = ()
    rulings: tuple[str, ...] = ()

    @property
    def sources(self) -> str:
        """All clauses, and the rulings with a star, in words."""
        parts = [*(self.clauses or [self.source.clause]), *(f"*{ruling}" for ruling in self.rulings)]
        return " ".join(part for part in parts if part)


@dataclass(frozen=True, slots=True)
class Round:
    """One turn of a route in numbers: its gait, what is made and spent in it, and its rolls.

    `distance` is the length of the way made in it, in the map's unit, `spent` what it takes of that turn's `budget` and
    `minimum` the least that the gait must use, in the rule system's unit.  A turn that stands still has 0 of both.
    """

    turn: int
    gait: str
    distance: Fraction
    spent: Fraction
    checks: tuple[Check, ...]
    minimum: Fraction = Fraction(0)
    budget: Fraction = Fraction(0)


@dataclass(frozen=True, slots=True)
class PlannedTurn:
    """One turn of a plan as the rules have carried it.

    `before` is the state in which it begins and `after` the one in which it ends, as the rule system says if every roll
    passes; the turn after it begins in what the system makes of `after`.  `spent` is what its `steps` cost, `minimum`
    and `budget` the least and the most of its gait, `end` where it ends.  A turn that stands still has no steps.
    `provokes` are its opportunity attacks, their `step` counted within the turn.
    """

    number: int
    gait: str
    steps: tuple[Step, ...]
    end: State
    spent: Fraction = Fraction(0)
    distance: Fraction = Fraction(0)
    minimum: Fraction = Fraction(0)
    budget: Fraction = Fraction(0)
    checks: tuple[Check, ...] = ()
    provokes: tuple[Provocation, ...] = ()
    before: TurnState = field(default=TurnState(), compare=False)
    after: TurnState = field(default=TurnState(), compare=False)

    @property
    def round(self) -> Round:
        """The turn in numbers."""
        return Round(self.number, self.gait, self.distance, self.spent, self.checks, self.minimum, self.budget)


@dataclass(frozen=True, slots=True, repr=False)
class Route:
    """A way from `start` to `end` with everything it costs and risks; printed, one sentence.

    `cost` is the movement paid in all, `spent` what the last turn has used, `remaining` what that turn has left;
    `stops` are the cells where turns end, the goal last; `lines` the ledger; `provokes` what it risks, and `checks` the
    rolls of its first turn.  `rounds` are its turns in numbers, `turns` the same with their steps and states.
    `action` is what the gait of its first turn uses up, `attacked` what the posture at the end does to attacks.
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
    hazards: tuple[Exposure, ...] = ()
    notes: tuple[str, ...] = field(default_factory=tuple)
    rounds: tuple[Round, ...] = ()
    action: str = "free"
    attacked: tuple[Attacked, ...] = ()
    _turns: tuple[PlannedTurn, ...] = field(default=(), compare=False)

    @property
    def turns(self) -> tuple[PlannedTurn, ...]:
        """The turns of the plan, one after the other; of a route that was read, without the states between them."""
        return self._turns or tuple(_planned(self))

    def rest(self) -> Route | None:
        """What is left of the plan when its first turn has been carried out and ended; None after the last turn."""
        turns = self.turns
        if len(turns) < 2:
            return None
        gone, begun = len(turns[0].steps), turns[0].end
        begun = turns[1].steps[0].start if turns[1].steps else begun._replace(run_up=0, doors=0)
        later = tuple(
            replace(turn, number=turn.number - 1, steps=tuple(replace(s, turn=s.turn - 1) for s in turn.steps))
            for turn in turns[1:]
        )
        lines = tuple(
            replace(line, turn=line.turn - 1, band=_sooner(line.band, later), steps=tuple(n - gone for n in line.steps))
            for line in self.lines
            if line.turn > 1
        )
        cells = {step.end.cell for turn in later for step in turn.steps}
        return replace(
            self,
            start=begun,
            steps=tuple(step for turn in later for step in turn.steps),
            cost=self.cost - turns[0].spent,
            turn=self.turn - 1,
            band=_sooner(self.band, later),
            lines=lines,
            provokes=tuple(replace(one, step=one.step - gone) for one in self.provokes if one.step >= gone),
            checks=later[0].checks,
            stops=self.stops[1:],
            hazards=tuple(found for found in self.hazards if found[1] in cells),
            rounds=tuple(turn.round for turn in later),
            _turns=later,
        )

    def with_checks(self, checks: tuple[Check, ...]) -> Route:
        """The same way with the rolls of its first turn as they were declared, the game master's numbers in them."""
        turns = self.turns
        if turns:
            turns = (replace(turns[0], checks=checks), *turns[1:])
        return replace(self, checks=checks, rounds=tuple(turn.round for turn in turns), _turns=turns)

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
            f"{self.start.cell} to {self.end.cell} in {steps}{turns} for {counted(spoken(self.cost), self.unit)}{band}",
            f"arriving {self.end.posture} with {counted(spoken(self.remaining), self.unit)} left",
        ]
        parts += [f"{one.enemy} may strike on leaving {one.cell}" for one in self.provokes]
        parts += [counted(len(self.checks), "roll")] if self.checks else []
        parts += [f"{hazard} at {cell}" for hazard, cell in self.hazards]
        return "; ".join(parts)

    def __repr__(self) -> str:
        return f"<Route {self}>"


def _planned(route: Route) -> list[PlannedTurn]:
    """The turns of a route by its steps and rounds: all that is known of one that was read or put together by hand."""
    out: list[PlannedTurn] = []
    end, begun = route.start, 0
    known: Sequence[Round] = route.rounds
    if not known:
        numbers = dict.fromkeys(step.turn for step in route.steps) or {1: None}
        known = [Round(number, route.band, Fraction(0), Fraction(0), ()) for number in numbers]
    for one in known:
        steps = tuple(step for step in route.steps if step.turn == one.turn)
        end = steps[-1].end if steps else end
        spent, length = sum((s.cost for s in steps), Fraction(0)), sum((s.distance for s in steps), Fraction(0))
        attacks = tuple(
            replace(attack, step=attack.step - begun)
            for attack in route.provokes
            if begun <= attack.step < begun + len(steps)
        )
        turn = PlannedTurn(one.turn, one.gait, steps, end, spent, length, one.minimum, one.budget, one.checks, attacks)
        begun += len(steps)
        out.append(turn)
    return out


def _sooner(band: str, later: Sequence[PlannedTurn]) -> str:
    """What a band of turn 2, 3 … is called when one turn has gone by: that of turn 2 by its gait."""
    head, number, *gait = [*band.split("-", 2), ""][:3]
    if head != "turn" or not number.isdigit():
        return band
    if int(number) == 2:
        return later[0].gait
    return "-".join(part for part in (head, str(int(number) - 1), *gait) if part)
