"""Every value goes into JSON and comes back equal; what is wrong is refused with its path."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import fields, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import tactical
from tactical import Battlemap, Cell, Mover, Refusal
from tactical.assets import maps
from tactical.movement.route import State
from tactical.play import commands as do
from tactical.play.events import FellShort
from tactical.play.session import Session
from tactical.rules.turnstate import TurnState
from tactical.wire.reading import decode, from_json
from tactical.wire.shapes import KINDS
from tactical.wire.views import Reached
from tactical.wire.writing import dumps, encode, to_json
from tests.play.boards import hall

SAMPLES = sorted(str(path) for path in Path(maps("village")).parent.rglob("*.yaml"))


def again(value: Any) -> Any:
    """A value through JSON text and back, in the same bytes the second time."""
    text = dumps(to_json(value))
    back = from_json(json.loads(text))
    assert dumps(to_json(back)) == text
    return back


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: Path(path).stem)
def test_maps_round_trip(path: str) -> None:
    battlemap = tactical.load(path)
    back = again(battlemap)
    assert back == battlemap
    assert back.glyphs == dict(battlemap.glyphs)


def test_a_maps_scale_round_trips() -> None:
    battlemap = Battlemap.from_segments([(10, 10, 60, 10)], cell_px=50, origin=(10, 10.5), size=(4, 4))
    back = again(battlemap)
    assert (back.pixels, back.origin) == (50, (10, 10.5))
    assert back.barriers == battlemap.barriers


def test_what_people_put_into_free_fields_round_trips() -> None:
    stats = {"speed": Fraction(5, 2), "kinds": ("a", "b"), "$odd": {"x": [1, {"y": None}]}, "n": Fraction(4)}
    mover = Mover("a", "plain", stats, Cell(1, 2, 1), knows=frozenset({"b", "a"}))
    assert again(mover) == mover
    memory = {"effort": {"run": 3}, "went": ("run",), "cells": frozenset({Cell(1, 2)})}
    turn = TurnState(3, Fraction(10, 3), memory=memory)
    assert again(turn) == turn
    refusal = Refusal("move.budget", {"cell": Cell(1, 2), "exact": Fraction(1, 3), "who": ["a"]})
    assert again(refusal) == refusal
    assert again(refusal).text == refusal.text


def test_reaches_and_routes_round_trip() -> None:
    village = tactical.load(maps("village"))
    reach = tactical.reach(village, "raven", turns=2)
    back = again(reach)
    assert back == Reached.of(reach)
    for cell in [*reach.cells(), Cell(0, 0), reach.start.cell]:
        assert back.band(cell) == reach.band(cell)
        if cell != reach.start.cell:
            assert back.cost(cell) == reach.cost(cell)
    for cell in sorted(reach.cells())[::40]:
        route = reach.route(cell)
        assert again(route) == route
    assert back.cells("dash") == reach.cells("dash")
    assert back.cells() == reach.cells()


COMMANDS = [
    do.Move("a", Cell(1, 2), (Cell(0, 1),), "prone", "dash", (do.Leg(Cell(1, 2), "jump", "standing"),)),
    do.Posture("a", "prone"), do.Dash("a", True), do.Disengage("a"), do.Act("a", "shoot"), do.OpenDoor("gate"),
    do.CloseDoor("gate", "a"), do.Spend("a", Fraction(-5, 2), "help"), do.Gait("a", "run"), do.Roll("a", "2D+1", "x"),
    do.GivenRoll("a", 7), do.GivenRoll("a", passed=False), do.GoOn("a"), do.StopHere("a"), do.EndTurn("a"),
    do.Place("a", Cell(1, 1), "prone"), do.Push("a", (Cell(1, 1),)), do.Reveal("a", (Cell(1, 1),), ("gate",), ("b",)),
    do.Rest("a"), do.SetMover("a", {"speed": 20, "name": None}, "foes", 2, 1, True, frozenset({"gate"}), "Ann"),
    do.Damage("a", "severely", 3, 4),
]  # fmt: skip


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.kind)
def test_commands_round_trip(command: do.Command) -> None:
    assert again(command) == command


def test_all_commands_are_tried() -> None:
    assert {type(command) for command in COMMANDS} == set(do.COMMANDS)


def test_positions_and_answers_round_trip() -> None:
    session = Session.new(hall(), order=["ada", "bo"], seed=9, known={"heroes": [(0, 0), (1, 1), (1, 2), (1, 3)]})
    assert again(session.position) == session.position
    answer = session.execute(do.Move("ada", Cell(1, 3)))
    assert again(answer) == answer
    for event in answer:  # type: ignore[union-attr]
        assert again(event) == event
    assert again(session.position) == session.position
    paused = Session.new(hall())
    paused.execute(do.Place("ada", Cell(3, 1)))
    paused.execute(do.Move("ada", Cell(3, 3)))
    assert paused.position.pending is not None
    assert again(paused.position) == paused.position


BAD: list[tuple[Any, str]] = [
    ([], "expected an object"),
    ({"kind": "map"}, "schema: expected 1, found null"),
    ({"schema": 2, "kind": "map"}, "schema: expected 1, found 2"),
    ({"schema": 1, "kind": "mat"}, "did you mean 'map'"),
    ({"schema": 1, "kind": "mover"}, "missing id"),
    ({"schema": 1, "kind": "mover", "id": 3}, "id: expected a text, found 3"),
    ({"schema": 1, "kind": "mover", "id": "a", "sise": 2}, "unknown key 'sise', did you mean 'size'"),
    ({"schema": 1, "kind": "mover", "id": "a", "size": True}, "size: expected a whole number"),
    ({"schema": 1, "kind": "mover", "id": "a", "at": [1]}, "at: expected a cell"),
    ({"schema": 1, "kind": "mover", "id": "a", "posture": "upside"}, "posture 'upside' is not one of"),
    ({"schema": 1, "kind": "command", "do": "fly"}, "do: 'fly' is not known"),
    ({"schema": 1, "kind": "command", "do": "move", "mover": "a", "to": 4}, "to: expected a cell"),
    ({"schema": 1, "kind": "command", "do": "spend", "mover": "a", "amount": "1/0"}, "amount: '1/0' is not a number"),
    ({"schema": 1, "kind": "command", "do": "spend", "mover": "a", "amount": 1.5}, "amount: expected a whole number"),
    ({"schema": 1, "kind": "event", "code": "move.steped"}, "did you mean 'move.stepped'"),
    ({"schema": 1, "kind": "map", "levels": [], "palette": []}, "at least one level"),
    ({"schema": 1, "kind": "map", "levels": [{"name": "g", "ground": [[0], [0, 0]]}], "palette": [{}]}, "equally long"),
    ({"schema": 1, "kind": "map", "levels": [{"name": "g", "ground": [[7]]}], "palette": [{}]}, "no terrain number 7"),
    ({"schema": 1, "kind": "map", "levels": [{"name": "g", "ground": [["x"]]}], "palette": [{}]}, "ground[0][0]"),
]


@pytest.mark.parametrize(("data", "words"), BAD, ids=[str(n) for n in range(len(BAD))])
def test_what_is_wrong_is_named_with_its_path(data: Any, words: str) -> None:
    with pytest.raises(ValueError, match=r"\w") as caught:
        from_json(data)
    assert words in str(caught.value)


def test_what_has_no_json_form_is_said() -> None:
    with pytest.raises(TypeError, match="no JSON form"):
        to_json(object())
    with pytest.raises(TypeError, match="a: stats must hold texts, numbers"):
        Mover("a", stats={"x": object()})


def test_every_kind_is_written_under_its_word() -> None:
    assert to_json(Battlemap.from_rows(["."]))["kind"] == "map"
    assert set(KINDS) >= {"map", "mover", "reach", "route", "turn", "event", "command", "position"}


def other_than(value: Any) -> Any:
    """A value of the same kind that is not the default."""
    others = {bool: not value, int: 3, Fraction: Fraction(7, 2), str: "prone", frozenset: frozenset({"foe"})}
    if isinstance(value, (tuple, frozenset, Mapping)):
        return {tuple: (2, 1), frozenset: frozenset({"foe"})}.get(type(value), {"word": 3})
    return others.get(type(value), 3)


def test_no_field_of_a_state_or_of_a_turn_is_lost_on_the_way() -> None:
    plain = State(Cell(1, 1), "standing")
    for name, default in State._field_defaults.items():
        value = frozenset({2}) if name == "opened" and isinstance(default, frozenset) else other_than(default)
        kept = plain._replace(**{name: value})
        assert decode(State, json.loads(dumps(encode(kept))), name) == kept != plain, name
    for field in fields(TurnState):
        value = other_than(getattr(TurnState(), field.name))
        turn = replace(TurnState(), **{field.name: ("action",) if field.name == "dashes" else value})
        assert decode(TurnState, json.loads(dumps(encode(turn))), field.name) == turn != TurnState(), field.name


def test_a_command_is_read_as_the_help_of_a_server_shows_it() -> None:
    move = do.Move("kara", Cell(3, 2))
    asked = {"do": "move", "mover": "kara", "to": [3, 2]}
    assert from_json(asked) == from_json({"kind": "command", **asked}) == from_json({"schema": 1, **asked}) == move
    with pytest.raises(ValueError, match="schema: expected 1, found 2"):
        from_json({"schema": 2, **asked})


@pytest.mark.parametrize("name", sorted(one.kind for one in do.COMMANDS))
def test_the_name_of_a_command_is_no_kind(name: str) -> None:
    with pytest.raises(ValueError, match=f"kind: '{name}' is a command: write kind 'command' and do '{name}'"):
        from_json({"schema": 1, "kind": name, "mover": "kara"})


def test_a_way_that_the_referee_ends_has_words_without_gaps() -> None:
    assert "?" not in FellShort("kara", "fell_short", Fraction(4), None, _unit="m").text
