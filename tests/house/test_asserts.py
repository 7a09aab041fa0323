"""Python run with -O drops asserts: none may do more than tell a type checker what is so already."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from tactical.errors import Refusal
from tactical.movement.query import ask
from tactical.play.commands import Move
from tactical.units import Cell
from tactical.world.battlemap import Battlemap
from tactical.world.mover import Mover

ROOT = Path(__file__).parents[2] / "tactical"
FILES = sorted(path for path in ROOT.rglob("*.py") if "movement" not in path.parts)


def narrows(test: ast.expr) -> bool:
    """``x is not None``, ``isinstance(x, T)`` or its contrary."""
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        test = test.operand
    if isinstance(test, ast.Call):
        return isinstance(test.func, ast.Name) and test.func.id == "isinstance"
    if not isinstance(test, ast.Compare) or not isinstance(test.ops[0], ast.IsNot):
        return False
    right = test.comparators[0]
    return isinstance(right, ast.Constant) and right.value is None


def test_asserts_only_narrow_types() -> None:
    assert len(FILES) > 100
    found = [
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for path in FILES
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Assert) and not narrows(node.test)
    ]
    assert found == []


def test_what_a_caller_can_get_wrong_is_raised() -> None:
    with pytest.raises(ValueError, match="this move has no end: no way to C4"):
        _ = Move("raven", Refusal("move.unreachable", {"cell": "C4"})).goal  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="to must be a Cell"):
        Move("raven", 4)  # type: ignore[arg-type]
    battlemap = Battlemap.from_rows(["..."])
    query = ask(battlemap, Mover("a", "plain", at=Cell(0, 0)))
    with pytest.raises(ValueError, match="'b' does not stand on the map"):
        query.site_everywhere.threatened_by(Mover("b"))
