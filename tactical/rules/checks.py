"""Checks: rolls that a move needs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Check:
    """A roll: what is rolled, against what, and where on the route.

    `skill` names what is rolled, `level` a difficulty level where the rules have them, `number` the target (None: the
    game master has not given one).  `effects` says what a result does, in the rule system's words.
    """

    skill: str
    number: int | None = None
    level: str = ""
    kind: str = "move"
    source: str = ""
    note: str = ""
    effects: Mapping[str, str] = field(default_factory=dict, hash=False)
