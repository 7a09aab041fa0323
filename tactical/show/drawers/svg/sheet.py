"""Sheets as SVG text: panels beside a map, laid out with guessed widths since there is no browser to measure in."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import count

from tactical.show.drawers.svg.elements import DARK, colour, element, icon, line, path, words
from tactical.show.sheet import Figure, Line, Mark, Plate, Sample, Sheet, Sign, Stretch, Words
from tactical.show.theme import Theme, mix

LETTERS = 0.72
"""Font size of a browser for the height of letters that sheets count in."""
ANCHORS = {"left": "start", "right": "end", "middle": "middle"}

Draw = Callable[..., str]


def sheet_elements(sheet: Sheet, theme: Theme, swatch: Draw, token: Draw) -> Iterator[str]:
    """The elements of a sheet in painting order.

    `swatch(role, x, y)` draws a legend's little picture, `token(role, posture, x, y, cell)` a token.
    """
    yield element("rect", width=sheet.width, height=sheet.height, fill=_ink(theme, sheet.back, sheet.gaits))
    numbers = count()
    for mark in sheet.marks:
        if isinstance(mark, Sample):
            yield swatch(mark.role, mark.x, mark.y)
        elif isinstance(mark, Figure):
            yield token(mark.role, mark.posture, mark.x, mark.y, mark.cell)
        elif isinstance(mark, Stretch):
            yield _stretch(mark, theme, sheet.gaits, next(numbers))
        else:
            yield _plain(mark, theme, sheet.gaits)


def _ink(theme: Theme, name: str, gaits: int) -> str:
    kind, _, role = name.partition(":")
    if kind in ("rim", "fill"):
        style = theme.style(role, gaits)
        return colour(style.rim if kind == "rim" else style.fill)
    return DARK if name == "dark" else colour(theme.colour("window", name))


def _plain(mark: Mark, theme: Theme, gaits: int) -> str:
    if isinstance(mark, Words):
        size = mark.size * LETTERS
        at, ink = (mark.x, mark.y + mark.size * 0.36), _ink(theme, mark.ink, gaits)
        return words(at, mark.text, size, ink, text_anchor=ANCHORS[mark.anchor], font_weight=600)
    if isinstance(mark, Plate):
        x, y, width, height = mark.box
        half, line_ = mark.line / 2, mark.line
        box = {"x": x + half, "y": y + half, "width": max(0.0, width - line_), "height": max(0.0, height - line_)}
        look = {"rx": mark.radius, "fill": _ink(theme, mark.fill, gaits), "stroke": _ink(theme, mark.edge, gaits)}
        return element("rect", **box, **look, stroke_width=mark.line)
    if isinstance(mark, Sign):
        return icon(mark.name, (mark.x, mark.y), mark.half, _ink(theme, mark.ink, gaits))
    assert isinstance(mark, Line)
    d = line([(mark.x0, mark.y0), (mark.x1, mark.y1)])
    under = path(d, DARK, 5) if mark.strong else ""
    return under + path(d, _ink(theme, mark.ink, gaits), 2 if mark.strong else 1)


def _stretch(mark: Stretch, theme: Theme, gaits: int, number: int) -> str:
    x, y, width, height = mark.box
    style, card = theme.style(mark.role, gaits), theme.colour("window", "card")
    fills = {
        "rim": style.rim,
        "empty": mix(style.fill, card, 0.82),
        "past": mix(card, (0, 0, 0), 0.35),
        "used": style.fill if style.name != "later" else (150, 156, 166),
    }
    box = {"x": x, "y": y, "width": width, "height": height}
    out = element("rect", **box, fill=colour(fills[mark.state]))
    if mark.state != "used" or style.pattern not in ("hatch", "bars", "cross"):
        return out
    ink = colour(mix(style.fill, (0, 0, 0), 0.45))
    strokes = ""
    if style.pattern == "bars":
        strokes = "".join(line([(x, y + dy), (x + width, y + dy)]) for dy in range(4, int(height), 8))
    else:
        for dx in range(-int(height), int(width), 9):
            strokes += line([(x + dx, y + height), (x + dx + height, y)])
            if style.pattern == "cross":
                strokes += line([(x + dx, y), (x + dx + height, y + height)])
    clip = element("clipPath", element("rect", **box), id=f"bar-{number}")
    return out + clip + path(strokes, ink, 2, opacity=0.6, clip_path=f"url(#bar-{number})")
