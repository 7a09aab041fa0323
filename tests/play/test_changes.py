"""A rest, another action, and the game master's hand on a mover: asked over the desk, as a host asks."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tactical.hosts.desk import Desk

D6 = """\
schema: 1
name: Field
grid: {type: square, cell: 1, unit: m}
rules: RULES
legend:
  ".": {terrain: stones, level: D, number: 18}
rows: |
  ..............................
movers:
  - {id: kit, at: A1, stats: {move: 8, code: 5D, previous: cruising}}
"""
TWELVE = """\
schema: 1
name: Field
grid: {type: square, cell: 6, unit: m}
rules: twelve-second
legend:
  ".": {terrain: grass}
rows: |
  ....................
movers:
  - {id: kit, at: A1, stats: {strength: 10, dexterity: 14, endurance: 1}}
"""


class Game:
    """A game at a desk."""

    def __init__(self, content: str, **begin: object) -> None:
        self.desk = Desk()
        self.ask(do="load", content=content, format="native")
        self.session = self.ask(do="begin", map="m1", **begin)["session"]

    def answer(self, **request: object) -> dict[str, Any]:
        """One request and its whole answer."""
        found: dict[str, Any] = json.loads(self.desk.answer(json.dumps(request).encode()))
        return found

    def ask(self, **request: object) -> Any:
        """One request that is right, and its result."""
        found = self.answer(**request)
        assert found["ok"], found
        return found["result"]

    def do(self, do: str, mover: str = "kit", **more: object) -> Any:
        """One command and its result."""
        return self.ask(do="execute", session=self.session, command={"do": do, "mover": mover, **more})

    def move(self, to: str, gait: str = "", **more: object) -> Any:
        """One move and its result."""
        return self.ask(do="move", session=self.session, mover="kit", to=to, gait=gait, **more)

    def gaits(self) -> set[str]:
        """The gaits that are open now."""
        reach = self.ask(do="reach", session=self.session, mover="kit")
        return {band["gait"] for band in reach["bands"]}


@pytest.mark.parametrize("rules", ["d6-reup", "d6-revised"])
def test_another_action_takes_a_die_from_the_move_and_closes_all_out(rules: str) -> None:
    game = Game(D6.replace("RULES", rules))
    (first,) = game.do("act", what="aim")["events"]
    assert first["note"] == "aim"
    assert first.get("dice", 0) == 0
    (second,) = game.do("act", what="fire")["events"]
    assert second["dice"] == -1
    assert game.move("Y1", "all_out")["code"] == "move.action"
    paused = game.move("I1", "cruising")
    assert paused["events"][-1]["check"]["dice"] == "3D"
    game.do("given-roll", total=18)
    assert game.do("act")["events"][0]["dice"] == -3
    game.do("end-turn")
    assert game.do("act")["events"][0].get("dice", 0) == 0


def test_nobody_acts_after_all_out_or_after_a_fall() -> None:
    game = Game(D6.replace("RULES", "d6-reup"))
    game.move("Y1", "all_out")
    game.do("given-roll", passed=True)
    assert game.do("act", what="aim")["code"] == "move.action"
    game = Game(D6.replace("RULES", "d6-reup"))
    game.move("I1", "cruising")
    game.do("given-roll", total=5)
    assert game.do("act", what="aim")["code"] == "move.action"


def test_a_slip_takes_dice_from_what_is_done_after_it() -> None:
    game = Game(D6.replace("RULES", "d6-reup"))
    game.move("I1", "cruising")
    game.do("given-roll", total=16)
    assert game.do("act", what="aim")["events"][0]["dice"] == -2


def test_a_rest_gives_the_hard_turns_back() -> None:
    game = Game(TWELVE)
    game.move("H1", "run")
    game.do("end-turn")
    assert game.move("O1", "run")["code"] == "move.mode"
    assert game.do("rest")["events"] == [{"code": "mover.rested", "mover": "kit"}]
    assert game.move("O1", "run")["kind"] == "accepted"


def test_who_has_rested_is_at_a_stop() -> None:
    game = Game(D6.replace("RULES", "d6-reup"))
    assert game.do("end-turn")["kind"] == "accepted"
    game = Game(D6.replace("RULES", "d6-reup").replace("cruising", "all_out"))
    assert game.do("end-turn")["code"] == "move.speed_change"
    game.do("rest")
    assert game.do("end-turn")["kind"] == "accepted"
    assert game.gaits() == {"cautious", "cruising"}


@pytest.mark.parametrize("rules", ["operator", "plain"])
def test_a_rest_is_no_fault_where_nothing_is_counted(rules: str) -> None:
    content = TWELVE.replace("twelve-second", rules).replace("unit: m", "unit: ft")
    game = Game(content.replace("strength: 10, dexterity: 14, endurance: 1", "speed: 30"))
    assert game.do("rest")["kind"] == "accepted"


def test_the_game_master_changes_stats_and_side() -> None:
    game = Game(D6.replace("RULES", "d6-revised").replace("move: 8", "kind: vehicle, move: 8"))
    assert "high" in game.gaits()
    (event,) = game.do("set-mover", stats={"lost_moves": 2}, side="guild")["events"]
    assert event == {"code": "mover.changed", "mover": "kit", "what": ["lost_moves", "side"]}
    assert "high" not in game.gaits()
    game.do("set-mover", stats={"lost_moves": None})
    assert "high" in game.gaits()
    assert game.do("set-mover", stats={})["code"] == "play.nothing_to_do"
    game.ask(do="undo", session=game.session)
    assert "high" not in game.gaits()


def test_the_speed_of_the_last_round_can_be_put_right_at_any_time() -> None:
    game = Game(D6.replace("RULES", "d6-reup"))
    game.do("end-turn")
    assert game.gaits() == {"cautious", "cruising"}
    game.do("set-mover", stats={"previous": "high"})
    assert "all_out" in game.gaits()


@pytest.mark.parametrize(("stats", "words"), [({"lost_moos": 1}, "lost_moos"), ({"move": "far"}, "move")])
def test_stats_that_are_none_are_not_taken(stats: dict[str, object], words: str) -> None:
    game = Game(D6.replace("RULES", "d6-reup"))
    command = {"do": "set-mover", "mover": "kit", "stats": stats}
    answer = game.answer(do="execute", session=game.session, command=command)
    assert answer["ok"] is False
    assert answer["error"]["code"] == "rules"
    assert words in answer["error"]["text"]


def test_a_body_grows_only_where_it_has_room() -> None:
    game = Game(D6.replace("RULES", "d6-reup"))
    assert game.do("set-mover", size=2)["kind"] == "refusal"
    assert game.do("set-mover", name="Kit the Small")["kind"] == "accepted"
