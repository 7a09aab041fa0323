"""The way that takes longer, as ``path --why`` tells of it: gone by a host turn by turn, it is as it was told."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Run

STREET = """schema: 1
rules: d6-reup
grid: {type: square, cell: 10, unit: m}
legend: {E: {level: VE, number: 3}}
rows: EEEEEEEEEEEE
movers: [{id: kit, at: A1, stats: {move: 10, code: 3D}}]
"""
LANE = """schema: 1
rules: operator
rows: ...~~~......
legend: {"~": {difficult: true}}
movers: [{id: kit, at: A1, stats: {speed: 15}}]
"""
FORD = """schema: 1
rules: shapers
grid: {type: square, cell: 2, unit: m}
legend: {w: {water: deep}}
rows: ..wwww..
movers: [{id: kit, at: A1, stats: {pa: 4, ps: 6, pf: 5, swimming: 3}}]
"""


def played(map_file: Path, to: str, turns: int, rolls: Sequence[int]) -> list[list[dict[str, Any]]]:
    """The events of a game in which a host lets somebody go there, a move a turn; rolls come with the last."""
    moves = [{"do": "move", "session": "s2", "mover": "kit", "to": to, "turns": left} for left in range(turns, 0, -1)]
    end = {"do": "execute", "session": "s2", "command": {"do": "end-turn", "mover": "kit"}}
    given = [
        {"do": "execute", "session": "s2", "command": {"do": "given-roll", "mover": "kit", "total": total}}
        for total in rolls
    ]
    begin = [{"do": "load", "map": str(map_file)}, {"do": "begin", "map": "m1"}]
    asked = [*begin, *(line for move in moves[:-1] for line in (move, end)), moves[-1], *given]
    typed = "".join(json.dumps(line) + "\n" for line in asked)
    command = [sys.executable, "-m", "tactical", "serve", "--stdio"]
    done = subprocess.run(command, input=typed, capture_output=True, text=True, timeout=300, check=False)
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert all(one["ok"] for one in answers), answers
    return [one["result"]["events"] for one in answers if "events" in one["result"]]


@pytest.mark.parametrize(
    ("text", "to", "gaits", "spent", "rolls"),
    [
        (LANE, "J1", ["dash", "dash"], [30, 30], []),
        (STREET, "E1", ["cruising", "all_out"], [10, 30], [8]),
        (FORD, "H1", ["sprint", "walk", "walk", "sprint"], ["19/24", "2/3", "2/3", "11/12"], []),
    ],
    ids=["operator", "d6-reup", "shapers"],
)
def test_the_later_way_is_gone_as_it_is_told(
    run: Run, tmp_path: Path, text: str, to: str, gaits: list[str], spent: list[Any], rolls: list[int]
) -> None:
    file = tmp_path / "map.yaml"
    file.write_text(text, encoding="utf-8")
    answer = run("path", str(file), "--mover", "kit", "--to", to, "--why", "--json")
    assert answer.status == 1
    told = answer.json
    later = told["later"]
    shown = later["route"]["rounds"]
    assert told["refusal"]["code"] == "move.budget"
    assert later["turns"] == len(shown) == len(gaits)
    assert [turn["gait"] for turn in shown] == gaits
    assert [turn["spent"] for turn in shown] == spent
    assert [check["number"] for turn in shown for check in turn["checks"]] == rolls
    events = [event for answered in played(file, to, len(gaits), rolls) for event in answered]
    ended = [event for event in events if event["code"] == "move.ended"]
    assert [event["cost"] for event in ended] == spent
    assert ["ABCDEFGHIJ"[event["cell"][0]] + "1" for event in ended] == later["route"]["stops"]
