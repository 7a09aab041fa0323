"""Guides over the map: the cursor of the keys, the whole map small in a corner, arrows to whoever is out of sight."""

from __future__ import annotations

from math import hypot

import pygame

from tactical.show.drawers.raster.canvas import DARK, WHITE
from tactical.show.scene.scene import kind_of
from tactical.show.theme import Theme
from tactical.units import Cell
from tactical.viewer.overlays.looking import Looking
from tactical.world.battlemap import Battlemap
from tactical.world.mover import Mover

SMALL = 150
"""Logical pixels of the longer side of the small map."""
SHOWN_BELOW = 0.85
"""Part of the map's length in sight from which on it is not shown: there is nothing to find by it."""


def paint_cursor(looking: Looking, surface: pygame.Surface) -> None:
    """Corners about the cell that the keys point at."""
    cell = looking.hand.hover
    if not looking.cursor or cell is None or cell.level != looking.hand.level:
        return
    grid = looking.hand.battlemap.grid
    points = [looking.camera.pixel(point) for point in grid.polygon(cell.col, cell.row)]
    for width, ink in ((5, DARK), (3, WHITE)):
        for n, (x, y) in enumerate(points):
            for other in (points[n - 1], points[(n + 1) % len(points)]):
                end = x + (other[0] - x) * 0.28, y + (other[1] - y) * 0.28
                pygame.draw.line(surface, ink, (x, y), end, width)


class SmallMap:
    """The whole map in a corner: what lies on it is clicked to look there."""

    def __init__(self) -> None:
        self.area = pygame.Rect(0, 0, 0, 0)
        self._kept: tuple[object, pygame.Surface] | None = None
        self._scale = 1.0

    def paint(self, looking: Looking, surface: pygame.Surface) -> None:
        """Paint it over the map, where not (almost) all of the map is in sight anyway."""
        battlemap, camera = looking.hand.seen, looking.camera
        wide, high = battlemap.grid.size(battlemap.cols, battlemap.rows)
        seen = min(1.0, camera.size[0] / camera.scale / wide), min(1.0, camera.size[1] / camera.scale / high)
        free = looking.frame.free
        longest = min(SMALL * looking.size, free.width * 0.3, free.height * 0.4)
        self._scale = longest / max(wide, high)
        self.area = pygame.Rect(0, 0, 0, 0)
        small = free.width < 420 * looking.size or free.height < 260 * looking.size
        if min(seen) > SHOWN_BELOW or looking.editing is not None or small:
            return
        size = max(4, round(wide * self._scale)), max(4, round(high * self._scale))
        known = looking.hand.table.known(looking.hand.selected) if looking.hand.selected else None
        known = None if looking.shown.referee else known
        key = (battlemap.levels, battlemap.palette, battlemap.barriers, looking.hand.level, size, known)
        if self._kept is None or self._kept[0] != key:
            self._kept = (key, self._ground(looking.theme, battlemap, looking.hand.level, size, known))
        box = pygame.Rect((0, 0), size)
        box.bottomright = free.width - round(10 * looking.size), free.height - round(10 * looking.size)
        pygame.draw.rect(surface, DARK, box.inflate(6, 6), border_radius=4)
        surface.blit(self._kept[1], box)
        for mover, kind in _tokens(looking):
            ring, _ = looking.theme.sides[kind]
            x, y = _middle(battlemap, mover)
            at = box.x + x * self._scale, box.y + y * self._scale
            pygame.draw.circle(surface, DARK, at, 4)
            pygame.draw.circle(surface, WHITE if mover.id == looking.hand.selected else ring, at, 3)
        left, top = camera.origin
        part = pygame.Rect(box.x + round(left * self._scale), box.y + round(top * self._scale),
                           round(camera.size[0] / camera.scale * self._scale),
                           round(camera.size[1] / camera.scale * self._scale))  # fmt: skip
        pygame.draw.rect(surface, WHITE, part.clip(box), 1)
        self.area = box.move(looking.map_area.topleft)

    def point_at(self, pixel: tuple[int, int]) -> tuple[float, float]:
        """The point of the map that a pixel of the small map shows."""
        return (pixel[0] - self.area.x) / self._scale, (pixel[1] - self.area.y) / self._scale

    @staticmethod
    def _ground(
        theme: Theme, battlemap: Battlemap, level: int, size: tuple[int, int], known: frozenset[Cell] | None
    ) -> pygame.Surface:
        dots = pygame.Surface((battlemap.cols, battlemap.rows))
        blocked, plain = theme.colour("barrier", "wall"), theme.colour("ground", "plain")
        slow = theme.colour("ground", "grass")
        for row in range(battlemap.rows):
            for col in range(battlemap.cols):
                cell = Cell(col, row, level)
                ground = battlemap.terrain(cell)
                ink = blocked if ground.impassable else plain if not ground.difficult else slow
                dots.set_at((col, row), DARK if known is not None and cell not in known else ink)
        whole = pygame.transform.smoothscale(dots.convert(32), size)
        wide, high = battlemap.grid.size(battlemap.cols, battlemap.rows)
        for barrier in battlemap.barriers:
            if barrier.level == level:
                a, b = ((x * size[0] / wide, y * size[1] / high) for x, y in barrier.line)
                pygame.draw.line(whole, blocked, a, b)
        return whole


def paint_arrows(looking: Looking, surface: pygame.Surface) -> None:
    """At the rim of the map an arrow to each mover that is out of sight, in the colour of its side."""
    k, camera = looking.size, looking.camera
    room = pygame.Rect(0, 0, looking.frame.free.width, looking.frame.free.height)
    inner = room.inflate(-round(30 * k), -round(30 * k))
    if inner.width < 240 * k:
        return  # a drawer leaves too little of the map
    # a name that still shows at the rim says more than an arrow over it
    near = room.inflate(2 * round(camera.scale), 2 * round(camera.scale))
    for mover, kind in _tokens(looking):
        x, y = camera.pixel(_middle(looking.hand.battlemap, mover))
        if near.collidepoint(x, y):
            continue
        dx, dy = x - room.centerx, y - room.centery
        far = max(abs(dx) / (inner.width / 2), abs(dy) / (inner.height / 2))
        at = room.centerx + dx / far, room.centery + dy / far
        length = hypot(dx, dy)
        ux, uy = dx / length, dy / length
        ring, _ = looking.theme.sides[kind]
        for size, ink in ((10 * k, DARK), (7.5 * k, ring)):
            tip = at[0] + ux * size, at[1] + uy * size
            tail = at[0] - ux * size * 0.6, at[1] - uy * size * 0.6
            pygame.draw.polygon(
                surface,
                ink,
                [
                    tip,
                    (tail[0] - uy * size * 0.7, tail[1] + ux * size * 0.7),
                    (tail[0] + uy * size * 0.7, tail[1] - ux * size * 0.7),
                ],
            )


def _middle(battlemap: Battlemap, mover: Mover) -> tuple[float, float]:
    assert mover.at is not None
    x, y = battlemap.grid.centre(mover.at.col, mover.at.row)
    return x + (mover.size - 1) / 2, y + (mover.size - 1) / 2


def _tokens(looking: Looking) -> list[tuple[Mover, str]]:
    """Who is to be seen on the floor that is shown, and in the look of which side."""
    hand = looking.hand
    movers = [mover for mover in hand.seen.movers if mover.at is not None and mover.at.level == hand.level]
    return [
        (mover, "self" if mover.id == hand.selected else kind_of(None, mover, hand.battlemap.movers))
        for mover in movers
    ]
