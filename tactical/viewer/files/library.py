"""Maps and games on disk: reading one, noticing that it has changed, and the list of those opened before.

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
from tactical.play.session import Session
from tactical.viewer.files.games import FOLDER, Games
from tactical.wire.save import SUFFIX, is_game
from tactical.world.battlemap import Battlemap

MOST = 9
"""How many maps are remembered."""
MOST_INSIDE = 1000
"""How many files and folders of one folder are listed."""
GAMES, LISTED = 4, 14
"""How many games the list offers, and how many rows it has; the first nine have a digit key."""


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

    def greet(self) -> bool:
        """Whether this is the first start: True once, or never where that cannot be remembered."""
        mark = (self.folder or settings_folder()) / "greeted"
        try:
            mark.parent.mkdir(parents=True, exist_ok=True)
            mark.touch(exist_ok=False)
        except OSError:
            return False
        return True

    @property
    def games(self) -> Path:
        """The folder of the games that are kept by themselves."""
        return (self.folder or settings_folder()) / FOLDER

    @property
    def maps(self) -> Path:
        """The folder of drawn maps that cannot lie beside the file they were drawn on."""
        return (self.folder or settings_folder()) / "maps"

    @property
    def themes(self) -> Path:
        """The folder of the user's own themes."""
        return (self.folder or settings_folder()) / "themes"

    def own_themes(self) -> list[Path]:
        """The user's own themes; where there is none yet, a copy of the shipped one is laid there to be changed."""
        found = sorted(self.themes.glob("*.toml"))
        if not found:
            with contextlib.suppress(OSError):
                self.themes.mkdir(parents=True, exist_ok=True)
                copy = self.themes / "own.toml"
                copy.write_bytes(assets.path("theme.toml").read_bytes())
                found = [copy]
        return found

    def offered(self) -> list[tuple[Path, str]]:
        """What to choose from, and what each is: the last ``game``s, maps opened before, then ``sample`` maps."""
        out = [(path, "game") for path in Games(self.games).recent(GAMES)]
        out += [(path, "recent") for path in self.recent() if not is_game(path)]
        with contextlib.suppress(FileNotFoundError):
            samples = sorted(assets.maps().glob("*.yaml"))
            own = {path.resolve() for path in samples}
            out = [(path, "sample" if path in own else kind) for path, kind in out]
            out += [(path, "sample") for path in samples if path.resolve() not in {one.resolve() for one, _ in out}]
        return out[:LISTED]


def source_of(battlemap: Battlemap, *, own: bool = False) -> Path | None:
    """The file of a map, where there is one; with `own` only one that does not come with tactical."""
    source = Path(battlemap.source) if battlemap.source else None
    if source is None or not source.is_file() or (own and assets.maps().resolve() in source.resolve().parents):
        return None
    return source


def stem(battlemap: Battlemap, source: Path | None) -> str:
    """What a file of a map is to be called: as its own file, else by its name."""
    name = source.stem if source is not None else battlemap.name
    return "".join(c if c.isalnum() or c in " -_." else "-" for c in name).strip(" .")[:60] or "map"


def inside(folder: Path) -> list[tuple[Path, str]]:
    """What lies in a folder, and what each is: ``folder``s first, then ``game``s and ``file``s that may hold a map."""
    from tactical.registry import FORMATS

    endings = tuple(ending for _, known in FORMATS for ending in known.suffixes)
    folders, found = [], []
    try:
        for path in sorted(folder.iterdir(), key=lambda one: one.name.lower()):
            if path.name.startswith("."):
                continue
            if path.is_dir():
                folders.append((path, "folder"))
            elif path.name.lower().endswith((SUFFIX, *endings)):
                found.append((path, "game" if path.suffix == SUFFIX else "file"))
    except OSError:
        return []
    return [*folders, *found][:MOST_INSIDE]


def read(path: Path) -> Battlemap | tuple[Fault, ...]:
    """A map from a file, or everything that is wrong with it."""
    from tactical.formats import load

    try:
        return load(path)
    except MapError as error:
        return error.faults
    except (OSError, ValueError, TacticalError) as error:
        return (Fault(str(error), file=str(path)),)


def read_game(path: Path) -> Session | tuple[Fault, ...]:
    """A saved game, played again to its end, or what is wrong with the file."""
    try:
        return Session.load(path)
    except (OSError, ValueError, TacticalError) as error:
        return (Fault(str(error), file=str(path), line=getattr(error, "line", None) or 0),)


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
