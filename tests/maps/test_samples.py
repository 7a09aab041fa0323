"""What the small sample maps are there to show: one rule each, asked for as a player would."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from tactical.assets import maps
from tactical.errors import Refusal
from tactical.formats import load
from tactical.movement.reach import reach
from tactical.movement.route import Route
from tactical.units import exact


def way(sample: str, mover: str, goal: str, *, turns: int = 3, **options: object) -> Route | Refusal:
    battlemap = load(maps(f"small/{sample}"))
    return reach(battlemap, mover, turns=turns, options=options).route(battlemap.cell_named(goal))


@pytest.mark.parametrize(
    ("sample", "mover", "goal", "cost", "posture", "used"),
    [
        # crawling one cell is cheaper than standing up (15), four cells are not: 15 + 20 against 40
        ("prone-start", "ace", "E5", 10, "prone", "crawl"),
        ("prone-start", "ace", "A4", 35, "standing", "stand"),
        # nine cells round the brush, where straight through costs six doubled cells and three plain ones
        ("detour", "ace", "K3", 45, "standing", "walk"),
        ("detour", "ace", "E3", 25, "standing", "walk"),
        ("crawlway", "ace", "E3", 15, "prone", "crawl"),
        ("crawlway", "ace", "E6", 25, "crouched", "crouch"),
        ("ford", "ace", "J1", 65, "standing", "swim"),
        # three cells of run-up, then 15 ft of chasm and the landing
        ("gap", "strong", "I3", 35, "standing", "jump"),
        ("ledge", "ace", "D3", 20, "standing", "walk"),
        ("corner", "ace", "C3", 10, "standing", "walk"),
        ("fences", "ace", "D1", 15, "standing", "walk"),
        ("doors", "kit", "J3", 10, "standing", "walk"),
        ("one-way", "ace", "E1", 15, "standing", "walk"),
        ("one-way", "kit", "D1", 30, "standing", "walk"),
        ("tower", "ace", "D2", 35, "standing", "link"),
        ("tower", "kit", "C3", 50, "standing", "climb"),
        ("referee", "ace", "C2", 15, "standing", "walk"),
        ("referee", "goat", "G2", "15/2", "standing", "walk"),
        ("referee", "goat", "G4", 15, "standing", "climb"),
        ("stairs", "ace", "upper/F2", 35, "standing", "link"),
        ("convoy", "truck", "N5", 75, "standing", "drive"),
    ],
)
def test_the_price_shows_the_rule(sample: str, mover: str, goal: str, cost: object, posture: str, used: str) -> None:
    route = way(sample, mover, goal)
    assert isinstance(route, Route)
    assert (route.cost, route.end.posture) == (exact(cost), posture)
    assert used in {step.way for step in route.steps}


def test_a_strong_current_calls_for_a_roll() -> None:
    route = way("ford", "ace", "J1")
    assert isinstance(route, Route)
    assert [check.skill for check in route.checks] == ["Athletics"]


def test_the_weak_jump_where_the_chasm_is_narrow() -> None:
    strong, weak = way("gap", "strong", "I4"), way("gap", "weak", "I4")
    assert isinstance(strong, Route)
    assert isinstance(weak, Route)
    longest = {route: max(step.distance for step in route.steps if step.way == "jump") for route in (weak,)}
    assert longest[weak] <= 10
    assert strong.cost <= weak.cost


def test_a_free_corner_is_shorter() -> None:
    route = way("corner", "ace", "C3", corner="free")
    assert isinstance(route, Route)
    assert route.cost == 5


def test_one_closed_door_a_turn() -> None:
    route = way("doors", "ace", "H3")
    assert isinstance(route, Route)
    assert (route.cost, route.turn) == (25, 2)
    assert not way("doors", "ace", "H3", turns=1)


def test_a_window_is_no_way() -> None:
    route = way("fences", "ace", "G1")
    assert isinstance(route, Route)
    assert route.cost == 50


def test_running_past_a_guard_provokes_and_friends_may_be_passed() -> None:
    route = way("gauntlet", "ace", "L3")
    assert isinstance(route, Route)
    assert "guard" in {one.enemy for one in route.provokes}
    refused = way("gauntlet", "ace", "D3")
    assert isinstance(refused, Refusal)
    assert "Kit" in refused.text


def test_a_large_body_must_squeeze() -> None:
    assert not way("big-body", "ogre", "I9")
    route = way("big-body", "ogre", "I9", squeeze=True)
    assert isinstance(route, Route)
    assert "squeeze" in {step.way for step in route.steps}


def test_what_does_not_fit_a_turn_waits() -> None:
    # 45 of 50 ft, then brush at 10: five feet are lost, so 100 ft of ground take three turns
    assert not way("two-turns", "slow", "T1", turns=2)
    route = way("two-turns", "slow", "T1", turns=3)
    assert isinstance(route, Route)
    assert (route.cost, route.turn) == (Fraction(100), 3)


def test_fire_is_entered_only_if_it_is_named() -> None:
    battlemap = load(maps("small/hazard"))
    fire = battlemap.cell_named("E1")
    found = reach(battlemap, "ace")
    assert fire not in found.cells()
    beyond, into = found.route(battlemap.cell_named("G1")), found.route(fire)
    assert isinstance(beyond, Route)
    assert isinstance(into, Route)
    assert beyond.hazards == ()
    assert [hazard for hazard, _ in into.hazards] == ["fire"]


def names(sample: str) -> list[str]:
    return [path.relative_to(maps()).with_suffix("").as_posix() for path in maps().rglob(sample)]


@pytest.mark.parametrize("sample", sorted(names("*.yaml")))
def test_everybody_can_move_somewhere(sample: str) -> None:
    battlemap: Any = load(maps(sample))
    assert battlemap.movers
    for mover in battlemap.movers:
        assert reach(battlemap, mover).cells(), mover.id
