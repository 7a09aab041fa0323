"""Doors in the player's hand: which one is meant, the way to it, opening and closing it."""

from __future__ import annotations

from math import hypot

from tactical.errors import Refusal
from tactical.movement.route import Route
from tactical.play.commands import Command, OpenDoor
from tactical.play.events import Accepted
from tactical.show import choices
from tactical.show.labels import say
from tactical.viewer.playing.sparing import Sparing
from tactical.world.edges.barriers import DoorState, Kind

ON_DOOR = 0.2
"""Cells from the line of a door within which a click is meant for it."""
ARM = 1.1
"""Cells from the middle of a door to who can open it."""


class Doors(Sparing):
    """What a player does with doors."""

    def _order(self, command: Command) -> Accepted | None:
        """Give an order; a refusal is told."""
        return self.granted(self.table.do(command))

    def door_at(self, point: tuple[float, float], *, near: bool = True) -> str:
        """The door that a point of the map lies on, within reach only where `near`; empty where there is none."""
        if self.selected is None or self.table.pending is not None:
            return ""
        hands_on = choices.doors_beside(self.session, self.selected) if near else ()
        for barrier in self.seen.barriers:
            wanted = barrier.id in hands_on if near else barrier.kind is Kind.DOOR
            if barrier.id and wanted and barrier.level == self.level:
                (ax, ay), (bx, by) = barrier.line
                along = (bx - ax) ** 2 + (by - ay) ** 2 or 1
                share = max(0, min(1, ((point[0] - ax) * (bx - ax) + (point[1] - ay) * (by - ay)) / along))
                off = hypot(ax + share * (bx - ax) - point[0], ay + share * (by - ay) - point[1])
                if off <= ON_DOOR:
                    return str(barrier.id)
        return ""

    def way_to_door(self, door: str) -> Route | Refusal:
        """The cheapest way this turn to where a door can be opened, or that there is none."""
        reach = self.reach
        line = next(barrier.line for barrier in self.battlemap.barriers if barrier.id == door)
        grid = self.battlemap.grid
        x, y = (line[0][0] + line[1][0]) / 2, (line[0][1] + line[1][1]) / 2
        near = []
        for cell in reach.cells():
            band = reach.band(cell)
            if cell.level == self.level and band is not None and band.turn == 1:
                cx, cy = grid.centre(cell.col, cell.row)
                if hypot(cx - x, cy - y) <= ARM:
                    near.append((reach.cost(cell), cell))
        if not near:
            return Refusal("play.door_far", {"door": choices.door_name(door), "mover": reach.mover.label})
        found: Route | Refusal = reach.route(min(near)[1])
        return found

    def use_door(self, door: str = "") -> None:
        """Open or close a door within reach: the one named, else the nearest to the pointer."""
        if self.selected is None:
            return
        near = choices.doors_beside(self.session, self.selected)
        if not door and self.hover is not None and near:
            lines = {barrier.id: barrier.line for barrier in self.battlemap.barriers}
            x, y = self.battlemap.grid.centre(self.hover.col, self.hover.row)

            def far(name: str) -> float:
                (ax, ay), (bx, by) = lines[name]
                return ((ax + bx) / 2 - x) ** 2 + ((ay + by) / 2 - y) ** 2

            near = tuple(sorted(near, key=far))
        if not door and not near:
            self.tell(say("door.none"), warn=True)
            return
        name = door or near[0]
        command = choices.door_order(self.session, self.selected, name)
        if self._order(command) is not None:
            key = "door.opened" if isinstance(command, OpenDoor) else "door.closed"
            self.tell(say(key, name=choices.door_name(name)))

    def shut(self, door: str) -> bool:
        """Whether a door is closed as far as the selected mover knows."""
        return any(one.id == door and one.state is not DoorState.OPEN for one in self.seen.barriers)
