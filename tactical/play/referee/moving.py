"""Moves: planned on what is known, checked as a whole before anything happens, then walked until done or paused.

A move is checked by rehearsing it on the mover's own view of the map, with the very orders that carry it out; what the
rehearsal refuses is refused before a die is thrown or a foot of movement spent.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from tactical.errors import Refusal
from tactical.movement import forced as ramming
from tactical.movement.declare import declare_steps, gait_of
from tactical.movement.found import Found
from tactical.movement.query import Query
from tactical.movement.route import Route, State, Step
from tactical.movement.turns.planned import checks_of
from tactical.play.commands import Leg, Move, legs_of
from tactical.play.events import Ended, Event, Halted, PostureChanged, RollNeeded
from tactical.play.position import Pending, Position
from tactical.play.referee.walking import Made, Rehearsed, Walk, buys, rehearse, stretches_ahead, with_all
from tactical.play.turn import Turn
from tactical.rules.checks import Check
from tactical.rules.outcomes import Went
from tactical.rules.ruleset import second_of, with_second, with_stunt
from tactical.rules.stretches import Terms
from tactical.rules.turnstate import TurnState
from tactical.units import exact, show, total

Done = tuple[Position, tuple[Event, ...]]


def move(position: Position, command: Move) -> Done | Refusal:
    """Carry a move out as far as it goes; where no way on is long enough for any gait, as far as there is one."""
    for declare in (_ramming, _stunt, _second):
        # the turn is one with a ram in it from the start, so that all is asked and shown as it will be
        turn = declare(position.query(command.mover), command)
        if isinstance(turn, Refusal):
            return turn
        if turn is not None:
            position = position.with_status(command.mover, replace(position.status(command.mover), turn=turn))
    done = _move(position, command)
    if isinstance(done, Refusal) and done.code == "move.min_distance":
        mover, asked = command.mover, position.question(command.mover)
        if asked is not position.query(mover) and command.goal in Found(asked).cells():
            status = position.status(mover)
            short = replace(status, turn=replace(status.turn, memory=asked.turn.memory))
            return _move(position.with_status(mover, short), command)
    return done


def _ramming(query: Query, command: Move) -> TurnState | Refusal | None:
    return ramming.declared(query, command.ram) if command.ram else None


def _stunt(query: Query, command: Move) -> TurnState | Refusal | None:
    if command.stunt is None:
        return None
    return with_stunt(query.ruleset, query.stats, query.turn, query.options, command.stunt)


def _second(query: Query, command: Move) -> TurnState | Refusal | None:
    if not command.then:
        return None
    made = _then(query, command.then, command.gait)
    return made if isinstance(made, Refusal) else made[0]


def _then(query: Query, then: str, gait: str) -> tuple[TurnState, Check] | Refusal:
    return with_second(query.ruleset, query.stats, query.turn, query.options, gait, *second_of(then))


def _move(position: Position, command: Move) -> Done | Refusal:
    if isinstance(command.to, Refusal):
        return command.to
    planned = _plan(position, command)
    if isinstance(planned, Refusal):
        return planned
    legs, gait = planned
    if not legs:
        return _wait(position, command)
    turn = turn_for(position, command.mover, gait, legs)
    if isinstance(turn, Refusal):
        return turn
    rehearsed = _rehearsed(turn, legs, gait)
    if isinstance(rehearsed, Refusal):
        return _whole(turn, command, legs, gait, rehearsed)
    stale = _stale(turn.query, command, total(step.cost for step in rehearsed[1]))
    if stale is not None:
        return stale
    unfit = _unfit(turn, command, gait, rehearsed[0].state)
    if unfit is not None:
        return unfit
    checks = _checks(turn, gait, rehearsed[1])
    if isinstance(checks, Refusal):
        return checks
    stale = _other_rolls(turn, command, gait, rehearsed[1])
    if stale is not None:
        return stale
    pending = Pending(command.mover, "whole", legs, gait, checks=checks, ram=command.ram, then=command.then)
    if command.dcs is not None:
        pending = replace(pending, stretches=stretches_ahead(turn, rehearsed[2], Terms(command.dcs)))
    if checks:
        needed = RollNeeded(command.mover, turn.state.cell, checks[0])
        return position.changed(pending=pending), (needed,)
    return walk(position, turn, pending, made=rehearsed[2])


def _rehearsed(turn: Turn, legs: tuple[Leg, ...], gait: str) -> Rehearsed | Refusal:
    """A move as far as the mover knows; the last one is kept with the position, for who asks first why not."""
    key = legs, gait, turn.gait, turn.pool, turn.span
    kept: tuple[object, Rehearsed | Refusal] | None = turn.query.kept.get("rehearsed")
    if kept is None or kept[0] != key:
        kept = turn.query.kept["rehearsed"] = key, rehearse(turn, legs, buys(turn.query, gait))
    return kept[1]


def _unfit(turn: Turn, command: Move, gait: str, end: State) -> Refusal | None:
    """Why no ram, or no second skill, can come at the end of a move."""
    far = ramming.why_not_beside(turn.query, end, command.ram) if command.ram else None
    if far is not None or not command.then:
        return far
    second = _then(turn.query, command.then, turn.gait or gait)
    return second if isinstance(second, Refusal) else None


def _wait(position: Position, command: Move) -> Done | Refusal:
    """The turn of a plan that stands still: nothing is done in it, and the plan goes on with the next."""
    mover = command.mover
    if command.turns == 1:
        return Refusal("play.nothing_to_do", {"mover": mover})
    stale = _stale(position.query(mover), command, Fraction(0))
    if stale is not None:
        return stale
    turn = turn_for(position, mover, "", (), under_way=True)
    left = Fraction(0) if isinstance(turn, Refusal) else max(turn.remaining, Fraction(0))
    over = all(gait.refused is not None for gait in position.query(mover).profile.gaits)
    unit = position.query(mover).profile.unit
    return position, (Ended(mover, position.status(mover).state.cell, Fraction(0), left, over, _unit=unit),)


# -- before it begins -------------------------------------------------------------------------------------------------


def _plan(position: Position, command: Move) -> tuple[tuple[Leg, ...], str] | Refusal:
    """The legs of a move and the gait that pays for them."""
    query = position.query(command.mover)
    named = _gait(query, command.gait) or position.chosen_gait(command.mover)
    if command.legs:
        return command.legs, named
    if named:
        chosen = gait_of(query, named)
        if isinstance(chosen, Refusal):
            return chosen
    found: Route | Refusal | None = None
    if command.turns == 1 and not command.via and not command.arrive:
        # searched no farther than the goal; for a refusal everything is looked at
        found = position.reach(command.mover, 1, named, goal=command.goal).route(command.goal)
    if not isinstance(found, Route):
        reach = position.reach(command.mover, command.turns, named)
        found = reach.route(command.goal, via=command.via, arrive=command.arrive or None)
    if not isinstance(found, Route):
        now = str(found.params["cost"]) if found.code == "move.budget" else ""
        if command.cost is None or now in ("", show(command.cost)):
            return found
        stale = _stale(query, command, exact(now))
        return found if stale is None else stale
    return legs_of(found), named or found.turns[0].gait


def _stale(query: Query, command: Move, now: Fraction) -> Refusal | None:
    """The refusal of a move that was shown at another price than the one it has `now`, or None."""
    if command.cost is None or command.cost == now:
        return None
    shown, unit = _number(command.cost), query.profile.unit
    told = {"then": f"cost {shown} {unit}", "now": f"costs {_number(now)}"}
    prices = {"shown": shown, "cost": _number(now), "unit": unit}
    return Refusal("move.stale", {"cell": query.battlemap.name_of(command.goal), **prices, **told})


def _elsewhere(query: Query, command: Move) -> Refusal:
    """The refusal of a move that was shown from another place."""
    name = query.battlemap.name_of
    told = {"then": "began elsewhere", "now": f"would begin at {name(query.start.cell)}"}
    return Refusal("move.stale", {"cell": name(command.goal), "start": name(query.start.cell), **told})


def _other_rolls(turn: Turn, command: Move, gait: str, steps: Sequence[Step]) -> Refusal | None:
    """The refusal of a move that was shown with other rolls than it asks for now, or None.

    A number that only one of them knows is the game master's, who gives it when it is rolled.
    """
    if command.rolls is None or command.ram:
        return None
    query = turn.query
    named = next((one for one in query.profile.gaits if one.name == gait), None) or query.profile.gaits[0]
    checks = checks_of(query.profile, turn.site, named, steps, query.turn)
    shown, now = list(command.rolls), [check.rolled for check in checks]
    if len(shown) == len(now) and all(a.startswith(b) or b.startswith(a) for a, b in zip(shown, now, strict=True)):
        return None
    told = {"then": f"asked for {_listed(shown)}", "now": f"asks for {_listed(now)}"}
    rolls = {"shown": shown, "rolls": now, "gait": named.name}
    return Refusal("move.stale", {"cell": query.battlemap.name_of(command.goal), **rolls, **told})


def _listed(rolls: Sequence[str]) -> str:
    return " and ".join(rolls) if rolls else "no roll"


def _number(price: Fraction) -> int | str:
    return price.numerator if price.denominator == 1 else show(price)


def _whole(turn: Turn, command: Move, legs: Sequence[Leg], gait: str, reason: Refusal) -> Refusal:
    """Why a move cannot be made, told of all of it where a single step was found too dear."""
    if reason.code == "move.not_adjacent" and command.cost is not None:
        return _elsewhere(turn.query, command)
    if reason.code != "move.budget":
        return reason
    priced = rehearse(replace(turn, unlimited=True), legs, ())
    if isinstance(priced, Refusal):
        return priced
    cost = sum((step.cost for step in priced[1]), start=Fraction(0))
    stale = _stale(turn.query, command, cost)
    if stale is not None:
        return stale
    left = with_all(turn, buys(turn.query, gait)).remaining
    if cost <= left:
        # the pools are apart, or a door has its price: the step itself says why
        return reason
    numbers = {"short": show(cost - left), "cost": show(cost), "budget": show(left)}
    return Refusal("move.budget", {"unit": turn.query.profile.unit, **numbers})


def _gait(query: Query, band: str) -> str:
    """The gait that a band is paid from; a later turn's is that of whole turns, one used up the gait bought since."""
    gait = query.profile.turn_budget if band.startswith("turn-") else band
    bought = gait not in {known.name for known in query.profile.gaits}
    return "" if bought and any(known.name == gait for known in query.fresh_profile.gaits) else gait


def turn_for(
    position: Position, mover: str, gait: str, legs: Sequence[Leg], *, under_way: bool = False
) -> Turn | Refusal:
    """The mover's turn with the map looked at as far as any gait can carry, hazards on the way being named by it."""
    query = position.query(mover)
    # the window that any gait can reach holds every leg, unless a leg is no neighbour and will be refused anyhow
    span = max((known.budget for known in query.profile.gaits), default=Fraction(0))
    cells = {leg.cell for leg in legs if leg.cell in query.battlemap} if query.hazardous else ()
    goals = frozenset(cell for cell in cells if query.hazard_at(cell))
    turn = position.turn(mover, gait, goals, under_way=under_way)
    return turn if isinstance(turn, Refusal) else replace(turn, span=span)


def _checks(turn: Turn, gait: str, steps: Sequence[Step]) -> tuple[Check, ...] | Refusal:
    """The rolls that a move as a whole needs before it begins; also whether it keeps to its gait's least and most."""
    # where actions buy movement the turn is of no gait; the rules may ask for rolls all the same
    named = turn.gait or (gait if turn.query.profile.demand is not None else "")
    if not named:
        return ()
    declared = declare_steps(turn.query, turn.query.profile.gait(named), steps)
    if isinstance(declared, Refusal):
        return declared
    return declared.demand.checks


# -- walking ----------------------------------------------------------------------------------------------------------


def walk(
    position: Position, turn: Turn, pending: Pending, events: Sequence[Event] = (), made: Sequence[Made] = ()
) -> Done:
    """Walk on the truth until the move is done or pauses again; `made` are its legs as the mover knows them."""
    if position.secrets(pending.mover):
        turn, made = replace(turn, query=turn.query.in_truth()), ()
    under_way = Walk(position.changed(pending=None), turn, pending, list(events), made)
    under_way.go()
    if under_way.paused:
        return under_way.position, tuple(under_way.events)
    return finish(under_way, Went("ok", under_way.paid, under_way.modes))


def finish(done: Walk, went: Any) -> Done:
    """The end of a move: what the rule system notes of it, the posture it ends in, and the closing event."""
    position, mover, pending = done.position, done.mover, done.before
    events, unit = list(done.events), done.turn.query.profile.unit
    if not pending.noted:
        position = note(position, mover, done.turn.gait or pending.gait, went)
    status = position.status(mover)
    if pending.posture and pending.posture != status.state.posture:
        events.append(PostureChanged(mover, status.state.posture, pending.posture, _unit=unit))
        state = status.state._replace(posture=pending.posture, run_up=0)
        position = position.with_status(mover, replace(status, state=state))
    if pending.rammed is not None:
        events.append(pending.rammed)
    remaining = done.turn.budget - position.status(mover).turn.spent
    blocked = bool(position.status(mover).turn.memory.get("blocked"))
    over = all(gait.refused is not None for gait in position.query(mover).profile.gaits)
    ended = Ended(mover, status.state.cell, done.paid, remaining, over, blocked, unit)
    return _followed(position, pending, done.turn.gait or pending.gait, (*events, ended))


def _followed(position: Position, pending: Pending, gait: str, events: tuple[Event, ...]) -> Done:
    """What comes after a move that is over: the roll of the skill it was to end in, as the move has left its user.

    Who was halted on the way has not come to where it was to be used.
    """
    if not pending.then or any(isinstance(event, Halted) for event in events):
        return position, events
    mover, cell = pending.mover, position.status(pending.mover).state.cell
    second = _then(position.query(mover), pending.then, gait)
    if isinstance(second, Refusal):
        return position, (*events, Halted(mover, cell, second))
    waits = Pending(mover, "second", (), gait, checks=(second[1],))
    return position.changed(pending=waits), (*events, RollNeeded(mover, cell, second[1]))


def note(position: Position, mover: str, gait: str, outcome: Any) -> Position:
    """The position after the rule system has written a move into the mover's turn."""
    ruleset, query, status = position.ruleset(mover), position.query(mover), position.status(mover)
    if ruleset.after is None:
        return position
    if isinstance(outcome, Went) and outcome.result == "ok" and ruleset.resolve is not None:
        outcome = None  # a system with outcomes of its own: nothing was rolled, all went well
    turn = ruleset.after(query.stats, status.turn, query.options, gait, outcome)
    return position.with_status(mover, replace(status, turn=turn))
