"""The look of the window's frame: sizes, and the small tools panels are drawn with."""

from __future__ import annotations

from dataclasses import dataclass, field

import pygame

from tactical.show.drawers.raster.canvas import Kit, Paint, icon, plate
from tactical.show.theme import Colour, Theme

TOP, STATUS, PANEL = 48, 62, 320
"""Height of the bar above and the status below the map, width of the panel beside it."""
SMALLEST = (760, 480)
WINDOW = (1280, 800)
MARGIN = 16

HUGE, LARGE, NORMAL, SMALL = 28, 22, 19, 17
"""Sizes of the built-in font; it has one weight, so rank is shown by size and brightness."""


@dataclass
class Pen:
    """Draws words, boxes and icons of the frame on a surface, in the theme's colours."""

    theme: Theme
    kit: Kit = field(default_factory=Kit)

    def colour(self, name: str) -> Colour:
        """A colour of the window."""
        return self.theme.colour("window", name)

    def text(
        self,
        surface: pygame.Surface,
        text: str,
        at: tuple[int, int],
        size: int = NORMAL,
        colour: Paint | str = "text",
        *,
        right: bool = False,
        middle: bool = False,
        width: int = 0,
    ) -> pygame.Rect:
        """Words with their top left (right, middle) corner at a place, shortened to `width`; returns where they are."""
        ink = self.colour(colour) if isinstance(colour, str) else colour
        shown = self.fitted(text, size, width) if width else text
        words = self.kit.text(shown, size, ink)
        box = words.get_rect(topleft=at)
        if right:
            box.right = at[0]
        elif middle:
            box.centerx = at[0]
        surface.blit(words, box)
        return box

    def width(self, text: str, size: int = NORMAL) -> int:
        """How wide words are: always measured, since the two pygame libraries differ."""
        return self.kit.text(text, size, self.colour("text")).get_width()

    def fitted(self, text: str, size: int, width: int) -> str:
        """Words cut to a width, with an ellipsis."""
        if self.width(text, size) <= width:
            return text
        low, high = 0, len(text)
        while low < high:
            middle = (low + high + 1) // 2
            if self.width(text[:middle].rstrip() + "…", size) <= width:
                low = middle
            else:
                high = middle - 1
        return text[:low].rstrip() + "…"

    def wrapped(self, text: str, size: int, width: int) -> list[str]:
        """Words broken into lines of a width."""
        lines = [""]
        for word in text.split():
            longer = f"{lines[-1]} {word}".strip()
            if lines[-1] and self.width(longer, size) > width:
                lines.append(word)
            else:
                lines[-1] = longer
        return [self.fitted(line, size, width) for line in lines]

    def box(
        self,
        surface: pygame.Surface,
        box: pygame.Rect,
        fill: Paint | str,
        edge: Paint | str,
        radius: int = 6,
        line: int = 1,
    ) -> None:
        """A rounded box."""
        inside = self.colour(fill) if isinstance(fill, str) else fill
        rim = self.colour(edge) if isinstance(edge, str) else edge
        surface.blit(plate(self.kit, box.size, inside, rim, radius, line), box.topleft)

    def icon(
        self, surface: pygame.Surface, name: str, at: tuple[float, float], half: float, colour: Paint | str = "text"
    ) -> None:
        """An icon about a place."""
        ink = self.colour(colour) if isinstance(colour, str) else colour
        picture = icon(self.kit, name, half, ink)
        surface.blit(picture, (round(at[0] - picture.get_width() / 2), round(at[1] - picture.get_height() / 2)))
