"""Stats to begin with: what a rule system takes where nothing is known of a figure yet."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import MISSING, fields
from fractions import Fraction

from tactical.errors import RulesetError
from tactical.rules.ruleset import Ruleset


def example_stats(ruleset: Ruleset) -> dict[str, Fraction]:
    """An example of a figure's stats that the rules take: those that must be stated, else the first number there is."""
    known = fields(ruleset.stats)
    needed = [one.name for one in known if one.default is MISSING and one.default_factory is MISSING]
    numbers = {one.name: one.default for one in known if isinstance(one.default, Fraction) and one.default > 0}
    tries: list[dict[str, Fraction]] = [dict.fromkeys(needed, Fraction(3))] if needed else []
    tries += [{name: value} for name, value in numbers.items()]
    tries += [{}, *({one.name: Fraction(10)} for one in known)]
    for stats in tries:
        with suppress(RulesetError):
            ruleset.read_stats(stats)
            return stats
    return {}
