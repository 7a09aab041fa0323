"""`tactical replay`: play a saved game again and tell what happened."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from tactical.cli.answers import print_json, say
from tactical.cli.pictures import drawer_for, text_of, write_picture

if TYPE_CHECKING:
    from tactical.play.session import Session


@click.command()
@click.argument("log", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--to", "last", type=click.IntRange(min=0), metavar="N", help="Stop after entry N; 0 is the start.")
@click.option("--map", "as_map", is_flag=True, help="Print the map as it is then.")
@click.option("--png", "picture", metavar="OUT", help="Draw the map as it is then into OUT (.png or .svg).")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def replay(log: Path, last: int | None, as_map: bool, picture: str | None, as_json: bool) -> None:
    """Play a saved game again and tell what happened.

    Every line must be as it was written, and every command is carried out anew and must end as it did: a file that was
    changed, or played by other rules, is refused with the line where it differs; with --to what lies before it is told.
    """
    from tactical.wire.save import load

    if picture:
        drawer_for(picture)
    session = load(log, last, check=True)
    if picture:
        write_picture(picture, session.battlemap)
        say(f"wrote {picture}")
    if as_json:
        from tactical.wire.writing import encode

        entries = [
            {"n": number, "do": encode(entry.done), "events": encode(entry.events)}
            for number, entry in enumerate(session.log, 1)
        ]
        print_json("replay", log=str(log), entries=entries, position=encode(session.position))
        return
    click.echo(told(session))
    if as_map:
        click.echo(text_of(session.battlemap))


def told(session: Session) -> str:
    """What happened, a line an event, and where everybody is."""
    lines = []
    for number, entry in enumerate(session.log, 1):
        lines += [f"{number if n == 0 else '':>4}  {event.text}" for n, event in enumerate(entry.events)]
    position = session.position
    for name, status in position.statuses.items():
        at = position.battlemap.name_of(status.state.cell)
        lines.append(f"{name} at {at}, {status.state.posture}, turn {status.turn.turn}")
    if position.pending is not None:
        what = "an answer to an attack" if position.pending.what == "attack" else "a roll"
        lines.append(f"{position.pending.mover}'s move waits for {what}")
    return "\n".join(lines)


COMMANDS = (replay,)
