"""Refusals name what is in the way: every one has a reason, and without it one gets there or hears the next reason."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tactical import Barrier, Battlemap, Cell, Link, Mover, Refusal, Route, TurnState, plan, reach
from tactical.units import exact, parse_cell
from tactical.world.edges.barriers import Kind
from tactical.world.grids import neighbours
from tests.oracle import engine
from tests.oracle.worlds import GROUND, LEGEND, boards, few, name, scenarios

GROUNDS: Mapping[str, Mapping[str, object]] = {
    "g": {"terrain": "pit", "gap": True},
    "m": {"terrain": "mud", "difficult": True},
    "l": {"terrain": "crawlway", "headroom": "prone"},
    "#": {"terrain": "granite", "impassable": True},
}


def door(x: int, y: int, door_id: str, **more: Any) -> Barrier:
    return Barrier(((x, y), (x, y + 1)), Kind.DOOR, door_id, **more)


@pytest.mark.parametrize("rules", ["d6-reup", "d6-revised"])
def test_who_is_too_fast_to_stop_may_not_stay_where_it_is(rules: str) -> None:
    battlemap = Battlemap.from_rows(["." * 30], cell=1, unit="m", rules=rules)
    for previous, able in (("high", False), ("cruising", True)):
        rey = Mover("rey", rules, {"previous": previous}, Cell(0, 0))
        route = reach(battlemap, rey).route(Cell(0, 0))
        assert bool(route) == able
        if isinstance(route, Refusal):
            assert (route.code, route.params["why"]) == ("move.speed_change", "it is too fast to stop")


def refused(rows: list[str], to: str, *, stats: Mapping[str, object] | None = None, **more: Any) -> Refusal:
    """Why an operator with speed 30 does not get from A1 to a cell with its move."""
    on_map = {key: more.pop(key) for key in ("barriers", "links", "movers") if key in more}
    body = {key: more.pop(key) for key in ("size", "posture") if key in more}
    battlemap = Battlemap.from_rows(rows, GROUNDS, unit="ft", cell=5, rules="operator", **on_map)
    mover = Mover("a", "operator", {"speed": 30, **(stats or {})}, Cell(0, 0), "heroes", **body)
    found = plan(battlemap, mover, parse_cell(to), gait="move", **more)
    assert isinstance(found, Refusal), found
    return found


# -- what is short ----------------------------------------------------------------------------------------------------


def test_a_door_that_must_wait_for_the_next_turn() -> None:
    two = (door(1, 0, "first"), door(2, 0, "second"))
    found = refused(["...."], "C1", barriers=two)
    assert (found.code, found.text) == (
        "move.doors",
        "2 closed doors on the way to C1, no more than 1 can be opened in a turn",
    )
    once = refused(["...."], "C1", barriers=two[1:], turn=TurnState(spent=Fraction(5), doors=1))
    assert once.code == "move.doors"
    assert once.text == "1 closed door on the way to C1 and 1 opened already, no more than 1 can be opened in a turn"


def test_a_step_is_too_dear_only_where_no_gait_of_any_round_has_it() -> None:
    wall = {".": {"level": "VE"}, "c": {"climb": True, "level": "VE"}}
    for move, said in (("5/2", "more than any whole round has (10)"), (3, "7.5 m short: costs 10.5, has 3")):
        kit = Mover("kit", "d6-reup", {"move": move, "code": "4D"}, Cell(0, 0))
        battlemap = Battlemap.from_rows([".c"], wall, cell="7/2", unit="m", movers=(kit,))
        # from a stop all-out, which would be enough for 10.5 m of 12, is not open this round
        assert said in str(reach(battlemap, "kit").why_not("B1"))
    assert "any whole round at cautious has (1.5)" in str(reach(battlemap, "kit", gait="cautious").why_not("B1"))


def test_a_wall_over_a_gap_is_named_and_not_the_gap() -> None:
    wall = Barrier(((4, 0), (4, 1)), Kind.WALL)
    found = refused(["...gg."], "F1", stats={"strength": 16}, barriers=(wall,))
    assert found.text == "no way to F1: wall between D1 and E1"


def test_what_is_lost_between_pools_is_named() -> None:
    battlemap = Battlemap.from_rows([".mmmmm"], GROUNDS, unit="ft", cell=5)
    mover = Mover("a", "operator", {"speed": 25}, Cell(0, 0))
    found = plan(battlemap, mover, Cell(5, 0), options={"dash_pool": "separate"})
    assert isinstance(found, Refusal)
    assert found.text == "5 ft short: costs 55, has 50 (lost between two moves 5 included)"


@pytest.mark.parametrize("reserve", [10, 25, 100])
def test_what_is_kept_back_is_named_and_nobody_has_less_than_nothing(reserve: int) -> None:
    battlemap = Battlemap.from_rows(["......."], unit="ft", cell=5)
    mover = Mover("a", "operator", {"speed": 30}, Cell(0, 0))
    found = reach(battlemap, mover, gait="move", reserve=reserve).route(Cell(5, 0))
    assert isinstance(found, Refusal)
    assert found.code == "move.budget"
    assert exact(found.params["short"]) == 25 + reserve - 30
    assert exact(found.params["budget"]) == max(30 - reserve, 0)
    assert f"({reserve} kept back)" in found.text


@pytest.mark.parametrize(
    ("rules", "stats", "gait", "reserve", "turns", "passed"),
    [
        ("operator", {"speed": 30}, "move", 0, 1, "EG"),
        ("operator", {"speed": 30}, "move", 10, 1, "E"),
        ("operator", {"speed": 30}, "move", 15, 1, ""),
        ("operator", {"speed": 15}, "move", 5, 2, "E"),
        # with memory: four cells of the six that a round at a jog has, and so on
        ("shapers", {"pa": 6, "pf": 9}, "jog", 0, 1, "EG"),
        ("shapers", {"pa": 6, "pf": 9}, "jog", "1/3", 1, "E"),
        ("shapers", {"pa": 6, "pf": 9}, "jog", "1/2", 1, ""),
    ],
)
def test_what_is_kept_back_pays_for_no_passing_either(
    rules: str, stats: dict[str, int], gait: str, reserve: object, turns: int, passed: str
) -> None:
    unit = {"operator": "ft", "shapers": "m"}[rules]
    friends = [Mover(name, rules, {**stats}, Cell(at, 0), "ours") for name, at in (("b", 4), ("c", 6))]
    mover = Mover("a", rules, {**stats}, Cell(0, 0), "ours")
    battlemap = Battlemap.from_rows(
        ["......." + "." * 3], unit=unit, cell=5 if unit == "ft" else 1, movers=[mover, *friends]
    )
    found = reach(battlemap, "a", gait=gait, reserve=reserve, turns=turns)
    assert "".join(sorted("ABCDEFGHIJ"[cell.col] for cell in found.passing())) == passed


def test_no_number_of_turns_is_enough_where_nobody_can_rest() -> None:
    ground = {"n": {"terrain": "rope", "no_stop": True}}
    battlemap = Battlemap.from_rows([".nnnnnnn."], ground, unit="ft", cell=5)
    found = plan(battlemap, Mover("a", "operator", {"speed": 30}, Cell(0, 0)), Cell(8, 0), turns=9, gait="move")
    assert isinstance(found, Refusal)
    assert found.code == "move.stretch"
    assert found.text == "the 40 ft from A1 to I1 must be made in one turn, which has 30"


# -- what bars --------------------------------------------------------------------------------------------------------


def test_rock_is_named() -> None:
    assert refused(["..#.."], "D1").text == "no way to D1: C1 is impassable (granite)"


def test_a_large_body_hears_which_cell_or_side_stops_it() -> None:
    bulk = ", in the way of a body of 2 x 2"
    assert refused(["..#..", "....."], "D1", size=2).text == f"no way to D1: C1 is impassable (granite){bulk}"
    side = (Barrier(((2, 0), (2, 1))),)
    found = refused([".....", "....."], "D1", size=2, barriers=side)
    assert found.text == f"no way to D1: wall between B1 and C1{bulk}"
    across = (Barrier(((3, 1), (4, 1))),)
    found = refused([".....", "....."], "D1", size=2, barriers=across)
    assert (found.code, found.text) == ("move.wall", f"wall between D1 and D2{bulk}")
    # a gap of one cell in a wall
    sides = (Barrier(((2, 0), (2, 1))), Barrier(((2, 2), (2, 4))))
    found = refused(["....."] * 4, "D1", size=2, barriers=sides)
    assert found.text == f"no way to D1: wall between B3 and C3{bulk}"


def test_what_stops_every_body_is_not_laid_to_its_size() -> None:
    found = refused([".....", "....."], "D1", size=2, barriers=(Barrier(((2, 0), (2, 2))),))
    assert found.text == "no way to D1: wall between B1 and C1"
    assert refused([".....", "..#.."], "C2").text == "C2 is impassable (granite)"
    found = refused(["..ggg..", "..ggg.."], "F1", size=2, stats={"strength": 15})
    assert found.text == "no way to F1: the body does not fit at C1: it is a gap, and only a body of one cell jumps"


def test_a_wall_across_a_jump() -> None:
    found = refused(["...g.."], "E1", stats={"strength": 15}, barriers=(Barrier(((4, 0), (4, 1))),))
    assert found.text == "no way to E1: wall between D1 and E1"
    # what could be climbed at a price is not jumped through
    fence = Barrier(((4, 0), (4, 1)), "fence", cost=5)
    assert "fence" in refused(["...g.."], "E1", stats={"strength": 15}, barriers=(fence,)).text


def test_what_a_jump_lacks() -> None:
    assert "needs 10 ft of run-up directly before, has 0" in refused([".ggg."], "E1", stats={"strength": 15}).text
    assert "the longest possible is 8" in refused(["...gg."], "F1", stats={"strength": 8}).text
    assert "E1 is too low for standing" in refused(["...gl."], "F1", stats={"strength": 15}).text
    orc = Mover("orc", "operator", {"speed": 30}, Cell(4, 0), "horde")
    assert "E1 is held by Orc" in refused(["...g.."], "F1", stats={"strength": 15}, movers=(orc,)).text


def test_a_jump_too_unlikely_names_the_option() -> None:
    battlemap = Battlemap.from_rows(["....ggggg..."], {"g": {"gap": True}}, unit="m", cell=1, rules="shapers")
    mover = Mover("a", "shapers", {"pa": 3, "ps": 3, "pf": 2}, Cell(0, 0))
    assert isinstance(reach(battlemap, mover, turns=3, options={"jump_chance": 0}).route(Cell(9, 0)), Route)
    found = reach(battlemap, mover, turns=3, options={"jump_chance": 1}).route(Cell(9, 0))
    assert isinstance(found, Refusal)
    assert "less than option jump_chance: 1" in found.text


def test_who_holds_the_far_end_of_the_stairs() -> None:
    orc = Mover("orc", "operator", {"speed": 30}, Cell(3, 0), "horde")
    found = refused(["..#..", "..#.."], "E2", links=(Link(Cell(0, 1), Cell(3, 0)),), movers=(orc,))
    assert found.text == "no way to E2: D1 is held by Orc"


def test_a_link_that_leads_only_the_other_way() -> None:
    link = Link(Cell(3, 0), Cell(0, 1), kind="ladder", two_way=False)
    found = refused(["..#..", "..#.."], "E2", links=(link,))
    assert found.text == "no way to E2: the ladder between A2 and D1 is one-way: it can only be taken the other way"


def test_no_link_to_another_level() -> None:
    battlemap = Battlemap.from_rows({"ground": ["..."], "upper": ["..."]})
    found = plan(battlemap, Mover("a", at=Cell(0, 0)), Cell(2, 0, 1))
    assert isinstance(found, Refusal)
    assert found.text == "no way to upper/C1: no stairs, ladder or portal from ground/A1 to upper/C1"


def test_a_ceiling_too_low_to_arrive_upright() -> None:
    found = refused(["...l"], "D1", arrive="standing")
    assert "D1 is too low for standing" in found.text


# -- on every map -----------------------------------------------------------------------------------------------------

WORLDS: dict[str, dict[str, Any]] = {
    "ground": {"glyphs": GROUND + "cdx3n", "edges": False},
    "sides": {"glyphs": GROUND, "options": ("diagonal", "corner", "door_policy", "door_cost", "door_limit")},
    "heights": {"glyphs": GROUND + "1244", "bounded": True, "options": ("diagonal", "ledge_up", "ledge_down")},
    "roofs and risks": {"glyphs": GROUND + "rpnzug", "edges": False, "options": ("diagonal", "corner")},
    "others": {"glyphs": GROUND + "...", "bodies": True, "options": ("diagonal", "corner", "corner_occupants")},
    "links": {"glyphs": GROUND + "##nrg", "edges": False, "links": True, "options": ("diagonal",)},
    "large bodies": {"glyphs": ".........~#", "sizes": (2, 3), "options": ("diagonal", "corner", "door_limit")},
    "large bodies, others": {"glyphs": "..........1#", "sizes": (2,), "bodies": True, "edges": False},
    "squeezing": {"glyphs": ".........#", "sizes": (2, 3), "fixed": {"squeeze": True}, "options": ("diagonal",)},
    "jumps": {"ruleset": "operator", "glyphs": GROUND + "ggggn1", "jumper": True, "options": ("diagonal", "corner")},
    "operator": {"ruleset": "operator", "glyphs": GROUND + "cdrpg", "bodies": True, "links": True},
    "pointy hexes": {"grid": "hex-odd-r", "glyphs": GROUND + "#cd1n", "options": ("ledge_up", "door_limit")},
    "flat hexes": {"grid": "hex-odd-q", "glyphs": GROUND + "#cd1n", "options": ("ledge_up", "door_limit")},
    "storeys": {"ruleset": "operator", "glyphs": GROUND + "g", "edges": False},
}
SIZES = {"tiny": 1, "small": 1, "medium": 1, "large": 2, "huge": 3, "gargantuan": 4}


@st.composite
def worlds(draw: st.DrawFn, world: str) -> dict[str, Any]:
    more = {"most": 6, **WORLDS[world]}
    fixed = {"stand_cost": 10, "grid_rounding": "cover_full_cost", **more.pop("fixed", {})}
    scenario = draw(scenarios(**more, fixed=fixed))
    if world == "storeys":
        upper = draw(boards(glyphs=more["glyphs"], edges=False))
        board = scenario["map"]
        cols = min(len(board["rows"][0]), len(upper["rows"][0]))
        count = min(len(board["rows"]), len(upper["rows"]))
        drawn = {"g": board["rows"], "u": upper["rows"]}
        floors = {floor: [row[:cols] for row in rows[:count]] for floor, rows in drawn.items()}
        board |= {"levels": floors, "walls": [], "legend": {**board["legend"], **upper["legend"]}}
        del board["rows"]
        cell = st.builds("{}/{}".format, st.sampled_from("gu"),
                         st.builds(name, st.integers(0, cols - 1), st.integers(0, count - 1)))  # fmt: skip
        link = st.fixed_dictionaries({"from": cell, "to": cell, "two_way": st.booleans()})
        board["links"] = [one for one in draw(st.lists(link, max_size=3)) if one["from"] != one["to"]]
        board["levels"]["g"][0] = "." + board["levels"]["g"][0][1:]
        scenario["mover"]["start"] = "g/A1"
    return scenario


@pytest.mark.parametrize("world", WORLDS)
@few
@given(data=st.data())
def test_every_refusal_names_something_and_without_it_one_gets_on(world: str, data: st.DataObject) -> None:
    scenario = data.draw(worlds(world))
    turns = data.draw(st.integers(1, 3))
    battlemap = engine.maps.board(scenario)
    level = data.draw(st.integers(0, len(battlemap.levels) - 1))
    goal = Cell(data.draw(st.integers(0, battlemap.cols - 1)), data.draw(st.integers(0, battlemap.rows - 1)), level)
    said: list[tuple[object, ...]] = []
    for _ in range(60):
        found = engine.reach(scenario, turns).route(goal)
        if isinstance(found, Route):
            return
        assert "{" not in found.text
        assert found.code != "move.unreachable", (said, scenario)
        if found.code == "move.budget":
            assert exact(found.params["short"]) > 0, found
        key = (found.code, *sorted((name_, str(value)) for name_, value in found.params.items()))
        assert key not in said, (found, said)
        said.append(key)
        scenario = copy.deepcopy(scenario)
        turns = without(scenario, found, turns)
        if not turns:
            return
    raise AssertionError(said)


def without(scenario: dict[str, Any], found: Refusal, turns: int) -> int:
    """Take away from a scenario what a refusal names; the turns to look ahead, or 0 where that cannot be taken away."""
    params, board = found.params, scenario["map"]
    barred = found.code == "move.barred"
    code = params["code"] if barred else found.code
    start, at = (params.get("from"), params.get("at")) if barred else (params.get("start"), params.get("cell"))
    if code == "move.budget":
        scenario["mover"]["speed"] += int(-(-exact(params["short"]) // 1))
    elif code in ("move.too_dear", "move.stretch"):
        scenario["mover"]["speed"] = int(-(-exact(params["cost"]) // 1))
    elif code == "move.turns":
        return 400
    elif code in ("move.doors", "move.door_limit"):
        scenario["options"]["door_limit"] = None
    elif code in ("move.impassable", "move.gap", "move.hazard", "move.unknown", "move.headroom", "move.stop"):
        assert isinstance(at, str)
        cleared(board, at)
        vacated(board, at)
    elif code == "move.occupied":
        assert isinstance(at, str)
        vacated(board, at)
    elif code in ("move.wall", "move.door", "move.one_way"):
        assert isinstance(start, str)
        assert isinstance(at, str)
        opened(board, {start, at})
    elif code in ("move.height", "move.corner"):
        assert isinstance(start, str)
        assert isinstance(at, str)
        levelled(scenario, start, at)
    elif code == "move.one_way_link":
        for link in board["links"]:
            link["two_way"] = link["two_way"] or (link["to"], link["from"]) == (start, at)
    elif code == "move.no_link":
        board.setdefault("links", []).append({"from": start, "to": at})
    elif code in ("move.run_up", "move.jump_length", "move.jump_chance", "rules.not_covered"):
        for glyph in "gcdx":
            board["legend"][glyph] = {}
    elif code == "move.posture":
        scenario["mover"]["posture"] = "standing"
    elif code == "move.mode":
        for glyph in "cdx":
            board["legend"][glyph] = {}
    elif code == "move.no_fit":
        assert "edge of the map" in found.text, found
        return 0
    else:
        raise AssertionError(found)
    return turns


def rows_at(board: dict[str, Any], at: str) -> tuple[list[str], int, int]:
    floor, _, cell = at.rpartition("/")
    place = parse_cell(cell)
    return board["levels"][floor] if floor else board["rows"], place.col, place.row


def cleared(board: dict[str, Any], at: str) -> None:
    rows, col, row = rows_at(board, at)
    if 0 <= row < len(rows) and 0 <= col < len(rows[0]):
        rows[row] = rows[row][:col] + "." + rows[row][col + 1 :]


def vacated(board: dict[str, Any], at: str) -> None:
    _, col, row = rows_at(board, at)
    kept = []
    for other in board.get("occupants", ()):
        place, size = parse_cell(other["at"]), SIZES[other["class"]]
        if not (place.col <= col < place.col + size and place.row <= row < place.row + size):
            kept.append(other)
    board["occupants"] = kept


def opened(board: dict[str, Any], ends: set[str]) -> None:
    """A side without anything on it."""
    battlemap = Battlemap.from_rows(board["rows"], {g: {} for g in (*LEGEND, "S", "G")}, grid=board["grid"])

    def named(side: str) -> set[str]:
        cell, way = side.rsplit(".", 1)
        place = parse_cell(cell)
        there = next(end for direction, end in neighbours(battlemap.grid, place) if direction.name == way)
        return {cell, battlemap.name_of(there) if there in battlemap else str(there)}

    board["walls"] = [side for side in board["walls"] if named(side) != ends]
    board["edges"] = [edge for edge in board.get("edges", ()) if named(edge["at"]) != ends]


def levelled(scenario: dict[str, Any], start: str, at: str) -> None:
    """Even and open ground under and around a body at two places."""
    board, size = scenario["map"], scenario["mover"].get("size", 1)
    floor = f"{start.partition('/')[0]}/" if "/" in start else ""
    cells = set()
    for end in (start, at):
        _, left, top = rows_at(board, end)
        cells |= {(left + x, top + y) for x in range(-1, size + 1) for y in range(-1, size + 1)}
    for col, row in cells:
        if col >= 0 and row >= 0:
            cleared(board, floor + name(col, row))
            vacated(board, floor + name(col, row))
    names = {name(col, row) for col, row in cells if col >= 0 and row >= 0}
    board["walls"] = [side for side in board["walls"] if side.rsplit(".", 1)[0] not in names]
    board["edges"] = [edge for edge in board.get("edges", ()) if edge["at"].rsplit(".", 1)[0] not in names]
