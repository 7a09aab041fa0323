"""Answers to the worked cases of both D6 systems, asked as a player asks: by commands, and by games on a strip."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))
from _commands import as_json, asked, stats_of, text_of, told
from _strip import KIT, strip, strip_file

from tactical import (
    Act,
    ActionTaken,
    Cell,
    Damage,
    Damaged,
    EndTurn,
    GivenRoll,
    Move,
    Rammed,
    RollNeeded,
    Session,
    SetMover,
)
from tactical.options import Options
from tactical.units import column_name, exact

Given = Mapping[str, Any]
SPEEDS = ("cautious", "cruising", "high", "all_out")
LEVELS = ("VE", "E", "M", "D", "VD", "H")
MODES: Mapping[str, Given] = {"walk": {}, "swim": {"swim": True}, "climb": {"climb": True}}
PARTS = {"walk": 4, "swim": 12, "climb": 12}  # cells that Move is cut into, so that every distance ends on one


def name_of(col: int) -> str:
    """The name of a cell of the strip."""
    return f"{column_name(col)}1"


def stats_for(given: Given, speed: str, **more: object) -> dict[str, object]:
    """Somebody who went as fast the round before, so that the speed is open."""
    kind = given.get("actor", "character")
    return {"kind": kind, "move": given.get("move", 10), "previous": speed, **more}


def ground_of(given: Given, **facts: object) -> dict[str, object]:
    return {key: value for key, value in given.items() if key in ("level", "number")} | facts


def on_strip(case: Given, options: Options, text: str, command: str, *words: str) -> dict[str, Any]:
    """What a command says about the mover of a strip."""
    given = {name: value for name, value in options.wire().items() if name in case.get("options", {})}
    return asked(command, "MAP", "--mover", KIT, *words, *told_only(given), text=text)[1]


def told_only(given: Mapping[str, object]) -> list[str]:
    """The options a case names, as a command line takes them."""
    return [word for name, value in given.items() for word in ("--option", f"{name}={value}")]


def distance(given: Given, options: Options, case: Given) -> Given:
    """The nearest and the farthest cell in which such a move may end, and how long the ways there are."""
    speed, mode = given["speed"], given.get("mode", "walk")
    cell = Fraction(given["move"], PARTS[mode])
    text = strip_file(case["ruleset"], stats_for(given, speed), [MODES[mode]] * 20, cell)
    cells = [one["cell"] for one in on_strip(case, options, text, "reach", "--gait", speed)["cells"]]
    ends = cells[0], cells[-1]
    ways = [on_strip(case, options, text, "path", "--gait", speed, "--to", cell)["rounds"][0] for cell in ends]
    return {"min_m": ways[0]["distance"], "full_m": ways[1]["distance"]}


def a_move(given: Given, case: Given, options: Options, **more: object) -> tuple[str, list[str]]:
    """A strip of one kind of ground and the words that ask for a move on it."""
    speed, ground = given["speed"], ground_of(given["terrain"])
    far = int(given.get("declared_m", 0)) or shortest(given, case)
    stunt = ["--stunt", str(given["maneuver"])] if "maneuver" in given else []
    words = ["--gait", speed, "--to", name_of(far), *stunt]
    stats = stats_for(given, speed, **more)
    text = strip_file(case["ruleset"], stats, [ground] * far)
    if "shifted_number" in given["terrain"]:
        # the game master's number for the level that the speed makes of the ground's
        level = on_strip(case, options, text, "path", *words)["checks"][0]["level"]
        numbers = {level: given["terrain"]["shifted_number"]}
        text = strip_file(case["ruleset"], stats, [{**ground, "level_numbers": numbers}] * far)
    return text, words


def shortest(given: Given, case: Given) -> int:
    """A whole number of metres that is a move at this speed."""
    text = strip_file(case["ruleset"], stats_for(given, given["speed"]), [{}] * 40)
    found = asked("reach", "MAP", "--mover", KIT, "--gait", given["speed"], text=text)[1]
    return -int(-exact(found["bands"][0]["minimum"]) // 1)


def requirement(given: Given, options: Options, case: Given) -> Given:
    text, words = a_move(given, case, options)
    found = on_strip(case, options, text, "path", *words)
    checks = found["checks"]
    told_check = {key: checks[0][key] for key in ("level", "number")} if checks else {}
    return {"action": found["action"], "roll": bool(checks), **told_check}


OUTCOME = (
    "action", "roll_required", "level", "number", "margin", "result", "posture", "dice_now", "dice_next",
    "no_actions_now", "no_actions_next", "damage",
)  # fmt: skip


def told_outcome(found: Given) -> Given:
    outcome = found["outcome"]
    return {**{name: outcome[name] for name in OUTCOME}, "moved_m": outcome["moved"]}


def rolled(given: Given) -> list[str]:
    return ["--roll", str(given["roll"])] if "roll" in given else []


def move(given: Given, options: Options, case: Given) -> Given:
    text, words = a_move(given, case, options)
    return told_outcome(on_strip(case, options, text, "resolve", *words, *rolled(given)))


def several_grounds(given: Given, options: Options, case: Given) -> Given:
    grounds = [ground_of(stretch) for stretch in given["strip"] for _ in range(stretch["m"])]
    text = strip_file(case["ruleset"], stats_for(given, given["speed"]), grounds)
    words = ("--gait", given["speed"], "--to", name_of(given["declared_m"]))
    return told_outcome(on_strip(case, options, text, "resolve", *words, *rolled(given)))


def declare(given: Given, options: Options, case: Given) -> Given:
    half = Fraction(1, 2)
    cells = int(exact(given["declared_m"]) / half)
    text = strip_file(case["ruleset"], stats_for(given, given["speed"]), [{}] * (cells + 100), half)
    found = on_strip(case, options, text, "path", "--gait", given["speed"], "--to", name_of(cells))
    return {"legal": "refusal" not in found}


def accel(given: Given, options: Options, case: Given) -> Given:
    game = strip(case["ruleset"], stats_for(given, given["previous"]), [{}] * 40)
    gaits = [band.gait for band in game.reach(KIT).bands]
    return {"allowed": ["stop"] * bool(game.execute(EndTurn(KIT))) + gaits}


HARD = {"level": "D", "number": 18}


def acted(game: Session, others: int) -> bool:
    """So many other actions in the round, as long as none is refused."""
    return all(bool(game.execute(Act(KIT, "shoot"))) for _ in range(others))


def dice_asked(game: Session, metres: int, gait: str) -> str | None:
    """The dice of the roll that a move pauses for; None where it is refused, nothing where none is asked."""
    done = game.execute(Move(KIT, Cell(metres, 0), gait=gait))
    needed = done.of(RollNeeded) if done else ()
    return (str(needed[0].check.dice) if needed else "") if done else None


def pool(given: Given, options: Options, case: Given) -> Given:
    """The dice of a roll in a round with other actions, and with what an earlier roll has taken."""
    stats = stats_for(given, "cruising", code=given["code"])
    game = strip(case["ruleset"], stats, [HARD] * 10, options=options.wire())
    if "extra_dice" in given:
        game.execute(SetMover(KIT, turn={"memory": {"dice": given["extra_dice"]}}))
    acted(game, given["actions"] - 1)
    return {"code": dice_asked(game, 10, "cruising")}


def round_actions(given: Given, options: Options, case: Given) -> Given:
    """The move, then the other actions: the last is told the dice that all actions of the round lose."""
    stats, speed = stats_for(given, given["speed"], code="4D"), given["speed"]
    far = shortest(given, case)
    game = strip(case["ruleset"], stats, [ground_of(given["terrain"])] * far, options=options.wire())
    done = game.execute(Move(KIT, Cell(far, 0), gait=speed))
    if done and done.of(RollNeeded):
        done = game.execute(GivenRoll(KIT, passed=True))
    assert done
    if not acted(game, given["other_actions"]):
        return {"legal": False}
    (last,) = [event for entry in game.log for event in entry.events if isinstance(event, ActionTaken)][-1:]
    return {"legal": True, "actions_counted": 1 - last.dice, "map_dice": last.dice}


def moves_per_round(given: Given, options: Options, case: Given) -> Given:
    game = strip(case["ruleset"], stats_for(given, "cruising"), [{}] * 40)
    at, done = 0, []
    for speed in given["speeds"]:
        at += shortest({**given, "speed": speed}, case)
        done.append(bool(game.execute(Move(KIT, Cell(at, 0), gait=speed))))
    return {"legal": all(done)}


def skill(given: Given, options: Options, case: Given) -> Given:
    fields = {"climbing/jumping": "climbing"}
    named = {fields.get(name, name): code for name, code in {**given["skills"], **given["attributes"]}.items()}
    ground = {**HARD, **MODES[given["mode"]]}
    text = strip_file(case["ruleset"], stats_for(given, "cruising", **named), [ground] * 10)
    found = on_strip(case, options, text, "path", "--gait", "cruising", "--to", "D1")
    if "refusal" in found:
        found = on_strip(case, options, text, "path", "--gait", "cruising", "--to", "F1")
    return {"skill": found["checks"][0]["skill"], "code": found["checks"][0]["dice"]}


def band(given: Given, options: Options, case: Given) -> Given:
    """The one level under which a map's check lets each number stand."""
    levels: list[str | None] = []
    for number in given["numbers"]:
        texts = {level: strip_file(case["ruleset"], {}, [{"level": level, "number": number}]) for level in LEVELS}
        taken = [level for level, text in texts.items() if not asked("check", "MAP", text=text)[1]["faults"]]
        assert len(taken) <= 1
        levels.append(taken[0] if taken else None)
    return {"levels": levels}


def preset(given: Given, options: Options, case: Given) -> Given:
    """A stunt makes every move roll, against the level of its ground."""
    words = ("--gait", "cruising", "--to", "K1", "--stunt", "1")
    stats = stats_for(given, "cruising")
    texts = [strip_file(case["ruleset"], stats, [{"terrain": name}] * 10) for name in given["names"]]
    return {"levels": [on_strip(case, options, text, "path", *words)["checks"][0]["level"] for text in texts]}


def maneuver_class(given: Given, options: Options, case: Given) -> Given:
    text = strip_file(case["ruleset"], stats_for(given, "cruising"), [{"level": "E", "number": 8}] * 10)
    words = ("--gait", "cruising", "--to", "K1", "--stunt")
    found = [on_strip(case, options, text, "path", *words, str(by))["checks"][0]["note"] for by in given["modifiers"]]
    return {"classes": [re.findall(r"(\w+) stunt", note)[0] for note in found]}


def capacity(given: Given, options: Options, case: Given) -> Given:
    """Whether a load is told as too much; without one, the most that is not."""

    def overloaded(carried: int) -> bool:
        stats = stats_for(given, "cruising", strength=given["strength"], carried=carried)
        text = strip_file(case["ruleset"], stats, [{}] * 4)
        return "overloaded" in text_of("reach", "MAP", "--mover", KIT, text=text)

    most = next(carried for carried in range(100) if overloaded(carried + 1))
    return {"capacity": most, "overloaded": overloaded(given.get("carried", 0))}


def probability(given: Given, options: Options, case: Given) -> Given:
    found = asked("odds", "--dice", given["code"], "--number", str(given["at_least"]))[1]
    return {"p": exact(found["chance"])}


RESULTS = ("ok", "slight_slip", "slip", "fall", "minor_tumble", "tumble", "major_tumble")


def failure_bands(given: Given, options: Options, case: Given) -> Given:
    stats = stats_of(stats_for(given, "cruising", code=given["code"]))
    # a level of which this is a number, and a speed that rolls there for just this number
    level, gait = {13: ("M", "high"), 24: ("VD", "cruising")}[given["number"]]
    facts = ("--fact", f"level={level}", "--fact", f"number={given['number']}", "--gait", gait)
    found = asked("odds", "--rules", case["ruleset"], *stats, *told(options), *facts)[1]
    by_result = {row["outcome"]["result"]: exact(row["chance"]) for row in found["outcomes"]}
    return {result: by_result.get(result, Fraction(0)) for result in RESULTS}


def sequence(given: Given, options: Options, case: Given) -> Given:
    """Round after round in one game; a fallen runner gets up before going on."""
    stats = stats_for(given, given["previous"], code=given["code"], lost_moves=given.get("lost_moves", 0))
    orders, grounds = given["rounds"], []
    for order in orders:
        ground = ground_of(order["terrain"])
        if "shifted_number" in order["terrain"]:
            _, words = a_move({**given, **order}, case, options)
            text, _ = a_move({**given, **order}, case, options)
            level = on_strip(case, options, text, "path", *words)["checks"][0]["level"]
            ground["level_numbers"] = {level: order["terrain"]["shifted_number"]}
        grounds += [ground] * order["declared_m"]
    game = strip(case["ruleset"], stats, grounds, options=case.get("options", {}))
    told_rounds: list[Given] = []
    for order in orders:
        start = game.position.status(KIT).state
        if start.posture != "standing":
            game.execute(Move(KIT, start.cell, arrive="standing"))
        done = game.execute(Move(KIT, Cell(start.cell.col + order["declared_m"], 0), gait=order["speed"]))
        if not done:
            told_rounds.append({"legal": False})
            break
        needed = done.of(RollNeeded)
        if needed:
            game.execute(GivenRoll(KIT, order["roll"]))
        state = game.position.status(KIT).state
        told_rounds.append({
            "legal": True, "moved_m": state.cell.col - start.cell.col, "posture": state.posture,
            "code": needed[0].check.dice if needed else None,
        })  # fmt: skip
        game.execute(EndTurn(KIT))
    return {"rounds": told_rounds}


def mixed_mode(given: Given, options: Options, case: Given) -> Given:
    """The farthest end of a way that begins in one mode and goes on in another, cell of a metre by cell."""
    grounds: list[Given] = []
    for segment in given["segments"]:
        grounds += [MODES[segment["mode"]]] * (20 if segment["m"] == "rest" else segment["m"])
    text = strip_file(case["ruleset"], stats_for(given, given["speed"]), grounds)
    cells = [one["cell"] for one in on_strip(case, options, text, "reach", "--gait", given["speed"])["cells"]]
    way = on_strip(case, options, text, "path", "--gait", given["speed"], "--to", cells[-1])
    modes = [sum(step["distance"] for step in way["steps"] if _mode(step) == one["mode"]) for one in given["segments"]]
    return {"m": modes, "total_m": way["rounds"][0]["distance"]}


def _mode(step: Given) -> str:
    return "swim" if any(charge["name"] == "swim" for charge in step["charges"]) else "walk"


def second_skill(given: Given, options: Options, case: Given) -> Given:
    stats = stats_for(given, given["speed"], code=given["run_code"], climbing=given["other_code"])
    far = shortest(given, case)
    text = strip_file(case["ruleset"], stats, [ground_of(given["terrain"])] * far)
    then = ("--then", f"climbing={given['other_number']}")
    rolls = ("--roll", str(given["run_roll"]), "--roll", str(given["other_roll"]))
    found = on_strip(case, options, text, "resolve", "--gait", given["speed"], "--to", name_of(far), *then, *rolls)
    return {
        "rolls": len(found["rolls"]),
        "run_code": found["checks"][0]["dice"],
        "other_code": found["second"]["dice"],
        "run_ok": not found["rolls"][0]["margin"] or found["rolls"][0]["margin"] < 0,
        "other_ok": found["second"]["passed"],
    }


def grid(given: Given, options: Options, case: Given) -> Given:
    """The shortest way, and the one that no roll is needed for: the choices between less risk and less way."""
    rows, stats = given["rows"], stats_for(given, given["speed"])
    spots = {row[col]: f"{chr(65 + col)}{n}" for n, row in enumerate(rows, 1) for col in range(len(row))}
    document = {
        "schema": 1, "grid": {"type": "square", "cell": given["cell_m"], "unit": "m"}, "rules": case["ruleset"],
        "legend": {glyph: ground_of(facts) for glyph, facts in given["legend"].items()}, "rows": "\n".join(rows),
        "movers": [{"id": KIT, "at": spots["S"], "stats": stats}],
    }  # fmt: skip
    words = ("--gait", given["speed"], "--to", spots["G"], "--by", "number")
    choices = on_strip(case, options, as_json(document), "risks", *words)["choices"]
    found = []
    for choice in choices:
        (turn,) = choice["route"]["rounds"]
        number = turn["checks"][0]["number"] if turn["checks"] else None
        found.append({"path_m": turn["distance"], "roll": bool(turn["checks"]), "number": number})
    shortest_way = min(found, key=lambda way: exact(way["path_m"]))
    return {"shortest": shortest_way, "no_roll": next((way for way in found if not way["roll"]), None)}


NUMBERS = {"VE": 5, "E": 10, "M": 15, "D": 20, "VD": 30, "H": 40, "H+10": 50}
MINUTE, HOUR = 60, 3600


def stamina(given: Given, options: Options, case: Given) -> Given:
    """A journey as it is planned, and as it goes where the roll named is missed."""
    kind = "vehicle" if given["activity"].startswith("vehicle_") else "character"
    gait, numbers = given["activity"].removeprefix("vehicle_"), [f"{name}={least}" for name, least in NUMBERS.items()]
    words = [
        "journey", "--rules", case["ruleset"], *stats_of(stats_for({"actor": kind}, "stop")), *told(options), "--gait",
        gait, "--minutes", str(given["elapsed_min"]), *(word for one in numbers for word in ("--number", one)),
    ]  # fmt: skip
    plan = asked(*words)[1]["plan"]
    levels = [roll["trial"]["level"] for roll in plan["rolls"]]
    fails = given.get("fail_check")
    totals = [NUMBERS[level] for level in levels]
    if fails is not None:
        totals[fails - 1] -= given.get("fail_margin", 1)
    played = asked(*words, *(word for one in totals for word in ("--roll", str(one))))[1]["played"] if totals else {}
    owed = played.get("owed")
    told_owed: dict[str, Any] = {}
    if owed is not None and owed.get("repair"):
        told_owed = {"repair_level": owed["repair"]["level"], "repair_min_hours": exact(owed["seconds"]) / HOUR}
    elif owed is not None and owed.get("seconds") is not None:
        told_owed = {"rest_min": exact(owed["seconds"]) / MINUTE}
    rolls = [event for event in played.get("events", ()) if event["event"] == "rolled"]
    return {
        "checks": [{"at_min": exact(roll["at"]) / MINUTE, "level": roll["trial"]["level"]} for roll in rolls],
        "terrain_checks": plan["ground_times"],
        "sleep_h": exact(plan["sleep"]) / HOUR,
        "outcome": owed["kind"] if owed is not None else "ok",
        **told_owed,
    }


def collision(given: Given, options: Options, case: Given) -> Given:
    """What a tumble does at each speed, which is a collision: missed by sixteen."""
    damage = []
    for speed in given["speeds"]:
        order = {**given, "speed": speed, "terrain": {"level": "VD", "number": 30}}
        text, words = a_move(order, case, options)
        number = on_strip(case, options, text, "path", *words)["checks"][0]["number"]
        found = on_strip(case, options, text, "resolve", *words, "--roll", str(number - 16))["outcome"]
        assert found["result"] == "tumble"
        damage.append(found["damage"])
    return {"damage": damage}


PILOT = {"kind": "vehicle", "move": 20, "code": "9D", "previous": "high"}


def ram(given: Given, options: Options, case: Given) -> Given:
    far = {"cautious": 2, "cruising": 4, "high": 8, "all_out": 16}[given["speed"]]
    game = strip("d6-revised", PILOT, [given["terrain"]] * (far + 1), cell=Fraction(5), others={far + 1: PILOT},
                 options={"vehicle_failure": "as_character", **case.get("options", {})})  # fmt: skip
    asked = game.execute(Move("kit", Cell(far, 0), gait=given["speed"], ram=f"foe{far + 1}"))
    if not asked:
        return {"legal": False}
    done = game.execute(GivenRoll("kit", given["roll"]))
    (rammed,) = (event for event in done if isinstance(event, Rammed))
    return {
        "legal": True,
        "number": rammed.number,
        "ram_number": rammed.ram_number,
        "actions_counted": 1 - rammed.dice,
        "map_dice": rammed.dice,
        "outcome": rammed.outcome,
        "margin": rammed.margin,
    }


def damaged(game: Session, *dice: tuple[str, int, int | None]) -> Damaged:
    """The vehicle after the dice of some damage states."""
    (last,) = [event for one in dice for event in game.execute(Damage("kit", *one)) if isinstance(event, Damaged)][-1:]
    return last


def vehicle_damage(given: Given, options: Options, case: Given) -> Given:
    stats = {**PILOT, **{name: given[name] for name in ("maneuverability", "lost_moves", "weapons")}}
    game = strip("d6-revised", stats, [{"level": "VE"}] * 3, cell=Fraction(5), options=case.get("options", {}))
    now = damaged(game, (given["state"], given["die"], given.get("countdown_die")))
    return {
        "maneuverability": now.maneuverability,
        "lost_moves": now.lost_moves,
        "weapons": now.weapons,
        "max_speed": now.max_speed,
        "event": now.event,
        "explodes_in_rounds": now.rounds,
    }


def lost_moves(given: Given, options: Options, case: Given) -> Given:
    game = strip("d6-revised", PILOT, [{"level": "VE"}] * 3, cell=Fraction(5), options=case.get("options", {}))
    by_loss = {-1: ("lightly", 6, None), -2: ("heavily", 6, None), 1: ("lightly", 6, None), 2: ("heavily", 6, None)}
    now = damaged(game, *(by_loss[lost] for lost in given["results"]))
    return {"total": now.lost_moves, "max_speed": now.max_speed, "destroyed": now.destroyed}


def vehicle_speed(given: Given, options: Options, case: Given) -> Given:
    """What the reach of a vehicle that is listed in km/h says of its speeds, and its metres a round."""
    stats = {"kind": "vehicle", "kmh": given["kmh"], "previous": "high"}
    text = strip_file(case["ruleset"], stats, [{}] * 4)
    told_kmh = dict(re.findall(r"(\S+) ([\d/.]+) km/h", text_of("reach", "MAP", "--mover", KIT, text=text)))
    budgets = {gait["name"]: gait["budget"] for gait in on_strip(case, options, text, "reach")["gaits"]}
    return {
        **{speed: exact(told_kmh[speed.replace("_", "-")]) for speed in SPEEDS},
        "move_m": budgets["cruising"],
        "all_out_m": budgets["all_out"],
    }


KINDS: dict[str, Callable[[Given, Options, Given], Given]] = {
    "d6_distance": distance,
    "d6_requirement": requirement,
    "d6_move": move,
    "d6_strip": several_grounds,
    "d6_declare": declare,
    "d6_accel": accel,
    "d6_pool": pool,
    "d6_round_actions": round_actions,
    "d6_moves_per_round": moves_per_round,
    "d6_skill": skill,
    "d6_band": band,
    "d6_terrain_preset": preset,
    "d6_maneuver_class": maneuver_class,
    "d6_capacity": capacity,
    "d6_probability": probability,
    "d6_failure_bands": failure_bands,
    "d6_sequence": sequence,
    "d6_mixed_mode": mixed_mode,
    "d6_second_skill": second_skill,
    "d6_grid": grid,
    "d6_stamina": stamina,
    "d6_collision": collision,
    "d6_ram": ram,
    "d6_vehicle_damage": vehicle_damage,
    "d6_lost_moves": lost_moves,
    "d6_vehicle_speed": vehicle_speed,
}
