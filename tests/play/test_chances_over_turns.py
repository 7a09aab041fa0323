"""The chance of a plan over several turns is that of playing it, with every way in which its dice may fall."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

import pytest

import tactical
from tactical import Accepted, Cell, EndTurn, FellShort, GivenRoll, Move, Refusal, RollNeeded, Route, Session
from tactical.movement.declare import declare_route
from tactical.movement.rolls import odds
from tactical.play.happening import EffortFailed
from tactical.rules.checks import Check
from tactical.rules.dice import Pool, spread
from tests.play.test_stretches import GAPS, LEGEND, ROUGH, board

RUNNER = {"move": 4, "code": "4D", "strength": "3D+1", "stamina": "1D"}
DEEP: Mapping[str, Mapping[str, object]] = {**ROUGH, "c": {"level": "M", "number": 12, "climb": True}}


def totals(check: Check) -> Iterator[tuple[int, Fraction]]:
    """A total that passes and one that just fails, with their chances, those of dice counted face by face."""
    if check.kind == "recovery":
        # whatever it shows, the jump has failed
        yield 3, Fraction(1)
        return
    part, worse = check.chance(), 1 if check.under else -1
    assert part is not None
    assert check.number is not None
    if "D" in check.dice:
        made = sum((share for total, share in spread(Pool.parse(check.dice)) if total >= check.number), Fraction(0))
        assert made == part
    yield from ((total, share) for total, share in ((check.number, part), (check.number + worse, 1 - part)) if share)


def went_wrong(answer: Accepted) -> bool:
    """Whether a roll was missed in a way that stops the move."""
    return any(isinstance(event, (FellShort, EffortFailed)) for event in answer)


def clean(session: Session, orders: tuple[object, ...], answer: Accepted | None = None) -> Fraction:
    """The chance that nothing fails in what is still to be done, each roll answered with all that it may come to."""
    if answer is not None and went_wrong(answer):
        return Fraction(0)
    waits = [event for event in answer or () if isinstance(event, RollNeeded)][-1:]
    if answer is not None and isinstance(answer.events[-1], RollNeeded):
        sum_ = Fraction(0)
        for total, part in totals(waits[0].check):
            branch = Session.restore(session.snapshot())
            after = branch.execute(GivenRoll("a", total))
            assert isinstance(after, Accepted), after
            sum_ += part * clean(branch, orders, after)
        return sum_
    if not orders:
        return Fraction(1)
    first, *rest = orders
    done = session.execute(first)  # type: ignore[arg-type]
    assert isinstance(done, Accepted), (first, done)
    return clean(session, tuple(rest), done)


def planned(route: Route) -> tuple[object, ...]:
    """The commands of a plan, turn by turn, the last turn not ended."""
    orders: list[object] = []
    while True:
        orders.append(Move("a", route))
        if len(route.turns) == 1:
            return tuple(orders)
        orders.append(EndTurn("a"))
        route = route.rest()


PLANS: list[tuple[str, str, Mapping[str, object], Mapping[str, Any], int, Mapping[str, object]]] = [
    ("d6-reup", "mm" * 8, RUNNER, ROUGH, 12, {"default_number": "low"}),
    ("d6-revised", "mm" * 8, {**RUNNER, "previous": "cautious"}, ROUGH, 14, {"default_number": "low"}),
    ("d6-reup", "ddc.wdd", RUNNER, DEEP, 7, {"unusual_move_divisor": 2, "default_number": "low"}),
    ("d6-reup", "d" * 14, RUNNER, ROUGH, 12, {"round_seconds": 600, "default_number": "low"}),
    ("operator", "ss..ss...ss", {"athletics": 2, "speed": 15}, LEGEND, 8, {"athletics_dc": 12}),
    ("plain", "..i...i..", {"speed": 15}, LEGEND, 8, {}),
    (
        "twelve-second",
        "." * 40 + "OOOO" + "." * 20,
        {"str": 8, "dex": 6, "end": 9, "mv": 3},
        GAPS,
        60,
        {"jump_chance": 0},
    ),
    ("shapers", "VVVVVVVV", {"pa": 6, "ps": 4, "pf": 1, "swimming": 1, "endurance": 1}, LEGEND, 6, {}),
]


@pytest.mark.parametrize(("rules", "row", "stats", "legend", "goal", "options"), PLANS, ids=range(len(PLANS)))
def test_a_plan_has_the_chance_of_its_play(
    rules: str,
    row: str,
    stats: Mapping[str, object],
    legend: Mapping[str, Any],
    goal: int,
    options: Mapping[str, object],
) -> None:
    battlemap = board(rules, "." + row, stats, legend)
    found = tactical.reach(battlemap, "a", turns=4, options=options)
    route = found.route(Cell(goal, 0))
    assert isinstance(route, Route), route
    move = declare_route(found.query, route)
    assert not isinstance(move, Refusal)
    told = odds.plan_chance(move, route)
    assert len(route.turns) > 1
    assert told == clean(Session.new(battlemap, options=options), planned(route))


def test_what_falls_due_when_the_last_round_is_over_is_no_roll_of_it() -> None:
    # REUP-36: one roll a minute; so many rounds of a minute have one roll less, which comes before the next round
    from tactical.rules.ruleset import get_ruleset

    ruleset, options = get_ruleset("d6-reup"), {"round_seconds": 60, "default_number": "low"}
    stats = {**RUNNER, "previous": "all_out"}
    read, chosen = ruleset.read_stats(stats), ruleset.options_with(options)
    battlemap = board("d6-reup", "." * 60, stats, ROUGH)
    for rounds in (1, 2):
        found = odds.kept_up(
            ruleset, read, chosen, tactical.TurnState(), "all_out", rounds, grounds=(battlemap.terrain(Cell(1, 0)),)
        )
        assert isinstance(found, odds.Kept)
        assert len([check for _, check in found.tests if check.kind == "effort"]) == rounds - 1
        orders: list[object] = []
        for n in range(rounds):
            orders += [Move("a", Cell(16 * (n + 1), 0), gait="all_out")] + [EndTurn("a")] * (n < rounds - 1)
        assert found.chance == clean(Session.new(battlemap, options=options), tuple(orders))
