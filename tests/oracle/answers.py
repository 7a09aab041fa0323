"""The oracle's answers to the questions of a map scenario, in the scenario's own terms."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from tests.oracle.board import Pos, exact
from tests.oracle.moves import Mover
from tests.oracle.search import (
    attack_frontier,
    ends,
    exposure_frontier,
    first_budget,
    over_turns,
    spread,
    unlimited,
)

Scenario = Mapping[str, Any]


def mover_of(scenario: Scenario) -> Mover:
    """The scenario's mover, with the knowledge that the question asks for."""
    return Mover(scenario, truth=scenario["ask"].get("knowledge") == "truth")


def cost_to(scenario: Scenario) -> dict[str, Any]:
    asked = scenario["ask"]
    many = isinstance(asked["to"], list)
    out = {}
    for name in asked["to"] if many else [asked["to"]]:
        mover = mover_of(scenario)
        goal, via = mover.board.pos(name), [mover.board.pos(cell) for cell in asked.get("via", ())]
        out[name] = unlimited(mover, goal, via, asked.get("posture", "")).get(goal)
    return {"cost": out if many else out[asked["to"]]}


def costs(scenario: Scenario) -> dict[str, Any]:
    mover = mover_of(scenario)
    found = unlimited(mover)
    return {"costs": [[found.get((col, row, 0)) for col in range(mover.board.cols)] for row in range(mover.board.rows)]}


def both_ways(scenario: Scenario) -> dict[str, Any]:
    out = {}
    for name, a, b in (("forth", "a", "b"), ("back", "b", "a")):
        mover = mover_of(scenario)
        mover.start = mover.board.pos(scenario["ask"][a])
        goal = mover.board.pos(scenario["ask"][b])
        out[name] = unlimited(mover, goal).get(goal)
    return out


def drawn(mover: Mover, stops: set[Pos], passed: set[Pos]) -> dict[str, Any]:
    """Rows and count of a reach on the level of the start."""
    start, level = mover.start, mover.start[2]
    rows = [
        "".join(
            "@" if (pos := (col, row, level)) == start else "*" if pos in stops else "o" if pos in passed else "."
            for col in range(mover.board.cols)
        )
        for row in range(mover.board.rows)
    ]
    return {"rows": rows, "count": len(stops - {start})}


def budget_of(mover: Mover, scenario: Scenario) -> Fraction:
    """The budget that a reach question names."""
    asked = scenario["ask"]
    _, budget = first_budget(mover, scenario)
    if "budget" in asked:
        budget = exact(asked["budget"])
    elif asked.get("dash"):
        budget = mover.speed * (2 if asked["dash"] == 1 else exact(mover.opt["double_dash_total"]))
    return budget - exact(asked.get("reserve", 0))


def reach(scenario: Scenario) -> dict[str, Any]:
    mover = mover_of(scenario)
    spent, _ = first_budget(mover, scenario)
    found = spread(mover, [(mover.begin(), spent)], budget_of(mover, scenario))
    return drawn(mover, set(ends(mover, found, posture=scenario["ask"].get("posture", ""))), {s.pos for s in found})


def bands(scenario: Scenario) -> dict[str, Any]:
    mover = mover_of(scenario)
    limits = [exact(value) for value in scenario["ask"]["limits"]]
    found = ends(mover, spread(mover, [(mover.begin(), Fraction(0))], limits[-1]))
    values = [cost for pos, cost in found.items() if pos != mover.start]
    lower = [Fraction(-1), *limits]
    return {"counts": [sum(a < v <= b for v in values) for a, b in zip(lower, limits, strict=False)]}


def turns(scenario: Scenario, most: int = 400) -> dict[str, Any]:
    mover = mover_of(scenario)
    spent, budget = first_budget(mover, scenario)
    goal = mover.board.pos(scenario["ask"]["to"])
    mover.goals = {goal}
    for number, found in enumerate(over_turns(mover, spent, budget, most), 1):
        last = ends(mover, found, number).get(goal)
        if last is not None:
            return {"turns": number, "last_spent": last}
    return {"turns": None, "last_spent": None}


def turn_map(scenario: Scenario, most: int = 400) -> dict[str, Any]:
    mover = mover_of(scenario)
    spent, budget = first_budget(mover, scenario)
    when: dict[Pos, int] = {}
    for number, found in enumerate(over_turns(mover, spent, budget, most), 1):
        for pos in ends(mover, found, number):
            when.setdefault(pos, number)
    level = mover.start[2]
    rows = [
        "".join(
            "@" if (c, r, level) == mover.start else str(when.get((c, r, level), ".")) for c in range(mover.board.cols)
        )
        for r in range(mover.board.rows)
    ]
    return {"rows": rows}


def out_and_back(scenario: Scenario) -> dict[str, Any]:
    mover = mover_of(scenario)
    spent, budget = first_budget(mover, scenario)
    good = set()
    for state, cost in spread(mover, [(mover.begin(), spent)], budget).items():
        if state.pos in good or not mover.stop(state):
            continue
        back = spread(mover, [(state._replace(run=Fraction(0)), cost)], budget)
        if any(other.pos == mover.start for other in back):
            good.add(state.pos)
    return drawn(mover, good - {mover.start}, set())


def frontier(scenario: Scenario) -> dict[str, Any]:
    asked = scenario["ask"]
    mover = mover_of(scenario)
    goal = mover.board.pos(asked["to"])
    if asked["by"] == "exposures":
        return {"frontier": [list(pair) for pair in exposure_frontier(mover, goal)]}
    found = attack_frontier(mover, goal, disengage=asked.get("disengage", False))
    return {"frontier": [list(pair) for pair in found]}


def plans(scenario: Scenario) -> dict[str, Any]:
    out = {}
    for name, times, away in (("move", 1, False), ("dash", 2, False), ("disengage", 1, True)):
        mover = mover_of(scenario)
        found = attack_frontier(mover, mover.board.pos(scenario["ask"]["to"]), mover.speed * times, away)
        out[name] = [list(pair) for pair in found]
    return out


KINDS: dict[str, Callable[[Scenario], dict[str, Any]]] = {
    "cost_to": cost_to, "costs": costs, "both_ways": both_ways, "reach": reach, "bands": bands, "turns": turns,
    "turn_map": turn_map, "out_and_back": out_and_back, "frontier": frontier, "plans": plans,
}  # fmt: skip


def answers(scenario: Scenario) -> bool:
    """Whether the oracle knows a scenario's kind of question."""
    asked = scenario["ask"]
    return asked["kind"] in KINDS and asked.get("by", "attacks") in ("attacks", "exposures")


def answer(scenario: Scenario) -> dict[str, Any]:
    """The oracle's answer."""
    return KINDS[scenario["ask"]["kind"]](scenario)
