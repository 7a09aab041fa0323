"""A move with more to it than the way: a second skill at its end (REUP-50), numbers for its stretches (OPR-34)."""

from __future__ import annotations

from pathlib import Path

import pytest

from tactical import Cell, GivenRoll, Move, Roll, Session, from_json, load, to_json
from tests.play.test_changes import Game

FIELD = """\
schema: 1
name: Field
grid: {type: square, cell: 1, unit: m}
rules: d6-reup
legend:
  "e": {terrain: field, level: E, number: 8}
rows: |
  eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee
movers:
  - {id: kit, at: A1, stats: {move: 10, code: 4D, climbing: 3D, previous: cruising}}
"""
CRAG = """\
schema: 1
name: Crag
grid: {type: square, cell: 5, unit: ft}
rules: operator
legend:
  "c": {terrain: crag, climb: true}
  ".": {terrain: floor}
rows: |
  .cc.c.
movers:
  - {id: kit, at: A1, stats: {speed: 60, athletics: 2}}
"""


def codes(answer: dict) -> list[str]:
    return [event["code"] for event in answer["events"]]


def test_the_second_skill_is_rolled_when_the_move_is_over_with_a_die_less_for_both() -> None:
    game = Game(FIELD)
    first = game.move("U1", "high", then="climbing=9")["events"][-1]["check"]
    assert (first["skill"], first["dice"], first["number"]) == ("running", "3D", 8)
    moved = game.do("given-roll", total=18)
    second = moved["events"][-1]["check"]
    assert codes(moved)[-2:] == ["move.ended", "roll.needed"]
    assert (second["skill"], second["dice"], second["number"]) == ("climbing/jumping", "2D", 9)
    assert game.do("end-turn")["kind"] == "refusal"
    rolled = game.do("given-roll", total=8)["events"]
    assert (rolled[-1]["passed"], rolled[-1]["margin"]) == (False, 1)
    assert game.do("end-turn")["kind"] == "accepted"


def test_there_is_no_second_skill_at_all_out_nor_after_a_fall() -> None:
    game = Game(FIELD)
    assert game.move("AE1", "all_out", then="climbing=9")["code"] == "move.action"
    game.move("U1", "high", then="climbing=15", stunt=10)
    fell = game.do("given-roll", total=9)
    assert codes(fell)[-1] == "move.halted"
    assert "no more actions" in fell["events"][-1]["reason"]["text"]
    assert game.do("end-turn")["kind"] == "accepted"


def test_a_second_skill_that_is_none_is_refused_or_wrong() -> None:
    game = Game(FIELD)
    assert game.move("U1", "high", then="flying=9")["code"] == "rules.not_covered"
    wrong = {"do": "move", "session": game.session, "mover": "kit", "to": "U1", "then": "climbing"}
    assert game.answer(**wrong)["ok"] is False
    assert Game(CRAG).move("B1", then="athletics=9")["code"] == "rules.not_covered"


def test_the_game_master_asks_for_a_check_on_any_stretch_and_for_none() -> None:
    game = Game(CRAG)
    wrong = {"do": "move", "session": game.session, "mover": "kit", "to": "F1", "dcs": [12]}
    assert "2 stretches" in str(game.answer(**wrong))
    asked = game.move("F1", dcs=[12, None])
    assert (asked["events"][-1]["check"]["number"], asked["events"][-1]["check"]["skill"]) == (12, "Athletics")
    assert codes(game.do("given-roll", total=12)) == ["roll.made", *["move.stepped"] * 5, "move.ended"]


def test_one_check_holds_for_a_whole_climb_and_its_miss_spends_it() -> None:
    game = Game(CRAG)
    game.move("D1", dcs=[12])
    short = game.do("given-roll", total=7)["events"]
    assert [event.get("badly") for event in short if event["code"] == "move.fell-short"] == [True]
    assert short[-1]["cell"] == [0, 0]
    assert short[-1]["cost"] == 20


@pytest.mark.parametrize("more", [{"then": "climbing=9"}, {"dcs": (12, None)}])
def test_a_move_with_more_to_it_is_written_and_read(more: dict) -> None:
    move = Move("kit", Cell(4, 0), **more)
    assert from_json(to_json(move)) == move


def test_a_game_is_saved_while_the_second_skill_waits(tmp_path: Path) -> None:
    path = tmp_path / "map.yaml"
    path.write_text(FIELD)
    session = Session.new(load(path))
    assert session.execute(Move("kit", Cell(20, 0), gait="high", then="climbing=9"))
    assert session.execute(GivenRoll("kit", total=18))
    again = Session.restore(session.snapshot())
    assert again.position.pending == session.position.pending
    assert [event.code for event in again.execute(Roll("kit"))] == ["roll.made"]


def test_who_is_felled_on_the_way_uses_no_second_skill() -> None:
    row = "eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee"
    foe = "  - {id: foe, at: E2, side: them, stats: {move: 10, code: 4D}}\n"
    text = FIELD.replace(f"  {row}\n", f"  {row}\n  {row}\n").replace("at: A1,", "at: A1, side: us,") + foe
    for answer, last in (("go-on", "roll.needed"), ("stop-here", "move.ended")):
        game = Game(text, options={"strikes": "leaving"})
        game.move("U1", "high", then="climbing=9", via=["E1"])
        assert codes(game.do("given-roll", total=18))[-1] == "attack.offered"
        assert codes(game.do(answer))[-1] == last
