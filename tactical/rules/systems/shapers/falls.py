"""Falls of Shapers: harmless heights, damage, jumping down on purpose (clauses SHP-23 … SHP-29).  Metres throughout."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import floor

from tactical.options import Options
from tactical.rules.checks import Check
from tactical.rules.profile import Fall, FallLimits, Source
from tactical.rules.systems.shapers.acts import AVERAGE

SAFE_SHARE = Fraction(1, 4)  # SHP-23
DAMAGE_PER_METRE = 2  # SHP-25
POINTS_PER_DAMAGE = 10  # SHP-28


def safe_fall(size: Fraction) -> Fraction:
    """Metres a creature of this size falls without harm, both ends included (SHP-23, SHP-A13)."""
    return size * SAFE_SHARE


def fall_damage(height: Fraction, size: Fraction, fortitude: int, options: Options) -> Fraction:
    """Damage of a fall: 2 a metre of the whole height, plus size, less Physical Fortitude (SHP-24, SHP-25).

    Size 10, Fortitude 5, 10 m: 20 + 10 - 5 = 25 (SHP-26).

    Whole metres count (option `fall_metres`, SHP-A12); armour does not help; never below 0 (SHP-A14).
    """
    if height <= safe_fall(size):
        return Fraction(0)
    metres = height if options["fall_metres"] == "exact" else Fraction(height // 1)
    return max(Fraction(0), DAMAGE_PER_METRE * metres + size - fortitude)


@dataclass(frozen=True, slots=True)
class JumpDown:
    """A prepared jump down: the target number (None: no roll needed), whether it was met, and the damage left."""

    tn: Fraction | None
    ok: bool
    reduction: int
    damage: Fraction


def jump_down_tn(height: Fraction, agility: int, athletics: int) -> Fraction:
    """The target number of jumping down: 50 less the exact distance, raised as ever (SHP-27, SHP-29, SHP-A15)."""
    return AVERAGE - height + agility + athletics


def jump_down(
    height: Fraction, size: Fraction, fortitude: int, agility: int, athletics: int, roll: int, options: Options
) -> JumpDown:
    """Jump down on purpose: each full 10 points of success take 1 off the damage, a miss adds nothing (SHP-28, A15)."""
    if height <= safe_fall(size):
        return JumpDown(None, True, 0, Fraction(0))
    tn = jump_down_tn(height, agility, athletics)
    damage = fall_damage(height, size, fortitude, options)
    reduction = int((tn - roll) // POINTS_PER_DAMAGE) if roll <= tn else 0
    return JumpDown(tn, roll <= tn, reduction, max(Fraction(0), damage - reduction))


@dataclass(frozen=True, slots=True)
class Faller:
    """Who falls: size, Physical Fortitude and Agility, Athletics, and the damage its plans accept."""

    size: Fraction
    fortitude: int
    agility: int
    athletics: int
    accepted: Fraction

    def check(self, height: Fraction) -> Check | None:
        """The roll of a prepared jump down; none within the safe height (SHP-27, SHP-A15)."""
        if height <= safe_fall(self.size):
            return None
        tn = jump_down_tn(height, self.agility, self.athletics)
        return Check(
            "Physical Agility + Athletics", floor(tn), kind="fall", source="SHP-27", dice="d100", under=True,
            note="may be tried: jumping down on purpose",
            effects={"success": "each full 10 points take 1 off the damage", "failed": "the whole damage"},
        )  # fmt: skip

    def land(self, height: Fraction, roll: int | None, options: Options) -> Fall:
        """The fall, softened where it was prepared with this roll (SHP-25, SHP-28)."""
        if roll is None:
            return Fall(height, fall_damage(height, self.size, self.fortitude, options))
        down = jump_down(height, self.size, self.fortitude, self.agility, self.athletics, roll, options)
        return Fall(height, down.damage, down.tn, down.ok, down.reduction)

    def limits(self, options: Options) -> FallLimits:
        """Its falls as the movement engine takes them."""
        return FallLimits(
            safe_fall(self.size),
            lambda height: fall_damage(height, self.size, self.fortitude, options),
            self.accepted,
            Source("SHP-25", "SHP-A12"),
            self.check,
            lambda height, roll: self.land(height, roll, options),
        )
