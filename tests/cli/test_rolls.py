"""Commands that deal with rolls: resolve, journey, odds, and the options --odds, --roll, --previous-speed."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Run

D6_MAP = """\
schema: 1
name: Yard
grid: {type: square, cell: 2, unit: m}
rules: d6-reup
legend:
  "S": {level: E, number: 6}
  ".": {level: E, number: 8}
  "D": {level: D, number: 17}
rows: |
  S...DD...
  .........
movers:
  - {id: rhen, at: A1, stats: {move: 10, code: 3D}}
"""


@pytest.fixture
def yard(tmp_path: Path) -> str:
    path = tmp_path / "yard.yaml"
    path.write_text(D6_MAP, encoding="utf-8")
    return str(path)


def cells(answer: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {entry["cell"]: entry for entry in answer["cells"]}


def test_reach_shows_gaits_with_least_and_most_and_says_which_are_refused(run: Run, yard: str) -> None:
    said = run("reach", yard, "--mover", "rhen").out
    assert "Cruising: from 5 to 10 m" in said
    assert "All-out: no, all-out is not possible after stop" in said
    gaits = {gait["name"]: gait for gait in run("reach", yard, "--mover", "rhen", "--json").json["gaits"]}
    assert gaits["high"]["refused"]["code"] == "move.speed_change"
    assert gaits["cautious"]["refused"] is None


def test_the_previous_speed_opens_other_gaits(run: Run, yard: str) -> None:
    answer = run("reach", yard, "--mover", "rhen", "--previous-speed", "all-out", "--json").json
    assert [band["name"] for band in answer["bands"]] == ["cruising", "high", "all_out"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--previous-speed", "cruisng"), "did you mean 'cruising'"),
        (("--gait", "galop"), "unknown gait"),
        (("--rules", "operator", "--previous-speed", "high"), "does not ask for the speed"),
    ],
)
def test_wrong_speeds_are_wrong_use(run: Run, yard: str, words: tuple[str, ...], said: str) -> None:
    done = run("reach", yard, "--at", "A1", "--stat", "speed=30" if "--rules" in words else "move=10", *words)
    assert done.status == 2
    assert said in done.err


def test_each_cell_has_its_chance(run: Run, yard: str) -> None:
    found = cells(run("reach", yard, "--mover", "rhen", "--previous-speed", "cruising", "--odds", "--json").json)
    assert found["D1"]["chance"] == 1
    # Difficult 17 on 3D: only 17 and 18 succeed, and the slip of 14 to 16 goes all the way too: 35 of 216
    assert found["F1"]["chance"] == "35/216"
    assert found["F1"]["chance_gait"] == "cruising"
    # past the rough ground by the second row, at high speed: Easy 8, and slips of 5 to 7 still arrive
    assert found["I1"]["chance"] == "53/54"
    assert "16" in run("reach", yard, "--mover", "rhen", "--previous-speed", "cruising", "--odds").out


def test_reach_with_a_roll_says_where_moves_end(run: Run, yard: str) -> None:
    found = cells(run("reach", yard, "--mover", "rhen", "--roll", "9", "--json").json)
    assert (found["F1"]["ends"], found["F1"]["result"]) == ("C1", "fall")
    assert (found["E2"]["ends"], found["E2"]["result"]) == ("E2", "ok")


def test_path_with_odds_and_roll(run: Run, yard: str) -> None:
    words = ("path", yard, "--mover", "rhen", "--previous-speed", "cruising", "--gait", "high", "--to", "I1")
    answer = run(*words, "--odds", "--roll", "4", "--json").json
    # straight through the rough ground: D 17 becomes VD 22
    assert [(check["skill"], check["level"], check["number"]) for check in answer["checks"]] == [("running", "VD", 22)]
    assert answer["odds"]["chance"] == 0
    assert answer["resolved"]["outcome"]["result"] == "tumble"
    assert answer["resolved"]["end"] == "C1"
    said = run(*words, "--odds", "--roll", "4").out
    assert "roll running 3D at least 22 (VD), 0 %" in said
    assert "tumble: ends at C1, prone" in said


def test_a_roll_too_few_is_wrong_use(run: Run, yard: str) -> None:
    done = run("resolve", yard, "--mover", "rhen", "--to", "F1", "--gait", "cruising")
    assert done.status == 2
    assert "needs 1 roll, 0 given" in done.err
    assert "running 3D at least 17" in done.err


def test_resolve(run: Run, yard: str) -> None:
    words = ("resolve", yard, "--mover", "rhen", "--gait", "cruising")
    # a path cell by cell: 12 m is more than cruising allows
    assert run(*words, "--path", "A1,A2,B2,C2,D2,E2,F2").status == 1
    answer = run(*words, "--path", "A1,A2,B2,C2,D2,E2", "--json").json
    assert (answer["end"], answer["length"], answer["checks"]) == ("E2", 10, [])
    assert answer["next"]["previous"] == "cruising"
    assert "all_out" in answer["next"]["gaits"]
    seeded = run(*words, "--previous-speed", "cruising", "--to", "E1", "--seed", "7", "--json").json
    assert seeded == run(*words, "--previous-speed", "cruising", "--to", "E1", "--seed", "7", "--json").json


def test_resolve_of_a_gait_that_is_not_open_is_a_refusal(run: Run, yard: str) -> None:
    done = run("resolve", yard, "--mover", "rhen", "--path", "A1,B1", "--gait", "all_out", "--json")
    assert done.status == 1
    assert done.json["refusal"]["code"] == "move.speed_change"


def test_a_fall_costs_the_next_round(run: Run, yard: str) -> None:
    words = ("resolve", yard, "--mover", "rhen", "--to", "H1", "--gait", "high", "--previous-speed", "cruising")
    answer = run(*words, "--roll", "15", "--json").json
    assert (answer["outcome"]["result"], answer["outcome"]["margin"]) == ("fall", 7)
    assert (answer["end"], answer["posture"]) == ("D1", "kneeling")
    assert answer["next"]["previous"] == "stop"
    assert answer["next"]["memory"]["dice"] == -2


def test_journey_plans_and_plays(run: Run) -> None:
    words = ("journey", "--rules", "d6-reup", "--stat", "stamina=4D", "--option", "default_number=low")
    plan = run(*words, "--gait", "forced-march", "--hours", "6", "--json").json["plan"]
    assert [roll["trial"]["level"] for roll in plan["rolls"]] == ["VE", "E", "M"]
    assert plan["metres"] == 6 * 3600 * 2
    rough = run(*words, "--gait", "march", "--hours", "3", "--fact", "level=D", "--fact", "number=17", "--json").json
    assert [(trial["skill"], trial["number"]) for trial in rough["plan"]["ground"]] == [("running", 17)]
    assert run(*words, "--gait", "high", "--hours", "1", "--fact", "level=D").status == 2
    played = run(*words, "--gait", "march", "--hours", "9", "--roll", "9", "--roll", "4", "--json").json["played"]
    assert not played["arrived"]
    assert played["owed"] == {"kind": "sleep", "seconds": 7200}
    assert "failed by 2" in run(*words, "--gait", "march", "--hours", "9", "--roll", "9", "--roll", "4").out
    assert run(*words, "--gait", "march", "--hours", "9", "--seed", "1").out


@pytest.mark.parametrize(
    ("words", "status", "said"),
    [
        (("--rules", "operator"), 1, "long journeys in Operator"),
        (("--rules", "d6-reup", "--gait", "march"), 2, "say how long or how far"),
        (("--rules", "d6-reup", "--gait", "march", "--hours", "x"), 2, "--hours"),
        (("--rules", "d6-reup", "--gait", "stroll", "--hours", "1"), 2, "unknown effort"),
        (("--rules", "d6-reup", "--gait", "march", "--hours", "9", "--roll", "9"), 1, "no number"),
        (("--rules", "shapers", "--stat", "pa=4", "--gait", "run", "--hours", "1", "--harder", "1"), 2, "--harder"),
    ],
)
def test_journeys_that_do_not_begin(run: Run, words: tuple[str, ...], status: int, said: str) -> None:
    done = run("journey", *words)
    assert (done.status, said in done.err) == (status, True), done.err


def test_the_efforts_are_listed(run: Run) -> None:
    said = run("journey", "--rules", "twelve-second", "--stat", "str=12", "--stat", "dex=12", "--stat", "end=10").out
    assert "run " in said
    assert "for 2 min" in said


@pytest.mark.parametrize(
    ("words", "chance"),
    [
        (("--dice", "3D", "--number", "8"), "181/216"),
        (("--dice", "d20+3", "--number", "12"), "3/5"),
        (("--dice", "d100", "--number", "55", "--under"), "11/20"),
        (("--rules", "operator", "--stat", "athletics=3", "--dc", "12"), "3/5"),
        (
            ("--rules", "twelve-second", "--stat", "str=12", "--stat", "dex=12", "--stat", "end=9", "--jump", "4",
             "--run-up", "4"),
            "1/20",
        ),
        (("--rules", "shapers", "--stat", "pa=4", "--stat", "pf=3", "--stat", "endurance=2", "--gait", "sprint",
          "--rounds", "5"), "99/400"),
        (("--rules", "d6-reup", "--stat", "code=3D", "--stat", "previous=cruising", "--gait", "high", "--fact",
          "level=E", "--fact", "number=8"), "181/216"),
    ],
)  # fmt: skip
def test_odds(run: Run, words: tuple[str, ...], chance: str) -> None:
    assert run("odds", *words, "--json").json["chance"] == chance


@pytest.mark.parametrize(
    ("words", "status", "said"),
    [
        ((), 2, "--rules NAME"),
        (("--dice", "4Q", "--number", "3"), 2, "not a dice code"),
        (("--dice", "4D"), 2, "--number"),
        (("--rules", "d6-reup"), 2, "say what"),
        (("--rules", "d6-reup", "--gait", "all_out"), 1, "not possible after stop"),
        (("--rules", "d6-reup", "--gait", "cruising", "--fact", "altitude=3"), 2, "unknown fact"),
        (("--rules", "d6-reup", "--gait", "cruising", "--fact", "level=D"), 1, "no number"),
        (("--rules", "plain", "--jump", "3"), 1, "jumping without"),
        (("--rules", "shapers", "--stat", "pa=4", "--jump", "40"), 1, "the longest possible"),
    ],
)
def test_odds_that_are_not_known(run: Run, words: tuple[str, ...], status: int, said: str) -> None:
    done = run("odds", *words)
    assert (done.status, said in done.err) == (status, True), done.err


@pytest.mark.parametrize("name", ["d6-reup", "d6-revised", "twelve-second", "operator", "shapers"])
def test_every_sheet_can_be_read(run: Run, name: str) -> None:
    said = run("rulesets", name).out
    answer = run("rulesets", name, "--json").json["rulesets"][0]
    assert answer["sheet"]
    for title in answer["sheet"]:
        assert title[1:] in said
    assert "Postures: standing" in said
    for option in answer["options"]:
        assert f"{option['name']} = " in said
        assert option["clause"]


@pytest.mark.parametrize("gait", ["all-out", "All out", "ALL_OUT"])
def test_a_gait_is_known_however_it_is_written(run: Run, gait: str) -> None:
    found = run("odds", "--rules", "d6-reup", "--stat", "move=10", "--stat", "code=3D", "--previous-speed", "high",
                "--gait", gait, "--fact", "level=E", "--fact", "number=8")  # fmt: skip
    assert found.status == 0, found.err
    assert found.out.startswith("All-out")


def test_a_nameless_mover_has_no_stats_to_leave_out(run: Run) -> None:
    found = run("path", "village", "--at", "H14", "--to", "H12", "--rules", "twelve-second", "--stat", "mv=3")
    assert found.status == 0
    assert "turns left" in found.out
    assert "without" not in found.err


def test_more_totals_than_rolls_are_refused(run: Run, yard: str) -> None:
    for command in ("path", "resolve"):
        found = run(command, yard, "--mover", "rhen", "--gait", "cruising", "--to", "F1", "--roll", "9", "--roll", "8")
        assert found.status == 2
        assert "2 rolls given, 1 needed" in found.err


def test_reach_takes_totals_only_where_they_are_printed(run: Run, yard: str) -> None:
    found = run("reach", yard, "--mover", "rhen", "--roll", "9")
    assert found.status == 2
    assert "only --json prints" in found.err


def test_what_may_follow_is_listed_by_title(run: Run, yard: str) -> None:
    found = run("resolve", yard, "--mover", "rhen", "--gait", "cruising", "--to", "F1", "--roll", "18")
    then = found.out.splitlines()[-1]
    assert then.startswith("then: ")
    assert "all_out" not in then
    assert "All-out" in then


def test_a_row_tells_the_chance_of_its_own_way(run: Run, yard: str) -> None:
    words = ("--mover", "rhen", "--previous-speed", "cruising", "--odds")
    rows = run("reach", yard, *words, "--json").json["cells"]
    assert all(Fraction(row["own_chance"]) <= Fraction(row["chance"]) for row in rows)
    likelier = [row for row in rows if row["own_chance"] != row["chance"]]
    assert likelier, "the yard has cells that a detour reaches more surely"
    cell, best = likelier[-1]["cell"], likelier[-1]["chance"]
    assert "another way gets there with" in run("path", yard, *words, "--to", cell).out
    answer = run("path", yard, *words, "--to", cell, "--json").json
    assert answer["odds"]["best"]["chance"] == best
    assert Fraction(answer["odds"]["landings"]["cells"].get(cell, 0)) == Fraction(likelier[-1]["own_chance"])
    # where there is one way alone, no other is spoken of
    one = run("path", yard, *words, "--to", "F1", "--gait", "cruising").out
    assert "another way" not in one


def test_risks_are_told_by_the_number_where_moves_are_rolled(run: Run, yard: str) -> None:
    found = run("risks", yard, "--mover", "rhen", "--to", "F1")
    assert "to roll:" in found.out
    assert "--by attacks|" in found.err
    assert run("risks", yard, "--mover", "rhen", "--to", "F1", "--by", "attacks").out.startswith("0 attacks: ")


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (["--to", "F1", "--roll", "9", "--seed", "1"], "--roll gives the totals and --seed throws them"),
        (["--to", "F1", "--path", "A1,B1"], "--to and --path both say where to"),
        (["--to", "F1", "--roll", "-4"], "can show -4"),
    ],
)
def test_a_move_is_asked_for_in_one_way_only(run: Run, yard: str, given: list[str], said: str) -> None:
    found = run("resolve", yard, "--mover", "rhen", "--gait", "cruising", *given)
    assert found.status == 2
    assert said in found.err


def test_a_roll_of_a_later_turn_names_its_turn(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "scree.yaml"
    path.write_text(
        "schema: 1\ngrid: {type: square, cell: 1, unit: m}\nrules: d6-reup\n"
        'legend: {"V": {terrain: scree, level: D, number: 18}}\n'
        f"rows: {'V' * 40}\nmovers: [{{id: kit, at: A1, stats: {{move: 10, code: 4D}}}}]\n"
    )
    found = run("path", str(path), "--mover", "kit", "--to", "AJ1", "--turns", "2").out
    assert "round 1: roll running 4D at least 18 (D)" in found
    assert "round 2: roll running 4D at least 33 (H)" in found
    assert "turn 1" not in run("path", str(path), "--mover", "kit", "--to", "K1").out


def test_a_journey_takes_no_totals_that_its_dice_cannot_show(run: Run) -> None:
    drive = ["journey", "--rules", "d6-revised", "--stat", "kind=vehicle", "--stat", "kmh=200"]
    drive += ["--stat", "body_strength=3D", "--gait", "all-out", "--minutes", "40", "--option", "default_number=mid"]
    found = run(*drive, "--roll", "1")
    assert found.status == 2
    assert "no 3D can show 1 (body strength)" in found.err
    assert "can show" not in run(*drive, "--roll", "3").err


def test_a_map_is_no_saved_game(run: Run, yard: str) -> None:
    found = run("replay", yard)
    assert found.status == 2
    assert "this is not a saved game" in found.err


def test_a_chance_that_nobody_knows_is_drawn_as_a_question(run: Run, tmp_path: Path) -> None:
    """Slippery ground of the starport has no number of its own: the game master's is missing."""
    told = run("reach", "starport", "--mover", "rhen", "--odds").out
    assert "??" in told
    for name in ("odds.svg", "odds.png"):
        done = run("render", "starport", "--mover", "rhen", "--odds", "-o", str(tmp_path / name))
        assert done.status == 0, done.err
    assert ">?<" in (tmp_path / "odds.svg").read_text(encoding="utf-8")
