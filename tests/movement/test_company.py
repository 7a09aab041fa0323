"""Who may be passed and beside whom one may stop: the matrix of side and size."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

import pytest

from tactical import Barrier, Battlemap, Cell, Mover, RulesetError, Zone, reach


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


def corridor(*bodies: Mover) -> Battlemap:
    me = Mover("me", "plain", {"speed": 60}, Cell(0, 0), "ours")
    return Battlemap.from_cells(3, 1, movers=(me, *bodies))


@pytest.mark.parametrize("table", [{"ally": 2, "ally+1": 3}, {"ally+1": 3, "ally": 2}])
def test_the_most_particular_word_counts_in_whatever_order(table: dict[str, int]) -> None:
    large = Mover("large", "plain", {}, Cell(1, 0), "ours", size=1, size_class="large")
    assert reach(corridor(large), "me", options={"passing": table}).cost(Cell(2, 0)) == 5 * 3 + 5


def test_of_two_bodies_in_a_cell_the_dearer_counts_in_whatever_order() -> None:
    large = Mover("large", "plain", {}, Cell(1, 0), "ours", size=1, size_class="large")
    small = Mover("small", "plain", {}, Cell(1, 0), "ours")
    for bodies in ((large, small), (small, large)):
        found = reach(corridor(*bodies), "me", options={"passing": {"ally": 2, "ally+1": 3}})
        assert found.cost(Cell(2, 0)) == 5 * 3 + 5


@pytest.mark.parametrize("line", [((2, 1), (2, 2)), ((1, 1), (2, 1))], ids=["beside", "above"])
def test_a_weapon_reaches_round_either_corner(line: tuple[tuple[int, int], tuple[int, int]]) -> None:
    me = Mover("me", "operator", {"speed": 30}, Cell(4, 2), "ours")
    foe = Mover("foe", "operator", {"speed": 30}, Cell(1, 1), "theirs")
    place = Battlemap.from_cells(5, 3, barriers=(Barrier(line),), movers=(me, foe), rules="operator")
    threatened = reach(place, "me").threatened()
    assert Cell(2, 0) in threatened
    assert (Cell(2, 1) in threatened, Cell(1, 0) in threatened).count(False) == 1


@pytest.mark.parametrize("policy", ["one_open", "both_open", "free"])
def test_bodies_close_corners_but_where_every_corner_may_be_cut(policy: str) -> None:
    around = (Mover("b", at=Cell(1, 0), side="them"), Mover("c", at=Cell(0, 1), side="them"))
    me = Mover("a", "operator", {"speed": 30}, Cell(0, 0), "us")
    place = Battlemap.from_rows(["..", ".."], movers=(me, *around), rules="operator", options={"corner": policy})
    for occupants, cost in (("block", 5 if policy == "free" else None), ("ignore", 5)):
        assert reach(place, "a", options={"corner_occupants": occupants}).cost("B2") == cost


def struck(barrier: Barrier, ground: str = "......") -> bool:
    """Whether somebody on A1 strikes at one who leaves B1, with a barrier between the two."""
    legend = {"H": {"terrain": "hill", "elevation": 2}}
    movers = (Mover("foe", "operator", {}, Cell(0, 0), "them"), Mover("me", "operator", {}, Cell(1, 0), "us"))
    place = Battlemap.from_rows([ground], legend, rules="operator", movers=movers, barriers=[barrier])
    route = reach(place, "me").route("D1")
    assert route
    return bool(route.provokes)


BETWEEN = ((1, 0), (1, 1))


@pytest.mark.parametrize(("bottom", "top", "reached"), [(None, 1, False), (1, 3, True), (None, None, False)])
def test_a_strike_between_two_heights_meets_what_stands_at_the_lower(
    bottom: int | None, top: int | None, reached: bool
) -> None:
    assert struck(Barrier(BETWEEN, "wall", bottom=bottom, top=top), "H.....") is reached


@pytest.mark.parametrize("kind", ["window", "fence"])
def test_a_strike_goes_through_what_lets_both_ways_through_and_no_one_way_side(kind: str) -> None:
    assert struck(Barrier(BETWEEN, kind))
    for way in ("left", "right"):
        assert not struck(Barrier(BETWEEN, kind, one_way=way))


@pytest.mark.parametrize(("foe", "row"), [(187, 234), (279, 232)])
def test_of_two_ways_alike_the_one_out_of_a_reach_is_taken_that_begins_outside_the_window(foe: int, row: int) -> None:
    """The foe stands farther away than anything that is looked at for the mover's sake; its reach does not."""
    rows = ["." * 400] * 400
    rows[233] = "." * 231 + "#" + "." * 168
    me = Mover("me", "operator", {"speed": 10}, Cell(230, 233), "us")
    place = Battlemap.from_rows(rows, rules="operator", movers=[me, Mover("foe", at=(231, foe), side="them", reach=45)])
    found = reach(place, "me")
    route = found.route(Cell(232, 233))
    assert route
    assert not route.provokes
    assert Cell(231, row) in [step.end.cell for step in route.steps]


@pytest.mark.parametrize(("source", "mine", "theirs"), [("mover", 5, 5), ("a", 5, 10), ("b", 10, 5), ("", 10, 10)])
def test_a_zone_does_nothing_to_whose_it_is(source: str, mine: int, theirs: int) -> None:
    movers = (Mover("a", "operator", {}, Cell(0, 0), "us"), Mover("b", "operator", {}, Cell(2, 0), "us"))
    mud = Zone(frozenset({Cell(1, 0)}), {"difficult": True}, source=source)
    place = Battlemap.from_rows(["..."], rules="operator", movers=movers, zones=[mud])
    assert (reach(place, "a").cost("B1"), reach(place, "b").cost("B1")) == (mine, theirs)
    dark = place.with_(zones=[Zone(mud.cells, {"unknown": True}, source=source)])
    seen = {5: 5, 10: None}
    assert (reach(dark, "a").cost("B1"), reach(dark, "b").cost("B1")) == (seen[mine], seen[theirs])
