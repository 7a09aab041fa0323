"""`tactical view`: the window."""

from __future__ import annotations

from pathlib import Path

import click

from tactical.cli.answers import MissingPart
from tactical.cli.inputs import find_map, read_options, refuse_idle
from tactical.cli.pictures import theme_of
from tactical.cli.windows import no_window, open_game, open_window

IN_GAME = ("from_format", "imports", "rules", "options", "fog")
"""What a saved game holds itself."""


@click.command()
@read_options
@click.option("--mover", "mover_id", metavar="ID", help="Who is selected at first.")
@click.option("--rules", metavar="NAME", help="Rule system, instead of the map's own.")
@click.option("--option", "options", multiple=True, metavar="NAME=VALUE", help="A ruling: diagonal=alternate ...")
@click.option("--theme", "theme_file", metavar="FILE", help="A theme of your own (TOML).")
@click.option("--text-size", type=click.IntRange(50, 300), metavar="PERCENT", help="Size of the letters: 150 ...")
@click.option("--fog", is_flag=True, help="Begin with only that known which can be seen.")
@click.option("--json", "as_json", is_flag=True, help="Print errors as one JSON object.")
def view(
    source: str,
    mover_id: str | None,
    rules: str | None,
    options: tuple[str, ...],
    theme_file: str | None,
    text_size: int | None,
    fog: bool,
    as_json: bool,
) -> None:
    """Open MAP, or a saved game, in a window.

    See the reach, hover for the price and the reason, click to go.  What is played is kept by itself, with every move;
    a game (FILE.jsonl) goes on where it was left, also in the middle of a roll.
    """
    from tactical.wire.save import is_game

    why = no_window()
    found = find_map(source)
    game = found if isinstance(found, Path) and is_game(found) else None
    if game is not None:
        refuse_idle(click.get_current_context(), IN_GAME, "does not go with a saved game, which holds all that")
    if why:
        raise MissingPart(why)
    look = {"theme": theme_of(theme_file), "text": text_size / 100 if text_size else None, "fog": fog}
    asked = {name: value for name, value in look.items() if value}
    if game is not None:
        open_game(game, mover_id, asked)
        return
    open_window(source, mover_id, rules, options, asked)


COMMANDS = (view,)
