"""Foundry VTT scenes: exported scene data, the old databases (``.db``, one JSON object a line) and adventures.

Read: walls that stop movement, doors (closed, open, locked, secret), one-way walls, heights of walls, square and hex
grids with padding and offset, levels, regions that change level, teleport or hinder, and tokens as movers.  Told, not
read: the picture (a file of the program), lights, sounds, notes, tiles and drawings.  A file with several scenes asks
for one by the option `scene` (its name or its number); a scene without a grid asks for `cell_px`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from tactical.formats import Format, Report
from tactical.options import Option, flag

if TYPE_CHECKING:
    from tactical.world.battlemap import Battlemap

OPTIONS = (
    Option("scene", "", "which scene of the file, by name or by number from 1", text=True, clause="Foundry"),
    Option("cell_px", None, "pixels a cell, for a scene without a grid", number=True, empty=True, clause="Foundry"),
    flag("tokens", True, "whether tokens become movers", "Foundry"),
)
_WALLS = re.compile(rb'"walls"\s*:\s*\[')
_SCENE = re.compile(rb'"(?:tokens|gridType|gridDistance|padding|navigation|lights|shiftX|scenes)"\s*:')
_ENDS = re.compile(rb'"walls"\s*:\s*\[\s*\{[^{}\[\]]{0,400}"c"\s*:\s*\[')
_OTHER = re.compile(rb'"(?:pixelsPerTile|pixels_per_grid|line_of_sight|pages)"\s*:')


def sniff(data: bytes, name: str) -> bool:
    """JSON with walls and what only scenes have; or a database by its name."""
    head = data[:1000].lstrip(b"\xef\xbb\xbf \t\r\n")
    if not head.startswith(b"{"):
        return False
    if _WALLS.search(data) and (_SCENE.search(data) or _ENDS.search(data)) and not _OTHER.search(data):
        return True
    return name.lower().endswith(".db") and b'"_id"' in data


def load(data: bytes, *, source: str = "", options: Mapping[str, Any] | None = None) -> tuple[Battlemap, Report]:
    """Read a scene.  Raises `MapError` with all faults; for several scenes of which none was chosen, their names."""
    from tactical.formats.foundry import read

    return read.load(data, source, FORMAT.read_options(options))


FORMAT = Format("foundry", "Foundry scene", (".db",), sniff, load, options=OPTIONS, also=(".json", "LevelDB folder"))
