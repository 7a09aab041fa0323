"""The interface of a rule system: a turn is checked where it is made, stats are read by their types."""

from __future__ import annotations

import ast
import copy
import inspect
import pickle
from collections.abc import Callable
from dataclasses import dataclass, fields
from fractions import Fraction
from typing import Any

import pytest

from tactical.errors import RulesetError
from tactical.registry import RULESETS
from tactical.rules.ruleset import Ruleset, get_ruleset, read_stats
from tactical.rules.turnstate import TurnState


def test_a_turn_s_numbers_become_exact() -> None:
    turn = TurnState(spent=7.5, left="10/3", run_up=2, dashes=["action"], struck={"wolf"})
    assert (turn.spent, turn.left, turn.run_up) == (Fraction(15, 2), Fraction(10, 3), Fraction(2))
    assert type(turn.run_up) is Fraction
    assert (turn.dashes, turn.struck) == (("action",), frozenset({"wolf"}))
    assert TurnState().left is None


@pytest.mark.parametrize(
    ("make", "kind", "words"),
    [
        (lambda: TurnState(spent=float("nan")), ValueError, "spent: nan is not a number"),
        (lambda: TurnState(spent=None), ValueError, "spent"),  # type: ignore[arg-type]
        (lambda: TurnState(left=float("inf")), ValueError, "left: inf is not a number"),
        (lambda: TurnState(run_up="far"), ValueError, "run_up: 'far' is not a number"),
        (lambda: TurnState(turn=-1), ValueError, "turn must be 0 to"),
        (lambda: TurnState(doors=1.5), TypeError, "doors must be a whole number"),  # type: ignore[arg-type]
        (lambda: TurnState(actions=True), TypeError, "actions must be a whole number"),
        (lambda: TurnState(diagonals=None), TypeError, "diagonals"),  # type: ignore[arg-type]
        (lambda: TurnState(dashes="action"), TypeError, "dashes must be several texts"),
        (lambda: TurnState(memory=[1]), TypeError, "memory must be a mapping"),  # type: ignore[arg-type]
    ],
)
def test_a_turn_out_of_place_is_refused(make: Callable[[], TurnState], kind: type[Exception], words: str) -> None:
    with pytest.raises(kind, match=words):
        make()


@dataclass(frozen=True, slots=True)
class Stats:
    speed: Fraction
    legs: int = 4
    winged: bool = False
    name: str = ""
    gaits: tuple[str, ...] = ()
    rolls: tuple[int, ...] = ()
    load: Fraction | None = None


def test_stats_are_read_by_their_types() -> None:
    given = {"speed": "2.5", "legs": "6", "winged": "On", "gaits": "walk, trot", "rolls": [1, "2"], "load": ""}
    assert read_stats(Stats, given, "mine") == Stats(Fraction(5, 2), 6, True, "", ("walk", "trot"), (1, 2), None)
    assert read_stats(Stats, {"speed": 1, "winged": 0, "load": "1/3"}, "mine").load == Fraction(1, 3)


@pytest.mark.parametrize("word", ["true", "YES", "on", "1", 1, True])
@pytest.mark.parametrize("no", ["false", "No", "off", "0", 0, False])
def test_yes_and_no_are_written_as_in_options(word: object, no: object) -> None:
    assert read_stats(Stats, {"speed": 1, "winged": word}, "mine").winged is True
    assert read_stats(Stats, {"speed": 1, "winged": no}, "mine").winged is False


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"speed": 1, "winged": "perhaps"}, "winged: expected true or false, found 'perhaps'"),
        ({"speed": 1, "legs": 1.5}, "legs: expected a whole number"),
        ({"speed": "fast"}, "speed: 'fast' is not a number"),
        ({"speed": 1, "gaits": 3}, "gaits: expected several values, found 3"),
        ({"speed": 1, "lgs": 3}, "unknown stat 'lgs', did you mean 'legs'"),
        ({}, "missing stat.s. speed"),
    ],
)
def test_stats_out_of_place_are_named(given: dict[str, object], words: str) -> None:
    with pytest.raises(RulesetError, match=f"mine: .*{words}"):
        read_stats(Stats, given, "mine")


@pytest.mark.parametrize("hint", [float, dict, list[int], tuple[int, str], int | str | None, Any])
def test_a_stat_of_a_type_that_no_file_has_is_refused(hint: Any) -> None:
    model = dataclass(type("Odd", (), {"__annotations__": {"thing": hint}}))
    with pytest.raises(RulesetError, match=r"thing: a stat of type .* cannot be read"):
        read_stats(model, {"thing": "1"}, "mine")


def test_every_field_of_a_rule_system_is_explained() -> None:
    body = ast.parse(inspect.getsource(Ruleset)).body[0]
    assert isinstance(body, ast.ClassDef)
    explained = {
        field.target.id
        for field, after in zip(body.body, body.body[1:], strict=False)
        if isinstance(field, ast.AnnAssign)
        and isinstance(field.target, ast.Name)
        and isinstance(after, ast.Expr)
        and isinstance(after.value, ast.Constant)
        and len(str(after.value.value)) > 15
    }
    assert explained == {field.name for field in fields(Ruleset)}


@pytest.mark.parametrize("name", RULESETS.names())
def test_an_installed_system_is_pickled_by_its_name(name: str) -> None:
    ruleset = get_ruleset(name)
    assert pickle.loads(pickle.dumps(ruleset)) is ruleset
    assert copy.deepcopy(ruleset) is ruleset
