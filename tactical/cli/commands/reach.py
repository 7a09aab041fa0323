"""`tactical reach`: every cell a mover can get to, in bands, at the cheapest price."""

from __future__ import annotations

from typing import Any

import click

from tactical.cli.answers import print_json, say
from tactical.cli.inputs import known_posture, level_of, mover_options, read_options, stated
from tactical.cli.pictures import drawer_for, text_of, write_picture
from tactical.cli.reaches import answer, floors, headline, percentages


@click.command()
@read_options
@mover_options
@click.option("--arrive", metavar="POSTURE", help="Only where it can end in this posture.")
@click.option("--odds", is_flag=True, help="Each cell's chance of being reached this turn, under its best gait.")
@click.option("--roll", "rolls", multiple=True, type=int, metavar="N", help="With --json: where moves end so.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.option("--png", "picture", metavar="OUT", help="Also draw it into OUT (.png or .svg).")
@click.option("--level", metavar="NAME", help="Floor to show, instead of all that are reached.")
def reach(
    source: str,
    arrive: str | None,
    odds: bool,
    rolls: tuple[int, ...],
    as_json: bool,
    picture: str | None,
    level: str | None,
    **given: Any,
) -> None:
    """Show where a mover can get to.

    Prints a text map with bands, or every cell as JSON.  On a map without movers --at CELL alone makes a nameless
    one, under --rules NAME (plain if nothing is said).
    """
    if rolls and not as_json:
        raise click.UsageError("--roll tells where every move ends, which only --json prints; or ask `tactical path`")
    if picture:
        drawer_for(picture)
    if arrive and odds:
        raise click.UsageError("--arrive: the odds are those of ending on a cell, in whatever posture")
    from tactical.rules.ruleset import get_ruleset

    moment = stated(source, **given)
    if arrive:
        known_posture(arrive, get_ruleset(moment.rules).postures, moment.rules)
    found = moment.reach(arrive=arrive or "")
    shown = None if level is None else level_of(moment.battlemap, level)
    if picture:
        chances = {cell: best.chance for cell, best in found.chances.items()} if odds else None
        write_picture(picture, moment.battlemap, found, level=shown, odds=chances)
        say(f"wrote {picture}")
    if as_json:
        print_json("reach", **answer(source, found, odds=odds, rolls=rolls, level=shown))
    else:
        for floor in floors(found) if shown is None else [shown]:
            heading = f"level {moment.battlemap.level_names[floor]}:\n" if len(moment.battlemap.levels) > 1 else ""
            drawn = percentages(found, floor) if odds else text_of(moment.battlemap, found, level=floor)
            click.echo(heading + drawn)
        click.echo(headline(found))


COMMANDS = (reach,)
