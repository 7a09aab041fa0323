"""Every entry of a rack against every surface: the ways of moving, shipped and strangers', on a map made for each.

Whatever is offered is accepted and charged as shown; a way that is new in its rack must bring a map to try it on.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from fractions import Fraction
from pathlib import Path

import networkx as nx
import pytest

import tactical
from tactical import Accepted, Battlemap, Cell, GivenRoll, GoOn, Move, MovementGraph, Reach, Refusal, Route, Session
from tactical.movement import extent
from tactical.play.commands import Leg
from tactical.registry import WAYS
from tactical.world.window import Window
from tests.house.offered import STRANGERS, offered

OPERATOR = "schema: 1\nrules: operator\n"
FOE = "  - {id: foe, side: y, at: E1, stats: {speed: 30}}\n"
EXAMPLES: Mapping[str, str] = {
    "walk": OPERATOR
    + "rows: |\n  ..m..\n  .#m..\n  .....\nlegend: {m: {difficult: true}, '#': {impassable: true}}\n"
    + "movers:\n  - {id: one, side: x, at: A1, stats: {speed: 20}}\n" + FOE,
    "posture": OPERATOR
    + "rows: |\n  .....\n  .....\nmovers:\n  - {id: one, side: x, at: A1, posture: prone, stats: {speed: 20}}\n" + FOE,
    "climb": OPERATOR
    + "rows: |\n  .ww..\n  .ww..\nlegend: {w: {elevation: 10}}\n"
    + "movers:\n  - {id: one, side: x, at: A1, stats: {speed: 20}}\n" + FOE,
    "drop": "schema: 1\nrules: shapers\ngrid: {type: square, cell: 1, unit: m}\noptions: {ledge_down: drop}\n"
    + "rows: |\n  w....\n  ww..m\nlegend: {w: {elevation: 6}, m: {elevation: -30}}\n"
    + "movers:\n  - {id: one, side: x, at: A1, stats: {pa: 1, ps: 4, pf: 2, accept_damage: 8}}\n",
    "door": OPERATOR
    + "options: {door_cost: 5}\nrows: |\n  .#...\n  .....\nlegend: {'#': {impassable: true}}\n"
    + "barriers:\n  - {cell: B2, side: e, kind: door, id: gate}\n  - {cell: C1, side: s, kind: fence, cost: 10}\n"
    + "movers:\n  - {id: one, side: x, at: A2, stats: {speed: 20}}\n" + FOE,
    "jump": OPERATOR
    + "rows: |\n  ...__...\n  ...__...\nlegend: {_: {gap: true}}\n"
    + "movers:\n  - {id: one, side: x, at: A1, stats: {speed: 30, strength: 15}}\n"
    + FOE.replace("E1", "F2"),
    "link": OPERATOR
    + "rows: |\n  ..#..\n  ..#..\nlegend: {'#': {impassable: true}}\n"
    + "links:\n  - {from: B2, to: D1, cost: 5, kind: stairs}\n"
    + "movers:\n  - {id: one, side: x, at: A1, stats: {speed: 20}}\n" + FOE.replace("E1", "A2"),
    "ajar": OPERATOR
    + "options: {door_limit: 1}\nrows: |\n  ......\n  ......\n  ......\n  ......\nbarriers:\n"
    + "  - {line: [[3, 0], [3, 1]], kind: wall}\n  - {id: left, line: [[3, 1], [3, 2]], kind: door}\n"
    + "  - {id: right, line: [[3, 2], [3, 3]], kind: door, state: closed}\n  - {line: [[3, 3], [3, 4]], kind: wall}\n"
    + "movers:\n  - {id: one, at: A1, size: 2, side: x, stats: {speed: 20}}\n",
    "blink": OPERATOR
    + "rows: |\n  ...#.....\n  ...#.....\nlegend: {'#': {impassable: true}}\n"
    + "movers:\n  - {id: one, name: Phantom, side: x, at: A1, stats: {speed: 20}}\n" + FOE.replace("E1", "B2"),
    "burrow": OPERATOR
    + "rows: |\n  ..#~..\n  ..#...\nlegend: {'#': {impassable: true}, '~': {gap: true}}\n"
    + "barriers:\n  - {line: [[4, 0], [4, 2]], kind: wall}\n"
    + "movers:\n  - {id: one, name: Mole, side: x, at: A1, stats: {speed: 30}}\n" + FOE.replace("E1", "A2"),
    "soar": OPERATOR
    + "rows: |\n  ..~~.\n  ..~~#\nlegend: {'#': {impassable: true}, '~': {gap: true}}\n"
    + "movers:\n  - {id: one, name: Dragon, side: x, at: A1, stats: {speed: 20}}\n" + FOE.replace("E1", "B2"),
    "mire": OPERATOR
    + "rows: |\n  ..m..\n  .mm..\n  ..m..\nlegend: {m: {unstable: true}}\n"
    + "movers:\n  - {id: one, side: x, at: A1, stats: {speed: 30}}\n" + FOE,
    "fly": OPERATOR
    + "rows: |\n  ..~~~...\n  ..~~#...\nlegend: {'#': {impassable: true}, '~': {gap: true}}\n"
    + "movers:\n  - {id: one, name: Winged One, side: x, at: A1, stats: {speed: 30}}\n" + FOE.replace("E1", "A2"),
}  # fmt: skip
WAY_NAMES = sorted({*WAYS.names(), *(name for name, (rack, _) in STRANGERS.items() if rack is WAYS)})


@pytest.fixture(params=WAY_NAMES)
def way(request: pytest.FixtureRequest) -> Iterator[str]:
    with offered(request.param):
        yield request.param


def board(way: str) -> Battlemap:
    assert way in EXAMPLES, f"the way {way!r} needs a map on which it can be tried"
    return tactical.load(EXAMPLES[way].encode(), name=f"{way}.yaml")


def cells(battlemap: Battlemap) -> list[Cell]:
    return [Cell(col, row) for row in range(battlemap.rows) for col in range(battlemap.cols)]


def told(found: Reach) -> dict[Cell, Fraction | None]:
    return {cell: found.cost(cell) for cell in sorted(found.cells())}


def carried_out(session: Session, done: Accepted | Refusal) -> Accepted | Refusal:
    """A move in which every roll succeeds and every strike is borne."""
    while isinstance(done, Accepted) and (waits := session.position.pending) is not None:
        strike = waits.what == "attack"
        done = session.execute(GoOn(waits.mover) if strike else GivenRoll(waits.mover, passed=True))
    return done


def test_what_a_way_offers_is_accepted_and_charged_as_shown(way: str) -> None:
    battlemap = board(way)
    found = tactical.reach(battlemap, "one")
    assert found.cells()
    for cell in cells(battlemap):
        session = Session.new(battlemap)
        done = carried_out(session, session.execute(Move("one", cell)))
        if cell == found.start.cell:
            continue
        assert isinstance(done, Accepted) == (cell in found), (cell, done)
        if not isinstance(done, Accepted):
            reason = found.why_not(cell)
            assert isinstance(reason, Refusal)
            assert "{" not in reason.text
            assert reason.params.get("short") is None or Fraction(str(reason.params["short"])) > 0
            continue
        status, route = session.position.status("one"), found.route(cell)
        assert isinstance(route, Route)
        assert status.state.cell == cell == route.end.cell
        assert status.turn.spent == found.cost(cell) == route.cost == sum(line.price for line in route.ledger())
        assert [line.text for line in route.ledger() if not line.text or "{" in line.text] == []


NO_WAY: Mapping[str, set[str]] = {
    "link": {"move.no_link"},
    "walk": {"move.not_adjacent", "move.impassable"},
    "posture": {"move.posture_change"},
    "jump": {"move.gap", "move.run_up", "move.jump_length"},
    "climb": {"move.height", "move.no_way"},
    "blink": {"blink.far", "move.impassable", "move.occupied"},
    "drop": {"move.fall", "move.no_way"},
}
"""What a way says for itself where it leads nowhere; a walk is a step; the others leave it to the engine."""


def test_a_way_says_itself_that_it_does_not_lead_there(way: str) -> None:
    battlemap = board(way)
    refused = set()
    for cell in cells(battlemap):
        reason = Session.new(battlemap).why_not(Move("one", cell, legs=(Leg(cell, way),)))
        if reason is not None and reason.code not in ("move.budget", "move.stop"):
            assert reason.text
            assert "{" not in reason.text
            refused.add(reason.code)
    assert refused
    assert refused <= NO_WAY.get(way, {"move.no_way"}) | {"play.nothing_to_do"}


def test_a_way_makes_a_difference_to_its_map(way: str, monkeypatch: pytest.MonkeyPatch) -> None:
    found = tactical.reach(board(way), "one", turns=2)
    monkeypatch.setattr(WAYS, "_every", tuple(pair for pair in WAYS if pair[0] != way))
    assert told(tactical.reach(board(way), "one", turns=2)) != told(found)


def test_networkx_and_the_risks_say_the_same(way: str) -> None:
    battlemap = board(way)
    found = tactical.reach(battlemap, "one")
    for pool in dict.fromkeys(gait.pool for gait in found.gaits):
        graph = MovementGraph(battlemap, "one", pool=pool, limited=True)
        ticks = nx.single_source_dijkstra_path_length(graph, graph.start, weight="weight")
        for cell in found.cells():
            band = found.band(cell)
            assert band is not None
            if found.profile.gait(band.gait).pool == pool:
                stops = [ticks[state] for state in ticks if state.cell == cell and graph.nodes[state]["stop"]]
                assert min(stops) * graph.tick == found.cost(cell), cell
    for cell in sorted(found.cells())[::3]:
        choices = found.risks(cell)
        assert [len(choice.route.provokes) for choice in choices] == [choice.risk for choice in choices]
        assert min(choice.route.cost for choice in choices) == found.cost(cell)
        odds = found.odds(cell)
        assert odds is None or 0 <= odds <= 1


def test_it_is_saved_and_played_again(way: str, tmp_path: Path) -> None:
    battlemap = board(way)
    found = tactical.reach(battlemap, "one")
    farthest = max(found.cells(), key=lambda cell: (found.cost(cell), cell))
    session = Session.new(battlemap)
    assert carried_out(session, session.execute(Move("one", farthest)))
    session.save(tmp_path / "evening.game")
    again = Session.load(tmp_path / "evening.game")
    assert tactical.to_json(again.position) == tactical.to_json(session.position)


def test_a_larger_window_changes_nothing(way: str, monkeypatch: pytest.MonkeyPatch) -> None:
    # so wide that no move can see all of it
    wide = re.sub(r"^  ([.#mw_~]+)$", r"  \1" + "." * 14, EXAMPLES[way], flags=re.MULTILINE).encode()
    near = tactical.reach(tactical.load(wide, name="wide.yaml"), "one")
    assert near.battlemap.cols > 18
    routes = {cell: near.route(cell) for cell in near.cells()}
    monkeypatch.setattr(extent, "window", lambda query, *asked: Window.whole(query.battlemap))
    whole = tactical.reach(tactical.load(wide, name="wide.yaml"), "one")
    assert told(whole) == told(near)
    for cell, route in routes.items():
        other = whole.route(cell)
        assert isinstance(route, Route)
        assert isinstance(other, Route)
        assert [line.text for line in other.ledger()] == [line.text for line in route.ledger()]
