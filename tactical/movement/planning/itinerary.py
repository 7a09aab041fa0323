"""Ways through waypoints, over turns, remembering the doors that the plan has opened.

The state of such a plan is (turn, doors opened, node, waypoints reached): too much for a table over the whole map.  The
search is Dijkstra's over exactly these labels, in order of (turn, spent), so parity, run-up and posture are carried
through every waypoint.  Labels from which no budget reaches the goal are left out
(`tactical.movement.planning.ahead`), and a question that settles more than `SETTLED` of the others is refused.

Where the rules remember what turns were like, the gaits of the turns are chosen first, one sequence after the other,
and every turn is asked on the graph that the turn before leaves; a plan is shown only if its turns left just that.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import count, islice

from tactical.errors import Refusal
from tactical.movement.found import Found
from tactical.movement.graph.lattice import Lattice
from tactical.movement.ledger import assemble
from tactical.movement.planning.ahead import Ahead
from tactical.movement.planning.stages import Doors, Finer, Label, Stage
from tactical.movement.query import Query
from tactical.movement.route import Route, State, Step
from tactical.movement.situation import fresh_turn
from tactical.movement.steps.explain import explain
from tactical.movement.turns.bands import Band, bands_of, whole_turn
from tactical.movement.turns.memoryless import afford
from tactical.movement.turns.planned import allowed, key_of, next_of
from tactical.movement.why.whynot import reasoning
from tactical.rules.profile import Gait
from tactical.rules.turnstate import TurnState
from tactical.search.slices import STEPS, Slices
from tactical.units import Cell
from tactical.world.window import Window

TRIED = 24
"""So many sequences of gaits are tried for a plan through waypoints."""
SETTLED = 30_000
"""So many states (turn, doors opened, node, waypoints reached) a question settles; then it is refused."""


Came = tuple[Label, tuple[int, int, int, int] | None, int]
"""The label before, the edge from it (None: a turn ended there), and what that took."""


class Labels:
    """The labels of a search: those to settle, those settled, and how each was come to the cheapest way."""

    def __init__(self, ahead: Ahead | None) -> None:
        self.ahead = ahead
        self.queue: list[tuple[int, int, int, Label]] = []
        self.done: set[Label] = set()
        self.came: dict[Label, Came] = {}
        self.best: dict[Label, int] = {}
        self._order = count()

    def offer(self, label: Label, spent: int, came: Came | None = None) -> None:
        """A way to a label, kept if none was as cheap and it can still get to the goal."""
        known = self.best.get(label)
        if known is not None and spent >= known:
            return
        if self.ahead is not None and spent > self.ahead.most(label.turn, label.node, label.passed):
            return
        self.best[label] = spent
        if came is not None:
            self.came[label] = came
        heapq.heappush(self.queue, (label.turn, spent, next(self._order), label))


class Passing:
    """The waypoints, as places of the state graphs of one window."""

    def __init__(self, lattice: Lattice, via: Sequence[Cell]) -> None:
        places = [lattice.site.place(cell) for cell in via]
        self.room = lattice.draft.room
        self.nodes = [-1 if place is None else lattice.draft.node(0, place) for place in places]

    def after(self, node: int, passed: int) -> int:
        """How many are behind a plan that comes to a node with so many behind it."""
        while passed < len(self.nodes) and self.nodes[passed] == node % self.room:
            passed += 1
        return passed


class Looked:
    """How many labels one question has settled."""

    def __init__(self) -> None:
        self.labels = 0

    def one(self) -> bool:
        """One more; whether a slice is full.  Raises `TooMany` when they are more than a question may settle."""
        self.labels += 1
        if self.labels > SETTLED:
            raise TooMany
        return self.labels % STEPS == 0


class TooMany(Exception):
    """A plan through waypoints was looked for in more states than a question may settle."""


@dataclass(frozen=True, slots=True)
class Itinerary:
    """A plan found: its steps with turns and running sums, and where it ends."""

    steps: tuple[Step, ...]
    end: State
    turn: int
    spent: Fraction
    cost: Fraction


def planning(
    stages: Sequence[Stage],
    goal: Cell,
    via: tuple[Cell, ...] = (),
    *,
    arrive: str = "",
    limited: bool = True,
    reserve: Fraction = Fraction(0),
    looked: Looked | None = None,
) -> Slices[Itinerary | None]:
    """In slices: the plan through `via`, in order, to end on `goal` in the fewest of the turns `stages`, the cheapest.

    `reserve` is what the last turn must have left; `looked` counts the states of all plans of a question, and raises
    `TooMany`.
    """
    looked, parts = Looked() if looked is None else looked, 1
    while True:
        labels = looked.labels
        try:
            plan = yield from _planned(stages, goal, via, arrive, limited, reserve, looked, parts)
        except Finer as finer:
            looked.labels, parts = labels, finer.parts
        else:
            return plan


def _planned(
    stages: Sequence[Stage],
    goal: Cell,
    via: tuple[Cell, ...],
    arrive: str,
    limited: bool,
    reserve: Fraction,
    looked: Looked,
    parts: int,
) -> Slices[Itinerary | None]:
    """The same, reckoned in parts of a unit.  Raises `Finer` where they are too coarse."""
    query, turns = stages[0].query, len(stages)
    doors = Doors(stages, _window(stages), limited, parts)
    rounding = query.rounding
    portions = [doors.whole(one.query.portion(one.pool)) for one in stages]
    kept = doors.whole(reserve)
    base = yield from doors.drawing(1, frozenset())
    node = base.node(query.start)
    if node is None:
        return None
    keep = query.keeps_parity
    passing = Passing(base, via)
    labels = Labels((yield from doors.ahead((*via, goal), rounding, portions[0], kept)))
    labels.offer(Label(1, frozenset(), node, passing.after(node, 0)), doors.whole(query.turn.spent))
    while labels.queue:
        _, spent, _, label = heapq.heappop(labels.queue)
        if label in labels.done:
            continue
        labels.done.add(label)
        if looked.one():
            yield
        lattice, turn = doors.of(label), label.turn
        stop = bool(lattice.stops[label.node])
        budget, portion = doors.budgets[turn - 1], portions[turn - 1]
        if label.passed == len(via) and stop and (budget is None or spent <= budget - kept):
            state = lattice.state(label.node)
            if state.cell == goal and arrive in ("", state.posture):
                return _found(query, doors, labels.came, label)
        for opened, reached, cost, edge in (yield from doors.edges(label)):
            charged = cost if budget is None else afford(cost, budget - spent, spent, rounding, portion)
            if charged is not None:
                after = Label(turn, opened, reached, passing.after(reached, label.passed))
                labels.offer(after, spent + charged, (label, edge, charged))
        rested = doors.rested(label, keep) if budget is not None and stop and turn < turns else None
        if rested is not None:
            labels.offer(rested, 0, (label, None, 0))
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


def _found(
    query: Query,
    doors: Doors,
    came: dict[Label, Came],
    label: Label,
) -> Itinerary:
    end = doors.of(label).state(label.node)
    trail: list[tuple[Label, tuple[int, int, int, int], Fraction]] = []
    at = label
    while at in came:
        before, edge, charged = came[at]
        if edge is not None:
            trail.append((before, edge, Fraction(charged, doors.parts)))
        at = before
    steps: list[Step] = []
    running, turn = query.turn.spent, 1
    for before, edge, price in reversed(trail):
        if before.turn != turn:
            running, turn = Fraction(0), before.turn
        step = explain(doors.of(before), *edge)
        running += price
        steps.append(step.charged(price).at(turn, running))
    if label.turn != turn:
        running = Fraction(0)
    return Itinerary(tuple(steps), end, label.turn, running, sum((step.cost for step in steps), start=Fraction(0)))


def _suits(found: Found, pool: str, band: Band, spent: Fraction) -> bool:
    """Whether a plan in a pool that has spent so much in its last turn belongs to a band."""
    return found.profile.gait(band.gait).pool == pool and band.minimum <= spent <= band.budget


def _budgets(found: Found) -> Iterator[tuple[str, Fraction, Fraction]]:
    """For each pool what this turn has and what later ones have."""
    for pool in dict.fromkeys(gait.pool for gait in found.gaits):
        gaits = [gait for gait in found.gaits if gait.pool == pool]
        most = max(gait.budget for gait in gaits)
        later = whole_turn(found.query, found.later).budget if found.later is not None else most
        yield pool, most, later


def _plain(found: Found, cell: Cell, via: tuple[Cell, ...], arrive: str, looked: Looked) -> Slices[Route | None]:
    """The way through waypoints where every turn is like every other."""
    query = found.query
    for pool, budget, later in _budgets(found):
        stages = [Stage(query, pool, budget), *[Stage(query, pool, later)] * (found.turns - 1)]
        plan = yield from planning(
            stages, cell, via, arrive=arrive, limited=found.limited, reserve=found.reserve, looked=looked
        )
        if plan is None:
            continue
        bands = [band for band in found.bands if band.turn == plan.turn]
        band = next((band for band in bands if _suits(found, pool, band, plan.spent)), None)
        if band is not None:
            return assemble(query, query.site_everywhere, list(plan.steps), plan.end, band=band)
    return None


def _remembered(found: Found, cell: Cell, via: tuple[Cell, ...], arrive: str, looked: Looked) -> Slices[Route | None]:
    """The way through waypoints in the fewest turns, whatever gaits the rules let them have one after the other."""
    query, lengths = found.query, dict[str, Fraction]()
    if found.turn(cell) is None:
        return None
    for pool in dict.fromkeys(gait.pool for gait in query.profile.gaits):
        stages = [Stage(query, pool, None)]
        alone = yield from planning(stages, cell, via, arrive=arrive, limited=found.limited, looked=looked)
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
                route = yield from _along(found, plan, (cell, via, arrive), length, looked)
                if route is not None:
                    return route
    return None


Gaits = list[tuple[Query, Gait | None]]
"""The gaits of a plan's turns (None: it stands still), each with what the rules say in that turn."""


def _gaits(found: Found, turns: int) -> Iterator[Gaits]:
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


def _stages(query: Query, gaits: Gaits, length: Fraction | None) -> Iterator[Stage]:
    """What each turn has; with a `length` it leaves the later ones as much of that as they must go."""
    for n, (at, gait) in enumerate(gaits):
        if gait is None:
            yield Stage(at, query.profile.pools()[0], at.turn.spent)
            continue
        due = sum((later.minimum for _, later in gaits[n + 1 :] if later), Fraction(0))
        spent = gait.budget if length is None or not due else min(gait.budget, max(gait.minimum, length - due))
        yield Stage(at, gait.pool, spent)


def _along(
    found: Found, gaits: Gaits, where: tuple[Cell, tuple[Cell, ...], str], length: Fraction | None, looked: Looked
) -> Slices[Route | None]:
    """The way through waypoints with these gaits, on the graphs that its own turns leave; None where there is none.

    With a `length` no turn goes so far that the later ones have less to go than they must.
    """
    query, (cell, via, arrive) = found.query, where
    for _ in gaits:
        stages = list(_stages(query, gaits, length))
        plan = yield from planning(
            stages, cell, via, arrive=arrive, limited=found.limited, reserve=found.reserve, looked=looked
        )
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


def through(found: Found, cell: Cell, via: tuple[Cell, ...], arrive: str) -> Slices[Route | Refusal]:
    """In slices: the cheapest way of a reach through waypoints to `cell`, or why there is none."""
    for place in (*via, cell):
        if place not in found.battlemap:
            return Refusal("move.off_map", {"cell": str(place)})
    ways = _plain if found.carried is None else _remembered
    names = ", ".join(found.battlemap.name_of(place) for place in via)
    try:
        route = yield from ways(found, cell, via, arrive, Looked())
    except TooMany:
        return Refusal("move.too_long", {"cell": found.battlemap.name_of(cell), "via": names, "most": SETTLED})
    if route is not None:
        return route
    known = {found.start.cell, *found.passing(), *found.arrivals}
    for place in (*via, cell):
        reason = (yield from reasoning(found, place)) if place not in known else None
        if reason is not None:
            return reason
    return Refusal("move.via", {"cell": found.battlemap.name_of(cell), "via": names})
