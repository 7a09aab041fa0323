"""A map as a flat value for JSON: terrain by number, rows of numbers, everything else as it is.

The picture of a map is not carried (it may be larger than all the rest), nor where it was read from.  A saved game says
instead where the map's file lies as seen from the save, so that both can be moved together, and a digest of the file.
"""

from __future__ import annotations

import errno
import logging
import os
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from fractions import Fraction
from hashlib import blake2b
from pathlib import Path
from typing import Any

import numpy as np

from tactical import files
from tactical.errors import MapError, SaveError
from tactical.world.battlemap import Battlemap, Level, Link, Picture, Zone
from tactical.world.edges.barriers import Barrier
from tactical.world.grids import get_grid
from tactical.world.mover import Mover
from tactical.world.terrain import Terrain

LOG = logging.getLogger("tactical")
LIMIT = 200_000_000
"""Bytes of the largest map file that is read for its picture."""


@dataclass(frozen=True, slots=True)
class FlatLevel:
    """One floor: per row, per column the index of a terrain in the palette."""

    name: str
    ground: tuple[tuple[int, ...], ...]
    height: Fraction = Fraction(0)


@dataclass(frozen=True, slots=True)
class FlatMap:
    """A `Battlemap` in plain values."""

    levels: tuple[FlatLevel, ...]
    palette: tuple[Terrain, ...]
    grid: str = "square"
    cell: Fraction = Fraction(5)
    unit: str = "ft"
    name: str = ""
    rules: str = ""
    options: Mapping[str, object] = field(default_factory=dict)
    barriers: tuple[Barrier, ...] = ()
    links: tuple[Link, ...] = ()
    zones: tuple[Zone, ...] = ()
    movers: tuple[Mover, ...] = ()
    glyphs: Mapping[str, int] = field(default_factory=dict)
    pixels: float | None = None
    origin: tuple[float, float] = (0.0, 0.0)

    @classmethod
    def of(cls, battlemap: Battlemap) -> FlatMap:
        """The flat value of a map."""
        levels = tuple(
            FlatLevel(level.name, tuple(tuple(row) for row in level.ground.tolist()), level.height)
            for level in battlemap.levels
        )
        same = {name: getattr(battlemap, name) for name in _SAME}
        return cls(levels, grid=battlemap.grid.name, options=dict(battlemap.options), **same)

    def battlemap(self) -> Battlemap:
        """The map.  Raises `ValueError` for ragged rows or a terrain that the palette does not have."""
        if not self.levels:
            raise ValueError("a map has at least one level")
        levels = []
        shape = None
        for level in self.levels:
            widths = {len(row) for row in level.ground}
            if len(widths) != 1 or 0 in widths:
                raise ValueError(f"level {level.name!r}: rows of {sorted(widths)} cells, expected equally long ones")
            shape = shape or (len(level.ground), *widths)
            if (len(level.ground), *widths) != shape:
                raise ValueError(f"level {level.name!r} has another size than the first")
            wrong = {n for row in level.ground for n in row if not 0 <= n < len(self.palette)}
            if wrong:
                raise ValueError(f"level {level.name!r}: no terrain number {min(wrong)} among {len(self.palette)}")
            levels.append(Level(level.name, np.array(level.ground, dtype=np.uint16), level.height))
        same = {name: getattr(self, name) for name in _SAME}
        return Battlemap(tuple(levels), grid=get_grid(self.grid), options=dict(self.options), **same)


_SAME = tuple(one.name for one in fields(FlatMap) if one.name not in ("levels", "grid", "options"))
"""What a flat map holds as the map itself does."""


# -- the picture beneath a saved game ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Beneath:
    """Reads the picture of the map file that a saved game was begun on, when asked to.

    Raises `OSError` where the file is not there, or has no picture any more; of one that was changed since, the log
    `tactical` is told.
    """

    file: str
    digest: str
    folder: str = ""

    @property
    def path(self) -> Path:
        """Where the map's file is."""
        return Path(self.folder, self.file)

    def __call__(self) -> bytes:
        from tactical.formats import load

        path = self.path
        if not path.is_file():
            raise OSError(errno.ENOENT, f"the map's file {self.file} is not there", str(path))
        data = files.read(path, LIMIT)
        if digest_of(data) != self.digest:
            LOG.warning("%s: the map's file was changed since the game began", path)
        try:
            found = load(path).picture
        except MapError as error:
            raise OSError(errno.EINVAL, f"the map's file {self.file} can no longer be read", str(path)) from error
        if found is None:
            raise OSError(errno.EINVAL, f"the map's file {self.file} has no picture any more", str(path))
        return found.read()


def digest_of(data: bytes) -> str:
    """What tells a map file from every other one."""
    return blake2b(data, digest_size=8).hexdigest()


def where_beneath(battlemap: Battlemap, folder: Path) -> dict[str, Any] | None:
    """Where the picture of a map is found again by a save in `folder`; None where there is none, or no file of it."""
    picture = battlemap.picture
    if picture is None:
        return None
    known = picture.read if isinstance(picture.read, Beneath) else None
    path = known.path if known is not None else Path(battlemap.source)
    if known is None:
        if not battlemap.source or not path.is_file():
            return None
        known = Beneath("", digest_of(path.read_bytes()))
    here, there = os.path.abspath(path), os.path.abspath(folder)
    try:
        file = os.path.relpath(here, there)
    except ValueError:
        # on another drive
        file = here
    about = {"pixels": picture.pixels, "offset": list(picture.offset), "kind": picture.kind}
    return {"file": Path(file).as_posix(), "digest": known.digest, **about}


def laid_beneath(battlemap: Battlemap, found: object, folder: Path | None) -> Battlemap:
    """A map with the picture that a save in `folder` notes of it.  Raises `SaveError`."""
    if found is None or folder is None:
        return battlemap
    try:
        assert isinstance(found, Mapping)
        read = Beneath(str(found["file"]), str(found["digest"]), str(folder))
        x, y = found["offset"]
        return battlemap.with_(picture=Picture(read, found["pixels"], (x, y), str(found["kind"])))
    except (AssertionError, KeyError, TypeError, ValueError) as error:
        raise SaveError(f"damaged: where the map's picture lies: {error}", 1) from error
