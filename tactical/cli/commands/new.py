"""`tactical new`: from a file of another program, or a mere picture, to a map with figures on it."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tactical.cli.answers import print_json, say, write_file
from tactical.cli.inputs import DEFAULT_RULES, as_typed, cell_of, how_read, pairs, read_map, read_options
from tactical.errors import counted

if TYPE_CHECKING:
    from tactical.rules.ruleset import Ruleset
    from tactical.world.battlemap import Battlemap

SUFFIX = ".yaml"


@click.command()
@read_options
@click.option("--grid", metavar="PIXELS", help="How many pixels a cell is wide in a picture: 70 ...")
@click.option("--offset", metavar="X,Y", help="The pixel of a picture where the first whole cell begins: 12,8 ...")
@click.option("--type", "type_", metavar="GRID", help="The grid of a picture: square, hex-odd-r ...")
@click.option("--cell", metavar="N", help="The side of a cell, e.g. 5.")
@click.option("--unit", metavar="UNIT", help="Its unit: ft or m.")
@click.option("--rules", metavar="NAME", help="Rule system of the figures (see `tactical rulesets`).")
@click.option("--mover", "movers", multiple=True, metavar="ID=CELL", help="A figure that stands on the map at once.")
@click.option("-o", "--output", "target", metavar="OUT", help="File to write; otherwise FILE.yaml; - is stdout.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def new(
    source: str,
    grid: str | None,
    offset: str | None,
    type_: str | None,
    cell: str | None,
    unit: str | None,
    rules: str | None,
    movers: tuple[str, ...],
    target: str | None,
    as_json: bool,
) -> None:
    """Make a map of your own over MAP: a drawn map, a scene, or a picture with a grid.

    Writes a small YAML file with the names of the doors, and one line a figure to fill in.
    """
    from tactical.formats.native.blank import skeleton
    from tactical.registry import RULESETS
    from tactical.rules.ruleset import get_ruleset
    from tactical.units import show

    if source == "-":
        raise click.UsageError("MAP is -, but the new map must name a file that it lies over")
    if as_json and target == "-":
        raise click.UsageError("--json and -o - both want stdout")
    said = {"grid": grid, "offset": offset, "type": type_}
    picture = {name: value for name, value in said.items() if value is not None}
    battlemap, report = read_map(source, *(f"{key}={value}" for key, value in picture.items()))
    if not report.files or not Path(source).exists():
        raise click.UsageError(f"{source} is a sample map: copy it with `tactical convert {source} -o my.yaml`")
    file = Path(source)
    out = _still_free(file, target)
    name = rules or battlemap.rules or DEFAULT_RULES
    ruleset = get_ruleset(name)
    sizes: dict[str, object] = {"cell": _size(cell) or show(battlemap.cell), "unit": unit or battlemap.unit}
    guessed = not cell and not unit and any(line.about == "cell" for line in report.lines)
    if guessed:
        sizes = {"cell": show(ruleset.cell), "unit": ruleset.unit}
    standing = _placed(battlemap, movers)
    text = skeleton(
        battlemap,
        file=_beside(file, out, report.files),
        format=how_read("from_format") or ("picture" if report.format == "picture" else ""),
        options=pairs(how_read("imports"), "--import"),
        grid=sizes,
        rules=name,
        known_rules=RULESETS.names(),
        stats=example(ruleset),
        ground=ruleset.ground,
        movers=standing,
    )
    if target == "-":
        sys.stdout.write(text)
        return
    write_file(str(out), text.encode())
    if as_json:
        print_json("new", source=source, target=str(out), format=report.format, report=report.wire())
        return
    for line in report.of("warning", "ambiguous"):
        say(f"{source}: {as_typed(str(line))}")
    if guessed:
        wide = counted(sizes["cell"], str(sizes["unit"]))
        say(f"{out}: cells of {wide}, as {name} has them: {source} does not say how wide they are (--cell N --unit U)")
    _what_next(out, list(standing))


def _still_free(file: Path, target: str | None) -> Path:
    """The file to write, by default beside the one that is read.  Raises `click.UsageError` where it cannot be made."""
    out = Path(target) if target not in (None, "-") else file.with_suffix(SUFFIX)
    if target != "-" and out.exists():
        raise click.UsageError(f"there is a file {out} already: say -o OUT")
    if not out.parent.is_dir():
        raise click.UsageError(f"there is no folder {out.parent}")
    return out


def _what_next(out: Path, standing: list[str]) -> None:
    if len(standing) > 1:
        say(f"{out}: nobody is a foe yet: give {', '.join(standing)} a side each")
    after = "" if standing else "fill in its line of a figure, then "
    click.echo(f"wrote {out}: {after}`tactical reach {out} --mover {next(iter(standing), 'ID')}`")


def _size(cell: str | None) -> str | None:
    """The side of a cell as it was given.  Raises `click.UsageError` for none above 0: the map could not be read."""
    from tactical.values import length

    if cell:
        try:
            length(cell, "--cell")
        except (TypeError, ValueError) as error:
            raise click.UsageError(str(error)) from error
    return cell


def _placed(battlemap: Battlemap, movers: tuple[str, ...]) -> dict[str, str]:
    """Who stands where at once.  Raises `click.UsageError` for who stands where nobody can, or in two places."""
    out: dict[str, str] = {}
    for mover, place in (pair for word in movers for pair in pairs((word,), "--mover").items()):
        if mover in out:
            raise click.UsageError(f"--mover: {mover} is given twice")
        at = cell_of(battlemap, place)
        ground = battlemap.terrain(at)
        if ground.impassable:
            raise click.UsageError(f"--mover {mover}: {battlemap.name_of(at)} is {ground.name or 'impassable ground'}")
        out[mover] = battlemap.name_of(at)
    return out


def _beside(file: Path, out: Path, read: Iterable[str]) -> str:
    """The file's name as seen from the new map's folder, where it is copied to if it lies elsewhere.

    A map opens nothing outside its own folder.  Raises `click.UsageError` where something else has the copy's name.
    """
    from tactical import files

    folder = out.parent.resolve()
    if file.resolve().is_relative_to(folder):
        return file.resolve().relative_to(folder).as_posix()
    home = file.parent.resolve()
    parts = [Path(name).resolve() for name in read]
    if not file.is_file() or not all(part.is_file() and part.is_relative_to(home) for part in parts):
        raise click.UsageError(f"{out}: a map lies over a file in its own folder: copy {file} to {folder} first")
    copies = {folder / part.relative_to(home): part.read_bytes() for part in parts}
    for copy, data in copies.items():
        if copy.exists() and (not copy.is_file() or copy.read_bytes() != data):
            raise click.UsageError(f"{copy} is there already and is not the file read: say another folder with -o OUT")
    for copy, data in copies.items():
        if not copy.exists():
            copy.parent.mkdir(parents=True, exist_ok=True)
            files.put(copy, [data])
            say(f"copied {copy.name} to {out.parent}: a map lies over a file in its own folder")
    return file.resolve().relative_to(home).as_posix()


def example(ruleset: Ruleset) -> str:
    """An example of a figure's stats that the rules take, as a file holds it."""
    from tactical.rules.example import example_stats
    from tactical.units import show

    stats = example_stats(ruleset)
    return "{" + ", ".join(f"{name}: {show(value)}" for name, value in stats.items()) + "}" if stats else ""


COMMANDS = (new,)
