"""The sample maps of the rule systems: each shows what its game is about."""

from __future__ import annotations

from fractions import Fraction

import pytest

import tactical
from tactical.assets import maps
from tactical.errors import Refusal
from tactical.world.terrain import LEVELS


def reach_of(sample: str, mover: str, **more: object) -> tactical.Reach:
    battlemap = tactical.load(maps(sample))
    return tactical.reach(battlemap, mover, **more)  # type: ignore[arg-type]


def way(found: tactical.Reach, cell: str) -> tactical.Route | Refusal:
    return found.route(found.battlemap.cell_named(cell))


@pytest.mark.parametrize("sample", ["starport", "river-crossing", "cliff-town", "vehicle-yard", "crossroads"])
def test_everybody_can_move(sample: str) -> None:
    battlemap = tactical.load(maps(sample))
    assert not battlemap.faults()
    for mover in battlemap.movers:
        found = tactical.reach(battlemap, mover)
        assert found.cells(), mover.id
        assert found.unit in ("m", "ft", "turn", "round")


def test_the_starport_has_ground_of_every_level() -> None:
    battlemap = tactical.load(maps("starport"))
    assert {terrain.level for terrain in battlemap.palette} >= set(LEVELS)


def test_at_the_starport_the_short_way_is_the_hard_one() -> None:
    from tactical.movement.rolls.frontier import by_number

    found = reach_of("starport", "rhen", gait="all_out")
    choices = by_number(found.query, "all_out", found.battlemap.cell_named("V4"))
    assert not isinstance(choices, Refusal)
    assert len(choices) > 1
    numbers, lengths = [choice.risk for choice in choices], [choice.cost for choice in choices]
    assert numbers == sorted(numbers)
    assert lengths == sorted(lengths, reverse=True)


def test_the_river_has_every_depth_and_the_bridge_two_gaps() -> None:
    found = reach_of("river-crossing", "kara", gait="run")
    assert {terrain.water for terrain in found.battlemap.palette} == {"", "shallow", "wading", "deep"}
    jumps = [step for step in _route(found, "U5").steps if step.way == "jump"]
    assert [step.distance for step in jumps] == [2, 5]
    assert all(step.check is None for step in jumps)
    # walking there is no run-up: the wide gap stays open
    walked = _route(reach_of("river-crossing", "kara", gait="walk"), "K5")
    assert [step.distance for step in walked.steps if step.way == "jump"] == [2]


def test_the_scout_needs_luck_and_the_whole_run_up_at_the_wide_gap() -> None:
    from tactical.movement.rolls.odds import Jump, declare_jump

    found = reach_of("river-crossing", "scout")
    take_off, landing = (found.battlemap.cell_named(name) for name in ("T5", "N5"))
    lucky = declare_jump(found.query, (take_off,), landing, run_up=Fraction(10))
    assert isinstance(lucky, Jump)
    assert (lucky.gait, lucky.flight.chance) == ("run", Fraction(1, 20))
    short = declare_jump(found.query, (take_off,), landing, run_up=Fraction(8))
    assert isinstance(short, Refusal)
    assert (short.code, short.params["need"], short.params["has"]) == ("move.run_up", "10", "8")
    # plans make sure jumps only, unless the table says otherwise
    ways = {}
    for chance, given in (("sure", {}), ("any", {"jump_chance": 0})):
        route = _route(reach_of("river-crossing", "scout", gait="run", options=given), "N5")
        ways[chance] = {step.way for step in route.steps}
    assert "jump" not in ways["sure"]
    assert "jump" in ways["any"]


def test_in_the_cliff_town_a_fall_hurts_who_accepts_it() -> None:
    brave = reach_of("cliff-town", "brann")
    drop = _route(brave, "C10")
    assert [step.damage for step in drop.steps if step.way == "drop"] == [14]
    assert [check.kind for check in drop.checks] == ["fall"]
    shy = reach_of("cliff-town", "mite", start=brave.start.cell)
    assert not way(shy, "C10")


def test_roofs_are_leapt() -> None:
    route = _route(reach_of("cliff-town", "vess"), "K1")
    assert "jump" in {step.way for step in route.steps}


def test_the_crane_brakes_and_vehicles_do_not_swim() -> None:
    found = reach_of("vehicle-yard", "crane")
    assert [band.name for band in found.bands] == ["cruising"]
    assert set(found.refused) == {"cautious", "high", "all_out"}
    pond = way(reach_of("vehicle-yard", "swoop"), "F9")
    assert not pond
    assert "swimming by a vehicle" in pond.text
    assert reach_of("vehicle-yard", "hauler").profile.gait("all_out").budget == 100


def test_at_the_crossroads_feet_and_metres_measure_the_same_road() -> None:
    feet, metres = reach_of("crossroads", "falke"), reach_of("crossroads", "rhen")
    # operator's rules are asked in the map's own unit
    assert (feet.battlemap.cell, feet.battlemap.unit, feet.unit) == (Fraction(3, 2), "m", "m")
    assert (metres.battlemap.cell, metres.battlemap.unit) == (Fraction(3, 2), "m")


def _route(found: tactical.Reach, cell: str) -> tactical.Route:
    route = way(found, cell)
    assert isinstance(route, tactical.Route), route
    return route
