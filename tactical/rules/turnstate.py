"""The state of a mover's turn, as a rule system keeps it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from tactical import values
from tactical.units import quoted

MOST_ACTIONS = 20
"""Actions, and bonus actions, that anybody may have in a turn: each may buy a gait of its own."""
LENGTHS = ("spent", "left", "run_up")
"""The fields that hold a length."""
_COUNTED = {
    **dict.fromkeys(("turn", "diagonals", "doors"), values.LARGEST),
    **dict.fromkeys(("actions", "bonus_actions"), MOST_ACTIONS),
}


@dataclass(frozen=True, slots=True)
class TurnState:
    """What a mover has done this turn, and what earlier turns left behind; a value, never hidden in the mover.

    `spent` is movement paid this turn, `left` (if given) replaces the rest of the present turn, `diagonals` counts
    diagonal steps of this turn, `run_up` the distance run directly before, `doors` the closed doors opened.  `dashes`
    are the extra moves bought (action, bonus); `actions` and `bonus_actions` what is left to spend; `struck` the
    enemies that have had their opportunity attack this turn, `passed` the kinds of rolls that hold for the round and
    were made.  `previous` is the speed of the last round.  `memory`
    carries a rule system's own counters (efforts, penalties, recovery) from turn to turn.

    Numbers may be given as anything `tactical.units.exact` reads; lengths are 0 or more, `actions` and `bonus_actions`
    0 to 20.  Raises `ValueError` or `TypeError`, naming the
    field, for a value out of place.
    """

    turn: int = 1
    spent: Fraction = Fraction(0)
    left: Fraction | None = None
    diagonals: int = 0
    run_up: Fraction = Fraction(0)
    doors: int = 0
    dashes: tuple[str, ...] = ()
    actions: int | None = None
    bonus_actions: int | None = None
    disengaged: bool = False
    struck: frozenset[str] = frozenset()
    previous: str = ""
    memory: Mapping[str, Any] = field(default_factory=dict)
    passed: frozenset[str] = frozenset()

    if TYPE_CHECKING:
        # what it may be made from; the fields hold what it becomes
        def __init__(
            self,
            turn: int = ...,
            spent: values.Number = ...,
            left: values.Number | None = ...,
            diagonals: int = ...,
            run_up: values.Number = ...,
            doors: int = ...,
            dashes: Iterable[str] = ...,
            actions: int | None = ...,
            bonus_actions: int | None = ...,
            disengaged: bool = ...,
            struck: Iterable[str] = ...,
            previous: str = ...,
            memory: Mapping[str, Any] = ...,
            passed: Iterable[str] = ...,
        ) -> None: ...

    def __post_init__(self) -> None:
        settle = object.__setattr__
        for name in LENGTHS:
            value = getattr(self, name)
            if type(value) is not Fraction and not (value is None and name == "left"):
                settle(self, name, values.measure(value, name, least=0))
            elif value is not None and value.numerator < 0:
                raise ValueError(f"{name} must be 0 or more, not {quoted(value)}")
        for name, most in _COUNTED.items():
            value = getattr(self, name)
            if (type(value) is int and 0 <= value <= most) or (value is None and most == MOST_ACTIONS):
                continue
            settle(self, name, values.whole(value, name, most=most))
        if self.disengaged is not True and self.disengaged is not False:
            settle(self, "disengaged", values.flag(self.disengaged, "disengaged"))
        if type(self.dashes) is not tuple:
            settle(self, "dashes", values.words(self.dashes, "dashes"))
        if type(self.struck) is not frozenset:
            settle(self, "struck", frozenset(values.words(self.struck, "struck")))
        if type(self.passed) is not frozenset:
            settle(self, "passed", frozenset(values.words(self.passed, "passed")))
        values.word(self.previous, "previous")
        if not isinstance(self.memory, Mapping):
            raise TypeError(f"memory must be a mapping of names to values, not {quoted(self.memory)}")
