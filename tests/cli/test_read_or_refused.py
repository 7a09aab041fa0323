"""What is asked is answered or refused, never read and ignored: on the command line and at the desk."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tactical.hosts.desk import Desk
from tests.cli.conftest import Run

RENDER = ["render", "village", "-o", "-"]
D6 = ["odds", "--rules", "d6-reup", "--stat", "code=4D"]


@pytest.mark.parametrize(
    ("words", "named"),
    [
        ([*RENDER, "--enemy"], "--enemy needs somebody who moves: --mover ID or --at CELL"),
        ([*RENDER, "--costs"], "--costs needs somebody"),
        ([*RENDER, "--turns", "2"], "--turns needs somebody"),
        ([*RENDER, "--spent", "5"], "--spent needs somebody"),
        ([*RENDER, "--gait", "dash"], "--gait needs somebody"),
        ([*RENDER, "--posture", "prone"], "--posture needs somebody"),
        ([*RENDER, "--rules", "operator"], "--rules needs somebody"),
        ([*RENDER, "--option", "diagonal=none"], "--option needs somebody"),
        ([*RENDER, "--stat", "speed=3"], "--stat needs somebody"),
        ([*RENDER, "--mover", "raven", "--reach", "guard"], "--reach and --mover are the same"),
        ([*RENDER, "--theme", "mine.toml"], "--theme: text has no theme"),
        (["render", "village", "-o", "x.txt", "--theme", "mine.toml"], "--theme: text has no theme"),
        (["render", "village", "-o", "x.svg", "--as", "txt"], "--as is the format of -o -"),
        ([*RENDER, "--as", "gif"], ".png, .svg, .txt"),
        (["risks", "village", "--mover", "raven", "--to", "N9", "--turns", "2"], "--turns says nothing about risks"),
        (["resolve", "starport", "--mover", "rhen", "--gait", "high", "--path", "H4,I4", "--via", "J4"],
         "--via says nothing about a way that is given cell by cell"),
        (["reach", "village", "--mover", "raven", "--arrive", "prone", "--odds"], "--arrive: the odds are"),
        (["reach", "village", "--mover", "raven", "--arrive", "pron"], "did you mean 'prone'?"),
        (["odds", "--dice", "4D", "--number", "9", "--rounds", "3"], "--rounds says nothing about just dice"),
        (["odds", "--dice", "4D", "--number", "9", "--rules", "operator"], "--rules says nothing about just dice"),
        (["odds", "--dice", "4D", "--number", "9", "--run-up", "0"], "--run-up says nothing about just dice"),
        (["odds", "--dice", "4D", "--number", "9", "--option", "diagonal=none"], "--option diagonal says nothing"),
        (["odds", "--rules", "operator", "--dc", "12", "--under"], "--under says nothing about a check on a stretch"),
        (["odds", "--rules", "operator", "--dc", "12", "--metres", "3"], "--metres says nothing about a check"),
        (["odds", "--rules", "operator", "--jump", "10", "--dc", "3"], "--dc says nothing about a jump"),
        ([*D6, "--gait", "high", "--number", "9"], "--number says nothing about a move"),
        (["odds", "--rules", "shapers", "--stat", "pa=4", "--stat", "ps=4", "--gait", "sprint", "--rounds", "2",
          "--fact", "climb=true"], "--fact says nothing about a move under shapers"),
    ],
)  # fmt: skip
def test_what_would_be_ignored_is_refused_by_name(run: Run, words: list[str], named: str) -> None:
    answer = run(*words)
    assert answer.status == 2, answer.out
    assert answer.out == ""
    assert named in answer.err


def test_a_picture_without_a_mover_has_its_doors_as_asked(run: Run) -> None:
    assert "+  closed door" in run(*RENDER).out
    listed = {door["id"]: door["state"] for door in run("check", "village", "--json").json["files"][0]["doors"]}
    shut = [f"{door}=locked" for door, state in listed.items() if state in ("open", "closed")]
    answer = run(*RENDER, *(word for door in shut for word in ("--door", door)))
    assert "closed door" not in answer.out
    assert "X  locked door" in answer.out


def test_the_format_of_stdout_can_be_said(run: Run) -> None:
    assert run(*RENDER, "--as", "svg", "--mover", "raven").out.startswith("<svg ")
    assert run(*RENDER, "--as", "txt").out == run(*RENDER).out
    command = [sys.executable, "-m", "tactical", *RENDER, "--as", "png"]
    png = subprocess.run(command, capture_output=True, check=True).stdout
    assert png.startswith(b"\x89PNG")


def test_a_level_limits_json_too(run: Run) -> None:
    upper = run("reach", "small/stairs", "--mover", "ace", "--level", "upper", "--json").json["cells"]
    assert upper
    assert all(cell["cell"].startswith("upper/") for cell in upper)


def test_where_one_can_be_on_ones_feet(run: Run) -> None:
    low = ["reach", "village", "--mover", "raven", "--spent", "50", "--json"]
    crawled = run(*low).json["cells"]
    assert {cell["posture"] for cell in crawled} == {"prone"}
    assert run(*low, "--arrive", "standing").json["cells"] == []
    up = run("reach", "village", "--mover", "raven", "--arrive", "standing", "--json").json["cells"]
    assert {cell["posture"] for cell in up} == {"standing"}
    one = up[0]["cell"]
    assert up[0]["cost"] == run("path", "village", "--mover", "raven", "--to", one, "--arrive", "standing",
                                "--json").json["cost"]  # fmt: skip


@pytest.mark.parametrize("command", ["reach", "path", "view", "render"])
def test_a_map_without_movers_tells_how_they_come_on_it(
    run: Run, tmp_path: Path, command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "hall.yaml"
    file.write_text("schema: 1\nrows: |\n  ...\n", encoding="utf-8")
    monkeypatch.setattr("tactical.cli.commands.view.no_window", lambda: "")
    more = {"path": ["--to", "A1"], "render": ["-o", "-"]}.get(command, [])
    answer = run(command, str(file), "--mover", "ann", *more)
    assert answer.status == 2
    for words in ("unknown mover 'ann'", "--at CELL", "movers:", "base: FILE"):
        assert words in answer.err
    if command == "reach":
        asked = run("reach", str(file))
        assert asked.status == 2
        assert all(words in asked.err for words in ("--at CELL", "movers:", "base: FILE"))


def test_a_warning_about_an_import_names_the_option_that_changes_it(run: Run, tmp_path: Path) -> None:
    portal = {"position": {"x": 1, "y": 1}, "bounds": [{"x": 1, "y": 0}, {"x": 1, "y": 1}], "closed": False}
    picture = {"map_origin": {"x": 0, "y": 0}, "map_size": {"x": 4, "y": 4}, "pixels_per_grid": 70}
    hut = {"format": 0.3, "resolution": picture, "line_of_sight": [], "portals": [portal], "lights": [], "image": ""}
    file = tmp_path / "hut.dd2vtt"
    file.write_text(json.dumps(hut), encoding="utf-8")
    for words in (["check", str(file)], ["reach", str(file), "--at", "A1"],
                  ["convert", str(file), "-o", f"{tmp_path}/out.yaml"]):  # fmt: skip
        said = run(*words).err
        assert "1 ambiguous portal, read as a window (otherwise: --import open_portals=...)" in said
    assert "open door" in run("check", str(file), "--import", "open_portals=open_door").err


# -- at the desk ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("request_", "said"),
    [
        ({"do": "reach", "map": "m1", "session": "s2", "mover": "raven"}, "map and session say the same"),
        ({"do": "map", "map": "m1", "session": "s2"}, "map and session say the same"),
        ({"do": "route", "map": "m1", "session": "s2", "mover": "raven", "to": "N9"}, "map and session"),
        ({"do": "draw", "map": "m1", "session": "s2", "mover": "raven"}, "map and session"),
        ({"do": "reach", "session": "s2", "mover": "raven", "rules": "plain"}, "rules: a session has its own"),
        ({"do": "route", "session": "s2", "mover": "raven", "to": "N9", "options": {"diagonal": "none"}},
         "options: a session has its own"),
        ({"do": "load", "map": "village", "content": "rows: |\n  ...\n"}, "map and content say the same"),
        ({"do": "open", "path": "x", "lines": "y"}, "path and lines say the same"),
        ({"do": "reach", "map": "m1", "mover": "raven", "gait": {}}, "gait: expected a text"),
        ({"do": "reach", "map": "m1", "mover": "raven", "rules": {}}, "rules: expected a text"),
        ({"do": "begin", "map": "m1", "rules": {}}, "rules: expected a text"),
        ({"do": "begin", "map": "m1", "order": "raven"}, "order: expected a list"),
        ({"do": "route", "map": "m1", "mover": "raven", "to": "N9", "arrive": 5}, "arrive: expected a text"),
        ({"do": "move", "session": "s2", "mover": "raven", "to": "N9", "gait": []}, "gait: expected a text"),
    ],
)  # fmt: skip
def test_the_desk_refuses_what_it_would_ignore(request_: dict[str, Any], said: str) -> None:
    desk = Desk()
    for first in ({"do": "load", "map": "village"}, {"do": "begin", "map": "m1"}):
        assert json.loads(desk.answer(json.dumps(first).encode()))["ok"]
    answer = json.loads(desk.answer(json.dumps(request_).encode()))
    assert answer["ok"] is False
    assert said in answer["error"]["text"]
