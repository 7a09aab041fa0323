"""Declared moves: a way named cell by cell under one gait, before any die is thrown.

A declared move is legal or a `Refusal`; where it is legal it says how long it is, what it costs in actions and which
rolls it needs.  It is what is resolved, weighed and journeyed: the same steps as a preview, priced by the same lattice.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction

from tactical.errors import Refusal, UnknownName
from tactical.movement.graph.lattice import Lattice
from tactical.movement.query import Query
from tactical.movement.route import Route, State, Step
from tactical.movement.situation import without_least
from tactical.movement.steps.explain import explain
from tactical.movement.steps.provoking import body
from tactical.rules.checks import Check, Demand, grounds_with
from tactical.rules.profile import Gait, Profile, Source
from tactical.rules.stretches import NO_TERMS, Stretch, Terms, group, numbered, whole
from tactical.rules.turnstate import TurnState
from tactical.units import Cell, show
from tactical.world.site import Site
from tactical.world.terrain import Terrain


@dataclass(frozen=True)
class Declared:
    """A legal move as declared.

    `length` is what it uses of the gait's budget, `grounds` those of the cells entered, in order, `demand` the price in
    actions and the rolls for the whole of it; `stretches` are all its rolls with the steps that hang on each.
    """

    query: Query
    gait: Gait
    steps: tuple[Step, ...]
    length: Fraction
    grounds: tuple[Terrain, ...]
    demand: Demand
    stretches: tuple[Stretch, ...] = field(default=())

    @property
    def start(self) -> State:
        """Where it begins."""
        return self.query.start

    @property
    def end(self) -> State:
        """Where it ends if all goes well."""
        return self.steps[-1].end if self.steps else self.start

    @property
    def checks(self) -> tuple[Check, ...]:
        """All its rolls: those of the whole move, then those on the way."""
        return tuple(stretch.check for stretch in self.stretches)

    def after(self, moved: Fraction) -> State:
        """Where somebody is who gets only so far: the last place of the way, wholly paid, to end on (REUP-A09)."""
        count, spent = 0, Fraction(0)
        for step in self.steps:
            spent += step.cost
            if spent > moved:
                break
            count += 1
        return self.stop_before(count)

    def cost_to(self, at: State) -> Fraction:
        """What it costs to get to a place of the way."""
        last = max((n for n, step in enumerate(self.steps) if step.end == at), default=-1)
        return sum((step.cost for step in self.steps[: last + 1]), start=Fraction(0))

    def stop_before(self, count: int) -> State:
        """Where somebody ends who makes only so many steps: the last place of those on which it may end."""
        if count >= len(self.steps):
            return self.end
        lattice = self.query.lattice(self.gait.pool, None, limited=True)
        for step in reversed(self.steps[:count]):
            node = lattice.node(step.end)
            if node is None or lattice.stops[node]:
                return step.end
        return self.start


def gait_of(query: Query, name: str) -> Gait | Refusal:
    """The gait called `name`, or why it is not open this turn.  Raises `UnknownName`."""
    for gait in query.profile.gaits:
        if gait.name == name:
            refused = query.refused(gait)
            return gait if refused is None else refused
    raise UnknownName("gait", name, [gait.name for gait in query.profile.gaits])


def declare(query: Query, gait: str, cells: Iterable[Cell], terms: Terms = NO_TERMS) -> Declared | Refusal:
    """A move over `cells` (the first may be the start) at a gait, or why it is not legal.

    Refusals: the gait's own, why a step is not possible, ``move.min_distance``, ``move.max_distance``,
    ``move.stop``, ``rules.number_level``.  Raises `UnknownName` for a gait that does not exist, `WrongCount` where
    `terms` have too few or too many numbers.
    """
    chosen = gait_of(query, gait)
    if isinstance(chosen, Refusal):
        return chosen
    lattice = query.lattice(chosen.pool, None, limited=True)
    steps = follow(lattice, query.start, list(cells))
    return steps if isinstance(steps, Refusal) else declare_steps(query, chosen, steps, terms)


def declare_route(query: Query, route: Route, terms: Terms = NO_TERMS) -> Declared | Refusal:
    """The first turn of a route as a declared move, at the gait that pays for all of it.

    A first turn in which nothing is paid is declared at the first gait that asks for no more.
    """
    steps = [step for step in route.steps if step.turn == 1]
    paid = [line.band for line in route.lines if line.turn == 1 and line.band]
    gait: Gait | Refusal | None = None
    if not paid and route.turn > 1:
        # its band is a later turn, and no gait of this one
        gait = next((one for one in query.open_gaits if one.minimum <= query.turn.spent), None)
    if gait is None:
        gait = gait_of(query, paid[-1] if paid else route.turns[-1].gait if route.turn > 1 else route.band)
    return gait if isinstance(gait, Refusal) else declare_steps(query, gait, steps, terms)


def declare_steps(query: Query, gait: Gait, steps: Sequence[Step], terms: Terms = NO_TERMS) -> Declared | Refusal:
    """A move of known steps at a gait: its length against the gait's least and most, and what it asks for."""
    spent, priced = query.turn.spent, []
    for step in steps:
        spent += step.cost
        priced.append(replace(step, spent=spent))
    words = {"length": show(spent), "unit": query.profile.unit}
    if spent < gait.minimum:
        least = query.profile.sources.get("least", Source()).clause
        words |= {"minimum": show(gait.minimum), "note": without_least(query.profile, gait.name), "clause": least}
        return Refusal("move.min_distance", words)
    if spent > gait.budget:
        return Refusal("move.max_distance", {**words, "maximum": show(gait.budget), "clause": gait.source.clause})
    grounds = grounds_of(query.site_everywhere, steps)
    demand = _demand(query, gait, grounds)
    stretches = stretches_of(query.profile, query.turn, priced, demand, terms)
    if terms.numbers:
        told = numbered(stretches, terms.numbers)
        for before, after in zip(stretches, told, strict=True):
            if before.check.number is None and after.check.number is not None:
                fits = before.check.with_number(after.check.number)
                if isinstance(fits, Refusal):
                    return fits
        # what a rule system makes of a whole move it reads off the grounds
        grounds = grounds_with(grounds, [one.check for one in told if one.whole])
        demand, stretches = _demand(query, gait, grounds), told
    return Declared(query, gait, tuple(priced), spent - query.turn.spent, grounds, demand, stretches)


def _demand(query: Query, gait: Gait, grounds: tuple[Terrain, ...]) -> Demand:
    return Demand(gait.action) if query.profile.demand is None else query.profile.demand(gait.name, grounds)


def stretches_of(
    profile: Profile, turn: TurnState, steps: Sequence[Step], demand: Demand, terms: Terms = NO_TERMS
) -> tuple[Stretch, ...]:
    """All rolls of some steps of one turn: those of the whole move, then those on the way.  Raises `WrongCount`."""
    return (*whole(demand.checks, steps), *group(steps, holds=profile.holds, done=turn.passed, terms=terms))


def follow(lattice: Lattice, start: State, cells: Sequence[Cell]) -> tuple[Step, ...] | Refusal:
    """The cheapest steps over exactly these cells, getting up where that is needed; or why one is not possible."""
    from tactical.movement.steps.refusal import why_step, why_stop

    node = lattice.node(start)
    if node is None:
        return Refusal("move.off_map", {"cell": str(start.cell)})
    way = list(cells[1:] if cells and cells[0] == start.cell else cells)
    here: dict[int, tuple[int, tuple[tuple[int, int, int, int], ...]]] = {node: (0, ())}
    at = start
    for cell in way:
        _change(lattice, here)
        there: dict[int, tuple[int, tuple[tuple[int, int, int, int], ...]]] = {}
        for node, (cost, trail) in here.items():
            for target, ticks, slot in lattice.edges(node):
                moved = (target - node) % lattice.draft.room != 0
                if moved and lattice.cell(target) == cell:
                    _keep(there, target, cost + ticks, (*trail, (node, target, ticks, slot)))
        if not there:
            reason = why_step(lattice, at, cell)
            names = {"start": lattice.site.battlemap.name_of(at.cell), "cell": str(cell)}
            return Refusal("move.not_adjacent", names) if reason is None else reason
        here = there
        at = lattice.state(min(here, key=lambda n: (here[n][0], n)))
    goal = min(here, key=lambda n: (here[n][0], n))
    if way and not lattice.stops[goal]:
        reason = why_stop(lattice, lattice.cell(goal))
        nobody = Refusal("move.stop", {"cell": str(at.cell), "why": "nobody may stop there"})
        return nobody if reason is None else reason
    return tuple(explain(lattice, *edge) for edge in here[goal][1])


Trails = dict[int, tuple[int, tuple[tuple[int, int, int, int], ...]]]


def _keep(into: Trails, node: int, cost: int, trail: tuple[tuple[int, int, int, int], ...]) -> bool:
    if node in into and into[node][0] <= cost:
        return False
    into[node] = (cost, trail)
    return True


def _change(lattice: Lattice, here: Trails) -> None:
    """Let every state change posture in place where that is dearer than not at all but may be needed."""
    waiting = list(here)
    while waiting:
        node = waiting.pop()
        cost, trail = here[node]
        for target, ticks, slot in lattice.edges(node):
            in_place = (target - node) % lattice.draft.room == 0
            if in_place and _keep(here, target, cost + ticks, (*trail, (node, target, ticks, slot))):
                waiting.append(target)


def grounds_of(site: Site, steps: Iterable[Step]) -> tuple[Terrain, ...]:
    """The grounds of the cells that a body enters along some steps, in order; the start does not count."""
    kinds = site.core(site.kind)
    found = []
    for step in steps:
        if not step.moves:
            continue
        before = set(body(site, step.start))
        for cell in body(site, step.end):
            place = site.place(cell)
            if cell not in before and place is not None:
                found.append(site.kinds[int(kinds[place])])
    return tuple(found)
