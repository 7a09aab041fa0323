"""Why a cell cannot be ended on: the nearest reason, and what would change it."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from tactical.errors import Refusal
from tactical.movement.kernel import search
from tactical.movement.lattice import Lattice
from tactical.movement.ledger import steps_of
from tactical.movement.paths import Tree
from tactical.movement.query import covered
from tactical.movement.refusal import why_cell, why_stop
from tactical.units import Cell, show
from tactical.world.barriers import DoorState, Kind

if TYPE_CHECKING:
    from tactical.movement.reach import Reach

# What is tried, one at a time, to find what stands in the way: the word, and the options that take it away.
RELAXED: tuple[tuple[str, dict[str, object]], ...] = (
    ("hazard", {"hazard_policy": "ignore"}),
    ("others", {}),
    ("doors", {}),
    ("known", {"unknown_cells": "plain"}),
    ("ledges", {"ledge_up": "climb", "ledge_down": "climb"}),
    ("corner", {"corner": "free"}),
    ("squeeze", {"squeeze": True}),
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
    lattice = query.lattice(pool, None, limited=False)
    # a Refusal is falsy, so `or` would lose it
    reason = why_cell(lattice, cell)
    reason = why_stop(lattice, cell) if reason is None else reason
    if reason is not None:
        return reason
    far = farther(found, lattice, cell)
    if far is not None:
        return far
    return _barred(found, cell, name)


def farther(found: Reach, lattice: Lattice, cell: Cell) -> Refusal | None:
    """The refusal of a cell that could be reached with more movement, or None where no movement would do."""
    query = found.query
    node, place = lattice.node(query.start), lattice.site.place(cell)
    if node is None or place is None:
        return None
    settled = everywhere(found, lattice, node)
    goals = [lattice.draft.node(layer, place) for layer in range(len(lattice.draft.layers))]
    costs = {goal: cost for goal in goals if (cost := settled.cost_of(goal)) is not None and lattice.stops[goal]}
    if not costs:
        return None
    goal = min(costs, key=lambda g: (costs[g], g))
    cost = lattice.cost(costs[goal])
    band = found.bands[-1]
    budget = max((b.budget for b in found.bands if b.turn == 1), default=Fraction(0)) - query.turn.spent - found.reserve
    steps = steps_of(lattice, [(1, Tree(lattice, settled).path(goal))], Fraction(0))
    dearest = max((step.cost for step in steps), default=Fraction(0))
    names = {"cell": found.battlemap.name_of(cell), "unit": found.unit}
    minimum = min((b.minimum for b in found.bands), default=Fraction(0))
    if dearest > band.budget:
        return Refusal("move.too_dear", {**names, "cost": show(dearest), "budget": show(band.budget)})
    if cost < minimum:
        return Refusal("move.min_distance", {**names, "length": show(cost), "minimum": show(minimum)})
    if found.turns > 1:
        return Refusal("move.turns", {**names, "turns": found.turns, "cost": show(cost)})
    extras = [f"{step.way} {show(step.cost)}" for step in steps if not step.moves and step.cost]
    extras += [
        f"{charge.name} {show(charge.value)}"
        for step in steps
        for charge in step.charges
        if charge.flat and charge.value and step.moves
    ]
    params = {
        **names,
        "short": show(cost - budget),
        "cost": show(cost),
        "budget": show(budget),
        "because": ", ".join(extras),
    }
    return Refusal("move.budget", params)


def everywhere(found: Reach, lattice: Lattice, node: int):  # type: ignore[no-untyped-def]
    """The unlimited search from the start over the whole map (kept for the next question)."""
    key = ("everywhere", id(lattice))
    if key not in found.query.kept:
        found.query.kept[key] = search(lattice.compiled, [node])
    return found.query.kept[key]


def _barred(found: Reach, cell: Cell, name: str) -> Refusal:
    """What bars the way to a cell that no amount of movement reaches: the first thing whose absence opens it."""
    pool = found.gaits[0].pool
    for word, options in RELAXED:
        query = found.query
        if word == "others":
            query = query.changed(others=())
        elif word == "doors":
            shut = {
                n
                for n, b in enumerate(found.battlemap.barriers)
                if b.kind is Kind.DOOR and b.state is not DoorState.SECRET
            }
            query = query.changed(opened=frozenset(shut))
        elif options.items() <= dict(query.options).items():
            continue
        if options:
            query = query.changed(options=query.options.set(options))
        lattice = query.lattice(pool, None, limited=False)
        node, place = lattice.node(query.start), lattice.site.place(cell)
        if node is None or place is None:
            continue
        settled = search(lattice.compiled, [node])
        goals = [lattice.draft.node(layer, place) for layer in range(len(lattice.draft.layers))]
        hit = next((goal for goal in goals if goal in settled), None)
        if hit is not None:
            return _named(found, lattice, settled, hit, word, name)
    return Refusal("move.unreachable", {"cell": name})


def _named(found: Reach, lattice: Lattice, settled, goal: int, word: str, name: str) -> Refusal:  # type: ignore[no-untyped-def]
    from tactical.movement.refusal import why_step

    strict = found.query.lattice(found.gaits[0].pool, None, limited=False)
    for start, end, _, _ in Tree(lattice, settled).path(goal):
        here, there = lattice.state(start), lattice.state(end)
        if here.cell == there.cell or strict.node(here._replace(run_up=0, doors=0)) is None:
            continue
        reason = why_step(strict, here._replace(run_up=0, doors=0, squeezed=False), there.cell)
        if reason is not None and reason.code != "move.not_adjacent":
            return Refusal("move.barred", {"cell": name, "by": reason.text, "code": reason.code, "try": word})
    return Refusal("move.unreachable", {"cell": name})
