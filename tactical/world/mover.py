"""Movers: creatures and vehicles, as plain values."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tactical import values
from tactical.errors import UnknownName
from tactical.registry import RULESETS, WAYS
from tactical.units import Cell
from tactical.values import Place

CLASSES = ("tiny", "small", "medium", "large", "huge", "gargantuan")
"""Size classes, one step apart."""

_CLASS_CELLS = {"tiny": 1, "small": 1, "medium": 1, "large": 2, "huge": 3, "gargantuan": 4}
_CELLS_CLASS = {1: "medium", 2: "large", 3: "huge"}
POSTURES = ("standing", "crouched", "prone")
EVERY_POSTURE = (*POSTURES, "kneeling")
"""Those that the schema of map files tells of; rule systems and media may have more."""
LARGEST_BODY = 100
FARTHEST_REACH = 1000
"""Limits of what a mover may be, in cells: a body is laid cell by cell."""


def is_posture(word: str) -> bool:
    """Whether a mover can be in a posture of that name: a rule system's, or a medium that a way of moving brings."""
    if word in EVERY_POSTURE or any(word == medium.name for _, way in WAYS for medium in way.media):
        return True
    return any(word in ruleset.postures for _, ruleset in RULESETS)


def posture_named(posture: str, own: Collection[str]) -> None:
    """Raise `UnknownName` for a posture that nobody has; one that only other rule systems have is for them to refuse.

    `own` are the postures of the rule system that is asked.
    """
    if posture not in own and not is_posture(posture):
        raise UnknownName("posture", posture, own)


@dataclass(frozen=True, slots=True)
class Mover:
    """A creature or vehicle.  `stats` are checked by its rule system; `at` is the top-left cell of its body.

    `size` is the side of its body in cells, 1 to 100, `size_class` its class (each by default follows from the other;
    a `size` of 0 is one not said).  `side` names its party: the same name is a friend, another one an enemy, an empty
    name a bystander.  `reach` is in cells, 0 to 1000, or None: what the rules say, one cell where they say
    nothing.  `knows` holds the ids of secret doors it knows, `hidden` keeps
    it out of other sides' plans.  `at` may be given as ``(col, row)`` or by name; a name with a level (``"upper/C4"``)
    stays as it is until the mover comes to a map.  `stats` are copied.

    Raises `ValueError` or `TypeError`, naming the field, for a value out of place.
    """

    id: str
    rules: str = ""
    stats: Mapping[str, object] = field(default_factory=dict)
    at: Cell | None = None
    side: str = ""
    size: int = 0
    size_class: str = ""
    posture: str = "standing"
    reach: int | None = None
    name: str = ""
    hidden: bool = False
    knows: frozenset[str] = frozenset()

    if TYPE_CHECKING:
        # what it may be made from; the fields hold what it becomes
        def __init__(
            self,
            id: str,
            rules: str = ...,
            stats: Mapping[str, object] = ...,
            at: Place | None = ...,
            side: str = ...,
            size: int = ...,
            size_class: str = ...,
            posture: str = ...,
            reach: int | None = ...,
            name: str = ...,
            hidden: bool = ...,
            knows: Iterable[str] = ...,
        ) -> None: ...

    def __post_init__(self) -> None:
        settle = object.__setattr__
        values.word(self.id, "a mover's id", empty=False)
        for field_name in ("rules", "side", "size_class", "posture", "name"):
            values.word(getattr(self, field_name), f"{self.id}: {field_name}")
        if self.size_class and self.size_class not in CLASSES:
            raise ValueError(f"size class {self.size_class!r} is not one of {', '.join(CLASSES)}")
        size = values.whole(self.size, f"{self.id}: size", most=LARGEST_BODY) or _CLASS_CELLS.get(self.size_class, 1)
        settle(self, "size", size)
        settle(self, "size_class", self.size_class or _CELLS_CLASS.get(size, "gargantuan"))
        if not is_posture(self.posture):
            raise ValueError(f"posture {self.posture!r} is not one of {', '.join(POSTURES)}")
        if self.reach is not None:
            settle(self, "reach", values.whole(self.reach, f"{self.id}: reach", most=FARTHEST_REACH))
        if self.at is not None:
            settle(self, "at", values.cell_or_name(self.at, f"{self.id}: at"))
        settle(self, "hidden", values.flag(self.hidden, f"{self.id}: hidden"))
        settle(self, "stats", values.fixed(self.stats, f"{self.id}: stats"))
        settle(self, "knows", frozenset(values.words(self.knows, f"{self.id}: knows")))

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
