"""What was done to a map in the edit mode: each state of it is a value, so that undoing is going back to one.

Knows no pygame and no files.  The map that was opened is never changed: what is painted lies over it as zones.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from tactical.units import Cell
from tactical.values import Same
from tactical.viewer.editing.brushes import Brush
from tactical.viewer.editing.sides import Line, barrier_at
from tactical.world.battlemap import Battlemap, Link, Zone
from tactical.world.edges.barriers import Barrier, DoorState, Kind
from tactical.world.edges.segments import same_line
from tactical.world.grids import Point
from tactical.world.mover import Mover
from tactical.world.terrain import FACTS, Terrain

MOST_STEPS, LEAST_STEPS = 1000, 20
"""Steps that can be taken back: so many, and so many even where each is large."""
MOST_PAINTED = 400_000
"""Painted cells that the steps hold together, beyond which the oldest go."""


@dataclass(frozen=True, slots=True)
class Work:
    """One state of a drawing: the ground of the cells that were painted, and what stands on the map."""

    painted: Mapping[Cell, Terrain] = field(default_factory=dict)
    barriers: tuple[Barrier, ...] = ()
    links: tuple[Link, ...] = ()
    movers: tuple[Mover, ...] = ()


class Drawing:
    """A map that is being painted on.  `original` is the map as it was; everything between `begin` and `end` is one
    step for `undo`.
    """

    def __init__(self, original: Battlemap) -> None:
        self.original = original
        self.work = self.saved = Work({}, original.barriers, original.links, original.movers)
        self._before: Work | None = None
        self._done: list[Work] = []
        self._undone: list[Work] = []
        self._kinds: dict[Terrain, Terrain] = {}
        self._beneath: dict[Cell, Terrain] = {}
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
        if cell not in self._laid:
            return ground
        if cell not in self._beneath:
            for facts in self._laid[cell]:
                ground = ground.under(facts)
            self._beneath[cell] = self._kinds.setdefault(ground, ground)
        return self._beneath[cell]

    def ground(self, cell: Cell) -> Terrain:
        """The ground as it is now."""
        return self.work.painted.get(cell) or self.beneath(cell)

    def _met(self, cell: Cell) -> Terrain:
        """The ground as this step met it: a stroke that comes by twice paints once."""
        return (self._before or self.work).painted.get(cell) or self.beneath(cell)

    @property
    def battlemap(self) -> Battlemap:
        """The map as it is now."""
        work = self.work
        return self.original.with_(
            zones=(*self.original.zones, *self._zones()),
            barriers=work.barriers,
            links=work.links,
            movers=work.movers,
        )

    def near(self, point: Point, level: int, *kinds: Kind) -> int | None:
        """The place of the barrier nearest to a point, of some kinds or any; None where none is near."""
        found = {n: one for n, one in enumerate(self.work.barriers) if not kinds or one.kind in kinds}
        return barrier_at(found, point, level)

    def _zones(self) -> list[Zone]:
        """What was painted: a zone for all cells over which the same facts are laid."""
        changes: dict[tuple[Same, Same], tuple[Terrain, Terrain, list[Cell]]] = {}
        for cell, wanted in self.work.painted.items():
            beneath = self.beneath(cell)
            # one thing for each kind of ground: hundreds of cells are told apart without a look at all its facts
            changes.setdefault((Same(beneath), Same(wanted)), (beneath, wanted, []))[2].append(cell)
        zones: dict[str, tuple[dict[str, object], list[Cell]]] = {}
        for beneath, wanted, cells in changes.values():
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
            held = sum(len(work.painted) for work in self._done)
            while len(self._done) > MOST_STEPS or (held > MOST_PAINTED and len(self._done) > LEAST_STEPS):
                held -= len(self._done.pop(0).painted)

    def afresh(self) -> None:
        """Back to where the step began, which goes on."""
        if self._before is not None:
            self.work = self._before

    def paint(self, cells: Iterable[Cell], brush: Brush) -> bool:
        """Paint cells of the map; True if that changes anything."""
        return self._set({cell: brush.on(self._met(cell)) for cell in cells})

    def erase(self, cells: Iterable[Cell], brush: Brush) -> bool:
        """Take a brush's facts away from cells of the map; True if that changes anything."""
        return self._set({cell: brush.off(self._met(cell), self.beneath(cell)) for cell in cells})

    def _set(self, ground: Mapping[Cell, Terrain]) -> bool:
        painted = dict(self.work.painted)
        for cell, wanted in ground.items():
            painted[cell] = self._kinds.setdefault(wanted, wanted)
            if wanted == self.beneath(cell):
                del painted[cell]
        return self._to(replace(self.work, painted=painted))

    def place(self, mover: Mover) -> bool:
        """Put a mover on the map.  Raises `ValueError` where the map has one of that id."""
        if any(one.id == mover.id for one in self.work.movers):
            raise ValueError(f"there is a mover {mover.id!r} already")
        return self._to(replace(self.work, movers=(*self.work.movers, mover)))

    def change(self, name: str, mover: Mover) -> bool:
        """Have another mover in the place of one.  Raises `ValueError` where the map has a second of that id."""
        if name != mover.id and any(one.id == mover.id for one in self.work.movers):
            raise ValueError(f"there is a mover {mover.id!r} already")
        movers = tuple(mover if one.id == name else one for one in self.work.movers)
        return self._to(replace(self.work, movers=movers))

    def remove(self, mover: str) -> bool:
        """Take a mover away."""
        return self._to(replace(self.work, movers=tuple(one for one in self.work.movers if one.id != mover)))

    def toggle(self, n: int) -> bool:
        """Open a door that is shut, shut one that is open; by its place among the barriers."""
        barrier = self.work.barriers[n]
        if barrier.kind is not Kind.DOOR:
            return False
        state = DoorState.CLOSED if barrier.state is DoorState.OPEN else DoorState.OPEN
        return self._barrier(n, replace(barrier, state=state))

    def bolt(self, n: int) -> bool:
        """Lock a door, make a locked one secret, and a secret one shut only."""
        barrier = self.work.barriers[n]
        if barrier.kind is not Kind.DOOR:
            return False
        later = {DoorState.LOCKED: DoorState.SECRET, DoorState.SECRET: DoorState.CLOSED}
        return self._barrier(n, replace(barrier, state=later.get(barrier.state or DoorState.OPEN, DoorState.LOCKED)))

    def _barrier(self, n: int, barrier: Barrier) -> bool:
        there = self.work.barriers
        return self._to(replace(self.work, barriers=(*there[:n], barrier, *there[n + 1 :])))

    def wall(self, line: Line, kind: Kind, level: int) -> bool:
        """Draw a barrier of a kind on a line, in the place of another kind; a door gets a name to be set by."""
        there = [one for one in self.work.barriers if one.level == level and same_line(one.line, line)]
        if any(one.kind is kind for one in there):
            return False
        others = tuple(one for one in self.work.barriers if one not in there)
        taken = {one.id for one in others}
        name = next(f"door {n}" for n in range(1, len(taken) + 2) if f"door {n}" not in taken)
        barrier = Barrier(line, kind, id=name if kind is Kind.DOOR else "", level=level)
        return self._to(replace(self.work, barriers=(*others, barrier)))

    def move(self, n: int, line: Line) -> bool:
        """Have a barrier on another line."""
        barrier = self.work.barriers[n]
        return not same_line(barrier.line, line) and self._barrier(n, replace(barrier, line=line))

    def unwall(self, n: int) -> bool:
        """Take a barrier away, by its place among the barriers."""
        there = self.work.barriers
        return self._to(replace(self.work, barriers=(*there[:n], *there[n + 1 :])))

    def link(self, start: Cell, end: Cell, kind: str) -> bool:
        """Lay a link between two cells, in the place of one that leads there already."""
        others = tuple(one for one in self.work.links if {one.start, one.end} != {start, end})
        return start != end and self._to(replace(self.work, links=(*others, Link(start, end, kind=kind))))

    def unlink(self, cell: Cell) -> bool:
        """Take the last link that begins or ends at a cell away; False where there is none."""
        found = next((one for one in reversed(self.work.links) if cell in (one.start, one.end)), None)
        return self._to(replace(self.work, links=tuple(one for one in self.work.links if one is not found)))

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
