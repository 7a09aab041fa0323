"""A reach as a plain value: what remains of it when it goes over a wire, without the search behind it.

And what is weighed on it, as every surface writes it: chances of cells and ways, choices by risk; and rule systems.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import MISSING, dataclass, field, fields
from fractions import Fraction
from typing import TYPE_CHECKING, Any, get_args, get_type_hints

from tactical import values
from tactical.errors import Refusal, UnknownName
from tactical.movement.declare import Declared, declare_route
from tactical.movement.planning.met import Meeting
from tactical.movement.rolls.odds import SURE, landings, plan_chance, there
from tactical.movement.route import Route, State
from tactical.movement.turns.bands import Band
from tactical.movement.turns.legs import end_of
from tactical.movement.turns.planned import left_of
from tactical.rules.checks import Check
from tactical.rules.clauses import explain, nearest_clause
from tactical.rules.profile import Source
from tactical.units import Cell, plain, wire
from tactical.values import Place

if TYPE_CHECKING:
    from tactical.movement.reach import Reach
    from tactical.rules.ruleset import Ruleset

Write = Callable[[Any], Any]
"""How a value is written where these are asked for: cells as pairs or by names, every key or what is not ordinary."""


@dataclass(frozen=True, slots=True)
class ReachedCell:
    """A cell that can be ended on: band, turn, price in all, what the band has left, posture on arrival.

    `provokes` are the enemies that may strike on the cheapest way, `checks` the rolls that it needs.
    """

    cell: Cell
    band: str
    cost: Fraction
    remaining: Fraction
    turn: int = 1
    posture: str = "standing"
    provokes: tuple[str, ...] = ()
    checks: tuple[Check, ...] = ()


@dataclass(frozen=True, slots=True)
class ReachedGait:
    """A gait of this turn, also one that is `refused` now: what it buys, what it must use, what it takes."""

    name: str
    title: str
    budget: Fraction
    minimum: Fraction = Fraction(0)
    metres: Fraction | None = None
    action: str = "free"
    source: Source = Source()
    refused: Refusal | None = None


@dataclass(frozen=True, slots=True)
class Reached:
    """Where a mover can get to, cell by cell in reading order.  It answers like a `Reach`, but finds no ways."""

    mover: str
    rules: str
    unit: str
    start: State
    bands: tuple[Band, ...]
    reached: tuple[ReachedCell, ...] = ()
    options: Mapping[str, object] = field(default_factory=dict)
    gaits: tuple[ReachedGait, ...] = ()
    notes: tuple[str, ...] = ()

    @classmethod
    def of(cls, reach: Reach) -> Reached:
        """The plain value of a reach."""

        cells, meeting, lefts = [], Meeting(reach), dict[object, Fraction]()
        for cell, found in reach.in_order():
            enemies, checks = meeting.of(cell, found)
            # the same for all that have used as much of a turn of the same band
            kind = found.band.index, found.plan is None, found.spent
            left = lefts.get(kind)
            if left is None:
                left = lefts[kind] = left_of(reach.query, found)
            posture = end_of(found, reach.searches).posture
            cells.append(ReachedCell(cell, found.band.name, found.cost, left, found.turn, posture, enemies, checks))
        refused = reach.refused
        gaits = tuple(
            ReachedGait(
                title=gait.title or gait.name,
                refused=refused.get(gait.name),
                **{name: getattr(gait, name) for name in ("name", "budget", "minimum", "metres", "action", "source")},
            )
            for gait in reach.profile.gaits
        )
        options = reach.options.wire()
        notes = () if reach.carried is None else reach.carried.notes
        told = (reach.mover.id, reach.ruleset, reach.unit, reach.start, reach.bands)
        return cls(*told, tuple(cells), options, gaits, notes)

    def _at(self, place: Place) -> ReachedCell | None:
        cell = values.cell(place)
        return next((found for found in self.reached if found.cell == cell), None)

    def band(self, cell: Place) -> Band | None:
        """The band of a cell, or None out of reach."""
        found = self._at(cell)
        return None if found is None else next(band for band in self.bands if band.name == found.band)

    def cost(self, cell: Place) -> Fraction | None:
        """The price of the cheapest way, or None out of reach."""
        found = self._at(cell)
        return None if found is None else found.cost

    def cells(self, band: Band | str | None = None) -> frozenset[Cell]:
        """The cells that can be ended on, of one band or of all."""
        name = band.name if isinstance(band, Band) else band
        return frozenset(found.cell for found in self.reached if name in (None, found.band))


def weighed_cell(found: Reach, one: ReachedCell) -> dict[str, object]:
    """The best chance of ending on a cell this turn, its gait, and the chance by the way that the reach shows."""
    best, own = found.chances.get(one.cell), _own_chance(found, one)
    return {
        "chance": None if best is None else wire(best.chance),
        "chance_gait": None if best is None else best.gait,
        "own_chance": wire(own) if isinstance(own, Fraction) else None,
    }


def _own_chance(found: Reach, one: ReachedCell) -> Fraction | Refusal | None:
    if not one.checks and one.turn == 1 and found.query.ruleset.odds is None and not found.query.hazard_at(one.cell):
        # nothing is rolled for, so no way need be made to know how it ends; to a hazard none may lead
        return SURE
    route = found.route(one.cell)
    move = declare_route(found.query, route) if route else None
    return there(move) if move else None


def weighed_way(found: Reach, move: Declared, route: Route, write: Write, given: bool = False) -> dict[str, Any]:
    """The chance that nothing fails on a way, where its first turn may end, and the best chance of this turn.

    Or why the odds are not known.  Where numbers were `given` for the rolls of this way nothing is said of the best:
    they hold for no other.
    """
    part, ends = plan_chance(move, route), landings(move)
    if isinstance(part, Refusal):
        return {"refusal": write(part)}
    assert not isinstance(ends, Refusal)
    best = None if given else found.chances.get(route.end.cell)
    least = {} if best is None else {"chance": wire(best.chance), "gait": best.gait, "cost": wire(best.cost)}
    # the keys of an object are texts, however cells are written
    cells = {found.battlemap.name_of(cell): wire(part) for cell, part in ends.cells.items()}
    return {"chance": wire(part), "landings": {"cells": cells, "open": wire(ends.open)}, "best": least or None}


def usual_risk(found: Reach) -> str:
    """The risk that is meant where none is named: what must be rolled, where moves are rolled for, else attacks."""
    return "attacks" if found.profile.demand is None else "number"


def choices(found: Reach, to: Cell, by: str, write: Write) -> dict[str, Any]:
    """The ways to a cell this turn that no other beats in cost and in the risk `by`, or why there are none."""
    rows = []
    for way in found.risks(to, by):
        chance = {"chance": wire(way.chance)} if by == "chance" else {}
        rows.append({"risk": wire(way.risk), **chance, "route": write(way.route)})
    refusal = None if rows else why_none(found, to)
    return {"choices": rows, **({} if refusal is None else {"refusal": write(refusal)})}


def why_none(found: Reach, to: Cell) -> Refusal | None:
    """Why there is nothing to choose from: no way leads there, or nobody knows its chances."""
    route = found.route(to)
    move = route if isinstance(route, Refusal) else declare_route(found.query, route)
    if isinstance(route, Refusal) or isinstance(move, Refusal):
        return move if isinstance(move, Refusal) else None
    part = plan_chance(move, route)
    return part if isinstance(part, Refusal) else None


# -- rule systems -----------------------------------------------------------------------------------------------------


def _stats(model: type) -> list[dict[str, object]]:
    hints = get_type_hints(model)
    return [
        {
            "name": field.name,
            "type": _type(hints[field.name]),
            "default": None if field.default is MISSING else plain(field.default),
            "required": field.default is MISSING and field.default_factory is MISSING,
        }
        for field in fields(model)
    ]


def _type(hint: object) -> str:
    name = hint.__name__ if isinstance(hint, type) and not get_args(hint) else str(hint)
    for long, short in (("fractions.Fraction", "number"), ("Fraction", "number"), ("bool", "true or false")):
        name = name.replace(long, short)
    for long, short in (("int", "whole number"), ("str", "word"), (" | None", ", or nothing"), ("tuple", "several ")):
        name = name.replace(long, short)
    return name


def told_ruleset(ruleset: Ruleset) -> dict[str, Any]:
    """A rule system as every surface tells it: its sheet, postures, stats, facts of ground and options."""
    options = ruleset.options_with()
    in_force = options.wire()
    return {
        "name": ruleset.name,
        "title": ruleset.title,
        "unit": ruleset.unit,
        "cell": wire(ruleset.cell),
        "summary": ruleset.summary,
        "postures": list(ruleset.postures),
        "speeds": list(ruleset.speeds),
        "sheet": {} if ruleset.sheet is None else plain(ruleset.sheet()),
        "stats": _stats(ruleset.stats),
        "ground": None if ruleset.ground is None else dict(ruleset.ground),
        "options": [
            {
                "name": name,
                "value": in_force[name],
                "allowed": options.spec(name).allowed(),
                "doc": options.spec(name).doc,
                "clause": options.spec(name).clause,
            }
            for name in options
        ],
    }


def told_clause(ruleset: Ruleset, clause: str) -> dict[str, Any]:
    """What a clause or ruling says, and the options that decide it.  Raises `ValueError` for one that is none."""
    try:
        found, text, options = explain(ruleset, clause)
    except UnknownName as error:
        near = nearest_clause(ruleset, clause)
        families = sorted({_family(one) for one in error.known})
        hint = f", did you mean {near!r}?" if near else f" ({', '.join(families)})"
        raise ValueError(f"{ruleset.name} has no clause {clause!r}{hint}") from error
    rows = [one for one in told_ruleset(ruleset)["options"] if one["name"] in options]
    return {"ruleset": ruleset.name, "clause": found, "text": text, "options": rows}


def _family(clause: str) -> str:
    """``OPR-…`` of ``OPR-A03``."""
    return clause.partition("-")[0] + "-…" if "-" in clause else clause
