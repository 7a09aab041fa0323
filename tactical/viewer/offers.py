"""What the desk offers in menus: what can be done on a cell, the game master's orders, the window's own menu."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from tactical import files
from tactical.errors import Refusal
from tactical.play.commands import Command
from tactical.show import brief, rolls
from tactical.show.labels import say
from tactical.show.theme import LIMIT, load, read
from tactical.units import Cell
from tactical.viewer.files.browser import Browser
from tactical.viewer.picture.theme import next_size
from tactical.viewer.playing import declaring
from tactical.viewer.playing.menu import Menu, master, there, window
from tactical.viewer.playing.setup import STEPS, Setting, of_game, rows_in
from tactical.viewer.shelf import Shelf

PARTS = (
    ("throw", "Shift-N"), ("log", "J"), ("legend", "L"), ("setup", "Ctrl-,"), ("maps", "Ctrl-O"), ("save", "Ctrl-S"),
    ("picture", "Ctrl-P"), ("sounds", "Shift-S"), ("help", "F1"),
)  # fmt: skip
"""What the window's menu has besides the toggles: commands and keys."""
TOGGLED = (
    ("reach", "V"), ("costs", "C"), ("odds", "O"), ("enemy", "B"), ("grid", "G"), ("rulers", "Shift-G"),
    ("turns", "T"), ("fog", "K"), ("order", "N"), ("edit", "F2"),
)  # fmt: skip


class Offers(Shelf):
    """Opens menus and does what is chosen in them."""

    do: Callable[[str], None]
    theme_file: Path | None = None

    def offer(self, cell: Cell | None, pixel: tuple[int, int]) -> None:
        """Offer what can be done on a cell, beside a pixel; off the map, what the window can do.

        While a move waits nothing can be done on a cell: that is told.
        """
        hand, screen = self.hand, self.screen
        if cell is None:
            self._window_menu(pixel)
            return
        if hand.table.pending is not None:
            hand.tell(say("waiting"), warn=True)
            return
        door = hand.door_at(screen.point_at(pixel), near=False)
        screen.menu = Menu(hand.battlemap.name_of(cell), there(hand, cell, door), pixel, cell, door)

    def open_menu(self, name: str) -> None:
        """Open a menu by its key, at the cell under the pointer; or go on from one to another."""
        hand, screen = self.hand, self.screen
        before, cell = screen.menu, hand.hover
        if name == "menu":
            self._window_menu((screen.map_area.x + 12, screen.map_area.y + 8))
        elif cell is None:
            hand.tell(say("walker.where"), warn=True)
        elif name != "what" and hand.table.pending is not None:
            hand.tell(say("waiting"), warn=True)
        elif name == "inspect":
            screen.rows = (hand.battlemap.name_of(cell), say("menu.inspect"), self._known_of(cell), False)
        else:
            pixel = before.at if before is not None else screen.pixel_of(cell)
            if name == "what":
                self.offer(cell, pixel)
            else:
                door = before.door if before is not None else ""
                screen.menu = Menu(say("menu.master"), master(hand, cell, door), pixel, cell)
        if screen.menu is not None and screen.cursor:
            screen.menu.step(1)

    def _window_menu(self, pixel: tuple[int, int]) -> None:
        shown = self.screen.shown
        lit = {"turns": self.hand.turns > 1, "fog": not shown.referee and bool(self.hand.session.position.known),
               "order": bool(self.hand.session.position.order), "edit": self.editor.on,
               "rulers": self.screen.rulers, "log": self.screen.log,
               "sounds": self.screen.sounds.on}  # fmt: skip
        rows = [(name, key, lit.get(name, getattr(shown, name, False))) for name, key in (*TOGGLED, *PARTS)]
        self.screen.menu = Menu(say("toggle.menu"), window(rows), pixel)

    def in_menu(self, kind: str, rest: str) -> None:
        """Move through the menu that is open, or take a row of it."""
        menu = self.screen.menu
        if menu is None:
            return
        if kind in ("menu_up", "menu_down"):
            menu.step(-1 if kind == "menu_up" else 1)
            return
        chosen = int(rest) if kind == "row" else menu.chosen
        if not 0 <= chosen < len(menu.rows) or (kind == "row" and not menu.painted):
            return
        row = menu.rows[chosen]
        if row.refused:
            self.hand.tell(row.refused, warn=True)
            return
        if menu.cell is not None:
            self.hand.point_at(menu.cell)
        if isinstance(row.order, str):
            if row.order == "master":
                self.open_menu("master")
                return
            self.screen.menu = None
            self.do(row.order)
            return
        self.screen.menu = None
        self.order(row.order)

    def declare(self, kind: str, rest: str) -> None:
        """Open the page of what may be declared beside a way, or do what was chosen on one."""
        screen, page = self.screen, declaring.follow(self.hand, kind, rest)
        screen.rows = None if page is None else (*page, False)
        screen.browser = None if page is None else Browser(page[2])

    def in_list(self, kind: str, rest: str) -> None:
        """Move through the list that is open, or take a row of it: the lit one, or that of a digit."""
        screen = self.screen
        offered, page = screen.rows[2] if screen.rows is not None else (), screen.browsing
        if kind == "digit_row":
            if int(rest) <= len(offered):
                self.do(offered[int(rest) - 1][2])
        elif page is None:
            screen.rows = None
        elif not page.rows:
            return
        elif kind == "list_take":
            self.do(page.rows[page.chosen][2])
        elif kind == "list_back":
            if (first := page.rows[0][2]).startswith("folder:"):
                self.do(first)
        else:
            page.step({"list_up": -1, "list_down": 1, "list_far_up": -page.room, "list_far_down": page.room}[kind])

    # -- setting up ---------------------------------------------------------------------------------------------------

    def settings(self) -> tuple[Setting, ...]:
        """Everything that can be set: how the window looks, then the game's rules, stats and options."""
        screen, look = self.screen, say("setup.window")

        def text(by: int) -> str:
            screen.resize_text(next_size(screen.text, by))
            return ""

        def tint(by: int) -> str:
            screen.stronger(on=not screen.strong)
            return ""

        def dress(by: int) -> str:
            choice = [None, *self.library.own_themes()]
            here = choice.index(self.theme_file) if self.theme_file in choice else 0
            path = choice[(here + by) % len(choice)]
            self.theme_file = path
            try:
                screen.dress(load() if path is None else read(files.read(path, LIMIT).decode("utf-8")))
            except (OSError, ValueError) as error:
                return say("setup.theme.bad", name=path.name if path else "", why=error)
            return ""

        def sound(by: int) -> str:
            return "" if screen.sounds.toggle() else say("sounds.none")

        own = (
            Setting(look, say("setup.text"), f"{screen.size * 100:.0f} %", say("setup.text.doc"), text),
            Setting(look, say("setup.theme"), self.theme_file.stem if self.theme_file else screen.plain.name,
                    say("setup.theme.doc", folder=self.library.themes), dress),
            Setting(look, say("setup.tint"), say(f"setup.tint.{'strong' if screen.strong else 'usual'}"),
                    say("setup.tint.doc"), tint),
            Setting(look, say("setup.sounds"), say("setup.yes" if screen.sounds.on else "setup.no"), "", sound),
        )  # fmt: skip
        return (*own, *of_game(self.hand))

    def in_setup(self, kind: str, rest: str) -> None:
        """Move through the set-up sheet, or step a row of it."""
        setup, settings = self.screen.setup, self.settings()
        if setup is None:
            return
        room = rows_in(self.screen.surface.get_height() / self.screen.size)
        rows = setup.found(settings)
        if kind in STEPS:
            far = len(rows)
            setup.move(dict(zip(STEPS, (-1, 1, -room, room, -far, far), strict=True))[kind], rows, room)
            return
        if kind in ("setup_write", "setup_less", "setup_more") and setup.chosen not in rows:
            # what is not shown is not changed
            setup.move(1, rows, room)
            if setup.chosen not in rows:
                return
        if setup.written is not None and kind in ("setup_write", "write", "set"):
            self._write(settings[setup.chosen])
            if kind == "setup_write":
                return
        if kind == "write":
            setup.begin(int(rest), settings[int(rest)])
            return
        by = -1 if kind == "setup_less" else 1
        if kind == "set":
            number, _, step = rest.partition(":")
            setup.chosen, by = int(number), int(step)
        one = settings[min(setup.chosen, len(settings) - 1)]
        if one.write is not None and (kind == "setup_write" or one.step is None):
            setup.begin(setup.chosen, one)
            return
        if one.step is None:
            self.hand.tell(one.doc or say("setup.fixed"), warn=True)
            return
        self._set(one, one.step(by))

    def _write(self, one: Setting) -> None:
        """Set a row to what is written in it; what is refused stays to be mended."""
        setup = self.screen.setup
        if setup is None or setup.written is None or one.write is None:
            return
        words = setup.written
        setup.written = None
        if words.strip() != ("" if one.value == say("setup.nothing") else one.value):
            why = one.write(words)
            self._set(one, why)
            setup.written = words if why else None

    def _set(self, one: Setting, why: str) -> None:
        self.hand.tell(why or say("setup.done", name=one.title), warn=bool(why))

    def order(self, command: Command) -> None:
        """Give an order that is no player's move, and tell what came of it."""
        hand = self.hand
        before = {name: hand.table.state(name) for name in hand.table.ids}
        done = hand.granted(hand.table.do(command))
        if done is None:
            return
        told = [hand.table.words_of(event) for event in done]
        hand.forget()
        hand.tell("; ".join(told) or say("master.done"))
        if hand.selected is not None and hand.table.state(hand.selected) != before.get(hand.selected):
            hand.level = hand.table.state(hand.selected).cell.level

    def _known_of(self, cell: Cell) -> tuple[tuple[str, str, str], ...]:
        """Rows of all that is known of a cell: ground, who stands there with what they can do, who strikes there."""
        hand = self.hand
        words = list(brief.cell_words(hand.seen, hand.reach, cell, None)[1:])
        someone = hand.mover_at(cell)
        if someone is not None:
            words.append(f"{someone.label}: {hand.table.about(someone.id).profile.summary}")
            words += [f"{key}: {value}" for key, value in someone.stats.items() if not isinstance(value, (dict, list))]
        route = hand.route
        if isinstance(route, Refusal):
            words.append(route.text)
        elif route is not None:
            words += [note.text for note in brief.notes(hand.seen, hand.reach, route, patient=False)]
            words += [f"{one.chance}  {one.text}" for one in rolls.outcomes(hand.reach, route)]
        return tuple((text, "", "") for text in dict.fromkeys(words))
