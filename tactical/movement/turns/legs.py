"""The turns of plans while they are sought: one search each, and how a plan came to where it stands."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from tactical.movement.graph.arrivals import Edge, Tree
from tactical.movement.graph.lattice import Lattice
from tactical.movement.graph.media import rested
from tactical.movement.query import Query, fresh_turn, stuck
from tactical.movement.route import State
from tactical.movement.turns import ends
from tactical.movement.turns.bands import Arrival, Band
from tactical.movement.turns.memoryless import Turns
from tactical.movement.turns.planned import key_of, next_of
from tactical.movement.turns.rings import Trail, unrolled
from tactical.rules.profile import Gait, Profile
from tactical.search.kernel import Settled, search
from tactical.search.slices import Slices, whole
from tactical.units import Cell
from tactical.values import Fixed
from tactical.world.site import Site
from tactical.world.window import Window

if TYPE_CHECKING:
    from tactical.movement.turns.ends import Ints
    from tactical.world.site import Bools

MOST = 64
"""So many carried values are followed in a turn."""


class Label(NamedTuple):
    """Where a plan stands between two turns: what it has paid, and the turn that led there (no `leg`: it stood)."""

    paid: Fraction
    leg: Leg | None = None
    node: int = -1
    gait: str = ""
    before: Label | None = None


@dataclass(eq=False)
class Leg:
    """The search of one turn: its question and graph, what it settled, and the plans that stood where it began."""

    query: Query
    lattice: Lattice
    settled: Settled
    sources: Mapping[int, Label]
    tree: Tree
    trails: Mapping[int, Trail] = field(default_factory=dict)

    @cached_property
    def begins(self) -> Ints:
        """Per settled row the node that its way begins at."""
        parent = self.settled.parent.astype(np.int64)
        root = np.where(parent < 0, np.arange(len(parent)), parent)
        while (further := root[root]).tolist() != root.tolist():
            root = further
        return np.asarray(self.settled.node.astype(np.int64)[root])

    def paid(self) -> Ints:
        """Per node a number for what the plan had paid before the turn, the same for the same price."""
        prices: dict[Fraction, int] = {}
        number = {node: prices.setdefault(label.paid, len(prices)) for node, label in self.sources.items()}
        out = np.zeros(self.lattice.nodes, dtype=np.int64)
        out[self.settled.node] = [number[node] for node in self.begins.tolist()]
        return out

    def edges(self, node: int) -> list[Edge]:
        """The edges of the turn that ends on a node."""
        return unrolled(self.trails[node]) if node in self.trails else self.tree.path(node)


Searched = tuple[Gait, Leg, Sequence[str]]
"""A gait with the search of its turn, and the modes that its graph knows."""


@dataclass(eq=False)
class Group:
    """The plans that go on with one carried value: the question of their next turn, and where they stand."""

    query: Query
    starts: dict[int, Label]


@dataclass(eq=False)
class Graphs:
    """The graphs of all turns of a question, on one part of the map, and how the states of one are those of another."""

    query: Query
    turns: int
    gait: str = ""
    limited: bool = True
    numbers: dict[tuple[str, int, int, int, tuple[int, ...]], int] = field(default_factory=dict)
    """Between turns: posture, form, parity of diagonals, doors ajar and counters of plug-in ways, numbered."""
    _lattices: dict[str, list[Lattice]] = field(default_factory=dict)
    _asked: dict[object, Lattice] = field(default_factory=dict)
    _ends: list[tuple[Lattice, Bools]] = field(default_factory=list)

    @cached_property
    def site(self) -> Site:
        """What the mover meets as far as any plan can come."""
        return self.query.site(self._window())

    def _window(self) -> Window:
        """The part of the map that any plan can reach, by the longest gaits that may come to be open."""
        query, level, cells = self.query, {key_of(self.query, self.query.turn): self.query}, Fraction(0)
        pools = query.profile.pools()
        longest = Fraction(0)
        for _ in range(self.turns):
            after: dict[object, Query] = {}
            for at in level.values():
                for gait in at.profile.gaits:
                    if gait.refused is None and self.gait in ("", gait.name):
                        least = at.least(gait.pool)
                        if least <= 0:
                            return Window.whole(query.battlemap)
                        longest = max(longest, (gait.budget - at.turn.spent) / least)
                        later = next_of(at, gait.name, Fraction(0), (gait.name,))
                        after.setdefault(key_of(at, later), at.changed(turn=later))
                still = fresh_turn(at.ruleset, at.turn, at.options)
                after.setdefault(key_of(at, still), at.changed(turn=still))
            cells += longest
            level = dict(list(after.items())[:MOST])
        least = query.least(pools[0])
        return query.window(pools[0], cells * least, self.turns) if least > 0 else Window.whole(query.battlemap)

    def lattice(self, query: Query, pool: str) -> Lattice:
        """The graph of a pool in one turn; turns in which a step costs the same share it."""
        return whole(self.drawing(query, pool))

    def drawing(self, query: Query, pool: str) -> Slices[Lattice]:
        """The same in slices."""
        asked = (key_of(query, query.turn), query.turn.spent, query.mover.posture, pool)
        if asked not in self._asked:
            self._asked[asked] = yield from self._graph(query, pool)
        return self._asked[asked]

    def _graph(self, query: Query, pool: str) -> Slices[Lattice]:
        kept = self._lattices.setdefault(pool, [])
        for known in kept:
            if known.serves(query.profile):
                return known
        exact = [query.turn.spent, self.query.turn.spent]
        if query.options["grid_rounding"] != "cover_full_cost":
            exact += [gait.budget for gait in query.profile.gaits]
        yield
        kept.append((yield from Lattice.drawn(self.site, query.profile, query.options, pool, self.limited, exact)))
        return kept[-1]

    def ends(self, lattice: Lattice) -> Bools:
        """Per place whether any number of turns over this graph alone could end there."""
        for known, found in self._ends:
            if known is lattice:
                return found
        place, room = self.site.place(self.query.start.cell), lattice.draft.room
        out = np.zeros(room, dtype=bool)
        if place is not None:
            here = range(lattice.draft.node(0, place), lattice.nodes, room)
            reached = search(lattice.compiled, [node for node in here if lattice.present[node]]).node.astype(np.int64)
            out[reached[lattice.stops[reached]] % room] = True
        self._ends.append((lattice, out))
        return out

    def leading_on(self, groups: Iterable[Group], known: Bools) -> Slices[bool]:
        """In slices: whether the turns to come of any group may end on a place that no turn is `known` to end on."""
        for group in groups:
            pools = dict.fromkeys(gait.pool for gait in group.query.profile.gaits)
            for pool in pools if group.starts else ():
                lattice = yield from self.drawing(group.query, pool)
                yield
                found = self.ends(lattice)
                # where a turn has come by another graph (out of the water), this one leads on from there
                if (found & ~known).any() or not all(found[state % known.size] for state in group.starts):
                    return True
        return False

    def rested(self, lattice: Lattice) -> list[int]:
        """Per layer the number of the state that a turn rests to, the same for all graphs: its counters are at 0."""
        keep, postures = lattice.options["parity_reset"] == "never", lattice.profile.postures
        out = []
        for one in lattice.draft.layers:
            key = (postures[one.posture], one.squeezed, one.diagonals if keep else 0, one.ajar, rested(one.extra))
            out.append(self.numbers.setdefault(key, len(self.numbers)))
        return out

    def starts(self, lattice: Lattice, group: Group) -> dict[int, Label]:
        """The nodes of a graph where the plans of a group stand, without those in water that the pool cannot leave."""
        layers: dict[int, int] = {}
        fresh = [(one.run_up, one.doors, one.extra) == (0, 0, rested(one.extra)) for one in lattice.draft.layers]
        for layer, number in enumerate(self.rested(lattice)):
            if fresh[layer]:
                layers.setdefault(number, layer)
        room = lattice.draft.room
        kinds, site = self.site.core(self.site.kind).reshape(-1), self.site
        profile = group.query.profile
        shut = {
            n
            for n in site.used
            if site.kinds[n].swum_by_some
            and stuck(profile, lattice.pool, profile.postures[0], site.kinds[n]) is not None
        }
        out = {}
        for state, label in group.starts.items():
            number, place = divmod(state, room)
            if number in layers and not (shut and int(kinds[place]) in shut):
                out[layers[number] * room + place] = label
        return out


class Ends(NamedTuple):
    """Where a turn of one gait can end: nodes and ticks, the nodes of the plans that each begins from, and the modes it
    took (bits)."""

    leg: Leg
    node: Ints
    cost: Ints
    begins: Ints
    modes: Ints


def turns_of(label: Label) -> list[tuple[Leg | None, str, int, list[Edge]]]:
    """The turns of a plan, the first one first: search, gait, the node it ends on, and edges; none where it stands."""
    out: list[tuple[Leg | None, str, int, list[Edge]]] = []
    at: Label | None = label
    while at is not None and (at.leg is not None or at.before is not None):
        if at.leg is None:
            out.append((None, "", -1, []))
            at = at.before
        else:
            edges = at.leg.edges(at.node)
            out.append((at.leg, at.gait, at.node, edges))
            at = at.leg.sources[edges[0][0] if edges else at.node]
    return out[::-1]


def end_of(arrival: Arrival, searches: Sequence[Turns] = ()) -> State:
    """The state that a way ends in, found by one of some `searches` or as a plan over turns."""
    label: Label | None = arrival.plan
    if label is None or label.leg is None:
        return searches[arrival.pool].lattice.state(arrival.node)
    return label.leg.lattice.state(label.node)


def all_arrivals(
    first: Mapping[Cell, Arrival], later: Mapping[Cell, tuple[Gait, Arrival]], bands: Sequence[Band]
) -> Mapping[Cell, Arrival]:
    """The cells of the first turn, then those of the later ones, each in the band of its turn and gait."""
    named = {(band.turn, band.gait): band for band in bands}
    # read part by part: looked up one by one they take several times as long
    parts = first.parts if isinstance(first, ends.Ends) else ()
    out = dict(
        chain.from_iterable(zip(part.cells(), map(part.arrival, range(len(part.node))), strict=True) for part in parts)
    )
    out = out or dict(first)
    for cell, (gait, arrival) in later.items():
        out.setdefault(cell, replace(arrival, band=named[arrival.turn, gait.name]))
    return Fixed(out)


def hopeless(profile: Profile, gait: Gait) -> bool:
    """Whether a gait asks for a roll, wherever one goes, that cannot be passed."""
    if profile.demand is None:
        return False
    return any(check.chance() == 0 for check in profile.demand(gait.name, ()).checks)
