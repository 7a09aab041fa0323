"""What one caller may have: how many maps and games at once, how large, and which files it may name."""

from __future__ import annotations

import json
from dataclasses import dataclass
from os import fsencode
from pathlib import Path

from tactical.assets import maps
from tactical.errors import UnknownName
from tactical.hosts.given import Wrong, as_sent
from tactical.world.battlemap import Battlemap

LIMIT = 8_000_000
"""Bytes that a line may have."""

AHEAD = 16
"""Lines that are read before their turn."""


@dataclass(frozen=True)
class Bounds:
    """Up to so many `maps` and `sessions` at once, `cells` a map, `via` waypoints and `seconds` of work a question.

    With `files` a caller may name files to read and write, all of them or those below `root`; without it sample maps
    alone, and everything else comes and goes as text.
    """

    maps: int = 200
    sessions: int = 200
    cells: int = 4_000_000
    via: int = 100
    files: bool = True
    root: Path | None = None
    seconds: float = 30.0

    def time(self, wanted: object) -> float:
        """The seconds that a request may take: those it asks for, but no more than are allowed.  Raises `Wrong`."""
        if wanted is None:
            return self.seconds
        if isinstance(wanted, bool) or not isinstance(wanted, (int, float)) or not wanted > 0:
            raise Wrong("value", f"seconds: expected a number greater than 0, found {as_sent(wanted)}")
        # a whole number may be larger than any float
        return float(min(wanted, self.seconds))

    def path(self, name: str) -> Path:
        """A file that the caller may read or write.  Raises `Wrong`."""
        if not self.files:
            raise Wrong("file", "no files are read or written for callers of this server: send and ask for the text")
        _writable(name)
        if self.root is None:
            return Path(name)
        root = self.root.resolve()
        try:
            found = (root / name).resolve()
        except (OSError, RuntimeError) as error:
            # RuntimeError: links in a circle, before Python 3.13
            raise Wrong("file", f"{as_sent(name)} leads nowhere: its links go round in a circle") from error
        if not found.is_relative_to(root):
            raise Wrong("file", f"{name[:60]!r} does not lie below the folder that this server is for")
        return found

    def map_file(self, name: str) -> Path:
        """The file of a map: one that the caller may read, else a sample.  Raises `Wrong` or `UnknownName`."""
        if not name:
            raise Wrong("request", "load needs map, content or json")
        _writable(name)
        if self.files and self.root is None:
            return Path(name) if Path(name).exists() else _sample(name)
        if self.files and not Path(name).is_absolute() and (found := self.path(name)).is_file():
            return found
        if not all(part.replace("-", "").replace("_", "").isalnum() for part in name.removesuffix(".yaml").split("/")):
            # what is no sample's name is a path
            return self.path(name)
        return _sample(name)

    def room_for(self, what: str, held: int) -> None:
        """Refuse one map or session more than the caller may hold.  Raises `Wrong`."""
        most: int = getattr(self, what)
        if held >= most:
            raise Wrong("too-many", f"{held} {what} are open, and no more than {most} may be: close one", most=most)

    def fits(self, battlemap: Battlemap) -> None:
        """Refuse a map that is too large.  Raises `Wrong`."""
        cells = battlemap.cols * battlemap.rows * len(battlemap.levels)
        if cells > self.cells:
            raise Wrong(
                "too-large", f"the map has {cells} cells, and no more than {self.cells} are taken", most=self.cells
            )

    def through(self, places: list[object]) -> list[object]:
        """Waypoints, as many as may be asked for at once.  Raises `Wrong`."""
        if len(places) > self.via:
            raise Wrong(
                "too-many", f"via: {len(places)} waypoints, and no more than {self.via} are taken", most=self.via
            )
        return places


def _writable(name: str) -> None:
    """Raises `Wrong` for what no system can call a file."""
    try:
        good = b"\0" not in fsencode(name)
    except UnicodeEncodeError:
        good = False
    if not good:
        raise Wrong("file", f"{json.dumps(name[:60])} is the name of no file")


def _sample(name: str) -> Path:
    """A sample map's file.  Raises `UnknownName`, or `Wrong` for what looks like the path of another file."""
    try:
        return maps(name)
    except UnknownName:
        if Path(name).name == name:
            raise
        raise Wrong("file", f"{name}: no such file, and no sample map of that name") from None
