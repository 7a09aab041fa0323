"""The form that games are saved in, as a session asks for it: JSON lines."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tactical.play.history import Entry
from tactical.play.position import Position
from tactical.play.saving import Failed
from tactical.play.session import SaveForm, Session
from tactical.wire import moments, save
from tactical.wire.kept import Kept
from tactical.world.battlemap import Battlemap


class Lines:
    """Games as JSON lines (`tactical.wire.save`)."""

    def write(self, session: Session, path: str | Path) -> None:
        """Save a game; the file is there whole or as it was before.  Raises `OSError`."""
        save.write(session, path)

    def keep(self, session: Session, path: str | Path, failed: Failed | None) -> Kept:
        """Save a game, and everything done in it from now on.  Raises `OSError`, `SaveError`."""
        return Kept(Path(path), session.history, failed)

    def load(self, source: str | Path | bytes, to: int | None = None, *, check: bool = False) -> Session:
        """The game in a file or its content, as far as entry `to`; `check`: all is played anew.  Raises `SaveError`."""
        return save.load(source, to, check=check)

    def snapshot(self, session: Session) -> dict[str, Any]:
        """All that counts from now on as one JSON object."""
        return save.snapshot(session)

    def restore(self, data: Mapping[str, Any]) -> Session:
        """The game of a snapshot.  Raises `SaveError`."""
        return save.restore(data)

    def note(self, start: Position, position: Position) -> bytes:
        """A position in few words, against the start of its game."""
        return moments.note(start, position)

    def position(self, start: Position, noted: bytes) -> Position:
        """The position that `note` wrote.  Raises `SaveError`."""
        return moments.position(start, noted)

    def entry(self, line: bytes, on: Battlemap) -> Entry:
        """An entry of the log as it was written.  Raises `SaveError`."""
        return save.entry(line, on)


FORM: SaveForm = Lines()
