"""What whole later turns bring: the present one's budgets may be cut by what has been done."""

from __future__ import annotations

from fractions import Fraction

from tactical.movement.query import Query
from tactical.rules.profile import Gait


def turn_budget(query: Query, gait: Gait) -> Fraction:
    """The budget of a whole later turn in a gait (the present one's may be cut by what has been spent)."""
    fresh = query.fresh_profile
    for known in fresh.gaits:
        if known.name == gait.name:
            return known.budget
    return gait.budget


def least_of(query: Query, gait: Gait) -> Fraction:
    """The least that a later turn's move must use, at the gentlest gait of the same pool."""
    return min((known.minimum for known in query.fresh_profile.gaits if known.pool == gait.pool), default=Fraction(0))
