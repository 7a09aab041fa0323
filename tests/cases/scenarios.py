"""Map scenarios put to the product: `run_scenario` asks it and returns the answers in its own terms."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

import scenarios_d6
from _maps import board, cells_of, mover_of

from tactical.errors import Refusal
from tactical.movement.graph.arrivals import cheapest
from tactical.movement.planning.itinerary import planning
from tactical.movement.planning.stages import Stage
from tactical.movement.query import Query, ask
from tactical.movement.reach import Reach, reach_of
from tactical.movement.rolls.frontier import frontier
from tactical.movement.turns.memoryless import FOREVER, Turns
from tactical.play.commands import Leg, Move
from tactical.play.events import Accepted, Halted
from tactical.play.session import Session
from tactical.play.turn import Turn
from tactical.search.kernel import search
from tactical.search.slices import whole
from tactical.units import Cell, exact, parse_cell

Scenario = Mapping[str, Any]


def question(scenario: Scenario, goals: tuple[Cell, ...] = (), **changes: Any) -> Query:
    """The scenario's mover on its map."""
    mover, turn = mover_of(scenario)
    truth = scenario["ask"].get("knowledge") == "truth"
    return ask(
        board(scenario), mover, options=scenario.get("options", {}), turn=turn, truth=truth, goals=goals, **changes
    )


def named(scenario: Scenario, text: str) -> Cell:
    """A cell of the scenario."""
    return parse_cell(str(text), tuple(scenario["map"].get("levels", ())))


def pool_of(query: Query) -> str:
    """The pool of the first gait."""
    return query.profile.gaits[0].pool


def unlimited(query: Query, to: Cell, via: tuple[Cell, ...] = (), posture: str = "") -> Fraction | None:
    """Smallest cost of one unlimited turn that ends on a cell."""
    if via:
        plan = whole(planning([Stage(query, pool_of(query), None)], to, via, arrive=posture, limited=False))
        return None if plan is None else plan.cost
    lattice = query.lattice(pool_of(query), None, limited=False)
    node, place = lattice.node(query.start), lattice.site.place(to)
    if node is None or place is None:
        return None
    best, _ = cheapest(lattice, search(lattice.compiled, [node]).dense(), posture)
    ticks = int(best[lattice.draft.node(0, place)])
    return None if ticks < 0 else lattice.cost(ticks)


def cost_to(scenario: Scenario) -> dict[str, Any]:
    asked = scenario["ask"]
    via = tuple(named(scenario, cell) for cell in asked.get("via", ()))
    targets = asked["to"] if isinstance(asked["to"], list) else [asked["to"]]
    costs = {}
    for text in targets:
        cell = named(scenario, text)
        costs[text] = unlimited(question(scenario, (cell, *via)), cell, via, asked.get("posture", ""))
    return {"cost": costs if isinstance(asked["to"], list) else costs[asked["to"]]}


def costs(scenario: Scenario) -> dict[str, Any]:
    query = question(scenario)
    battlemap = query.battlemap
    values = [unlimited(query, cell) for cell in cells_of(battlemap)]
    return {"costs": [values[n : n + battlemap.cols] for n in range(0, len(values), battlemap.cols)]}


def both_ways(scenario: Scenario) -> dict[str, Any]:
    a, b = (named(scenario, scenario["ask"][end]) for end in "ab")
    out = {}
    for name, start, end in (("forth", a, b), ("back", b, a)):
        query = question(scenario, (end,), start=start)
        out[name] = unlimited(query, end)
    return out


def within(scenario: Scenario) -> tuple[Reach, Fraction]:
    """The reach of this turn and the budget that the question names."""
    asked = scenario["ask"]
    query = question(scenario)
    dashes = asked.get("dash", 0)
    gaits = query.profile.gaits
    budget = exact(asked["budget"]) if "budget" in asked else gaits[min(dashes, len(gaits) - 1)].budget
    found = reach_of(query, reserve=Fraction(0), arrive=asked.get("posture", ""))
    return found, budget - exact(asked.get("reserve", 0)) - query.turn.spent


def reach(scenario: Scenario) -> dict[str, Any]:
    found, budget = within(scenario)
    ends = {cell for cell in found.cells() if found.cost(cell) <= budget}
    passed = found.passing() | (found.cells() - ends)
    lattice = found.searches[0].lattice
    settled = search(lattice.compiled, [lattice.node(found.start)], budget=int(budget // lattice.tick))
    near = {lattice.cell(node) for node in settled.node.tolist()}
    return drawn(found.battlemap, found.start.cell, ends, passed & near)


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
    query = question(scenario)
    limits = [exact(limit) for limit in scenario["ask"]["limits"]]
    if query.options["dash_pool"] == "separate":
        lattice = query.lattice(pool_of(query), None, limited=False)
        search_ = Turns(lattice, limits[-1], limits[-1], portion=limits[0]).run(lattice.node(query.start), 1)
        best, nodes = cheapest(lattice, search_.turns[0].settled.dense())
        spent = {lattice.cell(int(nodes[n])): lattice.cost(int(best[n])) for n in (best >= 0).nonzero()[0]}
    else:
        lattice = query.lattice(pool_of(query), None, limited=False)
        best, nodes = cheapest(lattice, search(lattice.compiled, [lattice.node(query.start)]).dense())
        spent = {lattice.cell(int(nodes[n])): lattice.cost(int(best[n])) for n in (best >= 0).nonzero()[0]}
    spent.pop(query.start.cell, None)
    low = [Fraction(0), *limits[:-1]]
    return {"counts": [sum(1 for cost in spent.values() if a < cost <= b) for a, b in zip(low, limits, strict=True)]}


def over_turns(scenario: Scenario, done: Callable[..., bool] | None = None, most: int = FOREVER) -> Turns:
    """The search over turns at the first gait's budget."""
    query = question(scenario)
    reserved = frozenset((named(scenario, r["cell"]), r["turn"]) for r in scenario["map"].get("reserved", ()))
    gait = query.profile.gaits[0]
    later = query.fresh_profile.gaits[0].budget
    lattice = query.lattice(gait.pool, None, exact=[gait.budget, later])
    turns = Turns(lattice, gait.budget, later, query.turn.spent, reserved=reserved)
    return turns.run(lattice.node(query.start), most, (lambda turn: done(lattice, turn)) if done else None)


def turns(scenario: Scenario) -> dict[str, Any]:
    goal = named(scenario, scenario["ask"]["to"])
    hit: dict[str, Any] = {}

    def done(lattice: Any, turn: Any) -> bool:
        place = lattice.site.place(goal)
        reserved = (goal, turn.number) in {
            (named(scenario, r["cell"]), r["turn"]) for r in scenario["map"].get("reserved", ())
        }
        best, nodes = cheapest(lattice, turn.settled.dense())
        at = lattice.draft.node(0, place)
        if best[at] < 0 or reserved:
            return False
        hit.update(turn=turn, node=int(nodes[at]), spent=lattice.cost(int(best[at])))
        return True

    search_ = over_turns(scenario, done, 60 if scenario["map"].get("reserved") else FOREVER)
    if not hit:
        return {"turns": None, "last_spent": None}
    legs = search_.path(hit["turn"], hit["node"])
    stops = [search_.lattice.cell(edges[-1][1]) for _, edges in legs if edges]
    names = [search_.lattice.site.battlemap.name_of(cell) for cell in stops]
    return {"turns": hit["turn"].number, "last_spent": hit["spent"], "stops": names}


def turn_map(scenario: Scenario) -> dict[str, Any]:
    search_ = over_turns(scenario)
    lattice = search_.lattice
    when: dict[Cell, int] = {}
    for turn in search_.turns:
        best, nodes = cheapest(lattice, turn.settled.dense())
        for n in (best >= 0).nonzero()[0]:
            when.setdefault(lattice.cell(int(nodes[n])), turn.number)
    battlemap, start = lattice.site.battlemap, question(scenario).start.cell
    rows = [
        "".join("@" if (c := Cell(col, row)) == start else str(when.get(c, ".")) for col in range(battlemap.cols))
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


def order(scenario: Scenario, turn: Turn, token: str) -> Turn | Refusal:
    """One token of a walk."""
    word, _, rest = str(token).partition(":")
    simple: dict[str, Callable[[], Turn | Refusal]] = {
        "stand": lambda: turn.posture("standing"),
        "crouch": lambda: turn.posture("crouched"),
        "prone": lambda: turn.posture("prone"),
        "squeeze": lambda: turn.squeeze(True),
        "unsqueeze": lambda: turn.squeeze(False),
        "undo": turn.undo,
        "reset": turn.reset,
        "end_turn": turn.end,
    }
    if word in simple:
        return simple[word]()
    if word in ("act", "dash", "bonus_dash", "disengage"):
        return turn.act(word)
    if rest:
        if word == "adjust":
            return turn.adjust(rest)
        if word == "push":
            return turn.push(*straight(turn.state.cell, named(scenario, rest)))
        return turn.take(named(scenario, rest), word)
    return turn.take(named(scenario, token))


def straight(start: Cell, end: Cell) -> list[Cell]:
    """The cells of a push in a straight line, the start left out."""
    far = max(abs(end.col - start.col), abs(end.row - start.row))
    return [
        Cell(start.col + (end.col - start.col) * n // far, start.row + (end.row - start.row) * n // far, start.level)
        for n in range(1, far + 1)
    ]


def walk(scenario: Scenario) -> dict[str, Any]:
    asked = scenario["ask"]
    turn = Turn.begin(question(scenario))
    history = [(turn, 0)]
    for n, token in enumerate(asked["do"], 1):
        after = order(scenario, turn, token)
        if isinstance(after, Refusal):
            if asked.get("clip") and after.code == "move.budget":
                break
            return {"legal": False, "failed_at": n, "reason": REASONS.get(after.code, after.code)}
        turn = after
        history.append((turn, n))
    while turn.can_stop() is not None:
        if not asked.get("clip"):
            return {"legal": False, "failed_at": len(asked["do"]), "reason": "stop"}
        history.pop()
        turn = history[-1][0]
    return {
        "legal": True, "at": turn.query.battlemap.name_of(turn.state.cell), "posture": turn.state.posture, "spent":
        turn.spent, "remaining": turn.remaining, "distance": turn.distance, "turn": turn.acts.turn, "ledger":
        [[entry.name, entry.cost] for entry in turn.entries], "why": [list(entry.why) for entry in turn.entries],
        "attacks": [[enemy, _index(asked["do"], history, enemy)] for enemy, _ in turn.attacks()],
    }  # fmt: skip


def _index(tokens: list[str], history: list[tuple[Turn, int]], enemy: str) -> int:
    return next(n for turn, n in history if enemy in turn.struck)


def out_and_back(scenario: Scenario) -> dict[str, Any]:
    query = question(scenario)
    pool = pool_of(query)
    budget = query.profile.gaits[0].budget - query.turn.spent
    lattice = query.lattice(pool, None)
    outward = search(lattice.compiled, [lattice.node(query.start)], budget=int(budget // lattice.tick))
    home = lattice.site.place(query.start.cell)
    ends = set()
    for node, ticks in outward.to_dict().items():
        if not lattice.stops[node]:
            continue
        # the action ends the run-up, everything else goes on
        rest = lattice.node(lattice.state(node)._replace(run_up=0))
        back = search(lattice.compiled, [rest], costs=[ticks], budget=int(budget // lattice.tick))
        if any(lattice.place(other) == home for other in back.node.tolist()):
            ends.add(lattice.cell(node))
    return drawn(query.battlemap, query.start.cell, ends - {query.start.cell}, set())


def rolls(scenario: Scenario) -> dict[str, Any]:
    """Questions about rolls, which have a file of their own."""
    asked = scenario["ask"]
    kind = asked["by"] if asked["kind"] == "frontier" else asked["kind"]
    return scenarios_d6.KINDS[kind](
        scenarios_d6.Asked(scenario, question(scenario), lambda text: named(scenario, text))
    )


def risk_frontier(scenario: Scenario) -> dict[str, Any]:
    asked = scenario["ask"]
    goal = named(scenario, asked["to"])
    query = question(scenario, (goal,))
    if asked["by"] == "number":
        return rolls(scenario)
    found = whole(frontier(query, pool_of(query), goal, asked["by"], disengaged=asked.get("disengage", False)))
    return {"frontier": [[choice.risk, choice.cost] for choice in found]}


def plans(scenario: Scenario) -> dict[str, Any]:
    goal = named(scenario, scenario["ask"]["to"])
    query = question(scenario, (goal,))
    speed = query.profile.gait("move").budget
    out = {}
    for name, budget, disengaged in (("move", speed, False), ("dash", 2 * speed, False), ("disengage", speed, True)):
        found = whole(frontier(query, pool_of(query), goal, "attacks", budget=budget, disengaged=disengaged))
        out[name] = [[choice.risk, choice.cost] for choice in found]
    return out


def execute(scenario: Scenario) -> dict[str, Any]:
    query = question(scenario)
    there = board(scenario)
    session = Session.new(there.with_(movers=(*there.movers, query.mover)), options=scenario.get("options", {}))
    legs = tuple(Leg(named(scenario, cell)) for cell in scenario["ask"]["do"])
    done = session.execute(Move(query.mover.id, legs[-1].cell, legs=legs))
    assert isinstance(done, Accepted), done
    status = session.position.status(query.mover.id)
    return {
        "halted": any(isinstance(event, Halted) for event in done),
        "at": query.battlemap.name_of(status.state.cell),
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
