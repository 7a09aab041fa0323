"""What people read of an answer: ledgers with their marks, the way that takes longer, floors, and a plain no."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import Run

RAVEN = ["village", "--mover", "raven"]


def test_a_way_that_is_too_dear_is_shown_with_the_turns_it_takes(run: Run) -> None:
    answer = run("path", *RAVEN, "--to", "K9", "--why")
    assert (answer.status, answer.out) == (1, "")
    assert answer.err.startswith("no: 10 ft short")
    assert "in 2 turns there is a way (try --turns 2)" in answer.err
    assert "turn 2  floor  2 x 5 ft" in answer.err
    told = run("path", *RAVEN, "--to", "K9", "--why", "--json").json
    assert told["later"]["turns"] == 2
    assert told["later"]["route"] == {
        key: value
        for key, value in run("path", *RAVEN, "--to", "K9", "--turns", "2", "--json").json.items()
        if key in told["later"]["route"]
    }


def test_where_no_turn_gets_there_is_no_later_way(run: Run) -> None:
    answer = run("path", *RAVEN, "--to", "J5", "--why")
    assert answer.status == 1
    assert answer.err == "no: no way to J5: locked door 'strongroom' between J6 and J5\n"
    assert "later" not in run("path", *RAVEN, "--to", "J5", "--why", "--json").json


def test_a_ledger_marks_where_each_band_ends(run: Run) -> None:
    lines = run("path", *RAVEN, "--to", "K9", "--turns", "2", "--why").out.splitlines()
    marks = [n for n, line in enumerate(lines) if line.startswith("  --")]
    assert [lines[n] for n in marks] == ["  -- Move ends at F11 --", "  -- Dash ends at I8 --"]
    # what stands before a mark has used up no more than the band has
    assert [lines[n - 1].split()[-2] for n in marks] == ["30", "60"]
    assert "Turn 2, turn 2" not in "\n".join(lines)


def test_the_star_of_a_ledger_is_explained(run: Run) -> None:
    starred = run("path", "small/stairs", "--mover", "ace", "--to", "upper/F2", "--why").out
    assert "*engine" in starred
    assert "* a ruling where the text is silent" in starred
    plain = run("path", *RAVEN, "--to", "H10", "--why").out
    assert "*" not in plain
    assert "rulesets operator OPR-18" in plain


def test_the_way_to_where_it_stands_costs_nothing(run: Run) -> None:
    answer = run("path", *RAVEN, "--to", "H14", "--why")
    assert answer.status == 0
    assert "nothing to pay" in answer.out
    assert "" not in answer.out.rstrip("\n").splitlines()


def test_render_without_a_way_answers_no(run: Run, tmp_path: Path) -> None:
    target = tmp_path / "no.svg"
    answer = run("render", *RAVEN, "--to", "N14", "-o", str(target))
    assert (answer.status, answer.err) == (1, "no: N14 is impassable (well)\n")
    assert target.exists()
    told = run("render", *RAVEN, "--to", "N14", "-o", str(target), "--json")
    assert (told.status, told.json["refusal"]["code"]) == (1, "move.impassable")


def test_every_floor_that_is_reached_is_shown(run: Run) -> None:
    both = run("reach", "small/stairs", "--mover", "ace").out
    assert both.index("level ground:") < both.index("level upper:")
    upper = run("reach", "small/stairs", "--mover", "ace", "--level", "upper").out
    assert "level ground:" not in upper
    assert "level upper:" in upper
    assert "level upper:" not in run("reach", "small/stairs", "--mover", "ace", "--gait", "move").out
    chances = run("reach", "small/stairs", "--mover", "ace", "--odds").out
    assert "1   .  .  .  . ++ ++ ++ ++" in chances.split("level upper:")[1]


def test_a_picture_comes_beside_the_text(run: Run, tmp_path: Path) -> None:
    answer = run("reach", *RAVEN, "--png", str(tmp_path / "reach.svg"))
    assert "Move: to 30 ft" in answer.out
    assert "wrote" in answer.err


def test_turns_that_reach_nothing_new_are_not_listed(run: Run) -> None:
    lines = run("reach", *RAVEN, "--turns", "1000").out.splitlines()
    assert not [line for line in lines if line.endswith(", 0 cells")]
    assert any(line.startswith("Turn 3:") for line in lines)


def test_stats_of_another_system_can_be_given_anew(run: Run) -> None:
    answer = run("reach", *RAVEN, "--rules", "d6-reup", "--stat", "stamina=3D", "--json")
    assert (answer.status, answer.json["rules"]) == (0, "d6-reup")
    assert "Raven's stats are written for operator: without strength" in answer.err


@pytest.mark.parametrize("rules", ["operator", "plain"])
def test_stats_that_fit_are_kept(run: Run, rules: str) -> None:
    words = ["reach", "small/referee", "--mover", "ace", "--rules", rules, "--stat", "speed=20", "--json"]
    answer = run(*words)
    assert answer.status == 0
    assert answer.json["bands"][0]["budget"] == 20
    assert "written for" not in answer.err


def test_what_demo_says_to_try_next_works(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for started, expected in (
        ("/somewhere/.venv/bin/tactical", "/somewhere/.venv/bin/tactical"),
        ("/a b/tactical", "'/a b/tactical'"),
        ("/lib/tactical/__main__.py", f"{sys.executable} -m tactical"),
    ):
        monkeypatch.setattr(sys, "argv", [started])
        (line,) = [line for line in run("demo", "--text").err.splitlines() if line.startswith("Next: ")]
        command = line.removeprefix("Next: ").removeprefix(expected)
        assert command != line.removeprefix("Next: ")
    answer = run(*shlex.split(command))
    assert answer.status == 0
    assert "OPR-18" in answer.out


def test_a_start_without_room_is_remarked_and_a_free_one_is_not(run: Run) -> None:
    words = ("reach", "dungeon", "--mover", "brand", "--json", "--at")
    assert run(*words, "K5").err == ""
    assert "M5" in run(*words, "M5").err
    assert run(*words, "M5").status == 0
    wall = run("path", "small/two-turns", "--at", "A1", "--to", "B1", "--option", "house_pace={fly: 2}")
    assert wall.status == 2
    assert "'fly' is none of its words" in wall.err
