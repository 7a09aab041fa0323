"""What the player has in hand: who is selected, where the pointer is, the plan, and what became of the last order.

Knows no pygame and no pixels: every act of mouse or keyboard is a method here, and can be tested as one.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from tactical.errors import Refusal, TacticalError
from tactical.movement.route import Route
from tactical.play.events import Accepted, Ended, FellShort, Halted, PostureChanged
from tactical.units import Cell, show
from tactical.viewer import brief
from tactical.viewer.labels import LABELS, say
from tactical.viewer.table import Table
from tactical.world.battlemap import Battlemap
from tactical.world.mover import Mover

AHEAD = 3
"""Most turns to look ahead."""


class Hand:
    """The player's hand at a table.  `message` is what to tell, `warn` whether it is a refusal."""

    def __init__(self, table: Table, selected: str | None = None) -> None:
        self.table = table
        self.selected: str | None = None
        self.turns = 2
        self.level = 0
        self.hover: Cell | None = None
        self.waypoints: list[Cell] = []
        self.arrive: str | None = None
        self.goal: Cell | None = None
        self.message, self.warn = "", False
        self._odds: tuple[Any, dict[Cell, Fraction]] | None = None
        self._route: tuple[tuple[object, ...], Route | Refusal | None] | None = None
        if selected is not None or table.ids:
            self.select(selected if selected is not None else table.ids[0])

    # -- asking -------------------------------------------------------------------------------------------------------

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
        """The cell the plan leads to: under the pointer, else the last waypoint, else where a way was cut short."""
        if self.hover is not None:
            return self.hover
        if self.waypoints:
            return self.waypoints[-1]
        return self.goal

    @property
    def route(self) -> Route | Refusal | None:
        """The way to the target through the waypoints, why there is none, or None where nothing is asked."""
        reach, target = self.reach, self.target
        if self.table.pending is not None:
            return None
        if reach is None or target is None or target not in self.battlemap:
            return None
        via = [cell for cell in self.waypoints if cell != target]
        if target == reach.start.cell and not via and self.arrive in (None, reach.start.posture):
            return None
        key = (id(reach), target, tuple(via), self.arrive)
        if self._route is None or self._route[0] != key:
            arrive = {"arrive": self.arrive} if self.arrive else {}
            self._route = (key, reach.route(target, via=tuple(via), **arrive))
        return self._route[1]

    @property
    def odds(self) -> dict[Cell, Fraction]:
        """The chances of success of the cells whose way needs a roll."""
        reach = self.reach
        if reach is None:
            return {}
        if self._odds is None or self._odds[0] is not reach:
            self._odds = (reach, brief.chances(reach))
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
        self._drop()
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
        found = reach.route(cell, via=tuple(self.waypoints))
        if isinstance(found, Refusal):
            self.tell(found.text, warn=True)
            return
        self.waypoints.append(cell)
        self.tell(say("waypoints", n=len(self.waypoints)))

    def back(self) -> None:
        """Take the last waypoint back; without one drop the plan; a move that waits for an attack ends here."""
        if self.table.pending is not None and self.table.pending.what == "attack":
            self.answer("stop_here")
        elif self.waypoints:
            self.waypoints.pop()
            self.tell(say("waypoints", n=len(self.waypoints)) if self.waypoints else "")
        else:
            self._drop()

    def drop(self) -> None:
        """Drop the plan."""
        self._drop()
        self.goal = None
        self.tell("")

    def _drop(self) -> None:
        self.waypoints.clear()
        self.arrive = None

    # -- acting -------------------------------------------------------------------------------------------------------

    def click(self, cell: Cell) -> None:
        """Select who stands there, or go there."""
        if cell not in self.battlemap:
            return
        if self.table.pending is not None:
            self.tell(say("waiting"), warn=True)
            return
        someone = self.mover_at(cell)
        if someone is not None and someone.id != self.selected and not self.waypoints:
            self.select(someone.id)
            return
        self.hover = cell
        self.go()

    def go(self) -> None:
        """Carry out the way that is shown; while a move waits, let it go on (or roll its dice)."""
        if self.table.pending is not None:
            self.answer("go_on" if self.table.pending.what == "attack" else "roll")
            return
        route = self.route
        if isinstance(route, Refusal):
            self.tell(route.text, warn=True)
        elif route is not None and self.selected is not None:
            goal = route.end.cell
            done = self.table.go(self.selected, route)
            if isinstance(done, Refusal):
                self.tell(done.text, warn=True)
                return
            self._drop()
            self.goal = goal if route.turn > 1 else None
            self._moved(done)

    def answer(self, how: str) -> None:
        """Answer a move that waits: ``go_on``, ``stop_here``, ``roll``, ``passed`` or ``failed``."""
        done = self.table.answer(how)
        if isinstance(done, Refusal):
            self.tell(done.text, warn=True)
        else:
            self._moved(done)

    def _moved(self, done: Accepted) -> None:
        """Tell what became of a move."""
        told = self.table.told(done)
        for event in done.of(Ended):
            if isinstance(event, Ended):
                reach = self.table.reach(event.mover)
                names = {"name": self.table.mover(event.mover).label, "cell": self.battlemap.name_of(event.cell)}
                ended = say("moved", cost=show(event.cost), unit=reach.unit, **names)
                if self.goal is not None and event.cell != self.goal:
                    ended = say("moved_part", goal=self.battlemap.name_of(self.goal), **names)
                told = f"{told}; {ended}" if told else ended
        self.tell(told, warn=bool(done.of(FellShort) or done.of(Halted)))
        if self.selected is not None:
            self.level = self.table.state(self.selected).cell.level

    def change_posture(self, posture: str) -> None:
        """Take a posture on the spot; with waypoints set it is the posture to arrive in."""
        if self.waypoints:
            self.arrive_in(posture)
            return
        if self.selected is None or posture == self.table.state(self.selected).posture:
            return
        if posture not in self.reach.profile.postures:
            return
        done = self.table.change_posture(self.selected, posture)
        if isinstance(done, Refusal):
            self.tell(done.text, warn=True)
            return
        cost = sum((event.cost for event in done if isinstance(event, PostureChanged)), Fraction(0))
        price = f"{show(cost)} {self.reach.unit}" if cost else say("free")
        name = self.table.mover(self.selected).label
        self.tell(say("posture_changed", name=name, posture=LABELS.get(posture, posture), price=price))

    def disengage(self) -> None:
        """Spend the action on leaving enemies without being struck."""
        if self.selected is not None:
            done = self.table.disengage(self.selected)
            name = self.table.mover(self.selected).label
            self.tell(say("disengaged", name=name) if done else done.text, warn=not done)

    def arrive_in(self, posture: str) -> None:
        """Choose (or, chosen already, forget) the posture to arrive in."""
        if self.reach is not None and posture in self.reach.profile.postures:
            self.arrive = None if self.arrive == posture else posture

    def do_next(self) -> None:
        """Carry the plan out; without waypoints end the turn.  A move that waits goes on first."""
        if self.waypoints or self.table.pending is not None:
            hover, self.hover = self.hover, None
            self.go()
            self.hover = hover
        elif self.selected is not None:
            done = self.table.end_turn(self.selected)
            if isinstance(done, Refusal):
                self.tell(done.text, warn=True)
                return
            self._drop()
            active = self.table.session.active
            if active and active != self.selected:
                self.select(active)
            self.tell(say("turn_ended", n=self.table.turn(self.selected).turn))

    def undo(self) -> None:
        """Take the last order back."""
        self._back_and_forth(self.table.undo())

    def redo(self) -> None:
        """Do it again."""
        self._back_and_forth(self.table.redo())

    def reset(self) -> None:
        """Take back everything since the turn began."""
        self._back_and_forth(self.table.reset())

    def _back_and_forth(self, done: Accepted | Refusal) -> None:
        if isinstance(done, Refusal):
            self.tell(done.text, warn=True)
            return
        self._drop()
        self.goal = None
        self.tell("")
        if self.selected is not None:
            self.level = self.table.state(self.selected).cell.level

    def look_ahead(self) -> None:
        """One, two, three turns ahead, and one again."""
        self.turns = self.turns % AHEAD + 1
        self.tell(say("turns_ahead", n=self.turns))

    def change_level(self, by: int) -> None:
        """Look at the floor above or below."""
        if 0 <= self.level + by < len(self.battlemap.levels):
            self.level += by
            self.hover = None
            self.tell(say("level", name=self.battlemap.levels[self.level].name))
        else:
            self.tell(say("no_more_levels"), warn=True)
