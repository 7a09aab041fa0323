"""`tactical risks`: what a safer way to a cell costs."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from typing import Any

import click

from tactical.cli.answers import NO, print_json, say, wire_value
from tactical.cli.inputs import mover_options, read_options, refuse_idle, stated
from tactical.cli.rolls import percent
from tactical.errors import counted
from tactical.units import spoken

KINDS = ("attacks", "exposures", "damage", "number", "chance")


@click.command()
@read_options
@mover_options
@click.option("--to", "goal", required=True, metavar="CELL", help="Where to.")
@click.option("--by", type=click.Choice(KINDS), help="Which risk; number where moves are rolled for, else attacks.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.pass_context
def risks(
    ctx: click.Context,
    /,
    source: str,
    goal: str,
    by: str | None,
    as_json: bool,
    **given: Any,
) -> None:
    """Show the ways to a cell this turn: what less risk costs.

    Which risk is meant is said with --by.  Every line is a way that no other beats in both cost and risk.  Exits with 1
    and the reason if there is none.
    """
    refuse_idle(ctx, ("turns",), "says nothing about risks: they are those of this turn")
    moment = stated(source, **given)
    to = moment.cell(goal)
    found = moment.reach()
    chosen = by is not None
    from tactical.wire.views import choices, usual_risk, why_none

    by = by or usual_risk(found)
    ways = found.risks(to, by)
    refusal = None if ways else why_none(found, to)
    if as_json:
        heading = {"map": source, "mover": found.mover.id, "rules": found.ruleset, "unit": found.unit, "by": by}
        told = choices(found, to, by, partial(wire_value, battlemap=moment.battlemap))
        print_json("risks", **heading, to=moment.battlemap.name_of(to), **told)
    if not ways:
        say(f"no: {refusal.text}" if refusal is not None else "no way there this turn")
        ctx.exit(NO)
    if not as_json:
        if not chosen:
            say(f"by {by}; another risk with --by {'|'.join(kind for kind in KINDS if kind != by)}")
        name = moment.battlemap.name_of
        for way in ways:
            cells = " > ".join(name(cell) for cell in way.route.cells)
            click.echo(f"{risk_words(by, way.risk)}: {counted(spoken(way.route.cost), found.unit)}  {cells}")


def risk_words(by: str, risk: Fraction) -> str:
    """How much of a risk, in words: ``2 attacks``, ``17 to roll``."""
    return {
        "attacks": counted(spoken(risk), "attack"),
        "exposures": f"{counted(spoken(risk), 'hazard')} entered",
        "damage": f"{spoken(risk)} damage",
        "number": f"{spoken(risk)} to roll",
        "chance": f"{percent(1 - risk)} that nothing fails",
    }[by]


COMMANDS = (risks,)
