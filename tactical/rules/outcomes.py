"""What became of a move where the rules price distance: how far it went, by which modes, and what stopped it.

The D6 systems have an `Outcome` of their own (`d6.failures`); a rule system's `after` reads either.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Protocol

from tactical.rules.checks import Check
from tactical.rules.profile import Fall, Held, Leap
from tactical.rules.turnstate import TurnState

ZERO = Fraction(0)


class Outcome(Protocol):
    """What became of a declared move, as every rule system says it: `Went`, or one of its own with these facts."""

    @property
    def result(self) -> str: ...
    @property
    def moved(self) -> Fraction | None: ...
    @property
    def posture(self) -> str | None: ...
    @property
    def failed(self) -> bool: ...


@dataclass(frozen=True, slots=True)
class Went:
    """A move carried out.

    `result` is ``ok``, ``gait_lost`` (a test of effort failed before it began), ``fell_short`` (a failed jump) or
    ``no_progress`` (a stretch not made); `moved` is what was spent of the budget, `modes` the ways of going used.
    `tested` says what the tests were about that were passed, `missed` is the check that failed.  `leap`, `falls` and
    `stretch` are the rolls on the way, `posture` is how it ended where that is not as it was meant.
    """

    result: str = "ok"
    moved: Fraction = ZERO
    modes: tuple[str, ...] = ()
    tested: tuple[str, ...] = ()
    leap: Leap | None = None
    falls: tuple[Fall, ...] = ()
    stretch: Held | None = None
    missed: Check | None = None
    posture: str = ""

    @property
    def damage(self) -> Fraction:
        """The damage of all falls."""
        return sum((fall.damage for fall in self.falls), start=ZERO)

    @property
    def failed(self) -> bool:
        """True where something stopped the move."""
        return self.result != "ok"


@dataclass(frozen=True, slots=True)
class VehicleDamage:
    """What damage leaves of a vehicle: the `stats` that changed, its `turn`, and its state after it.

    `maneuverability` are dice (``1D+1``), `max_speed` the highest speed left, `event` what else happens, after so many
    `rounds` where that is known; `wants` are dice that must be thrown before it is.
    """

    stats: Mapping[str, object]
    turn: TurnState
    maneuverability: str = ""
    lost_moves: int = 0
    max_speed: str = ""
    weapons: int = 0
    destroyed: bool = False
    event: str = ""
    rounds: int | None = None
    wants: str = ""


@dataclass(frozen=True, slots=True)
class Ram:
    """A ram of `target`: the number of the ground, that of the ram, and the dice that its two actions cost.

    Once rolled, `outcome` is ``ram``, ``safe`` (the ground is crossed, the target missed) or ``failure``, by `margin`.
    `chances` are those of the three, empty where the dice are not known.
    """

    target: str
    number: int
    ram_number: int
    dice: int = 0
    outcome: str = ""
    margin: int | None = None
    chances: Mapping[str, Fraction] = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True)
class Worn:
    """What the rolls of an effort leave: the `turn`, and for how long there must be rest (0: all went well), and why.

    `kind` is that of a `Setback`: ``rest``, ``strain``, ``mechanical_failure`` …
    """

    turn: TurnState
    rest: Fraction = ZERO
    kind: str = ""
