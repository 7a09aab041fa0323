"""Cost against risk for one cell, with the route of every choice."""

from __future__ import annotations

import pytest

from tactical import Battlemap, Cell, Mover, UnknownName, load, reach, to_json

MUD = {"~": {"terrain": "mud", "difficult": True}}


def yard() -> Battlemap:
    """Two guards above a street, mud below it."""
    guards = tuple(Mover(f"guard-{n}", side="watch", at=Cell(col, 1)) for n, col in ((1, 2), (2, 4)))
    return Battlemap.from_rows([".......", ".......", ".......", ".~~~~~.", ".#####."], MUD, movers=guards)


def test_fewer_attacks_cost_more_and_every_choice_has_its_route() -> None:
    mover = Mover("a", rules="operator", side="heroes", at=Cell(0, 2))
    found = reach(yard(), mover)
    choices = found.risks(Cell(6, 2))
    assert [(choice.risk, choice.route.cost) for choice in choices] == [(0, 55), (1, 45), (2, 30)]
    assert [len(choice.route.provokes) for choice in choices] == [0, 1, 2]
    assert [choice.route.band for choice in choices] == ["dash", "dash", "move"]
    cheapest = found.route(Cell(6, 2))
    assert cheapest
    assert cheapest.cost == choices[-1].route.cost
    assert [line.sum for line in choices[0].route.lines][-1] == 55


def test_a_cell_out_of_reach_has_no_choices() -> None:
    mover = Mover("a", rules="operator", stats={"speed": 10}, side="heroes", at=Cell(0, 2))
    assert reach(yard(), mover).risks(Cell(6, 2)) == ()


def test_the_risks_have_names() -> None:
    mover = Mover("a", rules="operator", at=Cell(0, 2))
    with pytest.raises(UnknownName, match="attacks"):
        reach(yard(), mover).risks(Cell(6, 2), "atacks")


@pytest.mark.parametrize(
    ("name", "mover", "every"), [("starport", "rhen", 24), ("starport", "pilot", 12), ("vehicle-yard", "mechanic", 12)]
)
def test_no_plan_takes_a_harder_roll_at_the_price_of_an_easier_one(name: str, mover: str, every: int) -> None:
    found = reach(load(name), mover)
    named = {"O9", "A8", "K13", "V9", "D6", "C5", "C12"}
    asked = 0
    for n, cell in enumerate(sorted(found.cells(), key=lambda one: (one.row, one.col))):
        route = found.route(cell)
        if not route or (n % every and found.battlemap.name_of(cell) not in named):
            continue
        asked += 1
        hardest = max((check.hardness for check in route.checks), default=0)
        alike = [
            one.risk
            for one in found.risks(cell, "number")
            if (one.route.cost, one.route.band) == (route.cost, route.band)
        ]
        assert hardest <= min(alike, default=hardest), found.battlemap.name_of(cell)
    assert asked > 3


@pytest.mark.parametrize(("name", "mover"), [("village", "raven"), ("dungeon", "sly"), ("starport", "pilot")])
def test_what_a_reach_tells_of_a_cell_is_what_its_way_meets(name: str, mover: str) -> None:
    found = reach(load(name), mover)
    told = {tuple(row["cell"]): row for row in to_json(found)["cells"]}
    for cell in sorted(found.cells(), key=lambda one: (one.level, one.row, one.col))[::3]:
        route = found.route(cell)
        assert route
        row = told[(cell.col, cell.row, cell.level) if cell.level else (cell.col, cell.row)]
        assert row.get("provokes", []) == [attack.enemy for attack in route.provokes], cell
        assert len(row.get("checks", [])) == len(route.checks), cell
