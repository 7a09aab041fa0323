"""What mouse and keys do, in three lines at the very end."""

from __future__ import annotations

from tactical.show.panel import MARGIN, Moment, Section
from tactical.show.sheet import SMALL, Sheet


def data(moment: Moment) -> bool | None:
    """Whether they are wanted: a picture has none."""
    return True if moment.hints else None


def lay_out(sheet: Sheet, hints: bool, y: float) -> float:
    """The lines at the foot of the panel, where it is higher than what it says."""
    y = max(y + 4, sheet.height - 62)
    for n in (1, 2, 3):
        sheet.words(SECTION.say(f"hint.{n}"), (MARGIN, y), SMALL, "faint", "left", sheet.width - MARGIN - 6)
        y += 19
    return y


SECTION = Section("hints", 300, data, lay_out, always=True)
