"""Answers to the worked cases of `operator`, asked as a player asks: by games on a strip of feet, and by commands."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import takewhile
from pathlib import Path
from typing import Any

import tactical
from tactical import Accepted, Battlemap, Cell, Mover, Refusal
from tactical.options import Options
from tactical.play import commands as do
from tactical.play.events import AttackOffered, Ended
from tactical.play.session import Session
from tactical.units import exact
from tactical.world.edges.barriers import Barrier, Kind

sys.path.insert(0, str(Path(__file__).parent))
from _commands import asked, stats_of, told

Given = Mapping[str, Any]
GROUNDS: dict[str, dict[str, object]] = {
    ".": {}, "d": {"difficult": True}, "c": {"climb": True}, "s": {"swim": True}, "o": {"gap": True},
}  # fmt: skip
FAR = 150


def strip(row: str, stats: Given, options: Options, *, posture: str = "standing", doors: Sequence[int] = ()) -> Session:
    """A game of one on a strip of cells of a foot; doors lead to a second one beside it."""
    mover = Mover("kit", "operator", dict(stats), Cell(0, 0), "ours", posture=posture)
    frames = [Barrier(((at, 1), (at + 1, 1)), Kind.DOOR, id=f"door{n}") for n, at in enumerate(doors)]
    rows = [row] * (1 + bool(doors))
    battlemap = Battlemap.from_rows(rows, GROUNDS, cell=1, unit="ft", rules="operator", movers=[mover])
    return Session.new(battlemap.with_(barriers=frames), options=dict(options.wire()))


def speed(given: Given, options: Options, case: Given) -> Given:
    stats = {key: value for key, value in given.items() if key not in ("base", "crouched")}
    posture = "crouched" if given.get("crouched") else "standing"
    session = strip("." * FAR, {"speed": given.get("base", 30), **stats}, options, posture=posture)
    gone = takewhile(lambda cells: bool(_walk(session, 0, cells)), range(1, FAR))
    return {"speed": session.reach("kit").bands[0].budget, "whole_turn_ft": max(gone)}


def _walk(session: Session, start: int, feet: int) -> Accepted | Refusal:
    """Go so many feet on, foot by foot, in the present posture; taken back where it can be."""
    session.undo()
    return session.execute(do.Move("kit", Cell(start + feet, 0), legs=_legs(session, start, feet), gait="move"))


def _legs(session: Session, start: int, feet: int) -> tuple[do.Leg, ...]:
    posture = session.position.status("kit").state.posture
    return tuple(do.Leg(Cell(start + n, 0), posture=posture) for n in range(1, feet + 1))


def whole_turn(given: Given, options: Options, case: Given) -> Given:
    row, doors = ".", []
    for order in given["steps"]:
        feet = int(order.get("ft", 0))
        if order["do"] == "move":
            ground = "d" if order.get("difficult") else {"climb": "c", "swim": "s"}.get(order.get("mode", ""), ".")
            row += ground * feet
        elif order["do"] == "jump":
            row += "o" * (feet - 1) + "."
        elif order["do"] == "object_interaction":
            doors.append(len(row) - 1)
    names = {"speed": "speed", "str": "strength", "bonus_dash": "bonus_dash", "action_surge": "action_surge"}
    stats = {names[key]: value for key, value in given.items() if key in names}
    session = strip(row, stats, options, posture=given.get("posture", "standing"), doors=doors)
    at, opened = 0, iter(range(len(doors)))
    for order in given["steps"]:
        done = session.execute(_command(session, order, at, opened))
        if isinstance(done, Refusal):
            return {"legal": False, "reason": done.code}
        at += int(order.get("ft", 0))
    status = session.position.status("kit")
    stay = session.route("kit", status.state.cell)
    assert stay, stay.text
    return {
        "legal": True,
        "spent": status.turn.spent,
        "remaining": stay.remaining,
        "posture": status.state.posture,
    }


def _command(session: Session, order: Given, at: int, opened: Any) -> do.Command:
    feet = int(order.get("ft", 0))
    match order["do"]:
        case "move":
            return do.Move("kit", Cell(at + feet, 0), legs=_legs(session, at, feet), gait="move")
        case "jump":
            return do.Move("kit", Cell(at + feet, 0), legs=(do.Leg(Cell(at + feet, 0), "jump", "standing"),))
        case "stand" | "crouch" | "drop_prone" as name:
            return do.Posture("kit", {"stand": "standing", "crouch": "crouched", "drop_prone": "prone"}[name])
        case "action":
            return do.Act("kit", order["name"])
        case "dash" | "bonus_dash" as name:
            return do.Dash("kit", name == "bonus_dash")
        case "disengage":
            return do.Disengage("kit")
        case "object_interaction":
            return do.OpenDoor(f"door{next(opened)}", "kit")
    raise LookupError(f"order {order['do']!r}")


def jump(given: Given, options: Options, case: Given) -> Given:
    named = {"strength": given["str"], **({"height": given["height"]} if "height" in given else {})}
    ruled = ("--rules", "operator", *stats_of(named), *told(options))
    question = ("odds", *ruled, "--run-up", str(given["runup"]), "--jump")
    if given["type"] == "high":
        found = asked(*question, "0", "--rise", "0")[1]
        return {"max_ft": found["longest"], "reach_ft": found["reach"]}
    return {"max_ft": max(takewhile(lambda feet: not asked(*question, str(feet))[0], range(FAR))), "reach_ft": None}


HALL = "schema: 1\ngrid: {type: square, cell: 5, unit: ft}\nrules: operator\n"


def attack_mods(given: Given, options: Options, case: Given) -> Given:
    text = HALL + "rows: '...'\nmovers: [{id: kit, at: A1}]\n"
    _, found = asked("path", "MAP", "--mover", "kit", "--to", "B1", "--arrive", given["posture"], text=text)
    for one in found["attacked"]:
        if one["attack"] == given["attack"] and (not one["beyond"] or exact(given["distance"]) > exact(one["beyond"])):
            return {"modifier": one["modifier"], "advantage": one["advantage"]}
    return {"modifier": 0, "advantage": "none"}


def opportunity(given: Given, options: Options, case: Given) -> Given:
    shift = 3
    path = [Cell(x + shift, y + shift) for x, y in given["path"]]
    movers = [Mover("kit", "operator", {}, path[0], "ours")]
    movers += [
        Mover(f"foe{n}", "operator", {}, Cell(x + shift, y + shift), "theirs", reach=given["reach_squares"])
        for n, (x, y) in enumerate(given["enemies"])
    ]
    battlemap = Battlemap.from_rows(["." * 9] * 9, cell=5, unit="ft", rules="operator", movers=movers)
    session = Session.new(battlemap, options=dict(options.wire()))
    if given.get("disengage_before_step"):
        session.execute(do.Disengage("kit"))
    answer = session.execute(do.Move("kit", path[-1], legs=[do.Leg(cell) for cell in path[1:]]))
    steps: list[int] = []
    while isinstance(answer, Accepted) and answer.of(AttackOffered):
        steps += [path.index(offered.cell) + 1 for offered in answer.of(AttackOffered)]
        answer = session.execute(do.GoOn("kit"))
    assert isinstance(answer, Accepted), answer
    return {"provokes": len(steps), "at_step": steps}


def check(given: Given, options: Options, case: Given) -> Given:
    facts = {"climb": "climb: true, slick: true", "swim": "water: deep, current: strong"}[given["mode"]]
    cells = int(given["ft"]) // 5
    text = HALL + f"legend: {{x: {{{facts}}}}}\nrows: '.{'x' * cells}'\nmovers: [{{id: kit, at: A1}}]\n"
    goal = f"{chr(ord('A') + cells)}1"
    roll = ("--option", f"athletics_dc={given['dc']}", "--roll", str(given["total"]))
    outcome = asked("resolve", "MAP", "--mover", "kit", "--to", goal, *roll, text=text)[1]["outcome"]
    if outcome["result"] != "ok":
        return {"ok": False, "badly": outcome["stretch"]["badly"], "progress_ft": outcome["stretch"]["progress"]}
    # what went well has no stretch that was not made: the way is as long as it is shown
    (turn,) = asked("path", "MAP", "--mover", "kit", "--to", goal, text=text)[1]["rounds"]
    return {"ok": True, "badly": False, "progress_ft": turn["distance"]}


def probability(given: Given, options: Options, case: Given) -> Given:
    stats = stats_of({"athletics": given["modifier"]})
    return {"p": exact(asked("odds", "--rules", "operator", *stats, "--dc", str(given["dc"]))[1]["chance"])}


def vehicle(given: Given, options: Options, case: Given) -> Given:
    stats = json.dumps({"speed": given["foot_speed"], "vehicle": given["vehicle"]})
    text = HALL + f"rows: '...'\nmovers: [{{id: kit, at: A1, stats: {stats}}}]\n"
    found = asked("reach", "MAP", "--mover", "kit", text=text)[1]
    on_grid = bool(found["bands"])
    return {"speed": exact(found["bands"][0]["budget"]) if on_grid else None, "on_grid": on_grid}


def grid(given: Given, options: Options, case: Given) -> Given:
    row = next(n for n, text in enumerate(given["rows"]) if "S" in text)
    start, end = (Cell(given["rows"][row].index(sign), row) for sign in "SG")
    rows = [text.replace("S", ".").replace("G", ".") for text in given["rows"]]
    mover = Mover("kit", "operator", {}, start)
    legend = {"D": {"difficult": True}, ".": {}}
    battlemap = Battlemap.from_rows(rows, legend, cell=exact(given["cell_ft"]), rules="operator", movers=[mover])
    found = tactical.reach(battlemap, "kit", options=dict(options.wire()))
    session = Session.new(battlemap, options=dict(options.wire()))
    legs = [do.Leg(Cell(col, row)) for col in range(start.col + 1, end.col + 1)]
    done = session.execute(do.Move("kit", end, legs=legs))
    along: Fraction | None = done.of(Ended)[-1].cost if isinstance(done, Accepted) else None
    return {"cheapest_cost": found.cost(end), "direct_cost": along}


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
