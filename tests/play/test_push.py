"""Pushes: what stops them, how far they go, what a fall does, and that a push is a walk without a will."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tactical import Battlemap, Cell, Mover, Refusal
from tactical.hosts.desk import Desk
from tactical.play import commands as do
from tactical.play import events as did
from tactical.play.session import Session
from tactical.wire import save
from tactical.wire.writing import dumps, to_json
from tests.oracle import moves as oracle
from tests.oracle.engine import maps
from tests.oracle.worlds import GROUND, few, scenarios
from tests.wire.games import saved

Scenario = dict[str, Any]

HEAD = "schema: 1\ngrid: {type: square, cell: 5, unit: ft}\n"
LEGEND = """legend:
  ".": {terrain: floor}
  "#": {terrain: rock, impassable: true}
  "H": {terrain: tower, elevation: 50}
  "m": {terrain: mud, difficult: true}
  "f": {terrain: fire, hazard: fire}
  "_": {terrain: pit, gap: true}
  "l": {terrain: rope, no_stop: true}
  "w": {terrain: river, water: deep}
"""


def told(text: str, *cells: tuple[int, int]) -> dict[str, Any]:
    """What `serve` answers to a push of the mover `a` on a map in native YAML."""
    desk = Desk()
    ask(desk, do="load", content=text)
    ask(desk, do="begin", map="m1")
    pushed = ask(
        desk, do="execute", session="s2", command={"do": "push", "mover": "a", "cells": list(map(list, cells))}
    )
    pushed["at"] = ask(desk, do="position", session="s2")["statuses"]["a"]["state"]["cell"]
    return pushed


def ask(desk: Desk, **request: object) -> dict[str, Any]:
    """The result of one request."""
    answer = json.loads(desk.answer(json.dumps({"id": 1, **request}).encode()))
    assert answer["ok"], answer
    found: dict[str, Any] = answer["result"]
    return found


def board(rows: str, more: str = "", rules: str = "plain", mover: str = "at: A1") -> str:
    """A map with the mover `a` on it."""
    drawn = "\n  ".join(rows.split("/"))
    first = f"movers:\n  - {{id: a, {mover}, side: h}}\n"
    return f"{HEAD}rules: {rules}\n{LEGEND}rows: |\n  {drawn}\n{first}{more}"


EDGE = "barriers:\n  - {{id: it, cell: B1, side: west, {0}}}\n"
STOPS: dict[str, tuple[str, str, str]] = {
    "wall": (board("...", EDGE.format("kind: wall")), "move.wall", "wall"),
    "window": (board("...", EDGE.format("kind: window")), "move.wall", "window"),
    "fence without a price": (board("...", EDGE.format("kind: fence")), "move.wall", "fence"),
    "closed door": (board("...", EDGE.format("kind: door, state: closed")), "move.door", "door"),
    "locked door": (board("...", EDGE.format("kind: door, state: locked")), "move.door", "locked door"),
    "rock": (board(".#."), "move.impassable", "rock"),
    "gap": (board("._."), "move.gap", "gap"),
    "creature": (board("...", "  - {id: b, at: B1, side: x}\n"), "move.occupied", "b"),
    "friend": (board("...", "  - {id: b, at: B1, side: h}\n"), "move.occupied", "b"),
    "height": (board(".H."), "move.height", "50 ft"),
    "edge of the map": (board("..", mover="at: B1"), "move.off_map", "C1"),
    "rope nobody rests on": (board(".l"), "move.stop", "rope"),
}


@pytest.mark.parametrize("name", STOPS)
def test_what_stops_the_first_step_refuses_the_push(name: str) -> None:
    text, code, word = STOPS[name]
    start = (1, 0) if name == "edge of the map" else (0, 0)
    answer = told(text, (start[0] + 1, 0))
    assert (answer["kind"], answer.get("code")) == ("refusal", code)
    assert word in answer["text"]
    assert answer["at"] == list(start)


def test_one_way_sides_and_corners_stop_it_too() -> None:
    one_way = "barriers:\n  - {line: [[1, 0], [1, 1]], kind: wall, one_way: left}\n"
    codes = {told(board("..", more, mover=at), cell)["kind"] for more, at, cell in (
        (one_way, "at: A1", (1, 0)), (one_way, "at: B1", (0, 0)),
    )}  # fmt: skip
    assert codes == {"accepted", "refusal"}
    answer = told(board(".#/#."), (1, 1))
    assert answer["code"] == "move.corner"
    assert told(board(".#/..", "options: {corner: one_open}\n"), (1, 1))["kind"] == "accepted"
    assert told(board("../..", "options: {diagonal: none}\n"), (1, 1))["code"] == "move.diagonal"


def test_a_later_obstacle_ends_the_push_before_it() -> None:
    answer = told(board("....", "barriers:\n  - {id: w, cell: D1, side: west, kind: wall}\n"), (1, 0), (2, 0), (3, 0))
    assert [event["code"] for event in answer["events"]] == ["mover.pushed", "mover.pushed", "push.stopped"]
    last = answer["events"][-1]
    assert (last["mover"], last["cell"], last["lost"], last["reason"]["code"]) == ("a", [2, 0], 1, "move.wall")
    assert "pushed no further than C1" in answer["text"][-1]
    assert answer["at"] == [2, 0]


def test_it_ends_where_one_may_end() -> None:
    rope = told(board("..ll#"), (1, 0), (2, 0), (3, 0), (4, 0))
    assert rope["at"] == [1, 0]
    assert (rope["events"][-1]["lost"], rope["events"][-1]["reason"]["code"]) == (3, "move.impassable")
    assert told(board("..l"), (1, 0), (2, 0))["events"][-1]["reason"]["code"] == "move.stop"
    over = told(board("..l."), (1, 0), (2, 0), (3, 0))
    assert (over["at"], len(over["events"])) == ([3, 0], 3)


def test_prices_mud_water_and_hazards_do_not_stop_it() -> None:
    answer = told(board(".mfw", rules="operator"), (1, 0), (2, 0), (3, 0))
    assert [event["code"] for event in answer["events"]] == [*["mover.pushed"] * 2, "hazard.entered", "mover.pushed"]
    assert answer["at"] == [3, 0]
    assert told(board("..", EDGE.format("kind: fence, cost: 5")), (1, 0))["kind"] == "accepted"


def test_cells_that_are_no_way_are_refused_as_a_whole() -> None:
    answer = told(board("....."), (1, 0), (3, 0))
    assert (answer["code"], answer["at"]) == ("move.not_adjacent", [0, 0])


def test_a_large_body_needs_room_for_all_of_it() -> None:
    gate = "barriers:\n  - {id: gate, cell: C2, side: west, kind: door, state: closed}\n"
    answer = told(board("..../....", gate, mover="at: A1, size: 2"), (1, 0))
    assert (answer["code"], "gate" in answer["text"]) == ("move.door", True)
    rock = told(board("..../...#", mover="at: A1, size: 2"), (1, 0), (2, 0))
    assert (rock["at"], rock["events"][-1]["reason"]["code"]) == ([1, 0], "move.impassable")
    fire = told(board("..../..f.", mover="at: A1, size: 2"), (1, 0), (2, 0))
    assert [event["code"] for event in fire["events"]].count("hazard.entered") == 1


def test_on_an_upper_floor_it_stays_there() -> None:
    levels = HEAD + "rules: plain\n" + LEGEND + (
        "levels:\n  - {name: low, rows: '###'}\n  - {name: high, rows: '..#'}\nmovers:\n  - {id: a, at: high/A1}\n"
    )  # fmt: skip
    desk = Desk()
    ask(desk, do="load", content=levels)
    ask(desk, do="begin", map="m1")
    push = {"do": "push", "mover": "a", "cells": [[1, 0, 1], [2, 0, 1]]}
    answer = ask(desk, do="execute", session="s2", command=push)
    assert answer["events"][-1]["cell"] == [1, 0, 1]
    down = {"do": "push", "mover": "a", "cells": [[0, 0, 0]]}
    assert ask(desk, do="execute", session="s2", command=down)["code"] == "move.not_adjacent"


# -- falls ------------------------------------------------------------------------------------------------------------

ROOF: Mapping[str, Mapping[str, object]] = {"H": {"terrain": "roof", "elevation": 4}, "2": {"elevation": 2}}
BODY = {"pa": 4, "ps": 4, "pf": 4, "size_m": 2}


def roof(rows: list[str], rules: str = "shapers", stats: Mapping[str, object] = BODY, **more: Any) -> Session:
    """A session with one body on the first cell of a map in metres."""
    body = Mover("a", rules, stats, Cell(0, 0), "h")
    return Session.new(Battlemap.from_rows(rows, ROOF, cell=1, unit="m", movers=(body,), rules=rules, **more))


@pytest.mark.parametrize("to", [Cell(1, 0), Cell(1, 1)], ids=["straight", "slanting"])
def test_over_an_edge_one_falls_without_a_roll(to: Cell) -> None:
    session = roof(["H.", ".."])
    answer = session.execute(do.Push("a", (to,)))
    assert answer
    assert answer.events == (did.Pushed("a", Cell(0, 0), to), did.Hurt("a", "6", "fall"))
    assert session.position.status("a").state.cell == to
    assert session.position.pending is None


def test_each_edge_on_the_way_is_a_fall_of_its_own() -> None:
    answer = roof(["H2..."]).execute(do.Push("a", (Cell(1, 0), Cell(2, 0), Cell(3, 0))))
    assert answer
    # 2 x 2 m + size 2 - PF 4 (SHP-25), twice
    assert [event.damage for event in answer.of(did.Hurt)] == ["2", "2"]  # type: ignore[attr-defined]


def test_a_harmless_height_hurts_nobody() -> None:
    answer = roof(["2."], stats={**BODY, "size_m": 10}).execute(do.Push("a", (Cell(1, 0),)))
    assert answer
    assert not answer.of(did.Hurt)


@pytest.mark.parametrize("options", [{}, {"ledge_down": "refuse"}, {"ledge_down": "climb"}, {"accept_damage": 0}])
def test_what_a_mover_would_choose_does_not_matter(options: dict[str, object]) -> None:
    stats = {**BODY, **({"accept_damage": 0} if "accept_damage" in options else {})}
    chosen = {name: value for name, value in options.items() if name != "accept_damage"}
    answer = roof(["H."], stats=stats, options=chosen).execute(do.Push("a", (Cell(1, 0),)))
    assert answer
    assert len(answer.of(did.Hurt)) == 1


def test_rules_without_falls_let_a_body_be_pushed_down_all_the_same() -> None:
    for rules, stats in (("plain", {"speed": 9}), ("d6-reup", {"move": 8}), ("twelve-second", {"mv": 3})):
        answer = roof(["H."], rules, stats).execute(do.Push("a", (Cell(1, 0),)))
        assert answer, rules
        assert [event.code for event in answer] == ["mover.pushed"]


# -- what is hidden ---------------------------------------------------------------------------------------------------


def test_what_hid_in_the_way_comes_to_light_and_the_rest_stays_secret() -> None:
    spy = "  - {id: spy, at: C1, side: x, hidden: true}\n"
    found = told(board("....", spy), (1, 0), (2, 0))
    assert [event["code"] for event in found["events"]] == ["mover.pushed", "secret.revealed", "push.stopped"]
    assert found["events"][-1]["reason"]["code"] == "move.occupied"
    secret = "barriers:\n  - {id: crypt, cell: C1, side: west, kind: door, state: secret}\n"
    wall = told(board("....", secret), (1, 0), (2, 0))
    assert [event["code"] for event in wall["events"]] == ["mover.pushed", "push.stopped"]
    assert "crypt" not in json.dumps(wall)
    false = "barriers:\n  - {id: mist, cell: B1, side: west, kind: wall, truth: door-open}\n"
    through = told(board("....", false), (1, 0))
    assert [event["code"] for event in through["events"]] == ["mover.pushed", "secret.revealed"]


def test_who_is_pushed_into_the_dark_knows_where_it_is() -> None:
    body = Mover("a", "plain", {}, Cell(0, 0), "h")
    battlemap = Battlemap.from_rows(["...."], movers=(body,), rules="plain")
    session = Session.new(battlemap, known={"a": [(0, 0)]})
    answer = session.execute(do.Push("a", (Cell(1, 0), Cell(2, 0))))
    assert answer
    assert answer.of(did.Explored)[0].cells == (Cell(1, 0), Cell(2, 0))  # type: ignore[attr-defined]


def test_what_a_failed_roll_closed_does_not_stop_a_push() -> None:
    body = Mover("a", "plain", {}, Cell(0, 0), "h")
    session = Session.new(Battlemap.from_rows(["..."], movers=(body,), rules="plain"))
    position = session.position
    shut = replace(position.status("a"), barred=frozenset([Cell(1, 0)]))
    session = Session(position.with_status("a", shut))
    assert isinstance(session.why_not(do.Move("a", Cell(1, 0))), Refusal)
    assert session.execute(do.Push("a", (Cell(1, 0),)))


# -- a push is a walk without a will ----------------------------------------------------------------------------------

FORCE = {"door_policy": "block", "hazard_policy": "ignore", "ledge_up": "refuse", "ledge_down": "drop"}
"""What a walk is like that opens no door, minds no hazard, climbs nothing and falls where it is let fall."""
OPTIONS = (
    "diagonal",
    "corner",
    "door_diagonal",
    "deep_water_stop",
    "step_height",
    "grid_rounding",
    "body_cost",
    "pay_on",
)


class Dragged(oracle.Mover):
    """The oracle's mover, taking any fall."""

    def survives(self, height: Fraction) -> bool:
        return True


def begun(scenario: Scenario) -> Session:
    """The scenario as a session."""
    mover, turn = maps.mover_of(scenario)
    battlemap = maps.board(scenario)
    session = Session.new(
        battlemap.with_(movers=(mover, *battlemap.movers)), rules=scenario["ruleset"], options=scenario["options"]
    )
    status = session.position.status("mover")
    return Session(session.position.with_status("mover", replace(status, turn=turn)))


def agrees(scenario: Scenario, wanted: list[int]) -> None:
    """A push over cells chosen by numbers goes exactly as far as the oracle's steps do; undo and replay hold."""
    body = Dragged({**scenario, "options": {**scenario["options"], **FORCE}}, truth=True)
    session, state, cells, made = begun(scenario), body.begin(), [], 0
    going = True
    for number in wanted:
        near = {move.end.pos: move.end for move in body.moves(state) if move.way == "step"} if going else {}
        ways = [*body.board.straight, *(oracle.CORNERS if body.board.grid == "square" else ())]
        beside = [body.board.neighbour(state.pos, way) for way in ways]
        cell = beside[number % len(beside)]
        old = set(body.board.body(state.pos, body.size))
        fresh = set(body.board.body(cell, body.size)) - old
        free = not any(place in other.cells for place in fresh for other in body.others)
        going = going and cell in near and free
        cells.append(Cell(*cell))
        state = state._replace(pos=cell)
        if going and body.stop(state, -1):
            made = len(cells)
    before = session.position
    answer = session.execute(do.Push("mover", tuple(cells)))
    if not made:
        assert isinstance(answer, Refusal), (cells, answer)
        assert session.position is before
        return
    assert isinstance(answer, did.Accepted), (cells, answer)
    after = session.position.status("mover")
    assert after.state.cell == cells[made - 1]
    assert after.turn.spent == before.status("mover").turn.spent
    lost = [event.lost for event in answer if isinstance(event, did.PushStopped)]
    assert lost == ([len(cells) - made] if made < len(cells) else [])
    assert answer.events[-1].code == ("push.stopped" if lost else answer.events[-1].code)
    again = save.load(saved(session), check=True)
    assert dumps(to_json(again.position)) == dumps(to_json(session.position))
    if session.undo():
        assert session.position == before


CELLS = st.lists(st.integers(0, 7), min_size=1, max_size=4)
EVERYTHING: dict[str, Any] = {"glyphs": GROUND + "...1mMrpngzuod", "edges": True, "bodies": True, "options": OPTIONS}


@few
@given(scenarios(**EVERYTHING, bounded=True), CELLS)
def test_a_push_goes_as_far_as_a_walk_could(scenario: Scenario, wanted: list[int]) -> None:
    agrees(scenario, wanted)


@few
@given(scenarios(**{**EVERYTHING, "glyphs": "......~#gnz", "sizes": (2, 3)}), CELLS)
def test_and_of_a_large_body_too(scenario: Scenario, wanted: list[int]) -> None:
    agrees(scenario, wanted)


@few
@given(st.sampled_from(["hex-odd-r", "hex-odd-q"]).flatmap(lambda grid: scenarios(**EVERYTHING, grid=grid)), CELLS)
def test_and_on_hexes(scenario: Scenario, wanted: list[int]) -> None:
    # the oracle knows large bodies on squares only
    small = [one for one in scenario["map"]["occupants"] if one["class"] not in ("large", "huge")]
    scenario["map"]["occupants"] = small
    agrees(scenario, wanted)


def test_a_real_process_says_so_too() -> None:
    requests = [
        {"id": 1, "do": "load", "content": board("....", "barriers:\n  - {cell: D1, side: west, kind: wall}\n")},
        {"id": 2, "do": "begin", "map": "m1"},
        {"id": 3, "do": "execute", "session": "s2",
         "command": {"do": "push", "mover": "a", "cells": [[1, 0], [2, 0], [3, 0]]}},
        {"id": 4, "do": "quit"},
    ]  # fmt: skip
    lines = "".join(json.dumps(request) + "\n" for request in requests)
    done = subprocess.run(
        [sys.executable, "-m", "tactical", "serve", "--stdio"], input=lines, capture_output=True, text=True, check=True
    )
    last = json.loads(done.stdout.splitlines()[2])["result"]["events"][-1]
    assert (last["code"], last["cell"], last["lost"]) == ("push.stopped", [2, 0], 1)


def test_who_is_pushed_or_set_down_has_run_nowhere() -> None:
    mover = Mover("a", stats={"speed": 60, "strength": 15}, at=Cell(0, 0))
    board = Battlemap.from_rows([".........", ".......__"], {"_": {"gap": True}}, rules="operator", movers=(mover,))
    for order in (do.Push("a", (Cell(4, 0),)), do.Place("a", Cell(6, 0))):
        session = Session.new(board, options={"diagonal": "alternate"})
        assert session.execute(do.Move("a", Cell(3, 1)))
        assert session.position.status("a").turn.run_up > 0
        assert session.execute(order)
        status = session.position.status("a")
        assert (status.state.run_up, status.turn.run_up) == (0, 0)
        assert status.turn.diagonals % 2 == status.state.diagonals


def test_who_is_pushed_on_a_cell_that_its_failed_climb_shut_may_still_drop() -> None:
    place = Battlemap.from_rows(
        ["..cc.."], {"c": {"climb": True}}, cell=5, rules="operator",
        movers=(Mover("h", at=Cell(0, 0), stats={"athletics": 2}),),
    )  # fmt: skip
    session = Session.new(place, order=["h"])
    assert session.execute(do.Move("h", "D1", dcs=[12]))
    assert session.execute(do.GivenRoll("h", total=10))
    assert session.execute(do.Push("h", ["C1"]))
    assert session.position.status("h").barred, "the climb is shut for the turn"
    assert session.execute(do.Posture("h", "crouched"))
    assert session.execute(do.Posture("h", "prone"))
    assert session.execute(do.Posture("h", "standing")).code == "move.budget", "it costs 15 ft, and no ceiling is low"
    assert "barred this turn" in session.execute(do.Move("h", "D1")).text
