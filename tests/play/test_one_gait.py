"""Reach shows what a game charges where prices hang on what is left, and where a round is of one gait."""

from __future__ import annotations

from fractions import Fraction

import pytest

import tactical
from tactical import Accepted, Refusal
from tactical.play import commands as do
from tactical.play.events import ActionTaken, Ended
from tactical.play.session import Session

ROW = """\
schema: 1
grid: {type: square, cell: 5, unit: ft}
rules: operator
options: {grid_rounding: ROUNDING}
legend: {m: {difficult: true}}
rows: |
  ..m....m...m.....
movers: [{id: a, at: A1}]
"""


@pytest.mark.parametrize("rounding", ["enter_if_any_left", "first_cell", "cover_full_cost"])
@pytest.mark.parametrize("spent", [0, 27, 29, 30])
def test_a_cell_costs_in_a_game_what_reach_shows(rounding: str, spent: int) -> None:
    battlemap = tactical.load(ROW.replace("ROUNDING", rounding).encode())
    session = Session.new(battlemap)
    session.execute(do.Spend("a", Fraction(spent), "before"))
    shown = session.reach("a")
    for cell in sorted(shown.cells()):
        band = shown.band(cell)
        assert band is not None
        done = session.execute(do.Move("a", cell))
        assert isinstance(done, Accepted), (cell, done)
        assert done.of(Ended)[-1].cost == shown.cost(cell), cell
        assert bool(done.of(ActionTaken)) == (band.action == "action"), cell
        session.undo()


POOL = """\
schema: 1
grid: {type: square, cell: 1, unit: m}
rules: shapers
options: {mode_mixing: MIXING}
legend: {W: {water: deep}}
rows: |
  W...................
movers: [{id: a, at: AT, stats: {pa: 4, ps: 4, pf: 4, swimming: 1}}]
"""


def game(mixing: str, at: str) -> Session:
    return Session.new(tactical.load(POOL.replace("MIXING", mixing).replace("AT", at).encode()))


def test_a_round_of_one_gait_goes_on_in_it() -> None:
    session = game("single", "B1")
    assert session.execute(do.Move("a", "C1", gait="walk"))
    other = session.execute(do.Move("a", "K1", gait="sprint"))
    assert isinstance(other, Refusal)
    assert "a walk already" in other.text
    assert session.reach("a").cells() == {(3, 0, 0), (1, 0, 0)}
    assert session.execute(do.Move("a", "D1", gait="walk"))
    session.execute(do.EndTurn("a"))
    assert session.execute(do.Move("a", "K1", gait="sprint")), "a new round, a new gait"


def test_a_shared_round_is_of_several_gaits() -> None:
    session = game("time_share", "B1")
    assert session.execute(do.Move("a", "C1", gait="walk"))
    assert session.execute(do.Move("a", "F1", gait="sprint"))


def test_whoever_can_swim_walks_out_of_the_water() -> None:
    session = game("single", "A1")
    assert session.reach("a", gait="walk").cost("B1") == Fraction(1, 2)
    assert session.execute(do.Move("a", "B1", gait="walk"))


def test_a_plan_swims_in_one_round_and_walks_on_in_the_next() -> None:
    text = POOL.replace("MIXING", "single").replace("AT", "A1").replace("W......", "WW.....")
    way = tactical.reach(tactical.load(text.encode()), "a", turns=2).route("C1")
    assert way
    swum, walked = (one.gait for one in way.rounds)
    assert swum == "swim"
    assert walked != "swim"
