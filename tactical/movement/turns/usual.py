"""The usual question: where can a mover end this turn, everything about it but its place being known already.

What its searches need besides the place is noted at the first such question and kept with the map, for its terms: the
graph, the budget, the bands.  Of bodies those are looked at that stand near, and for the length of a search they close
cells of the graph that is kept.  Whatever does more (a price for passing, a body in a doorway) is asked the long way,
on a graph of the mover's own, which gives the same answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple
from weakref import ReferenceType, ref

import numpy as np

from tactical.movement import extent
from tactical.movement.graph.kept import bodies_near, needs_own
from tactical.movement.graph.lattice import Lattice
from tactical.movement.query import Query
from tactical.movement.turns.bands import Band
from tactical.movement.turns.ends import Part, limits_now, part_in
from tactical.movement.turns.memoryless import Asked, Turns
from tactical.movement.turns.wanted import Wanted
from tactical.registry import WAYS
from tactical.search.kernel import Settled, search
from tactical.world.company import passage, shares
from tactical.world.window import Window

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tactical.world.mover import Mover

    Nodes = NDArray[np.int64]
    Bools = NDArray[np.bool_]


class Course(NamedTuple):
    """A search as it is the same wherever on a graph it begins: all amounts in ticks.

    `graph` is the lattice for as long as the map keeps it, `first` the node of the state that movers begin in at place
    0 of it, `free` says per place whether they can be there, `bare` that no body on it does more than close its cells,
    `simple` that every place is one node and the bands reach as far as the search, `anywhere` that a move may end on
    all of it, `begins` that it may end where it began.
    """

    graph: ReferenceType[Lattice]
    first: int
    free: Bools
    bare: bool
    simple: bool
    anywhere: bool
    begins: bool
    budget: int
    rounding: int
    portion: int
    spent: int
    limits: tuple[tuple[Band, int, int], ...]


@dataclass(frozen=True, slots=True)
class Usual:
    """Questions alike: their searches by pool, budget and radius in cells, and their courses by window.

    `ways` are the ways of moving that were installed, `whole` the window of the map where its graph is kept whole,
    `watery` whether there is water on it that some movers must swim.
    """

    ways: tuple[Any, ...]
    whole: Window
    in_parts: bool
    watery: bool
    asked: tuple[tuple[str, Fraction, int], ...]
    courses: tuple[dict[Window | int, Course], ...]
    met: dict[tuple[str, ...], tuple[bool, bool] | None] = field(default_factory=dict)


class Answer(NamedTuple):
    """What one search of a usual question found on a kept graph, and on which nodes bodies let no move end."""

    lattice: Lattice
    course: Course
    pool: int
    settled: Settled
    held: Nodes | None

    def part(self, arrive: str) -> Part:
        """The cells that it adds to a reach."""
        course, held, settled = self.course, self.held, self.settled
        lattice, stops = self.lattice, self.lattice.stops
        if held is not None:
            stops = stops.copy()
            stops[held] = False
        if not course.simple or arrive:
            node, cost = settled.node, settled.cost
            return part_in(lattice, stops, node, cost, arrive, self.pool, course.limits, course.spent)
        node, cost = settled.by_number()
        if held is not None or not course.anywhere:
            there = stops[node]
            node, cost = node[there], cost[there]
        return Part(lattice, self.pool, 1, course.limits, course.spent, node, cost, cost)


def _key(wanted: Wanted) -> tuple[object, ...]:
    query = wanted.query
    truth = query.sight.viewer is None
    return "usual", wanted.gait, wanted.arrive, wanted.limited, wanted.narrow, query.mover.size, truth


def _plain(wanted: Wanted) -> bool:
    """Whether nothing is asked but what terms and place say."""
    query = wanted.query
    return not (wanted.turns > 1 or wanted.reserve or query.goals or query.opened or query.squeezed)


def answers(wanted: Wanted) -> list[Answer] | None:
    """The searches of a reach, made on kept graphs; None where it is no usual question, or the first of its kind."""
    query = wanted.query
    usual: Usual | None = query.known.get(_key(wanted))
    if usual is None or not _plain(wanted) or usual.ways != WAYS.together("ways", tuple):
        return None
    if usual.watery and query.afloat is not None:
        return None
    out = []
    mover, level = query.mover, query.mover.at.level  # type: ignore[union-attr]
    i, j = query.battlemap.grid.store(mover.at.col, mover.at.row)  # type: ignore[union-attr]
    for pool, (asked, courses) in enumerate(zip(usual.asked, usual.courses, strict=True)):
        near = None
        if usual.in_parts or query.others:
            near = _near(usual.whole, i, j, asked[2] + mover.size + 1, level)
        course = courses.get(extent.wide(query, near) if usual.in_parts and near is not None else level)
        lattice = None if course is None else course.graph()
        if course is None or lattice is None:
            return None
        window = lattice.site.window
        place = (j - window.j) * window.width + i - window.i
        if not course.free[place]:
            return None
        closed = held = None
        if near is not None and query.others:
            bodies = bodies_near(query, near)
            if bodies:
                laid = _laid(query, usual, lattice, bodies, place) if course.bare else None
                if laid is None:
                    return None
                closed, held = laid
        target = -1
        if wanted.goal is not None and len(lattice.draft.layers) == 1:
            goal = lattice.site.place(wanted.goal)
            target = -1 if goal is None else lattice.draft.node(0, goal)
        settled = search(
            lattice.compiled, (course.first + place,), costs=(course.spent,) if course.spent else None,
            budget=course.budget, rounding=course.rounding, pool=course.portion, target=target, closed=closed,
        )  # fmt: skip
        out.append(Answer(lattice, course, pool, settled, held))
    return out


def _near(whole: Window, i: int, j: int, radius: int, level: int) -> Window:
    left, top = max(whole.i, i - radius), max(whole.j, j - radius)
    right, bottom = min(whole.i + whole.width - 1, i + radius), min(whole.j + whole.height - 1, j + radius)
    return Window(left, top, right - left + 1, bottom - top + 1, (level,))


def _laid(
    query: Query, usual: Usual, lattice: Lattice, bodies: Sequence[Mover], start: int
) -> tuple[Nodes | None, Nodes | None] | None:
    """The nodes that bodies close, and those on which they let no move end; None where they do more than that."""
    mover, window, store = query.mover, lattice.site.window, query.battlemap.grid.store
    closed, held, before, met = [], [], None, None
    for other in bodies:
        kind = (mover.side, mover.size_class, other.side, other.size_class)
        if kind != before:
            before = kind
            if kind not in usual.met:
                way = passage(mover, other, query.options)
                priced = way is not None and way.factor != 1
                usual.met[kind] = None if priced else (way is None, not shares(mover, other, query.options))
            met = usual.met[kind]
        if met is None:
            return None
        for cell in (other.at,) if other.size == 1 else query.battlemap.body(other.at, other.size):  # type: ignore[arg-type]
            i, j = store(cell.col, cell.row)  # type: ignore[union-attr]
            i, j = i - window.i, j - window.j
            if 0 <= i < window.width and 0 <= j < window.height:
                if met[0]:
                    closed.append(j * window.width + i)
                if met[1]:
                    held.append(j * window.width + i)
    return None if start in closed else (_nodes(lattice, closed), _nodes(lattice, held))


def _nodes(lattice: Lattice, places: list[int]) -> Nodes | None:
    """The nodes of some places in every layer."""
    if not places:
        return None
    first, layers = np.array(places, dtype=np.int64), len(lattice.draft.layers)
    if layers == 1:
        return first
    return (first + lattice.draft.room * np.arange(layers)[:, None]).reshape(-1)


def note(wanted: Wanted, asked: Sequence[Asked], searches: Sequence[Turns]) -> None:
    """Note how a reach was searched, for the next question like it, where that may be a usual one."""
    query = wanted.query
    if not _plain(wanted) or query.options["ring"] == "walk" or len(asked) != len(searches) or not asked:
        return
    if extent.far(query) or any(zone.source for zone in query.battlemap.zones):
        return
    bare = [each.lattice.bare for each in searches]
    usual: Usual | None = query.known.get(_key(wanted))
    if usual is None:
        radii = (extent.radius(query, one.pool, one.most, one.ahead) for one in asked)
        asking = tuple(
            (one.pool, one.most, radius) for one, radius in zip(asked, radii, strict=True) if radius is not None
        )
        if len(asking) < len(asked) or extent.narrow(query):
            return
        usual = query.known[_key(wanted)] = Usual(
            WAYS.together("ways", tuple), Window.whole(query.battlemap), extent.in_parts(query), query.watery, asking,
            tuple({} for _ in asked),
        )  # fmt: skip
    for lattice, courses, turns in zip(bare, usual.courses, searches, strict=True):
        if lattice is not None:
            for gone in [one for one, course in courses.items() if course.graph() is None]:
                del courses[gone]
            window = lattice.site.window
            courses[window if usual.in_parts else window.levels[0]] = _course(wanted, lattice, turns)


def _course(wanted: Wanted, lattice: Lattice, turns: Turns) -> Course:
    query, draft = wanted.query, lattice.draft
    place = lattice.site.place(query.start.cell)
    start = turns.lattice.node(query.start)
    assert place is not None
    assert start is not None
    plain = [layer for layer, _ in draft.plain_layers]
    free: Bools = np.logical_and.reduce(lattice.present.reshape(-1, draft.room)[plain])
    loose = lattice.writer.loose or draft.leaps or draft.leaves is not None
    bare = not loose and query.mover.size == 1 and not needs_own(query.options)
    limits = tuple((band, lattice.least(low), lattice.whole(most)) for band, low, most in limits_now(wanted, turns))
    budget = turns.turns[0].budget
    reach_as_far = max((most for _, _, most in limits), default=-1) >= budget and not any(low for _, low, _ in limits)
    spent = draft.ticks(turns.spent)
    begins = any(low <= spent for _, low, _ in limits)
    simple, anywhere = len(draft.layers) == 1 and reach_as_far, bool(lattice.stops[lattice.present].all())
    return Course(
        ref(lattice), start - draft.node(0, place), free, bare, simple, anywhere, begins,
        budget, turns.rounding, lattice.whole(turns.portion), spent, limits,
    )  # fmt: skip
