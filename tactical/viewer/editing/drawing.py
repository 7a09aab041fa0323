"""What was done to a map in the edit mode: each state of it is a value, so that undoing is going back to one.

Knows no pygame and no files.  The map that was opened is never changed: what is painted lies over it as zones.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from tactical.units import Cell
from tactical.viewer.editing.brushes import Brush
from tactical.viewer.editing.sides import Line, same_line
from tactical.world.barriers import Barrier, DoorState, Kind
from tactical.world.battlemap import Battlemap, Zone
from tactical.world.mover import Mover
from tactical.world.terrain import FACTS, Terrain


@dataclass(frozen=True, slots=True)
class Work:
    """One state of a drawing: the ground of the cells that were painted; of the map's barriers, by their place among
    them, the states of doors and those taken away (`gone`); barriers drawn, and movers put there.
    """

    painted: Mapping[Cell, Terrain] = field(default_factory=dict)
    doors: Mapping[int, DoorState] = field(default_factory=dict)
    gone: frozenset[int] = frozenset()
    drawn: tuple[Barrier, ...] = ()
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

    def _met(self, cell: Cell) -> Terrain:
        """The ground as this step met it: a stroke that comes by twice paints once."""
        return (self._before or self.work).painted.get(cell) or self.beneath(cell)

    @property
    def battlemap(self) -> Battlemap:
        """The map as it is now."""
        changed = self.work.doors or self.work.gone or self.work.drawn
        return self.original.with_(
            zones=(*self.original.zones, *self._zones()),
            barriers=tuple(self.barriers().values()) if changed else self.original.barriers,
            movers=(*self.original.movers, *self.work.movers),
        )

    def barriers(self) -> dict[int, Barrier]:
        """The barriers as they are now: by their place in the original, those drawn from -1 downwards."""
        work = self.work
        kept = {
            n: replace(barrier, state=work.doors[n]) if n in work.doors else barrier
            for n, barrier in enumerate(self.original.barriers)
            if n not in work.gone
        }
        return kept | {-1 - n: barrier for n, barrier in enumerate(work.drawn)}

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
        return self._set({cell: brush.on(self._met(cell)) for cell in cells})

    def erase(self, cells: Iterable[Cell], brush: Brush) -> bool:
        """Take a brush's facts away from cells of the map; True if that changes anything."""
        return self._set({cell: brush.off(self._met(cell), self.beneath(cell)) for cell in cells})

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

    def toggle(self, key: int) -> bool:
        """Open a door that is shut, shut one that is open; by its key in `barriers`."""
        barrier = self.barriers()[key]
        if barrier.kind is not Kind.DOOR:
            return False
        state = DoorState.CLOSED if barrier.state is DoorState.OPEN else DoorState.OPEN
        if key < 0:
            drawn = list(self.work.drawn)
            drawn[-1 - key] = replace(barrier, state=state)
            return self._to(replace(self.work, drawn=tuple(drawn)))
        doors = {**self.work.doors, key: state}
        if state is self.original.barriers[key].state:
            del doors[key]
        return self._to(replace(self.work, doors=doors))

    def wall(self, line: Line, kind: Kind, level: int) -> bool:
        """Draw a barrier of a kind on a line, in the place of another kind; a door gets a name to be set by."""
        there = {n: one for n, one in self.barriers().items() if one.level == level and same_line(one.line, line)}
        if any(one.kind is kind for one in there.values()):
            return False
        for n in sorted(there):
            # from the last one drawn on, so that the keys before it hold
            self.unwall(n)
        taken = {one.id for one in self.barriers().values()}
        name = next(f"door {n}" for n in range(1, len(taken) + 2) if f"door {n}" not in taken)
        barrier = Barrier(line, kind, id=name if kind is Kind.DOOR else "", level=level)
        return self._to(replace(self.work, drawn=(*self.work.drawn, barrier)))

    def unwall(self, key: int) -> bool:
        """Take a barrier away, by its key in `barriers`."""
        if key >= 0:
            doors = {n: state for n, state in self.work.doors.items() if n != key}
            return self._to(replace(self.work, gone=self.work.gone | {key}, doors=doors))
        drawn = tuple(one for n, one in enumerate(self.work.drawn) if n != -1 - key)
        return self._to(replace(self.work, drawn=drawn))

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
