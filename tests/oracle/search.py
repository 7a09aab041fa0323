"""The oracle's answers: Dijkstra over every state of one turn, and turn after turn."""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Mapping
from fractions import Fraction
from itertools import count
from typing import Any

from tests.oracle.board import CORNERS, Pos, exact
from tests.oracle.body import Move, State
from tests.oracle.moves import Mover

Costs = dict[State, Fraction]


def charged(mover: Mover, spent: Fraction, cost: Fraction, budget: Fraction | None) -> Fraction | None:
    """What has been spent after a step, or None where it does not fit (options grid_rounding and dash_pool)."""
    if budget is None:
        return spent + cost
    if mover.opt["dash_pool"] == "separate":
        pool = mover.speed
        if cost > pool:
            return None
        used = spent % pool if spent % pool or not spent else pool
        after = spent + cost if used + cost <= pool else spent - used + pool + cost
        return after if after <= budget else None
    if spent + cost <= budget:
        return spent + cost
    rule = mover.opt["grid_rounding"]
    if rule == "enter_if_any_left" and spent < budget:
        return budget
    if rule == "first_cell" and spent == 0 and budget > 0:
        return budget
    return None


def spread(mover: Mover, sources: Iterable[tuple[State, Fraction]], budget: Fraction | None) -> Costs:
    """The least that can have been spent on arrival in every state."""
    done: Costs = {}
    order = count()
    queue = [(spent, next(order), state) for state, spent in sources]
    heapq.heapify(queue)
    while queue:
        spent, _, state = heapq.heappop(queue)
        if state in done:
            continue
        done[state] = spent
        for move in mover.moves(state):
            after = charged(mover, spent, move.cost, budget)
            if after is not None and move.end not in done:
                heapq.heappush(queue, (after, next(order), move.end))
    return done


def ends(mover: Mover, found: Costs, turn: int = 1, posture: str = "") -> dict[Pos, Fraction]:
    """Per cell the least spent of a state in which a turn may end there."""
    out: dict[Pos, Fraction] = {}
    for state, spent in found.items():
        if posture in ("", state.posture) and mover.stop(state, turn) and spent < out.get(state.pos, spent + 1):
            out[state.pos] = spent
    return out


def first_budget(mover: Mover, scenario: Mapping[str, Any]) -> tuple[Fraction, Fraction]:
    """Spent and budget of the present turn."""
    given = scenario["mover"]
    spent = exact(given.get("spent", 0))
    budget = mover.speed if given.get("left") is None else spent + exact(given["left"])
    return spent, budget


def over_turns(
    mover: Mover, spent: Fraction, budget: Fraction, turns: int, later: Fraction | None = None
) -> list[Costs]:
    """Turn after turn: everything that can be reached in each, starting wherever the one before may end."""
    out: list[Costs] = []
    sources = [(mover.begin(), spent)]
    seen: set[State] = set()
    for turn in range(1, turns + 1):
        found = spread(mover, sources, budget)
        out.append(found)
        rested = {mover.rested(state) for state in found if mover.stop(state, turn)}
        # where nothing depends on the turn's number a state already rested in teaches nothing new
        fresh = rested if mover.board.reserved else rested - seen
        seen |= rested
        if not fresh:
            break
        sources = [(state, Fraction(0)) for state in sorted(fresh, key=repr)]
        budget = mover.speed if later is None else later
    return out


def unlimited(mover: Mover, goal: Pos | None = None, via: Iterable[Pos] = (), posture: str = "") -> dict[Pos, Fraction]:
    """Per cell the least cost of one unlimited turn that ends on it, through cells to be visited in order."""
    mover.limited = False
    mover.goals = {cell for cell in (goal, *via) if cell is not None}
    found = spread(mover, [(mover.begin(), Fraction(0))], None)
    for cell in via:
        found = spread(mover, [(state, cost) for state, cost in found.items() if state.pos == cell], None)
    return ends(mover, found, posture=posture)


# -- threat ------------------------------------------------------------


def threatened(mover: Mover, enemy: Any) -> set[Pos]:
    """The cells within an enemy's reach."""
    board = mover.board
    if mover.opt["reach_walls"] == "ignore" and board.grid == "square":
        return {
            pos for pos in board.facts
            if any(max(abs(pos[0] - c[0]), abs(pos[1] - c[1])) <= enemy.reach and pos[2] == c[2] for c in enemy.cells)
        }  # fmt: skip
    found, rim = set(enemy.cells), set(enemy.cells)
    for _ in range(enemy.reach):
        rim = {end for pos in rim for end in _strides(mover, pos)} - found
        found |= rim
    return found


def _strides(mover: Mover, pos: Pos) -> Iterable[Pos]:
    board = mover.board
    for way in board.straight:
        end = board.neighbour(pos, way)
        if _within_arm(mover, pos, end):
            yield end
    if board.grid == "square":
        for way, (a, b) in CORNERS.items():
            end = board.neighbour(pos, way)
            middles = (board.neighbour(pos, a), board.neighbour(pos, b))
            if any(_within_arm(mover, pos, m) and _within_arm(mover, m, end) for m in middles):
                yield end


def _within_arm(mover: Mover, a: Pos, b: Pos) -> bool:
    board = mover.board
    if b not in board.facts or (mover.opt["reach_walls"] == "block" and board.get(b, "impassable")):
        return False
    if mover.opt["reach_walls"] == "ignore":
        return True
    z = min(board.elevation(a), board.elevation(b))
    for edge in mover.edges(a, b):
        if ("bottom" in edge and z < exact(edge["bottom"])) or ("top" in edge and z >= exact(edge["top"])):
            continue
        kind = edge["truth"] if mover.truth and edge.get("truth") else edge["kind"]
        if kind not in ("window", "fence", "door-open"):
            return False
    return True


def attack_frontier(
    mover: Mover, goal: Pos, budget: Fraction | None = None, disengage: bool = False
) -> list[tuple[int, Fraction]]:
    """Smallest cost for each number of opportunity attacks that no smaller number matches or beats."""
    mover.limited = False
    mover.goals = {goal}
    enemies = [] if disengage else [other for other in mover.others if other.side == "enemy" and other.reach > 0]
    areas = {enemy.id: threatened(mover, enemy) for enemy in enemies}

    def struck(move: Move, state: State) -> frozenset[str]:
        if not move.strikes:
            return frozenset()
        old = set(mover.board.body(state.pos, mover.extent(state)))
        new = set(mover.board.body(move.end.pos, mover.extent(move.end)))
        return frozenset(name for name, area in areas.items() if old & area and not new & area)

    done: dict[tuple[State, frozenset[str]], Fraction] = {}
    order = count()
    queue: list[tuple[Fraction, int, State, frozenset[str]]] = [(Fraction(0), next(order), mover.begin(), frozenset())]
    best: dict[int, Fraction] = {}
    while queue:
        spent, _, state, hit = heapq.heappop(queue)
        if (state, hit) in done:
            continue
        done[state, hit] = spent
        if state.pos == goal and mover.stop(state) and spent < best.get(len(hit), spent + 1):
            best[len(hit)] = spent
        for move in mover.moves(state):
            after = spent + move.cost
            if budget is None or after <= budget:
                heapq.heappush(queue, (after, next(order), move.end, hit | struck(move, state)))
    return _undominated(best)


def exposure_frontier(mover: Mover, goal: Pos) -> list[tuple[int, Fraction]]:
    """Smallest cost for each number of entries into hazard cells."""
    mover.limited = False
    mover.opt["hazard_policy"] = "ignore"
    done: dict[tuple[State, int], Fraction] = {}
    order = count()
    queue: list[tuple[Fraction, int, State, int]] = [(Fraction(0), next(order), mover.begin(), 0)]
    best: dict[int, Fraction] = {}
    while queue:
        spent, _, state, entries = heapq.heappop(queue)
        if (state, entries) in done:
            continue
        done[state, entries] = spent
        if state.pos == goal and mover.stop(state) and spent < best.get(entries, spent + 1):
            best[entries] = spent
        for move in mover.moves(state):
            more = int(move.end.pos != state.pos and bool(mover.board.get(move.end.pos, "hazard")))
            if entries + more <= 8:
                heapq.heappush(queue, (spent + move.cost, next(order), move.end, entries + more))
    return _undominated(best)


def _undominated(best: Mapping[int, Fraction]) -> list[tuple[int, Fraction]]:
    out: list[tuple[int, Fraction]] = []
    for k in sorted(best):
        if not out or best[k] < out[-1][1]:
            out.append((k, best[k]))
    return out
