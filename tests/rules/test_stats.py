"""Every stat of a mover changes an answer of the command line, or of a game."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tactical.cli import main
from tactical.registry import RULESETS
from tactical.rules.ruleset import get_ruleset
from tests.play.test_changes import Game

LEGEND = """\
  ".": {terrain: floor, level: VE, number: 3}
  "e": {terrain: field, level: E, number: 8}
  "d": {terrain: scree, level: D, number: 17}
  "r": {terrain: scrub, rough: true, difficult: true}
  "s": {terrain: lake, level: E, number: 8, water: deep}
  "w": {terrain: ford, depth: 1}
  "c": {terrain: cliff, climb: true, level: E, number: 8}
  "_": {terrain: gap, gap: true}
  "l": {terrain: pit, elevation: -9}"""
UNIT = {"operator": (5, "ft"), "plain": (5, "ft"), "twelve-second": (8, "m")}


class Row(NamedTuple):
    """Two values of a stat that differ in an answer: to which question, about which strip, with which other stats."""

    value: object
    other: object
    words: str = "reach"
    row: str = "." * 30
    stats: str = ""


FEET = "...__..."
RUN, AIM = "path --to S1 --gait high", "path --to K1 --gait cruising"
SWIM = "path --to H1 --gait high"
ALONE = "previous=cruising"
THEN = "resolve --to K1 --gait cruising --roll 30 --then {0}=9 --roll 9"
D6: Mapping[str, Row] = {
    "kind": Row("character", "creature", "reach", "." * 50, "code=4D previous=all_out"),
    "move": Row(10, 12),
    "previous": Row("cruising", "stop"),
    "lost_moves": Row(0, 2, "reach", "." * 50),
    "destroyed": Row(False, True),
    "actions": Row(1, 2, RUN, "." + "e" * 29, f"{ALONE} code=4D"),
    "code": Row("3D", "4D", RUN, "." + "e" * 29, ALONE),
    "dexterity": Row("3D", "4D", RUN, "." + "e" * 29, ALONE),
    "running": Row("3D", "4D", RUN, "." + "e" * 29, f"{ALONE} dexterity=2D"),
    "strength": Row("3D", "4D", SWIM, "." + "s" * 29, f"{ALONE} move=12"),
    "swimming": Row("3D", "4D", SWIM, "." + "s" * 29, f"{ALONE} strength=2D move=12"),
    "climbing": Row("3D", "4D", SWIM, "." + "c" * 29, f"{ALONE} strength=2D move=12"),
    "stamina": Row("3D", "4D", "journey --gait all-out --minutes 3", "", "strength=2D"),
    "mechanical": Row("3D", "4D", THEN.format("mechanical"), "." + "d" * 29, ALONE),
    "vehicle_operation": Row("3D", "4D", THEN.format("vehicle_operation"), "." + "d" * 29, ALONE),
    "repair": Row("3D", "4D", THEN.format("repair"), "." + "d" * 29, ALONE),
}
SCORES = "strength=8 dexterity=9 endurance=9"
LOW = "--option default_number=low"
BREAK = f"journey --gait all-out --minutes 10 --harder 3 --number D=18 --roll 1 {LOW}"
CAR = "kind=vehicle previous=cruising"
SYSTEMS: Mapping[str, Mapping[str, Row]] = {
    "plain": {
        "speed": Row(30, 25),
        "swim_factor": Row(2, 3, "path --to C1", ".sss"),
        "climb_factor": Row(2, 3, "path --to C1", ".ccc"),
        "speed_roll": Row("", "20,6"),
    },
    "operator": {
        "speed": Row(30, 25),
        **{name: Row(False, True) for name in ("agile", "mobility", "bomb_suit", "shield", "slowed", "overloaded")},
        "bonus_dash": Row(False, True),
        "action_surge": Row(False, True),
        "strength": Row(8, 12, "path --to F1", FEET),
        "athletics": Row(1, 4, "path --to C1 --odds --dc 11", ".ccc", "strength=10"),
        "height": Row(5, 7, "odds --kind high --jump 0 --rise 3 --run-up 10", "", "strength=10"),
        "vehicle_multiple": Row(2, 3, "reach", "." * 30, "vehicle_kind=ground"),
        "vehicle_kind": Row("ground", "helicopter", "reach", ".rrr" * 6, "vehicle_multiple=2"),
    },
    "d6-reup": {**D6, "carried": Row(9, 10, "march", "." * 30, f"strength=3D code=4D {ALONE}")},
    "d6-revised": {
        **D6,
        "kind": Row("character", "vehicle", "reach", "." * 50, "move=10 code=4D previous=all_out"),
        "kmh": Row(36, 72, "reach", "." * 50, CAR),
        "mechanical": Row("3D", "4D", RUN, "." + "e" * 29, f"{CAR} move=10"),
        "vehicle_operation": Row("3D", "4D", RUN, "." + "e" * 29, f"{CAR} move=10"),
        "maneuverability": Row("1D", "2D", RUN, "." + "e" * 29, f"{CAR} move=10 vehicle_operation=3D"),
        "body_strength": Row("3D", "4D", f"journey --gait all-out --minutes 20 {LOW}", "", f"{CAR} move=10"),
        "repair": Row("3D", "4D", BREAK, "", f"{CAR} move=10 body_strength=1D"),
        "weapons": Row(0, 2, "damage severely 4", "." * 9, f"{CAR} move=10"),
    },
    "shapers": {
        "pa": Row(4, 6),
        "ps": Row(4, 8, "path --to F1", "...__..."),
        "pf": Row(2, 5, "journey --gait sprint --minutes 5", "", "pa=4"),
        "swimming": Row(0, 3, "path --to C1", ".sss", "pa=4"),
        "athletics": Row(0, 3, "odds --jump 4 --run-up 9", "", "ps=8"),
        "endurance": Row(0, 3, "journey --gait sprint --minutes 5", "", "pa=4 pf=2"),
        "size_m": Row(1, 10, "path --to C1", "..l", "pa=4 accept_damage=500"),
        "gait": Row("", "walk"),
        "accept_damage": Row(0, 500, "path --to C1", "..l", "pa=4"),
    },
    "twelve-second": {
        "mv": Row(10, 60),
        **{name: Row(8, 40, "reach", "." * 20, SCORES) for name in ("strength", "dexterity", "endurance")},
        "stocky": Row(False, True, "reach", "." * 20, SCORES),
        "acrobatics": Row(False, True, "odds --jump 5 --run-up 10", "", SCORES),
        "load": Row("none", "heavy", "journey --gait run --minutes 5", "", SCORES),
        "ep": Row(0, 3, "odds --jump 5 --run-up 10", "", SCORES),
        "held_ep": Row("", "1,2", "odds --jump 5 --run-up 10", "", SCORES),
        "exhausted": Row(False, True, "reach", "." * 20, SCORES),
        "modes": Row("", "walk", "reach", "." * 20, SCORES),
        "waist": Row(0.5, 1.1, "path --to B1", ".www", "mv=60 neck=1.6"),
        "neck": Row(0.9, 1.6, "path --to B1 --option swim_in_wade_depth=false", ".www", "mv=60 waist=0.5"),
    },
}  # fmt: skip
ROWS = [(rules, name) for rules, rows in SYSTEMS.items() for name in rows]


def answer(rules: str, name: str, value: object, folder: Path, capsys: pytest.CaptureFixture[str]) -> Any:
    row = SYSTEMS[rules][name]
    stats = dict(word.split("=", 1) for word in row.stats.split())
    if rules.startswith("d6") and name != "kmh":
        stats.setdefault("move", "10")
    if rules == "shapers":
        stats.setdefault("pa", "4")
    if rules == "twelve-second" and "strength" not in stats:
        stats.setdefault("mv", "20")
    stats[name] = str(value)
    given = [word for stat, said in stats.items() if said != "" for word in ("--stat", f"{stat}={said}")]
    command, *words = row.words.split()
    cell, unit = UNIT.get(rules, (1, "m"))
    text = (
        f"schema: 1\nname: Strip\ngrid: {{type: square, cell: {cell}, unit: {unit}}}\nrules: {rules}\n"
        f"legend:\n{LEGEND}\nrows: |\n  {row.row}\nmovers:\n  - {{id: kit, at: A1, stats: {{STATS}}}}\n"
    )
    written = text.replace("{STATS}", "{" + ", ".join(f"{stat}: {said}" for stat, said in stats.items()) + "}")
    if command == "march":
        game = Game(written, options={"round_seconds": 10800, "overload_effect": "long_distance"})
        game.move("K1", "cruising")
        return game.do("end-turn")["events"]
    if command == "damage":
        game = Game(written)
        return game.do("damage", state=words[0], die=int(words[1]))["events"]
    (folder / "map.yaml").write_text(text.replace(", stats: {STATS}", ""), encoding="utf-8")
    about = ["--rules", rules] if command in ("odds", "journey") else [str(folder / "map.yaml"), "--mover", "kit"]
    status = main([command, *about, *words, *given, "--json"])
    out = capsys.readouterr().out
    assert status != 2, out
    found = json.loads(out)
    found.pop("stats", None)
    return found


@pytest.mark.parametrize("rules", RULESETS.names())
def test_the_table_is_whole(rules: str) -> None:
    assert set(SYSTEMS[rules]) == {stat.name for stat in fields(get_ruleset(rules).stats)}


@pytest.mark.parametrize(("rules", "name"), ROWS)
def test_a_stat_changes_an_answer(rules: str, name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    row = SYSTEMS[rules][name]
    one, other = (answer(rules, name, value, tmp_path, capsys) for value in (row.value, row.other))
    assert one != other
