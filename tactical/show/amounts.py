"""Amounts of movement in words.

Where a rule system's budget is a share of a turn (1 is the whole turn), players read metres instead: the share times
what a whole turn of the gait covers at its own rate.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from tactical.movement.turns.bands import Band
from tactical.units import spoken


def amount(value: Fraction, band: Band | None = None) -> str:
    """A cost or budget paid from a band: ``15``, ``2.5``; as metres where the band counts shares of a turn."""
    if band is None or band.metres is None:
        return spoken(value)
    metres = value * band.metres
    return spoken(metres) if (metres * 4).denominator == 1 else spoken(Fraction(round(metres * 10), 10))


def unit_of(bands: Iterable[Band], unit: str) -> str:
    """The unit those amounts are in."""
    return "m" if any(band.metres is not None for band in bands) else unit


def turn_word(bands: Iterable[Band]) -> str:
    """What the rules of some bands call a turn: ``turn``, or ``round``."""
    return next((band.word for band in bands), "turn")


def band_named(name: str, bands: Iterable[Band]) -> Band | None:
    """The band of a name, or None where there is none such (any more)."""
    return next((band for band in bands if band.name == name), None)
