"""Each option of operator and of shapers changes an answer that a player can get."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tactical.hosts.desk import Desk
from tactical.rules.ruleset import get_ruleset
from tests.cli.conftest import Run

FEET = "schema: 1\ngrid: {type: square, cell: 5, unit: ft}\nrules: operator\n"
METRES = "schema: 1\ngrid: {type: square, cell: 1, unit: m}\nrules: shapers\n"


def hall(more: str = "", rows: str = "........", head: str = FEET) -> str:
    return f"{head}rows: '{rows}'\nmovers: [{{id: a, at: A1, side: us{more}}}]\n"


RIVER = FEET + "legend: {V: {water: deep, current: strong}}\nrows: '.V.'\nmovers: [{id: a, at: A1}]\n"
TIRED = hall(", stats: {pa: 2, pf: 0, endurance: 3}", head=METRES)
GAP = METRES + (
    "legend: {o: {gap: true}}\nrows: '....o.'\nmovers: [{id: a, at: A1, stats: {pa: 4, ps: 6, athletics: 8}}]\n"
)
POOL = METRES + (
    "legend: {W: {water: deep}}\nrows: 'WW...'\nmovers: [{id: a, at: A1, stats: {pa: 4, ps: 4, pf: 4, swimming: 1}}]\n"
)
ROOF = METRES.replace("cell: 1", "cell: 2") + (
    "legend: {R: {elevation: '7/2'}}\nrows: 'R..'\nmovers: [{id: a, at: A1, stats: {pa: 4, accept_damage: 30}}]\n"
)
MUD = METRES + "legend: {m: {difficult: true}}\nrows: '.mmm'\nmovers: [{id: a, at: A1, stats: {pa: 1, pf: 3}}]\n"

PATH = ("path", "MAP", "--mover", "a", "--to")
REACH = ("reach", "MAP", "--mover", "a")
RUN = ("odds", "--rules", "shapers", "--stat", "pa=4", "--stat", "pf=1", "--gait", "run", "--rounds", "12")
SPRINT = ("odds", "--rules", "shapers", "--stat", "pa=4", "--stat", "pf=1", "--gait", "sprint", "--rounds", "4")

ASKED: dict[tuple[str, str], tuple[str, str, tuple[str, ...]]] = {
    # rule system and option -> a value other than the default, a map, a question of the command line
    ("operator", "crouch_model"): ("budget", hall(), (*REACH, "--posture", "crouched")),
    ("operator", "slowed_minimum_applies"): (
        "final", hall(", stats: {speed: 10, slowed: true}"), (*REACH, "--posture", "crouched"),
    ),
    ("operator", "stand_rounding"): (
        "up", hall(", stats: {speed: 25}, posture: prone"), (*PATH, "B1", "--arrive", "standing"),
    ),
    ("operator", "double_dash_total"): ("3", hall(", stats: {bonus_dash: true}"), REACH),
    ("operator", "jump_half_rounding"): (
        "exact",
        FEET + "legend: {h: {elevation: '11/2'}}\nrows: '.h'\nmovers: [{id: a, at: A1, stats: {strength: 27}}]\n",
        (*PATH, "B1"),
    ),
    ("operator", "athletics_dc"): ("11", RIVER, (*PATH, "C1", "--odds")),
    ("operator", "fail_badly_margin"): (
        "1", RIVER, ("resolve", "MAP", "--mover", "a", "--to", "C1", "--option", "athletics_dc=11", "--roll", "9"),
    ),
    ("operator", "failed_check_spends"): (
        "false", RIVER, ("resolve", "MAP", "--mover", "a", "--to", "C1", "--option", "athletics_dc=11", "--roll", "9"),
    ),
    ("operator", "reach_ft"): (
        "10", hall("}, {id: e, at: B1, side: them", rows=".." + "." * 8).replace("at: A1", "at: C1"), (*PATH, "E1"),
    ),
    ("operator", "encumbrance_halves"): ("true", hall(), REACH),
    ("shapers", "round_seconds"): ("6", TIRED, RUN),
    ("shapers", "effort_base_tn"): ("70", TIRED, SPRINT),
    ("shapers", "effort_test_timing"): ("after", TIRED, SPRINT),
    ("shapers", "effort_failure"): (
        "walk_only", TIRED, ("resolve", "MAP", "--mover", "a", "--to", "H1", "--gait", "sprint", "--roll", "99"),
    ),
    ("shapers", "running_jump_gait"): ("jog", GAP, ("path", "MAP", "--mover", "a", "--to", "F1", "--gait", "jog")),
    ("shapers", "jump_costs_movement"): ("false", GAP, (*PATH, "F1", "--gait", "run")),
    ("shapers", "fall_metres"): ("exact", ROOF, (*PATH, "B1")),
    ("shapers", "mode_mixing"): ("single", POOL, (*PATH, "C1", "--gait", "walk")),
    ("shapers", "difficult_terrain_cap"): ("jog", MUD, (*PATH, "D1", "--gait", "sprint")),
}  # fmt: skip

PLAYED: dict[tuple[str, str], tuple[str, str, list[dict[str, Any]]]] = {
    # … or commands of a game
    ("shapers", "flounder_adds_stats"): (
        "false", POOL.replace("swimming: 1", "swimming: 0"), [{"do": "end-turn", "mover": "a"}],
    ),
    ("shapers", "effort_counters"): (
        "shared",
        hall(", stats: {pa: 2, pf: 1, endurance: 3}", rows="." * 30, head=METRES),
        [
            {"do": "move", "mover": "a", "to": "E1", "gait": "sprint"},
            {"do": "end-turn", "mover": "a"},
            {"do": "move", "mover": "a", "to": "H1", "gait": "run"},
            {"do": "end-turn", "mover": "a"},
        ],
    ),
    ("shapers", "effort_recovery"): (
        "walk_equal_time",
        hall(", stats: {pa: 2, pf: 0, endurance: 3}", rows="." * 30, head=METRES),
        [
            {"do": "move", "mover": "a", "to": "E1", "gait": "sprint"},
            {"do": "given-roll", "mover": "a", "total": 99},
            {"do": "move", "mover": "a", "to": "B1", "gait": "walk"},
            {"do": "end-turn", "mover": "a"},
            {"do": "move", "mover": "a", "to": "E1", "gait": "sprint"},
        ],
    ),
}  # fmt: skip
UNUSED = {("operator", "round_seconds")}
"""In the table of options, and used by no clause (G-A06)."""


def test_every_option_has_a_row() -> None:
    own = {(rules, option.name) for rules in ("operator", "shapers") for option in get_ruleset(rules).options}
    assert ASKED.keys() | PLAYED.keys() | UNUSED == own


@pytest.mark.parametrize(("which", "row"), ASKED.items(), ids=lambda part: "-".join(part) if len(part) == 2 else "")
def test_an_option_changes_an_answer(
    run: Run, tmp_path: Path, which: tuple[str, str], row: tuple[str, str, tuple[str, ...]]
) -> None:
    value, text, asked = row
    file = tmp_path / "map.yaml"
    file.write_text(text, encoding="utf-8")
    command = [str(file) if word == "MAP" else word for word in asked]
    answers = []
    for more in ((), ("--option", f"{which[1]}={value}")):
        answer = run(*command, *more, "--json")
        assert answer.status in (0, 1), answer.err
        answers.append({key: told for key, told in answer.json.items() if key != "options"})
    assert answers[0] != answers[1]


@pytest.mark.parametrize(("which", "row"), PLAYED.items(), ids=lambda part: "-".join(part) if len(part) == 2 else "")
def test_an_option_changes_a_game(which: tuple[str, str], row: tuple[str, str, list[dict[str, Any]]]) -> None:
    value, text, commands = row
    told = []
    for options in ({}, {which[1]: value}):
        desk = Desk()

        def ask(desk: Desk = desk, **request: object) -> Any:
            answer = json.loads(desk.answer(json.dumps(request).encode()))
            assert answer["ok"], answer
            return answer["result"]

        ask(do="load", content=text)
        ask(do="begin", map="m1", options=options)
        told.append(
            [ask(do="execute", session="s2", command=one) for one in commands]
            + [ask(do="position", session="s2")["statuses"]]
        )
    assert told[0] != told[1]
