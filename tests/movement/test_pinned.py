"""Cases that random maps once brought to light, each with its price worked by hand."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from tactical import Route
from tests.oracle.board import position
from tests.oracle.engine import cell, engine_arrivals, oracle_arrivals, reach


def cost(scenario: dict[str, Any], to: str, turns: int = 1) -> Fraction | None:
    """Engine and oracle agree on the whole map; what the engine's last turn spends to get to a cell."""
    found = engine_arrivals(reach(scenario, turns))
    assert found == oracle_arrivals(scenario, turns)[0]
    place = found.get(position(to))
    return None if place is None else place[1]


def plain(rows: list[str], mover: dict[str, Any] | None = None, **more: Any) -> dict[str, Any]:
    options = more.pop("options", {})
    return {
        "ruleset": more.pop("ruleset", "plain"),
        "options": options,
        "map": {"rows": rows, **more},
        "mover": {"speed": 60, **(mover or {})},
    }


DOORS = [{"at": "B1.e", "kind": "door-closed", "cost": 5}, {"at": "B2.e", "kind": "door-closed", "cost": 5}]


@pytest.mark.parametrize(("to", "expected"), [("B1", 15), ("C1", 20), ("D1", 25)])
def test_a_body_of_two_opens_both_leaves_once(to: str, expected: int) -> None:
    # A1 to B1: one cell and two leaves at 5; it then stands in the doorway, and walks on without paying again
    assert cost(plain(["S....", "....."], {"size": 2}, edges=DOORS), to) == expected


def test_two_doors_opened_by_one_step_count_as_two() -> None:
    scenario = plain(["S....", "....."], {"size": 2}, edges=DOORS)
    assert cost({**scenario, "options": {"door_limit": 1}}, "C1") is None
    # one leaf in place in the first turn; in the second the other and two cells
    assert cost({**scenario, "options": {"door_limit": 1}}, "C1", 3) == 15
    assert cost({**scenario, "options": {"door_limit": 2}}, "C1", 3) == 20


def test_a_large_body_comes_alongside_no_closed_door() -> None:
    # moving south it would have the closed door between its two halves and opens nothing by that: it goes round by B1
    # and B2 and opens the door westwards
    scenario = plain(["S..", "...", "..."], {"size": 2}, edges=[{"at": "A3.e", "kind": "door-closed"}])
    assert cost(scenario, "A2") == 15
    assert cost(scenario, "B2") == 10


@pytest.mark.parametrize(("rule", "expected"), [("max_all", 10), ("median_all", Fraction(15, 2)), ("anchor", 5)])
def test_the_median_of_four_cells_is_exact(rule: str, expected: Fraction) -> None:
    # two cells of mud and two of grass after the step
    scenario = plain(["S.~", "..~"], {"size": 2}, legend={"~": {"difficult": True}}, options={"body_cost": rule})
    assert cost(scenario, "B1") == expected


def test_no_cell_of_a_body_enters_what_cannot_be_entered() -> None:
    # the anchor prices the step, but B2 cannot be climbed
    legend = {"c": {"climb": True}}
    scenario = plain(["S..", "..c"], {"size": 2}, legend=legend, options={"body_cost": "anchor", "climb_factor": None})
    assert cost(scenario, "B1") is None


def test_a_link_ends_only_where_the_mover_may_be() -> None:
    legend = {"c": {"climb": True}}
    links = [{"from": "A1", "to": "C1", "cost": 5}]
    assert cost(plain(["S#c"], legend=legend, links=links, options={"climb_factor": None}), "C1") is None
    assert cost(plain(["S#c"], legend=legend, links=links), "C1") == 5


def test_a_door_round_the_corner_of_a_wall_is_opened_on_the_slant() -> None:
    # north of B2 a wall, east of it nothing; the other way round leads through the door of B1
    walls, edges = ["B2.n"], [{"at": "A1.e", "kind": "door-closed", "cost": 5}]
    options = {"corner": "one_open", "door_diagonal": "price"}
    scenario = plain(["..", "S."], walls=walls, edges=edges, options=options)
    assert cost(scenario, "B1") == 10


def test_corner_free_looks_past_an_enemy_that_closes_corners() -> None:
    enemy = [{"id": "e", "at": "B1", "side": "enemy"}]
    for corner, expected in (("free", 5), ("one_open", 5), ("both_open", 10)):
        scenario = plain(["S.", ".."], occupants=enemy, options={"corner": corner, "corner_occupants": "block"})
        assert cost(scenario, "B2") == expected


def test_a_fence_ends_a_run_up() -> None:
    # 10 ft of run-up with a fence in its middle are no run-up; STR 8 clears 4 ft from standing
    legend = {"g": {"gap": True}}
    scenario = plain(["S..g."], {"str": 8, "speed": 40}, legend=legend, ruleset="operator")
    assert cost(scenario, "E1") == 20
    scenario["map"]["edges"] = [{"at": "B1.e", "kind": "fence", "cost": 5}]
    # over the fence to C1 (15), back towards it is a fence again: never 10 ft on foot
    assert cost(scenario, "E1") is None


def test_a_route_of_several_turns_costs_what_its_reach_says() -> None:
    legend = {
        "1": {"elevation": 5},
        "c": {"climb": True},
        "r": {"headroom": "crouched"},
        "~": {"difficult": True},
        "p": {"headroom": "prone"},
    }
    scenario = plain([".1111", "cp~cr", "11111", "11111", "11111"], {"start": "A1", "speed": 10}, legend=legend)
    found = reach(scenario, 3)
    for pos in engine_arrivals(found):
        route = found.route(cell(pos))
        assert isinstance(route, Route)
        assert route.cost == found.cost(cell(pos)) == sum(step.cost for step in route.steps)
