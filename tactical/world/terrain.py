"""Terrain: a named kind of ground, a bundle of facts and never a price.  Prices come from the rules.

The facts are the one vocabulary of map files, scenarios and code; an absent fact is false, none or 0.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from fractions import Fraction
from typing import Any

from tactical import values
from tactical.errors import meant
from tactical.units import wire

LEVELS = ("VE", "E", "M", "D", "VD", "H")
"""Difficulty levels of the D6 systems, easiest first (REUP-08)."""

LEVEL_BANDS = {"VE": (1, 5), "E": (6, 10), "M": (11, 15), "D": (16, 20), "VD": (21, 30), "H": (31, None)}
"""The numbers of each level, both ends inclusive; Heroic is open (REUP-08, REUP-A03)."""

LEVEL_GUIDE: dict[str, tuple[str, ...]] = {
    "VE": ("flat_clear_ground", "clear_walkway", "calm_water"),
    "E": ("uneven_minor_obstacles", "moderate_currents", "occasional_obstacles_in_water"),
    "M": ("rough_many_obstacles", "confined_swim_space"),
    "D": (
        "dense_crowd",
        "thick_forest",
        "very_rough_ground",
        "dark_tunnel",
        "falling_boulders",
        "rough_storm_or_predators",
    ),
    "VD": (
        "minefield",
        "hazardous_crawl_way",
        "starship_breaking_apart",
        "clinging_to_vehicle",
        "dangerous_storm_large_waves",
    ),
    "H": ("avalanche", "collapsing_corridor", "tidal_wave", "hurricane"),
}
"""Names of ground that say their level (REUP-46)."""

_GUIDED = {name: level for level, names in LEVEL_GUIDE.items() for name in names}

WATER = ("shallow", "wading", "deep")
"""Depth classes: below the waist, waist to neck, over the neck (TWS-11, TWS-12)."""

CURRENTS = ("calm", "choppy", "strong")
HEADROOM = ("crouched", "prone")

WORDS: dict[str, tuple[str, ...]] = {"water": WATER, "current": CURRENTS, "headroom": HEADROOM, "level": LEVELS}


@dataclass(frozen=True, slots=True)
class Terrain:
    """One kind of ground.  Elevation is in the map's unit; `level` and `number` are the D6 systems' difficulty.

    `depth` is that of water in metres, whatever the map's unit; a stated `water` class wins over it (TWS-A06).
    `factor`, 0 or more, is a referee's own price of this ground.  Raises `ValueError` or `TypeError`, naming the fact,
    for a value out of place.
    """

    name: str = ""
    impassable: bool = False
    difficult: bool = False
    rough: bool = False
    climb: bool = False
    swim: bool = False
    water: str = ""
    depth: Fraction | None = None
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

    def __post_init__(self) -> None:
        values.word(self.name, "a terrain's name")
        for name in FACTS:
            value = getattr(self, name)
            # most facts are not stated, and kinds of ground are made by the thousand
            if value is not _DEFAULTS[name]:
                settled = _value(name, value)
                if settled is not value:
                    object.__setattr__(self, name, settled)

    @property
    def swum(self) -> bool:
        """True where the cell is crossed by swimming: marked `swim`, or deep water."""
        return self.swim or self.water == "deep"

    @property
    def swum_by_some(self) -> bool:
        """True where it is `swum`, or may be: by those to whom its `depth` is over the head."""
        return self.swum or (self.depth is not None and not self.water)

    def deep(self, neck: Fraction | None) -> bool:
        """Whether this is deep water to who wades up to `neck` metres (None: a stated `depth` says nothing)."""
        return self.swum or (neck is not None and self.depth is not None and not self.water and self.depth > neck)

    @property
    def difficulty(self) -> str:
        """The level, stated or by a name of the level guide (REUP-46); empty where neither says it."""
        return self.level or _GUIDED.get(self.name, "")

    def with_facts(self, facts: Mapping[str, object]) -> Terrain:
        """This terrain with some facts changed.  Raises `ValueError` for an unknown fact or a value out of place."""
        for name in facts:
            if name not in _DEFAULTS:
                raise ValueError(f"unknown fact {name!r}{meant(name, FACTS)}")
        return replace(self, **facts)  # type: ignore[arg-type]

    def under(self, facts: Mapping[str, object]) -> Terrain:
        """This terrain with facts laid over it, which may name it anew (``terrain``).  Raises as `with_facts`.

        A name of the level guide says the level of what is laid over, unless that states its own.
        """
        stated = {name: value for name, value in facts.items() if name != "terrain"}
        if "terrain" not in facts:
            return self.with_facts(stated)
        if str(facts["terrain"]) in _GUIDED and "level" not in stated:
            stated = {"level": "", "number": None, "level_numbers": (), **stated}
        return replace(self.with_facts(stated), name=str(facts["terrain"]))

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


_DEFAULTS: dict[str, object] = {field.name: field.default for field in fields(Terrain) if field.name != "name"}
FACTS: tuple[str, ...] = tuple(_DEFAULTS)
EVERYWHERE: Mapping[str, str] = {
    "impassable": "nobody enters it",
    "elevation": "how high it lies; up to a step is a slope, more a ledge",
    "gap": "nothing to stand on: jumped over, where the rules have jumps",
    "headroom": "who passes must be crouched or prone",
    "no_stop": "passed, but no turn ends there",
    "hazard": "named, and avoided by plans",
    "unknown": "not explored yet",
}
"""Facts that count under every rule system, and what they do; the others count where a system reads them."""
PLAIN = Terrain()


def _value(name: str, value: object) -> object:
    """A fact as a terrain holds it."""
    default = _DEFAULTS[name]
    if name in WORDS:
        return _of_words(name, value)
    if name == "level_numbers":
        return _by_level(value)
    if name in _MAYBE:
        return None if value is None else _MAYBE[name](value)
    if name == "hazard" and isinstance(value, bool):
        raise ValueError(f"hazard: expected a word such as 'fire', found {value!r}")
    if isinstance(default, bool):
        if not isinstance(value, bool):
            raise ValueError(f"{name}: expected true or false, found {value!r}")
        return value
    if isinstance(default, Fraction):
        return values.measure(value, name, least=0 if name == "factor" else None)
    return "" if value is None else values.word(str(value), name)


def _by_level(value: object) -> tuple[tuple[str, int], ...]:
    pairs = value.items() if isinstance(value, Mapping) else value
    try:
        numbers = [(level, number) for level, number in pairs or ()]  # type: ignore[attr-defined]
    except (TypeError, ValueError):
        raise ValueError(f"level_numbers: expected a number for each level, found {value!r}") from None
    return tuple((str(level), _whole(number, "level_numbers")) for level, number in numbers)


def _uphill(value: object) -> bool:
    if not isinstance(value, bool):
        raise ValueError(f"uphill: expected true, false or nothing, found {value!r}")
    return value


def _of_words(name: str, value: object) -> str:
    text = "" if value is None or value is False else str(value)
    if text not in ("", "none", *WORDS[name]):
        raise ValueError(f"{name}: {text!r} is not one of {', '.join(WORDS[name])}{meant(text, WORDS[name])}")
    return "" if text == "none" else text


def _dice(value: Any) -> tuple[int, int]:
    try:
        dice, target = value
    except (TypeError, ValueError):
        raise ValueError(f"check: expected (dice, number to meet), found {value!r}") from None
    return _whole(dice, "check"), _whole(target, "check")


def _whole(value: object, name: str) -> int:
    found = values.measure(value, name)
    if found.denominator != 1:
        raise ValueError(f"{name}: expected a whole number, found {value!r}")
    return int(found)


_MAYBE: Mapping[str, Callable[[Any], object]] = {
    "uphill": _uphill,
    "depth": lambda value: values.measure(value, "depth", least=0),
    "number": lambda value: _whole(value, "number"),
    "check": _dice,
}
"""Facts that may be None, and what else they may be."""
