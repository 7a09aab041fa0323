"""Orders that are no moves: postures, actions, doors, the end of a turn, and what the game master does.

Each takes a position and a command and gives the next position with its events, or the `Refusal` that leaves all as it
was.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any

from tactical.errors import Refusal, UnknownName
from tactical.movement.declare import gait_of
from tactical.movement.route import State
from tactical.play.commands import (
    Act,
    CloseDoor,
    Command,
    Damage,
    Dash,
    Disengage,
    EndTurn,
    Gait,
    GivenRoll,
    GoOn,
    Move,
    OfMover,
    OpenDoor,
    Place,
    Posture,
    Push,
    Rest,
    Reveal,
    Roll,
    SetMover,
    Spend,
    StopHere,
)
from tactical.play.events import (
    ActionTaken,
    DoorClosed,
    DoorOpened,
    Event,
    Explored,
    GaitChosen,
    HazardEntered,
    MovementSpent,
    PostureChanged,
    Revealed,
)
from tactical.play.happening import Placed
from tactical.play.position import Position, Status
from tactical.play.referee import answers, changes, endings
from tactical.play.referee.changes import room
from tactical.play.referee.force import push
from tactical.play.referee.moving import Done, move, turn_for
from tactical.play.referee.secrets import explored, unmask
from tactical.play.turn import Turn
from tactical.units import Cell, exact, show
from tactical.world.edges.barriers import DoorState, Kind
from tactical.world.edges.crossing import as_met, in_frame
from tactical.world.mover import posture_named

OWN = (Move, Posture, Dash, Disengage, Act, Spend, Gait, EndTurn)
"""What only the mover whose turn it is may do, where turns go in order."""

ANSWERS = (GoOn, StopHere, Roll, GivenRoll)
"""What a paused move takes."""


def carry(position: Position, command: Command) -> Done | Refusal:
    """The next position and what happened, or why not.  Pure: nothing but the answer comes of it.

    Raises `UnknownName` for a mover, gait or door that does not exist, `TypeError` for what is not a command.
    """
    if type(command) not in _CARRY:
        known = ", ".join(kind.__name__ for kind in _CARRY)
        raise TypeError(f"not a command: {str(command)[:60]!r} (commands: {known})")
    mover = getattr(command, "mover", "")
    # an answer may leave out who is meant: whoever waits
    if mover or (isinstance(command, OfMover) and not isinstance(command, ANSWERS)):
        position.mover(mover)
    pending = position.pending
    if pending is not None and not isinstance(command, ANSWERS):
        what = "an answer to an attack" if pending.what == "attack" else "a roll"
        return Refusal("play.waiting", {"mover": pending.mover, "what": what})
    door = isinstance(command, (OpenDoor, CloseDoor)) and mover
    if position.active and mover != position.active and (door or isinstance(command, OWN)):
        whose = "another" if position.mover(position.active).hidden else position.active
        return Refusal("play.not_your_turn", {"mover": mover, "active": whose})
    if mover and mover not in position.statuses and not isinstance(command, (Place, Reveal, Roll)):
        return Refusal("play.not_placed", {"mover": mover})
    return _CARRY[type(command)](position, command)


def _turn(position: Position, mover: str) -> Turn | Refusal:
    return turn_for(position, mover, "", ())


def _posture(position: Position, command: Posture) -> Done | Refusal:
    here = position.status(command.mover).state
    if command.posture == here.posture:
        return Refusal("play.nothing_to_do", {"mover": command.mover})
    posture_named(command.posture, position.ruleset(command.mover).postures)
    turn = _turn(position, command.mover)
    if isinstance(turn, Refusal):
        return turn
    after = turn.posture(command.posture)
    if isinstance(after, Refusal):
        return after
    cost, unit = after.spent - turn.spent, turn.query.profile.unit
    changed = PostureChanged(command.mover, here.posture, after.state.posture, cost, unit)
    return position.with_turn(command.mover, after), (changed,)


_ON = {"dash": "a dash", "disengage": "disengaging", "act": "an action that is no move"}


def _act(position: Position, command: Dash | Disengage | Act) -> Done | Refusal:
    ruleset = position.ruleset(command.mover)
    if ruleset.order is None and ruleset.act is not None and isinstance(command, Act):
        return changes.act(position, command)
    if ruleset.order is None:
        why = f"under {ruleset.title} {_ON[command.kind]} is kept track of at the table"
        return Refusal("rules.not_covered", {"why": why})
    turn = _turn(position, command.mover)
    if isinstance(turn, Refusal):
        return turn
    name = "bonus_dash" if isinstance(command, Dash) and command.bonus else command.kind
    after = turn.act(name)
    if isinstance(after, Refusal):
        return after
    note = command.what if isinstance(command, Act) else ""
    return position.with_turn(command.mover, after), (ActionTaken(command.mover, name, note),)


def _spend(position: Position, command: Spend) -> Done | Refusal:
    turn = _turn(position, command.mover)
    if isinstance(turn, Refusal):
        return turn
    if turn.spent + exact(command.amount) < 0:
        return Refusal("play.gives_back", {"spent": show(turn.spent), "unit": turn.query.profile.unit})
    after = turn.adjust(command.amount)
    if isinstance(after, Refusal):
        return after
    spent = MovementSpent(command.mover, exact(command.amount), command.note, turn.query.profile.unit)
    return position.with_turn(command.mover, after), (spent,)


def _gait(position: Position, command: Gait) -> Done | Refusal:
    if command.gait:
        chosen = gait_of(position.query(command.mover), command.gait)
        if isinstance(chosen, Refusal):
            return chosen
    status = replace(position.status(command.mover), gait=command.gait)
    return position.with_status(command.mover, status), (GaitChosen(command.mover, command.gait),)


# -- doors ------------------------------------------------------------------------------------------------------------


def _door(position: Position, command: OpenDoor | CloseDoor) -> Done | Refusal:
    index, opening = position.door(command.door), isinstance(command, OpenDoor)
    wanted = DoorState.OPEN if opening else DoorState.CLOSED
    barrier = position.battlemap.barriers[index]
    held = None if opening else _in_the_frame(position, index, command)
    if not command.mover:
        if barrier.really().kind is not Kind.DOOR:
            raise UnknownName("door", command.door, position.battlemap.open_names("door"))
        if held is not None:
            return held
        after = position.with_doors({index: wanted})
        done: Event = DoorOpened("", command.door) if opening else DoorClosed("", command.door)
        return after, (done,)
    turn = _at_a_door(position, command.mover)
    if isinstance(turn, Refusal):
        return turn
    door = as_met(turn.site, index)
    if door.state is None or not turn.beside(index):
        return Refusal("play.door_far", {"door": command.door, "mover": command.mover})
    if barrier.truth and barrier.really().state is not door.state:
        # a hand laid on it finds out that it is no such door
        return unmask(position, command.mover, [index])
    if door.state is wanted or (door.state is DoorState.LOCKED and not (opening and door.cost is not None)):
        return Refusal("play.door_state", {"door": command.door, "state": door.state.value})
    if held is not None:
        return held
    after_turn = turn.open_door(command.door) if opening else _close(turn, command.door)
    if isinstance(after_turn, Refusal):
        return after_turn
    cost = after_turn.spent - turn.spent
    if cost and turn.unlimited:
        # a door that is paid for with movement is part of a move after all
        moved = _turn(position, command.mover)
        assert isinstance(moved, Refusal)
        return moved
    done = DoorOpened(command.mover, command.door, cost) if opening else DoorClosed(command.mover, command.door)
    return position.with_turn(command.mover, after_turn).with_doors({index: wanted}), (done,)


def _at_a_door(position: Position, mover: str) -> Turn | Refusal:
    """The turn in which a mover lays a hand on a door: no move, so the one move of a round need not be left for it, as
    long as an action is (REUP-02, 03; REV-02, 04)."""
    turn, ruleset = _turn(position, mover), position.ruleset(mover)
    if not isinstance(turn, Refusal) or turn.code != "move.action" or ruleset.act is None:
        return turn
    left = ruleset.act(position.query(mover).stats, position.status(mover).turn, position.query(mover).options)
    if isinstance(left, Refusal):
        return left
    found = turn_for(position, mover, "", (), under_way=True)
    return found if isinstance(found, Refusal) else replace(found, unlimited=True)


def _in_the_frame(position: Position, index: int, command: OpenDoor | CloseDoor) -> Refusal | None:
    """The refusal of shutting a door on a body that stands in its frame, or None.

    Who shuts it feels a body that hides, and does not learn whose it is.
    """
    battlemap = position.battlemap
    for name, status in position.statuses.items():
        body = position.mover(name)
        cells = battlemap.body(status.state.cell, body.size - status.state.squeezed)
        if in_frame(battlemap, index, cells):
            unseen = body.hidden and command.mover not in ("", name)
            return Refusal("play.door_held", {"door": command.door, "who": "somebody" if unseen else body.label})
    return None


def _close(turn: Turn, name: str) -> Turn | Refusal:
    """The turn after a door was shut: that is one of the doors of the turn, and free."""
    limit = turn.query.door_limit
    if limit is not None and turn.state.doors >= limit:
        return Refusal("play.door_waits", {"door": name, "limit": str(limit)})
    return replace(turn, state=turn.state._replace(doors=turn.state.doors + 1))


# -- the game master --------------------------------------------------------------------------------------------------


def _place(position: Position, command: Place) -> Done | Refusal:
    mover = position.mover(command.mover)
    posture = command.posture or mover.posture
    if command.at not in position.battlemap:
        return Refusal("move.off_map", {"cell": str(command.at)})
    posture_named(posture, position.ruleset(command.mover).postures)
    if posture not in position.ruleset(command.mover).postures:
        return Refusal("move.posture_change", {"posture": mover.posture, "wanted": posture})
    before = position.statuses.get(command.mover, Status(State(command.at, posture)))
    reason = room(position, command.mover, command.at)
    if reason is not None:
        return reason
    # who is set down has run nowhere and gone no diagonal
    turn = replace(before.turn, run_up=Fraction(0), diagonals=0)
    status = replace(before, state=State(command.at, posture, doors=before.state.doors), turn=turn)
    position = position.with_status(command.mover, status)
    return position, (Placed(command.mover, command.at, posture), *_hazard(position, command.mover, command.at))


def _hazard(position: Position, mover: str, cell: Cell) -> tuple[Event, ...]:
    battlemap = position.battlemap
    found = battlemap.terrain(cell).hazard
    for zone in battlemap.zones:
        if cell in zone.cells and zone.facts.get("hazard"):
            found = str(zone.facts["hazard"])
    return (HazardEntered(mover, found, cell),) if found else ()


def _reveal(position: Position, command: Reveal) -> Done | Refusal:
    events: list[Event] = []
    for cell in command.cells:
        if cell not in position.battlemap:
            return Refusal("move.off_map", {"cell": str(cell)})
    position, seen = explored(position, command.mover, command.cells)
    events += [Explored(command.mover, seen)] if seen else []
    mover = position.mover(command.mover)
    fresh = [door for door in dict.fromkeys(command.doors) if door not in mover.knows]
    for door in fresh:
        position.door(door)
    movers = {other: position.mover(other) for other in command.movers}
    hidden = [name for name, other in movers.items() if other.hidden]
    if fresh or hidden:
        position = position.changed(battlemap=position.battlemap.with_(movers=_told(position, mover.id, fresh, hidden)))
    events += [Revealed(mover.id, "door", door) for door in fresh]
    events += [Revealed(mover.id, "mover", name) for name in hidden]
    return (position, tuple(events)) if events else Refusal("play.nothing_to_do", {"mover": mover.id})


def _told(position: Position, who: str, doors: list[str], hidden: list[str]) -> list[Any]:
    out = []
    for mover in position.battlemap.movers:
        changed = replace(mover, knows=mover.knows | set(doors)) if mover.id == who and doors else mover
        out.append(replace(changed, hidden=False) if mover.id in hidden else changed)
    return out


_CARRY: dict[type, Callable[[Position, Any], Done | Refusal]] = {
    Move: move,
    Posture: _posture,
    Dash: _act,
    Disengage: _act,
    Act: _act,
    OpenDoor: _door,
    CloseDoor: _door,
    Spend: _spend,
    Gait: _gait,
    Roll: answers.roll,
    GivenRoll: answers.roll,
    GoOn: answers.go_on,
    StopHere: answers.stop_here,
    EndTurn: endings.end_turn,
    Place: _place,
    Push: push,
    Reveal: _reveal,
    Rest: changes.rest,
    SetMover: changes.set_mover,
    Damage: changes.damage,
}
