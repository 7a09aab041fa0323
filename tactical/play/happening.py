"""What all events have in common and how they are told; the events that change a mover where it stands."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from fractions import Fraction
from typing import Any, ClassVar

from tactical.errors import Refusal, counted
from tactical.units import Cell, spoken


class Happening:
    """What all events have: a dotted `code`, and words for people."""

    __slots__ = ()
    code: ClassVar[str]

    @property
    def text(self) -> str:
        """The event in words a player understands."""
        return words(self)


@dataclass(frozen=True, slots=True)
class OfMover(Happening):
    """What happens to a `mover`, or by it."""

    mover: str


@dataclass(frozen=True, slots=True)
class Penalty:
    """What a failed move takes besides distance: dice (-3) and actions, for the rest of this round and in the next."""

    dice_now: int = 0
    dice_next: int = 0
    no_actions_now: bool = False
    no_actions_next: bool = False

    @property
    def text(self) -> str:
        """The penalty in words; nothing where there is none."""
        words = [f"{self.dice_now}D this round"] * (self.dice_now != 0)
        words += [f"{self.dice_next}D next round"] * (self.dice_next != 0)
        if self.no_actions_now:
            words.append("no actions this round" + " and the next" * self.no_actions_next)
        return ", ".join(words)


@dataclass(frozen=True, slots=True)
class Rested(OfMover):
    """A mover has rested: what its rule system counts begins anew."""

    code: ClassVar[str] = "mover.rested"


@dataclass(frozen=True, slots=True)
class Changed(OfMover):
    """The game master changed a mover; `what` are the names of what changed, stats by their own."""

    code: ClassVar[str] = "mover.changed"
    what: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Recovered(OfMover):
    """A jump takes so many turns of `recovery`: first without actions, then stunned."""

    code: ClassVar[str] = "move.recovery"
    recovery: Fraction
    no_action: Fraction
    stunned: Fraction

    @property
    def turns(self) -> str:
        """The turns in words."""
        return recovery_words(self.recovery, self.no_action, self.stunned)


def recovery_words(recovery: Fraction, no_action: Fraction, stunned: Fraction) -> str:
    """Turns of recovery in words."""
    turns, still = counted(spoken(recovery), "turn"), spoken(no_action)
    return f"{turns}: {still} without actions, then {spoken(stunned)} stunned"


@dataclass(frozen=True, slots=True)
class EffortFailed(OfMover):
    """A roll for an effort kept up has failed: there must be `rest`, in seconds, before the next move.

    `kind` says what it is: ``rest``, ``sleep``, ``strain``; after a ``mechanical_failure`` it is the time of a repair.
    """

    code: ClassVar[str] = "effort.failed"
    rest: Fraction
    kind: str = "rest"

    @property
    def what(self) -> str:
        """What must be, in words."""
        return self.kind.replace("_", " ")


@dataclass(frozen=True, slots=True)
class Endangered(OfMover):
    """A roll for staying where one is has failed; `what` it brings is the game master's to say."""

    code: ClassVar[str] = "mover.endangered"
    what: str


@dataclass(frozen=True, slots=True)
class Damaged(OfMover):
    """A vehicle took damage in a `state`, by the `die`; the rest is its state after it.

    `max_speed` is the highest speed that its `lost_moves` leave, `event` what else happens, in so many `rounds`.
    """

    code: ClassVar[str] = "vehicle.damaged"
    state: str
    die: int
    maneuverability: str = ""
    lost_moves: int = 0
    max_speed: str = ""
    weapons: int = 0
    destroyed: bool = False
    event: str = ""
    rounds: int | None = None

    @property
    def left(self) -> str:
        """Its state, in words."""
        words = [f"maneuverability {self.maneuverability}"]
        fastest = "it does not move" if self.max_speed == "stop" else f"at most {self.max_speed.replace('_', '-')}"
        words += [f"{counted(self.lost_moves, 'lost Move')}, {fastest}"] if self.lost_moves else []
        words += [self.event.replace("_", " ")] if self.event and self.event != "destroyed" else []
        words += [f"in {counted(self.rounds, 'round')}"] if self.rounds is not None else []
        return ", ".join([*words, *["destroyed"] * self.destroyed])


@dataclass(frozen=True, slots=True)
class Rammed(OfMover):
    """A move that was to ram `target` is over: `number` was needed for the ground, `ram_number` to hit.

    `outcome` is ``ram``, ``safe`` (the ground is crossed, the target missed) or ``failure``, by `margin`; `dice` are
    those that the ram took from the roll.
    """

    code: ClassVar[str] = "ram.made"
    target: str
    number: int
    ram_number: int
    dice: int = 0
    outcome: str = ""
    margin: int | None = None

    @property
    def how(self) -> str:
        """The outcome in words."""
        return {"ram": "rams", "safe": "misses"}.get(self.outcome, "fails to ram")


@dataclass(frozen=True, slots=True)
class Placed(OfMover):
    """A mover was set down."""

    code: ClassVar[str] = "mover.placed"
    cell: Cell
    posture: str


@dataclass(frozen=True, slots=True)
class Pushed(OfMover):
    """A mover was moved by force."""

    code: ClassVar[str] = "mover.pushed"
    start: Cell
    cell: Cell


@dataclass(frozen=True, slots=True)
class PushStopped(OfMover):
    """Something stopped a push at `cell`, where the mover stands now; `lost` cells asked for were not made."""

    code: ClassVar[str] = "push.stopped"
    cell: Cell
    lost: int
    reason: Refusal


EVENTS: dict[str, str] = {
    "move.stepped": "{mover} to {cell} ({way}, {cost})",
    "move.halted": "{mover} halts at {cell}: {reason}",
    "move.ended": "{mover} ends its move at {cell} after {cost}, {left}",
    "move.fell-short": "{mover}: {outcome}, {made}{besides}",
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
    "gait.chosen": "{mover} {choice}",
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


AMOUNTS = ("cost", "amount")
"""What events tell in the unit of the mover's budget."""


def in_unit(event: Any, unit: str) -> Any:
    """An event with the unit of its amounts, which one that was read from JSON has lost."""
    return replace(event, _unit=unit) if getattr(event, "_unit", unit) != unit else event


def words(event: Any) -> str:
    """An event in words a player understands, amounts of movement with their unit."""
    names = [field.name for field in fields(event)] + [
        name for name, value in vars(type(event)).items() if isinstance(value, property)
    ]
    unit = getattr(event, "_unit", "")
    told = {name: _word(getattr(event, name), unit if name in AMOUNTS else "") for name in names}
    return EVENTS[event.code].format(**told)


def amount(value: Fraction, unit: str) -> str:
    """Movement in words; without a unit, where none is known, the number alone."""
    return counted(spoken(value), unit) if unit else spoken(value)


def _word(value: object, unit: str) -> str:
    if isinstance(value, Fraction):
        return amount(value, unit)
    if isinstance(value, tuple) and not isinstance(value, Cell):
        return ", ".join(str(part) for part in value)
    return "?" if value is None else str(value)
