"""The help: keys and mouse in groups, with a filter to type; and the few hints of the first start.

Knows no pygame.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tactical.show.glossary import GLOSSARY
from tactical.show.labels import say
from tactical.show.sheet import HUGE, NORMAL, SMALL, Measure, Sheet
from tactical.viewer.controls import grouped

ROW, HEAD, COLUMN = 22.0, 56.0, 400.0
"""Height of a row and of what stands above them all, width of a column at the most."""
INDENT, NEAR = 118.0, 58.0
"""Where the words of a line begin in its column; those of the glossary stand near."""
MOST = 24
"""Letters of a filter at the most."""

Line = tuple[str, str]
"""What is pressed and what it does; a heading has only the first."""


@dataclass
class Help:
    """The help while it is open: what is typed to look for, and the first line that is shown; while a map is edited
    the edit mode comes first.
    """

    sought: str = ""
    first: int = 0
    editing: tuple[Line, ...] = ()

    def type(self, letter: str) -> bool:
        """Add a letter to what is looked for (an empty one takes the last away); False where it is no letter."""
        if letter and (not letter.isprintable() or (not self.sought and letter == " ")):
            return False
        self.sought = (self.sought + letter)[:MOST] if letter else self.sought[:-1]
        self.first = 0
        return True


def lines(sought: str = "", editing: Sequence[Line] = ()) -> tuple[Line, ...]:
    """All lines, or those with the words that are looked for, under their headings; the edit mode's first in it."""
    out: list[Line] = []
    told = ((say("edit"), tuple(editing)),) if editing else ()
    words = (say("help.words"), tuple(GLOSSARY.items()))
    for group, rows in (*told, *grouped(), words):
        found = [row for row in rows if all(word in f"{row[0]} {row[1]} {group}".lower() for word in sought.split())]
        if found:
            out += [(group, ""), *found]
    return tuple(out)


def page(measure: Measure, width: float, height: float, shown: Help) -> Sheet:
    """The help on a sheet: as many columns as the width has room for, and as many lines as the height."""
    columns = int(max(1, min(3, (width - 64) // 330)))
    column = min(COLUMN, (width - 64) / columns)
    every = broken(Sheet(column, measure), lines(shown.sought.lower(), shown.editing), column)
    fits = max(3, int((height - HEAD - 44) // ROW))
    rows = min(fits, -(-len(every) // columns) + 1)
    shown.first = max(0, min(shown.first, len(every) - columns * rows + 2))
    sheet = Sheet(columns * column + 40, measure, height=HEAD + rows * ROW + 34)
    sheet.plate((0, 0, sheet.width, sheet.height), "panel", "line", 10)
    title = sheet.words(say("help"), (20, 16), HUGE)
    box = (title[0] + title[2] + 24, 11.0, min(220.0, max(90.0, sheet.width - title[2] - 280)), 28.0)
    sheet.plate(box, "bar", "accent_line" if shown.sought else "line", 5)
    words = shown.sought or say("help.filter")
    sheet.words(words, (box[0] + 10, 18), SMALL, "text" if shown.sought else "faint", "left", box[2] - 20)
    right = box[0] + box[2] + 12
    room = sheet.width - 20 - right
    close = sheet.wording((say("help.close"), say("help.close.short")), SMALL, room)
    sheet.words(close, (sheet.width - 20, 18), SMALL, "dim", "right", room)
    if not every:
        sheet.words(say("help.nothing"), (20, HEAD + 4), SMALL, "dim")
    place, told, begin = 0, 0, INDENT
    for line in every[shown.first :]:
        heading = bool(line[0]) and not line[1]
        if heading and place % rows == rows - 1:
            place += 1  # no heading alone at the foot of a column
        if place >= columns * rows:
            break
        told += 1
        x, y = 20 + (place // rows) * column, HEAD + (place % rows) * ROW
        place += 1
        if heading:
            sheet.words(line[0], (x, y + 3), NORMAL, "accent_line", "left", column - 20)
            continue
        if line[0]:
            begin = _begin(sheet, line[0], x, y)
        sheet.words(line[1], (x + begin, y + 4), SMALL, "text", "left", column - 14 - begin)
    if told < len(every) - shown.first or shown.first:
        sheet.words(say("help.more"), (20, sheet.height - 24), SMALL, "dim", "left", sheet.width - 40)
    return sheet


def broken(sheet: Sheet, every: Sequence[Line], column: float) -> tuple[Line, ...]:
    """The lines, broken to the width of a column: what goes on has no key of its own, and stands below."""
    out: list[Line] = []
    for keys, words in every:
        if not words:
            out.append((keys, words))
            continue
        begin = _begin(sheet, keys, 0, 0)
        parts = sheet.wrapped(words, SMALL, column - 14 - begin)
        out += [(keys if not n else "", part) for n, part in enumerate(parts)]
    return tuple(out)


def _begin(sheet: Sheet, keys: str, x: float, y: float) -> float:
    """Write what is pressed; gives where its words begin, from its own left."""
    end = _caps(sheet, keys, x, y) - x
    return max(end + 12, NEAR) if keys in GLOSSARY else max(end + 8, INDENT)


def _caps(sheet: Sheet, keys: str, x: float, y: float) -> float:
    """Keys as caps; what the mouse does in plain words.  Gives where they end."""
    if keys[0].islower():
        box = sheet.words(keys, (x, y + 4), SMALL, "dim", "left", 150)
        return box[0] + box[2]
    for key in keys.split():
        wide = sheet.measure(key, SMALL) + 12
        sheet.plate((x, y, wide, ROW - 3), "card", "line", 4)
        sheet.words(key, (x + wide / 2, y + 4), SMALL, "accent_line", "middle")
        x += wide + 4
    return x


def bubbles(measure: Measure, hints: Sequence[str]) -> tuple[Sheet, ...]:
    """The hints of the first start, each in a bubble of its own."""
    out = []
    for hint in hints:
        sheet = Sheet(250, measure)
        parts = sheet.wrapped(hint, SMALL, 222)
        sheet.height = 17.0 * len(parts) + 16
        sheet.plate((0, 0, 250, sheet.height), "accent", "accent_line", 8, 2)
        for n, part in enumerate(parts):
            sheet.words(part, (14, 10 + 17 * n), SMALL)
        out.append(sheet)
    return tuple(out)
