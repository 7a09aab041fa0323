"""The token, the name, and what the rule system says in a line or two; how to begin where nobody is chosen."""

from __future__ import annotations

from typing import NamedTuple

from tactical.show.panel import MARGIN, Moment, Section, inner
from tactical.show.scene.route import figure
from tactical.show.sheet import HUGE, NORMAL, SMALL, Figure, Sheet


class Who(NamedTuple):
    """Whom the panel is about: the name (empty for nobody), the figure's posture, the summary of its profile."""

    name: str = ""
    posture: str = "standing"
    summary: str = ""


def data(moment: Moment) -> Who:
    """Who is chosen."""
    reach = moment.reach
    if reach is None:
        return Who()
    profile = getattr(reach, "profile", None)
    summary = profile.summary if profile is not None else ""
    return Who(reach.mover.label, figure(reach.mover, reach.start.posture), summary)


def nobody(sheet: Sheet, y: float) -> float:
    """How to begin, in words."""
    for line in sheet.wrapped(SECTION.say("nobody"), NORMAL, inner(sheet)):
        sheet.words(line, (MARGIN, y), NORMAL, "dim")
        y += 22
    return y + 12


def lay_out(sheet: Sheet, who: Who, y: float) -> float:
    """The token beside the name."""
    if not who.name:
        return nobody(sheet, y)
    sheet.marks.append(Figure("mover:self", who.posture, 36, 31, 50))
    sheet.words(who.name, (68, 13), HUGE, "text", "left", sheet.width - 84)
    y = 37.0
    for line in sheet.wrapped(who.summary, SMALL, sheet.width - 84)[:3]:
        sheet.words(line, (68, y), SMALL, "dim")
        y += 17
    return max(66.0, y + 7)


SECTION = Section("who", 10, data, lay_out, always=True)
