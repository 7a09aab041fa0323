"""Print what plans over several turns cost, with and without a memory: in units of one turn, and of networkx.

Run ``python tests/bench/turns.py``.  Each system is asked for 1, 2 and 3 turns on one board with some rough ground;
networkx answers one turn on the same expanded graph, so its row is what a turn costs when written with it.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from dataclasses import replace
from statistics import median

import networkx as nx

from tactical.movement.query import ask
from tactical.movement.reach import Reach
from tactical.rules.ruleset import Ruleset
from tactical.units import Cell
from tactical.world.battlemap import Battlemap
from tactical.world.mover import Mover

SIDE = 60
MOVERS: dict[str, dict[str, object]] = {
    "plain": {"speed": 30},
    "operator": {"speed": 30},
    "d6-reup": {"move": 10, "code": "4D", "previous": "cruising"},
    "d6-revised": {"kind": "vehicle", "move": 8, "code": "4D", "previous": "cruising"},
    "shapers": {"pa": 2, "ps": 4, "pf": 1, "swimming": 1},
    "twelve-second": {"strength": 5, "dexterity": 5, "endurance": 2},
}


def board(rules: str) -> Battlemap:
    """An open board with rough ground on a quarter of it, the mover in the middle."""
    dice = random.Random(1)
    rows = ["".join(dice.choice("...,") for _ in range(SIDE)) for _ in range(SIDE)]
    legend: dict[str, dict[str, object]] = {
        ".": {"level": "VE", "number": 3},
        ",": {"level": "M", "number": 12, "rough": True, "difficult": True},
    }
    mover = Mover("m", rules=rules, stats=MOVERS[rules], at=Cell(SIDE // 2, SIDE // 2))
    cell, unit = (5, "ft") if rules in ("plain", "operator") else (1, "m")
    return Battlemap.from_rows(rows, legend, cell=cell, unit=unit, grid="square").with_(movers=(mover,))


def took(call: Callable[[], object], rounds: int = 5) -> float:
    """Seconds of a call: the median of some."""
    times = []
    for _ in range(rounds):
        begin = time.perf_counter()
        call()
        times.append(time.perf_counter() - begin)
    return median(times)


def by_networkx(battlemap: Battlemap, turns: int = 1) -> Callable[[], object]:
    """Some turns on the expanded graph: Dijkstra's search of every pool up to its budget, then from where it ended."""
    query = ask(battlemap, "m")
    graphs = []
    for pool in query.profile.pools():
        most = max(gait.budget for gait in query.profile.gaits if gait.pool == pool)
        lattice = query.lattice(pool, most * turns, turns=turns)
        graph = nx.DiGraph()
        for node in range(lattice.nodes):
            graph.add_weighted_edges_from((node, target, ticks) for target, ticks, _ in lattice.edges(node))
        rested = [lattice.rested(node, keep_parity=False) if lattice.stops[node] else -1 for node in graph]
        graphs.append((graph, lattice.node(query.start), int(most // lattice.tick), rested))

    def run() -> None:
        for graph, start, most, rested in graphs:
            sources, seen = {start}, {-1}
            for _ in range(turns):
                found = nx.multi_source_dijkstra_path_length(graph, sources, cutoff=most)
                sources = {rested[node] for node in found} - seen
                seen |= sources
                if not sources:
                    break

    return run


def forgetful(battlemap: Battlemap) -> Ruleset:
    """The rule system of a board as if it remembered nothing from turn to turn."""
    return replace(ask(battlemap, "m").ruleset, after=None, next_turn=None)


def asked(battlemap: Battlemap, turns: int, rules: Ruleset | None = None) -> float:
    """Seconds of a reach, asked anew each time: what a question keeps must not help the next one."""
    return took(lambda: Reach(ask(battlemap, "m", rules=rules), turns=turns).costs)


def main() -> None:
    """Print the table."""
    print(f"{'system':14} {'memory':7} {'2 turns':>8} {'3 turns':>8}   of one turn; 3 turns of forgetting, of networkx")
    for rules in MOVERS:
        battlemap = board(rules)
        memory = ask(battlemap, "m").ruleset.after is not None
        one, two, three = (asked(battlemap, turns) for turns in (1, 2, 3))
        without = asked(battlemap, 3, forgetful(battlemap))
        told = (
            f"{two / one:8.1f} {three / one:8.1f}   {three / without:.2f} {three / took(by_networkx(battlemap, 3)):.2f}"
        )
        print(f"{rules:14} {'yes' if memory else 'no':7} {told}")


if __name__ == "__main__":
    main()
