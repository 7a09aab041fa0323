"""Rulers along the edges of the map in the window: letters of the columns, numbers of the rows."""

from __future__ import annotations

import pygame

from tactical.show.drawers.raster.canvas import Kit
from tactical.show.sheet import TINY
from tactical.show.theme import Theme
from tactical.units import Cell, cell_name
from tactical.viewer.picture.camera import Camera
from tactical.viewer.playing.hand import Hand

STEPS = (1, 2, 5, 10, 20, 50, 100, 200, 500)
ROOM = 26
"""Pixels that a name needs."""


def inset(size: float) -> tuple[float, float]:
    """Pixels of the left and the upper edge that the rulers lie on."""
    return round(18 * size) + round(8 * size), round(18 * size)


def paint_rulers(surface: pygame.Surface, theme: Theme, kit: Kit, camera: Camera, hand: Hand, size: float) -> None:
    """Names of columns along the upper edge, of rows along the left one; those of the cell under the pointer lit."""
    battlemap, hover = hand.battlemap, hand.hover
    c0, r0, c1, r1 = camera.view(battlemap.grid)
    cols, rows = range(max(0, c0), min(battlemap.cols, c1)), range(max(0, r0), min(battlemap.rows, r1))
    if not cols or not rows:
        return
    left, wide = inset(size)
    back = pygame.Surface((surface.get_width(), wide), pygame.SRCALPHA)
    back.fill((*theme.colour("window", "bar"), 190))
    surface.blit(back, (0, 0))
    surface.blit(pygame.transform.scale(back, (left, surface.get_height() - wide)), (0, wide))
    step = next((one for one in STEPS if one * camera.scale >= ROOM * size), STEPS[-1])

    def put(text: str, at: tuple[float, float], lit: bool) -> None:
        words = kit.text(text, round(TINY * size), theme.colour("window", "accent_line" if lit else "dim"))
        surface.blit(words, words.get_rect(center=at))

    for col in cols:
        lit = hover is not None and hover.col == col
        if col % step == 0 or lit:
            x = camera.pixel(battlemap.grid.centre(col, rows[0]))[0]
            if x > wide + 14 * size:
                put(cell_name(Cell(col, 0)).rstrip("0123456789"), (x, wide / 2), lit)
    for row in rows:
        lit = hover is not None and hover.row == row
        if (row + 1) % step == 0 or step == 1 or lit:
            y = camera.pixel(battlemap.grid.centre(cols[0], row))[1]
            if y > wide + 6 * size:
                put(str(row + 1), (wide / 2 + 4 * size, y), lit)
