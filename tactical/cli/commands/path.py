"""`tactical path`: the cheapest way to a cell, what it costs and risks, or why not."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from tactical.cli.answers import NO, print_json, say, wire_refusal, wire_route
from tactical.cli.inputs import Situation, known_posture, mover_options, read_options, situation
from tactical.units import show

if TYPE_CHECKING:
    from tactical.movement.reach import Reach
    from tactical.movement.route import Route


@click.command()
@read_options
@mover_options
@click.option("--to", "goal", required=True, metavar="CELL", help="Where to.")
@click.option("--via", multiple=True, metavar="CELL", help="A cell to pass on the way; may be given several times.")
@click.option("--arrive", metavar="POSTURE", help="Posture to arrive in.")
@click.option("--why", is_flag=True, help="Print the ledger: every leg with its price, sum and clause.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.pass_context
def path(
    ctx: click.Context,
    /,
    source: str,
    from_format: str | None,
    imports: tuple[str, ...],
    goal: str,
    via: tuple[str, ...],
    arrive: str | None,
    why: bool,
    as_json: bool,
    **given: Any,
) -> None:
    """Show the cheapest way to a cell, or why not.

    Exits with 1 and the reason if there is no way.
    """
    moment = situation(source, from_format, imports, **given)
    to = moment.cell(goal)
    through = [moment.cell(one) for one in via]
    found = moment.reach()
    if arrive:
        known_posture(arrive, found.profile.postures, found.ruleset)
    route = found.route(to, via=through, arrive=arrive)
    if as_json:
        answer = wire_route(route, moment.battlemap) if route else {"refusal": wire_refusal(route, moment.battlemap)}
        print_json("path", **_heading(source, moment, found), to=moment.battlemap.name_of(to), **answer)
    if not route:
        say(f"no: {route.text}")
        ctx.exit(NO)
    if not as_json:
        click.echo(words(found, route))
        if why:
            click.echo(ledger(found, route))


def _heading(source: str, moment: Situation, found: Reach) -> dict[str, object]:
    return {
        "map": source,
        "mover": found.mover.id,
        "rules": found.ruleset,
        "options": found.options.wire(),
        "unit": found.unit,
        "start": moment.battlemap.name_of(found.start.cell),
    }


def words(found: Reach, route: Route) -> str:
    """The route in a few lines: the cells, the price, and what it risks."""
    name = found.battlemap.name_of
    titles = {band.name: band.title for band in found.bands}
    turns = f", turn {route.turn}" if route.turn > 1 else ""
    lines = [
        " > ".join(name(cell) for cell in route.cells),
        f"{show(route.cost)} {route.unit}, {titles.get(route.band, route.band)}{turns}, arriving {route.end.posture}, "
        f"{show(route.remaining)} {route.unit} left",
    ]
    lines += [f"{one.enemy} may strike as you leave {name(one.cell)}" for one in route.provokes]
    for check in route.checks:
        target = f" against {check.number}" if check.number is not None else ""
        lines.append(f"roll {check.skill}{target}{': ' + check.note if check.note else ''}")
    lines += [f"hazard at {name(cell)}: {hazard}" for hazard, cell in route.hazards]
    return "\n".join([*lines, *route.notes])


def ledger(found: Reach, route: Route) -> str:
    """Why it costs this: one line a leg with price, running sum and clause; ``*`` marks a ruling."""
    rows = []
    for line in route.ledger():
        text = f"turn {line.turn}  {line.text}" if route.turn > 1 else line.text
        rows.append((text, show(line.price), show(line.sum), str(line.source)))
    width = max((len(row[0]) for row in rows), default=0)
    return "\n".join(f"  {row[0]:<{width}}  {row[1]:>6}  {row[2]:>6}  {row[3]}".rstrip() for row in rows)


COMMANDS = (path,)
