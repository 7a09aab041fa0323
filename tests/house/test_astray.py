"""A plug-in that raises nothing, but says what cannot be, is named for it where that is first asked."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.house.astray import SYSTEMS
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
    offered(tmp_path, rulesets=[f"{name} = tests.house.astray:{name}"])
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
