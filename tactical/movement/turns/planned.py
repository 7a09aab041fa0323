"""The turns of a plan as the rules carry them: gait, price and rolls of each, in the state that the last one left.

A rule system is asked anew for every turn: what the turn before left (`Ruleset.after`), what the next one makes of it
(`Ruleset.next_turn`), and what may be done then (`Ruleset.profile`).
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from tactical.movement.declare import grounds_of, stretches_of
from tactical.movement.query import Query
from tactical.movement.route import PlannedTurn, Provocation, Step
from tactical.movement.situation import fresh_turn
from tactical.movement.turns.bands import Arrival
from tactical.rules.checks import Check, Demand
from tactical.rules.outcomes import Went
from tactical.rules.profile import Gait, Profile
from tactical.rules.turnstate import TurnState
from tactical.units import total
from tactical.world.site import Site


def standing(query: Query) -> str:
    """What a turn without a move is called: the slowest speed, where the last round's speed matters; else nothing."""
    return query.ruleset.speeds[0] if query.ruleset.speeds else ""


def left_by(query: Query, turn: TurnState, gait: str, spent: Fraction, modes: Iterable[str]) -> TurnState:
    """The turn with a move in it in which nothing failed, as a session would note it; of no gait: with none in it."""
    after = query.ruleset.after
    if not gait:
        return turn
    turn = replace(turn, spent=turn.spent + spent)
    if after is None:
        return turn
    # a system with outcomes of its own takes none for "nothing was rolled, all went well"
    went = None if query.ruleset.resolve is not None else Went("ok", spent, tuple(dict.fromkeys(modes)))
    return after(query.stats, turn, query.options, gait, went)


def remembers(query: Query) -> bool:
    """Whether what a turn was like matters to the turns after it."""
    return query.ruleset.after is not None or query.ruleset.next_turn is not None


def next_of(query: Query, gait: str, spent: Fraction, modes: Sequence[str]) -> TurnState:
    """The state in which the turn after a move begins that took these modes and in which nothing failed."""
    return fresh_turn(query.ruleset, left_by(query, query.turn, gait, spent, modes), query.options)


def key_of(query: Query, turn: TurnState) -> Hashable:
    """What the next turn depends on, as the rule system says, so that it can be looked up."""
    carry = query.ruleset.carry
    return (turn.previous, turn.left, _frozen(turn.memory)) if carry is None else carry(turn)


def _frozen(value: Any) -> Hashable:
    if isinstance(value, Mapping):
        return frozenset((key, _frozen(part)) for key, part in value.items())
    if isinstance(value, (list, tuple)):
        return tuple(map(_frozen, value))
    if isinstance(value, (set, frozenset)):
        return frozenset(map(_frozen, value))
    if hasattr(value, "__dataclass_fields__"):
        return type(value), tuple(_frozen(getattr(value, name)) for name in value.__dataclass_fields__)
    return value if isinstance(value, Hashable) else repr(value)


def planned(
    query: Query,
    site: Site,
    steps: Sequence[Step],
    provoked: Sequence[Provocation],
    gait: Gait | None,
    gaits: Sequence[str] = (),
) -> tuple[PlannedTurn, ...]:
    """The turns of a way that ends in `gait`; `gaits` names that of each turn (nothing: it stands still) where known.

    Where it is not known a turn has the gentlest gait of the same pool that is enough.
    """
    state, at, begun, out = query.turn, query.start, 0, list[PlannedTurn]()
    last = len(gaits) or (steps[-1].turn if steps else 1)
    for number in range(1, last + 1):
        leg = tuple(step for step in steps if step.turn == number) if last > 1 else tuple(steps)
        profile = query.profile
        if number > 1:
            profile = query.ruleset.profile(query.stats, state, query.options, at.posture)
        if gaits:
            chosen = profile.gait(gaits[number - 1]) if gaits[number - 1] else None
        else:
            named = last == 1 and leg and not bought(query)
            chosen = gait if named else gentlest(query, profile, gait, leg[-1].spent if leg else None)
        spent = total(step.cost for step in leg)
        after = left_by(query, state, chosen.name if chosen else "", spent, (step.way for step in leg))
        out.append(
            PlannedTurn(
                number,
                chosen.name if chosen else standing(query),
                leg,
                leg[-1].end if leg else at,
                spent,
                total(step.distance for step in leg),
                chosen.minimum if chosen else Fraction(0),
                chosen.budget if chosen else Fraction(0),
                checks_of(profile, site, chosen, leg, state),
                tuple(replace(one, step=one.step - begun) for one in provoked if begun <= one.step < begun + len(leg)),
                state,
                after,
            )
        )
        if number == last:
            break
        begun, at = begun + len(leg), out[-1].end
        state = fresh_turn(query.ruleset, after, query.options)
    return tuple(out)


def gentlest(query: Query, profile: Profile, gait: Gait | None, spent: Fraction | None) -> Gait | None:
    """The first gait of a pool that a turn's move suits, which uses so much; None where nobody moves."""
    if spent is None or gait is None:
        return None
    gaits = query.open_gaits
    if profile is not query.profile:
        gaits = tuple(known for known in profile.gaits if known.refused is None)
    alike = (known for known in gaits if known.pool == gait.pool)
    return next((known for known in alike if known.minimum <= spent <= known.budget), gait)


def bought(query: Query) -> bool:
    """Whether actions buy movement, which are spent only where a way needs them, whatever gait was named."""
    return query.ruleset.order is not None


def left_of(query: Query, arrival: Arrival) -> Fraction:
    """What the turn that a way ends in has left: of its own gait, or of the gentlest where no plan named one."""
    budget = arrival.band.budget
    if arrival.plan is None and (arrival.turn > 1 or bought(query)):
        profile = query.fresh_profile if arrival.turn > 1 else query.profile
        named = next((gait for gait in profile.gaits if gait.name == arrival.band.gait), None)
        gait = gentlest(query, profile, named, arrival.spent)
        budget = budget if gait is None else gait.budget
    return budget - arrival.spent


def allowed(query: Query, turns: Iterable[PlannedTurn]) -> bool:
    """Whether the rules let every turn of a plan be made: its gait open, the move within the gait's least and most, and
    nobody standing who is too fast to."""
    for turn in turns:
        profile = query.profile
        if turn.number > 1:
            posture = turn.steps[0].start.posture if turn.steps else turn.end.posture
            profile = query.ruleset.profile(query.stats, turn.before, query.options, posture)
        if not turn.steps:
            if not profile.facts.get("may_stop", True):
                return False
            continue
        spent = turn.steps[-1].spent
        gaits = (gait for gait in profile.gaits if gait.name == turn.gait and gait.refused is None)
        if not any(gait.minimum <= spent <= gait.budget for gait in gaits):
            return False
    return True


def checks_of(
    profile: Profile, site: Site, gait: Gait | None, steps: Sequence[Step], turn: TurnState
) -> tuple[Check, ...]:
    """The rolls of one turn: those of the whole move, then those of its steps."""
    if gait is None:
        return ()
    demand = Demand() if profile.demand is None else profile.demand(gait.name, grounds_of(site, steps))
    return tuple(stretch.check for stretch in stretches_of(profile, turn, steps, demand))
