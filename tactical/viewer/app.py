"""The window: events in, pictures out.

`run` opens it and returns when it is closed.  `App` can be driven without a display (``SDL_VIDEODRIVER=dummy``) by
posting events.  Nothing is drawn unless something changed: the loop sleeps in `pygame.event.wait`.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from importlib.metadata import PackageNotFoundError, version
from math import hypot
from pathlib import Path

from tactical.errors import TacticalError
from tactical.show.theme import Theme, load
from tactical.viewer.camera import STEP
from tactical.viewer.controls import KEYS, command_for
from tactical.viewer.hand import Hand
from tactical.viewer.labels import say
from tactical.viewer.table import Table
from tactical.world.battlemap import Battlemap

try:
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    import pygame
except ImportError as error:  # the words tell what to install; the command line turns this into exit status 3
    raise ImportError(
        "the window needs pygame: pip install 'tactical[view]' (your project uses pygame-ce? 'tactical[view-ce]')"
    ) from error

from tactical.viewer.screen import Screen
from tactical.viewer.theme import SMALLEST, WINDOW

TOOLTIP_AFTER = 150
"""Milliseconds the pointer rests before the tooltip comes."""
DRAG_FROM = 6
"""Pixels of movement that make a press a drag."""
PAN = 64
"""Pixels an arrow key moves the map."""


class NoDisplay(TacticalError):
    """No window can be opened on this machine."""


class App:
    """The window on a map.  `table` may be given instead of rules and options."""

    def __init__(
        self,
        battlemap: Battlemap,
        mover_id: str | None = None,
        *,
        rules: str | None = None,
        options: Mapping[str, object] | None = None,
        theme: Theme | None = None,
        table: Table | None = None,
        size: tuple[int, int] = WINDOW,
    ) -> None:
        try:
            pygame.display.init()
            pygame.font.init()
            surface = pygame.display.set_mode(size, pygame.RESIZABLE)
        except pygame.error as problem:
            raise NoDisplay(f"no window can be opened: {problem}") from problem
        pygame.display.set_caption(f"{battlemap.name or say('untitled')} - tactical")
        pygame.key.set_repeat(350, 60)
        self.hand = Hand(table or Table(battlemap, rules=rules, options=options), mover_id)
        self.screen = Screen(surface, self.hand, theme or load())
        self.running = self.dirty = True
        self.keys = {getattr(pygame, f"K_{name}"): name for key in KEYS for name in key.names}
        self.pressed: tuple[int, tuple[int, int]] | None = None
        self.dragged = False
        self.moved_at = 0
        if twins := _both_installed():
            self.hand.tell(twins, warn=True)

    # -- events -------------------------------------------------------------------------------------------------------

    def run(self) -> None:
        """Show the window until it is closed."""
        while self.running:
            if self.dirty:
                self.draw()
            waiting = self.hand.hover is not None and not self.screen.tip
            event = pygame.event.wait(TOOLTIP_AFTER if waiting else 1000)
            while event.type != pygame.NOEVENT:
                self.handle(event)
                event = pygame.event.poll()
            self.tick(pygame.time.get_ticks())
        pygame.display.quit()

    def tick(self, now: int) -> None:
        """Let time pass: the tooltip comes when the pointer has rested."""
        if self.hand.hover is not None and not self.screen.tip and now - self.moved_at >= TOOLTIP_AFTER:
            self.screen.tip = self.dirty = True

    def draw(self) -> None:
        """Paint the window."""
        self.dirty = False
        self.screen.draw()
        pygame.display.flip()

    def handle(self, event: pygame.event.Event) -> None:
        """React to one event."""
        if event.type == pygame.QUIT:
            self.running = False
        elif event.type == pygame.KEYDOWN:
            self._key(event)
        elif event.type == pygame.MOUSEMOTION:
            self._motion(event)
        elif event.type == pygame.MOUSEBUTTONDOWN:
            self.pressed, self.dragged = (event.button, event.pos), False
        elif event.type == pygame.MOUSEBUTTONUP:
            self._released(event)
        elif event.type == pygame.MOUSEWHEEL:
            self._wheel(event)
        elif event.type == pygame.VIDEORESIZE:
            self._resized((event.w, event.h))
        elif event.type in (pygame.VIDEOEXPOSE, pygame.WINDOWEXPOSED):
            self.dirty = True
        elif event.type == pygame.WINDOWLEAVE and self.hand.point_at(None):
            self.screen.tip, self.dirty = False, True

    def _key(self, event: pygame.event.Event) -> None:
        name = self.keys.get(event.key, "")
        held = event.mod
        ctrl = bool(held & (pygame.KMOD_CTRL | pygame.KMOD_META))
        command = command_for(name, shift=bool(held & pygame.KMOD_SHIFT), ctrl=ctrl)
        if command:
            self.command(command)

    def _motion(self, event: pygame.event.Event) -> None:
        self.moved_at, self.screen.pointer = pygame.time.get_ticks(), event.pos
        if self.pressed is not None and self.pressed[0] in (1, 2):
            far = hypot(event.pos[0] - self.pressed[1][0], event.pos[1] - self.pressed[1][1])
            on_map = self.screen.map_area.collidepoint(self.pressed[1])
            if on_map and (self.dragged or far >= DRAG_FROM or self.pressed[0] == 2):
                self.dragged = True
                self._move_map(*event.rel)
                return
        if self.hand.point_at(self.screen.cell_at(event.pos)):
            self.screen.tip, self.dirty = False, True

    def _released(self, event: pygame.event.Event) -> None:
        pressed, self.pressed = self.pressed, None
        if pressed is None or pressed[0] != event.button or self.dragged:
            self.dragged = False
            return
        self.dirty, self.screen.tip = True, False
        if self.screen.help:
            self.screen.help = False
            return
        if event.button == 1:
            for box, command in self.screen.hits:
                if box.collidepoint(event.pos):
                    self.command(command)
                    return
        cell = self.screen.cell_at(event.pos)
        if event.button == 3 and self.screen.map_area.collidepoint(event.pos):
            self.hand.back()
        elif event.button == 1 and cell is not None:
            if pygame.key.get_mods() & (pygame.KMOD_CTRL | pygame.KMOD_META):
                self.hand.add_waypoint(cell)
            else:
                self.hand.click(cell)

    def _wheel(self, event: pygame.event.Event) -> None:
        at = self.screen.pointer
        area = self.screen.map_area
        about = (at[0] - area.x, at[1] - area.y) if area.collidepoint(at) else None
        self.screen.camera = self.screen.camera.zoomed(STEP ** max(-5, min(5, event.y)), about)
        self._move_map(0, 0)

    def _resized(self, size: tuple[int, int]) -> None:
        wanted = max(size[0], SMALLEST[0]), max(size[1], SMALLEST[1])
        if wanted != self.screen.surface.get_size():
            self.screen.surface = pygame.display.set_mode(wanted, pygame.RESIZABLE)
        self.screen.camera = self.screen.camera.resized(self.screen.map_area.size)
        self.dirty = True

    def _move_map(self, dx: float, dy: float) -> None:
        battlemap = self.hand.battlemap
        size = battlemap.grid.size(battlemap.cols, battlemap.rows)
        self.screen.camera = self.screen.camera.moved(dx, dy).kept_near(*size)
        self.hand.point_at(self.screen.cell_at(self.screen.pointer))
        self.screen.tip, self.dirty = False, True

    # -- commands -----------------------------------------------------------------------------------------------------

    def command(self, name: str) -> None:
        """Carry out a command of the key table."""
        hand = self.hand
        self.dirty = True
        self.screen.tip = False
        if name == "help" or self.screen.help:
            self.screen.help = name == "help" and not self.screen.help
        elif name in ("reach", "costs", "odds", "enemy", "grid"):
            self.screen.shown = replace(self.screen.shown, **{name: not getattr(self.screen.shown, name)})
        elif name in ("legend", "explain", "measure"):
            setattr(self.screen, name, not getattr(self.screen, name))
        elif name.startswith("posture_"):
            hand.change_posture(name.removeprefix("posture_"))
        elif name in ("go_on", "stop_here", "roll", "passed", "failed"):
            hand.answer(name)
        elif name.startswith("arrive_"):
            hand.arrive_in(name.removeprefix("arrive_"))
        elif name in ("next", "previous"):
            hand.step_selection(1 if name == "next" else -1)
            self.screen.show_selected()
        elif name in ("zoom_in", "zoom_out"):
            self.screen.camera = self.screen.camera.zoomed(STEP if name == "zoom_in" else 1 / STEP)
            self._move_map(0, 0)
        elif name in ("left", "right", "up", "down"):
            dx, dy = {"left": (PAN, 0), "right": (-PAN, 0), "up": (0, PAN), "down": (0, -PAN)}[name]
            self._move_map(dx, dy)
        elif name in ("level_up", "level_down"):
            hand.change_level(1 if name == "level_up" else -1)
        elif name == "fit":
            self.screen.fit()
        elif name == "picture":
            self.save_picture()
        elif name == "quit":
            self.running = False
        else:
            {
                "go": hand.go, "back": hand.back, "drop": hand.drop, "undo": hand.undo, "redo": hand.redo,
                "do": hand.do_next, "reset": hand.reset, "turns": hand.look_ahead, "disengage": hand.disengage,
            }[name]()  # fmt: skip

    def save_picture(self) -> Path | None:
        """Write what is shown as a PNG beside the map's file, never over another one; returns where."""
        from tactical.show.drawers.raster import draw
        from tactical.show.scene import scene

        hand = self.hand
        source = Path(hand.battlemap.source) if hand.battlemap.source else None
        folder = source.parent if source is not None and source.exists() else Path()
        stem = source.stem if source is not None and source.stem else "map"
        reach = hand.reach if self.screen.shown.reach else None
        shown = self.screen.shown
        picture = scene(
            hand.battlemap, reach, hand.route, target=hand.target, level=hand.level,
            costs=shown.costs, enemy=shown.enemy, grid=shown.grid, odds=hand.odds if shown.odds else None,
        )  # fmt: skip
        data = draw(picture, theme=self.screen.theme)
        number = 1
        while (path := folder / f"{stem}-{number}.png").exists():
            number += 1
        try:
            path.write_bytes(data)
        except OSError as problem:
            hand.tell(say("not_saved", why=problem.strerror or str(problem)), warn=True)
            return None
        hand.tell(say("saved", path=path))
        return path


def _both_installed() -> str:
    """A warning if pygame and pygame-ce overwrite each other, else an empty string."""
    found = []
    for name in ("pygame", "pygame-ce"):
        try:
            found.append(f"{name} {version(name)}")
        except PackageNotFoundError:
            continue
    if len(found) < 2:
        return ""
    return f"{' and '.join(found)} are both installed and overwrite each other: uninstall both, then install one"


def run(
    battlemap: Battlemap,
    mover_id: str | None = None,
    *,
    rules: str | None = None,
    options: Mapping[str, object] | None = None,
    theme: Theme | None = None,
) -> None:
    """Open a map in a window and return when it is closed.

    Raises `UnknownName` for a mover or rules that do not exist, `NoDisplay` where no window can be opened.
    """
    App(battlemap, mover_id, rules=rules, options=options, theme=theme).run()
