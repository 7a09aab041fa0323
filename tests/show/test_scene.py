"""Scenes: which shapes with which roles a map, a reach and a route give."""

from __future__ import annotations

from fractions import Fraction

import pytest

from tactical.errors import Refusal
from tactical.show.layout import covered, left_out, place
from tactical.show.scene.ground import LOOKS, look, signs
from tactical.show.scene.scene import scene
from tactical.show.scene.shapes import Area, Chip, Mark, Stroke, Text, Tile, Token, outline
from tactical.units import Cell
from tactical.world.battlemap import Battlemap, Link, Zone
from tactical.world.grids import get_grid, grid_names
from tactical.world.mover import Mover
from tactical.world.terrain import Terrain


def area(cells):
    ring = sum(0.5 * (a[0] * b[1] - b[0] * a[1]) for one in cells for a, b in zip(one, (*one[1:], one[0]), strict=True))
    return round(ring, 6)


def test_every_cell_of_the_view_has_ground(battlemap):
    tiles = list(scene(battlemap, view=(2, 1, 6, 4)).of(Tile))
    assert [tile.cell for tile in tiles] == [Cell(c, r) for r in range(1, 4) for c in range(2, 6)]
    roles = {tile.cell: tile.role for tile in tiles}
    assert roles[Cell(3, 1)] == "ground:tree"
    assert roles[Cell(3, 3)] == "ground:mud"
    assert roles[Cell(5, 2)] == "ground:rock"


@pytest.mark.parametrize(
    ("facts", "expected"),
    [
        ({"terrain": "wooden bridge"}, "planks"),
        ({"terrain": "dirt road"}, "road"),
        ({"terrain": "grass", "water": "deep"}, "water-deep"),
        ({"terrain": "river", "water": "wading"}, "water-wading"),
        ({"terrain": "stone wall", "impassable": True}, "wall"),
        ({"terrain": "something", "impassable": True}, "rock"),
        ({"terrain": "something", "difficult": True}, "rubble"),
        ({"terrain": "rope wall", "climb": True}, "cliff"),
        ({"gap": True}, "gap"),
        ({"unknown": True, "terrain": "grass"}, "unknown"),
        ({}, "plain"),
    ],
)
def test_facts_win_over_words(facts, expected):
    assert look(Terrain.of(facts)) == expected
    assert expected in LOOKS


def test_signs_show_what_the_look_does_not():
    assert signs(Terrain.of({"terrain": "grass", "difficult": True})) == ("difficult",)
    assert signs(Terrain.of({"terrain": "mud", "difficult": True})) == ()
    assert signs(Terrain.of({"headroom": "crouched", "hazard": "fire", "no_stop": True})) == (
        "low",
        "no-stop",
        "hazard",
    )


def test_areas_hold_exactly_the_cells_of_their_band(battlemap, reach):
    found = {shape.role: shape for shape in scene(battlemap, reach).of(Area)}
    assert found["band:0"].cells == reach.cells(reach.bands[0]) | {reach.start.cell}
    assert found["band:1"].cells == reach.cells(reach.bands[1])
    assert found["turn:2"].cells == reach.cells(reach.bands[2])
    assert found["out"].inverse
    assert found["out"].cells == reach.cells() | {reach.start.cell}


def test_nearer_bands_are_painted_over_dearer_ones(battlemap, reach):
    roles = [shape.role for shape in scene(battlemap, reach).of(Area)]
    assert roles.index("turn:2") < roles.index("band:1") < roles.index("band:0")


@pytest.mark.parametrize("name", grid_names())
def test_an_outline_bounds_the_area_of_its_cells(name):
    grid = get_grid(name)
    cells = {Cell(c, r) for c in range(6) for r in range(5)} - {Cell(2, 2)}
    rings = outline(grid, cells)
    one = area([grid.polygon(0, 0)])
    assert len(rings) == 2, "an outer ring and a hole"
    assert area(rings) == pytest.approx(one * len(cells), abs=1e-2)


def test_cells_that_touch_in_a_corner_keep_their_own_rings():
    rings = outline(get_grid("square"), {Cell(0, 0), Cell(1, 1)})
    assert sorted(len(ring) for ring in rings) == [4, 4]


def test_costs_are_written_on_reached_cells_only(battlemap, reach):
    texts = {text.at: text.text for text in scene(battlemap, reach, costs=True).of(Text)}
    assert texts[3.5, 5.5] == "5"
    assert len(texts) == len(reach.cells())


def test_odds_never_claim_certainty(battlemap, reach):
    odds = {Cell(4, 6): Fraction(999, 1000), Cell(5, 6): Fraction(1), Cell(6, 6): Fraction(1, 1000)}
    texts = {text.at: text.text for text in scene(battlemap, reach, odds=odds).of(Text)}
    assert texts == {(4.5, 6.5): "99%", (5.5, 6.5): "100%", (6.5, 6.5): "1%"}


def test_movers_have_shapes_by_side_and_hidden_foes_stay_hidden(battlemap, reach):
    tokens = {token.id: token.role for token in scene(battlemap, reach).of(Token)}
    assert tokens == {
        "raven": "mover:self",
        "magpie": "mover:friend",
        "guard": "mover:foe",
        "cat": "mover:bystander",
    }
    assert "ghoul" in {token.id for token in scene(battlemap, reach, referee=True).of(Token)}


def test_a_secret_door_is_a_wall_to_whoever_does_not_know_it(battlemap, reach):
    line = ((13, 3), (13, 4))
    roles = {stroke.points: stroke.role for stroke in scene(battlemap, reach).of(Stroke)}
    assert roles[line] == "wall"
    roles = {stroke.points: stroke.role for stroke in scene(battlemap, reach, referee=True).of(Stroke)}
    assert roles[line] == "door:secret"


def test_ledges_have_their_low_side_to_the_right(battlemap):
    ledges = [stroke for stroke in scene(battlemap).of(Stroke) if stroke.role == "ledge"]
    west = [stroke for stroke in ledges if stroke.points[0][0] == stroke.points[1][0] == 14]
    assert len(west) == 3, "the hill's west side, three cells high"
    assert all(a[1] < b[1] for a, b in (stroke.points for stroke in west)), "going south, the right hand is west"


def test_a_route_has_legs_a_ring_a_ghost_and_a_total(battlemap, reach):
    drawn = scene(battlemap, reach, reach.route(Cell(9, 7)))
    assert [mark.role for mark in drawn.role("provoke")] == ["provoke"]
    assert [token.at for token in drawn.role("ghost")] == [(9.5, 7.5)]
    assert [chip.text for chip in drawn.role("total")] == ["30 of 60 ft"]
    far = scene(battlemap, reach, reach.route(Cell(15, 6)))
    assert [stroke.role for stroke in far.role("route")] == ["route:band:0", "route:band:1"]
    assert [mark.role for mark in far.role("ring")] == ["ring:band:0"]
    assert [chip.text for chip in far.role("end")] == ["Move ends 30"]


def test_a_refusal_marks_the_cell_asked_for(battlemap, reach):
    drawn = scene(battlemap, reach, Refusal("move.unreachable"), target=Cell(7, 3))
    assert drawn.role("refused") == (Mark("refused", (7.5, 3.5), Cell(7, 3)),)
    assert not scene(battlemap, reach, Refusal("move.unreachable")).role("refused")


def test_the_legend_explains_what_is_there_and_nothing_else(battlemap, reach):
    bare = [entry.role for entry in scene(battlemap).legend]
    assert bare == ["mover:friend", "mover:foe", "mover:bystander", "door:locked", "fence", "ledge"]
    full = [entry.role for entry in scene(battlemap, reach, enemy=True).legend]
    assert full[:5] == ["band:0", "band:1", "turn:2", "out", "threat"]


def test_zones_and_levels_and_links():
    battlemap = Battlemap.from_rows(
        {"ground": ["..."], "upper": ["..#"]},
        zones=(Zone(frozenset({Cell(1, 0)}), {"difficult": True}),),
        links=(Link(Cell(0, 0), Cell(1, 0, 1)),),
    )
    below, above = scene(battlemap), scene(battlemap, level=1)
    assert [tile.role for tile in below.of(Tile)] == ["ground:plain", "ground:rubble", "ground:plain"]
    assert [tile.role for tile in above.of(Tile)][2] == "ground:rock"
    assert [chip.text for chip in below.of(Chip)] == ["to upper"]
    assert [mark.at for mark in above.of(Mark)] == [(1.5, 0.5)]
    with pytest.raises(ValueError, match="no level 2"):
        scene(battlemap, level=2)


def test_a_large_body_stands_in_the_middle_of_its_cells():
    battlemap = Battlemap.from_rows(["...", "..."], movers=(Mover("ox", at=Cell(1, 0), size=2),))
    assert next(scene(battlemap).of(Token)).at == (2.0, 1.0)


def test_unexplored_cells_are_not_shown(battlemap):
    tiles = {tile.cell: tile.role for tile in scene(battlemap, known={Cell(0, 0)}).of(Tile)}
    assert tiles[Cell(0, 0)] == "ground:grass"
    assert tiles[Cell(3, 1)] == "ground:unknown"


def test_plates_avoid_each_other_and_the_edge():
    first = place((50, 50), (40, 10), "above", [], 10)
    assert first == (30, 30, 40, 10)
    second = place((50, 50), (40, 10), "above", [first], 10)
    assert covered(second, [first]) == 0
    assert place((2, 2), (40, 10), "above", [], 10, (0, 0, 100, 100))[:2] == (0, 0)


def test_the_goal_s_price_goes_as_far_as_it_must_and_others_are_left_out():
    crowd = [(0.0, 0.0, 100.0, 100.0)]
    found = place((50, 50), (40, 10), "goal", crowd, 10, (0, -100, 300, 300))
    assert covered(found, crowd) == 0
    assert place((50, 50), (40, 10), "beside", crowd, 10, (0, 0, 100, 100)) is not None
    for role, out in (
        ("leg:band:0", True),
        ("stop", True),
        ("total:band:0", False),
        ("mover:self", False),
        ("link", False),
    ):
        assert left_out(role, (10, 10, 40, 10), crowd) == out
        assert not left_out(role, (110, 10, 40, 10), crowd)


def test_a_link_that_leads_one_way_is_labelled_at_both_ends() -> None:
    from tactical import Battlemap, Cell, Link
    from tactical.show.scene.barriers import links
    from tactical.show.scene.shapes import Chip

    for two_way, told in ((True, ["to ground"]), (False, ["from ground"])):
        shaft = Link(Cell(0, 0, 0), Cell(1, 0, 1), two_way=two_way)
        battlemap = Battlemap.from_rows({"ground": ["..."], "upper": ["..."]}, links=(shaft,))
        below, above = ([s.text for s in links(battlemap, (0, 0, 3, 1), n) if isinstance(s, Chip)] for n in (0, 1))
        assert (below, above) == (["to upper"], told)
