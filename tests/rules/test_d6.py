from __future__ import annotations

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tactical
from tactical.errors import Refusal, RulesetError
from tactical.options import Options
from tactical.rules.checks import Check
from tactical.rules.dice import Pool
from tactical.rules.profile import Pace, Profile
from tactical.rules.ruleset import get_ruleset
from tactical.rules.systems.d6 import d6_reup, d6_revised, vehicles
from tactical.rules.systems.d6 import failures as d6_failures
from tactical.rules.systems.d6 import resolve as d6_resolve
from tactical.rules.systems.d6 import tables as d6
from tactical.rules.turnstate import TurnState
from tactical.world.terrain import LEVEL_BANDS, LEVELS, Terrain

REUP, REVISED = d6_reup.RULESET, d6_revised.RULESET


def options(**given: object) -> Options:
    return REUP.options_with(given)


def revised(**given: object) -> Options:
    return REVISED.options_with(given)


def ground(level: str, number: int | None = None, **facts: object) -> Terrain:
    return Terrain.of({"level": level, "number": number, **facts})


def profile(
    turn: TurnState | None = None, opts: Options | None = None, posture: str = "standing", **stats: object
) -> Profile:
    return REUP.profile(REUP.read_stats({"move": 10, **stats}), turn or TurnState(), opts or options(), posture)


# The requirement table of the rules, all of it: level -> the four speeds; "-" no roll.
TABLE = {
    "VE": ("-", "-", "VE", "E"),
    "E": ("-", "-", "E", "M"),
    "M": ("-", "-", "M", "D"),
    "D": ("M", "D", "VD", "H"),
    "VD": ("D", "VD", "H", "H+10"),
    "H": ("VD", "H", "H+10", "H+20"),
}


@pytest.mark.parametrize("level", LEVELS)
def test_the_whole_requirement_table(level: str) -> None:
    for speed, expected in zip(d6.SPEEDS[1:], TABLE[level], strict=True):
        need = d6.requirement(speed, level, None, options(), edition=d6_reup.EDITION)
        assert (need.level if need.roll else "-") == expected
        action = {"all_out": "exclusive", "cautious": "free" if expected == "-" else "action"}.get(speed, "action")
        assert need.action == action
        assert need.clause.startswith("REUP-")


# The numbers after a shift, as rules.md tables them.
@pytest.mark.parametrize(
    ("level", "number", "cautious", "high", "all_out"),
    [("VE", 4, 4, 4, 9), ("E", 7, 7, 7, 12), ("M", 13, 13, 13, 18), ("D", 18, 13, 23, 33),
     ("VD", 23, 18, 33, 43), ("VD", 29, 20, 39, 49), ("H", 33, 23, 43, 53), ("H", 44, 30, 54, 64)],
)  # fmt: skip
def test_numbers_keep_their_distance_from_the_floor(
    level: str, number: int, cautious: int, high: int, all_out: int
) -> None:
    found = [
        d6.requirement(speed, level, number, options(), edition=d6_reup.EDITION, maneuver=1)
        for speed in ("cautious", "high", "all_out")
    ]
    assert [need.number for need in found] == [cautious + 1, high + 1, all_out + 1]


@given(
    st.sampled_from(LEVELS),
    st.integers(0, 9),
    st.sampled_from(d6.SPEEDS[1:]),
    st.sampled_from(["floor_offset", "proportional"]),
)
def test_a_shifted_number_lies_in_its_new_level(level: str, offset: int, speed: str, shift: str) -> None:
    low, high = LEVEL_BANDS[level]
    number = min(low + offset, high or 40)
    need = d6.requirement(speed, level, number, options(number_shift=shift), edition=d6_reup.EDITION)
    if need.roll:
        assert need.number is not None
        bottom, top = d6.band(need.level)
        assert bottom <= need.number <= (top or 99)


def test_numbers_by_option() -> None:
    def number(
        speed: str, level: str, value: int | None, own: dict[str, int] | None = None, **given: object
    ) -> int | None:
        return d6.requirement(speed, level, value, options(**given), edition=d6_reup.EDITION, own_numbers=own).number

    assert number("high", "D", 19, {"VD": 24}) == 24
    assert number("high", "D", 19, {"VD": 24}, number_shift="explicit_only") == 24
    assert number("high", "D", 19, number_shift="explicit_only") is None
    assert number("cruising", "D", 19, number_shift="explicit_only") == 19
    assert number("high", "D", 18, number_shift="proportional") == 26  # 21 + 2/4 of 9, rounded up
    assert number("high", "H", 33, heroic_step=5) == 38
    assert [number("cruising", "D", None, default_number=which) for which in ("require", "low", "mid", "high")] == [
        None, 16, 18, 20,
    ]  # fmt: skip
    assert number("cruising", "H", None, default_number="high") == 40
    with pytest.raises(ValueError, match="not in level"):
        number("cruising", "D", 21)


def test_stunts() -> None:
    need = d6.requirement("cautious", "E", 8, options(), edition=d6_reup.EDITION, maneuver=5)
    assert (need.action, need.roll, need.level, need.number) == ("action", True, "E", 13)
    quiet = d6.requirement("cautious", "E", 8, options(maneuver_forces_roll=False), edition=d6_reup.EDITION, maneuver=5)
    assert (quiet.action, quiet.roll) == ("free", False)
    assert d6.maneuver_class(0) == ""


LADDER = {
    "stop": ("stop", "cautious", "cruising"),
    "cautious": ("stop", "cautious", "cruising", "high"),
    "cruising": d6.SPEEDS,
    "high": d6.SPEEDS[1:],
    "all_out": d6.SPEEDS[2:],
}
GEARS = {
    "stop": d6.SPEEDS[:2],
    "cautious": d6.SPEEDS[:3],
    "cruising": d6.SPEEDS[1:4],
    "high": d6.SPEEDS[2:],
    "all_out": d6.SPEEDS[3:],
}


@pytest.mark.parametrize("previous", d6.SPEEDS)
def test_speeds_change_by_two_levels_and_vehicles_by_one(previous: str) -> None:
    assert d6.allowed_speeds(previous, "character", 0, options()) == LADDER[previous]
    assert d6.allowed_speeds(previous, "creature", 0, options()) == LADDER[previous]
    assert d6.allowed_speeds(previous, "vehicle", 0, revised()) == GEARS[previous]
    assert "stop" in d6.allowed_speeds(previous, "character", 0, options(forced_continuation="off"))


def test_lost_moves_cap_the_speed() -> None:
    assert d6.allowed_speeds("all_out", "vehicle", 3, revised()) == ("cautious",)
    assert d6.allowed_speeds("all_out", "vehicle", 3, revised(cap_overrides_deceleration=False)) == ("high",)
    assert d6.allowed_speeds("cruising", "creature", 1, options()) == d6.SPEEDS[:4]
    assert d6.allowed_speeds("cruising", "vehicle", 9, revised()) == ("stop",)


def test_the_four_gaits_share_one_pool() -> None:
    found = profile(TurnState(previous="cruising"))
    assert [(g.name, g.budget, g.minimum, g.action) for g in found.gaits] == [
        ("cautious", 5, Fraction(5, 2), "free"),
        ("cruising", 10, 5, "action"),
        ("high", 20, 10, "action"),
        ("all_out", 40, 20, "exclusive"),
    ]
    assert len(found.pools()) == 1
    assert found.turn_budget == "cruising"
    assert not [gait for gait in found.gaits if gait.refused]


def test_rounding_and_the_cautious_minimum() -> None:
    assert d6.distances(Fraction(11), "cautious", options(d6_rounding="down")) == (2, 5)
    assert d6.distances(Fraction(11), "cautious", options(d6_rounding="nearest")) == (3, 6)
    assert d6.distances(Fraction(11), "cautious", options(cautious_minimum="zero")) == (0, Fraction(11, 2))
    assert d6.distances(Fraction(0), "all_out", options()) == (0, 0)
    assert d6.distances(Fraction(10), "cruising", options(swim_factor=5), "swim") == (1, 2)
    assert d6.distances(Fraction(10), "cruising", options(unusual_move_divisor=2), "climb") == (Fraction(5, 2), 5)


def refused(found: Profile) -> dict[str, str]:
    return {gait.name: gait.refused.code for gait in found.gaits if gait.refused is not None}


def test_why_a_speed_is_closed() -> None:
    assert refused(profile()) == {"high": "move.speed_change", "all_out": "move.speed_change"}
    assert refused(profile(previous="all_out")) == {"cautious": "move.speed_change"}
    assert refused(profile(opts=options(initial_speed="high"))) == {}
    assert refused(profile(previous="cruising", actions=2)) == {"all_out": "move.action"}
    moved = TurnState(previous="cruising", memory={"moved": "cautious"})
    assert set(refused(profile(moved)).values()) == {"move.action"}
    assert len(refused(profile(moved))) == 4
    down = TurnState(previous="stop", memory={"no_actions": True})
    assert len(refused(profile(down))) == 4
    assert "cautious" not in refused(profile(down, options(free_move_when_no_actions=True)))
    slow = REVISED.profile(REVISED.read_stats({"kind": "vehicle", "move": 9, "lost_moves": 1, "previous": "high"}),
                           TurnState(), revised(), "standing")  # fmt: skip
    reason = slow.gait("all_out").refused
    assert reason is not None
    assert "1 lost Move" in reason.text


def test_swimming_and_climbing_cost_three_and_ground_nothing() -> None:
    found, swamp = profile(), ground("H", 40, difficult=True, rough=True)

    def price(terrain: Terrain, of: Profile = found, posture: str = "standing") -> Fraction | str:
        pace = of.pace("move", posture, terrain, False)
        return pace.base * pace.joined("multiply") if isinstance(pace, Pace) else pace.code

    assert price(swamp) == 1
    assert price(Terrain(water="deep")) == price(Terrain(climb=True)) == price(Terrain(swim=True)) == 3
    assert price(Terrain(water="wading")) == 1
    assert price(Terrain(), profile(posture="prone"), "prone") == "rules.not_covered"
    assert price(Terrain(), profile(opts=options(house_pace={"crawl": 4})), "prone") == 4
    assert price(Terrain(climb=True), profile(opts=options(climb_factor=None))) == "rules.not_covered"
    assert price(Terrain(), profile(opts=options(default_level="refuse"))) == "rules.not_covered"
    wheels = REVISED.profile(REVISED.read_stats({"kind": "vehicle", "move": 30}), TurnState(), revised(), "standing")
    assert price(Terrain(swim=True), wheels) == price(Terrain(climb=True), wheels) == "rules.not_covered"
    boat = REVISED.profile(REVISED.read_stats({"kind": "vehicle", "move": 30}), TurnState(),
                           revised(house_pace={"swim": 1}), "standing")  # fmt: skip
    assert price(Terrain(swim=True), boat) == 1
    assert wheels.ledge is not None
    assert isinstance(wheels.ledge.up, Refusal)


def test_getting_up_is_free() -> None:
    found = profile(posture="kneeling")
    assert found.postures == ("standing", "kneeling")
    assert [(change.start, change.end, change.cost) for change in found.changes] == [("kneeling", "standing", 0)]
    assert found.demand is not None
    free, rough = profile(posture="prone", running="4D"), (ground("D", 17),)
    paid = profile(posture="prone", running="4D", opts=options(stand_up_is_action=True))
    assert free.demand is not None
    assert paid.demand is not None
    assert free.demand("cruising", rough).checks[0].dice == "4D"
    assert paid.demand("cruising", rough).checks[0].dice == "3D"


def checks(speed: str, *grounds: Terrain, opts: Options | None = None, **stats: object) -> tuple[Check, ...]:
    stats = {"running": "4D", "strength": "3D", **stats}
    return d6_reup.demand(REUP.read_stats({"move": 10, **stats}), TurnState(), opts or options(), speed, grounds).checks


def test_one_roll_against_the_hardest_ground() -> None:
    easy, hard, harder = ground("E", 8), ground("D", 18), ground("VD", 21)
    assert [(c.skill, c.level, c.number) for c in checks("cruising", easy, hard, harder, hard)] == [
        ("running", "VD", 21)
    ]
    assert checks("cruising", easy, easy) == ()
    both = options(mixed_terrain="segments")
    assert [c.number for c in checks("cruising", easy, hard, hard, harder, hard, opts=both)] == [18, 21, 18]
    assert [c.number for c in checks("high", easy, hard, harder, opts=options(mixed_terrain="first"))] == [8]
    assert [c.number for c in checks("cruising", ground("D"), hard)] == [18]
    assert [(c.level, c.number) for c in checks("cruising", hard, ground("VD"))] == [("VD", None)]


def test_a_roll_for_each_skill() -> None:
    river = ground("D", 17, swim=True)
    found = checks("cruising", ground("VD", 22), river, swimming="2D")
    assert [(c.skill, c.number, c.dice) for c in found] == [("running", 22, "4D"), ("swimming", 17, "2D")]
    assert checks("cruising", river)[0].dice == "3D"
    assert checks("cruising", river, code="5D")[0].dice == "5D"


def test_penalties_burden_the_roll() -> None:
    stats = REUP.read_stats({"move": 10, "running": "4D", "actions": 2})
    turn = TurnState(memory={"dice": -1})
    rough = (ground("D", 17),)
    assert d6_reup.demand(stats, turn, options(), "cruising", rough).checks[0].dice == "2D"
    assert d6_reup.demand(stats, turn, options(map_on_movement=False), "cruising", rough).checks[0].dice == "3D"
    worn = TurnState(memory={"dice": -9})
    assert d6_reup.demand(stats, worn, options(pool_floor="one_die"), "cruising", rough).checks[0].dice == "1D"


def move(speed: str, metres: int, roll: int, number: int = 25, opts: Options | None = None) -> d6_failures.Outcome:
    stats = REUP.read_stats({"move": 10})
    found = d6_reup.resolve(
        stats, TurnState(), opts or options(), speed, Fraction(metres), (ground("VD", number),), (roll,)
    )
    assert isinstance(found, d6_failures.Outcome)
    return found


@pytest.mark.parametrize("margin", range(-2, 25))
def test_margins_pick_their_row(margin: int) -> None:
    found = move("cruising", 10, 25 - margin)
    edges = {"ok": 0, "slight_slip": 3, "slip": 6, "fall": 10, "minor_tumble": 15, "tumble": 20, "major_tumble": 99}
    assert found.result == next(name for name, top in edges.items() if margin <= top)
    assert found.moved == 10 * {"ok": 1, "slight_slip": 1, "slip": Fraction(1, 2), "fall": Fraction(1, 2)}.get(
        found.result, Fraction(1, 4)
    )
    assert found.speed == ("stop" if margin >= 7 else "cruising")


def test_failures_by_option() -> None:
    assert move("cruising", 6, 20).moved == 3
    assert move("cruising", 6, 20, opts=options(failure_fraction_of="full")).moved == 5
    bare = move("cruising", 10, 5, opts=options(tumble_inherits_minor=False))
    assert (bare.moved, bare.posture, bare.no_actions_now, str(bare.damage)) == (10, "standing", False, "2D")
    assert move("cruising", 10, 15, opts=options(speed_after_fall="kept")).speed == "cruising"


def test_failures_the_revised_text_leaves_out() -> None:
    def fail(kind: str, roll: int, **given: object) -> d6_failures.Outcome:
        stats = REVISED.read_stats({"kind": kind, "move": 10})
        found = d6_revised.resolve(
            stats, TurnState(), revised(**given), "cruising", Fraction(10), (ground("VD", 25),), (roll,)
        )
        assert isinstance(found, d6_failures.Outcome)
        return found

    assert fail("vehicle", 20).moved is None
    assert fail("vehicle", 20).result == "slip"
    wreck = fail("vehicle", 17, vehicle_failure="as_character")
    assert (wreck.moved, wreck.posture, wreck.speed) == (5, None, "stop")
    assert fail("character", 24, failure_rows_source="seed_only").result == "not_in_source"
    assert fail("character", 16, failure_rows_source="seed_only").result == "fall"
    assert str(fail("character", 5, collision_table_character={"cruising": 6}).damage) == "6D"


def test_what_cannot_be_resolved_is_refused() -> None:
    stats = REUP.read_stats({"move": 10})
    for metres, code in ((4, "move.min_distance"), (11, "move.max_distance")):
        found = d6_reup.resolve(stats, TurnState(), options(), "cruising", Fraction(metres), (ground("E"),))
        assert isinstance(found, Refusal)
        assert found.code == code
    found = d6_reup.resolve(stats, TurnState(), options(), "cruising", Fraction(10), (ground("D"),), (12,))
    assert isinstance(found, Refusal)
    assert found.code == "rules.number_missing"
    with pytest.raises(ValueError, match="needs 1 roll"):
        d6_reup.resolve(stats, TurnState(), options(), "cruising", Fraction(10), (ground("D", 17),))


def test_odds_sum_to_one_and_agree_with_every_throw() -> None:
    stats = REUP.read_stats({"move": 10, "running": "3D"})
    turn, grounds = TurnState(previous="cruising"), (ground("M", 13),)
    found = d6_reup.odds(stats, turn, options(), "high", Fraction(16), grounds)
    assert not isinstance(found, Refusal)
    assert sum(part for _, part in found) == 1
    by_distance: dict[Fraction | None, Fraction] = {}
    for outcome, part in found:
        by_distance[outcome.moved] = by_distance.get(outcome.moved, Fraction(0)) + part
    assert by_distance == {Fraction(16): Fraction(5, 8), Fraction(8): Fraction(3, 8)}
    throws = product(range(1, 7), repeat=3)
    thrown = Counter(getattr(d6_failures.row_of(13 - sum(dice)), "name", "ok") for dice in throws)
    assert {outcome.result: part for outcome, part in found} == {name: Fraction(n, 216) for name, n in thrown.items()}
    wild = d6_reup.odds(stats, turn, options(wild_die=True), "high", Fraction(16), grounds)
    assert not isinstance(wild, Refusal)
    assert sum(part for _, part in wild) == 1
    assert dict(wild) != dict(found)


def test_odds_of_two_rolls() -> None:
    stats = REUP.read_stats({"move": 10, "running": "4D", "swimming": "3D"})
    grounds = (ground("D", 16), ground("D", 16, swim=True))
    found = d6_reup.odds(stats, TurnState(), options(), "cruising", Fraction(10), grounds)
    assert not isinstance(found, Refusal)
    assert sum(part for _, part in found) == 1
    both = Fraction(435, 1296) * Fraction(10, 216)
    assert sum(part for outcome, part in found if not outcome.failed) == both
    nobody = d6_reup.odds(replace(stats, swimming=""), TurnState(), options(), "cruising", Fraction(10), grounds)
    assert isinstance(nobody, Refusal)


def test_a_fall_stays_for_the_next_round() -> None:
    stats = REUP.read_stats({"move": 10, "running": "4D"})
    start = TurnState(previous="cruising")
    outcome = d6_reup.resolve(stats, start, options(), "high", Fraction(20), (ground("M", 13),), (5,))
    assert isinstance(outcome, d6_failures.Outcome)
    now = d6_resolve.after(start, "high", outcome)
    assert now.memory["no_actions"]
    then = d6_resolve.next_turn(now, options())
    assert (then.turn, then.previous, then.memory) == (2, "stop", {"dice": -2, "kept_up": {"high": 5}})
    later = d6_resolve.next_turn(d6_resolve.after(then, "cautious", None), options())
    assert (later.previous, later.memory) == ("cautious", {"kept_up": {"high": 5}})
    rested = d6_resolve.next_turn(later, options())
    assert (rested.previous, rested.memory) == ("stop", {}), "an equal rest begins the count anew"


def test_stats_are_checked() -> None:
    with pytest.raises(RulesetError, match="d6-revised"):
        REUP.read_stats({"kind": "vehicle", "move": 10})
    with pytest.raises(RulesetError, match="needs move or kmh"):
        REVISED.read_stats({"kind": "vehicle"})
    with pytest.raises(RulesetError, match="dice code"):
        REUP.read_stats({"running": "four"})
    with pytest.raises(RulesetError, match="at least 0"):
        REUP.read_stats({"move": -1})
    with pytest.raises(RulesetError, match="did you mean 'running'"):
        REUP.read_stats({"runing": "4D"})
    assert REUP.read_stats({}).metres(options()) == 10


def test_a_pilot_rolls_skill_and_maneuverability() -> None:
    stats = REVISED.read_stats({"kind": "vehicle", "move": 30, "mechanical": "3D+2", "maneuverability": "1D+2"})
    assert stats.skill("walk") == ("vehicle operation", Pool(5, 1))


def test_too_much_luggage_is_told() -> None:
    assert "overloaded" in profile(strength="3D", carried=10).summary
    assert "overloaded" not in profile(strength="3D", carried=9).summary


def test_vehicle_damage_by_option() -> None:
    car = vehicles.Vehicle(Pool(1, 1), 0, 2)
    assert vehicles.damage(car, "heavily", 2, revised()).maneuverability == Pool(0)
    assert vehicles.damage(car, "heavily", 2, revised(maneuverability_spill=True)).lost_moves == 1
    scratched = vehicles.damage(car, "lightly", 1, revised())
    assert scratched.maneuverability == Pool(0, 1)
    assert vehicles.damage(scratched, "lightly", 1, revised()).lost_moves == 0
    assert vehicles.damage(vehicles.damage(scratched, "lightly", 1, revised()), "lightly", 1, revised()).lost_moves == 1
    assert vehicles.damage(vehicles.Vehicle(), "lightly", 4, revised()).weapons == 0
    community = revised(severe_table="community")
    assert vehicles.damage(car, "severely", 6, community).destroyed
    assert vehicles.damage(car, "severely", 4, community).weapons == 0
    assert vehicles.damage(car, "severely", 5, community, countdown=2).rounds == 2
    with pytest.raises(ValueError, match="lightly"):
        vehicles.damage(car, "slightly", 1, revised())
    with pytest.raises(ValueError, match="1 to 6"):
        vehicles.damage(car, "lightly", 0, revised())


def test_the_bands_leave_no_number_out() -> None:
    for (_, (_, high)), (_, (low, _)) in pairwise(LEVEL_BANDS.items()):
        assert high is not None
        assert high + 1 == low


@pytest.mark.parametrize("name", ["d6-reup", "d6-revised"])
def test_both_are_in_the_rack_with_every_option_named_once(name: str) -> None:
    found = get_ruleset(name)
    assert found.name == name
    assert len({option.name for option in found.options}) == len(found.options)
    defaults = found.options_with()
    assert (defaults["diagonal"], defaults["climb_factor"], defaults["swim_factor"]) == ("alternate", 3, 3)


@pytest.mark.parametrize("name", ["d6-reup", "d6-revised"])
def test_the_sheet_shows_the_requirement_table(name: str) -> None:
    sheet = get_ruleset(name).sheet
    assert sheet is not None
    shown = sheet()["what a move needs"]
    expected = {
        level: {
            speed: f"roll {need}" if need != "-" else "free" if speed == "cautious" else "action"
            for speed, need in zip(d6.SPEEDS[1:], row, strict=True)
        }
        for level, row in TABLE.items()
    }
    assert shown == expected


@pytest.mark.parametrize("rounding", ["exact", "down", "nearest"])
def test_who_has_no_gait_left_can_still_be_asked_about(rounding: str) -> None:
    """Where each speed is rounded by itself it has a pool of its own: a question without a gait takes the first."""
    ground = {"~": {"terrain": "lake", "swim": True, "level": "E"}, ".": {"level": "E"}}
    spent = tactical.Mover("a", "d6-revised", {"move": 10, "lost_moves": 4}, tactical.Cell(0, 0))
    lake = tactical.Battlemap.from_rows(["..~~..", "......"], ground, cell=2, unit="m", movers=(spent,))
    assert len(tactical.MovementGraph(lake, "a", options={"d6_rounding": rounding}).nodes) > 0
    session = tactical.Session.new(lake, options={"d6_rounding": rounding})
    refused = session.execute(tactical.Move("a", "B1"))
    assert (bool(refused), "4 lost Moves" in refused.text) == (False, True)


@pytest.mark.parametrize(("lost", "clause"), [(1, "REV-47"), (2, "REV-48"), (3, "REV-49"), (4, "REV-50")])
def test_lost_moves_name_their_clause_in_both_editions(lost: int, clause: str) -> None:
    for rules in ("d6-reup", "d6-revised"):
        ruleset = get_ruleset(rules)
        stats = ruleset.read_stats({"move": 10, "code": "4D", "previous": "cruising", "lost_moves": lost})
        turn, chosen = TurnState(previous="high"), ruleset.options_with()
        refused = ruleset.profile(stats, turn, chosen, "standing").gaits[-1].refused
        assert refused is not None
        assert refused.params["clause"] == clause
        assert clause in ruleset.clauses
