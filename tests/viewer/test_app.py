"""The window, driven by posted events under SDL's dummy driver."""

from __future__ import annotations

import time

import pytest

pygame = pytest.importorskip("pygame")

from tactical.play.commands import Posture  # noqa: E402
from tactical.units import Cell  # noqa: E402
from tactical.viewer.app import App  # noqa: E402
from tactical.viewer.picture.camera import Camera  # noqa: E402
from tactical.viewer.picture.layer import ReachLayer  # noqa: E402
from tactical.world.battlemap import Battlemap  # noqa: E402
from tactical.world.grids import get_grid, grid_names  # noqa: E402
from tactical.world.mover import Mover  # noqa: E402


@pytest.fixture
def app(battlemap):
    made = App(battlemap, "raven", size=(1280, 800))
    pygame.event.clear()
    made.draw()
    yield made
    pygame.display.quit()


def pump(app):
    for event in pygame.event.get():
        app.handle(event)


def point(app, pixel):
    pygame.mouse.set_pos(pixel)
    pygame.event.post(pygame.event.Event(pygame.MOUSEMOTION, pos=pixel, rel=(0, 0), buttons=(0, 0, 0)))
    pump(app)


def key_event(kind, key, mods=0):
    return pygame.event.Event(kind, key=key, mod=mods, unicode="")


def click(app, pixel, button=1, mods=0):
    point(app, pixel)
    kinds = pygame.MOUSEBUTTONDOWN, pygame.MOUSEBUTTONUP
    events = [pygame.event.Event(kind, pos=pixel, button=button) for kind in kinds]
    held = {pygame.KMOD_CTRL: pygame.K_LCTRL, pygame.KMOD_ALT: pygame.K_LALT}
    if key := next((key for mod, key in held.items() if mods & mod), None):
        events = [key_event(pygame.KEYDOWN, key, mods), *events, key_event(pygame.KEYUP, key)]
    for event in events:
        pygame.event.post(event)
    pump(app)


def press(app, key, mods=0):
    pygame.event.post(key_event(pygame.KEYDOWN, key, mods))
    pygame.event.post(key_event(pygame.KEYUP, key, 0))
    pump(app)


def wait_for(app, condition, seconds=60):
    """Let real time pass, as the window's own loop does, until something is so."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it never came"
        if app.dirty:
            app.draw()
        app.tick()
        time.sleep(0.01)


def place(app, mover="raven"):
    return app.hand.table.state(mover).cell


def test_hover_then_click_goes_there(app):
    pixel = app.screen.pixel_of(Cell(4, 6))
    point(app, pixel)
    assert app.hand.route.cost == 15
    click(app, pixel)
    assert place(app) == Cell(4, 6)
    app.draw()


def test_a_way_out_of_date_is_refused_in_words_and_the_new_one_is_shown(app):
    pixel = app.screen.pixel_of(Cell(4, 6))
    point(app, pixel)
    app.draw()
    # somebody else, a host or a game master, changes the game between the last picture and the click
    assert app.hand.session.execute(Posture("raven", "prone"))
    click(app, pixel)
    assert place(app) == Cell(1, 6)
    assert app.hand.message == "the way to E7 cost 15 ft when it was shown and costs 30 now"
    assert app.hand.warn
    app.draw()
    assert app.hand.route.cost == 30
    click(app, pixel)
    assert place(app) == Cell(4, 6)
    assert app.hand.table.turn("raven").spent == 30


def test_a_plan_for_two_turns_goes_on_though_no_picture_was_drawn_between(app):
    point(app, app.screen.pixel_of(Cell(11, 0)))
    app.draw()
    app.hand.go()
    first = place(app)
    app.hand.table.end_turn("raven")
    app.hand.go()
    assert first != place(app)
    assert not app.hand.warn


def test_ctrl_click_sets_waypoints_and_right_click_takes_them_back(app):
    click(app, app.screen.pixel_of(Cell(3, 4)), mods=pygame.KMOD_LCTRL)
    click(app, app.screen.pixel_of(Cell(3, 6)), mods=pygame.KMOD_LCTRL)
    assert app.hand.waypoints == [Cell(3, 4), Cell(3, 6)]
    click(app, app.screen.pixel_of(Cell(8, 7)), button=3)
    assert app.hand.waypoints == [Cell(3, 4)]
    press(app, pygame.K_ESCAPE)
    assert app.hand.waypoints == []
    assert place(app) == Cell(1, 6), "planning moves nobody"


def test_keys_undo_redo_reset_end_turn(app):
    click(app, app.screen.pixel_of(Cell(4, 6)))
    press(app, pygame.K_z)
    assert place(app) == Cell(1, 6)
    press(app, pygame.K_z, pygame.KMOD_LSHIFT)
    assert place(app) == Cell(4, 6)
    press(app, pygame.K_z, pygame.KMOD_LCTRL)
    assert place(app) == Cell(1, 6)
    press(app, pygame.K_y, pygame.KMOD_LCTRL)
    assert place(app) == Cell(4, 6)
    press(app, pygame.K_r)
    assert place(app) == Cell(1, 6)
    press(app, pygame.K_SPACE)
    assert app.hand.table.turn("raven").turn == 2


def test_dragging_the_ground_pans_and_does_not_walk(app):
    before = app.screen.camera.origin
    a = app.screen.pixel_of(Cell(5, 6))
    pygame.event.post(pygame.event.Event(pygame.MOUSEBUTTONDOWN, pos=a, button=1))
    b = (a[0] - 60, a[1] - 30)
    pygame.event.post(pygame.event.Event(pygame.MOUSEMOTION, pos=b, rel=(-60, -30), buttons=(1, 0, 0)))
    pygame.event.post(pygame.event.Event(pygame.MOUSEBUTTONUP, pos=b, button=1))
    pump(app)
    assert app.screen.camera.origin[0] == pytest.approx(before[0] + 60 / app.screen.camera.scale)
    assert place(app) == Cell(1, 6)


def test_the_wheel_zooms_at_the_pointer(app):
    pixel = app.screen.pixel_of(Cell(7, 3))
    point(app, pixel)
    scale = app.screen.camera.scale
    pygame.event.post(pygame.event.Event(pygame.MOUSEWHEEL, x=0, y=2, flipped=False))
    pump(app)
    assert app.screen.camera.scale > scale
    assert app.screen.cell_at(pixel) == Cell(7, 3)
    press(app, pygame.K_0)
    assert app.screen.camera.scale == pytest.approx(scale)


def test_toggles_and_postures_can_be_clicked(app):
    app.draw()
    boxes = {command: box for box, command in app.screen.hits}
    assert not app.screen.shown.costs
    click(app, boxes["costs"].center)
    assert app.screen.shown.costs
    click(app, boxes["posture_prone"].center)
    assert app.hand.table.state("raven").posture == "prone"


def test_every_key_of_the_table_does_something_known(app):
    from tactical.viewer.controls import KEYS

    for key in KEYS:
        if key.command not in ("quit", "picture"):
            app.command(key.command)
            app.command("drop")
    app.draw()
    assert app.running
    app.command("quit")
    assert not app.running


def test_the_help_names_every_command(app):
    from tactical.viewer.controls import KEYS

    told = {key.command for key in KEYS if key.help}
    grouped = {"zoom_out", "arrive_standing", "arrive_prone", "posture_standing", "posture_prone", "level_down"}
    grouped |= {"danger_back", "right", "up", "down", "failed", "gait_previous", "smaller"}
    grouped |= {"cursor_right", "cursor_up", "cursor_down", "menu_up", "menu_down", "menu_take"}
    grouped |= {"setup_up", "setup_down", "setup_less", "setup_more", "setup_write"}
    grouped |= {"setup_far_up", "setup_far_down", "setup_first", "setup_last"}
    grouped |= {"list_up", "list_down", "list_far_up", "list_far_down", "list_take", "list_back"}
    grouped |= {f"digit:{n}" for n in range(10)} | {f"digit_row:{n}" for n in range(1, 10)}
    assert {key.command for key in KEYS} == told | grouped


def test_the_tooltip_waits_until_the_pointer_rests(app):
    point(app, app.screen.pixel_of(Cell(5, 6)))
    assert not app.screen.tip
    wait_for(app, lambda: app.screen.tip)
    app.draw()
    point(app, app.screen.pixel_of(Cell(6, 6)))
    assert not app.screen.tip


def test_nothing_is_drawn_while_nothing_changes(app):
    app.draw()
    point(app, app.screen.pixel_of(Cell(5, 6)))
    app.draw()
    x, y = app.screen.pixel_of(Cell(5, 6))
    point(app, (x + 1, y + 1))
    assert not app.dirty, "the pointer is still on the same cell"


def test_the_ground_is_painted_once_for_many_hovers(app):
    app.draw()
    kept = app.screen.layer.tiles.painted
    for col in range(3, 9):
        point(app, app.screen.pixel_of(Cell(col, 7)))
        app.draw()
    assert app.screen.layer.tiles.painted == kept
    click(app, app.screen.pixel_of(Cell(3, 7)))
    app.draw()
    assert app.screen.layer.tiles.painted > kept, "another reach is another picture"


def test_a_picture_is_saved_and_never_over_another(app, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    first, second = app.desk.save_picture(), app.desk.save_picture()
    assert first != second
    assert first.read_bytes()[:4] == b"\x89PNG"


def test_small_windows_and_resizing(app):
    pygame.event.post(pygame.event.Event(pygame.VIDEORESIZE, w=300, h=200, size=(300, 200)))
    pump(app)
    app.draw()
    assert app.screen.surface.get_size() == (640, 480)


@pytest.mark.parametrize("grid", grid_names())
def test_hover_finds_the_cell_on_every_grid(grid):
    battlemap = Battlemap.from_cells(9, 7, grid=grid, rules="plain", movers=(Mover("ant", at=Cell(2, 2)),))
    app = App(battlemap, "ant")
    app.draw()
    for cell in (Cell(0, 0), Cell(5, 3), Cell(8, 6)):
        point(app, app.screen.pixel_of(cell))
        assert app.hand.hover == cell
    app.draw()
    pygame.display.quit()


def test_a_map_without_movers_opens():
    app = App(Battlemap.from_cells(4, 3))
    app.draw()
    point(app, app.screen.pixel_of(Cell(1, 1)))
    app.command("do")
    app.command("next")
    app.draw()
    pygame.display.quit()


def test_cameras_are_exact():
    grid = get_grid("square")
    camera = Camera((800, 600), 20.0, (3.0, 4.0))
    assert camera.point(camera.pixel((7.25, 9.5))) == pytest.approx((7.25, 9.5))
    zoomed = camera.zoomed(1.7, (123, 456))
    assert zoomed.point((123, 456)) == pytest.approx(camera.point((123, 456)))
    fitted = camera.fitted(40, 10)
    assert fitted.pixel((20, 5)) == pytest.approx((400, 300))
    c0, r0, c1, r1 = camera.view(grid)
    assert (c0, r0) <= (3, 4)
    assert (c1, r1) >= (43, 34)


def test_the_layer_draws_on_a_hosts_surface(battlemap):
    from tactical.movement.reach import reach

    found = reach(battlemap, "raven")
    surface = pygame.Surface((400, 300))
    surface.fill((90, 120, 90))
    before = surface.get_at((10, 10))
    layer = ReachLayer()
    layer.show(found, route=found.route(Cell(3, 6)))
    camera = Camera((400, 300), 30.0, (0.0, 0.0))
    layer.draw(surface, camera)
    x, y = (round(value) for value in camera.pixel((2.5, 7.5)))
    assert surface.get_at((x, y)) != before, "a band is painted"
    assert layer.cell_at(camera, (x, y)) == Cell(2, 7)
    assert set(layer.rects(camera)) == found.cells()
    layer.show(None)
    layer.draw(surface, camera)
    assert layer.rects(camera) == {}


def test_a_picture_painted_in_pieces_is_the_whole_picture(app):
    app.command("costs")
    app.draw()
    whole = app.screen.surface.copy()
    tiles = app.screen.layer.tiles
    tiles._tiles.clear()
    tiles._floors.clear()
    app.screen.budget = 0.001
    for _ in range(400):
        app.screen.draw()
        if not tiles.behind:
            break
    assert not tiles.behind
    width, height = whole.get_size()
    spots = [(x, y) for x in range(3, width, 7) for y in range(3, height, 7)]
    pairs = [(whole.get_at(at), app.screen.surface.get_at(at)) for at in spots]
    wrong = [pair for pair in pairs if max(abs(a - b) for a, b in zip(*pair, strict=True)) > 24]
    assert len(wrong) <= 0.01 * len(spots)


def test_while_the_wheel_turns_nothing_is_painted_anew(app):
    app.draw()
    painted = app.screen.layer.tiles.painted
    point(app, app.screen.pixel_of(Cell(7, 3)))
    pygame.event.post(pygame.event.Event(pygame.MOUSEWHEEL, x=0, y=1, flipped=False))
    pump(app)
    app.draw()
    assert app.screen.layer.tiles.painted == painted
    assert app.screen.surface.get_at(app.screen.map_area.center) != app.screen.theme.colour("window", "back")
    wait_for(app, lambda: not app.turning)
    wait_for(app, lambda: not app.dirty and not app.screen.layer.tiles.behind)
    assert app.screen.layer.tiles.painted > painted
