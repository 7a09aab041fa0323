"""Operator: the profile of a turn, and the parts of the text that the worked cases do not reach."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tactical import Accepted, Battlemap, Cell, Mover, reach
from tactical.errors import Refusal, RulesetError
from tactical.play import commands as do
from tactical.play.events import AttackOffered
from tactical.play.session import Session
from tactical.rules.profile import Pace, Profile
from tactical.rules.systems.operator import OPTIONS, RULESET, SOURCES, Stats, acts, whole_turn
from tactical.rules.turnstate import TurnState
from tactical.world.terrain import PLAIN, Terrain


def profile(turn: TurnState | None = None, posture: str = "standing", options: Any = None, **stats: Any) -> Profile:
    return RULESET.profile(RULESET.read_stats(stats), turn or TurnState(), RULESET.options_with(options or {}), posture)


def game(row: str, *, at: int = 0, stats: Any = None, options: Any = None, others: tuple[Mover, ...] = ()) -> Session:
    """A game of one on a row of 5-foot squares."""
    movers = [Mover("a", "operator", stats or {}, Cell(at, 0), "ours"), *others]
    battlemap = Battlemap.from_rows([row], {"o": {"gap": True}}, cell=5, unit="ft", rules="operator", movers=movers)
    return Session.new(battlemap, options=options)


def profile_of(session: Session) -> Profile:
    return session.position.query("a").profile


def gaits(found: Profile) -> list[tuple[str, int, str]]:
    return [(gait.name, int(gait.budget), gait.action) for gait in found.gaits]


def pace(found: Profile, posture: str, ground: Terrain = PLAIN) -> Pace:
    answer = found.pace("", posture, ground, False)
    assert isinstance(answer, Pace)
    return answer


def change(found: Profile, start: str, end: str) -> Fraction | None:
    return next((change.cost for change in found.changes if (change.start, change.end) == (start, end)), None)


def test_move_and_dash_share_one_pool() -> None:
    assert gaits(profile()) == [("move", 30, "free"), ("dash", 60, "action")]
    assert profile().pools() == ("",)


def test_the_bonus_dash_keeps_the_action() -> None:
    assert gaits(profile(bonus_dash=True)) == [
        ("move", 30, "free"), ("dash", 60, "bonus"), ("double_dash", 120, "action+bonus")
    ]  # fmt: skip


def test_double_dash_total_may_be_three() -> None:
    assert gaits(profile(bonus_dash=True, options={"double_dash_total": 3}))[-1] == ("double_dash", 90, "action+bonus")


def test_action_surge_adds_one_more_speed() -> None:
    assert gaits(profile(action_surge=True))[-1] == ("surge_dash", 90, "action+action")
    both = profile(action_surge=True, bonus_dash=True)
    assert gaits(both)[-1] == ("triple_dash", 150, "action+action+bonus")


def test_a_dash_taken_is_the_first_gait() -> None:
    assert gaits(profile(TurnState(dashes=("dash",), spent=Fraction(5)))) == [("dash", 60, "free")]
    with_bonus = profile(TurnState(dashes=("dash",), actions=0), bonus_dash=True)
    assert gaits(with_bonus) == [("dash", 60, "free"), ("double_dash", 120, "bonus")]


def test_without_an_action_dash_is_refused_with_the_reason() -> None:
    found = profile(TurnState(actions=0))
    assert found.gait("dash").refused is not None
    assert found.gait("dash").refused.code == "move.action"  # type: ignore[union-attr]


def test_disengage_uses_the_action() -> None:
    assert profile(TurnState(disengaged=True)).gait("dash").refused is not None
    assert profile(TurnState(disengaged=True), action_surge=True).gait("dash").refused is None


def test_left_replaces_the_rest_of_the_present_turn() -> None:
    found = profile(TurnState(spent=Fraction(20), left=Fraction(5)))
    assert gaits(found) == [("move", 25, "free"), ("dash", 55, "action")]


def test_two_factors_rest_on_a_ruling() -> None:
    mud = Terrain(difficult=True)
    assert str(pace(profile(), "standing", mud).source) == "OPR-14"
    crawled = pace(profile(), "prone", mud)
    assert (crawled.joined("multiply"), crawled.joined("add"), crawled.joined("max")) == (4, 3, 2)
    assert crawled.source.ruling == "OPR-A01"
    crouched = pace(profile(), "crouched", mud)
    assert (crouched.joined("add"), crouched.source.ruling) == (4, "OPR-A01")


@pytest.mark.parametrize("posture", ["standing", "crouched", "prone"])
def test_posture_does_not_matter_in_water_or_on_a_rope(posture: str) -> None:
    assert pace(profile(), posture, Terrain(water="deep")).joined("multiply") == 2
    assert pace(profile(), posture, Terrain(climb=True)).joined("multiply") == 2


def test_a_check_where_the_hold_is_slick_or_the_current_strong() -> None:
    found = profile(options={"athletics_dc": 13})
    assert pace(found, "standing", Terrain(climb=True)).check is None
    assert pace(found, "standing", Terrain(slick=True)).check is None
    slick = pace(found, "standing", Terrain(climb=True, slick=True)).check
    assert slick is not None
    assert (slick.skill, slick.number, slick.source) == ("Athletics", 13, "OPR-34")
    current = pace(profile(), "standing", Terrain(water="deep", current="strong")).check
    assert current is not None
    assert current.number is None


def test_prices_of_postures() -> None:
    found = profile(agile=True)
    assert change(found, "prone", "standing") == 17
    assert change(found, "prone", "crouched") == 17
    assert change(found, "crouched", "standing") == 5
    assert change(found, "standing", "prone") == 0
    assert change(profile(agile=True, options={"stand_rounding": "up"}), "prone", "standing") == 18
    assert change(profile(options={"stand_cost": 10}), "prone", "standing") == 10


def test_speed_zero_cannot_rise() -> None:
    assert change(profile(speed=0), "prone", "standing") is None


def test_crouch_model_budget_halves_the_turn_instead_of_the_foot() -> None:
    options = {"crouch_model": "budget"}
    crouched = profile(posture="crouched", options=options)
    assert gaits(crouched) == [("move", 15, "free"), ("dash", 30, "action")]
    assert pace(crouched, "crouched").joined("multiply") == 1
    assert isinstance(crouched.pace("", "standing", PLAIN, False), Refusal)
    assert isinstance(profile(options=options).pace("", "crouched", PLAIN, False), Refusal)


def test_crouch_model_budget_in_a_turn() -> None:
    session = game("......", options={"crouch_model": "budget"})
    assert session.execute(do.Move("a", Cell(4, 0), gait="move"))
    assert session.execute(do.Posture("a", "crouched"))
    assert profile_of(session).gaits[0].budget - session.position.status("a").turn.spent == -5
    assert isinstance(session.execute(do.Posture("a", "standing")), Refusal)


def test_a_jump_needs_strength_and_names_its_limits() -> None:
    assert profile().jump is None
    limits = profile(str=15).jump
    assert limits is not None
    assert (limits.running, limits.standing, limits.run_up, limits.base) == (15, 7, 10, 1)
    exact = profile(strength=15, options={"jump_half_rounding": "exact"}).jump
    assert exact is not None
    assert exact.standing == Fraction(15, 2)


def test_a_vehicle_multiplies_and_has_no_posture() -> None:
    found = profile(vehicle={"multiple": 4})
    assert found.gait("move").budget == 120
    assert (found.postures, found.changes, found.jump) == (("standing",), (), None)
    assert pace(found, "standing", Terrain(difficult=True)).joined("multiply") == 2
    refused = found.pace("", "standing", Terrain(water="deep"), False)
    assert isinstance(refused, Refusal)
    assert refused.code == "rules.not_covered"


def test_house_pace_lets_a_vehicle_swim() -> None:
    found = profile(vehicle={"multiple": 2}, options={"house_pace": {"swim": 3}})
    ferry = pace(found, "standing", Terrain(water="deep"))
    assert ferry.joined("multiply") == 3
    assert ferry.source.ruling == "house_pace"


def test_aircraft_are_off_the_grid() -> None:
    found = profile(vehicle_kind="helicopter")
    (gait,) = found.gaits
    refused = gait.refused
    assert refused is not None
    assert "helicopter" in refused.text
    assert isinstance(found.pace("", "standing", PLAIN, False), Refusal)


def test_summary_says_where_the_speed_comes_from() -> None:
    assert profile().summary == "speed 30 ft = 30 base, no modifiers"
    assert profile(agile=True, bomb_suit=True).summary == "speed 25 ft = 30 base + 5 Agile - 10 Bomb Suit"
    assert "Slowed: half" in profile(slowed=True).summary


def test_unknown_stats_are_refused_with_the_nearest() -> None:
    with pytest.raises(RulesetError, match="did you mean 'agile'"):
        RULESET.read_stats({"agil": True})


def test_defaults_of_the_engine() -> None:
    options = RULESET.options_with()
    assert (options["diagonal"], options["door_limit"], options["climb_factor"]) == ("equal", 1, 2)


def test_every_ledger_word_has_a_source() -> None:
    for word in ("difficult", "climb", "swim", "crawl", "crouch", "door", "ally", "enemy", "link", "fence", "dash"):
        assert str(SOURCES[word])


def test_options_name_their_clause() -> None:
    assert all(option.clause for option in OPTIONS)


def test_one_reaction_an_enemy_and_none_when_pushed() -> None:
    foe = Mover("foe", "operator", {}, Cell(0, 0), "theirs")
    session = game("......", at=1, others=(foe,))
    legs = [do.Leg(Cell(col, 0)) for col in (2, 1, 2)]
    offered = session.execute(do.Move("a", Cell(2, 0), legs=legs))
    assert isinstance(offered, Accepted)
    assert [one.cell for one in offered.of(AttackOffered)] == [Cell(1, 0)]
    rest = session.execute(do.GoOn("a"))
    assert isinstance(rest, Accepted)
    assert not rest.of(AttackOffered)
    pushed = game("......", at=1, others=(foe,)).execute(do.Push("a", [Cell(2, 0)]))
    assert isinstance(pushed, Accepted)
    assert not pushed.of(AttackOffered)


def test_a_failed_check_may_leave_the_movement() -> None:
    keep = RULESET.options_with({"failed_check_spends": False})
    assert acts.athletics(9, Fraction(15), Fraction(10), Fraction(20), keep).spent == 0
    assert acts.athletics(9, Fraction(15), Fraction(10), Fraction(20), RULESET.options_with()).spent == 20


def test_a_change_of_posture_breaks_the_run_up() -> None:
    session = game("...oo..", stats={"speed": 60, "strength": 15})
    assert session.execute(do.Move("a", Cell(2, 0)))
    assert session.execute(do.Posture("a", "crouched"))
    assert session.execute(do.Posture("a", "standing"))
    refused = session.execute(do.Move("a", Cell(5, 0), legs=[do.Leg(Cell(5, 0), "jump", "standing")]))
    assert isinstance(refused, Refusal)
    assert refused.code == "move.run_up"


@given(speed=st.integers(0, 120), slowed=st.booleans(), final=st.booleans())
def test_a_crouched_turn_is_never_longer_than_a_standing_one(speed: int, slowed: bool, final: bool) -> None:
    options = RULESET.options_with({"slowed_minimum_applies": "final" if final else "slowed"})
    stats = Stats(speed=Fraction(speed), slowed=slowed)
    assert whole_turn(stats, options, "crouched") <= whole_turn(stats, options, "standing")
    found = RULESET.profile(stats, TurnState(), options, "crouched")
    crouched = found.pace("", "crouched", PLAIN, False)
    assert isinstance(crouched, Pace)
    assert found.gaits[0].budget // crouched.joined("multiply") == whole_turn(stats, options, "crouched")


@pytest.mark.parametrize(("row", "facts", "posture"), [
    ("open", {}, "standing"), ("difficult", {"difficult": True}, "standing"), ("climb", {"climb": True}, "standing"),
    ("swim", {"water": "deep"}, "standing"), ("crawl", {}, "prone"), ("crouched", {}, "crouched"),
])  # fmt: skip
def test_a_foot_costs_what_the_printed_sheet_says(row: str, facts: dict[str, Any], posture: str) -> None:
    board = Battlemap.from_rows(
        ["..", ",,"], {",": facts}, rules="operator", movers=[Mover("a", at="A1", posture=posture)]
    )
    found = reach(board, "a", arrive=posture)
    assert RULESET.sheet is not None
    told: Any = RULESET.sheet()["cost per foot"]
    assert found.cost("A2") == 5 * told[row]
