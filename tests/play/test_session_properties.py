"""What holds for every sequence of commands, in every rule system."""

from __future__ import annotations

import random
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tactical import Cell, Refusal, Route
from tactical.play import commands as do
from tactical.play.events import Accepted, Ended, Halted, seals
from tactical.play.session import Session
from tactical.wire import save
from tactical.wire.writing import dumps, to_json
from tests.oracle.worlds import EXAMPLES
from tests.play.boards import SYSTEMS, yard
from tests.play.random_play import command_for
from tests.wire.games import saved

NUMBERS = st.lists(st.tuples(*[st.integers(0, 10_000)] * 4), min_size=1, max_size=12)
SLOW = settings(max_examples=int(EXAMPLES or 12))
every_system = pytest.mark.parametrize("rules", SYSTEMS)


def bytes_of(session: Session) -> str:
    """The present position as text."""
    return dumps(to_json(session.position))


@every_system
@SLOW
@given(numbers=NUMBERS, seed=st.integers(0, 3), ordered=st.booleans())
def test_execute_then_undo_is_the_identity(
    rules: str, numbers: list[tuple[int, int, int, int]], seed: int, ordered: bool
) -> None:
    session = Session.new(yard(rules), seed=seed, order=["ada", "orc", "bo"] if ordered else [])
    for four in numbers:
        command = command_for(session, four)
        before, text = session.position, bytes_of(session)
        answer = session.execute(command)
        if isinstance(answer, Refusal):
            assert session.position is before
            continue
        after = session.position
        if any(map(seals, answer)):
            assert not session.undo()
            assert session.position is after
            continue
        assert after.drawn == before.drawn
        assert session.undo()
        assert session.position == before
        assert bytes_of(session) == text
        assert session.redo()
        assert session.position == after


@every_system
@SLOW
@given(numbers=NUMBERS, seed=st.integers(0, 3), back=st.integers(0, 40))
def test_replay_and_restore_equal_the_live_session(
    rules: str, numbers: list[tuple[int, int, int, int]], seed: int, back: int
) -> None:
    session = Session.new(yard(rules), seed=seed)
    states = [bytes_of(session)]
    for n, four in enumerate(numbers):
        if n % 5 == back % 5:
            answer = (session.undo, session.redo, session.reset_turn)[back % 3]()
        else:
            answer = session.execute(command_for(session, four))
        if answer:
            states.append(bytes_of(session))
    text = list(save.lines(session))
    again = save.load(saved(session), check=True)
    assert bytes_of(again) == states[-1]
    assert list(save.lines(again)) == text
    middle = back % len(states)
    assert bytes_of(save.load(saved(session), middle)) == states[middle]
    restored = Session.restore(session.snapshot())
    assert bytes_of(restored) == states[-1]
    # what can be taken back and done again is the same too, to the end
    for step in ("undo", "redo"):
        while True:
            here, there = getattr(session, step)(), getattr(restored, step)()
            assert type(here) is type(there)
            assert bytes_of(session) == bytes_of(restored)
            if isinstance(here, Refusal):
                assert here == there
                break


@every_system
@SLOW
@given(numbers=NUMBERS)
def test_asking_throws_no_die_and_agrees_with_doing(rules: str, numbers: list[tuple[int, int, int, int]]) -> None:
    session = Session.new(yard(rules))
    for four in numbers:
        command = command_for(session, four)
        before = session.position
        reason = session.why_not(command)
        assert session.position is before
        answer = session.execute(command)
        assert isinstance(answer, Refusal) == (reason is not None)
        if reason is not None:
            assert answer == reason
            assert session.position.drawn == before.drawn


@every_system
@SLOW
@given(numbers=NUMBERS, where=st.integers(0, 1000))
def test_what_is_reachable_is_accepted_at_its_price(
    rules: str, numbers: list[tuple[int, int, int, int]], where: int
) -> None:
    """Overlay, click and execution agree in whatever position play has come to."""
    session = Session.new(yard(rules), seed=1)
    for four in numbers:
        session.execute(command_for(session, four))
    position = session.position
    if position.pending is not None:
        return
    mover = sorted(position.statuses)[where % len(position.statuses)]
    reach = session.reach(mover)
    every = [place for place in _cells(session) if place != reach.start.cell]
    cell = every[where % len(every)]
    route = reach.route(cell)
    command = do.Move(mover, route)
    reason = session.why_not(command)
    # a hazard is out of every reach until it is named, and then it is a goal like any other
    hazard = bool(route) and reach.query.hazard_at(cell)
    assert (reason is None) == (cell in reach.cells() or hazard), (cell, reason)
    cost = route.cost if isinstance(route, Route) else None
    answer = session.execute(command)
    if not answer:
        return
    while session.position.pending is not None:
        what = session.position.pending.what
        answer = session.execute(do.GoOn("") if what == "attack" else do.GivenRoll("", passed=True))
        assert isinstance(answer, Accepted)
    halted = any(event.code in ("move.halted", "secret.revealed", "cells.explored") for event in answer)
    if not halted:
        assert session.position.status(mover).state.cell == cell
        assert session.position.status(mover).turn.spent - position.status(mover).turn.spent == cost


def _cells(session: Session) -> list[Cell]:
    return [Cell(col, row) for row in range(session.battlemap.rows) for col in range(session.battlemap.cols)]


def played(seed: int) -> str:
    """A game of eight random commands, as its save file."""
    source = random.Random(seed)
    rules = sorted(SYSTEMS)[seed % len(SYSTEMS)]
    session = Session.new(yard(rules), seed=seed)
    for _ in range(8):
        session.execute(command_for(session, [source.randrange(10_000) for _ in range(4)]))
    return "".join(save.lines(session))


def test_many_sessions_in_threads_answer_as_one_by_one() -> None:
    with ThreadPoolExecutor(8) as pool:
        together = list(pool.map(played, range(20)))
    assert together == [played(seed) for seed in range(20)]
    assert len(set(together)) == 20


def test_one_session_from_several_threads_loses_nothing() -> None:
    session = Session.new(yard("operator"))
    heard: list[Accepted] = []
    session.on(heard.append)
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda n: session.execute(do.Roll("", "1D", str(n))), range(200)))
    assert len(session.log) == len(heard) == 200
    assert session.position.drawn == 200
    assert bytes_of(save.load(saved(session), check=True)) == bytes_of(session)


@every_system
@settings(max_examples=int(EXAMPLES or 6))
@given(numbers=NUMBERS, who=st.sampled_from(["ada", "bo"]), which=st.integers(0, 10_000), gait=st.integers(0, 5))
def test_amid_a_game_a_move_leaves_what_its_reach_shows(
    rules: str, numbers: list[tuple[int, int, int, int]], who: str, which: int, gait: int
) -> None:
    session = Session.new(yard(rules), seed=which % 4)
    for four in numbers:
        session.execute(command_for(session, four))
    names = ["", *(one.name for one in session.position.query(who).profile.gaits)]
    found = session.reach(who, gait=names[gait % len(names)])
    cells = sorted(found.cells())
    if session.position.pending is not None or not cells:
        return
    cell = cells[which % len(cells)]
    route = found.route(cell)
    assert isinstance(route, Route)
    assert found.remaining(cell) == route.remaining
    answer = session.execute(do.Move(who, route))
    told = list(answer)  # type: ignore[arg-type]
    while (waiting := session.position.pending) is not None:
        check = waiting.checks[min(len(waiting.rolls), len(waiting.checks) - 1)] if waiting.checks else None
        number = None if check is None or check.number is not None else check.hardness or 1
        going_on = do.GoOn(who) if check is None else do.GivenRoll(who, passed=True, number=number)
        told += list(session.execute(going_on))  # type: ignore[arg-type]
    if any(isinstance(event, Halted) for event in told):
        return  # it met what it did not know of
    (ended,) = (event for event in told if isinstance(event, Ended))
    assert (ended.cell, ended.cost, ended.remaining) == (cell, route.cost, route.remaining)
