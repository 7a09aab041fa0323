"""What mouse and keys do, in three lines at the very end."""

from __future__ import annotations

from tactical.show.panel import MARGIN, Moment, Section
from tactical.show.sheet import SMALL, Sheet

LINES, BETWEEN = 3, " · "


def data(moment: Moment) -> bool | None:
    """Whether they are wanted: a picture has none."""
    return True if moment.hints else None


def lay_out(sheet: Sheet, hints: bool, y: float) -> float:
    """The lines at the foot of the panel, where it is higher than what it says."""
    y = max(y + 4, sheet.height - 62)
    for line in _lines(sheet, sheet.width - 2 * MARGIN):
        sheet.words(line, (MARGIN, y), SMALL, "faint")
        y += 19
    return y


def _lines(sheet: Sheet, width: float) -> list[str]:
    """The hints, as many to a line as fit; none is broken, and what three lines do not hold is left out."""
    lines = [""]
    for hint in SECTION.say("hints").split(BETWEEN):
        longer = BETWEEN.join(part for part in (lines[-1], hint) if part)
        if lines[-1] and sheet.measure(longer, SMALL) > width:
            lines.append(hint)
        else:
            lines[-1] = longer
    return lines[:LINES]


SECTION = Section("hints", 300, data, lay_out, always=True)
