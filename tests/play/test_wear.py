"""Speeds kept up over the rounds of a game, and what damage leaves of a vehicle: asked over the desk."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tactical import (
    Cell,
    Damage,
    Damaged,
    EffortFailed,
    EndTurn,
    GivenRoll,
    Move,
    Rolled,
    Session,
    TurnEnded,
    from_json,
    load,
    to_json,
)  # fmt: skip
from tactical.cli import main
from tests.play.test_changes import Game

TRACK = """\
schema: 1
name: Track
grid: {type: square, cell: CELL, unit: m}
rules: RULES
legend:
  ".": {terrain: track, level: VE, number: 2}
rows: |
  ............................................................................................................
movers:
  - {id: kit, at: A1, stats: {STATS}}
"""


def track(rules: str, stats: str, cell: int = 1) -> str:
    return TRACK.replace("RULES", rules).replace("STATS", stats).replace("CELL", str(cell))


RUNNER = "move: 5, code: 4D, stamina: 3D, previous: high"
CAR = "kind: vehicle, move: 20, code: 4D, body_strength: 2D+1, maneuverability: 1D+2, previous: high"


def rounds(game: Game, gait: str, number: int, by: int, at: int = 0) -> Any:
    """So many rounds at a gait, `by` cells each; the answer to the last end of a turn."""
    answer = None
    for _ in range(number):
        at += by
        done = game.move([at, 0], gait)  # type: ignore[arg-type]
        assert done["kind"] == "accepted", done
        if done["events"][-1]["code"] == "roll.needed":
            game.do("given-roll", passed=True)
        answer = game.do("end-turn")
    return answer


def codes(answer: Any) -> list[str]:
    return [event["code"] for event in answer["events"]]


# -- stamina (REUP-36 … 40, REV-21 … 23) ------------------------------------------------------------------------------


@pytest.mark.parametrize("rules", ["d6-reup", "d6-revised"])
@pytest.mark.parametrize(("gait", "seconds", "by"), [("all_out", 60, 10), ("high", 600, 5)])
def test_a_roll_is_due_when_an_interval_is_complete(rules: str, gait: str, seconds: int, by: int) -> None:
    game = Game(track(rules, RUNNER), options={"round_seconds": seconds // 3})
    assert codes(rounds(game, gait, 2, by)) == ["turn.ended"]
    third = rounds(game, gait, 1, by, 2 * by)
    assert codes(third) == ["roll.needed"]
    check = third["events"][0]["check"]
    assert (check["skill"], check["level"], check["dice"], check["kind"]) == ("stamina", "VE", "3D", "effort")
    assert check.get("number") is None, "the game master names it, or option default_number"
    assert game.move("B1")["code"] == "play.waiting"
    assert game.do("given-roll", total=4)["code"] == "rules.number_missing"
    passed = game.do("given-roll", total=4, number=4)
    assert codes(passed) == ["roll.made", "turn.ended"]
    again = rounds(game, gait, 3, by, 3 * by)
    assert again["events"][0]["check"]["level"] == "E", "each later roll is one level harder"


def test_who_fails_rests_twice_the_time() -> None:
    game = Game(track("d6-reup", RUNNER), options={"round_seconds": 20, "default_number": "high"})
    rounds(game, "all_out", 3, 10)
    failed = game.do("given-roll", total=3)
    assert codes(failed) == ["roll.made", "effort.failed", "turn.ended"]
    assert failed["events"][1] == {"code": "effort.failed", "mover": "kit", "rest": 120}
    refused = game.move([31, 0])  # type: ignore[arg-type]
    assert refused["code"] == "move.rest"
    assert "120 s" in refused["text"]
    for _ in range(5):
        game.do("end-turn")
        assert game.move([31, 0])["code"] == "move.rest"  # type: ignore[arg-type]
    game.do("end-turn")  # six rounds of 20 s
    assert game.move([35, 0])["kind"] == "accepted"  # type: ignore[arg-type]


def test_a_rest_pays_what_is_owed_and_begins_the_count_anew() -> None:
    game = Game(track("d6-reup", RUNNER), options={"round_seconds": 30, "default_number": "high"})
    rounds(game, "all_out", 2, 10)
    game.do("given-roll", total=3)
    game.do("rest")
    assert game.move([25, 0], "cruising")["kind"] == "accepted"  # type: ignore[arg-type]
    game.do("end-turn")
    due = rounds(game, "all_out", 2, 10, 25)
    assert due["events"][0]["check"]["level"] == "VE"


@pytest.mark.parametrize(("reset", "level"), [("after_equal_rest", "E"), ("on_slower", "VE"), ("never", "E")])
def test_one_slower_round_counts_as_the_table_says(reset: str, level: str) -> None:
    game = Game(track("d6-reup", RUNNER), options={
        "round_seconds": 30, "default_number": "low", "stamina_reset": reset})  # fmt: skip
    rounds(game, "all_out", 2, 10)
    game.do("given-roll", total=9)
    rounds(game, "high", 1, 5, 20)
    assert codes(rounds(game, "all_out", 1, 10, 25)) == ["turn.ended"]
    due = rounds(game, "all_out", 1, 10, 35)
    assert due["events"][0]["check"]["level"] == level


def test_an_equal_rest_begins_the_ladder_anew_but_not_where_it_never_does() -> None:
    for reset, level in (("after_equal_rest", "VE"), ("never", "E")):
        game = Game(track("d6-reup", RUNNER.replace("high", "cruising")), options={
            "round_seconds": 30, "default_number": "low", "stamina_reset": reset, "forced_continuation": "off",
        })  # fmt: skip
        rounds(game, "all_out", 2, 10)
        game.do("given-roll", total=9)
        game.do("end-turn")
        game.do("end-turn")
        game.do("set-mover", stats={"previous": "high"})
        due = rounds(game, "all_out", 2, 10, 20)
        assert due["events"][0]["check"]["level"] == level


def test_several_rolls_of_one_long_round_come_one_by_one() -> None:
    game = Game(track("d6-reup", RUNNER), options={"round_seconds": 120, "default_number": "high"})
    first = rounds(game, "all_out", 1, 10)
    assert first["events"][0]["check"]["level"] == "VE"
    second = game.do("given-roll", total=5)
    assert codes(second) == ["roll.made", "roll.needed"]
    assert second["events"][1]["check"]["level"] == "E"
    assert game.do("given-roll", total=3)["events"][1]["rest"] == 240


def test_the_overloaded_may_be_put_under_the_rules_of_a_march() -> None:
    loaded = "move: 5, code: 4D, strength: 2D, stamina: 3D, carried: 7, previous: cruising"
    for effect, due in (("flag", ["turn.ended"]), ("long_distance", ["roll.needed"])):
        game = Game(track("d6-reup", loaded), options={"round_seconds": 10800, "overload_effect": effect})
        assert codes(rounds(game, "cruising", 1, 5)) == due


def test_a_game_saved_while_a_roll_of_stamina_waits_goes_on(tmp_path: Path) -> None:
    (tmp_path / "map.yaml").write_text(track("d6-reup", RUNNER))
    game = Session.new(load(tmp_path / "map.yaml"), options={"round_seconds": 60, "default_number": "high"})
    assert game.execute(Move("kit", Cell(10, 0), gait="all_out"))
    assert game.execute(GivenRoll("kit", passed=True))
    assert game.execute(EndTurn("kit"))
    game.save(tmp_path / "game.jsonl")
    again = Session.load(tmp_path / "game.jsonl")
    assert again.position == game.position
    assert [type(event) for event in again.execute(GivenRoll("kit", 3))] == [Rolled, EffortFailed, TurnEnded]


# -- vehicles (REV-24 … 27, 40 … 51) ----------------------------------------------------------------------------------


def test_a_vehicle_strains_or_breaks_down() -> None:
    for total, kind in ((5, "strain"), (4, "mechanical_failure")):
        game = Game(track("d6-revised", CAR, 5), options={"round_seconds": 1800})
        due = rounds(game, "all_out", 1, 8)
        assert due["events"][0]["check"]["skill"] == "body strength"
        game.do("given-roll", passed=True, number=5)
        game.do("given-roll", passed=True, number=10)
        assert game.do("given-roll", passed=False, number=15)["code"] == "play.total_needed"
        failed = game.do("given-roll", total=total, number=15)
        assert failed["events"][1]["kind"] == kind
        assert game.move([10, 0])["code"] == "move.rest"  # type: ignore[arg-type]
        for _ in range(2):
            game.do("end-turn")
        assert (game.move([10, 0])["kind"] == "accepted") is (kind == "strain")  # type: ignore[arg-type]
        game.do("rest")
        game.do("end-turn")
        assert "cautious" in game.gaits()


DAMAGES = [
    # state, die, maneuverability before and after, lost Moves, weapons of two (REV-40 … 44)
    ("lightly", 1, "1D+2", "0D+2", 0, 2), ("lightly", 3, "0D", "0D", 1, 2), ("lightly", 4, "1D", "1D", 0, 1),
    ("lightly", 5, "1D", "1D", 1, 2), ("lightly", 6, "1D", "1D", 1, 2), ("heavily", 2, "3D+1", "1D+1", 0, 2),
    ("heavily", 3, "1D", "0D", 0, 2), ("heavily", 1, "0D", "0D", 2, 2), ("heavily", 4, "1D", "1D", 2, 2),
    ("heavily", 6, "1D", "1D", 2, 2),
]  # fmt: skip


@pytest.mark.parametrize(("state", "die", "before", "after", "lost", "weapons"), DAMAGES)
def test_damage_by_its_die(state: str, die: int, before: str, after: str, lost: int, weapons: int) -> None:
    game = Game(track("d6-revised", f"kind: vehicle, move: 20, code: 4D, maneuverability: {before}, weapons: 2", 5))
    (event,) = game.do("damage", state=state, die=die)["events"]
    assert event["code"] == "vehicle.damaged"
    assert (event["state"], event["die"], event["maneuverability"]) == (state, die, after)
    assert (event.get("lost_moves", 0), event.get("weapons", 0)) == (lost, weapons)
    (again,) = game.do("damage", state="lightly", die=5)["events"]
    assert again["lost_moves"] == lost + 1, "lost Moves add up"


def test_damage_adds_up_until_the_vehicle_is_destroyed() -> None:
    game = Game(track("d6-revised", CAR, 5))
    for lost, speed in ((2, "cruising"), (4, "stop"), (6, "stop")):
        (event,) = game.do("damage", state="heavily", die=5)["events"]
        assert (event["lost_moves"], event["max_speed"]) == (lost, speed)
    assert event["destroyed"] is True
    assert "destroyed" in game.move([4, 0])["text"]  # type: ignore[arg-type]


def test_a_wreck_moves_on_no_surface(tmp_path: Any, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "map.yaml"
    path.write_text(track("d6-revised", f"{CAR}, lost_moves: 5", 5))
    for command, *more in (["path"], ["resolve"], ["path", "--gait", "high"]):
        assert main([command, str(path), "--mover", "kit", "--to", "C1", *more]) == 1
        assert "destroyed" in capsys.readouterr().err
    assert main(["reach", str(path), "--mover", "kit", "--json"]) in (0, 1)
    assert "destroyed" in capsys.readouterr().out


@pytest.mark.parametrize("severe", ["seed_only", "community"])
def test_severe_damage(severe: str) -> None:
    for die in range(1, 7):
        game = Game(track("d6-revised", CAR, 5), options={"severe_table": severe})
        events = game.do("damage", state="severely", die=die, countdown=2)["events"]
        printed = {3: "overloaded_generator"}
        fan = {1: "power_plant_destroyed", 2: "power_plant_destroyed", 4: "weapons_out", 5: "structural_damage",
               6: "destroyed"}  # fmt: skip
        wanted = printed.get(die) or ("not_in_source" if severe == "seed_only" else fan[die])
        assert events[-1]["event"] == wanted
        assert events[-1].get("rounds") == (2 if wanted in ("overloaded_generator", "structural_damage") else None)
        assert events[-1].get("destroyed", False) is (wanted == "destroyed")


def test_an_overloaded_generator_blows_up_when_its_rounds_are_over() -> None:
    game = Game(track("d6-revised", CAR.replace("high", "cautious"), 5))
    game.do("damage", state="severely", die=3, countdown=2)
    game.do("end-turn")
    assert "cautious" in game.gaits()
    game.do("end-turn")
    assert "destroyed" in game.move([2, 0])["text"]  # type: ignore[arg-type]
    game.do("end-turn")
    assert "destroyed" in game.move([2, 0])["text"]  # type: ignore[arg-type]


def test_dice_that_are_not_given_are_thrown() -> None:
    game = Game(track("d6-revised", CAR, 5), seed=3)
    rolled, event = game.do("damage", state="lightly")["events"]
    assert rolled["code"] == "roll.made"
    assert event["die"] == rolled["total"]
    found = [
        one for seed in range(12)
        for one in Game(track("d6-revised", CAR, 5), seed=seed).do("damage", state="severely", die=3)["events"]
    ]  # fmt: skip
    assert {one["rounds"] for one in found if one["code"] == "vehicle.damaged"} <= set(range(1, 7))
    assert len([one for one in found if one["code"] == "roll.made"]) == 12


@pytest.mark.parametrize(
    ("stats", "more"),
    [
        (RUNNER, {"state": "lightly", "die": 1}), (CAR, {"state": "slightly", "die": 1}),
        (CAR, {"state": "lightly", "die": 7}),
    ],
)  # fmt: skip
def test_damage_that_is_none_is_refused_and_changes_nothing(stats: str, more: dict[str, object]) -> None:
    game = Game(track("d6-revised", stats, 5))
    before = game.ask(do="position", session=game.session)
    assert game.do("damage", **more)["kind"] == "refusal"
    assert game.ask(do="position", session=game.session) == before


def test_damage_in_words_and_back() -> None:
    event = Damaged("kit", "heavily", 5, "1D", 2, "cruising")
    assert event.text == "kit is heavily damaged (5): maneuverability 1D, 2 lost Moves, at most cruising"
    assert from_json(to_json(Damage("kit", "severely", 3, 4))) == Damage("kit", "severely", 3, 4)
