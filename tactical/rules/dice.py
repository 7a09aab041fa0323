"""Dice: pools, what they can roll and what they do roll.

Two things are kept apart.  *Odds* are exact: integer counts (dyce) read as fractions.  *Rolls* come from a
`random.Random` that the caller owns and seeds; nothing here keeps one.

A pool is so many six-sided dice plus pips, written ``4D+1``.  With the wild die (option ``wild_die``, G-A02) one die of
the pool is wild: a 6 adds another die, and again on a 6; a 1 only sets a flag.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from random import Random

LATE = "dyce"
"""What is imported only where odds are asked for: it takes a tenth of a second, in which a window would stand still."""
PIPS_OF_A_DIE = 3  # REUP-33
SIDES = 6

_CODE = re.compile(r"\s*(\d{1,9})\s*[dD]\s*(?:\+\s*(\d{1,9}))?\s*", re.ASCII)
_ONE_DIE = re.compile(r"d(\d{1,9})([+-]\d{1,9})?", re.ASCII)


@dataclass(frozen=True, slots=True)
class Pool:
    """So many six-sided dice plus pips: ``4D+1``."""

    dice: int = 0
    pips: int = 0

    def __post_init__(self) -> None:
        if self.dice < 0 or self.pips < 0:
            raise ValueError(f"a pool has no fewer than 0 dice and 0 pips, found {self.dice}D{self.pips:+}")

    @classmethod
    def parse(cls, code: str | Pool) -> Pool:
        """Read ``4D+1``.  Raises `ValueError`."""
        if isinstance(code, Pool):
            return code
        match = _CODE.fullmatch(str(code))
        if match is None:
            said = repr(code) if len(str(code)) <= 60 else f"{str(code)[:40]!r}…"
            raise ValueError(f"{said} is not a dice code such as 4D or 3D+2")
        return cls(int(match[1]), int(match[2] or 0))

    def less(self, dice: int, *, floor: int = 0) -> Pool:
        """This pool with `dice` fewer dice; with no die left (or only `floor`) the pips are gone too (REUP-A32)."""
        left = self.dice - dice
        return Pool(left, self.pips) if left > 0 else Pool(min(floor, self.dice))

    def plus(self, other: Pool) -> Pool:
        """Two pools thrown together, three pips making a die."""
        dice, pips = divmod(self.pips + other.pips, PIPS_OF_A_DIE)
        return Pool(self.dice + other.dice + dice, pips)

    @property
    def all_pips(self) -> int:
        """The pool in pips, a die being worth three (REUP-33)."""
        return self.dice * PIPS_OF_A_DIE + self.pips

    def __str__(self) -> str:
        return f"{self.dice}D" + (f"+{self.pips}" if self.pips else "")


@dataclass(frozen=True, slots=True)
class Roll:
    """A thrown pool: every die in the order thrown, the total, and the wild die's flag."""

    pool: Pool
    dice: tuple[int, ...]
    total: int
    complication: bool = False


def roll(pool: Pool, source: Random, *, wild: bool = False) -> Roll:
    """Throw a pool.  A pool without dice totals 0 whatever its pips (REUP-A32).

    With `wild` the last die thrown (and what it adds) is the wild one.
    """
    if pool.dice == 0:
        return Roll(pool, (), 0)
    dice = [source.randint(1, SIDES) for _ in range(pool.dice)]
    complication = wild and dice[-1] == 1
    while wild and dice[-1] == SIDES:
        dice.append(source.randint(1, SIDES))
    return Roll(pool, tuple(dice), sum(dice) + pool.pips, complication)


def throw(sides: int, source: Random) -> int:
    """Throw one die of `sides` faces: a d20, a d100 (where 00 is 100)."""
    return source.randint(1, sides)


def throw_code(code: str, source: Random, *, wild: bool = False) -> int:
    """Throw what `code` names, a pool (``3D+1``) or one die (``d20+3``, ``d100``), and return the total."""
    one = _ONE_DIE.fullmatch(code)
    if one is not None:
        return throw(int(one[1]), source) + int(one[2] or 0)
    return roll(Pool.parse(code), source, wild=wild).total


_FACES = re.compile(r"(\d{0,9})[dD](\d{1,9})\s*([+-]\s*\d{1,9})?", re.ASCII)


def can_show(code: str, total: int, *, wild: bool = False) -> bool:
    """Whether dice of a code (``3D+1``, ``2d6+1``, ``d20``) can make a total; True for a code that is none."""
    faces = _FACES.fullmatch(code.strip())
    if faces is not None:
        count, sides, added = int(faces[1] or 1), int(faces[2]), int((faces[3] or "0").replace(" ", ""))
        return count <= total - added <= count * sides
    if _CODE.fullmatch(code) is None:
        return True
    pool = Pool.parse(code)
    shown = total - pool.pips
    if pool.dice == 0:
        return total == 0  # REUP-A32
    if wild:
        # a six on the wild die always adds another die, so that it stays at no multiple of six
        return shown >= pool.dice and (pool.dice > 1 or shown % SIDES != 0)
    return pool.dice <= shown <= pool.dice * SIDES


def chance(pool: Pool, at_least: int, *, wild: bool = False) -> Fraction:
    """The exact chance that `pool` totals `at_least` or more (G-A03: meeting the number succeeds)."""
    return sum((part for total, part in spread(pool, at_least, wild=wild) if total >= at_least), Fraction(0))


@lru_cache(maxsize=512)
def spread(pool: Pool, top: int = 0, *, wild: bool = False) -> tuple[tuple[int, Fraction], ...]:
    """Every total of `pool` with its exact chance, lowest first.

    With the wild die all totals of `top` and more that need endless sixes are counted under one total >= `top`.
    """
    if pool.dice == 0:
        return ((0, Fraction(1)),)
    from dyce import H

    if wild:
        thrown = _wild(max(top, 1)) if pool.dice == 1 else (pool.dice - 1) @ H(SIDES) + _wild(max(top, 1))
    else:
        thrown = pool.dice @ H(SIDES)
    return tuple((int(total) + pool.pips, Fraction(count, thrown.total)) for total, count in sorted(thrown.items()))


def _wild(top: int) -> Any:
    """The wild die as far as `top`: runs of sixes that already reach it are not followed further."""
    from dyce import H

    runs = -(-top // SIDES)
    counts = {SIDES * run + face: SIDES ** (runs - run) for run in range(runs) for face in range(1, SIDES)}
    counts[SIDES * runs] = SIDES  # every face of a run this long is `top` or more already
    return H.from_counts(counts)


def chance_at_most(sides: int, target: int) -> Fraction:
    """The exact chance of `target` or less on one die of `sides` (d20 under a chance, d100 under a target number)."""
    return Fraction(min(max(target, 0), sides), sides)


def chance_with(sides: int, modifier: int, at_least: int) -> Fraction:
    """The exact chance that a die of `sides` plus `modifier` makes `at_least` (d20 + bonus against a DC)."""
    return Fraction(min(max(sides + 1 - (at_least - modifier), 0), sides), sides)


def chance_of(code: str, number: int, *, under: bool = False, wild: bool = False) -> Fraction:
    """The exact chance to meet `number` with what `code` names: a pool (``3D+1``) or one die (``d20+3``, ``d100``).

    `under`: the total must be `number` or less.  Raises `ValueError` for a code that is neither.
    """
    one = _ONE_DIE.fullmatch(code)
    if one is not None:
        sides, modifier = int(one[1]), int(one[2] or 0)
        return chance_at_most(sides, number - modifier) if under else chance_with(sides, modifier, number)
    pool = Pool.parse(code)
    return 1 - chance(pool, number + 1, wild=wild) if under else chance(pool, number, wild=wild)
