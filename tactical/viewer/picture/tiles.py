"""The still part of the picture, cut into tiles that are painted once and kept.

A tile is a square of pixels at a place of the map, at one size of the cells.  Its floor (ground and grid) outlives a
change of the reach; bands, barriers, costs and threats are painted on a copy of it.  Many missing tiles are painted as
one picture and cut up, which costs least; where time is short (`budget`) they are painted one by one, nearest to the
middle first, and what is still missing shows what was painted before, enlarged.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from math import ceil, floor
from time import perf_counter
from typing import Any

import pygame

from tactical.show.drawers.raster.canvas import Canvas, Kit
from tactical.show.drawers.raster.ground import COARSE, paint_coarse
from tactical.show.drawers.raster.picture import paint_base, paint_reach
from tactical.show.scene.scene import clipped, ground
from tactical.show.scene.shapes import Shape, Tile, View
from tactical.show.theme import Theme
from tactical.viewer.picture.camera import Camera
from tactical.viewer.picture.look import Look, Painted, Same, content
from tactical.world.grids import squares

CELLS = 6
"""About so many cells a tile is wide."""
LEAST, MOST_WIDE = 64, 320
"""Pixels of a tile at the least and at the most."""
KEPT = 24 << 20
"""Bytes of pixels that are kept of the finished tiles, and as many of their floors; all that is in sight, always."""

At = tuple[int, int]
Told = Mapping[tuple[str, tuple[str, ...]], Shape]
"""One shape of every role that is in a picture: what a legend has to explain."""


@dataclass
class Tiles:
    """Paints and keeps tiles; `painted` counts them, `behind` says that some in sight are still missing."""

    theme: Theme
    kit: Kit
    painted: int = 0
    behind: bool = False
    _floor_key: tuple[object, ...] = ()
    _key: tuple[object, ...] = ()
    _floors: dict[At, tuple[pygame.Surface, Told]] = field(default_factory=dict)
    _tiles: dict[At, tuple[pygame.Surface, Told]] = field(default_factory=dict)
    _seen: tuple[At, ...] = ()
    _wide: Painted | None = None
    _last: Painted | None = None

    def draw(self, surface: pygame.Surface, camera: Camera, look: Look, budget: float | None = None) -> None:
        """Put the picture on a surface; `budget` is how many milliseconds of painting are allowed (None: all)."""
        begun = perf_counter()
        side = self._prepare(camera, look)
        every = self._in_sight(camera, look, side)
        self._seen = tuple(every)
        missing = [at for at in every if at not in self._tiles]
        if missing and budget is None:
            self._paint(missing, camera.scale, side, look)
            missing = []
        while missing and budget:
            self._paint([missing.pop(0)], camera.scale, side, look)
            if (perf_counter() - begun) * 1000 >= budget:
                break
        self.behind = bool(missing)
        if missing:
            self._enlarged(surface, camera, look)
        left, top = round(camera.origin[0] * camera.scale), round(camera.origin[1] * camera.scale)
        if not missing and not self._covered(camera, look):
            surface.fill(self.theme.colour("window", "back"))
        there = [(x, y) for x, y in every if (x, y) in self._tiles]
        surface.blits([(self._tiles[x, y][0], (x * side - left, y * side - top)) for x, y in there], False)
        if not missing:
            self._remember(surface, camera, look)
            if budget:
                self._ahead(camera, look, side, begun, budget)

    def told(self) -> Iterable[Shape]:
        """One shape of every role in sight."""
        found: dict[tuple[str, tuple[str, ...]], Shape] = {}
        for at in self._seen:
            if at in self._tiles:
                found |= self._tiles[at][1]
        return found.values()

    # -- which ------------------------------------------------------------------------------------------------------

    def _prepare(self, camera: Camera, look: Look) -> int:
        """Forget what does not fit any more; returns the width of a tile."""
        shown = look.shown
        floor_key = (content(look.battlemap), shown.level, shown.grid, camera.scale)
        key = (floor_key, Same(look.reach, look.odds), shown)
        if floor_key != self._floor_key:
            self._floors.clear()
            self._floor_key = floor_key
        if key != self._key:
            self._tiles.clear()
            self._key = key
        return min(MOST_WIDE, max(LEAST, ceil(camera.scale * CELLS / 32) * 32))

    def _in_sight(self, camera: Camera, look: Look, side: int, more: int = 0) -> list[At]:
        """The tiles that a view needs, nearest to its middle first."""
        battlemap = look.battlemap
        width, height = battlemap.grid.size(battlemap.cols, battlemap.rows)
        left, top = round(camera.origin[0] * camera.scale), round(camera.origin[1] * camera.scale)
        x0, y0 = max(left // side - more, floor(-0.6 * camera.scale / side)), max(top // side - more, -1)
        x1 = min((left + camera.size[0] - 1) // side + more, floor((width + 0.6) * camera.scale / side))
        y1 = min((top + camera.size[1] - 1) // side + more, floor((height + 0.6) * camera.scale / side))
        mx, my = (left + camera.size[0] / 2) / side - 0.5, (top + camera.size[1] / 2) / side - 0.5
        every = [(x, y) for x in range(x0, x1 + 1) for y in range(y0, y1 + 1)]
        return sorted(every, key=lambda at: ((at[0] - mx) ** 2 + (at[1] - my) ** 2, at))

    def _ahead(self, camera: Camera, look: Look, side: int, begun: float, budget: float) -> None:
        """Paint what lies just out of sight while there is time."""
        for at in self._in_sight(camera, look, side, 1):
            if (perf_counter() - begun) * 1000 >= budget:
                return
            if at not in self._tiles:
                self._paint([at], camera.scale, side, look)

    def _covered(self, camera: Camera, look: Look) -> bool:
        """Whether the map fills the view, so that nothing behind it shows."""
        battlemap = look.battlemap
        width, height = battlemap.grid.size(battlemap.cols, battlemap.rows)
        (x0, y0), (x1, y1) = camera.pixel((0, 0)), camera.pixel((width, height))
        square = squares(battlemap.grid)
        return square and x0 <= 0 and y0 <= 0 and x1 >= camera.size[0] and y1 >= camera.size[1]

    # -- painting ---------------------------------------------------------------------------------------------------

    def _paint(self, wanted: list[At], scale: float, side: int, look: Look) -> None:
        """Paint the box around some tiles and cut it up."""
        x0, y0 = min(x for x, _ in wanted), min(y for _, y in wanted)
        x1, y1 = max(x for x, _ in wanted) + 1, max(y for _, y in wanted) + 1
        size = (x1 - x0) * side, (y1 - y0) * side
        camera = Camera(size, scale, (x0 * side / scale, y0 * side / scale))
        view = clipped(look.battlemap, camera.view(look.battlemap.grid))
        boxes = [(x, y) for x in range(x0, x1) for y in range(y0, y1)]
        floors = [self._floors.get(at) for at in boxes]
        picture = self._blank(size)
        told: dict[tuple[str, tuple[str, ...]], Shape] = {}
        if all(known is not None for known in floors):
            for (x, y), known in zip(boxes, floors, strict=True):
                assert known is not None
                picture.blit(known[0], ((x - x0) * side, (y - y0) * side))
                told |= known[1]
        else:
            told |= self._ground(picture, camera, view, look)
            for x, y in boxes:
                part = picture.subsurface(((x - x0) * side, (y - y0) * side, side, side)).copy()
                self._keep(self._floors, (x, y), (part, dict(told)))
        lit = look.shapes(view)
        scene = look.scene(view, lit)
        paint_reach(Canvas(picture, self.theme, scale, camera.origin, scene.gaits, self.kit), scene)
        told |= _roles(lit)
        for x, y in boxes:
            part = picture.subsurface(((x - x0) * side, (y - y0) * side, side, side)).copy()
            self._keep(self._tiles, (x, y), (part, told))
        self.painted += 1

    def _ground(self, picture: pygame.Surface, camera: Camera, view: View, look: Look) -> Told:
        battlemap, level = look.battlemap, look.shown.level
        coarse = camera.scale < COARSE and squares(battlemap.grid) and battlemap.picture is None
        canvas = Canvas(picture, self.theme, camera.scale, camera.origin, 2, self.kit)
        shapes: tuple[Shape, ...] = ()
        if coarse:
            paint_coarse(canvas, battlemap, level, view)
        else:
            shapes = tuple(ground(battlemap, view, level))
        paint_base(canvas, look.scene(view, shapes), grid=look.shown.grid)
        return _roles(shapes)

    def _blank(self, size: tuple[int, int]) -> pygame.Surface:
        out = pygame.Surface(size)
        if pygame.display.get_init() and pygame.display.get_surface():
            out = out.convert()
        out.fill(self.theme.colour("window", "back"))
        return out

    def _keep(self, kept: dict[At, Any], at: At, value: tuple[pygame.Surface, Told]) -> None:
        kept[at] = value
        # all are of one size
        most = max(1, KEPT // (value[0].get_bytesize() * value[0].get_width() * value[0].get_height()))
        while len(kept) > most:
            oldest = next((one for one in kept if one not in self._seen), None)
            if oldest is None:
                return
            del kept[oldest]

    # -- what was painted before --------------------------------------------------------------------------------------

    def _remember(self, surface: pygame.Surface, camera: Camera, look: Look) -> None:
        """Keep the whole picture, for enlarging: the last one, and the one that shows most of the map."""
        last = self._last
        if last is not None and last.key == (self.painted, camera, self._key):
            return
        picture = surface.copy()
        self._last = Painted(look, camera, picture, (self.painted, camera, self._key))
        if self._wide is None or not self._wide.shows(look) or camera.scale <= self._wide.camera.scale:
            self._wide = self._last

    def _enlarged(self, surface: pygame.Surface, camera: Camera, look: Look) -> None:
        """Put what was painted before on a surface, larger or smaller."""
        surface.fill(self.theme.colour("window", "back"))
        for painted in dict.fromkeys((self._wide, self._last)):
            if painted is not None and painted.shows(look):
                painted.put(surface, camera)


def _roles(shapes: Iterable[Shape]) -> dict[tuple[str, tuple[str, ...]], Shape]:
    return {(shape.role, shape.signs if isinstance(shape, Tile) else ()): shape for shape in shapes}
