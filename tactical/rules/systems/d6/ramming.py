"""Ramming somebody at the end of a move (REV-35 … 39): one roll, for the ground and ten higher for the target.

A round with a ram in it says so in its memory, ``ram`` naming the target, so that the move's roll is made, and made
with a die less, on every surface alike.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from tactical.errors import Refusal
from tactical.options import Options
from tactical.rules.checks import Check, no_number
from tactical.rules.dice import chance_of
from tactical.rules.outcomes import Ram
from tactical.rules.turnstate import TurnState

RAM_NUMBER = 10  # REV-35
RAM = "ram"
"""The kind of a check that only the target is at stake in: the ground is crossed whatever is thrown (REV-A11)."""


def declared(turn: TurnState, target: str) -> TurnState:
    """The round with a ram in it."""
    return replace(turn, memory={**turn.memory, "ram": target})


def is_declared(turn: TurnState) -> bool:
    """Whether the move of this round is a ram."""
    return bool(turn.memory.get("ram"))


def refused(turn: TurnState, speed: str, options: Options) -> Refusal | None:
    """The refusal of a ram at all-out, which excludes every other action (REV-14, 36, REV-A10), or None."""
    if speed != "all_out" or not is_declared(turn) or options["ram_at_all_out"]:
        return None
    words = {"what": "ramming at all-out speed (option ram_at_all_out)"}
    return Refusal("move.action", {**words, "clause": "REV-14", "ruling": "REV-A10"})


def judged(turn: TurnState, options: Options, checks: Sequence[Check], roll: int | None, dice: int) -> Ram | Refusal:
    """A ram by its move's roll, made with so many `dice` less: what it needs, its chances where the dice are known, and
    what `roll` makes of it.

    Refused (``rules.number_missing``) where the ground has no number.
    """
    check = max(checks, key=lambda one: one.hardness)
    if check.number is None:
        return no_number(check, "the ground")
    sure = check.kind == RAM
    number = check.number - RAM_NUMBER if sure else check.number
    beats = number + RAM_NUMBER + (0 if options["meet_succeeds"] else 1)  # REV-A08
    chances: dict[str, Fraction] = {}
    if check.dice:
        rammed, crossed = (chance_of(check.dice, n, wild=options["wild_die"]) for n in (beats, number))
        crossed = Fraction(1) if sure else crossed
        chances = {"ram": rammed, "safe": crossed - rammed, "failure": 1 - crossed}
    found = Ram(str(turn.memory.get("ram", "")), number, number + RAM_NUMBER, -dice, chances=chances)
    if roll is None:
        return found
    if roll >= beats:
        return replace(found, outcome="ram")  # REV-37
    if sure or roll >= number:
        return replace(found, outcome="safe")  # REV-39
    return replace(found, outcome="failure", margin=number - roll)  # REV-38
