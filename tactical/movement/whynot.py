"""Why a cell cannot be ended on: the nearest reason, and what would change it.

Looked for in this order: the cell itself; what it would cost, in windows that grow until the cell is reached; whether
anything joins it to the start at all; and then what bars the way, by taking obstacles away one kind at a time.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from tactical.errors import Refusal
from tactical.movement.bands import Band
from tactical.movement.components import labels
from tactical.movement.draft import Draft
from tactical.movement.kernel import search
from tactical.movement.lattice import Lattice
from tactical.movement.ledger import steps_of
from tactical.movement.paths import Tree
from tactical.movement.query import Query, covered
from tactical.movement.refusal import why_cell, why_jump, why_step, why_stop
from tactical.units import Cell, exact, show
from tactical.world.barriers import DoorState, Kind
from tactical.world.window import Window

if TYPE_CHECKING:
    from tactical.movement.draft import Array
    from tactical.movement.reach import Reach
    from tactical.movement.settled import Settled

WIDENED = (1, 4, 16, 64)
"""How many times the budget is looked for, one after the other."""

ANY_DAMAGE = Fraction(10**9)
"""More than any fall does."""

LARGE = 100_000
"""Windows of more cells than this are not searched to explain a refusal; a lower bound must do."""

# What is tried, one at a time, to find what stands in the way: the word, and the options that take it away.
RELAXED: tuple[tuple[str, dict[str, object]], ...] = (
    ("hazard", {"hazard_policy": "ignore"}),
    ("others", {}),
    ("doors", {}),
    ("known", {"unknown_cells": "plain"}),
    ("ledges", {"ledge_up": "climb", "ledge_down": "climb"}),
    ("falls", {}),
    ("corner", {"corner": "free"}),
    ("climb", {"climb_factor": 2}),
    ("gaps", {}),
    ("body", {}),
    ("squeeze", {"squeeze": True}),
    ("barriers", {}),
)


def why_not(found: Reach, cell: Cell) -> Refusal | None:
    """The nearest reason why a reach does not end on `cell`."""
    query = found.query
    name = found.battlemap.name_of(cell) if cell in found.battlemap else str(cell)
    if cell not in found.battlemap:
        return Refusal("move.off_map", {"cell": name})
    refused = covered(query)
    if refused is not None:
        return refused
    if not found.gaits:
        return Refusal("rules.not_covered", {"why": "there is no way to move this turn"})
    pool = found.gaits[0].pool
    here = query.lattice_of(pool, Window.around(found.battlemap, [cell], query.mover.size + 1), limited=False)
    # a Refusal is falsy, so `or` would lose it
    reason = why_cell(here, cell)
    reason = why_stop(here, cell) if reason is None else reason
    if reason is not None:
        return reason
    pools = dict.fromkeys(gait.pool for gait in found.gaits)
    reason = _no_pace(query, pools, here, cell)
    if reason is not None:
        return reason
    if _small(found) and all(parted(query, one, cell) for one in pools):
        return _barred(found, cell, name)
    # of several gaits the one that comes nearest says why
    far = [reason for one in pools if (reason := farther(found, one, cell)) is not None]
    return min(far, key=_lack) if far else _barred(found, cell, name)


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


def _small(found: Reach) -> bool:
    """Whether the whole map may be looked at to explain a refusal."""
    return found.battlemap.cols * found.battlemap.rows * len(found.battlemap.levels) <= LARGE


def component_labels(query: Query, pool: str) -> tuple[Draft, Array]:
    """The labels of the whole map's components, worked out once for a question."""
    key = ("labels", pool)
    if key not in query.kept:
        draft = Draft(query.site_everywhere, query.profile, query.options, pool, False)
        query.kept[key] = (draft, labels(draft))
    found: tuple[Draft, Array] = query.kept[key]
    return found


def parted(query: Query, pool: str, cell: Cell) -> bool:
    """Whether nothing at all joins a cell to the start."""
    draft, label = component_labels(query, pool)
    start, end = draft.site.place(query.start.cell), draft.site.place(cell)
    if start is None or end is None:
        return True
    return bool(label[draft.node(0, start)] != label[draft.node(0, end)])


def farther(found: Reach, pool: str, cell: Cell) -> Refusal | None:
    """The refusal of a cell that could be reached with more movement, or None where no movement would do."""
    query = found.query
    budget = max((band.budget for band in _bands(found, pool)), default=Fraction(0))
    names = {"cell": found.battlemap.name_of(cell), "unit": found.unit}
    for times in WIDENED:
        wide = times * max(budget, query.battlemap.cell * query.least(pool))
        window = query.window(pool, wide) if times < WIDENED[-1] else Window.whole(found.battlemap)
        whole = window == Window.whole(found.battlemap)
        if window.width * window.height * len(window.levels) > LARGE:
            if _at_least(query, pool, cell) <= times * budget and parted(query, pool, cell):
                return Refusal("move.unreachable", names)
            return Refusal("move.far", {**names, "cost": show(_at_least(query, pool, cell)), "budget": show(budget)})
        lattice = query.lattice_of(pool, window, limited=False)
        place = lattice.site.place(cell)
        settled = _settled(query, lattice, None if whole else wide)
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
                return _too_far(found, lattice, settled, goal, names)
        if whole:
            return None
    return None


def _bands(found: Reach, pool: str) -> list[Band]:
    """The bands of this turn that a pool pays for."""
    return [band for band in found.bands if band.turn == 1 and found.profile.gait(band.gait).pool == pool]


def _settled(query: Query, lattice: Lattice, budget: Fraction | None) -> Settled | None:
    node = lattice.node(query.start)
    if node is None:
        return None
    key = ("settled", lattice, budget)
    if key not in query.kept:
        limit = None if budget is None else int(budget // lattice.tick)
        query.kept[key] = search(lattice.compiled, [node], budget=limit)
    found: Settled = query.kept[key]
    return found


def _at_least(query: Query, pool: str, cell: Cell) -> Fraction:
    """A cost that no way to the cell can undercut: as many steps as the crow flies, at the least that a step costs."""
    start, grid = query.start.cell, query.battlemap.grid
    (i, j), (k, m) = grid.store(start.col, start.row), grid.store(cell.col, cell.row)
    return int(max(abs(i - k), abs(j - m))) * query.least(pool)


def _too_far(found: Reach, lattice: Lattice, settled: Settled, goal: int, names: dict[str, Any]) -> Refusal:
    query = found.query
    cost = lattice.cost(settled.dist[goal])
    most = max((band.budget for band in _bands(found, lattice.pool)), default=Fraction(0))
    budget = most - query.turn.spent - found.reserve
    steps = steps_of(lattice, [(1, Tree(lattice, settled).path(goal))], Fraction(0))
    dearest = max((step.cost for step in steps), default=Fraction(0))
    minimum = min((band.minimum for band in _bands(found, lattice.pool)), default=Fraction(0))
    if dearest > found.bands[-1].budget:
        return Refusal("move.too_dear", {**names, "cost": show(dearest), "budget": show(found.bands[-1].budget)})
    if cost < minimum:
        return Refusal("move.min_distance", {**names, "length": show(cost), "minimum": show(minimum)})
    limit = query.options["door_limit"]
    doors = sum(any(charge.name == "door" for charge in step.charges) for step in steps)
    if cost <= budget and limit is not None and doors > limit:
        return Refusal("move.doors", {**names, "doors": doors, "limit": show(limit)})
    extras = [f"{step.way} {show(step.cost)}" for step in steps if not step.moves and step.cost]
    extras += [
        f"{charge.name.replace('_', ' ')} {show(charge.value)}"
        for step in steps
        for charge in step.charges
        if charge.flat and charge.value and step.moves
    ]
    note = f" ({', '.join(extras)} included)" if extras else ""
    params = {**names, "cost": show(cost), "budget": show(budget), "because": ", ".join(extras), "note": note}
    if found.turns > 1:
        return Refusal("move.turns", {**params, "turns": found.turns})
    return Refusal("move.budget", {**params, "short": show(cost - budget)})


def _barred(found: Reach, cell: Cell, name: str) -> Refusal:
    """What bars the way to a cell that no amount of movement reaches: the first thing whose absence opens it."""
    query, pool = found.query, found.gaits[0].pool
    if not _small(found):
        return Refusal("move.unreachable", {"cell": name})
    draft, label = component_labels(query, pool)
    place = draft.site.place(cell)
    assert place is not None
    # what bars one cell of a component bars them all
    key = ("barred", int(label[draft.node(0, place)]) if parted(query, pool, cell) else cell)
    if key not in query.kept:
        query.kept[key] = _barrier(found, pool, cell)
    reason: Refusal | None = query.kept[key]
    if reason is None:
        return Refusal("move.unreachable", {"cell": name})
    return Refusal("move.barred", {**reason.params, "cell": name})


def _barrier(found: Reach, pool: str, cell: Cell) -> Refusal | None:
    for word, options in RELAXED:
        query = _relaxed(found.query, word, options)
        if query is None:
            continue
        lattice = query.lattice(pool, None, limited=False)
        place = lattice.site.place(cell)
        settled = _settled(query, lattice, None)
        if place is None or settled is None:
            continue
        goals = [lattice.draft.node(layer, place) for layer in range(len(lattice.draft.layers))]
        hit = next((goal for goal in goals if goal in settled), None)
        if hit is not None:
            return _named(found.query.lattice(pool, None, limited=False), lattice, settled, hit, word)
    return None


def _relaxed(query: Query, word: str, options: dict[str, object]) -> Query | None:
    """The question without one kind of obstacle; None where there is none of that kind."""
    key = ("relaxed", word)
    if key not in query.kept:
        changed: Query | None
        if word == "others":
            changed = query.changed(others=()) if query.others else None
        elif word == "doors":
            shut = {
                n
                for n, barrier in enumerate(query.battlemap.barriers)
                if barrier.kind is Kind.DOOR and barrier.state not in (DoorState.SECRET, DoorState.OPEN)
            }
            changed = query.changed(opened=query.opened | shut) if shut else None
        elif word == "gaps":
            changed = _bridged(query)
        elif word == "body":
            small = replace(query.mover, size=1, size_class="")
            changed = query.changed(mover=small) if query.mover.size > 1 else None
        elif word == "falls":
            changed = _fearless(query)
        elif word == "barriers":
            changed = query.changed(battlemap=query.battlemap.with_(barriers=())) if query.battlemap.barriers else None
        elif all(query.options[name] == value for name, value in options.items()):
            changed = None
        else:
            changed = query.changed(options=query.options.set(options))
        query.kept[key] = changed
    found: Query | None = query.kept[key]
    return found


def _bridged(query: Query) -> Query | None:
    """The question on a map whose gaps can be walked over; None where there are none."""
    palette = tuple(replace(ground, gap=False) for ground in query.battlemap.palette)
    if palette == query.battlemap.palette:
        return None
    return query.changed(battlemap=replace(query.battlemap, palette=palette))


def _fearless(query: Query) -> Query | None:
    """The question of somebody who takes any fall; None where there are none."""
    fall = query.profile.fall
    if fall is None or query.options["ledge_down"] != "drop":
        return None
    changed = query.changed()
    # the profile is worked out once for a question; this one is the same but for the fear of falling
    vars(changed)["profile"] = replace(query.profile, fall=replace(fall, accepted=ANY_DAMAGE))
    return changed


def _named(strict: Lattice, lattice: Lattice, settled: Settled, goal: int, word: str) -> Refusal | None:
    path = Tree(lattice, settled).path(goal)
    for n, (start, end, _, _) in enumerate(path):
        here, there = lattice.state(start), lattice.state(end)
        here = here._replace(run_up=0, doors=0, squeezed=False)
        if here.cell == there.cell or strict.node(here) is None:
            continue
        reason = why_step(strict, here, there.cell)
        if reason is not None and reason.code == "move.gap":
            beyond = [lattice.cell(edge[1]) for edge in path[n:]]
            landing = next((cell for cell in beyond if not strict.site.battlemap.terrain(cell).gap), there.cell)
            reason = why_jump(strict, here, landing, dict(reason.params))  # type: ignore[arg-type]
        if reason is not None and reason.code != "move.not_adjacent":
            return Refusal("move.barred", {"by": reason.text, "code": reason.code, "try": word})
    return None
