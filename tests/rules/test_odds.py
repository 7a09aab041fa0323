"""Odds against counting: every throw of small pools, every path of small boards, and icepool where it is installed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tactical
from tactical.errors import Refusal
from tactical.movement.declare import Declared, declare
from tactical.movement.graph.lattice import Lattice
from tactical.movement.query import Query, ask
from tactical.movement.rolls import odds
from tactical.play import resolve
from tactical.rules import dice
from tactical.rules.checks import Check
from tactical.rules.dice import Pool
from tactical.units import Cell
from tactical.world.battlemap import Battlemap
from tactical.world.mover import Mover

LEVELS = {"e": ("E", 8), "m": ("M", 13), "d": ("D", 17), "v": ("VD", 24)}
LEGEND: dict[str, dict[str, object]] = {
    glyph: {"level": level, "number": number} for glyph, (level, number) in LEVELS.items()
} | {"S": {"level": "E", "number": 6}, "w": {"water": "deep", "level": "M", "number": 12}, "O": {"gap": True}}


def throws(pool: Pool) -> Iterator[int]:
    """The total of every throw, each as likely as any other."""
    return (sum(faces) + pool.pips for faces in product(range(1, 7), repeat=pool.dice))


def d6_query(rows: list[str], rules: str = "d6-reup", code: str = "3D", **options: object) -> Query:
    battlemap = Battlemap.from_rows(rows, LEGEND, cell=Fraction(2), unit="m", grid="square")
    stats = {"move": 10, "code": code, "strength": code, "previous": "cruising"}
    mover = Mover("rhen", rules=rules, stats=stats, at=Cell(0, 0))
    return ask(battlemap, mover, options={"diagonal": "none", **options})


# --- whole moves -----------------------------------------------------------------------------------------------------


@settings(max_examples=25)
@given(
    ground=st.text("emdv", min_size=5, max_size=10),
    gait=st.sampled_from(["cautious", "cruising", "high", "all_out"]),
    length=st.integers(1, 10),
    code=st.sampled_from(["2D", "3D+1", "4D"]),
    rules=st.sampled_from(["d6-reup", "d6-revised"]),
    fraction=st.sampled_from(["declared", "full"]),
)
def test_landings_are_what_counting_every_throw_gives(
    ground: str, gait: str, length: int, code: str, rules: str, fraction: str
) -> None:
    query = d6_query(["S" + ground], rules, code, failure_fraction_of=fraction)
    cells = [Cell(col, 0) for col in range(min(length, len(ground)) + 1)]
    move = declare(query, gait, cells)
    if isinstance(move, Refusal):
        assert move.code in ("move.min_distance", "move.max_distance")
        return
    found = odds.landings(move)
    assert not isinstance(found, Refusal)
    counted: Counter[Cell] = Counter()
    passed = 0
    totals = list(throws(Pool.parse(code))) if move.checks else [0]
    for total in totals:
        done = resolve.resolve(move, [total])
        assert not isinstance(done, Refusal)
        assert done.end is not None
        counted[done.end.cell] += 1
        passed += not done.outcome.failed
    assert found.cells == {cell: Fraction(count, len(totals)) for cell, count in counted.items()}
    assert odds.chance(move) == Fraction(passed, len(totals))


def test_two_skills_are_two_throws() -> None:
    query = d6_query(["Sddw"], code="2D")
    move = declare(query, "high", [Cell(col, 0) for col in range(4)])
    assert isinstance(move, Declared)
    assert [check.skill for check in move.checks] == ["running", "swimming"]
    counted: Counter[Cell] = Counter()
    for pair in product(list(throws(Pool(2))), repeat=2):
        done = resolve.resolve(move, pair)
        assert not isinstance(done, Refusal)
        assert done.end is not None
        counted[done.end.cell] += 1
    found = odds.landings(move)
    assert not isinstance(found, Refusal)
    assert found.cells == {cell: Fraction(count, 36**2) for cell, count in counted.items()}


# --- every cell of a reach -------------------------------------------------------------------------------------------


def paths(battlemap: Battlemap, start: Cell, most: int) -> Iterator[list[Cell]]:
    """Every straight way that enters no cell twice."""
    stack = [[start]]
    while stack:
        path = stack.pop()
        yield path
        if len(path) <= most:
            col, row, level = path[-1]
            for step in ((1, 0), (-1, 0), (0, 1), (0, -1)):
                cell = Cell(col + step[0], row + step[1], level)
                if cell in battlemap and cell not in path:
                    stack.append([*path, cell])


def counted_chances(query: Query, most: int) -> dict[Cell, Fraction]:
    """For each gait and hardness the shortest ways, priced one by one, the best kept."""
    best: dict[Cell, Fraction] = {}
    every = list(paths(query.battlemap, query.start.cell, most))
    for gait in query.open_gaits:
        ways: dict[Cell, list[tuple[int, Fraction, list[Cell]]]] = {}
        for path in every[0:]:
            if len(path) < 2:
                continue
            grounds = tuple(query.battlemap.terrain(cell) for cell in path[1:])
            assert query.profile.demand is not None
            hard = query.profile.demand(gait.name, grounds).hardness
            ways.setdefault(path[-1], []).append((hard, Fraction(2 * (len(path) - 1)), path))
        for cell, found in ways.items():
            for limit in {hard for hard, _, _ in found}:
                easy = [one for one in found if one[0] <= limit]
                shortest = min(length for _, length, _ in easy)
                if not gait.minimum <= shortest <= gait.budget:
                    continue
                for _, length, path in easy:
                    if length == shortest:
                        move = declare(query, gait.name, path)
                        assert isinstance(move, Declared)
                        ends = odds.landings(move)
                        assert not isinstance(ends, Refusal)
                        best[cell] = max(best.get(cell, Fraction(0)), ends.cells.get(cell, Fraction(0)))
    return best


@settings(max_examples=12)
@given(rows=st.lists(st.text("emdv", min_size=4, max_size=4), min_size=2, max_size=3))
def test_each_cells_chance_is_that_of_its_best_way(rows: list[str]) -> None:
    rows[0] = "S" + rows[0][1:]
    query = d6_query(rows)
    found = tactical.reach(query.battlemap, query.mover, options={"diagonal": "none"})
    assert {cell: chance.chance for cell, chance in found.chances.items()} == counted_chances(query, 10)


def step_paths(lattice: Lattice, budget: Fraction) -> Iterator[tuple[int, Fraction]]:
    """Every way through the state graph that visits no state twice: (its end, the product of its chances)."""
    start = lattice.node(lattice_start(lattice))
    assert start is not None
    stack: list[tuple[tuple[int, ...], Fraction, Fraction]] = [((start,), Fraction(0), Fraction(1))]
    while stack:
        path, cost, part = stack.pop()
        yield path[-1], part
        for target, ticks, slot in lattice.edges(path[-1]):
            after = cost + lattice.cost(ticks)
            if target in path or after > budget:
                continue
            from tactical.movement.steps.explain import explain

            check = explain(lattice, path[-1], target, ticks, slot).check
            chance = Fraction(1) if check is None else check.chance()
            assert chance is not None
            stack.append(((*path, target), after, part * chance))


def lattice_start(lattice: Lattice) -> Any:
    mover = lattice.site.mover
    return tactical.State(mover.at)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("rules", "stats", "rows", "gait"),
    [
        ("shapers", {"pa": 4, "ps": 2, "pf": 3, "athletics": 4}, ["S.OOOO.", "..OOOO."], "run"),
        ("shapers", {"pa": 3, "ps": 0, "pf": 3}, ["S.OOO."], "sprint"),
        ("twelve-second", {"str": 8, "dex": 6, "end": 4}, ["S..OO."], "walk"),
        ("plain", {"speed": 30}, ["S8.8.", ".588."], "move"),
    ],
)
def test_step_by_step_the_likeliest_way_is_found(
    rules: str, stats: dict[str, object], rows: list[str], gait: str
) -> None:
    feet = rules == "plain"
    legend = {"O": {"gap": True}, "S": {}, "8": {"check": [2, 8]}, "5": {"check": [2, 5]}}
    battlemap = Battlemap.from_rows(
        rows, legend, cell=Fraction(5 if feet else 1), unit="ft" if feet else "m", grid="square"
    )
    mover = Mover("m", rules=rules, stats=stats, at=Cell(0, 0))
    # who cannot jump has no chance of a jump to set
    options = {"diagonal": "none"} if feet else {"diagonal": "none", "jump_chance": 0}
    found = tactical.reach(battlemap, mover, gait=gait, options=options)
    whole = found.profile.gait(gait).budget
    cells: dict[Cell, Fraction] = {}
    lattice = found.searches[0].lattice
    for end, part in step_paths(lattice, whole):
        cell = lattice.cell(end)
        if lattice.stops[end] and cell != mover.at:
            cells[cell] = max(part, cells.get(cell, Fraction(0)))
    assert {cell: chance.chance for cell, chance in found.chances.items()} == cells
    assert any(0 < part < 1 for part in cells.values())


# --- single dice -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", range(-1, 24))
def test_one_die_with_a_modifier_is_counted(number: int) -> None:
    for modifier in (-2, 0, 3):
        code = f"d20{modifier:+}" if modifier else "d20"
        above = sum(1 for face in range(1, 21) if face + modifier >= number)
        below = sum(1 for face in range(1, 21) if face + modifier <= number)
        assert dice.chance_of(code, number) == Fraction(above, 20)
        assert dice.chance_of(code, number, under=True) == Fraction(below, 20)


@pytest.mark.parametrize("code", ["1D", "2D+1", "3D"])
def test_pools_from_below_are_counted(code: str) -> None:
    totals = list(throws(Pool.parse(code)))
    for number in range(0, 22):
        under = Fraction(sum(1 for total in totals if total <= number), len(totals))
        assert dice.chance_of(code, number, under=True) == under
        check = Check("luck", number, dice=code, under=True)
        assert check.chance() == under
        assert all((check.margin(total) or 0) <= 0 for total in totals if total <= number)


def test_a_check_without_number_or_dice_has_no_chance() -> None:
    assert Check("luck", None, dice="3D").chance() is None
    assert Check("luck", 4).chance() is None
    assert Check("luck", None).margin(4) is None


# --- icepool ---------------------------------------------------------------------------------------------------------


def ice() -> Any:
    return pytest.importorskip("icepool", reason="icepool is not installed")


@pytest.mark.parametrize("code", ["1D", "3D+1", "5D", "8D+2"])
def test_pools_agree_with_icepool(code: str) -> None:
    pool = Pool.parse(code)
    peer = pool.dice @ ice().d6 + pool.pips
    whole = peer.denominator()
    assert dict(dice.spread(pool)) == {total: Fraction(peer.quantity(total), whole) for total in peer.outcomes()}


@pytest.mark.parametrize(("code", "number"), [("1D", 7), ("2D", 9), ("3D+1", 16), ("4D", 20)])
def test_the_wild_die_agrees_with_icepool(code: str, number: int) -> None:
    pool = Pool.parse(code)
    # sixes enough to pass the number: deeper explosions cannot change the answer
    wild = ice().d6.explode(depth=number // 6 + 1)
    peer = wild + pool.pips if pool.dice == 1 else (pool.dice - 1) @ ice().d6 + wild + pool.pips
    made = Fraction(int(peer.quantity(">=", number)), int(peer.denominator()))
    assert dice.chance(pool, number, wild=True) == made
