"""A snapshot is taken up as it tells: nothing is played again until somebody goes back."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import tactical.play.history
import tactical.play.session
from tactical import SaveError, Session, to_json
from tactical.play.commands import Command, EndTurn, Place, Roll, Spend
from tests.play.boards import hall


def played(steps: int, back: int = 0) -> Session:
    """A game of some steps of which the last were taken back."""
    session = Session.new(hall(), seed=3, order=["ada", "bo"])
    for n in range(steps):
        command: Command = EndTurn(session.active) if n % 7 == 6 else Place("ada", (n % 3, 2))
        assert session.execute(command)
    for _ in range(back):
        assert session.undo()
    return session


def stored(session: Session) -> Any:
    """A snapshot as another program keeps it: its keys in another order."""
    return json.loads(json.dumps(session.snapshot(), sort_keys=True))


@pytest.fixture
def carried(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """Every command that is carried out, wherever."""
    seen: list[object] = []
    for module in (tactical.play.session, tactical.play.history):
        plain = module.carry  # type: ignore[attr-defined]

        def carry(position: Any, command: Any, plain: Any = plain) -> Any:
            seen.append(command)
            return plain(position, command)

        monkeypatch.setattr(module, "carry", carry)
    return seen


def test_nothing_is_played_again(carried: list[object]) -> None:
    session = played(120, back=4)
    kept = stored(session)
    carried.clear()
    again = Session.restore(kept)
    assert carried == []
    assert again.position == session.position
    assert again.log[:120] == session.log[:120]


def test_undo_and_redo_go_on_as_in_the_game_itself() -> None:
    session = played(60, back=3)
    again = Session.restore(stored(session))
    for step in ("redo", "redo", "undo", "undo", "undo", "redo", "reset_turn", "redo"):
        assert getattr(session, step)() == getattr(again, step)()
        assert to_json(session.position) == to_json(again.position)
    for _ in range(60):
        assert session.undo() == again.undo()
    assert session.position == again.position


def test_a_seal_holds_behind_a_snapshot() -> None:
    session = played(10)
    assert session.execute(Roll(dice="2d6"))
    assert session.execute(Spend("ada", 5)) or session.execute(Place("bo", "B1"))
    again = Session.restore(stored(session))
    assert len(again.log) == 1
    assert [session.undo(), session.undo()] == [again.undo(), again.undo()]


def test_a_game_that_went_on_from_a_snapshot_is_saved_and_opened(tmp_path: Path) -> None:
    session = Session.restore(stored(played(130, back=2)))
    kept = session.keep(tmp_path / "game.jsonl")
    for n in range(60):
        assert session.execute(Place("bo", (n % 3, 3)))
    assert session.undo()
    kept()
    opened, again = (Session.load(tmp_path / "game.jsonl", check=check) for check in (False, True))
    assert opened.log == again.log == session.log
    assert opened.position == again.position == session.position
    assert opened.undo() == again.undo() == session.undo()
    assert opened.position == again.position == session.position


def test_one_that_was_changed_or_told_less_is_played_again(carried: list[object]) -> None:
    session = played(5, back=1)
    less = {name: part for name, part in stored(session).items() if name not in ("told", "present", "digest")}
    other = {**stored(session), "present": stored(played(2))["present"]}
    for kept in (less, other):
        carried.clear()
        again = Session.restore(kept)
        assert len(carried) == 5
        assert again.position == session.position
    with pytest.raises(SaveError, match=r"refused now|damaged"):
        Session.restore({**stored(session), "past": [{"do": "place", "mover": "ada", "at": [90, 90]}]})


@pytest.mark.parametrize("name", ["village", "starport", "crossroads", "cliff-town", "river-crossing", "vehicle-yard"])
def test_a_snapshot_gives_an_equal_position_after_a_move_at_any_gait(name: str) -> None:
    """What the rules keep of a turn that has begun is plain values too."""
    played = 0
    board = tactical.load(name)
    for mover in (one.id for one in board.movers):
        for gait in tactical.reach(board, mover).gaits:
            session = Session.new(board, seed=1)
            found = session.reach(mover, gait=gait.name)
            goals = [cell for cell in found.cells() if cell != found.start.cell]
            if not goals:
                continue
            session.execute(tactical.Move(mover, found.route(goals[-1])))
            assert Session.restore(session.snapshot()).position == session.position
            played += 1
    assert played
