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
from typing import Any

from tactical.errors import Refusal, TacticalError
from tactical.movement.route import Route
from tactical.show.theme import Theme, load
from tactical.units import Cell, show
from tactical.viewer.camera import STEP, Camera
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

from tactical.viewer import bars, brief
from tactical.viewer.layer import MapLayer, Shown
from tactical.viewer.panel import Page, Panel
from tactical.viewer.theme import PANEL, SMALLEST, STATUS, TOP, WINDOW, Pen

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
        pygame.display.init()
        pygame.font.init()
        try:
            self.screen = pygame.display.set_mode(size, pygame.RESIZABLE)
        except pygame.error as problem:
            raise NoDisplay(f"no window can be opened: {problem}") from problem
        pygame.display.set_caption(f"{battlemap.name or say('untitled')} - tactical")
        pygame.key.set_repeat(350, 60)
        self.hand = Hand(table or Table(battlemap, rules=rules, options=options), mover_id)
        self.theme = theme or load()
        self.pen = Pen(self.theme)
        self.layer = MapLayer(self.theme, self.pen.kit)
        self.panel = Panel(self.pen)
        self.shown = Shown()
        self.legend = self.running = self.dirty = True
        self.explain = self.help = self.tip = self.measure = False
        self.hits: list[tuple[pygame.Rect, str]] = []
        self.keys = {getattr(pygame, f"K_{name}"): name for key in KEYS for name in key.names}
        self.pressed: tuple[int, tuple[int, int]] | None = None
        self.dragged = False
        self.moved_at = 0
        self.page: tuple[Page, tuple[int, int]] | None = None
        self.page_surface: pygame.Surface | None = None
        self.camera = Camera(self.map_area.size)
        self.fit()
        if twins := _both_installed():
            self.hand.tell(twins, warn=True)

    # -- geometry -----------------------------------------------------------------------------------------------------

    @property
    def map_area(self) -> pygame.Rect:
        """The part of the window that shows the map."""
        width, height = self.screen.get_size()
        return pygame.Rect(0, TOP, max(50, width - PANEL), max(50, height - TOP - STATUS))

    def fit(self) -> None:
        """The whole map in the window."""
        battlemap = self.hand.battlemap
        self.camera = self.camera.fitted(*battlemap.grid.size(battlemap.cols, battlemap.rows))
        mover = self.hand.mover
        if self.camera.scale < 12 and mover is not None and mover.at is not None:
            # too large to read as a whole: begin where the mover stands
            middle = battlemap.grid.centre(mover.at.col, mover.at.row)
            self.camera = replace(self.camera, scale=24.0).centred(middle)

    def cell_at(self, pixel: tuple[int, int]) -> Cell | None:
        """The cell of the map under a pixel of the window."""
        area = self.map_area
        if not area.collidepoint(pixel):
            return None
        cell = self.camera.cell(self.hand.battlemap.grid, (pixel[0] - area.x, pixel[1] - area.y), self.hand.level)
        return cell if cell in self.hand.battlemap else None

    def pixel_of(self, cell: Cell) -> tuple[int, int]:
        """The middle of a cell in pixels of the window."""
        x, y = self.camera.pixel(self.hand.battlemap.grid.centre(cell.col, cell.row))
        area = self.map_area
        return round(x + area.x), round(y + area.y)

    # -- events -------------------------------------------------------------------------------------------------------

    def run(self) -> None:
        """Show the window until it is closed."""
        while self.running:
            if self.dirty:
                self.draw()
            waiting = self.hand.hover is not None and not self.tip
            event = pygame.event.wait(TOOLTIP_AFTER if waiting else 1000)
            while event.type != pygame.NOEVENT:
                self.handle(event)
                event = pygame.event.poll()
            self.tick(pygame.time.get_ticks())
        pygame.display.quit()

    def tick(self, now: int) -> None:
        """Let time pass: the tooltip comes when the pointer has rested."""
        if self.hand.hover is not None and not self.tip and now - self.moved_at >= TOOLTIP_AFTER:
            self.tip = self.dirty = True

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
            self.tip, self.dirty = False, True

    def _key(self, event: pygame.event.Event) -> None:
        name = self.keys.get(event.key, "")
        held = event.mod
        ctrl = bool(held & (pygame.KMOD_CTRL | pygame.KMOD_META))
        command = command_for(name, shift=bool(held & pygame.KMOD_SHIFT), ctrl=ctrl)
        if command:
            self.command(command)

    def _motion(self, event: pygame.event.Event) -> None:
        self.moved_at = pygame.time.get_ticks()
        if self.pressed is not None and self.pressed[0] in (1, 2):
            far = hypot(event.pos[0] - self.pressed[1][0], event.pos[1] - self.pressed[1][1])
            on_map = self.map_area.collidepoint(self.pressed[1])
            if on_map and (self.dragged or far >= DRAG_FROM or self.pressed[0] == 2):
                self.dragged = True
                self._move_map(*event.rel)
                return
        if self.hand.point_at(self.cell_at(event.pos)):
            self.tip, self.dirty = False, True

    def _released(self, event: pygame.event.Event) -> None:
        pressed, self.pressed = self.pressed, None
        if pressed is None or pressed[0] != event.button or self.dragged:
            self.dragged = False
            return
        self.dirty, self.tip = True, False
        if self.help:
            self.help = False
            return
        if event.button == 1:
            for box, command in self.hits:
                if box.collidepoint(event.pos):
                    self.command(command)
                    return
        cell = self.cell_at(event.pos)
        if event.button == 3 and self.map_area.collidepoint(event.pos):
            self.hand.back()
        elif event.button == 1 and cell is not None:
            if pygame.key.get_mods() & (pygame.KMOD_CTRL | pygame.KMOD_META):
                self.hand.add_waypoint(cell)
            else:
                self.hand.click(cell)

    def _wheel(self, event: pygame.event.Event) -> None:
        at = pygame.mouse.get_pos()
        area = self.map_area
        about = (at[0] - area.x, at[1] - area.y) if area.collidepoint(at) else None
        self.camera = self.camera.zoomed(STEP ** max(-5, min(5, event.y)), about)
        self._move_map(0, 0)

    def _resized(self, size: tuple[int, int]) -> None:
        wanted = max(size[0], SMALLEST[0]), max(size[1], SMALLEST[1])
        if wanted != self.screen.get_size():
            self.screen = pygame.display.set_mode(wanted, pygame.RESIZABLE)
        self.camera = self.camera.resized(self.map_area.size)
        self.dirty = True

    def _move_map(self, dx: float, dy: float) -> None:
        battlemap = self.hand.battlemap
        size = battlemap.grid.size(battlemap.cols, battlemap.rows)
        self.camera = self.camera.moved(dx, dy).kept_near(*size)
        self.hand.point_at(self.cell_at(pygame.mouse.get_pos()))
        self.tip, self.dirty = False, True

    # -- commands -----------------------------------------------------------------------------------------------------

    def command(self, name: str) -> None:
        """Carry out a command of the key table."""
        hand = self.hand
        self.dirty = True
        self.tip = False
        if name == "help" or self.help:
            self.help = name == "help" and not self.help
        elif name in ("reach", "costs", "enemy", "grid"):
            self.shown = replace(self.shown, **{name: not getattr(self.shown, name)})
        elif name in ("legend", "explain", "measure"):
            setattr(self, name, not getattr(self, name))
        elif name.startswith("posture_"):
            hand.change_posture(name.removeprefix("posture_"))
        elif name.startswith("arrive_"):
            hand.arrive_in(name.removeprefix("arrive_"))
        elif name in ("next", "previous"):
            hand.step_selection(1 if name == "next" else -1)
            self._show_selected()
        elif name in ("zoom_in", "zoom_out"):
            self.camera = self.camera.zoomed(STEP if name == "zoom_in" else 1 / STEP)
            self._move_map(0, 0)
        elif name in ("left", "right", "up", "down"):
            dx, dy = {"left": (PAN, 0), "right": (-PAN, 0), "up": (0, PAN), "down": (0, -PAN)}[name]
            self._move_map(dx, dy)
        elif name in ("level_up", "level_down"):
            hand.change_level(1 if name == "level_up" else -1)
        elif name == "fit":
            self.fit()
        elif name == "picture":
            self.save_picture()
        elif name == "quit":
            self.running = False
        else:
            {
                "go": hand.go, "back": hand.back, "drop": hand.drop, "undo": hand.undo, "redo": hand.redo,
                "do": hand.do_next, "reset": hand.reset, "turns": hand.look_ahead,
            }[name]()  # fmt: skip

    def _show_selected(self) -> None:
        mover = self.hand.mover
        if mover is not None and mover.at is not None:
            middle = self.hand.battlemap.grid.centre(mover.at.col, mover.at.row)
            if not self.camera.sees(middle):
                self.camera = self.camera.centred(middle)

    def save_picture(self) -> Path | None:
        """Write what is shown as a PNG beside the map's file, never over another one; returns where."""
        from tactical.show.drawers.raster import draw
        from tactical.show.scene import scene

        hand = self.hand
        source = Path(hand.battlemap.source) if hand.battlemap.source else None
        folder = source.parent if source is not None and source.exists() else Path()
        stem = source.stem if source is not None and source.stem else "map"
        reach = hand.reach if self.shown.reach else None
        look = {"costs": self.shown.costs, "enemy": self.shown.enemy, "grid": self.shown.grid, "level": hand.level}
        data = draw(scene(hand.battlemap, reach, hand.route, target=hand.target, **look), theme=self.theme)  # type: ignore[arg-type]
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

    # -- drawing ------------------------------------------------------------------------------------------------------

    def draw(self) -> None:
        """Paint the window."""
        hand, area = self.hand, self.map_area
        self.dirty = False
        self.shown = replace(self.shown, level=hand.level)
        reach, route = hand.reach, hand.route
        part = self.screen.subsurface(area)
        self.layer.draw(
            part, self.camera, hand.battlemap, reach, route,
            shown=self.shown, selected=hand.selected, target=hand.target, waypoints=hand.waypoints,
        )  # fmt: skip
        self.hits = [*self._draw_top(), *self._draw_panel(reach, route)]
        words = self._cell_words(reach)
        self._draw_status(reach, route, words)
        if self.tip and hand.hover is not None and words and not self.help:
            x, y = pygame.mouse.get_pos()
            refused = isinstance(route, Refusal)
            bars.tooltip(part, self.pen, words, (x - area.x, y - area.y), refused=refused)
        if self.help:
            bars.help_page(self.screen, self.pen)
        pygame.display.flip()

    def _draw_top(self) -> list[tuple[pygame.Rect, str]]:
        hand, battlemap = self.hand, self.hand.battlemap
        toggles = (
            bars.Toggle("reach", say("toggle.reach"), self.shown.reach),
            bars.Toggle("costs", say("toggle.costs"), self.shown.costs),
            bars.Toggle("enemy", say("toggle.enemy"), self.shown.enemy),
            bars.Toggle("turns", say("toggle.turns", n=hand.turns), hand.turns > 1),
        )
        shape = say("squares" if battlemap.grid.name == "square" else "hexes")
        about = [say("cells", side=show(battlemap.cell), unit=battlemap.unit, shape=shape)]
        turn = ""
        if hand.selected is not None:
            reach = hand.reach
            from tactical.rules.ruleset import get_ruleset

            title = get_ruleset(reach.ruleset).title if hasattr(reach, "query") else ""
            about = [say("rules", title=title), *about] if title else about
            if hasattr(reach, "query") and battlemap.grid.name == "square":
                about.append(say(f"diagonal.{reach.options['diagonal']}"))
            mover = hand.table.mover(hand.selected)
            turn = say("turn", n=hand.table.turn(hand.selected).turn, name=mover.label)
        bar = self.screen.subsurface((0, 0, self.screen.get_width(), TOP))
        name = battlemap.name or say("untitled")
        return bars.top_bar(bar, self.pen, name, "  ·  ".join(about), toggles, turn, self.map_area.width)

    def _draw_panel(self, reach: Any, route: Route | Refusal | None) -> list[tuple[pygame.Rect, str]]:
        height = self.screen.get_height() - TOP
        page = self._page(reach, route if isinstance(route, Route) else None)
        if self.page != (page, (PANEL, height)) or self.page_surface is None:
            self.page_surface = pygame.Surface((PANEL, height)).convert()
            self.panel.draw(self.page_surface, page)
            self.page = (page, (PANEL, height))
        left = self.screen.get_width() - PANEL
        self.screen.blit(self.page_surface, (left, TOP))
        return [(box.move(left, TOP), command) for box, command in self.panel.hits]

    def _page(self, reach: Any, route: Route | None) -> Page:
        """What the panel says now."""
        hand = self.hand
        mover = hand.mover
        entries = self.layer.legend(hand.battlemap, reach, self.shown) if self.legend else ()
        if mover is None or reach is None or hand.selected is None:
            return Page(entries=entries, legend=self.legend)
        profile = getattr(reach, "profile", None)
        buttons = brief.postures(profile, reach.start.posture, hand.arrive) if profile is not None else ()
        clauses: tuple[str, ...] = ()
        if route is not None:
            clauses = tuple(dict.fromkeys(str(line.source) for line in route.ledger() if str(line.source)))
        return Page(
            mover.label,
            "mover:self",
            reach.start.posture,
            profile.summary if profile is not None else "",
            buttons,
            brief.budget(reach, route, hand.table.turn(hand.selected).spent),
            brief.reasons(route, reach.bands) if route is not None else (),
            "  ".join(clauses),
            brief.notes(hand.battlemap, reach, route) if route is not None else (),
            entries,
            self.explain,
            self.legend,
            max(1, sum(band.turn == 1 for band in reach.bands)),
        )

    def _cell_words(self, reach: Any) -> tuple[str, ...]:
        hand = self.hand
        if hand.hover is None:
            return ()
        why = None
        if reach is not None and reach.band(hand.hover) is None and hand.hover != reach.start.cell:
            refusal = hand.route
            why = refusal if isinstance(refusal, Refusal) else None
        words = brief.cell_words(hand.battlemap, reach, hand.hover, why)
        mover = hand.mover
        if self.measure and mover is not None and mover.at is not None:
            words = (*words, self._measured(mover.at, hand.hover))
        return words

    def _measured(self, a: Cell, b: Cell) -> str:
        battlemap = self.hand.battlemap
        (x0, y0), (x1, y1) = (battlemap.grid.centre(cell.col, cell.row) for cell in (a, b))
        length = hypot(x1 - x0, y1 - y0)
        feet = f"{length * float(battlemap.cell):.1f}".rstrip("0").rstrip(".")
        return say("status.measure", cells=f"{length:.1f}".rstrip("0").rstrip("."), length=feet, unit=battlemap.unit)

    def _draw_status(self, reach: Any, route: Route | Refusal | None, words: tuple[str, ...]) -> None:
        hand, height = self.hand, self.screen.get_height()
        bar = self.screen.subsurface((0, height - STATUS, self.map_area.width, STATUS))
        used = brief.rulings(route) if isinstance(route, Route) else ()
        second = hand.message or "    ".join(say("ruling", id=name) for name in used)
        right = ""
        if reach is not None and hasattr(reach, "stats"):
            states, seconds = reach.stats
            right = say("stats", states=states, ms=f"{seconds * 1000:.0f}")
        bars.status_bar(bar, self.pen, words, second, right, warn=hand.warn)


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
