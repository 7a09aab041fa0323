"""A first evening at the window, mouse and keys only: stand up, cross the brush, open the door, hide, undo it all."""

from __future__ import annotations

import pytest

pygame = pytest.importorskip("pygame")

from tactical import assets  # noqa: E402
from tactical.viewer.app import App  # noqa: E402
from tactical.viewer.files.library import Library, read  # noqa: E402
from tests.viewer.test_app import click, point, press, wait_for  # noqa: E402

CTRL = pygame.KMOD_LCTRL


@pytest.fixture
def app(tmp_path):
    made = App(read(assets.maps("village")), "raven", text=1.0, library=Library(tmp_path))
    pygame.event.clear()
    made.draw()
    yield made
    pygame.display.quit()


def at(app, name):
    return app.screen.pixel_of(app.hand.battlemap.cell_named(name))


def state(app):
    found = app.hand.session.position.status("raven")
    return app.hand.battlemap.name_of(found.state.cell), found.state.posture, found.turn.spent, found.turn.turn


def door(app, name):
    return next(str(barrier.state) for barrier in app.hand.battlemap.barriers if barrier.id == name)


def test_step_by_step_and_all_of_it_taken_back(app):
    press(app, pygame.K_1)
    assert state(app) == ("H14", "standing", 15, 1)
    click(app, at(app, "I15"))
    press(app, pygame.K_d)
    assert door(app, "smithy") == "open"
    click(app, at(app, "I16"))
    press(app, pygame.K_3)
    assert state(app) == ("I16", "prone", 25, 1)
    for _ in range(5):
        press(app, pygame.K_z)
        app.draw()
    assert state(app) == ("H14", "prone", 0, 1)
    assert door(app, "smithy") == "closed"
    press(app, pygame.K_z)
    assert app.hand.warn, "there is nothing more to take back"


def test_as_one_plan_over_the_brush_to_the_low_wall(app):
    click(app, at(app, "C15"), mods=CTRL)
    press(app, pygame.K_3)
    point(app, at(app, "D14"))
    wait_for(app, lambda: app.hand.rested)
    app.draw()
    page = app.screen.page(app.hand.reach, app.hand.route)
    told = [reason.text for reason in page.said("why").reasons]
    assert told[0].startswith("stand up")
    assert any("brush" in text for text in told)
    assert any("low wall" in text for text in told)
    assert told[-1] == "drop prone"
    click(app, at(app, "D14"))
    assert state(app) == ("D14", "prone", 60, 1)
    press(app, pygame.K_u)
    assert state(app) == ("H14", "prone", 0, 1)


def test_in_two_turns_with_space_alone(app):
    click(app, at(app, "C15"), mods=CTRL)
    click(app, at(app, "I16"), mods=CTRL)
    press(app, pygame.K_3)
    assert app.hand.arrive == "prone"
    point(app, at(app, "J17"))
    route = app.hand.route
    assert route.turn == 2
    press(app, pygame.K_RETURN)
    first = state(app)
    assert first[3] == 1
    assert "Space" in app.hand.message
    app.hand.point_at(None)
    for _ in range(6):
        if state(app)[:2] == ("J17", "prone"):
            break
        press(app, pygame.K_SPACE)
        app.draw()
    assert state(app)[0] == "J17"
    assert state(app)[1] == "prone"
    assert state(app)[3] == 2
    assert door(app, "smithy") == "open", "a closed door on the way is opened"
