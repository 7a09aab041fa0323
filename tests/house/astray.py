"""Plug-ins that raise nothing and give back the right types, and yet say what cannot be."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np

from tactical.errors import Fault, MapError
from tactical.formats import Format, ReportLine
from tactical.movement.ways import Way
from tactical.rules.profile import Gait, Pace, PostureChange, Profile
from tactical.rules.ruleset import Ruleset
from tactical.show.panel import Section
from tactical.world.grids import Direction
from tactical.world.grids.square import Square

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

# -- grids ------------------------------------------------------------------------------------------------------------


class Astray(Square):
    """The square grid under another name; the tests put one thing wrong with it."""

    name = "astray"


def grid(**parts: Any) -> tuple[Any]:
    """The squares with something else in them."""
    return (type("Astray", (Astray,), parts)(),)


def way(name: str, di: int, dj: int) -> Direction:
    """A direction."""
    return Direction(name, di, dj)


SQUARE = Square()
GRIDS: dict[str, tuple[tuple[Any], str]] = {
    "unstoring": (grid(unstore=lambda self, i, j: (j, i)), "unstore(2, 3) is (3, 2), but store(2, 3) is (2, 3)"),
    "sheared": (
        grid(store=lambda self, col, row: (col, row + col), unstore=lambda self, i, j: (i, j - i)),
        "it is not sheared, but store(2, 2) is (2, 4)",
    ),
    "single": (grid(store=lambda self, col, row: (int(col), int(row))), "store failed: TypeError"),
    "halved": (grid(store=lambda self, col, row: (col / 1, row)), "store(2, 2) is (2.0, 2), not two whole numbers"),
    "lone": (
        grid(directions=SQUARE.directions[1:]),
        "has no opposite: none leads",
    ),
    "leaping": (grid(directions=(way("e", 2, 0), way("w", -2, 0))), "direction 'e' leads (2, 0) further, not to a"),
    "twice": (
        grid(directions=(way("e", 1, 0), way("w", -1, 0), way("e", 0, 1), way("n", 0, -1))),
        "two of its directions have the same name",
    ),
    "floats": (grid(cell_at=lambda self, x, y: (x // 1, y // 1)), "cell_at(2.5, 2.5) is (2.0, 2.0), but that is the"),
    "beside": (grid(cell_at=lambda self, x, y: (round(x + 0.6), int(y))), "but that is the centre of (2, 2)"),
    "corner": (grid(centre=lambda self, col, row: (col, row)), "centre(2, 2) is (2, 2), which does not lie inside its"),
    "flat": (grid(polygon=lambda self, col, row: (1, 2, 3)), "polygon(2, 2) or its centre is not made of points"),
    "sided": (grid(side=lambda self, col, row, name: (2.0, 2.0)), "is (2.0, 2.0), not two points"),
    "elsewhere": (
        grid(side=lambda self, col, row, name: ((0.0, 0.0), (1.0, 0.0))), "does not lie on its polygon"
    ),
    "turned": (
        grid(side=lambda self, col, row, name: SQUARE.side(col, row, {"n": "s", "s": "n"}.get(name, name))),
        "and the same side of its neighbour",
    ),
    "narrow": (grid(size=lambda self, cols, rows: (cols - 1.0, rows)), "size(1, 1) is (0.0, 1), and some of the cells"),
    "bodied": (grid(body=lambda self, size: ((1, 1), (0, 0))), "body(1) is ((1, 1), (0, 0)), not pairs of"),
}  # fmt: skip
BARE = (type("Tile", (), {"name": "tile", "sheared": False, "store": None, "unstore": None, "centre": None})(),)
MIXED = (Square(), "square")

# -- panel sections ---------------------------------------------------------------------------------------------------


def section(lay_out: Callable[[Any, Any, float], float]) -> Section:
    """A section that always has something to say."""
    return Section("astray", 75, lambda moment: "astray", lay_out)


def inked(**look: str) -> Section:
    """A section in these colours."""

    def lay_out(sheet: Any, data: str, y: float) -> float:
        sheet.plate((16, y, 100, 20), look.get("fill", "card"), look.get("edge", "line"))
        sheet.words(data, (16, y), ink=look.get("ink", "text"))
        sheet.sign("cross", (16, y), 5, look.get("sign", "rim:band:0"))
        return y + 20

    return section(lay_out)


SECTIONS = {
    "ink": (inked(ink="dimm"), "lay_out: there is no colour 'dimm', did you mean 'dim'?"),
    "fill": (inked(fill="cart"), "lay_out: there is no colour 'cart', did you mean 'card'?"),
    "edge": (inked(edge="lime"), "lay_out: there is no colour 'lime', did you mean 'line'?"),
    "sign": (inked(sign="rim:bend"), "lay_out: there is no colour 'rim:bend'"),
    "up": (section(lambda sheet, data, y: y - 1), "lay_out: the next section cannot begin at "),
}
SOUND = inked(ink="dark", fill="fill:passing", edge="accent_line")

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
STRANGELY = Format("strangely", "strangely", (".strangely",), never, lambda *given, **more: ReportLine("reed", "it"))
BLANKLY = Format("blankly", "blankly", (".blankly",), never, refusing([Fault(" ")]))

globals().update({f"{name}_": found for name, (found, _) in [*SYSTEMS.items(), *GRIDS.items(), *SECTIONS.items()]})
