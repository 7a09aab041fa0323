"""Resolving: a declared move and the dice thrown for it become an outcome, a place and the next turn.

Nothing is rolled here: totals come from the table or from a seeded source (`throw`).  Where the mover ends follows the
declared way: the last cell that is wholly reached.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from random import Random
from typing import Any, NamedTuple

from tactical.errors import Refusal, RulesetError
from tactical.movement.declare import Declared
from tactical.movement.query import Query
from tactical.movement.rolls import odds
from tactical.movement.route import State, Step
from tactical.movement.situation import fresh_turn
from tactical.play.chance import throw_code
from tactical.rules.checks import Check, no_number
from tactical.rules.outcomes import Ram, Went
from tactical.rules.profile import Fall, Leap
from tactical.rules.stretches import Stretch
from tactical.rules.turnstate import TurnState
from tactical.units import Cell


class Made(NamedTuple):
    """A roll as it fell; a 1 on the wild die is a `complication`."""

    check: Check
    total: int
    complication: bool = False


class NoTotal(ValueError):
    """A roll is due and no total is left for it."""


class Given:
    """The totals of a move's rolls, in order: those thrown at the table, or with `source` thrown when they fall due."""

    def __init__(self, totals: Sequence[int] = (), source: Random | None = None) -> None:
        self.left, self.source, self.made = list(totals), source, list[Made]()

    def next(self, check: Check) -> int:
        """The total of a roll that is due.  Raises `NoTotal`."""
        if self.source is not None:
            found = throw_code(check.dice, self.source, wild=check.wild)
            self.made.append(Made(check, found.total, found.complication))
        elif self.left:
            self.made.append(Made(check, self.left.pop(0)))
        else:
            raise NoTotal(f"a roll of {check.skill} ({check.dice or 'its dice'}) is due and no total is left")
        return self.made[-1].total

    def maybe(self, check: Check) -> int | None:
        """The total of a roll that need not be made: None where none is left for it."""
        return self.next(check) if self.left or self.source is not None else None


@dataclass(frozen=True)
class Resolved:
    """What became of a declared move.

    `outcome` is the rule system's own (`Went` where it has none); `end` where the mover is then (None: the game master
    says), `after` the turn with the move in it, `then` the turn that follows, `open_gaits` the gaits open in that.
    `rolls` are the rolls as they fell.
    """

    move: Declared
    outcome: Any
    end: State | None
    after: TurnState
    then: TurnState
    rolls: tuple[Made, ...] = ()

    @property
    def remaining(self) -> Fraction:
        """What the turn has left for going on at the gait, in the rule system's unit; 0 where it may not."""
        query, gait = self.move.query, self.move.gait.name
        posture = query.mover.posture if self.end is None else self.end.posture
        profile = query.ruleset.profile(query.stats, self.after, query.options, posture)
        budgets = [one.budget for one in profile.gaits if one.name == gait and one.refused is None]
        return max(Fraction(0), budgets[0] - self.after.spent) if budgets else Fraction(0)

    @property
    def open_gaits(self) -> tuple[str, ...]:
        """What may be done next turn: the gaits that are not refused, and ``stop`` where one may stand still."""
        query = self.move.query
        posture = query.mover.posture if self.end is None else self.end.posture
        profile = query.ruleset.profile(query.stats, self.then, query.options, posture)
        stop = ("stop",) if profile.facts.get("may_stop", True) else ()
        return (*stop, *(gait.name for gait in profile.gaits if gait.refused is None))


def needed(move: Declared) -> tuple[Check, ...]:
    """The rolls a move needs, in the order in which totals are given; a prepared fall may be left out at the end."""
    return move.checks


def throw(move: Declared, source: Random) -> Resolved | Refusal:
    """What becomes of a move with dice thrown as they fall due.  Refused where the mover has no dice for a roll."""
    for check in needed(move):
        if not check.dice:
            return Refusal("rules.not_covered", {"why": f"rolling {check.skill} without a dice code"})
    return resolve(move, Given(source=source))


def resolve(move: Declared, rolls: Sequence[int] | Given) -> Resolved | Refusal:
    """What becomes of a declared move with these totals, one for each of its `checks`; the first failure ends it.

    One more is taken where a recovery follows.  Refused where a number is missing (``rules.number_missing``).  Raises
    `NoTotal` for too few totals.
    """
    query = move.query
    given = rolls if isinstance(rolls, Given) else Given(rolls)
    if query.ruleset.resolve is not None:
        return _whole(move, given)
    tested: list[str] = []
    for test in (stretch for stretch in move.stretches if stretch.whole):
        missed = test.check.margin(given.next(test.check))
        if missed is None:
            return no_number(test.check)
        if missed > 0:
            return _done(move, lost(test, move.gait.name, tested), odds.end_after(move, test), given)
        tested.append(test.check.about or move.gait.name)
    due = {stretch.steps[0]: stretch for stretch in move.stretches if not stretch.whole}
    spent, falls, modes = Fraction(0), list[Fall](), list[str]()
    leap: Leap | None = None
    for n, step in enumerate(move.steps):
        modes.append(step.way)
        stretch = due.get(n)
        if step.damage or (stretch is not None and stretch.check.kind == "fall"):
            falls.append(_fall(query, step, given))
        elif stretch is not None:
            check, total = stretch.check, given.next(stretch.check)
            missed = check.margin(total)
            if missed is None:
                return no_number(check)
            follows = check.after(missed > 0)
            totals = [total] if follows is None else [total, given.next(follows)]
            if missed > 0:
                went = fell(query, move.gait.name, step, stretch, totals)
                went = replace(went, moved=spent + went.moved, modes=tuple(dict.fromkeys((*modes, *went.modes))))
                return _done(move, went, odds.end_after(move, stretch), given)
            leap = leap_of(query, move.gait.name, step, totals) if follows is not None else leap
        spent += step.cost
    went = Went("ok", spent, tuple(dict.fromkeys(modes)), tuple(tested), leap, tuple(falls))
    return _done(move, went, move.end, given)


def lost(stretch: Stretch, gait: str, tested: Sequence[str] = ()) -> Went:
    """A move that a test before it stopped: what that was about is lost, and its price too where the rules say so."""
    check = stretch.check
    spent = stretch.declared if check.spends else Fraction(0)
    return Went("gait_lost", spent, modes=(check.about or gait,), tested=tuple(tested), missed=check)


def fell(query: Query, gait: str, step: Step, stretch: Stretch, rolls: Sequence[int]) -> Went:
    """What a roll missed on the way makes of the steps that hang on it; `moved` is what they cost all the same.

    `step` is the first of them, `rolls` are the total and, where it was thrown, that of what follows.
    """
    check = stretch.check
    if check.aloft:
        leap = leap_of(query, gait, step, rolls)
        return Went("fell_short", stretch.declared, (step.way,), leap=leap, missed=check)
    holds = query.profile.holds
    if holds is None:
        return Went("failed", stretch.declared, (step.way,), missed=check)
    made = holds.outcome(rolls[0], Fraction(check.number or 0), stretch.distance, stretch.declared)
    return Went("no_progress", made.spent, (step.way,), stretch=made, missed=check)


def _whole(move: Declared, given: Given) -> Resolved | Refusal:
    """A system that rolls for whole moves."""
    query = move.query
    if query.ruleset.resolve is None:
        raise RulesetError(f"rule system {query.ruleset.name} rolls for whole moves but has no resolve")
    rolls = tuple(given.next(check) for check in move.checks)
    outcome = query.ruleset.resolve(
        query.stats, query.turn, query.options, move.gait.name, move.length, move.grounds, rolls
    )
    if isinstance(outcome, Refusal):
        return outcome
    end = None if outcome.moved is None else move.after(outcome.moved)
    spent = Fraction(0) if end is None else move.cost_to(end)
    if end is not None and outcome.posture and outcome.failed:
        end = end._replace(posture=outcome.posture)
    return _done(move, outcome, end, given, spent)


def ram(done: Resolved) -> Ram | Refusal:
    """How a resolved move that was declared as a ram ended.  Refused where the ground's number is missing."""
    query, judge = done.move.query, done.move.query.ruleset.ram
    if judge is None:
        raise RulesetError(f"rule system {query.ruleset.name} has ramming but no ram")
    total = done.rolls[-1][1] if done.rolls else None
    found: Ram | Refusal = judge(query.stats, query.turn, query.options, done.move.gait.name, done.move.grounds, total)
    return found


def _done(move: Declared, outcome: Any, end: State | None, given: Given, spent: Fraction | None = None) -> Resolved:
    query = move.query
    after = query.turn
    if query.ruleset.after is not None:
        after = query.ruleset.after(query.stats, after, query.options, move.gait.name, outcome)
    price = outcome.moved if spent is None else spent
    after = replace(after, spent=after.spent + price)
    return Resolved(move, outcome, end, after, fresh_turn(query.ruleset, after, query.options), tuple(given.made))


def _fall(query: Query, step: Step, given: Given) -> Fall:
    """A drop on the way, prepared where a total is left for it."""
    limits = query.profile.fall
    height = drop_height(query, step.start.cell, step.end.cell)
    if limits is None or limits.land is None:
        return Fall(height, step.damage)
    check = None if limits.check is None else limits.check(height)
    return limits.land(height, None if check is None else given.maybe(check))


def leap_of(query: Query, gait: str, step: Step, rolls: Sequence[int]) -> Leap | None:
    """How the rule system tells of a jump with these totals."""
    run_up = step.start.run_up * query.battlemap.cell
    jump = odds.declare_jump(query, (step.start.cell,), step.end.cell, gait=gait, run_up=run_up)
    found = None if isinstance(jump, Refusal) else attempt(jump, rolls)
    return None if isinstance(found, Refusal) else found


# --- single events ---------------------------------------------------------------------------------------------------


def attempt(jump: odds.Jump, rolls: Sequence[int]) -> Leap | Refusal:
    """What the dice make of a declared jump."""
    limits = jump.query.profile.jump
    if limits is not None and limits.attempt is not None:
        return limits.attempt(jump.approach, rolls)
    return Leap("auto", jump.approach.length)


def drop_height(query: Query, start: Cell, end: Cell) -> Fraction:
    """How far down it is from one cell to another, in the map's unit."""
    battlemap = query.battlemap
    return battlemap.terrain(start).elevation - battlemap.terrain(end).elevation
