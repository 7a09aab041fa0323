"""D6, revised-and-expanded: four speeds, ground that asks for rolls, failures by margin (clauses REUP-01 … REUP-60).

A move has one speed; the speed fixes the distance, the ground the roll.  The tables both D6 editions share stand in
`tables.py` and `failures.py` beside this file; here is what only this text has: clause numbers
and the optional encumbrance.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial

from tactical.options import Options, choice, flag
from tactical.rules.checks import Check
from tactical.rules.dice import Pool
from tactical.rules.efforts import Effort
from tactical.rules.outcomes import Worn
from tactical.rules.profile import Profile, Source
from tactical.rules.ruleset import Ruleset
from tactical.rules.systems.d6 import efforts as d6_efforts
from tactical.rules.systems.d6 import resolve as d6_resolve
from tactical.rules.systems.d6 import stamina
from tactical.rules.systems.d6 import tables as d6
from tactical.rules.systems.d6 import turn as d6_turn
from tactical.rules.systems.d6.clauses import GROUND, REUP, REV
from tactical.rules.systems.d6.failures import Outcome
from tactical.rules.turnstate import TurnState

CLAUSES = {
    "move": "REUP-01",
    "cautious": "REUP-11",
    "cautious_easy": "REUP-12",
    "cautious_hard": "REUP-13",
    "cruising": "REUP-15",
    "cruising_easy": "REUP-17",
    "cruising_hard": "REUP-18",
    "high": "REUP-20",
    "high_easy": "REUP-21",
    "high_hard": "REUP-22",
    "all_out": "REUP-24",
    "all_out_easy": "REUP-26",
    "all_out_hard": "REUP-27",
    "least": "REUP-29",
    "change": "REUP-30",
    "once": "REUP-03",
    "exclusive": "REUP-25",
    "unusual": "REUP-07",
    "slight_slip": "REUP-52",
    "slip": "REUP-53",
    "fall": "REUP-54",
    "minor_tumble": "REUP-55",
    "tumble": "REUP-56",
    "major_tumble": "REUP-57",
    # this text knows no lost Moves; a table that counts them takes the caps of the other one
    "lost_high": "REV-47",
    "lost_cruising": "REV-48",
    "lost_cautious": "REV-49",
    "lost_stop": "REV-50",
}
BORROWED = ("REV-47", "REV-48", "REV-49", "REV-50", "REV-A14")
MINOR_TUMBLE_LESS = 3  # REUP-55: collision damage minus 3D


def _tumble_damage(speed: str, collision: Pool) -> Pool:
    return collision.less(MINOR_TUMBLE_LESS)


EDITION = d6.Edition("d6-reup", CLAUSES, _tumble_damage)

LONG = {  # long distance
    "all_out": Source("REUP-36"),
    "all_out_failed": Source("REUP-38"),
    "high": Source("REUP-39"),
    "high_failed": Source("REUP-40"),
    "march": Source("REUP-41"),
    "march_failed": Source("REUP-43", "REUP-A27"),
    "forced_march": Source("REUP-42"),
    "forced_march_failed": Source("REUP-43", "REUP-A27"),
}

OPTIONS = (
    *d6.OPTIONS,
    flag("hard_cautious_is_action", True, "a cautious move that is rolled for counts as an action", "REUP-A06"),
    choice("march_failure", ("sleep", "rest_double", "gm"), "what a failed stamina roll on a march does", "REUP-A27"),
    choice("overload_effect", ("flag", "long_distance"), "what carrying too much does", "REUP-A31"),
)


@dataclass(frozen=True, slots=True)
class Stats(d6_turn.Stats):
    """A D6 character or creature, with so many medium objects `carried`; this text has no vehicles."""

    carried: int | None = None

    def __post_init__(self) -> None:
        d6_turn.Stats.__post_init__(self)
        if self.kind == "vehicle":
            raise ValueError("this text has no rules for vehicles; use d6-revised")


# --- encumbrance, an optional rule -----------------------------------------------------------------------------------


# Things of medium size: how many of each make one medium object (REUP-34).
MEDIUM: dict[str, int] = {
    **dict.fromkeys(
        ("fatigues", "boots", "armor_part", "helmet", "main_weapon", "second_weapon", "backpack", "tool_set",
         "power_packs", "automap", "transponder", "explosives", "portable_computer", "comset", "scanner",
         "e_web_part", "medical_pack"),
        1,
    ),
    "grenades": 3,
    "rations_days": 3,
}  # fmt: skip


def capacity(strength: Pool) -> int:
    """Medium objects a character carries: one for each pip of Strength (REUP-33)."""
    return strength.all_pips


def overloaded(strength: Pool, carried: int) -> bool:
    """Whether more than the capacity is carried (REUP-32, REUP-A31)."""
    return carried > capacity(strength)


# --- moves -----------------------------------------------------------------------------------------------------------


def profile(stats: Stats, turn: TurnState, options: Options, posture: str) -> Profile:
    """What this mover may do this round: the four speeds with their distances, paces and rolls.

    Somebody who carries too much is told so; nothing else changes within a round (REUP-35, REUP-A31).
    """
    found = d6_turn.profile(stats, turn, options, posture, EDITION)
    if stats.carried is None or not stats.strength or not overloaded(Pool.parse(stats.strength), stats.carried):
        return found
    tired = ", the long-distance rules apply" * _marching(stats, options)
    facts = {**found.facts, "overloaded": True}
    return replace(found, summary=f"{found.summary}, overloaded{tired}", facts=facts)


def efforts(
    stats: Stats, options: Options, *, harder: int = 0, numbers: Mapping[str, int] | None = None
) -> tuple[Effort, ...]:
    """Sprints, runs and marches that last, with their stamina rolls (REUP-36 … 45)."""
    return d6_efforts.efforts(stats, options, LONG, harder=harder, numbers=numbers)


demand = partial(d6_turn.demand, edition=EDITION)  # REUP-09 … 27, 48, 49
resolve = partial(d6_resolve.resolve, edition=EDITION)  # REUP-51 … 60
odds = partial(d6_resolve.odds, edition=EDITION)


def due(stats: Stats, turn: TurnState, options: Options) -> tuple[Check, ...]:
    """The stamina rolls that fall due as the round ends (REUP-36, 37, 39; overloaded and so ruled, REUP-41 too)."""
    return stamina.due(turn, options, efforts(stats, options), marching=_marching(stats, options))


def tire(stats: Stats, turn: TurnState, options: Options, checks: Sequence[Check], rolls: Sequence[int]) -> Worn:
    """What the stamina rolls leave (REUP-38, 40)."""
    marching = _marching(stats, options)
    return stamina.tire(turn, options, efforts(stats, options), checks, rolls, marching=marching)


def after(stats: Stats, turn: TurnState, options: Options, speed: str, outcome: Outcome | None) -> TurnState:
    """The round with this move in it."""
    now = d6_resolve.after(turn, speed, outcome)
    return replace(now, memory={**now.memory, "marching": True}) if _marching(stats, options) else now


def _marching(stats: Stats, options: Options) -> bool:
    """Whether somebody overloaded is put under the long-distance rules whatever the speed (REUP-35, REUP-A31)."""
    if options["overload_effect"] != "long_distance" or stats.carried is None or not stats.strength:
        return False
    return overloaded(Pool.parse(stats.strength), stats.carried)


def sheet() -> dict[str, object]:
    """The tables of both editions, and what counts as one of the things that are carried (REUP-34)."""
    counted = {name.replace("_", " "): str(count) for name, count in MEDIUM.items()}
    return {**d6_turn.sheet(EDITION), "one medium object is so many": counted}


RULESET = Ruleset(
    "d6-reup",
    "D6 revised and expanded",
    "m",
    Stats,
    profile,
    options=OPTIONS,
    defaults=d6.DEFAULTS,
    inert=d6.INERT,
    cell=Fraction(1),
    example={"move": 10, "code": "3D", "previous": "cruising"},
    turn_word="round",
    summary="four speeds a round; the ground asks for rolls, failures go by margin",
    postures=d6_turn.HEIGHTS,
    speeds=d6.SPEEDS,
    resolve=resolve,
    odds=odds,
    after=after,
    next_turn=d6_resolve.next_turn,
    act=partial(d6_resolve.act, edition=EDITION),
    stunt=d6_resolve.stunt,
    second=d6_resolve.second,
    due=due,
    tire=tire,
    carry=d6_resolve.carry,
    rest=d6_resolve.rest,
    efforts=efforts,
    sheet=sheet,
    clauses={**REUP, **{name: REV[name] for name in BORROWED}},
    ground=GROUND,
)
