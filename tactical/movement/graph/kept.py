"""Kept graphs: the state graph of a window is compiled once and kept with the map as its viewer knows it.

What is kept knows no body and no start.  For a question the bodies near its mover are laid over a copy: steps into a
cell that is held are struck out, steps into one that can be passed get another price.  Where that is not enough (a
body in a doorway, beside a corner that bodies close, under a landing) the graph is made for the question alone.

A key names all that a graph is made of, and of rules only what they say about the grounds of the map, so movers that
move alike share one graph whatever they are called.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from tactical.movement.graph.body import Form
from tactical.movement.graph.draft import Draft
from tactical.movement.graph.lattice import Lattice
from tactical.movement.graph.paces import FIRST, SECOND, STRAIGHT
from tactical.movement.graph.pricing import graph_key
from tactical.options import Options
from tactical.registry import WAYS
from tactical.rules.profile import Pace, Profile
from tactical.values import Same
from tactical.world.company import passage, shares
from tactical.world.mover import Mover
from tactical.world.site import FREE, HELD, Site
from tactical.world.window import Window

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Ints = NDArray[np.int64]

Place = tuple[int, int, int]

FEW = 12
"""So many bodies are looked at one by one."""


def lattice_for(
    site: Site,
    near: Window,
    profile: Profile,
    options: Options,
    pool: str,
    *,
    limited: bool,
    exact: Iterable[Fraction],
) -> Lattice:
    """The state graph of a site, true within `near`; `exact` are costs that must be whole numbers of ticks."""
    exact = [cost for cost in exact if cost]
    bodies = _bodies(site, near)
    ways = [way for _, way in WAYS]
    if all(WAYS.ships(way.name) for way in ways) and not (bodies and _needs_own(options)):
        key = _key(site, profile, options, pool, limited, [Same(way) for way in ways])
        base = _kept(site, profile, options, pool, key, limited)
        if any((cost / base.tick).denominator != 1 for cost in exact):
            base = _kept(site, profile, options, pool, (*key, frozenset(exact)), limited, exact)
        found = laid(base, site, profile, bodies)
        if found is not None:
            return found
    return Lattice(replace(site, window=near), profile, options, pool, limited=limited, exact=exact)


def _kept(
    site: Site,
    profile: Profile,
    options: Options,
    pool: str,
    key: object,
    limited: bool,
    exact: Iterable[Fraction] = (),
) -> Lattice:
    def made() -> Lattice:
        bare = replace(site, mover=replace(site.mover, at=None), others=(), _cache={})
        return Lattice(bare, profile, options, pool, limited=limited, exact=exact)

    store = site.battlemap.store
    found: Lattice | None = store.get(key)
    if found is None:
        found = made()
        _ = found.site.cells
        # besides the steps: planes, forms and the arrays of the site
        store.put(key, found, found.compiled.weight.nbytes + 200 * found.draft.room)
    return found


def _key(
    site: Site, profile: Profile, options: Options, pool: str, limited: bool, ways: list[Same]
) -> tuple[object, ...]:
    # a zone of the mover's own does not affect it
    own = site.mover.id if any(zone.source == site.mover.id for zone in site.battlemap.zones if zone.source) else ""
    goals = site.goals if options["hazard_policy"] == "avoid" else frozenset()
    prices = graph_key(site.battlemap, profile, options, pool)
    return (
        "graph", site.window, pool, limited, options, prices, goals, site.opened, site.vehicle, site.mover.size,
        site.truth, own, tuple(ways),
    )  # fmt: skip


def _needs_own(options: Options) -> bool:
    """Whether bodies change more of a graph than the steps into their cells."""
    return bool(options["corner_occupants"] == "block" and options["corner"] != "free")


def _bodies(site: Site, near: Window) -> list[Mover]:
    """The other bodies that matter within a window; those outside cost a look."""
    mover, company = site.mover, site.battlemap.company
    box = (near.i, near.j, near.width, near.height)
    alike = len(site.others) > FEW and site.others == company.beside(mover.id)
    found = company.near(near.levels, box, mover.size) if alike else site.others
    out = []
    for other in found:
        at = other.at
        if at is None or at.level not in near.levels or other.id == mover.id:
            continue
        i, j = site.battlemap.grid.store(at.col, at.row)
        far = other.size + mover.size
        inside = near.i - far <= i < near.i + near.width + far and near.j - far <= j < near.j + near.height + far
        if inside and site.sight.sees(other):
            out.append(other)
    return out


@dataclass(frozen=True, slots=True)
class Held:
    """The places of bodies: where nobody gets by, where at a price (with its code), and where no move may end."""

    held: frozenset[Place]
    passed: dict[Place, int]
    no_stop: frozenset[Place]

    @classmethod
    def of(cls, site: Site, bodies: Iterable[Mover]) -> Held:
        """What some bodies are to a site's mover."""
        held: set[Place] = set()
        no_stop: set[Place] = set()
        passed: dict[Place, int] = {}
        for other in bodies:
            assert other.at is not None
            places = [place for cell in site.footprint_cells(other.at, other.size) if (place := site.place(cell))]
            way = passage(site.mover, other, site.options)
            if way is None or (way.factor != 1 and way not in site.passages):
                held.update(places)
            elif way.factor != 1:
                code = site.passages.index(way) + 1
                passed.update((place, max(code, passed.get(place, FREE))) for place in places)
            if not shares(site.mover, other, site.options):
                no_stop.update(places)
        return cls(frozenset(held), {at: code for at, code in passed.items() if at not in held}, frozenset(no_stop))


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
    touched = {*about.held, *about.passed, *about.no_stop}
    loose = ((base.place(begin), base.place(end)) for begin, end, *_ in base.writer.loose)
    if any(touched.intersection(ends) for ends in (*loose, *base.draft.leaps)):
        return None
    forms = tuple(_without(site, form, about) for form in base.draft.forms)
    closed = [_anchors(site, form, about.held) for form in forms]
    draft.forms = forms
    if start is not None and any(draft.node(0, start) in anchors.tolist() for anchors in closed):
        return None
    weight = base.compiled.weight.copy()
    present = base.present.copy()
    for n, layer in enumerate(draft.layers):
        present[n * draft.room + closed[layer.squeezed]] = False
    weight[~present & base.present] = 0
    dearest = base.compiled.max_weight
    for layer_, slot, target in base.writer.into:
        offset = int(base.compiled.offset[layer_, slot])
        ends = target * draft.room + closed[draft.layers[target].squeezed]
        starts = ends - offset
        weight[starts[starts // draft.room == layer_], slot] = 0
    if about.passed:
        repriced = _reprice(base, draft, about.passed, weight)
        if repriced is None:
            return None
        dearest = max(dearest, repriced)
    compiled = base.compiled.with_weight(weight, dearest)
    return base.laid(site, draft, compiled, present, None)


def _prices_beyond(draft: Draft) -> bool:
    """Whether a body that is passed does more than set another price on the steps into its own cell."""
    options = draft.options
    return bool(
        draft.site.mover.size > 1
        or options["pay_on"] != "enter"
        or draft.profile.uphill_matters
        or (draft.alternate and options["difficult_diagonal"] == "as_two")
    )


def _anchors(site: Site, form: Form, places: Iterable[Place]) -> Ints:
    """Where a body of a form covers one of some places, as numbers of places."""
    _, height, width = site.shape
    found = {
        (level * height + j - dj) * width + i - di
        for level, j, i in places
        for di, dj in form.cells
        if 0 <= j - dj < height and 0 <= i - di < width
    }
    return np.array(sorted(found), dtype=np.int64)


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


def _reprice(base: Lattice, draft: Draft, passed: dict[Place, int], weight: NDArray[np.generic]) -> int | None:
    """Put the price of passing bodies on the steps into their cells; the dearest, or None where ticks do not do."""
    kinds = draft.site.core(draft.site.kind)
    most, dearest = int(np.iinfo(weight.dtype.name).max), 0
    for layer, slot, target in base.writer.into:
        k = base.slots[slot].k
        if k < 0:
            continue
        length = STRAIGHT
        if draft.site.directions[k].diagonal:
            length = SECOND if draft.alternate and draft.layers[layer].diagonals else FIRST
        posture = draft.profile.postures[draft.layers[target].posture]
        for place, code in passed.items():
            start = draft.node(target, place) - int(base.compiled.offset[layer, slot])
            if start // draft.room != layer or not weight[start, slot]:
                continue
            pace = draft.paces.pace(posture, int(kinds[place]), False)
            assert isinstance(pace, Pace)
            free, met = (draft.paces.cost(pace, occupant, False, length) for occupant in (FREE, code))
            more = (met - free) / draft.tick
            if more.denominator != 1 or int(weight[start, slot]) + more > most:
                return None
            weight[start, slot] += int(more)
            dearest = max(dearest, int(weight[start, slot]) - 1)
    return dearest


__all__ = ["HELD", "laid", "lattice_for"]
