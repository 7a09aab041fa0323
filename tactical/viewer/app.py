"""The window: events in, pictures out.

`run` opens it and returns when it is closed.  `App` can be driven without a display (``SDL_VIDEODRIVER=dummy``) by
posting events.  Nothing is drawn unless something changed: the loop sleeps in `pygame.event.wait`.
"""

from __future__ import annotations

import gc
import os
from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from tactical.errors import PluginError, TacticalError
from tactical.play.session import Session
from tactical.rules import dice
from tactical.search.kernel import warm_in_background
from tactical.show.labels import say
from tactical.show.theme import Theme, load
from tactical.viewer import pages
from tactical.viewer.controls import KEYS, REPEATED, command_for, follows
from tactical.viewer.files.library import Library, Watch
from tactical.viewer.playing.hand import Hand, whose
from tactical.viewer.playing.table import Table, fresh
from tactical.world.battlemap import Battlemap

try:
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    import pygame
except ImportError as error:  # the words tell what to install; the command line turns this into exit status 3
    raise ImportError(
        "the window needs pygame: pip install 'tactical[view]' (your project uses pygame-ce? 'tactical[view-ce]')"
    ) from error

from tactical.viewer.desk import Desk
from tactical.viewer.editing.editor import DRAWING
from tactical.viewer.gestures import BUDGET, Gestures, now
from tactical.viewer.overlays.screen import Screen
from tactical.viewer.picture.look import Same
from tactical.viewer.picture.theme import SMALLEST, WINDOW, first_size, size_for
from tactical.viewer.playing.playback import play

TOOLTIP_AFTER = 150
"""Milliseconds the pointer rests before the tooltip comes."""
SETTLED_AFTER = 140
"""Milliseconds after the last turn of the wheel until the map is painted anew."""
LOOK_EVERY = 500
"""Milliseconds between looks at the map's file."""
SWEEPS_AT_REST, SWEEPS_AT_LAST = 3, 200
"""After how many sweeps of younger garbage the old is looked through: at rest, and at the latest."""
SLICE = 8.0
"""Milliseconds of work on the chances between two looks at what the player does."""
SIGN_AFTER = 100
"""Milliseconds of such work after which a sign tells of it."""
MOST_QUEUED = 4
"""Commands that wait for an order."""
FRAME = 15
"""Milliseconds of a frame while something moves."""
REPEAT_AFTER, REPEAT_EVERY = 350, 60
"""Milliseconds until a key that is held repeats, and between its repeats."""


class NoDisplay(TacticalError):
    """No window can be opened on this machine."""


class App(Gestures):
    """The window on a map.  `table` may be given instead of rules and options; `text` is the text size.

    `held` are the keys that are down and whether one has had its turn in the frame to come.
    """

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
        text: float | None = None,
        library: Library | None = None,
    ) -> None:
        try:
            pygame.display.init()
            pygame.font.init()
            screens = pygame.display.get_desktop_sizes() or [(0, 0)]
            text = text or size_for(max(height for _, height in screens))
            # a display that is none has a size of no meaning
            room = screens[0] if pygame.display.get_driver() != "dummy" else (0, 0)
            wanted = first_size((round(size[0] * text), round(size[1] * text)), room)
            surface = pygame.display.set_mode(wanted, pygame.RESIZABLE)
        except pygame.error as problem:
            raise NoDisplay(f"no window can be opened: {problem}") from problem
        pygame.key.set_repeat(REPEAT_AFTER, REPEAT_EVERY)
        hand = Hand(table or Table(battlemap, rules=rules, options=options), mover_id)
        screen = Screen(surface, hand, theme or load(), text)
        super().__init__(screen, Desk(screen, library or Library(), rules=rules, options=options))
        self.running = True
        self.keys = {getattr(pygame, f"K_{name}"): name for key in KEYS for name in key.names} | DRAWING
        self.held: dict[int, bool] = {}
        self.looked_at = now()
        self.reckoned_at: int | None = None
        self._heard = ("", False)
        self.caption()
        if battlemap.source and Path(battlemap.source).is_file():
            self.desk.watch = Watch(Path(battlemap.source))
            self.desk.library.note(Path(battlemap.source))
        if twins := _both_installed():
            self.hand.tell(twins, warn=True)

    def caption(self) -> None:
        """Write the map's name on the window's frame."""
        pygame.display.set_caption(f"{self.hand.battlemap.name or say('untitled')} - tactical")

    # -- events -------------------------------------------------------------------------------------------------------

    def open(self) -> None:
        """Draw the first picture, and take what there is by then as there to stay."""
        self.draw()
        # looking through all of it for what is no longer needed would halt the hand for a tenth of a second: what came
        # later is looked through at rest, and amid doing only after very much
        gc.collect()
        gc.freeze()
        gc.set_threshold(*gc.get_threshold()[:2], SWEEPS_AT_LAST)

    def run(self) -> None:
        """Show the window until it is closed."""
        warm_in_background(dice.LATE)
        self.open()
        while self.running:
            if self.dirty:
                self.draw()
            patience = self.patience()
            event = pygame.event.wait(patience)
            if event.type == pygame.NOEVENT and patience == LOOK_EVERY and gc.get_count()[2] > SWEEPS_AT_REST:
                gc.collect()
            while event.type != pygame.NOEVENT:
                self.handle(event)
                event = pygame.event.poll()
            self.tick()
        self.desk.games.leave()
        pygame.display.quit()

    def patience(self) -> int:
        """Milliseconds to sleep at the most when no event comes."""
        if self.screen.playback is not None and self.screen.playback.running(now()):
            return FRAME
        if (self.screen.layer.tiles.behind and not self.turning) or self.reckoned_at is not None:
            return 1
        if self.turning:
            return SETTLED_AFTER
        if self.screen.previews.busy:
            return 2 * FRAME
        return TOOLTIP_AFTER if self._may_tip() and not self.screen.tip else LOOK_EVERY

    def tick(self) -> None:
        """Let time pass: tooltips come, the token walks, the wheel comes to rest, the map's file is looked at."""
        at = now()
        playback = self.screen.playback
        if playback is not None and playback.begun is not None and self.screen.now < playback.begun + playback.length:
            self.dirty = True
        self.screen.now = float(at)
        if self._may_tip() and not self.screen.tip and at - self.moved_at >= TOOLTIP_AFTER:
            self.screen.tip = self.dirty = self.hand.rested = True
        if self.turning and at - self.wheel_at >= SETTLED_AFTER:
            self.turning, self.screen.budget, self.dirty = False, BUDGET, True
            self.point(self.screen.pointer)
        if self.screen.layer.tiles.behind and not self.turning:
            self.dirty = True
        self.dirty |= self.screen.previews.come
        self._reckon(at)
        self.long_press(at)
        if at - self.looked_at >= LOOK_EVERY:
            self.looked_at = at
            if self.desk.look_at_file():
                self.dirty = True

    def _reckon(self, at: int) -> None:
        """Work on chances and ways without strikes while nothing else is to be done: in slices, with a sign if it
        takes long.
        """
        hand = self.hand
        before, ordered = self._known(), hand.ordered
        more = hand.think(SLICE / 1000)
        if not more and not self.playing():
            more = hand.seek(SLICE / 1000) or (self.screen.shown.odds and hand.reckon(SLICE / 1000))
        self.dirty |= before != self._known()
        if not more and not self.playing():
            if hand.going and hand.route is not None:
                hand.go()
                self.desk.see()
                self.dirty = True
            if hand.wanted is not None and hand.reach is not None and not hand.seek(0):
                hand.take_safe()
                self.desk.see()
                self.dirty = True
        if ordered and not hand.ordered:
            # the pointer may have gone on meanwhile
            self.dirty |= self.point(self.screen.pointer)
            self._follow()
        if more and self.reckoned_at is None:
            self.reckoned_at = at
        begun = self.reckoned_at
        sign = more and begun is not None and at - begun >= SIGN_AFTER
        if sign != self.screen.reckoning or (not more and begun is not None):
            self.screen.reckoning, self.dirty = sign, True
        if not more:
            self.reckoned_at = None

    def _follow(self) -> None:
        """Do what was asked for while an order was worked out; where that came to a question or a refusal, nothing."""
        queue, self.queue = self.queue, []
        while queue and not self.hand.ordered and not self.hand.warn and self.hand.table.pending is None:
            self.command(queue.pop(0))
        self.queue = queue if self.hand.ordered else []

    def _known(self) -> Same:
        hand = self.hand
        return Same(hand.reach, hand.foe, hand.route, hand.safe, hand.message)

    def _may_tip(self) -> bool:
        return self.hand.hover is not None or bool(self.screen.hint_at(self.screen.pointer))

    def draw(self) -> None:
        """Paint the window."""
        self.dirty = False
        self.held = dict.fromkeys(self.held, False)
        self._sound()
        if self.hand.done is not None:
            start, mover, done, declared = self.hand.done
            self.hand.done = None
            who = self.hand.table.mover(mover)
            done = done if self.screen.shown.referee else done.for_players()
            self.screen.playback = play(self.hand.battlemap, who, start, done, declared)
            self.screen.playback.begun = self.screen.now = float(now())
        self.screen.draw()
        if not self.screen.layer.tiles.behind:
            self.screen.budget = None
        pygame.display.flip()

    def _sound(self) -> None:
        """Let what has happened be heard: a walk, a refusal, another message."""
        hand, told = self.hand, (self.hand.message, self.hand.warn)
        if hand.done is not None:
            self.screen.sounds.play("done")
        elif told != self._heard and hand.message:
            self.screen.sounds.play("warn" if hand.warn else "step")
        self._heard = told

    def handle(self, event: pygame.event.Event) -> None:
        """React to one event; a rule system that fails on what was asked is told of, and the window stays."""
        try:
            self._take(event)
        except PluginError as error:
            self.hand.tell(str(error), warn=True)
            self.quiet()

    def _take(self, event: pygame.event.Event) -> None:
        if self.desk.editor.takes(event, self.mods):
            self.quiet()
        elif event.type == pygame.QUIT:
            self.desk.close()  # a page that lies over the map keeps no window open
            self.command("quit")
        elif event.type == pygame.KEYDOWN:
            self.mods = event.mod
            self._key(event)
        elif event.type == pygame.KEYUP:
            self.mods = event.mod
            self.held.pop(event.key, None)
        elif event.type == pygame.WINDOWFOCUSLOST:
            # what is let go elsewhere is not told here
            self.mods = 0
            self.held.clear()
        elif self.gesture(event):
            return
        elif event.type == pygame.DROPFILE:
            self.open_map(Path(event.file))
        elif event.type == pygame.VIDEORESIZE:
            self._resized((event.w, event.h))
        elif event.type in (pygame.VIDEOEXPOSE, pygame.WINDOWEXPOSED):
            self.dirty = True
        elif event.type == pygame.WINDOWLEAVE and self.hand.point_at(None):
            self.screen.tip, self.dirty = False, True

    def _key(self, event: pygame.event.Event) -> None:
        self.screen.greeting = False
        if pages.types(self.screen, event):
            self.dirty = True
            return
        name = self.keys.get(event.key, "")
        ctrl = bool(event.mod & (pygame.KMOD_CTRL | pygame.KMOD_META))
        waits, page = self.desk.waits(), self.desk.page()
        shift = bool(event.mod & pygame.KMOD_SHIFT)
        command = command_for(name, shift=shift, ctrl=ctrl, waits=waits)
        if page and not pages.lets_through(page, command):
            return
        if self.desk.editor.on and not page:
            if self.desk.editor.types(event):
                self.quiet()
                return
            command = self.desk.editor.command_for(name, command, shift=shift, ctrl=ctrl)
        if event.key in self.held and (command not in REPEATED or self.held[event.key]):
            return  # a key that is held repeats only what moves the view, and that once a frame
        self.held[event.key] = True
        if command:
            self.command(command)
        elif self.desk.close():
            self.dirty = True

    # -- commands -----------------------------------------------------------------------------------------------------

    def command(self, name: str) -> None:
        """Carry out a command of the key table, or of a button."""
        self.quiet()
        if self.hand.ordered and follows(name):
            self.queue = [*self.queue, name][:MOST_QUEUED]
            self.hand.tell(say("reckoning.then"))
            return
        if name not in REPEATED:
            self.leave()
        before = self.screen.hand
        if name in ("undo", "redo", "reset", "drop"):
            self.screen.playback = None
        self.desk.do(name)
        self.running = not self.desk.leaving
        if self.screen.hand is not before:
            self.caption()

    def _resized(self, size: tuple[int, int]) -> None:
        wanted = max(size[0], SMALLEST[0]), max(size[1], SMALLEST[1])
        if wanted != self.screen.surface.get_size():
            self.screen.surface = pygame.display.set_mode(wanted, pygame.RESIZABLE)
        self.screen.refit()
        self.dirty = True

    def open_map(self, path: Path) -> bool:
        """Open another map; one that cannot be read shows what is wrong with it, and the present one stays."""
        self.dirty = True
        opened = self.desk.open(path)
        if opened:
            self.caption()
        return opened


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
    text: float | None = None,
    fog: bool = False,
) -> None:
    """Open a map in a window and return when it is closed.

    `text` is the text size (1 is the ordinary one), `fog` begins with only that known which can be seen.  Raises
    `UnknownName` for a mover or rules that do not exist, `NoDisplay` where no window can be opened.
    """
    table = Table(battlemap, rules=rules, options=options, seed=fresh())
    app = App(battlemap, mover_id, rules=rules, options=options, theme=theme, text=text, table=table)
    app.screen.greeting = app.desk.library.greet()
    if fog:
        app.command("explore")
    app.run()


def go_on(game: Path, mover_id: str | None = None, *, theme: Theme | None = None, text: float | None = None) -> None:
    """Open a saved game in a window, go on with it there, also in the middle of a roll, and return when it is closed.

    Everything done is added to the file.  Raises `OSError` and `SaveError` for a file that is no game, else as `run`.
    """
    session = Session.load(game)
    app = App(session.battlemap, mover_id or whose(session), theme=theme, text=text,
              table=Table(session.battlemap, session=session))  # fmt: skip
    app.desk.go_on(game)
    app.run()
