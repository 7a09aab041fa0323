"""Games under the window: kept from the first move on, found again, gone on with in the middle of a roll."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

pygame = pytest.importorskip("pygame")

from tactical import assets  # noqa: E402
from tactical.play.session import Session  # noqa: E402
from tactical.units import Cell  # noqa: E402
from tactical.viewer.app import App, go_on, run  # noqa: E402
from tactical.viewer.files.library import Library, read  # noqa: E402
from tests.viewer.test_app import click, press  # noqa: E402

CTRL, SHIFT = pygame.KMOD_LCTRL, pygame.KMOD_LSHIFT
QUARRY = """\
name: Quarry
grid: {cell: 2, unit: m}
rules: d6-reup
legend:
  "%": {terrain: rubble, rough: true, level: D, number: 18}
rows: |
  ......
  ..%%..
  ......
movers: [{id: rey, at: A2, stats: {running: 4D}}]
"""


@pytest.fixture
def library(tmp_path):
    return Library(tmp_path / "settings")


@pytest.fixture
def quarry(tmp_path):
    folder = tmp_path / "maps"
    folder.mkdir()
    path = folder / "quarry.yaml"
    path.write_text(QUARRY, encoding="utf-8")
    return path


def open_window(battlemap, library, **more):
    app = App(battlemap, text=1.0, library=library, **more)
    pygame.event.clear()
    app.draw()
    return app


@pytest.fixture
def app(battlemap, library):
    made = open_window(battlemap, library)
    yield made
    pygame.display.quit()


def kept(library):
    return sorted(library.games.glob("*.jsonl"))


def test_nothing_is_written_before_anything_is_done(app, library):
    click(app, app.screen.pixel_of(Cell(0, 0)))
    press(app, pygame.K_TAB)
    assert kept(library) == []
    press(app, pygame.K_q, CTRL)
    assert not app.running


def test_every_move_is_on_the_disk_when_it_is_done(app, library):
    for count, cell in enumerate((Cell(2, 6), Cell(3, 6), Cell(4, 6)), 1):
        click(app, app.screen.pixel_of(cell))
        [path] = kept(library)
        again = Session.load(path)
        assert len(again.log) == count
        assert again.position.status("raven").state.cell == cell
    press(app, pygame.K_z)
    assert Session.load(path).position.status("raven").state.cell == Cell(3, 6)
    press(app, pygame.K_q, CTRL)
    assert not app.running, "nothing can be lost, so nothing is asked"


def test_a_game_goes_on_in_its_file(app, library):
    click(app, app.screen.pixel_of(Cell(3, 6)))
    [path] = kept(library)
    app.desk.games.leave()
    pygame.display.quit()
    second = open_window(Session.load(path).battlemap, library)
    assert second.open_map(path)
    assert second.hand.table.state("raven").cell == Cell(3, 6)
    second.hand.select("raven")
    click(second, second.screen.pixel_of(Cell(4, 6)))
    assert kept(library) == [path]
    assert len(Session.load(path).log) == 2
    press(second, pygame.K_z)
    press(second, pygame.K_z)
    assert second.hand.table.state("raven").cell == Cell(1, 6), "taking back goes on past the opening"


def test_a_game_goes_on_in_the_middle_of_a_roll(quarry, library):
    app = open_window(read(quarry), library)
    app.hand.click(Cell(3, 1))
    app.desk.see()
    assert app.hand.table.pending is not None
    [path] = kept(library)
    app.desk.games.leave()
    before = app.hand.route, app.hand.priced
    assert app.open_map(path)
    assert app.hand.table.pending is not None
    assert (app.hand.route, app.hand.priced) == before, "the waiting way is drawn as it was when it was ordered"
    assert app.screen.page(app.hand.reach, app.hand.route).said("question") is not None
    press(app, pygame.K_p)
    assert app.hand.table.pending is None
    assert app.hand.table.state("rey").cell == Cell(3, 1)
    assert [one["n"] for one in map(json.loads, path.read_text().splitlines()[1:])] == [1, 2]
    pygame.display.quit()


def test_a_map_that_is_opened_anew_tells_of_its_last_game(quarry, library):
    app = open_window(read(quarry), library)
    assert "is kept" not in app.hand.message
    app.hand.click(Cell(3, 1))
    app.desk.see()
    app.desk.games.leave()
    again = open_window(read(quarry), library)
    assert again.hand.message == "a game of this map is kept from 0 minutes ago: Ctrl-O opens it"
    assert len(kept(library)) == 1, "looking begins no game"
    pygame.display.quit()


def test_ctrl_s_tells_where_the_game_is_kept(app, library):
    press(app, pygame.K_s, CTRL)
    [path] = kept(library)
    assert str(path) in app.hand.message


def test_a_copy_lies_beside_the_map_and_goes_on(quarry, library):
    app = open_window(read(quarry), library)
    press(app, pygame.K_s, CTRL | SHIFT)
    press(app, pygame.K_s, CTRL | SHIFT)
    first, second = quarry.parent / "quarry.jsonl", quarry.parent / "quarry-2.jsonl"
    assert first.is_file()
    assert second.is_file()
    press(app, pygame.K_LCTRL)
    click(app, app.screen.pixel_of(Cell(3, 1)))
    assert len(Session.load(second).log) == 1
    assert len(Session.load(first).log) == 0
    pygame.display.quit()


def test_games_stand_in_the_list_and_open_by_their_number(app, library):
    click(app, app.screen.pixel_of(Cell(3, 6)))
    before = app.hand.session
    press(app, pygame.K_o, CTRL)
    _, where, command = app.screen.rows[2][0]
    assert "game" in where
    assert command == f"open:{kept(library)[0]}"
    app.draw()
    press(app, pygame.K_1)
    assert app.screen.rows is None
    assert app.hand.session is not before
    assert app.hand.table.state("raven").cell == Cell(3, 6)


def test_a_damaged_game_says_the_line(app, tmp_path):
    click(app, app.screen.pixel_of(Cell(3, 6)))
    [path] = kept(app.desk.library)
    bad = tmp_path / "bad.jsonl"
    bad.write_bytes(path.read_bytes().replace(b'"n":1', b'"n":7'))
    before = app.hand
    assert not app.open_map(bad)
    assert app.hand is before
    assert app.screen.rows[3]
    assert "entry 1 is missing" in app.screen.rows[2][0][0]


def test_closing_asks_only_where_something_is_lost(battlemap, tmp_path):
    blocked = tmp_path / "blocked"
    blocked.write_text("a file where the folder should be", encoding="utf-8")
    app = open_window(battlemap, Library(blocked))
    pygame.event.post(pygame.event.Event(pygame.QUIT))
    click(app, app.screen.pixel_of(Cell(3, 6)))
    assert app.hand.warn, "it is told at once that nothing is kept"
    assert app.running is False, "there was nothing to lose when it was closed"
    app.running, app.desk.leaving = True, False
    press(app, pygame.K_q, CTRL)
    assert app.running
    assert len(app.screen.rows[2]) == 3
    app.draw()
    press(app, pygame.K_3)
    assert app.running
    assert app.screen.rows is None
    press(app, pygame.K_q, CTRL)
    blocked.unlink()
    press(app, pygame.K_1)
    assert not app.running
    [path] = (blocked / "games").glob("*.jsonl")
    assert len(Session.load(path).log) == 1
    pygame.display.quit()


def test_what_cannot_be_saved_can_be_closed_all_the_same(battlemap, tmp_path):
    blocked = tmp_path / "blocked"
    blocked.write_text("", encoding="utf-8")
    app = open_window(battlemap, Library(blocked))
    click(app, app.screen.pixel_of(Cell(3, 6)))
    press(app, pygame.K_q, CTRL)
    press(app, pygame.K_2)
    assert not app.running
    pygame.display.quit()


def test_another_map_begins_another_game(app, library, quarry):
    click(app, app.screen.pixel_of(Cell(3, 6)))
    assert app.open_map(quarry)
    assert len(kept(library)) == 1
    click(app, app.screen.pixel_of(Cell(3, 1)))
    names = [Path(path).name for path in kept(library)]
    assert len(names) == 2
    assert any(name.startswith("Yard ") for name in names)
    assert any(name.startswith("quarry ") for name in names)


def test_whoever_was_put_on_the_map_is_kept_too(app, library):
    app.hand.point_at(Cell(6, 7))
    press(app, pygame.K_i)
    [path] = kept(library)
    assert "walker 1" in Session.load(path).position.statuses


def test_going_on_with_a_game_begins_no_other_file(battlemap, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    games = tmp_path / "tactical" / "games"
    first = open_window(battlemap, Library(tmp_path / "tactical"))
    click(first, first.screen.pixel_of(Cell(3, 6)))
    (game,) = games.glob("*.jsonl")
    first.desk.games.leave()
    opened = []

    def run(self):
        opened.append(self)

    monkeypatch.setattr(App, "run", run)
    go_on(game, text=1.0)
    again = opened.pop()
    assert again.desk.games.path == game
    pygame.event.clear()
    again.draw()
    click(again, again.screen.pixel_of(Cell(4, 6)))
    assert list(games.glob("*.jsonl")) == [game]
    pygame.display.quit()


def test_no_two_new_games_throw_the_same_dice(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    seeds = []
    monkeypatch.setattr(App, "run", lambda self: seeds.append(self.hand.session.position.seed))
    opened = read(assets.maps("starport"))
    for _ in range(2):
        run(opened, text=1.0)
    app = App(opened, text=1.0, library=Library(tmp_path / "tactical"))
    for name in ("starport", "crossroads"):
        assert app.desk.open(assets.maps(name))
        seeds.append(app.hand.session.position.seed)
    assert len(set(seeds)) == 4, "what a table's first roll shows must not be known beforehand"
    pygame.display.quit()


@pytest.mark.parametrize("name", ["village", "small/ford.yaml"])
def test_a_picture_of_a_sample_map_is_not_written_beside_it(library, tmp_path, monkeypatch, name):
    """What comes with tactical lies where it was installed: nobody looks there, and it is not the player's to fill."""
    monkeypatch.chdir(tmp_path)
    path = assets.maps(name)
    before = sorted(path.parent.iterdir())
    window = open_window(read(path), library)
    press(window, pygame.K_p, CTRL)
    assert sorted(path.parent.iterdir()) == before
    assert [found.name for found in tmp_path.glob("*.png")] == [f"{path.stem}-1.png"]
    pygame.display.quit()


def test_a_picture_of_a_map_of_ones_own_lies_beside_it(quarry, library, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    window = open_window(read(quarry), library)
    press(window, pygame.K_p, CTRL)
    assert (quarry.parent / "quarry-1.png").exists()
    assert not list(tmp_path.glob("*.png"))
    pygame.display.quit()
