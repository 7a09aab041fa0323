"""MovingAI maps and problem lists."""

from __future__ import annotations

from fractions import Fraction

import pytest

from tactical.errors import MapError
from tactical.formats import dump, dump_with_report, load, load_with_report
from tactical.formats.movingai import Problem, scenarios
from tactical.units import Cell
from tactical.world.battlemap import Battlemap

ARENA = """\
type octile
height 4
width 6
map
@@@@@@
@..T.O
@GS.W@
@@@@@@
"""


def read(text: str) -> Battlemap:
    return load(text.encode(), name="arena.map")


def faults(text: str) -> list[tuple[int, str]]:
    with pytest.raises(MapError) as caught:
        read(text)
    return [(fault.line, fault.text) for fault in caught.value.faults]


def test_a_map() -> None:
    found, report = load_with_report(ARENA.encode(), name="arena.map")
    assert (found.cols, found.rows, found.cell, found.name) == (6, 4, 1, "arena")
    assert dict(found.options) == {"diagonal": "euclid", "corner": "both_open"}
    open_cells = [(c, r) for r in range(4) for c in range(6) if not found.terrain(Cell(c, r)).impassable]
    assert open_cells == [(1, 1), (2, 1), (4, 1), (1, 2), (2, 2), (3, 2)]
    assert [str(line) for line in report.lines] == [
        "read: 6 x 4 cells",
        "read: a cell is taken as one unit",
        "ambiguous: 1 cell of water read as impassable",
        "ambiguous: 1 cell of swamp read as open ground",
    ]


def test_writing_is_exact() -> None:
    assert dump(read(ARENA), "movingai") == ARENA
    assert not dump_with_report(read(ARENA), "movingai")[1].lines


def test_writing_other_maps() -> None:
    drawn = Battlemap.from_rows([".#~o"], {"~": {"water": "deep"}, "o": {"gap": True}})
    written, report = dump_with_report(drawn, "movingai")
    assert str(written).splitlines()[-1] == ".@W@"
    assert [line.text for line in report.of("dropped")] == [
        "3 kinds of terrain written as open, swamp, water or out of bounds",
        "rules and options: such a map is read with diagonal: euclid, corner: both_open",
        "the size of a cell (5 ft)",
    ]


def test_b40_windows_line_ends_and_spaces() -> None:
    assert read(ARENA.replace("\n", "\r\n")) == read(ARENA)
    assert read(ARENA + "\n\n") == read(ARENA)
    assert read(ARENA.replace("height 4", "height\t4 ")) == read(ARENA)


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("@..T.O\n", "", [(2, "there are 3 rows, the header says 4")]),
        ("@..T.O", "@..T.", [(6, "row 2 has 5 cells, the header says 6")]),
        ("@..T.O", "@..T.OO", [(6, "row 2 has 7 cells, the header says 6")]),
        ("@..T.O", "@..x.O", [(6, "unknown glyph 'x' in row 2, column 4")]),
        ("height 4", "height x", [(2, "height is not a whole number above 0")]),
        ("height 4\n", "", [(2, "expected a line 'height', found 'width 6'"),
                            (3, "expected a line 'width', found 'map'"),
                            (4, "expected a line 'map', found '@@@@@@'")]),
        ("octile", "octile-corner", [(1, "type 'octile-corner' is not read, only octile")]),
    ],
)  # fmt: skip
def test_b41_wrong_maps(old: str, new: str, expected: list[tuple[int, str]]) -> None:
    assert faults(ARENA.replace(old, new, 1)) == expected


def test_b41_height_and_width_swapped() -> None:
    text = ARENA.replace("height 4", "height 6").replace("width 6", "width 4")
    assert faults(text) == [(2, "there are 4 rows, the header says 6 (height and width swapped?)")]


def test_b41_all_wrong_rows_at_once() -> None:
    text = ARENA.replace("@..T.O", "@..T").replace("@GS.W@", "@GS.W?")
    assert [line for line, _ in faults(text)] == [6, 7]


SCEN = """\
version 1
0 arena.map 6 4 1 1 2 2 1.41421356
0 arena.map 6 4 1 1 2 1 1
3 arena.map 6 4 1 2 3 2 2
""".replace(" ", "\t").replace("version\t", "version ")


def test_problems() -> None:
    found = scenarios(SCEN.encode(), read(ARENA))
    assert len(found) == 3
    assert found[0] == Problem(1, 0, "arena.map", (6, 4), (1, 1), (2, 2), Fraction("1.41421356"))
    assert found[2].length == 2


@pytest.mark.parametrize(
    "text",
    [
        SCEN.replace("\t", " "),
        SCEN.replace("\n", "\r\n"),
        SCEN.replace("version 1", "version 1.0"),
        SCEN.replace("version 1\n", ""),
        SCEN.replace("arena.map", "maps/dao/other.map"),
        "\n".join(reversed(SCEN.splitlines())),
    ],
)
def test_b40_spellings_of_a_problem_list(text: str) -> None:
    found = scenarios(text.encode(), read(ARENA))
    assert {(p.start, p.goal, p.length) for p in found} == {
        (p.start, p.goal, p.length) for p in scenarios(SCEN.encode())
    }


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("0 arena.map 6 4 1 1 9 1 1", "problem 1: the goal (9, 1) is off the map"),
        ("0 arena.map 6 4 0 0 1 1 1", "problem 1: the start (0, 0) is blocked"),
        ("0 arena.map 4 6 1 1 2 1 1", "problem 1: is for a map of 4 x 6 cells (swapped?), this one has 6 x 4"),
        ("0 arena.map 6 4 1 1 2", "problem 1: expected bucket, map, width, height, start x y, goal x y, length"),
        ("0 arena.map 6 4 1 1 2 1 far", "problem 1: expected bucket, map, width, height, start x y, goal x y, length"),
    ],
)
def test_b41_wrong_problems(line: str, words: str) -> None:
    with pytest.raises(MapError) as caught:
        scenarios(f"version 1\n{line}\n".encode(), read(ARENA), source="arena.scen")
    assert [fault.text for fault in caught.value.faults] == [words]
    assert caught.value.faults[0].line == 2


def test_b41_all_wrong_problems_at_once() -> None:
    text = "version 1\n0 a 6 4 0 0 9 9 1\n0 a 6 4 1 1 2 1 1\n0 a 6 4 1 1 2 x 1\n"
    with pytest.raises(MapError) as caught:
        scenarios(text.encode(), read(ARENA))
    assert [fault.line for fault in caught.value.faults] == [2, 2, 4]
