"""What has been worked out about a map is kept with it, and shared by all maps that differ in nothing it is made of.

A store belongs to the parts of a map that make its ground: levels, palette, grid, barriers, links, zones.  Movers come
and go without touching it.  It is bounded: what was not asked for longest goes first.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from operator import is_
from threading import Lock
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

if TYPE_CHECKING:
    from tactical.world.battlemap import Battlemap
    from tactical.world.mover import Mover

T = TypeVar("T")

MOST_BYTES = 96 << 20
"""How much a store may hold in all."""
MOST_THINGS = 4096


class Store:
    """Values by key, for the map that `parts` describe.  A key names all that its value was made of besides those.

    Several threads may ask at once: then a value may be worked out twice, and one of the two is kept.
    """

    __slots__ = ("_held", "_lock", "_weight", "parts")

    def __init__(self, parts: tuple[object, ...]) -> None:
        self.parts = parts
        self._held: OrderedDict[Hashable, tuple[Any, int]] = OrderedDict()
        self._lock, self._weight = Lock(), 0

    def fits(self, parts: tuple[object, ...]) -> bool:
        """Whether what is kept here holds for a map of these parts: the very same ones."""
        return all(mine is other or _same_things(mine, other) for mine, other in zip(self.parts, parts, strict=True))

    def get(self, key: Hashable) -> Any:
        """What is kept under a key, or None."""
        with self._lock:
            found = self._held.get(key)
            if found is None:
                return None
            self._held.move_to_end(key)
            return found[0]

    def put(self, key: Hashable, value: T, weight: int = 1000) -> T:
        """Keep a value of about so many bytes, and give it back.  One too large for the store is not kept."""
        if weight > MOST_BYTES:
            return value
        with self._lock:
            before = self._held.pop(key, None)
            self._held[key] = value, weight
            self._weight += weight - (0 if before is None else before[1])
            while self._weight > MOST_BYTES or len(self._held) > MOST_THINGS:
                self._weight -= self._held.popitem(last=False)[1][1]
        return value

    def kept(self, key: Hashable, make: Callable[[], T], weight: int = 1000) -> T:
        """What is kept under a key; made and kept where it is not there."""
        found: T | None = self.get(key)
        return self.put(key, make(), weight) if found is None else found

    def __len__(self) -> int:
        return len(self._held)

    def __reduce__(self) -> tuple[type[Store], tuple[tuple[object, ...]]]:
        # none of it is worth a pickle
        return Store, (self.parts,)


class Company:
    """The movers of a map as a whole, so that one question need not look at each: `standing` are those with a place.

    `hiding` says whether any of them hides; of the rest nothing but the place and size is looked at.
    """

    __slots__ = ("_at", "_places", "hiding", "standing")

    def __init__(self, battlemap: Battlemap) -> None:
        self.standing = tuple(mover for mover in battlemap.movers if mover.at is not None)
        self.hiding = any(mover.hidden for mover in battlemap.movers)
        self._at = {mover.id: n for n, mover in enumerate(self.standing)}
        store = battlemap.grid.store
        placed = [(mover.at, mover.size) for mover in self.standing if mover.at is not None]
        rows = [(*store(cell.col, cell.row), size) for cell, size in placed]
        self._places = np.array(rows, dtype=np.int64).reshape(-1, 3).T

    def beside(self, mover_id: str) -> tuple[Mover, ...]:
        """Those who stand anywhere, but for one."""
        place = self._at.get(mover_id)
        if place is None:
            return self.standing
        if len(self._at) < len(self.standing):
            return tuple(mover for mover in self.standing if mover.id != mover_id)
        return self.standing[:place] + self.standing[place + 1 :]

    def near(self, levels: tuple[int, ...], box: tuple[int, int, int, int], margin: int) -> list[Mover]:
        """Those whose bodies may touch a box of storage coordinates (i, j, width, height), grown by a margin."""
        i, j, far = self._places
        far = far + margin
        left, top, width, height = box
        here = (i >= left - far) & (i < left + width + far) & (j >= top - far) & (j < top + height + far)
        # whoever asks looks at the few that are left once more
        return [one for n in here.nonzero()[0].tolist() if (one := self.standing[n]).at.level in levels]  # type: ignore[union-attr]


def _same_things(mine: object, other: object) -> bool:
    if not isinstance(mine, tuple) or not isinstance(other, tuple):
        return type(mine) is type(other) and not isinstance(mine, tuple) and mine == other
    return len(mine) == len(other) and all(map(is_, mine, other))
