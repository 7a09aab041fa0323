"""Odds of rounds, jumps and stunts; a second skill; the likelier way: each figure counted by hand."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.play.test_changes import Game

D6 = ("--rules", "d6-reup", "--stat", "code=3D", "--previous-speed", "cruising")
LEAPER = ("--rules", "twelve-second", "--stat", "str=14", "--stat", "dex=12", "--stat", "end=4")
"""Strength and Dexterity 26: jump number 2.5, running 5, high 1.25 (TWS-18 ... 22)."""

FIELD = """\
schema: 1
name: Field
grid: {type: square, cell: 1, unit: m}
rules: RULES
legend:
  ".": {terrain: grass, level: E, number: 6}
rows: |
  ........................
movers:
  - {id: kit, at: A1, stats: {move: 8, code: 4D, climbing: 3D, previous: cruising}}
"""
TWO_WAYS = """\
schema: 1
name: Ford
grid: {type: square, cell: 1, unit: m}
rules: d6-reup
legend:
  ".": {terrain: path, level: VE, number: 1}
  "r": {terrain: scree, level: M, number: 13}
  "p": {terrain: pool, water: deep, level: E, number: 8}
  "#": {terrain: wall, impassable: true}
rows: |
  ..pp......
  .########.
  .########.
  .rrrrrr...
movers:
  - {id: kit, at: A1, stats: {move: 8, running: 5D, swimming: 1D, previous: cruising}}
"""


@pytest.fixture
def field(tmp_path: Path) -> str:
    path = tmp_path / "field.yaml"
    path.write_text(FIELD.replace("RULES", "d6-reup"))
    return str(path)


@pytest.mark.parametrize(
    ("words", "chance"),
    [
        # Difficult 16 at cruising speed is rolled as it is: 10 of 216 throws of 3D make it, each round
        (
            (*D6, "--gait", "cruising", "--rounds", "2", "--fact", "level=D", "--fact", "number=16"),
            Fraction(10, 216) ** 2,
        ),
        # a minute all-out is a stamina roll, due before the next round: 3D make 5 in 212 of 216 throws
        (
            (*D6[:3], "code=10D", "--stat", "stamina=3D", "--previous-speed", "high", "--gait", "all-out", "--rounds",
             "13", "--fact", "level=VE", "--fact", "number=1", "--option", "default_number=high"),
            Fraction(212, 216),
        ),
        ((*LEAPER, "--gait", "run", "--rounds", "4"), Fraction(1)),
        # a jump of 5 m on a slick edge is one more than the number: 1 on d20 (TWS-25, 36); on dry ground it is sure
        ((*LEAPER, "--jump", "5", "--run-up", "10", "--fact", "uneven=true"), Fraction(1, 20)),
        ((*LEAPER, "--jump", "5", "--run-up", "10"), Fraction(1)),
        # standing, from whatever run-up: 3 is half a metre too much
        ((*LEAPER, "--jump", "3", "--run-up", "10", "--kind", "standing"), Fraction(1, 5)),
        ((*LEAPER, "--jump", "1.5", "--kind", "backward"), Fraction(1, 5)),
        ((*LEAPER, "--jump", "0", "--rise", "1.25"), Fraction(1)),
        ((*LEAPER, "--jump", "0", "--rise", "2.25", "--kind", "high"), Fraction(1, 20)),
        # swimming of shapers: PF 0 + 1 round is free, then 50 + 4
        (
            ("--rules", "shapers", "--stat", "pa=2", "--stat", "ps=4", "--stat", "swimming=1", "--stat", "endurance=4",
             "--gait", "swim", "--rounds", "2"),
            Fraction(54, 100),
        ),
        # a stunt of 4 at cruising speed makes Easy 6 a roll against 10: 3D make it in 135 of 216
        ((*D6, "--gait", "cruising", "--fact", "level=E", "--fact", "number=6", "--stunt", "4"), Fraction(135, 216)),
    ],
)  # fmt: skip
def test_chances(run: Run, words: tuple[str, ...], chance: Fraction) -> None:
    found = run("odds", *words, "--json")
    assert found.status == 0, found.err
    assert Fraction(found.json["chance"]) == chance


@pytest.mark.parametrize(
    ("words", "status", "said"),
    [
        ((*LEAPER, "--gait", "run", "--rounds", "5"), 1, "TWS-17"),
        ((*D6[:-1], "stop", "--gait", "all-out", "--rounds", "2"), 1, "not possible after stop"),
        ((*D6, "--gait", "cruising", "--fact", "level=D", "--fact", "number=12"), 2, "12"),
        ((*D6, "--gait", "cruising", "--fact", "number=12"), 2, "12"),
        ((*D6, "--gait", "cruising", "--rounds", "2", "--stunt", "4"), 2, "--stunt"),
        ((*LEAPER, "--jump", "3", "--fact", "level=D"), 2, "--fact level"),
        ((*LEAPER, "--jump", "3", "--kind", "high"), 2, "--rise"),
        ((*LEAPER, "--gait", "run", "--kind", "standing"), 2, "--kind"),
        (("--rules", "operator", "--stat", "strength=14", "--jump", "5", "--kind", "backward"), 1, "backward"),
        (("--rules", "operator", "--gait", "move", "--stunt", "4"), 1, "stunts"),
        (("--dice", "3D", "--number", "9", "--rounds", "2"), 2, "--rounds"),
    ],
)
def test_what_is_refused_with_its_reason(run: Run, words: tuple[str, ...], status: int, said: str) -> None:
    found = run("odds", *words)
    assert (found.status, said in found.err) == (status, True), found.err


def test_a_stunt_is_the_same_on_every_surface(run: Run, field: str) -> None:
    words = (field, "--mover", "kit", "--to", "I1", "--gait", "cruising", "--stunt", "5")
    shown = run("path", *words, "--odds", "--json").json
    assert ([check["number"] for check in shown["checks"]], shown["action"]) == ([11], "action")
    done = run("resolve", *words, "--roll", "9", "--json").json
    assert (done["outcome"]["result"], done["outcome"]["margin"]) == ("slight_slip", 2)
    game = Game(FIELD.replace("RULES", "d6-reup"))
    answer = game.ask(do="move", session=game.session, mover="kit", to="I1", gait="cruising", stunt=5)
    assert answer["events"][-1]["check"]["number"] == 11
    assert game.do("given-roll", total=11)["events"][-1]["cell"] == [8, 0]
    game.do("end-turn")
    # the next move is plain again
    assert game.move("Q1", "cruising")["events"][-1]["code"] == "move.ended"
    no = run("resolve", "village", "--mover", "raven", "--to", "I13", "--stunt", "5")
    assert (no.status, "stunts" in no.err) == (1, True)


def test_a_second_skill_takes_a_die_of_both(run: Run, field: str) -> None:
    words = ("resolve", field, "--mover", "kit", "--to", "Q1", "--gait", "high", "--then", "climbing=9")
    done = run(*words, "--roll", "12", "--roll", "9", "--json").json
    assert [check["dice"] for check in done["checks"]] == ["3D"]
    assert done["second"] == {
        "skill": "climbing/jumping", "dice": "2D", "number": 9, "total": 9, "margin": 0, "passed": True
    }  # fmt: skip
    assert (done["end"], len(done["rolls"])) == ("Q1", 2)
    assert run(*words, "--roll", "12").status == 2
    assert run(*words, "--roll", "12", "--roll", "13").status == 2
    thrown = run(*words, "--seed", "3", "--json").json
    assert thrown["second"]["total"] == thrown["rolls"][-1]["total"]
    allout = ("resolve", field, "--mover", "kit", "--to", "X1", "--gait", "all-out", "--previous-speed", "high")
    for option in ("true", "false"):
        ruled = ("--option", f"second_skill_is_action={option}")
        found = run(*allout, "--then", "climbing=9", "--roll", "9", *ruled, "--json")
        assert (found.status, found.json["refusal"]["code"]) == (1, "move.action")
    assert run(*words[:-1], "whistling=9", "--roll", "9").status == 2


def test_strength_stands_in_for_a_second_skill_never_improved(run: Run, tmp_path: Path) -> None:
    board = tmp_path / "wall.yaml"
    board.write_text(
        "schema: 1\ngrid: {cell: 1, unit: m}\nrules: d6-reup\nrows: '..........'\n"
        "movers: [{id: a, at: A1, stats: {move: 10, strength: 3D+1}}, {id: b, at: B1, stats: {move: 10}}]\n"
    )
    words = ("resolve", str(board), "--gait", "cruising", "--then", "climbing=9", "--roll", "9", "--json")
    done = run(*words, "--mover", "a", "--to", "H1").json
    # REUP-06, and a die less for the second action of the round
    assert (done["second"]["skill"], done["second"]["dice"]) == ("climbing/jumping", "2D+1")
    without = run(*words, "--mover", "b", "--to", "I1")
    assert (without.status, without.json["refusal"]["code"]) == (1, "rules.not_covered")


def test_the_likelier_way_is_told_by_chance_not_by_number(run: Run, tmp_path: Path) -> None:
    """Swimming with one die against 8 fails; running with five against 13 seldom does, though the number is higher."""
    path = tmp_path / "ford.yaml"
    path.write_text(TWO_WAYS)
    ways = run("risks", str(path), "--mover", "kit", "--to", "J1", "--by", "chance", "--json").json["choices"]
    chances = [Fraction(way["chance"]) for way in ways]
    assert chances[0] == 0
    assert chances[-1] > Fraction(9, 10)
    assert [way["route"]["cost"] for way in ways] == [13, 15]
    best = run("path", str(path), "--mover", "kit", "--to", "J1", "--odds", "--json").json["odds"]["best"]
    assert best["cost"] == 15
    assert Fraction(best["chance"]) >= chances[-1]
    said = run("risks", str(path), "--mover", "kit", "--to", "J1", "--by", "chance").out.splitlines()
    assert said[0].startswith("0 % that nothing fails: 13")


def test_a_journey_weighs_the_wild_die_of_its_ground(run: Run) -> None:
    words = (
        "journey", "--rules", "d6-reup", "--stat", "code=3D", "--stat", "move=10", "--stat", "stamina=9D",
        "--gait", "march", "--hours", "3", "--fact", "level=D", "--option", "default_number=low",
    )  # fmt: skip
    plain, wild = (
        run(*words, "--fact", "number=19", "--option", f"wild_die={state}", "--json") for state in ("off", "on")
    )
    # 3D never make 19; with a die that is thrown again on a six they may
    assert (plain.status, wild.status) == (0, 0), plain.err + wild.err
    parts = [Fraction(found.json["plan"]["ground_chance"]) for found in (plain, wild)]
    assert parts[0] == 0 < parts[1]
    wrong = run(*words, "--fact", "number=25")
    assert (wrong.status, "25" in wrong.err) == (2, True)


POND = """schema: 1
grid: {type: square, cell: 5, unit: ft}
rules: operator
legend:
  ".": {terrain: floor}
  "~": {terrain: pond, water: deep}
  "s": {terrain: torrent, water: deep, current: strong}
rows: |
  .~s..
movers:
  - {id: a, at: A1, stats: {strength: 14}}
"""


def test_a_number_of_the_game_master_s_is_compared_with_no_way_without_it(run: Run, tmp_path: Path) -> None:
    board = tmp_path / "pond.yaml"
    board.write_text(POND, encoding="utf-8")
    plain = run("path", str(board), "--mover", "a", "--to", "B1", "--odds", "--json").json["odds"]
    assert (plain["chance"], plain["best"]["chance"]) == (1, 1)
    words = ("path", str(board), "--mover", "a", "--to", "B1", "--odds", "--dc", "13")
    asked = run(*words, "--json").json["odds"]
    # Strength 14 adds 2 (OPR-34, OPR-A12): 11 to 20 on the die
    assert (asked["chance"], asked["best"]) == ("1/2", None)
    assert "another way" not in run(*words).out


def test_a_cell_whose_chance_is_not_known_is_in_reach(run: Run, tmp_path: Path) -> None:
    board = tmp_path / "pond.yaml"
    board.write_text(POND, encoding="utf-8")
    out = run("reach", str(board), "--mover", "a", "--odds").out
    row = next(line for line in out.splitlines() if line.startswith("1 "))
    assert row.split() == ["1", "@", "++", "??", "??", "??"]
    assert "?? in reach" in out
    known = run("reach", str(board), "--mover", "a", "--odds", "--option", "athletics_dc=13").out
    assert "??" not in known


def test_too_many_numbers_are_told_what_they_could_be_for(run: Run, tmp_path: Path) -> None:
    board = tmp_path / "pond.yaml"
    board.write_text(POND, encoding="utf-8")
    words = ("path", str(board), "--mover", "a", "--to", "C1", "--odds", "--dc", "13", "--dc", "9")
    assert "the way of this turn has 1 stretch that may be rolled for (swim), 2 numbers given" in run(*words).err


def test_chances_that_nobody_knows_are_no_missing_way(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "scree.yaml"
    path.write_text(
        "schema: 1\ngrid: {type: square, cell: 1, unit: m}\nrules: d6-reup\n"
        'legend:\n  "D": {terrain: scree, level: D}\nrows: |\n  DDDDDDDDDDDD\n'
        "movers:\n  - {id: kit, at: A1, stats: {move: 10, code: 4D, previous: cruising}}\n"
    )
    words = ("risks", str(path), "--mover", "kit", "--to", "K1", "--by", "chance")
    told = run(*words)
    assert told.status == 1
    assert "no number" in told.err
    assert "no way" not in told.err
    assert run(*words, "--json").json["refusal"]["code"] == "rules.number_missing"
