"""The lattice: the state graph of one mover on one window of a map, compiled to arrays.

A node is a number, ``layer * room + place``; a layer fixes posture, body form and counters, a place a cell of the
window. `State` is the same thing in words.  `networkx` is not needed here; `tactical.movement.netgraph` puts that face
on it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from tactical.movement.graph.body import Layer, Slot
from tactical.movement.graph.draft import Draft, rested
from tactical.movement.graph.footing import stands
from tactical.movement.graph.writer import Inward, Loose, Writer
from tactical.movement.route import State, Step
from tactical.options import Options
from tactical.registry import WAYS
from tactical.rules.profile import Profile
from tactical.search.compiled import Compiled
from tactical.search.slices import Slices, whole
from tactical.units import Cell
from tactical.values import Same
from tactical.world.edges.baking import distinct
from tactical.world.edges.crossing import Crossing
from tactical.world.site import Site
from tactical.world.terrain import LEVELS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tactical.movement.graph.frame import Array
    from tactical.world.window import Bools


class Lattice:
    """The compiled state graph.  `limited`: the limit on doors per turn holds (questions within a turn)."""

    def __init__(
        self,
        site: Site,
        profile: Profile,
        options: Options,
        pool: str = "",
        *,
        limited: bool = True,
        exact: Iterable[Fraction] = (),
    ) -> None:
        whole(self._draw(site, profile, options, pool, limited, exact))

    @classmethod
    def drawn(
        cls, site: Site, profile: Profile, options: Options, pool: str, limited: bool, exact: Iterable[Fraction]
    ) -> Slices[Lattice]:
        """In slices: the graph."""
        out = cls.__new__(cls)
        yield from out._draw(site, profile, options, pool, limited, exact)
        return out

    def _draw(
        self, site: Site, profile: Profile, options: Options, pool: str, limited: bool, exact: Iterable[Fraction]
    ) -> Slices[None]:
        self.site, self.profile, self.options, self.pool = site, profile, options, pool
        self.draft = Draft(site, profile, options, pool, limited)
        ways = sorted((way for _, way in WAYS), key=lambda way: way.order)
        self.ways: dict[str, Any] = {way.name: way for way in ways}
        """Each a `tactical.movement.ways.Way`, as their rack has them, in order."""
        for way in ways:
            yield
            self.draft.note(way.costs(self.draft))
        self.draft.note(exact)
        for way in ways:
            if way.shape:
                yield
                way.shape(self.draft)
        self.writer = Writer(self.draft)
        for way in ways:
            if way.write:
                yield
                self.writer.author = way.name
                way.write(self.writer)
        yield
        self.compiled = self.writer.pack(self.present)
        self.bare: Lattice | None = None
        """The same graph as it is kept, without bodies; None for one that is nobody else's."""
        self._states: dict[int, State] = {}
        self._counters: dict[int, Any] = {}
        self.explained: dict[tuple[int, int, int], Step] = {}
        self.readings: dict[tuple[int, int], Any] = {}
        """What `tactical.movement.steps.explain` tells the steps of a layer by a slot apart by."""

    def laid(self, site: Site, draft: Draft, compiled: Compiled, present: Bools, stops: Bools | None) -> Lattice:
        """The same graph as another mover meets it: at its site, with its steps."""
        out = Lattice.__new__(Lattice)
        out.site, out.profile, out.options, out.pool = site, draft.profile, self.options, self.pool
        out.draft, out.writer, out.compiled, out.explained, out._states = draft, self.writer, compiled, {}, {}
        out._counters, out.readings = {}, {}
        out.present, out.slots, out.ways, out.bare = present, self.slots, self.ways, self
        if stops is not None:
            out.stops = stops
        return out

    def serves(self, profile: Profile) -> bool:
        """Whether a turn of another profile has the same steps at the same prices, and needs no graph of its own."""
        # a kept graph was asked what steps cost once, for all who share it
        draft = self.draft if self.bare is None else self.bare.draft
        key = "serves", Same(self.profile), Same(profile), len(draft.paces.asked), len(draft.leapt)
        found: bool | None = draft.told.get(key)
        if found is None:
            found = draft.told[key] = self._serves(profile, draft)
        return found

    def _serves(self, profile: Profile, draft: Draft) -> bool:
        own = self.profile
        for name in ("unit", "postures", "low", "changes", "ledge", "uphill_matters", "uphill_min_rise"):
            if getattr(own, name) != getattr(profile, name):
                return False
        if (own.demand is None) != (profile.demand is None) or (own.jump is None) != (profile.jump is None):
            return False
        if any(
            pace != profile.pace(self.pool, posture, self.site.kinds[kind], uphill)
            for (posture, kind, uphill), pace in draft.paces.asked.items()
        ):
            return False
        # who jumps alike need not be asked about each leap
        alike = profile.jump == own.jump
        if not alike and profile.jump and any(profile.jump.flight(leap) != known for leap, known in draft.leapt):
            return False
        fall, other = own.fall, profile.fall
        if fall is None or other is None:
            return fall is other
        return (fall.harmless, fall.accepted) == (other.harmless, other.accepted) and all(
            fall.damage(height) == other.damage(height) for height in self._drops
        )

    @cached_property
    def _drops(self) -> tuple[Fraction, ...]:
        """The heights of all steps down."""
        rises = [plane.rise for planes in self.draft.planes for plane in planes if plane.rise is not None]
        down = distinct(np.concatenate([rise[rise < 0] for rise in rises])) if rises else ()
        return tuple(Fraction(-int(rise), self.site.height_scale) for rise in down)

    # -- nodes and states ---------------------------------------------------------------------------------------------

    @property
    def tick(self) -> Fraction:
        """Worth of one tick in the rule system's unit."""
        return self.draft.tick

    @property
    def nodes(self) -> int:
        """Number of nodes, present or not."""
        return self.compiled.nodes

    def layer(self, node: int) -> Layer:
        """The layer of a node."""
        return self.draft.layers[node // self.draft.room]

    def place(self, node: int) -> tuple[int, int, int]:
        """(level, j, i) of a node."""
        _, height, width = self.site.shape
        rest, i = divmod(node % self.draft.room, width)
        level, j = divmod(rest, height)
        return level, j, i

    def cell(self, node: int) -> Cell:
        """The cell of a node (a body's anchor)."""
        cells = self.site.cells
        found: Cell = self.site.cell(*self.place(node)) if cells is None else cells[node % self.draft.room]
        return found

    def state(self, node: int) -> State:
        """A node in words."""
        found = self._states.get(node)
        if found is None:
            # a step ends where the next one begins
            found = self._states[node] = self._state(node)
        return found

    def _state(self, node: int) -> State:
        draft, cell = self.draft, self.cell(node)
        number = node // draft.room
        layer = draft.layers[number]
        if layer.ajar and draft.leaves is not None:
            opened = tuple(sorted(draft.leaves.opened(self.place(node), layer.ajar) or ()))
            return self._counted(layer, cell)._replace(opened=opened)
        like = self._counters.get(number)
        if like is None:
            like = self._counters[number] = self._counted(layer, cell)[1:]
        return State(cell, *like)

    def _counted(self, layer: Layer, cell: Cell) -> State:
        # a body's forms are the same whoever is about
        forms = (self if self.bare is None else self.bare).draft.forms
        posture, squeezed = self.profile.postures[layer.posture], forms[layer.squeezed].squeezed
        return State(cell, posture, layer.diagonals, layer.run_up, layer.doors, squeezed, (), layer.extra)

    def node(self, state: State) -> int | None:
        """The number of a state, or None where the window or the layers do not hold it."""
        place = self.site.place(state.cell)
        if place is None or state.posture not in self.profile.postures:
            return None
        layer = Layer(
            self.profile.postures.index(state.posture),
            self.draft.form_of(state.posture, state.squeezed),
            state.diagonals % 2 if self.draft.alternate else 0,
            min(state.run_up, self.draft.run_up) if state.posture == self.profile.upright else 0,
            min(state.doors, self.draft.door_limit or 0),
            self._ajar(state, place),
            state.extra if len(state.extra) == len(self.draft.counters) else rested(()),
        )
        index = self.draft.layer_index.get(layer)
        return None if index is None else self.draft.node(index, place)

    def _ajar(self, state: State, place: tuple[int, int, int]) -> int:
        """The copies of the map that a state's doors belong to; those that are open here anyhow do not count."""
        opened = frozenset(state.opened) - self.site.opened
        if not opened:
            return 0
        return -1 if self.draft.leaves is None else self.draft.leaves.ajar(place, opened)

    def rested(self, node: int, *, keep_parity: bool) -> int:
        """The node a new turn starts from: the same cell and posture, its counters at 0."""
        layer = self.layer(node)
        fresh = layer._replace(
            diagonals=layer.diagonals if keep_parity else 0, run_up=0, doors=0, extra=rested(layer.extra)
        )
        return self.draft.layer_index[fresh] * self.draft.room + node % self.draft.room

    @cached_property
    def stops(self) -> Bools:
        """Per node: whether a move or turn may end there (other movers, no_stop, deep water)."""
        forms = [self.draft.target(form.stop).reshape(-1) for form in self.draft.forms]
        return np.concatenate([forms[layer.squeezed] for layer in self.draft.layers])

    @cached_property
    def present(self) -> Bools:
        """Per node: whether the mover can be there in that posture at all (or is)."""
        out = []
        for layer in self.draft.layers:
            form = self.draft.forms[layer.squeezed]
            room = self.draft.target(stands(self.draft, form, self.profile.postures[layer.posture])).reshape(-1)
            if layer.ajar and self.draft.leaves is not None:
                room = room & self.draft.leaves.known(self.draft, layer.ajar)
            out.append(room)
        present = np.concatenate(out)
        # wherever it stands it may leave: on a hazard, in somebody's place, under too low a roof
        start = self.site.place(self.site.mover.at) if self.site.mover.at is not None else None
        if start is not None:
            present[[self.draft.node(layer, start) for layer, _ in self.draft.plain_layers]] = True
        return present

    @cached_property
    def parts(self) -> tuple[NDArray[np.int64], ...]:
        """Of every part of the stencil: layer, slot, layer led to, offset, and the body form there."""
        layer, slot, target = np.array(self.writer.into, dtype=np.int64).reshape(-1, 3).T
        forms = np.array([each.squeezed for each in self.draft.layers], dtype=np.int64)
        return layer, slot, target, self.compiled.offset[layer, slot], forms[target]

    @cached_property
    def far_ends(self) -> frozenset[tuple[int, int, int]]:
        """The places where edges that are no steps to a neighbour, and leaps, begin and end."""
        ends = {node % self.draft.room for edge in self.writer.loose for node in edge[:2]}
        return frozenset({*map(self.place, ends), *(place for leap in self.draft.leaps for place in leap)})

    @cached_property
    def inward(self) -> Inward:
        """The edges by where they lead to."""
        found = self.writer.inward = self.writer.inward or Inward(self.writer, self.compiled)
        return found

    @cached_property
    def shaping(self) -> tuple[Any, ...]:
        """The ways that close or price steps of others, in order."""
        return tuple(way for way in self.ways.values() if way.shape is not None)

    @cached_property
    def strangely_shaped(self) -> bool:
        """Whether ways of other packages shape steps, so that nobody can say which are alike."""
        return any(not WAYS.ships(way.name) for way in self.shaping)

    # -- edges ------------------------------------------------------------------------------------------------------

    @cached_property
    def slots(self) -> tuple[Slot, ...]:
        """What each slot of the compiled graph stands for."""
        return tuple(self.writer.slots)

    def edges(self, node: int) -> Iterator[tuple[int, int, int]]:
        """(target, ticks, slot) of every edge out of a node; a slot beyond the direction slots is an extra edge."""
        yield from self.compiled.steps(node)

    def edge_to(self, node: int, cell: Cell, way: str) -> tuple[int, int, int] | None:
        """The cheapest edge (target, ticks, slot) from a node to a cell of those whose legs are called `way`."""
        place, room = self.site.place(cell), self.draft.room
        # the same cell in whatever layer
        there = None if place is None else self.draft.node(0, place)
        there_by = [edge for edge in self.compiled.steps(node) if edge[0] % room == there]
        edges = [edge for edge in there_by if self.way_of(edge[2]).leg_word == way]
        return edges[0] if len(edges) == 1 else min(edges, key=lambda edge: (edge[1], *edge), default=None)

    def way_of(self, slot: int) -> Any:
        """The way of moving that wrote a slot or extra edge."""
        return self.ways[self.slots[slot].way if slot < len(self.slots) else self.loose_edge(slot).way]

    def loose_edge(self, slot: int) -> Loose:
        """(start, end, ticks, way, note) of an extra edge: a link or a jump."""
        return self.writer.loose[slot - len(self.slots)]

    def door_crossing(self, node: int, slot: int) -> Crossing | None:
        """The closed doors that a step opens, with their price, or None."""
        if slot >= len(self.slots) or self.slots[slot].k < 0:
            return None
        plane = self.draft.planes[self.layer(node).squeezed][self.slots[slot].k]
        code = 0 if plane.crossing is None else int(plane.crossing[self.place(node)])
        crossing = self.draft.prices[code - 1] if code > 0 else None
        return crossing if crossing is not None and crossing.opens else None

    def provokes(self, slot: int) -> bool:
        """Whether a step by this slot may invite attacks, as its way says."""
        return bool(self.way_of(slot).provokes)

    def author(self, slot: int) -> str:
        """The way of another package's that wrote a slot or extra edge; empty for those of this one."""
        name = self.way_of(slot).name
        return "" if WAYS.ships(name) else name

    def edge(self, node: int, target: int, ticks: int, slot: int) -> Loose:
        """An edge as the way that wrote it knows it; the note of a step in one of the grid's directions is that one."""
        if slot >= len(self.slots):
            return self.loose_edge(slot)
        return Loose(node, target, ticks, self.slots[slot].way, self.slots[slot].k)

    @cached_property
    def threatened(self) -> tuple[tuple[frozenset[int], ...], ...]:
        """Per enemy and body form: the places from which the body touches the enemy's reach."""
        site = self.site
        out = []
        for enemy in site.enemies:
            if not site.near(enemy):
                continue
            near = [place for cell in site.threatened_by(enemy) if (place := site.place(cell)) is not None]
            forms = []
            for form in self.draft.forms:
                anchors = ((level, j - dj, i - di) for level, j, i in near for di, dj in form.cells)
                forms.append(frozenset(self.draft.node(0, at) for at in anchors if min(at) >= 0))
            out.append(tuple(forms))
        return tuple(out)

    @cached_property
    def _hardness(self) -> Array | None:
        """Per place: how hard the ground under a body is, where moves are rolled for; None elsewhere (REUP-A18)."""
        if self.profile.demand is None:
            return None
        site, form = self.site, self.draft.forms[0]
        ranks = [100 * LEVELS.index(t.difficulty) + (t.number or 0) if t.difficulty else 0 for t in site.kinds]
        rank = np.array(ranks)[site.kind]
        return np.asarray(np.max([site.core(rank, di, dj) for di, dj in form.cells], axis=0).reshape(-1))

    def hardness(self, node: int) -> int:
        """How hard the ground of a node is for the roll of a move, by level and number; 0 where nothing is rolled."""
        return 0 if self._hardness is None else int(self._hardness[node % self.draft.room])

    def attacked(self, start: int, end: int, slot: int) -> int:
        """How many enemies' reach a step leaves."""
        if not self.threatened or not self.provokes(slot):
            return 0
        room, form = self.draft.room, self.layer(start).squeezed
        return sum(start % room in near[form] and end % room not in near[form] for near in self.threatened)

    def cost(self, ticks: int) -> Fraction:
        """Ticks as a cost."""
        return self.draft.worth.of(ticks, self.draft.tick)

    def costs(self, ticks: NDArray[np.int64]) -> list[Fraction]:
        """Many ticks as costs, in their order: each price is reckoned once."""
        return self.draft.worth.of_all(ticks, self.draft.tick)

    def whole(self, cost: Fraction) -> int:
        """The whole ticks in a cost."""
        # what `//` says, in a fifth of the time
        tick = self.draft.tick
        return (cost.numerator * tick.denominator) // (cost.denominator * tick.numerator)

    def least(self, cost: Fraction) -> int:
        """The fewest whole ticks that make up a cost."""
        return -self.whole(-cost)
