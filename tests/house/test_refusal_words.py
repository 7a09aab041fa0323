"""Every refusal is raised with all that its sentence names: no sentence ends in a hole."""

from __future__ import annotations

import ast
from pathlib import Path
from string import Formatter

import pytest

import tactical
from tactical.errors import REFUSALS, Refusal

MAY_BE_LEFT_OUT = {
    ("move.budget", "note"), ("move.barred", "cell"), ("move.no_fit", "why"), ("move.corner", "why"),
    ("move.doors", "note"), ("move.no_way", "why"), ("move.run_up", "how"), ("move.run_up", "note"),
    ("move.stretch", "note"),
}  # fmt: skip
"""Words that a sentence reads well without, or that whoever asked for the refusal puts in."""


def _raised() -> list[tuple[str, str, set[str]]]:
    """Where a refusal is made with its code and parameters written out: place, code, names of the parameters."""
    found = []
    folder = Path(str(tactical.__file__)).parent
    for path in sorted(folder.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Refusal"):
                continue
            given = node.args[1] if len(node.args) > 1 else None
            if not (node.args and isinstance(node.args[0], ast.Constant)):
                continue
            if given is not None and not isinstance(given, ast.Dict):
                continue
            keys = given.keys if isinstance(given, ast.Dict) else []
            if all(isinstance(key, ast.Constant) for key in keys):
                names = {str(key.value) for key in keys if isinstance(key, ast.Constant)}
                found.append((f"{path.relative_to(folder)}:{node.lineno}", str(node.args[0].value), names))
    return found


def _fields(code: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(REFUSALS[code]) if name}


def test_every_refusal_is_raised_with_what_its_sentence_names() -> None:
    raised = _raised()
    assert len(raised) > 30
    unknown = [(place, code) for place, code, _ in raised if code not in REFUSALS]
    assert not unknown
    holes = {
        place: missing
        for place, code, given in raised
        if (missing := {name for name in _fields(code) - given if (code, name) not in MAY_BE_LEFT_OUT})
    }
    assert not holes


@pytest.mark.parametrize(
    ("refusal", "words"),
    [
        (Refusal("move.door_limit", {"limit": "1"}), "no more than 1 closed door may be opened in a turn"),
        (Refusal("move.door_limit", {"limit": "2"}), "no more than 2 closed doors may be opened in a turn"),
        (Refusal("move.turns", {"turns": 1, "word": "turn"}), "not within 1 turn"),
        (Refusal("move.turns", {"turns": 2, "word": "round"}), "not within 2 rounds"),
        (
            Refusal("move.budget", {"short": "0.5", "cost": "1.5", "budget": "1", "unit": "round"}),
            "0.5 rounds short: costs 1.5, has 1",
        ),
        (
            Refusal("move.budget", {"short": "5", "cost": "35", "budget": "30", "unit": "ft"}),
            "5 ft short: costs 35, has 30",
        ),
    ],
)
def test_words_follow_their_number(refusal: Refusal, words: str) -> None:
    assert refusal.text == words
