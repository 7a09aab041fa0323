"""The desk: what keys and buttons do to the hand, to the way of looking, and to the maps on disk."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import datetime
from functools import partial
from pathlib import Path

from tactical import assets
from tactical.errors import Fault, TacticalError
from tactical.play.commands import Place, Reveal
from tactical.play.save import is_game
from tactical.play.session import Session
from tactical.show import rolls
from tactical.show.labels import say
from tactical.show.scene.scene import scene
from tactical.viewer.camera import STEP
from tactical.viewer.editing.editor import Editor
from tactical.viewer.games import Games
from tactical.viewer.hand import Hand, whose
from tactical.viewer.library import MOST, Library, Watch, read, read_game
from tactical.viewer.screen import Screen
from tactical.viewer.sight import seen_by
from tactical.viewer.table import Table, carried_over
from tactical.viewer.theme import next_size
from tactical.world.battlemap import Battlemap
from tactical.world.mover import Mover

PAN = 64
"""Pixels an arrow key moves the map."""
TOGGLES = ("reach", "costs", "odds", "enemy", "grid")
OPEN = ("legend", "explain", "measure")


class Desk:
    """Carries commands out.  `watch` notices changes of the map's file, `games` keeps what is played; `leaving` is
    set when the window is to be closed and nothing is lost by it.
    """

    def __init__(
        self,
        screen: Screen,
        library: Library,
        *,
        rules: str | None = None,
        options: Mapping[str, object] | None = None,
    ) -> None:
        self.screen, self.library, self.rules, self.options = screen, library, rules, options
        self.watch: Watch | None = None
        self.games = Games(library.games)
        self.editor = Editor(screen)
        self.leaving = False
        self._follow()

    @property
    def hand(self) -> Hand:
        """The player's hand."""
        return self.screen.hand

    def waits(self) -> str:
        """What digits and letters mean now: ``roll`` while one is waited for, ``list`` while maps are offered."""
        if self.screen.rows is not None:
            return "list"
        return "roll" if rolls.asked(self.hand.session) is not None else ""

    def close(self) -> bool:
        """Close the page that lies over the map, if there is one."""
        opened = self.screen.help or self.screen.rows is not None
        self.screen.help, self.screen.rows = False, None
        return opened

    def do(self, name: str) -> None:
        """Carry a command out: a word of the key table, or ``gait:…``, ``door:…``, ``open:…``, ``digit_…``."""
        screen, hand = self.screen, self.hand
        kind, _, rest = name.partition(":")
        if kind == "digit_row":
            offered = screen.rows[2] if screen.rows is not None else ()
            if int(rest) <= len(offered):
                self.do(offered[int(rest) - 1][2])
        elif self.close() and kind not in ("open", "leave"):
            return
        elif kind == "leave" or name == "quit":
            self._leave(rest)
        elif name == "help":
            screen.help = True
        elif kind == "open":
            self.open(Path(rest))
        elif kind == "edit":
            self.editor.do(rest)
        elif kind == "gait" and rest:
            hand.choose_gait(rest)
        elif kind == "door" and rest:
            hand.use_door(rest)
        elif kind == "digit":
            hand.type_digit(rest)
        elif name.startswith("posture_"):
            hand.change_posture(name.removeprefix("posture_"))
        elif name.startswith("arrive_"):
            hand.arrive_in(name.removeprefix("arrive_"))
        elif not self._look(name):
            self._order(name)
        self.see()

    def _look(self, name: str) -> bool:
        """Commands that change how the map is looked at; False for others."""
        screen, hand = self.screen, self.hand
        if name in TOGGLES:
            screen.shown = replace(screen.shown, **{name: not getattr(screen.shown, name)})
        elif name in OPEN:
            setattr(screen, name, not getattr(screen, name))
        elif name in ("next", "previous"):
            hand.step_selection(1 if name == "next" else -1)
            screen.playback = None
            screen.show_selected()
        elif name in ("zoom_in", "zoom_out"):
            screen.camera = screen.camera.zoomed(STEP if name == "zoom_in" else 1 / STEP)
            self.move_map(0, 0)
        elif name in ("left", "right", "up", "down"):
            self.move_map(*{"left": (PAN, 0), "right": (-PAN, 0), "up": (0, PAN), "down": (0, -PAN)}[name])
        elif name in ("level_up", "level_down"):
            hand.change_level(1 if name == "level_up" else -1)
        elif name == "fit":
            screen.fit()
        elif name in ("larger", "smaller"):
            screen.resize_text(next_size(screen.size, 1 if name == "larger" else -1))
            hand.tell(say("text_size", percent=round(screen.size * 100)))
        elif name == "turns":
            hand.look_ahead()
        elif name == "fog":
            self._fog()
        elif name == "explore":
            self.explore()
        elif name == "walker":
            self.add_walker()
        elif name == "maps":
            self._offer_maps()
        elif name == "reload":
            self.reload()
        elif name in ("save", "save_copy"):
            self.save_game(copy=name == "save_copy")
        elif name == "picture":
            self.save_picture()
        else:
            return False
        return True

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
                "go": hand.go, "back": hand.back, "drop": hand.drop, "undo": hand.undo, "redo": hand.redo,
                "do": partial(hand.do_next, self.screen.onward), "reset": hand.reset, "door": hand.use_door,
            }  # fmt: skip
            orders[name]()
            if name == "do" and self.screen.onward is not None:
                self.screen.onward = ""  # whatever the button says now, nobody has seen it before the next painting

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
        self._follow()
        if self.games.problem:
            self.hand.tell(say("game.lost", why=self.games.problem), warn=True)
            self.games.problem = ""

    def _follow(self) -> None:
        self.games.follow(self.hand.session, self._stem())

    def _explore_on(self) -> None:
        hand = self.hand
        position = hand.session.position
        if hand.mover is None or position.pending is not None or hand.table.known(hand.mover.id) is None:
            return
        known = hand.table.known(hand.mover.id) or frozenset()
        fresh = seen_by(hand.battlemap, [hand.mover.id]) - known
        if fresh:
            hand.table.do(Reveal(hand.mover.id, cells=tuple(fresh)))

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

    # -- maps ---------------------------------------------------------------------------------------------------------

    def open(self, path: Path) -> bool:
        """Open another map, or a game to go on with; one that cannot be read shows what is wrong with it."""
        found: Battlemap | Session | tuple[Fault, ...] = read_game(path) if is_game(path) else read(path)
        if isinstance(found, tuple):
            self._faults(path, found)
            return False
        try:
            if isinstance(found, Session):
                hand = Hand(Table(found.battlemap, session=found), whose(found))
            else:
                hand = Hand(Table(found))
        except (TacticalError, ValueError) as error:
            self._faults(path, (Fault(str(error), file=str(path)),))
            return False
        screen = self.screen
        screen.hand, screen.playback, screen.rows = hand, None, None
        screen.shown = replace(screen.shown, referee=False)
        self.rules = self.options = None
        self.editor.forget()
        self.library.note(path)
        screen.fit()
        if isinstance(found, Session):
            self.go_on(path)
        else:
            self.games.leave()
            self._follow()
            self.watch = Watch(path)
            hand.tell(say("opened", name=found.name or path.name))
        return True

    def go_on(self, path: Path) -> None:
        """Keep the game that was read from a file in it."""
        self.watch = None
        self.games.opened(self.hand.session, path)
        self.hand.tell(say("game.opened", name=path.stem, round=self.hand.session.position.round))

    def save_game(self, *, copy: bool = False) -> Path | None:
        """Say where the game is kept, and begin to; as a `copy` it goes on beside the map under a name of its own."""
        path = self.games.save(self.hand.session, self._stem(), self._beside() if copy else None)
        if path is not None:
            self.games.problem = ""
            self.hand.tell(say("game.kept", path=path))
        return path

    def _leave(self, how: str) -> None:
        """Close the window: a question first where something would be lost."""
        if how == "stay":
            return
        if how == "save":
            self.save_game(copy=True)
        self.leaving = how == "now" or not self.games.at_risk
        if not self.leaving:
            rows = tuple((say(f"leave.{answer}"), "", f"leave:{answer}") for answer in ("save", "now", "stay"))
            why = self.games.problem or say("leave")
            self.screen.rows = (say("leave"), say("leave.why", why=why), rows, True)

    def _source(self) -> Path | None:
        """The file of the map, where there is one."""
        source = Path(self.hand.battlemap.source) if self.hand.battlemap.source else None
        return source if source is not None and source.is_file() else None

    def _stem(self) -> str:
        source = self._source()
        name = source.stem if source is not None else self.hand.battlemap.name
        return "".join(c if c.isalnum() or c in " -_." else "-" for c in name).strip(" .")[:60] or "map"

    def _beside(self) -> Path:
        """Where what is saved lies: beside the map's file, in the games' own folder where it is none of the user's."""
        source = self._source()
        if source is None or source.resolve().parent == assets.maps().resolve():
            return self.games.folder
        return source.parent

    def look_at_file(self) -> bool:
        """Read the map's file again if it has changed; True if there is something new to show."""
        if self.editor.on or self.editor.unsaved:
            return False
        return self.reload() if self.watch is not None and self.watch.changed() else False

    def reload(self) -> bool:
        """Read the map's file again; everybody stays where they are, and a broken file changes nothing."""
        if self.watch is None:
            return False
        path, hand = self.watch.path, self.hand
        begun = bool(hand.session.log)
        self.watch.changed()
        found = read(path)
        if not isinstance(found, Battlemap):
            self._faults(path, found)
            return True
        try:
            session, lost = carried_over(hand.session, found, self.rules or "")
            fresh = Hand(Table(found, session=session), None)
        except (TacticalError, ValueError) as error:
            self._faults(path, (Fault(str(error), file=str(path)),))
            return True
        if hand.selected in fresh.table.ids:
            fresh.select(hand.selected)
        fresh.turns, fresh.level = hand.turns, min(hand.level, len(found.levels) - 1)
        self.screen.hand, self.screen.playback, self.screen.rows = fresh, None, None
        if not begun:
            self.games.leave()
        self._follow()
        who = ", ".join(session.position.mover(name).label for name in lost)
        fresh.tell(say("reloaded.lost" if lost else "reloaded", name=path.name, who=who), warn=bool(lost))
        return True

    def _faults(self, path: Path, faults: tuple[Fault, ...]) -> None:
        rows = []
        for fault in faults:
            place = f"{fault.line}:{fault.column}" if fault.line else ""
            words = " ".join(part for part in (f"{fault.path}:" if fault.path else "", fault.text, fault.hint) if part)
            rows.append((words, place, ""))
        title = say("faults", name=path.name, n=len(faults))
        self.screen.rows = (title, str(path), tuple(rows), True)
        self.hand.tell(say("faults", name=path.name, n=len(faults)), warn=True)

    def _offer_maps(self) -> None:
        rows = []
        for n, (path, kind) in enumerate(self.library.offered(), 1):
            when = f"{datetime.fromtimestamp(path.stat().st_mtime):%d %b, %H:%M}" if kind == "game" else ""
            where = say(f"maps.{kind}", folder=path.parent.name, when=when)
            digit = f"{n}" if n <= MOST else " "
            name = path.name if kind == "recent" else path.stem
            rows.append((f"{digit}   {name}", where, f"open:{path}"))
        self.screen.rows = (say("maps"), say("maps.hint"), tuple(rows), False)

    def save_picture(self) -> Path | None:
        """Write what is shown as a PNG beside the map's file, never over another one; returns where."""
        from tactical.show.drawers.raster import draw

        hand, shown = self.hand, self.screen.shown
        source = self._source()
        folder, stem = (source.parent, source.stem) if source is not None else (Path(), "map")
        picture = scene(
            hand.battlemap, hand.reach if shown.reach else None, hand.route, target=hand.target, level=hand.level,
            costs=shown.costs, enemy=shown.enemy, grid=shown.grid, odds=hand.odds if shown.odds else None,
            referee=shown.referee,
            known=None if shown.referee or not hand.selected else hand.table.known(hand.selected),
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
