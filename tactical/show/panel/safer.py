"""The way without strikes, as a button."""

from __future__ import annotations

from tactical.show.choices import Choice
from tactical.show.panel import MARGIN, Moment, Section, inner, push
from tactical.show.sheet import Sheet


def data(moment: Moment) -> Choice | None:
    """The other way that is offered."""
    return moment.safer


def lay_out(sheet: Sheet, choice: Choice, y: float) -> float:
    """The button, close under the remarks."""
    push(sheet, choice, (MARGIN, y - 4, inner(sheet), 26))
    return y + 30


SECTION = Section("safer", 110, data, lay_out)
