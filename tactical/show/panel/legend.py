"""What the signs on the map mean, in two columns: beside a picture all of them, in the window as many as fit."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tactical.show.panel import MARGIN, Moment, Section, inner
from tactical.show.scene.shapes import Entry
from tactical.show.sheet import LARGE, SMALL, Sample, Sheet

FOOT = 66
"""Height of the hints below it."""
LEAST = 3
"""Rows for which a longer list gives way: the colours of a reach."""


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
    rows = list(_rows(sheet, signs.entries))
    if not signs.whole and sheet.height:
        room = max(0, int((sheet.height - FOOT - y - 26) // 24))
        sheet.squeezed |= room < min(LEAST, len(rows))
        rows = rows[:room]
    sheet.words(SECTION.say("legend"), (MARGIN, y), LARGE)
    hidden = len(signs.entries) - sum(map(len, rows))
    if hidden > 0:
        words = SECTION.say("more", n=hidden)
        box = sheet.words(words, (sheet.width - MARGIN, y + 2), SMALL, "accent_line", "right")
        sheet.button((box[0] - 4, y - 4, box[2] + 8, 22), "legend", SECTION.say("whole"))
    y += 22
    for row in rows:
        width = inner(sheet) / 2 if len(row) > 1 else inner(sheet)
        for n, entry in enumerate(row):
            sheet.marks.append(Sample(entry.role, MARGIN + n * width, y))
            sheet.words(entry.text, (MARGIN + n * width + 36, y + 3), SMALL, "text", "left", width - 40)
        y += 24
    return y + 4


def _rows(sheet: Sheet, entries: Sequence[Entry]) -> Iterator[tuple[Entry, ...]]:
    """Two entries a row; one whose words need more than half of the width has a row of its own."""
    waiting: list[Entry] = []
    for entry in entries:
        if sheet.measure(entry.text, SMALL) > inner(sheet) / 2 - 40:
            if waiting:
                yield (waiting.pop(),)
            yield (entry,)
        elif waiting:
            yield waiting.pop(), entry
        else:
            waiting.append(entry)
    if waiting:
        yield (waiting.pop(),)


SECTION = Section("legend", 200, data, lay_out, {"more": "{n} more: L", "whole": "the whole legend"}, always=True)
