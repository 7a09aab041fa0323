"""What has been worked out about a map is kept with it, and shared by all maps that differ in nothing it is made of.

A store belongs to the parts of a map that make its ground: levels, palette, grid, barriers, links, zones.  Movers come
and go without touching it.  It is bounded: what was not asked for longest goes first, of the heavy things (graphs, land
as somebody knows it) as of the light ones (names, numbers, prices).  All stores together are bounded too: a map that
nothing was worked out about for longest loses its heavy things, for a game that is taken back, and a map that is drawn
on, hold many maps that hardly anybody asks again.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Collection, Hashable
from itertools import count
from operator import is_
from threading import Lock
from typing import TYPE_CHECKING, Any, TypeVar
from weakref import WeakSet

import numpy as np

if TYPE_CHECKING:
    from tactical.world.grids import Grid
    from tactical.world.mover import Mover

T = TypeVar("T")

MOST_BYTES = 192 << 20
"""How much the heavy things of a store, and of all together, may come to, for the graphs of huge maps."""
MOST_HEAVY = 64
"""How many heavy things a store holds; it is this that bounds a game on an ordinary map."""
MOST_THINGS = 2048
"""How many light things it holds."""
MOST_STORES = 16
"""How many stores hold heavy things."""

_CLOCK = count(1)


class Store:
    """Values by key, for the map that `parts` describe.  A key names all that its value was made of besides those.

    Several threads may ask at once: then a value may be worked out twice, and one of the two is kept.
    """

    __slots__ = ("__weakref__", "_heavy", "_light", "_lock", "_used", "_weight", "parts")

    def __init__(self, parts: tuple[object, ...]) -> None:
        self.parts = parts
        self._light: OrderedDict[Hashable, Any] = OrderedDict()
        self._heavy: OrderedDict[Hashable, tuple[Any, int]] = OrderedDict()
        self._lock, self._weight, self._used = Lock(), 0, 0

    def fits(self, parts: tuple[object, ...]) -> bool:
        """Whether what is kept here holds for a map of these parts: the very same ones."""
        return all(mine is other or _same_things(mine, other) for mine, other in zip(self.parts, parts, strict=True))

    def get(self, key: Hashable) -> Any:
        """What is kept under a key, or None."""
        found = self._light.get(key)
        if found is not None:
            # while there is room for as many again nobody need know who was asked for last
            if len(self._light) > MOST_THINGS // 2:
                with self._lock:
                    if key in self._light:
                        self._light.move_to_end(key)
            return found
        with self._lock:
            held = self._heavy.get(key)
            if held is None:
                return None
            self._heavy.move_to_end(key)
            self._used = next(_CLOCK)
            return held[0]

    def put(self, key: Hashable, value: T, weight: int = 0) -> T:
        """Keep a value, a heavy one of about so many bytes, and give it back.  One too large is not kept."""
        if weight > MOST_BYTES:
            return value
        with self._lock:
            if not weight:
                self._light[key] = value
                self._light.move_to_end(key)
                if len(self._light) > MOST_THINGS:
                    self._light.popitem(last=False)
                return value
            before = self._heavy.pop(key, None)
            self._heavy[key] = value, weight
            self._weight += weight - (0 if before is None else before[1])
            while self._weight > MOST_BYTES or len(self._heavy) > MOST_HEAVY:
                self._weight -= self._heavy.popitem(last=False)[1][1]
            self._used = next(_CLOCK)
        _make_room(self)
        return value

    def _forget(self) -> None:
        """Let go of the heavy things."""
        with self._lock:
            self._heavy.clear()
            self._weight = 0

    def kept(self, key: Hashable, make: Callable[[], T]) -> T:
        """What is kept under a key; made and kept where it is not there."""
        found: T | None = self.get(key)
        return self.put(key, make()) if found is None else found

    def __len__(self) -> int:
        return len(self._light) + len(self._heavy)

    def __reduce__(self) -> tuple[type[Store], tuple[tuple[object, ...]]]:
        # none of it is worth a pickle
        return Store, (self.parts,)


_HEAVY: WeakSet[Store] = WeakSet()
"""The stores that hold heavy things."""
_ROOM = Lock()


def _make_room(wanted: Store) -> None:
    """Bound what all stores hold together; the one that holds something new is the last to give it up."""
    with _ROOM:
        _HEAVY.add(wanted)
        weight = sum(store._weight for store in _HEAVY)
        if weight <= MOST_BYTES and len(_HEAVY) <= MOST_STORES:
            return
        for store in sorted(_HEAVY, key=lambda store: store._used):
            if store is wanted or (weight <= MOST_BYTES and len(_HEAVY) <= MOST_STORES):
                return
            weight -= store._weight
            store._forget()
            _HEAVY.discard(store)


class Company:
    """The movers of a map as a whole, so that one question need not look at each: `standing` are those with a place.

    `hiding` says whether any of them hides; of the rest nothing but the place and size is looked at.
    """

    __slots__ = ("_at", "_places", "hiding", "standing")

    def __init__(self, movers: Collection[Mover], grid: Grid) -> None:
        self.standing = tuple(mover for mover in movers if mover.at is not None)
        self.hiding = any(mover.hidden for mover in movers)
        self._at = {mover.id: n for n, mover in enumerate(self.standing)}
        store = grid.store
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
