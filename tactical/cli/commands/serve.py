"""`tactical serve`: answer requests of a host program, line by line."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import click

from tactical.cli.answers import print_json

LIMIT = 8_000_000


@click.command()
@click.option("--stdio", is_flag=True, help="Requests on stdin, answers on stdout.")
@click.option("--requests", is_flag=True, help="Print every request and command with its fields instead.")
@click.option("--json", "as_json", is_flag=True, help="With --requests: print one JSON object.")
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
def serve(
    stdio: bool, requests: bool, as_json: bool, limit: int, root: Path | None, maps: int, sessions: int, cells: int,
    seconds: float,
) -> None:  # fmt: skip
    """Answer a host program's requests, one JSON object a line.

    --requests lists them with their fields, and so does {"id": 1, "do": "help"}.  A map is loaded first (m1); a session
    begins on it (s2): the numbers of these handles count maps and sessions together.  Requests read and write files:
    any, or with --root those below it.
    """
    if requests:
        _tell(as_json)
        return
    if as_json:
        raise click.UsageError("--json is how --requests is printed; what is served is JSON anyway")
    if not stdio:
        raise click.UsageError("say how to be spoken to: --stdio; or what there is to ask: --requests")
    from tactical.hosts.bounds import Bounds
    from tactical.hosts.stdio import serve as run

    if sys.stdin is None:
        raise click.UsageError("the standard input is closed: there is nobody to answer")
    bounds = Bounds(maps, sessions, cells, root=root, seconds=seconds)
    run(sys.stdin.buffer, sys.stdout.buffer, limit=limit, bounds=bounds)


def _tell(as_json: bool) -> None:
    """Every request, and every command that ``execute`` takes."""
    from tactical.hosts.desk import Desk

    desk = Desk()
    told = {"requests": desk.do_help(), "commands": desk.do_help("commands")}
    if as_json:
        print_json("requests", **told)
        return
    for heading, found in told.items():
        click.echo(f"{heading}:")
        for name, one in found.items():
            click.echo(f"\n{name}: {one['does']}")
            for field, about in one["fields"].items():
                if field not in ("cells", "seconds") or heading == "commands":
                    click.echo(f"  {field}: {_kind(about)}; {about['does']}")
        click.echo()
    click.echo("every request:")
    for field in ("cells", "seconds"):
        about = told["requests"]["help"]["fields"][field]
        click.echo(f"  {field}: {_kind(about)}; {about['does']}")


def _kind(about: dict[str, Any]) -> str:
    """The type of a field, its bounds or words, and whether it is needed."""
    bounds = f" from {about['least']} to {about['most']}" if "least" in about else ""
    kind = " or ".join(about["words"]) if "words" in about else about["type"] + bounds
    default = about.get("default")
    if about["needed"]:
        return f"{kind}, needed"
    return kind if default in (None, "", [], {}) else f"{kind}, {json.dumps(default)} where it is left out"


COMMANDS = (serve,)
