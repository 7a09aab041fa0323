"""The cells that a rectangle, a polygon or the wand has got hold of, and the veil over them."""

from __future__ import annotations

from collections.abc import Iterable
from math import dist

import pygame

from tactical.show.labels import say
from tactical.units import Cell
from tactical.viewer.editing.alike import Looks, alike, boxed, looks_of, within
from tactical.viewer.overlays.screen import Screen
from tactical.viewer.picture.camera import Camera
from tactical.world.grids import Point

TOLERANCE, STEP = 28, 4
"""How much alike the wand's cells are at first, in steps of colour, and what a turn of the wheel changes."""
CLOSE = 0.4
"""How near to its first corner, in cells, a polygon is closed."""
VEIL = 110
"""How much the colour of what is selected covers, of 255."""

FRAME = 0.84
"""How much of a cell lies within the frame that says it was painted."""


class Selection:
    """What is selected: `cells`; `seed` is where it began and whether it was on the whole floor, `corners` are those of
    a polygon that is not closed yet, in cells.
    """

    def __init__(self, screen: Screen) -> None:
        self.screen = screen
        self.cells: frozenset[Cell] = frozenset()
        self.seed: tuple[Cell, bool] | None = None
        self.corners: list[Point] = []
        self.tolerance = TOLERANCE
        self._looks: tuple[object, Looks] | None = None

    def clear(self) -> None:
        """Let go."""
        self.cells, self.seed, self.corners = frozenset(), None, []

    def box(self, cell: Cell) -> None:
        """Select the rectangle from where it began to a cell; the first call begins it."""
        if self.seed is None:
            self.seed = cell, False
        self.cells = frozenset(boxed(self.screen.hand.battlemap, self.seed[0], cell))

    def corner(self, point: Point) -> None:
        """Put the polygon's next corner; one on the first closes it."""
        self.cells = frozenset()
        if len(self.corners) > 2 and dist(point, self.corners[0]) <= CLOSE:
            self.closed()
        else:
            self.corners.append(point)

    def no_corner(self) -> None:
        """Take the polygon's last corner back."""
        self.cells = frozenset()
        del self.corners[-1:]

    def closed(self) -> None:
        """Select the cells whose middles lie within the polygon."""
        if len(self.corners) > 2:
            self.cells = frozenset(within(self.screen.hand.battlemap, self.corners, self.screen.hand.level))
            self.screen.hand.tell(say("edit.within", n=len(self.cells)))
        self.corners = []

    def like(self, cell: Cell, everywhere: bool) -> None:
        """Select the cells that look like one in the map's picture."""
        hand, looks = self.screen.hand, self._seen()
        if looks is None:
            hand.tell(say("edit.no_picture"), warn=True)
            return
        self.seed = cell, everywhere
        self.cells = frozenset(alike(hand.battlemap, looks, cell, self.tolerance, everywhere=everywhere))
        hand.tell(say("edit.alike", n=len(self.cells), tolerance=self.tolerance))

    def turned(self, by: int) -> None:
        """Select more, or less, than before."""
        if self.seed is not None:
            self.tolerance = max(STEP, self.tolerance + STEP * by)
            self.like(*self.seed)

    def _seen(self) -> Looks | None:
        """What the cells look like in the picture; None where there is none, or none that can be drawn."""
        picture, kept = self.screen.hand.battlemap.picture, self.screen.kit.picture
        if picture is None or kept is None or kept[0] is not picture.read or not kept[1].get_width():
            return None
        if self._looks is None or self._looks[0] is not picture.read:
            self._looks = picture.read, looks_of(self.screen.hand.battlemap, pygame.surfarray.array3d(kept[1]))
        return self._looks[1]

    def paint(self, surface: pygame.Surface, camera: Camera, painted: Iterable[Cell], began: Iterable[Cell]) -> None:
        """Paint a veil over what is selected or `began`, the polygon's corners, and a frame into every cell that was
        painted: a picture hides it.
        """
        colour = self.screen.theme.colour
        for cell in painted:
            if self._sees(camera, cell):
                pygame.draw.polygon(surface, colour("window", "accent_line"), self._corners(camera, cell, FRAME), 1)
        line = [camera.pixel(corner) for corner in self.corners]
        if len(line) > 1:
            pygame.draw.lines(surface, colour("window", "accent"), False, line, 3)
        for corner in line:
            pygame.draw.circle(surface, colour("window", "accent_line"), corner, 5)
        veiled = (*self.cells, *began)
        if not veiled:
            return
        veil = pygame.Surface(surface.get_size(), pygame.SRCALPHA)
        for cell in veiled:
            if self._sees(camera, cell):
                corners = self._corners(camera, cell)
                pygame.draw.polygon(veil, (*colour("window", "accent"), VEIL), corners)
                pygame.draw.polygon(veil, colour("window", "accent_line"), corners, 1)
        surface.blit(veil, (0, 0))

    def _sees(self, camera: Camera, cell: Cell) -> bool:
        hand = self.screen.hand
        return cell.level == hand.level and camera.sees(hand.battlemap.grid.centre(cell.col, cell.row))

    def _corners(self, camera: Camera, cell: Cell, part: float = 1.0) -> list[tuple[float, float]]:
        """The corners of a cell in pixels, or those of a part of it about its middle."""
        grid = self.screen.hand.battlemap.grid
        x, y = grid.centre(cell.col, cell.row)
        return [camera.pixel((x + (a - x) * part, y + (b - y) * part)) for a, b in grid.polygon(cell.col, cell.row)]
