"""The desk: what keys and buttons do to the hand, to the way of looking, and to the maps on disk."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

from tactical.errors import TacticalError
from tactical.play.commands import Place, Reveal
from tactical.play.session import Session
from tactical.show import rolls
from tactical.show.labels import say
from tactical.units import Cell, parse_cell
from tactical.viewer.helping import Help
from tactical.viewer.offers import Offers
from tactical.viewer.picture.camera import STEP
from tactical.viewer.picture.theme import next_size
from tactical.viewer.playing import declaring
from tactical.viewer.playing.setup import STEPS, Setup
from tactical.viewer.playing.table import carried_over
from tactical.viewer.sight import seen_by
from tactical.world.mover import Mover

ARROWS = {"left": (-1, 0), "right": (1, 0), "up": (0, -1), "down": (0, 1)}
PAN = 64
"""Pixels an arrow key moves the map."""
TOGGLES = ("reach", "costs", "odds", "enemy", "grid")
OPEN = ("legend", "explain", "measure", "log", "rulers", "drawer")


class Desk(Offers):
    """Carries commands out."""

    def page(self) -> str:
        """The page that lies over the map: ``help``, ``legend``, ``menu``, ``setup``, ``list``, or none."""
        screen = self.screen
        if screen.help is not None:
            return "help"
        if screen.legend:
            return "legend"
        if screen.menu is not None:
            return "menu"
        if screen.setup is not None:
            return "setup"
        return "list" if screen.rows is not None else ""

    def waits(self) -> str:
        """What digits and letters mean now: they are for the page that is open, else for a ``roll`` that waits."""
        return self.page() or ("roll" if rolls.asked(self.hand.session) is not None else "")

    def close(self) -> bool:
        """Close the page that lies over the map, if there is one."""
        screen = self.screen
        opened = screen.legend or any((screen.help, screen.rows, screen.menu, screen.setup))
        screen.help, screen.legend, screen.rows, screen.menu, screen.setup = None, False, None, None, None
        return opened

    def do(self, name: str) -> None:
        """Carry a command out: a word of the key table, or ``gait:…``, ``door:…``, ``open:…``, ``digit_…``."""
        kind, _, rest = name.partition(":")
        before = self.hand.selected
        if not self._on_page(kind, rest, name):
            if self.close() and kind not in ("open", "leave"):
                return
            if kind == "leave" or name == "quit":
                self._leave(rest)
            elif name == "help":
                self.screen.help = Help(editing=self.editor.keys())
            elif kind == "open":
                self.open(Path(rest))
            elif kind == "edit":
                self.editor.do(rest)
            elif not self.editor.allows(name):
                self.hand.tell(say("edit.first"), warn=True)
            elif not (self._aimed(kind, rest) or self._look(name)):
                self._order(name)
        if self.screen.cursor and self.hand.selected != before and self.hand.table.pending is None:
            self.hand.point_at(None)  # for somebody else the keys begin where that one stands
        self.see()

    def _on_page(self, kind: str, rest: str, name: str) -> bool:
        """Commands to a page that lies over the map; False for others."""
        if kind in ("row", "menu_up", "menu_down", "menu_take"):
            self.in_menu(kind, rest)
        elif kind in ("set", "write", "setup_write", "setup_less", "setup_more", *STEPS):
            self.in_setup(kind, rest)
        elif self.screen.setup is not None and name in ("undo", "redo", "larger", "smaller"):
            if not self._look(name):
                self._order(name)
        elif kind == "digit_row" or kind.startswith("list_"):
            self.in_list(kind, rest)
        elif kind == "folder":
            self._offer_maps(Path(rest))
        elif kind in declaring.KINDS:
            self.declare(kind, rest)
        else:
            return False
        return True

    def _aimed(self, kind: str, at: str) -> bool:
        """Commands that name what they are aimed at, as ``door:gate`` or ``posture_prone``; False for others."""
        hand = self.hand
        acts: dict[str, Callable[[str], object]] = {
            "gait": hand.choose_gait, "door": hand.use_door, "far_door": hand.go_to_door, "digit": hand.type_digit,
            "number": hand.give_number,
            "who": self._select, "pinned": lambda cell: hand.click(parse_cell(cell)),
            "unpin": lambda cell: hand.pin(parse_cell(cell)),
            "place": lambda cell: self.screen.look_at(parse_cell(cell)),
        }  # fmt: skip
        if at and kind in acts:
            acts[kind](at)
        elif kind.startswith("posture_"):
            hand.change_posture(kind.removeprefix("posture_"))
        elif kind.startswith("arrive_"):
            hand.arrive_in(kind.removeprefix("arrive_"))
        else:
            return False
        return True

    def _look(self, name: str) -> bool:
        """Commands that change how the map is looked at; False for others."""
        screen, hand = self.screen, self.hand
        acts: dict[str, Callable[[], object]] = {
            "next": partial(self._step, 1), "previous": partial(self._step, -1),
            "zoom_in": partial(self._zoom, STEP), "zoom_out": partial(self._zoom, 1 / STEP),
            "danger_on": partial(self.point_at_danger, 1), "danger_back": partial(self.point_at_danger, -1),
            "level_up": partial(hand.change_level, 1), "level_down": partial(hand.change_level, -1),
            "larger": partial(self._resize_text, 1), "smaller": partial(self._resize_text, -1),
            "save": partial(self.save_game, copy=False), "save_copy": partial(self.save_game, copy=True),
            "fit": partial(screen.fit, whole=True), "sounds": self._sounds,
            "turns": hand.look_ahead, "fog": self._fog, "explore": self.explore, "order": self.take_turns,
            "throw": self.throw_for_order, "walker": self.add_walker, "maps": self._offer_maps,
            "reload": self.reload, "picture": self.save_picture,
        }  # fmt: skip
        if name in acts:
            acts[name]()
        elif name in TOGGLES:
            screen.shown = replace(screen.shown, **{name: not getattr(screen.shown, name)})
        elif name in OPEN:
            setattr(screen, name, not getattr(screen, name))
            if name == "log" and screen.log and screen.frame.narrow:
                screen.drawer = False  # side by side there is no room for both
        elif name in ARROWS:
            dx, dy = ARROWS[name]
            self.move_map(-PAN * dx, -PAN * dy)
        elif name.startswith("cursor_"):
            self.move_cursor(*ARROWS[name.removeprefix("cursor_")])
        elif name in ("menu", "what", "master", "inspect"):
            self.open_menu(name)
        elif name == "setup":
            screen.setup = Setup()
            self.hand.tell("")  # what was said of the map is not of this page
        else:
            return False
        return True

    def _select(self, mover: str) -> None:
        self.hand.select(mover)
        self._show_selected()

    def _step(self, by: int) -> None:
        self.hand.step_selection(by)
        self._show_selected()

    def _show_selected(self) -> None:
        self.screen.playback = None
        self.screen.show_selected()

    def _zoom(self, by: float) -> None:
        self.screen.camera = self.screen.camera.zoomed(by)
        self.move_map(0, 0)

    def _resize_text(self, by: int) -> None:
        screen = self.screen
        screen.resize_text(next_size(screen.text, by))
        self.hand.tell(say("text_size", percent=round(screen.size * 100)))

    def _sounds(self) -> None:
        sounds = self.screen.sounds
        self.hand.tell(say(f"sounds.{'on' if sounds.on else 'off'}" if sounds.toggle() else "sounds.none"))

    def _order(self, name: str) -> None:
        hand = self.hand
        if name in ("go_on", "stop_here", "roll", "passed", "failed", "total"):
            hand.answer(name)
        elif name in ("act", "dash", "disengage"):
            hand.act(name)
        elif name in ("gait_next", "gait_previous"):
            hand.step_gait(1 if name == "gait_next" else -1)
        else:
            orders: dict[str, Callable[[], object]] = {
                "go": hand.go, "back": hand.back, "drop": self._drop, "undo": hand.undo, "redo": hand.redo,
                "do": partial(hand.do_next, self.screen.onward), "reset": hand.reset, "door": hand.use_door,
                "safe": partial(hand.go_safe, None, "attacks"), "likelier": partial(hand.go_safe, None, "chance"),
                "waypoint": partial(self._with_hover, hand.add_waypoint),
                "pin": partial(self._with_hover, hand.pin),
            }  # fmt: skip
            orders[name]()
            if name == "do" and self.screen.onward is not None:
                self.screen.onward = ""  # whatever the button says now, nobody has seen it before the next painting

    def _drop(self) -> None:
        """Drop the plan or what is typed; where there is neither, shut what is open beside the map."""
        hand, screen = self.hand, self.screen
        planned = bool(hand.typed or hand.number or hand.waypoints or hand.arrive or hand.goal or hand.ordered)
        hand.drop()
        if not planned:
            screen.log = screen.drawer = screen.measure = False

    def _with_hover(self, act: Callable[[Cell], object]) -> None:
        if self.hand.hover is not None:
            act(self.hand.hover)

    def move_cursor(self, dx: int, dy: int) -> None:
        """Point at the next cell in a direction; the map follows."""
        screen, hand = self.screen, self.hand
        grid, size = hand.battlemap.grid, (hand.battlemap.cols, hand.battlemap.rows)
        here = hand.hover
        if here is None:
            mover = hand.mover
            x, y = screen.camera.point((screen.map_area.width / 2, screen.map_area.height / 2))
            col, row = grid.cell_at(x, y)
            here = mover.at if mover is not None and mover.at is not None else Cell(col, row, hand.level)
        col = min(max(here.col + dx, 0), size[0] - 1)
        row = min(max(here.row + dy, 0), size[1] - 1)
        self.set_cursor(Cell(col, row, hand.level))

    def set_cursor(self, cell: Cell) -> None:
        """Point at a cell as the arrow keys do; the map follows."""
        screen, hand = self.screen, self.hand
        hand.point_at(cell)
        hand.rested, screen.cursor, screen.playback = False, True, None
        screen.follow(hand.battlemap.grid.centre(cell.col, cell.row))
        screen.pointer = screen.pixel_of(cell)

    def point_at_danger(self, by: int) -> None:
        """Point at the next (previous) cell within reach where somebody can strike."""
        hand = self.hand
        if not hand.known(partial(self.point_at_danger, by)) or hand.reach is None:
            return
        within = set(hand.reach.cells())
        row = sorted(cell for cell in hand.reach.threatened() if cell in within and cell.level == hand.level)
        if not row:
            hand.tell(say("danger.none"))
            return
        here = row.index(hand.hover) + by if hand.hover in row else 0 if by > 0 else -1
        self.set_cursor(row[here % len(row)])

    def move_map(self, dx: float, dy: float) -> None:
        """Shift the map by pixels."""
        screen, battlemap = self.screen, self.hand.battlemap
        size = battlemap.grid.size(battlemap.cols, battlemap.rows)
        screen.camera = screen.camera.moved(dx, dy).kept_near(*size)
        if self.hand.hover is not None:
            self.hand.point_at(screen.cell_at(screen.pointer))
        screen.tip = False

    # -- knowledge ----------------------------------------------------------------------------------------------------

    def _fog(self) -> None:
        """Show what the selected mover knows, or everything; where nothing is hidden yet exploring begins."""
        hand = self.hand
        if hand.mover is None:
            return
        if not hand.session.position.known:
            self.explore()
            return
        self.screen.shown = replace(self.screen.shown, referee=not self.screen.shown.referee)
        key = "fog.off" if self.screen.shown.referee else "fog.on"
        hand.tell(say(key, name=hand.mover.label))

    def explore(self) -> None:
        """Begin to explore: the side of the selected mover knows only what it can see now."""
        hand = self.hand
        if hand.mover is None:
            return
        whose, friends = self._side()
        position = hand.session.position
        known = {**position.known, whose: seen_by(hand.battlemap, friends)}
        hand.table.session = Session(position.changed(known=known))
        self.screen.shown = replace(self.screen.shown, referee=False)
        hand.tell(say("fog.begun", name=hand.mover.label))

    def _side(self) -> tuple[str, tuple[str, ...]]:
        mover = self.hand.mover
        assert mover is not None
        friends = tuple(
            one.id for one in self.hand.battlemap.movers if one.id == mover.id or (one.side and one.side == mover.side)
        )
        return mover.side or mover.id, friends

    def see(self) -> None:
        """After every order: what has come into sight is known from now on, and the game is kept."""
        if self.editor.on:
            # nothing is played: the map on the table is another one with every stroke
            self.games.leave()
            return
        self._explore_on()
        self.keep()

    def _explore_on(self) -> None:
        hand = self.hand
        position = hand.session.position
        if hand.mover is None or position.pending is not None or hand.table.known(hand.mover.id) is None:
            return
        known = hand.table.known(hand.mover.id) or frozenset()
        fresh = seen_by(hand.battlemap, [hand.mover.id]) - known
        if fresh:
            hand.table.do(Reveal(hand.mover.id, cells=tuple(fresh)))

    def take_turns(self) -> None:
        """Play in the order of the strip, or in none again."""
        hand = self.hand
        if hand.table.pending is not None:
            hand.tell(say("order.waits"), warn=True)
        elif hand.table.take_turns():
            hand.select(hand.session.active)
            hand.tell(say("order.begun", name=hand.table.mover(hand.session.active).label))
        else:
            hand.tell(say("order.ended"))

    def throw_for_order(self) -> None:
        """Throw a die for everybody: turns go in that order."""
        hand = self.hand
        if hand.table.pending is not None:
            hand.tell(say("order.waits"), warn=True)
        elif thrown := hand.table.throw():
            hand.select(hand.session.active)
            seen = {mover.id for mover in hand.seen.movers}
            told = [(hand.table.mover(name).label, number) for name, number in thrown if name in seen]
            tied = say("order.tied") if len({number for _, number in told}) < len(told) else ""
            hand.tell(say("order.thrown", who=", ".join(f"{who} {number}" for who, number in told), tied=tied))

    def put_before(self, who: str, other: str) -> None:
        """Move somebody's place in the order of turns to another's."""
        table = self.hand.table
        if table.pending is not None:
            self.hand.tell(say("order.waits"), warn=True)
            return
        table.put(who, other)
        self.hand.tell(say("order.put", name=table.mover(who).label, other=table.mover(other).label))
        self.see()

    def add_walker(self) -> None:
        """Put somebody on the cell under the pointer: for maps that come without movers."""
        hand, cell = self.hand, self.hand.hover
        if cell is None:
            hand.tell(say("walker.where"), warn=True)
            return
        taken = {mover.id for mover in hand.battlemap.movers}
        count = next(n for n in range(1, len(taken) + 2) if f"walker {n}" not in taken)
        walker = Mover(f"walker {count}", at=cell, name=f"Walker {count}")
        try:
            changed = hand.battlemap.with_(movers=(*hand.battlemap.movers, walker))
            session, lost = carried_over(hand.session, changed)
            reason = session.why_not(Place(walker.id, cell))
            if reason is not None or lost:
                hand.tell(reason.text if reason is not None else say("walker.where"), warn=True)
                return
            hand.table.session = session
            hand.select(walker.id)
        except (TacticalError, ValueError) as error:
            hand.tell(str(error), warn=True)
            return
        if hand.selected == walker.id:
            hand.tell(say("walker", name=walker.label, cell=hand.battlemap.name_of(cell)))
