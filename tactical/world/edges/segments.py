"""Segments in cell units, and the part of one that is on a map."""

from __future__ import annotations

from math import dist

from tactical.world.grids import Point

Segment = tuple[Point, Point]
ALIKE = 1e-6
"""How far apart one corner lies when it is worked out from another cell."""


def same_line(a: Segment, b: Segment) -> bool:
    """Whether two segments are one, in whichever direction they were drawn, and from whichever of two cells."""
    return any(dist(a[0], b[n]) < ALIKE and dist(a[1], b[1 - n]) < ALIKE for n in (0, 1))


def clip(segment: Segment, width: float, height: float, margin: float = 0.0) -> Segment | None:
    """The part of a segment inside the map (grown by `margin`), or None.  A segment on the border is inside."""
    (x0, y0), (x1, y1) = segment
    dx, dy = x1 - x0, y1 - y0
    start, end = 0.0, 1.0
    for run, before, beyond in (
        (dx, x0 + margin, width + margin - x0),
        (dy, y0 + margin, height + margin - y0),
    ):
        if run == 0:
            if before < 0 or beyond < 0:
                return None
            continue
        low, high = sorted((-before / run, beyond / run))
        start, end = max(start, low), min(end, high)
        if start > end:
            return None
    if (start, end) == (0.0, 1.0):
        return segment
    return (
        (x0, y0) if start == 0 else (x0 + dx * start, y0 + dy * start),
        (x1, y1) if end == 1 else (x0 + dx * end, y0 + dy * end),
    )
