"""What goes into a map is checked where it is made: settled exactly, or refused with the name of what is wrong."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from tactical.units import Cell, cell_name, exact, parse_cell
from tactical.values import Fixed
from tactical.world.battlemap import Battlemap, Level, Link, Picture, Zone
from tactical.world.edges.barriers import Barrier, DoorState, Kind
from tactical.world.grids import get_grid
from tactical.world.mover import Mover
from tactical.world.terrain import PLAIN, Terrain

LINE = ((0.0, 0.0), (1.0, 0.0))
ROWS = ["...", "..."]
NAN, INF = float("nan"), float("inf")
OPEN_GROUND = Level("ground", np.zeros((2, 3), dtype=np.uint16))


def board(**more: Any) -> Battlemap:
    return Battlemap.from_rows(ROWS, **more)


def test_numbers_become_exact() -> None:
    barrier = Barrier(LINE, "low-wall", cost=2.5, bottom="10/3", top=4)
    assert (barrier.cost, barrier.bottom, barrier.top) == (Fraction(5, 2), Fraction(10, 3), Fraction(4))
    assert all(type(value) is Fraction for value in (barrier.cost, barrier.bottom, barrier.top))
    assert Link((0, 0), (1, 0), 2.5).cost == Fraction(5, 2)
    assert Terrain(factor=2, elevation=0.1).elevation == Fraction(1, 10)  # type: ignore[arg-type]
    assert board(cell=1.5).cell == Fraction(3, 2)
    assert type(Battlemap((OPEN_GROUND,), cell=5).cell) is Fraction  # type: ignore[arg-type]


def test_words_become_what_they_name() -> None:
    door = Barrier(LINE, "door", state="locked")
    assert door.kind is Kind.DOOR
    assert door.state is DoorState.LOCKED
    assert Barrier([[0, 0], [1, 0]]) == Barrier(LINE)


def test_plain_tuples_and_lists_become_cells_and_tuples() -> None:
    assert Link([1, 0], (0, 1)) == Link(Cell(1, 0), Cell(0, 1))  # type: ignore[arg-type]
    assert Zone([(0, 1), (2, 1)]).cells == {Cell(0, 1), Cell(2, 1)}
    assert Mover("a", at=(1, np.int64(1))).at == Cell(1, 1)  # type: ignore[arg-type]
    made = Battlemap([OPEN_GROUND], [PLAIN], movers=[Mover("a")], barriers=[Barrier(LINE)])  # type: ignore[arg-type]
    assert all(type(part) is tuple for part in (made.levels, made.palette, made.movers, made.barriers))


WRONG: list[tuple[Callable[[], object], str]] = [
    (lambda: Barrier(LINE, cost=NAN), "cost.*nan is not a number"),
    (lambda: Barrier(LINE, cost=INF), "cost.*inf is not a number"),
    (lambda: Barrier(LINE, cost=-1), "cost must be 0 or more, not -1"),
    (lambda: Barrier(LINE, cost=1e-50), "cost.*1e-50 is too large or too fine"),
    (lambda: Barrier(LINE, cost=10**10), "cost.*10000000000 is too large"),
    (lambda: Barrier(LINE, cost=0.1 + 0.2), "cost.*0.30000000000000004 is too fine.*'10/3'"),
    (lambda: Barrier(LINE, top="high"), "top.*'high' is not a number"),
    (lambda: Barrier(LINE, level=-1), "level must be 0 to"),
    (lambda: Barrier(LINE, "dor"), "'dor' is no kind of barrier.*did you mean 'door'"),
    (lambda: Barrier(LINE, "door", state="lokced"), "state of a door.*did you mean 'locked'"),
    (lambda: Barrier(LINE, truth="door-lokced"), "state of a door"),
    (lambda: Barrier(((0, 0), (INF, 0))), "a barrier's end must be a finite number"),
    (lambda: Barrier(((0, 0), (NAN, 0))), "a barrier's end must be a finite number"),
    (lambda: Link((0, 0), (1, 0), -1), "link's cost must be 0 or more"),
    (lambda: Link((0, 0), (1, 0), NAN), "link's cost.*nan"),
    (lambda: Mover(""), "id must not be empty"),
    (lambda: Mover("a", size=-1), "a: size must be 0 to 100, not -1"),
    (lambda: Mover("a", size=10**6), "a: size must be 0 to 100"),
    (lambda: Mover("a", reach=-1), "a: reach must be 0 to 1000"),
    (lambda: Zone([(0, 0)], {"dificult": True}), "did you mean 'difficult'"),
    (lambda: Zone([(0, 0)], {"difficult": "very"}), "difficult: expected true or false"),
    (lambda: Terrain(factor=Fraction(-1)), "factor must be 0 or more"),
    (lambda: Terrain.of({"factor": 1e-50}), "factor.*1e-50"),
    (lambda: Terrain.of({"factor": "1e-15"}), "factor.*too fine"),
    (lambda: Terrain.of({"elevation": 1e300}), "elevation.*1e\\+300"),
    (lambda: Terrain(water="depp"), "did you mean 'deep'"),
    (lambda: Terrain(number=1.5), "number: expected a whole number"),  # type: ignore[arg-type]
    (lambda: Terrain(check=(1, 2, 3)), "check: expected"),  # type: ignore[arg-type]
    (lambda: board(cell=0), "a cell must have a positive size, not 0"),
    (lambda: board(cell=-5), "a cell must have a positive size, not -5"),
    (lambda: board(cell=NAN), "a cell.*nan"),
    (lambda: board(pixels=0), "pixels must be more than 0"),
    (lambda: Battlemap(()), "at least one level"),
    (lambda: Battlemap((Level("a", [[0, 1]]),)), "no terrain number 1, the palette has 1"),
    (lambda: Level("a", [[0, 1], [0]]), "not equally long"),
    (lambda: Level("a", [[]]), "at least one cell"),
    (lambda: Level("a", [[0.5]]), "whole numbers"),
    (lambda: Level("a", [[-1]]), "numbers of terrain are 0 to 65535"),
    (lambda: Level("a", [[70000]]), "numbers of terrain are 0 to 65535"),
    (lambda: Picture(lambda: b"", 0), "pixels must be more than 0"),
    (lambda: Battlemap.from_rows([""]), "row 1 of level 'ground' has no cells"),
    (lambda: Battlemap.from_rows([]), "expected at least one"),
    (lambda: Battlemap.from_rows({}), "at least one level"),
    (lambda: Battlemap.from_cells(0, 3), "at least one cell, not 0 x 3"),
    (lambda: Battlemap.from_cells(2, 2, blocked=[(5, 5)]), "F6 is not on the map"),
    (lambda: Battlemap.from_segments([], cell_px=0, size=(2, 2)), "cell_px must be more than 0"),
    (lambda: Battlemap.from_segments([], cell_px=NAN, size=(2, 2)), "cell_px must be a finite number"),
    (lambda: Battlemap.from_segments([(0, 0, INF, 1)], cell_px=10, size=(2, 2)), "walls\\[0\\] must be a finite"),
    (lambda: Battlemap.from_segments([], doors=[{"id": "x"}], cell_px=10, size=(2, 2)), "doors\\[0\\] has no 'line'"),
    (lambda: exact(1e50), "too large"),
    (lambda: exact("1e-50"), "too fine"),
]


@pytest.mark.parametrize(("make", "words"), WRONG)
def test_a_value_out_of_place_is_refused_in_words(make: Callable[[], object], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        make()


OF_ANOTHER_KIND: list[tuple[Callable[[], Any], str]] = [
    (lambda: Barrier(3), "two points"),  # type: ignore[arg-type]
    (lambda: Barrier(((0, 0), (1, "a"))), "must be a number, not 'a'"),  # type: ignore[arg-type]
    (lambda: Barrier(LINE, stops="walk"), "several texts"),
    (lambda: Barrier(LINE, level=1.5), "whole number, not 1.5"),  # type: ignore[arg-type]
    (lambda: Link(1, (1, 0)), "link's start must be a Cell"),  # type: ignore[arg-type]
    (lambda: Mover(7), "id must be a text, not 7"),  # type: ignore[arg-type]
    (lambda: Mover("a", size=1.5), "a: size must be a whole number"),  # type: ignore[arg-type]
    (lambda: Mover("a", size=True), "a: size must be a whole number"),
    (lambda: Mover("a", at=4), "a: at must be a Cell"),  # type: ignore[arg-type]
    (lambda: Mover("a", at=Cell(1.5, 2)), "a: at must be a Cell"),  # type: ignore[arg-type]
    (lambda: Mover("a", at=(1, 2, True)), "a: at must be a Cell"),
    (lambda: Mover("a", knows="gate"), "several texts"),
    (lambda: Mover("a", stats=3), "stats must be a mapping"),  # type: ignore[arg-type]
    (lambda: Mover("a", hidden=1), "hidden must be True or False"),  # type: ignore[arg-type]
    (lambda: Zone(Cell(0, 0)), "several cells"),
    (lambda: board(movers=["raven"]), "movers\\[0\\] must be a Mover, not 'raven'"),
    (lambda: board(barriers=[LINE]), "barriers\\[0\\] must be a Barrier"),
    (lambda: board(movers=Mover("a")), "movers must be several"),
    (lambda: board(options=[("a", 1)]), "options must be a mapping"),
    (lambda: Battlemap((OPEN_GROUND,), grid="square"), "grid must be a grid"),  # type: ignore[arg-type]
    (lambda: Battlemap.from_rows("..."), "one a row, not one text '...'"),
    (lambda: Battlemap.from_rows({"ground": "..."}), "one a row, not one text"),
    (lambda: Battlemap.from_segments([(0, 0, 1)], cell_px=10, size=(2, 2)), "walls\\[0\\] is four numbers"),
    (lambda: Battlemap.from_cells(2, 2, blocked=[1]), "must be a Cell"),  # type: ignore[list-item]
]


@pytest.mark.parametrize(("make", "words"), OF_ANOTHER_KIND)
def test_a_value_of_another_kind_is_refused_in_words(make: Callable[[], object], words: str) -> None:
    with pytest.raises(TypeError, match=words):
        make()


def test_a_level_keeps_its_own_ground_and_cannot_be_written_to() -> None:
    mine = np.zeros((2, 3), dtype=np.uint16)
    level = Level("ground", mine)
    mine[0, 0] = 1
    assert level.ground[0, 0] == 0
    for one in (level, pickle.loads(pickle.dumps(level)), Level("ground", level.ground)):
        with pytest.raises(ValueError, match="read-only"):
            one.ground[0, 0] = 1
    assert Level("ground", level.ground).ground is level.ground


def test_levels_are_equal_where_their_cells_are() -> None:
    one, same, other = (Level("ground", [[0, n]]) for n in (1, 1, 2))
    assert one == same
    assert hash(one) == hash(same)
    assert one != other
    assert one != Level("cellar", [[0, 1]])


def test_what_was_handed_in_may_change_afterwards_and_the_map_does_not() -> None:
    options: dict[str, object] = {"diagonal": "none"}
    stats: dict[str, object] = {"speed": 30}
    made = board(options=options, movers=(Mover("a", stats=stats),))
    options["diagonal"], stats["speed"] = "equal", 60
    assert made.options == {"diagonal": "none"}
    assert made.mover("a").stats == {"speed": 30}
    for held in (made.options, made.mover("a").stats, made.glyphs):
        assert isinstance(held, Fixed)
        with pytest.raises(TypeError, match="cannot be changed"):
            held["x"] = 1
        for change in (held.clear, held.popitem, lambda held=held: held.update(x=1)):
            with pytest.raises(TypeError, match="cannot be changed"):
                change()
        assert pickle.loads(pickle.dumps(held)) == held
    assert pickle.loads(pickle.dumps(made)) == made


def test_plain_tuples_serve_as_cells_of_a_map() -> None:
    made = board()
    assert (2, 1) in made
    assert (3, 1) not in made
    assert (-1, 0) not in made
    assert (0, 0, 1) not in made
    assert made.terrain((2, 1)) == made.terrain(Cell(2, 1))
    with pytest.raises(ValueError, match=r"D2 is not on the map"):
        made.terrain((3, 1))
    with pytest.raises(TypeError, match="must be a Cell"):
        1 in made  # type: ignore[operator]  # noqa: B015


@pytest.mark.parametrize(
    ("cell", "levels", "name"),
    [
        (Cell(-1, 0), (), "(-1, 0)"),
        (Cell(0, -3), (), "(0, -3)"),
        (Cell(-27, 5, 1), ("ground", "upper"), "upper/(-27, 5)"),
        (Cell(2, 3, 5), ("ground", "upper"), "5/C4"),
        (Cell(2, 3), (), "C4"),
    ],
)
def test_every_cell_has_a_name_of_its_own(cell: Cell, levels: tuple[str, ...], name: str) -> None:
    assert cell_name(cell, levels) == name
    if cell.level < max(len(levels), 1):
        assert parse_cell(name, levels) == cell


# -- scale ------------------------------------------------------------------------------------------------------------


def test_a_map_of_segments_answers_in_the_caller_s_pixels() -> None:
    made = Battlemap.from_segments([(120, 40, 120, 140)], cell_px=50, origin=(20, 40), size=(4, 2))
    assert made.cell_at(20, 40) == Cell(0, 0)
    assert made.cell_at(121, 95) == Cell(2, 1)
    assert made.centre((2, 1)) == (145.0, 115.0)
    assert made.cell_at(*made.centre(Cell(3, 1))) == Cell(3, 1)
    assert made.cell_at(10, 10, pixels=10) == Cell(1, 1)
    assert made.centre((1, 1), pixels=10) == (15.0, 15.0)
    assert made.with_(movers=[Mover("a")]).cell_at(121, 95) == Cell(2, 1)


def test_off_the_map_no_cell_is_under_a_pixel() -> None:
    made = Battlemap.from_segments([], cell_px=50, origin=(20, 40), size=(4, 2))
    assert made.cell_at(19, 40) is None
    assert made.cell_at(221, 41) is None
    assert made.cell_at(21, 141) is None
    assert made.cell_at(21, 41, level=1) is None
    with pytest.raises(ValueError, match="finite"):
        made.cell_at(NAN, 0)


@pytest.mark.parametrize("name", ["square", "hex-odd-r", "hex-even-q"])
def test_a_picture_s_offset_is_where_the_grid_begins_in_it(name: str) -> None:
    ground = Level("ground", np.zeros((4, 5), dtype=np.uint16))
    made = Battlemap((ground,), grid=get_grid(name), picture=Picture(lambda: b"", 70, (35, 14)))
    for row in range(4):
        for col in range(5):
            assert made.cell_at(*made.centre((col, row))) == Cell(col, row)
    bare = Battlemap((ground,), grid=get_grid(name))
    x, y = bare.centre((0, 0))
    assert made.centre((0, 0)) == pytest.approx((35 + 70 * x, 14 + 70 * y))
