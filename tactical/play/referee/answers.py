"""Answers to a paused move: after an opportunity attack it goes on or stops, after a roll it goes as the dice fell."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction
from itertools import accumulate
from typing import Any

from tactical.errors import Refusal, RulesetError
from tactical.movement.declare import declare_steps
from tactical.movement.route import Step
from tactical.play.chance import Draws, throw_code
from tactical.play.commands import GivenRoll, GoOn, Roll, StopHere
from tactical.play.events import AttackAnswered, Event, FellShort, Hurt, Rolled, RollNeeded
from tactical.play.happening import Penalty, Rammed, Recovered
from tactical.play.position import Pending, Position
from tactical.play.referee.endings import stayed, worn
from tactical.play.referee.moving import Done, finish, note, turn_for, walk
from tactical.play.referee.secrets import come_out
from tactical.play.referee.walking import Walk, advance, buys, foresee, rehearse
from tactical.play.resolve import drop_height, fell, leap_of, lost
from tactical.play.turn import Turn
from tactical.rules.checks import Check, grounds_with, no_number
from tactical.rules.outcomes import Went
from tactical.rules.stretches import Stretch, whole
from tactical.rules.turnstate import TurnState
from tactical.units import show
from tactical.world.terrain import Terrain


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
    # who is felled uses no skill at the end of the way
    return _end(position, replace(pending, then=""), (*seen, answered), Went("ok", pending.paid, pending.modes))


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
    pending = _waiting(position, command.mover, "roll", "whole", "effort", "recovery", "stay", "second")
    if isinstance(pending, Refusal):
        loose = command.kind == "roll" and command.number is None and position.pending is None
        return _free(position, command) if loose and isinstance(command, Roll) and command.dice else pending
    at = len(pending.rolls) if pending.what in ("whole", "effort") else 0
    check = pending.checks[at]
    if command.number is not None:
        numbered = check.with_number(command.number)
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
    if pending.what == "second":
        return position.changed(pending=None), (rolled,)
    if pending.what == "stay":
        return stayed(position, pending, rolled)
    if pending.what == "whole":
        return _whole(position, pending, rolled)
    if pending.what == "recovery":
        return _jumped(position, pending, rolled)
    return _on_the_way(position, pending, check, rolled)


def _free(position: Position, command: Roll) -> Done | Refusal:
    source = Draws(position.seed, position.drawn)
    try:
        thrown = throw_code(command.dice, source)
    except ValueError as error:
        return Refusal("play.no_dice", {"why": str(error)})
    if not thrown.dice:
        return Refusal("play.no_dice", {"why": f"{command.dice} throws no die"})
    rolled = Rolled(command.mover, command.note or command.dice, thrown.dice, thrown.total)
    return position.changed(drawn=source.drawn), (rolled,)


def _made(position: Position, command: Roll | GivenRoll, check: Check) -> tuple[Position, Rolled] | Refusal:
    """The roll as an event.  Where only its passing was given, the total is the number met or just missed."""
    assert position.pending is not None
    mover = position.pending.mover
    free = check.kind == "recovery"
    if check.number is None and not free:
        return no_number(check)
    if isinstance(command, GivenRoll):
        given = _given(position, command, check)
        if isinstance(given, Refusal):
            return given
        return position, _event(mover, check, given, (), given=True, told=command.total is None)
    code = command.dice or check.dice
    if not code:
        why = f"no dice are known for {check.skill}: name them, or give the total"
        return Refusal("play.no_dice", {"why": why})
    source = Draws(position.seed, position.drawn)
    try:
        thrown = throw_code(code, source, wild=check.wild)
    except ValueError as error:
        return Refusal("play.no_dice", {"why": str(error)})
    rolled = _event(mover, check, thrown.total, thrown.dice, complication=thrown.complication)
    return position.changed(drawn=source.drawn), rolled


def _event(mover: str, check: Check, total: int, dice: tuple[int, ...], **more: bool) -> Rolled:
    margin = check.margin(total)
    return Rolled(mover, check.skill, dice, total, margin, None if margin is None else margin <= 0, **more)


def _given(position: Position, command: GivenRoll, check: Check) -> int | Refusal:
    """The total of a roll thrown at the table, or why it will not do."""
    assert position.pending is not None
    what, total, number = position.pending.what, command.total, check.number
    if total is None:
        by_margin = what == "whole" and position.ruleset(position.pending.mover).resolve is not None
        by_margin = by_margin or (what == "effort" and len(check.effects) > 1)
        by_margin = check.softens if command.passed else by_margin
        if number is None or by_margin or position.pending.ram:
            far = f"well {check.skill} passes" if command.passed else f"far {check.skill} fell short"
            return Refusal("play.total_needed", {"skill": check.skill, "far": far})
        return number if command.passed else number + (1 if check.under else -1)
    if not check.can_show(total):
        return Refusal("play.no_dice", {"why": f"no {check.dice} can show {total}"})
    return total


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
    steps = foresee(turn, pending.legs, buys(turn.query, pending.gait))
    tests = whole(pending.checks, list(steps.values()))
    missed, made = tests[len(rolls) - 1], tests[: len(rolls) - 1]
    gone = lost(missed, turn.gait, [test.check.about or turn.gait for test in made])
    short = FellShort(pending.mover, gone.result, missed.declared, Fraction(0), _unit=turn.query.profile.unit)
    position = _paying(position, pending.mover, position.status(pending.mover).turn, gone.moved)
    return _end(position, replace(pending, paid=pending.paid + gone.moved), (rolled, short), gone)


def _paying(position: Position, mover: str, acts: TurnState, price: Fraction) -> Position:
    """The position after movement was used up in vain, with whatever actions it took to have that."""
    status = position.status(mover)
    now = status.turn
    spent = replace(
        acts,
        spent=now.spent + price,
        run_up=Fraction(0),
        doors=now.doors,
        diagonals=now.diagonals,
        struck=now.struck,
    )
    return position.with_status(mover, replace(status, state=status.state._replace(run_up=0), turn=spent))


def _resolved(
    position: Position, pending: Pending, turn: Turn, rolls: tuple[int, ...], rolled: Rolled
) -> Done | Refusal:
    """What a rule system that rolls for whole moves makes of the totals: how far, in what posture, at what price."""
    query, resolve = turn.query, turn.query.ruleset.resolve
    if resolve is None:
        raise RulesetError(f"rule system {query.ruleset.name} rolls for whole moves but has no resolve")
    # where actions buy movement the turn is of no gait; the move is
    gait = turn.gait or pending.gait
    rehearsed = rehearse(turn, pending.legs, buys(query, gait))
    if isinstance(rehearsed, Refusal):
        return rehearsed
    declared = declare_steps(query, query.profile.gait(gait), rehearsed[1])
    if isinstance(declared, Refusal):
        return declared
    # after the first failure no further roll is made; what those would have been does not matter
    filled = (*rolls, *(check.number or 0 for check in pending.checks[len(rolls) :]))
    # a ground without a number takes the one that came with the roll
    asked = pending.checks if any(check.number is None for check in declared.demand.checks) else ()
    grounds = grounds_with(declared.grounds, asked) if asked else declared.grounds
    outcome = resolve(query.stats, query.turn, query.options, gait, declared.length, grounds, filled)
    if isinstance(outcome, Refusal):
        return outcome
    events: list[Event] = [rolled]
    posture = outcome.posture if outcome.failed and outcome.posture else ""
    if outcome.failed:
        made = None if outcome.moved is None else _in_cells(rehearsed[1], outcome.moved)
        told = (outcome.result, declared.length, outcome.moved, posture, _penalty(outcome))
        events.append(FellShort(pending.mover, *told, _unit=query.profile.unit, _whole=made))
        damage = getattr(outcome, "damage", None)
        if damage is not None and getattr(damage, "dice", damage):
            events.append(Hurt(pending.mover, str(damage), outcome.result.replace("_", " ")))
    rammed = _rammed(turn, pending, grounds, rolls[-1])
    position = note(position, pending.mover, gait, outcome)
    after = replace(pending, rammed=rammed, rolls=rolls, limit=outcome.moved, posture=posture, noted=True)
    if outcome.moved is None:
        # the rules leave it to the game master, who places the mover
        return _end(position, after, tuple(events), outcome)
    return walk(position, _turn(position, after), after, events)


def _in_cells(steps: Iterable[Step], most: Fraction) -> Fraction:
    """So much of a way of `most` are whole steps of it."""
    return max(made for made in accumulate((step.cost for step in steps), initial=Fraction(0)) if made <= most)


def _rammed(turn: Turn, pending: Pending, grounds: tuple[Terrain, ...], total: int) -> Rammed | None:
    """How the ram that a move was to end in came out."""
    query, judge = turn.query, turn.query.ruleset.ram
    if not pending.ram or judge is None:
        return None
    found = judge(query.stats, query.turn, query.options, turn.gait, grounds, total)
    if isinstance(found, Refusal):
        return None
    return Rammed(
        pending.mover, pending.ram, found.number, found.ram_number, found.dice, found.outcome, found.margin
    )  # fmt: skip


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
    """A roll on the way: passed, it holds for its stretch; failed, the move ends by the kind of the roll."""
    assert rolled.total is not None
    assert pending.stretches is not None
    mover = pending.mover
    due = next(stretch for stretch in pending.stretches if stretch.steps[0] == 0)
    failed = replace(due, check=check)
    onward = replace(pending, stretches=tuple(one for one in pending.stretches if one is not due), checks=())
    turn = _turn(position, pending)
    steps = foresee(turn, pending.legs, buys(turn.query, pending.gait))
    if check.kind == "fall":
        return walk(position, turn, replace(onward, told=True), (rolled, *_landed(turn, steps[0], rolled.total, mover)))
    follows = check.after(not rolled.passed)
    if follows is not None:
        needed = RollNeeded(mover, position.status(mover).state.cell, follows)
        waits = replace(pending, what="recovery", checks=(follows,), rolls=(rolled.total,))
        return position.changed(pending=waits), (rolled, needed)
    if not rolled.passed:
        return _failed(position, pending, turn, steps[0], failed, (rolled.total,), rolled)
    if check.per == "round":
        status = position.status(mover)
        acts = replace(status.turn, passed=status.turn.passed | {check.kind})
        position = position.with_status(mover, replace(status, turn=acts))
        turn = _turn(position, pending)
    return walk(position, turn, onward, (rolled,))


def _jumped(position: Position, pending: Pending, rolled: Rolled) -> Done:
    """The roll that follows a jump: what the jump takes besides, and where it leads."""
    assert rolled.total is not None
    assert pending.stretches is not None
    mover, turn = pending.mover, _turn(position, pending)
    due = next(stretch for stretch in pending.stretches if stretch.steps[0] == 0)
    step = foresee(turn, pending.legs, buys(turn.query, pending.gait))[0]
    totals = (*pending.rolls, rolled.total)
    plain = replace(pending, what="roll", rolls=())
    if (due.check.margin(totals[0]) or 0) > 0:
        return _failed(position, plain, turn, step, due, totals, rolled)
    leap = leap_of(turn.query, turn.gait or turn.query.profile.turn_budget, step, totals)
    events: tuple[Event, ...] = (rolled,)
    if leap is not None and leap.recovery:
        position = note(position, mover, turn.gait, Went("ok", modes=(step.way,), leap=leap))
        events += (Recovered(mover, leap.recovery, leap.no_action, leap.stunned),)
    onward = replace(plain, stretches=tuple(one for one in pending.stretches if one is not due), checks=())
    return walk(position, _turn(position, onward), onward, events)


def _failed(
    position: Position,
    pending: Pending,
    turn: Turn,
    step: Step,
    failed: Stretch,
    totals: tuple[int, ...],
    rolled: Rolled,
) -> Done:
    """A roll on the way that failed: what hangs on it is not made, and paid for as the rules say."""
    mover, check = pending.mover, failed.check
    went = fell(turn.query, turn.gait or turn.query.profile.turn_budget, step, failed, totals)
    price = went.moved
    tried = _after(turn, pending, max(failed.steps))
    position = _paying(position, mover, tried.acts, price)
    status = position.status(mover)
    if not check.aloft:
        cells = {pending.legs[n].cell for n in failed.steps} - {status.state.cell}
        status = replace(status, barred=status.barred | cells)
    if pending.fallback is not None:
        # nobody stays where nobody may end
        status = replace(status, state=pending.fallback.state._replace(run_up=0))
    position = position.with_status(mover, status)
    stays = not check.aloft and turn.query.profile.holds is not None
    badly = went.stretch is not None and went.stretch.badly
    made, unit = Fraction(0) if stays else None, turn.query.profile.unit
    short = FellShort(mover, went.result, failed.declared, made, badly=badly, _unit=unit)
    if went.leap is not None and went.leap.recovery:
        leap = went.leap
        short = replace(short, recovery=leap.recovery, no_action=leap.no_action, stunned=leap.stunned)
    ways = tuple(dict.fromkeys((*pending.modes, *went.modes)))
    went = replace(went, moved=pending.paid + price, modes=ways)
    return _end(position, replace(pending, paid=pending.paid + price), (rolled, short), went)


def _after(turn: Turn, pending: Pending, last: int) -> Turn:
    """The turn after the legs up to one, as far as they can be made."""
    actions = buys(turn.query, pending.gait)
    for leg in pending.legs[: last + 1]:
        found = advance(turn, leg, actions)
        if isinstance(found, Refusal):
            break
        turn, actions = found
    return turn


def _landed(turn: Turn, step: Step, total: int, mover: str) -> tuple[Event, ...]:
    """A drop that was prepared for."""
    fall = turn.query.profile.fall
    if fall is None or fall.land is None:
        return ()
    landed = fall.land(drop_height(turn.query, step.start.cell, step.end.cell), total)
    return (Hurt(mover, show(landed.damage), "fall"),) if landed.damage else ()
