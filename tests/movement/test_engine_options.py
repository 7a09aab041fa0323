"""Every option of the engine decides something under every rule system that knows it; the others refuse it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import pytest

import tactical
from tactical import Barrier, Battlemap, Cell, Mover, Route
from tactical.errors import UnknownName
from tactical.options import ENGINE
from tactical.rules.ruleset import get_ruleset
from tactical.world.edges.barriers import Kind

GROUND: Mapping[str, Mapping[str, object]] = {
    ".": {"terrain": "floor", "level": "VE", "number": 3},
    "d": {"terrain": "mud", "difficult": True, "rough": True, "level": "E", "number": 7},
    "u": {"terrain": "bank", "difficult": True, "rough": True, "elevation": 0.5},
    "c": {"terrain": "cliff", "climb": True},
    "w": {"terrain": "pool", "water": "deep"},
    "_": {"terrain": "gap", "gap": True},
    "2": {"terrain": "shelf", "elevation": 2},
    "h": {"terrain": "step", "elevation": 0.8},
    "x": {"terrain": "fire", "hazard": "fire"},
    "?": {"terrain": "fog", "unknown": True},
    "#": {"terrain": "rock", "impassable": True},
}
STATS: Mapping[str, Mapping[str, object]] = {
    "plain": {"speed": 25},
    "operator": {"speed": 25, "strength": 14},
    "d6-reup": {"move": 12, "code": "4D", "previous": "cruising"},
    "d6-revised": {"move": 12, "code": "4D", "previous": "cruising"},
    "shapers": {"pa": 3, "ps": 6, "pf": 4, "swimming": 1, "athletics": 6, "accept_damage": 50, "size_m": 1},
    "twelve-second": {"strength": 12, "dexterity": 12, "endurance": 8},
}
DOOR = Barrier(((2, 0), (2, 1)), Kind.DOOR, "door")
WALL = Barrier(((2, 0), (2, 1)), Kind.LOW_WALL, "wall")
ALLY, ENEMY, SMALL = ("ally", {}), ("enemy", {}), ("enemy", {"size_class": "tiny"})


class Board(NamedTuple):
    """An option's other value, what the map is like, and the options that go with it."""

    value: object
    rows: tuple[str, ...]
    barriers: tuple[Barrier, ...] = ()
    others: Mapping[Cell, tuple[str, Mapping[str, Any]]] = {}
    options: Mapping[str, object] = {}
    size: int = 1
    posture: str = "standing"
    cells: int = 1
    at: Cell = Cell(0, 0)
    turns: int = 2
    gait: str = ""
    stats: Mapping[str, Mapping[str, object]] = {}


ASKED: Mapping[str, Board] = {
    "diagonal": Board("none", ("...", "...")),
    "parity_reset": Board(
        "never", ("." * 9,) * 9, options={"diagonal": "alternate"}, cells=5, gait="sprint walk cruising"
    ),
    "difficult_diagonal": Board(
        "as_two", (".##", "#.#", "##."), others={Cell(1, 1): ALLY},
        options={"diagonal": "alternate", "corner": "free", "ally_cost": 3},
    ),
    "corner": Board("free", (".#", "..")),
    "corner_occupants": Board("block", ("..", ".."), others={Cell(1, 0): ENEMY}),
    "pay_on": Board("leave", (".ww.",)),
    "cost_stacking": Board(
        "max", ("...#....", "........"), others={Cell(3, 1): ALLY}, options={"ally_cost": 3, "squeeze": True}, size=2
    ),
    "body_cost": Board("anchor", ("....ww", "......"), size=2),
    "squeeze": Board(True, ("..#..", "....."), size=2),
    "ally_cost": Board(3, ("...",), others={Cell(1, 0): ALLY}),
    "enemy_size_gap": Board(9, ("...",), others={Cell(1, 0): SMALL}),
    "enemy_pass_cost": Board(5, ("...",), others={Cell(1, 0): SMALL}),
    "step_height": Board(99, (".2",)),
    "slope_max": Board("1/2", (".h.",)),
    "ledge_up": Board("climb", (".2",), options={"climb_factor": 2}),
    "ledge_down": Board("refuse", ("2.",), options={"climb_factor": 2}, stats={"twelve-second": {"mv": 30}}),
    "climb_factor": Board(5, (".2",), options={"ledge_up": "climb"}),
    "swim_factor": Board(5, (".ww.",)),
    "deep_water_stop": Board(False, (".w.",)),
    "door_policy": Board("block", ("....",), (DOOR,)),
    "door_cost": Board("1/4", ("....",), (DOOR,)),
    "door_limit": Board(0, ("....",), (DOOR,)),
    "door_diagonal": Board("price", ("....", ".#.."), (DOOR,), options={"corner": "one_open", "diagonal": "equal"}),
    "low_wall_cost": Board("1/4", ("....",), (WALL,)),
    "dash_pool": Board("separate", (".uuuuuu....",), options={"slope_max": 9}),
    "stand_cost": Board(1, ("....",), posture="prone"),
    "crouch_stand_cost": Board(1, ("....",), posture="crouched"),
    "reach_walls": Board(
        "ignore", ("....", "...."), (Barrier(((0, 1), (4, 1)), Kind.WALL, "w"),), {Cell(1, 1): ENEMY},
        options={"strikes": "leaving"},
    ),
    "strikes": Board("none", ("....", "...."), others={Cell(0, 1): ENEMY}),
    "hazard_policy": Board("ignore", (".x.",)),
    "unknown_cells": Board("plain", (".?.",)),
    "jump_chance": Board(0, (".............______..",)),
    "ring": Board("walk", ("......",), gait="high"),
    "grid_rounding": Board("enter_if_any_left", (".d.ddd.",), cells=7, turns=1),
    "passing": Board({"enemy": 2}, ("...",), others={Cell(1, 0): ENEMY}),
    "sharing": Board({"ally": 1}, ("." * 9,), others={Cell(6, 0): ALLY}),
    "house_pace": Board({"climb": 4}, (".cc.",), stats={"operator": {"vehicle_multiple": 2}}),
}  # fmt: skip


def answer(rules: str, board: Board, options: Mapping[str, object]) -> object:
    """All that a reach shows: cells with their ways, or what is said of those out of it."""
    system = get_ruleset(rules)
    posture = board.posture if board.posture in system.postures else "standing"
    stats = board.stats.get(rules, STATS[rules])
    movers = [Mover("m", rules, stats, board.at, "us", size=board.size, posture=posture)]
    for cell, (side, body) in board.others.items():
        movers.append(Mover("other", rules, stats, cell, "us" if side == "ally" else "them", **body))
    battlemap = Battlemap.from_rows(
        list(board.rows),
        ground(float(system.cell)),
        cell=system.cell * board.cells,
        unit=system.unit,
        grid="square",
        rules=rules,
    ).with_(movers=tuple(movers), barriers=board.barriers)
    open_gaits = [one.name for one in tactical.reach(battlemap, "m").gaits]
    gait = next((name for name in board.gait.split() if name in open_gaits), "")
    found = tactical.reach(
        battlemap, "m", options={**known(rules, board.options), **options}, turns=board.turns, gait=gait
    )
    told: list[object] = []
    for row in range(battlemap.rows):
        for col in range(battlemap.cols):
            route = found.route(Cell(col, row))
            if isinstance(route, Route):
                ways = tuple(step.way for step in route.steps)
                told.append((route.cost, route.remaining, route.band, route.provokes, route.checks, ways, route.stops))
            else:
                told.append(route.text)
    return told


def ground(cell: float) -> Mapping[str, Mapping[str, object]]:
    """The grounds, their heights in cells."""
    return {
        sign: {name: value * cell if name == "elevation" else value for name, value in facts.items()}  # type: ignore[operator]
        for sign, facts in GROUND.items()
    }


def known(rules: str, options: Mapping[str, object]) -> Mapping[str, object]:
    """The options that a rule system has."""
    own = get_ruleset(rules).options_with()
    return {name: value for name, value in options.items() if name in own}


def test_every_option_has_a_board() -> None:
    assert ASKED.keys() == {option.name for option in ENGINE}


@pytest.mark.parametrize("rules", STATS)
@pytest.mark.parametrize("name", ASKED)
def test_it_decides_something_or_is_not_known(rules: str, name: str) -> None:
    board, system = ASKED[name], get_ruleset(rules)
    if name in system.inert:
        assert name not in system.options_with()
        with pytest.raises(UnknownName):
            system.options_with({name: board.value})
        return
    default = system.options_with()[name]
    value = (
        board.value
        if default != board.value
        else next(one for one in system.options_with().spec(name).values if one != default)
    )
    assert answer(rules, board, {}) != answer(rules, board, {name: value})
