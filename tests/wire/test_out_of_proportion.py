"""Numbers past any sense, and names that are none or too long: each is an error that names the field."""

from __future__ import annotations

from typing import Any

import pytest

from tactical import RulesetError, Session, UnknownName
from tactical.options import number
from tactical.play import commands as do
from tests.play.boards import yard
from tests.play.test_changes import Game
from tests.play.test_overrides import MAP

HUGE = 10**400
COMMANDS: tuple[dict[str, Any], ...] = (
    {"do": "spend", "amount": HUGE}, {"do": "spend", "amount": -HUGE}, {"do": "move", "to": "B1", "cost": HUGE},
    {"do": "move", "to": "B1", "turns": HUGE}, {"do": "move", "to": "B1", "stunt": HUGE},
    {"do": "move", "to": "B1", "dcs": [HUGE]}, {"do": "given-roll", "total": HUGE},
    {"do": "given-roll", "passed": True, "number": HUGE}, {"do": "set-mover", "size": HUGE},
    {"do": "set-mover", "reach": HUGE}, {"do": "damage", "state": "lightly", "die": HUGE},
    {"do": "damage", "state": "lightly", "countdown": HUGE}, {"do": "place", "at": [HUGE, 0]},
    {"do": "push", "cells": [[0, HUGE]]},
)  # fmt: skip


@pytest.mark.parametrize(
    "command", COMMANDS, ids=lambda one: "-".join(map(str, list(one.values())[:1] + list(one)[1:]))
)
def test_a_number_past_any_sense_is_a_plain_error_or_a_refusal(command: dict[str, Any]) -> None:
    game = Game(MAP)
    before = game.desk.sessions[game.session].position
    answer = game.answer(do="execute", session=game.session, command={"mover": "kit", **command})
    assert game.desk.sessions[game.session].position == before
    if answer["ok"]:
        assert answer["result"]["kind"] == "refusal", answer
    else:
        assert answer["error"]["code"] in ("value", "request"), answer
        assert list(command)[-1] in answer["error"]["text"]


@pytest.mark.parametrize("rules", ["plain", "twelve-second"])
def test_no_more_is_spent_than_anybody_has(rules: str) -> None:
    session = Session.new(yard(rules), seed=1)
    with pytest.raises(ValueError, match="amount"):
        session.execute(do.Spend("ada", HUGE))
    assert not session.execute(do.Spend("ada", 10**20))


def test_a_request_may_ask_for_as_many_seconds_as_it_likes() -> None:
    game = Game(MAP)
    for seconds in (HUGE, 1e300, 10**18):
        assert game.answer(do="reach", session=game.session, mover="kit", seconds=seconds)["ok"]
    assert game.answer(do="reach", session=game.session, mover="kit", seconds=-HUGE)["error"]["code"] == "value"
    for name in ("turns", "seed"):
        asked = (
            {"do": "begin", "map": "m1"} if name == "seed" else {"do": "reach", "session": game.session, "mover": "kit"}
        )
        answer = game.answer(**asked, **{name: HUGE})
        assert answer["error"]["code"] == "value"
        assert name in answer["error"]["text"]


@pytest.mark.parametrize("command", [do.Move("", "B1"), do.Dash(""), do.Spend("", 5), do.EndTurn(""), do.Rest("")])
def test_an_empty_name_is_no_mover(command: do.Command) -> None:
    session = Session.new(yard("operator"), order=["ada", "orc"])
    with pytest.raises(UnknownName, match="unknown mover ''"):
        session.execute(command)


@pytest.mark.parametrize("order", [False, 0, {}, ""])
def test_an_order_is_a_list(order: object) -> None:
    answer = Game(MAP).answer(do="begin", map="m1", order=order)
    assert answer["error"]["code"] == "value"
    assert answer["error"]["text"].startswith("order: ")


def test_a_gait_left_open_is_told_so() -> None:
    session = Session.new(yard("operator"))
    assert session.execute(do.Gait("ada", "dash"))
    answer = session.execute(do.Gait("ada"))
    assert answer
    assert [event.text for event in answer.events] == ["ada leaves the gait open"]


def test_a_name_of_thousands_of_letters_is_cut() -> None:
    session, long = Session.new(yard("operator")), "x" * 5000
    for command in (
        do.Rest(long), do.OpenDoor(long), do.Gait("ada", long), do.Posture("ada", long),
        do.SetMover("ada", posture=long), do.SetMover("ada", gait=long), do.SetMover("ada", turn={long: 1}),
        do.Move("ada", "B1", gait=long), do.Move("ada", "B1", arrive=long),
    ):  # fmt: skip
        with pytest.raises(UnknownName) as raised:
            session.execute(command)
        assert len(str(raised.value)) < 600


def test_the_default_of_a_number_is_one() -> None:
    assert number("x", "3/2", "a factor").default == number("x", 1.5, "a factor").default
    assert str(number("x", "3/2", "a factor").default) == "3/2"
    for default in ("much", True, None):
        with pytest.raises(RulesetError, match="option x"):
            number("x", default, "a factor")
