"""Plug-ins: a drawer of somebody else's works everywhere; a broken or misnamed one is told of and stops nothing.

Each test runs a fresh interpreter whose path holds a folder as if a package had been installed there.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tactical.errors import PluginError
from tactical.registry import DRAWERS, FORMATS, GRIDS, RULESETS, WAYS, Rack
from tests.house.offered import tactical, write_package

ROOT = Path(__file__).parents[2]

PARTS = """
from dataclasses import dataclass
from tactical.show.drawers import Drawer


def draw(scene, *, theme=None):
    return f"{scene.cols} by {scene.rows}"


DRAWER = Drawer("sizes", ".size", draw, "how large the map is, in words")
BINARY = Drawer("bytes", ".bin", lambda scene, theme=None: b"\\x00\\x01", "two bytes")
NO_DRAWER = "nothing of the kind"
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "parts_of_mine.py").write_text(PARTS, encoding="utf-8")
    return tmp_path


def offer(folder: Path, package: str = "mine", **points: str) -> None:
    write_package(folder, package, **{rack: lines.split("; ") for rack, lines in points.items()})


def run(folder: Path, *command: str) -> subprocess.CompletedProcess[str]:
    paths = os.pathsep.join([str(folder), str(ROOT), os.environ.get("PYTHONPATH", "")])
    return subprocess.run(
        [sys.executable, *command], cwd=folder, capture_output=True, text=True, check=False,
        env={**os.environ, "PYTHONPATH": paths, "SDL_VIDEODRIVER": "dummy"},
    )  # fmt: skip


REACH = (
    "import tactical; from tactical.assets import maps; village = tactical.load(maps('village'));"
    "print(len(tactical.reach(village, 'raven').cells()))"
)


def test_a_broken_way_is_left_out_of_a_reach_with_a_warning(folder: Path) -> None:
    sound = run(folder, "-c", REACH)
    assert sound.returncode == 0, sound.stderr
    assert sound.stderr == ""
    offer(folder, ways="hop = no_such_module:WAY; fly = parts_of_mine:NO_DRAWER; glide = parts_of_mine:MISSING")
    done = run(folder, "-c", REACH)
    assert done.returncode == 0, done.stderr
    assert done.stdout == sound.stdout
    assert "left out: the way of moving 'hop' (entry point tactical.ways: hop = no_such_module:WAY" in done.stderr
    assert "of mine) cannot be loaded: ModuleNotFoundError" in done.stderr
    assert "fly = parts_of_mine:NO_DRAWER of mine) is a str, not a Way" in done.stderr
    assert "glide = parts_of_mine:MISSING of mine) cannot be loaded: AttributeError" in done.stderr


def test_broken_formats_and_rule_systems_stop_no_other(folder: Path) -> None:
    offer(folder, formats="hop = no_such_module:FORMAT", rulesets="hoppers = parts_of_mine:NO_DRAWER")
    for command in (("formats",), ("rulesets",), ("check", "village")):
        with pytest.warns(RuntimeWarning, match="left out: the "):
            done = tactical(folder, *command)
        assert done.returncode == 0, done.stderr
    named = run(folder, "-c", "import tactical; tactical.get_ruleset('hoppers')")
    assert "PluginError: the rule system 'hoppers' (entry point tactical.rulesets: hoppers = " in named.stderr
    assert "is a str, not a Ruleset" in named.stderr


def test_a_plug_in_with_a_name_of_ours_is_not_used_and_told_of(folder: Path) -> None:
    offer(folder, drawers="svg = parts_of_mine:DRAWER", rulesets="d6-reup = parts_of_mine:NO_DRAWER")
    code = "from tactical.registry import DRAWERS, RULESETS; print([d.suffix for _, d in DRAWERS]); [*RULESETS]"
    done = run(folder, "-c", code)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[0] == "['.geojson', '.png', '.svg', '.txt']"
    assert "'svg' (entry point tactical.drawers: svg = parts_of_mine:DRAWER of mine) is not used" in done.stderr
    assert "tactical has its own 'd6-reup'" in done.stderr


def test_two_packages_with_one_name_are_both_named_and_neither_is_used(folder: Path) -> None:
    offer(folder, drawers="sizes = parts_of_mine:DRAWER")
    offer(folder, "theirs", drawers="sizes = parts_of_mine:BINARY")
    done = run(folder, "-m", "tactical", "render", "village", "-o", "-", "--as", "sizes")
    assert done.returncode == 2
    assert "(entry point tactical.drawers: sizes = parts_of_mine:DRAWER of mine)" in done.stderr
    assert "(entry point tactical.drawers: sizes = parts_of_mine:BINARY of theirs)" in done.stderr
    assert "have one name" in done.stderr
    assert run(folder, "-m", "tactical", "render", "village", "-o", "-", "--as", "svg").returncode == 0


def test_two_objects_of_one_name_are_both_named(folder: Path) -> None:
    offer(folder, drawers="one = parts_of_mine:DRAWER")
    offer(folder, "theirs", drawers="other = parts_of_mine:AGAIN")
    with (folder / "parts_of_mine.py").open("a", encoding="utf-8") as file:
        file.write('AGAIN = Drawer("sizes", ".size", draw, "the same again")\n')
    done = run(folder, "-c", "from tactical.registry import DRAWERS; print(len(list(DRAWERS)))")
    assert "DRAWER of mine" in done.stderr
    assert "AGAIN of theirs" in done.stderr
    assert "is called 'sizes', as" in done.stderr


def test_a_drawer_of_somebody_else_s_draws_on_the_command_line_and_in_python(folder: Path) -> None:
    offer(folder, drawers="sizes = parts_of_mine:DRAWER; bytes = parts_of_mine:BINARY")
    done = tactical(folder, "render", "village", "-o", "map.size")
    assert done.returncode == 0, done.stderr
    assert (folder / "map.size").read_text(encoding="utf-8") == "32 by 23"
    assert tactical(folder, "reach", "village", "--mover", "raven", "--png", "r.bin").returncode == 0
    assert (folder / "r.bin").read_bytes() == b"\x00\x01"
    none = tactical(folder, "render", "village", "-o", "map.gif")
    assert none.returncode == 2
    assert "written as .bin, .geojson, .png, .size, .svg, .txt: " in none.stderr
    assert ".size how large the map is, in words" in none.stderr
    code = (
        "import tactical; from tactical.assets import maps; m = tactical.load(maps('village'));"
        "print(tactical.render(m, drawer='sizes'), tactical.render(m, drawer='.size'))"
    )
    assert run(folder, "-c", code).stdout == "32 by 23 32 by 23\n"


SECTIONS_OF_MINE = """
from tactical.show.panel import Section

NAMESAKE = Section("budget", 75, lambda moment: "mine", lambda sheet, data, y: y)
"""
LATE = "from tactical.show.panel import Section; SECTION = Section('late', '75', lambda moment: 1, lambda *asked: 0)"


def test_whatever_is_left_out_is_told_of_whoever_looks_first(folder: Path) -> None:
    """Nothing is silent for being found in the middle of drawing, or of reading."""
    (folder / "sections_of_mine.py").write_text(SECTIONS_OF_MINE, encoding="utf-8")
    (folder / "late.py").write_text(LATE, encoding="utf-8")
    (folder / "failing.py").write_text("1 / 0", encoding="utf-8")
    broken = {
        "ways": "hop = failing:WAY", "grids": "tiles = failing:GRIDS", "formats": "one = failing:FORMAT",
        "drawers": "sizes = failing:DRAWER",
        "sections": "safe = failing:SECTION; typo = sections_of_mine:SECTIO; budget = sections_of_mine:NAMESAKE; "
        "gone = no_such_module:SECTION; twin = sections_of_mine:NAMESAKE; late = late:SECTION",
    }  # fmt: skip
    offer(folder, **broken)
    command = ("-m", "tactical", "render", "village", "--mover", "raven", "--panel", "-o")
    for target in ("o.txt", "o.svg"):
        done = run(folder, *command, target)
        assert done.returncode == 0, done.stderr
        for group, lines in broken.items():
            for line in lines.split("; "):
                name, _, value = line.partition(" = ")
                assert f"(entry point tactical.{group}: {name} = {value} of mine)" in done.stderr, line
        for words in (
            "ZeroDivisionError", "has no attribute 'SECTIO'", "tactical has its own 'budget'", "ModuleNotFoundError",
            "is called 'budget', as the panel section of tactical itself is",
            "Section 'late': order must be a whole number, not '75'",
        ):  # fmt: skip
            assert words in done.stderr


@pytest.mark.parametrize("rack", [RULESETS, FORMATS, GRIDS, WAYS, DRAWERS], ids=lambda rack: rack.kind)
def test_what_is_in_a_rack_is_what_it_asks_for(rack: Rack) -> None:
    assert rack.wants
    for name, found in rack:
        assert rack.get(name) is found
        assert rack._wrong(found) == ""
    assert rack._wrong("nonsense").startswith("a str, not a ")
    assert rack._wrong(("nonsense",)).endswith(rack._wrong("nonsense").rpartition(" not ")[2])


def test_a_class_in_place_of_an_object_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    from tactical.rules.ruleset import Ruleset

    assert RULESETS._wrong(Ruleset) == "the class Ruleset, not a Ruleset"


def test_a_file_of_a_rack_without_its_object_is_named() -> None:
    bare = Rack("drawer", "tactical.rules", "DRAWER", "tactical.none", "tactical.show.drawers:Drawer")
    with pytest.raises(PluginError, match=r"checks\.py: a drawer file must define DRAWER"):
        bare.get("checks")
    # the same words once more, and iterating does not hide what is wrong in the rack's own folder
    with pytest.raises(PluginError, match="must define DRAWER"):
        list(bare)
