"""A canvas: a pygame surface, where the map lies on it, and the tools to draw smooth shapes and words.

pygame's thick lines and circles have stairs for edges, so tokens, plates and icons are drawn three times as large once,
shrunk with `smoothscale` and kept in a `Kit`.  Words use pygame's built-in font only: other fonts differ from machine
to machine.  Text is measured before it is placed, because the two pygame libraries space it differently.
"""

from __future__ import annotations

import itertools
import re
from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from math import hypot
from typing import Generic, TypeVar

import pygame

from tactical.show import icons, layout
from tactical.show.theme import Colour, Theme

K = TypeVar("K", bound=Hashable)

Point = tuple[float, float]
Paint = tuple[int, int, int] | tuple[int, int, int, int]
MOST_WORDS, MOST_SPRITES = 6 << 20, 12 << 20
"""Bytes of pixels a kit keeps: several times what one picture of a large window uses."""
MOST_WIDTHS = 8000
"""How many words a kit knows the widths of."""
OVER = 3
"""How many times larger smooth shapes are drawn first."""
DARK: Colour = (4, 5, 7)
WHITE: Colour = (255, 255, 255)

# What the built-in font can show besides Latin letters; everything else is an empty box.
GLYPHS = frozenset("×±≤≥½¼°…–—·•›«»")
ALL_SHOWABLE = re.compile(f"[ -~À-ÿ{''.join(sorted(GLYPHS))}]*")
INSTEAD = {"→": "to", "←": "from", "′": " ft", "″": '"', "’": "'", "‘": "'", "“": '"', "”": '"', "−": "-"}


SMALL_LETTERS, MIDDLE_LETTERS = 24, 48
"""Sizes below which letters are drawn three times, and twice, as large first."""


def larger(size: int) -> int:
    """How many times as large letters of a size are drawn first."""
    return 3 if size < SMALL_LETTERS else 2 if size < MIDDLE_LETTERS else 1


def showable(character: str) -> bool:
    """Whether the built-in font has a glyph for a character."""
    return " " <= character <= "~" or character in GLYPHS or "À" <= character <= "ÿ"


def plain(text: str) -> str:
    """`text` with the characters that the built-in font has; others are replaced, never shown as boxes."""
    if ALL_SHOWABLE.fullmatch(text):
        return text
    return "".join(c if showable(c) else INSTEAD.get(c, " " if c.isspace() else "?") for c in text)


class Pictures(Generic[K]):
    """Surfaces by key, at most `most` bytes of pixels in all: what was not used for longest goes first."""

    def __init__(self, most: int) -> None:
        self.most, self.bytes = most, 0
        self._held: OrderedDict[K, pygame.Surface] = OrderedDict()

    def __contains__(self, key: K) -> bool:
        return key in self._held

    def __getitem__(self, key: K) -> pygame.Surface:
        self._held.move_to_end(key)
        return self._held[key]

    def __setitem__(self, key: K, surface: pygame.Surface) -> None:
        """Keep a surface; the one put in last is always there."""
        before = self._held.pop(key, None)
        self._held[key] = surface
        self.bytes += _bytes(surface) - (0 if before is None else _bytes(before))
        while self.bytes > self.most and len(self._held) > 1:
            self.bytes -= _bytes(self._held.popitem(last=False)[1])

    def __len__(self) -> int:
        return len(self._held)


def _bytes(surface: pygame.Surface) -> int:
    # also the least one takes some
    return surface.get_width() * surface.get_height() * surface.get_bytesize() + 200


@dataclass
class Kit:
    """What was drawn or rendered before and can be used again: fonts, words, sprites.

    `picture` is the map's own, with what it was read with: that object is kept, so that no later one is taken for it.
    """

    fonts: dict[int, pygame.font.Font] = field(default_factory=dict)
    widths: dict[tuple[str, int], int] = field(default_factory=dict)
    words: Pictures[tuple[str, int, Paint]] = field(default_factory=lambda: Pictures(MOST_WORDS))
    sprites: Pictures[Hashable] = field(default_factory=lambda: Pictures(MOST_SPRITES))
    picture: tuple[object, pygame.Surface] | None = None

    def font(self, size: int) -> pygame.font.Font:
        """The built-in font in a size."""
        if size not in self.fonts:
            if not pygame.font.get_init():
                pygame.font.init()
            self.fonts[size] = pygame.font.Font(None, size)
        return self.fonts[size]

    def text(self, text: str, size: int, colour: Paint) -> pygame.Surface:
        """Words as a surface.

        Small letters are drawn larger first: the font's own small ones stand unevenly, and lose dots and gaps.
        """
        key = (text, size, colour)
        if key not in self.words:
            times = larger(size)
            drawn = self.font(times * size).render(plain(text), True, colour)
            wide, high = drawn.get_size()
            if times > 1 and wide:  # pygame breaks down on scaling nothing
                drawn = pygame.transform.smoothscale(drawn, (max(1, round(wide / times)), max(1, round(high / times))))
            self.words[key] = drawn
        return self.words[key]

    def width(self, text: str, size: int) -> int:
        """How many pixels wide words are; nothing is drawn for it."""
        found = self.widths.get((text, size))
        if found is None:
            times = larger(size)
            found = round(self.font(times * size).size(plain(text))[0] / times)
            if len(self.widths) >= MOST_WIDTHS:
                self.widths.clear()
            self.widths[text, size] = found
        return found

    def sprite(
        self, key: Hashable, size: tuple[int, int], draw: Callable[[pygame.Surface, float], None]
    ) -> pygame.Surface:
        """A smooth picture: `draw(surface, factor)` paints it larger once."""
        if key not in self.sprites:
            width, height = max(1, size[0]), max(1, size[1])
            large = pygame.Surface((width * OVER, height * OVER), pygame.SRCALPHA)
            draw(large, OVER)
            self.sprites[key] = pygame.transform.smoothscale(large, (width, height))
        return self.sprites[key]


@dataclass
class Canvas:
    """A surface with a map on it: `scale` pixels a cell, `origin` the map point (in cells) at the surface's corner.

    Plates are `text` times as large as usual, and keep clear of the `inset` (left, top), where rulers lie, and of so
    much as is `covered` at the right.
    """

    surface: pygame.Surface
    theme: Theme
    scale: float
    origin: Point = (0.0, 0.0)
    gaits: int = 2
    kit: Kit = field(default_factory=Kit)
    taken: list[layout.Box] = field(default_factory=list)
    text: float = 1.0
    inset: Point = (0.0, 0.0)
    covered: float = 0.0

    def px(self, point: Point) -> Point:
        """Where a point of the map lies on the surface."""
        return (point[0] - self.origin[0]) * self.scale, (point[1] - self.origin[1]) * self.scale

    def pixel(self, point: Point) -> tuple[int, int]:
        """The same in whole pixels."""
        x, y = self.px(point)
        return round(x), round(y)

    def colour(self, table: str, name: str) -> Colour:
        """A colour of the theme."""
        return self.theme.colour(table, name)

    def at_middle(self, sprite: pygame.Surface, at: Point) -> None:
        """Put a picture about a point of the surface."""
        self.surface.blit(sprite, (round(at[0] - sprite.get_width() / 2), round(at[1] - sprite.get_height() / 2)))

    def words(self, text: str, at: Point, size: int, colour: Paint, *, edge: bool = False) -> None:
        """Text about a point of the surface, with a dark edge on request."""
        if edge:
            dark = self.kit.text(text, size, DARK)
            for dx, dy in ((-1, 0), (1, 0), (0, -1), (0, 1), (1, 1)):
                self.at_middle(dark, (at[0] + dx, at[1] + dy))
        self.at_middle(self.kit.text(text, size, colour), at)

    def icon(self, name: str, at: Point, half: float, ink: Paint, *, edge: bool = False) -> None:
        """An icon about a point of the surface, `half` pixels from its middle to its border."""
        self.at_middle(icon(self.kit, name, half, ink, edge=edge), at)


def fill(surface: pygame.Surface, colour: Paint, box: pygame.Rect | tuple[int, int, int, int]) -> None:
    """Fill a box.  pygame moves a box that begins off the surface instead of cutting it; this cuts it."""
    inside = pygame.Rect(box).clip(surface.get_rect())
    if inside:
        surface.fill(colour, inside)


def icon(kit: Kit, name: str, half: float, ink: Paint, *, edge: bool = False) -> pygame.Surface:
    """An icon as a picture, a little larger than twice `half`."""
    side = round(half * 2.5) + 2

    def draw(large: pygame.Surface, factor: float) -> None:
        middle = large.get_width() / 2
        for grow, colour in ((1.9, DARK), (1.0, ink)) if edge else ((1.0, ink),):
            for part in icons.ICONS.get(name, ()):
                tint = DARK if part.hole else colour
                points = [(middle + x * half * factor, middle + y * half * factor) for x, y in part.points]
                width = part.width * half * factor * (grow if part.kind != "dot" else 1)
                if part.kind == "dot":
                    pygame.draw.circle(large, tint, points[0], width + (grow - 1) * half * factor * 0.1)
                elif part.kind == "fill":
                    pygame.draw.polygon(large, tint, points)
                    if grow > 1:
                        thick_line(large, tint, [*points, points[0]], half * factor * 0.2)
                else:
                    thick_line(large, tint, points, width)

    return kit.sprite(("icon", name, round(half * 4), ink, edge), (side, side), draw)


def thick_line(surface: pygame.Surface, colour: Paint, points: Sequence[Point], width: float) -> None:
    """A line with round ends and joints, which pygame's own thick lines do not have."""
    for a, b in itertools.pairwise(points):
        length = hypot(b[0] - a[0], b[1] - a[1])
        if length:
            nx, ny = -(b[1] - a[1]) / length * width / 2, (b[0] - a[0]) / length * width / 2
            corners = [(a[0] + nx, a[1] + ny), (b[0] + nx, b[1] + ny), (b[0] - nx, b[1] - ny), (a[0] - nx, a[1] - ny)]
            pygame.draw.polygon(surface, colour, corners)
    for x, y in points:
        pygame.draw.circle(surface, colour, (x, y), width / 2)


def plate(kit: Kit, size: tuple[int, int], fill: Paint, edge: Paint, radius: int, line: int = 1) -> pygame.Surface:
    """A rounded box with a border: its corners are painted smoothly, what lies between them is straight."""

    def draw(large: pygame.Surface, factor: float) -> None:
        f = int(factor)
        box = large.get_rect()
        pygame.draw.rect(large, edge, box, border_radius=radius * f)
        pygame.draw.rect(
            large, fill, box.inflate(-2 * line * f, -2 * line * f), border_radius=max(0, (radius - line) * f)
        )

    far, key = max(radius, line) + 1, ("plate", size, fill, edge, radius, line)
    if key in kit.sprites or min(size) <= 2 * far:
        return kit.sprite(key, size, draw)
    corners = kit.sprite(("corners", fill, edge, radius, line), (2 * far, 2 * far), draw)
    whole = kit.sprites[key] = pygame.Surface(size, pygame.SRCALPHA)
    width, height = size
    for colour, by in ((edge, 0), (fill, line)):
        whole.fill(colour, (far, by, width - 2 * far, height - 2 * by))
        whole.fill(colour, (by, far, width - 2 * by, height - 2 * far))
    for x, from_x in ((0, 0), (width - far, far)):
        for y, from_y in ((0, 0), (height - far, far)):
            whole.fill((0, 0, 0, 0), (x, y, far, far))
            whole.blit(corners, (x, y), (from_x, from_y, far, far))
    return whole
