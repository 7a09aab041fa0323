"""An Operator's turn as a value: what has been spent, what is left, and what each order makes of it (OPR-02 … OPR-33).

Every order is a function from a turn to the next turn, or to a `Refusal` that leaves the turn as it was.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

from tactical.errors import Refusal
from tactical.options import Options
from tactical.rules.profile import Pace
from tactical.rules.systems.operator import CROUCH, cost_factors, posture_changes
from tactical.rules.systems.operator.actions import dash_total
from tactical.rules.systems.operator.acts import RUN_UP, high_jump, long_jump
from tactical.units import show
from tactical.world.terrain import PLAIN, Terrain

OBJECTS = 1  # OPR-50: one free object interaction (a door, a switch) a turn


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn under way: `speed` in feet, what is `spent` of it, actions and bonus actions left, and the run-up so far.

    Unused movement is lost when the next `begin` makes a fresh turn (OPR-12).
    """

    speed: Fraction
    posture: str = "standing"
    strength: int | None = None
    actions: int = 1
    bonus_actions: int = 0
    spent: Fraction = Fraction(0)
    dashes: int = 0
    bonus_dashes: int = 0
    disengaged: bool = False
    objects: int = 0
    run_up: Fraction = Fraction(0)


def begin(
    speed: Fraction,
    posture: str = "standing",
    strength: int | None = None,
    *,
    bonus_dash: bool = False,
    action_surge: bool = False,
) -> Turn:
    """A fresh turn: one action, a second with Action Surge (OPR-A09), a bonus action for those who may Dash with it."""
    return Turn(speed, posture, strength, actions=2 if action_surge else 1, bonus_actions=1 if bonus_dash else 0)


def budget(turn: Turn, options: Options) -> Fraction:
    """Feet the turn has in all: the speed and what Dashes add; half when crouched under ``crouch_model: budget``."""
    crouched = turn.posture == "crouched" and options["crouch_model"] == "budget"
    speed = Fraction(turn.speed // 2) if crouched else turn.speed
    return speed * dash_total(turn.dashes, turn.bonus_dashes, options)


def remaining(turn: Turn, options: Options) -> Fraction:
    """Feet left of the turn; below 0 only after crouching under ``crouch_model: budget``."""
    return budget(turn, options) - turn.spent


def _pay(turn: Turn, cost: Fraction, options: Options, run_up: Fraction = Fraction(0)) -> Turn | Refusal:
    left = remaining(turn, options)
    if cost > left:
        numbers = {"short": show(cost - left), "cost": show(cost), "budget": show(left)}
        return Refusal("move.budget", {"unit": "ft", **numbers})
    return replace(turn, spent=turn.spent + cost, run_up=run_up)


def move(turn: Turn, feet: Fraction, options: Options, ground: Terrain = PLAIN) -> Turn | Refusal:
    """Move some feet over one kind of ground, in the present posture (OPR-13 … OPR-17)."""
    found = cost_factors(ground, turn.posture, options, None if options["crouch_model"] == "budget" else CROUCH)
    if isinstance(found, Refusal):
        return found
    mode, factors, final = found
    cost = feet * Pace(mode, factors=factors, final=final).joined(options["cost_stacking"])
    on_foot = mode == "walk" and turn.posture == "standing"  # OPR-A13
    return _pay(turn, cost, options, turn.run_up + feet if on_foot else Fraction(0))


def change(turn: Turn, posture: str, options: Options) -> Turn | Refusal:
    """Change posture at its flat price (OPR-18, OPR-19, OPR-24, OPR-26)."""
    for known in posture_changes(turn.speed, options):
        if (known.start, known.end) == (turn.posture, posture):
            paid = _pay(turn, known.cost, options) if known.cost else replace(turn, run_up=Fraction(0))
            return paid if isinstance(paid, Refusal) else replace(paid, posture=posture)
    return Refusal("move.posture_change", {"posture": turn.posture, "wanted": posture})


def jump(turn: Turn, kind: str, feet: Fraction, options: Options) -> Turn | Refusal:
    """A ``long`` or ``high`` jump of some feet: from standing, as far as Strength allows, at 1 ft a foot (OPR-42)."""
    if turn.posture != "standing":
        return Refusal("move.posture", {"posture": turn.posture})
    if turn.strength is None:
        return Refusal("rules.not_covered", {"why": "a jump without a Strength score"})
    limit = long_jump if kind == "long" else high_jump
    longest = limit(turn.strength, turn.run_up, options)
    if feet > longest:
        if feet <= limit(turn.strength, RUN_UP, options):
            return Refusal("move.run_up", {"need": show(RUN_UP), "unit": "ft", "has": show(turn.run_up)})
        return Refusal("move.jump_length", {"length": show(feet), "unit": "ft", "longest": show(longest)})
    return _pay(turn, feet, options)


def act(turn: Turn, what: str = "an action") -> Turn | Refusal:
    """Spend an action; it breaks the run-up (OPR-29, OPR-33)."""
    if turn.actions < 1:
        return Refusal("move.action", {"what": what})
    return replace(turn, actions=turn.actions - 1, run_up=Fraction(0))


def dash(turn: Turn) -> Turn | Refusal:
    """Spend the action on Dash: the speed a second time (OPR-27)."""
    spent = act(turn, "Dash")
    return spent if isinstance(spent, Refusal) else replace(spent, dashes=turn.dashes + 1)


def bonus_dash(turn: Turn) -> Turn | Refusal:
    """Dash as a bonus action, for those who have the feature; the action stays free (OPR-28, OPR-A08)."""
    if turn.bonus_actions < 1:
        return Refusal("move.action", {"what": "Dash as a bonus action"})
    left = turn.bonus_actions - 1
    return replace(turn, bonus_actions=left, bonus_dashes=turn.bonus_dashes + 1, run_up=Fraction(0))


def disengage(turn: Turn) -> Turn | Refusal:
    """Spend the action on Disengage: nothing provokes for the rest of the turn (OPR-31)."""
    spent = act(turn, "Disengage")
    return spent if isinstance(spent, Refusal) else replace(spent, disengaged=True)


def interact(turn: Turn) -> Turn | Refusal:
    """The free object interaction: opening a door, say; one a turn (OPR-50)."""
    if turn.objects >= OBJECTS:
        return Refusal("move.door_limit", {"limit": OBJECTS})
    return replace(turn, objects=turn.objects + 1)
