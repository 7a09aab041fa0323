"""The page for those who extend it is held against what there is: codes, racks, rooms and example files."""

from __future__ import annotations

import dataclasses
import importlib
import importlib.util
import inspect
import re
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import tactical.registry
from tactical.errors import REFUSALS, Refusal
from tactical.registry import Rack

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "tactical" / "extending.md"
TEXT = PAGE.read_text(encoding="utf-8")


def test_every_refusal_is_listed_once_and_none_is_invented() -> None:
    listed = re.findall(r"`((?:move|play|rules)\.[a-z_]+)`", TEXT.split("## Refusals")[1].split("## Words")[0])
    assert sorted(listed) == sorted(REFUSALS)


def test_every_rack_has_its_entry_point() -> None:
    racks = {rack.group for rack in vars(tactical.registry).values() if isinstance(rack, Rack)}
    assert set(re.findall(r'entry-points\."([a-z.]+)"', TEXT)) == racks


def test_the_house_is_as_it_is_drawn() -> None:
    drawn = re.findall(r"^  (\w+)/ ", TEXT, re.MULTILINE)
    rooms = {path.parent.name for path in (ROOT / "tactical").glob("*/__init__.py")}
    assert set(drawn) == rooms
    floor = re.search(r"^  ([a-z ]+?)   the ground floor", TEXT, re.MULTILINE)
    assert floor is not None
    loose = {path.stem for path in (ROOT / "tactical").glob("*.py")} - {"__init__", "__main__"}
    assert set(floor[1].split()) == loose
    for room, racks in re.findall(r"^  (\w+)/ .*racks?: (.+)$", TEXT, re.MULTILINE):
        for rack in racks.split():
            assert (ROOT / "tactical" / room / rack / "__init__.py").exists(), rack


def test_the_files_it_shows_exist() -> None:
    links = re.findall(r"\]\(([^)]+)\)", TEXT)
    assert links
    assert not [link for link in links if not (PAGE.parent / link).exists()]


def test_the_modules_and_values_it_names_are_there() -> None:
    named = set(re.findall(r"`(tactical(?:\.\w+)+)", TEXT)) - {"tactical.ways"}
    assert len(named) > 12
    for dotted in sorted(named):
        module, _, value = dotted.rpartition(".")
        found = importlib.import_module(module)
        assert hasattr(found, value) or importlib.util.find_spec(dotted) is not None, dotted


def test_its_lists_are_whole() -> None:
    """Every name that a stranger can only learn here stands here."""
    from tactical.formats import KINDS
    from tactical.play.commands import Act, Dash, Disengage
    from tactical.registry import WAYS
    from tactical.rules.profile import ACTIONS
    from tactical.show.theme import load
    from tactical.world.grids import Grid

    def said(heading: str) -> str:
        return TEXT.split(f"## Your own {heading}")[1].split("\n## ")[0]

    asked = {name for name in Grid.__annotations__ if not name.startswith("_")}
    for name, method in vars(Grid).items():
        if not name.startswith("_") and callable(method):
            # as it is called: store(col, row); the direction of a side is its name
            takes = [one.replace("direction", "name") for one in [*inspect.signature(method).parameters][1:]]
            asked.add(f"{name}({', '.join(takes)})")
    assert not {name for name in asked if f"`{name}`" not in said("grid")}
    assert not {kind for kind in KINDS if f"`{kind}`" not in said("map format")}
    words = {*ACTIONS, *(command.kind for command in (Act, Dash, Disengage)), "bonus_dash"}
    assert not {word for word in words if f"`{word}`" not in said("rule system")}
    for _, way in WAYS:
        assert f"{way.name} {way.order}" in said("way of moving"), way.name
    section = said("panel section")
    base = {name.removesuffix("_line") for name in load().colours["window"]} - {"back", "bar", "tip"}
    assert not {name for name in base if f"`{name}`" not in section}


def test_the_values_of_a_rule_system_are_made_as_the_page_says() -> None:
    from tactical.rules import profile
    from tactical.rules.ruleset import Ruleset

    (block,) = (one for one in re.findall(r"```text\n(.*?)```", TEXT, re.DOTALL) if one.startswith("Ruleset("))
    flat = re.sub(r"Fraction\(5\)|\(\"[^)]*\)", "…", block)
    told = dict(re.findall(r"(Ruleset|Profile|Gait|PostureChange|Pace|Factor|Source|Refusal)\(([^()]*)", flat))
    kinds: dict[str, Any] = {"Ruleset": Ruleset, "Refusal": Refusal}
    for name, inside in told.items():
        words = [part.split("=")[0].strip() for part in inside.replace("…", "").split(",")]
        given = [word for word in words if word.isidentifier()]
        known = [one.name for one in dataclasses.fields(kinds.get(name) or getattr(profile, name))]
        placed = [part.strip() for part in inside.split(",") if part.strip().isidentifier()]
        assert placed == known[: len(placed)], name
        assert set(given) <= set(known), name
    assert len(told) == 8


@pytest.mark.parametrize(
    ("field", "value", "words"),
    [
        ("name", 5, "expected a text"), ("unit", None, "expected a text"), ("stats", Fraction(5), "expected a class"),
        ("stats", int, "expected a frozen dataclass"), ("postures", "standing", "expected a tuple"),
        ("cell", 5.0, "expected a Fraction"), ("clauses", ("X-1",), "expected a mapping"),
        ("options", None, "expected a tuple"), ("summary", ("a",), "expected a text"),
    ],
)  # fmt: skip
def test_a_field_of_a_rule_system_in_the_place_of_another_is_named(field: str, value: object, words: str) -> None:
    from tactical.rules.ruleset import get_ruleset

    with pytest.raises(TypeError, match=rf"^Ruleset .*: {field}: {words}, not "):
        dataclasses.replace(get_ruleset("plain"), **{field: value})
