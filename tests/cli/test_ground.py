"""Ground as a map words it and the rules of metres read it: names of levels, depths, ledges, thirds of a Move."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tactical import Cell, EndTurn, Move, Session, load
from tactical.units import parse_cell
from tactical.world.terrain import LEVEL_GUIDE
from tests.cli.conftest import Run

FAST = "move: 12, code: 4D, previous: cruising"
AVERAGE = "strength: 12, dexterity: 12, endurance: 12"


@pytest.fixture
def drawn(tmp_path: Path) -> Any:
    """Write a map of one row and give its path."""

    def write(rules: str, legend: str, row: str, stats: str, more: str = "") -> str:
        path = tmp_path / "map.yaml"
        path.write_text(
            f"schema: 1\nname: Ground\ngrid: {{type: square, cell: 1, unit: m}}\nrules: {rules}\n"
            f"legend:\n{legend}\nrows: |\n  {row}\nmovers:\n  - {{id: kit, at: A1, stats: {{{stats}}}}}\n{more}"
        )
        return str(path)

    return write


# -- levels by name (REUP-46, REUP-A38) -------------------------------------------------------------------------------


@pytest.mark.parametrize(("level", "name"), [(level, name) for level, names in LEVEL_GUIDE.items() for name in names])
def test_a_name_of_the_guide_says_the_level(run: Run, drawn: Any, level: str, name: str) -> None:
    path = drawn("d6-reup", f'  ".": {{terrain: {name}}}', "." * 20, FAST)
    found = run("path", path, "--mover", "kit", "--to", "M1", "--gait", "cruising", "--json").json
    assert [check["level"] for check in found["checks"]] == ([level] if level in ("D", "VD", "H") else [])
    assert found["notes"] == []


def test_a_stated_level_wins_and_a_number_belongs_to_the_named_level(run: Run, drawn: Any) -> None:
    path = drawn("d6-reup", '  ".": {terrain: minefield, level: D, number: 17}', "." * 20, FAST)
    found = run("path", path, "--mover", "kit", "--to", "M1", "--gait", "cruising", "--json").json
    assert (found["checks"][0]["level"], found["checks"][0]["number"]) == ("D", 17)
    fits = drawn("d6-reup", '  ".": {terrain: thick_forest, number: 19}', "." * 20, FAST)
    assert run("check", fits).status == 0
    found = run("path", fits, "--mover", "kit", "--to", "M1", "--gait", "cruising", "--json").json
    assert found["checks"][0]["number"] == 19
    wrong = run("check", drawn("d6-reup", '  ".": {terrain: thick_forest, number: 25}', "." * 20, FAST))
    assert wrong.status == 1
    assert "25 is not a D number" in wrong.out + wrong.err


def test_a_zone_of_a_named_kind_says_the_level_of_what_it_covers(run: Run, drawn: Any) -> None:
    zone = "zones:\n  - {cells: [F1], terrain: minefield}\n"
    path = drawn("d6-reup", '  ".": {terrain: meadow, level: E, number: 7}', "." * 20, FAST, zone)
    found = run("path", path, "--mover", "kit", "--to", "M1", "--gait", "cruising", "--json").json
    assert (found["checks"][0]["level"], found["checks"][0]["number"]) == ("VD", None)


def test_ground_without_a_level_is_noted_once(run: Run, drawn: Any) -> None:
    path = drawn("d6-revised", '  ".": {terrain: moss}\n  ",": {terrain: heath}', ".,.,.,.,.,.,.,.,.,.,", FAST)
    found = run("path", path, "--mover", "kit", "--to", "M1", "--json").json
    assert [note for note in found["notes"] if "REUP-A38" in note] == [
        "no level stated for heath, moss: taken as VE (REUP-A38)"
    ]
    said = run("path", path, "--mover", "kit", "--to", "M1").out
    assert said.count("REUP-A38") == 1


# -- thirds of a Move (REUP-07, REUP-A19) -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rounding", "gait", "metres"),
    [
        ("exact", "cruising", 3), ("exact", "all-out", 14),
        ("nearest", "cruising", 4), ("nearest", "high", 7), ("nearest", "all-out", 15),
        ("down", "cruising", 3), ("down", "all-out", 14),
    ],
)  # fmt: skip
@pytest.mark.parametrize("how", ["swim: true", "climb: true"])
def test_a_third_of_each_speed_is_rounded_as_the_table_rounds(
    run: Run, drawn: Any, rounding: str, gait: str, metres: int, how: str
) -> None:
    row = "." + "~" * 20
    legend = f'  ".": {{level: VE, number: 3}}\n  "~": {{terrain: hard, level: VE, number: 3, {how}}}'
    path = drawn("d6-reup", legend, row, "move: 11, code: 4D, previous: cruising")
    found = run(
        "reach", path, "--mover", "kit", "--gait", gait, "--option", f"d6_rounding={rounding}", "--json"
    ).json  # fmt: skip
    assert max(parse_cell(cell["cell"]).col for cell in found["cells"]) == metres


def test_half_a_third_of_a_small_move_is_no_swim_at_all(run: Run, drawn: Any) -> None:
    legend = '  ".": {level: VE, number: 3}\n  "~": {terrain: pool, level: VE, number: 3, swim: true}'
    path = drawn("d6-reup", legend, ".~~~", "move: 1, strength: 2D, previous: cruising")
    refused = run("path", path, "--mover", "kit", "--to", "B1", "--gait", "cautious", "--option", "d6_rounding=down")
    assert refused.status == 1


# -- water by its depth (TWS-11, TWS-12, TWS-A06), and wading by choice ----------------------------------------------


@pytest.mark.parametrize(
    ("depth", "cost"),
    # 4 m of it: walked at 20 m a turn, waded at 8, swum at 12
    [("0.9", "1/5"), ("1", "1/2"), ("1.5", "1/2"), ("1.6", "1/3"), ("0", "1/5")],
)
def test_depth_is_measured_against_waist_and_neck(run: Run, drawn: Any, depth: str, cost: str) -> None:
    path = drawn(
        "twelve-second", f'  ".": {{terrain: bank}}\n  "~": {{terrain: ford, depth: {depth}}}', ".~~~~",
        f"{AVERAGE}, waist: 1, neck: 1.5",
    )  # fmt: skip
    found = run("path", path, "--mover", "kit", "--to", "E1", "--gait", "walk", "--option",
                "swim_in_wade_depth=false", "--json").json  # fmt: skip
    assert found["cost"] == cost


def test_a_stated_class_wins_over_the_metres(run: Run, drawn: Any) -> None:
    legend = '  ".": {terrain: bank}\n  "~": {terrain: ford, depth: 5, water: shallow}'
    path = drawn("twelve-second", legend, ".~~~~", AVERAGE)
    assert run("path", path, "--mover", "kit", "--to", "E1", "--gait", "walk", "--json").json["cost"] == "1/5"


@pytest.mark.parametrize(
    ("water", "rests"),
    [
        ("depth: 1", True), ("depth: 1.5", True), ("depth: 1.6", False), ("depth: 5, water: wading", True),
        ("water: deep", False), ("depth: 1, swim: true", False),
    ],
)  # fmt: skip
def test_nobody_rests_in_water_over_the_neck_where_deep_water_is_no_stop(
    run: Run, drawn: Any, water: str, rests: bool
) -> None:
    legend = f'  ".": {{terrain: bank}}\n  "~": {{terrain: ford, {water}}}'
    path = drawn("twelve-second", legend, ".~~.", f"{AVERAGE}, waist: 1, neck: 1.5")
    asked = ("path", path, "--mover", "kit", "--json", "--option", "deep_water_stop=false")
    found = run(*asked, "--to", "B1")
    assert found.status == (0 if rests else 1)
    if not rests:
        assert found.json["refusal"]["code"] == "move.stop"
        assert "nobody rests in deep water" in found.json["refusal"]["text"]
    assert run(*asked, "--to", "D1").status == 0, "it can be passed all the same"
    assert run("path", path, "--mover", "kit", "--to", "B1").status == 0, "by default a turn may end in it"


def test_water_over_one_head_is_not_over_another(run: Run, drawn: Any) -> None:
    legend = '  ".": {terrain: bank}\n  "~": {terrain: ford, depth: 1.6}'
    path = drawn("twelve-second", legend, ".~~.", f"{AVERAGE}, waist: 1, neck: 1.5")
    asked = ("path", path, "--mover", "kit", "--to", "B1", "--option", "deep_water_stop=false")
    assert run(*asked).status == 1
    assert run(*asked, "--stat", "neck=1.7").status == 0


def test_without_waist_and_neck_metres_of_water_are_not_covered(run: Run, drawn: Any) -> None:
    legend = '  ".": {terrain: bank}\n  "~": {terrain: ford, depth: 1.2}'
    path = drawn("twelve-second", legend, ".~~~~", AVERAGE)
    found = run("path", path, "--mover", "kit", "--to", "E1", "--json")
    assert found.status == 1
    assert found.json["refusal"]["code"] == "rules.not_covered"
    assert "waist" in found.json["refusal"]["text"]
    half = drawn("twelve-second", legend, ".~~~~", f"{AVERAGE}, waist: 1")
    assert "given together" in run("path", half, "--mover", "kit", "--to", "B1").err


def test_who_wades_by_choice_keeps_the_turns_of_endurance(drawn: Any) -> None:
    legend = '  ".": {terrain: bank}\n  "~": {terrain: ford, water: wading}'
    path = drawn("twelve-second", legend, "..~~~~....", "strength: 12, dexterity: 20, endurance: 1")
    game = Session.new(load(path))
    assert game.execute(Move("kit", Cell(3, 0), gait="wade"))
    assert game.execute(EndTurn("kit"))
    assert "run" in [band.gait for band in game.reach("kit").bands]
    assert game.execute(Move("kit", Cell(4, 0), gait="walk")), "a walker swims where that is quicker"
    assert game.execute(EndTurn("kit"))
    assert "run" not in [band.gait for band in game.reach("kit").bands]


def test_who_wades_never_swims(run: Run, drawn: Any) -> None:
    legend = '  ".": {terrain: bank}\n  "~": {terrain: river, water: deep}'
    path = drawn("twelve-second", legend, "..~~~", AVERAGE)
    refused = run("path", path, "--mover", "kit", "--to", "C1", "--gait", "wade", "--json")
    assert refused.status == 1
    assert refused.json["refusal"]["code"] == "move.mode"


# -- ledges (TWS-30, TWS-31, G-A07, G-A08) ----------------------------------------------------------------------------

STRONG = "strength: 20, dexterity: 21, endurance: 12, acrobatics: true"  # a jump number of 4 + 1


@pytest.mark.parametrize(
    ("height", "rolled"),
    [
        ("1.2", None),  # 5 - 2 = 3, and a metre to jump
        ("2.4", None),  # 5 - 4 = 1
        ("2.6", 1),  # 5 - 5 = 0: a metre short
        ("-1.2", None),
        ("-3.2", None),
    ],
)
def test_a_ledge_is_jumped_where_the_rules_reach(run: Run, drawn: Any, height: str, rolled: int | None) -> None:
    legend = f'  ".": {{terrain: floor}}\n  "2": {{terrain: shelf, elevation: {height}}}'
    path = drawn("twelve-second", legend, ".222", STRONG)
    found = run(
        "path", path, "--mover", "kit", "--to", "B1", "--gait", "walk", "--option", "jump_chance=0.01", "--json"
    ).json
    assert [step["way"] for step in found["steps"]] == ["jump"]
    assert found["cost"] == "1/24", "the flight of a metre is the whole step"
    assert [check["number"] for check in found["checks"]] == ([] if rolled is None else [rolled])


def test_what_a_ledge_is_like_is_in_the_ledger(run: Run, drawn: Any) -> None:
    legend = '  ".": {terrain: floor}\n  "2": {terrain: shelf, elevation: 1.2}\n  "0": {terrain: pit, elevation: -4}'
    path = drawn("twelve-second", legend, ".20", STRONG)
    said = run("path", path, "--mover", "kit", "--to", "C1", "--why").out
    assert "jump 1 m, 1.2 m up to shelf" in said
    assert "jump 1 m, 5.2 m down, what the fall does is the game master's to pit" in said


def test_a_run_up_helps_up_a_ledge(run: Run, drawn: Any) -> None:
    legend = '  ".": {terrain: floor}\n  "2": {terrain: shelf, elevation: 2}'
    path = drawn("twelve-second", legend, "...2", "strength: 12, dexterity: 16, endurance: 12")  # 3 standing, 6 running
    up = run("path", path, "--mover", "kit", "--to", "D1", "--json").json  # 6 - 4 = 2, standing 3 - 4 = -1
    assert [step["way"] for step in up["steps"]] == ["run", "run", "jump"]
    assert up["band"] == "run"
    near = run("path", path, "--mover", "kit", "--at", "C1", "--to", "D1", "--gait", "walk", "--json")
    assert near.status == 1


def test_a_jump_up_a_ledge_is_played_as_shown(drawn: Any) -> None:
    legend = '  ".": {terrain: floor}\n  "2": {terrain: shelf, elevation: 1.2}'
    game = Session.new(load(drawn("twelve-second", legend, "..222", STRONG)))
    reach = game.reach("kit")
    cell = Cell(3, 0)
    assert game.execute(Move("kit", reach.route(cell)))
    assert game.position.status("kit").state.cell == cell
    assert game.position.status("kit").turn.spent == reach.cost(cell)


def test_other_rules_leave_ledges_as_they_were(run: Run, drawn: Any) -> None:
    legend = '  ".": {terrain: floor}\n  "2": {terrain: shelf, elevation: 1.2}'
    path = drawn("d6-reup", legend, ".222", FAST)
    found = run("path", path, "--mover", "kit", "--to", "D1", "--json").json
    assert [step["way"] for step in found["steps"]] == ["climb", "walk", "walk"]
