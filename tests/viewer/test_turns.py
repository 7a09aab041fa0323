"""The frame of a table: the strip of turns, the button of Space, the log."""

from __future__ import annotations

import pytest

pygame = pytest.importorskip("pygame")

from tactical import load  # noqa: E402
from tactical.errors import Refusal  # noqa: E402
from tactical.play.commands import EndTurn, Place  # noqa: E402
from tactical.units import Cell  # noqa: E402
from tactical.viewer.app import App  # noqa: E402
from tactical.viewer.files.library import Library  # noqa: E402
from tactical.viewer.playing.journal import journal  # noqa: E402
from tactical.viewer.playing.turns import round_of, turns, used_up  # noqa: E402
from tactical.world.battlemap import Battlemap  # noqa: E402
from tactical.world.mover import Mover  # noqa: E402
from tests.viewer.test_app import click, point, press, pump  # noqa: E402


def box_of(app, command):
    app.draw()
    return next(box for box, name in app.screen.hits if name == command)


def places(app):
    return turns(app.hand.table, app.hand.selected, app.hand.seen.movers)


def shown(app):
    app.draw()
    return [name.removeprefix("who:") for _, name in app.screen.hits if name.startswith("who:")]


def test_the_strip_shows_everybody_in_sight_and_a_click_selects(app):
    assert shown(app) == ["raven", "magpie", "guard"], "who hides is not shown"
    click(app, box_of(app, "who:guard").center)
    assert app.hand.selected == "guard"


def test_whoever_had_the_turn_is_spent_till_the_round_is_over(app):
    press(app, pygame.K_SPACE)
    assert [place.spent for place in places(app)] == [True, False, False]
    assert round_of(app.hand.table) == 1
    for name in ("magpie", "guard", "ghoul"):
        app.hand.table.do(EndTurn(name))
    assert round_of(app.hand.table) == 2
    assert not any(place.spent for place in places(app))


def test_where_turns_go_in_no_order_space_says_how_they_would(app):
    press(app, pygame.K_SPACE)
    assert app.hand.selected == "raven"
    assert "N (or Order) passes turns on" in app.hand.message
    press(app, pygame.K_n)
    app.draw()
    press(app, pygame.K_SPACE)
    assert app.hand.selected == "magpie"
    assert "passes turns on" not in app.hand.message


def test_turns_in_order_go_from_one_to_the_next_and_begin_a_new_round(app):
    press(app, pygame.K_n)
    app.draw()
    assert app.hand.session.active == "raven"
    seen = []
    for _ in range(4):
        seen.append(app.hand.selected)
        press(app, pygame.K_SPACE)
        app.draw()
    assert seen == ["raven", "magpie", "guard", "ghoul"]
    assert (round_of(app.hand.table), app.hand.selected) == (2, "raven")
    press(app, pygame.K_SPACE)
    assert [place.spent for place in places(app)] == [True, False, False]
    press(app, pygame.K_n)
    assert app.hand.session.position.order == ()


def test_a_place_dragged_along_the_strip_changes_the_order(app):
    for begin in (False, True):
        if begin:
            press(app, pygame.K_n)
        before = shown(app)
        a, b = box_of(app, f"who:{before[2]}").center, box_of(app, f"who:{before[0]}").center
        pygame.event.post(pygame.event.Event(pygame.MOUSEBUTTONDOWN, pos=a, button=1))
        pygame.event.post(pygame.event.Event(pygame.MOUSEMOTION, pos=b, rel=(b[0] - a[0], 0), buttons=(1, 0, 0)))
        pygame.event.post(pygame.event.Event(pygame.MOUSEBUTTONUP, pos=b, button=1))
        pump(app)
        assert [name for name in shown(app) if name in before[:3]] == [before[2], before[0], before[1]]
    assert app.hand.session.position.order[:3] == tuple(shown(app)[:3])


def test_the_button_glows_when_nothing_is_left(tmp_path):
    lone = Mover("ann", at=Cell(0, 0))
    app = App(Battlemap.from_rows([".."], {}, rules="operator", movers=(lone,)), text=1.0, library=Library(tmp_path))
    app.draw()
    assert not used_up(app.hand.reach)
    dull = app.screen.surface.get_at(box_of(app, "do").move(-3, 0).midleft)
    for col in [1, 0] * 6:
        app.hand.click(Cell(col, 0))
    assert used_up(app.hand.reach)
    app.draw()
    assert app.screen.surface.get_at(box_of(app, "do").move(-3, 0).midleft) != dull
    press(app, pygame.K_SPACE)
    assert not used_up(app.hand.reach)
    pygame.display.quit()


def test_sides_keep_their_look_whoever_is_selected(app):
    def looks():
        app.draw()
        return {place.id: place.role for place in places(app) if place.id != app.hand.selected}

    first = looks()
    app.hand.select("guard")
    assert looks()["magpie"] == first["magpie"] == "mover:friend"
    app.hand.select("magpie")
    assert looks()["guard"] == first["guard"] == "mover:foe"


@pytest.mark.parametrize("selected", ["raven", "magpie", "guard"])
def test_the_words_tell_friend_from_foe_of_whoever_is_selected(app, selected):
    app.hand.select(selected)
    app.draw()
    viewer, movers = app.hand.mover, app.hand.seen.movers
    kinds = {"ally": "friend", "enemy": "foe"}
    wanted = {f"{one.side}, {kinds[viewer.towards(one)]}" for one in movers if one.id != selected}
    legend = app.screen.layer.legend(app.hand.seen, app.hand.reach, app.screen.shown)
    assert {entry.text for entry in legend if entry.role.startswith("mover:")} == wanted
    for one in movers:
        if one.id != selected:
            point(app, app.screen.pixel_of(one.at))
            assert f"{one.label} ({one.side}, {kinds[viewer.towards(one)]})" in app.screen.cell_words(app.hand.reach)
            hint = next(place.hint for place in places(app) if place.id == one.id)
            assert kinds[viewer.towards(one)] in hint


def test_with_nobody_selected_sides_are_only_named(app):
    legend = app.screen.layer.legend(app.hand.seen, None, app.screen.shown)
    assert {entry.text for entry in legend if entry.role.startswith("mover:")} >= {"heroes", "watch"}


def test_the_log_tells_everything_newest_first_and_shows_the_place(app):
    click(app, app.screen.pixel_of(Cell(4, 6)))
    press(app, pygame.K_2)
    press(app, pygame.K_SPACE)
    press(app, pygame.K_j)
    app.draw()
    lines = journal(app.hand.table)
    texts = [line.text for line in lines]
    assert texts[0].startswith("Raven ends turn 1")
    assert any("is crouched" in text for text in texts)
    assert texts[-1].startswith("Raven ends its move at E7 after ")
    assert all(f" ft{end}" in texts[-1] for end in (",", " left")), "amounts have their unit"
    assert [line.number for line in lines] == sorted((line.number for line in lines), reverse=True)
    before = app.screen.camera
    click(app, box_of(app, "place:E7").center)
    assert app.screen.camera != before
    assert app.screen.camera.sees(app.hand.battlemap.grid.centre(4, 6))
    press(app, pygame.K_j)
    app.draw()
    assert not any(name.startswith("place:") for _, name in app.screen.hits)


def test_a_click_on_the_log_does_not_reach_the_map_below(app):
    press(app, pygame.K_j)
    app.draw()
    before = app.hand.table.state("raven").cell
    click(app, (app.screen.log_area.x + 20, app.screen.log_area.bottom - 6))
    assert app.hand.table.state("raven").cell == before


def test_names_stand_in_the_log_and_those_in_hiding_do_not(app):
    app.hand.table.do(Place("raven", Cell(9, 2)))
    app.hand.table.do(Place("ghoul", Cell(8, 7)))
    app.hand.click(Cell(9, 5))
    texts = [line.text for line in journal(app.hand.table)]
    assert any(text.startswith("Guard may strike Raven") for text in texts)
    assert not any("guard" in text for text in texts)


def test_many_movers_find_room_at_every_width(tmp_path):
    movers = tuple(Mover(f"m{n}", at=Cell(n, 0), name=f"Somebody {n}") for n in range(40))
    board = Battlemap.from_rows(["." * 40, "." * 40], {}, rules="operator", movers=movers)
    for width in (760, 1280, 2400):
        app = App(board, "m25", size=(width, 600), text=1.0, library=Library(tmp_path))
        app.draw()
        boxes = [box for box, name in app.screen.hits if name.startswith("who:") or name in ("do", "order")]
        assert "m25" in shown(app)
        strip = pygame.Rect(0, app.screen.map_area.bottom, app.screen.map_area.width, 44)
        for n, box in enumerate(boxes):
            assert strip.contains(box)
            assert box.collidelist(boxes[n + 1 :]) == -1
        pygame.display.quit()


def test_a_throw_of_dice_orders_the_turns_and_is_taken_back(app):
    app.hand.table.dice.seed(3)
    before = shown(app)
    click(app, box_of(app, "throw").center)
    order = app.hand.session.position.order
    assert sorted(order) == ["ghoul", "guard", "magpie", "raven"]
    assert app.hand.selected == app.hand.session.active == order[0]
    thrown = [int(word.split()[-1]) for word in app.hand.message.split(": ")[1].split(", ")]
    assert thrown == sorted(thrown, reverse=True)
    assert "ghoul" not in app.hand.message, "who hides is not told of"
    press(app, pygame.K_SPACE)
    assert app.hand.session.active == order[1]
    press(app, pygame.K_z)
    press(app, pygame.K_z)
    assert app.hand.session.position.order == ()
    assert [name for name in shown(app) if name != "ghoul"] == before


@pytest.fixture
def corridor(opened):
    """Ann and Bob in a passage two cells wide; turns go in order."""
    movers = (Mover("ann", at=Cell(0, 0), name="Ann", side="a"), Mover("bob", at=Cell(0, 1), name="Bob", side="a"))
    app = opened(Battlemap.from_rows(["." * 24] * 2, {}, rules="operator", movers=movers), "ann")
    press(app, pygame.K_n)
    app.draw()
    return app


def space(app):
    point(app, (3, 3))
    app.draw()
    label = app.screen.onward
    press(app, pygame.K_SPACE)
    app.draw()
    return label


def at(app, mover):
    return app.hand.battlemap.name_of(app.hand.table.state(mover).cell)


def test_the_rest_of_everybodys_plan_waits_for_their_next_turn(corridor):
    click(corridor, corridor.screen.pixel_of(Cell(16, 0)))
    assert corridor.hand.message == (
        "Ann went as far as M1; Space ends the turn, in the next turn of Ann it goes on to Q1"
    )
    assert space(corridor) == "End turn (Space)"
    assert corridor.hand.selected == "bob"
    assert corridor.hand.goal is None, "the plan is Ann's"
    click(corridor, corridor.screen.pixel_of(Cell(15, 1)))
    assert space(corridor) == "End turn (Space)"
    assert corridor.hand.message == "Ann: turn 2 begins; Space goes on to Q1, as planned"
    assert space(corridor) == "Go to Q1 (Space)"
    assert at(corridor, "ann") == "Q1"
    assert space(corridor) == "End turn (Space)"
    assert space(corridor) == "Go to P2 (Space)"
    assert at(corridor, "bob") == "P2"
    assert [space(corridor), space(corridor)] == ["End turn (Space)"] * 2, "carried out: nobody goes anywhere again"


@pytest.mark.parametrize("how", ["esc", "click"])
def test_a_plan_for_later_turns_is_dropped_by_esc_and_replaced_by_a_click(corridor, how):
    click(corridor, corridor.screen.pixel_of(Cell(16, 0)))
    space(corridor)
    press(corridor, pygame.K_ESCAPE)
    assert space(corridor) == "End turn (Space)", "Bob's Esc is not Ann's"
    corridor.draw()
    assert corridor.screen.onward == "Go to Q1 (Space)"
    if how == "esc":
        press(corridor, pygame.K_ESCAPE)
    else:
        click(corridor, corridor.screen.pixel_of(Cell(11, 0)))
    here = at(corridor, "ann")
    assert [space(corridor), space(corridor)] == ["End turn (Space)"] * 2
    assert corridor.hand.selected == "ann"
    assert space(corridor) == "End turn (Space)"
    assert at(corridor, "ann") == here


def test_looking_at_others_keeps_a_plan(corridor):
    click(corridor, corridor.screen.pixel_of(Cell(16, 0)))
    for _ in range(2):
        press(corridor, pygame.K_TAB)
    assert corridor.hand.selected == "ann"
    assert corridor.hand.goal == Cell(16, 0)


def test_a_plan_that_has_become_impossible_is_given_up_in_words(corridor):
    click(corridor, corridor.screen.pixel_of(Cell(16, 0)))
    space(corridor)
    corridor.hand.table.do(Place("bob", Cell(16, 0)))
    corridor.draw()
    space(corridor)
    assert corridor.hand.message.startswith("no way leads to Q1 any more (")
    assert corridor.hand.message.endswith("): what was planned is dropped")
    assert corridor.hand.warn
    assert space(corridor) == "End turn (Space)"


def test_undo_leads_back_to_the_plan_there_was(corridor):
    click(corridor, corridor.screen.pixel_of(Cell(16, 0)))
    for _ in range(3):
        space(corridor)
    assert at(corridor, "ann") == "Q1"
    press(corridor, pygame.K_z)
    corridor.draw()
    assert corridor.screen.onward == "Go to Q1 (Space)"
    for _ in range(3):
        press(corridor, pygame.K_z)
    assert at(corridor, "ann") == "A1"
    assert corridor.hand.goal is None, "what was taken back is planned no more"


# -- taking turns back -------------------------------------------------------------------------------------------------


def test_whose_turn_it_is_after_undo_and_redo_is_selected(corridor):
    click(corridor, corridor.screen.pixel_of(Cell(4, 0)))
    space(corridor)
    for key, mods, whose in ((pygame.K_z, 0, "ann"), (pygame.K_z, pygame.KMOD_SHIFT, "bob"), (pygame.K_z, 0, "ann")):
        press(corridor, key, mods)
        assert corridor.hand.selected == corridor.hand.session.active == whose
    corridor.draw()
    assert corridor.hand.reach.mover.id == "ann", "the reach that is drawn is hers"
    click(corridor, corridor.screen.pixel_of(Cell(6, 0)))
    assert at(corridor, "ann") == "G1"


def test_undo_within_a_turn_selects_nobody_else(corridor):
    click(corridor, corridor.screen.pixel_of(Cell(4, 0)))
    press(corridor, pygame.K_TAB)
    press(corridor, pygame.K_z)
    assert at(corridor, "ann") == "A1"
    assert corridor.hand.selected == "bob", "who was looked at stays selected"


def test_a_plan_is_kept_though_nothing_more_of_it_may_be_done_this_turn(opened):
    """Where the rules give no second move a round, the way on is refused till the next turn, not for ever."""
    stats = {"move": 10, "code": "4D", "previous": "cruising"}
    movers = (
        Mover("ann", at=Cell(0, 0), name="Ann", stats=stats),
        Mover("bob", at=Cell(0, 1), name="Bob", stats=stats),
    )
    board = Battlemap.from_rows(["." * 24] * 2, {}, cell=2, unit="m", rules="d6-reup", movers=movers)
    app = opened(board, "ann")
    press(app, pygame.K_n)
    press(app, pygame.K_f)
    app.draw()
    far = next(cell for cell in sorted(app.hand.reach.cells()) if cell.row == 0 and app.hand.reach.turn(cell) == 2)
    goal = app.hand.battlemap.name_of(far)
    click(app, app.screen.pixel_of(far))
    here = at(app, "ann")
    assert isinstance(app.hand.planned, Refusal)
    assert [space(app), space(app)] == ["End turn (Space)"] * 2, "Ann's, then Bob's"
    assert app.hand.message == f"Ann: turn 2 begins; Space goes on to {goal}, as planned"
    assert space(app) == f"Go to {goal} (Space)"
    assert at(app, "ann") not in (here,)


def test_esc_drops_the_plan_first_and_then_shuts_what_is_open_beside_the_map(app):
    press(app, pygame.K_j)
    app.hand.add_waypoint(next(cell for cell in sorted(app.hand.reach.cells()) if cell != app.hand.reach.start.cell))
    press(app, pygame.K_ESCAPE)
    assert not app.hand.waypoints
    assert app.screen.log
    press(app, pygame.K_ESCAPE)
    assert not app.screen.log


def test_while_a_move_waits_the_pointer_gets_no_tip(app):
    from tactical.viewer.overlays.words import tip_lines

    far = Cell(0, 7)
    app.hand.rested = True
    app.hand.point_at(Cell(5, 2))
    assert tip_lines(app.screen, app.hand.reach), "nobody gets through the wall"
    app.hand.point_at(far)
    app.hand.table.session.execute(Place("guard", Cell(2, 5)))
    app.hand.click(far)
    app.hand.click(Cell(4, 6))
    assert app.hand.table.pending is not None
    app.hand.point_at(Cell(5, 2))
    assert tip_lines(app.screen, app.hand.reach) == ()


def test_the_keys_begin_anew_where_the_next_one_stands(app):
    press(app, pygame.K_RIGHT)
    press(app, pygame.K_RIGHT)
    assert app.hand.hover == Cell(3, 6)
    press(app, pygame.K_TAB)
    assert app.hand.selected == "magpie"
    press(app, pygame.K_DOWN)
    assert app.hand.hover == Cell(0, 1), "one below where magpie stands"


def test_where_nobody_is_no_turns_are_offered(tmp_path):
    made = App(Battlemap.from_cells(6, 4), library=Library(tmp_path))
    try:
        made.draw()
        assert not {"order", "throw", "do"} & {command for _, command in made.screen.hits}
    finally:
        pygame.display.quit()


def test_a_ruling_is_said_in_the_status_line_and_not_over_the_map(opened):
    from tactical.viewer.overlays.words import tip_lines

    app = opened(Battlemap.from_rows(["....."] * 5, rules="d6-revised", movers=(Mover("kit", at=Cell(0, 0)),)), "kit")
    app.hand.point_at(Cell(2, 2))
    app.hand.rested = True
    assert tip_lines(app.screen, app.hand.reach) == ()
    said = app.screen._second(app.hand.reach, app.hand.route)[0]
    assert said.count("No game here says what a diagonal step costs") == 1


def test_a_star_on_a_posture_is_explained_before_any_way_is_pointed_at(opened):
    app = opened(load("village"), "raven")
    app.hand.message = ""
    app.hand.point_at(None)
    assert "Going down into a crouch is free" in app.screen._second(app.hand.reach, None)[0]


@pytest.mark.parametrize(("numbers", "tied"), [([7, 7], True), ([7, 6], False)])
def test_equal_dice_for_the_order_are_explained(app, monkeypatch, numbers, tied):
    ids = app.hand.table.ids
    faces = iter([*numbers, *range(11, 11 + len(ids) - 2)])
    monkeypatch.setattr(app.hand.table.dice, "randint", lambda *_: next(faces))
    app.command("throw")
    assert ("threw alike" in app.hand.message) == tied
