"""The page that maps and games are opened from: those known, or what lies in a folder, with a preview of the lit one.

Knows no pygame.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tactical.show.labels import say
from tactical.show.sheet import HUGE, NORMAL, SMALL, Box, Measure, Sheet

ROW, HEAD, FOOT = 28.0, 66.0, 16.0
WIDE, PREVIEW, NARROW = 1020.0, 330.0, 700.0
"""Width of the page and of its preview at the most, and of a page that has no room for one."""

Rows = tuple[tuple[str, str, str], ...]
"""Words, what stands faint behind them, and the command of each row."""


@dataclass
class Browser:
    """The page while it is open: its `rows`, the lit one, the first that is shown and how many there is room for."""

    rows: Rows
    chosen: int = 0
    first: int = 0
    room: int = 1

    @property
    def path(self) -> str:
        """The file of the lit row, or an empty string."""
        kind, _, path = self.rows[self.chosen][2].partition(":") if self.rows else ("", "", "")
        return path if kind == "open" else ""

    def step(self, by: int) -> None:
        """Light another row; the rows move along so that it is shown."""
        self.chosen = min(max(self.chosen + by, 0), max(0, len(self.rows) - 1))
        self.first = min(max(self.first, self.chosen - self.room + 1), self.chosen)

    def scroll(self, by: int) -> None:
        """Move the rows."""
        self.first = min(max(self.first + by, 0), max(0, len(self.rows) - self.room))

    def point(self, command: str) -> bool:
        """Light the row that gives a command; True if that is another one."""
        before = self.chosen
        self.chosen = next((n for n, row in enumerate(self.rows) if row[2] == command), before)
        return before != self.chosen


def sheet_of(
    measure: Measure, width: float, height: float, title: str, second: str, page: Browser, told: Sequence[str]
) -> tuple[Sheet, Box | None]:
    """The page, and where the preview of the lit row goes on it; `told` is what is said below that."""
    wide = min(WIDE, width - 24)
    files = any(command.startswith(("open:", "folder:")) for _, _, command in page.rows)
    beside = PREVIEW if wide >= NARROW and files else 0.0
    page.room = max(3, int((height - HEAD - FOOT - 24) // ROW))
    shown = list(enumerate(page.rows))[page.first : page.first + page.room]
    high = max(HEAD + ROW * len(shown) + FOOT, HEAD + beside + 76 if beside else 0.0)
    sheet = Sheet(wide, measure, height=min(high, height))
    sheet.plate((0, 0, wide, sheet.height), "panel", "line", 10)
    sheet.words(title, (20, 14), HUGE, "text", "left", wide - 40)
    sheet.words(second, (20, 40), SMALL, "dim", "left", wide - 40)
    end = wide - 14 - (beside + 14 if beside else 0)
    for place, (n, (words, more, command)) in enumerate(shown):
        box = (14.0, HEAD + ROW * place, end - 14, ROW - 4)
        sheet.plate(box, "accent" if n == page.chosen else "card", "accent_line" if n == page.chosen else "card", 4)
        sheet.button(box, command)
        faint = sheet.words(more, (end - 12, box[1] + 6), SMALL, "text" if n == page.chosen else "faint", "right",
                            (end - 14) * 0.5)  # fmt: skip
        sheet.words(words, (26, box[1] + 5), NORMAL, "text", "left", faint[0] - 40)
    left = len(page.rows) - page.first - len(shown)
    if left > 0:
        sheet.words(say("maps.more", n=left), (end - 12, sheet.height - 14), SMALL, "dim", "right")
    if not beside:
        return sheet, None
    place_at = (end + 14, HEAD, beside - 14, min(beside - 14, sheet.height - HEAD - 76))
    sheet.plate(place_at, "bar", "line", 6)
    y = place_at[1] + place_at[3] + 10
    for words in told[:3]:
        sheet.words(words, (place_at[0], y), SMALL, "text" if words is told[0] else "dim", "left", place_at[2])
        y += 20
    return sheet, place_at
