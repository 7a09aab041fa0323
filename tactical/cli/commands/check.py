"""`tactical check`: everything wrong with map files, each with its place."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from tactical.cli.answers import NO, WRONG, print_json, say, wire_fault
from tactical.cli.inputs import NoSuchMap, as_typed, overlay_option, read_map
from tactical.errors import Fault, MapError, PluginError, TacticalError
from tactical.formats import UnreadableFile
from tactical.formats._reading import between
from tactical.units import show

if TYPE_CHECKING:
    from tactical.world.battlemap import Battlemap, Picture


@click.command()
@click.argument("sources", nargs=-1, required=True, metavar="FILE...")
@click.option("--from", "from_format", metavar="FORMAT", help="Format of the files, if their content does not tell.")
@click.option("--import", "imports", multiple=True, metavar="NAME=VALUE", help="Option of the files' format.")
@overlay_option
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.pass_context
def check(
    ctx: click.Context, /, sources: tuple[str, ...], from_format: str | None, imports: tuple[str, ...], as_json: bool
) -> None:
    """Check map files: all faults at once.

    Each fault is told with file, line and column, and with the nearest known name.  Exits with 1 if any fault was
    found, 2 if a file cannot be read at all.  Doors and windows of an imported map are listed, for --door and overlays.
    """
    files, faults, lines = [], [], []
    unreadable, imported = False, []
    for source in sources:
        own: tuple[Fault, ...] = ()
        form, report = "", []
        portals: list[dict[str, object]] = []
        try:
            battlemap, told = read_map(source, from_format, imports)
            form = told.format
            report = [
                {"file": source, "kind": line.kind, "count": line.count, "text": line.text} for line in told.lines
            ]
            if battlemap.picture is not None and battlemap.picture.flaw:
                report.append(_picture_line(source, battlemap.picture))
            own = (*battlemap.faults(), *unusable(battlemap))
            portals = doors_of(battlemap)
            if not as_json:
                _say_report(source, report)
            if form != "native":
                imported += portals
        except MapError as error:
            own = error.faults
            unreadable = unreadable or isinstance(error, (NoSuchMap, UnreadableFile))
        except PluginError as error:
            # the format of somebody else's that failed stops no other file
            own = (Fault(str(error), file=source),)
            unreadable = True
        except OSError as error:
            own = (Fault(error.strerror or str(error), file=source),)
            unreadable = True
        for fault in own:
            if not as_json:
                say(str(fault))
        places = [wire_fault(fault) | {"file": fault.file or source} for fault in own]
        files.append({"file": source, "format": form, "faults": places, "report": report, "doors": portals})
        faults += places
        lines += report
    if as_json:
        print_json("check", faults=faults, report=lines, files=files)
    else:
        for door in imported:
            click.echo(f"{door['id']}: {door['state']}, between {door['between']}")
        count = f"{len(faults)} fault{'s' if len(faults) != 1 else ''}" if faults else "no faults"
        click.echo(f"{count} in {len(sources)} file{'s' if len(sources) != 1 else ''}")
    if faults:
        ctx.exit(WRONG if unreadable else NO)


def doors_of(battlemap: Battlemap) -> list[dict[str, object]]:
    """The doors and windows of a map that have a name: state, and the cells on both sides of the middle."""
    from tactical.world.barriers import Kind

    found: list[dict[str, object]] = []
    for barrier in battlemap.barriers:
        if not barrier.id or barrier.kind not in (Kind.DOOR, Kind.WINDOW):
            continue
        state = barrier.state.value if barrier.state else barrier.kind.value
        place = between(battlemap, barrier)
        found.append({"id": barrier.id, "kind": barrier.kind.value, "state": state, "between": place})
    return found


def unusable(battlemap: Battlemap) -> Iterator[Fault]:
    """The movers whose rule system can make nothing of their stats, where the map names one for them."""
    from tactical.movement.query import ask

    for n, mover in enumerate(battlemap.movers):
        if mover.at is None or mover.at not in battlemap or not (mover.rules or battlemap.rules):
            continue
        try:
            gaits = ask(battlemap, mover).profile.gaits
        except TacticalError as error:
            yield Fault(f"{mover.id!r}: {error}", file=battlemap.source, path=f"movers[{n}]")
            continue
        for gait in gaits:
            if gait.budget < 0:
                words = f"{mover.id!r}: its stats give a {gait.name} of {show(gait.budget)}, less than nothing"
                yield Fault(words, file=battlemap.source, path=f"movers[{n}].stats")


def _picture_line(source: str, picture: Picture) -> dict[str, object]:
    """What is wrong with the map's picture, at its line of the map file where it stands in one."""
    line = getattr(picture.read, "line", 0)
    place = f"line {line}: picture.file: {getattr(picture.read, 'file', '')}: " if line else "the picture: "
    return {"file": source, "kind": "warning", "count": 1, "text": f"{place}{picture.flaw}; drawn without it"}


def _say_report(source: str, report: list[dict[str, object]]) -> None:
    for line in report:
        words = as_typed(f"{line['kind']}: {line['text']}")
        say(f"{source}: {words}")


COMMANDS = (check,)
