"""The way of a drawing to disk: a small native map over the untouched file, that native map itself, or a whole map.

Knows no pygame.  What is written was read again before, and gave the map that was drawn.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from tactical import files
from tactical.errors import TacticalError
from tactical.formats import decode, dump, load
from tactical.formats.native import FORMAT as NATIVE
from tactical.formats.native.changes import overlay
from tactical.formats.native.inplace import edited
from tactical.formats.native.read import placed
from tactical.show.labels import say
from tactical.viewer.editing.drawing import Drawing
from tactical.viewer.files.games import free
from tactical.viewer.files.library import source_of, stem
from tactical.viewer.playing.table import named
from tactical.world.battlemap import Battlemap

SUFFIX = ".yaml"
_OURS = re.compile(r"-edited(-\d+)?$")


@dataclass(frozen=True, slots=True)
class Saved:
    """Where a drawing was saved; `over` is the name of the file it lies over, empty for a whole map; `bare` says that
    the map's picture is not in it.
    """

    path: Path
    over: str = ""
    bare: bool = False


@dataclass(frozen=True, slots=True)
class Into:
    """A native file that was changed in place: its text as it was at first, and as it was written last."""

    path: Path
    before: str
    after: str

    def is_there(self, path: Path) -> bool:
        """Whether a file is this one, as it was written."""
        try:
            return path == self.path and path.read_bytes() == self.after.encode()
        except OSError:
            return False


def is_ours(drawing: Drawing) -> bool:
    """Whether the map that was opened is itself a native one over another file: what is drawn goes on in it."""
    try:
        source = source_of(drawing.original, own=True)
        return source is not None and placed(source.read_bytes(), str(source)).base is not None
    except (OSError, TacticalError, ValueError):
        return False


def put_into(drawing: Drawing, before: Into | None, rules: str = "") -> Into:
    """Change the native file of a drawing's map in place; its comments stay.  `before` is what was written last.

    Raises `ValueError` where the map is in no such file, or in one that somebody else has changed; `OSError`.
    """
    source = source_of(drawing.original, own=True)
    if source is None or source.suffix not in NATIVE.suffixes:
        raise ValueError(say("edit.not_native"))
    data = source.read_bytes()
    if before is not None and not before.is_there(source):
        raise ValueError(say("edit.other_hand", file=source.name))
    text = before.before if before is not None else decode(data, str(source))
    found = placed(text.encode(), str(source))
    wanted = _bare(_ruled(drawing.battlemap, rules), found.battlemap)
    after = edited(text, str(source), wanted)
    if not _alike(load(after.encode(), name=str(source)), wanted):
        raise ValueError(say("edit.not_native"))
    files.put(source, [after.encode()])
    return Into(source, text, after)


def _bare(battlemap: Battlemap, read: Battlemap) -> Battlemap:
    """The map with the doors nameless that are so in the file, of which `read` is what it gives."""
    bare = {name: door for name, door in zip(named(read).barriers, read.barriers, strict=True) if name != door}
    return battlemap.with_(barriers=tuple(bare.get(one, one) for one in battlemap.barriers)) if bare else battlemap


def _alike(found: Battlemap, wanted: Battlemap) -> bool:
    """Whether two maps are one, in whatever order walls and links stand, but for their zones."""
    loose = [one.with_(zones=(), barriers=(), links=()) for one in (found, wanted)]
    return (
        loose[0] == loose[1]
        and Counter(found.barriers) == Counter(wanted.barriers)
        and Counter(found.links) == Counter(wanted.links)
    )


def save(drawing: Drawing, folder: Path, path: Path | None = None, rules: str = "") -> Saved:
    """Write a drawing: over its map's file and beside it, else as a whole map there, or in `folder` where there is no
    file or its folder takes none.  `path` is where it was written before.  Raises `OSError`, `ValueError`.
    """
    source = source_of(drawing.original, own=True)
    if source is not None:
        wanted = path if path is not None and path.parent == source.parent else _free(source.parent, source.stem)
        try:
            return _beside(drawing, source, wanted, rules)
        except OSError:
            # a folder that takes no files: the other one does
            pass
    folder.mkdir(parents=True, exist_ok=True)
    battlemap = _ruled(drawing.battlemap, rules)
    wanted = path if path is not None and path.parent == folder else _free(folder, stem(battlemap, source))
    files.put(wanted, [_bytes(battlemap.with_(picture=None))])
    return Saved(wanted, bare=battlemap.picture is not None)


def _free(folder: Path, name: str) -> Path:
    """A name for an edited map that no file of a folder has yet."""
    return free(folder, f"{_OURS.sub('', name)}-edited", SUFFIX)


def _beside(drawing: Drawing, source: Path, path: Path, rules: str) -> Saved:
    for more in _readings(drawing.original):
        text = _over(drawing, source, path, rules, more)
        if text is not None:
            files.put(path, [text])
            return Saved(path, source.name)
    battlemap = _ruled(drawing.battlemap, rules)
    data = _bytes(battlemap)
    files.put(path, [data])
    return Saved(path, bare=battlemap.picture is not None and load(data, name=str(path)).picture is None)


def _readings(original: Battlemap) -> Iterator[dict[str, Mapping[str, object]]]:
    """With which words the file may give the map that was opened: by itself, or a picture by its grid."""
    yield {}
    picture = original.picture
    if picture is not None:
        left, top = picture.offset
        grid = {"grid": f"{picture.pixels:g}", "offset": f"{left:g},{top:g}", "type": original.grid.name}
        yield {"options": grid, "grid": {"cell": original.cell, "unit": original.unit}}


def _over(
    drawing: Drawing, source: Path, path: Path, rules: str, more: Mapping[str, Mapping[str, object]]
) -> bytes | None:
    """The drawing as laid over its file; None where that gives another map than the one that was drawn."""
    try:
        read = load(source, options=more.get("options"))
        wanted = _bare(_ruled(drawing.battlemap, rules), read)
        base = _bare(drawing.original, read)
        data = overlay(wanted, base, file=source.name, options=more.get("options"), grid=more.get("grid")).encode()
        found = load(data, name=str(path))
    except (OSError, TacticalError, ValueError):
        return None
    count = len(base.zones)
    same = _alike(found, wanted) and found.zones[:count] == wanted.zones[:count]
    shown = Drawing(found)
    painted = all(shown.beneath(cell) == drawing.ground(cell) for cell in drawing.work.painted)
    return data if same and len(found.zones) == len(wanted.zones) and painted else None


def _ruled(battlemap: Battlemap, rules: str) -> Battlemap:
    return battlemap.with_(rules=rules) if rules and rules != battlemap.rules else battlemap


def _bytes(battlemap: Battlemap) -> bytes:
    data = dump(battlemap)
    return data.encode() if isinstance(data, str) else data
