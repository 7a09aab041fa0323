"""Plug-ins that raise nothing and give back the right types, and yet say what cannot be."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np

from tactical.errors import Fault, MapError
from tactical.formats import Format
from tactical.movement.ways import Way
from tactical.rules.profile import Gait, Pace, PostureChange, Profile
from tactical.rules.ruleset import Ruleset

# -- rule systems -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Stats:
    """A mover with one number."""

    hops: Fraction = Fraction(30)


def system(changes: Mapping[str, Any] | None = None, **more: Any) -> Ruleset:
    """A sound rule system with something else in its profile, and in itself."""

    def profile(stats: Stats, turn: Any, options: Any, posture: str) -> Profile:
        sound = Profile("astray", "ft", (Gait("move", stats.hops),), lambda *args: Pace(), ("standing", "prone"))
        return replace(sound, **(changes or {}))

    return Ruleset("astray", "Astray", "ft", Stats, profile, **({"postures": ("standing", "prone")} | more))


def gait(action: Any) -> Ruleset:
    """A system with a dear gait."""
    return system({"gaits": (Gait("move", Fraction(30)), Gait("dash", Fraction(60), action=action))})


def change(start: str, end: str) -> Ruleset:
    """A system with a change of posture."""
    return system({"changes": (PostureChange(start, end, Fraction(0), "rise"),)})


NAMED_PRICES = "of the prices known (free, exclusive, action, bonus)"
SYSTEMS: dict[str, tuple[Ruleset, str]] = {
    "both": (gait("both"), f"gait 'dash': action is 'both', which is none {NAMED_PRICES}"),
    "part": (gait("action+bonos"), "gait 'dash': action: a part of 'action+bonos' is 'bonos', which is none of the"),
    "number": (gait(1), "gait 'dash': action is 1, not a text"),
    "stood": (
        change("prone", "stood"),
        "an end of the posture change 'prone' to 'stood' is 'stood', which is none of the profile's `postures` "
        "(standing, prone)",
    ),
    "pron": (change("pron", "standing"), "is 'pron', which is none of the profile's `postures` (standing, prone), did"),
    "kneeling": (
        system({"postures": ("standing", "kneeling")}),
        "the posture of a profile is 'kneeling', which is none of its rule system's `postures` (standing, prone)",
    ),
    "stackin": (
        system(defaults={"cost_stackin": "add"}),
        "its options or defaults: UnknownName: unknown option 'cost_stackin', did you mean 'cost_stacking'?",
    ),
    "inert": (system(inert=("cost_stackin",)), "did you mean 'cost_stacking'?"),
}

# -- ways of moving ---------------------------------------------------------------------------------------------------


def beside(*by: int) -> Callable[[Any], None]:
    """Edges from every cell to the one that lies so far beside it, asking nobody whether there is one."""

    def write(writer: Any) -> None:
        levels, height, width = writer.draft.site.shape
        for level, j, i in product(range(levels), range(height), range(width)):
            place = (level + by[0], j + by[1], i + by[2])
            writer.edge(writer.draft.node(0, (level, j, i)), writer.draft.node(0, place), 0, writer.author, 0)

    return write


def outward(writer: Any) -> None:
    """Edges along all that is said to be open."""
    draft = writer.draft
    for plane in draft.planes[0]:
        way = draft.site.directions[plane.direction]
        for level, j, i in np.argwhere(plane.open).tolist():
            onto = (level, j + way.dj, i + way.di)
            writer.edge(draft.node(0, (level, j, i)), draft.node(0, onto), 0, "outward", 0)


WEST, EAST, NORTH = (
    Way(name, 900, write=beside(*by)) for name, by in (("west", (0, 0, -1)), ("east", (0, 0, 1)), ("north", (0, -1, 0)))
)
BELOW = Way("below", 900, write=beside(-1, 0, 0))
OUTWARD = Way("outward", 900, write=outward)

# -- formats ----------------------------------------------------------------------------------------------------------


def refusing(faults: Any) -> Callable[..., Any]:
    """Refuses every file, in so many words."""

    def load(data: bytes, *, source: str, options: object) -> Any:
        raise MapError(faults)

    return load


def never(data: bytes, name: str) -> bool:
    """Knows no content; its files are known by their ending."""
    return False


WORDLESS = Format("wordless", "wordless", (".wordless",), never, refusing([]))
SILENT = Format("silent", "silent", (".silent",), never, refusing(""))
BLANKLY = Format("blankly", "blankly", (".blankly",), never, refusing([Fault(" ")]))

globals().update({name: found for name, (found, _) in SYSTEMS.items()})
