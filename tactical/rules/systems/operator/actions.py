"""An Operator's actions: Dash and Disengage, and what they make of a turn's feet (OPR-27 … OPR-33)."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from tactical.errors import Refusal
from tactical.options import Options
from tactical.rules.profile import Gait
from tactical.rules.systems.operator.clauses import SOURCES
from tactical.rules.systems.operator.stats import Stats
from tactical.rules.turnstate import TurnState

BONUS = frozenset({"bonus", "bonus_dash"})
SPENT = {"act": "OPR-29", "dash": "OPR-29", "bonus_dash": "OPR-28", "disengage": "OPR-33"}
"""Why an order is not open any more: the clause of the action that it takes."""
_GAITS = {  # Dashes taken as action and as bonus action: name and title of what the turn then is
    (0, 0): ("move", "Move"),
    (1, 0): ("dash", "Dash"),
    (0, 1): ("dash", "Dash"),
    (2, 0): ("surge_dash", "Two Dashes"),
    (1, 1): ("double_dash", "Both Dashes"),
    (2, 1): ("triple_dash", "All Dashes"),
}


def dash_total(actions: int, bonus: int, options: Options) -> Fraction:
    """How many speeds a turn has after so many Dashes, as action and as bonus action (OPR-27, OPR-28, A07, A08).

    35 ft and one Dash make 70 (OPR-30).
    """
    if actions and bonus:
        return Fraction(options["double_dash_total"]) + actions - 1 + bonus - 1
    return Fraction(1 + actions + bonus)


def actions_left(stats: Stats, turn: TurnState) -> tuple[int, int]:
    """Actions and bonus actions (for Dash) still to spend this turn (OPR-29, OPR-33, OPR-A09)."""
    bonus_taken = sum(1 for name in turn.dashes if name in BONUS)
    fresh = (2 if stats.action_surge else 1) - (len(turn.dashes) - bonus_taken) - (1 if turn.disengaged else 0)
    actions = max(0, fresh) if turn.actions is None else turn.actions
    bonus = max(0, 1 - bonus_taken) if turn.bonus_actions is None else turn.bonus_actions
    return actions, (bonus if stats.bonus_dash else 0)


def gaits_of(stats: Stats, turn: TurnState, options: Options, feet: Fraction) -> tuple[Gait, ...]:
    """What has been bought, then what Dashes still open would add; the bonus action goes first, it keeps the action."""
    bonus = sum(1 for name in turn.dashes if name in BONUS)
    taken = len(turn.dashes) - bonus
    actions, bonus_actions = actions_left(stats, turn)
    base = dash_total(taken, bonus, options)
    now = feet * base if turn.left is None else turn.left + turn.spent
    gaits = [_gait((taken, bonus), now, "free")]
    open_dashes = [(0, count) for count in range(1, bonus_actions + 1)]
    open_dashes += [(count, bonus_actions) for count in range(1, actions + 1)]
    for more, extra in open_dashes:
        dashes = (taken + more, bonus + extra)
        budget = now + feet * (dash_total(*dashes, options) - base)
        gaits.append(_gait(dashes, budget, "+".join(["action"] * more + ["bonus"] * extra)))
    if not open_dashes and not turn.dashes:
        shut = Refusal("move.action", {"what": "Dash", "clause": "OPR-29"})
        gaits.append(Gait("dash", now + feet, action="action", title="Dash", source=SOURCES["dash"], refused=shut))
    return tuple(gaits)


def _gait(dashes: tuple[int, int], budget: Fraction, action: str) -> Gait:
    name, title = _GAITS.get(dashes, (f"dash_{sum(dashes)}", f"{sum(dashes)} Dashes"))
    source = SOURCES["bonus_dash"] if dashes == (0, 1) else SOURCES.get(name, SOURCES["dash"])
    return Gait(name, budget, action=action, title=title, source=source)


def order(stats: Stats, turn: TurnState, name: str, options: Options) -> TurnState | Refusal:
    """Spend the action or the bonus action: ``act``, ``dash``, ``bonus_dash``, ``disengage`` (OPR-27 … OPR-33).

    Any of them interrupts a run-up (OPR-A13).
    """
    actions, bonus = actions_left(stats, turn)
    if name not in ("act", "dash", "bonus_dash", "disengage"):
        return Refusal("rules.not_covered", {"why": f"{name} in the Operator rules"})
    if (bonus if name == "bonus_dash" else actions) < 1:
        return Refusal("move.action", {"what": name.replace("_", " "), "clause": SPENT[name]})
    bought = (*turn.dashes, name) if name in ("dash", "bonus_dash") else turn.dashes
    return replace(
        turn,
        actions=actions - (name != "bonus_dash"),
        bonus_actions=bonus - (name == "bonus_dash"),
        dashes=bought,
        disengaged=turn.disengaged or name == "disengage",
        run_up=Fraction(0),
    )
