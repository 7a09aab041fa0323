"""Jumps that are asked for and lead to no cell: how high, how far backwards, with what chance.

What lies on a map is jumped on the way; these are the jumps that a player names.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

from tactical.errors import Refusal
from tactical.options import Options
from tactical.rules.profile import Approach, Flight, Profile
from tactical.units import exact, show

ASKED = ("high", "backward")
"""The kinds of jump that no way over a map takes by itself."""
MOST = 40
"""Most lengths of a kind that are tried."""

Asked = tuple[str, Approach, Flight]
"""The gait that is jumped from, the jump and what the rules make of it."""


def step_of(options: Options, cell: Fraction) -> Fraction:
    """The rise of an ordinary step from one cell of this length to the next."""
    height = options["step_height"]
    return cell * Fraction(options["slope_max"]) if height == "cell" else Fraction(height)


def asked_for(profile: Profile, wanted: Approach, step: Fraction, gait: str = "") -> Asked | Refusal:
    """The best jump of those who may jump so, from any gait that is open or from one; what `wanted` has as pool is not
    read.  A high jump has no length.  Refused where the mover has no jumps, or none of that kind or length.
    """
    jump = profile.jump
    if jump is None:
        return Refusal("rules.not_covered", {"why": "jumping without the stats it needs"})
    if wanted.kind == "standing":
        wanted = replace(wanted, run_up=Fraction(0))
    if jump.high is not None and wanted.rise > step * bool(wanted.length):
        # a width and a rise of more than a step is neither a long nor a high jump
        longest = Fraction(0) if wanted.length else jump.highest(wanted.run_up)
        if wanted.rise > longest:
            words = {"length": show(wanted.rise), "unit": profile.unit, "longest": show(longest)}
            return Refusal("move.jump_length", words)
    possible: list[Asked] = []
    refused: list[Refusal] = []
    for known in profile.gaits:
        if known.refused is None and gait in ("", known.name):
            approach = replace(wanted, pool=known.pool)
            found = jump.flight(approach)
            if isinstance(found, Refusal):
                refused.append(found)
            else:
                possible.append((known.name, approach, found))
    if possible:
        return max(possible, key=lambda one: one[2].chance)
    # what a run-up would mend comes first, then what is too long; a gait that has no such jump says least
    order = ("move.run_up", "move.jump_length")
    refused.sort(key=lambda one: ((*order, one.code).index(one.code), -exact(one.params.get("longest", 0))))
    return next(iter(refused), Refusal("rules.not_covered", {"why": "no gait to jump from"}))


def askable(profile: Profile) -> tuple[str, ...]:
    """The kinds of jump that a mover may ask for."""
    return () if profile.jump is None else tuple(kind for kind in ASKED if kind in profile.jump.kinds)


def tries(profile: Profile, kind: str, by: Fraction, step: Fraction) -> Iterator[Asked]:
    """The jumps of a kind, each longer by so much than the one before, up to the last that may succeed at all."""
    for n in range(1, MOST + 1):
        far = Fraction(0) if kind == "high" else by * n
        wanted = Approach("", far, rise=by * n if kind == "high" else Fraction(0), kind=kind)
        found = asked_for(profile, wanted, step)
        if isinstance(found, Refusal) or not found[2].chance:
            return
        yield found
