"""The budget as a bar: each step a part, each gait its own colour and pattern, a tick where a gait ends."""

from __future__ import annotations

from fractions import Fraction

from tactical.show import brief
from tactical.show.brief import Budget
from tactical.show.panel import MARGIN, Moment, Section, inner
from tactical.show.sheet import NORMAL, SMALL, TINY, Line, Sheet, Stretch
from tactical.units import spoken


def data(moment: Moment) -> Budget | None:
    """What of the turn is used."""
    reach = moment.reach
    spent = reach.query.turn.spent if hasattr(reach, "query") else Fraction(0)
    bar = brief.budget(reach, moment.way, spent, moment.walked)
    return bar if bar is not None and bar.total > 0 else None


def lay_out(sheet: Sheet, bar: Budget, y: float) -> float:
    """The bar under its title, the gaits that it is of below."""
    title = SECTION.say("budget" if bar.turn == 1 else "budget.later", n=bar.turn, word=bar.word)
    sheet.words(title, (MARGIN, y), NORMAL)
    sheet.words(bar.words, (sheet.width - MARGIN, y), NORMAL, f"rim:{bar.role}", "right")
    top, width, high = y + 20, inner(sheet), 28.0

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
        words = spoken(part.cost)
        wide = sheet.measure(words, SMALL)
        if x1 - x0 >= wide + 14 and part.cost > 5:
            middle = (x0 + x1) / 2
            sheet.plate((middle - wide / 2 - 5, top + 6, wide + 10, 17), "dark", "dark", 8)
            sheet.words(words, (middle, top + 9), SMALL, "text", "middle")
    for most, _, _ in bar.ends[:-1]:
        sheet.marks.append(Line(at(most), top - 4, at(most), top + high + 3, "text", True))
    if bar.least:
        sheet.sign("least", (at(bar.least), top + high + 4), 5, "text")
        sheet.words(SECTION.say("budget.least"), (at(bar.least) + 8, top + high + 1), TINY, "dim")
    labels = bar.ends if len(bar.ends) <= 2 else (bar.ends[0], bar.ends[-1])
    below = top + high + (16 if bar.least else 5)
    for n, (_, role, text) in enumerate(labels):
        right = n == len(labels) - 1 and n > 0
        anchor = "right" if right else "left"
        sheet.words(text, (MARGIN + width if right else MARGIN, below), SMALL, f"rim:{role}", anchor)
    return below + 23


SECTION = Section("budget", 70, data, lay_out)
