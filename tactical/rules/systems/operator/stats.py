"""What an Operator is like: base speed, traits and gear, conditions, Strength, and what is mounted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from tactical.rules.systems.operator.acts import ability_modifier

BASE = 30  # OPR-03


@dataclass(frozen=True, slots=True)
class Stats:
    """An Operator: base `speed`, traits and gear, conditions, Strength for jumps, and what is mounted.

    `strength` may be written ``str``; ``vehicle: {multiple: 4, kind: ground}`` fills the last two.
    """

    ALIASES: ClassVar[Mapping[str, str]] = {"str": "strength"}

    speed: Fraction = Fraction(BASE)
    agile: bool = False
    mobility: bool = False
    bomb_suit: bool = False
    shield: bool = False
    slowed: bool = False
    overloaded: bool = False
    strength: int | None = None
    athletics: int | None = None
    height: Fraction | None = None
    bonus_dash: bool = False
    action_surge: bool = False
    vehicle_multiple: Fraction | None = None
    vehicle_kind: str = ""

    def __post_init__(self) -> None:
        for name in ("speed", "height", "vehicle_multiple"):
            if (getattr(self, name) or 0) < 0:
                raise ValueError(f"{name} {getattr(self, name)} is below 0")

    @property
    def holding(self) -> int:
        """What Strength (Athletics) adds to its d20: as stated, else the modifier of Strength (OPR-34, OPR-A12)."""
        if self.athletics is not None:
            return self.athletics
        return 0 if self.strength is None else ability_modifier(self.strength)

    @property
    def mounted(self) -> bool:
        """True in a vehicle, whose speed replaces one's own (OPR-46)."""
        return self.vehicle_multiple is not None or bool(self.vehicle_kind)
