"""Long-distance movement of both D6 systems: stamina and body-strength rolls that get one level harder each time."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from tactical.options import Options
from tactical.rules.dice import Pool
from tactical.rules.efforts import HOUR, MINUTE, Effort, Setback, Trial
from tactical.rules.profile import Source
from tactical.rules.systems.d6.tables import distances, number_of, shift_level
from tactical.rules.systems.d6.turn import Stats

REST_FACTOR = 2  # of the time kept up: REUP-38, 40; REV-22, 25
FIRST_LEVEL = "VE"  # REUP-37, 39, 41; REV-21, 23, 24, 27
SLEEP = HOUR  # for each stamina roll of a march: REUP-43
BREAKDOWN = 11  # margin from which a vehicle breaks down: REV-26
REPAIR_LEVEL, REPAIR_TIME = "M", HOUR  # REV-26, REV-A19


@dataclass(frozen=True, slots=True)
class Ladder:
    """When the rolls of one kind of movement fall due."""

    speed: str
    interval: Fraction
    march: bool = False


ON_FOOT = {
    "all_out": Ladder("all_out", MINUTE),  # REUP-36; REV-21
    "high": Ladder("high", 10 * MINUTE),  # REUP-39; REV-23
    "march": Ladder("cruising", 3 * HOUR, True),  # REUP-41, 45
    "forced_march": Ladder("cruising", 2 * HOUR, True),  # REUP-42, 45
}
VEHICLE = {
    "all_out": Ladder("all_out", 10 * MINUTE),  # REV-24
    "high": Ladder("high", HOUR),  # REV-27
}
TITLES = {
    "all_out": "All-out",
    "high": "High speed",
    "march": "March",
    "forced_march": "Forced march",
    "cruising": "Cruising",
}


def efforts(
    stats: Stats,
    options: Options,
    clauses: Mapping[str, Source],
    *,
    harder: int = 0,
    numbers: Mapping[str, int] | None = None,
) -> tuple[Effort, ...]:
    """The long efforts open to a mover, quickest first.

    `harder` raises every roll by so many levels (arduous country, REUP-44); `numbers` are the game master's numbers by
    level, without which option ``default_number`` speaks (REUP-A04).
    """
    move, round_seconds = stats.metres(options), Fraction(options["round_seconds"])
    vehicle = stats.kind == "vehicle"
    skill, code = stats.enduring()

    def trial_at(level: str, skill: str, code: str, source: Source) -> Trial:
        given = (numbers or {}).get(level)
        number = given if given is not None else number_of(level, None, options)
        return Trial(
            skill,
            number,
            str(Pool.parse(code)) if code else "",
            level,
            wild=options["wild_die"],
            source=source,
            option="default_number",
        )

    def made(name: str, ladder: Ladder) -> Effort:
        source = clauses.get(name, Source())

        def trial(n: int) -> Trial:
            return trial_at(shift_level(FIRST_LEVEL, n - 1 + harder, options), skill, code, source)

        def setback(kept_up: Fraction, rolls: int, margin: int) -> Setback:
            because = clauses.get(f"{name}_failed", source)
            if vehicle and margin >= BREAKDOWN:
                because = clauses.get("repair", source)
                repair = trial_at(REPAIR_LEVEL, "repair", stats.repair, because)
                return Setback("mechanical_failure", REPAIR_TIME, repair, because)
            if vehicle:
                return Setback("strain", REST_FACTOR * kept_up, source=because)
            if ladder.march and options.get("march_failure", "sleep") != "rest_double":  # REUP-A27
                leave_open = options.get("march_failure", "sleep") == "gm"
                return Setback(
                    "game_master" if leave_open else "sleep", None if leave_open else rolls * SLEEP, source=because
                )
            return Setback("rest", REST_FACTOR * kept_up, source=because)

        return Effort(
            name,
            TITLES[name],
            distances(move, ladder.speed, options)[1] / round_seconds,
            ladder.interval,
            trial,
            setback,
            sleep=SLEEP if ladder.march else Fraction(0),
            ground_rolls=ladder.march,
            ground_gait=ladder.speed,
            recovery={"after_equal_rest": "equal_rest"}.get(options["stamina_reset"], options["stamina_reset"]),
            source=source,
        )

    found = tuple(made(name, ladder) for name, ladder in (VEHICLE if vehicle else ON_FOOT).items())
    if vehicle:
        cruising = distances(move, "cruising", options)[1] / round_seconds
        found += (Effort("cruising", TITLES["cruising"], cruising, source=clauses.get("cruising", Source())),)
    return found
