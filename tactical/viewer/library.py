"""Maps on disk: reading one, noticing that it has changed, and the list of those opened before.

Knows no pygame.  The list is a small JSON file in the user's configuration folder; where that cannot be written nothing
is lost but the list.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
from dataclasses import dataclass
from pathlib import Path

from tactical import assets
from tactical.errors import Fault, MapError, TacticalError
from tactical.world.battlemap import Battlemap

MOST = 9
"""How many maps the list holds: one for each digit key."""


def settings_folder() -> Path:
    """Where a program keeps its settings on this system."""
    if sys.platform == "win32":
        return Path(os.environ.get("APPDATA") or Path.home() / "AppData" / "Roaming") / "tactical"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "tactical"
    return Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config") / "tactical"


@dataclass
class Library:
    """The maps opened before, newest first."""

    folder: Path | None = None

    @property
    def file(self) -> Path:
        """The file of the list."""
        return (self.folder or settings_folder()) / "recent.json"

    def recent(self) -> list[Path]:
        """The maps opened before that are still there."""
        try:
            found = json.loads(self.file.read_text(encoding="utf-8"))
            return [Path(name) for name in found if isinstance(name, str) and Path(name).is_file()][:MOST]
        except (OSError, ValueError, TypeError):
            return []

    def note(self, path: Path) -> None:
        """Put a map first in the list."""
        full = str(path.resolve())
        names = [full, *(str(one) for one in self.recent() if str(one) != full)][:MOST]
        with contextlib.suppress(OSError):
            self.file.parent.mkdir(parents=True, exist_ok=True)
            self.file.write_text(json.dumps(names, indent=1), encoding="utf-8")

    def offered(self) -> list[tuple[Path, bool]]:
        """What to choose from: maps opened before (True), then those that ship with the program."""
        out = [(path, True) for path in self.recent()]
        with contextlib.suppress(FileNotFoundError):
            samples = sorted(assets.maps().glob("*.yaml"))
            out += [(path, False) for path in samples if path.resolve() not in {one.resolve() for one, _ in out}]
        return out[:MOST]


def read(path: Path) -> Battlemap | tuple[Fault, ...]:
    """A map from a file, or everything that is wrong with it."""
    from tactical.formats import load

    try:
        return load(path)
    except MapError as error:
        return error.faults
    except (OSError, ValueError, TacticalError) as error:
        return (Fault(str(error), file=str(path)),)


@dataclass
class Watch:
    """Notices that a file has changed: its time or its size is another."""

    path: Path
    seen: tuple[int, int] | None = None

    def __post_init__(self) -> None:
        self.seen = self._now()

    def _now(self) -> tuple[int, int] | None:
        try:
            found = self.path.stat()
        except OSError:
            return None
        return found.st_mtime_ns, found.st_size

    def changed(self) -> bool:
        """Whether it has changed since last asked; a file that is gone for a moment (saving) has not."""
        now = self._now()
        if now is None or now == self.seen:
            return False
        self.seen = now
        return True
