"""The frame of a draft: where a body of the mover's forms fits on a site, and which steps barriers leave open.

That is geometry alone, and what prices are in ticks.  Arrays called *ring* arrays have shape (levels, height + 2,
width + 2): one value per anchor of the window and of a rim of one cell, so that the target of a step is a shifted view
(`Frame.target`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from math import gcd, lcm
from typing import TYPE_CHECKING, Any

import numpy as np

from tactical.errors import Refusal, RulesetError
from tactical.movement.graph.body import Form, Plane
from tactical.movement.graph.media import Medium, every_medium
from tactical.options import Options
from tactical.rules.profile import SHARES, Approach, Flight, Pace, Profile
from tactical.units import SQRT2, show
from tactical.world.edges.crossing import CUT, Crossed, Crossing, as_met, opening
from tactical.world.site import FREE, HELD, Site
from tactical.world.terrain import PLAIN
from tactical.world.window import OUTSIDE

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tactical.world.window import Bools

    Array = NDArray[Any]


VAST = 2**50
"""More ticks than any sum of steps may have."""


@dataclass
class Frame:
    """One mover on one site.  `limited` says whether the limit of doors per turn counts."""

    site: Site
    profile: Profile
    options: Options
    pool: str
    limited: bool
    _prices: list[Crossing] = field(default_factory=list)
    costs: set[Fraction] = field(default_factory=set)
    _crossed: dict[str, Crossed] = field(default_factory=dict)
    _offset: dict[str, int] = field(default_factory=dict)
    formed: Callable[[], tuple[Form, ...]] | None = None
    """Makes the forms of a kept graph with bodies laid over it."""
    flights: dict[object, Flight | Refusal] = field(default_factory=dict)
    """Jumps already asked for, by length, rise, run-up and both kinds of ground."""
    leapt: list[tuple[Approach, Flight | Refusal]] = field(default_factory=list)
    """The same in the rule system's terms."""

    @cached_property
    def alternate(self) -> bool:
        """Whether diagonals alternate, so that their parity is part of the state."""
        square = any(direction.diagonal for direction in self.site.battlemap.grid.directions)
        return square and self.options["diagonal"] == "alternate"

    @cached_property
    def door_limit(self) -> int | None:
        """Closed doors that may be opened in the turn; None where that does not matter."""
        limit = self.options["door_limit"]
        if not self.limited or limit is None or not any(crossing.opens for crossing in self.site.prices):
            return None
        return int(limit)

    def stances(self, form: Form) -> tuple[tuple[int, str], ...]:
        """The numbered postures that a body can take in a form: of a medium its own, on the ground all others."""
        media = self.profile.media
        own = () if form.medium is None else (form.medium.name,)
        return tuple(
            (n, name) for n, name in enumerate(self.profile.postures) if (name in own if own else name not in media)
        )

    @cached_property
    def room(self) -> int:
        """Cells of the window."""
        levels, height, width = self.site.shape
        return levels * height * width

    def node(self, layer: int, place: tuple[int, int, int]) -> int:
        """The node of a layer at (level, j, i).  Raises `ValueError` for a place outside the window."""
        levels, height, width = self.site.shape
        if not (0 <= place[0] < levels and 0 <= place[1] < height and 0 <= place[2] < width):
            raise ValueError(f"the place {tuple(place)} lies outside the window, {levels} by {height} by {width}")
        return layer * self.room + (place[0] * height + place[1]) * width + place[2]

    # -- bodies -----------------------------------------------------------------------------------------------------

    def ring(self, padded: Array, di: int = 0, dj: int = 0) -> Array:
        """The ring view of a padded array, seen from (di, dj) further on."""
        p = self.site.pad
        _, height, width = self.site.shape
        return padded[:, p - 1 + dj : p + 1 + height + dj, p - 1 + di : p + 1 + width + di]

    def target(self, ring: Array, di: int = 0, dj: int = 0) -> Array:
        """The window's view of a ring array, seen from (di, dj) further on."""
        _, height, width = self.site.shape
        return ring[:, 1 + dj : 1 + dj + height, 1 + di : 1 + di + width]

    @cached_property
    def forms(self) -> tuple[Form, ...]:
        """The body as it is; and squeezed, where the options allow it and there is something to squeeze."""
        if self.formed is not None:
            return self.formed()
        size = self.site.mover.size
        forms = [self._form(size, False)]
        if self.options["squeeze"] and size > 1:
            forms.append(self._form(size - 1, True))
        return (*forms, *(self._form(size, False, medium) for medium in self.media))

    def _form(self, size: int, squeezed: bool, medium: Medium | None = None) -> Form:
        """The body in a size, on the ground or in a medium."""
        site = self.site
        cells = site.footprint(size)
        outside = np.array([terrain is OUTSIDE for terrain in site.kinds])[site.kind]
        solid, headroom = site.solid if medium is None else medium.solid(site) | outside, site.headroom
        closed = solid | site.fact("gap") | site.closed_to_plans if medium is None else solid
        if site.bodies and (medium is None or medium.bodies):
            closed = closed | (site.occupied == HELD)
        hull = ~self.any_of(solid, cells)
        sides, doorway, entry = self._between(cells, np.ones_like(hull), self.crossed(medium))
        head = self.ring(headroom)
        for di, dj in cells[1:]:
            head = np.maximum(head, self.ring(headroom, di, dj))
        elevation = None
        if not site.flat:
            elevation = self.ring(site.elevation)
            for di, dj in cells[1:]:
                elevation = np.maximum(elevation, self.ring(site.elevation, di, dj))
            if medium is not None and not medium.heights:
                elevation = np.zeros_like(elevation)
        hull = hull & sides
        fits = hull & ~self.any_of(closed, cells)
        no_stop = site.no_stop
        if medium is not None:
            no_stop = np.zeros_like(no_stop) if medium.stops is None else ~medium.stops(site)
        stop = ~self.any_of(no_stop, cells)
        return Form(size, squeezed, cells, fits, sides, hull, head, elevation, stop, doorway, entry, medium)

    def _between(
        self, cells: tuple[tuple[int, int], ...], sides: Bools, crossed: Crossed
    ) -> tuple[Bools, Bools | None, tuple[Bools | None, ...]]:
        """What lies between the cells of a body: where nothing does but doors, where doors do, and `Form.entry`."""
        ways = self.site.directions
        entry: list[Bools | None] = [None] * len(ways)
        doorway: Bools | None = None
        door = np.array([False] + [crossing.opens > 0 for crossing in crossed.prices])
        for k, way in enumerate(ways):
            plane = crossed.planes[k]
            if len(cells) == 1 or way.diagonal or plane is None:
                continue
            for di, dj in cells:
                other = (di + way.di, dj + way.dj)
                if other not in cells:
                    continue
                code = self.ring(plane, di, dj)
                shut = door[np.maximum(code, 0)]
                sides = sides & ((code == FREE) | shut)
                if not shut.any():
                    continue
                doorway = shut if doorway is None else doorway | shut
                for m, step in enumerate(ways):
                    # held before the step too, or crossed by it: then the door stands open
                    held = all((a + step.di, b + step.dj) in cells for a, b in ((di, dj), other))
                    along = (step.di, step.dj) in ((way.di, way.dj), (-way.di, -way.dj))
                    if not step.diagonal and not held and not along:
                        known = entry[m]
                        entry[m] = ~shut if known is None else known & ~shut
        return sides, doorway, tuple(entry)

    @cached_property
    def media(self) -> tuple[Medium, ...]:
        """What the mover may be in besides the ground."""
        return tuple(medium for medium in every_medium() if medium.name in self.profile.media)

    def form_of(self, posture: str, squeezed: bool) -> int:
        """The number of the form in which a body takes a posture."""
        if posture not in self.profile.media:
            return int(squeezed)
        return next(n for n, form in enumerate(self.forms) if form.medium is not None and form.medium.name == posture)

    def crossed(self, medium: Medium | None) -> Crossed:
        """What lies between the cells of the window, as it is met on the ground or in a medium."""
        if medium is None or medium.meets is None:
            return self.site.crossed
        if medium.name not in self._crossed:
            self._crossed[medium.name] = Crossed.of(self.site, medium.meets)
        return self._crossed[medium.name]

    def any_of(self, padded: Bools, cells: tuple[tuple[int, int], ...]) -> Bools:
        """Ring array: where any cell of a body is one of these."""
        out: Bools = self.ring(padded)
        for di, dj in cells[1:]:
            out = out | self.ring(padded, di, dj)
        return out

    # -- flat prices --------------------------------------------------------------------------------------------------

    @cached_property
    def share(self) -> Fraction | None:
        """Where costs are shares of a turn: what a unit of length costs on plain ground; elsewhere None."""
        if self.profile.unit not in SHARES:
            return None
        paces = (self.profile.pace(self.pool, posture, PLAIN, False) for posture in self.profile.postures)
        bases = [pace.base for pace in paces if isinstance(pace, Pace)]
        return min(bases, default=Fraction(0))

    def flat(self, length: Fraction) -> Fraction:
        """A flat price, which maps and options give as a length, in the budget's unit."""
        return length if self.share is None else length * self.share

    def door_price(self, door: int) -> Fraction:
        """What opening the barrier of that index costs, in the budget's unit (OPR-50)."""
        return self.flat(opening(as_met(self.site, door), self.options))

    # -- steps that geometry leaves open ------------------------------------------------------------------------------

    @cached_property
    def prices(self) -> tuple[Crossing, ...]:
        """Every priced crossing that a step of some body form meets; bodies may meet several at once."""
        _ = self.planes
        return tuple(self._prices)

    @cached_property
    def planes(self) -> tuple[tuple[Plane, ...], ...]:
        """Per body form, one plane per direction."""
        share = self.share
        scaled = [replace(crossing, price=self.flat(crossing.price)) for crossing in self.site.prices]
        self._prices.extend(self.site.prices if share is None else scaled)
        for medium in self.media if not self._offset else ():
            if medium.meets is not None:
                self._offset[medium.name] = len(self._prices)
                met = self.crossed(medium).prices
                self._prices.extend(replace(crossing, price=self.flat(crossing.price)) for crossing in met)
        return tuple(self._planes(form) for form in self.forms)

    def _planes(self, form: Form) -> tuple[Plane, ...]:
        crossings = [self._crossing(form, k) for k in range(len(self.site.directions))]
        out = []
        for k, direction in enumerate(self.site.directions):
            di, dj = direction.di, direction.dj
            open_ = self.target(form.fits, di, dj)
            crossed = crossings[k]
            code = None
            if direction.legs is None:
                open_ = self._entered(form, k, open_, di, dj)
                if crossed is not None:
                    code = self.target(crossed)
                    open_ = open_ & (code != CUT)
            else:
                around, code = self._corner(form, crossings, direction.legs)
                open_ = open_ & around
                if crossed is not None:
                    open_ = open_ & (self.target(crossed) == FREE)
            # the window ends here: what lies outside is not in this graph
            open_ = open_.copy()
            if di:
                open_[:, :, -1 if di > 0 else 0] = False
            if dj:
                open_[:, -1 if dj > 0 else 0, :] = False
            rise = None
            if form.elevation is not None:
                rise = self.target(form.elevation, di, dj) - self.target(form.elevation)
            out.append(Plane(k, open_, code, rise))
        return tuple(out)

    def _entered(self, form: Form, k: int, open_: Bools, di: int, dj: int) -> Bools:
        """Steps in straight direction k, ending (di, dj) from the anchor, that come alongside no closed door."""
        entry = form.entry[k]
        return open_ if entry is None else open_ & self.target(entry, di, dj)

    def _crossing(self, form: Form, k: int) -> NDArray[np.int32] | None:
        """Ring array of what a body's straight step in direction k gets through."""
        plane = self.crossed(form.medium).planes[k]
        if plane is None:
            return None
        if form.medium is not None and form.medium.name in self._offset:
            plane = np.where(plane > 0, plane + self._offset[form.medium.name], plane)
        way = self.site.directions[k]
        # what lies within a body was dealt with when it came there
        cells = [(a, b) for a, b in form.cells if (a + way.di, b + way.dj) not in form.cells]
        codes = [self.ring(plane, di, dj) for di, dj in cells]
        if len(codes) == 1 or self.site.directions[k].diagonal:
            return np.where(np.any([code != FREE for code in codes], axis=0), CUT, FREE) if len(codes) > 1 else codes[0]
        stack = np.stack(codes)
        out = stack.max(axis=0)
        out[(stack == CUT).any(axis=0)] = CUT
        for place in zip(*np.nonzero(out > FREE), strict=True):
            met = sorted({int(code) for code in stack[(slice(None), *place)] if code > FREE})
            if len(met) > 1:
                out[place] = self._together([self._prices[code - 1] for code in met])
        joined: NDArray[np.int32] = out
        return joined

    def _together(self, crossings: list[Crossing]) -> int:
        """Several crossings met by one body at once: doors add up, of fences the dearest counts."""
        barriers = tuple(dict.fromkeys(index for crossing in crossings for index in crossing.barriers))
        climbed = [crossing.price for crossing in crossings if crossing.climbed]
        doors = [crossing for crossing in crossings if not crossing.climbed]
        price = sum((door.price for door in doors), max(climbed, default=Fraction(0)))
        merged = Crossing("door" if doors else crossings[0].name, price, sum(door.opens for door in doors), barriers)
        if merged not in self._prices:
            self._prices.append(merged)
        return self._prices.index(merged) + 1

    def _corner(
        self, form: Form, crossings: list[NDArray[np.int32] | None], legs: tuple[int, int]
    ) -> tuple[Bools, NDArray[np.int32] | None]:
        """Which diagonals the corner policy leaves open, and the doors they open by the way (door_diagonal: price)."""
        policy = self.options["corner"]
        first, second = (self._way_round(form, crossings, way, policy) for way in (legs, legs[::-1]))
        if policy == "both_open":
            return first[0] & second[0], None
        open_ = first[0] | second[0]
        if policy != "one_open" or self.options["door_diagonal"] != "price":
            return open_, None
        code = np.zeros(open_.shape, dtype=np.int32)
        for _, doors in (first, second):
            if doors is not None:
                take = ~open_ & (doors > 0) & (code == 0)
                code = np.where(take, doors, code)
        return open_ | (code > 0), code if code.any() else None

    def _way_round(
        self, form: Form, crossings: list[NDArray[np.int32] | None], way: tuple[int, int], policy: str
    ) -> tuple[Bools, NDArray[np.int32] | None]:
        """One way round a corner: open, and the one closed door it leads through where that is all that bars it."""
        a, b = way
        turn = self.site.directions[a]
        room = self.target(form.sides if policy == "free" else form.hull, turn.di, turn.dj)
        last = self.site.directions[b]
        room = self._entered(form, a, room, turn.di, turn.dj)
        room = self._entered(form, b, room, turn.di + last.di, turn.dj + last.dj)
        if form.bodies and self.options["corner_occupants"] == "block" and policy != "free" and self.site.bodies:
            held = self.any_of(self.site.occupied == HELD, form.cells)
            room = room & ~self.target(held, turn.di, turn.dj)
        first, second = crossings[a], crossings[b]
        code_a = None if first is None else self.target(first)
        code_b = None if second is None else self.target(second, turn.di, turn.dj)
        open_ = room
        if code_a is not None:
            open_ = open_ & (code_a == FREE)
        if code_b is not None:
            open_ = open_ & (code_b == FREE)
        if self.options["door_diagonal"] != "price" or (code_a is None and code_b is None):
            return open_, None
        zero = np.zeros(room.shape, dtype=np.int32)
        door = np.array([False] + [c.opens == 1 and not c.climbed for c in self._prices])
        a_, b_ = (zero if code is None else code for code in (code_a, code_b))
        one = room & (((a_ > 0) & (b_ == 0)) | ((a_ == 0) & (b_ > 0)))
        code = np.where(one, a_ + b_, 0)
        return open_, np.where(door[code], code, 0).astype(np.int32)

    # -- exact costs to ticks -----------------------------------------------------------------------------------------

    def note(self, costs: Iterable[Fraction]) -> None:
        """Make sure that these costs are whole numbers of ticks."""
        self.costs.update(cost for cost in costs if cost)

    @cached_property
    def tick(self) -> Fraction:
        """The largest unit of which every noted cost is a whole multiple."""
        if not self.costs:
            return Fraction(1)
        over = lcm(*(cost.denominator for cost in self.costs))
        return Fraction(gcd(*(int(cost * over) for cost in self.costs)), over)

    def ticks(self, cost: Fraction) -> int:
        """A noted cost in ticks.  Raises `RulesetError` for one out of all proportion to the others."""
        if not cost:
            return 0
        whole = cost / self.tick
        if whole >= VAST:
            raise RulesetError(f"a cost of {show(cost)} {self.profile.unit} is out of all proportion to the others")
        if whole.denominator != 1:
            raise RuntimeError(f"a way charges {cost}, which it did not note among its costs")
        return int(whole)

    @property
    def diagonal_length(self) -> Fraction:
        """Length of a diagonal in cells where diagonals do not alternate."""
        return SQRT2 if self.options["diagonal"] == "euclid" else Fraction(1)
