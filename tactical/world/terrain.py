"""Terrain: a named kind of ground, a bundle of facts and never a price.  Prices come from the rules.

The facts are the one vocabulary of map files, scenarios and code; an absent fact is false, none or 0.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from fractions import Fraction

from tactical.errors import nearest
from tactical.units import exact, wire

LEVELS = ("VE", "E", "M", "D", "VD", "H")
"""Difficulty levels of the D6 systems, easiest first (REUP-08)."""

LEVEL_BANDS = {"VE": (1, 5), "E": (6, 10), "M": (11, 15), "D": (16, 20), "VD": (21, 30), "H": (31, None)}
"""The numbers of each level, both ends inclusive; Heroic is open (REUP-08, REUP-A03)."""

WATER = ("shallow", "wading", "deep")
"""Depth classes: below the waist, waist to neck, over the neck (TWS-11, TWS-12)."""

CURRENTS = ("calm", "choppy", "strong")
HEADROOM = ("crouched", "prone")

WORDS: dict[str, tuple[str, ...]] = {"water": WATER, "current": CURRENTS, "headroom": HEADROOM, "level": LEVELS}


@dataclass(frozen=True, slots=True)
class Terrain:
    """One kind of ground.  Elevation is in the map's unit; `level` and `number` are the D6 systems' difficulty."""

    name: str = ""
    impassable: bool = False
    difficult: bool = False
    rough: bool = False
    climb: bool = False
    swim: bool = False
    water: str = ""
    current: str = ""
    slick: bool = False
    uneven: bool = False
    unstable: bool = False
    level: str = ""
    number: int | None = None
    level_numbers: tuple[tuple[str, int], ...] = ()
    elevation: Fraction = Fraction(0)
    uphill: bool | None = None
    gap: bool = False
    headroom: str = ""
    no_stop: bool = False
    hazard: str = ""
    unknown: bool = False
    arduous: bool = False
    factor: Fraction = Fraction(1)
    check: tuple[int, int] | None = None

    @property
    def swum(self) -> bool:
        """True where the cell is crossed by swimming: marked `swim`, or deep water."""
        return self.swim or self.water == "deep"

    def with_facts(self, facts: Mapping[str, object]) -> Terrain:
        """This terrain with some facts changed.  Raises `ValueError` for an unknown fact or a value out of place."""
        return replace(self, **{name: _value(name, value) for name, value in facts.items()})  # type: ignore[arg-type]

    def facts(self) -> dict[str, object]:
        """The facts that are not at their default, as files carry them."""
        out: dict[str, object] = {}
        for name in FACTS:
            value = getattr(self, name)
            if value == _DEFAULTS[name]:
                continue
            if isinstance(value, Fraction):
                value = wire(value)
            elif name == "level_numbers":
                value = dict(value)
            elif name == "check":
                value = list(value)
            out[name] = value
        return out

    @classmethod
    def of(cls, facts: Mapping[str, object], name: str = "") -> Terrain:
        """A terrain from a mapping of facts (key ``terrain`` is the name)."""
        rest = {key: value for key, value in facts.items() if key != "terrain"}
        return cls(name=str(facts.get("terrain", name))).with_facts(rest)


FACTS: tuple[str, ...] = tuple(field.name for field in fields(Terrain) if field.name != "name")
_DEFAULTS = {name: getattr(Terrain(), name) for name in FACTS}
PLAIN = Terrain()


def _value(name: str, value: object) -> object:
    if name not in _DEFAULTS:
        near = nearest(name, FACTS)
        raise ValueError(f"unknown fact {name!r}" + (f", did you mean {near!r}?" if near else ""))
    default = _DEFAULTS[name]
    if name in WORDS:
        text = "" if value is None or value is False else str(value)
        if text not in ("", "none", *WORDS[name]):
            near = nearest(text, WORDS[name])
            raise ValueError(
                f"{name}: {text!r} is not one of {', '.join(WORDS[name])}"
                + (f", did you mean {near!r}?" if near else "")
            )
        return "" if text == "none" else text
    if name == "uphill":
        return None if value is None else bool(value)
    if name == "number":
        return None if value is None else int(exact(value))
    if name == "level_numbers":
        pairs = value.items() if isinstance(value, Mapping) else value
        return tuple((str(level), int(exact(number))) for level, number in pairs or ())  # type: ignore[attr-defined]
    if name == "check":
        if value is None:
            return None
        dice, target = (int(exact(part)) for part in value)  # type: ignore[attr-defined]
        return (dice, target)
    if isinstance(default, bool):
        if not isinstance(value, bool):
            raise ValueError(f"{name}: expected true or false, found {value!r}")
        return value
    if isinstance(default, Fraction):
        return exact(value)
    return "" if value is None else str(value)
