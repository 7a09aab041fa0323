"""The ledger: reason, price and running sum; spread out with the clause of each line below it."""

from __future__ import annotations

from typing import NamedTuple

from tactical.errors import Refusal
from tactical.show import brief
from tactical.show.brief import Reason
from tactical.show.panel import MARGIN, Moment, Section, inner, remark
from tactical.show.rolls import Note
from tactical.show.sheet import NORMAL, SMALL, TINY, Sheet, Stretch

LINE = 15
"""From one line of a reason to the next, where it takes several."""


class Why(NamedTuple):
    """The lines of a way's price with the clauses they come from, or why there is no way; `explain` spreads it out."""

    reasons: tuple[Reason, ...] = ()
    clauses: str = ""
    refused: str = ""
    explain: bool = False


def data(moment: Moment) -> Why:
    """Why the way costs what it does, or is none."""
    if isinstance(moment.route, Refusal):
        return Why(refused=moment.route.text, explain=moment.explain)
    if moment.way is None or moment.route is None:
        return Why(explain=moment.explain)
    sources = dict.fromkeys(str(line.source) for line in moment.route.ledger() if str(line.source))
    reasons = brief.reasons(moment.way, moment.reach.bands, moment.walked)
    return Why(reasons, "  ".join(sources), "", moment.explain)


def lay_out(sheet: Sheet, why: Why, y: float) -> float:
    """Lines on plates, with the colour of the band that pays; where there is room for none, how many there are."""
    sheet.words(SECTION.say("why"), (MARGIN, y), NORMAL)
    folded = bool(why.reasons) and not why.explain and not sheet.lines
    words = SECTION.say("more_lines", n=len(why.reasons)) if folded else SECTION.say("explain_key")
    key = sheet.words(words, (sheet.width - MARGIN, y + 1), SMALL, "dim", "right")
    sheet.button((key[0] - 4, y - 3, key[2] + 8, 20), "explain", SECTION.say("hint.explain"))
    y += 20
    if folded:
        told = "; ".join(f"{reason.text} {reason.price}" for reason in why.reasons)
        sheet.hints.append(((MARGIN, y - 23, inner(sheet) / 2, 20), told))
        return y + 4
    if why.refused:
        return remark(sheet, [Note("bad", "cross", why.refused)], y + 2)
    if not why.reasons:
        for line in sheet.wrapped(SECTION.say("no_route"), SMALL, inner(sheet)):
            sheet.words(line, (MARGIN, y), SMALL, "faint")
            y += 18
        return y + 8
    shown = why.reasons if why.explain else why.reasons[: sheet.lines]
    step = 34 if why.explain else 23
    end = sheet.width - MARGIN
    for reason in shown:
        ink, text = ("dim", SECTION.say("ledger.done", text=reason.text)) if reason.done else ("text", reason.text)
        room = end - 46 - sheet.measure(reason.price, SMALL) - MARGIN - 19
        # spread out, nothing is cut: what is too long for its line goes on below
        cut = sheet.measure(text, SMALL) > room
        lines = sheet.wrapped(text, SMALL, room) if cut and why.explain else [text]
        high = step + LINE * (len(lines) - 1)
        sheet.plate((MARGIN, y, inner(sheet), high - 3), "card", "card", 3)
        sheet.marks.append(Stretch((MARGIN, y, 4, high - 3), reason.role, "rim"))
        sheet.words(reason.sum, (end - 6, y + 4), SMALL, "dim", "right")
        sheet.words(reason.price, (end - 46, y + 4), SMALL, ink, "right")
        for n, line in enumerate(lines):
            sheet.words(line, (MARGIN + 11, y + 4 + LINE * n), SMALL, ink, "left", room)
        sheet.hints.append(((MARGIN, y, inner(sheet), high - 3), f"{reason.text}  {reason.clause}".strip()))
        if why.explain and reason.clause:
            sheet.words(reason.clause, (MARGIN + 11, y + high - 16), TINY, "dim", "left", inner(sheet) - 60)
        y += high
    hidden = len(why.reasons) - len(shown)
    if hidden > 0:
        sheet.words(SECTION.say("more_lines", n=hidden), (MARGIN, y), SMALL, "dim")
        y += 18
    if why.clauses and not why.explain and sheet.lines > 1:
        sheet.words(why.clauses, (MARGIN, y + 1), SMALL, "dim", "left", inner(sheet))
        y += 20
    return y + 4


SECTION = Section("why", 90, data, lay_out)
