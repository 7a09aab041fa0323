"""The worked cases ask what a player can reach, and reckon nothing: what they import says so."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

HERE = Path(__file__).parent
VALUES = {
    "tactical", "tactical.cli", "tactical.errors", "tactical.options", "tactical.units",
    "tactical.world.edges.barriers",
    "tactical.world.battlemap", "tactical.world.mover", "tactical.play", "tactical.play.commands",
    "tactical.play.events", "tactical.play.session", "tactical.rules.ruleset", "tactical.rules.turnstate",
}  # fmt: skip
"""The surfaces (the package's own names, its command line) and the plain values that they take and give."""


def imported(path: Path) -> set[str]:
    """The modules of the package that a file imports."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
        found |= {name for name in names if name.split(".")[0] == "tactical"}
    return found


@pytest.mark.parametrize("path", sorted(HERE.glob("*.py")), ids=lambda path: path.name)
def test_a_case_asks_at_the_surface(path: Path) -> None:
    if path.name.startswith("test_"):
        return
    assert imported(path) <= VALUES
