"""What was baked is shared by maps with the same segments, and by no others."""

from __future__ import annotations

import pickle
from dataclasses import replace
from fractions import Fraction

import pytest

import tactical
from tactical.errors import UnknownName
from tactical.units import Cell
from tactical.world.adapters import in_unit
from tactical.world.battlemap import Battlemap, Level
from tactical.world.edges.barriers import Barrier, DoorState, Kind
from tactical.world.grids import get_grid
from tactical.world.mover import Mover

ACROSS = Barrier(((1, 0), (1, 1)))
DOOR = Barrier(((2, 0), (2, 1)), "door", "gate", "locked")


def board(*barriers: Barrier) -> Battlemap:
    made = Battlemap.from_rows(["....."], barriers=barriers, movers=(Mover("a", "plain", {"speed": 25}, (0, 0)),))
    made.crossings(0)
    return made


def reached(battlemap: Battlemap) -> int:
    return len({Cell(0, 0), *tactical.reach(battlemap, "a").cells()})


def test_a_copy_with_other_walls_goes_by_them() -> None:
    walled = board(ACROSS)
    assert reached(walled) == 1
    assert reached(replace(walled, barriers=())) == 5
    assert reached(walled.with_(barriers=())) == 5
    assert reached(replace(board(), barriers=(ACROSS,))) == 1
    assert reached(walled.with_(barriers=(replace(ACROSS, line=((3, 0), (3, 1))),))) == 3


def test_a_copy_with_another_ground_or_grid_is_baked_for_it() -> None:
    far = Barrier(((5, 0), (5, 1)))
    small = board(far)
    assert small.crossings(0) is None or not len(small.crossings(0).i)  # type: ignore[union-attr]
    wider = small.with_(levels=(Level("ground", [[0] * 8]),))
    assert wider.crossings(0) is not small.crossings(0)
    assert Cell(5, 0) not in tactical.reach(wider, "a", turns=2).cells()
    taller = Battlemap.from_rows(["...", "..."], barriers=(ACROSS,))
    hexes = replace(taller, grid=get_grid("hex-odd-r"))
    fresh = Battlemap(taller.levels, taller.palette, get_grid("hex-odd-r"), barriers=(ACROSS,))
    taller.crossings(0)
    assert hexes.crossings(0).direction.tolist() == fresh.crossings(0).direction.tolist()  # type: ignore[union-attr]


def test_a_door_toggled_shares_what_was_baked() -> None:
    closed = board(ACROSS, DOOR)
    baked = closed.crossings(0)
    opened = closed.with_(doors={"gate": "open"})
    assert opened.barriers[1].state is DoorState.OPEN
    assert opened.crossings(0) is baked
    by_hand = tuple(replace(b, state=DoorState.CLOSED) if b.kind is Kind.DOOR else b for b in opened.barriers)
    assert replace(opened, barriers=by_hand).crossings(0) is baked
    assert closed.with_(movers=()).crossings(0) is baked
    assert replace(closed, name="another").crossings(0) is baked
    assert in_unit(closed, "m").crossings(0) is baked
    assert closed.crossings(0) is baked


def test_a_wall_that_becomes_something_else_is_baked_anew() -> None:
    walled = board(ACROSS)
    fence = replace(ACROSS, kind=Kind.FENCE, cost=Fraction(5))
    assert reached(walled.with_(barriers=(fence,))) > 1
    one_way = replace(ACROSS, one_way="left"), replace(ACROSS, one_way="right")
    assert {reached(walled.with_(barriers=(one,))) for one in one_way} == {1, 5}


def test_what_was_a_door_and_is_a_wall_in_truth_stops_all_the_same() -> None:
    painted = board(replace(DOOR, state=DoorState.OPEN, truth="wall"))
    assert reached(painted) == 5
    told = replace(painted, barriers=(painted.barriers[0].really(),))
    assert told.crossings(0) is painted.crossings(0)
    assert reached(told) == 2


def test_nobody_can_slip_in_what_was_baked_for_another_map() -> None:
    walled = board(ACROSS)
    assert reached(Battlemap(walled.levels, movers=walled.movers, _baked=walled._baked)) == 5


def test_doors_and_barriers_given_together_both_count() -> None:
    both = board().with_(barriers=[ACROSS, DOOR], doors={"gate": "open"})
    assert [barrier.state for barrier in both.barriers] == [None, DoorState.OPEN]
    assert reached(both.with_(barriers=[DOOR], doors={"gate": "open"})) == 5
    assert reached(both.with_(barriers=[DOOR])) == 2
    with pytest.raises(UnknownName, match="gate"):
        board(DOOR).with_(barriers=[ACROSS], doors={"gate": "open"})


def test_terrain_and_levels_given_together_both_count() -> None:
    wider = board().with_(levels=(Level("ground", [[0] * 8]),), terrain={(7, 0): {"difficult": True}})
    assert wider.terrain((7, 0)).difficult
    assert wider.cols == 8


def test_a_part_nobody_knows_is_refused_with_the_nearest() -> None:
    with pytest.raises(TypeError, match="a Battlemap has no 'door', did you mean 'doors'"):
        board().with_(door={"gate": "open"})
    with pytest.raises(TypeError, match="has no '_baked'"):
        board().with_(_baked=None)
    with pytest.raises(ValueError, match="state of a door"):
        board(DOOR).with_(doors={"gate": "ajar"})


def test_a_baked_map_pickles() -> None:
    walled = board(ACROSS, DOOR)
    again = pickle.loads(pickle.dumps(walled))
    assert again == walled
    assert reached(again) == reached(walled) == 1
