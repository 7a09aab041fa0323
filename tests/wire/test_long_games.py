"""Long games: opened from their last moment, gone back in as far as they went, no heavier as they grow."""

from __future__ import annotations

import gc
import tracemalloc
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tactical import Battlemap, Cell, Mover, Session
from tactical.errors import SaveError
from tactical.play import commands as do
from tactical.play import history, session
from tactical.wire import lines, save
from tests.play.boards import yard
from tests.play.random_play import command_for
from tests.wire.games import now, saved, tiny


class Counted:
    """Stands in for `carry`: how many commands were carried out."""

    def __init__(self, carry: Callable[..., Any]) -> None:
        self.carry, self.count = carry, 0

    def __call__(self, *words: Any) -> Any:
        self.count += 1
        return self.carry(*words)


@pytest.fixture
def carried(monkeypatch: pytest.MonkeyPatch) -> Counted:
    """Counts commands."""
    counted = Counted(session.carry)
    monkeypatch.setattr(session, "carry", counted)
    monkeypatch.setattr(history, "carry", counted)
    return counted


@pytest.fixture
def often(monkeypatch: pytest.MonkeyPatch) -> None:
    """A moment after each third entry, and hardly a position held."""
    for module in (history, lines, save):
        monkeypatch.setattr(module, "EVERY", 3)
    monkeypatch.setattr(history, "HELD", 2)


# -- opening ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("commands", [0, 1, 49, 50, 51, 449])
def test_opening_plays_what_came_after_the_last_moment(carried: Counted, commands: int) -> None:
    played = tiny(commands)
    carried.count = 0
    opened = Session.load(saved(played))
    assert carried.count == commands % 50
    assert (now(opened), len(opened.log)) == (now(played), commands)
    assert saved(opened) == saved(played)
    assert carried.count == commands % 50
    # who asks for it has all of it played
    assert now(Session.load(saved(played), check=True)) == now(played)
    assert carried.count == commands % 50 + commands


def test_any_entry_of_a_long_game_is_near(carried: Counted) -> None:
    played = tiny(449)
    data = saved(played)
    carried.count = 0
    for to in (0, 3, 50, 120, 399, 449):
        there = Session.load(data, to)
        assert len(there.log) == to
        assert there.position.status("a").state.cell == Cell(to % 2, 0)
    assert carried.count == 3 + 20 + 49 + 49


def test_the_log_of_an_opened_game_is_read_when_it_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    played = tiny(200)
    opened = Session.load(saved(played))
    read: list[bytes] = []
    real = save.entry
    monkeypatch.setattr(save, "entry", lambda line, on: read.append(line) or real(line, on))
    assert opened.log[-1] == played.log[-1]
    assert opened.log[10:12] == played.log[10:12]
    assert len(read) == 3
    assert opened.log == played.log
    assert played.log == tuple(opened.log)
    assert len(read) == 200
    assert opened.log != played.log[1:]
    with pytest.raises(IndexError):
        opened.log[200]
    log = opened.log
    assert opened.undo()
    assert (len(log), len(opened.log)) == (200, 201)


# -- going back -------------------------------------------------------------------------------------------------------


def test_an_opened_game_goes_back_to_its_start_and_forth_again(carried: Counted) -> None:
    played = tiny(420)
    played.undo()
    opened = Session.load(saved(played))
    carried.count = 0
    for _ in range(419):
        assert opened.undo()
    assert now(opened) == now(tiny(0))
    assert opened.undo().code == "move.nothing_to_undo"  # type: ignore[union-attr]
    # no command is carried out twice on the way back
    assert carried.count <= 420
    for _ in range(420):
        assert opened.redo()
    assert not opened.redo()
    assert now(opened) == now(tiny(420))


@settings(max_examples=8, suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture])
@given(
    numbers=st.lists(st.tuples(*[st.integers(0, 10_000)] * 4), min_size=6, max_size=24),
    rules=st.sampled_from(["operator", "d6-reup", "shapers", "twelve-second"]),
)
def test_whatever_was_played_undone_and_done_again_opens_as_it_was(
    often: None, numbers: list[tuple[int, int, int, int]], rules: str
) -> None:
    played = Session.new(yard(rules), seed=1)
    for four in numbers:
        ways = [
            played.undo,
            played.redo,
            played.reset_turn,
            *[lambda four=four: played.execute(command_for(played, four))] * 4,
        ]
        ways[four[0] % len(ways)]()
    data = saved(played)
    opened, replayed = Session.load(data), Session.load(data, check=True)
    for other in (opened, replayed):
        assert now(other) == now(played)
        assert saved(other) == data
    assert opened.snapshot() == played.snapshot()
    backs = [0, 0, 0]
    for n, one in enumerate((played, opened, replayed)):
        while one.undo():
            backs[n] += 1
    assert backs[0] == backs[1] == backs[2]
    assert now(opened) == now(played) == now(replayed)
    while played.redo():
        assert opened.redo()
    assert now(opened) == now(played)
    assert Session.load(saved(opened)).log == opened.log == played.log


def test_a_position_that_ends_otherwise_is_told_when_it_is_gone_back_to(monkeypatch: pytest.MonkeyPatch) -> None:
    opened = Session.load(saved(tiny(100)))
    before = now(opened)
    real = history.carry
    monkeypatch.setattr(history, "carry", lambda position, command: (real(position, command)[0], ()))
    with pytest.raises(SaveError, match="entry 51 ends otherwise now than it did"):
        opened.undo()
    assert (now(opened), len(opened.log)) == (before, 100)


def test_a_turn_is_taken_back_whole_or_not_at_all(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where some of its positions are held, or were asked for, and only an earlier one is another version's."""
    played = tiny(9)
    assert played.execute(do.EndTurn("a"))
    turn = now(played)
    for n in range(42):
        assert played.execute(do.Place("a", Cell(n % 2, 0)))
    opened = Session.load(saved(played))
    for n in (0, 1):
        assert opened.execute(do.Place("a", Cell(n, 1)))
    before, log, file = now(opened), list(opened.log), saved(opened)
    real = history.carry
    monkeypatch.setattr(history, "carry", lambda position, command: (real(position, command)[0], ()))
    with pytest.raises(SaveError, match="ends otherwise now than it did"):
        opened.reset_turn()
    assert (now(opened), list(opened.log), saved(opened)) == (before, log, file)
    monkeypatch.undo()
    assert opened.reset_turn()
    assert now(opened) == turn
    assert opened.undo(), "the end of the turn itself is taken back alone"
    while opened.redo():
        pass
    assert now(opened) == before


# -- growing ----------------------------------------------------------------------------------------------------------


def test_a_command_leaves_no_more_behind_the_longer_the_game(carried: Counted) -> None:
    """What it leaves in memory and in the file, in bytes."""
    played = Session.new(Battlemap.from_cells(2, 1, movers=[Mover("a", at=Cell(0, 0))], rules="plain"))
    held, written = [], []
    tracemalloc.start()
    try:
        for _ in range(3):
            for n in range(4 * history.EVERY):
                assert played.execute(do.Place("a", Cell((n + 1) % 2, 0)))
            gc.collect()
            held.append(tracemalloc.get_traced_memory()[0])
            written.append(len(saved(played)))
    finally:
        tracemalloc.stop()
    assert held[2] - held[1] < 200 * 1200
    assert abs((written[2] - written[1]) - (written[1] - written[0])) < 500
    assert len(played.history._before) <= 2 * history.HELD
