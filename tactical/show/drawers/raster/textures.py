"""Textures: small transparent pictures that tell one ground from another, drawn from chance with a fixed seed.

Each look has a few variants so that a meadow does not look like a carpet.  They are drawn once at `SIDE` pixels and
scaled to the cell size in use.
"""

from __future__ import annotations

from collections.abc import Callable
from math import cos, pi, sin
from random import Random

import pygame

from tactical.show.drawers.raster.canvas import Kit, thick_line
from tactical.show.theme import Colour, mix

SIDE = 96
VARIANTS = 5
WHITE: Colour = (255, 255, 255)
BLACK: Colour = (0, 0, 0)

Painter = Callable[[pygame.Surface, Random, Colour], None]


def texture(kit: Kit, look: str, base: Colour, pixels: int, variant: int) -> pygame.Surface | None:
    """The picture to lay over a cell of a look, `pixels` wide, or None where bare colour is enough."""
    if look not in PAINTERS:
        return None
    variant %= VARIANTS
    key = ("texture", look, base, pixels, variant)
    if key not in kit.sprites:
        full = ("texture", look, base, SIDE, variant)
        if full not in kit.sprites:
            surface = pygame.Surface((SIDE, SIDE), pygame.SRCALPHA)
            # transparent pixels carry the base colour, so that shrinking leaves no dark fringe
            surface.fill((*base, 0))
            PAINTERS[look](surface, Random(f"{look}{variant}"), base)
            kit.sprites[full] = surface
        kit.sprites[key] = pygame.transform.smoothscale(kit.sprites[full], (pixels, pixels))
    return kit.sprites[key]


def _spots(
    surface: pygame.Surface, chance: Random, colour: Colour, count: int, radius: tuple[float, float], alpha: int
) -> None:
    for _ in range(count):
        r = chance.uniform(*radius)
        at = chance.uniform(r, SIDE - r), chance.uniform(r, SIDE - r)
        pygame.draw.circle(surface, (*colour, alpha), at, r)


def _grass(surface: pygame.Surface, chance: Random, base: Colour) -> None:
    for _ in range(26):
        x, y = chance.uniform(4, SIDE - 4), chance.uniform(8, SIDE - 2)
        tint = mix(base, WHITE if chance.random() < 0.4 else BLACK, chance.uniform(0.1, 0.28))
        lean = chance.uniform(-4, 4)
        pygame.draw.line(surface, (*tint, 150), (x, y), (x + lean, y - chance.uniform(5, 9)), 2)


def _road(surface: pygame.Surface, chance: Random, base: Colour) -> None:
    for row in range(5):
        x = -chance.uniform(0, 20)
        while x < SIDE:
            w = chance.uniform(15, 28)
            tint = mix(base, WHITE if chance.random() < 0.5 else BLACK, chance.uniform(0.02, 0.14))
            box = pygame.Rect(round(x) + 1, row * 19 + 2, round(w) - 2, 17)
            pygame.draw.rect(surface, (*tint, 130), box, border_radius=6)
            x += w


def _dirt(surface: pygame.Surface, chance: Random, base: Colour) -> None:
    _spots(surface, chance, mix(base, BLACK, 0.25), 16, (1.5, 4), 110)
    _spots(surface, chance, mix(base, WHITE, 0.25), 10, (1, 3), 110)


def _sand(surface: pygame.Surface, chance: Random, base: Colour) -> None:
    _spots(surface, chance, mix(base, BLACK, 0.25), 22, (1, 2), 90)
    for _ in range(2):
        y = chance.uniform(15, 80)
        points = [(x, y + 3 * sin(x / 13)) for x in range(10, 86, 8)]
        pygame.draw.lines(surface, (*mix(base, BLACK, 0.18), 100), False, points, 2)


def _mud(surface: pygame.Surface, chance: Random, base: Colour) -> None:
    for _ in range(6):
        w, h = chance.uniform(18, 38), chance.uniform(8, 16)
        x, y = chance.uniform(2, SIDE - w - 2), chance.uniform(2, SIDE - h - 2)
        pygame.draw.ellipse(surface, (*mix(base, BLACK, 0.3), 150), (x, y, w, h))
        pygame.draw.ellipse(surface, (*mix(base, WHITE, 0.22), 90), (x + w * 0.2, y + 2, w * 0.45, h * 0.35))
    _spots(surface, chance, mix(base, BLACK, 0.35), 8, (1.5, 3), 130)


def _rubble(surface: pygame.Surface, chance: Random, base: Colour) -> None:
    for _ in range(11):
        x, y, r = chance.uniform(12, SIDE - 12), chance.uniform(12, SIDE - 12), chance.uniform(5, 12)
        corners = [
            (x + r * chance.uniform(0.7, 1.1) * cos(n * pi / 3), y + r * 0.8 * sin(n * pi / 3)) for n in range(6)
        ]
        pygame.draw.polygon(surface, (*BLACK, 90), [(a + 2, b + 3) for a, b in corners])
        pygame.draw.polygon(surface, (*mix(base, BLACK, chance.uniform(0, 0.25)), 255), corners)
        light = [(x + (a - x) * 0.65 - 1, y + (b - y) * 0.6 - 2) for a, b in corners]
        pygame.draw.polygon(surface, (*mix(base, WHITE, chance.uniform(0.15, 0.35)), 255), light)


def _leaves(surface: pygame.Surface, chance: Random, base: Colour, count: int, reach: float, size: float) -> None:
    middle = SIDE / 2
    for n in range(count):
        angle, far = chance.uniform(0, 2 * pi), reach * chance.random() ** 0.5
        x, y = middle + far * cos(angle), middle + far * sin(angle)
        share = n / count
        tint = mix(mix(base, BLACK, 0.4), mix(base, WHITE, 0.22), share * chance.uniform(0.6, 1))
        pygame.draw.circle(surface, (*tint, 235), (x - 3 * share, y - 4 * share), size * chance.uniform(0.7, 1.2))


def _brush(surface: pygame.Surface, chance: Random, base: Colour) -> None:
    for _ in range(9):
        x, y = chance.uniform(14, SIDE - 14), chance.uniform(14, SIDE - 14)
        for n in range(7):
            angle, far = chance.uniform(0, 2 * pi), chance.uniform(2, 12)
            share = n / 7
            tint = mix(mix(base, BLACK, 0.35), mix(base, WHITE, 0.2), share)
            at = x + far * cos(angle) * (1 - share / 2), y + far * sin(angle) * (1 - share / 2) - 3 * share
            pygame.draw.circle(surface, (*tint, 225), at, chance.uniform(3.5, 6.5))


def _tree(surface: pygame.Surface, chance: Random, base: Colour) -> None:
    pygame.draw.circle(surface, (0, 0, 0, 90), (SIDE / 2 + 4, SIDE / 2 + 6), 40)
    pygame.draw.circle(surface, (*mix(base, BLACK, 0.45), 255), (SIDE / 2, SIDE / 2), 40)
    _leaves(surface, chance, base, 46, 32, 8)
    pygame.draw.circle(surface, (*mix(base, WHITE, 0.16), 110), (SIDE / 2 - 10, SIDE / 2 - 12), 17)


def _water(count: int) -> Painter:
    def paint(surface: pygame.Surface, chance: Random, base: Colour) -> None:
        light = mix(base, WHITE, 0.42)
        for n in range(count):
            x, y = chance.uniform(8, 44), (n + chance.uniform(0.2, 0.8)) * SIDE / count
            w = chance.uniform(26, 42)
            points = [(x + w * t / 10, y - 5 * sin(pi * t / 10)) for t in range(11)]
            pygame.draw.lines(surface, (*light, 165), False, points, 3)
            if chance.random() < 0.5:
                pygame.draw.lines(surface, (*mix(base, BLACK, 0.3), 90), False, [(a, b + 5) for a, b in points], 2)

    return paint


def _planks(surface: pygame.Surface, chance: Random, base: Colour) -> None:
    for n in range(4):
        x = n * SIDE // 4
        tint = mix(base, WHITE if chance.random() < 0.5 else BLACK, chance.uniform(0.02, 0.13))
        pygame.draw.rect(surface, (*tint, 255), (x, 0, SIDE // 4, SIDE))
        pygame.draw.line(surface, (*mix(base, BLACK, 0.5), 255), (x, 0), (x, SIDE), 3)
        y = chance.uniform(10, 86)
        pygame.draw.line(surface, (*mix(base, BLACK, 0.3), 170), (x + 8, y), (x + 8, y + 20), 2)
        pygame.draw.circle(surface, (*mix(base, BLACK, 0.55), 255), (x + 12, 7), 2)
        pygame.draw.circle(surface, (*mix(base, BLACK, 0.55), 255), (x + 12, SIDE - 7), 2)


def _floor(surface: pygame.Surface, chance: Random, base: Colour) -> None:
    for n in range(3):
        y = n * SIDE // 3
        tint = mix(base, WHITE if chance.random() < 0.5 else BLACK, chance.uniform(0.01, 0.06))
        pygame.draw.rect(surface, (*tint, 255), (0, y, SIDE, SIDE // 3))
        pygame.draw.line(surface, (*mix(base, BLACK, 0.22), 170), (0, y), (SIDE, y), 2)
        x = chance.uniform(10, 86)
        pygame.draw.line(surface, (*mix(base, BLACK, 0.22), 170), (x, y), (x, y + SIDE // 3), 2)


def _stone(surface: pygame.Surface, chance: Random, base: Colour) -> None:
    for _ in range(3):
        x, y = chance.uniform(10, 86), chance.uniform(10, 86)
        points = [(x, y)]
        for _ in range(4):
            points.append((points[-1][0] + chance.uniform(-14, 14), points[-1][1] + chance.uniform(-4, 14)))
        pygame.draw.lines(surface, (*mix(base, BLACK, 0.3), 120), False, points, 2)
    _spots(surface, chance, mix(base, WHITE, 0.2), 9, (1, 2.5), 100)
    _spots(surface, chance, mix(base, BLACK, 0.25), 9, (1, 3), 90)


def _cliff(surface: pygame.Surface, chance: Random, base: Colour) -> None:
    for n in range(7):
        x, y = (n % 3) * 30 + chance.uniform(6, 22), (n // 3) * 30 + chance.uniform(8, 24)
        r = chance.uniform(10, 17)
        pygame.draw.polygon(
            surface, (*mix(base, BLACK, 0.3), 255), [(x - r, y + r * 0.7), (x, y - r), (x + r, y + r * 0.6)]
        )
        pygame.draw.polygon(
            surface, (*mix(base, WHITE, 0.14), 255), [(x - r, y + r * 0.7), (x, y - r), (x + r * 0.1, y + r * 0.7)]
        )


def _stairs(surface: pygame.Surface, chance: Random, base: Colour) -> None:
    for n in range(5):
        y = n * SIDE // 5
        pygame.draw.rect(surface, (*mix(base, BLACK, 0.08 * n), 255), (0, y, SIDE, SIDE // 5 + 1))
        pygame.draw.line(surface, (*mix(base, BLACK, 0.5), 255), (0, y), (SIDE, y), 3)
        pygame.draw.line(surface, (*mix(base, WHITE, 0.3), 255), (0, y + 3), (SIDE, y + 3), 2)


def _furniture(surface: pygame.Surface, chance: Random, base: Colour) -> None:
    pygame.draw.rect(surface, (0, 0, 0, 90), (14, 16, 76, 76), border_radius=5)
    pygame.draw.rect(surface, (*mix(base, BLACK, 0.5), 255), (10, 10, 76, 76), border_radius=5)
    for n in range(4):
        tint = mix(base, WHITE, chance.uniform(0.02, 0.2))
        pygame.draw.rect(surface, (*tint, 255), (14, 14 + n * 17, 68, 15), border_radius=2)
    thick_line(surface, (*mix(base, BLACK, 0.35), 255), [(18, 80), (78, 16)], 7)


def _lava(surface: pygame.Surface, chance: Random, base: Colour) -> None:
    for _ in range(6):
        x, y, r = chance.uniform(14, 82), chance.uniform(14, 82), chance.uniform(8, 16)
        pygame.draw.circle(surface, (*mix(base, BLACK, 0.55), 190), (x, y), r)
    for _ in range(3):
        x, y = chance.uniform(8, 60), chance.uniform(12, 84)
        points = [(x + 9 * n, y + chance.uniform(-8, 8)) for n in range(4)]
        thick_line(surface, (255, 190, 60, 235), points, 4)


def _gap(surface: pygame.Surface, chance: Random, base: Colour) -> None:
    for n in range(6):
        pygame.draw.rect(
            surface, (*mix(base, WHITE, 0.16 - 0.026 * n), 255), (n * 3, n * 3, SIDE - 6 * n, SIDE - 6 * n)
        )


def _snow(surface: pygame.Surface, chance: Random, base: Colour) -> None:
    _spots(surface, chance, mix(base, (120, 140, 170), 0.35), 8, (3, 7), 60)


def _ice(surface: pygame.Surface, chance: Random, base: Colour) -> None:
    for _ in range(4):
        x, y = chance.uniform(5, 60), chance.uniform(20, 90)
        pygame.draw.line(
            surface, (255, 255, 255, 150), (x, y), (x + chance.uniform(14, 30), y - chance.uniform(8, 20)), 2
        )


PAINTERS: dict[str, Painter] = {
    "plain": _stone,
    "grass": _grass,
    "road": _road,
    "floor": _floor,
    "planks": _planks,
    "stone": _stone,
    "dirt": _dirt,
    "sand": _sand,
    "mud": _mud,
    "rubble": _rubble,
    "brush": _brush,
    "tree": _tree,
    "cliff": _cliff,
    "water-shallow": _water(3),
    "water-wading": _water(3),
    "water-deep": _water(2),
    "snow": _snow,
    "ice": _ice,
    "lava": _lava,
    "gap": _gap,
    "stairs": _stairs,
    "furniture": _furniture,
}
