"""What is offered as another way is one: it can be made as shown, at the risk that is told, and no other is as good.

Rolls succeed, strikes are endured.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tactical
from tactical import (
    AttackOffered,
    Battlemap,
    Cell,
    Event,
    GivenRoll,
    GoOn,
    HazardEntered,
    Hurt,
    Move,
    Mover,
    Reach,
    Route,
    Session,
)
from tests.movement.test_carried import LEVELS
from tests.play.test_plans_on_every_surface import MOVERS, several

GROUND: Mapping[str, Mapping[str, object]] = {
    **LEVELS,
    "f": {"terrain": "fire", "hazard": "fire", "level": "VE", "number": 3},
    "_": {"terrain": "pit", "gap": True},
}
COUNTED = {"attacks": AttackOffered, "exposures": HazardEntered}


@st.composite
def dangers(draw: st.DrawFn, rules: str) -> Battlemap:
    """A small board with a mover, somebody who strikes at it, fire and pits."""
    rows = [list(draw(st.text("......,,ff_#", min_size=6, max_size=6))) for _ in range(4)]
    rows[1][1] = rows[2][3] = "."
    cell, unit = (5, "ft") if rules in ("plain", "operator") else (6 if rules == "twelve-second" else 1, "m")
    stats = {**MOVERS[rules], "speed": 30} if "speed" in MOVERS[rules] else MOVERS[rules]
    movers = (Mover("m", rules=rules, stats=dict(stats), at=Cell(1, 1), side="ours"),
              Mover("foe", rules=rules, stats=dict(stats), at=Cell(3, 2), side="theirs"))  # fmt: skip
    return Battlemap.from_rows(["".join(row) for row in rows], GROUND, cell=cell, unit=unit, rules=rules, movers=movers)


def made(battlemap: Battlemap, mover: str, route: Route) -> tuple[Session, list[Event]]:
    """The game after a way was ordered, everything on it going well, and all that happened."""
    session = Session.new(battlemap)
    done = session.execute(Move(mover, route))
    events: list[Event] = []
    while True:
        assert done, done
        events += done
        waiting = session.position.pending
        if waiting is None:
            return session, events
        if waiting.what == "attack":
            done = session.execute(GoOn(mover))
            continue
        check = waiting.checks[len(waiting.rolls) if waiting.what == "whole" else 0]
        answer = GivenRoll(mover, total=1) if check.kind == "recovery" else GivenRoll(mover, passed=True)
        # a level without a number takes any of its own
        numbers = (None,) if check.number is not None else (3, 8, 13, 18, 23, 33)
        done = next(one for number in numbers if (one := session.execute(replace(answer, number=number))))


def wrongs(found: Reach, cell: Cell) -> Iterator[str]:
    """What is not so of the ways to a cell that are offered."""
    battlemap, shown = found.battlemap, found.route(cell)
    assert isinstance(shown, Route)
    for by in ("attacks", "exposures", "damage", "number", "chance"):
        ways = found.risks(cell, by)
        if not ways and by == "chance" and cell not in found.chances:
            continue  # nobody knows them
        if not ways:
            yield f"{by}: no way there, though there is one"
            continue
        # the way that is shown keeps out of fire and takes the slowest gait that gets there
        if min(way.route.cost for way in ways) > shown.cost:
            yield f"{by}: the way that is shown is cheaper"
        pairs = sorted((way.risk, -way.route.cost) for way in ways)
        if any(a[0] >= b[0] or a[1] >= b[1] for a, b in pairwise(pairs)):
            yield f"{by}: one way beats another: {pairs}"
        if len({(way.route.cells, way.route.band, way.route.steps) for way in ways}) < len(ways):
            yield f"{by}: the same way twice"
        for way in ways:
            session, events = made(battlemap, found.mover.id, way.route)
            status = session.position.status(found.mover.id)
            if (status.state.cell, status.turn.spent) != (cell, way.route.cost):
                yield f"{by}: it ends at {status.state.cell} for {status.turn.spent}, not for {way.route.cost}"
            counts = Counter(type(event) for event in events)
            if by in COUNTED and counts[COUNTED[by]] != way.risk:
                yield f"{by}: {way.risk} told, {counts[COUNTED[by]]} met"
            if by == "damage" and sum(Fraction(e.damage) for e in events if isinstance(e, Hurt)) != way.risk:
                yield f"damage: {way.risk} told"
    yield from likelier(found, cell, shown)


def likelier(found: Reach, cell: Cell, shown: Route) -> Iterator[str]:
    """What is not so of the likelier way that a chance is told of."""
    best, ways = found.chances.get(cell), found.risks(cell, "chance")
    if best is None:
        return
    likeliest = min(ways, key=lambda way: way.risk)
    if best.chance != likeliest.chance:
        yield f"the best chance is {best.chance}, of the ways {likeliest.chance}"
    own = tactical.reach(found.battlemap, found.mover.id, gait=best.gait).risks(cell, "chance")
    at_best = [way.route.cost for way in own if way.chance == best.chance]
    if at_best != [best.cost]:
        yield f"the best chance costs {best.cost} at {best.gait}, its way {at_best}"
    alike = [way for way in ways if way.route.steps == shown.steps and way.route.band == shown.band]
    if any(way.chance < best.chance for way in alike) and likeliest in alike:
        yield "the likelier way is the one that is shown"


@pytest.mark.parametrize("rules", MOVERS)
@several
@given(data=st.data())
def test_other_ways_can_be_gone_and_are_others(rules: str, data: st.DataObject) -> None:
    battlemap = data.draw(dangers(rules))
    found = tactical.reach(battlemap, "m")
    cells = sorted(found.cells() - {Cell(1, 1)})
    for cell in cells[:: max(len(cells) // 4, 1)]:
        assert list(wrongs(found, cell)) == [], cell


@pytest.mark.parametrize(
    ("name", "mover"),
    [
        ("dungeon", "sly"),
        ("starport", "rhen"),
        ("cliff-town", "vess"),
        ("vehicle-yard", "mechanic"),
    ],
)
def test_other_ways_on_the_samples_can_be_gone(name: str, mover: str) -> None:
    found = tactical.reach(tactical.load(name), mover)
    far = sorted(found.cells() - {found.start.cell}, key=lambda cell: (found.cost(cell) or 0, cell))
    for cell in (far[len(far) // 2], far[-1]):
        assert list(wrongs(found, cell)) == [], cell
