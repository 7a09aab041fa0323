"""A body of 2 x 2 at a double door: one leaf is opened in place, the other by stepping through in the next turn."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import networkx as nx
import pytest

import tactical
from tactical import Battlemap, Cell, Mover, Refusal, Route
from tactical.hosts.desk import Desk
from tactical.movement.netgraph import MovementGraph
from tactical.play import commands as do
from tactical.play import events as did
from tactical.play.session import Session
from tactical.viewer.playing.hand import Hand
from tactical.viewer.playing.table import Table
from tactical.wire.reading import from_json
from tactical.wire.writing import to_json
from tactical.world.edges.barriers import Barrier, DoorState, Kind
from tests.cli.conftest import Run, run
from tests.hosts.test_stdio import result

__all__ = ["run"]

GATE = """\
schema: 1
name: Gate
grid: {type: square, cell: 5, unit: ft}
rules: operator
options: {OPTIONS}
rows: |
  ......
  ......
  ......
  ......
barriers:
  - {line: [[3, 0], [3, 1]], kind: wall}
  - {id: left, line: [[3, 1], [3, 2]], kind: door, state: closed}
  - {id: right, line: [[3, 2], [3, 3]], kind: door, state: closed}
  - {line: [[3, 3], [3, 4]], kind: wall}
movers:
  - {id: ogre, at: A1, size: 2, side: heroes, stats: {speed: 30}}
"""
"""Two leaves between C and D, rows 2 and 3; the ogre covers A1 to B2."""
BEFORE, BEYOND = Cell(1, 1), Cell(4, 1)


def gate(**options: object) -> Battlemap:
    return tactical.load(GATE.replace("OPTIONS", json.dumps(options).strip("{}")).encode(), name="gate.yaml")


def written(folder: Path, **options: object) -> str:
    file = folder / "gate.yaml"
    file.write_text(GATE.replace("OPTIONS", json.dumps(options).strip("{}")))
    return str(file)


def route(battlemap: Battlemap, turns: int = 2, to: Cell = BEYOND, **more: Any) -> Route:
    found = tactical.reach(battlemap, "ogre", turns=turns, gait="move", **more).route(to)
    assert isinstance(found, Route), found.text
    return found


def test_reach_and_way_over_two_turns() -> None:
    found = tactical.reach(gate(), "ogre", turns=2, gait="move")
    assert (found.turn(BEYOND), found.cost(BEYOND)) == (2, 20)
    # to the door (5), a leaf in place for nothing; then three cells
    assert [(step.turn, step.way, step.cost) for step in route(gate()).steps] == [
        (1, "walk", 5), (1, "open-door", 0), (2, "walk", 5), (2, "walk", 5), (2, "walk", 5)
    ]  # fmt: skip
    assert route(gate()).stops == (BEFORE, BEYOND)


@pytest.mark.parametrize(("limit", "turn", "ways"), [(2, 1, 0), (None, 1, 0), (1, 2, 1)])
def test_both_leaves_in_one_turn_where_the_limit_allows(limit: int | None, turn: int, ways: int) -> None:
    way = route(gate(door_limit=limit))
    assert way.turn == turn
    assert sum(step.way == "open-door" for step in way.steps) == ways
    assert way.cost == 20


def test_no_door_at_all_where_none_may_be_opened() -> None:
    refused = tactical.reach(gate(door_limit=0), "ogre", turns=9).route(BEYOND)
    assert isinstance(refused, Refusal)
    assert (refused.code, refused.params["doors"], refused.params["limit"]) == ("move.doors", 2, "0")


def test_every_leaf_is_paid_in_the_turn_it_is_opened_in() -> None:
    way = route(gate(door_cost=10))
    lines = [line for line in way.lines if line.way == "open-door"]
    assert [(line.turn, line.text, line.price, line.source.clause) for line in lines] == [
        (1, "open door 'left'", 10, "OPR-50"),
        (2, "open door 'right'", 10, "OPR-50"),
    ]
    assert [(step.turn, step.spent) for step in way.steps][-1] == (2, 25)
    assert way.cost == 40 == sum(line.price for line in way.lines)


def test_three_leaves_take_three_turns() -> None:
    doors = [Barrier(((3, row), (3, row + 1)), Kind.DOOR, f"leaf{row}") for row in range(3)]
    giant = Mover("ogre", "operator", {"speed": 30}, Cell(0, 0), size=3)
    battlemap = Battlemap.from_rows(["......"] * 3, barriers=tuple(doors), movers=(giant,), rules="operator")
    way = route(battlemap, turns=5, to=Cell(3, 0))
    assert [step.turn for step in way.steps if step.way == "open-door"] == [1, 2]
    assert way.turn == 3


def test_a_single_door_is_opened_by_stepping_through() -> None:
    battlemap = gate()
    ogre = Mover("ogre", "operator", {"speed": 30}, Cell(0, 1))
    way = route(battlemap.with_(movers=(ogre,)), turns=1, to=Cell(3, 1))
    assert {step.way for step in way.steps} == {"walk"}


def test_the_graph_has_the_step_in_place() -> None:
    graph = MovementGraph(gate(door_cost=10), "ogre", limited=True)
    start = graph.query.start._replace(cell=BEFORE)
    [after] = [there for there in graph[start] if there.opened == (1,)]
    edge = graph[start][after]
    assert (edge["way"], edge["cost"], after.cell, after.doors) == ("open-door", 10, BEFORE, 1)
    # with the limit of one turn used up there is no way on; rested there is
    assert not any(there.cell == Cell(2, 1) for there in graph[after])
    assert any(there.cell == Cell(2, 1) for there in graph[after._replace(doors=0)])
    assert nx.has_path(graph, after._replace(doors=0), start._replace(cell=BEYOND, doors=1))
    assert all(graph.index.node(graph.index.label(node)) == node for node in graph.index.nodes())


def test_the_way_goes_through_json() -> None:
    way = route(gate())
    data = json.loads(json.dumps(to_json(way)))
    assert data["steps"][1]["way"] == "open-door"
    assert data["steps"][1]["door"] == "left"
    assert from_json(data) == way


def turn_after_turn(session: Session) -> list[did.Event]:
    """The whole plan carried out, a turn at a time, each at the price it showed."""
    events: list[did.Event] = []
    way = session.reach("ogre", turns=3, gait="move").route(BEYOND)
    assert isinstance(way, Route)
    shown = way.cost
    paid = 0
    while True:
        done = session.execute(do.Move("ogre", way))
        assert isinstance(done, did.Accepted), done.text
        events += done
        [ended] = done.of(did.Ended)
        assert isinstance(ended, did.Ended)
        paid += ended.cost
        if way.turn == 1:
            break
        assert isinstance(session.execute(do.EndTurn("ogre")), did.Accepted)
        found = session.reach("ogre", turns=3, gait="move").route(BEYOND)
        assert isinstance(found, Route)
        way = found
    assert paid == shown
    return events


def test_a_session_carries_it_out_and_plays_it_again(tmp_path: Path) -> None:
    session = Session.new(gate(door_cost=10))
    stop = session.keep(tmp_path / "game.jsonl")
    events = turn_after_turn(session)
    assert [(e.door, e.cost) for e in events if isinstance(e, did.DoorOpened)] == [("left", 10), ("right", 0)]
    assert session.position.status("ogre").state.cell == BEYOND
    states = {b.id: b.state for b in session.position.battlemap.barriers if b.id}
    assert states == {"left": DoorState.OPEN, "right": DoorState.OPEN}
    stop()
    assert Session.load(tmp_path / "game.jsonl").position == session.position
    for _ in range(3):
        assert isinstance(session.undo(), did.Accepted)
    assert session.position == Session.new(gate(door_cost=10)).position


def test_a_leaf_that_is_truly_walled_up_comes_to_light() -> None:
    battlemap = gate()
    barriers = tuple(b if b.id != "left" else Barrier(b.line, b.kind, "left", truth="wall") for b in battlemap.barriers)
    session = Session.new(battlemap.with_(barriers=barriers))
    way = session.reach("ogre", turns=2, gait="move").route(BEYOND)
    assert isinstance(way, Route)
    opened = [step.door for step in way.steps if step.door]
    assert opened == ["left"]
    done = session.execute(do.Move("ogre", way))
    assert isinstance(done, did.Accepted)
    assert [event.code for event in done] == ["move.stepped", "secret.revealed", "move.halted", "move.ended"]
    assert isinstance(session.reach("ogre", turns=9).route(BEYOND), Refusal)


def test_it_costs_a_strike_no_more_than_standing_there() -> None:
    guard = Mover("guard", "operator", {"speed": 30}, Cell(2, 0), "horde")
    battlemap = gate(door_limit=2)
    battlemap = battlemap.with_(movers=(*battlemap.movers, guard))
    risky = tactical.reach(battlemap, "ogre", gait="move").risks(BEYOND)
    assert [choice.risk for choice in risky] == [1]


def test_the_command_line(run: Run, tmp_path: Path) -> None:
    file = written(tmp_path)
    said = run("path", file, "--mover", "ogre", "--to", "E2", "--turns", "2", "--gait", "move", "--why")
    assert said.status == 0, said.err
    assert "open door 'left'" in said.out
    asked = run("path", file, "--mover", "ogre", "--to", "E2", "--turns", "2", "--gait", "move", "--json").json
    assert [step["way"] for step in asked["steps"]][1] == "open-door"
    cells = run("reach", file, "--mover", "ogre", "--turns", "2", "--gait", "move", "--json").json["cells"]
    assert [(one["turn"], one["cost"]) for one in cells if one["cell"] == "E2"] == [(2, 20)]
    early = run("path", file, "--mover", "ogre", "--to", "E2", "--gait", "move")
    assert early.status == 1
    assert "2 closed doors on the way to E2, no more than 1 can be opened in a turn" in early.err + early.out


def test_a_desk_follows_the_legs(tmp_path: Path) -> None:
    desk = Desk()
    result(desk, do="load", map=written(tmp_path))
    result(desk, do="begin", map="m1")
    shown = result(desk, do="route", session="s2", mover="ogre", to="E2", turns=2)
    assert [step["way"] for step in shown["steps"]][:2] == ["walk", "open-door"]
    legs = [{"cell": [1, 1]}, {"cell": [1, 1], "way": "open-door", "door": "right"}]
    command = {"do": "move", "mover": "ogre", "to": [1, 1], "legs": legs}
    moved = result(desk, do="execute", session="s2", command=command)
    assert [event["code"] for event in moved["events"]] == ["move.stepped", "door.opened", "move.ended"]
    again = result(desk, do="execute", session="s2", command={**command, "legs": [{**legs[1], "door": "left"}]})
    assert again["code"] == "move.door_limit"


def test_the_window_goes_on_where_the_turn_ended() -> None:
    hand = Hand(Table(gate()), "ogre")
    hand.choose_gait("move")
    hand.look_ahead()
    hand.click(BEYOND)
    assert hand.table.state("ogre").cell == BEFORE
    assert hand.session.position.battlemap.barriers[1].state is DoorState.OPEN
    for _ in range(3):
        if hand.table.state("ogre").cell != BEYOND:
            hand.do_next()
    assert hand.table.state("ogre").cell == BEYOND
