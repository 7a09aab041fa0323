"""Who strikes from hiding, who is struck in hiding, and what of it is told to whom."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest

import tactical
from tactical import Barrier, Battlemap, Cell, Disengage, GoOn, Move, Mover, OpenDoor, Session, StopHere
from tactical.play.events import AttackOffered
from tests.cli.conftest import Run, run

__all__ = ["run"]

GONE = Cell(4, 1)


def field(*, hidden: bool = True, sneaking: bool = False, dark: bool = False) -> Battlemap:
    """A hero on A2 who would pass an enemy on C1; more than 5 ft of ground in between."""
    rows = ["..?..." if dark else "......", "......", "......"]
    movers = (
        Mover("pc", "operator", {"speed": 30}, Cell(0, 1), "heroes", hidden=sneaking),
        Mover("hid", "operator", {"speed": 30}, Cell(2, 0), "horde", hidden=hidden, name="Snatcher"),
    )
    legend = {"?": {"terrain": "den", "unknown": True}} if dark else None
    return Battlemap.from_rows(rows, legend, rules="operator", movers=movers)


def codes(answer: tactical.Accepted | tactical.Refusal) -> list[str]:
    assert isinstance(answer, tactical.Accepted), answer
    return [event.code for event in answer]


def offered(**given: bool) -> tuple[Session, tactical.Accepted]:
    session = Session.new(field(**given))
    route = session.route("pc", GONE)
    assert isinstance(route, tactical.Route)
    assert not route.provokes
    answer = session.execute(Move("pc", route))
    assert isinstance(answer, tactical.Accepted)
    return session, answer


def test_the_offer_of_a_hidden_strike_is_for_the_game_master() -> None:
    session, answer = offered()
    (offer,) = answer.of(AttackOffered)
    assert offer.hidden
    assert offer.enemy == "hid"
    told = answer.for_players()
    assert list(told) == [event for event in answer if event is not offer]
    words = " ".join(event.text for event in told) + json.dumps(tactical.to_json(told))
    assert "hid" not in words
    # what is foreseen for the mover does not change while the game master decides
    assert not session.reach("pc").threatened()


@pytest.mark.parametrize("answer", [GoOn("pc"), StopHere("pc"), GoOn(""), StopHere("")], ids=repr)
def test_any_answer_brings_the_striker_to_light_and_seals_undo(answer: tactical.Command) -> None:
    session, _ = offered()
    done = session.execute(answer)
    assert codes(done)[:2] == ["secret.revealed", "attack.answered"]
    assert isinstance(done, tactical.Accepted)
    revealed = tactical.to_json(done)["events"][0]
    assert (revealed["mover"], revealed["what"], revealed["name"]) == ("pc", "mover", "hid")
    assert not session.position.mover("hid").hidden
    assert done.for_players() == done
    refusal = session.undo()
    assert isinstance(refusal, tactical.Refusal)
    assert refusal.code == "play.sealed"
    assert session.reach("pc").threatened()


def test_the_move_can_be_taken_back_before_the_answer() -> None:
    session, _ = offered()
    assert session.undo()
    assert session.position.mover("hid").hidden


def test_who_stands_on_unexplored_ground_is_hidden_too() -> None:
    session, answer = offered(hidden=False, dark=True)
    assert "hid" not in " ".join(event.text for event in answer.for_players())
    done = session.execute(GoOn("pc"))
    assert codes(done)[:3] == ["secret.revealed", "cells.explored", "attack.answered"]
    assert session.position.sees("pc", "hid")
    assert not session.undo()


def test_a_save_plays_it_again(tmp_path: Any) -> None:
    session, _ = offered()
    session.execute(GoOn("pc"))
    session.save(tmp_path / "game.jsonl")
    again = Session.load(tmp_path / "game.jsonl")
    assert again.position == session.position
    assert again.log == session.log


def test_a_seen_enemy_strikes_as_ever() -> None:
    session = Session.new(field(hidden=False))
    route = session.route("pc", GONE, via=[Cell(1, 1), Cell(2, 1)])
    assert isinstance(route, tactical.Route)
    assert [one.enemy for one in route.provokes] == ["hid"]
    answer = session.execute(Move("pc", route))
    assert codes(answer)[-1] == "attack.offered"
    assert isinstance(answer, tactical.Accepted)
    assert answer.for_players() == answer
    assert codes(session.execute(GoOn("pc")))[0] == "attack.answered"
    assert session.undo()


def test_nobody_strikes_at_whom_it_does_not_know() -> None:
    for hidden in (False, True):
        session = Session.new(field(hidden=hidden, sneaking=True))
        route = session.route("pc", GONE, via=[Cell(1, 1), Cell(2, 1)])
        assert isinstance(route, tactical.Route)
        assert not route.provokes
        assert "attack.offered" not in codes(session.execute(Move("pc", route)))
    found = tactical.reach(field(hidden=False, sneaking=True), "pc")
    assert [choice.risk for choice in found.risks(GONE, "attacks")] == [0]
    # the player still sees how far the enemy reaches
    assert found.threatened()


def test_who_disengages_is_not_struck_from_hiding_either() -> None:
    session = Session.new(field())
    session.execute(Disengage("pc"))
    assert "attack.offered" not in codes(session.execute(Move("pc", GONE)))
    assert session.position.mover("hid").hidden


def test_over_stdio() -> None:
    asked = (
        {"do": "load", "content": str(tactical.dump(field()))},
        {"do": "begin", "map": "m1"},
        {"do": "move", "session": "s2", "mover": "pc", "to": "E2"},
        {"do": "execute", "session": "s2", "command": {"do": "go-on", "mover": "pc"}},
        {"do": "undo", "session": "s2"},
    )
    lines = "".join(json.dumps({"id": n, **one}) + "\n" for n, one in enumerate(asked))
    done = subprocess.run(
        [sys.executable, "-m", "tactical", "serve", "--stdio"], input=lines, capture_output=True, text=True, check=True
    )
    moved, went, undone = [json.loads(line)["result"] for line in done.stdout.splitlines()[2:]]
    assert moved["events"][-1]["code"] == "attack.offered"
    assert moved["events"][-1]["hidden"] is True
    assert went["events"][0]["code"] == "secret.revealed"
    assert undone["code"] == "play.sealed"


# -- what seems to be a door ------------------------------------------------------------------------------------------


def false_door(truth: str) -> Session:
    gate = Barrier(((1, 0), (1, 1)), "door", "gate", "closed", truth=truth)
    return Session.new(
        Battlemap.from_rows(["..."], rules="plain", barriers=(gate,), movers=(Mover("pc", at=(0, 0), side="heroes"),))
    )


@pytest.mark.parametrize("truth", ["wall", "door-locked", "window"])
def test_a_hand_on_a_false_door_finds_out(truth: str) -> None:
    session = false_door(truth)
    assert codes(session.execute(OpenDoor("gate", "pc"))) == ["secret.revealed"]
    (barrier,) = session.battlemap.barriers
    assert not barrier.truth
    assert str(barrier.kind) == truth.partition("-")[0]
    assert not session.undo()


def test_pictures_for_players_name_nothing_hidden(run: Run, tmp_path: Any) -> None:
    for name, secret in (("dungeon", "vault-back"), ("village", "strongroom-back")):
        for words in ((), ("--referee",)):
            assert run("render", name, "-o", str(tmp_path / "map.svg"), *words).status == 0
            assert (secret in (tmp_path / "map.svg").read_text(encoding="utf-8")) == bool(words)


def test_the_game_masters_picture_shows_all() -> None:
    battlemap = field(dark=True)
    assert "Snatcher" in str(tactical.render(battlemap, referee=True))
    assert "den" in str(tactical.render(battlemap, referee=True))
    assert "Snatcher" not in str(tactical.render(battlemap))
    assert "den" not in str(tactical.render(battlemap)).replace("hidden", "")


def test_no_error_names_what_hides() -> None:
    secret = Barrier(((3, 0), (3, 1)), "door", id="snug", state="secret")
    shown = Barrier(((5, 0), (5, 1)), "door", id="gate", state="closed")
    session = Session.new(tactical.Battlemap.with_(field(), barriers=(secret, shown)))
    said = []
    for command in (Move("hod", GONE), OpenDoor("snag"), OpenDoor("snag", "pc"), tactical.EndTurn("pcc")):
        with pytest.raises(tactical.UnknownName) as caught:
            session.execute(command)
        said.append(str(caught.value))
    assert not any("hid" in text or "snug" in text for text in said), said
    assert "pc" in said[0]
    assert "gate" in said[1]


def test_a_hidden_ones_turn_is_not_told_to_the_players() -> None:
    session = Session.new(field(), order=("pc", "hid"))
    ended = session.execute(tactical.EndTurn("pc"))
    assert "turn.began" in codes(ended)
    assert isinstance(ended, tactical.Accepted)
    assert "hid" not in str(ended.for_players().events)
    refused = session.execute(Move("pc", GONE))
    assert isinstance(refused, tactical.Refusal)
    assert refused.code == "play.not_your_turn"
    assert "hid" not in refused.text


@pytest.mark.parametrize("rules", ["plain", "operator", "d6-reup", "d6-revised", "twelve-second", "shapers"])
def test_only_rules_that_know_of_it_let_enemies_strike_at_who_leaves(rules: str) -> None:
    """Of the texts only operator's has such a strike (OPR-32); a table may have it, or not, under all of them."""
    stats = {"plain": {"speed": 30}, "twelve-second": {"mv": 30}, "shapers": {"pa": 4, "pf": 4}}.get(rules, {})
    hero, foe = Mover("hero", rules, stats, Cell(0, 0), "us"), Mover("foe", rules, stats, Cell(0, 1), "them")
    side = 5 if rules in ("plain", "operator") else 1
    board = Battlemap.from_rows(["." * 12] * 2, cell=side, unit="ft" if side == 5 else "m", rules=rules)
    board = board.with_(movers=[hero, foe])
    for options, struck in (
        ({}, rules in ("plain", "operator")),
        ({"strikes": "leaving"}, True),
        ({"strikes": "none"}, False),
    ):
        game = Session.new(board, options=options)
        route = game.route("hero", Cell(4, 0))
        assert isinstance(route, tactical.Route)
        assert bool(route.provokes) == struck, options
        assert ("attack.offered" in codes(game.execute(Move("hero", route)))) == struck, options


def test_who_has_struck_has_struck_though_the_mover_ends_before_it_and_pays_no_further() -> None:
    """Struck at while passing two friends, then stopped by one in hiding: back to where it could stop (OPR-A17)."""
    friends = [Mover(name, at=(col, 0), side="heroes") for name, col in (("pc", 0), ("one", 2), ("two", 3))]
    foes = [Mover("orc", at=(1, 1), side="horde"), Mover("hid", at=(4, 0), side="horde", hidden=True, reach=0)]
    session = Session.new(Battlemap.from_rows(["......", "#.####"], rules="operator", movers=[*friends, *foes]))
    assert codes(session.execute(Move("pc", Cell(5, 0))))[-1] == "attack.offered"
    done = session.execute(GoOn("pc"))
    assert codes(done) == ["attack.answered", "secret.revealed", "move.halted", "move.ended"]
    assert isinstance(done, tactical.Accepted)
    status = session.position.status("pc")
    assert (status.state.cell, status.turn.spent, status.turn.struck) == (Cell(1, 0), 5, frozenset({"orc"}))
    assert done.of(tactical.Ended)[0].cost == 5
    away = session.execute(Move("pc", Cell(0, 0)))
    assert codes(away) == ["move.stepped", "move.ended"]
