"""The files that strangers write, as the page for them shows: one each, offered as if a package had been installed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.house.offered import tactical, write_package

ROOT = Path(__file__).parents[2]
EXERCISES = Path(__file__).with_name("exercises")
LONGEST = {
    "blink": 60,
    "fly": 60,
    "burrow": 60,
    "soar": 60,
    "mire": 60,
    "delvers": 120,
    "levels": 110,
    "bricks": 80,
    "watch": 60,
}

HALL = """schema: 1
rules: operator
rows: |
  ...#.....
  ...#.....
  ...#.....
legend: {'#': {impassable: true, terrain: rock}}
movers:
  - {id: ghost, name: Old Phantom, at: A1, side: x, stats: {speed: 30}}
  - {id: pal, at: A3, side: x, stats: {speed: 30}}
  - {id: foe, at: B2, side: y, stats: {speed: 30}}
"""

CHASM = """schema: 1
rules: operator
rows: |
  ..~~~....
  ..~~#....
  ..~~~....
legend: {'#': {impassable: true, terrain: rock}, '~': {gap: true, terrain: chasm}}
movers:
  - {id: hawk, name: Winged One, at: A1, side: x, stats: {speed: 30}}
  - {id: foe, at: A2, side: y, stats: {speed: 30}}
"""


class Stranger:
    """A program of somebody else's, in whose folder one of the exercises is installed."""

    def __init__(self, folder: Path, name: str, group: str, point: str) -> None:
        self.folder = folder
        (folder / f"{name}.py").write_text((EXERCISES / f"{name}.py").read_text(encoding="utf-8"), encoding="utf-8")
        write_package(folder, name, **{group: [point]})

    def run(self, *command: str) -> subprocess.CompletedProcess[str]:
        if command[:2] == ("-m", "tactical"):
            return tactical(self.folder, *command[2:])
        paths = os.pathsep.join([str(self.folder), str(ROOT)])
        environment = {**os.environ, "PYTHONPATH": paths, "SDL_VIDEODRIVER": "dummy"}
        return subprocess.run(
            [sys.executable, *command],
            cwd=self.folder, capture_output=True, text=True, check=False, env=environment,
        )  # fmt: skip

    def answer(self, *command: str) -> Any:
        done = tactical(self.folder, *command, "--json")
        assert done.stderr == ""
        return json.loads(done.stdout)

    def talk(self, *requests: dict[str, Any]) -> list[Any]:
        lines = "".join(json.dumps(request) + "\n" for request in requests)
        done = tactical(self.folder, "serve", "--stdio", given=lines)
        assert done.returncode == 0, done.stderr
        return [json.loads(line) for line in done.stdout.splitlines()]


@pytest.mark.parametrize("name", LONGEST)
def test_an_exercise_is_short(name: str) -> None:
    assert len((EXERCISES / f"{name}.py").read_text(encoding="utf-8").splitlines()) <= LONGEST[name]


@pytest.fixture
def phantom(tmp_path: Path) -> Stranger:
    (tmp_path / "hall.yaml").write_text(HALL, encoding="utf-8")
    return Stranger(tmp_path, "blink", "ways", "blink = blink:WAY")


def test_a_way_of_somebody_else_s_is_offered_priced_and_explained(phantom: Stranger) -> None:
    beyond = {cell["cell"] for cell in phantom.answer("reach", "hall.yaml", "--mover", "pal")["cells"]}
    assert not beyond & {"E1", "G2", "I3"}, "who does not blink stays on this side"
    cells = {cell["cell"]: cell for cell in phantom.answer("reach", "hall.yaml", "--mover", "ghost")["cells"]}
    assert cells["E1"]["cost"] == 15
    assert cells["I3"]["cost"] == 30
    found = phantom.answer("path", "hall.yaml", "--mover", "ghost", "--to", "E1")
    assert found["cost"] == sum(line["price"] for line in found["ledger"]) == 15
    assert [line["clause"] for line in found["ledger"] if "blink" in line["text"]] == ["BLINK-1"]
    assert found["provokes"] == [], "a blink leaves nobody's reach"
    least = phantom.answer("risks", "hall.yaml", "--mover", "ghost", "--to", "G1")
    assert (least["choices"][0]["risk"], least["choices"][0]["route"]["cost"]) == (0, 25)
    rock = phantom.run("-m", "tactical", "path", "hall.yaml", "--mover", "ghost", "--to", "D1")
    assert (rock.returncode, "rock" in rock.stdout + rock.stderr) == (1, True)


def test_it_is_carried_out_saved_and_played_again(phantom: Stranger) -> None:
    opened = {"do": "load", "map": "hall.yaml"}
    begun = {"do": "begin", "map": "m1"}
    go = {"do": "move", "session": "s2", "mover": "ghost", "to": [4, 0], "cost": 15}
    leg = {"do": "execute", "session": "s2", "command": {
        "do": "move", "mover": "ghost", "to": [8, 0], "legs": [{"cell": [8, 0], "way": "blink"}]}}  # fmt: skip
    answers = phantom.talk(opened, begun, go, leg, {"do": "save", "session": "s2", "path": "evening.game"})
    assert all(answer["ok"] for answer in answers), answers
    moved, refused = answers[2]["result"], answers[3]["result"]
    assert [event["code"] for event in moved["events"]][-1] == "move.ended"
    assert not [event for event in moved["events"] if event["code"] == "attack.offered"]
    assert (refused["kind"], refused["code"]) == ("refusal", "blink.far")
    assert "no blink leads from" in refused["text"]
    again = phantom.talk({"do": "open", "path": "evening.game"}, {"do": "position", "session": "s1"})
    assert all(answer["ok"] for answer in again), again
    assert again[1]["result"]["statuses"]["ghost"]["state"]["cell"] == [4, 0]


def test_its_graph_says_what_reach_says(phantom: Stranger) -> None:
    code = (
        "import networkx as nx, tactical; m = tactical.load('hall.yaml'); g = tactical.MovementGraph(m, 'ghost');"
        "d = nx.single_source_dijkstra_path_length(g, g.start); r = tactical.reach(m, 'ghost');"
        "print(all(min(d[s] for s in d if s.cell == c) * g.tick == r.cost(c) for c in r.cells()), len(r.cells()))"
    )
    done = phantom.run("-c", code)
    assert done.stdout.split()[0] == "True", done.stdout + done.stderr
    assert int(done.stdout.split()[1]) > 15


@pytest.fixture
def hawk(tmp_path: Path) -> Stranger:
    (tmp_path / "chasm.yaml").write_text(CHASM, encoding="utf-8")
    return Stranger(tmp_path, "fly", "ways", "fly = fly:WAY")


def test_the_winged_cross_what_others_cannot(hawk: Stranger) -> None:
    cells = {cell["cell"]: cell["cost"] for cell in hawk.answer("reach", "chasm.yaml", "--mover", "hawk")["cells"]}
    assert cells["F1"] == 25
    assert cells["G1"] == 30
    assert not {"C1", "D1", "E1", "E2"} & set(cells), "nobody comes down on a chasm or in rock"
    found = hawk.answer("path", "chasm.yaml", "--mover", "hawk", "--to", "F1")
    assert ([line["clause"] for line in found["ledger"]], found["cost"]) == (["FLY-1"], 25)
    assert [attack["enemy"] for attack in found["provokes"]] == ["foe"], "to fly away is to leave a reach"
    assert hawk.run("-m", "tactical", "path", "chasm.yaml", "--mover", "hawk", "--to", "D1").returncode == 1
    answers = hawk.talk(
        {"do": "load", "map": "chasm.yaml"},
        {"do": "begin", "map": "m1"},
        {"do": "move", "session": "s2", "mover": "hawk", "to": [5, 0], "cost": 25},
        {"do": "execute", "session": "s2", "command": {"do": "go-on", "mover": "hawk"}},
        {"do": "position", "session": "s2"},
    )
    assert all(answer["ok"] for answer in answers), answers
    assert answers[2]["result"]["events"][-1]["code"] == "attack.offered"
    assert answers[4]["result"]["statuses"]["hawk"]["state"]["cell"] == [5, 0]


RIVER = """schema: 1
rules: delvers
rows: |
  ...mm~~...
  ...mm~~...
legend: {m: {difficult: true, terrain: mud}, '~': {water: deep, terrain: river}}
movers:
  - {id: dora, at: A1, side: x, stats: {speed: 30, body: 3}}
"""


@pytest.fixture
def delvers(tmp_path: Path) -> Stranger:
    (tmp_path / "river.yaml").write_text(RIVER, encoding="utf-8")
    return Stranger(tmp_path, "delvers", "rulesets", "delvers = delvers:RULESET")


def test_rules_of_somebody_else_s_reach_and_weigh(delvers: Stranger) -> None:
    found = delvers.answer("path", "river.yaml", "--mover", "dora", "--to", "H1", "--odds")
    assert (found["cost"], found["band"], found["odds"]["chance"]) == (45, "hustle", "3/5")
    assert [line["clause"] for line in found["ledger"]] == ["DLV-1", "DLV-3", "DLV-1", "DLV-1"]
    done = delvers.answer("resolve", "river.yaml", "--mover", "dora", "--to", "H1", "--roll", "8")
    assert (done["end"], done["outcome"]["result"]) == ("A1", "no_progress")
    words = delvers.run("-m", "tactical", "resolve", "river.yaml", "--mover", "dora", "--to", "H1", "--roll", "9")
    assert "ok: ends at H1, standing" in words.stdout
    prone = delvers.answer("reach", "river.yaml", "--mover", "dora", "--posture", "prone")
    costs = {cell["cell"]: cell["cost"] for cell in prone["cells"]}
    assert (costs["B1"], costs["C1"]) == (10, 20), "crawling is double, getting up 15"


def test_rules_of_somebody_else_s_roll_in_a_game(delvers: Stranger) -> None:
    def roll(total: int) -> dict[str, Any]:
        return {"do": "execute", "session": "s2", "command": {"do": "given-roll", "mover": "dora", "total": total}}

    go = {"do": "move", "session": "s2", "mover": "dora", "to": "H1", "cells": "names"}
    end = {"do": "execute", "session": "s2", "command": {"do": "end-turn", "mover": "dora"}}
    begin: list[dict[str, Any]] = [{"do": "load", "map": "river.yaml"}, {"do": "begin", "map": "m1"}]
    answers = delvers.talk(*begin, go, roll(8), end, go, roll(9))
    assert all(answer["ok"] for answer in answers), answers
    asked, failed, _, _, passed = (answer["result"]["events"] for answer in answers[2:])
    assert (asked[-1]["code"], asked[-1]["check"]["number"]) == ("roll.needed", 9)
    assert [event["code"] for event in failed] == ["roll.made", "move.fell-short", "move.ended"]
    assert [event["action"] for event in passed if event["code"] == "action.taken"] == ["dash"]
    assert (passed[-1]["code"], passed[-1]["cost"]) == ("move.ended", 45)


LEVEL = """\
Dlvl:3  $:12 HP:14(14)
 -------
 |..>..|   ###
 |.{...+####.|
 |.@.d.|    -+-
 ----.--
"""


@pytest.fixture
def levels(tmp_path: Path) -> Stranger:
    (tmp_path / "cave.level").write_text(LEVEL, encoding="utf-8")
    return Stranger(tmp_path, "levels", "formats", "levels = levels:FORMAT")


def test_a_reader_of_somebody_else_s_reads_or_refuses(levels: Stranger) -> None:
    assert "levels" in levels.run("-m", "tactical", "formats").stdout
    found = levels.answer("reach", "cave.level", "--mover", "you", "--rules", "operator")
    cells = {cell["cell"] for cell in found["cells"]}
    assert {"C2", "E4", "H3", "I3"} <= cells
    assert not {"A1", "B2", "D5"} & cells, "no way through walls and rock"
    done = levels.run("-m", "tactical", "check", "cave.level")
    assert done.returncode == 0, done.stderr
    (levels.folder / "cave.level").write_text("Dlvl:3\n|..\u2603|\n", encoding="utf-8")
    wrong = levels.run("-m", "tactical", "check", "cave.level")
    assert wrong.returncode == 1
    assert "cave.level:2:4: unknown glyph" in wrong.stderr
    assert "Traceback" not in wrong.stderr


WALL = """schema: 1
rules: plain
grid: {type: bricks, cell: 5, unit: ft}
rows: |
  .....
  ..#..
  .....
legend: {'#': {impassable: true, terrain: pillar}}
barriers: [{cell: B2, side: e, kind: wall}]
movers: [{id: mason, at: A2, stats: {speed: 15}}]
"""

WINDOW = """
import pygame, tactical
from tactical.viewer.app import App
from tactical.viewer.playing import asking
asking.AT_ONCE = 1e9  # however busy the machine is
m = tactical.load("wall.yaml")
app = App(m, "mason", size=(900, 600), text=1.0)
app.draw()
found = all(app.screen.cell_at(app.screen.pixel_of(tactical.Cell(c, r))) == tactical.Cell(c, r)
            for c in range(m.cols) for r in range(m.rows))
pos = app.screen.pixel_of(tactical.Cell(1, 0))
for kind, more in ((pygame.MOUSEMOTION, {"rel": (0, 0), "buttons": (0, 0, 0)}),
                   (pygame.MOUSEBUTTONDOWN, {"button": 1}), (pygame.MOUSEBUTTONUP, {"button": 1})):
    app.handle(pygame.event.Event(kind, pos=pos, **more))
app.draw()
print(found, app.hand.table.session.battlemap.mover("mason").at)
"""


@pytest.fixture
def bricks(tmp_path: Path) -> Stranger:
    (tmp_path / "wall.yaml").write_text(WALL, encoding="utf-8")
    return Stranger(tmp_path, "bricks", "grids", "bricks = bricks:GRIDS")


def test_a_grid_of_somebody_else_s_is_reached_over_and_drawn(bricks: Stranger) -> None:
    assert bricks.run("-m", "tactical", "check", "wall.yaml").returncode == 0
    cells = {cell["cell"]: cell["cost"] for cell in bricks.answer("reach", "wall.yaml", "--mover", "mason")["cells"]}
    # every brick touches two above and two below; the pillar and the wall are gone round
    assert [cells[name] for name in ("A1", "B1", "A3", "B3", "B2")] == [5] * 5
    assert "C2" not in cells
    text = bricks.run("-m", "tactical", "reach", "wall.yaml", "--mover", "mason").stdout
    rows = {line[0]: line for line in text.splitlines() if line[:1] in "123" and line[:1]}
    assert rows["2"].index("@") == rows["1"].index("a") + 1, "the odd row is shoved half a cell"
    for name in ("wall.svg", "wall.png", "wall.txt"):
        done = bricks.run("-m", "tactical", "render", "wall.yaml", "--mover", "mason", "-o", name)
        assert done.returncode == 0, done.stderr
    assert (bricks.folder / "wall.png").read_bytes().startswith(b"\x89PNG")


def test_it_is_clicked_in_the_window(bricks: Stranger) -> None:
    pytest.importorskip("pygame")
    done = bricks.run("-c", WINDOW)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == "True B1"


YARD = """schema: 1
rules: operator
rows: |
  .......
  .......
  ......#
legend: {'#': {impassable: true, terrain: rock}}
movers:
  - {id: raven, at: A1, side: x, stats: {speed: 30}}
  - {id: guard, name: Old Guard, at: G1, side: y, stats: {speed: 15}}
  - {id: lurker, at: A3, side: y, hidden: true, stats: {speed: 30}}
"""

PANEL = """
import tactical
from tactical.viewer.app import App
found = tactical.reach(tactical.load("yard.yaml"), "raven")
print(tactical.render(found.battlemap, found, panel=True))
app = App(tactical.load("yard.yaml"), "raven", size=(1280, 900), text=1.0)
app.draw()
print("\\n".join(app.screen._page[1].text()))
"""


VALLEY = """schema: 1
rules: operator
rows: |
  ..#~....
  ..#~....
  ..#.....
legend: {'#': {impassable: true, terrain: rock}, '~': {gap: true, terrain: chasm}}
barriers: [{line: [[5, 0], [5, 3]], kind: wall}]
movers:
  - {id: digger, name: Old Mole, at: A1, side: x, stats: {speed: 40}}
  - {id: drake, name: Red Dragon, at: E1, side: y, stats: {speed: 30}}
  - {id: aloft, name: Blue Dragon, at: H3, side: y, posture: POSTURE, stats: {speed: 30}}
"""


@pytest.fixture
def mole(tmp_path: Path) -> Stranger:
    (tmp_path / "valley.yaml").write_text(VALLEY.replace("POSTURE", "prone"), encoding="utf-8")
    return Stranger(tmp_path, "burrow", "ways", "burrow = burrow:WAY")


def test_a_medium_goes_through_rock_and_under_walls_and_one_may_stay_in_it(mole: Stranger) -> None:
    cells = {cell["cell"]: cell for cell in mole.answer("reach", "valley.yaml", "--mover", "digger")["cells"]}
    # 5 on foot, 5 to dig in, 10 a cell below; up again for nothing
    assert (cells["C1"]["cost"], cells["C1"]["posture"]) == (20, "burrowed")
    assert (cells["D3"]["cost"], cells["D3"]["posture"]) == (30, "standing")
    assert cells["F3"]["cost"] == 50, "under the wall between E and F"
    assert not {"D1", "D2"} & set(cells), "there is no earth in a chasm"
    told = mole.answer("path", "valley.yaml", "--mover", "digger", "--to", "D3")["ledger"]
    assert [(line["text"], line["price"], line["clause"]) for line in told[1:]] == [
        ("dig in", 5, "BURROW-1"), ("rock (dig)  1 x 5 ft x 2", 10, "BURROW-1"),
        ("open ground (dig)  1 x 5 ft x 2", 10, "BURROW-1"), ("come up", 0, "BURROW-1"),
    ]  # fmt: skip
    assert "rock" in mole.run("-m", "tactical", "path", "valley.yaml", "--mover", "drake", "--to", "C1").stderr
    rise = {"do": "posture", "mover": "digger", "posture": "standing"}
    answers = mole.talk(
        {"do": "load", "map": "valley.yaml"},
        {"do": "begin", "map": "m1"},
        {"do": "move", "session": "s2", "mover": "digger", "to": [2, 0], "cost": 20},
        {"do": "execute", "session": "s2", "command": {"do": "end-turn", "mover": "digger"}},
        {"do": "execute", "session": "s2", "command": rise},
        {"do": "save", "session": "s2", "path": "evening.game"},
        {"do": "open", "path": "evening.game"},
        {"do": "move", "session": "s3", "mover": "digger", "to": [3, 2], "cost": 30},
        {"do": "position", "session": "s3"},
    )
    assert all(answer["ok"] for answer in answers), answers
    refused = answers[4]["result"]
    assert (refused["code"], "C1" in refused["text"]) == ("move.impassable", True), "nobody comes up in rock"
    assert answers[8]["result"]["statuses"]["digger"]["state"]["cell"] == [3, 2]


@pytest.fixture
def drake(tmp_path: Path) -> Stranger:
    (tmp_path / "valley.yaml").write_text(VALLEY.replace("POSTURE", "soaring"), encoding="utf-8")
    return Stranger(tmp_path, "soar", "ways", "soar = soar:WAY")


def test_a_counter_is_part_of_the_state_and_lasts_over_turns(drake: Stranger) -> None:
    cells = {cell["cell"]: cell for cell in drake.answer("reach", "valley.yaml", "--mover", "drake")["cells"]}
    assert (cells["D1"]["cost"], cells["D1"]["posture"]) == ("15/2", "soaring"), "over the chasm, and hovering there"
    assert not {"C1", "A1", "F1"} & set(cells), "neither through rock nor through a wall"
    east, back = [5, 2], [7, 2]
    answers = drake.talk(
        {"do": "load", "map": "valley.yaml"},
        {"do": "begin", "map": "m1"},
        {"do": "move", "session": "s2", "mover": "aloft", "to": east, "arrive": "soaring"},
        {"do": "execute", "session": "s2", "command": {"do": "end-turn", "mover": "aloft"}},
        {"do": "position", "session": "s2"},
        {"do": "move", "session": "s2", "mover": "aloft", "to": back},
    )
    assert all(answer["ok"] for answer in answers), answers
    assert answers[2]["result"]["events"][-1]["cost"] == 5
    state = answers[4]["result"]["statuses"]["aloft"]["state"]
    assert (state["posture"], state["extra"]) == ("soaring", [5]), "still on the wing to the west"
    # it has to fly a bow, where its first flight was straight
    assert answers[5]["result"]["events"][-1]["cost"] > 5


@pytest.fixture
def watch(tmp_path: Path) -> Stranger:
    (tmp_path / "yard.yaml").write_text(YARD, encoding="utf-8")
    return Stranger(tmp_path, "watch", "sections", "watch = watch:SECTION")


def test_a_section_of_somebody_else_s_stands_in_every_panel(watch: Stranger) -> None:
    shown = ("--mover", "raven", "--to", "C1", "--panel")
    done = watch.run("-m", "tactical", "render", "yard.yaml", *shown, "-o", "yard.txt")
    assert done.returncode == 0, done.stderr
    drawn = (watch.folder / "yard.txt").read_text(encoding="utf-8")
    assert drawn.index("Why it costs this") < drawn.index("Who can get to C1") < drawn.index("No strike on this way")
    # three cells of 5 ft from G1 to D1, beside C1; who hides is told to nobody
    assert "Old Guard: 15 ft" in drawn
    assert "Lurker" not in drawn
    pytest.importorskip("pygame")
    window = watch.run("-c", PANEL)
    assert window.returncode == 0, window.stderr
    assert window.stdout.count("Who can get to A1") == 2, "in the picture and in the window"


def test_a_section_that_fails_is_named(watch: Stranger) -> None:
    file = watch.folder / "watch.py"
    file.write_text(file.read_text(encoding="utf-8").replace("return y + 26", "return 'low'"), encoding="utf-8")
    done = watch.run("-m", "tactical", "render", "yard.yaml", "--mover", "raven", "--panel", "-o", "yard.txt")
    assert done.returncode == 2
    assert "the panel section 'watch'" in done.stderr
    assert "Traceback" not in done.stderr
