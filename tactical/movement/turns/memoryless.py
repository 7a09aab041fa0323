"""Several turns: a step that does not fit the rest of a turn waits for the next, and a turn ends only on a legal stop.

Each turn is one bounded search.  Its sources are all states where the turns before could end, at no cost and with their
counters rested, which makes the result exact: counting (turn, spent), not a plain sum.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, NamedTuple, TypeVar

import numpy as np

from tactical.movement.graph.lattice import Lattice
from tactical.movement.graph.writer import Edge
from tactical.movement.steps.shortest import Tree
from tactical.search.kernel import ROUNDINGS, Settled, search
from tactical.search.slices import Slices, whole

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Nodes = NDArray[np.int64]


FOREVER = 10_000
"""No plan looks further ahead than this many turns."""


Amount = TypeVar("Amount", int, Fraction)
"""Movement, exact or in whole ticks."""


def afford(cost: Amount, left: Amount, spent: Amount, rounding: str, portion: Amount) -> Amount | None:
    """What a step of this cost takes from what is `left` of a turn, or None where it cannot be made (G-A01).

    `spent` is what the turn has used.  With `portion` the turn is spent in portions of so much and no step straddles
    two of them: what is left of one is lost with the step that does not fit.  The search follows the same rules in
    ticks (`tactical.search.loops.price`).
    """
    if portion and spent % portion + cost > portion:
        rest = portion - spent % portion
        if rounding == "enter_if_any_left":
            cost = rest
        elif cost <= portion:
            cost += rest
        elif rounding == "first_cell" and not spent:
            cost = portion
        else:
            return None
    if cost <= left:
        return cost
    if rounding == "enter_if_any_left" and left > 0:
        return left
    return left if rounding == "first_cell" and not spent and left > 0 else None


@dataclass
class Turn:
    """The search of one turn: what it could reach within `budget` ticks, and where each source came from."""

    number: int
    settled: Settled
    budget: int
    tree: Tree
    origin: Mapping[int, int] = field(default_factory=dict)


@dataclass
class Turns:
    """A search over turns.

    Where moves have a shortest length, `rings` are the (least, most) of the gaits open in the first turn, `later_rings`
    those of the turns after; a turn ends within one of them, or where it began if `may_stay`.  `gait` is the only one
    whose first turn it is; empty: all of the pool.
    """

    lattice: Lattice
    first: Fraction
    later: Fraction
    spent: Fraction = Fraction(0)
    portion: Fraction = Fraction(0)
    rings: tuple[tuple[Fraction, Fraction], ...] = ()
    later_rings: tuple[tuple[Fraction, Fraction], ...] = ()
    may_stay: bool = True
    gait: str = ""
    turns: list[Turn] = field(default_factory=list)
    _seen: NDArray[np.bool_] | None = None
    _paid: list[NDArray[np.int64]] = field(default_factory=list)

    def budget_ticks(self, number: int) -> int:
        """The budget of a turn in whole ticks."""
        return self.lattice.whole(self.first if number == 1 else self.later)

    @property
    def rounding(self) -> int:
        """The kernel's number of the rounding in force."""
        return ROUNDINGS.index(self.lattice.options["grid_rounding"])

    @property
    def plain(self) -> bool:
        """Whether costs simply add up."""
        return self.rounding == 0 and not self.portion

    def run(self, start: int, turns: int, done: Callable[[Turn], bool] | None = None, target: int = -1) -> Turns:
        """Search up to `turns` turns from a node, or until `done` says that the last one suffices.

        In the last turn nothing is looked at that is farther than the node `target`.
        """
        return whole(self.running(start, turns, done, target))

    def running(
        self, start: int, turns: int, done: Callable[[Turn], bool] | None = None, target: int = -1
    ) -> Slices[Turns]:
        """The same in slices, a turn each."""
        spent = self.lattice.draft.ticks(self.spent)
        sources = [start]
        origin: dict[int, int] = {}
        for number in range(1, turns + 1):
            costs = [spent] * len(sources) if number == 1 else None
            budget = self.budget_ticks(number)
            if number == 1 and budget < spent:
                budget = spent
            pool = self.lattice.whole(self.portion)
            found = search(
                self.lattice.compiled, sources, costs=costs, budget=budget, rounding=self.rounding, pool=pool,
                target=target if number == turns else -1,
            )  # fmt: skip
            earlier = partial(self.before, number) if number > 1 else None
            tree = Tree(self.lattice, found, plain=self.plain, earlier=earlier)
            self.turns.append(Turn(number, found, budget, tree, origin))
            if number == turns or (done is not None and done(self.turns[-1])):
                break
            ends, origin = self._next_sources(self.turns[-1])
            sources = ends.tolist()
            if not sources:
                break
            yield
        return self

    def settle(self, found: Settled) -> Turns:
        """Take what a search of the only turn found elsewhere, on the same graph with the same bodies."""
        settled = found.on(self.lattice.compiled)
        budget = max(self.budget_ticks(1), self.lattice.draft.ticks(self.spent))
        self.turns.append(Turn(1, settled, budget, Tree(self.lattice, settled, plain=self.plain)))
        return self

    def _long_enough(self, turn: Turn) -> NDArray[np.bool_]:
        """Which of the nodes reached a turn may end on by the length of its move."""
        cost = turn.settled.cost
        rings = self.rings if turn.number == 1 else self.later_rings
        if not any(least for least, _ in rings):
            return np.ones(len(cost), dtype=bool)
        fits = (turn.settled.parent < 0) & self.may_stay
        for least, most in rings:
            fits = fits | ((cost >= self.lattice.least(least)) & (cost <= self.lattice.whole(most)))
        return fits

    def _next_sources(self, turn: Turn) -> tuple[Nodes, dict[int, int]]:
        """Where the turn can end and no earlier one could, with the state each of these was reached in."""
        lattice = self.lattice
        ends = turn.settled.node.astype(np.int64)
        ends = ends[lattice.stops[ends] & self._long_enough(turn)]
        keep = lattice.options["parity_reset"] == "never"
        table = np.array(
            [
                lattice.draft.layer_index[layer._replace(diagonals=layer.diagonals if keep else 0, run_up=0, doors=0)]
                for layer in lattice.draft.layers
            ]
        )
        room = lattice.draft.room
        rested = table[ends // room] * room + ends % room
        # the first of several states that rest to the same one was reached at the least cost
        fresh, index = np.unique(rested, return_index=True)
        if self._seen is None:
            self._seen = np.zeros(lattice.nodes, dtype=bool)
        new = ~self._seen[fresh]
        self._seen[fresh] = True
        fresh, index = fresh[new], index[new]
        return fresh, dict(zip(fresh.tolist(), ends[index].tolist(), strict=True))

    def paid(self, number: int) -> NDArray[np.int64]:
        """Per node settled in turn `number`, in that order: ticks paid in all turns up to its arrival."""
        for turn in self.turns[len(self._paid) : number]:
            settled, brought = turn.settled, np.zeros(len(turn.settled), dtype=np.int64)
            parent = settled.parent.astype(np.int64)
            sources = np.flatnonzero(parent < 0)
            if turn.number > 1:
                before = self.turns[turn.number - 2].settled
                rows = np.empty(self.lattice.nodes, dtype=np.int64)
                rows[before.node] = np.arange(len(before))
                came = [turn.origin[node] for node in settled.node[sources].tolist()]
                brought[sources] = self._paid[-1][rows[came]]
            # of each its source: that of its parent's parent is twice as near at every look
            source = parent.copy()
            source[sources] = sources
            while (source != (onward := source[source])).any():
                source = onward
            self._paid.append(brought[source] + settled.cost)
        return self._paid[number - 1]

    def before(self, number: int) -> NDArray[np.int64]:
        """Per node: ticks paid in the turns before `number` on the way to its arrival in that turn."""
        settled = self.turns[number - 1].settled
        out = np.zeros(self.lattice.nodes, dtype=np.int64)
        out[settled.node] = self.paid(number) - settled.cost
        return out

    def path(self, turn: Turn, node: int) -> list[tuple[int, list[Edge]]]:
        """The edges to a node, turn by turn: (turn number, edges)."""
        out = []
        for at in range(turn.number - 1, -1, -1):
            leg = self.turns[at]
            edges = leg.tree.path(node)
            out.append((leg.number, edges))
            first = edges[0][0] if edges else node
            node = leg.origin.get(first, first)
        return out[::-1]


class Asked(NamedTuple):
    """One search that a reach is made of, wherever its mover stands: what `Query.lattice` and `Turns` are told."""

    pool: str
    most: Fraction
    exact: tuple[Fraction, ...]
    upright: bool
    ahead: int
    turns: Callable[[Lattice], Turns]
