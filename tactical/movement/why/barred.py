"""What bars the way to a cell that no amount of movement reaches: the first obstacle, by name.

Obstacles are taken away one kind at a time, all of them at last, until something joins the cell to the start.  Of the
ways that then open the one with the fewest obstacles is taken, and the step on it is explained by which it leaves, for
good, what the mover can reach as things are.  So what is named does bar the mover, and without it the way is free or
leads on to the next obstacle.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace
from math import hypot
from typing import TYPE_CHECKING

import numpy as np

from tactical.errors import Refusal
from tactical.movement.graph.draft import Draft
from tactical.movement.graph.lattice import Lattice
from tactical.movement.query import Query
from tactical.movement.route import State
from tactical.movement.steps.refusal import bulky, names_of, why_end, why_step
from tactical.movement.ways import Obstacle, Way, on_ground, with_options
from tactical.movement.why.components import nearest
from tactical.movement.why.components import parted as apart
from tactical.search.compiled import Compiled
from tactical.search.kernel import search
from tactical.search.slices import Slices
from tactical.units import Cell
from tactical.values import once
from tactical.world.edges.baking import distinct
from tactical.world.edges.barriers import DoorState, Kind
from tactical.world.grids import neighbours
from tactical.world.terrain import PLAIN, Terrain
from tactical.world.window import Window

if TYPE_CHECKING:
    from tactical.movement.graph.frame import Array
    from tactical.search.result import Settled

OBSTACLE, ROUND = 3000, 1000
"""How many steps round an obstacle is worth, and how many more a closed corner: what stands beside it closes it."""

NEAR, MARGIN = 40, 12
"""What parts a large map is looked for where its parts are so few steps apart, with so many cells around."""

BARE, SIZE, NONE = "everything", "size", Obstacle("nothing", 0, lambda query: query)
"""All obstacles at once; a large body; none at all: the way leads there, but not so that one may end there."""

TOLD = {"start": "from", "cell": "at", **{word: word for word in ("who", "need", "has", "length", "longest", "unit")}}
"""What a refusal tells of the obstacle, and under which names `move.barred` passes it on."""

Place = tuple[int, int, int]


def barrier(
    query: Query,
    pool: str,
    cell: Cell,
    *,
    arrive: str = "",
    parted: bool = False,
    window: Window | None = None,
    beside: Iterable[Cell] = (),
) -> Slices[Refusal | None]:
    """In slices: what bars the way of a pool's gaits to `cell`, or None where nothing can be named.

    `parted` says that nothing whatever joins the cell to the start.  Of a large map only a `window` is looked at, into
    which one gets by the cells `beside` the start too.
    """
    strict = yield from _graph(query, pool, window)
    start, goal = strict.node(query.start), strict.site.place(cell)
    if start is None or goal is None:
        return None
    also = (strict.node(query.start._replace(cell=one)) for one in beside)
    sources = [start, *(node for node in also if node is not None and node != start)]
    yield
    room, settled = strict.draft.room, _everywhere(query, strict, sources)
    reached = np.zeros(room, dtype=bool)
    reached[settled.node % room] = True
    yield
    if reached[strict.draft.node(0, goal)]:
        # one gets there, but not in the posture asked for
        return Refusal("move.headroom", {"cell": query.battlemap.name_of(cell), "posture": arrive}) if arrive else None
    narrow = False
    for obstacle in obstacles(query) if parted else (NONE, *obstacles(query)):
        relaxed, word = _relaxed(query, obstacle), "" if obstacle is NONE else obstacle.name
        if relaxed is None:
            continue
        in_doubt = word not in ("", BARE)
        if in_doubt and window is None and apart(relaxed, pool, cell):
            # no graph is made of a map that hangs together no better
            yield
            continue
        yield
        lattice = yield from _graph(relaxed, pool, window)
        yield
        if in_doubt and not _joined(lattice, query, relaxed, goal):
            continue
        yield
        path = _path(strict, lattice, start, goal)
        yield
        if not path:
            continue
        last = max(n for n, place in enumerate(path) if reached[place])
        states = [strict.state(node) for node in settled.node[settled.node % room == path[last]].tolist()]
        reason = _why(strict, lattice, query.far, states, path[last:])
        if reason is None:
            continue
        narrow = narrow or word == SIZE
        if word != SIZE or reason.code != "move.no_fit":
            # that it lies over an edge says less than what is in its way where it fits
            return _told(bulky(reason, query.mover.size if narrow else 1), word)
    if query.start.cell.level == cell.level:
        return None
    return _nowhere(query, cell)


def between(query: Query, pool: str, cell: Cell, draft: Draft, label: Array) -> Slices[Refusal | None]:
    """In slices: what bars the way on a large map, asked where the cell's part comes nearest to the mover's own.

    `label` has a number for each part of the whole map that hangs together.
    """
    site = draft.site
    # rock next to open ground bears the label of it
    part = np.where(site.core(site.solid), -1, label[: draft.room].reshape(site.shape))
    start, goal = site.place(query.start.cell), site.place(cell)
    if start is None or goal is None or part[start] < 0:
        return None
    ours, theirs = part == part[start], part == part[goal]
    pair = _doorway(query, draft, ours, theirs) or nearest(ours, theirs, start, goal)
    if pair is None:
        # no step leads to that level: perhaps something bars the way to a link that does
        feet = {site.place(here) for here, there in query.far if there.level == cell.level != here.level}
        theirs = np.isin(part, [part[foot] for foot in feet if foot is not None]) & ~ours
        pair = _doorway(query, draft, ours, theirs) or nearest(ours, theirs, start, goal)
    if pair is None:
        return _nowhere(query, cell)
    (level, j, i), (_, jj, ii) = pair
    if max(abs(jj - j), abs(ii - i)) > NEAR:
        # the first step of the way over there is obstacle enough
        jj, ii = j + (jj > j) - (jj < j), i + (ii > i) - (ii < i)
    here, there = site.cell(level, j, i), site.cell(level, jj, ii)
    key = ("between", pool, here, there)
    if key not in query.kept and there in query.battlemap:
        window = Window.around(query.battlemap, [here, there], MARGIN)
        top, left = window.j - site.window.j, window.i - site.window.i
        inside = np.argwhere(ours[level, top : top + window.height, left : left + window.width]).tolist()
        beside = [site.cell(level, row + top, column + left) for row, column in inside]
        moved = query.changed(mover=replace(query.mover, at=here))
        query.kept[key] = yield from barrier(moved, pool, there, parted=True, window=window, beside=beside)
    found: Refusal | None = query.kept.get(key)
    return found


def _doorway(query: Query, draft: Draft, ours: Array, theirs: Array) -> tuple[Place, Place] | None:
    """The places on the two sides of a door from one part of a map to another."""
    battlemap = query.battlemap
    for door in battlemap.barriers:
        if door.kind is not Kind.DOOR or door.state is DoorState.SECRET or door.line[0] == door.line[1]:
            continue
        (ax, ay), (bx, by) = door.line
        x, y, across = (ax + bx) / 2, (ay + by) / 2, hypot(bx - ax, by - ay)
        dx, dy = (by - ay) / across / 4, (ax - bx) / across / 4
        sides = [battlemap.grid.cell_at(x + side * dx, y + side * dy) for side in (1, -1)]
        places = [draft.site.place(Cell(*one[:2], door.level)) for one in sides]
        for a, b in (places, places[::-1]):
            if a is not None and b is not None and ours[a] and theirs[b]:
                return a, b
    return None


def _graph(query: Query, pool: str, window: Window | None) -> Slices[Lattice]:
    """In slices: the graph of a window; of the whole map where there is none."""
    if window is None:
        return query.drawing(pool, None, limited=False)
    return query.drawing_of(pool, window, limited=False)


def _everywhere(query: Query, lattice: Lattice, sources: list[int]) -> Settled:
    """All that can be reached, searched once for a question."""
    return once(query.kept, ("everywhere", lattice, *sources), lambda: search(lattice.compiled, sources))


def _joined(lattice: Lattice, query: Query, relaxed: Query, goal: Place) -> bool:
    """Whether one gets to a place at all."""
    node, room = lattice.node(query.start), lattice.draft.room
    if node is None:
        return False
    return bool((_everywhere(relaxed, lattice, [node]).node % room == lattice.draft.node(0, goal)).any())


def _told(reason: Refusal, word: str) -> Refusal:
    told = {TOLD[key]: value for key, value in reason.params.items() if key in TOLD}
    return Refusal("move.barred", {"by": reason.text, "code": reason.code, "try": word, **told})


# -- the way with the fewest obstacles --------------------------------------------------------------------------------


def _path(strict: Lattice, relaxed: Lattice, start: int, goal: Place) -> list[int]:
    """The numbers of the places of a way that `relaxed` opens, with as few steps as can be that `strict` has not."""
    room = strict.draft.room
    free, more = _pairs(strict), _pairs(relaxed)
    only = np.setdiff1d(more, free, assume_unique=True)
    pairs = np.concatenate([free, only])
    ticks = np.concatenate([np.ones(len(free), dtype=np.int64), OBSTACLE + ROUND * _slanted(strict, only)])
    graph = Compiled.of_steps(room, pairs // room, pairs % room, ticks)
    end = strict.draft.node(0, goal)
    settled = search(graph, [start % room], target=end)
    return [int(settled.node[at]) for at in settled.trail(end)] if end in settled else []


def _pairs(lattice: Lattice) -> Array:
    """Every pair of places that a step joins in any state, each as one number."""
    found: Array | None = lattice.compiled.kept.get("pairs")
    if found is not None:
        return found
    room = lattice.draft.room
    source, target, _, _ = lattice.compiled.all_steps()
    source, target = source % room, target % room
    found = distinct((source * room + target)[source != target])
    lattice.compiled.kept["pairs"] = found
    return found


def _slanted(lattice: Lattice, pairs: Array) -> Array:
    """1 for every pair of places that a diagonal joins, 0 for others."""
    room, width = lattice.draft.room, lattice.site.shape[2]
    diagonals = [d.dj * width + d.di for d in lattice.site.directions if d.diagonal]
    return np.isin(pairs % room - pairs // room, diagonals).astype(np.int64)


# -- the step that cannot be made -------------------------------------------------------------------------------------


def _why(
    strict: Lattice, relaxed: Lattice, far: Collection[tuple[Cell, Cell]], states: list[State], path: list[int]
) -> Refusal | None:
    """Why the first step of a way over some places is not possible in any of the states one can be in there."""
    cells = [strict.cell(place) for place in path]
    here, there = cells[:2]
    kinds: dict[tuple[bool, int], State] = {}
    for state in states:
        key = state.squeezed, strict.profile.postures.index(state.posture)
        known = kinds.get(key)
        if known is None or state.run_up > known.run_up:
            kinds[key] = state._replace(doors=0, diagonals=0, opened=())
    ordered = [kinds[key] for key in sorted(kinds)]
    near = there in {end for _, end in neighbours(strict.site.battlemap.grid, here)}
    taken = _taken(relaxed, path[0], path[1])
    # also where no step leads to a neighbour: up a ledge that is jumped
    stepless = (here, there) in far or all(why_step(relaxed, state, there) is not None for state in ordered)
    if not near or (taken and stepless):
        return _first(_refused(way, strict, ordered, there) for way in taken)
    ground = _first(why_step(strict, state, there) for state in ordered)
    for way in strict.ways.values():
        landing = way.onto(strict, cells) if way.onto is not None else None
        if landing is not None:
            reason = _refused(way, strict, ordered, landing)
            # of two that say the same the ground is nearer
            if reason is not None and (ground is None or reason.code != ground.code):
                return reason
    return ground


def _taken(lattice: Lattice, here: int, there: int) -> list[Way]:
    """The ways that lead from one place to another in a single edge which is no step to a neighbour, in order."""
    room = lattice.draft.room
    names = {edge.way for edge in lattice.writer.loose if (edge.start % room, edge.end % room) == (here, there)}
    return [way for name, way in lattice.ways.items() if name in names]


def _refused(way: Way, strict: Lattice, states: list[State], cell: Cell) -> Refusal | None:
    """Why a way does not lead to a cell from any of some states; None where it does from one of them."""
    if way.why is None:
        reason = why_end(strict, cell)
        words = {**names_of(strict.site, states[0].cell, cell), "way": way.name.replace("_", " ")}
        return Refusal("move.no_way", words) if reason is None else reason
    reasons = [way.why(strict, state, cell) for state in states]
    return None if None in reasons else reasons[0]


def _first(reasons: Iterable[Refusal | None]) -> Refusal | None:
    return next((reason for reason in reasons if reason is not None), None)


# -- what is taken away -----------------------------------------------------------------------------------------------


def _relaxed(query: Query, obstacle: Obstacle) -> Query | None:
    """The question without one kind of obstacle; None where there is none of that kind."""
    return once(query.kept, ("relaxed", obstacle), lambda: obstacle.without(query))


def obstacles(query: Query) -> tuple[Obstacle, ...]:
    """All kinds of obstacles, those of ways of moving among them, in the order in which they are taken away."""
    every = (*OBSTACLES, *(obstacle for way in query.ways for obstacle in way.relax))
    return tuple(sorted(every, key=lambda obstacle: obstacle.order))


def _nowhere(query: Query, cell: Cell) -> Refusal | None:
    """What is said where nothing at all leads to the level of a cell."""
    for obstacle in obstacles(query):
        if obstacle.nowhere is not None:
            return _told(obstacle.nowhere(query, cell), obstacle.name)
    return None


def _safe(query: Query) -> Query | None:
    return with_options(query, hazard_policy="ignore")


def _alone(query: Query) -> Query | None:
    return query.changed(others=()) if query.others else None


def _slight(query: Query) -> Query | None:
    return query.changed(mover=replace(query.mover, size=1)) if query.mover.size > 1 else None


def _explored(query: Query) -> Query | None:
    return with_options(query, unknown_cells="plain")


def _roomy(query: Query) -> Query | None:
    return on_ground(query, lambda ground: replace(ground, headroom=""), "headroom")


def _firm(query: Query) -> Query | None:
    """The question on ground with nothing about it that a rule system may refuse."""

    def plain(ground: Terrain) -> Terrain:
        return replace(PLAIN, **{fact: getattr(ground, fact) for fact in KEPT})

    return on_ground(query, plain, *WATERS)


def _unwalled(query: Query) -> Query | None:
    return query.changed(battlemap=query.battlemap.with_(barriers=())) if query.battlemap.barriers else None


def _hollow(query: Query) -> Query | None:
    return on_ground(query, lambda ground: replace(ground, impassable=False), "impassable")


def _bare(query: Query) -> Query:
    """The question on an empty plain of the same extent, from which links still lead to other levels."""
    links = tuple(replace(link, two_way=True) for link in query.battlemap.links)
    palette = tuple(PLAIN for _ in query.battlemap.palette)
    battlemap = replace(query.battlemap.with_(barriers=()), palette=palette, zones=(), links=links)
    return query.changed(battlemap=battlemap, others=(), options=query.options.set({"unknown_cells": "plain"}))


KEPT = ("name", "elevation", "gap", "impassable", "headroom", "hazard", "unknown", "no_stop", "level", "number")
WATERS = ("water", "swim", "current", "climb", "rough", "difficult", "uphill", "slick", "uneven", "unstable", "arduous")

OBSTACLES = (
    Obstacle("hazard", 10, _safe),
    Obstacle("others", 20, _alone),
    Obstacle(SIZE, 30, _slight),
    Obstacle("known", 40, _explored),
    Obstacle("headroom", 110, _roomy),
    Obstacle("ground", 120, _firm),
    Obstacle("barriers", 130, _unwalled),
    Obstacle("rock", 140, _hollow),
    Obstacle(BARE, 1000, _bare),
)
"""The obstacles that are no way's own; all of them at last."""
