"""The frame: which part of a window shows what, for every size of window and text.  Plain boxes; nothing is painted.

The panel takes at most `SHARE` of the width.  In a window narrower than `NARROW` it is a drawer over the map's right
end, and the bars go all the way across.  The frame needs `LEAST`: in a smaller window the text is as large as leaves
that much, whatever was wished (at 200 % that is a window of 960 by 720 pixels).
"""

from __future__ import annotations

from dataclasses import dataclass

import pygame

from tactical.viewer.picture.theme import PANEL, STATUS, STRIP, TOP

SHARE = 0.3
"""The panel's part of the width at the most, beside the map."""
NARROW = 1000
"""Logical pixels (pixels at 100 % text) of a window's width below which the panel is a drawer."""
LEAST = (480, 360)
"""Logical pixels that the frame needs."""
BESIDE = 48
"""Logical pixels of the map that the open drawer leaves in sight."""


@dataclass(frozen=True, slots=True)
class Frame:
    """A window of `size` pixels with `text` so many times as large as usual, its drawer `open` or shut."""

    size: tuple[int, int]
    text: float = 1.0
    open: bool = False

    @property
    def k(self) -> float:
        """Pixels a logical pixel: the text size that was wished for, or the largest that fits."""
        return max(0.5, min(self.text, self.size[0] / LEAST[0], self.size[1] / LEAST[1]))

    @property
    def narrow(self) -> bool:
        """Whether the panel is a drawer."""
        return self.size[0] / self.k < NARROW

    @property
    def width(self) -> int:
        """Pixels of the panel's width, where it is shown."""
        width = self.size[0]
        wanted = round(PANEL * self.k)
        return min(wanted, width - round(BESIDE * self.k)) if self.narrow else min(wanted, int(width * SHARE))

    @property
    def map(self) -> pygame.Rect:
        """The map; in a narrow window the drawer lies over it."""
        width, height = self.size
        top, foot = round(TOP * self.k), round(STATUS * self.k) + round(STRIP * self.k)
        return pygame.Rect(0, top, max(50, width - (0 if self.narrow else self.width)), max(50, height - top - foot))

    @property
    def panel(self) -> pygame.Rect:
        """The panel; an empty box where the drawer is shut."""
        width, height = self.size
        area = self.map
        if self.narrow:
            return pygame.Rect(width - self.width, area.y, self.width if self.open else 0, area.height)
        return pygame.Rect(area.right, area.y, width - area.right, height - area.y)

    @property
    def free(self) -> pygame.Rect:
        """What of the map no drawer covers."""
        area = self.map
        return pygame.Rect(area.x, area.y, area.width - (self.panel.width if self.narrow else 0), area.height)

    @property
    def strip(self) -> pygame.Rect:
        """The strip of turns below the map."""
        area = self.map
        return pygame.Rect(0, area.bottom, area.width, round(STRIP * self.k))

    @property
    def status(self) -> pygame.Rect:
        """The status line below the strip."""
        area = self.strip
        return pygame.Rect(0, area.bottom, area.width, self.size[1] - area.bottom)

    @property
    def top(self) -> pygame.Rect:
        """The bar across the top."""
        return pygame.Rect(0, 0, self.size[0], self.map.y)
