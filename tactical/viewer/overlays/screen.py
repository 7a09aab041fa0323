"""The screen: what is painted where.  The state of looking that goes with it is in `looking`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import pygame

from tactical.errors import Refusal
from tactical.movement.rolls.chances import worked_out
from tactical.movement.route import Route
from tactical.rules.ruleset import get_ruleset
from tactical.show.choices import Choice
from tactical.show.drawers.raster.sheet import measure, paint_sheet
from tactical.show.labels import say
from tactical.show.panel import Moment, Page, lay_out, orders_of, page_of
from tactical.show.scene.legend import gait_count
from tactical.show.scene.shapes import Shape, Stroke
from tactical.show.sheet import Plate, Sheet
from tactical.show.theme import Theme, stronger
from tactical.units import percent, spoken
from tactical.viewer import helping
from tactical.viewer.files import browser
from tactical.viewer.files.previews import Preview
from tactical.viewer.overlays.guides import SmallMap, paint_arrows, paint_cursor
from tactical.viewer.overlays.looking import Looking
from tactical.viewer.overlays.rulers import inset, paint_rulers
from tactical.viewer.overlays.tips import spot, taken_by
from tactical.viewer.overlays.words import cell_words, rulings_in_words, tip_lines
from tactical.viewer.picture import bars
from tactical.viewer.picture.layer import MapLayer
from tactical.viewer.picture.look import Moved, Same
from tactical.viewer.playing import setup
from tactical.viewer.playing.hand import Hand
from tactical.viewer.playing.journal import LEAST, drawer, journal
from tactical.viewer.playing.menu import Menu, sheet_of
from tactical.viewer.playing.turns import round_of, strip, turns, used_up

Orders = tuple[tuple[Choice, ...], tuple[Choice, ...]]


class Placed(NamedTuple):
    """A sheet of the frame: which one, its marks, and the pixel of its corner."""

    name: str
    sheet: Sheet
    at: tuple[int, int]


class Screen(Looking):
    """The window's surface and all that is painted on it."""

    def __init__(self, surface: pygame.Surface, hand: Hand, theme: Theme, size: float = 1.0) -> None:
        super().__init__(surface, hand, theme, size)
        self.plain, self.strong = theme, False
        self.small = SmallMap()
        self.settings: Callable[[], Sequence[setup.Setting]] = tuple
        self._used: tuple[object, bool] | None = None
        self._orders: tuple[tuple[str | None, object], Orders | None] = (None, None), None

    def draw(self) -> None:
        """Paint the window."""
        hand, area = self.hand, self.map_area
        self.shown = replace(self.shown, level=hand.level)
        hand.referee = self.shown.referee
        reach, route = hand.drawn, hand.route
        part = self.surface.subsurface(area)
        extra, moved, walking = self._played()
        if not walking:
            extra = [*extra, *self._safe_way()]
        self.scene = self.layer.draw(
            part, self.camera, hand.battlemap, reach, None if walking or self.editing is not None else route,
            shown=self.shown, target=hand.target if self.editing is None else None, waypoints=hand.waypoints,
            odds=hand.odds if self.shown.odds else None,
            known=hand.table.known(hand.selected) if hand.selected else None,
            extra=extra, moved=moved, budget=self.budget, other=hand.foe, size=self.size,
            inset=inset(self.size) if self.rulers else (0.0, 0.0), covered=area.width - self.frame.free.width,
            chance=percent(hand.chance) if self.shown.odds and not walking and hand.chance is not None else "",
            viewer=hand.mover if hand.reach is not reach else None,
        )  # fmt: skip
        if self.rulers:
            paint_rulers(part, self.theme, self.kit, self.camera, hand, self.size)
        paint_arrows(self, part)
        self.small.paint(self, part)
        paint_cursor(self, part)
        if self.editing is not None:
            self.editing.paint(part, self.camera)
        self.hits, self.hints = [], []
        for name, sheet, at in self.bars():
            self._bar(sheet, at, upper=name == "top")
        if self.panel_area.width:
            self._draw_panel(reach, route)
        if (log := self._log()) is not None:
            self._put(log.sheet, log.at)
        if (page := self.over()) is not None:
            self._over(page)
        elif self.greeting:
            self._greet()
        elif self.menu is not None:
            self._draw_menu(self.menu)
        elif self.tip:
            self._draw_tip(reach, route)

    def stronger(self, *, on: bool) -> None:
        """Tint the map stronger than usual, or as usual again."""
        self.strong = on
        self.theme = stronger(self.plain) if on else self.plain
        self.layer, self._page = MapLayer(self.theme, self.kit), None

    def dress(self, theme: Theme) -> None:
        """Paint in another theme from now on."""
        self.plain = theme
        self.stronger(on=self.strong)

    def on_map(self, pixel: tuple[int, int]) -> bool:
        """Whether a pixel shows the map, and nothing that lies over it."""
        return super().on_map(pixel) and not self.small.area.collidepoint(pixel)

    def bars(self) -> Iterator[Placed]:
        """The bars of the frame: above the map, the strip of turns, the status line."""
        frame, k = self.frame, self.size
        reach, route = self.hand.drawn, self.hand.route
        ask = measure(self.kit, k)
        yield Placed("top", self._top(), (0, 0))
        yield Placed("strip", self._strip(reach), frame.strip.topleft)
        sheet = bars.status_bar(ask, frame.status.width / k, self.cell_words(reach), *self._second(reach, route),
                                warn=self.hand.warn)  # fmt: skip
        sheet.height = frame.status.height / k
        yield Placed("status", sheet, frame.status.topleft)

    def cell_words(self, reach: Any) -> tuple[str, ...]:
        """What the status line says of the cell under the pointer."""
        return cell_words(self, reach)

    def over(self) -> Sheet | None:
        """The page that lies over the map, if there is one."""
        ask, wide = measure(self.kit, self.size), self.surface.get_width() / self.size
        if self.help is not None:
            return helping.page(ask, wide, self.surface.get_height() / self.size, self.help)
        if self.legend:
            reach = self.hand.drawn
            found = self.layer.legend(self.hand.seen, reach, self.shown)
            return bars.legend_page(ask, wide, found, gait_count(reach.bands) if reach else 2)
        if self.setup is not None:
            told = self.hand.message, self.hand.warn
            return setup.sheet_of(ask, wide, self.surface.get_height() / self.size, self.setup, self.settings(), told)
        if self.rows is not None:
            title, second, rows, bad = self.rows
            if (page := self.browsing) is not None:
                made = self._preview()
                said = made.words if made is not None else (say("maps.reading"),) if page.path else ()
                return browser.sheet_of(ask, wide, self.surface.get_height() / self.size, title, second, page, said)[0]
            return bars.list_page(ask, wide, title, second, rows, bad=bad)
        return None

    def _safe_way(self) -> Iterator[Shape]:
        """The way without strikes beside the one that is shown, where the two part."""
        hand = self.hand
        way, other = hand.safe, hand.route
        if way is None or not isinstance(other, Route) or self.editing is not None:
            return
        centre = hand.battlemap.grid.centre
        for a, b in pairwise(way.cells):
            if a.level == b.level == hand.level and not (a in other.cells and b in other.cells):
                yield Stroke("echo:safe", (centre(a.col, a.row), centre(b.col, b.row)))

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
        if level == self.hand.level:
            self.follow(at, 2.5)
        return extra, Moved(self.playback.mover, at, posture, level, self.hand.level), True

    # -- sheets -------------------------------------------------------------------------------------------------------

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

    def _bar(self, sheet: Sheet, at: tuple[int, int], *, upper: bool) -> None:
        box = pygame.Rect(*at, round(sheet.width * self.size), round(sheet.height * self.size))
        self.surface.fill(self.theme.colour("window", sheet.back), box)
        edge = box.bottom - 1 if upper else box.y
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
        if self.browsing is not None and self.help is None and not self.legend and self.setup is None:
            self._paint_preview(sheet, box.topleft)

    def _preview(self) -> Preview | None:
        page = self.browsing
        return self.previews.of(Path(page.path), self.theme) if page is not None and page.path else None

    def _paint_preview(self, sheet: Sheet, corner: tuple[int, int]) -> None:
        """The picture of the lit file in its box."""
        found, k = self._preview(), self.size
        frame = next((plate.box for plate in sheet.of(Plate) if plate.fill == "bar"), None)
        if found is None or found.picture is None or frame is None:
            return
        box = pygame.Rect(*(round(v * k) for v in frame)).move(corner).inflate(-round(8 * k), -round(8 * k))
        picture = found.fitted(box.size)
        self.surface.blit(picture, picture.get_rect(center=box.center))

    def _top(self) -> Sheet:
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
        about = [say("cells", side=spoken(battlemap.cell), unit=battlemap.unit, shape=shape)]
        if len(battlemap.levels) > 1:
            floor = {"n": hand.level + 1, "all": len(battlemap.levels), "name": battlemap.levels[hand.level].name}
            about.insert(0, say("level.of", **floor))  # first, so that a narrow bar does not cut it
        turn = ""
        if hand.selected is not None:
            rules = hand.about
            about.insert(0, say("rules", title=get_ruleset(rules.ruleset).title))
            if rules.query.diagonals:
                about.append(say(f"diagonal.{rules.query.diagonals}"))
            mover = hand.table.mover(hand.selected)
            turn = say("turn", n=round_of(hand.table), name=mover.label)
        frame, k = self.frame, self.size
        side = None
        if frame.narrow:
            side = bars.Toggle("drawer", say("toggle.drawer"), frame.open, say("hint.key", key="S"))
        width = self.surface.get_width() / k
        beside = width if frame.narrow else self.map_area.width / k
        name = battlemap.name or say("untitled")
        return bars.top_bar(measure(self.kit, k), width, beside, name, about, toggles, turn, side)

    def page(self, reach: Any, route: Route | Refusal | None) -> Page:
        """What the panel says now."""
        hand = self.hand
        key = hand.selected, Same(hand.session.position)
        # what may be ordered is asked of the ground that the reach is looked for on: till then it is as it was
        if hand.selected is not None and hand.reach is not None and self._orders[0] != key:
            self._orders = key, orders_of(hand.session, hand.selected)
        moment = Moment(
            reach, route, hand.session, self.layer.legend(hand.seen, reach, self.shown), hand.arrive or "", hand.typed,
            self.explain, pins=tuple(hand.pins),
            orders=self._orders[1] if self._orders[0][0] == hand.selected else None,
            referee=self.shown.referee, others=hand.others, patient=False, number=hand.number,
        )  # fmt: skip
        return page_of(moment)

    def panel_sheet(self, reach: Any, route: Route | Refusal | None) -> Sheet:
        """The panel on a sheet at least as high as there is room for."""
        area, k = self.panel_area, self.size
        ask = measure(self.kit, k)
        if self.editing is not None:
            return self.editing.sheet(ask, area.width / k)
        return lay_out(self.page(reach, route), ask, width=area.width / k, least=area.height / k)

    def _draw_panel(self, reach: Any, route: Route | Refusal | None) -> None:
        waits = self.hand.reach is not reach
        other = waits and reach is not None and reach.mover.id != self.hand.selected
        if other:
            # what the rules say of another mover is known at once, before it is known where it can get to
            reach, route = self.hand.about, None
        area, k = self.panel_area, self.size
        # asked anew only when something it depends on has changed: the choices cost a question each
        key: tuple[object, ...] = (
            Same(self.hand.session.position, reach, route, self.hand.safe), self.hand.arrive, self.hand.typed,
            self.hand.number, self.explain, tuple(self.hand.pins),
            self.shown, area.size, k, self.layer.tiles.painted, self.hand.rested,
            reach is None or worked_out(reach),
        )  # fmt: skip
        # while the reach of now is worked out, what was there stays
        stays = waits and not other and self._page is not None and self._page[2].get_width() == area.width
        if not stays and (self._page is None or self._page[0] != key or self.editing is not None):
            sheet = self.panel_sheet(reach, route)
            surface = pygame.Surface((area.width, max(area.height, round(sheet.height * k)))).convert()
            surface.fill(self.theme.colour("window", "panel"))
            paint_sheet(surface, self.theme, self.kit, sheet, k)
            self._page = (() if self.editing is not None else key, sheet, surface)
        self.scrolled(0)
        assert self._page is not None
        _, sheet, surface = self._page
        self.surface.blit(surface, area.topleft, (0, self.scroll, *area.size))
        pygame.draw.line(self.surface, self.theme.colour("window", "line"), area.topleft, area.bottomleft)
        self._note(sheet, (area.x, area.y - self.scroll))
        if surface.get_height() > area.height:
            share = area.height / surface.get_height()
            knob = pygame.Rect(area.right - 4, area.y + round(self.scroll * share), 4, round(area.height * share))
            self.surface.fill(self.theme.colour("window", "line"), knob)

    def _second(self, reach: Any, route: Route | Refusal | None) -> tuple[str, str]:
        """The second line of the status: a message or the rulings used, and how long the search took."""
        used = rulings_in_words(self.hand, reach, route)
        right = ""
        if self.timed and reach is not None and hasattr(reach, "stats"):
            states, seconds = reach.stats
            right = say("reckoning") if self.reckoning else say("stats", states=states, ms=f"{seconds * 1000:.0f}")
        return self.hand.message or "    ".join(used), right

    def _strip(self, reach: Any) -> Sheet:
        hand, area, k = self.hand, self.frame.strip, self.size
        onward = hand.onward
        self.onward = onward.label if onward is not None else ""
        if self._used is None or (self._used[0] is not reach and hand.reach is reach):
            self._used = (reach, used_up(reach))
        places = turns(hand.table, hand.selected, hand.seen.movers)
        title = say("strip.round", n=round_of(hand.table))
        glow = self._used[1] and onward is not None and onward.label == say("onward.end")
        free = not hand.session.position.order
        return strip(measure(self.kit, k), area.width / k, title, places, onward, glow=glow, free=free)

    def _log(self) -> Placed | None:
        """The log over the map's lower left corner; what lies below it cannot be clicked."""
        if not self.log or self.help or self.legend or self.setup or self.rows is not None:
            return None
        area, k = self.frame.free, self.size
        if area.width / k - 16 < LEAST:
            self.log_area = pygame.Rect(0, 0, 0, 0)
            return None  # under the open drawer there is no room for it
        lines = journal(self.hand.table, referee=self.shown.referee)
        self.log_first = max(0, min(self.log_first, len(lines) - 1))
        sheet = drawer(measure(self.kit, k), (area.width - 16) / k, area.height * 0.7 / k, lines, self.log_first)
        self.log_area = pygame.Rect(0, 0, round(sheet.width * k), round(sheet.height * k))
        self.log_area.bottomleft = area.x + 8, area.bottom - 8
        return Placed("log", sheet, self.log_area.topleft)

    def _draw_menu(self, menu: Menu) -> None:
        """The menu beside its place, inside the window; a refused row that is lit says why."""
        k, room = self.size, self.surface.get_rect()
        sheet = sheet_of(measure(self.kit, k), menu, room.width / k - 8, room.height / k - 8)
        box = pygame.Rect(*menu.at, round(sheet.width * k), round(sheet.height * k))
        box.clamp_ip(room)
        self._put(sheet, box.topleft)
        menu.painted = True
        if menu.refused:
            why = bars.tooltip(measure(self.kit, k), (menu.refused,), refused=True)
            tip = pygame.Rect(box.right + 4, 0, round(why.width * k), round(why.height * k))
            tip.y = box.y + round(next(at[1] for at, command in sheet.hits if command == f"row:{menu.chosen}") * k)
            if tip.right > room.right:
                tip.right = box.left - 4
            paint_sheet(self.surface, self.theme, self.kit, why, k, tip.clamp(room).topleft)

    def _greet(self) -> None:
        """The hints of the first start, each beside what it is about."""
        k, frame, gap = self.size, self.frame, round(14 * self.size)
        sheets = helping.bubbles(measure(self.kit, k), [say(f"first.{n}") for n in (1, 2, 3, 4)])
        for n, sheet in enumerate(sheets):
            box = pygame.Rect(0, 0, round(sheet.width * k), round(sheet.height * k))
            corner = ("topleft", "topright", "bottomleft", "bottomright")[n]
            setattr(box, corner, getattr(frame.free.inflate(-4 * gap, -4 * gap), corner))
            paint_sheet(self.surface, self.theme, self.kit, sheet, k, box.topleft)

    def _draw_tip(self, reach: Any, route: Route | Refusal | None) -> None:
        """The tooltip: of a button beside it, of a cell where it covers neither way nor token; else none at all."""
        k = self.size
        hint = self.hint_at(self.pointer)
        lines = (hint,) if hint else tip_lines(self, reach)
        if not lines:
            return
        sheet = bars.tooltip(measure(self.kit, k), lines, refused=not hint and isinstance(route, Refusal))
        size = round(sheet.width * k), round(sheet.height * k)
        room = self.surface.get_rect() if hint else self.frame.free
        # of a button it may lie over the map, but not over what the last order came to
        taken = [self.frame.status] if hint else taken_by(self)
        box = spot(self.pointer, size, room, taken, round(18 * k))
        if box is not None:
            paint_sheet(self.surface, self.theme, self.kit, sheet, k, box.topleft)
