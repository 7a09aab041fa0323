"""What has been worked out about a map is kept with it, and shared by all maps that differ in nothing it is made of.

A store belongs to the parts of a map that make its ground: levels, palette, grid, barriers, links, zones.  Movers come
and go without touching it.  It is bounded: what was not asked for longest goes first.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from operator import is_
from threading import Lock
from typing import Any, TypeVar

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


def _same_things(mine: object, other: object) -> bool:
    if not isinstance(mine, tuple) or not isinstance(other, tuple):
        return type(mine) is type(other) and not isinstance(mine, tuple) and mine == other
    return len(mine) == len(other) and all(map(is_, mine, other))
