"""Events in the order in which they happened: what a held key repeats, what Space does, whose modifiers count."""

from __future__ import annotations

import pytest

pygame = pytest.importorskip("pygame")

from tactical import assets  # noqa: E402
from tactical.units import Cell  # noqa: E402
from tactical.viewer.app import App  # noqa: E402
from tactical.viewer.controls import KEYS, REPEATED  # noqa: E402
from tactical.viewer.files.library import Library, read  # noqa: E402
from tests.viewer.test_app import click, key_event, place, press, pump  # noqa: E402

CTRL = pygame.KMOD_LCTRL
DOWN, UP = pygame.KEYDOWN, pygame.KEYUP


def hold(app, key, mods=0, repeats=15, drawn=True):
    """A key held: pygame says KEYDOWN again and again; without `drawn` they pile up while a frame stalls."""
    for _ in range(repeats):
        pygame.event.post(key_event(DOWN, key, mods))
        if drawn:
            pump(app)
            app.draw()
    pygame.event.post(key_event(UP, key, 0))
    pump(app)
    app.draw()


def button(app):
    """What stands on the button of Space, as it is painted."""
    return app.screen.onward


def turn(app):
    return app.hand.table.turn("raven").turn


@pytest.mark.parametrize("drawn", [True, False], ids=["drawn", "stalled"])
def test_a_held_space_ends_one_turn(app, drawn):
    hold(app, pygame.K_SPACE, drawn=drawn)
    assert turn(app) == 2
    press(app, pygame.K_SPACE)
    assert turn(app) == 3, "let go and pressed again it counts again"


@pytest.mark.parametrize("drawn", [True, False], ids=["drawn", "stalled"])
def test_one_ctrl_p_writes_one_file(app, drawn, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    hold(app, pygame.K_p, CTRL, drawn=drawn)
    assert len(list(tmp_path.glob("*.png"))) == 1


@pytest.mark.parametrize("drawn", [True, False], ids=["drawn", "stalled"])
def test_one_z_takes_one_step_back(app, drawn):
    click(app, app.screen.pixel_of(Cell(3, 6)))
    app.draw()
    click(app, app.screen.pixel_of(Cell(5, 6)))
    hold(app, pygame.K_z, drawn=drawn)
    assert place(app) == Cell(3, 6)


def test_only_what_moves_the_view_repeats(app, monkeypatch):
    arrows = {"left", "right", "up", "down"}
    moving = arrows | {f"cursor_{name}" for name in arrows} | {"menu_up", "menu_down"}
    moving |= {f"setup_{name}" for name in ("up", "down", "less", "more", "far_up", "far_down")}
    moving |= {f"list_{name}" for name in ("up", "down", "far_up", "far_down")}
    assert moving | {"zoom_in", "zoom_out", "larger", "smaller"} == REPEATED
    given = []
    monkeypatch.setattr(app, "command", given.append)
    for row in KEYS:
        if row.waits:
            continue
        mods = (pygame.KMOD_LSHIFT if row.shift else 0) | (CTRL if row.ctrl else 0)
        for name in row.names:
            given.clear()
            hold(app, getattr(pygame, f"K_{name}"), mods, repeats=4)
            assert given == [row.command] * (4 if row.command in REPEATED else 1), name
            given.clear()
            hold(app, getattr(pygame, f"K_{name}"), mods, repeats=4, drawn=False)
            assert given == [row.command], f"{name}: what piled up in one frame is one"


def test_a_key_let_go_in_another_window_is_up(app):
    pygame.event.post(key_event(DOWN, pygame.K_SPACE))
    pygame.event.post(pygame.event.Event(pygame.WINDOWFOCUSLOST))
    pump(app)
    app.draw()
    press(app, pygame.K_SPACE)
    assert turn(app) == 3


def test_space_does_what_stands_on_its_button(app):
    assert button(app) == "End turn (Space)"
    click(app, app.screen.pixel_of(Cell(3, 4)), mods=CTRL)
    app.draw()
    assert button(app) == "Go to D5 (Space)"
    app.hand.point_at(Cell(8, 7))
    app.draw()
    assert button(app) == "Go to D5 (Space)", "the pointer is not the plan"
    press(app, pygame.K_SPACE)
    assert (place(app), turn(app)) == (Cell(3, 4), 1)
    app.draw()
    assert button(app) == "End turn (Space)"
    press(app, pygame.K_SPACE)
    assert turn(app) == 2


def test_two_presses_in_a_stalled_frame_do_not_end_the_turn(app):
    click(app, app.screen.pixel_of(Cell(3, 4)), mods=CTRL)
    app.draw()
    press(app, pygame.K_SPACE)
    press(app, pygame.K_SPACE)
    assert (place(app), turn(app)) == (Cell(3, 4), 1), "nobody had seen that it would end the turn"
    assert "End turn" in app.hand.message
    app.draw()
    press(app, pygame.K_SPACE)
    assert turn(app) == 2


def test_one_stalled_frame_ends_one_turn(app):
    app.draw()
    press(app, pygame.K_SPACE)
    press(app, pygame.K_SPACE)
    assert turn(app) == 2, "the button said that it would end the turn, once"
    assert "End turn" in app.hand.message
    app.draw()
    press(app, pygame.K_SPACE)
    assert turn(app) == 3


def test_the_button_of_space_can_be_clicked(app):
    (box,) = (box for box, command in app.screen.hits if command == "do")
    click(app, box.center)
    assert turn(app) == 2


def test_a_plan_of_two_turns_stands_on_the_button(tmp_path):
    app = App(read(assets.maps("village")), "raven", text=1.0, library=Library(tmp_path))
    app.draw()
    click(app, app.screen.pixel_of(app.hand.battlemap.cell_named("S12")), mods=CTRL)
    app.draw()
    assert button(app) == "Go towards S12 (Space)"
    press(app, pygame.K_SPACE)
    app.draw()
    assert button(app) == "End turn (Space)", "nothing more can be done of it this turn"
    press(app, pygame.K_SPACE)
    app.draw()
    assert button(app) == "Go to S12 (Space)"
    pygame.display.quit()


# -- modifiers --------------------------------------------------------------------------------------------------------


def mouse(app, cell, kind):
    return pygame.event.Event(kind, pos=app.screen.pixel_of(cell), button=1)


def test_ctrl_let_go_before_the_click_is_handled_still_counts(app):
    for event in (
        key_event(DOWN, pygame.K_LCTRL, CTRL),
        mouse(app, Cell(3, 4), pygame.MOUSEBUTTONDOWN),
        mouse(app, Cell(3, 4), pygame.MOUSEBUTTONUP),
        key_event(UP, pygame.K_LCTRL),
    ):
        pygame.event.post(event)
    pygame.key.set_mods(0)
    pump(app)
    assert app.hand.waypoints == [Cell(3, 4)]
    assert place(app) == Cell(1, 6), "a Ctrl-click moves nobody"


def test_ctrl_let_go_before_the_button_still_counts(app):
    for event in (
        key_event(DOWN, pygame.K_LCTRL, CTRL),
        mouse(app, Cell(3, 4), pygame.MOUSEBUTTONDOWN),
        key_event(UP, pygame.K_LCTRL),
        mouse(app, Cell(3, 4), pygame.MOUSEBUTTONUP),
    ):
        pygame.event.post(event)
    pump(app)
    assert app.hand.waypoints == [Cell(3, 4)]


def test_ctrl_pressed_after_the_click_is_too_late(app):
    for event in (
        mouse(app, Cell(3, 6), pygame.MOUSEBUTTONDOWN),
        mouse(app, Cell(3, 6), pygame.MOUSEBUTTONUP),
        key_event(DOWN, pygame.K_LCTRL, CTRL),
    ):
        pygame.event.post(event)
    pygame.key.set_mods(CTRL)
    pump(app)
    pygame.key.set_mods(0)
    assert app.hand.waypoints == []
    assert place(app) == Cell(3, 6)
