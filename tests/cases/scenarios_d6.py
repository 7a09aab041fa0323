"""Scenario questions about speeds, rolls, jumps, falls and efforts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from math import prod
from typing import Any

from tactical.errors import Refusal
from tactical.movement.declare import Declared, declare
from tactical.movement.query import Query
from tactical.movement.reach import Reach
from tactical.movement.rolls import odds
from tactical.movement.rolls.frontier import by_number
from tactical.movement.route import PlannedTurn
from tactical.movement.situation import fresh_turn
from tactical.play import resolve
from tactical.units import Cell

Scenario = Mapping[str, Any]
Answer = dict[str, Any]
REASON = {"move.min_distance": "min_distance", "move.max_distance": "max_distance", "move.speed_change": "speed_change"}


class Asked:
    """A scenario with the helpers of the runner."""

    def __init__(self, scenario: Scenario, query: Query, named: Callable[[str], Cell]) -> None:
        self.ask, self.query, self.named = scenario["ask"], query, named

    def path(self) -> list[Cell]:
        return [self.named(cell) for cell in self.ask["path"]]

    def gait(self) -> str:
        return str(self.ask.get("speed") or self.query.open_gaits[0].name)


def answered(found: Any) -> Any:
    assert not isinstance(found, Refusal), found.text
    return found


def rings(asked: Asked) -> Answer:
    found = Reach(asked.query, gait=asked.gait())
    if asked.gait() in found.refused:
        return {"legal": False}
    battlemap, start = asked.query.battlemap, asked.query.start.cell
    signs = dict.fromkeys(found.passing(), "o") | dict.fromkeys(found.cells(), "*") | {start: "@"}
    rows = ["".join(signs.get(Cell(col, row), ".") for col in range(battlemap.cols)) for row in range(battlemap.rows)]
    return {"legal": True, "rows": rows, "count": len(found.cells())}


def tiers(asked: Asked) -> Answer:
    return {"allowed": list(asked.query.profile.facts["allowed"])}


def rounds(asked: Asked) -> Answer:
    goal, ask = asked.named(asked.ask["to"]), asked.ask
    most = 12
    if ask["finish"] == "any":
        return {"rounds": len(answered(Reach(asked.query, turns=most).route(goal)).turns)}
    # of all that so many rounds can come to, the first that may stop in the round after
    level = {("", asked.query.start, ""): asked.query}
    for number in range(1, most):
        after: dict[Any, Query] = {}
        for query in level.values():
            found = Reach(query)
            by_gait = [(Reach(query, gait=one.name), found.cells(one.name)) for one in found.gaits]
            routes = [own.route(cell) for own, cells in by_gait for cell in cells]
            for turn in (route.turns[0] for route in routes if route):
                later = fresh_turn(query.ruleset, turn.after, query.options)
                key = (later.previous, turn.end.cell, repr(later.memory))
                after[key] = query.changed(turn=later, mover=replace(query.mover, at=turn.end.cell))
        level = after
        if any(one.start.cell == goal and one.profile.facts["may_stop"] for one in level.values()):
            return {"rounds": number}
    raise AssertionError(f"not in {most} rounds")


def far(asked: Asked) -> Answer:
    found = Reach(asked.query, turns=asked.ask["rounds"])
    ends = [cell for cell in found.cells() if found.turn(cell) == asked.ask["rounds"]]
    metres, cell = max((found.cost(cell) or 0, cell) for cell in ends)
    return {"cell": asked.query.battlemap.name_of(cell), "metres": metres}


def check(asked: Asked) -> Answer:
    found = declare(asked.query, asked.gait(), asked.path())
    if isinstance(found, Refusal):
        return {"legal": False, "reason": REASON.get(found.code, found.code)}
    checks = found.demand.checks
    assert len(checks) <= 1
    answer = {"legal": True, "length": found.length, "action": found.demand.action, "roll": bool(checks)}
    return answer | ({"level": checks[0].level, "number": checks[0].number} if checks else {})


def number(asked: Asked) -> Answer:
    found = answered(by_number(asked.query, asked.gait(), asked.named(asked.ask["to"])))
    return {"frontier": [[choice.risk, choice.cost] for choice in found]}


# --- outcomes --------------------------------------------------------------------------------------------------------


def moved(asked: Asked) -> Answer:
    move = answered(declare(asked.query, asked.gait(), asked.path()))
    found = answered(resolve.resolve(move, [asked.ask["roll"]]))
    outcome, end = found.outcome, found.end
    return {
        "number": outcome.number, "margin": outcome.margin, "result": outcome.result, "moved": outcome.moved,
        "at": None if end is None else asked.query.battlemap.name_of(end.cell),
        "posture": None if end is None else end.posture,
        "damage": None if outcome.damage is None else str(outcome.damage),
        "no_actions_now": outcome.no_actions_now, "no_actions_next": outcome.no_actions_next,
        "next_speeds": list(found.open_gaits),
    }  # fmt: skip


def climbed(asked: Asked) -> Answer:
    found = answered(resolve.climb(asked.query, asked.named(asked.ask["to"]), asked.ask["dc"], asked.ask["total"]))
    return {
        "ok": found.stretch.ok, "badly": found.stretch.badly, "at": asked.query.battlemap.name_of(found.at),
        "spent": found.spent, "remaining": found.remaining,
    }  # fmt: skip


def dropped(asked: Asked) -> Answer:
    ends = [asked.named(asked.ask[end]) for end in ("from", "to")]
    found = answered(resolve.drop(asked.query, *ends, asked.ask["roll"]))
    return {"height": found.height, "tn": found.tn, "reduction": found.reduction, "damage": found.damage}


def jump_of(asked: Asked) -> odds.Jump:
    to = asked.named(asked.ask["to"])
    if "path" in asked.ask:
        return answered(odds.declare_jump(asked.query, tuple(asked.path()), to))
    start = asked.named(asked.ask["from"])
    run_up = asked.query.battlemap.cell if asked.ask.get("runup") else 0 * asked.query.battlemap.cell
    return answered(odds.declare_jump(asked.query, (start,), to, run_up=run_up))


def jumped(asked: Asked) -> Answer:
    found = answered(resolve.attempt(jump_of(asked), [asked.ask["d20"], asked.ask["d6"]]))
    return {
        "jump_number": found.number, "difference": found.difference, "chance": found.chance, "result": found.result,
        "recovery_turns": found.recovery, "no_action_turns": found.no_action, "stunned_turns": found.stunned,
    }  # fmt: skip


OUTCOMES = {"move": moved, "climb": climbed, "drop": dropped, "jump": jumped}


# --- odds ------------------------------------------------------------------------------------------------------------


def declared(asked: Asked) -> Declared:
    return answered(declare(asked.query, asked.gait(), asked.path()))


def landing(asked: Asked) -> Answer:
    found = answered(odds.landings(declared(asked)))
    return {"p": {asked.query.battlemap.name_of(cell): part for cell, part in found.cells.items()}}


def stretch(asked: Asked) -> Answer:
    _, roll = answered(odds.stretch(asked.query, asked.named(asked.ask["to"]), asked.ask["dc"]))
    return {"p": roll.chance()}


def lasting(asked: Asked) -> tuple[PlannedTurn, ...]:
    found = answered(Reach(asked.query, turns=12, gait=asked.gait()).route(asked.named(asked.ask["to"])))
    turns: tuple[PlannedTurn, ...] = found.turns
    return turns


ODDS: dict[str, Callable[[Asked], Answer]] = {
    "check": lambda asked: {"p": odds.chance(declared(asked))},
    "cells": lambda asked: {"p": odds.chance(declared(asked))},
    "best_check": lambda asked: {
        "p": max(
            prod(check.chance() for check in choice.route.turns[0].checks)
            for choice in Reach(asked.query, gait=asked.gait()).risks(asked.named(asked.ask["to"]), "number")
        )
    },
    "landing": landing,
    "climb": stretch,
    "jump": lambda asked: {"p": jump_of(asked).flight.chance},
    "effort": lambda asked: {"p": prod(check.chance() for turn in lasting(asked) for check in turn.checks)},
    "run_roll": lambda asked: {"p": Reach(asked.query, gait=asked.gait()).odds(asked.named(asked.ask["to"]))},
}


def effort(asked: Asked) -> Answer:
    found = lasting(asked)
    return {"rounds": len(found), "tests": [[turn.number, roll.number] for turn in found for roll in turn.checks]}


KINDS: dict[str, Callable[[Asked], Answer]] = {
    "ring": rings,
    "tiers": tiers,
    "rounds_to": rounds,
    "farthest": far,
    "check": check,
    "outcome": lambda asked: OUTCOMES[asked.ask["of"]](asked),
    "odds": lambda asked: ODDS[asked.ask["of"]](asked),
    "effort": effort,
    "number": number,
}
