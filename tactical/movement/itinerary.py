"""Ways through waypoints, over turns, remembering the doors that the plan has opened.

The state of such a plan is (turn, doors opened, node, waypoints reached): too much for a table over the whole map and
far too little to matter, since only plans with waypoints need it.  The search is Dijkstra's over exactly these
labels, in order of (turn, spent), so parity, run-up and posture are carried through every waypoint.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import count
from typing import TYPE_CHECKING, NamedTuple

from tactical.errors import Refusal
from tactical.movement.bands import Band, whole_turn
from tactical.movement.explain import explain
from tactical.movement.graph.doors import door_crossing
from tactical.movement.graph.lattice import Lattice
from tactical.movement.ledger import assemble
from tactical.movement.planned import allowed
from tactical.movement.query import Query
from tactical.movement.route import Route, State, Step
from tactical.movement.turns import afford
from tactical.movement.ways.ajar import OPEN_DOOR
from tactical.movement.whynot import why_not
from tactical.units import Cell

if TYPE_CHECKING:
    from tactical.movement.reach import Reach


class Label(NamedTuple):
    """Where a plan stands: its turn, the doors it has opened, the node, and how many waypoints it has passed."""

    turn: int
    opened: frozenset[int]
    node: int
    passed: int


@dataclass(frozen=True, slots=True)
class Itinerary:
    """A plan found: its steps with turns and running sums, and where it ends."""

    steps: tuple[Step, ...]
    end: State
    turn: int
    spent: Fraction
    cost: Fraction


class Doors:
    """The lattices of a question, one per set of doors that a plan has opened."""

    def __init__(self, query: Query, pool: str, budget: Fraction | None, limited: bool, turns: int = 1) -> None:
        self.query, self.pool, self.limited = query, pool, limited
        self.window = query.window(pool, budget, turns)
        self.lattices: dict[frozenset[int], Lattice] = {}

    def lattice(self, opened: frozenset[int]) -> Lattice:
        """The state graph with some doors open."""
        if opened not in self.lattices:
            query = self.query if not opened else self.query.changed(opened=self.query.opened | opened)
            self.lattices[opened] = query.lattice_of(self.pool, self.window, limited=self.limited)
        return self.lattices[opened]

    def edges(self, label: Label) -> Iterator[tuple[Label, Fraction, tuple[int, int, int, int]]]:
        """The edges from a label: where to, the exact cost, and the edge in its own lattice."""
        lattice = self.lattice(label.opened)
        for target, ticks, slot in lattice.edges(label.node):
            opened = label.opened | opens(lattice, label.node, slot)
            node = target
            if opened != label.opened:
                moved = self.lattice(opened).node(lattice.state(target))
                if moved is None:
                    continue
                node = moved
            yield label._replace(opened=opened, node=node), lattice.cost(ticks), (label.node, target, ticks, slot)


def opens(lattice: Lattice, node: int, slot: int) -> frozenset[int]:
    """The doors that a step opens, where that matters later in the plan."""
    if slot >= len(lattice.slots) and lattice.loose_edge(slot)[3] == OPEN_DOOR:
        return frozenset((lattice.loose_edge(slot)[4],))
    crossing = door_crossing(lattice, node, slot)
    if crossing is None or (not crossing.price and lattice.draft.door_limit is None):
        return frozenset()
    return frozenset(crossing.barriers)


def itinerary(
    query: Query,
    pool: str,
    goal: Cell,
    via: tuple[Cell, ...] = (),
    *,
    arrive: str = "",
    first: Fraction | None = None,
    later: Fraction | None = None,
    turns: int = 1,
    limited: bool = True,
    reserve: Fraction = Fraction(0),
) -> Itinerary | None:
    """The cheapest plan through `via` in order to end on `goal`; without `first` in one turn of unlimited movement.

    `reserve` is what the last turn must have left.
    """
    ahead = None if first is None else first - query.turn.spent + (turns - 1) * (later or first)
    doors = Doors(query, pool, ahead, limited, turns)
    rounding, portion = query.options["grid_rounding"], query.portion(pool)
    base = doors.lattice(frozenset())
    node = base.node(query.start)
    if node is None:
        return None
    keep = query.options["parity_reset"] == "never"
    begin = _advance(base, Label(1, frozenset(), node, 0), via)
    queue: list[tuple[int, Fraction, int, Label]] = [(1, query.turn.spent, 0, begin)]
    order = count(1)
    done: set[Label] = set()
    came: dict[Label, tuple[Label, tuple[int, int, int, int] | None, Fraction]] = {}
    best: dict[Label, Fraction] = {begin: query.turn.spent}
    while queue:
        turn, spent, _, label = heapq.heappop(queue)
        if label in done:
            continue
        done.add(label)
        lattice = doors.lattice(label.opened)
        state = lattice.state(label.node)
        stop = bool(lattice.stops[label.node])
        budget = first if turn == 1 else later
        kept = budget is None or spent <= budget - reserve
        if label.passed == len(via) and state.cell == goal and stop and kept and arrive in ("", state.posture):
            return _found(query, doors, came, label, spent)
        for reached, cost, edge in doors.edges(label):
            if budget is not None:
                charged = afford(cost, budget - spent, spent, rounding, portion)
                if charged is None:
                    continue
                cost = charged  # noqa: PLW2901 - what the turn really charges
            after = _advance(doors.lattice(reached.opened), reached, via)
            if after in done or spent + cost >= best.get(after, spent + cost + 1):
                continue
            best[after] = spent + cost
            came[after] = (label, edge, cost)
            heapq.heappush(queue, (turn, spent + cost, next(order), after))
        if budget is not None and stop and turn < turns:
            rested = label._replace(turn=turn + 1, node=lattice.rested(label.node, keep_parity=keep))
            if rested not in done and rested not in best:
                best[rested] = Fraction(0)
                came[rested] = (label, None, Fraction(0))
                heapq.heappush(queue, (turn + 1, Fraction(0), next(order), rested))
    return None


def _advance(lattice: Lattice, label: Label, via: tuple[Cell, ...]) -> Label:
    passed, cell = label.passed, lattice.cell(label.node)
    while passed < len(via) and via[passed] == cell:
        passed += 1
    return label._replace(passed=passed)


def _found(
    query: Query,
    doors: Doors,
    came: dict[Label, tuple[Label, tuple[int, int, int, int] | None, Fraction]],
    label: Label,
    spent: Fraction,
) -> Itinerary:
    end = doors.lattice(label.opened).state(label.node)
    trail: list[tuple[Label, tuple[int, int, int, int], Fraction]] = []
    at = label
    while at in came:
        before, edge, charged = came[at]
        if edge is not None:
            trail.append((before, edge, charged))
        at = before
    steps: list[Step] = []
    running, turn = query.turn.spent, 1
    for before, edge, charged in reversed(trail):
        if before.turn != turn:
            running, turn = Fraction(0), before.turn
        step = explain(doors.lattice(before.opened), *edge)
        running += charged
        steps.append(replace(step.charged(charged), turn=turn, spent=running))
    return Itinerary(tuple(steps), end, label.turn, spent, sum((step.cost for step in steps), start=Fraction(0)))


def _suits(found: Reach, pool: str, band: Band, spent: Fraction) -> bool:
    """Whether a plan in a pool that has spent so much in its last turn belongs to a band."""
    return found.profile.gait(band.gait).pool == pool and band.minimum <= spent <= band.budget


def _budgets(found: Reach) -> Iterator[tuple[str, Fraction, Fraction]]:
    """For each pool what this turn has and what later ones have; where turns are remembered, gait by gait."""
    for pool in dict.fromkeys(gait.pool for gait in found.gaits):
        gaits = [gait for gait in found.gaits if gait.pool == pool]
        most = max(gait.budget for gait in gaits)
        later = whole_turn(found.query, found.later).budget if found.later is not None else most
        if found.carried is None:
            yield pool, most, later
            continue
        budgets = [gait.budget for gait in gaits]
        yield from ((pool, budget, again) for again in (later, *budgets) for budget in reversed(budgets))


def through(found: Reach, cell: Cell, via: tuple[Cell, ...], arrive: str) -> Route | Refusal:
    """The cheapest way of a reach through waypoints to `cell`, or why there is none."""
    for place in (*via, cell):
        if place not in found.battlemap:
            return Refusal("move.off_map", {"cell": str(place)})
    query = found.query
    for pool, budget, later in _budgets(found):
        plan = itinerary(
            query,
            pool,
            cell,
            via,
            arrive=arrive,
            first=budget,
            later=later,
            turns=found.turns,
            limited=found.limited,
            reserve=found.reserve,
        )
        if plan is None:
            continue
        bands = [band for band in found.bands if band.turn == plan.turn]
        band = next((band for band in bands if _suits(found, pool, band, plan.spent)), None)
        if band is None:
            continue
        route = assemble(query, query.site_everywhere, list(plan.steps), plan.end, band=band)
        if found.carried is None or allowed(query, route.turns):
            return route
    for place in (*via, cell):
        if place != found.start.cell and place not in found.passing():
            reason = why_not(found, place) if place not in found.arrivals else None
            if reason is not None:
                return reason
    names = ", ".join(found.battlemap.name_of(place) for place in via)
    return Refusal("move.via", {"cell": found.battlemap.name_of(cell), "via": names})
