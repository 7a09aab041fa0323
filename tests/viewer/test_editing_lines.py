"""Walls and doors in the edit mode: drawn along the sides of cells, set, and taken away."""

from __future__ import annotations

import pytest

pygame = pytest.importorskip("pygame")

import tactical  # noqa: E402
from tactical.viewer.app import App  # noqa: E402
from tactical.viewer.files.library import Library, read  # noqa: E402
from tactical.world.edges.barriers import Kind  # noqa: E402
from tests.cli import conftest  # noqa: E402
from tests.viewer import test_editing  # noqa: E402
from tests.viewer.test_app import press  # noqa: E402
from tests.viewer.test_editing import YARD, choose, price, swept  # noqa: E402
from tests.viewer.test_editing_saved import saved  # noqa: E402

app, yard, run = test_editing.app, test_editing.yard, conftest.run


def stroke(app, *points, button=1):
    """Press at a point of the map, in cells, move over others, let go."""
    area, camera = app.screen.map_area, app.screen.camera
    swept(app, [(round(x + area.x), round(y + area.y)) for x, y in map(camera.pixel, points)], button)


def test_a_wall_is_drawn_across_the_yard_and_a_door_put_into_it(app, yard, run):
    choose(app, "tool:line")
    assert price(app, "C2") == 10
    stroke(app, (2.05, 0.1), (1.95, 3.9))
    assert len(app.hand.battlemap.barriers) == 1 + 4, "a shaky hand draws no stubs"
    assert price(app, "C2") is None
    assert price(app, "B2") == 5
    choose(app, "kind:door")
    stroke(app, (2.0, 1.5))
    assert len(app.hand.battlemap.barriers) == 1 + 4, "the door stands in the place of the wall"
    choose(app, "tool:doors")
    stroke(app, (2.1, 1.5))
    assert app.hand.battlemap.barriers[-1].state.value == "open"
    assert price(app, "C2") == 10
    wanted = dict(app.hand.reach.costs)
    path = saved(app)
    assert "base: yard.yaml" in path.read_text(encoding="utf-8")
    checked = run("check", str(path))
    assert checked.status == 0
    assert "warning" not in checked.out + checked.err
    app.open_map(path)
    assert dict(app.hand.reach.costs) == wanted
    assert yard.read_text(encoding="utf-8") == YARD


def test_one_stroke_is_one_step_back(app):
    choose(app, "tool:line")
    stroke(app, (2.0, 0.5), (2.0, 3.5))
    stroke(app, (4.0, 0.5), (4.0, 3.5))
    assert len(app.hand.battlemap.barriers) == 9
    press(app, pygame.K_z)
    assert len(app.hand.battlemap.barriers) == 5
    stroke(app, (2.0, 0.5), (2.0, 1.5), button=3)
    assert len(app.hand.battlemap.barriers) == 3
    press(app, pygame.K_z)
    press(app, pygame.K_z)
    assert len(app.hand.battlemap.barriers) == 1


def test_a_barrier_of_the_file_is_taken_away(app, yard):
    choose(app, "tool:line")
    stroke(app, (7.5, 1.1), button=3)
    assert not app.hand.battlemap.barriers
    stroke(app, (2.0, 0.5))
    path = saved(app)
    assert "{id: gate, gone: true}" in path.read_text(encoding="utf-8")
    assert tactical.load(path) == app.hand.battlemap
    assert yard.read_text(encoding="utf-8") == YARD


def test_a_click_in_the_middle_of_a_cell_draws_nothing(app):
    choose(app, "tool:line")
    stroke(app, (2.5, 1.5))
    stroke(app, (2.5, 1.5), button=3)
    assert len(app.hand.battlemap.barriers) == 1


@pytest.mark.parametrize("grid", ["hex-odd-r", "hex-even-q"])
def test_sides_of_hexes_are_walled_and_come_back(tmp_path, grid):
    path = tmp_path / "hexes.yaml"
    rows = "".join("  .....\n" for _ in range(4))
    path.write_text(
        f"schema: 1\ngrid: {{type: {grid}}}\nrules: operator\nrows: |\n{rows}movers:\n  - {{id: raven, at: B2}}\n",
        encoding="utf-8",
    )
    made = App(read(path), "raven", size=(1280, 800), text=1.0, library=Library(tmp_path / "settings"))
    made.draw()
    press(made, pygame.K_F2)
    made.draw()
    choose(made, "tool:line")
    corners = made.hand.battlemap.grid.polygon(1, 1)
    for a, b in zip(corners, (*corners[1:], corners[0]), strict=True):
        stroke(made, ((a[0] + b[0]) / 2, (a[1] + b[1]) / 2))
    assert [one.kind for one in made.hand.battlemap.barriers] == [Kind.WALL] * 6
    assert len(made.hand.reach.costs) == 1, "walled in"
    for a, b in zip(corners, (*corners[1:], corners[0]), strict=True):
        x, y = (a[0] + b[0]) / 2, (a[1] + b[1]) / 2
        away = made.hand.battlemap.grid.centre(1, 1)
        stroke(made, (x + (x - away[0]) * 0.2, y + (y - away[1]) * 0.2))
    assert len(made.hand.battlemap.barriers) == 6, "a side drawn from the cell beyond is the same side"
    again = tactical.load(saved(made))
    assert again.barriers == made.hand.battlemap.barriers
    pygame.display.quit()
