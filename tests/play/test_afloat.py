"""Who cannot swim rolls to keep afloat in deep water at the end of every turn there (SHP-32)."""

from __future__ import annotations

import pytest

import tactical
from tactical import Accepted, Refusal
from tactical.play import commands as do
from tactical.play.events import RollNeeded, TurnEnded
from tactical.play.happening import Endangered
from tactical.play.session import Session

SEA = """\
schema: 1
grid: {type: square, cell: 1, unit: m}
rules: shapers
legend: {W: {terrain: sea, water: deep}}
rows: |
  WW.
movers: [{id: a, at: A1, stats: {pa: 4, ps: 4, swimming: SWIM}}]
"""


def sea(swimming: int = 0, at: str = "A1") -> Session:
    text = SEA.replace("SWIM", str(swimming)).replace("at: A1", f"at: {at}")
    return Session.new(tactical.load(text.encode()))


@pytest.mark.parametrize(("total", "drowns"), [(54, False), (55, True)])
def test_the_end_of_a_turn_waits_for_the_roll(total: int, drowns: bool) -> None:
    session = sea()
    asked = session.execute(do.EndTurn("a"))
    assert isinstance(asked, Accepted)
    (needed,) = asked.of(RollNeeded)
    assert (needed.check.number, needed.check.dice, needed.check.under) == (54, "d100", True)
    assert isinstance(session.execute(do.EndTurn("a")), Refusal), "it waits"
    done = session.execute(do.GivenRoll("a", total))
    assert isinstance(done, Accepted)
    assert len(done.of(Endangered)) == drowns
    assert len(done.of(TurnEnded)) == 1
    assert session.position.pending is None
    again = session.execute(do.EndTurn("a"))
    assert isinstance(again, Accepted)
    assert again.of(RollNeeded), "every round"


@pytest.mark.parametrize("session", [sea(swimming=1), sea(at="C1")], ids=["swims", "ashore"])
def test_whoever_swims_or_stands_ashore_just_ends_the_turn(session: Session) -> None:
    done = session.execute(do.EndTurn("a"))
    assert isinstance(done, Accepted)
    assert not done.of(RollNeeded)


def test_a_failure_told_by_the_table_is_one_too() -> None:
    session = sea()
    session.execute(do.EndTurn("a"))
    done = session.execute(do.GivenRoll("a", passed=False))
    assert isinstance(done, Accepted)
    assert done.of(Endangered)[0].text == "a: starts to drown, the game master says how (SHP-32)"
    snapshot = session.snapshot()
    assert Session.restore(snapshot).position == session.position
