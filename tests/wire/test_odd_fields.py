"""Whatever a command is made from: it is refused at once with the field's name, or it can be written and read back."""

from __future__ import annotations

import json
from dataclasses import MISSING, fields
from enum import Enum
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tactical import Cell, Mover, Refusal, Session, from_json, to_json
from tactical.play import commands
from tactical.play.commands import COMMANDS, Leg
from tests.play.boards import hall


class Strange(Enum):
    """A constant of the caller's own."""

    WORD = "word"


DEEP: list[Any] = []
for _ in range(2000):
    DEEP = [DEEP]

ODD: tuple[Any, ...] = (
    None, True, False, 0, 1, -3, 10**9, 10**400, 2**20000, 1.5, float("nan"), float("inf"), Fraction(10, 3),
    Fraction(1, 10**80), "", "word", "2", "a\nb", "\ud800", "\u202e", "C4", "upper/C4", "10/3", b"bytes",
    np.int64(3), np.int8(-1), np.float64(2.5), np.float32(0.5), np.bool_(True), np.str_("N9"), np.array([1, 2]),
    (), [], ["C4"], ["a", "b"], ["a\nb"], [1], [(1, 2)], {Cell(1, 2)}, (Cell(1, 2, 1),), frozenset(["a"]),
    (1, 2), (np.int64(1), np.int64(2)), Cell(1, 2), {}, {"speed": np.int64(40)}, {"a": [np.bool_(False)]}, {1: 2},
    {"a": {"$tuple": 3}}, {"a": {3: (Fraction(1, 2), {"x"})}}, {"a": DEEP}, {"a": "b\x00"}, {"a": object()},
    {"a": 2**20000}, {"a": Strange.WORD}, {"a": Cell(0, 0)}, {"a\n": 1}, (Leg("C4"),), [Leg("upper/C4", "jump")],
    object(), Strange.WORD, ("a" for _ in range(2)), lambda: 0, iter([Cell(0, 1)]),
)  # fmt: skip

PLAIN: dict[str, Any] = {
    "mover": "ada", "to": "C4", "posture": "prone", "door": "gate", "amount": 5, "at": "C4", "cells": ["C4"],
    "state": "lightly", "cell": "C4",
}  # fmt: skip
WHOLE = {"given-roll": {"total": 3}}


def made(kind: Any, **odd: Any) -> Any:
    """A command with some fields as they are asked for, and plain values for those that must be there."""
    needed = {one.name: PLAIN[one.name] for one in fields(kind) if one.default is MISSING and one.name in PLAIN}
    return kind(**{**needed, **({} if odd else WHOLE.get(kind.kind, {})), **odd})


@pytest.mark.parametrize("kind", [*COMMANDS, Leg], ids=lambda kind: kind.__name__)
def test_a_field_is_refused_by_name_or_comes_back_as_it_was(kind: Any) -> None:
    taken = 0
    for one in fields(kind):
        for value in ODD:
            try:
                command = made(kind, **{one.name: value})
            except (TypeError, ValueError) as error:
                words = str(error)
                assert one.name in words or "one of the two" in words or "at least one cell" in words, words
                continue
            taken += 1
            told = command if kind is not Leg else commands.Move("ada", "C4", legs=(command,))
            written = json.dumps(to_json(told))
            again = from_json(json.loads(written))
            assert again == told, (one.name, value)
            assert json.dumps(to_json(again)) == written
    assert taken > len(fields(kind))


def test_none_means_the_default_where_there_is_another() -> None:
    for kind in COMMANDS:
        for one in fields(kind):
            if one.default is not MISSING and one.default is not None:
                assert getattr(made(kind, **{one.name: None, **WHOLE.get(kind.kind, {})}), one.name) == one.default


GAME = (
    lambda: commands.Act("ada", what="shouts"),
    lambda: commands.Spend("ada", np.int64(5), note=np.str_("mud")),
    lambda: commands.Reveal("ada", doors=(one for one in ["gate"])),
    lambda: commands.SetMover("ada", stats={"speed": np.int64(40)}, turn={"spent": np.int64(5)}),
    lambda: commands.Move("ada", "C4", arrive=None, gait=None),
    lambda: commands.OpenDoor("gate", None),
    lambda: commands.CloseDoor("gate", None),
    lambda: commands.Place("bo", (np.int64(0), np.int64(2)), posture=None),
    lambda: commands.Gait("ada", None),
    lambda: commands.Roll(dice="2d6", note=None),
)


def test_a_kept_game_of_odd_commands_loads(tmp_path: Path) -> None:
    session = Session.new(hall(), seed=np.int64(5), options={"door_cost": np.int64(5)})
    kept = session.keep(tmp_path / "game.jsonl")
    done = 0
    for make in GAME:
        answer = session.execute(make())
        done += not isinstance(answer, Refusal)
    kept()
    assert done >= 8
    assert kept.error is None
    again = Session.load(tmp_path / "game.jsonl", check=True)
    assert again.log == session.log
    assert to_json(again.position) == to_json(session.position)
    assert to_json(Session.restore(session.snapshot()).position) == to_json(session.position)


@pytest.mark.parametrize("seed", [None, "abc", "7", 1.5, True, 2**70])
def test_a_seed_is_a_whole_number(seed: Any) -> None:
    with pytest.raises((TypeError, ValueError), match="seed"):
        Session.new(hall(), seed=seed)


def test_what_a_game_begins_with_can_be_written_down(tmp_path: Path) -> None:
    board = hall()
    for given, words in (
        ({"options": 5}, "options"), ({"options": {"door_cost": object()}}, "options"), ({"known": ["ada"]}, "known"),
        ({"known": {"ada": "A1"}}, "known: ada"), ({"known": {"ada": 5}}, "known: ada"), ({"rules": 5}, "rules"),
        ({"order": "ada"}, "order"),
    ):  # fmt: skip
        with pytest.raises((TypeError, ValueError), match=words):
            Session.new(board, **given)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="ada: stats"):
        Mover("ada", stats={"speed": object()})
    numbers = Mover("ada", "operator", {"speed": np.int64(30), "strength": np.float64(14)}, (np.int64(1), 1))
    session = Session.new(board.with_(movers=[numbers]), options={"passing": {"enemy": np.int64(2)}})
    session.save(tmp_path / "game.jsonl")
    assert Session.load(tmp_path / "game.jsonl").position.mover("ada").stats == {"speed": 30, "strength": 14}
