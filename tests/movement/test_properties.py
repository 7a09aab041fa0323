"""What must hold on every map: budgets, walls, mirrors, secrets, windows and doors behave."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tactical import Battlemap, Cell, Mover, Reach, Refusal, Route, TurnState
from tactical import reach as reach_from
from tactical.play.turn import Turn
from tactical.search.kernel import search
from tactical.world.edges.barriers import Barrier, DoorState
from tests.movement.test_preview import EVERYTHING, carried_out
from tests.oracle.board import Pos, position
from tests.oracle.engine import Arrivals, cell, engine_arrivals, engine_unlimited, maps, question, reach
from tests.oracle.moves import Mover as OracleMover
from tests.oracle.search import unlimited
from tests.oracle.worlds import GROUND, few, name, scenarios

Scenario = dict[str, Any]

OPEN: dict[str, Any] = {"glyphs": ".......##", "edges": False, "options": ("diagonal", "corner")}


# -- more budget, more walls, smaller bodies ------------------------------------------------------------


def costs(scenario: Scenario) -> dict[Pos, Fraction]:
    """The present turn's cells and costs."""
    return {pos: spent for pos, (_, spent) in engine_arrivals(reach(scenario, 1)).items()}


@few
@given(
    scenarios(**{**EVERYTHING, "fixed": {"stand_cost": 10, "grid_rounding": "cover_full_cost"}}),
    st.sampled_from([5, 10, 25]),
)
def test_more_budget_never_shrinks_a_reach(scenario: Scenario, more: int) -> None:
    less = costs(scenario)
    faster = copy.deepcopy(scenario)
    faster["mover"]["speed"] += more
    found = costs(faster)
    for pos, cost in less.items():
        assert found[pos] == cost


@few
@given(scenarios(**{**EVERYTHING, "links": False}), st.data())
def test_a_wall_never_grows_a_reach(scenario: Scenario, data: st.DataObject) -> None:
    before = costs(scenario)
    rows = scenario["map"]["rows"]
    col, row = data.draw(st.integers(0, len(rows[0]) - 1)), data.draw(st.integers(0, len(rows) - 1))
    walled = copy.deepcopy(scenario)
    walled["map"]["walls"].append(f"{name(col, row)}.{data.draw(st.sampled_from('nesw'))}")
    for pos, cost in costs(walled).items():
        assert cost >= before[pos]


@few
@given(scenarios(**{**OPEN, "sizes": (2, 3), "most": 9, "glyphs": "...........#"}))
def test_a_smaller_body_gets_wherever_a_larger_one_gets(scenario: Scenario) -> None:
    large = costs(scenario)
    smaller = copy.deepcopy(scenario)
    smaller["mover"]["size"] -= 1
    small = costs(smaller)
    for pos, cost in large.items():
        assert small[pos] <= cost


# -- mirrors, turns, shifts ------------------------------------------------------------


def transformed(
    scenario: Scenario, place: Callable[[int, int], tuple[int, int]], size: tuple[int, int], ways: str
) -> Scenario:
    """The scenario with every cell moved by `place`; `ways` are what n, e, s, w become."""
    new = copy.deepcopy(scenario)
    board, turned = new["map"], dict(zip("nesw", ways, strict=True))
    grid = [["."] * size[0] for _ in range(size[1])]
    for row, text in enumerate(board["rows"]):
        for col, glyph in enumerate(text):
            x, y = place(col, row)
            grid[y][x] = glyph
    board["rows"] = ["".join(row) for row in grid]

    def moved(at: str) -> str:
        col, row, _ = position(at)
        return name(*place(col, row))

    def side(at: str) -> str:
        at, way = at.split(".")
        return f"{moved(at)}.{turned[way]}"

    def anchor(at: str, body: int) -> str:
        col, row, _ = position(at)
        cells = [place(col + dx, row + dy) for dx in range(body) for dy in range(body)]
        return name(min(x for x, _ in cells), min(y for _, y in cells))

    board["walls"] = [side(at) for at in board["walls"]]
    for edge in board.get("edges", ()):
        edge["at"] = side(edge["at"])
        if "pass" in edge:
            edge["pass"] = turned[edge["pass"]]
    for other in board.get("occupants", ()):
        other["at"] = anchor(other["at"], {"large": 2, "huge": 3}.get(other["class"], 1))
    for link in board.get("links", ()):
        link["from"], link["to"] = moved(link["from"]), moved(link["to"])
    new["mover"]["start"] = anchor(new["mover"]["start"], new["mover"]["size"])
    return new


@few
@given(scenarios(**{**EVERYTHING, "sizes": (1, 1, 2)}), st.sampled_from(["mirror", "turn"]))
def test_mirrored_and_turned_maps_give_mirrored_and_turned_reaches(scenario: Scenario, how: str) -> None:
    cols, rows, body = len(scenario["map"]["rows"][0]), len(scenario["map"]["rows"]), scenario["mover"]["size"]
    back: Callable[[int, int], tuple[int, int]]
    if how == "mirror":
        there = transformed(scenario, lambda c, r: (cols - 1 - c, r), (cols, rows), "nwse")
        back = lambda c, r: (cols - body - c, r)  # noqa: E731
    else:
        there = transformed(scenario, lambda c, r: (rows - 1 - r, c), (rows, cols), "eswn")
        back = lambda c, r: (rows - body - r, c)  # noqa: E731
    expected = {(*back(c, r), level): found for (c, r, level), found in engine_arrivals(reach(scenario, 2)).items()}
    assert engine_arrivals(reach(there, 2)) == expected


@few
@given(scenarios(**EVERYTHING), st.integers(0, 3), st.integers(0, 3))
def test_a_map_shifted_into_solid_rock_gives_the_same_reach(scenario: Scenario, right: int, down: int) -> None:
    cols, rows = len(scenario["map"]["rows"][0]), len(scenario["map"]["rows"])
    shifted = transformed(scenario, lambda c, r: (c + right, r + down), (cols + right + 1, rows + down + 1), "nesw")
    drawn = shifted["map"]["rows"]
    for row in range(len(drawn)):
        inside = down <= row < down + rows
        drawn[row] = "#" * right + drawn[row][right : right + cols] + "#" if inside else "#" * (cols + right + 1)
    expected = {(c + right, r + down, n): found for (c, r, n), found in engine_arrivals(reach(scenario, 2)).items()}
    assert engine_arrivals(reach(shifted, 2)) == expected


# -- there and back ------------------------------------------------------------


@few
@given(
    scenarios(
        glyphs=".......##", most=6, sizes=(1, 1, 2), options=("diagonal", "corner", "door_cost", "door_diagonal")
    ),
    st.data(),
)
def test_ways_back_cost_the_same_unless_something_is_one_way(scenario: Scenario, data: st.DataObject) -> None:
    scenario["map"]["edges"] = [edge for edge in scenario["map"]["edges"] if edge["kind"] != "one-way"]
    scenario["mover"] |= {"posture": "standing", "diagonals": 0}
    there = engine_unlimited(scenario)
    start = position(scenario["mover"]["start"])
    goal = data.draw(st.sampled_from(sorted(there)))
    returning = copy.deepcopy(scenario)
    returning["mover"]["start"] = name(goal[0], goal[1])
    assert engine_unlimited(returning)[start] == there[goal]


# -- secrets ------------------------------------------------------------


@few
@given(scenarios(**EVERYTHING))
def test_what_is_hidden_changes_nothing(scenario: Scenario) -> None:
    known = copy.deepcopy(scenario)
    board = known["map"]
    board["occupants"] = [other for other in board["occupants"] if not other["hidden"]]
    for edge in board["edges"]:
        if edge["kind"] == "door-secret" and edge["at"] not in board["walls"]:
            edge["kind"] = "wall"
    secret = reach(scenario, 2)
    plain = reach(known, 2)
    assert engine_arrivals(secret) == engine_arrivals(plain)
    assert secret.threatened() == plain.threatened()
    for pos in engine_arrivals(secret):
        one, other = secret.route(cell(pos)), plain.route(cell(pos))
        assert isinstance(one, Route)
        assert isinstance(other, Route)
        assert (one.cells, one.cost, one.provokes) == (other.cells, other.cost, other.provokes)


# -- waypoints, windows, doors ------------------------------------------------------------


@few
@given(
    scenarios(glyphs=GROUND + "cdr", edges=False, bodies=True, most=6, options=("diagonal", "corner")),
    st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=1, max_size=2),
    st.tuples(st.integers(0, 5), st.integers(0, 5)),
)
def test_ways_through_waypoints_cost_what_the_oracle_says(
    scenario: Scenario, via: list[tuple[int, int]], goal: tuple[int, int]
) -> None:
    scenario["mover"] |= {"speed": 200, "spent": 0}
    scenario["options"]["stand_cost"] = 10
    mover = OracleMover(scenario)
    places = [(*place, 0) for place in via]
    target = (*goal, 0)
    assume(all(place in mover.board.facts for place in (*places, target)))
    expected = unlimited(mover, target, places).get(target)
    assume(expected is None or expected <= 200)
    found = reach(scenario, 1).route(cell(target), via=[cell(place) for place in places])
    if expected is None:
        assert isinstance(found, Refusal)
    else:
        assert isinstance(found, Route), found.text
        assert found.cost == expected == sum(step.cost for step in found.steps)
        rest = list(found.cells)
        for place in (*places, target):
            rest = rest[rest.index(cell(place)) :]


@few
@given(scenarios(glyphs=GROUND + "cdp", edges=True, most=6, options=("diagonal", "corner", "climb_factor")), st.data())
def test_a_window_of_the_map_answers_like_the_whole_map(scenario: Scenario, data: st.DataObject) -> None:
    # the little map stands somewhere in a wide field
    right, down = data.draw(st.integers(0, 25)), data.draw(st.integers(0, 15))
    cols = len(scenario["map"]["rows"][0])
    assume(right + cols <= 26)
    wide = transformed(scenario, lambda c, r: (c + right, r + down), (40, 30), "nesw")
    found = reach(wide, 1)
    query = question(wide)
    lattice = query.lattice(query.profile.gaits[0].pool, None)
    assert lattice.site.shape[1:] == (30, 40)
    node = lattice.node(query.start)
    assert node is not None
    spent = int(query.turn.spent / lattice.tick)
    budget = int(query.profile.gaits[0].budget / lattice.tick)
    expected: dict[Cell, Fraction] = {query.start.cell: query.turn.spent}
    for at, ticks in search(lattice.compiled, [node], costs=[spent], budget=max(budget, spent)).to_dict().items():
        if lattice.stops[at]:
            place = lattice.cell(at)
            expected[place] = min(lattice.cost(ticks), expected.get(place, lattice.cost(ticks)))
    assert {place: arrival.spent for place, arrival in found.arrivals.items()} == expected


@few
@given(scenarios(glyphs=GROUND, most=6, options=("diagonal", "corner", "door_cost")), st.sampled_from(list(DoorState)))
def test_a_door_changed_on_a_map_is_the_map_built_with_it(scenario: Scenario, state: DoorState) -> None:
    board = maps.board(scenario)
    doors = [barrier.id for barrier in board.barriers if barrier.state is not None]
    mover, turn = maps.mover_of(scenario)
    reach_from(board, mover, options=scenario["options"], turn=turn)  # the old map is baked
    changed = board.with_(doors=dict.fromkeys(doors, str(state)))
    fresh = copy.deepcopy(scenario)
    for edge in fresh["map"]["edges"]:
        if edge["kind"].startswith("door-"):
            edge["kind"] = f"door-{state}"
    built = maps.board(fresh)
    assert changed == built
    one, other = (reach_from(m, mover, options=scenario["options"], turn=turn, turns=2) for m in (changed, built))
    assert engine_arrivals(one) == engine_arrivals(other)
    # and the map it came from is as it was
    assert engine_arrivals(reach_from(board, mover, options=scenario["options"], turn=turn)) == engine_arrivals(
        reach_from(maps.board(scenario), mover, options=scenario["options"], turn=turn)
    )


# -- spending bit by bit ------------------------------------------------------------


@few
@given(scenarios(**{**EVERYTHING, "edges": False, "fixed": {"grid_rounding": "cover_full_cost"}}), st.data())
def test_what_is_left_after_a_walk_is_what_the_first_reach_promised(scenario: Scenario, data: st.DataObject) -> None:
    """A split move reaches, in all, nothing that the whole turn could not, and never for less."""
    found = reach(scenario, 1)
    stops: Arrivals = engine_arrivals(found)
    middle = data.draw(st.sampled_from(sorted(stops)))
    route = found.route(cell(middle))
    assert isinstance(route, Route)
    turn = carried_out(Turn.begin(found.query), route)
    rest = Reach(found.query.changed(mover=_moved(found, turn), turn=turn.now))
    for pos, (_, spent) in engine_arrivals(rest).items():
        assert spent >= stops[pos][1]
    assert rest.cost(cell(middle)) == 0


def _moved(found: Reach, turn: Turn) -> Mover:
    return replace(found.mover, at=turn.state.cell, posture=turn.state.posture)


# -- the smallest cases ------------------------------------------------------------


def test_a_map_of_one_cell_and_a_wall_all_round() -> None:
    corners = [(0, 0), (1, 0), (1, 1), (0, 1), (0, 0)]
    walls = [Barrier((corners[n], corners[n + 1])) for n in range(4)]
    for battlemap in (Battlemap.from_rows(["."]), Battlemap.from_rows(["."], barriers=tuple(walls))):
        found = reach_from(battlemap, Mover("a", at=Cell(0, 0)), turns=3)
        assert found.cells() == frozenset()
        assert found.cost(Cell(0, 0)) == 0
        route = found.route(Cell(0, 0))
        assert isinstance(route, Route)
        assert route.cost == 0
        assert not route.steps


@pytest.mark.parametrize("spent", [30, 45])
def test_nothing_is_left_after_everything_was_spent(spent: int) -> None:
    battlemap = Battlemap.from_rows(["....."] * 5)
    found = reach_from(battlemap, Mover("a", at=Cell(2, 2)), turn=TurnState(spent=Fraction(spent)))
    assert found.cells() == frozenset()
    refused = found.route(Cell(3, 2))
    assert isinstance(refused, Refusal)


def test_same_question_same_answer() -> None:
    scenario: Mapping[str, Any] = {
        "ruleset": "plain",
        "options": {"diagonal": "alternate"},
        "map": {"rows": ["......", "..~~..", ".S.~..", "......"], "legend": {"~": {"difficult": True}}},
        "mover": {"speed": 30},
    }
    first, second = reach(scenario, 2), reach(scenario, 2)
    for pos in engine_arrivals(first):
        assert first.route(cell(pos)) == second.route(cell(pos))
