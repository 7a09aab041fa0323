"""A rule system in one file: Delvers move, hustle for an action, crawl, and test Body on a d20 to swim.

Offered as the entry point ``delvers = delvers:RULESET`` of the group ``tactical.rulesets``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from tactical.errors import Refusal
from tactical.options import Options, number
from tactical.rules.checks import Check, Demand
from tactical.rules.outcomes import Went
from tactical.rules.profile import Factor, Gait, Pace, PostureChange, Profile, Source
from tactical.rules.ruleset import Ruleset
from tactical.rules.turnstate import TurnState
from tactical.world.terrain import Terrain

CLAUSES = {
    "DLV-1": "A delver moves its speed in a turn.",
    "DLV-2": "For its action it hustles: that far once more.",
    "DLV-3": "Bad ground, climbing and crawling cost double.",
    "DLV-4": "To swim is a test of Body on a d20; who fails goes nowhere.",
    "DLV-5": "To get up costs half the speed.",
}


def clause(n: int) -> Source:
    return Source(f"DLV-{n}")


@dataclass(frozen=True, slots=True)
class Stats:
    speed: Fraction = Fraction(30)
    body: int = 0


def swims(options: Options, stats: Stats) -> Check:
    return Check("body", int(options["swim_number"]) - stats.body, kind="effort", source="DLV-4", dice="d20")


def profile(stats: Stats, turn: TurnState, options: Options, posture: str) -> Profile:
    double = options["bad_ground"]

    def pace(pool: str, posture: str, ground: Terrain, uphill: bool) -> Pace | Refusal:
        mode = "swim" if ground.swum else "climb" if ground.climb else "crawl" if posture == "prone" else "walk"
        slow = [name for name, true in (("difficult", ground.difficult), (mode, mode in ("climb", "crawl"))) if true]
        factors = tuple(Factor(name, double, clause(3)) for name in slow)
        return Pace(mode, factors=factors, source=clause(3 if slow else 1), on_foot=mode == "walk")

    def demand(gait: str, grounds: Sequence[Terrain]) -> Demand:
        wet = any(ground.swum for ground in grounds)
        return Demand("", (swims(options, stats),)) if wet else Demand()

    bought = stats.speed * (1 + len(turn.dashes))
    busy = None if turn.dashes or turn.actions != 0 else Refusal("move.action", {"what": "a dash"})
    return Profile(
        "delvers", "ft",
        (
            Gait("move", bought, title="Move", source=clause(1)),
            Gait("hustle", 2 * stats.speed, title="Hustle", action="action", source=clause(2), refused=busy),
        ),
        pace,
        postures=("standing", "prone"),
        changes=(
            PostureChange("prone", "standing", stats.speed / 2, "get up", clause(5)),
            PostureChange("standing", "prone", Fraction(0), "drop", clause(5)),
        ),
        summary=f"speed {stats.speed}", turn_budget="move", demand=demand,
    )  # fmt: skip


def order(stats: Stats, turn: TurnState, action: str, options: Options) -> TurnState | Refusal:
    if turn.actions == 0:
        return Refusal("move.action", {"what": action})
    return replace(turn, actions=0, dashes=(*turn.dashes, "dash") if action == "dash" else turn.dashes)


def resolve(
    stats: Stats, turn: TurnState, options: Options, gait: str, metres: Fraction, grounds: Sequence[Terrain],
    rolls: Sequence[int],
) -> Went:  # fmt: skip
    failed = bool(rolls) and rolls[0] < swims(options, stats).number
    return Went("no_progress") if failed else Went(moved=metres)


def odds(
    stats: Stats, turn: TurnState, options: Options, gait: str, metres: Fraction, grounds: Sequence[Terrain]
) -> list[tuple[Went, Fraction]]:
    if not any(ground.swum for ground in grounds):
        return [(Went(moved=metres), Fraction(1))]
    chance = Fraction(min(max(21 - swims(options, stats).number, 0), 20), 20)
    pairs = [(Went(moved=metres), chance), (Went("no_progress"), 1 - chance)]
    return [pair for pair in pairs if pair[1]]


RULESET = Ruleset(
    "delvers", "Delvers", "ft", Stats, profile,
    options=(
        number("bad_ground", 2, "cost of a foot of bad ground", "DLV-3"),
        number("swim_number", 12, "what to reach on a d20 to swim", "DLV-4"),
    ),
    defaults={"diagonal": "alternate"}, cell=Fraction(5), summary="five clauses of dungeon delving",
    postures=("standing", "prone"), example={"speed": 30, "body": 3}, clauses=CLAUSES,
    order=order, resolve=resolve, odds=odds,
)  # fmt: skip
