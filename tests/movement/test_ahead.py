"""Plans through waypoints: what they leave out because no budget can pay it is never missed."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tactical import Refusal
from tactical.movement.planning.stages import Doors
from tests.oracle.engine import cell, reach
from tests.oracle.worlds import GROUND, few, scenarios


@few
@given(
    scenarios(
        glyphs=GROUND + "cd", edges=True, bodies=True, most=6,
        options=("diagonal", "corner", "door_cost", "door_limit", "grid_rounding", "parity_reset"),
    ),
    st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=1, max_size=2),
    st.tuples(st.integers(0, 5), st.integers(0, 5)),
    st.integers(1, 3),
)  # fmt: skip
def test_leaving_out_what_cannot_be_paid_changes_no_answer(
    scenario: dict[str, Any], via: list[tuple[int, int]], goal: tuple[int, int], turns: int
) -> None:
    def answer() -> object:
        found = reach(scenario, turns).route(cell((*goal, 0)), via=[cell((*place, 0)) for place in via])
        return found.text if isinstance(found, Refusal) else found

    quick = answer()
    with pytest.MonkeyPatch.context() as patch:
        # in slices: none, and nothing is ruled out
        patch.setattr(Doors, "ahead", lambda *_: iter(()))
        assert answer() == quick
