"""Answers to the worked cases of `shapers`, asked as a player asks: by commands, and by games on a strip of metres."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

import tactical
from tactical import Accepted, Battlemap, Cell, Mover
from tactical.options import Options
from tactical.play import commands as do
from tactical.play.events import Ended, FellShort, Rolled, RollNeeded
from tactical.rules.systems import shapers
from tactical.rules.systems.shapers import acts, effort, falls
from tactical.units import exact

sys.path.insert(0, str(Path(__file__).parent))
from _commands import asked, stats_of, told
from _strip import strip

Given = Mapping[str, Any]


def metres(agility: int) -> dict[str, Fraction]:
    """The metres a round of each gait, as `reach` lists them."""
    text = f"schema: 1\nrules: shapers\nrows: '..'\nmovers: [{{id: a, at: A1, stats: {{pa: {agility}}}}}]\n"
    found = asked("reach", "MAP", "--mover", "a", text=text)[1]["gaits"]
    return {gait["name"]: exact(gait["metres"]) for gait in found}


def rate(given: Given, options: Options, case: Given) -> Given:
    return {"m": metres(given["pa"])[given["gait"]]}


def rates(given: Given, options: Options, case: Given) -> Given:
    return metres(given["pa"])


def kept_up(given: Given, options: Options, rounds: int) -> dict[str, Any]:
    """What `odds` says of a gait kept up for so many rounds."""
    names = ("pf", "endurance", "swimming")
    stats = stats_of({"pa": 4, "ps": 4, **{name: given[name] for name in names if name in given}})
    gait = ("--gait", given["gait"], "--rounds", str(rounds))
    return asked("odds", "--rules", "shapers", *stats, *told(options), *gait)[1]


def until(given: Given, options: Options, tests: int) -> dict[str, Any]:
    """A gait kept up until so many tests have been due."""
    rounds = 1
    while len(kept_up(given, options, rounds).get("tests", ())) < tests and "refusal" not in kept_up(
        given, options, rounds
    ):
        rounds *= 2
    # a test that nobody can pass ends the gait: no more rounds than up to it
    while "refusal" in kept_up(given, options, rounds):
        rounds -= 1
    before = kept_up(given, options, rounds)["tests"][tests - 1]["before_round"]
    return kept_up(given, options, before)


def effort_tests(given: Given, options: Options, case: Given) -> Given:
    tests = until(given, options, given["tests"])["tests"]
    free = effort.free_seconds(given["gait"], effort.Stamina(given["pf"], 0, given.get("swimming", 0)), options)
    hopeless = [n for n, test in enumerate(tests, 1) if exact(test["chance"]) == 0]
    return {
        "free_s": free,
        "free_rounds": tests[0]["before_round"] - 1,
        "before_round": [test["before_round"] for test in tests],
        "tn": [test["number"] for test in tests],
        "hopeless_test": hopeless[0] if hopeless else None,
    }


def effort_rolls(given: Given, options: Options, case: Given) -> Given:
    """Round after round the whole way of the gait, each roll answered with the next total, until one fails."""
    stats = {name: given[name] for name in ("pa", "pf", "endurance", "swimming") if name in given}
    step = int(metres(given["pa"])[given["gait"]])
    session = strip("shapers", stats, [{}] * (60 * step), options=options.wire())
    rolls, passed, rounds = list(given["rolls"]), [], 0
    while all(passed):
        at = session.position.status("kit").state.cell.col
        done = session.execute(do.Move("kit", Cell(at + step, 0), gait=given["gait"]))
        assert isinstance(done, Accepted)
        if done.of(RollNeeded):
            if not rolls:
                break
            done = session.execute(do.GivenRoll("kit", rolls.pop(0)))
            assert isinstance(done, Accepted)
            passed.append(bool(done.of(Rolled)[0].passed))
        rounds += bool(done.of(Ended)) and not done.of(FellShort)
        session.execute(do.EndTurn("kit"))
    return {"ok": passed, "full_rounds": rounds, "distance_m": session.position.status("kit").state.cell.col}


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
    """Each part as far as it goes in what is left of the round."""
    session = strip("shapers", {"pa": given["pa"], "pf": 4}, [{}] * 40, options=options.wire())
    made = []
    for part in given["segments"]:
        at = session.position.status("kit").state.cell.col
        ahead = [cell.col for cell in session.reach("kit", gait=part["gait"]).cells() if cell.col > at]
        end = max(ahead) if part["m"] == "rest" else at + int(part["m"])
        assert session.execute(do.Move("kit", Cell(end, 0), gait=part["gait"]))
        made.append(end - at)
    return {"m": made, "total_m": session.position.status("kit").state.cell.col}


def grid(given: Given, options: Options, case: Given) -> Given:
    drawn = ((sign, row, text) for row, text in enumerate(given["rows"]) for sign in "SG" if sign in text)
    spots = {sign: Cell(text.index(sign), row) for sign, row, text in drawn}
    rows = [text.replace("S", ".").replace("G", ".") for text in given["rows"]]
    mover = Mover("a", "shapers", {"pa": given["pa"]}, spots["S"])
    ground = {"#": {"impassable": True}, ".": {}}
    cell = exact(given["cell_m"])
    battlemap = Battlemap.from_rows(rows, ground, cell=cell, unit="m", rules="shapers", movers=[mover])
    asking = {"turns": 9, "options": options.wire()}
    ways = {gait: tactical.reach(battlemap, "a", gait=gait, **asking) for gait in shapers.MULTIPLES}
    way = ways["sprint"].route(spots["G"])
    assert way
    return {
        "path_m": sum(one.distance for one in way.rounds),
        "rounds": {gait: found.turn(spots["G"]) for gait, found in ways.items()},
    }


def probability(given: Given, options: Options, case: Given) -> Given:
    if given["event"] == "clear_gap":
        stats = stats_of({name: given[name] for name in ("ps", "pa", "athletics")})
        running = ("--gait", "run", "--run-up", "100") if given["type"] == "running" else ()
        leap = ("--jump", str(given["gap_m"]), *running)
        found = asked("odds", "--rules", "shapers", *stats, *told(options), *leap)[1]
        return {"p": exact(found["chance"]) if "chance" in found else Fraction(0)}
    gait, count = {"sprint_extra": ("sprint", "extra_rounds"), "run_extra": ("run", "extra_periods")}[given["event"]]
    return {"p": exact(until({**given, "gait": gait}, options, given[count])["chance"])}


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
