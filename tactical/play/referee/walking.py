"""Walking the legs of a move, step by step, against the truth.

A move is planned on what the mover knows and walked on what is so.  Before a step that the truth forbids the mover
halts on the last cell where it could have stopped and has paid only up to there.  Before a step that lets an enemy
strike, or that needs a roll, the walk pauses; the position then holds a `Pending` and nothing of that step is paid.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction

from tactical.errors import Refusal
from tactical.movement.query import Query
from tactical.movement.route import Step
from tactical.movement.steps.provoking import body
from tactical.play.commands import OPEN_DOOR, POSTURE, SQUEEZE, Leg
from tactical.play.events import (
    ActionTaken,
    AttackOffered,
    DoorOpened,
    Event,
    Explored,
    Halted,
    HazardEntered,
    Hurt,
    PostureChanged,
    RollNeeded,
    Stepped,
)
from tactical.play.position import Pending, Position, Status
from tactical.play.referee.secrets import explored, reveal
from tactical.play.turn import Turn, door_index
from tactical.rules.checks import Check
from tactical.rules.stretches import NO_TERMS, Stretch, Terms, group
from tactical.units import Cell, show
from tactical.world.edges.barriers import DoorState, Kind
from tactical.world.site import Site

BOUGHT_WITH = {"bonus": "bonus_dash", "action": "dash"}
"""What is ordered for each part of a gait's price."""


def order(turn: Turn, leg: Leg) -> Turn | Refusal:
    """One leg as an order of the turn."""
    if leg.way == POSTURE:
        return turn.posture(leg.posture)
    if leg.way == SQUEEZE:
        return turn.squeeze(leg.squeezed)
    if leg.way == OPEN_DOOR:
        return turn.open_door(leg.door)
    return turn.take(leg.cell, leg.way)


def buys(query: Query, gait: str) -> tuple[str, ...]:
    """The actions that a gait still has to be paid with, the bonus action first: it keeps the action free."""
    if query.ruleset.order is None:
        return ()
    price = next((known.action for known in query.profile.gaits if known.name == gait), "free")
    return tuple(BOUGHT_WITH[part] for part in sorted(price.split("+"), reverse=True) if part in BOUGHT_WITH)


def advance(turn: Turn, leg: Leg, actions: tuple[str, ...]) -> tuple[Turn, tuple[str, ...]] | Refusal:
    """The turn after a leg, and the actions still unspent; an action is spent only where the leg does not fit else.

    With the last rest (option ``grid_rounding``) a step is made only where no action of the move could pay for it.
    """
    after = order(turn, leg)
    while actions and (_short(after) if isinstance(after, Refusal) else after is not turn and _capped(after)):
        assert turn.query.ruleset.order is not None
        acts = turn.query.ruleset.order(turn.query.stats, turn.now, actions[0], turn.query.options)
        if isinstance(acts, Refusal):
            return acts
        # a Dash declared within a move does not interrupt its run-up: the preview priced it as one movement
        turn, actions = replace(turn, acts=acts), actions[1:]
        after = order(turn, leg)
    return after if isinstance(after, Refusal) else (after, actions)


def _short(reason: Refusal) -> bool:
    return reason.code == "move.budget"


def _capped(turn: Turn) -> bool:
    """Whether the last step was made with less than it costs."""
    step = turn.made
    return step is not None and step.full is not None and step.full > step.cost


def with_all(turn: Turn, actions: Sequence[str]) -> Turn:
    """The turn after all these actions were spent on movement, as far as the rules allow them."""
    for action in actions:
        assert turn.query.ruleset.order is not None
        acts = turn.query.ruleset.order(turn.query.stats, turn.now, action, turn.query.options)
        turn = turn if isinstance(acts, Refusal) else replace(turn, acts=acts)
    return turn


Made = tuple[Turn, tuple[str, ...]]
"""A leg that was made: the turn after it, and the actions still unspent."""


def ahead(turn: Turn, legs: Sequence[Leg], actions: tuple[str, ...]) -> tuple[tuple[Made, ...], Refusal | None]:
    """Some legs as far as they can be made, and why not further; nothing happens."""
    made: list[Made] = []
    for leg in legs:
        found = advance(turn, leg, actions)
        if isinstance(found, Refusal):
            return tuple(made), found
        made.append(found)
        turn, actions = found
    return tuple(made), None


def steps_of(turn: Turn, made: Sequence[Made]) -> dict[int, Step]:
    """The steps among some legs made from a turn on, by the index of the leg."""
    steps: dict[int, Step] = {}
    for n, (after, _) in enumerate(made):
        step = after.made if after is not turn else None
        if step is not None:
            steps[n] = step
        turn = after
    return steps


Rehearsed = tuple[Turn, tuple[Step, ...], tuple[Made, ...]]
"""The turn after all legs of a move, the steps and the legs one by one."""


def rehearse(turn: Turn, legs: Sequence[Leg], actions: tuple[str, ...]) -> Rehearsed | Refusal:
    """A move as far as the mover knows, or the first reason why not; nothing happens."""
    made, reason = ahead(turn, legs, actions)
    if reason is None:
        last = made[-1][0] if made else turn
        reason = last.can_stop()
        if reason is None:
            return last, tuple(steps_of(turn, made).values()), made
    return reason


def foresee(turn: Turn, legs: Sequence[Leg], actions: tuple[str, ...]) -> dict[int, Step]:
    """The steps of some legs, by the index of the leg, as far as they can be made."""
    return steps_of(turn, ahead(turn, legs, actions)[0])


def stretches_ahead(turn: Turn, made: Sequence[Made], terms: Terms = NO_TERMS) -> tuple[Stretch, ...]:
    """The rolls on the way of some legs, their steps counted among the legs.  Raises `WrongCount` as `group` does."""
    steps = steps_of(turn, made)
    legs_of_steps = list(steps)
    found = group(list(steps.values()), holds=turn.query.profile.holds, done=turn.acts.passed, terms=terms)
    return tuple(replace(one, steps=tuple(legs_of_steps[n] for n in one.steps)) for one in found)


def opened_by(turn: Turn, after: Turn) -> tuple[int, ...]:
    """The closed doors that the last step `after` a turn opened, by their index among the barriers."""
    step, barriers = after.made, turn.query.battlemap.barriers
    if step is not None and step.door:
        return (door_index(turn.query.battlemap, step.door),)
    doors = [n for n in after.crossed if barriers[n].really().kind is Kind.DOOR]
    return tuple(n for n in doors if barriers[n].really().state is not DoorState.OPEN)


def hazards_met(site: Site, mover: str, step: Step, media: tuple[str, ...] = ()) -> list[Event]:
    """The hazards that a body comes into by a step on the ground, cell by cell; in `media` it meets none."""
    found: list[Event] = []
    meets = site.hazardous and step.moves and step.end.posture not in media
    for cell in body(site, step.end) if meets else ():
        place = site.place(cell)
        hazard = site.ground(place).hazard if place is not None else ""
        if hazard and cell not in body(site, step.start):
            found.append(HazardEntered(mover, hazard, cell))
    return found


@dataclass
class Walk:
    """A walk under way.

    `position` is what has been settled so far, `turn` the mover's turn on the truth, `before` the pause it comes from
    (at first: none of its legs gone), `made` its legs where somebody has made them on the truth already.
    """

    position: Position
    turn: Turn
    before: Pending
    events: list[Event] = field(default_factory=list)
    made: Sequence[Made] = ()
    paused: bool = False
    mover: str = field(init=False)
    paid: Fraction = field(init=False)
    modes: tuple[str, ...] = field(init=False)
    stretches: tuple[Stretch, ...] = field(init=False)
    _mark: tuple[Turn, Fraction, int, frozenset[int]] | None = None
    _doors: frozenset[int] = frozenset()
    _floor: int = 0

    def __post_init__(self) -> None:
        self.mover, self.paid, self.modes = self.before.mover, self.before.paid, self.before.modes
        known = self.before.stretches
        if known is None:
            # what is found out on the way to know the rolls is not found out again when it is walked
            actions = buys(self.turn.query, self.before.gait)
            self.made = self.made or ahead(self.turn, self.before.legs, actions)[0]
            known = stretches_ahead(self.turn, self.made)
        self.stretches = known

    def go(self) -> None:
        """Walk until the legs, the limit, a pause or a surprise end it."""
        legs, limit = self.before.legs, self.before.limit
        actions = buys(self.turn.query, self.before.gait)
        self._floor = len(self.events)
        for n, leg in enumerate(legs):
            found = self.made[n] if n < len(self.made) else advance(self.turn, leg, actions)
            if isinstance(found, Refusal):
                self._halt(found, leg)
                return
            after, left = found
            step = after.made if after is not self.turn else None
            if step is None:
                continue
            if limit is not None and self.paid + step.cost > limit:
                break
            if self._pauses(step, n):
                return
            told = n == 0 and self.before.told
            self._take(after, step, actions[: len(actions) - len(left)], told)
            actions = left
        reason = self.turn.can_stop()
        if reason is not None:
            self._halt(reason, Leg(self.turn.state.cell))
        else:
            self._settle()

    # -- one step -----------------------------------------------------------------------------------------------------

    def _pauses(self, step: Step, n: int) -> bool:
        if step.provokes:
            seen, _ = explored(self.position, self.mover, self._walked)
            self.events += [
                AttackOffered(self.mover, who, step.start.cell, step.end.cell, not seen.sees(self.mover, who))
                for who in step.provokes
            ]
            self._pause("attack", n, enemies=step.provokes)
            return True
        due = next((stretch for stretch in self.stretches if stretch.steps[0] == n), None)
        if due is not None:
            self.events.append(RollNeeded(self.mover, step.start.cell, due.check))
            self._pause("roll", n, checks=(due.check,))
            return True
        return False

    def _pause(self, what: str, gone: int, enemies: tuple[str, ...] = (), checks: tuple[Check, ...] = ()) -> None:
        at = self.before.fallback
        if self.turn.can_stop() is None:
            at = None
        elif self._mark is not None:
            at = self._status(self._mark[0])
        self._settle()
        pending = replace(
            self.before,
            what=what,
            legs=self.before.legs[gone:],
            paid=self.paid,
            modes=self.modes,
            stretches=tuple(stretch.later(gone) for stretch in self.stretches),
            told=self.before.told and gone == 0,
            enemies=enemies,
            checks=checks,
            fallback=at,
        )
        self.position = self.position.changed(pending=pending)
        self.paused = True

    def _take(self, after: Turn, step: Step, actions: tuple[str, ...], told: bool) -> None:
        if self.turn.can_stop() is None:
            self._mark = (self.turn, self.paid, len(self.events), self._doors)
        self.events += [ActionTaken(self.mover, action) for action in actions]
        doors, unit = opened_by(self.turn, after), self.turn.query.profile.unit
        paid = step.cost if step.door else Fraction(0)
        self.events += [DoorOpened(self.mover, self.turn.query.battlemap.door_name(n), paid) for n in doors]
        self._doors |= frozenset(doors)
        if step.door:
            pass
        elif step.moves:
            made = Stepped(self.mover, step.start.cell, step.end.cell, step.way, step.cost, step.spent, unit)
            self.events.append(made)
        else:
            before, posture = step.start.posture, step.end.posture
            self.events.append(PostureChanged(self.mover, before, posture, step.cost, unit))
        if step.damage and not told:
            self.events.append(Hurt(self.mover, show(step.damage), "fall"))
        self.events += hazards_met(self.turn.site, self.mover, step, self.turn.query.profile.media)
        self.turn, self.paid = after, self.paid + step.cost
        self.modes = tuple(dict.fromkeys((*self.modes, step.way)))

    # -- how it ends --------------------------------------------------------------------------------------------------

    def _halt(self, reason: Refusal, towards: Leg) -> None:
        """Something unforeseen: what it was comes to light, and the mover is where it could last stop."""
        surprised = self.turn.state.cell
        if self.turn.can_stop() is not None:
            if self._mark is not None:
                self.turn, self.paid, count, self._doors = self._mark
                del self.events[count:]
            elif self.before.fallback is not None:
                at = self.before.fallback
                del self.events[self._floor :]
                self.paid -= self.turn.spent - at.turn.spent
                self._doors = frozenset()
                # whoever has struck meanwhile has struck, wherever the mover ends (OPR-A17)
                self.turn = replace(self.turn, state=at.state, acts=at.turn, spent=at.turn.spent, made=None, crossed=())
        self._settle()
        doors = [door_index(self.position.battlemap, towards.door)] if towards.door else []
        self.position, found = reveal(self.position, self.mover, self.turn.site, surprised, towards.cell, doors)
        self.events += found
        self.events.append(Halted(self.mover, self.position.status(self.mover).state.cell, reason))

    def _settle(self) -> None:
        """Write the turn, the doors opened and the cells seen into the position."""
        self.position = self.position.with_turn(self.mover, self.turn)
        self.position = self.position.with_doors(dict.fromkeys(self._doors, DoorState.OPEN))
        self._doors = frozenset()
        self.position, seen = explored(self.position, self.mover, self._walked)
        if seen:
            self.events.append(Explored(self.mover, seen))

    @property
    def _walked(self) -> set[Cell]:
        return {event.cell for event in self.events if isinstance(event, Stepped)}

    def _status(self, turn: Turn) -> Status:
        return replace(self.position.status(self.mover), state=turn.state, turn=turn.now)
