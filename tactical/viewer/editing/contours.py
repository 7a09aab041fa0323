"""How high the ground lies, shown while it is raised and lowered: lines where it steps, and heights in figures."""

from __future__ import annotations

from fractions import Fraction
from math import ceil

import pygame

from tactical.show.sheet import SMALL
from tactical.units import Cell, spoken
from tactical.viewer.editing.drawing import Drawing, Work
from tactical.viewer.overlays.screen import Screen
from tactical.viewer.picture.camera import Camera

ACROSS = 0.01
"""How far beyond a side the neighbour is looked for, in cells."""
MOST = 6
"""Pixels of the line of the highest step."""
ROOM = 22
"""Pixels of a cell that a figure needs."""

Heights = dict[tuple[int, int], Fraction]


class Contours:
    """The heights of a floor, worked out once a change."""

    def __init__(self) -> None:
        self._kept: tuple[Work, int, Heights] | None = None
        self._base: tuple[Drawing, int, Heights] | None = None

    def heights(self, drawing: Drawing, level: int) -> Heights:
        """The cells of a level that do not lie at 0, by column and row."""
        kept = self._kept
        if kept is None or kept[0] is not drawing.work or kept[1] != level:
            found = dict(self._of_map(drawing, level))
            for cell, ground in drawing.work.painted.items():
                if cell.level == level:
                    found[cell.col, cell.row] = ground.elevation
            kept = self._kept = (drawing.work, level, {place: high for place, high in found.items() if high})
        return kept[2]

    def _of_map(self, drawing: Drawing, level: int) -> Heights:
        base = self._base
        if base is None or base[0] is not drawing or base[1] != level:
            battlemap = drawing.original
            every = (Cell(col, row, level) for row in range(battlemap.rows) for col in range(battlemap.cols))
            base = self._base = (drawing, level, {cell[:2]: drawing.beneath(cell).elevation for cell in every})
        return base[2]

    def paint(self, surface: pygame.Surface, camera: Camera, screen: Screen, drawing: Drawing) -> None:
        """Paint a line wherever two cells lie at different heights, thicker for a higher step, and the heights."""
        heights, grid = self.heights(drawing, screen.hand.level), screen.hand.battlemap.grid
        light, dark = screen.theme.colour("window", "text"), screen.theme.colour("window", "bar")
        unit = screen.hand.battlemap.cell
        lines: list[tuple[tuple[float, float], tuple[float, float], int]] = []
        for (col, row), high in heights.items():
            x, y = grid.centre(col, row)
            if not camera.sees((x, y)):
                continue
            corners = grid.polygon(col, row)
            for (ax, ay), (bx, by) in zip(corners, (*corners[1:], corners[0]), strict=True):
                mx, my = (ax + bx) / 2, (ay + by) / 2
                step = high - heights.get(grid.cell_at(mx + (mx - x) * ACROSS, my + (my - y) * ACROSS), Fraction(0))
                if step:
                    thick = min(MOST, 2 * ceil(abs(step) / unit))
                    lines.append((camera.pixel((ax, ay)), camera.pixel((bx, by)), thick))
        # a dark edge and a light line: seen on whatever picture lies beneath
        for start, end, thick in lines:
            pygame.draw.line(surface, dark, start, end, thick + 3)
        for start, end, thick in lines:
            pygame.draw.line(surface, light, start, end, thick)
        if camera.scale < ROOM:
            return
        for (col, row), high in heights.items():
            middle = camera.pixel(grid.centre(col, row))
            if camera.sees(grid.centre(col, row)):
                for ink, by in ((dark, 1), (light, 0)):
                    words = screen.kit.text(spoken(high), SMALL, ink)
                    surface.blit(words, words.get_rect(center=(middle[0] + by, middle[1] + by)))
