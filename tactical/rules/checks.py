"""Checks: rolls that a move needs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Check:
    """A roll: what is rolled, against what, and where on the route.

    `skill` names what is rolled, `level` a difficulty level where the rules have them, `number` the target (None: the
    game master has not given one).  `effects` says what a result does, in the rule system's words; `dice` is the pool
    thrown where the rule system knows it.
    """

    skill: str
    number: int | None = None
    level: str = ""
    kind: str = "move"
    source: str = ""
    note: str = ""
    effects: Mapping[str, str] = field(default_factory=dict, hash=False)
    dice: str = ""


@dataclass(frozen=True, slots=True)
class Demand:
    """What a whole move asks for besides distance: its price in actions, and the rolls it needs, in order.

    `action` is ``free``, ``action`` or ``exclusive``; no `checks` means that nothing is rolled.
    """

    action: str = "free"
    checks: tuple[Check, ...] = ()
