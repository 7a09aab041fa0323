"""`reach` and `path`: the contract that scripts are written against, and what people read."""

from __future__ import annotations

import json
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import pytest

import tactical
from tactical import Refusal, Session, assets
from tactical.cli.inputs import find_map
from tactical.movement.planning import itinerary
from tactical.units import exact
from tests.cli.conftest import Run

KEYS = ["map", "mover", "rules", "options", "unit", "start", "bands", "cells"]
CELL_KEYS = {"cell", "band", "turn", "cost", "remaining", "posture", "provokes", "checks"}


def cells(answer: object) -> dict[str, dict[str, object]]:
    return {one["cell"]: one for one in answer.json["cells"]}  # type: ignore[attr-defined]


def test_the_json_of_reach_is_the_contract(run: Run) -> None:
    found = run("reach", "village", "--mover", "raven", "--json")
    assert found.status == 0
    answer = found.json
    assert answer["kind"] == "reach"
    assert [key for key in KEYS if key not in answer] == []
    assert (answer["mover"], answer["rules"], answer["unit"], answer["start"]) == ("raven", "operator", "ft", "H14")
    assert [(band["name"], band["budget"], band["minimum"]) for band in answer["bands"]] == [
        ("move", 30, 0),
        ("dash", 60, 0),
    ]
    assert answer["options"]["diagonal"] == "equal"
    assert all(set(one) == CELL_KEYS for one in answer["cells"])
    assert "H14" not in cells(found), "the start is no move"
    assert len(answer["cells"]) > 100


def test_costs_say_what_standing_up_and_ground_cost(run: Run) -> None:
    found = cells(run("reach", "village", "--mover", "raven", "--json"))
    # 15 to stand up, then road and grass at 5 a cell
    assert (found["H13"]["cost"], found["H13"]["band"], found["H13"]["posture"]) == (10, "move", "prone")
    assert (found["H11"]["cost"], found["H11"]["posture"]) == (30, "standing")
    assert found["H10"]["band"] == "dash"
    assert exact(found["H10"]["remaining"]) == 60 - exact(found["H10"]["cost"])


def test_every_price_is_exact_and_inside_its_band(run: Run) -> None:
    answer = run("reach", "small/two-turns", "--mover", "slow", "--turns", "2", "--option", "diagonal=euclid", "--json")
    budgets = {band["name"]: exact(band["budget"]) for band in answer.json["bands"]}
    least = Fraction(0)
    for one in answer.json["cells"]:
        assert isinstance(one["cost"], int | str)
        assert exact(one["cost"]) > least
        if one["turn"] == 1:
            assert exact(one["cost"]) <= budgets[one["band"]]
            assert exact(one["remaining"]) >= 0


@pytest.mark.parametrize(
    ("words", "cell", "expected"),
    [
        (["--at", "A1"], "A2", (10, "move", "prone")),
        (["--posture", "standing"], "H13", (5, "move", "standing")),
        (["--at", "H12", "--posture", "standing"], "L12", (20, "move", "standing")),
        (["--at", "H12", "--posture", "standing", "--spent", "15"], "L12", (20, "dash", "standing")),
        (["--at", "H12", "--posture", "standing", "--stat", "agile=true"], "A12", (35, "move", "standing")),
        (["--at", "H12", "--posture", "standing", "--gait", "dash"], "I12", (5, "dash", "standing")),
    ],
)
def test_the_moment_can_be_set(run: Run, words: list[str], cell: str, expected: tuple[int, str, str]) -> None:
    found = cells(run("reach", "village", "--mover", "raven", "--json", *words))[cell]
    assert (found["cost"], found["band"], found["posture"]) == expected


def test_spent_movement_shrinks_the_reach(run: Run) -> None:
    whole = cells(run("reach", "village", "--mover", "magpie", "--json"))
    rest = cells(run("reach", "village", "--mover", "magpie", "--spent", "20", "--json"))
    assert set(rest) < set(whole)


def test_more_turns_reach_further(run: Run) -> None:
    one = cells(run("reach", "village", "--mover", "magpie", "--json"))
    two = cells(run("reach", "village", "--mover", "magpie", "--turns", "2", "--json"))
    assert set(one) < set(two)
    assert {found["turn"] for found in two.values()} == {1, 2}
    assert all(found["band"] == "turn-2" for found in two.values() if found["turn"] == 2)


def test_doors_open_and_close(run: Run) -> None:
    words = ["reach", "small/doors", "--mover", "ace", "--json"]
    assert "H3" not in cells(run(*words, "--door", "closed=locked", "--door", "inner=locked"))
    assert "H3" in cells(run(*words, "--door", "locked=open"))


def test_options_change_the_answer(run: Run) -> None:
    words = ["reach", "small/corner", "--mover", "ace", "--json"]
    equal = cells(run(*words))
    assert equal != cells(run(*words, "--option", "diagonal=none"))
    assert equal != cells(run(*words, "--option", "corner=free"))


def test_a_nameless_mover_needs_only_a_cell(run: Run) -> None:
    answer = run("reach", "small/referee", "--at", "A1", "--rules", "plain", "--json").json
    assert (answer["mover"], answer["rules"], answer["start"]) == ("mover", "plain", "A1")
    assert {one["cell"]: one["cost"] for one in answer["cells"]}["B1"] == 5


def test_leaving_an_enemys_reach_is_told(run: Run) -> None:
    found = cells(run("reach", "small/gauntlet", "--mover", "guard", "--at", "D2", "--json"))
    assert any(one["provokes"] for one in found.values())


def test_reach_for_people_is_a_map_with_a_legend(run: Run) -> None:
    answer = run("reach", "village", "--mover", "raven")
    assert answer.status == 0
    assert "Raven at H14, prone" in answer.out
    assert "Move: to 30 ft" in answer.out
    assert "Dash: to 60 ft" in answer.out
    assert len(answer.out.splitlines()) > 25


def test_a_picture_is_written(run: Run, tmp_path: Path) -> None:
    png, svg = tmp_path / "reach.png", tmp_path / "reach.svg"
    assert run("reach", "village", "--mover", "raven", "--png", str(png)).status == 0
    assert png.read_bytes().startswith(b"\x89PNG")
    assert run("reach", "village", "--mover", "raven", "--png", str(svg)).status == 0
    assert "<svg" in svg.read_text(encoding="utf-8")


def test_nothing_but_the_answer_goes_to_stdout(tmp_path: Path) -> None:
    words = ["reach", "village", "--mover", "raven", "--json", "--png", str(tmp_path / "reach.png")]
    done = subprocess.run([sys.executable, "-m", "tactical", *words], capture_output=True, text=True, check=True)
    assert json.loads(done.stdout)["kind"] == "reach"
    assert "reach.png" in done.stderr


def test_the_json_of_path_is_the_contract(run: Run) -> None:
    found = run("path", "village", "--mover", "raven", "--to", "H10", "--json")
    assert found.status == 0
    answer = found.json
    assert answer["kind"] == "path"
    assert {"cost", "band", "turn", "steps", "provokes", "checks"} <= set(answer)
    for step in answer["steps"]:
        assert {"from", "to", "way", "cost", "clause", "ruling"} <= set(step)
    assert answer["steps"][0]["from"] == "H14"
    assert answer["steps"][-1]["to"] == "H10"
    assert sum(exact(step["cost"]) for step in answer["steps"]) == exact(answer["cost"])
    assert {step["way"] for step in answer["steps"]} >= {"stand", "walk"}
    assert next(step["clause"] for step in answer["steps"] if step["way"] == "stand").startswith("OPR-")


def test_path_and_reach_agree(run: Run) -> None:
    found = cells(run("reach", "village", "--mover", "magpie", "--json"))
    for cell in list(found)[::40]:
        path = run("path", "village", "--mover", "magpie", "--to", cell, "--json").json
        assert (path["cost"], path["band"], path["turn"]) == tuple(found[cell][key] for key in ("cost", "band", "turn"))


def test_waypoints_are_passed_in_order(run: Run) -> None:
    words = ["path", "small/detour", "--mover", "ace", "--to", "D3", "--json"]
    answer = run(*words, "--via", "B1", "--via", "C4").json
    visited = [step["to"] for step in answer["steps"]]
    assert visited.index("B1") < visited.index("C4") < visited.index("D3")
    assert exact(answer["cost"]) > exact(run(*words).json["cost"])


FAR = ("path", "village", "--mover", "raven", "--via", "P3", "--to", "AD20", "--turns", "3")
ROUND = ("path", "village", "--mover", "raven", "--via", "Q12", "--to", "AD20", "--turns", "3")


def test_few_states_are_looked_at(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """A way that no budget pays is refused at once, and one that is paid is found near it."""
    monkeypatch.setattr(itinerary, "SETTLED", 10)
    assert run(*FAR).err == "no: no way to AD20 through P3 within the budget\n"
    monkeypatch.setattr(itinerary, "SETTLED", 3000)
    assert run(*ROUND, "--json").json["cost"] == 155


def test_the_bound_is_told_in_words(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(itinerary, "SETTLED", 100)
    answer = run(*ROUND, "--json")
    assert answer.status == 1
    refusal = answer.json["refusal"]
    assert (refusal["code"], refusal["params"]["most"]) == ("move.too_long", 100)
    assert "not found out" in refusal["text"]
    assert "more than 100 states" in refusal["text"]
    answer = Session.new(tactical.load("village")).route("raven", "H10", via=["K12"])
    assert isinstance(answer, Refusal)
    assert answer.code == "move.too_long"


def test_no_way_is_an_answer_with_exit_code_1(run: Run) -> None:
    answer = run("path", "village", "--mover", "raven", "--to", "AF1", "--json")
    assert answer.status == 1
    assert set(answer.json["refusal"]) == {"code", "params", "text"}
    assert answer.json["refusal"]["code"].startswith("move.")
    words = run("path", "village", "--mover", "raven", "--to", "AF1")
    assert words.status == 1
    assert words.err.startswith("no: ")


def test_into_a_wall_is_refused_by_name(run: Run) -> None:
    answer = run("path", "village", "--mover", "raven", "--to", "N14", "--json")
    assert answer.status == 1
    assert answer.json["refusal"]["code"] == "move.impassable"
    assert "well" in answer.json["refusal"]["text"]


def test_why_prints_a_ledger_with_clauses(run: Run) -> None:
    answer = run("path", "village", "--mover", "raven", "--to", "H10", "--why")
    assert "OPR-18" in answer.out
    total = [line for line in answer.out.splitlines() if line.startswith("  ")][-1]
    assert " 35" in total


def test_render_draws_without_a_window(run: Run, tmp_path: Path) -> None:
    target = tmp_path / "map.svg"
    assert run("render", "dungeon", "-o", str(target)).status == 0
    assert "<svg" in target.read_text(encoding="utf-8")
    drawn = run("render", "village", "--reach", "raven", "--to", "H10", "-o", str(tmp_path / "way.svg"), "--costs")
    assert drawn.status == 0
    assert run("render", "small/stairs", "--level", "upper", "-o", "-").status == 0


def test_without_pygame_a_png_is_a_missing_part(run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("tactical.cli.pictures.has_pygame", lambda: False)
    answer = run("render", "village", "-o", str(tmp_path / "map.png"), "--json")
    assert answer.status == 3
    assert answer.json["code"] == "missing"
    assert "tactical[view]" in answer.err


def test_view_without_a_display_is_a_missing_part(run: Run) -> None:
    answer = run("view", "village")
    assert answer.status == 3
    assert "display" in answer.err


def test_view_opens_the_window_on_what_was_asked_for(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[object, ...]] = []
    monkeypatch.setattr("tactical.cli.commands.view.no_window", lambda: "")
    monkeypatch.setattr(
        "tactical.viewer.app.run",
        lambda battlemap, mover, *, rules, options: asked.append((battlemap.name, mover, rules, options)),
    )
    words = ["view", "village", "--mover", "raven", "--rules", "plain", "--option", "diagonal=none"]
    assert run(*words).status == 0
    assert asked == [("Mill village", "raven", "plain", {"diagonal": "none"})]
    assert run("view", "village", "--mover", "rven").status == 2
    assert run("view", "village", "--option", "diagnal=none").status == 2


def test_view_opens_a_saved_game(run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    opened: list[tuple[object, ...]] = []
    monkeypatch.setattr("tactical.cli.commands.view.no_window", lambda: "")
    monkeypatch.setattr("tactical.viewer.app.go_on", lambda game, mover, **look: opened.append((game, mover, look)))
    session = tactical.Session.new(tactical.load(assets.maps("village")))
    game, other = tmp_path / "evening.jsonl", tmp_path / "evening.save"
    session.save(game)
    session.save(other)
    assert run("view", str(game), "--mover", "raven", "--text-size", "150").status == 0
    assert run("view", str(other)).status == 0, "a game is known whatever its name"
    assert opened == [(game, "raven", {"text": 1.5}), (other, None, {})]
    answer = run("view", str(game), "--rules", "plain")
    assert answer.status == 2
    assert "--rules does not go with a saved game" in answer.err


def test_demo_without_a_display_prints_and_draws(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    answer = run("demo")
    assert answer.status == 0
    assert "Raven at H14" in answer.out
    assert (tmp_path / "tactical-demo.png").read_bytes().startswith(b"\x89PNG")
    assert "tactical-demo.png" in answer.err


def test_demo_with_a_display_that_does_not_answer(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    # a display that another test left open would answer in the place of this one, and its window would stay open
    pytest.importorskip("pygame").display.quit()
    monkeypatch.setenv("SDL_VIDEODRIVER", "x11")
    monkeypatch.setenv("DISPLAY", ":4711")
    assert run("view", "village").status == 3
    answer = run("demo")
    assert answer.status == 0
    assert (tmp_path / "tactical-demo.png").exists()


def test_demo_without_pygame_draws_svg(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for place in ("commands.demo", "windows", "pictures"):
        monkeypatch.setattr(f"tactical.cli.{place}.has_pygame", lambda: False)
    answer = run("demo")
    assert answer.status == 0
    assert (tmp_path / "tactical-demo.svg").exists()
    assert "pygame" in answer.err


def test_demo_writes_elsewhere_where_it_may_not_write(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("os.access", lambda *_: False)
    monkeypatch.setattr("tempfile.gettempdir", lambda: str(tmp_path))
    answer = run("demo")
    assert answer.status == 0
    assert (tmp_path / "tactical-demo.png").exists()


def test_names_of_samples_are_maps(run: Run) -> None:
    assert isinstance(find_map("small/ford"), Path)


ROCK = """\
schema: 1
name: Rock
grid: {type: square, cell: 5, unit: ft}
rules: operator
legend: {"#": {terrain: granite, impassable: true}}
rows: |
  ..#..
barriers:
  - {id: gate, line: [[1, 0], [1, 1]], kind: door, state: closed}
movers:
  - {id: ace, at: A1, side: heroes, stats: {speed: 5}}
"""


def test_a_refusal_names_the_rock_and_a_shortfall_is_above_nothing(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "rock.yaml"
    file.write_text(ROCK)
    barred = run("path", str(file), "--mover", "ace", "--to", "D1")
    assert barred.status == 1
    assert "no way to D1: C1 is impassable (granite)" in barred.err
    short = run("path", str(file), "--mover", "ace", "--to", "B1", "--spent", "5", "--gait", "move")
    assert (short.status, short.err) == (1, "no: 5 ft short: costs 5, has 0\n")
    doors = run("path", str(file), "--mover", "ace", "--to", "B1", "--option", "door_limit=0")
    assert "1 closed door on the way to B1, no more than 0 can be opened in a turn" in doors.err


def test_the_legend_of_chances_says_what_is_sure(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "ford.yaml"
    file.write_text(
        "schema: 1\nrules: operator\nlegend: {V: {water: deep, current: strong}}\nrows: '.V.'\n"
        "movers: [{id: a, at: A1}]\n",
        encoding="utf-8",
    )
    assert "++ sure" in run("reach", str(file), "--mover", "a", "--option", "athletics_dc=11", "--odds").out


def test_a_swim_kept_up_is_weighed_like_a_gait(run: Run) -> None:
    stats = [word for stat in ("pa=4", "ps=4", "pf=3", "swimming=1", "endurance=2") for word in ("--stat", stat)]
    asked = ("odds", "--rules", "shapers", *stats, "--gait", "swim", "--rounds", "6", "--json")
    answer = run(*asked).json
    assert answer["chance"] == "121/400"
    assert [(test["before_round"], test["number"]) for test in answer["tests"]] == [(5, 55), (6, 55)]
    assert run(*asked[:3], *stats[:6], "--gait", "swim", "--rounds", "2").status == 2, "who cannot swim"
