"""Answers to the worked cases of `twelve-second`, asked as a player asks: by commands, and by games on a strip."""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))
from _commands import as_json, asked, stats_of, text_of, told
from _strip import KIT, strip, strip_file

from tactical import Cell, EndTurn, Move
from tactical.options import Options
from tactical.units import column_name, exact

Given = Mapping[str, Any]
RULES = "twelve-second"
DEPTHS = {"none": {}, "below_waist": {"water": "shallow"}, "waist_to_neck": {"water": "wading"}, "over_neck": {
    "water": "deep"}}  # fmt: skip
ON = {"wade": DEPTHS["waist_to_neck"], "swim": DEPTHS["over_neck"]}
MODES = ("crawl", "walk", "run", "run_dodge", "wade", "swim")
SCORES = ("str", "dex", "end", "stocky", "mv")
EACH = ("--option", "mode_mixing=single")
"""Every mode a gait of its own."""
ANY = ("--option", "jump_chance=0")
"""A jump may be tried that is sure to fail."""


def stats(given: Given) -> dict[str, object]:
    return {name: given[name] for name in SCORES if name in given}


def on_strip(options: Options, text: str, command: str, *words: str) -> dict[str, Any]:
    """What a command says about the mover of a strip."""
    return asked(command, "MAP", "--mover", KIT, *told(options), *words, text=text)[1]


def farthest(options: Options, text: str, *words: str) -> int:
    """The cells as far as the reach of a mode goes."""
    found = on_strip(options, text, "reach", *words)["cells"]
    return len(found)


def summary(text: str) -> str:
    """What the reach says of its mover."""
    said = text_of("reach", "MAP", "--mover", KIT, text=text)
    return next(line for line in said.splitlines() if "movement value" in line)


def rate(given: Given, options: Options, case: Given) -> Given:
    """Metres of a strip of such ground, each cell a little higher where it goes uphill."""
    mode = given["mode"]
    ground = {**ON.get(mode, {}), **({"rough": True} if given.get("rough") else {})}
    up = 0.25 if given.get("uphill") else 0
    grounds = [{**ground, "elevation": up * n} if up else ground for n in range(1, 100)]
    text = strip_file(RULES, stats(given), grounds)
    mv, rating = re.findall(r"movement value (\S+) \((\w+)\)", summary(text))[0]
    return {"mv": exact(mv), "rating": rating, "m": farthest(options, text, "--gait", mode, *EACH)}


def rates(given: Given, options: Options, case: Given) -> Given:
    gaits = on_strip(options, strip_file(RULES, stats(given), [{}]), "reach", *EACH)["gaits"]
    return {gait["name"]: exact(gait["metres"]) for gait in gaits}


def modes(given: Given, options: Options, case: Given) -> Given:
    """The modes whose reach gets anywhere on such ground."""
    ground, who = DEPTHS[given["depth"]], {"mv": 36, "exhausted": given["exhausted"]}
    text = strip_file(RULES, who, [ground] * 3, first=ground)
    found = {mode: on_strip(options, text, "reach", "--gait", mode, *EACH) for mode in MODES}
    return {"allowed": [mode for mode in MODES if found[mode].get("cells")]}


def endurance(given: Given, options: Options, case: Given) -> Given:
    """The turns played one by one, each a cell's move; the reach tells how many are left."""
    who = {"mv": 36, "endurance": given["end"], "load": given["load"]}
    turns = given.get("turns", [])
    grounds = [ON.get(mode, {}) for mode in turns]
    game = strip(RULES, who, [*grounds, {}], options={**options.wire(), "mode_mixing": "single"})
    for n, mode in enumerate(turns, 1):
        assert game.execute(Move(KIT, Cell(n, 0), gait=mode)), mode
        game.execute(EndTurn(KIT))
    found = game.reach(KIT)
    left, limit = re.findall(r"(\d+) of (\d+) turns of", found.profile.summary)[0]
    return {
        "limit": int(limit), "used": game.position.status(KIT).turn.memory.get("effort", {}).get("all", 0),
        "remaining": int(left), "exhausted": "run" in found.refused,
    }  # fmt: skip


def turn_mix(given: Given, options: Options, case: Given) -> Given:
    """Each part as far as it goes in what is left of the turn."""
    grounds: list[Given] = []
    for part in given["segments"]:
        ground = {**ON.get(part["mode"], {}), **({"rough": True} if part.get("rough") else {})}
        grounds += [ground] * (40 if part["m"] == "rest" else part["m"])
    game, at, made = strip(RULES, {"mv": given["mv"]}, grounds, options=options.wire()), 0, []
    for part in given["segments"]:
        reached = game.reach(KIT, gait=part["mode"]).cells()
        end = max(cell.col for cell in reached) if part["m"] == "rest" else at + part["m"]
        assert game.execute(Move(KIT, Cell(end, 0), gait=part["mode"]))
        made.append(end - at)
        at = end
    return {"m": made, "total_m": game.position.status(KIT).state.cell.col}


def jump_words(given: Given) -> list[str]:
    """The words of `odds` for a jump as a case has it."""
    high = given.get("type") == "high"
    height = given.get("distance", 1) if high else given.get("rise", -given.get("drop", 0))
    words = ["--jump", "0" if high else str(given.get("distance", 1)), f"--rise={height}"]
    words += ["--run-up", str(given["runup"])] if "runup" in given else []
    words += ["--kind", given["type"]] if "type" in given else []
    return words + (["--fact", "slick=true"] if given.get("bad_takeoff") or given.get("bad_landing") else [])


def jumper(given: Given) -> dict[str, object]:
    known = {name: given[name] for name in ("str", "dex", "acrobatics", "stocky", "ep", "held_ep") if name in given}
    if "held_ep" in known:
        known["held_ep"] = ",".join(str(points) for points in known["held_ep"])
    return {"end": 12, **known}


def number(given: Given, options: Options, case: Given) -> Given:
    """The jump number that the answer tells, and that of the scores alone."""
    plain = {name: given[name] for name in ("str", "dex")}
    base = asked_number({**plain, "type": "standing"}, options)
    return {"jump_number": asked_number(given, options), "base": base}


def asked_number(given: Given, options: Options) -> Fraction:
    """The jump number of a jump."""
    found = asked("odds", "--rules", RULES, *stats_of(jumper(given)), *told(options), *jump_words(given), *ANY)[1]
    return exact(found["number"])


def jump(given: Given, options: Options, case: Given) -> Given:
    """A jump with its totals, and on what it hangs."""
    rolls = [word for name in ("d20", "d6") if name in given for word in ("--roll", str(given[name]))]
    asking = ("odds", "--rules", RULES, *stats_of(jumper(given)), *told(options), *jump_words(given), *ANY)
    leap = asked(*asking, *rolls)[1]["leap"]
    return {
        "jump_number": leap["number"],
        "difference": leap["difference"],
        "chance": leap["chance"],
        "result": leap["result"],
        "recovery_turns": leap["recovery"],
        "no_action_turns": leap["no_action"],
        "stunned_turns": leap["stunned"],
    }


def jump_table(given: Given, options: Options, case: Given) -> Given:
    found = []
    for total in given["sums"]:
        who = stats_of({"str": total - 1, "dex": 1, "end": 12})
        answer = asked("odds", "--rules", RULES, *who, *told(options), "--jump", "1", "--kind", "standing")[1]
        found.append(exact(answer["number"]) if "number" in answer else None)
    return {"numbers": found}


def probability(given: Given, options: Options, case: Given) -> Given:
    """A jump that is so much wider than a jump number of two and a half."""
    wide = str(Fraction(5, 2) + exact(given["difference"]))
    who = stats_of({"str": 12, "dex": 12, "end": 12})
    return {"p": exact(asked("odds", "--rules", RULES, *who, *told(options), "--jump", wide)[1]["chance"])}


def plot(given: Given, rows: list[str], legend: Given) -> tuple[str, dict[str, str]]:
    """A map with a start and a goal as a file, and the names of both cells."""
    drawn = ((row.index(sign), n, sign) for n, row in enumerate(rows, 1) for sign in "SG" if sign in row)
    spots = {sign: f"{column_name(col)}{n}" for col, n, sign in drawn}
    document = {
        "schema": 1, "grid": {"type": "square", "cell": given["cell_m"], "unit": "m"}, "rules": RULES,
        "legend": {"S": {}, "G": {}, ".": {}, **legend}, "rows": "\n".join(rows),
        "movers": [{"id": KIT, "at": spots["S"], "stats": {"mv": given["mv"]}}],
    }  # fmt: skip
    return as_json(document), spots


def in_metres(options: Options, text: str, mode: str, turns: object) -> Fraction:
    """A share of the turn as metres of a mode on good ground, as the reach lists them."""
    gaits = {gait["name"]: gait for gait in on_strip(options, text, "reach", *EACH)["gaits"]}
    return exact(turns) * exact(gaits[mode]["metres"])


def grid(given: Given, options: Options, case: Given) -> Given:
    text, spots = plot(given, given["rows"], {"R": {"rough": True}, "~": {"water": "shallow"}})
    way = on_strip(options, text, "path", "--gait", given["mode"], "--to", spots["G"], *EACH)
    row = given["rows"][int(spots["S"][1:]) - 1]
    cells = ",".join(f"{column_name(col)}{spots['S'][1:]}" for col in range(row.index("S"), row.index("G") + 1))
    along = on_strip(options, text, "resolve", "--gait", given["mode"], "--path", cells, *EACH)
    metres = lambda turns: in_metres(options, text, given["mode"], turns)  # noqa: E731
    return {
        "cheapest_cost": metres(way["cost"]) if "cost" in way else None,
        "direct_cost": metres(along["length"]) if "length" in along else None,
    }


def elevation_strip(given: Given, options: Options, case: Given) -> Given:
    heights, rough = given["elevations"], given.get("rough", [False] * len(given["elevations"]))
    grounds = [{"elevation": up, "rough": hard} for up, hard in zip(heights, rough, strict=True)]
    text = strip_file(RULES, {"mv": given["mv"]}, grounds[1:], given["cell_m"], first=grounds[0])
    words = ("--gait", given["mode"], "--to", f"{column_name(len(grounds) - 1)}1", *EACH)
    way = on_strip(options, text, "path", *words)
    costs = [in_metres(options, text, given["mode"], step["cost"]) for step in way["steps"]]
    return {"step_costs": costs, "total_cost": in_metres(options, text, given["mode"], way["cost"])}


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
