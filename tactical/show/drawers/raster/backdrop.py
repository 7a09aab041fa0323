"""The map's own picture beneath a painted map: decoded once, cropped to what is seen before it is scaled."""

from __future__ import annotations

import warnings
from io import BytesIO
from math import ceil, floor

import pygame

from tactical.show.drawers.raster.canvas import Canvas
from tactical.show.scene.shapes import Backdrop, PictureWarning


def paint_backdrop(canvas: Canvas, back: Backdrop) -> bool:
    """Paint the picture; False, and a warning, where it cannot be decoded after all."""
    kept = canvas.kit.picture
    if kept is None or kept[0] is not back.read:
        # a picture that fails is kept as an empty one: it is neither tried nor told again
        kept = canvas.kit.picture = (back.read, _decoded(back) or pygame.Surface((0, 0)))
    image = kept[1]
    if not image.get_width():
        return False
    width, height = canvas.surface.get_size()
    ratio = back.pixels / canvas.scale
    left = canvas.origin[0] * back.pixels + back.offset[0]
    top = canvas.origin[1] * back.pixels + back.offset[1]
    # cut by hand: a rectangle of pygame holds no large numbers
    x0, y0 = max(0, floor(left)), max(0, floor(top))
    x1 = min(image.get_width(), floor(left) + ceil(width * ratio) + 2)
    y1 = min(image.get_height(), floor(top) + ceil(height * ratio) + 2)
    if x1 <= x0 or y1 <= y0:
        return True
    part = image.subsurface((x0, y0, x1 - x0, y1 - y0))
    size = max(1, round((x1 - x0) / ratio)), max(1, round((y1 - y0) / ratio))
    if part.get_bitsize() not in (24, 32):
        part = part.convert(32) if pygame.display.get_init() and pygame.display.get_surface() else _deep(part)
    scaled = pygame.transform.smoothscale(part, size)
    canvas.surface.blit(scaled, (round((x0 - left) / ratio), round((y0 - top) / ratio)))
    return True


def _decoded(back: Backdrop) -> pygame.Surface | None:
    try:
        return pygame.image.load(BytesIO(back.read()))
    except (pygame.error, OSError, MemoryError) as error:
        warnings.warn(f"drawn without the map's picture: {error}", PictureWarning, stacklevel=2)
        return None


def _deep(surface: pygame.Surface) -> pygame.Surface:
    out = pygame.Surface(surface.get_size(), pygame.SRCALPHA)
    out.blit(surface, (0, 0))
    return out
