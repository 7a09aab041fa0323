"""Every rule system, shipped or a stranger's, at a table: its orders, its failures, its plans over several turns."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

import tactical
from tactical import Accepted, Battlemap, Cell, EndTurn, GivenRoll, GoOn, Move, Mover, Refusal, Route, Session
from tactical.play import commands as do
from tactical.registry import RULESETS
from tactical.rules.ruleset import get_ruleset
from tests.house.offered import offered
from tests.movement.test_carried import play

ROWS = ["........", "..DD....", ".#~~.GG.", "..~~.GG.", "........"]
LEGEND: dict[str, dict[str, object]] = {
    ".": {"level": "E", "number": 7},
    "D": {"difficult": True, "rough": True, "level": "D", "number": 17},
    "~": {"water": "deep", "current": "strong", "level": "M", "number": 12},
    "G": {"gap": True},
}
STATED: dict[str, dict[str, object]] = {"operator": {"athletics_dc": 12}, "twelve-second": {"jump_chance": 0}}
"""Options without which a system asks for no roll."""


NEVER = ("plain",)
"""Systems that roll for no move."""
LANES = ("..~~....", "....DDDD........", "." * 14 + "G" * 6 + "...")
"""No way round: who gets on must swim, go over hard ground, or jump."""


@pytest.fixture(params=[*RULESETS.names(), "delvers"])
def battlemap(request: pytest.FixtureRequest) -> Iterator[Battlemap]:
    with offered(request.param):
        system = get_ruleset(request.param)
        mover = Mover("m", rules=system.name, stats=system.example, at=Cell(0, 2))
        yield Battlemap.from_rows(
            ROWS, LEGEND, cell=system.cell, unit=system.unit, grid="square", rules=system.name, movers=(mover,),
            options=STATED.get(system.name, {}),
        )  # fmt: skip


def spread(cells: frozenset[Cell], count: int) -> list[Cell]:
    """Some of many cells, from all over them."""
    ordered = sorted(cells)
    return ordered[:: max(1, len(ordered) // count)]


def lane(battlemap: Battlemap, rows: list[str]) -> Battlemap:
    """Other rows for the same mover, who stands at their beginning."""
    return Battlemap.from_rows(
        rows, LEGEND, cell=battlemap.cell, unit=battlemap.unit, grid="square", rules=battlemap.rules,
        movers=(replace(battlemap.movers[0], at=Cell(0, 0)),), options=battlemap.options,
    )  # fmt: skip


def test_every_order_is_accepted_or_refused_in_words(battlemap: Battlemap) -> None:
    session = Session.new(battlemap)
    profile = session.position.query("m").profile
    orders: list[do.Command] = [
        do.Act("m"), do.Dash("m"), do.Dash("m", True), do.Disengage("m"), do.Rest("m"), EndTurn("m"),
        *(do.Posture("m", posture) for posture in profile.postures), *(do.Gait("m", one.name) for one in profile.gaits),
    ]  # fmt: skip
    before = tactical.to_json(session.position)
    accepted = 0
    for order in orders:
        reason = session.why_not(order)
        done = session.execute(order)
        assert isinstance(done, Accepted) == (reason is None), order
        if isinstance(done, Accepted):
            accepted += 1
            assert all(event.text for event in done)
            assert session.undo()
        else:
            assert isinstance(reason, Refusal)
            assert (done.code, done.text) == (reason.code, reason.text)
            assert "{" not in done.text
        assert tactical.to_json(session.position) == before, order
    assert accepted


def test_every_failure_is_played_and_the_game_goes_on(battlemap: Battlemap) -> None:
    lanes = [lane(battlemap, [row]) for row in LANES]
    rolled = [
        (there, cell)
        for there in lanes
        for found in [tactical.reach(there, "m")]
        for cell in sorted(found.cells())
        if (route := found.route(cell)) and route.turns[0].checks
    ]
    assert rolled or battlemap.rules in NEVER
    for there, cell in rolled[:: max(1, len(rolled) // 3)]:
        results = set()
        for margin in (-30, -12, -5, -3, -1, 0, 5):
            session = Session.new(there)
            done = session.execute(Move("m", cell))
            while isinstance(done, Accepted) and (waits := session.position.pending) is not None:
                check = waits.checks[min(len(waits.rolls), len(waits.checks) - 1)]
                number = check.number or 10
                total = max(1, number - margin if check.under else number + margin)
                done = session.execute(GivenRoll("m", total))
                if isinstance(done, Refusal):
                    # these dice cannot show that
                    done = session.execute(GivenRoll("m", passed=margin >= 0))
            if isinstance(done, Refusal):
                assert done.code in ("play.total_needed", "rules.number_missing"), done
                continue
            assert all(event.text and "{" not in event.text for event in done)
            status = session.position.status("m")
            kept = repr(sorted(status.turn.memory.items()))
            results.add((status.state.cell, status.state.posture, status.turn.spent, kept))
            again = session.reach("m", turns=2)
            assert session.execute(EndTurn("m")) or any(
                session.why_not(Move("m", one)) is None for one in again.cells()
            )
        assert len(results) > 1, (cell, "whatever is rolled, the same comes of it")


def test_every_plan_is_played_as_shown(battlemap: Battlemap) -> None:
    road = lane(battlemap, ["." * 120] * 2)
    found = tactical.reach(road, "m", turns=3)
    for number in (1, 2, 3):
        ended = frozenset(cell for cell in found.cells() if found.turn(cell) == number)
        # the last of a turn need its fastest gait
        for cell in [*spread(ended, 2), max(ended)] if ended else []:
            route = found.route(cell)
            if isinstance(route, Route):
                assert list(play(road, route)) == [], cell
        assert ended or number > 1


def test_a_way_declared_leg_by_leg_costs_what_it_says(battlemap: Battlemap) -> None:
    found = tactical.reach(battlemap, "m")
    for cell in spread(found.cells(), 6):
        route, session = found.route(cell), Session.new(battlemap)
        assert isinstance(route, Route)
        done = session.execute(Move("m", route))
        while isinstance(done, Accepted) and (waits := session.position.pending) is not None:
            done = session.execute(GoOn("m") if waits.what == "attack" else GivenRoll("m", passed=True))
        assert isinstance(done, Accepted), (cell, done)
        assert session.position.status("m").state.cell == cell
