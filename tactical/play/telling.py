"""Events in words: one template for each code, ready for translation."""

from __future__ import annotations

from dataclasses import fields
from fractions import Fraction
from typing import Any

from tactical.units import Cell, show

EVENTS: dict[str, str] = {
    "move.stepped": "{mover} to {cell} ({way}, {cost})",
    "move.halted": "{mover} halts at {cell}: {reason}",
    "move.ended": "{mover} ends its move at {cell} after {cost}, {left}",
    "move.fell-short": "{mover}: {outcome}, {moved} of {declared} made{besides}",
    "move.recovery": "{mover} needs {turns}",
    "posture.changed": "{mover} is {posture} ({cost})",
    "action.taken": "{mover} takes an action: {what}",
    "door.opened": "{door} is open",
    "door.closed": "{door} is closed",
    "attack.offered": "{enemy} may strike {mover} on leaving {cell}",
    "attack.answered": "{mover} {answer}",
    "roll.needed": "{mover} rolls {skill} against {number} at {cell}",
    "roll.made": "{who} rolls {thrown}{outcome}",
    "hazard.entered": "{mover} is in {hazard} at {cell}",
    "mover.hurt": "{mover} takes {damage} damage: {why}",
    "secret.revealed": "{mover} finds out: {what} {name}",
    "cells.explored": "{mover} explores {count} cells",
    "movement.spent": "{mover} spends {amount}: {note}",
    "gait.chosen": "{mover} chooses {gait}",
    "turn.ended": "{mover} ends turn {turn}",
    "turn.began": "{mover} begins turn {turn}, round {round}",
    "mover.placed": "{mover} stands at {cell}",
    "mover.pushed": "{mover} is pushed to {cell}",
    "push.stopped": "{mover} is pushed no further than {cell}: {reason}",
    "mover.rested": "{mover} has rested",
    "mover.changed": "{mover} is changed: {what}",
    "mover.endangered": "{mover}: {what}",
    "effort.failed": "{mover} can keep it up no longer: {what} for {rest} s",
    "vehicle.damaged": "{mover} is {state} damaged ({die}): {left}",
    "ram.made": "{mover} {how} {target}",
    "session.undone": "taken back: {commands}",
    "session.redone": "done again: {commands}",
}


def words(event: Any) -> str:
    """An event in words a player understands."""
    names = [field.name for field in fields(event)] + [
        name for name, value in vars(type(event)).items() if isinstance(value, property)
    ]
    return EVENTS[event.code].format(**{name: _word(getattr(event, name)) for name in names})


def _word(value: object) -> str:
    if isinstance(value, Fraction):
        return show(value)
    if isinstance(value, tuple) and not isinstance(value, Cell):
        return ", ".join(str(part) for part in value)
    return "?" if value is None else str(value)
