"""The panel of the edit mode: tools, brushes, figures, and what keys and mouse do.  Knows no pygame."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tactical.show.labels import say
from tactical.show.sheet import HUGE, LARGE, SMALL, Measure, Sheet
from tactical.viewer.editing.brushes import Brush
from tactical.world.barriers import Kind

MARGIN, GAP, HIGH = 16, 6, 28
TOOLS = (("brush", "B"), ("box", "R"), ("fill", "F"), ("wand", "W"), ("line", "L"), ("doors", "D"),
         ("figure", "P"))  # fmt: skip
"""The tools and the keys that choose them."""
KINDS = (Kind.WALL, Kind.DOOR, Kind.WINDOW, Kind.FENCE)
"""The kinds of barrier that can be drawn."""


@dataclass(frozen=True)
class Palette:
    """What the panel shows: the tools and which is chosen, brushes, the name a figure gets, the sides to choose
    among, and what the line tool draws.
    """

    tool: str
    brushes: Sequence[Brush]
    brush: int
    name: str
    typing: bool
    sides: Sequence[str]
    side: str
    kind: Kind
    unsaved: bool


def lay_out(palette: Palette, measure: Measure, width: float) -> Sheet:
    """The panel as a sheet; its buttons give the commands ``edit:…``."""
    sheet = Sheet(width, measure)
    sheet.words(say("edit"), (MARGIN, 14), HUGE)
    y = _pills(sheet, 46.0, [
        (say(f"edit.tool.{tool}"), f"edit:tool:{tool}", tool == palette.tool, say("hint.key", key=key))
        for tool, key in TOOLS
    ], 3)  # fmt: skip
    if palette.tool == "figure":
        y = _figure(sheet, palette, y + 8)
    elif palette.tool == "line":
        y = _pills(sheet, y + 8, [
            (say(f"edit.kind.{kind.value}"), f"edit:kind:{kind.value}", kind is palette.kind, "") for kind in KINDS
        ], 2)  # fmt: skip
    elif palette.tool != "doors":
        sheet.words(say("edit.brushes"), (MARGIN, y + 8), LARGE)
        y = _pills(sheet, y + 32, [
            (brush.name, f"edit:brush:{n}", n == palette.brush, say("hint.key", key=n + 1) if n < 9 else "")
            for n, brush in enumerate(palette.brushes)
        ], 2)  # fmt: skip
    y = _pills(sheet, y + 10, [
        (say("edit.undo"), "edit:undo", False, say("hint.key", key="Z")),
        (say("edit.redo"), "edit:redo", False, say("hint.key", key="Shift-Z")),
        (say("edit.save"), "edit:save", palette.unsaved, say("hint.key", key="Ctrl-S")),
        (say("edit.leave"), "edit", False, say("hint.key", key="F2")),
    ], 2)  # fmt: skip
    for line in sheet.wrapped(say(f"edit.how.{palette.tool}"), SMALL, width - 2 * MARGIN):
        sheet.words(line, (MARGIN, y + 6), SMALL, "dim")
        y += 20
    sheet.height = y + 20
    return sheet


def _pills(sheet: Sheet, y: float, rows: Sequence[tuple[str, str, bool, str]], columns: int) -> float:
    wide = (sheet.width - 2 * MARGIN - (columns - 1) * GAP) / columns
    for n, (label, command, on, hint) in enumerate(rows):
        box = (MARGIN + n % columns * (wide + GAP), y + n // columns * (HIGH + GAP), wide, float(HIGH))
        sheet.pill(box, label, command, on=on, hint=hint)
    return y + -(-len(rows) // columns) * (HIGH + GAP)


def _figure(sheet: Sheet, palette: Palette, y: float) -> float:
    box = (float(MARGIN), y, sheet.width - 2 * MARGIN, float(HIGH))
    sheet.plate(box, "card", "accent_line" if palette.typing else "line", 6)
    words = palette.name + ("_" if palette.typing else "") or say("edit.name")
    sheet.words(words, (MARGIN + 10, y + 9), SMALL, "text" if palette.name or palette.typing else "dim", "left",
                box[2] - 20)  # fmt: skip
    sheet.button(box, "edit:name", say("edit.name"))
    return _pills(sheet, y + HIGH + GAP, [
        (side or say("edit.no_side"), f"edit:side:{side}", side == palette.side, "") for side in palette.sides
    ], 2)  # fmt: skip
