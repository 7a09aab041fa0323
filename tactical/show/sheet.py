"""Sheets: panels laid out as plain marks (boxes, words, icons, swatches) that any drawer can paint.

A sheet knows sizes and places but no pixels of its own: a drawer multiplies everything by the text size that the user
has chosen, and tells the sheet how wide words come out (`Measure`), since every font is different.  Colours are names:
a word of the theme's ``window`` table, or ``rim:`` and ``fill:`` with a role.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

Box = tuple[float, float, float, float]
"""Left, top, width, height."""
Measure = Callable[[str, float], float]
"""How wide words are in a size of letters."""

HUGE, LARGE, NORMAL, SMALL, TINY = 28, 20, 19, 17, 15
"""Sizes of letters; the window's font has one weight, so rank is shown by size and brightness."""


@dataclass(frozen=True, slots=True)
class Words:
    """One line of text; `anchor` says whether `x` is its left, right or middle."""

    x: float
    y: float
    text: str
    size: float = NORMAL
    ink: str = "text"
    anchor: str = "left"


@dataclass(frozen=True, slots=True)
class Plate:
    """A box with rounded corners."""

    box: Box
    fill: str = "card"
    edge: str = "line"
    radius: float = 6
    line: float = 1


@dataclass(frozen=True, slots=True)
class Sign:
    """An icon about a place, `half` from its middle to its border."""

    name: str
    x: float
    y: float
    half: float
    ink: str = "text"


@dataclass(frozen=True, slots=True)
class Stretch:
    """Part of a bar in the look of a role: empty, `used` (filled and patterned) or `past` (used before)."""

    box: Box
    role: str
    state: str = "used"


@dataclass(frozen=True, slots=True)
class Line:
    """A straight line; `strong` ones are white with a dark edge."""

    x0: float
    y0: float
    x1: float
    y1: float
    ink: str = "line"
    strong: bool = False


@dataclass(frozen=True, slots=True)
class Sample:
    """The little picture of a role in a legend."""

    role: str
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class Figure:
    """A token: its role, posture, and the width of the cell it stands in."""

    role: str
    posture: str
    x: float
    y: float
    cell: float


Mark = Words | Plate | Sign | Stretch | Line | Sample | Figure
M = TypeVar("M", Words, Plate, Sign, Stretch, Line, Sample, Figure)


def guess(text: str, size: float) -> float:
    """How wide words about are, where no font can be asked."""
    return len(text) * size * 0.41


@dataclass
class Sheet:
    """A panel under construction: marks in painting order, what can be clicked, and what there is to say about it.

    `lines` is how many lines a list may have that can be spread out, `squeezed` that something had too little room;
    `hits` are boxes with the command each gives,
    `hints` boxes with the words of a tooltip.
    """

    width: float
    measure: Measure = guess
    gaits: int = 2
    back: str = "panel"
    lines: int = 7
    marks: list[Mark] = field(default_factory=list)
    hits: list[tuple[Box, str]] = field(default_factory=list)
    hints: list[tuple[Box, str]] = field(default_factory=list)
    height: float = 0.0
    squeezed: bool = False

    def of(self, kind: type[M]) -> Iterator[M]:
        """The marks of one kind."""
        return (mark for mark in self.marks if isinstance(mark, kind))

    def text(self) -> list[str]:
        """All words, line by line from the top: what a reader without pictures gets."""
        rows: dict[int, list[Words]] = {}
        for words in sorted(self.of(Words), key=lambda words: (round(words.y), words.x)):
            row = next((y for y in rows if abs(y - words.y) <= 4), round(words.y))
            rows.setdefault(row, []).append(words)
        return ["  ".join(w.text for w in sorted(row, key=lambda w: w.x)) for _, row in sorted(rows.items())]

    # -- building -----------------------------------------------------------------------------------------------------

    def words(
        self,
        text: str,
        at: tuple[float, float],
        size: float = NORMAL,
        ink: str = "text",
        anchor: str = "left",
        width: float = 0,
    ) -> Box:
        """Words at a place, shortened to `width`, and then told whole by a hint; returns where they are."""
        shown = self.fitted(text, size, width) if width else text
        self.marks.append(Words(at[0], at[1], shown, size, ink, anchor))
        wide = self.measure(shown, size)
        left = at[0] - {"left": 0.0, "right": wide, "middle": wide / 2}[anchor]
        if shown != text:
            self.hints.append(((left, at[1] - 3, wide, size), text))
        return left, at[1], wide, size * 0.72

    def plate(self, box: Box, fill: str = "card", edge: str = "line", radius: float = 6, line: float = 1) -> None:
        """A box."""
        self.marks.append(Plate(box, fill, edge, radius, line))

    def sign(self, name: str, at: tuple[float, float], half: float, ink: str = "text") -> None:
        """An icon."""
        self.marks.append(Sign(name, at[0], at[1], half, ink))

    def button(self, box: Box, command: str, hint: str = "") -> None:
        """A box that can be clicked."""
        self.hits.append((box, command))
        if hint:
            self.hints.append((box, hint))

    def pill(
        self, box: Box, label: str, command: str, *, on: bool = False, possible: bool = True, hint: str = "",
        sign: str = "",
    ) -> None:  # fmt: skip
        """A button with a word in it: lit when `on`, grey with a cross where it is not `possible`."""
        x, y, w, h = box
        self.plate(box, "accent" if on else "card", "accent_line" if on else "line", 6)
        ink = "text" if possible else "faint"
        room = w - 8
        name = "cross" if not possible else sign
        if name:
            self.sign(name, (x + 12, y + h / 2), 5 if name == "cross" else 7, "bad_line" if name == "cross" else ink)
            room -= 16
        at = (x + w / 2 + (8 if name else 0), y + h / 2 - SMALL * 0.36)
        self.words(label, at, SMALL, ink, "middle", room)
        self.button(box, command, hint)

    def fitted(self, text: str, size: float, width: float) -> str:
        """Words cut to a width, with an ellipsis."""
        if self.measure(text, size) <= width:
            return text
        low, high = 0, len(text)
        while low < high:
            middle = (low + high + 1) // 2
            if self.measure(text[:middle].rstrip() + "…", size) <= width:
                low = middle
            else:
                high = middle - 1
        return text[:low].rstrip() + "…"

    def as_many(self, parts: Sequence[str], size: float, width: float, between: str) -> str:
        """The first of some words, as many as a width holds; none is broken."""
        held = range(len(parts), 0, -1)
        return next((line for n in held if self.measure(line := between.join(parts[:n]), size) <= width), "")

    def wording(self, ways: Sequence[str], size: float, width: float) -> str:
        """The first of several ways to say something that a width holds whole, else the last."""
        return next((words for words in ways if self.measure(words, size) <= width), ways[-1])

    def wrapped(self, text: str, size: float, width: float) -> list[str]:
        """Words broken into lines of a width."""
        lines = [""]
        for word in text.split():
            longer = f"{lines[-1]} {word}".strip()
            if lines[-1] and self.measure(longer, size) > width:
                lines.append(word)
            else:
                lines[-1] = longer
        return [self.fitted(line, size, width) for line in lines]
