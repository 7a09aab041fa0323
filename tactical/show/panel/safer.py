"""Ways without the strikes or with a better chance than the one that is shown, as buttons."""

from __future__ import annotations

from tactical.show.choices import Choice
from tactical.show.panel import MARGIN, Moment, Section, inner
from tactical.show.sheet import Sheet


def data(moment: Moment) -> tuple[Choice, ...] | None:
    """The other ways that are offered."""
    return moment.others or None


def lay_out(sheet: Sheet, others: tuple[Choice, ...], y: float) -> float:
    """The buttons, close under the remarks."""
    for choice in others:
        label = f"{choice.label} ({choice.key})" if choice.key else choice.label
        sheet.pill((MARGIN, y - 4, inner(sheet), 26), label, choice.command, sign=choice.sign)
        y += 30
    return y - 4


SECTION = Section("safer", 110, data, lay_out)
