"""Twelve-second turns: the profile, and the options that the worked cases leave at their defaults."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from tactical.errors import Refusal, RulesetError
from tactical.rules.profile import Pace, Profile, Source
from tactical.rules.systems import twelve_second as rules
from tactical.rules.systems.twelve_second import jumps
from tactical.rules.systems.twelve_second import turn as counted
from tactical.rules.turnstate import TurnState
from tactical.world.terrain import PLAIN, Terrain


def options(**given: Any) -> Any:
    return rules.RULESET.options_with(given)


def profile(given: Any = None, turn: TurnState | None = None, **stats: Any) -> Profile:
    found = rules.RULESET.read_stats({"mv": 36} | stats)
    return rules.profile(found, turn or TurnState(), options(**(given or {})), "standing")


def pace(found: Profile, pool: str, ground: Terrain = PLAIN, uphill: bool = False) -> Pace:
    answer = found.pace(pool, "standing", ground, uphill)
    assert isinstance(answer, Pace), answer
    return answer


def test_each_gait_is_a_pool_of_its_own_and_water_is_crossed_inside_it() -> None:
    found = profile()
    assert [gait.name for gait in found.gaits] == ["walk", "run", "run_dodge", "crawl", "wade"]
    assert found.pools() == ("walk", "run", "run_dodge", "crawl", "wade")
    assert pace(found, "run").base == Fraction(1, 60)
    assert pace(found, "run", Terrain(water="shallow")).mode == "walk"
    assert pace(found, "walk", Terrain(water="wading")).mode == "swim"
    assert pace(found, "walk", Terrain(swim=True)).base == Fraction(1, 12)


def test_named_modes_share_one_pool_and_the_quickest_is_used() -> None:
    found = profile(modes=["walk", "wade"])
    assert found.pools() == ("mixed",)
    assert pace(found, "mixed", Terrain(water="wading")).base == Fraction(1, 8)
    deep = found.pace("mixed", "standing", Terrain(water="deep"), False)
    assert isinstance(deep, Refusal)
    assert "over the neck" in deep.text


def test_single_mode_turns() -> None:
    found = profile({"mode_mixing": "single"})
    assert isinstance(found.pace("run", "standing", Terrain(water="shallow"), False), Refusal)


def test_uphill_and_rough_are_one_reduction_or_two() -> None:
    rough = Terrain(rough=True)
    once = pace(profile(), "walk", rough, uphill=True)
    assert [factor.name for factor in once.factors] == ["rough"]
    assert once.joined("multiply") == 4
    twice = pace(profile({"uphill_and_rough": "twice"}), "walk", rough, uphill=True)
    assert twice.joined("multiply") == 16
    assert pace(profile(), "walk", PLAIN, uphill=True).factors[0].name == "uphill"


def test_the_cell_may_say_that_it_is_not_uphill() -> None:
    assert pace(profile(), "walk", Terrain(uphill=False), uphill=True).factors == ()


def test_swimming_is_not_slowed_by_rough_ground() -> None:
    assert pace(profile(), "walk", Terrain(rough=True, water="deep")).factors == ()


def test_uphill_starts_above_the_least_rise() -> None:
    assert profile({"uphill_min_rise_m": "1/2"}).uphill_min_rise == Fraction(1, 2)


def test_climbing_needs_a_house_pace() -> None:
    cliff = Terrain(climb=True)
    refused = profile().pace("walk", "standing", cliff, False)
    assert isinstance(refused, Refusal)
    assert refused.code == "rules.not_covered"
    own = pace(profile({"house_pace": {"climb": 3}}), "walk", cliff)
    assert own.base * own.joined("multiply") == Fraction(3, 20)
    assert own.source.ruling == "house_pace"


def test_ledges_are_not_covered() -> None:
    ledge = profile().ledge
    assert ledge is not None
    assert isinstance(ledge.up, Refusal)
    assert isinstance(ledge.down, Refusal)


def test_the_exhausted_crawl_walk_or_wade() -> None:
    found = profile(exhausted=True)
    assert found.gait("run").refused is not None
    assert found.gait("walk").refused is None
    assert pace(found, "walk", Terrain(water="wading")).mode == "wade"
    stranded = found.pace("walk", "standing", Terrain(water="deep"), False)
    assert isinstance(stranded, Refusal)
    assert "stranded" in stranded.text


def test_counted_turns_of_the_memory_exhaust() -> None:
    tired = TurnState(memory={"effort": {"all": 12}})
    scores = {"str": 12, "dex": 12, "end": 12}
    assert profile(None, tired, **scores).gait("run").refused is not None
    assert profile(None, TurnState(memory={"effort": {"all": 11}}), **scores).gait("run").refused is None
    nine = TurnState(memory={"effort": {"all": 9}})
    assert profile(None, nine, **scores, load="heavy").gait("run").refused is not None


@pytest.mark.parametrize(
    ("count", "recovery", "used"),
    [
        ("cumulative", "rest_event", {"all": 4}),
        ("consecutive", "rest_event", {"all": 1}),
        ("per_mode", "rest_event", {"run": 3, "swim": 1}),
        ("cumulative", "per_easy_turn", {"all": 2}),
    ],
)
def test_how_turns_are_counted(count: str, recovery: str, used: dict[str, int]) -> None:
    history = ["run", ["run", "walk"], "walk", "swim", "walk", "run"]
    counts: dict[str, int] = {}
    for turn in history:
        modes = (turn,) if isinstance(turn, str) else turn
        counts = counted.after_turn(counts, modes, options(endurance_count=count, endurance_recovery=recovery))
    assert counts == used


def test_rest_clears_the_count_and_a_heavy_load_may_leave_nothing() -> None:
    assert counted.after_turn({"all": 1}, ("rest",), options()) == {}
    assert counted.endurance_limit(Fraction(2), "heavy") == 0


def test_depth_from_metres() -> None:
    depths = [rules.depth_class(Fraction(tenths, 10), Fraction(1), Fraction(3, 2)) for tenths in (0, 9, 10, 15, 16)]
    assert depths == ["", "shallow", "wading", "wading", "deep"]


def test_stats_name_what_is_missing() -> None:
    with pytest.raises(RulesetError, match="give mv"):
        rules.RULESET.read_stats({"str": 10})
    with pytest.raises(RulesetError, match="mode 'fly'"):
        rules.RULESET.read_stats({"mv": 36, "modes": ["fly"]})


def test_jump_table_holes() -> None:
    assert jumps.base_number(Fraction(40), options()) == 4
    assert jumps.base_number(Fraction(5), options(jump_below_table="0.5")) == Fraction(1, 2)


def test_orders_of_the_jump_modifiers() -> None:
    jump = jumps.Jump("running", Fraction(6), run_up=Fraction(12), bad_ground=True)
    numbers = [
        jumps.jump_number(Fraction(5, 2), True, False, jump, options(jump_modifier_order=order))
        for order in ("own_before", "all_before", "all_after")
    ]
    assert numbers == [6, 5, 5]


@pytest.mark.parametrize(("rule", "off"), [("floor", 1), ("pro_rata", Fraction(3, 2)), ("ceil", 2)])
def test_missing_run_up(rule: str, off: Fraction) -> None:
    jump = jumps.Jump("running", Fraction(5), run_up=Fraction(7))
    assert jumps.run_up_shortage(jump, options(runup_shortage=rule)) == off
    assert jumps.run_up_shortage(jumps.Jump("standing", Fraction(5)), options()) == 0


def test_between_and_beyond_the_rows() -> None:
    assert jumps.row_of(Fraction(3, 4), options(jump_difference_gap="down")).chance == 4
    assert jumps.row_of(Fraction(1, 4), options(jump_difference_gap="down")).chance == 20
    assert jumps.row_of(Fraction(5, 4), options(jump_difference_gap="down")).chance == 0
    assert isinstance(jumps.attempt(Fraction(4), Fraction(2), 1, 1, options(beyond_table="refuse")), Refusal)


@pytest.mark.parametrize(
    ("half", "parts"), [("up", (5, 4)), ("down", (4, 5)), ("exact", (Fraction(9, 2), Fraction(9, 2)))]
)
def test_halves_of_a_recovery(half: str, parts: tuple[Fraction, Fraction]) -> None:
    found = jumps.attempt(Fraction(7, 2), Fraction(5, 2), 2, 5, options(recovery_half=half))
    assert isinstance(found, jumps.Attempt)
    assert (found.no_action, found.stunned) == parts


@pytest.mark.parametrize("mv", [4, 20, 36, 60])
def test_each_gait_names_the_rate_it_has_on_its_own_ground(mv: int) -> None:
    found = profile(mv=mv)
    for gait in found.gaits:
        ground = Terrain(water="wading") if gait.name == "wade" else PLAIN
        assert gait.metres is not None
        assert pace(found, gait.name, ground).base == 1 / gait.metres, gait.name


def test_who_swims_where_one_could_wade_is_told_by_which_ruling() -> None:
    for swims, mode, source in (
        (True, "swim", Source("TWS-10", "TWS-A08")),
        (False, "wade", Source("TWS-09", "TWS-A04")),
    ):
        found = profile({"swim_in_wade_depth": swims}, waist="1/2", neck="3/2")
        paid = pace(found, "walk", Terrain(depth=Fraction(1)))
        assert (paid.mode, paid.source) == (mode, source)
