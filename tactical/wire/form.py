"""The form that games are saved in, as a session asks for it: JSON lines."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tactical.play.saving import Failed, SaveForm
from tactical.play.session import Session
from tactical.wire import save
from tactical.wire.kept import Kept


class Lines:
    """Games as JSON lines (`tactical.wire.save`)."""

    def write(self, session: Session, path: str | Path) -> None:
        """Save a game; the file is there whole or as it was before.  Raises `OSError`."""
        save.write(session, path)

    def keep(self, session: Session, path: str | Path, failed: Failed | None) -> Kept:
        """Save a game, and everything done in it from now on.  Raises `OSError`, `SaveError`."""
        return Kept(Path(path), *session.record(), failed)

    def load(self, source: str | Path | bytes, to: int | None = None) -> Session:
        """The game in a file or its content, as far as entry `to`.  Raises `SaveError`."""
        return save.load(source, to)

    def snapshot(self, session: Session) -> dict[str, Any]:
        """All that counts from now on as one JSON object."""
        return save.snapshot(session)

    def restore(self, data: Mapping[str, Any]) -> Session:
        """The game of a snapshot.  Raises `SaveError`."""
        return save.restore(data)


FORM: SaveForm = Lines()
