"""A scene on a surface, whole or layer by layer; plates and the legend; the PNG file."""

from __future__ import annotations

from collections.abc import Iterable
from io import BytesIO

import pygame

from tactical.show import layout
from tactical.show.drawers.raster import ground, overlay, pieces
from tactical.show.drawers.raster.canvas import DARK, WHITE, Canvas, Kit, Point, plate
from tactical.show.drawers.raster.sheet import measure, paint_sheet, swatch
from tactical.show.panel import lay_out
from tactical.show.rulers import Rulers, rulers
from tactical.show.scene.shapes import Area, Entry, Mark, Scene, Stroke, Text, Token
from tactical.show.sheet import Sheet
from tactical.show.theme import Theme, load

LARGEST = 8000
"""No picture is wider or higher than this many pixels."""
BARRIERS = ("wall", "door", "window", "fence", "low-wall", "invisible", "one-way", "ledge", "slope", "link")


def paint_base(canvas: Canvas, scene: Scene, *, grid: bool = True) -> None:
    """What does not change while a turn is played: ground, grid."""
    ground.paint_ground(canvas, scene)
    if grid:
        ground.paint_grid(canvas, scene)


def paint_reach(canvas: Canvas, scene: Scene) -> None:
    """Bands, enemy reach, barriers, links and costs."""
    overlay.paint_areas(canvas, scene, (area for area in scene.of(Area) if area.role != "grid"))
    pieces.paint_barriers(canvas, (stroke for stroke in scene.of(Stroke) if stroke.role.split(":")[0] in BARRIERS))
    overlay.paint_threats(canvas, (mark for mark in scene.of(Mark) if mark.role == "threat"), scene.grid)
    for mark in scene.of(Mark):
        if mark.role.startswith("link"):
            pieces.paint_mark(canvas, mark)
    overlay.paint_texts(canvas, scene.of(Text), scene.grid)


def paint_pieces(canvas: Canvas, scene: Scene) -> None:
    """The route, tokens, marks, name plates and chips."""
    pieces.paint_route(canvas, (stroke for stroke in scene.of(Stroke) if stroke.role.startswith("route:")))
    pieces.paint_echo(canvas, (stroke for stroke in scene.of(Stroke) if stroke.role.startswith("echo:")))
    canvas.taken = list(layout.tokens_and_marks(scene, canvas.px, canvas.scale))
    for shape in scene.shapes:
        if isinstance(shape, Token):
            pieces.paint_token(canvas, shape, scene.grid)
        elif isinstance(shape, Mark) and shape.role != "threat" and not shape.role.startswith("link"):
            pieces.paint_mark(canvas, shape)
    # on a map that is seen from far only the goal's price has room, which is asked for wherever one points
    far, open_to = canvas.scale < 14, canvas.surface.get_width() - canvas.covered
    for token in () if far else scene.of(Token):
        if token.name and token.role != "ghost" and canvas.px(token.at)[0] < open_to:
            paint_plate(canvas, canvas.px(token.at), token.name, token.role, "above", token.size * canvas.scale * 0.48)
    # names stay where they are while one points about; chips make way for the way
    canvas.taken += layout.way(scene, canvas.px, canvas.scale)
    for chip in layout.chips_of(scene):
        if not chip.role.startswith("total") and (far or canvas.px(chip.at)[0] >= open_to):
            continue
        paint_plate(canvas, canvas.px(chip.at), chip.text, chip.role, chip.place, canvas.scale * 0.5, chip.icon)


def paint_plate(canvas: Canvas, spot: Point, text: str, role: str, prefer: str, gap: float, sign: str = "") -> None:
    """A name plate or chip near a spot, clear of the others."""
    large = role.startswith("total")
    size = round((min(21, max(15, canvas.scale * 0.58)) + (3 if large else 0)) * canvas.text)
    words = canvas.kit.text(text, size, WHITE)
    extra = round(size * 1.05) if sign else 0
    width, height = words.get_width() + round(size * 0.7) + extra, round(size * 1.12)
    area, (left, top) = canvas.surface.get_size(), canvas.inset
    room = left, top, area[0] - left - canvas.covered, area[1] - top
    box = layout.place(spot, (width, height), prefer, canvas.taken, gap, room)
    if layout.left_out(role, box, canvas.taken):
        return
    canvas.taken.append(box)
    x, y = round(box[0]), round(box[1])
    fill = canvas.theme.plate(role, canvas.gaits)
    edge = canvas.theme.style(role.split(":", 1)[1], canvas.gaits).rim if large else DARK
    canvas.surface.blit(plate(canvas.kit, (width, height), fill, edge, round(size * 0.28)), (x, y))
    if sign:
        canvas.icon(sign, (x + size * 0.75, y + height / 2), size * 0.42, WHITE)
    canvas.surface.blit(
        words, (x + extra + (width - extra - words.get_width()) // 2, y + (height - words.get_height()) // 2 + 1)
    )


def paint(canvas: Canvas, scene: Scene) -> None:
    """The whole scene."""
    paint_base(canvas, scene, grid=any(area.role == "grid" for area in scene.of(Area)))
    paint_reach(canvas, scene)
    paint_pieces(canvas, scene)


def extent(scene: Scene) -> tuple[float, float, float, float]:
    """Left, top, right and bottom of what is seen, in cells."""
    c0, r0, c1, r1 = scene.view
    rim = [(c, r) for c in range(c0, c1) for r in {r0, r1 - 1, max(r1 - 2, r0)}]
    rim += [(c, r) for r in range(r0, r1) for c in {c0, c1 - 1, max(c1 - 2, c0)}]
    corners = [point for col, row in rim for point in scene.grid.polygon(col, row)]
    return (
        min(x for x, _ in corners),
        min(y for _, y in corners),
        max(x for x, _ in corners),
        max(y for _, y in corners),
    )


def png(scene: Scene, cell: float, legend: bool, title: bool, theme: Theme | None, ruler: bool = False) -> bytes:
    """The scene with its title, rulers and legend as a PNG file."""
    theme = theme or load()
    left, top, right, bottom = extent(scene)
    cell = max(1.0, min(cell, LARGEST / (right - left), LARGEST / (bottom - top)))
    kit = Kit()
    width, height = round((right - left) * cell), round((bottom - top) * cell)
    beside = rulers(scene, cell) if ruler else None
    margin, above = (round(beside.left), round(beside.top)) if beside else (0, 0)
    head = (34 if title and scene.title else 0) + above
    entries = list(scene.legend) if legend and scene.page is None else []
    columns = max(1, width // 200)
    foot = (-(-len(entries) // columns) * 26 + 16) if entries else 0
    sheet = None if scene.page is None else _panel(scene, kit, head + height)
    size = margin + width, max(head + height + foot, round(sheet.height) if sheet else 0)
    surface = pygame.Surface((size[0] + (round(sheet.width) if sheet else 0), size[1]))
    surface.fill(theme.colour("window", "bar"))
    part = surface.subsurface((margin, head, width, height))
    part.fill(theme.colour("window", "back"))
    paint(Canvas(part, theme, cell, (left, top), scene.gaits, kit), scene)
    if beside is not None:
        _rulers(surface, theme, kit, beside, (margin - left * cell, head - top * cell), head)
    if head > above:
        name = kit.text(scene.title, 24, theme.colour("window", "text"))
        surface.blit(name, (10, 9))
        surface.blit(kit.text(scene.subtitle, 18, theme.colour("window", "dim")), (22 + name.get_width(), 13))
    if sheet is not None:
        surface.fill(theme.colour("window", sheet.back), (size[0], 0, round(sheet.width), size[1]))
        paint_sheet(surface, theme, kit, sheet, at=(size[0], 0))
    elif entries:
        _legend(surface, theme, kit, entries, scene.gaits, columns, (size[0], head + height + 12))
    out = BytesIO()
    pygame.image.save(surface, out, "map.png")
    return out.getvalue()


def _rulers(surface: pygame.Surface, theme: Theme, kit: Kit, beside: Rulers, origin: Point, head: float) -> None:
    """Names of columns above the map, which begins at `head`, and of rows on its left; `origin` is the grid's."""
    ink, size = theme.colour("window", "dim"), round(beside.size * 1.45)
    for x, name in beside.columns:
        word = kit.text(name, size, ink)
        surface.blit(word, (round(origin[0] + x * beside.cell - word.get_width() / 2), round(head - beside.top * 0.9)))
    for y, name in beside.rows:
        word = kit.text(name, size, ink)
        at = beside.left - beside.size * 0.3 - word.get_width(), origin[1] + y * beside.cell - word.get_height() / 2
        surface.blit(word, (round(at[0]), round(at[1])))


def _panel(scene: Scene, kit: Kit, least: float) -> Sheet:
    assert scene.page is not None
    return lay_out(scene.page, measure(kit), least=least)


def _legend(
    surface: pygame.Surface,
    theme: Theme,
    kit: Kit,
    entries: Iterable[Entry],
    gaits: int,
    columns: int,
    place: tuple[int, int],
) -> None:
    for n, entry in enumerate(entries):
        x, y = 12 + (n % columns) * (place[0] // columns), place[1] + n // columns * 26
        swatch(surface, theme, kit, entry.role, (x, y), gaits)
        surface.blit(kit.text(entry.text, 18, theme.colour("window", "text")), (x + 40, y + 3))
