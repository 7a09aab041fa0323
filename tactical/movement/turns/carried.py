"""Several turns where the rules remember: speeds that change by rungs, turns of effort, gaits that were lost.

A plan is a sequence of turns that the rule system has carried.  What one turn leaves to the next is its *carried value*
(`Ruleset.after`, then `Ruleset.next_turn`).  Turn by turn the search keeps, for each carried value, the states where
plans stand; all plans of one value go on in one search from all of them at once.  In the last turn the value no longer
matters: there all plans go on together that have the same gaits on the same graph.

*Dominance.*  Kept is one plan for each state and carried value, that of the fewest turns, then of the least cost.  One
is dropped only where another plan stands in the same state no later with a carried value that is no worse
(`Ruleset.no_worse`, by default an equal one): whatever the one could do from there on, the other can do as well.  At
most `MOST` values are followed in a turn, those of the gentler gaits first.

A cell shows the plan of the fewest turns, then of the least spent in the last of them, as where nothing is remembered,
so nobody waits for nothing; then of the least cost.

A gait with a least distance is a ring: a cell too near to one place to start from may be far enough from another.  For
such cells a search backwards finds a place to start from, or shows that there is none (`rings`).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from tactical.movement.graph.lattice import Lattice
from tactical.movement.query import Query
from tactical.movement.situation import fresh_turn
from tactical.movement.steps.shortest import Tree
from tactical.movement.turns import ends as cells_of
from tactical.movement.turns.graphs import Graphs, named, sets_of, taken_by
from tactical.movement.turns.legs import MOST, Ends, Group, Leg, Searched, Sources, Standing, Stride, hopeless
from tactical.movement.turns.levels import Best, Level, Past
from tactical.movement.turns.memoryless import Turns
from tactical.movement.turns.planned import key_of, next_of
from tactical.movement.turns.rings import far_enough, walks
from tactical.movement.turns.wanted import Wanted
from tactical.rules.profile import Gait
from tactical.rules.turnstate import TurnState
from tactical.search.kernel import ROUNDINGS, Settled, search
from tactical.search.slices import Slices
from tactical.units import Cell
from tactical.values import Same

if TYPE_CHECKING:
    from tactical.movement.turns.bands import Arrival
    from tactical.movement.turns.ends import Ints
    from tactical.world.window import Bools

Course = tuple[Query, Lattice | None, list[Gait], list[Standing]]
"""What is searched in a turn: question, graph (None: it stands still), gaits, and where plans stand that go on so."""


@dataclass(eq=False)
class Carried:
    """The search over the turns after the first, and where they can end.

    `added` are the cells that each later turn adds: turn, ends, gait, rows of the ends, what the plans cost in all, in
    so many parts of a unit.
    """

    wanted: Wanted
    added: list[tuple[int, Ends, str, Ints, Ints, int]] = field(default_factory=list)
    gaits: dict[int, dict[str, Gait]] = field(default_factory=dict)
    searched: int = 1
    legs: list[Leg] = field(default_factory=list)
    _first: dict[str, Turns] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.query, self.turns, self.gait = self.wanted.query, self.wanted.turns, self.wanted.gait
        self.graphs = Graphs(self.wanted)
        self.site = self.graphs.site
        self._known = np.zeros(self.graphs.room, dtype=bool)
        self.past = Past(self.graphs, MOST)

    # -- the search ---------------------------------------------------------------------------------------------------

    def beginning(self) -> Slices[list[Turns]]:
        """In slices: the searches of the first turn, one for each pool."""
        query, budgets = self.query, dict[str, Fraction]()
        for gait in self.wanted.gaits:
            budgets[gait.pool] = max(gait.budget, budgets.get(gait.pool, gait.budget))
        for pool, budget in budgets.items():
            lattice = yield from self.graphs.drawing(query, pool)
            node = lattice.node(query.start)
            if node is not None:
                yield
                turns = Turns(lattice, budget, budget, query.turn.spent, query.portion(pool))
                self._first[pool] = turns.run(node, 1)
        return [*self._first.values()]

    def running(self, cells: Mapping[Cell, Arrival]) -> Slices[Carried]:
        """In slices: the turns after the first, which can end on `cells`."""
        self._begin(cells)
        groups = [Group(self.query, self.graphs.begin(self.query))]
        for number in range(1, self.turns + 1):
            found: Level = {}
            best, last = Best(self._known.size), number == self.turns
            made, courses = list[Searched](), list[tuple[Group, list[tuple[Lattice, list[Gait]]]]]()
            # every graph is asked for first: from then on it is settled in what parts of a unit prices are added up
            for group in groups:
                courses.append((group, (yield from self._courses(group.query, number))))
            for query, lattice, gaits, plans in self._together(courses) if last else self._apart(courses):
                if lattice is None:
                    self._stand(query, plans[0], found)
                    continue
                for one in self._legs(number, query, lattice, gaits, plans):
                    yield
                    made.append(one)
                    gait, leg, modes = one
                    for ends in self._ring(leg, gait, modes):
                        self._note(number, gait, ends, found, best)
                    for ends in self._nearer(leg, gait, modes, self._known | (best.by >= 0)):
                        yield
                        self._note(number, gait, ends, found, best)
            self._arrive(number, best)
            self.searched = number
            if last or not (yield from self.graphs.leading_on(self.past.grouped(found), self._known)):
                break
            # somebody goes on: where near places can be ended on as well matters from here on only
            for gait, leg, modes in made:
                for ends in self._nearer(leg, gait, modes, self._beaten(leg, gait)):
                    yield
                    self._note(number, gait, ends, found, best, again=True)
            groups = self.past.grouped(found)
        return self

    def _courses(self, query: Query, number: int) -> Slices[list[tuple[Lattice, list[Gait]]]]:
        """In slices: the graphs that a turn may go on, each with the gaits that do."""
        gaits = query.open_gaits if number == 1 else [one for one in query.profile.gaits if one.refused is None]
        gaits = [one for one in gaits if self.gait in ("", one.name) and not hopeless(query, one)]
        out = []
        for pool in dict.fromkeys(gait.pool for gait in gaits):
            lattice = yield from self.graphs.drawing(query, pool)
            out.append((lattice, [gait for gait in gaits if gait.pool == pool]))
        return out

    def _apart(self, courses: Iterable[tuple[Group, list[tuple[Lattice, list[Gait]]]]]) -> Iterator[Course]:
        """What is searched in a turn that others follow: each carried value by itself; no graph: it stands still."""
        for group, ways in courses:
            for lattice, gaits in ways:
                yield group.query, lattice, gaits, [group.starts]
            if self._may_stand(group.query):
                yield group.query, None, [], [group.starts]

    def _together(self, courses: Iterable[tuple[Group, list[tuple[Lattice, list[Gait]]]]]) -> Iterator[Course]:
        """What is searched in the last turn: together all plans with the same gaits on one graph, rings apart."""
        alike: dict[Hashable, Course] = {}
        for group, ways in courses:
            for lattice, gaits in ways:
                if (self.graphs.stops(lattice) & ~self._known).any():
                    had = tuple((gait.name, gait.budget) for gait in gaits)
                    # what is too near to whom is better told of few
                    rings = Same(group) if any(gait.minimum for gait in gaits) else None
                    key = Same(lattice), had, rings, tuple(self.graphs.shut(lattice, group.query))
                    alike.setdefault(key, (group.query, lattice, gaits, []))[3].append(group.starts)
        yield from alike.values()

    def _legs(
        self, number: int, query: Query, lattice: Lattice, gaits: Sequence[Gait], plans: Sequence[Standing]
    ) -> Iterator[Searched]:
        """The searches of one course, gait by gait, with the modes that their graphs know."""
        settled: Settled | None = None
        if number == 1:
            node, first = lattice.node(query.start), self._first.get(lattice.pool)
            if node is None or first is None:
                return
            sources, settled = Sources.at(node, plans[0]), first.turns[0].settled
        else:
            sources = self.graphs.starts(lattice, query, plans)
            if not len(sources.node):
                return
        modes = self.graphs.modes(lattice)
        leavers = [self._leaver(query, gait.name) for gait in gaits]
        for taken in [None] if number == self.turns else sets_of(modes, leavers):
            graph = lattice if taken is None else self.graphs.without(lattice, modes, taken)
            if settled is None or taken is not None:
                found = self._search(graph, sources.node, max(gait.budget for gait in gaits), query)
            else:
                found = settled
            leg = self._leg(query, graph, found, sources, plain=taken is None and len(modes) < 2)
            yield from ((gait, leg, modes) for gait in gaits)

    def _search(self, lattice: Lattice, nodes: Ints, budget: Fraction, query: Query) -> Settled:
        # of plans at one price the one that has paid less counts: it stands before the others
        spent, order = lattice.draft.ticks(query.turn.spent), nodes.tolist()
        return search(
            lattice.compiled,
            order,
            costs=[spent] * len(order) if spent else None,
            budget=max(lattice.whole(budget), spent),
            rounding=ROUNDINGS.index(lattice.options["grid_rounding"]),
            pool=lattice.whole(query.portion(lattice.pool)),
        )

    def _leg(self, query: Query, lattice: Lattice, settled: Settled, sources: Sources, *, plain: bool) -> Leg:
        exact = lattice.options["grid_rounding"] == "cover_full_cost" and not query.portion(lattice.pool)
        leg = Leg(query, lattice, settled, sources, Tree(lattice, settled, plain=plain and exact))
        if len(sources.node) > 1 and leg.tree.plain:
            leg.tree = Tree(lattice, settled, earlier=leg.paid)
        self.legs.append(leg)
        return leg

    def _ring(self, leg: Leg, gait: Gait, modes: Sequence[str]) -> Iterator[Ends]:
        """The nodes that a turn of a gait can end on: within its least and most, seen from where it begins."""
        lattice, most = leg.lattice, leg.lattice.whole(gait.budget)
        begun = lattice.draft.ticks(leg.query.turn.spent)
        least = lattice.least(gait.minimum)
        if least > begun and lattice.options["ring"] == "walk":
            walked = walks(lattice, leg.sources.node.tolist(), begun, least, most)
            nodes = np.array([node for node in walked if lattice.stops[node]], dtype=np.int64)
            about = replace(leg, trails={node: walked[node][1] for node in nodes.tolist()})
            begins = np.array([edges[0][0] for edges in map(about.edges, nodes.tolist())], dtype=np.int64)
            costs = np.array([walked[node][0] for node in nodes.tolist()], dtype=np.int64)
            yield Ends(about, nodes, costs, leg.begun_at(begins), np.zeros(len(nodes), dtype=np.int64))
            return
        yield self._within(leg, least, most, modes)

    def _nearer(self, leg: Leg, gait: Gait, modes: Sequence[str], known: Bools) -> Iterator[Ends]:
        """Where a turn can end that is too near to one place it may begin at and far enough from another."""
        lattice, most = leg.lattice, leg.lattice.whole(gait.budget)
        least = lattice.least(gait.minimum)
        if least <= lattice.draft.ticks(leg.query.turn.spent) or len(leg.sources.node) < 2:
            return
        if lattice.options["ring"] == "walk":
            return
        starts = leg.sources.node.tolist()

        def alone(node: int) -> Settled:
            return self._search(lattice, np.array([node]), gait.budget, leg.query)

        for node, found in far_enough(lattice, leg.settled, starts, (least, most), known, alone):
            own = self._leg(leg.query, lattice, found, leg.sources.alone(starts.index(node)), plain=leg.tree.plain)
            yield self._within(own, least, most, modes)

    def _beaten(self, leg: Leg, gait: Gait) -> Bools:
        """The places where a plan of this turn could add nothing: ended on already, and in no worse a state."""
        better = self.past.no_worse(*self._after(leg.query, gait.name, gait.minimum, frozenset((gait.name,))))
        known: Bools = self._known & better.reshape(-1, self._known.size).any(axis=0)
        return known

    def _within(self, leg: Leg, least: int, most: int, modes: Sequence[str]) -> Ends:
        lattice = leg.lattice
        node, cost, parent = leg.settled.node.astype(np.int64), leg.settled.cost, leg.settled.parent
        room, begun = lattice.draft.room, lattice.draft.ticks(leg.query.turn.spent)
        keep = lattice.stops[node] & (cost <= most) & (parent >= 0)
        if least > begun:
            near = np.zeros(room, dtype=bool)
            near[node[lattice.stops[node] & (cost < least)] % room] = True
            keep &= ~near[node % room]
        rows = np.flatnonzero(keep)
        taken = taken_by(lattice, leg.settled, modes)[rows] if len(modes) > 1 else np.zeros(len(rows), dtype=np.int64)
        return Ends(leg, node[rows], cost[rows], leg.before[rows], taken)

    # -- what a turn leaves -------------------------------------------------------------------------------------------

    def _leaver(self, query: Query, gait: str) -> Callable[[frozenset[str]], object]:
        return lambda modes: self._after(query, gait, Fraction(0), modes)[0]

    def _after(self, query: Query, gait: str, spent: Fraction, modes: frozenset[str]) -> tuple[Hashable, TurnState]:
        """What a turn leaves to the next, and its carried value, kept with the terms of the question."""
        kept, name = query.terms.kept, ("after", gait, spent, modes)
        if name not in kept:
            turn = next_of(query, gait, spent, sorted(modes))
            kept[name] = key_of(query, turn), turn
        found: tuple[Hashable, TurnState] = kept[name]
        return found

    def _note(self, number: int, gait: Gait, ends: Ends, found: Level, best: Best, *, again: bool = False) -> None:
        """Write down where a turn can end: for the turns after it, and for those who ask where one can get to.

        `again`: those of this turn that were grouped already count as known.
        """
        leg, graphs = ends.leg, self.graphs
        lattice, room = leg.lattice, leg.lattice.draft.room
        self.gaits.setdefault(number, {}).setdefault(gait.name, gait)
        layer, place = np.divmod(ends.node, room)
        spent = graphs.parts(lattice, ends.cost)
        paid = leg.prices[0][ends.before] * (graphs.per // leg.sources.standing.per)
        paid = paid + spent - graphs.units(leg.query.turn.spent)
        if number > 1 and not again:
            postures = lattice.profile.postures
            lands = np.array([self.wanted.arrive in ("", postures[one.posture]) for one in lattice.draft.layers])
            fits = ends.cost <= lattice.whole(gait.budget - self.wanted.reserve)
            rows = np.flatnonzero(~self._known[place] & lands[layer] & fits)
            best.offer(gait.name, ends, rows, place[rows], spent[rows], paid[rows])
        if number == self.turns:
            return
        state, by = graphs.rested(lattice)[layer] * room + place, len(graphs.strides)
        graphs.strides.append(Stride(leg, gait.name))
        for rows, key, turn in self._left(gait, ends):
            fresh = ~self.past.no_worse(key, turn)[state[rows]]
            _, parts = found.setdefault(key, (turn, []))
            if again and parts:
                fresh |= np.isin(state[rows], parts[0].state)
            own = rows[fresh]
            if len(own):
                led = np.full(len(own), by, dtype=np.int64)
                parts.append(Standing(state[own], paid[own], led, ends.node[own], graphs.per, graphs.strides))

    def _left(self, gait: Gait, ends: Ends) -> Iterator[tuple[Ints, Hashable, TurnState]]:
        """Some ends by what the turn leaves to the next: the rows of each carried value, in the order of the ends."""
        query, lattice = ends.leg.query, ends.leg.lattice
        names, begun = self.graphs.modes(lattice), query.turn.spent
        code, most = np.zeros(len(ends.node), dtype=np.int64), int(ends.cost.max(initial=0)) + 2
        for n, bits in enumerate(np.unique(ends.modes).tolist()):
            taken = named(names, bits)
            left = {self._after(query, gait.name, spent - begun, taken)[0] for spent in (begun, gait.budget)}
            mine = ends.modes == bits
            # where it matters how much was spent, each price leaves something else
            code[mine] = n * most + (ends.cost[mine] + 1 if len(left) > 1 else 0)
        _, first, which = np.unique(code, return_index=True, return_inverse=True)
        order = np.argsort(which, kind="stable")
        rows = np.split(order, np.cumsum(np.bincount(which))[:-1]) if len(order) else []
        for n in np.argsort(first).tolist():
            at, one = int(first[n]), rows[n]
            varies = int(code[at]) % most > 0
            spent = lattice.cost(int(ends.cost[at])) - begun if varies else Fraction(0)
            yield one, *self._after(query, gait.name, spent, named(names, int(ends.modes[at])))

    def _may_stand(self, query: Query) -> bool:
        """Whether a turn may pass without a move: at most speeds, and where no gait is open at all (REUP-A16)."""
        may_stop = bool(query.profile.facts.get("may_stop", True))
        return not self.gait and (may_stop or all(one.refused is not None for one in query.profile.gaits))

    def _stand(self, query: Query, plans: Standing, found: Level) -> None:
        turn, strides = fresh_turn(query.ruleset, query.turn, query.options), self.graphs.strides
        key = key_of(query, turn)
        rows = np.flatnonzero(~self.past.no_worse(key, turn)[plans.state])
        if len(rows):
            by = np.full(len(rows), len(strides), dtype=np.int64)
            strides.append(Stride(None, stood=plans))
            stood = Standing(plans.state[rows], plans.paid[rows], by, rows, plans.per, strides)
            found.setdefault(key, (turn, []))[1].append(stood)

    # -- answers ------------------------------------------------------------------------------------------------------

    def _arrive(self, number: int, best: Best) -> None:
        """Keep the cells that no earlier turn could end on, each with the plan that leaves most of this one."""
        places = np.flatnonzero(best.by >= 0)
        self._known[places] = True
        places = places[np.argsort(best.by[places], kind="stable")]
        offers, first = np.unique(best.by[places], return_index=True)
        for n, at in zip(offers.tolist(), np.split(places, first[1:]), strict=True) if len(places) else ():
            gait, ends = best.offers[n]
            self.added.append((number, ends, gait, best.row[at], best.paid[at], self.graphs.per))

    @property
    def notes(self) -> tuple[str, ...]:
        """What is to be said of the search: that it did not follow everything that plans can leave behind."""
        cut = f"plans can leave a turn in more than {MOST} ways that matter later; so many of them were followed"
        return (cut,) if self.past.cut else ()

    @property
    def later(self) -> Mapping[int, list[Gait]]:
        """The gaits that plans have in each turn after the first, in the order of the rules."""
        order = self.query.gait_order
        return {
            turn: sorted(gaits.values(), key=lambda gait: order.index(gait.name) if gait.name in order else len(order))
            for turn, gaits in self.gaits.items()
            if turn > 1
        }

    def _begin(self, cells: Mapping[Cell, Arrival]) -> None:
        """No later turn is asked for the cells that the first turn can end on."""
        if isinstance(cells, cells_of.Ends):
            for part in cells.parts:
                self._known[part.node % self._known.size] = True
            return
        _, height, width = self.site.shape
        for place in map(self.site.place, cells):
            if place is not None:
                self._known[(place[0] * height + place[1]) * width + place[2]] = True
