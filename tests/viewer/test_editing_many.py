"""Many cells at once in the edit mode: rectangles, fills up to the walls, and what looks alike in the map's picture."""

from __future__ import annotations

import random

import pytest

pygame = pytest.importorskip("pygame")

import tactical  # noqa: E402
from tactical.units import Cell  # noqa: E402
from tactical.viewer.app import App  # noqa: E402
from tactical.viewer.files.library import Library  # noqa: E402
from tests.viewer import test_editing  # noqa: E402
from tests.viewer.test_app import click, press, pump  # noqa: E402
from tests.viewer.test_editing import at, choose, drag  # noqa: E402
from tests.viewer.test_editing_lines import stroke  # noqa: E402
from tests.viewer.test_editing_saved import saved  # noqa: E402

app, yard = test_editing.app, test_editing.yard
SIDE = 24
CREEK = {Cell(col, row) for row, cols in enumerate(("45", "45", "56", "6", "5", "45", "4")) for col in map(int, cols)}
POND = {Cell(0, 6), Cell(1, 6)}


def speckled(surface, cell, colour, spread, dice):
    for y in range(SIDE):
        for x in range(SIDE):
            by = dice.randint(-spread, spread)
            surface.set_at((cell.col * SIDE + x, cell.row * SIDE + y), [max(0, min(255, c + by)) for c in colour])


@pytest.fixture
def meadow(editing, tmp_path):
    """A window on a picture: speckled grass with a creek winding through it, and a pond away from it."""
    dice = random.Random(7)
    drawn = pygame.Surface((10 * SIDE, 7 * SIDE))
    for cell in (Cell(col, row) for col in range(10) for row in range(7)):
        wet = cell in CREEK | POND
        speckled(drawn, cell, (50, 90, 160) if wet else (80, 130, 60), 12 if wet else 40, dice)
    pygame.image.save(drawn, str(tmp_path / "meadow.png"))
    battlemap = tactical.load(tmp_path / "meadow.png", options={"grid": str(SIDE)})
    return editing(battlemap, rules="operator")


def painted(app):
    return set(app.desk.editor.drawing.work.painted)


def wheel(app, by):
    pygame.event.post(pygame.event.Event(pygame.MOUSEWHEEL, x=0, y=by))
    pump(app)
    app.draw()


def test_a_rectangle_is_painted_and_taken_away_in_one_step_each(app):
    choose(app, "tool:box")
    choose(app, "difficult")
    drag(app, "B1", "D3")
    assert painted(app) == {Cell(x, y) for x in (1, 2, 3) for y in (0, 1, 2)}
    drag(app, "D3", "C2", button=3)
    assert painted(app) == {Cell(1, 0), Cell(2, 0), Cell(3, 0), Cell(1, 1), Cell(1, 2)}
    press(app, pygame.K_z)
    press(app, pygame.K_z)
    assert painted(app) == set()


def test_a_fill_stops_at_other_ground_and_at_walls(app, tmp_path):
    choose(app, "gap")
    drag(app, "D1", "D4")
    choose(app, "tool:fill")
    choose(app, "difficult")
    drag(app, "A1")
    assert painted(app) == {Cell(x, y) for x in range(4) for y in range(4)}
    room = tmp_path / "walls.yaml"
    sides = "".join(f"  - {{cell: B{n}, side: east, kind: wall}}\n" for n in (1, 2, 3))
    room.write_text("schema: 1\nrows: |\n  ....\n  ....\n  ....\nbarriers:\n" + sides, encoding="utf-8")
    app.open_map(room)
    press(app, pygame.K_F2)
    app.draw()
    drag(app, "A1")
    assert painted(app) == {Cell(x, y) for x in range(2) for y in range(3)}


def test_a_creek_is_painted_in_two_clicks(meadow):
    choose(meadow, "tool:wand")
    choose(meadow, "deep water")
    pixel = at(meadow, "E1")
    click(meadow, pixel)
    meadow.draw()
    assert meadow.desk.editor.bench.selection.cells == CREEK
    assert not painted(meadow)
    click(meadow, pixel)
    assert painted(meadow) == CREEK
    choose(meadow, "tool:figure")
    drag(meadow, "A1")
    wanted = dict(meadow.hand.reach.costs)
    path = saved(meadow)
    meadow.open_map(path)
    assert dict(meadow.hand.reach.costs) == wanted
    assert meadow.desk.editor.drawing is None
    assert {cell for zone in meadow.hand.battlemap.zones for cell in zone.cells} == CREEK


def test_what_is_painted_is_framed_also_on_a_picture(meadow):
    def framed(name):
        """Whether the colour of the frame is met on the way from a cell's middle to its side."""
        x, y = at(meadow, name)
        colour = meadow.screen.theme.colour("window", "accent_line")
        side = round(meadow.screen.camera.scale / 2)
        return colour in {tuple(meadow.screen.surface.get_at((x + n, y)))[:3] for n in range(side - 2)}

    choose(meadow, "difficult")
    drag(meadow, "B2")
    pygame.event.post(pygame.event.Event(pygame.WINDOWLEAVE))
    pump(meadow)
    meadow.draw()
    assert framed("B2")
    assert not framed("B4")
    press(meadow, pygame.K_F2)
    meadow.draw()
    assert not framed("B2"), "only while it is edited"


def test_shift_selects_on_the_whole_floor_and_the_wheel_how_much(meadow):
    choose(meadow, "tool:wand")
    pixel = at(meadow, "E1")
    pygame.event.post(pygame.event.Event(pygame.KEYDOWN, key=pygame.K_LSHIFT, mod=pygame.KMOD_LSHIFT, unicode=""))
    pump(meadow)
    click(meadow, pixel)
    assert meadow.desk.editor.bench.selection.cells == CREEK | POND
    scale = meadow.screen.camera.scale
    wheel(meadow, 60)
    assert len(meadow.desk.editor.bench.selection.cells) == 70, "with enough of it all cells look alike"
    wheel(meadow, -100)
    assert meadow.desk.editor.bench.selection.cells == CREEK | POND
    assert meadow.screen.camera.scale == scale
    press(meadow, pygame.K_b)
    assert not meadow.desk.editor.bench.selection.cells
    wheel(meadow, 1)
    assert meadow.screen.camera.scale > scale, "without anything selected it enlarges"


def test_the_wand_needs_a_picture(app):
    choose(app, "tool:wand")
    drag(app, "B2")
    assert app.hand.warn
    assert "picture" in app.hand.message


@pytest.mark.parametrize("grid", ["hex-odd-r", "hex-odd-q"])
def test_hexes_of_a_picture_are_told_apart_too(tmp_path, grid):
    drawn = pygame.Surface((400, 400))
    drawn.fill((40, 160, 40))
    drawn.fill((40, 40, 160), (0, 0, 150, 400))
    pygame.image.save(drawn, str(tmp_path / "hexes.png"))
    battlemap = tactical.load(tmp_path / "hexes.png", options={"grid": "40", "type": grid})
    made = App(battlemap, rules="operator", size=(1280, 800), text=1.0, library=Library(tmp_path / "settings"))
    made.draw()
    press(made, pygame.K_F2)
    made.draw()
    choose(made, "tool:wand")
    click(made, made.screen.pixel_of(Cell(1, 4)))
    found = made.desk.editor.bench.selection.cells
    left = {cell for cell in found if battlemap.grid.centre(cell.col, cell.row)[0] * 40 < 130}
    assert left == found
    assert len(found) >= 20
    pygame.display.quit()


def test_the_wand_stops_at_walls(meadow):
    choose(meadow, "tool:line")
    stroke(meadow, (4.5, 2.02), (5.5, 2.02), (6.5, 2.02))
    choose(meadow, "tool:wand")
    click(meadow, at(meadow, "E1"))
    cells = meadow.desk.editor.bench.selection.cells
    assert cells == {Cell(4, 0), Cell(5, 0), Cell(4, 1), Cell(5, 1)}, "the creek goes on beyond them"
