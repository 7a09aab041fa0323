from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tactical.errors import Refusal, UnknownName
from tactical.play import journey
from tactical.play.journey import Covered, Dice, GroundRolled, Journey, Margins, Plan, Rested, Totals
from tactical.rules.dice import Pool
from tactical.rules.dice import chance as chance_of
from tactical.rules.efforts import HOUR, MINUTE, Effort, Setback, Trial
from tactical.rules.systems import shapers, twelve_second
from tactical.rules.systems.d6 import d6_reup, d6_revised
from tactical.rules.turnstate import TurnState
from tactical.world.terrain import Terrain

REUP, REVISED = d6_reup.RULESET, d6_revised.RULESET


def effort(
    name: str, rules: str = "d6-reup", options: dict[str, object] | None = None, harder: int = 0, **stats: object
) -> Effort:
    system, module = (REUP, d6_reup) if rules == "d6-reup" else (REVISED, d6_revised)
    opts = system.options_with({"default_number": "mid", **(options or {})})
    found = module.efforts(system.read_stats({"move": 10, "stamina": "3D", **stats}), opts, harder=harder)
    return journey.find(found, name)


def undertake(effort: Effort, roller: journey.Roller, **more: object) -> Journey:
    found = journey.undertake(effort, roller, **more)  # type: ignore[arg-type]
    assert isinstance(found, Journey)
    return found


def plan(effort: Effort, **more: object) -> Plan:
    found = journey.plan(effort, **more)  # type: ignore[arg-type]
    assert isinstance(found, Plan)
    return found


def test_a_march_of_ten_hours() -> None:
    found = plan(effort("march"), seconds=10 * HOUR)
    assert [(due.at / HOUR, due.trial.level, due.trial.number) for due in found.rolls] == [
        (3, "VE", 3),
        (6, "E", 8),
        (9, "M", 13),
    ]
    assert found.metres == 72000  # 10 m in 5 s
    expected = chance_of(Pool(3), 3) * chance_of(Pool(3), 8) * chance_of(Pool(3), 13)
    assert found.chance == expected == found.rolls[-1].through
    assert (found.sleep, found.ground_times) == (3 * HOUR, 3)


def test_the_way_gives_the_time() -> None:
    found = plan(effort("forced_march"), metres=Fraction(36000))
    assert found.seconds == 5 * HOUR
    assert [due.metres for due in found.rolls] == [14400, 28800]
    assert plan(effort("all_out"), metres=Fraction(0)).chance == 1


def test_arduous_country_makes_it_harder() -> None:
    found = plan(effort("march", harder=4), seconds=9 * HOUR)
    assert [(due.trial.level, due.trial.number) for due in found.rolls] == [("VD", 25), ("H", 35), ("H+10", 41)]
    assert found.chance == 0


def test_without_numbers_the_plan_says_what_is_missing() -> None:
    unknown = effort("high", options={"default_number": "require"})
    found = plan(unknown, seconds=25 * MINUTE)
    assert found.chance is None
    assert found.missing == ("the number of VE", "the number of E")
    refused = journey.undertake(unknown, Totals([3]), seconds=25 * MINUTE)
    assert isinstance(refused, Refusal)
    assert refused.code == "rules.number_missing"
    told = undertake(unknown, Margins([0, 4]), seconds=25 * MINUTE)
    assert not told.arrived
    assert plan(effort("high", stamina=""), seconds=HOUR).missing == ("the dice of stamina",)
    no_dice = journey.undertake(effort("high", stamina=""), Dice(1), seconds=HOUR)
    assert isinstance(no_dice, Refusal)


def test_a_sprint_that_fails_at_the_second_minute() -> None:
    found = undertake(effort("all_out"), Totals([12, 7]), seconds=10 * MINUTE)
    assert [(roll.at, roll.trial.level, roll.total, roll.margin) for roll in found.rolls] == [
        (60, "VE", 12, -9),
        (120, "E", 7, 1),
    ]
    assert (found.seconds, found.metres, found.arrived) == (120, 960, False)
    assert found.owed == Setback("rest", Fraction(240), source=d6_reup.LONG["all_out_failed"])
    assert [(event.at, event.metres) for event in found.events if isinstance(event, Covered)] == [(60, 480), (120, 480)]


def test_who_persists_rests_and_begins_anew() -> None:
    found = undertake(effort("all_out"), Totals([12, 7, 12]), seconds=3 * MINUTE, persist=True)
    assert [(roll.at, roll.n) for roll in found.rolls] == [(60, 1), (120, 2), (420, 1)]
    assert (found.seconds, found.metres, found.arrived) == (420, 1440, True)
    assert [(event.kind, event.seconds) for event in found.events if isinstance(event, Rested)] == [("rest", 240)]


def test_a_march_stops_for_sleep() -> None:
    found = undertake(effort("march"), Totals([12, 7]), seconds=10 * HOUR)
    assert found.owed is not None
    assert (found.owed.kind, found.owed.seconds) == ("sleep", 2 * HOUR)
    double = undertake(effort("march", options={"march_failure": "rest_double"}), Totals([12, 7]), seconds=10 * HOUR)
    assert double.owed is not None
    assert (double.owed.kind, double.owed.seconds) == ("rest", 12 * HOUR)
    left_open = undertake(
        effort("march", options={"march_failure": "gm"}), Totals([2]), seconds=10 * HOUR, persist=True
    )
    assert left_open.owed is not None
    assert (left_open.owed.kind, left_open.arrived) == ("game_master", False)


def test_a_vehicle_strains_or_breaks_down() -> None:
    car = effort("all_out", "d6-revised", kind="vehicle", body_strength="3D", repair="4D", stamina="")
    strain = undertake(car, Margins([0, 10]), seconds=HOUR)
    assert strain.owed is not None
    assert (strain.owed.kind, strain.owed.seconds) == ("strain", 40 * MINUTE)
    broken = undertake(car, Margins([11]), seconds=HOUR)
    assert broken.owed is not None
    assert broken.owed.repair is not None
    assert (broken.owed.kind, broken.owed.repair.level, broken.owed.seconds) == ("mechanical_failure", "M", HOUR)
    mended = undertake(car, Margins([11, 2, 0, 0]), seconds=20 * MINUTE, persist=True)
    assert [(event.kind, event.seconds) for event in mended.events if isinstance(event, Rested)] == [
        ("mechanical_failure", 2 * HOUR)
    ]
    assert (mended.seconds, mended.arrived) == (20 * MINUTE + 2 * HOUR, True)
    assert plan(effort("cruising", "d6-revised", kind="vehicle", stamina=""), seconds=100 * HOUR).chance == 1


def test_marching_over_hard_ground_rolls_for_the_ground_too() -> None:
    options = REUP.options_with()
    stats = REUP.read_stats({"move": 10, "running": "4D"})
    ground = d6_reup.demand(stats, TurnState(), options, "cruising", (Terrain(level="D", number=16),))
    march = effort("march")
    planned = plan(march, seconds=6 * HOUR, ground=ground)
    assert planned.ground_chance == chance_of(Pool(4), 16) ** 2
    found = undertake(march, Totals([9, 15, 9, 16]), seconds=6 * HOUR, ground=ground)
    assert [(roll.at, roll.margin) for roll in found.events if isinstance(roll, GroundRolled)] == [
        (3 * HOUR, 1),
        (6 * HOUR, 0),
    ]
    assert found.arrived


def test_the_chance_is_that_of_playing_every_throw() -> None:
    run = effort("high", stamina="1D+2")
    planned = plan(run, seconds=20 * MINUTE)
    passed = sum(
        undertake(run, Totals([first + 2, second + 2]), seconds=20 * MINUTE).arrived
        for first, second in product(range(1, 7), repeat=2)
    )
    assert planned.chance == Fraction(passed, 36)
    assert 0 < passed < 36


@given(
    st.integers(0, 10**6),
    st.sampled_from(["all_out", "high", "march", "forced_march"]),
    st.integers(0, 300),
    st.booleans(),
)
def test_journeys_add_up_and_repeat(seed: int, name: str, minutes: int, persist: bool) -> None:
    chosen = effort(name, stamina="6D")
    found = undertake(chosen, Dice(seed), seconds=minutes * MINUTE, persist=persist)
    assert found == undertake(chosen, Dice(seed), seconds=minutes * MINUTE, persist=persist)
    covered = [event for event in found.events if isinstance(event, Covered)]
    rested = [event for event in found.events if isinstance(event, Rested)]
    assert sum(event.metres for event in covered) == found.metres
    assert sum(event.seconds for event in (*covered, *rested)) == found.seconds
    assert found.arrived == (found.metres == minutes * MINUTE * chosen.speed and found.owed is None)
    assert [event.at for event in found.events] == sorted(event.at for event in found.events)


@given(st.integers(0, 40), st.integers(0, 40))
def test_two_legs_ask_for_the_rolls_of_one(first: int, second: int) -> None:
    run = effort("high")
    whole = plan(run, seconds=(first + second) * MINUTE)
    start = undertake(run, Margins([0] * 8), seconds=first * MINUTE)
    rest = plan(run, seconds=second * MINUTE, kept_up=start.kept_up)
    assert [roll.n for roll in start.rolls] + [due.n for due in rest.rolls] == [due.n for due in whole.rolls]


def test_rests_wipe_efforts_out() -> None:
    both = (effort("high"), effort("march"), effort("all_out"))
    kept = {"high": 20 * MINUTE, "march": 9 * HOUR}
    assert journey.rest(both, kept, 19 * MINUTE) == kept
    assert journey.rest(both, kept, 20 * MINUTE) == {"march": 9 * HOUR}
    assert journey.rest(both, kept, 3 * HOUR) == {}  # an hour of sleep a roll
    never = (effort("high", options={"stamina_reset": "never"}),)
    assert journey.rest(never, {"high": MINUTE}, 99 * HOUR) == {"high": MINUTE}


def test_rolls_before_the_period_and_limits() -> None:
    def trial(n: int) -> Trial:
        return Trial("fortitude", 55 - 10 * (n - 1), "d100", under=True)

    three = Fraction(3)
    sprint = Effort(
        "sprint",
        "Sprint",
        Fraction(16),
        three,
        trial,
        lambda kept, n, margin: Setback("gait_lost"),
        free=3 * three,
        before=True,
    )
    assert plan(sprint, seconds=3 * three).rolls == ()
    found = plan(sprint, metres=Fraction(16) * 5 * three)
    assert [(due.at, due.trial.number) for due in found.rolls] == [(9, 55), (12, 45)]
    assert found.chance == Fraction(55, 100) * Fraction(45, 100)
    lost = undertake(sprint, Totals([55, 46]), seconds=5 * three)
    assert (lost.arrived, lost.metres, lost.owed) == (False, 16 * 12, Setback("gait_lost"))
    run = Effort("run", "Run", Fraction(5), limit=Fraction(120))
    short = plan(run, seconds=Fraction(200))
    assert (short.seconds, short.short, short.chance) == (120, True, 0)
    tired = undertake(run, Totals([]), seconds=Fraction(200))
    assert tired.owed is not None
    assert (tired.metres, tired.owed.kind) == (600, "exhausted")
    assert not undertake(run, Totals([]), seconds=Fraction(1), kept_up=tired.kept_up).arrived


def test_what_cannot_be_asked() -> None:
    march = effort("march")
    with pytest.raises(ValueError, match="either"):
        journey.plan(march)
    with pytest.raises(ValueError, match="either"):
        journey.plan(march, seconds=HOUR, metres=Fraction(1))
    with pytest.raises(ValueError, match="negative"):
        journey.plan(march, seconds=-HOUR)
    with pytest.raises(ValueError, match="no total is left"):
        journey.undertake(march, Totals([]), seconds=3 * HOUR)
    assert isinstance(journey.plan(effort("march", move=0), metres=Fraction(10)), Refusal)
    with pytest.raises(UnknownName, match="march"):
        journey.find([march], "mrach")


def test_hopeless_efforts_end() -> None:
    sprint = effort("all_out", stamina="1D", harder=5)
    arrives = undertake(sprint, Dice(1), seconds=10 * HOUR, persist=True)  # minute by minute, resting between
    assert (arrives.arrived, len(arrives.rolls), arrives.seconds) == (True, 600, 30 * HOUR)
    gives_up = undertake(sprint, Dice(1), seconds=20 * HOUR, persist=True)
    assert (gives_up.arrived, len(gives_up.rolls)) == (False, journey.GIVE_UP)


def test_shapers_sprint_run_and_jog() -> None:
    options = shapers.RULESET.options_with()
    stats = shapers.RULESET.read_stats({"pa": 4, "pf": 3, "endurance": 2})
    efforts = shapers.efforts(stats, options)
    sprint = plan(journey.find(efforts, "sprint"), metres=Fraction(80))  # five rounds of 16 m
    assert [(due.at, due.trial.number) for due in sprint.rolls] == [(9, 55), (12, 45)]
    assert sprint.chance == Fraction(55, 100) * Fraction(45, 100)
    run = plan(journey.find(efforts, "run"), seconds=Fraction(151))
    assert [(due.at, due.trial.number) for due in run.rolls] == [(90, 55), (120, 50), (150, 45)]
    assert plan(journey.find(efforts, "walk"), seconds=99 * HOUR).chance == 1
    lost = undertake(journey.find(efforts, "jog"), Totals([56]), seconds=HOUR)
    assert (lost.seconds, lost.metres) == (3 * MINUTE, 240)
    assert journey.rest(efforts, lost.kept_up, Fraction(1)) == {}
    after = shapers.efforts(stats, shapers.RULESET.options_with({"effort_test_timing": "after"}))
    assert [due.at for due in plan(journey.find(after, "sprint"), metres=Fraction(80)).rolls] == [12, 15]


def test_twelve_second_runners_tire_without_rolls() -> None:
    options = twelve_second.RULESET.options_with()
    stats = twelve_second.RULESET.read_stats({"strength": 10, "dexterity": 10, "endurance": 8, "load": "heavy"})
    efforts = twelve_second.efforts(stats, options)
    run, swim = journey.find(efforts, "run"), journey.find(efforts, "swim")
    tired = undertake(run, Totals([]), metres=Fraction(1000))
    assert (tired.seconds, tired.metres, tired.arrived) == (5 * 12, 5 * 60, False)
    assert plan(swim, seconds=Fraction(12), kept_up=tired.kept_up).metres == 0  # one counter for all three
    assert plan(journey.find(efforts, "walk"), seconds=HOUR, kept_up=tired.kept_up).metres == 20 * 300
    alone = twelve_second.efforts(stats, twelve_second.RULESET.options_with({"endurance_count": "per_mode"}))
    kept = undertake(journey.find(alone, "run"), Totals([]), seconds=HOUR).kept_up
    assert plan(journey.find(alone, "swim"), seconds=Fraction(12), kept_up=kept).metres == 12
