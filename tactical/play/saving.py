"""What a game asks of the form that it is saved in; `tactical.registry` is where it finds it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from tactical import registry
from tactical.errors import SaveError

if TYPE_CHECKING:
    from tactical.play.history import Entry
    from tactical.play.position import Position
    from tactical.play.session import Session
    from tactical.world.battlemap import Battlemap

Failed = Callable[[Exception], None]
"""What is called with the exception of a listener, or with what became of a kept file."""


class Kept(Protocol):
    """A game kept in a file.  Call it to end that; made by `Session.keep`.

    `written` is how many entries are on the disk and `behind` how many are not; `error` why, or None while all are.
    """

    path: Path
    failed: Failed | None
    ended: bool
    written: int
    error: SaveError | None

    @property
    def behind(self) -> int:
        """How many entries are in memory alone."""
        ...

    def __call__(self) -> None:
        """End it.  What is not on the disk yet is tried a last time; `error` says if that failed."""
        ...

    def catch_up(self) -> SaveError | None:
        """Write every entry since the last one written.  What went wrong, or None."""
        ...


class SaveForm(Protocol):
    """How games are saved: what `Session.save`, `keep`, `load`, `snapshot`, `restore` and a game's history call."""

    def write(self, session: Session, path: str | Path) -> None:
        """Save a game; the file is there whole or as it was before.  Raises `OSError`."""
        ...

    def keep(self, session: Session, path: str | Path, failed: Failed | None) -> Kept:
        """Save a game, and everything done in it from now on.  Raises `OSError`, `SaveError`."""
        ...

    def load(self, source: str | Path | bytes, to: int | None = None, *, check: bool = False) -> Session:
        """The game in a file or its content, as far as entry `to`; `check`: all is played anew.  Raises `SaveError`."""
        ...

    def snapshot(self, session: Session) -> dict[str, Any]:
        """All that counts from now on as one JSON object."""
        ...

    def restore(self, data: Mapping[str, Any]) -> Session:
        """The game of a snapshot.  Raises `SaveError`."""
        ...

    def note(self, start: Position, position: Position) -> bytes:
        """A position in few words, against the start of its game."""
        ...

    def position(self, start: Position, noted: bytes) -> Position:
        """The position that `note` wrote.  Raises `SaveError`."""
        ...

    def entry(self, line: bytes, on: Battlemap) -> Entry:
        """An entry of the log as it was written.  Raises `SaveError`."""
        ...


def save_form() -> SaveForm:
    """The form that games are saved in."""
    form: SaveForm = registry.named(registry.SAVES)
    return form
