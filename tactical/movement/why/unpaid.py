"""Why a way that movement enough would make is not made: what it costs, and what this turn and others have for it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from tactical.errors import Refusal
from tactical.movement.found import Found
from tactical.movement.graph.lattice import Lattice
from tactical.movement.graph.leaves import doors_of
from tactical.movement.graph.writer import Edge
from tactical.movement.ledger import steps_of
from tactical.movement.route import Step
from tactical.movement.situation import without_least
from tactical.movement.steps.shortest import Tree
from tactical.movement.turns.bands import Band
from tactical.rules.profile import Source
from tactical.units import show

if TYPE_CHECKING:
    from tactical.search.result import Settled


@dataclass(frozen=True, slots=True)
class Bill:
    """A way with what it costs: `lost` is what moves that are pools of their own leave over on it.

    `most` is what its gaits have this turn, `left` what of that is not spent yet, `whole` what a later turn has.
    """

    found: Found
    lattice: Lattice
    path: list[Edge]
    names: dict[str, Any]
    steps: list[Step]
    bands: list[Band]
    cost: Fraction
    lost: Fraction
    left: Fraction
    whole: Fraction

    @property
    def wanting(self) -> Fraction:
        """How much more than this turn has the way takes; 0 or less where it has enough."""
        return self.cost + self.lost + self.found.reserve - self.left

    @property
    def shut(self) -> Refusal | None:
        """The refusal of the doors on the way, where there are any and a turn opens only so many."""
        limit, doors, done = self.found.query.door_limit, self.doors, self.found.query.turn.doors
        if limit is None or not doors:
            return None
        note = f" and {done} opened already" if done else ""
        return Refusal("move.doors", {**self.names, "doors": doors, "note": note, "limit": str(limit)})

    @property
    def doors(self) -> int:
        """How many closed doors the way opens, each as often as it does."""
        found = (self.lattice.door_crossing(node, slot) for node, _, _, slot in self.path)
        return sum(len(doors_of(self.lattice.site, crossing)) for crossing in found if crossing is not None)


def why_unpaid(found: Found, lattice: Lattice, settled: Settled, goal: int, names: dict[str, Any]) -> Refusal | None:
    """Why the way to a node of a lattice is not made; None where it could be, for all that is known here."""
    bill = _bill(found, lattice, settled, goal, names)
    # a `Refusal` is false
    return next((reason for asked in REASONS if (reason := asked(bill)) is not None), None)


def _bill(found: Found, lattice: Lattice, settled: Settled, goal: int, names: dict[str, Any]) -> Bill:
    query = found.query
    tree: Tree | None = query.kept.get(("tree", lattice))
    if tree is None or tree.settled is not settled:
        tree = query.kept["tree", lattice] = Tree(lattice, settled)
    path = tree.path(goal)
    steps = steps_of(lattice, [(1, path)], Fraction(0))
    bands = bands_of_pool(found, lattice.pool)
    most = max((band.budget for band in bands), default=Fraction(0))
    portion = query.portion(lattice.pool)
    return Bill(
        found,
        lattice,
        path,
        names,
        steps,
        bands,
        lattice.cost(settled.dist[goal]),
        _lost(steps, query.turn.spent, portion, most) if portion else Fraction(0),
        max(most - query.turn.spent, Fraction(0)),
        found.bands[-1].budget if found.bands else Fraction(0),
    )


def bands_of_pool(found: Found, pool: str) -> list[Band]:
    """The bands of this turn that a pool pays for."""
    return [band for band in found.bands if band.turn == 1 and found.profile.gait(band.gait).pool == pool]


def _too_dear(bill: Bill) -> Refusal | None:
    """A single step for which no turn, or no move of one, has enough."""
    query = bill.found.query
    portion = query.portion(bill.lattice.pool)
    # a gait that is shut now may be open later: what no gait of any turn has is too dear
    gaits = [gait for gait in (*query.profile.gaits, *query.fresh_profile.gaits) if bill.found.gait in ("", gait.name)]
    whole = max((gait.budget for gait in gaits), default=bill.whole)
    at_once = min(whole, portion) if portion else whole
    dearest = max((step.cost for step in bill.steps), default=Fraction(0))
    if dearest <= at_once or query.rounding != "cover_full_cost":
        return None
    named = bill.found.gait.replace("_", "-")
    words = {"word": query.ruleset.turn_word, "gait": f" at {named}" if named else ""}
    return Refusal("move.too_dear", {**bill.names, "cost": show(dearest), "budget": show(at_once), **words})


def _no_doors(bill: Bill) -> Refusal | None:
    """A door, where turns open none at all."""
    return bill.shut if bill.found.query.door_limit == 0 else None


def _short(bill: Bill) -> Refusal | None:
    """A way that costs more than the one turn has; what is kept back and what is lost is named."""
    found = bill.found
    if found.turns > 1 or bill.wanting <= 0:
        return None
    extras = _extras(bill.steps)
    if bill.lost:
        extras.append(f"lost between two moves {show(bill.lost)}")
    note = f" ({', '.join(extras)} included)" if extras else ""
    if found.reserve:
        note += f" ({show(found.reserve)} kept back)"
        extras.append(f"kept back {show(found.reserve)}")
    budget = max(bill.left - found.reserve, Fraction(0))
    words = {"cost": show(bill.cost + bill.lost), "budget": show(budget), "because": ", ".join(extras), "note": note}
    return Refusal("move.budget", {**bill.names, **words, "short": show(bill.wanting)})


def _too_near(bill: Bill) -> Refusal | None:
    """A way that is shorter than what the gaits that could make it must go at the least."""
    profile, length = bill.found.query.profile, bill.cost + bill.found.query.turn.spent
    shortest = min((band for band in bill.bands if band.minimum > length), key=lambda band: band.minimum, default=None)
    if bill.wanting > 0 or shortest is None:
        return None
    note, least = without_least(profile, shortest.gait), profile.sources.get("least", Source()).clause
    words = {"length": show(length), "minimum": show(shortest.minimum), "note": note, "clause": least}
    return Refusal("move.min_distance", {**bill.names, **words})


def _too_many_doors(bill: Bill) -> Refusal | None:
    """More doors than the turns open that the way takes."""
    found, limit = bill.found, bill.found.query.door_limit
    if limit is None or bill.doors + found.query.turn.doors <= limit * (found.turns if bill.wanting > 0 else 1):
        return None
    return bill.shut


def _never(bill: Bill) -> Refusal | None:
    """A stretch without rest for which no turn has enough, or more doors on one, where turns enough were looked at."""
    found, lattice, path, whole, shut = bill.found, bill.lattice, bill.path, bill.whole, bill.shut
    if not found.exhausted:
        return None
    limit = found.query.door_limit
    since, spent, opened = path[0][0] if path else 0, Fraction(0), 0
    kept = _run_ups(lattice, path)
    for n, (node, target, ticks, slot) in enumerate(path):
        crossing = lattice.door_crossing(node, slot)
        spent += lattice.cost(ticks)
        opened += 0 if crossing is None else crossing.opens
        if not lattice.stops[target] or n in kept:
            continue
        if shut is not None and limit is not None and opened > limit and (crossing is None or opened > crossing.opens):
            return shut
        if spent > whole:
            start, end = (found.battlemap.name_of(lattice.cell(at)) for at in (since, target))
            numbers = {"cost": show(spent), "budget": show(whole)}
            return Refusal("move.stretch", {**bill.names, **numbers, "start": start, "to": end})
        since, spent, opened = target, Fraction(0), 0
    last = lattice.cost(path[-1][2]) if path else Fraction(0)
    if last + found.reserve > whole:
        note = f" ({show(found.reserve)} kept back)"
        words = {"cost": show(last), "budget": show(max(whole - found.reserve, Fraction(0))), "note": note}
        return Refusal(
            "move.budget", {**bill.names, **words, "short": show(last + found.reserve - whole), "because": ""}
        )
    return None


def _more_turns(bill: Bill) -> Refusal | None:
    """A way that takes more turns than were asked about."""
    found = bill.found
    if bill.wanting <= 0 and found.turns == 1:
        return None
    extras = ", ".join(_extras(bill.steps))
    note = f" ({extras} included)" if extras else ""
    numbers = {"cost": show(bill.cost), "budget": show(bill.left), "because": extras, "note": note}
    # what is used up on the way, as endurance is, does not come back by going on
    ever = {"ever": ", nor in any number of turns"} if found.exhausted else {}
    return Refusal(
        "move.turns", {**bill.names, **numbers, "turns": found.turns, "word": found.query.ruleset.turn_word, **ever}
    )


REASONS = (_too_dear, _no_doors, _short, _too_near, _too_many_doors, _never, _more_turns)
"""What may be wrong with a way, in the order in which it is told."""


def _extras(steps: list[Step]) -> list[str]:
    """What a way costs beside the ground, for the note behind its price."""
    every = Counter((step.way, step.cost) for step in steps if not step.moves and step.cost)
    every += Counter(
        (charge.name.replace("_", " "), charge.value)
        for step in steps
        for charge in step.charges
        if charge.flat and charge.value and step.moves
    )
    return [f"{name} {f'{times} x ' if times > 1 else ''}{show(value)}" for (name, value), times in every.items()]


def _lost(steps: list[Step], spent: Fraction, portion: Fraction, most: Fraction) -> Fraction:
    """What is left over of each move because the next step does not fit, where moves are pools of their own.

    After the last move of a turn nothing is lost: the step just does not fit into its rest.
    """
    lost, used, whole = Fraction(0), spent % portion if portion else Fraction(0), spent
    for step in steps:
        if used + step.cost > portion and whole + portion - used < most:
            lost, whole, used = lost + portion - used, whole + portion - used, Fraction(0)
        used, whole = used + step.cost, whole + step.cost
    return lost


def _from_rest(lattice: Lattice, edge: Edge) -> bool:
    """Whether an edge that is no step to a neighbour leads on from where a turn begins too."""
    node, target, _, slot = edge
    room, way = lattice.draft.room, lattice.way_of(slot)
    rested = lattice.edges(lattice.rested(node, keep_parity=True))
    return any(end % room == target % room and lattice.way_of(other) is way for end, _, other in rested)


def _run_ups(lattice: Lattice, path: list[Edge]) -> set[int]:
    """The edges of a way after which no turn may end, because the run-up made there is needed."""
    kept: set[int] = set()
    for n, edge in enumerate(path):
        if edge[3] >= len(lattice.slots) and lattice.layer(edge[0]).run_up and not _from_rest(lattice, edge):
            at = n
            while at and lattice.layer(path[at][0]).run_up:
                at -= 1
                kept.add(at)
    return kept
