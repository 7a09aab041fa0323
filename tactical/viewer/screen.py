"""The screen: what is painted where, and the state of looking (camera, toggles) that goes with it."""

from __future__ import annotations

from dataclasses import replace
from math import hypot
from typing import Any

import pygame

from tactical.errors import Refusal
from tactical.movement.route import Route
from tactical.show.theme import Theme
from tactical.units import Cell, show
from tactical.viewer import bars, brief
from tactical.viewer.camera import Camera
from tactical.viewer.hand import Hand
from tactical.viewer.labels import say
from tactical.viewer.layer import MapLayer, Shown
from tactical.viewer.panel import Page, Panel
from tactical.viewer.theme import PANEL, STATUS, TOP, Pen

READABLE = 12
"""Pixels a cell below which a whole map is not worth showing at the start."""


class Screen:
    """The window's surface and how the map is looked at.

    `shown` are the toggles of the map; `legend`, `explain`, `help`, `measure` what is open; `tip` whether the pointer
    has rested; `hits` the boxes that can be clicked, with their commands.
    """

    def __init__(self, surface: pygame.Surface, hand: Hand, theme: Theme) -> None:
        self.surface, self.hand, self.theme = surface, hand, theme
        self.pen = Pen(theme)
        self.layer = MapLayer(theme, self.pen.kit)
        self.panel = Panel(self.pen)
        self.shown = Shown()
        self.legend = True
        self.explain = self.help = self.tip = self.measure = False
        self.hits: list[tuple[pygame.Rect, str]] = []
        self.pointer = (0, 0)
        self.page: tuple[Page, tuple[int, int]] | None = None
        self.page_surface: pygame.Surface | None = None
        self.camera = Camera(self.map_area.size)
        self.fit()

    # -- geometry -----------------------------------------------------------------------------------------------------

    @property
    def map_area(self) -> pygame.Rect:
        """The part of the window that shows the map."""
        width, height = self.surface.get_size()
        return pygame.Rect(0, TOP, max(50, width - PANEL), max(50, height - TOP - STATUS))

    def fit(self) -> None:
        """The whole map in the window."""
        battlemap = self.hand.battlemap
        self.camera = self.camera.fitted(*battlemap.grid.size(battlemap.cols, battlemap.rows))
        mover = self.hand.mover
        if self.camera.scale < READABLE and mover is not None and mover.at is not None:
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

    def show_selected(self) -> None:
        """Bring the selected mover into sight."""
        mover = self.hand.mover
        if mover is not None and mover.at is not None:
            middle = self.hand.battlemap.grid.centre(mover.at.col, mover.at.row)
            if not self.camera.sees(middle):
                self.camera = self.camera.centred(middle)

    # -- drawing ------------------------------------------------------------------------------------------------------

    def draw(self) -> None:
        """Paint the window."""
        hand, area = self.hand, self.map_area
        self.shown = replace(self.shown, level=hand.level)
        reach, route = hand.reach, hand.route
        part = self.surface.subsurface(area)
        self.layer.draw(
            part, self.camera, hand.battlemap, reach, route,
            shown=self.shown, target=hand.target, waypoints=hand.waypoints,
            odds=hand.odds if self.shown.odds else None,
        )  # fmt: skip
        self.hits = [*self._draw_top(), *self._draw_panel(reach, route)]
        words = self._cell_words(reach)
        self._draw_status(reach, route, words)
        if self.tip and hand.hover is not None and words and not self.help:
            x, y = self.pointer
            refused = isinstance(route, Refusal)
            bars.tooltip(part, self.pen, words, (x - area.x, y - area.y), refused=refused)
        if self.help:
            bars.help_page(self.surface, self.pen)

    def _draw_top(self) -> list[tuple[pygame.Rect, str]]:
        hand, battlemap = self.hand, self.hand.battlemap
        toggles = (
            bars.Toggle("reach", say("toggle.reach"), self.shown.reach),
            bars.Toggle("costs", say("toggle.costs"), self.shown.costs),
            bars.Toggle("enemy", say("toggle.enemy"), self.shown.enemy),
            bars.Toggle("turns", say("toggle.turns", n=hand.turns), hand.turns > 1),
        )
        shape = say(battlemap.grid.title)
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
        bar = self.surface.subsurface((0, 0, self.surface.get_width(), TOP))
        name = battlemap.name or say("untitled")
        return bars.top_bar(bar, self.pen, name, "  ·  ".join(about), toggles, turn, self.map_area.width)

    def _draw_panel(self, reach: Any, route: Route | Refusal | None) -> list[tuple[pygame.Rect, str]]:
        height = self.surface.get_height() - TOP
        page = self._page(reach, route if isinstance(route, Route) else None)
        if self.page != (page, (PANEL, height)) or self.page_surface is None:
            self.page_surface = pygame.Surface((PANEL, height)).convert()
            self.panel.draw(self.page_surface, page)
            self.page = (page, (PANEL, height))
        left = self.surface.get_width() - PANEL
        self.surface.blit(self.page_surface, (left, TOP))
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
            brief.question(hand.table),
            brief.outcomes(reach, route) if route is not None else (),
            entries,
            self.explain,
            self.legend,
            max(1, sum(band.turn == 1 for band in reach.bands)),
        )

    def _cell_words(self, reach: Any) -> tuple[str, ...]:
        hand = self.hand
        if hand.hover is None:
            return ()
        route = hand.route
        why = route if isinstance(route, Refusal) else None
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
        hand, height = self.hand, self.surface.get_height()
        bar = self.surface.subsurface((0, height - STATUS, self.map_area.width, STATUS))
        used = brief.rulings(route) if isinstance(route, Route) else ()
        second = hand.message or "    ".join(say("ruling", id=name) for name in used)
        right = ""
        if reach is not None and hasattr(reach, "stats"):
            states, seconds = reach.stats
            right = say("stats", states=states, ms=f"{seconds * 1000:.0f}")
        bars.status_bar(bar, self.pen, words, second, right, warn=hand.warn)
