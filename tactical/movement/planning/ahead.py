"""What a plan through waypoints must still spend at least, wherever it stands: no plan is followed that cannot pay it.

The prices are those of the state graph with every door open, as if each step were made in the posture and with the
counters that make it cheapest: a graph of places alone, searched backwards, once for each waypoint and for the goal.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from typing import TYPE_CHECKING

import numpy as np

from tactical.movement.graph.lattice import Lattice
from tactical.search.compiled import Compiled
from tactical.search.kernel import search
from tactical.units import Cell

if TYPE_CHECKING:
    from numpy.typing import NDArray


class Ahead:
    """The most that a plan may have spent in its turn, and where it may still get to its goals.

    `have` is what each turn and those after it have together, None where that is no bound; in the same parts a tick of
    the graph is worth `tick`.
    """

    def __init__(self, opened: Lattice, goals: Sequence[Cell], have: Sequence[int | None], tick: int) -> None:
        self.tick, self.room, self.have = tick, opened.draft.room, have
        self.least = _leasts(opened, goals)
        self._most: dict[tuple[int, int, int], float] = {}

    def most(self, turn: int, node: int, passed: int) -> float:
        """The most that may be spent of a turn at a node, so many waypoints behind it; ``-inf``: no way goes on."""
        key = turn, node % self.room, passed
        if key not in self._most:
            least, have = int(self.least[passed][key[1]]), self.have[turn - 1]
            self._most[key] = -inf if least < 0 else inf if have is None else have - least * self.tick
        return self._most[key]


def left_to(lattice: Lattice, goal: Cell, most: int | None) -> NDArray[np.int64]:
    """Per place: the least ticks from there to a cell, -1 where they are more than `most`, or there is no way."""
    place = lattice.site.place(goal)
    if place is None:
        return np.full(lattice.draft.room, -1, dtype=np.int64)
    return search(_backwards(lattice), [lattice.draft.node(0, place)], budget=most).dense()


def _leasts(opened: Lattice, goals: Sequence[Cell]) -> list[NDArray[np.int64]]:
    """Per number of goals behind it and per place: the ticks to the others in order, -1 where there is no way."""
    backwards, after = _backwards(opened), 0
    found: list[NDArray[np.int64]] = []
    for goal in reversed(goals):
        place = opened.site.place(goal)
        at = -1 if place is None else opened.draft.node(0, place)
        if found:
            after = int(found[-1][at])
        if at < 0 or after < 0:
            return [np.full(backwards.nodes, -1, dtype=np.int64)] * len(goals)
        found.append(search(backwards, [at], costs=[after]).dense())
    return found[::-1]


def _backwards(lattice: Lattice) -> Compiled:
    """The steps of a state graph from place to place, the wrong way round."""
    room, found = lattice.draft.room, lattice.compiled.kept.get("backwards")
    if found is None:
        source, target, ticks, _ = lattice.compiled.all_steps()
        found = lattice.compiled.kept["backwards"] = Compiled.of_steps(room, target % room, source % room, ticks)
    graph: Compiled = found
    return graph
