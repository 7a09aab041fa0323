"""A small map, and a stand-in for a reach made by hand: pictures are tested without the search."""

from __future__ import annotations

import heapq
import itertools
from dataclasses import dataclass, field
from fractions import Fraction

import pytest

from tactical.errors import Refusal
from tactical.movement.route import Line, Provocation, Route, State, Step
from tactical.movement.turns.bands import Band
from tactical.units import Cell
from tactical.world.battlemap import Battlemap
from tactical.world.edges.barriers import Barrier
from tactical.world.grids import neighbours
from tactical.world.mover import Mover

LEGEND = {
    "g": {"terrain": "grass"},
    "m": {"terrain": "mud", "difficult": True},
    "~": {"terrain": "ford", "water": "shallow", "difficult": True},
    "W": {"terrain": "river", "water": "deep"},
    "h": {"terrain": "hill", "elevation": 10},
    "T": {"terrain": "tree", "impassable": True},
}
ROWS = [
    "ggggggggggWWgggg",
    "gggTggggggWWgggg",
    "ggggg#####~~gghh",
    "ggmmg#...#~~gghh",
    "ggmmg#...#WWgghh",
    "ggggg##.##WWgggg",
    "gggggggggggggggg",
    "gggggggggggggggg",
]
BANDS = (
    Band(0, "move", "Move", Fraction(30)),
    Band(1, "dash", "Dash", Fraction(60), action="action"),
    Band(2, "turn-2", "Turn 2", Fraction(60), turn=2),
)


@dataclass
class FakeReach:
    """A flood over passable cells: 5 a cell, 10 where difficult; what costs over 60 is turn 2 (to 120)."""

    battlemap: Battlemap
    mover: Mover
    bands: tuple[Band, ...] = BANDS
    found: dict[Cell, Fraction] = field(default_factory=dict)
    before: dict[Cell, Cell] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.start = State(self.mover.at, self.mover.posture)
        taken = {other.at for other in self.battlemap.movers if other.id != self.mover.id}
        heap, done = [(0, self.start.cell)], set()
        best = {self.start.cell: 0}
        while heap:
            cost, cell = heapq.heappop(heap)
            if cell in done:
                continue
            done.add(cell)
            self.found[cell] = Fraction(cost)
            for _, near in neighbours(self.battlemap.grid, cell):
                if near not in self.battlemap or self.battlemap.terrain(near).impassable or near in taken:
                    continue
                ground = self.battlemap.terrain(near)
                price = cost + (10 if ground.difficult or ground.swum else 5)
                if price <= 120 and price < best.get(near, 999):
                    best[near], self.before[near] = price, cell
                    heapq.heappush(heap, (price, near))

    def band(self, cell: Cell) -> Band | None:
        cost = self.found.get(cell)
        if cost is None or cell == self.start.cell:
            return None
        return self.bands[0 if cost <= 30 else 1 if cost <= 60 else 2]

    def cells(self, band: object = None) -> frozenset[Cell]:
        return frozenset(c for c in self.found if c != self.start.cell and band in (None, self.band(c)))

    def passing(self) -> frozenset[Cell]:
        return frozenset()

    def cost(self, cell: Cell) -> Fraction | None:
        return self.found.get(cell)

    def threatened(self) -> dict[Cell, tuple[str, ...]]:
        return {
            near: (foe.id,)
            for foe in self.battlemap.movers
            if self.mover.towards(foe) == "enemy" and foe.at
            for _, near in neighbours(self.battlemap.grid, foe.at)
            if near in self.battlemap
        }

    def route(self, cell: Cell, **_: object) -> Route | Refusal:
        if self.band(cell) is None:
            return Refusal("move.unreachable")
        way = [cell]
        while way[-1] != self.start.cell:
            way.append(self.before[way[-1]])
        way.reverse()
        steps, lines = [], []
        for n, (a, b) in enumerate(itertools.pairwise(way)):
            cost = self.found[b] - self.found[a]
            turn = self.band(b).turn
            spent = self.found[b] if turn == 1 else self.found[b] - 60
            steps.append(Step(State(a), State(b), "walk", cost, Fraction(5), turn=turn, spent=spent, ground="g"))
            lines.append(Line("grass 5 ft", cost, spent, band=self.band(b).name, turn=turn, way="walk", steps=(n,)))
        band, last = self.band(cell), steps[-1]
        return Route(
            self.start,
            State(cell),
            tuple(steps),
            self.found[cell],
            band.turn,
            band.name,
            last.spent,
            Fraction(60) - last.spent,
            "ft",
            tuple(lines),
            (Provocation("guard", way[1], 1),),
            stops=(cell,),
        )


@pytest.fixture
def battlemap() -> Battlemap:
    raven = Mover("raven", at=Cell(3, 6), side="heroes")
    return Battlemap.from_rows(
        ROWS,
        LEGEND,
        name="Test yard",
        movers=(
            raven,
            Mover("magpie", at=Cell(1, 1), side="heroes", posture="crouched"),
            Mover("guard", at=Cell(8, 7), side="watch"),
            Mover("ghoul", at=Cell(14, 7), side="watch", hidden=True),
            Mover("cat", at=Cell(0, 7)),
        ),
        barriers=(
            Barrier(((13, 0), (13, 2)), "wall"),
            Barrier(((13, 2), (13, 3)), "door", "gate", state="locked"),
            Barrier(((13, 3), (13, 4)), "door", "hidden", state="secret"),
            Barrier(((2, 0), (2, 1)), "fence"),
        ),
    )


@pytest.fixture
def reach(battlemap: Battlemap) -> FakeReach:
    return FakeReach(battlemap, battlemap.mover("raven"))
