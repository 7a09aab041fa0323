"""What the turns of plans leave behind: where they stand by carried value, and which of them others beat."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from tactical.movement.turns.graphs import Graphs
from tactical.movement.turns.legs import Ends, Group, Standing, joined, least_first
from tactical.rules.turnstate import TurnState

if TYPE_CHECKING:
    from tactical.movement.turns.ends import Ints
    from tactical.world.window import Bools

Level = dict[Hashable, tuple[TurnState, list[Standing]]]
"""Where the plans of a turn stand after it, by carried value."""


class Best:
    """Per place the plan that ends a turn there with least spent in it, then least in all, of equal ones the first."""

    def __init__(self, room: int) -> None:
        self.by = np.full(room, -1, dtype=np.int64)
        self.row, self.spent, self.paid = (np.zeros(room, dtype=np.int64) for _ in range(3))
        self.offers: list[tuple[str, Ends]] = []

    def offer(self, gait: str, ends: Ends, rows: Ints, place: Ints, spent: Ints, paid: Ints) -> None:
        """Take those of some ends that are better; `spent` and `paid` are in parts of a unit."""
        first = least_first(place, spent, paid)
        place, spent, paid = place[first], spent[first], paid[first]
        if spent.dtype != self.spent.dtype:
            self.spent, self.paid = self.spent.astype(spent.dtype), self.paid.astype(paid.dtype)
        before, whole = self.spent[place], self.paid[place]
        better = (self.by[place] < 0) | (spent < before) | ((spent == before) & (paid < whole))
        at, chosen = place[better], first[better]
        self.by[at], self.row[at] = len(self.offers), rows[chosen]
        self.spent[at], self.paid[at] = spent[better], paid[better]
        self.offers.append((gait, ends))


@dataclass(eq=False)
class Past:
    """Where plans of earlier turns stand, by carried value; at `most` so many values are followed in a turn.

    `cut`: there were more.
    """

    graphs: Graphs
    most: int
    cut: bool = False
    _seen: dict[Hashable, tuple[TurnState, Bools]] = field(default_factory=dict)
    _judged: dict[tuple[Hashable, Hashable], bool] = field(default_factory=dict)
    _better: dict[Hashable, Bools] = field(default_factory=dict)

    def no_worse(self, key: Hashable, turn: TurnState) -> Bools:
        """Per state whether a plan of an earlier turn stands there with a carried value that is no worse than this."""
        size = len(self.graphs.numbers) * self.graphs.room
        out = self._better.get(key)
        if out is None or len(out) < size:
            out = self._better[key] = np.zeros(size, dtype=bool)
            for other, (known, states) in self._seen.items():
                if self._judge(other, known, key, turn):
                    out[: len(states)] |= states
        return out

    def _judge(self, key: Hashable, one: TurnState, other_key: Hashable, other: TurnState) -> bool:
        """Whether the next turn is no worse off after one turn than after another, asked once of two carried values."""
        if key == other_key:
            return True
        judge, pair = self.graphs.wanted.query.ruleset.no_worse, (key, other_key)
        if judge is None:
            return False
        if pair not in self._judged:
            self._judged[pair] = judge(one, other)
        return self._judged[pair]

    def grouped(self, found: Level) -> list[Group]:
        """The plans that go on, by carried value and posture, without those that another one beats."""
        per, room = self.graphs.per, self.graphs.room
        level = {key: (turn, _cheapest(joined(parts, per))) for key, (turn, parts) in found.items() if parts}
        if len(level) > self.most:
            self.cut = True
            level = dict(list(level.items())[: self.most])
        for n, (key, (turn, plans)) in enumerate(list(level.items())):
            kept = plans
            for m, (other, (known, better)) in enumerate(level.items()):
                if (
                    other != key
                    and self._judge(other, known, key, turn)
                    and not (n < m and self._judge(key, turn, other, known))
                ):
                    kept = kept.chosen(np.flatnonzero(~np.isin(kept.state, better.state)))
            level[key] = turn, kept
        self._better.clear()
        postures = np.array([posture for posture, *_ in self.graphs.numbers])
        groups = []
        for key, (turn, plans) in level.items():
            found[key] = turn, [plans]
            states = np.zeros(len(self.graphs.numbers) * room, dtype=bool)
            if key in self._seen:
                states[: len(self._seen[key][1])] = self._seen[key][1]
            states[plans.state] = True
            self._seen[key] = turn, states
            held = postures[plans.state // room]
            for posture in dict.fromkeys(held.tolist()):
                mover = replace(self.graphs.wanted.query.mover, posture=posture)
                own = plans.chosen(np.flatnonzero(held == posture))
                groups.append(Group(self.graphs.wanted.query.changed(turn=turn, mover=mover), own))
        return groups


def _cheapest(plans: Standing) -> Standing:
    """Of plans that stand in the same state the one that has paid least, in the order in which they were found."""
    _, found = np.unique(plans.state, return_index=True)
    return plans.chosen(least_first(plans.state, plans.paid)[np.argsort(found)])
