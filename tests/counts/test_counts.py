"""Engine and oracle come to the numbers of the count files."""

from __future__ import annotations

import pytest

from tactical.movement.reach import Reach
from tests.counts.blocks import Count, by_oracle, files, lines, order_of, read
from tests.oracle.engine import question

COUNTS = [count for path in files() for count in read(path)]
NAMES = [count.name for count in COUNTS]


def by_engine(count: Count) -> tuple[str, ...]:
    """The result lines as the engine counts them."""
    scenario = count.scenario
    order = order_of(count)
    # in shares of a turn every gait has a pool of its own: one is asked for
    gait = order[0] if scenario["ruleset"] in ("shapers", "twelve-second") else ""
    found = Reach(question(scenario), turns=count.turns, gait=gait, narrow=False)
    bands = {
        cell: (place.band.name, place.spent)
        for cell, place in found.arrivals.items()
        if cell != found.start.cell and place.band.name in order
    }
    return lines(bands, states_of(found), len(found.passing()), order)


def states_of(found: Reach) -> int:
    """States of the first turn, the engine's counters of run-up and doors not told apart."""
    states = set()
    for search in found.searches:
        for node in search.turns[0].settled.node.tolist():
            state = search.lattice.state(node)
            states.add((state.cell, state.posture, state.squeezed, state.diagonals))
    return len(states)


@pytest.mark.parametrize("count", COUNTS, ids=NAMES)
def test_the_engine_counts_the_same(count: Count) -> None:
    found = by_engine(count)
    assert count.agrees(found), found


@pytest.mark.parametrize("count", COUNTS, ids=NAMES)
def test_the_oracle_counts_the_same(count: Count) -> None:
    found = by_oracle(count)
    assert count.agrees(found), found


def test_there_are_enough_counts_each_with_its_own_name() -> None:
    assert len(set(NAMES)) == len(NAMES) >= 40
    assert sum(count.by.startswith("hand") for count in COUNTS) >= 12
