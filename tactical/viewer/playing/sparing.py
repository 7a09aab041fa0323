"""Other ways to where the way that is shown leads: without its strikes, or likelier to get there.

Knows no pygame and no pixels.  What takes long to work out is known when `seek` has worked it out.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from tactical.movement.rolls.chances import Chance, worked_out
from tactical.movement.rolls.risks import likeliest, risking
from tactical.movement.route import Route
from tactical.search.slices import Work, worked
from tactical.show import rolls
from tactical.show.amounts import amount, band_named, unit_of
from tactical.show.choices import Choice
from tactical.show.labels import say
from tactical.units import percent
from tactical.viewer.playing.plan import Plan
from tactical.viewer.playing.table import Table

MANY = 30_000
"""States of a search beyond which a way without strikes is looked for only on request."""


class Sparing(Plan):
    """The ways that spare what the one that is shown risks.

    `by` is what the way that is wanted is to spare: ``attacks``, or the ``chance`` that it does not get there.
    """

    def __init__(self, table: Table, selected: str | None = None) -> None:
        self.by = "attacks"
        self._safe: tuple[Route, Route | None] | None = None
        self._seeking: tuple[Route, Iterator[None]] | None = None
        self._likely: tuple[Route, Work[Route | None]] | None = None
        super().__init__(table, selected)

    @property
    def struck(self) -> Route | None:
        """The way that is shown, where it is struck at and another one might be without strikes."""
        route, reach = self._free, self.reach
        if route is None or not route.provokes or reach.stats[0] > MANY:
            return None
        return route

    @property
    def _free(self) -> Route | None:
        """The way that is shown, where it is of this turn and nothing but its end was asked for."""
        route = self.route
        if not isinstance(route, Route) or route.turn > 1 or self.waypoints or self.arrive:
            return None
        return None if self.table.pending is not None or not self.rested else route

    @property
    def safe(self) -> Route | None:
        """The cheapest way without strikes to where the way that is shown is struck at; None where there is none.

        A long question on a large map: None too while `seek` has not answered it.
        """
        route = self.struck
        return self._safe[1] if route is not None and self._safe is not None and self._safe[0] is route else None

    def seek(self, seconds: float) -> bool:
        """Look for the way without strikes, or the likelier one that is wanted, for so long at about.

        True while there is more to do.  What was begun for another way is dropped.
        """
        if (wanted := self.wanted) is not None and self.by == "chance":
            if self._likely is None or self._likely[0] is not wanted:
                self._likely = (wanted, Work(likeliest(self.reach, wanted.end.cell)))
            self._likely[1].on(seconds)
            return self._likely[1].more
        route = self.struck
        if route is None or (self._safe is not None and self._safe[0] is route):
            self._seeking = None
            return False
        if self._seeking is None or self._seeking[0] is not route:
            self._seeking = (route, risking(self.reach, route.end.cell, "attacks"))
        if worked(self._seeking[1], seconds):
            return True
        self._seeking = None
        self.safest(route)
        return False

    def safest(self, route: Route) -> Route | None:
        """The cheapest way without strikes to the end of a way."""
        if self._safe is None or self._safe[0] is not route:
            found = self.reach.risks(route.end.cell, "attacks")
            self._safe = (route, next((one.route for one in found if not one.risk), None))
        return self._safe[1]

    @property
    def likelier(self) -> Chance | None:
        """The best chance to get where the way that is shown leads, where it has a worse one; None while not known."""
        route, chance = self._free, self.chance
        if route is None or chance is None or not worked_out(self.reach):
            return None
        best: Chance | None = self.reach.chances.get(route.end.cell)
        return best if best is not None and best.chance > chance else None

    def sparing(self, route: Route) -> Route | None:
        """The way to be taken instead of one that was asked for without its risk; None where there is none."""
        if self.by == "attacks":
            return self.safest(route)
        likely, self._likely = self._likely, None
        way, now = likely[1].answer if likely is not None and likely[0] is route else None, self.chance
        there = None if way is None else rolls.chance_there(self.reach, way)
        return route if way is None or (there is not None and now is not None and there <= now) else way

    @property
    def others(self) -> tuple[Choice, ...]:
        """The buttons of the other ways, with what more they cost; Alt-click takes the first."""
        route = self.route
        if not isinstance(route, Route):
            return ()
        found = []
        if (way := self.safe) is not None:
            found.append(("safe", say("safe.way", more=self._more(way.cost - route.cost, way.band)), "check"))
        if (best := self.likelier) is not None:
            more = self._more(best.cost - route.cost, best.gait)
            found.append(("likelier", say("safe.likelier", chance=percent(best.chance), more=more), "die"))
        return tuple(Choice(name, words, "" if n else "Alt-click", sign) for n, (name, words, sign) in enumerate(found))

    def _more(self, cost: Fraction, name: str) -> str:
        """What more another way costs than the one that is shown, with its unit."""
        words = amount(abs(cost), band_named(name, self.reach.bands))
        return f"{'-' if cost < 0 else '+'}{words} {unit_of(self.reach.bands, self.reach.unit)}"
