"""Answers to the worked cases of `twelve-second`."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

from tactical.errors import Refusal
from tactical.options import Options
from tactical.rules.profile import Pace
from tactical.rules.systems import twelve_second as rules
from tactical.rules.systems.twelve_second import jumps
from tactical.rules.systems.twelve_second import turn as counted
from tactical.rules.turnstate import TurnState
from tactical.units import exact
from tactical.world.terrain import Terrain

sys.path.insert(0, str(Path(__file__).parent))
from _board import cheapest, direct, profile_price

Given = Mapping[str, Any]
DEPTHS = {"none": "", "below_waist": "shallow", "waist_to_neck": "wading", "over_neck": "deep"}
SCORES = ("str", "dex", "end", "stocky", "mv")


def rate(given: Given, options: Options, case: Given) -> Given:
    stats = rules.RULESET.read_stats({name: given[name] for name in SCORES if name in given})
    mv, mode = rules.movement_value(stats), given["mode"]
    metres = rules.rate(mode, mv, options)
    for factor in rules.hindrances(mode, given.get("rough", False), given.get("uphill", False), options):
        metres /= factor.value
    return {"mv": mv, "rating": rules.rating(mv), "m": metres}


def rates(given: Given, options: Options, case: Given) -> Given:
    return {mode: rules.rate(mode, exact(given["mv"]), options) for mode in rules.RATES}


def modes(given: Given, options: Options, case: Given) -> Given:
    tired = rules.COUNTED if given["exhausted"] else ()
    return {"allowed": rules.allowed_modes(DEPTHS[given["depth"]], tired, options)}


def endurance(given: Given, options: Options, case: Given) -> Given:
    limit = counted.endurance_limit(exact(given["end"]), given["load"])
    counts: Mapping[str, int] = {}
    for turn in given.get("turns", []):
        counts = counted.after_turn(counts, (turn,) if isinstance(turn, str) else turn, options)
    used = max(counts.values(), default=0)
    tired = counted.exhausted_modes(counts, limit, options)
    return {"limit": limit, "used": used, "remaining": max(0, limit - used), "exhausted": bool(tired)}


def turn_mix(given: Given, options: Options, case: Given) -> Given:
    stretches = [
        rules.Stretch(part["mode"], None if part["m"] == "rest" else exact(part["m"]), part.get("rough", False))
        for part in given["segments"]
    ]
    made = rules.share_turn(exact(given["mv"]), stretches, options)
    return {"m": made, "total_m": sum(made)}


def jump_table(given: Given, options: Options, case: Given) -> Given:
    numbers = [jumps.base_number(exact(total), options) for total in given["sums"]]
    return {"numbers": [None if isinstance(found, Refusal) else found for found in numbers]}


def read_jump(given: Given) -> jumps.Jump:
    return jumps.Jump(
        kind=given["type"],
        distance=exact(given.get("distance", 0)),
        run_up=exact(given.get("runup", 0)),
        rise=exact(given.get("rise", 0)),
        drop=exact(given.get("drop", 0)),
        bad_ground=given.get("bad_takeoff", False) or given.get("bad_landing", False),
        ep=exact(given.get("ep", 0)),
        held=tuple(exact(points) for points in given.get("held_ep", [])),
    )


def number(given: Given, options: Options, case: Given) -> Given:
    base = jumps.base_number(exact(given["str"]) + exact(given["dex"]), options)
    assert isinstance(base, Fraction)
    acrobatics, stocky = given.get("acrobatics", False), given.get("stocky", False)
    return {"base": base, "jump_number": jumps.jump_number(base, acrobatics, stocky, read_jump(given), options)}


def jump(given: Given, options: Options, case: Given) -> Given:
    known = number(given, options, case)
    distance, final = exact(given["distance"]), known["jump_number"]
    found = jumps.attempt(distance, final, given.get("d20", 0), given.get("d6", 0), options)
    assert isinstance(found, jumps.Attempt)
    return {
        **known,
        "difference": found.difference,
        "chance": found.chance,
        "result": found.result,
        "recovery_turns": found.recovery,
        "no_action_turns": found.no_action,
        "stunned_turns": found.stunned,
    }


def probability(given: Given, options: Options, case: Given) -> Given:
    return {"p": jumps.odds(exact(given["difference"]), options)}


def grid(given: Given, options: Options, case: Given) -> Given:
    legend = {"R": Terrain(rough=True), "~": Terrain(water="shallow")}
    stats = rules.RULESET.read_stats({"mv": given["mv"], "modes": [given["mode"]]})
    profile = rules.profile(stats, TurnState(), options, "standing")
    price = profile_price(profile, options, profile.gaits[0].pool)
    cell, metres = exact(given["cell_m"]), rules.rate(given["mode"], exact(given["mv"]), options)
    best = cheapest(given["rows"], legend, cell, options["diagonal"], price)
    along = direct(given["rows"], legend, cell, price)
    return {
        "cheapest_cost": None if best is None else best * metres,
        "direct_cost": None if along is None else along * metres,
    }


def elevation_strip(given: Given, options: Options, case: Given) -> Given:
    stats = rules.RULESET.read_stats({"mv": given["mv"], "modes": [given["mode"]]})
    profile = rules.profile(stats, TurnState(), options, "standing")
    metres = rules.rate(given["mode"], exact(given["mv"]), options)
    heights = [exact(height) for height in given["elevations"]]
    rough = given.get("rough", [False] * len(heights))
    costs = []
    for index in range(1, len(heights)):
        uphill = heights[index] - heights[index - 1] > profile.uphill_min_rise
        found = profile.pace(profile.gaits[0].pool, "standing", Terrain(rough=rough[index]), uphill)
        assert isinstance(found, Pace)
        costs.append(found.base * found.joined("multiply") * metres * exact(given["cell_m"]))
    return {"step_costs": costs, "total_cost": sum(costs)}


KINDS = {
    "tws_rate": rate,
    "tws_rates": rates,
    "tws_modes": modes,
    "tws_endurance": endurance,
    "tws_turn_mix": turn_mix,
    "tws_jump_table": jump_table,
    "tws_jump_number": number,
    "tws_jump": jump,
    "tws_probability": probability,
    "tws_grid": grid,
    "tws_elevation_strip": elevation_strip,
}
