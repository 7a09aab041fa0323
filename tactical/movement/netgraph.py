"""The movement graph: a `networkx.DiGraph` of everything a mover can do on a map, over compiled arrays.

Nodes are `State` tuples (cell, posture, and the counters the future depends on).  The contract of the attributes:

====================  ==========================  ================================================================
node ``cell``         `Cell`                      the body's anchor
node ``name``         str                         ``C4`` or ``upper/C4``
node ``posture``      str                         as in the state
node ``terrain``      str                         name of the ground
node ``elevation``    `Fraction`                  height of the floor in the map's unit
node ``stop``         bool                        whether a move or turn may end there
edge ``weight``       int                         cost in ticks; ``graph.tick`` is the worth of one tick
edge ``cost``         `Fraction`                  cost in the rule system's unit: ``weight * graph.tick``
edge ``way``          str                         ``walk``, ``crawl``, ``climb``, ``swim``, ``jump``, ``stand`` …
edge ``distance``     `Fraction`                  length walked, in the map's unit
edge ``clause``       str                         the clause that prices the step (``OPR-14``), or an empty text
edge ``charges``      tuple of (str, `Fraction`)  the factors and flat prices in the cost
====================  ==========================  ================================================================

The graph is frozen; ``nx.DiGraph(graph)`` is the copy to edit, and any hand-made DiGraph with integer ``weight`` can be
searched by the same kernel (`tactical.search.compiled.from_networkx`, or networkx's own calls with
``backend="tactical"``).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from inspect import Signature, signature
from typing import Any, ClassVar, Self, Unpack

import numpy as np

from tactical.errors import UnknownName
from tactical.movement.graph.lattice import Lattice
from tactical.movement.query import Placed, Query, ask, spelled_out
from tactical.movement.route import State
from tactical.movement.steps.explain import explain
from tactical.search.kernel import Settled, search
from tactical.search.lazygraph import LazyDiGraph
from tactical.world.battlemap import Battlemap
from tactical.world.mover import Mover


class States:
    """Which states the nodes of a lattice are, and which of them the mover can be in."""

    def __init__(self, lattice: Lattice) -> None:
        self.lattice = lattice

    def __len__(self) -> int:
        return int(np.count_nonzero(self.lattice.present))

    def label(self, node: int) -> State:
        """The state of a node."""
        return self.lattice.state(node)

    def node(self, label: Any) -> int:
        """The node of a state; KeyError for anything else."""
        if isinstance(label, State):
            found = self.lattice.node(label)
            if found is not None and bool(self.lattice.present[found]) and self.lattice.state(found) == label:
                return found
        raise KeyError(label)

    def nodes(self) -> Iterator[int]:
        """The nodes where the mover can be, in order."""
        return iter(np.flatnonzero(self.lattice.present).tolist())


class MovementGraph(LazyDiGraph):
    """Everything one mover can do on a map, as a networkx graph.

    Keywords are those of `tactical.reach` that a search alone does not need; `pool` names the pool of gaits where a
    rule system has several, one of ``reach(…).profile.pools()``.  The limit on doors a turn holds where `limited`.

    Raises `UnknownName`, `RulesetError` or `ValueError` like `reach`, and `networkx.NetworkXError` when changed.
    """

    __signature__: ClassVar[Signature]
    query: Query
    lattice: Lattice

    def __new__(cls, battlemap: Any = None, mover: Any = None, **more: Any) -> Self:
        made: Self = super().__new__(cls) if battlemap is None else object.__new__(cls)
        return made

    @spelled_out
    def __init__(
        self,
        battlemap: Battlemap,
        mover: Mover | str,
        *,
        pool: str | None = None,
        limited: bool = False,
        **question: Unpack[Placed],
    ) -> None:
        # what can be gone through once only is asked for twice: now, and when a copy is made
        question["goals"] = tuple(question.get("goals", ()))
        if (others := question.get("others")) is not None:
            question["others"] = tuple(others)
        self._made_of = (battlemap, mover, {"pool": pool, "limited": limited, **question})
        self.query = ask(battlemap, mover, **question)
        chosen = self.query.pool if pool is None else pool
        if pool is not None and pool not in self.query.profile.pools():
            known = self.query.profile.pools()
            hint = "these rules have one, without a name: leave it out" if known == ("",) else ""
            raise UnknownName("pool", str(pool), known, hint)
        self.lattice = self.query.lattice(chosen, None, limited=limited)
        super().__init__(self.lattice.compiled, States(self.lattice), self._node_data, self._edge_data)

    @property
    def tick(self) -> Fraction:
        """Worth of one unit of ``weight`` in the rule system's unit."""
        return self.lattice.tick

    @property
    def start(self) -> State:
        """The state the mover is in."""
        return self.lattice.state(self.index.node(self._canonical(self.query.start)))

    def _canonical(self, state: State) -> State:
        node = self.lattice.node(state)
        return state if node is None else self.lattice.state(node)

    def search(self, source: State | None = None, budget: Fraction | int | None = None) -> Settled:
        """Everything within `budget` (in the rule system's unit) of a state, as arrays; ``.to_dict()`` makes a
        dictionary.

        Raises KeyError for a state that the graph does not have.
        """
        begin = self.start if source is None else source
        node = self.index.node(begin._replace(cell=self.query.battlemap.cell_of(begin.cell)))
        return search(self.compiled, [node], budget=None if budget is None else self.lattice.whole(Fraction(budget)))

    def _node_data(self, node: int) -> Mapping[str, Any]:
        state, battlemap = self.lattice.state(node), self.query.battlemap
        place = self.lattice.place(node)
        terrain = self.lattice.site.kinds[int(self.lattice.site.core(self.lattice.site.kind)[place])]
        return {
            "cell": state.cell,
            "name": battlemap.name_of(state.cell),
            "posture": state.posture,
            "terrain": terrain.name,
            "elevation": terrain.elevation,
            "stop": bool(self.lattice.stops[node]),
        }

    def _edge_data(self, start: int, end: int, slot: int) -> Mapping[str, Any]:
        ticks = next(t for target, t, s in self.lattice.edges(start) if s == slot and target == end)
        step = explain(self.lattice, start, end, ticks, slot)
        return {
            "weight": ticks,
            "cost": step.cost,
            "way": step.way,
            "distance": step.distance,
            "clause": step.source.clause,
            "charges": tuple((charge.name, charge.value) for charge in step.charges),
        }

    def __reduce__(self) -> tuple[Any, ...]:
        # a rule system's functions do not pickle: the graph is made anew from what it was made of
        battlemap, mover, question = self._made_of
        return _remade, (battlemap.with_(picture=None), mover, question)


def _keywords() -> Signature:
    """What `MovementGraph` is called with, for ``help``: else Python shows what `__new__` takes."""
    shown = signature(MovementGraph.__init__)
    return shown.replace(parameters=list(shown.parameters.values())[1:], return_annotation=Signature.empty)


MovementGraph.__signature__ = _keywords()


def _remade(battlemap: Battlemap, mover: Mover | str, question: dict[str, Any]) -> MovementGraph:
    return MovementGraph(battlemap, mover, **question)
