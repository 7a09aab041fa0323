"""The public graph in the middle of a game: what networkx reckons on it is what the session shows and takes."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tactical import Battlemap, Cell, EndTurn, GivenRoll, Move, MovementGraph, Session
from tests.play.test_plans_on_every_surface import MOVERS, OPTIONS, boards, several


def shortest(session: Session, options: Mapping[str, Any], pool: str) -> dict[Cell, Fraction]:
    """What networkx finds to be the cheapest way to end on each cell, with the movement of one pool."""
    status = session.position.status("m")
    graph = MovementGraph(
        session.battlemap, "m", start=status.state, turn=status.turn, options=options, pool=pool, limited=True
    )
    best: dict[Cell, Fraction] = {}
    for state, length in nx.single_source_dijkstra_path_length(graph, graph.start).items():
        if graph.nodes[state]["stop"] and state.cell != status.state.cell:
            best[state.cell] = min(best.get(state.cell, length * graph.tick), length * graph.tick)
    return best


def agree(session: Session, options: Mapping[str, Any]) -> None:
    """Every gait of this turn reaches, at the price of the graph, the cells that its budget and its least allow."""
    query = session.position.query("m")
    for pool in query.profile.pools():
        best = shortest(session, options, pool)
        for gait in query.open_gaits:
            if gait.pool != pool:
                continue
            spent = query.turn.spent
            fit = {c: cost for c, cost in best.items() if gait.minimum <= spent + cost <= gait.budget}
            found = session.reach("m", gait=gait.name)
            priced = {cell: found.cost(cell) for cell in found.cells() if cell != query.start.cell}
            assert {cell: priced.get(cell) for cell in fit} == fit, gait.name
            # who must go farther than to a cell may get there by a longer way; nobody does it for less
            assert all(cell in fit or (best[cell] < (cost or 0) and gait.minimum) for cell, cost in priced.items())


def moved(session: Session, cell: Cell) -> None:
    """Go to a cell; rolls on the way succeed."""
    assert session.execute(Move("m", cell))
    while (waiting := session.position.pending) is not None:
        number = waiting.checks[len(waiting.rolls) if waiting.what == "whole" else 0].number
        assert session.execute(GivenRoll("m", passed=True, number=None if number is not None else 10))


@pytest.mark.parametrize("rules", MOVERS)
@several
@given(data=st.data())
def test_the_graph_prices_what_the_game_shows(rules: str, data: st.DataObject) -> None:
    battlemap: Battlemap = data.draw(boards(rules))
    # where the last step may be paid with less than it costs, the graph has its whole price
    options = data.draw(st.sampled_from([one for one in OPTIONS if "grid_rounding" not in one]))
    session = Session.new(battlemap, options=options)
    for number in data.draw(st.lists(st.integers(0, 1000), min_size=1, max_size=4)):
        agree(session, options)
        cells = sorted(session.reach("m").cells())
        if cells and number % 4:
            moved(session, cells[number % len(cells)])
        if number % 3 and not session.execute(EndTurn("m")):
            return
