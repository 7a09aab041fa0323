"""Drawers, panel sections, commands and searches, whichever are registered, over a game that is under way."""

from __future__ import annotations

import random
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import click
import networkx as nx
import pytest

import tactical
from tactical import Accepted, Battlemap, Cell, Move, MovementGraph, Mover, Session
from tactical.cli.program import COMMANDS
from tactical.registry import DRAWERS, SECTIONS
from tactical.show.drawers import Drawer
from tactical.show.panel import Moment, Section, lay_out, page_of
from tactical.show.scene.scene import scene
from tactical.show.sheet import Words
from tests.cli.conftest import Run, run
from tests.house.offered import offered

__all__ = ["run"]

HALL = """\
schema: 1
name: Hall
rules: operator
rows: |
  ..........
  ....mm....
  ..........
legend: {m: {difficult: true, terrain: mud}}
barriers:
  - {cell: G1, side: e, kind: DOOR}
  - {cell: G2, side: e, kind: door, id: gate}
  - {cell: G3, side: e, kind: wall}
movers:
  - {id: hero, at: A1, side: heroes, stats: {speed: 30}}
  - {id: orc, at: J3, side: horde, stats: {speed: 30}}
LURKER"""
LURKER = "  - {id: shade, at: D3, side: horde, hidden: true, stats: {speed: 30}}\n"
WORLDS = (
    HALL.replace("kind: DOOR", "kind: door, state: secret, id: vault").replace("LURKER", LURKER),
    HALL.replace("kind: DOOR", "kind: wall").replace("LURKER", ""),
)
"""A hall with a secret door and somebody hidden, and the same as the hero knows it."""


def under_way(world: str) -> Session:
    session = Session.new(tactical.load(world.encode(), name="hall.yaml"))
    assert isinstance(session.execute(Move("hero", Cell(2, 0))), Accepted)
    return session


def moment(session: Session) -> Moment:
    found = session.reach("hero")
    return Moment(found, found.route(Cell(5, 1)), session, entries=scene(found.battlemap, found).legend)


@pytest.mark.parametrize("name", DRAWERS.names())
def test_a_drawer_tells_nothing_that_is_not_known(name: str) -> None:
    if name == "raster":
        pytest.importorskip("pygame")
    drawer: Drawer = DRAWERS.get(name)
    told = []
    for world in WORLDS:
        asked = moment(under_way(world))
        told.append(drawer.draw(scene(asked.session.battlemap, asked.reach, asked.route, enemy=True)))  # type: ignore[union-attr]
    assert told[0] == told[1]


@pytest.fixture(params=[*SECTIONS.names(), "watch"])
def section(request: pytest.FixtureRequest) -> Iterator[Section]:
    with offered(request.param):
        yield SECTIONS.get(request.param)


def test_a_section_tells_nothing_that_is_not_known_and_keeps_to_its_sheet(section: Section) -> None:
    told = []
    for world in WORLDS:
        page = page_of(moment(under_way(world)))
        # the others give it the height where it stands
        told.append(lay_out(page.without(*(one.name for one, _ in page.parts if one != section)), least=400.0))
    assert told[0] == told[1]
    for words in told[0].of(Words):
        assert words.text
        assert "{" not in words.text
        assert 0 <= words.x <= told[0].width
        assert 0 <= words.y <= told[0].height


def asking() -> list[click.Command]:
    """The commands that ask about a mover of a map, and print their answer."""
    found = [command for _, commands in COMMANDS for command in commands]
    wanted = [{parameter.name for parameter in command.params} for command in found]
    return [
        one
        for one, names in zip(found, wanted, strict=True)
        if {"mover_id", "spent"} <= names and "target" not in names
    ]


@pytest.mark.parametrize("command", [command for _, found in COMMANDS for command in found], ids=lambda one: one.name)
def test_a_command_says_what_it_does(command: click.Command, run: Run) -> None:
    said = run(str(command.name), "--help")
    assert said.status == 0
    assert (command.help or "").strip().split()[0] in said.out
    for parameter in command.params:
        if isinstance(parameter, click.Option) and not parameter.hidden:
            assert parameter.help, parameter.name


@pytest.mark.parametrize("command", asking(), ids=lambda one: one.name)
def test_a_command_tells_nothing_that_is_not_known(command: click.Command, run: Run, tmp_path: Path) -> None:
    file, told = tmp_path / "hall.yaml", []
    more: dict[str, tuple[str, ...]] = {"goal": ("--to", "F2"), "rolls": ("--roll", "10")}
    names = {parameter.name for parameter in command.params}
    given = [word for name, words in more.items() if name in names for word in words]
    for world in WORLDS:
        file.write_text(world, encoding="utf-8")
        answers = [run(str(command.name), str(file), "--mover", "hero", *given, *json) for json in ((), ("--json",))]
        told.append([(one.status, one.out, one.err) for one in answers])
    assert told[0] == told[1]
    assert any(out for _, out, _ in told[0])


@pytest.mark.parametrize("seed", [2, 3, 4])
def test_the_choices_between_price_and_strikes_are_all_there_are(seed: int) -> None:
    """The whole front equals what networkx finds on states and the enemies who have struck."""
    dice = random.Random(seed)
    rows = ["".join(dice.choice("....~#") for _ in range(8)) for _ in range(5)]
    rows[2] = "." + rows[2][1:]
    spots = [Cell(col, row) for col in range(2, 7) for row in range(5) if rows[row][col] == "."]
    foes = [Mover(f"foe-{n}", at=cell, side="them") for n, cell in enumerate(dice.sample(spots, 2))]
    hero = Mover("hero", at=Cell(0, 2), side="us", stats={"speed": 30})
    legend: dict[str, dict[str, Any]] = {"~": {"difficult": True}, "#": {"impassable": True}}
    battlemap = Battlemap.from_rows(rows, legend, rules="operator", movers=(hero, *foes), options={"diagonal": "equal"})
    graph = MovementGraph(battlemap, "hero")

    def strikers(start: Cell, end: Cell) -> frozenset[str]:
        near = [{foe.id for foe in foes if foe.at and _far(foe.at, cell) <= 1} for cell in (start, end)]
        return frozenset(near[0] - near[1])

    whole = nx.DiGraph()
    sets = [frozenset[str](), frozenset({"foe-0"}), frozenset({"foe-1"}), frozenset({"foe-0", "foe-1"})]
    for one, other, about in graph.edges(data=True):
        for struck in sets:
            whole.add_edge((one, struck), (other, struck | strikers(one.cell, other.cell)), weight=about["weight"])
    ticks = nx.single_source_dijkstra_path_length(whole, (graph.start, frozenset()), weight="weight")
    found = tactical.reach(battlemap, "hero")
    asked = 0
    for cell in sorted(found.cells())[::2]:
        best: dict[int, Fraction] = {}
        for (state, struck), price in ticks.items():
            if state.cell == cell and graph.nodes[state]["stop"] and price * graph.tick <= 60:
                best[len(struck)] = min(price * graph.tick, best.get(len(struck), Fraction(999)))
        front = {(n, cost) for n, cost in best.items() if all(cost < best[m] for m in best if m < n)}
        assert {(choice.risk, choice.route.cost) for choice in found.risks(cell)} == front, cell
        asked += len(front) > 1
    assert asked


def _far(a: Cell, b: Cell) -> int:
    return max(abs(a.col - b.col), abs(a.row - b.row))
