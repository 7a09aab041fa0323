"""The edit mode: painted, placed and taken back with the mouse, at once in the reach."""

from __future__ import annotations

import pytest

pygame = pytest.importorskip("pygame")

from tactical.units import Cell  # noqa: E402
from tactical.viewer.editing.editor import LOOKING  # noqa: E402
from tactical.viewer.editing.palette import TOOLS  # noqa: E402
from tactical.viewer.files.library import read  # noqa: E402
from tests.viewer.test_app import click, place, press, pump  # noqa: E402

YARD = """\
schema: 1
name: Yard
grid: {cell: 5, unit: ft}
rules: operator
legend:
  ".": {terrain: ground}
  "%": {terrain: brush, difficult: true}
rows: |
  ........
  ........
  .....%..
  ........
barriers:
  - {id: gate, cell: H1, side: south, kind: door, state: closed}
movers:
  - {id: raven, at: A2, side: heroes}
  - {id: guard, at: H4, side: watch}
"""


@pytest.fixture
def yard(tmp_path):
    path = tmp_path / "yard.yaml"
    path.write_text(YARD, encoding="utf-8")
    return path


@pytest.fixture
def app(editing, yard):
    return editing(read(yard), "raven")


def at(app, name):
    return app.screen.pixel_of(app.hand.battlemap.cell_named(name))


def drag(app, *names, button=1):
    """Press on a cell, move over others, let go on the last."""
    swept(app, [at(app, name) for name in names], button)


def swept(app, pixels, button=1):
    """Press at a pixel, move over others, let go at the last."""
    pygame.event.post(pygame.event.Event(pygame.MOUSEBUTTONDOWN, pos=pixels[0], button=button))
    for pixel in pixels[1:]:
        pygame.event.post(pygame.event.Event(pygame.MOUSEMOTION, pos=pixel, rel=(0, 0), buttons=(button == 1, 0, 0)))
    pygame.event.post(pygame.event.Event(pygame.MOUSEBUTTONUP, pos=pixels[-1], button=button))
    pump(app)
    app.draw()


def choose(app, words):
    """Click the button of the panel that has these words on it."""
    names = [brush.name for brush in app.desk.editor.bench.brushes]
    command = f"edit:brush:{names.index(words)}" if words in names else f"edit:{words}"
    box = next(box for box, one in app.screen.hits if one == command)
    click(app, box.center)
    app.draw()


def price(app, name):
    """What it costs to get to a cell; None where one cannot."""
    return app.hand.reach.cost(app.hand.battlemap.cell_named(name))


def costs(app, *names):
    return [price(app, name) for name in names]


def test_the_maps_own_ground_comes_first_among_the_brushes(app):
    names = [brush.name for brush in app.desk.editor.bench.brushes]
    assert names[:2] == ["ground", "brush"]
    assert names[2:] == ["difficult", "shallow water", "deep water", "climb", "hazard", "gap", "impassable", "higher"]
    assert app.desk.editor.on


def test_a_stroke_is_at_once_in_the_reach_and_one_step_back(app):
    before = costs(app, "B2", "C2", "D2", "E2")
    assert before == [5, 10, 15, 20]
    choose(app, "difficult")
    drag(app, "B1", "B4")
    assert costs(app, "B2", "C2") == [10, 15]
    drag(app, "C1", "C4")
    assert costs(app, "C2", "D2") == [20, 25]
    press(app, pygame.K_z)
    assert costs(app, "B2", "C2") == [10, 15]
    press(app, pygame.K_z)
    assert costs(app, "B2", "C2", "D2", "E2") == before
    press(app, pygame.K_z, pygame.KMOD_LSHIFT)
    assert costs(app, "B2", "C2") == [10, 15]


def test_a_fast_hand_leaves_no_hole(app):
    choose(app, "impassable")
    drag(app, "B1", "B4")
    assert costs(app, "C2", "H1") == [None, None]


def test_the_right_button_takes_it_away(app):
    choose(app, "difficult")
    drag(app, "A1", "H4")
    choose(app, "brush")
    drag(app, "F3", button=3)
    plain = app.hand.battlemap
    assert plain.zones
    drawing = app.desk.editor.drawing
    assert drawing.ground(Cell(5, 2)).name == "ground", "the map's own brush is taken away"
    drag(app, "B2", "D2")
    assert drawing.ground(Cell(2, 1)).name == "brush"
    drag(app, "C2", button=3)
    assert drawing.ground(Cell(2, 1)) == drawing.beneath(Cell(2, 1)), "what was painted is taken away"


def test_a_stroke_raises_ground_once_however_often_it_comes_by(app):
    choose(app, "higher")
    drawing = app.desk.editor.drawing
    drag(app, "C1", "C3", "C1", "C3")
    drag(app, "C3")
    assert [drawing.ground(Cell(2, row)).elevation for row in range(4)] == [5, 5, 10, 0]
    drag(app, "C1", "C3", button=3)
    assert [drawing.ground(Cell(2, row)).elevation for row in range(4)] == [0, 0, 5, 0]
    choose(app, "brush")
    drag(app, "C3")
    assert drawing.ground(Cell(2, 2)).elevation == 5, "brush grows on the hill as well"


def test_a_click_in_the_mode_goes_nowhere_and_no_key_plays(app):
    choose(app, "difficult")
    drag(app, "C2")
    for key in (pygame.K_SPACE, pygame.K_RETURN, pygame.K_3, pygame.K_a, pygame.K_h):
        press(app, key)
    assert place(app) == Cell(0, 1)
    assert not app.hand.session.log
    press(app, pygame.K_F2)
    assert not app.desk.editor.on
    app.draw()
    click(app, at(app, "C2"))
    assert place(app) == Cell(2, 1), "out of the mode a click goes there, over what was painted"
    assert app.hand.table.turn("raven").spent == 15


def test_every_tool_has_a_key(app):
    for tool, key in TOOLS:
        press(app, getattr(pygame, f"K_{key.lower()}"))
        assert app.desk.editor.bench.tool == tool
    press(app, pygame.K_b)
    press(app, pygame.K_3)
    assert app.desk.editor.bench.brushes[app.desk.editor.bench.brush].name == "difficult"


def test_no_button_on_the_window_plays(app):
    ours = ("edit", "who", *LOOKING)
    played = [box for box, command in app.screen.hits if command.partition(":")[0] not in ours]
    assert played, "the strip of turns stays in sight"
    for box in played:
        click(app, box.center)
        app.draw()
    assert not app.hand.session.log
    assert app.desk.editor.on
    assert app.hand.warn


def test_it_is_off_while_a_game_runs(app):
    press(app, pygame.K_ESCAPE)
    assert not app.desk.editor.on
    click(app, at(app, "C2"))
    press(app, pygame.K_F2)
    assert not app.desk.editor.on
    assert app.hand.warn
    assert "a game runs" in app.hand.message
    press(app, pygame.K_z)
    press(app, pygame.K_F2)
    assert app.desk.editor.on, "undone it may be edited again"


def test_a_figure_is_placed_named_and_taken_away(app):
    choose(app, "tool:figure")
    choose(app, "name")
    for letter in "Magpi":
        pygame.event.post(pygame.event.Event(pygame.KEYDOWN, key=ord(letter.lower()), mod=0, unicode=letter))
    press(app, pygame.K_BACKSPACE)
    pygame.event.post(pygame.event.Event(pygame.KEYDOWN, key=pygame.K_e, mod=0, unicode="e"))
    pump(app)
    press(app, pygame.K_RETURN)
    choose(app, "side:watch")
    drag(app, "D3")
    mover = app.hand.battlemap.mover("Magpe")
    assert (mover.at, mover.side) == (Cell(3, 2), "watch")
    assert app.hand.selected == "Magpe"
    assert price(app, "E3") == 5
    drag(app, "D1")
    assert {mover.id for mover in app.hand.battlemap.movers} == {"raven", "guard", "Magpe", "watch 1"}
    drag(app, "D3", button=3)
    assert {mover.id for mover in app.hand.battlemap.movers} == {"raven", "guard", "watch 1"}
    drag(app, "A2", button=3)
    assert {mover.id for mover in app.hand.battlemap.movers} == {"guard", "watch 1"}, "who stands in the file as well"
    press(app, pygame.K_z)
    press(app, pygame.K_z)
    assert app.hand.battlemap.mover("Magpe").at == Cell(3, 2)


def test_a_door_is_toggled(app):
    choose(app, "tool:doors")
    x, y = at(app, "H1")
    for wanted in ("open", "closed"):
        click(app, (x, y + round(app.screen.camera.scale / 2)))
        app.draw()
        assert app.hand.battlemap.barriers[0].state.value == wanted


def test_what_stands_in_the_way_of_a_wall_of_rock_is_told(app):
    choose(app, "impassable")
    drag(app, "H4")
    assert app.hand.battlemap.mover("guard").at == Cell(7, 3)
    app.draw()
