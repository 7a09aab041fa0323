"""What became of a move where the rules price distance: how far it went, by which modes, and what stopped it.

The D6 systems have an `Outcome` of their own (`d6.failures`); a rule system's `after` reads either.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from tactical.rules.profile import Fall, Leap, Stretch

ZERO = Fraction(0)


@dataclass(frozen=True, slots=True)
class Went:
    """A move carried out.

    `result` is ``ok``, ``gait_lost`` (a test of effort failed before it began), ``fell_short`` (a failed jump) or
    ``no_progress`` (a stretch not made); `moved` is what was spent of the budget, `modes` the ways of going used.
    `tested` says which gaits' tests were passed.  `leap`, `falls` and `stretch` are the rolls on the way.
    """

    result: str = "ok"
    moved: Fraction = ZERO
    modes: tuple[str, ...] = ()
    tested: tuple[str, ...] = ()
    leap: Leap | None = None
    falls: tuple[Fall, ...] = ()
    stretch: Stretch | None = None

    @property
    def damage(self) -> Fraction:
        """The damage of all falls."""
        return sum((fall.damage for fall in self.falls), start=ZERO)

    @property
    def failed(self) -> bool:
        """True where something stopped the move."""
        return self.result != "ok"
