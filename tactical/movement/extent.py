"""How much of a map a question looks at, and on how much of it the graph lies that answers it."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from math import ceil
from typing import TYPE_CHECKING

from tactical.movement.graph.pricing import can_jump, kinds_of
from tactical.movement.ways import Way
from tactical.rules.profile import Pace
from tactical.units import Cell
from tactical.world.battlemap import Battlemap
from tactical.world.edges.baking import MANY
from tactical.world.window import Window

if TYPE_CHECKING:
    from tactical.movement.query import Query

KEPT_WHOLE = 20_000
"""The graph of a map of up to so many cells is kept as a whole."""
PART = 64
"""Graphs of parts of larger maps begin and end at multiples of so many cells; where there are many walls, of fewer."""


def least(query: Query, pool: str) -> Fraction:
    """The least that one cell can cost anywhere on the map."""
    found: Fraction | None = query.known.get(("least", pool))
    if found is None:
        found = query.known["least", pool] = _least(query, pool)
    return found


def _least(query: Query, pool: str) -> Fraction:
    found: list[Fraction] = []
    # in an order: which of them a rule system is told to fail at must not depend on hashes
    for posture in query.profile.postures:
        for ground in kinds_of(query.battlemap):
            if not ground.impassable or posture in query.profile.media:
                pace = query.profile.pace(pool, posture, ground, False)
                if isinstance(pace, Pace):
                    found.append(query.battlemap.cell * pace.base * pace.joined(query.options["cost_stacking"]))
    found += _rates(query, pool)
    passing: Fraction = min(Fraction(1), query.options["ally_cost"], query.options["enemy_pass_cost"])
    return min(found, default=Fraction(0)) * passing


def _rates(query: Query, pool: str) -> list[Fraction]:
    """What a cell's length costs by each way that leads farther than to a neighbour and says so."""
    rates = (way.rate(query, pool) for way in query.ways if way.rate is not None)
    return [rate for rate in rates if rate is not None]


def window(query: Query, pool: str, budget: Fraction | None, turns: int) -> Window:
    """The part of the map that `budget`, spent in so many turns, can reach; with None the whole of it."""
    cells_away = radius(query, pool, budget, turns)
    if cells_away is None:
        return Window.whole(query.battlemap)
    around, cells = cells_away + query.mover.size + 1, [query.start.cell]
    # whoever may take a link comes out at its other end
    leaps = far(query)
    grown = bool(leaps)
    while grown:
        grown = False
        for here, there in leaps:
            if there not in cells and any(_within(query.battlemap, here, cell, around) for cell in cells):
                cells.append(there)
                grown = True
    if len(cells) > 1:
        return Window.around(query.battlemap, cells, around)
    whole = query.known.get("whole")
    if whole is None:
        whole = query.known["whole"] = Window.whole(query.battlemap)
    start = query.start.cell
    i, j = query.battlemap.grid.store(start.col, start.row)
    left, top = max(whole.i, i - around), max(whole.j, j - around)
    right, bottom = min(whole.i + whole.width - 1, i + around), min(whole.j + whole.height - 1, j + around)
    return Window(left, top, max(right - left + 1, 1), max(bottom - top + 1, 1), (start.level,))


def radius(query: Query, pool: str, budget: Fraction | None, turns: int) -> int | None:
    """How many cells away a budget can lead; None where that is no bound."""
    key = ("radius", pool, budget, turns)
    if key not in query.known:
        query.known[key] = _radius(query, pool, budget, turns)
    found: int | None = query.known[key]
    return found


def _radius(query: Query, pool: str, budget: Fraction | None, turns: int) -> int | None:
    cheapest = Fraction(0) if budget is None else least(query, pool)
    if budget is None or cheapest <= 0:
        return None
    if query.options["grid_rounding"] == "cover_full_cost":
        return ceil(budget / cheapest)
    # every turn may make one step that it cannot pay in full, and that may lead far
    return None if _rates(query, pool) else ceil(budget / cheapest) + turns


def far(query: Query) -> tuple[tuple[Cell, Cell], ...]:
    """From where to where one may get in a single step, however far: links, and what other ways offer."""
    found: tuple[tuple[Way, ...], tuple[tuple[Cell, Cell], ...]] | None = query.known.get("far")
    if found is None or found[0] != query.ways:
        ways = [way for way in query.ways if way.far is not None]
        found = query.ways, tuple(pair for way in ways for pair in way.far(query.battlemap))  # type: ignore[misc]
        query.known["far"] = found
    return found[1]


def _within(battlemap: Battlemap, a: Cell, b: Cell, radius: int) -> bool:
    if a.level != b.level:
        return False
    (i, j), (k, m) = battlemap.grid.store(a.col, a.row), battlemap.grid.store(b.col, b.row)
    return bool(max(abs(i - k), abs(j - m)) <= radius)


def wide(query: Query, near: Window) -> Window:
    """The window of the graph that is kept for questions about a part of the map: that part and more.

    A small map is kept as a whole, a large one in parts that begin and end at certain lines.
    """
    battlemap = query.battlemap
    if narrow(query):
        return near
    whole: Window = query.known["jumps"][1]
    if not in_parts(query, len(near.levels)):
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


def narrow(query: Query) -> bool:
    """Whether graphs lie on just the window that a question looks at.

    What there is to jump over decides how much run-up a state counts.
    """
    if "jumps" not in query.known:
        query.known["jumps"] = can_jump(query.battlemap, query.profile), Window.whole(query.battlemap)
    return bool(query.known["jumps"][0])


def in_parts(query: Query, levels: int = 1) -> bool:
    """Whether a graph of so many levels of the map is kept in parts."""
    battlemap = query.battlemap
    return battlemap.cols * battlemap.rows * levels > KEPT_WHOLE or len(battlemap.barriers) >= MANY


def watery(battlemap: Battlemap) -> bool:
    """Whether any ground of a map is water that not everybody can leave."""
    return any(ground.swum_by_some for ground in kinds_of(battlemap))
