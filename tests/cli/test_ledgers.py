"""What `path` says of a way: the doors it opens, what its gait uses up, and the action in JSON."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import tactical
from tests.cli.conftest import Run

HALL = """
schema: 1
grid: {cell: 5, unit: ft}
rules: operator
rows: |
  ....
  ....
  ....
barriers:
  - {line: [[0, 1], [1, 1]], kind: wall}
  - {id: front, line: [[1, 1], [2, 1]], kind: door, state: closed}
  - {line: [[2, 1], [3, 1]], kind: DOOR_C}
  - {line: [[3, 1], [4, 1]], kind: wall}
movers: [{id: a, at: B1}]
"""


@pytest.fixture
def hall(tmp_path: Path) -> str:
    file = tmp_path / "hall.yaml"
    file.write_text(HALL.replace("DOOR_C", "wall"), encoding="utf-8")
    return str(file)


def lines_of(run: Run, *words: str) -> list[tuple[str, float, float, str]]:
    """The ledger of a way as JSON has it."""
    found = run("path", *words, "--json").json["ledger"]
    return [(line["text"], line["price"], line["sum"], line["clause"]) for line in found]


def test_a_door_that_is_opened_is_a_line_of_its_own_also_when_free(run: Run, hall: str) -> None:
    assert lines_of(run, hall, "--mover", "a", "--to", "C3") == [
        ("open door 'front'", 0, 0, "OPR-50"),
        ("open ground  2 x 5 ft", 10, 10, "OPR-13"),
    ]
    words = run("path", hall, "--mover", "a", "--to", "B2", "--why").out
    assert re.search(r"open door 'front' +0 +0  OPR-50\n  open ground  1 x 5 ft +5 +5  OPR-13\n", words)


def test_a_door_with_a_price_has_it_on_its_own_line(run: Run, hall: str) -> None:
    priced = lines_of(run, hall, "--mover", "a", "--at", "A1", "--to", "B3", "--option", "door_cost=10")
    assert priced == [
        ("open ground  1 x 5 ft", 5, 5, "OPR-13"),
        ("open door 'front'", 10, 15, "OPR-50"),
        ("open ground  2 x 5 ft", 10, 25, "OPR-13"),
    ]


def test_an_open_door_is_no_line(run: Run, hall: str) -> None:
    opened = lines_of(run, hall, "--mover", "a", "--to", "C3", "--door", "front=open")
    assert opened == [("open ground  2 x 5 ft", 10, 10, "OPR-13")]


def test_a_body_that_opens_two_doors_at_once_has_a_line_for_each(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "double.yaml"
    text = HALL.replace("kind: DOOR_C", "kind: door, id: right, state: closed")
    text = text.replace("rows: |\n", "rows: |\n  ....\n")
    file.write_text(text.replace(", 1]", ", 2]").replace("at: B1", "at: B1, size: 2"), encoding="utf-8")
    options = ["--option", "door_limit=2", "--option", "door_cost=5"]
    found = lines_of(run, str(file), "--mover", "a", "--to", "B2", *options)
    assert [line[:3] for line in found] == [
        ("open door 'front'", 5, 5),
        ("open door 'right'", 5, 10),
        ("open ground  1 x 5 ft", 5, 15),
    ]


def test_a_fence_that_costs_nothing_is_named_too(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "fence.yaml"
    file.write_text(HALL.replace("kind: DOOR_C", "kind: fence, cost: 0"), encoding="utf-8")
    assert lines_of(run, str(file), "--mover", "a", "--at", "C1", "--to", "C3")[0][0].startswith("climb the fence 0 + ")


def test_the_ledger_of_every_way_adds_up_with_its_doors() -> None:
    dungeon = tactical.load("dungeon").with_(doors={"portcullis": "closed"})
    reach = tactical.reach(dungeon, "sly", turns=3, options={"door_cost": 5})
    opened = 0
    for cell in reach.cells():
        route = reach.route(cell)
        assert route
        assert sum(line.price for line in route.ledger()) == route.cost
        for turn in range(1, route.turn + 1):
            sums = [line.sum for line in route.ledger() if line.turn == turn]
            assert sums == sorted(sums)
        opened += any(line.way == "open-door" for line in route.ledger())
    assert opened


def test_what_the_gait_uses_up_is_said(run: Run) -> None:
    dash = run("path", "village", "--mover", "raven", "--to", "N9")
    assert "50 ft, Dash, takes the action, arriving standing" in dash.out
    assert run("path", "village", "--mover", "raven", "--to", "N9", "--json").json["action"] == "action"
    move = run("path", "village", "--mover", "raven", "--to", "I14")
    assert "10 ft, Move, arriving prone" in move.out
    assert run("path", "village", "--mover", "raven", "--to", "I14", "--json").json["action"] == "free"
    # where there is but one posture it is not worth a word
    assert "arriving" not in run("path", "starport", "--at", "A1", "--to", "C1", "--rules", "twelve-second").out
    later = run("path", "village", "--mover", "raven", "--to", "X20", "--turns", "3")
    assert "takes the action this turn" in later.out
    high = ["starport", "--mover", "rhen", "--gait", "high", "--to", "P4"]
    one = run("path", *high, "--json").json["action"]
    assert one == run("resolve", *high, "--roll", "9", "--json").json["action"] == "action"


def test_a_route_is_printed_as_a_sentence() -> None:
    route = tactical.reach(tactical.load("village"), "raven").route("N9")
    assert str(route) == (
        "H14 to N9 in 7 steps for 50 ft (dash); arriving standing with 10 ft left; guard may strike on leaving M10"
    )
    assert repr(route) == f"<Route {route}>"


# -- all clauses of a line, and what a way does to those who go it ------------------------------------------------

LEAP = """\
schema: 1
grid: {type: square, cell: 5, unit: ft}
rules: operator
legend: {o: {gap: true}, m: {difficult: true, terrain: mud}}
rows: |
  ...om.
movers: [{id: a, at: A1, stats: {strength: 10}}]
"""


def test_a_line_names_every_clause_that_prices_it(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "leap.yaml"
    file.write_text(LEAP, encoding="utf-8")
    asked = ("path", str(file), "--mover", "a", "--to", "E1", "--why")
    line = run(*asked, "--json").json["ledger"][-1]
    assert line["clauses"] == ["OPR-37", "OPR-42", "OPR-14"]
    assert line["clause"] == "OPR-37"
    assert "15      25  OPR-37 OPR-42 OPR-14" in run(*asked).out


def test_a_door_has_its_clause_and_a_walk_its_own(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "door.yaml"
    file.write_text(
        "schema: 1\nrules: operator\nrows: '....'\nmovers: [{id: a, at: A1}]\n"
        "barriers: [{line: [[2, 0], [2, 1]], kind: door, id: front}]\n",
        encoding="utf-8",
    )
    ledger = run("path", str(file), "--mover", "a", "--to", "D1", "--json").json["ledger"]
    assert [(line["text"], line["price"], line["clauses"]) for line in ledger if line["way"] == "open-door"] == [
        ("open door 'front'", 0, ["OPR-50"])
    ]
    assert {tuple(line["clauses"]) for line in ledger if line["way"] == "walk"} == {("OPR-13",)}


DROP = """\
schema: 1
grid: {type: square, cell: 2, unit: m}
rules: shapers
legend: {R: {terrain: roof, elevation: 8}}
rows: |
  RR..
movers: [{id: a, at: A1, stats: {pa: 4, ps: 6, pf: 4, athletics: 8, accept_damage: 30}}]
"""


def test_a_fall_stands_on_the_line_of_its_step(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "drop.yaml"
    file.write_text(DROP, encoding="utf-8")
    asked = ("path", str(file), "--mover", "a", "--to", "D1", "--why")
    falls = [line for line in run(*asked, "--json").json["ledger"] if "SHP-25" in line["clauses"]]
    assert [line["text"].partition(", ")[2] for line in falls] == ["a fall of 8 m: 22 damage"]
    assert "SHP-25" in run(*asked).out


@pytest.mark.parametrize(
    ("posture", "told", "words"),
    [
        ("standing", [], ""),
        (
            "crouched",
            [("ranged", 5, -2, "none", "OPR-23")],
            "attacks there: ranged from beyond 5 ft -2 (OPR-23)",
        ),
        (
            "prone",
            [("melee", 0, 0, "advantage", "OPR-25"), ("ranged", 5, 0, "disadvantage", "OPR-25")],
            "attacks there: melee with advantage (OPR-25); ranged from beyond 5 ft with disadvantage (OPR-25)",
        ),
    ],
)
def test_a_way_tells_how_hard_its_end_is_to_hit(
    run: Run, tmp_path: Path, posture: str, told: list[tuple[object, ...]], words: str
) -> None:
    file = tmp_path / "open.yaml"
    file.write_text("schema: 1\nrules: operator\nrows: '....'\nmovers: [{id: a, at: A1}]\n", encoding="utf-8")
    asked = ("path", str(file), "--mover", "a", "--to", "C1", "--arrive", posture)
    found = run(*asked, "--json").json["attacked"]
    keys = ("attack", "beyond", "modifier", "advantage", "clause")
    assert [tuple(one[key] for key in keys) for one in found] == told
    shown = run(*asked).out
    assert words in shown
    assert ("attacks there" in shown) == bool(told)
