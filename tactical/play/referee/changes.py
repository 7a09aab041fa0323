"""What changes a mover where it stands: a rest, another action, the game master's hand on its stats.

Each takes a position and a command and gives the next position with its events, or the `Refusal` that leaves all as it
was.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from typing import Any

from tactical import values
from tactical.errors import PluginError, Refusal, RulesetError, UnknownName
from tactical.movement.forced import why_no_room
from tactical.movement.route import State
from tactical.play.chance import Draws, throw_code
from tactical.play.commands import Act, Damage, Rest, SetMover
from tactical.play.events import ActionTaken, Event, Rolled
from tactical.play.happening import Changed, Damaged, Rested
from tactical.play.position import Position, Status
from tactical.play.referee.moving import Done
from tactical.rules.outcomes import VehicleDamage
from tactical.rules.turnstate import LENGTHS, MOST_ACTIONS, TurnState
from tactical.units import Cell
from tactical.world.mover import posture_named
from tactical.world.terrain import Terrain

OF_A_MOVER = ("side", "size", "size_class", "reach", "hidden", "knows", "name")
"""What the game master may change of a mover besides its stats."""

OF_ITS_MOMENT = ("posture", "squeezed", "barred", "gait")
"""What the game master may change of a mover's moment besides its turn."""

MOST_DASHES = 2 * MOST_ACTIONS
"""Moves that a turn may be told to have bought."""


def act(position: Position, command: Act) -> Done | Refusal:
    """An action that is no move, where the rule system counts them by the dice they cost."""
    ruleset, query, status = position.ruleset(command.mover), *_of(position, command.mover)
    if ruleset.act is None:
        raise RulesetError(f"rule system {ruleset.name} has no act")
    found = ruleset.act(query.stats, status.turn, query.options)
    if isinstance(found, Refusal):
        return found
    turn, dice = found
    position = position.with_status(command.mover, replace(status, turn=turn))
    return position, (ActionTaken(command.mover, "act", command.what, dice),)


def rest(position: Position, command: Rest) -> Done | Refusal:
    """A rest: the counters of the mover's rule system begin anew; a system that keeps none has nothing to do."""
    ruleset, query, status = position.ruleset(command.mover), *_of(position, command.mover)
    if ruleset.rest is not None:
        turn = ruleset.rest(query.stats, status.turn, query.options)
        position = position.with_status(command.mover, replace(status, turn=turn))
    return position, (Rested(command.mover),)


def set_mover(position: Position, command: SetMover) -> Done | Refusal:
    """The game master's change of a mover; what has been used of the turn stays used, unless that is what changes.

    Refused where a bigger body has no room, and for a posture that the rules do not have.  Raises `RulesetError` for
    stats that the rule system does not take, `UnknownName` for other names and `ValueError` for values out of place.
    """
    mover = position.mover(command.mover)
    stats = {**mover.stats, **command.stats}
    stats = {name: value for name, value in stats.items() if value is not None}
    given: dict[str, Any] = {name: getattr(command, name) for name in OF_A_MOVER}
    given = {name: value for name, value in given.items() if value is not None}
    if "size" in given:
        given.setdefault("size_class", "")
    for door in (command.knows or frozenset()) - mover.knows:
        position.door(door)
    changed = replace(mover, stats=stats, **given)
    what = [name for name in command.stats if mover.stats.get(name) != command.stats[name]]
    what += [name for name in OF_A_MOVER if name in given and getattr(mover, name) != getattr(changed, name)]
    ruleset = position.ruleset(command.mover)
    read = ruleset.read_stats(stats)
    movers = [changed if one.id == mover.id else one for one in position.battlemap.movers]
    after = position.changed(battlemap=position.battlemap.with_(movers=movers))
    status = position.statuses.get(mover.id)
    if status is not None and changed.size != mover.size:
        reason = room(after, mover.id, status.state.cell)
        if reason is not None:
            return reason
    if status is not None and ruleset.speeds and "previous" in command.stats:
        # the speed of the last round is the turn's own once one has been played
        turn = replace(status.turn, previous=str(getattr(read, "previous", "")))
        status = replace(status, turn=turn)
        after = after.with_status(mover.id, status)
    if status is not None:
        moment = _moment(after, command, status)
        if isinstance(moment, Refusal):
            return moment
        after, more = moment
        what += more
    return (after, (Changed(mover.id, tuple(what)),)) if what else Refusal("play.nothing_to_do", {"mover": mover.id})


def _moment(position: Position, command: SetMover, status: Status) -> tuple[Position, list[str]] | Refusal:
    """The position with a mover's moment as a command wants it, and the names of what changed."""
    ruleset, state = position.ruleset(command.mover), status.state
    if command.posture is not None and command.posture not in ruleset.postures:
        posture_named(command.posture, ruleset.postures)
        return Refusal("move.posture_change", {"posture": state.posture, "wanted": command.posture})
    for cell in command.barred or ():
        if cell not in position.battlemap:
            return Refusal("move.off_map", {"cell": str(cell)})
    if command.gait:
        gaits = [gait.name for gait in position.query(command.mover).profile.gaits]
        if command.gait not in gaits:
            raise UnknownName("gait", command.gait, gaits)
    given = {name: getattr(command, name) for name in OF_ITS_MOMENT}
    given = {name: value for name, value in given.items() if value is not None}
    old = {"posture": state.posture, "squeezed": state.squeezed, "barred": status.barred, "gait": status.gait}
    what = [name for name, value in given.items() if old[name] != value]
    turn, told = _turn(status.turn, command.turn)
    cell_length = position.battlemap.cell
    # a node of the graph holds some of the turn as well
    state = state._replace(
        posture=given.get("posture", state.posture), squeezed=given.get("squeezed", state.squeezed),
        diagonals=turn.diagonals % 2 if "diagonals" in told else state.diagonals,
        run_up=int(turn.run_up // cell_length) if "run_up" in told else state.run_up,
        doors=turn.doors if "doors" in told else state.doors,
    )  # fmt: skip
    barred, gait = given.get("barred", status.barred), given.get("gait", status.gait)
    after = position.with_status(command.mover, Status(state, turn, barred, gait))
    if told:
        _readable(after, command.mover, told)
    return after, what + told


def _turn(turn: TurnState, given: Mapping[str, Any]) -> tuple[TurnState, list[str]]:
    """A turn with some of its fields as they are given, words of its memory one by one, and what changed by that."""
    known = [field.name for field in fields(TurnState)]
    for name in given:
        if name not in known:
            raise UnknownName("field of a turn", name, known)
    chosen, words = dict(given), given.get("memory", {})
    for name in LENGTHS:
        if chosen.get(name) is not None:
            chosen[name] = values.measure(chosen[name], f"turn: {name}", least=0)
    if "memory" in chosen:
        if not isinstance(words, Mapping):
            raise ValueError(f"turn: memory must be a mapping of names to values, not {words!r}")
        kept = {**turn.memory, **words}
        chosen["memory"] = {name: value for name, value in kept.items() if value is not None}
    try:
        after = replace(turn, **chosen)
    except (TypeError, ValueError) as error:
        raise ValueError(f"turn: {error}") from None
    if "dashes" in chosen and len(after.dashes) > MOST_DASHES:
        raise ValueError(f"turn: dashes must be {MOST_DASHES} or fewer, not {len(after.dashes)}")
    told = [name for name in chosen if name != "memory" and getattr(turn, name) != getattr(after, name)]
    return after, told + [word for word in words if turn.memory.get(word) != words[word]]


def _readable(position: Position, mover: str, told: Sequence[str]) -> None:
    """Raise `ValueError` where a rule system cannot read the turn that it is given; `told` is what changed of it."""
    query, ruleset = position.query(mover), position.ruleset(mover)
    try:
        # the turn as it is, and what it leaves to the next
        for profile in (query.profile, query.fresh_profile):
            if profile.demand is not None:
                for gait in profile.gaits:
                    profile.demand(gait.name, (Terrain(),))
        if ruleset.due is not None:
            ruleset.due(query.stats, query.turn, query.options)
    except (PluginError, ArithmeticError, TypeError, AttributeError, LookupError, ValueError) as error:
        why = error.__cause__ or error
        raise ValueError(f"turn: {ruleset.title} cannot read {', '.join(told)}: {why}") from None


def damage(position: Position, command: Damage) -> Done | Refusal:
    """What the die of a damage state takes from a vehicle; dice that were not given are thrown."""
    ruleset = position.ruleset(command.mover)
    if ruleset.harm is None:
        return Refusal("rules.not_covered", {"why": f"damage to vehicles under {ruleset.title}"})
    query, status = _of(position, command.mover)
    events: list[Event] = []
    die, countdown = command.die, command.countdown

    def asked() -> VehicleDamage | Refusal:
        assert ruleset.harm is not None
        return ruleset.harm(query.stats, status.turn, query.options, command.state, die or 1, countdown)

    found = asked()
    if die is None and not isinstance(found, Refusal):
        position, die = _thrown(position, command.mover, "1D", events)
        found = asked()
    if not isinstance(found, Refusal) and found.wants:
        position, countdown = _thrown(position, command.mover, found.wants, events)
        found = asked()
    if isinstance(found, Refusal):
        return found
    mover = position.mover(command.mover)
    changed = replace(mover, stats={**mover.stats, **found.stats})
    movers = [changed if one.id == mover.id else one for one in position.battlemap.movers]
    position = position.changed(battlemap=position.battlemap.with_(movers=movers))
    position = position.with_status(command.mover, replace(status, turn=found.turn))
    assert die is not None
    done = Damaged(
        command.mover, command.state, die, found.maneuverability, found.lost_moves, found.max_speed, found.weapons,
        found.destroyed, found.event, found.rounds,
    )  # fmt: skip
    return position, (*events, done)


def _thrown(position: Position, mover: str, code: str, events: list[Event]) -> tuple[Position, int]:
    """Dice thrown here for a table of the rules."""
    source = Draws(position.seed, position.drawn)
    thrown = throw_code(code, source)
    events.append(Rolled(mover, "damage", thrown.dice, thrown.total))
    return position.changed(drawn=source.drawn), thrown.total


def _of(position: Position, mover: str) -> tuple[Any, Status]:
    return position.query(mover), position.status(mover)


def room(position: Position, mover: str, cell: Cell) -> Refusal | None:
    """Why a body may not be set down on a cell of the map, or None."""
    if cell not in position.battlemap:
        return Refusal("move.off_map", {"cell": str(cell)})
    # asked from the cell itself and on the truth, so that neither distance nor ignorance counts
    there = position.with_status(mover, Status(State(cell)))
    return why_no_room(there.query(mover, frozenset([cell])))
