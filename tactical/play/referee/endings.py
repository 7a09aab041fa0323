"""The end of a turn: whether it may be, the rolls due with it, what is carried over, and whose turn is next."""

from __future__ import annotations

from dataclasses import replace

from tactical.errors import Refusal, RulesetError
from tactical.movement.graph.draft import rested
from tactical.movement.planning.shut_in import way_on
from tactical.movement.situation import fresh_turn, too_fast
from tactical.play.commands import EndTurn
from tactical.play.events import Event, Rolled, RollNeeded, TurnBegan, TurnEnded
from tactical.play.happening import EffortFailed, Endangered
from tactical.play.position import Pending, Position, Status
from tactical.play.referee.moving import Done, turn_for
from tactical.play.turn import Turn
from tactical.rules.turnstate import TurnState


def end_turn(position: Position, command: EndTurn) -> Done | Refusal:
    """The end of a turn; it pauses where a roll falls due with it."""
    mover, status = command.mover, position.status(command.mover)
    query = position.query(mover)
    turn = turn_for(position, mover, "", (), under_way=True)
    assert isinstance(turn, Turn)
    reason = turn.can_stop()
    if reason is not None and status.state != query.start:
        return reason
    fast = too_fast(query)
    if fast is not None and way_on(query):
        return fast
    due = () if query.ruleset.due is None else query.ruleset.due(query.stats, turn.now, query.options)
    if due:
        waiting = Pending(mover, "effort", (), checks=due)
        return position.changed(pending=waiting), (RollNeeded(mover, status.state.cell, due[0]),)
    stay = query.profile.stay
    check = None if stay is None else stay(query.battlemap.terrain(status.state.cell))
    if check is not None:
        return position.changed(pending=Pending(mover, "stay", (), checks=(check,))), (
            RollNeeded(mover, status.state.cell, check),
        )
    return _next_begins(position, mover, turn.now)


def stayed(position: Position, pending: Pending, rolled: Rolled) -> Done:
    """The turn after the roll that staying where one is asks for: it ends, and a failure is told."""
    mover, check = pending.mover, pending.checks[0]
    position = position.changed(pending=None)
    turn = turn_for(position, mover, "", (), under_way=True)
    assert isinstance(turn, Turn)
    what = check.effects.get("failed", check.note)
    failed: tuple[Event, ...] = () if rolled.passed else (Endangered(mover, what),)
    position, ended = _next_begins(position, mover, turn.now)
    return position, (rolled, *failed, *ended)


def worn(position: Position, pending: Pending, rolled: Rolled) -> Done:
    """The turn after a roll that fell due with its end: the next of them, or what they leave and the end."""
    assert rolled.total is not None
    mover, rolls = pending.mover, (*pending.rolls, rolled.total)
    if rolled.passed and len(rolls) < len(pending.checks):
        needed = RollNeeded(mover, position.status(mover).state.cell, pending.checks[len(rolls)])
        return position.changed(pending=replace(pending, rolls=rolls)), (rolled, needed)
    position = position.changed(pending=None)
    query = position.query(mover)
    if query.ruleset.tire is None:
        raise RulesetError(f"rule system {query.ruleset.name} asks for rolls at the end of a turn but has no tire")
    found = query.ruleset.tire(query.stats, query.turn, query.options, pending.checks, rolls)
    events: tuple[Event, ...] = (rolled,)
    if found.kind:
        events += (EffortFailed(mover, found.rest, found.kind),)
    position, ended = _next_begins(position, mover, found.turn)
    return position, (*events, *ended)


def _next_begins(position: Position, mover: str, turn: TurnState) -> Done:
    """The turn is over: what the rules carry over is kept, the next one begins."""
    query, status = position.query(mover), position.status(mover)
    diagonals, extra = status.state.diagonals if query.keeps_parity else 0, rested(status.state.extra)
    state = status.state._replace(diagonals=diagonals, run_up=0, doors=0, extra=extra)
    number = status.turn.turn
    fresh = fresh_turn(query.ruleset, turn, query.options)
    fresh = replace(fresh, turn=number + 1, diagonals=state.diagonals)
    position = position.with_status(mover, Status(state, fresh))
    events: list[Event] = [TurnEnded(mover, number)]
    if position.order:
        position, began = _next(position)
        events.append(began)
    return position, tuple(events)


def _next(position: Position) -> tuple[Position, TurnBegan]:
    """The next in the order of turns who stands on the map; after the last a new round begins."""
    at, turns = position.order.index(position.active), position.round
    for _ in position.order:
        at += 1
        if at == len(position.order):
            at, turns = 0, turns + 1
        if position.order[at] in position.statuses:
            break
    active = position.order[at]
    began = TurnBegan(active, position.status(active).turn.turn, turns, hidden=position.mover(active).hidden)
    return position.changed(active=active, round=turns), began
