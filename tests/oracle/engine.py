"""The engine's answers to the same scenarios, put beside the oracle's.  The one file here that imports the engine."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from types import ModuleType
from typing import Any

from tactical.movement.query import Query, ask
from tactical.movement.reach import Reach
from tactical.search.kernel import search
from tactical.units import Cell
from tests.oracle.board import Pos
from tests.oracle.moves import Mover
from tests.oracle.search import ends, first_budget, over_turns

CASES = Path(__file__).parent.parent / "cases"


def _load(name: str) -> ModuleType:
    known = f"tactical_cases_{name}"
    if known not in sys.modules:
        spec = importlib.util.spec_from_file_location(known, CASES / f"{name}.py")
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules[known] = module
        spec.loader.exec_module(module)
    return sys.modules[known]


maps = _load("_maps")
"""How a scenario becomes the engine's own values."""


def question(scenario: Mapping[str, Any], **more: Any) -> Query:
    """The scenario as a question to the engine."""
    mover, turn = maps.mover_of(scenario)
    return ask(maps.board(scenario), mover, options=scenario.get("options", {}), turn=turn, **more)


def reach(scenario: Mapping[str, Any], turns: int = 1, gait: str = "", **more: Any) -> Reach:
    """The engine's reach; of the gait ``move`` alone in the rules in feet."""
    chosen = gait or ("move" if scenario["ruleset"] in ("plain", "operator") else "")
    return Reach(question(scenario, **more), turns=turns, gait=chosen)


Arrivals = dict[Pos, tuple[int, Fraction]]
"""Per cell that can be stopped on: the turn of arrival and the least spent in that turn."""


def engine_arrivals(found: Reach) -> Arrivals:
    """Turn and spending of every cell, as the engine has it."""
    return {tuple(cell): (place.turn, place.spent) for cell, place in found.arrivals.items()}  # type: ignore[misc]


def engine_unlimited(scenario: Mapping[str, Any]) -> dict[Pos, Fraction]:
    """Per cell the least cost of one unlimited turn, as the engine's graph has it."""
    query = question(scenario)
    lattice = query.lattice(query.profile.gaits[0].pool, None, limited=False)
    node = lattice.node(query.start)
    assert node is not None
    out: dict[Pos, Fraction] = {}
    for at, ticks in search(lattice.compiled, [node]).to_dict().items():
        if lattice.stops[at]:
            place, cost = lattice.cell(at), lattice.cost(ticks)
            out[place] = min(cost, out.get(place, cost))
    return out


def oracle_arrivals(
    scenario: Mapping[str, Any], turns: int = 1, *, forgetful: bool = False
) -> tuple[Arrivals, set[Pos]]:
    """Turn and spending of every cell, and the cells passed, as the oracle has it."""
    mover = Mover(scenario)
    mover.forgetful = forgetful
    spent, budget = first_budget(mover, scenario)
    out: Arrivals = {}
    passed: set[Pos] = set()
    for number, found in enumerate(over_turns(mover, spent, budget, turns), 1):
        passed |= {state.pos for state in found}
        for pos, cost in ends(mover, found, number).items():
            out.setdefault(pos, (number, cost))
    return out, passed


def cell(pos: Pos) -> Cell:
    """A position as the engine's cell."""
    return Cell(*pos)
