"""The log: everything that happened in words, newest first, each line with the place it happened at.

Knows no pygame.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tactical.play.events import Accepted, Event, Stepped
from tactical.play.happening import Happening
from tactical.show.labels import say
from tactical.show.sheet import NORMAL, SMALL, Measure, Plate, Sheet
from tactical.units import Cell, cell_name
from tactical.viewer.playing.table import Table

MOST = 60
"""Most things done that the log tells of."""
WIDE, LEAST = 420.0, 240.0
"""The width of the log, and what it needs at least."""


@dataclass(frozen=True, slots=True)
class Told:
    """One line of the log: its number in the game, the words, and the cell to look at, if there is one."""

    number: int
    text: str
    cell: Cell | None = None


def journal(table: Table, *, referee: bool = False) -> tuple[Told, ...]:
    """What happened last, newest first; of those in hiding only to the game master.

    The steps of a move are told with its end, what was explored is seen on the map.
    """
    log = table.session.log
    out: list[Told] = []
    for number in range(len(log), max(0, len(log) - MOST), -1):
        done = Accepted(log[number - 1].events)
        events = [event for event in (done if referee else done.for_players()) if not isinstance(event, Stepped)]
        out += [Told(number, table.words_of(event), place_of(event)) for event in reversed(events) if told(event)]
    return tuple(out)


def told(event: Event) -> bool:
    """Whether an event stands in the log."""
    return event.code != "cells.explored"


def place_of(event: Happening) -> Cell | None:
    """Where an event happened, as far as it says so."""
    cell = getattr(event, "cell", None)
    return cell if isinstance(cell, Cell) else None


def drawer(measure: Measure, width: float, height: float, lines: Sequence[Told], first: int = 0) -> Sheet:
    """The log on a sheet of a width and height at most, from line `first` on; lines with a place can be clicked."""
    wide = min(WIDE, width)
    sheet = Sheet(wide, measure)
    sheet.words(say("log"), (16, 12), NORMAL)
    sheet.words(say("log.hint"), (wide - 16, 13), SMALL, "dim", "right")
    y = 38.0
    if not lines:
        sheet.words(say("log.empty"), (16, y), SMALL, "dim")
    for line in lines[first:]:
        parts = sheet.wrapped(line.text, SMALL, wide - 76)
        high = 17 * len(parts) + 7
        if y + high > height - 8:
            break
        if line.cell is not None:
            box = (8.0, y, wide - 16, high)
            sheet.plate(box, "card", "card", 4)
            sheet.button(box, f"place:{cell_name(line.cell)}", say("log.place"))
        sheet.words(str(line.number), (44, y + 5), SMALL, "faint", "right")
        for n, text in enumerate(parts):
            sheet.words(text, (54, y + 5 + 17 * n), SMALL)
        y += high + 3
    sheet.height = min(height, max(y + 8, 70))
    sheet.marks.insert(0, Plate((0, 0, wide, sheet.height), "panel", "line", 10))
    return sheet
