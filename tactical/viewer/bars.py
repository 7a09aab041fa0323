"""The bar above the map, the status line below it, the tooltip and the help."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pygame

from tactical.viewer.controls import MOUSE, helped
from tactical.viewer.labels import say
from tactical.viewer.theme import HUGE, MARGIN, NORMAL, SMALL, Pen

Hits = list[tuple[pygame.Rect, str]]


@dataclass(frozen=True, slots=True)
class Toggle:
    """A button of the top bar."""

    command: str
    label: str
    on: bool


def top_bar(
    surface: pygame.Surface, pen: Pen, title: str, about: str, toggles: Sequence[Toggle], turn: str, map_width: int
) -> Hits:
    """Name of the map, rules, toggles over the map's right end, whose turn; returns what can be clicked."""
    surface.fill(pen.colour("bar"))
    width, height = surface.get_size()
    pygame.draw.line(surface, pen.colour("line"), (0, height - 1), (width, height - 1))
    hits: Hits = []
    x = map_width - 8
    for toggle in reversed(toggles):
        size = pen.width(toggle.label, SMALL) + 24
        box = pygame.Rect(x - size, 10, size, 28)
        pen.box(surface, box, "accent" if toggle.on else "card", "accent_line" if toggle.on else "line", 7)
        pen.text(surface, toggle.label, (box.centerx, box.y + 8), SMALL, "text" if toggle.on else "dim", middle=True)
        hits.append((box, toggle.command))
        x = box.x - 8
    name = pen.text(surface, title, (14, 14), HUGE, "text", width=max(60, (x - 40) // 2 + 40))
    pen.text(surface, about, (name.right + 22, 18), SMALL, "dim", width=max(10, x - name.right - 40))
    pen.text(surface, turn, (width - MARGIN, 16), NORMAL, "text", right=True, width=width - map_width - 24)
    return hits


def status_bar(
    surface: pygame.Surface, pen: Pen, words: Sequence[str], second: str, right: str, *, warn: bool = False
) -> None:
    """What is under the pointer; below it a message or the rulings used, and how long the search took."""
    surface.fill(pen.colour("bar"))
    width = surface.get_width()
    pygame.draw.line(surface, pen.colour("line"), (0, 0), (width, 0))
    x = 14
    for n, word in enumerate(words):
        if n:
            dot = pen.text(surface, "·", (x + 8, 13), NORMAL, "dim")
            x = dot.right + 8
        box = pen.text(surface, word, (x, 13), NORMAL, "text" if n != 1 else "dim", width=max(20, width - x - 10))
        x = box.right
        if x > width - 60:
            break
    stats = pen.text(surface, right, (width - 14, 37), SMALL, "faint", right=True)
    pen.text(surface, second, (14, 37), SMALL, "warn_line" if warn else "dim", width=max(20, stats.x - 30))


def tooltip(surface: pygame.Surface, pen: Pen, lines: Sequence[str], at: tuple[int, int], *, refused: bool) -> None:
    """Some lines beside the pointer, inside the surface."""
    broken = [part for line in lines for part in pen.wrapped(line, SMALL, 260)]
    width = max(pen.width(line, SMALL) for line in broken) + 20
    height = len(broken) * 18 + 12
    x, y = at[0] + 18, at[1] + 20
    if x + width > surface.get_width() - 4:
        x = at[0] - width - 12
    if y + height > surface.get_height() - 4:
        y = at[1] - height - 10
    box = pygame.Rect(max(2, x), max(2, y), width, height)
    pen.box(surface, box, (20, 22, 27), "bad_line" if refused else "line", 6)
    for n, line in enumerate(broken):
        last = refused and n >= len(broken) - len(pen.wrapped(lines[-1], SMALL, 260))
        colour = "bad_line" if last else "text" if n == 0 else "dim"
        pen.text(surface, line, (box.x + 10, box.y + 7 + n * 18), SMALL, colour)


def help_page(surface: pygame.Surface, pen: Pen) -> None:
    """All keys and the mouse, over a darkened map."""
    shade = pygame.Surface(surface.get_size(), pygame.SRCALPHA)
    shade.fill((0, 0, 0, 170))
    surface.blit(shade, (0, 0))
    rows = helped()
    half = -(-(len(rows) + len(MOUSE)) // 2)
    every = [*MOUSE, *rows]
    column = 390
    width, height = 2 * column + 40, half * 24 + 70
    box = pygame.Rect(0, 0, min(width, surface.get_width() - 20), height)
    box.center = surface.get_rect().center
    pen.box(surface, box, "panel", "line", 10)
    pen.text(surface, say("help"), (box.x + 20, box.y + 16), HUGE, "text")
    for n, (key, words) in enumerate(every):
        x, y = box.x + 20 + (n // half) * column, box.y + 52 + (n % half) * 24
        pen.text(surface, key, (x, y), SMALL, "accent_line", width=120)
        pen.text(surface, words, (x + 128, y), SMALL, "text", width=column - 140)
