"""Which steps a barrier cuts: probes worked by hand, and random segments against exact arithmetic."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tactical import Barrier, Battlemap, Cell, MovementGraph, Mover, State, reach
from tactical.world.edges.barriers import DoorState, Kind, snapped
from tactical.world.grids import get_grid, grid_names, neighbours
from tests.oracle.worlds import few

Line = tuple[tuple[float, float], tuple[float, float]]

COLS, ROWS = 6, 5


def field(*barriers: Barrier, cols: int = COLS, rows: int = ROWS, grid: str = "square") -> Battlemap:
    return Battlemap.from_rows(["." * cols] * rows, barriers=barriers, grid=grid)


def price(battlemap: Battlemap, start: tuple[int, int], end: tuple[int, int], **options: object) -> Fraction | None:
    """What one step costs beyond the ground, or None where it is no step."""
    graph = MovementGraph(battlemap, Mover("a", at=Cell(*start)), options={"diagonal": "equal", **options})
    here, there = State(Cell(*start)), State(Cell(*end))
    return graph.edges[here, there]["cost"] - 5 if graph.has_edge(here, there) else None


def cuts(line: Line, start: tuple[int, int], end: tuple[int, int], kind: str = "wall", **more: Any) -> bool:
    """Whether one barrier alone forbids a step."""
    return price(field(Barrier(line, Kind(kind), **more)), start, end) is None


# -- straight steps -----------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "cut"),
    [
        (((2, 1), (2, 2)), True),  # the side itself
        (((2, 1), (2, 1.5)), True),  # its upper half: touches the middle probe
        (((2, 1.375), (2, 1.625)), True),  # a short piece of its middle
        (((2, 1), (2, 1.375)), False),  # one outer probe alone
        (((2, 1.625), (2, 2)), False),  # the other
        (((2, 1), (2, 1.25)), False),  # a stump that no probe meets
        (((1.75, 1), (1.75, 2)), True),  # aside of the side, within the step
        (((1.25, 1), (1.25, 2)), False),  # behind the start
        (((1.5, 1), (1.5, 2)), True),  # through the middle of the cell left
        (((2.5, 1), (2.5, 2)), True),  # through the middle of the cell entered
        (((1.5, 1.5), (2.5, 1.5)), False),  # along the middle probe
        (((0, 1.5), (6, 1.5)), False),  # a long wall through the middles of a row, walked along
        (((1.6, 1.1), (2.4, 1.9)), True),  # slanted across
        (((2, 1.5), (3, 0.5)), True),  # from the side's middle outwards
        (((1, 1), (2, 1)), False),  # the cell's other side
    ],
)
def test_the_three_probes_of_a_straight_step(line: Line, cut: bool) -> None:
    assert cuts(line, (1, 1), (2, 1)) is cut
    assert cuts(line, (2, 1), (1, 1)) is cut


def test_two_outer_probes_cut_where_one_does_not() -> None:
    # a wall with a crack of a quarter cell at the middle: nobody gets through
    upper, lower = ((2.0, 1.0), (2.0, 1.375)), ((2.0, 1.625), (2.0, 2.0))
    both = field(Barrier(upper), Barrier(lower))
    assert price(both, (1, 1), (2, 1)) is None
    assert price(field(Barrier(upper)), (1, 1), (2, 1)) == 0
    # walls of one step add up, whatever their kind
    assert price(field(Barrier(upper), Barrier(lower, Kind.WINDOW)), (1, 1), (2, 1)) is None


def test_a_wall_through_middles_is_walked_along_and_not_across() -> None:
    along = field(Barrier(((0.0, 1.5), (6.0, 1.5))))
    assert price(along, (1, 1), (2, 1)) == 0
    assert price(along, (1, 1), (1, 0)) is None
    assert price(along, (1, 1), (1, 2)) is None
    assert price(along, (1, 0), (1, 1)) is None


@pytest.mark.parametrize("state", list(DoorState))
def test_if_a_probe_meets_a_door_the_door_alone_decides(state: DoorState) -> None:
    # a wall drawn on through the doorway, the door shorter than the side
    wall = Barrier(((2.0, 0.0), (2.0, 4.0)))
    door = Barrier(((2.0, 1.125), (2.0, 1.375)), Kind.DOOR, "d", state)
    battlemap = field(wall, door)
    found = price(battlemap, (1, 1), (2, 1), door_cost=5)
    assert found == {"open": 0, "closed": 5, "locked": None, "secret": None}[str(state)]
    assert price(battlemap, (1, 1), (2, 1), door_policy="block") == (0 if state is DoorState.OPEN else None)
    # beside the door the wall is a wall
    assert price(battlemap, (1, 2), (2, 2)) is None


def test_a_secret_door_is_a_door_to_whoever_knows_it() -> None:
    battlemap = field(Barrier(((2.0, 0.0), (2.0, 1.0)), Kind.DOOR, "nook", DoorState.SECRET), cols=3, rows=1)
    stranger, thief = Mover("a", at=Cell(0, 0)), Mover("b", at=Cell(0, 0), knows=frozenset({"nook"}))
    assert reach(battlemap, stranger).cells() == {Cell(1, 0)}
    assert reach(battlemap, thief).cells() == {Cell(1, 0), Cell(2, 0)}
    assert reach(battlemap, stranger, truth=True).cells() == {Cell(1, 0), Cell(2, 0)}


def test_a_locked_door_with_a_price_and_a_fence_are_paid_straight_on() -> None:
    line = ((2.0, 1.0), (2.0, 2.0))
    lock = field(Barrier(line, Kind.DOOR, "d", DoorState.LOCKED, cost=Fraction(10)))
    assert price(lock, (1, 1), (2, 1)) == 10
    fence = field(Barrier(line, Kind.FENCE, cost=Fraction(5)))
    assert price(fence, (1, 1), (2, 1)) == 5
    assert price(field(Barrier(line, Kind.FENCE)), (1, 1), (2, 1)) is None
    # never over it on the slant
    assert price(fence, (1, 1), (2, 2)) is None
    assert price(field(Barrier(line, Kind.INVISIBLE)), (1, 1), (2, 1)) is None


# -- diagonal steps -----------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "cut"),
    [
        (((2, 1), (2, 2)), False),  # a side of the cell left, ending at the corner
        (((2, 2), (2, 3)), False),  # a side of the cell entered, starting at the corner
        (((1, 2), (2, 2)), False),
        (((2, 2), (2.5, 2)), False),
        (((2, 1), (2, 3)), True),  # straight on over the corner
        (((1, 2), (3, 2)), True),
        (((1.75, 2.25), (2.25, 1.75)), True),  # across the corner, meeting neither way round
        (((1.5, 2.5), (2.5, 1.5)), True),
        (((1.5, 1.5), (2.5, 2.5)), True),  # along the step: the line is uncut, but both ways round run into its ends
        (((1.95, 2.05), (2.05, 1.95)), False),  # shorter than the probes lie apart: a thin post
        (((1.75, 1.75), (2.25, 2.25)), False),
        (((1, 1), (2, 1)), False),  # elsewhere
    ],
)
def test_the_two_probes_of_a_diagonal_step(line: Line, cut: bool) -> None:
    """With one_open a diagonal needs one way round; where the line is not cut, at least one is open in all these."""
    battlemap = field(Barrier(line))
    assert (price(battlemap, (1, 1), (2, 2), corner="one_open") is None) is cut
    assert (price(battlemap, (2, 2), (1, 1), corner="one_open") is None) is cut


@pytest.mark.parametrize(
    ("rows", "walls", "steps"),
    [
        (["S#", ".."], [], {"both_open": False, "one_open": True, "free": True}),  # one pillar
        (["S#", "#."], [], {"both_open": False, "one_open": False, "free": True}),  # two pillars
        (["S.", ".."], [((1, 0), (1, 1))], {"both_open": False, "one_open": True, "free": True}),  # a wall's end
        (["S.", ".."], [((1, 0), (1, 1)), ((0, 1), (1, 1))], {"both_open": False, "one_open": False, "free": False}),
        (["S.", ".."], [((1, 0), (1, 1)), ((1, 1), (2, 1))], {"both_open": False, "one_open": True, "free": True}),
        (["S.", ".."], [((1, 0), (1, 2))], {"both_open": False, "one_open": False, "free": False}),  # a wall between
        (["S#", ".."], [((0, 1), (1, 1))], {"both_open": False, "one_open": False, "free": True}),  # pillar and wall
        (["S#", ".."], [((1, 1), (1, 2))], {"both_open": False, "one_open": False, "free": True}),
        (["S.", ".."], [], {"both_open": True, "one_open": True, "free": True}),
    ],
)
def test_corner_policies(rows: list[str], walls: list[Line], steps: dict[str, bool]) -> None:
    battlemap = Battlemap.from_rows(rows, {"S": {}}, barriers=tuple(Barrier(line) for line in walls))
    for policy, possible in steps.items():
        assert (price(battlemap, (0, 0), (1, 1), corner=policy) is not None) is possible, policy
        assert (price(battlemap, (1, 1), (0, 0), corner=policy) is not None) is possible, policy


def test_a_door_is_no_way_for_a_diagonal_until_it_stands_open() -> None:
    door = Barrier(((2.0, 1.0), (2.0, 2.0)), Kind.DOOR, "d", DoorState.CLOSED)
    assert price(field(door), (1, 1), (2, 2)) is None
    assert price(field(door).with_(doors={"d": "open"}), (1, 1), (2, 2)) == 0
    assert price(field(door), (1, 1), (2, 2), corner="one_open") == 0  # round by the other way
    shut = field(door, Barrier(((1.0, 2.0), (2.0, 2.0))))
    assert price(shut, (1, 1), (2, 2), corner="one_open", door_cost=5) is None
    assert price(shut, (1, 1), (2, 2), corner="one_open", door_cost=5, door_diagonal="price") == 5


# -- directions -----------------------------------------------------------------


def test_one_way_lets_through_towards_the_side_it_names() -> None:
    # seen from (2, 2) going up to (2, 1) the right is east
    for one_way, east in (("right", True), ("left", False)):
        battlemap = field(Barrier(((2.0, 2.0), (2.0, 1.0)), one_way=one_way))
        assert (price(battlemap, (1, 1), (2, 1)) is not None) is east
        assert (price(battlemap, (2, 1), (1, 1)) is not None) is not east


segments = st.tuples(
    *[st.tuples(st.integers(0, COLS * 8), st.integers(0, ROWS * 8)).map(lambda p: (p[0] / 8, p[1] / 8))] * 2
).filter(lambda line: line[0] != line[1])


@few
@given(
    st.lists(segments, min_size=1, max_size=5),
    st.lists(st.sampled_from(["wall", "door", "window", "fence"]), min_size=5),
)
def test_there_and_back_are_cut_alike(lines: list[Line], kinds: list[str]) -> None:
    battlemap = field(*(Barrier(line, Kind(kind)) for line, kind in zip(lines, kinds, strict=False)))
    edges = free_steps(battlemap)
    if "door" in kinds[: len(lines)]:
        # whoever stands in a doorway has its door open, so may leave it on a slant on which nobody enters
        edges = {(a, b) for a, b in edges if (a.col - b.col) * (a.row - b.row) == 0}
    assert {(end, start) for start, end in edges} == edges


def free_steps(battlemap: Battlemap, **options: object) -> set[tuple[Cell, Cell]]:
    graph = MovementGraph(
        battlemap,
        Mover("a", rules="twelve-second", stats={"mv": 30}, at=Cell(0, 0)),
        options={"diagonal": "equal", **options},
    )
    return {(start.cell, end.cell) for start, end in graph.edges}


@few
@given(st.lists(segments, min_size=1, max_size=6))
def test_straight_steps_by_exact_arithmetic(lines: list[Line]) -> None:
    """Every straight step of a field with walls anywhere: cut as the probes say in fractions."""
    edges = free_steps(field(*(Barrier(line) for line in lines)))
    grid = get_grid("square")
    for row in range(ROWS):
        for col in range(COLS):
            here = Cell(col, row)
            for _, there in neighbours(grid, here, diagonal=False):
                if 0 <= there.col < COLS and 0 <= there.row < ROWS:
                    mask = [any(hits(probe, line) for line in lines) for probe in probes(here, there)]
                    assert ((here, there) not in edges) is (mask[1] or sum(mask) >= 2), (here, there, lines)


@few
@given(st.lists(segments, min_size=1, max_size=6))
def test_adding_walls_one_by_one_only_takes_steps_away(lines: list[Line]) -> None:
    before = free_steps(field())
    for n in range(1, len(lines) + 1):
        after = free_steps(field(*(Barrier(line) for line in lines[:n])))
        assert after <= before
        before = after


Exact = tuple[Fraction, Fraction]


def probes(here: Cell, there: Cell) -> Iterable[tuple[Exact, Exact]]:
    """The three probes of a straight step, exactly."""
    half, aside = Fraction(1, 2), Fraction(1, 5)
    dx, dy = there.col - here.col, there.row - here.row
    for offset in (-aside, Fraction(0), aside):
        x, y = here.col + half - dy * offset, here.row + half + dx * offset
        yield (x, y), (x + dx, y + dy)


def hits(probe: tuple[Exact, Exact], line: Line) -> bool:
    """Whether two closed segments meet, and not because one lies along the other."""
    a, b = probe
    c, d = ((Fraction(x), Fraction(y)) for x, y in line)

    def turn(p: Exact, q: Exact, r: Exact) -> Fraction:
        return (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0])

    sides = turn(a, b, c), turn(a, b, d), turn(c, d, a), turn(c, d, b)
    if sides[0] == sides[1] == 0:
        return False
    return sides[0] * sides[1] <= 0 and sides[2] * sides[3] <= 0


# -- hexes, snapping, levels ------------------------------------------------------


@pytest.mark.parametrize("name", [name for name in grid_names() if get_grid(name).title == "hexes"])
@pytest.mark.parametrize("at", [(2, 2), (3, 2), (2, 3), (3, 3)])
def test_the_side_of_a_hex_cuts_the_step_over_it_and_no_other(name: str, at: tuple[int, int]) -> None:
    grid = get_grid(name)
    here = Cell(*at)
    open_field = free_steps(field(grid=name))
    for direction, there in neighbours(grid, here):
        walled = free_steps(field(Barrier(grid.side(*at, direction.name)), grid=name))
        assert open_field - walled == {(here, there), (there, here)}


def test_ends_are_snapped_and_what_is_left_of_nothing_is_dropped() -> None:
    assert snapped(((1.0, 1.0), (1.0, 1.001))) is None
    assert snapped(((1.001, 0.999), (2.0, 1.0))) == ((1.0, 1.0), (2.0, 1.0))
    # a hair short of the middle is the middle
    assert cuts(((2.0, 1.0), (2.0, 1.4985)), (1, 1), (2, 1))


def test_a_barrier_stands_on_its_own_level() -> None:
    wall = Barrier(((1.0, 0.0), (1.0, 1.0)), level=1)
    battlemap = Battlemap.from_rows({"ground": ["..."], "loft": ["..."]}, barriers=(wall,))
    assert reach(battlemap, Mover("a", at=Cell(0, 0, 0))).cells() == {Cell(1, 0, 0), Cell(2, 0, 0)}
    assert reach(battlemap, Mover("a", at=Cell(0, 0, 1))).cells() == frozenset()


def test_a_barrier_of_some_heights_is_not_there_at_others() -> None:
    legend = {"^": {"elevation": 10}}
    wall = Barrier(((1.0, 0.0), (1.0, 1.0)), bottom=Fraction(0), top=Fraction(10))
    low = Battlemap.from_rows(["..."], barriers=(wall,))
    high = Battlemap.from_rows(["^^^"], legend, barriers=(wall,))
    assert reach(low, Mover("a", at=Cell(0, 0))).cells() == frozenset()
    assert reach(high, Mover("a", at=Cell(0, 0))).cells() == {Cell(1, 0), Cell(2, 0)}
