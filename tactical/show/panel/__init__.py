"""The panel beside a map, in sections: each file here is one, offering ``SECTION``.

A section says what it knows of a `Moment` as data, and puts that on a `Sheet` from some height down.  A `Page` is what
all sections say at one moment, in their order; `lay_out` puts it on a sheet that the window and every drawer paint.
What several sections and the window say alike comes from `tactical.show.brief`, `choices` and `rolls`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from tactical.errors import PluginError, Refusal, meant
from tactical.guard import Guarded, Unfit, Ward, guard
from tactical.movement.ledger import cut
from tactical.movement.route import Route
from tactical.play.commands import legs_of
from tactical.play.session import Session
from tactical.registry import SECTIONS
from tactical.show.choices import Choice, acts, doors
from tactical.show.labels import say
from tactical.show.rolls import Note
from tactical.show.scene.legend import gait_count
from tactical.show.scene.shapes import Entry, Scene
from tactical.show.sheet import SMALL, Box, Mark, Measure, Sheet, guess
from tactical.show.theme import load as shipped
from tactical.units import Cell

PANEL = 320
"""Width of the panel."""
MARGIN, GAP = 16, 6
"""What stays free at both sides of a sheet, and between two buttons."""
LINES = (7, 5, 3)
"""How many lines of a long list are shown, and how many where there is no room for more."""
Orders = tuple[tuple[Choice, ...], tuple[Choice, ...]]


@dataclass(frozen=True)
class Moment:
    """What the panel is asked about: a reach and a way, with a `session` also what may be ordered now.

    `reach` is None where nobody is chosen; `route` the way that is shown, or the refusal of one.  `entries` explain the
    signs on the map; `arrive` is the posture to arrive in, `typed` what has been typed of a total, `number` the
    game master's for it.  `orders` are the actions and doors, where they have been asked for already;
    `referee` also names who hides; `others` are other ways to be offered, `pins` are goals to compare;
    who is not `patient` hears nothing that takes long to work out.

    `reach.battlemap` is what the mover may know, `session` the whole truth: a section tells no more than the first.
    """

    reach: Any = None
    route: Route | Refusal | None = None
    session: Session | None = None
    entries: tuple[Entry, ...] = ()
    arrive: str = ""
    typed: str = ""
    explain: bool = False
    legend: bool = True
    hints: bool = True
    orders: Orders | None = None
    referee: bool = False
    others: tuple[Choice, ...] = ()
    pins: tuple[Cell, ...] = ()
    patient: bool = True
    number: str = ""

    @cached_property
    def walked(self) -> int | None:
        """How many steps of its way a mover has done that waits for an answer; None where nobody waits."""
        waiting = None if self.session is None else self.session.position.pending
        if waiting is None or not isinstance(self.route, Route) or waiting.mover != self.reach.mover.id:
            return None
        return max(0, len(legs_of(self.route)) - len(waiting.legs))

    @cached_property
    def way(self) -> Route | None:
        """The way, if there is one; of a move that waits with what is done cut from what is to come."""
        if not isinstance(self.route, Route):
            return None
        if self.walked is None:
            return self.route
        return replace(self.route, lines=cut(self.reach.query, self.route.lines, self.route.steps, self.walked))


def _height(found: Any, by: Guarded) -> float:
    if isinstance(found, bool) or not isinstance(found, (int, float)):
        raise Unfit(f"{found!r:.60} is not the height where the next section begins")
    return float(found)


WARDS = {"data": Ward(), "lay_out": Ward(_height)}
"""How each function of a section is guarded."""


@dataclass(frozen=True, slots=True)
class Section:
    """One part of the panel: what it says, in which words, and where it stands.

    `data(moment)` is what it has to say, None for nothing; it is asked only where somebody is chosen, unless it is said
    `always`.  `lay_out(sheet, data, y)` puts that on a sheet from `y` down and gives where the next section begins.
    `order` says where it stands: who is shown has 10, the ledger 90, the legend 200.  `words` are labels of its own.
    """

    name: str
    order: int
    data: Callable[[Moment], Any]
    lay_out: Callable[[Sheet, Any, float], float]
    words: Mapping[str, str] = field(default_factory=dict)
    always: bool = False

    def __post_init__(self) -> None:
        guard(self, "panel section", WARDS)
        if not isinstance(self.order, int):
            raise TypeError(f"Section {self.name!r}: order must be a whole number, not {self.order!r}")

    def say(self, key: str, /, **values: object) -> str:
        """Words of its own with their values filled in; other keys are looked up among those of the panel."""
        return self.words[key].format(**values) if key in self.words else say(key, **values)


@dataclass(frozen=True)
class Page:
    """All that the panel shows: each section with what it says, from the top; `count` is how many gaits there are."""

    parts: tuple[tuple[Section, Any], ...] = ()
    count: int = 2

    def said(self, name: str) -> Any:
        """What the section of that name says; None where it says nothing."""
        return next((data for section, data in self.parts if section.name == name), None)

    def without(self, *names: str) -> Page:
        """The page without some of its sections."""
        return replace(self, parts=tuple(part for part in self.parts if part[0].name not in names))


def page_of(moment: Moment) -> Page:
    """What the panel says at a moment."""
    sections = sorted((section for _, section in SECTIONS), key=lambda section: (section.order, section.name))
    asked = [section for section in sections if section.always or moment.reach is not None]
    parts = [(section, section.data(moment)) for section in asked]
    count = 2 if moment.reach is None else gait_count(moment.reach.bands)
    return Page(tuple(part for part in parts if part[1] is not None), count)


def with_page(scene: Scene, reach: Any, route: Route | Refusal | None = None) -> Scene:
    """The picture with the panel beside it that says what it shows."""
    return replace(scene, page=page_of(Moment(reach, route, entries=scene.legend, hints=False)))


def orders_of(session: Session, mover: str) -> Orders:
    """The actions and the doors that a mover may order now."""
    return acts(session, mover), doors(session, mover)


def lay_out(page: Page, measure: Measure = guess, *, width: float = PANEL, least: float = 0.0) -> Sheet:
    """The page on a sheet as high as it needs, at least `least`.

    In a window, which has the key hints, long lists are cut as far as brings all of it into sight, if that can be; then
    the hints give way, then the legend, and at last the ledger and the remarks, with tooltips for what is cut.
    """
    tries = [(page, LINES[0])]
    if least and page.said("hints"):
        bare = page.without("hints"), page.without("hints", "legend")
        tries = [
            *((page, lines) for lines in LINES),
            *((one, LINES[-1]) for one in bare),
            *((bare[-1], lines) for lines in (2, 1, 0)),
        ]
    for shown, lines in tries:
        sheet = Sheet(width, measure, page.count, lines=lines, height=least)
        y = 20.0
        for section, data in shown.parts:
            before, top = len(sheet.marks), y
            y = section.lay_out(sheet, data, top)
            if y < top:
                raise PluginError(f"{_whose(section)}: lay_out: the next section cannot begin at {y:g}, above {top:g}")
            _inked(section, sheet.marks[before:])
        sheet.height = max(y + 4, least)
        if sheet.height <= least and not (sheet.squeezed and shown is page):
            break
    return sheet


def _whose(section: Section) -> str:
    return section.lay_out.whose if isinstance(section.lay_out, Guarded) else section.name


def _inked(section: Section, marks: Iterable[Mark]) -> None:
    """Whether a section's colours are there: a drawer meets them too late to say whose they are."""
    theme = shipped()
    known = theme.colours["window"]
    for mark in marks:
        for name in (getattr(mark, part, "dark") for part in ("ink", "fill", "edge")):
            kind, _, role = name.partition(":")
            styled = kind in ("rim", "fill") and theme.style_name(role) in theme.styles
            if name not in known and name != "dark" and not styled:
                words = f"there is no colour {name!r}{meant(name, known)} ({', '.join(known)})"
                raise PluginError(f"{_whose(section)}: lay_out: {words}")


# -- what sections lay out alike --------------------------------------------------------------------------------------


def inner(sheet: Sheet) -> float:
    """The width between the margins."""
    return sheet.width - 2 * MARGIN


def push(sheet: Sheet, choice: Choice, box: Box) -> None:
    """A button for an order."""
    hint = choice.refused or say("hint.key", key=choice.key)
    sheet.pill(
        box, choice.label, choice.command, on=choice.on, possible=not choice.refused, hint=hint, sign=choice.sign
    )


def remark(sheet: Sheet, found: Iterable[Note], y: float) -> float:
    """Remarks in boxes, those of a kind in one, each with an icon; gives where the next thing begins."""
    kinds: dict[str, list[Note]] = {}
    for note in found:
        kinds.setdefault(note.kind, []).append(note)
    for kind, alike in kinds.items():
        told = [(note.icon, folded(sheet, note.text, inner(sheet) - 42, y + 3 + 21 * n)[:3])
                for n, note in enumerate(alike)]  # fmt: skip
        height = 6 + sum(4 + 17 * len(lines) for _, lines in told)
        sheet.plate((MARGIN, y, inner(sheet), height), kind, f"{kind}_line", 6)
        top = y + 5
        for icon, lines in told:
            sheet.sign(icon, (MARGIN + 17, top + 17 * len(lines) / 2), 9 if len(lines) > 1 else 8, f"{kind}_line")
            for n, line in enumerate(lines):
                sheet.words(line, (MARGIN + 34, top + 2 + 17 * n), SMALL)
            top += 4 + 17 * len(lines)
        y += height + 5
    return y + 6


def folded(sheet: Sheet, text: str, width: float, y: float) -> list[str]:
    """Small words broken into lines; where there is room for one only, that one and a tooltip at `y` that says all."""
    lines = sheet.wrapped(text, SMALL, width)
    if len(lines) < 2 or sheet.lines > 1:
        return lines
    sheet.hints.append(((MARGIN, y, inner(sheet), 20), text))
    return [sheet.fitted(text, SMALL, width)]
