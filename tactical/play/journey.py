"""Long journeys: sprints, runs and marches that last, with the rolls they need and what failed ones bring.

`plan` says beforehand how far one gets, which rolls fall due when, and the exact chance to get through; `undertake`
plays it with totals from the table, margins, or a seeded source, and returns what happened as frozen events.  Neither
knows a game: both read the `Effort` values of a rule system (`Ruleset.efforts`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from random import Random

from tactical.errors import Refusal, UnknownName
from tactical.rules.checks import Check, Demand, no_number
from tactical.rules.efforts import Effort, Setback, Trial
from tactical.rules.profile import Source

GIVE_UP = 1000  # setbacks on one journey after which it is abandoned: only a hopeless roll gets there


# --- what happens ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happens on a journey, `at` so many seconds after it began."""

    at: Fraction


@dataclass(frozen=True, slots=True)
class Covered(Event):
    """A stretch that was covered: `metres` of it, in `seconds`, ending at `at`."""

    metres: Fraction
    seconds: Fraction


@dataclass(frozen=True, slots=True)
class Rolled(Event):
    """A roll of the effort: the `n`-th, its trial, total (None where only the margin was told) and margin."""

    n: int
    trial: Trial
    total: int | None
    margin: int

    @property
    def passed(self) -> bool:
        """Whether the number was met."""
        return self.margin <= 0


@dataclass(frozen=True, slots=True)
class GroundRolled(Event):
    """The ground's own movement roll of a march; what its failure does on the way is the game master's (REUP-45)."""

    trial: Trial
    total: int | None
    margin: int | None


@dataclass(frozen=True, slots=True)
class SetBack(Event):
    """A failed roll's consequence, or the end of a limited effort."""

    setback: Setback


@dataclass(frozen=True, slots=True)
class Rested(Event):
    """A rest, sleep or repair that ended at `at`."""

    kind: str
    seconds: Fraction


@dataclass(frozen=True, slots=True)
class Arrived(Event):
    """The whole way, or the whole time, is done."""


@dataclass(frozen=True, slots=True)
class Journey:
    """What became of a journey.

    `seconds` is the time it took, rests included, `metres` what was covered, `owed` the setback not yet lived through,
    `sleep` the seconds of sleep owed for the rolls made (REUP-43), `kept_up` how long each effort has been kept up
    since it last began anew: hand it to the next journey.
    """

    events: tuple[Event, ...]
    seconds: Fraction
    metres: Fraction
    arrived: bool
    owed: Setback | None = None
    sleep: Fraction = Fraction(0)
    kept_up: Mapping[str, Fraction] = field(default_factory=dict)

    @property
    def rolls(self) -> tuple[Rolled, ...]:
        """The effort's rolls, in order."""
        return tuple(event for event in self.events if isinstance(event, Rolled))


# --- who rolls -------------------------------------------------------------------------------------------------------


class Totals:
    """Rolls made at the table, given as totals in the order they fall due."""

    def __init__(self, totals: Sequence[int]) -> None:
        self._left = list(totals)

    def __call__(self, trial: Trial) -> tuple[int | None, int | None]:
        if not self._left:
            raise ValueError(f"a roll of {trial.skill} is due and no total is left")
        total = self._left.pop(0)
        return total, trial.margin(total)


class Margins(Totals):
    """Rolls told only by how much they missed (0 and less: made), for tables that keep their numbers secret."""

    def __call__(self, trial: Trial) -> tuple[int | None, int | None]:
        total, _ = super().__call__(trial)
        return None, total


class Dice:
    """Rolls thrown here from a seeded source; the same seed gives the same journey."""

    def __init__(self, source: Random | int) -> None:
        self._source = source if isinstance(source, Random) else Random(source)

    def __call__(self, trial: Trial) -> tuple[int | None, int | None]:
        total = trial.throw(self._source)
        return total, trial.margin(total)


Roller = Totals | Dice


# --- the journey -----------------------------------------------------------------------------------------------------


def find(efforts: Sequence[Effort], name: str) -> Effort:
    """The effort called `name`.  Raises `UnknownName`."""
    for effort in efforts:
        if effort.name == name:
            return effort
    raise UnknownName("effort", name, [effort.name for effort in efforts])


def time_for(effort: Effort, seconds: Fraction | None, metres: Fraction | None) -> Fraction | Refusal:
    """The time an effort takes: as given, or for the length of the way.  Refused for somebody who does not move.

    Raises `ValueError` unless exactly one of `seconds` and `metres` is given, and is not negative.
    """
    if (seconds is None) == (metres is None):
        raise ValueError("give either seconds or metres")
    if (seconds or metres or 0) < 0:
        raise ValueError("a journey has no negative length")
    if seconds is not None:
        return seconds
    assert metres is not None
    if metres and not effort.speed:
        return Refusal("rules.not_covered", {"why": f"{effort.name} with Move 0"})
    return metres / effort.speed if metres else Fraction(0)


def undertake(
    effort: Effort,
    roller: Roller,
    *,
    seconds: Fraction | None = None,
    metres: Fraction | None = None,
    kept_up: Mapping[str, Fraction] | None = None,
    ground: Demand | None = None,
    persist: bool = False,
) -> Journey | Refusal:
    """Set out and see: go on for `seconds` or over `metres`, rolling when rolls fall due.

    A failed roll ends the journey, with what it brings owed; with `persist` the rest, sleep or repair is taken and the
    journey goes on, the rolls starting anew.  `kept_up` is what earlier journeys left, `ground` the demand of a move
    over the ground at the effort's gait, for the ground's own rolls.  Refused (`rules.number_missing`) where a number
    is not known; raises `ValueError` when the roller runs out.
    """
    wanted = time_for(effort, seconds, metres)
    if isinstance(wanted, Refusal):
        return wanted
    log: list[Event] = []
    clock, moved, sleep, setbacks = Fraction(0), Fraction(0), Fraction(0), 0
    kept = dict(kept_up or {})
    while True:
        since = kept.get(effort.counts_as, Fraction(0))
        leg = _leg(effort, roller, clock, since, since + wanted - moved, ground)
        if isinstance(leg, Refusal):
            return leg
        went = leg.until - since
        clock, moved, kept[effort.counts_as] = clock + went, moved + went, leg.until
        sleep += effort.sleep * leg.rolls
        log += leg.events
        if leg.setback is None:
            log.append(Arrived(clock))
            return Journey(tuple(log), clock, moved * effort.speed, True, None, sleep, kept)
        log.append(SetBack(clock, leg.setback))
        setbacks += 1
        rest = _rest(leg.setback, roller, clock, log) if persist and setbacks < GIVE_UP else None
        if isinstance(rest, Refusal):
            return rest
        if rest is None:
            return Journey(tuple(log), clock, moved * effort.speed, False, leg.setback, sleep, kept)
        clock += rest
        sleep = Fraction(0) if leg.setback.kind == "sleep" else sleep
        kept[effort.counts_as] = Fraction(0)


@dataclass(slots=True)
class _Leg:
    """One unbroken stretch: how long the effort had then been kept up, and what stopped it."""

    until: Fraction
    events: list[Event]
    rolls: int = 0
    setback: Setback | None = None


def _leg(
    effort: Effort, roller: Roller, clock: Fraction, start: Fraction, end: Fraction, ground: Demand | None
) -> _Leg | Refusal:
    stop = end if effort.limit is None else min(end, max(effort.limit, start))
    leg, last = _Leg(stop, []), start

    def covered(until: Fraction) -> None:
        if until > last:
            leg.events.append(Covered(clock + until - start, (until - last) * effort.speed, until - last))

    for n, at in effort.due(start, stop):
        assert effort.trial is not None
        covered(at)
        last = at
        now = clock + at - start
        rolled = _roll(effort.trial(n), roller)
        if isinstance(rolled, Refusal):
            return rolled
        leg.events.append(Rolled(now, n, *rolled))
        leg.rolls += 1
        if rolled[2] > 0:
            leg.until = at
            leg.setback = effort.setback(at, n, rolled[2]) if effort.setback else Setback("game_master")
            return leg
        if effort.ground_rolls and ground is not None:
            for check in ground.checks:
                trial = _trial(check)
                thrown = _roll(trial, roller)
                if isinstance(thrown, Refusal):
                    return thrown
                leg.events.append(GroundRolled(now, *thrown))
    covered(stop)
    if stop < end:
        leg.setback = (
            effort.setback(stop, leg.rolls, 0) if effort.setback else Setback("exhausted", source=effort.source)
        )
    return leg


def _roll(trial: Trial, roller: Roller) -> tuple[Trial, int | None, int] | Refusal:
    if trial.number is None and not isinstance(roller, Margins):
        return no_number(trial)
    if isinstance(roller, Dice) and not trial.dice:
        return Refusal("rules.not_covered", {"why": f"rolling {trial.skill} without a dice code"})
    total, margin = roller(trial)
    if margin is None:
        raise ValueError(f"the roller gave no margin for {trial.skill}")
    return trial, total, margin


def _rest(setback: Setback, roller: Roller, clock: Fraction, log: list[Event]) -> Fraction | Refusal | None:
    """The time a setback takes to live through; None where the rules name none."""
    if setback.seconds is None:
        return None
    taken = setback.seconds
    tries = 1
    while setback.repair is not None:
        rolled = _roll(setback.repair, roller)
        if isinstance(rolled, Refusal):
            return rolled
        log.append(Rolled(clock + taken, tries, *rolled))
        if rolled[2] <= 0:
            break
        if tries >= GIVE_UP:
            return None
        taken, tries = taken + setback.seconds, tries + 1  # REV-A19
    log.append(Rested(clock + taken, setback.kind, taken))
    return taken


def rest(efforts: Sequence[Effort], kept_up: Mapping[str, Fraction], seconds: Fraction) -> dict[str, Fraction]:
    """What efforts are still counted after a rest of `seconds`; a rest long enough wipes one out."""
    return {
        clock: time
        for clock, time in kept_up.items()
        if time and not any(effort.recovered(time, seconds) for effort in efforts if effort.counts_as == clock)
    }


# --- planning --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Due:
    """A roll to come: when it falls due, how far one is by then, its chance, and that of passing it and all before."""

    at: Fraction
    metres: Fraction
    n: int
    trial: Trial
    chance: Fraction | None
    through: Fraction | None


@dataclass(frozen=True, slots=True)
class Plan:
    """A journey beforehand.

    `seconds` and `metres` are what is done if nothing fails (less than asked where the effort has a limit: `short`),
    `rolls` the effort's rolls, `ground` the ground's, `ground_times` how often those are due.  `chance` is the exact
    chance to get through; None where numbers or dice are missing, `missing` says which.  `sleep` is owed afterwards.
    """

    effort: str
    seconds: Fraction
    metres: Fraction
    rolls: tuple[Due, ...]
    chance: Fraction | None
    short: bool = False
    ground: tuple[Trial, ...] = ()
    ground_times: int = 0
    ground_chance: Fraction | None = Fraction(1)
    sleep: Fraction = Fraction(0)
    missing: tuple[str, ...] = ()


def plan(
    effort: Effort,
    *,
    seconds: Fraction | None = None,
    metres: Fraction | None = None,
    kept_up: Mapping[str, Fraction] | None = None,
    ground: Demand | None = None,
) -> Plan | Refusal:
    """How far in that time (or how long for that way), which rolls, and the exact chance to get through.

    `ground_chance` is the chance that none of the ground's rolls fails; a failure there does not end the journey.
    """
    wanted = time_for(effort, seconds, metres)
    if isinstance(wanted, Refusal):
        return wanted
    start = (kept_up or {}).get(effort.counts_as, Fraction(0))
    end = start + wanted
    stop = end if effort.limit is None else min(end, max(effort.limit, start))
    rolls: list[Due] = []
    through: Fraction | None = Fraction(1)
    missing: dict[str, None] = {}
    for n, at in effort.due(start, stop):
        assert effort.trial is not None
        trial = effort.trial(n)
        chance = trial.chance()
        if chance is None:
            what = (
                f"the number of {trial.level or trial.skill}" if trial.number is None else f"the dice of {trial.skill}"
            )
            missing[what] = None
        through = None if through is None or chance is None else through * chance
        rolls.append(Due(at - start, (at - start) * effort.speed, n, trial, chance, through))
    trials: tuple[Trial, ...] = ()
    if ground is not None and effort.ground_rolls:
        trials = tuple(map(_trial, ground.checks))
    clean: Fraction | None = Fraction(1)
    for trial in trials:
        chance = trial.chance()
        clean = None if clean is None or chance is None else clean * chance ** len(rolls)
    return Plan(
        effort.name, stop - start, (stop - start) * effort.speed, tuple(rolls), through if stop == end else Fraction(0),
        stop < end, trials, len(rolls) if effort.ground_rolls else 0, clean, effort.sleep * len(rolls), tuple(missing),
    )  # fmt: skip


def _trial(check: Check) -> Trial:
    """A roll of the ground as one of a journey, thrown with the same dice."""
    thrown = (check.skill, check.number, check.dice, check.level, check.under, check.wild)
    return Trial(*thrown, Source(check.source), check.option)
