"""Ramming (REV-35 … 39): the same on the command line, in a game and in the odds."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from tactical import Cell, GivenRoll, Move, Rammed, Session, from_json, load, to_json
from tests.cli.conftest import Run, run
from tests.play.test_changes import Game

__all__ = ["run"]

YARD = """\
schema: 1
name: Yard
grid: {type: square, cell: 5, unit: m}
rules: d6-revised
options: {vehicle_failure: as_character}
legend:
  "d": {terrain: scrap, level: D, number: 17}
  "e": {terrain: lane, level: E, number: 7}
rows: |
  dddddddddddd
  eeeeeeeeeeee
movers:
  - {id: kit, at: A1,
     stats: {kind: vehicle, move: 20, vehicle_operation: 5D, maneuverability: 1D+1, previous: cruising}}
  - {id: foe, at: F1, side: foe, stats: {kind: vehicle, move: 20, code: 3D}}
"""
LANE = YARD.replace("at: A1", "at: A2").replace("at: F1", "at: F2")


@pytest.fixture
def yard(tmp_path: Path) -> Any:
    """Write the map and give its path."""

    def write(content: str = YARD) -> str:
        (tmp_path / "map.yaml").write_text(content)
        return str(tmp_path / "map.yaml")

    return write


ENDS = [(27, "ram", None), (26, "safe", None), (17, "safe", None), (16, "failure", 1), (10, "failure", 7)]


@pytest.mark.parametrize(("total", "outcome", "margin"), ENDS)
def test_a_ram_is_won_missed_or_fails_as_the_move_does(
    run: Run, yard: Any, total: int, outcome: str, margin: int | None
) -> None:
    path = yard()
    words = ("resolve", path, "--mover", "kit", "--to", "E1", "--gait", "cruising", "--ram", "foe")
    found = run(*words, "--roll", str(total), "--json").json
    wanted = {"target": "foe", "number": 17, "ram_number": 27, "dice": -1, "outcome": outcome, "margin": margin}
    assert found["ram"] == wanted
    assert (found["checks"][0]["number"], found["checks"][0]["dice"]) == (17, "5D+1")
    assert (found["outcome"]["result"] == "ok") is (outcome != "failure")
    assert "foe" in run(*words, "--roll", str(total)).out
    game = Session.new(load(path))
    assert game.execute(Move("kit", Cell(4, 0), gait="cruising", ram="foe"))
    events = list(game.execute(GivenRoll("kit", total)))
    rammed = next(event for event in events if isinstance(event, Rammed))
    assert rammed == Rammed("kit", "foe", 17, 27, -1, outcome, margin)
    assert from_json(to_json(rammed)) == rammed


def test_the_ram_is_an_action_of_the_round() -> None:
    game = Game(YARD)
    game.do("act", what="fire")
    asked = game.move("E1", "cruising", ram="foe")
    assert asked["events"][-1]["check"]["dice"] == "4D+1", "two actions before the move's own"
    assert game.do("given-roll", passed=True)["code"] == "play.total_needed"
    game.do("given-roll", total=25)
    assert game.do("act", what="fire")["events"][0]["dice"] == -3


def test_a_move_that_needs_no_roll_is_rolled_for_a_ram(run: Run, yard: Any) -> None:
    words = ("resolve", yard(LANE), "--mover", "kit", "--to", "E2", "--gait", "cruising", "--ram", "foe", "--json")
    found = run(*words, "--roll", "6").json
    assert (found["checks"][0]["number"], found["ram"]["outcome"], found["ram"]["margin"]) == (7, "failure", 1)
    free = run(*words, "--roll", "6", "--option", "ram_roll_always=false").json
    assert (free["ram"]["outcome"], free["outcome"]["result"], free["end"]) == ("safe", "ok", "E2")
    assert (free["checks"][0]["number"], free["ram"]["ram_number"]) == (17, 17), "only the target is at stake"
    game = Game(LANE, options={"ram_roll_always": False})
    game.move("E2", "cruising", ram="foe")
    done = game.do("given-roll", total=6)
    assert [event["outcome"] for event in done["events"] if event["code"] == "ram.made"] == ["safe"]
    assert done["events"][-1]["cell"] == [4, 1]


def test_meeting_the_number_is_enough_unless_the_table_wants_it_beaten(run: Run, yard: Any) -> None:
    words = ("resolve", yard(), "--mover", "kit", "--to", "E1", "--gait", "cruising", "--ram", "foe", "--json")
    assert run(*words, "--roll", "27", "--option", "meet_succeeds=false").json["ram"]["outcome"] == "safe"
    assert run(*words, "--roll", "28", "--option", "meet_succeeds=false").json["ram"]["outcome"] == "ram"
    assert run(*words, "--roll", "17", "--option", "meet_succeeds=false").json["ram"]["outcome"] == "safe"


def test_nobody_rams_at_all_out_but_by_the_option(run: Run, yard: Any) -> None:
    far = YARD.replace("at: F1", "at: L1").replace("previous: cruising", "previous: high").replace("5D", "12D")
    words = ("resolve", yard(far), "--mover", "kit", "--to", "K1", "--gait", "all-out", "--ram", "foe", "--json")
    refused = run(*words, "--roll", "60")
    assert refused.status == 1
    assert refused.json["refusal"]["code"] == "move.action"
    assert run(*words, "--roll", "60", "--option", "ram_at_all_out=true").json["ram"]["outcome"] == "ram"


def test_a_ram_ends_beside_its_target(run: Run, yard: Any) -> None:
    words = ("resolve", yard(), "--mover", "kit", "--gait", "cruising", "--ram", "foe", "--roll", "30", "--json")
    assert run(*words, "--to", "D1").json["refusal"]["code"] == "move.not_beside"
    assert run(*words, "--to", "E2").json["ram"]["outcome"] == "ram", "a corner is beside"
    assert run(*words[:-5], "nobody", *words[-3:], "--to", "E1").status == 2
    game = Game(YARD)
    before = game.ask(do="position", session=game.session)
    assert game.move("D1", "cruising", ram="foe")["code"] == "move.not_beside"
    assert game.ask(do="position", session=game.session) == before
    answer = game.answer(do="move", session=game.session, mover="kit", to="E1", ram="nobody")
    assert answer["ok"] is False


def test_other_rules_know_no_ramming(run: Run, yard: Any) -> None:
    plain = YARD.replace("options: {vehicle_failure: as_character}\n", "").replace("kind: vehicle, ", "")
    path = yard(plain.replace("maneuverability: 1D+1, ", ""))
    refused = run("resolve", path, "--mover", "kit", "--to", "E1", "--rules", "d6-reup", "--ram", "foe", "--json")
    assert refused.json["refusal"]["code"] == "rules.not_covered"


def test_the_chances_of_a_ram_add_up(run: Run) -> None:
    words = ("odds", "--rules", "d6-revised", "--stat", "kind=vehicle", "--stat", "move=20", "--stat",
             "code=3D", "--previous-speed", "cruising", "--gait", "cruising", "--fact", "level=D", "--fact",
             "number=16")  # fmt: skip
    found = run(*words, "--ram", "--json").json["ram"]
    # 2D against 16 and 26
    assert found == {"ram": 0, "safe": 0, "failure": 1}
    easy = run(*words[:-3], "level=E", "--fact", "number=6", "--ram", "--json").json["ram"]
    # 2D: at least 16 never, at least 6 in 26 of 36
    assert easy == {"ram": 0, "safe": "13/18", "failure": "5/18"}
    assert sum(Fraction(part) for part in easy.values()) == 1
    assert "ram" in run(*words, "--ram").out
    assert run("odds", "--dice", "3D", "--number", "5", "--ram").status == 2
