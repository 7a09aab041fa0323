"""What is said of the cell under the pointer: everything on the status line, only what that does not show in a tip."""

from __future__ import annotations

from math import hypot
from typing import Any

from tactical.errors import Refusal
from tactical.movement.route import Route
from tactical.rules.clauses import all_clauses
from tactical.show import brief, rolls
from tactical.show.amounts import turn_word
from tactical.show.labels import say
from tactical.units import Cell, percent
from tactical.viewer.overlays.looking import Looking
from tactical.viewer.playing.hand import Hand


def cell_words(looking: Looking, reach: Any) -> tuple[str, ...]:
    """What the status line says: what a move waits for, else all of the cell under the pointer."""
    hand = looking.hand
    if waited := rolls.waited_for(hand.session, hand.number, referee=looking.shown.referee):
        return (say("waited"), waited)
    if hand.hover is None:
        return ()
    if dark(looking, hand.hover):
        return (hand.battlemap.name_of(hand.hover), say("unexplored"))
    route = hand.route
    why = route if isinstance(route, Refusal) else None
    own = route if isinstance(route, Route) and (hand.waypoints or hand.arrive) else None
    # of a reach that is worked out nothing is known yet
    now = reach if hand.reach is reach else None
    words = brief.cell_words(hand.seen, now, hand.hover, why, target=hand.target, route=own)
    chance = hand.chance if now is not None and looking.shown.odds and why is None else None
    if chance is not None and chance < 1:
        best = hand.likelier
        key = "status.chance" if best is None else "status.chance.better"
        words = (*words, say(key, chance=percent(chance), best="" if best is None else percent(best.chance)))
    mover = hand.mover
    if looking.measure and mover is not None and mover.at is not None:
        words = (*words, measured(looking, mover.at, hand.hover))
    return words


def tip_lines(looking: Looking, reach: Any) -> tuple[str, ...]:
    """What the tip adds: why one cannot go there, who strikes there; nothing where all is said already.

    While a move waits the pointer asks for nothing: the way that is shown is of that move.
    """
    hand = looking.hand
    if hand.hover is None or dark(looking, hand.hover) or hand.table.pending is not None:
        return ()
    route = hand.route
    if isinstance(route, Refusal):
        return (route.text,)
    out = []
    now = reach if hand.reach is reach else None
    found = brief.threats(hand.seen, now, hand.target) if now is not None and hand.target is not None else ()
    plain = "threat" if found and reach.query.strikes else "threat.reach"
    for key, spent in ((plain, False), ("threat.struck", True)):
        if names := [name for name, struck in found if struck == spent]:
            out.append(say(key, who=", ".join(names), word=turn_word(reach.bands)))
    return tuple(out)


def rulings_in_words(hand: Hand, reach: Any, route: object) -> list[str]:
    """What each * on the panel stands for, of the way first, then of the postures' prices, for the status line."""
    known = all_clauses(hand.about.query.ruleset) if hand.about is not None else {}
    way = brief.rulings(route) if isinstance(route, Route) else ()
    changes = reach.profile.changes if hasattr(reach, "profile") else ()
    rises = [change.source.ruling for change in changes if change.start == reach.start.posture]
    used = dict.fromkeys(name for name in (*way, *rises) if name)
    return [f"* {known[name]}" if known.get(name) else brief.ruling_words(name) for name in used]


def dark(looking: Looking, cell: Cell) -> bool:
    """Whether the selected mover has not explored a cell."""
    hand = looking.hand
    known = hand.table.known(hand.selected) if hand.selected and not looking.shown.referee else None
    return known is not None and cell not in known


def measured(looking: Looking, a: Cell, b: Cell) -> str:
    """How far it is from middle to middle, in cells and in the map's unit."""
    battlemap = looking.hand.battlemap
    (x0, y0), (x1, y1) = (battlemap.grid.centre(cell.col, cell.row) for cell in (a, b))
    length = hypot(x1 - x0, y1 - y0)
    feet = f"{length * float(battlemap.cell):.1f}".rstrip("0").rstrip(".")
    return say("status.measure", cells=f"{length:.1f}".rstrip("0").rstrip("."), length=feet, unit=battlemap.unit)
