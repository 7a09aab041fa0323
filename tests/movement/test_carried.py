"""Plans over several turns of movers that remember: equal to starting anew from every place, and playable as shown."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from fractions import Fraction

import pytest

import tactical
from tactical import (
    Accepted,
    Battlemap,
    Cell,
    Ended,
    EndTurn,
    GivenRoll,
    GoOn,
    Move,
    Mover,
    Reach,
    Refusal,
    Route,
    Session,
    State,
    TurnState,
)
from tactical.movement.query import ask
from tactical.movement.situation import fresh_turn
from tactical.movement.turns.planned import left_by
from tactical.wire.views import Reached
from tactical.wire.writing import to_json

LEVELS: Mapping[str, dict[str, object]] = {
    ".": {"terrain": "floor", "level": "VE", "number": 3},
    ",": {"terrain": "rubble", "level": "M", "number": 12, "rough": True, "difficult": True},
    "~": {"terrain": "river", "water": "deep", "level": "E", "number": 7},
    "n": {"terrain": "stairs", "no_stop": True, "level": "VE", "number": 2},
    "#": {"terrain": "rock", "impassable": True},
}
SLOW: Mapping[str, Mapping[str, object]] = {
    "d6-reup": {"move": 4, "code": "4D", "previous": "stop"},
    "d6-revised": {"kind": "vehicle", "move": 4, "code": "4D", "previous": "cruising"},
    "shapers": {"pa": 1, "ps": 4, "pf": 1, "swimming": 1, "endurance": 2},
    "twelve-second": {"strength": 5, "dexterity": 5, "endurance": 1},
}
"""Movers for small boards: they come two to five cells far in a turn of their steady gaits."""


def board(seed: int, rules: str, cols: int = 7, rows: int = 5, ground: str = "......,n#") -> Battlemap:
    """A random board with a mover in its middle."""
    dice = random.Random(seed)
    made = [[dice.choice(ground) for _ in range(cols)] for _ in range(rows)]
    made[rows // 2][cols // 2] = "."
    side = {"twelve-second": 8}.get(rules, 1)
    before = dice.choice(["stop", "cautious", "cruising", "high", "all_out"])
    stats = {**SLOW[rules], **({"previous": before} if "previous" in SLOW[rules] else {})}
    mover = Mover("m", rules=rules, stats=stats, at=Cell(cols // 2, rows // 2))
    made_of = {sign: LEVELS[sign] for sign in set(ground) | {"."}}
    lines = ["".join(line) for line in made]
    return Battlemap.from_rows(lines, made_of, cell=side, unit="m", grid="square").with_(movers=(mover,))


def anew(battlemap: Battlemap, turns: int, options: Mapping[str, object] = {}, gait: str = "") -> dict[Cell, int]:
    """The first turn in which each cell can be ended on, by asking one turn from every state that a turn can end in."""
    begin = ask(battlemap, "m", options=options)
    level: list[tuple[State, TurnState]] = [(begin.start, begin.turn)]
    out: dict[Cell, int] = {}
    seen: set[object] = set()
    for number in range(1, turns + 1):
        after: list[tuple[State, TurnState]] = []
        for start, turn in level:
            query = ask(battlemap, "m", start=start, turn=turn, options=options)
            for one in query.open_gaits:
                if gait not in ("", one.name):
                    continue
                found = tactical.reach(battlemap, "m", start=start, turn=turn, options=options, gait=one.name)
                for cell, arrival in found.arrivals.items():
                    if cell == start.cell:
                        continue
                    out.setdefault(cell, number)
                    lattice = found.searches[0].lattice
                    state = lattice.state(lattice.rested(arrival.node, keep_parity=False))
                    route = found.route(cell)
                    assert isinstance(route, Route)
                    ways = [step.way for step in route.steps]
                    later = fresh_turn(query.ruleset, left_by(query, turn, one.name, arrival.cost, ways), query.options)
                    after.append((state, later))
            if query.profile.facts.get("may_stop", True) and not gait:
                rested = start._replace(run_up=0, doors=0, diagonals=0)
                after.append((rested, fresh_turn(query.ruleset, turn, query.options)))
        level = []
        for state, turn in after:
            key = (state, turn.previous, repr(sorted(turn.memory.items())))
            if key not in seen:
                seen.add(key)
                level.append((state, turn))
    return out


def shown(found: Reach) -> dict[Cell, int]:
    return {cell: found.turn(cell) or 0 for cell in found.cells()}


@pytest.mark.parametrize("rules", SLOW)
@pytest.mark.parametrize(("seed", "turns"), [(0, 2), (1, 3)])
def test_it_finds_what_starting_anew_from_every_place_finds(rules: str, seed: int, turns: int) -> None:
    battlemap = board(seed, rules)
    expected = anew(battlemap, turns)
    expected.pop(Cell(3, 2), None)
    assert shown(tactical.reach(battlemap, "m", turns=turns)) == expected


def made(session: Session) -> GivenRoll:
    """A roll that succeeds; the game master gives a number where none is known."""
    pending = session.position.pending
    assert pending is not None
    check = pending.checks[min(len(pending.rolls), len(pending.checks) - 1)]
    return GivenRoll("m", passed=True, number=check.hardness or 1 if check.number is None else None)


def passed(session: Session, done: Accepted | Refusal) -> Accepted | Refusal:
    """What comes of a move in which every roll succeeds and nobody who strikes stops it."""
    while isinstance(done, Accepted) and session.position.pending is not None:
        waits = session.position.pending.what
        done = session.execute(GoOn("m") if waits == "attack" else made(session))
    return done


def play(battlemap: Battlemap, route: Route, options: Mapping[str, object] = {}) -> Iterator[str]:
    """Carry a plan out turn by turn; whatever is not as it was shown."""
    session, ended = Session.new(battlemap, options=options), list[Ended]()
    plan: Route | None = route
    for turn in route.turns:
        assert plan is not None
        before = session.position.status("m").turn.spent
        done = passed(session, session.execute(Move("m", plan)))
        if isinstance(done, Accepted):
            ended = [event for event in done if isinstance(event, Ended)]
        elif turn.steps or len(plan.turns) > 1:
            yield f"turn {turn.number} at {turn.gait} is refused: {done.text}"
            return
        status = session.position.status("m")
        if status.state.cell != turn.end.cell or status.turn.spent - before != turn.spent:
            yield f"turn {turn.number} ends on {status.state.cell} for {status.turn.spent}, not {turn.end} {turn.spent}"
        if turn.number < len(route.turns):
            ended = passed(session, session.execute(EndTurn("m")))
            if not isinstance(ended, Accepted):
                yield f"turn {turn.number} at {turn.gait} cannot be ended: {ended.text}"
                return
        plan = plan.rest()
    if session.position.status("m").state.cell != route.end.cell:
        yield "the plan ends elsewhere"
    if ended and ended[-1].remaining != route.remaining:
        yield f"{ended[-1].remaining} is left when it is played, not {route.remaining}"


@pytest.mark.parametrize("rules", SLOW)
@pytest.mark.parametrize("ground", ["......,n#", "...~,"])
@pytest.mark.parametrize("seed", range(2))
def test_every_plan_can_be_played_as_shown(rules: str, ground: str, seed: int) -> None:
    battlemap = board(seed + 50, rules, ground=ground)
    found = tactical.reach(battlemap, "m", turns=3)
    assert found.cells()
    for cell in sorted(found.cells()):
        route = found.route(cell)
        assert isinstance(route, Route)
        assert (route.turn, route.cost) == (found.turn(cell), found.cost(cell))
        assert [one.number for one in route.turns] == list(range(1, route.turn + 1))
        assert sum((one.spent for one in route.turns), Fraction(0)) == route.cost
        assert list(play(battlemap, route)) == [], (cell, [one.gait for one in route.turns])


@pytest.mark.parametrize(
    ("rules", "options", "gait"),
    [("d6-reup", {"ring": "walk"}, ""), ("d6-reup", {"diagonal": "none"}, "cruising"), ("shapers", {}, "jog")],
)
def test_options_and_a_gait_for_every_turn_hold_in_later_turns_too(
    rules: str, options: dict[str, object], gait: str
) -> None:
    battlemap = board(7, rules, cols=6, rows=4)
    found = tactical.reach(battlemap, "m", turns=2, options=options, gait=gait)
    expected = anew(battlemap, 2, options, gait)
    expected.pop(found.start.cell, None)
    assert shown(found) == expected
    for cell in found.cells():
        route = found.route(cell)
        assert isinstance(route, Route)
        assert not gait or {one.gait for one in route.turns} == {gait}
        assert list(play(battlemap, route, options)) == []


def test_who_has_moved_this_turn_plans_from_the_next_one_on() -> None:
    battlemap = board(3, "d6-reup", ground=".")
    session = Session.new(battlemap)
    near = next(iter(sorted(session.reach("m").cells())))
    assert isinstance(passed(session, session.execute(Move("m", near))), Accepted)
    found = session.reach("m", turns=2)
    assert {found.turn(cell) for cell in found.cells()} == {2}
    route = found.route(sorted(found.cells())[0])
    assert isinstance(route, Route)
    assert [bool(turn.steps) for turn in route.turns] == [False, True]
    waited = session.execute(Move("m", route))
    assert isinstance(waited, Accepted)
    assert waited.events[-1].cost == 0  # type: ignore[union-attr]
    assert isinstance(passed(session, session.execute(EndTurn("m"))), Accepted)
    rest = route.rest()
    assert rest is not None
    assert isinstance(passed(session, session.execute(Move("m", rest))), Accepted)
    assert session.position.status("m").state.cell == route.end.cell


def test_a_near_cell_is_far_enough_from_another_place() -> None:
    """After all-out at least cruising is due, so who turns back must come from far: no near cell is forgotten."""
    floor = {".": LEVELS["."]}
    mover = Mover("m", rules="d6-reup", stats={"move": 4, "code": "4D", "previous": "all_out"}, at=Cell(12, 0))
    battlemap = Battlemap.from_rows(["." * 25], floor, cell=1, unit="m", grid="square").with_(movers=(mover,))
    assert shown(tactical.reach(battlemap, "m", turns=2)) == {
        cell: turn for cell, turn in anew(battlemap, 2).items() if cell != Cell(12, 0)
    }


def test_nobody_plans_on_a_roll_that_cannot_be_passed() -> None:
    floor = {".": {"terrain": "floor"}}
    mover = Mover("m", rules="shapers", stats={"pa": 1, "pf": 0, "endurance": 0}, at=Cell(0, 0))
    battlemap = Battlemap.from_rows(["." * 60], floor, cell=1, unit="m", grid="square").with_(movers=(mover,))
    found = tactical.reach(battlemap, "m", turns=9, gait="sprint")
    numbers = [check.number for check in found.route(max(found.cells())).turns[-1].checks]  # type: ignore[union-attr]
    assert numbers
    assert min(number or 0 for number in numbers) > 0
    assert max(found.turn(cell) or 0 for cell in found.cells()) < 9


def test_waypoints_over_turns_keep_to_the_rules_of_turns() -> None:
    floor = {".": LEVELS["."]}
    mover = Mover("m", rules="d6-reup", stats={"move": 10, "code": "4D", "previous": "stop"}, at=Cell(0, 1))
    battlemap = Battlemap.from_rows(["." * 40] * 3, floor, cell=1, unit="m", grid="square").with_(movers=(mover,))
    found = tactical.reach(battlemap, "m", turns=3)
    shown_ = 0
    for to, by in ((8, 4), (14, 9), (18, 12), (30, 10), (39, 10)):
        route = found.route(Cell(to, 1), via=[Cell(by, 0)])
        if isinstance(route, Route):
            shown_ += 1
            assert Cell(by, 0) in route.cells
            assert list(play(battlemap, route)) == [], (to, [one.gait for one in route.turns])
    assert shown_ >= 3


@pytest.mark.parametrize("rules", SLOW)
@pytest.mark.parametrize("seed", range(2))
def test_plans_through_waypoints_can_be_played_as_shown(rules: str, seed: int) -> None:
    """Also those that swim on the way, which counts in the turns after it."""
    battlemap = board(seed + 80, rules, ground="...~,")
    found, dice = tactical.reach(battlemap, "m", turns=3), random.Random(seed)
    cells = sorted(found.cells())
    far = [cell for cell in cells if (found.turn(cell) or 0) > 1] or cells
    for _ in range(4):
        goal, by = dice.choice(far), dice.choice(cells)
        route = found.route(goal, via=[by])
        if isinstance(route, Route):
            assert by in route.cells
            assert list(play(battlemap, route)) == [], (by, goal, [one.gait for one in route.turns])


@pytest.mark.parametrize("rules", ["d6-reup", "d6-revised"])
def test_walking_about_holds_over_turns_too(rules: str) -> None:
    battlemap = board(115, rules, ground="....?".replace("?", ","))
    found = tactical.reach(battlemap, "m", turns=3, options={"ring": "walk"})
    for cell in sorted(found.cells()):
        route = found.route(cell)
        assert isinstance(route, Route)
        assert list(play(battlemap, route, {"ring": "walk"})) == []


def test_what_was_not_followed_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    battlemap = board(1, "shapers", ground=".,")
    assert not to_json(Reached.of(tactical.reach(battlemap, "m", turns=3)))["notes"]
    monkeypatch.setattr("tactical.movement.turns.carried.MOST", 2)
    (note,) = to_json(Reached.of(tactical.reach(battlemap, "m", turns=3)))["notes"]
    assert "more than 2 ways" in note


def test_ground_beyond_what_a_turn_reaches_may_know_other_ways_of_going() -> None:
    rows = ["." * 29 + "c", "." * 30, "..s" + "." * 27]
    legend = {"c": {"climb": True}, "s": {"swim": True}, ".": {}}
    kit = Mover("kit", "d6-reup", {"move": 2, "code": "4D", "actions": 2}, Cell(0, 0))
    found = tactical.reach(Battlemap.from_rows(rows, legend, cell=1, unit="m", movers=(kit,)), "kit", turns=2)
    assert (found.turn("C1"), found.turn("D1"), found.turn("AD1")) == (1, 2, None)
