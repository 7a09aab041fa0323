"""What mouse and fingers mean: point, click, drag, draw a way, wheel, press long, pinch."""

from __future__ import annotations

from math import hypot
from time import monotonic

import pygame

from tactical.units import Cell, parse_cell
from tactical.viewer.controls import follows
from tactical.viewer.desk import Desk
from tactical.viewer.overlays.screen import Screen
from tactical.viewer.picture.camera import STEP
from tactical.viewer.playing.hand import Hand
from tactical.viewer.playing.setup import rows_in

BUDGET = 7.0
"""Milliseconds of painting a frame while the map is moved: the rest follows in the next ones."""
DRAG_FROM = 6
"""Pixels of movement that make a press a drag."""
LONG = 500
"""Milliseconds of a press with a finger that open the menu."""
WAYPOINT = pygame.KMOD_CTRL | pygame.KMOD_META


def now() -> int:
    """Milliseconds of a clock that never stands still: pygame's own counts only once all of pygame is initialised."""
    return int(monotonic() * 1000)


class Gestures:
    """Turns events of the pointer into acts.

    `mods` are the modifier keys as the events tell them: what is so when an event is handled may be long past what was
    so when it happened.  `pressed` is the button that is down, where, and with which of them; `trail` the cells that a
    drag from the selected token has been drawn over, `fingers` where fingers touch the window.  `queue` are commands
    that were given while another order was worked out, and follow it.
    """

    def __init__(self, screen: Screen, desk: Desk) -> None:
        self.screen, self.desk = screen, desk
        screen.settings = desk.settings
        self.dirty = True
        self.pressed: tuple[int, tuple[int, int], int] | None = None
        self.dragged = False
        self.trail: list[Cell] | None = None
        self.mods = 0
        self.moved_at = self.wheel_at = now()
        self.turning = False
        self.fingers: dict[int, tuple[float, float]] = {}
        self.touched_at: int | None = None
        self.queue: list[str] = []
        self._shape: int | None = None

    @property
    def hand(self) -> Hand:
        """The player's hand; another one after another map was opened."""
        return self.screen.hand

    def command(self, name: str) -> None:
        """Carry a command out."""
        self.desk.do(name)

    def playing(self) -> bool:
        """Whether a token still walks."""
        return self.screen.playback is not None and self.screen.playback.running(now())

    def quiet(self) -> None:
        """Something was done: the window is painted anew, and the tooltip waits again."""
        self.dirty, self.screen.tip, self.moved_at = True, False, now()

    def gesture(self, event: pygame.event.Event) -> bool:
        """Do what an event of mouse or finger means; False for other events."""
        if event.type == pygame.MOUSEMOTION:
            self._motion(event)
        elif event.type == pygame.MOUSEBUTTONDOWN:
            self._pressed(event)
        elif event.type == pygame.MOUSEBUTTONUP:
            self._released(event)
        elif event.type == pygame.MOUSEWHEEL:
            self._wheel(event)
        elif event.type in (pygame.FINGERDOWN, pygame.FINGERMOTION, pygame.FINGERUP):
            self._finger(event)
        else:
            return False
        return True

    # -- pointing -----------------------------------------------------------------------------------------------------

    def _motion(self, event: pygame.event.Event) -> None:
        screen = self.screen
        hint = screen.hint_at(screen.pointer)
        self.moved_at, screen.pointer = now(), event.pos
        if screen.cursor:
            screen.cursor, self.dirty = False, True
        if self.pressed is not None and self.pressed[0] in (1, 2):
            far = hypot(event.pos[0] - self.pressed[1][0], event.pos[1] - self.pressed[1][1])
            on_map = screen.on_map(self.pressed[1]) and not screen.command_at(self.pressed[1])
            if on_map and screen.menu is None and (self.dragged or far >= DRAG_FROM or self.pressed[0] == 2):
                self.dragged = True
                if self.trail is None:
                    self.move_map(*event.rel)
                    self._show("drag")
                    return
        if screen.menu is not None:
            self.dirty |= screen.menu.point(screen.command_at(event.pos))
            return
        if screen.browsing is not None:
            self.dirty |= screen.browsing.point(screen.command_at(event.pos))
            return
        changed = self.point(event.pos)
        if changed and self.trail is not None:
            self._draw_way()
        if changed or (screen.tip and screen.hint_at(event.pos) != hint):
            screen.tip, self.dirty = False, True
            if changed and self.hand.table.pending is None and not self.playing():
                screen.playback = None
        self._shape_for(event.pos)

    def point(self, pixel: tuple[int, int]) -> bool:
        """Point at what is under a pixel; True if that is another cell."""
        kind, _, cell = self.screen.command_at(pixel).partition(":")
        row = parse_cell(cell) if kind == "pinned" else None
        changed = self.hand.point_at(row or self.screen.cell_at(pixel))
        if changed:
            self.hand.rested = False
        return changed

    def move_map(self, dx: float, dy: float) -> None:
        """Shift the map by pixels."""
        self.desk.move_map(dx, dy)
        self.hand.point_at(None)
        self.screen.budget, self.dirty = BUDGET, True

    def _shape_for(self, pixel: tuple[int, int]) -> None:
        """The pointer tells what a click would do."""
        screen, hand = self.screen, self.hand
        if screen.command_at(pixel):
            self._show("button")
        elif hand.hover is None or self.desk.editor.on:
            self._show("")
        elif self._shut_door(pixel) or hand.mover_at(hand.hover) is not None:
            self._show("button")
        else:
            reach = hand.reach
            self._show("" if reach is None or hand.target in reach else "no")

    def _show(self, name: str) -> None:
        shapes = {
            "": pygame.SYSTEM_CURSOR_ARROW, "button": pygame.SYSTEM_CURSOR_HAND, "drag": pygame.SYSTEM_CURSOR_SIZEALL,
            "no": pygame.SYSTEM_CURSOR_NO, "draw": pygame.SYSTEM_CURSOR_CROSSHAIR,
        }  # fmt: skip
        if self._shape != shapes[name]:
            self._shape = shapes[name]
            try:
                pygame.mouse.set_cursor(shapes[name])
            except pygame.error:
                return  # some displays have no pointer of that shape, or none at all

    # -- drawing a way ------------------------------------------------------------------------------------------------

    def _draw_way(self) -> None:
        """The way goes where the token is dragged; drawn back over itself it grows shorter again."""
        cell, trail = self.hand.target, self.trail
        if cell is None or trail is None:
            return
        if cell in trail:
            del trail[trail.index(cell) + 1 :]
        else:
            trail.append(cell)
        self.hand.draw_way(trail)
        self._show("draw")

    def _drop(self) -> None:
        """The token is let go: it goes there, or stays where the way led back to it."""
        trail, self.trail = self.trail, None
        if trail is not None and len(trail) > 1 and self.hand.hover is not None:
            self.hand.go()
            self.desk.see()
        else:
            self.hand.resume()

    def leave(self) -> None:
        """What is worked out is not to be done any more, and nothing that was to follow it."""
        self.hand.wait_for_nothing()
        self.queue = []

    # -- buttons ------------------------------------------------------------------------------------------------------

    def _pressed(self, event: pygame.event.Event) -> None:
        self.screen.greeting = False
        if not follows(self.screen.command_at(event.pos)):
            self.leave()
        self.pressed, self.dragged, self.trail = (event.button, event.pos, self.mods), False, None
        hand, cell = self.hand, self.screen.cell_at(event.pos)
        free = not self.mods and not hand.waypoints and hand.table.pending is None and not self.desk.editor.on
        if event.button == 1 and free and cell is not None and self.desk.waits() == "":
            someone = hand.mover_at(cell)
            if someone is not None and someone.id == hand.selected:
                self.trail = [hand.table.state(someone.id).cell]

    def _released(self, event: pygame.event.Event) -> None:
        pressed, self.pressed = self.pressed, None
        if pressed is None or pressed[0] != event.button or self.dragged:
            drew = self.trail is not None and self.dragged
            self.dragged = False
            self.dirty |= self.point(event.pos)
            if drew:
                self.quiet()
                self._drop()
            return
        self.trail = None
        self.quiet()
        if event.button == 1:
            command, begun = self.screen.command_at(event.pos), self.screen.command_at(pressed[1])
            if command != begun and command.startswith("who:") and begun.startswith("who:"):
                self.desk.put_before(begun.partition(":")[2], command.partition(":")[2])
                return
            if command:
                self.command(command)
                return
        if event.button == 3 and self._on_strip(event.pos):
            return
        if self.desk.close() or self.desk.editor.on:
            return
        if self.screen.small.area.collidepoint(event.pos):
            self.screen.camera = self.screen.camera.centred(self.screen.small.point_at(event.pos))
            self.move_map(0, 0)
        elif event.button == 3 and self.screen.on_map(event.pos):
            self._other(event.pos)
        elif event.button == 1 and (cell := self.screen.cell_at(event.pos)) is not None:
            self._click(cell, event.pos, pressed[2])

    def _on_strip(self, pixel: tuple[int, int]) -> bool:
        """The other button on a place of the strip offers what it offers on the token."""
        kind, _, who = self.screen.command_at(pixel).partition(":")
        if kind != "who" or self.desk.page() or self.desk.editor.on:
            return False
        self.desk.offer(self.hand.table.state(who).cell, pixel)
        return True

    def _shut_door(self, pixel: tuple[int, int]) -> str:
        """The door under a pixel that a click opens; through an open one a click goes, as over any threshold."""
        point = self.screen.point_at(pixel)
        door = self.hand.door_at(point) or self.hand.door_at(point, near=False)
        return door if door and self.hand.shut(door) else ""

    def _click(self, cell: Cell, pixel: tuple[int, int], mods: int) -> None:
        hand = self.hand
        if mods & WAYPOINT:
            hand.add_waypoint(cell)
        elif mods & pygame.KMOD_ALT:
            hand.go_safe(cell)
        elif mods & pygame.KMOD_SHIFT:
            # on a token it is kept free, for groups
            if hand.mover_at(cell) is None:
                hand.pin(cell)
            return
        elif door := self._shut_door(pixel):
            near = hand.door_at(self.screen.point_at(pixel)) == door
            self.command(f"door:{door}" if near else f"far_door:{door}")
            return
        else:
            hand.click(cell)
        self.desk.see()

    def _other(self, pixel: tuple[int, int]) -> None:
        """The other button takes back what is planned, else offers what can be done there; it answers no question."""
        hand = self.hand
        if hand.waypoints and hand.table.pending is None:
            hand.back()
        else:
            self.desk.offer(self.screen.cell_at(pixel), pixel)

    def _wheel(self, event: pygame.event.Event) -> None:
        screen = self.screen
        at, area = screen.pointer, screen.map_area
        self.dirty = True
        if screen.help is not None:
            screen.help.first -= 3 * event.y
        elif screen.setup is not None:
            rows = screen.setup.found(self.desk.settings())
            screen.setup.scroll(-event.y, len(rows), rows_in(screen.surface.get_height() / screen.size))
        elif screen.browsing is not None:
            screen.browsing.scroll(-event.y)
        elif screen.log and screen.log_area.collidepoint(at):
            screen.log_first -= event.y
        elif screen.panel_area.collidepoint(at):
            screen.scrolled(-40 * event.y)
        else:
            about = (at[0] - area.x, at[1] - area.y) if screen.on_map(at) else None
            self._zoom(STEP ** max(-5, min(5, event.y)), about)

    def _zoom(self, factor: float, about: tuple[float, float] | None) -> None:
        screen = self.screen
        screen.menu = None
        screen.camera = screen.camera.zoomed(factor, about)
        self.move_map(0, 0)
        self.turning, screen.budget, self.wheel_at = True, 0.0, now()

    # -- fingers ------------------------------------------------------------------------------------------------------

    def _finger(self, event: pygame.event.Event) -> None:
        """One finger is a mouse (SDL tells it as one); two move and zoom the map."""
        width, height = self.screen.surface.get_size()
        at = event.x * width, event.y * height
        if event.type == pygame.FINGERUP:
            self.fingers.pop(event.finger_id, None)
            self.touched_at = None
            return
        before = dict(self.fingers)
        self.fingers[event.finger_id] = at
        if event.type == pygame.FINGERDOWN:
            self.touched_at = now() if len(self.fingers) == 1 else None
        elif hypot(event.dx * width, event.dy * height) >= DRAG_FROM:
            self.touched_at = None
        if len(self.fingers) != 2 or len(before) != 2:
            return
        self.pressed, self.trail, self.dragged = None, None, True
        (ax, ay), (bx, by) = before.values()
        (cx, cy), (dx, dy) = self.fingers.values()
        self.move_map((cx + dx - ax - bx) / 2, (cy + dy - ay - by) / 2)
        apart = hypot(bx - ax, by - ay), hypot(dx - cx, dy - cy)
        if min(apart) > 1:
            area = self.screen.map_area
            self._zoom(apart[1] / apart[0], ((cx + dx) / 2 - area.x, (cy + dy) / 2 - area.y))

    def long_press(self, at: int) -> None:
        """A finger that stays where it is opens the menu."""
        if self.touched_at is None or at - self.touched_at < LONG or not self.fingers:
            return
        self.touched_at, self.pressed = None, None
        x, y = next(iter(self.fingers.values()))
        pixel = round(x), round(y)
        if self.screen.on_map(pixel) and not self.desk.editor.on and not self.desk.page():
            self.desk.offer(self.screen.cell_at(pixel), pixel)
            self.quiet()
