"""`tactical check`: everything wrong with map files, each with its place."""

from __future__ import annotations

import click

from tactical.cli.answers import NO, WRONG, print_json, say, wire_fault
from tactical.cli.inputs import NoSuchMap, read_map
from tactical.errors import Fault, MapError


@click.command()
@click.argument("sources", nargs=-1, required=True, metavar="FILE...")
@click.option("--from", "from_format", metavar="FORMAT", help="Format of the files, if their content does not tell.")
@click.option("--import", "imports", multiple=True, metavar="NAME=VALUE", help="Option of the files' format.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.pass_context
def check(
    ctx: click.Context, /, sources: tuple[str, ...], from_format: str | None, imports: tuple[str, ...], as_json: bool
) -> None:
    """Check map files: all faults at once.

    Each fault is told with file, line and column, and with the nearest known name.  Exits with 1 if any fault was
    found, 2 if a file cannot be read at all.
    """
    files, faults, lines = [], [], []
    unreadable = False
    for source in sources:
        own: tuple[Fault, ...] = ()
        form, report = "", []
        try:
            battlemap, told = read_map(source, from_format, imports)
            form = told.format
            report = [
                {"file": source, "kind": line.kind, "count": line.count, "text": line.text} for line in told.lines
            ]
            own = battlemap.faults()
            if not as_json:
                _say_report(source, report)
        except MapError as error:
            own = error.faults
            unreadable = unreadable or isinstance(error, NoSuchMap)
        except OSError as error:
            own = (Fault(error.strerror or str(error), file=source),)
            unreadable = True
        for fault in own:
            if not as_json:
                say(str(fault))
        places = [wire_fault(fault) | {"file": fault.file or source} for fault in own]
        files.append({"file": source, "format": form, "faults": places, "report": report})
        faults += places
        lines += report
    if as_json:
        print_json("check", faults=faults, report=lines, files=files)
    else:
        count = f"{len(faults)} fault{'s' if len(faults) != 1 else ''}" if faults else "no faults"
        click.echo(f"{count} in {len(sources)} file{'s' if len(sources) != 1 else ''}")
    if faults:
        ctx.exit(WRONG if unreadable else NO)


def _say_report(source: str, report: list[dict[str, object]]) -> None:
    for line in report:
        say(f"{source}: {line['kind']}: {line['text']}")


COMMANDS = (check,)
