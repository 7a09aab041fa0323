"""`tactical risks`: what a safer way to a cell costs."""

from __future__ import annotations

from typing import Any

import click

from tactical.cli.answers import NO, print_json, say, wire_refusal, wire_route
from tactical.cli.inputs import mover_options, read_options, situation
from tactical.units import show, wire

WORDS = {"attacks": "attack(s)", "exposures": "hazard(s) entered", "damage": "damage", "number": "to roll"}


@click.command()
@read_options
@mover_options
@click.option("--to", "goal", required=True, metavar="CELL", help="Where to.")
@click.option("--by", type=click.Choice(list(WORDS)), default="attacks", show_default=True, help="Which risk.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.pass_context
def risks(
    ctx: click.Context,
    /,
    source: str,
    from_format: str | None,
    imports: tuple[str, ...],
    goal: str,
    by: str,
    as_json: bool,
    **given: Any,
) -> None:
    """Show the ways to a cell this turn: what less risk costs.

    Every line is a way that no other beats in both cost and risk.  Exits with 1 and the reason if there is none.
    """
    moment = situation(source, from_format, imports, **given)
    to = moment.cell(goal)
    found = moment.reach()
    ways = found.risks(to, by)
    refusal = None if ways else found.route(to)
    if as_json:
        choices = [{"risk": wire(way.risk), "route": wire_route(way.route, moment.battlemap)} for way in ways]
        heading = {"map": source, "mover": found.mover.id, "rules": found.ruleset, "unit": found.unit, "by": by}
        no = {"refusal": wire_refusal(refusal, moment.battlemap)} if refusal is not None and not refusal else {}
        print_json("risks", **heading, to=moment.battlemap.name_of(to), choices=choices, **no)
    if not ways:
        say(f"no: {refusal.text}" if refusal is not None and not refusal else "no way there this turn")
        ctx.exit(NO)
    if not as_json:
        name = moment.battlemap.name_of
        for way in ways:
            cells = " > ".join(name(cell) for cell in way.route.cells)
            click.echo(f"{show(way.risk)} {WORDS[by]}: {show(way.route.cost)} {found.unit}  {cells}")


COMMANDS = (risks,)
