"""Scenes: what a map with a reach and a route on it looks like, as shapes with roles.

`scene` collects everything; its parts (`ground`, `reaching`, `movers_of` …) can be had alone, so that a window keeps
what did not change.  Nothing here knows a colour, a font or a pixel.
"""

from __future__ import annotations

import warnings
from collections import deque
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import partial

from tactical.errors import Refusal
from tactical.movement.route import Route, State
from tactical.show.amounts import amount, turn_word
from tactical.show.scene.barriers import barriers, ledges, links
from tactical.show.scene.bodies import ReachLike, covered
from tactical.show.scene.ground import look, signs
from tactical.show.scene.legend import band_role, gait_count, legend
from tactical.show.scene.route import figure, middle, route_shapes
from tactical.show.scene.shapes import (
    Area,
    Backdrop,
    Chip,
    Mark,
    PictureWarning,
    Scene,
    Shape,
    Stroke,
    Text,
    Tile,
    Token,
    View,
    outline,
)
from tactical.units import Cell, percent, spoken
from tactical.values import Place
from tactical.world.battlemap import Battlemap
from tactical.world.mover import Mover
from tactical.world.sight import ANYBODY, Sight
from tactical.world.terrain import Terrain

__all__ = ["ReachLike", "Scene", "ground", "legend", "movers_of", "reaching", "scene"]

CHIP_CELLS = 6
"""A later turn's area gets a chip of its own from this many cells on."""


def scene(
    battlemap: Battlemap,
    reach: ReachLike | None = None,
    route: Route | Refusal | None = None,
    *,
    costs: bool = False,
    enemy: bool = False,
    grid: bool = True,
    level: int | None = None,
    view: View | None = None,
    selected: str | None = None,
    target: Place | None = None,
    referee: bool = False,
    known: Collection[Place] | None = None,
    odds: Mapping[Cell, Fraction | None] | None = None,
) -> Scene:
    """The whole picture of a map, with what a mover can reach and the way it would take.

    `route` may be a `Refusal`: with `target` the cell is then marked as refused.  `costs` writes the price on every
    cell, `enemy` marks the cells that enemies reach, `odds` writes chances of success, `view` (first column, first row,
    the ones behind the last) limits the picture.  Only what the mover knows is shown (without one: what anybody may
    know), of the cells in `known` alone if they are given; `referee` shows all.  Raises `ValueError` for a level that
    does not exist.
    """
    if level is None:
        level = reach.start.cell.level if reach else 0
    if not 0 <= level < len(battlemap.levels):
        raise ValueError(f"there is no level {level} (the map has {len(battlemap.levels)})")
    view = clipped(battlemap, view)
    seen_cells = None if known is None else frozenset(map(battlemap.cell_of, known))
    viewer = reach.mover if reach else battlemap.mover(selected) if selected else None
    if not referee:
        battlemap = seen_map(battlemap, viewer, seen_cells)
    shapes: list[Shape] = list(ground(battlemap, view, level))
    if grid:
        shapes.append(Area("grid", frozenset()))
    overlay: list[Shape] = []
    if reach:
        lit = lit_cells(battlemap, reach, level)
        overlay = list(reaching(battlemap, reach, view, level, costs=costs, enemy=enemy, odds=odds, lit=lit))
        overlay += later_chips(battlemap, lit, view, level)
    shapes += [shape for shape in overlay if not isinstance(shape, Chip | Text)]
    shapes += barriers(battlemap, view, level)
    shapes += links(battlemap, view, level)
    shapes += [shape for shape in overlay if isinstance(shape, Text)]
    path: list[Shape] = []
    if isinstance(route, Route) and reach:
        path = list(route_shapes(battlemap, route, reach.bands, level, mover=reach.mover))
    elif isinstance(route, Refusal) and target is not None:
        cell = battlemap.cell_of(target, "target")
        path = [Mark("refused", battlemap.grid.centre(cell.col, cell.row), cell)]
    shapes += [shape for shape in path if isinstance(shape, Stroke)]
    shapes += movers_of(battlemap, view, level, viewer, at=reach.start if reach else None)
    shapes += [shape for shape in path if not isinstance(shape, Stroke)]
    shapes += [shape for shape in overlay if isinstance(shape, Chip)]
    entries = legend(shapes, reach.bands if reach else (), getattr(reach, "unit", battlemap.unit))
    return Scene(
        battlemap.grid,
        battlemap.cols,
        battlemap.rows,
        view,
        tuple(shapes),
        entries,
        level,
        gait_count(reach.bands) if reach else 1,
        battlemap.name,
        f"{spoken(battlemap.cell)} {battlemap.unit} cells",
        battlemap.unit,
    )


def seen_map(battlemap: Battlemap, viewer: Mover | None, known: Collection[Cell] | None = None) -> Battlemap:
    """The map as a viewer knows it (None: anybody), of the cells in `known` alone if they are given."""
    explored = None if known is None else frozenset(Cell(*cell) for cell in known)
    return Sight(battlemap, viewer or ANYBODY, explored).map()


def clipped(battlemap: Battlemap, view: View | None) -> View:
    """A window cut to the map; the whole map for None."""
    if view is None:
        return 0, 0, battlemap.cols, battlemap.rows
    c0, r0, c1, r1 = view
    c0, r0 = max(0, min(c0, battlemap.cols - 1)), max(0, min(r0, battlemap.rows - 1))
    return c0, r0, max(c0 + 1, min(c1, battlemap.cols)), max(r0 + 1, min(r1, battlemap.rows))


def seen(view: View, cell: Cell, level: int) -> bool:
    """Whether a cell is in the window."""
    return cell.level == level and view[0] <= cell.col < view[2] and view[1] <= cell.row < view[3]


def _drawable(battlemap: Battlemap) -> bool:
    """Whether the map has a picture to be drawn; one that cannot be is a warning, and the ground is drawn instead."""
    picture = battlemap.picture
    if picture is not None and picture.flaw:
        warnings.warn(f"drawn without the map's picture: {picture.flaw}", PictureWarning, stacklevel=2)
    return picture is not None and not picture.flaw


def ground(battlemap: Battlemap, view: View, level: int) -> Iterator[Shape]:
    """The ground, cell by cell with zones laid over it, the map's own picture if it has one, and its ledges."""
    painted = level == 0 and _drawable(battlemap)
    if painted and battlemap.picture is not None:
        yield Backdrop("picture", battlemap.picture.read, battlemap.picture.pixels, battlemap.picture.offset)
    zoned: dict[Cell, list[Mapping[str, object]]] = {}
    for zone in battlemap.zones:
        for cell in zone.cells:
            if seen(view, cell, level):
                zoned.setdefault(cell, []).append(zone.facts)
    floor = battlemap.levels[level].ground
    kind_of = partial(_kind_of, side=battlemap.cell, textured=not painted)
    kinds = [kind_of(terrain) for terrain in battlemap.palette]
    for row in range(view[1], view[3]):
        for col, index in enumerate(floor[row, view[0] : view[2]].tolist(), view[0]):
            cell = Cell(col, row, level)
            role, small, name, height = kinds[index]
            if cell in zoned:
                role, small, name, height = kind_of(_laid(battlemap.palette[index], zoned[cell]))
            if painted and role == "ground:plain" and not small:
                continue
            yield Tile(role, cell, small, name, height)
    yield from ledges(battlemap, view, level)


def _kind_of(terrain: Terrain, *, side: Fraction, textured: bool) -> tuple[str, tuple[str, ...], str, float]:
    return f"ground:{look(terrain)}", signs(terrain, textured), terrain.name, float(terrain.elevation / side)


def _laid(terrain: Terrain, facts: Iterable[Mapping[str, object]]) -> Terrain:
    for one in facts:
        terrain = terrain.under(one)
    return terrain


@dataclass(frozen=True)
class Lit:
    """The cells of a reach on one floor: by role, with the place each means, and those that can only be passed.

    `word` is what the rules call a turn.
    """

    areas: Mapping[str, frozenset[Cell]]
    meant: Mapping[Cell, Cell]
    passing: frozenset[Cell]
    word: str = "turn"


def lit_cells(battlemap: Battlemap, reach: ReachLike, level: int) -> Lit:
    """Which cells of a floor take which colour: worked out once for any number of pictures."""
    start = reach.start.cell
    areas: dict[str, set[Cell]] = {band_role(reach.bands, band): set() for band in reach.bands}
    # band by band: asked of each cell by itself it takes several times as long
    roles = {cell: band_role(reach.bands, band) for band in reach.bands for cell in reach.cells(band)}
    meant = {}
    for cell, place in covered(reach, roles).items():
        if cell.level == level and place in roles and cell in battlemap:
            meant[cell] = place
            areas[roles[place]].add(cell)
    if start.level == level and start not in meant and any(role.startswith("band") for role in areas):
        areas[next(iter(areas))].add(start)
    taken: set[Cell] = set().union(*areas.values()) if areas else set()
    passing = frozenset(cell for cell in reach.passing() if cell.level == level) - taken
    return Lit({role: frozenset(cells) for role, cells in areas.items()}, meant, passing, turn_word(reach.bands))


def reaching(
    battlemap: Battlemap,
    reach: ReachLike,
    view: View,
    level: int,
    *,
    costs: bool = False,
    enemy: bool = False,
    odds: Mapping[Cell, Fraction | None] | None = None,
    lit: Lit | None = None,
) -> Iterator[Shape]:
    """What can be reached: an area per band (dearest first), the rest darkened, costs, threats.

    `lit` may be given where several parts of one reach are drawn.
    """
    grid, start = battlemap.grid, reach.start.cell
    lit = lit or lit_cells(battlemap, reach, level)
    never = {cell for cell, place in lit.meant.items() if odds.get(place) == 0} if odds else set()
    areas = {role: within(cells - never, view, level) for role, cells in lit.areas.items()}
    taken: set[Cell] = set().union(*areas.values()) if areas else set()
    passing = within(lit.passing, view, level)
    if len(taken) + len(passing) < (view[2] - view[0]) * (view[3] - view[1]):
        yield Area("out", frozenset(taken | passing), inverse=True)
    if passing:
        yield Area("passing", passing, outline(grid, passing))
    for role, cells in reversed(areas.items()):
        if cells:
            yield Area(role, cells, outline(grid, cells))
    if enemy:
        for cell in sorted(reach.threatened()):
            if seen(view, cell, level):
                yield Mark("threat", grid.centre(cell.col, cell.row), cell)
    if costs or odds:
        for cell in sorted(taken.union(within(frozenset(never), view, level)) - {start}):
            place = lit.meant.get(cell, cell)
            words = _odd(odds[place]) if odds and place in odds else ""
            if not words and costs and (cost := reach.cost(place)) is not None:
                words = amount(cost, reach.band(place))
            if words:
                yield Text("odds" if words.endswith(("%", "?")) else "cost", grid.centre(cell.col, cell.row), words)


def later_chips(battlemap: Battlemap, lit: Lit, view: View, level: int) -> Iterator[Chip]:
    """The chips that name the areas of later turns, one for each part that is seen."""
    for role, cells in lit.areas.items():
        if role.startswith("turn:"):
            inside = within(cells, view, level)
            for group in _groups(battlemap, inside):
                if len(group) >= CHIP_CELLS or len(group) == len(inside):
                    yield Chip(role, _heart(battlemap, group), f"{lit.word} {role[5:]}", place="middle")


def within(cells: frozenset[Cell], view: View, level: int) -> frozenset[Cell]:
    """The cells in a window: whichever is fewer is gone through."""
    c0, r0, c1, r1 = view
    if (c1 - c0) * (r1 - r0) < len(cells):
        every = (Cell(col, row, level) for row in range(r0, r1) for col in range(c0, c1))
        return frozenset(cell for cell in every if cell in cells)
    return frozenset(cell for cell in cells if c0 <= cell.col < c1 and r0 <= cell.row < r1)


def _odd(chance: Fraction | None) -> str:
    return "?" if chance is None else percent(chance)


def _groups(battlemap: Battlemap, cells: Collection[Cell]) -> Iterator[list[Cell]]:
    """The connected parts of a set of cells, in reading order."""
    left = set(cells)
    straight = [direction for direction in battlemap.grid.directions if not direction.diagonal]
    for first in sorted(cells, key=lambda cell: (cell.row, cell.col)):
        if first not in left:
            continue
        left.discard(first)
        group, queue = [first], deque([first])
        while queue:
            here = queue.popleft()
            i, j = battlemap.grid.store(here.col, here.row)
            for direction in straight:
                near = Cell(*battlemap.grid.unstore(i + direction.di, j + direction.dj), here.level)
                if near in left:
                    left.discard(near)
                    group.append(near)
                    queue.append(near)
        yield group


def _heart(battlemap: Battlemap, cells: list[Cell]) -> tuple[float, float]:
    """The middle of the cell nearest to the middle of all."""
    centres = [battlemap.grid.centre(cell.col, cell.row) for cell in cells]
    x, y = (sum(values) / len(centres) for values in zip(*centres, strict=True))
    return min(centres, key=lambda point: ((point[0] - x) ** 2 + (point[1] - y) ** 2, point))


def movers_of(
    battlemap: Battlemap,
    view: View,
    level: int,
    viewer: Mover | None = None,
    *,
    at: State | None = None,
) -> Iterator[Shape]:
    """The tokens: the viewer itself (at `at` if given), its friends round, its foes diamonds, bystanders square.

    The map is one as the viewer sees it: whoever is on it is shown.
    """
    movers = list(battlemap.movers)
    if viewer is not None and all(mover.id != viewer.id for mover in movers):
        movers.append(viewer)
    for mover in movers:
        mine = viewer is not None and mover.id == viewer.id
        cell, posture = mover.at, mover.posture
        if mine and at is not None:
            cell, posture = at.cell, at.posture
        if cell is None or not _body_seen(view, cell, mover.size, level):
            continue
        kind = "self" if mine else kind_of(viewer, mover, battlemap.movers)
        at_middle = middle(battlemap, cell, mover.size)
        yield Token(f"mover:{kind}", at_middle, mover.size, mover.label, figure(mover, posture), mover.id)


def kind_of(viewer: Mover | None, mover: Mover, movers: tuple[Mover, ...]) -> str:
    """``friend``, ``foe`` or ``bystander`` to a viewer; without one, to the first side named on the map."""
    if viewer is None:
        # nobody selected: the first side named on the map counts as one's own
        viewer = next((one for one in movers if one.side), mover)
        if viewer.id == mover.id:
            return "friend" if mover.side else "bystander"
    return {"ally": "friend", "enemy": "foe"}.get(viewer.towards(mover), "bystander")


def _body_seen(view: View, cell: Cell, size: int, level: int) -> bool:
    return cell.level == level and view[0] - size < cell.col < view[2] and view[1] - size < cell.row < view[3]
