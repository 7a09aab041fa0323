"""The bar above the map, the status line below it, tooltips, and the pages that lie over the map."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tactical.show.labels import say
from tactical.show.scene.shapes import Entry
from tactical.show.sheet import HUGE, NORMAL, SMALL, Measure, Sample, Sheet
from tactical.viewer.picture.theme import STATUS, TOP

MARGIN = 16
BETWEEN = "  ·  "


@dataclass(frozen=True, slots=True)
class Toggle:
    """A button of the top bar; `hint` is what the tooltip says."""

    command: str
    label: str
    on: bool
    hint: str = ""


def top_bar(
    measure: Measure,
    width: float,
    map_width: float,
    title: str,
    about: Sequence[str],
    toggles: Sequence[Toggle],
    turn: str,
    side: Toggle | None = None,
) -> Sheet:
    """Name of the map, rules, toggles over the map's right end, whose turn; in narrow windows the button of the `side`.

    There the last toggles give way to the map's name: the menu has them all.
    """
    sheet = Sheet(width, measure, back="bar", height=TOP)
    x = map_width - 8
    for toggle in [Toggle("menu", say("toggle.menu"), False, say("hint.key", key="F10")), *([side] if side else [])]:
        x = _toggle(sheet, toggle, x)
    room = x - min(170.0, measure(title, HUGE) + 14) - 28
    shown, used = 0, 0.0
    for toggle in toggles:
        used += measure(toggle.label, SMALL) + 32
        if used > room:
            break
        shown += 1
    for toggle in reversed(toggles[:shown]):
        x = _toggle(sheet, toggle, x)
    name = sheet.words(title, (14, 14), HUGE, "text", "left", max(40, x - 28))
    after = name[0] + name[2] + 22
    told = list(about)
    while told and measure(BETWEEN.join(told), SMALL) > x - after - 18:
        told.pop()  # what is cut off says less than what is left out; the name tells all of it
    sheet.words(BETWEEN.join(told), (after, 18), SMALL, "dim", "left")
    if len(told) < len(about):
        sheet.hints.append(((0, 0, after, TOP), BETWEEN.join((title, *about))))
    if side is None:
        sheet.words(turn, (width - MARGIN, 16), NORMAL, "text", "right", width - map_width - 24)
    return sheet


def _toggle(sheet: Sheet, toggle: Toggle, right: float) -> float:
    """A button that ends at a place; returns where the next one ends."""
    size = sheet.measure(toggle.label, SMALL) + 24
    box = (right - size, 10.0, size, 28.0)
    sheet.plate(box, "accent" if toggle.on else "card", "accent_line" if toggle.on else "line", 7)
    sheet.words(toggle.label, (box[0] + size / 2, 18), SMALL, "text" if toggle.on else "dim", "middle")
    sheet.button(box, toggle.command, toggle.hint)
    return box[0] - 8


def status_bar(
    measure: Measure, width: float, words: Sequence[str], second: str, right: str, *, warn: bool = False
) -> Sheet:
    """What is under the pointer; below it a message or the rulings used, and how long the search took.

    What there is no room for beside the rest goes below it, where nothing else is said there.
    """
    sheet = Sheet(width, measure, back="bar", height=STATUS)
    dot = measure(BETWEEN, NORMAL)
    x, room = 14.0, width - 36
    below: list[str] = []
    for n, word in enumerate(words):
        ink = "text" if n != 1 else "dim"
        if n and x + dot + measure(word, NORMAL) > room:
            below = list(words[n:])
            break
        if n:
            sheet.words("·", (x + dot / 2, 13), NORMAL, "dim", "middle")
            x += dot
        box = sheet.words(word, (x, 13), NORMAL, ink, "left", room - x)
        x = box[0] + box[2]
    right = right if width > 640 else ""
    stats = sheet.words(right, (width - 14, 37), SMALL, "faint", "right")
    if below and not second:
        sheet.words(BETWEEN.join(below), (14, 36), NORMAL, "text", "left", max(20, stats[0] - 24))
    elif below:
        sheet.words(BETWEEN + BETWEEN.join(below), (x + 1, 13), NORMAL, "text", "left", width - 13 - x)
    if second:
        sheet.words(second, (14, 37), SMALL, "warn_line" if warn else "dim", "left", max(20, stats[0] - 30))
    return sheet


def tooltip(measure: Measure, lines: Sequence[str], *, refused: bool = False) -> Sheet:
    """Some lines in a box, the last one red where it is a refusal."""
    pieces: list[tuple[str, bool]] = []
    sheet = Sheet(300, measure)
    for n, line in enumerate(lines):
        last = refused and n == len(lines) - 1
        pieces += [(part, last) for part in sheet.wrapped(line, SMALL, 280)]
    sheet.width = max(measure(text, SMALL) for text, _ in pieces) + 20
    sheet.height = len(pieces) * 18 + 12
    sheet.plate((0, 0, sheet.width, sheet.height), "tip", "bad_line" if refused else "line", 6)
    for n, (text, last) in enumerate(pieces):
        ink = "bad_line" if last else "text" if n == 0 else "dim"
        sheet.words(text, (10, 7 + n * 18), SMALL, ink)
    return sheet


def list_page(
    measure: Measure, width: float, title: str, second: str, rows: Sequence[tuple[str, str, str]], *, bad: bool = False
) -> Sheet:
    """A page of rows: (words, what stands faint behind them, command); rows with a command can be clicked."""
    wide = min(width - 40, 720.0)
    sheet = Sheet(wide, measure)
    lines: list[tuple[list[str], str, str]] = []
    for words, more, command in rows:
        room = wide - 60 - (measure(more, SMALL) + 20 if more else 0)
        lines.append((sheet.wrapped(words, SMALL, max(80, room)), more, command))
    sheet.height = 62 + sum(18 * len(parts) + 10 for parts, _, _ in lines) + 14
    sheet.plate((0, 0, wide, sheet.height), "panel", "bad_line" if bad else "line", 10, 2 if bad else 1)
    sheet.words(title, (20, 14), HUGE, "text", "left", wide - 40)
    sheet.words(second, (20, 38), SMALL, "dim", "left", wide - 40)
    y = 62.0
    for parts, more, command in lines:
        high = 18 * len(parts) + 6
        if command:
            sheet.plate((14, y, wide - 28, high), "card", "card", 4)
            sheet.button((14, y, wide - 28, high), command)
        for n, text in enumerate(parts):
            sheet.words(text, (26, y + 5 + 18 * n), SMALL)
        if more:
            sheet.words(more, (wide - 26, y + 5), SMALL, "faint", "right")
        y += high + 4
    return sheet


def legend_page(measure: Measure, width: float, entries: Sequence[Entry], gaits: int) -> Sheet:
    """Every sign on the map, in as many columns as there is room for."""
    columns = int(min(3, max(1, (width - 80) // 220)))
    rows = -(-len(entries) // columns)
    sheet = Sheet(columns * 220.0 + 40, measure, gaits, height=rows * 26 + 74)
    sheet.plate((0, 0, sheet.width, sheet.height), "panel", "line", 10)
    sheet.words(say("legend"), (20, 16), HUGE)
    close = sheet.wording((say("help.close"), say("help.close.short")), SMALL, sheet.width - 150)
    sheet.words(close, (sheet.width - 20, 22), SMALL, "dim", "right", sheet.width - 150)
    for n, entry in enumerate(entries):
        x, y = 20.0 + n // rows * 220, 56.0 + n % rows * 26
        sheet.marks.append(Sample(entry.role, x, y))
        sheet.words(entry.text, (x + 38, y + 3), SMALL, "text", "left", 176)
    return sheet
