"""Elements of SVG text: one function writes a tag, one writes an icon."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from html import escape

from tactical.errors import seen
from tactical.show import icons
from tactical.show.rulers import Rulers
from tactical.show.theme import Colour, Style

Point = tuple[float, float]
DARK = "#040507"
WHITE = "#ffffff"


def number(value: float) -> str:
    """A coordinate with two decimals at most."""
    return f"{value:.2f}".rstrip("0").rstrip(".") if value % 1 else str(int(value))


def colour(value: Colour) -> str:
    """``#rrggbb``."""
    return "#{:02x}{:02x}{:02x}".format(*value)


def escaped(text: str) -> str:
    """A text inside an element or an attribute; what no XML file can hold is replaced."""
    return escape(seen(text))


def element(tag: str, inside: str | None = None, /, **attributes: object) -> str:
    """One element; ``stroke_width=2`` becomes ``stroke-width="2"``, ``class_`` is ``class``, None is left out."""
    out = f"<{tag}"
    for name, value in attributes.items():
        if value is not None:
            text = number(value) if isinstance(value, float | int) else escaped(str(value))
            out += f' {name.strip("_").replace("_", "-")}="{text}"'
    return f"{out}/>" if inside is None else f"{out}>{inside}</{tag}>"


def told(name: str) -> str | None:
    """The tooltip of an element."""
    return f"<title>{escaped(name)}</title>" if name else None


def line(points: Iterable[Point], *, closed: bool = False) -> str:
    """The ``d`` of a path through `points`."""
    return "M" + "L".join(f"{number(x)} {number(y)}" for x, y in points) + ("Z" if closed else "")


def path(d: str, stroke: str, width: float, inside: str | None = None, **more: object) -> str:
    """A line that fills nothing."""
    return element("path", inside, d=d, fill="none", stroke=stroke, stroke_width=width, **more)


def icon(name: str, at: Point, half: float, ink: str, *, opacity: float | None = None, grow: float = 1.0) -> str:
    """An icon about `at`, from -`half` to `half`; `grow` thickens its lines (for an edge below it)."""
    out = ""
    for part in icons.ICONS.get(name, ()):
        tint = DARK if part.hole else ink
        points = [(at[0] + x * half, at[1] + y * half) for x, y in part.points]
        if part.kind == "dot":
            out += element("circle", cx=points[0][0], cy=points[0][1], r=part.width * half, fill=tint)
        elif part.kind == "fill":
            out += element("path", d=line(points, closed=True), fill=tint)
        else:
            out += path(line(points), tint, part.width * half * grow, stroke_linecap="round", stroke_linejoin="round")
    return element("g", out, class_=f"icon-{name}", opacity=opacity)


def words(at: Point, text: str, size: float, ink: str, *, edge: bool = False, **more: object) -> str:
    """Text centred about a point; with `edge` on a dark outline."""
    if edge:
        more |= {"stroke": DARK, "stroke_width": 2.5, "paint_order": "stroke"}
    more = {"font_weight": 600, "text_anchor": "middle", **more}
    return element("text", escaped(text), x=at[0], y=at[1] + size * 0.35, font_size=size, fill=ink, **more)


def ruler_words(beside: Rulers, px: Callable[[Point], Point], ink: str) -> str:
    """Names of columns above the map and of rows on its left, outside the map's own corner."""
    out = (words((px((x, 0))[0], -beside.top / 2), name, beside.size, ink) for x, name in beside.columns)
    more = (words((-beside.left / 2, px((0, y))[1]), name, beside.size, ink) for y, name in beside.rows)
    return element("g", "".join((*out, *more)), class_="ruler")


def texture(look: str, spots: Iterable[tuple[float, float, float]], u: float) -> str:
    """The ``d`` of the strokes that tell one ground from another; `spots` are middles with a number in -0.5 … 0.5."""
    drawn = _waves if look.startswith("water") else TEXTURES.get(look)
    return "" if drawn is None else "".join(drawn(x, y, seed, u) for x, y, seed in spots)


def _waves(x: float, y: float, seed: float, u: float) -> str:
    out, w = "", number(u * 0.28)
    for dy in (-0.2, 0.2):
        a, b = x - u * (0.3 + 0.1 * seed), y + u * (dy + 0.1 * seed)
        out += f"M{number(a)} {number(b)}q{number(u * 0.14)} {number(-u * 0.14)} {w} 0t{w} 0"
    return out


def _strewn(
    places: Sequence[Point], stray: float, stroke: Sequence[Point], closed: bool = False
) -> Callable[[float, float, float, float], str]:
    """The same small stroke at some places of a cell, shifted by its number; all in cells."""

    def drawn(x: float, y: float, seed: float, u: float) -> str:
        out = ""
        for dx, dy in places:
            a, b = x + u * (dx + stray * seed), y + u * dy
            out += line([(a + u * right, b + u * down) for right, down in stroke], closed=closed)
        return out

    return drawn


def _crown(x: float, y: float, seed: float, u: float) -> str:
    r, d = number(u * 0.36), number(u * 0.72)
    return f"M{number(x - u * 0.36)} {number(y)}a{r} {r} 0 1 0 {d} 0a{r} {r} 0 1 0 -{d} 0"


_SPECKS = _strewn(((-0.2, -0.15), (0.2, 0.1), (-0.05, 0.25)), 0.08, ((0, 0), (0.1, 0)))
TEXTURES: Mapping[str, Callable[[float, float, float, float], str]] = {
    "brush": _strewn(((-0.22, 0.2), (0.18, 0.05), (-0.05, -0.2)), 0.1, ((-0.1, -0.14), (0, 0), (0.1, -0.14))),
    **dict.fromkeys(("mud", "dirt", "sand", "gap"), _SPECKS),
    "rubble": _strewn(((-0.25, -0.1), (0.12, 0.12), (-0.05, 0.32)), 0.08, ((0, 0), (0.14, 0), (0.07, -0.13)), True),
    "planks": _strewn(((-0.25, 0), (0, 0), (0.25, 0)), 0, ((0, -0.5), (0, 0.5))),
    "tree": _crown,
    "stairs": _strewn(((0, -0.3), (0, -0.1), (0, 0.1), (0, 0.3)), 0, ((-0.5, 0), (0.5, 0))),
    "cliff": _strewn(((0, 0),), 0, ((-0.3, 0.3), (-0.1, -0.25), (0.1, 0.2))),
    "grass": _strewn(((0, 0.2),), 0.3, ((0, 0), (0.05, -0.12))),
}
"""What is strewn over each ground, given the middle of a cell, its number, and the width of a cell."""


def pattern(style: Style, cell: float) -> str:
    """The pattern of a style over cells of a width, for `defs`; the style has one."""
    size, ink, more = cell / 3, colour(style.rim), {}
    if style.pattern in ("hatch", "bars", "cross"):
        inside = path(line([(0, 0), (0, size)]), ink, 2.2, stroke_opacity=0.55)
        if style.pattern == "cross":
            inside += path(line([(0, 0), (size, 0)]), ink, 2.2, stroke_opacity=0.55)
        more = {"patternTransform": f"rotate({90 if style.pattern == 'bars' else 45})"}
    else:
        size = cell / 2
        dot = {"fill": ink} if style.pattern == "dots" else {"fill": "none", "stroke": ink}
        inside = element("circle", cx=size / 2, cy=size / 2, r=max(1.1, cell / 22), opacity=0.85, **dot)
    box = {"width": size, "height": size, "patternUnits": "userSpaceOnUse"}
    return element("pattern", inside, id=f"p-{style.name}", **box, **more)
