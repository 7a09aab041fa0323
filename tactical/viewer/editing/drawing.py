"""What was done to a map in the edit mode: each state of it is a value, so that undoing is going back to one.

Knows no pygame and no files.  The map that was opened is never changed: what is painted lies over it as zones.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from tactical.units import Cell
from tactical.viewer.editing.brushes import Brush
from tactical.world.barriers import Barrier, DoorState, Kind
from tactical.world.battlemap import Battlemap, Zone
from tactical.world.mover import Mover
from tactical.world.terrain import FACTS, Terrain


@dataclass(frozen=True, slots=True)
class Work:
    """One state of a drawing: the ground of the cells that were painted, doors set by their place in the map's
    barriers, and the movers put there.
    """

    painted: Mapping[Cell, Terrain] = field(default_factory=dict)
    doors: Mapping[int, DoorState] = field(default_factory=dict)
    movers: tuple[Mover, ...] = ()


class Drawing:
    """A map that is being painted on.  `original` is the map as it was; everything between `begin` and `end` is one
    step for `undo`.
    """

    def __init__(self, original: Battlemap) -> None:
        self.original = original
        self.work = self.saved = Work()
        self._before: Work | None = None
        self._done: list[Work] = []
        self._undone: list[Work] = []
        self._laid: dict[Cell, list[Mapping[str, object]]] = {}
        for zone in original.zones:
            for cell in zone.cells:
                self._laid.setdefault(cell, []).append(zone.facts)

    @property
    def unsaved(self) -> bool:
        """Whether something was done since it was saved last."""
        return self.work != self.saved

    def kept(self) -> None:
        """What was done up to now is on disk."""
        self.saved = self.work

    # -- asking -------------------------------------------------------------------------------------------------------

    def beneath(self, cell: Cell) -> Terrain:
        """The ground of the original with its zones on it."""
        ground = self.original.terrain(cell)
        for facts in self._laid.get(cell, ()):
            ground = ground.under(facts)
        return ground

    def ground(self, cell: Cell) -> Terrain:
        """The ground as it is now."""
        return self.work.painted.get(cell) or self.beneath(cell)

    @property
    def battlemap(self) -> Battlemap:
        """The map as it is now."""
        barriers = tuple(
            replace(barrier, state=self.work.doors[n]) if n in self.work.doors else barrier
            for n, barrier in enumerate(self.original.barriers)
        )
        return self.original.with_(
            zones=(*self.original.zones, *self._zones()),
            barriers=barriers if self.work.doors else self.original.barriers,
            movers=(*self.original.movers, *self.work.movers),
        )

    def _zones(self) -> list[Zone]:
        """What was painted: a zone for all cells over which the same facts are laid."""
        changes: dict[tuple[Terrain, Terrain], list[Cell]] = {}
        for cell, wanted in self.work.painted.items():
            changes.setdefault((self.beneath(cell), wanted), []).append(cell)
        zones: dict[str, tuple[dict[str, object], list[Cell]]] = {}
        for (beneath, wanted), cells in changes.items():
            facts = _laid_over(beneath, wanted)
            zones.setdefault(repr(facts), (facts, []))[1].extend(cells)
        return [Zone(where, facts) for facts, where in zones.values()]

    # -- doing --------------------------------------------------------------------------------------------------------

    def begin(self) -> None:
        """A step begins."""
        self.end()
        self._before = self.work

    def end(self) -> None:
        """The step is done; one that changed nothing is none."""
        before, self._before = self._before, None
        if before is not None and before != self.work:
            self._done.append(before)
            self._undone.clear()

    def paint(self, cells: Iterable[Cell], brush: Brush) -> bool:
        """Paint cells of the map; True if that changes anything."""
        return self._set({cell: brush.on(self.ground(cell)) for cell in cells})

    def erase(self, cells: Iterable[Cell], brush: Brush) -> bool:
        """Take a brush's facts away from cells of the map; True if that changes anything."""
        return self._set({cell: brush.off(self.ground(cell), self.beneath(cell)) for cell in cells})

    def _set(self, ground: Mapping[Cell, Terrain]) -> bool:
        painted = dict(self.work.painted)
        for cell, wanted in ground.items():
            painted[cell] = wanted
            if wanted == self.beneath(cell):
                del painted[cell]
        return self._to(replace(self.work, painted=painted))

    def place(self, mover: Mover) -> bool:
        """Put a mover on the map.  Raises `ValueError` where the map has one of that id."""
        if any(one.id == mover.id for one in (*self.original.movers, *self.work.movers)):
            raise ValueError(f"there is a mover {mover.id!r} already")
        return self._to(replace(self.work, movers=(*self.work.movers, mover)))

    def remove(self, mover: str) -> bool:
        """Take a mover away that was put there; False for one of the original."""
        return self._to(replace(self.work, movers=tuple(one for one in self.work.movers if one.id != mover)))

    def toggle(self, door: int) -> bool:
        """Open a door that is shut, shut one that is open; by its place in the map's barriers."""
        barrier: Barrier = self.battlemap.barriers[door]
        if barrier.kind is not Kind.DOOR:
            return False
        state = DoorState.CLOSED if barrier.state is DoorState.OPEN else DoorState.OPEN
        doors = {**self.work.doors, door: state}
        if state is self.original.barriers[door].state:
            del doors[door]
        return self._to(replace(self.work, doors=doors))

    def undo(self) -> bool:
        """Take the last step back; False where there is none."""
        return self._back(self._done, self._undone)

    def redo(self) -> bool:
        """Do again what was taken back; False where there is nothing."""
        return self._back(self._undone, self._done)

    def _back(self, out: list[Work], into: list[Work]) -> bool:
        self.end()
        if not out:
            return False
        into.append(self.work)
        self.work = out.pop()
        return True

    def _to(self, work: Work) -> bool:
        changed = work != self.work
        if changed:
            self.work = work
        return changed


def _laid_over(beneath: Terrain, wanted: Terrain) -> dict[str, object]:
    """The facts that make one ground the other."""
    names = [name for name in FACTS if getattr(wanted, name) != getattr(beneath, name)]
    for stated in (names, FACTS):
        # a name may bring a level of its own with it: then every fact is stated
        facts = {name: getattr(wanted, name) for name in stated}
        if "level_numbers" in facts:
            facts["level_numbers"] = dict(wanted.level_numbers)
        if wanted.name != beneath.name:
            facts["terrain"] = wanted.name
        if beneath.under(facts) == wanted:
            return facts
    return facts
