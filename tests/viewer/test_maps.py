"""Maps under the window: dropped, changed on disk, broken, remembered; large bodies; doors without names."""

from __future__ import annotations

import os

import pytest

pygame = pytest.importorskip("pygame")

from tactical.play.commands import Place  # noqa: E402
from tactical.show.scene.bodies import aim, covered  # noqa: E402
from tactical.units import Cell  # noqa: E402
from tactical.viewer.app import App  # noqa: E402
from tactical.viewer.files.library import Library, read  # noqa: E402
from tactical.viewer.playing.table import named  # noqa: E402
from tactical.world.battlemap import Battlemap  # noqa: E402
from tactical.world.edges.barriers import Barrier, Kind  # noqa: E402
from tactical.world.mover import Mover  # noqa: E402
from tests.viewer.test_app import click, point, press, pump, wait_for  # noqa: E402
from tests.viewer.test_keys import ROOM  # noqa: E402


@pytest.fixture
def library(tmp_path):
    return Library(tmp_path / "settings")


@pytest.fixture
def room(tmp_path):
    path = tmp_path / "room.yaml"
    path.write_text(ROOM.format(name="Room"), encoding="utf-8")
    return path


@pytest.fixture
def app(room, library):
    made = App(read(room), "ant", text=1.0, library=library)
    pygame.event.clear()
    made.draw()
    yield made
    pygame.display.quit()


def write(path, text):
    """Save a file so that its time of change is another one for certain."""
    path.write_text(text, encoding="utf-8")
    os.utime(path, ns=(path.stat().st_atime_ns, path.stat().st_mtime_ns + 10_000_000))


def look(app):
    """Wait until the window has looked at its file."""
    before = app.looked_at
    wait_for(app, lambda: app.looked_at != before)


def test_a_dropped_file_is_opened(app, tmp_path):
    other = tmp_path / "other.yaml"
    other.write_text(ROOM.format(name="Other"), encoding="utf-8")
    pygame.event.post(pygame.event.Event(pygame.DROPFILE, file=str(other)))
    pump(app)
    assert app.hand.battlemap.name == "Other"
    assert pygame.display.get_caption()[0].startswith("Other")
    app.draw()
    assert app.desk.library.recent() == [other.resolve(), (tmp_path / "room.yaml").resolve()]


def test_a_broken_file_shows_all_its_faults_and_the_map_before_stays(app, tmp_path):
    bad = tmp_path / "bad.yaml"
    bad.write_text(ROOM.format(name="Bad").replace("cell: 5", "cell: -5").replace("at: C2", "at: Z9"), encoding="utf-8")
    pygame.event.post(pygame.event.Event(pygame.DROPFILE, file=str(bad)))
    pump(app)
    title, _, rows, is_bad = app.screen.rows
    assert is_bad
    assert "bad.yaml" in title
    assert len(rows) >= 1
    assert any(":" in place for _, place, _ in rows), "with line and column"
    app.draw()
    assert app.hand.battlemap.name == "Room"
    press(app, pygame.K_ESCAPE)
    assert app.screen.rows is None


def test_every_map_is_drawn_on_its_own_picture(app, tmp_path):
    """The picture of a map that is closed is gone; another one may lie where it lay."""
    colours = {"red": (200, 30, 30), "blue": (30, 30, 200)}
    for name, colour in colours.items():
        drawn = pygame.Surface((80, 40))
        drawn.fill(colour)
        pygame.image.save(drawn, str(tmp_path / f"{name}.png"))
        text = ROOM.format(name=name).partition("movers:")[0]
        picture = f"picture: {{file: {name}.png, pixels: 16}}\n"
        (tmp_path / f"{name}.yaml").write_text(text + picture, encoding="utf-8")
    for name in ("red", "blue") * 6:
        pygame.event.post(pygame.event.Event(pygame.DROPFILE, file=str(tmp_path / f"{name}.yaml")))
        pump(app)
        app.draw()
        red, _, blue = app.screen.surface.get_at(app.screen.pixel_of(Cell(2, 0)))[:3]
        assert (red > blue) == (name == "red")


def test_what_is_no_map_is_refused_in_words(app, tmp_path):
    for name, data in (("a.png", b"\x89PNG\r\n\x1a\n...."), ("empty.yaml", b""), ("x.bin", bytes(range(256)))):
        (tmp_path / name).write_bytes(data)
        assert not app.open_map(tmp_path / name)
        assert app.screen.rows[3]
    assert not app.open_map(tmp_path / "nowhere.yaml")


def test_a_change_on_disk_is_read_and_everybody_stays(app, room):
    app.hand.click(Cell(3, 1))
    app.hand.change_posture("prone")
    write(room, ROOM.format(name="Changed").replace(".....\n  .....\n", ".....\n  .....\n  .....\n"))
    look(app)
    assert app.hand.battlemap.name == "Changed"
    assert app.hand.battlemap.rows == 3
    assert app.hand.table.state("ant").cell == Cell(3, 1)
    assert app.hand.table.state("ant").posture == "prone"
    assert app.hand.table.turn("ant").spent == 15
    assert app.hand.selected == "ant"
    app.draw()


def test_who_has_no_room_any_more_stands_where_the_file_says(app, room):
    app.hand.table.do(Place("ant", Cell(4, 1)))
    write(room, ROOM.format(name="Small").replace(".....\n  .....\n", "...\n  ...\n"))
    look(app)
    assert app.hand.table.state("ant").cell == Cell(0, 0)
    assert app.hand.warn
    assert "Ant" in app.hand.message


def test_a_file_broken_on_disk_keeps_the_map_and_mends_itself(app, room):
    write(room, "schema: 1\nrows: [\n")
    look(app)
    assert app.screen.rows[3]
    assert app.hand.battlemap.name == "Room"
    write(room, ROOM.format(name="Mended"))
    look(app)
    assert app.screen.rows is None
    assert app.hand.battlemap.name == "Mended"


def test_nothing_is_read_while_nothing_changes(app, monkeypatch):
    monkeypatch.setattr("tactical.viewer.shelf.read", lambda path: pytest.fail("read again"))
    look(app)
    look(app)


def test_the_list_survives_a_folder_that_cannot_be_written(tmp_path):
    blocked = tmp_path / "file"
    blocked.write_text("x")
    library = Library(blocked / "inside")
    library.note(tmp_path / "map.yaml")
    assert library.recent() == []
    (tmp_path / "recent.json").write_text("{not json")
    assert Library(tmp_path).recent() == []


def test_a_large_body_is_aimed_by_any_cell_it_would_cover(library):
    rows = ["........", "........", "...##...", "........", "........"]
    ogre = Mover("ogre", at=Cell(0, 0), size=2)
    app = App(Battlemap.from_rows(rows, rules="operator", movers=(ogre,)), "ogre", text=1.0, library=library)
    app.draw()
    reach = app.hand.reach
    lit = covered(reach, reach.cells())
    for cell, place in lit.items():
        if place == reach.start.cell:
            continue
        assert cell in app.hand.battlemap.body(place, 2), "the body covers what was pointed at"
        app.hand.point_at(cell)
        assert app.hand.target == place
        assert app.hand.route
    assert aim(reach, Cell(7, 4)) == Cell(6, 3), "its last column is reached with the body's far side"
    point(app, app.screen.pixel_of(Cell(7, 1)))
    app.draw()
    click(app, app.screen.pixel_of(Cell(7, 1)))
    assert app.hand.table.state("ogre").cell == Cell(6, 1)
    pygame.display.quit()


def test_doors_without_a_name_get_one():
    door = Barrier(((2, 0), (2, 1)), Kind.DOOR)
    kept = Barrier(((3, 0), (3, 1)), Kind.DOOR, "door 1")
    battlemap = Battlemap.from_cells(5, 2, barriers=(door, kept))
    assert [barrier.id for barrier in named(battlemap).barriers] == ["door 2", "door 1"]
    assert named(named(battlemap)) == named(battlemap)


def test_large_text_needs_no_other_layout(room, library):
    app = App(read(room), "ant", text=2.0, library=library)
    app.draw()
    assert app.screen.surface.get_size() == (2560, 1600)
    assert app.screen.panel_area.width == 640
    boxes = {command: box for box, command in app.screen.hits}
    click(app, boxes["posture_prone"].center)
    assert app.hand.table.state("ant").posture == "prone"
    pygame.display.quit()


def test_buttons_have_something_to_say(app):
    boxes = {command: box for box, command in app.screen.hits}
    point(app, boxes["posture_prone"].center)
    wait_for(app, lambda: app.screen.tip)
    assert "key 3" in app.screen.hint_at(app.screen.pointer)
    app.draw()


PAIR = (
    ROOM.split("movers:", maxsplit=1)[0]
    + """movers:
  - {{id: ant, at: {ant}, side: a, stats: {{speed: 30}}}}
  - {{id: bee, at: {bee}, side: a, posture: {bent}, stats: {{speed: 30}}}}
"""
)


@pytest.mark.parametrize("played", [False, True])
@pytest.mark.parametrize("to", ["D1", "E2"])
def test_who_is_put_elsewhere_in_the_file_stands_there_and_all_others_stay(room, library, played, to):
    def file(**other):
        return PAIR.format(**{"name": "Room", "ant": "A1", "bee": "C2", "bent": "standing", **other})

    write(room, file())
    app = App(read(room), "ant", text=1.0, library=library)
    where = {"ant": Cell(0, 0), "bee": Cell(2, 1)}
    if played:
        for name in ("ant", "bee"):
            where[name] = Cell(where[name].col + 1, where[name].row)
            app.hand.select(name)
            app.hand.click(where[name])
            assert app.hand.table.state(name).cell == where[name]
    for change in ({"ant": to}, {"ant": to, "bent": "prone"}, {"ant": to, "bent": "prone", "name": "Hall"}):
        before = app.hand.table.state("bee").cell
        write(room, file(**change))
        press(app, pygame.K_F5)
        app.draw()
        assert app.hand.table.state("ant").cell == app.hand.battlemap.cell_named(to)
        bent = "bent" in change
        assert app.hand.table.state("bee").posture == ("prone" if bent else "standing")
        assert app.hand.table.state("bee").cell == (Cell(2, 1) if bent else before)
    pygame.display.quit()
