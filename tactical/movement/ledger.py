"""From edges to a route: steps with their running sums, the ledger, provoked attacks, checks and hazards."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from math import prod
from typing import Any

from tactical.movement.declare import grounds_of
from tactical.movement.graph.lattice import Lattice
from tactical.movement.graph.writer import Edge
from tactical.movement.query import Query
from tactical.movement.route import Charge, Exposure, Line, PlannedTurn, Route, State, Step
from tactical.movement.steps.explain import taken
from tactical.movement.steps.provoking import provoke
from tactical.movement.turns.bands import Band
from tactical.movement.turns.planned import bought, gentlest, planned
from tactical.rules.profile import SHARES, Gait, Source
from tactical.units import spoken, total
from tactical.values import Same
from tactical.world.site import Site

DIAGONALS = {"diagonal": "diagonal", "diagonal2": "2nd diagonal"}
"""What a diagonal step is called that counts other than one cell, by the factor's name."""
MOST_WORDS = 5000
"""So many lines of ledgers are kept in words, for all movers alike on a map."""
Cited = tuple[tuple[str, ...], tuple[str, ...]]
HOUSE = "house_pace"
"""The ruling behind a pace that the table has made itself (G-A08)."""


def steps_of(lattice: Lattice, legs: Iterable[tuple[int, Sequence[Edge]]], spent: Fraction) -> list[Step]:
    """The steps along some edges, turn by turn; `spent` is what the first turn had used before."""
    out: list[Step] = []
    present = None
    for turn, edges in legs:
        if turn != present:
            running = lattice.draft.ticks(spent) if present is None and turn == 1 else 0
            present = turn
        for edge in edges:
            running += edge[2]
            out.append(taken(lattice, edge, turn, lattice.cost(running)))
    return out


def ledger(
    query: Query, steps: Sequence[Step], turns: Sequence[PlannedTurn], bands: Sequence[Band]
) -> tuple[Line, ...]:
    """One line a leg: like steps one after the other are one line, and every door that is opened one of its own.

    `bands` are those that later turns may be of, the one that the way ends in last.
    """
    lines: list[Line] = []
    before: tuple[Any, ...] = ()
    alike: list[Step] = []
    payers = [_payer(query, turn, turns[-1].number, bands) for turn in turns]

    def closed(end: int) -> None:
        if alike:
            lines.append(_line(query, alike, before[1], end))

    apart_from = _said_by_ways(query)[1]
    for n, whole in enumerate(steps):
        payer = payers[whole.turn - 1]
        band = payer if isinstance(payer, str) else payer(whole.spent)
        step, apart = _parted(whole, apart_from) if whole.charges else (whole, ())
        key = (step.turn, band, step.way, step.ground, step.charges, step.distance, step.cost)
        plain = key == before and not apart and step.full is None and step.moves
        if plain and not any(charge.flat for charge in step.charges):
            alike.append(step)
            continue
        closed(n)
        spent = whole.spent - whole.cost if apart else whole.spent
        for name, charge in apart:
            spent += charge.value
            text = _told(query, whole, name if charge.what else charge.name, what=charge.what) or name
            by = charge.source
            lines.append(Line(text, charge.value, spent, by, band, step.turn, name, (n,), None, *_cited(by)))
        before, alike = key, [step]
    closed(len(steps))
    return tuple(lines)


def _line(query: Query, alike: Sequence[Step], band: str, end: int) -> Line:
    """The line of like steps one after the other, the last of them the one before step number `end`."""
    step, last, count = alike[0], alike[-1], len(alike)
    full = step.full if step.full is not None and step.full > step.cost else None
    text, price, why, cited = _worded(query, last, count)
    return Line(text, price, last.spent, why, band, step.turn, step.way, tuple(range(end - count, end)), full, *cited)


def _cited(*sources: Source) -> Cited:
    """The clauses and the rulings of some sources, each once."""
    clauses = dict.fromkeys(source.clause for source in sources if source.clause)
    return tuple(clauses), tuple(dict.fromkeys(source.ruling for source in sources if source.ruling))


def _parted(step: Step, names: Mapping[str, str]) -> tuple[Step, list[tuple[str, Charge]]]:
    """A step without the prices that have lines of their own, by their names, and those with the lines' names.

    The turn may pay for no more than the step was charged for.
    """
    apart, left = list[tuple[str, Charge]](), step.cost
    for charge in step.charges if step.moves else ():
        if charge.name in names:
            apart.append((names[charge.name], replace(charge, value=min(charge.value, left))))
            left -= apart[-1][1].value
    if not apart:
        return step, apart
    rest = tuple(charge for charge in step.charges if charge.name not in names)
    return replace(step, charges=rest, cost=left), apart


def reason(step: Step) -> Source:
    """The clause of a line: that of a flat price that is most of the step, else the ground's."""
    flats = [charge for charge in step.charges if charge.flat and charge.value and charge.source.clause]
    dearest = max(flats, key=lambda charge: charge.value, default=None)
    if dearest is not None and (not step.source.clause or 2 * dearest.value > step.cost):
        return dearest.source
    return step.source


def cut(query: Query, lines: Sequence[Line], steps: Sequence[Step], at: int) -> tuple[Line, ...]:
    """A ledger with no line on both sides of a step: what a move under way has done, and what it still has to do."""
    out = []
    for line in lines:
        for part in (tuple(n for n in line.steps if n < at), tuple(n for n in line.steps if n >= at)):
            if len(part) == len(line.steps):
                out.append(line)
            elif part:
                price = sum((steps[n].cost for n in part), start=Fraction(0))
                text = words(query, steps[part[0]], len(part))
                out.append(replace(line, text=text, price=price, sum=steps[part[-1]].spent, steps=part))
    return tuple(out)


def _payer(query: Query, turn: PlannedTurn, last: int, bands: Sequence[Band]) -> str | Callable[[Fraction], str]:
    """The band that the steps of a turn are paid from; where that hangs on what has been spent, what says so.

    The first turn is paid by its gait where that has a shortest length, elsewhere by the first gait of the pool that is
    enough.  A later turn whose gait has no band of its own is of the band that the way ends in, the last of `bands`.
    """
    if turn.number > 1:
        own = (band for band in bands if (band.turn, band.gait) == (turn.number, turn.gait))
        ends = bands[-1].name if bands else ""
        name = f"turn-{turn.number}"
        return next((band.name for band in own), ends.replace(f"turn-{last}", name, 1) or name)
    named = next((gait for gait in query.profile.gaits if gait.name == turn.gait), None)
    if named is None or named.minimum:
        return "" if named is None else named.name
    # amounts are compared as whole numbers: this is asked of every step
    enough = [(*gait.budget.as_integer_ratio(), gait.name) for gait in query.open_gaits if gait.pool == named.pool]

    def payer(spent: Fraction) -> str:
        over, under = spent.as_integer_ratio()
        for most, part, name in enough:
            if over * part <= most * under:
                return name
        return named.name

    return payer


def _worded(query: Query, step: Step, count: int) -> tuple[str, Fraction, Source, Cited]:
    """What a line of like steps says: its words, price, clause and all it cites; the same all over a map if plain."""
    if not step.moves or step.full is not None:
        return _said(query, step, count)
    key = (
        count, step.way, step.ground, Same(step.source), Same(step.charges), step.cost.as_integer_ratio(),
        step.distance.as_integer_ratio(),
    )  # fmt: skip
    kept: dict[object, tuple[str, Fraction, Source, Cited]] = query.known.setdefault("words", {})
    found = kept.get(key)
    if found is None:
        if len(kept) >= MOST_WORDS:
            kept.clear()
        found = kept[key] = _said(query, step, count)
    return found


def _said(query: Query, step: Step, count: int) -> tuple[str, Fraction, Source, Cited]:
    why = reason(step)
    cited = _cited(why, step.source, *(s for c in step.charges for s in (c.source, *c.also)))
    return words(query, step, count), step.cost if count == 1 else step.cost * count, why, cited


def words(query: Query, step: Step, count: int) -> str:
    """A ledger line in words: what ground, how many cells, which factors and flat prices, so that the sum comes out."""
    if not step.moves or not step.distance:
        text = _told(query, step, step.way, what=step.door, ground=step.ground or step.way)
        return step.way.replace("_", " ") if text is None else text
    length, ground = query.battlemap.unit, step.ground or "open ground"
    flats = [charge for charge in step.charges if charge.flat]
    parts = [_flat_words(query, step, charge) for charge in flats if charge.name != "fall"]
    if step.way in {charge.name for charge in flats} and step.cost == sum(charge.value for charge in flats):
        return " + ".join(parts) + f" to {ground}"  # nothing is left to walk
    way = f" ({step.way.replace('_', ' ')})" if _told(query, step, step.way) is None else ""
    each = f"{count} x {spoken(query.battlemap.cell)} {length}"
    parts.append(f"{ground}{way}  {each}{_factor_words(query, step, flats)}")
    ruled = any(source.ruling == HOUSE for source in (step.source, *(charge.source for charge in step.charges)))
    fall = "".join(f", {charge.what}" for charge in flats if charge.name == "fall")
    return " + ".join(parts) + (" (house rule)" if ruled else "") + fall + _charged_words(query, step)


def _charged_words(query: Query, step: Step) -> str:
    """What a turn makes of a price that it does not charge as it is."""
    if step.full is None:
        return ""
    if step.full > step.cost:
        return f" = {spoken(step.full)}, the turn has {spoken(step.cost)}"
    return f" + {spoken(step.cost - step.full)} {query.profile.unit} of the move before, lost"


def _flat_words(query: Query, step: Step, charge: Charge) -> str:
    """A flat price in the words of the way that charges it; where those name a length, that stands for the price."""
    text = _told(query, step, charge.name, what=charge.what and f", {charge.what}")
    if text is not None and "{length}" in _words(query)[charge.name]:
        return text
    return f"{charge.name.replace('_', ' ') if text is None else text} {spoken(charge.value)}"


def _told(query: Query, step: Step, name: str, *, what: str = "", ground: str = "") -> str | None:
    """What ways of moving say for a step or a flat price of that name; None where they say nothing of it."""
    text = _words(query).get(name)
    if text is None:
        return None
    lying = query.profile.lowness(step.start.posture) > 1
    rising = f" from {step.start.posture}" if lying else ""
    unit = query.battlemap.unit
    return text.format(length=spoken(step.distance), unit=unit, ground=ground, what=what, rising=rising)


def _words(query: Query) -> dict[str, str]:
    """The words of all ways, by what they are the words for."""
    return _said_by_ways(query)[0]


def _said_by_ways(query: Query) -> tuple[dict[str, str], dict[str, str]]:
    """The words of all ways, and their prices that have lines of their own, with the names of these."""
    known: tuple[object, tuple[dict[str, str], dict[str, str]]] | None = query.known.get("said")
    if known is None or known[0] != query.ways:
        said = {name: text for way in query.ways for name, text in way.words.items()}
        apart = {name: line for way in query.ways for name, line in way.apart.items()}
        known = query.known["said"] = query.ways, (said, apart)
    return known[1]


def _factor_words(query: Query, step: Step, flats: Sequence[Charge]) -> str:
    """The factors as they multiply; where an option joins them otherwise, what they come to and their names."""
    factors = [charge for charge in step.charges if not charge.flat]
    times = [(f", {DIAGONALS[f.name]} x " if f.name in DIAGONALS else " x ") + spoken(f.value) for f in factors]
    names = ", ".join(DIAGONALS.get(factor.name, factor.name) for factor in factors)
    if query.profile.unit in SHARES:
        # a share of a turn does not tell what a cell without factors costs
        rule = "multiply" if len(factors) < 2 else query.options["difficult_diagonal"]
        joined = rule != "multiply" and any(factor.name == "diagonal2" for factor in factors)
        return f" ({names}: {rule})" if joined else "".join(times)
    cell = query.battlemap.cell
    price = step.cost if step.full is None else step.full
    ground = price - sum((charge.value for charge in flats), start=Fraction(0))
    if ground == cell * prod((charge.value for charge in factors), start=Fraction(1)):
        return "".join(times)
    return f" x {spoken(ground / cell)}" + (f" ({names})" if names else "")


def assemble(
    query: Query,
    site: Site,
    steps: list[Step],
    end: State,
    *,
    band: Band | None,
    gaits: Sequence[str] = (),
    bands: Sequence[Band] = (),
) -> Route:
    """A route of its steps, with everything it costs and risks; `band` is the one it ends in.

    `gaits` names the gait of each turn, where the plan knows them, and `bands` are those that its turns may be of.
    """
    known = (*query.profile.gaits, *query.fresh_profile.gaits)
    gait = None if band is None else next((one for one in known if one.name == band.gait), None)
    source = query.profile.sources.get("provoke", Source())
    steps, provoked = provoke(site, steps, disengaged=query.turn.disengaged, struck=query.turn.struck, source=source)
    turns = planned(query, site, steps, provoked, gait, gaits)
    spent = query.turn.spent
    if turns[-1].steps or len(turns) > 1:
        spent = turns[-1].steps[-1].spent if turns[-1].steps else Fraction(0)
    # a band may go as far as its dearest gait does where the turn itself is made in the gentlest that is enough
    budget = Fraction(0) if band is None else band.budget
    if band is not None and (len(turns) > 1 or (turns[-1].steps and bought(query))):
        budget = turns[-1].budget
    elif gait is not None and bought(query):
        budget = (gentlest(query, query.profile, gait, spent) or gait).budget
    lines = ledger(query, steps, turns, (*bands, band) if band is not None else bands)
    hazards: list[Exposure] = []
    for step in steps if site.hazardous else ():
        if step.moves and step.end.cell in query.battlemap and step.end.posture not in query.profile.media:
            place = site.place(step.end.cell)
            if place is not None:
                hazard = site.ground(place).hazard
                if hazard:
                    hazards.append(Exposure(hazard, step.end.cell))
    return Route(
        query.start,
        end,
        tuple(steps),
        total(one.spent for one in turns),
        turns[-1].number,
        "" if band is None else band.name,
        spent,
        budget - spent,
        query.profile.unit,
        lines,
        tuple(provoked),
        turns[0].checks,
        (*(one.end.cell for one in turns[:-1]), end.cell),
        tuple(hazards),
        _assumed(query, site, steps, gait),
        tuple(one.round for one in turns),
        _action(query, site, steps, lines),
        query.profile.attacked.get(end.posture, ()),
        turns,
    )


def _assumed(query: Query, site: Site, steps: Sequence[Step], gait: Gait | None) -> tuple[str, ...]:
    """What the rule system had to assume of the grounds on the way."""
    if query.profile.demand is None or gait is None:
        return ()
    return query.profile.demand(gait.name, grounds_of(site, steps)).notes


def _action(query: Query, site: Site, steps: Sequence[Step], lines: Sequence[Line]) -> str:
    """What the gait of the first turn uses up: ``free``, ``action``, ``bonus``, ``exclusive`` …"""
    paid = [line.band for line in lines if line.turn == 1 and line.band]
    if not paid:
        return "free"
    gait, demand = query.profile.gait(paid[-1]), query.profile.demand
    if demand is None:
        return gait.action
    return demand(gait.name, grounds_of(site, [step for step in steps if step.turn == 1])).action
