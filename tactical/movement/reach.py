"""Reach: where a mover can get to, at what price, in which band and turn; and the way there, or why not.

A reach is the result of one bounded search per pool of gaits and turn.  It keeps the arrays of the search and collapses
states to cells when asked.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from time import perf_counter
from typing import TYPE_CHECKING

from tactical import values
from tactical.errors import Refusal, UnknownName
from tactical.movement.planning.planner import route_to
from tactical.movement.query import Query, ask
from tactical.movement.rolls.chances import Chance, chances
from tactical.movement.rolls.risks import RiskyRoute, risky_routes
from tactical.movement.route import Route, State
from tactical.movement.turns.bands import Arrival, Band, bands_of, whole_turn
from tactical.movement.turns.carried import Carried
from tactical.movement.turns.ends import Ends, Part, area, limits_of, part_of, passed, staying
from tactical.movement.turns.legs import end_of, parts_of
from tactical.movement.turns.memoryless import FOREVER, Turns
from tactical.movement.turns.planned import remembers
from tactical.movement.turns.rings import with_walks
from tactical.movement.turns.searching import carrying, searching
from tactical.movement.turns.usual import Answer, answers
from tactical.movement.whynot import why_not
from tactical.options import Options
from tactical.rules.profile import Gait, Profile
from tactical.rules.ruleset import Ruleset
from tactical.rules.turnstate import TurnState
from tactical.search.slices import whole
from tactical.units import Cell, exact
from tactical.values import Place
from tactical.world.battlemap import Battlemap
from tactical.world.mover import Mover

if TYPE_CHECKING:
    from shapely import MultiPolygon

    from tactical.movement.graph.lattice import Lattice
    from tactical.search.kernel import Settled


@dataclass(eq=False, repr=False)
class Reach:
    """Where one mover can get to.  Make it with `reach`."""

    def __repr__(self) -> str:
        bands = ", ".join(f"{band.name} {len(self.cells(band))}" for band in self.bands)
        return f"<Reach of {self.mover.id!r} from {self.start.cell}: {bands} cells>"

    query: Query
    turns: int
    gait: str = ""
    reserve: Fraction = Fraction(0)
    arrive: str = ""
    limited: bool = True
    seconds: float = 0.0
    narrow: bool = True
    goal: Cell | None = None

    @cached_property
    def searches(self) -> list[Turns]:
        """The search of each pool of gaits; run when first asked for, which `reach` does at once."""
        if self.carried is not None:
            return self.searches
        _, begun = self.answers, perf_counter()
        found = whole(searching(self))
        self.seconds += perf_counter() - begun
        return found

    @cached_property
    def answers(self) -> list[Answer] | None:
        """What the searches of a usual question found; None for another one, or where `searches` are there already."""
        return None if "searches" in self.__dict__ else answers(self)

    @cached_property
    def carried(self) -> Carried | None:
        """The search over later turns, where the rules remember; None elsewhere, and in a reach of one turn."""
        if self.turns < 2 or not remembers(self.query):
            return None
        return whole(carrying(self))

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
    def start(self) -> State:
        """The state it starts in."""
        return self.query.start

    @property
    def ruleset(self) -> str:
        """Name of the rule system."""
        return self.query.ruleset.name

    @property
    def unit(self) -> str:
        """The unit of costs: what the rule system's budgets are counted in."""
        return self.query.profile.unit

    @property
    def options(self) -> Options:
        """The options in force."""
        return self.query.options

    @property
    def profile(self) -> Profile:
        """What the rule system says about the mover this turn."""
        return self.query.profile

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
    def gaits(self) -> tuple[Gait, ...]:
        """The gaits that this reach considers."""
        gaits = self.query.open_gaits
        return tuple(gait for gait in gaits if gait.name == self.gait) if self.gait else gaits

    @cached_property
    def later(self) -> Gait | None:
        """The gait whose budget later turns use."""
        wanted = self.gait or self.profile.turn_budget
        named = [gait for gait in self.profile.gaits if gait.name == wanted]
        return named[0] if named else (self.gaits[-1] if self.gaits else None)

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

    @cached_property
    def later_by_pool(self) -> dict[str, Gait]:
        """The gait in which each pool goes on in later turns, that of `later` first: who sprints may sprint on."""
        found = {} if self.later is None else {self.later.pool: self.later}
        for gait in self.gaits:
            if self.later is not None and gait.pool != self.later.pool:
                known = found.get(gait.pool)
                found[gait.pool] = gait if known is None or gait.budget > known.budget else known
        return found

    @property
    def refused(self) -> Mapping[str, Refusal]:
        """The gaits that are not open this turn, and why."""
        reasons = {gait.name: self.query.refused(gait) for gait in self.profile.gaits}
        return {name: reason for name, reason in reasons.items() if reason is not None}

    # -- cells --------------------------------------------------------------------------------------------------------

    @cached_property
    def arrivals(self) -> Mapping[Cell, Arrival]:
        """Every cell that can be ended on (the start too, at no cost), with its cheapest way."""
        first, here = self.first_turn, staying(self)
        later = [] if self.carried is None else parts_of(self.carried.added, self.bands)
        if not later and not here:
            return first
        more = Ends([*here, *later])
        return Ends([*here, *first.parts, *later]) if isinstance(first, Ends) else values.Fixed({**first, **more})

    @cached_property
    def first_turn(self) -> Mapping[Cell, Arrival]:
        """The cells that the turns searched without a memory can end on: all, or those of the first turn."""
        if self.answers is not None:
            return Ends(each.part(self.arrive) for each in self.answers)
        if self.options["ring"] != "walk":
            return Ends(self._part(*each) for each in self._order())
        return with_walks(self, (self._part(*each) for each in self._order()))

    @cached_property
    def costs(self) -> Mapping[Cell, Fraction]:
        """Every cell that can be ended on (the start too) with what its cheapest way costs in all, as by `cost`."""
        found = self.arrivals
        return found.costs if isinstance(found, Ends) else values.Fixed({cell: one.cost for cell, one in found.items()})

    def _order(self) -> Iterator[tuple[int, int]]:
        """The turns and pools that were searched, in the order in which they count."""
        for turn in range(1, max((len(search.turns) for search in self.searches), default=0) + 1):
            for pool, search in enumerate(self.searches):
                if turn <= len(search.turns):
                    yield turn, pool

    def _part(self, turn: int, pool: int, cell: Cell | None = None) -> Part:
        search = self.searches[pool]
        return part_of(search, pool, turn, limits_of(self, search, turn), self.arrive, cell)

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
        found = self._cell(cell)
        return found != self.start.cell and self.arrival(found) is not None

    def band(self, cell: Place) -> Band | None:
        """The band of a cell that can be ended on, else None."""
        found = self.arrival(self._cell(cell))
        return found.band if found and self._cell(cell) != self.start.cell else None

    def cost(self, cell: Place) -> Fraction | None:
        """Movement that the cheapest way costs in all, in the rule system's unit; None out of reach."""
        found = self.arrival(self._cell(cell))
        return found.cost if found else None

    def turn(self, cell: Place) -> int | None:
        """The turn in which the cell is reached."""
        found = self.arrival(self._cell(cell))
        return found.turn if found else None

    def remaining(self, cell: Place) -> Fraction | None:
        """What the band's budget has left on arrival."""
        found = self.arrival(self._cell(cell))
        return found.band.budget - found.spent if found else None

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

    def passing(self) -> frozenset[Cell]:
        """The cells that can be passed but not ended on."""
        return passed(self._settled).difference(self.arrivals, (self.start.cell,))

    def outline(self, band: Band | str, *, level: int | None = None) -> MultiPolygon:
        """The area of a band on one level (the start's, where none is named), in cell units: a shapely MultiPolygon."""
        return area(self.battlemap.grid, self.cells(band), self.start.cell.level if level is None else level)

    def again(self, query: Query | None = None, *, arrive: str | None = None) -> Reach:
        """The same reach asked anew: of another question, or for those who arrive in another posture."""
        wanted = self.arrive if arrive is None else arrive
        names = {"turns": self.turns, "gait": self.gait, "reserve": self.reserve, "limited": self.limited}
        postures = {"", *(posture for search in self.searches for posture in search.lattice.profile.postures)}
        if query is None and self.carried is None and wanted in postures:
            alike = reach_of(self.query, at_once=False, arrive=wanted, **names)  # type: ignore[arg-type]
            alike.searches = self.searches
            return alike
        return reach_of(query or self.query, arrive=wanted, **names)  # type: ignore[arg-type]

    # -- ways ---------------------------------------------------------------------------------------------------------

    def route(self, cell: Place, *, via: Iterable[Place] = (), arrive: str | None = None) -> Route | Refusal:
        """The cheapest way to end on `cell`, through the `via` cells in order, or the `Refusal` that says why not.

        `arrive` asks for a posture at the end.  Ties break by fewer diagonals, then straighter, then cell order.
        """
        return route_to(self, self._cell(cell), tuple(map(self._cell, values.several(via, "via"))), arrive)

    def why_not(self, cell: Place) -> Refusal | None:
        """The nearest reason why `cell` cannot be ended on, and what would change it; None where it can.

        A `Refusal` is false, so compare with None: ``if reach.why_not(cell) is not None``.
        """
        return why_not(self, self._cell(cell)) if self.arrival(self._cell(cell)) is None else None

    def risks(self, cell: Place, by: str = "attacks") -> tuple[RiskyRoute, ...]:
        """The ways to `cell` this turn that no other beats in both cost and risk, by rising risk, each with its route.

        `by` is ``attacks`` (opportunity attacks provoked), ``exposures`` (hazard cells entered), ``damage`` (of falls)
        ``number`` (what must be rolled; 0: nothing) or ``chance`` (that something fails; the cheapest way first).
        Empty where the cell cannot be reached this turn.  Raises `UnknownName` for another word.
        """
        return risky_routes(self, self._cell(cell), by)

    @cached_property
    def chances(self) -> Mapping[Cell, Chance]:
        """Every cell of this turn with its best chance, and the gait that has it; empty where odds are not known."""
        return chances(self)

    def odds(self, cell: Place) -> Fraction | None:
        """The exact chance of ending on `cell` this turn under the gait that has the best; None where unknown."""
        found = self.chances.get(self._cell(cell))
        return None if found is None else found.chance

    def threatened(self) -> Mapping[Cell, tuple[str, ...]]:
        """The cells within reach of the enemies that the mover knows of."""
        return self.query.site_everywhere.threats()


def reach(
    battlemap: Battlemap,
    mover: Mover | str,
    *,
    start: State | Place | None = None,
    rules: str | Ruleset | None = None,
    options: Mapping[str, object] | None = None,
    turn: TurnState | None = None,
    others: Iterable[Mover] | None = None,
    turns: int = 1,
    known: Collection[Place] | None = None,
    gait: str = "",
    reserve: object = 0,
    arrive: str = "",
    truth: bool = False,
) -> Reach:
    """Where can this mover get to?

    `mover` is a `Mover` or the id of one on the map; `start` overrides its place (and, as a `State`, posture and
    counters); `turn` is what it has done this turn; `others` are the bodies in the way (None: the map's other
    movers); `turns` how many turns to look ahead; `known` the explored cells (None: all); `gait` restricts the bands
    to one gait and later turns to its budget; `reserve` is movement kept back; `arrive` the posture wanted at the
    end; `truth` counts what is hidden.

    Raises `UnknownName` or `RulesetError` for rules, stats, options, gaits or postures that do not exist, `ValueError`
    for a mover off the map and numbers out of range.
    """
    query = ask(
        battlemap, mover, start=start, rules=rules, options=options, turn=turn, others=others, known=known, truth=truth
    )
    return reach_of(query, turns=turns, gait=gait, reserve=exact(reserve), arrive=arrive)


def reach_of(
    query: Query,
    *,
    turns: int = 1,
    gait: str = "",
    reserve: Fraction = Fraction(0),
    arrive: str = "",
    limited: bool = True,
    narrow: bool = True,
    goal: Cell | None = None,
    at_once: bool = True,
) -> Reach:
    """The reach that answers a question put together with `ask`; refuses what `reach` refuses.

    With `narrow` states in postures that cannot help are not searched: that changes no answer.  With a `goal` only that
    cell's answer counts: what is farther may be missing.  Without `at_once` it is searched when it is first read.
    """
    if gait and gait not in (known := [known.name for known in query.profile.gaits]):
        raise UnknownName("gait", gait, known)
    if arrive and arrive not in query.profile.postures:
        raise UnknownName("posture", arrive, query.profile.postures)
    _ = query.profile
    turns = values.whole(turns, "turns", least=-values.LARGEST, most=10**18)
    if turns < 1 or (reserve and reserve < 0):
        raise ValueError(f"a reach looks at one turn or more and keeps back 0 or more, not {turns} and {reserve}")
    found = Reach(query, min(turns, FOREVER), gait, reserve, arrive, limited, narrow=narrow, goal=goal)
    if at_once and found.answers is None:
        _ = found.searches
    return found
