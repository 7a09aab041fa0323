"""Answers to a paused move: after an opportunity attack it goes on or stops, after a roll it goes as the dice fell."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from tactical.errors import Refusal, RulesetError
from tactical.movement.declare import declare_steps
from tactical.movement.route import Step
from tactical.play.chance import Draws, least, throw_code
from tactical.play.commands import GivenRoll, GoOn, Roll, StopHere
from tactical.play.endings import worn
from tactical.play.events import AttackAnswered, Event, FellShort, Hurt, Rolled, RollNeeded
from tactical.play.happening import Penalty
from tactical.play.moving import Done, finish, note, turn_for, walk
from tactical.play.position import Pending, Position
from tactical.play.resolve import drop_height
from tactical.play.secrets import come_out
from tactical.play.turn import Turn
from tactical.play.walking import Walk, advance, buys, rehearse
from tactical.rules.checks import Check
from tactical.rules.outcomes import Went
from tactical.units import Cell, show
from tactical.world.terrain import LEVEL_BANDS, Terrain


def _waiting(position: Position, mover: str, *what: str) -> Pending | Refusal:
    pending = position.pending
    if pending is None or pending.what not in what or mover not in ("", pending.mover):
        wanted = "an answer to an attack" if "attack" in what else "a roll"
        return Refusal("play.not_waiting", {"mover": mover or "anybody", "what": wanted})
    return pending


def _turn(position: Position, pending: Pending) -> Turn:
    """The turn of the move that waits; it was open when it began, and goes on."""
    turn = turn_for(position, pending.mover, pending.gait, pending.legs, under_way=True)
    assert isinstance(turn, Turn)
    return turn


# -- attacks ----------------------------------------------------------------------------------------------------------


def go_on(position: Position, command: GoOn) -> Done | Refusal:
    """The host has dealt with the attacks: the move goes on; who struck (or could have) from hiding is seen."""
    pending = _waiting(position, command.mover, "attack")
    if isinstance(pending, Refusal):
        return pending
    position, seen = come_out(_struck(position, pending), pending.mover, pending.enemies)
    answered = AttackAnswered(pending.mover, pending.enemies, True)
    return walk(position, _turn(position, pending), replace(pending, enemies=()), (*seen, answered))


def stop_here(position: Position, command: StopHere) -> Done | Refusal:
    """The mover was felled or held: its move ends where it is, whatever is there."""
    pending = _waiting(position, command.mover, "attack")
    if isinstance(pending, Refusal):
        return pending
    position, seen = come_out(_struck(position, pending), pending.mover, pending.enemies)
    answered = AttackAnswered(pending.mover, pending.enemies, False)
    return _end(position, pending, (*seen, answered), Went("ok", pending.paid, pending.modes))


def _struck(position: Position, pending: Pending) -> Position:
    status = position.status(pending.mover)
    turn = replace(status.turn, struck=status.turn.struck | set(pending.enemies))
    return position.with_status(pending.mover, replace(status, turn=turn))


def _end(position: Position, pending: Pending, events: tuple[Event, ...], went: Any) -> Done:
    """The move ends where the mover stands."""
    return finish(Walk(position.changed(pending=None), _turn(position, pending), pending, list(events)), went)


# -- rolls ------------------------------------------------------------------------------------------------------------


def roll(position: Position, command: Roll | GivenRoll) -> Done | Refusal:
    """The roll that a move waits for, thrown here or at the table; or any other roll, where dice are named."""
    pending = _waiting(position, command.mover, "roll", "whole", "effort")
    if isinstance(pending, Refusal):
        loose = isinstance(command, Roll) and command.dice and position.pending is None
        return _free(position, command) if loose and isinstance(command, Roll) else pending
    at = len(pending.rolls) if pending.what in ("whole", "effort") else 0
    check = pending.checks[at]
    if isinstance(command, GivenRoll) and command.number is not None:
        numbered = _numbered(check, command.number)
        if isinstance(numbered, Refusal):
            return numbered
        check = numbered
        pending = replace(pending, checks=(*pending.checks[:at], check, *pending.checks[at + 1 :]))
    made = _made(position, command, check)
    if isinstance(made, Refusal):
        return made
    position, rolled = made
    if pending.what == "effort":
        return worn(position, pending, rolled)
    if pending.what == "whole":
        return _whole(position, pending, rolled)
    return _on_the_way(position, pending, check, rolled)


def _free(position: Position, command: Roll) -> Done | Refusal:
    source = Draws(position.seed, position.drawn)
    try:
        thrown = throw_code(command.dice, source)
    except ValueError as error:
        return Refusal("play.no_dice", {"why": str(error)})
    rolled = Rolled(command.mover, command.note or command.dice, thrown.dice, thrown.total)
    return position.changed(drawn=source.drawn), (rolled,)


def _made(position: Position, command: Roll | GivenRoll, check: Check) -> tuple[Position, Rolled] | Refusal:
    """The roll as an event.  Where only its passing was given, the total is the number met or just missed."""
    assert position.pending is not None
    mover, number = position.pending.mover, check.number
    if number is None:
        return Refusal("rules.number_missing", {"what": check.skill, "level": check.level or "?"})
    if isinstance(command, GivenRoll):
        total = command.total
        by_margin = position.pending.what == "whole" and position.ruleset(mover).resolve is not None
        by_margin = by_margin or (position.pending.what == "effort" and len(check.effects) > 1)
        if total is None and not command.passed and by_margin:
            return Refusal("play.total_needed", {"skill": check.skill})
        if total is None:
            worse = 1 if check.under else -1
            total = number if command.passed else number + worse
        elif total < least(check.dice):
            return Refusal("play.no_dice", {"why": f"no {check.dice or 'pool'} can show {total}"})
        margin = check.margin(total)
        assert margin is not None
        return position, Rolled(mover, check.skill, (), total, margin, margin <= 0, True, command.total is None)
    code = command.dice or check.dice
    if not code:
        why = f"no dice are known for {check.skill}: name them, or give the total"
        return Refusal("play.no_dice", {"why": why})
    source = Draws(position.seed, position.drawn)
    try:
        thrown = throw_code(code, source, wild=check.wild)
    except ValueError as error:
        return Refusal("play.no_dice", {"why": str(error)})
    margin = check.margin(thrown.total)
    assert margin is not None
    rolled = Rolled(mover, check.skill, thrown.dice, thrown.total, margin, margin <= 0)
    return position.changed(drawn=source.drawn), rolled


def _numbered(check: Check, number: int) -> Check | Refusal:
    """The check with the game master's number, which lies in its level (REUP-A35)."""
    low, high = LEVEL_BANDS.get(check.level, (1, None))
    if check.level.startswith("H+"):
        low = check.hardness
    if check.number is not None:
        low = high = check.number
    if number < low or (high is not None and number > high):
        words = {"number": number, "what": check.skill, "level": check.level or "?"}
        return Refusal("rules.number_level", {**words, "low": low, "high": "any" if high is None else high})
    return replace(check, number=number)


def _given(grounds: Sequence[Terrain], checks: Sequence[Check]) -> tuple[Terrain, ...]:
    """The grounds with the numbers that the game master gave with the rolls, where they had none of their own."""
    numbers = {check.level: check.number for check in checks if check.level and check.number is not None}
    return tuple(
        ground
        if ground.number is not None
        else replace(
            ground,
            number=numbers.get(ground.difficulty),
            level_numbers=tuple({**numbers, **dict(ground.level_numbers)}.items()),
        )
        for ground in grounds
    )


def _whole(position: Position, pending: Pending, rolled: Rolled) -> Done | Refusal:
    """A roll for a whole move: the first failure decides, else all of them."""
    assert rolled.total is not None
    rolls = (*pending.rolls, rolled.total)
    if rolled.passed and len(rolls) < len(pending.checks):
        needed = RollNeeded(pending.mover, position.status(pending.mover).state.cell, pending.checks[len(rolls)])
        return position.changed(pending=replace(pending, rolls=rolls)), (rolled, needed)
    turn = _turn(position, pending)
    if turn.query.ruleset.resolve is not None:
        return _resolved(position, pending, turn, rolls, rolled)
    if rolled.passed:
        return walk(position, turn, replace(pending, rolls=rolls), (rolled,))
    lost = Went("gait_lost", modes=(turn.gait,))
    short = FellShort(pending.mover, lost.result, _declared(turn, pending), Fraction(0))
    return _end(position, pending, (rolled, short), lost)


def _declared(turn: Turn, pending: Pending) -> Fraction:
    rehearsed = rehearse(turn, pending.legs, buys(turn.query, pending.gait))
    return Fraction(0) if isinstance(rehearsed, Refusal) else rehearsed[0].spent - turn.spent


def _resolved(
    position: Position, pending: Pending, turn: Turn, rolls: tuple[int, ...], rolled: Rolled
) -> Done | Refusal:
    """What a rule system that rolls for whole moves makes of the totals: how far, in what posture, at what price."""
    query, resolve = turn.query, turn.query.ruleset.resolve
    if resolve is None:
        raise RulesetError(f"rule system {query.ruleset.name} rolls for whole moves but has no resolve")
    rehearsed = rehearse(turn, pending.legs, ())
    if isinstance(rehearsed, Refusal):
        return rehearsed
    declared = declare_steps(query, query.profile.gait(turn.gait), rehearsed[1])
    if isinstance(declared, Refusal):
        return declared
    # after the first failure no further roll is made; what those would have been does not matter
    filled = (*rolls, *(check.number or 0 for check in pending.checks[len(rolls) :]))
    # a ground without a number takes the one that came with the roll
    asked = pending.checks if any(check.number is None for check in declared.demand.checks) else ()
    grounds = _given(declared.grounds, asked) if asked else declared.grounds
    outcome = resolve(query.stats, query.turn, query.options, turn.gait, declared.length, grounds, filled)
    if isinstance(outcome, Refusal):
        return outcome
    events: list[Event] = [rolled]
    posture = outcome.posture if outcome.failed and outcome.posture else ""
    if outcome.failed:
        events.append(
            FellShort(pending.mover, outcome.result, declared.length, outcome.moved, posture, _penalty(outcome))
        )
        damage = outcome.damage
        if damage is not None and damage.dice:
            events.append(Hurt(pending.mover, str(damage), outcome.result.replace("_", " ")))
    position = note(position, pending.mover, turn.gait, outcome)
    after = replace(pending, rolls=rolls, limit=outcome.moved, posture=posture, noted=True)
    if outcome.moved is None:
        # the rules leave it to the game master, who places the mover
        return _end(position, after, tuple(events), outcome)
    return walk(position, _turn(position, after), after, events)


def _penalty(outcome: Any) -> Penalty | None:
    """What a failure takes besides distance, or None."""
    found = Penalty(
        int(getattr(outcome, "dice_now", None) or 0),
        int(getattr(outcome, "dice_next", None) or 0),
        bool(getattr(outcome, "no_actions_now", False)),
        bool(getattr(outcome, "no_actions_next", False)),
    )
    return None if found == Penalty() else found


def _on_the_way(position: Position, pending: Pending, check: Check, rolled: Rolled) -> Done:
    """A roll on the way: passed, it holds for the rest of the move; failed, the move ends by the kind of the roll."""
    assert rolled.total is not None
    turn = _turn(position, pending)
    onward = replace(pending, passed=(*pending.passed, check), checks=())
    found = advance(turn, pending.legs[0], buys(turn.query, pending.gait))
    assert not isinstance(found, Refusal)
    step = found[0].entries[-1].step
    assert step is not None
    if check.kind == "fall":
        return walk(position, turn, onward, (rolled, *_landed(turn, step, rolled.total, pending.mover)))
    if rolled.passed:
        return walk(position, turn, onward, (rolled,))
    went, paid = _failed(turn, step, check, rolled.total, pending)
    status = position.status(pending.mover)
    barred = status.barred
    if check.kind != "jump":
        barred |= _stretch(turn, pending, check)
    # an action that the step would have needed is spent on trying
    before = status.turn
    spent = replace(
        found[0].acts,
        spent=before.spent + paid,
        run_up=Fraction(0),
        doors=before.doors,
        diagonals=before.diagonals,
        struck=before.struck,
    )
    state = status.state._replace(run_up=0)
    position = position.with_status(pending.mover, replace(status, state=state, turn=spent, barred=barred))
    short = FellShort(pending.mover, went.result, step.cost, Fraction(0))
    onward = replace(pending, paid=pending.paid + paid)
    return _end(position, onward, (rolled, short), went)


def _landed(turn: Turn, step: Step, total: int, mover: str) -> tuple[Event, ...]:
    """A drop that was prepared for."""
    fall = turn.query.profile.fall
    if fall is None or fall.land is None:
        return ()
    landed = fall.land(drop_height(turn.query, step.start.cell, step.end.cell), total)
    return (Hurt(mover, show(landed.damage), "fall"),) if landed.damage else ()


def _failed(turn: Turn, step: Step, check: Check, total: int, pending: Pending) -> tuple[Went, Fraction]:
    """What a failed roll makes of the move, and what of the step's price is paid all the same."""
    ways = tuple(dict.fromkeys((*pending.modes, step.way)))
    query = turn.query
    if check.kind == "jump":
        return Went("fell_short", pending.paid + step.cost, ways, leap=_leap(turn, step, total)), step.cost
    if query.profile.holds is not None:
        made = query.profile.holds.outcome(total, Fraction(check.number or 0), step.distance, step.cost)
        return Went("no_progress", pending.paid + made.spent, ways, stretch=made), made.spent
    return Went("failed", pending.paid + step.cost, ways), step.cost


def _leap(turn: Turn, step: Step, total: int) -> Any:
    """How the rule system tells of a failed jump."""
    from tactical.movement.odds import declare_jump
    from tactical.play.resolve import attempt

    run_up = step.start.run_up * turn.query.battlemap.cell
    gait = turn.gait or turn.query.profile.turn_budget
    jump = declare_jump(turn.query, (step.start.cell,), step.end.cell, gait=gait, run_up=run_up)
    found = None if isinstance(jump, Refusal) else attempt(jump, (total,))
    return None if isinstance(found, Refusal) else found


def _stretch(turn: Turn, pending: Pending, check: Check) -> frozenset[Cell]:
    """The cells ahead that the failed roll closes for the turn: those of the same roll, one after the other."""
    cells: set[Cell] = set()
    actions = buys(turn.query, pending.gait)
    for leg in pending.legs:
        found = advance(turn, leg, actions)
        if isinstance(found, Refusal):
            break
        after, actions = found
        step = after.entries[-1].step if after is not turn else None
        if step is not None and step.check != check:
            break
        cells.add(leg.cell)
        turn = after
    return frozenset(cells - {pending.legs[0].cell} if pending.legs[0].way == "posture" else cells)
