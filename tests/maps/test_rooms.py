"""The larger sample maps hang together: every room has a way in, and who is drawn in a room can leave it."""

from __future__ import annotations

import pytest

import tactical
from tactical.assets import maps
from tactical.units import Cell

CUT_OFF = {"dungeon": {"I1", "I2", "I7", "I8", "J1", "J8", "O1", "O8", "P1", "P2", "P7", "P8"}, "village": set()}
"""The corners behind the rotunda's slanting walls."""


def opened(name: str, *doors: str) -> tactical.Battlemap:
    battlemap = tactical.load(maps(name))
    every = doors or [barrier.id for barrier in battlemap.barriers if barrier.state is not None]
    return battlemap.with_(doors=dict.fromkeys(every, "open"))


@pytest.mark.parametrize(("name", "mover"), [("dungeon", "sly"), ("village", "magpie")])
def test_every_cell_has_a_way_in(name: str, mover: str) -> None:
    battlemap = opened(name)
    battlemap = battlemap.with_(movers=[battlemap.mover(mover)])
    found = tactical.reach(battlemap, mover, turns=30)
    cells = {Cell(col, row) for col in range(battlemap.cols) for row in range(battlemap.rows)}
    closed = {cell for cell in cells if (kind := battlemap.terrain(cell)).impassable or kind.gap or kind.hazard}
    assert {battlemap.name_of(cell) for cell in cells - closed - found.arrivals.keys()} == CUT_OFF[name]


def test_the_ogre_gets_out_of_the_rotunda_by_its_double_door() -> None:
    battlemap = opened("dungeon", "rotunda-west", "rotunda-east")
    route = tactical.reach(battlemap, "ogre").route(battlemap.cell_named("M9"))
    assert isinstance(route, tactical.Route)
    assert route.cost == 20
    one_leaf = battlemap.with_(doors={"rotunda-east": "locked"})
    assert not tactical.reach(one_leaf, "ogre").route(one_leaf.cell_named("M9"))


def test_the_tower_ladder_costs_two_feet_for_each_of_its_fifteen() -> None:
    battlemap = opened("village")
    below, above = battlemap.cell_named("T6"), battlemap.cell_named("T5")
    for mover in ("magpie", "hound"):
        climber = tactical.Mover("climber", stats=battlemap.mover(mover).stats, at=below)
        route = tactical.reach(battlemap, climber).route(above)
        assert isinstance(route, tactical.Route)
        assert [(step.way, step.cost) for step in route.steps] == [("link", 30)]
