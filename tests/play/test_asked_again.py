"""What was worked out about a position is not worked out again, and tells the same as if it were."""

from __future__ import annotations

import pytest

from tactical import Move, Session
from tests.play.boards import SYSTEMS, yard


@pytest.mark.parametrize("rules", SYSTEMS)
def test_a_move_is_the_same_whether_its_reach_was_asked_for_or_not(rules: str) -> None:
    asked, unasked = Session.new(yard(rules), seed=1), Session.new(yard(rules), seed=1)
    for cell in sorted(asked.reach("ada").cells())[::12]:
        asked.reach("ada")
        assert asked.execute(Move("ada", cell)) == unasked.execute(Move("ada", cell))
        assert asked.position == unasked.position
        assert asked.undo() == unasked.undo()


@pytest.mark.parametrize("rules", SYSTEMS)
def test_a_move_is_the_same_whether_it_was_asked_why_not_before(rules: str) -> None:
    asked, unasked = Session.new(yard(rules), seed=1), Session.new(yard(rules), seed=1)
    cells = sorted(asked.reach("ada").cells())
    first, then = (Move("ada", asked.reach("ada").route(cell)) for cell in (cells[0], cells[-1]))
    # what is told of one move is not told of another
    assert [bool(asked.why_not(move)) for move in (first, then, first)] == [False, False, False]
    assert asked.execute(then) == unasked.execute(then)
    assert asked.position == unasked.position


def test_a_reach_is_kept_with_its_position_and_comes_back_with_it() -> None:
    session = Session.new(yard("operator"), seed=1)
    found = session.reach("ada")
    cell = min(found.cells())
    assert session.reach("ada") is found
    assert session.reach("ada", gait=found.bands[0].name) is not found
    found = session.reach("ada")
    assert session.execute(Move("ada", cell))
    after = session.reach("ada")
    assert after.start.cell == session.position.status("ada").state.cell != found.start.cell
    assert session.undo()
    assert dict(session.reach("ada").costs) == dict(found.costs)
