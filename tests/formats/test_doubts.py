"""What `check` warns of in a native map that is no fault, and units and names as people write them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tactical.assets import maps
from tactical.formats import load, load_with_report, native
from tactical.movement.reach import reach
from tactical.movement.route import Route
from tactical.units import UNITS
from tests.formats.test_native_faults import faults, only, told

ROWS = "rows: |\n  .....\n  .....\n"


def warnings(text: str) -> list[str]:
    return [line.text for line in load_with_report(text.encode(), format="native")[1].of("warning")]


@pytest.mark.parametrize(
    ("part", "words"),
    [
        ("barriers: [{line: [[-40, 1], [60, 1]]}]", "barriers[0].line: the barrier sticks out of the map by 55 cells"),
        ("barriers: [{line: [[40, 1], [60, 1]]}]", "barriers[0].line: the barrier lies beside the map (5 x 2 cells)"),
        ("links: [{from: A1, to: A1}]", "links[0]: leads from A1 to itself"),
        (
            "links: [{from: A1, to: B1, kind: stiars}]",
            "links[0].kind: 'stiars' is no usual kind of link, did you mean 'stairs'?",
        ),
        (
            "barriers: [{id: back, cell: A1, side: e, kind: door}]\nmovers: [{id: a, at: A1, knows: [bakc]}]",
            "movers[0].knows: 'a' knows 'bakc', which no barrier here is called, did you mean 'back'?",
        ),
        (
            "movers: [{id: a, at: A1, size: 2}, {id: b, at: B2}]",
            "movers[1].at: 'b' and 'a' both stand at B2",
        ),
    ],
)
def test_what_is_doubtful_is_told_with_its_line(part: str, words: str) -> None:
    (found,) = warnings(ROWS + part)
    line = 4 + part.count("\n")
    assert found.startswith(f"line {line}: {words}")


@pytest.mark.parametrize(
    "part",
    [
        "barriers: [{line: [[-1, 1], [6, 1]]}, {line: [[0, 0], [5, 0]]}]",
        "links: [{from: A1, to: C1, kind: rope}]",
        "barriers: [{id: back, cell: A1, side: e, kind: door}]\nmovers: [{id: a, at: A1, knows: [back]}]",
        "movers: [{id: a, at: A1, size: 2}, {id: b, at: C1}, {id: c}, {id: d}]",
    ],
)
def test_what_is_usual_is_not_doubted(part: str) -> None:
    assert warnings(ROWS + part) == []


def test_a_hex_map_is_measured_by_its_own_shape() -> None:
    hexes = "grid: {type: hex-odd-q}\n" + ROWS
    (far,) = warnings(hexes + "barriers: [{line: [[0, 0], [0, 20]]}]")
    assert "sticks out" in far
    assert warnings(hexes + "barriers: [{cell: E2, side: s}, {cell: A1, side: n}]") == []


@pytest.mark.parametrize("word", sorted(UNITS))
def test_units_are_read_as_people_write_them(word: str) -> None:
    text = f'grid: {{unit: "{word}"}}\n{ROWS}'
    assert load(text.encode(), format="native").unit == UNITS[word]
    assert load(text.replace(word, word.upper()).encode(), format="native").unit == UNITS[word]


def test_an_unknown_unit_is_a_fault() -> None:
    fault = only(f"grid: {{unit: feets}}\n{ROWS}")
    assert told(fault) == (1, 14, "grid.unit", "unknown unit 'feets' (known: ft, m)")
    assert fault.hint == "did you mean 'feet'?"


def test_the_cell_of_a_map_in_feet_is_five_of_them_however_feet_is_written() -> None:
    assert load(f"grid: {{unit: feet}}\n{ROWS}".encode(), format="native").cell == 5


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("[[0, 0]]", "expected two points, found 1"),
        ("[]", "expected two points, found 0"),
        ("[[0, 0], [1, 1], [2, 2]]", "expected two points, found 3"),
        ("[[0], [1, 1]]", "expected two numbers, found 1"),
        ("[[0, 1, 2], [1, 1]]", "expected two numbers, found 3"),
    ],
)
def test_a_line_of_the_wrong_length(line: str, words: str) -> None:
    assert only(f"{ROWS}barriers: [{{line: {line}}}]").text == words


def test_everything_wrong_with_a_barrier_comes_at_once() -> None:
    found = faults(f"{ROWS}barriers: [{{cell: Z9, side: nrth, kind: wall, state: open, truth: wal}}]")
    assert [fault.path for fault in found] == ["barriers[0].cell", "barriers[0].side", "barriers[0].state"]
    cut = faults(f"{ROWS}barriers: [{{cell: [], side: nrth, kind: wal}}]")
    assert [fault.path for fault in cut] == ["barriers[0].cell", "barriers[0].side", "barriers[0].kind"]
    # a direction can be across the barrier only once it has a place
    assert [fault.path for fault in faults(f"{ROWS}barriers: [{{cell: Z9, side: e, one_way: west}}]")] == [
        "barriers[0].cell"
    ]


def test_zones_have_names_that_ledgers_use() -> None:
    text = f"rules: operator\n{ROWS}zones: [{{cells: [C1, C2], terrain: fog bank, difficult: true}}]\n"
    battlemap = load((text + "movers: [{id: a, at: A1}]").encode(), format="native")
    assert battlemap.zones[0].facts == {"terrain": "fog bank", "difficult": True}
    assert load(str(native.dump(battlemap)).encode(), format="native") == battlemap
    route = reach(battlemap, "a").route(battlemap.cell_named("C1"))
    assert isinstance(route, Route)
    assert [line.text for line in route.ledger()] == ["open ground  1 x 5 ft", "fog bank  1 x 5 ft x 2"]


def test_every_key_of_the_schema_is_described() -> None:
    bare: list[str] = []

    def walk(part: Any, at: str) -> None:
        if isinstance(part, list):
            for n, one in enumerate(part):
                walk(one, f"{at}[{n}]")
        elif isinstance(part, dict):
            bare.extend(f"{at}.{key}" for key, one in part.get("properties", {}).items() if not one.get("description"))
            for key, one in part.items():
                walk(one, f"{at}.{key}")

    walk(native.schema(), "")
    assert bare == []
    number = native.schema()["$defs"]["GroundPart"]["properties"]["number"]["description"]
    assert "VE 1-5" in number


def test_the_overlay_sample_adds_to_its_drawing() -> None:
    path = maps("small/overlay")
    battlemap, report = load_with_report(path)
    drawn = load(Path(path).with_name("hut.dd2vtt"), options={"open_portals": "window"})
    states = {barrier.id: barrier.state for barrier in battlemap.barriers if barrier.id}
    assert (states["door-1"], states["door-2"], states["window-1"]) == ("closed", "locked", None)
    assert len(battlemap.barriers) == len(drawn.barriers) + 1
    assert all("hut.dd2vtt: " in line.text for line in report.lines[:-1])

    def cost(mover: str, goal: str) -> object:
        route = reach(battlemap, mover).route(battlemap.cell_named(goal))
        return route.cost if isinstance(route, Route) else route.code

    assert cost("ace", "I4") == 30, "two plain cells and two of smoke"
    assert cost("stoker", "I4") == 10, "the smoke comes from it"
    assert cost("ace", "E4") == "move.barred"
    assert cost("ace", "L6") == 5
    assert cost("ace", "K6") == 10, "round the fence, not over it"
