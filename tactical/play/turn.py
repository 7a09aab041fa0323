"""A turn under way: one mover's orders carried out one by one, each priced by the same lattice that previewed it.

A `Turn` is a value.  Every order returns the next `Turn`, or a `Refusal` that leaves everything as it was.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Any

from tactical.errors import Refusal, UnknownName
from tactical.movement.asked import terms_of
from tactical.movement.graph.lattice import Lattice
from tactical.movement.planning.stages import opens
from tactical.movement.query import Query
from tactical.movement.route import Charge, State, Step
from tactical.movement.steps.explain import explain
from tactical.movement.steps.provoking import left_by
from tactical.movement.steps.refusal import why_cell, why_step, why_stop
from tactical.movement.turns.memoryless import afford
from tactical.registry import WAYS
from tactical.rules.profile import Source
from tactical.rules.turnstate import TurnState
from tactical.units import Cell, exact, show
from tactical.values import Same
from tactical.world.battlemap import Battlemap
from tactical.world.edges.barriers import MODES, DoorState, Kind
from tactical.world.edges.crossing import as_met, barriers_between
from tactical.world.grids import neighbours
from tactical.world.site import Site

FOREVER_LEFT = Fraction(10**12)
"""More than any move costs."""


@dataclass(frozen=True)
class Turn:
    """Where a mover stands in its turn.  `query` is the question as the turn began; `pool` the pool of its gait.

    `gait` names the gait whose budget counts (by default the first of the pool); `span` bounds the part of the map that
    is looked at by a budget (None: the whole map).  An `unlimited` turn affords every step: it tells what a move would
    cost.  `made` is the step of the last order (None: it was none), `crossed` are the closed doors in its way.
    """

    query: Query
    state: State
    acts: TurnState
    pool: str = ""
    spent: Fraction = Fraction(0)
    opened: frozenset[int] = frozenset()
    made: Step | None = None
    crossed: tuple[int, ...] = ()
    struck: frozenset[str] = frozenset()
    gait: str = ""
    span: Fraction | None = None
    unlimited: bool = False

    @classmethod
    def begin(cls, query: Query, pool: str | None = None) -> Turn:
        """A turn in which `query`'s mover has done what its turn state says."""
        chosen = query.pool if pool is None else pool
        return cls(query, query.start, query.turn, chosen, query.turn.spent, struck=query.turn.struck)

    # -- what it knows ------------------------------------------------------------------------------------------------

    @property
    def now(self) -> TurnState:
        """The turn state, brought up to date."""
        state = self.state
        return replace(
            self.acts,
            spent=self.spent,
            diagonals=state.diagonals,
            run_up=state.run_up * self.query.battlemap.cell,
            doors=state.doors,
            struck=self.struck,
        )

    def _after(self, lattice: Lattice, node: int, **changes: Any) -> Turn:
        """The turn changed by a step to a node of `lattice`; quicker than `replace`, and made at every step."""
        out = object.__new__(Turn)
        mine = self.__dict__
        out.__dict__.update(mine)
        for name in ("budget", "lattice", "node"):
            out.__dict__.pop(name, None)
        out.__dict__.update(changes)
        if out.opened is self.opened:
            out.__dict__.update(lattice=lattice, node=node)
        if "budget" in mine and out.acts is self.acts and out.state.posture == self.state.posture:
            out.__dict__["budget"] = mine["budget"]
        return out

    @cached_property
    def budget(self) -> Fraction:
        """What has been bought of this turn's movement."""
        # asked at every step of a move, in which little of it changes
        key = ("budget", Same(self.acts), self.state.posture, self.pool, self.gait)
        found: Fraction | None = self.query.kept.get(key)
        if found is None:
            found = self.query.kept[key] = self._budget()
        return found

    def _budget(self) -> Fraction:
        query = self.query
        if self.acts is query.turn and self.state.posture == query.mover.posture:
            profile = query.profile
        else:
            acts = self.acts if self.acts is query.turn else replace(self.acts, spent=query.turn.spent)
            profile = terms_of(query.ruleset, query.stats, acts, query.options, self.state.posture).profile
        gaits = [gait for gait in profile.gaits if gait.pool == self.pool and self.gait in ("", gait.name)]
        return gaits[0].budget if gaits else Fraction(0)

    @property
    def remaining(self) -> Fraction:
        """Movement left of what has been bought."""
        return self.budget - self.spent

    @cached_property
    def lattice(self) -> Lattice:
        """The whole map's state graph with the doors that the turn has opened."""
        query = self.query
        if self.opened:
            key = ("opened", self.opened)
            if key not in query.kept:
                query.kept[key] = query.changed(opened=query.opened | self.opened)
            query = query.kept[key]
        return query.lattice(self.pool, self.span, limited=True)

    @cached_property
    def node(self) -> int | None:
        """The node of the lattice where the turn stands; None where there is none."""
        return self.lattice.node(self.state)

    @property
    def site(self) -> Site:
        """What the mover meets."""
        return self.lattice.site

    def can_stop(self) -> Refusal | None:
        """Why the mover may not end a move where it is, or None."""
        if self.node is not None and bool(self.lattice.stops[self.node]):
            return None
        reason = why_stop(self.lattice, self.state.cell)
        nobody = Refusal("move.stop", {"cell": str(self.state.cell), "why": "nobody may stop there"})
        return nobody if reason is None else reason

    # -- orders -------------------------------------------------------------------------------------------------------

    def take(self, cell: Cell, way: str = "step") -> Turn | Refusal:
        """Go to a cell by one edge: a ``step`` to a neighbour (``walk`` will do), or one of the way of that name."""
        lattice, node = self.lattice, self.node
        if node is None:
            return Refusal("move.off_map", {"cell": str(self.state.cell)})
        leg = way if way == "step" or any(known.leg_word == way for known in lattice.ways.values()) else "step"
        found = lattice.edge_to(node, cell, leg)
        if found is None:
            return self._why(lattice, cell, leg)
        after = self._charge(lattice, node, *found)
        made = None if leg == way or isinstance(after, Refusal) else after.made
        if made is None or made.way == way:
            return after
        why = "" if WAYS.has(way) or way in MODES else f" (no way is called {way!r}: is its package installed?)"
        return Refusal("move.no_way", {**self._ends(cell), "way": way, "why": why})

    def _named(self, cell: Cell) -> str:
        return str(self.query.battlemap.name_of(cell) if cell in self.query.battlemap else cell)

    def _ends(self, cell: Cell) -> dict[str, str]:
        return {"start": self._named(self.state.cell), "cell": self._named(cell)}

    def _why(self, lattice: Lattice, cell: Cell, way: str) -> Refusal:
        names = self._ends(cell)
        written = lattice.ways.get(way)
        if written is None:
            reason = why_step(lattice, self.state, cell)
            return Refusal("move.unreachable", names) if reason is None else reason
        found = None if written.why is None else written.why(lattice, self.state, cell)
        return Refusal("move.no_way", {**names, "way": way.replace("_", " ")}) if found is None else found

    def _charge(self, lattice: Lattice, node: int, target: int, ticks: int, slot: int) -> Turn | Refusal:
        cost = lattice.cost(ticks)
        charged = self._affordable(cost)
        if charged is None:
            return self._short(cost)
        step = explain(lattice, node, target, ticks, slot)
        crossing = lattice.door_crossing(node, slot)
        now = opens(lattice, node, slot) if crossing is not None or slot >= len(lattice.slots) else frozenset[int]()
        crossed = () if crossing is None else crossing.barriers
        opened = self.opened | now if now else self.opened
        attacks = () if self.acts.disengaged else tuple(n for n in left_by(lattice.site, step) if n not in self.struck)
        spent, full = self.spent + charged, step.full if charged == step.cost else step.cost
        step = step.paid(charged, full, self.acts.turn, spent, attacks)
        return self._after(
            lattice,
            target,
            state=lattice.state(target),
            spent=spent,
            opened=opened,
            made=step,
            crossed=crossed,
            struck=self.struck.union(attacks) if attacks else self.struck,
        )

    def _affordable(self, cost: Fraction) -> Fraction | None:
        """What a step of this cost takes from the budget, or None where it does not fit (option grid_rounding)."""
        left, portion = FOREVER_LEFT if self.unlimited else self.remaining, self.query.portion(self.pool)
        if not portion and cost <= left:
            return cost
        return afford(cost, left, self.spent, self.query.rounding, portion)

    def posture(self, wanted: str) -> Turn | Refusal:
        """Change the posture in place."""
        if wanted == self.state.posture:
            return self
        found = self._in_place(wanted, self.state.squeezed)
        if found is not None:
            return found
        lattice = self.lattice
        names = {"posture": self.state.posture, "wanted": wanted, "cell": self.query.battlemap.name_of(self.state.cell)}
        if all((c.start, c.end) != (self.state.posture, wanted) for c in self.query.profile.changes):
            return Refusal("move.posture_change", names)
        now, form = (
            lattice.draft.forms[lattice.draft.form_of(posture, self.state.squeezed)]
            for posture in (self.state.posture, wanted)
        )
        apart = {wanted, self.state.posture} & set(self.query.profile.media)
        # where a body may not be even as it is, the ground says why, and no ceiling
        reason = why_cell(lattice, self.state.cell, form) if apart else why_cell(lattice, self.state.cell, now)
        return Refusal("move.headroom", {**names, "posture": wanted}) if reason is None else reason

    def squeeze(self, squeezed: bool) -> Turn | Refusal:
        """Squeeze a large body into the next smaller square, or straighten out again."""
        if squeezed != self.state.squeezed:
            found = self._in_place(None, squeezed)
            if found is not None:
                return found
        return Refusal("move.no_fit", {"cell": self.query.battlemap.name_of(self.state.cell)})

    def _in_place(self, posture: str | None, squeezed: bool) -> Turn | Refusal | None:
        """Take the edge without a step to a posture (None: to any) and form; None where there is none."""
        lattice, node = self.lattice, self.node
        for target, ticks, slot in () if node is None else lattice.edges(node):
            if slot >= len(lattice.slots) or lattice.slots[slot].k >= 0:
                continue
            state = lattice.state(target)
            if posture in (None, state.posture) and state.squeezed == squeezed:
                return self._charge(lattice, node, target, ticks, slot)  # type: ignore[arg-type]
        return None

    def open_door(self, name: str) -> Turn | Refusal:
        """Open a door beside the mover without a step; one that stands open already is no order.

        Raises `UnknownName` for a door that does not exist.
        """
        index = door_index(self.query.battlemap, name)
        door = as_met(self.site, index)
        if not self.beside(index):
            return Refusal("play.door_far", {"door": name, "mover": self.query.mover.id})
        if door.state is DoorState.OPEN:
            return self
        if door.state is None:
            return Refusal("play.door_state", {"door": name, "state": f"a {door.kind.value}"})
        if door.state is DoorState.LOCKED and door.cost is None:
            return Refusal("play.door_state", {"door": name, "state": door.state.value})
        limit = self.query.door_limit
        if limit is not None and self.state.doors >= limit:
            return Refusal("move.door_limit", {"limit": str(limit)})
        price = self.door_price(index)
        charged = self._affordable(price)
        if charged is None:
            return self._short(price)
        state = self.state._replace(doors=self.state.doors + 1)
        source = self.query.profile.sources.get("door", Source())
        charges = (Charge("door", charged, True, source),)
        step = Step(self.state, state, "open-door", charged, charges=charges, source=source, door=name)
        step = replace(step, spent=self.spent + charged, turn=self.acts.turn)
        return replace(
            self,
            state=state,
            spent=self.spent + charged,
            opened=self.opened | {index},
            made=step,
            crossed=(),
        )

    def door_price(self, index: int) -> Fraction:
        """What opening the barrier of that index costs."""
        return self.lattice.draft.door_price(index)

    def beside(self, index: int) -> bool:
        """Whether a barrier stands on a side of the mover's body."""
        site = self.site
        for cell in site.footprint_cells(self.state.cell, site.mover.size - int(self.state.squeezed)):
            for k, (direction, _) in enumerate(neighbours(site.battlemap.grid, cell)):
                if not direction.diagonal and index in barriers_between(site, cell, k):
                    return True
        return False

    def _short(self, cost: Fraction) -> Refusal:
        """The refusal of something that costs more than is left."""
        left, unit, portion = self.remaining, self.query.profile.unit, self.query.portion(self.pool)
        if cost <= left and portion:
            # it would fit into the sum, but not into what is left of this move and the next
            cost += portion - self.spent % portion
        numbers = {"short": show(cost - left), "cost": show(cost), "budget": show(left), "unit": unit}
        return Refusal("move.budget", numbers)

    def act(self, name: str) -> Turn | Refusal:
        """Take an action: ``act`` (anything that is no movement), ``dash``, ``bonus_dash``, ``disengage``."""
        if name == "act":
            reason = self.can_stop()
            if reason is not None:
                return reason
        order = self.query.ruleset.order
        acts: TurnState | Refusal = (
            self.now if order is None else order(self.query.stats, self.now, name, self.query.options)
        )
        if isinstance(acts, Refusal):
            return acts
        state = self.state._replace(run_up=0)
        return replace(self, acts=acts, state=state, made=None, crossed=())

    def adjust(self, cost: object) -> Turn | Refusal:
        """A manual entry by the referee; a negative one gives movement back."""
        amount = exact(cost)
        if amount > self.remaining:
            return self._short(amount)
        return replace(self, spent=self.spent + amount, made=None, crossed=())


def door_index(battlemap: Battlemap, name: str) -> int:
    """The index among the barriers of what `Battlemap.door_name` calls so.  Raises `UnknownName`."""
    every = list(enumerate(battlemap.barriers))
    doors = [n for n, b in every if b.really().kind is Kind.DOOR] + [n for n, b in every if b.kind is Kind.DOOR]
    names = {battlemap.door_name(n): n for n in doors}
    if name not in names:
        raise UnknownName("door", name, names)
    return names[name]
