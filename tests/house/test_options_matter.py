"""Every option of the systems of metres and rounds changes an answer of the product."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from tactical.cli import main
from tactical.rules.ruleset import get_ruleset
from tests.play.test_changes import Game

LEGEND = """\
  ".": {terrain: floor, level: VE, number: 3}
  "e": {terrain: field, level: E, number: 8}
  "m": {terrain: rough, level: M, number: 13, rough: true}
  "d": {terrain: scree, level: D, number: 17}
  "D": {terrain: jungle, level: D}
  "h": {terrain: slide, level: H, number: 33}
  "?": {terrain: lawn}
  "s": {terrain: lake, level: E, number: 8, swim: true}
  "w": {terrain: ford, water: wading}
  "_": {terrain: gap, gap: true}
  "u": {terrain: bank, rough: true, elevation: 0.5}
  "v": {terrain: brow, elevation: 0.2}"""
ANSWER = Callable[[Mapping[str, object]], Any]


@pytest.fixture
def asked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Callable[..., Any]:
    """Ask the command line about a strip; what it says of the options themselves is left out."""

    def ask(command: str, row: str, stats: str, rules: str, options: Mapping[str, object], words: str) -> Any:
        path = tmp_path / "map.yaml"
        path.write_text(strip(rules, row, stats))
        given = [word for name, value in options.items() for word in ("--option", f"{name}={value}")]
        about = [] if command in ("odds", "journey") else [str(path), "--mover", "kit"]
        if not about:
            stated = (stat.replace(": ", "=") for stat in stats.split(", "))
            given += ["--rules", rules, *(word for stat in stated for word in ("--stat", stat))]
        status = main([command, *about, *words.split(), *given, "--json"])
        out = capsys.readouterr().out
        found = json.loads(out) if out.startswith("{") else {}
        found.pop("options", None)
        return status, found

    return ask


def strip(rules: str, row: str, stats: str) -> str:
    return (
        f"schema: 1\nname: Strip\ngrid: {{type: square, cell: 1, unit: m}}\nrules: {rules}\nlegend:\n{LEGEND}\n"
        f"rows: |\n  {row}\nmovers:\n  - {{id: kit, at: A1, stats: {{{stats}}}}}\n"
    )


WALKER = "move: 10, code: 4D, previous: cruising"
CLUMSY = "move: 10, code: 1D, previous: cruising"
THEN = "--to U1 --gait high --then climbing=9 --roll 9 --roll 9"
D6: Mapping[str, tuple[object, tuple[str, ...]]] = {
    # option: another value, then command, row, stats, words
    "wild_die": ("on", ("path", "." + "e" * 30, WALKER, "--to U1 --gait high")),
    "number_shift": ("proportional", ("path", "." + "d" * 30, WALKER, "--to U1 --gait high")),
    "heroic_step": ("5", ("path", "." + "h" * 30, WALKER, "--to U1 --gait high")),
    "default_number": ("mid", ("path", "." + "D" * 30, WALKER, "--to K1 --gait cruising")),
    "default_level": ("M", ("path", "." + "?" * 30, WALKER, "--to U1 --gait high")),
    "map_on_movement": ("false", ("path", "." + "e" * 30, f"{WALKER}, actions: 2", "--to U1 --gait high")),
    "failure_fraction_of": ("full", ("resolve", "." + "e" * 30, WALKER, "--to M1 --gait high --roll 4")),
    "tumble_inherits_minor": ("false", ("resolve", "." + "h" * 30, WALKER, "--to K1 --gait cruising --roll 16")),
    "speed_after_fall": ("kept", ("resolve", "." + "e" * 30, CLUMSY, "--to M1 --gait high --roll 1")),
    "initial_speed": ("high", ("reach", "." * 50, "move: 10, code: 4D", "")),
    "forced_continuation": ("off", ("resolve", "." * 50, WALKER, "--to AE1 --gait all-out --roll 20")),
    "cautious_minimum": ("zero", ("path", "." * 9, WALKER, "--to B1 --gait cautious")),
    "mixed_terrain": ("segments", ("path", ".eeemmmmmmmeeeeeeeeeeee", WALKER, "--to U1 --gait high")),
    "d6_rounding": ("nearest", ("reach", "." + "s" * 40, WALKER.replace("10", "11"), "--gait all-out")),
    "unusual_move_divisor": ("2", ("path", "." + "s" * 9, WALKER, "--to C1")),
    "round_seconds": ("6", ("journey", ".", "move: 10, stamina: 3D", "--gait all-out --minutes 3")),
    "stamina_reset": ("never", ()),
    "stand_up_is_action": ("true", ()),
    "free_move_when_no_actions": ("true", ()),
    "pool_floor": ("one_die", ("path", "." + "e" * 30, f"{WALKER}, actions: 6", "--to U1 --gait high")),
    "maneuver_forces_roll": ("false", ("path", "." + "e" * 30, WALKER, "--to K1 --gait cruising --stunt 5")),
    "second_skill_is_action": (
        "false",
        ("resolve", "." + "e" * 30, f"{WALKER}, climbing: 3D", THEN),
    ),
}  # fmt: skip
REUP: Mapping[str, tuple[object, tuple[str, ...]]] = {
    "hard_cautious_is_action": ("false", ("resolve", "." + "d" * 9, WALKER, "--to F1 --gait cautious --roll 20")),
    "march_failure": (
        "rest_double", ("journey", ".", "move: 10, stamina: 3D", "--gait march --hours 7 --number VE=4 --roll 3")
    ),
    "overload_effect": ("long_distance", ()),
}  # fmt: skip
CAR = "kind: vehicle, move: 10, code: 4D, previous: high"
REVISED: Mapping[str, tuple[object, tuple[str, ...]]] = {
    "vehicle_must_roll_high": ("false", ("path", "." + "e" * 30, CAR, "--to U1 --gait high")),
    "failure_rows_source": ("seed_only", ("resolve", "." + "e" * 30, WALKER, "--to U1 --gait high --roll 6")),
    "collision_table_character": ("high: 5", ("resolve", "." + "h" * 30, WALKER, "--to U1 --gait high --roll 20")),
    "collision_table_vehicle": (
        "high: 5",
        ("resolve", "." + "h" * 30, CAR, "--to U1 --gait high --roll 20 --option vehicle_failure=as_character"),
    ),
    "vehicle_failure": ("as_character", ("resolve", "." + "e" * 30, CAR, "--to U1 --gait high --roll 4")),
    "cap_overrides_deceleration": ("false", ("reach", "." * 50, f"{CAR}, lost_moves: 3", "")),
    **dict.fromkeys(
        ("meet_succeeds", "ram_at_all_out", "ram_roll_always", "maneuverability_spill", "severe_table"), ("", ())
    ),
}  # fmt: skip
GAP_OF_6 = "." * 14 + "______" + "..."
JUMPER = "strength: 12, dexterity: 12, endurance: 12"  # jump number 2.5
TWELVE: Mapping[str, tuple[object, tuple[str, ...]]] = {
    "rough_reduction": ("to_three_quarters", ("path", "." + "m" * 9, JUMPER, "--to C1")),
    "super_run": ("84", ("path", "." * 99, "mv: 60", "--to CG1 --gait run")),
    "mode_mixing": ("single", ("path", "..ww..", JUMPER, "--to E1")),
    "uphill_and_rough": ("twice", ("path", "." + "u" * 3, JUMPER, "--to B1")),
    "uphill_min_rise_m": ("1/4", ("path", "." + "v" * 3, JUMPER, "--to B1")),
    "swim_in_wade_depth": ("false", ("path", "." + "w" * 6, JUMPER, "--to C1")),
    "endurance_count": ("per_mode", ()),
    "endurance_recovery": ("per_easy_turn", ()),
    "jump_below_table": ("1", ("odds", ".", "strength: 2, dexterity: 2, endurance: 9", "--jump 1")),
    "jump_modifier_order": (
        "all_before", ("odds", ".", f"{JUMPER}, acrobatics: true, ep: 3", "--jump 13/2 --run-up 13 --gait run")
    ),
    "runup_shortage": ("ceil", ("odds", ".", JUMPER, "--jump 5 --run-up 9 --gait run")),
    "jump_difference_gap": ("down", ("odds", ".", f"{JUMPER.replace('12, e', '4, e')}", "--jump 9/4 --gait walk")),
    "beyond_table": ("refuse", ("odds", ".", JUMPER, "--jump 4 --gait walk --option jump_chance=0")),
    "jump_recovery": ("always", ("resolve", GAP_OF_6, JUMPER, "--to U1 --roll 1 --option jump_chance=0")),
    "recovery_half": ("down", ("resolve", GAP_OF_6, JUMPER, "--to U1 --roll 20 --roll 3 --option jump_chance=0")),
    "jump_costs_movement": ("false", ("path", "." * 14 + "_____" + "...", JUMPER, "--to T1 --gait run")),
}  # fmt: skip
SYSTEMS = {"d6-reup": {**D6, **REUP}, "d6-revised": {**D6, **REVISED}, "twelve-second": TWELVE}
ELSEWHERE = {
    # options that only a game shows, and the test that shows it
    "stamina_reset": "tests/play/test_wear.py", "overload_effect": "tests/play/test_wear.py",
    "severe_table": "tests/play/test_wear.py",
    "meet_succeeds": "tests/play/test_ramming.py", "ram_at_all_out": "tests/play/test_ramming.py",
    "ram_roll_always": "tests/play/test_ramming.py",
}  # fmt: skip
ROWS = [(rules, name) for rules, table in SYSTEMS.items() for name in table]


@pytest.mark.parametrize("rules", SYSTEMS)
def test_the_table_is_whole(rules: str) -> None:
    assert set(SYSTEMS[rules]) == {option.name for option in get_ruleset(rules).options}


def rows() -> Iterator[Any]:
    for rules, name in ROWS:
        if SYSTEMS[rules][name][1]:
            yield pytest.param(rules, name)


@pytest.mark.parametrize(("rules", "name"), list(rows()))
def test_an_option_changes_what_the_command_line_says(asked: Callable[..., Any], rules: str, name: str) -> None:
    value, (command, row, stats, words) = SYSTEMS[rules][name]
    plain = asked(command, row, stats, rules, {}, words)
    other = asked(command, row, stats, rules, {name: value}, words)
    # where every jump is followed by a recovery, the command line asks for its die: wrong use without it
    assert plain[0] != 2, plain
    assert (other[0] == 2) is (name == "jump_recovery"), other
    assert plain != other


@pytest.mark.parametrize("name", ELSEWHERE)
def test_an_option_that_only_a_game_shows_is_shown_there(name: str) -> None:
    assert f'"{name}"' in (Path(__file__).parents[2] / ELSEWHERE[name]).read_text(encoding="utf-8") or (
        f"{name}=" in (Path(__file__).parents[2] / ELSEWHERE[name]).read_text(encoding="utf-8")
    )


def game(rules: str, row: str, stats: str, **options: object) -> Game:
    return Game(strip(rules, row, stats), options=options)


def test_getting_up_may_be_an_action() -> None:
    for value, dice in ((False, "4D"), (True, "3D")):
        played = game("d6-reup", "." + "e" * 30, WALKER, stand_up_is_action=value)
        played.do("place", at=[0, 0], posture="prone")
        assert played.move("U1", "high")["events"][-1]["check"]["dice"] == dice


def test_who_may_not_act_may_still_creep_where_the_table_says_so() -> None:
    for value, gaits in ((False, set()), (True, {"cautious"})):
        played = game("d6-reup", "." + "h" * 30, WALKER, free_move_when_no_actions=value)
        played.move("K1", "cruising")
        played.do("given-roll", total=20)  # 13 short: no actions in this round and the next
        played.do("end-turn")
        assert played.gaits() == gaits


def test_maneuverability_may_spill_over_into_moves() -> None:
    for value, lost in ((False, 0), (True, 1)):
        played = game("d6-revised", "." * 9, f"{CAR}, maneuverability: 1D", maneuverability_spill=value)
        assert played.do("damage", state="heavily", die=1)["events"][-1].get("lost_moves", 0) == lost


def test_how_hard_turns_count_and_come_back() -> None:
    runner = "strength: 12, dexterity: 20, endurance: 1"

    def open_after(moves: list[tuple[str, str]], **options: object) -> set[str]:
        played = game("twelve-second", "." * 20 + "w" * 20 + "." * 30, runner, **options)
        for to, gait in moves:
            assert played.move(to, gait)["kind"] == "accepted"
            played.do("end-turn")
        return played.gaits()

    assert "run_dodge" not in open_after([("F1", "run")])
    assert "run_dodge" in open_after([("F1", "run")], endurance_count="per_mode")
    assert "run" in open_after([("F1", "run"), ("G1", "walk")], endurance_recovery="per_easy_turn")
    assert "run" in open_after([("F1", "run"), ("G1", "walk")], endurance_count="consecutive")
    assert "run" not in open_after([("F1", "run"), ("G1", "walk")])
