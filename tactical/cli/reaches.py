"""A reach as the command line tells it: a line a band, the map in chances, the JSON of its contract."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from tactical.cli.answers import wire_value
from tactical.errors import counted
from tactical.units import column_name, percent, spoken

if TYPE_CHECKING:
    from tactical.movement.reach import Reach
    from tactical.wire.views import ReachedCell


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
        least = f"from {spoken(band.minimum)} " if band.minimum else ""
        whole = "" if band.metres is None else f" ({spoken(band.metres)} {found.battlemap.unit} at its full rate)"
        lines.append(f"{band.title}: {least}to {counted(spoken(band.budget), found.unit)}{whole}, {cells}")
    lines += [f"{titles(found).get(name, name)}: no, {reason.text}" for name, reason in found.refused.items()]
    lines += [f"note: {note}" for note in (() if found.carried is None else found.carried.notes)]
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
            if cell == start:
                sign = "@"
            elif part is None:
                sign = "??" if found.turn(cell) == 1 else "."
            else:
                sign = "++" if part == 1 else percent(part).removesuffix("%")
            signs.append(sign)
            told.add(sign)
        rows.append(f"{row + 1:>{margin}}  " + " ".join(f"{sign:>{wide}}" for sign in signs).rstrip())
    words = {"@": found.mover.label, "++": "sure"}
    if any(sign.isdigit() for sign in told):
        words["34"] = "chance in per cent"
    if "??" in told:
        words["??"] = "in reach, its chance not known: the game master's number for a roll is missing"
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
        row.update(_rolled(found, one, odds, rolls))
    return {"map": source, **written}


def _rolled(found: Reach, one: ReachedCell, odds: bool, rolls: tuple[int, ...]) -> dict[str, object]:
    """What is asked about dice: the cell's chance, and where a move there ends with the totals given."""
    out: dict[str, object] = {}
    if odds:
        from tactical.wire.views import weighed_cell

        out |= weighed_cell(found, one)
    if rolls:
        from tactical.movement.declare import declare_route
        from tactical.play.resolve import NoTotal, resolve

        route = found.route(one.cell)
        move = declare_route(found.query, route) if route else route
        try:
            done = resolve(move, rolls) if move else None
        except NoTotal:
            done = None
        out["ends"] = found.battlemap.name_of(done.end.cell) if done and done.end is not None else None
        out["result"] = done.outcome.result if done else None
    return out
