"""`tactical reach`: every cell a mover can get to, in bands, at the cheapest price."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import click

from tactical.cli.answers import print_json, say, wire_value
from tactical.cli.inputs import known_posture, level_of, mover_options, read_options, situation
from tactical.cli.pictures import drawer_for, text_of, write_picture
from tactical.errors import counted
from tactical.units import column_name, show, wire

if TYPE_CHECKING:
    from tactical.movement.reach import Reach
    from tactical.units import Cell


@click.command()
@read_options
@mover_options
@click.option("--arrive", metavar="POSTURE", help="Only where it can end in this posture.")
@click.option("--odds", is_flag=True, help="Each cell's chance of being reached this turn, under its best gait.")
@click.option("--roll", "rolls", multiple=True, type=int, metavar="N", help="With --json: where moves end so.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.option("--png", "picture", metavar="OUT", help="Also draw it into OUT (.png or .svg).")
@click.option("--level", metavar="NAME", help="Floor to show, instead of all that are reached.")
def reach(
    source: str,
    from_format: str | None,
    imports: tuple[str, ...],
    arrive: str | None,
    odds: bool,
    rolls: tuple[int, ...],
    as_json: bool,
    picture: str | None,
    level: str | None,
    **given: Any,
) -> None:
    """Show where a mover can get to.

    Prints a text map with bands, or every cell as JSON.  On a map without movers --at CELL alone makes a nameless
    one, under --rules NAME (plain if nothing is said).
    """
    if rolls and not as_json:
        raise click.UsageError("--roll tells where every move ends, which only --json prints; or ask `tactical path`")
    if picture:
        drawer_for(picture)
    if arrive and odds:
        raise click.UsageError("--arrive: the odds are those of ending on a cell, in whatever posture")
    from tactical.rules.ruleset import get_ruleset

    moment = situation(source, from_format, imports, **given)
    if arrive:
        known_posture(arrive, get_ruleset(moment.rules).postures, moment.rules)
    found = moment.reach(arrive=arrive or "")
    shown = None if level is None else level_of(moment.battlemap, level)
    if picture:
        chances = {cell: best.chance for cell, best in found.chances.items()} if odds else None
        write_picture(picture, moment.battlemap, found, level=shown, odds=chances)
        say(f"wrote {picture}")
    if as_json:
        print_json("reach", **answer(source, found, odds=odds, rolls=rolls, level=shown))
    else:
        for floor in floors(found) if shown is None else [shown]:
            heading = f"level {moment.battlemap.level_names[floor]}:\n" if len(moment.battlemap.levels) > 1 else ""
            drawn = percentages(found, floor) if odds else text_of(moment.battlemap, found, level=floor)
            click.echo(heading + drawn)
        click.echo(headline(found))


def headline(found: Reach) -> str:
    """Who reaches how far, in one line a band."""
    name = found.battlemap.name_of
    how = found.profile.summary or found.ruleset
    lines = [f"{found.mover.label} at {name(found.start.cell)}, {found.start.posture}; {how}"]
    for band in found.bands:
        count = len(found.cells(band))
        if not count and band.turn > 1:
            continue
        cells = f"{count} cell{'s' if count != 1 else ''}"
        least = f"from {show(band.minimum)} " if band.minimum else ""
        whole = "" if band.metres is None else f" ({show(band.metres)} {found.battlemap.unit} on good ground)"
        lines.append(f"{band.title}: {least}to {counted(show(band.budget), found.unit)}{whole}, {cells}")
    lines += [f"{titles(found).get(name, name)}: no, {reason.text}" for name, reason in found.refused.items()]
    return "\n".join(lines)


def titles(found: Reach) -> dict[str, str]:
    """What players call the gaits."""
    return {gait.name: gait.title or gait.name for gait in found.profile.gaits}


def floors(found: Reach) -> list[int]:
    """The start's level and every other with a cell that is reached."""
    return sorted({found.start.cell.level, *(cell.level for cell in found.cells())})


def percentages(found: Reach, level: int) -> str:
    """The map of a level with every cell's chance in per cent, rulers beside it and below what its signs mean."""
    start, battlemap = found.start.cell, found.battlemap
    heads = [column_name(col) for col in range(battlemap.cols)]
    wide, margin = max(2, *map(len, heads)), len(str(battlemap.rows))
    rows, told = [" " * margin + "  " + " ".join(f"{head:>{wide}}" for head in heads)], set[str]()
    for row in range(battlemap.rows):
        signs = []
        for col in range(battlemap.cols):
            cell = start._replace(col=col, row=row, level=level)
            part = found.odds(cell)
            sign = "" if part is None else "++" if part == 1 else f"{max(int(part * 100), 1) if part else 0}"
            signs.append("@" if cell == start else sign or ".")
            told.add(sign)
        rows.append(f"{row + 1:>{margin}}  " + " ".join(f"{sign:>{wide}}" for sign in signs).rstrip())
    words = {"@": found.mover.label, "++": "sure"}
    if any(sign.isdigit() for sign in told):
        words["34"] = "chance in per cent"
    words["."] = "out of reach this turn"
    legend = [f"{sign:<2} {text}" for sign, text in words.items()]
    return "\n".join([*rows, "", *legend])


def answer(
    source: str, found: Reach, *, odds: bool = False, rolls: tuple[int, ...] = (), level: int | None = None
) -> dict[str, object]:
    """The reach as the JSON contract has it, on all levels or on one."""
    from tactical.wire.views import Reached

    plain = Reached.of(found)
    rows = [one for one in plain.reached if level in (None, one.cell.level)]
    written = wire_value(replace(plain, reached=tuple(rows)), found.battlemap)
    for one, row in zip(rows, written["cells"], strict=True):
        row.update(_rolled(found, one.cell, odds, rolls))
    return {"map": source, **written}


def _rolled(found: Reach, cell: Cell, odds: bool, rolls: tuple[int, ...]) -> dict[str, object]:
    """What is asked about dice: the cell's chance, and where a move there ends with the totals given."""
    out: dict[str, object] = {}
    if odds:
        chance = found.chances.get(cell)
        out["chance"] = None if chance is None else wire(chance.chance)
        out["chance_gait"] = None if chance is None else chance.gait
        out["own_chance"] = _own_chance(found, cell)
    if rolls:
        from tactical.movement.declare import declare_route
        from tactical.play.resolve import NoTotal, resolve

        route = found.route(cell)
        move = declare_route(found.query, route) if route else route
        try:
            done = resolve(move, rolls) if move else None
        except NoTotal:
            done = None
        out["ends"] = found.battlemap.name_of(done.end.cell) if done and done.end is not None else None
        out["result"] = done.outcome.result if done else None
    return out


def _own_chance(found: Reach, cell: Cell) -> object:
    """The chance to end there by the row's own way; less than `chance` where another way is likelier."""
    from tactical.movement.declare import declare_route
    from tactical.movement.odds import there

    route = found.route(cell)
    move = declare_route(found.query, route) if route else None
    part = there(move) if move else None
    return wire(part) if isinstance(part, Fraction) else None


COMMANDS = (reach,)
