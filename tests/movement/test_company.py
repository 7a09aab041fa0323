"""Who may be passed and beside whom one may stop: the matrix of side and size."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

import pytest

from tactical import Battlemap, Cell, Mover, RulesetError, reach


def cost_behind(other: Mover, options: Mapping[str, object], size_class: str = "medium") -> Fraction | None:
    """Cost of the cell behind another body in a corridor one cell wide."""
    battlemap = Battlemap.from_rows(["....."], movers=(other,))
    mover = Mover("a", rules="operator", at=Cell(0, 0), side="us", size_class=size_class)
    return reach(battlemap, mover, options=options).cost(Cell(2, 0))


def body(side: str, size_class: str = "medium") -> Mover:
    """Somebody in the second cell, one cell large whatever the class."""
    return Mover("b", at=Cell(1, 0), side=side, size=1, size_class=size_class)


@pytest.mark.parametrize(
    ("other", "options", "cost"),
    [
        (body("us"), {}, 10),
        (body("us"), {"passing": {"ally": 2}}, 15),
        (body("us"), {"passing": {"ally": 0}}, None),
        (body("them"), {}, None),
        (body("them"), {"passing": {"enemy": 3}}, 20),
        (body("them", "huge"), {}, 15),
        (body("them", "huge"), {"passing": {"enemy+2": 1}}, 10),
        (body("them", "huge"), {"passing": {"enemy-2": 1}}, 15),
        (body("them", "huge"), {"passing": {"enemy~1": 4, "enemy~3": 1}}, 25),
        (body("them", "tiny"), {"passing": {"enemy-2": 1}}, 10),
        (body(""), {"passing": {"neutral": 2}}, 15),
    ],
)
def test_the_matrix_of_passing(other: Mover, options: Mapping[str, object], cost: int | None) -> None:
    assert cost_behind(other, options) == cost


def test_a_cell_is_shared_only_where_the_table_says_so() -> None:
    battlemap = Battlemap.from_rows(["..."], movers=(body("us"),))
    mover = Mover("a", rules="operator", at=Cell(0, 0), side="us")
    assert reach(battlemap, mover).cost(Cell(1, 0)) is None
    assert reach(battlemap, mover, options={"sharing": {"ally": 1}}).cost(Cell(1, 0)) == 5


def test_a_word_that_the_tables_do_not_know_is_refused() -> None:
    with pytest.raises(RulesetError, match="friend"):
        cost_behind(body("us"), {"passing": {"friend": 1}})
    assert cost_behind(body("us"), {"passing": "ally: 2, enemy+2: 1"}) == 15
