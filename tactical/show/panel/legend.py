"""What the signs on the map mean, in two columns."""

from __future__ import annotations

from tactical.show.panel import MARGIN, Moment, Section, inner
from tactical.show.scene.shapes import Entry
from tactical.show.sheet import LARGE, SMALL, TINY, Sample, Sheet


def data(moment: Moment) -> tuple[Entry, ...] | None:
    """The signs that are on the map."""
    return moment.entries if moment.legend and moment.entries else None


def lay_out(sheet: Sheet, entries: tuple[Entry, ...], y: float) -> float:
    """A sample of each with its words."""
    sheet.words(SECTION.say("legend"), (MARGIN, y), LARGE)
    y += 22
    width = inner(sheet) / 2
    for n, entry in enumerate(entries):
        x, top = MARGIN + (n % 2) * width, y + n // 2 * 24
        sheet.marks.append(Sample(entry.role, x, top))
        size = SMALL if sheet.measure(entry.text, SMALL) <= width - 40 else TINY
        sheet.words(entry.text, (x + 36, top + 3), size, "text", "left", width - 38)
    return y + (-(-len(entries) // 2)) * 24 + 4


SECTION = Section("legend", 200, data, lay_out, always=True)
