"""Rings: where a move with a shortest and a longest length can end.

By option ``ring`` a cell belongs to the ring if its *shortest* way is long enough, or if any *walk* to it is: a walk
may turn back and enter cells again, so that a near cell can be reached by running about.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import count
from typing import TYPE_CHECKING, Any

import numpy as np

from tactical.movement.graph.lattice import Lattice
from tactical.movement.graph.writer import Edge
from tactical.movement.turns.bands import Arrival
from tactical.movement.turns.ends import Ends, Part
from tactical.movement.turns.memoryless import Turns
from tactical.movement.turns.wanted import Wanted
from tactical.search.compiled import Compiled
from tactical.search.kernel import Settled, search
from tactical.units import Cell

if TYPE_CHECKING:
    from tactical.world.window import Bools

Trail = tuple[Edge, Any] | None
"""The edges of a walk, the last one first: (edge, the trail before it)."""


def walks(lattice: Lattice, nodes: Sequence[int], begun: int, least: int, most: int) -> dict[int, tuple[int, Trail]]:
    """Per node the shortest walk of `least` to `most` ticks from one of `nodes` there: its ticks and its edges."""
    found: dict[int, tuple[int, Trail]] = {}
    seen: set[tuple[int, int]] = set()
    order = count()
    queue: list[tuple[int, int, int, Trail]] = [(begun, next(order), node, None) for node in nodes]
    while queue:
        ticks, _, at, trail = heapq.heappop(queue)
        if (at, ticks) in seen or at in found:
            continue
        seen.add((at, ticks))
        if ticks >= least:
            found[at] = (ticks, trail)
        for target, more, slot in lattice.edges(at):
            after = ticks + more
            if after <= most and target not in found and (target, after) not in seen:
                heapq.heappush(queue, (after, next(order), target, ((at, target, more, slot), trail)))
    return found


def unrolled(trail: Trail) -> list[Edge]:
    """The edges of a trail, the first one first."""
    edges: list[Edge] = []
    while trail is not None:
        edges.append(trail[0])
        trail = trail[1]
    return edges[::-1]


def with_walks(wanted: Wanted, searches: Sequence[Turns], parts: Iterable[Part]) -> dict[Cell, Arrival]:
    """The cells that a reach can end on, those too near for a shortest way by walks (option ``ring``)."""
    out: dict[Cell, Arrival] = {}
    for part in parts:
        for cell, arrival in Ends([part]).items():
            out.setdefault(cell, arrival)
        if part.turn == 1:
            _walk_about(wanted, out, part.pool, searches[part.pool])
    return out


def _walk_about(wanted: Wanted, out: dict[Cell, Arrival], pool: int, turns: Turns) -> None:
    """Add to `out` the cells too near for a shortest way, by walks that use up a gait's least (option ``ring``)."""
    lattice = turns.lattice
    start = lattice.node(wanted.start)
    for band in wanted.now:
        if not band.minimum or start is None or wanted.profile.gait(band.gait).pool != lattice.pool:
            continue
        least, most = lattice.least(band.minimum), lattice.whole(band.budget - wanted.reserve)
        for node, (ticks, trail) in walks(lattice, [start], lattice.draft.ticks(turns.spent), least, most).items():
            cell, spent = lattice.cell(node), lattice.cost(ticks)
            if cell not in out and lattice.stops[node] and wanted.arrive in ("", lattice.state(node).posture):
                out[cell] = Arrival(band, pool, 1, node, spent, spent - turns.spent, tuple(unrolled(trail)))


# --- rings around several places -------------------------------------------------------------------------------------


def turned(compiled: Compiled) -> Compiled:
    """The same graph with every step the other way round; worked out at the first call and kept."""
    found: Compiled | None = compiled.kept.get("turned")
    if found is None:
        source, target, ticks, _ = compiled.all_steps()
        found = compiled.kept["turned"] = Compiled.of_steps(compiled.nodes, target, source, ticks)
    return found


def far_enough(
    lattice: Lattice,
    settled: Settled,
    starts: Sequence[int],
    lengths: tuple[int, int],
    known: Bools,
    forward: Callable[[int], Settled],
) -> Iterator[tuple[int, Settled]]:
    """Places to start from for cells that are too near to another start, each with the search from there alone.

    `settled` is the search from all of them, `lengths` the least and the most ticks of a move; cells that are `known`
    are left alone.  A cell is looked at from behind: the start that is far enough away, the first in the order given,
    is its witness, whose own search tells all cells around it.  Where a cell has none, nor has what lies so near to it
    that no start can be far enough from there either.
    """
    least, most = lengths
    room = lattice.draft.room
    node, cost = settled.node.astype(np.int64), settled.cost
    stop = lattice.stops[node]
    near = dict.fromkeys((node[stop & (cost < least)][::-1] % room).tolist())
    left = np.zeros(room, dtype=bool)
    left[list(near)] = True
    left &= ~known.reshape(-1)
    back, looked_at = turned(lattice.compiled), left.data
    for place in near:
        # read one by one, which an array in Python's own clothes allows in a third of the time
        if not looked_at[place]:
            continue
        left[place] = False
        ends = [end for end in range(place, lattice.nodes, room) if lattice.stops[end] and lattice.present[end]]
        away = search(back, ends, budget=most).to_dict()
        witness = next((start for start in starts if away.get(start, -1) >= least), None)
        if witness is not None:
            found = forward(witness)
            yield witness, found
            reached, lengths_ = found.node.astype(np.int64), found.cost
            places = reached % room
            close = np.zeros(room, dtype=bool)
            close[places[lattice.stops[reached] & (lengths_ < least)]] = True
            left[places[~close[places]]] = False
        elif all(start in away for start in starts):
            # whoever is nearer to this cell than what all starts lack is too near to all of them as well
            lacking = least - max(away[start] for start in starts) - 1
            around = search(lattice.compiled, ends, budget=max(lacking, 0))
            left[around.node.astype(np.int64) % room] = False
