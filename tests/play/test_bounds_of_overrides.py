"""What the game master may set of a turn: within its bounds it is played on and kept, beyond them nothing changes."""

from __future__ import annotations

import json
from dataclasses import fields
from fractions import Fraction
from typing import Any

import pytest

from tactical import EndTurn, Move, Session, SetMover, load, to_json
from tactical.rules.turnstate import TurnState
from tests.play.boards import SYSTEMS, yard
from tests.play.test_changes import Game
from tests.play.test_overrides import MAP

VAST = 10**400
NO_FLAG: tuple[Any, ...] = (None, 0, 1, "x", "", [], {}, 1.5)
NO_COUNT: tuple[Any, ...] = (-1, VAST, "x", [], True, 1.5)
NO_LENGTH: tuple[Any, ...] = (-1, "-1/2", 10**30, "1e19", VAST, Fraction(10**30), "x", [], True)
NO_WORDS: tuple[Any, ...] = (None, 1, "x", [1], True)

OUT_OF_PLACE: dict[str, tuple[Any, ...]] = {
    "turn": NO_COUNT, "spent": (*NO_LENGTH, None), "left": NO_LENGTH, "diagonals": NO_COUNT, "run_up": NO_LENGTH,
    "doors": NO_COUNT, "dashes": (*NO_WORDS, ["dash"] * 41), "actions": (*NO_COUNT, 21, 10**6),
    "bonus_actions": (*NO_COUNT, 21, 10**6), "disengaged": NO_FLAG, "struck": NO_WORDS, "previous": (None, 1, [], {}),
    "memory": (None, 1, "x", []), "passed": NO_WORDS,
}  # fmt: skip
TO_THE_LIMIT: dict[str, Any] = {
    "turn": 10**6, "spent": 10**9, "left": 10**6, "diagonals": 10**9, "run_up": 10**9, "doors": 10**9,
    "dashes": ["dash"] * 40, "actions": 20, "bonus_actions": 20, "disengaged": True, "struck": ["orc", "x" * 5000],
    "memory": {"word": [10**30]}, "passed": ["climb"],
}  # fmt: skip


def test_every_field_of_a_turn_has_its_bounds() -> None:
    assert set(OUT_OF_PLACE) == {one.name for one in fields(TurnState)}
    assert set(TO_THE_LIMIT) == set(OUT_OF_PLACE) - {"previous"}


@pytest.mark.parametrize("name", OUT_OF_PLACE)
def test_a_value_out_of_place_is_an_error_that_names_it_and_changes_nothing(name: str) -> None:
    session = Session.new(yard("operator"), seed=1)
    before = session.position
    for value in OUT_OF_PLACE[name]:
        with pytest.raises((ValueError, TypeError), match=name):
            session.execute(SetMover("ada", turn={name: value}))
        assert session.position is before


@pytest.mark.parametrize("rules", SYSTEMS)
def test_a_turn_at_its_limits_is_played_on_and_kept(rules: str) -> None:
    for name, value in TO_THE_LIMIT.items():
        session = Session.new(yard(rules), seed=1)
        assert session.execute(SetMover("ada", turn={name: value}))
        assert Session.restore(json.loads(json.dumps(session.snapshot()))).position == session.position
        to_json(session.reach("ada"))
        for command in (Move("ada", "A2"), EndTurn("ada")):
            session.execute(command)
        assert session.reach("ada").cells()


@pytest.mark.parametrize("rules", SYSTEMS)
def test_who_has_spent_more_than_the_turn_buys_is_answered(rules: str) -> None:
    for spent in (2, "3/2", 50):
        session = Session.new(yard(rules), seed=1)
        assert session.execute(SetMover("ada", turn={"spent": spent}))
        to_json(session.reach("ada"))
        session.execute(Move("ada", "B1"))


@pytest.mark.parametrize("name", ["actions", "bonus_actions"])
def test_a_million_actions_are_too_many_over_the_wire(name: str) -> None:
    game = Game(MAP)
    command = {"do": "set-mover", "mover": "kit", "turn": {name: 1_000_000}}
    answer = game.answer(do="execute", session=game.session, seconds=2, command=command)
    assert answer["error"]["code"] == "value"
    assert f"{name} must be 0 to 20" in answer["error"]["text"]


@pytest.mark.parametrize("word", ["dice", "next_dice", "others", "stunt"])
@pytest.mark.parametrize("value", ["x", [1], VAST, 10**12])
def test_a_word_that_the_rules_could_not_read_later_is_refused_now(word: str, value: Any) -> None:
    session = Session.new(load("starport"))
    before = session.snapshot()
    with pytest.raises(ValueError, match=f"cannot read {word}"):
        session.execute(SetMover("rhen", turn={"memory": {word: value}}))
    assert session.snapshot() == before
    assert session.execute(SetMover("rhen", turn={"memory": {word: 1}}))
    assert session.reach("rhen").chances
