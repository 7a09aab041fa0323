"""The screen: what is painted where, and the state of looking (camera, toggles, text size) that goes with it."""

from __future__ import annotations

from dataclasses import replace
from math import hypot
from typing import Any

import pygame

from tactical.errors import Refusal
from tactical.movement.chances import weighed
from tactical.movement.route import Route
from tactical.rules.ruleset import get_ruleset
from tactical.show import brief
from tactical.show.choices import Choice
from tactical.show.drawers.raster.canvas import Kit
from tactical.show.drawers.raster.sheet import measure, paint_sheet
from tactical.show.labels import say
from tactical.show.panel import PANEL, Moment, Page, lay_out, orders_of, page_of
from tactical.show.scene.scene import percent
from tactical.show.scene.shapes import Shape
from tactical.show.sheet import Sheet
from tactical.show.theme import Theme
from tactical.units import Cell, show
from tactical.viewer import bars
from tactical.viewer.camera import Camera
from tactical.viewer.hand import Hand
from tactical.viewer.journal import drawer, journal
from tactical.viewer.layer import MapLayer, Shown
from tactical.viewer.look import Editing, Moved, Same
from tactical.viewer.playback import Playback
from tactical.viewer.rulers import paint_rulers
from tactical.viewer.theme import STATUS, TOP
from tactical.viewer.turns import STRIP, round_of, strip, turns, used_up

READABLE = 12
"""Pixels a cell below which a whole map is not worth showing at the start."""

Orders = tuple[tuple[Choice, ...], tuple[Choice, ...]]
Rows = tuple[tuple[str, str, str], ...]


class Screen:
    """The window's surface and how the map is looked at.

    `shown` are the toggles of the map; `legend`, `explain`, `help`, `measure` what is open; `tip` whether the pointer
    has rested, `timed` whether the time of a search is told; `hits` the boxes that can be clicked, with their
    commands, `hints` those that have something to say; `onward` what the button of Space said when it was painted.
    `size` is the text size: everything in the frame is so many times as large.
    """

    def __init__(self, surface: pygame.Surface, hand: Hand, theme: Theme, size: float = 1.0) -> None:
        self.surface, self.hand, self.theme, self.size = surface, hand, theme, size
        self.kit = Kit()
        self.layer = MapLayer(theme, self.kit)
        self.shown = Shown(odds=hand.rolled_for)
        self.legend = self.timed = self.rulers = True
        self.explain = self.help = self.tip = self.measure = self.log = False
        self.reckoning = False
        self.log_first, self.log_area = 0, pygame.Rect(0, 0, 0, 0)
        self.budget: float | None = None
        self.hits: list[tuple[pygame.Rect, str]] = []
        self.hints: list[tuple[pygame.Rect, str]] = []
        self.pointer = (0, 0)
        self.scroll = 0
        self.rows: tuple[str, str, Rows, bool] | None = None
        self.playback: Playback | None = None
        self.editing: Editing | None = None
        self.now = 0.0
        self.onward: str | None = None
        self._page: tuple[tuple[object, ...], Sheet, pygame.Surface] | None = None
        self._used: tuple[object, bool] | None = None
        self._orders: tuple[tuple[object, ...], Orders] | None = None
        self.camera = self._fitted = Camera(self.map_area.size)
        self.fit()

    # -- geometry -----------------------------------------------------------------------------------------------------

    @property
    def map_area(self) -> pygame.Rect:
        """The part of the window that shows the map."""
        width, height = self.surface.get_size()
        panel, top, status = (round(part * self.size) for part in (PANEL, TOP, STATUS + STRIP))
        return pygame.Rect(0, top, max(50, width - panel), max(50, height - top - status))

    @property
    def panel_area(self) -> pygame.Rect:
        """The part of the window that shows the panel."""
        area = self.map_area
        width, height = self.surface.get_size()
        return pygame.Rect(area.right, area.y, width - area.right, height - area.y)

    def fit(self, *, whole: bool = False) -> None:
        """The whole map in the window; one too large to be read only where the `whole` is asked for.

        Asked for again, it is the selected mover.
        """
        battlemap = self.hand.battlemap
        before, mover = self.camera, self.hand.mover
        size = battlemap.grid.size(battlemap.cols, battlemap.rows)
        self.camera = Camera(self.map_area.size).fitted(*size)
        if self.rulers and self.camera.scale >= READABLE:
            self.camera = Camera(self.map_area.size).fitted(*size, 52 * self.size / self.camera.scale)
        self._fitted = self.camera
        small = self.camera == before if whole else self.camera.scale < READABLE
        if small and mover is not None and mover.at is not None:
            # too large to read as a whole: begin where the mover stands
            middle = battlemap.grid.centre(mover.at.col, mover.at.row)
            self.camera = replace(self.camera, scale=max(24.0, self.camera.scale)).centred(middle)

    def refit(self) -> None:
        """After the window has another size: a map that filled it fills it again, else it keeps its place."""
        if self.camera == self._fitted:
            self.fit(whole=True)
        else:
            self.camera = self.camera.resized(self.map_area.size)

    def resize_text(self, size: float) -> None:
        """Another text size; the map keeps its place."""
        self.size, self._page = size, None
        self.refit()

    def cell_at(self, pixel: tuple[int, int]) -> Cell | None:
        """The cell of the map under a pixel of the window."""
        area = self.map_area
        if not area.collidepoint(pixel) or (self.log and self.log_area.collidepoint(pixel)):
            return None
        cell = self.camera.cell(self.hand.battlemap.grid, (pixel[0] - area.x, pixel[1] - area.y), self.hand.level)
        return cell if cell in self.hand.battlemap else None

    def point_at(self, pixel: tuple[int, int]) -> tuple[float, float]:
        """The point of the map under a pixel of the window."""
        area = self.map_area
        return self.camera.point((pixel[0] - area.x, pixel[1] - area.y))

    def pixel_of(self, cell: Cell) -> tuple[int, int]:
        """The middle of a cell in pixels of the window."""
        x, y = self.camera.pixel(self.hand.battlemap.grid.centre(cell.col, cell.row))
        area = self.map_area
        return round(x + area.x), round(y + area.y)

    def show_selected(self) -> None:
        """Bring the selected mover into sight."""
        mover = self.hand.mover
        if mover is not None and mover.at is not None:
            middle = self.hand.battlemap.grid.centre(mover.at.col, mover.at.row)
            if not self.camera.sees(middle):
                self.camera = self.camera.centred(middle)

    def look_at(self, cell: Cell) -> None:
        """Bring a cell into the middle, on its floor."""
        self.hand.level = cell.level
        self.camera = self.camera.centred(self.hand.battlemap.grid.centre(cell.col, cell.row))

    def command_at(self, pixel: tuple[int, int]) -> str:
        """The command of the button under a pixel, or an empty string."""
        return next((command for box, command in reversed(self.hits) if box.collidepoint(pixel)), "")

    def hint_at(self, pixel: tuple[int, int]) -> str:
        """What a button under a pixel has to say."""
        return next((words for box, words in reversed(self.hints) if box.collidepoint(pixel)), "")

    def scrolled(self, by: int) -> None:
        """Move the panel up or down."""
        if self._page is not None:
            room = self._page[2].get_height() - self.panel_area.height
            self.scroll = max(0, min(room, self.scroll + by))

    # -- drawing ------------------------------------------------------------------------------------------------------

    def draw(self) -> None:
        """Paint the window."""
        hand, area = self.hand, self.map_area
        self.shown = replace(self.shown, level=hand.level)
        hand.referee = self.shown.referee
        reach, route = hand.reach, hand.route
        part = self.surface.subsurface(area)
        extra, moved, walking = self._played()
        self.layer.draw(
            part, self.camera, hand.battlemap, reach, None if walking else route,
            shown=self.shown, target=hand.target, waypoints=hand.waypoints,
            odds=hand.odds if self.shown.odds else None,
            known=hand.table.known(hand.selected) if hand.selected else None,
            extra=extra, moved=moved, budget=self.budget, other=self._pointed(),
            chance=percent(hand.chance) if self.shown.odds and not walking and hand.chance is not None else "",
        )  # fmt: skip
        if self.rulers:
            paint_rulers(part, self.theme, self.kit, self.camera, hand, self.size)
        if self.editing is not None:
            self.editing.paint(part, self.camera)
        self.hits, self.hints = [], []
        self._draw_top()
        self._draw_panel(reach, route)
        words = self.cell_words(reach)
        self._draw_status(reach, route, words)
        self._draw_strip(reach)
        if self.log and not self.help and self.rows is None:
            self._draw_log()
        if self.help:
            self._over(bars.help_page(measure(self.kit, self.size), self.surface.get_width() / self.size))
        elif self.rows is not None:
            title, second, rows, bad = self.rows
            wide = self.surface.get_width() / self.size
            self._over(bars.list_page(measure(self.kit, self.size), wide, title, second, rows, bad=bad))
        elif self.tip:
            self._draw_tip(words, route)

    def _pointed(self) -> Any:
        """The reach of somebody else whose token the pointer rests on."""
        hand = self.hand
        someone = hand.mover_at(hand.hover) if hand.hover is not None and hand.rested else None
        return hand.table.reach(someone.id, 1) if someone is not None and someone.id != hand.selected else None

    def _played(self) -> tuple[list[Shape], Moved | None, bool]:
        """What a playback adds to the map, and whether its token still walks."""
        if self.playback is None:
            return [], None, False
        walking = self.playback.running(self.now)
        if not walking and not self.playback.failed:
            return [], None, False
        extra = self.playback.shapes(self.now, self.hand.level)
        if not walking:
            return extra, None, self.playback.failed and self.hand.table.pending is None and not self.tip
        at, posture, level = self.playback.token(self.now)
        return extra, Moved(self.playback.mover, at, posture, level, self.hand.level), True

    def _put(self, sheet: Sheet, at: tuple[int, int]) -> None:
        """Paint a sheet at a place of the window and note its boxes."""
        paint_sheet(self.surface, self.theme, self.kit, sheet, self.size, at)
        self._note(sheet, at)

    def _note(self, sheet: Sheet, at: tuple[int, int]) -> None:
        for boxes, into in ((sheet.hits, self.hits), (sheet.hints, self.hints)):
            for (x, y, w, h), words in boxes:
                k = self.size
                box = pygame.Rect(round(x * k) + at[0], round(y * k) + at[1], round(w * k), round(h * k))
                into.append((box, words))

    def _bar(self, sheet: Sheet, at: tuple[int, int]) -> None:
        box = pygame.Rect(*at, round(sheet.width * self.size), round(sheet.height * self.size))
        self.surface.fill(self.theme.colour("window", sheet.back), box)
        edge = box.bottom - 1 if at[1] == 0 else box.y
        pygame.draw.line(self.surface, self.theme.colour("window", "line"), (box.x, edge), (box.right, edge))
        self._put(sheet, at)

    def _over(self, sheet: Sheet) -> None:
        """A page over the darkened window; only it can be clicked."""
        shade = pygame.Surface(self.surface.get_size(), pygame.SRCALPHA)
        shade.fill((0, 0, 0, 170))
        self.surface.blit(shade, (0, 0))
        box = pygame.Rect(0, 0, round(sheet.width * self.size), round(sheet.height * self.size))
        box.center = self.surface.get_rect().center
        box.y = max(0, box.y)
        self.hits, self.hints = [], []
        self._put(sheet, box.topleft)

    def _draw_top(self) -> None:
        hand, battlemap = self.hand, self.hand.battlemap
        toggles = [
            bars.Toggle("reach", say("toggle.reach"), self.shown.reach, say("hint.key", key="V")),
            bars.Toggle("costs", say("toggle.costs"), self.shown.costs, say("hint.key", key="C")),
            bars.Toggle("odds", say("toggle.odds"), self.shown.odds, say("hint.key", key="O")),
            bars.Toggle("enemy", say("toggle.enemy"), self.shown.enemy, say("hint.key", key="B")),
            bars.Toggle("edit", say("toggle.edit"), self.editing is not None, say("hint.key", key="F2")),
            bars.Toggle("turns", say("toggle.turns", n=hand.turns), hand.turns > 1, say("hint.key", key="T")),
        ]
        if hand.session.position.known:
            toggles.append(bars.Toggle("fog", say("toggle.fog"), not self.shown.referee, say("hint.key", key="K")))
        shape = say(battlemap.grid.title)
        about = [say("cells", side=show(battlemap.cell), unit=battlemap.unit, shape=shape)]
        if len(battlemap.levels) > 1:
            about.append(say("level", name=battlemap.levels[hand.level].name))
        turn = ""
        if hand.selected is not None:
            reach = hand.reach
            about.insert(0, say("rules", title=get_ruleset(reach.ruleset).title))
            if battlemap.grid.name == "square":
                about.append(say(f"diagonal.{reach.options['diagonal']}"))
            mover = hand.table.mover(hand.selected)
            turn = say("turn", n=hand.table.turn(hand.selected).turn, name=mover.label)
        k = self.size
        name = battlemap.name or say("untitled")
        width = self.surface.get_width() / k
        wide = self.map_area.width / k
        self._bar(bars.top_bar(measure(self.kit, k), width, wide, name, "  ·  ".join(about), toggles, turn), (0, 0))

    def page(self, reach: Any, route: Route | Refusal | None) -> Page:
        """What the panel says now."""
        hand = self.hand
        if hand.selected is not None:
            key = (Same(hand.session.position), hand.selected)
            if self._orders is None or self._orders[0] != key:
                self._orders = (key, orders_of(hand.session, hand.selected))
        entries = self.layer.legend(hand.seen, reach, self.shown) if self.legend else ()
        moment = Moment(
            reach, route, hand.session, entries, hand.arrive or "", hand.typed, self.explain, self.legend,
            orders=self._orders[1] if self._orders is not None else None,
            referee=self.shown.referee, safer=hand.safer, patient=False,
        )  # fmt: skip
        return page_of(moment)

    def _draw_panel(self, reach: Any, route: Route | Refusal | None) -> None:
        area, k = self.panel_area, self.size
        # asked anew only when something it depends on has changed: the choices cost a question each
        key: tuple[object, ...] = (
            Same(self.hand.session.position, reach, route), self.hand.arrive, self.hand.typed, self.explain,
            self.legend, self.shown, area.size, k, self.layer.tiles.painted, self.hand.rested,
            reach is None or weighed(reach),
        )  # fmt: skip
        if self._page is None or self._page[0] != key or self.editing is not None:
            if self.editing is not None:
                key, sheet = (), self.editing.sheet(measure(self.kit, k), area.width / k)
            else:
                sheet = lay_out(self.page(reach, route), measure(self.kit, k), least=area.height / k)
            surface = pygame.Surface((area.width, max(area.height, round(sheet.height * k)))).convert()
            surface.fill(self.theme.colour("window", "panel"))
            paint_sheet(surface, self.theme, self.kit, sheet, k)
            self._page = (key, sheet, surface)
        self.scrolled(0)
        _, sheet, surface = self._page
        self.surface.blit(surface, area.topleft, (0, self.scroll, *area.size))
        pygame.draw.line(self.surface, self.theme.colour("window", "line"), area.topleft, area.bottomleft)
        self._note(sheet, (area.x, area.y - self.scroll))
        if surface.get_height() > area.height:
            share = area.height / surface.get_height()
            knob = pygame.Rect(area.right - 4, area.y + round(self.scroll * share), 4, round(area.height * share))
            self.surface.fill(self.theme.colour("window", "line"), knob)

    def cell_words(self, reach: Any) -> tuple[str, ...]:
        """What the status line says of the cell under the pointer."""
        hand = self.hand
        if hand.hover is None:
            return ()
        if self._dark(hand.hover):
            return (hand.battlemap.name_of(hand.hover), say("unexplored"))
        route = hand.route
        why = route if isinstance(route, Refusal) else None
        own = route if isinstance(route, Route) and (hand.waypoints or hand.arrive) else None
        own = own if hand.table.pending is None else None
        words = brief.cell_words(hand.seen, reach, hand.hover, why, target=hand.target, route=own)
        chance = hand.odds.get(hand.target) if self.shown.odds and hand.target is not None else None
        if chance is not None and why is None:
            words = (*words, say("status.chance", chance=percent(chance)))
        mover = hand.mover
        if self.measure and mover is not None and mover.at is not None:
            words = (*words, self._measured(mover.at, hand.hover))
        return words

    def _dark(self, cell: Cell) -> bool:
        hand = self.hand
        known = hand.table.known(hand.selected) if hand.selected and not self.shown.referee else None
        return known is not None and cell not in known

    def _measured(self, a: Cell, b: Cell) -> str:
        battlemap = self.hand.battlemap
        (x0, y0), (x1, y1) = (battlemap.grid.centre(cell.col, cell.row) for cell in (a, b))
        length = hypot(x1 - x0, y1 - y0)
        feet = f"{length * float(battlemap.cell):.1f}".rstrip("0").rstrip(".")
        return say("status.measure", cells=f"{length:.1f}".rstrip("0").rstrip("."), length=feet, unit=battlemap.unit)

    def _draw_status(self, reach: Any, route: Route | Refusal | None, words: tuple[str, ...]) -> None:
        hand, area, k = self.hand, self.map_area, self.size
        used = brief.rulings(route) if isinstance(route, Route) else ()
        second = hand.message or "    ".join(say("ruling", id=name) for name in used)
        right = ""
        if self.timed and reach is not None and hasattr(reach, "stats"):
            states, seconds = reach.stats
            right = say("reckoning") if self.reckoning else say("stats", states=states, ms=f"{seconds * 1000:.0f}")
        sheet = bars.status_bar(measure(self.kit, k), area.width / k, words, second, right, warn=hand.warn)
        top = area.bottom + round(STRIP * k)
        sheet.height = (self.surface.get_height() - top) / k
        self._bar(sheet, (0, top))

    def _draw_strip(self, reach: Any) -> None:
        hand, area, k = self.hand, self.map_area, self.size
        onward = hand.onward
        self.onward = onward.label if onward is not None else ""
        if self._used is None or self._used[0] is not reach:
            self._used = (reach, used_up(reach))
        places = turns(hand.table, hand.selected, hand.seen.movers)
        title = say("strip.round", n=round_of(hand.table))
        glow = self._used[1] and onward is not None and onward.label == say("onward.end")
        free = not hand.session.position.order
        self._bar(strip(measure(self.kit, k), area.width / k, title, places, onward, glow=glow, free=free),
                  (0, area.bottom))  # fmt: skip

    def _draw_log(self) -> None:
        """The log over the map's lower left corner; what lies below it cannot be clicked."""
        area, k = self.map_area, self.size
        lines = journal(self.hand.table, referee=self.shown.referee)
        self.log_first = max(0, min(self.log_first, len(lines) - 1))
        sheet = drawer(measure(self.kit, k), area.height * 0.7 / k, lines, self.log_first)
        self.log_area = pygame.Rect(0, 0, round(sheet.width * k), round(sheet.height * k))
        self.log_area.bottomleft = area.x + 8, area.bottom - 8
        self._put(sheet, self.log_area.topleft)

    def _draw_tip(self, words: tuple[str, ...], route: Route | Refusal | None) -> None:
        """The tooltip beside the pointer, inside the window: of a button, else of the cell."""
        hint = self.hint_at(self.pointer)
        lines = (hint,) if hint else words if self.hand.hover is not None else ()
        if not lines:
            return
        sheet = bars.tooltip(measure(self.kit, self.size), lines, refused=not hint and isinstance(route, Refusal))
        width, height = round(sheet.width * self.size), round(sheet.height * self.size)
        x, y = self.pointer[0] + 18, self.pointer[1] + 20
        if x + width > self.surface.get_width() - 4:
            x = self.pointer[0] - width - 12
        if y + height > self.surface.get_height() - 4:
            y = self.pointer[1] - height - 10
        paint_sheet(self.surface, self.theme, self.kit, sheet, self.size, (max(2, x), max(2, y)))
