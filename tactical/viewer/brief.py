"""What the panel and the status line say, worked out before anything is drawn: words, numbers, roles.

Knows no pygame: what is said can be tested without a picture.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from tactical.errors import Refusal
from tactical.movement.route import Route
from tactical.rules.checks import Check
from tactical.rules.profile import Profile, Source
from tactical.show.route_shapes import step_roles
from tactical.show.scene import band_role, percent
from tactical.units import Cell, show
from tactical.viewer.labels import LABELS, say
from tactical.viewer.table import Table
from tactical.world.battlemap import Battlemap
from tactical.world.terrain import Terrain

if TYPE_CHECKING:
    from tactical.movement.declare import Declared


@dataclass(frozen=True, slots=True)
class PostureButton:
    """One posture: its label, the price of taking it now, and whether it is the present (or the planned) one."""

    posture: str
    label: str
    price: str
    now: bool = False
    planned: bool = False
    possible: bool = True
    ruling: bool = False


@dataclass(frozen=True, slots=True)
class Part:
    """A part of the budget bar: how much, in which role, whether it is spent already."""

    cost: Fraction
    role: str
    spent: bool = False


@dataclass(frozen=True, slots=True)
class Budget:
    """The budget bar: `total`, the parts that are used in order, and where each gait ends (amount, role, label)."""

    total: Fraction
    used: Fraction
    parts: tuple[Part, ...]
    ends: tuple[tuple[Fraction, str, str], ...]
    unit: str
    turn: int = 1


@dataclass(frozen=True, slots=True)
class Reason:
    """A line of the ledger."""

    text: str
    price: str
    sum: str
    role: str
    clause: str = ""


@dataclass(frozen=True, slots=True)
class Note:
    """A remark with an icon: ``good``, ``warn`` or ``bad``."""

    kind: str
    icon: str
    text: str


@dataclass(frozen=True, slots=True)
class Question:
    """What a paused move waits for, and the buttons that answer: (label, command)."""

    text: str
    icon: str
    buttons: tuple[tuple[str, str], ...]


def question(table: Table) -> Question | None:
    """The question that a paused move asks."""
    waiting = table.pending
    if waiting is None:
        return None
    name = table.mover(waiting.mover).label
    if waiting.what == "attack":
        ways = ("go_on", "stop_here")
        text = say("attack", who=table.names(waiting.enemies), name=name)
        return Question(text, "flash", tuple((say(f"attack.{way}"), way) for way in ways))
    check = waiting.checks[len(waiting.rolls) if waiting.what == "whole" else 0]
    number = "?" if check.number is None else check.number
    text = say("roll", name=name, skill=check.skill, number=number)
    return Question(text, "die", tuple((say(f"roll.{way}"), way) for way in ("roll", "passed", "failed")))


def postures(profile: Profile, current: str, planned: str | None) -> tuple[PostureButton, ...]:
    """The posture buttons, most upright first."""
    out = []
    for posture in profile.postures:
        change = next((c for c in profile.changes if (c.start, c.end) == (current, posture)), None)
        if posture == current:
            price = say("now")
        elif change is None:
            price = say("impossible")
        elif change.cost:
            price = say("costs", price=f"{show(change.cost)} {profile.unit}")
        else:
            price = say("free")
        ruled = change is not None and bool(change.source.ruling)
        label = LABELS.get(f"posture.{posture}", posture.capitalize())
        possible = posture == current or change is not None
        out.append(
            PostureButton(
                posture, label, price + (" *" if ruled else ""), posture == current, posture == planned, possible, ruled
            )
        )
    return tuple(out)


def budget(reach: Any, route: Route | None, spent: Fraction) -> Budget | None:
    """The bar of the present turn, or of the turn that the route ends in."""
    now = [band for band in reach.bands if band.turn == 1]
    if not now:
        return None
    turn = route.turn if route else 1
    later = next((band for band in reach.bands if band.turn == turn), None) if turn > 1 else None
    if later is not None:
        ends = [(later.budget, band_role(reach.bands, later), later.title)]
        parts: list[Part] = []
    else:
        ends = [(band.budget, band_role(reach.bands, band), band.title) for band in now]
        parts = [Part(spent, ends[0][1], True)] if spent else []
    total = max(amount for amount, _, _ in ends)
    if route:
        roles = step_roles(route, reach.bands)
        first = min((step.turn for step in route.steps), default=1)
        wanted = turn - 1 + first if route.steps else turn
        parts += [
            Part(step.cost, role)
            for step, role in zip(route.steps, roles, strict=True)
            if step.turn in (turn, wanted) and step.cost
        ]
    used = sum((part.cost for part in parts), Fraction(0))
    labels = []
    before = Fraction(0)
    for amount, role, title in ends:
        labels.append((amount, role, f"{title} {show(amount)}" if not before else f"{title} +{show(amount - before)}"))
        before = amount
    return Budget(total, used, tuple(parts), tuple(labels), reach.unit, turn)


def reasons(route: Route, bands: Sequence[Any]) -> tuple[Reason, ...]:
    """The ledger in lines: reason, price, running sum, clause."""
    roles = step_roles(route, bands)
    out = []
    for line in route.ledger():
        role = roles[line.steps[0]] if line.steps and line.steps[0] < len(roles) else "band:0"
        price = f"+{show(line.price)}" if line.price else say("free")
        text = line.text + (" *" if line.source.ruling else "")
        out.append(Reason(text, price, show(line.sum), role, str(line.source)))
    return tuple(out)


def rulings(route: Route | None) -> tuple[str, ...]:
    """The rulings used by a route, each once."""
    if route is None:
        return ()
    sources: list[Source] = [line.source for line in route.ledger()]
    return tuple(dict.fromkeys(source.ruling for source in sources if source.ruling))


def notes(battlemap: Battlemap, reach: Any, route: Route) -> tuple[Note, ...]:
    """What the way risks and uses up: attacks, rolls, hazards, actions, turns."""
    out = []
    names = {mover.id: mover.label for mover in battlemap.movers}
    for provocation in route.provokes:
        who = names.get(provocation.enemy, provocation.enemy)
        cell = battlemap.name_of(provocation.cell)
        out.append(Note("bad", "flash", say("provokes", cell=cell, who=f"an attack by {who}")))
    if not route.provokes and route.cells[1:]:
        out.append(Note("good", "check", say("safe")))
    for step in route.steps:
        if step.check is not None:
            check, cell = step.check, battlemap.name_of(step.end.cell)
            number = check.number if check.number is not None else check.level
            key = "check" if number else "check.none"
            words = say(key, skill=check.skill, number=number, cell=cell)
            chance = _chance(check) if number else ""
            out.append(Note("warn", "die", f"{words[:-1]}: {chance}." if chance else words))
    out += rolls(reach, route)
    for hazard, where in route.hazards:
        out.append(Note("bad", "warning", say("hazard", hazard=hazard, cell=battlemap.name_of(where))))
    band = next((band for band in reach.bands if band.name == route.band), None)
    if band is not None and band.turn == 1 and band.action not in ("", "free"):
        key = "action.bonus" if "bonus" in band.action else "action"
        out.append(Note("warn", "warning", say(key, title=band.title)))
    if route.turn > 1:
        out.append(Note("warn", "warning", say("later", n=route.turn)))
    out += [Note("warn", "warning", note) for note in route.notes]
    return tuple(dict.fromkeys(out))


def declared(reach: Any, route: Route) -> Declared | None:
    """The route as a declared move of this turn, or None where it is none (a later turn, a gait that is not open)."""
    from tactical.movement.declare import Declared, declare_steps, gait_of

    query = getattr(reach, "query", None)
    if query is None or route.turn != 1 or not route.steps:
        return None
    gait = gait_of(query, route.band)
    move = gait if isinstance(gait, Refusal) else declare_steps(query, gait, route.steps)
    return move if isinstance(move, Declared) else None


def rolls(reach: Any, route: Route) -> tuple[Note, ...]:
    """The rolls of the whole move and the exact chance that none fails."""
    from tactical.movement.odds import chance

    move = declared(reach, route)
    if move is None or not move.checks:
        return ()
    out = []
    for check in move.demand.checks:
        number = check.number if check.number is not None else check.level
        key = "roll.whole" if number else "roll.unknown"
        out.append(Note("warn", "die", say(key, skill=check.skill, number=number)))
    whole = chance(move)
    if not isinstance(whole, Refusal):
        out.append(Note("good" if whole * 2 >= 1 else "bad", "die", say("chance", chance=percent(whole))))
    return tuple(out)


def outcomes(reach: Any, route: Route) -> tuple[tuple[str, str], ...]:
    """What the roll of the whole move can bring, with its exact chance: (``24%``, ``slight slip, all of the way``)."""
    move = declared(reach, route)
    if move is None or not move.demand.checks:
        return ()
    query = move.query
    odds = query.ruleset.odds
    if odds is None:
        return ()
    found = odds(query.stats, query.turn, query.options, move.gait.name, move.length, move.grounds)
    if isinstance(found, Refusal):
        return ()
    effects = move.demand.checks[0].effects.values()
    out = []
    for outcome, part in found:
        name = str(outcome.result).replace("_", " ")
        words = next((effect for effect in effects if effect.split(",")[0] == name), name)
        out.append((percent(part), say("outcome.ok") if not outcome.failed else words))
    return tuple(out)


def chances(reach: Any) -> dict[Cell, Fraction]:
    """For every cell of this turn whose way needs a roll: the chance to get there by the way that is shown."""
    from tactical.movement.odds import chance

    out = {}
    for cell in sorted(reach.cells()):
        if reach.turn(cell) == 1:
            route = reach.route(cell)
            move = declared(reach, route) if isinstance(route, Route) else None
            whole = chance(move) if move is not None and move.checks else None
            if isinstance(whole, Fraction):
                out[cell] = whole
    return out


def _chance(check: Check) -> str:
    """The chance that a roll does not stop the move, in words; empty where it is not known."""
    from tactical.movement.odds import chance_of

    found = chance_of(check)
    return "" if isinstance(found, Refusal) else percent(found)


def ground_words(terrain: Terrain, unit: str, *, levels: bool = False) -> str:
    """A kind of ground in words: its name and the facts that its name does not say; difficulty levels on request."""
    words = [terrain.name or say("plain")]
    for fact in ("impassable", "difficult", "rough", "climb", "swim", "slick", "gap"):
        if getattr(terrain, fact) and fact not in terrain.name:
            words.append(fact)
    if terrain.water and "water" not in terrain.name:
        words.append(f"{terrain.water} water")
    if terrain.headroom:
        words.append(f"headroom: {terrain.headroom}")
    if terrain.elevation:
        words.append(say("height", height=show(terrain.elevation), unit=unit))
    if terrain.hazard:
        words.append(f"hazard: {terrain.hazard}")
    if levels and terrain.level:
        words.append(f"level {terrain.level}" + (f" {terrain.number}" if terrain.number is not None else ""))
    return ", ".join(words)


def cell_words(battlemap: Battlemap, reach: Any, cell: Cell, why: Refusal | None) -> tuple[str, ...]:
    """What there is to say about a cell: its name, the ground, then the price and band, or `why` not."""
    # difficulty levels are the business of rules that ask for numbers
    levels = "default_number" in getattr(reach, "options", ())
    out = [battlemap.name_of(cell), ground_words(battlemap.terrain(cell), battlemap.unit, levels=levels)]
    here = [mover.label for mover in battlemap.movers if mover.at == cell]
    if here:
        out.append(", ".join(here))
    if why is not None:
        return (*out, why.text)
    if reach is None or cell == reach.start.cell:
        return tuple(out)
    cost, band = reach.cost(cell), reach.band(cell)
    if cost is not None and band is not None:
        out.append(say("status.cost", cost=show(cost), unit=reach.unit))
        posture = reach.posture(cell)
        if posture:
            out.append(say("status.posture", posture=LABELS.get(posture, posture)))
        left = show(reach.remaining(cell) or Fraction(0))
        out.append(say("status.band", band=band.title, left=left, unit=reach.unit))
    return tuple(out)
