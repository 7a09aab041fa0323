"""Stretches: the rolls of a move, each with the steps that hang on it, made once and read by everybody.

How steps are grouped is the rule system's own: a `Check` says whether it is made for every step that asks for it, once
for a run of steps in the same way of going, once a round, or once for the whole move (`Check.per`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import groupby
from typing import Protocol

from tactical.errors import counted
from tactical.rules.checks import Check
from tactical.rules.profile import Holds

ZERO = Fraction(0)


class Stepped(Protocol):
    """What is asked of a step."""

    @property
    def way(self) -> str: ...
    @property
    def cost(self) -> Fraction: ...
    @property
    def distance(self) -> Fraction: ...
    @property
    def check(self) -> Check | None: ...
    @property
    def moves(self) -> bool: ...


@dataclass(frozen=True, slots=True)
class Stretch:
    """One roll and what hangs on it: the steps it covers by their index, what was declared for them and their length.

    It falls due before the first of its steps; one that covers none falls due before the move begins.
    """

    check: Check
    steps: tuple[int, ...] = ()
    declared: Fraction = ZERO
    distance: Fraction = ZERO

    @property
    def whole(self) -> bool:
        """True for a roll that is made before the move begins."""
        return self.check.per == "move"

    @property
    def chance(self) -> Fraction | None:
        """The exact chance that the roll succeeds; None where number or dice are missing."""
        return self.check.chance()

    def later(self, gone: int) -> Stretch:
        """The same stretch counted from a step `gone` further on."""
        return replace(self, steps=tuple(n - gone for n in self.steps))


@dataclass(frozen=True, slots=True)
class Terms:
    """What the game master says about a move beside what the ground does.

    `stretches` are numbers for its stretches in order, where a check is made also if the ground asks for none (None:
    none is made there); `numbers` are those of the rolls, in order, that have no number of their own.
    """

    stretches: tuple[int | None, ...] | None = None
    numbers: tuple[int, ...] = ()


NO_TERMS = Terms()


class WrongCount(ValueError):
    """Too few or too many numbers were given for a way."""


@dataclass
class _Found:
    """Stretches being collected."""

    steps: Sequence[Stepped]
    made: list[Stretch] = field(default_factory=list)

    def add(self, check: Check, members: Iterable[int]) -> None:
        covered = tuple(members)
        cost = sum((self.steps[n].cost for n in covered), start=ZERO)
        far = sum((self.steps[n].distance for n in covered), start=ZERO)
        self.made.append(Stretch(check, covered, cost, far))


def group(
    steps: Sequence[Stepped],
    *,
    holds: Holds | None = None,
    done: Collection[str] = (),
    terms: Terms = NO_TERMS,
) -> tuple[Stretch, ...]:
    """The stretches on the way of some steps of one move, by the first step of each.

    `holds` are the rolls that a game master may ask for, `done` the kinds of rolls that hold for the round and have
    been made.  Raises `WrongCount` where `terms` name more or fewer numbers than there are rolls to give them to.
    """
    if terms.stretches is None and all(step.check is None for step in steps):
        return ()
    found = _Found(steps)
    rounds: dict[tuple[str, str], list[int]] = {}
    given = list(terms.stretches or ())
    for way, run in _runs(steps):
        asked = [check for n in run if (check := steps[n].check) is not None]
        held = [check for check in asked if check.per == "stretch"]
        check = max(held, key=lambda one: one.difficulty) if held else None
        if check is not None or (holds is not None and way in holds.modes):
            if terms.stretches is not None and given:
                number = given.pop(0)
                check = None if number is None else _with_number(check, holds, way, number)
            if check is not None:
                found.add(check, run)
        for n in run:
            one = steps[n].check
            if one is not None and one.per == "cell":
                found.add(one, (n,))
            elif one is not None and one.per == "round" and one.kind not in done:
                rounds.setdefault((one.skill, one.kind), []).append(n)
    able = () if terms.stretches is None else able_ways(steps, holds)
    if terms.stretches is not None and len(terms.stretches) != len(able):
        named = counted(len(terms.stretches), "number")
        many = f"{len(able)} stretch{'es' * (len(able) != 1)} that may be rolled for"
        ways = f" ({', then '.join(able)})" if able else ""
        raise WrongCount(f"the way of this turn has {many}{ways}, {named} given")
    for members in rounds.values():
        checks = [check for n in members if (check := steps[n].check) is not None]
        found.add(max(checks, key=lambda one: one.difficulty), members)
    return tuple(sorted(found.made, key=lambda one: one.steps[0]))


def able_ways(steps: Sequence[Stepped], holds: Holds | None) -> tuple[str, ...]:
    """How one goes on each of the stretches that may be rolled for, in order: one number can be given for each."""

    def may(way: str, run: Iterable[int]) -> bool:
        asked = any(check is not None and check.per == "stretch" for check in (steps[n].check for n in run))
        return asked or (holds is not None and way in holds.modes)

    return tuple(way for way, run in _runs(steps) if may(way, run))


def _runs(steps: Sequence[Stepped]) -> Iterable[tuple[str, list[int]]]:
    """Steps one after the other in the same way of going; a step in place is a run of its own."""
    keyed = groupby(range(len(steps)), key=lambda n: (steps[n].way, -1 if steps[n].moves else n))
    return ((way, list(members)) for (way, _), members in keyed)


def _with_number(check: Check | None, holds: Holds | None, way: str, number: int) -> Check:
    if check is not None:
        return replace(check, number=number, note="")
    assert holds is not None
    return holds.check(way, number)


def whole(checks: Iterable[Check], steps: Sequence[Stepped]) -> tuple[Stretch, ...]:
    """The stretches of rolls that are made before a move begins.

    One that is about a way of going (`Check.about`) covers the steps made in it, any other all of them.
    """
    found = _Found(steps)
    for check in checks:
        members = [n for n, step in enumerate(steps) if check.about in ("", step.way)]
        found.add(replace(check, per="move"), members or range(len(steps)))
    return tuple(found.made)


def numbered(stretches: Sequence[Stretch], numbers: Sequence[int]) -> tuple[Stretch, ...]:
    """The stretches with the game master's numbers, one for each roll without one, in order.  Raises `WrongCount`."""
    lacking = sum(one.check.number is None for one in stretches)
    if len(numbers) != lacking:
        text = counted(lacking, "roll") + f" of this move {'has' if lacking == 1 else 'have'} no number"
        raise WrongCount(f"{text}, {counted(len(numbers), 'number')} given")
    left = iter(numbers)
    return tuple(
        one if one.check.number is not None else replace(one, check=replace(one.check, number=next(left)))
        for one in stretches
    )
