"""Long questions are answered in slices, and the next input drops them: counted, never timed."""

from __future__ import annotations

from fractions import Fraction

import pytest

pygame = pytest.importorskip("pygame")

from tactical import assets  # noqa: E402
from tactical.errors import Refusal  # noqa: E402
from tactical.movement.reach import Reach  # noqa: E402
from tactical.movement.rolls.chances import weighing  # noqa: E402
from tactical.movement.rolls.risks import risking  # noqa: E402
from tactical.play.commands import Spend  # noqa: E402
from tactical.play.session import Session  # noqa: E402
from tactical.search.slices import Work  # noqa: E402
from tactical.show.labels import say  # noqa: E402
from tactical.units import Cell  # noqa: E402
from tactical.viewer.app import App  # noqa: E402
from tactical.viewer.files.library import Library, read  # noqa: E402
from tactical.world.battlemap import Battlemap  # noqa: E402
from tactical.world.mover import Mover  # noqa: E402
from tests.viewer.test_app import point, wait_for  # noqa: E402

HALL = ["..........", "..###.###.", "..#.#.#.#.", "..###.###.", ".........."]
CLOSETS = Cell(3, 2), Cell(7, 2)


def opened(battlemap, mover, tmp_path):
    app = App(battlemap, mover, text=1.0, library=Library(tmp_path))
    pygame.event.clear()
    app.draw()
    return app


@pytest.fixture
def hall(tmp_path, monkeypatch):
    """A window on a hall with two rooms that have no doors, where nothing is answered at once."""
    monkeypatch.setattr("tactical.viewer.playing.asking.AT_ONCE", 0.0)
    brand = Mover("brand", at=Cell(0, 0))
    yield opened(Battlemap.from_rows(HALL, rules="operator", movers=(brand,)), "brand", tmp_path)
    pygame.display.quit()


def test_why_not_is_looked_for_in_slices_after_the_input(hall):
    app, (cell, other) = hall, CLOSETS
    app.hand.point_at(None)
    point(app, app.screen.pixel_of(cell))
    app.hand.rested = True
    assert app.hand.route is None, "one slice at the most is taken by the input itself"
    ticks = 0
    while app.hand.route is None:
        app.hand.think(0.0)
        ticks += 1
    assert ticks > 3
    assert isinstance(app.hand.route, Refusal)
    assert app.hand.route.code == "move.barred"
    # the next input drops what was begun
    app.hand.point_at(other)
    assert app.hand.route is None
    app.hand.point_at(None)
    assert app.hand.route is None
    assert not app.hand.think(0.0)


def test_the_loop_finds_it_by_itself(hall):
    app = hall
    point(app, app.screen.pixel_of(CLOSETS[0]))
    wait_for(app, lambda: isinstance(app.hand.route, Refusal) and app.hand.route.code == "move.barred")


@pytest.mark.parametrize(
    ("name", "mover"), [("crossroads", "kara"), ("starport", "hound"), ("dungeon", "sly"), ("cliff-town", "vess")]
)
def test_no_long_question_is_answered_in_one_piece(name, mover, tmp_path):
    app = opened(read(assets.maps(name)), mover, tmp_path)
    reach = app.hand.session.reach(mover)
    farthest = sorted(reach.cells(), key=lambda cell: (-reach.cost(cell), cell))[:80]
    assert sum(1 for _ in weighing(reach)) >= 4
    # where the cheapest way is struck at by nobody there is nothing to weigh
    struck = next((cell for cell in farthest if reach.route(cell).provokes), None)
    assert struck is None or sum(1 for _ in risking(reach, struck, "attacks")) >= 2
    pygame.display.quit()


@pytest.fixture
def port(tmp_path, monkeypatch):
    """A window on a map whose reach takes long, where nothing is answered at once."""
    app = opened(read(assets.maps("starport")), "trooper", tmp_path)
    wait_for(app, lambda: app.hand.reach is not None)
    monkeypatch.setattr("tactical.viewer.playing.asking.AT_ONCE", 0.0)
    app.draw()
    yield app
    pygame.display.quit()


def test_the_picture_of_before_stays_until_the_new_reach_is_there(port):
    app, before = port, port.hand.reach
    app.command("next")
    assert app.hand.selected == "rhen"
    assert app.hand.reach is None
    assert app.hand.drawn is before
    painted = app.screen.layer.tiles.painted
    app.draw()
    assert app.screen.layer.tiles.painted == painted, "nothing of the still picture has changed"
    told = app.screen.panel_sheet(app.hand.about, None).text()
    assert app.screen._page[1].text() == told, "what the rules say of the one selected is told at once"
    assert told[0].startswith("Rhen")
    assert "searches" not in app.hand.about.__dict__
    app.tick()
    app.reckoned_at -= 200
    app.tick()
    app.draw()
    assert app.screen.reckoning, "a sign tells of it"
    wait_for(app, lambda: app.hand.reach is not None)
    assert app.hand.drawn is app.hand.reach
    assert app.hand.reach.mover.id == "rhen"
    wait_for(app, lambda: not app.screen.reckoning)
    app.draw()
    assert app.screen.layer.tiles.painted != painted


def test_the_next_input_drops_the_reach_that_was_worked_out(port):
    app = port
    app.command("next")
    work = app.hand.table.reaching("rhen", 2)
    app.hand.table.session.execute(Spend("rhen", 1))
    app.tick()
    assert app.hand.table.reaching("rhen", 2) is not work
    begun = work.seconds
    wait_for(app, lambda: app.hand.reach is not None)
    assert work.more
    assert work.seconds == begun


def test_what_is_ordered_meanwhile_is_done_as_soon_as_the_reach_is_there(port):
    app, hand = port, port.hand
    here = hand.table.state("rhen").cell
    goal = here._replace(row=here.row - 2)
    app.command("next")
    hand.point_at(goal)
    hand.go()
    assert hand.table.state("rhen").cell == here
    wait_for(app, lambda: hand.table.pending is not None or hand.table.state("rhen").cell == goal)
    hand.table.undo()
    # and a waypoint and a pin alike
    app.command("previous")
    for act in (hand.add_waypoint, hand.pin):
        hand.table.session.execute(Spend(hand.selected, 1))
        act(goal)
        assert hand.later is not None
        wait_for(app, lambda: hand.later is None)
        hand.table.undo()
    assert len(hand.waypoints) == len(hand.pins) == 1
    # another input lets it be
    hand.table.session.execute(Spend(hand.selected, 1))
    app.command("danger_on")
    assert hand.later is not None
    hand.point_at(None)
    assert hand.later is not None, "the pointer alone is no order"
    app.command("drop")
    assert hand.later is None


def test_a_click_is_not_lost_when_the_pointer_goes_on(port):
    app, hand = port, port.hand
    app.command("next")
    here = hand.table.state("rhen").cell
    goal, beside = here._replace(row=here.row - 2), here._replace(row=here.row - 3)
    at = app.screen.pixel_of(goal)
    for kind in (pygame.MOUSEBUTTONDOWN, pygame.MOUSEBUTTONUP):
        point(app, at)
        app.handle(pygame.event.Event(kind, button=1, pos=at))
    point(app, app.screen.pixel_of(beside))
    assert hand.going
    assert hand.hover == goal
    wait_for(app, lambda: not hand.ordered)
    assert hand.table.pending is not None or hand.table.state("rhen").cell == goal
    assert hand.hover == beside, "afterwards the pointer is where it is"


def ordered_to_go(app):
    """A click on a cell whose way is still worked out, in a game in order; the cell."""
    app.command("order")
    hand = app.hand
    while hand.session.active != "rhen":
        hand.table.end_turn(hand.session.active)
    hand.select("rhen")
    goal = Cell(8, 2)  # for which nothing is rolled
    wait_for(app, lambda: hand.reach is not None)
    app.draw()
    hand.table.session.execute(Spend("rhen", Fraction(1, 4)))
    click_at(app, app.screen.pixel_of(goal))
    assert hand.going
    return goal


def click_at(app, pixel):
    for kind in (pygame.MOUSEBUTTONDOWN, pygame.MOUSEBUTTONUP):
        point(app, pixel)
        app.handle(pygame.event.Event(kind, button=1, pos=pixel))


def test_a_click_on_a_goal_and_then_on_end_turn_are_done_in_this_order(port):
    app, hand = port, port.hand
    goal = ordered_to_go(app)
    app.draw()
    button = next(box for box, command in app.screen.hits if command == "do")
    click_at(app, button.center)
    assert hand.going, "it is not dropped"
    assert app.queue == ["do"]
    assert hand.message == say("reckoning.then")
    wait_for(app, lambda: not hand.ordered)
    assert hand.table.state("rhen").cell == goal
    assert hand.session.active != "rhen", "and then the turn has ended"
    assert app.queue == []


def test_another_goal_or_esc_takes_the_place_of_all_that_was_ordered(port):
    app, hand = port, port.hand
    ordered_to_go(app)
    app.command("do")
    assert app.queue == ["do"]
    app.command("drop")
    assert not hand.ordered
    assert app.queue == []
    wait_for(app, lambda: hand.reach is not None)
    assert hand.session.active == "rhen"


def test_nobody_ends_a_turn_while_the_way_of_the_plan_is_worked_out(port):
    hand = port.hand
    goal = max(hand.reach.cells(), key=lambda cell: (hand.reach.cost(cell), cell))
    hand.add_waypoint(goal)
    hand.table.session.execute(Spend(hand.selected, 1))
    assert hand.reach is None
    assert hand.onward.label.startswith("Go to")


@pytest.mark.parametrize(
    ("name", "mover", "least"),
    [("crossroads", "kara", 60), ("starport", "rhen", 20), ("cliff-town", "brann", 60), ("dungeon", "ogre", 4)],
)
def test_a_reach_in_slices_is_the_reach_asked_at_once(name, mover, least):
    session = Session.new(read(assets.maps(name)))
    work = Work(Reach(session.position.query(mover), 2).working())
    slices = 0
    while work.more:
        work.on(0.0)
        slices += 1
    assert slices >= least, "no slice is long"
    sliced, whole = work.answer, session.reach(mover, turns=2)
    assert dict(sliced.costs) == dict(whole.costs)
    assert [band.name for band in sliced.bands] == [band.name for band in whole.bands]
    assert all(sliced.cells(band) == whole.cells(band) for band in whole.bands)


def test_what_may_be_ordered_is_asked_only_when_the_reach_is_there(hall, monkeypatch):
    """It is asked of the same ground, which would be drawn in one piece for it."""
    app, asked = hall, []
    monkeypatch.setattr(
        "tactical.viewer.overlays.screen.orders_of", lambda *_: asked.append(app.hand.reach) or ((), ())
    )
    app.hand.table.do(Spend("brand", 5))
    app.draw()
    assert app.hand.reach is None
    assert not asked
    wait_for(app, lambda: app.hand.reach is not None)
    app.draw()
    assert asked
    assert None not in asked
