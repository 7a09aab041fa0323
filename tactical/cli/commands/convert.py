"""`tactical convert`: one map format to another, with a word for everything that is lost on the way."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tactical import files
from tactical.cli.answers import print_json, refuse_inputs, say, write_file
from tactical.cli.inputs import as_typed, read_map, read_options

if TYPE_CHECKING:
    from tactical.world.battlemap import Battlemap


ENDINGS = ("png", "jpg", "jpeg", "webp", "gif", "bmp")


@click.command()
@read_options
@click.option("-o", "--output", "target", required=True, metavar="OUT", help="File to write; - is stdout.")
@click.option("--to", "to_format", metavar="FORMAT", help="Format of OUT, if its ending does not tell.")
@click.option("--json", "as_json", is_flag=True, help="Print the report as one JSON object.")
def convert(source: str, target: str, to_format: str | None, as_json: bool) -> None:
    """Convert MAP, and say what is lost on the way.

    The picture inside a file becomes a file of its own beside a native map.
    """
    from tactical.formats import dump_with_report, format_for

    if as_json and target == "-":
        raise click.UsageError("--json and -o - both want stdout")
    battlemap, read = read_map(source)
    by_name = format_for(target)
    form = to_format or (by_name.name if by_name else "native" if target == "-" else "")
    if not form:
        raise click.UsageError(f"{target!r} has no known ending: say --to FORMAT (see `tactical formats`)")
    if target != "-":
        refuse_inputs(target, read.files)
    picture = ""
    if form == "native" and target != "-":
        battlemap, picture = _picture_beside(battlemap, target)
    try:
        content, written = dump_with_report(battlemap, form)
    except ValueError as error:
        raise click.UsageError(str(error)) from error
    data = content.encode() if isinstance(content, str) else content
    if target == "-":
        sys.stdout.buffer.write(data)
    else:
        write_file(target, data)
    if as_json:
        told = {"report": read.wire(), "losses": written.wire(), "picture": picture}
        print_json("convert", source=source, target=target, format=form, **told)
        return
    for report, name in ((read, source), (written, target)):
        for line in report.lines:
            say(f"{name}: {as_typed(str(line))}")
    if target != "-":
        click.echo(f"wrote {target} ({form})")
    if picture:
        click.echo(f"wrote {picture} (its picture)")


def _holds(file: Path, data: bytes) -> bool:
    try:
        return files.read(file, len(data)) == data
    except OSError:
        return False


def _picture_beside(battlemap: Battlemap, target: str) -> tuple[Battlemap, str]:
    """Write the map's picture beside the file `target`, unless another file is in its place; the map that names it."""
    from tactical.formats.native import with_picture_file
    from tactical.world.pictures import kind_of

    if battlemap.picture is None:
        return battlemap, ""
    try:
        data = battlemap.picture.read()
    except OSError as error:
        # a map may name a picture that is not there; so will the new one
        say(f"{battlemap.source}: warning: its picture is not written: {error.strerror or error}")
        return battlemap, ""
    if not kind_of(data):
        return battlemap, ""
    kind = battlemap.picture.kind if battlemap.picture.kind in ENDINGS else kind_of(data).lower()
    file = Path(target).with_suffix(f".{kind}")
    if file.exists() and not _holds(file, data):
        say(f"{file} is another picture: left as it is")
        return battlemap, ""
    write_file(str(file), data)
    return with_picture_file(battlemap, file.name, str(file.parent)), str(file)


COMMANDS = (convert,)
