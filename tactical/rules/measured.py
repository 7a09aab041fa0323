"""A rule system that counts in one unit of length, at a table that measures in another.

The system goes on counting in its own unit; what it is asked, and what it answers, is in the map's.  At the table a
5-foot square is 1.5 metres: what the rules print in feet is taken at that.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any

from tactical.errors import Refusal
from tactical.options import Options
from tactical.rules.profile import Approach, FallLimits, Flight, Gait, JumpLimits, Profile
from tactical.rules.turnstate import TurnState

ProfileOf = Callable[[Any, TurnState, Options, str], Profile]


def measured(profile: ProfileOf, describe: Callable[..., str] | None, scale: Fraction, unit: str) -> ProfileOf:
    """A system's ``profile`` in `unit`, of which one of its own units is `scale`; so is its summary, by `describe`."""

    def found(stats: Any, turn: TurnState, options: Options, posture: str) -> Profile:
        left = None if turn.left is None else turn.left / scale
        own = replace(turn, spent=turn.spent / scale, left=left, run_up=turn.run_up / scale)
        chosen = options.scaled(1 / scale)
        told = profile(stats, own, chosen, posture)
        return replace(
            told,
            unit=unit,
            gaits=tuple(_gait(gait, scale) for gait in told.gaits),
            changes=tuple(replace(change, cost=change.cost * scale) for change in told.changes),
            jump=None if told.jump is None else _jump(told.jump, scale, unit),
            fall=None if told.fall is None else _fall(told.fall, scale),
            uphill_min_rise=told.uphill_min_rise * scale,
            summary=told.summary if describe is None else describe(stats, chosen, scale, unit),
            attacked={
                name: tuple(replace(one, beyond=one.beyond * scale) for one in attacked)
                for name, attacked in told.attacked.items()
            },
            arm=None if told.arm is None else told.arm * scale,
        )

    return found


def _gait(gait: Gait, scale: Fraction) -> Gait:
    return replace(gait, budget=gait.budget * scale, minimum=gait.minimum * scale)


def _jump(jump: JumpLimits, scale: Fraction, unit: str) -> JumpLimits:
    """Jumps as long and high as they are, and as dear."""
    fly, most, high = jump.fly, jump.run_up_for, jump.high

    def flown(approach: Approach) -> Flight | Refusal:
        assert fly is not None
        lengths = {name: getattr(approach, name) / scale for name in ("length", "run_up", "rise")}
        flight = fly(replace(approach, **lengths))
        return flight if isinstance(flight, Refusal) else replace(flight, cost=flight.cost * scale)

    reach = None if high is None or high.reach is None else high.reach * scale
    return replace(
        jump,
        running=jump.running * scale,
        standing=jump.standing * scale,
        run_up=jump.run_up * scale,
        fly=None if fly is None else flown,
        run_up_for=None if most is None else lambda length: most(length / scale) * scale,
        high=None if high is None else replace(
            high, running=high.running * scale, standing=high.standing * scale, reach=reach
        ),
        unit=unit,
    )  # fmt: skip


def _fall(fall: FallLimits, scale: Fraction) -> FallLimits:
    check, land = fall.check, fall.land
    return replace(
        fall,
        harmless=fall.harmless * scale,
        damage=lambda height: fall.damage(height / scale),
        check=None if check is None else lambda height: check(height / scale),
        land=None if land is None else lambda height, total: land(height / scale, total),
    )
