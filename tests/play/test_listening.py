"""Listeners hear everything in order, and nothing that they do harms the game."""

from __future__ import annotations

import logging
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tactical import Cell, Refusal, Session
from tactical.play import commands as do
from tactical.play.events import Accepted
from tests.play.boards import hall

ROOT = Path(__file__).parents[2]


@pytest.fixture
def session() -> Session:
    """A game in the hall."""
    return Session.new(hall())


def codes(heard: list[Accepted]) -> list[str]:
    """The codes of everything heard, in order."""
    return [event.code for accepted in heard for event in accepted]


def done(session: Session) -> list[str]:
    """The codes of everything in the log, in order."""
    return [event.code for entry in session.log for event in entry.events]


def closed(_: Accepted) -> None:
    """A listener whose other end has gone."""
    raise ConnectionResetError("the player's browser was closed")


def test_a_listener_that_raises_stops_nothing_and_its_owner_is_told(session: Session) -> None:
    first: list[Accepted] = []
    last: list[Accepted] = []
    told: list[Exception] = []
    session.on(first.append)
    session.on(closed, failed=told.append)
    session.on(last.append)
    answer = session.execute(do.Posture("ada", "prone"))
    assert isinstance(answer, Accepted)
    assert session.position.status("ada").state.posture == "prone"
    assert first == last == [answer]
    assert [str(error) for error in told] == ["the player's browser was closed"]
    # it goes on hearing, and undo and the others fail no more than commands
    assert session.undo()
    assert session.redo()
    assert session.reset_turn()
    assert len(told) == 4
    assert codes(first) == codes(last) == done(session)


def test_nobody_to_be_told_means_the_log(session: Session, caplog: pytest.LogCaptureFixture) -> None:
    def worse(_: Exception) -> None:
        raise RuntimeError("nor can the owner be told")

    session.on(closed)
    session.on(closed, failed=worse)
    with caplog.at_level(logging.ERROR, "tactical"):
        assert session.execute(do.Posture("ada", "prone"))
    assert [record.levelname for record in caplog.records] == ["ERROR", "ERROR"]
    assert all(record.name == "tactical" and "a listener failed" in record.message for record in caplog.records)
    assert "browser was closed" in caplog.text
    assert "nor can the owner be told" in caplog.text


def test_a_program_that_set_up_no_log_reads_it_on_stderr() -> None:
    script = (
        "from tactical import Session\n"
        "from tactical.play.commands import Posture\n"
        "from tests.play.boards import hall\n"
        "session = Session.new(hall())\n"
        "session.on(lambda accepted: 1 / 0)\n"
        "print(bool(session.execute(Posture('ada', 'prone'))))\n"
    )
    run = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, check=True, capture_output=True, text=True, timeout=120
    )
    assert run.stdout == "True\n"
    assert "ZeroDivisionError" in run.stderr
    assert "a listener failed" in run.stderr


@pytest.mark.parametrize("answering_first", [True, False])
def test_what_a_listener_does_is_heard_after_what_it_answers_to(session: Session, answering_first: bool) -> None:
    heard: list[Accepted] = []
    inside: list[Accepted | Refusal] = []
    calls: list[str] = []

    def answering(_: Accepted) -> None:
        calls.append("begins")
        if session.position.pending is not None:
            inside.append(session.execute(do.GoOn("ada")))
        calls.append("ends")

    for listener in (answering, heard.append) if answering_first else (heard.append, answering):
        session.on(listener)
    assert session.execute(do.Place("ada", Cell(3, 1)))
    assert session.execute(do.Move("ada", Cell(3, 3)))
    # who answers is answered at once
    assert [bool(answer) for answer in inside] == [True]
    # and hears of it when it is ready to
    assert calls == ["begins", "ends"] * 3
    assert session.position.pending is None
    assert codes(heard) == done(session)
    assert codes(heard).index("attack.offered") < codes(heard).index("move.ended")


def test_a_listener_may_take_back_what_it_hears(session: Session) -> None:
    heard: list[Accepted] = []

    def strict(accepted: Accepted) -> None:
        if any(event.code == "posture.changed" for event in accepted):
            session.undo()

    session.on(strict)
    session.on(heard.append)
    assert session.execute(do.Posture("ada", "prone"))
    assert session.position == session.start
    assert codes(heard) == ["posture.changed", "session.undone"] == done(session)


def test_ctrl_c_in_a_listener_ends_the_call_and_loses_no_event(session: Session) -> None:
    heard: list[Accepted] = []
    stop: list[bool] = [True]

    def interrupted(_: Accepted) -> None:
        if stop:
            stop.clear()
            raise KeyboardInterrupt

    session.on(interrupted)
    session.on(heard.append)
    with pytest.raises(KeyboardInterrupt):
        session.execute(do.Posture("ada", "prone"))
    assert session.execute(do.Posture("ada", "standing"))
    assert codes(heard) == done(session) == ["posture.changed", "posture.changed"]


def test_each_registration_has_a_switch_of_its_own(session: Session) -> None:
    heard: list[Accepted] = []
    switches: list[Callable[[], None]] = []

    def once(_: Accepted) -> None:
        # whoever is switched off meanwhile hears no more
        switches[1]()

    session.on(once)
    switches += [session.on(heard.append), session.on(heard.append)]
    session.execute(do.Posture("ada", "prone"))
    assert len(heard) == 1
    switches[1]()
    session.execute(do.Posture("ada", "standing"))
    assert len(heard) == 2
    switches[0]()
    session.undo()
    assert len(heard) == 2
