"""Movers: creatures and vehicles, as plain values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from tactical.units import Cell

CLASSES = ("tiny", "small", "medium", "large", "huge", "gargantuan")
"""Size classes, one step apart."""

_CLASS_CELLS = {"tiny": 1, "small": 1, "medium": 1, "large": 2, "huge": 3, "gargantuan": 4}
_CELLS_CLASS = {1: "medium", 2: "large", 3: "huge"}
POSTURES = ("standing", "crouched", "prone")


@dataclass(frozen=True, slots=True)
class Mover:
    """A creature or vehicle.  `stats` are checked by its rule system; `at` is the top-left cell of its body.

    `size` is the side of its body in cells, `size_class` its class (each by default follows from the other).  `side`
    names its party: the same name is a friend, another one an enemy, an empty name a bystander.  `reach` is in cells.
    `knows` holds the ids of secret doors it knows, `hidden` keeps it out of other sides' plans.
    """

    id: str
    rules: str = ""
    stats: Mapping[str, object] = field(default_factory=dict)
    at: Cell | None = None
    side: str = ""
    size: int = 0
    size_class: str = ""
    posture: str = "standing"
    reach: int = 1
    name: str = ""
    hidden: bool = False
    knows: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        if self.size_class and self.size_class not in CLASSES:
            raise ValueError(f"size class {self.size_class!r} is not one of {', '.join(CLASSES)}")
        size = self.size or _CLASS_CELLS.get(self.size_class, 1)
        object.__setattr__(self, "size", size)
        object.__setattr__(self, "size_class", self.size_class or _CELLS_CLASS.get(size, "gargantuan"))
        if self.posture not in (*POSTURES, "kneeling"):
            raise ValueError(f"posture {self.posture!r} is not one of {', '.join(POSTURES)}")
        if self.at is not None and not isinstance(self.at, Cell):
            object.__setattr__(self, "at", Cell(*self.at))

    @property
    def label(self) -> str:
        """What to call it."""
        return self.name or self.id.replace("-", " ").replace("_", " ").capitalize()

    def towards(self, other: Mover) -> str:
        """``ally``, ``enemy`` or ``neutral``."""
        if not self.side or not other.side or "neutral" in (self.side, other.side):
            return "neutral"
        return "ally" if self.side == other.side else "enemy"

    def classes_apart(self, other: Mover) -> int:
        """How many steps of the size ladder lie between the two."""
        return abs(CLASSES.index(self.size_class) - CLASSES.index(other.size_class))
