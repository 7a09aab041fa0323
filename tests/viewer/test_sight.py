"""What is seen: up to walls, closed doors and solid ground, and the first of that itself."""

from __future__ import annotations

import pytest

pytest.importorskip("pygame")

from tactical.units import Cell
from tactical.viewer.sight import FAR, seen_by, seen_from
from tactical.world.battlemap import Battlemap
from tactical.world.edges.barriers import Barrier, DoorState, Kind
from tactical.world.mover import Mover


def test_the_first_solid_cell_is_seen_and_nothing_behind_it():
    battlemap = Battlemap.from_rows([".....", "..#..", "....."])
    seen = seen_from(battlemap, Cell(0, 1))
    assert Cell(2, 1) in seen
    assert not {Cell(3, 1), Cell(4, 1)} & seen
    assert {Cell(3, 0), Cell(3, 2), Cell(2, 0)} <= seen


def test_of_a_block_of_rock_nothing_is_seen_behind_its_face():
    battlemap = Battlemap.from_rows([".######"] * 7)
    seen = seen_from(battlemap, Cell(0, 3))
    assert {Cell(1, 2), Cell(1, 3), Cell(1, 4)} <= seen
    assert {cell.col for cell in seen} == {0, 1}


@pytest.mark.parametrize("state", DoorState)
def test_a_door_stops_the_eye_unless_it_is_open(state):
    walls = [Barrier(((2, row), (2, row + 1)), Kind.WALL) for row in (0, 2)]
    door = Barrier(((2, 1), (2, 2)), Kind.DOOR, state=state, id="door")
    battlemap = Battlemap.from_cells(4, 3).with_(barriers=(*walls, door))
    assert (Cell(3, 1) in seen_from(battlemap, Cell(0, 1))) == (state is DoorState.OPEN)


def test_one_sees_as_far_as_is_said_and_on_the_own_floor_only():
    battlemap = Battlemap.from_cells(FAR + 5, 1)
    assert len(seen_from(battlemap, Cell(0, 0))) == FAR + 1
    assert {cell.level for cell in seen_from(battlemap, Cell(3, 0))} == {0}


@pytest.mark.parametrize("grid", ["square", "hex-odd-r"])
def test_friends_see_together(grid):
    movers = Mover("a", at=Cell(0, 0)), Mover("b", at=Cell(6, 0)), Mover("nowhere")
    battlemap = Battlemap.from_rows(["...#..."], grid=grid, movers=movers)
    assert seen_by(battlemap, ["a", "b", "nowhere"]) == frozenset(Cell(col, 0) for col in range(7))
    assert Cell(6, 0) not in seen_by(battlemap, ["a"])
