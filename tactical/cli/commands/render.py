"""`tactical render`: a picture of a map, without a window and without a display."""

from __future__ import annotations

from pathlib import PurePath
from typing import Any

import click

from tactical.cli.answers import NO, print_json, say, wire_value
from tactical.cli.inputs import (
    level_of,
    mover_options,
    read_and_warn,
    read_options,
    refuse_idle,
    stated,
    with_doors,
)
from tactical.cli.pictures import draw, text_of, theme_of, write_picture
from tactical.errors import Refusal

OF_A_MOVER = {"goal", "costs", "odds", "enemy"}
"""What is asked about a mover, besides the options that say who it is."""


@click.command()
@read_options
@mover_options
@click.option("-o", "--output", "target", required=True, metavar="OUT", help=".png, .svg, .txt; - is stdout.")
@click.option("--as", "as_format", metavar="FORMAT", help="With -o -: svg, png, or txt, which is the default.")
@click.option("--reach", "reach_of", metavar="ID", help="Draw the reach of this mover (the same as --mover).")
@click.option("--to", "goal", metavar="CELL", help="Also draw the way to this cell.")
@click.option("--costs", is_flag=True, help="Write the price on every cell.")
@click.option("--odds", is_flag=True, help="Write chances on the cells whose way needs a roll.")
@click.option("--panel", is_flag=True, help="Draw the panel beside the map: budget, gaits, why it costs this.")
@click.option("--theme", "theme_file", metavar="FILE", help="A theme of your own (TOML).")
@click.option("--enemy", is_flag=True, help="Mark the cells that enemies reach.")
@click.option("--referee", is_flag=True, help="Show secret doors and hidden movers.")
@click.option("--ruler/--no-ruler", default=True, help="Column letters and row numbers beside a picture (default).")
@click.option("--level", metavar="NAME", help="Floor to draw, by name or number.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object about what was written.")
@click.pass_context
def render(
    ctx: click.Context,
    /,
    source: str,
    target: str,
    as_format: str | None,
    reach_of: str | None,
    goal: str | None,
    costs: bool,
    odds: bool,
    panel: bool,
    theme_file: str | None,
    enemy: bool,
    referee: bool,
    ruler: bool,
    level: str | None,
    as_json: bool,
    **given: Any,
) -> None:
    """Draw MAP, without a window.

    With --mover or --at, the reach is drawn too; with --to, the way.  If there is none, the cell is marked and the
    exit code is 1.
    """
    _fit(target, as_format, theme_file, as_json)
    if reach_of and given["mover_id"] not in (None, reach_of):
        raise click.UsageError("--reach and --mover are the same: give one of them")
    given["mover_id"] = given["mover_id"] or reach_of
    found, refused = None, None
    look: dict[str, Any] = {"costs": costs, "enemy": enemy, "referee": referee, "panel": panel}
    if given["mover_id"] or given["at"]:
        moment = stated(source, **given)
        battlemap, found = moment.battlemap, moment.reach()
        if odds:
            from tactical.show.rolls import chances

            look["odds"] = chances(found)
        if goal:
            to = moment.cell(goal)
            look |= {"target": to, "route": found.route(to)}
            refused = look["route"] if isinstance(look["route"], Refusal) else None
            if refused is not None:
                say(f"no: {refused.text}")
    else:
        idle = OF_A_MOVER | {name for name in given if name != "doors"}
        refuse_idle(ctx, idle, "needs somebody who moves: --mover ID or --at CELL")
        battlemap = with_doors(read_and_warn(source), given["doors"])
    if level is not None:
        look["level"] = level_of(battlemap, level)
    theme = theme_of(theme_file)
    if target == "-" and as_format in (None, "txt"):
        click.echo(text_of(battlemap, found, **look))
    elif target == "-":
        ending = f".{str(as_format).removeprefix('.')}"
        click.echo(draw(ending, battlemap, found, theme=theme, ruler=ruler, **look), nl=False)
    else:
        write_picture(target, battlemap, found, theme=theme, ruler=ruler, **look)
        no = {} if refused is None else {"refusal": wire_value(refused, battlemap)}
        about = {"map": source, "target": target, "mover": found.mover.id if found else None, **no}
        click.echo(f"wrote {target}") if not as_json else print_json("render", **about)
    if refused is not None:
        ctx.exit(NO)


def _fit(target: str, as_format: str | None, theme_file: str | None, as_json: bool) -> None:
    """Raises `click.UsageError` for a target, a format and a theme that do not go together."""
    if as_json and target == "-":
        raise click.UsageError("--json and -o - both want stdout")
    if as_format and target != "-":
        raise click.UsageError(f"--as is the format of -o -; the ending of {target} says its own")
    if theme_file and (as_format or "txt") == "txt" and PurePath(target).suffix in ("", ".txt"):
        raise click.UsageError("--theme: text has no theme; write .svg or .png, or -o - --as svg")


COMMANDS = (render,)
