"""Dice that come out the same everywhere: the faces thrown follow from a seed and the number of faces thrown before.

`random.Random` promises the same numbers in every Python version for its basic method only, so a game saved today could
throw other dice tomorrow.  Here every face comes from SHA-256 of the seed and a counter, which is also all that a saved
game has to remember.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from hashlib import sha256
from random import Random

from tactical.rules.dice import Pool, roll

_FACES = re.compile(r"(\d{0,9})[dD](\d{1,9})\s*([+-]\s*\d{1,9})?", re.ASCII)
MOST_DICE = 1000
"""No roll throws more dice than this."""


class Draws(Random):
    """A source of numbers for `tactical.rules.dice`; `drawn` counts what has been taken."""

    def __init__(self, seed: int, drawn: int = 0) -> None:
        super().__init__(0)
        self.seed_, self.drawn = seed, drawn

    def randint(self, a: int, b: int) -> int:
        """A whole number from `a` to `b`, both included, all equally likely."""
        faces = b - a + 1
        if faces < 1:
            raise ValueError(f"no number from {a} to {b}")
        # numbers beyond the last whole multiple of the faces would make low faces likelier
        limit = (1 << 64) - (1 << 64) % faces
        while True:
            digest = sha256(f"{self.seed_}:{self.drawn}".encode()).digest()
            self.drawn += 1
            number = int.from_bytes(digest[:8], "big")
            if number < limit:
                return a + number % faces


@dataclass(frozen=True, slots=True)
class Thrown:
    """Dice as they fell, and their total; a 1 on the wild die is a `complication`."""

    dice: tuple[int, ...]
    total: int
    complication: bool = False


def check_code(code: str) -> None:
    """Raises `ValueError` for a dice code that cannot be thrown, or throws no die."""
    said = repr(code) if len(code) <= 60 else f"{code[:40]!r}…"
    faces = _FACES.fullmatch(code.strip())
    if faces is not None:
        if int(faces[2]) < 1:
            raise ValueError(f"{said}: a die has at least one face")
        count = int(faces[1] or 1)
        if count < 1:
            raise ValueError(f"{said} throws no die")
    else:
        try:
            count = Pool.parse(code).dice
        except ValueError as error:
            raise ValueError(f"{said} is not a dice code such as 3D+1 or 2d6+1") from error
    if count > MOST_DICE:
        raise ValueError(f"{said}: no more than {MOST_DICE} dice")


def throw_code(code: str, source: Random, *, wild: bool = False) -> Thrown:
    """Throw what a code names: a pool (``3D+1``) or dice by their faces (``d20+3``, ``2d6``).  Raises `ValueError`."""
    check_code(code)
    faces = _FACES.fullmatch(code.strip())
    if faces is not None:
        dice = tuple(source.randint(1, int(faces[2])) for _ in range(int(faces[1] or 1)))
        return Thrown(dice, sum(dice) + int((faces[3] or "0").replace(" ", "")))
    found = roll(Pool.parse(code), source, wild=wild)
    return Thrown(found.dice, found.total, found.complication)
