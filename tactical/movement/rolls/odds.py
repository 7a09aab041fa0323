"""Odds: the exact chances of a declared move, of a jump, of an effort that lasts, and the best choice among ways.

Where a rule system rolls for whole moves (`Ruleset.odds`) its outcomes are asked; everywhere else the chances of the
single rolls multiply.  All chances are exact fractions.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from tactical.errors import Refusal, UnknownName
from tactical.movement.declare import Declared, follow, gait_of
from tactical.movement.graph.leaps import approach_of
from tactical.movement.query import Query
from tactical.movement.route import Route, State
from tactical.movement.situation import fresh_turn
from tactical.options import Options
from tactical.rules.checks import Check, no_number
from tactical.rules.dice import chance_with
from tactical.rules.profile import Approach, Flight, Gait
from tactical.rules.ruleset import Ruleset
from tactical.rules.stretches import Stretch
from tactical.rules.turnstate import TurnState
from tactical.units import Cell
from tactical.world.terrain import Terrain

SURE = Fraction(1)


@dataclass(frozen=True, slots=True)
class Landings:
    """Where a declared move ends, each cell with its chance; `open` is the chance of what the game master decides."""

    cells: Mapping[Cell, Fraction]
    open: Fraction = Fraction(0)


def chance(move: Declared) -> Fraction | Refusal:
    """The chance that no roll of a declared move fails (a prepared fall only hurts less, it stops nobody)."""
    query = move.query
    if query.ruleset.odds is not None:
        found = query.ruleset.odds(query.stats, query.turn, query.options, move.gait.name, move.length, move.grounds)
        if isinstance(found, Refusal):
            return found
        return sum((part for outcome, part in found if not outcome.failed), Fraction(0))
    whole = SURE
    for stretch in move.stretches:
        part = chance_of(stretch.check)
        if isinstance(part, Refusal):
            return part
        whole *= part
    return whole * roll_chance(move.gait, query.turn.spent + move.length)


def plan_chance(move: Declared, route: Route) -> Fraction | Refusal:
    """The chance that no roll of any turn of a route fails; `move` is its first turn.

    It is the product over the turns: one in which nothing failed leaves nothing behind.
    """
    whole = chance(move)
    for turn in route.turns[1:]:
        for check in turn.checks:
            part = chance_of(check)
            if isinstance(part, Refusal) or isinstance(whole, Refusal):
                return part if isinstance(part, Refusal) else whole
            whole *= part
    return whole


def there(move: Declared) -> Fraction | Refusal:
    """The chance that a declared move ends where it leads, be it with a slip that goes all the way."""
    ends = landings(move)
    return ends if isinstance(ends, Refusal) else ends.cells.get(move.end.cell, Fraction(0))


def chance_of(check: Check) -> Fraction | Refusal:
    """The chance that a roll does not stop the move."""
    if check.kind == "fall":
        return SURE
    found = check.chance()
    if found is not None:
        return found
    if check.number is None:
        return no_number(check)
    return Refusal("rules.not_covered", {"why": f"odds without a dice code for {check.skill}"})


def roll_chance(gait: Gait, needed: Fraction) -> Fraction:
    """The chance that a gait whose budget is rolled for buys as much; 1 where it is fixed."""
    if gait.rolled is None:
        return SURE
    sure, faces = gait.rolled
    missing = -((sure - needed) // 1)
    return SURE if missing <= 0 else chance_with(faces, 0, int(missing)) if faces else Fraction(0)


def landings(move: Declared) -> Landings | Refusal:
    """Where the move ends with which chance: the end, or wherever a failed roll leaves the mover (REUP-A09)."""
    query = move.query
    cells: dict[Cell, Fraction] = {}
    open_ = Fraction(0)

    def add(cell: Cell | None, part: Fraction) -> None:
        nonlocal open_
        if cell is None:
            open_ += part
        elif part:
            cells[cell] = cells.get(cell, Fraction(0)) + part

    if query.ruleset.odds is not None:
        found = query.ruleset.odds(query.stats, query.turn, query.options, move.gait.name, move.length, move.grounds)
        if isinstance(found, Refusal):
            return found
        for outcome, chance in found:
            add(None if outcome.moved is None else move.after(outcome.moved).cell, chance)
        return Landings(cells, open_)
    left = SURE
    for stretch in move.stretches:
        part = chance_of(stretch.check)
        if isinstance(part, Refusal):
            return part
        found_at = end_after(move, stretch)
        add(None if found_at is None else found_at.cell, left * (1 - part))
        left *= part
    add(move.end.cell, left)
    return Landings(cells, open_)


def end_after(move: Declared, failed: Stretch) -> State | None:
    """Where somebody ends who fails a roll: where it could last stop before; None where the game master says."""
    if failed.whole:
        return move.start
    stays = move.query.profile.holds is not None and not failed.check.aloft
    return move.stop_before(failed.steps[0]) if stays else None


# --- jumps -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Jump:
    """A declared jump: how it is approached, at which gait, and what it is."""

    query: Query
    gait: str
    approach: Approach
    flight: Flight


def declare_jump(
    query: Query, path: tuple[Cell, ...], to: Cell, *, gait: str = "", run_up: Fraction | None = None
) -> Jump | Refusal:
    """A jump from the last cell of `path` over the gap to `to`, with the run-up that the path makes.

    `run_up` says instead how far somebody has run.  Without a gait the one with the best chance is taken.  Refused
    where no gap lies between, or no jump of this mover spans it.
    """
    names = [gait] if gait else [known.name for known in query.open_gaits]
    best: Jump | None = None
    reason: Refusal | None = None
    for name in names:
        chosen = gait_of(query, name)
        found = chosen if isinstance(chosen, Refusal) else _jump(query, chosen, path, to, run_up)
        if isinstance(found, Refusal):
            reason = found if reason is None or found.code == "move.run_up" else reason
        elif best is None or found.flight.chance > best.flight.chance:
            best = found
    if best is not None:
        return best
    return Refusal("rules.not_covered", {"why": "jumping"}) if reason is None else reason


def _jump(query: Query, gait: Gait, path: tuple[Cell, ...], to: Cell, run_up: Fraction | None) -> Jump | Refusal:
    jump = query.profile.jump
    if jump is None:
        return Refusal("rules.not_covered", {"why": "jumping without the stats it needs"})
    at = query.changed(mover=replace(query.mover, at=path[0]))
    lattice = at.lattice(gait.pool, None)
    steps = follow(lattice, at.start, path)
    if isinstance(steps, Refusal):
        return steps
    ran = Fraction(0) if run_up is None else run_up
    if run_up is None:
        for step in steps:
            ran = ran + step.distance if step.end.run_up else Fraction(0)
    start, end = lattice.site.place(path[-1]), lattice.site.place(to)
    leap = None if start is None or end is None else lattice.draft.leaps.get((start, end))
    name = query.battlemap.name_of
    if leap is None:
        return Refusal("move.gap", {"cell": f"what lies between {name(path[-1])} and {name(to)}"})
    approach = approach_of(lattice.draft, leap, ran)
    flight = jump.flight(approach)
    return flight if isinstance(flight, Refusal) else Jump(query, gait.name, approach, flight)


# --- efforts ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Kept:
    """A gait kept up for some rounds: its rolls (each before which round), and the chance that none of them fails."""

    tests: tuple[tuple[int, Check], ...]
    chance: Fraction | None


def kept_up(
    ruleset: Ruleset,
    stats: Any,
    options: Options,
    turn: TurnState,
    gait: str,
    rounds: int,
    metres: Fraction | None = None,
    grounds: tuple[Terrain, ...] = (),
) -> Kept | Refusal:
    """So many rounds of a gait in a row, each passed, with what falls due before the last is over; or why not.

    Every round goes over `grounds`, `metres` far (None: all that the gait allows).  A gait that is closed in one of
    them is refused with its own reason.
    """
    found: list[tuple[int, Check]] = []
    whole: Fraction | None = SURE
    long = () if ruleset.efforts is None else ruleset.efforts(stats, options)
    for number in range(1, rounds + 1):
        profile = ruleset.profile(stats, turn, options, ruleset.postures[0])
        chosen = next((known for known in profile.gaits if known.name == gait), None)
        if chosen is None and gait not in [effort.name for effort in long]:
            raise UnknownName("gait", gait, [known.name for known in profile.gaits])
        if chosen is not None and chosen.refused is not None:
            return chosen.refused
        checks = () if profile.demand is None else profile.demand(gait, grounds).checks
        if ruleset.odds is not None and chosen is not None:
            far = chosen.budget if metres is None else metres
            outcomes = ruleset.odds(stats, turn, options, gait, far, grounds)
            if isinstance(outcomes, Refusal):
                return outcomes
        if ruleset.after is not None:
            turn = ruleset.after(stats, turn, options, gait, None)
        found += [(number, check) for check in checks]
        if ruleset.due is not None and number < rounds:
            found += [(number + 1, check) for check in ruleset.due(stats, turn, options)]
        turn = fresh_turn(ruleset, turn, options)
    for _, check in found:
        if check.number is None and check.dice and ruleset.odds is not None:
            return no_number(check)
        part = check.chance()
        whole = None if part is None or whole is None else whole * part
    return Kept(tuple(found), whole)
