"""Plans over turns of movers that remember, against the oracle, which begins every turn anew from every state."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.oracle.carried import SYSTEMS, plans
from tests.oracle.engine import engine_arrivals, reach
from tests.oracle.worlds import GROUND, fewer, scenarios

SPEEDS = st.sampled_from(["stop", "cautious", "cruising", "high", "all_out"])
PEOPLE: dict[str, st.SearchStrategy[dict[str, Any]]] = {
    "d6-reup": st.fixed_dictionaries({"move": st.integers(2, 6), "previous": SPEEDS}),
    "d6-revised": st.fixed_dictionaries(
        {"move": st.integers(2, 6), "previous": SPEEDS, "kind": st.sampled_from(["character", "vehicle", "vehicle"])}
    ),
    "shapers": st.fixed_dictionaries(
        {
            "pa": st.integers(1, 2),
            "ps": st.integers(1, 4),
            "pf": st.integers(0, 1),
            "endurance": st.integers(0, 1),
            "swimming": st.integers(0, 2),
            "size_m": st.sampled_from([2, 8]),
        }
    ),
    "twelve-second": st.fixed_dictionaries(
        {
            "mv": st.sampled_from([20, 30, 60]),
            "endurance": st.integers(0, 4),
            "load": st.sampled_from(["none", "light", "heavy"]),
        },
        optional={"modes": st.sampled_from([["walk", "wade", "swim"], ["run", "walk"], ["run_dodge", "wade"]])},
    ),
}
"""Movers that come some cells far in a turn."""

WORLDS: dict[str, dict[str, Any]] = {
    "d6-reup": {
        "glyphs": GROUND + "cdmn",
        "edges": False,
        "options": ("diagonal", "corner", "climb_factor", "swim_factor", "parity_reset"),
    },
    "d6-revised": {"glyphs": GROUND + "~n", "edges": False, "bodies": True, "options": ("diagonal", "corner")},
    "shapers": {
        "glyphs": GROUND + "ddmn",
        "edges": False,
        "options": ("diagonal", "corner", "effort_base_tn", "parity_reset"),
    },
    "twelve-second": {"glyphs": GROUND + "wWdo", "edges": False, "options": ("diagonal", "endurance_count")},
}


@pytest.mark.parametrize("rules", SYSTEMS)
@fewer
@given(data=st.data())
def test_every_cell_is_reached_in_the_turn_that_the_oracle_says(rules: str, data: st.DataObject) -> None:
    scenario = data.draw(scenarios(ruleset=rules, stats=PEOPLE[rules], most=5, **WORLDS[rules]))
    if rules == "twelve-second":
        scenario["map"]["cell"] = 8
    turns = data.draw(st.integers(2, 3))
    found = reach(scenario, turns)
    arrivals = engine_arrivals(found)
    arrivals.pop(tuple(found.start.cell), None)
    expected = plans(scenario, turns)
    if rules.startswith("d6"):
        # where near cells are too near to some places and not to others, any plan of the fewest turns is shown
        assert {pos: turn for pos, (turn, _) in arrivals.items()} == {pos: turn for pos, (turn, _) in expected.items()}
        assert all(expected[pos][1] <= spent for pos, (_, spent) in arrivals.items())
    else:
        assert arrivals == expected
