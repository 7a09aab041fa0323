"""Rolls in answers: checks with their totals, outcomes and chances, as JSON and in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import click

from tactical.cli.answers import wire_value
from tactical.errors import Refusal, counted
from tactical.units import wire

if TYPE_CHECKING:
    from tactical.movement.declare import Declared
    from tactical.movement.odds import Landings
    from tactical.play.resolve import Resolved
    from tactical.rules.checks import Check
    from tactical.rules.outcomes import Ram
    from tactical.world.battlemap import Battlemap


def plain(value: object) -> object:
    """Anything a rule system says as JSON carries it: numbers exact, values of its own by their fields or words."""
    if value is None or isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, Fraction):
        return wire(value)
    if isinstance(value, Mapping):
        return {str(key): plain(inner) for key, inner in value.items()}
    if isinstance(value, (list, tuple, set, frozenset)):
        return [plain(inner) for inner in value]
    if is_dataclass(value) and not isinstance(value, type) and type(value).__str__ is object.__str__:
        return {field.name: plain(getattr(value, field.name)) for field in fields(value)}
    return str(value)


def plain_fact(value: str) -> object:
    """A fact of the ground as a command line gives it: yes and no become what they mean."""
    return {"true": True, "yes": True, "false": False, "no": False}.get(value.lower(), value)


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


def check_totals(move: Declared, rolls: Sequence[int]) -> None:
    """Raises `click.UsageError` where more totals are given than a move needs, or one that its dice cannot show."""
    from tactical.play.chance import least

    needed = len(move.checks)
    if len(rolls) > needed:
        raise click.UsageError(f"--roll: {counted(len(rolls), 'roll')} given, {needed} needed")
    for check, total in zip(move.checks, rolls, strict=False):
        if total < least(check.dice):
            raise click.UsageError(f"--roll: no {check.dice or 'pool'} can show {total} ({check.skill})")


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
            {"skill": check.skill, "number": check.number, "total": total, "margin": check.margin(total)}
            for check, total in done.rolls
        ],
        "outcome": plain(done.outcome),
        "end": None if done.end is None else battlemap.name_of(done.end.cell),
        "posture": None if done.end is None else done.end.posture,
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


def wire_landings(landings: Landings, battlemap: Battlemap) -> dict[str, object]:
    """Where a move may end as JSON carries it: cells with chances, and what the game master decides."""
    return {
        "cells": {battlemap.name_of(cell): wire(part) for cell, part in landings.cells.items()},
        "open": wire(landings.open),
    }


def odds_of(move: Declared) -> dict[str, Any]:
    """The chance of a declared move and where it may end; or why the odds are not known."""
    from tactical.movement.odds import chance, landings

    battlemap = move.query.battlemap
    part, ends = chance(move), landings(move)
    if isinstance(part, Refusal):
        return {"refusal": wire_value(part, battlemap)}
    assert not isinstance(ends, Refusal)
    return {"chance": wire(part), "landings": wire_landings(ends, battlemap)}


def landing_words(move: Declared) -> list[str]:
    """The chance of a declared move in a few lines."""
    from tactical.movement.odds import chance, landings

    part, ends = chance(move), landings(move)
    if isinstance(part, Refusal):
        return [f"odds: {part.text}"]
    assert not isinstance(ends, Refusal)
    name = move.query.battlemap.name_of
    lines = [f"chance that nothing fails: {percent(part)}"]
    if len(ends.cells) > 1 or ends.open:
        spots = sorted(ends.cells.items(), key=lambda item: -item[1])
        words = [f"{name(cell)} {percent(one)}" for cell, one in spots]
        words += [f"for the game master to say {percent(ends.open)}"] if ends.open else []
        lines.append("ends at " + ", ".join(words))
    return lines


def resolved_words(done: Resolved) -> str:
    """What became of a move in a few lines."""
    name = done.move.query.battlemap.name_of
    outcome = done.outcome
    lines = [
        f"{check.skill}: {total}" + ("" if check.number is None else f" against {check.number}")
        for check, total in done.rolls
    ]
    result = str(outcome.result).replace("_", " ")
    where = "for the game master to say" if done.end is None else f"{name(done.end.cell)}, {done.end.posture}"
    lines.append(f"{result}: ends at {where}")
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
