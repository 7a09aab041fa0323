"""The scenes of a file, and the one that was asked for; where a scene keeps its grid, by the age of the program."""

from __future__ import annotations

import json
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from tactical.errors import Fault, MapError, meant
from tactical.formats import UnreadableFile, _json
from tactical.formats._reading import finite, what
from tactical.values import measure, replaced

Scene = dict[str, Any]
HEXES = {2: "hex-odd-r", 3: "hex-even-r", 4: "hex-odd-q", 5: "hex-even-q"}
SHOWN = 40


@dataclass(frozen=True, slots=True)
class GridOf:
    """What a scene says of its grid, in pixels."""

    kind: int
    size: float
    distance: Any
    units: Any
    legacy_hex: bool


def scene_of(data: bytes, source: str, wanted: str, twice: list[str], unread: list[int]) -> tuple[Scene, int]:
    """The scene asked for and how many there are.  Raises `MapError` with a list where none was asked.

    Keys written twice are added to `twice`, the lines of a database that cannot be read to `unread`.
    """
    found = _scenes(data, source, twice, unread)
    if not found:
        raise MapError([Fault("no scene in this file", source)])
    names = [str(scene.get("name") or scene.get("_id") or "?")[:80] for scene in found]
    listed = ", ".join(f"{n + 1} {replaced(name)}" for n, name in enumerate(names[:SHOWN]))
    listed += ", …" if len(names) > SHOWN else ""
    if not wanted:
        if len(found) == 1:
            return found[0], 1
        raise MapError([Fault(f"{len(found)} scenes in this file: choose one by its name or number (option scene: 1)",
                              source, hint=f"({listed})")])  # fmt: skip
    for n, (scene, name) in enumerate(zip(found, names, strict=True)):
        if wanted.casefold() == name.casefold() or wanted == scene.get("_id"):
            return found[n], len(found)
    if wanted.isascii() and wanted.isdigit() and len(wanted) < 6 and 0 < int(wanted) <= len(found):
        return found[int(wanted) - 1], len(found)
    hint = meant(wanted, names)
    raise MapError([Fault(f"no scene {replaced(wanted[:80])!r} in this file{hint}", source, hint=f"({listed})")])


def _scenes(data: bytes, source: str, twice: list[str], unread: list[int]) -> list[Scene]:
    try:
        content = _json.read(data, source, twice)
    except UnreadableFile:
        lines = _log(data, unread)
        if lines is None:
            raise
        return lines
    if isinstance(content, dict) and isinstance(content.get("scenes"), list) and "walls" not in content:
        return [scene for scene in content["scenes"] if isinstance(scene, dict)]
    if not isinstance(content, dict):
        raise MapError([Fault(f"expected an object, found {what(content)}", source)])
    return [content] if _is_scene(content) else []


def _log(data: bytes, unread: list[int]) -> list[Scene] | None:
    """The live scenes of a database: the last line of an id counts, a deleted one is gone; None if it is none."""
    live: dict[str, Scene] = {}
    for n, line in enumerate(data.lstrip(b"\xef\xbb\xbf").split(b"\n")):
        if not line.strip():
            continue
        try:
            entry = json.loads(line)
        except (ValueError, RecursionError):
            entry = None
        if not isinstance(entry, dict):
            if n == 0:
                return None
            unread.append(n + 1)
            continue
        key = str(entry.get("_id"))
        if entry.get("$$deleted"):
            live.pop(key, None)
        elif "_id" in entry:
            live[key] = entry
    return [entry for entry in live.values() if _is_scene(entry)]


def _is_scene(entry: Scene) -> bool:
    return "walls" in entry and ("grid" in entry or "gridType" in entry or "width" in entry)


def grid_of(scene: Scene) -> GridOf:
    """The grid of a scene; `kind` is -1 where it states none that is known."""
    grid = scene.get("grid")
    own = grid if isinstance(grid, dict) else {}
    kind = own.get("type", scene.get("gridType", 1))
    size = own.get("size", scene.get("gridSize", grid if not isinstance(grid, dict) else None))
    distance = own.get("distance", scene.get("gridDistance"))
    units = own.get("units", scene.get("gridUnits"))
    known = kind if isinstance(kind, int) and not isinstance(kind, bool) and 0 <= kind <= 5 else -1
    return GridOf(known, float(size) if finite(size) else 0.0, distance, units, _legacy(scene, bool(own)))


def _legacy(scene: Scene, own: bool) -> bool:
    """Whether a hex's stated size is its longer width, as it was before version 12."""
    flags = scene.get("flags")
    core = flags.get("core") if isinstance(flags, dict) else None
    if isinstance(core, dict) and core.get("legacyHex") is True:
        return True
    stats = scene.get("_stats")
    version = str(stats.get("coreVersion", "")) if isinstance(stats, dict) else ""
    major = version.split(".")[0]
    if major.isascii() and major.isdigit() and len(major) < 5:
        return int(major) < 12
    return not own


def height(value: Any) -> Fraction | None:
    """A height that a map may have; None for anything else."""
    if not finite(value):
        return None
    try:
        found = measure(value, "a height")
    except (TypeError, ValueError):
        return None
    return found if abs(found) < 1_000_000 else None
