"""The table of what a roll can bring: the chance in the colour of the result, and the words."""

from __future__ import annotations

from tactical.show import rolls
from tactical.show.panel import MARGIN, Moment, Section, inner
from tactical.show.rolls import Brought
from tactical.show.sheet import NORMAL, SMALL, Sheet


def data(moment: Moment) -> tuple[Brought, ...] | None:
    """What the roll of the way can bring; nothing where it can only go well, which a remark says."""
    found = () if moment.way is None else rolls.outcomes(moment.reach, moment.way)
    return found if any(row.kind != "good" for row in found) else None


def lay_out(sheet: Sheet, rows: tuple[Brought, ...], y: float) -> float:
    """Each in full: they are what a move that is rolled for is chosen by, and long lists below give way to them."""
    sheet.words(SECTION.say("outcomes"), (MARGIN, y), NORMAL)
    y += 21
    for row in rows:
        sheet.words(row.chance, (MARGIN + 38, y), SMALL, f"{row.kind}_line", "right")
        ink, room = "text" if row.kind == "good" else "dim", inner(sheet) - 50
        for line in sheet.wrapped(row.text, SMALL, room):
            sheet.words(line, (MARGIN + 50, y), SMALL, ink)
            y += 17
        y += 3
    return y + 6


SECTION = Section("outcomes", 80, data, lay_out)
