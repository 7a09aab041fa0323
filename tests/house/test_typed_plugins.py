"""A wrong signature in a plug-in is told to its author by mypy: where a comment below is not needed, mypy complains.

The types are looked at with those of everything else (`test_house.test_the_types_fit`); here is seen that the right
ones work.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from tactical import Battlemap, Mover, Refusal, Ruleset, reach
from tactical.formats import Format, Report
from tactical.movement.graph.draft import Draft
from tactical.movement.graph.lattice import Lattice
from tactical.movement.graph.writer import Writer
from tactical.movement.route import State
from tactical.movement.ways import Way
from tactical.options import Options
from tactical.rules.outcomes import Went
from tactical.rules.profile import Gait, Pace, Profile
from tactical.rules.turnstate import TurnState
from tactical.show.drawers import Drawer
from tactical.show.panel import Moment, Section
from tactical.show.scene.shapes import Scene
from tactical.show.sheet import Sheet
from tactical.units import Cell
from tactical.world.terrain import Terrain


@dataclass(frozen=True, slots=True)
class Stats:
    pace: Fraction


def profile(stats: Stats, turn: TurnState, options: Options, posture: str) -> Profile:
    return Profile("typed", "m", (Gait("go", stats.pace),), lambda pool, posture, ground, uphill: Pace())


def after(stats: Stats, turn: TurnState, options: Options, gait: str, outcome: Went | None) -> TurnState:
    return turn


def resolve(
    stats: Stats, turn: TurnState, options: Options, gait: str, metres: Fraction, grounds: tuple[Terrain, ...],
    rolls: tuple[int, ...],
) -> Went | Refusal:  # fmt: skip
    return Went(moved=metres)


def few(stats: Stats, turn: TurnState) -> Profile:
    raise AssertionError


def text(stats: Stats, turn: TurnState, options: Options, gait: str, outcome: Went | None) -> str:
    return gait


def read(data: bytes, *, source: str = "", options: Mapping[str, Any] | None = None) -> tuple[Battlemap, Report]:
    raise AssertionError


def map_alone(data: bytes, *, source: str = "", options: Mapping[str, Any] | None = None) -> Battlemap:
    raise AssertionError


def draw(scene: Scene, *, theme: object = None, large: bool = False) -> str:
    return scene.title


def far(draft: Draft) -> list[tuple[Cell, Cell]]:
    return []


def why(lattice: Lattice, state: State, cell: Cell) -> str:
    return "no"


def write(writer: Writer) -> None: ...


def data(moment: Moment) -> str:
    return "here"


def lay_out(sheet: Sheet, said: str, y: float) -> float:
    return y


def wrong() -> None:
    """What mypy finds in a plug-in; never called."""
    Ruleset("typed", "Typed", "m", Stats, few)  # type: ignore[arg-type]
    Ruleset("typed", "Typed", "m", Stats, profile, after=text)  # type: ignore[arg-type]
    Ruleset("typed", "Typed", "m", Stats, profile, resolve=after)  # type: ignore[arg-type]
    Ruleset("typed", "Typed", "m", Stats, profile, next_turn=after)  # type: ignore[arg-type]
    Format("typed", "Typed", (".typed",), lambda data, name: True, map_alone)  # type: ignore[arg-type]
    Format("typed", "Typed", (".typed",), lambda data, name: True, read, lay=read)  # type: ignore[arg-type]
    Drawer("typed", ".typed", lambda theme: theme)  # type: ignore[arg-type]
    Way("typed", 95, write=why)  # type: ignore[arg-type]
    Way("typed", 95, why=why)  # type: ignore[arg-type]
    Way("typed", 95, far=far)  # type: ignore[arg-type]
    Section("typed", 5, lay_out, lay_out)  # type: ignore[arg-type]


def test_what_is_typed_rightly_works() -> None:
    system = Ruleset("typed", "Typed", "m", Stats, profile, after=after, resolve=resolve)
    Format("typed", "Typed", (".typed",), lambda data, name: True, read)
    Drawer("typed", ".typed", draw)
    Way("typed", 95, write=write)
    Section("typed", 5, data, lay_out)
    board = Battlemap.from_rows(["....."], unit="m", movers=[Mover("ada", stats={"pace": 15}, at="A1")])
    found = reach(board, "ada", rules=system).cells()
    assert sorted(map(board.name_of, found)) == ["B1", "C1", "D1"]
