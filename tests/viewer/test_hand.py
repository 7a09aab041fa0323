"""What the player does, without a window: select, plan, go, take back."""

from __future__ import annotations

from fractions import Fraction

import pytest

from tactical.errors import Refusal, RulesetError, UnknownName
from tactical.movement.route import Route
from tactical.play.commands import Place
from tactical.show import brief, rolls
from tactical.units import Cell, percent
from tactical.viewer.playing import asking
from tactical.viewer.playing.hand import Hand
from tactical.viewer.playing.table import Table
from tactical.world.battlemap import Battlemap
from tactical.world.mover import Mover


@pytest.fixture
def hand(battlemap):
    return Hand(Table(battlemap), "raven")


def test_pointing_at_a_cell_shows_the_way_and_its_price(hand):
    hand.point_at(Cell(5, 6))
    assert isinstance(hand.route, Route)
    assert hand.route.cost == 20
    assert hand.route.cost == hand.reach.cost(Cell(5, 6))


def test_what_was_previewed_is_what_is_charged(hand):
    for cell in (Cell(4, 7), Cell(6, 5), Cell(8, 7)):
        before = hand.table.turn("raven").spent
        hand.point_at(cell)
        price = hand.route.cost
        hand.click(cell)
        assert hand.table.state("raven").cell == cell
        assert hand.table.turn("raven").spent == before + price


def test_every_cell_in_a_band_of_this_turn_is_accepted_and_no_other(hand):
    for col in range(12):
        for row in range(8):
            cell = Cell(col, row)
            band = hand.reach.band(cell)
            if hand.mover_at(cell) is not None or cell == Cell(11, 7):
                continue
            hand.click(cell)
            went = hand.table.state("raven").cell
            waits = hand.table.pending is not None
            if band is None:
                assert went == Cell(1, 6), cell
            elif band.turn == 1 and not waits:
                assert went == cell
            else:
                assert went != Cell(1, 6)
            if went != Cell(1, 6):
                hand.undo()
            hand.drop()


def test_walking_into_somebody_hidden_halts_tells_and_cannot_be_forgotten(hand):
    assert hand.reach.band(Cell(11, 7)) is not None, "the plan gives nothing away"
    hand.click(Cell(11, 7))
    assert hand.table.state("raven").cell == Cell(10, 6)
    assert "halts" in hand.message
    assert hand.warn
    assert hand.mover_at(Cell(11, 7)).id == "ghoul"
    hand.undo()
    assert hand.warn
    assert hand.table.state("raven").cell == Cell(10, 6)


def test_a_click_out_of_reach_is_refused_with_a_reason_and_changes_nothing(hand):
    before = hand.table.session.position
    hand.click(Cell(4, 2))
    assert isinstance(hand.route, Refusal)
    assert hand.warn
    assert hand.message == hand.route.text
    assert hand.table.session.position is before
    assert hand.table.session.log == ()


def test_undo_and_redo_are_exact(hand):
    start = dict(hand.table.session.position.statuses)
    hand.click(Cell(4, 7))
    after = dict(hand.table.session.position.statuses)
    assert after != start
    hand.undo()
    assert dict(hand.table.session.position.statuses) == start
    hand.redo()
    assert dict(hand.table.session.position.statuses) == after
    hand.undo()
    hand.undo()
    assert hand.warn
    assert dict(hand.table.session.position.statuses) == start


def test_reset_goes_back_to_where_the_turn_began(hand):
    hand.click(Cell(3, 6))
    hand.click(Cell(4, 6))
    hand.reset()
    assert hand.table.state("raven").cell == Cell(1, 6)
    hand.redo()
    assert hand.table.state("raven").cell == Cell(3, 6)
    hand.do_next()
    hand.reset()
    assert hand.warn, "nothing was done in the new turn"


def test_space_ends_the_turn_and_the_budget_is_whole_again(hand):
    hand.click(Cell(6, 6))
    assert hand.table.turn("raven").spent == 25
    hand.do_next()
    assert hand.table.turn("raven").spent == 0
    assert hand.table.turn("raven").turn == 2
    assert hand.reach.start.cell == Cell(6, 6)
    hand.undo()
    assert hand.table.turn("raven").spent == 25


def test_waypoints_lead_the_way_and_are_taken_back_one_by_one(hand):
    hand.add_waypoint(Cell(3, 3))
    hand.point_at(Cell(5, 6))
    assert Cell(3, 3) in hand.route.cells
    direct = hand.reach.cost(Cell(5, 6))
    assert hand.route.cost > direct
    hand.add_waypoint(Cell(4, 2))
    assert hand.waypoints == [Cell(3, 3)], "solid rock is no waypoint"
    assert hand.warn
    hand.back()
    assert hand.waypoints == []
    assert hand.route.cost == direct


def test_space_with_a_plan_carries_it_out(hand):
    hand.add_waypoint(Cell(3, 3))
    hand.add_waypoint(Cell(3, 7))
    hand.point_at(Cell(11, 0))
    hand.do_next()
    assert hand.table.state("raven").cell == Cell(3, 7)
    assert hand.waypoints == []
    assert hand.table.turn("raven").turn == 1


def test_a_way_of_two_turns_goes_as_far_as_this_turn_allows_and_keeps_the_goal(hand):
    far = next(cell for cell in sorted(hand.reach.cells()) if hand.reach.turn(cell) == 2)
    hand.click(far)
    stop = hand.table.state("raven").cell
    assert stop != far
    assert hand.goal == far
    hand.point_at(None)
    hand.do_next()
    assert isinstance(hand.route, Route), "the goal is still planned"
    assert hand.route.end.cell == far


def test_clicking_tokens_selects_and_hidden_foes_give_nothing_away(hand):
    hand.click(Cell(0, 0))
    assert hand.selected == "magpie"
    hand.select("raven")
    assert hand.mover_at(Cell(11, 7)) is None
    hand.step_selection(1)
    assert hand.selected == "magpie"
    hand.step_selection(-1)
    assert hand.selected == "raven"


def test_postures_cost_what_their_button_says(battlemap):
    hand = Hand(Table(battlemap), "magpie")
    buttons = {button.posture: button for button in brief.postures(hand.reach.profile, "prone", None)}
    assert buttons["prone"].price == "now"
    assert buttons["standing"].price == "costs 15 ft"
    assert buttons["crouched"].price == "costs 15 ft *", "a ruling is marked"
    hand.change_posture("standing")
    assert hand.table.turn("magpie").spent == 15
    assert hand.table.state("magpie").posture == "standing"
    hand.change_posture("prone")
    assert hand.table.turn("magpie").spent == 15


def test_a_posture_with_waypoints_is_the_one_to_arrive_in(hand):
    hand.add_waypoint(Cell(3, 6))
    hand.change_posture("prone")
    assert hand.arrive == "prone"
    assert hand.route.end.posture == "prone"
    hand.change_posture("prone")
    assert hand.arrive is None


def test_the_brief_adds_up(hand):
    hand.click(Cell(3, 6))
    hand.point_at(Cell(9, 6))
    route = hand.route
    bar = brief.budget(hand.reach, route, hand.table.turn("raven").spent)
    assert bar.total == 60
    assert sum(part.cost for part in bar.parts) == bar.used == 10 + route.cost
    assert [text for _, _, text in bar.ends] == ["Move 30", "Dash +30"]
    lines = brief.reasons(route, hand.reach.bands)
    assert sum(Fraction(line.price.lstrip("+")) for line in lines if line.price != "free") == route.cost
    notes = [note.text for note in brief.notes(hand.battlemap, hand.reach, route)]
    assert "No strike on this way." in notes
    assert "Dash spends the action." in notes


def test_a_cell_is_put_into_words(hand):
    words = brief.cell_words(hand.battlemap, hand.reach, Cell(5, 6), None)
    assert words == ("F7", "plain ground", "cheapest way 20 ft", "arriving standing", "Move, 10 ft left")
    refused = brief.cell_words(hand.battlemap, hand.reach, Cell(4, 2), hand.reach.why_not(Cell(4, 2)))
    assert refused[-1] == hand.reach.why_not(Cell(4, 2)).text


def test_unknown_movers_and_wrong_stats_are_told(battlemap):
    with pytest.raises(UnknownName, match="did you mean 'raven'"):
        Hand(Table(battlemap), "ravn")
    from dataclasses import replace

    bad = [replace(m, stats={"spede": 1}) if m.id == "magpie" else m for m in battlemap.movers]
    with pytest.raises(RulesetError, match="did you mean 'speed'"):
        Table(battlemap.with_(movers=bad))


def test_an_attack_pauses_the_move_until_it_is_answered(hand):
    hand.table.do(Place("raven", Cell(9, 2)))
    hand.click(Cell(9, 5))
    waiting = hand.table.pending
    assert waiting is not None
    assert waiting.enemies == ("guard",)
    asked = rolls.question(hand.session)
    assert asked.text == "Guard may strike Raven"
    assert [command for _, command in asked.buttons] == ["go_on", "stop_here"]
    hand.click(Cell(9, 6))
    assert hand.warn, "no other order while it waits"
    hand.go()
    assert hand.table.pending is None
    assert hand.table.state("raven").cell == Cell(9, 5)
    hand.undo()
    hand.back()
    assert hand.table.pending is None
    assert hand.table.state("raven").cell == Cell(9, 2), "stopped where it was struck"


def test_disengaging_spends_the_action_and_nobody_strikes(hand):
    hand.table.do(Place("raven", Cell(9, 2)))
    hand.act("disengage")
    assert not hand.warn
    hand.click(Cell(9, 5))
    assert hand.table.pending is None
    assert hand.table.state("raven").cell == Cell(9, 5)


def test_a_roll_pauses_the_move_and_can_be_made_at_the_table():
    legend = {"%": {"terrain": "rubble", "rough": True, "level": "D", "number": 18}}
    rey = Mover("rey", at=Cell(0, 1), stats={"running": "4D"})
    rows = ["......", "..%%..", "......"]
    battlemap = Battlemap.from_rows(rows, legend, cell=2, unit="m", rules="d6-reup", movers=(rey,))
    hand = Hand(Table(battlemap, seed=3), "rey")
    hand.turns = 1
    hand.click(Cell(2, 1))
    assert rolls.question(hand.session).text == "Rey rolls running against 13 (4D: 66%)"
    hand.answer("passed")
    assert hand.table.state("rey").cell == Cell(2, 1)
    hand.undo()
    assert hand.table.pending is not None, "what the table gave may be a slip, and is asked again"
    hand.undo()
    assert hand.table.pending is None
    assert hand.table.state("rey").cell == Cell(0, 1), "nothing was thrown that only the game knows"
    again = Hand(Table(battlemap, seed=3), "rey")
    again.click(Cell(2, 1))
    again.answer("roll")
    assert again.table.pending is None
    assert "rolls" in again.message


def test_rolls_are_told_with_their_exact_chance():
    legend = {"%": {"terrain": "rubble", "rough": True, "level": "D", "number": 18}}
    rey = Mover("rey", at=Cell(0, 1), stats={"running": "4D"})
    rows = ["......", "..%%..", "......"]
    battlemap = Battlemap.from_rows(rows, legend, cell=2, unit="m", rules="d6-reup", movers=(rey,))
    hand = Hand(Table(battlemap), "rey")
    hand.turns = 1
    assert hand.odds == {}, "not known yet"
    while hand.reckon(1):
        pass
    assert Cell(2, 1) in hand.odds
    assert Cell(1, 0) not in hand.odds, "easy ground needs no roll"
    chance = hand.odds[Cell(2, 1)]
    assert chance == Fraction(65, 72), "4D against 13, a slight slip still gets there"
    route = hand.reach.route(Cell(2, 1))
    texts = [note.text for note in brief.notes(battlemap, hand.reach, route)]
    assert "Roll running 13 for the whole move." in texts
    assert f"Gets there with {percent(chance)}, without any failure with 66%." in texts
    table = rolls.outcomes(hand.reach, route)
    assert table[0] == ("66%", "all goes well", "good")
    assert table[1] == ("24%", "slight slip, all of the way, -1D this round", "warn")
    assert {row.kind for row in table[2:]} == {"bad"}, "these do not get there"


def test_a_plan_of_two_turns_is_carried_out_with_space(battlemap):
    hand = Hand(Table(battlemap), "raven")
    hand.turns = 2
    hand.add_waypoint(Cell(0, 1))
    hand.add_waypoint(Cell(5, 0))
    hand.arrive_in("prone")
    hand.point_at(Cell(11, 0))
    planned = hand.route
    assert planned.turn == 2
    goal = planned.end.cell
    hand.go()
    hand.point_at(None)
    assert hand.goal == goal
    assert "Space" in hand.message
    seen = []
    for _ in range(4):
        hand.do_next()
        seen.append((hand.table.turn("raven").turn, hand.table.state("raven").cell, hand.table.state("raven").posture))
        if hand.goal is None and hand.table.pending is None:
            break
    assert seen[0][0] == 2, "first the turn ends"
    assert seen[-1] == (2, goal, "prone"), "then the way goes on, and ends as it was planned"


def test_a_way_of_which_nothing_can_be_made_now_is_planned_and_is_no_command(battlemap):
    hand = Hand(Table(battlemap), "raven")
    hand.turns = 2
    hand.click(next(cell for cell in sorted(hand.reach.cells()) if hand.reach.cost(cell) == 60))
    assert hand.table.turn("raven").spent == 60
    done = len(hand.table.session.log)
    where = next(cell for cell in sorted(hand.reach.cells()) if hand.reach.turn(cell) == 2)
    for _ in range(2):
        hand.click(where)
    assert (hand.goal, len(hand.table.session.log)) == (where, done)
    assert "planned" in hand.message


def test_undo_says_so(hand):
    hand.click(Cell(3, 6))
    hand.undo()
    assert hand.message == "taken back"
    assert not hand.warn


def test_a_long_way_through_waypoints_is_worked_out_in_slices(hand, monkeypatch):
    monkeypatch.setattr(asking, "AT_ONCE", 0.0)
    hand.add_waypoint(Cell(3, 7))
    hand.point_at(Cell(5, 6))
    assert hand.route is None, "not known yet"
    hand.go()
    assert hand.going
    assert hand.table.state("raven").cell == Cell(1, 6)
    slices = 0
    while hand.route is None:
        assert hand.think(0.0)
        slices += 1
    assert slices > 0
    direct = hand.reach.route(Cell(5, 6), via=(Cell(3, 7),))
    assert (hand.route.cost, hand.route.end) == (direct.cost, direct.end)
    hand.point_at(Cell(6, 6))
    assert hand.going, "wherever the pointer goes"
    assert hand.hover == Cell(5, 6)
    hand.drop()
    assert not hand.going, "another order drops it"
