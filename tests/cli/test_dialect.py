"""One dialect: the command line, the library and `serve --stdio` tell the same under the same keys."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest

import tactical
from tactical import Cell
from tactical.assets import maps
from tactical.hosts.desk import Desk
from tactical.play.session import Session
from tests.cli.conftest import Run

HOUSE = """\
schema: 1
name: house
grid: {type: square, cell: 5, unit: ft}
rules: operator
legend: {m: {difficult: true, terrain: mud}, f: {hazard: fire}, "#": {impassable: true}}
levels:
  - {name: ground, rows: "..m.f\\n....."}
  - {name: upper, rows: ".....\\n..#.."}
links: [{from: ground/E2, to: upper/E2, kind: stairs, cost: 5}]
movers:
  - {id: ann, at: ground/A1, posture: prone, side: us}
  - {id: orc, at: ground/C2, side: them, stats: {speed: 30}}
"""


@pytest.fixture
def house(tmp_path: Path) -> str:
    file = tmp_path / "house.yaml"
    file.write_text(HOUSE, encoding="utf-8")
    return str(file)


def ask(desk: Desk, **request: object) -> dict[str, Any]:
    answer = json.loads(desk.answer(json.dumps(request).encode()))
    assert answer["ok"], answer
    found: dict[str, Any] = answer["result"]
    return found


@pytest.fixture
def desk(house: str) -> Desk:
    made = Desk()
    ask(made, do="load", map=house)
    ask(made, do="begin", map="m1", seed=3)
    return made


BESIDE = ("schema", "kind", "map", "session")
"""What a surface calls an answer (``path`` is ``route`` elsewhere) and the map that it was asked about."""


def bare(told: dict[str, Any], *but: str) -> dict[str, Any]:
    """What an answer says."""
    return {key: value for key, value in told.items() if key not in (*BESIDE, *but)}


@pytest.mark.parametrize("to", ["D1", "upper/D2", "upper/C2", "E1"])
def test_a_way_reads_alike_everywhere(run: Run, desk: Desk, house: str, to: str) -> None:
    line = run("path", house, "--mover", "ann", "--to", to, "--turns", "3", "--json").json
    told = ask(desk, do="route", map="m1", mover="ann", to=to, turns=3, cells="names")
    if told["kind"] == "refusal":
        assert {key: told[key] for key in ("code", "params", "text")} == line["refusal"]
        return
    assert bare(told) == bare(line)
    assert told["start"] == "ground/A1"
    assert told["to"] == line["to"] == line["steps"][-1]["to"]
    library = tactical.reach(tactical.load(house), "ann", turns=3).route(to)
    beside = ("mover", "rules", "options")
    assert bare(tactical.to_json(library, cells="names", on=tactical.load(house))) == bare(told, *beside)
    pairs = ask(desk, do="route", map="m1", mover="ann", to=to, turns=3)
    assert bare(tactical.to_json(library)) == bare(pairs, *beside)


def test_a_reach_reads_alike_everywhere(run: Run, desk: Desk, house: str) -> None:
    line = run("reach", house, "--mover", "ann", "--turns", "2", "--json").json
    told = ask(desk, do="reach", map="m1", mover="ann", turns=2, cells="names")
    assert bare(told) == bare(line)
    assert told["cells"]
    assert any(row["provokes"] == ["orc"] for row in told["cells"])
    assert bare(tactical.to_json(tactical.reach(tactical.load(house), "ann", turns=2), cells="names")) == bare(told)


SAMPLES = sorted({path.relative_to(maps()).with_suffix("").as_posix() for path in maps().rglob("*.yaml")} - {
    # their chances are compared in tests/hosts/test_questions.py
    "cliff-town", "river-crossing",
})  # fmt: skip


@pytest.mark.parametrize("name", SAMPLES)
def test_one_question_has_one_answer_on_every_sample_map(run: Run, name: str) -> None:
    """Only how cells are written differs: every key and value of one surface is there on the other."""
    chance, desk = Random(name), Desk()
    mover = chance.choice(ask(desk, do="load", map=name)["movers"])
    asked: dict[str, Any] = {"map": "m1", "mover": mover, "cells": "names"}
    line, battlemap = ("--mover", mover, "--json"), tactical.load(name)
    reach = ask(desk, do="reach", **asked)
    assert bare(reach) == bare(run("reach", name, *line).json)
    goals = [row["cell"] for row in reach["cells"]] or [reach["start"]]
    for to, turns in ((chance.choice(goals), 1), (battlemap.name_of(Cell(0, 0)), 1 + ("/" in name))):
        told = ask(desk, do="route", to=to, turns=turns, odds=turns == 1, **asked)
        printed = run("path", name, *line, "--to", to, "--turns", str(turns), *["--odds"] * (turns == 1)).json
        # a refusal is a value there, and a key of the answer here
        assert bare(told) == (printed["refusal"] if told["kind"] == "refusal" else bare(printed))
        pairs = ask(desk, do="route", to=to, turns=turns, odds=turns == 1, **{**asked, "cells": "pairs"})
        assert tactical.from_json(pairs) == tactical.from_json(told, on=battlemap)
    by = chance.choice(("attacks", "exposures", "number"))
    told = ask(desk, do="risks", to=goals[-1], by=by, **asked)
    assert bare(told) == bare(run("risks", name, *line, "--to", goals[-1], "--by", by).json)


def test_what_the_command_line_prints_is_read(run: Run, house: str) -> None:
    battlemap = tactical.load(house)
    reach = tactical.reach(battlemap, "ann", turns=2)
    line = run("path", house, "--mover", "ann", "--to", "upper/D2", "--turns", "2", "--json").json
    assert tactical.from_json(line, on=battlemap) == reach.route("upper/D2")
    cells = tactical.from_json(run("reach", house, "--mover", "ann", "--turns", "2", "--json").json, on=battlemap)
    assert cells.cells() == reach.cells()


@pytest.mark.parametrize("cells", ["pairs", "names"])
def test_cells_are_read_however_they_are_written(house: str, cells: str) -> None:
    battlemap = tactical.load(house)
    reach = tactical.reach(battlemap, "ann", turns=2)
    for value in (reach.route("upper/D2"), reach.route("C2"), battlemap, Session.new(battlemap).position):
        data = json.loads(json.dumps(tactical.to_json(value, cells=cells, on=battlemap)))
        assert tactical.from_json(data, on=battlemap) == value
    row = tactical.to_json(reach, cells=cells)["cells"][-1]["cell"]
    assert row == ("upper/E2" if cells == "names" else [4, 1, 1])


def test_without_a_map_a_level_is_written_by_its_number(house: str) -> None:
    route = tactical.reach(tactical.load(house), "ann", turns=2).route("upper/D2")
    data = tactical.to_json(route, cells="names")
    assert (data["start"], data["to"]) == ("A1", "1/D2")
    assert tactical.from_json(data) == route


def test_there_is_no_third_way_to_write_a_cell(desk: Desk) -> None:
    with pytest.raises(ValueError, match="pairs or names, not 'both'"):
        tactical.to_json(tactical.State(Cell(0, 0)), cells="both")
    answer = json.loads(desk.answer(b'{"do": "reach", "map": "m1", "mover": "ann", "cells": "both"}'))
    assert answer["error"] == {"code": "value", "text": "cells: expected pairs or names, found 'both'"}


def test_every_request_takes_the_way_cells_are_written(desk: Desk) -> None:
    moved = ask(desk, do="move", session="s2", mover="ann", to="B1", cells="names")
    assert moved["events"][-1]["cell"] == "ground/B1"
    assert ask(desk, do="position", session="s2", cells="names")["statuses"]["ann"]["state"]["cell"] == "ground/B1"
    saved = ask(desk, do="save", session="s2", cells="names")["lines"]
    assert "ground/B1" in saved
    again = ask(desk, do="open", lines=saved)["session"]
    snapshot = ask(desk, do="snapshot", session="s2", cells="names")
    back = ask(desk, do="restore", snapshot=snapshot)["session"]
    for session in (again, back):
        assert ask(desk, do="position", session=session) == ask(desk, do="position", session="s2")


OLD_ROUTE = {
    "schema": 1, "kind": "route", "start": {"cell": [0, 0], "posture": "prone"}, "end": {"cell": [1, 0]},
    "steps": [
        {"start": {"cell": [0, 0], "posture": "prone"}, "end": {"cell": [0, 0]}, "way": "stand", "cost": 15,
         "charges": [{"name": "stand", "value": 15, "flat": True, "source": {"clause": "OPR-18"}}],
         "source": {"clause": "OPR-18"}, "spent": 15},
        {"start": {"cell": [0, 0]}, "end": {"cell": [1, 0]}, "way": "walk", "cost": 5, "distance": 5,
         "source": {"clause": "OPR-13"}, "spent": 20},
    ],
    "cost": 20, "turn": 1, "band": "move", "spent": 20, "remaining": 10, "unit": "ft",
    "lines": [
        {"text": "stand up from prone", "price": 15, "sum": 15, "source": {"clause": "OPR-18"}, "band": "move",
         "way": "stand", "steps": [0]},
        {"text": "open ground  1 x 5 ft", "price": 5, "sum": 20, "source": {"clause": "OPR-13"}, "band": "move",
         "way": "walk", "steps": [1]},
    ],
    "stops": [[1, 0]], "hazards": [["fire", [1, 0]]],
}  # fmt: skip


def test_yesterdays_ways_are_read() -> None:
    route = tactical.from_json(OLD_ROUTE)
    assert (route.start.posture, route.end.cell, route.cost) == ("prone", Cell(1, 0), 20)
    assert [line.source.clause for line in route.ledger()] == ["OPR-18", "OPR-13"]
    assert route.hazards == (("fire", Cell(1, 0)),)
    assert tactical.from_json(tactical.to_json(route)) == route


def test_yesterdays_reaches_are_read() -> None:
    old = {
        "schema": 1, "kind": "reach", "mover": "a", "rules": "operator", "unit": "ft",
        "start": {"cell": [0, 0], "posture": "prone"},
        "bands": [{"index": 0, "name": "move", "title": "Move", "budget": 30, "gait": "move"}],
        "reached": [{"cell": [1, 0], "band": "move", "cost": 5, "remaining": 25}], "options": {},
    }  # fmt: skip
    found = tactical.from_json(old)
    assert found.cost("B1") == 5
    assert found.start.posture == "prone"
    (cell,) = tactical.to_json(found)["cells"]
    assert {**cell, **old["reached"][0]} == cell


def test_a_state_is_not_given_whole_and_in_parts() -> None:
    with pytest.raises(ValueError, match="end is given whole and in parts"):
        tactical.from_json({**OLD_ROUTE, "posture": "prone"})


def test_yesterdays_saves_are_played(desk: Desk) -> None:
    """Their refusals have no words and their rolls no chance yet."""
    ask(desk, do="execute", session="s2", command={"do": "place", "mover": "orc", "at": "ground/C1"})
    ask(desk, do="execute", session="s2", command={"do": "push", "mover": "ann", "cells": ["ground/B1", "ground/C1"]})
    lines = ask(desk, do="save", session="s2")["lines"].splitlines()
    entries = [json.loads(line) for line in lines]
    assert entries[-1]["events"][-1]["reason"].pop("text")
    # nor had they digests, nor a first line that says who wrote them
    entries = [
        {key: entry[key] for key in entry if key not in ("digest", "save", "tactical", "rules")} for entry in entries
    ]
    older = "\n".join(json.dumps(entry) for entry in entries) + "\n"
    again = ask(desk, do="open", lines=older)["session"]
    assert ask(desk, do="position", session=again) == ask(desk, do="position", session="s2")


def test_the_lists_that_are_the_answer_are_always_there(desk: Desk) -> None:
    stay = ask(desk, do="route", map="m1", mover="ann", to="A1")
    assert (stay["steps"], stay["ledger"], stay["stops"]) == ([], [], [[0, 0]])
    shut = "schema: 1\nrows: '.#'\nlegend: {'#': {impassable: true}}\nmovers: [{id: a, at: A1, rules: plain}]\n"
    alone = ask(desk, do="load", content=shut)["map"]
    assert ask(desk, do="reach", map=alone, mover="a")["cells"] == []
