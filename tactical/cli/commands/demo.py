"""`tactical demo`: the first minute, without a file of one's own."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
import tempfile

import click

from tactical.cli.answers import MissingPart, print_json, say
from tactical.cli.inputs import stated
from tactical.cli.pictures import has_pygame, text_of, write_picture
from tactical.cli.reaches import answer, headline
from tactical.cli.windows import no_window, open_window

DEMO_MAP = "village"
DEMO_MOVER = "raven"
DEMO_CELL = "N9"


@click.command()
@click.option("--text", "as_text", is_flag=True, help="Print and write a picture even where a window could be opened.")
@click.option("-o", "--output", "target", metavar="OUT", help="Picture to write where no window can be opened.")
@click.option("--json", "as_json", is_flag=True, help="Print the reach as one JSON object instead.")
def demo(as_text: bool, target: str | None, as_json: bool) -> None:
    """Look at a sample village.

    Opens the window; without a display (or pygame) prints the map with its bands and writes a picture.
    """
    why = "asked for text" if as_text or target else no_window()
    if not why and not as_json:
        try:
            open_window(DEMO_MAP, mover_id=DEMO_MOVER)
        except MissingPart as error:
            why = str(error)
        else:
            return
    found = stated(DEMO_MAP, mover_id=DEMO_MOVER, turns=2).reach()
    if as_json:
        print_json("reach", **answer(DEMO_MAP, found))
        return
    click.echo(text_of(found.battlemap, found))
    click.echo(headline(found))
    picture = target or ("tactical-demo.png" if has_pygame() else "tactical-demo.svg")
    if not target and not os.access(".", os.W_OK):
        picture = os.path.join(tempfile.gettempdir(), picture)
    write_picture(picture, found.battlemap, found, enemy=True)
    say(f"No window ({why}): printed the map as text and wrote {picture}.")
    say(f"Next: {program()} path {DEMO_MAP} --mover {DEMO_MOVER} --to {DEMO_CELL} --why")


def program() -> str:
    """How to start this program again: its name where the shell finds it by that, else its path."""
    started = sys.argv[0]
    if os.path.basename(started) == "__main__.py":
        return f"{shlex.quote(sys.executable)} -m tactical"
    found = shutil.which("tactical")
    if found and os.path.exists(started) and os.path.samefile(found, started):
        return "tactical"
    return shlex.quote(started) if os.path.basename(started).startswith("tactical") else "tactical"


COMMANDS = (demo,)
