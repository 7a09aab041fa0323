"""Who was brought by a plug-in's way to ground that the rules refuse is never stuck: the table always has a way out."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

import tactical
from tactical import EndTurn, GivenRoll, Move, Place, Session
from tactical.movement.graph.footing import stands
from tactical.movement.graph.writer import Writer
from tactical.play.commands import SetMover
from tests.house.exercises import blink
from tests.house.offered import offered

STATS: dict[str, dict[str, object]] = {
    "operator": {"speed": 30}, "plain": {"speed": 30}, "shapers": {"pa": 5}, "twelve-second": {"mv": 6}, "delvers": {},
    "d6-reup": {}, "d6-revised": {},
}  # fmt: skip
GROUNDS = ("impassable: true", "climb: true", "swim: true", "water: deep", "unstable: true")
BOARD = """schema: 1
rules: {rules}
rows: |
  .mmmmmmm
  .mmmmmmm
legend: {{m: {{{ground}}}}}
movers:
  - {{id: one, name: phantom, at: A1, stats: {stats}}}
"""


def anywhere(writer: Writer) -> None:
    """Edges to every cell nearby, whatever the rules or the ground say of it."""
    draft = writer.draft
    for n, layer in draft.plain_layers if blink.blinks(draft.site.mover) else ():
        room = stands(draft, draft.forms[layer.squeezed], draft.profile.postures[layer.posture])
        inside = {tuple(map(int, place)) for place in np.ndindex(draft.target(room).shape)}
        target = draft.layer_index[layer._replace(run_up=0)]
        for (level, j, i), (x, y) in product(sorted(inside), blink.NEAR):
            if (level, j + y, i + x) in inside:
                start, end = draft.node(n, (level, j, i)), draft.node(target, (level, j + y, i + x))
                writer.edge(start, end, draft.ticks(blink.PRICE), "blink", 0)


@pytest.mark.parametrize(("rules", "ground"), [*product(STATS, GROUNDS)])
def test_there_is_a_way_out_of_ground_that_the_rules_refuse(
    rules: str, ground: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # dear enough for the least that these must move, cheap enough for a turn of those
    monkeypatch.setattr(blink, "PRICE", Fraction(3) if rules.startswith("d6") else Fraction(1, 4))
    monkeypatch.setattr(blink, "WAY", replace(blink.WAY, write=anywhere))
    text = BOARD.format(rules=rules, ground=ground, stats=json.dumps(STATS[rules]))
    with offered("blink"), offered("delvers"):
        game = Session.new(tactical.load(text.encode(), name="board.yaml"), seed=1)
        assert game.execute(Move("one", "D2"))
        passed(game)
        assert game.position.status("one").state.cell == tactical.Cell(3, 1)
        # the table has its own ways out, at once and later
        for command in (Place("one", "A2"), SetMover("one", stats=STATS[rules], side="us"), EndTurn("one")):
            assert game.why_not(command) is None, command
        assert game.execute(EndTurn("one"))
        passed(game)
        # the way that led there leads back, but where the rules let nobody move at all, and then they say so
        reach = game.reach("one", turns=3)
        assert reach.cells() or (reach.refused and all(refusal.text for refusal in reach.refused.values()))
        if reach.cells():
            assert game.execute(Move("one", "A1"))
            passed(game)
        assert game.execute(Place("one", "A2"))


def passed(game: Session) -> None:
    """What a move or the end of a turn waits for, made."""
    while game.position.pending is not None:
        assert game.execute(GivenRoll("one", passed=True))
