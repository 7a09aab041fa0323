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
from tactical.world.parts import Zone

KEEPS_OUT = {"door_policy": "block", "passing": {"ally": 0, "neutral": 0, "enemy": 0}}
"""Nobody is made to open a door, or to push past somebody, to keep up a speed."""


def shut_in(query: Query) -> Query:
    """The question of who is shut in, or else the question itself.

    Its turn remembers as ``blocked`` how far the way goes, which is the least of all gaits.  Behind a door or a body
    that is no obstacle the way goes on: there nobody may stop so short.
    """
    gaits = query.open_gaits
    if not query.ruleset.speeds or not gaits or "blocked" in query.turn.memory or _has_room(query, gaits[0]):
        return query
    narrow = _narrow(query)
    # who has room for the slowest is looked at no farther
    if Found(narrow, gait=gaits[0].name).cells() or Found(narrow).cells():
        return query
    costs = _costs(narrow, Fraction(0))
    if not costs:
        return query
    most = max(costs.values())
    asked = query.changed(turn=_turn(query, query.turn.spent + most))
    short = Found(asked).cells() - Found(query).cells()
    behind = frozenset(cell for cell in short if costs.get(cell) != most)
    if not behind:
        return asked
    zones = (*query.battlemap.zones, Zone(behind, {"no_stop": True}))
    return asked.changed(battlemap=query.battlemap.with_(zones=zones))


def way_on(query: Query) -> bool:
    """Whether a mover can go anywhere without opening a door or pushing past somebody."""
    return bool(query.open_gaits) and (bool(Found(_narrow(query)).cells()) or shut_in(query) is not query)


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
