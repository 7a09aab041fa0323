"""What stands on a map, in the edit mode: moved, changed, taken away, whether the file has it or it was put there."""

from __future__ import annotations

import random

import pytest

pygame = pytest.importorskip("pygame")

import tactical  # noqa: E402
from tactical.play.session import Session  # noqa: E402
from tactical.units import Cell  # noqa: E402
from tactical.viewer.editing.brushes import brushes_of  # noqa: E402
from tactical.viewer.editing.drawing import Drawing  # noqa: E402
from tactical.viewer.editing.palette import TOOLS  # noqa: E402
from tactical.viewer.files.library import read  # noqa: E402
from tactical.viewer.playing import table  # noqa: E402
from tactical.world.edges.barriers import Barrier, Kind  # noqa: E402
from tactical.world.mover import Mover  # noqa: E402
from tests.cli import conftest  # noqa: E402
from tests.viewer import test_editing  # noqa: E402
from tests.viewer.test_app import click, press, pump  # noqa: E402
from tests.viewer.test_editing import at, choose, drag, price  # noqa: E402
from tests.viewer.test_editing_lines import stroke  # noqa: E402
from tests.viewer.test_editing_saved import saved  # noqa: E402
from tests.viewer.test_events import CTRL  # noqa: E402

app, yard, run = test_editing.app, test_editing.yard, conftest.run

TOWER = """\
# the old tower
schema: 1
grid: {cell: 5, unit: ft}
rules: operator
legend:
  ".": {terrain: ground}  # bare
level: yard
rows: |
  ......
  ......
  ......
levels:
  - name: loft
    height: 10
    rows: |
      ......
      ......
      ......
barriers:
  # the front
  - {id: gate, cell: C1, side: east, kind: door, state: closed}  # squeaks
  - {cell: C2, side: east, kind: wall}
  - {line: [[3, 2], [3, 2.5]], kind: wall}
links:
  - {from: A1, to: loft/A1, kind: ladder}
movers:
  - {id: raven, at: A2, side: heroes}  # the thief
  - id: guard  # asleep
    at: F2
    side: watch
"""


@pytest.fixture
def tower(editing, tmp_path):
    path = tmp_path / "tower.yaml"
    path.write_text(TOWER, encoding="utf-8")
    return editing(read(path), "raven")


def write(app, field, words):
    """Click a field of the figure's and write in it, in the place of what is there."""
    choose(app, field)
    for _ in range(len(getattr(app.desk.editor.bench.figures, field))):
        press(app, pygame.K_BACKSPACE)
    for letter in words:
        pygame.event.post(pygame.event.Event(pygame.KEYDOWN, key=pygame.K_a, mod=0, unicode=letter))
    pump(app)
    press(app, pygame.K_RETURN)
    app.draw()


def mover(app, name):
    return app.hand.battlemap.mover(name)


def ways(app):
    name = app.hand.battlemap.name_of
    return [(name(link.start), name(link.end), link.kind) for link in app.hand.battlemap.links]


def test_a_figure_of_the_file_is_dragged_elsewhere_and_its_reach_comes_along(app):
    choose(app, "tool:move")
    drag(app, "A2", "C2", "E2")
    assert mover(app, "raven").at == Cell(4, 1)
    assert app.hand.table.state("raven").cell == Cell(4, 1)
    assert price(app, "F2") == 5
    press(app, pygame.K_z)
    assert mover(app, "raven").at == Cell(0, 1), "one drag is one step"
    drag(app, "H4", button=3)
    assert [one.id for one in app.hand.battlemap.movers] == ["raven"]


def test_walls_and_doors_of_the_file_are_moved_and_taken_away(tower):
    choose(tower, "tool:move")
    stroke(tower, (3.05, 0.5), (4.05, 0.5), (5.05, 0.5))
    gate = next(one for one in tower.hand.battlemap.barriers if one.id == "gate")
    assert gate.line == ((5, 0), (5, 1))
    assert gate.state.value == "closed"
    stroke(tower, (3.05, 1.5), button=3)
    assert [one.line for one in tower.hand.battlemap.barriers] == [((5, 0), (5, 1)), ((3, 2), (3, 2.5))]
    for _ in range(2):
        press(tower, pygame.K_z)
    assert len(tower.hand.battlemap.barriers) == 3
    assert not tower.desk.editor.unsaved


def test_a_door_is_locked_hidden_and_only_shut_again(tower):
    choose(tower, "tool:doors")
    states = []
    for _ in range(3):
        stroke(tower, (3.05, 0.5), button=3)
        states.append(tower.hand.battlemap.barriers[0].state.value)
    assert states == ["locked", "secret", "closed"]


def test_a_polygon_is_closed_by_its_first_corner_and_painted_by_a_click(app):
    choose(app, "tool:polygon")
    choose(app, "impassable")
    for point in ((1.1, 0.1), (6.9, 0.1), (1.1, 3.9)):
        stroke(app, point)
    assert app.desk.editor.bench.selection.corners
    stroke(app, (1.2, 0.2))
    wanted = {Cell(1, 0), Cell(2, 0), Cell(3, 0), Cell(4, 0), Cell(5, 0)}
    wanted |= {Cell(1, 1), Cell(2, 1), Cell(3, 1), Cell(4, 1), Cell(1, 2), Cell(2, 2), Cell(1, 3)}
    assert app.desk.editor.bench.selection.cells == wanted
    assert not app.desk.editor.unsaved
    stroke(app, (1.5, 0.5))
    assert set(app.desk.editor.drawing.work.painted) == wanted
    press(app, pygame.K_z)
    assert not app.desk.editor.unsaved


def test_a_polygons_last_corner_is_taken_back_and_enter_closes_it(app):
    choose(app, "tool:polygon")
    for point in ((1.1, 0.1), (7.9, 3.9), (2.9, 0.1), (2.9, 1.9)):
        stroke(app, point)
    stroke(app, (5, 2), button=3)
    press(app, pygame.K_BACKSPACE)
    assert len(app.desk.editor.bench.selection.corners) == 2
    stroke(app, (1.1, 3.9))
    press(app, pygame.K_RETURN)
    assert Cell(1, 1) in app.desk.editor.bench.selection.cells
    press(app, pygame.K_ESCAPE)
    assert app.desk.editor.on, "the first Esc lets go of what is selected"
    assert not app.desk.editor.bench.selection.cells
    press(app, pygame.K_ESCAPE)
    assert not app.desk.editor.on


def test_a_link_leads_to_another_floor_at_once(tower):
    assert price(tower, "loft/F3") == 30
    choose(tower, "tool:link")
    choose(tower, "way:stairs")
    drag(tower, "B2")
    press(tower, pygame.K_PAGEUP)
    tower.draw()
    drag(tower, "loft/E3")
    assert ways(tower) == [("yard/A1", "loft/A1", "ladder"), ("yard/B2", "loft/E3", "stairs")]
    assert price(tower, "loft/F3") == 10
    drag(tower, "loft/A1", button=3)
    assert ways(tower) == [("yard/B2", "loft/E3", "stairs")]
    press(tower, pygame.K_z)
    press(tower, pygame.K_z)
    assert ways(tower) == [("yard/A1", "loft/A1", "ladder")]


def test_a_figure_of_the_file_is_named_sided_sized_and_given_rules_and_stats(app, yard, run):
    choose(app, "tool:figure")
    drag(app, "H4")
    write(app, "name", "Old Tom")
    write(app, "party", "cooks")
    write(app, "stats", "agile: true, strength: 14")
    choose(app, "size:2")
    assert "off the map" in app.hand.message
    drag(app, "H4", "F2")
    choose(app, "size:2")
    tom = mover(app, "Old Tom")
    assert tom.label == "Old Tom"
    assert (tom.side, tom.size, tom.size_class) == ("cooks", 2, "large")
    assert dict(tom.stats) == {"agile": True, "strength": 14}
    choose(app, "rules:plain")
    assert app.hand.warn, "those rules know no such stats"
    assert mover(app, "Old Tom").rules == ""
    write(app, "stats", "")
    choose(app, "rules:plain")
    assert mover(app, "Old Tom").rules == "plain"
    write(app, "stats", "speed: 25")
    assert dict(mover(app, "Old Tom").stats) == {"speed": 25}
    app.hand.select("Old Tom")
    path = saved(app)
    found = tactical.load(path).mover("Old Tom")
    assert (found.rules, found.side, found.size, dict(found.stats)) == ("plain", "cooks", 2, {"speed": 25})
    assert run("check", str(path)).status == 0
    assert "{id: guard, gone: true}" in path.read_text(encoding="utf-8")


@pytest.mark.parametrize("words", ["speed: -3", "speed", "wings: 2", "speed: {a: 1}", "}", "a: 1}, {b: 2", "speed: x"])
def test_stats_that_no_rules_take_change_nothing_and_are_told(app, words):
    choose(app, "tool:figure")
    choose(app, "rules:plain")
    drag(app, "D3")
    drag(app, "D3")
    before = mover(app, "heroe 1")
    write(app, "stats", words)
    assert app.hand.warn
    assert app.hand.message
    assert mover(app, "heroe 1") == before


def test_a_name_that_is_taken_is_told(app):
    choose(app, "tool:figure")
    drag(app, "A2")
    write(app, "name", "guard")
    assert "'guard'" in app.hand.message
    assert mover(app, "raven").at == Cell(0, 1)


def test_heights_are_drawn_while_the_brush_raises_ground(app):
    choose(app, "higher")
    app.draw()
    flat = pygame.image.tobytes(app.screen.surface.subsurface(app.screen.map_area), "RGB")
    drag(app, "C2", "C3")
    drawing, heights = app.desk.editor.drawing, app.desk.editor._contours.heights
    assert heights(drawing, 0) == {(2, 1): 5, (2, 2): 5}
    assert pygame.image.tobytes(app.screen.surface.subsurface(app.screen.map_area), "RGB") != flat
    press(app, pygame.K_z)
    assert heights(drawing, 0) == {}


def test_what_was_painted_is_told_of_the_cell_under_the_pointer(app):
    choose(app, "shallow water")
    drag(app, "C2")
    app.hand.point_at(Cell(2, 1))
    assert "shallow water" in " ".join(app.screen.cell_words(app.hand.reach))


def into(app):
    press(app, pygame.K_s, CTRL | pygame.KMOD_SHIFT)
    assert not app.hand.warn, app.hand.message


def test_saved_into_a_native_map_its_comments_stay(tower, tmp_path, run):
    choose(tower, "tool:figure")
    drag(tower, "yard/A2")
    choose(tower, "side:watch")
    drag(tower, "yard/F2", button=3)
    choose(tower, "tool:doors")
    stroke(tower, (3.05, 0.5))
    choose(tower, "tool:line")
    stroke(tower, (3.05, 1.5), button=3)
    choose(tower, "tool:brush")
    choose(tower, "difficult")
    drag(tower, "yard/B1", "yard/B3")
    path = tmp_path / "tower.yaml"
    into(tower)
    changed = TOWER.replace("closed}", "open}").replace("  - {cell: C2, side: east, kind: wall}\n", "")
    changed = changed.replace("at: A2, side: heroes}", "at: yard/A2, side: watch}")
    changed = changed.replace("  - id: guard  # asleep\n    at: F2\n    side: watch\n", "")
    changed += 'zones:\n  - {cells: ["yard/B1:yard/B3"], difficult: true}\n'
    assert path.read_text(encoding="utf-8") == changed
    assert tactical.load(path) == tower.hand.battlemap
    assert run("check", str(path)).status == 0
    assert not tower.desk.look_at_file(), "what was written by the window itself is not read again"
    for _ in range(6):
        press(tower, pygame.K_z)
    assert not tower.desk.editor.drawing.work.painted
    into(tower)
    assert path.read_text(encoding="utf-8") == TOWER, "all taken back, it is the file that it was"


def test_a_door_of_a_native_map_that_is_moved_keeps_its_line_and_its_comment(tower, tmp_path):
    choose(tower, "tool:move")
    stroke(tower, (3.05, 0.5), (4.05, 0.5))
    into(tower)
    text = (tmp_path / "tower.yaml").read_text(encoding="utf-8")
    assert text == TOWER.replace("{id: gate, cell: C1,", "{id: gate, cell: D1,")


def test_a_map_over_another_is_gone_on_with_in_its_own_file(app, yard, run):
    choose(app, "difficult")
    drag(app, "B1", "B4")
    path = saved(app)
    path.write_text("# mine\n" + path.read_text(encoding="utf-8"), encoding="utf-8")
    for _ in range(9):
        app.desk.open(path)
        press(app, pygame.K_F2)
        app.draw()
        choose(app, "tool:move")
        drag(app, "H4", "G4") if mover(app, "guard").at == Cell(7, 3) else drag(app, "G4", "H4")
        press(app, pygame.K_s, CTRL)
        assert not app.hand.warn, app.hand.message
    text = path.read_text(encoding="utf-8")
    assert text.startswith("# mine\n")
    assert "{id: guard, at: G4}" in text
    assert text.count("guard") == 1
    assert sorted(one.name for one in yard.parent.glob("*.yaml")) == ["yard-edited.yaml", "yard.yaml"]
    assert run("check", str(path)).status == 0


def test_a_file_that_somebody_else_changed_meanwhile_is_not_overwritten(tower, tmp_path):
    path = tmp_path / "tower.yaml"
    choose(tower, "difficult")
    drag(tower, "yard/B1")
    into(tower)
    path.write_text(TOWER + "# by hand\n", encoding="utf-8")
    drag(tower, "yard/B2")
    press(tower, pygame.K_s, CTRL | pygame.KMOD_SHIFT)
    assert tower.hand.warn
    assert "another program" in tower.hand.message
    assert path.read_text(encoding="utf-8").endswith("# by hand\n")


@pytest.mark.parametrize("seed", range(4))
def test_whatever_is_done_is_saved_and_taken_back(tower, tmp_path, run, seed):
    """Any clicks and drags with any tool: saved beside it, it is the same map; undone, the one that was opened."""
    dice = random.Random(seed)
    before = tower.hand.battlemap
    steps = 0
    for _ in range(14):
        choose(tower, f"tool:{dice.choice(TOOLS)[0]}")
        if tower.desk.editor.bench.tool in ("brush", "box", "polygon", "fill"):
            choose(tower, dice.choice([brush.name for brush in tower.desk.editor.bench.brushes]))
        for _ in range(dice.randrange(1, 4)):
            points = [(dice.uniform(0, 6), dice.uniform(0, 3)) for _ in range(dice.randrange(1, 4))]
            stroke(tower, *points, button=dice.choice((1, 1, 1, 3)))
            tower.draw()
    wanted = tower.hand.battlemap
    steps = len(tower.desk.editor.drawing._done)
    path = saved(tower) if tower.desk.editor.unsaved else tmp_path / "tower.yaml"
    found = tactical.load(path)
    drawn = tower.desk.editor.drawing
    shown = Drawing(found)
    for level in range(2):
        for cell in (Cell(col, row, level) for col in range(6) for row in range(3)):
            assert shown.beneath(cell) == drawn.ground(cell)
    assert found.movers == wanted.movers
    assert sorted(map(repr, found.barriers)) == sorted(map(repr, wanted.barriers))
    assert sorted(map(repr, found.links)) == sorted(map(repr, wanted.links))
    assert run("check", str(path)).status == 0
    for _ in range(steps):
        press(tower, pygame.K_z)
    assert tower.hand.battlemap == before


def test_who_is_drawn_on_may_be_played_at_once(app):
    choose(app, "tool:move")
    drag(app, "A2", "B3")
    press(app, pygame.K_F2)
    app.draw()
    click(app, at(app, "C3"))
    assert app.hand.table.state("raven").cell == Cell(2, 2)
    assert app.hand.table.turn("raven").spent == 5


def letters(app, words):
    for letter in words:
        app.handle(pygame.event.Event(pygame.KEYDOWN, key=ord(letter.lower()), mod=0, unicode=letter))
    app.draw()


def test_the_figure_that_was_placed_gets_what_is_written_next(editing, battlemap):
    app = editing(battlemap, "raven")
    app.command("edit:tool:figure")
    app.draw()
    before = {mover.id for mover in app.hand.battlemap.movers}
    click(app, app.screen.pixel_of(Cell(6, 0)))
    app.command("edit:name")
    letters(app, "Brok")
    press(app, pygame.K_RETURN)
    app.command("edit:side:watch")
    placed = next(mover for mover in app.hand.battlemap.movers if mover.at == Cell(6, 0))
    assert (placed.label, placed.side) == ("Brok", "watch")
    app.command("edit:name")
    press(app, pygame.K_a, pygame.KMOD_CTRL)
    letters(app, "Gob")
    press(app, pygame.K_RETURN)
    assert next(mover for mover in app.hand.battlemap.movers if mover.at == Cell(6, 0)).label == "Gob"
    click(app, app.screen.pixel_of(Cell(8, 0)))
    other = next(mover for mover in app.hand.battlemap.movers if mover.at == Cell(8, 0))
    assert other.label != "Gob", "a click on free ground puts another"
    assert len(app.hand.battlemap.movers) == len(before) + 2


def test_the_help_begins_with_the_edit_mode_while_it_is_open(editing, battlemap):
    app = editing(battlemap, "raven")
    press(app, pygame.K_F1)
    app.draw()
    text = " ".join(app.screen.over().text())
    assert "Edit the map" in text
    assert "Drag over a rectangle" in text
    assert text.index("Edit the map") < text.index("Move")
    press(app, pygame.K_ESCAPE)
    press(app, pygame.K_F2)
    press(app, pygame.K_F1)
    assert "Drag over a rectangle" not in " ".join(app.screen.over().text())


def test_a_stroke_asks_for_room_only_for_those_whose_ground_it_changes(battlemap, monkeypatch):
    asked, fits = [], table._fits
    monkeypatch.setattr(table, "_fits", lambda position, name: asked.append(name) or fits(position, name))
    before = Session.new(table.named(battlemap))
    drawing = Drawing(before.battlemap)
    wall = next(brush for brush in brushes_of(battlemap) if brush.name == "impassable")
    drawing.paint([Cell(6, 7), Cell(7, 7)], wall)
    session, lost = table.carried_over(before, drawing.battlemap)
    assert (asked, lost) == ([], ())
    drawing.paint([session.position.status("raven").state.cell], wall)
    session, lost = table.carried_over(session, drawing.battlemap)
    assert (asked, lost) == (["raven"], ("raven",))
    # a wall may cut through anybody
    changed = battlemap.with_(barriers=[Barrier(((3.0, 3.0), (3.0, 4.0)), Kind.WALL)])
    table.carried_over(before, changed)
    assert set(asked[1:]) == {"raven", "magpie", "guard", "ghoul"}


def test_the_side_of_a_figure_and_of_the_next_one_is_told(editing, battlemap):
    app = editing(battlemap, "raven")
    app.command("edit:tool:figure")
    for side, told, coming in (("watch", "of watch stands at", "is of watch."), ("", "on no side, stands", "no side.")):
        app.command(f"edit:side:{side}")
        app.draw()
        assert coming in " ".join(app.screen.panel_sheet(None, None).text())
        click(app, app.screen.pixel_of(Cell(6 + len(side) % 2, 0)))
        assert told in app.hand.message


def test_who_comes_elsewhere_asks_nobody_whether_there_is_room(battlemap, monkeypatch):
    asked, fits = [], table._fits
    monkeypatch.setattr(table, "_fits", lambda position, name: asked.append(name) or fits(position, name))
    before = Session.new(table.named(battlemap))
    for cell, who in ((Cell(9, 0), []), (before.position.status("raven").state.cell, ["raven"])):
        table.carried_over(before, battlemap.with_(movers=(*battlemap.movers, Mover("new", at=cell))))
        assert asked == who
