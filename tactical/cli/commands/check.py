"""`tactical check`: everything wrong with map files, each with its place."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

from tactical.cli.answers import NO, WRONG, print_json, say, wire_fault
from tactical.cli.inputs import NoSuchMap, as_typed, read_map, reading_options
from tactical.errors import Fault, MapError, PluginError, TacticalError
from tactical.formats import UnreadableFile
from tactical.formats._reading import between
from tactical.units import spoken

if TYPE_CHECKING:
    from tactical.world.battlemap import Battlemap, Picture


@click.command()
@click.argument("sources", nargs=-1, required=True, metavar="FILE...")
@reading_options
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.pass_context
def check(ctx: click.Context, /, sources: tuple[str, ...], as_json: bool) -> None:
    """Check map files: all faults at once.

    Each fault is told with file, line and column, and with the nearest known name.  Exits with 1 if any fault was
    found, 2 if a file cannot be read at all.  Doors and windows of an imported map are listed, for --door and overlays.
    """
    files = []
    for source in sources:
        files.append(_checked(source))
        if not as_json:
            _say_report(source, files[-1].report)
            for fault in files[-1].faults:
                say(as_typed(str(fault)))
    faults = [place for file in files for place in file.places()]
    if as_json:
        lines = [line for file in files for line in file.report]
        print_json("check", faults=faults, report=lines, files=[file.told() for file in files])
    else:
        for door in (door for file in files if file.form != "native" for door in file.doors):
            click.echo(f"{door['id']}: {door['state']}, between {door['between']}")
        count = f"{len(faults)} fault{'s' if len(faults) != 1 else ''}" if faults else "no faults"
        click.echo(f"{count} in {len(sources)} file{'s' if len(sources) != 1 else ''}")
    if faults:
        ctx.exit(WRONG if any(file.unreadable for file in files) else NO)


@dataclass(frozen=True)
class Checked:
    """What there is to say about one file; `unreadable` where it is no map at all."""

    source: str
    faults: tuple[Fault, ...] = ()
    form: str = ""
    report: tuple[dict[str, object], ...] = ()
    doors: tuple[dict[str, object], ...] = ()
    unreadable: bool = False

    def places(self) -> list[dict[str, object]]:
        """The faults as JSON, each with its file."""
        return [wire_fault(fault) | {"file": fault.file or self.source} for fault in self.faults]

    def told(self) -> dict[str, object]:
        """All of it as JSON."""
        return {
            "file": self.source, "format": self.form, "faults": self.places(), "report": list(self.report),
            "doors": list(self.doors),
        }  # fmt: skip


def _checked(source: str) -> Checked:
    try:
        battlemap, told = read_map(source)
        report = [{"file": source, "kind": line.kind, "count": line.count, "text": line.text} for line in told.lines]
        if battlemap.picture is not None and battlemap.picture.flaw:
            report.append(_picture_line(source, battlemap.picture))
        faults = (*battlemap.faults(), *unusable(battlemap))
        return Checked(source, faults, told.format, tuple(report), tuple(doors_of(battlemap)))
    except MapError as error:
        return Checked(source, error.faults, unreadable=isinstance(error, (NoSuchMap, UnreadableFile)))
    except PluginError as error:
        # the format of somebody else's that failed stops no other file
        return Checked(source, (Fault(str(error), file=source),), unreadable=True)
    except OSError as error:
        return Checked(source, (Fault(error.strerror or str(error), file=source),), unreadable=True)


def doors_of(battlemap: Battlemap) -> list[dict[str, object]]:
    """The doors and windows of a map that have a name: state, and the cells on both sides of the middle."""
    from tactical.world.edges.barriers import Kind

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
                words = f"{mover.id!r}: its stats give a {gait.name} of {spoken(gait.budget)}, less than nothing"
                yield Fault(words, file=battlemap.source, path=f"movers[{n}].stats")


def _picture_line(source: str, picture: Picture) -> dict[str, object]:
    """What is wrong with the map's picture, at its line of the map file where it stands in one."""
    line = getattr(picture.read, "line", 0)
    place = f"line {line}: picture.file: {getattr(picture.read, 'file', '')}: " if line else "the picture: "
    return {"file": source, "kind": "warning", "count": 1, "text": f"{place}{picture.flaw}; drawn without it"}


def _say_report(source: str, report: Iterable[dict[str, object]]) -> None:
    for line in report:
        words = as_typed(f"{line['kind']}: {line['text']}")
        say(f"{source}: {words}")


COMMANDS = (check,)
