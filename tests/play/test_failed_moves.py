"""What a failed roll does to a D6 move, and what may be done where there is no way on; asked over the desk."""

from __future__ import annotations

import pytest

from tests.play.test_changes import Game

ROAD = """\
schema: 1
name: Road
grid: {type: square, cell: 1, unit: m}
rules: d6-reup
legend:
  ".": {terrain: gravel, level: M, number: 14}
  "n": {terrain: steps, level: M, number: 14, no_stop: true}
  "#": {terrain: wall, impassable: true}
rows: |
  .......nn...........
movers:
  - {id: kit, at: A1, stats: {move: 8, code: 5D, previous: cruising}}
"""
UNKNOWN = ROAD.replace("level: M, number: 14", "level: D")


def paused(content: str = ROAD, to: str = "Q1", gait: str = "high", **begin: object) -> Game:
    """A game in which a move waits for its roll."""
    game = Game(content, **begin)
    assert game.move(to, gait)["events"][-1]["code"] == "roll.needed"
    return game


def test_who_slips_ends_where_one_may_and_is_told_what_it_costs() -> None:
    answer = paused().do("given-roll", total=9)
    (short,) = (event for event in answer["events"] if event["code"] == "move.fell-short")
    assert short["moved"] == 8
    assert answer["events"][-1]["cell"] == [6, 0]
    assert short["penalty"] == {"dice_now": -3, "dice_next": -1}
    assert "-3D this round, -1D next round" in " ".join(answer["text"])


def test_a_tumble_tells_of_the_actions_it_takes() -> None:
    answer = paused(ROAD.replace("5D", "3D")).do("given-roll", total=3)
    assert "no actions this round and the next" in " ".join(answer["text"])


def test_a_failure_without_a_total_is_not_enough() -> None:
    game = paused()
    assert game.do("given-roll", passed=False)["code"] == "play.total_needed"
    assert game.do("given-roll", passed=True)["events"][-1]["cell"] == [16, 0]


def test_the_number_comes_with_the_roll() -> None:
    game = Game(UNKNOWN)
    check = game.move("G1", "cruising")["events"][-1]["check"]
    assert check["level"] == "D"
    assert check.get("number") is None
    assert game.do("given-roll", total=20)["code"] == "rules.number_missing"
    assert game.do("given-roll", total=20, number=21)["code"] == "rules.number_level"
    answer = game.do("given-roll", total=18, number=19)
    assert answer["events"][0]["margin"] == 1
    assert "slight slip" in " ".join(answer["text"])
    assert answer["events"][-1]["cell"] == [6, 0]


def test_a_die_against_a_number_that_was_given_is_thrown_all_the_same() -> None:
    game = Game(UNKNOWN)
    game.move("G1", "cruising")
    assert game.do("roll")["code"] == "rules.number_missing"
    assert game.do("roll", number=21)["code"] == "rules.number_level"
    rolled = game.do("roll", number=19)["events"][0]
    assert not rolled.get("given")
    assert rolled["margin"] == 19 - rolled["total"]
    assert sum(rolled["dice"]) == rolled["total"]
    undone = game.ask(do="undo", session=game.session)
    assert undone["kind"] == "refusal", "what dice have shown nobody forgets"
    assert game.do("roll", dice="2D", number=19)["code"] == "play.not_waiting", "where nothing waits no number counts"


def test_the_number_for_a_shifted_level() -> None:
    game = Game(UNKNOWN)
    assert game.move("Q1", "high")["events"][-1]["check"]["level"] == "VD"
    assert game.do("given-roll", total=24, number=24)["events"][-1]["cell"] == [16, 0]


@pytest.mark.parametrize(("rows", "ends"), [(".####", True), (".....", False)])
def test_only_who_has_no_way_on_may_stop_short(rows: str, ends: bool) -> None:
    game = Game(ROAD.replace(".......nn...........", rows).replace("previous: cruising", "previous: all_out"))
    assert (game.do("end-turn")["kind"] == "accepted") is ends


def test_the_blocked_go_as_far_as_there_is_a_way() -> None:
    game = Game(ROAD.replace(".......nn...........", "...#").replace("previous: cruising", "previous: all_out"))
    assert game.do("end-turn")["code"] == "move.speed_change"
    assert game.move("B1", "cruising")["code"] == "move.min_distance"
    answer = game.move("C1", "cruising")
    assert answer["events"][-1]["blocked"] is True
    assert "blocked" in answer["text"][-1]
    assert game.do("end-turn")["kind"] == "accepted"


def test_who_may_not_act_is_not_made_to_go_on() -> None:
    game = paused(ROAD.replace("5D", "3D"), options={"speed_after_fall": "kept"})
    game.do("given-roll", total=3)
    game.do("end-turn")
    assert game.move("H1")["kind"] == "refusal"
    assert game.do("end-turn")["kind"] == "accepted"
