"""Painting what stands on the map: walls, doors, fences, ledges, links, tokens, routes and marks."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Mapping
from math import hypot

import pygame

from tactical.show.drawers.raster.canvas import DARK, WHITE, Canvas, Paint, Point, fill, thick_line
from tactical.show.scene.shapes import Mark, Stroke, Token, cell_shape
from tactical.show.theme import mix
from tactical.world.grids import Grid, squares

BLACK = (0, 0, 0)


def paint_barriers(canvas: Canvas, strokes: Iterable[Stroke]) -> None:
    """Barriers and ledges: all shadows first, then rims, then bodies, so that walls join without seams."""
    found = [(stroke, [canvas.px(point) for point in stroke.points]) for stroke in strokes]
    u = canvas.scale
    for stroke, points in found:
        if stroke.role in ("ledge", "slope"):
            _ledge(canvas, stroke.role, points[0], points[1])
    walls = [points for stroke, points in found if stroke.role == "wall"]
    thick = max(2.0, u * 0.22)
    if u >= 10 and walls:
        shade = pygame.Surface(canvas.surface.get_size(), pygame.SRCALPHA)
        for points in walls:
            thick_line(shade, (0, 0, 0, 80), [(x + u * 0.07, y + u * 0.12) for x, y in points], thick)
        canvas.surface.blit(shade, (0, 0))
    dark, light = canvas.colour("barrier", "wall"), canvas.colour("barrier", "wall_light")
    for width, colour in ((thick + max(2, u * 0.06), mix(dark, BLACK, 0.6)), (thick, dark), (thick * 0.34, light)):
        for points in walls:
            _bar(canvas, points, width, colour)
    for stroke, points in found:
        kind, _, state = stroke.role.partition(":")
        if kind == "door":
            _door(canvas, state, points[0], points[-1])
        elif kind == "window":
            _bar(canvas, points, thick + 2, mix(dark, BLACK, 0.6), ends=False)
            _bar(canvas, points, thick * 0.6, canvas.colour("barrier", "window"), ends=False)
        elif kind in LINES:
            LINES[kind](canvas, points)


def _low_wall(canvas: Canvas, points: list[Point]) -> None:
    u, stone = canvas.scale, canvas.colour("barrier", "low-wall")
    _bar(canvas, points, max(2, u * 0.2), mix(canvas.colour("barrier", "wall"), BLACK, 0.5))
    _bar(canvas, points, max(1, u * 0.14), stone)
    _crossed(canvas, points, u * 0.5, u * 0.06, mix(stone, BLACK, 0.45), 0.05)


def _fence(canvas: Canvas, points: list[Point]) -> None:
    u, wood = canvas.scale, canvas.colour("barrier", "fence")
    _bar(canvas, points, max(1.0, u * 0.05), mix(wood, BLACK, 0.35))
    _crossed(canvas, points, u * 0.2, u * 0.09, wood, 0.12)


def _bar(canvas: Canvas, points: list[Point], width: float, colour: Paint, *, ends: bool = True) -> None:
    """A straight bar; upright and level ones are sharp rectangles, with square ends that close corners."""
    for a, b in itertools.pairwise(points):
        w = width / 2
        if abs(a[0] - b[0]) < 0.5 or abs(a[1] - b[1]) < 0.5:
            more = w if ends else 0
            level = abs(a[1] - b[1]) < 0.5
            dx, dy = (more, w) if level else (w, more)
            x0, x1 = sorted((a[0], b[0]))
            y0, y1 = sorted((a[1], b[1]))
            left, top = round(x0 - dx), round(y0 - dy)
            fill(canvas.surface, colour, (left, top, max(1, round(x1 + dx) - left), max(1, round(y1 + dy) - top)))
        else:
            thick_line(canvas.surface, colour, [a, b], width)


def _crossed(canvas: Canvas, points: list[Point], every: float, width: float, colour: Paint, reach: float) -> None:
    """Short bars across a line: the posts of a fence, the joints of a low wall."""
    a, b = points[0], points[-1]
    length = hypot(b[0] - a[0], b[1] - a[1])
    if length < 1 or canvas.scale < 10:
        return
    ux, uy = (b[0] - a[0]) / length, (b[1] - a[1]) / length
    far = canvas.scale * reach + width / 2
    for n in range(max(1, round(length / every))):
        at = (n + 0.5) * every
        x, y = a[0] + ux * at, a[1] + uy * at
        thick_line(
            canvas.surface, colour, [(x - uy * far, y + ux * far), (x + uy * far, y - ux * far)], max(1.5, width)
        )


def _dotted(canvas: Canvas, points: list[Point], colour: Paint) -> None:
    a, b = points[0], points[-1]
    count = max(2, round(hypot(b[0] - a[0], b[1] - a[1]) / max(5, canvas.scale * 0.22)))
    for n in range(count + 1):
        x, y = a[0] + (b[0] - a[0]) * n / count, a[1] + (b[1] - a[1]) * n / count
        pygame.draw.circle(canvas.surface, DARK, (x, y), max(2, canvas.scale * 0.06) + 1)
        pygame.draw.circle(canvas.surface, colour, (x, y), max(1.5, canvas.scale * 0.05))


def _arrow(canvas: Canvas, a: Point, b: Point) -> None:
    dx, dy = (b[0] - a[0]) * 0.4, (b[1] - a[1]) * 0.4
    head = [(b[0] - dx - dy, b[1] - dy + dx), b, (b[0] - dx + dy, b[1] - dy - dx)]
    for width, ink in ((canvas.scale * 0.14, DARK), (canvas.scale * 0.07, WHITE)):
        thick_line(canvas.surface, ink, [a, b], max(1.5, width))
        thick_line(canvas.surface, ink, head, max(1.5, width))


LINES: Mapping[str, Callable[[Canvas, list[Point]], None]] = {
    "low-wall": _low_wall,
    "fence": _fence,
    "invisible": lambda canvas, points: _dotted(canvas, points, canvas.colour("barrier", "invisible")),
    "one-way": lambda canvas, points: _arrow(canvas, points[0], points[-1]),
    "link": lambda canvas, points: _dotted(canvas, points, canvas.colour("barrier", "stairs")),
}
"""How what is drawn as a line is painted, by its role."""


def _door(canvas: Canvas, state: str, a: Point, b: Point) -> None:
    u = canvas.scale
    wood, edge = canvas.colour("barrier", "door"), canvas.colour("barrier", "door_edge")
    if state == "open":
        # posts, the opening, and the leaf swung aside
        _bar(canvas, [a, b], max(2, u * 0.08), mix(edge, WHITE, 0.25), ends=False)
        length = hypot(b[0] - a[0], b[1] - a[1]) or 1
        ux, uy = (b[0] - a[0]) / length, (b[1] - a[1]) / length
        leaf = (a[0] + ux * length * 0.35 + uy * length * 0.6, a[1] + uy * length * 0.35 - ux * length * 0.6)
        thick_line(canvas.surface, edge, [a, leaf], u * 0.15)
        thick_line(canvas.surface, wood, [a, leaf], u * 0.09)
    else:
        _bar(canvas, [a, b], max(3, u * 0.26), edge, ends=False)
        _bar(canvas, [a, b], max(2, u * 0.17), wood, ends=False)
    for x, y in (a, b):
        side = max(2, u * 0.15)
        fill(canvas.surface, edge, (round(x - side), round(y - side), round(2 * side), round(2 * side)))
    middle = (a[0] + b[0]) / 2, (a[1] + b[1]) / 2
    if state in ("locked", "secret") and u >= 12:
        tint = canvas.colour("barrier", "locked") if state == "locked" else WHITE
        canvas.icon("lock" if state == "locked" else "portal", middle, max(5, u * 0.17), tint, edge=True)


def _ledge(canvas: Canvas, kind: str, a: Point, b: Point) -> None:
    """A drop: a line and hatching towards the low side, which lies to the right."""
    ink = canvas.colour("barrier", "ledge")
    u = canvas.scale
    if kind == "slope":
        pygame.draw.aaline(canvas.surface, ink, a, b)
        return
    dx, dy = b[0] - a[0], b[1] - a[1]
    length = hypot(dx, dy) or 1
    nx, ny = -dy / length, dx / length
    shade = [a, b, (b[0] + nx * u * 0.3, b[1] + ny * u * 0.3), (a[0] + nx * u * 0.3, a[1] + ny * u * 0.3)]
    left, top = min(x for x, _ in shade), min(y for _, y in shade)
    size = max(x for x, _ in shade) - left + 1, max(y for _, y in shade) - top + 1
    layer = pygame.Surface(size, pygame.SRCALPHA)
    pygame.draw.polygon(layer, (0, 0, 0, 70), [(x - left, y - top) for x, y in shade])
    canvas.surface.blit(layer, (round(left), round(top)))
    if u >= 12:
        for share in (0.1, 0.3, 0.5, 0.7, 0.9):
            x, y = a[0] + dx * share, a[1] + dy * share
            pygame.draw.aaline(canvas.surface, ink, (x, y), (x + nx * u * 0.24, y + ny * u * 0.24))
    _bar(canvas, [a, b], max(2, u * 0.09), ink)


def paint_route(canvas: Canvas, strokes: Iterable[Stroke]) -> None:
    """The legs of a route: a light core on the band's colour on a dark edge."""
    u = max(12.0, canvas.scale)
    found = [(stroke.role.removeprefix("route:"), [canvas.px(point) for point in stroke.points]) for stroke in strokes]
    core, edge = canvas.colour("mark", "route_core"), canvas.colour("mark", "route_edge")
    for _, points in found:
        thick_line(canvas.surface, edge, points, u * 0.21)
    for role, points in found:
        if role == "link":
            _dotted(canvas, points, core)
            continue
        thick_line(canvas.surface, canvas.theme.style(role, canvas.gaits).rim, points, u * 0.14)
    for role, points in found:
        if role != "link":
            thick_line(canvas.surface, core, points, u * 0.05)


def paint_echo(canvas: Canvas, strokes: Iterable[Stroke]) -> None:
    """A way that was meant or offered (dotted), and the part of it that was gone (a pale line on a dark edge)."""
    u = max(12.0, canvas.scale)
    core, edge = canvas.colour("mark", "route_core"), canvas.colour("mark", "route_edge")
    for stroke in strokes:
        points = [canvas.px(point) for point in stroke.points]
        if stroke.role in ("echo:meant", "echo:safe"):
            ink = core if stroke.role == "echo:meant" else canvas.colour("window", "good_line")
            for pair in itertools.pairwise(points):
                _dotted(canvas, list(pair), ink)
        else:
            thick_line(canvas.surface, edge, points, u * 0.19)
            thick_line(canvas.surface, core, points, u * 0.1)


SMALLEST = 3.5
"""Pixels of a token's radius at the least, however small its cell: somebody stands there, and on which side."""


def paint_token(canvas: Canvas, token: Token, grid: Grid | None = None) -> None:
    """A token: round for friends and oneself, a diamond for foes, square for bystanders; the posture inside."""
    radius = max(SMALLEST, token.size * canvas.scale * 0.4)
    side = token.role.removeprefix("mover:") if token.role != "ghost" else "self"
    ring, inside = canvas.theme.sides[side]
    size = round(radius * 2.7) + 6
    selected = token.role == "mover:self"

    def draw(large: pygame.Surface, f: float) -> None:
        m = large.get_width() / 2
        r = radius * f
        line = max(1.6 * f, r * 0.16)
        if side == "foe":
            for grow, colour in ((1.32, DARK), (1.22, ring), (1.22 - 1.5 * line / r, inside)):
                pygame.draw.polygon(
                    large, colour, [(m, m - r * grow), (m + r * grow, m), (m, m + r * grow), (m - r * grow, m)]
                )
        elif side == "bystander":
            for grow, colour in ((0.98, DARK), (0.9, ring), (0.9 - line / r, inside)):
                box = pygame.Rect(0, 0, round(2 * r * grow), round(2 * r * grow))
                box.center = (round(m), round(m))
                pygame.draw.rect(large, colour, box, border_radius=round(r * 0.25))
        else:
            if selected:
                pygame.draw.circle(large, (*WHITE, 235), (m, m), r * 1.22)
            for grow, colour in ((1.1, DARK), (1.0, ring), (1.0 - line / r, inside)):
                pygame.draw.circle(large, colour, (m, m), r * grow)

    key = ("token", side, token.role == "ghost", selected, round(radius * 8), ring, inside)
    picture = canvas.kit.sprite(key, (size, size), draw)
    at = canvas.px(token.at)
    if token.role == "ghost":
        if grid is None or squares(grid):
            box = pygame.Rect(0, 0, round(token.size * canvas.scale), round(token.size * canvas.scale))
            box.center = (round(at[0]), round(at[1]))
            pygame.draw.rect(canvas.surface, DARK, box.inflate(2, 2), 3)
            pygame.draw.rect(canvas.surface, WHITE, box, 2)
        else:
            corners = [(at[0] + x * canvas.scale, at[1] + y * canvas.scale) for x, y in cell_shape(grid)]
            for width, ink in ((4.0, DARK), (2.0, WHITE)):
                thick_line(canvas.surface, ink, [*corners, corners[0]], width)
        picture = picture.copy()
        picture.set_alpha(150)
    canvas.at_middle(picture, at)
    if radius >= 5:
        canvas.icon(token.posture, at, radius * (0.58 if side != "foe" else 0.52), WHITE)


def paint_mark(canvas: Canvas, mark: Mark) -> None:
    """Signs on cells: rings where bands and turns end, refusals, provocations, hazards, links."""
    at, u = canvas.px(mark.at), max(12.0, canvas.scale)
    kind, _, rest = mark.role.partition(":")
    if kind in ("ring", "stop"):
        fill = canvas.theme.style(rest, canvas.gaits).fill if kind == "ring" else (60, 66, 76)
        side = round(u * 0.7)

        def draw(large: pygame.Surface, f: float) -> None:
            m = large.get_width() / 2
            for r, colour in ((0.31, DARK), (0.27, WHITE), (0.19, fill)):
                pygame.draw.circle(large, colour, (m, m), u * r * f)

        canvas.at_middle(canvas.kit.sprite(("ring", side, fill), (side, side), draw), at)
    elif kind == "refused":
        canvas.icon("cross", at, u * 0.34, canvas.colour("mark", "refused"), edge=True)
    elif kind == "fell":
        side = round(canvas.scale * 1.3)
        tint = canvas.colour("mark", "refused")

        def ring(large: pygame.Surface, f: float) -> None:
            m = large.get_width() / 2
            for r, width, colour in ((0.6, 0.15, DARK), (0.575, 0.1, tint)):
                pygame.draw.circle(large, colour, (m, m), canvas.scale * r * f, max(2, round(canvas.scale * width * f)))

        canvas.at_middle(canvas.kit.sprite(("fell", side, tint), (side, side), ring), at)
    elif kind == "provoke":
        canvas.icon("flash", at, u * 0.36, canvas.colour("mark", "provoke"), edge=True)
    elif kind == "hazard":
        canvas.icon("warning", at, u * 0.32, canvas.colour("mark", "hazard"), edge=True)
    elif kind == "link":
        canvas.icon(rest, at, u * 0.34, canvas.colour("barrier", "stairs"), edge=True)
