"""Tiled maps (``.tmx``, ``.tmj``): the tiles of a map, and what their properties and classes say of the ground.

Read: orthogonal, isometric, hexagonal and staggered maps, finite and infinite, all layers drawn in tiles (hidden ones
too), objects, tile sets in the file or in files in the map's folder or below it.  Nothing in such a file says of itself
what stops anybody: properties and classes are read by a table of words (``tactical.formats.tiled.words``) or by a file
of the user's own (option `mapping`), layers called ``collision``, ``blocked``, ``solid`` or ``walls`` stop where they
have a tile, as do those named by the option `blocked`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from tactical.formats import Format, Report
from tactical.formats._reading import CELL
from tactical.options import Option

if TYPE_CHECKING:
    from tactical.world.battlemap import Battlemap

OPTIONS = (
    Option("blocked", "", "layers whose tiles stop movement, by name, parted by commas", text=True, clause="Tiled"),
    Option("open", "", "layers that stop nobody whatever they are called", text=True, clause="Tiled"),
    Option("mapping", "", "file (YAML, JSON) of what layers, classes and properties mean", text=True, clause="Tiled"),
    *CELL,
)
_XML = re.compile(
    rb"(?:<\?xml.{0,300}?\?>|<!--.{0,1000}?-->|<!DOCTYPE[^>\[]{0,300}+(?:\[.{0,3000}?\])?+\s*+>|\s)*+<map[\s>]",
    re.DOTALL,
)


def sniff(data: bytes, name: str) -> bool:
    """An XML document that begins with a map, or a JSON object with layers and the width of a tile."""
    head = data[:5000].lstrip(b"\xef\xbb\xbf \t\r\n")
    if head.startswith(b"<"):
        return _XML.match(head) is not None
    return head.startswith(b"{") and b'"tilewidth"' in data and b'"layers"' in data


def load(data: bytes, *, source: str = "", options: Mapping[str, Any] | None = None) -> tuple[Battlemap, Report]:
    """Read a map.  Raises `MapError` with all faults, by line for broken XML or JSON, else by path."""
    from tactical.formats.tiled import read

    return read.load(data, source, FORMAT.read_options(options))


def dump(battlemap: Battlemap) -> str:
    """The map's first level as a TMX file.  Raises `ValueError` for a grid that Tiled does not have."""
    from tactical.formats.tiled import write

    return write.dump(battlemap)


def losses(battlemap: Battlemap) -> Report:
    """What the written file leaves out or changes."""
    from tactical.formats.tiled import write

    return write.losses(battlemap)


FORMAT = Format("tiled", "Tiled map", (".tmx", ".tmj"), sniff, load, dump, losses, OPTIONS, also=(".json", ".xml"))
