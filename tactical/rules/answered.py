"""What a rule system gives back, looked at before anybody counts on it: its type, exact numbers, none below 0.

`WARDS` says so for each function of a `Ruleset`; the functions inside a `Profile` (its paces, jumps, falls …) come
under the same guard when the profile does, so that a price of -1 is told with its system, posture and ground.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from types import NoneType
from typing import Any

from tactical.errors import Refusal, meant
from tactical.guard import Guarded, Unfit, Ward, a, amount, amounts, any_of
from tactical.rules.checks import Check, Demand
from tactical.rules.efforts import Effort
from tactical.rules.outcomes import Ram, VehicleDamage, Worn
from tactical.rules.profile import (
    ACTIONS,
    ALONE,
    Factor,
    Fall,
    FallLimits,
    Flight,
    Gait,
    Held,
    Holds,
    JumpLimits,
    Leap,
    LedgePrice,
    Pace,
    PostureChange,
    Profile,
)
from tactical.rules.turnstate import TurnState
from tactical.world.terrain import HEADROOM


def _words(found: object, name: str) -> None:
    if not isinstance(found, str):
        raise Unfit(f"{name} is {found!r:.60}, not a text")


def _each(found: object, name: str, kind: type) -> tuple[Any, ...]:
    if not isinstance(found, tuple):
        raise Unfit(f"{name} is {found!r:.60}, not a tuple")
    for one in found:
        if not isinstance(one, kind):
            raise Unfit(f"{name} holds {one!r:.60}, which is not a {kind.__name__}")
    return found


_CHECK, _CHECK_OR_NONE, _LEAP = any_of(Check), any_of(Check, NoneType), any_of(Leap, Refusal)


# -- the profile ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Whole:
    """The judge of profiles; `postures` are those of their rule system."""

    postures: tuple[str, ...]

    def __call__(self, found: Any, by: Guarded) -> Profile:
        """The profile, if all its postures are the system's own.  Raises `Unfit`."""
        whole = _profile(found, by)
        for posture in whole.postures:
            _among(posture, "the posture of a profile", self.postures, "of its rule system's `postures`")
        return whole


def _among(name: str, about: str, known: Iterable[str], whose: str) -> None:
    known = tuple(known)
    if name not in known:
        hint = meant(name, known)
        raise Unfit(f"{about} is {name!r}, which is none {whose} ({', '.join(known)}){hint}")


def _profile(found: Any, by: Guarded) -> Profile:
    """The profile of a turn, its numbers exact and its functions under guard.  Raises `Unfit`."""
    a(found, Profile)
    _words(found.unit, "unit")
    gaits = tuple(_gait(gait) for gait in _each(found.gaits, "gaits", Gait))
    if not gaits:
        raise Unfit("it has no gaits")
    if not _each(found.postures, "postures", str):
        raise Unfit("it has no postures")
    amounts(found, "", "uphill_min_rise")
    changes = tuple(
        amounts(change, f"posture change {change.start!r} to {change.end!r}: ", "cost")
        for change in _each(found.changes, "changes", PostureChange)
    )
    for change in changes:
        for end in (change.start, change.end):
            about = f"an end of the posture change {change.start!r} to {change.end!r}"
            _among(end, about, found.postures, "of the profile's `postures`")
    for posture, word in found.low.items():
        _among(word, f"how low {posture} is", HEADROOM, "of the ceilings that a map knows")
    demand = found.demand
    if found.turn_budget and found.turn_budget not in [gait.name for gait in gaits]:
        raise Unfit(f"turn_budget is {found.turn_budget!r}, which is none of its gaits")
    whole: Profile = replace(
        found,
        gaits=gaits,
        changes=changes,
        pace=_inner(by, found.pace, "pace", _pace_of, _pace),
        demand=None if demand is None else _inner(by, demand, "demand", _demand_of, _demand),
        jump=_jump(found.jump, by),
        ledge=_ledge(found.ledge),
        fall=_fall(found.fall, by),
        holds=_holds(found.holds, by),
        stay=None if found.stay is None else _inner(by, found.stay, "stay", lambda ground: "stay", _CHECK_OR_NONE),
    )
    return whole


def _inner(by: Guarded, function: Any, name: str, what: Any, judge: Any) -> Any:
    if not callable(function):
        raise Unfit(f"{name} is {function!r:.60}, not a function")
    return by.inner(function, what, judge)


def _gait(gait: Gait) -> Gait:
    _words(gait.name, "the name of a gait")
    about = f"gait {gait.name!r}: "
    gait = amounts(gait, about, "budget", "minimum", "metres")
    if gait.budget is None or gait.minimum is None:
        raise Unfit(f"{about}budget and minimum are numbers, not None")
    a(gait.refused, Refusal, type(None))
    _action(gait.action, f"{about}action")
    if gait.rolled is not None:
        for part in _each(gait.rolled, f"{about}rolled", object):
            amount(part, f"{about}rolled")
    return gait


def _action(found: Any, about: str) -> None:
    _words(found, about)
    if found not in ALONE:
        for part in found.split("+"):
            _among(part, about if part == found else f"{about}: a part of {found!r}", ACTIONS, "of the prices known")


def _pace_of(pool: str, posture: str, ground: Any, uphill: bool) -> str:
    where = (repr(ground.name) if ground.name else "plain ground") + (" uphill" if uphill else "")
    return f"pace of {posture} on {where}{f' ({pool})' if pool else ''}"


def _pace(found: Any, by: Guarded) -> Pace | Refusal:
    if isinstance(found, Refusal):
        return found
    a(found, Pace, Refusal)
    amount(found.base, "base")
    for factor in _each(found.factors, "factors", Factor) + _each(found.final, "final", Factor):
        amount(factor.value, f"factor {factor.name!r}")
    a(found.check, Check, type(None))
    return amounts(found, "", "base")  # type: ignore[no-any-return]


def _demand_of(gait: str, grounds: Any) -> str:
    return f"demand of {gait!r} on {', '.join(repr(ground.name) for ground in grounds) or 'no ground'}"


def _demand(found: Any, by: Guarded) -> Demand:
    a(found, Demand)
    _each(found.checks, "checks", Check)
    if found.action:
        _action(found.action, "action")
    return found  # type: ignore[no-any-return]


def _jump(found: Any, by: Guarded) -> JumpLimits | None:
    if found is None:
        return None
    a(found, JumpLimits)
    found = amounts(found, "jump: ", "running", "standing", "run_up", "base")
    whole: JumpLimits = replace(
        found,
        fly=found.fly and by.inner(found.fly, "jump.fly", _flight),
        attempt=found.attempt and by.inner(found.attempt, "jump.attempt", _LEAP),
        run_up_for=found.run_up_for and by.inner(found.run_up_for, "jump.run_up_for", _number),
    )
    return whole


def _number(found: Any, by: Guarded) -> Fraction:
    return amount(found, "it")


def _flight(found: Any, by: Guarded) -> Flight | Refusal:
    if isinstance(found, Refusal):
        return found
    a(found, Flight, Refusal)
    if amount(found.chance, "chance") > 1:
        raise Unfit(f"chance is {found.chance}, more than 1")
    a(found.check, Check, type(None))
    amount(found.cost, "cost")
    return amounts(found, "", "cost", "chance")  # type: ignore[no-any-return]


def _ledge(found: Any) -> LedgePrice | None:
    if found is None:
        return None
    a(found, LedgePrice)
    for name in ("up", "down"):
        if not isinstance(getattr(found, name), Refusal):
            amount(getattr(found, name), f"ledge: {name}")
    for pool, price in found.by_pool.items():
        amount(price, f"ledge: by_pool[{pool!r}]")
    return found  # type: ignore[no-any-return]


def _fall(found: Any, by: Guarded) -> FallLimits | None:
    if found is None:
        return None
    a(found, FallLimits)
    whole: FallLimits = replace(
        amounts(found, "fall: ", "harmless", "accepted"),
        damage=_inner(by, found.damage, "fall.damage", "fall.damage", _number),
        check=found.check and by.inner(found.check, "fall.check", _CHECK_OR_NONE),
        land=found.land and by.inner(found.land, "fall.land", _landed),
    )
    return whole


def _landed(found: Any, by: Guarded) -> Fall:
    a(found, Fall)
    return amounts(found, "", "height", "damage")  # type: ignore[no-any-return]


def _holds(found: Any, by: Guarded) -> Holds | None:
    if found is None:
        return None
    a(found, Holds)
    check, outcome = by.inner(found.check, "holds.check", _CHECK), by.inner(found.outcome, "holds.outcome", _held)
    _words(found.word, "holds.word")
    return Holds(check, outcome, _each(found.modes, "holds.modes", str), found.word)


def _held(found: Any, by: Guarded) -> Held:
    a(found, Held)
    return amounts(found, "", "progress", "spent")  # type: ignore[no-any-return]


# -- the turn ---------------------------------------------------------------------------------------------------------


def _turn(found: Any, by: Guarded) -> TurnState:
    a(found, TurnState)
    if found.spent.numerator < 0:
        raise Unfit(f"spent is {found.spent}, less than 0")
    return found  # type: ignore[no-any-return]


def _next_turn(found: Any, by: Guarded) -> TurnState:
    turn = _turn(found, by)
    if turn.spent:
        raise Unfit(f"spent is {turn.spent}, and a turn begins with 0")
    return turn


def _ordered(found: Any, by: Guarded) -> TurnState | Refusal:
    return found if isinstance(found, Refusal) else _turn(found, by)


def _seconded(found: Any, by: Guarded) -> tuple[TurnState, Check] | Refusal:
    if isinstance(found, Refusal):
        return found
    if not isinstance(found, tuple) or len(found) != 2:
        raise Unfit(f"{found!r:.60} is not a pair of a turn and a check")
    return _turn(found[0], by), _CHECK(found[1], by)


def _acted(found: Any, by: Guarded) -> tuple[TurnState, int] | Refusal:
    if isinstance(found, Refusal):
        return found
    if not isinstance(found, tuple) or len(found) != 2:
        raise Unfit(f"{found!r:.60} is not a pair of a turn and dice")
    if type(found[1]) is not int or found[1] > 0:
        raise Unfit(f"the dice lost are {found[1]!r:.60}, not a whole number of 0 or less")
    return _turn(found[0], by), found[1]


def _worn(found: Any, by: Guarded) -> Worn:
    a(found, Worn)
    return replace(amounts(found, "", "rest"), turn=_turn(found.turn, by))  # type: ignore[no-any-return]


def _harmed(found: Any, by: Guarded) -> VehicleDamage | Refusal:
    a(found, VehicleDamage, Refusal)
    return found if isinstance(found, Refusal) else replace(found, turn=_turn(found.turn, by))


def _outcome(found: Any, by: Guarded) -> Any:
    if isinstance(found, Refusal):
        return found
    missing = [name for name in ("result", "moved", "posture", "failed") if not hasattr(found, name)]
    if missing:
        raise Unfit(f"{found!r:.60} is no outcome: it has no {', '.join(missing)}")
    if found.moved is not None:
        amount(found.moved, "moved")
    return found


def _odds(found: Any, by: Guarded) -> Any:
    if isinstance(found, Refusal):
        return found
    a(found, Iterable)
    pairs = tuple(found)
    whole = Fraction(0)
    for pair in pairs:
        if not isinstance(pair, tuple) or len(pair) != 2:
            raise Unfit(f"{pair!r:.60} is not a pair of an outcome and its chance")
        _outcome(pair[0], by)
        whole += amount(pair[1], "a chance")
    if whole != 1:
        raise Unfit(f"the chances add up to {whole}, not to 1")
    return pairs


def _efforts(found: Any, by: Guarded) -> Any:
    for effort in _each(found, "it", Effort):
        amounts(effort, f"effort {effort.name!r}: ", "speed", "interval", "free", "limit", "sleep")
    return tuple(
        replace(
            effort,
            trial=effort.trial and by.inner(effort.trial, f"efforts: trial of {effort.name!r}"),
            setback=effort.setback and by.inner(effort.setback, f"efforts: setback of {effort.name!r}"),
        )
        for effort in found
    )


WARDS = {
    "profile": Ward(_profile),
    "resolve": Ward(_outcome),
    "order": Ward(_ordered, what=lambda stats, turn, action, options: f"order of {action!r}"),
    "act": Ward(_acted),
    "due": Ward(lambda found, by: _each(found, "it", Check)),
    "tire": Ward(_worn),
    "harm": Ward(_harmed),
    "ramming": Ward(_ordered),
    "stunt": Ward(_ordered),
    "second": Ward(_seconded),
    "ram": Ward(any_of(Ram, Refusal)),
    "carry": Ward(any_of(Hashable)),
    "no_worse": Ward(any_of(bool)),
    "rest": Ward(_turn),
    "odds": Ward(_odds),
    "after": Ward(_turn),
    "next_turn": Ward(_next_turn),
    "efforts": Ward(_efforts),
    "sheet": Ward(any_of(Mapping)),
}
"""How each function of a rule system is guarded."""

OPTIONAL = tuple(name for name in WARDS if name != "profile")
