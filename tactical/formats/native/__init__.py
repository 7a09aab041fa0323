"""The project's own map files: YAML (or JSON), everything the engine knows, and the overlay for files that know less.

Layout, in short: ``rows`` of glyphs with a ``legend`` of terrain facts; ``barriers`` on cell sides or as free segments;
``links``, ``zones``, further ``levels``, ``movers``; ``rules`` and ``options``.  ``base: other-file`` lays all of it
over a map in another format, where the glyph ``.`` keeps the ground as it is.

Writing is lossless: what is read back equals the map that was written.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from tactical.formats import Format, Report

if TYPE_CHECKING:
    from tactical.world.battlemap import Battlemap

# A key of a native file at the start of a line, or at the start of a JSON object.
_KEYS = re.compile(
    rb"""(^|[{,])\s*["']?(schema|grid|legend|rows|movers|barriers|levels|rules|base)["']?\s*:""", re.MULTILINE
)


def sniff(data: bytes, name: str) -> bool:
    """Two keys of a native file are proof enough; one is if the name fits."""
    found = {match[2] for match in _KEYS.finditer(data[:200_000])}
    return len(found) >= (1 if name.lower().endswith((".yaml", ".yml")) else 2)


def load(data: bytes, *, source: str = "", options: Mapping[str, Any] | None = None) -> tuple[Battlemap, Report]:
    """Read a native map.  Raises `MapError` with all faults of the file, each with its line and column."""
    from tactical.formats.native import read as _native_read

    return _native_read.load(data, source, options or {})


def lay(data: bytes, *, source: str = "", base: Battlemap) -> tuple[Battlemap, Report]:
    """Read a native file as laid over a map, whether it names a base or not.  Raises `MapError` as `load` does."""
    from tactical.formats.native import read as _native_read

    return _native_read.load(data, source, {}, base)


def dump(battlemap: Battlemap) -> str:
    """The map as a native file."""
    from tactical.formats.native import write as _native_write

    return _native_write.dump(battlemap)


def losses(battlemap: Battlemap) -> Report:
    """What the written file leaves out."""
    from tactical.formats.native import write as _native_write

    return _native_write.losses(battlemap)


def with_picture_file(battlemap: Battlemap, file: str, folder: str = "") -> Battlemap:
    """The map with its picture in a file beside it, which is how a native map holds one; writes nothing."""
    from dataclasses import replace

    from tactical.formats.native.read import PictureFile

    if battlemap.picture is None:
        return battlemap
    return battlemap.with_(picture=replace(battlemap.picture, read=PictureFile(file, folder)))


def read_words(text: str) -> dict[str, object]:
    """Stats as a file writes them, without the braces (``speed: 30, armour: 2``).  Raises `ValueError`."""
    from tactical.formats._positions import plain, read

    document = read(f"stats: {{{text}}}", "stats")
    if document.faults or set(document.value) != {"stats"}:
        raise ValueError(f"stats are written as speed: 30, armour: 2 and not as {text!r}")
    return {name: plain(value) for name, value in document.value["stats"].items()}


def write_words(stats: Mapping[str, object]) -> str:
    """Stats as `read_words` takes them."""
    from tactical.formats.native.write import written

    return written(stats)[1:-1]


def schema() -> dict[str, Any]:
    """The JSON schema of native map files, for editors."""
    from tactical.formats.native.models import MapFile
    from tactical.formats.native.schema_words import described
    from tactical.world.edges.barriers import DoorState, Kind

    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **described(MapFile, (Kind, DoorState)),
        "title": "tactical map",
    }


FORMAT = Format(
    "native",
    "native map",
    (".yaml", ".yml", ".json"),
    sniff,
    load,
    dump,
    losses,
    pass_options=True,
    lay=lay,
)
