"""The chances of a whole reach against what counts every way out, in fractions, with nothing shared and nothing cut."""

from __future__ import annotations

import heapq
from dataclasses import replace
from fractions import Fraction
from itertools import chain, combinations, count
from random import Random
from typing import Any

import pytest

from tactical import Battlemap, Cell, Mover, reach
from tactical.errors import Refusal
from tactical.movement.rolls.chances import lattice_of
from tactical.movement.rolls.odds import chance_of, roll_chance
from tactical.movement.steps.explain import explain

LEGEND: dict[str, dict[str, object]] = {
    ".": {"level": "VE", "number": 3}, "o": {"gap": True}, "b": {"elevation": 1, "level": "E", "number": 7},
    "w": {"water": "wading", "level": "M", "number": 12}, "r": {"rough": True, "uneven": True, "slick": True},
    "W": {"water": "deep", "current": "choppy", "level": "D", "number": 17}, "#": {"impassable": True},
}  # fmt: skip
ROLLED_ON_THE_WAY = [
    Mover("m", "operator", {"speed": 20}), Mover("m", "operator", {"speed": 15}, size=2),
    Mover("m", "twelve-second", {"strength": 13, "dexterity": 12, "endurance": 11, "acrobatics": True}),
    Mover("m", "shapers", {"pa": 12, "ps": 11, "pf": 12}),
]  # fmt: skip
ROLLED_AT_ONCE = [
    Mover("m", "d6-reup", {"move": 4, "code": "3D", "previous": "cruising"}),
    Mover("m", "d6-reup", {"move": 3, "code": "4D+1", "swimming": "2D", "previous": "high"}),
    Mover("m", "d6-revised", {"kind": "vehicle", "move": 4, "code": "3D", "previous": "cautious"}),
]


def board(rng: Random, mover: Mover, letters: str) -> tuple[Battlemap, Mover]:
    rows = ["".join(rng.choice(letters) for _ in range(4)) for _ in range(4)]
    rows[1] = "..." + rows[1][3:]
    rows[2] = "..." + rows[2][3:]
    feet = mover.rules == "operator"
    place = Battlemap.from_rows(rows, LEGEND, cell=5 if feet else 1, unit="ft" if feet else "m")
    return place, replace(mover, at=Cell(0, 1))


def brute(found: Any, gait: Any) -> dict[Cell, Fraction]:
    """Every way that no other beats in cost and chance, one label at a time."""
    lattice, query = lattice_of(found, gait), found.query
    best: dict[Cell, Fraction] = {}
    labels: dict[tuple[int, str, frozenset[str]], Fraction] = {}
    order = count()
    begun = query.turn.spent, Fraction(-1), next(order), lattice.node(found.start), "", frozenset(query.turn.passed)
    queue: list[Any] = [begun]
    while queue:
        cost, minus, _, node, run, held = heapq.heappop(queue)
        if labels.get((node, run, held), Fraction(-1)) >= -minus:
            continue
        labels[node, run, held] = -minus
        there = -minus * roll_chance(gait, cost)
        if gait.minimum <= cost and lattice.stops[node]:
            best[lattice.cell(node)] = max(best.get(lattice.cell(node), there), there)
        for target, ticks, slot in lattice.edges(node):
            step = explain(lattice, node, target, ticks, slot)
            if cost + step.cost > gait.budget:
                continue
            check, way = step.check, step.way if step.moves else ""
            part, now, then = Fraction(1), run if way and way == run else "", held
            if check is not None:
                found_part = chance_of(check)
                if isinstance(found_part, Refusal):
                    continue
                part = found_part
                if check.per == "stretch":
                    part, now = (Fraction(1), run) if now else (part, way)
                elif check.per == "round":
                    part, now, then = Fraction(1) if check.kind in held else part, "", held | {check.kind}
                else:
                    now = ""
            heapq.heappush(queue, (cost + step.cost, minus * part, next(order), target, now, then))
    return best


def at_once(found: Any, gait: Any) -> dict[Cell, Fraction]:
    """The best of the cheapest ways over every set of grounds, each judged as if it entered all of them.

    With one skill it does not matter in which order.
    """
    lattice, query = lattice_of(found, gait), found.query
    kinds = lattice.site.core(lattice.site.kind).reshape(-1)
    used = sorted(n for n in set(kinds.tolist()) if not lattice.site.kinds[n].impassable)
    best: dict[Cell, Fraction] = {}
    for some in chain.from_iterable(combinations(used, n) for n in range(len(used) + 1)):
        done: dict[int, Fraction] = {}
        queue = [(query.turn.spent, lattice.node(found.start))]
        while queue:
            cost, node = heapq.heappop(queue)
            if node in done:
                continue
            done[node] = cost
            for target, ticks, _ in lattice.edges(node):
                price = cost + lattice.cost(ticks)
                if price <= gait.budget and int(kinds[target % lattice.draft.room]) in some:
                    heapq.heappush(queue, (price, target))
        for node, cost in done.items():
            if cost < gait.minimum or not lattice.stops[node] or (not some and cost):
                continue
            grounds = tuple(lattice.site.kinds[n] for n in some)
            odds = query.ruleset.odds(query.stats, query.turn, query.options, gait.name, cost, grounds)
            if not isinstance(odds, Refusal):
                there = sum((part for outcome, part in odds if (outcome.moved or 0) >= cost), Fraction(0))
                best[lattice.cell(node)] = max(best.get(lattice.cell(node), there), there)
    return best


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("mover", [*ROLLED_ON_THE_WAY, *ROLLED_AT_ONCE], ids=lambda mover: mover.rules)
def test_chances_are_those_of_every_way_counted_out(mover: Mover, seed: int) -> None:
    whole = mover in ROLLED_AT_ONCE
    place, mover = board(Random(seed), mover, "..wr#.b" if whole else "..woWrb.")
    found = reach(place, mover)
    best: dict[Cell, tuple[Fraction, str]] = {}
    for gait in found.gaits:
        for cell, chance in (at_once if whole else brute)(found, gait).items():
            if cell not in best or chance > best[cell][0]:
                best[cell] = chance, gait.name
    best.pop(found.start.cell, None)
    assert {cell: (one.chance, one.gait) for cell, one in found.chances.items()} == best
