"""Where a tip goes: beside the pointer, but never over a way, a goal, a token or a chip."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import ceil, hypot

import pygame

from tactical.show.scene.shapes import Mark, Stroke
from tactical.viewer.overlays.looking import Looking

SIDES = ((1, 1), (1, -1), (-1, 1), (-1, -1), (1, 0), (-1, 0), (0, 1), (0, -1))
"""Where a tip stands about the pointer, in the order of what is tried."""
FURTHER = (1, 2, 3.5, 5.5, 8)
"""How many times the distance is tried."""


def spot(
    pointer: tuple[int, int], size: tuple[int, int], room: pygame.Rect, taken: Sequence[pygame.Rect], away: int
) -> pygame.Rect | None:
    """The box of a tip of `size` pixels inside `room`, clear of all that is `taken`; None where there is none."""
    for far in FURTHER:
        for dx, dy in SIDES:
            box = pygame.Rect((0, 0), size)
            box.centerx = round(pointer[0] + dx * (size[0] / 2 + away * far))
            box.centery = round(pointer[1] + dy * (size[1] / 2 + away * far))
            box.clamp_ip(room)
            if room.contains(box) and not box.collidepoint(pointer) and box.collidelist(taken) < 0:
                return box
    return None


def taken_by(looking: Looking) -> list[pygame.Rect]:
    """What a tip must leave in sight, in pixels of the window: tokens, plates, the way, its marks, the goal."""
    area, camera = looking.map_area, looking.camera
    u = camera.scale
    boxes = [pygame.Rect(round(x), round(y), ceil(w), ceil(h)) for x, y, w, h in looking.layer.taken]
    for x, y in _spots(looking):
        half = max(6.0, u * 0.25)
        boxes.append(pygame.Rect(round(x - half), round(y - half), round(2 * half), round(2 * half)))
    goal = looking.hand.target
    if goal is not None and goal.level == looking.hand.level:
        x, y = camera.pixel(looking.hand.battlemap.grid.centre(goal.col, goal.row))
        boxes.append(pygame.Rect(round(x - u / 2), round(y - u / 2), ceil(u), ceil(u)))
    for box in boxes:
        box.move_ip(area.topleft)
    return boxes


def _spots(looking: Looking) -> Iterator[tuple[float, float]]:
    """Pixels of the map along the way that is shown, less than half a cell apart, and of its marks."""
    if looking.scene is None:
        return
    pixel, step = looking.camera.pixel, max(8.0, looking.camera.scale * 0.4)
    for shape in looking.scene.shapes:
        if isinstance(shape, Mark) and shape.role != "threat":
            yield pixel(shape.at)
        elif isinstance(shape, Stroke) and shape.role.startswith("route:"):
            for a, b in pairwise(map(pixel, shape.points)):
                count = max(1, ceil(hypot(b[0] - a[0], b[1] - a[1]) / step))
                for n in range(count + 1):
                    yield a[0] + (b[0] - a[0]) * n / count, a[1] + (b[1] - a[1]) * n / count
