"""Answers to the worked cases of `shapers`, asked as a player asks: by commands, and by games on a strip of metres."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

import tactical
from tactical import Accepted, Battlemap, Cell, EndTurn, Mover, Place
from tactical.options import Options
from tactical.play import commands as do
from tactical.play.events import Ended, FellShort, Rolled, RollNeeded
from tactical.units import exact

sys.path.insert(0, str(Path(__file__).parent))
from _commands import asked, stats_of, told
from _strip import strip, strip_file

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


def free_of(given: Given, options: Options, first: int) -> Given:
    """How long a gait is free: the rounds kept up before its first test; of a long one the seconds of a journey."""
    kept = kept_up(given, options, first - 1)
    free = {"free_rounds": None if kept["tests"] else kept["rounds"]}
    if given["gait"] not in ("jog", "run"):
        return free
    stats = stats_of({"pa": 4, **{name: given[name] for name in ("pf", "endurance") if name in given}})
    words = ("--rules", "shapers", *stats, *told(options), "--gait", given["gait"], "--minutes", "60")
    return {**free, "free_s": asked("journey", *words)[1]["plan"]["rolls"][0]["at"]}


def effort_tests(given: Given, options: Options, case: Given) -> Given:
    tests = until(given, options, given["tests"])["tests"]
    hopeless = [n for n, test in enumerate(tests, 1) if exact(test["chance"]) == 0]
    return {
        **free_of(given, options, tests[0]["before_round"]),
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


def asked_jump(given: Given, options: Options, length: object, rise: object, *words: str) -> Given:
    """What `odds` says of a jump of a case's kind, so long and so high."""
    stats = {"pa": 4, **{name: given[name] for name in ("ps", "pa", "athletics") if name in given}}
    running = ("--gait", "run", "--run-up", "100") if "running" in given["type"] else ()
    leap = ("--jump", str(length), "--rise", str(rise), *running, *words)
    return asked("odds", "--rules", "shapers", *stats_of(stats), *told(options), *leap)[1]


FLAT = {"vertical": (0, "11/20"), "standing": ("51/20", 0), "running": ("111/20", 0), "mixed_running": ("11/2", "1/2")}
"""A jump of each kind, asked of those who do not make it without a roll."""


def jump(given: Given, options: Options, case: Given) -> Given:
    """A jump with its total; one that is sure to land is told as the worst roll would have it."""
    far = FLAT[given["type"]]
    found = asked_jump(given, options, *far)
    roll = () if found["check"] is None else ("--roll", str(given["roll"]))
    leap = asked_jump(given, options, *far, *roll)["leap"]
    return {
        "tn": leap["tn"],
        "delta_m": leap["added"],
        "vertical_m": leap["height"],
        "horizontal_m": leap["reached"],
    }


def jump_base(given: Given, options: Options, case: Given) -> Given:
    """What each jump comes to before the roll adds anything."""
    barely = {"vertical": (0, "1/100"), "standing": ("21/10", 0), "running": ("31/10", 0)}
    leaps = {kind: asked_jump({**given, "type": kind}, options, *far, "--roll", "1") for kind, far in barely.items()}
    return {f"{kind}_m": found["leap"]["number"] for kind, found in leaps.items()}


def fallen(given: Given, options: Options, height: object, *rolls: str) -> Given:
    """What `resolve` says of a fall from a ledge of this height."""
    names = {"size": "size_m", "pf": "pf", "pa": "pa", "athletics": "athletics"}
    own = {stat: str(given[name]) for name, stat in names.items() if name in given}
    stats = {"pa": 4, "accept_damage": 1000, **own}
    text = strip_file("shapers", stats, [{}], first={"elevation": str(height)})
    way = ("--gait", "run", "--path", "A1,B1", *rolls)
    return asked("resolve", "MAP", "--mover", "kit", *told(options), *way, text=text)[1]


def harm(found: Given) -> Given:
    """The fall as it is told; one that does nothing is none."""
    falls: list[Given] = found["outcome"]["falls"]
    return falls[0] if falls else {"damage": 0}


def fall(given: Given, options: Options, case: Given) -> Given:
    """The fall, and of falls a quarter of a metre apart the highest that does nothing."""
    found = fallen(given, options, given["height_m"])
    safe = next(n for n in range(1, 100) if harm(fallen(given, options, f"{n + 1}/4"))["damage"])
    return {"safe_m": exact(f"{safe}/4"), **harm(found)}


def jump_down(given: Given, options: Options, case: Given) -> Given:
    rolls = () if given["roll"] is None else ("--roll", str(given["roll"]))
    return harm(fallen(given, options, given["height_m"], *rolls))


def swim(given: Given, options: Options, case: Given) -> Given:
    """How far a swimmer gets from the shore, and the test that the way asks for, or staying where nobody can swim."""
    water = {"water": "deep", **({} if given["water"] == "calm" else {"current": given["water"]})}
    session = strip("shapers", {"pa": 4, "ps": given["ps"], "swimming": given["swimming"]}, [water] * 9)
    reached = sorted(session.reach("kit").cells())
    if reached:
        way = session.route("kit", reached[-1])
        assert way, way.text
        (made,) = way.rounds
        return {"m": made.distance, "test": bool(made.checks), "tn": made.checks[0].number if made.checks else None}
    session.execute(Place("kit", Cell(1, 0)))
    done = session.execute(EndTurn("kit"))
    assert done, done.text
    (due,) = done.of(RollNeeded)
    return {"m": 0, "test": True, "tn": due.check.number}


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
    ways = {gait: tactical.reach(battlemap, "a", gait=gait, **asking) for gait in metres(given["pa"])}
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
