"""Rings: where a move with a shortest and a longest length can end, and how many such rounds a way takes.

By option ``ring`` a cell belongs to the ring if its *shortest* way is long enough, or if any *walk* to it is: a walk
may turn back and enter cells again, so that a near cell can be reached by running about.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import count
from typing import TYPE_CHECKING, Any

from tactical.errors import Refusal
from tactical.movement.declare import gait_of
from tactical.movement.graph.arrivals import Edge
from tactical.movement.graph.lattice import Lattice
from tactical.movement.query import Query, fresh_turn
from tactical.movement.route import State
from tactical.rules.profile import Gait, Profile
from tactical.rules.turnstate import TurnState
from tactical.search.kernel import search
from tactical.units import Cell

if TYPE_CHECKING:
    from tactical.movement.bands import Arrival
    from tactical.movement.reach import Reach
    from tactical.movement.turns import Turns

Trail = tuple[Edge, Any] | None
"""The edges of a walk, the last one first: (edge, the trail before it)."""

MOST_ROUNDS = 1000


@dataclass(frozen=True, slots=True)
class Ring:
    """The cells that a move at one gait can end on, with the cost of each, and the `near` ones it overshoots."""

    gait: Gait
    costs: Mapping[Cell, Fraction]
    near: frozenset[Cell]

    @property
    def cells(self) -> frozenset[Cell]:
        """The cells that the move can end on."""
        return frozenset(self.costs)


def ring(query: Query, gait: str) -> Ring | Refusal:
    """Where a move at a gait can end (REUP-29, REV-17), or why the gait is not open.  Raises `UnknownName`."""
    chosen = gait_of(query, gait)
    if isinstance(chosen, Refusal):
        return chosen
    lattice = query.lattice(chosen.pool, chosen.budget - query.turn.spent)
    node = lattice.node(query.start)
    if node is None:
        return Ring(chosen, {}, frozenset())
    ends, near = ends_of(lattice, node, chosen, query.turn.spent)
    costs: dict[Cell, Fraction] = {}
    for end, cost in ends.items():
        cell = lattice.cell(end)
        if cell != query.start.cell:
            costs[cell] = min(cost, costs.get(cell, cost))
    passed = {lattice.cell(end) for end in near} - costs.keys() - {query.start.cell}
    return Ring(chosen, costs, frozenset(passed))


def ends_of(
    lattice: Lattice, node: int, gait: Gait, spent: Fraction = Fraction(0)
) -> tuple[dict[int, Fraction], set[int]]:
    """The nodes a move at a gait can end on with their costs, and the nodes that are too near to end on."""
    least, most = -(-gait.minimum // lattice.tick), int(gait.budget // lattice.tick)
    begun = int(spent // lattice.tick)
    if lattice.options["ring"] == "walk" and least > begun:
        walked = {end: ticks for end, (ticks, _) in walks(lattice, node, begun, int(least), most).items()}
        reached = search(lattice.compiled, [node], costs=[begun], budget=most).to_dict()
        near = {end for end in reached if end not in walked}
    else:
        walked = search(lattice.compiled, [node], costs=[begun], budget=most).to_dict()
        # a cell is too near if any state of it is (parity and posture are no excuse for a detour)
        room = lattice.draft.room
        close = {end % room for end, ticks in walked.items() if ticks < least}
        near = {end for end in walked if end % room in close}
    ends = {
        end: lattice.cost(ticks) - spent for end, ticks in walked.items() if end not in near and lattice.stops[end]
    }
    return ends, near


def walks(lattice: Lattice, node: int, begun: int, least: int, most: int) -> dict[int, tuple[int, Trail]]:
    """Per node the shortest walk of `least` to `most` ticks that ends there: its ticks and its edges."""
    found: dict[int, tuple[int, Trail]] = {}
    seen: set[tuple[int, int]] = set()
    order = count()
    queue: list[tuple[int, int, int, Trail]] = [(begun, next(order), node, None)]
    while queue:
        ticks, _, at, trail = heapq.heappop(queue)
        if (at, ticks) in seen or at in found:
            continue
        seen.add((at, ticks))
        if ticks >= least:
            found[at] = (ticks, trail)
        for target, more, slot in lattice.edges(at):
            after = ticks + more
            if after <= most and target not in found and (target, after) not in seen:
                heapq.heappush(queue, (after, next(order), target, ((at, target, more, slot), trail)))
    return found


def unrolled(trail: Trail) -> list[Edge]:
    """The edges of a trail, the first one first."""
    edges: list[Edge] = []
    while trail is not None:
        edges.append(trail[0])
        trail = trail[1]
    return edges[::-1]


def walk_about(found: Reach, out: dict[Cell, Arrival], pool: int, turns: Turns) -> None:
    """Add to `out` the cells too near for a shortest way, by walks that use up a gait's least (option ``ring``)."""
    from tactical.movement.bands import Arrival

    lattice = turns.lattice
    start = lattice.node(found.start)
    for band in found.bands:
        if band.turn > 1 or not band.minimum or start is None or found.profile.gait(band.gait).pool != lattice.pool:
            continue
        least, most = int(-(-band.minimum // lattice.tick)), int((band.budget - found.reserve) // lattice.tick)
        for node, (ticks, trail) in walks(lattice, start, lattice.draft.ticks(turns.spent), least, most).items():
            cell, spent = lattice.cell(node), lattice.cost(ticks)
            if cell not in out and lattice.stops[node] and found.arrive in ("", lattice.state(node).posture):
                out[cell] = Arrival(band, pool, 1, node, spent, spent - turns.spent, tuple(unrolled(trail)))


# --- several rounds --------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Round:
    """Where a mover stands after some rounds: its node in the lattice, its turn state, and the gait of each round."""

    node: int
    turn: TurnState
    gaits: tuple[str, ...] = ()

    key: tuple[int, object] = (0, None)
    """What the future depends on."""


class Rounds:
    """Rounds of one mover that each keep to the shortest and longest length of a gait, or stand still where allowed."""

    def __init__(self, query: Query) -> None:
        self.query = query
        self.lattices: dict[str, Lattice] = {}

    def lattice(self, pool: str) -> Lattice:
        """The whole map's lattice of a pool; all pools share the numbers of their nodes where they share the layers."""
        if pool not in self.lattices:
            self.lattices[pool] = self.query.lattice(pool, None)
        return self.lattices[pool]

    def profile(self, at: Round) -> Profile:
        """What the rule system says at the start of the round after this one."""
        return self.query.ruleset.profile(self.query.stats, at.turn, self.query.options, self.state(at).posture)

    def start(self) -> Round | None:
        """Where the mover is now."""
        pools = self.query.profile.pools()
        node = self.lattice(pools[0]).node(self.query.start) if pools else None
        return None if node is None else self._round(node, self.query.turn, ())

    def state(self, at: Round) -> State:
        """The state of a round's node."""
        return self.lattice(self.query.profile.pools()[0]).state(at.node)

    def following(self, at: Round) -> Iterator[Round]:
        """Every way the next round can end."""
        query, ruleset = self.query, self.query.ruleset
        profile = self.profile(at)
        if profile.facts.get("may_stop", True):
            yield self._round(at.node, fresh_turn(ruleset, at.turn, query.options), (*at.gaits, "stop"))
        state = self.state(at)
        for gait in profile.gaits:
            if gait.refused is not None:
                continue
            lattice = self.lattice(gait.pool)
            node = lattice.node(state)
            if node is None:
                continue
            done = at.turn
            if ruleset.after is not None:
                done = ruleset.after(query.stats, at.turn, query.options, gait.name, None)
            later = fresh_turn(ruleset, done, query.options)
            home = self.lattice(query.profile.pools()[0])
            for end in ends_of(lattice, node, gait)[0]:
                rested = lattice.rested(end, keep_parity=query.options["parity_reset"] == "never")
                there = home.node(lattice.state(rested))
                if there is not None:
                    yield self._round(there, later, (*at.gaits, gait.name))

    def _round(self, node: int, turn: TurnState, gaits: tuple[str, ...]) -> Round:
        carry = self.query.ruleset.carry
        words = repr(sorted(turn.memory.items(), key=lambda item: item[0])) if carry is None else carry(turn)
        return Round(node, turn, gaits, (node, (turn.previous, words)))

    def levels(self, most: int) -> Iterator[list[Round]]:
        """What is new after 0, 1, 2 … rounds, until nothing new comes."""
        begin = self.start()
        if begin is None:
            return
        seen, level = {begin.key}, [begin]
        for _ in range(most + 1):
            yield level
            after: list[Round] = []
            for at in level:
                for there in self.following(at):
                    if there.key not in seen:
                        seen.add(there.key)
                        after.append(there)
            if not after:
                return
            level = after


def rounds_to(query: Query, goal: Cell, *, can_stop: bool = False, most: int = MOST_ROUNDS) -> Round | Refusal:
    """The fewest rounds to end exactly on `goal`, each a legal move of some gait, and their gaits (REUP-29, REUP-30).

    With `can_stop` the mover must then be allowed to stop in the round after (REUP-A16).
    """
    rounds = Rounds(query)
    for level in rounds.levels(most):
        for at in level:
            there = rounds.state(at).cell == goal
            if there and (not can_stop or rounds.profile(at).facts.get("may_stop", True)):
                return at
    return Refusal("move.turns", {"turns": most, "cell": query.battlemap.name_of(goal)})


def farthest(query: Query, number: int) -> tuple[Cell, Fraction, Round] | Refusal:
    """The cell farthest from here, by its shortest way, on which so many rounds can end; its length and the gaits."""
    rounds = Rounds(query)
    begin = rounds.start()
    if begin is None:
        return Refusal("move.off_map", {"cell": str(query.start.cell)})
    lattice = rounds.lattice(query.profile.pools()[0])
    lengths = search(lattice.compiled, [begin.node]).to_dict()
    best: tuple[Fraction, Cell, Round] | None = None
    at_last: dict[tuple[int, object], Round] = {begin.key: begin}
    for _ in range(number):
        at_last = {there.key: there for at in at_last.values() for there in rounds.following(at)}
    for at in at_last.values():
        place, cell = lattice.place(at.node), lattice.cell(at.node)
        layers = (lattice.draft.node(layer, place) for layer in range(len(lattice.draft.layers)))
        ticks = min((lengths[node] for node in layers if node in lengths), default=0)
        if best is None or (lattice.cost(ticks), -cell.row, -cell.col) > (best[0], -best[1].row, -best[1].col):
            best = (lattice.cost(ticks), cell, at)
    if best is None:
        return Refusal("move.unreachable", {"cell": "any cell"})
    return best[1], best[0], best[2]

