"""`tactical serve`: answer requests of a host program, line by line."""

from __future__ import annotations

import sys
from pathlib import Path

import click

LIMIT = 8_000_000


@click.command()
@click.option("--stdio", is_flag=True, help="Requests on stdin, answers on stdout.")
@click.option("--limit", type=click.IntRange(min=1000), default=LIMIT, show_default=True, help="Bytes a line may have.")
@click.option(
    "--root",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Read and write files below this folder alone.",
)
@click.option("--maps", type=click.IntRange(min=1), default=200, show_default=True, help="Maps open at once.")
@click.option("--sessions", type=click.IntRange(min=1), default=200, show_default=True, help="Games open at once.")
@click.option("--cells", type=click.IntRange(min=1), default=4_000_000, show_default=True, help="Cells a map may have.")
@click.option(
    "--seconds",
    type=click.FloatRange(min=0, min_open=True),
    default=30.0,
    show_default=True,
    help="Work a request may take.",
)
def serve(stdio: bool, limit: int, root: Path | None, maps: int, sessions: int, cells: int, seconds: float) -> None:
    """Answer a host program's requests, one JSON object a line.

    Ask {"id": 1, "do": "help"} for the list of requests.  A map is loaded first (m1); a session begins on it (s2): the
    numbers of these handles count maps and sessions together.  Requests read and write files: any, or with --root those
    below it.
    """
    if not stdio:
        raise click.UsageError("say how to be spoken to: --stdio")
    from tactical.hosts.bounds import Bounds
    from tactical.hosts.stdio import serve as run

    if sys.stdin is None:
        raise click.UsageError("the standard input is closed: there is nobody to answer")
    bounds = Bounds(maps, sessions, cells, root=root, seconds=seconds)
    run(sys.stdin.buffer, sys.stdout.buffer, limit=limit, bounds=bounds)


COMMANDS = (serve,)
