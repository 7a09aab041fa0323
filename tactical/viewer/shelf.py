"""The shelf: maps and games on disk, opened, read again, kept, and left."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from time import time

from tactical.errors import Fault, TacticalError, counted
from tactical.play.session import Session
from tactical.show.labels import say
from tactical.show.scene.scene import scene
from tactical.units import Cell
from tactical.viewer.editing.editor import Editor
from tactical.viewer.files.browser import Browser, Rows
from tactical.viewer.files.games import Games
from tactical.viewer.files.library import MOST, Library, Watch, inside, read, read_game, source_of, stem
from tactical.viewer.overlays.screen import Screen
from tactical.viewer.playing.hand import Hand, whose
from tactical.viewer.playing.table import Table, carried_over, fresh
from tactical.wire.save import is_game
from tactical.world.battlemap import Battlemap


class Shelf:
    """Opens and keeps.  `watch` notices changes of the map's file, `games` keeps what is played; `leaving` is set
    when the window is to be closed and nothing is lost by it.
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
        self.editor = Editor(screen, library)
        self.leaving = False
        self._written = _places(self.hand.battlemap)
        if not self.hand.session.log:
            self._follow()  # a game that was played before is kept where it lies: `go_on` says where
            self._tell_before()

    @property
    def hand(self) -> Hand:
        """The player's hand."""
        return self.screen.hand

    def keep(self) -> None:
        """After every order: the game is kept, and told where it cannot be."""
        self._follow()
        if self.games.problem:
            self.hand.tell(say("game.lost", why=self.games.problem), warn=True)
            self.games.problem = ""

    def _follow(self) -> None:
        self.games.follow(self.hand.session, self._stem())

    def _tell_before(self) -> None:
        """Tell once of the last game on the map that is open anew: it is kept, and how it is gone on with."""
        path = self.games.of_map(self._stem())
        if path is not None:
            since = max(0, int(time() - path.stat().st_mtime)) // 60
            ago = counted(since, "minute") if since < 120 else f"{since // 60} hours"
            ago = ago if since < 2880 else f"{since // 1440} days"
            self.hand.tell(say("game.before", ago=ago))

    def open(self, path: Path) -> bool:
        """Open another map, or a game to go on with; one that cannot be read shows what is wrong with it."""
        if self.editor.unsaved and self.editor.save() is None:
            return False
        found: Battlemap | Session | tuple[Fault, ...] = read_game(path) if is_game(path) else read(path)
        if isinstance(found, tuple):
            self._faults(path, found)
            return False
        try:
            if isinstance(found, Session):
                hand = Hand(Table(found.battlemap, session=found), whose(found))
            else:
                hand = Hand(Table(found, seed=fresh()))
        except (TacticalError, ValueError) as error:
            self._faults(path, (Fault(str(error), file=str(path)),))
            return False
        screen = self.screen
        screen.hand, screen.playback, screen.rows = hand, None, None
        screen.shown = replace(screen.shown, referee=False, odds=hand.rolled_for)
        self.rules = self.options = None
        self._written = _places(hand.battlemap)
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
        opened = say("game.opened", name=path.stem, round=self.hand.session.position.round)
        picture = self.hand.battlemap.picture
        flaw = "" if picture is None else picture.flaw
        self.hand.tell(say("game.bare", opened=opened, why=flaw) if flaw else opened, warn=bool(flaw))

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
            self.save_game(copy=True) if self.games.at_risk else self.editor.save()
        self.leaving = how == "now" or not (self.games.at_risk or self.editor.unsaved)
        if not self.leaving:
            rows = tuple((say(f"leave.{answer}"), "", f"leave:{answer}") for answer in ("save", "now", "stay"))
            title = say("leave" if self.games.at_risk else "leave.drawing")
            self.screen.rows = (title, say("leave.why", why=self.games.problem or title), rows, True)

    def _stem(self) -> str:
        return stem(self.hand.battlemap, source_of(self.hand.battlemap))

    def _beside(self) -> Path:
        """Where what is saved lies: beside the map's file, in the games' own folder where it is none of the user's."""
        source = source_of(self.hand.battlemap, own=True)
        return self.games.folder if source is None else source.parent

    def look_at_file(self) -> bool:
        """Read the map's file again if it has changed; True if there is something new to show."""
        watch = self.watch
        if watch is None or not watch.changed() or self.editor.wrote(watch.path):
            return False
        return self.reload()

    def reload(self) -> bool:
        """Read the map's file again; a broken file changes nothing.

        Everybody stays where they are but those whom the file now puts elsewhere than when it was read last.
        """
        if self.watch is None:
            return False
        path, hand = self.watch.path, self.hand
        begun = bool(hand.session.log)
        self.watch.changed()
        found = read(path)
        if not isinstance(found, Battlemap):
            self._faults(path, found)
            return True
        written = _places(found)
        moved = [name for name, place in written.items() if place != self._written.get(name, place)]
        try:
            session, lost = carried_over(hand.session, found, self.rules or "", moved)
            fresh = Hand(Table(found, session=session), None)
        except (TacticalError, ValueError) as error:
            self._faults(path, (Fault(str(error), file=str(path)),))
            return True
        fresh.rests = hand.rests
        if hand.selected in fresh.table.ids:
            fresh.select(hand.selected)
        self._written = written
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
        title = say("faults", name=path.name, n=counted(len(faults), "fault"))
        self.screen.rows = (title, str(path), tuple(rows), True)
        self.hand.tell(say("faults", name=path.name, n=counted(len(faults), "fault")), warn=True)

    def _offer_maps(self, folder: Path | None = None) -> None:
        """Offer maps and games to open: those known, or what lies in a folder."""
        rows = self._inside(folder) if folder is not None else self._known()
        title = say("maps") if folder is None else folder.name or str(folder)
        self.screen.rows = (title, str(folder) if folder is not None else say("maps.hint"), rows, False)
        self.screen.browser = Browser(rows)

    def _inside(self, folder: Path) -> Rows:
        rows = [(say("maps.up"), "", f"folder:{folder.parent}" if folder.parent != folder else "maps")]
        for path, kind in inside(folder):
            words = say("maps.folder", name=path.name) if kind == "folder" else path.name
            when = f"{datetime.fromtimestamp(path.stat().st_mtime):%d %b %Y, %H:%M}" if kind != "folder" else ""
            rows.append((words, when, f"{'folder' if kind == 'folder' else 'open'}:{path}"))
        return tuple(rows)

    def _known(self) -> Rows:
        rows = []
        for n, (path, kind) in enumerate(self.library.offered(), 1):
            when = f"{datetime.fromtimestamp(path.stat().st_mtime):%d %b, %H:%M}" if kind == "game" else ""
            where = say(f"maps.{kind}", folder=path.parent.name, when=when)
            digit = f"{n}" if n <= MOST else " "
            name = path.name if kind == "recent" else path.stem
            rows.append((f"{digit}   {name}", where, f"open:{path}"))
        rows.append((say("maps.browse"), "", f"folder:{self._home()}"))
        return tuple(rows)

    def _home(self) -> Path:
        """The folder to begin to look in: that of the map, where it is none that comes with tactical."""
        source = source_of(self.hand.battlemap, own=True)
        return Path.cwd() if source is None else source.resolve().parent

    def save_picture(self) -> Path | None:
        """Write what is shown as a PNG beside the map's file, never over another one; returns where.

        Beside a map of nobody's own (one that comes with tactical) nothing is written, but in the folder one works in.
        """
        from tactical.show.drawers.raster import draw

        hand, shown = self.hand, self.screen.shown
        own = source_of(hand.battlemap, own=True)
        folder, name = Path() if own is None else own.parent, stem(hand.battlemap, source_of(hand.battlemap))
        picture = scene(
            hand.battlemap, hand.reach if shown.reach else None, hand.route, target=hand.target, level=hand.level,
            costs=shown.costs, enemy=shown.enemy, grid=shown.grid, odds=hand.odds if shown.odds else None,
            referee=shown.referee,
            known=None if shown.referee or not hand.selected else hand.table.known(hand.selected),
        )  # fmt: skip
        data = draw(picture, theme=self.screen.theme)
        number = 1
        while (path := folder / f"{name}-{number}.png").exists():
            number += 1
        try:
            path.write_bytes(data)
        except OSError as problem:
            hand.tell(say("not_saved", why=problem.strerror or str(problem)), warn=True)
            return None
        hand.tell(say("saved", path=path))
        return path


def _places(battlemap: Battlemap) -> dict[str, tuple[Cell | None, str]]:
    """Where a map puts everybody, and in which posture."""
    return {mover.id: (mover.at, mover.posture) for mover in battlemap.movers}
