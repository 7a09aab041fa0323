"""What every entry of every rack must keep to, whoever wrote it: rule systems, formats, ways, drawers, grids.

A new file in a rack, or another package's entry point, is tested here the moment it exists.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import is_dataclass
from fractions import Fraction
from typing import Any

import pytest

import tactical
from tactical.assets import maps
from tactical.cli.rolls import plain
from tactical.errors import Refusal
from tactical.formats import Format, get_format
from tactical.movement.ways import Way
from tactical.registry import DRAWERS, FORMATS, RULESETS, WAYS
from tactical.rules.checks import Demand
from tactical.rules.profile import Pace, Profile
from tactical.rules.ruleset import Ruleset, get_ruleset
from tactical.rules.turnstate import TurnState
from tactical.show.drawers import Drawer
from tactical.show.scene.scene import scene
from tactical.units import Cell
from tactical.world.battlemap import Battlemap
from tactical.world.grids import get_grid, grid_names, neighbours
from tactical.world.mover import Mover
from tactical.world.terrain import PLAIN, WATER, Terrain

GROUNDS = (
    PLAIN,
    Terrain(difficult=True, rough=True),
    Terrain(climb=True),
    Terrain(level="D", number=17),
    Terrain(level="VD", number=25, slick=True, uneven=True),
    *(Terrain(water=depth) for depth in WATER),
)
ROWS = ["S.......", "..D.....", ".#~~.GG.", ".#~~.GG.", "........"]
LEGEND: dict[str, dict[str, object]] = {
    "S": {},
    ".": {"level": "E", "number": 7},
    "D": {"difficult": True, "rough": True, "level": "D", "number": 17},
    "~": {"water": "deep", "level": "M", "number": 12},
    "G": {"gap": True},
}


# --- rule systems ----------------------------------------------------------------------------------------------------


@pytest.fixture(params=RULESETS.names())
def system(request: pytest.FixtureRequest) -> Ruleset:
    return get_ruleset(request.param)


def stats_of(system: Ruleset) -> Any:
    return system.read_stats(system.example)


def profile_of(system: Ruleset, turn: TurnState | None = None) -> Profile:
    return system.profile(stats_of(system), turn or TurnState(), system.options_with(), system.postures[0])


def board_of(system: Ruleset) -> tuple[Battlemap, Mover]:
    battlemap = Battlemap.from_rows(ROWS, LEGEND, cell=system.cell, unit=system.unit, grid="square")
    return battlemap, Mover("tester", rules=system.name, stats=system.example, at=Cell(0, 0))


def test_a_rule_system_says_who_it_is(system: Ruleset) -> None:
    assert RULESETS.get(system.name) is system
    assert system.title
    assert system.unit in ("ft", "m")
    assert system.cell > 0
    assert is_dataclass(system.stats)
    assert system.postures
    assert stats_of(system) == stats_of(system)


def test_its_options_are_explained_and_take_their_own_defaults(system: Ruleset) -> None:
    options = system.options_with()
    for name in options:
        spec = options.spec(name)
        assert spec.doc
        assert spec.clause
        assert spec.allowed()
        assert options.set({name: options[name]}) == options
    assert hash(options) == hash(system.options_with())


def test_its_sheet_can_be_sent(system: Ruleset) -> None:
    assert system.sheet is None or json.dumps(plain(system.sheet()))


def test_its_gaits_are_sound(system: Ruleset) -> None:
    profile = profile_of(system)
    assert profile.ruleset == system.name
    names = [gait.name for gait in profile.gaits]
    assert names
    assert len(set(names)) == len(names)
    for gait in profile.gaits:
        assert gait.title
        assert 0 <= gait.minimum <= gait.budget
        assert isinstance(gait.budget, Fraction)
        assert gait.refused is None or "{" not in gait.refused.text
    assert profile.turn_budget in names
    assert any(gait.refused is None for gait in profile.gaits)


def test_its_postures_are_known_and_changes_cost_no_less_than_nothing(system: Ruleset) -> None:
    for posture in system.postures:
        profile = system.profile(stats_of(system), TurnState(), system.options_with(), posture)
        assert set(profile.postures) <= set(system.postures)
        for change in profile.changes:
            assert {change.start, change.end} <= set(profile.postures)
            assert change.cost >= 0


def test_its_paces_are_pure_and_positive(system: Ruleset) -> None:
    one, two = profile_of(system), profile_of(system)
    for pool in one.pools():
        for posture in one.postures:
            for ground in GROUNDS:
                for uphill in (False, True):
                    first, again = (profile.pace(pool, posture, ground, uphill) for profile in (one, two))
                    assert first == again
                    if isinstance(first, Pace):
                        assert first.base * first.joined("multiply") >= 0
                        assert first.mode
                    else:
                        assert "{" not in first.text


def test_its_demands_are_demands(system: Ruleset) -> None:
    profile = profile_of(system)
    if profile.demand is None:
        return
    for gait in profile.gaits:
        for ground in GROUNDS:
            found = profile.demand(gait.name, (PLAIN, ground))
            assert isinstance(found, Demand)
            for check in found.checks:
                chance = check.chance()
                assert check.skill
                assert chance is None or 0 <= chance <= 1


def test_its_turns_go_on(system: Ruleset) -> None:
    options, stats, turn = system.options_with(), stats_of(system), TurnState()
    for gait in profile_of(system).gaits:
        done = turn if system.after is None else system.after(stats, turn, options, gait.name, None)
        following = turn if system.next_turn is None else system.next_turn(done, options)
        assert following.spent == 0
        assert system.next_turn is None or following.turn == turn.turn + 1
        assert system.profile(stats, following, options, system.postures[0]).gaits


def test_its_odds_add_up(system: Ruleset) -> None:
    if system.odds is None:
        return
    for gait in profile_of(system).gaits:
        if gait.refused is None:
            grounds = (Terrain(level="D", number=17),)
            found = system.odds(stats_of(system), TurnState(), system.options_with(), gait.name, gait.budget, grounds)
            assert not isinstance(found, Refusal)
            assert sum(part for _, part in found) == 1


def test_it_moves_on_a_map(system: Ruleset) -> None:
    battlemap, mover = board_of(system)
    found = tactical.reach(battlemap, mover)
    assert found.cells()
    for cell in sorted(found.cells()):
        route, band = found.route(cell), found.band(cell)
        assert isinstance(route, tactical.Route)
        assert band is not None
        assert route.end.cell == cell
        assert sum(line.price for line in route.ledger()) == route.cost == found.cost(cell)
        assert sum((step.cost for step in route.steps), Fraction(0)) == route.cost
        assert band.minimum <= route.spent <= band.budget
        assert all(line.band == band.name or not band.minimum for line in route.ledger())
        odds = found.odds(cell)
        assert odds is None or 0 <= odds <= 1


def test_it_says_why_not(system: Ruleset) -> None:
    battlemap, mover = board_of(system)
    found = tactical.reach(battlemap, mover)
    for row in range(battlemap.rows):
        for col in range(battlemap.cols):
            cell = Cell(col, row)
            if cell in found or cell == mover.at:
                continue
            reason = found.why_not(cell)
            assert isinstance(reason, Refusal)
            assert reason.text
            assert "{" not in reason.text


def test_more_turns_reach_no_less(system: Ruleset) -> None:
    battlemap, mover = board_of(system)
    assert tactical.reach(battlemap, mover).cells() <= tactical.reach(battlemap, mover, turns=3).cells()


def test_networkx_finds_the_same_costs(system: Ruleset) -> None:
    import networkx as nx

    battlemap, mover = board_of(system)
    found = tactical.reach(battlemap, mover)
    for pool in dict.fromkeys(gait.pool for gait in found.gaits):
        graph = tactical.MovementGraph(battlemap, mover, pool=pool)
        costs = nx.single_source_dijkstra_path_length(graph, graph.start, weight="weight")
        best: dict[Cell, Fraction] = {}
        for state, ticks in costs.items():
            if graph.nodes[state]["stop"]:
                best[state.cell] = min(ticks * graph.tick, best.get(state.cell, ticks * graph.tick))
        for cell in found.cells():
            band = found.band(cell)
            assert band is not None
            if found.profile.gait(band.gait).pool == pool:
                assert best[cell] == found.cost(cell)


def test_its_bands_can_be_drawn(system: Ruleset) -> None:
    battlemap, mover = board_of(system)
    found = tactical.reach(battlemap, mover, turns=2)
    text = DRAWERS.get("text").draw(scene(battlemap, found), ascii=True, colour=False)
    for band in found.bands:
        if found.cells(band):
            # the gaits of a later turn share its line
            assert (band.title if band.turn == 1 else band.title.partition(",")[0]) in text
        assert found.outline(band).area == pytest.approx(len(found.cells(band)))


# --- map formats -----------------------------------------------------------------------------------------------------


@pytest.fixture(params=FORMATS.names())
def kind(request: pytest.FixtureRequest) -> Format:
    found: Format = get_format(request.param)
    return found


def test_a_format_says_what_it_is(kind: Format) -> None:
    assert kind.title
    assert kind.suffixes
    assert all(suffix.startswith(".") for suffix in kind.suffixes)
    assert kind.can_load or kind.can_dump
    for option in kind.options:
        assert option.doc


@pytest.mark.parametrize("junk", [b"", b"\x00" * 40, b"\xff\xfe\x00junk", b"{", b"[1, 2]"])
def test_a_format_does_not_take_junk_for_a_map(kind: Format, junk: bytes) -> None:
    assert kind.sniff(junk, "junk.bin") in (False, None)
    if kind.can_load:
        with pytest.raises((tactical.MapError, ValueError)):
            kind.load(junk, source="junk")


def test_a_format_reads_what_it_writes(kind: Format) -> None:
    if kind.dump is None or not kind.can_load:
        pytest.skip("one way only")
    battlemap = Battlemap.from_rows(["..#", "...", "#.."], {".": {}}, cell=Fraction(5), unit="ft", grid="square")
    written = kind.dump(battlemap)
    data = written.encode() if isinstance(written, str) else written
    assert kind.sniff(data, "map" + kind.suffixes[0])
    again, report = kind.load(data, source="again")
    assert report.format in ("", kind.name)
    assert (again.cols, again.rows) == (battlemap.cols, battlemap.rows)
    open_ = [[not m.terrain(Cell(c, r)).impassable for c in range(3)] for m in (battlemap, again) for r in range(3)]
    has_walls = bool(again.barriers)
    assert has_walls or open_[:3] == open_[3:]


# --- ways of moving --------------------------------------------------------------------------------------------------


def test_ways_have_names_and_an_order_of_their_own() -> None:
    ways = [way for _, way in WAYS]
    assert all(isinstance(way, Way) for way in ways)
    assert [name for name, way in WAYS if way.name != name] == []
    orders = [way.order for way in ways]
    assert len(set(orders)) == len(orders)
    assert all(way.shape is not None or way.write is not None for way in ways)


# --- drawers ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", DRAWERS.names())
def test_a_drawer_draws_a_map_and_a_reach_the_same_every_time(name: str) -> None:
    if name == "raster":
        pytest.importorskip("pygame")
    drawer = DRAWERS.get(name)
    assert isinstance(drawer, Drawer)
    assert drawer.name == name
    assert drawer.suffix.startswith(".")
    village = tactical.load(maps("village"))
    found = tactical.reach(village, "raven")
    bare, full = drawer.draw(scene(village)), drawer.draw(scene(village, found))
    assert bare
    assert full != bare
    assert drawer.draw(scene(village, found)) == full
    with pytest.raises(TypeError):
        drawer.draw(scene(village), no_such_option=1)


# --- grids -----------------------------------------------------------------------------------------------------------


def some_cells() -> Iterator[Cell]:
    return (Cell(col, row) for col in range(4, 8) for row in range(4, 8))


@pytest.mark.parametrize("name", grid_names())
def test_a_grid_is_consistent(name: str) -> None:
    grid = get_grid(name)
    assert grid.title
    straight = [direction for direction in grid.directions if not direction.diagonal]
    for direction in grid.directions:
        opposite = [d for d in grid.directions if (d.di, d.dj) == (-direction.di, -direction.dj)]
        assert len(opposite) == 1
        if direction.legs is not None:
            legs = [grid.directions[leg] for leg in direction.legs]
            assert (direction.di, direction.dj) == (sum(d.di for d in legs), sum(d.dj for d in legs))
    for cell in some_cells():
        assert grid.unstore(*grid.store(cell.col, cell.row)) == (cell.col, cell.row)
        assert grid.cell_at(*grid.centre(cell.col, cell.row)) == (cell.col, cell.row)
        assert len(grid.polygon(cell.col, cell.row)) == len(straight)
        for direction, there in neighbours(grid, cell):
            assert cell in [back for _, back in neighbours(grid, there)]
            if not direction.diagonal:
                here = grid.centre(cell.col, cell.row)
                far = grid.centre(there.col, there.row)
                assert (far[0] - here[0]) ** 2 + (far[1] - here[1]) ** 2 == pytest.approx(1)
                a, b = grid.side(cell.col, cell.row, direction.name)
                middle = ((a[0] + b[0]) / 2, (a[1] + b[1]) / 2)
                assert middle == pytest.approx(((here[0] + far[0]) / 2, (here[1] + far[1]) / 2))
    assert grid.body(1) == ((0, 0),)
