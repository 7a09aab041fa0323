"""Speeds with a least length, gaits of several pools, jumps with a chance, ledges, and maps in other units."""

from __future__ import annotations

from fractions import Fraction

import pytest

import tactical
from tactical.errors import Refusal, UnknownName
from tactical.movement.declare import Declared, declare, declare_route
from tactical.movement.query import Query, ask
from tactical.movement.rolls import odds
from tactical.movement.rolls.frontier import by_number, frontier
from tactical.play import resolve
from tactical.rules.turnstate import TurnState
from tactical.search.slices import whole
from tactical.units import Cell
from tactical.world.adapters import in_unit
from tactical.world.battlemap import Battlemap
from tactical.world.mover import Mover

ORIGIN = Cell(0, 0)


def board(
    rows: list[str], legend: dict[str, dict[str, object]] | None = None, cell: object = 1, unit: str = "m"
) -> Battlemap:
    return Battlemap.from_rows(rows, legend or {}, cell=Fraction(str(cell)), unit=unit, grid="square")


def at(rules: str, stats: dict[str, object], cell: Cell = ORIGIN, **more: object) -> Mover:
    return Mover("m", rules=rules, stats=stats, at=cell, **more)  # type: ignore[arg-type]


def question(rows: list[str], rules: str, stats: dict[str, object], **options: object) -> Query:
    return ask(board(rows), at(rules, stats), options={"diagonal": "none", **options})


# --- rings -----------------------------------------------------------------------------------------------------------


def test_a_reach_may_walk_about_for_near_cells() -> None:
    battlemap = board(["....", "...."])
    mover = at("d6-reup", {"move": 4, "previous": "all_out"})
    near = tactical.reach(battlemap, mover, options={"diagonal": "none"})
    assert Cell(1, 0) not in near
    about = tactical.reach(battlemap, mover, options={"diagonal": "none", "ring": "walk"})
    assert Cell(1, 0) in about
    route = about.route(Cell(1, 0))
    assert isinstance(route, tactical.Route)
    assert (route.cost, route.band, route.end.cell) == (3, "cruising", Cell(1, 0))
    assert len(route.cells) == 4
    assert isinstance(declare_route(about.query, route), Declared)


def test_the_ring_is_what_reach_shows() -> None:
    query = question(["." * 12], "d6-reup", {"move": 6, "previous": "cruising"})
    found = tactical.reach(query.battlemap, query.mover, options={"diagonal": "none"}, gait="high")
    assert found.cells() == {Cell(col, 0) for col in range(6, 12)}
    assert found.passing() == {Cell(col, 0) for col in range(1, 6)}


def test_later_turns_keep_to_a_least_length_too() -> None:
    found = tactical.reach(board(["." * 30]), at("d6-reup", {"move": 4, "previous": "all_out"}), turns=2)
    # the first round is 2 m at least, the second 1 m at least
    assert found.turn(Cell(1, 0)) is None or found.turn(Cell(1, 0)) == 2
    assert found.turn(Cell(2, 0)) == 1


def test_rounds_and_their_gaits() -> None:
    found = tactical.reach(board(["." * 40]), at("d6-reup", {"move": 10}), turns=2)
    route = found.route(Cell(39, 0))
    assert isinstance(route, tactical.Route)
    assert [one.gait for one in route.rounds] == ["cruising", "all_out"]
    assert max(cell for cell in found.cells() if found.turn(cell) == 1) == Cell(10, 0)
    shut = tactical.reach(board(["..#."], {"#": {"impassable": True}}), at("d6-reup", {"move": 10}), turns=5)
    assert isinstance(shut.route(Cell(3, 0)), Refusal)


# --- declared moves --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("gait", "cells", "code"),
    [
        ("cruising", "A1 B1", "move.min_distance"),
        ("cautious", "A1 B1 C1 D1 E1 F1", "move.max_distance"),
        ("all_out", "A1 B1", "move.speed_change"),
        ("cruising", "A1 C1", "move.not_adjacent"),
    ],
)
def test_what_may_not_be_declared(gait: str, cells: str, code: str) -> None:
    query = question(["......"], "d6-reup", {"move": 4})
    found = declare(query, gait, [query.battlemap.cell_named(name) for name in cells.split()])
    assert isinstance(found, Refusal)
    assert found.code == code
    assert "{" not in found.text


def test_gaits_and_risks_that_do_not_exist() -> None:
    query = question(["......"], "d6-reup", {"move": 4})
    with pytest.raises(UnknownName, match="did you mean 'cruising'"):
        declare(query, "cruisin", [Cell(1, 0)])
    with pytest.raises(UnknownName):
        whole(frontier(query, "move", Cell(1, 0), "number"))
    assert isinstance(by_number(query, "all_out", Cell(1, 0)), Refusal)


def test_who_lies_gets_up_first() -> None:
    battlemap = board(["....."])
    query = ask(battlemap, at("d6-reup", {"move": 4}, posture="prone"), options={"diagonal": "none"})
    move = declare(query, "cruising", [Cell(col, 0) for col in range(5)])
    assert isinstance(move, Declared)
    assert [step.way for step in move.steps] == ["stand", "walk", "walk", "walk", "walk"]


def test_a_failure_carries_over_to_the_next_round() -> None:
    rows = ["S......."]
    battlemap = board(rows, {".": {"level": "D", "number": 18}, "S": {}})
    query = ask(battlemap, at("d6-reup", {"move": 4, "code": "3D"}), options={"diagonal": "none"})
    move = declare(query, "cruising", [Cell(col, 0) for col in range(5)])
    assert isinstance(move, Declared)
    done = resolve.resolve(move, [6])
    assert isinstance(done, resolve.Resolved)
    assert (done.end, done.outcome.result) == (tactical.State(Cell(1, 0), "prone"), "minor_tumble")
    assert done.open_gaits == ("stop",)
    later = ask(battlemap, at("d6-reup", {"move": 4}, Cell(1, 0), posture="prone"), turn=done.then)
    assert later.open_gaits == ()


# --- shares of a turn ------------------------------------------------------------------------------------------------


def test_several_pools_give_each_cell_its_gentlest_gait() -> None:
    found = tactical.reach(board(["." * 40]), at("twelve-second", {"mv": 30}))
    assert (found.band(Cell(20, 0)).name, found.band(Cell(21, 0)).name) == ("walk", "run")  # type: ignore[union-attr]
    assert found.unit == "turn"
    assert [gait.metres for gait in found.gaits] == [20, 60, 32, 8, 8]
    # each ledger line is paid from the gait of its own pool
    assert {line.band for line in found.route(Cell(30, 0)).ledger()} == {"run"}  # type: ignore[union-attr]


def test_the_exhausted_are_stranded_in_deep_water() -> None:
    battlemap = board(["W..", "WW."], {"W": {"water": "deep"}})
    found = tactical.reach(battlemap, at("twelve-second", {"mv": 30, "exhausted": True}))
    assert not found.cells()
    assert "stranded" in found.why_not(Cell(1, 0)).text  # type: ignore[union-attr]
    flounder = tactical.reach(battlemap, at("shapers", {"pa": 4, "ps": 4}))
    assert not flounder.cells()
    assert "flounders" in flounder.why_not(Cell(1, 0)).text  # type: ignore[union-attr]


def test_a_test_of_effort_is_on_the_route() -> None:
    tired = TurnState(memory={"effort": {"rounds": {"sprint": 3}}})
    found = tactical.reach(board(["." * 20]), at("shapers", {"pa": 4, "pf": 3, "endurance": 2}), turn=tired)
    far = found.route(Cell(15, 0))
    assert isinstance(far, tactical.Route)
    assert [(check.kind, check.number) for check in far.checks] == [("effort", 55)]
    assert found.odds(Cell(15, 0)) == Fraction(55, 100)
    assert found.odds(Cell(2, 0)) == 1
    move = declare_route(found.query, far)
    assert isinstance(move, Declared)
    lost = resolve.resolve(move, [56])
    assert isinstance(lost, resolve.Resolved)
    assert (lost.outcome.result, lost.end.cell) == ("gait_lost", Cell(0, 0))  # type: ignore[union-attr]
    assert "sprint" not in lost.open_gaits


def test_the_tests_of_later_turns_are_on_the_route() -> None:
    found = tactical.reach(board(["." * 60]), at("shapers", {"pa": 4, "pf": 1}), turns=3, gait="sprint")
    route = found.route(Cell(40, 0))
    assert isinstance(route, tactical.Route)
    assert [[check.number for check in turn.checks] for turn in route.turns] == [[], [51], [41]]
    assert route.checks == ()


def test_links_and_doors_are_paid_as_shares() -> None:
    battlemap = board(["...#..."]).with_(links=(tactical.Link(Cell(2, 0), Cell(4, 0), Fraction(5)),))
    found = tactical.reach(battlemap, at("twelve-second", {"mv": 30}), gait="walk")
    assert found.cost(Cell(4, 0)) == Fraction(2, 20) + Fraction(5, 20)


def test_a_failed_jump_takes_turns_to_recover() -> None:
    battlemap = board(["S..OO."], {"O": {"gap": True}, "S": {}})
    mover = at("twelve-second", {"str": 8, "dex": 6, "end": 4})
    found = tactical.reach(battlemap, mover, gait="walk", options={"jump_chance": 0})
    route = found.route(Cell(5, 0))
    assert isinstance(route, tactical.Route)
    assert [(check.kind, check.number, check.dice) for check in route.checks] == [("jump", 4, "d20")]
    assert Cell(5, 0) not in tactical.reach(battlemap, mover, gait="walk")
    move = declare_route(found.query, route)
    assert isinstance(move, Declared)
    assert odds.chance(move) == Fraction(1, 5)
    landings = odds.landings(move)
    assert not isinstance(landings, Refusal)
    assert (landings.cells, landings.open) == ({Cell(5, 0): Fraction(1, 5)}, Fraction(4, 5))
    fell = resolve.resolve(move, [5, 6])
    assert isinstance(fell, resolve.Resolved)
    assert fell.end is None
    assert (fell.outcome.leap.recovery, fell.outcome.leap.no_action, fell.outcome.leap.stunned) == (5, 3, 2)
    assert fell.open_gaits == ("stop",)
    over = resolve.resolve(move, [4, 6])
    assert isinstance(over, resolve.Resolved)
    assert over.end == tactical.State(Cell(5, 0))


def test_the_house_may_let_them_climb() -> None:
    battlemap = board([".H."], {"H": {"elevation": 2}})
    mover = at("twelve-second", {"mv": 30})
    assert Cell(1, 0) not in tactical.reach(battlemap, mover)
    found = tactical.reach(battlemap, mover, options={"house_pace": {"climb": 3}}, gait="walk")
    # 2 m climbed at three walked metres each, then the step up the hill at four
    assert found.cost(Cell(1, 0)) == Fraction(2 * 3 + 4, 20)
    run = tactical.reach(battlemap, mover, options={"house_pace": {"climb": 3}}, gait="run")
    assert run.cost(Cell(1, 0)) == Fraction(2 * 3 + 4, 60)
    route = found.route(Cell(1, 0))
    assert isinstance(route, tactical.Route)
    assert all(line.text.endswith("(house rule)") for line in route.ledger())


# --- units -----------------------------------------------------------------------------------------------------------


def test_a_map_in_feet_serves_rules_in_metres() -> None:
    ladder = tactical.Link(Cell(0, 0), Cell(3, 0), Fraction(20))
    feet = board(["...H"], {"H": {"elevation": 10}}, 5, "ft").with_(links=(ladder,))
    metres = in_unit(feet, "m")
    assert (metres.cell, metres.unit) == (Fraction(3, 2), "m")
    assert metres.terrain(Cell(3, 0)).elevation == 3
    assert metres.links[0].cost == 6
    assert in_unit(metres, "ft") == feet
    assert in_unit(feet, "ft") is feet
    odd = feet.with_(unit="paces")
    assert in_unit(odd, "m") is odd
    found = tactical.reach(feet, at("d6-reup", {"move": 4}))
    assert found.cost(Cell(2, 0)) == 3


@pytest.mark.parametrize(("name", "mover"), [("starport", "rhen"), ("vehicle-yard", "crane"), ("cliff-town", "vess")])
def test_only_what_can_be_gone_to_has_a_chance(name: str, mover: str) -> None:
    place = tactical.load(name)
    for gait in (None, *(each.name for each in tactical.reach(place, mover).gaits if each.budget)):
        found = tactical.reach(place, mover, gait=gait)
        assert set(found.chances) <= set(found.costs)
        assert not [cell for cell in found.chances if not found.route(cell)]
