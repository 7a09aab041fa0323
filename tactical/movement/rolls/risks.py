"""The choices behind a click: for each amount of risk the cheapest way to a cell within this turn, with its route."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction

from tactical.errors import Refusal, UnknownName
from tactical.movement.found import Found
from tactical.movement.graph.lattice import Lattice
from tactical.movement.ledger import assemble
from tactical.movement.planning.planner import route_to
from tactical.movement.rolls.chances import lattice_of, ways
from tactical.movement.rolls.frontier import RISKS, Choice, by_number, frontier
from tactical.movement.rolls.onway import Weighed
from tactical.movement.route import Route, Step
from tactical.movement.steps.explain import explain
from tactical.movement.turns.bands import Band
from tactical.search.slices import Slices, whole
from tactical.units import Cell

CHANCE = "chance"
"""The risk that something fails at all."""


@dataclass(frozen=True, slots=True)
class RiskyRoute:
    """A way to a cell that no other beats in both cost and risk.

    `risk` counts what was asked for: attacks provoked, hazards entered, damage taken, the number to roll (0: none), or
    the chance that something fails.
    """

    risk: Fraction
    route: Route

    @property
    def chance(self) -> Fraction:
        """The chance that nothing fails, where that was asked for."""
        return 1 - self.risk


def risky_routes(found: Found, cell: Cell, by: str) -> tuple[RiskyRoute, ...]:
    """The frontier of cost against one kind of risk, by rising risk; empty where the cell is out of this turn's reach,
    by ``chance`` also where nobody knows the chances.

    `by` is ``attacks``, ``exposures``, ``damage``, ``number`` or ``chance``: of that the cheapest way, then each that
    goes well more likely than all cheaper ones.  Raises `UnknownName` for anything else.
    """
    if by not in (*RISKS, CHANCE):
        raise UnknownName("risk", by, (*RISKS, CHANCE))
    if by == CHANCE:
        return tuple(_likelier(found, cell))
    out: list[RiskyRoute] = []
    seen: set[Fraction] = set()
    for band in found.bands:
        if band.turn > 1:
            continue
        for choice in whole(_choices(found, cell, by, band.gait)):
            spent = found.query.turn.spent + choice.cost
            if choice.risk in seen or not band.minimum <= spent <= band.budget - found.reserve:
                continue
            seen.add(choice.risk)
            out.append(RiskyRoute(choice.risk, _route(found, choice, band)))
    out.sort(key=lambda one: (one.risk, one.route.cost))
    best: list[RiskyRoute] = []
    for one in out:
        if not best or one.route.cost < best[-1].route.cost:
            best.append(one)
    return tuple(_as_planned(found, cell, by, best))


def likeliest(found: Found, cell: Cell) -> Slices[Route | None]:
    """In slices: the way that ends on a cell this turn with its best chance (`chances`), of several the cheapest.

    None where the cell is out of this turn's reach, or nobody knows the chances.
    """
    best: tuple[int, Lattice, Weighed] | None = None
    for one in _weighed(found, cell):
        if best is None or (-one[2].there, one[2].cost, one[0]) < (-best[2].there, best[2].cost, best[0]):
            best = one
        yield
    return None if best is None else _taken(found, *best)


def _likelier(found: Found, cell: Cell) -> Iterator[RiskyRoute]:
    """The cheapest way, then each with a better chance that nothing fails than all cheaper ones."""
    best = Fraction(-1)
    plain = route_to(found, cell, (), None)
    for index, lattice, way in sorted(_weighed(found, cell), key=lambda one: (one[2].cost, -one[2].clean, one[0])):
        if way.clean <= best:
            continue
        best = way.clean
        route = _taken(found, index, lattice, way)
        same = plain and (plain.cost, plain.band, plain.checks) == (route.cost, route.band, route.checks)
        yield RiskyRoute(1 - best, plain if plain and same else route)


def _weighed(found: Found, cell: Cell) -> Iterator[tuple[int, Lattice, Weighed]]:
    """The ways to a cell this turn that may be the likeliest, with the band and the graph that each is of."""
    for band in found.bands:
        gait = found.profile.gait(band.gait)
        if band.turn == 1 and gait in found.gaits:
            lattice = lattice_of(found, gait)
            yield from ((band.index, lattice, way) for way in ways(found, gait, lattice, cell))


def _taken(found: Found, index: int, lattice: Lattice, way: Weighed) -> Route:
    steps = tuple(explain(lattice, *edge) for edge in way.edges())
    return _route(found, Choice(1 - way.clean, way.cost, steps), found.bands[index])


def _as_planned(found: Found, cell: Cell, by: str, best: list[RiskyRoute]) -> list[RiskyRoute]:
    """The same choices; among ways of one price and risk the one that a plan without a word of risk takes."""
    plain = route_to(found, cell, (), None)
    if not plain or plain.turn > 1:
        return best
    taken = _risk_of(plain, by)
    alike = (taken, plain.cost, plain.band)
    return [RiskyRoute(taken, plain) if (one.risk, one.route.cost, one.route.band) == alike else one for one in best]


def _risk_of(route: Route, by: str) -> Fraction:
    """How much of a risk a way takes, counted like the choices'."""
    if by == "attacks":
        return Fraction(len({attack.enemy for attack in route.provokes}))
    if by == "exposures":
        return Fraction(len(route.hazards))
    if by == "damage":
        return sum((step.damage for step in route.steps), start=Fraction(0))
    return Fraction(max((check.hardness for check in route.checks), default=0))


def _choices(found: Found, cell: Cell, by: str, gait: str) -> Slices[tuple[Choice, ...]]:
    """In slices: what there is to choose from in a gait's pool, worked out once for a question."""
    query, pool = found.query, found.profile.gait(gait).pool
    key = ("frontier", cell, by, gait if by == "number" else pool)
    if key not in query.kept:
        if by == "number":
            choices = by_number(query, gait, cell)
        else:
            budget = max(known.budget for known in found.gaits if known.pool == pool)
            choices = yield from frontier(query, pool, cell, by, budget=budget, disengaged=query.turn.disengaged)
        query.kept[key] = () if isinstance(choices, Refusal) else choices
    kept: tuple[Choice, ...] = query.kept[key]
    return kept


def risking(found: Found, cell: Cell, by: str) -> Slices[None]:
    """Work the choices of `risky_routes` out a slice at a time, for those who must not wait; known when it ends."""
    for band in found.bands:
        if band.turn == 1:
            yield from _choices(found, cell, by, band.gait)


def _route(found: Found, choice: Choice, band: Band) -> Route:
    query = found.query
    running, steps = query.turn.spent, list[Step]()
    for step in choice.steps:
        running += step.cost
        steps.append(replace(step, spent=running))
    end = steps[-1].end if steps else query.start
    return assemble(query, query.site_everywhere, steps, end, band=band)
