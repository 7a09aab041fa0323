"""A map with its reach on any pygame surface: what the window shows, and what a host program can embed.

    overlay = tactical.viewer.ReachLayer()
    overlay.show(reach, route=reach.route(cell))
    overlay.draw(surface, camera)

No window, no event loop: the host owns both.  Painted layers are kept until the map, the reach or the view changes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

import pygame

from tactical.errors import Refusal
from tactical.movement.route import Route, State
from tactical.show.drawers.raster.canvas import Canvas, Kit
from tactical.show.drawers.raster.picture import paint_pieces, paint_reach
from tactical.show.layout import Box
from tactical.show.scene.legend import gait_count, legend, stance
from tactical.show.scene.route import middle, route_shapes
from tactical.show.scene.scene import clipped, kind_of, later_chips, lit_cells, movers_of, reaching
from tactical.show.scene.shapes import Area, Chip, Entry, Mark, Scene, Shape, Token, View, outline
from tactical.show.theme import Theme, load
from tactical.units import Cell
from tactical.viewer.picture.camera import Camera
from tactical.viewer.picture.look import PLAIN, Eyes, Look, Moved, Same, Shown
from tactical.viewer.picture.tiles import Tiles
from tactical.world.battlemap import Battlemap
from tactical.world.mover import Mover


@dataclass
class MapLayer:
    """Paints a map, a reach and a route through a camera; `taken` are the boxes of tokens and plates painted last."""

    theme: Theme = field(default_factory=load)
    kit: Kit = field(default_factory=Kit)
    eyes: Eyes = field(default_factory=Eyes)
    taken: list[Box] = field(default_factory=list)
    _tiles: Tiles | None = None
    _look: Look | None = None
    _chips: tuple[tuple[object, ...], tuple[Chip, ...]] | None = None

    @property
    def tiles(self) -> Tiles:
        """The still part of the picture."""
        if self._tiles is None:
            self._tiles = Tiles(self.theme, self.kit)
        return self._tiles

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
        odds: Mapping[Cell, Fraction | None] | None = None,
        known: frozenset[Cell] | None = None,
        extra: Sequence[Shape] = (),
        moved: Moved | None = None,
        budget: float | None = None,
        chance: str = "",
        other: Any = None,
        size: float = 1.0,
        inset: tuple[float, float] = (0.0, 0.0),
        covered: float = 0.0,
        viewer: Mover | None = None,
    ) -> Scene:
        """Paint it all; returns the scene of what moves (route and tokens).

        Only what the mover knows is shown, and of `known` cells alone if they are given (`shown.referee`: all).
        `size` makes plates so many times as large, `inset` keeps them off the left and upper edge, `covered` off what
        lies over the right one; `chance` stands on the goal; `other` is somebody else's reach, drawn as a rim with what
        they can strike.  `viewer` is who looks, where the reach is not theirs, or not of now.  `extra` shapes lie over
        the route; `moved` puts one token elsewhere.  `budget` is how many milliseconds the still part may take
        (`Tiles.behind` says whether more is to come).
        """
        # whole pixels, so that nothing trembles while the map is dragged
        left, top = round(camera.origin[0] * camera.scale), round(camera.origin[1] * camera.scale)
        camera = Camera(surface.get_size(), camera.scale, (left / camera.scale, top / camera.scale))
        eyes = viewer or (reach.mover if reach else None)
        battlemap = self.eyes.map(battlemap, eyes, known, referee=shown.referee)
        look = self._looked(Look(battlemap, reach, shown, odds))
        self.tiles.draw(surface, camera, look, budget)
        view = clipped(battlemap, camera.view(battlemap.grid))
        scene = self._moving(look, route, target, tuple(waypoints), view, moved, chance, viewer)
        chips = self._later(look, view, quick=budget is not None)
        scene = replace(scene, shapes=(*extra, *scene.shapes, *chips))
        canvas = self._canvas(surface, camera, scene.gaits)
        canvas.text, canvas.inset, canvas.covered = size, inset, covered
        if other is not None:
            paint_reach(canvas, _scene(battlemap, shown.level, view, self._others(battlemap, other, view, shown.level)))
        paint_pieces(canvas, scene)
        self.taken = canvas.taken
        return scene

    def _others(self, battlemap: Battlemap, other: Any, view: View, level: int) -> Iterator[Shape]:
        """Where somebody else can get to this turn, and what they strike from where they stand."""
        cells = {cell for role, found in lit_cells(battlemap, other, level).areas.items() for cell in found
                 if role.startswith("band:")}  # fmt: skip
        if cells:
            yield Area("enemy", frozenset(cells), outline(battlemap.grid, cells))
        for cell in other.query.site_everywhere.threatened_by(other.mover):
            if cell.level == level:
                yield Mark("threat", battlemap.grid.centre(cell.col, cell.row), cell)

    def _looked(self, look: Look) -> Look:
        """The look of last time where nothing has changed: it keeps what it has worked out."""
        last = self._look
        if last is not None and last == look:
            return last
        self._look = look
        return look

    def _later(self, look: Look, view: View, *, quick: bool) -> tuple[Chip, ...]:
        """The chips of later turns; while the map moves they stay where they were."""
        if look.reach is None or not look.shown.reach:
            return ()
        key = (Same(look), view)
        if self._chips is None or (self._chips[0] != key and not (quick and self._chips[0][0] == key[0])):
            chips = later_chips(look.battlemap, look.lit, view, look.shown.level)
            self._chips = (key, tuple(chips))
        return self._chips[1]

    def legend(self, battlemap: Battlemap, reach: Any, shown: Shown) -> tuple[Entry, ...]:
        """The legend of what the last picture shows, on the map as it is seen."""
        shapes = list(self.tiles.told())
        everything = (0, 0, battlemap.cols, battlemap.rows)
        viewer = reach.mover if reach else None
        tokens = self._sided(battlemap, movers_of(battlemap, everything, shown.level, viewer))
        movers = {mover.id: mover for mover in battlemap.movers}
        others = [one for one in tokens if isinstance(one, Token) and one.id in movers and one.role != "mover:self"]
        sides = sorted((one.role, stance(viewer, movers[one.id])) for one in others)
        bands = reach.bands if reach and shown.reach else ()
        return legend([*shapes, *tokens], bands, getattr(reach, "unit", battlemap.unit), sides)

    @staticmethod
    def _sided(battlemap: Battlemap, tokens: Iterable[Shape]) -> list[Shape]:
        """The tokens in the look of their sides, the same whoever is selected: only the words tell friend from foe."""
        kinds = {mover.id: kind_of(None, mover, battlemap.movers) for mover in battlemap.movers}
        return [
            token._replace(role=f"mover:{kinds[token.id]}")
            if isinstance(token, Token) and token.role != "mover:self" and token.id in kinds
            else token
            for token in tokens
        ]

    def _canvas(self, surface: pygame.Surface, camera: Camera, gaits: int) -> Canvas:
        return Canvas(surface, self.theme, camera.scale, camera.origin, gaits, self.kit)

    def _moving(
        self,
        look: Look,
        route: Route | Refusal | None,
        target: Cell | None,
        waypoints: tuple[Cell, ...],
        view: View,
        moved: Moved | None,
        chance: str,
        viewer: Mover | None,
    ) -> Scene:
        battlemap, reach, shown = look.battlemap, look.reach, look.shown
        shapes: list[Shape] = []
        path: list[Shape] = []
        size = reach.mover.size if reach else 1
        if isinstance(route, Route) and reach:
            path = list(route_shapes(battlemap, route, reach.bands, shown.level, mover=reach.mover, chance=chance))
        elif isinstance(route, Refusal) and target is not None and target.level == shown.level:
            path = [Mark("refused", battlemap.grid.centre(target.col, target.row), target)]
        for cell in waypoints:
            if cell.level == shown.level:
                path.append(Mark("stop", middle(battlemap, cell, size), cell))
        at: State | None = reach.start if reach and viewer is None else None
        tokens = self._sided(battlemap, movers_of(battlemap, view, shown.level, viewer or look.viewer, at=at))
        if moved is not None:
            tokens = [token for token in map(moved.put, tokens) if token is not None]
        ghosts = [shape for shape in path if shape.role == "ghost"]
        shapes += [shape for shape in path if shape.role.startswith("route")]
        shapes += [shape for shape in path if isinstance(shape, Mark)]
        shapes += [*ghosts, *tokens]
        shapes += [shape for shape in path if isinstance(shape, Chip)]
        return _scene(battlemap, shown.level, view, shapes, _gaits(reach))


def _gaits(reach: Any) -> int:
    return gait_count(reach.bands) if reach else 2


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
            shapes += route_shapes(battlemap, self.route, self.reach.bands, level, mover=self.reach.mover)
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
