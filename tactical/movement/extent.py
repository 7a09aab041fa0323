"""How much of a map a question looks at, and on how much of it the graph lies that answers it."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from math import ceil
from typing import Any

from tactical.movement.graph.pricing import can_jump, kinds_of
from tactical.movement.situation import Situation
from tactical.rules.profile import Pace
from tactical.units import Cell
from tactical.values import once
from tactical.world.battlemap import Battlemap
from tactical.world.edges.baking import MANY
from tactical.world.window import Window

KEPT_WHOLE = 20_000
"""The graph of a map of up to so many cells is kept as a whole."""
PART = 64
"""Graphs of parts of larger maps begin and end at multiples of so many cells; where there are many walls, of fewer."""


def least(situation: Situation, pool: str) -> Fraction:
    """The least that one cell can cost anywhere on the map."""
    found: Fraction | None = situation.known.get(("least", pool))
    if found is None:
        found = situation.known["least", pool] = _least(situation, pool)
    return found


def _least(situation: Situation, pool: str) -> Fraction:
    found: list[Fraction] = []
    # in an order: which of them a rule system is told to fail at must not depend on hashes
    for posture in situation.profile.postures:
        for ground in kinds_of(situation.battlemap):
            if not ground.impassable or posture in situation.profile.media:
                pace = situation.profile.pace(pool, posture, ground, False)
                if isinstance(pace, Pace):
                    found.append(situation.battlemap.cell * pace.base * pace.joined(situation.options["cost_stacking"]))
    found += _rates(situation, pool)
    passing: Fraction = min(Fraction(1), situation.options["ally_cost"], situation.options["enemy_pass_cost"])
    return min(found, default=Fraction(0)) * passing


def _rates(situation: Situation, pool: str) -> list[Fraction]:
    """What a cell's length costs by each way that leads farther than to a neighbour and says so."""
    rates = (way.rate(situation, pool) for way in situation.ways if way.rate is not None)
    return [rate for rate in rates if rate is not None]


def window(situation: Situation, pool: str, budget: Fraction | None, turns: int) -> Window:
    """The part of the map that `budget`, spent in so many turns, can reach; with None the whole of it."""
    cells_away = radius(situation, pool, budget, turns)
    if cells_away is None:
        return Window.whole(situation.battlemap)
    around, cells = cells_away + situation.mover.size + 1, [situation.start.cell]
    # whoever may take a link comes out at its other end
    leaps = far(situation)
    grown = bool(leaps)
    while grown:
        grown = False
        for here, there in leaps:
            if there not in cells and any(_within(situation.battlemap, here, cell, around) for cell in cells):
                cells.append(there)
                grown = True
    if len(cells) > 1:
        return Window.around(situation.battlemap, cells, around)
    whole = situation.known.get("whole")
    if whole is None:
        whole = situation.known["whole"] = Window.whole(situation.battlemap)
    start = situation.start.cell
    i, j = situation.battlemap.grid.store(start.col, start.row)
    left, top = max(whole.i, i - around), max(whole.j, j - around)
    right, bottom = min(whole.i + whole.width - 1, i + around), min(whole.j + whole.height - 1, j + around)
    return Window(left, top, max(right - left + 1, 1), max(bottom - top + 1, 1), (start.level,))


def radius(situation: Situation, pool: str, budget: Fraction | None, turns: int) -> int | None:
    """How many cells away a budget can lead; None where that is no bound."""
    key = ("radius", pool, budget, turns)
    return once(situation.known, key, lambda: _radius(situation, pool, budget, turns))


def _radius(situation: Situation, pool: str, budget: Fraction | None, turns: int) -> int | None:
    cheapest = Fraction(0) if budget is None else least(situation, pool)
    if budget is None or cheapest <= 0:
        return None
    # more may have been spent than the speed of now buys
    budget = max(budget, Fraction(0))
    if situation.options["grid_rounding"] == "cover_full_cost":
        return ceil(budget / cheapest)
    # every turn may make one step that it cannot pay in full, and that may lead far
    return None if _rates(situation, pool) else ceil(budget / cheapest) + turns


def far(situation: Situation) -> tuple[tuple[Cell, Cell], ...]:
    """From where to where one may get in a single step, however far: links, and what other ways offer."""
    found: tuple[tuple[Any, ...], tuple[tuple[Cell, Cell], ...]] | None = situation.known.get("far")
    if found is None or found[0] != situation.ways:
        ways = [way for way in situation.ways if way.far is not None]
        found = situation.ways, tuple(pair for way in ways for pair in way.far(situation.battlemap))
        situation.known["far"] = found
    return found[1]


def _within(battlemap: Battlemap, a: Cell, b: Cell, radius: int) -> bool:
    if a.level != b.level:
        return False
    (i, j), (k, m) = battlemap.grid.store(a.col, a.row), battlemap.grid.store(b.col, b.row)
    return bool(max(abs(i - k), abs(j - m)) <= radius)


def wide(situation: Situation, near: Window) -> Window:
    """The window of the graph that is kept for questions about a part of the map: that part and more.

    A small map is kept as a whole, a large one in parts that begin and end at certain lines.
    """
    battlemap = situation.battlemap
    if narrow(situation):
        return near
    whole: Window = situation.known["jumps"][1]
    if not in_parts(situation, len(near.levels)):
        return whole if whole.levels == near.levels else replace(whole, levels=near.levels)
    part = PART if len(battlemap.barriers) < MANY else PART // 4
    low = [max((at - begin) // part * part, 0) + begin for at, begin in ((near.i, whole.i), (near.j, whole.j))]
    high = [
        min(-((begin - at - size) // part) * part, most) + begin
        for at, size, begin, most in (
            (near.i, near.width, whole.i, whole.width),
            (near.j, near.height, whole.j, whole.height),
        )
    ]
    return Window(low[0], low[1], high[0] - low[0], high[1] - low[1], near.levels)


def narrow(situation: Situation) -> bool:
    """Whether graphs lie on just the window that a question looks at.

    What there is to jump over decides how much run-up a state counts.
    """
    if "jumps" not in situation.known:
        situation.known["jumps"] = can_jump(situation.battlemap, situation.profile), Window.whole(situation.battlemap)
    return bool(situation.known["jumps"][0])


def in_parts(situation: Situation, levels: int = 1) -> bool:
    """Whether a graph of so many levels of the map is kept in parts."""
    battlemap = situation.battlemap
    return battlemap.cols * battlemap.rows * levels > KEPT_WHOLE or len(battlemap.barriers) >= MANY
