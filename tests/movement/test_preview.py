"""What a map shows, what a click does and what is charged are the same, for every cell."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from hypothesis import assume, given
from hypothesis import strategies as st

from tactical import Cell, Reach, Refusal, Route, Step
from tactical.movement.situation import fresh_turn
from tactical.play.turn import Turn
from tests.oracle.engine import reach
from tests.oracle.worlds import GROUND, few, gates, scenarios

Scenario = dict[str, Any]

EVERYTHING: dict[str, Any] = {
    "glyphs": GROUND + "...cdrpn12g",
    "edges": True,
    "bodies": True,
    "links": True,
    "options": (
        "diagonal",
        "corner",
        "cost_stacking",
        "door_cost",
        "door_limit",
        "door_diagonal",
        "ally_cost",
        "grid_rounding",
    ),
    "most": 6,
}


def order(turn: Turn, step: Step) -> Turn | Refusal:
    """One step of a route as the order that a player gives."""
    if step.door:
        return turn.open_door(step.door)
    if step.start.posture != step.end.posture:
        return turn.posture(step.end.posture)
    if step.start.squeezed != step.end.squeezed:
        return turn.squeeze(step.end.squeezed)
    return turn.take(step.end.cell, step.way if step.way in ("jump", "link") else "step")


def ended(turn: Turn) -> Turn:
    """The turn after a turn, the doors it opened standing open."""
    assert turn.can_stop() is None
    query = turn.query
    keep = query.options["parity_reset"] == "never"
    state = turn.state._replace(run_up=0, doors=0, diagonals=turn.state.diagonals if keep else 0)
    fresh = fresh_turn(query.ruleset, turn.now, query.options)
    return Turn(query.changed(turn=fresh, opened=query.opened | turn.opened), state, fresh, turn.pool)


def carried_out(turn: Turn, route: Route) -> Turn:
    """The turn after a route, every step accepted at the price it showed; turns end where the route ends them."""
    for step in route.steps:
        while turn.acts.turn < step.turn:
            turn = ended(turn)
        after = order(turn, step)
        assert isinstance(after, Turn), f"{step.way} to {step.end}: {after.text}"
        assert after.made is not None
        assert after.made.cost == step.cost
        assert after.spent == step.spent
        assert after.state.cell == step.end.cell
        assert after.state.posture == step.end.posture
        assert after.made.provokes == step.provokes
        turn = after
    return turn


def agree(found: Reach, begun: Turn) -> None:
    """For every cell: shown as reachable, accepted on a click, and charged as shown; or refused with a reason."""
    battlemap = found.battlemap
    for level in range(len(battlemap.levels)):
        for col in range(battlemap.cols):
            for row in range(battlemap.rows):
                place = Cell(col, row, level)
                shown = place in found.arrivals
                route = found.route(place)
                if not shown:
                    if battlemap.terrain(place).hazard and isinstance(route, Route):
                        continue  # a hazard is entered only where it is named, and here it is
                    assert isinstance(route, Refusal), place
                    assert found.why_not(place) is not None
                    continue
                assert isinstance(route, Route), (place, route.text)
                assert found.why_not(place) is None
                assert route.cost == found.cost(place)
                assert route.cost == sum((step.cost for step in route.steps), Fraction(0))
                assert route.cost == sum((line.price for line in route.lines), Fraction(0))
                assert route.turn == found.turn(place)
                assert route.remaining == found.remaining(place)
                after = carried_out(begun, route)
                assert after.can_stop() is None
                assert after.state.cell == place
                assert after.spent == route.spent


@few
@given(scenarios(**EVERYTHING), st.integers(1, 2))
def test_overlay_click_and_charge_agree(scenario: Scenario, turns: int) -> None:
    found = reach(scenario, turns)
    agree(found, Turn.begin(found.query))


@few
@given(scenarios(**{**EVERYTHING, "ruleset": "operator", "jumper": True, "glyphs": GROUND + "...gggrpc"}))
def test_overlay_click_and_charge_agree_with_jumps(scenario: Scenario) -> None:
    found = reach(scenario, 1)
    agree(found, Turn.begin(found.query))


@few
@given(scenarios(**{**EVERYTHING, "ruleset": "operator", "glyphs": GROUND + "....cd"}))
def test_overlay_click_and_charge_agree_with_a_dash(scenario: Scenario) -> None:
    found = reach(scenario, 1, gait="dash")
    begun = Turn.begin(found.query).act("dash")
    assert isinstance(begun, Turn)
    assume(found.gaits)
    agree(found, begun)


@few
@given(
    scenarios(**{**EVERYTHING, "glyphs": "..........~#", "sizes": (2, 3), "links": False, "fixed": {"squeeze": True}})
)
def test_overlay_click_and_charge_agree_for_large_bodies(scenario: Scenario) -> None:
    found = reach(scenario, 2)
    agree(found, Turn.begin(found.query))


@few
@given(gates(), st.integers(2, 4))
def test_overlay_click_and_charge_agree_before_double_doors(scenario: Scenario, turns: int) -> None:
    found = reach(scenario, turns)
    agree(found, Turn.begin(found.query))
