"""Brushes: what can be painted on ground.  The map's own kinds of ground come first, then single facts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction

from tactical.world.battlemap import Battlemap
from tactical.world.terrain import PLAIN, Terrain

GROUND = Terrain(name="ground")
"""What is left where a kind of ground is taken away: open, and named, since a file cannot take a name away."""

FACTS: tuple[tuple[str, Mapping[str, object]], ...] = (
    ("difficult", {"difficult": True}),
    ("shallow water", {"water": "shallow", "difficult": True}),
    ("deep water", {"water": "deep"}),
    ("climb", {"climb": True}),
    ("hazard", {"hazard": "hazard"}),
    ("gap", {"gap": True}),
    ("impassable", {"impassable": True}),
)
"""The brushes that lay one fact over whatever is there."""


@dataclass(frozen=True, slots=True)
class Brush:
    """What is painted: a kind of ground (`kind`), or `facts` laid over what is there or how much higher it gets."""

    name: str
    facts: Mapping[str, object] = field(default_factory=dict)
    kind: Terrain | None = None
    rise: Fraction = Fraction(0)

    def on(self, ground: Terrain) -> Terrain:
        """The ground once it is painted; it stays as high as it was unless the kind says how high it is."""
        if self.kind is None:
            return ground.with_facts({**self.facts, "elevation": ground.elevation + self.rise})
        if self.kind == GROUND and not ground.name and not ground.facts():
            # it is open already: a name alone is nothing to paint
            return ground
        return self.kind if self.kind.elevation else replace(self.kind, elevation=ground.elevation)

    def off(self, ground: Terrain, beneath: Terrain) -> Terrain:
        """The ground with this taken away; `beneath` is what the map had there before anything was painted."""
        if self.kind is None:
            away = {name: getattr(PLAIN, name) for name in self.facts}
            return ground.with_facts({**away, "elevation": ground.elevation - self.rise})
        if ground.name != self.kind.name:
            return ground
        return beneath if beneath.name != self.kind.name else replace(GROUND, elevation=ground.elevation)


def brushes_of(battlemap: Battlemap) -> tuple[Brush, ...]:
    """The brushes for a map: the kinds of ground it has names for, open ground, the facts, and height."""
    kinds: dict[str, Terrain] = {}
    for index in (*battlemap.glyphs.values(), *range(len(battlemap.palette))):
        terrain = battlemap.palette[index]
        if terrain.name:
            kinds.setdefault(terrain.name, terrain)
    kinds.setdefault(GROUND.name, GROUND)
    own = [Brush(name, kind=terrain) for name, terrain in kinds.items()]
    facts = (Brush(name, facts) for name, facts in FACTS if name not in kinds)
    return (*own, *facts, Brush("higher", rise=battlemap.cell))


def first(brushes: Sequence[Brush]) -> int:
    """The place of the brush to begin with: the first that makes ground difficult, as most of what is painted is."""
    hard = (brush.kind.difficult if brush.kind is not None else "difficult" in brush.facts for brush in brushes)
    return next((n for n, is_hard in enumerate(hard) if is_hard), 0)
