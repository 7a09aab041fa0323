"""The raster drawer: real pixels where the scene says so.  Places and colours are checked, never a whole picture."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from io import BytesIO

import pytest

from tactical.movement.reach import reach as find
from tactical.show.scene.scene import scene
from tactical.show.scene.shapes import Chip
from tactical.show.theme import load
from tactical.units import Cell
from tactical.world.battlemap import Battlemap, Picture
from tactical.world.edges.barriers import Barrier
from tactical.world.mover import Mover

pygame = pytest.importorskip("pygame")

from tactical.show.drawers.raster import draw  # noqa: E402
from tactical.show.drawers.raster.canvas import GLYPHS, Canvas, Pictures, plain, showable  # noqa: E402
from tactical.show.drawers.raster.picture import paint, paint_pieces  # noqa: E402


def image(data: bytes):
    return pygame.image.load(BytesIO(data))


def near(colour, wanted, slack=40):
    return all(abs(a - b) <= slack for a, b in zip(tuple(colour)[:3], wanted, strict=True))


def test_a_png_has_the_size_of_the_map(battlemap):
    data = draw(scene(battlemap), cell=20, legend=False, title=False)
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    assert image(data).get_size() == (16 * 20, 8 * 20)


def test_no_window_or_display_is_opened(battlemap, monkeypatch):
    pygame.quit()
    monkeypatch.setattr(pygame.display, "set_mode", lambda *a, **k: pytest.fail("a window was opened"))
    draw(scene(battlemap))
    assert not pygame.display.get_init()


def test_the_ground_has_its_colours(battlemap):
    picture = image(draw(scene(battlemap, grid=False), cell=40, legend=False, title=False))
    ground = load().colours["ground"]

    def average(col: int, row: int):
        return pygame.transform.average_color(picture, pygame.Rect(col * 40 + 8, row * 40 + 8, 24, 24))

    assert near(average(6, 0), ground["grass"])
    assert near(average(10, 0), ground["water-deep"])
    assert near(average(5, 3), ground["rock"])
    assert not near(average(5, 3), ground["grass"])


def test_bands_tint_their_cells_and_leave_others_dark(battlemap, reach):
    bare = image(draw(scene(battlemap, grid=False), cell=40, legend=False, title=False))
    lit = image(draw(scene(battlemap, reach, grid=False), cell=40, legend=False, title=False))

    def middle(picture, col, row):
        return pygame.transform.average_color(picture, pygame.Rect(col * 40 + 10, row * 40 + 10, 20, 20))

    move, ground = middle(lit, 2, 6), middle(bare, 2, 6)
    assert move[2] - move[0] > ground[2] - ground[0] + 40, "Move is bluer than bare grass"
    dash, ground = middle(lit, 12, 7), middle(bare, 12, 7)
    assert dash[0] - dash[2] > ground[0] - ground[2] + 40, "Dash is more orange"
    unreachable, ground = middle(lit, 6, 2), middle(bare, 6, 2)
    assert sum(unreachable[:3]) < sum(ground[:3]), "out of reach is darker"


def test_the_dots_of_later_turns_leave_numbers_alone():
    battlemap = Battlemap.from_cells(16, 2).with_(movers=(Mover("ann", at=Cell(0, 0)),))
    found = find(battlemap, "ann", rules="operator", turns=2)
    assert found.turn(Cell(14, 1)) == 2
    rim = load().styles["later"].rim
    for costs in (False, True):
        drawn = scene(battlemap, found, grid=False, costs=costs)
        picture = image(draw(drawn, cell=40, legend=False, title=False))
        assert near(picture.get_at((14 * 40 + 10, 40 + 10)), rim, 12) is not costs


@pytest.mark.parametrize(("cell", "told"), [(14, False), (16, False), (26, True), (40, True)])
def test_chances_that_run_into_the_neighbours_are_left_to_their_rims(cell, told):
    battlemap = Battlemap.from_cells(8, 2).with_(movers=(Mover("ann", at=Cell(0, 0)),))
    found = find(battlemap, "ann", rules="operator")
    bare, *ventured = (
        draw(scene(battlemap, found, odds=odds), cell=cell, legend=False, title=False)
        for odds in ({}, {Cell(3, 1): Fraction(8, 10)}, {Cell(3, 1): Fraction(9, 10)})
    )
    assert bare not in ventured, "the rim is there"
    # both are of one step
    assert (ventured[0] != ventured[1]) is told


def test_a_canvas_paints_part_of_a_map_on_any_surface(battlemap, reach):
    surface = pygame.Surface((200, 120))
    surface.fill((1, 2, 3))
    drawn = scene(battlemap, reach, view=(2, 4, 6, 7))
    paint(Canvas(surface.subsurface((0, 0, 120, 120)), load(), 30.0, (2.0, 4.0), drawn.gaits), drawn)
    assert surface.get_at((150, 60))[:3] == (1, 2, 3), "nothing outside its part"
    assert surface.get_at((45, 75))[:3] != (1, 2, 3)


def test_what_begins_off_the_picture_is_cut_there():
    # pygame itself would move the wall into the picture at its full length
    battlemap = Battlemap.from_rows(["." * 8] * 8, barriers=(Barrier(((4, 0), (4, 6))),))
    surface = pygame.Surface((120, 120))
    paint(Canvas(surface, load(), 30.0, (2.0, 4.0)), scene(battlemap, view=(2, 4, 6, 8), grid=False))
    wall = load().colour("barrier", "wall")
    assert near(surface.get_at((57, 30)), wall, 25), "the wall's end is seen"
    assert not near(surface.get_at((57, 90)), wall, 25), "and nothing beyond it"


def test_huge_maps_get_smaller_cells():
    battlemap = Battlemap.from_cells(900, 10)
    assert image(draw(scene(battlemap), cell=40, legend=False, title=False)).get_width() <= 8000


def test_the_maps_own_picture_shows(battlemap):
    surface = pygame.Surface((160, 80))
    surface.fill((10, 20, 200))
    out = BytesIO()
    pygame.image.save(surface, out, "x.png")
    open_ground = Battlemap.from_cells(16, 8, picture=Picture(out.getvalue, 10.0))
    picture = image(draw(scene(open_ground, grid=False), cell=20, legend=False, title=False))
    assert near(picture.get_at((100, 100)), (10, 20, 200), 3)


def test_the_grid_begins_at_the_picture_s_offset():
    red, blue = (200, 20, 20), (20, 20, 200)
    surface = pygame.Surface((60, 40))
    surface.fill(red)
    surface.fill(blue, (20, 10, 10, 10))
    out = BytesIO()
    pygame.image.save(surface, out, "x.png")
    back = Picture(out.getvalue, 10.0, (10, 10))
    open_ground = Battlemap.from_cells(4, 2, picture=back)
    picture = image(draw(scene(open_ground, grid=False), cell=20, legend=False, title=False))
    assert open_ground.cell_at(25, 15) == Cell(1, 0)
    assert near(picture.get_at((30, 10)), blue, 3)
    assert near(picture.get_at((10, 10)), red, 3)
    assert near(picture.get_at((70, 30)), red, 3)


def test_words_from_maps_are_made_showable():
    assert plain("5 → 10 ft") == "5 to 10 ft"
    assert plain("Zoë 2 × 5 ½") == "Zoë 2 × 5 ½"
    assert all(map(showable, plain("⚠ ▲ 東京 ′″")))
    assert "→" not in GLYPHS


def test_a_ghost_stands_at_the_goal(battlemap, reach):
    picture = image(draw(scene(battlemap, reach, reach.route(Cell(5, 6))), cell=40, legend=False, title=False))
    border = [picture.get_at((5 * 40 + 20, y))[:3] for y in range(6 * 40 - 2, 6 * 40 + 4)]
    assert (255, 255, 255) in border


def test_a_kit_keeps_so_many_bytes_of_pixels_and_what_was_used_last():
    kept = Pictures(10 * 4 * 100 + 10 * 200)
    for n in range(10):
        kept[n] = pygame.Surface((10, 10), pygame.SRCALPHA)
    assert kept[0].get_size() == (10, 10)
    kept[10] = pygame.Surface((10, 10), pygame.SRCALPHA)
    assert 0 in kept
    assert 1 not in kept
    assert len(kept) == 10
    # one that is larger than all is there until the next
    kept["large"] = pygame.Surface((100, 100), pygame.SRCALPHA)
    assert kept["large"].get_width() == 100
    assert len(kept) == 1
    kept["large"] = pygame.Surface((10, 10), pygame.SRCALPHA)
    assert kept.bytes == 4 * 100 + 200


def test_plates_keep_clear_of_what_lies_over_the_map():
    """The goal's price comes into sight; a name or a leg's price below a drawer is not told beside it."""
    battlemap = Battlemap.from_rows(["." * 20] * 6, rules="plain")
    bare = scene(battlemap, grid=False)
    chips = (Chip("total:band:0", (15.5, 3.5), "20 of 30 ft"), Chip("leg:band:0", (17.5, 3.5), "5"))
    for covered, seen in ((0.0, 2), (200.0, 1)):
        canvas = Canvas(pygame.Surface((400, 120)), load(), 20.0)
        canvas.covered = covered
        paint_pieces(canvas, replace(bare, shapes=chips))
        assert len(canvas.taken) == seen
        left, _, wide, _ = canvas.taken[0]
        assert left + wide <= 400 - covered
