"""Every row of the key table, pressed: posted events under SDL's dummy driver, and what must have changed."""

from __future__ import annotations

import pytest

pygame = pytest.importorskip("pygame")

from tactical.play.commands import Place  # noqa: E402
from tactical.play.events import Rolled  # noqa: E402
from tactical.units import Cell  # noqa: E402
from tactical.viewer.app import App  # noqa: E402
from tactical.viewer.controls import KEYS  # noqa: E402
from tactical.viewer.files.library import Library, read  # noqa: E402
from tactical.viewer.playing.hand import Hand  # noqa: E402
from tactical.viewer.playing.table import Table  # noqa: E402
from tactical.world.battlemap import Battlemap  # noqa: E402
from tactical.world.edges.barriers import Barrier, Kind  # noqa: E402
from tactical.world.mover import Mover  # noqa: E402
from tests.viewer.test_app import click, point, press  # noqa: E402

SHIFT, CTRL = pygame.KMOD_LSHIFT, pygame.KMOD_LCTRL


@pytest.fixture
def library(tmp_path):
    return Library(tmp_path / "settings")


@pytest.fixture
def app(opened, battlemap, library):
    return opened(battlemap, "raven", library=library)


@pytest.fixture
def roller(library):
    """A D6 mover whose move waits for a roll."""
    legend = {"%": {"terrain": "rubble", "rough": True, "level": "D", "number": 18}}
    rey = Mover("rey", at=Cell(0, 1), stats={"running": "4D"})
    rows = ["......", "..%%..", "......"]
    battlemap = Battlemap.from_rows(rows, legend, cell=2, unit="m", rules="d6-reup", movers=(rey,))
    made = App(battlemap, "rey", text=1.0, library=library)
    pygame.event.clear()
    made.hand.click(Cell(3, 1))
    assert made.hand.table.pending is not None
    yield made
    pygame.display.quit()


def bound(command):
    """The keys that give a command: (key, modifiers)."""
    for key in KEYS:
        if key.command == command:
            for name in key.names:
                mods = (SHIFT if key.shift else 0) | (CTRL if key.ctrl else 0)
                yield getattr(pygame, f"K_{name}"), mods


def every(command):
    return list(bound(command))


def status(app, mover="raven"):
    return app.hand.session.position.status(mover)


ROWS = [(row, name) for row in KEYS for name in row.names]


@pytest.mark.parametrize(("row", "name"), ROWS, ids=[f"{row.command}-{name}" for row, name in ROWS])
def test_every_row_of_the_table_gives_its_command(app, row, name, monkeypatch):
    given = []
    monkeypatch.setattr(app, "command", given.append)
    monkeypatch.setattr(app.desk, "waits", lambda: row.waits)
    mods = (SHIFT if row.shift else 0) | (CTRL if row.ctrl else 0)
    press(app, getattr(pygame, f"K_{name}"), mods)
    assert given == [row.command]


@pytest.mark.parametrize("key", every("next"))
def test_tab_selects_the_next(app, key):
    press(app, *key)
    assert app.hand.selected == "magpie"


@pytest.mark.parametrize("key", every("previous"))
def test_shift_tab_selects_the_one_before(app, key):
    press(app, *key)
    assert app.hand.selected == "ghoul"


@pytest.mark.parametrize("key", every("go"))
def test_enter_goes_to_the_cell_under_the_pointer(app, key):
    point(app, app.screen.pixel_of(Cell(4, 6)))
    press(app, *key)
    assert status(app).state.cell == Cell(4, 6)


@pytest.mark.parametrize("key", every("back"))
def test_backspace_takes_a_waypoint_back(app, key):
    click(app, app.screen.pixel_of(Cell(3, 4)), mods=CTRL)
    assert app.hand.waypoints
    press(app, *key)
    assert app.hand.waypoints == []


@pytest.mark.parametrize("key", every("drop"))
def test_escape_drops_the_plan(app, key):
    click(app, app.screen.pixel_of(Cell(3, 4)), mods=CTRL)
    press(app, *key)
    assert app.hand.waypoints == []


@pytest.mark.parametrize("undo", every("undo"))
@pytest.mark.parametrize("redo", every("redo"))
def test_undo_and_redo(app, undo, redo):
    click(app, app.screen.pixel_of(Cell(4, 6)))
    press(app, *undo)
    assert status(app).state.cell == Cell(1, 6)
    press(app, *redo)
    assert status(app).state.cell == Cell(4, 6)


@pytest.mark.parametrize("key", every("do"))
def test_space_ends_the_turn(app, key):
    press(app, *key)
    assert status(app).turn.turn == 2


@pytest.mark.parametrize("key", every("reset"))
def test_r_resets_the_turn(app, key):
    click(app, app.screen.pixel_of(Cell(3, 6)))
    click(app, app.screen.pixel_of(Cell(4, 6)))
    press(app, *key)
    assert status(app).state.cell == Cell(1, 6)


def test_f_goes_through_the_gaits_and_back(app):
    (forward,), (back,) = every("gait_next"), every("gait_previous")
    press(app, *forward)
    assert status(app).gait == "move"
    assert {band.name for band in app.hand.reach.bands if band.turn == 1} == {"move"}
    press(app, *forward)
    assert status(app).gait == "dash"
    press(app, *forward)
    assert status(app).gait == ""
    press(app, *back)
    assert status(app).gait == "dash"


def test_d_opens_and_closes_the_door_beside(app):
    (key,) = every("door")
    press(app, *key)
    assert app.hand.warn, "no door here"
    door = Barrier(((2, 6), (2, 7)), Kind.DOOR, "gate")
    app.screen.hand = Hand(Table(app.hand.battlemap.with_(barriers=(door,))), "raven")
    press(app, *key)
    assert app.hand.battlemap.barriers[0].state == "open"
    app.draw()
    assert "door:gate" in {command for _, command in app.screen.hits}
    press(app, *key)
    assert app.hand.warn, "one free door a turn"
    press(app, pygame.K_SPACE)
    press(app, *key)
    assert app.hand.battlemap.barriers[0].state == "closed"


def test_actions(app):
    (act,), (dash,), (disengage,) = every("act"), every("dash"), every("disengage")
    press(app, *dash)
    assert status(app).turn.dashes
    press(app, *act)
    assert app.hand.warn, "the action is gone"
    press(app, pygame.K_SPACE)
    press(app, *disengage)
    assert status(app).turn.disengaged
    press(app, pygame.K_SPACE)
    press(app, *act)
    assert status(app).turn.actions == 0


@pytest.mark.parametrize("posture", ["standing", "crouched", "prone"])
def test_digits_change_the_posture(app, posture):
    for key in every(f"posture_{posture}"):
        app.hand.table.do(Place("raven", Cell(1, 6), "prone" if posture == "standing" else "standing"))
        press(app, *key)
        assert status(app).state.posture == posture
        press(app, pygame.K_SPACE)


@pytest.mark.parametrize("posture", ["standing", "crouched", "prone"])
def test_shifted_digits_choose_how_to_arrive(app, posture):
    for key in every(f"arrive_{posture}"):
        press(app, *key)
        assert app.hand.arrive == posture


@pytest.mark.parametrize("toggle", ["reach", "costs", "odds", "enemy", "grid", "legend", "explain", "measure"])
def test_toggles(app, toggle):
    holder = app.screen.shown if hasattr(app.screen.shown, toggle) else app.screen
    before = getattr(holder, toggle)
    for key in every(toggle):
        press(app, *key)
        holder = app.screen.shown if hasattr(app.screen.shown, toggle) else app.screen
        assert getattr(holder, toggle) is not before
        app.draw()


def test_t_looks_one_two_three_turns_ahead(app):
    (key,) = every("turns")
    seen = []
    for _ in range(3):
        press(app, *key)
        seen.append(app.hand.turns)
    assert sorted(seen) == [1, 2, 3]


@pytest.mark.parametrize(("larger", "smaller"), list(zip(every("zoom_in"), every("zoom_out") * 2, strict=False)))
def test_plus_and_minus_zoom(app, larger, smaller):
    scale = app.screen.camera.scale
    press(app, *larger)
    assert app.screen.camera.scale > scale
    press(app, *smaller)
    assert app.screen.camera.scale == pytest.approx(scale)


@pytest.mark.parametrize("key", every("fit"))
def test_zero_shows_the_whole_map(app, key):
    scale = app.screen.camera.scale
    press(app, pygame.K_PLUS)
    press(app, *key)
    assert app.screen.camera.scale == pytest.approx(scale)


def test_text_grows_and_shrinks(app):
    strip = app.screen.frame.strip.height
    for key in every("larger"):
        press(app, *key)
    app.draw()
    assert app.screen.frame.strip.height > strip
    for key in [*every("smaller"), *every("smaller")]:
        press(app, *key)
    app.draw()
    assert app.screen.size <= 1.15


@pytest.mark.parametrize(("way", "dx", "dy"), [("left", -1, 0), ("right", 1, 0), ("up", 0, -1), ("down", 0, 1)])
def test_arrows_move_the_view(app, way, dx, dy):
    for key in every(way):
        x, y = app.screen.camera.origin
        press(app, *key)
        moved = app.screen.camera.origin[0] - x, app.screen.camera.origin[1] - y
        assert (moved[0] * dx, moved[1] * dy) != (0, 0)
        assert moved[0] * dx >= 0
        assert moved[1] * dy >= 0


def test_levels(library):
    rows = {"ground": ["....", "...."], "roof": ["....", "...."]}
    battlemap = Battlemap.from_rows(rows, rules="plain", movers=(Mover("ant", at=Cell(1, 1)),))
    app = App(battlemap, "ant", text=1.0, library=library)
    (up,), (down,) = every("level_up"), every("level_down")
    press(app, *up)
    assert app.hand.level == 1
    app.draw()
    press(app, *up)
    assert app.hand.warn
    press(app, *down)
    assert app.hand.level == 0
    pygame.display.quit()


def test_exploring_hides_what_is_not_seen_and_k_shows_it(app):
    (explore,), (fog,) = every("explore"), every("fog")
    press(app, *explore)
    known = app.hand.table.known("raven")
    assert Cell(1, 6) in known
    assert Cell(6, 3) not in known, "inside the walls"
    app.draw()
    x, y = app.screen.pixel_of(Cell(6, 3))
    dark = app.screen.surface.get_at((x, y))
    press(app, *fog)
    assert app.screen.shown.referee
    app.draw()
    assert app.screen.surface.get_at((x, y)) != dark
    press(app, *fog)
    assert not app.screen.shown.referee


def test_walking_on_uncovers_what_comes_into_sight(app):
    press(app, *every("explore")[0])
    before = app.hand.table.known("raven")
    click(app, app.screen.pixel_of(Cell(6, 6)))
    after = app.hand.table.known("raven")
    assert before < after
    assert Cell(6, 4) in after, "through the gap in the wall"


def test_i_puts_a_walker_where_the_pointer_is(app, library):
    ((key, mods),) = every("walker")
    empty = App(Battlemap.from_rows(["...", ".#."]), text=1.0, library=library)
    empty.draw()
    press(empty, key, mods)
    assert empty.hand.warn, "where to?"
    point(empty, empty.screen.pixel_of(Cell(1, 1)))
    press(empty, key, mods)
    assert empty.hand.warn, "solid rock"
    assert empty.hand.battlemap.movers == ()
    for count, cell in enumerate((Cell(0, 0), Cell(2, 1)), 1):
        point(empty, empty.screen.pixel_of(cell))
        press(empty, key, mods)
        assert empty.hand.selected == f"walker {count}"
        assert empty.hand.table.state(f"walker {count}").cell == cell
        empty.draw()


@pytest.mark.parametrize("key", every("help"))
def test_help_opens_and_escape_or_its_own_key_closes_it(app, key):
    for closing in (key, (pygame.K_ESCAPE, 0)):
        press(app, *key)
        assert app.screen.help
        app.draw()
        press(app, pygame.K_F7)
        assert app.screen.help, "other keys leave it open"
        press(app, *closing)
        assert not app.screen.help


PAGES = {
    "help": (pygame.K_F1, 0), "legend": (pygame.K_l, 0), "menu": (pygame.K_F10, 0), "what": (pygame.K_w, 0),
    "setup": (pygame.K_COMMA, CTRL), "maps": (pygame.K_o, CTRL),
}  # fmt: skip


@pytest.mark.parametrize("page", PAGES)
def test_a_page_that_is_open_keeps_every_key(app, page):
    """No key of the table does what it does without the page, and none but its own closes it."""
    point(app, app.screen.pixel_of(Cell(4, 6)))
    press(app, *PAGES[page])
    own = {name for key in KEYS if key.waits == app.desk.page() for name in key.names}
    press(app, pygame.K_ESCAPE)
    for key in KEYS:
        for name in key.names:
            if name in own or key.waits or key.command in ("drop", "quit", page):
                continue
            if page == "setup" and key.command in ("undo", "redo", "larger", "smaller"):
                continue
            if page in ("menu", "what") and key.command in ("menu", "what"):
                continue
            press(app, *PAGES[page])
            opened = app.desk.page()
            assert opened
            screen, hand = app.screen, app.hand
            before = hand.session.position, hand.selected, screen.shown, screen.camera, hand.waypoints, screen.log
            mods = (SHIFT if key.shift else 0) | (CTRL if key.ctrl else 0)
            code = getattr(pygame, f"K_{name}")
            letter = name if len(name) == 1 and not key.ctrl else ""
            app.handle(pygame.event.Event(pygame.KEYDOWN, key=code, mod=mods, unicode=letter))
            app.handle(pygame.event.Event(pygame.KEYUP, key=code, mod=0, unicode=""))
            app.mods = 0
            assert app.desk.page() == opened, (key.command, name)
            now = hand.session.position, hand.selected, screen.shown, screen.camera, hand.waypoints, screen.log
            assert now == before, (key.command, name)
            press(app, pygame.K_ESCAPE)
            assert not app.desk.page()


@pytest.mark.parametrize("key", every("maps"))
def test_maps_are_offered_and_a_digit_opens_one(app, key):
    press(app, *key)
    _, _, rows, bad = app.screen.rows
    assert rows
    assert not bad
    app.draw()
    press(app, *every("digit_row:1")[0])
    assert app.screen.rows is None
    assert app.hand.battlemap.source.endswith(rows[0][2].rpartition("/")[2])


def test_every_digit_chooses_its_row(app):
    for n in range(1, 10):
        for key in every(f"digit_row:{n}"):
            press(app, pygame.K_o, CTRL)
            rows = app.screen.rows[2]
            press(app, *key)
            if n <= len(rows) and rows[n - 1][2].startswith("open:"):
                assert app.hand.battlemap.source == rows[n - 1][2].removeprefix("open:")
            app.screen.rows = None


@pytest.mark.parametrize("key", every("picture"))
def test_ctrl_p_saves_a_picture(app, key, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    press(app, *key)
    assert len(list(tmp_path.glob("*.png"))) == 1


@pytest.mark.parametrize("key", every("quit"))
def test_ctrl_q_closes_the_window(app, key):
    press(app, *key)
    assert not app.running


# -- rolls ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("n", range(10))
def test_digits_type_a_total(roller, n):
    for key in every(f"digit:{n}"):
        press(roller, pygame.K_1)
        press(roller, *key)
        assert roller.hand.typed == f"1{n}"
        roller.draw()
        press(roller, pygame.K_BACKSPACE)
        press(roller, pygame.K_BACKSPACE)
    assert roller.hand.typed == ""
    assert status(roller, "rey").state.posture == "standing", "digits are no postures now"


def test_the_typed_total_is_taken_with_enter(roller):
    press(roller, pygame.K_7)
    roller.draw()
    question = roller.screen.page(roller.hand.reach, roller.hand.route).said("question")
    assert question.typed == "7"
    assert "misses by" in question.verdict
    press(roller, pygame.K_RETURN)
    assert roller.hand.table.pending is None
    assert status(roller, "rey").state.cell != Cell(3, 1)
    roller.draw()
    assert roller.screen.playback.failed


def test_a_total_that_the_dice_cannot_show_is_told_before_it_is_taken(roller):
    for _ in range(3):
        press(roller, pygame.K_9)
    question = roller.screen.page(roller.hand.reach, roller.hand.route).said("question")
    assert question.verdict == "no 4D can show 999"
    assert not question.good
    press(roller, pygame.K_RETURN)
    assert roller.hand.table.pending is not None


def test_a_typed_total_leaves_enter_one_button_and_the_dice_have_their_own_key(roller):
    press(roller, pygame.K_7)
    roller.draw()
    buttons = roller.screen.page(roller.hand.reach, roller.hand.route).said("question").buttons
    assert [label for label, _ in buttons if "Enter" in label] == ["Take 7 (Enter)"]
    assert ("Roll (D)", "roll") in buttons
    for key in every("roll"):
        press(roller, *key)
    assert roller.hand.table.pending is None
    (rolled,) = roller.hand.done[2].of(Rolled)
    assert rolled.dice, "the dice were thrown, the total was not taken"


def test_p_says_that_the_roll_was_passed(roller):
    for key in every("passed"):
        press(roller, *key)
    assert roller.hand.table.pending is None
    (rolled,) = roller.hand.done[2].of(Rolled)
    assert rolled.passed


def test_n_is_refused_where_the_margin_says_what_comes_of_a_failure(roller):
    for key in every("failed"):
        press(roller, *key)
    assert roller.hand.table.pending is not None
    assert roller.hand.warn


def test_f5_reads_the_file_again(library, tmp_path):
    path = tmp_path / "room.yaml"
    path.write_text(ROOM.format(name="Room"), encoding="utf-8")
    app = App(read(path), "ant", text=1.0, library=library)
    path.write_text(ROOM.format(name="Hall"), encoding="utf-8")
    press(app, *every("reload")[0])
    assert app.hand.battlemap.name == "Hall"
    pygame.display.quit()


ROOM = """schema: 1
name: {name}
grid: {{type: square, cell: 5, unit: ft}}
rules: plain
legend:
  ".": {{terrain: floor}}
rows: |
  .....
  .....
movers:
  - {{id: ant, at: A1}}
  - {{id: bee, at: C2}}
"""


@pytest.fixture
def numberless(library):
    """A move that waits for a roll of a level, without a number."""
    rey = Mover("rey", at=Cell(0, 1), stats={"running": "4D"})
    legend = {"%": {"terrain": "rubble", "rough": True, "level": "D"}}
    rows = ["......", "..%%..", "......"]
    battlemap = Battlemap.from_rows(rows, legend, cell=2, unit="m", rules="d6-reup", movers=(rey,))
    made = App(battlemap, "rey", text=1.0, library=library)
    pygame.event.clear()
    made.hand.click(Cell(3, 1))
    made.draw()
    assert made.hand.table.pending is not None
    yield made
    pygame.display.quit()


def digits(app, number):
    for digit in number:
        press(app, getattr(pygame, f"K_{digit}"))


def asked_now(app):
    app.draw()
    return app.screen.page(app.hand.reach, app.hand.route).said("question")


@pytest.mark.parametrize("how", [pygame.K_7, pygame.K_p, pygame.K_n, pygame.K_d, pygame.K_RETURN, pygame.K_SPACE])
def test_a_roll_without_a_number_takes_the_game_masters_first(numberless, how):
    assert "?" not in asked_now(numberless).text
    press(numberless, pygame.K_p)
    assert numberless.hand.table.pending is not None
    assert "number first" in numberless.hand.message
    digits(numberless, "18")
    assert asked_now(numberless).buttons == (("Roll against 18 (Enter)", "total"),)
    press(numberless, pygame.K_RETURN)
    question = asked_now(numberless)
    assert "against 18" in question.text
    assert len(question.buttons) == 3
    press(numberless, how)
    if how == pygame.K_7:
        assert "misses by 11" in asked_now(numberless).verdict
        press(numberless, pygame.K_RETURN)
    if how == pygame.K_n:  # by how much it failed is needed here
        assert numberless.hand.warn
        digits(numberless, "7")
        press(numberless, pygame.K_RETURN)
    assert numberless.hand.table.pending is None, numberless.hand.message
    assert (numberless.hand.typed, numberless.hand.number) == ("", "")


def test_the_number_can_be_chosen_without_a_keyboard(numberless):
    offered = asked_now(numberless).buttons
    assert [label for label, _ in offered] == ["16", "17", "18", "19", "20"], "what level D allows"
    box = next(box for box, command in numberless.screen.hits if command == "number:18")
    click(numberless, box.center)
    assert numberless.hand.number == "18"
    assert "against 18" in asked_now(numberless).text


def test_a_number_outside_its_level_is_told_and_can_be_mended(numberless):
    digits(numberless, "99")
    assert "99 is no number for" in asked_now(numberless).verdict
    press(numberless, pygame.K_RETURN)
    assert numberless.hand.warn
    assert not numberless.hand.number
    press(numberless, pygame.K_ESCAPE)
    digits(numberless, "17")
    numberless.draw()
    press(numberless, pygame.K_SPACE)
    assert numberless.hand.number == "17"
    press(numberless, pygame.K_BACKSPACE)
    assert not numberless.hand.number
