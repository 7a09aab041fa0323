"""The JSON of a reach tells of each cell what its route tells, chances too, without a route for each."""

from __future__ import annotations

import random
from collections import Counter
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tactical
from tactical import Battlemap, Cell, Mover, Route, TurnState
from tactical.movement import ledger
from tactical.movement.declare import declare_route
from tactical.movement.planning import met, planner
from tactical.movement.rolls.odds import there
from tactical.movement.turns import ends
from tactical.units import wire
from tactical.wire.views import Reached, weighed_cell
from tests.oracle.engine import reach
from tests.oracle.worlds import GROUND, STATS, scenarios

SYSTEMS = ("plain", "operator", "d6-reup", "d6-revised", "shapers", "twelve-second")
OPTIONS = ("diagonal", "corner", "grid_rounding", "parity_reset")


@pytest.mark.parametrize("rules", SYSTEMS)
@settings(max_examples=8)
@given(data=st.data())
def test_every_cell_tells_what_its_route_tells(rules: str, data: st.DataObject) -> None:
    bodies = rules in ("plain", "operator", "d6-revised")
    drawn = scenarios(
        ruleset=rules, stats=STATS.get(rules), glyphs=GROUND + "~cdn", bodies=bodies, most=5, options=OPTIONS
    )
    found = reach(data.draw(drawn), data.draw(st.integers(1, 3)))
    for one in Reached.of(found).reached:
        route = found.route(one.cell)
        assert isinstance(route, Route), one
        assert one.provokes == tuple(attack.enemy for attack in route.provokes), one
        assert one.checks == route.checks, one
        assert (one.turn, one.band, one.posture) == (route.turn, route.band, route.end.posture)
        assert wire(one.cost) == wire(route.cost)
        last = route.rounds[-1]
        # what a first turn had used before the move counts too
        used = last.spent + (found.query.turn.spent if route.turn == 1 else 0)
        assert one.remaining == found.remaining(one.cell) == route.remaining == last.budget - used, one
        move = declare_route(found.query, route)
        own = there(move) if move else None
        assert weighed_cell(found, one)["own_chance"] == (wire(own) if isinstance(own, Fraction) else None), one


def test_a_way_on_which_nothing_is_rolled_for_is_not_made_to_tell_its_chance(monkeypatch: pytest.MonkeyPatch) -> None:
    found = tactical.reach(Battlemap.from_rows(["....."] * 3), Mover("m", "operator", {"speed": 30}, Cell(0, 0)))
    rows = Reached.of(found).reached
    monkeypatch.setattr(tactical.Reach, "route", None)
    assert [weighed_cell(found, row)["own_chance"] for row in rows] == [1] * 14


@pytest.mark.parametrize("rules", ["plain", "operator"])
def test_a_first_turn_that_is_stood_through_has_its_chance(rules: str) -> None:
    ground = Battlemap.from_rows([".cc"], {"c": {"climb": True}})
    mover = Mover("m", rules, {"speed": 10}, Cell(0, 0))
    # what is left does not pay for a step of a climb, so the way begins next turn
    found = tactical.reach(ground, mover, turns=2, gait="move", turn=TurnState(spent=Fraction(5)))
    (row,) = Reached.of(found).reached
    route = found.route(row.cell)
    assert isinstance(route, Route)
    assert (row.turn, [step.turn for step in route.steps]) == (2, [2])
    assert weighed_cell(found, row)["own_chance"] == 1


def rough(side: int = 40) -> Battlemap:
    """Random rock and difficult ground, guards among it."""
    dice = random.Random(3)
    rows = ["".join(dice.choice("....,,##") for _ in range(side)) for _ in range(side)]
    half = side // 2
    clear = [(half, half), (half + 3, half), (half - 4, half + 5)]
    for col, row in clear:
        rows[row] = rows[row][:col] + "." + rows[row][col + 1 :]
    legend: dict[str, dict[str, object]] = {"#": {"impassable": True}, ",": {"difficult": True}}
    movers = [Mover(f"m{n}", "operator", {"speed": 30}, Cell(*at), "ab"[n > 0]) for n, at in enumerate(clear)]
    return Battlemap.from_rows(rows, legend, movers=movers)


def test_a_cell_of_a_later_turn_costs_no_route_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = Counter[str]()

    def counting(owner: Any, name: str) -> None:
        whole = getattr(owner, name)

        def counted(*args: Any, **more: Any) -> Any:
            calls[name] += 1
            return whole(*args, **more)

        monkeypatch.setattr(owner, name, counted)

    counting(planner, "assemble")
    counting(ledger, "ledger")
    counting(met, "explain")
    counting(ends.Ends, "__getitem__")
    found = tactical.reach(rough(), "m0", turns=6)
    told = tactical.to_json(found)
    assert {row["band"] for row in told["cells"]} >= {"move", "dash", "turn-2", "turn-3", "turn-4"}
    assert not calls["assemble"]
    assert not calls["ledger"]
    # nor is a cell looked up in all turns
    assert not calls["__getitem__"]
    # a step is looked at once, however many ways lead over it
    assert 0 < calls["explain"] <= found.stats[0]


def test_what_a_later_turn_has_left_is_that_of_the_gait_it_is_made_in() -> None:
    found = tactical.reach(tactical.load("village"), "raven", turns=2)
    told = {one.cell: one.remaining for one in Reached.of(found).reached if one.turn == 2}
    walked = 0
    for cell, left in told.items():
        last = found.route(cell).rounds[-1]
        assert left == found.remaining(cell) == last.budget - last.spent, cell
        walked += last.gait == "move"
    assert walked > 100, "a move is enough for many, of whom a dash would leave more"
