"""Ways of moving on small maps, each with a price worked by hand."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from tactical import Barrier, Battlemap, Cell, Mover, Refusal, Route, RulesetError, State, plan, reach
from tactical.units import parse_cell


def route(rows: list[str], to: str, legend: Mapping[str, Mapping[str, object]] | None = None, **more: object) -> Route:
    """The way from the S of a drawn map."""
    start = next((col, row) for row, line in enumerate(rows) for col, glyph in enumerate(line) if glyph == "S")
    stats = more.pop("stats", {"speed": 60})
    barriers = more.pop("barriers", ())
    battlemap = Battlemap.from_rows(rows, {"S": {}, **(legend or {})}, barriers=barriers)
    mover = Mover("a", rules=str(more.pop("rules", "operator")), stats=stats, at=Cell(*start))  # type: ignore[arg-type]
    found = plan(battlemap, mover, parse_cell(to), **more)  # type: ignore[arg-type]
    assert isinstance(found, Route), str(found)
    return found


def side(cell: str, name: str) -> tuple[tuple[float, float], tuple[float, float]]:
    """A side of a square cell."""
    return Battlemap.from_rows(["."]).grid.side(*parse_cell(cell)[:2], name)


WATER = {"~": {"terrain": "river", "water": "deep"}}


def test_a_net_stops_swimmers_and_nobody_else() -> None:
    net = Barrier(side("D1", "e"), "invisible", "net", stops=("swim",))
    battlemap = Battlemap.from_rows(["S.~~~.."], {"S": {}, **WATER}, barriers=(net,))
    mover = Mover("a", rules="operator", stats={"speed": 60}, at=Cell(0, 0))
    refused = plan(battlemap, mover, Cell(6, 0))
    assert isinstance(refused, Refusal)
    assert refused.code == "move.barred"
    assert "net" in refused.text
    dry = Battlemap.from_rows(["S......"], {"S": {}}, barriers=(net,))
    found = plan(dry, mover, Cell(6, 0))
    assert isinstance(found, Route)
    assert found.cost == 30


def test_a_barrier_knows_the_modes_there_are() -> None:
    with pytest.raises(ValueError, match="stops takes modes"):
        Barrier(side("A1", "e"), stops=("swimm",))


def test_a_fence_is_climbed_at_its_price_and_says_so() -> None:
    fence = Barrier(side("B1", "e"), "fence", cost=5)  # type: ignore[arg-type]
    found = route(["S..."], "D1", barriers=(fence,))
    assert found.cost == 20
    crossing = found.steps[1]
    assert [(charge.name, charge.value) for charge in crossing.charges] == [("fence", 5)]
    assert "climb the fence" in found.lines[1].text


def test_a_low_wall_without_a_price_costs_a_cell_of_climbing() -> None:
    low = Barrier(side("B1", "e"), "low-wall")
    assert route(["S..."], "D1", barriers=(low,)).cost == 20
    assert route(["S..."], "D1", barriers=(low,), options={"low_wall_cost": 2}).cost == 17


def test_a_hazard_is_entered_only_where_it_is_named() -> None:
    fire = {"f": {"terrain": "fire", "hazard": "fire"}}
    battlemap = Battlemap.from_rows(["S.f.."], {"S": {}, **fire})
    mover = Mover("a", rules="operator", at=Cell(0, 0))
    found = reach(battlemap, mover)
    assert found.cells() == {Cell(1, 0)}
    refused = found.why_not(Cell(2, 0))
    assert refused is not None
    assert refused.code == "move.hazard"
    named = found.route(Cell(2, 0))
    assert isinstance(named, Route)
    assert named.hazards == (("fire", Cell(2, 0)),)
    beyond = found.route(Cell(4, 0))
    assert isinstance(beyond, Refusal)
    assert "hazard" in beyond.text


def test_the_ledger_adds_up_and_names_its_clauses() -> None:
    mud = {"~": {"terrain": "mud", "difficult": True}}
    battlemap = Battlemap.from_rows(["S.~~.."], {"S": {}, **mud})
    mover = Mover("a", rules="operator", at=Cell(0, 0), posture="prone")
    found = plan(battlemap, mover, Cell(5, 0))
    assert isinstance(found, Route)
    assert [(line.text, line.price, line.sum, line.source.clause, line.band) for line in found.lines] == [
        ("stand up from prone", 15, 15, "OPR-18", "move"),
        ("open ground  1 x 5 ft", 5, 20, "OPR-13", "move"),
        ("mud  1 x 5 ft x 2", 10, 30, "OPR-14", "move"),
        ("mud  1 x 5 ft x 2", 10, 40, "OPR-14", "dash"),
        ("open ground  2 x 5 ft", 10, 50, "OPR-13", "dash"),
    ]


def test_ties_break_by_fewer_diagonals_then_straighter() -> None:
    battlemap = Battlemap.from_rows(["......."] * 5)
    mover = Mover("a", rules="operator", at=Cell(0, 2))
    found = plan(battlemap, mover, Cell(6, 2))
    assert isinstance(found, Route)
    assert [cell.row for cell in found.cells] == [2] * 7
    slanted = plan(battlemap, mover, Cell(6, 0))
    assert isinstance(slanted, Route)
    assert sum(a.row != b.row for a, b in zip(slanted.cells, slanted.cells[1:], strict=False)) == 2


@pytest.mark.parametrize(
    ("cell", "code"),
    [
        ("D1", "move.barred"),
        ("B1", "move.impassable"),
        ("A9", "move.off_map"),
        ("A4", "move.budget"),
        ("A3", "move.stop"),
    ],
)
def test_every_refused_cell_says_why(cell: str, code: str) -> None:
    legend = {"S": {}, "n": {"terrain": "narrow ledge", "no_stop": True}}
    wall = (Barrier(side("C1", "e"), "wall"), Barrier(side("C2", "e"), "wall"), Barrier(side("C3", "e"), "wall"),
            Barrier(side("C4", "e"), "wall"))  # fmt: skip
    battlemap = Battlemap.from_rows(["S#..", ".#..", "n...", "...."], legend, barriers=wall)
    mover = Mover("a", rules="operator", stats={"speed": 5}, at=Cell(0, 0))
    refused = reach(battlemap, mover, gait="move").why_not(parse_cell(cell))
    assert refused is not None
    assert refused.code == code


@pytest.mark.parametrize("state", ["closed", "open"])
def test_a_door_through_the_middle_of_a_cell_is_opened_once(state: str) -> None:
    door = Barrier(((2.5, 0), (2.5, 1)), "door", "door", state)
    found = route(["S...."], "E1", barriers=(door,), options={"door_cost": 5, "door_limit": 1})
    assert found.cost == (25 if state == "closed" else 20)
    assert sum(charge.name == "door" for step in found.steps for charge in step.charges) == (state == "closed")


def test_a_locked_door_through_the_middle_of_a_cell_bars_both_sides() -> None:
    door = Barrier(((2.5, 0), (2.5, 1)), "door", "door", "locked")
    battlemap = Battlemap.from_rows(["....."], barriers=(door,))
    for start, goal in ((0, 4), (4, 0)):
        assert not plan(battlemap, Mover("a", rules="operator", at=Cell(start, 0)), Cell(goal, 0))


@pytest.mark.parametrize(
    ("rule", "line"),
    [
        ("multiply", ("mud  1 x 5 ft x 2, 2nd diagonal x 2", 20)),
        ("add_cell", ("mud  1 x 5 ft x 3 (difficult, 2nd diagonal)", 15)),
    ],
)
def test_a_ledger_line_adds_up_as_it_reads(rule: str, line: tuple[str, int]) -> None:
    mud = {"~": {"terrain": "mud", "difficult": True}}
    battlemap = Battlemap.from_rows(["S#", "#~"], {"S": {}, **mud})
    mover = Mover("a", rules="operator", at=Cell(0, 0))
    options = {"diagonal": "alternate", "corner": "free", "difficult_diagonal": rule}
    found = plan(battlemap, mover, Cell(1, 1), start=State(Cell(0, 0), diagonals=1), options=options)
    assert isinstance(found, Route)
    assert (found.lines[-1].text, found.lines[-1].price) == line


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"climb_factor": -1}, "less than 0"),
        ({"door_cost": -5}, "less than 0"),
        ({"door_limit": "3/2"}, "whole number"),
        ({"ledge_down": "drop"}, "no rule for falls"),
    ],
)
def test_options_out_of_range_are_refused(options: Mapping[str, object], words: str) -> None:
    battlemap = Battlemap.from_rows(["..."])
    with pytest.raises(RulesetError, match=words):
        reach(battlemap, Mover("a", rules="operator", at=Cell(0, 0)), options=options)


def test_the_true_limit_is_named_where_doors_and_not_feet_are_short() -> None:
    doors = tuple(Barrier(side(cell, "e"), "door", cell) for cell in ("A1", "B1"))
    battlemap = Battlemap.from_rows(["...."], barriers=doors)
    refused = plan(battlemap, Mover("a", rules="operator", at=Cell(0, 0)), Cell(3, 0))
    assert isinstance(refused, Refusal)
    assert refused.code == "move.doors"


def test_of_equally_cheap_ways_the_one_without_attacks_is_taken() -> None:
    enemy = Mover("e", side="them", at=Cell(4, 4))
    battlemap = Battlemap.from_rows(["..........."] * 7, movers=(enemy,))
    found = plan(battlemap, Mover("a", rules="operator", side="us", at=Cell(0, 3)), Cell(8, 3))
    assert isinstance(found, Route)
    assert found.cost == 40
    assert found.provokes == ()


@pytest.mark.parametrize(("speed", "column"), [(31, 7), (11, 3), (1, 1)])
def test_any_rest_is_enough_where_the_option_says_so(speed: int, column: int) -> None:
    battlemap = Battlemap.from_rows(["." * 12])
    mover = Mover("a", rules="plain", stats={"speed": speed}, at=Cell(0, 0))
    options = {"grid_rounding": "enter_if_any_left"}
    found = reach(battlemap, mover, options=options)
    assert max(cell.col for cell in found.cells()) == column
    through = found.route(Cell(column, 0), via=[Cell(1, 0)])
    assert isinstance(through, Route)
    assert through.cost == speed


def test_rounding_over_turns_reaches_as_far_as_the_turns_go() -> None:
    battlemap = Battlemap.from_rows(["." * 60])
    mover = Mover("a", rules="plain", stats={"speed": 3}, at=Cell(0, 0))
    found = reach(battlemap, mover, turns=20, options={"grid_rounding": "enter_if_any_left"})
    assert max(cell.col for cell in found.cells()) == 20


def test_a_way_of_another_package_is_searched_and_told(monkeypatch: pytest.MonkeyPatch) -> None:
    from fractions import Fraction

    from tactical.movement.graph.writer import Writer
    from tactical.movement.ways import Way
    from tactical.registry import WAYS

    here, there = Cell(0, 0), Cell(99, 0)

    def write(writer: Writer) -> None:
        draft = writer.draft
        start, end = draft.site.place(here), draft.site.place(there)
        if start is not None and end is not None:
            writer.edge(draft.node(0, start), draft.node(0, end), draft.ticks(Fraction(10)), "blink_away", 0)

    blink = Way("blink_away", 90, lambda draft: [Fraction(10)], write=write, far=lambda battlemap: [(here, there)])
    known = dict(WAYS)
    own = type(WAYS).__iter__
    more = [*known.items(), ("blink_away", blink)]
    monkeypatch.setattr(type(WAYS), "__iter__", lambda rack: iter(more) if rack is WAYS else own(rack))
    battlemap = Battlemap.from_rows(["." * 100])
    found = plan(battlemap, Mover("a", rules="operator", at=here), Cell(98, 0))
    assert isinstance(found, Route)
    assert found.cost == 15
    assert [line.text for line in found.lines] == ["blink away", "open ground  1 x 5 ft"]


def test_of_equally_long_ways_the_one_with_the_easier_roll_is_taken() -> None:
    legend = {".": {"level": "E", "number": 6}, "V": {"level": "VD", "number": 25}, "S": {"level": "E", "number": 6}}
    battlemap = Battlemap.from_rows(["....", "SVV.", "...."], legend, cell=2, unit="m")
    mover = Mover("a", rules="d6-reup", stats={"move": 10}, at=Cell(0, 1))
    found = plan(battlemap, mover, Cell(3, 1), options={"diagonal": "equal"})
    assert isinstance(found, Route)
    assert found.cost == 6
    assert found.checks == ()


def test_who_sprints_may_sprint_on_in_the_next_round() -> None:
    battlemap = Battlemap.from_rows(["." * 40], cell=1, unit="m")
    mover = Mover("a", rules="shapers", stats={"pa": 4, "pf": 5}, at=Cell(0, 0))
    found = reach(battlemap, mover, turns=2)
    assert found.turn(Cell(16, 0)) == 1
    assert found.turn(Cell(32, 0)) == 2
    band = found.band(Cell(32, 0))
    assert band is not None
    assert band.gait == "sprint"


@pytest.mark.parametrize(
    ("rules", "stats"),
    [
        ("operator", {}), ("d6-reup", {}), ("d6-revised", {}), ("twelve-second", {"mv": 9}),
        ("shapers", {"pa": 6, "ps": 5, "pf": 4}),
    ],
)  # fmt: skip
@pytest.mark.parametrize(
    ("rule", "words"), [("alternate", "2nd diagonal x 2"), ("euclid", "diagonal x 1.41"), ("equal", "")]
)
def test_every_system_names_the_diagonal_and_what_rules_it(
    rules: str, stats: dict[str, int], rule: str, words: str
) -> None:
    battlemap = Battlemap.from_rows(["....", "....", "....", "...."], unit="m", cell=2)
    mover = Mover("a", rules=rules, at=Cell(0, 0), stats=stats)
    found = plan(battlemap, mover, Cell(3, 3), options={"diagonal": rule})
    assert isinstance(found, Route)
    named = [line for line in found.lines if "diagonal" in line.text]
    assert bool(named) == bool(words)
    for line in named:
        assert line.text.endswith(words)
        assert "G-A05" in line.rulings
        assert "*G-A05" in line.sources
    assert not [line for line in found.lines if "G-A05" in line.rulings and line not in named]
