"""No word of a game outside its folder: names of rule systems and grids, their stats and options, as literals."""

from __future__ import annotations

import ast
from dataclasses import fields
from pathlib import Path

from tactical.options import Options
from tactical.registry import RULESETS
from tactical.rules.ruleset import get_ruleset
from tactical.world.grids import grid_names

PACKAGE = Path(__file__).parents[2] / "tactical"
RACKS = ("rules/systems/", "world/grids/")
ALSO_WORDS = {
    *("actions", "bonus_dash", "climbing", "code", "destroyed", "exhausted", "gait", "height", "kind", "load", "move"),
    *("plain", "previous", "repair", "running", "shield", "speed", "square", "swimming"),
}
"""Names of stats, of a grid and a system that are words of the engine too: an icon, an action of `Ruleset.order`, a key
of the dialect, a field."""
NAMED = {
    # these formats have hexes of four kinds, and say which
    **{key: {"formats/foundry/scenes.py", "formats/wesnoth.py"} for key in ("hex-odd-q", "hex-even-q")},
    **{key: {"formats/foundry/scenes.py"} for key in ("hex-odd-r", "hex-even-r")},
}
"""The only words of a grid that stand elsewhere."""


def words_of_games() -> set[str]:
    out: set[str] = set(grid_names())
    for name in RULESETS.names():
        system = get_ruleset(name)
        out |= {name, *(stat.name for stat in fields(system.stats)), *(option.name for option in system.options)}
    return out - set(Options.build((), {})) - ALSO_WORDS


def test_no_plugin_word_in_the_engine() -> None:
    words = words_of_games()
    assert len(words) > 80
    found: dict[str, set[str]] = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        name = path.relative_to(PACKAGE).as_posix()
        if not name.startswith(RACKS):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value in words:
                    found.setdefault(node.value, set()).add(name)
    assert found == NAMED
