"""Actions in a row, doors below them, each as wide as the row."""

from __future__ import annotations

from tactical.show.panel import GAP, MARGIN, Moment, Orders, Section, inner, orders_of, push
from tactical.show.sheet import Sheet


def data(moment: Moment) -> Orders | None:
    """The actions and the doors at hand."""
    if moment.orders is not None:
        return moment.orders
    return None if moment.session is None else orders_of(moment.session, moment.reach.mover.id)


def lay_out(sheet: Sheet, orders: Orders, y: float) -> float:
    """A button for each."""
    acts, doors = orders
    if acts:
        width = (inner(sheet) - GAP * (len(acts) - 1)) / len(acts)
        for n, choice in enumerate(acts):
            push(sheet, choice, (MARGIN + n * (width + GAP), y, width, 26))
        y += 32
    for choice in doors:
        push(sheet, choice, (MARGIN, y, inner(sheet), 26))
        y += 32
    return y + (2 if acts or doors else 0)


SECTION = Section("orders", 50, data, lay_out)
