"""Kept graphs: the state graph of a window is compiled once and kept with the map as its viewer knows it.

What is kept knows no body and no start.  For a question the bodies near its mover are laid over a copy: steps into a
cell that is held are struck out, steps into one that can be passed get another price.  Where that is not enough (a
body in a doorway, beside a corner that bodies close, under a landing) the graph is made for the question alone.

A key names all that a graph is made of, and of rules only what they say about the grounds of the map, so movers that
move alike share one graph whatever they are called.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from itertools import count
from typing import TYPE_CHECKING, Any

import numpy as np

from tactical.movement.graph.body import Form
from tactical.movement.graph.draft import Draft
from tactical.movement.graph.lattice import Lattice
from tactical.movement.graph.paces import FIRST, SECOND, STRAIGHT
from tactical.movement.graph.pricing import graph_key
from tactical.options import Options
from tactical.registry import WAYS
from tactical.rules.profile import Pace, Profile
from tactical.search.slices import Slices
from tactical.units import Cell
from tactical.values import Same
from tactical.world.company import Passage, passage, shares
from tactical.world.mover import Mover
from tactical.world.site import FREE, HELD, Site
from tactical.world.window import Window

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tactical.movement.situation import Situation

    Ints = NDArray[np.int64]

Place = tuple[int, int, int]

_NUMBERS = count(1)

EACH_CELL = 120
"""About how many bytes a kept graph takes for each cell, besides its steps."""
FEW = 12
"""So many bodies are looked at one by one."""


def lattice_drawn(
    site: Site,
    near: Window,
    profile: Profile,
    options: Options,
    pool: str,
    *,
    limited: bool,
    exact: Iterable[Fraction],
    numbers: dict[object, Any],
) -> Slices[Lattice]:
    """In slices: the state graph of a site, true within `near`; `exact` are costs that must be whole numbers of ticks.

    In `numbers` it is kept what the graphs of questions alike are called.
    """
    ways = WAYS.together("ways", tuple)
    exact = [cost for cost in exact if cost]
    bodies = bodies_near(site, near)
    if not (bodies and needs_own(options)):
        # a zone of the mover's own does not affect it
        zones = site.battlemap.zones
        own = site.mover.id if zones and any(zone.source == site.mover.id for zone in zones if zone.source) else ""
        goals = site.goals if options["hazard_policy"] == "avoid" else frozenset()
        short = (
            "graph", site.window, pool, limited, len(profile.postures), goals, site.opened, site.mover.size, site.truth,
            own,
        )  # fmt: skip
        found: tuple[tuple[Any, ...], Hashable] | None = numbers.get(short)
        if found is None or found[0] != ways:
            found = numbers[short] = ways, _key(site, profile, options, pool, limited, own, goals, ways)
        key = found[1]
        if key is not None:
            base = yield from _kept(site, profile, options, pool, key, limited)
            if any((cost / base.tick).denominator != 1 for cost in exact):
                base = yield from _kept(site, profile, options, pool, (key, frozenset(exact)), limited, exact)
            over = laid(base, site, profile, bodies)
            if over is not None:
                return over
    return (yield from Lattice.drawn(replace(site, window=near), profile, options, pool, limited, exact))


def _kept(
    site: Site,
    profile: Profile,
    options: Options,
    pool: str,
    key: object,
    limited: bool,
    exact: Iterable[Fraction] = (),
) -> Slices[Lattice]:
    store = site.battlemap.store
    found: Lattice | None = store.get(key)
    if found is None:
        bare = replace(site, mover=replace(site.mover, at=None), others=(), _cache={})
        found = yield from Lattice.drawn(bare, profile, options, pool, limited, exact)
        _ = found.site.cells
        # besides the steps, which the search keeps in its own form too: planes, forms and the arrays of the site
        store.put(key, found, 2 * found.compiled.weight.nbytes + EACH_CELL * found.draft.room)
    return found


def _key(
    site: Site,
    profile: Profile,
    options: Options,
    pool: str,
    limited: bool,
    own: str,
    goals: frozenset[Cell],
    ways: tuple[Any, ...],
) -> Hashable:
    """What the graph is called in the store of its map; None where other packages' ways are in it."""
    if not all(WAYS.ships(way.name) for way in ways):
        return None
    prices = graph_key(site.battlemap, profile, options, pool)
    key = (
        "graph", site.window, pool, limited, options, prices, goals, site.opened, site.vehicle, site.mover.size,
        site.truth, own, *map(Same, ways),
    )  # fmt: skip
    # a number, for it is looked up at every question
    return site.battlemap.store.kept(("number", key), lambda: ("graph", next(_NUMBERS)))


def needs_own(options: Options) -> bool:
    """Whether bodies change more of a graph than the steps into their cells."""
    return bool(options["corner_occupants"] == "block" and options["corner"] != "free")


def bodies_near(asked: Site | Situation, near: Window) -> list[Mover]:
    """The other bodies that matter within a window; those outside cost a look."""
    mover, company = asked.mover, asked.battlemap.company
    box = (near.i, near.j, near.width, near.height)
    alike = len(asked.others) > FEW and asked.others == company.beside(mover.id)
    found = company.near(near.levels, box, mover.size) if alike else asked.others
    if alike and asked.sight.sees_all:
        return [other for other in found if other.id != mover.id]
    out = []
    for other in found:
        at = other.at
        if at is None or at.level not in near.levels or other.id == mover.id:
            continue
        i, j = asked.battlemap.grid.store(at.col, at.row)
        far = other.size + mover.size
        inside = near.i - far <= i < near.i + near.width + far and near.j - far <= j < near.j + near.height + far
        if inside and asked.sight.sees(other):
            out.append(other)
    return out


@dataclass(frozen=True, slots=True)
class Held:
    """The places of bodies: where nobody gets by, where at a price, and where no move may end."""

    held: frozenset[Place]
    passed: dict[Place, Passage]
    no_stop: frozenset[Place]

    @classmethod
    def of(cls, site: Site, bodies: Iterable[Mover]) -> Held:
        """What some bodies are to a site's mover."""
        mover, options = site.mover, site.options
        held: set[Place] = set()
        no_stop: set[Place] = set()
        passed: dict[Place, Passage] = {}
        met: dict[tuple[str, str], tuple[Passage | None, bool]] = {}
        # where more kinds of bodies can be about than are told apart, only the whole company says which ones are
        many = len(options["passing"]) + 2 >= HELD
        for other in bodies:
            assert other.at is not None
            cells = (other.at,) if other.size == 1 else site.footprint_cells(other.at, other.size)
            places = [place for cell in cells if (place := site.place(cell))]
            kind = other.side, other.size_class
            if kind not in met:
                met[kind] = passage(mover, other, options), shares(mover, other, options)
            way, shared = met[kind]
            if way is None or (many and way.factor != 1 and way not in site.passages):
                held.update(places)
            elif way.factor != 1:
                for place in places:
                    before = passed.get(place)
                    if before is None or (before.factor, before.word) < (way.factor, way.word):
                        passed[place] = way
            if not shared:
                no_stop.update(places)
        return cls(frozenset(held), {at: way for at, way in passed.items() if at not in held}, frozenset(no_stop))


def laid(base: Lattice, site: Site, profile: Profile, bodies: list[Mover]) -> Lattice | None:
    """A kept graph as a mover meets it with these bodies about; None where that takes a graph of its own."""
    site.share(base.site)
    draft = base.draft.on(site, profile)
    start = None if site.mover.at is None else site.place(site.mover.at)
    if start is not None and not all(base.present[draft.node(layer, start)] for layer, _ in draft.plain_layers):
        return None
    if not bodies:
        draft.forms = base.draft.forms
        return base.laid(site, draft, base.compiled, base.present, base.stops)
    about = Held.of(site, bodies)
    if start in about.held or (about.passed and _prices_beyond(draft)) or draft.leaves is not None:
        return None
    if base.far_ends and base.far_ends & {*about.held, *about.passed, *about.no_stop}:
        return None
    forms = base.draft.forms
    closed = [_anchors(site, form, about.held) for form in forms]
    if start is not None and len(forms[0].cells) > 1 and any(draft.node(0, start) in anchors for anchors in closed):
        return None
    draft.formed = partial(_formed, site, forms, about)
    stops = base.stops.copy()
    stops[_nodes(draft, [_anchors(site, form, about.no_stop) for form in forms])] = False
    weight, present = base.compiled.weight, base.present
    dearest = base.compiled.max_weight
    if about.held:
        weight, present = weight.copy(), present.copy()
        gone = _nodes(draft, closed)
        present[gone] = False
        weight[gone] = 0
        for squeezed, anchors in enumerate(closed):
            weight.reshape(-1)[_into(base, squeezed, np.array(anchors, dtype=np.int64))[0]] = 0
    if about.passed:
        weight = weight if about.held else weight.copy()
        repriced = _reprice(base, draft, about.passed, weight.reshape(-1))
        if repriced is None:
            return None
        dearest = max(dearest, repriced)
    compiled = base.compiled if weight is base.compiled.weight else base.compiled.with_weight(weight, dearest)
    return base.laid(site, draft, compiled, present, stops)


def _nodes(draft: Draft, anchors: Sequence[Sequence[int]]) -> list[int]:
    """The nodes of some anchors of each form, in every layer of it."""
    return [n * draft.room + at for n, layer in enumerate(draft.layers) for at in anchors[layer.squeezed]]


def _into(base: Lattice, squeezed: int, anchors: Ints) -> tuple[Ints, Ints, Ints]:
    """The steps into anchors of a form: where each stands in the flat weights, which part wrote it, and the anchor's
    index."""
    layer, slot, target, offset, form = base.parts
    parts = np.flatnonzero(form == squeezed)
    start = (target * base.draft.room - offset)[parts, None] + anchors
    # one that would begin in another layer, or off the graph, is none
    part, anchor = ((start >= 0) & (start // base.draft.room == layer[parts, None])).nonzero()
    flat = start[part, anchor] * base.compiled.slots + slot[parts][part]
    return flat, parts[part], anchor


def _prices_beyond(draft: Draft) -> bool:
    """Whether a body that is passed does more than set another price on the steps into its own cell."""
    options = draft.options
    return bool(
        draft.site.mover.size > 1
        or options["pay_on"] != "enter"
        or draft.profile.uphill_matters
        or (draft.alternate and options["difficult_diagonal"] == "as_two")
    )


def _anchors(site: Site, form: Form, places: Iterable[Place]) -> list[int]:
    """Where a body of a form covers one of some places, as numbers of places."""
    _, height, width = site.shape
    if len(form.cells) == 1:
        return [(level * height + j) * width + i for level, j, i in places]
    found = {
        (level * height + j - dj) * width + i - di
        for level, j, i in places
        for di, dj in form.cells
        if 0 <= j - dj < height and 0 <= i - di < width
    }
    return sorted(found)


def _formed(site: Site, forms: tuple[Form, ...], about: Held) -> tuple[Form, ...]:
    return tuple(_without(site, form, about) for form in forms)


def _without(site: Site, form: Form, about: Held) -> Form:
    """A form that fits and stops only where bodies let it."""
    _, height, width = site.shape
    fits, stop = form.fits.copy(), form.stop.copy()
    for array, places in ((fits, about.held), (stop, about.no_stop)):
        for level, j, i in places:
            for di, dj in form.cells:
                if -1 <= j - dj <= height and -1 <= i - di <= width:
                    array[level, j - dj + 1, i - di + 1] = False
    return replace(form, fits=fits, stop=stop)


def _reprice(base: Lattice, draft: Draft, passed: dict[Place, Passage], weight: NDArray[np.generic]) -> int | None:
    """Put the price of passing bodies on the steps into their cells; the dearest, or None where ticks do not do."""
    kinds = draft.site.core(draft.site.kind)
    places, ways = list(passed), list(passed.values())
    anchors = np.array(_anchors(draft.site, base.draft.forms[0], places), dtype=np.int64)
    found = [each.tolist() for each in _into(base, 0, anchors)]
    most, dearest, layers = int(np.iinfo(weight.dtype.name).max), 0, draft.layers
    for at, part, n in zip(*found, strict=True):
        layer, slot, target = base.writer.into[part]
        k = base.slots[slot].k
        if k < 0 or not weight[at]:
            continue
        length = STRAIGHT
        if draft.site.directions[k].diagonal:
            length = SECOND if draft.alternate and layers[layer].diagonals else FIRST
        key = draft.profile.postures[layers[target].posture], int(kinds[places[n]]), length, ways[n]
        more = draft.passing.get(key)
        if more is None:
            pace = draft.paces.pace(key[0], key[1], False)
            assert isinstance(pace, Pace)
            free, met = (draft.paces.cost(pace, FREE, False, length, way) for way in (None, ways[n]))
            more = draft.passing[key] = (met - free) / draft.tick
        if more.denominator != 1 or int(weight[at]) + more > most:
            return None
        weight[at] += int(more)
        dearest = max(dearest, int(weight[at]) - 1)
    return dearest


__all__ = ["HELD", "bodies_near", "laid", "lattice_drawn", "needs_own"]
