"""Exact numbers and cell names: the small change of every other file.

Costs and distances are `fractions.Fraction` in the rule system's unit (feet or metres); nothing is rounded unless a
clause says so.  On the wire a number is an ``int`` or a string ``"10/3"``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import fields, is_dataclass
from fractions import Fraction
from typing import NamedTuple

SQRT2 = Fraction(141421356, 100000000)
"""The square root of two as the rules fix it (G-A05), so that costs stay rational."""


UNITS = {
    **dict.fromkeys(("ft", "ft.", "foot", "feet", "'"), "ft"),
    **dict.fromkeys(("m", "m.", "metre", "metres", "meter", "meters"), "m"),
}
"""The units of length that maps are drawn in, by every way people write them."""

METRES = {"m": Fraction(1), "ft": Fraction(3, 10)}
"""What the units that can be changed into each other are in metres: at the table a 5-foot square is 1.5 of them."""

_VAST = re.compile(r"[eE][+-]?[0-9]{3,}")
_FINEST = 10**20
NOTHING = Fraction(0)


def exact(value: object) -> Fraction:
    """Read a number exactly: an int, a Fraction, ``"10/3"``, ``"2.5"`` or a float that prints short.

    Raises `ValueError` for anything that is not a finite number, and for a text or float of more than twenty digits
    before or after the point (``1e50``, ``1e-50``).
    """
    if type(value) is Fraction:
        return value
    if type(value) is int and not value:
        # what most questions keep back
        return NOTHING
    if isinstance(value, bool):
        raise ValueError(f"{value!r} is not a number")
    if isinstance(value, int) and value.bit_length() > 4000:
        # too long even to be printed in a message
        raise ValueError("a number of more than a thousand digits is too large")
    if isinstance(value, (int, Fraction)):
        return Fraction(value)
    try:
        text = str(value).strip()
        if len(text) > 60 or _VAST.search(text):
            # a few characters must not ask for a number of a million digits
            raise ValueError(text)
        found = Fraction(text)
    except (ValueError, ZeroDivisionError, RecursionError) as error:
        raise ValueError(f"{quoted(value)} is not a number") from error
    if found.denominator > _FINEST or abs(found.numerator) > _FINEST * found.denominator:
        raise ValueError(f"{quoted(value)} is too large or too fine a number")
    return found


def total(values: Iterable[Fraction]) -> Fraction:
    """The sum of some numbers, those of one denominator added as whole ones."""
    parts: dict[int, int] = {}
    last, over, under = None, 0, 1
    for value in values:
        # one price is mostly one number, step after step
        if value is not last:
            over, under = value.as_integer_ratio()
            last = value
        parts[under] = parts.get(under, 0) + over
    return sum((Fraction(part, over) for over, part in parts.items()), start=Fraction(0))


def quoted(value: object) -> str:
    """A value as an error shows it: not at length, whatever it is."""
    try:
        text = str(value) if isinstance(value, Fraction) else repr(value)
    except (ValueError, RecursionError):
        # numbers of thousands of digits, lists a thousand deep
        return f"so large a {type(value).__name__}"
    return text if len(text) <= 60 else f"{text[:40]}…"


def wire(value: Fraction) -> int | str:
    """A number as files and JSON carry it: an int where whole, else ``"numerator/denominator"``."""
    return value.numerator if value.denominator == 1 else f"{value.numerator}/{value.denominator}"


def plain(value: object) -> object:
    """Anything a rule system says as JSON carries it: numbers exact, values of its own by their fields or words."""
    if value is None or isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, Fraction):
        return wire(value)
    if isinstance(value, Mapping):
        return {str(key): plain(inner) for key, inner in value.items()}
    if isinstance(value, (list, tuple, set, frozenset)):
        return [plain(inner) for inner in value]
    if is_dataclass(value) and not isinstance(value, type) and type(value).__str__ is object.__str__:
        return {field.name: plain(getattr(value, field.name)) for field in fields(value)}
    return str(value)


def show(value: Fraction) -> str:
    """A number in few characters and, where that can be, exact: ``15``, ``2.5``, ``10/3``, ``7.07``."""
    if value.denominator == 1:
        return str(value.numerator)
    if 10**6 % value.denominator == 0:
        text = f"{float(value):.6f}".rstrip("0")
        return text if len(text) < 8 else f"{float(value):.2f}"
    return str(value) if value.denominator < 1000 else f"{float(value):.2f}"


def spoken(value: Fraction) -> str:
    """The same as players are told it, with two decimals at the most: ``3.33``, ``0.13``; what is more stays so."""
    if value.denominator == 1:
        return str(value.numerator)
    hundredths = int(abs(value) * 100 + Fraction(1, 2)) or 1
    whole, part = divmod(hundredths, 100)
    return f"{'-' if value < 0 else ''}{whole}.{part:02}".rstrip("0").rstrip(".")


def spoken_rest(rest: Fraction, spent: Fraction) -> str:
    """What is left beside what is `spent`, rounded so that both as `spoken` add up: 0.12 beside 0.88, of one turn."""
    told = Fraction(spoken(spent + rest)) - Fraction(spoken(spent))
    return spoken(told if told > 0 else rest)


class Cell(NamedTuple):
    """One place of the grid: column and row from 0 at the top left, and the index of its level."""

    col: int
    row: int
    level: int = 0

    def __str__(self) -> str:
        return cell_name(self)


# nine digits are more than a map has cells
_NAME = re.compile(r"([A-Za-z]{1,7})([0-9]{1,9})")
_NUMBER = r"\s*(-?[0-9]{1,9})\s*"
_PAIR = re.compile(rf"\s*[\[(]?{_NUMBER},{_NUMBER}(?:,\s*([0-9]{{1,9}})\s*)?[\])]?\s*")


def column_name(col: int) -> str:
    """``A`` … ``Z``, ``AA`` … for columns 0, 1, …"""
    letters = ""
    col += 1
    while col > 0:
        col, digit = divmod(col - 1, 26)
        letters = chr(ord("A") + digit) + letters
    return letters


def cell_name(cell: Cell, levels: tuple[str, ...] = ()) -> str:
    """``C4``; with several levels ``upper/C4``; off the map to the left or above, where no letters are: ``(-1, 0)``."""
    before = cell.col < 0 or cell.row < 0
    place = f"({cell.col}, {cell.row})" if before else f"{column_name(cell.col)}{cell.row + 1}"
    if len(levels) > 1 and 0 <= cell.level < len(levels):
        return f"{levels[cell.level]}/{place}"
    return f"{cell.level}/{place}" if cell.level and len(levels) != 1 else place


def parse_cell(text: str, levels: tuple[str, ...] = ()) -> Cell:
    """Read ``C4``, ``upper/C4``, ``2,3``, ``[2, 3]`` or ``(2, 3)``.  Raises `ValueError` with what was expected."""
    level = 0
    if len(text) > 500:
        raise ValueError(f"{text[:40]!r}… is not a cell: write C4 (column letter, row from 1 at the top)")
    place = text.strip()
    if "/" in place:
        name, place = place.rsplit("/", 1)
        if name in levels:
            level = levels.index(name)
        elif name.isascii() and name.isdigit() and (not levels or int(name) < len(levels)):
            level = int(name)
        else:
            raise ValueError(f"{text!r}: no level {name!r} (levels: {', '.join(levels) or 'only one'})")
    match = _NAME.fullmatch(place)
    if match:
        col = 0
        for letter in match[1].upper():
            col = col * 26 + ord(letter) - ord("A") + 1
        if int(match[2]) < 1:
            raise ValueError(f"{text!r}: rows are counted from 1")
        return Cell(col - 1, int(match[2]) - 1, level)
    match = _PAIR.fullmatch(place)
    if match:
        return Cell(int(match[1]), int(match[2]), int(match[3]) if match[3] else level)
    raise ValueError(f"{text!r} is not a cell: write C4 (column letter, row from 1 at the top) or 2,3 (from 0)")


def percent(chance: Fraction) -> str:
    """A chance in words: ``62%``; 100 % and 0 % are said only where they are true."""
    whole = round(chance * 100)
    if whole == 100 and chance < 1:
        whole = 99
    if whole == 0 and chance > 0:
        whole = 1
    return f"{whole}%"


MOST_TURNS = 1000
"""Turns that one may look ahead, on the command line and over stdio."""


def gait_name(text: str | None) -> str:
    """A gait as rule systems write it: ``all-out`` and ``All out`` are ``all_out``."""
    return "_".join((text or "").lower().replace("-", " ").replace("_", " ").split())
