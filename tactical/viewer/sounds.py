"""Soft sounds, made here: off until they are wished for, and nothing where there is no device for them."""

from __future__ import annotations

from array import array
from math import exp, pi, sin

import pygame

RATE = 22050
LOUD = 0.18
"""How loud, of all a device can do."""
NOTES: dict[str, tuple[tuple[float, float], ...]] = {
    "step": ((392.0, 0.07),),
    "done": ((523.0, 0.08), (659.0, 0.12)),
    "warn": ((196.0, 0.16),),
}
"""Each sound as notes: hertz, and seconds."""


def waves(notes: tuple[tuple[float, float], ...]) -> bytes:
    """Notes one after another, each dying away, as signed 16-bit samples of one channel."""
    out = array("h")
    for pitch, seconds in notes:
        count = int(RATE * seconds)
        out.extend(round(32767 * LOUD * sin(2 * pi * pitch * n / RATE) * exp(-4 * n / count)) for n in range(count))
    return out.tobytes()


class Sounds:
    """The sounds of a window; `on` once they are wished for."""

    def __init__(self) -> None:
        self.on = False
        self._made: dict[str, pygame.mixer.Sound] = {}

    def toggle(self) -> bool:
        """Switch them on or off; False where there is nothing to play them."""
        if self.on:
            self.on = False
            return True
        try:
            if not pygame.mixer.get_init():
                pygame.mixer.init(RATE, -16, 1, 512)
            self._made = self._made or {name: pygame.mixer.Sound(buffer=waves(notes)) for name, notes in NOTES.items()}
        except pygame.error:
            return False
        self.on = True
        return True

    def play(self, name: str) -> None:
        """Play one, if they are on."""
        if self.on:
            self._made[name].play()
