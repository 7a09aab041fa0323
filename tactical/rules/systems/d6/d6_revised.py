"""D6, revised: the four speeds for characters and vehicles, ramming and vehicle damage (clauses REV-01 … REV-53).

What it shares with the later edition stands in `tables.py` and `failures.py` beside this file; here are the clause
numbers and what only this text has: vehicles, their damage and lost Moves, ramming and speeds in km/h.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial

from tactical.errors import Refusal
from tactical.options import Option, Options, choice, flag
from tactical.rules.checks import Check
from tactical.rules.dice import Pool
from tactical.rules.efforts import Effort
from tactical.rules.outcomes import Ram, Worn
from tactical.rules.profile import Profile, Source
from tactical.rules.ruleset import Ruleset
from tactical.rules.systems.d6 import efforts as d6_efforts
from tactical.rules.systems.d6 import ramming as d6_ramming
from tactical.rules.systems.d6 import resolve as d6_resolve
from tactical.rules.systems.d6 import stamina, vehicles
from tactical.rules.systems.d6 import tables as d6
from tactical.rules.systems.d6 import turn as d6_turn
from tactical.rules.systems.d6.clauses import GROUND, REUP, REV
from tactical.rules.systems.d6.vehicles import Stats
from tactical.rules.turnstate import TurnState
from tactical.units import show
from tactical.world.terrain import Terrain

CLAUSES = {
    "move": "REV-02",
    "cautious": "REV-03",
    "cautious_easy": "REV-04",
    "cautious_hard": "REV-05",
    "cruising": "REV-07",
    "cruising_easy": "REV-08",
    "cruising_hard": "REV-09",
    "high": "REV-10",
    "high_easy": "REV-11",
    "high_hard": "REV-12",
    "all_out": "REV-13",
    "all_out_easy": "REV-15",
    "all_out_hard": "REV-16",
    "least": "REV-17",
    "change": "REV-18",
    "change_vehicle": "REV-19",
    "lost_high": "REV-47",
    "lost_cruising": "REV-48",
    "lost_cautious": "REV-49",
    "lost_stop": "REV-50",
    "once": "REV-02",
    "exclusive": "REV-14",
    "unusual": "REUP-07",  # REV-A27
    "slight_slip": "REV-30",
    "slip": "REV-30",
    "fall": "REV-31",
    "minor_tumble": "REV-32",
    "tumble": "REV-30",
    "major_tumble": "REV-30",
}
TUMBLE_DAMAGE = {"all_out": Pool(1)}  # REV-33: none at any slower speed


def _tumble_damage(speed: str, collision: Pool) -> Pool:
    return TUMBLE_DAMAGE.get(speed, Pool(0))


EDITION = d6.Edition("d6-revised", CLAUSES, _tumble_damage)

LONG = {  # long distance on foot
    "all_out": Source("REV-21"),
    "all_out_failed": Source("REV-22"),
    "high": Source("REV-23"),
    "high_failed": Source("REV-22", "REV-A17"),
    "march": Source("REUP-41", "REV-A05"),
    "forced_march": Source("REUP-42", "REV-A05"),
}
LONG_VEHICLE = {
    "all_out": Source("REV-24"),
    "all_out_failed": Source("REV-25"),
    "high": Source("REV-27"),
    "high_failed": Source("REV-25", "REV-A18"),
    "repair": Source("REV-26", "REV-A19"),
    "cruising": Source("REV-07"),
}

OPTIONS = (
    *d6.OPTIONS,
    flag("vehicle_must_roll_high", True, "vehicles roll at high speed on easy ground too", "REV-A04"),
    choice("failure_rows_source", ("reup", "seed_only"), "rows of the failure table this text lacks", "REV-A05"),
    Option("collision_table_character", (), "collision dice by speed, e.g. {high: 3}", table=True, clause="REV-A06"),
    Option("collision_table_vehicle", (), "collision dice of vehicles by speed", table=True, clause="REV-A06"),
    choice("vehicle_failure", ("gm", "as_character"), "what a vehicle's failed roll does", "REV-A07"),
    flag("meet_succeeds", True, "ramming: meeting a number is enough", "REV-A08"),
    flag("ram_at_all_out", False, "ramming is possible at all-out speed", "REV-A10"),
    flag("ram_roll_always", True, "a ramming move is rolled even where the plain move is not", "REV-A11"),
    flag("maneuverability_spill", False, "maneuverability lost beyond 0D costs Moves", "REV-A12"),
    choice("severe_table", ("seed_only", "community"), "severe damage other than a die of 3", "REV-A13"),
    flag("cap_overrides_deceleration", True, "lost Moves slow a vehicle down at once", "REV-A15"),
)

KMH_SHARE = {"all_out": 1, "high": 2, "cruising": 4, "cautious": 8}  # REV-52, 53


# --- moves -----------------------------------------------------------------------------------------------------------


def profile(stats: Stats, turn: TurnState, options: Options, posture: str) -> Profile:
    """What this mover may do this round: the four speeds with their distances, paces and rolls.

    A vehicle that is listed in km/h is told what each speed is in them (REV-52, 53).
    """
    found = d6_turn.profile(stats, turn, options, posture, EDITION)
    if stats.kmh is None:
        return found
    listed = ", ".join(f"{speed.replace('_', '-')} {show(kmh_of(stats.kmh, speed))} km/h" for speed in KMH_SHARE)
    return replace(found, summary=f"{found.summary}; {listed}")


demand = partial(d6_turn.demand, edition=EDITION)  # REV-04 … 16, 28, 29
resolve = partial(d6_resolve.resolve, edition=EDITION)  # REV-30 … 34
odds = partial(d6_resolve.odds, edition=EDITION)


def efforts(
    stats: Stats, options: Options, *, harder: int = 0, numbers: Mapping[str, int] | None = None
) -> tuple[Effort, ...]:
    """Sprints, runs and marches that last, and vehicles driven hard, with their rolls (REV-20 … 27)."""
    clauses = LONG_VEHICLE if stats.kind == "vehicle" else LONG
    return d6_efforts.efforts(stats, options, clauses, harder=harder, numbers=numbers)


def due(stats: Stats, turn: TurnState, options: Options) -> tuple[Check, ...]:
    """The stamina and body-strength rolls that fall due as the round ends (REV-21, 23, 24, 27)."""
    return stamina.due(turn, options, efforts(stats, options))


def tire(stats: Stats, turn: TurnState, options: Options, checks: Sequence[Check], rolls: Sequence[int]) -> Worn:
    """What those rolls leave (REV-22, 25, 26)."""
    return stamina.tire(turn, options, efforts(stats, options), checks, rolls)


def kmh_of(kmh: Fraction, speed: str) -> Fraction:
    """Kilometres an hour at `speed` of a vehicle listed with `kmh` (REV-52, 53)."""
    return kmh / KMH_SHARE[speed]


def ramming(stats: Stats, turn: TurnState, options: Options, target: str) -> TurnState | Refusal:
    """The round with a ram of `target` declared as the end of its move (REV-35, 36)."""
    return d6_ramming.declared(turn, target)


def ram(
    stats: Stats, turn: TurnState, options: Options, speed: str, grounds: Sequence[Terrain], roll: int | None = None
) -> Ram | Refusal:
    """What a ram declared in the round is rolled against, its chances and, with the total thrown, how it ends."""
    checks = demand(stats, turn, options, speed, grounds).checks
    dice = max(stats.actions, 2 + int(turn.memory.get("others", 0))) - 1  # REV-A09
    return d6_ramming.judged(turn, options, checks, roll, dice)


RULESET = Ruleset(
    "d6-revised",
    "D6 revised",
    "m",
    Stats,
    profile,
    options=OPTIONS,
    defaults=d6.DEFAULTS,
    inert=d6.INERT,
    cell=Fraction(1),
    example={"move": 10, "code": "3D", "previous": "cruising"},
    turn_word="round",
    summary="four speeds a round for characters and vehicles; ramming, vehicle damage",
    postures=d6_turn.HEIGHTS,
    speeds=d6.SPEEDS,
    resolve=resolve,
    odds=odds,
    after=lambda stats, turn, options, gait, outcome: d6_resolve.after(turn, gait, outcome),
    next_turn=d6_resolve.next_turn,
    act=partial(d6_resolve.act, edition=EDITION),
    stunt=d6_resolve.stunt,
    second=d6_resolve.second,
    due=due,
    harm=vehicles.harm,
    ramming=ramming,
    ram=ram,
    tire=tire,
    carry=d6_resolve.carry,
    rest=d6_resolve.rest,
    efforts=efforts,
    sheet=lambda: d6_turn.sheet(EDITION),
    clauses={**REUP, **REV},
    ground=GROUND,
)
