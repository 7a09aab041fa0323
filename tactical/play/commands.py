"""What can be asked of a session: one frozen value for each command.

A command says who wants what; it knows nothing of the map.  `Session.execute` answers it with events or a `Refusal`.
The `kind` of a command is its name in files and on the wire.  Every field is checked when a command is made:
`TypeError` or `ValueError` name what is out of place.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar, get_args

from tactical import values
from tactical.errors import Refusal
from tactical.movement.route import Route, Step
from tactical.play.fields import Checked
from tactical.registry import WAYS
from tactical.rules.ruleset import second_of
from tactical.units import Cell
from tactical.values import Place as Spot
from tactical.world.battlemap import Battlemap

STEP, POSTURE, SQUEEZE, OPEN_DOOR = "step", "posture", "squeeze", "open-door"


@dataclass(frozen=True, slots=True)
class Leg(Checked):
    """One step of a way: to which cell, how, ending in what posture; `door` is the door that is opened in place.

    How is ``step``, ``jump``, ``link``, ``posture``, ``squeeze``, ``open-door``, or the name of a plug-in's way.
    """

    cell: Cell
    way: str = STEP
    posture: str = ""
    squeezed: bool = False
    door: str = ""

    if TYPE_CHECKING:

        def __init__(
            self, cell: Spot, way: str = ..., posture: str = ..., squeezed: bool = ..., door: str = ...
        ) -> None: ...


def _word(step: Step) -> str:
    """How the leg of a step is called."""
    way = WAYS.get(step.way) if WAYS.has(step.way) else None
    if way is not None and way.write is not None:
        return str(way.leg_word)
    if step.moves or step.door:
        return STEP if step.moves else OPEN_DOOR
    start, end = step.start, step.end
    return SQUEEZE if start.squeezed != end.squeezed and start.posture == end.posture else POSTURE


def legs_of(route: Route) -> tuple[Leg, ...]:
    """The legs of a route's first turn: what one command can carry out."""
    return tuple(
        Leg(step.end.cell, _word(step), step.end.posture, step.end.squeezed, step.door) for step in route.turns[0].steps
    )


@dataclass(frozen=True, slots=True)
class OfMover(Checked):
    """What a `mover` is to do, or what is done to it."""

    mover: str


@dataclass(frozen=True, slots=True)
class Move(OfMover):
    """Go somewhere.

    `to` is a cell (the cheapest way is taken, through the `via` cells, over so many `turns`) or a `Route` that was
    shown before; a `Refusal` in its place is the answer.  Of a way over several turns the first turn is carried out,
    step by step, in that turn's gait; `Route.rest` is what is left of it for the next.  `gait` is the gait or band it
    is paid from (``dash``: an action is spent when the ground asks for it), by default the route's own.  `arrive` asks
    for a posture at the end.  `cost` is the price that was shown, of the whole move as far as this turn goes, in the
    rule system's unit: a move that would cost anything else now is refused (``move.stale``).  A `Route` brings its own;
    without one whatever the move costs is paid.  So are `rolls`, the rolls that were shown (`Check.rolled`): a move
    that asks for others now is refused alike.  A plan whose first turn stands still is carried out by waiting.
    Where the rules know it, `stunt` makes the move so much harder to roll, `ram` names a mover that is rammed at the
    end, and `then` is a second skill used there, a stat with its number (``climbing=10``).  `dcs` are the game master's
    numbers for the stretches climbed, swum or crawled, in order, asked for also where the ground asks for none (None:
    no check there).  Raises `ValueError` for a cost that is no number, less than one turn, and another form of `then`;
    a session does so for too few or too many `dcs`.
    """

    kind: ClassVar[str] = "move"
    to: Cell | Route | Refusal
    via: tuple[Cell, ...] = ()
    arrive: str = ""
    gait: str = ""
    legs: tuple[Leg, ...] = ()
    cost: Fraction | None = None
    turns: int = 1
    ram: str = ""
    stunt: int | None = None
    rolls: tuple[str, ...] | None = None
    then: str = ""
    dcs: tuple[int | None, ...] | None = None

    if TYPE_CHECKING:
        # what it may be made from; a name with a level stays as it is until the command reaches a session
        def __init__(
            self,
            mover: str,
            to: Spot | Route | Refusal,
            via: Iterable[Spot] = ...,
            arrive: str = ...,
            gait: str = ...,
            legs: Iterable[Leg] = ...,
            cost: values.Number | None = ...,
            turns: int = ...,
            ram: str = ...,
            stunt: int | None = ...,
            rolls: Iterable[str] | None = ...,
            then: str = ...,
            dcs: Iterable[int | None] | None = ...,
        ) -> None: ...

    def __post_init__(self) -> None:
        Checked.__post_init__(self)
        values.whole(self.turns, "turns", least=1)
        if self.then:
            second_of(self.then)
        if self.stunt is not None:
            values.whole(self.stunt, "stunt")
        if isinstance(self.to, Route):
            first, legs = self.to.turns[0], legs_of(self.to)
            object.__setattr__(self, "legs", legs)
            object.__setattr__(self, "gait", self.gait or (first.gait if legs else ""))
            if self.cost is None:
                object.__setattr__(self, "cost", first.spent)
            if self.rolls is None and self.stunt is None and self.dcs is None and not (self.ram or self.then):
                object.__setattr__(self, "rolls", tuple(check.rolled for check in first.checks))
            # who stands still in the first of several turns waits: there is no leg to tell it by
            object.__setattr__(self, "turns", 1 if legs else len(self.to.turns))
            object.__setattr__(self, "to", first.end.cell)

    @property
    def goal(self) -> Cell:
        """The cell where it ends.  Raises `ValueError` for a move to where no way leads, or by a name not read yet."""
        if not isinstance(self.to, Cell):
            raise ValueError(f"this move has no end: {self.to}")
        return self.to


@dataclass(frozen=True, slots=True)
class Posture(OfMover):
    """Stand up, crouch or drop on the spot, at its price."""

    kind: ClassVar[str] = "posture"
    posture: str


@dataclass(frozen=True, slots=True)
class Dash(OfMover):
    """Spend the action (or the `bonus` action) on moving further."""

    kind: ClassVar[str] = "dash"
    bonus: bool = False


@dataclass(frozen=True, slots=True)
class Disengage(OfMover):
    """Spend the action on not being struck while leaving."""

    kind: ClassVar[str] = "disengage"


@dataclass(frozen=True, slots=True)
class Act(OfMover):
    """Spend the action on something that is no movement."""

    kind: ClassVar[str] = "act"
    what: str = ""


@dataclass(frozen=True, slots=True)
class OpenDoor(Checked):
    """Open a door beside the mover; with no mover the game master opens it, from anywhere and for nothing."""

    kind: ClassVar[str] = "open-door"
    door: str
    mover: str = ""


@dataclass(frozen=True, slots=True)
class CloseDoor(Checked):
    """Close a door beside the mover; with no mover the game master closes it."""

    kind: ClassVar[str] = "close-door"
    door: str
    mover: str = ""


@dataclass(frozen=True, slots=True)
class Spend(OfMover):
    """The game master's own entry: movement taken, or given back by a negative amount, in the rule system's unit."""

    kind: ClassVar[str] = "spend"
    amount: Fraction | int
    note: str = ""


@dataclass(frozen=True, slots=True)
class Gait(OfMover):
    """Choose the gait that moves without one of their own are made in; an empty name leaves it open again."""

    kind: ClassVar[str] = "gait"
    gait: str = ""


@dataclass(frozen=True, slots=True)
class Roll(Checked):
    """Throw dice: those a paused move waits for, or (with `dice`, such as ``2D+1`` or ``d20+3``) any others.

    `number` is the game master's number for the roll that waits, where its level has none.
    """

    kind: ClassVar[str] = "roll"
    mover: str = ""
    dice: str = ""
    note: str = ""
    number: int | None = None


@dataclass(frozen=True, slots=True)
class GivenRoll(OfMover):
    """The roll a paused move waits for, thrown at the table: its `total`, or only whether it `passed`.

    `number` is the game master's number for it, where its level has none.
    """

    kind: ClassVar[str] = "given-roll"
    total: int | None = None
    passed: bool | None = None
    number: int | None = None

    def __post_init__(self) -> None:
        Checked.__post_init__(self)
        if (self.total is None) == (self.passed is None):
            raise ValueError("a given roll has a total, or says whether it passed: one of the two")


@dataclass(frozen=True, slots=True)
class GoOn(OfMover):
    """After an opportunity attack: the move goes on."""

    kind: ClassVar[str] = "go-on"


@dataclass(frozen=True, slots=True)
class StopHere(OfMover):
    """After an opportunity attack: the move ends where it was struck."""

    kind: ClassVar[str] = "stop-here"


@dataclass(frozen=True, slots=True)
class EndTurn(OfMover):
    """End a mover's turn: what is unused is lost, what the rules carry over is kept."""

    kind: ClassVar[str] = "end-turn"


@dataclass(frozen=True, slots=True)
class Place(OfMover):
    """The game master sets a mover down on a cell, free of charge."""

    kind: ClassVar[str] = "place"
    at: Cell
    posture: str = ""

    if TYPE_CHECKING:

        def __init__(self, mover: str, at: Spot, posture: str = ...) -> None: ...


@dataclass(frozen=True, slots=True)
class Push(OfMover):
    """A mover is moved by force over some cells, each a neighbour of the one before: free, and nobody strikes at it.

    It goes where the body could walk: what stops a walk stops it, but for prices, difficult ground and hazards; doors
    stay as they are, creatures make no room, and over an edge one falls.
    """

    kind: ClassVar[str] = "push"
    cells: tuple[Cell, ...]

    if TYPE_CHECKING:

        def __init__(self, mover: str, cells: Iterable[Spot]) -> None: ...

    def __post_init__(self) -> None:
        Checked.__post_init__(self)
        if not self.cells:
            raise ValueError("a push needs at least one cell")


@dataclass(frozen=True, slots=True)
class Reveal(OfMover):
    """The game master tells a mover what it did not know: `cells` explored, secret `doors` found, `movers` seen."""

    kind: ClassVar[str] = "reveal"
    cells: tuple[Cell, ...] = ()
    doors: tuple[str, ...] = ()
    movers: tuple[str, ...] = ()

    if TYPE_CHECKING:

        def __init__(
            self, mover: str, cells: Iterable[Spot] = ..., doors: Iterable[str] = ..., movers: Iterable[str] = ...
        ) -> None: ...

    def __post_init__(self) -> None:
        Checked.__post_init__(self)
        # names that only a map can read come last, until it has read them
        cells = sorted(set(self.cells), key=lambda one: (isinstance(one, str), one))
        object.__setattr__(self, "cells", tuple(cells))


@dataclass(frozen=True, slots=True)
class Rest(OfMover):
    """A mover rests long enough to clear what its rule system counts: effort, owed rest."""

    kind: ClassVar[str] = "rest"


@dataclass(frozen=True, slots=True)
class SetMover(OfMover):
    """The game master changes a mover: its `stats` (merged; None takes one away), whose side it is on, its name …

    What is not named stays.  `size` and `reach` are in cells.  `turn` holds fields of its `TurnState` by name, of the
    ``memory`` single words (None takes one away); `barred` cells are shut for the turn, `gait` is the one chosen.
    """

    kind: ClassVar[str] = "set-mover"
    stats: Mapping[str, Any] = field(default_factory=dict, hash=False)
    side: str | None = None
    size: int | None = None
    reach: int | None = None
    hidden: bool | None = None
    knows: frozenset[str] | None = None
    name: str | None = None
    size_class: str | None = None
    posture: str | None = None
    squeezed: bool | None = None
    turn: Mapping[str, Any] = field(default_factory=dict, hash=False)
    barred: frozenset[Cell] | None = None
    gait: str | None = None


@dataclass(frozen=True, slots=True)
class Damage(OfMover):
    """Damage to a vehicle: its damage `state` (``lightly``, ``heavily`` …) and the `die` thrown for it, here if None.

    `countdown` is the further die of a result that takes some rounds.
    """

    kind: ClassVar[str] = "damage"
    state: str
    die: int | None = None
    countdown: int | None = None


Command = (
    Move | Posture | Dash | Disengage | Act | OpenDoor | CloseDoor | Spend | Gait | Roll | GivenRoll | GoOn | StopHere
    | EndTurn | Place | Push | Reveal | Rest | SetMover | Damage
)  # fmt: skip
COMMANDS: tuple[type, ...] = get_args(Command)


def on_map(command: Command, battlemap: Battlemap) -> Command:
    """The command with cells in place of the names (``"upper/C4"``) that only the map can read.

    Raises `ValueError` for a level that the map does not have.
    """
    changed: dict[str, Any] = {}
    for name in ("to", "at"):
        if isinstance(getattr(command, name, None), str):
            changed[name] = battlemap.cell_of(getattr(command, name), name)
    for name in ("via", "cells", "barred"):
        spots: Any = getattr(command, name, None) or ()
        if any(isinstance(one, str) for one in spots):
            changed[name] = type(spots)(battlemap.cell_of(one, name) for one in spots)
    legs: tuple[Leg, ...] = getattr(command, "legs", ())
    if any(isinstance(leg.cell, str) for leg in legs):
        changed["legs"] = tuple(replace(leg, cell=battlemap.cell_of(leg.cell, "a leg's cell")) for leg in legs)
    return replace(command, **changed) if changed else command
