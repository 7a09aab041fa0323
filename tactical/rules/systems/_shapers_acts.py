"""Tests, jumps and falls of Shapers (clauses SHP-14 … SHP-32).

A test rolls d100 at or under a target number (TN) that attribute and aptitude raise (SHP-A02).  Metres throughout.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from tactical.options import Options

AVERAGE = 50  # SHP-19, SHP-27, SHP-32: the only difficulty with a number
POINT = Fraction(1, 100)  # SHP-20, SHP-21: metres a point of margin
VERTICAL = (Fraction(0), Fraction(1, 10))  # SHP-16: constant, and metres a point of Physical Strength
HORIZONTAL = {
    "standing": (Fraction(2), Fraction(1, 10)),  # SHP-17
    "running": (Fraction(3), Fraction(1, 2)),  # SHP-18
}
JUMPS = {  # SHP-14, SHP-A10: does it go up, and the horizontal base
    "vertical": (True, ""),
    "standing": (False, "standing"),
    "running": (False, "running"),
    "mixed_standing": (True, "standing"),
    "mixed_running": (True, "running"),
}
SAFE_SHARE = Fraction(1, 4)  # SHP-23
DAMAGE_PER_METRE = 2  # SHP-25
POINTS_PER_DAMAGE = 10  # SHP-28


def pass_odds(tn: Fraction) -> Fraction:
    """The chance of d100 at or under `tn`: never below 1, always above 100 (SHP-A02, SHP-A24)."""
    return Fraction(max(0, min(100, int(tn // 1))), 100)


def jump_bases(strength: int) -> tuple[Fraction, dict[str, Fraction]]:
    """The base distances of a jump: up, and along from standing and running (SHP-16 … SHP-18)."""
    along = {kind: constant + factor * strength for kind, (constant, factor) in HORIZONTAL.items()}
    return VERTICAL[0] + VERTICAL[1] * strength, along


@dataclass(frozen=True, slots=True)
class JumpResult:
    """A jump as rolled: the target number, what the margin adds, and metres up and along (None: not tried)."""

    tn: int
    delta: Fraction
    vertical: Fraction | None
    horizontal: Fraction | None


def jump(kind: str, roll: int, strength: int, agility: int, athletics: int) -> JumpResult:
    """Jump: the base and a centimetre for each point of margin, one roll for both directions (SHP-15, 19 … 22).

    No direction falls below 0 (SHP-A09).  Raises `ValueError` for an unknown kind.
    """
    if kind not in JUMPS:
        raise ValueError(f"jump {kind!r} is not one of {', '.join(JUMPS)}")
    goes_up, along = JUMPS[kind]
    tn = AVERAGE + agility + athletics
    delta = POINT * (tn - roll)
    up, bases = jump_bases(strength)
    return JumpResult(
        tn,
        delta,
        max(Fraction(0), up + delta) if goes_up else None,
        max(Fraction(0), bases[along] + delta) if along else None,
    )


def clear_odds(gap: Fraction, kind: str, strength: int, agility: int, athletics: int) -> Fraction:
    """The chance that a jump goes at least as far along as the gap is wide (SHP-18 … SHP-21)."""
    results = (jump(kind, roll, strength, agility, athletics) for roll in range(1, 101))
    return Fraction(sum(1 for result in results if result.horizontal is not None and result.horizontal >= gap), 100)


def running_jump_gaits(options: Options) -> tuple[str, ...]:
    """The gaits that must come directly before a running jump (SHP-A11)."""
    return ("jog", "run", "sprint") if options["running_jump_gait"] == "jog" else ("run", "sprint")


def safe_fall(size: Fraction) -> Fraction:
    """Metres a creature of this size falls without harm, both ends included (SHP-23, SHP-A13)."""
    return size * SAFE_SHARE


def fall_damage(height: Fraction, size: Fraction, fortitude: int, options: Options) -> Fraction:
    """Damage of a fall: 2 a metre of the whole height, plus size, less Physical Fortitude (SHP-24, SHP-25).

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
class Swim:
    """A round in water: metres, and the target number of the test it needs (None: none)."""

    metres: Fraction
    tn: int | None = None


def swim(strength: int, swimming: int, rough_water: bool, options: Options) -> Swim:
    """Swim half the Physical Strength in metres; rough water needs a test, without aptitude one flounders (SHP-30 …).

    What a failed test brings is the game master's (SHP-A16, SHP-A17).
    """
    if swimming < 1:
        return Swim(Fraction(0), AVERAGE + (strength + swimming if options["flounder_adds_stats"] else 0))
    return Swim(Fraction(strength, 2), AVERAGE + strength + swimming if rough_water else None)
