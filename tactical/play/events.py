"""What happened: one frozen value for each kind of event, with a dotted code.

Codes and fields are the contract; the words stand in one dictionary, `tactical.play.happening.EVENTS`,
ready for translation.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import ClassVar, Literal, get_args

from tactical.errors import Refusal, counted
from tactical.play.happening import (
    Changed,
    Damaged,
    EffortFailed,
    Endangered,
    Happening,
    OfMover,
    Penalty,
    Placed,
    Pushed,
    PushStopped,
    Rammed,
    Recovered,
    Rested,
    amount,
    recovery_words,
)
from tactical.rules.checks import Check
from tactical.units import Cell

ZERO = Fraction(0)


@dataclass(frozen=True, slots=True)
class Stepped(OfMover):
    """One step: `spent` is what the turn has used after it."""

    code: ClassVar[str] = "move.stepped"
    start: Cell
    cell: Cell
    way: str
    cost: Fraction
    spent: Fraction
    _unit: str = field(default="", repr=False, compare=False)


@dataclass(frozen=True, slots=True)
class Halted(OfMover):
    """Something that the plan did not know stopped the mover; it stands on the last cell it could stop on."""

    code: ClassVar[str] = "move.halted"
    cell: Cell
    reason: Refusal


@dataclass(frozen=True, slots=True)
class Ended(OfMover):
    """A move is over: what it cost in all and what is left of the movement bought; `over`: no gait is open any more.

    `blocked`: it is shorter than its gait demands, since there was no way on.
    """

    code: ClassVar[str] = "move.ended"
    cell: Cell
    cost: Fraction
    remaining: Fraction
    over: bool = False
    blocked: bool = False
    _unit: str = field(default="", repr=False, compare=False)

    @property
    def left(self) -> str:
        """What is left, in words."""
        left = "no more this turn" if self.over else f"{amount(self.remaining, self._unit)} left"
        return f"the way being blocked, {left}" if self.blocked else left


@dataclass(frozen=True, slots=True)
class FellShort(OfMover):
    """A failed roll cut a move short; `result` is the rule system's word, `moved` None where the referee decides.

    `penalty` is what else it takes, if anything; `badly` that it was missed by so much that the rules let the game
    master add to it (a fall, a hold lost); `recovery` are the turns it takes, `no_action` and `stunned` their parts.
    """

    code: ClassVar[str] = "move.fell-short"
    result: str
    declared: Fraction
    moved: Fraction | None = None
    posture: str = ""
    penalty: Penalty | None = None
    badly: bool = False
    recovery: Fraction | None = None
    no_action: Fraction | None = None
    stunned: Fraction | None = None
    _unit: str = field(default="", repr=False, compare=False)
    _whole: Fraction | None = field(default=None, repr=False, compare=False)

    @property
    def made(self) -> str:
        """How much of the way was made, in words, and how much of that are whole cells: nobody ends between two."""
        made = "as much as the referee says" if self.moved is None else amount(self.moved, self._unit)
        words, cells = f"{made} of {amount(self.declared, self._unit)} made", self._whole
        return words if cells in (None, self.moved) else f"{words}, {amount(cells, self._unit)} in whole cells"

    @property
    def outcome(self) -> str:
        """The result in words."""
        return self.result.replace("_", " ") + ", badly" * self.badly

    @property
    def besides(self) -> str:
        """What else it takes in words, to stand after the distance."""
        words = "" if self.penalty is None else f"; {self.penalty.text}"
        if self.recovery is None:
            return words
        return f"{words}; recovery {recovery_words(self.recovery, self.no_action or ZERO, self.stunned or ZERO)}"


@dataclass(frozen=True, slots=True)
class PostureChanged(OfMover):
    """The mover stands up, crouches or drops."""

    code: ClassVar[str] = "posture.changed"
    before: str
    posture: str
    cost: Fraction = Fraction(0)
    _unit: str = field(default="", repr=False, compare=False)


@dataclass(frozen=True, slots=True)
class ActionTaken(OfMover):
    """An action was spent: ``act``, ``dash``, ``bonus_dash``, ``disengage`` …; `dice` are those its roll loses (-1)."""

    code: ClassVar[str] = "action.taken"
    action: str
    note: str = ""
    dice: int = 0

    @property
    def what(self) -> str:
        """The action in words."""
        return f"{self.note or self.action}" + (f" at {self.dice}D" if self.dice else "")


@dataclass(frozen=True, slots=True)
class DoorOpened(OfMover):
    """A door stands open; `mover` is empty where the game master opened it."""

    code: ClassVar[str] = "door.opened"
    door: str
    cost: Fraction = Fraction(0)


@dataclass(frozen=True, slots=True)
class DoorClosed(OfMover):
    """A door is closed."""

    code: ClassVar[str] = "door.closed"
    door: str


@dataclass(frozen=True, slots=True)
class AttackOffered(OfMover):
    """The move pauses: `enemy` may strike before the mover leaves `cell`.  Answer with `GoOn` or `StopHere`.
    That of a `hidden` enemy is for the game master alone; any answer brings it to light."""

    code: ClassVar[str] = "attack.offered"
    enemy: str
    cell: Cell
    to: Cell
    hidden: bool = False


@dataclass(frozen=True, slots=True)
class AttackAnswered(OfMover):
    """The host has dealt with the attacks offered."""

    code: ClassVar[str] = "attack.answered"
    enemies: tuple[str, ...]
    went_on: bool

    @property
    def answer(self) -> str:
        """The answer in words."""
        return "goes on" if self.went_on else "stops"


@dataclass(frozen=True, slots=True)
class RollNeeded(OfMover):
    """The move pauses for a roll.  Answer with `Roll` or `GivenRoll`."""

    code: ClassVar[str] = "roll.needed"
    cell: Cell
    check: Check

    @property
    def skill(self) -> str:
        """What is rolled."""
        return self.check.skill

    @property
    def number(self) -> str:
        """What it is rolled against."""
        return "?" if self.check.number is None else str(self.check.number)


@dataclass(frozen=True, slots=True)
class Rolled(OfMover):
    """A roll was made.  `margin` is by how much it missed (0 and less: passed); `given` if thrown at the table.

    Where the table told only whether it passed (`told`), nobody threw the total: it is the number met or just missed.
    A 1 on the wild die is a `complication`.
    """

    code: ClassVar[str] = "roll.made"
    skill: str = ""
    dice: tuple[int, ...] = ()
    total: int | None = None
    margin: int | None = None
    passed: bool | None = None
    given: bool = False
    told: bool = False
    complication: bool = False

    @property
    def who(self) -> str:
        """Who rolls, in words."""
        return self.mover or "somebody"

    @property
    def thrown(self) -> str:
        """What was thrown, in words: ``5 (2, 3)``, or ``19 (given)``."""
        if self.told:
            return f"{self.skill} (given)"
        faces = ", ".join((*map(str, self.dice), *([f"{self.added:+}"] if self.added else [])))
        return f"{self.total} ({'given' if self.given else faces})"

    @property
    def added(self) -> int:
        """What the total counts besides the faces: pips, or what is taken off; 0 where no dice are known."""
        return self.total - sum(self.dice) if self.dice and self.total is not None else 0

    @property
    def outcome(self) -> str:
        """What came of it, in words; nothing where it was rolled against nothing."""
        words = {True: ": passed", False: ": failed", None: ""}[self.passed]
        return words + ", with a complication" * self.complication


@dataclass(frozen=True, slots=True)
class HazardEntered(OfMover):
    """A mover has come into a hazard; what it does is the host's business."""

    code: ClassVar[str] = "hazard.entered"
    hazard: str
    cell: Cell


@dataclass(frozen=True, slots=True)
class Hurt(OfMover):
    """A fall or a failed move does damage: a number, or dice such as ``2D``."""

    code: ClassVar[str] = "mover.hurt"
    damage: str
    why: str


@dataclass(frozen=True, slots=True)
class Revealed(OfMover):
    """What was hidden is known now: a ``door``, a ``barrier``, a ``mover`` or ``ground``.  Undo stops here."""

    code: ClassVar[str] = "secret.revealed"
    what: str
    name: str


@dataclass(frozen=True, slots=True)
class Explored(OfMover):
    """Cells that were unknown are known now.  Undo stops here."""

    code: ClassVar[str] = "cells.explored"
    cells: tuple[Cell, ...]

    @property
    def count(self) -> int:
        """How many."""
        return len(self.cells)


@dataclass(frozen=True, slots=True)
class MovementSpent(OfMover):
    """The game master's own entry."""

    code: ClassVar[str] = "movement.spent"
    amount: Fraction
    note: str = ""
    _unit: str = field(default="", repr=False, compare=False)


@dataclass(frozen=True, slots=True)
class GaitChosen(OfMover):
    """The gait for the moves to come."""

    code: ClassVar[str] = "gait.chosen"
    gait: str

    @property
    def choice(self) -> str:
        """What the mover does: it chooses a gait or, where that has no name, leaves it open again."""
        return f"chooses {self.gait}" if self.gait else "leaves the gait open"


@dataclass(frozen=True, slots=True)
class TurnEnded(OfMover):
    """A mover's turn is over."""

    code: ClassVar[str] = "turn.ended"
    turn: int


@dataclass(frozen=True, slots=True)
class TurnBegan(OfMover):
    """A mover's turn begins.  That of a `hidden` one is for the game master alone."""

    code: ClassVar[str] = "turn.began"
    turn: int
    round: int = 1
    hidden: bool = False


@dataclass(frozen=True, slots=True)
class Undone(Happening):
    """The last commands were taken back."""

    code: ClassVar[str] = "session.undone"
    count: int = 1

    @property
    def commands(self) -> str:
        """How many, in words."""
        return counted(self.count, "command")


@dataclass(frozen=True, slots=True)
class Redone(Happening):
    """Commands taken back were done again."""

    code: ClassVar[str] = "session.redone"
    count: int = 1

    @property
    def commands(self) -> str:
        """How many, in words."""
        return counted(self.count, "command")


Event = (
    Stepped | Halted | Ended | FellShort | PostureChanged | ActionTaken | DoorOpened | DoorClosed | AttackOffered
    | AttackAnswered | RollNeeded | Rolled | HazardEntered | Hurt | Revealed | Explored | MovementSpent | GaitChosen
    | TurnEnded | TurnBegan | Placed | Pushed | PushStopped | Rested | Changed | Damaged | EffortFailed | Endangered
    | Undone | Rammed | Recovered | Redone
)  # fmt: skip

EVENT_TYPES: tuple[type, ...] = get_args(Event)
"""Every event."""

SEALING = (Rolled, Revealed, Explored)
"""Events that nobody can forget: undo stops before them."""


def seals(event: Event) -> bool:
    """Whether undo stops before an event; the table knows a total that it gave, and may take it back."""
    return isinstance(event, SEALING) and not (isinstance(event, Rolled) and event.given)


@dataclass(frozen=True, slots=True)
class Accepted:
    """The answer "yes": everything that happened, in order.  True, where a `Refusal` is false."""

    events: tuple[Event, ...]

    def __bool__(self) -> Literal[True]:
        return True

    def __iter__(self) -> Iterator[Event]:
        return iter(self.events)

    def for_players(self) -> Accepted:
        """What players may be told of it: all but strikes and turns of those in hiding, till they come to light."""
        return Accepted(tuple(event for event in self.events if not getattr(event, "hidden", False)))

    def of(self, kind: type) -> tuple[Event, ...]:
        """The events of one class."""
        return tuple(event for event in self.events if isinstance(event, kind))
