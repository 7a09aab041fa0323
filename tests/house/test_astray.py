"""A plug-in that raises nothing, but says what cannot be, is named for it where that is first asked."""

from __future__ import annotations

from pathlib import Path

import pytest

from tactical.world.grids import flaws, get_grid, grid_names
from tests.house.astray import GRIDS, SECTIONS, SYSTEMS
from tests.house.offered import offered as stranger
from tests.house.offered import tactical
from tests.house.test_broken_plugins import offered, said_by_desk

PLAIN_BOARD = """\
schema: 1
rows: |
  ....
  ....
  ....
movers: [{id: a, at: B2, stats: {speed: 30}}]
"""
OWN = str(Path(__file__).with_name("astray.py"))


@pytest.mark.parametrize("name", SYSTEMS)
def test_a_rule_system_that_names_what_there_is_not_is_told_the_known_names(name: str, tmp_path: Path) -> None:
    offered(tmp_path, rulesets=[f"{name} = tests.house.astray:{name}_"])
    for command in (("reach", "board.yaml", "--mover", "a"), ("path", "board.yaml", "--mover", "a", "--to", "C1")):
        done = tactical(tmp_path, *command, "--rules", name)
        assert (done.returncode, done.stdout) == (2, "")
        assert SYSTEMS[name][1] in done.stderr
        assert f"the rule system 'astray' ({OWN})" in done.stderr


@pytest.mark.parametrize("way", ["WEST", "EAST", "NORTH", "BELOW"])
def test_an_edge_past_the_window_leads_to_no_other_cell(way: str, tmp_path: Path) -> None:
    offered(tmp_path, ways=[f"{way.lower()} = tests.house.astray:{way}"])
    done = tactical(tmp_path, "reach", "board.yaml", "--mover", "a", "--rules", "operator")
    assert (done.returncode, done.stdout) == (2, "")
    assert f"the way of moving '{way.lower()}' ({OWN}): write failed: ValueError: the place (" in done.stderr
    assert "lies outside the window, 1 by 2 by 4" in done.stderr


@pytest.mark.parametrize("grid", ["square", "hex-odd-r", "hex-even-q"])
def test_a_step_that_is_open_ends_in_the_window(grid: str, tmp_path: Path) -> None:
    offered(tmp_path, ways=["outward = tests.house.astray:OUTWARD"])
    (tmp_path / "board.yaml").write_text(f"grid: {{type: {grid}}}\n" + PLAIN_BOARD, encoding="utf-8")
    done = tactical(tmp_path, "reach", "board.yaml", "--mover", "a", "--rules", "operator")
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("name", GRIDS)
def test_a_grid_that_is_not_what_a_grid_is_is_told_what_is_wrong(name: str, tmp_path: Path) -> None:
    offered(tmp_path, grids=[f"{name} = tests.house.astray:{name}_"])
    (tmp_path / "astray.yaml").write_text("grid: {type: astray}\n" + PLAIN_BOARD, encoding="utf-8")
    for command in (("check", "astray.yaml"), ("reach", "astray.yaml", "--mover", "a")):
        done = tactical(tmp_path, *command)
        assert done.returncode == 2
        assert "the grid 'astray' (tests.house.astray): " in done.stderr
        assert GRIDS[name][1] in done.stderr
    assert tactical(tmp_path, "check", "board.yaml").returncode == 0


@pytest.mark.parametrize("name", [*grid_names(), "bricks"])
def test_what_is_held_of_grids_holds_of_all_that_are_here(name: str) -> None:
    with stranger(name):
        assert not list(flaws(get_grid(name)))


@pytest.mark.parametrize(
    ("point", "words"),
    [
        (
            "BARE",
            "is a tuple with a Tile that has no title, directions, cell_at, polygon, side, size, body, not a tuple",
        ),
        ("MIXED", "is a tuple with a str that has no name, sheared"),
    ],
)
def test_a_grid_that_lacks_something_is_told_what(point: str, words: str, tmp_path: Path) -> None:
    offered(tmp_path, grids=[f"tiles = tests.house.astray:{point}"])
    with pytest.warns(RuntimeWarning, match="left out: the grid 'tiles'") as told:
        assert tactical(tmp_path, "check", "board.yaml").returncode == 0
    assert any(words in str(one.message) for one in told), [str(one.message) for one in told]


@pytest.mark.parametrize("name", SECTIONS)
@pytest.mark.parametrize("target", ["o.txt", "o.svg", "o.png"])
def test_a_section_that_is_laid_out_wrong_is_named(name: str, target: str, tmp_path: Path) -> None:
    offered(tmp_path, sections=[f"astray = tests.house.astray:{name}_"])
    done = tactical(tmp_path, "render", "board.yaml", "--mover", "a", "--panel", "-o", target)
    if target == "o.txt" and done.returncode == 0:
        return  # text has no panel
    assert done.returncode == 2
    assert f"the panel section 'astray' ({OWN}): {SECTIONS[name][1]}" in done.stderr
    assert "drawer" not in done.stderr


def test_every_kind_of_colour_may_be_used_in_a_section(tmp_path: Path) -> None:
    offered(tmp_path, sections=["astray = tests.house.astray:SOUND"])
    done = tactical(tmp_path, "render", "board.yaml", "--mover", "a", "--panel", "-o", "o.svg")
    assert (done.returncode, done.stderr.splitlines()[1:]) == (0, [])


def test_a_report_line_of_no_kind_is_named(tmp_path: Path) -> None:
    offered(tmp_path, formats=["strangely = tests.house.astray:STRANGELY"])
    (tmp_path / "one.strangely").write_text("one", encoding="utf-8")
    done = tactical(tmp_path, "check", "one.strangely")
    assert (done.returncode, "no report line has the kind 'reed': read, warning," in done.stderr) == (2, True)


@pytest.mark.parametrize("point", ["WORDLESS", "SILENT", "BLANKLY"])
def test_a_file_refused_without_a_word_is_refused_all_the_same(point: str, tmp_path: Path) -> None:
    offered(tmp_path, formats=[f"{point.lower()} = tests.house.astray:{point}"])
    file = f"one.{point.lower()}"
    (tmp_path / file).write_text("one", encoding="utf-8")
    words = f"{file}: it cannot be read, and its format does not say why"
    checked = tactical(tmp_path, "check", "board.yaml", file)
    assert (checked.returncode, checked.stdout) == (1, "1 fault in 2 files\n")
    assert words in checked.stderr
    drawn = tactical(tmp_path, "render", file, "-o", "one.svg")
    assert (drawn.returncode, words in drawn.stderr) == (2, True)
    (answer,) = said_by_desk(tmp_path, {"do": "load", "map": file})
    assert (answer["error"]["code"], words in answer["error"]["text"]) == ("map", True)
