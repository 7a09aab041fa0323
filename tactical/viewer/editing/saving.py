"""The way of a drawing to disk: a small native map over the untouched file, or a whole map where that cannot say it.

Knows no pygame.  What is written was read again before, and gave the map that was drawn.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from tactical import assets, files
from tactical.errors import TacticalError
from tactical.formats import dump, load
from tactical.formats.native import overlay
from tactical.viewer.editing.drawing import Drawing
from tactical.viewer.table import named
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


def save(drawing: Drawing, folder: Path, path: Path | None = None, rules: str = "") -> Saved:
    """Write a drawing: over its map's file and beside it, else as a whole map there, or in `folder` where there is no
    file or its folder takes none.  `path` is where it was written before.  Raises `OSError`, `ValueError`.
    """
    source = Path(drawing.original.source) if drawing.original.source else None
    if source is not None and source.is_file() and source.resolve().parent != assets.maps().resolve():
        wanted = path if path is not None and path.parent == source.parent else free(source.parent, source.stem)
        try:
            return _beside(drawing, source, wanted, rules)
        except OSError:
            # a folder that takes no files: the other one does
            pass
    folder.mkdir(parents=True, exist_ok=True)
    battlemap = _ruled(drawing.battlemap, rules)
    wanted = path if path is not None and path.parent == folder else free(folder, _stem(battlemap, source))
    files.put(wanted, [_bytes(battlemap.with_(picture=None))])
    return Saved(wanted, bare=battlemap.picture is not None)


def free(folder: Path, stem: str) -> Path:
    """A name in a folder that no file has yet."""
    stem, number = _OURS.sub("", stem), 1
    path = folder / f"{stem}-edited{SUFFIX}"
    while path.exists():
        number += 1
        path = folder / f"{stem}-edited-{number}{SUFFIX}"
    return path


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
    wanted = _ruled(drawing.battlemap, rules)
    try:
        data = overlay(wanted, drawing.original, file=source.name, **more).encode()
        found = named(load(data, name=str(path)))
    except (OSError, TacticalError, ValueError):
        return None
    bare = found.with_(zones=()) == wanted.with_(zones=())
    count = len(drawing.original.zones)
    read = Drawing(found)
    same = bare and found.zones[:count] == wanted.zones[:count] and len(found.zones) == len(wanted.zones)
    return data if same and all(read.beneath(cell) == drawing.ground(cell) for cell in drawing.work.painted) else None


def _ruled(battlemap: Battlemap, rules: str) -> Battlemap:
    return battlemap.with_(rules=rules) if rules and rules != battlemap.rules else battlemap


def _bytes(battlemap: Battlemap) -> bytes:
    data = dump(battlemap)
    return data.encode() if isinstance(data, str) else data


def _stem(battlemap: Battlemap, source: Path | None) -> str:
    name = source.stem if source is not None else battlemap.name
    return "".join(c if c.isalnum() or c in " -_." else "-" for c in name).strip(" .")[:60] or "map"
