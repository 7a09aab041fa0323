"""The panel beside a map: who, the roll that is waited for, postures, gaits, actions, budget, why it costs this, risks.

`lay_out` puts a `Page` on a `Sheet`; what the page says comes from `tactical.show.brief`, `choices` and `rolls`.
Sections stand in `sections.py`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from tactical.errors import Refusal
from tactical.movement.ledger import cut
from tactical.movement.route import Route
from tactical.play.commands import legs_of
from tactical.play.session import Session
from tactical.show import brief, choices, rolls, sections
from tactical.show.brief import Budget, PostureButton, Reason
from tactical.show.choices import Choice, GaitButton, Left, Rung
from tactical.show.labels import say
from tactical.show.rolls import Brought, Note, Question
from tactical.show.scene.legend import gait_count
from tactical.show.scene.route import figure
from tactical.show.scene.shapes import Entry, Scene
from tactical.show.sheet import NORMAL, SMALL, Measure, Sheet, guess

PANEL = 320
"""Width of the panel."""
MARGIN = 16


@dataclass(frozen=True)
class Page:
    """All that the panel shows."""

    name: str = ""
    role: str = "mover:self"
    posture: str = "standing"
    summary: str = ""
    buttons: tuple[PostureButton, ...] = ()
    gaits: tuple[GaitButton, ...] = ()
    ladder: tuple[Rung, ...] = ()
    left: tuple[Left, ...] = ()
    acts: tuple[Choice, ...] = ()
    doors: tuple[Choice, ...] = ()
    budget: Budget | None = None
    reasons: tuple[Reason, ...] = ()
    clauses: str = ""
    refused: str = ""
    notes: tuple[Note, ...] = ()
    question: Question | None = None
    safer: Choice | None = None
    outcomes: tuple[Brought, ...] = ()
    entries: tuple[Entry, ...] = ()
    explain: bool = False
    legend: bool = True
    count: int = 2
    hints: bool = True


def with_page(scene: Scene, reach: Any, route: Route | Refusal | None = None) -> Scene:
    """The picture with the panel beside it that says what it shows."""
    return replace(scene, page=page_of(reach, route, entries=scene.legend, hints=False))


def page_of(
    reach: Any,
    route: Route | Refusal | None = None,
    *,
    session: Session | None = None,
    entries: tuple[Entry, ...] = (),
    arrive: str = "",
    typed: str = "",
    explain: bool = False,
    legend: bool = True,
    hints: bool = True,
    orders: tuple[tuple[Choice, ...], tuple[Choice, ...]] | None = None,
    referee: bool = False,
    safer: Choice | None = None,
    patient: bool = True,
) -> Page:
    """What the panel says about a reach and a way; with a `session` also what may be ordered now.

    `orders` are the actions and doors, where they have been asked for already; `referee` also names who hides;
    `safer` is another way to be offered; who is not `patient` hears nothing that takes long to work out.
    """
    if reach is None:
        return Page(entries=entries, legend=legend, hints=hints)
    why = route.text if isinstance(route, Refusal) else ""
    route = None if isinstance(route, Refusal) else route
    mover, profile = reach.mover, getattr(reach, "profile", None)
    clauses: tuple[str, ...] = ()
    if route is not None:
        clauses = tuple(dict.fromkeys(str(line.source) for line in route.ledger() if str(line.source)))
    if orders is None:
        orders = orders_of(session, mover.id) if session is not None else ((), ())
    spent = reach.query.turn.spent if hasattr(reach, "query") else Fraction(0)
    walked = None if session is None or route is None else _walked(session, mover.id, route)
    if walked is not None and route is not None:
        route = replace(route, lines=cut(reach.query, route.lines, route.steps, walked))
    return Page(
        mover.label,
        "mover:self",
        figure(mover, reach.start.posture),
        profile.summary if profile is not None else "",
        brief.postures(profile, reach.start.posture, arrive or None) if profile is not None else (),
        choices.gaits(reach, session),
        choices.ladder(reach),
        choices.left(reach),
        *orders,
        brief.budget(reach, route, spent, walked),
        brief.reasons(route, reach.bands, walked) if route is not None else (),
        "  ".join(clauses),
        why,
        brief.notes(reach.battlemap, reach, route, patient=patient) if route is not None else (),
        rolls.question(session, typed, referee=referee) if session is not None else None,
        safer,
        rolls.outcomes(reach, route) if route is not None else (),
        entries,
        explain,
        legend,
        gait_count(reach.bands),
        hints,
    )


def _walked(session: Session, mover: str, route: Route) -> int | None:
    """How many steps of its way a mover has done that waits for an answer; None where nobody waits."""
    waiting = session.position.pending
    if waiting is None or waiting.mover != mover:
        return None
    return max(0, len(legs_of(route)) - len(waiting.legs))


def orders_of(session: Session, mover: str) -> tuple[tuple[Choice, ...], tuple[Choice, ...]]:
    """The actions and the doors that a mover may order now."""
    return choices.acts(session, mover), choices.doors(session, mover)


def lay_out(page: Page, measure: Measure = guess, *, width: float = PANEL, least: float = 0.0) -> Sheet:
    """The page on a sheet as high as it needs, at least `least`; the key hints stand at the very end."""
    sheet = Sheet(width, measure, page.count)
    y = 20.0
    if not page.name:
        for line in sheet.wrapped(say("nobody"), NORMAL, width - 2 * MARGIN):
            sheet.words(line, (MARGIN, y), NORMAL, "dim")
            y += 22
        y += 12
    else:
        y = sections.who(sheet, page)
        if page.question is not None:
            y = sections.question(sheet, page.question, y)
        y = sections.postures(sheet, page.buttons, y)
        y = sections.gaits(sheet, page, y)
        y = sections.orders(sheet, page, y)
        y = sections.left(sheet, page.left, y)
        y = sections.budget(sheet, page.budget, y)
        y = sections.outcomes(sheet, page.outcomes, y)
        y = sections.why(sheet, page, y)
        y = sections.notes(sheet, page.notes, y)
        if page.safer is not None:
            y = sections.safer(sheet, page.safer, y)
    if page.legend and page.entries:
        y = sections.legend(sheet, page.entries, y)
    if page.hints:
        y = max(y + 4, least - 62)
        for n in (1, 2, 3):
            sheet.words(say(f"hint.{n}"), (MARGIN, y), SMALL, "faint", "left", width - MARGIN - 6)
            y += 19
    sheet.height = max(y + 4, least)
    return sheet
