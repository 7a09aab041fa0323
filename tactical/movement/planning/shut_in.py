"""Who is shut in: where the way is blocked, a move may be shorter than the least of its gait (REUP-A17).

Every question about a mover is asked of what `shut_in` makes of it, so that reach, route, plan and order offer the same
cells.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from tactical.movement.found import Found
from tactical.movement.query import Query
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
    narrow = _narrow(query)
    # who has room for the slowest, as nearly everybody has, is looked at no farther
    if Found(narrow, gait=gaits[0].name).cells() or Found(narrow).cells():
        return None
    costs = _costs(narrow, Fraction(0))
    if not costs:
        return None
    most = max(costs.values())
    turn = _turn(query, query.turn.spent + most)
    beyond = Found(query.changed(turn=turn)).cells() - Found(query).cells()
    return turn if all(costs.get(cell) == most for cell in beyond) else None


def _narrow(query: Query) -> Query:
    return query.changed(options=query.options.set(KEEPS_OUT))


def _turn(query: Query, least: Fraction) -> TurnState:
    return replace(query.turn, memory={**query.turn.memory, "blocked": least})


def _costs(query: Query, least: Fraction) -> dict[Cell, Fraction]:
    found = Found(query.changed(turn=_turn(query, least)))
    return {cell: found.cost(cell) or Fraction(0) for cell in found.cells()}
