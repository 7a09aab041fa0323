"""What commands answer: one JSON object on stdout, words on stderr, and the exit codes."""

from __future__ import annotations

import errno
import json
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tactical.errors import Fault, Refusal, seen
from tactical.units import wire

if TYPE_CHECKING:
    from tactical.movement.bands import Band
    from tactical.movement.route import Route
    from tactical.rules.checks import Check
    from tactical.world.battlemap import Battlemap

SCHEMA = 1
NO = 1
WRONG = 2


class MissingPart(click.ClickException):
    """An optional part is not installed, or there is no display."""

    exit_code = 3


def print_json(kind: str, **content: object) -> None:
    """Print one answer: ``schema`` and ``kind`` first."""
    click.echo(json.dumps({"schema": SCHEMA, "kind": kind, **content}, indent=1, default=_plain, ensure_ascii=False))


def _plain(value: object) -> object:
    """Values that JSON has no word for: exact numbers, cells and sets inside a refusal's parameters."""
    from fractions import Fraction

    if isinstance(value, Fraction):
        return wire(value)
    if isinstance(value, (set, frozenset)):
        return sorted(value, key=str)
    return str(value)


def say(text: str) -> None:
    """Tell the person something; never part of the result."""
    click.echo(seen(text), err=True)


def print_error(code: str, text: str, status: int, as_json: bool, faults: Iterable[Fault] = ()) -> None:
    """An error in words on stderr, and with ``--json`` as an object on stdout."""
    # where neither can be written to, the exit code still tells
    if as_json:
        with suppress(OSError):
            print_json("error", code=code, text=seen(text), exit=status, faults=[wire_fault(fault) for fault in faults])
    with suppress(OSError):
        click.echo(f"{click.style('error', fg='red')}: {seen(text)}", err=True)


def write_file(target: str, data: bytes) -> None:
    """Write a file that was asked for.  Raises `OSError` naming it, or the folder that is missing."""
    folder = Path(target).parent
    if not folder.exists():
        raise OSError(errno.ENOENT, f"there is no folder {folder}", target)
    try:
        with open(target, "wb") as out:
            out.write(data)
    except OSError as error:
        # a full disk shows only while writing, and then names no file
        error.filename = error.filename or target
        raise


def refuse_inputs(target: str, inputs: Iterable[str | Path]) -> None:
    """Raises `click.UsageError` where writing `target` would destroy one of the files that were read for it."""
    for name in inputs:
        with suppress(OSError, ValueError):
            if Path(target).samefile(name):
                raise click.UsageError(f"{target} is read for this: write to another file")


def wire_fault(fault: Fault) -> dict[str, object]:
    """A fault as JSON carries it."""
    return asdict(fault)


def wire_check(check: Check) -> dict[str, object]:
    """A roll that a move needs, as JSON carries it."""
    words: dict[str, object] = {"skill": check.skill, "number": check.number, "level": check.level, "kind": check.kind}
    chance = check.chance()
    words |= {"dice": check.dice, "under": check.under, "chance": None if chance is None else wire(chance)}
    return {**words, "source": check.source, "note": check.note, "effects": dict(check.effects)}


def wire_refusal(refusal: Refusal, battlemap: Battlemap) -> dict[str, object]:
    """The answer "no": its code is the contract, its text is for people."""
    return {"code": refusal.code, "params": plain_params(refusal.params, battlemap), "text": refusal.text}


def plain_params(params: Mapping[str, object], battlemap: Battlemap) -> dict[str, object]:
    """A refusal's parameters with cells by name and numbers exact."""
    from tactical.units import Cell

    return {
        name: battlemap.name_of(value) if isinstance(value, Cell) and value in battlemap else value
        for name, value in params.items()
    }


def wire_band(band: Band) -> dict[str, object]:
    """A band as JSON carries it."""
    return {
        "name": band.name,
        "title": band.title,
        "budget": wire(band.budget),
        "minimum": wire(band.minimum),
        "turn": band.turn,
        "gait": band.gait,
        "action": band.action,
    }


def wire_route(route: Route, battlemap: Battlemap) -> dict[str, Any]:
    """A route as JSON carries it: every step with its price and clause, the ledger, and what it risks."""
    name = battlemap.name_of
    steps = [
        {
            "from": name(step.start.cell),
            "to": name(step.end.cell),
            "way": step.way,
            "cost": wire(step.cost),
            "clause": step.source.clause,
            "ruling": step.source.ruling,
            "posture": step.end.posture,
            "turn": step.turn,
            "spent": wire(step.spent),
            "distance": wire(step.distance),
            "ground": step.ground,
            "charges": [
                {
                    "name": charge.name,
                    "value": wire(charge.value),
                    "flat": charge.flat,
                    "clause": charge.source.clause,
                    "ruling": charge.source.ruling,
                }
                for charge in step.charges
            ],
            "provokes": list(step.provokes),
            "check": wire_check(step.check) if step.check else None,
            "damage": wire(step.damage),
        }
        for step in route.steps
    ]
    ledger = [
        {
            "text": line.text,
            "price": wire(line.price),
            **({} if line.full is None else {"full": wire(line.full)}),
            "sum": wire(line.sum),
            "turn": line.turn,
            "band": line.band,
            "clause": line.source.clause,
            "ruling": line.source.ruling,
        }
        for line in route.ledger()
    ]
    return {
        "cost": wire(route.cost),
        "band": route.band,
        "turn": route.turn,
        "spent": wire(route.spent),
        "remaining": wire(route.remaining),
        "posture": route.end.posture,
        "steps": steps,
        "provokes": [
            {"enemy": one.enemy, "cell": name(one.cell), "step": one.step, "clause": one.source.clause}
            for one in route.provokes
        ],
        "checks": [wire_check(check) for check in route.checks],
        "hazards": [{"hazard": hazard, "cell": name(cell)} for hazard, cell in route.hazards],
        "stops": [name(cell) for cell in route.stops],
        "ledger": ledger,
        "notes": list(route.notes),
        "rounds": [
            {
                "turn": one.turn,
                "gait": one.gait,
                "distance": wire(one.distance),
                "spent": wire(one.spent),
                "checks": [wire_check(check) for check in one.checks],
                "minimum": wire(one.minimum),
                "budget": wire(one.budget),
            }
            for one in route.rounds
        ],
    }
