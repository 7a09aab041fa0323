"""Who has no way on may stop short, and every surface says so alike (REUP-A17)."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tactical
from tactical import Barrier, Battlemap, Cell, Mover
from tactical.play.commands import Act, CloseDoor, GivenRoll, Move, OpenDoor
from tactical.play.session import Session
from tactical.world.edges.barriers import DoorState
from tests.play.boards import LEGEND, door, wall
from tests.play.test_changes import Game
from tests.play.test_failed_moves import ROAD

D6 = ("d6-reup", "d6-revised")


def lane(
    rules: str, glyphs: str, *barriers: Barrier, foe: int = 0, move: int = 10, previous: str = "cruising"
) -> Battlemap:
    hero = Mover("h", rules, {"move": move, "code": "3D", "previous": previous}, Cell(0, 0), "us")
    others = (Mover("foe", rules, {"move": move}, Cell(foe, 0), "them"),) if foe else ()
    movers = (hero, *others)
    return Battlemap.from_rows([glyphs], LEGEND, cell=1, unit="m", rules=rules, movers=movers, barriers=barriers)


ENDS = {
    "wall": ("......", (wall(2, 0),), 0),
    "door": ("......", (door(2, 0, "dr"),), 0),
    "locked": ("......", (door(2, 0, "dr", state=DoorState.LOCKED),), 0),
    "rock": ("...#..", (), 0),
    "edge": ("...", (), 0),
    "foe": ("......", (), 3),
}


@pytest.mark.parametrize("rules", D6)
@pytest.mark.parametrize("end", ENDS)
def test_a_blocked_way_may_be_gone_to_its_end(rules: str, end: str) -> None:
    glyphs, barriers, foe = ENDS[end]
    battlemap = lane(rules, glyphs, *barriers, foe=foe)
    session, there, short = Session.new(battlemap), Cell(2, 0), Cell(1, 0)
    assert session.route("h", there)
    assert there in session.reach("h").cells()
    assert there in session.reach("h", at_once=False).cells()
    assert tactical.plan(battlemap, "h", there)
    assert there in tactical.reach(battlemap, "h").cells()
    assert there in tactical.reach_many(battlemap, ["h"])[0].cells()
    assert session.why_not(Move("h", short)).code == "move.min_distance"  # type: ignore[union-attr]
    assert session.route("h", short).code == "move.min_distance"  # type: ignore[union-attr]
    done = session.execute(Move("h", there))
    assert "the way being blocked" in list(done)[-1].text  # type: ignore[arg-type]


@pytest.mark.parametrize("rules", D6)
def test_before_a_door_one_may_stop_short_and_not_behind_it(rules: str) -> None:
    session = Session.new(lane(rules, "......", door(1, 0, "dr"), move=12))
    assert session.reach("h").cells() == {Cell(1, 0), Cell(3, 0), Cell(4, 0), Cell(5, 0)}
    assert not session.route("h", Cell(2, 0))
    assert session.why_not(Move("h", Cell(2, 0))) is not None
    assert session.execute(Move("h", Cell(1, 0)))


def test_who_shut_the_door_behind_him_stops_before_a_foe() -> None:
    # after high speed at least 2.5 m are due, and 2 m there are (REUP-A16, A17)
    foe = Mover("foe", "d6-reup", {"move": 10, "code": "4D"}, Cell(14, 0), "them")
    hero = Mover("h", "d6-reup", {"move": 10, "code": "4D", "previous": "high"}, Cell(11, 0), "us")
    battlemap = Battlemap.from_rows(
        ["................"],
        LEGEND,
        cell=1,
        unit="m",
        rules="d6-reup",
        movers=(hero, foe),
        barriers=(door(10, 0, "gate"),),
    )
    session, there = Session.new(battlemap), Cell(13, 0)
    assert session.route("h", there)
    assert not session.route("h", Cell(9, 0)), "behind the door the way goes on"
    assert list(session.execute(Move("h", there, gait="cautious")))[-1].blocked  # type: ignore[arg-type]


@pytest.mark.parametrize("rules", D6)
def test_a_door_is_no_second_move(rules: str) -> None:
    session = Session.new(lane(rules, "......", door(3, 0, "dr", state=DoorState.OPEN)))
    assert session.execute(Move("h", Cell(3, 0)))
    assert session.execute(CloseDoor("dr", "h"))
    assert session.execute(OpenDoor("dr", "h"))
    assert session.execute(Act("h", "shoot"))
    assert session.why_not(Move("h", Cell(4, 0))).code == "move.action"  # type: ignore[union-attr]


@pytest.mark.parametrize("rules", D6)
def test_a_door_after_the_move_is_refused_for_what_is_so(rules: str) -> None:
    session = Session.new(lane(rules, "......", door(3, 0, "dr", state=DoorState.OPEN)))
    assert session.execute(Move("h", Cell(4, 0)))
    assert session.execute(OpenDoor("dr", "h")).code == "play.door_state"  # type: ignore[union-attr]
    away = Session.new(lane(rules, "......", door(4, 0, "dr", state=DoorState.OPEN)))
    assert away.execute(Move("h", Cell(3, 0)))
    assert away.execute(CloseDoor("dr", "h")).code == "play.door_far"  # type: ignore[union-attr]
    spent = Session.new(lane(rules, "............", door(10, 0, "dr", state=DoorState.OPEN), move=5, previous="high"))
    spent.execute(Move("h", Cell(10, 0), gait="all_out"))
    assert spent.execute(GivenRoll("h", total=18, number=6))
    assert "all-out" in spent.execute(CloseDoor("dr", "h")).text  # type: ignore[union-attr]


@pytest.mark.parametrize("rules", D6)
@settings(max_examples=40)
@given(data=st.data())
def test_a_move_is_accepted_where_there_is_a_route(rules: str, data: st.DataObject) -> None:
    glyphs = "." + data.draw(st.text("....#m", min_size=2, max_size=7))
    kind = data.draw(st.sampled_from(["none", "wall", "door", "locked"]))
    at = data.draw(st.integers(0, len(glyphs) - 2))
    state = DoorState.LOCKED if kind == "locked" else DoorState.CLOSED
    barriers = () if kind == "none" else (wall(at, 0),) if kind == "wall" else (door(at, 0, "dr", state=state),)
    move = data.draw(st.sampled_from([5, 8, 10, 14]))
    previous = data.draw(st.sampled_from(["stop", "cautious", "cruising", "high", "all_out"]))
    foe = data.draw(st.sampled_from([0, 0, len(glyphs) - 1]))
    if glyphs[foe] == "#":
        foe = 0
    battlemap = lane(rules, glyphs, *barriers, foe=foe, move=move, previous=previous)
    session = Session.new(battlemap)
    reach = session.reach("h")
    for column in range(1, len(glyphs)):
        cell = Cell(column, 0)
        found = bool(session.route("h", cell))
        assert found is (cell in reach.cells())
        assert found is (reach.why_not(cell) is None)
        assert found is (session.why_not(Move("h", cell)) is None)
        assert found is bool(tactical.plan(battlemap, "h", cell))
        assert found is bool(Session(session.position).execute(Move("h", cell)))


def test_games_saved_before_say_no_more_than_that_the_way_ends() -> None:
    turn = tactical.TurnState(memory={"blocked": True})
    battlemap = lane("d6-reup", "....#")
    assert Cell(1, 0) in tactical.reach(battlemap, "h", turn=turn).cells()
    with pytest.raises(ValueError, match="blocked"):
        tactical.reach(battlemap, "h", turn=tactical.TurnState(memory={"blocked": -1}))


def test_the_desk_offers_what_it_accepts() -> None:
    closet = ROAD.replace(".......nn...........", "...#").replace("move: 8", "move: 10")
    game = Game(closet)
    asked = {"session": game.session, "mover": "kit", "to": "C1"}
    assert game.ask(do="route", **asked)["cost"] == 2
    order = {"do": "move", "mover": "kit", "to": "C1"}
    assert game.ask(do="why-not", session=game.session, command=order)["refusal"] is None
    assert game.move("C1")["events"][-1]["blocked"] is True


def test_a_jump_without_its_run_up_names_the_option_that_accepts_it() -> None:
    jumper = Mover("s", "shapers", {"pa": 4, "ps": 4, "pf": 2, "athletics": 0}, Cell(0, 0))
    battlemap = Battlemap.from_rows([".__..."], LEGEND, cell=1, unit="m", rules="shapers", movers=(jumper,))
    refused = tactical.plan(battlemap, "s", Cell(3, 0))
    assert "needs 1 m of run-up" in refused.text  # type: ignore[union-attr]
    assert "chance of 47/50 is less than option jump_chance: 1" in refused.text  # type: ignore[union-attr]
    assert tactical.plan(battlemap, "s", Cell(3, 0), options={"jump_chance": "0.94"})
