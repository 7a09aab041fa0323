"""`tactical reach`: every cell a mover can get to, in bands, at the cheapest price."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from tactical.cli.answers import print_json, say, wire_band, wire_check
from tactical.cli.inputs import mover_options, read_options, situation
from tactical.cli.pictures import drawer_for, text_of, write_picture
from tactical.units import show, wire

if TYPE_CHECKING:
    from tactical.movement.reach import Reach
    from tactical.units import Cell


@click.command()
@read_options
@mover_options
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.option("--png", "picture", metavar="OUT", help="Also draw it into OUT (.png or .svg).")
def reach(
    source: str, from_format: str | None, imports: tuple[str, ...], as_json: bool, picture: str | None, **given: Any
) -> None:
    """Show where a mover can get to.

    Prints a text map with bands, or every cell as JSON.  On a map without movers --at CELL alone makes a nameless
    one, under --rules NAME (plain if nothing is said).
    """
    if picture:
        drawer_for(picture)
    moment = situation(source, from_format, imports, **given)
    found = moment.reach()
    if picture:
        write_picture(picture, moment.battlemap, found)
        say(f"wrote {picture}")
    if as_json:
        print_json("reach", **answer(source, found))
    elif not picture:
        click.echo(text_of(moment.battlemap, found))
        click.echo(headline(found))


def headline(found: Reach) -> str:
    """Who reaches how far, in one line a band."""
    name = found.battlemap.name_of
    how = found.profile.summary or found.ruleset
    lines = [f"{found.mover.label} at {name(found.start.cell)}, {found.start.posture}; {how}"]
    for band in found.bands:
        count = len(found.cells(band))
        cells = f"{count} cell{'s' if count != 1 else ''}"
        least = f"from {show(band.minimum)} " if band.minimum else ""
        lines.append(f"{band.title}: {least}to {show(band.budget)} {found.unit}, {cells}")
    return "\n".join(lines)


def answer(source: str, found: Reach) -> dict[str, object]:
    """The reach as the JSON contract has it."""
    name = found.battlemap.name_of
    cells = sorted(found.cells(), key=lambda cell: (cell.level, cell.row, cell.col))
    return {
        "map": source,
        "mover": found.mover.id,
        "rules": found.ruleset,
        "options": found.options.wire(),
        "unit": found.unit,
        "start": name(found.start.cell),
        "posture": found.start.posture,
        "bands": [wire_band(band) for band in found.bands],
        "cells": [_cell(found, cell) for cell in cells],
    }


def _cell(found: Reach, cell: Cell) -> dict[str, object]:
    band, cost, remaining = found.band(cell), found.cost(cell), found.remaining(cell)
    assert band is not None
    assert cost is not None
    assert remaining is not None
    route = found.route(cell)
    return {
        "cell": found.battlemap.name_of(cell),
        "band": band.name,
        "turn": found.turn(cell),
        "cost": wire(cost),
        "remaining": wire(remaining),
        "posture": found.posture(cell),
        "provokes": [one.enemy for one in route.provokes] if route else [],
        "checks": [wire_check(check) for check in route.checks] if route else [],
    }


COMMANDS = (reach,)
