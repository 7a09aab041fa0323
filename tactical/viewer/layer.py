"""A map with its reach on any pygame surface: what the window shows, and what a host program can embed.

    overlay = tactical.viewer.ReachLayer()
    overlay.show(reach, route=reach.route(cell))
    overlay.draw(surface, camera)

No window, no event loop: the host owns both.  Painted layers are kept until the map, the reach or the view changes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

import pygame

from tactical.errors import Refusal
from tactical.movement.route import Route, State
from tactical.show.drawers.raster.canvas import Canvas, Kit
from tactical.show.drawers.raster.ground import COARSE, paint_coarse
from tactical.show.drawers.raster.picture import paint_base, paint_pieces, paint_reach
from tactical.show.route_shapes import middle, route_shapes
from tactical.show.scene import clipped, ground, movers_of, reaching
from tactical.show.shapes import Chip, Entry, Mark, Scene, Shape, View
from tactical.show.theme import Theme, load
from tactical.units import Cell
from tactical.viewer.camera import Camera
from tactical.viewer.look import PLAIN, Look, Moved, Painted, Same, Shown, content
from tactical.world.battlemap import Battlemap

MARGIN = 96
"""Pixels painted beyond each edge of the view, so that the map can be dragged without painting it anew."""


@dataclass
class MapLayer:
    """Paints a map, a reach and a route through a camera; `painted` counts the layers painted anew."""

    theme: Theme = field(default_factory=load)
    kit: Kit = field(default_factory=Kit)
    _kept: dict[str, tuple[tuple[object, ...], Any]] = field(default_factory=dict)
    _frame: Camera | None = None
    _wide: Painted | None = None
    _last: Painted | None = None
    painted: int = 0

    def draw(
        self,
        surface: pygame.Surface,
        camera: Camera,
        battlemap: Battlemap,
        reach: Any = None,
        route: Route | Refusal | None = None,
        *,
        shown: Shown = PLAIN,
        target: Cell | None = None,
        waypoints: Iterable[Cell] = (),
        odds: Mapping[Cell, Fraction] | None = None,
        known: frozenset[Cell] | None = None,
        extra: Sequence[Shape] = (),
        moved: Moved | None = None,
        quick: bool = False,
    ) -> Scene:
        """Paint it all; returns the scene of what moves (route and tokens).

        `known` darkens all other cells; `extra` shapes lie over the route; `moved` puts one token elsewhere.  A `quick`
        picture enlarges what was painted before, while the wheel still turns.
        """
        look = Look(battlemap, reach, shown, odds, None if shown.referee else known)
        if not (quick and self._enlarged(surface, camera, look)):
            frame, corner = self._around(camera, surface.get_size())
            still = self._still(frame, look)
            surface.blit(still, (0, 0), (*corner, *surface.get_size()))
        view = clipped(battlemap, camera.view(battlemap.grid))
        scene = self._moving(look, route, target, tuple(waypoints), view, moved)
        if extra:
            scene = replace(scene, shapes=(*extra, *scene.shapes))
        chips = self._kept["reach"][1].of(Chip) if "reach" in self._kept else ()
        scene = replace(scene, shapes=(*scene.shapes, *chips))
        paint_pieces(self._canvas(surface, camera, scene.gaits), scene)
        return scene

    def legend(self, battlemap: Battlemap, reach: Any, shown: Shown) -> tuple[Entry, ...]:
        """The legend of what the last picture shows."""
        from tactical.show.scene import legend

        shapes: list[Shape] = []
        for name in ("base", "reach"):
            if name in self._kept:
                shapes += self._kept[name][1].shapes
        everything = (0, 0, battlemap.cols, battlemap.rows)
        shapes += movers_of(battlemap, everything, shown.level, reach.mover if reach else None)
        return legend(shapes, reach.bands if reach and shown.reach else (), getattr(reach, "unit", battlemap.unit))

    def _canvas(self, surface: pygame.Surface, camera: Camera, gaits: int) -> Canvas:
        return Canvas(surface, self.theme, camera.scale, camera.origin, gaits, self.kit)

    def _keep(self, name: str, key: tuple[object, ...], make: Any) -> Any:
        """A value kept until its key changes."""
        if name not in self._kept or self._kept[name][0] != key:
            self._kept[name] = (key, make())
            self.painted += 1
        return self._kept[name][1]

    def _around(self, camera: Camera, size: tuple[int, int]) -> tuple[Camera, tuple[int, int]]:
        """A frame somewhat larger than the view, and where the view lies in it; the last one as long as it will do."""
        wide = size[0] + 2 * MARGIN, size[1] + 2 * MARGIN
        kept = self._frame
        if kept is not None and kept.scale == camera.scale and kept.size == wide:
            x, y = ((a - b) * camera.scale for a, b in zip(camera.origin, kept.origin, strict=True))
            whole = abs(x - round(x)) < 0.05 and abs(y - round(y)) < 0.05
            if whole and 0 <= round(x) <= 2 * MARGIN and 0 <= round(y) <= 2 * MARGIN:
                return kept, (round(x), round(y))
        more = MARGIN / camera.scale
        self._frame = Camera(wide, camera.scale, (camera.origin[0] - more, camera.origin[1] - more))
        return self._frame, (MARGIN, MARGIN)

    def _still(self, camera: Camera, look: Look) -> pygame.Surface:
        """Ground, bands and barriers: one surface, painted anew only when the map, the reach or the frame changes."""
        battlemap, reach, shown = look.battlemap, look.reach, look.shown
        view = clipped(battlemap, camera.view(battlemap.grid))
        place = (content(battlemap), shown.level, view, look.known)
        frame = (camera.scale, camera.origin, camera.size)
        coarse = camera.scale < COARSE and battlemap.grid.name == "square" and battlemap.picture is None

        def base_scene() -> Scene:
            shapes = () if coarse else ground(battlemap, view, shown.level, known=look.known)
            return _scene(battlemap, shown.level, view, shapes)

        def paint_ground() -> pygame.Surface:
            out = self._blank(camera.size)
            canvas = self._canvas(out, camera, 2)
            if coarse:
                paint_coarse(canvas, battlemap, shown.level, view, look.known)
            paint_base(canvas, base, grid=shown.grid)
            return out

        base = self._keep("base", (*place, coarse), base_scene)
        floor: pygame.Surface = self._keep("floor", (place, frame, shown.grid), paint_ground)

        def reach_scene() -> Scene:
            return _scene(battlemap, shown.level, view, look.shapes(view), _gaits(reach))

        key = (place, Same(reach), shown, look.knows)
        lit = self._keep("reach", key, reach_scene)

        def paint_bands() -> pygame.Surface:
            out: pygame.Surface = floor.copy()
            paint_reach(self._canvas(out, camera, lit.gaits), lit)
            return out

        still: pygame.Surface = self._keep("still", (key, frame, shown), paint_bands)
        if self._wide is None or not self._wide.shows(look) or camera.scale <= self._wide.camera.scale:
            self._wide = Painted(look, camera, still)
        self._last = Painted(look, camera, still)
        return still

    def _enlarged(self, surface: pygame.Surface, camera: Camera, look: Look) -> bool:
        """Put what was painted before on a surface, larger or smaller; False where nothing fits."""
        kept = [painted for painted in (self._wide, self._last) if painted is not None and painted.shows(look)]
        if not kept:
            return False
        surface.fill(self.theme.colour("window", "back"))
        for painted in kept:
            painted.put(surface, camera)
        return True

    def _blank(self, size: tuple[int, int]) -> pygame.Surface:
        out = pygame.Surface(size)
        if pygame.display.get_init() and pygame.display.get_surface():
            out = out.convert()
        out.fill(self.theme.colour("window", "back"))
        return out

    def _moving(
        self,
        look: Look,
        route: Route | Refusal | None,
        target: Cell | None,
        waypoints: tuple[Cell, ...],
        view: View,
        moved: Moved | None,
    ) -> Scene:
        battlemap, reach, shown = look.battlemap, look.reach, look.shown
        shapes: list[Shape] = []
        path: list[Shape] = []
        size = reach.mover.size if reach else 1
        if isinstance(route, Route) and reach:
            path = list(route_shapes(battlemap, route, reach.bands, shown.level, size=size))
        elif isinstance(route, Refusal) and target is not None and target.level == shown.level:
            path = [Mark("refused", battlemap.grid.centre(target.col, target.row), target)]
        for cell in waypoints:
            if cell.level == shown.level:
                path.append(Mark("stop", middle(battlemap, cell, size), cell))
        at: State | None = reach.start if reach else None
        tokens = list(movers_of(battlemap, view, shown.level, look.viewer, at=at, referee=shown.referee))
        if look.known is not None:
            tokens = [token for token in tokens if look.sees(token)]
        if moved is not None:
            tokens = [token for token in map(moved.put, tokens) if token is not None]
        ghosts = [shape for shape in path if shape.role == "ghost"]
        shapes += [shape for shape in path if shape.role.startswith("route")]
        shapes += [shape for shape in path if isinstance(shape, Mark)]
        shapes += [*ghosts, *tokens]
        shapes += [shape for shape in path if isinstance(shape, Chip)]
        return _scene(battlemap, shown.level, view, shapes, _gaits(reach))


def _gaits(reach: Any) -> int:
    return max(1, sum(band.turn == 1 for band in reach.bands)) if reach else 2


def _scene(battlemap: Battlemap, level: int, view: View, shapes: Iterable[Shape], gaits: int = 2) -> Scene:
    return Scene(battlemap.grid, battlemap.cols, battlemap.rows, view, tuple(shapes), level=level, gaits=gaits)


class ReachLayer:
    """A reach and a route as an overlay for host programs: `show` says what, `draw` paints it on the host's surface.

    With `ground` the map itself is painted too; without, only bands, rims, route and chips lie on what the host drew.
    """

    def __init__(self, theme: Theme | None = None, *, ground: bool = False) -> None:
        self.layer = MapLayer(theme or load())
        self.ground = ground
        self.reach: Any = None
        self.route: Route | Refusal | None = None

    def show(self, reach: Any, route: Route | Refusal | None = None) -> None:
        """Choose what the next `draw` paints; None clears it."""
        self.reach, self.route = reach, route

    def draw(self, surface: pygame.Surface, camera: Camera) -> None:
        """Paint on a surface; `camera` says where the map lies on it."""
        if self.reach is None:
            return
        battlemap: Battlemap = self.reach.battlemap
        level = self.reach.start.cell.level
        if self.ground:
            self.layer.draw(surface, camera, battlemap, self.reach, self.route, shown=Shown(level=level))
            return
        view = clipped(battlemap, camera.view(battlemap.grid))
        shapes = [s for s in reaching(battlemap, self.reach, view, level) if s.role != "out"]
        if isinstance(self.route, Route):
            shapes += route_shapes(battlemap, self.route, self.reach.bands, level, size=self.reach.mover.size)
        scene = _scene(battlemap, level, view, shapes, _gaits(self.reach))
        canvas = self.layer._canvas(surface, camera, scene.gaits)
        paint_reach(canvas, scene)
        paint_pieces(canvas, scene)

    def cell_at(self, camera: Camera, pixel: tuple[float, float]) -> Cell | None:
        """The cell under a pixel of the surface, or None off the map: for the host's mouse."""
        if self.reach is None:
            return None
        cell = camera.cell(self.reach.battlemap.grid, pixel, self.reach.start.cell.level)
        return cell if cell in self.reach.battlemap else None

    def rects(self, camera: Camera) -> dict[Cell, pygame.Rect]:
        """The boxes of all cells that can be stopped on, for hit tests."""
        if self.reach is None:
            return {}
        out = {}
        grid = self.reach.battlemap.grid
        for cell in self.reach.cells():
            corners = [camera.pixel(point) for point in grid.polygon(cell.col, cell.row)]
            left, top = min(x for x, _ in corners), min(y for _, y in corners)
            width, height = max(x for x, _ in corners) - left, max(y for _, y in corners) - top
            out[cell] = pygame.Rect(round(left), round(top), round(width), round(height))
        return out


__all__ = ["MapLayer", "Moved", "ReachLayer", "Shown"]
