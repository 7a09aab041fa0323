"""The edit mode: its commands and keys, and how it is opened and left; `mouse` has what is done on the map."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pygame

from tactical.errors import TacticalError
from tactical.show.labels import say
from tactical.show.sheet import Measure, Sheet
from tactical.viewer.editing import saving
from tactical.viewer.editing.bench import PAINTING, Bench
from tactical.viewer.editing.brushes import brushes_of, first
from tactical.viewer.editing.contours import Contours
from tactical.viewer.editing.drawing import Drawing
from tactical.viewer.editing.mouse import Mouse
from tactical.viewer.editing.palette import TOOLS, lay_out
from tactical.viewer.files.library import Library
from tactical.viewer.overlays.screen import Screen
from tactical.viewer.picture.camera import Camera
from tactical.viewer.playing.hand import Hand
from tactical.world.edges.barriers import Kind

KEYS = {
    "ESCAPE": "edit:drop", "F2": "edit", "z": "edit:undo", "u": "edit:undo", "y": "edit:redo",
    "RETURN": "edit:close", "KP_ENTER": "edit:close", "BACKSPACE": "edit:corner",
    **{key.lower(): f"edit:tool:{tool}" for tool, key in TOOLS},
    **{f"{n}": f"edit:brush:{n - 1}" for n in range(1, 10)},
}  # fmt: skip
"""What a key means in the edit mode, before what it means otherwise."""
DRAWING = {getattr(pygame, f"K_{name}"): name for name in KEYS}
"""Their names by pygame's numbers."""
LOOKING = frozenset({
    "larger", "smaller", "zoom_in", "zoom_out", "fit", "left", "right", "up", "down", "level_up", "level_down", "reach",
    "costs", "odds", "enemy", "turns", "grid", "rulers", "measure", "help", "quit", "picture", "maps", "next",
    "previous", "legend", "drawer",
})  # fmt: skip
"""Of the window's other commands those that play nothing: they hold in the edit mode too."""


class Editor:
    """The edit mode.  `on` while it is open, `saved` is the file that was written last, `bench` what is drawn with,
    and on.
    """

    def __init__(self, screen: Screen, library: Library) -> None:
        self.screen, self.library = screen, library
        self.saved: Path | None = None
        self.on = False
        self.bench: Bench | None = None
        self._before: Bench | None = None
        self.mouse: Mouse | None = None
        self._written: saving.Into | None = None
        self._contours = Contours()
        self._referee = False

    @property
    def hand(self) -> Hand:
        """The player's hand."""
        return self.screen.hand

    @property
    def drawing(self) -> Drawing | None:
        """What was drawn; None before the mode was opened."""
        return self.bench.drawing if self.bench is not None else None

    @property
    def unsaved(self) -> bool:
        """Whether something was drawn that is on no disk."""
        return self.drawing is not None and self.drawing.unsaved

    def forget(self) -> None:
        """Another map was opened: what was drawn on the one before is gone."""
        self._close()
        self._before, self.bench = self.bench or self._before, None
        self.mouse = self.saved = self._written = None

    # -- commands -----------------------------------------------------------------------------------------------------

    def do(self, order: str) -> None:
        """Carry out what follows ``edit:`` in a command; nothing opens or leaves the mode."""
        what, _, rest = order.partition(":")
        if not what or (what == "drop" and self._nothing_begun()):
            self._toggle()
        bench, mouse = self.bench, self.mouse
        if not self.on or bench is None or mouse is None or mouse.button:
            return
        self._settle()
        if what in ("tool", "undo", "redo", "drop"):
            bench.clear()
        if what in ("tool", "brush", "kind", "way"):
            _take_up(bench, what, rest)
        elif what in ("name", "party", "stats"):
            bench.figures.typing, bench.figures.whole = what, bench.figures.fresh
        elif what in ("side", "size", "rules"):
            setattr(bench.figures, what, int(rest) if what == "size" else rest)
            self._settle(always=True)
        elif what in ("close", "corner") and bench.tool == "polygon":
            bench.selection.closed() if what == "close" else bench.selection.no_corner()
        elif what in ("save", "into"):
            self.save(into=what == "into")
        elif what in ("undo", "redo"):
            if bench.drawing.undo() if what == "undo" else bench.drawing.redo():
                bench.follow()
            else:
                self.hand.tell(say(f"edit.no_{what}"), warn=True)

    def _nothing_begun(self) -> bool:
        bench = self.bench
        return bench is None or not (
            bench.selection.cells or bench.selection.corners or bench.start is not None or bench.figures.chosen
        )

    def _settle(self, *, always: bool = False) -> None:
        """What was written into the fields of the chosen figure is so; else it is told why not."""
        bench = self.bench
        if bench is None or not (bench.figures.typing or always):
            return
        figures, typed = bench.figures, bench.figures.typing
        figures.typing = ""
        if typed == "party":
            figures.side, figures.party = figures.party.strip() or figures.side, ""
        mover = next((one for one in bench.drawing.work.movers if one.id == figures.chosen), None)
        if mover is None:
            return
        try:
            other = figures.changed(mover, bench.rules)
            bench.drawing.begin()
            changed = bench.drawing.change(mover.id, other)
            bench.drawing.end()
            if changed and bench.follow():
                mover = other
                self.hand.select(other.id)
                self.hand.tell(say("edit.changed", name=other.label))
        except (TacticalError, ValueError) as error:
            self.hand.tell(str(error), warn=True)
        fresh = figures.fresh
        figures.choose(mover)
        figures.fresh = fresh

    def _toggle(self) -> None:
        hand = self.hand
        if self.on:
            self._settle()
            self._close()
            self.screen.shown = replace(self.screen.shown, referee=self._referee)
            hand.tell(say("edit.unsaved" if self.unsaved else "edit.left"))
            return
        begun = hand.session.position != hand.session.start or hand.session.position.known
        if begun or hand.table.pending is not None:
            hand.tell(say("edit.running"), warn=True)
            return
        if self.bench is None or not self.bench.is_shown():
            self.bench = Bench(self.screen, self.bench or self._before)
            self.saved = self._written = None
            self.mouse = Mouse(self.bench)
        bench = self.bench
        bench.brushes = brushes_of(bench.drawing.original)
        bench.brush = first(bench.brushes) if bench.brush < 0 else min(bench.brush, len(bench.brushes) - 1)
        sides = bench.figures.sides(hand.battlemap.movers)
        if bench.figures.side not in sides[:-1]:
            bench.figures.side = sides[0]
        hand.forget()
        self._referee = self.screen.shown.referee
        # who edits sees what movers do not: secret doors, and who hides
        self.screen.shown = replace(self.screen.shown, referee=True)
        self.on, self.screen.editing, self.screen.playback = True, self, None
        hand.tell(say("edit.begun"))

    def _close(self) -> None:
        if self.bench is not None:
            self.bench.drawing.end()
            self.bench.clear()
        if self.mouse is not None:
            self.mouse.button = 0
        self.on, self.screen.editing = False, None

    def sheet(self, measure: Measure, width: float) -> Sheet:
        """The panel."""
        bench = self.bench
        assert bench is not None
        return lay_out(bench, bench.drawing.unsaved, self.hand.battlemap.movers, measure, width)

    # -- saving -------------------------------------------------------------------------------------------------------

    def save(self, *, into: bool = False) -> Path | None:
        """Write what was drawn over the map's untouched file, or `into` it where it is native, and say where; None,
        and why, where that failed.
        """
        if self.drawing is None:
            return None
        self.drawing.end()
        position = self.hand.session.position
        try:
            if into or saving.is_ours(self.drawing):
                self._written = saving.put_into(self.drawing, self._written, position.rules)
                done = saving.Saved(self._written.path)
            else:
                done = saving.save(self.drawing, self.library.maps, self.saved, position.rules)
                self.saved = done.path
        except (OSError, TacticalError, ValueError) as error:
            why = (error.strerror or str(error)) if isinstance(error, OSError) else str(error)
            self.hand.tell(say("edit.not_saved", why=why), warn=True)
            return None
        self.drawing.kept()
        self.library.note(done.path)
        key = "edit.saved.over" if done.over else "edit.saved.bare" if done.bare else "edit.saved"
        self.hand.tell(say(key, path=done.path, file=done.over))
        return done.path

    def wrote(self, path: Path) -> bool:
        """Whether a file that has changed is as this mode has written it."""
        return self._written is not None and self._written.is_there(path)

    def keys(self) -> tuple[tuple[str, str], ...]:
        """What the help says of this mode while it is open: its keys, and what they do."""
        if not self.on:
            return ()
        rest = (("Ctrl-S", "save"), ("Ctrl-Shift-S", "into"), ("Z", "undo"), ("Shift-Z", "redo"), ("F2", "leave"))
        tools = ((key, say(f"edit.how.{tool}")) for tool, key in TOOLS)
        return (*tools, *((key, say(f"edit.{word}").lower()) for key, word in rest))

    def allows(self, command: str) -> bool:
        """Whether a command holds now: while the mode is open nothing is played."""
        return not self.on or command in LOOKING or command.startswith(("who:", "place:"))

    # -- keys and mouse -----------------------------------------------------------------------------------------------

    def command_for(self, name: str, otherwise: str, *, shift: bool, ctrl: bool) -> str:
        """The command of a key in this mode; `otherwise` is what it means in play."""
        if ctrl and name == "s":
            return "edit:into" if shift else "edit:save"
        if name == "z" and shift:
            return "edit:redo"
        if name in KEYS and (not ctrl or name in "zy"):
            return KEYS[name]
        # there is no cell to point at by keys here: arrows move the map, with and without Shift
        otherwise = otherwise.removeprefix("cursor_")
        return otherwise if otherwise in LOOKING else ""

    def types(self, event: pygame.event.Event) -> bool:
        """Take a key that writes in a field; False for one that has another meaning."""
        if not self.on or self.bench is None or not self.bench.figures.typing:
            return False
        if event.mod & (pygame.KMOD_CTRL | pygame.KMOD_META):
            every = bool(event.key == pygame.K_a)
            self.bench.figures.whole |= every
            return every
        if event.key in (pygame.K_RETURN, pygame.K_KP_ENTER, pygame.K_ESCAPE, pygame.K_TAB):
            self._settle()
        elif event.key == pygame.K_BACKSPACE:
            self.bench.figures.types("\b")
        elif event.unicode.isprintable() and event.unicode:
            self.bench.figures.types(event.unicode)
        else:
            return False
        return True

    def takes(self, event: pygame.event.Event, mods: int = 0) -> bool:
        """Do what the mouse does on the map with the tool in hand; False for what is not the mode's to take."""
        if not self.on or self.mouse is None:
            return False
        if event.type == pygame.MOUSEBUTTONDOWN and self.screen.map_area.collidepoint(event.pos):
            self._settle()
        return self.mouse.takes(event, mods)

    def paint(self, surface: pygame.Surface, camera: Camera) -> None:
        """Paint over the map how high it lies, what is selected or begun, and where something was painted."""
        bench = self.bench
        if bench is None:
            return
        if bench.tool in PAINTING and bench.brushes and bench.brushes[bench.brush].rise:
            self._contours.paint(surface, camera, self.screen, bench.drawing)
        began = (bench.start,) if bench.start is not None else ()
        bench.selection.paint(surface, camera, bench.drawing.work.painted, began)


def _take_up(bench: Bench, what: str, which: str) -> None:
    """Another tool, brush, kind of barrier or kind of link."""
    if what == "tool":
        bench.tool = which
    elif what == "kind":
        bench.kind = Kind(which)
    elif what == "way":
        bench.way = which
    elif int(which) < len(bench.brushes):
        bench.tool, bench.brush = bench.tool if bench.tool in PAINTING else "brush", int(which)
