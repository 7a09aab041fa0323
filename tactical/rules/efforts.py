"""Long efforts: what a rule system says about keeping a gait up for minutes and hours, as data.

An `Effort` is one gait kept up: how fast it goes, when rolls fall due, what each is rolled against and what a failed
one brings.  Systems differ in three ways only.  A roll is due at the *end* of each interval (D6) or *before* the period
it pays for (shapers), after a time that is free; it wants a high total or a low one; or there is no roll, just a limit
(twelve-second).  `tactical.play.journey` plays and plans them without knowing the game.

Times are exact seconds, lengths metres.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from random import Random

from tactical.rules import dice
from tactical.rules.checks import Threshold
from tactical.rules.profile import Source

MINUTE = Fraction(60)
HOUR = Fraction(3600)
UNSAID = Source()

RECOVERIES = ("equal_rest", "any_rest", "equal_walk", "on_slower", "never")


@dataclass(frozen=True, slots=True)
class Trial(Threshold):
    """One roll of a long effort: `dice` (``3D+1``, ``d100``) against `number`, at least or (`under`) at most.

    `level` names the difficulty where the rules have levels; `number` is None where the game master has given none and
    `dice` empty where the mover's pool is not known.  `option` is the one that gives a number where nobody does.
    """

    skill: str
    number: int | None
    dice: str = ""
    level: str = ""
    under: bool = False
    wild: bool = False
    source: Source = UNSAID
    option: str = ""

    def can_show(self, total: int) -> bool:
        """Whether its dice can make a total; True where they are not known."""
        return dice.can_show(self.dice, total, wild=self.wild)

    def throw(self, source: Random) -> int:
        """Roll it.  Raises `ValueError` where the dice are not known."""
        if not self.dice:
            raise ValueError(f"no dice code for {self.skill}")
        return dice.throw_code(self.dice, source, wild=self.wild)


@dataclass(frozen=True, slots=True)
class Setback:
    """What a failed roll, or a limit reached, brings.

    `kind`: ``rest`` or ``sleep`` (for `seconds`), ``strain`` (a vehicle rests for `seconds`), ``mechanical_failure``
    (`repair`, each try taking `seconds`), ``gait_lost`` and ``exhausted`` (the gait is closed until a rest),
    ``game_master`` (the text leaves it open).
    """

    kind: str
    seconds: Fraction | None = None
    repair: Trial | None = None
    source: Source = UNSAID


@dataclass(frozen=True, slots=True)
class Effort:
    """One gait kept up for long.

    `speed` is in metres a second.  Rolls fall due every `interval` seconds after the first `free` ones: at the end of
    each interval, or `before` it.  `limit` ends the effort without a roll.  `trial(n)` is the n-th roll (from 1),
    `setback(seconds, rolls, margin)` what its failure (or the limit) brings after so many seconds and rolls.  `sleep`
    is owed for every roll made.  `ground_rolls`: the ground's own movement roll, for `ground_gait`, is due as often as
    the effort's.  `recovery` is one of `RECOVERIES`.  Efforts of one `clock` tire together; by default each
    has its own.
    """

    name: str
    title: str
    speed: Fraction
    interval: Fraction | None = None
    trial: Callable[[int], Trial] | None = None
    setback: Callable[[Fraction, int, int], Setback] | None = None
    free: Fraction = Fraction(0)
    before: bool = False
    limit: Fraction | None = None
    sleep: Fraction = Fraction(0)
    ground_rolls: bool = False
    ground_gait: str = ""
    recovery: str = "equal_rest"
    clock: str = ""
    source: Source = UNSAID

    @property
    def counts_as(self) -> str:
        """The name its time is counted under."""
        return self.clock or self.name

    def due(self, start: Fraction, end: Fraction) -> Iterator[tuple[int, Fraction]]:
        """The rolls that fall due while the effort goes on from `start` to `end`: (n, time).

        A roll at the end of an interval is due when the whole interval is done (REUP-A25); one that pays for the next
        period only if that period is begun (SHP-A05).
        """
        if self.interval is None or self.trial is None:
            return
        n = 1
        while True:
            at = self.free + self.interval * (n - 1 if self.before else n)
            if at > end or (self.before and at == end):
                return
            if at > start or (self.before and at == start):
                yield n, at
            n += 1

    def rolls_by(self, seconds: Fraction) -> int:
        """How many rolls that much effort has asked for."""
        return sum(1 for _ in self.due(Fraction(0), seconds))

    def recovered(self, kept_up: Fraction, rested: Fraction) -> bool:
        """Whether a rest of `rested` seconds makes the rolls start anew after `kept_up` seconds of effort."""
        if self.sleep and rested >= self.sleep * self.rolls_by(kept_up):
            return True  # REUP-43
        match self.recovery:
            case "never":
                return False
            case "equal_rest" | "equal_walk":
                return rested >= kept_up  # REUP-A28, SHP-A06
        return rested > 0
