"""Operator: 5e-like movement in feet, with crouching between standing and prone (clauses OPR-01 … OPR-50)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

from tactical.errors import Refusal
from tactical.options import Options, choice, flag, number
from tactical.rules.profile import Factor, Gait, JumpLimits, LedgePrice, Pace, PostureChange, Profile, Source
from tactical.rules.ruleset import Ruleset, TurnState
from tactical.rules.systems.plain import pace_of, posture_changes
from tactical.world.terrain import Terrain

# The speed table: what changes the base of 30 ft.
BASE = 30  # OPR-03
FLAT = {
    "agile": 5,  # OPR-04
    "mobility": 5,  # OPR-05
    "bomb_suit": -10,  # OPR-06
    "shield": -10,  # OPR-07
}
SLOWED_MINIMUM = 5  # OPR-09
DASH = 2  # OPR-27: the action buys the speed a second time
RUN_UP = 10  # OPR-37, OPR-39


@dataclass(frozen=True, slots=True)
class Stats:
    """An Operator: base `speed`, traits and gear, conditions, Strength for jumps, and what is mounted."""

    speed: Fraction = Fraction(BASE)
    agile: bool = False
    mobility: bool = False
    bomb_suit: bool = False
    shield: bool = False
    slowed: bool = False
    overloaded: bool = False
    strength: int | None = None
    athletics: int = 0
    height: Fraction | None = None
    bonus_dash: bool = False
    action_surge: bool = False
    vehicle_multiple: Fraction | None = None
    vehicle_kind: str = ""


def speed(stats: Stats, options: Options) -> Fraction:
    """Feet a turn, posture not counted (OPR-01 … OPR-10): flats, then Slowed (at least 5), then the GM's overload."""
    feet = max(Fraction(0), stats.speed + sum(feet for name, feet in FLAT.items() if getattr(stats, name)))  # OPR-A02, A20
    if stats.slowed:
        feet = max(Fraction(SLOWED_MINIMUM), Fraction(feet // 2))  # OPR-09
    if stats.overloaded or options["encumbrance_halves"]:
        feet = Fraction(feet // 2)  # OPR-10, OPR-A18
    if stats.vehicle_multiple is not None:
        return feet * stats.vehicle_multiple  # OPR-46, OPR-47
    return feet


def profile(stats: Stats, turn: TurnState, options: Options, posture: str) -> Profile:
    """Move, Dash and (where the feature is there) both Dashes, as one pool (OPR-02, OPR-27, OPR-28)."""
    raise NotImplementedError


RULESET = Ruleset(
    "operator",
    "Operator",
    "ft",
    Stats,
    profile,
    cell=Fraction(5),
)
