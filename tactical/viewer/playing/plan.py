"""The plan: the way that is meant, and what is told about it.

Knows no pygame and no pixels: every act of mouse or keyboard is a method here or in `tactical.viewer.playing.hand`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from typing import Any

from tactical.errors import Refusal, TacticalError
from tactical.movement.planning.planner import routing
from tactical.movement.reach import Reach
from tactical.movement.rolls.chances import weighing, worked_out
from tactical.movement.route import Route
from tactical.movement.turns.bands import Band
from tactical.play.session import Session
from tactical.search.slices import Work, worked
from tactical.show import rolls
from tactical.show.labels import say
from tactical.show.scene.bodies import aim
from tactical.units import Cell
from tactical.viewer.playing import asking
from tactical.viewer.playing.asking import Asking
from tactical.viewer.playing.table import Table

MOST_PINS = 3
"""Goals that are compared at the most."""
UNKNOWN: Mapping[Cell, Fraction | None] = {}
"""The chances while they are not known."""
MOST_RESTS = 50
"""Plans of a mover that undo leads back to."""


@dataclass(frozen=True, slots=True, eq=False)
class Rest:
    """What an order of a `turn` left for the mover's later ones: `goal` is None where nothing.

    `session` and `done`, the number of its commands then, tell whether the order has been taken back since.
    """

    goal: Cell | None
    via: tuple[Cell, ...]
    arrive: str | None
    turn: int
    session: Session
    done: int

    def holds(self, session: Session) -> bool:
        """Whether the order stands."""
        return self.session is not session or self.done <= len(session.history.done)


class Plan(Asking):
    """What the player intends.  A large body is meant to stand where `show.scene.bodies.aim` says.

    `declared` is the way of a move that waits for an answer, `typed` the total typed in for its roll, `number` the game
    master's where it has none, `priced` the bands that way was priced in.  `pins` are goals to compare, `rests` what
    orders left of every mover's plans, the last one last.
    """

    def __init__(self, table: Table, selected: str | None = None) -> None:
        super().__init__(table)
        self.waypoints: list[Cell] = []
        self.arrive: str | None = None
        self.goal: Cell | None = None
        self.rests: dict[str, list[Rest]] = {}
        self.pins: list[Cell] = []
        self.declared: Route | None = None
        self.priced: tuple[Band, ...] = ()
        self.typed = self.number = ""
        self._weighing: tuple[Reach, Iterator[None]] | None = None
        self._chance: tuple[Route, Fraction | None] | None = None
        self._routing: dict[str, tuple[Reach, tuple[object, ...], Work[Route | Refusal]]] = {}
        self._odds: tuple[Any, Mapping[Cell, Fraction | None]] | None = None
        self._ways: dict[str, tuple[Reach, tuple[object, ...], Route | Refusal]] = {}
        if selected is not None or table.ids:
            self.select(selected if selected is not None else table.ids[0])
        if (way := table.waiting_way(self.turns)) is not None:
            self.declared, self.priced = way
            self.hover = self.declared.end.cell

    # -- asking -------------------------------------------------------------------------------------------------------

    @property
    def target(self) -> Cell | None:
        """The cell the way leads to: under the pointer, else that of the plan."""
        if self.hover is not None:
            return self.hover if self.reach is None else aim(self.reach, self.hover)
        return self.destination

    @property
    def destination(self) -> Cell | None:
        """Where the plan leads to, wherever the pointer is: where a way was cut short, else the last waypoint."""
        if self.goal is not None:
            return self.goal
        return self.waypoints[-1] if self.waypoints else None

    @property
    def route(self) -> Route | Refusal | None:
        """The way to the target through the waypoints, why there is none, or None where nothing is asked."""
        waiting = self.table.pending
        if waiting is not None:
            return self.declared if waiting.mover == self.selected else None
        return self._way("shown", self.target, self.rested)

    @property
    def planned(self) -> Route | Refusal | None:
        """The way of the plan, wherever the pointer is."""
        return self._way("planned", self.destination, True)

    def _way(self, use: str, target: Cell | None, rested: bool) -> Route | Refusal | None:
        reach = self.reach
        if reach is None or target is None or target not in self.battlemap:
            return None
        via = [cell for cell in self.waypoints if cell != target]
        if target == reach.start.cell and not via and self.arrive in (None, reach.start.posture):
            return None
        if not rested and not via and target not in reach:
            # why not is a long question on a large map: it is asked when the pointer rests
            return Refusal("move.unreachable", {"cell": self.battlemap.name_of(target)})
        key = self._asked(target)
        kept = self._ways.get(use)
        if kept is None or kept[0] is not reach or kept[1] != key:
            found = self._routed(use, reach, key, target, tuple(via))
            if found is None:
                return None
            kept = self._ways[use] = (reach, key, found)
        return kept[2]

    def _routed(
        self, use: str, reach: Reach, key: tuple[object, ...], target: Cell, via: tuple[Cell, ...]
    ) -> Route | Refusal | None:
        """The way to a target, or why there is none: None while `think` has not worked it out."""
        begun = self._routing.get(use)
        if begun is None or begun[0] is not reach or begun[1] != key:
            arrive = self.arrive or None
            begun = self._routing[use] = (reach, key, Work(routing(reach, target, via, arrive)))
            begun[2].on(asking.AT_ONCE)
        if begun[2].more:
            return None
        del self._routing[use]
        return begun[2].answer

    def think(self, seconds: float) -> bool:
        """Go on with the reach and the ways that are asked for, for so long at about; True while there is more.

        What is not asked for any more is dropped.
        """
        if self.reckoned(seconds):
            return True
        asked = {"shown": (self.route, self.target), "planned": (self.planned, self.destination)}
        for use, (reach, key, work) in list(self._routing.items()):
            known, target = asked[use]
            if known is None and target is not None and reach is self.reach and key == self._asked(target):
                work.on(seconds)
                return True
            del self._routing[use]
        return False

    @property
    def shown(self) -> Route | None:
        """The way that was shown last, where it answers what is asked now; the game may have gone on since."""
        kept = self._ways.get("shown")
        if self.target is None or kept is None or kept[1] != self._asked(self.target):
            return None
        return kept[2] if isinstance(kept[2], Route) else None

    def _asked(self, target: Cell) -> tuple[object, ...]:
        return self.selected, target, tuple(cell for cell in self.waypoints if cell != target), self.arrive

    @property
    def odds(self) -> Mapping[Cell, Fraction | None]:
        """The chances of success of the cells whose way needs a roll; None where nobody knows it."""
        reach = self.drawn
        if reach is None or not worked_out(reach):
            return UNKNOWN
        if self._odds is None or self._odds[0] is not reach:
            self._odds = (reach, rolls.chances(reach))
        return self._odds[1]

    @property
    def rolled_for(self) -> bool:
        """Whether the rules of the selected mover roll for whole moves: then chances are worth knowing at once."""
        return self.about is not None and self.about.profile.demand is not None

    def reckon(self, seconds: float) -> bool:
        """Work on the chances of the present reach for so long at about; True while there is more to do.

        What was begun for a reach that is no more is dropped.
        """
        reach = self.reach
        if reach is None or worked_out(reach):
            self._weighing = None
            return False
        if self._weighing is None or self._weighing[0] is not reach:
            self._weighing = (reach, weighing(reach))
        if worked(self._weighing[1], seconds):
            return True
        self._weighing = None
        return False

    @property
    def chance(self) -> Fraction | None:
        """The chance that the way that is shown gets there; None where nothing is rolled for."""
        route = self.route
        if not isinstance(route, Route):
            return None
        if self._chance is None or self._chance[0] is not route:
            self._chance = (route, rolls.chance_there(self.reach, route))
        return self._chance[1]

    # -- pointing and planning ----------------------------------------------------------------------------------------

    def point_at(self, cell: Cell | None) -> bool:
        """Move the pointer; True if that is another cell.  While an order is worked out it stays on what it is for."""
        if self.ordered:
            return False
        inside = cell if cell is not None and cell in self.battlemap else None
        changed = inside != self.hover
        self.hover = inside
        if changed:
            self.wait_for_nothing()
        return changed

    def select(self, mover_id: str) -> None:
        """Select a mover.  Raises `UnknownName`; a mover whose stats or rules are wrong is told, not selected."""
        mover = self.table.mover(mover_id)
        before, self.selected = self.selected, mover_id
        try:
            _ = self.table.about(mover_id).profile, self.reach
        except (TacticalError, ValueError) as error:
            self.selected = before
            self.tell(str(error), warn=True)
            return
        if before is not None and self.goal is not None and (rests := self.rests.get(before)):
            # of what is left a waypoint may have been taken back
            rests[-1] = replace(rests[-1], via=tuple(self.waypoints), arrive=self.arrive)
        self.resume()
        self.pins = []
        if mover.at is not None:
            self.level = mover.at.level
        self.tell("")

    def step_selection(self, by: int) -> None:
        """Select the next (previous) mover."""
        ids = self.table.ids
        if ids:
            here = ids.index(self.selected) if self.selected in ids else -1
            self.select(ids[(here + by) % len(ids)])

    def add_waypoint(self, cell: Cell) -> None:
        """Make the plan lead through a cell; refused where one cannot get to."""
        if not self.known(partial(self.add_waypoint, cell)):
            return
        reach = self.reach
        if reach is None or cell not in self.battlemap:
            return
        place = aim(reach, cell)
        # through other waypoints it may be long: whether it goes on from there is seen when the way is shown
        if place != reach.start.cell and self._refused(reach, place):
            return
        self.waypoints.append(place)
        self.goal = None
        self.tell(self.counted())

    def draw_way(self, trail: Sequence[Cell]) -> None:
        """Make the plan lead over the cells of a trail, from where the mover stands to the last one."""
        self.waypoints[:] = trail[1:-1]
        self.goal = None

    def pin(self, cell: Cell) -> None:
        """Keep a goal to compare others with; pinned already, it is let go.  The oldest gives way to a new one."""
        if not self.known(partial(self.pin, cell)):
            return
        reach = self.reach
        if reach is None or cell not in self.battlemap:
            return
        place = aim(reach, cell)
        if place in self.pins:
            self.pins.remove(place)
            self.tell(say("unpinned", cell=self.battlemap.name_of(place)))
            return
        if place != reach.start.cell and self._refused(reach, place):
            return
        self.pins = [*self.pins, place][-MOST_PINS:]
        self.tell(say("pinned", cell=self.battlemap.name_of(place)))

    def counted(self) -> str:
        """How many waypoints there are, in words."""
        count = len(self.waypoints)
        return say("waypoints" if count > 1 else "waypoint", n=count) if count else ""

    def arrive_in(self, posture: str) -> None:
        """Choose (or, chosen already, forget) the posture to arrive in."""
        if self.about is not None and posture in self.about.profile.postures:
            self.arrive = None if self.arrive == posture else posture

    def drop(self) -> None:
        """Drop the plan, and a number half typed."""
        if self.typed or self.number:
            self.typed, self.number = "", self.number if self.typed else ""
            return
        self.rests.pop(self.selected or "", None)
        self.resume()
        self.tell("")

    def resume(self) -> None:
        """The plan is what is left of that of the selected mover: nothing else that was planned counts any more."""
        self.forget()
        self.goal = None
        rests = self.rests.get(self.selected or "")
        # the map may have been drawn anew since
        if rests and all(cell in self.battlemap for cell in (rests[-1].goal, *rests[-1].via) if cell is not None):
            self.goal, self.waypoints[:], self.arrive = rests[-1].goal, rests[-1].via, rests[-1].arrive

    def _keep(self, route: Route) -> None:
        """What of an ordered way is left for later turns: the waypoints still to come and the posture to arrive in."""
        assert self.selected is not None
        over = {route.end.cell, *(step.end.cell for step in route.turns[0].steps)}
        via = tuple(cell for cell in self.waypoints if cell not in over)
        goal, via, arrive = (route.end.cell, via, self.arrive) if route.turn > 1 else (None, (), None)
        now = self.table.turn(self.selected).turn, self.session, len(self.session.history.done)
        (rests := self.rests.setdefault(self.selected, [])).append(Rest(goal, via, arrive, *now))
        del rests[:-MOST_RESTS]
        self.resume()

    def _taken_back(self) -> None:
        """What orders left that were taken back is forgotten: what was planned before them is left again."""
        for rests in self.rests.values():
            while rests and not rests[-1].holds(self.session):
                rests.pop()
        self.resume()

    @property
    def put_off(self) -> bool:
        """Whether what is left of the plan is for the next turn: of this one has been made of it what could be."""
        who = self.selected or ""
        return self.goal is not None and [one.turn for one in self.rests[who][-1:]] == [self.table.turn(who).turn]

    def given_up(self) -> bool:
        """Give up a plan of an earlier turn where no way leads to its end any more, and tell why; True if so."""
        way, goal = self.planned, self.goal
        if goal is None or not isinstance(way, Refusal) or way.code == "move.turns" or self.put_off:
            return False
        self.drop()
        self.tell(say("plan.lost", cell=self.battlemap.name_of(goal), why=way.text), warn=True)
        return True

    def forget(self) -> None:
        """Forget waypoints and the posture to arrive in."""
        self.waypoints.clear()
        self.arrive = None
        self.wait_for_nothing()
