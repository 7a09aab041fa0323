"""A plan over turns on any map of any system: shown alike by all who are asked, and played as it was shown."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import tactical
from tactical import Battlemap, Cell, Mover, Route, Session
from tactical.hosts.desk import Desk
from tests.movement.test_carried import LEVELS, SLOW, play
from tests.oracle.worlds import EXAMPLES, fewer

MOVERS: Mapping[str, Mapping[str, object]] = {"plain": {"speed": 15}, "operator": {"speed": 15, "strength": 15}, **SLOW}
OPTIONS: tuple[dict[str, Any], ...] = (
    {},
    {"diagonal": "alternate", "parity_reset": "never"},
    {"grid_rounding": "enter_if_any_left"},
    {"corner": "one_open"},
)
several = settings(fewer, max_examples=int(EXAMPLES or 3), suppress_health_check=[*HealthCheck])


@st.composite
def boards(draw: st.DrawFn, rules: str) -> Battlemap:
    """A small board of a system, its mover in the middle."""
    rows = [list(draw(st.text("......,,~n#", min_size=7, max_size=7))) for _ in range(5)]
    rows[2][3] = "."
    cell, unit = (5, "ft") if rules in ("plain", "operator") else (8 if rules == "twelve-second" else 1, "m")
    before = draw(st.sampled_from(["stop", "cautious", "cruising", "high", "all_out"]))
    stats = {**MOVERS[rules], **({"previous": before} if "previous" in MOVERS[rules] else {})}
    mover = Mover("m", rules=rules, stats=stats, at=Cell(3, 2))
    lines = ["".join(row) for row in rows]
    legend = {sign: LEVELS[sign] for sign in set("".join(lines))}
    return Battlemap.from_rows(lines, legend, cell=cell, unit=unit, rules=rules, movers=(mover,))


def asked(desk: Desk, **request: object) -> dict[str, Any]:
    """What a program answers to a request over stdio."""
    answer = json.loads(desk.answer(json.dumps(request).encode()))
    assert answer["ok"], answer
    found: dict[str, Any] = answer["result"]
    return found


@pytest.mark.parametrize("rules", MOVERS)
@several
@given(data=st.data())
def test_a_plan_is_shown_alike_and_played_as_shown(rules: str, data: st.DataObject) -> None:
    battlemap, options = data.draw(boards(rules)), data.draw(st.sampled_from(OPTIONS))
    found = tactical.reach(battlemap, "m", turns=3, options=options)
    session = Session.new(battlemap, options=options)
    assert dict(session.reach("m", turns=3).costs) == dict(found.costs)
    desk = Desk()
    name = asked(desk, do="load", content=tactical.dump(battlemap))["map"]
    told = asked(desk, do="reach", map=name, mover="m", turns=3, options=options, cells="names")
    shown = {one["cell"]: (one.get("turn", 1), one["cost"], one["remaining"]) for one in told["cells"]}
    assert shown == {
        battlemap.name_of(cell): (found.turn(cell), number(found.cost(cell)), number(found.remaining(cell)))
        for cell in found.cells()
    }
    # a session keeps its reach: asked of the map every way would be searched anew
    begun = asked(desk, do="begin", map=name, options=options)["session"]
    far = sorted(found.cells(), key=lambda cell: (found.turn(cell) or 0, found.cost(cell) or 0, cell))
    for cell in far[:: max(len(far) // 5, 1)]:
        route = found.route(cell)
        assert isinstance(route, Route)
        assert (route.turn, route.cost) == (found.turn(cell), found.cost(cell))
        assert found.remaining(cell) == route.remaining == route.rounds[-1].budget - route.rounds[-1].spent
        of_map: dict[str, Any] = {"map": name, "options": options} if cell == far[-1] else {"session": begun}
        way = asked(desk, do="route", mover="m", to=[cell.col, cell.row], turns=3, **of_map)
        assert way["remaining"] == number(route.remaining)
        assert [(one["gait"], one["spent"], one.get("budget")) for one in way["rounds"]] == [
            (one.gait, number(one.spent), number(one.budget) if one.budget else None) for one in route.turns
        ]
        assert list(play(battlemap, route, options)) == [], (cell, [one.gait for one in route.turns])


def number(cost: Any) -> object:
    """A cost as JSON has it: whole, or a fraction in words."""
    return int(cost) if cost.denominator == 1 else str(cost)
