"""A roll belongs to a stretch: path, odds, reach, resolve and session read the same rolls, and fail alike."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tactical
from tactical import Battlemap, Cell, Mover, Refusal
from tactical.movement.declare import Declared, declare_route
from tactical.movement.rolls import odds
from tactical.play import commands as do
from tactical.play import resolve
from tactical.play.events import FellShort, Hurt, Rolled, RollNeeded
from tactical.play.session import Session
from tactical.rules.checks import Check
from tactical.rules.dice import Pool, spread

LEGEND: Mapping[str, Mapping[str, object]] = {
    ".": {},
    "~": {"water": "deep"},
    "V": {"water": "deep", "current": "strong"},
    "k": {"climb": True},
    "s": {"climb": True, "slick": True},
    "i": {"check": [2, 7]},
    "x": {"no_stop": True},
}
ROUGH: Mapping[str, Mapping[str, object]] = {
    ".": {"level": "VE", "number": 3},
    "m": {"level": "M", "number": 13},
    "d": {"level": "D", "number": 17},
    "w": {"level": "M", "number": 12, "water": "deep"},
    "x": {"level": "E", "number": 8, "no_stop": True},
}
GAPS: Mapping[str, Mapping[str, object]] = {".": {}, "O": {"gap": True}}


def board(rules: str, row: str, stats: Mapping[str, object], legend: Mapping[str, Any] = LEGEND) -> Battlemap:
    feet = rules in ("operator", "plain")
    mover = Mover("a", rules=rules, stats=dict(stats), at=Cell(0, 0))
    cell, unit = Fraction(5 if feet else 1), "ft" if feet else "m"
    return Battlemap.from_rows([row], legend, cell=cell, unit=unit, grid="square", movers=[mover], rules=rules)


def declared(battlemap: Battlemap, goal: int, options: Mapping[str, object], gait: str = "") -> Declared | None:
    found = tactical.reach(battlemap, "a", options=options, gait=gait)
    route = found.route(Cell(goal, 0))
    move = declare_route(found.query, route) if route else None
    return move if isinstance(move, Declared) else None


def results(check: Check) -> Iterator[tuple[int, Fraction]]:
    """Totals of a roll with their chances: every one where margins matter, else one that passes and one that fails."""
    if check.kind == "recovery":
        # whatever it shows, the jump has failed
        yield 3, Fraction(1)
        return
    assert check.number is not None
    if check.dice.endswith("D") and check.kind == "move":
        yield from spread(Pool.parse(check.dice))
        return
    part = check.chance()
    assert part is not None
    worse = 1 if check.under else -1
    for total, share in ((check.number, part), (check.number + worse, 1 - part)):
        if share:
            yield total, share


def played(session: Session, gait: str, goal: int, totals: tuple[int, ...]) -> Check | Session:
    """The game after a move with these totals, or the next roll that it asks for."""
    answer = session.execute(do.Move("a", Cell(goal, 0), gait=gait))
    assert answer, answer
    for total in totals:
        answer = session.execute(do.GivenRoll("a", total=total))
        assert answer, answer
    waiting = [event for event in answer.events[-1:] if isinstance(event, RollNeeded)]
    return waiting[0].check if waiting else session


def branches(
    battlemap: Battlemap, move: Declared, goal: int, options: Mapping[str, object]
) -> Iterator[tuple[tuple[int, ...], Fraction, Session]]:
    """Every way in which the dice of a move may fall, with its chance and the game after it."""
    stack: list[tuple[tuple[int, ...], Fraction]] = [((), Fraction(1))]
    while stack:
        totals, part = stack.pop()
        found = played(Session.new(battlemap, options=options), move.gait.name, goal, totals)
        if isinstance(found, Session):
            yield totals, part, found
        else:
            stack += [((*totals, total), part * share) for total, share in results(found)]


def agree(battlemap: Battlemap, goal: int, options: Mapping[str, object], gait: str = "") -> bool:
    """Odds, resolve and session tell one story of a move; False where there is no such move."""
    move = declared(battlemap, goal, options, gait)
    if move is None:
        return False
    ends, whole = odds.landings(move), odds.chance(move)
    assert isinstance(ends, odds.Landings)
    lands: Counter[Cell] = Counter()
    open_, clean = Fraction(0), Fraction(0)
    for totals, part, session in branches(battlemap, move, goal, options):
        left = [check.number or 0 for check in move.checks[len(totals) :]]
        done = resolve.resolve(move, [*totals, *left])
        assert not isinstance(done, Refusal)
        status = session.position.status("a")
        assert status.turn.spent == done.after.spent
        if done.end is None:
            open_ += part
        else:
            assert (status.state.cell, status.state.posture) == (done.end.cell, done.end.posture)
            lands[done.end.cell] += part
        clean += part * (not done.outcome.failed)
    assert (dict(lands), open_) == (dict(ends.cells), ends.open)
    assert clean == whole
    return True


@settings(max_examples=40)
@given(
    row=st.text(".~Vks", min_size=2, max_size=7), goal=st.integers(1, 7), spends=st.booleans(),
    posture=st.sampled_from(["standing", "prone"]),
)  # fmt: skip
def test_checks_on_stretches_are_one_story(row: str, goal: int, spends: bool, posture: str) -> None:
    battlemap = board("operator", "." + row, {"athletics": 2, "speed": 60})
    battlemap = battlemap.with_(movers=[replace(battlemap.movers[0], posture=posture)])
    agree(battlemap, min(goal, len(row)), {"athletics_dc": 12, "failed_check_spends": spends})


@settings(max_examples=30)
@given(row=st.text(".ix", min_size=2, max_size=5), goal=st.integers(1, 5))
def test_a_footing_is_rolled_for_on_every_cell(row: str, goal: int) -> None:
    agree(board("plain", "." + row, {"speed": 60}), min(goal, len(row)), {})


@settings(max_examples=30)
@given(row=st.text(".~V", min_size=2, max_size=6), goal=st.integers(1, 6), pf=st.integers(0, 1))
def test_swims_of_shapers_are_one_story(row: str, goal: int, pf: int) -> None:
    stats = {"pa": 6, "ps": 8, "pf": pf, "swimming": 1, "endurance": 1}
    for gait in ("walk", "sprint"):
        agree(board("shapers", "." + row, stats), min(goal, len(row)), {}, gait)


@settings(max_examples=10)
@given(row=st.text(".mdwx", min_size=8, max_size=12), goal=st.integers(3, 12))
def test_margins_are_one_story(row: str, goal: int) -> None:
    stats = {"move": 6, "code": "3D", "strength": "3D", "previous": "cruising"}
    battlemap = board("d6-reup", "." + row, stats, ROUGH)
    for gait in ("cautious", "cruising", "high"):
        agree(battlemap, min(goal, len(row)), {}, gait)


@pytest.mark.parametrize("row", ["...OOO..", ".....OOOO.", ".OO.OO.", "..OO...OOO."])
def test_jumps_are_one_story(row: str) -> None:
    for rules, stats in (
        ("twelve-second", {"str": 8, "dex": 6, "end": 9}),
        ("shapers", {"pa": 4, "ps": 2, "pf": 3, "athletics": 4}),
    ):
        battlemap = board(rules, row, stats, GAPS)
        options = {"jump_chance": 0}
        gaits = ("run", "walk")
        assert any(agree(battlemap, goal, options, gait) for goal in range(1, len(row)) for gait in gaits)


# --- operator --------------------------------------------------------------------------------------------------------


def test_one_climb_is_one_roll_whatever_its_cells() -> None:
    """The check is asked for the whole climb, also where only its middle is slick, and all of it is at stake."""
    battlemap = board("operator", "..ksk.", {"athletics": 3})
    move = declared(battlemap, 5, {"athletics_dc": 10})
    assert move is not None
    (stretch,) = move.stretches
    assert (stretch.steps, stretch.declared) == ((1, 2, 3), 30)
    session = Session.new(battlemap, options={"athletics_dc": 10})
    assert session.execute(do.Move("a", Cell(5, 0), gait="dash"))
    answer = session.execute(do.GivenRoll("a", total=4))
    (short,) = (event for event in answer.events if isinstance(event, FellShort))
    assert (short.declared, short.moved, short.badly) == (30, 0, True)
    assert "badly" in short.text
    status = session.position.status("a")
    assert (status.state.cell, status.turn.spent) == (Cell(1, 0), 35)
    # what was not climbed stays closed for the turn
    assert session.reach("a").cells() == {Cell(0, 0)}


def test_every_cell_beyond_a_stretch_has_the_chance_of_its_one_roll() -> None:
    found = tactical.reach(board("operator", ".VVV.", {}), "a", options={"athletics_dc": 11})
    assert {chance.chance for chance in found.chances.values()} == {Fraction(1, 2)}
    route = found.route(Cell(4, 0))
    assert route
    assert [check.number for check in route.checks] == [11]


def test_a_dash_that_is_shown_can_be_resolved() -> None:
    move = declared(board("operator", "." * 11, {}), 10, {})
    assert move is not None
    assert (move.gait.name, move.length) == ("dash", 50)


# --- shapers ---------------------------------------------------------------------------------------------------------

SWIMMER = {"pa": 4, "ps": 6, "pf": 0, "swimming": 1, "endurance": 3}


def test_rough_water_is_rolled_for_once_a_round() -> None:
    session = Session.new(board("shapers", ".VV.VV", SWIMMER, LEGEND))
    assert isinstance(played(session, "walk", 1, ()), Check)
    assert session.execute(do.GivenRoll("a", passed=True))
    # the same round goes on without another roll
    answer = session.execute(do.Move("a", Cell(2, 0), gait="walk"))
    assert not [event for event in answer.events if isinstance(event, RollNeeded)]
    session.execute(do.EndTurn("a"))
    assert session.position.status("a").turn.passed == frozenset()


def test_a_missed_swim_test_ends_swimming_and_nothing_else() -> None:
    session = Session.new(board("shapers", "~~~..", SWIMMER).with_(movers=[
        Mover("a", rules="shapers", stats=SWIMMER, at=Cell(2, 0))
    ]))  # fmt: skip
    assert session.execute(do.Move("a", Cell(0, 0), gait="walk"))
    assert session.execute(do.EndTurn("a"))
    check = played(session, "walk", 1, ())
    assert isinstance(check, Check)
    assert (check.about, check.number) == ("swim", 53)
    answer = session.execute(do.GivenRoll("a", total=80))
    (short,) = (event for event in answer.events if isinstance(event, FellShort))
    assert short.declared == Fraction(1, 3)
    assert session.position.status("a").turn.spent == Fraction(1, 3)
    for _ in range(2):
        refused = session.execute(do.Move("a", Cell(1, 0), gait="walk"))
        assert isinstance(refused, Refusal)
        assert "swim" in refused.text
        session.execute(do.EndTurn("a"))


def test_a_missed_sprint_leaves_the_other_gaits() -> None:
    battlemap = board("shapers", "." * 9, {"pa": 1, "pf": 0, "endurance": 0})
    session = Session.new(battlemap)
    assert isinstance(played(session, "sprint", 4, ()), Check)
    session.execute(do.GivenRoll("a", total=99))
    assert session.position.status("a").turn.spent == 0
    assert session.execute(do.Move("a", Cell(4, 0), gait="sprint")).code == "move.mode"  # type: ignore[union-attr]
    assert session.execute(do.Move("a", Cell(1, 0), gait="jog"))


def test_a_fall_is_hurt_once() -> None:
    legend = {"R": {"elevation": 5}, ".": {}}
    stats = {"pa": 4, "pf": 3, "ps": 4, "size_m": 4, "accept_damage": 50}
    session = Session.new(board("shapers", "R..", stats, legend))
    check = played(session, "run", 2, ())
    assert isinstance(check, Check)
    answer = session.execute(do.GivenRoll("a", total=100))
    assert [event.damage for event in answer.events if isinstance(event, Hurt)] == ["11"]


# --- what the dice show ----------------------------------------------------------------------------------------------


def test_totals_that_the_dice_cannot_show_are_refused_and_the_roll_waits() -> None:
    battlemap = board("d6-reup", "." + "d" * 10, {"move": 6, "code": "3D", "previous": "cruising"}, ROUGH)
    session = Session.new(battlemap)
    assert isinstance(played(session, "cruising", 4, ()), Check)
    for total in (-1, 2, 19):
        refused = session.execute(do.GivenRoll("a", total=total))
        assert isinstance(refused, Refusal)
        assert refused.code == "play.no_dice"
    assert session.execute(do.GivenRoll("a", total=18))


@pytest.mark.parametrize(
    ("code", "wild", "shown", "never"),
    [
        ("3D+1", False, (4, 19), (3, 20)),
        ("3D+1", True, (4, 19, 90), (3,)),
        ("1D", True, (1, 5, 7, 11, 13), (0, 6, 12)),
        ("0D", False, (0,), (1,)),
        ("d20+3", False, (4, 23), (3, 24)),
        ("d100", False, (1, 100), (0, 101)),
        ("2d6-1", False, (1, 11), (0, 12)),
    ],
)
def test_what_dice_can_show(code: str, wild: bool, shown: tuple[int, ...], never: tuple[int, ...]) -> None:
    check = Check("luck", 5, dice=code, wild=wild)
    assert [total for total in (*shown, *never) if check.can_show(total)] == list(shown)


def test_the_wild_die_is_thrown_where_it_is_weighed() -> None:
    """A single wild die never stands on its six, and its one is a complication."""
    battlemap = board("d6-reup", "." + "m" * 10, {"move": 6, "code": "1D", "previous": "cruising"}, ROUGH)
    seen = set()
    for seed in range(40):
        session = Session.new(battlemap, seed=seed, options={"wild_die": "on"})
        assert isinstance(played(session, "high", 8, ()), Check)
        answer = session.execute(do.Roll("a"))
        rolled = next(event for event in answer.events if isinstance(event, Rolled))
        assert rolled.complication == (rolled.total == 1)
        assert ("complication" in rolled.text) == rolled.complication
        seen.add(rolled.total)
    assert 1 in seen
    assert 6 not in seen
    assert max(total for total in seen if total is not None) > 6


# --- the recovery from a jump ----------------------------------------------------------------------------------------

LEAPER = {"str": 8, "dex": 6, "end": 9}


@pytest.mark.parametrize(("total", "always", "code"), [(20, False, "move.fell-short"), (1, True, "move.recovery")])
def test_the_recovery_is_asked_for_and_told(total: int, always: bool, code: str) -> None:
    options = {"jump_chance": 0, "jump_recovery": "always" if always else "on_failure"}
    session = Session.new(board("twelve-second", ".....OOOO.", LEAPER, GAPS), options=options)
    check = played(session, "run", 9, (total,))
    assert isinstance(check, Check)
    assert (check.kind, check.dice, check.number) == ("recovery", "d6", None)
    for wrong in (do.GivenRoll("a", passed=True), do.GivenRoll("a", total=7)):
        assert isinstance(session.execute(wrong), Refusal)
    answer = session.execute(do.GivenRoll("a", total=1))
    event = next(event for event in answer.events if event.code == code)
    assert (event.recovery, event.no_action, event.stunned) == (5, 3, 2)  # type: ignore[union-attr]
    assert "3 without actions, then 2 stunned" in event.text
    assert session.position.status("a").state.cell == Cell(9 if always else 4, 0)
    session.execute(do.EndTurn("a"))
    refused = session.execute(do.Move("a", Cell(3, 0)))
    assert isinstance(refused, Refusal)
    assert refused.code == "move.action"


def test_a_jump_that_succeeds_asks_for_no_more() -> None:
    session = Session.new(board("twelve-second", ".....OOOO.", LEAPER, GAPS), options={"jump_chance": 0})
    assert played(session, "run", 9, (1,)) is session
