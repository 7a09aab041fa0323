"""Ways of moving: each file adds one kind of edge to the movement graph, or shapes those that others write.

A way offers ``WAY``, a `Way`.  Ways run in `order`: first all say which exact `costs` they will use, then those with
`shape` narrow the planes of steps that geometry leaves open (a ledge, a closed door), then those with `write` add
edges.  Whatever a way writes bears its name, and from there everything is asked of it: how a step is explained, what a
ledger calls it, what hangs together by it, how far it leads, and why it does not lead somewhere.

A function that raises, notes a cost that is not exact or below 0, or writes what does not fit the graph, ends the
question in a `PluginError` that names its way.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from types import MappingProxyType, NoneType
from typing import TYPE_CHECKING, Any

from tactical.errors import Refusal, bring
from tactical.guard import Guarded, Unfit, Ward, amount, any_of, guard
from tactical.movement.graph.body import Plane
from tactical.movement.graph.draft import Counter, Draft
from tactical.movement.graph.media import Medium
from tactical.movement.route import Charge, State, Step
from tactical.rules.checks import Check
from tactical.rules.profile import Source
from tactical.units import Cell
from tactical.world.battlemap import Battlemap

if TYPE_CHECKING:
    from tactical.movement.graph.lattice import Lattice
    from tactical.movement.graph.writer import Loose, Writer
    from tactical.movement.query import Query
    from tactical.world.terrain import Terrain

Place = tuple[int, int, int]
"""A cell of a window: level, row and column."""


@dataclass(frozen=True, slots=True)
class Part:
    """What a way that shapes steps has added to one of them: charges, a name for it, a roll, the damage it does."""

    charges: tuple[Charge, ...] = ()
    way: str = ""
    check: Check | None = None
    damage: Fraction = Fraction(0)


@dataclass(frozen=True, slots=True)
class Obstacle:
    """One kind of thing that may bar a mover, and the question `without` it (None: there is nothing of the kind).

    Where a reason is searched, obstacles are taken away one kind after the other, by their `order`.  `nowhere` has the
    words for a cell of another level to which nothing leads even without it.
    """

    name: str
    order: int
    without: Callable[[Query], Query | None]
    nowhere: Callable[[Query, Cell], Refusal] | None = None

    def __post_init__(self) -> None:
        guard(self, "obstacle", {"without": Ward(), "nowhere": Ward(any_of(Refusal, NoneType))}, ("nowhere",))


def with_options(query: Query, **options: object) -> Query | None:
    """The question with other options; None where they are so already."""
    if all(query.options[name] == value for name, value in options.items()):
        return None
    return query.changed(options=query.options.set(options))


def on_ground(query: Query, change: Callable[[Terrain], Terrain], *facts: str) -> Query | None:
    """The question on other ground, whose zones say nothing of some `facts`; None where that is as it was."""
    battlemap = query.battlemap
    palette = tuple(map(change, battlemap.palette))
    zones = tuple(
        replace(zone, facts={name: value for name, value in zone.facts.items() if name not in facts})
        for zone in battlemap.zones
    )
    if palette == battlemap.palette and zones == battlemap.zones:
        return None
    return query.changed(battlemap=replace(battlemap, palette=palette, zones=zones))


def _noted(found: Any, by: Guarded) -> tuple[Fraction, ...]:
    # a generator runs here, under guard
    return tuple(amount(cost, "a cost") for cost in found)


def _pairs(found: Any, by: Guarded) -> tuple[tuple[Cell, Cell], ...]:
    pairs = tuple(found)
    for pair in pairs:
        if not isinstance(pair, tuple) or len(pair) != 2 or not all(isinstance(cell, Cell) for cell in pair):
            raise Unfit(f"{pair!r:.60} is not a pair of cells")
    return pairs


def _places(found: Any, by: Guarded) -> tuple[tuple[Place, Place], ...]:
    pairs = tuple(found)
    for pair in pairs:
        if not isinstance(pair, tuple) or len(pair) != 2 or not all(len(place) == 3 for place in pair):
            raise Unfit(f"{pair!r:.60} is not a pair of places, each a level, a row and a column")
    return pairs


def nothing(draft: Draft) -> tuple[Any, ...]:
    """No prices of its own; nothing that hangs together by it."""
    return ()


WARDS = {
    "costs": Ward(_noted),
    "shape": Ward(),
    "part": Ward(any_of(Part, NoneType)),
    "write": Ward(),
    "far": Ward(_pairs),
    "rate": Ward(lambda found, by: None if found is None else amount(found, "a rate")),
    "joins": Ward(_places),
    "explain": Ward(any_of(Step)),
    "alike": Ward(),
    "why": Ward(any_of(Refusal, NoneType)),
    "onto": Ward(any_of(Cell, NoneType)),
}
"""How each function of a way is guarded."""


@dataclass(frozen=True, slots=True)
class Way:
    """One way of moving: everything that is known of it anywhere.

    `costs` are the exact prices it uses.  `shape` closes or prices steps that geometry leaves open; `part(lattice,
    node, plane)` says what that has added to the price of one.  `write` adds edges.  `explain(lattice, edge)` gives the
    `Step` of an edge it has written; without it one is its bare price, under the way's name and with its `source`.
    `provokes` says whether they invite attacks, `rolls` whether any asks
    for a roll, `alike(lattice, edge)` what an explanation is made of but for where the edge is.  `leg` is what a leg of
    a move that takes one is called, by default like the way.

    How far it leads is told by `far(battlemap)`, pairs of cells, or by `rate(query, pool)`, the least that a cell's
    length costs by it as the crow flies (None: it leads nowhere).  `joins(draft)` are the pairs of places that hang
    together by it, whatever that costs; without it what `far` says.

    `why(lattice, state, cell)` gives the `Refusal` that says why it does not lead, or closes the step, from a state to
    a cell.  `onto(lattice, cells)` is the cell that it would lead to from the first of some cells which lie on a way
    that the ground does not carry.  `relax` are the obstacles of its own.  `words` are what ledgers say for its steps
    and flat prices, by their names, with ``{length}``, ``{unit}``, ``{ground}``, ``{what}`` and ``{rising}`` filled in;
    empty where the name of a step on the ground need not be told.  `apart` are the flat prices, by name, that a ledger
    gives a line of their own before the step's, each with the name of that line: its words, where the charge says
    `what`, else those of the price.  `shifty` are the codes of refusals that one gait
    meets and a faster one need not, the nearest to success first; `refusals` the words of its own codes, ``name.code``.

    `media` are what it moves in besides the ground, `counters` what it counts besides costs.
    """

    name: str
    order: int
    costs: Callable[[Draft], Iterable[Fraction]] = nothing
    shape: Callable[[Draft], None] | None = None
    write: Callable[[Writer], None] | None = None
    far: Callable[[Battlemap], Iterable[tuple[Cell, Cell]]] | None = None
    provokes: bool = True
    explain: Callable[[Lattice, Loose], Step] | None = None
    why: Callable[[Lattice, State, Cell], Refusal | None] | None = None
    media: tuple[Medium, ...] = ()
    counters: tuple[Counter, ...] = ()
    leg: str = ""
    part: Callable[[Lattice, int, Plane], Part | None] | None = None
    rolls: bool = False
    alike: Callable[[Lattice, Loose], Hashable] | None = None
    rate: Callable[[Query, str], Fraction | None] | None = None
    joins: Callable[[Draft], Iterable[tuple[Place, Place]]] | None = None
    onto: Callable[[Lattice, Sequence[Cell]], Cell | None] | None = None
    relax: tuple[Obstacle, ...] = ()
    words: Mapping[str, str] = field(default_factory=dict)
    apart: Mapping[str, str] = field(default_factory=dict)
    shifty: tuple[str, ...] = ()
    source: Source = Source()
    refusals: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        guard(self, "way of moving", WARDS, tuple(name for name in WARDS if name != "costs"))
        if not isinstance(self.order, int):
            raise TypeError(f"Way {self.name!r}: order must be a whole number, not {self.order!r}")
        for name in ("words", "apart"):
            object.__setattr__(self, name, MappingProxyType(dict(getattr(self, name))))
        bring(self.name, self.refusals)

    @property
    def leg_word(self) -> str:
        """What a leg that takes one of its edges is called."""
        return self.leg or self.name

    def joined(self, draft: Draft) -> Iterator[tuple[Place, Place]] | None:
        """What hangs together by this way, in the window of a draft; None where nobody knows."""
        if self.joins is not None:
            return iter(self.joins(draft))
        if self.far is not None:
            ends = ((draft.site.place(a), draft.site.place(b)) for a, b in self.far(draft.site.battlemap))
            return ((a, b) for a, b in ends if a is not None and b is not None)
        return iter(()) if self.write is None else None
