"""What a program in another language is told of chances and choices is what the command line tells."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tactical.cli import main
from tactical.hosts.desk import Desk

from .test_stdio import SERVE, error, result


def said(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, Any]:
    """What the command line prints."""
    main([*words, "--json"])
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


@pytest.mark.parametrize(("name", "mover"), [("starport", "rhen"), ("river-crossing", "kara"), ("cliff-town", "vess")])
def test_chances_are_those_of_the_command_line(name: str, mover: str, capsys: pytest.CaptureFixture[str]) -> None:
    desk = Desk()
    result(desk, do="load", map=name)
    asked = {"map": "m1", "mover": mover, "cells": "names"}
    told = result(desk, do="reach", odds=True, **asked)["cells"]
    rows = said(capsys, "reach", name, "--mover", mover, "--odds")["cells"]
    keys = ("cell", "chance", "chance_gait", "own_chance")
    assert [[row[key] for key in keys] for row in told] == [[row[key] for key in keys] for row in rows]
    doubtful = next((row["cell"] for row in rows if row["own_chance"] not in (None, 0, 1)), rows[-1]["cell"])
    way = result(desk, do="route", to=doubtful, odds=True, **asked)
    assert way["odds"] == said(capsys, "path", name, "--mover", mover, "--to", doubtful, "--odds")["odds"]
    for by in ("chance", "number", "attacks"):
        choices = result(desk, do="risks", to=doubtful, by=by, **asked)
        printed = said(capsys, "risks", name, "--mover", mover, "--to", doubtful, "--by", by)
        assert [(one["risk"], one.get("chance"), one["route"]["cost"]) for one in choices["choices"]] == [
            (one["risk"], one.get("chance"), one["route"]["cost"]) for one in printed["choices"]
        ]
        assert choices["by"] == by == printed["by"]
    # no risk named: the one that the rules mean
    usual = result(desk, do="risks", to=doubtful, **asked)["by"]
    assert usual == said(capsys, "risks", name, "--mover", mover, "--to", doubtful)["by"]


def test_why_not_changes_nothing() -> None:
    desk = Desk()
    result(desk, do="load", map="starport")
    result(desk, do="begin", map="m1", seed=3)
    before = result(desk, do="snapshot", session="s2")
    move = {"do": "move", "mover": "rhen"}
    far = result(desk, do="why-not", session="s2", command={**move, "to": "AB14"})["refusal"]
    assert (far["code"], far["text"]) == ("move.budget", "12 m short: costs 52, has 40")
    assert result(desk, do="why-not", session="s2", command={**move, "to": "P4"}) == {"refusal": None}
    assert result(desk, do="snapshot", session="s2") == before
    assert result(desk, do="execute", session="s2", command={**move, "to": "AB14"})["code"] == "move.budget"


def test_questions_out_of_order_are_errors() -> None:
    desk = Desk()
    result(desk, do="load", map="starport")
    asked = {"map": "m1", "mover": "rhen", "to": "P4"}
    assert error(desk, do="route", odds=1, **asked)["text"] == "odds: expected true or false, found 1"
    assert error(desk, do="risks", by="luck", **asked)["code"] == "name"
    assert result(desk, do="risks", gait="high", **{**asked, "to": "E1"})["refusal"]["code"] == "move.min_distance"


def test_a_process_tells_a_chance() -> None:
    lines = [
        {"id": 1, "do": "load", "map": "starport"},
        {"id": 2, "do": "route", "map": "m1", "mover": "rhen", "gait": "high", "to": [15, 3], "odds": True},
    ]
    sent = "".join(json.dumps(line) + "\n" for line in lines)
    answers = subprocess.run(SERVE, input=sent, capture_output=True, text=True, check=True).stdout.splitlines()
    assert json.loads(answers[1])["result"]["odds"] == {
        "chance": 1, "landings": {"cells": {"P4": 1}, "open": 0}, "best": {"chance": 1, "gait": "high", "cost": 18},
    }  # fmt: skip


def test_rule_systems_and_clauses_are_those_of_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    desk = Desk()
    assert result(desk, do="rulesets") == said(capsys, "rulesets")
    one = result(desk, do="rulesets", name="shapers")
    assert one == said(capsys, "rulesets", "shapers")
    assert [stat["name"] for stat in one["rulesets"][0]["stats"] if stat["required"]] == ["pa"]
    assert result(desk, do="rulesets", name="operator", clause="OPR-14") == said(
        capsys, "rulesets", "operator", "OPR-14"
    )
    assert error(desk, do="rulesets", name="oprator")["code"] == "name"
    assert "no clause 'OPR-999'" in error(desk, do="rulesets", name="operator", clause="OPR-999")["text"]
    assert error(desk, do="rulesets", clause="OPR-14")["text"].startswith("clause needs name")


def test_a_stunt_is_asked_ahead_as_on_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = tmp_path / "strip.yaml"
    source.write_text(
        "schema: 1\ngrid: {type: square, cell: 1, unit: m}\nrules: d6-reup\n"
        "options: {default_number: mid}\nrows: [............]\n"
        "movers: [{id: U1, at: A1, stats: {move: 10, previous: cruising, running: 4D}}]\n"
    )
    desk = Desk()
    result(desk, do="load", content=source.read_text(), format="native")
    asked = {"map": "m1", "mover": "U1", "to": "K1", "cells": "names", "gait": "cruising"}
    told = result(desk, do="route", stunt=8, odds=True, **asked)
    words = ("path", str(source), "--to", "K1", "--mover", "U1", "--gait", "cruising", "--odds")
    printed = said(capsys, *words, "--stunt", "8")
    assert told["checks"] == printed["checks"]
    assert told["checks"] != result(desk, do="route", odds=True, **asked)["checks"]
    result(desk, do="load", map="village")
    plain = result(desk, do="route", stunt=8, map="m2", mover="raven", to="H15")
    assert plain["code"] == "rules.not_covered"
