"""A map of many walls is baked in parts, where somebody looks: with the answers of the whole."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tactical import Barrier, Battlemap, Cell, Mover, reach
from tactical.world.edges import baking
from tactical.world.edges.baking import Baking, Crossings, bake
from tactical.world.grids import Point, get_grid


def town(count: int, cols: int = 50, rows: int = 40, seed: int = 1) -> tuple[Barrier, ...]:
    """Walls at any angle, doors, fences and a few that run across the whole map."""
    dice = random.Random(seed)
    out = [Barrier(((-5, 3), (90, 31))), Barrier(((7.5, -20), (7.5, 70)), "fence", cost=5)]
    for _ in range(count):
        x, y = dice.randrange(cols), dice.randrange(rows)
        dx, dy = dice.choice([(1, 0), (0, 1), (dice.uniform(-4, 4), dice.uniform(-4, 4))])
        out.append(Barrier(((x, y), (x + dx, y + dy)), dice.choice(["wall", "wall", "door", "window", "low-wall"])))
    return tuple(out)


def steps(found: Crossings | None, box: tuple[int, int, int, int]) -> dict[tuple[int, int, int], object]:
    """What every step out of a box meets."""
    if found is None:
        return {}
    rows = zip(*(part.tolist() for part in (found.direction, found.i, found.j, found.code)), strict=True)
    return {
        (k, i, j): code if code < 2 else found.meetings[code - 2]
        for k, i, j, code in rows
        if box[0] <= i < box[1] and box[2] <= j < box[3]
    }


@pytest.mark.parametrize("box", [(0, 50, 0, 40), (14, 20, 15, 18), (-9, 3, -9, 3), (40, 80, 30, 60), (16, 32, 16, 32)])
def test_a_part_meets_what_the_whole_meets(monkeypatch: pytest.MonkeyPatch, box: tuple[int, int, int, int]) -> None:
    monkeypatch.setattr(baking, "MANY", 10)
    whole = steps(Baking(get_grid("square"), 50, 40, town(150)).level(0), box)
    parts = Baking(get_grid("square"), 50, 40, town(150))
    assert whole
    assert steps(parts.within(0, box), box) == whole
    assert 0 not in parts.levels


def test_a_question_in_a_town_looks_at_its_part_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    walker = Mover("walker", "plain", {"speed": 25}, Cell(30, 20))
    foe = Mover("foe", at=Cell(33, 21), side="b", reach=2)
    whole = Battlemap.from_cells(300, 200, barriers=town(400), movers=[foe])
    expected = reach(whole, walker)
    monkeypatch.setattr(baking, "MANY", 10)
    monkeypatch.setattr("tactical.movement.extent.MANY", 10)
    parts = Battlemap.from_cells(300, 200, barriers=town(400), movers=[foe])
    found = reach(parts, walker)
    assert dict(found.costs) == dict(expected.costs)
    assert found.threatened() == expected.threatened()
    assert all(found.route(cell) == expected.route(cell) for cell in found.costs)


END = st.tuples(*[st.one_of(st.integers(-2, 9), st.integers(-8, 36).map(lambda n: n / 4), st.floats(-1, 9))] * 2)


@settings(max_examples=60)
@given(st.lists(st.tuples(END, END), min_size=1, max_size=12))
def test_walls_found_by_their_cells_are_those_that_a_tree_finds(lines: list[tuple[Point, Point]]) -> None:
    walls = [Barrier(line, kind) for line, kind in zip(lines, ["wall", "door", "fence"] * 4, strict=False)]
    found = bake(get_grid("square"), 8, 7, walls, 0)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(baking, "_candidates", lambda *_: None)
        by_tree = bake(get_grid("square"), 8, 7, walls, 0)
    assert steps(found, (0, 8, 0, 7)) == steps(by_tree, (0, 8, 0, 7))
    assert found is by_tree or (found is not None and by_tree is not None)
