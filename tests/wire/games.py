"""Games that the tests of saving share."""

from __future__ import annotations

import json

from tactical import Battlemap, Cell, Mover, Session
from tactical.play import commands as do
from tactical.wire import save
from tactical.wire.writing import dumps, to_json
from tests.play.boards import hall


def game() -> Session:
    """A short game with dice, a pause and something taken back."""
    session = Session.new(hall(), seed=5)
    session.execute(do.Place("ada", Cell(3, 1)))
    session.execute(do.Move("ada", Cell(3, 3)))
    session.execute(do.GoOn("ada"))
    session.execute(do.Roll("", "3D"))
    session.execute(do.Posture("bo", "standing"))
    session.undo()
    session.redo()
    session.execute(do.EndTurn("ada"))
    return session


def saved(session: Session) -> bytes:
    """A game as its file holds it."""
    return "".join(save.lines(session)).encode()


def first_form(session: Session) -> bytes:
    """A game as it was saved before lines had digests."""
    out = []
    for line in save.lines(session):
        found = json.loads(line)
        if "at" not in found:
            kept = ("schema", "kind", "start") if "start" in found else ("n", "do", "events")
            out.append(dumps({key: found[key] for key in kept}))
    return "".join(line + "\n" for line in out).encode()


def now(session: Session) -> str:
    """The present position as text."""
    return dumps(to_json(session.position))


def tiny(commands: int = 4) -> Session:
    """A short game on four cells."""
    session = Session.new(Battlemap.from_rows([".."] * 2, movers=[Mover("a", at=Cell(0, 0))], rules="plain"), seed=3)
    for n in range(commands):
        assert session.execute(do.Place("a", Cell((n + 1) % 2, 0)))
    return session
