"""`faults` lists everything wrong with a map, and names the cell that is at fault."""

from __future__ import annotations

import pytest

from tactical.units import Cell
from tactical.world.battlemap import Battlemap, Level, Link
from tactical.world.edges.barriers import Barrier
from tactical.world.mover import Mover

ROWS = [".....", "..#..", "....."]


def told(**parts: object) -> list[tuple[str, str]]:
    return [(fault.path, fault.text) for fault in Battlemap.from_rows(ROWS, **parts).faults()]


@pytest.mark.parametrize(
    ("mover", "words"),
    [
        (Mover("ogre", at=Cell(3, 1), size=3), "'ogre' at D2 covers F2, F3, D4 and 2 more, which are off the map"),
        (Mover("ogre", at=Cell(3, 0), size=3), "'ogre' at D1 covers F1, F2, F3, which are off the map"),
        (Mover("wolf", at=Cell(-1, 0)), "'wolf' is off the map at (-1, 0) (cells run from A1 to E3)"),
        (Mover("wolf", at=Cell(2, 1)), "'wolf' stands in rock"),
        (Mover("ogre", at=Cell(1, 0), size=2), "'ogre' stands in rock at C2"),
    ],
)
def test_a_body_s_cell_at_fault_is_named(mover: Mover, words: str) -> None:
    assert told(movers=(mover,)) == [("movers[0].at", words)]


def test_everything_wrong_is_listed() -> None:
    found = told(
        barriers=(
            Barrier(((0, 0), (0, 0))),
            Barrier(((0, 0), (1, 0)), id="a", level=3),
            Barrier(((0, 1), (1, 1)), id="a"),
        ),
        links=(Link((0, 0), (9, 9)),),
        movers=(Mover("b"), Mover("b")),
    )
    assert found == [
        ("barriers[0]", "the barrier has no length"),
        ("barriers[1]", "there is no level 3"),
        ("barriers[2].id", "two barriers are called 'a'"),
        ("links[0].to", "J10 is not on the map"),
        ("movers[1].id", "two movers are called 'b'"),
    ]


def test_levels_of_two_sizes_are_a_fault() -> None:
    odd = Battlemap((Level("ground", [[0, 0]]), Level("upper", [[0]])))
    assert [fault.text for fault in odd.faults()] == ["level 'upper' is (1, 1) cells, the first is (2, 1)"]
