"""Where chips and name plates go, so that they do not lie on each other or on tokens.

Greedy and plain: each plate tries the places around its spot in the order it prefers and takes the first one that is
free; when none is, the one that hides least.  Works in any unit (pixels here).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

Box = tuple[float, float, float, float]
"""Left, top, width, height."""

# Directions from the spot, as shares of (half cell + half plate); the key is where the plate would like to stand.
PLACES: dict[str, tuple[tuple[float, float], ...]] = {
    "middle": ((0, 0), (0, -1), (0, 1), (1, 0), (-1, 0)),
    "above": ((0, -1), (0.7, -1), (-0.7, -1), (0, 1), (1, 0), (-1, 0), (0, -2), (0, 2)),
    "below": ((0, 1), (0.7, 1), (-0.7, 1), (0, -1), (1, 0), (-1, 0), (0, 2), (0, -2)),
    "left": ((-1, 0), (-1, -0.7), (-1, 0.7), (1, 0), (0, -1), (0, 1), (-1, -1.5), (-1, 1.5), (1, -1), (1, 1)),
    "right": ((1, 0), (1, -0.7), (1, 0.7), (-1, 0), (0, 1), (0, -1), (1, -1.5), (1, 1.5), (-1, -1), (-1, 1)),
    "beside": ((1, 0.6), (-1, -0.6), (1, -0.6), (-1, 0.6), (0, 1), (0, -1), (1.3, 1.3), (-1.3, -1.3), (0, 2), (0, -2)),
}


def place(
    spot: tuple[float, float],
    size: tuple[float, float],
    prefer: str,
    taken: Sequence[Box],
    gap: float,
    bounds: Box | None = None,
) -> Box:
    """The box for a plate of `size` about `spot`, `gap` away from it, clear of the `taken` boxes if that can be."""
    width, height = size
    best: tuple[float, int] | None = None
    chosen: Box = (spot[0] - width / 2, spot[1] - height / 2, width, height)
    for n, (dx, dy) in enumerate(PLACES[prefer]):
        x = spot[0] + dx * (gap + width / 2) - width / 2
        y = spot[1] + dy * (gap + height / 2) - height / 2
        if bounds is not None:
            x = min(max(x, bounds[0]), bounds[0] + bounds[2] - width)
            y = min(max(y, bounds[1]), bounds[1] + bounds[3] - height)
        box = (x, y, width, height)
        hidden = covered(box, taken)
        if best is None or (hidden, n) < best:
            best, chosen = (hidden, n), box
        if hidden == 0:
            break
    return chosen


def covered(box: Box, taken: Iterable[Box]) -> float:
    """How much of `box` lies on other boxes."""
    x, y, w, h = box
    return sum(
        max(0.0, min(x + w, a + c) - max(x, a)) * max(0.0, min(y + h, b + d) - max(y, b)) for a, b, c, d in taken
    )
