"""The sections of the panel, each put on a sheet from `y` down; every one returns where the next begins."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from tactical.show.brief import Budget, PostureButton
from tactical.show.choices import Choice, GaitButton, Left
from tactical.show.labels import say
from tactical.show.rolls import Brought, Note, Question
from tactical.show.scene.shapes import Entry
from tactical.show.sheet import HUGE, LARGE, NORMAL, SMALL, TINY, Figure, Line, Sample, Sheet, Stretch
from tactical.units import show

if TYPE_CHECKING:
    from tactical.show.panel import Page

MARGIN, GAP = 16, 6
LINES = 7
"""Lines of the ledger that are shown while it is not spread out."""


def _inner(sheet: Sheet) -> float:
    return sheet.width - 2 * MARGIN


def who(sheet: Sheet, page: Page) -> float:
    """The token, the name, and what the rule system says in a line or two."""
    sheet.marks.append(Figure(page.role, page.posture, 36, 31, 50))
    sheet.words(page.name, (68, 13), HUGE, "text", "left", sheet.width - 84)
    y = 37.0
    for line in sheet.wrapped(page.summary, SMALL, sheet.width - 84)[:3]:
        sheet.words(line, (68, y), SMALL, "dim")
        y += 17
    return max(66.0, y + 7)


def question(sheet: Sheet, asked: Question, y: float) -> float:
    """What a paused move waits for, the number typed in so far, and the buttons."""
    width = _inner(sheet)
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
        words = say("roll.typed", typed=asked.typed) if asked.typed else say("roll.type")
        sheet.words(words, (box[0] + 10, box[1] + 7), SMALL, "text" if asked.typed else "faint", "left", width - 40)
        top += 34
        for line in extra:
            sheet.words(line, (MARGIN + 12, top), SMALL, "good_line" if asked.good else "warn_line")
            top += 17
    each = (width - 16 - GAP * (len(asked.buttons) - 1)) / len(asked.buttons)
    for n, (label, command) in enumerate(asked.buttons):
        place = (MARGIN + 8 + n * (each + GAP), y + height - 36, each, 28)
        sheet.pill(place, label, command, on=n == 0)
    return y + height + 10


def postures(sheet: Sheet, buttons: Sequence[PostureButton], y: float) -> float:
    """One button for each posture, with its price."""
    if len(buttons) < 2:
        return y
    width = (_inner(sheet) - GAP * (len(buttons) - 1)) / len(buttons)
    for n, button in enumerate(buttons):
        x = MARGIN + n * (width + GAP)
        lit = button.now or button.planned
        sheet.plate((x, y, width, 58), "accent" if button.now else "card", "accent_line" if lit else "line", 7,
                    2 if button.planned else 1)  # fmt: skip
        ink = "text" if button.possible else "faint"
        middle = x + width / 2
        sheet.sign(button.posture, (middle, y + 22), 15, ink)
        sheet.words(button.label, (middle, y + 41), SMALL, ink, "middle")
        sheet.words(str(n + 1), (x + width - 6, y + 5), SMALL, "dim", "right")
        price = say("arrive") if button.planned else button.price
        sheet.words(price, (middle, y + 62), SMALL, "accent_line" if lit else "dim", "middle", width)
        sheet.button((x, y, width, 58), f"posture_{button.posture}", say("hint.posture", n=n + 1))
    return y + 86


def gaits(sheet: Sheet, page: Page, y: float) -> float:
    """The gaits: a row of buttons for two, a ladder of rows for more; those not open are grey and say why."""
    buttons = page.gaits
    if len(buttons) < 2 and not page.ladder:
        return y
    if len(buttons) == 2 and not page.ladder:
        width = (_inner(sheet) - GAP) / 2
        for n, gait in enumerate(buttons):
            box = (MARGIN + n * (width + GAP), y, width, 26)
            label = f"{gait.title}  {gait.range}"
            sheet.pill(box, label, f"gait:{gait.name}", on=gait.chosen, possible=not gait.refused,
                       hint=gait.refused or say("hint.gait"))  # fmt: skip
        return y + 34
    y = _ladder_head(sheet, page, y)
    for gait in reversed(buttons) if page.ladder else buttons:
        y = _rung(sheet, gait, y)
    if page.ladder and (stop := next((rung for rung in page.ladder if rung.name == "stop"), None)) is not None:
        words = "" if stop.open else say("ladder.no_stop")
        rest = GaitButton("", stop.title, "", "", "", before=stop.before, refused=words, short=words)
        y = _rung(sheet, rest, y)
    return y + 6


def _ladder_head(sheet: Sheet, page: Page, y: float) -> float:
    sheet.words(say("ladder" if page.ladder else "gaits"), (MARGIN, y), NORMAL)
    before = next((rung.title for rung in page.ladder if rung.before), "")
    words = say("ladder.before", speed=before) if before else say("gaits.key")
    sheet.words(words, (sheet.width - MARGIN, y + 1), SMALL, "dim", "right", _inner(sheet) - 80)
    return y + 20


def _rung(sheet: Sheet, gait: GaitButton, y: float) -> float:
    """One row of the ladder: a mark for the speed before, the name, how far, the price, or why not."""
    width = _inner(sheet)
    box = (MARGIN, y, width, 22)
    sheet.plate(box, "accent" if gait.chosen else "card", "accent_line" if gait.chosen else "card", 4)
    if gait.role:
        sheet.marks.append(Stretch((MARGIN, y + 2, 5, 18), gait.role, "rim"))
    ink = "text" if not gait.refused and gait.name else "faint" if gait.refused else "dim"
    x = MARGIN + 13.0
    if gait.before:
        sheet.sign("arrow", (x + 4, y + 11), 6, "accent_line")
        x += 15
    named = sheet.words(gait.title, (x, y + 5), SMALL, ink, "left", 110)
    x = named[0] + named[2] + 8
    right = MARGIN + width - 8
    if gait.refused:
        sheet.sign("cross", (right - 3, y + 11), 5, "bad_line")
        sheet.words(gait.short, (right - 14, y + 6), TINY, "dim", "right", max(20, right - 20 - x))
    else:
        far = sheet.words(gait.range, (right, y + 5), SMALL, "dim", "right")
        note = " ".join(word for word in (gait.note, gait.action) if word)
        if note:
            ink = "dim" if note == gait.note and not gait.action else "warn_line"
            sheet.words(note, (far[0] - 8, y + 6), TINY, ink, "right", max(20, far[0] - 14 - x))
    if gait.name:
        sheet.button(box, f"gait:{gait.name}", gait.refused or say("hint.gait"))
    elif gait.refused:
        sheet.hints.append((box, gait.refused))
    return y + 24


def orders(sheet: Sheet, page: Page, y: float) -> float:
    """Actions in a row, doors below them, each as wide as the row."""
    if page.acts:
        width = (_inner(sheet) - GAP * (len(page.acts) - 1)) / len(page.acts)
        for n, choice in enumerate(page.acts):
            _order(sheet, choice, (MARGIN + n * (width + GAP), y, width, 26))
        y += 32
    for choice in page.doors:
        _order(sheet, choice, (MARGIN, y, _inner(sheet), 26))
        y += 32
    return y + (2 if page.acts or page.doors else 0)


def _order(sheet: Sheet, choice: Choice, box: tuple[float, float, float, float]) -> None:
    hint = choice.refused or say("hint.key", key=choice.key)
    sheet.pill(box, choice.label, choice.command, on=choice.on, possible=not choice.refused, hint=hint,
               sign=choice.sign)  # fmt: skip


def left(sheet: Sheet, rows: Sequence[Left], y: float) -> float:
    """What runs out: a row of small boxes, the spent ones empty."""
    for row in rows:
        words = row.note or say("left.of", left=row.left, total=row.total)
        box = sheet.words(words, (sheet.width - MARGIN, y), SMALL, "dim", "right", 120)
        sheet.words(row.title, (MARGIN, y), SMALL, "text", "left", box[0] - MARGIN - 8)
        y += 17
        count = max(1, min(row.total, 24))
        gap = 3 if count <= 16 else 2
        each = (_inner(sheet) - gap * (count - 1)) / count
        full = row.left if row.total <= count else round(row.left * count / row.total)
        for n in range(count):
            lit = n < full
            ink = ("good_line" if row.left * 4 > row.total else "warn_line") if lit else "card"
            sheet.plate((MARGIN + n * (each + gap), y, each, 8), ink, ink if lit else "line", 2)
        y += 16
    return y + (2 if rows else 0)


def budget(sheet: Sheet, bar: Budget | None, y: float) -> float:
    """The budget as a bar: each step a part, each gait its own colour and pattern, a tick where a gait ends."""
    if bar is None or bar.total <= 0:
        return y
    title = say("budget") if bar.turn == 1 else say("budget.later", n=bar.turn)
    sheet.words(title, (MARGIN, y), NORMAL)
    sheet.words(bar.words, (sheet.width - MARGIN, y), NORMAL, f"rim:{bar.role}", "right")
    top, width, high = y + 20, _inner(sheet), 28.0

    def at(value: object) -> float:
        return MARGIN + round(float(value / bar.total) * width)  # type: ignore[operator]

    sheet.plate((MARGIN, top, width, high), "card", "line", 0)
    before = bar.total * 0
    for most, role, _ in bar.ends:
        if most > before:
            sheet.marks.append(Stretch((at(before), top, at(most) - at(before), high), role, "empty"))
            last = min(bar.used, most)
            if last > before:
                sheet.marks.append(Stretch((at(before), top, at(last) - at(before), high), role))
        before = max(before, most)
    edge = bar.total * 0
    for part in bar.parts:
        x0, x1 = at(edge), at(min(edge + part.cost, bar.total))
        edge += part.cost
        if part.spent:
            sheet.marks.append(Stretch((x0, top, x1 - x0, high), part.role, "past"))
        sheet.marks.append(Line(x1, top, x1, top + high - 1, "bar"))
        words = show(part.cost)
        wide = sheet.measure(words, SMALL)
        if x1 - x0 >= wide + 14 and part.cost > 5:
            middle = (x0 + x1) / 2
            sheet.plate((middle - wide / 2 - 5, top + 6, wide + 10, 17), "dark", "dark", 8)
            sheet.words(words, (middle, top + 9), SMALL, "text", "middle")
    for most, _, _ in bar.ends[:-1]:
        sheet.marks.append(Line(at(most), top - 4, at(most), top + high + 3, "text", True))
    if bar.least:
        sheet.sign("least", (at(bar.least), top + high + 4), 5, "text")
        sheet.words(say("budget.least"), (at(bar.least) + 8, top + high + 1), TINY, "dim")
    labels = bar.ends if len(bar.ends) <= 2 else (bar.ends[0], bar.ends[-1])
    below = top + high + (16 if bar.least else 5)
    for n, (_, role, text) in enumerate(labels):
        right = n == len(labels) - 1 and n > 0
        anchor = "right" if right else "left"
        sheet.words(text, (MARGIN + width if right else MARGIN, below), SMALL, f"rim:{role}", anchor)
    return below + 23


def why(sheet: Sheet, page: Page, y: float) -> float:
    """The ledger: reason, price and running sum; with `explain` the clause of each line below it."""
    sheet.words(say("why"), (MARGIN, y), NORMAL)
    key = sheet.words(say("explain_key"), (sheet.width - MARGIN, y + 1), SMALL, "dim", "right")
    sheet.button((key[0] - 4, y - 3, key[2] + 8, 20), "explain", say("hint.explain"))
    y += 20
    if page.refused:
        return notes(sheet, [Note("bad", "cross", page.refused)], y + 2)
    if not page.reasons:
        for line in sheet.wrapped(say("no_route"), SMALL, _inner(sheet)):
            sheet.words(line, (MARGIN, y), SMALL, "faint")
            y += 18
        return y + 8
    shown = page.reasons if page.explain else page.reasons[:LINES]
    step = 34 if page.explain else 23
    end = sheet.width - MARGIN
    for reason in shown:
        sheet.plate((MARGIN, y, _inner(sheet), step - 3), "card", "card", 3)
        sheet.marks.append(Stretch((MARGIN, y, 4, step - 3), reason.role, "rim"))
        sheet.words(reason.sum, (end - 6, y + 4), SMALL, "dim", "right")
        ink, text = ("dim", say("ledger.done", text=reason.text)) if reason.done else ("text", reason.text)
        price = sheet.words(reason.price, (end - 46, y + 4), SMALL, ink, "right")
        sheet.words(text, (MARGIN + 11, y + 4), SMALL, ink, "left", price[0] - MARGIN - 19)
        sheet.hints.append(((MARGIN, y, _inner(sheet), step - 3), f"{reason.text}  {reason.clause}".strip()))
        if page.explain and reason.clause:
            sheet.words(reason.clause, (MARGIN + 11, y + 18), TINY, "dim", "left", _inner(sheet) - 60)
        y += step
    hidden = len(page.reasons) - len(shown)
    if hidden > 0:
        sheet.words(say("more_lines", n=hidden), (MARGIN, y), SMALL, "dim")
        y += 18
    if page.clauses and not page.explain:
        sheet.words(page.clauses, (MARGIN, y + 1), SMALL, "dim", "left", _inner(sheet))
        y += 20
    return y + 4


def notes(sheet: Sheet, found: Iterable[Note], y: float) -> float:
    """Remarks in boxes, each with an icon."""
    for note in found:
        lines = sheet.wrapped(note.text, SMALL, _inner(sheet) - 42)[:3]
        height = 10 + 17 * len(lines)
        sheet.plate((MARGIN, y, _inner(sheet), height), note.kind, f"{note.kind}_line", 6)
        sheet.sign(note.icon, (MARGIN + 17, y + height / 2), 9, f"{note.kind}_line")
        for n, line in enumerate(lines):
            sheet.words(line, (MARGIN + 34, y + 7 + 17 * n), SMALL)
        y += height + 5
    return y + 6


def safer(sheet: Sheet, choice: Choice, y: float) -> float:
    """The way without strikes, as a button."""
    _order(sheet, choice, (MARGIN, y - 4, _inner(sheet), 26))
    return y + 30


def outcomes(sheet: Sheet, rows: Sequence[Brought], y: float) -> float:
    """The table of what a roll can bring: the chance in the colour of the result, and the words."""
    if not rows:
        return y
    sheet.words(say("outcomes"), (MARGIN, y), NORMAL)
    y += 21
    for row in rows:
        sheet.words(row.chance, (MARGIN + 38, y), SMALL, f"{row.kind}_line", "right")
        for line in sheet.wrapped(row.text, SMALL, _inner(sheet) - 50):
            sheet.words(line, (MARGIN + 50, y), SMALL, "text" if row.kind == "good" else "dim")
            y += 17
        y += 3
    return y + 6


def legend(sheet: Sheet, entries: Sequence[Entry], y: float) -> float:
    """What the signs on the map mean, in two columns."""
    sheet.words(say("legend"), (MARGIN, y), LARGE)
    y += 22
    width = _inner(sheet) / 2
    for n, entry in enumerate(entries):
        x, top = MARGIN + (n % 2) * width, y + n // 2 * 24
        sheet.marks.append(Sample(entry.role, x, top))
        size = SMALL if sheet.measure(entry.text, SMALL) <= width - 40 else TINY
        sheet.words(entry.text, (x + 36, top + 3), size, "text", "left", width - 38)
    return y + (-(-len(entries) // 2)) * 24 + 4
