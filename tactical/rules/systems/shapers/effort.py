"""How long Shapers can keep up a gait: free time, then tests that may get harder (clauses SHP-04 … SHP-13, 33, 34).

Each gait has a clock of its own (SHP-A07).  A test is due before the period it pays for (SHP-A05); a pass lowers the
target number of the next by the gait's step (SHP-A04), a failure ends the gait (SHP-A06).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction

from tactical.options import Options

MINUTE = 60
HALF_MINUTE = 30


@dataclass(frozen=True, slots=True)
class Clock:
    """What a gait allows: seconds (None: rounds) in a unit of free time and in a test's period, and the TN's step."""

    unit: int | None
    step: int
    clause: str


CLOCKS = {
    "jog": Clock(MINUTE, 0, "SHP-05"),  # SHP-04; the TN stays (SHP-A08)
    "run": Clock(HALF_MINUTE, 5, "SHP-08"),  # SHP-07, SHP-09
    "sprint": Clock(None, 10, "SHP-12"),  # SHP-11, SHP-13
    "swim": Clock(None, 0, "SHP-34"),  # SHP-33; the TN stays (SHP-A18)
}


@dataclass(frozen=True, slots=True)
class Stamina:
    """What the clocks need to know of a character."""

    fortitude: int
    endurance: int = 0
    swimming: int = 0


def unit_seconds(gait: str, options: Options) -> Fraction:
    """Seconds of a unit of free time and of a test's period of this gait (SHP-A01)."""
    unit = CLOCKS[gait].unit
    return Fraction(options["round_seconds"]) if unit is None else Fraction(unit)


def free_seconds(gait: str, stamina: Stamina, options: Options) -> Fraction:
    """Seconds of this gait without a test (SHP-04, SHP-07, SHP-11, SHP-33)."""
    units = stamina.fortitude + (stamina.swimming if gait == "swim" else 0)
    return units * unit_seconds(gait, options)


def free_rounds(gait: str, stamina: Stamina, options: Options) -> int:
    """Whole rounds of this gait without a test."""
    return int(free_seconds(gait, stamina, options) // options["round_seconds"])


def test_round(gait: str, index: int, stamina: Stamina, options: Options) -> int:
    """The round of this gait, from 1, before which the test of that index (from 0) is due (SHP-A01, SHP-A05).

    Where a period does not end with a round, the test falls in the round in which it ends.
    """
    late = 1 if options["effort_test_timing"] == "after" else 0
    due = free_seconds(gait, stamina, options) + (index + late) * unit_seconds(gait, options)
    return int(due // options["round_seconds"]) + 1


def test_tn(gait: str, passes: int, stamina: Stamina, options: Options) -> Fraction:
    """The target number after so many passes, Fortitude and Endurance counted (SHP-09, SHP-13, SHP-A03)."""
    base = Fraction(options["effort_base_tn"])
    return base - CLOCKS[gait].step * passes + stamina.fortitude + stamina.endurance


@dataclass(frozen=True, slots=True)
class Due:
    """A test that keeping up a gait needs: before which round of that gait, and its target number."""

    before_round: int
    tn: Fraction


@dataclass(frozen=True, slots=True)
class Effort:
    """What a character has behind: rounds and passed tests of each gait, and the gaits lost until a rest."""

    rounds: Mapping[str, int] = field(default_factory=dict)
    passes: Mapping[str, int] = field(default_factory=dict)
    lost: tuple[str, ...] = ()

    def kept(self) -> Mapping[str, object]:
        """As a turn's memory holds it: plain values, which are equal to what a saved game reads."""
        return {"rounds": self.rounds, "passes": self.passes, "lost": self.lost}


def read_effort(value: object) -> Effort:
    """An effort from what a turn's memory holds: nothing, an `Effort`, or its fields as a mapping (a saved game)."""
    if isinstance(value, Effort):
        return value
    saved = value if isinstance(value, Mapping) else {}
    return Effort(dict(saved.get("rounds", {})), dict(saved.get("passes", {})), tuple(saved.get("lost", ())))


def _key(gait: str, options: Options) -> str:
    return "all" if options["effort_counters"] == "shared" else gait


def due_test(effort: Effort, gait: str, stamina: Stamina, options: Options) -> Due | None:
    """The test that the next round of this gait needs first, if any (SHP-05, SHP-08, SHP-12, SHP-34)."""
    if gait not in CLOCKS:
        return None
    key = _key(gait, options)
    passes = effort.passes.get(key, 0)
    coming = effort.rounds.get(key, 0) + 1
    if coming < test_round(gait, passes, stamina, options):
        return None
    return Due(coming, test_tn(gait, passes, stamina, options))


def take_test(effort: Effort, gait: str, roll: int, stamina: Stamina, options: Options) -> Effort:
    """The effort after the roll of a due test: one more pass, or the gait lost (SHP-A06).

    Under ``effort_failure: walk_only`` every gait but walking is lost.
    """
    due = due_test(effort, gait, stamina, options)
    if due is None:
        return effort
    key = _key(gait, options)
    if roll <= due.tn:
        return replace(effort, passes={**effort.passes, key: effort.passes.get(key, 0) + 1})
    gone = ("jog", "run", "sprint") if options["effort_failure"] == "walk_only" and gait != "swim" else (gait,)
    return replace(effort, lost=tuple(dict.fromkeys((*effort.lost, *gone))))


def after_round(effort: Effort, gait: str, options: Options) -> Effort:
    """The effort after a round in this gait; ``rest`` clears everything (SHP-A06, SHP-A07).

    Under ``effort_recovery: walk_equal_time`` a round of walking gives one round of every gait back, and what was lost
    returns when nothing is left to give back.
    """
    if gait == "rest":
        return Effort()
    if gait in CLOCKS:
        key = _key(gait, options)
        return replace(effort, rounds={**effort.rounds, key: effort.rounds.get(key, 0) + 1})
    if options["effort_recovery"] != "walk_equal_time":
        return effort
    rounds = {key: count - 1 for key, count in effort.rounds.items() if count > 1}
    return replace(effort, rounds=rounds) if rounds else Effort()


def rounds_left(effort: Effort, gaits: Sequence[str], stamina: Stamina, options: Options) -> dict[str, tuple[int, int]]:
    """For each gait with a clock: the rounds left that need no test, and such rounds in all (SHP-04, 07, 11, 33)."""
    found: dict[str, tuple[int, int]] = {}
    for gait in gaits:
        if gait in CLOCKS and gait not in effort.lost:
            free = free_rounds(gait, stamina, options)
            found[gait] = (max(0, free - effort.rounds.get(_key(gait, options), 0)), free)
    return found
