"""What the panel and the status line say, worked out before anything is drawn: words, numbers, roles.

Knows no pygame: what is said can be tested without a picture.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from tactical.errors import Refusal
from tactical.movement.route import Route
from tactical.rules.profile import Profile, Source
from tactical.show.amounts import amount, band_of, unit_of
from tactical.show.labels import LABELS, say
from tactical.show.legend import band_role
from tactical.show.rolls import Note, chance_words, jumps, rolls
from tactical.show.route_shapes import step_roles
from tactical.units import Cell, show
from tactical.world.battlemap import Battlemap
from tactical.world.terrain import Terrain


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
    """The budget bar: `total`, the parts that are used in order, and where each gait ends (amount, role, label).

    `words` say how much of it is used, `role` is the band that pays and `least` what a move in it must use.
    """

    total: Fraction
    used: Fraction
    parts: tuple[Part, ...]
    ends: tuple[tuple[Fraction, str, str], ...]
    words: str
    role: str
    turn: int = 1
    least: Fraction = Fraction(0)


@dataclass(frozen=True, slots=True)
class Reason:
    """A line of the ledger."""

    text: str
    price: str
    sum: str
    role: str
    clause: str = ""


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
    if now[0].metres is not None and later is None:
        # gaits with searches of their own share nothing but the turn: the one that pays is shown
        paying = next((band for band in now if route is not None and band.name == route.band), now[0])
        ends = [(paying.budget, band_role(reach.bands, paying), paying.title)]
        parts = [Part(spent, ends[0][1], True)] if spent else []
    total = max(most for most, _, _ in ends)
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
    for most, role, title in ends:
        band = band_of(role, reach.bands)
        # gaits that pay from one budget go on where the one before ends
        more = f"+{amount(most - before, band)}" if before and most > before else amount(most, band)
        labels.append((most, role, f"{title} {more}"))
        before = most
    over = next((role for most, role, _ in ends if used <= most), ends[-1][1])
    if route is not None and route.turn == 1:
        over = next((band_role(reach.bands, band) for band in now if band.name == route.band), over)
    band = band_of(over, reach.bands)
    # with a way, what it may use is the budget of the gait that pays for it
    most = band.budget if band is not None and route is not None else total
    words = say("of", spent=amount(used, band), budget=amount(most, band), unit=unit_of(reach.bands, reach.unit))
    least = band.minimum if band is not None else Fraction(0)
    return Budget(total, used, tuple(parts), tuple(labels), words, over, turn, least)


def reasons(route: Route, bands: Sequence[Any]) -> tuple[Reason, ...]:
    """The ledger in lines: reason, price, running sum, clause."""
    roles = step_roles(route, bands)
    out = []
    for line in route.ledger():
        role = roles[line.steps[0]] if line.steps and line.steps[0] < len(roles) else "band:0"
        band = band_of(role, bands)
        price = f"+{amount(line.price, band)}" if line.price else say("free")
        text = line.text + (" *" if line.source.ruling else "")
        out.append(Reason(text, price, amount(line.sum, band), role, str(line.source)))
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
            chance = chance_words(check) if number else ""
            out.append(Note("warn", "die", f"{words[:-1]}: {chance}." if chance else words))
    out += [*jumps(reach, route), *rolls(reach, route)]
    for hazard, where in route.hazards:
        out.append(Note("bad", "warning", say("hazard", hazard=hazard, cell=battlemap.name_of(where))))
    band = next((band for band in reach.bands if band.name == route.band), None)
    if band is not None and band.turn == 1 and band.action not in ("", "free"):
        key = "spends.bonus" if "bonus" in band.action else "spends.action"
        out.append(Note("warn", "warning", say(key, title=band.title)))
    if route.turn > 1:
        out.append(Note("warn", "warning", say("later", n=route.turn)))
    out += [Note("warn", "warning", note) for note in route.notes]
    return tuple(dict.fromkeys(out))


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


def cell_words(
    battlemap: Battlemap, reach: Any, cell: Cell, why: Refusal | None, *, target: Cell | None = None
) -> tuple[str, ...]:
    """What there is to say about a cell: its name, the ground, then the price and band, or `why` not.

    `target` is the place it means to a large body.
    """
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
    if target is not None and target != cell:
        out.append(say("status.place", cell=battlemap.name_of(target)))
        cell = target
    cost, band = reach.cost(cell), reach.band(cell)
    if cost is not None and band is not None:
        unit = unit_of(reach.bands, reach.unit)
        out.append(say("status.cost", cost=amount(cost, band), unit=unit))
        posture = reach.posture(cell)
        if posture:
            out.append(say("status.posture", posture=LABELS.get(posture, posture)))
        left = amount(reach.remaining(cell) or Fraction(0), band)
        out.append(say("status.band", band=band.title, left=left, unit=unit))
    return tuple(out)
