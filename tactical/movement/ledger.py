"""From edges to a route: steps with their running sums, the ledger, provoked attacks, checks and hazards."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

from tactical.movement.explain import explain
from tactical.movement.lattice import Lattice
from tactical.movement.paths import Edge
from tactical.movement.query import Query
from tactical.movement.route import Line, Provocation, Route, State, Step
from tactical.rules.profile import Source
from tactical.units import Cell, show
from tactical.world.mover import Mover
from tactical.world.site import Site

PLAIN_WORDS = {
    "stand": "stand up",
    "crouch": "crouch",
    "prone": "drop prone",
    "squeeze": "squeeze in",
    "unsqueeze": "straighten out",
    "link": "take the",
    "jump": "jump",
}
FLAT_WORDS = {
    "door": "open the door",
    "fence": "climb the fence",
    "low_wall": "vault the low wall",
    "ledge": "climb the ledge",
}


def steps_of(
    lattice: Lattice,
    legs: Iterable[tuple[int, Sequence[Edge]]],
    spent: Fraction,
    *,
    capped: dict[int, Fraction] | None = None,
) -> list[Step]:
    """The steps along some edges, turn by turn; `spent` is what the first turn had used before."""
    out: list[Step] = []
    present = None
    for turn, edges in legs:
        if turn != present:
            running = spent if present is None and turn == 1 else Fraction(0)
            present = turn
        for edge in edges:
            step = explain(lattice, *edge)
            running += step.cost
            out.append(replace(step, turn=turn, spent=running))
    return out


def provoke(
    site: Site, steps: Sequence[Step], *, disengaged: bool = False, source: Source = Source()
) -> tuple[list[Step], list[Provocation]]:
    """Which steps invite which opportunity attacks: leaving an enemy's reach, once per enemy and turn (OPR-32)."""
    marked, found = [], []
    done: set[tuple[int, str]] = set()
    for n, step in enumerate(steps):
        by = (
            []
            if disengaged and step.turn == 1
            else [enemy for enemy in site.enemies if (step.turn, enemy.id) not in done and leaves(site, enemy, step)]
        )
        for enemy in by:
            done.add((step.turn, enemy.id))
            found.append(Provocation(enemy.id, step.start.cell, n, source))
        marked.append(replace(step, provokes=tuple(enemy.id for enemy in by)) if by else step)
    return marked, found


def leaves(site: Site, enemy: Mover, step: Step) -> bool:
    """Whether a step takes the body from within an enemy's reach to wholly outside it."""
    if not step.moves or step.way == "link":
        return False
    near = site.threatened_by(enemy)
    before = any(cell in near for cell in body(site, step.start))
    return before and not any(cell in near for cell in body(site, step.end))


def body(site: Site, state: State) -> Iterable[Cell]:
    """The cells that the mover covers in a state."""
    size = site.mover.size - 1 if state.squeezed else site.mover.size
    return [state.cell] if size <= 1 else site.footprint_cells(state.cell, size)


def ledger(query: Query, steps: Sequence[Step], spent: Fraction) -> tuple[Line, ...]:
    """One line a leg: like steps one after the other are one line."""
    lines: list[Line] = []
    groups: list[tuple[object, list[int]]] = []
    for n, step in enumerate(steps):
        key = (step.turn, band_name(query, step), step.way, step.ground, step.charges, step.distance, step.cost)
        lone = any(charge.flat for charge in step.charges) or not step.moves
        if groups and groups[-1][0] == key and not lone:
            groups[-1][1].append(n)
        else:
            groups.append((key, [n]))
    for _, members in groups:
        first, last = steps[members[0]], steps[members[-1]]
        price = sum((steps[n].cost for n in members), start=Fraction(0))
        lines.append(
            Line(
                words(query, first, len(members)),
                price,
                last.spent,
                reason(first),
                band_name(query, first),
                first.turn,
                first.way,
                tuple(members),
            )
        )
    return tuple(lines)


def reason(step: Step) -> Source:
    """The clause that prices a step: its own, or that of its dearest flat charge."""
    flats = [charge for charge in step.charges if charge.flat and charge.source.clause]
    if step.source.clause or not flats:
        return step.source
    return flats[0].source


def band_name(query: Query, step: Step) -> str:
    """The band that a step is paid from."""
    if step.turn > 1:
        return f"turn-{step.turn}"
    gaits = query.open_gaits
    for gait in gaits:
        if step.spent <= gait.budget:
            return gait.name
    return gaits[-1].name if gaits else ""


def words(query: Query, step: Step, count: int) -> str:
    """A ledger line in words: what ground, how many cells, which factors."""
    unit = query.profile.unit
    if not step.moves:
        text = PLAIN_WORDS.get(step.way, step.way)
        return text + (
            f" from {step.start.posture}" if step.way in ("stand", "crouch") and step.start.posture == "prone" else ""
        )
    if step.way == "link":
        return f"take the {step.ground or 'link'}"
    cell = show(query.battlemap.cell)
    parts = [f"{step.ground or 'open ground'}"]
    if step.way == "jump":
        parts = [f"jump {show(step.distance)} {query.battlemap.unit}, land on {step.ground or 'open ground'}"]
    elif step.way not in ("walk", "drive"):
        parts.append(f"({step.way})")
    flats = [
        FLAT_WORDS.get(charge.name, charge.name) for charge in step.charges if charge.flat and charge.name != "jump"
    ]
    if flats:
        parts.insert(0, " and ".join(flats) + ",")
    if step.way != "jump":
        parts.append(f" {count} x {cell} {unit if unit != 'turn' else query.battlemap.unit}")
    factors = [charge for charge in step.charges if not charge.flat]
    parts += [f"x {show(charge.value)}" for charge in factors]
    return " ".join(parts)


def assemble(
    query: Query, site: Site, steps: list[Step], end: State, *, band: str, budget: Fraction, notes: tuple[str, ...] = ()
) -> Route:
    """A route of its steps, with everything it costs and risks."""
    source = query.profile.sources.get("provoke", Source())
    steps, provoked = provoke(site, steps, disengaged=query.turn.disengaged, source=source)
    turn = steps[-1].turn if steps else 1
    spent = steps[-1].spent if steps else query.turn.spent
    stops = [a.end.cell for a, b in pairwise(steps) if a.turn != b.turn]
    hazards = []
    for step in steps:
        if step.moves and step.end.cell in query.battlemap:
            place = site.place(step.end.cell)
            if place is not None:
                hazard = site.kinds[int(site.core(site.kind)[place])].hazard
                if hazard:
                    hazards.append((hazard, step.end.cell))
    return Route(
        query.start,
        end,
        tuple(steps),
        sum((step.cost for step in steps), start=Fraction(0)),
        turn,
        band,
        spent,
        budget - spent,
        query.profile.unit,
        ledger(query, steps, query.turn.spent),
        tuple(provoked),
        tuple(dict.fromkeys(step.check for step in steps if step.check is not None)),
        (*stops, end.cell),
        tuple(hazards),
        notes,
    )
