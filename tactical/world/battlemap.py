"""The battle map: grid, terrain, barriers, links, zones and the movers that stand on it; immutable.

A changed door, terrain or mover gives a new map that shares everything else, the baked crossings included.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np

from tactical import values
from tactical.errors import Fault, UnknownName, meant
from tactical.units import Cell, cell_name
from tactical.values import Place
from tactical.world.edges.barriers import Barrier, Kind, snapped
from tactical.world.grids import Point, get_grid
from tactical.world.layout import Layout
from tactical.world.mover import Mover
from tactical.world.parts import Level, Link, Picture, Rows, Zone, doors_set, drawn, painted, same_ground, walled, width
from tactical.world.terrain import LEVEL_BANDS, PLAIN

if TYPE_CHECKING:
    from tactical.world.parts import ChangedParts, MapParts, SegmentParts

__all__ = ["Battlemap", "Level", "Link", "Picture", "Zone"]


@dataclass(frozen=True, eq=False, repr=False)
class Battlemap(Layout):
    """A battle map.  All levels have the same number of columns and rows; `cell` is the side of a cell in `unit`.

    `pixels` and `origin` say how the caller counts: the width of a cell, and where the grid begins, in pixels of its
    own picture or canvas; without them the map's `picture` says so.

    Raises `ValueError` or `TypeError` for parts that are not what they should be; what is wrong with the map as a whole
    (a link that leads nowhere, a mover in a wall) is listed by `faults`.
    """

    def __repr__(self) -> str:
        size = f"{self.cols} x {self.rows} {self.grid.title}"
        return f"<Battlemap {self.name!r}: {size} of {self.cell} {self.unit}, {len(self.movers)} movers>"

    # -- making one -------------------------------------------------------------------------------------------------

    @classmethod
    def from_rows(
        cls,
        rows: Rows,
        legend: Mapping[str, Mapping[str, object]] | None = None,
        *,
        cell: object = 5,
        unit: str = "ft",
        grid: str = "square",
        **more: Unpack[MapParts],
    ) -> Battlemap:
        """A map drawn with one glyph a cell; ``.`` is plain and ``#`` impassable unless the legend says otherwise.

        `rows` is a list of equally long texts, or one list per level name.  Raises `ValueError` for ragged or empty
        rows, an unknown glyph or an unknown fact, `TypeError` for one text in place of a list.
        """
        levels, palette, glyphs = drawn(rows, legend or {})
        parts: dict[str, Any] = {**more}
        return cls(levels, palette, get_grid(grid), values.length(cell, "a cell"), unit, glyphs=glyphs, **parts)

    @classmethod
    def from_cells(
        cls,
        cols: int,
        rows: int,
        *,
        blocked: Iterable[Place] = (),
        terrain: Mapping[Place, Mapping[str, object]] | None = None,
        cell: object = 5,
        unit: str = "ft",
        grid: str = "square",
        **more: Unpack[MapParts],
    ) -> Battlemap:
        """A map given as lists of cells, ``(col, row)`` or by name: `blocked` ones and `terrain` facts of others.

        Raises `ValueError` for a map without cells, or a cell that is not on it.
        """
        if values.whole(cols, "columns") < 1 or values.whole(rows, "rows") < 1:
            raise ValueError(f"a map needs at least one cell, not {cols} x {rows}")
        floor = ("ground",)
        changed: dict[Place, dict[str, object]] = {}
        for place in blocked:
            changed[values.cell(place, levels=floor)] = {"impassable": True}
        for place, facts in (terrain or {}).items():
            here = values.cell(place, levels=floor)
            changed[here] = {**changed.get(here, {}), **facts}
        parts: dict[str, Any] = {**more}
        empty = cls(
            (Level(*floor, np.zeros((rows, cols), dtype=np.uint16)),),
            (PLAIN,),
            get_grid(grid),
            values.length(cell, "a cell"),
            unit,
            **parts,
        )
        return empty.with_(terrain=changed) if changed else empty

    @classmethod
    def from_segments(
        cls,
        walls: Iterable[Sequence[float]],
        *,
        doors: Iterable[Sequence[float] | Mapping[str, object]] = (),
        cell_px: float,
        origin: Point = (0, 0),
        size: tuple[int, int],
        cell: object = 5,
        unit: str = "ft",
        **more: Unpack[SegmentParts],
    ) -> Battlemap:
        """A map of wall segments ``(x0, y0, x1, y1)`` in pixels; `size` is (columns, rows), `origin` the grid's pixel.

        A door is a segment too, or a mapping with ``line`` and any of a barrier's fields (``state``, ``id`` …).  The
        map keeps the scale, so that `cell_at` and `centre` count in the same pixels.  Raises `ValueError` or
        `TypeError` for coordinates that are no finite numbers, or a `cell_px` that is not more than 0.
        """
        scale, begin = width(cell_px, "cell_px"), values.point(origin, "origin")
        barriers = walled(walls, doors, scale, begin)
        cols, rows = size
        return cls.from_cells(cols, rows, cell=cell, unit=unit, barriers=barriers, pixels=scale, origin=begin, **more)

    # -- changing it ------------------------------------------------------------------------------------------------

    def with_(
        self,
        *,
        doors: Mapping[str, str] | None = None,
        terrain: Mapping[Place, Mapping[str, object]] | None = None,
        movers: Iterable[Mover] | None = None,
        barriers: Iterable[Barrier] | None = None,
        **more: Unpack[ChangedParts],
    ) -> Battlemap:
        """A changed copy; the old map stays valid and both share what did not change.

        `doors` maps door ids to states, `terrain` maps cells to facts laid over what is there; both are laid over
        `barriers`, `levels` and `palette` where those are given too.  Raises `UnknownName` for a door nobody has,
        `ValueError` for a state or fact that does not exist or a cell off the map, `TypeError` for a part that a map
        does not have.
        """
        for name in more:
            if name not in _FIELDS:
                raise TypeError(f"a Battlemap has no {name!r}{meant(name, [*_FIELDS, 'doors', 'terrain'])}")
        changes: dict[str, Any] = {**more}
        if movers is not None:
            changes["movers"] = values.all_of(Mover, movers, "movers")
            if not (more or barriers is not None or doors or terrain):
                return self.with_checked({"movers": tuple(map(self.seated, changes["movers"]))})
        if barriers is not None:
            changes["barriers"] = values.all_of(Barrier, barriers, "barriers")
        changed = replace(self, **changes) if changes else self
        if doors:
            known = {one.id for one in changed.barriers if one.kind is Kind.DOOR and one.id}
            for door in doors:
                if door not in known:
                    raise UnknownName("door", door, changed.open_names("door"))
            changed = replace(changed, barriers=doors_set(changed.barriers, doors))
        if not terrain:
            return changed
        cells = ((changed.cell_of(place), facts) for place, facts in terrain.items())
        ground = [(cell, changed.terrain(cell).under(facts)) for cell, facts in cells]
        return replace(changed, **painted(changed.levels, changed.palette, ground))

    def with_checked(self, parts: Mapping[str, Any]) -> Battlemap:
        """The map with parts that were looked at when they were made: a game changes its movers at every step.

        Where the ground is another, its store and what is baked of it are among the parts.
        """
        out = object.__new__(Battlemap)
        out.__dict__.update(self.__dict__)
        for name in ("company", "level_names"):
            out.__dict__.pop(name, None)
        out.__dict__.update(parts)
        return out

    # -- checking it ------------------------------------------------------------------------------------------------

    def faults(self) -> tuple[Fault, ...]:
        """Everything wrong with the map, in the order of its parts; empty for a sound map."""
        return tuple(faults_of(self))

    # -- comparing it -----------------------------------------------------------------------------------------------

    def __eq__(self, other: object) -> bool:
        """Equal content: the same grid, terrain per cell, barriers, links, zones, movers, rules and options."""
        if not isinstance(other, Battlemap):
            return NotImplemented
        plain = ("cell", "unit", "barriers", "links", "zones", "movers", "rules", "name", "level_names")
        return (
            self.grid.name == other.grid.name
            and all(getattr(self, name) == getattr(other, name) for name in plain)
            and dict(self.options) == dict(other.options)
            and all(
                mine.height == theirs.height
                and mine.ground.shape == theirs.ground.shape
                and same_ground(mine.ground, self.palette, theirs.ground, other.palette)
                for mine, theirs in zip(self.levels, other.levels, strict=True)
            )
        )

    __hash__ = None  # type: ignore[assignment]


_FIELDS = tuple(one.name for one in fields(Battlemap) if not one.name.startswith("_"))


def faults_of(battlemap: Battlemap) -> Iterator[Fault]:
    """Levels, terrain, barriers, links and movers, in this order."""
    shape = battlemap.levels[0].ground.shape
    names = [level.name for level in battlemap.levels]
    for n, level in enumerate(battlemap.levels):
        if level.ground.shape != shape:
            yield Fault(f"level {level.name!r} is {level.ground.shape[::-1]} cells, the first is {shape[::-1]}")
        if names.index(level.name) != n:
            yield Fault(f"two levels are called {level.name!r}", path=f"levels[{n}].name")
    for terrain in battlemap.palette:
        if terrain.number is not None:
            low, high = LEVEL_BANDS.get(terrain.difficulty, (None, None))
            if low is None:
                yield Fault(f"terrain {terrain.name!r} has number {terrain.number} but no level")
            elif terrain.number < low or (high is not None and terrain.number > high):
                band = f"{low} to {high}" if high else f"{low} and more"
                yield Fault(f"terrain {terrain.name!r}: {terrain.number} is not a {terrain.difficulty} number ({band})")
    yield from _barrier_faults(battlemap)
    for n, link in enumerate(battlemap.links):
        for end, cell in (("from", link.start), ("to", link.end)):
            if cell not in battlemap:
                yield Fault(f"{cell_name(cell)} is not on the map", path=f"links[{n}].{end}")
    yield from _mover_faults(battlemap)


def _barrier_faults(battlemap: Battlemap) -> Iterator[Fault]:
    seen: set[str] = set()
    for n, barrier in enumerate(battlemap.barriers):
        path = f"barriers[{n}]"
        if snapped(barrier.line) is None:
            yield Fault("the barrier has no length", path=path)
        if barrier.level >= len(battlemap.levels):
            yield Fault(f"there is no level {barrier.level}", path=path)
        if barrier.id and barrier.id in seen:
            yield Fault(f"two barriers are called {barrier.id!r}", path=f"{path}.id")
        seen.add(barrier.id)


def _mover_faults(battlemap: Battlemap) -> Iterator[Fault]:
    seen: set[str] = set()
    for n, mover in enumerate(battlemap.movers):
        path = f"movers[{n}]"
        if mover.id in seen:
            yield Fault(f"two movers are called {mover.id!r}", path=f"{path}.id")
        seen.add(mover.id)
        if mover.at is None:
            continue
        body = battlemap.body(mover.at, mover.size)
        outside = [cell for cell in body if cell not in battlemap]
        inside = [cell for cell in body if cell in battlemap]
        blocked = [cell for cell in inside if battlemap.terrain(cell).impassable]
        at = battlemap.name_of(mover.at)
        if mover.at in outside:
            last = cell_name(Cell(battlemap.cols - 1, battlemap.rows - 1))
            yield Fault(f"{mover.id!r} is off the map at {at} (cells run from A1 to {last})", path=f"{path}.at")
        elif outside:
            verb = "is" if len(outside) == 1 else "are"
            words = f"{mover.id!r} at {at} covers {_names(battlemap, outside)}, which {verb} off the map"
            yield Fault(words, path=f"{path}.at")
        elif blocked:
            ground = battlemap.terrain(blocked[0]).name or "impassable ground"
            where = "" if blocked[0] == mover.at else f" at {battlemap.name_of(blocked[0])}"
            yield Fault(f"{mover.id!r} stands in {ground}{where}", path=f"{path}.at")


def _names(battlemap: Battlemap, cells: list[Cell]) -> str:
    shown = ", ".join(battlemap.name_of(cell) for cell in cells[:3])
    return f"{shown} and {len(cells) - 3} more" if len(cells) > 3 else shown
