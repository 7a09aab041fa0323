"""What can be done there, by the other button and by keys; the cursor of the keys, goals to compare, drawn ways."""

from __future__ import annotations

import pytest

pygame = pytest.importorskip("pygame")

from tactical.errors import PluginError, Refusal  # noqa: E402
from tactical.play.commands import Place  # noqa: E402
from tactical.play.session import Session  # noqa: E402
from tactical.units import Cell  # noqa: E402
from tactical.viewer.app import App  # noqa: E402
from tactical.viewer.files.library import Library  # noqa: E402
from tactical.viewer.overlays.words import tip_lines  # noqa: E402
from tactical.viewer.playing.menu import Menu, Row, master  # noqa: E402
from tactical.world.battlemap import Battlemap  # noqa: E402
from tactical.world.edges.barriers import Barrier, DoorState, Kind  # noqa: E402
from tactical.world.mover import Mover  # noqa: E402
from tests.viewer.test_app import click, point, press, pump  # noqa: E402

SHIFT, CTRL = pygame.KMOD_LSHIFT, pygame.KMOD_LCTRL


def menu_at(app, cell):
    """Press the other button on a cell; the rows by their words."""
    click(app, app.screen.pixel_of(cell), button=3)
    app.draw()
    assert app.screen.menu is not None
    return {row.label: row for row in app.screen.menu.rows}


def take(app, start):
    """Click the row whose words begin so."""
    n = next(n for n, row in enumerate(app.screen.menu.rows) if row.label.startswith(start))
    box = next(box for box, command in app.screen.hits if command == f"row:{n}")
    click(app, box.center)
    app.draw()


def test_the_other_button_offers_to_go(app):
    rows = menu_at(app, Cell(5, 6))
    assert "Go to F7  20 ft, Move" in rows
    take(app, "Go to F7")
    assert app.hand.table.state("raven").cell == Cell(5, 6)
    assert app.screen.menu is None


def test_what_cannot_be_done_says_why(app):
    rows = menu_at(app, Cell(4, 2))
    go = next(row for words, row in rows.items() if words.startswith("Go to"))
    assert go.refused
    take(app, "Go to")
    assert app.hand.message == go.refused
    assert app.hand.table.state("raven").cell == Cell(1, 6)


def test_a_click_elsewhere_closes_it_and_does_nothing(app):
    menu_at(app, Cell(5, 6))
    click(app, app.screen.pixel_of(Cell(11, 0)))
    assert app.screen.menu is None
    assert app.hand.table.state("raven").cell == Cell(1, 6)


def test_the_game_master_places_pushes_and_changes_sides(app):
    menu_at(app, Cell(3, 6))
    take(app, "Game master")
    take(app, "Push Raven to D7")
    assert app.hand.table.state("raven").cell == Cell(3, 6)
    assert app.hand.table.turn("raven").spent == 0
    menu_at(app, Cell(10, 6))
    take(app, "Game master")
    take(app, "Place Raven")
    assert app.hand.table.state("raven").cell == Cell(10, 6)
    menu_at(app, Cell(9, 1))
    take(app, "Game master")
    take(app, "Guard joins heroes")
    assert app.hand.battlemap.mover("guard").side == "heroes"
    app.command("undo")
    assert app.hand.battlemap.mover("guard").side == "watch"


def test_the_game_master_finds_who_hides(app):
    menu_at(app, Cell(11, 7))
    take(app, "Game master")
    take(app, "Ghoul hides no more")
    assert not app.hand.battlemap.mover("ghoul").hidden


def test_all_of_it_by_keys(app):
    press(app, pygame.K_RIGHT)
    press(app, pygame.K_RIGHT)
    assert app.hand.hover == Cell(3, 6)
    press(app, pygame.K_w)
    app.draw()
    assert app.screen.menu is not None
    assert app.screen.menu.chosen == 0
    press(app, pygame.K_DOWN)
    assert app.screen.menu.chosen == 1
    press(app, pygame.K_UP)
    press(app, pygame.K_RETURN)
    assert app.hand.table.state("raven").cell == Cell(3, 6)
    press(app, pygame.K_DOWN)
    press(app, pygame.K_RETURN, CTRL)
    assert app.hand.waypoints == [Cell(3, 7)]
    press(app, pygame.K_RIGHT)
    press(app, pygame.K_RETURN)
    assert app.hand.table.state("raven").cell == Cell(4, 7)


def test_the_map_follows_the_cursor(app):
    for _ in range(12):
        press(app, pygame.K_PLUS)
    for _ in range(30):
        press(app, pygame.K_RIGHT)
        app.draw()
    assert app.hand.hover == Cell(11, 6)
    assert app.screen.map_area.collidepoint(app.screen.pixel_of(Cell(11, 6)))


def test_goals_are_kept_to_compare(app):
    for cell in (Cell(4, 6), Cell(5, 6), Cell(6, 6), Cell(7, 6)):
        app.mods = SHIFT
        click(app, app.screen.pixel_of(cell))
    app.mods = 0
    assert app.hand.pins == [Cell(5, 6), Cell(6, 6), Cell(7, 6)], "the oldest has given way"
    assert app.hand.table.state("raven").cell == Cell(1, 6), "nobody has moved"
    app.draw()
    rows = {row.name: (row.price, row.words) for row in app.screen.page(app.hand.reach, app.hand.route).said("compare")}
    assert rows["G7"] == ("25 ft", "Move, 0 strikes, standing")
    box = next(box for box, command in app.screen.hits if command == "pinned:G7")
    point(app, box.center)
    assert app.hand.target == Cell(6, 6), "pointing at a row shows its way"
    app.draw()
    cross = next(box for box, command in app.screen.hits if command == "unpin:G7")
    click(app, cross.center)
    assert Cell(6, 6) not in app.hand.pins


def drag(app, cells):
    pixels = [app.screen.pixel_of(cell) for cell in cells]
    pygame.event.post(pygame.event.Event(pygame.MOUSEBUTTONDOWN, pos=pixels[0], button=1))
    last = pixels[0]
    for pixel in pixels[1:]:
        moved = (pixel[0] - last[0], pixel[1] - last[1])
        pygame.event.post(pygame.event.Event(pygame.MOUSEMOTION, pos=pixel, rel=moved, buttons=(1, 0, 0)))
        last = pixel
    pygame.event.post(pygame.event.Event(pygame.MOUSEBUTTONUP, pos=last, button=1))
    pump(app)


def test_a_way_is_drawn_by_dragging_the_token(app):
    way = [Cell(1, 6), Cell(1, 7), Cell(2, 7), Cell(3, 7), Cell(3, 6)]
    drag(app, way)
    assert app.hand.table.state("raven").cell == Cell(3, 6)
    assert app.hand.table.turn("raven").spent == 20, "round the corner, not straight"
    camera = app.screen.camera
    drag(app, [Cell(3, 6), Cell(4, 6), Cell(3, 6)])
    assert app.hand.table.state("raven").cell == Cell(3, 6), "drawn back it goes nowhere"
    assert app.screen.camera == camera
    assert not app.hand.waypoints


def test_a_far_door_is_walked_to_and_opened(battlemap, tmp_path):
    door = Barrier(((5, 6), (6, 6)), Kind.DOOR, id="gate", state=DoorState.CLOSED)
    app = App(battlemap.with_(barriers=(door,)), "raven", size=(1280, 800), text=1.0, library=Library(tmp_path))
    app.draw()
    x, y = app.screen.camera.pixel((5.5, 6.0))
    area = app.screen.map_area
    click(app, (round(x) + area.x, round(y) + area.y))
    assert app.hand.battlemap.barriers[0].state is DoorState.OPEN
    assert app.hand.table.state("raven").cell != Cell(1, 6)
    pygame.display.quit()


def test_a_long_press_of_a_finger_opens_the_menu(app, monkeypatch):
    x, y = app.screen.pixel_of(Cell(5, 6))
    width, height = app.screen.surface.get_size()
    finger = {"finger_id": 1, "touch_id": 1, "x": x / width, "y": y / height, "dx": 0.0, "dy": 0.0}
    app.handle(pygame.event.Event(pygame.FINGERDOWN, **finger))
    app.long_press(app.touched_at + 100)
    assert app.screen.menu is None
    app.long_press(app.touched_at + 600)
    assert app.screen.menu is not None
    assert app.screen.menu.cell == Cell(5, 6)


def test_two_fingers_zoom_and_move_the_map(app):
    scale = app.screen.camera.scale
    for number, x in ((1, 0.3), (2, 0.4)):
        finger = {"finger_id": number, "touch_id": 1, "x": x, "y": 0.5, "dx": 0.0, "dy": 0.0}
        app.handle(pygame.event.Event(pygame.FINGERDOWN, **finger))
    app.handle(pygame.event.Event(pygame.FINGERMOTION, finger_id=2, touch_id=1, x=0.5, y=0.5, dx=0.1, dy=0.0))
    assert app.screen.camera.scale == pytest.approx(2 * scale)
    assert app.hand.table.state("raven").cell == Cell(1, 6)


def test_the_menu_of_the_window_has_what_the_bar_has_no_room_for(app):
    app.command("menu")
    app.draw()
    take(app, "Costs")
    assert app.screen.shown.costs


def test_a_tip_covers_neither_way_nor_token(app):
    from tactical.viewer.overlays.tips import spot, taken_by

    app.hand.table.do(Place("raven", Cell(6, 0)))
    for col in range(12):
        for row in range(8):
            point(app, app.screen.pixel_of(Cell(col, row)))
            app.draw()
            box = spot(app.screen.pointer, (200, 60), app.screen.frame.free, taken_by(app.screen), 18)
            tokens = [pygame.Rect(0, 0, 20, 20) for _ in app.hand.seen.movers]
            for token, mover in zip(tokens, app.hand.seen.movers, strict=True):
                token.center = app.screen.pixel_of(mover.at)
            assert box is None or box.collidelist(tokens) < 0


def test_sounds_are_off_until_they_are_wished_for(app, monkeypatch):
    from tactical.viewer import sounds

    played = []
    assert not app.screen.sounds.on
    app.screen.sounds.play("done")
    samples = sounds.waves(((440.0, 0.1),))
    assert len(samples) == 2 * int(sounds.RATE * 0.1)
    loudest = max(abs(int.from_bytes(samples[n : n + 2], "little", signed=True)) for n in range(0, len(samples), 2))
    assert 0 < loudest <= 32767 * sounds.LOUD
    monkeypatch.setattr(app.screen.sounds, "play", played.append)
    app.hand.click(Cell(5, 6))
    app.draw()
    app.hand.tell("no", warn=True)
    app.draw()
    assert played == ["done", "warn"]


def test_arrows_move_the_map_in_the_edit_mode(app):
    press(app, pygame.K_F2)
    origin = app.screen.camera.origin
    press(app, pygame.K_RIGHT)
    assert app.screen.camera.origin != origin
    assert not app.hand.warn
    press(app, pygame.K_F2)
    press(app, pygame.K_RIGHT)
    assert app.hand.hover is not None


def test_a_rule_system_that_fails_is_told_of(app, monkeypatch):
    def fail(command):
        raise PluginError("the rule system 'mine' failed")

    monkeypatch.setattr(app.hand.table, "do", fail)
    click(app, app.screen.pixel_of(Cell(5, 6)))
    assert app.hand.message == "the rule system 'mine' failed"
    assert app.running


def test_the_game_master_opens_doors_gives_back_and_sets_postures(battlemap, opened):
    line = ((5.0, 5.0), (6.0, 5.0))
    app = opened(battlemap.with_(barriers=(Barrier(line, Kind.DOOR, id="gate", state=DoorState.LOCKED),)), "raven")

    def orders(cell, door=""):
        return {row.label: row for row in master(app.hand, cell, door)}

    gate = orders(Cell(5, 5), "gate")["Open the gate, for nothing"]
    app.desk.order(gate.order)
    assert "Close the gate, for nothing" in orders(Cell(5, 5), "gate")
    here = app.hand.table.state("raven").cell
    assert orders(here)["Raven gets 5 ft back"].refused
    app.desk.order(orders(here)["Raven spends 5 ft"].order)
    app.desk.order(orders(here)["Raven gets 5 ft back"].order)
    app.desk.order(orders(here)["Raven is prone, for nothing"].order)
    assert app.hand.table.state("raven").posture == "prone"
    assert app.hand.table.turn("raven").spent == 0
    for who in app.hand.battlemap.movers:
        for row in master(app.hand, who.at):
            done = Session(app.hand.session.position).execute(row.order)
            assert bool(row.refused) == isinstance(done, Refusal), row


def test_brackets_point_at_the_cells_where_one_may_be_struck(app):
    seen = []
    for key in (pygame.K_RIGHTBRACKET, pygame.K_RIGHTBRACKET, pygame.K_LEFTBRACKET):
        press(app, key)
        seen.append(app.hand.hover)
        assert app.hand.reach.threatened()[app.hand.hover] == ("guard",)
    assert seen[0] == seen[2] != seen[1]


def test_the_other_button_answers_no_question(app):
    """A right click, a finger held still and W say that a move waits, wherever they are; the buttons answer."""
    app.hand.table.do(Place("raven", Cell(9, 2)))
    click(app, app.screen.pixel_of(Cell(9, 5)))
    assert app.hand.table.pending.what == "attack"
    app.hand.waypoints.append(Cell(9, 6))
    app.draw()
    strip = next(box.center for box, name in app.screen.hits if name == "who:guard")
    for pixel in (app.screen.pixel_of(Cell(10, 6)), app.screen.pixel_of(Cell(9, 1)), strip):
        app.hand.tell("")
        click(app, pixel, button=3)
        assert app.hand.table.pending is not None
        assert (app.hand.message, app.screen.menu) == ("a move waits: answer it first", None)
    app.hand.tell("")
    app.fingers, app.touched_at = {0: app.screen.pixel_of(Cell(10, 6))}, -10_000
    app.long_press(0)
    assert (app.hand.message, app.screen.menu) == ("a move waits: answer it first", None)
    point(app, app.screen.pixel_of(Cell(10, 6)))
    app.hand.tell("")
    press(app, pygame.K_w)
    assert (app.hand.message, app.screen.menu) == ("a move waits: answer it first", None)
    app.draw()
    click(app, next(box.center for box, name in app.screen.hits if name == "go_on"))
    assert app.hand.table.state("raven").cell == Cell(9, 5)


def test_whoever_can_be_rammed_is_offered_on_their_token_and_else_why_not(opened):
    board = Battlemap.from_rows(
        ["." * 30] * 3,
        rules="d6-revised",
        movers=(
            Mover("kit", at=Cell(0, 1), stats={"kind": "vehicle", "move": 20, "code": "3D"}),
            Mover("foe", at=Cell(5, 1), side="foe"),
            Mover("far", at=Cell(29, 1), side="foe"),
        ),
    )
    app = opened(board, "kit")
    rows = menu_at(app, Cell(29, 1))
    far = next(row for words, row in rows.items() if words.startswith("Ram Far"))
    assert far.refused == "nowhere beside Far can be got to this turn"
    take(app, "Ram Far")
    assert app.hand.message == far.refused
    press(app, pygame.K_ESCAPE)
    rows = menu_at(app, Cell(5, 1))
    assert any(words.startswith("Ram Foe  ") and not row.refused for words, row in rows.items())
    take(app, "Ram Foe")
    assert app.hand.table.pending.ram == "foe"
    assert app.hand.route.end.cell.col == 4, "the waiting way is the one beside the target"


def test_no_ram_is_offered_where_the_rules_have_none(app):
    assert not any(words.startswith("Ram") for words in menu_at(app, Cell(9, 1)))


def test_on_a_map_without_anybody_the_other_button_puts_a_walker_there(opened):
    app = opened(Battlemap.from_cells(6, 4))
    assert list(menu_at(app, Cell(2, 1))) == ["What is here", "Put a walker here", "Game master ›"]
    take(app, "Put a walker")
    assert app.hand.selected == "walker 1"
    assert app.hand.table.state("walker 1").cell == Cell(2, 1)
    assert "Put a walker here" not in menu_at(app, Cell(2, 1)), "somebody stands there"


def test_who_has_struck_is_marked_and_strikes_no_more_this_turn(tmp_path):
    hero, foe = Mover("hero", at=Cell(0, 0), side="a"), Mover("ogre", at=Cell(2, 1), side="b", name="Ogre")
    friend = Mover("friend", at=Cell(0, 1), side="a")
    battlemap = Battlemap.from_rows(["......"] * 2, rules="operator", movers=(hero, foe, friend))
    app = App(battlemap, "hero", text=1.0, library=Library(tmp_path))
    app.draw()
    hand = app.hand

    def rows(cell):
        return {row.label: row for row in master(hand, cell) if "strike" in row.label or "struck" in row.label}

    assert rows(Cell(0, 1)) == {}, "a friend strikes nobody"
    ((words, row),) = rows(Cell(2, 1)).items()
    assert words == "Ogre has struck at Hero, and cannot again this turn"
    way = hand.reach.route(Cell(4, 0), via=(Cell(2, 0),))
    assert [one.enemy for one in way.provokes] == ["ogre"]
    assert hand.table.do(row.order)
    hand.think(60)
    assert hand.reach.route(Cell(4, 0), via=(Cell(2, 0),)).provokes == ()
    point(app, app.screen.pixel_of(Cell(2, 0)))
    assert tip_lines(app.screen, hand.reach) == ("Ogre reaches here, and has struck this turn",)
    ((words, row),) = rows(Cell(2, 1)).items()
    assert words == "Ogre may strike at Hero again"
    assert hand.table.do(row.order)
    hand.think(60)
    assert hand.reach.route(Cell(4, 0), via=(Cell(2, 0),)).provokes != ()
    pygame.display.quit()


def test_a_click_on_the_threshold_of_an_open_door_goes_there(battlemap, tmp_path):
    door = Barrier(((2, 6), (2, 7)), Kind.DOOR, id="gate", state=DoorState.OPEN)
    app = App(battlemap.with_(barriers=(door,)), "raven", text=1.0, library=Library(tmp_path))
    app.draw()
    x, y = app.screen.pixel_of(Cell(2, 6))
    edge = x - (x - app.screen.pixel_of(Cell(1, 6))[0]) // 2 + 2, y
    assert app.hand.door_at(app.screen.point_at(edge)) == "gate"
    click(app, edge)
    assert app.hand.battlemap.barriers[0].state == "open", "the other button and D close it"
    assert app.hand.table.state("raven").cell == Cell(2, 6)
    pygame.display.quit()


def test_where_the_rules_know_no_strikes_none_is_told_of(tmp_path):
    hero = Mover("hero", at=Cell(0, 0), side="a", stats={"move": 10, "running": "4D"})
    foe = Mover("ogre", at=Cell(2, 1), side="b", name="Ogre")
    battlemap = Battlemap.from_rows(["......"] * 2, cell=2, unit="m", rules="d6-reup", movers=(hero, foe))
    app = App(battlemap, "hero", text=1.0, library=Library(tmp_path))
    app.draw()
    app.hand.think(60)
    assert not [row.label for row in master(app.hand, Cell(2, 1)) if "struck" in row.label]
    point(app, app.screen.pixel_of(Cell(2, 0)))
    assert tip_lines(app.screen, app.hand.reach) == ("Ogre reaches here",)
    app.draw()
    assert not [line for line in app.screen.panel_sheet(app.hand.reach, app.hand.route).text() if "strike" in line]
    pygame.display.quit()


def test_a_menu_that_is_not_painted_yet_is_not_pointed_at_by_the_one_before(app):
    """Inputs come faster than pictures: what lies under the pointer is still the menu that was there."""
    menu_at(app, Cell(5, 6))
    last = app.screen.hits[-1][0].center
    many = len(app.screen.menu.rows)
    app.screen.menu = Menu("another", (Row("only", "quit"),), (10, 10))
    assert many > 1
    point(app, last)
    assert app.screen.menu.chosen == -1
    app.command("row:0")
    assert app.screen.menu is not None, "nothing was taken"
    app.draw()
    app.command("row:0")
    assert app.screen.menu is None
