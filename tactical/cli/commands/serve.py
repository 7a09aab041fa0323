"""`tactical serve`: answer requests of a host program, line by line."""

from __future__ import annotations

import sys

import click

LIMIT = 8_000_000


@click.command()
@click.option("--stdio", is_flag=True, help="Requests on stdin, answers on stdout.")
@click.option("--limit", type=click.IntRange(min=1000), default=LIMIT, show_default=True, help="Bytes a line may have.")
def serve(stdio: bool, limit: int) -> None:
    """Answer a host program's requests, one JSON object a line.

    Ask {"id": 1, "do": "help"} for the list of requests.  A map is loaded first (m1); a session begins on it (s2): the
    numbers of these handles count maps and sessions together.
    """
    if not stdio:
        raise click.UsageError("say how to be spoken to: --stdio")
    from tactical.hosts.stdio import serve as run

    if sys.stdin is None:
        raise click.UsageError("the standard input is closed: there is nobody to answer")
    run(sys.stdin.buffer, sys.stdout.buffer, limit=limit)


COMMANDS = (serve,)
