"""Promise 4: every price has its sources on its line, and a step paid only in part says its whole price."""

from __future__ import annotations

from pathlib import Path

import pytest

from tactical import Battlemap, Mover, Route, load, reach
from tactical.assets import maps
from tactical.registry import RULESETS
from tactical.rules.ruleset import get_ruleset

MIXED = """
..x::;.^.
..~~;;.^.
.~~~....."""
LEGEND = {
    "x": {"terrain": "crack", "gap": True},
    ":": {"terrain": "scrub", "difficult": True},
    ";": {"terrain": "mud", "difficult": True, "rough": True, "level": "M", "number": 12},
    "~": {"terrain": "pool", "water": "deep"},
    "^": {"terrain": "bank", "elevation": 1},
}


def routes(board: Battlemap) -> list[Route]:
    """Ways of all movers of a map over two turns, to some of the cells they reach."""
    out = []
    for mover in board.movers:
        if mover.at is not None:
            found = reach(board, mover, turns=2)
            cells = sorted(found.cells())
            out += [way for cell in cells[:: max(1, len(cells) // 12)] if (way := found.route(cell))]
    return [way for way in out if isinstance(way, Route)]


def boards() -> list[Battlemap]:
    mixed = [
        Battlemap.from_rows(
            MIXED.strip().splitlines(),
            LEGEND,
            rules=name,
            unit=get_ruleset(name).unit,
            cell=get_ruleset(name).cell,
            movers=[Mover("ada", name, get_ruleset(name).example, "A1")],
        )
        for name in RULESETS.names()
    ]
    return [*mixed, *(load(path) for path in sorted(Path(maps()).glob("*.yaml"))[:4])]


@pytest.mark.parametrize("board", boards(), ids=lambda board: board.rules + board.name)
def test_lines_have_sources(board: Battlemap) -> None:
    found = routes(board)
    assert found
    for route in found:
        for n, step in enumerate(route.steps):
            # a door that is opened has a line of its own beside that of the step
            lines = [line for line in route.lines if n in line.steps]
            told = {clause for line in lines for clause in line.clauses}
            charged = {source.clause for charge in step.charges for source in (charge.source, *charge.also)}
            assert charged - {""} <= told, (route, step)
            if step.full is not None:
                assert [line.full for line in lines if line.full is not None] == [step.full]
        for line in route.lines:
            assert line.clauses[:1] == ((line.source.clause,) if line.clauses else ())
            assert all(clause in line.sources for clause in line.clauses)
    if board.rules == "operator" and not board.name:
        # a jump with its landing on difficult ground
        assert any(len(line.clauses) > 1 for route in found for line in route.lines)
