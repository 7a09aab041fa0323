"""What runs out for good: a row of small boxes, the spent ones empty."""

from __future__ import annotations

from tactical.show import choices
from tactical.show.choices import Left
from tactical.show.panel import MARGIN, Moment, Section, inner
from tactical.show.sheet import SMALL, Sheet


def data(moment: Moment) -> tuple[Left, ...] | None:
    """What is left of each such thing."""
    return choices.left(moment.reach) or None


def lay_out(sheet: Sheet, rows: tuple[Left, ...], y: float) -> float:
    """A row of boxes under its title."""
    for row in rows:
        words = row.note or SECTION.say("left.of", left=row.left, total=row.total)
        box = sheet.words(words, (sheet.width - MARGIN, y), SMALL, "dim", "right", 120)
        sheet.words(row.title, (MARGIN, y), SMALL, "text", "left", box[0] - MARGIN - 8)
        y += 17
        count = max(1, min(row.total, 24))
        gap = 3 if count <= 16 else 2
        each = (inner(sheet) - gap * (count - 1)) / count
        full = row.left if row.total <= count else round(row.left * count / row.total)
        for n in range(count):
            lit = n < full
            ink = ("good_line" if row.left * 4 > row.total else "warn_line") if lit else "card"
            sheet.plate((MARGIN + n * (each + gap), y, each, 8), ink, ink if lit else "line", 2)
        y += 16
    return y + 2


SECTION = Section("left", 60, data, lay_out)
