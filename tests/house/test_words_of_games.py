"""No word of a game outside its folder: names of rule systems and grids, their stats and options, as literals."""

from __future__ import annotations

import ast
from dataclasses import fields
from pathlib import Path

from tactical.options import Options
from tactical.registry import RULESETS, WAYS
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


POSTURES = {
    "standing": {
        "movement/route.py": "the posture of a state that says none",
        "movement/rolls/leaps.py": "a kind of jump",
        "rules/answered.py": "a field of jumps",
        "rules/profile.py": "the postures of a profile that says none, and a kind of jump",
        "rules/ruleset.py": "the postures of a rule system that says none",
        "wire/views.py": "the posture of a state that says none",
        "world/mover.py": "the posture of a mover that says none",
        "world/store.py": "a slot of the company: who stands where",
    },
    "kneeling": {"world/mover.py": "a word of the schema of map files"},
    "crouched": {"world/mover.py": "a word of map files", "world/terrain.py": "a low ceiling, in a map"},
    "prone": {"world/mover.py": "a word of map files", "world/terrain.py": "a lower ceiling, in a map"},
}
"""Where the engine has the word of a posture, and what it is there."""


def test_no_posture_is_told_by_its_name() -> None:
    postures = {posture for _, system in RULESETS for posture in system.postures}
    assert len(postures) >= 4
    found: dict[str, set[str]] = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        name = path.relative_to(PACKAGE).as_posix()
        if name.startswith(("movement/", "play/", "search/", "world/", "rules/", "wire/")) and not name.startswith(
            (*RACKS, "movement/ways/")
        ):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Constant) and node.value in postures:
                    found.setdefault(str(node.value), set()).add(name)
    assert found == {word: set(where) for word, where in POSTURES.items()}


def test_no_way_is_told_by_its_name_outside_its_file() -> None:
    ways = {way.name for _, way in WAYS}
    assert {"jump", "link", "climb"} <= ways
    found = []
    for path in sorted((PACKAGE / "movement").rglob("*.py")) + sorted((PACKAGE / "play").rglob("*.py")):
        if path.parent.name != "ways":
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Compare) and {"way", "ways", "leg", "leg_word"} & {
                    part.attr if isinstance(part, ast.Attribute) else getattr(part, "id", "") for part in ast.walk(node)
                }:
                    named = {part.value for part in ast.walk(node) if isinstance(part, ast.Constant)}
                    found += [f"{path.name}:{node.lineno}" for word in named & ways if isinstance(word, str)]
    assert found == []


SURFACES = ("cli/", "hosts/", "play/", "show/", "viewer/", "wire/")


def test_no_surface_reads_an_option_or_asks_a_grid_for_its_name() -> None:
    # an option is read where it decides something, and the values of that are asked for
    found = []
    options = {*Options.build((), {}), *(option.name for _, system in RULESETS for option in system.options)}
    for path in sorted(PACKAGE.rglob("*.py")):
        name = path.relative_to(PACKAGE).as_posix()
        if name.startswith(SURFACES):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant):
                    whose = node.value.attr if isinstance(node.value, ast.Attribute) else getattr(node.value, "id", "")
                    found += [f"{name}:{node.lineno}"] if whose == "options" and node.slice.value in options else []
                if isinstance(node, ast.Compare) and "grid.name" in ast.unparse(node):
                    found.append(f"{name}:{node.lineno}")
    assert found == []
