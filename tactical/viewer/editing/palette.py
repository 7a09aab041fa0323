"""The panel of the edit mode: tools, brushes, figures, and what keys and mouse do.  Knows no pygame."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tactical.show.labels import say
from tactical.show.sheet import HUGE, LARGE, SMALL, Measure, Sheet
from tactical.viewer.editing.bench import PAINTING, Bench
from tactical.viewer.editing.figures import SIZES, Figures
from tactical.world.edges.barriers import Kind
from tactical.world.mover import Mover

MARGIN, GAP, HIGH = 16, 6, 28
TOOLS = (("brush", "B"), ("box", "R"), ("polygon", "O"), ("fill", "F"), ("wand", "W"), ("line", "L"), ("doors", "D"),
         ("link", "K"), ("figure", "P"), ("move", "M"))  # fmt: skip
"""The tools and the keys that choose them."""
KINDS = (Kind.WALL, Kind.DOOR, Kind.WINDOW, Kind.FENCE, Kind.LOW_WALL, Kind.INVISIBLE)
"""The kinds of barrier that can be drawn."""
WAYS = ("stairs", "ladder", "rope", "portal")
"""The kinds of link that can be laid."""


def lay_out(bench: Bench, unsaved: bool, movers: Iterable[Mover], measure: Measure, width: float) -> Sheet:
    """The panel as a sheet; its buttons give the commands ``edit:…``."""
    sheet = Sheet(width, measure)
    sheet.words(say("edit"), (MARGIN, 14), HUGE)
    y = _pills(sheet, 46.0, [
        (say(f"edit.tool.{tool}"), f"edit:tool:{tool}", tool == bench.tool, say("hint.key", key=key))
        for tool, key in TOOLS
    ], 3)  # fmt: skip
    # what saves stays in sight however many brushes a map has
    y = _pills(sheet, y + 8, [
        (say("edit.undo"), "edit:undo", False, say("hint.key", key="Z")),
        (say("edit.redo"), "edit:redo", False, say("hint.key", key="Shift-Z")),
        (say("edit.save"), "edit:save", unsaved, say("hint.key", key="Ctrl-S")),
        (say("edit.into"), "edit:into", False, say("hint.key", key="Ctrl-Shift-S")),
        (say("edit.leave"), "edit", False, say("hint.key", key="F2")),
    ], 3)  # fmt: skip
    how = say(f"edit.how.{bench.tool}")
    if bench.tool == "figure" and (bench.figures.fresh or not bench.figures.chosen):
        side = bench.figures.side
        how = f"{how} {say('edit.next_side' if side else 'edit.next_no_side', side=side)}"
    for line in sheet.wrapped(how, SMALL, width - 2 * MARGIN):
        sheet.words(line, (MARGIN, y + 6), SMALL, "dim")
        y += 20
    if bench.tool == "figure":
        y = _figure(sheet, bench.figures, movers, y + 14)
    elif bench.tool == "line":
        y = _pills(sheet, y + 12, [
            (say(f"edit.kind.{kind.value}"), f"edit:kind:{kind.value}", kind is bench.kind, "") for kind in KINDS
        ], 2)  # fmt: skip
    elif bench.tool == "link":
        y = _pills(sheet, y + 12, [(way, f"edit:way:{way}", way == bench.way, "") for way in WAYS], 2)
    elif bench.tool in PAINTING:
        sheet.words(say("edit.brushes"), (MARGIN, y + 14), LARGE)
        y = _pills(sheet, y + 40, [
            (brush.name, f"edit:brush:{n}", n == bench.brush, say("hint.key", key=n + 1) if n < 9 else "")
            for n, brush in enumerate(bench.brushes)
        ], 2)  # fmt: skip
    sheet.height = y + 20
    return sheet


def _pills(sheet: Sheet, y: float, rows: Sequence[tuple[str, str, bool, str]], columns: int) -> float:
    wide = (sheet.width - 2 * MARGIN - (columns - 1) * GAP) / columns
    for n, (label, command, on, hint) in enumerate(rows):
        box = (MARGIN + n % columns * (wide + GAP), y + n // columns * (HIGH + GAP), wide, float(HIGH))
        sheet.pill(box, label, command, on=on, hint=hint)
    return y + -(-len(rows) // columns) * (HIGH + GAP)


def _figure(sheet: Sheet, figures: Figures, movers: Iterable[Mover], y: float) -> float:
    if figures.chosen:
        sheet.words(say("edit.chosen", name=figures.chosen), (MARGIN, y + 4), SMALL, "dim")
        y += 24
    y = _field(sheet, figures, "name", y)
    y = _pills(sheet, y, [
        (side or say("edit.no_side"), f"edit:side:{side}", side == figures.side, "") for side in figures.sides(movers)
    ], 2)  # fmt: skip
    y = _field(sheet, figures, "party", y)
    y = _pills(sheet, y, [
        (say("edit.size", n=size), f"edit:size:{size}", size == figures.size, say("edit.size.hint")) for size in SIZES
    ], 4)  # fmt: skip
    y = _pills(sheet, y, [
        (name or say("edit.map_rules"), f"edit:rules:{name}", name == figures.rules, "") for name in figures.systems()
    ], 2)  # fmt: skip
    return _field(sheet, figures, "stats", y)


def _field(sheet: Sheet, figures: Figures, name: str, y: float) -> float:
    """A box that shows a field, and is written in once it is clicked; of long words the end."""
    box, on = (float(MARGIN), y, sheet.width - 2 * MARGIN, float(HIGH)), figures.typing == name
    sheet.plate(box, "accent" if on and figures.whole else "card", "accent_line" if on else "line", 6)
    words: str = getattr(figures, name)
    shown = words + "_" if on else words or say(f"edit.{name}")
    while len(shown) > 4 and sheet.measure(shown, SMALL) > box[2] - 20:
        shown = "…" + shown[2:] if on else shown[:-2] + "…"
    sheet.words(shown, (MARGIN + 10, y + 9), SMALL, "text" if words or on else "dim", "left", box[2] - 20)
    sheet.button(box, f"edit:{name}", say(f"edit.{name}"))
    return y + HIGH + GAP
