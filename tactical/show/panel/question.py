"""What a paused move waits for, the number typed in so far, and the buttons."""

from __future__ import annotations

from tactical.show.panel import GAP, MARGIN, Moment, Section, inner
from tactical.show.rolls import Question
from tactical.show.rolls import question as waiting
from tactical.show.sheet import NORMAL, SMALL, Sheet


def data(moment: Moment) -> Question | None:
    """The question, if a move waits."""
    if moment.session is None:
        return None
    return waiting(moment.session, moment.typed, moment.number, referee=moment.referee)


def lay_out(sheet: Sheet, asked: Question, y: float) -> float:
    """The question, the box for a total with what it means, the buttons."""
    width = inner(sheet)
    lines = sheet.wrapped(asked.text, NORMAL, width - 50)
    extra = (sheet.wrapped(asked.verdict, SMALL, width - 24) if asked.verdict else []) if asked.entry else []
    height = 18 + 19 * len(lines) + (34 if asked.entry else 0) + 17 * len(extra) + 38
    sheet.plate((MARGIN, y, width, height), "bad", "bad_line", 7, 2)
    sheet.sign(asked.icon, (MARGIN + 20, y + 20), 11, "bad_line")
    top = y + 13
    for line in lines:
        sheet.words(line, (MARGIN + 40, top), NORMAL)
        top += 19
    if asked.entry:
        box = (MARGIN + 10, top + 3, width - 20, 26)
        sheet.plate(box, "bar", "accent_line" if asked.typed else "line", 4)
        key = ("roll.number." if asked.number else "roll.") + ("typed" if asked.typed else "type")
        words = SECTION.say(key, typed=asked.typed)
        sheet.words(words, (box[0] + 10, box[1] + 7), SMALL, "text" if asked.typed else "faint", "left", width - 40)
        top += 34
        for line in extra:
            sheet.words(line, (MARGIN + 12, top), SMALL, "good_line" if asked.good else "warn_line")
            top += 17
    each = (width - 16 - GAP * (len(asked.buttons) - 1)) / len(asked.buttons)
    for n, (label, command) in enumerate(asked.buttons):
        place = (MARGIN + 8 + n * (each + GAP), y + height - 36, each, 28)
        why = asked.closed.get(command, "")
        sheet.pill(place, label, command, on=n == 0 and not command.startswith("number:"), possible=not why, hint=why)
    return y + height + 10


SECTION = Section("question", 20, data, lay_out)
