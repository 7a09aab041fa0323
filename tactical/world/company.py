"""Who may be passed, at what price, and beside whom one may stop: a matrix of side and size.

The named options give the usual matrix (friends and bystanders at `ally_cost`, enemies of quite another size at
`enemy_pass_cost`, nobody shares a cell).  The tables `passing` and `sharing` replace it entry by entry.  Their words
are a relation (``ally``, ``neutral``, ``enemy``), alone or with a difference in size classes from which the entry
holds: ``enemy+2`` two classes larger than the mover or more, ``enemy-2`` smaller, ``enemy~2`` either.  The entry with
the largest difference that fits wins.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction

from tactical.options import Options
from tactical.world.mover import CLASSES, Mover

ENTRY = re.compile(r"(ally|neutral|enemy)(?:([+~-])([0-9]+))?")
"""The words of the tables, as `tactical.options.COMPANY` lets them in."""


@dataclass(frozen=True, slots=True)
class Passage:
    """A body that can be passed: the word of the ledger, and the factor."""

    word: str
    factor: Fraction


def passage(mover: Mover, other: Mover, options: Options) -> Passage | None:
    """How a mover gets past another body, or None where it cannot."""
    relation = mover.towards(other)
    word = "enemy" if relation == "enemy" else "ally"
    stated = entry(mover, other, options["passing"])
    if stated is not None:
        return Passage(word, stated) if stated > 0 else None
    if relation != "enemy":
        return Passage(word, options["ally_cost"])
    apart = mover.classes_apart(other) >= options["enemy_size_gap"]
    return Passage(word, options["enemy_pass_cost"]) if apart else None


def shares(mover: Mover, other: Mover, options: Options) -> bool:
    """Whether a mover may end a move in a cell that another body holds."""
    stated = entry(mover, other, options["sharing"])
    return stated is not None and stated > 0


def entry(mover: Mover, other: Mover, table: tuple[tuple[str, Fraction], ...]) -> Fraction | None:
    """The value of the most particular entry that fits two movers, or None."""
    relation = mover.towards(other)
    larger = CLASSES.index(other.size_class) - CLASSES.index(mover.size_class)
    best: tuple[int, Fraction] | None = None
    for word, value in table:
        match = ENTRY.fullmatch(word)
        if match is None or match[1] != relation:
            continue
        least = int(match[3] or 0)
        difference = {"+": larger, "-": -larger, "~": abs(larger), None: 0}[match[2]]
        if difference >= least and (best is None or least > best[0]):
            best = (least, value)
    return None if best is None else best[1]
