"""Who is shut in: where the way is blocked, a move may be shorter than the least of its gait (REUP-A17).

Every question about a mover is asked of what `shut_in` makes of it, so that reach, route, plan and order offer the same
cells.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from heapq import heappop, heappush

from tactical.movement.found import Found
from tactical.movement.query import Query
from tactical.rules.profile import Gait
from tactical.rules.turnstate import TurnState
from tactical.units import Cell

KEEPS_OUT = {"door_policy": "block", "passing": {"ally": 0, "neutral": 0, "enemy": 0}}
"""Nobody is made to open a door, or to push past somebody, to keep up a speed."""


def shut_in(query: Query) -> Query:
    """The question with a turn in which a move may end where the way does, if that is too near for every open gait;
    else the question itself."""
    turn = blocked(query)
    return query if turn is None else query.changed(turn=turn)


def way_on(query: Query) -> bool:
    """Whether a mover can go anywhere without opening a door or pushing past somebody."""
    return bool(query.open_gaits) and (bool(Found(_narrow(query)).cells()) or blocked(query) is not None)


def blocked(query: Query) -> TurnState | None:
    """The turn of who is shut in: ``blocked`` in its memory is how far the way goes, which is the least of all gaits.

    None for who has room or cannot go at all; also where that would let a move end short behind a door or a body that
    is no obstacle to it: there the way goes on.
    """
    gaits = query.open_gaits
    if not query.ruleset.speeds or not gaits or "blocked" in query.turn.memory:
        return None
    if _has_room(query, gaits[0]):
        return None
    narrow = _narrow(query)
    # who has room for the slowest is looked at no farther
    if Found(narrow, gait=gaits[0].name).cells() or Found(narrow).cells():
        return None
    costs = _costs(narrow, Fraction(0))
    if not costs:
        return None
    most = max(costs.values())
    turn = _turn(query, query.turn.spent + most)
    beyond = Found(query.changed(turn=turn)).cells() - Found(query).cells()
    return turn if all(costs.get(cell) == most for cell in beyond) else None


def _has_room(query: Query, gait: Gait) -> bool:
    """Whether plain steps alone, through no door and past nobody, lead far enough for a gait: so it is for nearly
    everybody, and seen at a glance."""
    # the graph that a reach of the turn is searched on
    most = max(other.budget for other in query.open_gaits if other.pool == gait.pool)
    lattice = query.lattice(gait.pool, most - query.turn.spent, upright=True)
    bodies = ((other.at, other.size) for other in query.others if other.at is not None)
    held = {cell for at, size in bodies for cell in query.battlemap.body(at, size)}
    start, least = lattice.node(query.start), lattice.least(gait.minimum - query.turn.spent)
    if start is None or query.mover.size > 1:
        return False
    seen: set[int] = set()
    ahead = [(0, start)]
    while ahead:
        spent, node = heappop(ahead)
        if node in seen:
            continue
        seen.add(node)
        if spent > 0 and spent >= least and lattice.stops[node]:
            return True
        for target, ticks, slot in lattice.edges(node):
            if target not in seen and lattice.cell(target) not in held and not lattice.door_crossing(node, slot):
                heappush(ahead, (spent + ticks, target))
    return False


def _narrow(query: Query) -> Query:
    return query.changed(options=query.options.set(KEEPS_OUT))


def _turn(query: Query, least: Fraction) -> TurnState:
    return replace(query.turn, memory={**query.turn.memory, "blocked": least})


def _costs(query: Query, least: Fraction) -> dict[Cell, Fraction]:
    found = Found(query.changed(turn=_turn(query, least)))
    return {cell: found.cost(cell) or Fraction(0) for cell in found.cells()}
