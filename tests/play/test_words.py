"""What events and refusals of play say, as sentences."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tactical
from tactical import Session
from tactical.play.commands import Act, CloseDoor, Command, Disengage, GivenRoll, GoOn, Move, OpenDoor, Roll, StopHere
from tactical.play.events import AttackAnswered, Rolled
from tests.play.boards import SYSTEMS
from tests.play.boards import yard as board
from tests.play.random_play import command_for

YARD = b"""\
schema: 1
grid: {type: square, cell: 2, unit: m}
rules: d6-reup
legend:
  "S": {level: E, number: 6}
  ".": {level: E, number: 8}
  "D": {level: D, number: 17}
rows: |
  S...DD...
  .........
barriers:
  - {id: hatch, kind: door, state: closed, cell: H1, side: east}
movers:
  - {id: rhen, at: A1, stats: {move: 10, code: 3D}}
"""


def said(session: Session, command: Command) -> list[str]:
    answer = session.execute(command)
    return [event.text for event in answer] if answer else [answer.text]


@pytest.fixture
def yard() -> Session:
    return Session.new(tactical.load(YARD, name="yard"), seed=3)


@pytest.fixture
def paused(yard: Session) -> Session:
    assert yard.execute(Move("rhen", yard.battlemap.cell_named("F1"), gait="cruising"))
    return yard


@pytest.mark.parametrize("command", [OpenDoor("hatch", "rhen"), CloseDoor("hatch", "rhen")])
def test_a_far_door_says_from_whom(yard: Session, command: Command) -> None:
    assert said(yard, command) == ["hatch is not beside rhen"]


def test_a_roll_given_is_marked_and_no_total_is_made_up(paused: Session) -> None:
    assert said(paused, GivenRoll("rhen", passed=False)) == [
        "how far running fell short decides what happens: give the total"
    ]
    seen = said(paused, GivenRoll("rhen", passed=True))
    assert seen[0] == "rhen rolls running (given): passed"
    assert seen[-1].endswith("no more this turn")


def test_what_a_slip_leaves_is_told_in_cells_too(paused: Session) -> None:
    # 5 m are half of 10 m; on cells of 2 m that is two of them
    text = said(paused, GivenRoll("rhen", 12))
    assert "rhen: slip, 5 m of 10 m made, 4 m in whole cells; -3D this round, -1D next round" in text
    assert text[-1].startswith("rhen ends its move at C1 after 4 m")


@settings(max_examples=3)
@given(numbers=st.lists(st.tuples(*[st.integers(0, 60)] * 4), min_size=12, max_size=30))
@pytest.mark.parametrize("rules", SYSTEMS)
def test_every_amount_that_is_told_has_its_unit(rules: str, numbers: list[tuple[int, ...]]) -> None:
    session = Session.new(board(rules), seed=1)
    for one in numbers:
        for event in session.execute(command_for(session, one)) or ():
            amounts = [getattr(event, name, None) for name in ("cost", "amount", "declared")]
            if any(amount is not None for amount in amounts) and event.code not in ("door.opened",):
                unit = session.position.query(event.mover).profile.unit  # type: ignore[union-attr]
                assert re.search(rf"\d {unit}", event.text), event.text


def test_a_total_given_stands_in_the_words(paused: Session) -> None:
    assert said(paused, GivenRoll("rhen", 18))[0] == "rhen rolls 18 (given): passed"


def test_no_total_below_what_dice_can_show_is_taken(paused: Session) -> None:
    assert said(paused, GivenRoll("rhen", -5)) == ["no 3D can show -5"]
    assert paused.position.pending is not None


@pytest.mark.parametrize(("code", "count", "added"), [("2d6+1", 2, 1), ("2D6", 2, 0), ("d20-3", 1, -3), ("3D+1", 3, 1)])
def test_dice_are_thrown_by_either_way_of_writing(yard: Session, code: str, count: int, added: int) -> None:
    answer = yard.execute(Roll("rhen", code))
    assert answer
    (event,) = answer
    assert isinstance(event, Rolled)
    assert len(event.dice) == count
    assert event.total == sum(event.dice) + added
    # the words add up: pips are told beside the faces
    faces = ", ".join([*map(str, event.dice), *([f"{added:+}"] if added else [])])
    assert event.text == f"rhen rolls {event.total} ({faces})"


def test_a_code_that_is_none_names_both_ways(yard: Session) -> None:
    assert said(yard, Roll("rhen", "x")) == ["'x' is not a dice code such as 3D+1 or 2d6+1"]


def test_answers_to_attacks_are_told_apart() -> None:
    assert AttackAnswered("raven", ("wolf",), False).text == "raven stops"
    assert AttackAnswered("raven", ("wolf",), True).text == "raven goes on"


def test_what_is_no_command_is_said_to_be_none(yard: Session) -> None:
    with pytest.raises(TypeError, match="not a command: 'hello'"):
        yard.execute("hello")  # type: ignore[arg-type]


def test_an_action_that_the_rules_do_not_count(yard: Session) -> None:
    assert said(yard, Disengage("rhen")) == [
        "the rules do not cover this: under D6 revised and expanded disengaging is kept track of at the table"
    ]


def test_an_action_counted_by_the_dice_it_costs(yard: Session) -> None:
    assert said(yard, Act("rhen", "shout")) == ["rhen takes an action: shout"]
    assert said(yard, Act("rhen")) == ["rhen takes an action: act at -1D"]


def test_nobody_goes_on_who_was_not_stopped(yard: Session) -> None:
    for answer in (GoOn("rhen"), StopHere("rhen")):
        assert said(yard, answer) == ["no move of rhen waits for an answer to an attack"]
