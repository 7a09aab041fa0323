"""Where chips and name plates go, so that they do not lie on each other, on tokens, on the way or on its marks.

Greedy and plain: each plate tries the places around its spot in the order it prefers and takes the first one that is
free; when none is, the one that hides least.  Works in any unit (pixels here).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise
from math import ceil, hypot

from tactical.show.scene.shapes import Chip, Mark, Scene, Stroke, Token
from tactical.world.grids import Point

Box = tuple[float, float, float, float]
"""Left, top, width, height."""

Places = tuple[tuple[float, float], ...]
NEAR: Places = ((0, -1), (0, 1), (0.7, -1), (-0.7, -1), (0.7, 1), (-0.7, 1), (1, 0), (-1, 0))
FAR: Places = tuple((dx * far, dy * far) for far in (1.4, 2) for dx, dy in NEAR)
FARTHEST: Places = tuple((dx * far, dy * far) for far in (3, 4.5) for dx, dy in NEAR)
# Directions from the spot, as shares of (half cell + half plate); the key is where the plate would like to stand.
PLACES: dict[str, Places] = {
    "middle": ((0, 0), (0, -1), (0, 1), (1, 0), (-1, 0)),
    "above": ((0, -1), (0.7, -1), (-0.7, -1), (0, 1), (1, 0), (-1, 0), (0, -2), (0, 2)),
    "below": ((0, 1), (0.7, 1), (-0.7, 1), (0, -1), (1, 0), (-1, 0), *FAR),
    "left": ((-1, 0), (-1, -0.7), (-1, 0.7), (1, 0), (0, -1), (0, 1), *FAR),
    "right": ((1, 0), (1, -0.7), (1, 0.7), (-1, 0), (0, 1), (0, -1), *FAR),
    "beside": ((1, 0.6), (-1, -0.6), (1, -0.6), (-1, 0.6), (0, 1), (0, -1), (1.3, 1.3), (-1.3, -1.3), (0, 2), (0, -2)),
    "goal": ((0, -1), (0.7, -1), (-0.7, -1), (0, 1), (0.7, 1), (-0.7, 1), (1, 0), (-1, 0), *FAR, *FARTHEST),
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


def left_out(role: str, box: Box, taken: Iterable[Box]) -> bool:
    """Whether a plate is not shown, as it only adds to the way or to colours but would hide something."""
    return role.startswith(("leg", "stop", "end", "posture", "turn")) and covered(box, taken) > 0


def covered(box: Box, taken: Iterable[Box]) -> float:
    """How much of `box` lies on other boxes."""
    x, y, w, h = box
    return sum(
        max(0.0, min(x + w, a + c) - max(x, a)) * max(0.0, min(y + h, b + d) - max(y, b)) for a, b, c, d in taken
    )


def tokens_and_marks(scene: Scene, px: Callable[[Point], Point], cell: float) -> Iterator[Box]:
    """What no plate may hide: whoever stands there, the end of the way, and the signs on it; a `cell` is so wide."""
    for shape in scene.shapes:
        if isinstance(shape, Token):
            yield _about(px(shape.at), shape.size * cell * 0.45)
        elif isinstance(shape, Mark) and not shape.role.startswith(("threat", "link")):
            yield _about(px(shape.at), cell * 0.3)


def way(scene: Scene, px: Callable[[Point], Point], cell: float) -> Iterator[Box]:
    """The way, which a chip only adds to, in boxes less than half a cell apart."""
    for stroke in scene.of(Stroke):
        if stroke.role.startswith("route:"):
            for a, b in pairwise(map(px, stroke.points)):
                count = max(1, ceil(hypot(b[0] - a[0], b[1] - a[1]) / max(8.0, cell * 0.4)))
                for n in range(count + 1):
                    yield _about((a[0] + (b[0] - a[0]) * n / count, a[1] + (b[1] - a[1]) * n / count), cell * 0.15)


def chips_of(scene: Scene) -> list[Chip]:
    """The chips in the order in which they choose their places: the goal's first."""
    return sorted(scene.of(Chip), key=lambda chip: not chip.role.startswith("total"))


def _about(at: Point, half: float) -> Box:
    return at[0] - half, at[1] - half, 2 * half, 2 * half
