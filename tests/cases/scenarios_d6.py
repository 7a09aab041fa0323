"""Scenario questions about speeds, rolls, jumps, falls and efforts, asked by command lines and by games."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))
from _commands import asked
from _maps import board, mover_of

import tactical
from tactical import Cell, EndTurn, GivenRoll, Move, Place, RollNeeded, Session, SetMover

Scenario = Mapping[str, Any]
Answer = dict[str, Any]
REASON = {"move.min_distance": "min_distance", "move.max_distance": "max_distance", "move.speed_change": "speed_change"}
LONG = 12
"""No plan asked for here takes more turns."""
NUMBERS = {"VE": 5, "E": 10, "M": 15, "D": 20, "VD": 25, "H": 30}
"""What the game master of these cases says where the ground states no number: it does not matter who passes anyway."""


def command(scenario: Scenario, name: str, *words: str, at: str = "") -> Answer:
    """What a command says about the scenario's mover on its map."""
    mover, turn = mover_of(scenario)
    text = tactical.dump(board(scenario).with_(movers=(mover,), rules=scenario["ruleset"]))
    assert isinstance(text, str)
    stated = [word for name, value in scenario.get("options", {}).items() for word in ("--option", f"{name}={value}")]
    before = ("--previous-speed", turn.previous) if turn.previous else ()
    start = ("--at", at) if at else ()
    return asked(name, "MAP", "--mover", mover.id, *start, *before, *stated, *words, text=text)[1]


def question(scenario: Scenario) -> tuple[Any, Any, dict[str, Any]]:
    """Map, mover and keywords of a question in Python."""
    mover, turn = mover_of(scenario)
    return board(scenario), mover, {"options": scenario.get("options", {}), "turn": turn}


def game(scenario: Scenario) -> Session:
    """A game in which the scenario's mover stands on its map."""
    mover, turn = mover_of(scenario)
    session = Session.new(board(scenario), [mover], options=scenario.get("options", {}))
    if turn.previous:
        session.execute(SetMover(mover.id, turn={"previous": turn.previous}))
    return session


def gait_of(scenario: Scenario) -> tuple[str, ...]:
    """The words for the gait that is asked about, if one is."""
    gait = scenario["ask"].get("speed") or scenario["mover"].get("gait")
    return ("--gait", gait) if gait else ()


def through(cells: Sequence[str], to: str) -> list[str]:
    """The words for a way over these cells, the first of them left out, to another."""
    return [word for cell in cells[1:] for word in ("--via", cell)] + ["--to", to]


def rings(scenario: Scenario) -> Answer:
    battlemap, mover, more = question(scenario)
    gait = scenario["ask"]["speed"]
    found = tactical.reach(battlemap, mover, gait=gait, **more)
    if gait in found.refused:
        return {"legal": False}
    signs = dict.fromkeys(found.passing(), "o") | dict.fromkeys(found.cells(), "*") | {mover.at: "@"}
    rows = ["".join(signs.get(Cell(col, row), ".") for col in range(battlemap.cols)) for row in range(battlemap.rows)]
    return {"legal": True, "rows": rows, "count": len(found.cells())}


def tiers(scenario: Scenario) -> Answer:
    """The gaits that are open, and standing still where the turn may be ended at once."""
    session, stays = game(scenario), game(scenario).execute(EndTurn("mover"))
    return {"allowed": ["stop"] * bool(stays) + [band.gait for band in session.reach("mover").bands]}


def rounds(scenario: Scenario) -> Answer:
    ask = scenario["ask"]
    battlemap, mover, more = question(scenario)
    if ask["finish"] == "any":
        route = tactical.reach(battlemap, mover, turns=LONG, **more).route(ask["to"])
        assert route, route.text
        return {"rounds": len(route.rounds)}
    # every round of every game: the first after which the mover stands there and may end the next without a step
    goal = battlemap.cell_of(ask["to"])
    games = [game(scenario)]
    for number in range(1, LONG):
        games = played_on(games)
        for session in games:
            if session.position.mover("mover").at == goal and session.why_not(EndTurn("mover")) is None:
                return {"rounds": number}
    raise AssertionError(f"not in {LONG} rounds")


def played_on(games: Sequence[Session]) -> list[Session]:
    """The games in which these may go on by a move to any cell at any gait, every roll passed.

    Where somebody is at the same cell by the same gait the next round is the same.
    """
    out: dict[tuple[Cell, str], Session] = {}
    for session in games:
        for band in session.reach("mover").bands:
            for cell in session.reach("mover", gait=band.gait).cells():
                if (cell, band.gait) not in out:
                    out[cell, band.gait] = moved_on(Session(session.position), cell, band.gait)
    return list(out.values())


def moved_on(session: Session, cell: Cell, gait: str) -> Session:
    """The game a round later, in which the mover went to a cell."""
    done = session.execute(Move("mover", cell, gait=gait))
    assert done, done.text
    for needed in done.of(RollNeeded):
        session.execute(GivenRoll("mover", passed=True, number=needed.check.number or NUMBERS[needed.check.level]))
    session.execute(EndTurn("mover"))
    return session


def far(scenario: Scenario) -> Answer:
    battlemap, mover, more = question(scenario)
    found = tactical.reach(battlemap, mover, turns=scenario["ask"]["rounds"], **more)
    ends = [cell for cell in found.cells() if found.turn(cell) == scenario["ask"]["rounds"]]
    metres, cell = max((found.cost(cell) or 0, cell) for cell in ends)
    return {"cell": battlemap.name_of(cell), "metres": metres}


def check(scenario: Scenario) -> Answer:
    """The way cell by cell as `path` shows it; where there is none, why `resolve` would not carry it out."""
    path, gait = scenario["ask"]["path"], gait_of(scenario)
    found = command(scenario, "path", *gait, *through(path[:-1], path[-1]))
    if "refusal" in found:
        code = command(scenario, "resolve", *gait, "--path", ",".join(path))["refusal"]["code"]
        return {"legal": False, "reason": REASON.get(code, code)}
    (turn,), checks = found["rounds"], found["checks"]
    assert [found["start"], *(step["to"] for step in found["steps"])] == path
    answer = {"legal": True, "length": turn["distance"], "action": found["action"], "roll": bool(checks)}
    return answer | ({"level": checks[0]["level"], "number": checks[0]["number"]} if checks else {})


def number(scenario: Scenario) -> Answer:
    found = command(scenario, "risks", *gait_of(scenario), "--by", "number", "--to", scenario["ask"]["to"])
    return {"frontier": [[choice["risk"], choice["route"]["cost"]] for choice in found["choices"]]}


# --- outcomes --------------------------------------------------------------------------------------------------------


def moved(scenario: Scenario) -> Answer:
    ask = scenario["ask"]
    way = ("--path", ",".join(ask["path"]), "--roll", str(ask["roll"]))
    found = command(scenario, "resolve", *gait_of(scenario), *way)
    outcome, open_gaits = found["outcome"], found["next"]["gaits"]
    return {**outcome, "at": found["end"], "posture": found["posture"], "next_speeds": open_gaits}


def climbed(scenario: Scenario) -> Answer:
    ask = scenario["ask"]
    found = command(scenario, "resolve", "--to", ask["to"], "--dc", str(ask["dc"]), "--roll", str(ask["total"]))
    tried = found["outcome"]["stretch"]
    return {**tried, "at": found["end"], "spent": found["spent"], "remaining": found["remaining"]}


def dropped(scenario: Scenario) -> Answer:
    """The fall, with plans that accept any damage."""
    ask = scenario["ask"]
    roll = () if ask["roll"] is None else ("--roll", str(ask["roll"]))
    way = ("--stat", "accept_damage=1000", "--path", f"{ask['from']},{ask['to']}", *roll)
    (fall,) = command(scenario, "resolve", *gait_of(scenario), *way)["outcome"]["falls"]
    return dict(fall)


def jump_words(scenario: Scenario) -> tuple[str, list[str]]:
    """Where the mover is and the words for the way to the take-off and over the gap, however unlikely the landing."""
    way = scenario["ask"]["path"]
    return way[0], [*gait_of(scenario), "--option", "jump_chance=0", *through(way, scenario["ask"]["to"])]


def jumped(scenario: Scenario) -> Answer:
    start, words = jump_words(scenario)
    rolls = ("--roll", str(scenario["ask"]["d20"]), "--roll", str(scenario["ask"]["d6"]))
    leap = command(scenario, "resolve", *words, *rolls, at=start)["outcome"]["leap"]
    return {
        "jump_number": leap["number"], "difference": leap["difference"], "chance": leap["chance"],
        "result": leap["result"], "recovery_turns": leap["recovery"], "no_action_turns": leap["no_action"],
        "stunned_turns": leap["stunned"],
    }  # fmt: skip


OUTCOMES = {"move": moved, "climb": climbed, "drop": dropped, "jump": jumped}


# --- odds ------------------------------------------------------------------------------------------------------------


def weighed(scenario: Scenario, *words: str, at: str = "") -> Answer:
    """What `path --odds` says of a way."""
    odds: Answer = command(scenario, "path", "--odds", *words, at=at)["odds"]
    return odds


def along(scenario: Scenario) -> Answer:
    """The odds of the way of the case, cell by cell."""
    path = scenario["ask"]["path"]
    return weighed(scenario, *gait_of(scenario), *through(path[:-1], path[-1]))


def climbing(scenario: Scenario) -> Answer:
    return weighed(scenario, "--to", scenario["ask"]["to"], "--dc", str(scenario["ask"]["dc"]))


def jumping(scenario: Scenario) -> Answer:
    if "path" in scenario["ask"]:
        start, words = jump_words(scenario)
        return {"p": weighed(scenario, *words, at=start)["chance"]}
    # who has run before this turn, at the take-off
    ask, (mover, _) = scenario["ask"], mover_of(scenario)
    session = Session.new(board(scenario), [mover], options={**scenario["options"], "jump_chance": 0})
    session.execute(Place(mover.id, ask["from"]))
    session.execute(SetMover(mover.id, turn={"run_up": session.battlemap.cell if ask["runup"] else 0}))
    route = session.route(mover.id, ask["to"], gait=scenario["mover"]["gait"])
    assert route, route.text
    # the jump's own roll: the case does not say how long this runner lasts
    (leap,) = (check for check in route.checks if check.kind == "jump")
    return {"p": leap.chance()}


def lasting(scenario: Scenario) -> tuple[str, ...]:
    """The words for a way at one gait over as many turns as it takes."""
    return (*gait_of(scenario), "--turns", str(LONG), "--to", scenario["ask"]["to"])


def likeliest(scenario: Scenario) -> Answer:
    """The likeliest of the ways that `risks` shows: the last."""
    words = (*gait_of(scenario), "--by", "chance", "--to", scenario["ask"]["to"])
    return {"p": command(scenario, "risks", *words)["choices"][-1]["chance"]}


ODDS: dict[str, Callable[[Scenario], Answer]] = {
    "check": lambda scenario: {"p": along(scenario)["chance"]},
    "cells": lambda scenario: {"p": along(scenario)["chance"]},
    "best_check": likeliest,
    "landing": lambda scenario: {"p": along(scenario)["landings"]["cells"]},
    "climb": lambda scenario: {"p": climbing(scenario)["chance"]},
    "jump": jumping,
    "effort": lambda scenario: {"p": weighed(scenario, *lasting(scenario))["chance"]},
    "run_roll": lambda scenario: {"p": weighed(scenario, "--to", scenario["ask"]["to"])["chance"]},
}


def effort(scenario: Scenario) -> Answer:
    turns = command(scenario, "path", *lasting(scenario))["rounds"]
    tests = [[turn["turn"], roll["number"]] for turn in turns for roll in turn["checks"]]
    return {"rounds": len(turns), "tests": tests}


KINDS: dict[str, Callable[[Scenario], Answer]] = {
    "ring": rings,
    "tiers": tiers,
    "rounds_to": rounds,
    "farthest": far,
    "check": check,
    "outcome": lambda scenario: OUTCOMES[scenario["ask"]["of"]](scenario),
    "odds": lambda scenario: ODDS[scenario["ask"]["of"]](scenario),
    "effort": effort,
    "number": number,
}
