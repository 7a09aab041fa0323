"""Which cells hang together at all: component labels, so that "unreachable" is answered without a search.

Two places get the same label if a step, or what a way of moving leads to farther off, joins them in either direction,
whatever that costs, in whatever posture and through whatever door or fence that has a price.  Different labels mean: no
way, ever.  Rows are joined by one running maximum; what joins the runs is united pairs at a time, with pointer jumping.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

from tactical.movement.graph.draft import Draft
from tactical.world.edges.baking import distinct

if TYPE_CHECKING:
    from tactical.movement.graph.frame import Array
    from tactical.movement.query import Query
    from tactical.movement.ways import Way
    from tactical.units import Cell

Place = tuple[int, int, int]


def labels(draft: Draft, ways: Iterable[Way]) -> Array:
    """A label per place of the draft's window, by some ways of moving; places of one component share it."""
    shape, width = draft.site.shape, draft.site.shape[2]
    places = np.arange(draft.room).reshape(shape)
    beside = np.zeros(shape, dtype=bool)
    sources, targets = [], []
    loose: list[tuple[Place, Place]] = []
    for way in ways:
        found = way.joined(draft)
        if found is None:
            # nobody knows how far it leads: all may hang together
            return np.zeros(draft.room, dtype=np.int64)
        loose += found
    entered = _entered(draft, [b for _, b in loose])
    for planes in draft.planes:
        for plane in planes:
            direction = draft.site.directions[plane.direction]
            if direction.dj == 0 and abs(direction.di) == 1:
                # joined with the place to its left, whichever of the two the step starts from
                joined = plane.open & entered
                joined = joined if direction.di < 0 else np.roll(joined, 1, axis=2)
                beside[:, :, 1:] |= joined[:, :, 1:]
                continue
            # numpy finds truths in one dimension several times as fast
            start = np.flatnonzero(plane.open & entered)
            row, i = np.divmod(start, width)
            jj, ii = row % shape[1] + direction.dj, i + direction.di
            start = start[(jj >= 0) & (jj < shape[1]) & (ii >= 0) & (ii < width)]
            sources.append(start)
            targets.append(start + direction.dj * width + direction.di)
    extra = np.array([(draft.node(0, a), draft.node(0, b)) for a, b in loose])
    if len(extra):
        sources.append(extra[:, 0])
        targets.append(extra[:, 1])
    runs = np.maximum.accumulate(np.where(beside, 0, places), axis=2).reshape(-1)
    a, b = (runs[np.concatenate(ends)] if ends else np.zeros(0, dtype=np.int64) for ends in (sources, targets))
    keys = distinct(np.minimum(a, b) * draft.room + np.maximum(a, b))
    return np.asarray(united(draft.room, keys // draft.room, keys % draft.room)[runs])


def component_labels(query: Query, pool: str) -> tuple[Draft, Array]:
    """The labels of the whole map's components, worked out once for a question."""
    key = ("labels", pool)
    if key not in query.kept:
        draft = Draft(query.site_everywhere, query.profile, query.options, pool, False)
        # a way that leads this mover nowhere joins nothing
        ways = [way for way in query.ways if way.joins or way.rate is None or way.rate(query, pool) is not None]
        query.kept[key] = (draft, labels(draft, ways))
    found: tuple[Draft, Array] = query.kept[key]
    return found


def parted(query: Query, pool: str, cell: Cell) -> bool:
    """Whether nothing at all joins a cell to the start."""
    draft, label = component_labels(query, pool)
    start, end = draft.site.place(query.start.cell), draft.site.place(cell)
    if start is None or end is None:
        return True
    return bool(label[draft.node(0, start)] != label[draft.node(0, end)])


def _entered(draft: Draft, ends: Iterable[Place]) -> Array:
    """The places that a step or a way with such `ends` leads to, and the mover's: nobody steps out of any other."""
    found = np.zeros(draft.site.shape, dtype=bool)
    _, height, width = found.shape
    for planes in draft.planes:
        for plane in planes:
            step = draft.site.directions[plane.direction]
            di, dj = step.di, step.dj
            found[:, max(dj, 0) : height + min(dj, 0), max(di, 0) : width + min(di, 0)] |= plane.open[
                :, max(-dj, 0) : height + min(-dj, 0), max(-di, 0) : width + min(-di, 0)
            ]
    start = None if draft.site.mover.at is None else draft.site.place(draft.site.mover.at)
    for end in ends if start is None else [*ends, start]:
        found[end] = True
    return found


def nearest(ours: Array, theirs: Array, start: Place, goal: Place) -> tuple[Place, Place] | None:
    """The two places of two parts of a map (masks by level, row and column) that are fewest steps apart on one level.

    Of several the ones that lie best on the way from `start` to `goal`; None where the parts share no level.
    """
    shared = np.asarray(ours.any(axis=(1, 2)) & theirs.any(axis=(1, 2)))
    if not shared.any():
        return None
    grown = theirs & shared[:, None, None]
    while not (met := ours & grown).any():
        wide = grown.copy()
        wide[:, 1:] |= grown[:, :-1]
        wide[:, :-1] |= grown[:, 1:]
        grown = wide.copy()
        grown[:, :, 1:] |= wide[:, :, :-1]
        grown[:, :, :-1] |= wide[:, :, 1:]
    places = np.argwhere(met)
    astray = [np.hypot(places[:, 1] - end[1], places[:, 2] - end[2]) for end in (start, goal)]
    level, j, i = (int(n) for n in places[int(np.argmin(astray[0] + astray[1]))])
    rows, columns = np.nonzero(theirs[level])
    k = int(np.argmin(np.maximum(abs(rows - j), abs(columns - i))))
    return (level, j, i), (level, int(rows[k]), int(columns[k]))


def united(count: int, a: Array, b: Array) -> Array:
    """The smallest member of each node's component, given the pairs (a, b) that are joined."""
    label = np.arange(count)
    while len(a):
        low, high = np.minimum(label[a], label[b]), np.maximum(label[a], label[b])
        apart = low != high
        a, b = a[apart], b[apart]
        np.minimum.at(label, high[apart], low[apart])
        while not np.array_equal(jumped := label[label], label):
            label = jumped
    return label
