"""Prices that were shown: a move costs what its way showed, or is refused as out of date with both prices."""

from __future__ import annotations

import json
import subprocess
import sys
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tactical
from tactical import Barrier, Battlemap, Cell, Mover, Refusal, Route
from tactical.hosts.desk import Desk
from tactical.play import commands as do
from tactical.play import events as did
from tactical.play.session import Session
from tactical.wire import save
from tactical.wire.reading import from_json
from tactical.wire.writing import to_json
from tactical.world.edges.barriers import DoorState, Kind
from tests.oracle.worlds import few
from tests.play.boards import SYSTEMS, door, yard
from tests.play.random_play import command_for
from tests.wire.games import first_form, now, saved

OPEN = DoorState.OPEN


def corridor(rows: list[str] | None = None, *barriers: Barrier, speed: int = 30, **options: object) -> Session:
    """A session with `s` on A1 under operator."""
    body = Mover("s", "operator", {"speed": speed}, Cell(0, 0), "h")
    legend = {"m": {"terrain": "mud", "difficult": True}}
    battlemap = Battlemap.from_rows(rows or ["......."], legend, movers=(body,), barriers=barriers, rules="operator")
    return Session.new(battlemap, options=options)


def route(session: Session, cell: Cell, **more: Any) -> Route:
    """The way as it is shown now."""
    found = session.route("s", cell, **more)
    assert isinstance(found, Route), found
    return found


def stale(session: Session, command: do.Move, shown: object, cost: object) -> Refusal:
    """A move refused as out of date, with both prices; nothing has changed."""
    before = session.position
    answer = session.execute(command)
    assert isinstance(answer, Refusal), answer
    assert (answer.code, answer.params["shown"], answer.params["cost"]) == ("move.stale", shown, cost)
    assert session.position is before
    return answer


def test_a_route_shown_before_a_change_is_refused_with_both_prices() -> None:
    session = corridor()
    shown = route(session, Cell(3, 0))
    session.execute(do.Posture("s", "prone"))
    answer = stale(session, do.Move("s", shown), 15, 30)
    assert answer.params["unit"] == "ft"
    assert answer.text == "the way to D1 cost 15 ft when it was shown and costs 30 now"


def test_a_change_that_alters_nothing_is_no_matter() -> None:
    session = corridor(["....", "...."], door(2, 1, "gate", state=OPEN))
    shown = route(session, Cell(3, 0))
    session.execute(do.CloseDoor("gate"))
    answer = session.execute(do.Move("s", shown))
    assert answer
    assert answer.events[-1] == did.Ended("s", Cell(3, 0), Fraction(15), Fraction(15))


def test_a_door_shut_since_is_a_price_or_no_way() -> None:
    session = corridor(["..."], door(0, 0, "gate", state=OPEN), door_cost=10)
    shown = route(session, Cell(1, 0))
    assert shown.cost == 5
    session.execute(do.CloseDoor("gate"))
    stale(session, do.Move("s", shown), 5, 15)
    blocked = corridor(["..."], door(0, 0, "gate", state=OPEN), door_policy="block")
    shown = route(blocked, Cell(1, 0))
    blocked.execute(do.CloseDoor("gate"))
    answer = blocked.execute(do.Move("s", shown))
    assert isinstance(answer, Refusal)
    assert answer.code == "move.door", "what is no way at all is refused by what bars it"


def test_a_door_opened_since_makes_it_cheaper_and_that_is_told_too() -> None:
    session = corridor(["..."], door(0, 0, "gate"), door_cost=10)
    shown = route(session, Cell(1, 0))
    session.execute(do.OpenDoor("gate"))
    stale(session, do.Move("s", shown), 15, 5)


def test_what_does_not_fit_any_more_is_told_of_the_whole_move() -> None:
    session = corridor()
    shown = route(session, Cell(4, 0))
    session.execute(do.Posture("s", "prone"))
    stale(session, do.Move("s", shown), 20, 40)
    legs = shown and do.legs_of(shown)
    answer = session.execute(do.Move("s", Cell(4, 0), legs=legs))
    assert isinstance(answer, Refusal)
    assert answer.code == "move.budget"
    assert (answer.params["cost"], answer.params["budget"], answer.params["short"]) == ("40", "30", "10")
    spent = corridor()
    shown = route(spent, Cell(4, 0))
    spent.execute(do.Spend("s", 15))
    answer = spent.execute(do.Move("s", shown))
    assert isinstance(answer, Refusal)
    assert answer.text == "5 ft short: costs 20, has 15", "the price is the same, only the purse is not"


def test_a_dash_counts_in_the_numbers_of_the_whole_move() -> None:
    session = corridor(["..............."])
    shown = route(session, Cell(11, 0))
    assert (shown.band, shown.cost) == ("dash", 55)
    session.execute(do.Spend("s", 10))
    answer = session.execute(do.Move("s", shown))
    assert isinstance(answer, Refusal)
    assert answer.text == "5 ft short: costs 55, has 50"


def test_a_price_may_be_named_without_a_route() -> None:
    for cost in (15, "15", Fraction(15)):
        assert corridor().execute(do.Move("s", Cell(3, 0), cost=cost))
    stale(corridor(), do.Move("s", Cell(3, 0), cost=10), 10, 15)
    stale(corridor(["...mm"], speed=20), do.Move("s", Cell(4, 0), cost=20, gait="move"), 20, 30)
    stale(corridor(), do.Move("s", Cell(3, 0), cost="5/2"), "2.5", 15)
    legs = tuple(do.Leg(Cell(n, 0)) for n in (1, 2, 3))
    stale(corridor(), do.Move("s", Cell(3, 0), legs=legs, cost=10), 10, 15)
    with pytest.raises(ValueError, match="not a number"):
        do.Move("s", Cell(3, 0), cost="dear")


def test_a_way_of_several_turns_is_held_to_what_this_turn_shows() -> None:
    session = corridor(["..............."], speed=20)
    shown = session.reach("s", turns=3, gait="move").route(Cell(9, 0))
    assert isinstance(shown, Route)
    command = do.Move("s", shown)
    assert (shown.cost, command.cost) == (45, 20)
    assert session.execute(command)
    session.execute(do.EndTurn("s"))
    again = corridor(["..............."], speed=20)
    again.execute(do.Posture("s", "prone"))
    stale(again, command, 20, 40)


def test_saves_keep_the_price_and_old_ones_have_none() -> None:
    session = corridor()
    session.execute(do.Move("s", route(session, Cell(3, 0))))
    assert b'"cost":15' in saved(session)
    assert now(save.load(saved(session), check=True)) == now(session)
    lines = [json.loads(line) for line in first_form(session).splitlines()]
    assert lines[1]["do"].pop("cost") == 15
    assert now(save.load("".join(json.dumps(line) + "\n" for line in lines).encode())) == now(session)
    command = do.Move("s", Cell(3, 0), cost=Fraction(7, 3))
    assert from_json(to_json(command)) == command


@few
@given(
    st.sampled_from(sorted(SYSTEMS)),
    st.lists(st.tuples(*[st.integers(0, 10_000)] * 4), max_size=5),
    st.lists(st.tuples(*[st.integers(0, 10_000)] * 4), min_size=1, max_size=5),
    st.integers(0, 1000),
)
def test_nothing_is_ever_charged_but_what_was_shown(
    rules: str, before: list[tuple[int, ...]], since: list[tuple[int, ...]], where: int
) -> None:
    """A way is shown, anything happens, the way is asked for: its price is charged or nothing is."""
    session = Session.new(yard(rules), seed=1)
    for four in before:
        session.execute(command_for(session, four))
    if session.position.pending is not None:
        return
    mover = sorted(session.position.statuses)[where % len(session.position.statuses)]
    found = session.reach(mover)
    cells = sorted(found.cells() - {found.start.cell})
    if not cells:
        return
    shown = found.route(cells[where % len(cells)])
    assert isinstance(shown, Route)
    for four in since:
        session.execute(command_for(session, four))
    if session.position.pending is not None:
        return
    command, spent = do.Move(mover, shown), session.position.status(mover).turn.spent
    answer = session.execute(command)
    if isinstance(answer, Refusal):
        assert (
            answer.code != "move.stale" or "start" in answer.params or answer.params["shown"] != answer.params["cost"]
        )
        assert answer.code != "move.budget" or Fraction(str(answer.params["short"])) > 0
        return
    while session.position.pending is not None:
        what = session.position.pending.what
        answer = session.execute(do.GoOn("") if what == "attack" else do.GivenRoll("", passed=True))
        assert isinstance(answer, did.Accepted)
    if not any(event.code in ("move.halted", "secret.revealed", "move.fell-short") for event in answer):
        assert session.position.status(mover).turn.spent - spent == command.cost


# -- stdio ------------------------------------------------------------------------------------------------------------

MAP = """schema: 1
grid: {type: square, cell: 5, unit: ft}
rules: operator
rows: |
  .......
movers:
  - {id: a, at: A1, side: h}
"""


def test_over_stdio_a_price_is_a_number_or_a_text() -> None:
    desk = Desk()

    def ask(**request: object) -> dict[str, Any]:
        answer: dict[str, Any] = json.loads(desk.answer(json.dumps({"id": 1, **request}).encode()))
        return answer

    ask(do="load", content=MAP)
    ask(do="begin", map="m1")
    assert ask(do="move", session="s2", mover="a", to="D1", cost="15")["result"]["kind"] == "accepted"
    refused = ask(do="move", session="s2", mover="a", to="E1", cost=10)["result"]
    assert (refused["code"], refused["params"]["shown"], refused["params"]["cost"]) == ("move.stale", 10, 5)
    assert refused["text"] == "the way to E1 cost 10 ft when it was shown and costs 5 now"
    for wrong in (True, [5], 1.5, "dear"):
        assert ask(do="move", session="s2", mover="a", to="E1", cost=wrong)["error"]["code"] == "value"
    assert "cost" in ask(do="help")["result"]["move"]["takes"]
    command = {"do": "move", "mover": "a", "to": [4, 0], "legs": [{"cell": [4, 0]}], "cost": 4}
    assert ask(do="execute", session="s2", command=command)["result"]["code"] == "move.stale"


def test_a_real_process_refuses_a_price_of_yesterday() -> None:
    requests: list[dict[str, object]] = [
        {"do": "load", "content": MAP}, {"do": "begin", "map": "m1"},
        {"do": "route", "session": "s2", "mover": "a", "to": "D1"},
        {"do": "execute", "session": "s2", "command": {"do": "posture", "mover": "a", "posture": "prone"}},
        {"do": "move", "session": "s2", "mover": "a", "to": "D1", "cost": 15},
        {"do": "move", "session": "s2", "mover": "a", "to": "D1", "cost": 30}, {"do": "quit"},
    ]  # fmt: skip
    lines = "".join(json.dumps({"id": n, **request}) + "\n" for n, request in enumerate(requests))
    done = subprocess.run(
        [sys.executable, "-m", "tactical", "serve", "--stdio"], input=lines, capture_output=True, text=True, check=True
    )
    answers = [json.loads(line)["result"] for line in done.stdout.splitlines()]
    assert answers[2]["cost"] == 15
    assert (answers[4]["code"], answers[4]["params"]["cost"]) == ("move.stale", 30)
    assert answers[5]["events"][-1]["cost"] == 30


# -- doors ------------------------------------------------------------------------------------------------------------

FRAME = Barrier(((2, 0), (2, 2)), Kind.DOOR, "gate", OPEN)


def yard_with(*barriers: Barrier, rules: str = "plain", **body: Any) -> Session:
    """A body `s` beside a door, and a small one `t` that may shut it."""
    movers = (Mover("s", rules, {}, side="h", **body), Mover("t", rules, {}, Cell(3, 3), "h"))
    return Session.new(Battlemap.from_rows(["....."] * 4, movers=movers, barriers=barriers, rules=rules))


def closed(session: Session, door_id: str = "gate", by: str = "") -> str:
    """The event or refusal code of shutting a door."""
    answer = session.execute(do.CloseDoor(door_id, by))
    return answer.code if isinstance(answer, Refusal) else answer.events[0].code


@pytest.mark.parametrize(("at", "size", "found"), [
    (Cell(1, 0), 2, "play.door_held"), (Cell(1, 1), 2, "play.door_held"), (Cell(0, 0), 3, "play.door_held"),
    (Cell(0, 0), 2, "door.closed"), (Cell(2, 0), 2, "door.closed"), (Cell(1, 0), 1, "door.closed"),
    (Cell(1, 2), 2, "door.closed"),
])  # fmt: skip
def test_no_door_is_shut_on_a_body_in_its_frame(at: Cell, size: int, found: str) -> None:
    assert closed(yard_with(FRAME, at=at, size=size)) == found


def test_nor_on_one_that_stands_in_a_door_through_the_middle_of_a_cell() -> None:
    middle = Barrier(((1.5, 0), (1.5, 1)), Kind.DOOR, "gate", OPEN)
    assert closed(yard_with(middle, at=Cell(1, 0))) == "play.door_held"
    assert closed(yard_with(middle, at=Cell(0, 0))) == "door.closed"


def test_nor_by_a_mover_beside_it_who_is_told_who_stands_there() -> None:
    session = yard_with(FRAME, at=Cell(1, 0), size=2)
    session.execute(do.Place("t", Cell(0, 0)))
    assert closed(session, by="s") == "play.door_held"
    answer = session.execute(do.CloseDoor("gate"))
    assert isinstance(answer, Refusal)
    assert answer.text == "gate cannot be closed: S stands in it"
    long = Barrier(((2, 0), (2, 3)), Kind.DOOR, "gate", OPEN)
    hidden = yard_with(long, at=Cell(1, 0), size=2, hidden=True)
    hidden.execute(do.Place("t", Cell(1, 2)))
    felt = hidden.why_not(do.CloseDoor("gate", "t"))
    assert felt is not None
    assert felt.text == "gate cannot be closed: somebody stands in it"


def test_closing_is_not_refused_in_the_words_of_opening() -> None:
    session = corridor(["..."], door(0, 0, "gate"))
    session.execute(do.OpenDoor("gate", "s"))
    answer = session.execute(do.CloseDoor("gate", "s"))
    assert isinstance(answer, Refusal)
    assert answer.text == "gate cannot be closed this turn: no more than 1 door can be handled in a turn"


# -- moves that are pools of their own --------------------------------------------------------------------------------


@pytest.mark.parametrize("rounding", ["cover_full_cost", "first_cell", "enter_if_any_left"])
def test_what_is_lost_between_two_moves_is_charged_as_it_was_shown(rounding: str) -> None:
    options = {"dash_pool": "separate", "grid_rounding": rounding}
    for spent in (0, 5, 15):
        session = corridor([".mmmm.mm...", ".m....m...."], speed=25, **options)
        session.execute(do.Spend("s", spent))
        found = session.reach("s")
        for cell in sorted(found.cells() - {found.start.cell}):
            shown = found.route(cell)
            assert isinstance(shown, Route)
            done = Session(session.position).execute(do.Move("s", shown))
            assert isinstance(done, did.Accepted), (cell, done)
            assert done.of(did.Ended)[0].cost == shown.cost  # type: ignore[attr-defined]


def test_the_second_move_is_no_longer_for_the_dash_being_bought_before() -> None:
    session = corridor([".mmmmmmmm"], speed=25, dash_pool="separate")
    session.execute(do.Move("s", Cell(2, 0)))
    session.execute(do.Dash("s"))
    assert session.reach("s").cost(Cell(4, 0)) == 25
    answer = session.execute(do.Move("s", Cell(4, 0)))
    assert answer
    assert answer.events[-1].remaining == 5  # type: ignore[union-attr]
    short = session.execute(do.Move("s", Cell(5, 0)))
    assert isinstance(short, Refusal)
    assert short.params["short"] == "5"


def test_a_way_that_was_shown_from_elsewhere_says_so() -> None:
    session = Session.new(tactical.load("village"))
    shown = session.route("raven", "L10")
    assert isinstance(shown, Route)
    assert not isinstance(session.execute(do.Move("raven", "I13")), Refusal)
    answer = session.execute(do.Move("raven", shown))
    assert isinstance(answer, Refusal)
    assert (answer.code, answer.params["start"]) == ("move.stale", "I13")
    assert "began elsewhere" in answer.text
