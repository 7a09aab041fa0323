"""How a map is looked at: what is shown, through whose eyes, and what was painted before."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from math import ceil, floor
from typing import Any, Protocol

import pygame

from tactical.show.scene.barriers import barriers, ledges, links
from tactical.show.scene.legend import gait_count
from tactical.show.scene.scene import Lit, lit_cells, reaching, seen_map
from tactical.show.scene.shapes import Mark, Scene, Shape, Token, View
from tactical.show.sheet import Measure, Sheet
from tactical.units import Cell
from tactical.viewer.picture.camera import Camera
from tactical.world.battlemap import Battlemap
from tactical.world.grids import Point
from tactical.world.mover import Mover


@dataclass(frozen=True, slots=True)
class Shown:
    """What of it all is to be seen; `referee` shows what movers hide and do not know."""

    reach: bool = True
    costs: bool = False
    odds: bool = False
    enemy: bool = True
    grid: bool = True
    level: int = 0
    referee: bool = False


PLAIN = Shown()
"""What is seen at first."""


class Editing(Protocol):
    """What the edit mode shows while it is open: a panel of its own, and what lies over the map."""

    def sheet(self, measure: Measure, width: float) -> Sheet:
        """The panel."""

    def paint(self, surface: pygame.Surface, camera: Camera) -> None:
        """Paint over the map."""


@dataclass(frozen=True, slots=True)
class Moved:
    """A token that is drawn elsewhere than it stands: who, the middle, the posture, the floor."""

    id: str
    at: Point
    posture: str
    level: int
    shown: int

    def put(self, token: Shape) -> Shape | None:
        """The token where it is drawn; None where that is another floor than the one `shown`."""
        if not isinstance(token, Token) or token.id != self.id:
            return token
        return token._replace(at=self.at, posture=self.posture) if self.level == self.shown else None


@dataclass(frozen=True, eq=False)
class Look:
    """All that the still part of a picture depends on, besides the camera; the map is one as somebody sees it."""

    battlemap: Battlemap
    reach: Any
    shown: Shown
    odds: Mapping[Cell, Fraction | None] | None

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Look):
            return NotImplemented
        same = self.reach is other.reach and self.battlemap is other.battlemap and self.odds is other.odds
        return same and self.shown == other.shown

    __hash__ = None  # type: ignore[assignment]

    @cached_property
    def lit(self) -> Lit:
        """Which cells take which colour."""
        return lit_cells(self.battlemap, self.reach, self.shown.level)

    def scene(self, view: View, shapes: Iterable[Shape]) -> Scene:
        """Some shapes as a scene."""
        gaits = gait_count(self.reach.bands) if self.reach else 2
        battlemap, level = self.battlemap, self.shown.level
        return Scene(battlemap.grid, battlemap.cols, battlemap.rows, view, tuple(shapes), level=level, gaits=gaits)

    @property
    def viewer(self) -> Any:
        """Through whose eyes it is."""
        return self.reach.mover if self.reach else None

    def shapes(self, view: View) -> list[Shape]:
        """Bands, ledges, barriers and links."""
        battlemap, reach, shown = self.battlemap, self.reach, self.shown
        out: list[Shape] = []
        if reach and shown.reach:
            out += reaching(
                battlemap, reach, view, shown.level, costs=shown.costs, enemy=shown.enemy, odds=self.odds,
                lit=self.lit,
            )  # fmt: skip
        elif reach and shown.enemy:
            every = reaching(battlemap, reach, view, shown.level, enemy=True, lit=self.lit)
            out += [shape for shape in every if isinstance(shape, Mark)]
        out += ledges(battlemap, view, shown.level)
        out += barriers(battlemap, view, shown.level)
        out += links(battlemap, view, shown.level)
        return out


@dataclass(eq=False)
class Eyes:
    """The map as it is seen; what does not change is kept from one picture to the next, so that nothing is painted
    twice."""

    _key: tuple[object, ...] = ()
    _kept: tuple[Battlemap, Battlemap] | None = None

    def map(
        self, battlemap: Battlemap, viewer: Mover | None, known: frozenset[Cell] | None, *, referee: bool = False
    ) -> Battlemap:
        """The map as a viewer knows it (None: anybody), of the cells in `known` alone if they are given."""
        if referee:
            return battlemap
        who = None if viewer is None else (viewer.id, viewer.side, viewer.knows)
        key = (content(battlemap), who, known)
        if key == self._key and self._kept is not None and self._kept[0] is battlemap:
            return self._kept[1]
        seen = seen_map(battlemap, viewer, known)
        if key == self._key and self._kept is not None:
            # only movers have changed
            seen = replace(self._kept[1], movers=seen.movers)
        self._key, self._kept = key, (battlemap, seen)
        return seen


@dataclass(frozen=True, eq=False)
class Painted:
    """A painted picture with the camera it was painted through; `key` tells which it is."""

    look: Look
    camera: Camera
    surface: pygame.Surface
    key: tuple[object, ...] = ()

    def shows(self, look: Look) -> bool:
        """Whether it is a picture of the same things."""
        mine = self.look
        same = content(mine.battlemap) == content(look.battlemap) and mine.reach is look.reach
        return same and mine.shown == look.shown

    def put(self, surface: pygame.Surface, camera: Camera) -> None:
        """Draw it through another camera."""
        ratio = self.camera.scale / camera.scale
        width, height = surface.get_size()
        left = (camera.origin[0] - self.camera.origin[0]) * self.camera.scale
        top = (camera.origin[1] - self.camera.origin[1]) * self.camera.scale
        wanted = pygame.Rect(floor(left), floor(top), ceil(width * ratio) + 1, ceil(height * ratio) + 1)
        part = wanted.clip(self.surface.get_rect())
        if part.w < 1 or part.h < 1:
            return
        size = max(1, round(part.w / ratio)), max(1, round(part.h / ratio))
        scaled = pygame.transform.scale(self.surface.subsurface(part), size)
        surface.blit(scaled, (round((part.x - left) / ratio), round((part.y - top) / ratio)))


class Same:
    """A key that equals another one made of the very same objects, and keeps them alive."""

    __slots__ = ("things",)

    def __init__(self, *things: object) -> None:
        self.things = things

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Same) and all(a is b for a, b in zip(self.things, other.things, strict=True))

    __hash__ = None  # type: ignore[assignment]


def content(battlemap: Battlemap) -> Same:
    """What tells apart two maps that look different: movers are not part of it."""
    return Same(battlemap.levels, battlemap.palette, battlemap.zones, battlemap.barriers, battlemap.links)
