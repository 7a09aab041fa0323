"""Answers to the worked cases of `shapers`."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tactical.options import Options
from tactical.rules.systems import shapers
from tactical.rules.systems.shapers import acts, effort, falls
from tactical.rules.turnstate import TurnState
from tactical.units import exact

sys.path.insert(0, str(Path(__file__).parent))
from _board import cheapest, profile_price

Given = Mapping[str, Any]


def stamina(given: Given) -> effort.Stamina:
    return effort.Stamina(given["pf"], given.get("endurance", 0), given.get("swimming", 0))


def rate(given: Given, options: Options, case: Given) -> Given:
    return {"m": shapers.rate(given["gait"], given["pa"])}


def rates(given: Given, options: Options, case: Given) -> Given:
    return {gait: shapers.rate(gait, given["pa"]) for gait in shapers.MULTIPLES}


def effort_tests(given: Given, options: Options, case: Given) -> Given:
    gait, who, count = given["gait"], stamina(given), given["tests"]
    due = effort.first_tests(gait, count, who, options)
    return {
        "free_s": effort.free_seconds(gait, who, options),
        "free_rounds": effort.free_rounds(gait, who, options),
        "before_round": [test.before_round for test in due],
        "tn": [test.tn for test in due],
        "hopeless_test": effort.hopeless_test(gait, count, who, options),
    }


def effort_rolls(given: Given, options: Options, case: Given) -> Given:
    passed, rounds = effort.rounds_kept(given["gait"], given["rolls"], stamina(given), options)
    return {"ok": passed, "full_rounds": rounds, "distance_m": rounds * shapers.rate(given["gait"], given["pa"])}


def jump(given: Given, options: Options, case: Given) -> Given:
    found = acts.jump(given["type"], given["roll"], given["ps"], given["pa"], given["athletics"])
    return {
        "tn": found.tn,
        "delta_m": found.delta,
        "vertical_m": found.vertical,
        "horizontal_m": found.horizontal,
    }


def jump_base(given: Given, options: Options, case: Given) -> Given:
    up, along = acts.jump_bases(given["ps"])
    return {"vertical_m": up, "standing_m": along["standing"], "running_m": along["running"]}


def fall(given: Given, options: Options, case: Given) -> Given:
    size, height = exact(given["size"]), exact(given["height_m"])
    return {"safe_m": falls.safe_fall(size), "damage": falls.fall_damage(height, size, given["pf"], options)}


def jump_down(given: Given, options: Options, case: Given) -> Given:
    size, height = exact(given["size"]), exact(given["height_m"])
    roll = 0 if given["roll"] is None else given["roll"]
    found = falls.jump_down(height, size, given["pf"], given["pa"], given["athletics"], roll, options)
    return {"tn": found.tn, "ok": found.ok, "reduction": found.reduction, "damage": found.damage}


def swim(given: Given, options: Options, case: Given) -> Given:
    found = acts.swim(given["ps"], given["swimming"], given["water"] != "calm", options)
    return {"m": found.metres, "test": found.tn is not None, "tn": found.tn}


def round_mix(given: Given, options: Options, case: Given) -> Given:
    parts = [(part["gait"], None if part["m"] == "rest" else exact(part["m"])) for part in given["segments"]]
    made = shapers.share_round(given["pa"], parts, options)
    return {"m": made, "total_m": sum(made)}


def grid(given: Given, options: Options, case: Given) -> Given:
    stats = shapers.RULESET.read_stats({"pa": given["pa"], "gait": "walk"})
    profile = shapers.profile(stats, TurnState(), options, "standing")
    price = profile_price(profile, options, "walk")
    share = cheapest(given["rows"], {}, exact(given["cell_m"]), options["diagonal"], price)
    assert share is not None
    metres = share * shapers.rate("walk", given["pa"])
    rounds = {gait: shapers.rounds_for(metres, gait, given["pa"]) for gait in shapers.MULTIPLES}
    return {"path_m": metres, "rounds": rounds}


def probability(given: Given, options: Options, case: Given) -> Given:
    if given["event"] == "clear_gap":
        numbers = (given["ps"], given["pa"], given["athletics"])
        return {"p": acts.clear_odds(exact(given["gap_m"]), given["type"], *numbers)}
    gait, count = {"sprint_extra": ("sprint", "extra_rounds"), "run_extra": ("run", "extra_periods")}[given["event"]]
    return {"p": effort.odds(gait, given[count], stamina(given), options)}


KINDS = {
    "shp_rate": rate,
    "shp_rates": rates,
    "shp_effort": effort_tests,
    "shp_effort_rolls": effort_rolls,
    "shp_jump": jump,
    "shp_jump_base": jump_base,
    "shp_fall": fall,
    "shp_jump_down": jump_down,
    "shp_swim": swim,
    "shp_round_mix": round_mix,
    "shp_grid": grid,
    "shp_probability": probability,
}
