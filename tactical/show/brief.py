"""What the panel and the status line say, worked out before anything is drawn: words, numbers, roles.

Knows no pygame: what is said can be tested without a picture.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from tactical.errors import Refusal
from tactical.movement.route import Route
from tactical.movement.turns.bands import Band
from tactical.rules.profile import Profile
from tactical.show.amounts import amount, band_named, turn_word, unit_of
from tactical.show.labels import LABELS, say
from tactical.show.rolls import Note, chance_words, jumps, later_rolls, rolls
from tactical.show.scene.legend import band_role, stance
from tactical.show.scene.route import step_bands, step_roles
from tactical.units import Cell, spoken
from tactical.world.battlemap import Battlemap
from tactical.world.terrain import Terrain

if TYPE_CHECKING:
    from tactical.movement.reach import Reach

ENGINE = "engine"
"""What rulings of the engine's own are called (`tactical.rules.clauses`)."""


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

    `words` say how much of it is used, `role` is the band that pays and `least` what a move in it must use; `word` is
    what the rules call a turn.
    """

    total: Fraction
    used: Fraction
    parts: tuple[Part, ...]
    ends: tuple[tuple[Fraction, str, str], ...]
    words: str
    role: str
    turn: int = 1
    least: Fraction = Fraction(0)
    word: str = "turn"


@dataclass(frozen=True, slots=True)
class Reason:
    """A line of the ledger; `done` where a move that waits has that behind it."""

    text: str
    price: str
    sum: str
    role: str
    clause: str = ""
    done: bool = False


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
            price = say("costs", price=f"{spoken(change.cost)} {profile.unit}")
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


def budget(reach: Reach, route: Route | None, spent: Fraction, walked: int | None = None) -> Budget | None:
    """The bar of the present turn, or of the turn that the route ends in.

    `spent` is what the turn has used where there is no route: a route knows itself what was used before it.  `walked`
    are the steps done of a move that waits; the bar is then of the turn that it waits in.
    """
    bands: Sequence[Band] = reach.bands
    now = [band for band in bands if band.turn == 1]
    if not now:
        return None
    turn = 1 if route is None or walked is not None else route.turn
    steps = [] if route is None else [n for n, step in enumerate(route.steps) if step.turn == turn]
    paying = _paying(route, steps, bands, turn)
    # later turns are of one gait, and gaits with searches of their own share nothing but the turn
    ends = [paying or now[0]] if turn > 1 or now[0].metres is not None else now
    # a band of a later turn goes as far as its dearest gait does, a way there in the gait that the turn is planned in
    later = route.turns[-1].budget if route is not None and turn > 1 else None
    most_of = {band: band.budget if later is None else later for band in ends}
    total = max(most_of.values())
    parts: list[Part] = []
    if route is not None and steps:
        roles = step_roles(route, bands)
        spent = route.steps[steps[0]].spent - route.steps[steps[0]].cost
        parts = [
            Part(route.steps[n].cost, roles[n], walked is not None and n < walked) for n in steps if route.steps[n].cost
        ]
    if spent and turn == 1:
        parts.insert(0, Part(spent, band_role(bands, ends[0]), True))
    used = sum((part.cost for part in parts), Fraction(0))
    labels = []
    before = Fraction(0)
    for band in ends:
        # gaits that pay from one budget go on where the one before ends
        most = most_of[band]
        more = f"+{amount(most - before, band)}" if before and most > before else amount(most, band)
        labels.append((most, band_role(bands, band), f"{band.title} {more}"))
        before = most
    over = paying or next((band for band in ends if used <= band.budget), ends[-1])
    # with a way, what it may use is the budget of the gait that pays for it
    most = total if route is None else later or over.budget
    words = say("of", spent=amount(used, over), budget=amount(most, over), unit=unit_of(bands, reach.unit))
    return Budget(
        total,
        used,
        tuple(parts),
        tuple(labels),
        words,
        band_role(bands, over),
        turn,
        over.minimum if later is None or route is None else route.turns[-1].minimum,
        over.word,
    )


def _paying(route: Route | None, steps: Sequence[int], bands: Sequence[Band], turn: int) -> Band | None:
    """The band that pays for a route in one of its turns; None where that is not open (any more)."""
    if route is None:
        return None
    if route.turn == turn:
        return band_named(route.band, bands)
    return step_bands(route, bands)[steps[-1]] if steps else None


def reasons(route: Route, bands: Sequence[Band], walked: int | None = None) -> tuple[Reason, ...]:
    """The ledger in lines: reason, price, running sum, clause; what a move that waits has `walked` is done."""
    roles, paid = step_roles(route, bands), step_bands(route, bands)
    out = []
    for line in route.ledger():
        known = bool(line.steps) and line.steps[0] < len(roles)
        role, band = (roles[line.steps[0]], paid[line.steps[0]]) if known else ("band:0", None)
        price = f"+{amount(line.price, band)}" if line.price else say("free")
        text = re.sub(r" x (?=[\d½¼])", " × ", line.text) + (" *" if line.rulings else "")
        done = walked is not None and known and line.steps[-1] < walked
        out.append(Reason(text, price, amount(line.sum, band), role, line.sources, done))
    return tuple(out)


def rulings(route: Route | None) -> tuple[str, ...]:
    """The rulings used by a route, each once."""
    if route is None:
        return ()
    return tuple(dict.fromkeys(ruling for line in route.ledger() for ruling in line.rulings))


def ruling_words(name: str) -> str:
    """A ruling that is used, by name; what the engine rules by itself has none."""
    return say("ruling.own") if name == ENGINE else say("ruling", id=name)


def threat(battlemap: Battlemap, reach: Reach, cell: Cell) -> str:
    """Who of those in sight can strike at whoever stands on a cell, by name; empty where nobody can."""
    return ", ".join(label for label, _ in threats(battlemap, reach, cell))


def threats(battlemap: Battlemap, reach: Reach, cell: Cell) -> tuple[tuple[str, bool], ...]:
    """Who of those in sight reaches a cell, by name, and whether they have struck in the turn that one gets there."""
    found = reach.threatened().get(cell, ()) if hasattr(reach, "threatened") else ()
    struck = reach.query.turn.struck if found and reach.turn(cell) == 1 else ()
    return tuple((mover.label, mover.id in struck) for mover in battlemap.movers if mover.id in found)


def notes(battlemap: Battlemap, reach: Reach, route: Route, *, patient: bool = True) -> tuple[Note, ...]:
    """What the way risks and uses up: attacks, rolls, hazards, actions, turns; `patient` as in `rolls.rolls`."""
    out = []
    names = {mover.id: mover.label for mover in battlemap.movers}
    for provocation in route.provokes:
        who = names.get(provocation.enemy, provocation.enemy)
        cell = battlemap.name_of(provocation.cell)
        out.append(Note("bad", "flash", say("provokes", cell=cell, who=f"a strike by {who}")))
    if not route.provokes and route.cells[1:] and reach.query.strikes:
        out.append(Note("good", "check", say("safe")))
    for step in route.steps:
        if step.damage:
            down = battlemap.terrain(step.start.cell).elevation - battlemap.terrain(step.end.cell).elevation
            amounts = {"fall": spoken(down), "unit": battlemap.unit, "damage": spoken(step.damage)}
            key = "falls.softened" if step.check is not None and step.check.softens else "falls"
            out.append(Note("bad", "warning", say(key, cell=battlemap.name_of(step.end.cell), **amounts)))
        if step.check is not None:
            check, cell = step.check, battlemap.name_of(step.end.cell)
            number = check.number if check.number is not None else check.level
            key = "check" if number else "check.none"
            words = say(key, skill=check.skill, number=number, cell=cell)
            chance = chance_words(check) if number else ""
            out.append(Note("warn", "die", f"{words[:-1]}: {chance}." if chance else words))
    out += [*jumps(reach, route), *rolls(reach, route, patient=patient), *later_rolls(reach, route)]
    who = threat(battlemap, reach, route.end.cell) if route.cells[1:] else ""
    if who:
        words = say("threat.note", cell=battlemap.name_of(route.end.cell), who=who)
        out.append(Note("warn", "flash", words))
    for hazard, where in route.hazards:
        out.append(Note("bad", "warning", say("hazard", hazard=hazard, cell=battlemap.name_of(where))))
    band = next((band for band in reach.bands if band.name == route.band), None)
    if band is not None and band.turn == 1 and band.action not in ("", "free"):
        key = "spends.bonus" if "bonus" in band.action else "spends.action"
        out.append(Note("warn", "warning", say(key, title=band.title)))
    if route.turn > 1:
        out.append(Note("warn", "warning", say("later", n=route.turn, word=turn_word(reach.bands))))
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
    if terrain.depth is not None:
        words.append(say("depth", depth=spoken(terrain.depth)))
    if terrain.headroom:
        words.append(f"headroom: {terrain.headroom}")
    if terrain.elevation:
        words.append(say("height", height=spoken(terrain.elevation), unit=unit))
    if terrain.hazard:
        words.append(f"hazard: {terrain.hazard}")
    if levels and terrain.difficulty:
        words.append(f"level {terrain.difficulty}" + (f" {terrain.number}" if terrain.number is not None else ""))
    return ", ".join(words)


def cell_words(
    battlemap: Battlemap,
    reach: Reach | None,
    cell: Cell,
    why: Refusal | None,
    *,
    target: Cell | None = None,
    route: Route | None = None,
) -> tuple[str, ...]:
    """What there is to say about a cell: its name, the ground, then the price and band, or `why` not.

    `target` is the place it means to a large body.  `route` is the way that is shown there, where it is another than
    the cheapest (through waypoints, or to arrive in a posture): then its price, posture and band are told.
    """
    # difficulty levels are the business of rules that ask for numbers
    levels = reach is not None and reach.options.deciding("level") != ""
    ground = battlemap.terrain(cell)
    for zone in battlemap.zones:
        if not zone.source and cell in zone.cells:
            ground = ground.under(zone.facts)
    out = [battlemap.name_of(cell), ground_words(ground, battlemap.unit, levels=levels)]
    viewer = None if reach is None else reach.mover
    for mover in battlemap.movers:
        if mover.at == cell:
            mine = viewer is None or viewer.id == mover.id
            out.append(mover.label if mine else f"{mover.label} ({stance(viewer, mover)})")
    if why is not None:
        return (*out, why.text)
    if reach is None or cell == reach.start.cell:
        return tuple(out)
    if target is not None and target != cell:
        out.append(say("status.place", cell=battlemap.name_of(target)))
        cell = target
    if route is None:
        key, cost, band = "status.cost", reach.cost(cell), reach.band(cell)
        posture, left = reach.posture(cell), reach.remaining(cell) or Fraction(0)
    else:
        key, cost, band = "status.this_way", route.cost, band_named(route.band, reach.bands)
        posture, left = route.end.posture, route.remaining
    if cost is not None and band is not None:
        unit = unit_of(reach.bands, reach.unit)
        out.append(say(key, cost=amount(cost, band), unit=unit))
        if posture and len(reach.profile.postures) > 1:
            out.append(say("status.posture", posture=LABELS.get(posture, posture)))
        out.append(say("status.band", band=band.title, left=amount(left, band), unit=unit))
    return tuple(out)
