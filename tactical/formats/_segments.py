"""Work on wall segments: join pieces that lie on one line, and cut gaps into them.

Drawing programs write the same wall in hundreds of pieces, some of them twice.  Ends are snapped to the 1/256 cell
lattice that the step rule uses anyway, so joining is exact whole-number work and changes no answer.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from math import gcd

from tactical.world.edges.barriers import SNAP
from tactical.world.edges.segments import Segment
from tactical.world.grids import Point

Interval = tuple[int, int]
LineKey = tuple[int, int, int]


def on_lattice(segment: Segment) -> tuple[LineKey, Interval] | None:
    """The line a snapped segment lies on and its interval along it; None for a segment without length.

    The line is (dx, dy, c) with a reduced direction and c = dx*y - dy*x; the interval counts in dx*x + dy*y.
    """
    (x0, y0), (x1, y1) = ((round(x * SNAP), round(y * SNAP)) for x, y in segment)
    dx, dy = x1 - x0, y1 - y0
    if not dx and not dy:
        return None
    common = gcd(dx, dy)
    dx, dy = dx // common, dy // common
    if (dx, dy) < (0, 0):
        dx, dy = -dx, -dy
    ends = sorted((dx * x0 + dy * y0, dx * x1 + dy * y1))
    return (dx, dy, dx * y0 - dy * x0), (ends[0], ends[1])


def _segment(line: LineKey, interval: Interval) -> Segment:
    dx, dy, c = line
    square = dx * dx + dy * dy
    first, last = (((dx * t - dy * c) // square, (dy * t + dx * c) // square) for t in interval)
    return (first[0] / SNAP, first[1] / SNAP), (last[0] / SNAP, last[1] / SNAP)


def merged(segments: Iterable[Segment]) -> list[Segment]:
    """The same walls with overlapping and touching pieces of a line joined, in a fixed order."""
    lines = _by_line(segments).items()
    return sorted(_segment(line, interval) for line, intervals in lines for interval in _union(intervals))


def _by_line(segments: Iterable[Segment]) -> dict[LineKey, list[Interval]]:
    """The pieces of every line on the lattice."""
    lines: dict[LineKey, list[Interval]] = defaultdict(list)
    for segment in segments:
        found = on_lattice(segment)
        if found is not None:
            lines[found[0]].append(found[1])
    return lines


def _union(intervals: Sequence[Interval]) -> list[Interval]:
    joined: list[Interval] = []
    for start, end in sorted(intervals):
        if joined and start <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(joined[-1][1], end))
        else:
            joined.append((start, end))
    return joined


def without(segments: Iterable[Segment], gaps: Iterable[Segment]) -> list[Segment]:
    """The walls with the gaps (doors) that lie on them cut out."""
    holes = _by_line(gaps)
    out: list[Segment] = []
    for segment in merged(segments):
        found = on_lattice(segment)
        if found is None:
            continue
        line, (start, end) = found
        for hole_start, hole_end in _union(holes.get(line, [])):
            if hole_end <= start or hole_start >= end:
                continue
            if hole_start > start:
                out.append(_segment(line, (start, hole_start)))
            start = hole_end
            if start >= end:
                break
        if start < end:
            out.append(_segment(line, (start, end)))
    return out


def cells_inside(polygon: Sequence[Point], cols: int, rows: int) -> list[tuple[int, int]]:
    """The (col, row) cells of a square map whose middle lies inside a polygon."""
    inside = []
    edges = list(zip(polygon, [*polygon[1:], polygon[0]], strict=True))
    low, high = min(y for _, y in polygon), max(y for _, y in polygon)
    for row in range(max(0, int(low) - 1), min(rows, int(high) + 2)):
        y = row + 0.5
        cuts = sorted(x0 + (y - y0) * (x1 - x0) / (y1 - y0) for (x0, y0), (x1, y1) in edges if (y0 <= y) != (y1 <= y))
        for first, last in zip(cuts[::2], cuts[1::2], strict=True):
            for col in range(max(0, int(first) - 1), min(cols, int(last) + 2)):
                if first < col + 0.5 < last:
                    inside.append((col, row))
    return inside
