"""The panel beside the map: who, postures, budget, why it costs this, risks, legend.

Draws what `tactical.viewer.brief` says and notes the boxes that can be clicked.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

import pygame

from tactical.show.drawers.raster.canvas import Canvas
from tactical.show.drawers.raster.picture import swatch
from tactical.show.drawers.raster.pieces import paint_token
from tactical.show.shapes import Entry, Token
from tactical.show.theme import Style, mix
from tactical.units import show
from tactical.viewer.brief import Budget, Note, PostureButton, Question, Reason
from tactical.viewer.labels import say
from tactical.viewer.theme import HUGE, LARGE, MARGIN, NORMAL, PANEL, SMALL, Pen

LINES = 7
"""Lines of the ledger that are shown while it is not spread out."""


@dataclass(frozen=True)
class Page:
    """All that the panel shows."""

    name: str = ""
    role: str = "mover:self"
    posture: str = "standing"
    summary: str = ""
    buttons: tuple[PostureButton, ...] = ()
    budget: Budget | None = None
    reasons: tuple[Reason, ...] = ()
    clauses: str = ""
    notes: tuple[Note, ...] = ()
    question: Question | None = None
    outcomes: tuple[tuple[str, str], ...] = ()
    entries: tuple[Entry, ...] = ()
    explain: bool = False
    legend: bool = True
    gaits: int = 2


Hits = list[tuple[pygame.Rect, str]]


class Panel:
    """Draws a page on its surface; `hits` are the boxes drawn last, with the command each gives."""

    def __init__(self, pen: Pen) -> None:
        self.pen = pen
        self.hits: Hits = []

    def draw(self, surface: pygame.Surface, page: Page) -> None:
        """Paint the page from the top down; what does not fit is left out, the key hints last."""
        self.hits = []
        pen, height = self.pen, surface.get_height()
        surface.fill(pen.colour("panel"))
        pygame.draw.line(surface, pen.colour("line"), (0, 0), (0, height))
        if not page.name:
            for n, line in enumerate(pen.wrapped(say("nobody"), NORMAL, PANEL - 2 * MARGIN)):
                pen.text(surface, line, (MARGIN, 20 + 22 * n), NORMAL, "dim")
            y = 76
        else:
            y = self._who(surface, page)
            if page.question is not None:
                y = self._question(surface, page.question, y)
            y = self._postures(surface, page.buttons, y)
            y = self._budget(surface, page, y)
            y = self._why(surface, page, y)
            y = self._notes(surface, page.notes, y)
            y = self._outcomes(surface, page.outcomes, y)
        hints = height - 66
        if page.legend and page.entries:
            y = self._legend(surface, page, y, hints - 6)
        if y < hints:
            for n in (1, 2, 3):
                at = (MARGIN, hints + (n - 1) * 19)
                pen.text(surface, say(f"hint.{n}"), at, SMALL, "faint", width=PANEL - MARGIN - 6)

    def _who(self, surface: pygame.Surface, page: Page) -> int:
        pen = self.pen
        canvas = Canvas(surface, pen.theme, 50.0, (0.0, 0.0), page.gaits, pen.kit)
        paint_token(canvas, Token(page.role, (36 / 50, 31 / 50), 1, posture=page.posture))
        pen.text(surface, page.name, (68, 13), HUGE, "text", width=PANEL - 84)
        y = 36
        for line in pen.wrapped(page.summary, SMALL, PANEL - 84)[:2]:
            pen.text(surface, line, (68, y), SMALL, "dim")
            y += 17
        return max(66, y + 6)

    def _question(self, surface: pygame.Surface, question: Question, y: int) -> int:
        """What a paused move waits for, with its buttons."""
        pen, width = self.pen, PANEL - 2 * MARGIN
        lines = pen.wrapped(question.text, NORMAL, width - 46)
        box = pygame.Rect(MARGIN, y, width, 18 + 19 * len(lines) + 36)
        pen.box(surface, box, "bad", "bad_line", 7, 2)
        pen.icon(surface, question.icon, (box.x + 20, box.y + 20), 11, "bad_line")
        for n, line in enumerate(lines):
            pen.text(surface, line, (box.x + 40, box.y + 13 + 19 * n), NORMAL, "text")
        each = (width - 16 - 6 * (len(question.buttons) - 1)) // len(question.buttons)
        for n, (label, command) in enumerate(question.buttons):
            button = pygame.Rect(box.x + 8 + n * (each + 6), box.bottom - 36, each, 28)
            pen.box(surface, button, "accent" if n == 0 else "card", "accent_line" if n == 0 else "line", 6)
            pen.text(surface, label, (button.centerx, button.y + 8), SMALL, "text", middle=True)
            self.hits.append((button, command))
        return box.bottom + 10

    def _postures(self, surface: pygame.Surface, buttons: Sequence[PostureButton], y: int) -> int:
        if len(buttons) < 2:
            return y
        pen = self.pen
        gap = 6
        width = (PANEL - 2 * MARGIN - gap * (len(buttons) - 1)) // len(buttons)
        for n, button in enumerate(buttons):
            box = pygame.Rect(MARGIN + n * (width + gap), y, width, 58)
            fill = "accent" if button.now else "card"
            edge = "accent_line" if button.now or button.planned else "line"
            pen.box(surface, box, fill, edge, 7, 2 if button.planned else 1)
            ink = "text" if button.possible else "faint"
            pen.icon(surface, button.posture, (box.centerx, box.y + 22), 15, ink)
            pen.text(surface, button.label, (box.centerx, box.y + 41), SMALL, ink, middle=True)
            pen.text(surface, str(n + 1), (box.right - 6, box.y + 5), SMALL, "dim", right=True)
            price = say("arrive") if button.planned else button.price
            colour = "accent_line" if button.now or button.planned else "dim"
            pen.text(surface, price, (box.centerx, box.bottom + 4), SMALL, colour, middle=True, width=width)
            self.hits.append((box, f"posture_{button.posture}"))
        return y + 86

    def _budget(self, surface: pygame.Surface, page: Page, y: int) -> int:
        budget = page.budget
        if budget is None or budget.total <= 0:
            return y
        pen = self.pen
        used = budget.used
        over = next((role for amount, role, _ in budget.ends if used <= amount), budget.ends[-1][1])
        colour = pen.theme.style(over, page.gaits).rim
        pen.text(surface, say("budget"), (MARGIN, y), NORMAL, "text")
        words = say("of", spent=show(used), budget=show(budget.total), unit=budget.unit)
        pen.text(surface, words, (PANEL - MARGIN, y), NORMAL, colour, right=True)
        bar = pygame.Rect(MARGIN, y + 20, PANEL - 2 * MARGIN, 28)
        self._bar(surface, budget, bar, page.gaits)
        labels = budget.ends if len(budget.ends) <= 2 else (budget.ends[0], budget.ends[-1])
        for n, (_, role, text) in enumerate(labels):
            ink = pen.theme.style(role, page.gaits).rim
            right = n == len(labels) - 1 and n > 0
            at = (bar.right if right else bar.x, bar.bottom + 5)
            pen.text(surface, text, at, SMALL, ink, right=right)
        return bar.bottom + 28

    def _bar(self, surface: pygame.Surface, budget: Budget, bar: pygame.Rect, gaits: int) -> None:
        """The budget as a bar: each step a part, each gait its own colour and pattern, a tick where a gait ends."""
        pen = self.pen
        surface.fill(pen.colour("card"), bar)

        def at(amount: Fraction) -> int:
            return bar.x + round(float(amount / budget.total) * bar.w)

        before = Fraction(0)
        for amount, role, _ in budget.ends:
            style = pen.theme.style(role, gaits)
            first, last = before, min(budget.used, amount)
            empty = pygame.Rect(at(first), bar.y, at(amount) - at(first), bar.h)
            surface.fill(mix(style.fill, pen.colour("card"), 0.82), empty)
            if last > first:
                self._stretch(surface, pygame.Rect(at(first), bar.y, at(last) - at(first), bar.h), style)
            before = amount
        edge = Fraction(0)
        for part in budget.parts:
            box = pygame.Rect(at(edge), bar.y, at(edge + part.cost) - at(edge), bar.h)
            edge += part.cost
            if part.spent:
                surface.fill(mix(pen.colour("card"), (0, 0, 0), 0.35), box)
            pygame.draw.line(surface, pen.colour("bar"), (box.right, bar.y), (box.right, bar.bottom - 1))
            words = show(part.cost)
            if box.w >= pen.width(words, SMALL) + 14 and part.cost > 5:
                label = pygame.Rect(0, 0, pen.width(words, SMALL) + 10, 17)
                label.center = box.center
                pen.box(surface, label, (11, 13, 16), (11, 13, 16), 8)
                pen.text(surface, words, (label.centerx, label.y + 3), SMALL, "text", middle=True)
        pygame.draw.rect(surface, pen.colour("line"), bar, 1)
        for amount, _, _ in budget.ends[:-1]:
            x = at(amount)
            pygame.draw.line(surface, (11, 13, 16), (x, bar.y - 4), (x, bar.bottom + 3), 5)
            pygame.draw.line(surface, (255, 255, 255), (x, bar.y - 4), (x, bar.bottom + 3), 2)

    def _stretch(self, surface: pygame.Surface, box: pygame.Rect, style: Style) -> None:
        """A used part of the bar, filled and patterned like its band on the map."""
        surface.fill(style.fill if style.name != "later" else (150, 156, 166), box)
        if style.pattern not in ("hatch", "bars", "cross"):
            return
        part = pygame.Surface(box.size, pygame.SRCALPHA)
        ink = (*mix(style.fill, (0, 0, 0), 0.45), 150)
        if style.pattern == "bars":
            for y in range(4, box.h, 8):
                pygame.draw.line(part, ink, (0, y), (box.w, y), 2)
        else:
            for x in range(-box.h, box.w, 9):
                pygame.draw.line(part, ink, (x, box.h), (x + box.h, 0), 2)
                if style.pattern == "cross":
                    pygame.draw.line(part, ink, (x, 0), (x + box.h, box.h), 2)
        surface.blit(part, box.topleft)

    def _why(self, surface: pygame.Surface, page: Page, y: int) -> int:
        pen = self.pen
        pen.text(surface, say("why"), (MARGIN, y), NORMAL, "text")
        key = pen.text(surface, say("explain_key"), (PANEL - MARGIN, y + 1), SMALL, "dim", right=True)
        self.hits.append((key.inflate(8, 6), "explain"))
        y += 20
        if not page.reasons:
            for line in pen.wrapped(say("no_route"), SMALL, PANEL - 2 * MARGIN):
                pen.text(surface, line, (MARGIN, y), SMALL, "faint")
                y += 18
            return y + 8
        shown = page.reasons if page.explain else page.reasons[:LINES]
        step = 34 if page.explain else 23
        for reason in shown:
            if y + step > surface.get_height() - 60:
                break
            box = pygame.Rect(MARGIN, y, PANEL - 2 * MARGIN, step - 3)
            pen.box(surface, box, "card", "card", 3)
            surface.fill(pen.theme.style(reason.role, page.gaits).rim, (box.x, box.y, 4, box.h))
            pen.text(surface, reason.sum, (box.right - 6, y + 4), SMALL, "dim", right=True)
            pen.text(surface, reason.price, (box.right - 42, y + 4), SMALL, "text", right=True)
            left = box.w - 52 - pen.width(reason.price, SMALL) - 8
            pen.text(surface, reason.text, (box.x + 11, y + 4), SMALL, "text", width=left)
            if page.explain and reason.clause:
                pen.text(surface, reason.clause, (box.x + 11, y + 18), SMALL - 2, "dim", width=box.w - 60)
            y += step
        hidden = len(page.reasons) - len(shown)
        if hidden > 0:
            pen.text(surface, say("more_lines", n=hidden), (MARGIN, y), SMALL, "dim")
            y += 18
        if page.clauses and not page.explain:
            pen.text(surface, page.clauses, (MARGIN, y + 1), SMALL, "dim", width=PANEL - 2 * MARGIN)
            y += 20
        return y + 4

    def _notes(self, surface: pygame.Surface, notes: Iterable[Note], y: int) -> int:
        pen = self.pen
        for note in notes:
            lines = pen.wrapped(note.text, SMALL, PANEL - 2 * MARGIN - 42)[:2]
            box = pygame.Rect(MARGIN, y, PANEL - 2 * MARGIN, 10 + 17 * len(lines))
            if box.bottom > surface.get_height() - 66:
                break
            pen.box(surface, box, note.kind, f"{note.kind}_line", 6)
            pen.icon(surface, note.icon, (box.x + 17, box.centery), 9, f"{note.kind}_line")
            for n, line in enumerate(lines):
                pen.text(surface, line, (box.x + 34, box.y + 7 + 17 * n), SMALL, "text")
            y = box.bottom + 5
        return y + 6

    def _outcomes(self, surface: pygame.Surface, outcomes: Sequence[tuple[str, str]], y: int) -> int:
        """The table of what a roll can bring: the chance and the words."""
        pen = self.pen
        if not outcomes or y > surface.get_height() - 110:
            return y
        pen.text(surface, say("outcomes"), (MARGIN, y), NORMAL, "text")
        y += 21
        for n, (chance, words) in enumerate(outcomes):
            for row, line in enumerate(pen.wrapped(words, SMALL, PANEL - 2 * MARGIN - 50)):
                if y > surface.get_height() - 86:
                    return y
                if row == 0:
                    tint = "good_line" if n == 0 else "warn_line"
                    pen.text(surface, chance, (MARGIN + 38, y), SMALL, tint, right=True)
                pen.text(surface, line, (MARGIN + 50, y), SMALL, "text" if n == 0 else "dim")
                y += 17
            y += 3
        return y + 6

    def _legend(self, surface: pygame.Surface, page: Page, y: int, bottom: int) -> int:
        pen = self.pen
        rows = (bottom - y - 26) // 24
        if rows < 1:
            return y
        pen.text(surface, say("legend"), (MARGIN, y), LARGE - 2, "text")
        y += 22
        width = (PANEL - 2 * MARGIN) // 2
        entries = page.entries[: rows * 2]
        for n, entry in enumerate(entries):
            x = MARGIN + (n % 2) * width
            top = y + n // 2 * 24
            swatch(surface, pen.theme, pen.kit, entry.role, (x, top), page.gaits)
            pen.text(surface, entry.text, (x + 36, top + 3), SMALL, "text", width=width - 40)
        return y + (-(-len(entries) // 2)) * 24 + 4
