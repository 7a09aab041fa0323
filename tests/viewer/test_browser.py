"""Opening maps and games from folders: moving through them, previews that come by themselves, what is no map."""

from __future__ import annotations

import pytest

pygame = pytest.importorskip("pygame")

from tests.viewer.test_app import click, press, wait_for  # noqa: E402

CTRL = pygame.KMOD_CTRL
ROOM = "schema: 1\nname: Small room\nrules: operator\nrows: |\n  .....\n  .~...\nlegend: {'~': {terrain: mud}}\n"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder with a map, one that is none, a note and a folder below with another map."""
    place = tmp_path / "shelf"
    (place / "below").mkdir(parents=True)
    (place / "room.yaml").write_text(ROOM, encoding="utf-8")
    (place / "torn.yaml").write_text("rows: [", encoding="utf-8")
    (place / "note.txt").write_text("milk", encoding="utf-8")
    (place / "below" / "deep.yaml").write_text(ROOM.replace("Small", "Deep"), encoding="utf-8")
    monkeypatch.chdir(place)
    return place


def words(app):
    return [row[0] for row in app.screen.rows[2]]


def browse(app):
    press(app, pygame.K_o, CTRL)
    while app.screen.browsing.chosen < len(app.screen.rows[2]) - 1:
        press(app, pygame.K_DOWN)
    press(app, pygame.K_RETURN)
    app.draw()


def preview(app):
    app.draw()
    wait_for(app, lambda: not app.screen.previews.busy)
    return app.screen._preview()


def test_folders_are_gone_through_by_keys_and_a_map_is_opened(app, folder):
    browse(app)
    assert words(app) == ["« one folder up", "below »", "room.yaml", "torn.yaml"]
    press(app, pygame.K_DOWN)
    press(app, pygame.K_RETURN)
    app.draw()
    assert words(app) == ["« one folder up", "deep.yaml"]
    press(app, pygame.K_BACKSPACE)
    app.draw()
    assert "room.yaml" in words(app)
    box = next(box for box, command in app.screen.hits if command.endswith("room.yaml"))
    click(app, box.center)
    assert app.hand.battlemap.name == "Small room"
    assert app.screen.rows is None


def test_the_lit_file_shows_its_map_or_why_it_is_none(app, folder):
    browse(app)
    for _ in range(2):
        press(app, pygame.K_DOWN)
    found = preview(app)
    assert found.words[:2] == ("Small room", "5 × 2 squares of 5 ft")
    assert found.picture.get_width() > found.picture.get_height()
    press(app, pygame.K_DOWN)
    found = preview(app)
    assert found.picture is None
    assert "torn.yaml" in found.words[0]
    app.draw()


def test_a_long_folder_scrolls_and_the_page_stays_in_the_window(app, folder):
    for n in range(60):
        (folder / f"map {n:02}.yaml").write_text(ROOM, encoding="utf-8")
    browse(app)
    press(app, pygame.K_PAGEDOWN)
    press(app, pygame.K_PAGEDOWN)
    app.draw()
    page = app.screen.browsing
    assert page.first > 0
    assert page.first <= page.chosen < page.first + page.room
    assert app.screen.over().height * app.screen.size <= app.screen.surface.get_height()
    app.handle(pygame.event.Event(pygame.MOUSEWHEEL, x=0, y=50, flipped=False))
    assert page.first == 0
    press(app, pygame.K_ESCAPE)
    assert app.screen.browsing is None
