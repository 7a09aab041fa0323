"""What an Operator does besides walking: jumps, checks, attacks on the postures, opportunity attacks (OPR-23 … OPR-43).

Pure functions over plain numbers.  Feet throughout; squares only where the name says so.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from tactical.errors import Refusal
from tactical.options import Options
from tactical.rules.checks import Check
from tactical.rules.profile import Attacked, Held, Source
from tactical.world.terrain import Terrain

RUN_UP = Fraction(10)  # OPR-37, OPR-39
HIGH_JUMP_BASE = 3  # OPR-39
REACH_PER_HEIGHT = Fraction(3, 2)  # OPR-40
AIRCRAFT = frozenset({"helicopter", "aircraft", "plane", "airplane", "drone", "glider"})  # OPR-48
CLOSE = Fraction(5)  # OPR-23, OPR-25: "beyond 5 ft" is strict (OPR-A24)
ATTACKED: Mapping[str, tuple[Attacked, ...]] = {
    "crouched": (Attacked("ranged", CLOSE, -2, source=Source("OPR-23")),),
    "prone": (
        Attacked("melee", advantage="advantage", source=Source("OPR-25")),
        Attacked("ranged", CLOSE, advantage="disadvantage", source=Source("OPR-25")),
    ),
}
"""How hard one in a posture is to hit."""


def ability_modifier(score: int) -> int:
    """The modifier of an ability score: half of what it is above 10, rounded down (OPR-A12)."""
    return (score - 10) // 2


def halved_jump(feet: Fraction, options: Options) -> Fraction:
    """Half a jump, rounded down unless option `jump_half_rounding` says exact (OPR-38, OPR-41, OPR-A10)."""
    half = feet / 2
    return half if options["jump_half_rounding"] == "exact" else Fraction(half // 1)


def long_jump(strength: int, run_up: Fraction, options: Options) -> Fraction:
    """Feet of the longest long jump: the Strength score after 10 ft of run-up, else half of it (OPR-37, OPR-38)."""
    full = Fraction(max(strength, 0))
    return full if run_up >= RUN_UP else halved_jump(full, options)


def high_jump(strength: int, run_up: Fraction, options: Options) -> Fraction:
    """Feet of clearance: 3 + Strength modifier after 10 ft of run-up, else half of that (OPR-39, OPR-41, A11, A12)."""
    full = Fraction(max(0, HIGH_JUMP_BASE + ability_modifier(strength)))
    return full if run_up >= RUN_UP else halved_jump(full, options)


def jump_reach(clearance: Fraction, height: Fraction) -> Fraction:
    """How high the hands get in a high jump: the clearance and one and a half times the own height (OPR-40)."""
    return clearance + REACH_PER_HEIGHT * height


def ground_check(ground: Terrain, mode: str, modifier: int, options: Options) -> Check | None:
    """The Strength (Athletics) check that slick or rough holds and strong currents call for (OPR-34, OPR-A15)."""
    holds = mode in ("climb", "crawl") and (ground.slick or ground.uneven or ground.unstable)
    if not (holds or (mode == "swim" and (ground.current == "strong" or ground.slick))):
        return None
    return stretch_check(mode, modifier, options)


def stretch_check(mode: str, modifier: int, options: Options, dc: int | None = None) -> Check:
    """The roll for a stretch climbed, swum or crawled; without the GM's own DC that of option ``athletics_dc``."""
    number = options["athletics_dc"] if dc is None else dc
    return Check(
        "Athletics",
        None if number is None else int(number),
        kind=mode,
        source="OPR-34",
        note="" if number is not None else "the GM names the DC (option athletics_dc)",
        option="" if number is not None else "athletics_dc",
        effects={
            "failed": "no progress on this stretch this turn",  # OPR-35
            "badly": "the GM may rule a fall, the load lost or the hold lost",  # OPR-36
        },
        dice=f"d20{modifier:+}" if modifier else "d20",
        per="stretch",
    )


def athletics(total: int, dc: Fraction, feet: Fraction, cost: Fraction, options: Options) -> Held:
    """Climbing, swimming or crawling under a check: all of the stretch or nothing of it (OPR-34 … OPR-36).

    `cost` is the movement declared for `feet`.  Meeting the DC succeeds (G-A03); missing by 5 is a heavy miss, after
    which the GM may rule a fall, the load or the hold lost (OPR-36, OPR-A15); a failure spends the movement (OPR-A16).
    """
    if total >= dc:
        return Held(True, False, feet, cost)
    badly = dc - total >= options["fail_badly_margin"]
    return Held(False, badly, Fraction(0), cost if options["failed_check_spends"] else Fraction(0))


def vehicle_refusal(kind: str) -> Refusal | None:
    """Why there is no movement on the map for this kind of vehicle: aircraft are the GM's narration (OPR-48)."""
    if kind.lower() in AIRCRAFT:
        why = f"a {kind} is off the grid, the game master narrates it"
        return Refusal("rules.not_covered", {"why": why, "clause": "OPR-48"})
    return None
