"""Looking at the map: all of it, the selected one, rulers, tokens that never vanish, windows of another size."""

from __future__ import annotations

import pytest

pygame = pytest.importorskip("pygame")

from tactical.units import Cell  # noqa: E402
from tactical.viewer.app import App  # noqa: E402
from tactical.viewer.controls import GROUPS, KEYS, MOUSE  # noqa: E402
from tactical.viewer.files.library import Library  # noqa: E402
from tactical.viewer.helping import lines  # noqa: E402
from tactical.world.battlemap import Battlemap  # noqa: E402
from tactical.world.edges.barriers import Barrier, DoorState, Kind  # noqa: E402
from tactical.world.mover import Mover  # noqa: E402
from tests.viewer.test_app import click, point, press, pump  # noqa: E402


def window(cols, rows, tmp_path, size=(1280, 800)):
    movers = (Mover("ann", at=Cell(1, 1), side="a"), Mover("bob", at=Cell(cols - 2, rows - 2), side="b"))
    board = Battlemap.from_cells(cols, rows).with_(movers=movers)
    app = App(board, "ann", size=size, text=1.0, library=Library(tmp_path))
    pygame.event.clear()
    app.draw()
    return app


@pytest.fixture(autouse=True)
def _closed():
    yield
    pygame.display.quit()


@pytest.mark.parametrize(("cols", "rows"), [(12, 8), (220, 220), (900, 700)])
def test_key_0_shows_everything_and_then_who_is_selected(tmp_path, cols, rows):
    app = window(cols, rows, tmp_path)
    app.screen.camera = app.screen.camera.moved(40, 40)
    press(app, pygame.K_0)
    app.draw()
    assert all(app.screen.camera.sees(corner) for corner in ((0.1, 0.1), (cols - 0.1, rows - 0.1)))
    press(app, pygame.K_0)
    app.draw()
    assert app.screen.camera.sees((1.5, 1.5))
    assert app.screen.camera.scale >= 24


def test_tokens_are_seen_however_small_the_cells(tmp_path):
    app = window(220, 220, tmp_path)
    press(app, pygame.K_0)
    app.draw()
    assert app.screen.camera.scale < 6
    for mover, colour in (("ann", "self"), ("bob", "foe")):
        box = pygame.Rect(0, 0, 14, 14)
        box.center = app.screen.pixel_of(app.hand.table.state(mover).cell)
        ring, inside = app.screen.theme.sides[colour]
        spots = [(x, y) for x in range(box.left, box.right) for y in range(box.top, box.bottom)]
        found = [app.screen.surface.get_at(spot)[:3] for spot in spots]
        near = [a for a in found for b in (ring, inside) if sum(abs(p - q) for p, q in zip(a, b, strict=True)) < 60]
        assert len(near) >= 12, mover


@pytest.mark.parametrize("size", [(1920, 1080), (800, 600)])
def test_a_map_that_filled_the_window_fills_it_again(tmp_path, size):
    app = window(24, 16, tmp_path)
    pygame.event.post(pygame.event.Event(pygame.VIDEORESIZE, w=size[0], h=size[1]))
    pump(app)
    app.draw()
    camera = app.screen.camera
    assert all(camera.sees(corner) for corner in ((0.1, 0.1), (23.9, 15.9)))
    assert max(24 * camera.scale / camera.size[0], 16 * camera.scale / camera.size[1]) > 0.85


def test_a_map_that_was_moved_keeps_its_place(tmp_path):
    app = window(24, 16, tmp_path)
    press(app, pygame.K_PLUS)
    before = app.screen.camera
    pygame.event.post(pygame.event.Event(pygame.VIDEORESIZE, w=1500, h=900))
    pump(app)
    assert (app.screen.camera.scale, app.screen.camera.origin) == (before.scale, before.origin)


def test_rulers_name_columns_and_rows_and_can_be_hidden(tmp_path):
    app = window(24, 16, tmp_path)
    area = app.screen.map_area
    edge = pygame.Rect(area.x, area.y, area.width, 18)

    def strip():
        app.draw()
        return pygame.image.tobytes(app.screen.surface.subsurface(edge).copy(), "RGB")

    first = strip()
    point(app, app.screen.pixel_of(Cell(9, 9)))
    assert strip() != first, "the column under the pointer is lit"
    press(app, pygame.K_g, pygame.KMOD_LSHIFT)
    hidden = strip()
    assert hidden != first
    point(app, app.screen.pixel_of(Cell(12, 9)))
    assert strip() == hidden


def test_a_click_on_a_door_within_reach_opens_it_and_one_beside_it_walks(tmp_path):
    door = Barrier(((3, 2), (3, 3)), Kind.DOOR, id="oak", state=DoorState.CLOSED)
    walls = (Barrier(((3, 0), (3, 2)), Kind.WALL), Barrier(((3, 3), (3, 5)), Kind.WALL))
    ann = Mover("ann", at=Cell(2, 2), side="a")
    board = Battlemap.from_cells(6, 5).with_(movers=(ann,), barriers=(door, *walls), rules="operator")
    app = App(board, "ann", text=1.0, library=Library(tmp_path))
    app.draw()
    left, right = app.screen.pixel_of(Cell(2, 2)), app.screen.pixel_of(Cell(3, 2))
    on_door = (left[0] + right[0]) // 2 + 2, left[1]
    click(app, on_door)
    assert app.hand.battlemap.barriers[0].state is DoorState.OPEN
    assert app.hand.table.state("ann").cell == Cell(2, 2)
    click(app, right)
    assert app.hand.table.state("ann").cell == Cell(3, 2)


def test_every_command_of_the_table_stands_in_the_help():
    shown = " ".join(f"{key} {words}" for key, words in (*((key.shown, key.help) for key in KEYS if key.help), *MOUSE))
    silent = [key for key in KEYS if not key.help and key.waits not in ("list", "menu", "setup")]
    for key in silent:
        family = [other for other in KEYS if other.help and (other.command == key.command or set(key.names) &
                  set(other.names) or key.command.partition("_")[0].partition(":")[0] in other.command)]  # fmt: skip
        # the page of maps tells its own keys
        assert (
            family
            or key.waits == "list"
            or key.command in ("zoom_out", "smaller", "level_down", "right", "up", "down", "failed")
        ), key
    for key in KEYS:
        if key.help:
            assert key.shown
            assert key.help in shown
    assert len({(key.names, key.shift, key.ctrl, key.waits) for key in KEYS}) == len(KEYS), "no key has two meanings"


def test_the_help_has_every_command_under_one_heading():
    named = [name for names in GROUPS.values() for name in names]
    assert sorted(named) == sorted({*(key.command for key in KEYS if key.help), *(name for name, _ in MOUSE)})
    assert named.index("undo") < named.index("redo")


def test_the_help_finds_what_is_typed(tmp_path):
    app = window(12, 8, tmp_path)
    press(app, pygame.K_F1)
    for letter in "undo":
        event = {"key": getattr(pygame, f"K_{letter}"), "mod": 0, "unicode": letter, "scancode": 0}
        app.handle(pygame.event.Event(pygame.KEYDOWN, **event))
    app.draw()
    rows = lines(app.screen.help.sought)
    assert ("Z", "undo") in rows
    assert ("O", "chances on the cells") not in rows
    press(app, pygame.K_ESCAPE)
    assert app.screen.help is None


def test_the_first_start_greets_once(tmp_path):
    library = Library(tmp_path / "new")
    assert library.greet()
    assert not library.greet()


def test_the_small_map_shows_where_one_is_and_leads_there(tmp_path):
    app = window(220, 220, tmp_path)
    area = app.screen.small.area
    assert area.width > 100
    assert app.screen.cell_at(area.center) is None, "what lies below it cannot be clicked"
    click(app, (area.right - 3, area.bottom - 3))
    app.draw()
    assert app.screen.camera.sees((218.5, 218.5))
    press(app, pygame.K_0)
    app.draw()
    assert not app.screen.small.area.width, "all of the map is in sight"


def test_an_arrow_points_at_who_is_out_of_sight(tmp_path):
    app = window(220, 220, tmp_path)
    foe, area = app.screen.theme.sides["foe"][0], app.screen.map_area
    rim = [(x, y) for x in range(area.left, area.right, 2) for y in range(area.top, area.bottom, 2)
           if not app.screen.small.area.inflate(10, 10).collidepoint(x, y)]  # fmt: skip
    assert any(app.screen.surface.get_at(spot)[:3] == foe for spot in rim)


def test_the_map_follows_a_walk(tmp_path):
    app = window(220, 220, tmp_path)
    for _ in range(8):
        press(app, pygame.K_PLUS)
    app.draw()
    far = max((cell for cell in app.hand.reach.cells() if app.hand.reach.band(cell).turn == 1), key=lambda c: c.col)
    assert not app.screen.map_area.inflate(-80, -80).collidepoint(app.screen.pixel_of(far)), "near the rim, or beyond"
    app.hand.click(far)
    app.draw()
    app.screen.now = app.screen.playback.begun + app.screen.playback.length - 1
    app.screen.draw()
    assert app.screen.map_area.inflate(-80, -80).collidepoint(app.screen.pixel_of(far))


def test_a_map_that_is_seen_whole_stays_where_it_is_while_somebody_walks_along_its_edge(app):
    screen = app.screen
    before = screen.camera
    for spot in ((0.5, 0.5), (11.5, 0.5), (11.5, 7.5), (0.5, 7.5)):
        screen.follow(spot, 2.5)
        assert screen.camera == before
    screen.camera = before.zoomed(4)
    screen.follow((0.5, 0.5), 2.5)
    assert screen.camera.sees((0.5, 0.5)), "what is out of sight is brought back"


def test_a_map_of_several_floors_shows_which_is_looked_at_and_the_keys_of_the_others(opened):
    from pathlib import Path

    from tactical import load
    from tests.viewer.test_app import press

    app = opened(load(Path(__file__).parents[2] / "maps/small/stairs.yaml"))
    names = [level.name for level in app.hand.battlemap.levels]

    for n, name in enumerate(names, 1):
        app.hand.level = n - 1
        assert any(f"floor {n} of {len(names)}: {name} (PageUp, PageDown)" in text for text in app.screen._top().text())
    press(app, pygame.K_PAGEUP)
    assert app.hand.message == f"no floor beyond {names[-1]}: PageUp goes up, PageDown goes down"
