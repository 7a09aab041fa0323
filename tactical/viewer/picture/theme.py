"""The look of the window's frame: sizes, and what the text size setting makes of them."""

from __future__ import annotations

from tactical.show.panel import PANEL

TOP, STRIP, STATUS = 48, 44, 62
"""Height of the bar above, of the strip of turns and of the status line below the map."""
SMALLEST = (640, 480)
"""The smallest window."""
WINDOW = (1280, 800)
SIZES = (0.75, 0.85, 1.0, 1.15, 1.3, 1.5, 1.75, 2.0)
"""The text sizes to choose from; everything in the frame grows with them."""
TALL = 1500
"""Height of a screen, in pixels, from which the window begins with larger text."""

__all__ = [
    "PANEL", "SIZES", "SMALLEST", "STATUS", "STRIP", "TALL", "TOP", "WINDOW", "first_size", "next_size", "size_for",
]  # fmt: skip


def next_size(now: float, by: int) -> float:
    """The next larger (smaller) text size."""
    here = min(range(len(SIZES)), key=lambda n: abs(SIZES[n] - now))
    return SIZES[max(0, min(len(SIZES) - 1, here + by))]


def first_size(wanted: tuple[int, int], screen: tuple[int, int]) -> tuple[int, int]:
    """The size a window opens in: what is wanted, or what leaves a rim of the screen where that is too large for it."""
    return tuple(  # type: ignore[return-value]
        want if not room or want <= room else max(least, round(room * 0.9))
        for want, room, least in zip(wanted, screen, SMALLEST, strict=True)
    )


def size_for(height: int) -> float:
    """The text size to begin with on a screen of so many pixels: high resolutions need more of them."""
    return 1.0 if height < TALL else 1.5 if height < 2 * 1080 else 2.0
