"""A plain picture with a grid drawn on it (PNG, JPEG, WebP, GIF, BMP): open ground of as many cells as fit into it.

The picture says nothing of the ground: `grid` is how many pixels a cell is wide in it, `offset` the pixel where the
first whole cell begins.  `tactical new` writes a native map over one, in which the ground can be drawn.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import floor
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

from tactical.errors import Fault
from tactical.formats import Format, Report, UnreadableFile, picture_kind
from tactical.formats._reading import CELL, Reading
from tactical.options import Option, number
from tactical.world.pictures import flaw_of, kind_of, size_of

if TYPE_CHECKING:
    from tactical.world.battlemap import Battlemap
    from tactical.world.grids import Grid

OPTIONS = (
    number("grid", None, "how many pixels a cell is wide in the picture", "picture", empty=True),
    Option("offset", "0,0", "the pixel where the first whole cell begins: 12,8", text=True, clause="picture"),
    Option("type", "square", "the grid: square, hex-odd-r …", text=True, clause="picture"),
    *CELL,
)


@dataclass(frozen=True, slots=True)
class HeldPicture:
    """A picture that has been read already."""

    data: bytes = field(repr=False)

    def __call__(self) -> bytes:
        return self.data


def sniff(data: bytes, name: str) -> bool:
    """The first bytes of a picture."""
    return bool(kind_of(data))


def load(data: bytes, *, source: str = "", options: Mapping[str, Any] | None = None) -> tuple[Battlemap, Report]:
    """Read a picture.  Raises `MapError` for one that cannot be drawn, or of whose grid nothing is said."""
    given = FORMAT.read_options(options)
    kind = picture_kind(data)
    if not kind:
        raise UnreadableFile([Fault("this is no picture that can be drawn", file=source)])
    if not given["grid"]:
        file = PurePath(source).name or "FILE"
        hint = f"(say how wide a cell is in it by the option grid; `tactical new {file} --grid 70` makes a map of it)"
        raise UnreadableFile([Fault(f"this is a {kind}, not a map file", file=source, hint=hint)])
    reader = _Reader(source, given)
    return reader.done(reader.read(data))


class _Reader(Reading):
    """One picture on its way to a map."""

    format = "picture"

    def read(self, data: bytes) -> Battlemap | None:
        """The map, or None if the picture or its options have faults."""
        from tactical.errors import UnknownName
        from tactical.values import point
        from tactical.world.battlemap import Battlemap
        from tactical.world.grids import get_grid
        from tactical.world.parts import Picture

        pixels = float(self.options["grid"])
        flaw = flaw_of(data, pixels)
        if flaw:
            self.fault(f"the picture cannot be drawn: {flaw}", "")
            return None
        try:
            left, top = point([float(part) for part in str(self.options["offset"]).split(",")], "offset")
        except (TypeError, ValueError):
            self.fault(f"option offset: write 12,8 (pixels), not {self.options['offset'][:40]!r}", "")
            return None
        try:
            grid = get_grid(self.options["type"])
        except UnknownName as error:
            self.fault(f"option type: {error}", "")
            return None
        wide, high = size_of(data) or (0, 0)
        cols, rows = fitting(grid, (wide - left) / pixels, (high - top) / pixels)
        if cols < 1 or rows < 1:
            self.fault(f"{wide} x {high} pixels hold no whole cell of {pixels:g} from {left:g},{top:g} on", "")
            return None
        if not self.fits(cols, rows, ""):
            return None
        self.tell("read", f"{cols} x {rows} cells of {pixels:g} pixels; open ground: a picture says nothing of it")
        cell = self.cell()
        picture = Picture(HeldPicture(data), pixels, (left, top), kind_of(data).lower())
        return Battlemap.from_cells(
            cols, rows, grid=grid.name, picture=picture, name=self.stem(), source=self.source, **cell
        )


def fitting(grid: Grid, wide: float, high: float) -> tuple[int, int]:
    """How many columns and rows of a grid fit into so many cell units; 0 where none does."""

    def most(lengths: int, room: float) -> int:
        # a column of hexes is less than a unit wide, but no less than half of one
        found = range(floor(max(room, 0) * 2), 0, -1)
        sizes = ((n, grid.size(n, 2) if lengths == 0 else grid.size(2, n)) for n in found)
        return next((n for n, size in sizes if size[lengths] <= room + 1e-6), 0)

    return most(0, wide), most(1, high)


FORMAT = Format("picture", "picture with a grid", (".png", ".jpg", ".jpeg", ".webp", ".gif", ".bmp"), sniff, load,
                options=OPTIONS)  # fmt: skip
