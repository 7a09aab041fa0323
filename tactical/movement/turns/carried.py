"""Several turns where the rules remember: speeds that change by rungs, turns of effort, gaits that were lost.

A plan is a sequence of turns that the rule system has carried.  What one turn leaves to the next is its *carried value*
(`Ruleset.after`, then `Ruleset.next_turn`).  Turn by turn the search keeps, for each carried value, the states where
plans stand; all plans of one value go on in one search from all of them at once.  Kept is one plan for each state and
carried value, that of the fewest turns, then of the least cost; one is dropped only where another plan stands in the
same state no later with a carried value that is no worse (`Ruleset.no_worse`, by default an equal one).  A cell shows
the plan of the fewest turns, then of the least spent in the last of them, as where nothing is remembered, so nobody
waits for nothing; then of the least cost.  At most `MOST` values are followed in a turn, of the gentler gaits first.

A gait with a least distance is a ring: a cell too near to one place to start from may be far enough from another.  For
such cells a search backwards finds a place to start from, or shows that there is none (`rings`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np

from tactical.movement.graph.arrivals import Tree
from tactical.movement.graph.lattice import Lattice
from tactical.movement.query import Query, fresh_turn
from tactical.movement.turns.bands import Arrival, Band
from tactical.movement.turns.legs import MOST, Ends, Graphs, Group, Label, Leg, Searched, hopeless
from tactical.movement.turns.memoryless import Turns
from tactical.movement.turns.modes import modes_of, named, only, sets_of, taken_by
from tactical.movement.turns.planned import key_of, next_of, no_worse
from tactical.movement.turns.rings import far_enough, walks
from tactical.rules.profile import Gait
from tactical.rules.turnstate import TurnState
from tactical.search.kernel import ROUNDINGS, Settled, search
from tactical.search.slices import Slices
from tactical.units import Cell

if TYPE_CHECKING:
    from tactical.world.site import Bools


@dataclass(eq=False)
class Carried:
    """The search over the turns after the first, and where they can end."""

    query: Query
    turns: int
    gait: str = ""
    reserve: Fraction = Fraction(0)
    arrive: str = ""
    limited: bool = True
    arrivals: dict[Cell, tuple[Gait, Arrival]] = field(default_factory=dict)
    gaits: dict[int, dict[str, Gait]] = field(default_factory=dict)
    searched: int = 1
    cut: bool = False
    legs: list[Leg] = field(default_factory=list)
    _seen: dict[object, tuple[TurnState, set[int]]] = field(default_factory=dict)
    _values: dict[object, TurnState] = field(default_factory=dict)
    _first: dict[str, Turns] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.graphs = Graphs(self.query, self.turns, self.gait, self.limited)
        self.site = self.graphs.site
        self._known = np.zeros(int(np.prod(self.site.shape)), dtype=bool)

    # -- the search ---------------------------------------------------------------------------------------------------

    def beginning(self, gaits: Iterable[Gait]) -> Slices[list[Turns]]:
        """In slices: the searches of the first turn, one for each pool."""
        query, budgets = self.query, dict[str, Fraction]()
        for gait in gaits:
            budgets[gait.pool] = max(gait.budget, budgets.get(gait.pool, gait.budget))
        for pool, budget in budgets.items():
            lattice = yield from self.graphs.drawing(query, pool)
            node = lattice.node(query.start)
            if node is not None:
                yield
                turns = Turns(lattice, budget, budget, query.turn.spent, query.portion(pool))
                self._first[pool] = turns.run(node, 1)
        return [*self._first.values()]

    def running(self, cells: Iterable[Cell]) -> Slices[Carried]:
        """In slices: the turns after the first, which can end on `cells`."""
        self._begin(cells)
        first = {pool: (turns.lattice, turns.turns[0].settled) for pool, turns in self._first.items()}
        room, groups = self._known.size, [Group(self.query, {})]
        here = self.site.place(self.query.start.cell)
        assert here is not None
        for number in range(1, self.turns + 1):
            found: dict[object, tuple[TurnState, dict[int, Label]]] = {}
            best: dict[int, tuple[Fraction, Fraction, Gait, Ends, int]] = {}
            made = list[Searched]()
            for group in groups:
                for one in self._legs_of(group, number, first if number == 1 else {}):
                    yield
                    if one is None:
                        continue
                    made.append(one)
                    gait, leg, modes = one
                    for ends in self._ring(leg, gait, modes):
                        self._note(number, gait, ends, found, best)
                    for ends in self._apart(leg, gait, modes, self._ended(best)):
                        yield
                        self._note(number, gait, ends, found, best)
                if self._may_stand(group.query):
                    self._stand(group, number, found, here)
            self._arrive(number, best)
            self.searched = number
            if number == self.turns or not (yield from self.graphs.leading_on(self._grouped(found, room), self._known)):
                break
            # somebody goes on: where near places can be ended on as well matters from here on only
            for gait, leg, modes in made:
                for ends in self._apart(leg, gait, modes, self._beaten(leg, gait)):
                    yield
                    self._note(number, gait, ends, found, best)
            groups = self._grouped(found, room)
        return self

    def _ended(self, best: Mapping[int, object]) -> Bools:
        """The places that a turn up to this one can end on."""
        known = self._known.copy()
        known[list(best)] = True
        return known

    def _legs_of(
        self, group: Group, number: int, first: Mapping[str, tuple[Lattice, Settled]]
    ) -> Iterator[Searched | None]:
        """The searches of the turn of a group, gait by gait, with the modes that their graphs know; None: a pause."""
        query = group.query
        gaits = query.open_gaits if number == 1 else [one for one in query.profile.gaits if one.refused is None]
        gaits = [one for one in gaits if self.gait in ("", one.name) and not hopeless(query.profile, one)]
        for pool in dict.fromkeys(gait.pool for gait in gaits):
            alike = [gait for gait in gaits if gait.pool == pool]
            if pool in first:
                lattice, settled = first[pool]
                node = lattice.node(query.start)
                sources = {} if node is None else {node: Label(Fraction(0))}
            else:
                lattice = yield from self.graphs.drawing(query, pool)
                sources, settled = self.graphs.starts(lattice, group), None
            if not sources:
                continue
            modes = modes_of(lattice)
            for taken in sets_of(modes, [self._leaver(query, gait.name) for gait in alike]):
                graph = lattice if taken is None else only(lattice, modes, taken)
                if settled is None or taken is not None:
                    yield None
                    found = self._search(graph, sources, max(gait.budget for gait in alike), query)
                else:
                    found = settled
                leg = self._leg(query, graph, found, sources, plain=taken is None and len(modes) < 2)
                yield from ((gait, leg, modes) for gait in alike)

    def _search(self, lattice: Lattice, sources: Mapping[int, Label], budget: Fraction, query: Query) -> Settled:
        spent = lattice.draft.ticks(query.turn.spent)
        # of plans at one price the one that has paid less counts
        ranks = {paid: n for n, paid in enumerate(sorted({label.paid for label in sources.values()}))}
        order = sorted(sources, key=lambda node: ranks[sources[node].paid])
        return search(
            lattice.compiled,
            order,
            costs=[spent] * len(order),
            budget=max(lattice.whole(budget), spent),
            rounding=ROUNDINGS.index(lattice.options["grid_rounding"]),
            pool=lattice.whole(query.portion(lattice.pool)),
        )

    def _leg(
        self, query: Query, lattice: Lattice, settled: Settled, sources: Mapping[int, Label], *, plain: bool
    ) -> Leg:
        exact = lattice.options["grid_rounding"] == "cover_full_cost" and not query.portion(lattice.pool)
        leg = Leg(query, lattice, settled, sources, Tree(lattice, settled, plain=plain and exact))
        if len(sources) > 1 and leg.tree.plain:
            leg.tree = Tree(lattice, settled, earlier=leg.paid)
        self.legs.append(leg)
        return leg

    def _ring(self, leg: Leg, gait: Gait, modes: Sequence[str]) -> Iterator[Ends]:
        """The nodes that a turn of a gait can end on: within its least and most, seen from where it begins."""
        lattice, most = leg.lattice, leg.lattice.whole(gait.budget)
        begun = lattice.draft.ticks(leg.query.turn.spent)
        least = lattice.least(gait.minimum)
        if least > begun and lattice.options["ring"] == "walk":
            walked = walks(lattice, list(leg.sources), begun, least, most)
            nodes = np.array([node for node in walked if lattice.stops[node]], dtype=np.int64)
            about = replace(leg, trails={node: walked[node][1] for node in nodes.tolist()})
            begins = np.array([edges[0][0] for edges in map(about.edges, nodes.tolist())], dtype=np.int64)
            costs = np.array([walked[node][0] for node in nodes.tolist()], dtype=np.int64)
            yield Ends(about, nodes, costs, begins, np.zeros(len(nodes), dtype=np.int64))
            return
        yield self._within(leg, least, most, modes)

    def _apart(self, leg: Leg, gait: Gait, modes: Sequence[str], known: Bools) -> Iterator[Ends]:
        """Where a turn can end that is too near to one place it may begin at and far enough from another."""
        lattice, most = leg.lattice, leg.lattice.whole(gait.budget)
        least = lattice.least(gait.minimum)
        if least <= lattice.draft.ticks(leg.query.turn.spent) or len(leg.sources) < 2:
            return
        if lattice.options["ring"] == "walk":
            return
        starts = sorted(leg.sources, key=lambda node: leg.sources[node].paid)

        def alone(node: int) -> Settled:
            return self._search(lattice, {node: leg.sources[node]}, gait.budget, leg.query)

        for node, found in far_enough(lattice, leg.settled, starts, (least, most), known, alone):
            own = self._leg(leg.query, lattice, found, {node: leg.sources[node]}, plain=leg.tree.plain)
            yield self._within(own, least, most, modes)

    def _beaten(self, leg: Leg, gait: Gait) -> Bools:
        """The places where a plan of this turn could add nothing: ended on already, and in no worse a state."""
        known = self._known.copy()
        turn = self._after(leg.query, gait.name, gait.minimum, frozenset((gait.name,)))
        better = (states for one, states in self._seen.values() if no_worse(self.query, one, turn))
        seen = np.zeros(known.size, dtype=bool)
        seen[[state % known.size for state in chain.from_iterable(better)]] = True
        return known & seen

    def _within(self, leg: Leg, least: int, most: int, modes: Sequence[str]) -> Ends:
        lattice = leg.lattice
        node, cost, parent = leg.settled.node.astype(np.int64), leg.settled.cost, leg.settled.parent.astype(np.int64)
        room, begun = lattice.draft.room, lattice.draft.ticks(leg.query.turn.spent)
        keep = lattice.stops[node] & (cost <= most) & (parent >= 0)
        if least > begun:
            near = np.zeros(room, dtype=bool)
            near[node[lattice.stops[node] & (cost < least)] % room] = True
            keep &= ~near[node % room]
        rows = np.flatnonzero(keep)
        taken = taken_by(lattice, leg.settled, modes)[rows] if len(modes) > 1 else np.zeros(len(rows), dtype=np.int64)
        return Ends(leg, node[rows], cost[rows], leg.begins[rows], taken)

    # -- what a turn leaves -------------------------------------------------------------------------------------------

    def _leaver(self, query: Query, gait: str) -> Callable[[frozenset[str]], object]:
        return lambda modes: key_of(query, self._after(query, gait, Fraction(0), modes))

    def _after(self, query: Query, gait: str, spent: Fraction, modes: frozenset[str]) -> TurnState:
        key = (key_of(query, query.turn), query.turn.turn, gait, spent, modes)
        if key not in self._values:
            self._values[key] = next_of(query, gait, spent, sorted(modes))
        return self._values[key]

    def _note(
        self,
        number: int,
        gait: Gait,
        ends: Ends,
        found: dict[object, tuple[TurnState, dict[int, Label]]],
        best: dict[int, tuple[Fraction, Fraction, Gait, Ends, int]],
    ) -> None:
        """Write down where a turn can end: for the turns after it, and for those who ask where one can get to."""
        leg, lattice = ends.leg, ends.leg.lattice
        query, names = leg.query, modes_of(lattice)
        room, rested = lattice.draft.room, self.graphs.rested(lattice)
        self.gaits.setdefault(number, {}).setdefault(gait.name, gait)
        worth = {ticks: lattice.cost(ticks) for ticks in set(ends.cost.tolist())}
        begun = query.turn.spent
        spread = [begun, gait.budget]
        values: dict[tuple[int, Fraction | None], tuple[object, dict[int, Label], list[set[int]]]] = {}
        varies = {}
        for bits in set(ends.modes.tolist()):
            left = (self._after(query, gait.name, one - begun, named(names, bits)) for one in spread)
            varies[bits] = len({key_of(query, turn) for turn in left}) > 1
        last = number == self.turns
        postures = lattice.profile.postures
        lands = {n for n, one in enumerate(lattice.draft.layers) if self.arrive in ("", postures[one.posture])}
        layers, places = np.divmod(ends.node, room)
        may_end = (self._known[places] | (number == 1)) == 0
        useful = may_end.copy()
        if not last:
            states = np.array(rested, dtype=np.int64)[layers] * room + places
            for bits, spread_out in varies.items():
                mine = ends.modes == bits
                beaten = np.zeros(len(self.graphs.numbers) * room, dtype=bool)
                turn = self._after(query, gait.name, Fraction(0), named(names, bits))
                for one in () if spread_out else self._no_worse_than(turn):
                    beaten[np.fromiter(one, dtype=np.int64, count=len(one))] = True
                useful |= mine & ~beaten[states]
        chosen = np.flatnonzero(useful)
        columns = (ends.node, ends.cost, ends.begins, ends.modes, may_end)
        most = lattice.whole(gait.budget - self.reserve)
        pairs = set(zip(ends.begins[chosen].tolist(), ends.cost[chosen].tolist(), strict=True))
        prices = {(begin, ticks): leg.sources[begin].paid + worth[ticks] - begun for begin, ticks in pairs}
        for node, ticks, begin, bits, may in zip(*(part[chosen].tolist() for part in columns), strict=True):
            layer, place = divmod(node, room)
            spent, paid = worth[ticks], prices[begin, ticks]
            if may and layer in lands and ticks <= most:
                other = best.get(place)
                if other is None or (spent, paid) < other[:2]:
                    best[place] = (spent, paid, gait, ends, node)
            if last:
                continue
            which = (bits, spent if varies[bits] else None)
            if which not in values:
                turn = self._after(query, gait.name, spent - begun if varies[bits] else Fraction(0), named(names, bits))
                key = key_of(query, turn)
                starts = found.setdefault(key, (turn, {}))[1]
                better = self._no_worse_than(turn)
                values[which] = (key, starts, better)
            _, starts, better = values[which]
            state = rested[layer] * room + place
            known = starts.get(state)
            if known is None and any(state in one for one in better):
                continue
            if known is None or paid < known.paid:
                starts[state] = Label(paid, leg, node, gait.name)

    def _may_stand(self, query: Query) -> bool:
        """Whether a turn may pass without a move: at most speeds, and where no gait is open at all (REUP-A16)."""
        may_stop = bool(query.profile.facts.get("may_stop", True))
        return not self.gait and (may_stop or all(one.refused is not None for one in query.profile.gaits))

    def _stand(
        self,
        group: Group,
        number: int,
        found: dict[object, tuple[TurnState, dict[int, Label]]],
        here: tuple[int, int, int],
    ) -> None:
        query, starts = group.query, group.starts
        if number == 1:
            lattice = self.graphs.lattice(query, query.profile.pools()[0])
            node = lattice.node(query.start)
            if node is None or not lattice.stops[node]:
                return
            layer, place = divmod(node, lattice.draft.room)
            starts = {self.graphs.rested(lattice)[layer] * lattice.draft.room + place: Label(Fraction(0))}
        turn = fresh_turn(query.ruleset, query.turn, query.options)
        into = found.setdefault(key_of(query, turn), (turn, {}))[1]
        better = self._no_worse_than(turn)
        for state, label in starts.items():
            known = into.get(state)
            fresh = known is None and not any(state in one for one in better)
            if fresh or (known is not None and label.paid < known.paid):
                into[state] = Label(label.paid, before=label)

    def _no_worse_than(self, turn: TurnState) -> list[set[int]]:
        """The states where plans of earlier turns stand with a carried value that is no worse than this one."""
        return [states for known, states in self._seen.values() if no_worse(self.query, known, turn)]

    def _grouped(self, found: dict[object, tuple[TurnState, dict[int, Label]]], room: int) -> list[Group]:
        """The plans that go on, by carried value and posture, without those that another one beats."""
        level = {key: pair for key, pair in found.items() if pair[1]}
        if len(level) > MOST:
            self.cut = True
            level = dict(list(level.items())[:MOST])
        for key, (turn, starts) in level.items():
            for other, (known, better) in level.items():
                if (
                    other != key
                    and no_worse(self.query, known, turn)
                    and not (no_worse(self.query, turn, known) and list(level).index(key) < list(level).index(other))
                ):
                    for state in [state for state in starts if state in better]:
                        del starts[state]
        postures = {number: posture for (posture, *_), number in self.graphs.numbers.items()}
        groups = []
        for key, (turn, starts) in level.items():
            self._seen.setdefault(key, (turn, set()))[1].update(starts)
            for posture in dict.fromkeys(postures[state // room] for state in starts):
                own = {state: label for state, label in starts.items() if postures[state // room] == posture}
                mover = replace(self.query.mover, posture=posture)
                groups.append(Group(self.query.changed(turn=turn, mover=mover), own))
        return groups

    # -- answers ------------------------------------------------------------------------------------------------------

    def _arrive(self, number: int, best: dict[int, tuple[Fraction, Fraction, Gait, Ends, int]]) -> None:
        """Keep the cells that no earlier turn could end on, each with the plan that leaves most of this one."""
        for place, (spent, paid, gait, ends, node) in best.items():
            self._known[place] = True
            nowhere = Band(0, "", "", gait.budget, turn=number, gait=gait.name)
            label = Label(paid, ends.leg, node, gait.name)
            cell = ends.leg.lattice.cell(node)
            self.arrivals[cell] = (gait, Arrival(nowhere, 0, number, node, spent, paid, plan=label))

    @property
    def notes(self) -> tuple[str, ...]:
        """What is to be said of the search: that it did not follow everything that plans can leave behind."""
        cut = f"plans can leave a turn in more than {MOST} ways that matter later; so many of them were followed"
        return (cut,) if self.cut else ()

    @property
    def later(self) -> Mapping[int, list[Gait]]:
        """The gaits that plans have in each turn after the first, in the order of the rules."""
        order = self.query.gait_order
        return {
            turn: sorted(gaits.values(), key=lambda gait: order.index(gait.name) if gait.name in order else len(order))
            for turn, gaits in self.gaits.items()
            if turn > 1
        }

    def _begin(self, cells: Iterable[Cell]) -> None:
        """No later turn is asked for the cells that the first turn can end on."""
        _, height, width = self.site.shape
        for place in map(self.site.place, cells):
            if place is not None:
                self._known[(place[0] * height + place[1]) * width + place[2]] = True
