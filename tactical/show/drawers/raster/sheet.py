"""Painting sheets: panels and bars, `k` times as large as they were laid out."""

from __future__ import annotations

import pygame

from tactical.show.drawers.raster import overlay, pieces
from tactical.show.drawers.raster.canvas import DARK, WHITE, Canvas, Kit, icon, plate
from tactical.show.scene.shapes import Area, Mark, Scene, Stroke, Token
from tactical.show.sheet import Figure, Line, Measure, Plate, Sample, Sheet, Sign, Stretch, Words
from tactical.show.theme import Colour, Style, Theme, mix
from tactical.units import Cell
from tactical.world.grids import get_grid

SWATCH = (30, 18)


def measure(kit: Kit, k: float = 1.0) -> Measure:
    """How wide words come out with the built-in font: always measured, since the two pygame libraries differ."""

    def wide(text: str, size: float) -> float:
        return kit.width(text, round(size * k)) / k

    return wide


def ink(theme: Theme, name: str, gaits: int) -> Colour:
    """A colour by its name on a sheet."""
    kind, _, role = name.partition(":")
    if kind in ("rim", "fill"):
        style = theme.style(role, gaits)
        return style.rim if kind == "rim" else style.fill
    return DARK if name == "dark" else theme.colour("window", name)


def paint_sheet(
    surface: pygame.Surface, theme: Theme, kit: Kit, sheet: Sheet, k: float = 1.0, at: tuple[float, float] = (0, 0)
) -> None:
    """Put a sheet on a surface; `at` is where its corner lies."""
    _Painter(surface, theme, kit, sheet.gaits, k, at).paint(sheet)


class _Painter:
    def __init__(
        self, surface: pygame.Surface, theme: Theme, kit: Kit, gaits: int, k: float, at: tuple[float, float]
    ) -> None:
        self.surface, self.theme, self.kit, self.gaits, self.k, self.at = surface, theme, kit, gaits, k, at

    def ink(self, name: str) -> Colour:
        return ink(self.theme, name, self.gaits)

    def px(self, x: float, y: float) -> tuple[int, int]:
        return round(self.at[0] + x * self.k), round(self.at[1] + y * self.k)

    def rect(self, box: tuple[float, float, float, float]) -> pygame.Rect:
        x0, y0 = self.px(box[0], box[1])
        x1, y1 = self.px(box[0] + box[2], box[1] + box[3])
        return pygame.Rect(x0, y0, max(1, x1 - x0), max(1, y1 - y0))

    def paint(self, sheet: Sheet) -> None:
        for mark in sheet.marks:
            if isinstance(mark, Words):
                self._words(mark)
            elif isinstance(mark, Plate):
                box = self.rect(mark.box)
                line, radius = max(1, round(mark.line * self.k)), round(mark.radius * self.k)
                look = plate(self.kit, box.size, self.ink(mark.fill), self.ink(mark.edge), radius, line)
                self.surface.blit(look, box.topleft)
            elif isinstance(mark, Sign):
                picture = icon(self.kit, mark.name, mark.half * self.k, self.ink(mark.ink))
                x, y = self.at[0] + mark.x * self.k, self.at[1] + mark.y * self.k
                corner = round(x - picture.get_width() / 2), round(y - picture.get_height() / 2)
                self.surface.blit(picture, corner)
            elif isinstance(mark, Line):
                self._line(mark)
            elif isinstance(mark, Stretch):
                self._stretch(mark)
            elif isinstance(mark, Sample):
                self._sample(mark)
            else:
                self._figure(mark)

    def _words(self, mark: Words) -> None:
        words = self.kit.text(mark.text, round(mark.size * self.k), self.ink(mark.ink))
        box = words.get_rect(topleft=self.px(mark.x, mark.y))
        if mark.anchor == "right":
            box.right = self.px(mark.x, 0)[0]
        elif mark.anchor == "middle":
            box.centerx = self.px(mark.x, 0)[0]
        self.surface.blit(words, box)

    def _line(self, mark: Line) -> None:
        ends = self.px(mark.x0, mark.y0), self.px(mark.x1, mark.y1)
        if mark.strong:
            pygame.draw.line(self.surface, DARK, *ends, max(3, round(5 * self.k)))
        width = max(1, round((2 if mark.strong else 1) * self.k))
        pygame.draw.line(self.surface, self.ink(mark.ink), *ends, width)

    def _sample(self, mark: Sample) -> None:
        if self.k == 1:
            swatch(self.surface, self.theme, self.kit, mark.role, self.px(mark.x, mark.y), self.gaits)
            return
        small = pygame.Surface((30, 18), pygame.SRCALPHA)
        swatch(small, self.theme, self.kit, mark.role, (0, 0), self.gaits)
        large = pygame.transform.smoothscale(small, (round(30 * self.k), round(18 * self.k)))
        self.surface.blit(large, self.px(mark.x, mark.y))

    def _figure(self, mark: Figure) -> None:
        cell = mark.cell * self.k
        origin = -(self.at[0] + mark.x * self.k) / cell, -(self.at[1] + mark.y * self.k) / cell
        canvas = Canvas(self.surface, self.theme, cell, origin, self.gaits, self.kit)
        pieces.paint_token(canvas, Token(mark.role, (0, 0), 1, posture=mark.posture))

    def _stretch(self, mark: Stretch) -> None:
        """A part of a bar, filled and patterned like its band on the map."""
        box, style, card = self.rect(mark.box), self.theme.style(mark.role, self.gaits), self.ink("card")
        if mark.state == "rim":
            self.surface.fill(style.rim, box)
        elif mark.state == "empty":
            self.surface.fill(mix(style.fill, card, 0.82), box)
        elif mark.state == "past":
            self.surface.fill(mix(card, (0, 0, 0), 0.35), box)
        else:
            self.surface.fill(style.fill if style.name != "later" else mix(style.fill, WHITE, 0.3), box)
            self._pattern(box, style)

    def _pattern(self, box: pygame.Rect, style: Style) -> None:
        if style.pattern not in ("hatch", "bars", "cross"):
            return
        part = pygame.Surface(box.size, pygame.SRCALPHA)
        tint = (*mix(style.fill, (0, 0, 0), 0.45), 150)
        if style.pattern == "bars":
            for y in range(4, box.h, 8):
                pygame.draw.line(part, tint, (0, y), (box.w, y), 2)
        else:
            for x in range(-box.h, box.w, 9):
                pygame.draw.line(part, tint, (x, box.h), (x + box.h, 0), 2)
                if style.pattern == "cross":
                    pygame.draw.line(part, tint, (x, 0), (x + box.h, box.h), 2)
        self.surface.blit(part, box.topleft)


def swatch(surface: pygame.Surface, theme: Theme, kit: Kit, role: str, at: tuple[int, int], gaits: int) -> None:
    """The little picture of a role in a legend, painted by the code that paints the map."""
    part = pygame.Surface(SWATCH, pygame.SRCALPHA)
    kind, _, rest = role.partition(":")
    width, height = SWATCH
    canvas = Canvas(part, theme, 18.0, (-width / 36, -height / 36), gaits, kit)
    if kind in ("band", "turn", "passing", "out"):
        part.fill(theme.colour("ground", "grass"))
        style = theme.style(role, gaits)
        cells = frozenset(Cell(c, r) for c in (-1, 0) for r in (-1, 0))
        overlay.paint_area(canvas, _EMPTY, Area(role, cells), style)
        if style.dash != "none":
            overlay.paint_rim(canvas, [(1, 1), (width - 2, 1), (width - 2, height - 2), (1, height - 2)], style)
    elif kind == "mover":
        canvas.scale = 21.0
        canvas.origin = (-width / 42, -height / 42)
        pieces.paint_token(canvas, Token(role, (0, 0), 1))
    elif kind == "sign":
        hazard = rest == "hazard"
        part.fill((*theme.colour("ground", "plain"), 255))
        tint = theme.colour("mark", "hazard") if hazard else (20, 22, 26)
        canvas.icon(rest, (width / 2, height / 2), 7, tint, edge=hazard)
    elif kind == "threat":
        part.fill((*theme.colour("ground", "grass"), 255))
        overlay.paint_threats(canvas, [Mark(role, (0, 0))], _EMPTY.grid)
    elif kind in ("refused", "link"):
        if kind == "link":
            part.fill((*theme.colour("ground", "plain"), 255))
        pieces.paint_mark(canvas, Mark(role, (0, 0)))
    else:
        part.fill((*theme.colour("ground", "plain"), 255))
        canvas.scale = 22.0
        canvas.origin = (-width / 44, -height / 44)
        points = ((-0.4, 0.0), (0.4, 0.0)) if kind == "one-way" else ((-0.7, 0.0), (0.7, 0.0))
        pieces.paint_barriers(canvas, [Stroke(role, points)])
    surface.blit(part, at)


def _empty_scene() -> Scene:
    return Scene(get_grid("square"), 1, 1, (0, 0, 1, 1), ())


_EMPTY = _empty_scene()
