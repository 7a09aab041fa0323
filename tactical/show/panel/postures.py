"""One button for each posture, with its price."""

from __future__ import annotations

from tactical.show import brief
from tactical.show.brief import PostureButton
from tactical.show.panel import GAP, MARGIN, Moment, Section, inner
from tactical.show.sheet import SMALL, Sheet


def data(moment: Moment) -> tuple[PostureButton, ...] | None:
    """The postures that one can take, where there is a choice."""
    profile = getattr(moment.reach, "profile", None)
    if profile is None:
        return None
    buttons = brief.postures(profile, moment.reach.start.posture, moment.arrive or None)
    return buttons if len(buttons) > 1 else None


def lay_out(sheet: Sheet, buttons: tuple[PostureButton, ...], y: float) -> float:
    """A row of buttons; the present posture lit, the planned one framed."""
    width = (inner(sheet) - GAP * (len(buttons) - 1)) / len(buttons)
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
        price = SECTION.say("arrive") if button.planned else button.price
        sheet.words(price, (middle, y + 62), SMALL, "accent_line" if lit else "dim", "middle", width)
        sheet.button((x, y, width, 58), f"posture_{button.posture}", SECTION.say("hint.posture", n=n + 1))
    return y + 86


SECTION = Section("postures", 30, data, lay_out)
