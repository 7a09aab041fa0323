"""Modes of twelve-second movement kept up for long, for journeys: no rolls, only so many turns of hard going."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from fractions import Fraction

from tactical.options import Options
from tactical.rules.efforts import Effort, Setback
from tactical.rules.profile import Source

RECOVERY = {"rest_event": "any_rest", "per_easy_turn": "equal_walk"}  # TWS-A10


def efforts(
    rates: Mapping[str, Fraction],
    titles: Mapping[str, str],
    counted: Collection[str],
    limit: int | None,
    turn_seconds: int,
    options: Options,
) -> tuple[Effort, ...]:
    """Every mode of `rates` (metres a turn) as an effort; those `counted` end after `limit` turns (TWS-15 … 17).

    A `limit` of None is not known and never reached.
    """
    seconds = None if limit is None else Fraction(limit * turn_seconds)
    consecutive = options["endurance_count"] == "consecutive"
    return tuple(
        Effort(
            mode,
            titles[mode],
            metres / turn_seconds,
            setback=_exhausted,
            limit=seconds if mode in counted else None,
            recovery="on_slower" if consecutive else RECOVERY[options["endurance_recovery"]],  # TWS-A09
            clock="all" if mode in counted and options["endurance_count"] != "per_mode" else "",  # TWS-A09
            source=Source("TWS-15" if mode in counted else "TWS-17"),
        )
        for mode, metres in rates.items()
    )


def _exhausted(seconds: Fraction, rolls: int, margin: int) -> Setback:
    return Setback("exhausted", source=Source("TWS-17"))
