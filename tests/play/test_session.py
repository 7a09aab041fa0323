"""Sessions: what each command does, that a refused one does nothing, and that everything can be taken back."""

from __future__ import annotations

import pickle
from dataclasses import replace
from fractions import Fraction

import pytest

from tactical import Barrier, Battlemap, Cell, Move, Mover, Refusal, RulesetError, UnknownName
from tactical.play import commands as do
from tactical.play import events as did
from tactical.play.happening import EVENTS, Penalty
from tactical.play.session import Session
from tactical.rules.turnstate import TurnState
from tactical.wire import save
from tactical.world.edges.barriers import DoorState, Kind
from tests.play.boards import LEGEND, hall
from tests.wire.games import saved


def codes(answer: object) -> list[str]:
    """The codes of the events of an accepted command."""
    assert isinstance(answer, did.Accepted), answer
    return [event.code for event in answer]


def refused(session: Session, command: do.Command, code: str) -> Refusal:
    """A command that must be refused with that code, and must change nothing."""
    before, log = session.position, session.log
    answer = session.execute(command)
    assert isinstance(answer, Refusal)
    assert answer.code == code, answer
    assert session.position is before
    assert session.log == log
    assert "{" not in answer.text
    return answer


@pytest.fixture
def session() -> Session:
    """The hall, everybody free to act."""
    return Session.new(hall(), seed=3)


def turn_of(session: Session, mover: str) -> TurnState:
    """What a mover has done this turn."""
    return session.position.status(mover).turn


def at(session: Session, mover: str) -> Cell:
    """Where a mover is."""
    return session.position.status(mover).state.cell


# -- moving -----------------------------------------------------------------------------------------------------------


def test_a_move_costs_what_the_preview_showed(session: Session) -> None:
    found = session.reach("bo")
    for cell in sorted(found.cells()):
        fresh = Session.new(hall())
        answer = fresh.execute(do.Move("bo", found.route(cell)))
        assert answer, (cell, answer)
        while fresh.position.pending is not None:
            assert fresh.execute(do.GoOn("bo"))
        assert at(fresh, "bo") == cell == fresh.battlemap.mover("bo").at
        assert turn_of(fresh, "bo").spent == found.cost(cell)
        assert fresh.position.status("bo").state.posture == found.posture(cell)


def test_a_cell_will_do_as_well_as_a_route(session: Session) -> None:
    assert codes(session.execute(do.Move("ada", Cell(1, 3)))) == ["move.stepped", "move.stepped", "move.ended"]
    assert turn_of(session, "ada").spent == 10


def test_what_is_out_of_reach_is_refused_with_its_reason(session: Session) -> None:
    refused(session, do.Move("bo", Cell(11, 0)), "move.budget")
    refused(session, do.Move("ada", Cell(99, 0)), "move.off_map")
    refused(session, do.Move("ada", Cell(3, 0)), "move.occupied")
    refused(session, do.Move("ada", Cell(1, 1)), "play.nothing_to_do")


def test_a_route_that_no_longer_holds_is_refused(session: Session) -> None:
    route = session.route("ada", Cell(3, 2))
    assert route
    session.execute(do.Place("orc", route.cells[1]))
    assert refused(session, do.Move("ada", route), "move.occupied").params["who"] == "Orc"


def test_the_dash_is_spent_where_the_way_needs_it(session: Session) -> None:
    session.execute(do.Place("orc", Cell(11, 2)))
    answer = session.execute(do.Move("ada", Cell(8, 0)))
    events = codes(answer)
    assert events.count("action.taken") == 1
    assert events.index("action.taken") == 6
    assert turn_of(session, "ada").dashes == ("dash",)
    refused(session, do.Dash("ada"), "move.action")
    refused(session, do.Disengage("ada"), "move.action")


def test_without_a_dash_only_what_was_bought_is_spent(session: Session) -> None:
    session.execute(do.Place("orc", Cell(11, 2)))
    refused(session, do.Move("ada", Cell(8, 0), gait="move"), "move.budget")
    assert session.execute(do.Dash("ada"))
    assert session.execute(do.Move("ada", Cell(8, 0)))


def test_a_hazard_is_entered_only_by_name_and_said(session: Session) -> None:
    session.execute(do.Place("ada", Cell(7, 3)))
    session.execute(do.Place("orc", Cell(11, 2)))
    answer = session.execute(do.Move("ada", Cell(8, 2)))
    assert "hazard.entered" in codes(answer)
    assert session.undo()
    answer = session.execute(do.Move("ada", Cell(9, 1)))
    assert "hazard.entered" not in codes(answer)


def test_a_door_on_the_way_stays_open(session: Session) -> None:
    session.execute(do.Place("ada", Cell(9, 2)))
    session.execute(do.Place("orc", Cell(0, 0)))
    answer = session.execute(do.Move("ada", Cell(10, 2)))
    assert codes(answer) == ["door.opened", "move.stepped", "move.ended"]
    gate = next(b for b in session.battlemap.barriers if b.id == "gate")
    assert gate.state is DoorState.OPEN
    assert turn_of(session, "ada").doors == 1
    refused(session, do.CloseDoor("gate", "ada"), "play.door_waits")
    session.undo()
    gate = next(b for b in session.battlemap.barriers if b.id == "gate")
    assert gate.state is DoorState.CLOSED


# -- opportunity attacks ----------------------------------------------------------------------------------------------


def struck() -> tuple[Session, did.Accepted]:
    """Ada leaves the orc's reach and is stopped by the offer."""
    session = Session.new(hall())
    session.execute(do.Place("ada", Cell(3, 1)))
    answer = session.execute(do.Move("ada", Cell(3, 3)))
    assert isinstance(answer, did.Accepted)
    return session, answer


def test_an_attack_pauses_the_move_before_the_step() -> None:
    session, answer = struck()
    assert codes(answer) == ["attack.offered"]
    assert answer.events[0] == did.AttackOffered("ada", "orc", Cell(3, 1), Cell(3, 2))
    assert at(session, "ada") == Cell(3, 1)
    assert turn_of(session, "ada").spent == 0
    for command in (do.Move("ada", Cell(0, 0)), do.EndTurn("orc"), do.Roll("ada"), do.Place("bo", Cell(0, 0))):
        code = "play.not_waiting" if isinstance(command, do.Roll) else "play.waiting"
        refused(session, command, code)


def test_after_the_attack_the_move_goes_on_and_nobody_strikes_twice() -> None:
    session, _ = struck()
    assert codes(session.execute(do.GoOn("ada"))) == [
        "attack.answered", "move.stepped", "move.stepped", "move.ended",
    ]  # fmt: skip
    assert session.execute(do.Move("ada", Cell(3, 1)))
    assert codes(session.execute(do.Move("ada", Cell(3, 2)))) == ["move.stepped", "move.ended"]


def test_or_it_stops_there() -> None:
    session, _ = struck()
    assert codes(session.execute(do.StopHere("ada"))) == ["attack.answered", "move.ended"]
    assert at(session, "ada") == Cell(3, 1)
    assert session.position.pending is None


def test_who_disengages_is_not_struck(session: Session) -> None:
    session.execute(do.Place("ada", Cell(3, 1)))
    session.execute(do.Disengage("ada"))
    assert "attack.offered" not in codes(session.execute(do.Move("ada", Cell(3, 3))))


def test_undo_takes_back_the_answer_then_the_move() -> None:
    session, _ = struck()
    paused = session.position
    session.execute(do.GoOn("ada"))
    assert session.undo()
    assert session.position == paused
    assert session.undo()
    assert session.position.pending is None


# -- other orders -----------------------------------------------------------------------------------------------------


def test_postures_are_paid(session: Session) -> None:
    assert codes(session.execute(do.Posture("bo", "standing"))) == ["posture.changed"]
    assert turn_of(session, "bo").spent == 12
    assert session.battlemap.mover("bo").posture == "standing"
    refused(session, do.Posture("bo", "standing"), "play.nothing_to_do")
    refused(session, do.Posture("bo", "kneeling"), "move.posture_change")
    with pytest.raises(UnknownName, match="posture 'floating'"):
        session.execute(do.Posture("bo", "floating"))


def test_doors_beside_the_mover(session: Session) -> None:
    refused(session, do.OpenDoor("gate", "ada"), "play.door_far")
    session.execute(do.Place("ada", Cell(9, 2)))
    refused(session, do.CloseDoor("gate", "ada"), "play.door_state")
    assert codes(session.execute(do.OpenDoor("gate", "ada"))) == ["door.opened"]
    refused(session, do.CloseDoor("gate", "ada"), "play.door_waits")
    session.execute(do.EndTurn("ada"))
    assert codes(session.execute(do.CloseDoor("gate", "ada"))) == ["door.closed"]
    session.execute(do.Place("ada", Cell(10, 0)))
    refused(session, do.OpenDoor("vault", "ada"), "play.door_state")
    assert codes(session.execute(do.OpenDoor("vault"))) == ["door.opened"]
    with pytest.raises(UnknownName, match="gate"):
        session.execute(do.OpenDoor("gat"))


def test_the_referee_spends_and_gives_back(session: Session) -> None:
    assert session.execute(do.Spend("ada", 20, "mud in the boots"))
    refused(session, do.Spend("ada", 20), "move.budget")
    assert session.execute(do.Spend("ada", Fraction(-5)))
    assert turn_of(session, "ada").spent == 15


def test_pushing_is_free_and_stays_on_the_map(session: Session) -> None:
    session.execute(do.Place("ada", Cell(3, 1)))
    assert codes(session.execute(do.Push("ada", (Cell(3, 2), Cell(3, 3))))) == ["mover.pushed"] * 2
    assert turn_of(session, "ada").spent == 0
    refused(session, do.Push("ada", (Cell(3, 4),)), "move.off_map")
    refused(session, do.Push("ada", (Cell(6, 3),)), "move.not_adjacent")


def test_placing_needs_room(session: Session) -> None:
    refused(session, do.Place("ada", Cell(3, 0)), "move.occupied")
    refused(session, do.Place("ada", Cell(-1, 0)), "move.off_map")
    assert codes(session.execute(do.Place("ada", Cell(8, 2), "prone"))) == ["mover.placed", "hazard.entered"]


def test_a_mover_not_yet_on_the_map_comes_in_by_being_placed() -> None:
    battlemap = hall()
    waiting = Mover("cyn", "operator", {"speed": 30}, None, "heroes")
    session = Session.new(battlemap, [*battlemap.movers, waiting])
    refused(session, do.Move("cyn", Cell(0, 0)), "play.not_placed")
    assert session.execute(do.Place("cyn", Cell(0, 0)))
    assert session.execute(do.Move("cyn", Cell(0, 1)))


def test_turns_go_in_order(session: Session) -> None:
    session = Session.new(hall(), order=["ada", "orc"])
    refused(session, do.Move("orc", Cell(4, 0)), "play.not_your_turn")
    refused(session, do.EndTurn("orc"), "play.not_your_turn")
    session.execute(do.Move("ada", Cell(1, 3)))
    answer = session.execute(do.EndTurn("ada"))
    assert isinstance(answer, did.Accepted)
    assert answer.events == (did.TurnEnded("ada", 1), did.TurnBegan("orc", 1, 1))
    answer = session.execute(do.EndTurn("orc"))
    assert isinstance(answer, did.Accepted)
    assert answer.events[-1] == did.TurnBegan("ada", 2, 2)
    assert turn_of(session, "ada") == TurnState(2)


def test_nobody_ends_a_turn_where_nobody_may_stop() -> None:
    board = Battlemap.from_rows(["..b.."], {"b": {"no_stop": True}}, movers=(Mover("a", at=Cell(0, 0)),))
    session = Session.new(board)
    refused(session, do.Move("a", Cell(2, 0)), "move.stop")
    refused(session, do.Place("a", Cell(2, 0)), "move.stop")


def test_gaits_are_chosen_where_the_rules_have_them() -> None:
    board = Battlemap.from_rows(["." * 40], movers=(Mover("a", "shapers", {"pa": 5}, Cell(0, 0)),), cell=1, unit="m")
    session = Session.new(board)
    with pytest.raises(UnknownName, match="run"):
        session.execute(do.Gait("a", "ru"))
    assert session.execute(do.Gait("a", "walk"))
    refused(session, do.Move("a", Cell(4, 0)), "move.budget")
    assert session.execute(do.Move("a", Cell(2, 0)))
    assert session.execute(do.Gait("a", "sprint"))
    assert session.execute(do.Move("a", Cell(5, 0)))


# -- what nobody knew -------------------------------------------------------------------------------------------------


def test_a_body_in_hiding_halts_the_move_and_comes_to_light() -> None:
    board = Battlemap.from_rows(
        ["......"],
        movers=(Mover("a", "plain", at=Cell(0, 0), side="x"), Mover("spy", at=Cell(4, 0), side="y", hidden=True)),
    )
    session = Session.new(board)
    assert session.reach("a").cost(Cell(5, 0)) == 25
    answer = session.execute(do.Move("a", Cell(5, 0)))
    assert codes(answer) == ["move.stepped"] * 3 + ["secret.revealed", "move.halted", "move.ended"]
    assert turn_of(session, "a").spent == 15
    assert not session.battlemap.mover("spy").hidden
    assert session.reach("a").cost(Cell(5, 0)) is None
    sealed = session.undo()
    assert isinstance(sealed, Refusal)
    assert sealed.code == "play.sealed"
    # the rest of the movement is kept
    assert session.execute(do.Move("a", Cell(1, 0)))


def test_a_barrier_that_is_not_what_it_seems() -> None:
    fence = Barrier(((3, 0), (3, 1)), Kind.DOOR, "gate", DoorState.OPEN, truth="wall")
    session = Session.new(Battlemap.from_rows(["....."], barriers=(fence,), movers=(Mover("a", at=Cell(0, 0)),)))
    answer = session.execute(do.Move("a", Cell(4, 0)))
    assert codes(answer)[-3:] == ["secret.revealed", "move.halted", "move.ended"]
    assert at(session, "a") == Cell(2, 0)
    assert session.battlemap.barriers[0].kind is Kind.WALL


def test_unknown_ground_is_explored_by_walking() -> None:
    board = Battlemap.from_rows(["..??."], LEGEND, movers=(Mover("a", at=Cell(0, 0), side="x"),))
    session = Session.new(board, options={"unknown_cells": "plain"})
    answer = session.execute(do.Move("a", Cell(4, 0)))
    assert isinstance(answer, did.Accepted)
    assert did.Explored("a", (Cell(2, 0), Cell(3, 0))) in answer.events
    assert not session.battlemap.terrain(Cell(2, 0)).unknown


def test_fog_belongs_to_a_side() -> None:
    board = Battlemap.from_rows(["....."], movers=(Mover("a", at=Cell(0, 0), side="x"), Mover("b", at=Cell(4, 0))))
    session = Session.new(board, known={"x": [(0, 0), (1, 0)]})
    assert session.reach("a").cells() == {Cell(1, 0)}
    assert session.reach("b").cells() == {Cell(1, 0), Cell(2, 0), Cell(3, 0)}
    assert codes(session.execute(do.Reveal("a", (Cell(1, 0), Cell(2, 0))))) == ["cells.explored"]
    assert session.reach("a").cells() == {Cell(1, 0), Cell(2, 0)}
    refused(session, do.Reveal("a", (Cell(1, 0),)), "play.nothing_to_do")


# -- dice -------------------------------------------------------------------------------------------------------------


def icy(**more: object) -> Session:
    """A strip of ice in the way."""
    board = Battlemap.from_rows(["..rrr.."], LEGEND, movers=(Mover("a", "plain", at=Cell(0, 0)),))
    return Session.new(board, **more)  # type: ignore[arg-type]


def test_a_roll_pauses_the_move_before_the_ice() -> None:
    session = icy()
    assert codes(session.execute(do.Move("a", Cell(5, 0)))) == ["move.stepped", "roll.needed"]
    assert at(session, "a") == Cell(1, 0)
    refused(session, do.GoOn("a"), "play.not_waiting")
    # a footing is rolled for on each of the three cells of ice
    for _ in range(2):
        assert codes(session.execute(do.GivenRoll("a", 7))) == ["roll.made", "move.stepped", "roll.needed"]
    assert codes(session.execute(do.GivenRoll("a", 7))) == ["roll.made", *["move.stepped"] * 2, "move.ended"]


def test_a_failed_roll_ends_the_move_and_closes_the_ice_for_the_turn() -> None:
    session = icy()
    session.execute(do.Move("a", Cell(5, 0)))
    answer = session.execute(do.GivenRoll("a", passed=False))
    assert isinstance(answer, did.Accepted)
    rolled = answer.events[0]
    assert isinstance(rolled, did.Rolled)
    assert (rolled.total, rolled.margin, rolled.passed, rolled.given) == (6, 1, False, True)
    assert codes(answer) == ["roll.made", "move.fell-short", "move.ended"]
    assert at(session, "a") == Cell(1, 0)
    assert session.reach("a").cells() == {Cell(0, 0)}
    session.execute(do.EndTurn("a"))
    assert Cell(2, 0) in session.reach("a").cells()


def test_totals_of_the_table_are_taken_back_and_with_them_the_move_they_were_thrown_for() -> None:
    session = icy()
    begun = session.position
    session.execute(do.Move("a", Cell(5, 0)))
    asked = session.position
    for total in (7, 8, 5):
        assert session.execute(do.GivenRoll("a", total))
    fallen = session.position
    assert at(session, "a") == Cell(3, 0)
    # what was begun anew would be the turn behind the roll
    refused_anew = session.reset_turn()
    assert isinstance(refused_anew, Refusal)
    assert refused_anew.code == "move.nothing_to_undo"
    for taken_back in range(4):
        if taken_back == 3:
            assert session.position == asked
        for game in (session, Session.restore(session.snapshot()), save.load(saved(session), check=True)):
            assert game.position == session.position, taken_back
        assert session.undo()
    for game in (session, Session.restore(session.snapshot()), save.load(saved(session), check=True)):
        assert game.position == begun
        nothing = game.undo()
        assert isinstance(nothing, Refusal)
        assert nothing.code == "move.nothing_to_undo"
        for _ in range(4):
            assert game.redo()
        assert game.position == fallen


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("given_first", [True, False])
def test_dice_are_dice_before_and_behind_a_total_that_was_given(seed: int, given_first: bool) -> None:
    session = icy(seed=seed)
    session.execute(do.Move("a", Cell(5, 0)))
    given, thrown = do.GivenRoll("a", 7), do.Roll("a")
    for roll in (given, thrown) if given_first else (thrown, given):
        # a die that failed has ended the move, and asks for no more
        assert session.execute(roll) or roll is given
    if session.log[-1].done is given:
        assert session.undo()
    for game in (session, Session.restore(session.snapshot()), save.load(saved(session), check=True)):
        sealed = game.undo()
        assert isinstance(sealed, Refusal)
        assert sealed.code == "play.sealed"


def test_dice_follow_from_the_seed() -> None:
    seen = set()
    for seed in range(20):
        totals = []
        for _ in range(2):
            session = icy(seed=seed)
            session.execute(do.Move("a", Cell(5, 0)))
            answer = session.execute(do.Roll("a"))
            assert isinstance(answer, did.Accepted)
            rolled = answer.events[0]
            assert isinstance(rolled, did.Rolled)
            assert sum(rolled.dice) == rolled.total
            totals.append(rolled.total)
        assert totals[0] == totals[1]
        seen.add(totals[0])
    assert len(seen) > 4


def test_any_dice_may_be_thrown() -> None:
    session = icy()
    answer = session.execute(do.Roll("a", "d20+3", "perception"))
    assert isinstance(answer, did.Accepted)
    rolled = answer.events[0]
    assert isinstance(rolled, did.Rolled)
    assert rolled.total == rolled.dice[0] + 3
    assert session.position.drawn > 0
    refused(session, do.Roll("a", "many"), "play.no_dice")
    refused(session, do.Roll("a"), "play.not_waiting")


def round_of(gait: str, cells: int, **stats: object) -> Session:
    """A D6 runner on moderate ground."""
    board = Battlemap.from_rows(
        ["g" * 41],
        {"g": {"level": "M", "number": 13}},
        cell=1,
        unit="m",
        movers=(Mover("a", "d6-reup", {"move": 10, "code": "3D", "previous": "high", **stats}, Cell(0, 0)),),
    )
    session = Session.new(board)
    session.execute(do.Gait("a", gait))
    assert session.execute(do.Move("a", Cell(cells, 0)))
    return session


def test_a_d6_move_is_rolled_for_before_it_begins() -> None:
    session = round_of("high", 18)
    assert session.position.pending is not None
    answer = session.execute(do.GivenRoll("a", 18))
    assert codes(answer)[-1] == "move.ended"
    assert at(session, "a") == Cell(18, 0)
    refused(session, do.Move("a", Cell(20, 0)), "move.action")
    session.execute(do.EndTurn("a"))
    assert turn_of(session, "a").previous == "high"


def test_a_failed_d6_move_ends_where_the_rules_say() -> None:
    session = round_of("high", 18)
    pending = session.position.pending
    assert pending is not None
    number = pending.checks[0].number
    assert number is not None
    answer = session.execute(do.GivenRoll("a", number - 8))  # a fall: half the way, on one's knees
    assert isinstance(answer, did.Accepted)
    short = answer.of(did.FellShort)
    assert short == (did.FellShort("a", "fall", Fraction(18), Fraction(9), "kneeling", Penalty(0, -2, True)),)
    assert at(session, "a") == Cell(9, 0)
    assert session.battlemap.mover("a").posture == "kneeling"
    assert turn_of(session, "a").memory["no_actions"] is True


def test_a_d6_gait_has_a_least_distance() -> None:
    board = Battlemap.from_rows(
        ["g" * 41], {"g": {"level": "VE", "number": 3}}, cell=1, unit="m",
        movers=(Mover("a", "d6-reup", {"move": 10, "code": "3D"}, Cell(0, 0)),),
    )  # fmt: skip
    session = Session.new(board)
    legs = tuple(do.Leg(Cell(n, 0), "step", "standing") for n in range(1, 4))
    refused(session, do.Move("a", Cell(3, 0), gait="cruising", legs=legs), "move.min_distance")


def test_a_jump_is_rolled_for_where_it_may_fail() -> None:
    board = Battlemap.from_rows(
        ["......." + "_" * 6 + "..."], {"_": {"gap": True}}, cell=1, unit="m",
        movers=(Mover("a", "twelve-second", {"mv": 3, "strength": 12, "dexterity": 12, "endurance": 4}, Cell(0, 0)),),
    )  # fmt: skip
    for passed in (True, False):
        session = Session.new(board, options={"jump_chance": "1/100"})
        route = session.route("a", Cell(13, 0))
        assert route
        answer = session.execute(do.Move("a", route))
        assert codes(answer)[-1] == "roll.needed"
        assert at(session, "a") == Cell(6, 0)
        answer = session.execute(do.GivenRoll("a", passed=passed))
        if not passed:
            assert codes(answer) == ["roll.made", "roll.needed"]
            answer = session.execute(do.GivenRoll("a", 4))
        assert codes(answer)[1] == ("move.stepped" if passed else "move.fell-short")
        assert at(session, "a") == Cell(13 if passed else 6, 0)
        # the leap is paid for either way, and a failed one asks for recovery
        assert turn_of(session, "a").spent == route.cost
        assert bool(turn_of(session, "a").memory.get("no_action")) is not passed


def test_a_lost_test_of_effort_ends_the_move_before_it_begins() -> None:
    board = Battlemap.from_rows(["." * 12], cell=1, unit="m", movers=(Mover("a", "shapers", {"pa": 4}, Cell(0, 0)),))
    session = Session.new(board)
    assert codes(session.execute(do.Move("a", Cell(7, 0)))) == ["roll.needed"]
    answer = session.execute(do.GivenRoll("a", passed=False))
    assert codes(answer) == ["roll.made", "move.fell-short", "move.ended"]
    assert at(session, "a") == Cell(0, 0)
    refused(session, do.Gait("a", "run"), "move.mode")


def test_a_prepared_drop_is_rolled_for_and_hurts() -> None:
    stats = {"pa": 6, "ps": 8, "accept_damage": 20, "size_m": 2}
    board = Battlemap.from_rows(
        ["hh..."], {"h": {"elevation": 4}}, cell=1, unit="m", movers=(Mover("a", "shapers", stats, Cell(1, 0)),)
    )
    hurt = []
    for total in (1, 100):
        session = Session.new(board)
        assert codes(session.execute(do.Move("a", Cell(2, 0))))[-1] == "roll.needed"
        answer = session.execute(do.GivenRoll("a", total))
        assert isinstance(answer, did.Accepted)
        hurt += [event.damage for event in answer if isinstance(event, did.Hurt)]
        assert at(session, "a") == Cell(2, 0)
    assert hurt == ["5", "10"]


# -- undo -------------------------------------------------------------------------------------------------------------


def test_undo_redo_and_reset_are_exact(session: Session) -> None:
    steps = [session.position]
    for command in (
        do.Move("ada", Cell(1, 3)), do.Posture("ada", "prone"), do.Dash("ada"), do.Spend("ada", 5),
        do.Place("bo", Cell(5, 3)), do.OpenDoor("gate"), do.Push("bo", (Cell(6, 3),)),
    ):  # fmt: skip
        assert session.execute(command), command
        steps.append(session.position)
    for position in reversed(steps[:-1]):
        assert session.undo()
        assert session.position == position
    assert not session.undo()
    for position in steps[1:]:
        assert session.redo()
        assert session.position == position
    assert not session.redo()
    answer = session.reset_turn()
    assert isinstance(answer, did.Accepted)
    assert answer.events == (did.Undone(len(steps) - 1),)
    assert session.position == session.start


def test_reset_stops_at_the_end_of_the_turn_before(session: Session) -> None:
    session.execute(do.EndTurn("ada"))
    began = session.position
    nothing = session.reset_turn()
    assert isinstance(nothing, Refusal)
    session.execute(do.Move("ada", Cell(1, 3)))
    assert session.reset_turn()
    assert session.position == began
    # the end of the turn itself can be undone
    assert session.undo()
    assert session.position == session.start


def test_reset_stops_at_an_action_and_undo_does_not(session: Session) -> None:
    for command in (do.Move("ada", Cell(1, 3)), do.Act("ada", "shoot")):
        assert session.execute(command), command
    acted = session.position
    nothing = session.reset_turn()
    assert isinstance(nothing, Refusal)
    assert nothing.code == "move.nothing_to_undo"
    assert session.execute(do.Posture("ada", "prone"))
    answer = session.reset_turn()
    assert isinstance(answer, did.Accepted)
    assert answer.events == (did.Undone(1),)
    assert session.position == acted
    assert session.undo()
    assert session.position.status("ada").turn.actions != acted.status("ada").turn.actions


def test_a_new_command_forgets_what_was_taken_back(session: Session) -> None:
    session.execute(do.Posture("ada", "prone"))
    session.undo()
    session.execute(do.Posture("ada", "crouched"))
    answer = session.redo()
    assert isinstance(answer, Refusal)
    assert answer.code == "play.nothing_to_redo"


# -- the shell --------------------------------------------------------------------------------------------------------


def test_listeners_hear_what_happens_until_they_are_switched_off(session: Session) -> None:
    heard: list[did.Accepted] = []
    off = session.on(heard.append)
    session.execute(do.Posture("ada", "prone"))
    session.execute(do.Posture("ada", "prone"))
    off()
    off()
    session.undo()
    assert [codes(answer) for answer in heard] == [["posture.changed"]]


def test_every_event_has_words(session: Session) -> None:
    assert {kind.code for kind in did.EVENT_TYPES} == set(EVENTS)  # type: ignore[attr-defined]
    for command in (do.Move("ada", Cell(1, 3)), do.Posture("ada", "prone"), do.EndTurn("ada")):
        answer = session.execute(command)
        assert isinstance(answer, did.Accepted)
        for event in answer:
            assert event.text
            assert "{" not in event.text


def test_what_the_caller_gets_wrong_is_raised_and_changes_nothing(session: Session) -> None:
    before = session.position
    with pytest.raises(UnknownName, match="ada"):
        session.execute(do.Move("ad", Cell(0, 0)))
    with pytest.raises(ValueError, match="one of the two"):
        do.GivenRoll("ada")
    with pytest.raises(ValueError, match="twice"):
        Session.new(hall(), order=["ada", "ada"])
    with pytest.raises(UnknownName):
        Session.new(hall(), order=["nobody"])
    with pytest.raises(RulesetError):
        Session.new(hall(), rules="operator", movers=[Mover("x", stats={"sped": 3}, at=Cell(0, 0))])
    assert session.position is before


def test_why_not_asks_without_doing(session: Session) -> None:
    before = session.position
    assert session.why_not(do.Move("ada", Cell(1, 3))) is None
    reason = session.why_not(do.Move("ada", Cell(3, 0)))
    assert reason is not None
    assert reason.code == "move.occupied"
    assert session.position is before


def test_routes_of_several_turns_go_as_far_as_this_one(session: Session) -> None:
    session = Session.new(replace(hall(), barriers=()))
    session.execute(do.Place("orc", Cell(0, 0)))
    route = session.reach("bo", turns=2).route(Cell(11, 2))
    assert route
    assert route.turn == 2
    session.execute(do.Move("bo", route))
    assert at(session, "bo") == route.stops[0]
    session.execute(do.EndTurn("bo"))
    session.execute(do.Move("bo", Cell(11, 2)))
    assert at(session, "bo") == Cell(11, 2)


def test_an_option_may_have_nothing_to_decide_for_some_of_a_table_but_not_for_all() -> None:
    movers = (
        Mover("a", "operator", {"speed": 30}, Cell(0, 0)),
        Mover("b", "plain", {"speed": 30}, Cell(1, 1)),
    )
    board = Battlemap.from_rows(["....", "...."], movers=movers)
    session = Session.new(board, options={"dash_pool": "separate"})
    assert all(session.execute(Move(mover, "D1" if mover == "a" else "D2")) for mover in ("a", "b"))
    with pytest.raises(UnknownName, match="unknown option 'dash_pool'"):
        Session.new(board.with_(movers=movers[1:]), options={"dash_pool": "separate"})


@pytest.mark.parametrize(("seems", "really"), [("closed", "door-locked"), ("open", "door-closed"), ("locked", "door")])
def test_a_door_that_the_game_master_opens_is_open_to_all_whatever_it_seemed(seems: str, really: str) -> None:
    gate = Barrier(((3, 0), (3, 1)), "door", "gate", seems, truth=really)
    movers = [Mover("a", at=(2, 0)), Mover("z", at=(1, 0))]
    session = Session.new(Battlemap.from_rows(["......"], rules="operator", movers=movers, barriers=[gate]))
    session.execute(do.OpenDoor("gate"))
    assert session.reach("a").cost(Cell(4, 0)) == 10
    done = session.execute(Move("a", Cell(4, 0)))
    assert done, done
    assert [event.code for event in done] == ["move.stepped", "move.stepped", "move.ended"]


def test_who_knows_cells_of_its_own_knows_those_of_its_side_as_well() -> None:
    movers = [Mover("a", at=(0, 0), side="x"), Mover("b", at=(0, 1), side="x")]
    known = {"x": ["A1", "B1", "C1", "A2"], "a": ["D1", "E1"], "b": ["B2"]}
    board = Battlemap.from_rows(["......", "......"], rules="operator", movers=movers)
    session = Session.new(board, known=known)
    assert session.position.explored("a") == {Cell(col, 0) for col in range(5)} | {Cell(0, 1)}
    assert session.route("a", "E1")
    assert session.route("b", "E1").code == "move.unknown"


def test_a_wall_at_the_rim_of_what_is_known_is_known() -> None:
    wall = Barrier(((2, 0), (2, 1)), "wall")
    for walls, told in (([wall], "no way to C1: wall between B1 and C1"), ([], None)):
        board = Battlemap.from_rows(["......"], rules="operator", movers=[Mover("a", at=(0, 0))], barriers=walls)
        session = Session.new(board, known={"a": ["A1", "B1"]}, options={"unknown_cells": "plain"})
        answer = session.route("a", "C1")
        assert (None if answer else answer.text) == told


def test_what_nobody_has_explored_is_solid_to_plans_alone() -> None:
    legend = {"u": {"terrain": "cave", "unknown": True}}
    board = Battlemap.from_rows([".uu..."], legend, rules="operator", movers=[Mover("a", at=(0, 0))])
    session = Session.new(board, options={"unknown_cells": "block"})
    assert session.route("a", "B1").code == "move.unknown"
    done = session.execute(do.Push("a", ["B1", "C1", "D1"]))
    assert done, done
    assert session.position.status("a").state.cell == Cell(3, 0)
    assert done.of(did.Explored)[0].cells == (Cell(1, 0), Cell(2, 0))


def test_a_game_is_pickled_as_its_snapshot_and_a_position_without_what_was_found_out(
    session: Session,
) -> None:
    mover = next(iter(session.position.statuses))
    assert session.reach(mover).costs
    session.execute(do.EndTurn(mover))
    again = pickle.loads(pickle.dumps(session))
    assert again.snapshot() == session.snapshot()
    assert again.undo()
    assert again.position == session.start
    position = pickle.loads(pickle.dumps(session.position))
    assert position == session.position
    assert position.ruleset(mover) == session.position.ruleset(mover)


@pytest.mark.parametrize(
    ("way", "told"),
    [
        ("walk", ""),
        ("step", ""),
        ("swim", "no swim leads from A1 to B1"),
        ("hop", "no hop leads from A1 to B1 (no way is called 'hop': is its package installed?)"),
        ("climb", "no climb leads from A1 to B1"),
        ("link", "no stairs, ladder or portal from A1 to B1"),
    ],
)
def test_a_leg_is_called_as_the_ledger_calls_it_and_nothing_else(way: str, told: str) -> None:
    session = Session.new(Battlemap.from_rows(["......"], rules="operator", movers=[Mover("a", at=(0, 0))]))
    answer = session.execute(Move("a", Cell(1, 0), legs=(do.Leg(Cell(1, 0), way),)))
    assert ("" if answer else answer.text) == told


def test_what_a_way_costs_beside_the_ground_is_told_once_with_how_often() -> None:
    fences = [Barrier(((n, 0), (n, 1)), "fence", cost=5) for n in (2, 3, 4)]
    slow = Mover("a", "operator", {"speed": 10}, (0, 0))
    told = Session.new(Battlemap.from_rows(["........"], movers=[slow], barriers=fences)).route("a", "H1")
    assert told.text == "30 ft short: costs 50, has 20 (fence 3 x 5 included)"
