"""Themes: which colours, patterns and rims the roles of a scene take, read from a TOML file.

A theme knows styles, not pictures: ``style.move`` has a fill, an opacity, a pattern and a rim, and ``order`` says which
styles the gaits of one turn take.  Drawers ask a theme for the style of a role and decide nothing themselves.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from tactical import assets, files
from tactical.errors import UnknownName

PATTERNS = ("none", "hatch", "bars", "cross", "dots", "rings")
DASHES = ("none", "solid", "dashed", "thin", "dotted")

Colour = tuple[int, int, int]


def rgb(text: str) -> Colour:
    """``RRGGBB`` as three numbers.  Raises `ValueError`."""
    if len(text) != 6:
        raise ValueError(f"{text!r} is not a colour: write RRGGBB")
    return int(text[0:2], 16), int(text[2:4], 16), int(text[4:6], 16)


def mix(a: Colour, b: Colour, share: float) -> Colour:
    """`share` of colour `b` in colour `a`."""
    red, green, blue = (round(x + (y - x) * share) for x, y in zip(a, b, strict=True))
    return red, green, blue


@dataclass(frozen=True, slots=True)
class Style:
    """The look of an area: fill with opacity (0 to 1), a pattern over it, a rim of some width in pixels."""

    name: str
    fill: Colour
    alpha: float
    pattern: str
    rim: Colour
    dash: str
    width: float

    def __post_init__(self) -> None:
        if self.pattern not in PATTERNS:
            raise ValueError(f"style {self.name}: pattern {self.pattern!r} is not one of {', '.join(PATTERNS)}")
        if self.dash not in DASHES:
            raise ValueError(f"style {self.name}: dash {self.dash!r} is not one of {', '.join(DASHES)}")


@dataclass(frozen=True)
class Theme:
    """A whole look.  `colours` maps a table (``ground``, ``plate``, ``window`` …) to its named colours."""

    name: str
    styles: Mapping[str, Style]
    order: Mapping[int, tuple[str, ...]]
    colours: Mapping[str, Mapping[str, Colour]]
    sides: Mapping[str, tuple[Colour, Colour]]

    def colour(self, table: str, name: str) -> Colour:
        """A named colour.  Raises `UnknownName`."""
        try:
            return self.colours[table][name]
        except KeyError:
            raise UnknownName(f"{table} colour", name, self.colours.get(table, ())) from None

    def style(self, role: str, gaits: int = 2) -> Style:
        """The style of a role: ``band:0`` … (of `gaits` this turn), ``turn:2`` …, ``passing``, ``out``."""
        return self.styles[self.style_name(role, gaits)]

    def style_name(self, role: str, gaits: int = 2) -> str:
        """The name of that style, which is also the name of its plate colour."""
        kind, _, number = role.partition(":")
        if kind == "turn":
            return "later"
        if kind == "band":
            order = self.order[min(max(gaits, 1), max(self.order))]
            return order[min(int(number), len(order) - 1)]
        return kind

    def plate(self, role: str, gaits: int = 2) -> Colour:
        """The colour of a name plate or chip."""
        kind, _, rest = role.partition(":")
        plates = self.colours["plate"]
        if kind == "mover":
            return plates[rest]
        if kind in ("good", "bad"):
            return plates["friend" if kind == "good" else "foe"]
        if kind in ("leg", "total", "end"):
            return plates[self.style_name(rest, gaits)]
        return plates["later" if kind in ("turn", "stop") else "posture"]


def stronger(theme: Theme, times: float = 1.5) -> Theme:
    """The theme with every tint so many times as dense, for light grounds and bright rooms."""
    styles = {name: replace(style, alpha=min(0.85, style.alpha * times)) for name, style in theme.styles.items()}
    return replace(theme, styles=styles)


def read(text: str) -> Theme:
    """A theme from TOML text.  Raises `ValueError` naming what is wrong."""
    data = tomllib.loads(text)
    try:
        styles = {
            name: Style(
                name, rgb(s["fill"]), s["alpha"] / 100, s["pattern"], rgb(s["rim"]), s["dash"], float(s["width"])
            )
            for name, s in data["style"].items()
        }
        colours = {
            table: {name: rgb(value) for name, value in data[table].items()}
            for table in ("mark", "plate", "barrier", "ground", "window")
        }
        sides = {name: (rgb(pair[0]), rgb(pair[1])) for name, pair in data["side"].items()}
        order = {int(count): tuple(names) for count, names in data["order"].items()}
    except KeyError as error:
        raise ValueError(f"theme: {error.args[0]!r} is missing") from error
    for name in {name for names in order.values() for name in names}:
        if name not in styles:
            raise ValueError(f"theme: order names the unknown style {name!r}")
    return Theme(str(data.get("name", "")), styles, order, colours, sides)


LIMIT = 1_000_000
"""Bytes of the largest theme that is read."""


@cache
def load(path: Path | None = None) -> Theme:
    """The theme of a file, or the one that ships with the package.  Raises `OSError` or `ValueError`."""
    return read(files.read(path or assets.path("theme.toml"), LIMIT).decode("utf-8"))
