"""Universal VTT files (``.uvtt``, ``.dd2vtt``, ``.df2vtt``): walls, doors and windows of a square map; its picture.

Read: walls, portals, objects that block sight, size and crop, the picture (decoded only when somebody asks for it).
The files say nothing of unit, terrain, elevation, locks or secrets: lay a native map over one (``base:``) to add them.
Portals are called ``door-1``, ``door-2`` … and ``window-1`` … in the order of the file.

Some things have no settled meaning and are options.  `open_portals`: some programs write ``closed: false`` for a
window, others for an open door.  `closed_portals`: maps whose windows are all written as closed.  `portals` says it for
one portal alone, by the name that those two give it (``window-1:closed, door-2:window``).  `objects`: whether a prop
that blocks sight also blocks the way.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from tactical.formats import Format, Report
from tactical.formats._reading import CELL
from tactical.options import Option, choice

if TYPE_CHECKING:
    from tactical.world.battlemap import Battlemap

OPTIONS = (
    choice("open_portals", ("window", "open_door"), "what a portal with closed: false is", "UVTT"),
    choice("closed_portals", ("closed_door", "window"), "what a portal with closed: true is", "UVTT"),
    Option("portals", "", "single portals by name: window-1:closed, door-2:window …", text=True, clause="UVTT"),
    choice("objects", ("block", "ignore"), "whether objects that block sight block the way", "UVTT"),
    *CELL,
)


def sniff(data: bytes, name: str) -> bool:
    """A JSON object that names what only these files have."""
    if not data.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{"):
        return False
    return b'"pixels_per_grid"' in data or (b'"line_of_sight"' in data and b'"portals"' in data)


def load(data: bytes, *, source: str = "", options: Mapping[str, Any] | None = None) -> tuple[Battlemap, Report]:
    """Read a Universal VTT file.  Raises `MapError` with all faults, by line for broken JSON, else by path."""
    from tactical.formats.uvtt import read as _uvtt_read

    return _uvtt_read.load(data, source, FORMAT.read_options(options))


def dump(battlemap: Battlemap) -> str:
    """The map as a Universal VTT file, format 0.3.  Raises `ValueError` for a hex map."""
    from tactical.formats.uvtt import write as _uvtt_write

    return _uvtt_write.dump(battlemap)


def losses(battlemap: Battlemap) -> Report:
    """What the written file leaves out or changes."""
    from tactical.formats.uvtt import write as _uvtt_write

    return _uvtt_write.losses(battlemap)


FORMAT = Format(
    "uvtt", "Universal VTT", (".uvtt", ".dd2vtt", ".df2vtt"), sniff, load, dump, losses, OPTIONS, also=(".json",)
)
