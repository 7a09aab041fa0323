"""How a player uses each clause of d6-reup, d6-revised and twelve-second: one row each, and the row is asked.

`TABLE` names for the clauses of a row the command or request, and the window's control (a command of
`tactical.viewer.controls`, "reach" for what the drawn reach and panel say, a row of the game master's menu or of the
set-up sheet or of the menu of a cell or a token).  `tests/viewer/test_every_clause.py` drives them.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from tactical.cli import main
from tactical.viewer.controls import KEYS
from tests.play.test_changes import Game

DESCRIPTIVE = {
    "REUP-32": "encumbrance is optional; whoever states no `carried` plays without",
    "REUP-48": "the base number covers simple turns: nothing to enter",
    "REUP-59": "the game's own resistance to damage: only the dice are told",
    "REV-01": "where the text comes from",
    "REV-20": "why there are stamina rolls",
    "REV-28": "the base number covers simple turns: nothing to enter",
}

LEVELS = """\
  "V": {terrain: floor, level: VE, number: 3}
  "E": {terrain: field, level: E, number: 8}
  "M": {terrain: rough, level: M, number: 13}
  "D": {terrain: scree, level: D, number: 17}
  "W": {terrain: jungle, level: VD, number: 22}
  "H": {terrain: slide, level: H, number: 34}
  "s": {terrain: lake, level: M, number: 12, swim: true}
  "c": {terrain: cliff, level: M, number: 14, climb: true}
  "t": {terrain: thick_forest}
  ".": {terrain: meadow}
  "r": {terrain: stones, rough: true}
  "i": {terrain: ice, slick: true}
  "1": {terrain: shallows, water: shallow}
  "2": {terrain: ford, water: wading}
  "3": {terrain: river, water: deep}
  "_": {terrain: gap, gap: true}
  "^": {terrain: shelf, elevation: 1.2}
"""


@dataclass
class Table:
    """Where things are asked: the command line, or a game over the desk."""

    folder: Path
    capsys: pytest.CaptureFixture[str]

    def content(self, rules: str, row: str, stats: str, cell: int = 1, more: str = "") -> str:
        return (
            f"schema: 1\nname: Table\ngrid: {{type: square, cell: {cell}, unit: m}}\nrules: {rules}\nlegend:\n{LEVELS}"
            f"rows: |\n  {row}\nmovers:\n  - {{id: kit, at: A1, stats: {{{stats}}}}}\n{more}"
        )

    def ask(self, words: str, rules: str = "d6-reup", row: str = "V" * 60, stats: str = "", cell: int = 1) -> Any:
        """The JSON of a command; MAP is a strip."""
        path = self.folder / "map.yaml"
        path.write_text(self.content(rules, row, stats or RUNNER, cell))
        command, *rest = words.split()
        about = [] if command in ("odds", "journey", "rulesets") else [str(path)]
        main([command, *about, *(["--mover", "kit"] if about and command != "check" else []), *rest, "--json"])
        found = json.loads(self.capsys.readouterr().out)
        return found

    def text(self, words: str) -> str:
        main(words.split())
        return self.capsys.readouterr().out

    def game(self, rules: str, row: str, stats: str, **options: object) -> Game:
        return Game(self.content(rules, row, stats), options=options)


RUNNER = "move: 10, code: 4D, previous: cruising"
CAR = "kind: vehicle, move: 10, code: 4D, previous: cruising"
AVERAGE = "strength: 12, dexterity: 12, endurance: 12"
Asked = Callable[[Table], None]
TABLE: list[tuple[str, str, str, Asked]] = []


def row(clauses: str, command: str, control: str) -> Callable[[Asked], Asked]:
    """One row of the table."""

    def enter(asked: Asked) -> Asked:
        TABLE.append((clauses, command, control, asked))
        return asked

    return enter


def farthest(found: Any) -> int:
    return len(found["cells"]) and max(Fraction(cell["cost"]) for cell in found["cells"])  # type: ignore[return-value]


# -- the two D6 systems -----------------------------------------------------------------------------------------------


@row("REUP-01 REUP-10 REUP-11 REUP-15 REUP-20 REUP-24", "reach --gait NAME", "gait_next")
def _distances(table: Table) -> None:
    for gait, metres in (("cautious", 5), ("cruising", 10), ("high", 20), ("all-out", 40)):
        assert farthest(table.ask(f"reach --gait {gait}")) == metres


@row("REV-02 REV-03 REV-07 REV-10 REV-13", "reach --gait NAME", "gait_next")
def _revised_distances(table: Table) -> None:
    for gait, metres in (("cautious", 5), ("cruising", 10), ("high", 20)):
        assert farthest(table.ask(f"reach --gait {gait}", "d6-revised", stats=CAR)) == metres
    assert farthest(table.ask("reach --gait all-out", "d6-revised")) == 40


@row("REUP-02 REUP-16 REUP-19 REUP-25 REV-14", "act in a session", "act")
def _actions(table: Table) -> None:
    for rules in ("d6-reup", "d6-revised"):
        game = table.game(rules, "D" * 60, RUNNER)
        game.do("act", what="fire")
        assert game.move("AE1", "all_out")["code"] == "move.action"
        assert game.move("K1", "cruising")["events"][-1]["check"]["dice"] == "3D"


@row("REUP-03", "move in a session", "go")
def _one_move(table: Table) -> None:
    game = table.game("d6-reup", "V" * 60, RUNNER)
    assert game.move("K1", "cruising")["kind"] == "accepted"
    assert game.move("P1", "cautious")["code"] == "move.action"


@row("REUP-04 REUP-05 REUP-06 REUP-07", "path, stats running, swimming, climbing", "explain")
def _skills(table: Table) -> None:
    stats = "move: 12, dexterity: 2D, strength: 3D, swimming: 5D, previous: cruising"
    rolled = (("E", "running", "2D", 24), ("s", "swimming", "5D", 8), ("c", "climbing/jumping", "3D", 8))
    for row_, skill, dice, cells in rolled:
        found = table.ask(f"path --to {chr(ord('A') + cells)}1 --gait high", row="V" + row_ * 40, stats=stats)
        assert (found["checks"][0]["skill"], found["checks"][0]["dice"], found["cost"]) == (skill, dice, 24)


@row("REUP-08 REUP-47", "check MAP, facts level and number", "point at a cell")
def _bands(table: Table) -> None:
    (table.folder / "map.yaml").write_text(table.content("d6-reup", "VV", RUNNER).replace("number: 17", "number: 21"))
    assert main(["check", str(table.folder / "map.yaml")]) == 1
    assert "D number (16 to 20)" in table.capsys.readouterr().err


NEEDS = {  # ground -> the level and number rolled at each speed; None: nothing is rolled
    "V": (None, None, ("VE", 3), ("E", 8)), "E": (None, None, ("E", 8), ("M", 13)),
    "M": (None, None, ("M", 13), ("D", 18)), "D": (("M", 12), ("D", 17), ("VD", 22), ("H", 32)),
    "W": (("D", 17), ("VD", 22), ("H", 32), ("H+10", 42)), "H": (("VD", 24), ("H", 34), ("H+10", 44), ("H+20", 54)),
}  # fmt: skip


@row(
    "REUP-09 REUP-12 REUP-13 REUP-14 REUP-17 REUP-18 REUP-21 REUP-22 REUP-23 REUP-26 REUP-27 REUP-28",
    "path --gait NAME", "gait_next",
)  # fmt: skip
def _needs(table: Table) -> None:
    _needs_of(table, "d6-reup")


@row("REV-04 REV-05 REV-06 REV-08 REV-09 REV-11 REV-12 REV-15 REV-16", "path --gait NAME", "gait_next")
def _revised_needs(table: Table) -> None:
    _needs_of(table, "d6-revised")


def _needs_of(table: Table, rules: str) -> None:
    for ground, speeds in NEEDS.items():
        moves = (("cautious", "F1"), ("cruising", "K1"), ("high", "U1"), ("all-out", "AO1"))
        for (gait, cell), wanted in zip(moves, speeds, strict=True):
            found = table.ask(f"path --to {cell} --gait {gait}", rules, "V" + ground * 45)
            checks = [(check["level"], check["number"]) for check in found["checks"]]
            assert checks == ([] if wanted is None else [wanted]), (ground, gait)


@row("REUP-29 REV-17", "path --gait NAME", "point at a cell")
def _least(table: Table) -> None:
    for rules in ("d6-reup", "d6-revised"):
        assert table.ask("path --to J1 --gait high", rules)["refusal"]["code"] == "move.min_distance"
        assert table.ask("path --to K1 --gait high", rules)["cost"] == 10


@row("REUP-30 REUP-31 REV-18 REV-19", "reach --previous-speed SPEED", "reach")
def _ladders(table: Table) -> None:
    open_after = {
        "stop": {"cautious", "cruising"}, "cautious": {"cautious", "cruising", "high"},
        "high": {"cautious", "cruising", "high", "all_out"}, "all-out": {"cruising", "high", "all_out"},
    }  # fmt: skip
    for before, gaits in open_after.items():
        for rules in ("d6-reup", "d6-revised"):
            found = table.ask(f"reach --previous-speed {before}", rules)
            assert {band["gait"] for band in found["bands"]} == gaits
    car = table.ask("reach --previous-speed cruising", "d6-revised", stats=CAR)
    assert {band["gait"] for band in car["bands"]} == {"cautious", "cruising", "high"}


@row("REUP-33 REUP-34 REUP-35", "reach, stat carried; rulesets d6-reup lists what counts", "reach")
def _load(table: Table) -> None:
    path = table.folder / "map.yaml"
    for carried, told in ((11, False), (12, True)):
        path.write_text(table.content("d6-reup", "VV", f"{RUNNER}, strength: 3D+2, carried: {carried}"))
        main(["reach", str(path), "--mover", "kit"])
        assert ("overloaded" in table.capsys.readouterr().out) is told
    assert "scanner" in table.text("rulesets d6-reup")


@row("REUP-36 REUP-37 REUP-38 REUP-39 REUP-40", "end-turn in a session; journey --gait", "do")
def _stamina(table: Table) -> None:
    _tires(table, "d6-reup", f"{RUNNER}, stamina: 3D", 60, "stamina")
    _tires(table, "d6-reup", f"{RUNNER}, stamina: 3D", 600, "stamina", "high")
    words = "journey --rules d6-reup --stat move=10 --stat stamina=3D --gait"
    _falls_due(table, f"{words} all_out --minutes 3", 60, 120, 180)
    _falls_due(table, f"{words} high --minutes 25", 600, 1200)


@row("REV-21 REV-22 REV-23 REV-24 REV-25 REV-26 REV-27", "end-turn in a session; journey --gait", "do")
def _revised_stamina(table: Table) -> None:
    car = f"{CAR.replace('cruising', 'high')}, body_strength: 4D"
    _tires(table, "d6-revised", f"{RUNNER}, stamina: 3D", 60, "stamina")
    _tires(table, "d6-revised", f"{RUNNER}, stamina: 3D", 600, "stamina", "high")
    _tires(table, "d6-revised", car, 600, "body strength")
    _tires(table, "d6-revised", car, 3600, "body strength", "high")
    words = "journey --rules d6-revised --stat kind=vehicle --stat move=20 --stat body_strength=3D --gait"
    _falls_due(table, f"{words} all_out --minutes 25", 600, 1200)
    _falls_due(table, f"{words} high --hours 2", 3600, 7200)
    # the third roll of an hour's drive is Moderate, 15: 5 misses it by 10 and 4 by 11
    for total, result, hours in ((5, "strain", 6), (4, "mechanical_failure", 1)):
        rolls = f"--number VE=5 --number E=10 --number M=15 --roll 9 --roll 12 --roll {total}"
        setback = table.ask(f"{words.replace('3D', '4D')} high --hours 3 {rolls}")["played"]["events"][-1]["setback"]
        assert (setback["kind"], setback["seconds"]) == (result, hours * 3600)


def _falls_due(table: Table, words: str, *seconds: int) -> None:
    rolls = table.ask(words)["plan"]["rolls"]
    assert [one["at"] for one in rolls] == list(seconds)
    assert [one["trial"]["level"] for one in rolls] == ["VE", "E", "M"][: len(seconds)]


def _tires(table: Table, rules: str, stats: str, seconds: int, skill: str, gait: str = "all_out") -> None:
    game = table.game(rules, "V" * 60, stats, round_seconds=seconds, default_number="high")
    game.move("AE1" if gait == "all_out" else "U1", gait)
    game.do("given-roll", total=24)
    due = game.do("end-turn")["events"][-1]
    assert (due["check"]["skill"], due["check"]["level"]) == (skill, "VE")
    assert game.do("given-roll", total=4)["events"][1]["rest"] == 2 * seconds


@row("REUP-41 REUP-42 REUP-43 REUP-44 REUP-45", "journey --gait march", "menu: journey")
def _march(table: Table) -> None:
    words = "journey --rules d6-reup --stat move=10 --stat stamina=3D --hours 6 --gait"
    march, forced = (table.ask(f"{words} {gait} --fact level=D")["plan"] for gait in ("march", "forced_march"))
    assert [one["at"] for one in march["rolls"]] == [10800, 21600]
    assert [one["at"] for one in forced["rolls"]] == [7200, 14400, 21600]
    assert march["sleep"] == 7200
    assert table.ask(f"{words} march --harder 2")["plan"]["rolls"][0]["trial"]["level"] == "M"
    assert march["ground_times"] == 2


@row("REUP-46", "terrain: an id of the guide", "point at a cell")
def _guide(table: Table) -> None:
    assert table.ask("path --to K1 --gait cruising", row="V" + "t" * 20)["checks"][0]["level"] == "D"


@row("REUP-49 REV-29", "resolve --stunt N, stunt in move", "menu: stunt")
def _stunts(table: Table) -> None:
    for rules in ("d6-reup", "d6-revised"):
        found = table.ask("resolve --to U1 --gait high --stunt 8 --roll 24", rules, "V" + "E" * 40)
        assert found["checks"][0]["number"] == 16


@row("REUP-50", "resolve --then SKILL=N, then in move", "menu: second skill")
def _second_skill(table: Table) -> None:
    words = "resolve --to U1 --gait high --then climbing=9 --roll 18 --roll 8"
    found = table.ask(words, row="V" + "E" * 40, stats=f"{RUNNER}, climbing: 3D")
    assert (found["second"]["dice"], found["second"]["passed"]) == ("2D", False)


FAILURES = [  # total against 34: result, metres of 10, dice now and next, actions, posture, damage at cruising
    (33, "slight_slip", 10, -1, 0, False, False, "standing", "0D"),
    (31, "slight_slip", 10, -1, 0, False, False, "standing", "0D"),
    (30, "slip", 5, -3, -1, False, False, "standing", "0D"),
    (28, "slip", 5, -3, -1, False, False, "standing", "0D"),
    (27, "fall", 5, 0, -2, True, False, "kneeling", "0D"),
    (24, "fall", 5, 0, -2, True, False, "kneeling", "0D"),
    (23, "minor_tumble", "5/2", 0, 0, True, True, "prone", "0D"),
    (19, "minor_tumble", "5/2", 0, 0, True, True, "prone", "0D"),
    (18, "tumble", "5/2", 0, 0, True, True, "prone", "2D"),
    (14, "tumble", "5/2", 0, 0, True, True, "prone", "2D"),
    (13, "major_tumble", "5/2", 0, 0, True, True, "prone", "4D"),
]


@row("REUP-51 REUP-52 REUP-53 REUP-54 REUP-55 REUP-56 REUP-57 REUP-58 REUP-60", "resolve --roll N; given-roll", "roll")
def _failures(table: Table) -> None:
    _fails(table, "d6-reup")


@row("REV-30 REV-31 REV-32 REV-33 REV-34", "resolve --roll N; given-roll", "roll")
def _revised_failures(table: Table) -> None:
    _fails(table, "d6-revised")
    for gait, cell, damage in (("high", "U1", "0D"), ("all-out", "AO1", "4D")):
        able = RUNNER.replace("4D", "1D")
        found = table.ask(f"resolve --to {cell} --gait {gait} --roll 1", "d6-revised", "V" + "M" * 45, able)["outcome"]
        assert (found["result"], found["damage"]) == ("minor_tumble" if gait == "high" else "tumble", damage)


def _fails(table: Table, rules: str) -> None:
    for total, result, metres, now, later, idle, idle_later, posture, damage in FAILURES:
        able = RUNNER.replace("4D", "9D")
        out = table.ask(f"resolve --to K1 --gait cruising --roll {total}", rules, "V" + "H" * 20, able)["outcome"]
        assert (out["result"], out["moved"], out["dice_now"], out["dice_next"]) == (result, metres, now, later)
        assert (out["no_actions_now"], out["no_actions_next"], out["posture"]) == (idle, idle_later, posture)
        assert out["damage"] == damage
        assert out["margin"] == 34 - total


@row("REV-35 REV-36 REV-37 REV-38 REV-39", "resolve --ram ID, ram in move; odds --ram", "menu: ram")
def _rams(table: Table) -> None:
    words = "odds --rules d6-revised --stat kind=vehicle --stat move=10 --stat code=7D --previous-speed cruising"
    found = table.ask(f"{words} --gait cruising --fact level=E --fact number=6 --ram")["ram"]
    assert sum(Fraction(part) for part in found.values()) == 1


@row("REV-40 REV-41 REV-42 REV-43 REV-44 REV-45 REV-46", "damage in a session", "master: damage")
def _damage(table: Table) -> None:
    game = table.game("d6-revised", "V" * 60, f"{CAR}, maneuverability: 3D, weapons: 1")
    for state, die, wanted in (
        ("lightly", 2, {"maneuverability": "2D"}), ("lightly", 4, {"weapons": None}), ("lightly", 6, {"lost_moves": 1}),
        ("heavily", 3, {"maneuverability": "0D"}), ("lightly", 3, {"lost_moves": 2}), ("heavily", 5, {"lost_moves": 4}),
        ("severely", 3, {"rounds": 4}),
    ):  # fmt: skip
        event = game.do("damage", state=state, die=die, countdown=4)["events"][-1]
        assert {name: event.get(name) for name in wanted} == wanted


@row("REV-47 REV-48 REV-49 REV-50 REV-51", "set-mover in a session, stat lost_moves", "setup: lost_moves")
def _lost(table: Table) -> None:
    game = table.game("d6-revised", "V" * 60, CAR.replace("cruising", "high"))
    for lost, gaits in ((1, {"cruising", "high"}), (2, {"cruising"}), (3, {"cautious"}), (4, set()), (5, set())):
        game.do("set-mover", stats={"lost_moves": lost})
        assert game.gaits() == gaits
    assert "destroyed" in game.move("B1")["text"]


@row("REV-52 REV-53", "reach, stat kmh", "reach")
def _kmh(table: Table) -> None:
    stats = "kind: vehicle, kmh: 72, code: 4D, previous: high"  # 20 m/s: 100 m in 5 s
    for gait, metres in (("all-out", 100), ("high", 50), ("cruising", 25)):
        assert farthest(table.ask(f"reach --gait {gait}", "d6-revised", "V" * 30, stats, cell=5)) == metres


# -- twelve-second turns ----------------------------------------------------------------------------------------------


@row("TWS-01 TWS-02 TWS-03 TWS-05 TWS-06 TWS-07 TWS-08", "path --gait NAME", "gait_next")
def _rates(table: Table) -> None:
    for gait, metres in (("crawl", 8), ("walk", 20), ("run", 60), ("run_dodge", 32)):
        found = table.ask(f"path --to E1 --gait {gait}", "twelve-second", "." * 9, AVERAGE)
        assert Fraction(found["cost"]) == Fraction(4, metres)
    weak = "strength: 9, dexterity: 9, endurance: 8, stocky: true"  # 24
    assert table.ask("path --to E1 --gait walk", "twelve-second", "." * 9, weak)["cost"] == "1/4"


@row("TWS-04", "journey --gait run", "menu: journey")
def _seconds(table: Table) -> None:
    found = table.ask("journey --rules twelve-second --stat mv=30 --gait walk --minutes 1")
    assert found["plan"]["metres"] == 100


@row("TWS-09 TWS-10 TWS-11 TWS-12 TWS-13", "path over water, facts water and depth", "point at a cell")
def _water(table: Table) -> None:
    waded, walked, swum = ("wade", ".2222", "1/2"), ("run", ".1111", "1/5"), ("walk", ".3333", "1/3")
    for gait, row_, cost in (waded, walked, swum, ("walk", ".2222", "1/3"), ("walk", ".1111", "1/5")):
        assert table.ask(f"path --to E1 --gait {gait}", "twelve-second", row_, AVERAGE)["cost"] == cost


@row("TWS-14", "path over rough ground or uphill", "explain")
def _rough(table: Table) -> None:
    assert table.ask("path --to C1 --gait walk", "twelve-second", ".rr", AVERAGE)["cost"] == "2/5"


@row("TWS-17", "move and end-turn in a session", "reach")
@row("TWS-15 TWS-16", "move, end-turn and rest in a session; stat load", "master: rest")
def _effort(table: Table) -> None:
    for load, turns in (("light", 4), ("heavy", 1)):
        game = table.game("twelve-second", "." * 90, f"strength: 12, dexterity: 12, endurance: 4, load: {load}")
        for turn in range(turns):
            assert game.move([10 * turn + 10, 0], "run")["kind"] == "accepted"
            game.do("end-turn")
        assert game.gaits() == {"walk", "crawl", "wade"}
        game.do("rest")
        assert "run" in game.gaits()


def jump(table: Table, words: str, stats: str = "--stat str=12 --stat dex=12 --stat end=12") -> Any:
    return table.ask(f"odds --rules twelve-second {stats} {words}")


@row("TWS-18 TWS-19 TWS-21 TWS-22 TWS-28 TWS-29 TWS-32 TWS-33 TWS-34", "odds --jump, --run-up; path over gaps", "odds")
def _jumps(table: Table) -> None:
    standing = (("--jump 2.5 --gait walk", 1), ("--jump 3 --gait walk", "1/5"), ("--jump 3.5 --gait walk", "1/20"))
    running = (("--jump 5 --run-up 10 --gait run", 1), ("--jump 5 --run-up 8 --gait run", "1/20"))
    for words, chance in (*standing, *running):
        assert jump(table, words)["chance"] == chance


@row("TWS-23 TWS-24 TWS-26 TWS-27", "stats acrobatics, stocky, ep, held_ep", "reach")
def _traits(table: Table) -> None:
    plain = "--stat str=12 --stat dex=12 --stat end=12"
    for more, metres in (("acrobatics=true", "3.5"), ("stocky=true", "1.5"), ("ep=6", "1.5"), ("held_ep=1", "2")):
        assert jump(table, f"--jump {metres} --gait walk", f"{plain} --stat {more}")["chance"] == 1
        assert jump(table, f"--jump {float(metres) + 0.5} --gait walk", f"{plain} --stat {more}")["chance"] == "1/5"
    # half a point in the hand is enough, less is not
    for held, chance in (("0.5", "1/5"), ("0.4", 1)):
        assert jump(table, "--jump 2.5 --gait walk", f"{plain} --stat held_ep={held}")["chance"] == chance


@row("TWS-20", "odds --jump 0 --rise N --kind high", "menu: jumps")
def _high(table: Table) -> None:
    assert jump(table, "--jump 0 --rise 1.25 --kind high")["chance"] == 1


@row("TWS-25", "path over slick ground", "point at a cell")
def _slick(table: Table) -> None:
    for row_, checks in (("." * 14 + "___..", 0), ("." * 14 + "_____i.", 1)):
        cell = "R1" if checks == 0 else "T1"
        found = table.ask(f"path --to {cell} --gait run --option jump_chance=0.01", "twelve-second", row_, AVERAGE)
        assert len(found["checks"]) == checks


@row("TWS-30 TWS-31", "path up and down ledges; odds --rise", "point at a cell")
def _ledges(table: Table) -> None:
    found = table.ask("path --to B1", "twelve-second", ".^", "strength: 20, dexterity: 21, endurance: 12")
    assert found["steps"][0]["way"] == "jump"
    assert jump(table, "--jump 2.5 --rise 1 --gait walk").get("refusal") is not None
    assert jump(table, "--jump 3.5 --rise=-3 --gait walk")["chance"] == 1


@row("TWS-35 TWS-36 TWS-37 TWS-38", "resolve --roll D20 --roll D6; given-roll", "roll")
def _recovery(table: Table) -> None:
    words = "resolve --to U1 --option jump_chance=0 --roll 20 --roll 3"
    leap = table.ask(words, "twelve-second", "." * 14 + "______..", AVERAGE)["outcome"]["leap"]
    assert (leap["recovery"], leap["no_action"], leap["stunned"]) == (7, 4, 3)


# -- the table itself -------------------------------------------------------------------------------------------------

MENUS = {"menu: ram", "master: damage", "master: rest", "setup: lost_moves"}
MENUS |= {"menu: stunt", "menu: second skill", "menu: jumps", "menu: journey"}
CONTROLS = {key.command for key in KEYS} | MENUS | {"reach", "point at a cell"}


def rows() -> Iterator[Any]:
    for clauses, _, _, asked in TABLE:
        yield pytest.param(asked, id=clauses.split()[0])


@pytest.mark.parametrize("asked", list(rows()))
def test_a_player_can_use_it(asked: Asked, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asked(Table(tmp_path, capsys))


def test_every_clause_has_its_row() -> None:
    known = (Path(__file__).parents[1] / "rules" / "clauses.txt").read_text(encoding="utf-8").split()
    wanted = {clause for clause in known if clause.split("-")[0] in ("REUP", "REV", "TWS")}
    named = [clause for clauses, _, _, _ in TABLE for clause in clauses.split()]
    assert len(named) == len(set(named))
    assert not set(named) & set(DESCRIPTIVE)
    assert set(named) | set(DESCRIPTIVE) == wanted


def test_the_window_has_the_controls_that_are_named() -> None:
    assert {control for _, _, control, _ in TABLE} <= CONTROLS
