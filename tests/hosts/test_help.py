"""`help` tells every field that a request reads and no other, and what it tells is what is accepted."""

from __future__ import annotations

import inspect
import json
from typing import Any

import pytest

import tactical
from tactical.cli import main
from tactical.hosts import fields
from tactical.hosts.desk import Desk

from .test_stdio import ask, error, result

HELP: dict[str, dict[str, Any]] = result(Desk(), do="help")
COMMANDS: dict[str, dict[str, Any]] = result(Desk(), do="help", about="commands")
NEVER: dict[str, list[Any]] = {
    "text": [5, True, [], {}, None],
    "true or false": [1, "yes", None],
    "whole number": ["x", 1.5, True, [], 2**70],
    "number": ["x", 1.5, True, "1/0", [], "9" * 5000],
    "decimal": ["x", True, 0, -1, [], float("-inf")],
    "object": [5, "x", [1]],
    "list": [5, "x", {}],
    "list of cells": [5, "x", {}, [5], [[1]], [None], [[1, 2, 3, 4]]],
    "cell": [5, True, {}, [1], ["a", "b"], [1, 2, 3, 4], [True, 1], 1.5],
    "id": [True, [], {}, 1.5],
    "handle": [5, True, [], {}, "m99"],
}
"""Values that a type can never hold."""

VALUES: dict[str, object] = {
    "map": "m1", "session": "s2", "mover": "raven", "to": "N9", "command": {"do": "dash", "mover": "raven"},
    "snapshot": {}, "of": 1,
}  # fmt: skip


def needed(request: str, but: str) -> dict[str, Any]:
    """What a request must have, but for one field; and a map or a game where it wants either."""
    takes = HELP[request]["fields"]
    found = {name: VALUES[name] for name, one in takes.items() if one["needed"] and name != but}
    if "session" in takes and "map" in takes and but not in ("map", "session") and request != "close":
        found["map"] = "m1"
    return found


@pytest.fixture
def desk() -> Desk:
    found = Desk()
    result(found, do="load", map="village")
    result(found, do="begin", map="m1", seed=1)
    return found


def test_each_field_has_a_type_a_sentence_and_a_default_or_is_needed() -> None:
    for told in (HELP, COMMANDS):
        for name, one in told.items():
            assert one["does"], name
            assert one["takes"] == list(one["fields"])
            for field, about in one["fields"].items():
                assert about["type"], (name, field)
                assert about["does"], (name, field)
                if told is HELP:
                    assert about["type"] in fields.TYPES
                    assert about["needed"] is not ("default" in about) or field == "seconds", (name, field)


def test_help_tells_what_is_read_and_no_more() -> None:
    desk = Desk()
    used = set()
    for name, one in HELP.items():
        handler = getattr(desk, f"do_{name.replace('-', '_')}")
        reads = [*inspect.signature(handler).parameters, *fields.ALWAYS]
        assert one["takes"] == reads
        used |= {f"{name}.{field}" if f"{name}.{field}" in fields.FIELDS else field for field in reads}
    assert set(fields.FIELDS) == used | {"id", "do"}, "a field that no request reads"
    told = {field for one in COMMANDS.values() for field in one["takes"]}
    theirs = {name.rpartition(".")[2] for name in fields.IN_COMMANDS}
    assert theirs <= told, "a field that no command has"


@pytest.mark.parametrize("request_", HELP)
def test_no_field_takes_what_its_type_is_not(desk: Desk, request_: str) -> None:
    for field, about in HELP[request_]["fields"].items():
        never = [value for value in NEVER[about["type"]] if value is not None or "default" not in about]
        for value in [*never, *(["nonsense"] if "words" in about else [])]:
            told = error(desk, do=request_, **{**needed(request_, field), field: value})
            assert told["code"] in ("value", "name", "request"), (field, value, told)
            assert "Error" not in told["text"], (field, value, told)


def test_bounds_are_told_and_hold(desk: Desk) -> None:
    for name, one in HELP.items():
        for field, about in one["fields"].items():
            if "least" not in about:
                continue
            for wrong in (about["least"] - 1, about["most"] + 1):
                told = error(desk, do=name, **{**needed(name, field), field: wrong})
                assert told["text"].startswith(f"{field}: expected a whole number from {about['least']}"), told
            for right in (about["least"], about["most"]):
                answer = ask(desk, do=name, **{**needed(name, field), field: right}, seconds=0.2)
                assert answer["ok"] or not answer["error"]["text"].startswith(field), answer


def test_a_field_that_is_none_is_named_with_the_one_that_is_meant(desk: Desk) -> None:
    for name, one in HELP.items():
        for field in one["takes"]:
            given = {**needed(name, ""), f"{field}x": 1}
            told = error(desk, do=name, **given)
            assert told["code"] == "request"
            assert f"{name} takes no '{field}x'" in told["text"]
            assert "did you mean" in told["text"] or "(known: " in told["text"], told
    assert "did you mean 'seconds'?" in error(desk, do="help", second=1)["text"]


def test_help_about_one_thing() -> None:
    desk = Desk()
    assert result(desk, do="help", about="reach") == {"reach": HELP["reach"]}
    assert result(desk, do="help", about="move") == {"move": HELP["move"], "execute move": COMMANDS["move"]}
    assert result(desk, do="help", about="posture") == {"execute posture": COMMANDS["posture"]}
    assert error(desk, do="help", about="raech")["text"].startswith("unknown request or command 'raech', did you mean")
    assert COMMANDS["spend"]["fields"]["amount"]["type"] == "number"
    assert COMMANDS["place"]["fields"]["at"] == {"type": "cell", "does": "where it is set down", "needed": True}
    assert set(COMMANDS) == {kind.kind for kind in tactical.play.commands.COMMANDS}  # type: ignore[attr-defined]


def test_what_was_called_otherwise_before_is_read(desk: Desk) -> None:
    drawn = result(desk, do="draw", map="m1", mover="raven", pixels=20)
    assert result(desk, do="draw", map="m1", mover="raven", cell=20) == drawn
    assert error(desk, do="draw", map="m1", mover="raven", cell=20, pixels=20)["code"] == "request"


def test_the_command_line_prints_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["serve", "--requests", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["kind"], told["requests"], told["commands"]) == ("requests", HELP, COMMANDS)
    assert main(["serve", "--requests"]) == 0
    words = capsys.readouterr().out
    for said in ("\nrisks: ", "  turns: whole number from 1 to 1000, 1 where it is left out; turns to look ahead\n",
                 "  cells: pairs or names, ", "\nset-mover: ", "  mover: text, needed; "):  # fmt: skip
        assert said in words
    assert main(["serve", "--json"]) == 2
