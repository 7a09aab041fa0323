"""Painting what can be reached: fills, patterns, rims, costs and enemy reach."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from math import ceil, hypot

import pygame

from tactical.show.drawers.raster.canvas import DARK, WHITE, Canvas, Paint, fill, thick_line
from tactical.show.scene.shapes import Area, Mark, Scene, Text, corner_ticks
from tactical.show.theme import Style
from tactical.units import Cell
from tactical.world.grids import Grid, squares

Point = tuple[float, float]


def paint_areas(canvas: Canvas, scene: Scene, areas: Iterable[Area]) -> None:
    """Bands, bottom first: fill, then pattern, then rim."""
    for area in areas:
        if area.cells or area.inverse:
            style = canvas.theme.style(area.role, canvas.gaits)
            paint_area(canvas, scene, area, style)


def paint_area(canvas: Canvas, scene: Scene, area: Area, style: Style) -> None:
    """One band."""
    c0, r0, c1, r1 = scene.view
    rim = [Cell(c, r) for c in (c0, c1 - 1) for r in {r0, r1 - 1}] if area.inverse else area.cells
    box = _bounds(canvas, scene, rim).clip(canvas.surface.get_rect())
    if box.w < 1 or box.h < 1:
        return
    layer = pygame.Surface(box.size, pygame.SRCALPHA)
    ink = (*style.fill, round(style.alpha * 255))
    if area.inverse:
        _fill_view(canvas, scene, layer, box, ink)
        _fill(canvas, scene, area.cells, layer, box, (0, 0, 0, 0))
    else:
        _fill(canvas, scene, area.cells, layer, box, ink)
    if style.pattern in ("hatch", "bars", "cross") and canvas.scale >= 7:
        lines = _lines(canvas, style, box)
        mask = pygame.Surface(box.size, pygame.SRCALPHA)
        _fill(canvas, scene, area.cells, mask, box, (255, 255, 255, 255))
        lines.blit(mask, (0, 0), special_flags=pygame.BLEND_RGBA_MULT)
        layer.blit(lines, (0, 0))
    canvas.surface.blit(layer, box.topleft)
    if style.pattern in ("dots", "rings") and canvas.scale >= 9:
        _dots(canvas, scene, area.cells, style)
    if style.dash != "none":
        for ring in area.rings:
            paint_rim(canvas, [canvas.pixel(point) for point in ring], style)


def _bounds(canvas: Canvas, scene: Scene, cells: Iterable[Cell]) -> pygame.Rect:
    places = list(cells)
    cols, rows = [cell.col for cell in places], [cell.row for cell in places]
    ends = [(c, r) for c in (min(cols), max(cols)) for r in (min(rows), max(rows))]
    corners = [canvas.px(point) for col, row in ends for point in scene.grid.polygon(col, row)]
    # shoved lines of hexes stick out by half a cell
    slack = 1 if squares(scene.grid) else ceil(canvas.scale * 0.6)
    left, top = min(x for x, _ in corners) - slack, min(y for _, y in corners) - slack
    right, bottom = max(x for x, _ in corners) + slack, max(y for _, y in corners) + slack
    return pygame.Rect(round(left), round(top), ceil(right - left), ceil(bottom - top))


def _fill(
    canvas: Canvas, scene: Scene, cells: frozenset[Cell], layer: pygame.Surface, box: pygame.Rect, colour: Paint
) -> None:
    if not squares(scene.grid):
        for cell in cells:
            corners = [canvas.px(point) for point in scene.grid.polygon(cell.col, cell.row)]
            pygame.draw.polygon(layer, colour, [(x - box.x, y - box.y) for x, y in corners])
        return
    for row, first, last in _runs(cells):
        x0, y0 = canvas.pixel((first, row))
        x1, y1 = canvas.pixel((last + 1, row + 1))
        fill(layer, colour, (x0 - box.x, y0 - box.y, x1 - x0, y1 - y0))


def _fill_view(canvas: Canvas, scene: Scene, layer: pygame.Surface, box: pygame.Rect, colour: Paint) -> None:
    """Every cell of the view."""
    c0, r0, c1, r1 = scene.view
    if squares(scene.grid):
        (x0, y0), (x1, y1) = canvas.pixel((c0, r0)), canvas.pixel((c1, r1))
        fill(layer, colour, (x0 - box.x, y0 - box.y, x1 - x0, y1 - y0))
    else:
        every = frozenset(Cell(c, r) for c in range(c0, c1) for r in range(r0, r1))
        _fill(canvas, scene, every, layer, box, colour)


def _runs(cells: Iterable[Cell]) -> Iterator[tuple[int, int, int]]:
    """Cells side by side as (row, first column, last column)."""
    found: tuple[int, int, int] | None = None
    for row, col in sorted((cell.row, cell.col) for cell in cells):
        if found and found[0] == row and found[2] + 1 == col:
            found = (row, found[1], col)
        else:
            if found:
                yield found
            found = (row, col, col)
    if found:
        yield found


def _lines(canvas: Canvas, style: Style, box: pygame.Rect) -> pygame.Surface:
    """Hatching over a box, in step with the map so that it does not crawl when the map is dragged."""
    period = max(6, round(canvas.scale / 3))
    several = max(1, 120 // period)
    width = max(1.2, canvas.scale / 22)

    def draw(large: pygame.Surface, factor: float) -> None:
        side = period * factor
        ink = (*style.rim, 120)
        if style.pattern == "bars":
            pygame.draw.line(large, ink, (0, side / 2), (side, side / 2), round(width * factor))
            return
        for shift in (-side, 0, side):
            pygame.draw.line(large, ink, (shift - 2, side + 2), (shift + side + 2, -2), round(width * factor * 1.4))
            if style.pattern == "cross":
                pygame.draw.line(large, ink, (shift - 2, -2), (shift + side + 2, side + 2), round(width * factor * 1.4))

    one = canvas.kit.sprite(("lines", style.name, style.rim, period), (period, period), draw)
    side = period * several
    key = ("many lines", style.name, style.rim, period)
    if key not in canvas.kit.sprites:
        many = pygame.Surface((side, side), pygame.SRCALPHA)
        many.blits([(one, (x, y)) for x in range(0, side, period) for y in range(0, side, period)], False)
        canvas.kit.sprites[key] = many
    tile = canvas.kit.sprites[key]
    out = pygame.Surface(box.size, pygame.SRCALPHA)
    ox = (box.x + round(canvas.origin[0] * canvas.scale)) % period
    oy = (box.y + round(canvas.origin[1] * canvas.scale)) % period
    out.blits([(tile, (x, y)) for x in range(-ox, box.w, side) for y in range(-oy, box.h, side)], False)
    return out


def _dots(canvas: Canvas, scene: Scene, cells: Iterable[Cell], style: Style) -> None:
    radius = max(1.0, canvas.scale / 21)
    side = round(radius * 2) + 4

    def draw(large: pygame.Surface, factor: float) -> None:
        middle = large.get_width() / 2
        width = 0 if style.pattern == "dots" else max(1, round(factor))
        # a dark edge, so that white dots are seen on light ground
        pygame.draw.circle(large, (*DARK, 110), (middle, middle), (radius + 0.9) * factor, width and width + 2)
        pygame.draw.circle(large, (*style.rim, 230), (middle, middle), radius * factor, width)

    dot = canvas.kit.sprite(("dot", style.name, style.rim, side), (side, side), draw)
    shifts = ((-0.25, -0.25), (0.25, 0.25)) if canvas.scale >= 18 else ((0.0, 0.0),)
    spots, told = [], {text.at for text in scene.of(Text)}
    for cell in cells:
        x, y = scene.grid.centre(cell.col, cell.row)
        # beside a number dots would be read as part of it
        for dx, dy in () if (x, y) in told else shifts:
            px, py = canvas.px((x + dx, y + dy))
            spots.append((dot, (round(px - side / 2), round(py - side / 2))))
    canvas.surface.blits(spots, False)


def paint_rim(canvas: Canvas, ring: list[tuple[int, int]], style: Style) -> None:
    """The outline of a band: solid and dashed ones lie on a dark line."""
    wide = max(1, round(style.width * min(1.0, max(0.5, canvas.scale / 28))))
    closed = [*ring, ring[0]]
    # in step with the map, so that parts of a picture painted one by one fit together
    shift = round(canvas.origin[0] * canvas.scale), round(canvas.origin[1] * canvas.scale)
    if style.dash in ("solid", "dashed"):
        _thick(canvas.surface, DARK, closed, wide + 2)
    if style.dash == "dashed":
        for a, b in _dashes(closed, 9, 6, shift):
            _thick(canvas.surface, style.rim, [a, b], wide)
    elif style.dash == "dotted":
        for a, b in _dashes(closed, 2, 4, shift):
            _thick(canvas.surface, style.rim, [a, b], wide)
    else:
        _thick(canvas.surface, style.rim, closed, wide)


def _thick(surface: pygame.Surface, colour: Paint, points: list[tuple[int, int]], width: int) -> None:
    """Lines whose corners are filled; upright and level ones are sharp rectangles."""
    half = width // 2
    for (x0, y0), (x1, y1) in itertools.pairwise(points):
        if x0 == x1 or y0 == y1:
            box = pygame.Rect(min(x0, x1) - half, min(y0, y1) - half, abs(x1 - x0) + width, abs(y1 - y0) + width)
            fill(surface, colour, box)
        else:
            pygame.draw.line(surface, colour, (x0, y0), (x1, y1), width)
            pygame.draw.aaline(surface, colour, (x0, y0), (x1, y1))


def _dashes(
    points: list[tuple[int, int]], on: float, off: float, shift: tuple[int, int] = (0, 0)
) -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
    """The drawn parts of a dashed line; every side is cut where the map says, whatever part of it is drawn."""
    for (x0, y0), (x1, y1) in itertools.pairwise(points):
        length = hypot(x1 - x0, y1 - y0)
        if not length:
            continue
        ux, uy = (x1 - x0) / length, (y1 - y0) / length
        at = -(((x0 + shift[0]) * ux + (y0 + shift[1]) * uy) % (on + off))
        while at < length:
            a, b = max(0.0, at), min(length, at + on)
            if b > a:
                yield (round(x0 + ux * a), round(y0 + uy * a)), (round(x0 + ux * b), round(y0 + uy * b))
            at += on + off


def paint_threats(canvas: Canvas, marks: Iterable[Mark], grid: Grid) -> None:
    """Corner ticks on every cell within an enemy's reach."""
    if canvas.scale < 8:
        return
    wide = max(1.2, canvas.scale / 16)
    colour = canvas.colour("mark", "threat")
    side = round(canvas.scale * 1.2) + 4
    ticks = corner_ticks(grid)

    def draw(large: pygame.Surface, factor: float) -> None:
        middle, scale = large.get_width() / 2, canvas.scale * factor
        for ink, width in ((DARK, wide + 2), (colour, wide)):
            for tick in ticks:
                thick_line(large, ink, [(middle + x * scale, middle + y * scale) for x, y in tick], width * factor)

    sprite = canvas.kit.sprite(("threat", grid.name, round(canvas.scale * 4), colour), (side, side), draw)
    for mark in marks:
        canvas.at_middle(sprite, canvas.px(mark.at))


def paint_texts(canvas: Canvas, texts: Iterable[Text], grid: Grid) -> None:
    """Costs and chances on the cells; chances in three steps, each in a dotted rim of its colour.

    Where words would run into the neighbour's the rims alone are drawn.
    """
    size = round(min(26, max(11, canvas.scale * 0.5)))
    if canvas.scale < 14:
        return
    # of a kind all or none: the longest that is usual decides
    fit = {role: canvas.kit.width(long, size) + 2 <= canvas.scale for role, long in (("odds", "99%"), ("cost", "120"))}
    for text in texts:
        if text.role == "odds":
            # what nobody knows is a warning
            share = int(text.text.rstrip("%")) if text.text.endswith("%") else 50
            ink = canvas.colour("window", "good_line" if share >= 75 else "warn_line" if share >= 25 else "bad_line")
            canvas.at_middle(_dotted(canvas, grid, ink), canvas.px(text.at))
        if fit.get(text.role, True):
            canvas.words(text.text, canvas.px(text.at), size, WHITE, edge=True)


def _dotted(canvas: Canvas, grid: Grid, ink: Paint) -> pygame.Surface:
    """The rim of a cell that needs a roll, dotted, a little inside its border."""
    side = round(canvas.scale * 1.2) + 4
    x, y = grid.centre(0, 0)
    corners = [((a - x) * 0.84, (b - y) * 0.84) for a, b in grid.polygon(0, 0)]

    def draw(large: pygame.Surface, factor: float) -> None:
        middle, scale = large.get_width() / 2, canvas.scale * factor
        for (ax, ay), (bx, by) in itertools.pairwise([*corners, corners[0]]):
            count = max(2, round(hypot(bx - ax, by - ay) * 6))
            for n in range(count):
                at = middle + (ax + (bx - ax) * n / count) * scale, middle + (ay + (by - ay) * n / count) * scale
                for colour, radius in ((DARK, 2.2), (ink, 1.4)):
                    pygame.draw.circle(large, colour, at, radius * factor)

    return canvas.kit.sprite(("odds", grid.name, round(canvas.scale * 4), ink), (side, side), draw)
