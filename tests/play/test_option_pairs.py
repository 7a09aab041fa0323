"""Options together: whatever rulings a table chooses, nothing breaks, and what is shown is charged.

Every example chooses all options at once, so that it tries as many pairs as there are.
"""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tactical import Ended, FellShort, Move, Session
from tactical.rules.ruleset import get_ruleset
from tests.play.boards import SYSTEMS, yard


def values(rules: str) -> Mapping[str, tuple[object, ...]]:
    """The options of a system that are chosen from words, and what may be chosen."""
    ruleset = get_ruleset(rules)
    options = ruleset.options_with()
    named = {name: options.spec(name).values for name in options if name not in ruleset.inert}
    if rules != "shapers":
        # where no rule says what a fall does, dropping is no choice, and told so
        named["ledge_down"] = tuple(value for value in named["ledge_down"] if value != "drop")
    return {name: found for name, found in named.items() if len(found) > 1}


@pytest.mark.parametrize("rules", SYSTEMS)
@settings(max_examples=3)
@given(data=st.data())
def test_two_options_go_together(rules: str, data: st.DataObject) -> None:
    known = values(rules)
    assert known
    chosen = data.draw(st.fixed_dictionaries({name: st.sampled_from(could) for name, could in known.items()}))
    battlemap = yard(rules)
    session = Session.new(battlemap, options=chosen)
    mover = session.battlemap.movers[0].id
    found = session.reach(mover)
    cells = sorted(found.cells())
    for cell in {*cells[:1], *cells[-1:]}:
        route = found.route(cell)
        assert route, (chosen, cell)
        assert route.cost == found.cost(cell), (chosen, cell)
        done = Session.new(battlemap, options=chosen).execute(Move(mover, route))
        assert done, (chosen, cell, done)
        ends = done.of(Ended)
        if ends and not done.of(FellShort) and ends[-1].cell == cell:
            assert ends[-1].cost == route.cost, (chosen, cell)
