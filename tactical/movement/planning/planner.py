"""Finding the way to one cell, through waypoints where they are named."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING

from tactical.errors import Refusal
from tactical.movement.found import Found
from tactical.movement.graph.lattice import Lattice
from tactical.movement.graph.writer import Edge
from tactical.movement.ledger import assemble, steps_of
from tactical.movement.planning.itinerary import through
from tactical.movement.route import Route, Step
from tactical.movement.situation import too_fast
from tactical.movement.turns.legs import end_of, turns_of
from tactical.movement.why.whynot import reasoning
from tactical.search.kernel import Settled
from tactical.search.slices import Slices, whole
from tactical.units import Cell
from tactical.world.mover import posture_named

if TYPE_CHECKING:
    from tactical.movement.turns.bands import Arrival


def route_to(found: Found, cell: Cell, via: tuple[Cell, ...], arrive: str | None) -> Route | Refusal:
    """The cheapest way of a reach to end on `cell`, or why there is none."""
    return whole(routing(found, cell, via, arrive))


def routing(found: Found, cell: Cell, via: tuple[Cell, ...], arrive: str | None) -> Slices[Route | Refusal]:
    """The same in slices, for those who must not wait: through waypoints it may be long."""
    arrive = found.arrive if arrive is None else arrive
    if arrive and arrive not in found.profile.postures:
        posture_named(arrive, found.profile.postures)
        return Refusal("move.posture_change", {"posture": found.start.posture, "wanted": arrive})
    if cell in found.battlemap and found.options["hazard_policy"] == "avoid" and cell not in found.query.goals:
        named = {place for place in (cell, *via) if place in found.battlemap and found.query.hazard_at(place)}
        if named:
            # a hazard is entered only where it is named: ask again with it as a goal
            again = found.query.changed(goals=frozenset(named))
            found = yield from found.asking_again(again, arrive=arrive)
    if via:
        answer = yield from through(found, cell, via, arrive)
        return answer
    if arrive != found.arrive:
        found = yield from found.asking_again(arrive=arrive)
    arrival = found.arrival(cell)
    if cell == found.start.cell and not (arrive and arrive != found.start.posture):
        stay = _stay(found)
        # who may not stay may come back
        return stay if arrival is None or isinstance(stay, Route) else _route(found, arrival)
    if arrival is None:
        reason = yield from reasoning(found, cell)
        return Refusal("move.unreachable", {"cell": found.battlemap.name_of(cell)}) if reason is None else reason
    return _route(found, arrival)


def _stay(found: Found) -> Route | Refusal:
    refused = too_fast(found.query)
    if refused is not None:
        return refused
    site = found.query.lattice(found.gaits[0].pool if found.gaits else found.query.pool, Fraction(0)).site
    return assemble(found.query, site, [], found.start, band=found.bands[0] if found.bands else None)


def _route(found: Found, arrival: Arrival) -> Route:
    if arrival.plan is not None:
        return _carried(found, arrival)
    search = found.searches[arrival.pool]
    turn = search.turns[arrival.turn - 1]
    node = arrival.node if arrival.trail else turn.tree.easiest(arrival.node)
    legs = [(1, list(arrival.trail))] if arrival.trail else search.path(turn, node)
    steps = steps_of(search.lattice, legs, found.query.turn.spent)
    if not search.plain and not arrival.trail:
        steps = _as_charged(found, arrival, steps, legs)
    end = search.lattice.state(node)
    route = assemble(found.query, search.lattice.site, steps, end, band=arrival.band)
    return route if route.turn == arrival.turn else replace(route, turn=arrival.turn)


def _carried(found: Found, arrival: Arrival) -> Route:
    """The way of a plan whose turns the rules have carried."""
    steps, gaits = list[Step](), list[str]()
    for number, (leg, gait, _, edges) in enumerate(turns_of(arrival.plan), 1):
        gaits.append(gait)
        if leg is None:
            continue
        own = steps_of(leg.lattice, [(number, edges)], leg.query.turn.spent if number == 1 else Fraction(0))
        steps += own if leg.tree.plain or leg.trails else charged_by(leg.lattice, leg.settled, own, edges)
    site = found.query.site_everywhere
    return assemble(found.query, site, steps, end_of(arrival), band=arrival.band, gaits=gaits, bands=found.bands)


def charged_by(lattice: Lattice, settled: Settled, steps: list[Step], edges: list[Edge]) -> list[Step]:
    """What a turn really charges where a rounding rule lets a step be made for less than its price."""
    out = []
    for step, (start, end, _, _) in zip(steps, edges, strict=True):
        before, after = settled.cost_of(start) or 0, settled.cost_of(end) or 0
        out.append(replace(step.charged(lattice.cost(after - before)), spent=lattice.cost(after)))
    return out


def _as_charged(found: Found, arrival: Arrival, steps: list[Step], legs: list[tuple[int, list[Edge]]]) -> list[Step]:
    """The steps of several turns as each turn charges them."""
    search = found.searches[arrival.pool]
    out = list[Step]()
    for number, edges in legs:
        own = steps[len(out) : len(out) + len(edges)]
        out += charged_by(search.lattice, search.turns[number - 1].settled, own, edges)
    return out
