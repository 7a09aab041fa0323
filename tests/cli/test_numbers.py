"""The game master's numbers on the command line: a DC for each stretch, a number for each level without one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.play.test_changes import Game

WALL = """\
schema: 1
name: Wall
grid: {type: square, cell: 5, unit: ft}
rules: operator
legend:
  ".": {terrain: floor}
  "h": {terrain: holds, climb: true}
  "g": {terrain: glass, climb: true, slick: true}
rows: |
  .h.gg.
movers:
  - {id: kit, at: A1, stats: {speed: 60, athletics: 4}}
"""
HEATH = """\
schema: 1
name: Heath
grid: {type: square, cell: 1, unit: m}
rules: d6-reup
legend:
  ".": {terrain: heath, level: M}
rows: |
  ............
movers:
  - {id: kit, at: A1, stats: {move: 8, code: 4D, previous: cruising}}
"""


@pytest.fixture
def wall(tmp_path) -> str:  # type: ignore[no-untyped-def]
    path = tmp_path / "wall.yaml"
    path.write_text(WALL)
    return str(path)


@pytest.fixture
def heath(tmp_path) -> str:  # type: ignore[no-untyped-def]
    path = tmp_path / "heath.yaml"
    path.write_text(HEATH)
    return str(path)


def test_each_stretch_has_a_dc_of_its_own(run: Run, wall: str) -> None:
    words = ("--mover", "kit", "--to", "F1", "--dc", "10", "--dc", "20")
    shown = run("path", wall, *words, "--odds", "--json").json
    assert [check["number"] for check in shown["checks"]] == [10, 20]
    assert [check["number"] for check in shown["rounds"][0]["checks"]] == [10, 20]
    # d20 + 4: 15 of 20 faces make 10, 5 make 20
    assert shown["odds"]["chance"] == "3/16"
    assert shown["odds"]["landings"]["cells"] == {"A1": "1/4", "C1": "9/16", "F1": "3/16"}
    done = run("resolve", wall, *words, "--roll", "10", "--roll", "18", "--json").json
    assert (done["end"], done["outcome"]["result"], done["outcome"]["stretch"]["spent"]) == ("C1", "no_progress", 20)
    assert "badly" not in run("resolve", wall, *words, "--roll", "10", "--roll", "18").out
    assert "no progress, badly: ends at A1" in run("resolve", wall, *words, "--roll", "5", "--roll", "5").out


def test_a_stretch_may_go_without_a_check(run: Run, wall: str) -> None:
    words = ("--mover", "kit", "--to", "F1", "--dc", "none", "--dc", "none")
    assert run("path", wall, *words, "--odds", "--json").json["odds"]["chance"] == 1
    assert run("resolve", wall, *words, "--json").json["end"] == "F1"
    # the slick stretch has no number: --number gives it one
    answer = run("path", wall, "--mover", "kit", "--to", "F1", "--number", "14", "--odds", "--json").json
    assert ([check["number"] for check in answer["checks"]], answer["odds"]["chance"]) == ([14], "11/20")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--dc", "10"), "2 stretches"),
        (("--dc", "10", "--dc", "11", "--dc", "12"), "2 stretches"),
        (("--dc", "ten", "--dc", "11"), "neither a number nor none"),
        (("--number", "10", "--number", "11"), "1 roll of this move has no number"),
    ],
)
def test_too_few_or_too_many_numbers(run: Run, wall: str, words: tuple[str, ...], said: str) -> None:
    for command in ("path", "resolve"):
        found = run(command, wall, "--mover", "kit", "--to", "F1", *words)
        assert found.status == 2
        assert said in found.err


def test_a_level_gets_its_number(run: Run, heath: str) -> None:
    words = ("--mover", "kit", "--gait", "cruising", "--to", "G1")
    assert run("resolve", heath, *words, "--roll", "12").status in (1, 2)
    answer = run("resolve", heath, *words, "--gait", "high", "--to", "J1", "--number", "15", "--roll", "12", "--json")
    assert (answer.json["outcome"]["result"], answer.json["outcome"]["number"]) == ("slight_slip", 15)
    assert run("path", heath, *words, "--to", "J1", "--gait", "high", "--number", "99").status == 2
    found = run("path", heath, *words, "--dc", "15")
    assert found.status == 2
    assert "--number" in found.err


def test_a_dc_comes_with_the_roll_under_operator_alone() -> None:
    game = Game(WALL)
    assert game.do("move", to=[5, 0])["events"][-1]["code"] == "roll.needed"
    both = game.answer(do="execute", session=game.session, command={
        "do": "given-roll", "mover": "kit", "total": 15, "dc": 12, "number": 12,
    })  # fmt: skip
    assert not both["ok"]
    assert game.do("given-roll", total=15)["code"] == "rules.number_missing"
    answer = game.do("given-roll", total=15, dc=12)
    assert answer["events"][-1]["cell"] == [5, 0]
    heath = Game(HEATH)
    heath.do("move", to=[9, 0], gait="high")
    wrong = heath.answer(do="execute", session=heath.session, command={
        "do": "given-roll", "mover": "kit", "total": 15, "dc": 12,
    })  # fmt: skip
    assert not wrong["ok"]
    assert "dc" in json.dumps(wrong)


def test_a_fall_and_the_ruling_for_getting_up_agree(run: Run, tmp_path: Path) -> None:
    """Printed is that a fall ends kneeling; prone is the ruling for the rows from 11 on."""
    start = tmp_path / "start.yaml"
    start.write_text(
        "schema: 1\ngrid: {cell: 2, unit: m}\nrules: d6-reup\nlegend: {'.': {difficult: true, level: D, number: 18}}\n"
        "rows: |\n  ..........\nmovers:\n"
        "  - {id: ann, at: A1, stats: {move: 10, code: 4D+1, running: 4D+1, previous: cruising}}\n"
    )
    words = ("--mover", "ann", "--gait", "high", "--to", "J1")
    assert "kneeling" in run("resolve", str(start), *words, "--roll", "15").out
    assert "prone" in run("resolve", str(start), *words, "--roll", "10").out
    ruling = run("rulesets", "d6-reup", "REUP-A11").out
    assert "kneeling" in ruling
    assert "by 11 one ends prone" in ruling


def test_a_move_says_what_is_spent_and_what_is_left(run: Run, wall: str, tmp_path: Path) -> None:
    words = ("--mover", "kit", "--to", "F1", "--dc", "10", "--dc", "20")
    failed = run("resolve", wall, *words, "--roll", "10", "--roll", "18", "--json").json
    text = run("resolve", wall, *words, "--roll", "10", "--roll", "18").out
    assert failed["spent"] + failed["remaining"] in (30, 60)
    assert f"spent: {failed['spent']} ft, {failed['remaining'] or 'nothing'} left\n" in text
    # what came before the move is told apart
    later = run("resolve", wall, "--mover", "kit", "--to", "B1", "--spent", "5", "--dc", "none").out
    assert "after 5 before it, " in later
    # rounded parts add up to the whole
    dance = tmp_path / "dance.yaml"
    dance.write_text(
        "schema: 1\ngrid: {cell: 2, unit: m}\nrules: twelve-second\nrows: |\n  ..........\n"
        "movers:\n  - {id: ann, at: A1, stats: {mv: 8}}\n"
    )
    assert (
        "spent: 0.88 turns, 0.12 left"
        in run("resolve", str(dance), "--mover", "ann", "--gait", "walk", "--to", "H1").out
    )
    assert "0.12 turns left" in run("path", str(dance), "--mover", "ann", "--gait", "walk", "--to", "H1").out


def test_a_move_too_short_names_the_option_that_would_allow_it(run: Run, tmp_path: Path) -> None:
    lane = tmp_path / "lane.yaml"
    lane.write_text(
        "schema: 1\ngrid: {cell: 2, unit: m}\nrules: d6-reup\nrows: |\n  ..........\n"
        "movers:\n  - {id: ann, at: A1, stats: {move: 10, previous: cruising}}\n"
    )
    words = ("--mover", "ann", "--gait", "cautious")
    for answer in (run("path", str(lane), *words, "--to", "B1"), run("resolve", str(lane), *words, "--path", "A1,B1")):
        assert "less than the gait's minimum of 2.5 (unless cautious_minimum=zero)" in answer.out + answer.err
    assert run("path", str(lane), *words, "--to", "B1", "--option", "cautious_minimum=zero").status == 0
    cruising = run("path", str(lane), "--mover", "ann", "--gait", "cruising", "--to", "B1")
    assert "minimum" in cruising.out + cruising.err
    assert "unless" not in cruising.out + cruising.err
