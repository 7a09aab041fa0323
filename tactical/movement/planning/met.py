"""What the ways to all cells of a reach meet: the enemies that may strike on them, the rolls of their first turn.

A route tells it too, with a ledger and a line for every step.  But the cells of a reach share their ways: what a way
has met up to a node is what it had met up to the node before and what one more step adds.  Every node is looked at
once; a route is made only where `route_to` finds it elsewhere than in the search.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from tactical.movement.found import Found
from tactical.movement.graph.writer import Edge
from tactical.movement.ledger import steps_of
from tactical.movement.planning.planner import charged_by, route_to
from tactical.movement.route import Route
from tactical.movement.steps.explain import explain
from tactical.movement.steps.provoking import left_by
from tactical.movement.turns.planned import checks_of, gentlest
from tactical.rules.checks import Check
from tactical.units import Cell

if TYPE_CHECKING:
    from tactical.movement.steps.shortest import Tree
    from tactical.movement.turns.bands import Arrival
    from tactical.movement.turns.legs import Leg
    from tactical.movement.turns.memoryless import Turns

Met = tuple[tuple[str, ...], tuple[Check, ...]]
"""The enemies that may strike on a way, in order, and the rolls of its first turn."""


class Led(NamedTuple):
    """The way within one turn to a node: where it begins, whose reach it leaves, whether a step of it is rolled for."""

    source: int
    enemies: tuple[str, ...] = ()
    rolls: bool = False


class End(NamedTuple):
    """Where a turn of a way ends: in a turn of a search without a memory, or in a leg of a plan at a known gait."""

    tree: Tree
    node: int
    search: Turns | None = None
    number: int = 1
    leg: Leg | None = None
    gait: str = ""

    def before(self, source: int) -> tuple[End | None, bool]:
        """Where the move before a turn that begins in `source` ended (None: it is the first); whether a turn between
        them was stood through."""
        if self.search is not None:
            if self.number == 1:
                return None, False
            origin, earlier = self.search.turns[self.number - 1].origin, self.search.turns[self.number - 2]
            return End(earlier.tree, origin.get(source, source), self.search, earlier.number), False
        label, stood = None if self.leg is None else self.leg.sources.label(source), False
        while label is not None and label.leg is None:
            stood = stood or label.before is not None
            label = label.before
        if label is None or label.leg is None:
            return None, stood
        return End(label.leg.tree, label.node, leg=label.leg, gait=label.gait), stood


class Gone(NamedTuple):
    """A way over turns: whose attacks it risks, its first turn (None: that is stood through), whether others follow."""

    enemies: tuple[str, ...]
    first: End | None
    later: bool


class Meeting:
    """What the ways to the cells of one reach meet; each way is followed only back to where it is known."""

    def __init__(self, found: Found) -> None:
        self.found = found
        self._led: dict[Tree, dict[int, Led]] = {}
        self._gone: dict[tuple[Tree, int, str], Gone] = {}
        self._checks: dict[tuple[Tree, int, str, bool], tuple[Check, ...]] = {}

    def of(self, cell: Cell, arrival: Arrival) -> Met:
        """What the way meets that `route_to` finds to a cell of the reach; nothing where it finds none."""
        query = self.found.query
        named = self.found.options["hazard_policy"] == "avoid" and cell not in query.goals and query.hazard_at(cell)
        if arrival.trail or named or self.found.arrive not in ("", *self.found.profile.postures):
            route = route_to(self.found, cell, (), None)
            return (tuple(one.enemy for one in route.provokes), route.checks) if isinstance(route, Route) else ((), ())
        gone = self._gone_to(self._end(arrival))
        return gone.enemies, self._checks_of(gone, arrival.band.gait)

    def _end(self, arrival: Arrival) -> End:
        if arrival.plan is not None:
            label = arrival.plan
            return End(label.leg.tree, label.node, leg=label.leg, gait=label.gait)
        search = self.found.searches[arrival.pool]
        tree = search.turns[arrival.turn - 1].tree
        return End(tree, tree.easiest(arrival.node), search, arrival.turn)

    def _gone_to(self, end: End) -> Gone:
        """The way over all its turns, followed back to where it is known, then told forwards."""
        back, at, stood = list[End](), end, False
        while (known := self._gone.get((at.tree, at.node, at.gait))) is None:
            back.append(at)
            before, stood = at.before(self._led_to(at).source)
            if before is None:
                break
            at = before
        turn = self.found.query.turn
        for at in reversed(back):
            led = self._led_to(at)
            moved = led.source != at.node
            if known is not None:
                later = known.later or moved
                known = Gone(known.enemies + led.enemies, known.first, later)
            elif stood:
                known = Gone(led.enemies, None, True)
            else:
                enemies = () if turn.disengaged else tuple(one for one in led.enemies if one not in turn.struck)
                known = Gone(enemies, at, False)
            self._gone[at.tree, at.node, at.gait] = known
        assert known is not None
        return known

    def _led_to(self, end: End) -> Led:
        """The way within a turn: that to the node before and one step more."""
        tree, node = end.tree, end.node
        known = self._led.setdefault(tree, {})
        if node in known:
            return known[node]
        site = tree.lattice.site if end.leg is None else self.found.query.site_everywhere
        apart = end.leg is not None and bool(end.leg.trails)
        if end.leg is not None and apart:
            # walks that turn back share no beginnings
            edges = end.leg.edges(node)
            at = Led(edges[0][0] if edges else node)
        else:
            back = list[Edge]()
            while node not in known and (edge := tree.into(node)) is not None:
                back.append(edge)
                node = edge[0]
            at, edges = known.setdefault(node, Led(node)), back[::-1]
        for edge in edges:
            step = explain(tree.lattice, *edge)
            new = [one for one in left_by(site, step) if one not in at.enemies] if site.strikers else ()
            at = Led(at.source, (*at.enemies, *new) if new else at.enemies, at.rolls or step.check is not None)
            if not apart:
                known[edge[1]] = at
        known[end.node] = at
        return at

    def _checks_of(self, gone: Gone, gait: str) -> tuple[Check, ...]:
        """The rolls of the first turn of a way that ends in a gait."""
        query, first = self.found.query, gone.first
        if first is None or not (query.profile.demand or self._led_to(first).rolls):
            return ()
        key = first.tree, first.node, first.gait or gait, gone.later
        if key not in self._checks:
            edges = first.tree.path(first.node) if first.leg is None else first.leg.edges(first.node)
            lattice = first.tree.lattice
            steps = steps_of(lattice, [(1, edges)], query.turn.spent)
            if not first.tree.plain and not (first.leg is not None and first.leg.trails):
                steps = charged_by(lattice, first.tree.settled, steps, edges)
            own = next((one for one in query.profile.gaits if one.name == (first.gait or gait)), None)
            known = first.gait or (steps and not gone.later)
            chosen = own if known else gentlest(query, query.profile, own, steps[-1].spent if steps else None)
            site = lattice.site if first.leg is None else query.site_everywhere
            self._checks[key] = checks_of(query.profile, site, chosen, steps, query.turn)
        return self._checks[key]
