"""Ramming: a move that ends beside somebody and drives into it, where a rule system knows that (REV-35 … 39)."""

from __future__ import annotations

from tactical.errors import Refusal, UnknownName
from tactical.movement.query import Query
from tactical.movement.route import State
from tactical.rules.turnstate import TurnState
from tactical.world.grids import neighbours
from tactical.world.mover import Mover


def target_of(query: Query, target: str) -> Mover:
    """The mover that is to be rammed.  Raises `UnknownName` for one that the mover does not know of on the map."""
    known = {other.id: other for other in query.others if query.sight.sees(other)}
    if target not in known:
        raise UnknownName("mover to ram", target, known)
    return known[target]


def declared(query: Query, target: str) -> TurnState | Refusal:
    """The turn whose move is to end in ramming `target`, or why there is no ramming.  Raises `UnknownName`."""
    if query.ruleset.ramming is None:
        return Refusal("rules.not_covered", {"why": f"ramming under {query.ruleset.title}"})
    target_of(query, target)
    return query.ruleset.ramming(query.stats, query.turn, query.options, target)


def with_ram(query: Query, target: str) -> Query | Refusal:
    """The question how to move with a ram of `target` at the end, or why there is no ramming.  Raises `UnknownName`."""
    turn = declared(query, target)
    return turn if isinstance(turn, Refusal) else query.changed(turn=turn)


def why_not_beside(query: Query, end: State, target: str) -> Refusal | None:
    """The refusal of a ram from where the move ends, or None where that is beside the target.  Raises `UnknownName`."""
    other, battlemap = target_of(query, target), query.battlemap
    assert other.at is not None
    size = query.mover.size - end.squeezed
    own = set(battlemap.body(end.cell, size))
    touched = {cell for one in own for _, cell in neighbours(battlemap.grid, one)}
    if touched & set(battlemap.body(other.at, other.size)):
        return None
    return Refusal("move.not_beside", {"cell": battlemap.name_of(end.cell), "target": other.label})
