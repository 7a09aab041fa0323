"""The page for those who extend it is held against what there is: codes, racks, rooms and example files."""

from __future__ import annotations

import importlib
import importlib.util
import re
from pathlib import Path

import tactical.registry
from tactical.errors import REFUSALS
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

    asked = {name for name in (*Grid.__annotations__, *vars(Grid)) if not name.startswith("_")}
    assert not {name for name in asked if f"`{name}`" not in said("grid")}
    assert not {kind for kind in KINDS if f"`{kind}`" not in said("map format")}
    words = {*ACTIONS, *(command.kind for command in (Act, Dash, Disengage)), "bonus_dash"}
    assert not {word for word in words if f"`{word}`" not in said("rule system")}
    for _, way in WAYS:
        assert f"{way.name} {way.order}" in said("way of moving"), way.name
    section = said("panel section")
    base = {name.removesuffix("_line") for name in load().colours["window"]} - {"back", "bar", "tip"}
    assert not {name for name in base if f"`{name}`" not in section}
