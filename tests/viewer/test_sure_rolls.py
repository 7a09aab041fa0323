"""A roll that cannot fail is told, not asked; one that can fail, or on which more hangs, is asked as ever."""

from __future__ import annotations

import pytest

pytest.importorskip("pygame")

from tactical.play.events import Rolled
from tactical.show import rolls
from tactical.units import Cell
from tactical.viewer.playing.hand import Hand
from tactical.viewer.playing.journal import journal
from tactical.viewer.playing.table import Table
from tactical.world.battlemap import Battlemap
from tactical.world.mover import Mover

LEGEND = {"%": {"terrain": "rubble", "rough": True, "level": "D", "number": 18}}


def hand(dice, **options):
    rey = Mover("rey", at=Cell(0, 0), stats={"running": dice})
    battlemap = Battlemap.from_rows(["..%%%......."] * 2, LEGEND, cell=2, unit="m", rules="d6-reup", movers=(rey,))
    out = Hand(Table(battlemap, options=options), "rey")
    out.think(60)
    return out


def test_a_sure_roll_is_told_and_the_move_goes_on():
    sure = hand("18D")
    sure.point_at(Cell(3, 0))
    assert rolls.declared(sure.reach, sure.route).demand.checks, "the way is rolled for"
    sure.click(Cell(3, 0))
    assert sure.table.pending is None
    assert sure.table.state("rey").cell == Cell(3, 0)
    assert "running: passed" in sure.message
    assert [event.passed for event in sure.done[2].of(Rolled)] == [True]
    assert any("running: passed" in line.text for line in journal(sure.table))


def test_undo_and_redo_go_past_it_in_one():
    sure = hand("18D")
    sure.click(Cell(3, 0))
    sure.undo()
    assert (sure.table.pending, sure.table.state("rey").cell) == (None, Cell(0, 0))
    sure.redo()
    assert (sure.table.pending, sure.table.state("rey").cell) == (None, Cell(3, 0))


@pytest.mark.parametrize(("dice", "options"), [("4D", {}), ("18D", {"wild_die": True})])
def test_what_can_fail_or_go_wrong_otherwise_is_asked(dice, options):
    asked = hand(dice, **options)
    asked.click(Cell(3, 0))
    assert asked.table.pending is not None
    assert asked.table.state("rey").cell == Cell(0, 0)
