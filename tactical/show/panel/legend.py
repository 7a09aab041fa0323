"""What the signs on the map mean, in two columns: beside a picture all of them, in the window as many as fit."""

from __future__ import annotations

from dataclasses import dataclass

from tactical.show.panel import MARGIN, Moment, Section, inner
from tactical.show.scene.shapes import Entry
from tactical.show.sheet import LARGE, SMALL, Sample, Sheet

FOOT = 66
"""Height of the hints below it."""


@dataclass(frozen=True, slots=True)
class Signs:
    """The entries; `whole` where all are to be shown, however many there are."""

    entries: tuple[Entry, ...]
    whole: bool = True


def data(moment: Moment) -> Signs | None:
    """The signs that are on the map."""
    return Signs(moment.entries, not moment.hints) if moment.legend and moment.entries else None


def lay_out(sheet: Sheet, signs: Signs, y: float) -> float:
    """A sample of each with its words; of what does not fit it is told how many there are and how to see them."""
    entries = signs.entries
    rows = -(-len(entries) // 2)
    if not signs.whole and sheet.height:
        rows = min(rows, max(0, int((sheet.height - FOOT - y - 26) // 24)))
    sheet.words(SECTION.say("legend"), (MARGIN, y), LARGE)
    hidden = len(entries) - 2 * rows
    if hidden > 0:
        words = SECTION.say("more", n=hidden)
        box = sheet.words(words, (sheet.width - MARGIN, y + 2), SMALL, "accent_line", "right")
        sheet.button((box[0] - 4, y - 4, box[2] + 8, 22), "legend", SECTION.say("whole"))
    y += 22
    width = inner(sheet) / 2
    for n, entry in enumerate(entries[: 2 * rows]):
        x, top = MARGIN + (n % 2) * width, y + n // 2 * 24
        sheet.marks.append(Sample(entry.role, x, top))
        sheet.words(entry.text, (x + 36, top + 3), SMALL, "text", "left", width - 40)
    return y + rows * 24 + 4


SECTION = Section("legend", 200, data, lay_out, {"more": "{n} more: L", "whole": "the whole legend"}, always=True)
