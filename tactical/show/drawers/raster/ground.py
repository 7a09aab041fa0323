"""Painting the ground: soft edges between kinds of earth, sharp ones where people built.

Colours are laid down with a few pixels a cell and enlarged smoothly, which blends neighbouring grounds over a third of
a cell; textures, blocks of rock and walls, signs and grid lines follow at full size.  Below `COARSE` pixels a cell only
the colours remain.
"""

from __future__ import annotations

from math import ceil, floor
from random import Random

import pygame

from tactical.show.drawers.raster.backdrop import paint_backdrop
from tactical.show.drawers.raster.canvas import Canvas, fill
from tactical.show.drawers.raster.textures import texture
from tactical.show.scene.ground import SOLID, look
from tactical.show.scene.shapes import Backdrop, Scene, Tile, View
from tactical.show.theme import Colour, mix
from tactical.units import Cell
from tactical.world.battlemap import Battlemap
from tactical.world.grids import squares

COARSE = 9
SOFT = 4
"""Pixels a cell of the layer that is enlarged."""
SHARP = frozenset({"floor", "planks", "stairs", "gap", "unknown"})
"""Looks whose edges people cut straight."""
BLACK: Colour = (0, 0, 0)
WHITE: Colour = (255, 255, 255)


def shade_of(tile: Tile, base: Colour) -> Colour:
    """The colour of one cell: a little chance, and higher ground is lighter."""
    wobble = ((tile.cell.col * 7919 + tile.cell.row * 104729) % 97) / 97 - 0.5
    colour = mix(base, WHITE if wobble > 0 else BLACK, abs(wobble) * 0.09)
    if tile.height > 0:
        colour = mix(colour, (255, 246, 214), min(0.3, tile.height * 0.07))
    elif tile.height < 0:
        colour = mix(colour, BLACK, min(0.4, -tile.height * 0.08))
    return colour


def paint_ground(canvas: Canvas, scene: Scene) -> None:
    """The tiles of a scene, the map's own picture beneath them."""
    tiles = list(scene.of(Tile))
    back = next(iter(scene.of(Backdrop)), None)
    if back is not None and not paint_backdrop(canvas, back):
        back, tiles = None, _all_tiles(scene, tiles)
    colours = {tile.cell: shade_of(tile, _base(canvas, tile)) for tile in tiles}
    if back is None:
        _soft(canvas, scene, tiles, colours)
    else:
        _tinted(canvas, scene, tiles, colours)
    if canvas.scale >= COARSE:
        if back is None:
            _details(canvas, scene, tiles, colours)
            _grain(canvas, scene)
        _blocks(canvas, scene, tiles)
        _signs(canvas, scene, tiles)
    else:
        for tile in tiles:
            if _look(tile) in SOLID:
                _fill(canvas, scene, tile.cell, colours[tile.cell])


def _all_tiles(scene: Scene, tiles: list[Tile]) -> list[Tile]:
    """The tiles of a scene without the picture that was to show its plain cells."""
    told = {tile.cell: tile for tile in tiles}
    level = tiles[0].cell.level if tiles else 0
    c0, r0, c1, r1 = scene.view
    cells = (Cell(col, row, level) for row in range(r0, r1) for col in range(c0, c1))
    return [told.get(cell) or Tile("ground:plain", cell) for cell in cells]


def paint_coarse(canvas: Canvas, battlemap: Battlemap, level: int, view: View) -> None:
    """Square cells too small to show more than a colour, however many: a picture of one pixel a cell, enlarged."""
    import numpy as np

    ground = canvas.theme.colours["ground"]
    looks = [look(terrain) for terrain in battlemap.palette]
    table = np.array([ground["grass" if name == "tree" else name] for name in looks], dtype=np.uint8)
    c0, r0, c1, r1 = view
    pixels = table[battlemap.levels[level].ground[r0:r1, c0:c1]]
    small = pygame.image.frombuffer(pixels.tobytes(), (c1 - c0, r1 - r0), "RGB")
    (x0, y0), (x1, y1) = canvas.pixel((c0, r0)), canvas.pixel((c1, r1))
    canvas.surface.blit(pygame.transform.scale(small, (x1 - x0, y1 - y0)), (x0, y0))


def _look(tile: Tile) -> str:
    return tile.role.removeprefix("ground:")


def _base(canvas: Canvas, tile: Tile) -> Colour:
    ground = canvas.theme.colours["ground"]
    look = _look(tile)
    if look == "tree":
        look = "grass"
    return ground.get(look, ground["plain"])


def _rect(canvas: Canvas, cell: Cell) -> pygame.Rect:
    """A square cell in whole pixels, without seams between neighbours."""
    x0, y0 = canvas.pixel((cell.col, cell.row))
    x1, y1 = canvas.pixel((cell.col + 1, cell.row + 1))
    return pygame.Rect(x0, y0, x1 - x0, y1 - y0)


def _fill(canvas: Canvas, scene: Scene, cell: Cell, colour: Colour) -> None:
    if squares(scene.grid):
        fill(canvas.surface, colour, _rect(canvas, cell))
    else:
        pygame.draw.polygon(canvas.surface, colour, [canvas.px(p) for p in scene.grid.polygon(cell.col, cell.row)])


def _soft(canvas: Canvas, scene: Scene, tiles: list[Tile], colours: dict[Cell, Colour]) -> None:
    """The blended layer."""
    if not tiles:
        return
    soft = SOFT if canvas.scale >= COARSE else 1
    corners = [p for cell in (tiles[0].cell, tiles[-1].cell) for p in scene.grid.polygon(cell.col, cell.row)]
    left, top = floor(min(x for x, _ in corners)) - 1, floor(min(y for _, y in corners)) - 1
    right, bottom = ceil(max(x for x, _ in corners)) + 2, ceil(max(y for _, y in corners)) + 2
    small = pygame.Surface(((right - left) * soft, (bottom - top) * soft))
    small.fill(canvas.colour("window", "back"))
    square = squares(scene.grid)
    for tile in tiles:
        cell = tile.cell
        if square:
            small.fill(colours[cell], ((cell.col - left) * soft, (cell.row - top) * soft, soft, soft))
        else:
            outline = [((x - left) * soft, (y - top) * soft) for x, y in scene.grid.polygon(cell.col, cell.row)]
            pygame.draw.polygon(small, colours[cell], outline)
            pygame.draw.polygon(small, colours[cell], outline, 1)
    x, y = canvas.pixel((left, top))
    x1, y1 = canvas.pixel((right, bottom))
    large = pygame.transform.smoothscale(small, (x1 - x, y1 - y))
    # the blend would run over the map's edge: cut it off on squares, where the edge is straight
    if square:
        a, b = _rect(canvas, tiles[0].cell), _rect(canvas, tiles[-1].cell)
        canvas.surface.set_clip(a.union(b))
    else:
        large = _cut(canvas, scene, tiles, large, (x, y))
    canvas.surface.blit(large, (x, y))
    canvas.surface.set_clip(None)


def _cut(
    canvas: Canvas, scene: Scene, tiles: list[Tile], picture: pygame.Surface, at: tuple[int, int]
) -> pygame.Surface:
    """A picture without what lies off the cells."""
    mask = pygame.Surface(picture.get_size(), pygame.SRCALPHA)
    for tile in tiles:
        corners = [canvas.px(point) for point in scene.grid.polygon(tile.cell.col, tile.cell.row)]
        pygame.draw.polygon(mask, WHITE, [(x - at[0], y - at[1]) for x, y in corners])
    mask.blit(picture, (0, 0), special_flags=pygame.BLEND_RGB_MULT)
    return mask


def _details(canvas: Canvas, scene: Scene, tiles: list[Tile], colours: dict[Cell, Colour]) -> None:
    square = squares(scene.grid)
    side = ceil(canvas.scale)
    late = []
    for tile in tiles:
        look = _look(tile)
        if look in SHARP and square:
            fill(canvas.surface, colours[tile.cell], _rect(canvas, tile.cell))
        base = canvas.theme.colours["ground"].get(look, canvas.theme.colours["ground"]["plain"])
        variant = (tile.cell.col * 31 + tile.cell.row * 17 + (tile.cell.col * tile.cell.row) % 7) % 1000
        picture = texture(canvas.kit, look, base, side if look != "tree" else round(side * 1.12), variant)
        if picture is None:
            continue
        if look == "tree":
            late.append((tile, picture))
        elif square:
            canvas.surface.blit(picture, _rect(canvas, tile.cell).topleft)
        else:
            inner = texture(canvas.kit, look, base, round(canvas.scale * 0.78), variant)
            if inner is not None:
                canvas.at_middle(inner, canvas.px(scene.grid.centre(tile.cell.col, tile.cell.row)))
    for tile, picture in late:
        canvas.at_middle(picture, canvas.px(scene.grid.centre(tile.cell.col, tile.cell.row)))


def _grain(canvas: Canvas, scene: Scene) -> None:
    """Large soft unevenness over everything, so that fields do not look printed."""
    side = 256
    key = ("grain", side)
    if key not in canvas.kit.sprites:
        chance = Random(7)
        coarse = pygame.Surface((16, 16))
        for x in range(16):
            for y in range(16):
                value = chance.randint(214, 255)
                coarse.set_at((x, y), (value, value, value))
        # wrap around, so that tiles join
        wide = pygame.Surface((18, 18))
        for dx in (-16, 0, 16):
            for dy in (-16, 0, 16):
                wide.blit(coarse, (dx + 1, dy + 1))
        large = pygame.transform.smoothscale(wide, (18 * 16, 18 * 16))
        canvas.kit.sprites[key] = large.subsurface((16, 16, side, side)).copy()
    grain = canvas.kit.sprites[key]
    ox, oy = (round(value * canvas.scale) % side for value in canvas.origin)
    width, height = canvas.surface.get_size()
    # on the map only; the notched edges of hexes are cut straight
    c0, r0, c1, r1 = scene.view
    ends = [canvas.px(p) for col, row in ((c0, r0), (c1 - 1, r1 - 1)) for p in scene.grid.polygon(col, row)]
    left, top = floor(min(x for x, _ in ends)), floor(min(y for _, y in ends))
    right, bottom = ceil(max(x for x, _ in ends)), ceil(max(y for _, y in ends))
    canvas.surface.set_clip((left, top, right - left, bottom - top))
    for x in range(-ox, width, side):
        for y in range(-oy, height, side):
            canvas.surface.blit(grain, (x, y), special_flags=pygame.BLEND_MULT)
    canvas.surface.set_clip(None)


def _blocks(canvas: Canvas, scene: Scene, tiles: list[Tile]) -> None:
    """Solid rock and masonry: shadow, body, a lit face to the south, a dark rim."""
    solid = {tile.cell for tile in tiles if _look(tile) in SOLID}
    if not solid:
        return
    dark, light = canvas.colour("barrier", "wall"), canvas.colour("barrier", "wall_light")
    if not squares(scene.grid):
        for tile in (tile for tile in tiles if tile.cell in solid):
            corners = [canvas.px(point) for point in scene.grid.polygon(tile.cell.col, tile.cell.row)]
            pygame.draw.polygon(canvas.surface, shade_of(tile, canvas.theme.colours["ground"][_look(tile)]), corners)
            pygame.draw.lines(canvas.surface, dark, True, corners, max(1, round(canvas.scale / 20)))
        return
    view = scene.view
    shade = pygame.Surface(canvas.surface.get_size(), pygame.SRCALPHA)
    reach = max(2, round(canvas.scale * 0.18))
    for cell in solid:
        fill(shade, (0, 0, 0, 70), _rect(canvas, cell).move(reach // 2, reach))
    canvas.surface.blit(shade, (0, 0))
    for tile in (tile for tile in tiles if tile.cell in solid):
        fill(canvas.surface, shade_of(tile, canvas.theme.colours["ground"][_look(tile)]), _rect(canvas, tile.cell))
    face, rim = max(2, round(canvas.scale * 0.26)), max(1, round(canvas.scale * 0.07))
    for cell in solid:
        box = _rect(canvas, cell)
        col, row, level = cell

        def is_open(c: int, r: int, level: int = level) -> bool:
            inside = view[0] <= c < view[2] and view[1] <= r < view[3]
            return inside and Cell(c, r, level) not in solid

        if is_open(col, row + 1):
            fill(canvas.surface, mix(dark, light, 0.55), (box.x, box.bottom - face, box.w, face))
            fill(canvas.surface, mix(dark, light, 0.8), (box.x, box.bottom - face, box.w, max(1, rim // 2)))
        for opened, edge in (
            (is_open(col, row - 1), (box.x, box.y, box.w, rim)),
            (is_open(col, row + 1), (box.x, box.bottom - rim, box.w, rim)),
            (is_open(col - 1, row), (box.x, box.y, rim, box.h)),
            (is_open(col + 1, row), (box.right - rim, box.y, rim, box.h)),
        ):
            if opened:
                fill(canvas.surface, mix(dark, BLACK, 0.45), edge)


def _signs(canvas: Canvas, scene: Scene, tiles: list[Tile]) -> None:
    if canvas.scale < 16:
        return
    half = max(4.0, canvas.scale * 0.15)
    for tile in tiles:
        if not tile.signs:
            continue
        x, y = canvas.px(scene.grid.centre(tile.cell.col, tile.cell.row))
        for n, sign in enumerate(tile.signs):
            at = x + canvas.scale * (-0.26 + 0.3 * (n % 2)), y + canvas.scale * (0.28 - 0.3 * (n // 2))
            if sign == "hazard":
                canvas.icon(sign, (x, y), canvas.scale * 0.26, canvas.colour("mark", "hazard"), edge=True)
            else:
                canvas.icon(sign, at, half, (20, 22, 26))


def _tinted(canvas: Canvas, scene: Scene, tiles: list[Tile], colours: dict[Cell, Colour]) -> None:
    """On a picture only a hint of the terrain that matters."""
    layer = pygame.Surface(canvas.surface.get_size(), pygame.SRCALPHA)
    for tile in tiles:
        if _look(tile) in SOLID or _look(tile) == "plain":
            continue
        corners = [canvas.px(point) for point in scene.grid.polygon(tile.cell.col, tile.cell.row)]
        pygame.draw.polygon(layer, (*colours[tile.cell], 70), corners)
    canvas.surface.blit(layer, (0, 0))


def paint_grid(canvas: Canvas, scene: Scene) -> None:
    """Thin lines between cells."""
    if canvas.scale < 7:
        return
    layer = pygame.Surface(canvas.surface.get_size(), pygame.SRCALPHA)
    colour = (*canvas.colour("barrier", "grid"), 46)
    c0, r0, c1, r1 = scene.view
    if squares(scene.grid):
        left, top = canvas.pixel((c0, r0))
        right, bottom = canvas.pixel((c1, r1))
        for col in range(c0, c1 + 1):
            x = canvas.pixel((col, 0))[0]
            pygame.draw.line(layer, colour, (x, top), (x, bottom))
        for row in range(r0, r1 + 1):
            y = canvas.pixel((0, row))[1]
            pygame.draw.line(layer, colour, (left, y), (right, y))
    else:
        for row in range(r0, r1):
            for col in range(c0, c1):
                pygame.draw.aalines(layer, colour, True, [canvas.px(p) for p in scene.grid.polygon(col, row)])
    canvas.surface.blit(layer, (0, 0))
