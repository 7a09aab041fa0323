"""Shapers: the profile, the clocks of effort, and the options that the worked cases leave at their defaults."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tactical.errors import Refusal, RulesetError
from tactical.movement.rolls.odds import Kept, kept_up
from tactical.rules.profile import Approach, Pace, Profile
from tactical.rules.systems import shapers
from tactical.rules.systems.shapers import acts, effort, falls
from tactical.rules.turnstate import TurnState
from tactical.world.terrain import PLAIN, Terrain

DEEP = Terrain(water="deep")
FIT = effort.Stamina(fortitude=3, endurance=2, swimming=1)
SPRINTER = shapers.RULESET.read_stats({"pa": 4, "pf": 3, "endurance": 2})


def options(**given: Any) -> Any:
    return shapers.RULESET.options_with(given)


def profile(given: Any = None, turn: TurnState | None = None, **stats: Any) -> Profile:
    found = shapers.RULESET.read_stats({"pa": 4, "ps": 6} | stats)
    return shapers.profile(found, turn or TurnState(), options(**(given or {})), "standing")


def pace(found: Profile, pool: str, ground: Terrain = PLAIN) -> Pace:
    answer = found.pace(pool, "standing", ground, False)
    assert isinstance(answer, Pace), answer
    return answer


def test_four_gaits_or_the_one_asked_for() -> None:
    assert [gait.name for gait in profile().gaits] == ["walk", "jog", "run", "sprint"]
    assert profile(gait="run").pools() == ("run",)
    assert pace(profile(), "run").base == Fraction(1, 8)


def test_swimming_takes_its_share_inside_each_gait() -> None:
    swum = pace(profile(swimming=2), "run", DEEP)
    assert (swum.mode, swum.base, swum.check) == ("swim", Fraction(1, 3), None)
    strong = pace(profile(swimming=2), "run", Terrain(water="deep", current="strong")).check
    assert strong is not None
    assert (strong.number, strong.source) == (58, "SHP-31")


def test_without_swimming_one_flounders() -> None:
    refused = profile().pace("run", "standing", DEEP, False)
    assert isinstance(refused, Refusal)
    assert "56" in refused.text
    assert acts.swim(6, 0, False, options(flounder_adds_stats=False)).tn == 50


def test_a_gait_a_round_when_mixing_is_off() -> None:
    found = profile({"mode_mixing": "single"}, swimming=1)
    assert isinstance(found.pace("run", "standing", DEEP, False), Refusal)
    assert pace(found, "swim", DEEP).mode == "swim"


@pytest.mark.parametrize("ground", [Terrain(difficult=True), Terrain(rough=True), Terrain(water="wading")])
def test_hindering_ground_has_no_effect(ground: Terrain) -> None:
    assert pace(profile(), "sprint", ground).base == Fraction(1, 16)


def test_difficult_ground_may_cap_at_jogging() -> None:
    capped = profile({"difficult_terrain_cap": "jog"})
    assert pace(capped, "sprint", Terrain(difficult=True)).base == Fraction(1, 4)
    assert pace(capped, "walk", Terrain(difficult=True)).base == Fraction(1, 2)


def test_climbing_and_ledges_are_not_covered() -> None:
    refused = profile().pace("walk", "standing", Terrain(climb=True), False)
    assert isinstance(refused, Refusal)
    assert refused.code == "rules.not_covered"
    ledge = profile().ledge
    assert ledge is not None
    assert isinstance(ledge.up, Refusal)
    own = pace(profile({"house_pace": {"climb": 2}}), "walk", Terrain(climb=True))
    assert own.base * own.joined("multiply") == 1


def test_no_agility_no_movement() -> None:
    assert isinstance(profile(pa=0).pace("walk", "standing", PLAIN, False), Refusal)


def test_falls_of_the_profile() -> None:
    fall = profile(size_m=10, pf=5, accept_damage=3).fall
    assert fall is not None
    assert (fall.harmless, fall.damage(Fraction(10)), fall.accepted) == (Fraction(5, 2), 25, 3)


def test_a_fall_never_heals() -> None:
    assert falls.fall_damage(Fraction(1), Fraction(1), 20, options()) == 0


def rolls_of(options: Any, gait: str, rounds: int) -> Any:
    found = kept_up(shapers.RULESET, SPRINTER, options, TurnState(), gait, rounds)
    assert isinstance(found, Kept)
    return found.tests


def test_tests_that_a_sprint_needs() -> None:
    found = rolls_of(options(), "sprint", 5)
    assert [(before, check.number) for before, check in found] == [(4, 55), (5, 45)]
    assert rolls_of(options(), "walk", 50) == ()


def test_tests_after_the_period() -> None:
    late = options(effort_test_timing="after")
    found = rolls_of(late, "sprint", 6)
    assert [before for before, _ in found] == [5, 6]


def test_a_half_minute_that_ends_inside_a_round() -> None:
    assert effort.test_round("run", 0, effort.Stamina(1), options(round_seconds=4)) == 8


def test_a_failed_test_ends_the_gait_and_rest_brings_it_back() -> None:
    behind = effort.Effort()
    for _ in range(3):
        assert effort.due_test(behind, "sprint", FIT, options()) is None
        behind = effort.after_round(behind, "sprint", options())
    due = effort.due_test(behind, "sprint", FIT, options())
    assert due == effort.Due(4, Fraction(55))
    passed = effort.take_test(behind, "sprint", 55, FIT, options())
    ran_on = effort.after_round(passed, "sprint", options())
    assert effort.due_test(ran_on, "sprint", FIT, options()) == effort.Due(5, Fraction(45))
    failed = effort.take_test(behind, "sprint", 56, FIT, options())
    assert failed.lost == ("sprint",)
    found = profile(None, TurnState(memory={"effort": failed}), pf=3, endurance=2)
    assert found.gait("sprint").refused is not None
    assert found.gait("run").refused is None
    assert effort.after_round(failed, "rest", options()) == effort.Effort()


def test_walk_only_and_walking_off() -> None:
    hard = options(effort_failure="walk_only", effort_recovery="walk_equal_time")
    behind = effort.Effort(rounds={"sprint": 3})
    failed = effort.take_test(behind, "sprint", 100, FIT, hard)
    assert set(failed.lost) == {"jog", "run", "sprint"}
    for _ in range(3):
        assert failed.lost
        failed = effort.after_round(failed, "walk", hard)
    assert failed == effort.Effort()


def test_one_clock_for_all_gaits() -> None:
    shared = options(effort_counters="shared")
    behind = effort.Effort()
    for _ in range(3):
        behind = effort.after_round(behind, "run", shared)
    assert effort.due_test(behind, "sprint", FIT, shared) is not None
    assert effort.due_test(behind, "sprint", FIT, options()) is None


def test_the_profile_names_the_due_test() -> None:
    saved = {"rounds": {"sprint": 3}}
    found = profile(None, TurnState(memory={"effort": saved}), pf=3, endurance=2)
    assert found.facts["tests"] == {"sprint": effort.Due(4, Fraction(55))}


def test_running_jumps_need_a_run() -> None:
    assert acts.running_jump_gaits(options()) == ("run", "sprint")
    assert "jog" in acts.running_jump_gaits(options(running_jump_gait="jog"))


def test_stats_are_checked() -> None:
    with pytest.raises(RulesetError, match="gait 'hop'"):
        shapers.RULESET.read_stats({"pa": 4, "gait": "hop"})
    with pytest.raises(RulesetError, match="missing"):
        shapers.RULESET.read_stats({"ps": 4})
    with pytest.raises(ValueError, match="jump 'sideways'"):
        acts.jump("sideways", 50, 5, 4, 6)


@given(gap=st.integers(1, 80), strength=st.integers(0, 20), agility=st.integers(1, 20))
def test_a_wider_gap_is_never_easier(gap: int, strength: int, agility: int) -> None:
    jump = profile(ps=strength, pa=agility).jump
    assert jump is not None
    flights = [jump.flight(Approach("run", Fraction(gap + more, 10), Fraction(9))) for more in (0, 1)]
    narrow, wide = (Fraction(0) if isinstance(one, Refusal) else one.chance for one in flights)
    assert wide <= narrow


@given(height=st.integers(0, 400), roll=st.integers(1, 100))
def test_preparing_a_jump_down_never_hurts(height: int, roll: int) -> None:
    metres = Fraction(height, 10)
    bare = falls.fall_damage(metres, Fraction(10), 5, options())
    assert falls.jump_down(metres, Fraction(10), 5, 4, 6, roll, options()).damage <= bare
