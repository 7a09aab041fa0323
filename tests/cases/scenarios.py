"""Map scenarios put to the product: `run_scenario` asks it and returns the answers in its own terms."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

import scenarios_d6
from _maps import board, mover_of, named
from _walk import KIT, Walked, begun, clipped, leg

import tactical
from tactical import Accepted, Act, Cell, Halted, Move, Session
from tactical.play.commands import Leg
from tactical.units import exact

Scenario = Mapping[str, Any]


def asked_of(scenario: Scenario) -> tuple[Any, Any, dict[str, Any]]:
    """Map, mover and keywords of a question at the surface."""
    mover, turn = mover_of(scenario)
    truth = scenario["ask"].get("knowledge") == "truth"
    return board(scenario), mover, {"options": scenario.get("options", {}), "turn": turn, "truth": truth}


FOREVER = 10_000
"""No plan looks further ahead than this many turns."""
ENDLESS = 10**6
"""What is left of a turn that never ends."""


def endless(scenario: Scenario, start: Cell | None = None, arrive: str = "", **done: Any) -> tactical.Reach:
    """The reach of a turn that never ends, from where the mover stands or from another cell."""
    battlemap, mover, more = asked_of(scenario)
    turn = replace(more["turn"], left=ENDLESS, **done)
    return tactical.reach(battlemap, replace(mover, at=start or mover.at), arrive=arrive, **{**more, "turn": turn})


def cost_to(scenario: Scenario) -> dict[str, Any]:
    asked = scenario["ask"]
    via = tuple(named(scenario, cell) for cell in asked.get("via", ()))
    found = endless(scenario, arrive=asked.get("posture", ""))
    if isinstance(asked["to"], list):
        return {"cost": {text: price(found, named(scenario, text), via) for text in asked["to"]}}
    return {"cost": price(found, named(scenario, asked["to"]), via)}


def price(found: tactical.Reach, cell: Cell, via: Sequence[Cell]) -> Fraction | None:
    """What the reach shows on a cell; else by the way there: a hazard is entered only where it is named."""
    shown = None if via else found.cost(cell)
    route = found.route(cell, via=via, arrive=found.arrive or None) if shown is None else None
    return route.cost if route else shown


def costs(scenario: Scenario) -> dict[str, Any]:
    found = endless(scenario)
    rows = range(found.battlemap.rows)
    return {"costs": [[found.cost(Cell(col, row)) for col in range(found.battlemap.cols)] for row in rows]}


def both_ways(scenario: Scenario) -> dict[str, Any]:
    a, b = (named(scenario, scenario["ask"][end]) for end in "ab")
    return {"forth": endless(scenario, a).cost(b), "back": endless(scenario, b).cost(a)}


def reach(scenario: Scenario) -> dict[str, Any]:
    asked = scenario["ask"]
    battlemap, mover, more = asked_of(scenario)
    gaits = tactical.reach(battlemap, mover, **more).profile.gaits
    gait = gaits[min(asked.get("dash", 0), len(gaits) - 1)].name
    more |= {"gait": gait, "reserve": asked.get("reserve", 0), "arrive": asked.get("posture", "")}
    found = tactical.reach(battlemap, mover, **more)
    return drawn(battlemap, found.start.cell, found.cells(), found.passing())


def drawn(battlemap: Any, start: Cell, ends: set[Cell], passed: set[Cell]) -> dict[str, Any]:
    """Rows and count of a reach."""
    rows = []
    for row in range(battlemap.rows):
        text = ""
        for col in range(battlemap.cols):
            cell = Cell(col, row, start.level)
            text += "@" if cell == start else "*" if cell in ends else "o" if cell in passed else "."
        rows.append(text)
    return {"rows": rows, "count": len(ends - {start})}


def bands(scenario: Scenario) -> dict[str, Any]:
    """How many cells cost more than one limit and no more than the next."""
    battlemap, mover, more = asked_of(scenario)
    limits = [exact(limit) for limit in scenario["ask"]["limits"]]
    gaits = tactical.reach(battlemap, mover, **more)
    found = gaits if limits[-1] in [band.budget for band in gaits.bands] else endless(scenario)
    spent = [cost for cell, cost in found.costs.items() if cell != mover.at]
    low = [Fraction(0), *limits[:-1]]
    return {"counts": [sum(a < cost <= b for cost in spent) for a, b in zip(low, limits, strict=True)]}


def over_turns(scenario: Scenario, to: Cell | None = None) -> tactical.Reach:
    """The reach of the first gait over as many turns as it takes to come to a cell, or to come everywhere.

    Where somebody else's plan ends the turn, that one stands.
    """
    battlemap, mover, more = asked_of(scenario)
    for n, one in enumerate(scenario["map"].get("reserved", ())):
        assert one["turn"] == 1
        friend = tactical.Mover(f"friend{n}", at=battlemap.cell_of(one["cell"]), side=mover.side)
        battlemap = battlemap.with_(movers=(*battlemap.movers, friend))
    gait = tactical.reach(battlemap, mover, **more).profile.gaits[0].name
    for most in (8, 64, FOREVER):
        found = tactical.reach(battlemap, mover, turns=most, gait=gait, **more)
        if found.exhausted or (to is not None and found.cost(to) is not None):
            break
    return found


def turns(scenario: Scenario) -> dict[str, Any]:
    goal = named(scenario, scenario["ask"]["to"])
    found = over_turns(scenario, goal)
    route, arrival = found.route(goal), found.arrival(goal)
    if arrival is None:
        return {"turns": None, "last_spent": None}
    stops = [found.battlemap.name_of(turn.end.cell) for turn in route.turns if turn.steps]
    return {"turns": arrival.turn, "last_spent": arrival.spent, "stops": stops}


def turn_map(scenario: Scenario) -> dict[str, Any]:
    found = over_turns(scenario)
    battlemap = found.battlemap
    rows = [
        "".join(
            "@" if (c := Cell(col, row)) == found.start.cell else str(found.turn(c) or ".")
            for col in range(battlemap.cols)
        )
        for row in range(battlemap.rows)
    ]
    return {"rows": rows}


REASONS = {
    "move.budget": "budget", "move.not_adjacent": "not_adjacent", "move.diagonal": "diagonal", "move.wall": "wall",
    "move.door": "door", "move.one_way": "one_way", "move.corner": "corner", "move.impassable": "impassable",
    "move.no_fit": "no_fit", "move.gap": "gap", "move.occupied": "occupied", "move.headroom": "headroom",
    "move.height": "height", "rules.not_covered": "mode", "move.mode": "mode", "move.stop": "stop",
    "move.action": "action", "move.posture": "posture", "move.run_up": "run_up", "move.jump_length": "jump_length",
    "move.door_limit": "door_limit", "move.nothing_to_undo": "nothing_to_undo", "move.min_distance": "min_distance",
    "move.max_distance": "max_distance", "move.speed_change": "speed_change",
}  # fmt: skip


def walk(scenario: Scenario) -> dict[str, Any]:
    asked = scenario["ask"]
    if asked.get("clip"):
        # as far as it can be dragged
        tokens = next(asked["do"][:n] for n in range(len(asked["do"]), 0, -1) if clipped(scenario, asked["do"][:n]))
    else:
        tokens = asked["do"]
    walked = Walked(scenario)
    for n, token in enumerate(tokens, 1):
        refused = walked.go(n, str(token))
        if refused is not None:
            return {"legal": False, "failed_at": n, "reason": REASONS.get(refused.code, refused.code)}
    if walked.waiting:
        return {"legal": False, "failed_at": len(tokens), "reason": "stop"}
    session = walked.session
    status = session.position.status(KIT)
    stay = session.route(KIT, status.state.cell)
    cells = [one.cell for token in tokens if (one := leg(scenario, str(token)))]
    way = endless(scenario).route(cells[-1], via=cells[:-1]) if cells and "distance" in scenario["expect"] else None
    return {
        "legal": True, "at": session.battlemap.name_of(status.state.cell), "posture": status.state.posture,
        "spent": status.turn.spent, "remaining": stay.remaining if stay else None, "turn": status.turn.turn,
        "ledger": walked.ledger(), "why": walked.why, "attacks": walked.attacks,
        "distance": way.rounds[0].distance if way else None,
    }  # fmt: skip


def out_and_back(scenario: Scenario) -> dict[str, Any]:
    """The cells from which one is back in the same turn, with an action there: each gone to in a game."""
    session = begun(scenario)
    home, gait = session.position.mover(KIT).at, session.reach(KIT).profile.gaits[0].name
    out = set()
    for cell in session.reach(KIT, gait=gait).cells():
        there = Session(session.position)
        gone = there.execute(Move(KIT, cell, gait=gait))
        assert gone, gone.text
        there.execute(Act(KIT))
        if home in there.reach(KIT, gait=gait).cells():
            out.add(cell)
    return drawn(session.battlemap, home, out - {home}, set())


def rolls(scenario: Scenario) -> dict[str, Any]:
    """Questions about rolls, which have a file of their own."""
    asked = scenario["ask"]
    return scenarios_d6.KINDS[asked["by"] if asked["kind"] == "frontier" else asked["kind"]](scenario)


def risk_frontier(scenario: Scenario) -> dict[str, Any]:
    asked = scenario["ask"]
    goal = named(scenario, asked["to"])
    if asked["by"] == "number":
        return rolls(scenario)
    found = endless(scenario, disengaged=asked.get("disengage", False)).risks(goal, asked["by"])
    return {"frontier": [[choice.risk, choice.route.cost] for choice in found]}


def plans(scenario: Scenario) -> dict[str, Any]:
    goal = named(scenario, scenario["ask"]["to"])
    battlemap, mover, more = asked_of(scenario)
    away = replace(more["turn"], disengaged=True)
    out = {}
    for name, changes in (("move", {"gait": "move"}), ("dash", {}), ("disengage", {"gait": "move", "turn": away})):
        found = tactical.reach(battlemap, mover, **{**more, **changes}).risks(goal, "attacks")
        out[name] = [[choice.risk, choice.route.cost] for choice in found]
    return out


def execute(scenario: Scenario) -> dict[str, Any]:
    session = begun(scenario)
    legs = [Leg(named(scenario, cell)) for cell in scenario["ask"]["do"]]
    done = session.execute(Move(KIT, legs[-1].cell, legs=legs))
    assert isinstance(done, Accepted), done
    status = session.position.status(KIT)
    return {
        "halted": bool(done.of(Halted)),
        "at": session.battlemap.name_of(status.state.cell),
        "spent": status.turn.spent,
        "remaining": done.events[-1].remaining,
    }


KINDS: dict[str, Callable[[Scenario], dict[str, Any]]] = {
    "cost_to": cost_to, "costs": costs, "both_ways": both_ways, "reach": reach, "bands": bands, "turns": turns,
    "turn_map": turn_map, "walk": walk, "out_and_back": out_and_back, "frontier": risk_frontier, "plans": plans,
    "execute": execute, **dict.fromkeys(scenarios_d6.KINDS, rolls),
}  # fmt: skip


def run_scenario(scenario: Scenario) -> Mapping[str, Any]:
    """What the product says to a scenario."""
    kind = scenario["ask"]["kind"]
    if kind not in KINDS:
        raise LookupError(f"no question of kind {kind}")
    return KINDS[kind](scenario)
