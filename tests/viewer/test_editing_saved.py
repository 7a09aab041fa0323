"""What was drawn in the edit mode, on disk: over the untouched file, sound, and with the same reach opened again."""

from __future__ import annotations

import pytest

pygame = pytest.importorskip("pygame")

import tactical  # noqa: E402
from tactical.formats import dump  # noqa: E402
from tactical.units import Cell  # noqa: E402
from tactical.viewer.app import App  # noqa: E402
from tactical.viewer.editing.brushes import Brush  # noqa: E402
from tactical.viewer.editing.drawing import Drawing  # noqa: E402
from tactical.viewer.editing.saving import save  # noqa: E402
from tactical.viewer.files.library import Library, read  # noqa: E402
from tactical.world import terrain  # noqa: E402
from tactical.world.battlemap import Battlemap  # noqa: E402
from tests.cli import conftest  # noqa: E402
from tests.viewer import test_editing  # noqa: E402
from tests.viewer.test_app import click, press  # noqa: E402
from tests.viewer.test_editing import YARD, at, choose, drag  # noqa: E402
from tests.viewer.test_events import CTRL  # noqa: E402

app, yard, run = test_editing.app, test_editing.yard, conftest.run


def saved(app):
    """Press Ctrl-S; returns the file that is told."""
    press(app, pygame.K_s, CTRL)
    path = app.desk.editor.saved
    assert path is not None, app.hand.message
    assert str(path) in app.hand.message
    assert not app.desk.editor.unsaved
    return path


def draw_something(app):
    choose(app, "brush")
    drag(app, "C1", "C4")
    choose(app, "shallow water")
    drag(app, "D2", "E2")
    choose(app, "tool:doors")
    x, y = at(app, "H1")
    click(app, (x, y + round(app.screen.camera.scale / 2)))
    app.draw()
    choose(app, "tool:figure")
    choose(app, "side:watch")
    drag(app, "F1")
    app.hand.select("raven")


def test_it_is_saved_over_the_untouched_file_and_opened_again_it_is_the_same(app, yard, run):
    draw_something(app)
    wanted = dict(app.hand.reach.costs)
    path = saved(app)
    assert path == yard.with_name("yard-edited.yaml")
    assert app.hand.message == f"saved as {path}; yard.yaml is untouched"
    assert yard.read_text(encoding="utf-8") == YARD
    assert "base: yard.yaml" in path.read_text(encoding="utf-8")
    found = tactical.load(path)
    assert found.barriers[0].state.value == "open"
    assert found.mover("watch 1").at == Cell(5, 0)
    app.desk.open(path)
    assert not app.desk.editor.on
    app.hand.select("raven")
    assert dict(app.hand.reach.costs) == wanted
    checked = run("check", str(path))
    assert checked.status == 0
    assert "warning" not in checked.out + checked.err


def test_saved_again_it_is_the_same_file_and_never_another_ones(app, yard):
    taken = yard.with_name("yard-edited.yaml")
    taken.write_text("mine", encoding="utf-8")
    choose(app, "difficult")
    drag(app, "B1", "B4")
    first = saved(app)
    drag(app, "D1", "D4")
    assert app.desk.editor.unsaved
    assert saved(app) == first == yard.with_name("yard-edited-2.yaml")
    assert taken.read_text(encoding="utf-8") == "mine"
    assert tactical.load(first).zones[0].cells == {Cell(x, y) for x in (1, 3) for y in range(4)}


def test_closing_asks_before_what_was_drawn_is_lost(app, yard):
    choose(app, "difficult")
    drag(app, "B1")
    press(app, pygame.K_q, CTRL)
    assert app.running
    app.draw()
    press(app, pygame.K_1)
    assert not app.running
    assert yard.with_name("yard-edited.yaml").is_file()


def test_another_map_opened_loses_nothing(app, yard, tmp_path):
    other = tmp_path / "other.yaml"
    other.write_text(YARD.replace("Yard", "Other"), encoding="utf-8")
    choose(app, "difficult")
    drag(app, "B1")
    app.open_map(other)
    assert app.hand.battlemap.name == "Other"
    assert tactical.load(yard.with_name("yard-edited.yaml")).zones
    assert not app.desk.editor.unsaved


def test_a_picture_is_painted_on_and_its_grid_is_kept(tmp_path):
    drawn = pygame.Surface((90, 65))
    drawn.fill((60, 120, 50))
    picture = tmp_path / "field.png"
    pygame.image.save(drawn, str(picture))
    battlemap = tactical.load(picture, options={"grid": "10", "offset": "5,5", "cell": "2", "unit": "m"})
    app = App(battlemap, rules="twelve-second", text=1.0, library=Library(tmp_path / "settings"))
    app.draw()
    press(app, pygame.K_F2)
    app.draw()
    choose(app, "gap")
    drag(app, "D1", "D3")
    choose(app, "tool:figure")
    drag(app, "B2")
    wanted = dict(app.hand.reach.costs)
    path = saved(app)
    found = tactical.load(path)
    assert (found.cols, found.rows, str(found.cell), found.unit) == (8, 6, "2", "m")
    assert found.picture is not None
    assert found.rules == "twelve-second"
    app.desk.open(path)
    assert dict(app.hand.reach.costs) == wanted
    pygame.display.quit()


def test_a_map_without_a_file_is_saved_whole(battlemap, tmp_path):
    app = App(battlemap, "raven", text=1.0, library=Library(tmp_path / "settings"))
    app.draw()
    press(app, pygame.K_F2)
    app.draw()
    choose(app, "difficult")
    drag(app, "B1", "B8")
    path = saved(app)
    assert path == tmp_path / "settings" / "maps" / "Yard-edited.yaml"
    assert tactical.load(path) == app.hand.battlemap
    pygame.display.quit()


def test_a_door_without_a_name_is_changed_as_well(tmp_path):
    path = tmp_path / "room.yaml"
    path.write_text(YARD.replace("id: gate, ", ""), encoding="utf-8")
    drawing = Drawing(read(path))
    drawing.toggle(0)
    done = save(drawing, tmp_path / "maps")
    assert done.over
    assert [(one.id, one.state.value) for one in tactical.load(done.path).barriers] == [("", "open")]


FACTS: tuple[dict[str, object], ...] = (
    {"impassable": True}, {"difficult": True}, {"rough": True}, {"climb": True}, {"swim": True}, {"water": "wading"},
    {"water": "wading", "depth": 1}, {"water": "deep", "current": "calm"}, {"slick": True}, {"uneven": True},
    {"unstable": True}, {"level": "M"}, {"level": "M", "number": 12}, {"level": "M", "level_numbers": (("E", 7),)},
    {"elevation": 7}, {"uphill": False}, {"gap": True}, {"headroom": "prone"}, {"no_stop": True}, {"hazard": "fire"},
    {"unknown": True}, {"arduous": True}, {"factor": 2}, {"check": (2, 7)},
)  # fmt: skip


@pytest.mark.parametrize("kinds", [("", "bog"), ("bog", "mud"), ("bog", "thick_forest"), ("avalanche", "thick_forest")])
def test_any_ground_painted_over_any_other_comes_back(tmp_path, kinds):
    """Every fact of the one is given to, or taken from, the other; also where a name brings a level of its own."""
    assert {name for facts in FACTS for name in facts} == set(terrain.FACTS)
    beneath, wanted = (terrain.Terrain(name=kind) for kind in kinds)
    pairs = [(beneath.with_facts(facts), wanted) for facts in FACTS]
    pairs += [(beneath, wanted.with_facts(facts)) for facts in FACTS]
    pairs += [(beneath, wanted), (beneath.with_facts({"level": "M"}), wanted.with_facts({"level": "M"}))]
    cells = [Cell(n, 0) for n in range(len(pairs))]
    ground = {(n, 0): {"terrain": under.name, **under.facts()} for n, (under, _) in enumerate(pairs)}
    path = tmp_path / "strip.yaml"
    path.write_text(str(dump(Battlemap.from_cells(len(pairs), 1, terrain=ground))), encoding="utf-8")
    drawing = Drawing(tactical.load(path))
    for cell, (_, over) in zip(cells, pairs, strict=True):
        drawing.paint([cell], Brush("any", kind=over))
    done = save(drawing, tmp_path)
    assert done.over == "strip.yaml"
    assert list(map(Drawing(tactical.load(done.path)).beneath, cells)) == list(map(drawing.ground, cells))
