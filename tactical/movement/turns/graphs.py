"""The graphs that plans over turns are sought on: those of all turns, on one part of the map, with states in common."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from copy import copy
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from itertools import chain, combinations
from math import lcm
from typing import TYPE_CHECKING, Any

import numpy as np

from tactical.movement.graph.draft import rested
from tactical.movement.graph.kept import lattice_drawn
from tactical.movement.graph.lattice import Lattice
from tactical.movement.query import Query
from tactical.movement.situation import fresh_turn, stuck
from tactical.movement.turns.legs import MOST, Group, Sources, Standing, Stride, joined, least_first
from tactical.movement.turns.planned import key_of, next_of
from tactical.movement.turns.wanted import Wanted
from tactical.rules.profile import Pace
from tactical.search.kernel import Settled, search
from tactical.search.slices import Slices, at_once
from tactical.values import Same, once
from tactical.world.site import Site
from tactical.world.window import Window

if TYPE_CHECKING:
    from tactical.movement.turns.ends import Ints
    from tactical.world.window import Bools

FINE = 2**31
"""Where a unit has more parts than this, sums of them are kept as numbers of any size."""


@dataclass(eq=False)
class Graphs:
    """The graphs of all turns of a question, on one part of the map, and how the states of one are those of another.

    What turns cost on graphs of different ticks is added up in `per` parts of a unit, which every tick has whole ones
    of.
    """

    wanted: Wanted
    per: int = 1
    strides: list[Stride] = field(default_factory=list)
    numbers: dict[tuple[str, int, int, int, tuple[int, ...]], int] = field(default_factory=dict)
    """Between turns: posture, form, parity of diagonals, doors ajar and counters of plug-in ways, numbered."""
    _lattices: dict[str, list[Lattice]] = field(default_factory=dict)
    _asked: dict[object, Lattice] = field(default_factory=dict)
    _kept: dict[object, Any] = field(default_factory=dict)

    @cached_property
    def site(self) -> Site:
        """What the mover meets as far as any plan can come."""
        return self.wanted.query.site(self._window())

    @cached_property
    def room(self) -> int:
        """How many places there are on the part of the map."""
        return int(np.prod(self.site.shape))

    def _window(self) -> Window:
        """The part of the map that any plan can reach, by the longest gaits that may come to be open."""
        query = self.wanted.query
        pool = query.profile.pools()[0]
        kept, key = query.known, ("ahead", self.wanted.turns, self.wanted.gait)
        if key not in kept:
            kept[key] = self._ahead()
        cells: Fraction | None = kept[key]
        least = query.least(pool)
        if cells is None or least <= 0:
            return Window.whole(query.battlemap)
        return query.window(pool, cells * least, self.wanted.turns)

    def _ahead(self) -> Fraction | None:
        """How many cells any plan can come far; None: there is no telling."""
        query, cells, longest = self.wanted.query, Fraction(0), Fraction(0)
        level = {key_of(query, query.turn): query}
        for _ in range(self.wanted.turns):
            after: dict[object, Query] = {}
            for at in level.values():
                for gait in at.profile.gaits:
                    if gait.refused is None and self.wanted.gait in ("", gait.name):
                        least = at.least(gait.pool)
                        if least <= 0:
                            return None
                        longest = max(longest, (gait.budget - at.turn.spent) / least)
                        later = next_of(at, gait.name, Fraction(0), (gait.name,))
                        after.setdefault(key_of(at, later), at.changed(turn=later))
                still = fresh_turn(at.ruleset, at.turn, at.options)
                after.setdefault(key_of(at, still), at.changed(turn=still))
            cells += longest
            level = dict(list(after.items())[:MOST])
        return cells

    def drawing(self, query: Query, pool: str) -> Slices[Lattice]:
        """In slices: the graph of a pool in one turn; turns in which a step costs the same share it."""
        # terms are the very same ones for turns alike
        asked = (Same(query.terms), pool)
        if asked not in self._asked:
            self._asked[asked] = yield from self._graph(query, pool)
        return self._asked[asked]

    lattice = at_once(drawing)

    def _graph(self, query: Query, pool: str) -> Slices[Lattice]:
        kept = self._lattices.setdefault(pool, [])
        for known in kept:
            yield  # each may be asked for many steps
            if known.serves(query.profile):
                return known
        exact = [query.turn.spent, self.wanted.query.turn.spent]
        if query.options["grid_rounding"] != "cover_full_cost":
            exact += [gait.budget for gait in query.profile.gaits]
        site = self.wanted.query.site(self.site.window)
        found = yield from lattice_drawn(
            site, site.window, query.profile, query.options, pool, limited=self.wanted.limited, exact=exact,
            numbers=query.known,
        )  # fmt: skip
        kept.append(found)
        self.per = lcm(self.per, found.tick.denominator)
        return found

    def without(self, lattice: Lattice, modes: Sequence[str], taken: frozenset[str]) -> Lattice:
        """The same graph without the steps that are made in other modes than those `taken`."""
        return once(self._kept, ("only", Same(lattice), taken), lambda: only(lattice, modes, taken))

    def parts(self, lattice: Lattice, ticks: Ints) -> Ints:
        """Ticks of a graph in parts of a unit."""
        each = lattice.tick.numerator * (self.per // lattice.tick.denominator)
        return ticks * each if self.per < FINE else ticks.astype(object) * each

    def units(self, cost: Fraction) -> int:
        """A cost in parts of a unit."""
        return cost.numerator * (self.per // cost.denominator)

    # -- where there is more to find ----------------------------------------------------------------------------------

    def ends(self, lattice: Lattice) -> Bools:
        """Per place whether any number of turns over this graph alone could end there."""
        return once(self._kept, ("ends", Same(lattice)), lambda: self._ends(lattice))

    def _ends(self, lattice: Lattice) -> Bools:
        place, room = self.site.place(self.wanted.query.start.cell), lattice.draft.room
        out = np.zeros(room, dtype=bool)
        if place is not None:
            here = range(lattice.draft.node(0, place), lattice.nodes, room)
            reached = search(lattice.compiled, [node for node in here if lattice.present[node]]).node
            reached = reached.astype(np.int64)
            out[reached[lattice.stops[reached]] % room] = True
        return out

    def stops(self, lattice: Lattice) -> Bools:
        """Per place whether a turn over this graph may end there at all."""
        key, room = ("stops", Same(lattice)), lattice.draft.room
        return once(
            self._kept, key, lambda: np.asarray((lattice.stops & lattice.present).reshape(-1, room).any(axis=0))
        )

    def leading_on(self, groups: Iterable[Group], known: Bools) -> Slices[bool]:
        """In slices: whether the turns to come of any group may end on a place that no turn is `known` to end on."""
        for group in groups:
            pools = dict.fromkeys(gait.pool for gait in group.query.profile.gaits)
            for pool in pools if len(group.starts.state) else ():
                lattice = yield from self.drawing(group.query, pool)
                new = self.stops(lattice) & ~known
                if not new.any():
                    continue
                if self._beside(lattice, group, new):
                    return True
                yield
                found = self.ends(lattice)
                # where a turn has come by another graph (out of the water), this one leads on from there
                if (found & new).any() or not found[group.starts.state % known.size].all():
                    return True
        return False

    def _beside(self, lattice: Lattice, group: Group, new: Bools) -> bool:
        """Whether a step from where plans stand ends on one of the `new` places, which is quickly seen."""
        compiled, nodes = lattice.compiled, self.starts(lattice, group.query, [group.starts]).node
        if not len(nodes):
            return False
        _, ends, _ = compiled.steps_from(nodes)
        return bool((new[ends % compiled.cells] & lattice.stops[ends]).any())

    # -- states -------------------------------------------------------------------------------------------------------

    def rested(self, lattice: Lattice) -> Ints:
        """Per layer the number of the state that a turn rests to, the same for all graphs: its counters are at 0."""
        key = ("rested", Same(lattice))
        if key not in self._kept:
            keep, postures = lattice.options["parity_reset"] == "never", lattice.profile.postures
            out = []
            for one in lattice.draft.layers:
                named = (postures[one.posture], one.squeezed, one.diagonals if keep else 0, one.ajar, rested(one.extra))
                out.append(self.numbers.setdefault(named, len(self.numbers)))
            self._kept[key] = np.array(out, dtype=np.int64)
        found: Ints = self._kept[key]
        return found

    def starts(self, lattice: Lattice, query: Query, standing: Sequence[Standing]) -> Sources:
        """Where plans stand on a graph, without those in water that the pool cannot leave.

        Of several that stand alike the one that has paid least counts.
        """
        own = self.rested(lattice)
        layer_of = np.full(len(self.numbers), -1, dtype=np.int64)
        for n, one in reversed(list(enumerate(lattice.draft.layers))):
            if (one.run_up, one.doors, one.extra) == (0, 0, rested(one.extra)):
                layer_of[own[n]] = n
        plans, room = joined(standing, self.per), lattice.draft.room
        number, place = np.divmod(plans.state, room)
        layer = layer_of[number]
        keep = layer >= 0
        shut = self.shut(lattice, query)
        if shut:
            keep &= ~np.isin(self.site.core(self.site.kind).reshape(-1)[place], shut)
        rows = np.flatnonzero(keep)
        node = layer[rows] * room + place[rows]
        if len(standing) > 1:
            best = np.sort(least_first(node, plans.paid[rows]))
            rows, node = rows[best], node[best]
        order = np.argsort(plans.paid[rows], kind="stable")
        return Sources(node[order], plans.paid[rows][order], rows[order], plans)

    def shut(self, lattice: Lattice, query: Query) -> list[int]:
        """The kinds of ground that nobody leaves in a pool."""
        site, posture = self.site, query.profile.postures[0]
        wet = (n for n in site.used if site.kinds[n].swum_by_some)
        return [n for n in wet if stuck(query.profile, lattice.pool, posture, site.kinds[n]) is not None]

    def begin(self, query: Query) -> Standing:
        """Where plans begin: nothing led there.  Empty where it is no place to end a turn, so that nobody stays."""
        lattice = self.lattice(query, query.profile.pools()[0])
        node = lattice.node(query.start)
        layer, place = divmod(node or 0, lattice.draft.room)
        state = int(self.rested(lattice)[layer]) * lattice.draft.room + place
        held = [] if node is None or not lattice.stops[node] else [0]
        states, paid, nothing = (np.full(len(held), value, dtype=np.int64) for value in (state, 0, -1))
        return Standing(states, paid, nothing, nothing, self.per, self.strides)

    def modes(self, lattice: Lattice) -> tuple[str, ...]:
        """The ways of going that the ground of a graph knows."""
        return once(self._kept, ("of modes", Same(lattice)), lambda: modes_of(lattice))


# --- the modes of a turn ---------------------------------------------------------------------------------------------
#
# Who has swum a turn is tired where who has walked round the lake is not.  So where it matters to the rule system which
# modes a turn used, ways without some of them are looked for apart, and every way knows the modes that it took.

MOST_MODES = 5
"""Where a map knows more ways of going, which of them a turn used is not looked for, only what it used."""


def modes_of(lattice: Lattice) -> tuple[str, ...]:
    """The ways of going that the ground of a graph knows."""
    draft = lattice.draft
    found = (draft.paces.pace(posture, kind, False) for posture in lattice.profile.postures for kind in draft.site.used)
    return tuple(sorted({pace.mode for pace in found if isinstance(pace, Pace)}))


def named(modes: Sequence[str], bits: int) -> frozenset[str]:
    return frozenset(mode for n, mode in enumerate(modes) if bits >> n & 1)


def bits_of(lattice: Lattice, modes: Sequence[str]) -> Ints:
    """Per node the modes, as bits, in which it is entered; of a large body, those of all its cells."""
    draft, site = lattice.draft, lattice.site
    layers = []
    for layer in draft.layers:
        posture = lattice.profile.postures[layer.posture]
        paces = [draft.paces.pace(posture, kind, False) for kind in range(len(site.kinds))]
        # ground that lies outside the graph may know more ways of going
        known = (pace.mode if isinstance(pace, Pace) and pace.mode in modes else "" for pace in paces)
        own = np.array([1 << modes.index(mode) if mode else 0 for mode in known])
        cells = [site.core(own[site.kind], di, dj) for di, dj in draft.forms[layer.squeezed].cells]
        layers.append(np.bitwise_or.reduce(cells).reshape(-1))
    return np.concatenate(layers).astype(np.int64)


def taken_by(lattice: Lattice, settled: Settled, modes: Sequence[str]) -> Ints:
    """Per settled node the modes of its way, as bits; a change of posture in place is none."""
    bits, room = bits_of(lattice, modes), lattice.draft.room
    node, parent = settled.node.astype(np.int64), settled.parent.astype(np.int64)
    before = np.where(parent < 0, np.arange(len(parent)), parent)
    taken = np.where(node % room != node[before] % room, bits[node], 0)
    # of each the steps up to some way back, which doubles each time
    while not np.array_equal(further := before[before], before):
        taken, before = taken | taken[before], further
    return np.asarray(taken | taken[before])


def only(lattice: Lattice, modes: Sequence[str], taken: frozenset[str]) -> Lattice:
    """The same graph without the steps that are made in other modes."""
    compiled, bits = lattice.compiled, bits_of(lattice, modes)
    allowed = sum(1 << n for n, mode in enumerate(modes) if mode in taken)
    closed = (bits & ~allowed) != 0
    source = np.arange(compiled.nodes)
    target = source[:, None] + compiled.offset[source // max(compiled.cells, 1)]
    inside = (target >= 0) & (target < compiled.nodes)
    moved = target % compiled.cells != source[:, None] % compiled.cells
    weight = np.where(closed[np.where(inside, target, 0)] & moved, 0, compiled.weight)
    graph = copy(lattice)
    graph.__dict__.pop("arrivals", None)
    graph.compiled = replace(compiled, weight=weight.astype(compiled.weight.dtype), kept={})
    return graph


def sets_of(modes: Sequence[str], left: Sequence[Callable[[frozenset[str]], object]]) -> list[frozenset[str] | None]:
    """Which modes to search apart, the fewest first, because ways without the others leave something else; last None,
    which stands for all of them.

    `left` says, gait by gait, what a turn leaves that took just these modes.
    """
    if len(modes) < 2 or len(modes) > MOST_MODES:
        return [None]
    every, out = frozenset(modes), dict[frozenset[str], None]()
    known = [*map(frozenset, chain.from_iterable(combinations(modes, n) for n in range(1, len(modes) + 1)))]
    for leaves in left:
        alike: dict[object, frozenset[str]] = {}
        for taken in known:
            value = leaves(taken)
            alike[value] = alike.get(value, frozenset()) | taken
        out |= dict.fromkeys(taken for taken in alike.values() if taken != every)
    return [*sorted(out, key=lambda taken: (len(taken), sorted(taken))), None]
