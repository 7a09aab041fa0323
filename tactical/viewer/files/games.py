"""Games on disk: each is kept with everything done in it, from the first move on; found again, and gone on with.

Knows no pygame.  A game that is begun on a map is kept in the user's own folder until it is saved beside the map; one
that was opened is kept where it lies.
"""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from tactical.errors import SaveError
from tactical.play.session import Session
from tactical.wire.save import SUFFIX

if TYPE_CHECKING:
    from tactical.play.saving import Kept

FOLDER = "games"
"""The folder of kept games within that of the settings."""
MOST = 200
"""Games that are looked through for one of a map."""


class Games:
    """Keeps the game that is played.  `path` is where, None while nothing was done yet; `problem` is what to tell."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.problem = ""
        self._session: Session | None = None
        self._kept: Kept | None = None
        self._refused = False

    @property
    def path(self) -> Path | None:
        """The file that the game is kept in."""
        return self._kept.path if self._kept is not None else None

    @property
    def at_risk(self) -> bool:
        """Whether something was done that is on no disk."""
        if self._session is None or not self._session.log:
            return False
        return self._kept is None or bool(self._kept.behind)

    def leave(self) -> None:
        """Another game comes: what was done in this one stays in its file."""
        if self._kept is not None:
            self._kept()
        self._session = self._kept = None
        self._refused = False

    def follow(self, session: Session, name: str) -> None:
        """Keep a game under its map's name as soon as there is something to lose.

        A game that takes another's place without `leave` (somebody was added, fog began, the map's file was changed)
        holds what no map file tells: it is kept at once.
        """
        changed = self._session is not None and session is not self._session
        if session is not self._session:
            if self._kept is not None:
                self._kept()
            self._session, self._kept, self._refused = session, None, False
        if self._kept is None and not self._refused and (changed or session.log):
            self._keep(free(self.folder, f"{name} {datetime.now():%Y-%m-%d %H.%M}"))

    def save(self, session: Session, name: str, folder: Path | None = None) -> Path | None:
        """Keep the game from now on: in `folder` under a name that is free, without one where it is kept already."""
        self.follow(session, name)
        if folder is None and self._kept is not None and self._kept.catch_up() is None:
            return self._kept.path
        places = [place for place in (folder, self.folder) if place is not None]
        return self.path if any(self._keep(free(place, name)) for place in places) else None

    def opened(self, session: Session, path: Path) -> None:
        """Go on with a game where it lies; in a file of its own where that is another's or cannot be written."""
        self.leave()
        self._session = session
        if not self._keep(path):
            self._keep(free(self.folder, path.stem))

    def recent(self, most: int) -> list[Path]:
        """The games kept in the user's folder, newest first."""
        try:
            found = [(path.stat().st_mtime, path) for path in self.folder.glob(f"*{SUFFIX}")]
        except OSError:
            return []
        return [path for _, path in sorted(found, reverse=True)[:most]]

    def of_map(self, name: str) -> Path | None:
        """The newest game in the user's folder that was begun on a map of this name."""
        return next((path for path in self.recent(MOST) if path.stem.startswith(f"{name} 2")), None)

    def _keep(self, path: Path) -> bool:
        assert self._session is not None
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            kept = self._session.keep(path, self._failed)
        except (OSError, SaveError) as error:
            # told once; Ctrl-S tries again, and closing asks
            self._refused = True
            self._failed(error)
            return False
        if self._kept is not None:
            self._kept()
        self._kept, self._refused = kept, False
        return True

    def _failed(self, error: Exception) -> None:
        self.problem = (error.strerror or str(error)) if isinstance(error, OSError) else str(error)


def free(folder: Path, name: str, suffix: str = SUFFIX) -> Path:
    """A name in a folder that no file has yet."""
    path, number = folder / f"{name}{suffix}", 1
    while path.exists():
        number += 1
        path = folder / f"{name}-{number}{suffix}"
    return path
