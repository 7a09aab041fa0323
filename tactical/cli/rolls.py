"""Rolls in answers: checks with their totals, outcomes and chances, as JSON and in words."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import click

from tactical.cli.answers import wire_value
from tactical.cli.inputs import pairs
from tactical.errors import Refusal, counted
from tactical.units import plain, spoken, spoken_rest, wire

if TYPE_CHECKING:
    from random import Random

    from tactical.movement.declare import Declared
    from tactical.movement.reach import Reach
    from tactical.movement.route import Route
    from tactical.options import Options
    from tactical.play.resolve import Made, Resolved
    from tactical.rules.checks import Check
    from tactical.rules.outcomes import Ram
    from tactical.rules.stretches import Terms
    from tactical.world.battlemap import Battlemap
    from tactical.world.terrain import Terrain


def plain_fact(value: str) -> object:
    """A fact of the ground as a command line gives it: yes and no become what they mean."""
    return {"true": True, "yes": True, "false": False, "no": False}.get(value.lower(), value)


def ground_of(options: Options, facts: tuple[str, ...]) -> Terrain:
    """The ground that was said.  Raises `click.UsageError`, also for a number outside its level."""
    from tactical.rules.checks import Check
    from tactical.world.terrain import Terrain

    try:
        ground = Terrain().with_facts({name: plain_fact(value) for name, value in pairs(facts, "--fact").items()})
        if ground.number is not None:
            level = ground.difficulty or str(options.get(options.deciding("level"), ""))
            fits = Check("the ground", None, level).with_number(ground.number)
            if isinstance(fits, Refusal):
                raise ValueError(fits.text)
    except ValueError as error:
        raise click.UsageError(f"--fact: {error}") from error
    return ground


def percent(chance: Fraction) -> str:
    """A chance as people read it: ``83.8 %``, exact where it is whole."""
    if chance.denominator == 1:
        return f"{int(chance * 100)} %"
    text = f"{float(chance * 100):.1f}".rstrip("0").rstrip(".")
    # rounding must not make sure what is not, nor impossible what is possible
    return {"100": "99.9", "0": "0.1"}.get(text, text) + " %"


def check_words(check: Check) -> str:
    """A roll in one line: ``roll running 4D, Difficult 17: …``."""
    dice = f" {check.dice}" if check.dice else ""
    against = "" if check.number is None else f" {'at most' if check.under else 'at least'} {check.number}"
    level = f" ({check.level})" if check.level else ""
    chance = check.chance()
    odds = "" if chance is None else f", {percent(chance)}"
    return f"roll {check.skill}{dice}{against}{level}{odds}{': ' + check.note if check.note else ''}"


def terms_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """The game master's numbers for the rolls of a move."""
    number = "A number, one for each roll that has none, in order."
    dc = "The DC of each stretch climbed, swum or crawled, in order; none: no check there."
    command = click.option("--number", "numbers", multiple=True, type=int, metavar="N", help=number)(command)
    command = click.option("--dc", "dcs", multiple=True, metavar="N|none", help=dc)(command)
    stunt = "A stunt on the move: so much harder."
    return click.option("--stunt", type=click.IntRange(min=0), metavar="N", help=stunt)(command)


@dataclass(frozen=True)
class Second:
    """A second skill at the end of a move: its stat, and the roll."""

    stat: str
    check: Check


def with_second(found: Reach, then: str | None) -> tuple[Reach, Second | None] | Refusal:
    """The reach of a mover that uses a second skill at the end of its move.  Raises `click.UsageError`."""
    from tactical.rules.ruleset import second_of
    from tactical.rules.ruleset import with_second as next_skill

    if then is None:
        return found, None
    query = found.query
    try:
        stat, number = second_of(then)
    except ValueError as error:
        raise click.UsageError(f"--{error}") from error
    if not hasattr(query.stats, stat):
        raise click.UsageError(f"--then: {stat!r} is no stat of the mover")
    made = next_skill(query.ruleset, query.stats, query.turn, query.options, found.gait, stat, number)
    if isinstance(made, Refusal):
        return made
    turn, check = made
    return found.again(query.changed(turn=turn)), Second(stat, check)


def why_no_second(move: Declared, second: Second) -> Refusal | None:
    """Why a second skill does not follow this move, or None."""
    query = move.query
    assert query.ruleset.second is not None
    made = query.ruleset.second(
        query.stats, query.turn, query.options, move.gait.name, second.stat, second.check.number or 0
    )
    return made if isinstance(made, Refusal) else None


def second_made(second: Second, done: Resolved, totals: Sequence[int], source: Random | None) -> Made | Refusal:
    """The second skill's roll as the move has left its user: the total, or thrown; or why nothing is done any more.

    Raises `click.UsageError` for a total that will not do.
    """
    from tactical.play.resolve import Given

    query, gait = done.move.query, done.move.gait.name
    assert query.ruleset.second is not None
    left = query.ruleset.second(query.stats, done.after, query.options, gait, second.stat, second.check.number or 0)
    if isinstance(left, Refusal):
        return left
    second = Second(second.stat, left[1])
    given = Given(totals, source)
    with wrong_use():
        given.next(second.check)
    made = given.made[-1]
    if not second.check.can_show(made.total):
        raise click.UsageError(f"--roll: no {second.check.dice} can show {made.total} ({second.check.skill})")
    return made


def wire_second(made: Made | Refusal, battlemap: Battlemap) -> dict[str, object]:
    """A second skill's roll as JSON carries it, or why there is none."""
    if isinstance(made, Refusal):
        return {"refusal": wire_value(made, battlemap)}
    margin = made.check.margin(made.total) or 0
    return {
        "skill": made.check.skill,
        "dice": made.check.dice,
        "number": made.check.number,
        "total": made.total,
        "margin": margin,
        "passed": margin <= 0,
    }


def terms_of(found: Reach, numbers: tuple[int, ...], dcs: tuple[str, ...]) -> Terms:
    """What was said of a move's rolls.  Raises `click.UsageError`."""
    from tactical.rules.stretches import Terms

    if dcs and found.profile.holds is None:
        raise click.UsageError(f"--dc: {found.ruleset} has no checks on stretches; --number N is for its rolls")
    read: list[int | None] = []
    for text in dcs:
        if text.strip().lower() != "none" and not text.strip().lstrip("-").isdigit():
            raise click.UsageError(f"--dc: {text!r} is neither a number nor none")
        read.append(None if text.strip().lower() == "none" else int(text))
    return Terms(tuple(read) if dcs else None, numbers)


@contextmanager
def wrong_use() -> Iterator[None]:
    """Turns too few or too many numbers and totals into `click.UsageError`."""
    from tactical.play.resolve import NoTotal
    from tactical.rules.stretches import WrongCount

    try:
        yield
    except WrongCount as error:
        raise click.UsageError(f"--dc, --number: {error}") from error
    except NoTotal as error:
        raise click.UsageError(f"--roll: {error}") from error


def declared(found: Reach, route: Route, terms: Terms) -> Declared | Refusal:
    """The first turn of a route as a declared move.  Raises `click.UsageError` for numbers that do not fit."""
    from tactical.movement.declare import declare_route

    with wrong_use():
        return in_level(declare_route(found.query, route, terms))


def in_level(move: Declared | Refusal) -> Declared | Refusal:
    """Raises `click.UsageError` for a number outside its level."""
    if isinstance(move, Refusal) and move.code == "rules.number_level":
        raise click.UsageError(f"--number: {move.text}")
    return move


def resolved(move: Declared, rolls: Sequence[int]) -> Resolved | Refusal:
    """What becomes of a move with these totals.  Raises `click.UsageError` for too few or many, or impossible ones."""
    from tactical.play.resolve import Given, resolve

    lacking = [check for check in move.checks if check.kind != "fall"][len(rolls) :]
    if lacking:
        missing = "; ".join(check_words(check) for check in lacking)
        needed = counted(len(rolls) + len(lacking), "roll")
        raise click.UsageError(f"this move needs {needed}, {len(rolls)} given (--roll N): {missing}")
    given = Given(rolls)
    with wrong_use():
        done = resolve(move, given)
    made = [] if isinstance(done, Refusal) else done.rolls
    for one in made:
        if not one.check.can_show(one.total):
            raise click.UsageError(f"--roll: no {one.check.dice} can show {one.total} ({one.check.skill})")
    stopped = not isinstance(done, Refusal) and done.outcome.failed
    if not isinstance(done, Refusal) and len(rolls) > max(len(move.checks) if stopped else 0, len(made)):
        raise click.UsageError(f"--roll: {counted(len(rolls), 'roll')} given, {len(made)} needed")
    return done


def wire_declared(move: Declared) -> dict[str, object]:
    """A declared move as JSON carries it."""
    name = move.query.battlemap.name_of
    cells = [name(move.start.cell), *(name(step.end.cell) for step in move.steps if step.moves)]
    return {
        "gait": move.gait.name,
        "path": cells,
        "length": wire(move.length),
        "unit": move.query.profile.unit,
        "action": move.demand.action,
        "checks": [wire_value(check, move.query.battlemap) for check in move.checks],
    }


def wire_resolved(done: Resolved) -> dict[str, object]:
    """What became of a move as JSON carries it."""
    battlemap = done.move.query.battlemap
    return {
        "rolls": [
            {
                "skill": made.check.skill,
                "number": made.check.number,
                "total": made.total,
                "margin": made.check.margin(made.total),
                **({"complication": True} if made.complication else {}),
            }
            for made in done.rolls
        ],
        "outcome": plain(done.outcome),
        "end": None if done.end is None else battlemap.name_of(done.end.cell),
        "posture": None if done.end is None else done.end.posture,
        "spent": wire(done.after.spent),
        "remaining": wire(done.remaining),
        "next": {
            "turn": done.then.turn,
            "previous": done.then.previous,
            "memory": plain(done.then.memory),
            "gaits": list(done.open_gaits),
        },
    }


def wire_ram(ram: Ram) -> dict[str, object]:
    """How a ram ended, as JSON."""
    names = ("target", "number", "ram_number", "dice", "outcome", "margin")
    return {name: plain(getattr(ram, name)) for name in names}


def ram_words(ram: Ram) -> str:
    """How a ram ended, in a line."""
    how = {"ram": "rammed", "safe": "missed, the ground is crossed"}.get(ram.outcome, f"missed, {ram.margin} short")
    return f"{ram.target}: {how} ({ram.ram_number} to ram, {ram.number} for the ground)"


def odds_words(found: Reach, move: Declared, route: Route, given: bool = False) -> list[str]:
    """The chance of a way in a few lines, and of a likelier one unless numbers were `given` for the rolls of this."""
    from tactical.movement.rolls.odds import landings, plan_chance

    part, ends = plan_chance(move, route), landings(move)
    if isinstance(part, Refusal):
        return [f"odds: {part.text}"]
    assert not isinstance(ends, Refusal)
    name = found.battlemap.name_of
    lines = [f"chance that nothing stops it: {percent(part)}"]
    if len(ends.cells) > 1 or ends.open:
        spots = sorted(ends.cells.items(), key=lambda item: -item[1])
        words = [f"{name(cell)} {percent(one)}" for cell, one in spots]
        words += [f"for the game master to say {percent(ends.open)}"] if ends.open else []
        lines.append(("this turn ends at " if route.turn > 1 else "ends at ") + ", ".join(words))
    best = found.chances.get(route.end.cell) if route.turn == 1 and not given else None
    if best is not None and best.chance > ends.cells.get(move.end.cell, Fraction(0)):
        titles = {gait.name: gait.title for gait in found.profile.gaits if gait.title}
        lines.append(
            f"another way gets there with {percent(best.chance)}: {titles.get(best.gait, best.gait)}, "
            f"{counted(spoken(best.cost), found.unit)}"
        )
    return lines


def _spent_words(done: Resolved) -> str:
    """What the move has used up of its turn, and what that has left."""
    unit, spent = done.move.query.profile.unit, done.after.spent - done.move.query.turn.spent
    before = f" after {spoken(done.move.query.turn.spent)} before it" if done.move.query.turn.spent else ""
    left = f"{spoken_rest(done.remaining, done.after.spent)} left" if done.remaining else "nothing left"
    return f"spent: {counted(spoken(spent), unit)}{before}, {left}"


def resolved_words(done: Resolved) -> str:
    """What became of a move in a few lines."""
    name = done.move.query.battlemap.name_of
    outcome = done.outcome
    lines = [
        f"{check.skill}: {total}"
        + ("" if check.number is None else f" against {check.number}")
        + (", with a complication" if complication else "")
        for check, total, complication in done.rolls
    ]
    held = getattr(outcome, "stretch", None)
    result = str(outcome.result).replace("_", " ") + (", badly" if held is not None and held.badly else "")
    where = "the game master says where it ends"
    if done.end is not None:
        where = f"ends at {name(done.end.cell)}, {done.end.posture}"
    lines.append(f"{result}: {where}")
    if getattr(outcome, "moved", None) is not None:
        lines.append(_spent_words(done))
    for word in ("dice_now", "dice_next"):
        if getattr(outcome, word, 0):
            lines.append(f"{getattr(outcome, word)}D {'this' if word == 'dice_now' else 'next'} round")
    for word in ("no_actions_now", "no_actions_next"):
        if getattr(outcome, word, False):
            lines.append(f"no actions {'this' if word == 'no_actions_now' else 'next'} round")
    damage = getattr(outcome, "damage", None)
    if damage is not None and str(damage) not in ("0", "0D"):
        lines.append(f"damage {damage}")
    leap = getattr(outcome, "leap", None)
    if leap is not None and leap.recovery:
        recovery = counted(leap.recovery, "turn")
        lines.append(f"recovery {recovery}: {leap.no_action} without actions, then {leap.stunned} stunned")
    gaits = done.move.query.profile.gaits
    titles = {gait.name: gait.title for gait in gaits if gait.title}
    lines.append(f"then: {', '.join(titles.get(name, name) for name in done.open_gaits) or 'nothing'}")
    return "\n".join(lines)
