"""The gaits: a row of buttons for two, a ladder of rows for more; those not open are grey and say why."""

from __future__ import annotations

from typing import NamedTuple

from tactical.show import choices
from tactical.show.choices import GaitButton, Rung
from tactical.show.panel import GAP, LINES, MARGIN, Moment, Section, inner
from tactical.show.sheet import NORMAL, SMALL, TINY, Sheet, Stretch


class Gaits(NamedTuple):
    """The gaits of a turn, and the speed ladder where the speed of the last round matters."""

    buttons: tuple[GaitButton, ...]
    ladder: tuple[Rung, ...]


def data(moment: Moment) -> Gaits | None:
    """The gaits, where there is a choice."""
    found = Gaits(choices.gaits(moment.reach, moment.session), choices.ladder(moment.reach))
    return found if len(found.buttons) > 1 or found.ladder else None


def lay_out(sheet: Sheet, offered: Gaits, y: float) -> float:
    """Two buttons, or the ladder."""
    buttons = offered.buttons
    if len(buttons) == 2 and not offered.ladder:
        width = (inner(sheet) - GAP) / 2
        for n, gait in enumerate(buttons):
            box = (MARGIN + n * (width + GAP), y, width, 26)
            label = f"{gait.title}  {gait.range}"
            sheet.pill(box, label, f"gait:{gait.name}", on=gait.chosen, possible=not gait.refused,
                       hint=gait.refused or SECTION.say("hint.gait"))  # fmt: skip
        return y + 34
    y = _ladder_head(sheet, offered, y)
    for gait in reversed(buttons) if offered.ladder else buttons:
        y = _rung(sheet, gait, y)
    stop = next((rung for rung in offered.ladder if rung.name == "stop"), None)
    # where room is short a stop that may be made is not worth a row: it is neither chosen nor refused here
    if stop is not None and (stop.before or not stop.open or sheet.lines > LINES[-1]):
        words = "" if stop.open else SECTION.say("ladder.no_stop")
        rest = GaitButton("", stop.title, "", "", "", before=stop.before, refused=words, short=words)
        y = _rung(sheet, rest, y)
    return y + 6


def _ladder_head(sheet: Sheet, offered: Gaits, y: float) -> float:
    sheet.words(SECTION.say("ladder" if offered.ladder else "gaits"), (MARGIN, y), NORMAL)
    before = next((rung.title for rung in offered.ladder if rung.before), "")
    words = SECTION.say("ladder.before", speed=before) if before else SECTION.say("gaits.key")
    sheet.words(words, (sheet.width - MARGIN, y + 1), SMALL, "dim", "right", inner(sheet) - 80)
    return y + 20


def _rung(sheet: Sheet, gait: GaitButton, y: float) -> float:
    """One row of the ladder: a mark for the speed before, the name, how far, the price, or why not, in full."""
    width, right = inner(sheet), sheet.width - MARGIN - 8
    x = MARGIN + 13.0 + (15 if gait.before else 0)
    beside = right - 20 - (x + min(110, sheet.measure(gait.title, SMALL)) + 8)
    why = sheet.wrapped(gait.short, TINY, width - 26) if sheet.measure(gait.short, TINY) > beside else []
    box = (MARGIN, y, width, 22.0 + 13 * len(why))
    sheet.plate(box, "accent" if gait.chosen else "card", "accent_line" if gait.chosen else "card", 4)
    if gait.role:
        sheet.marks.append(Stretch((MARGIN, y + 2, 5, box[3] - 4), gait.role, "rim"))
    ink = "text" if not gait.refused and gait.name else "faint" if gait.refused else "dim"
    if gait.before:
        sheet.sign("arrow", (MARGIN + 17, y + 11), 6, "accent_line")
    named = sheet.words(gait.title, (x, y + 5), SMALL, ink, "left", 110)
    if gait.refused:
        sheet.sign("cross", (right - 3, y + 11), 5, "bad_line")
        for n, line in enumerate(why):
            sheet.words(line, (MARGIN + 13, y + 20 + 13 * n), TINY, "dim")
        if not why:
            sheet.words(gait.short, (right - 14, y + 6), TINY, "dim", "right")
    else:
        far = sheet.words(gait.range, (right, y + 5), SMALL, "dim", "right")
        note = " ".join(word for word in (gait.note, gait.action) if word)
        if note:
            ink = "dim" if note == gait.note and not gait.action else "warn_line"
            sheet.words(note, (far[0] - 8, y + 6), TINY, ink, "right", max(20, far[0] - 14 - named[0] - named[2] - 8))
    if gait.name:
        sheet.button(box, f"gait:{gait.name}", gait.refused or SECTION.say("hint.gait"))
    elif gait.refused:
        sheet.hints.append((box, gait.refused))
    return y + box[3] + 2


SECTION = Section("gaits", 40, data, lay_out)
