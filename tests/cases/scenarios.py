"""Map scenarios put to the product: `run_scenario` asks it and returns the answers in its own terms."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

import scenarios_d6
from _maps import board, cells_of, mover_of, named
from _walk import KIT, Walked, begun, clipped, leg

import tactical
from tactical import Accepted, Cell, Halted, Move
from tactical.play.commands import Leg
from tactical.units import exact

Scenario = Mapping[str, Any]


def asked_of(scenario: Scenario) -> tuple[Any, Any, dict[str, Any]]:
    """Map, mover and keywords of a question at the surface."""
    mover, turn = mover_of(scenario)
    truth = scenario["ask"].get("knowledge") == "truth"
    return board(scenario), mover, {"options": scenario.get("options", {}), "turn": turn, "truth": truth}


def graph_of(scenario: Scenario, goals: tuple[Cell, ...] = (), **changes: Any) -> tactical.MovementGraph:
    """Everything that the scenario's mover can do."""
    battlemap, mover, more = asked_of(scenario)
    return tactical.MovementGraph(battlemap, mover, goals=goals, **{**more, **changes})


MANY = 10_000
"""Cells of a big map."""
FOREVER = 10_000
"""No plan looks further ahead than this many turns."""
ENDLESS = 10**6
"""What is left of a turn that never ends."""


def endless(scenario: Scenario, **changes: Any) -> tactical.Reach:
    """The reach of a turn that never ends."""
    battlemap, mover, more = asked_of(scenario)
    return tactical.reach(battlemap, mover, **{**more, "turn": replace(more["turn"], left=ENDLESS, **changes)})


def ends(graph: tactical.MovementGraph, posture: str = "", **search: Any) -> dict[Cell, Fraction]:
    """Per cell the least cost of a state that a move may end in."""
    out: dict[Cell, Fraction] = {}
    for node, ticks in graph.search(**search).to_dict().items():
        state, cost = graph.index.label(node), ticks * graph.tick
        if posture in ("", state.posture) and graph.nodes[state]["stop"] and cost < out.get(state.cell, cost + 1):
            out[state.cell] = cost
    return out


def unlimited(scenario: Scenario, to: Cell, via: tuple[Cell, ...] = (), posture: str = "", **changes: Any) -> Any:
    """Smallest cost of one unlimited turn that ends on a cell."""
    battlemap = board(scenario)
    if not via and battlemap.cols * battlemap.rows > MANY:
        # a graph of so many states is not written out for one of them
        return endless(scenario).cost(to)
    if not via:
        return ends(graph_of(scenario, (to,), **changes), posture).get(to)
    route = endless(scenario).route(to, via=via, arrive=posture or None)
    return route.cost if route else None


def cost_to(scenario: Scenario) -> dict[str, Any]:
    asked = scenario["ask"]
    via = tuple(named(scenario, cell) for cell in asked.get("via", ()))
    targets = asked["to"] if isinstance(asked["to"], list) else [asked["to"]]
    costs = {}
    for text in targets:
        cell = named(scenario, text)
        costs[text] = unlimited(scenario, cell, via, asked.get("posture", ""))
    return {"cost": costs if isinstance(asked["to"], list) else costs[asked["to"]]}


def costs(scenario: Scenario) -> dict[str, Any]:
    battlemap = board(scenario)
    found = ends(graph_of(scenario))
    values = [found.get(cell) for cell in cells_of(battlemap)]
    return {"costs": [values[n : n + battlemap.cols] for n in range(0, len(values), battlemap.cols)]}


def both_ways(scenario: Scenario) -> dict[str, Any]:
    a, b = (named(scenario, scenario["ask"][end]) for end in "ab")
    ways = (("forth", a, b), ("back", b, a))
    return {name: unlimited(scenario, end, start=start) for name, start, end in ways}


def reach(scenario: Scenario) -> dict[str, Any]:
    asked = scenario["ask"]
    battlemap, mover, more = asked_of(scenario)
    found = tactical.reach(battlemap, mover, arrive=asked.get("posture", ""), **more)
    gaits = found.profile.gaits
    budget = exact(asked["budget"]) if "budget" in asked else gaits[min(asked.get("dash", 0), len(gaits) - 1)].budget
    budget -= exact(asked.get("reserve", 0)) + more["turn"].spent
    stops = {cell for cell in found.cells() if found.cost(cell) <= budget}
    passed = found.passing() | (found.cells() - stops)
    if passed:
        graph = graph_of(scenario, limited=True)
        passed &= {graph.index.label(node).cell for node in graph.search(budget=budget).to_dict()}
    return drawn(found.battlemap, found.start.cell, stops, passed)


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
    battlemap, mover, more = asked_of(scenario)
    limits = [exact(limit) for limit in scenario["ask"]["limits"]]
    if scenario.get("options", {}).get("dash_pool") == "separate":
        spent = dict(tactical.reach(battlemap, mover, **more).costs)
    else:
        spent = ends(graph_of(scenario))
    spent.pop(mover.at, None)
    low = [Fraction(0), *limits[:-1]]
    return {"counts": [sum(1 for cost in spent.values() if a < cost <= b) for a, b in zip(low, limits, strict=True)]}


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
    battlemap, mover, more = asked_of(scenario)
    graph = graph_of(scenario, limited=True)
    budget = tactical.reach(battlemap, mover, **more).profile.gaits[0].budget - more["turn"].spent
    home = graph.start.cell
    out = set()
    for node, ticks in graph.search(budget=budget).to_dict().items():
        state = graph.index.label(node)
        if not graph.nodes[state]["stop"]:
            continue
        # the action ends the run-up, everything else goes on
        back = graph.search(state._replace(run_up=0), budget - ticks * graph.tick)
        if any(graph.index.label(other).cell == home for other in back.to_dict()):
            out.add(state.cell)
    return drawn(battlemap, home, out - {home}, set())


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
