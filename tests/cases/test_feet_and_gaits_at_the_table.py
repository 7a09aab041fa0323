"""How a player uses each clause of operator and of shapers: one row each, and the row is asked.

`TABLE` names for the clauses of a row the command or request, and the window's control, like the table of the other
three systems (`test_at_the_table`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from _commands import asked

from tactical.viewer.controls import KEYS
from tests.play.test_changes import Game

DESCRIPTIVE = {
    "OPR-44": "smoke has no effect on movement: an action like any other",
    "OPR-45": "fire by others has no effect on movement",
    "OPR-49": "vehicle combat is the game master's",
    "SHP-24": "what SHP-23 leaves over; the figure is SHP-25",
}
GROUND = """\
  ".": {terrain: floor}
  "d": {terrain: mud, difficult: true}
  "c": {terrain: ladder, climb: true}
  "s": {terrain: pool, swim: true}
  "C": {terrain: wet ladder, climb: true, slick: true}
  "V": {terrain: rapids, water: deep, current: strong}
  "W": {terrain: lake, water: deep}
  "o": {terrain: pit, gap: true}
  "h": {terrain: ledge, elevation: HIGH}
"""


@dataclass
class Strip:
    """A strip of one system, and what is asked about it."""

    rules: str
    folder: Path

    @property
    def cell(self) -> tuple[int, str]:
        return (5, "ft") if self.rules == "operator" else (1, "m")

    def text(self, row: str, stats: str, more: str = "", high: str = "6") -> str:
        """The map: a strip with `kit` on its first cell."""
        length, unit = self.cell
        return (
            f"schema: 1\ngrid: {{type: square, cell: {length}, unit: {unit}}}\nrules: {self.rules}\n"
            f"legend:\n{GROUND.replace('HIGH', high)}rows: |\n  {row}\n"
            f"movers:\n  - {{id: kit, at: A1, side: us, stats: {{{stats}}}}}\n{more}"
        )

    def ask(self, words: str, row: str = "." * 40, stats: str = "speed: 30", **more: str) -> Any:
        """The JSON of a command about the strip."""
        command, *rest = words.split()
        return asked(command, "MAP", "--mover", "kit", *rest, text=self.text(row, stats, **more))[1]

    def odds(self, words: str) -> Any:
        return asked("odds", "--rules", self.rules, *words.split())[1]

    def game(self, row: str, stats: str, more: str = "", **options: object) -> Game:
        return Game(self.text(row, stats, more), options=options)

    def budgets(self, stats: str, *words: str) -> dict[str, Fraction]:
        """The budget of every gait."""
        found = self.ask(" ".join(("reach", *words)), stats=stats)
        return {band["gait"]: Fraction(band["budget"]) for band in found["bands"]}


Asked = Callable[[Strip], None]
TABLE: list[tuple[str, str, str, Asked]] = []
CONTROLS = {key.command for key in KEYS} | {"reach", "point at a cell", "menu: check", "menu: journey", "menu: jumps"}


def row(clauses: str, command: str, control: str) -> Callable[[Asked], Asked]:
    """One row of the table."""

    def enter(asked_: Asked) -> Asked:
        TABLE.append((clauses, command, control, asked_))
        return asked_

    return enter


# -- operator ---------------------------------------------------------------------------------------------------------


@row("OPR-01 OPR-03", "reach", "reach")
def _speed(strip: Strip) -> None:
    assert strip.budgets("")["move"] == 30


@row("OPR-02 OPR-11 OPR-12", "move, act, move and end-turn in a session", "go")
def _pieces(strip: Strip) -> None:
    game = strip.game("." * 20, "speed: 30")
    assert game.do("move", to="C1")["events"][-1]["remaining"] == 20
    game.do("act", what="shoot")
    assert game.do("move", to="G1")["events"][-1]["remaining"] == 0
    assert game.do("move", to="H1")["code"] == "move.budget"
    game.do("end-turn")
    game.do("move", to="H1")
    game.do("end-turn")
    assert game.do("move", to="N1", gait="move")["events"][-1]["remaining"] == 0


@row("OPR-04 OPR-05 OPR-06 OPR-07 OPR-09 OPR-10", "stats of the mover; set-mover", "reach")
def _gear(strip: Strip) -> None:
    for stats, feet in (
        ("agile: true", 35), ("mobility: true", 35), ("bomb_suit: true", 20), ("shield: true", 20),
        ("slowed: true, agile: true", 17), ("slowed: true, speed: 8", 5), ("overloaded: true, agile: true", 17),
    ):  # fmt: skip
        assert strip.budgets(stats)["move"] == feet


@row("OPR-08 OPR-22 OPR-23", "reach --posture, path with `attacked`", "reach")
def _crouched(strip: Strip) -> None:
    found = strip.ask("path --to B1 --posture crouched --arrive crouched")
    assert found["cost"] == 10
    assert [(one["attack"], one["beyond"], one["modifier"]) for one in found["attacked"]] == [("ranged", 5, -2)]
    assert strip.ask("path --to D1")["attacked"] == []


@row("OPR-13 OPR-14 OPR-15 OPR-16 OPR-17 OPR-20", "path over ground", "explain")
def _grounds(strip: Strip) -> None:
    for ground, feet in ((".", 15), ("d", 30), ("c", 30), ("s", 30)):
        assert strip.ask("path --to D1", "." + ground * 9)["cost"] == feet
    assert strip.ask("path --to D1 --posture prone --arrive prone")["cost"] == 30
    assert strip.ask("path --to B1 --posture prone --arrive prone", ".dd")["cost"] == 20


@row("OPR-18 OPR-19 OPR-21 OPR-24 OPR-26", "posture in a session", "posture_prone")
def _postures(strip: Strip) -> None:
    game = strip.game("." * 9, "speed: 30")
    for posture, left in (("prone", 30), ("standing", 15), ("crouched", 15), ("standing", 10), ("prone", 10)):
        game.do("posture", posture=posture)
        status = game.ask(do="position", session=game.session)["statuses"]["kit"]
        assert 30 - status.get("turn", {}).get("spent", 0) == left
    assert game.do("posture", posture="standing")["code"] == "move.budget"


@row("OPR-25", "path with `attacked`", "reach")
def _prone(strip: Strip) -> None:
    found = strip.ask("path --to B1 --arrive prone")["attacked"]
    assert [(one["attack"], one["advantage"]) for one in found] == [("melee", "advantage"), ("ranged", "disadvantage")]


@row("OPR-27 OPR-28 OPR-29 OPR-30", "dash in a session; reach", "dash")
def _dash(strip: Strip) -> None:
    assert strip.budgets("agile: true") == {"move": 35, "dash": 70}
    assert max(strip.budgets("bonus_dash: true").values()) == 120
    game = strip.game("." * 30, "speed: 30")
    game.do("dash")
    assert game.do("act", what="shoot")["code"] == "move.action"
    assert game.do("move", to="M1")["events"][-1]["cost"] == 60


@row("OPR-31 OPR-32 OPR-33", "disengage in a session; path with `provokes`", "disengage")
def _disengage(strip: Strip) -> None:
    text = strip.text("." * 9, "speed: 30, bonus_dash: true", "  - {id: foe, at: A2, side: them}\n")
    text = text.replace("rows: |\n  .........", "rows: |\n  .........\n  .........")
    found = asked("path", "MAP", "--mover", "kit", "--to", "D1", text=text)[1]
    assert [one["enemy"] for one in found["provokes"]] == ["foe"]
    game = Game(text)
    game.do("disengage")
    assert game.do("dash")["code"] == "move.action"
    assert game.do("dash", bonus=True)["kind"] == "accepted"
    assert [one["code"] for one in game.do("move", to="D1")["events"]][-1] == "move.ended"


@row("OPR-34", "path --dc N, dcs in move", "menu: check")
def _asked_for(strip: Strip) -> None:
    found = strip.ask("path --to C1 --dc 15", ".cc", "speed: 30, athletics: 2")["checks"]
    assert [check["number"] for check in found] == [15]
    game = strip.game(".cc.c", "speed: 60, athletics: 2")
    assert game.move("E1", dcs=[None, 12])["events"][-1]["check"]["number"] == 12


@row("OPR-35 OPR-36", "path --dc N, resolve --roll; given-roll with dc", "roll")
def _checks(strip: Strip) -> None:
    stats = "speed: 30, athletics: 2"
    found = strip.ask("path --to C1 --dc 12", ".CC", stats)["checks"]
    assert (found[0]["number"], found[0]["chance"]) == (12, "11/20")
    failed = strip.ask("resolve --to C1 --dc 12 --roll 7", ".CC", stats)["outcome"]["stretch"]
    assert (failed["spent"], failed["badly"]) == (20, True)
    game = strip.game(".VV", stats)
    assert game.do("move", to="C1")["events"][-1]["check"].get("number") is None
    short = game.do("given-roll", total=10, dc=12)["events"]
    assert not any(one.get("badly") for one in short)


@row("OPR-37 OPR-38 OPR-42 OPR-43", "path over gaps; odds --jump", "point at a cell")
def _long(strip: Strip) -> None:
    assert strip.odds("--stat strength=15 --jump 15 --run-up 10")["cost"] == 15
    assert strip.odds("--stat strength=15 --jump 7")["chance"] == 1
    assert strip.odds("--stat strength=15 --jump 8")["refusal"]["code"] == "move.run_up"
    jumped = strip.ask("path --to F1", "...oo.", "strength: 16")
    assert [step["way"] for step in jumped["steps"]][-1] == "jump"
    assert strip.ask("path --to F1", "...oo.", "strength: 9").get("refusal") is not None


@row("OPR-39 OPR-40 OPR-41", "odds --jump 0 --rise N; path up a ledge", "menu: jumps")
def _high(strip: Strip) -> None:
    found = strip.odds("--stat strength=16 --stat height=6 --jump 0 --rise 6 --run-up 10")
    assert (found["longest"], found["reach"]) == (6, 15)
    assert strip.odds("--stat strength=16 --jump 0 --rise 3")["longest"] == 3
    assert strip.ask("path --to D1", "...h", "strength: 16")["steps"][-1]["way"] == "jump"


@row("OPR-46 OPR-47 OPR-48", "stats vehicle_multiple and vehicle_kind; set-mover", "reach")
def _vehicles(strip: Strip) -> None:
    assert strip.budgets("vehicle_multiple: 4")["move"] == 120
    refused = strip.ask("path --to B1", stats="vehicle_kind: helicopter")["refusal"]
    assert "grid" in refused["text"]


@row("OPR-50", "open-door in a session; plans through doors", "door")
def _doors(strip: Strip) -> None:
    more = "barriers:\n  - {id: gate, cell: B1, side: west, kind: door}\n"
    found = strip.ask("path --to B1", "...", more=more)
    assert [line["price"] for line in found["ledger"] if "gate" in line["text"]] == [0]
    assert strip.game("...", "speed: 30", more).do("open-door", door="gate")["kind"] == "accepted"


# -- shapers ----------------------------------------------------------------------------------------------------------


@row("SHP-01 SHP-02 SHP-03 SHP-06 SHP-10", "reach --gait NAME", "gait_next")
def _paces(strip: Strip) -> None:
    for gait, last in (("walk", "C1"), ("jog", "E1"), ("run", "I1"), ("sprint", "Q1")):
        cells = strip.ask(f"reach --gait {gait}", stats="pa: 4, pf: 3")["cells"]
        assert max((Fraction(one["cost"]), one["cell"]) for one in cells) == (1, last)


TIRED = "--stat pa=4 --stat pf=2 --stat endurance=20"


@row("SHP-07", "journey --gait run", "menu: journey")
def _free_to_run(strip: Strip) -> None:
    # Fortitude 2 runs a minute before the first test, and tests every half minute from then on
    words = ("--stat", "pa=4", "--stat", "pf=2", "--gait", "run")
    for minutes, due in ((1, []), (2, [60, 90])):
        found = asked("journey", "--rules", "shapers", *words, "--minutes", str(minutes))[1]
        assert [one["at"] for one in found["plan"]["rolls"]] == due


@row("SHP-04 SHP-05 SHP-08 SHP-09 SHP-11 SHP-12 SHP-13", "odds --gait --rounds; end-turn and move", "do")
def _effort(strip: Strip) -> None:
    for gait, rounds, due in (
        ("jog", 61, [(41, 72), (61, 72)]), ("run", 41, [(21, 72), (31, 67), (41, 62)]),
        ("sprint", 5, [(3, 72), (4, 62), (5, 52)]),
    ):  # fmt: skip
        tests = strip.odds(f"{TIRED} --gait {gait} --rounds {rounds}")["tests"]
        assert [(test["before_round"], test["number"]) for test in tests] == due
    game = strip.game("." * 40, "pa: 2, pf: 0, endurance: 20")
    assert game.do("move", to="I1", gait="sprint")["events"][-1]["check"]["number"] == 70
    game.do("given-roll", total=71)
    assert game.do("move", to="I1", gait="sprint")["kind"] == "refusal"


@row("SHP-14 SHP-15 SHP-16 SHP-17 SHP-18 SHP-19 SHP-20 SHP-21 SHP-22", "odds --jump, --rise; path over gaps", "odds")
def _leaps(strip: Strip) -> None:
    stats = "--stat pa=4 --stat ps=6 --stat athletics=10"
    # standing 2.6 m, running 6 m; the number is 64, a point is a centimetre
    for words, chance in (
        ("--jump 2.6", "16/25"), ("--jump 2.61", "63/100"), ("--jump 2.5", "37/50"),
        ("--jump 6 --gait run --run-up 50", "16/25"), ("--jump 0 --rise 0.6", "16/25"),
        ("--jump 2.6 --rise 0.6", "16/25"), ("--jump 2.5 --rise 0.61", "63/100"),
    ):  # fmt: skip
        assert strip.odds(f"{stats} {words}")["chance"] == chance


@row("SHP-23 SHP-25 SHP-26", "path down a ledge, stat accept_damage; push in a session", "point at a cell")
def _falls(strip: Strip) -> None:
    stats = "pa: 4, pf: 5, accept_damage: 30"
    for high, damage in (("10", 25), ("5/2", 0), ("3", 11)):
        text = strip.text("h.", stats, high=f"'{high}'")
        found = asked("path", "MAP", "--mover", "kit", "--to", "B1", text=text)[1]
        assert sum(Fraction(step.get("damage", 0)) for step in found["steps"]) == damage


@row("SHP-27 SHP-28 SHP-29", "resolve --roll N down a ledge", "roll")
def _jumps_down(strip: Strip) -> None:
    stats = "pa: 4, pf: 5, athletics: 6, accept_damage: 30"
    checks = strip.ask("path --to B1", "h.", stats, high="10")["checks"]
    assert (checks[0]["number"], checks[0]["under"]) == (50, True)
    hurt = strip.ask("resolve --to B1 --roll 29", "h.", stats, high="10")["outcome"]
    assert "23" in str(hurt)


@row("SHP-30 SHP-31 SHP-33 SHP-34", "path through water; odds --gait swim --rounds", "point at a cell")
def _swims(strip: Strip) -> None:
    stats = "pa: 4, ps: 4, pf: 1, swimming: 1"
    calm = strip.ask("path --to C1", ".WW", stats)
    assert (calm["cost"], calm["checks"]) == (1, [])
    assert strip.ask("path --to C1", ".VV", stats)["checks"][0]["number"] == 55
    words = "--stat pa=4 --stat pf=1 --stat swimming=1 --stat ps=4 --stat endurance=9 --gait swim --rounds 4"
    tests = strip.odds(words)["tests"]
    assert [(test["before_round"], test["number"]) for test in tests] == [(3, 60), (4, 60)]


@row("SHP-32", "end-turn in a session", "do")
def _flounders(strip: Strip) -> None:
    game = strip.game("W..", "pa: 4, ps: 7")
    assert game.do("end-turn")["events"][-1]["check"]["number"] == 57
    assert game.do("given-roll", total=58)["kind"] == "accepted"


# -- the table itself -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("asked_", [pytest.param(one[3], id=one[0].split()[0]) for one in TABLE])
def test_a_player_can_use_it(asked_: Asked, tmp_path: Path) -> None:
    clauses = next(one[0] for one in TABLE if one[3] is asked_)
    asked_(Strip("operator" if clauses.startswith("OPR") else "shapers", tmp_path))


def test_every_clause_has_its_row() -> None:
    known = (Path(__file__).parents[1] / "rules" / "clauses.txt").read_text(encoding="utf-8").split()
    wanted = {clause for clause in known if clause.split("-")[0] in ("OPR", "SHP")}
    named = [clause for clauses, _, _, _ in TABLE for clause in clauses.split()]
    assert len(named) == len(set(named))
    assert not set(named) & set(DESCRIPTIVE)
    assert set(named) | set(DESCRIPTIVE) == wanted


def test_the_window_has_the_controls_that_are_named() -> None:
    assert {control for _, _, control, _ in TABLE} <= CONTROLS
