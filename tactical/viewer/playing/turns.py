"""The strip below the map: the round, who has yet to move, in which order, and what Space does.

Knows no pygame.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from tactical.movement.reach import Reach
from tactical.show.choices import Choice
from tactical.show.labels import say
from tactical.show.scene.legend import stance
from tactical.show.scene.route import figure
from tactical.show.scene.scene import kind_of
from tactical.show.sheet import NORMAL, SMALL, Figure, Measure, Sheet
from tactical.viewer.picture.theme import STRIP
from tactical.viewer.playing.table import Table
from tactical.world.mover import Mover

TOKEN, GAP = 34.0, 6.0
ONWARD = 178.0
"""Width of a token without its name, of the space between two, and of the button of Space."""


@dataclass(frozen=True, slots=True)
class Turn:
    """One place in the order: who, in which role and posture; `active` has the turn, `spent` had this round's."""

    id: str
    name: str
    role: str
    posture: str
    active: bool = False
    spent: bool = False
    hint: str = ""


def round_of(table: Table) -> int:
    """The round that is played: where turns go in no order, that of whoever has had fewest turns."""
    position = table.session.position
    if position.order:
        return position.round
    return min((table.turn(name).turn for name in table.ids), default=1)


def turns(table: Table, selected: str | None, seen: Collection[Mover]) -> tuple[Turn, ...]:
    """Everybody in sight in their order: whose turn it is by the rules of the order, else who is selected."""
    position, now = table.session.position, round_of(table)
    known = {mover.id for mover in seen}
    viewer = table.mover(selected) if selected else None
    order = table.order
    here = order.index(position.active) if position.active in order else -1
    out = []
    for place, name in enumerate(order):
        mover = table.mover(name)
        if name not in known and name not in (selected, position.active):
            continue
        spent = place < here if position.order else table.turn(name).turn > now
        active = name == (position.active if position.order else selected)
        role = "mover:self" if name == selected else f"mover:{kind_of(None, mover, table.battlemap.movers)}"
        state = say("strip.spent") if spent else say("strip.active") if active else say("strip.to_come")
        mine = viewer is None or viewer.id == name
        called = mover.label if mine else f"{mover.label} ({stance(viewer, mover)})"
        hint = say("strip.hint", name=called, state=state)
        if position.order and name in table.thrown:
            hint = say("strip.hint.thrown", name=called, state=state, number=table.thrown[name])
        out.append(Turn(name, mover.label, role, figure(mover, table.state(name).posture), active, spent, hint))
    return tuple(out)


def used_up(reach: Reach | None) -> bool:
    """Whether there is nowhere left to go to this turn."""
    return reach is not None and not any(reach.cells(band) for band in reach.bands if band.turn == 1)


def strip(
    measure: Measure, width: float, title: str, places: Sequence[Turn], onward: Choice | None, *, glow: bool, free: bool
) -> Sheet:
    """Round, order and the button of Space; names go where there is no room, then places far from the active one."""
    sheet = Sheet(width, measure, back="bar", height=STRIP)
    head = sheet.words(title, (14, 16), NORMAL, "dim", "left", 110)
    x = head[0] + head[2] + 10
    if not places:
        return sheet  # nobody is there to take turns
    key = measure(say("strip.order"), SMALL) + 18
    hint = say("strip.free" if free else "strip.ordered")
    sheet.pill((x, 9, key, 26), say("strip.order"), "order", on=not free, hint=hint)
    x += key + 4
    sheet.plate((x, 9, 30, 26), "card", "line", 6)
    sheet.sign("die", (x + 15, 22), 7, "dim")
    sheet.button((x, 9, 30, 26), "throw", say("strip.throw"))
    x += 42
    end = width - 10
    if onward is not None:
        size = min(ONWARD, max(120.0, width / 4))
        box = (end - size, 7.0, size, 30.0)
        if glow:
            sheet.plate((box[0] - 4, box[1] - 4, box[2] + 8, box[3] + 8), "accent_line", "text", 10, 1)
        sheet.pill(box, onward.label, onward.command, on=onward.on or glow, possible=not onward.refused,
                   hint=onward.refused or say("hint.key", key=onward.key))  # fmt: skip
        end = box[0] - 12
    wide = [TOKEN + measure(place.name, SMALL) + 10 for place in places]
    named = sum(wide) + GAP * len(places) <= end - x
    if not named:
        loud = [place.active and 2 * size < end - x for place, size in zip(places, wide, strict=True)]
        wide = [size if name else TOKEN for name, size in zip(loud, wide, strict=True)]
    first, last = _window(wide, next((n for n, place in enumerate(places) if place.active), 0), end - x - 34)
    for place, size in list(zip(places, wide, strict=True))[first:last]:
        box = (x, 7.0, size, 30.0)
        sheet.plate(box, "accent" if place.active else "card", "accent_line" if place.active else "line", 7,
                    2 if place.active else 1)  # fmt: skip
        sheet.marks.append(Figure(place.role, place.posture, x + 17, 22, 24))
        ink = "text" if place.active else "faint" if place.spent else "dim"
        if size > TOKEN:
            sheet.words(place.name, (x + TOKEN - 2, 16), SMALL, ink)
        if place.spent:
            sheet.sign("check", (x + 27, 29), 6, "good_line")
        sheet.button(box, f"who:{place.id}", place.hint)
        x += size + GAP
    hidden = len(places) - (last - first)
    if hidden:
        sheet.words(f"+{hidden}", (x, 16), SMALL, "dim")
    return sheet


def _window(wide: Sequence[float], middle: int, room: float) -> tuple[int, int]:
    """The first and last place that are shown: all, or as many as there is room for about the middle."""
    first, last, used = middle, middle, 0.0
    while first > 0 or last < len(wide):
        ahead = last < len(wide) and (first == 0 or last - middle <= middle - first)
        size = (wide[last] if ahead else wide[first - 1]) + GAP
        if used + size > room + (34 if (first, last) in ((0, len(wide) - 1), (1, len(wide))) else 0):
            break
        used += size
        first, last = (first, last + 1) if ahead else (first - 1, last)
    return first, last
