"""The plan: who is selected, where the pointer is, the way that is meant, and what is told about it.

Knows no pygame and no pixels: every act of mouse or keyboard is a method here or in `tactical.viewer.hand`.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from tactical.errors import Refusal, TacticalError
from tactical.movement.route import Route
from tactical.play.session import Session
from tactical.show import rolls
from tactical.show.bodies import aim
from tactical.show.labels import say
from tactical.units import Cell
from tactical.viewer.table import Table
from tactical.world.battlemap import Battlemap
from tactical.world.mover import Mover


class Plan:
    """What the player looks at and intends.  `message` is what to tell, `warn` whether it is a refusal.

    `hover` is the cell under the pointer, `rested` whether it has stayed there; a large body is meant to stand where
    `tactical.show.bodies.aim` says.  `declared` is the way of a move that waits for an answer, `typed` the total typed
    in for its roll.
    """

    def __init__(self, table: Table, selected: str | None = None) -> None:
        self.table = table
        self.selected: str | None = None
        self.turns = 2
        self.level = 0
        self.hover: Cell | None = None
        self.waypoints: list[Cell] = []
        self.arrive: str | None = None
        self.goal: Cell | None = None
        self.rested = True
        self.declared: Route | None = None
        self.typed = ""
        self.message, self.warn = "", False
        self._odds: tuple[Any, Mapping[Cell, Fraction]] | None = None
        self._route: tuple[tuple[object, ...], Route | Refusal | None] | None = None
        if selected is not None or table.ids:
            self.select(selected if selected is not None else table.ids[0])

    # -- asking -------------------------------------------------------------------------------------------------------

    @property
    def session(self) -> Session:
        """The game."""
        return self.table.session

    @property
    def battlemap(self) -> Battlemap:
        """The map as it is now."""
        return self.table.battlemap

    @property
    def mover(self) -> Mover | None:
        """Who is selected."""
        return self.table.mover(self.selected) if self.selected else None

    @property
    def reach(self) -> Any:
        """Where the selected mover can get to, or None."""
        return self.table.reach(self.selected, self.turns) if self.selected else None

    @property
    def target(self) -> Cell | None:
        """The cell the plan leads to: under the pointer, else where a way was cut short, else the last waypoint."""
        if self.hover is not None:
            return self.hover if self.reach is None else aim(self.reach, self.hover)
        if self.goal is not None:
            return self.goal
        return self.waypoints[-1] if self.waypoints else None

    @property
    def route(self) -> Route | Refusal | None:
        """The way to the target through the waypoints, why there is none, or None where nothing is asked."""
        if self.table.pending is not None:
            return self.declared
        reach, target = self.reach, self.target
        if reach is None or target is None or target not in self.battlemap:
            return None
        via = [cell for cell in self.waypoints if cell != target]
        if target == reach.start.cell and not via and self.arrive in (None, reach.start.posture):
            return None
        if not self.rested and not via and target not in reach:
            # why not is a long question on a large map: it is asked when the pointer rests
            return Refusal("move.unreachable", {"cell": self.battlemap.name_of(target)})
        key = (reach, target, tuple(via), self.arrive)
        if self._route is None or self._route[0] != key:
            arrive = {"arrive": self.arrive} if self.arrive else {}
            self._route = (key, reach.route(target, via=tuple(via), **arrive))
        return self._route[1]

    @property
    def odds(self) -> Mapping[Cell, Fraction]:
        """The chances of success of the cells whose way needs a roll."""
        reach = self.reach
        if reach is None:
            return {}
        if self._odds is None or self._odds[0] is not reach:
            self._odds = (reach, rolls.chances(reach))
        return self._odds[1]

    def mover_at(self, cell: Cell) -> Mover | None:
        """Who stands on a cell; movers that hide from the selected one do not count."""
        for mover in self.battlemap.movers:
            hides = mover.hidden and self.mover is not None and self.mover.towards(mover) != "ally"
            if mover.at is not None and cell in self.battlemap.body(mover.at, mover.size) and not hides:
                return mover
        return None

    # -- pointing and planning ----------------------------------------------------------------------------------------

    def tell(self, message: str, *, warn: bool = False) -> None:
        """Leave a message for the status line."""
        self.message, self.warn = message, warn

    def refuse(self, reason: Refusal) -> None:
        """Tell why not."""
        self.tell(reason.text, warn=True)

    def point_at(self, cell: Cell | None) -> bool:
        """Move the pointer; True if that is another cell."""
        inside = cell if cell is not None and cell in self.battlemap else None
        changed = inside != self.hover
        self.hover = inside
        return changed

    def select(self, mover_id: str) -> None:
        """Select a mover.  Raises `UnknownName`; a mover whose stats or rules are wrong is told, not selected."""
        mover = self.table.mover(mover_id)
        before, self.selected = self.selected, mover_id
        try:
            self.table.reach(mover_id, self.turns)
        except (TacticalError, ValueError) as error:
            self.selected = before
            self.tell(str(error), warn=True)
            return
        self.forget()
        self.goal = None
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
        reach = self.reach
        if reach is None or cell not in self.battlemap:
            return
        place = aim(reach, cell)
        found = reach.route(place, via=tuple(self.waypoints))
        if isinstance(found, Refusal):
            self.refuse(found)
            return
        self.waypoints.append(place)
        self.goal = None
        self.tell(self.counted())

    def counted(self) -> str:
        """How many waypoints there are, in words."""
        count = len(self.waypoints)
        return say("waypoints" if count > 1 else "waypoint", n=count) if count else ""

    def arrive_in(self, posture: str) -> None:
        """Choose (or, chosen already, forget) the posture to arrive in."""
        if self.reach is not None and posture in self.reach.profile.postures:
            self.arrive = None if self.arrive == posture else posture

    def drop(self) -> None:
        """Drop the plan, and a number half typed."""
        if self.typed:
            self.typed = ""
            return
        self.forget()
        self.goal = None
        self.tell("")

    def forget(self) -> None:
        """Forget waypoints and the posture to arrive in."""
        self.waypoints.clear()
        self.arrive = None
