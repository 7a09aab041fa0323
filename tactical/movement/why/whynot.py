"""Why a cell cannot be ended on: the nearest reason, and what would change it.

Looked for in this order: the cell itself; what it would cost, in windows that grow until the cell is reached; whether
anything joins it to the start at all; and then what bars the way, by taking obstacles away one kind at a time.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from tactical.errors import Refusal
from tactical.movement.found import Found
from tactical.movement.graph.lattice import Lattice
from tactical.movement.query import Query
from tactical.movement.situation import covered
from tactical.movement.steps.refusal import why_end
from tactical.movement.why.barred import barrier, between, obstacles
from tactical.movement.why.components import component_labels, parted
from tactical.movement.why.unpaid import bands_of_pool, why_unpaid
from tactical.search.kernel import search
from tactical.search.slices import Slices, whole
from tactical.units import Cell, exact, show
from tactical.values import once
from tactical.world.window import Window

if TYPE_CHECKING:
    from tactical.search.result import Settled

WIDENED = (1, 4, 16, 64)
"""How many times the budget is looked for, one after the other."""

LARGE = 100_000
"""Windows of more cells than this are not searched to explain a refusal; a lower bound must do."""


def why_not(found: Found, cell: Cell) -> Refusal | None:
    """The nearest reason why a reach does not end on `cell`."""
    return whole(reasoning(found, cell))


def reasoning(found: Found, cell: Cell) -> Slices[Refusal | None]:
    """The same in slices, for those who must not wait."""
    query = found.query
    name = found.battlemap.name_of(cell) if cell in found.battlemap else str(cell)
    if cell not in found.battlemap:
        return Refusal("move.off_map", {"cell": name})
    closed = next((gait for gait in query.profile.gaits if gait.name == found.gait), None)
    own = None if closed is None or found.gaits else query.refused(closed)
    refused = covered(query) if own is None else own
    if refused is not None:
        return refused
    if not found.gaits:
        return Refusal("rules.not_covered", {"why": "there is no way to move this turn"})
    pool = found.gaits[0].pool
    near = Window.around(found.battlemap, [cell], query.mover.size + 1)
    here = yield from query.drawing_of(pool, near, limited=False)
    reason = why_end(here, cell)
    if reason is not None:
        return reason
    pools = dict.fromkeys(gait.pool for gait in found.gaits)
    reason = _no_pace(query, pools, here, cell)
    if reason is not None:
        return reason
    yield
    if _small(found) and all(parted(query, one, cell) for one in pools):
        reason = yield from _barred(found, cell, name)
        return reason
    # of several gaits the one that comes nearest says why
    far = []
    for one in pools:
        yield
        reason = yield from farther(found, one, cell)
        far += [] if reason is None else [reason]
    if far:
        return min(far, key=_lack)
    reason = yield from _barred(found, cell, name)
    return reason


def _no_pace(query: Query, pools: Iterable[str], here: Lattice, cell: Cell) -> Refusal | None:
    """The rules' refusal of the ground itself, where no gait and posture has a pace on it."""
    place = here.site.place(cell)
    if place is None:
        return None
    ground = here.site.kinds[int(here.site.core(here.site.kind)[place])]
    refused: Refusal | None = None
    for pool in pools:
        for posture in query.profile.postures:
            pace = query.profile.pace(pool, posture, ground, False)
            if not isinstance(pace, Refusal):
                return None
            refused = pace if refused is None else refused
    return refused


def _lack(reason: Refusal) -> Fraction:
    """How much a way is short of, for choosing among refusals."""
    return exact(reason.params["short"]) if "short" in reason.params else Fraction(10**9)


def _small(found: Found) -> bool:
    """Whether the whole map may be looked at to explain a refusal."""
    return found.battlemap.cols * found.battlemap.rows * len(found.battlemap.levels) <= LARGE


def farther(found: Found, pool: str, cell: Cell) -> Slices[Refusal | None]:
    """In slices: the refusal of a cell that could be reached with more movement, or None where no movement would do."""
    query = found.query
    budget = max((band.budget for band in bands_of_pool(found, pool)), default=Fraction(0))
    names = {"cell": found.battlemap.name_of(cell), "unit": found.unit}
    tried = Fraction(0)
    # on a small map all that bars the way is looked for on the graph of all of it anyhow
    for times in WIDENED[-1:] if _small(found) else WIDENED:
        wide = times * max(budget, query.battlemap.cell * query.least(pool))
        window = query.window(pool, wide) if times < WIDENED[-1] else Window.whole(found.battlemap)
        everywhere = window == Window.whole(found.battlemap)
        if times > 1 and window.width * window.height * len(window.levels) > LARGE:
            least = _at_least(query, pool, cell)
            if least <= WIDENED[-1] * budget and parted(query, pool, cell):
                reason = yield from _barred(found, cell, names["cell"])
                return reason
            # what was looked through so far was not enough
            return Refusal("move.far", {**names, "cost": show(max(least, tried)), "budget": show(budget)})
        everything = query.drawing(pool, None, limited=False)
        lattice = yield from everything if everywhere else query.drawing_of(pool, window, limited=False)
        yield
        place = lattice.site.place(cell)
        settled = _settled(query, lattice, None if everywhere else wide)
        yield
        if place is not None and settled is not None:
            goals = [lattice.draft.node(layer, place) for layer in range(len(lattice.draft.layers))]
            costs = {
                g: cost
                for g in goals
                if (cost := settled.cost_of(g)) is not None
                and lattice.stops[g]
                and found.arrive in ("", lattice.state(g).posture)
            }
            if costs:
                goal = min(costs, key=lambda g: (costs[g], g))
                return why_unpaid(found, lattice, settled, goal, names)
        if everywhere:
            return None
        tried = lattice.cost(lattice.whole(wide) + 1)
    return None


def _settled(query: Query, lattice: Lattice, budget: Fraction | None) -> Settled | None:
    node = lattice.node(query.start)
    if node is None:
        return None
    limit = None if budget is None else lattice.whole(budget)
    return once(query.kept, ("settled", lattice, budget), lambda: search(lattice.compiled, [node], budget=limit))


def _at_least(query: Query, pool: str, cell: Cell) -> Fraction:
    """A cost that no way to the cell can undercut: as many steps as the crow flies, at the least that a step costs."""
    start, grid = query.start.cell, query.battlemap.grid
    (i, j), (k, m) = grid.store(start.col, start.row), grid.store(cell.col, cell.row)
    return int(max(abs(i - k), abs(j - m))) * query.least(pool)


def _barred(found: Found, cell: Cell, name: str) -> Slices[Refusal]:
    """In slices: what bars the way to a cell that no movement reaches: the first thing whose absence opens it."""
    nothing = Refusal("move.unreachable", {"cell": name})
    shifty = [code for way in found.query.ways for code in way.shifty]
    best: tuple[tuple[int, Fraction], Refusal] | None = None
    for pool in dict.fromkeys(gait.pool for gait in found.gaits):
        reason = yield from _bar(found, pool, cell)
        code = "" if reason is None else reason.params.get("code", reason.code)
        if reason is None or code not in shifty:
            best = ((-1, Fraction(0)), reason) if best is None and reason is not None else best
            break
        # of what one gait meets and another need not, the nearest to success is told
        near = shifty.index(code), -exact(reason.params.get("longest", 0))
        if best is None or near < best[0]:
            best = near, reason
    if best is None:
        return nothing
    return Refusal("move.barred", {**best[1].params, "cell": name}) if best[1].code == "move.barred" else best[1]


def _bar(found: Found, pool: str, cell: Cell) -> Slices[Refusal | None]:
    query = found.query
    draft, label = component_labels(query, pool)
    place = draft.site.place(cell)
    assert place is not None
    apart, asked = parted(query, pool, cell), cell
    if not _small(found):
        reason = (yield from between(query, pool, cell, draft, label)) if apart else None
        return reason
    if apart:
        # what bars one cell of a component bars them all: its first one is asked about, whichever was named first;
        # not a gap, which has a reason of its own
        room, number = draft.room, label[draft.node(0, place)]
        _, height, width = draft.site.shape
        alike = np.flatnonzero(label[:room] == number)
        firm = alike[draft.site.core(draft.site.fact("gap")).reshape(-1)[alike] == 0]
        rest, i = divmod(int((firm if len(firm) else alike)[0]), width)
        cell = draft.site.cell(*divmod(rest, height), i)
    key = ("barred", pool, cell, found.arrive)
    if key not in query.kept:
        query.kept[key] = yield from barrier(query, pool, cell, arrive=found.arrive, parted=apart)
    reason = query.kept[key]
    levels = {obstacle.name for obstacle in obstacles(query) if obstacle.nowhere is not None}
    if reason is not None and reason.params.get("try") in levels:
        # nothing leads to this very cell, which its words name
        reason = yield from barrier(query, pool, asked, arrive=found.arrive, parted=apart)
    return reason
