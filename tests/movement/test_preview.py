"""What a map shows, what a click does and what is charged are the same, for every cell; and undo undoes."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from hypothesis import assume, given
from hypothesis import strategies as st

from tactical import Cell, Reach, Refusal, Route, Step
from tactical.play.turn import Turn
from tests.oracle.engine import question, reach
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


def carried_out(turn: Turn, route: Route) -> Turn:
    """The turn after a route, every step accepted at the price it showed; turns end where the route ends them."""
    for step in route.steps:
        while turn.acts.turn < step.turn:
            ended = turn.end()
            assert isinstance(ended, Turn), ended.text
            turn = ended
        after = order(turn, step)
        assert isinstance(after, Turn), f"{step.way} to {step.end}: {after.text}"
        assert after.entries[-1].cost == step.cost
        assert after.spent == step.spent
        assert after.state.cell == step.end.cell
        assert after.state.posture == step.end.posture
        assert after.entries[-1].attacks == step.provokes
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
@given(scenarios(**{**EVERYTHING, "ruleset": "operator"}), st.data())
def test_undo_gives_back_the_turn_before(scenario: Scenario, data: st.DataObject) -> None:
    query = question(scenario)
    history = [Turn.begin(query)]
    ways = ("stand", "crouched", "prone", "dash", "disengage", "push", "adjust", *["step"] * 6)
    for _ in range(8):
        turn = history[-1]
        way = data.draw(st.sampled_from(ways))
        col, row, level = turn.state.cell
        near = Cell(col + data.draw(st.integers(-1, 1)), row + data.draw(st.integers(-1, 1)), level)
        after: Turn | Refusal
        if way in ("dash", "disengage"):
            after = turn.act(way)
        elif way == "push":
            after = turn.push(near)
        elif way == "adjust":
            after = turn.adjust(5)
        elif way == "step":
            after = turn.take(near)
        else:
            after = turn.posture("standing" if way == "stand" else way)
        if isinstance(after, Turn) and after is not turn:
            history.append(after)
    turn = history[-1]
    for before in reversed(history[:-1]):
        undone = turn.undo()
        assert undone == before
        assert isinstance(undone, Turn)
        assert (undone.state, undone.spent, undone.remaining, undone.opened) == (
            before.state,
            before.spent,
            before.remaining,
            before.opened,
        )
        turn = undone
    assert isinstance(turn.undo(), Refusal)
    if len(history) > 1:
        assert history[-1].reset() == history[0]


@few
@given(gates(), st.integers(2, 4))
def test_overlay_click_and_charge_agree_before_double_doors(scenario: Scenario, turns: int) -> None:
    found = reach(scenario, turns)
    agree(found, Turn.begin(found.query))
