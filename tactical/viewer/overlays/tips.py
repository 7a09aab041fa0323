"""Where a tip goes: beside the pointer, but never over a way, a goal, a token or a chip."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil

import pygame

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
    goal = looking.hand.target
    if goal is not None and goal.level == looking.hand.level:
        x, y = camera.pixel(looking.hand.battlemap.grid.centre(goal.col, goal.row))
        boxes.append(pygame.Rect(round(x - u / 2), round(y - u / 2), ceil(u), ceil(u)))
    for box in boxes:
        box.move_ip(area.topleft)
    return boxes
