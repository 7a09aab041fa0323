"""Gaits of Shapers kept up for long, for journeys: free time, then d100 tests before each further period."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from tactical.options import Options
from tactical.rules.efforts import Effort, Setback, Trial
from tactical.rules.profile import Source
from tactical.rules.systems.shapers.effort import CLOCKS, Stamina, free_seconds, test_tn, unit_seconds


def efforts(rates: Mapping[str, Fraction], stamina: Stamina, options: Options) -> tuple[Effort, ...]:
    """Every gait of `rates` (metres a round) as an effort; those without a clock ask for no test (SHP-01 … 13, 34)."""
    return tuple(_effort(gait, metres / options["round_seconds"], stamina, options) for gait, metres in rates.items())


def _effort(gait: str, speed: Fraction, stamina: Stamina, options: Options) -> Effort:
    if gait not in CLOCKS:
        return Effort(gait, gait.capitalize(), speed, recovery="any_rest", source=Source("SHP-01"))
    source = Source(CLOCKS[gait].clause, "SHP-A03")

    def trial(n: int) -> Trial:
        number = int(test_tn(gait, n - 1, stamina, options))
        return Trial("Physical Fortitude + Endurance", number, "d100", under=True, source=source)

    def setback(seconds: Fraction, rolls: int, margin: int) -> Setback:
        return Setback("gait_lost", source=Source(CLOCKS[gait].clause, "SHP-A06"))

    return Effort(
        gait,
        gait.capitalize(),
        speed,
        unit_seconds(gait, options),
        trial,
        setback,
        free=free_seconds(gait, stamina, options),
        before=options["effort_test_timing"] == "before",  # SHP-A05
        recovery="equal_walk" if options["effort_recovery"] == "walk_equal_time" else "any_rest",  # SHP-A06
        clock="all" if options["effort_counters"] == "shared" else "",  # SHP-A07
        source=source,
    )
