"""A panel section in one file: who of the others in sight could get to where the way ends, in their own next turn.

Offered as the entry point ``watch = watch:SECTION`` of the group ``tactical.sections``.
"""

from __future__ import annotations

from typing import NamedTuple

import tactical
from tactical.show.panel import MARGIN, Moment, Section, inner
from tactical.show.sheet import NORMAL, SMALL, Sheet
from tactical.units import Cell, show

WORDS = {
    "watch": "Who can get to {cell}",
    "watch.near": "{name}: {cost} {unit}",
    "watch.nobody": "nobody in sight",
}


class Watch(NamedTuple):
    """A cell by name, and who can get beside it: name, price, unit."""

    cell: str
    near: tuple[tuple[str, str, str], ...]


def data(moment: Moment) -> Watch | None:
    """Asked of the map that the mover knows, so that nobody who hides is told."""
    reach = moment.reach
    here: Cell = reach.start.cell if moment.way is None else moment.way.end.cell
    near = []
    for other in reach.battlemap.movers:
        if other.at is None or other.side == reach.mover.side:
            continue
        found = tactical.reach(reach.battlemap, other)
        beside = [cell for cell in found.cells() if max(abs(cell.col - here.col), abs(cell.row - here.row)) <= 1]
        if beside:
            least = min(found.cost(cell) or 0 for cell in beside)
            near.append((other.label, show(least), reach.unit))
    return Watch(reach.battlemap.name_of(here), tuple(near))


def lay_out(sheet: Sheet, watch: Watch, y: float) -> float:
    """A title, and a line for each."""
    sheet.words(SECTION.say("watch", cell=watch.cell), (MARGIN, y), NORMAL)
    lines = [SECTION.say("watch.near", name=name, cost=cost, unit=unit) for name, cost, unit in watch.near]
    for line in lines or [SECTION.say("watch.nobody")]:
        y += 18
        sheet.words(line, (MARGIN, y), SMALL, "dim", "left", inner(sheet))
    return y + 26


SECTION = Section("watch", 95, data, lay_out, WORDS)
