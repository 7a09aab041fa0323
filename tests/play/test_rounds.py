"""Plans over several turns: each turn has its gait, price and rolls, and a session carries them out one by one."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tactical import Accepted, Act, Battlemap, Cell, EndTurn, GivenRoll, Move, Mover, Refusal, Route, Session, reach
from tactical.hosts.desk import Desk
from tactical.wire.reading import from_json
from tactical.wire.writing import to_json


def row(length: int, rules: str, stats: dict[str, object], **ground: object) -> Battlemap:
    legend: dict[str, dict[str, object]] = {".": {"terrain": "floor", **ground}}
    cell, unit = (5, "ft") if rules in ("operator", "plain") else (1, "m")
    mover = Mover("m", rules=rules, stats=stats, at=Cell(0, 0))
    return Battlemap.from_rows(["." * length], legend, cell=cell, unit=unit, grid="square").with_(movers=(mover,))


def planned(battlemap: Battlemap, to: int, turns: int, **more: object) -> Route:
    found = reach(battlemap, "m", turns=turns, **more).route(Cell(to, 0))  # type: ignore[arg-type]
    assert isinstance(found, Route), found.text
    return found


def test_one_turn_is_a_round_too() -> None:
    route = planned(row(12, "operator", {"speed": 30}), 8, 1)
    assert [(one.turn, one.gait, one.distance, one.spent, one.budget) for one in route.rounds] == [
        (1, "dash", 40, 40, 60)
    ]
    assert route.rest() is None


def test_standing_still_is_a_round_of_nothing() -> None:
    route = planned(row(12, "d6-reup", {"move": 10}), 0, 1)
    assert [(one.turn, one.gait, one.distance, one.spent, one.checks) for one in route.rounds] == [
        (1, "stop", 0, 0, ())
    ]


def test_a_rest_of_a_route_is_a_route() -> None:
    route = planned(row(60, "plain", {"speed": 30}), 18, 3)
    assert [one.spent for one in route.rounds] == [30, 30, 30]
    rest = route.rest()
    assert rest is not None
    assert rest.start.cell == route.turns[0].end.cell
    assert (rest.end, rest.turn, rest.cost) == (route.end, 2, 60)
    assert [step.turn for step in rest.steps] == [1] * len(route.turns[1].steps) + [2] * len(route.turns[2].steps)
    assert [line.band for line in rest.lines] == ["move", "turn-2"]
    assert all(step in range(len(rest.steps)) for line in rest.lines for step in line.steps)
    last = rest.rest()
    assert last is not None
    assert last.rest() is None
    assert last.band == "move"


def test_a_plan_over_turns_is_walked_turn_by_turn() -> None:
    battlemap = row(60, "operator", {"speed": 30})
    session = Session.new(battlemap)
    plan: Route | None = planned(battlemap, 30, 4)
    shown = [] if plan is None else [turn.spent for turn in plan.turns]
    paid = []
    while plan is not None:
        done = session.execute(Move("m", plan))
        assert isinstance(done, Accepted), done.text
        paid.append(done.events[-1].cost)  # type: ignore[union-attr]
        assert session.execute(EndTurn("m"))
        plan = plan.rest()
    assert paid == shown
    assert session.position.status("m").state.cell == Cell(30, 0)


def test_a_route_that_was_read_can_still_be_carried_out() -> None:
    battlemap = row(60, "operator", {"speed": 30})
    route = planned(battlemap, 30, 4)
    again = from_json(json.loads(json.dumps(to_json(route))))
    assert again == route
    assert [turn.steps for turn in again.turns] == [turn.steps for turn in route.turns]
    assert isinstance(Session.new(battlemap).execute(Move("m", again)), Accepted)


def test_the_same_move_is_made_over_the_wire() -> None:
    battlemap = row(60, "operator", {"speed": 30})
    desk = Desk()
    desk.maps["m1"] = battlemap
    handle = json.loads(desk.answer(b'{"id": 1, "do": "begin", "map": "m1"}'))["result"]["session"]
    ask = {"session": handle, "mover": "m", "to": [30, 0], "turns": 4}
    route = json.loads(desk.answer(json.dumps({"do": "route", **ask}).encode()))["result"]
    assert [one["turn"] for one in route["rounds"]] == [1, 2, 3]
    assert all(one["checks"] == [] for one in route["rounds"])
    for one in route["rounds"]:
        command = {"do": "move", "mover": "m", "to": [30, 0], "turns": 4}
        sent = {"do": "execute", "session": handle, "command": command} if one["turn"] == 2 else {"do": "move", **ask}
        done = json.loads(desk.answer(json.dumps(sent).encode()))["result"]
        assert done["kind"] == "accepted", done
        assert done["events"][-1]["cost"] == one["spent"]
        desk.answer(
            json.dumps({"do": "execute", "session": handle, "command": {"do": "end-turn", "mover": "m"}}).encode()
        )
    assert done["events"][-1]["cell"] == [30, 0]


def tired() -> Battlemap:
    """Two turns' way for somebody who has moved already, so that the first of a plan stands still."""
    return row(40, "d6-reup", {"move": 10, "code": "4D", "previous": "cruising"}, level="M", number=13)


def test_a_turn_that_stands_still_is_carried_out_by_waiting() -> None:
    session = Session.new(tired())
    assert isinstance(session.execute(Move("m", Cell(8, 0), gait="cruising")), Accepted)
    plan = session.reach("m", turns=2).route(Cell(20, 0))
    assert isinstance(plan, Route)
    assert [bool(turn.steps) for turn in plan.turns] == [False, True]
    waited = session.execute(Move("m", plan))
    assert isinstance(waited, Accepted)
    assert (waited.events[-1].cell, waited.events[-1].cost) == (Cell(8, 0), 0)  # type: ignore[union-attr]
    assert session.execute(EndTurn("m"))
    rest = plan.rest()
    assert rest is not None
    assert session.execute(Move("m", rest))
    assert session.execute(GivenRoll("m", total=20))
    assert session.position.status("m").state.cell == Cell(20, 0)


def test_over_stdio_waiting_is_a_move_too() -> None:
    desk = Desk()
    desk.maps["m1"] = tired()

    def ask(**request: object) -> Any:
        return json.loads(desk.answer(json.dumps(request).encode()))["result"]

    handle = ask(do="begin", map="m1")["session"]
    ask(do="move", session=handle, mover="m", to="I1", gait="cruising")
    shown = ask(do="route", session=handle, mover="m", to="U1", turns=2)["rounds"]
    assert [one["spent"] for one in shown] == [0, 12]
    waited = ask(do="move", session=handle, mover="m", to="U1", turns=2)
    assert (waited["kind"], waited["events"][-1]["cell"]) == ("accepted", [8, 0])
    stale = ask(do="move", session=handle, mover="m", to="U1", turns=2, cost=12)
    assert (stale["code"], stale["params"]["cost"]) == ("move.stale", 0)


def test_a_plan_is_held_to_the_rolls_that_were_shown() -> None:
    session = Session.new(tired())
    shown = session.reach("m", gait="high").route(Cell(20, 0))
    assert isinstance(shown, Route)
    assert session.execute(Act("m", "shoot"))
    before = session.position
    refused = session.execute(Move("m", shown))
    assert isinstance(refused, Refusal)
    assert refused.text == (
        "the way to U1 asked for running 4D, M 13 when it was shown and asks for running 3D, M 13 now"
    )
    assert session.position is before
    assert session.execute(Move("m", session.reach("m", gait="high").route(Cell(20, 0))))


def test_less_than_one_turn_is_no_move() -> None:
    with pytest.raises(ValueError, match="turns"):
        Move("m", Cell(1, 0), turns=0)


def test_a_route_to_where_one_stands_moves_nobody() -> None:
    battlemap = row(12, "d6-reup", {"move": 10})
    refused = Session.new(battlemap).execute(Move("m", planned(battlemap, 0, 1)))
    assert isinstance(refused, Refusal)
    assert refused.code == "play.nothing_to_do"
