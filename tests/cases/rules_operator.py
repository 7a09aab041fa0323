"""Answers to the worked cases of `operator`."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

from tactical.errors import Refusal
from tactical.options import Options
from tactical.rules.systems import operator
from tactical.rules.systems.operator import acts
from tactical.rules.systems.operator import turn as turns
from tactical.rules.turnstate import TurnState
from tactical.units import exact
from tactical.world.terrain import Terrain

sys.path.insert(0, str(Path(__file__).parent))
from _board import cheapest, direct, profile_price

Given = Mapping[str, Any]


def speed(given: Given, options: Options, case: Given) -> Given:
    flags = {key: value for key, value in given.items() if key not in ("base", "crouched")}
    stats = operator.RULESET.read_stats({"speed": given.get("base", operator.BASE), **flags})
    posture = "crouched" if given.get("crouched") else "standing"
    return {
        "speed": operator.speed(stats, options),
        "whole_turn_ft": operator.whole_turn(stats, options, posture),
    }


def step(turn: turns.Turn, order: Given, options: Options) -> turns.Turn | Refusal:
    match order["do"]:
        case "move":
            facts: dict[str, object] = {"difficult": bool(order.get("difficult"))}
            facts |= {order["mode"]: True} if order.get("mode", "walk") != "walk" else {}
            return turns.move(turn, exact(order["ft"]), options, Terrain.of(facts))
        case "jump":
            return turns.jump(turn, order["type"], exact(order["ft"]), options)
        case "stand":
            return turns.change(turn, "standing", options)
        case "crouch":
            return turns.change(turn, "crouched", options)
        case "drop_prone":
            return turns.change(turn, "prone", options)
        case "action":
            return turns.act(turn, order["name"])
        case "dash":
            return turns.dash(turn)
        case "bonus_dash":
            return turns.bonus_dash(turn)
        case "disengage":
            return turns.disengage(turn)
        case "object_interaction":
            return turns.interact(turn)
    raise LookupError(f"order {order['do']!r}")


def whole_turn(given: Given, options: Options, case: Given) -> Given:
    turn: turns.Turn | Refusal = turns.begin(
        exact(given["speed"]),
        given.get("posture", "standing"),
        given.get("str"),
        bonus_dash=given.get("bonus_dash", False),
        action_surge=given.get("action_surge", False),
    )
    for order in given["steps"]:
        assert not isinstance(turn, Refusal)
        turn = step(turn, order, options)
        if isinstance(turn, Refusal):
            return {"legal": False, "reason": turn.code}
    assert not isinstance(turn, Refusal)
    return {
        "legal": True,
        "spent": turn.spent,
        "remaining": turns.remaining(turn, options),
        "posture": turn.posture,
    }


def jump(given: Given, options: Options, case: Given) -> Given:
    longest = {"long": acts.long_jump, "high": acts.high_jump}[given["type"]]
    feet = longest(given["str"], exact(given["runup"]), options)
    height = given.get("height")
    return {"max_ft": feet, "reach_ft": None if height is None else acts.jump_reach(feet, exact(height))}


def attack_mods(given: Given, options: Options, case: Given) -> Given:
    found = acts.attack_modifiers(given["posture"], given["attack"], exact(given["distance"]))
    return {"modifier": found.modifier, "advantage": found.advantage}


def opportunity(given: Given, options: Options, case: Given) -> Given:
    enemies = [(tuple(square), given["reach_squares"]) for square in given["enemies"]]
    found = acts.provokes([tuple(square) for square in given["path"]], enemies, given.get("disengage_before_step"))
    return {"provokes": len(found), "at_step": [index for index, _ in found]}


def check(given: Given, options: Options, case: Given) -> Given:
    feet = exact(given["ft"])
    found = acts.athletics(given["total"], exact(given["dc"]), feet, 2 * feet, options)
    return {"ok": found.ok, "badly": found.badly, "progress_ft": found.progress}


def probability(given: Given, options: Options, case: Given) -> Given:
    return {"p": acts.check_odds(given["modifier"], exact(given["dc"]))}


def vehicle(given: Given, options: Options, case: Given) -> Given:
    stats = operator.RULESET.read_stats({"speed": given["foot_speed"], "vehicle": given["vehicle"]})
    found = operator.profile(stats, TurnState(), options, "standing")
    first = found.gaits[0]
    on_grid = first.refused is None
    return {"speed": first.budget if on_grid else None, "on_grid": on_grid}


def grid(given: Given, options: Options, case: Given) -> Given:
    legend = {"D": Terrain(difficult=True)}
    profile = operator.profile(operator.Stats(), TurnState(), options, "standing")
    price = profile_price(profile, options, "")
    cell: Fraction = exact(given["cell_ft"])
    return {
        "cheapest_cost": cheapest(given["rows"], legend, cell, options["diagonal"], price),
        "direct_cost": direct(given["rows"], legend, cell, price),
    }


KINDS = {
    "opr_speed": speed,
    "opr_turn": whole_turn,
    "opr_jump": jump,
    "opr_attack_mods": attack_mods,
    "opr_oa": opportunity,
    "opr_check": check,
    "opr_probability": probability,
    "opr_vehicle": vehicle,
    "opr_grid": grid,
}
