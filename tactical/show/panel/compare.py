"""Goals that are kept to compare: for each its price, gait, strikes, chance and posture in a row."""

from __future__ import annotations

from dataclasses import dataclass

from tactical.errors import Refusal
from tactical.show.amounts import amount, band_named, turn_word, unit_of
from tactical.show.labels import LABELS
from tactical.show.panel import MARGIN, Moment, Section, inner
from tactical.show.rolls import chance_there
from tactical.show.sheet import NORMAL, SMALL, Sheet
from tactical.units import Cell, cell_name, percent


@dataclass(frozen=True, slots=True)
class Goal:
    """One goal: its name, what it costs (or why not), the rest in words, and how many strikes there are on the way."""

    cell: Cell
    name: str
    price: str
    words: str
    strikes: int = 0


def data(moment: Moment) -> tuple[Goal, ...] | None:
    """A row for each."""
    return tuple(_goal(moment, cell) for cell in moment.pins) or None


def _goal(moment: Moment, cell: Cell) -> Goal:
    reach = moment.reach
    name = reach.battlemap.name_of(cell)
    # why not takes long to work out
    quick = moment.patient or cell == reach.start.cell or cell in reach
    route = reach.route(cell) if quick else Refusal("move.unreachable", {"cell": name})
    if isinstance(route, Refusal):
        return Goal(cell, name, "", route.text)
    band = band_named(route.band, reach.bands)
    strikes = len(route.provokes)
    words = [band.title] if band is not None else []
    if route.turn > 1 and band is None:
        words.append(f"{turn_word(reach.bands)} {route.turn}")
    words.append(SECTION.say("strike" if strikes == 1 else "strikes", n=strikes))
    # a chance is told where it is known already: working it out takes long
    chance = chance_there(reach, route) if moment.patient or reach.profile.demand is None else None
    if chance is not None:
        words.append(percent(chance))
    words.append(LABELS.get(route.end.posture, route.end.posture))
    price = f"{amount(route.cost, band)} {unit_of(reach.bands, reach.unit)}"
    return Goal(cell, name, price, ", ".join(words), strikes)


def lay_out(sheet: Sheet, goals: tuple[Goal, ...], y: float) -> float:
    """The rows; pointing at one shows its way, a click on it goes there, one on its cross lets it go."""
    sheet.words(SECTION.say("title"), (MARGIN, y), NORMAL)
    sheet.words(SECTION.say("key"), (sheet.width - MARGIN, y + 1), SMALL, "dim", "right", inner(sheet) - 90)
    y += 20
    for goal in goals:
        box = (MARGIN, y, inner(sheet), 38.0)
        sheet.plate(box, "card", "line", 5)
        named = sheet.words(goal.name, (MARGIN + 10, y + 6), NORMAL, "text", "left", 80)
        price = named[0] + named[2] + 10
        sheet.words(goal.price, (price, y + 6), NORMAL, "accent_line", "left", MARGIN + inner(sheet) - 34 - price)
        ink = "bad_line" if goal.strikes else "dim"
        sheet.words(goal.words, (MARGIN + 10, y + 23), SMALL, ink, "left", inner(sheet) - 44)
        sheet.button(box, f"pinned:{cell_name(goal.cell)}", SECTION.say("hint"))
        cross = (MARGIN + inner(sheet) - 28, y + 7, 24.0, 24.0)
        sheet.sign("cross", (cross[0] + 12, cross[1] + 12), 5, "dim")
        sheet.button(cross, f"unpin:{cell_name(goal.cell)}", SECTION.say("let_go"))
        y += 42
    return y + 6


SECTION = Section("compare", 150, data, lay_out, {
    "title": "Compare", "key": "Shift-click keeps a cell", "hint": "Point: the way there. Click: go there.",
    "let_go": "compare no more", "strike": "{n} strike", "strikes": "{n} strikes",
})  # fmt: skip
