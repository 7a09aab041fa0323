"""Where a mover can get to, at what price, in which band and turn; of the ways there see `tactical.movement.reach`.

It is the result of one bounded search per pool of gaits and turn, keeps the arrays of the search and collapses states
to cells when asked.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from time import perf_counter
from typing import TYPE_CHECKING, Self

from tactical import values
from tactical.errors import UnknownName
from tactical.movement.query import Query
from tactical.movement.turns import usual
from tactical.movement.turns.bands import Arrival, Band, bands_of, whole_turn
from tactical.movement.turns.carried import Carried
from tactical.movement.turns.ends import Ends, Part, area, limits_now, limits_of, part_of, passed, staying
from tactical.movement.turns.legs import end_of, parts_of
from tactical.movement.turns.memoryless import Turns
from tactical.movement.turns.planned import left_of, remembers
from tactical.movement.turns.rings import with_walks
from tactical.movement.turns.searching import searching
from tactical.movement.turns.usual import Answer
from tactical.movement.turns.wanted import Wanted
from tactical.search.slices import Slices, whole
from tactical.units import Cell
from tactical.values import Place
from tactical.world.battlemap import Battlemap
from tactical.world.mover import Mover

if TYPE_CHECKING:
    from shapely import MultiPolygon

    from tactical.movement.graph.lattice import Lattice
    from tactical.search.kernel import Settled


@dataclass(eq=False, repr=False)
class Found(Wanted):
    """The cells that one mover can get to, and what was searched for them."""

    seconds: float = 0.0

    def __repr__(self) -> str:
        bands = ", ".join(f"{band.name} {len(self.cells(band))}" for band in self.bands)
        return f"<Reach of {self.mover.id!r} from {self.start.cell}: {bands} cells>"

    # -- the searches -------------------------------------------------------------------------------------------------

    def working(self) -> Slices[Self]:
        """In slices: it is worked out, so that whatever it is asked then is told at once.

        Nobody else may read it before the end.
        """
        if self.turns > 1 and remembers(self.query):
            yield from self._carrying()
        elif self.answers is None:
            begun = perf_counter()
            self.searches = yield from searching(self, None)
            self.seconds += perf_counter() - begun
        yield
        _ = self.arrivals
        return self

    def searched(self) -> Self:
        """The same, searched at once; else it is when it is first read."""
        if self.answers is None:
            _ = self.searches
        return self

    @cached_property
    def searches(self) -> list[Turns]:
        """The search of each pool of gaits; run when first asked for, which `reach` does at once."""
        if self.carried is not None:
            return self.searches
        answers, begun = self.answers, perf_counter()
        found = whole(searching(self, answers))
        self.seconds += perf_counter() - begun
        return found

    @cached_property
    def answers(self) -> list[Answer] | None:
        """What the searches of a usual question found; None for another one, or where `searches` are there already."""
        if "searches" in self.__dict__:
            return None
        begun = perf_counter()
        found = usual.answers(self)
        if found is not None:
            self.seconds = perf_counter() - begun
        return found

    @cached_property
    def carried(self) -> Carried | None:
        """The search over later turns, where the rules remember; None elsewhere, and in a reach of one turn."""
        if self.turns < 2 or not remembers(self.query):
            return None
        return whole(self._carrying())

    def _carrying(self) -> Slices[Carried]:
        """In slices: the turns are searched as the rules remember them."""
        begun = perf_counter()
        made = Carried(self.alone())
        yield
        # known before it is run: on the way the first turn is read
        self.carried, self.searches = made, (yield from made.beginning())
        yield from made.running(self.first_turn)
        self.seconds = perf_counter() - begun
        return made

    # -- what it is about -------------------------------------------------------------------------------------------

    @property
    def battlemap(self) -> Battlemap:
        """The map as the mover knows it, in the unit of its rules; with `truth` as it is."""
        return self.query.battlemap

    @property
    def mover(self) -> Mover:
        """The mover, where it starts."""
        return self.query.mover

    @property
    def unit(self) -> str:
        """The unit of costs: what the rule system's budgets are counted in."""
        return self.query.profile.unit

    @property
    def stats(self) -> tuple[int, float]:
        """How many states were searched, and in how many seconds."""
        return sum(len(settled) for _, settled in self._settled), self.seconds

    @property
    def _settled(self) -> list[tuple[Lattice, Settled]]:
        """What all searches have settled, each with its graph."""
        found = [(search.lattice, turn.settled) for search in self.searches for turn in search.turns]
        return found + ([] if self.carried is None else [(leg.lattice, leg.settled) for leg in self.carried.legs])

    @cached_property
    def bands(self) -> tuple[Band, ...]:
        """The gaits of this turn in order, then turn 2, 3 …"""
        steady = "" if self.later is None else self.later.name
        if self.carried is not None:
            return bands_of(self.query, self.gaits, self.carried.later, steady)
        # a map that is used up in three turns has no fourth band, whatever was asked for
        most = 1 if self.turns == 1 else max((len(each.turns) for each in self.searches), default=self.turns)
        gaits = [whole_turn(self.query, gait) for gait in self.later_by_pool.values()]
        return bands_of(self.query, self.gaits, dict.fromkeys(range(2, min(self.turns, most) + 1), gaits), steady)

    @property
    def exhausted(self) -> bool:
        """Whether the last of the turns asked for found nothing new."""
        carried = [] if self.carried is None else [self.carried.searched]
        return all(n < self.turns for n in carried or [len(each.turns) for each in self.searches])

    # -- cells --------------------------------------------------------------------------------------------------------

    @cached_property
    def arrivals(self) -> Mapping[Cell, Arrival]:
        """Every cell that can be ended on (the start too, at no cost), with its cheapest way."""
        first, answers = self.first_turn, self.answers or ()
        here = [] if True in [each.course.begins for each in answers] else staying(self)
        later = [] if self.carried is None else parts_of(self.carried.added, self.bands)
        if not later and not here:
            return first
        more = Ends([*here, *later])
        return Ends([*here, *first.parts, *later]) if isinstance(first, Ends) else values.Fixed({**first, **more})

    @cached_property
    def first_turn(self) -> Mapping[Cell, Arrival]:
        """The cells that the turns searched without a memory can end on: all, or those of the first turn."""
        if self.answers is not None:
            return Ends([each.part(self.arrive) for each in self.answers])
        if self.options["ring"] != "walk":
            return Ends(self._part(*each) for each in self._order())
        return with_walks(self, self.searches, (self._part(*each) for each in self._order()))

    @cached_property
    def costs(self) -> Mapping[Cell, Fraction]:
        """Every cell that can be ended on (the start too) with what its cheapest way costs in all, as by `cost`."""
        answers = self.answers
        if answers is not None and len(answers) == 1 and answers[0].course.begins:
            # a single search that has the start too: there is nothing to join
            return values.Fixed(answers[0].part(self.arrive).priced())
        found = self.arrivals
        if isinstance(found, Ends):
            return found.costs()
        return values.Fixed({cell: one.cost for cell, one in found.items()})

    def _order(self) -> Iterator[tuple[int, int]]:
        """The turns and pools that were searched, in the order in which they count."""
        for turn in range(1, max((len(search.turns) for search in self.searches), default=0) + 1):
            for pool, search in enumerate(self.searches):
                if turn <= len(search.turns):
                    yield turn, pool

    def _part(self, turn: int, pool: int, cell: Cell | None = None) -> Part:
        search = self.searches[pool]
        if turn == 1:
            limits = limits_now(self, search)
        else:
            limits = limits_of(self, search.lattice.pool, (band for band in self.bands if band.turn == turn))
        return part_of(search, pool, turn, limits, self.arrive, cell)

    def arrival(self, place: Place) -> Arrival | None:
        """The cheapest way to end on a cell, as in `arrivals`, which is not worked out for it; None: there is none."""
        cell = self._cell(place)
        usual = self.options["ring"] != "walk" and self.carried is None and cell != self.start.cell
        if "arrivals" not in self.__dict__ and usual:
            parts = (self._part(turn, pool, cell) for turn, pool in self._order())
            return next((part.arrival(0) for part in parts if len(part.node)), None)
        return self.arrivals.get(cell)

    def _cell(self, place: Place) -> Cell:
        return self.battlemap.cell_of(place)

    def __contains__(self, cell: Place) -> bool:
        """Whether it can move to the cell and end there.  The start is none, though it costs 0."""
        found = self._cell(cell)
        return found != self.start.cell and self.arrival(found) is not None

    def band(self, cell: Place) -> Band | None:
        """The band of a cell that it can move to and end on, else None; the start has none."""
        found = self.arrival(self._cell(cell))
        return found.band if found and self._cell(cell) != self.start.cell else None

    def cost(self, cell: Place) -> Fraction | None:
        """What the cheapest way costs in all, in the rule system's unit, 0 for the start; None out of reach."""
        found = self.arrival(self._cell(cell))
        return found.cost if found else None

    def turn(self, cell: Place) -> int | None:
        """The turn in which the cell is reached."""
        found = self.arrival(self._cell(cell))
        return found.turn if found else None

    def remaining(self, cell: Place) -> Fraction | None:
        """What the turn has left on arrival, in the gait that its `Route.rounds` name."""
        found = self.arrival(self._cell(cell))
        return left_of(self.query, found) if found else None

    def posture(self, cell: Place) -> str | None:
        """The posture one arrives in by the cheapest way."""
        found = self.arrival(self._cell(cell))
        stays = found is not None and not found.cost and self._cell(cell) == self.start.cell
        return None if found is None else self.start.posture if stays else end_of(found, self.searches).posture

    def cells(self, band: Band | str | None = None) -> frozenset[Cell]:
        """The cells that can be ended on, the start not counted; of one band, or of all.

        Raises `UnknownName` for a band that this reach does not have.
        """
        name = band.name if isinstance(band, Band) else band
        known = [one.name for one in self.bands]
        if name is not None and name not in known:
            raise UnknownName("band", name, known)
        found: Mapping[Cell, Arrival] = self.arrivals
        if name is None:
            return frozenset(found) - {self.start.cell}
        if isinstance(found, Ends):
            return frozenset(found.of_band(name)) - {self.start.cell}
        return frozenset(cell for cell, one in found.items() if one.band.name == name) - {self.start.cell}

    def in_order(self) -> Iterator[tuple[Cell, Arrival]]:
        """The cells that can be ended on with their arrivals, in reading order, the start left out."""
        for cell, arrival in sorted(self.arrivals.items(), key=lambda each: (each[0].level, each[0].row, each[0].col)):
            if cell != self.start.cell:
                yield cell, arrival

    def passing(self) -> frozenset[Cell]:
        """The cells that can be passed but not ended on, on what may be spent: what is kept back pays for no step."""
        most = self._most() if self.reserve else [None] * len(self._settled)
        return passed(zip(self._settled, most, strict=True)).difference(self.arrivals, (self.start.cell,))

    def _most(self) -> list[Fraction | None]:
        """What each search may spend, in their order."""
        found = [
            search.first if turn.number == 1 else search.later for search in self.searches for turn in search.turns
        ]
        for leg in () if self.carried is None else self.carried.legs:
            open_gaits = (gait for gait in leg.query.open_gaits if self.gait in ("", gait.name))
            found.append(max(gait.budget for gait in open_gaits if gait.pool == leg.lattice.pool))
        return [budget - self.reserve for budget in found]

    def outline(self, band: Band | str, *, level: int | None = None) -> MultiPolygon:
        """The area of a band on one level (the start's, where none is named), in cell units: a shapely MultiPolygon."""
        return area(self.battlemap.grid, self.cells(band), self.start.cell.level if level is None else level)

    def again(self, query: Query | None = None, *, arrive: str | None = None) -> Self:
        """The same asked anew: of another question, or for those who arrive in another posture."""
        return self._anew(query, arrive).searched()

    def asking_again(self, query: Query | None = None, *, arrive: str | None = None) -> Slices[Self]:
        """The same in slices, for those who must not wait."""
        anew = self._anew(query, arrive)
        return anew if "searches" in anew.__dict__ else (yield from anew.working())

    def _anew(self, query: Query | None, arrive: str | None) -> Self:
        wanted = self.arrive if arrive is None else arrive
        anew = replace(self, query=query or self.query, arrive=wanted, narrow=True, goal=None, seconds=0.0)
        postures = {"", *(posture for search in self.searches for posture in search.lattice.profile.postures)}
        if query is None and self.carried is None and wanted in postures:
            anew.searches = self.searches
        return anew
