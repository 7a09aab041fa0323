"""A game kept in a file, as its session and its host know it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from tactical.errors import SaveError

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

    def __call__(self) -> None:
        """End it.  What is not on the disk yet is tried a last time; `error` says if that failed."""

    def catch_up(self) -> SaveError | None:
        """Write every entry since the last one written.  What went wrong, or None."""
