"""Ways through waypoints, over turns, remembering the doors that the plan has opened.

The state of such a plan is (turn, doors opened, node, waypoints reached): too much for a table over the whole map and
far too little to matter, since only plans with waypoints need it.  The search is Dijkstra's over exactly these
labels, in order of (turn, spent), so parity, run-up and posture are carried through every waypoint.

Where the rules remember what turns were like, the gaits of the turns are chosen first, one sequence after the other,
and every turn is asked on the graph that the turn before leaves; a plan is shown only if its turns left just that.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import count, islice
from typing import TYPE_CHECKING, NamedTuple

from tactical.errors import Refusal
from tactical.movement.bands import Band, bands_of, whole_turn
from tactical.movement.explain import explain
from tactical.movement.graph.doors import door_crossing
from tactical.movement.graph.lattice import Lattice
from tactical.movement.ledger import assemble
from tactical.movement.planned import allowed, key_of, next_of
from tactical.movement.query import Query, fresh_turn
from tactical.movement.route import Route, State, Step
from tactical.movement.turns import afford
from tactical.movement.ways.ajar import OPEN_DOOR
from tactical.movement.whynot import why_not
from tactical.rules.profile import Gait
from tactical.rules.turnstate import TurnState
from tactical.search.slices import STEPS, Slices
from tactical.units import Cell
from tactical.world.window import Window

if TYPE_CHECKING:
    from tactical.movement.reach import Reach


TRIED = 24
"""So many sequences of gaits are tried for a plan through waypoints."""


class Stage(NamedTuple):
    """One turn of a plan: what the rules say in it, the pool it is paid from, and its budget (None: without end)."""

    query: Query
    pool: str
    budget: Fraction | None


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
    """The lattices of the turns of a plan, one per set of doors that it has opened."""

    def __init__(self, stages: Sequence[Stage], window: Window, limited: bool) -> None:
        self.stages, self.window, self.limited = stages, window, limited
        # turns of which the rules say the same share their graphs
        self.same = [next(n for n, known in enumerate(stages) if known[:2] == stage[:2]) for stage in stages]
        self.lattices: dict[tuple[int, frozenset[int]], Lattice] = {}

    def of(self, label: Label) -> Lattice:
        """The state graph that a label's node is of."""
        return self.lattice(label.turn, label.opened)

    def lattice(self, turn: int, opened: frozenset[int]) -> Lattice:
        """The state graph of a turn with some doors open."""
        key = (self.same[turn - 1], opened)
        if key not in self.lattices:
            query, pool, _ = self.stages[turn - 1]
            query = query if not opened else query.changed(opened=query.opened | opened)
            self.lattices[key] = query.lattice_of(pool, self.window, limited=self.limited)
        return self.lattices[key]

    def rested(self, label: Label, keep_parity: bool) -> Label | None:
        """The label of the turn after one that ends here; None where its rules know no such state."""
        before = self.of(label)
        node = before.rested(label.node, keep_parity=keep_parity)
        after = self.lattice(label.turn + 1, label.opened)
        found = node if after is before else after.node(before.state(node))
        return None if found is None else label._replace(turn=label.turn + 1, node=found)

    def edges(self, label: Label) -> Iterator[tuple[Label, Fraction, tuple[int, int, int, int]]]:
        """The edges from a label: where to, the exact cost, and the edge in its own lattice."""
        lattice = self.of(label)
        for target, ticks, slot in lattice.edges(label.node):
            opened = label.opened | opens(lattice, label.node, slot)
            node = target
            if opened != label.opened:
                moved = self.lattice(label.turn, opened).node(lattice.state(target))
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


def planning(
    stages: Sequence[Stage],
    goal: Cell,
    via: tuple[Cell, ...] = (),
    *,
    arrive: str = "",
    limited: bool = True,
    reserve: Fraction = Fraction(0),
) -> Slices[Itinerary | None]:
    """In slices: the plan through `via`, in order, to end on `goal` in the fewest of the turns `stages`, the cheapest.

    `reserve` is what the last turn must have left.
    """
    query, turns = stages[0].query, len(stages)
    doors = Doors(stages, _window(stages), limited)
    rounding, portions = query.options["grid_rounding"], [one.query.portion(one.pool) for one in stages]
    base = doors.lattice(1, frozenset())
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
        if len(done) % STEPS == 0:
            yield
        lattice = doors.of(label)
        state = lattice.state(label.node)
        stop = bool(lattice.stops[label.node])
        budget, portion = stages[turn - 1].budget, portions[turn - 1]
        kept = budget is None or spent <= budget - reserve
        if label.passed == len(via) and state.cell == goal and stop and kept and arrive in ("", state.posture):
            return _found(query, doors, came, label, spent)
        for reached, cost, edge in doors.edges(label):
            if budget is not None:
                charged = afford(cost, budget - spent, spent, rounding, portion)
                if charged is None:
                    continue
                cost = charged  # noqa: PLW2901 - what the turn really charges
            after = _advance(doors.of(reached), reached, via)
            if after in done or spent + cost >= best.get(after, spent + cost + 1):
                continue
            best[after] = spent + cost
            came[after] = (label, edge, cost)
            heapq.heappush(queue, (turn, spent + cost, next(order), after))
        if budget is not None and stop and turn < turns:
            rested = doors.rested(label, keep)
            if rested is not None and rested not in done and rested not in best:
                best[rested] = Fraction(0)
                came[rested] = (label, None, Fraction(0))
                heapq.heappush(queue, (turn + 1, Fraction(0), next(order), rested))
    return None


def _window(stages: Sequence[Stage]) -> Window:
    """The part of the map that the turns can reach together."""
    query, pool, first = stages[0]
    if first is None:
        return Window.whole(query.battlemap)
    least = query.least(pool)
    ahead = first - query.turn.spent
    for one in stages[1:]:
        price = one.query.least(one.pool)
        if one.budget is None or price <= 0:
            return Window.whole(query.battlemap)
        # as far as that turn gets, in units of the first one's pool
        ahead += one.budget / price * least
    return query.window(pool, ahead, len(stages))


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
    end = doors.of(label).state(label.node)
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
        step = explain(doors.of(before), *edge)
        running += charged
        steps.append(replace(step.charged(charged), turn=turn, spent=running))
    return Itinerary(tuple(steps), end, label.turn, spent, sum((step.cost for step in steps), start=Fraction(0)))


def _suits(found: Reach, pool: str, band: Band, spent: Fraction) -> bool:
    """Whether a plan in a pool that has spent so much in its last turn belongs to a band."""
    return found.profile.gait(band.gait).pool == pool and band.minimum <= spent <= band.budget


def _budgets(found: Reach) -> Iterator[tuple[str, Fraction, Fraction]]:
    """For each pool what this turn has and what later ones have."""
    for pool in dict.fromkeys(gait.pool for gait in found.gaits):
        gaits = [gait for gait in found.gaits if gait.pool == pool]
        most = max(gait.budget for gait in gaits)
        later = whole_turn(found.query, found.later).budget if found.later is not None else most
        yield pool, most, later


def _plain(found: Reach, cell: Cell, via: tuple[Cell, ...], arrive: str) -> Slices[Route | None]:
    """The way through waypoints where every turn is like every other."""
    query = found.query
    for pool, budget, later in _budgets(found):
        stages = [Stage(query, pool, budget), *[Stage(query, pool, later)] * (found.turns - 1)]
        plan = yield from planning(stages, cell, via, arrive=arrive, limited=found.limited, reserve=found.reserve)
        if plan is None:
            continue
        bands = [band for band in found.bands if band.turn == plan.turn]
        band = next((band for band in bands if _suits(found, pool, band, plan.spent)), None)
        if band is not None:
            return assemble(query, query.site_everywhere, list(plan.steps), plan.end, band=band)
    return None


def _remembered(found: Reach, cell: Cell, via: tuple[Cell, ...], arrive: str) -> Slices[Route | None]:
    """The way through waypoints in the fewest turns, whatever gaits the rules let them have one after the other."""
    query, lengths = found.query, dict[str, Fraction]()
    if found.turn(cell) is None:
        return None
    for pool in dict.fromkeys(gait.pool for gait in query.profile.gaits):
        alone = yield from planning([Stage(query, pool, None)], cell, via, arrive=arrive, limited=found.limited)
        if alone is not None:
            lengths[pool] = alone.cost
    if not lengths:
        return None
    least = min(lengths.values()) + query.turn.spent

    def share(plan: Gaits) -> Fraction:
        """How much of the way a plan's turns can make, the more the likelier."""
        return sum((gait.budget / (lengths.get(gait.pool) or 1) for _, gait in plan if gait), Fraction(0))

    # nobody is there sooner for having been elsewhere first
    soonest = max(found.turn(place) or 1 for place in (cell, *via))
    for turns in range(soonest, found.turns + 1):
        plans = [plan for plan in _gaits(found, turns) if sum(gait.budget for _, gait in plan if gait) >= least]
        for plan in islice(sorted(plans, key=share, reverse=True), TRIED):
            for length in (least, None):
                route = yield from _along(found, plan, (cell, via, arrive), length)
                if route is not None:
                    return route
    return None


Gaits = list[tuple[Query, Gait | None]]
"""The gaits of a plan's turns (None: it stands still), each with what the rules say in that turn."""


def _gaits(found: Reach, turns: int) -> Iterator[Gaits]:
    """Every sequence of gaits that may be had in so many turns, as if nothing but the gaits mattered."""

    def on(query: Query, number: int) -> Iterator[Gaits]:
        gaits = query.open_gaits if number == 1 else [one for one in query.profile.gaits if one.refused is None]
        able = [gait for gait in gaits if found.gait in ("", gait.name)]
        moves: list[Gait | None] = [*able]
        if not able or query.profile.facts.get("may_stop", True):
            moves.append(None)
        for gait in moves:
            if number == turns:
                if gait is not None:
                    yield [(query, gait)]
                continue
            turn = _after(query, gait, (gait.name,) if gait else ())
            for rest in on(query.changed(turn=turn), number + 1):
                yield [(query, gait), *rest]

    yield from on(found.query, 1)


def _after(query: Query, gait: Gait | None, modes: Sequence[str]) -> TurnState:
    if gait is None:
        return fresh_turn(query.ruleset, query.turn, query.options)
    return next_of(query, gait.name, Fraction(0), modes)


def _along(
    found: Reach, gaits: Gaits, where: tuple[Cell, tuple[Cell, ...], str], length: Fraction | None
) -> Slices[Route | None]:
    """The way through waypoints with these gaits, on the graphs that its own turns leave; None where there is none.

    With a `length` no turn goes so far that the later ones have less to go than they must.
    """
    query, (cell, via, arrive) = found.query, where
    for _ in gaits:
        stages = []
        for n, (at, gait) in enumerate(gaits):
            pool = query.profile.pools()[0] if gait is None else gait.pool
            budget = at.turn.spent if gait is None else gait.budget
            if length is not None and gait is not None:
                due = sum((later.minimum for _, later in gaits[n + 1 :] if later), Fraction(0))
                budget = min(budget, max(gait.minimum, length - due)) if due else budget
            stages.append(Stage(at, pool, budget))
        plan = yield from planning(stages, cell, via, arrive=arrive, limited=found.limited, reserve=found.reserve)
        last = gaits[-1][1]
        if plan is None or plan.turn != len(gaits) or last is None:
            return None
        steady = "" if found.later is None else found.later.name
        (band,) = bands_of(query, (last,)) if len(gaits) == 1 else bands_of(query, (), {len(gaits): [last]}, steady)
        band = next((one for one in found.bands if (one.turn, one.gait) == (band.turn, band.gait)), band)
        names = [gait.name if gait else "" for _, gait in gaits]
        steps = list(plan.steps)
        route = assemble(
            query, query.site_everywhere, steps, plan.end, band=band, gaits=names, bands=(*found.bands, band)
        )
        if all(
            key_of(at, at.turn) == key_of(at, turn.before) for (at, _), turn in zip(gaits, route.turns, strict=True)
        ):
            return route if allowed(query, route.turns) else None
        # a turn left something else than was thought (it swam): the later ones are asked anew
        asked = [query.changed(turn=turn.before) if turn.number > 1 else query for turn in route.turns]
        again = [(at, at.profile.gait(name) if name else None) for at, name in zip(asked, names, strict=True)]
        if any(gait is not None and gait.refused is not None for _, gait in again):
            return None
        gaits = again
    return None


def through(found: Reach, cell: Cell, via: tuple[Cell, ...], arrive: str) -> Slices[Route | Refusal]:
    """In slices: the cheapest way of a reach through waypoints to `cell`, or why there is none."""
    for place in (*via, cell):
        if place not in found.battlemap:
            return Refusal("move.off_map", {"cell": str(place)})
    ways = _plain if found.carried is None else _remembered
    route = yield from ways(found, cell, via, arrive)
    if route is not None:
        return route
    for place in (*via, cell):
        if place != found.start.cell and place not in found.passing():
            reason = why_not(found, place) if place not in found.arrivals else None
            if reason is not None:
                return reason
    names = ", ".join(found.battlemap.name_of(place) for place in via)
    return Refusal("move.via", {"cell": found.battlemap.name_of(cell), "via": names})
