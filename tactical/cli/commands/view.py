"""`tactical view`: the window."""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from tactical.cli.answers import MissingPart, say
from tactical.cli.inputs import DEFAULT_RULES, find_map, mover_of, read_and_warn, read_options, refuse_idle
from tactical.cli.pictures import INSTALL_VIEW, has_pygame, theme_of

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
    from_format: str | None,
    imports: tuple[str, ...],
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
    open_window(source, from_format, imports, mover_id, rules, options, asked)


def open_game(path: Path, mover_id: str | None, look: Mapping[str, Any]) -> None:
    """Go on with a saved game in the window.  Raises `SaveError`, `MissingPart` where no window can be opened."""
    from tactical.viewer.app import NoDisplay, go_on

    try:
        go_on(path, mover_id, **look)
    except NoDisplay as error:
        raise MissingPart(str(error)) from error


def open_window(
    source: str,
    from_format: str | None = None,
    imports: tuple[str, ...] = (),
    mover_id: str | None = None,
    rules: str | None = None,
    options: tuple[str, ...] = (),
    look: Mapping[str, Any] | None = None,
) -> None:
    """Open the viewer on a map until it is closed.  Raises `MissingPart` where no window can be opened."""
    from tactical.cli.inputs import pairs
    from tactical.rules.ruleset import get_ruleset
    from tactical.show.scene.shapes import PictureWarning
    from tactical.viewer.app import NoDisplay, run

    battlemap = read_and_warn(source, from_format, imports)
    if battlemap.picture is not None and battlemap.picture.flaw:
        say(f"{source}: warning: drawn without its picture: {battlemap.picture.flaw}")
        # told here, once: the window only leaves it out
        warnings.simplefilter("ignore", PictureWarning)
    chosen = pairs(options, "--option")
    ruleset = get_ruleset(rules or battlemap.rules or DEFAULT_RULES)
    ruleset.options_with(chosen)
    if mover_id is not None:
        mover_of(battlemap, mover_id)
    try:
        run(battlemap, mover_id, rules=rules, options=chosen, **(look or {}))
    except NoDisplay as error:
        raise MissingPart(str(error)) from error


def no_window() -> str:
    """Why no window can be opened here; empty if one can."""
    if not has_pygame():
        return f"the window needs pygame: {INSTALL_VIEW}"
    if os.environ.get("SDL_VIDEODRIVER") in ("dummy", "offscreen"):
        return "no display: SDL_VIDEODRIVER asks for none"
    if sys.platform.startswith("linux") and not any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY")):
        if not os.environ.get("SDL_VIDEODRIVER"):
            return "no display: neither DISPLAY nor WAYLAND_DISPLAY is set"
    return ""


COMMANDS = (view,)
